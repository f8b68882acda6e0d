// test/test_shut.c: faces shut between cells that both hold gas: nothing passes them, and what is
// on one side is nothing to the other.
// labels: small
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "gas_rig.h"

// ---- sheets

typedef enum sheet_kind { ACROSS, INCLINED, RING, MAZE } sheet_kind;

typedef struct sheet {
    sheet_kind kind;
    int axis;      // ACROSS: normal to it
    int place;     // ACROSS: before these cells
    int from;      // ACROSS: along the next axis from this cell on
    double chance; // MAZE: of a face to be shut
    uint32_t seed; // MAZE
} sheet;

/// Which side of it a cell is on.
static bool beyond(const sheet *s, const gyre_gas *gas, const int c[3])
{
    const int *n = gas->extent.n;
    double x[3];
    for (int a = 0; a < 3; a++) {
        x[a] = c[a] + 0.5 - 0.5 * n[a];
    }
    double z = gas->extent.dim == 3 ? x[2] : 0.0;
    switch (s->kind) {
    case ACROSS:
        return c[s->axis] >= s->place;
    case INCLINED:
        return 0.8 * x[0] + 0.5 * x[1] + 0.33 * z > 0.13;
    case RING:
        return x[0] * x[0] + x[1] * x[1] + z * z > 0.09 * n[0] * n[0];
    case MAZE:
        break;
    }
    return false;
}

static bool is_shut(const sheet *s, const gyre_gas *gas, int axis, const int c[3])
{
    int below[3] = {c[0], c[1], c[2]};
    below[axis]--;
    if (s->kind == MAZE) {
        uint32_t at = (uint32_t)((c[2] * 64 + c[1]) * 64 + c[0]) * 3u + (uint32_t)axis;
        return (double)gy_random_unit(s->seed, at) < s->chance;
    }
    if (s->kind == ACROSS && c[(s->axis + 1) % gas->extent.dim] < s->from) {
        return false;
    }
    return beyond(s, gas, c) != beyond(s, gas, below);
}

static uint16_t *coefficient(const gyre_gas *gas, int axis, const int c[3])
{
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    return gy_coefficient(&g, axis, c[0], c[1], c[2]);
}

#define EACH_CELL(gas, c)                                                                          \
    for (int c[3] = {0, 0, 0}; c[2] < (gas)->extent.n[2]; c[2]++)                                  \
        for (c[1] = 0; c[1] < (gas)->extent.n[1]; c[1]++)                                          \
            for (c[0] = 0; c[0] < (gas)->extent.n[0]; c[0]++)

/// Shuts the faces of a sheet.
static void put_sheet(gyre_gas *gas, const sheet *s)
{
    EACH_CELL(gas, c)
    {
        for (int a = 0; a < gas->extent.dim; a++) {
            if (c[a] > 0 && is_shut(s, gas, a, c)) {
                *coefficient(gas, a, c) = 0;
                gas->shut++;
            }
        }
    }
    must(gy_gas_faces_changed(gas, false));
}

// ---- what hangs together

typedef struct parts {
    int *label; // of each cell; -1: it holds no gas
    int count;
    int size[4096];
} parts;

static size_t cell_at(const gyre_gas *gas, const int c[3])
{
    return ((size_t)c[2] * (size_t)gas->extent.n[1] + (size_t)c[1]) * (size_t)gas->extent.n[0] +
           (size_t)c[0];
}

static void spread(const gyre_gas *gas, parts *p, const int c[3], int label)
{
    size_t cells = (size_t)gas->extent.n[0] * (size_t)gas->extent.n[1] * (size_t)gas->extent.n[2];
    int(*stack)[3] = malloc(cells * 6 * sizeof *stack);
    size_t top = 1;
    memcpy(stack[0], c, sizeof stack[0]);
    p->label[cell_at(gas, c)] = label;
    while (top > 0) {
        int at[3];
        memcpy(at, stack[--top], sizeof at);
        p->size[label]++;
        for (int d = 0; d < 2 * gas->extent.dim; d++) {
            int a = d / 2, face[3] = {at[0], at[1], at[2]}, to[3] = {at[0], at[1], at[2]};
            face[a] += d & 1;
            to[a] += (d & 1) ? 1 : -1;
            if (face[a] == 0 || face[a] == gas->extent.n[a] || !*coefficient(gas, a, face)) {
                continue;
            }
            if (p->label[cell_at(gas, to)] < 0) {
                p->label[cell_at(gas, to)] = label;
                memcpy(stack[top++], to, sizeof to);
            }
        }
    }
    free(stack);
}

