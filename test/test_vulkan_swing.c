// labels: vulkan
// Sheets that move, on the CPU and on a Vulkan device, step for step: a piston, a box that leaps
// and turns, a fan; by every scheme, in 2D and 3D, where the gas slides along them and where it
// sticks. What is on one side is exactly nothing on the other, totals stay, what pushes is the
// same, and a step is one submission that waits for nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include <math.h>
#include <stdio.h>

#include "device/vulkan/vulkan.h"
#include "gas/gas.h"

static const char *const names[] = {"semi_lagrangian", "maccormack", "conservative", "bfecc",
                                    "cubic"};
static const float dt = 0.02f;

typedef enum thing { PISTON, CLOSED_END, BOX, FAN } thing;

typedef struct trial {
    const char *name;
    thing what;
    int dim;
    float cells; // a step
    float spin;  // degrees a step
    int advection;
    bool sticks; // and there are viscosity and diffusion
    bool halves;
} trial;

/// The same on two devices.
typedef struct flight {
    const trial *t;
    gyre_gas_sheet sheet;
    gyre_gas *gas;
    gyre_id id;
} flight;

/// Of one panel, or of one line.
static gyre_gas_sheet blade(int dim, float low, float high)
{
    gyre_gas_sheet s =
        gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    if (dim == 3) {
        memcpy(s.form.as.panel.corner, (float[]){0.0f, low, low}, 3 * sizeof(float));
        memcpy(s.form.as.panel.along, (float[]){0.0f, high - low, 0.0f}, 3 * sizeof(float));
        memcpy(s.form.as.panel.across, (float[]){0.0f, 0.0f, high - low}, 3 * sizeof(float));
    } else {
        memcpy(s.form.as.line.from, (float[]){0.0f, low, 0.0f}, 3 * sizeof(float));
        memcpy(s.form.as.line.to, (float[]){0.0f, high, 0.0f}, 3 * sizeof(float));
    }
    return s;
}

static gyre_gas_sheet box(int dim)
{
    static float corners[4][2] = {
        {-0.17f, -0.14f}, {0.17f, -0.14f}, {0.17f, 0.14f}, {-0.17f, 0.14f}};
    static float points[8][3],
        triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                            {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    gyre_gas_sheet s = gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_MESH : GYRE_GAS_SHEET_PATH);
    for (int q = 0; q < 8; q++) {
        points[q][0] = q & 1 ? 0.21f : -0.21f;
        points[q][1] = q & 2 ? 0.18f : -0.18f;
        points[q][2] = q & 4 ? 0.16f : -0.16f;
    }
    if (dim == 3) {
        s.form.as.mesh.points = (gyre_volume){&points[0][0], {3, 8, 1}, "points"};
        s.form.as.mesh.triangles = (gyre_volume){&triangles[0][0], {3, 12, 1}, "triangles"};
    } else {
        s.form.as.path.points = (gyre_volume){&corners[0][0], {2, 4, 1}, "corners"};
        s.form.as.path.closed = true;
    }
    return s;
}

/// Random amounts on one side, of smoke beyond the first cell's and of heat on its own.
static void fill(gyre_gas *gas, bool parted)
{
    const gy_gas_links *l = &gas->links;
    const int *n = gas->extent.n;
    rig_seed = 11;
    assert_true(gas->shut > 0 && (!parted || l->parts == 2));
    for (int f = gas->velocities; f < gas->velocities + 2; f++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    float x = rig_float(0.5f, 1.0f);
                    bool in = l->part[(k * n[1] + j) * n[0] + i] == l->part[0];
                    bool here = !parted || in == (f > gas->velocities);
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = here ? x : 0.0f;
                }
        must(gyre_gas_unmap(gas, f));
    }
}

static flight start(gyre_device *device, const trial *t)
{
    flight f = {.t = t};
    bool pipe = t->what == PISTON || t->what == CLOSED_END;
    int n = t->dim == 3 ? 10 : 20;
    gyre_gas_def def = sized(t->dim, n + 8, pipe ? 7 : n, t->dim == 3 ? (pipe ? 5 : n) : 1);
    float h = 1.0f / (float)n;
    def.grid.h = h;
    def.advection = t->advection;
    def.courant = 0.0f;
    def.density_weight = 0.2f;
    def.gravity[1] = -0.5f;
    def.half_scalars = t->halves && device == the_gpu; // the CPU has floats alone
    if (t->sticks) {
        def.solid_slip = 0;
        def.viscosity = 2e-2f;
        def.density.diffusivity = 1e-2f;
    }
    if (pipe) {
        def.sides.x_low.rule = GYRE_GAS_SIDE_OPEN;
        def.sides.x_high.rule = t->what == PISTON ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_SLIP;
    }
    f.sheet =
        t->what == BOX ? box(t->dim) : blade(t->dim, pipe ? -1.0f : -0.3f, pipe ? 2.0f : 0.3f);
    gyre_pose *p = &f.sheet.pose;
    p->position[0] = pipe ? 5.4f * h : 0.39f;
    for (int a = 1; a < t->dim; a++) {
        p->position[a] = pipe ? 0.1f : 0.47f;
        p->velocity[a] = t->what == BOX ? 0.3f * t->cells * h / dt : 0.0f;
    }
    p->rotation[2] = t->what == PISTON ? 0.0f : 11.0f;
    p->velocity[0] = t->cells * h / dt;
    p->spin[2] = t->spin / dt;
    def.sheets = (gyre_pool){&f.sheet, 1, 1};
    must(gyre_gas_create(device, &def, &f.gas));
    f.id = gyre_model_element(gyre_gas_model(f.gas), "sheets", 0);
    fill(f.gas, t->what != FAN);
    return f;
}

