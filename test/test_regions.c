// labels: small threads
// Regions that nothing holds: how many there are, that each gets its own mean taken off and a
// constant of its own, that nothing drifts over many solves, and which faces count as open.
#include "solve_case.h"

static void check_regions(const solve_case *c, const gyre_poisson_stats *stats)
{
    int *region = malloc(c->cells * sizeof(int));
    bool *held = malloc(c->cells * sizeof(bool));
    assert_int_equal(stats->regions, case_regions(c, region, held));
    free(region);
    free(held);
}

/// Random solids, every mix of sides: the count, and an answer where b fits no region.
static void test_count(void **state)
{
    static const int sizes[][3] = {{40, 33, 0}, {64, 64, 0}, {15, 12, 9}, {1, 30, 0}, {5, 1, 8}};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * 12; q++) {
        const int *n = sizes[q % GY_COUNT(sizes)], mix = q / GY_COUNT(sizes);
        solve_case c = case_make(device, n[0], n[1], n[2]);
        for (int s = 0; s < 2 * c.def.grid.dim; s++)
            c.def.sides[s] = (mix + s / 2) % 3;
        if (mix == 9)
            c.def.sides[0] = c.def.sides[1] = c.def.sides[2] = GYRE_POISSON_SHUT;
        if (mix == 9)
            c.def.sides[3] = GYRE_POISSON_OPEN;
        case_random_solids(&c, mix < 6 ? 0.45f : 0.2f, (uint32_t)q);
        case_random_b(&c, 9);
        for (size_t cell = 0; cell < c.cells; cell++)
            c.b[cell] += 0.7f;
        case_create(&c);
        gyre_poisson_stats s = case_solve(&c, true);
        check_regions(&c, &s);
        assert_true(case_residual(&c) < 2e-6);
        // Cells with no open face are none of the system's business.
        for (size_t cell = 0; cell < c.cells; cell++)
            assert_true(fabsf(c.x[cell]) < 1e5f);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// Two rooms and a cupboard: b constant in each, so that what is left of it is nothing, or, where a
/// side is open, all.
static void test_rooms(void **state)
{
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int open = 0; open < 2; open++) {
        for (int solver = 0; solver < 2; solver++) {
            solve_case c = case_make(device, 48, 32, 0);
            c.def.sides[1] = open ? GYRE_POISSON_OPEN : GYRE_POISSON_SHUT;
            c.def.solver.solver = solver ? GYRE_SOLVER_MULTIGRID : GYRE_SOLVER_MGPCG;
            EACH_CASE_CELL(&c)
            {
                if (i == 21)
                    *case_face(&c, 0, i, j, k) = 0.0f;
                if (i < 2 && j == 2)
                    *case_face(&c, 1, i, j, k) = 0.0f;
                if (i == 2 && j < 2)
                    *case_face(&c, 0, i, j, k) = 0.0f;
                c.b[case_cell(&c, i, j, k)] = i >= 21 ? 3.0f : i < 2 && j < 2 ? 1e3f : -5.0f;
            }
            case_create(&c);
            gyre_poisson_stats s = case_solve(&c, true);
            assert_int_equal(s.regions, 3);
            // The largest room is held or not; in the others x is constant.
            EACH_CASE_CELL(&c)
            {
                size_t at = case_cell(&c, i, j, k);
                double x = (double)c.x[at] + (double)c.low[at];
                if (i < 21 || !open) {
                    int first = i >= 21 ? 21 : i < 2 && j < 2 ? 0 : 2;
                    size_t of = case_cell(&c, first, 0, 0);
                    assert_true(fabs(x - (double)c.x[of] - (double)c.low[of]) < 1e-2);
                } else {
                    // -x'' = 3, x' = 0 at 21, x = 0 at 48: 3 (27^2 - (i - 20.5)^2) / 2, of which
                    // differences are exact but at the open side: 3 / 8 more.
                    double far = i - 20.5, want = 1.5 * (27.0 * 27.0 - far * far) + 0.375;
                    assert_true(fabs(x - want) < 1e-4 * want);
                }
            }
            case_free(&c);
        }
    }
    gyre_device_destroy(device);
}

