// The Earth's rotation over water, modes wave and shallow: inertial circles, balanced flow, energy,
// the ledger, borders of tiles, threads and instruction sets.
#include "water_case.h"

static const double PI = 3.14159265358979323846;

static const int modes[] = {GYRE_WATER_WAVE, GYRE_WATER_SHALLOW, GYRE_WATER_DISPERSIVE};
static const char *const names[] = {"wave", "shallow", "dispersive"};

// ---- inertial oscillation

static double eastwards(double x, double y)
{
    (void)x;
    (void)y;
    return 0.5;
}

/// Uniform flow without a slope goes round to the right, once in 2 pi / f, and loses nothing.
static void test_inertial(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        for (int south = 0; south < 2; south++) {
            gyre_water_def def = pool(modes[m], 70, m < 2 ? 66 : 70, 10.0f);
            periodic(&def);
            def.coriolis = south ? -0.05f : 0.05f;
            gyre_water *water = make(&def);
            put(water, "discharge_x", eastwards);
            // A quarter: it runs to the south where f > 0.
            double quarter = 0.5 * PI / 0.05;
            run(water, 100, (float)(quarter / 100.0));
            int n[2];
            float *qx = get(water, "discharge_x", n), *qy = get(water, "discharge_y", n);
            double expected = south ? 0.5 : -0.5;
            assert_true(fabs((double)qx[100]) < 1e-4 * 0.5);
            assert_true(fabs((double)qy[100] - expected) < 1e-5 * 0.5);
            free(qx);
            free(qy);
            // Ten times round: phase and length.
            run(water, 3900, (float)(quarter / 100.0));
            qx = get(water, "discharge_x", n);
            qy = get(water, "discharge_y", n);
            for (int i = 0; i < 66; i++) {
                double length = hypot((double)qx[i * n[0] + i], (double)qy[i * n[0] + i]);
                double angle = atan2((double)qy[i * n[0] + i], (double)qx[i * n[0] + i]);
                assert_true(fabs(angle) < 1e-3); // of 63 rad
                assert_true(fabs(length - 0.5) < 2e-5 * 0.5);
            }
            free(qx);
            free(qy);
            gyre_water_destroy(water);
        }
    }
}

/// A step that turns far is split, and comes to the same.
static void test_long_steps(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        gyre_water_def def = pool(modes[m], 16, 16, 1000.0f);
        periodic(&def);
        def.coriolis = 0.05f;
        gyre_water *water = make(&def);
        put(water, "discharge_x", eastwards);
        run(water, 4, (float)(0.5 * PI / 0.05));
        assert_true(gyre_water_get_stats(water).substeps >= 8);
        int n[2];
        float *qx = get(water, "discharge_x", n);
        assert_true(fabs((double)qx[100] - 0.5) < 1e-5);
        free(qx);
        gyre_water_destroy(water);
    }
}

/// A step that turns by more than a radian at once does so in mode dispersive, whose turn is not
/// split; where `excess` asks that no step be split, what is left out of the turn is told.
static void test_far_turns(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_DISPERSIVE, 16, 16, 1000.0f);
    periodic(&def);
    def.coriolis = 0.05f;
    gyre_water *water = make(&def);
    put(water, "discharge_x", eastwards);
    run(water, 1, (float)(2.5 * PI / 0.05)); // once round and a quarter
    int n[2];
    float *qx = get(water, "discharge_x", n), *qy = get(water, "discharge_y", n);
    assert_true(fabs((double)qx[100]) < 1e-5 && fabs((double)qy[100] + 0.5) < 1e-5);
    assert_true(gyre_water_get_stats(water).turn_cut == 0.0);
    free(qx);
    free(qy);
    gyre_water_destroy(water);
    for (int excess = 0; excess < 2; excess++) {
        def.mode = GYRE_WATER_WAVE;
        def.excess = excess ? GYRE_WATER_CLAMP : GYRE_WATER_SPLIT;
        water = make(&def);
        run(water, 1, 50.0f); // 2.5 rad
        double cut = gyre_water_get_stats(water).turn_cut;
        assert_true(excess ? fabs(cut - 1.5) < 1e-5 : cut == 0.0);
        run(water, 1, 0.1f);
        assert_true(gyre_water_get_stats(water).turn_cut == 0.0);
        gyre_water_destroy(water);
    }
}

