// labels: vulkan
// Solves that leave their decisions to ops and gates against the same solves decided on the host:
// on the CPU the answers have equal bits, on a Vulkan device they are as near as its divisions are.
// And the ops that decide against their C bodies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "solve/solvers.h"
#include "test/vulkan_rig.h"

// ---- systems ------------------------------------------------------------------------------------

typedef enum right_side { NOISE, NOTHING, CONSTANT, NEARLY, SPIKE, PINNED } right_side;

typedef struct problem {
    const char *name;
    int dim, n[3];
    uint32_t periodic, open;
    float solid; // part of the cells
    int wall;    // a sheet across x below this cell: rooms; 0: none
    bool pin;
    float shift;
    int solver;
    bool refine;
    float tolerance;
    int max_cycles;
    right_side b;
    bool from_x;
    int cycles; // that it takes; -1: whatever it takes, but some
} problem;

#define MGPCG GYRE_SOLVER_MGPCG
#define CG GYRE_SOLVER_CG
#define MULTIGRID GYRE_SOLVER_MULTIGRID
#define PCG GYRE_SOLVER_PCG
static const problem problems[] = {
    {"shut", 2, {37, 22, 1}, 0, 0, 0.2f, 0, 0, 0, MGPCG, 0, 1e-5f, 30, NOISE, 0, -1},
    {"open", 2, {40, 31, 1}, 0, 8, 0.3f, 0, 0, 0, MGPCG, 0, 1e-5f, 30, NOISE, 0, -1},
    {"3d", 3, {14, 11, 9}, 0, 4, 0.3f, 0, 0, 0, MGPCG, 0, 1e-4f, 30, NOISE, 0, -1},
    {"round", 2, {33, 20, 1}, 3, 0, 0.1f, 0, 0, 0, MGPCG, 0, 1e-5f, 30, NOISE, 0, -1},
    {"pin", 2, {29, 24, 1}, 0, 0, 0, 0, 1, 0, MGPCG, 0, 1e-5f, 30, NOISE, 0, -1},
    {"shift", 2, {24, 24, 1}, 0, 0, 0.2f, 0, 0, 0.3f, CG, 0, 1e-6f, 32, NOISE, 1, -1},
    {"cg", 2, {19, 12, 1}, 0, 1, 0, 0, 0, 0, CG, 0, 1e-6f, 200, NOISE, 0, -1},
    {"from x", 2, {30, 17, 1}, 0, 2, 0.2f, 0, 0, 0, MGPCG, 0, 1e-5f, 20, NOISE, 1, -1},
    {"pair", 2, {33, 29, 1}, 0, 0, 0.3f, 0, 0, 0, MGPCG, 1, 1e-9f, 40, NOISE, 0, -1},
    {"pair cg", 2, {17, 15, 1}, 0, 2, 0, 0, 0, 0, CG, 1, 1e-9f, 120, NOISE, 1, -1},
    {"floor", 2, {33, 29, 1}, 0, 0, 0.2f, 0, 0, 0, MGPCG, 0, 0, 32, NOISE, 0, -1},
    {"pair floor", 2, {21, 18, 1}, 0, 4, 0.2f, 0, 0, 0, MGPCG, 1, 0, 32, NOISE, 0, -1},
    {"pcg", 2, {31, 18, 1}, 0, 4, 0.3f, 0, 0, 0, PCG, 0, 1e-5f, 20, NOISE, 0, -1},
    {"few", 2, {48, 40, 1}, 0, 0, 0.3f, 0, 0, 0, MGPCG, 0, 1e-6f, 2, NOISE, 0, 2},
    {"nothing", 2, {16, 12, 1}, 0, 0, 0, 0, 0, 0, MGPCG, 0, 1e-3f, 8, NOTHING, 0, 0},
    {"nothing from x", 2, {16, 12, 1}, 0, 1, 0, 0, 0, 0, CG, 1, 0.1f, 8, NOTHING, 1, 0},
    {"constant", 2, {16, 12, 1}, 0, 0, 0, 0, 0, 0, MGPCG, 0, 1e-3f, 8, CONSTANT, 0, 0},
    {"no way to go", 2, {16, 12, 1}, 0, 0, 0, 0, 0, 1e-31f, CG, 0, 1e-3f, 8, CONSTANT, 0, 0},
    {"no way for a pair", 2, {16, 12, 1}, 3, 0, 0, 0, 0, 1e-31f, CG, 1, 1e-3f, 8, CONSTANT, 0, 0},
    {"long", 2, {16, 12, 1}, 0, 0, 0, 0, 0, 0, MGPCG, 0, 1e-4f, 1000000, NOISE, 0, -1},
    {"mostly mean", 2, {24, 20, 1}, 0, 0, 0, 0, 0, 0, MULTIGRID, 0, 1e-2f, 8, NEARLY, 0, -1},
    {"means in rooms", 2, {30, 20, 1}, 0, 0, 0, 13, 0, 0, MGPCG, 0, 1e-2f, 8, NEARLY, 0, -1},
    {"one", 2, {1, 1, 1}, 0, 1, 0, 0, 0, 0, MGPCG, 0, 1e-3f, 8, NOISE, 0, -1},
    {"one cg", 3, {1, 1, 1}, 0, 1, 0, 0, 0, 0, CG, 1, 1e-9f, 8, NOISE, 0, -1},
    {"two", 2, {2, 1, 1}, 0, 0, 0, 0, 0, 0, CG, 0, 1e-3f, 8, NOISE, 0, 1},
    {"spike", 2, {20, 20, 1}, 0, 0, 0, 0, 0, 0, CG, 0, 1e-7f, 32, SPIKE, 0, 32},
    {"b where x is held", 2, {20, 16, 1}, 0, 0, 0, 0, 1, 0, MGPCG, 0, 1e-3f, 8, PINNED, 0, 0},
    {"a pair there", 2, {20, 16, 1}, 0, 0, 0, 0, 1, 0, CG, 1, 1e-3f, 8, PINNED, 0, 0},
    {"rooms", 2, {41, 26, 1}, 0, 0, 0.1f, 17, 0, 0, MGPCG, 0, 1e-5f, 30, NOISE, 0, -1},
    {"open room", 2, {41, 26, 1}, 0, 2, 0, 9, 0, 0, MGPCG, 0, 1e-6f, 30, NOISE, 0, -1},
    {"pair rooms", 2, {30, 21, 1}, 0, 0, 0.3f, 9, 0, 0, MGPCG, 1, 1e-8f, 40, NOISE, 0, -1},
    {"many", 2, {70, 61, 1}, 0, 0, 0.5f, 0, 0, 0, MGPCG, 0, 1e-5f, 30, NOISE, 0, -1},
    {"refine", 2, {37, 22, 1}, 0, 0, 0.1f, 0, 0, 0, MULTIGRID, 1, 1e-7f, 60, NOISE, 0, -1},
    {"refine 3d", 3, {12, 9, 7}, 0, 4, 0, 0, 0, 0, MULTIGRID, 1, 1e-9f, 32, NOISE, 1, -1},
    {"refine round", 2, {33, 20, 1}, 3, 0, 0, 0, 0, 0.1f, MULTIGRID, 1, 1e-9f, 30, NOISE, 1, -1},
    {"refine rooms", 2, {40, 24, 1}, 0, 0, 0, 16, 0, 0, MULTIGRID, 1, 1e-8f, 40, NOISE, 0, -1},
    {"refine floor", 2, {20, 24, 1}, 0, 1, 0, 0, 0, 0, MULTIGRID, 1, 0, 50, NOISE, 0, -1},
    {"refine few", 2, {40, 24, 1}, 0, 0, 0.2f, 0, 0, 0, MULTIGRID, 1, 1e-8f, 7, NOISE, 0, 7},
    {"refine nothing", 2, {16, 12, 1}, 0, 1, 0, 0, 0, 0, MULTIGRID, 1, 0.1f, 8, NOTHING, 1, 0},
    {"plain", 2, {37, 22, 1}, 0, 0, 0, 15, 0, 0, MULTIGRID, 0, 1e-4f, 20, NOISE, 0, -1},
};

