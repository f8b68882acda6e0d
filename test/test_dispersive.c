// Mode dispersive: Airy's speeds from long waves to deep water, a lake at rest among hills, wet and
// dry ground, no drop lost, the same bits however it is computed, saved states, a dam break, a box
// that floats, open sides and their layers, waves that come in, what is refused.
// labels: small
#include "water_case.h"

static const double PI = 3.141592653589793;

static gyre_water_def sea(int nx, int ny, float depth)
{
    gyre_water_def def = pool(GYRE_WATER_DISPERSIVE, nx, ny, 1.0f);
    def.bed.flat = -depth;
    def.max_substeps = 1000;
    return def;
}

static gyre_water *create(const gyre_water_def *def)
{
    gyre_water *water = NULL;
    OK(gyre_water_create(device, def, &water));
    return water;
}

/// Phase speed over Airy's of a standing wave of `cells` a wave length along x, in a basin with
/// walls or round one, from the times at which its strength changes sign.
static double speed_ratio(double kh, int cells, bool round)
{
    int n = 4 * cells;
    double k = 2 * PI / cells, depth = kh / k, a = 0.002 * depth;
    gyre_water_def def = sea(n, 8, (float)depth);
    if (round) {
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
    }
    gyre_water *water = create(&def);
    gyre_field_view v;
    OK(gyre_water_map(water, 0, GYRE_WRITE, &v));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++) {
            v.data[i + j * v.stride[1]] += (float)(a * cos(k * (i + 0.5)));
        }
    }
    OK(gyre_water_unmap(water, 0));
    double omega = sqrt((double)def.gravity * k * tanh(kh)), dt = 0.05 / omega * 2 * PI;
    double before = 1.0, t = 0.0, first = 0.0, last = 0.0;
    int changes = 0;
    for (int step = 0; step < 200 && changes < 7; step++) {
        OK(gyre_water_step(water, (float)dt));
        t += (double)(float)dt;
        OK(gyre_water_map(water, 0, GYRE_READ, &v));
        double x = 0.0;
        for (int i = 0; i < n; i++) {
            x += ((double)v.data[i] - depth) * cos(k * (i + 0.5));
        }
        OK(gyre_water_unmap(water, 0));
        if ((x < 0.0) != (before < 0.0)) {
            last = t - dt * x / (x - before);
            first = changes++ ? first : last;
        }
        before = x;
    }
    assert_int_equal(changes, 7);
    gyre_water_destroy(water);
    return 2 * PI / omega / ((last - first) / 3.0);
}

static void test_airy(void **state)
{
    (void)state;
    static const double kh[] = {0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 2.0, 5.0, 10.0};
    for (int q = 0; q < (int)(sizeof kh / sizeof *kh); q++) {
        for (int cells = 8; cells <= 32; cells *= 2) {
            double found = speed_ratio(kh[q], cells, cells == 16);
            if (fabs(found - 1.0) > 0.01) {
                fail_msg("k h %g, %d cells a wave: %g of Airy's speed", kh[q], cells, found);
            }
        }
    }
}

/// Hills, of which some are islands.
static void hills(float *bed, int n, int m)
{
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) {
            bed[i + n * j] =
                (float)(-3.0 + 4.0 * sin(0.31 * i + 0.2 * sin(0.4 * j)) * cos(0.23 * j) +
                        0.5 * sin(1.7 * i + 2.3 * j));
        }
    }
}

static gyre_water_def hilly(float *bed)
{
    gyre_water_def def = sea(80, 63, 1.0f);
    hills(bed, 80, 63);
    def.bed.data = (gyre_volume){bed, {80, 63, 1}, NULL};
    def.bed.low = 0.0f;
    def.bed.high = 1.0f;
    return def;
}

static void test_rest(void **state)
{
    (void)state;
    static float bed[80 * 63];
    for (int round = 0; round < 2; round++) {
        gyre_water_def def = hilly(bed);
        if (round) {
            periodic(&def);
        }
        gyre_water *water = create(&def);
        int n[2];
        float *before = get(water, "depth", n);
        run(water, 1000, 0.05f);
        float *after = get(water, "depth", n), *q = get(water, "discharge_x", n);
        assert_memory_equal(before, after, sizeof bed);
        for (int i = 0; i < 80 * 63; i++) {
            assert_true(q[i] == 0.0f);
        }
        free(before);
        free(after);
        free(q);
        gyre_water_destroy(water);
    }
}

