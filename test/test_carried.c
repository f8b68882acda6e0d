// labels: small golden
// Open sides by which what leaves is carried out: whirls that leave, held against a domain that
// goes on behind the side; what lasts; flows that change; states, and what is refused.
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

enum { LONG, FREELY, CARRIED };

static void open_right(gyre_gas_def *def, int how)
{
    def->sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def->sides.x_high.leaves = how == CARRIED ? GYRE_GAS_LEAVES_CARRIED : GYRE_GAS_LEAVES_FREELY;
}

typedef struct pair {
    int component;
    double gamma, core, at, apart;
} pair;

// Two vortices that turn against each other and carry themselves along x, in 3D along all of z.
static double pair_velocity(const double x[3], const void *data)
{
    const pair *p = data;
    double sum = 0.0;
    for (int s = -1; s <= 1; s += 2) {
        double dx = x[0] - p->at, dy = x[1] - 0.5 - s * 0.5 * p->apart;
        double r2 = dx * dx + dy * dy + 1e-12;
        double w = s * p->gamma / (2 * pi * r2) * (1 - exp(-r2 / (p->core * p->core)));
        sum += p->component == 0 ? -w * dy : p->component == 1 ? w * dx : 0.0;
    }
    return sum;
}

static double pair_smoke(const double x[3], const void *data)
{
    const pair *p = data;
    double dx = x[0] - p->at, dy = fabs(x[1] - 0.5) - 0.5 * p->apart;
    return exp(-(dx * dx + dy * dy) / (p->core * p->core));
}

// Kinetic energy and smoke in the first `cells` along x, of the first plane of cells.
static void inside(gyre_gas *gas, int cells, double *energy, double *smoke)
{
    const int *n = gas->extent.n;
    int scalar = gas->velocities;
    *energy = *smoke = 0.0;
    for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < cells; i++) {
            double u = 0.5 * (double)(*sample(gas, 0, i, j, 0) + *sample(gas, 0, i + 1, j, 0));
            double v = 0.5 * (double)(*sample(gas, 1, i, j, 0) + *sample(gas, 1, i, j + 1, 0));
            *energy += 0.5 * (u * u + v * v) / (n[1] * n[1]);
            *smoke += (double)*sample(gas, scalar, i, j, 0) / (n[1] * n[1]);
        }
}

static void budget_closes(gyre_gas *gas, int field)
{
    gyre_gas_budget b = gyre_gas_get_budget(gas, field);
    double passed = fabs(b.came) + fabs(b.left) + fabs(b.edited) + fabs(b.emitted);
    double off = b.total - (b.came - b.left + b.edited + b.emitted + b.added + b.walls - b.faded);
    assert_true(passed > 0.0);
    if (!(fabs(off) <= 1e-5 * passed))
        fail_msg("the budget is off by %g of %g", off, passed);
}

/// What is left of a pair's energy and smoke after 3 s, and of its energy in the middle.
static void let_leave(int how, int dim, double dt, double left[3])
{
    int n = dim == 3 ? 24 : 48, deep = dim == 3 ? 4 : 1;
    double first[2], smoke;
    gyre_gas_def def = still_def(dim, n * (how == LONG ? 2 : 1), n, deep, 1.0f / (float)n, 0);
    pair p = {.gamma = 0.6, .core = 0.07, .at = 0.5, .apart = 0.24};
    open_right(&def, how);
    gyre_gas *gas = make(&def);
    for (p.component = 0; p.component < dim; p.component++)
        set_field(gas, p.component, pair_velocity, &p);
    set_field(gas, dim, pair_smoke, &p);
    must(gyre_gas_step(gas, 0.0f));
    inside(gas, n, &first[0], &first[1]);
    for (int s = 1; (s - 1) * dt < 3.0; s++) {
        must(gyre_gas_step(gas, (float)dt));
        if (fabs(s * dt - 1.5) < 1e-6)
            inside(gas, n, &left[2], &smoke);
    }
    inside(gas, n, &left[0], &left[1]);
    left[0] /= first[0];
    left[1] /= first[1];
    left[2] /= first[0];
    budget_closes(gas, dim);
    assert_true(gyre_gas_get_stats(gas).gained == 0);
    gyre_gas_destroy(gas);
}

