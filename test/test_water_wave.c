// Linear waves on water: the scheme against what it promises exactly (d'Alembert, dispersion),
// borders of tiles, sides, steps that are too long.
// labels: small valgrind
#include "water_case.h"

static const double PI = 3.14159265358979323846;

// ---- the scheme

/// In one dimension at c dt = h the scheme moves d'Alembert's waves by a cell in each step.
static double hump(double x, double y)
{
    (void)y;
    double d = (x - 20.0) / 3.0;
    return d * d < 16.0 ? 0.1 * exp(-d * d) : 0.0;
}

static void test_dalembert(void **state)
{
    enum { N = 150, STEPS = 40 };
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_WAVE, N, 1, 0.5f);
    def.courant = 1.0f;
    def.wave_speed = 2.0f;
    gyre_water *water = make(&def);
    put(water, "height", hump);
    int n[2];
    float *before = get(water, "height", n);
    // At rest the hump parts in two halves. A half step of discharge first: the scheme is staggered
    // in time, so that the first step moves by the mean of both directions.
    run(water, STEPS, 0.25f);
    assert_int_equal(gyre_water_get_stats(water).substeps, 1);
    float *after = get(water, "height", n);
    double worst = 0.0, moved = 0.0;
    for (int i = STEPS + 2; i < N - STEPS - 2; i++) {
        // u^n_i = (sum of u^0 over both characteristics): exactly u_{i-n} + u_{i+n} less what lies
        // between, which for a start at rest is u^n = sum_{|k|<=n, k = n mod 2} u0_{i+k} -
        // sum_{|k|<n, k != n mod 2} u0_{i+k}.
        double exact = 0.0;
        for (int k = -STEPS; k <= STEPS; k++) {
            exact += ((k + STEPS) % 2 == 0 ? 1.0 : -1.0) * (double)before[i + k];
        }
        worst = fmax(worst, fabs((double)after[i] - exact));
        moved = fmax(moved, fabs((double)after[i] - (double)before[i]));
    }
    assert_true(worst < 3e-7);
    assert_true(moved > 0.04);
    free(before);
    free(after);
    gyre_water_destroy(water);
}

/// A wave that runs to the right keeps its form exactly.
static void test_travelling(void **state)
{
    enum { N = 128, STEPS = 300 };
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_WAVE, N, 1, 0.5f);
    periodic(&def);
    def.courant = 1.0f;
    def.wave_speed = 2.0f;
    gyre_water *water = make(&def);
    put(water, "height", hump);
    int n[2];
    float *before = get(water, "height", n);
    // q = c u half a step earlier and half a cell to the left is q at face i = c u_i: what the
    // first step needs so that u moves by one cell.
    gyre_field_view view;
    OK(gyre_water_map(water, gyre_water_field(water, "discharge_x"), GYRE_WRITE, &view));
    for (int i = 0; i < N; i++) {
        view.data[i] = 2.0f * before[i];
    }
    view.data[N] = view.data[0];
    OK(gyre_water_unmap(water, gyre_water_field(water, "discharge_x")));
    run(water, STEPS, 0.25f);
    float *after = get(water, "height", n);
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
        worst = fmax(worst, fabs((double)after[(i + STEPS) % N] - (double)before[i]));
    }
    assert_true(worst < 1e-6);
    free(before);
    free(after);
    gyre_water_destroy(water);
}

static double wave_length, wave_turn;
static double cosine(double x, double y)
{
    return 1e-2 * cos(2.0 * PI * (x * cos(wave_turn) + y * sin(wave_turn)) / wave_length);
}