typedef struct world {
    const problem *p;
    gyre_device *device;
    gy_system system;
    void *memory;
    size_t bytes;
    uint32_t report;
} world;

static int cell_of(const problem *p, const int at[3])
{
    return (at[2] * p->n[1] + at[1]) * p->n[0] + at[0];
}

static bool is_pinned(const problem *p, const int at[3])
{
    return p->pin && at[0] > 5 && at[0] < 9 && at[1] == 7;
}

static bool is_solid(const problem *p, const int at[3])
{
    return gy_random_unit(41, (uint32_t)cell_of(p, at)) < p->solid;
}

static uint16_t openness(const problem *p, int axis, const int face[3])
{
    int at[3] = {face[0], face[1], face[2]}, n = p->n[axis], place = at[axis];
    bool round = p->periodic >> axis & 1u, end = !round && (place == 0 || place == n);
    if (end && !(p->open >> (2 * axis + (place == n)) & 1u))
        return 0;
    if (p->wall > 0 && axis == 0 && place == p->wall)
        return 0;
    at[axis] = round ? place % n : place;
    if (at[axis] < n && is_solid(p, at))
        return 0;
    at[axis] = round ? (place + n - 1) % n : place - 1;
    if (at[axis] >= 0 && is_solid(p, at))
        return 0;
    return end ? 32768 : 16384;
}

