// labels: small threads
// Component coarsening: the coarse operator against its definition written anew in double, the
// cycle's symmetry, how many iterations conjugate gradients over it take, odd shapes, threads and
// instruction sets, and running out of memory.
#include "solve_case.h"

#include "ops/system/extra.h"
#include "sanitized.h"
#include "solve/solvers.h"

/// A system whose level structs can be seen, painted from a case.
typedef struct rig {
    gy_system system;
    void *memory;
    gy_grid_level f, c; // levels 0 and 1
} rig;

static rig rig_make(const solve_case *c)
{
    rig r;
    gy_system_def def = {.grid = c->def.grid, .solids = true, .solver = c->def.solver};
    def.solver.refine = false;
    for (int s = 0; s < 2 * c->def.grid.dim; s++) {
        def.periodic |= c->def.sides[s] == GYRE_POISSON_PERIODIC ? 1u << (s / 2) : 0;
        def.open_sides |= c->def.sides[s] == GYRE_POISSON_OPEN ? 1u << s : 0;
    }
    gy_arena counted = {0};
    gy_system_plan(&r.system, c->device, &def, &counted, &counted);
    size_t bytes = ((size_t)counted.used + 2) * 64;
    r.memory = aligned_alloc(64, bytes);
    assert_non_null(r.memory);
    memset(r.memory, 0, bytes);
    gy_arena arena = {.base = (uint64_t)(uintptr_t)r.memory};
    gy_system_plan(&r.system, c->device, &def, &arena, &arena);
    r.f = gy_grid_level_at(r.system.base, gy_system_offset(&r.system, 0));
    for (int a = 0; a < c->def.grid.dim; a++) {
        int end[3] = {c->def.grid.n[0], c->def.grid.n[1], c->def.grid.n[2]};
        end[a]++;
        for (int k = 0; k < end[2]; k++) {
            for (int j = 0; j < end[1]; j++) {
                for (int i = 0; i < end[0]; i++) {
                    int at[3] = {i, j, k}, way = 2 * a;
                    long to;
                    if (at[a] == end[a] - 1) {
                        at[a]--;
                        way++;
                    }
                    *gy_coefficient(&r.f, a, i, j, k) =
                        (uint16_t)(case_joint(c, at, way, &to) * 16384.0 + 0.5);
                }
            }
        }
    }
    assert_int_equal(gy_system_update(&r.system), GYRE_OK);
    r.c = gy_grid_level_at(r.system.base, gy_system_offset(&r.system, 1));
    return r;
}

static void rig_free(rig *r)
{
    gy_system_release(&r->system);
    free(r->memory);
}

/// Which component of its 2^dim block every live cell is in, numbered through; -1: no open face.
static int find_components(const solve_case *c, int *component)
{
    const int *n = c->def.grid.n;
    int count = 0, stack[64];
    for (size_t q = 0; q < c->cells; q++)
        component[q] = -1;
    for (size_t first = 0; first < c->cells; first++) {
        int filled = 0, joints = 0;
        if (component[first] >= 0)
            continue;
        stack[filled++] = (int)first;
        component[first] = count;
        for (int q = 0; q < filled; q++) {
            int cell = stack[q], at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
            for (int way = 0; way < 2 * c->def.grid.dim; way++) {
                long to;
                double a = case_joint(c, at, way, &to);
                if (!(a > 0.0))
                    continue;
                joints++;
                if (to < 0 || component[to] >= 0)
                    continue;
                int other[3] = {(int)to % n[0], (int)to / n[0] % n[1], (int)to / n[0] / n[1]};
                if (at[0] / 2 == other[0] / 2 && at[1] / 2 == other[1] / 2 &&
                    at[2] / 2 == other[2] / 2) {
                    component[to] = count;
                    stack[filled++] = (int)to;
                }
            }
        }
        if (joints == 0)
            component[first] = -1;
        count += joints > 0;
    }
    return count;
}

/// The coarse unknowns by number: the grid's, x fastest, then the extras.
static float *coarse_x(const rig *r, int q)
{
    const int *n = r->c.l->n;
    int cells = n[0] * n[1] * n[2];
    if (q >= cells)
        return &gy_extra_of(r->c.l)->x[q - cells];
    int i = q % n[0], j = q / n[0] % n[1], k = q / n[0] / n[1];
    return &r->c.x[(i + j + k) & 1][gy_level_row(r->c.l, j, k) + (i >> 1)];
}

