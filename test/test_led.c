// labels: small threads
// A gas whose velocity is given (gas.velocity): noise, arrays, a function of the caller's.
#include "test/every_device.h"
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static void told(const char *what, double x, double most)
{
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s: %.3g, at most %.3g\n", what, x, most);
    if (!(x <= most))
        fail_msg("%s: %g, at most %g", what, x, most);
}

static gyre_gas_def box(int dim, int n, int rule, int velocity)
{
    gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, rule);
    def.velocity = velocity;
    return def;
}

// ---- noise

/// Free of divergence to rounding, whatever is shut; an even field stays even.
static void noise_passes_walls_by(void **state)
{
    (void)state;
    for (int q = 0; q < 7; q++) {
        int dim = q < 4 ? 2 : 3;
        static const int rules[3] = {GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_PERIODIC,
                                     GYRE_GAS_SIDE_OPEN};
        gyre_gas_def def = box(dim, dim == 3 ? 15 : 37, rules[q % 4 % 3], GYRE_GAS_NOISE);
        gyre_gas_solid solids[2] = {sphere(0.55, 0.4, 0.5, 0.2), wall(1, 0.7, 0.74)};
        gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
        const float from[3] = {0.2f, 0.12f, 0}, to[3] = {0.83f, 0.9f, 0};
        memcpy(sheet.form.as.line.from, from, sizeof from);
        memcpy(sheet.form.as.line.to, to, sizeof to);
        def.noise.speed = 1.0f;
        if (q == 0 || q == 2)
            def.sheets = (gyre_pool){&sheet, 1, 1};
        if (q > 0)
            def.solids = (gyre_pool){solids, q == 3 ? 2 : 1, 2};
        gyre_gas *gas = make(&def);
        set_constant(gas, gyre_gas_field(gas, "density"), 1.0);
        for (int s = 0; s < 5; s++)
            must(gyre_gas_step(gas, 0.03f));
        gyre_gas_stats stats = gyre_gas_get_stats(gas);
        assert_true(stats.max_speed > 0.5f && stats.kinetic_energy > 0.02);
        // Differences of the potential, over a cell: rounding of 1 m/s by 1/h.
        told("divergence times a cell", (double)(stats.div_max_after * def.grid.h), 2e-6);
        assert_int_equal(stats.cycles, 0);
        for (int i = 0; i < def.grid.n[0] && q % 4 != 2; i++)
            for (int j = 0; j < def.grid.n[1]; j++) {
                float x = *sample(gas, dim, i, j, dim == 3 ? 7 : 0);
                bool out = q > 0 && x == 0.0f;
                assert_true(out || fabsf(x - 1.0f) < 2e-5f);
            }
        finite_everywhere(gas);
        gyre_gas_destroy(gas);
    }
}

/// In a periodic box its root mean square is `speed`, at twice the cells too; whose waves are the
/// same: but that none is shorter than four cells.
static void noise_has_its_speed(void **state)
{
    (void)state;
    double energy[2][2] = {{0.0}};
    for (int dim = 2; dim <= 3; dim++)
        for (int q = 0; q < 2; q++) {
            gyre_gas_def def =
                box(dim, (dim == 3 ? 16 : 48) << q, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_NOISE);
            def.noise.speed = 0.3f;
            def.noise.size = 0.5f;
            def.noise.octaves = dim == 3 ? 1.0f : 2.0f;
            gyre_gas *gas = make(&def);
            for (int s = 0; s < 24; s++) {
                must(gyre_gas_step(gas, 1.75f));
                energy[dim - 2][q] += gyre_gas_get_stats(gas).kinetic_energy / 24.0;
            }
            gyre_gas_destroy(gas);
            if (getenv("GYRE_TEST_PRINT"))
                print_message("noise in %dD: speed %.4f of %.4f\n", dim,
                              sqrt(2.0 * energy[dim - 2][q]), 0.3);
            assert_true(fabs(sqrt(2.0 * energy[dim - 2][q]) / 0.3 - 1.0) < 0.1);
        }
    assert_true(fabs(energy[0][1] / energy[0][0] - 1.0) < 0.03);
    assert_true(fabs(energy[1][1] / energy[1][0] - 1.0) < 0.05);
}