/// Flow that turns at the scheme's limit, rough from cell to cell, does not grow: what damps jumps
/// of speed is less there than elsewhere.
static double jagged(double x, double y)
{
    return 0.02 * sin(2.9 * x + 1.3 * y) + 0.02 * cos(3.1 * y) + 0.01 * sin(0.2 * x);
}

static double jagged_depth(double x, double y)
{
    return 1.0 + 0.3 * jagged(y, x);
}

static void test_rough_flow_is_stable(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    periodic(&def);
    def.courant = 1.0f;
    def.coriolis = 0.1f;
    gyre_water *water = make(&def);
    put(water, "depth", jagged_depth);
    put(water, "discharge_x", jagged);
    put(water, "discharge_y", jagged);
    gyre_water_stats first = gyre_water_get_stats(water), last = first;
    double before = first.kinetic_energy + first.potential_energy, rise = 0.0;
    for (int k = 0; k < 4000; k++) {
        run(water, 1, 0.25f);
        last = gyre_water_get_stats(water);
        double now = last.kinetic_energy + last.potential_energy;
        rise = fmax(rise, now - before);
        before = now;
    }
    print_message(
        "rough flow: %.3f J of kinetic energy, after 4000 steps %.3f; rose by %.1e J in a "
        "step at most\n",
        first.kinetic_energy, last.kinetic_energy, rise);
    assert_true(last.kinetic_energy < first.kinetic_energy);
    assert_true(rise < 1e-2 * first.kinetic_energy);
    gyre_water_destroy(water);
}

// ---- balance

enum { JET = 64 };
static const double F = 1e-4, DEPTH = 100.0, SPEED = 0.5, WIDTH = 60e3, H = 10e3;

/// A jet along x, SPEED / cosh^2, and the surface that holds it: f u = -g d eta/dy.
static double jet(double y)
{
    return SPEED / pow(cosh((y - 0.5 * JET * H) / WIDTH), 2.0);
}

static double jet_surface(double x, double y)
{
    (void)x;
    return -F / 9.81 * SPEED * WIDTH * tanh((y - 0.5 * JET * H) / WIDTH);
}

static double jet_depth(double x, double y)
{
    return DEPTH + jet_surface(x, y);
}

static double jet_discharge(double x, double y)
{
    return jet(y) * jet_depth(x, y);
}

static double jet_linear(double x, double y)
{
    (void)x;
    return jet(y) * DEPTH;
}

static void get_speed(const float *before, const float *after, int count, double *worst,
                      double *most)
{
    for (int i = 0; i < count; i++) {
        *worst = fmax(*worst, fabs((double)after[i] - (double)before[i]));
        *most = fmax(*most, (double)before[i]);
    }
}

/// A jet in balance stays for ten days within 1 %, in mode dispersive 1.5; without the rotation it
/// is gone.
static void test_jet(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        bool wave = modes[m] == GYRE_WATER_WAVE;
        double kept[2];
        for (int turns = 0; turns < 2; turns++) {
            gyre_water_def def = pool(modes[m], 16, JET, (float)H);
            def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
            def.bed.flat = (float)-DEPTH;
            def.wave_speed = (float)sqrt(9.81 * DEPTH);
            def.coriolis = turns ? (float)F : 0.0f;
            gyre_water *water = make(&def);
            put(water, wave ? "height" : "depth", wave ? jet_surface : jet_depth);
            put(water, "discharge_x", wave ? jet_linear : jet_discharge);
            int n[2];
            float *before = get(water, "discharge_x", n), *high = get(water, "surface", n);
            run(water, turns ? 4320 : 43, 200.0f); // 10 days, or 2.4 h
            float *after = get(water, "discharge_x", n), *end = get(water, "surface", n);
            double worst = 0.0, most = 0.0, rise = 0.0, range = 0.0;
            for (int i = 0; i < 16 * JET; i++) {
                rise = fmax(rise, fabs((double)end[i] - (double)high[i]));
                range = fmax(range, fabs((double)high[i]));
            }
            free(high);
            free(end);
            get_speed(before, after, wave ? 17 * JET : 16 * JET, &worst, &most);
            kept[turns] = fmax(worst / most, rise / range);
            gyre_water_stats stats = gyre_water_get_stats(water);
            assert_true(fabs(stats.ledger_error) < 1e-6 * stats.volume || wave);
            free(before);
            free(after);
            float *south = get(water, "discharge_y", n);
            for (int i = 0; i < n[0] * n[1] && turns; i++) {
                assert_true(fabs((double)south[i]) < 0.01 * most);
            }
            free(south);
            gyre_water_destroy(water);
        }
        print_message("%s: a jet's worst change in ten days %.3e (without rotation, 2.4 h: %.3e)\n",
                      names[m], kept[1], kept[0]);
        assert_true(kept[1] < (m == 2 ? 0.015 : 0.01));
        assert_true(kept[0] > 0.5);
    }
}