/// sin(omega dt / 2)^2 = nu^2 (sin(kx h / 2)^2 + sin(ky h / 2)^2).
static void test_dispersion(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; turn++) {
        gyre_water_def def = pool(GYRE_WATER_WAVE, 64, turn ? 64 : 1, 0.25f);
        periodic(&def);
        def.courant = 1.0f;
        float dt = 0.04f;
        gyre_water *water = make(&def);
        wave_turn = turn == 2 ? PI / 4.0 : 0.0;
        wave_length = turn == 2 ? 16.0 / sqrt(2.0) / 4.0 : 16.0 / 5.0;
        put(water, "height", cosine);
        double k = 2.0 * PI / wave_length, nu = 3.0 * (double)dt / 0.25;
        double kx = k * cos(wave_turn), ky = k * sin(wave_turn);
        double s = nu * sqrt(pow(sin(kx * 0.125), 2) + pow(sin(ky * 0.125), 2));
        double omega = 2.0 / (double)dt * asin(s);
        int steps = 200, n[2];
        while (fabs(cos(omega * (steps + 0.5) * (double)dt)) > 0.7) {
            steps++;
        }
        run(water, steps, dt);
        float *u = get(water, "height", n);
        // A standing wave that began at rest: u^n = u^0 cos(omega (n + 1/2) dt) / cos(omega dt /
        // 2).
        double expected = 0.0, found = 0.0;
        for (int i = 0; i < n[0] * n[1]; i++) {
            double x = (i % n[0] + 0.5) * 0.25, y = (i / n[0] + 0.5) * 0.25;
            found += (double)u[i] * cosine(x, y);
            expected += cosine(x, y) * cosine(x, y);
        }
        double phase = cos(omega * (steps + 0.5) * (double)dt) / cos(omega * 0.5 * (double)dt);
        // The frequency that was found, near the one that was expected.
        double error = fabs(found / expected - phase) /
                       (fabs(sin(omega * (steps + 0.5) * (double)dt)) * steps * (double)dt * omega);
        assert_true(error < 1e-4);
        assert_true(fabs(found / expected) < 0.95);
        free(u);
        gyre_water_destroy(water);
    }
}

// ---- tiles

static uint32_t seed;
static int shift_x, shift_y, across, down;
static double noise(double x, double y)
{
    int i = ((int)x + shift_x) % across, j = ((int)y + shift_y) % down;
    uint32_t z = ((uint32_t)i * 73856093u) ^ ((uint32_t)j * 19349663u) ^ seed;
    z = (z ^ (z >> 15)) * 2246822519u;
    z = (z ^ (z >> 13)) * 3266489917u;
    return 0.05 * ((double)((z ^ (z >> 16)) & 0xffff) / 65536.0 - 0.5);
}

/// Water in a periodic domain knows no places: shifted by any number of cells it does the same, to
/// the bit, wherever the borders of tiles lie. The domain is no multiple of a tile.
static void test_seams(void **state)
{
    (void)state;
    across = 150;
    down = 70;
    float *first = NULL;
    for (int s = 0; s < 3; s++) {
        const int shifts[3][2] = {{0, 0}, {37, 64}, {149, 5}};
        gyre_water_def def = pool(GYRE_WATER_WAVE, across, down, 1.0f);
        periodic(&def);
        gyre_water *water = make(&def);
        shift_x = shifts[s][0];
        shift_y = shifts[s][1];
        put(water, "height", noise);
        run(water, 40, 0.2f);
        int n[2];
        float *u = get(water, "height", n);
        for (int i = 0; i < across * down && s; i++) {
            int x = (i % across + shift_x) % across, y = (i / across + shift_y) % down;
            assert_memory_equal(&u[i], &first[x + across * y], sizeof(float));
        }
        if (s) {
            free(u);
        } else {
            first = u;
        }
        gyre_water_destroy(water);
    }
    free(first);
    shift_x = shift_y = 0;
}