// ---- Zalesak's disk: the numbers of gyre bench transport

static double slotted(const double x[3], const void *data)
{
    double h = *(const double *)data, sum = 0.0;
    for (int q = 0; q < 64; q++) {
        double a = x[0] + ((q % 8 + 0.5) / 8 - 0.5) * h - 0.5;
        double b = x[1] + ((q / 8 + 0.5) / 8 - 0.5) * h;
        sum += hypot(a, b - 0.75) < 0.15 && !(fabs(a) < 0.025 && b < 0.85);
    }
    return sum / 64.0;
}

static void turning(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++) {
        double x = (double)row->place[0] + (double)row->step * i;
        values[i] = (float)(row->axis == 0 ? 0.5 - (double)row->place[1] : x - 0.5);
    }
}

static double turned_disk(gyre_gas *gas, int steps)
{
    double h = (double)gas->grid.h, off = 0.0, all = 0.0;
    int density = gyre_gas_field(gas, "density");
    set_field(gas, density, slotted, &h);
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, (float)(2.0 * pi / steps)));
    for (int j = 0; j < 100; j++)
        for (int i = 0; i < 100; i++) {
            const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, 0.0};
            off += fabs((double)*sample(gas, density, i, j, 0) - slotted(x, &h));
            all += slotted(x, &h);
        }
    gyre_gas_destroy(gas);
    return off / all;
}

static void as_the_bench_says(void **state)
{
    (void)state;
    static const double l1[] = {1.060, 0.700, 0.165, 0.500, 0.499};
    for (int scheme = SANITIZED ? GYRE_GAS_CUBIC : 0; scheme <= GYRE_GAS_CUBIC; scheme++) {
        gyre_gas_def def = box(2, 100, GYRE_GAS_SIDE_OPEN, GYRE_GAS_ROWS);
        def.advection = scheme;
        gyre_gas *gas = make(&def);
        must(gyre_gas_set_velocity_rows(gas, turning, NULL));
        double off = turned_disk(gas, 630);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("Zalesak's disk, scheme %d: L1 %.4f, the bench: %.3f\n", scheme, off,
                          l1[scheme]);
        assert_true(fabs(off - l1[scheme]) < 0.011);
    }
}

// ---- arrays

enum { N = 12, FRAMES = 3 };
static float across[2][FRAMES * (N + 1) * N];

/// Frame f turns f + 1 times as fast.
static void fill_arrays(gyre_gas_def *def)
{
    for (int f = 0; f < FRAMES; f++)
        for (int q = 0; q < (N + 1) * N; q++) {
            float by = (float)(f + 1) / N;
            across[0][f * (N + 1) * N + q] = by * (0.5f * N - ((float)(q / (N + 1)) + 0.5f));
            across[1][f * (N + 1) * N + q] = by * ((float)(q % N) + 0.5f - 0.5f * N);
        }
    def->recorded.x = (gyre_volume){across[0], {N + 1, N, FRAMES}, "x"};
    def->recorded.y = (gyre_volume){across[1], {N, N + 1, FRAMES}, "y"};
    def->recorded.rate = 2.0f;
}

static void speeds_up(void *user, const gyre_gas_row *row, float *values)
{
    turning(user, row, values);
    for (int i = 0; i < row->count; i++)
        values[i] *= (float)(1.0 + 2.0 * row->time);
}