/// A x of the coarse level at an unknown, in double, from the lists and the grid's coefficients.
static double coarse_apply(const rig *r, int q, const double *x)
{
    const int *n = r->c.l->n;
    int cells = n[0] * n[1] * n[2];
    const gy_extra_unknowns *e = gy_extra_of(r->c.l);
    float *at_x = coarse_x(r, q);
    for (int row = 0; row < e->rows[2]; row++) {
        gy_places p = gy_places_of(&r->c);
        if (gy_extra_at(p.x, e->row[row].place) != at_x)
            continue;
        double sum = (double)e->row[row].side * x[q];
        for (int t = e->row[row].first; t < e->row[row + 1].first; t++)
            sum += (double)e->link[t].a * (x[q] - (double)*gy_extra_at(p.x, e->link[t].place));
        return sum;
    }
    assert_true(q < cells);
    int at[3] = {q % n[0], q / n[0] % n[1], q / n[0] / n[1]};
    double sum = 0.0;
    for (int way = 0; way < 2 * r->c.l->dim; way++) {
        int a = way / 2, face[3] = {at[0], at[1], at[2]}, to[3] = {at[0], at[1], at[2]};
        face[a] += way & 1;
        to[a] += (way & 1) ? 1 : -1;
        double open = (double)*gy_coefficient(&r->c, a, face[0], face[1], face[2]) / 16384.0 *
                      (double)r->c.l->scale[a];
        bool inside = to[a] >= 0 && to[a] < n[a];
        if (!inside && (r->c.l->periodic >> a & 1u)) {
            to[a] = (to[a] + n[a]) % n[a];
            inside = true;
        }
        sum += open * (x[q] - (inside ? x[(to[2] * n[1] + to[1]) * n[0] + to[0]] : 0.0));
    }
    return sum;
}

/// Which coarse unknown each component is, by what prolongation brings to its red cells; -1 where
/// it has none.
static void find_unknowns(const rig *r, const solve_case *c, const int *component, int count,
                          int unknowns, int *unknown)
{
    const gy_system *s = &r->system;
    const int *n = c->def.grid.n;
    for (int q = 0; q < count; q++)
        unknown[q] = -1;
    for (int q = 0; q < unknowns; q++)
        *coarse_x(r, q) = (float)(q + 1);
    gy_relax_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .coarse = gy_system_offset(s, 1)};
    gy_extra_args t = {.base = s->base, .level = a.level, .coarse = a.coarse};
    gy_box moves = {{0, 0, 0}, {gy_extra_of(r->f.l)->moves, 1, 1}};
    gy_run(s->device, GY_OP_extra_save, &t, moves);
    gy_run(s->device, GY_OP_prolong, &a, gy_level_box(r->f.l));
    gy_run(s->device, GY_OP_extra_put, &t, moves);
    for (int q = 0; q < (int)c->cells; q++) {
        int at[3] = {q % n[0], q / n[0] % n[1], q / n[0] / n[1]};
        if (component[q] < 0 || ((at[0] + at[1] + at[2]) & 1))
            continue;
        int u = (int)r->f.x[0][gy_level_row(r->f.l, at[1], at[2]) + (at[0] >> 1)] - 1;
        assert_in_range(u, 0, unknowns - 1);
        // A component has one unknown ...
        assert_true(unknown[component[q]] < 0 || unknown[component[q]] == u);
        unknown[component[q]] = u;
    }
    // ... and shares it with none.
    for (int q = 0; q < count; q++) {
        for (int p = 0; p < q; p++)
            assert_true(unknown[q] < 0 || unknown[p] != unknown[q]);
    }
}