/// Walls on all sides: mirrored water does the mirrored thing.
static void test_walls(void **state)
{
    (void)state;
    across = 90;
    down = 130;
    gyre_water_def def = pool(GYRE_WATER_WAVE, across, down, 1.0f);
    gyre_water *water = make(&def), *mirror = make(&def);
    put(water, "height", noise);
    int n[2];
    float *u = get(water, "height", n);
    gyre_field_view view;
    OK(gyre_water_map(mirror, gyre_water_field(mirror, "height"), GYRE_WRITE, &view));
    for (int i = 0; i < across * down; i++) {
        view.data[across - 1 - i % across + view.stride[1] * (down - 1 - i / across)] = u[i];
    }
    OK(gyre_water_unmap(mirror, gyre_water_field(mirror, "height")));
    free(u);
    run(water, 200, 0.2f);
    run(mirror, 200, 0.2f);
    u = get(water, "height", n);
    float *v = get(mirror, "height", n);
    double energy = 0.0;
    for (int i = 0; i < across * down; i++) {
        float other = v[across * down - 1 - i];
        assert_true(fabsf(u[i] - other) < 1e-6f);
        energy += (double)u[i] * (double)u[i];
    }
    assert_true(energy > 0.1);
    assert_true(fabs(gyre_water_get_stats(water).ledger_error) < 1e-6 * across * down);
    free(u);
    free(v);
    gyre_water_destroy(water);
    gyre_water_destroy(mirror);
}

// ---- open sides

static double travelling(double x, double y)
{
    (void)y;
    double d = (x - 100.0) / 12.0;
    return 0.1 * exp(-d * d);
}

/// What a Gaussian of width 12 h leaves behind after it went out on the right, as a share of it.
static double reflected(int absorber, float layer)
{
    gyre_water_def def = pool(GYRE_WATER_WAVE, 200, 1, 1.0f);
    def.sides.x_high.rule = GYRE_WATER_OPEN;
    def.sides.x_high.absorber = absorber;
    def.sides.x_high.layer = layer;
    def.wave_speed = 1.0f;
    gyre_water *water = make(&def);
    put(water, "height", travelling);
    gyre_field_view view;
    OK(gyre_water_map(water, gyre_water_field(water, "discharge_x"), GYRE_WRITE, &view));
    for (int i = 0; i < view.n[0]; i++) {
        // A right-going wave: q = c u at the face, half a step before.
        view.data[i] = (float)travelling(i + 0.25, 0.0);
    }
    OK(gyre_water_unmap(water, gyre_water_field(water, "discharge_x")));
    run(water, 360, 0.5f);
    int n[2];
    float *u = get(water, "height", n), most = 0.0f;
    for (int i = 0; i < n[0] - 30; i++) {
        most = fabsf(u[i]) > fabsf(most) ? u[i] : most;
    }
    free(u);
    gyre_water_destroy(water);
    return (double)most / 0.1;
}

static void test_open_sides(void **state)
{
    (void)state;
    double old = reflected(GYRE_WATER_GHOST_OLD, 0), new = reflected(GYRE_WATER_GHOST_NEW, 0);
    double mur = reflected(GYRE_WATER_MUR, 0), layer = reflected(GYRE_WATER_LAYER, 48);
    print_message("reflection: old %.4f new %.4f mur %.5f layer %.5f\n", old, new, mur, layer);
    assert_true(fabs(fabs(old) - 0.20) < 0.02);
    assert_true(fabs(fabs(new) - 0.028) < 0.004);
    assert_true(fabs(mur) < 0.001);
    assert_true(fabs(layer) < 0.006);
}

static double ring(double x, double y)
{
    double d = ((x - 40.0) * (x - 40.0) + (y - 90.0) * (y - 90.0)) / 25.0;
    return 0.1 * exp(-d);
}

/// Waves that meet the sides at every angle: how much energy is left when all should have gone.
static double left_over(int absorber, float layer)
{
    gyre_water_def def = pool(GYRE_WATER_WAVE, 180, 180, 1.0f);
    gyre_water_side *sides = &def.sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
        sides[q].absorber = absorber;
        sides[q].layer = layer;
    }
    def.wave_speed = 1.0f;
    gyre_water *water = make(&def);
    put(water, "height", ring);
    gyre_water_stats start = gyre_water_get_stats(water);
    double all = start.potential_energy + start.kinetic_energy;
    run(water, 500, 0.6f);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
    gyre_water_destroy(water);
    return (s.potential_energy + s.kinetic_energy) / all;
}