static parts find_parts(const gyre_gas *gas)
{
    parts p = {.count = 0};
    size_t cells = (size_t)gas->extent.n[0] * (size_t)gas->extent.n[1] * (size_t)gas->extent.n[2];
    p.label = malloc(cells * sizeof *p.label);
    memset(p.label, -1, cells * sizeof *p.label);
    EACH_CELL(gas, c)
    {
        if (p.label[cell_at(gas, c)] < 0 && p.count < GY_COUNT(p.size)) {
            spread(gas, &p, c, p.count);
            p.count++;
        }
    }
    return p;
}

/// The largest one, and the largest but that.
static void largest(const parts *p, int which[2])
{
    which[0] = which[1] = -1;
    for (int l = 0; l < p->count; l++) {
        if (which[0] < 0 || p->size[l] > p->size[which[0]]) {
            which[1] = which[0];
            which[0] = l;
        } else if (which[1] < 0 || p->size[l] > p->size[which[1]]) {
            which[1] = l;
        }
    }
}

// ---- runs

typedef struct run_case {
    int dim, advection;
    bool slip;
    float viscosity, diffusivity;
    double courant;
    int steps;
    sheet sheet;
    bool small; // a grid for a long run
} run_case;

/// A gas in a closed box that is stirred and holds smoke on one side, and nothing on the other.
static gyre_gas *begin(const run_case *r, parts *p, int which[2])
{
    gyre_gas_def def = r->dim == 3 ? still_def(3, 19, 14, 17, 1.0f, GYRE_GAS_SIDE_SLIP)
                                   : still_def(2, 37, 30, 1, 1.0f, GYRE_GAS_SIDE_NO_SLIP);
    for (int a = 0; a < r->dim && r->small; a++) {
        def.grid.n[a] = (r->dim == 3 ? 10 : 17) - a;
    }
    def.advection = r->advection;
    def.solid_slip = r->slip;
    def.viscosity = r->viscosity;
    def.density.diffusivity = r->diffusivity;
    def.courant = 0.0f;
    def.gravity[1] = -1.0f;
    def.density_weight = 0.1f;
    gyre_gas *gas = make(&def);
    put_sheet(gas, &r->sheet);
    *p = find_parts(gas);
    largest(p, which);
    assert_true(which[1] >= 0);
    if (getenv("GYRE_TEST_PRINT")) {
        print_message("%dD advection %d kind %d axis %d place %d courant %g slip %d viscosity %g "
                      "diffusivity %g: %d and %d cells, solver %d, %d regions, %d extras\n",
                      r->dim, r->advection, r->sheet.kind, r->sheet.axis, r->sheet.place,
                      r->courant, r->slip, (double)r->viscosity, (double)r->diffusivity,
                      p->size[which[0]], p->size[which[1]], gas->pressure.chosen,
                      gas->pressure.regions, gas->pressure.extras);
    }
    return gas;
}

/// Keeps the gas of one part going: a fan at its cells.
static void stir(gyre_gas *gas, const parts *p, int part, double speed, int step)
{
    gyre_field_view v;
    for (int a = 0; a < gas->extent.dim; a++) {
        must(gyre_gas_map(gas, a, GYRE_WRITE, &v));
        EACH_CELL(gas, c)
        {
            if (c[a] > 0 && p->label[cell_at(gas, c)] == part && *coefficient(gas, a, c)) {
                double phase = 0.9 * c[0] + 1.3 * c[1] + 0.7 * c[2] + 2.1 * a + 0.3 * step;
                v.data[c[0] + c[1] * v.stride[1] + c[2] * v.stride[2]] =
                    (float)(speed * sin(phase));
            }
        }
        must(gyre_gas_unmap(gas, a));
    }
}

static void light(gyre_gas *gas, const parts *p, int part)
{
    gyre_field_view v;
    must(gyre_gas_map(gas, gas->velocities, GYRE_WRITE, &v));
    EACH_CELL(gas, c)
    {
        bool lit = p->label[cell_at(gas, c)] == part;
        v.data[c[0] + c[1] * v.stride[1] + c[2] * v.stride[2]] = lit ? 1.0f : 0.0f;
    }
    must(gyre_gas_unmap(gas, gas->velocities));
}