/// Splashes among islands: nothing is lost, nothing grows, depth stays positive.
static void test_splash(void **state)
{
    (void)state;
    static float bed[80 * 63];
    gyre_water_def def = hilly(bed);
    gyre_water *water = create(&def);
    double rest = gyre_water_get_stats(water).potential_energy;
    OK(gyre_water_splat(water, 0, (const float[3]){30, 30, 0}, 6, 2));
    OK(gyre_water_splat(water, 0, (const float[3]){60, 20, 0}, 4, 3));
    gyre_water_stats stats = gyre_water_get_stats(water);
    double energy = stats.potential_energy - rest, volume = stats.volume;
    for (int k = 0; k < 10; k++) {
        run(water, 40, 1.0f / 30);
        stats = gyre_water_get_stats(water);
        assert_true(stats.kinetic_energy + stats.potential_energy - rest < 1.05 * energy);
        assert_true(fabs(stats.volume - volume) < 1e-6 * volume);
        assert_true(fabs(stats.ledger_error) < 1e-6 * volume);
        int n[2];
        float *depth = get(water, "depth", n);
        for (int i = 0; i < 80 * 63; i++) {
            assert_true(depth[i] >= 0.0f && isfinite(depth[i]));
        }
        free(depth);
    }
    gyre_water_destroy(water);
}

/// The same bits for any number of threads, any instruction set, and after a load.
static void test_bits(void **state)
{
    (void)state;
    static float bed[80 * 63];
    gyre_water_def def = hilly(bed);
    uint64_t hash = 0;
    static const char *const sets[] = {"baseline", "avx2", "avx512", "neon"};
    for (int q = 0; q < 8; q++) {
        gyre_device *other = device_of(1 + q % 2 * 3, sets[q / 2]);
        if (!other) {
            continue;
        }
        gyre_water *water = NULL;
        OK(gyre_water_create(other, &def, &water));
        OK(gyre_water_splat(water, 0, (const float[3]){30, 30, 0}, 6, 2));
        run(water, 20, 1.0f / 30);
        hash = hash ? hash : gyre_water_hash(water);
        assert_true(gyre_water_hash(water) == hash);
        size_t size = gyre_water_save_size(water), written = 0;
        void *saved = malloc(size);
        OK(gyre_water_save(water, saved, size, &written));
        run(water, 10, 1.0f / 30);
        uint64_t later = gyre_water_hash(water);
        OK(gyre_water_load(water, saved, size));
        run(water, 10, 1.0f / 30);
        assert_true(gyre_water_hash(water) == later);
        free(saved);
        gyre_water_destroy(water);
        gyre_device_destroy(other);
    }
}

/// Stoker's dam break, 1 m of water onto 0.1 m: a front of 3.105 m/s that leaves 0.3961 m behind
/// it, on cells a tenth and a twentieth of the depth.
static void test_dam(void **state)
{
    (void)state;
    for (int fine = 1; fine <= 2; fine++) {
        int N = 640 * fine, from = N / 2 + 50 * fine;
        double front[2], middle[2], rough[2];
        for (int m = 0; m < 2; m++) {
            gyre_water_def def = sea(N, 8, 0.1f);
            def.mode = m ? GYRE_WATER_DISPERSIVE : GYRE_WATER_SHALLOW;
            def.grid.h = 0.1f / (float)fine;
            gyre_water *water = create(&def);
            gyre_field_view v;
            OK(gyre_water_map(water, 0, GYRE_WRITE, &v));
            for (int j = 0; j < 8; j++) {
                for (int i = 0; i < N / 2; i++) {
                    v.data[i + j * v.stride[1]] = 1.0f;
                }
            }
            OK(gyre_water_unmap(water, 0));
            run(water, 240, 1.0f / 60);
            int n[2];
            float *depth = get(water, "depth", n);
            int i = N - 1;
            while (depth[i] < 0.2f) {
                i--;
            }
            front[m] = (double)def.grid.h * (i + 1 - N / 2) / 4.0;
            middle[m] = rough[m] = 0.0;
            for (int k = 0; k < 40 * fine; k++) {
                middle[m] += (double)depth[from + k] / (40 * fine);
                rough[m] = fmax(rough[m], fabs((double)depth[from + k] - 0.3961));
            }
            free(depth);
            gyre_water_destroy(water);
        }
        print_message(
            "dam break, %d cells: front %.3f and %.3f m/s, behind it %.4f and %.4f m, off "
            "by at most %.4f and %.4f\n",
            N, front[0], front[1], middle[0], middle[1], rough[0], rough[1]);
        for (int m = 0; m < 2; m++) {
            assert_true(fabs(front[m] - 3.105) < (m ? 0.02 : 0.01) * 3.105);
            assert_true(fabs(middle[m] - 0.3961) < (m ? 0.02 : 0.01) * 0.3961);
            assert_true(rough[m] < 0.05 * 0.3961);
        }
    }
}

