// labels: vulkan
// The twins of the ops on unknowns beside those of the grid against their C bodies, on levels whose
// solids split coarse cells: odd sizes, sheets, periodic axes with and without a seam, open sides;
// and whole systems, solved on the device. What divides may differ by 8 roundings of the larger
// number or of 1, and what a cycle makes of that by 64; moved numbers and weighted sums are equal.
#include "solve_case.h"

#include "ops/system/extra.h"
#include "solve/solvers.h"
#include "test/vulkan_rig.h"

typedef struct world_def {
    int dim, n[3];
    uint32_t periodic, open;
    float solid; // part of the cells; below 0: sheets instead
    float shift;
} world_def;

static const world_def worlds[] = {
    {2, {70, 37, 1}, 0, 1, 0.3f, 0.0f},   {2, {64, 48, 1}, 1, 4, 0.4f, 0.0f},
    {2, {33, 18, 1}, 3, 0, 0.3f, 0.25f},  {2, {90, 75, 1}, 0, 2, -1.0f, 0.0f},
    {2, {96, 2, 1}, 1, 0, 0.2f, 0.1f},    {2, {150, 230, 1}, 2, 1, 0.35f, 0.0f},
    {3, {21, 14, 13}, 0, 18, 0.4f, 0.0f}, {3, {12, 16, 8}, 5, 8, 0.4f, 0.0f},
    {3, {15, 9, 7}, 7, 0, 0.4f, 0.3f},    {3, {24, 22, 20}, 1, 0, -1.0f, 0.05f},
    {3, {44, 36, 30}, 0, 16, 0.5f, 0.0f}};

/// A level's list lies in a block of its own on either device, and so does all else.
typedef struct world {
    world_def def;
    gy_system system;
    rig_block block;
    uint8_t *start, *lists, *twin; // as block and lists are at first; lists of the twins
    size_t list_bytes;
} world;

static uint32_t draws;

static float draw(void)
{
    return 2.0f * gy_random_unit(31, draws++) - 1.0f;
}

static bool is_solid(const world_def *def, const int at[3])
{
    uint32_t q = (uint32_t)(at[0] + 1000 * (at[1] + 1000 * at[2]));
    return gy_random_unit(32, q) < def->solid;
}

/// A sheet between cells, with a hole every now and then.
static bool is_sheet(const world_def *def, int axis, const int at[3])
{
    uint32_t q = (uint32_t)(at[0] + 1000 * (at[1] + 1000 * at[2]));
    bool on = axis == 0 ? at[0] % 7 == 3 : at[axis] % 9 == 5;
    return def->solid < 0.0f && on && gy_random_unit(33, q) > 0.05f;
}

static uint16_t openness(const world_def *def, int axis, const int face[3])
{
    int at[3] = {face[0], face[1], face[2]}, n = def->n[axis], p = at[axis];
    uint32_t q = (uint32_t)(at[0] + 1000 * (at[1] + 1000 * at[2]));
    bool round = def->periodic >> axis & 1u;
    if (!round && (p == 0 || p == n) && !(def->open >> (2 * axis + (p == n)) & 1u)) {
        return 0;
    }
    at[axis] = round ? p % n : p;
    if (is_sheet(def, axis, at) || (at[axis] < n && is_solid(def, at))) {
        return 0;
    }
    at[axis] = round ? (p + n - 1) % n : p - 1;
    if (at[axis] >= 0 && is_solid(def, at)) {
        return 0;
    }
    float part = round && p == n ? 0.6f : gy_random_unit(34, q) < 0.8f ? 1.0f : 0.4f;
    part = round && p == 0 ? 0.6f : part;
    return (uint16_t)((!round && (p == 0 || p == n) ? 2.0f : 1.0f) * part * 16384.0f);
}

static void paint(const world *w)
{
    gy_grid_level g = gy_grid_level_at(w->system.base, gy_system_offset(&w->system, 0));
    for (int axis = 0; axis < w->def.dim; axis++) {
        int end[3] = {w->def.n[0], w->def.n[1], w->def.n[2]};
        end[axis]++;
        for (int q = 0; q < end[0] * end[1] * end[2]; q++) {
            int at[3] = {q % end[0], q / end[0] % end[1], q / end[0] / end[1]};
            *gy_coefficient(&g, axis, at[0], at[1], at[2]) = openness(&w->def, axis, at);
        }
    }
}

static const gy_level *level_at(const world *w, int l)
{
    return gy_system_level(&w->system, l);
}