// ---- energy, borders

static double rough(double x, double y)
{
    return 0.05 * sin(0.37 * x) * cos(0.23 * y + 0.4) + 0.02 * sin(1.3 * x + 0.9 * y);
}

/// Linear waves between walls, turning, at the longest steps, with a gradient: their energy neither
/// grows nor falls in 20000 steps.
static void test_energy(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_WAVE, 70, 67, 1.0f);
    def.courant = 0.95f;
    def.coriolis = 0.5f;
    def.coriolis_beta = 0.01f;
    gyre_water *water = make(&def);
    put(water, "height", rough);
    double mean[2] = {0.0, 0.0};
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < 200; k++) {
            run(water, 1, 0.2f);
            int n[2];
            float *u = get(water, "height", n);
            for (int i = 0; i < n[0] * n[1]; i++) {
                mean[half] += 9.0 * (double)u[i] * (double)u[i];
            }
            free(u);
            for (int axis = 0; axis < 2; axis++) {
                u = get(water, axis ? "discharge_y" : "discharge_x", n);
                for (int i = 0; i < n[0] * n[1]; i++) {
                    mean[half] += (double)u[i] * (double)u[i];
                }
                free(u);
            }
        }
        if (half == 0) {
            run(water, 20000, 0.2f);
        }
    }
    print_message("energy after 20000 steps over that at first: %.6f\n", mean[1] / mean[0]);
    assert_true(fabs(mean[1] / mean[0] - 1.0) < 0.02);
    assert_true(fabs(gyre_water_get_stats(water).ledger_error) < 1e-3);
    gyre_water_destroy(water);
}

static int shift_x, shift_y;
enum { NX = 130, NY = 70 };

static double shifted(double x, double y)
{
    double a = fmod(x + shift_x, NX), b = fmod(y + shift_y, NY);
    return 0.1 * sin(2.0 * PI * 3.0 * a / NX) * cos(2.0 * PI * 2.0 * b / NY) +
           0.05 * sin(2.0 * PI * (5.0 * a / NX + 4.0 * b / NY));
}

static double shifted_depth(double x, double y)
{
    return 1.0 + shifted(x, y);
}