/// Nothing in all parts but one, of the fields from the first one on; shut faces pass nothing.
static void dark_elsewhere(gyre_gas *gas, const parts *p, int part, int first)
{
    gyre_field_view v;
    for (int f = first; f < gas->states; f++) {
        int axis = f < gas->velocities ? f : -1;
        must(gyre_gas_map(gas, f, GYRE_READ, &v));
        EACH_CELL(gas, c)
        {
            float x = v.data[c[0] + c[1] * v.stride[1] + c[2] * v.stride[2]];
            size_t cell = cell_at(gas, c);
            bool shut = axis >= 0 && !*coefficient(gas, axis, c);
            if (shut && c[axis] > 0) {
                int below[3] = {c[0], c[1], c[2]};
                below[axis]--;
                // A cell whose faces are all shut counts as a solid's.
                shut = p->size[p->label[cell]] > 1 || p->size[p->label[cell_at(gas, below)]] > 1;
            }
            if (shut && x != 0.0f) {
                fail_msg("shut face %d at %d %d %d: %g", f, c[0], c[1], c[2], (double)x);
            } else if (p->size[p->label[cell]] > 1 && p->label[cell] != part && x != 0.0f) {
                fail_msg("field %d at %d %d %d: %g", f, c[0], c[1], c[2], (double)x);
            }
        }
        must(gyre_gas_unmap(gas, f));
    }
}

/// Both sides in turn. In the end both are stirred, and smoke alone is looked at; of a long run all
/// but its last quarter is of one side.
static void nothing_passes(const run_case *r)
{
    for (int run = 0; run < (r->small ? 1 : 3); run++) {
        int side = (run + r->slip) % 2;
        parts p;
        int which[2];
        gyre_gas *gas = begin(r, &p, which);
        light(gas, &p, which[side]);
        for (int s = 0; s < r->steps; s++) {
            bool both = r->small ? s >= r->steps / 4 * 3 : run == 2;
            if (s % 5 == 0) {
                stir(gas, &p, which[side], r->courant, s);
                if (both) {
                    stir(gas, &p, which[1 - side], r->courant, s);
                }
            }
            must(gyre_gas_step(gas, 1.0f));
            if (s % (r->small ? 50 : 5) == 4) {
                dark_elsewhere(gas, &p, which[side], both ? gas->velocities : 0);
            }
        }
        double total = gyre_model_total(gyre_gas_model(gas), gas->velocities);
        assert_true(isfinite(total));
        if (getenv("GYRE_TEST_PRINT")) {
            print_message("total off by %g\n", total / p.size[which[side]] - 1.0);
        }
        if (r->advection == GYRE_GAS_CONSERVATIVE) {
            assert_true(fabs(total - p.size[which[side]]) < 2e-6 * total);
        }
        free(p.label);
        gyre_gas_destroy(gas);
    }
}

static int steps_of(int steps)
{
    const char *asked = getenv("GYRE_TEST_STEPS");
    return asked ? atoi(asked) : steps;
}

/// One of the kinds of sheets that are tried.
static run_case case_of(int dim, int advection, int q, int kind, int steps)
{
    static const double courant[] = {0.5, 4.0, 20.0};
    run_case r = {.dim = dim,
                  .advection = advection,
                  .slip = (kind + q) & 1,
                  .viscosity = kind % 3 == 1   ? 0.2f
                               : kind % 3 == 2 ? 3.0f
                                               : 0.0f,
                  .diffusivity = kind % 4 == 1   ? 0.1f
                                 : kind % 4 == 2 ? 4.0f
                                                 : 0.0f,
                  .courant = courant[q],
                  .steps = steps_of(steps)};
    if (kind < 6) {
        r.sheet = (sheet){ACROSS, kind / 2, 7 + kind % 2, 0, 0.0, 0};
    } else if (kind < 8) {
        r.sheet = (sheet){.kind = kind == 6 ? INCLINED : RING};
    } else {
        r.sheet = (sheet){
            .kind = MAZE, .chance = dim == 3 ? 0.72 : 0.48, .seed = (uint32_t)(kind + 3 * q)};
    }
    return r;
}

/// GYRE_TEST_ALL: every kind at every Courant number, and not some of them.
static void sheets_of_all_kinds(int advection)
{
    for (int dim = 2; dim <= 3; dim++) {
        for (int q = 0; q < 3; q++) {
            for (int kind = 0; kind < 10; kind++) {
                run_case r = case_of(dim, advection, q, kind, dim == 3 ? 10 : 20);
                bool chosen = (kind + q + advection) % (dim == 3 ? 9 : 5) == 0;
                if ((kind < 6 && r.sheet.axis >= dim) || !(chosen || getenv("GYRE_TEST_ALL"))) {
                    continue;
                }
                nothing_passes(&r);
            }
        }
    }
}