/// Ritter's: a metre of water onto dry ground. The depth is (2 c - x / t)^2 / 9 g.
static void test_dry(void **state)
{
    (void)state;
    enum { N = 640 };
    double off[2], reach[2];
    for (int m = 0; m < 2; m++) {
        gyre_water_def def = sea(N, 8, 0.0f);
        def.mode = m ? GYRE_WATER_DISPERSIVE : GYRE_WATER_SHALLOW;
        def.grid.h = 0.1f;
        gyre_water *water = create(&def);
        gyre_field_view v;
        OK(gyre_water_map(water, 0, GYRE_WRITE, &v));
        for (int j = 0; j < 8; j++) {
            for (int i = 0; i < N / 2; i++) {
                v.data[i + j * v.stride[1]] = 1.0f;
            }
        }
        OK(gyre_water_unmap(water, 0));
        run(water, 180, 1.0f / 60);
        int n[2];
        float *depth = get(water, "depth", n);
        double c = sqrt(9.81);
        off[m] = reach[m] = 0.0;
        for (int i = 0; i < N; i++) {
            double x = 0.1 * (i + 0.5 - N / 2) / 3.0;
            double known = x < -c ? 1.0 : x > 2 * c ? 0.0 : (2 * c - x) * (2 * c - x) / 9 / 9.81;
            off[m] += fabs((double)depth[i] - known) * 0.1 / (9 * c);
            reach[m] = depth[i] > 0.02f ? x : reach[m];
        }
        free(depth);
        gyre_water_destroy(water);
    }
    print_message("onto dry ground: depth off by %.4f and %.4f m in the mean, 2 cm deep as far as "
                  "%.3f and %.3f m/s, 4.936\n",
                  off[0], off[1], reach[0], reach[1]);
    for (int m = 0; m < 2; m++) {
        assert_true(off[m] < (m ? 0.02 : 0.003));
        assert_true(fabs(reach[m] / 4.936 - 1.0) < 0.02);
    }
}

/// A box that is let go from 0.2 m above its rest swings about the draught that Archimedes says,
/// and has lost most of that after 15 s. (It should have lost more: see doc/water.md.)
static void test_floats(void **state)
{
    (void)state;
    gyre_water_def def = sea(64, 64, 3.0f);
    gyre_water_side *sides = &def.sides.x_low;
    gyre_water_body box = gyre_water_default_body();
    def.grid.h = 0.25f;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
    }
    strcpy(box.name, "box");
    box.form = GYRE_BODY_BOX;
    box.size[0] = box.size[1] = 2.0f;
    box.size[2] = 1.0f;
    box.density = 600.0f;
    box.pose.position[0] = box.pose.position[1] = 8.0f;
    box.pose.position[2] = 0.1f; // rests at 1/2 - 0.6
    def.bodies = (gyre_pool){&box, 1, 1};
    gyre_water *water = create(&def);
    gyre_id id = gyre_model_find(gyre_water_model(water), "bodies", "box");
    double mean = 0.0, greatest = 0.0;
    for (int s = 1; s <= 1800; s++) {
        run(water, 1, 1.0f / 60);
        OK(gyre_water_read_body(water, id, &box));
        double z = (double)box.pose.position[2] + 0.1;
        mean += s > 900 ? z / 900 : 0.0;
        greatest = s > 900 ? fmax(greatest, fabs(z)) : greatest;
    }
    print_message("box: off its rest by %.4f m, after 15 s at most by %.4f\n", mean, greatest);
    assert_true(fabs(mean) < 0.01 * 0.6);
    assert_true(greatest < 0.25 * 0.2);
    gyre_water_destroy(water);
}

static double energy_of(gyre_water *water, double rest)
{
    gyre_water_stats stats = gyre_water_get_stats(water);
    return stats.kinetic_energy + stats.potential_energy - rest;
}