static void arrays_are_read_in_time(void **state)
{
    (void)state;
    gyre_gas_def def = box(2, N, GYRE_GAS_SIDE_OPEN, GYRE_GAS_RECORDED);
    fill_arrays(&def);
    gyre_gas *gas = make(&def), *other;
    def.velocity = GYRE_GAS_ROWS;
    other = make(&def);
    must(gyre_gas_set_velocity_rows(other, speeds_up, NULL));
    static const float centre[3] = {0.5f, 0.3f, 0.0f};
    gyre_gas_splat(gas, 2, centre, 0.2f, 1.0f);
    gyre_gas_splat(other, 2, centre, 0.2f, 1.0f);
    for (int s = 0; s < 9; s++) {
        must(gyre_gas_step(gas, 0.1f));
        must(gyre_gas_step(other, 0.1f));
    }
    for (int q = 0; q < N * N; q++) {
        assert_true(fabsf(*sample(gas, 0, q % N, q / N, 0) - *sample(other, 0, q % N, q / N, 0)) <
                    1e-5f);
        assert_true(fabsf(*sample(gas, 2, q % N, q / N, 0) - *sample(other, 2, q % N, q / N, 0)) <
                    1e-5f);
    }
    // After the last one it stays as it is.
    for (int s = 0; s < 5; s++)
        must(gyre_gas_step(gas, 0.2f));
    assert_true(*sample(gas, 0, 3, 9, 0) == across[0][2 * (N + 1) * N + 9 * (N + 1) + 3]);
    // Or the first one follows: 3 frames a round of 1.5 s, and a quarter of a second on.
    must(gyre_gas_set(gas, "recorded.loop", gyre_bool(true)));
    must(gyre_gas_step(gas, 0.0f));
    double at = gas->model.time - 1.5 * floor(gas->model.time / 1.5);
    double by = at < 1.0 ? 1.0 + 2.0 * at : 3.0 - 4.0 * (at - 1.0);
    double first = (double)across[0][9 * (N + 1) + 3];
    assert_true(fabs((double)*sample(gas, 0, 3, 9, 0) - by * first) < 1e-5);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

// ---- the middle of a step: a wave is carried by the integral of 1 + 2 t

static void gathers_speed(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++)
        values[i] = row->axis == 0 ? (float)(1.0 + 2.0 * row->time) : 0.0f;
}

static double wave(const double x[3], const void *data)
{
    return 1.0 + sin(2.0 * pi * (x[0] - *(const double *)data));
}

static void by_the_middle(void **state)
{
    (void)state;
    gyre_gas_def def = box(2, 32, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_ROWS);
    gyre_gas *gas = make(&def);
    double zero = 0.0, re = 0.0, im = 0.0;
    set_field(gas, 2, wave, &zero);
    must(gyre_gas_set_velocity_rows(gas, gathers_speed, NULL));
    for (int s = 0; s < 20; s++)
        must(gyre_gas_step(gas, 0.025f));
    for (int i = 0; i < 32; i++) {
        re += (double)*sample(gas, 2, i, 5, 0) * sin(2.0 * pi * (i + 0.5) / 32);
        im -= (double)*sample(gas, 2, i, 5, 0) * cos(2.0 * pi * (i + 0.5) / 32);
    }
    told("wave off by", fabs(remainder(atan2(im, re) / (2.0 * pi) - 0.75, 1.0)), 1e-3);
    gyre_gas_destroy(gas);
}

// ---- not free of divergence

static void squeezes(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++) {
        float x = row->place[0] + row->step * (float)i;
        values[i] = row->axis == 0 ? 0.5f * (0.5f - x) : 0.3f * row->place[1];
    }
}

static void totals_are_kept(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = box(dim, 16, GYRE_GAS_SIDE_SLIP, GYRE_GAS_ROWS);
        gyre_gas_solid solid = sphere(0.5, 0.8, 0.5, 0.15);
        def.solids = (gyre_pool){&solid, 1, 0};
        gyre_gas *gas = make(&def);
        must(gyre_gas_set_velocity_rows(gas, squeezes, NULL));
        gyre_gas_splat(gas, dim, (const float[3]){0.4f, 0.5f, 0.5f}, 0.2f, 1.0f);
        double before = total(gas, "density");
        for (int s = 0; s < 100; s++)
            must(gyre_gas_step(gas, 0.05f));
        told("total off by", fabs(total(gas, "density") / before - 1.0), 1e-6);
        gyre_gas_budget b = gyre_gas_get_budget(gas, dim);
        told("budget off by", fabs(b.total - (b.added + b.rounding - b.left)) / before, 1e-6);
        // -0.5 + 0.3 (3D: the same), and what the lower and upper side and the solid stop.
        assert_true(gyre_gas_get_stats(gas).div_max_after > 0.2f);
        finite_everywhere(gas);
        gyre_gas_destroy(gas);
    }
}