static const gy_extra_unknowns *extras_at(const world *w, int l)
{
    return gy_extra_of(level_at(w, l));
}

static ptrdiff_t place_of(const gy_level *l, int q)
{
    int i = q % l->n[0], j = q / l->n[0] % l->n[1], k = q / l->n[0] / l->n[1];
    return ((i + j + k) & 1) * (ptrdiff_t)l->colour_step + gy_level_row(l, j, k) + (i >> 1);
}

static int cells_of(const gy_level *l)
{
    return l->n[0] * l->n[1] * l->n[2];
}

/// Random unknowns, and right-hand sides where there is an unknown.
static void fill(const world *w, int level)
{
    const gy_level *l = level_at(w, level);
    const gy_extra_unknowns *e = extras_at(w, level);
    gy_grid_level g = gy_grid_level_at(w->system.base, gy_system_offset(&w->system, level));
    for (int q = 0; q < cells_of(l); q++) {
        int at[3] = {q % l->n[0], q / l->n[0] % l->n[1], q / l->n[0] / l->n[1]};
        bool fluid = gy_level_fluid(&g, at[0], at[1], at[2]);
        g.x[0][place_of(l, q)] = fluid ? draw() : 0.0f;
        g.b[0][place_of(l, q)] = fluid ? draw() : 0.0f;
    }
    for (int q = 0; e && q < e->extras; q++) {
        e->x[q] = draw();
        e->b[q] = draw();
    }
    for (int q = 0; e && q < e->moves; q++) {
        e->move[q].value = draw();
    }
    gy_clear(&w->system, level, l->x, false);
    gy_wrap_axes(&w->system, level, l->x, 0);
}

static world world_make(const world_def *def)
{
    world w = {.def = *def};
    gy_system_def system = {
        .grid = {.dim = def->dim, .n = {def->n[0], def->n[1], def->n[2]}, .h = 1.0f},
        .periodic = def->periodic,
        .open_sides = def->open,
        .solids = true,
        .solver = {.solver = GYRE_SOLVER_MGPCG, .sweeps = 2}};
    gy_arena arena = {.used = 1};
    gy_system_plan(&w.system, the_cpu, &system, &arena, &arena);
    w.block = rig_take_block(((size_t)arena.used + 64) * 64);
    gy_system_plan(&w.system, the_cpu, &system, &w.block.arena, &w.block.arena);
    paint(&w);
    assert_int_equal(gy_system_update(&w.system), GYRE_OK);
    assert_true(w.system.extras > 0);
    gy_system_shift(&w.system, def->shift);
    gy_extra_factorise(&w.system);
    for (int l = 0; l < w.system.count; l++) {
        fill(&w, l);
    }
    gy_regions_balance(&w.system, 1.0);
    w.list_bytes = w.system.own[GY_OWN_COMPONENTS].bytes;
    w.start = malloc(w.block.bytes);
    w.lists = malloc(w.list_bytes);
    w.twin = gy_device_allocate(the_gpu, w.list_bytes);
    assert_true(w.start && w.lists && w.twin);
    memcpy(w.start, w.block.cpu, w.block.bytes);
    memcpy(w.lists, w.system.own[GY_OWN_COMPONENTS].data, w.list_bytes);
    return w;
}

static void world_free(world *w)
{
    gy_device_release(the_gpu, w->twin, w->list_bytes);
    free(w->start);
    free(w->lists);
    gy_system_release(&w->system);
    rig_give_back(&w->block);
}

/// Where something of the C bodies' lists is in the twins'.
static const void *twin_of(const world *w, const void *at)
{
    const uint8_t *first = w->system.own[GY_OWN_COMPONENTS].data;
    return w->twin + ((const uint8_t *)at - first);
}

/// Both devices as at first: the twin's lists keep the pointers of the C bodies' ones.
static void begin(world *w)
{
    memcpy(w->block.cpu, w->start, w->block.bytes);
    memcpy(w->block.gpu, w->start, w->block.bytes);
    memcpy(w->system.own[GY_OWN_COMPONENTS].data, w->lists, w->list_bytes);
    memcpy(w->twin, w->lists, w->list_bytes);
    for (int l = 0; l < w->system.count; l++) {
        const void *list = extras_at(w, l);
        size_t at = 64 * (size_t)gy_system_offset(&w->system, l);
        gy_level *other = (gy_level *)(void *)(w->block.gpu + at);
        other->lists = list ? gy_device_address(the_gpu, twin_of(w, list)) : 0;
    }
    gy_device_put(the_gpu, w->block.gpu, w->block.bytes);
    gy_device_put(the_gpu, w->twin, w->list_bytes);
}