static void go(flight *f)
{
    gyre_pose *p = &f->sheet.pose;
    must(gyre_gas_step(f->gas, dt));
    for (int a = 0; a < 3; a++)
        p->position[a] += p->velocity[a] * dt;
    p->rotation[2] += p->spin[2] * dt;
    must(gyre_gas_update_sheet(f->gas, f->id, &f->sheet));
}

/// Smoke beyond, heat on this side, and not a bit of either on the other.
static void nothing_leaks(const flight *f, const char *what)
{
    gyre_gas *gas = f->gas;
    const gy_gas_links *l = &gas->links;
    const int *n = gas->extent.n;
    for (int q = 0; q < 2; q++) {
        gyre_field_view v;
        int leaks = 0;
        double some = 0.0;
        must(gyre_gas_map(gas, gas->velocities + q, GYRE_READ, &v));
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    float x = v.data[i + j * v.stride[1] + k * v.stride[2]];
                    int part = gas->shut ? l->part[(k * n[1] + j) * n[0] + i] : l->part[0];
                    bool own = (part == l->part[0]) == (q == 1);
                    leaks += part >= 0 && !own && x != 0.0f;
                    some += part >= 0 && own ? fabs((double)x) : 0.0;
                }
        must(gyre_gas_unmap(gas, gas->velocities + q));
        if (leaks)
            fail_msg("%s on %s: field %d leaks into %d cells", f->t->name, what, q, leaks);
        assert_true(some > 0.0 || (f->t->what == CLOSED_END && q == 0));
    }
}

/// How far the worst sample is apart, of the most that a velocity or a scalar is.
static double apart(const flight *a, const flight *b)
{
    double off = 0.0;
    for (int f = 0; f < a->gas->velocities + 2; f++) {
        gyre_field_view v, w;
        double size = f < a->gas->velocities ? 1.0 : 0.5, worst = 0.0;
        must(gyre_gas_map(a->gas, f, GYRE_READ, &v));
        must(gyre_gas_map(b->gas, f, GYRE_READ, &w));
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                    double y = (double)w.data[i + j * w.stride[1] + k * w.stride[2]];
                    assert_true(isfinite(x) && isfinite(y));
                    size = fmax(size, fabs(x));
                    worst = fmax(worst, fabs(x - y));
                }
        must(gyre_gas_unmap(a->gas, f));
        must(gyre_gas_unmap(b->gas, f));
        off = fmax(off, worst / size);
    }
    return off;
}

/// The same of what pushes; *size: the most that has.
static double pushes_apart(const flight *a, const flight *b, double *size)
{
    gyre_gas_push p, q;
    double worst = 0.0;
    must(gyre_gas_read_push(a->gas, a->id, &p));
    must(gyre_gas_read_push(b->gas, b->id, &q));
    for (int c = 0; c < 3; c++) {
        worst = fmax(worst, fmax(fabs(p.force[c] - q.force[c]), fabs(p.torque[c] - q.torque[c])));
        *size = fmax(*size, fmax(fabs(p.force[c]), fabs(p.torque[c])));
    }
    return worst;
}