// ---- the same bits

static uint64_t first_hash[3];

static void require_hash(gyre_device *device, const char *on)
{
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = small(q == 0 ? 2 : 3);
        def.velocity = q < 2 ? GYRE_GAS_NOISE : GYRE_GAS_ROWS;
        def.tracers.capacity = def.tracers.start = 20;
        def.density.diffusivity = 1e-3f;
        def.advection = q == 1 ? GYRE_GAS_BFECC : GYRE_GAS_CONSERVATIVE;
        gyre_gas_solid solid = sphere(0.4, 0.4, 0.2, 0.15);
        gyre_gas_emitter e = gyre_gas_default_emitter();
        e.shape = gas_sphere(0.7f, 0.4f, 0.2f, 0.1f);
        e.density = 2.0f;
        def.solids = (gyre_pool){&solid, 1, 0};
        def.emitters = (gyre_pool){&e, 1, 0};
        gyre_gas *gas = NULL;
        must(gyre_gas_create(device, &def, &gas));
        must(gyre_gas_set_velocity_rows(gas, squeezes, NULL));
        for (int s = 0; s < 4; s++)
            must(gyre_gas_step(gas, 0.03f));
        uint64_t hash = gyre_gas_hash(gas);
        first_hash[q] = first_hash[q] ? first_hash[q] : hash;
        if (hash != first_hash[q])
            fail_msg("other bits: %s, %d", on, q);
        gyre_gas_destroy(gas);
    }
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    on_every_device(require_hash);
}

// ---- states, and back to what is solved

static void a_state_goes_on(void **state)
{
    (void)state;
    gyre_gas_def def = small(2);
    def.velocity = GYRE_GAS_NOISE;
    gyre_gas *gas = make(&def), *other = make(&def);
    gyre_gas_splat(gas, 2, (const float[3]){0.5f, 0.3f}, 0.2f, 1.0f);
    for (int s = 0; s < 3; s++)
        must(gyre_gas_step(gas, 0.02f));
    size_t size = gyre_gas_save_size(gas);
    void *memory = malloc(size);
    must(gyre_gas_save(gas, memory, size, NULL));
    must(gyre_gas_load(other, memory, size));
    for (int s = 0; s < 3; s++) {
        must(gyre_gas_step(gas, 0.02f));
        must(gyre_gas_step(other, 0.02f));
    }
    assert_true(gyre_gas_hash(other) == gyre_gas_hash(gas));
    // What it was led by is what it goes on with.
    must(gyre_gas_set(gas, "velocity", gyre_string("solved")));
    double before = gyre_gas_get_stats(gas).kinetic_energy;
    for (int s = 0; s < 3; s++)
        must(gyre_gas_step(gas, 0.01f));
    double after = gyre_gas_get_stats(gas).kinetic_energy;
    assert_true(after > 0.8 * before && after <= before * 1.001);
    assert_true(gyre_gas_get_stats(gas).div_max_after < 1e-3f);
    must(gyre_gas_set(gas, "velocity", gyre_string("noise")));
    must(gyre_gas_step(gas, 0.01f));
    finite_everywhere(gas);
    free(memory);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

// ---- what is refused

static void spoil(void *user, const gyre_gas_row *row, float *values)
{
    squeezes(user, row, values);
    if (row->axis == 1 && row->time > 0.05 && row->first[1] >= 7)
        values[4] = NAN;
}

static void refuse(gyre_gas_def *def, const char *start)
{
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(the_device, def, &gas), GYRE_ERROR_ARGUMENT);
    one_line();
    if (strncmp(gyre_message(), start, strlen(start)) != 0)
        fail_msg("%s", gyre_message());
}