/// Two hundred solves, each from the last one's answer: no constant walks off, whatever the solver.
static void test_drift(void **state)
{
    static const int solvers[] = {GYRE_SOLVER_MGPCG, GYRE_SOLVER_MULTIGRID, GYRE_SOLVER_RED_BLACK};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(solvers); q++) {
        solve_case c = case_make(device, 40, 36, 0);
        c.def.solver.solver = solvers[q];
        c.def.solver.max_cycles = 4;
        c.def.solver.refine = false;
        case_random_solids(&c, 0.35f, 4);
        case_create(&c);
        int *region = malloc(c.cells * sizeof(int));
        bool *held = malloc(c.cells * sizeof(bool));
        int count = case_regions(&c, region, held);
        assert_true(count > 10);
        for (size_t cell = 0; cell < c.cells; cell++)
            c.x[cell] = 50.0f;
        gyre_poisson_set_x(c.poisson, c.x);
        double first = 0.0;
        for (int solve = 0; solve < 200; solve++) {
            case_random_b(&c, (uint32_t)solve);
            for (size_t cell = 0; cell < c.cells; cell++)
                c.b[cell] += 1.0f;
            case_solve(&c, solve == 100);
            double most = 0.0;
            double *sum = calloc((size_t)count, sizeof(double));
            double *size = calloc((size_t)count, sizeof(double));
            for (size_t cell = 0; cell < c.cells; cell++) {
                assert_true(isfinite(c.x[cell]));
                if (region[cell] >= 0) {
                    sum[region[cell]] += (double)c.x[cell];
                    size[region[cell]] += 1.0;
                }
            }
            for (int r = 0; r < count; r++)
                most = fmax(most, fabs(sum[r] / size[r]));
            free(sum);
            free(size);
            // One solve leaves some constant; two hundred leave no more.
            first = solve < 20 ? fmax(first, most) : first;
            assert_true(most < 2.0 * first);
        }
        free(region);
        free(held);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// Below 1/100 a face is shut, at 1/100 it is open.
static void test_slivers(void **state)
{
    static const float parts[] = {0.0f, 0.0099f, 0.01f, 0.02f};
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(parts); q++) {
        solve_case c = case_make(device, 24, 20, 0);
        for (int j = 0; j < 20; j++)
            *case_face(&c, 0, 11, j, 0) = parts[q];
        case_random_b(&c, 3);
        case_create(&c);
        gyre_poisson_stats s = case_solve(&c, true);
        assert_int_equal(s.regions, parts[q] < 0.01f ? 2 : 1);
        assert_true(case_residual(&c) < 2e-6);
        case_free(&c);
    }
    gyre_device_destroy(device);
}

/// A shift holds every region: b is left as it is.
static void test_shift(void **state)
{
    (void)state;
    gyre_device *device = case_device(NULL, 1);
    solve_case c = case_make(device, 24, 20, 0);
    c.def.shift = 0.5f;
    for (int j = 0; j < 20; j++)
        *case_face(&c, 0, 11, j, 0) = 0.0f;
    for (size_t cell = 0; cell < c.cells; cell++)
        c.b[cell] = 2.0f;
    case_create(&c);
    case_solve(&c, true);
    for (size_t cell = 0; cell < c.cells; cell++)
        assert_true(fabs((double)c.x[cell] + (double)c.low[cell] - 4.0) < 1e-4);
    case_free(&c);
    gyre_device_destroy(device);
}

static gyre_gas_solid random_volume(float data[12 * 10], uint32_t seed)
{
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape.kind = GYRE_SHAPE_VOLUME;
    for (uint32_t q = 0; q < 120; q++)
        data[q] = gy_random_unit(seed, q);
    solid.shape.as.volume.data = (gyre_volume){.data = data, .n = {12, 10, 1}};
    solid.shape.as.volume.size[0] = 48.0f;
    solid.shape.as.volume.size[1] = 40.0f;
    solid.shape.as.volume.size[2] = 1.0f;
    solid.shape.as.volume.threshold = 0.6f;
    return solid;
}

/// Sets the gas moving.
static void stir(gyre_gas *gas, uint32_t seed)
{
    for (int field = 0; field < 2; field++) {
        gyre_field_view v;
        assert_int_equal(gyre_gas_map(gas, field, GYRE_WRITE, &v), GYRE_OK);
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++)
                v.data[i + j * v.stride[1]] = gy_random_unit(seed, (uint32_t)(i + 99 * j)) - 0.5f;
        }
        assert_int_equal(gyre_gas_unmap(gas, field), GYRE_OK);
    }
}

static void steps(gyre_gas *gas, int count, const int *solvers)
{
    for (int q = 0; q < count; q++) {
        assert_int_equal(gyre_gas_step(gas, 0.2f), GYRE_OK);
        gyre_gas_stats s = gyre_gas_get_stats(gas);
        assert_true(isfinite(s.residual) && isfinite(s.max_speed));
        assert_true(s.residual < 2e-3f);
        assert_true(s.solver == solvers[0] || s.solver == solvers[1]);
    }
}

/// Solids that come, change and go in a gas under auto: each step is solved, by conjugate gradients
/// where parts of blocks are coarse cells of their own.
static void test_gas(void **state)
{
    static const int porous[] = {GYRE_SOLVER_MGPCG, GYRE_SOLVER_MGPCG};
    static const int box[] = {GYRE_SOLVER_FFT, GYRE_SOLVER_MULTIGRID};
    (void)state;
    gyre_device *device = case_device(NULL, 2);
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas *gas = NULL;
    float data[2][120];
    def.grid.n[0] = 48;
    def.grid.n[1] = 40;
    def.grid.h = 1.0f;
    def.viscosity = 0.02f;
    def.density.diffusivity = 0.05f;
    assert_int_equal(gyre_gas_create(device, &def, &gas), GYRE_OK);
    for (int round = 0; round < 3; round++) {
        stir(gas, (uint32_t)round);
        steps(gas, 3, box);
        gyre_gas_solid solid = random_volume(data[round % 2], (uint32_t)round);
        gyre_id id = gyre_gas_add_solid(gas, &solid);
        steps(gas, 4, porous);
        assert_int_equal(gyre_gas_remove(gas, id), GYRE_OK);
    }
    steps(gas, 2, box);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),   cmocka_unit_test(test_rooms), cmocka_unit_test(test_drift),
        cmocka_unit_test(test_slivers), cmocka_unit_test(test_shift), cmocka_unit_test(test_gas),
    };
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