static void test_oblique(void **state)
{
    (void)state;
    double wall = left_over(GYRE_WATER_GHOST_OLD, 0), mur = left_over(GYRE_WATER_MUR, 0);
    double layer = left_over(GYRE_WATER_LAYER, 30);
    print_message("left after going out: ghost %.5f mur %.6f layer %.7f\n", wall, mur, layer);
    assert_true(mur < 0.3 * wall);
    assert_true(layer < 0.2 * mur);
}

/// A train of waves comes in on the left, runs through and leaves on the right.
static void test_inflow(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_WAVE, 300, 1, 0.1f);
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.amplitude = 0.05f;
    def.sides.x_low.period = 1.0f;
    def.sides.x_high.rule = GYRE_WATER_OPEN;
    gyre_water *water = make(&def);
    run(water, 1200, 0.02f);
    int n[2];
    float most = 0.0f, least = 0.0f;
    float *u = get(water, "height", n);
    for (int i = 0; i < n[0]; i++) {
        most = fmaxf(most, u[i]);
        least = fminf(least, u[i]);
    }
    // One wave's length is 3 m; a standing part would make humps of different heights.
    assert_true(fabsf(most - 0.05f) < 0.001f);
    assert_true(fabsf(least + 0.05f) < 0.001f);
    for (int i = 30; i < 260; i++) {
        assert_true(fabsf(u[i] - u[i + 30]) < 0.002f);
    }
    free(u);
    gyre_water_destroy(water);
}

// ---- steps that are too long

static void test_excess(void **state)
{
    (void)state;
    across = down = 64;
    gyre_water_def def = pool(GYRE_WATER_WAVE, 64, 64, 1.0f);
    for (int excess = 0; excess < 3; excess++) {
        def.excess = excess;
        gyre_water *water = make(&def);
        put(water, "height", noise);
        run(water, 200, 1.0f); // c dt / h = 3
        gyre_water_stats s = gyre_water_get_stats(water);
        int n[2];
        float *u = get(water, "height", n), most = 0.0f;
        for (int i = 0; i < 64 * 64; i++) {
            assert_true(isfinite(u[i]));
            most = fmaxf(most, fabsf(u[i]));
        }
        if (excess == GYRE_WATER_SPLIT) {
            assert_int_equal(s.substeps, 5);
            assert_true(most < 1.0f);
        } else if (excess == GYRE_WATER_CLAMP) {
            assert_int_equal(s.substeps, 1);
            assert_true(s.courant <= 0.7072f && most < 1.0f);
        } else {
            assert_true(most > 1e3f);
        }
        free(u);
        gyre_water_destroy(water);
    }
    // At the limit itself one step is one step.
    def.excess = GYRE_WATER_SPLIT;
    def.courant = 1.0f;
    gyre_water *water = make(&def);
    run(water, 1, 1.0f / 3.0f * 0.70710677f);
    assert_int_equal(gyre_water_get_stats(water).substeps, 1);
    run(water, 1, 1.0f / 3.0f * 0.7075f);
    assert_int_equal(gyre_water_get_stats(water).substeps, 2);
    gyre_water_destroy(water);
}

/// A rate of damping is one, whatever the step.
static void test_damping(void **state)
{
    (void)state;
    double energy[2];
    for (int q = 0; q < 2; q++) {
        gyre_water_def def = pool(GYRE_WATER_WAVE, 64, 1, 0.25f);
        periodic(&def);
        def.damping = 0.5f;
        gyre_water *water = make(&def);
        wave_turn = 0.0;
        wave_length = 8.0;
        put(water, "height", cosine);
        run(water, q ? 800 : 200, q ? 0.01f : 0.04f);
        gyre_water_stats s = gyre_water_get_stats(water);
        energy[q] = s.kinetic_energy + s.potential_energy;
        // Energy of a standing wave goes with the rate itself (half of it is kinetic).
        double start = 0.5 * 1000 * 9.81 * 16.0 * 0.25 * 0.5 * 1e-4;
        assert_true(fabs(energy[q] / (start * exp(-0.5 * 8.0)) - 1.0) < 0.15);
        gyre_water_destroy(water);
    }
    assert_true(fabs(energy[0] / energy[1] - 1.0) < 0.1);
}