static void run(world *w, gy_op op, const void *args, gy_box box)
{
    begin(w);
    rig_run(&w->block, op, args, box);
    rig_fetch(&w->block);
    gy_device_fetch(the_gpu, w->twin, w->list_bytes);
}

static void expect(const world *w, const char *what, int level, int q, float a, float b,
                   double bound)
{
    double size = GY_MAX(1.0, __builtin_fabs((double)a)) * 0x1p-24;
    if (!(__builtin_fabs((double)a - (double)b) <= bound * size))
        fail_msg("%s of %dx%dx%d, level %d, %d: %.9g, its twin's %.9g", what, w->def.n[0],
                 w->def.n[1], w->def.n[2], level, q, (double)a, (double)b);
}

/// x of a level, or b: cells and extras.
static void same(const world *w, const char *what, int level, bool x, double bound)
{
    const gy_level *l = level_at(w, level);
    const gy_extra_unknowns *e = extras_at(w, level);
    const float *a = gy_at(w->system.base, x ? l->x : l->b);
    const float *b =
        (const float *)(const void *)(w->block.gpu + ((const uint8_t *)a - w->block.cpu));
    for (int q = 0; q < cells_of(l); q++)
        expect(w, what, level, q, a[place_of(l, q)], b[place_of(l, q)], bound);
    const float *extra = e ? x ? e->x : e->b : NULL;
    const float *other = e ? twin_of(w, extra) : NULL;
    for (int q = 0; e && q < e->extras; q++)
        expect(w, what, level, ~q, extra[q], other[q], bound);
}

static void each(void (*test)(world *, int level))
{
    int tested = 0;
    for (int q = 0; q < GY_COUNT(worlds); q++) {
        draws = 0;
        world w = world_make(&worlds[q]);
        for (int l = 0; l < w.system.count; l++) {
            if (extras_at(&w, l)) {
                test(&w, l);
                tested++;
            }
        }
        world_free(&w);
    }
    assert_true(tested > 2 * GY_COUNT(worlds));
}

static gy_box range(int low, int high)
{
    return (gy_box){{low, 0, 0}, {high, 1, 1}};
}

static gy_extra_args args_of(const world *w, int level)
{
    return (gy_extra_args){
        .base = w->system.base,
        .level = gy_system_offset(&w->system, level),
        .coarse = gy_system_offset(&w->system, GY_MIN(level + 1, w->system.count - 1))};
}

static void relax(world *w, int level)
{
    const gy_extra_unknowns *e = extras_at(w, level);
    for (int q = 0; q < 4; q++) {
        int colour = q & 1;
        gy_extra_args a = args_of(w, level);
        a.zero = q >> 1;
        run(w, GY_OP_extra_relax, &a, range(e->rows[colour], e->rows[colour + 1]));
        same(w, "extra_relax", level, true, 8.0);
    }
}

static void transfer(world *w, int level)
{
    const gy_extra_unknowns *e = extras_at(w, level);
    gy_extra_args a = args_of(w, level);
    if (e->targets > 0) {
        run(w, GY_OP_extra_restrict, &a, range(0, e->targets));
        same(w, "extra_restrict", level + 1, false, 0.0);
    }
    if (e->moves > 0) {
        run(w, GY_OP_extra_save, &a, range(0, e->moves));
        const gy_extra_move *other = twin_of(w, e->move);
        for (int q = 0; q < e->moves; q++)
            expect(w, "extra_save", level, q, e->move[q].value, other[q].value, 0.0);
        run(w, GY_OP_extra_put, &a, range(0, e->moves));
        same(w, "extra_put", level, true, 0.0);
    }
}

static void cycles(world *w, int level)
{
    if (level == 0 || cells_of(level_at(w, level)) > GY_ALONE)
        return;
    for (int q = 0; q < 5; q++) {
        int shape = q % 4;
        gy_relax_args a = {.base = w->system.base,
                           .level = gy_system_offset(&w->system, level),
                           .levels =
                               q == 4 ? 1 : w->system.count - level, // 1: swept until it is solved
                           .sweeps = 2,
                           .shape = shape,
                           .zero = shape == GY_SHAPE_F ? 0 : 1};
        run(w, GY_OP_extra_cycle, &a, gy_level_box(level_at(w, level)));
        same(w, "extra_cycle", level, true, 64.0);
    }
}

#define EACH(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        each(name);                                                                                \
    }