static void paint(const world *w)
{
    const problem *p = w->p;
    gy_grid_level g = gy_grid_level_at(w->system.base, gy_system_offset(&w->system, 0));
    for (int axis = 0; axis < p->dim; axis++) {
        int end[3] = {p->n[0], p->n[1], p->n[2]};
        end[axis]++;
        for (int q = 0; q < end[0] * end[1] * end[2]; q++) {
            int at[3] = {q % end[0], q / end[0] % end[1], q / end[0] / end[1]};
            *gy_coefficient(&g, axis, at[0], at[1], at[2]) = openness(p, axis, at);
        }
    }
    for (int j = 0; j < p->n[1] && p->pin; j++) {
        for (int i = 0; i < p->n[0]; i++)
            g.pin[(i + j) & 1][gy_level_row(g.l, j, 0) + (i >> 1)] = is_pinned(p, (int[]){i, j, 0});
    }
}

static float *value(const world *w, uint32_t vector, int q)
{
    const int *n = w->p->n;
    gy_grid_level g = gy_grid_level_with(w->system.base, gy_system_offset(&w->system, 0), vector);
    int i = q % n[0], j = q / n[0] % n[1], k = q / n[0] / n[1];
    return &g.x[(i + j + k) & 1][gy_level_row(g.l, j, k) + (i >> 1)];
}

/// A vector's bytes, from row -1 of plane -1 on.
static void move(const world *w, uint32_t vector,
                 void (*how)(gyre_device *device, const void *at, size_t bytes))
{
    const gy_level *l = gy_system_level(&w->system, 0);
    const float *at = gy_at(w->system.base, vector ? vector : l->x);
    ptrdiff_t before = l->sy + l->sz;
    how(w->device, at - before, (size_t)(2 * l->colour_step - before) * sizeof *at);
}

static int cells(const world *w)
{
    return w->p->n[0] * w->p->n[1] * w->p->n[2];
}

static gy_system_def def_of(const problem *p)
{
    return (gy_system_def){.grid = {.dim = p->dim, .n = {p->n[0], p->n[1], p->n[2]}, .h = 1.0f},
                           .periodic = p->periodic,
                           .open_sides = p->open,
                           .pin = p->pin,
                           .solids = true,
                           .solver = {.solver = p->solver,
                                      .sweeps = 2,
                                      .refine = p->refine,
                                      .preconditioner = GYRE_PRECONDITION_MULTIGRID}};
}

static float right_side_of(const problem *p, int q)
{
    const int at[3] = {q % p->n[0], q / p->n[0] % p->n[1], 0};
    return p->b == NOTHING    ? 0.0f
           : p->b == PINNED   ? (is_pinned(p, at) ? 1.0f : 0.0f)
           : p->b == CONSTANT ? 1.0f
           : p->b == NEARLY   ? 1.0f + 1e-3f * gy_random_unit(42, (uint32_t)q)
           : p->b == SPIKE    ? (q == 0 ? 1.0f : 0.0f)
                              : gy_random_unit(42, (uint32_t)q) - 0.5f;
}