/// The coarse operator is half the sum of the fine coefficients between components.
static void check_operator(solve_case *c)
{
    rig r = rig_make(c);
    const int *n = c->def.grid.n, *m = r.c.l->n;
    int cells = m[0] * m[1] * m[2], *component = malloc(c->cells * sizeof(int));
    int count = find_components(c, component);
    assert_true(r.system.extras > 0);
    int unknowns = cells + gy_extra_of(r.c.l)->extras;
    int *unknown = malloc((size_t)count * sizeof(int));
    double *x = calloc((size_t)unknowns, sizeof(double));
    double *want = calloc((size_t)count, sizeof(double));
    find_unknowns(&r, c, component, count, unknowns, unknown);
    for (int q = 0; q < unknowns; q++)
        *coarse_x(&r, q) = 0.0f;
    for (int q = 0; q < count; q++) {
        if (unknown[q] >= 0) {
            x[unknown[q]] = floor(16.0 * (double)gy_random_unit(3, (uint32_t)q)) - 8.0;
            *coarse_x(&r, unknown[q]) = (float)x[unknown[q]];
        }
    }
    gy_wrap_axes(&r.system, 1, 0, 0);
    for (int q = 0; q < (int)c->cells; q++) {
        int at[3] = {q % n[0], q / n[0] % n[1], q / n[0] / n[1]}, own = component[q];
        for (int way = 0; way < 2 * c->def.grid.dim && own >= 0; way++) {
            long to;
            double a = case_joint(c, at, way, &to), here, there = 0.0;
            here = unknown[own] < 0 ? 0.0 : x[unknown[own]];
            if (to >= 0 && a > 0.0)
                there = unknown[component[to]] < 0 ? 0.0 : x[unknown[component[to]]];
            want[own] += 0.5 * a * (here - there);
        }
    }
    int checked = 0;
    for (int q = 0; q < count; q++) {
        if (unknown[q] >= 0) {
            assert_true(fabs(coarse_apply(&r, unknown[q], x) - want[q]) < 1e-4);
            checked += unknown[q] >= cells;
        }
    }
    assert_true(checked > 0);
    free(unknown);
    free(component);
    free(x);
    free(want);
    rig_free(&r);
}

static const int grids[][3] = {{24, 20, 0}, {96, 80, 0}, {12, 16, 8}, {40, 24, 32}};

