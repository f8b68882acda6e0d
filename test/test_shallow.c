// labels: small
// What the step of shallow water promises of any state: rest, conservation, depths that stay
// positive, the same bits however it is cut, turned and compiled.
#include "test/sanitized.h"
#include "test/water_rig.h"

static bool printing(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

static float between(uint32_t seed, int i, float low, float high)
{
    return low + (high - low) * gy_random_unit(seed, (uint32_t)i);
}

static int cells_of(const tank *t)
{
    return t->n[0] * t->n[1];
}

/// Random ground of 0 to `height` with some walls on it, water up to `level` in most places, dry in
/// others, random discharges; in whole multiples of 2^-16 m, so that an exact step may take it.
static void scramble(tank *t, uint32_t seed, float height, float level, float speed, bool walls)
{
    for (int q = 0; q < cells_of(t); q++) {
        bool dry = gy_random_unit(seed, (uint32_t)q) < 0.2f;
        float d = GY_MAX(0.0f, level * gy_random_unit(seed + 1, (uint32_t)q) - t->bed[q]);
        t->bed[q] = between(seed + 2, q, 0.0f, height);
        t->d[q] = dry ? 0.0f : 0x1p-16f * gy_floorf(0x1p16f * d);
        t->qx[q] = t->d[q] * between(seed + 3, q, -speed, speed);
        t->qy[q] = t->n[1] > 1 ? t->d[q] * between(seed + 4, q, -speed, speed) : 0.0f;
        t->shut[q] = walls && gy_random_unit(seed + 5, (uint32_t)q) < 0.2f
                         ? (uint8_t)(gy_random(seed + 6, (uint32_t)q) & 3u)
                         : 0;
    }
}

static void assert_sane(const tank *t)
{
    for (int q = 0; q < cells_of(t); q++) {
        if (!(t->d[q] >= 0.0f) || !gy_is_finite(t->d[q]) || !gy_is_finite(t->qx[q]) ||
            !gy_is_finite(t->qy[q])) {
            fail_msg("step %d, cell %d: depth %g, discharge %g %g", t->steps, q, (double)t->d[q],
                     (double)t->qx[q], (double)t->qy[q]);
        }
    }
    assert_true(gy_is_finite(t->told.wave_speed) && gy_is_finite(t->told.speed));
    assert_true(gy_is_finite(t->told.change));
}

// ---- rest ---------------------------------------------------------------------------------------

// Where bed + depth is the same float everywhere, not a bit changes: deep over a ragged bed, with
// islands and shut faces, in one dimension and in two.
static void test_rest_exact(void **state)
{
    (void)state;
    for (int q = 0; q < 4; q++) {
        tank t = tank_make(130, q == 3 ? 1 : 70, 0.5f);
        t.periodic[0] = q == 1;
        for (int i = 0; i < cells_of(&t); i++) {
            t.bed[i] = 0x1p-12f * gy_floorf(0x1p12f * between(1, i, 0.0f, q == 0 ? 1.9f : 3.0f));
            t.d[i] = GY_MAX(0.0f, 2.0f - t.bed[i]);
            t.shut[i] = q == 2 ? (uint8_t)(gy_random(2, (uint32_t)i) & 3u) : 0;
        }
        float *d = tank_floats(cells_of(&t));
        memcpy(d, t.d, (size_t)cells_of(&t) * sizeof *d);
        for (int step = 0; step < 30; step++) {
            tank_step(&t, 0.05f);
        }
        for (int i = 0; i < cells_of(&t); i++) {
            assert_true(t.d[i] == d[i] && t.qx[i] == 0.0f && t.qy[i] == 0.0f);
        }
        assert_true(t.told.speed == 0.0f && t.told.change == 0.0f && t.told.capped == 0);
        free(d);
        tank_free(&t);
    }
}

/// The conical island of the reference page. `noise`: of the surface.
static tank island(float noise)
{
    int n = 128;
    tank t = tank_make(n, n, 27.6f / 128.0f);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int q = i + n * j;
            double x = (i + 0.5) * 27.6 / n - 13.8, y = (j + 0.5) * 27.6 / n - 13.8;
            double bed = 0.625 * (3.6 - sqrt(x * x + y * y)) / (3.6 - 1.1);
            t.bed[q] = (float)fmin(0.625, fmax(0.0, bed));
            t.d[q] = GY_MAX(0.0f, 0.32f + between(3, q, -noise, noise) - t.bed[q]);
        }
    return t;
}