/// Wherever the borders of tiles lie the water does the same to the bit, with any number of threads
/// and on every instruction set.
static void test_borders(void **state)
{
    static const char *const isas[] = {NULL, "baseline", "sse4.2", "avx2", "avx512"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        bool wave = modes[m] == GYRE_WATER_WAVE;
        float *first = NULL;
        for (int k = 0; k < 8; k++) {
            int n[2], dx = k > 4 ? 64 - 17 * k : 0, dy = k > 4 ? 9 * k : 0;
            gyre_device *own = device_of(k == 1 ? 1 : 2, k > 4 ? NULL : isas[k]);
            if (!own) {
                continue; // this machine does not have it
            }
            gyre_water_def def = pool(modes[m], NX, NY, 1.0f);
            periodic(&def);
            def.coriolis = 0.3f;
            gyre_water *water = NULL;
            OK(gyre_water_create(own, &def, &water));
            shift_x = NX + dx;
            shift_y = NY + dy;
            // Written by whole cells, so that shifted water is the same water.
            put(water, wave ? "height" : "depth", wave ? shifted : shifted_depth);
            if (first && (dx || dy)) {
                gyre_water_destroy(water);
                OK(gyre_water_create(own, &def, &water));
                gyre_field_view view;
                int field = gyre_water_field(water, wave ? "height" : "depth");
                OK(gyre_water_map(water, field, GYRE_WRITE, &view));
                for (int i = 0; i < NX * NY; i++) {
                    int x = (i % NX + shift_x) % NX, y = (i / NX + shift_y) % NY;
                    double at = wave ? 0.0 : 1.0;
                    int was_x = shift_x, was_y = shift_y;
                    shift_x = shift_y = 0;
                    view.data[i] = (float)(at + shifted(x + 0.5, y + 0.5));
                    shift_x = was_x;
                    shift_y = was_y;
                }
                OK(gyre_water_unmap(water, field));
            }
            run(water, 60, 0.3f);
            float *u = get(water, wave ? "height" : "depth", n);
            for (int i = 0; i < NX * NY && first; i++) {
                int x = (i % NX + dx + NX) % NX, y = (i / NX + dy) % NY;
                assert_memory_equal(&u[i], &first[x + NX * y], sizeof(float));
            }
            if (!first) {
                first = u;
            } else {
                free(u);
            }
            gyre_water_destroy(water);
            gyre_device_destroy(own);
        }
        free(first);
    }
}

/// Walls, islands, dry ground, open sides, exact quanta, sleep: nothing is lost, nothing is made.
static double shore(double x, double y)
{
    return hypot(x - 40.0, y - 30.0) < 8.0 ? 0.5 : -1.0 + 0.9 * x / 80.0;
}

static void test_ledger(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        static float bed[80 * 70];
        gyre_water_def def = pool(modes[k & 1], 80, 70, 1.0f);
        for (int i = 0; i < 80 * 70; i++) {
            bed[i] = (float)shore(i % 80 + 0.5, i / 80 + 0.5);
        }
        def.bed.data = (gyre_volume){bed, {80, 70, 1}, NULL};
        def.coriolis = -0.4f;
        def.coriolis_beta = 0.002f;
        def.exact = k >= 2;
        def.sleep_height = k >= 4 ? 1e-3f : 0.0f;
        def.sides.x_low.rule = GYRE_WATER_OPEN;
        def.sides.y_high.rule = GYRE_WATER_INFLOW;
        def.sides.y_high.period = 7.0f;
        gyre_water *water = make(&def);
        run(water, 400, 0.2f);
        gyre_water_stats stats = gyre_water_get_stats(water);
        assert_true(!(k & 1) || (stats.max_speed > 0.01f && stats.max_speed < 20.0f));
        assert_true(fabs(stats.ledger_error) <= (def.exact ? 0.0 : 1e-6 * 80 * 70));
        // A saved state goes on to the same bits.
        size_t size = gyre_water_save_size(water), written;
        void *memory = malloc(size);
        assert_non_null(memory);
        OK(gyre_water_save(water, memory, size, &written));
        run(water, 20, 0.2f);
        uint64_t hash = gyre_water_hash(water);
        OK(gyre_water_load(water, memory, written));
        run(water, 20, 0.2f);
        assert_true(gyre_water_hash(water) == hash);
        free(memory);
        gyre_water_destroy(water);
    }
}

/// Steps that are not split turn by at most 1 rad, and stay finite.
static void test_not_split(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_WAVE, 20, 20, 1.0f);
    def.coriolis = 10.0f;
    def.excess = GYRE_WATER_EXPLODE;
    gyre_water *water = make(&def);
    put(water, "height", rough);
    run(water, 200, 0.3141593f);
    int n[2];
    float *u = get(water, "height", n);
    for (int i = 0; i < n[0] * n[1]; i++) {
        assert_true(isfinite(u[i]));
    }
    free(u);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertial),  cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_far_turns), cmocka_unit_test(test_rough_flow_is_stable),
        cmocka_unit_test(test_jet),       cmocka_unit_test(test_energy),
        cmocka_unit_test(test_borders),   cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_not_split)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