/// Whether a digit is one of those that a variable holds; it holds all where it is not set.
static bool is_asked(const char *variable, int digit)
{
    const char *asked = getenv(variable);
    return !asked || strchr(asked, '0' + digit);
}

/// GYRE_TEST_LONG: 10,000 steps of every kind on small grids, or as many as GYRE_TEST_STEPS says,
/// and of those kinds (0 and 1 across x, 2 and 3 y, 4 and 5 z, 6 inclined, 7 a ring, 8 and 9
/// mazes), dimensions, Courant numbers (0 to 2) and schemes alone that GYRE_TEST_KINDS,
/// GYRE_TEST_DIMS, GYRE_TEST_COURANTS and GYRE_TEST_SCHEMES hold.
static void nothing_passes_for_long(void **state)
{
    (void)state;
    if (!getenv("GYRE_TEST_LONG")) {
        skip();
    }
    for (int kind = 0; kind < 10; kind++) {
        for (int dim = 2; dim <= 3; dim++) {
            for (int q = 0; q < 3; q++) {
                for (int scheme = 0; scheme < 5; scheme++) {
                    run_case r = case_of(dim, scheme, q, kind, 10000);
                    r.small = true;
                    r.sheet.place -= 2;
                    bool asked =
                        is_asked("GYRE_TEST_KINDS", kind) && is_asked("GYRE_TEST_DIMS", dim) &&
                        is_asked("GYRE_TEST_COURANTS", q) && is_asked("GYRE_TEST_SCHEMES", scheme);
                    if (asked && (kind >= 6 || r.sheet.axis < dim)) {
                        nothing_passes(&r);
                    }
                }
            }
        }
    }
}

static void nothing_passes_sheets(void **state)
{
    (void)state;
    sheets_of_all_kinds(GYRE_GAS_CONSERVATIVE);
}

static void nothing_passes_sheets_by_older_schemes(void **state)
{
    (void)state;
    sheets_of_all_kinds(GYRE_GAS_SEMI_LAGRANGIAN);
    sheets_of_all_kinds(GYRE_GAS_MACCORMACK);
    sheets_of_all_kinds(GYRE_GAS_BFECC);
    sheets_of_all_kinds(GYRE_GAS_CUBIC);
}

// ---- what a sheet must not do

static gyre_gas *with_sheet(int advection, const sheet *s, float viscosity)
{
    gyre_gas_def def = still_def(2, 32, 24, 1, 1.0f, GYRE_GAS_SIDE_SLIP);
    def.advection = advection;
    def.courant = 0.0f;
    def.viscosity = viscosity;
    def.pressure.tolerance = 1e-5f;
    gyre_gas *gas = make(&def);
    put_sheet(gas, s);
    return gas;
}

static const int schemes[] = {GYRE_GAS_CONSERVATIVE, GYRE_GAS_SEMI_LAGRANGIAN, GYRE_GAS_MACCORMACK,
                              GYRE_GAS_BFECC, GYRE_GAS_CUBIC};

/// But for rounding; what is conserved, for what the solver has left.
static void even_smoke_stays_even(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(schemes); q++) {
        const sheet inclined = {.kind = INCLINED};
        gyre_gas *gas = with_sheet(schemes[q], &inclined, 0.0f);
        parts p = find_parts(gas);
        double even = 0.75, least = 1.0, most = 0.0;
        set_constant(gas, gas->velocities, even);
        for (int s = 0; s < 40; s++) {
            if (s % 10 == 0) {
                stir(gas, &p, 0, 2.5, s);
            }
            must(gyre_gas_step(gas, 1.0f));
        }
        EACH_CELL(gas, c)
        {
            double x = (double)*sample(gas, gas->velocities, c[0], c[1], c[2]);
            least = fmin(least, x);
            most = fmax(most, x);
        }
        double off = schemes[q] == GYRE_GAS_CONSERVATIVE ? 1e-5 : 1e-6;
        if (getenv("GYRE_TEST_PRINT")) {
            print_message("scheme %d: %.9g ... %.9g\n", schemes[q], least, most);
        }
        if (least < even - off || most > even + off) {
            fail_msg("scheme %d: %.9g ... %.9g", schemes[q], least, most);
        }
        free(p.label);
        gyre_gas_destroy(gas);
    }
}