static void a_vortex_pair_leaves(void **state)
{
    (void)state;
    static const char *const names[] = {"twice as long", "freely", "carried"};
    for (int c = 0; c < (SANITIZED ? 1 : 3); c++) {
        int dim = c == 2 ? 3 : 2;
        double left[3][3];
        for (int how = LONG; how <= CARRIED; how++) {
            let_leave(how, dim, c ? 0.05 : 0.0125, left[how]);
            if (loud())
                printf("    %dD, dt %g, %s: energy left %.4f, smoke %.4f; energy at 1.5 s %.3f\n",
                       dim, c ? 0.05 : 0.0125, names[how], left[how][0], left[how][1],
                       left[how][2]);
        }
        assert_true(left[CARRIED][0] < left[LONG][0] + 0.05);
        assert_true(left[CARRIED][1] < 0.02 && left[CARRIED][1] < 0.35 * left[FREELY][1]);
        assert_true(c == 1 ||
                    fabs(left[CARRIED][2] - left[LONG][2]) < fabs(left[FREELY][2] - left[LONG][2]));
    }
}

// A street of vortices behind a ball, and ten times as long.
static void a_street_leaves(void **state)
{
    (void)state;
    int n = 32, steps = SANITIZED ? 60 : 900;
    double mean[3][2] = {{0}}, late = 0.0, most = 0.0, back = 0.0;
    for (int how = LONG; how <= CARRIED; how += 2) {
        gyre_gas_def def = still_def(2, 2 * n * (how == LONG ? 2 : 1), n, 1, 1.0f / (float)n, 0);
        gyre_gas_solid ball = sphere(0.5, 0.52, 0.0, 0.12);
        def.sides.x_low = (gyre_gas_side){.rule = GYRE_GAS_SIDE_INFLOW, .velocity = {1, 0, 0}};
        open_right(&def, how);
        def.solid_slip = false;
        def.viscosity = 5e-4f;
        def.solids = (gyre_pool){&ball, 1, 1};
        gyre_gas *gas = make(&def);
        bool all = how == CARRIED && getenv("GYRE_TEST_LONG");
        for (int s = 0; s < (all ? 10 : 1) * steps; s++) {
            must(gyre_gas_step(gas, 0.02f));
            double energy, smoke, net = 0.0;
            for (int j = 0; j < n; j++)
                net += (double)*sample(gas, 0, 2 * n, j, 0) / n;
            assert_true(fabs(net - 1.0) < 1e-3);
            inside(gas, 2 * n, &energy, &smoke);
            late += s >= 5 * steps ? energy / (5 * steps) : 0.0;
            for (int j = 0; j < n && how == CARRIED; j++) {
                most = fmax(most, (double)*sample(gas, 0, 2 * n, j, 0));
                back = fmax(back, -(double)*sample(gas, 0, 2 * n, j, 0));
            }
            if (s < steps / 2 || s >= steps)
                continue;
            mean[how][0] += energy / (steps / 2);
            for (int j = 0; j < n; j++) {
                double v = (double)*sample(gas, 1, 2 * n - n / 4, j, 0);
                mean[how][1] += v * v / n / (steps / 2);
            }
        }
        assert_true(gyre_gas_get_stats(gas).unbalanced == 0.0f);
        assert_true(gyre_gas_get_stats(gas).max_speed < 4.0f);
        gyre_gas_destroy(gas);
    }
    if (loud())
        printf("    street: energy %.4f, twice as long %.4f; v^2 before the side %.4f, %.4f; at it "
               "%.3f out, %.3f in; energy of ten times as long %.4f\n",
               mean[CARRIED][0], mean[LONG][0], mean[CARRIED][1], mean[LONG][1], most, back, late);
    if (!SANITIZED) {
        assert_true(fabs(mean[CARRIED][0] / mean[LONG][0] - 1.0) < 0.01);
        assert_true(fabs(mean[CARRIED][1] / mean[LONG][1] - 1.0) < 0.05);
        assert_true(back < 0.1 && most < 2.0);
    }
}