static void test_operator(void **state)
{
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(grids) * 3; q++) {
        const int *n = grids[q % GY_COUNT(grids)];
        solve_case c = case_make(device, n[0], n[1], n[2]);
        for (int s = 0; s < 2 * c.def.grid.dim; s++)
            c.def.sides[s] = q / GY_COUNT(grids);
        // Parts of whole faces that sums and halves keep exactly.
        for (int a = 0; a < c.def.grid.dim; a++) {
            size_t faces = (size_t)(n[0] + (a == 0)) * (size_t)(n[1] + (a == 1)) *
                           (size_t)(c.def.grid.n[2] + (a == 2));
            for (size_t f = 0; f < faces; f++)
                c.open[a][f] = 0.25f * (float)(1 + (int)(4.0f * gy_random_unit(8, (uint32_t)f)));
        }
        case_random_solids(&c, 0.35f, 5);
        check_operator(&c);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

static float *place(float *const colours[2], const rig *r, int q)
{
    const int *n = r->f.l->n;
    int i = q % n[0], j = q / n[0] % n[1], k = q / n[0] / n[1];
    return &colours[(i + j + k) & 1][gy_level_row(r->f.l, j, k) + (i >> 1)];
}

/// Where the next level is solved by its factor a cycle is one symmetric, positive matrix.
static void test_symmetric(void **state)
{
    static const int sizes[][3] = {{24, 20, 0}, {17, 23, 0}, {33, 4, 0}, {12, 10, 8}, {9, 11, 7}};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * 3; q++) {
        const int *n = sizes[q % GY_COUNT(sizes)];
        solve_case c = case_make(device, n[0], n[1], n[2]);
        for (int s = 0; s < 2 * c.def.grid.dim; s++)
            c.def.sides[s] = q / GY_COUNT(sizes);
        case_random_solids(&c, 0.3f, (uint32_t)q);
        rig r = rig_make(&c);
        double product[2][2] = {{0.0}};
        float *z = malloc(2 * c.cells * sizeof(float)), *b = malloc(2 * c.cells * sizeof(float));
        for (int t = 0; t < 2; t++) {
            for (int cell = 0; cell < (int)c.cells; cell++)
                *place(r.f.b, &r, cell) = gy_random_unit((uint32_t)t, (uint32_t)cell) - 0.5f;
            gy_regions_balance(&r.system, 0.0);
            for (int cell = 0; cell < (int)c.cells; cell++)
                b[(size_t)t * c.cells + (size_t)cell] = *place(r.f.b, &r, cell);
            gy_multigrid_cycle(&r.system, true);
            for (int cell = 0; cell < (int)c.cells; cell++)
                z[(size_t)t * c.cells + (size_t)cell] = *place(r.f.x, &r, cell);
        }
        for (int t = 0; t < 4; t++) {
            for (size_t cell = 0; cell < c.cells; cell++)
                product[t / 2][t % 2] += (double)z[(size_t)(t / 2) * c.cells + cell] *
                                         (double)b[(size_t)(t % 2) * c.cells + cell];
        }
        assert_true(product[0][0] > 0.0 && product[1][1] > 0.0);
        double size = sqrt(product[0][0] * product[1][1]);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("%dx%dx%d sides %d: %g of %g\n", n[0], n[1], n[2], q / GY_COUNT(sizes),
                          product[0][1] - product[1][0], size);
        assert_true(fabs(product[0][1] - product[1][0]) < 2e-4 * size);
        free(z);
        free(b);
        rig_free(&r);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// Solves, checks the residual by the operator of solve_case.h, and the count of iterations.
static void check_count(solve_case *c, const char *name, int most)
{
    case_random_b(c, 77);
    case_create(c);
    gyre_poisson_stats s = case_solve(c, true);
    double left = case_residual(c);
    const int *n = c->def.grid.n;
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s %dx%dx%d: %d iterations, residual %g, regions %d, extras %d\n", name,
                      n[0], n[1], n[2], s.cycles, left, s.regions, s.extras);
    assert_true(s.cycles <= most);
    assert_true(left < 1.05e-6);
    assert_int_equal(s.solver, GYRE_SOLVER_MGPCG);
}

// What the project promises for conjugate gradients over component coarsening.
static void test_random(void **state)
{
    static const int sizes[][3] = {{256, 256, 0}, {255, 193, 0}, {48, 48, 48}, {33, 47, 40}};
    static const struct {
        float part;
        int most;
    } promise[] = {{0.1f, 8}, {0.3f, 15}, {0.5f, 20}};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * GY_COUNT(promise); q++) {
        const int *n = sizes[q % GY_COUNT(sizes)], p = q / GY_COUNT(sizes);
        solve_case c = case_make(device, n[0], n[1], n[2]);
        case_random_solids(&c, promise[p].part, 7);
        check_count(&c, "random", promise[p].most);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

static bool in_hole(const int n[3], int j, int k)
{
    return abs(j - n[1] / 2) < 2 && (n[2] == 1 || abs(k - n[2] / 2) < 2);
}

/// A sheet across x at cell or face `at`, one face or one cell thick, with a hole of three cells.
static void test_sheets(void **state)
{
    static const int sizes[][3] = {{256, 256, 0}, {129, 200, 0}, {48, 48, 48}};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * 4; q++) {
        solve_case c = case_make(device, sizes[q / 4][0], sizes[q / 4][1], sizes[q / 4][2]);
        const int *n = c.def.grid.n;
        int at = n[0] / 2 + (q & 1);
        EACH_CASE_CELL(&c)
        {
            if (i == at && !in_hole(n, j, k)) {
                if (q & 2)
                    case_solid(&c, i, j, k);
                else
                    *case_face(&c, 0, i, j, k) = 0.0f;
            }
        }
        check_count(&c, "sheet", 10);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// Every mix of sides, odd and thin grids, with solids: the answer, by auto too.
static void test_odd_grids(void **state)
{
    static const int sizes[][3] = {
        {33, 17, 0}, {7, 90, 0},  {40, 1, 0},  {1, 33, 0},   {2, 31, 0}, {3, 5, 0},   {1, 1, 0},
        {2, 1, 0},   {65, 66, 0}, {13, 9, 11}, {20, 1, 17},  {1, 1, 19}, {10, 21, 6}, {3, 3, 3},
        {2, 40, 3},  {5, 6, 7},   {11, 12, 1}, {22, 44, 12}, {6, 6, 6},  {12, 3, 10}};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * 9; q++) {
        const int *n = sizes[q % GY_COUNT(sizes)], mix = q / GY_COUNT(sizes);
        solve_case c = case_make(device, n[0], n[1], n[2]);
        static const int mixes[9][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 2}, {1, 2, 0},
                                        {2, 0, 1}, {2, 2, 0}, {0, 2, 2}, {1, 0, 2}};
        for (int s = 0; s < 2 * c.def.grid.dim; s++)
            c.def.sides[s] = mixes[mix][s / 2];
        if (mix == 0)
            c.def.sides[1] = c.def.sides[2] = GYRE_POISSON_OPEN;
        c.def.solver.solver = mix % 2 ? GYRE_SOLVER_AUTO : GYRE_SOLVER_MGPCG;
        case_random_solids(&c, 0.1f + 0.1f * (float)(q % 4), (uint32_t)q);
        case_random_b(&c, 5);
        case_create(&c);
        gyre_poisson_stats s = case_solve(&c, true);
        double left = case_residual(&c);
        if (getenv("GYRE_TEST_PRINT") && (left > 2e-6 || s.cycles > 20))
            print_message("%dx%dx%d mix %d: %d iterations, residual %g\n", n[0], n[1], n[2], mix,
                          s.cycles, left);
        assert_true(left < 2e-6);
        assert_true(s.cycles <= 25);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// One-cell channels, a path through the whole grid, a chessboard of shut cells, slits.
static void test_mazes(void **state)
{
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < 8; q++) {
        int size = q % 2 ? 31 : 48, kind = q / 2;
        solve_case c = case_make(device, size, size + 1, 0);
        EACH_CASE_CELL(&c)
        {
            bool turn = i == ((j / 2) % 2 ? 0 : size - 1);
            if ((kind == 0 && j % 2 == 1 && !turn) || (kind == 1 && j % 2 == 1) ||
                (kind == 2 && (i + j) % 2 == 1))
                case_solid(&c, i, j, k);
            if (kind == 3 && j > 0 && j < size)
                *case_face(&c, 0, i, j, k) = 0.0f;
        }
        case_random_b(&c, 5);
        case_create(&c);
        gyre_poisson_stats s = case_solve(&c, true);
        double left = case_residual(&c);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("maze %d of %d: %d iterations, residual %g, regions %d, extras %d\n",
                          kind, size, s.cycles, left, s.regions, s.extras);
        // The path of a thousand cells has a condition of a million: float's floor is higher.
        assert_true(left < (kind == 0 ? 1e-4 : 2e-6));
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// Boxes have no extras, and where nothing falls apart coefficients are those of plain multigrid.
static void test_none(void **state)
{
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < 4; q++) {
        solve_case c = case_make(device, 37, 52, q / 2 ? 24 : 0);
        if (q % 2) {
            // A solid of even cells, and a face half open.
            EACH_CASE_CELL(&c)
            {
                if (i >= 8 && i < 16 && j >= 16 && j < 32 && (c.def.grid.dim == 2 || k >= 8))
                    case_solid(&c, i, j, k);
            }
            *case_face(&c, 0, 3, 3, 0) = 0.5f;
        }
        c.def.solver.solver = GYRE_SOLVER_AUTO;
        rig r = rig_make(&c);
        c.def.solver.solver = GYRE_SOLVER_MULTIGRID;
        rig plain = rig_make(&c);
        assert_int_equal(r.system.extras, 0);
        assert_int_equal(plain.system.count, r.system.count);
        for (int l = 0; l < r.system.count; l++) {
            const gy_level *level = gy_system_level(&r.system, l);
            gy_grid_level a = gy_grid_level_at(r.system.base, gy_system_offset(&r.system, l));
            gy_grid_level b =
                gy_grid_level_at(plain.system.base, gy_system_offset(&plain.system, l));
            assert_true(level->extras == 0);
            for (int axis = 0; axis < level->dim; axis++) {
                size_t bytes = (size_t)level->colour_step * sizeof(uint16_t);
                ptrdiff_t back = gy_place_origin(level);
                bytes -= (size_t)back * sizeof(uint16_t);
                for (int colour = 0; colour < 2; colour++)
                    assert_memory_equal(a.open[axis][colour], b.open[axis][colour], bytes - 64);
            }
        }
        rig_free(&r);
        rig_free(&plain);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// A shift below and above 1: regions are held by it, and solid cells too.
static void test_shift(void **state)
{
    static const float shifts[] = {1e-4f, 0.02f, 3.0f};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < 2 * GY_COUNT(shifts); q++) {
        solve_case c = case_make(device, 60, 45, q % 2 ? 9 : 0);
        c.def.shift = shifts[q / 2];
        case_random_solids(&c, 0.4f, 3);
        case_random_b(&c, 5);
        case_create(&c);
        gyre_poisson_stats s = case_solve(&c, true);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("shift %g: %d iterations, %g\n", (double)c.def.shift, s.cycles,
                          case_residual(&c));
        assert_true(case_residual(&c) < 2e-6);
        assert_true(s.cycles <= 25);
        // And back and forth: the factor is made for each.
        assert_int_equal(gyre_poisson_set_shift(c.poisson, 0.0f), GYRE_OK);
        c.def.shift = 0.0f;
        case_solve(&c, true);
        assert_true(case_residual(&c) < 2e-6);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

static uint64_t bits_of(gyre_device *device)
{
    static const int sizes[][3] = {{301, 226, 0}, {300, 224, 0}, {33, 48, 30}, {80, 48, 64}};
    uint64_t hash = 0;
    for (int q = 0; q < GY_COUNT(sizes); q++) {
        solve_case c = case_make(device, sizes[q][0], sizes[q][1], sizes[q][2]);
        for (int s = 0; s < 2 * c.def.grid.dim; s++)
            c.def.sides[s] = q % 2 ? GYRE_POISSON_PERIODIC : GYRE_POISSON_SHUT;
        c.def.solver.max_cycles = 4;
        case_random_solids(&c, 0.4f, 3);
        case_random_b(&c, 5);
        case_create(&c);
        gyre_poisson_stats s = case_solve(&c, true);
        hash = gy_hash(&s.residual, sizeof s.residual, hash);
        for (size_t cell = 0; cell < c.cells; cell++) {
            float x[2] = {c.x[cell] + 0.0f, c.low[cell] + 0.0f};
            hash = gy_hash(x, sizeof x, hash);
        }
        case_free(&c);
    }
    return hash;
}

static void test_same_bits(void **state)
{
    static const int threads[] = {1, 3};
    (void)state;
    uint64_t first = 0;
    for (int isa = 0; gyre_isa_name(isa); isa++) {
        for (int t = 0; t < GY_COUNT(threads); t++) {
            if (!takes_turn(isa, t, GY_COUNT(threads))) {
                continue;
            }
            gyre_device *device = case_device(gyre_isa_name(isa), threads[t]);
            uint64_t hash = bits_of(device);
            gyre_device_destroy(device);
            first = first ? first : hash;
            assert_true(hash == first);
        }
    }
}

static int allowed;
static size_t held;

static void *counted_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    if (allowed-- <= 0)
        return NULL;
    held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counted_release(void *user, void *memory, size_t size)
{
    (void)user;
    held -= memory ? size : 0;
    free(memory);
}

/// Every allocation on the way fails once: a clean error each time, and nothing is lost.
static void test_no_memory(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    gyre_host host = {.allocate = counted_allocate, .release = counted_release};
    gyre_device *device = NULL;
    def.threads = 1;
    def.host = host;
    allowed = 1000;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    size_t before = held;
    solve_case c = case_make(device, 40, 32, 0);
    case_random_solids(&c, 0.3f, 3);
    int tries = 0;
    for (;; tries++) {
        allowed = tries;
        gyre_result r = gyre_poisson_create(device, &c.def, &c.poisson);
        if (r == GYRE_OK)
            break;
        assert_int_equal(r, GYRE_ERROR_MEMORY);
        assert_null(c.poisson);
        assert_true(held == before);
    }
    assert_true(tries > 2);
    case_random_b(&c, 5);
    case_solve(&c, true);
    assert_true(case_residual(&c) < 2e-6);
    case_free(&c);
    assert_true(held == before);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operator),  cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_sheets),
        cmocka_unit_test(test_odd_grids), cmocka_unit_test(test_mazes),
        cmocka_unit_test(test_none),      cmocka_unit_test(test_shift),
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_no_memory),
    };
    WATCH_THREADS_IN(test_same_bits);
    return cmocka_run_group_tests_name("components", tests, NULL, NULL);
}