// 10,000 steps (in full; else 2500) of water whose surface is level, and of water whose surface is
// not, by some units in the last place: it comes to rest and stays there.
static void test_rest_island(void **state)
{
    (void)state;
    const int steps = in_full() ? 10000 : SANITIZED ? 200 : 2500;
    for (int q = 0; q < 2; q++) {
        tank t = island(q ? 1.5e-7f : 0.0f);
        float fastest = 0.0f;
        for (int step = 0; step < steps; step++) {
            tank_step(&t, 0.05f);
            fastest = GY_MAX(fastest, t.told.speed);
        }
        if (printing())
            print_message("island: at most %g m/s, at last %g\n", (double)fastest,
                          (double)t.told.speed);
        assert_true(fastest <= (q ? 1e-5f : 0.0f));
        tank_free(&t);
    }
}

// ---- conservation -------------------------------------------------------------------------------

/// What a cell has now is what it had and what passed its faces, as the patch tells it.
static void assert_passed(const tank *t, const float *before, bool exactly)
{
    int nx = t->n[0];
    for (int j = 0; j < t->n[1]; j++)
        for (int i = 0; i < nx; i++) {
            int q = i + nx * j;
            const float *px = t->pass_x + i + (nx + 1) * j, *py = t->pass_y + q;
            float net = px[0] - px[1];
            if (t->n[1] > 1) {
                net += py[0] - py[nx];
            }
            assert_true(t->d[q] == before[q] + net);
            if (exactly) {
                double sum = (double)before[q] + (double)px[0] - (double)px[1];
                sum += t->n[1] > 1 ? (double)py[0] - (double)py[nx] : 0.0;
                assert_true((double)t->d[q] == sum);
            }
        }
}

// No water is made or lost: in an exact step not a quantum; otherwise only what rounding a depth
// does, and passes are what is applied.
static void test_volume(void **state)
{
    (void)state;
    for (int q = 0; q < 8; q++) {
        bool exact = q & 1, walls = q & 2, flat = q & 4;
        tank t = tank_make(100, flat ? 1 : 90, 0.25f);
        t.periodic[1] = !walls;
        t.s.quantum = exact ? 0x1p-18f : 0.0f;
        scramble(&t, 100 + (uint32_t)q, 2.0f, 4.0f, 5.0f, walls);
        double before = tank_volume(&t);
        float *d = tank_floats(cells_of(&t));
        for (int step = 0; step < 100; step++) {
            memcpy(d, t.d, (size_t)cells_of(&t) * sizeof *d);
            tank_step(&t, 0.4f * t.s.h / (float)tank_wave(&t));
            assert_passed(&t, d, exact);
            assert_sane(&t);
        }
        double error = fabs(tank_volume(&t) / before - 1.0);
        if (printing())
            print_message("volume: %g of it lost\n", error);
        assert_true(exact ? error == 0.0 : error < 1e-6);
        free(d);
        tank_free(&t);
    }
}

// What a step tells is what it did.
static void test_told(void **state)
{
    (void)state;
    tank t = tank_make(60, 50, 0.25f);
    scramble(&t, 150, 2.0f, 4.0f, 5.0f, true);
    t.s.speed_cap = 4.0f;
    float *before = tank_floats(cells_of(&t)), change = 0.0f, speed = 0.0f, wave = 0.0f;
    int fast = 0;
    memcpy(before, t.d, (size_t)cells_of(&t) * sizeof *before);
    tank_step(&t, 0.005f);
    for (int q = 0; q < cells_of(&t); q++) {
        float d = t.d[q];
        change = GY_MAX(change, fabsf(d - before[q]));
        if (d >= t.s.dry_depth) {
            float u = fabsf(t.qx[q] / d), v = fabsf(t.qy[q] / d);
            speed = GY_MAX(speed, hypotf(u, v));
            wave = GY_MAX(wave, GY_MAX(u, v) + sqrtf(9.81f * d));
            fast += hypotf(u, v) > 3.999f;
        }
    }
    assert_true(t.told.change == change && change > 0.0f);
    assert_true(fabsf(t.told.speed - speed) < 1e-4f && fabsf(t.told.wave_speed - wave) < 1e-4f);
    assert_true(fast > 0 && t.told.capped > 0 && abs(t.told.capped - fast) <= 1);
    free(before);
    tank_free(&t);
}