/// A jet that runs into a box (in which it turns about), or a plume from a heater below an open
/// top: energy and smoke in the box in the middle third of the time, and energy in the last.
static void go_on(int how, bool plume, int steps, double mean[3], double *back)
{
    int n = 32;
    gyre_gas_def def = still_def(2, n * (how == LONG && !plume ? 2 : 1),
                                 n * (how == LONG && plume ? 2 : 1), 1, 1.0f / (float)n, 0);
    gyre_gas_patch jet = gyre_gas_default_patch();
    gyre_gas_emitter heat = gyre_gas_default_emitter();
    def.viscosity = 1e-3f;
    open_right(&def, how);
    if (plume) {
        def.sides.y_high = def.sides.x_high;
        def.sides.x_high = def.sides.x_low;
        def.gravity[1] = -9.81f;
        heat.shape = gyre_sphere((const float[3]){0.47f, 0.2f, 0.0f}, 0.1f);
        heat.temperature = 30.0f;
        heat.density = 1.0f;
        def.temperature.dissipation = def.density.dissipation = 0.2f;
        def.emitters = (gyre_pool){&heat, 1, 1};
    } else {
        jet.rule = GYRE_GAS_PATCH_INFLOW;
        jet.velocity[0] = 1.0f;
        jet.shape = gyre_box((const float[3]){0, 0.53f, 0}, (const float[3]){0.2f, 0.125f, 1});
        snprintf(jet.carries[0].name, sizeof jet.carries[0].name, "density");
        jet.carries[0].amount = 1.0f;
        def.patches = (gyre_pool){&jet, 1, 1};
    }
    gyre_gas *gas = make(&def);
    mean[0] = mean[1] = mean[2] = *back = 0.0;
    for (int s = 0; s < steps; s++) {
        must(gyre_gas_step(gas, 0.02f));
        double energy = 0.0, smoke = 0.0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double u = 0.5 * (double)(*sample(gas, 0, i, j, 0) + *sample(gas, 0, i + 1, j, 0));
                double v = 0.5 * (double)(*sample(gas, 1, i, j, 0) + *sample(gas, 1, i, j + 1, 0));
                energy += 0.5 * (u * u + v * v) / (n * n);
                smoke += (double)*sample(gas, 2, i, j, 0) / (n * n);
            }
        for (int i = 0; i < n; i++)
            *back =
                fmax(*back, -(double)(plume ? *sample(gas, 1, i, n, 0) : *sample(gas, 0, n, i, 0)));
        double part = 3.0 / steps;
        mean[0] += 3 * s >= steps && 3 * s < 2 * steps ? energy * part : 0.0;
        mean[1] += 3 * s >= steps && 3 * s < 2 * steps ? smoke * part : 0.0;
        mean[2] += 3 * s >= 2 * steps ? energy * part : 0.0;
    }
    budget_closes(gas, 2);
    gyre_gas_destroy(gas);
}

// What drives the gas on and on drives it no faster than where it goes on behind the side.
static void what_drives_the_gas_goes_on(void **state)
{
    (void)state;
    static const char *const names[] = {"twice as long", "freely", "carried"};
    for (int plume = 0; plume < 2; plume++) {
        double mean[3][3], back;
        for (int how = LONG; how <= CARRIED; how++) {
            int steps = SANITIZED ? 60 : 750;
            go_on(how, plume, steps * (getenv("GYRE_TEST_LONG") ? 10 : 1), mean[how], &back);
            if (loud())
                printf("    %s, %s: energy %.4f, smoke %.4f, energy later %.4f, %.3f m/s inwards\n",
                       plume ? "plume" : "jet", names[how], mean[how][0], mean[how][1],
                       mean[how][2], back);
        }
        assert_true(SANITIZED || mean[CARRIED][2] < 1.2 * fmax(mean[LONG][2], mean[FREELY][2]));
    }
}

typedef struct draw {
    int component;
    unsigned seed;
} draw;

static double whirls(const double x[3], const void *data)
{
    const draw *d = data;
    unsigned r = d->seed * 7919u + 17u;
    double sum = 0.0;
    for (int q = 0; q < 6; q++) {
        unsigned is[3];
        for (int i = 0; i < 3; i++)
            is[i] = (r = r * 1664525u + 1013904223u) >> 8;
        int kx = 1 + (int)(is[0] % 4), ky = 1 + (int)(is[1] % 4);
        double at = kx * pi * x[0] + is[2] * 1e-3;
        sum += d->component == 0   ? ky * sin(at) * cos(ky * pi * x[1])
               : d->component == 1 ? -kx * cos(at) * sin(ky * pi * x[1])
                                   : 0.0;
    }
    return 0.3 * sum;
}

// Left alone whirls leave or come to rest, by small steps and by large ones. What is given at the
// side does work until they have left, but not for long.
static void what_is_left_alone_comes_to_rest(void **state)
{
    (void)state;
    static const double steps[] = {0.01, 0.03, 0.1};
    for (int c = 0; c < (SANITIZED ? 1 : 12); c++) {
        int dim = c == 11 ? 3 : 2, n = dim == 3 ? 16 : 32;
        gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, 0);
        open_right(&def, CARRIED);
        gyre_gas *gas = make(&def);
        for (draw d = {.seed = (unsigned)c / 3}; d.component < dim; d.component++)
            set_field(gas, d.component, whirls, &d);
        double first = 0.0, energy = 0.0, most = 0.0, dt = steps[c % 3];
        for (int s = 0; s * dt < (SANITIZED ? 1 : 20); s++) {
            must(gyre_gas_step(gas, (float)dt));
            energy = gyre_gas_get_stats(gas).kinetic_energy;
            first = s == 0 ? energy : first;
            most = fmax(most, energy / first);
        }
        if (loud())
            printf("    %dD, dt %g, draw %d: energy left %.5f, at most %.4f\n", dim, dt, c / 3,
                   energy / first, most);
        assert_true(most < 1.35 && (SANITIZED || energy < 0.05 * first));
        gyre_gas_destroy(gas);
    }
}