EACH(relax)
EACH(transfer)
EACH(cycles)

/// The same system on the device, which makes its lists, its factor and a cycle itself.
static gy_system make_other(const world *w)
{
    gy_system other;
    gy_system_def def = {.grid = w->system.grid,
                         .periodic = w->system.periodic,
                         .open_sides = w->system.open_sides,
                         .solids = true,
                         .solver = w->system.settings};
    gy_arena arena = {.base = (uint64_t)(uintptr_t)w->block.gpu, .used = 1};
    gy_system_plan(&other, the_gpu, &def, &arena, &arena);
    memcpy(w->block.gpu, w->start, w->block.bytes);
    gy_device_put(the_gpu, w->block.gpu, w->block.bytes);
    assert_int_equal(gy_system_update(&other), GYRE_OK);
    assert_int_equal(other.extras, w->system.extras);
    // A factor for another shift is not to stay.
    gy_system_shift(&other, w->def.shift + 1.0f);
    gy_extra_factorise(&other);
    gy_system_shift(&other, w->def.shift);
    return other;
}

/// How far a whole cycle's x are apart at most, in parts of the largest.
static double whole_cycle(const world_def *def, int shape)
{
    draws = 0;
    world w = world_make(def);
    gy_system other = make_other(&w);
    memcpy(w.block.cpu, w.start, w.block.bytes);
    w.system.settings.cycle = other.settings.cycle = shape;
    gy_multigrid_cycle(&w.system, true);
    gy_multigrid_cycle(&other, true);
    rig_fetch(&w.block);
    const gy_level *l = level_at(&w, 0);
    const float *x = gy_at(w.system.base, l->x), *y = gy_at(other.base, l->x);
    double worst = 0.0, most = 0.0;
    for (int q = 0; q < cells_of(l); q++) {
        double a = (double)x[place_of(l, q)], b = (double)y[place_of(l, q)];
        assert_true(isfinite(b));
        worst = fmax(worst, fabs(a - b));
        most = fmax(most, fabs(a));
    }
    assert_true(most > 0.1);
    gy_system_release(&other);
    world_free(&w);
    return worst / most;
}

/// Steps of conjugate gradients within a cycle take sums, which the C bodies make in floats, and
/// differences of those.
static void test_whole(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(worlds); q++) {
        double w = whole_cycle(&worlds[q], GYRE_CYCLE_W), k = whole_cycle(&worlds[q], GYRE_CYCLE_V);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("world %d: W %g, K %g\n", q, w, k);
        assert_true(w <= 1e-6);
        assert_true(k <= 1e-4);
    }
}

/// Whole systems on the device: as many iterations as on the processor, but for one, and the
/// residual that is told is that of the answer; for three shifts one after the other.
static void test_solve(void **state)
{
    static const int sizes[][3] = {{61, 48, 0}, {20, 17, 14}};
    (void)state;
    for (int q = 0; q < GY_COUNT(sizes) * 3; q++) {
        const int *n = sizes[q % GY_COUNT(sizes)];
        int cycles[2][3];
        for (int d = 0; d < 2; d++) {
            solve_case c = case_make(d ? the_gpu : the_cpu, n[0], n[1], n[2]);
            for (int s = 0; s < 2 * c.def.grid.dim; s++)
                c.def.sides[s] = q / GY_COUNT(sizes);
            c.def.solver.refine = q != 0;
            c.def.solver.tolerance = q == 0 ? 1e-3f : 1e-6f;
            case_random_solids(&c, 0.3f, 7);
            case_random_b(&c, 3);
            case_create(&c);
            for (int t = 0; t < 3; t++) {
                c.def.shift = 0.1f * (float)(2 - t);
                gyre_poisson_set_shift(c.poisson, c.def.shift);
                gyre_poisson_stats s = case_solve(&c, true);
                cycles[d][t] = s.cycles;
                assert_true(s.extras > 0);
                if (getenv("GYRE_TEST_PRINT"))
                    print_message("%d %d %d: %d iterations, residual %g\n", q, d, t, s.cycles,
                                  case_residual(&c));
                assert_true(case_residual(&c) < 1.05 * (double)c.def.solver.tolerance);
            }
            case_free(&c);
        }
        for (int t = 0; t < 3; t++)
            assert_in_range(cycles[1][t] - cycles[0][t] + 1, 0, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relax), cmocka_unit_test(test_transfer),
        cmocka_unit_test(test_cycles), cmocka_unit_test(test_whole), cmocka_unit_test(test_solve)};
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