/// A train of waves, from long to deep, of 8 and of 24 cells a wave, runs out through open sides:
/// what is left when that which came back would be in the middle.
static void test_open(void **state)
{
    (void)state;
    static const double kh[] = {0.3, 1.0, 3.0, 10.0};
    enum { N = 160 };
    for (int q = 0; q < 4; q++) {
        for (int cells = 8; cells <= 24; cells += 16) {
            double k = 2 * PI / cells, depth = kh[q] / k, g = 9.81;
            double omega = sqrt(g * k * tanh(kh[q]));
            double group = 0.5 * omega / k * (1.0 + 2.0 * kh[q] / sinh(2.0 * kh[q]));
            gyre_water_def def = sea(N, 8, (float)depth);
            def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_OPEN;
            gyre_water *water = create(&def);
            double rest = energy_of(water, 0.0);
            gyre_field_view v;
            OK(gyre_water_map(water, 0, GYRE_WRITE, &v));
            for (int i = 0; i < N; i++) {
                double x = i + 0.5 - 0.5 * N, a = 0.003 * fmin(depth, cells);
                double z = a * cos(k * x) * exp(-0.5 * x * x / (1.0 * cells * cells));
                for (int j = 0; j < 8; j++) {
                    v.data[i + j * v.stride[1]] += (float)z;
                }
            }
            OK(gyre_water_unmap(water, 0));
            double energy = energy_of(water, rest), dt = 0.05 * 2 * PI / omega;
            run(water, (int)(N / group / dt) + 1, (float)dt);
            double left = energy_of(water, rest) / energy;
            print_message("k h %g, %d cells a wave: %.5f of the energy is left\n", kh[q], cells,
                          left);
            assert_true(left < 0.01);
            gyre_water_destroy(water);
        }
    }
}

/// Waves that come in at a side: height and phase by Airy, from long waves to deep water, along
/// either axis; what leaves the other way; the ledger.
static void test_inflow(void **state)
{
    (void)state;
    static const double kh[] = {0.3, 0.5, 1.0, 2.0, 5.0};
    enum { N = 160, TURNS = 100 };
    for (int q = 0; q < 10; q++) {
        int cells = q % 2 ? 24 : 12, axis = q / 2 % 2;
        double k = 2 * PI / cells, depth = kh[q / 2] / k, g = 9.81, x = kh[q / 2];
        double omega = sqrt(g * k * tanh(x)), dt = 0.05 * 2 * PI / omega;
        double group = 0.5 * omega / k * (1.0 + 2.0 * x / sinh(2.0 * x));
        gyre_water_def def = axis ? sea(8, N, (float)depth) : sea(N, 8, (float)depth);
        gyre_water_side *low = axis ? &def.sides.y_low : &def.sides.x_low, *high = low + 1;
        high->rule = GYRE_WATER_OPEN;
        low->rule = GYRE_WATER_INFLOW;
        low->inflow = GYRE_WATER_WAVES;
        low->amplitude = (float)(0.003 * fmin(depth, cells));
        low->period = (float)(2 * PI / omega);
        low->phase = 40.0f;
        gyre_water *water = create(&def);
        int warm = (int)((N + 4 * cells) / group / dt) + 40;
        run(water, warm, (float)dt);
        double part[2][N] = {{0}}, t = warm * dt;
        for (int s = 0; s < TURNS; s++) {
            run(water, 1, (float)dt);
            t += dt;
            int n[2];
            float *d = get(water, "depth", n);
            for (int i = 0; i < N; i++) {
                double z = ((double)d[axis ? 4 + 8 * i : i + 4 * N] - depth) * 2 / TURNS;
                part[0][i] += z * cos(omega * t);
                part[1][i] += z * sin(omega * t);
            }
            free(d);
        }
        double height = 0.0, behind = hypot(part[0][2], part[1][2]) / (double)low->amplitude;
        for (int i = 40; i < 88; i++) {
            height += hypot(part[0][i], part[1][i]) / 48 / (double)low->amplitude;
        }
        double phase = atan2(part[0][50], part[1][50]) + k * 50.5 - 40.0 * PI / 180;
        phase = remainder(phase, 2 * PI);
        gyre_water_stats stats = gyre_water_get_stats(water);
        print_message("k h %g, %d cells a wave: %.3f of its height, %.2f rad late, behind %.3f\n",
                      kh[q / 2], cells, height, phase, behind);
        // Long waves of few cells lose height on their way to the scheme of shallow water.
        assert_true(fabs(height - 1.0) < 0.05);
        assert_true(fabs(phase) < 0.2);
        assert_true(behind < 0.05);
        assert_true(fabs(stats.ledger_error) < 3e-6 * stats.volume);
        gyre_water_destroy(water);
    }
}