static void what_has_no_effect(void **state)
{
    (void)state;
    gyre_gas_def def = box(2, N, GYRE_GAS_SIDE_SLIP, GYRE_GAS_NOISE);
    gyre_gas_force f = gyre_gas_default_force(GYRE_GAS_WIND);
    gyre_gas_emitter e = gyre_gas_default_emitter();
    e.push = true;
    def.forces = (gyre_pool){&f, 1, 1};
    refuse(&def, "forces.0: has no effect where the velocity is given");
    f.enabled = false;
    def.emitters = (gyre_pool){&e, 1, 0};
    refuse(&def, "emitters.0.push: ");
    def.emitters.count = 0;
    def.frame.spin[2] = 1.0f;
    refuse(&def, "frame: ");
    def.frame.spin[2] = 0.0f;
    def.sides.x_high.rule = GYRE_GAS_SIDE_INFLOW;
    refuse(&def, "sides.x_high.rule: inflow: ");
    def.sides.x_high.rule = GYRE_GAS_SIDE_SLIP;
    def.velocity = GYRE_GAS_RECORDED;
    refuse(&def, "recorded.x: is missing");
    fill_arrays(&def);
    def.recorded.y.n[2] = 2;
    refuse(&def, "recorded.y: is 12 x 13 x 2");
    def.recorded.y.n[2] = FRAMES;
    gyre_gas *gas = make(&def);
    // Set while it runs, the force is refused, and nothing else changes.
    f.enabled = true;
    assert_int_equal(gyre_gas_add_force(gas, &f), 0);
    must(gyre_gas_step(gas, 0.01f));
    static float rate[(N + 1) * N];
    must(gyre_gas_set_source(gas, 0, rate));
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_ERROR_STATE);
    must(gyre_gas_set_source(gas, 0, NULL));
    must(gyre_gas_set_force_rows(gas, squeezes, NULL, false));
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_ERROR_STATE);
    must(gyre_gas_set_force_rows(gas, NULL, NULL, false));
    must(gyre_gas_step(gas, 0.01f));
    must(gyre_model_shift(gyre_gas_model(gas), (const int[3]){1, 0, 0}));
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_ERROR_STATE);
    one_line();
    gyre_gas_destroy(gas);
}

static void no_number_is_refused(void **state)
{
    (void)state;
    gyre_gas_def def = small(2);
    def.velocity = GYRE_GAS_ROWS;
    gyre_gas *gas = make(&def);
    assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_ERROR_STATE);
    must(gyre_gas_set_velocity_rows(gas, spoil, NULL));
    must(gyre_gas_step(gas, 0.02f));
    must(gyre_gas_step(gas, 0.02f));
    uint64_t before = gyre_gas_hash(gas);
    assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "face 4, 7, 0 across y"));
    assert_true(gyre_gas_hash(gas) == before && gas->model.steps == 2);
    gyre_gas_destroy(gas);
    def = box(2, N, GYRE_GAS_SIDE_OPEN, GYRE_GAS_RECORDED);
    fill_arrays(&def);
    gas = make(&def);
    across[1][5] = INFINITY;
    assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "recorded: the arrays gave no finite number"));
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_passes_walls_by), cmocka_unit_test(noise_has_its_speed),
        cmocka_unit_test(as_the_bench_says),     cmocka_unit_test(arrays_are_read_in_time),
        cmocka_unit_test(by_the_middle),         cmocka_unit_test(totals_are_kept),
        cmocka_unit_test(same_bits_everywhere),  cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(what_has_no_effect),    cmocka_unit_test(no_number_is_refused),
    };
    WATCH_THREADS_IN(same_bits_everywhere);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