static void run(const trial *t, int steps)
{
    flight f[2] = {start(the_cpu, t), start(the_gpu, t)};
    double push = 0.0, size = 0.0, off = 0.0;
    gyre_gas_budget begun = {0};
    bool amounts = t->advection == GYRE_GAS_CONSERVATIVE;
    if (amounts)
        begun = gyre_gas_get_budget(f[1].gas, t->dim);
    for (int s = 0; s < steps; s++) {
        must(gyre_device_wait(the_gpu));
        uint64_t before = the_gpu->submissions, waited = the_gpu->waits;
        go(&f[1]);
        before = the_gpu->submissions - before;
        waited = the_gpu->waits - waited;
        // Lists that outgrow those before give back what was there.
        if (s > 1 && (before != 1 || waited != 0))
            fail_msg("%s, step %d: %d submissions, %d waits", t->name, s, (int)before, (int)waited);
        go(&f[0]);
        push = fmax(push, pushes_apart(&f[0], &f[1], &size));
    }
    double worst = apart(&f[0], &f[1]);
    for (int d = 0; d < 2 && t->what != FAN; d++)
        nothing_leaks(&f[d], d ? "the GPU" : "the CPU");
    if (amounts && !t->halves) {
        gyre_gas_budget a = gyre_gas_get_budget(f[0].gas, t->dim);
        gyre_gas_budget b = gyre_gas_get_budget(f[1].gas, t->dim);
        double whole = begun.total;
        off = fabs(b.total - (b.edited - b.left + b.rounding)) / whole;
        assert_true(fabs(a.edited - b.edited) < 2e-5 * whole && off < 1e-6);
        // What is shut up at the end is told, and is all of it.
        bool told = begun.edited - b.edited > 1e-6 * whole;
        assert_true(t->what == CLOSED_END ? told : t->what == PISTON || !told);
        assert_true(t->what == CLOSED_END || t->what == PISTON ||
                    fabs(b.total / whole - 1.0) < 2e-6);
    }
    printf("    %s: apart by %.2g, pushes by %.2g, budget off by %.2g\n", t->name, worst,
           push / size, off);
    // Of what is squeezed in a closed end no pressure is the right one.
    assert_true(worst <= (t->halves ? 1e-2 : 2e-5));
    assert_true(push <= (t->what == CLOSED_END ? 1e-4 : 2e-5) * size);
    gyre_gas_destroy(f[0].gas);
    gyre_gas_destroy(f[1].gas);
}

// ---- tests --------------------------------------------------------------------------------------

static void every_scheme(void **state)
{
    (void)state;
    for (int scheme = GYRE_GAS_SEMI_LAGRANGIAN; scheme <= GYRE_GAS_CUBIC; scheme++) {
        trial t = {names[scheme], PISTON, 2, 0.7f, 0.0f, scheme, scheme % 2, false};
        run(&t, 4);
        t.what = BOX;
        t.cells = 1.3f;
        t.spin = 9.0f;
        t.sticks = !t.sticks;
        run(&t, 4);
        t.what = FAN;
        t.cells = 0.0f;
        run(&t, 4);
    }
}

static const trial trials[] = {
    {"3D piston", PISTON, 3, 1.3f, 0.0f, GYRE_GAS_CONSERVATIVE, false, false},
    {"3D piston by values", PISTON, 3, 0.6f, 0.0f, GYRE_GAS_MACCORMACK, true, false},
    {"2D box that leaps", BOX, 2, 3.3f, 0.0f, GYRE_GAS_CONSERVATIVE, false, false},
    {"2D box that turns", BOX, 2, 0.0f, 31.0f, GYRE_GAS_CONSERVATIVE, true, false},
    {"3D box that leaps and turns", BOX, 3, 0.7f, 13.0f, GYRE_GAS_CONSERVATIVE, false, false},
    {"2D, a box in halves", BOX, 2, 1.1f, 7.0f, GYRE_GAS_CONSERVATIVE, false, true},
    {"3D fan", FAN, 3, 0.0f, 17.0f, GYRE_GAS_CONSERVATIVE, true, false},
};

static void in_all_ways(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(trials); q++)
        run(&trials[q], trials[q].dim == 3 ? rig_steps(6) : 4);
}

/// What is pushed into a closed end and finds no gas before it does not go across: it is told.
static void what_is_lost_is_told(void **state)
{
    (void)state;
    const trial t = {"to the end", CLOSED_END, 2, 3.1f, 0.0f, GYRE_GAS_CONSERVATIVE, false, false};
    run(&t, 8);
}

/// A state saved on one device goes on, on the other, as on its own.
static void saved_across_devices(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    const trial *t = &trials[2];
    gyre_device *const both[2] = {the_cpu, the_gpu};
    for (int from = 0; from < 2; from++) {
        flight f = start(both[from], t), g = start(both[1 - from], t);
        size_t written;
        for (int s = 0; s < 2; s++)
            go(&f);
        must(gyre_gas_save(f.gas, bytes, sizeof bytes, &written));
        must(gyre_gas_load(g.gas, bytes, written));
        g.sheet.pose = f.sheet.pose;
        for (int s = 0; s < 2; s++) {
            go(&f);
            go(&g);
        }
        nothing_leaks(&g, from ? "the CPU" : "the GPU");
        double worst = apart(&f, &g);
        printf("    saved on %s: apart by %.2g\n", from ? "the GPU" : "the CPU", worst);
        assert_true(worst <= 2e-5);
        gyre_gas_destroy(f.gas);
        gyre_gas_destroy(g.gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme),
        cmocka_unit_test(in_all_ways),
        cmocka_unit_test(what_is_lost_is_told),
        cmocka_unit_test(saved_across_devices),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