/// The system with b, and x where it is begun from.
static world make(gyre_device *device, const problem *p)
{
    world w = {.p = p, .device = device};
    gy_system_def def = def_of(p);
    gy_arena arena = {.used = 1};
    gy_system_plan(&w.system, device, &def, &arena, &arena);
    w.bytes = ((size_t)arena.used + 66) * 64;
    w.memory = gy_device_allocate(device, w.bytes);
    assert_non_null(w.memory);
    arena = (gy_arena){.base = (uint64_t)(uintptr_t)w.memory, .used = 1};
    gy_system_plan(&w.system, device, &def, &arena, &arena);
    w.report = gy_arena_take(&arena, sizeof(gy_report));
    paint(&w);
    gy_system_put(&w.system);
    if (gy_system_update(&w.system) != GYRE_OK)
        fail_msg("%s: %s", p->name, gyre_message());
    gy_system_shift(&w.system, p->shift);
    uint32_t vectors[2] = {gy_system_level(&w.system, 0)->b, 0};
    for (int v = 0; v < 1 + p->from_x; v++) {
        for (int q = 0; q < cells(&w); q++) {
            float x = v == 0 ? right_side_of(p, q) : 0.5f * gy_random_unit(43, (uint32_t)q);
            gy_grid_level g = gy_grid_level_at(w.system.base, gy_system_offset(&w.system, 0));
            int i = q % p->n[0], j = q / p->n[0] % p->n[1], k = q / p->n[0] / p->n[1];
            *value(&w, vectors[v], q) = gy_level_fluid(&g, i, j, k) ? x : 0.0f;
        }
    }
    for (int v = 0; v < 1 + p->from_x; v++)
        move(&w, vectors[v], gy_device_put);
    return w;
}

static void give_back(world *w)
{
    gy_system_release(&w->system);
    gy_device_release(w->device, w->memory, w->bytes);
}

// ---- both ways ----------------------------------------------------------------------------------

typedef struct outcome {
    int cycles;
    double residual;
    float *x, *low; // low: NULL: none
} outcome;

static gy_solve_result by_gates(world *w, const gy_solve_task *task)
{
    gy_system *s = &w->system;
    gy_report *report = (gy_report *)(void *)gy_at(s->base, w->report);
    uint32_t b = gy_system_level(s, 0)->b;
    gy_device_clear(w->device, report, sizeof *report);
    gy_solve_record record = {
        .report = w->report, .tasks = gy_vector_dot_run(s, b, b), .scale = 1.0};
    gy_system_record(s, task, &record);
    gy_device_fetch(w->device, report, sizeof *report);
    return (gy_solve_result){report->cycles, gy_report_residual(report)};
}

static gy_solve_result by_fetches(world *w, gy_solve_task task)
{
    gy_system *s = &w->system;
    task.reference = gy_vector_squares(s, gy_system_level(s, 0)->b);
    return gy_system_solve(s, &task);
}

static float *copy_of(const world *w, uint32_t vector)
{
    float *x = malloc((size_t)cells(w) * sizeof *x);
    assert_non_null(x);
    move(w, vector, gy_device_fetch);
    for (int q = 0; q < cells(w); q++)
        x[q] = *value(w, vector, q);
    return x;
}

static outcome solve(gyre_device *device, const problem *p, bool gates)
{
    world w = make(device, p);
    gy_solve_task task = {
        .tolerance = (double)p->tolerance, .max_cycles = p->max_cycles, .zero = !p->from_x};
    gy_solve_result r = gates ? by_gates(&w, &task) : by_fetches(&w, task);
    outcome o = {.cycles = r.cycles, .residual = r.residual, .x = copy_of(&w, 0)};
    o.low = w.system.low ? copy_of(&w, w.system.low) : NULL;
    assert_int_equal(gy_device_status(device), GYRE_OK);
    give_back(&w);
    return o;
}

static void forget(outcome *o)
{
    free(o->x);
    free(o->low);
}

static int cells_of(const problem *p)
{
    return p->n[0] * p->n[1] * p->n[2];
}

static bool same_bits(const problem *p, const float *x, const float *y)
{
    return (!x && !y) || (x && y && memcmp(x, y, (size_t)cells_of(p) * sizeof *x) == 0);
}