static double along(const double x[3], const void *data)
{
    (void)x, (void)data;
    return 1.0;
}

// Along a side by which what leaves is carried, a wind goes on as it is, and nothing comes in.
static void a_wind_along_the_side_goes_on(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 24, 24, 1, 1.0f / 24, GYRE_GAS_SIDE_PERIODIC);
    def.sides.y_low.rule = GYRE_GAS_SIDE_SLIP;
    def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    def.sides.y_high.leaves = GYRE_GAS_LEAVES_CARRIED;
    def.viscosity = 1e-3f;
    gyre_gas *gas = make(&def);
    set_field(gas, 0, along, NULL);
    for (int s = 0; s < 300; s++)
        must(gyre_gas_step(gas, 0.05f));
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++) {
            assert_true(fabs((double)*sample(gas, 0, i, j, 0) - 1.0) < 1e-5);
            assert_true(fabs((double)*sample(gas, 1, i, j + 1, 0)) < 1e-5);
        }
    gyre_gas_destroy(gas);
}

/// An inlet whose wind changes, smoke, tracers, a ball that moves, and a heater.
typedef struct room {
    gyre_gas_def def;
    gyre_gas_patch inlet;
    gyre_gas_solid ball;
} room;

static void furnish(room *r, int dim)
{
    int n = dim == 3 ? 14 : 28;
    memset(r, 0, sizeof *r);
    r->def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_NO_SLIP);
    open_right(&r->def, CARRIED);
    r->def.viscosity = 1e-3f;
    r->def.density.diffusivity = 1e-3f;
    r->inlet = gyre_gas_default_patch();
    r->inlet.rule = GYRE_GAS_PATCH_INFLOW;
    r->inlet.shape = gyre_box((const float[3]){0, 0.4f, 0.5f}, (const float[3]){0.2f, 0.3f, 0.4f});
    r->inlet.velocity[0] = 0.6f;
    snprintf(r->inlet.carries[0].name, sizeof r->inlet.carries[0].name, "density");
    r->inlet.carries[0].amount = 1.0f;
    r->def.patches = (gyre_pool){&r->inlet, 1, 1};
    r->ball = sphere(0.4, 0.5, 0.5, 0.12);
    r->def.solids = (gyre_pool){&r->ball, 1, 1};
    r->def.tracers = (gyre_gas_tracers){.capacity = 100, .start = 100};
}

/// What passes a side across x, in cells' faces.
static double passes(gyre_gas *gas, int face)
{
    const int *n = gas->extent.n;
    double sum = 0.0;
    for (int k = 0; k < (gas->extent.dim == 3 ? n[2] : 1); k++)
        for (int j = 0; j < n[1]; j++)
            sum += (double)*sample(gas, 0, face, j, k);
    return sum;
}

static void live(gyre_gas *gas, int from, int to)
{
    for (int s = from; s < to; s++) {
        const float v[3] = {0.6f + 0.1f * (float)(s % 3), 0, 0};
        must(gyre_gas_set(gas, "patches.0.velocity", gyre_vector(3, v)));
        must(gyre_gas_set(gas, "solids.0.position",
                          gyre_vector(3, (float[]){0.02f * (float)(s % 5), 0, 0})));
        must(gyre_gas_step(gas, s % 4 == 3 ? 0.08f : 0.02f));
    }
}