/// A step that writes where it reads finds its neighbours' edges in the borders that the step
/// before has left. Whatever changes the water between steps, it does as one that reads old and
/// writes new states does (with steps that may explode, which these do not).
static void test_in_place(void **state)
{
    (void)state;
    for (int shape = 0; shape < 3; shape++) {
        float *end[2][3];
        int n[2] = {0, 0};
        for (int kind = 0; kind < 2; kind++) {
            gyre_water_def def = pool(GYRE_WATER_WAVE, shape == 2 ? 64 : 150, 130, 0.5f);
            gyre_water_body ball = gyre_water_default_body();
            float mask[150 * 130];
            for (int c = 0; c < 150 * 130; c++) {
                mask[c] = hypot(c % 150 - 70, c / 150 - 66) < 9 ? 0.0f : 1.0f;
            }
            def.mask = shape == 1 ? (gyre_volume){mask, {150, 130, 1}, NULL} : (gyre_volume){0};
            if (shape != 1) {
                periodic(&def);
            }
            snprintf(ball.name, sizeof ball.name, "ball");
            ball.size[0] = 2.0f;
            ball.pose.position[0] = 20.0f;
            ball.pose.position[1] = 31.0f;
            ball.held = true;
            def.bodies = (gyre_pool){&ball, 1, 1};
            def.damping = 0.1f;
            def.excess = kind ? GYRE_WATER_EXPLODE : GYRE_WATER_SPLIT;
            gyre_water *water = make(&def);
            gyre_model *model = gyre_water_model(water);
            for (int step = 0; step < 60; step++) {
                float at[3] = {3.0f + (float)(step * 7 % 26), 1.0f + (float)(step * 11 % 60), 0.0f};
                if (step % 4 == 0) {
                    OK(gyre_model_splat(model, 0, at, 3.0f, 0.1f));
                }
                if (step % 9 == 5) {
                    gyre_value value = {.kind = GYRE_FLOAT, .count = 3};
                    value.number[0] = 15.0 + step % 11;
                    value.number[1] = 31.0;
                    OK(gyre_model_set(model, "bodies.ball.position", &value));
                }
                if (step == 20) {
                    gyre_field_view view;
                    OK(gyre_water_map(water, gyre_water_field(water, "height"), GYRE_WRITE, &view));
                    view.data[63 + 64 * view.stride[1]] += 0.2f;
                    view.data[view.stride[1]] -= 0.1f;
                    OK(gyre_water_unmap(water, gyre_water_field(water, "height")));
                }
                run(water, 1, 0.1f);
            }
            end[kind][0] = get(water, "height", n);
            end[kind][1] = get(water, "discharge_x", n);
            end[kind][2] = get(water, "discharge_y", n);
            gyre_water_destroy(water);
        }
        int cells = (shape == 2 ? 64 : 150) * 130;
        double moved = 0.0;
        for (int f = 0; f < 3; f++) {
            assert_memory_equal(end[0][f], end[1][f], sizeof(float) * (size_t)cells);
            for (int c = 0; c < cells; c++) {
                moved = fmax(moved, fabs((double)end[0][f][c]));
            }
            free(end[0][f]);
            free(end[1][f]);
        }
        assert_true(moved > 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dalembert),  cmocka_unit_test(test_travelling),
        cmocka_unit_test(test_dispersion), cmocka_unit_test(test_seams),
        cmocka_unit_test(test_walls),      cmocka_unit_test(test_open_sides),
        cmocka_unit_test(test_oblique),    cmocka_unit_test(test_inflow),
        cmocka_unit_test(test_in_place),   cmocka_unit_test(test_excess),
        cmocka_unit_test(test_damping),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