/// A bed of heights says the same as one that is flat, absorbing layers included.
static void test_layer(void **state)
{
    (void)state;
    static float bed[64 * 64];
    for (int mode = GYRE_WATER_SHALLOW; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        uint64_t hash[2];
        for (int data = 0; data < 2; data++) {
            gyre_water_def def = sea(64, 64, 4.0f);
            gyre_water_side *sides = &def.sides.x_low;
            def.mode = mode;
            for (int i = 0; i < 64 * 64; i++) {
                bed[i] = -4.0f;
            }
            if (data) {
                def.bed.data = (gyre_volume){bed, {64, 64, 1}, NULL};
            }
            for (int q = 0; q < 4; q++) {
                sides[q].rule = GYRE_WATER_OPEN;
                sides[q].absorber = GYRE_WATER_LAYER;
                sides[q].layer = 20.0f;
            }
            gyre_water *water = create(&def);
            OK(gyre_water_splat(water, 0, (const float[3]){32, 32, 0}, 6, 0.3f));
            run(water, 60, 0.1f);
            int n[2];
            float *depth = get(water, "depth", n);
            hash[data] = 14695981039346656037u;
            for (int i = 0; i < 64 * 64; i++) {
                uint32_t bits;
                memcpy(&bits, depth + i, sizeof bits);
                hash[data] = (hash[data] ^ bits) * 1099511628211u;
            }
            free(depth);
            gyre_water_destroy(water);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/// Two waters ten cells deep, a dam of one cell between them: what moves in one is not felt in the
/// other, be it at rest (to the bit) or full of waves of its own; and nothing comes through.
static void test_dam_between(void **state)
{
    (void)state;
    enum { N = 64, DAM = 32 };
    static float bed[N * N];
    float *right[3];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            bed[i + N * j] = i == DAM ? 5.0f : -10.0f;
        }
    }
    for (int k = 0; k < 3; k++) { // waves on the left, on the right, on both sides
        gyre_water_def def = sea(N, N, 10.0f);
        def.bed.data = (gyre_volume){bed, {N, N, 1}, NULL};
        def.bed.low = 0.0f;
        def.bed.high = 1.0f;
        gyre_water *water = create(&def);
        int n[2];
        float *before = get(water, "depth", n);
        if (k != 1) {
            OK(gyre_water_splat(water, 0, (const float[3]){20, 32, 0}, 6, 0.3f));
        }
        if (k != 0) {
            OK(gyre_water_splat(water, 0, (const float[3]){48, 32, 0}, 6, 0.2f));
        }
        run(water, 200, 1.0f / 30);
        right[k] = get(water, "depth", n);
        float moved = 0.0f;
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < DAM; i++) {
                moved = fmaxf(moved, fabsf(right[k][i + N * j] - before[i + N * j]));
            }
            for (int i = DAM; i < N && k == 0; i++) {
                assert_true(right[0][i + N * j] == before[i + N * j]);
            }
        }
        assert_true(k == 1 ? moved == 0.0f : moved > 0.01f);
        free(before);
        gyre_water_destroy(water);
    }
    double worst = 0.0;
    for (int j = 0; j < N; j++) {
        for (int i = DAM; i < N; i++) {
            worst = fmax(worst, fabs((double)right[2][i + N * j] - (double)right[1][i + N * j]));
        }
    }
    print_message("a dam of a cell: off by %.1e m for waves beyond it\n", worst);
    assert_true(worst < 1e-5);
    for (int k = 0; k < 3; k++) {
        free(right[k]);
    }
}

static void test_refused(void **state)
{
    (void)state;
    gyre_water *water = NULL;
    gyre_water_def def = sea(66, 64, 1.0f);
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "found 66, expected for instance 70"));
    def = sea(64, 64, 1.0f);
    def.exact = true;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    def = sea(64, 64, 1.0f);
    def.sleep_height = 0.1f;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    def = sea(64, 64, 1.0f);
    def.sides.y_high.rule = GYRE_WATER_INFLOW;
    def.sides.y_high.amplitude = 0.1f;
    def.sides.y_high.period = 1.0f;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "sides.y_high.period: found 1 s"));
    def.sides.y_high.period = 2.0f;
    OK(gyre_water_create(device, &def, &water));
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_airy),    cmocka_unit_test(test_rest),
        cmocka_unit_test(test_splash),  cmocka_unit_test(test_bits),
        cmocka_unit_test(test_dam),     cmocka_unit_test(test_floats),
        cmocka_unit_test(test_open),    cmocka_unit_test(test_layer),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_inflow),
        cmocka_unit_test(test_dry),     cmocka_unit_test(test_dam_between),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