// Any finite state and any step: depths stay positive, nothing overflows.
static void test_violent(void **state)
{
    (void)state;
    for (int q = 0; q < 24; q++) {
        tank t = tank_make(70, q % 4 == 3 ? 1 : 66, q % 3 ? 0.1f : 1e-3f);
        scramble(&t, 200 + (uint32_t)q, q % 2 ? 1.0f : 1000.0f, 10.0f, 50.0f, q & 1);
        t.s.quantum = q % 5 == 4 ? 0x1p-18f : 0.0f;
        t.s.speed_cap = q % 7 == 6 ? 1e30f : 40.0f;
        t.s.manning = q % 6 == 5 ? 0.03f : 0.0f;
        t.s.dry_depth = q % 6 == 4 ? 0.0f : 1e-4f;
        t.s.acceleration[0] = q % 4 == 2 ? 1e20f : 3.0f;
        if (q >= 12) { // out of all measure
            static const float wild[] = {0.0f, 1e-45f, 1e-30f, 1e-4f, 1.0f, 1e12f, 1e30f, 3e38f};
            for (int i = 0; i < cells_of(&t); i++) {
                uint32_t r = gy_random(300, (uint32_t)i);
                t.d[i] = wild[r & 7u];
                t.qx[i] = wild[r >> 3 & 7u] * (r & 0x1000u ? -1.0f : 1.0f);
                t.qy[i] = wild[r >> 6 & 7u] * (r & 0x2000u ? -1.0f : 1.0f);
                t.bed[i] = wild[r >> 9 & 7u] * (r & 0x4000u ? -1.0f : 1.0f);
            }
        }
        const float steps[] = {1e-3f, 0.1f, 10.0f, 1e10f, 1e38f, 0.01f, 0.0f};
        for (int step = 0; step < 21; step++) {
            tank_step(&t, steps[step % GY_COUNT(steps)]);
            assert_sane(&t);
            assert_true(q % 7 == 6 || t.told.speed <= 40.001f);
        }
        tank_free(&t);
    }
}

// ---- the same bits ------------------------------------------------------------------------------

static tank stormy(uint32_t seed, int nx, int ny, bool walls)
{
    tank t = tank_make(nx, ny, 0.25f);
    scramble(&t, seed, 2.0f, 4.0f, 3.0f, walls);
    t.s.manning = 0.02f;
    t.s.friction = 0.1f;
    t.s.speed_cap = 8.0f;
    t.s.acceleration[0] = 0.5f;
    t.s.acceleration[1] = -0.25f;
    return t;
}

/// A puddle on dry ground, where whole rows and tiles have nothing to do; `q`: where it lies.
static tank puddle(int q)
{
    tank t = tank_make(192, 192, 0.25f);
    for (int j = 0; j < 192; j++)
        for (int i = 0; i < 192; i++) {
            int x = i - (q == 1 ? 63 : 100), y = j - (q == 2 ? 64 : 100), to = i + 192 * j;
            t.bed[to] = 0.01f * (float)(x + 2 * y) + between(8, to, 0.0f, 0.01f);
            t.d[to] = x * x + y * y < 400 ? between(9, to, 0.5f, 1.0f) : 0.0f;
            t.qx[to] = t.d[to] > 0.0f ? 0.1f : 0.0f;
        }
    return t;
}

// However the domain is cut into tiles, and where it ends in the last of them: storms over all of
// it, and a puddle that spreads into dry tiles.
static void test_seams(void **state)
{
    (void)state;
    const int cuts[][2] = {{64, 64}, {1, 64}, {33, 5}, {17, 63}, {62, 2}};
    for (int q = 0; q < 5; q++) {
        tank first = {0};
        for (int cut = 0; cut < GY_COUNT(cuts); cut++) {
            tank t = q < 2 ? stormy(400, 128, 128, q) : puddle(q - 2);
            t.periodic[0] = q == 0;
            t.cut[0] = cuts[cut][0];
            t.cut[1] = cuts[cut][1];
            for (int step = 0; step < (q < 2 ? 10 : 80); step++) {
                tank_step(&t, 0.01f);
            }
            if (cut == 0) {
                first = t;
                continue;
            }
            assert_true(tank_same(&t, &first));
            assert_memory_equal(&t.told, &first.told, sizeof t.told);
            tank_free(&t);
        }
        tank_free(&first);
    }
}