static void like_fetches_here(void **state)
{
    (void)state;
    for (int i = 0; i < GY_COUNT(problems); i++) {
        const problem *p = &problems[i];
        outcome host = solve(the_cpu, p, false), gates = solve(the_cpu, p, true);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("%s: %d, residual %g; %d, %g\n", p->name, host.cycles, host.residual,
                          gates.cycles, gates.residual);
        if (host.cycles != gates.cycles || host.residual != gates.residual)
            fail_msg("%s: %d cycles, residual %.17g by fetches, %d, %.17g by gates", p->name,
                     host.cycles, host.residual, gates.cycles, gates.residual);
        if (!same_bits(p, host.x, gates.x) || !same_bits(p, host.low, gates.low))
            fail_msg("%s: the answers differ", p->name);
        assert_true(p->cycles >= 0 ? host.cycles == p->cycles : host.cycles > 0);
        forget(&host);
        forget(&gates);
    }
}

/// Largest difference of two answers over the largest number in them.
static double apart(const problem *p, const outcome *a, const outcome *b)
{
    double most = 0.0, worst = 0.0;
    for (int q = 0; q < cells_of(p); q++) {
        assert_true(gy_is_finite(a->x[q]) && gy_is_finite(b->x[q]));
        most = fmax(most, fabs((double)a->x[q]));
        worst = fmax(worst, fabs((double)a->x[q] - (double)b->x[q]));
    }
    return worst > 0.0 ? worst / most : 0.0;
}

/// `more`: so many cycles more or less are for rounding.
static void near(const problem *p, const char *what, const outcome *a, const outcome *b, int more)
{
    double d = apart(p, a, b);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s, %s: %d and %d cycles, residuals %g and %g, answers %g apart\n", p->name,
                      what, a->cycles, b->cycles, a->residual, b->residual, d);
    if (p->tolerance == 0.0f) {
        // As low as floats come: when they stop there is a matter of rounding.
        assert_true(b->residual < 3.0 * a->residual && a->residual < 3.0 * b->residual);
        return;
    }
    if (abs(a->cycles - b->cycles) > more || !(d < 1e-3))
        fail_msg("%s, %s: %d and %d cycles, answers %g apart", p->name, what, a->cycles, b->cycles,
                 d);
    double tolerance = (double)p->tolerance;
    bool met = a->residual <= tolerance && b->residual <= tolerance;
    if (!met && !(fabs(a->residual - b->residual) <= 0.1 * a->residual))
        fail_msg("%s, %s: residuals %g and %g", p->name, what, a->residual, b->residual);
}

static void like_fetches_there(void **state)
{
    (void)state;
    for (int i = 0; i < GY_COUNT(problems); i++) {
        const problem *p = &problems[i];
        outcome cpu = solve(the_cpu, p, false), host = solve(the_gpu, p, false),
                gates = solve(the_gpu, p, true);
        near(p, "fetches and gates", &host, &gates, 1);
        near(p, "the processor and gates", &cpu, &gates, 1 + cpu.cycles / 20);
        forget(&cpu);
        forget(&host);
        forget(&gates);
    }
}

// ---- ops ----------------------------------------------------------------------------------------

static double draw(double low, double high)
{
    return low + (high - low) * (double)rig_float(0.0f, 1.0f);
}

/// What decide_cg finds, of which some goes one way and some the other.
static void draw_state(gy_cg_args *a, gy_report *r, gy_report *rest, gy_cg_state *c)
{
    *r = (gy_report){.reference = draw(0.0, 2.0), .left = draw(0.0, 2.0), .cycles = rig_int(0, 9)};
    r->busy = rig_int(0, 4) > 0;
    *rest = (gy_report){.reference = draw(0.0, 1.0), .balanced = (uint32_t)rig_int(0, 1)};
    *c = (gy_cg_state){.best = draw(0.0, 1.0),
                       .anew = draw(0.0, 2.0),
                       .dq = draw(0.1, 2.0),
                       .dr = draw(-0.1, 2.0),
                       .sum_r = draw(-1.0, 1.0),
                       .steps = rig_int(0, 9),
                       .moves = rig_int(0, 3) > 0,
                       .stuck = rig_int(0, 4) == 0,
                       .keeps = (uint32_t)rig_int(0, 1),
                       .reported = (uint32_t)rig_int(0, 1),
                       .close = draw(0.0, 1.0),
                       .took = rig_int(0, 4),
                       .used = rig_int(1, 4),
                       .most = 4 << rig_int(0, 2),
                       .stays = rig_int(0, 4)};
    rest->left = draw(0.0, 0.5);
    a->tasks = rig_int(0, 5) ? rig_int(1, 40) : GY_MAX_TASKS;
    a->most_steps = rig_int(5, 12);
    a->first = rig_int(0, 4) == 0;
    a->floats = rig_int(0, 1);
    a->pair = rig_int(0, 1);
    a->balances = rig_int(0, 1);
    a->last = rig_int(0, 3) == 0;
    a->goal = (rig_int(0, 1) ? 1.0 : 1e-7) * draw(0.0, 0.2);
    a->most = draw(1.0, 4.0);
}