/// Two gases that differ on one side of a sheet alone are the same on the other. (Where nothing is
/// stirred: substeps and the energy's bounds are those of the whole.)
static void what_lies_beyond_is_nothing(void **state)
{
    (void)state;
    for (int q = 0; q < 2 * GY_COUNT(schemes); q++) {
        const sheet inclined = {.kind = INCLINED};
        gyre_gas *gas[2];
        parts p = {.count = 0};
        int which[2];
        for (int r = 0; r < 2; r++) {
            gas[r] = with_sheet(schemes[q / 2], &inclined, q & 1 ? 0.3f : 0.0f);
            free(p.label);
            p = find_parts(gas[r]);
            largest(&p, which);
            EACH_CELL(gas[r], c)
            {
                bool own = p.label[cell_at(gas[r], c)] == which[0];
                *sample(gas[r], gas[r]->velocities, c[0], c[1], c[2]) =
                    own ? (float)((7 * c[0] + 5 * c[1]) % 11)
                    : r ? 1e10f * (float)c[0]
                        : 1.0f;
            }
            gy_gas_written(&gas[r]->model, gas[r]->velocities);
            // One step alone: what is carried, and not what a solver makes of it.
            stir(gas[r], &p, which[0], 3.0, 1);
            gy_gas_halo(gas[r], 0, gas[r]->velocities, false, true);
        }
        for (int r = 0; r < 2; r++) {
            must(gyre_gas_step(gas[r], 1.0f));
            must(gyre_gas_step(gas[r], 0.7f));
        }
        EACH_CELL(gas[0], c)
        {
            for (int f = 0; f < gas[0]->states; f++) {
                float a = *sample(gas[0], f, c[0], c[1], c[2]);
                float b = *sample(gas[1], f, c[0], c[1], c[2]);
                if (p.label[cell_at(gas[0], c)] == which[0] && memcmp(&a, &b, sizeof a) != 0) {
                    fail_msg("case %d field %d at %d %d: %.9g and %.9g", q, f, c[0], c[1],
                             (double)a, (double)b);
                }
            }
        }
        free(p.label);
        gyre_gas_destroy(gas[0]);
        gyre_gas_destroy(gas[1]);
    }
}

/// A stream along a sheet that ends: it goes round the end, and does not stop there.
static void ends_neither_leak_nor_block(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(schemes); q++) {
        const sheet half = {.kind = ACROSS, .axis = 0, .place = 16, .from = 12};
        gyre_gas_def def = still_def(2, 32, 24, 1, 1.0f, GYRE_GAS_SIDE_PERIODIC);
        def.advection = schemes[q];
        gyre_gas *gas = make(&def);
        put_sheet(gas, &half);
        EACH_CELL(gas, c)
        {
            bool shut = *coefficient(gas, 0, c) == 0;
            *sample(gas, 0, c[0], c[1], 0) = shut ? 0.0f : 0.8f;
        }
        gy_gas_written(&gas->model, 0);
        *sample(gas, gas->velocities, 14, 11, 0) = 1.0f; // below its end, before it
        *sample(gas, gas->velocities, 15, 18, 0) = 1.0f; // right before it
        gy_gas_written(&gas->model, gas->velocities);
        must(gyre_gas_step(gas, 1.0f));
        // Nothing has come through in the time that it takes round the end.
        for (int j = 16; j < 21; j++) {
            for (int i = 16; i < 24; i++) {
                assert_true(*sample(gas, gas->velocities, i, j, 0) == 0.0f);
            }
        }
        for (int s = 0; s < 5; s++) {
            must(gyre_gas_step(gas, 1.0f));
        }
        double passed = 0.0;
        for (int j = 0; j < 24; j++) {
            for (int i = 16; i < 24; i++) {
                passed += (double)*sample(gas, gas->velocities, i, j, 0);
            }
        }
        assert_true(passed > 0.6);
        gyre_gas_destroy(gas);
    }
}