// The same bits whatever the width of vectors: also where some lanes of a vector are over the cap
// and their neighbours are not, with friction and without.
static void test_instruction_sets(void **state)
{
    (void)state;
    for (int q = 0; q < 18; q++) {
        tank first = {0};
        for (int k = 0; k < GY_COUNT(all_kernels); k++) {
            if (kernel_of(k) == NULL) {
                continue;
            }
            tank t = stormy(500, 70, q % 3 == 2 ? 1 : 67, q % 3 == 1);
            t.kernel = kernel_of(k);
            t.periodic[0] = q % 3 != 1;
            t.s.quantum = q / 3 % 2 ? 0x1p-18f : 0.0f;
            t.s.speed_cap = q < 6 ? 1000.0f : 4.0f;
            if (q >= 12) {
                t.s.manning = t.s.friction = 0.0f;
            }
            int cut = 0;
            for (int step = 0; step < 20; step++) {
                tank_step(&t, 0.008f);
                cut += t.told.capped;
            }
            // Of a few cells.
            assert_true(q < 6 ? cut == 0 : cut > 0 && cut < 10 * cells_of(&t));
            if (first.n[0] == 0) {
                first = t;
                continue;
            }
            assert_true(tank_same(&t, &first));
            assert_memory_equal(&t.told, &first.told, sizeof t.told);
            tank_free(&t);
        }
        tank_free(&first);
    }
}

/// A cell's place after a turn: 1: mirrored in x, 2: in y, 4: transposed at last.
static int turned(const tank *t, int turn, int i, int j)
{
    int x = turn & 1 ? t->n[0] - 1 - i : i, y = turn & 2 ? t->n[1] - 1 - j : j;
    return turn & 4 ? y + t->n[1] * x : x + t->n[0] * y;
}

static bool wall_of(const tank *t, int i, int j, int bit)
{
    return i >= 0 && j >= 0 && i < t->n[0] && j < t->n[1] && t->shut[i + t->n[0] * j] & bit;
}

static tank turn_tank(const tank *t, int turn)
{
    bool over = turn & 4;
    tank r = tank_make(t->n[over], t->n[!over], t->s.h);
    r.s = t->s;
    float sx = turn & 1 ? -1.0f : 1.0f, sy = turn & 2 ? -1.0f : 1.0f;
    r.s.acceleration[over] = sx * t->s.acceleration[0];
    r.s.acceleration[!over] = sy * t->s.acceleration[1];
    for (int j = 0; j < t->n[1]; j++)
        for (int i = 0; i < t->n[0]; i++) {
            int from = i + t->n[0] * j, to = turned(t, turn, i, j);
            r.bed[to] = t->bed[from];
            r.d[to] = t->d[from];
            (over ? r.qy : r.qx)[to] = sx * t->qx[from];
            (over ? r.qx : r.qy)[to] = sy * t->qy[from];
            // A low face, mirrored, is the high one.
            bool wx = wall_of(t, turn & 1 ? i + 1 : i, j, GY_SHUT_X);
            bool wy = wall_of(t, i, turn & 2 ? j + 1 : j, GY_SHUT_Y);
            r.shut[to] = (uint8_t)((wx ? (over ? GY_SHUT_Y : GY_SHUT_X) : 0) |
                                   (wy ? (over ? GY_SHUT_X : GY_SHUT_Y) : 0));
        }
    return r;
}

// Mirrored and transposed input gives mirrored and transposed output, to the bit.
static void test_turns(void **state)
{
    (void)state;
    for (int turn = 1; turn < 8; turn++)
        for (int exact = 0; exact < 2; exact++) {
            tank t = stormy(600, 77, 66, true);
            t.s.quantum = exact ? 0x1p-18f : 0.0f;
            tank r = turn_tank(&t, turn);
            for (int step = 0; step < 20; step++) {
                tank_step(&t, 0.008f);
                tank_step(&r, 0.008f);
            }
            tank u = turn_tank(&t, turn);
            for (int q = 0; q < cells_of(&t); q++) { // zeros of either sign
                assert_true(u.d[q] == r.d[q] && u.qx[q] == r.qx[q] && u.qy[q] == r.qy[q]);
            }
            assert_true(t.told.capped == r.told.capped && t.told.speed == r.told.speed);
            tank_free(&u);
            tank_free(&r);
            tank_free(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_exact), cmocka_unit_test(test_rest_island),
        cmocka_unit_test(test_volume),     cmocka_unit_test(test_violent),
        cmocka_unit_test(test_seams),      cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_turns),      cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