static void what_comes_in_leaves(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish(&r, dim);
        gyre_gas *gas = make(&r.def);
        for (int s = 0; s < (SANITIZED ? 10 : 100); s++) {
            const float v[3] = {0.6f + 0.1f * (float)(s / 10 % 3), 0, 0};
            must(gyre_gas_set(gas, "patches.0.velocity", gyre_vector(3, v)));
            must(gyre_gas_step(gas, 0.03f));
            double in = passes(gas, 0), out = passes(gas, r.def.grid.n[0]);
            if (!(in > 0.0 && fabs(out - in) < 1e-4 * in))
                fail_msg("%dD, step %d: %g comes in, %g leaves", dim, s, in, out);
        }
        gyre_gas_stats st = gyre_gas_get_stats(gas);
        assert_true(st.unbalanced == 0.0f && st.max_speed < 3.0f && st.div_max_after < 1.0f);
        double left = gyre_gas_get_budget(gas, dim).left;
        if (loud())
            printf("    %dD: left %.4f of smoke, %lld tracers stay\n", dim, left,
                   (long long)st.tracers);
        assert_true(SANITIZED || (left > 0.01 && st.tracers < 90));
        budget_closes(gas, dim);
        finite_everywhere(gas);
        gyre_gas_destroy(gas);
    }
}

static void any_machine_gives_the_same_bits(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 8};
    for (int dim = 2; dim <= (SANITIZED ? 2 : 3); dim++) {
        uint64_t first = 0;
        for (int q = 0; q < 3 || gyre_isa_name(q - 3); q++) {
            gyre_device_def device = gyre_default_device_def();
            device.threads = q < 3 ? threads[q] : 1;
            device.isa = q < 3 ? NULL : gyre_isa_name(q - 3);
            gyre_device *own = NULL;
            if (gyre_device_create(&device, &own) != GYRE_OK)
                continue;
            room r;
            furnish(&r, dim);
            gyre_gas *gas = NULL;
            must(gyre_gas_create(own, &r.def, &gas));
            live(gas, 0, 7);
            uint64_t hash = gyre_gas_hash(gas);
            first = q == 0 ? hash : first;
            if (hash != first)
                fail_msg("%dD, device %d: the hash is 0x%016llx, not 0x%016llx", dim, q,
                         (unsigned long long)hash, (unsigned long long)first);
            gyre_gas_destroy(gas);
            gyre_device_destroy(own);
        }
    }
}

static void a_state_goes_on(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish(&r, dim);
        gyre_gas *gas = make(&r.def), *other = make(&r.def);
        live(gas, 0, 5);
        size_t size = gyre_gas_save_size(gas), written;
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, &written));
        must(gyre_gas_load(other, bytes, written));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        must(gyre_gas_step(gas, 0.03f));
        must(gyre_gas_step(other, 0.03f));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        live(gas, 5, 9);
        live(other, 5, 9);
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        free(bytes);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
    }
}

static void refused(const gyre_gas_def *def, const char *part)
{
    gyre_gas *gas = NULL;
    assert_int_not_equal(gyre_gas_create(the_device, def, &gas), GYRE_OK);
    if (!strstr(gyre_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), part);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    room r;
    furnish(&r, 2);
    r.def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    refused(&r.def, "sides.y_high.rule: open, but by another side what leaves is carried");
    furnish(&r, 2);
    r.def.sides.y_high.leaves = GYRE_GAS_LEAVES_CARRIED;
    refused(&r.def, "sides.y_high.leaves: only by an open side what leaves is carried");
    furnish(&r, 2);
    r.inlet.side = 1;
    r.inlet.whole = true;
    refused(&r.def, "patches.0.side: by x_high what leaves is carried out, it has no patches");
    furnish(&r, 2);
    r.inlet.carries[0].name[0] = 0;
    r.inlet.rule = GYRE_GAS_PATCH_OPEN;
    refused(&r.def, "patches.0.rule: open, but by a side what leaves is carried");
    furnish(&r, 2);
    r.def.patches.count = 0;
    r.def.advection = GYRE_GAS_MACCORMACK;
    refused(&r.def,
            "advection: inflows, patches of sides and sides by which what leaves is carried");
    furnish(&r, 2);
    gyre_gas *gas = make(&r.def);
    assert_int_not_equal(gyre_gas_set(gas, "sides.x_high.leaves", gyre_string("freely")), GYRE_OK);
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vortex_pair_leaves),
        cmocka_unit_test(what_is_left_alone_comes_to_rest),
        cmocka_unit_test(what_drives_the_gas_goes_on),
        cmocka_unit_test(a_wind_along_the_side_goes_on),
        cmocka_unit_test(what_comes_in_leaves),
        cmocka_unit_test(any_machine_gives_the_same_bits),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(a_street_leaves),
        cmocka_unit_test(bad_input_is_told),
    };
#if defined(GYRE_STAND_IN_CMOCKA_H) || !defined(NDEBUG)
    // Under an emulator, and unoptimised: the bits alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(any_machine_gives_the_same_bits)};
    if (!getenv("GYRE_TEST_ALL")) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
#endif
    return cmocka_run_group_tests(tests, open_device, close_device);
}