/// Sums of one sign or the other, some of them small, or nothing.
static void draw_sums(double *partial, int tasks)
{
    for (int q = 0; q < 4; q++) {
        double size = rig_int(0, 9) ? 1.0 / tasks : 0.0, sign = rig_int(0, 5) ? 1.0 : -1.0;
        size *= rig_int(0, 2) ? 1.0 : 1e-5;
        for (int t = 0; t < tasks; t++)
            partial[4 * t + q] = sign * size * draw(0.0, 1.0);
    }
}

static void same_state(const rig_block *b, const gy_cg_args *a)
{
    rig_same_bytes(b, a->report, sizeof(gy_report), "CG state: the report");
    rig_same_bytes(b, a->rest, sizeof(gy_report), "CG state: the rest's report");
    rig_same_doubles(b, a->cg, 6, 1e-15, 1e-15, "CG state");
    const gy_cg_state *x = rig_at(b, a->cg);
    const gy_cg_state *y = (const gy_cg_state *)(const void *)(b->gpu + (size_t)a->cg * 64);
    // Without a step they are not looked at, and may be anything.
    bool used = a->kind == GY_CG_BETA || a->kind == GY_CG_ALPHA ? !x->stuck : true;
    if (used && !(rig_near(x->factor, y->factor, (rig_bound){1, 0.0}) &&
                  rig_near(x->mean, y->mean, (rig_bound){1, 1e-6})))
        fail_msg("CG state %d: factor %.9g and %.9g, mean %.9g and %.9g", a->kind,
                 (double)x->factor, (double)y->factor, (double)x->mean, (double)y->mean);
    assert_memory_equal(&x->steps, &y->steps,
                        offsetof(gy_cg_state, reported) + sizeof x->reported -
                            offsetof(gy_cg_state, steps));
}

/// Which way it went.
static int way_of(const gy_cg_args *a, const gy_report *r, const gy_cg_state *c)
{
    return (((a->kind * 2 + (c->stuck != 0)) * 2 + (c->keeps != 0)) * 2 + (c->reported != 0)) * 2 +
           (r->done != 0);
}

static void cg_like_the_cpu(void **state)
{
    (void)state;
    bool seen[(GY_CG_ROUND + 1) * 16] = {false};
    rig_block b = rig_take_block(65536);
    gy_cg_args a = {.base = rig_base(&b)};
    a.partial = rig_take_bytes(&b, GY_MAX_TASKS * 4 * sizeof(double));
    a.report = rig_take_bytes(&b, sizeof(gy_report));
    a.rest = rig_take_bytes(&b, sizeof(gy_report));
    a.cg = rig_take_bytes(&b, sizeof(gy_cg_state));
    for (int q = 0; q < 1800; q++) {
        a.kind = q % (GY_CG_ROUND + 1);
        draw_state(&a, rig_at(&b, a.report), rig_at(&b, a.rest), rig_at(&b, a.cg));
        draw_sums(rig_at(&b, a.partial), a.tasks);
        rig_share(&b);
        rig_run(&b, GY_OP_decide_cg, &a, gy_box_make(1, 1, 1));
        rig_fetch(&b);
        same_state(&b, &a);
        seen[way_of(&a, rig_at(&b, a.report), rig_at(&b, a.cg))] = true;
    }
    int ways = 0;
    for (int w = 0; w < GY_COUNT(seen); w++)
        ways += seen[w];
    assert_true(ways >= 60);
    rig_give_back(&b);
}