/// A scene that is its own mirror image stays that, as far as the solver goes.
static void mirrored_scenes_stay_so(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(schemes); q++) {
        for (int axis = 0; axis < 2; axis++) {
            const sheet one = {.kind = ACROSS, .axis = axis, .place = axis ? 12 : 16, .from = 9};
            gyre_gas *gas = with_sheet(schemes[q], &one, q == 1 ? 0.2f : 0.0f);
            const int *n = gas->extent.n;
            // u (i) = -u (n - i) across, alike along.
            for (int a = 0; a < 2; a++) {
                EACH_CELL(gas, c)
                {
                    int there[3] = {c[0], c[1], 0};
                    there[axis] = n[axis] - c[axis] - (a != axis);
                    bool side = c[a] == 0 || *coefficient(gas, a, c) == 0;
                    double way[2] = {0.2 * sin(0.3 * c[0] + 0.2 * c[1] + a),
                                     0.2 * sin(0.3 * there[0] + 0.2 * there[1] + a)};
                    double x = a == axis ? way[0] - way[1] : way[0] + way[1];
                    *sample(gas, a, c[0], c[1], 0) = side ? 0.0f : (float)x;
                }
                gy_gas_written(&gas->model, a);
            }
            for (int s = 0; s < 5; s++) {
                must(gyre_gas_step(gas, 0.8f));
            }
            double most = 0.0;
            EACH_CELL(gas, c)
            {
                int there[3] = {c[0], c[1], 0};
                there[axis] = n[axis] - c[axis];
                if (c[axis] > 0) {
                    float a = *sample(gas, axis, c[0], c[1], 0);
                    float b = *sample(gas, axis, there[0], there[1], 0);
                    most = fmax(most, fabs((double)(a + b)));
                }
            }
            if (getenv("GYRE_TEST_PRINT")) {
                print_message("scheme %d across %d: off by %g\n", schemes[q], axis, most);
            }
            if (!(most < 1e-4)) {
                fail_msg("scheme %d across %d: off by %g", schemes[q], axis, most);
            }
            gyre_gas_destroy(gas);
        }
    }
}

/// A gas with a ball, a sheet and all kinds of sides; `looks`: nothing is known of what is plain.
static uint64_t carried(int dim, bool looks)
{
    gyre_gas_def def = dim == 3 ? still_def(3, 70, 40, 37, 1.0f, GYRE_GAS_SIDE_SLIP)
                                : still_def(2, 150, 90, 1, 1.0f, GYRE_GAS_SIDE_NO_SLIP);
    gyre_gas_solid ball = gyre_gas_default_solid();
    ball.shape = gyre_sphere((const float[3]){20.3f, 18.1f, 11.0f}, 5.2f);
    def.solids = (gyre_pool){&ball, 1, 1};
    def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.sides.y_low.rule = GYRE_GAS_SIDE_INFLOW;
    def.sides.y_low.velocity[1] = 0.3f;
    def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    if (dim == 3) {
        def.sides.z_low.rule = def.sides.z_high.rule = GYRE_GAS_SIDE_PERIODIC;
    }
    def.courant = 0.0f;
    gyre_gas *gas = make(&def);
    const sheet across = {.kind = ACROSS, .axis = dim - 1, .place = 21, .from = 9};
    put_sheet(gas, &across);
    for (int f = 0; f < gas->states; f++) {
        EACH_CELL(gas, c)
        {
            double wave = 0.9 * sin(0.21 * c[0] + 0.33 * c[1] + 0.17 * c[2] + f);
            *sample(gas, f, c[0], c[1], c[2]) = (float)(f < gas->velocities ? wave : wave > 0.3);
        }
        gy_gas_written(&gas->model, f);
    }
    assert_non_null(gas->plain);
    size_t plain = 0;
    for (size_t q = 0; q < gas->plain_bytes; q++) {
        plain += gas->plain[q];
    }
    assert_true(plain > gas->plain_bytes / 2 && plain < gas->plain_bytes);
    if (looks) {
        memset(gas->plain, 0, gas->plain_bytes);
    }
    for (int s = 0; s < 3; s++) {
        must(gyre_gas_step(gas, s ? 2.3f : 0.7f));
    }
    uint64_t hash = gyre_model_hash(gyre_gas_model(gas));
    gyre_gas_destroy(gas);
    return hash;
}

/// Groups of cells with no other faces than whole ones and sides are carried faster, and alike.
static void what_is_plain_is_carried_alike(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        assert_true(carried(dim, true) == carried(dim, false));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_sheets),
        cmocka_unit_test(nothing_passes_sheets_by_older_schemes),
        cmocka_unit_test(nothing_passes_for_long),
        cmocka_unit_test(even_smoke_stays_even),
        cmocka_unit_test(what_lies_beyond_is_nothing),
        cmocka_unit_test(ends_neither_leak_nor_block),
        cmocka_unit_test(mirrored_scenes_stay_so),
        cmocka_unit_test(what_is_plain_is_carried_alike),
    };
    if (getenv("GYRE_TEST_LONG")) {
        cmocka_set_test_filter("nothing_passes_for_long");
    }
    return cmocka_run_group_tests(tests, open_device, close_device);
}