/// Regions of one part, of a few, and one of many.
static int draw_regions(gy_region *region, int regions, gy_region_part *part)
{
    int parts = 0;
    for (int r = 0; r < regions; r++) {
        int own = r == 7 ? 700 : rig_int(1, 3);
        region[r] = (gy_region){.first = (uint32_t)parts,
                                .parts = (uint32_t)own,
                                .cells = (uint32_t)rig_int(2, 9000),
                                .held = rig_int(0, 4) == 0};
        bool level = rig_int(0, 4) == 0;
        for (int p = 0; p < own; p++)
            part[parts++] =
                (gy_region_part){.region = (uint32_t)r, .sum = level ? 0.0 : draw(-1.0, 1.0)};
    }
    return parts;
}

static void regions_like_the_cpu(void **state)
{
    enum { REGIONS = 600, PARTS = 3 * REGIONS + 700 };
    (void)state;
    rig_block b = rig_take_block(262144);
    uint32_t region = rig_take_bytes(&b, REGIONS * sizeof(gy_region));
    uint32_t part = rig_take_bytes(&b, PARTS * sizeof(gy_region_part));
    gy_means_args m = {.base = rig_base(&b)};
    m.partial = rig_take_bytes(&b, GY_MAX_TASKS * 4 * sizeof(double));
    m.report = rig_take_bytes(&b, sizeof(gy_report));
    m.regions = (uint64_t)(uintptr_t)rig_at(&b, region);
    m.parts = (uint64_t)(uintptr_t)rig_at(&b, part);
    gy_region_args a = {.base = m.base, .regions = m.regions, .parts = m.parts};
    bool steady[2] = {false, false};
    for (int q = 0; q < 40; q++) {
        m.region_count = q % 2 ? rig_int(1, 3) : REGIONS;
        m.part_count = draw_regions(rig_at(&b, region), m.region_count, rig_at(&b, part));
        m.tasks = rig_int(1, GY_MAX_TASKS);
        m.cells = (double)rig_int(4000, 900000);
        m.free = rig_int(0, 3) ? (double)rig_int(2, 4000) : 0.0;
        draw_sums(rig_at(&b, m.partial), m.tasks);
        *(gy_report *)rig_at(&b, m.report) = (gy_report){.reference = draw(0.0, 10.0)};
        for (int r = 0; r < m.region_count && q % 4 == 1; r++)
            ((gy_region *)rig_at(&b, region))[r].held = 1;
        m.free = q % 4 == 1 ? 0.0 : m.free;
        rig_share(&b);
        rig_run(&b, GY_OP_region_gather, &a, gy_box_make(m.region_count, 1, 1));
        rig_run(&b, GY_OP_region_means, &m, gy_box_make(1, 1, 1));
        rig_fetch(&b);
        rig_same_bytes(&b, region, (size_t)m.region_count * sizeof(gy_region), "region_gather");
        rig_same_bytes(&b, part, (size_t)m.part_count * sizeof(gy_region_part), "region_means");
        rig_same_bytes(&b, m.report, sizeof(gy_report), "region_means: the report");
        steady[((const gy_report *)rig_at(&b, m.report))->steady != 0] = true;
    }
    assert_true(steady[0] && steady[1]);
    rig_give_back(&b);
}

int main(void)
{
    const struct CMUnitTest here[] = {cmocka_unit_test(like_fetches_here)};
    const struct CMUnitTest there[] = {cmocka_unit_test(cg_like_the_cpu),
                                       cmocka_unit_test(regions_like_the_cpu),
                                       cmocka_unit_test(like_fetches_there)};
    bool gpu = vulkan_rig_open();
    gyre_device_def cpu = gyre_default_device_def();
    if (!gpu && gyre_device_create(&cpu, &the_cpu) != GYRE_OK)
        return 1;
    int failed = cmocka_run_group_tests(here, NULL, NULL);
    if (gpu) {
        failed += cmocka_run_group_tests(there, NULL, NULL);
        return failed + vulkan_rig_close();
    }
    gyre_device_destroy(the_cpu);
    return failed;
}
