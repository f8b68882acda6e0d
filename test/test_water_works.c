// What is done to water while it runs: ground that is dug and heaped up under it, rain as drops.
#include "water_case.h"

static const double PI = 3.14159265358979323846;

enum { NX = 96, NY = 40 };

/// A lake on high ground at the left, low ground at the right, a ridge between.
static float *valley(gyre_water_def *def)
{
    static float bed[NX * NY];
    for (int i = 0; i < NX * NY; i++) {
        int x = i % NX;
        bed[i] = x < 36 ? 0.0f : x < 60 ? 2.0f : -1.0f;
    }
    def->bed.data = (gyre_volume){bed, {NX, NY, 1}, NULL};
    def->bed.high = 1.0f;
    def->fill = false;
    return bed;
}

static gyre_water_def dug(bool exact)
{
    static gyre_water_lake lake;
    static gyre_water_uplift canal;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, NX, NY, 0.5f);
    valley(&def);
    lake = (gyre_water_lake){"lake", {5.0f, 10.0f}, 1.5f};
    canal = gyre_water_default_uplift();
    strcpy(canal.name, "canal");
    canal.enabled = false;
    canal.work = GYRE_WATER_DIG;
    canal.height = 0.25f;
    canal.speed = 1.0f;
    canal.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
    const float centre[3] = {24, 10, 0}, size[3] = {16, 8, 10};
    memcpy(canal.shape.as.box.centre, centre, sizeof centre);
    memcpy(canal.shape.as.box.size, size, sizeof size);
    def.lakes = (gyre_pool){&lake, 1, 1};
    def.uplifts = (gyre_pool){&canal, 1, 1};
    def.manning = 0.01f;
    def.exact = exact;
    return def;
}

static double volume_of(gyre_water *water, int from, int to)
{
    int n[2];
    double sum = 0.0;
    float *d = get(water, "depth", n);
    for (int i = 0; i < n[0] * n[1]; i++) {
        sum += i % n[0] >= from && i % n[0] < to ? 0.25 * (double)d[i] : 0.0;
    }
    free(d);
    return sum;
}

/// A ridge that is cut lets the lake behind it run down to the canal's bed: what it loses arrives
/// below, and the ledger closes, in mode exact to the last drop.
static void test_canal(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        gyre_water_def def = dug(exact);
        gyre_water *water = make(&def);
        double all = volume_of(water, 0, NX), expected = 36 * NY * 0.25 * 1.5;
        assert_true(fabs(all - expected) < 1e-3);
        run(water, 20, 0.05f);
        assert_true(gyre_water_get_stats(water).max_speed == 0.0f); // not dug yet
        OK(gyre_water_set(water, "uplifts.canal.enabled", gyre_bool(true)));
        run(water, 20, 0.05f); // 1 m a second: down to 1 m by now
        int n[2];
        float *bed = get(water, "bed", n);
        assert_true(fabs((double)bed[48 + NX * 20] - 1.0) < 1e-4);
        assert_true(bed[48 + NX * 5] == 2.0f); // beside it
        free(bed);
        run(water, 5000, 0.05f);
        bed = get(water, "bed", n);
        assert_true(bed[48 + NX * 20] == 0.25f);
        assert_true(bed[30 + NX * 20] == 0.0f); // digging heaps nothing up
        free(bed);
        double above = volume_of(water, 0, 36), below = volume_of(water, 60, NX);
        double left = 36 * NY * 0.25 * 0.25; // what lies below the canal's bed
        print_message("lake %g, of it below the canal %g; beyond %g\n", above, left, below);
        assert_true(above > left && above < 1.25 * left + 5.0);
        assert_true(below > 0.6 * all);
        gyre_water_stats stats = gyre_water_get_stats(water);
        assert_true(fabs(stats.volume - all) <= (exact ? 0.0 : 1e-6 * all));
        assert_true(fabs(stats.ledger_error) <= (exact ? 0.0 : 1e-6 * all));
        gyre_water_destroy(water);
    }
}

/// A bed that is brought to a height under a lake at rest keeps every depth in that very step, and
/// all ways of doing it end at the height.
static void test_depth_is_kept(void **state)
{
    (void)state;
    for (int work = GYRE_WATER_DIG; work <= GYRE_WATER_GRADE; work++) {
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 40, 40, 1.0f);
        gyre_water_uplift uplift = gyre_water_default_uplift();
        uplift.work = work;
        uplift.height = work == GYRE_WATER_HEAP ? -0.5f : -3.0f;
        uplift.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{20, 20, 0}, 5}};
        def.uplifts = (gyre_pool){&uplift, 1, 1};
        gyre_water *water = make(&def);
        int n[2];
        OK(gyre_water_step(water, 0.0f)); // nothing flows in no time
        float *depth = get(water, "depth", n), *bed = get(water, "bed", n);
        assert_true(bed[20 + 40 * 20] == uplift.height);
        for (int i = 0; i < 1600; i++) {
            assert_true(depth[i] == 1.0f);
        }
        free(depth);
        free(bed);
        gyre_water_destroy(water);
    }
}

/// The same ridge between two waters of mode wave, of which the left one stands 0.3 m over the
/// other.
static gyre_water_def dug_wave(bool exact)
{
    static gyre_water_block high;
    gyre_water_def def = dug(exact);
    def.mode = GYRE_WATER_WAVE;
    def.level = 1.5f;
    def.fill = true;
    def.lakes.count = 0;
    def.damping = 0.2f;
    high = (gyre_water_block){.name = "high", .shape.kind = GYRE_SHAPE_BOX, .level = 1.8f};
    const float centre[3] = {9, 10, 0}, size[3] = {18, 40, 10};
    memcpy(high.shape.as.box.centre, centre, sizeof centre);
    memcpy(high.shape.as.box.size, size, sizeof size);
    def.blocks = (gyre_pool){&high, 1, 1};
    return def;
}

static double height_at(gyre_water *water, int x, int y)
{
    int n[2];
    float *u = get(water, "height", n);
    double height = (double)u[x + n[0] * y];
    free(u);
    return height;
}

/// Of linear waves, too, a canal joins two waters: both end at the level that what was there gives,
/// less what the canal has taken; no drop comes or goes.
static void test_canal_of_waves(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        gyre_water_def def = dug_wave(exact);
        gyre_water *water = make(&def);
        run(water, 20, 0.05f);
        gyre_water_stats stats = gyre_water_get_stats(water);
        double all = stats.volume;
        OK(gyre_water_set(water, "uplifts.canal.enabled", gyre_bool(true)));
        run(water, 8, 0.05f); // 1 m a second: down to 1.6 m, land still
        assert_true(fabs(height_at(water, 10, 20) - 0.3) < 1e-4);
        run(water, 4000, 0.05f);
        int canal = 0, n[2];
        float *bed = get(water, "bed", n);
        for (int k = 0; k < n[0] * n[1]; k++) {
            canal += bed[k] == 0.25f;
        }
        free(bed);
        double left = 36 * NY, right = 36 * NY;
        double rest = (0.3 * left - 1.25 * canal) / (left + right + canal);
        print_message("canal %d cells: %.5f, %.5f; %.5f expected\n", canal,
                      height_at(water, 10, 20), height_at(water, 80, 20), rest);
        assert_int_equal(canal, 24 * 16);
        for (int x = 5; x < NX; x += 15) {
            assert_true(fabs(height_at(water, x, 20) - rest) < 1e-4);
        }
        stats = gyre_water_get_stats(water);
        assert_true(fabs(stats.volume - all) <= (exact ? 0.0 : 1e-6 * all));
        assert_true(fabs(stats.ledger_error) <= (exact ? 0.0 : 1e-6 * all));
        // Heaped up again, the canal's water is pushed out of it, and the two are apart.
        OK(gyre_water_set(water, "uplifts.canal.work", gyre_string("heap")));
        OK(gyre_water_set(water, "uplifts.canal.height", gyre_number(2.0)));
        OK(gyre_water_set(water, "uplifts.canal.speed", gyre_number(0.0)));
        run(water, 4000, 0.05f);
        assert_true(height_at(water, 48, 20) == 0.0);
        // The heap stands on 4 cells of either shore, too, which are 1.5 and 2.5 m deep.
        double shore = 4 * 16, mean = (0.3 * left + 4.0 * shore) / (left + right - 2.0 * shore);
        assert_true(fabs(0.5 * (height_at(water, 10, 20) + height_at(water, 80, 20)) - mean) <
                    1e-4);
        stats = gyre_water_get_stats(water);
        assert_true(fabs(stats.volume - all) <= (exact ? 0.0 : 1e-6 * all));
        assert_true(fabs(stats.ledger_error) <= (exact ? 0.0 : 1e-6 * all));
        gyre_water_destroy(water);
    }
}

/// A state of the middle of the digging goes on to the same bits in water that has dug nothing yet,
/// and rolls back in water that has dug on.
static void test_saved_waves(void **state)
{
    (void)state;
    gyre_water_def def = dug_wave(false);
    gyre_water *water = make(&def), *other = make(&def);
    OK(gyre_water_set(water, "uplifts.canal.enabled", gyre_bool(true)));
    run(water, 20, 0.05f);
    size_t size = gyre_water_save_size(water), written;
    void *memory = malloc(size);
    assert_non_null(memory);
    OK(gyre_water_save(water, memory, size, &written));
    run(water, 60, 0.05f);
    uint64_t hash = gyre_water_hash(water);
    OK(gyre_water_load(other, memory, written));
    OK(gyre_water_load(water, memory, written));
    run(water, 60, 0.05f);
    run(other, 60, 0.05f);
    assert_true(gyre_water_hash(water) == hash);
    assert_true(gyre_water_hash(other) == hash);
    free(memory);
    gyre_water_destroy(water);
    gyre_water_destroy(other);
}

/// Land without memory, and a digger that comes while it runs: refused, with what to do.
static void test_no_memory(void **state)
{
    (void)state;
    static float high[128 * 64];
    for (int k = 0; k < 128 * 64; k++) {
        high[k] = k % 128 < 60 ? -1.0f : 1.0f;
    }
    gyre_water_def def = pool(GYRE_WATER_WAVE, 128, 64, 1.0f);
    def.bed.data = (gyre_volume){high, {128, 64, 1}, NULL};
    def.bed.high = 1.0f;
    gyre_water_uplift uplift = gyre_water_default_uplift();
    uplift.work = GYRE_WATER_DIG;
    uplift.height = -1.0f;
    uplift.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{80, 20, 0}, 10}};
    def.uplifts = (gyre_pool){NULL, 0, 4};
    gyre_water *water = make(&def);
    assert_true(gyre_water_add_uplift(water, &uplift) == 0);
    assert_non_null(strstr(gyre_message(), "1 tiles of land"));
    run(water, 1, 0.05f);
    gyre_water_destroy(water);
    def.uplifts = (gyre_pool){&uplift, 1, 4};
    water = make(&def);
    run(water, 2, 0.05f);
    int n[2];
    float *bed = get(water, "bed", n);
    assert_true(bed[80 + n[0] * 20] == -1.0f);
    free(bed);
    gyre_water_destroy(water);
}

/// A state that was saved in the middle of the digging goes on to the same bits.
static void test_saved(void **state)
{
    (void)state;
    gyre_water_def def = dug(false);
    def.rain = 1e-3f;
    def.drops.size = 0.1f;
    def.drops.ring = 0.02f;
    gyre_water *water = make(&def), *other = make(&def);
    OK(gyre_water_set(water, "uplifts.canal.enabled", gyre_bool(true)));
    run(water, 25, 0.05f);
    size_t size = gyre_water_save_size(water), written;
    void *memory = malloc(size);
    assert_non_null(memory);
    OK(gyre_water_save(water, memory, size, &written));
    OK(gyre_water_load(other, memory, written));
    run(water, 60, 0.05f);
    run(other, 60, 0.05f);
    assert_true(gyre_water_hash(water) == gyre_water_hash(other));
    free(memory);
    gyre_water_destroy(water);
    gyre_water_destroy(other);
}

// ---- drops

static gyre_water_def wet(int mode, bool exact)
{
    gyre_water_def def = pool(mode, 80, 70, 0.25f);
    periodic(&def);
    def.rain = 2e-4f;
    def.drops.size = 0.1f;
    def.drops.ring = 0.02f;
    def.drops.radius = 0.5f;
    def.exact = exact;
    return def;
}

/// In the mean as much comes as of even rain, less what of a drop is still due; the ledger knows.
static void test_same_rain(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        gyre_water_def def = wet(k & 1, k > 1);
        gyre_water *water = make(&def);
        run(water, 600, 1.0f / 30);
        double area = 80 * 70 * 0.0625, drop = PI / 6.0 * 1e-3;
        double due = 2e-4 * 20.0 * area, came = line(water, "rain");
        gyre_water_stats stats = gyre_water_get_stats(water);
        print_message("%d: came %.6f of %.6f m^3, error %g\n", k, came, due, stats.ledger_error);
        assert_true(fabs(came - due) < 2.0 * drop);
        assert_true(fabs(stats.ledger_error) <= (def.exact ? 0.0 : 1e-6 * area));
        assert_true(came > 0.9 * due);
        gyre_water_destroy(water);
    }
}

/// One drop: a dent of the asked depth with a heap round it and the drop's volume, in one place;
/// then a ring that runs out. Another seed, another place.
static void test_ring(void **state)
{
    (void)state;
    int places[2];
    for (int seed = 0; seed < 2; seed++) {
        gyre_water_def def = wet(GYRE_WATER_WAVE, false);
        def.drops.seed = 7 + seed;
        double drop = PI / 6.0 * 1e-3, area = 80 * 70 * 0.0625;
        def.rain = (float)(1.5 * drop / area / 0.01);
        gyre_water *water = make(&def);
        OK(gyre_water_step(water, 0.01f));
        OK(gyre_water_set(water, "rain", gyre_number(0.0)));
        int n[2], lowest = 0;
        float *u = get(water, "height", n);
        double sum = 0.0, high = 0.0;
        for (int i = 0; i < n[0] * n[1]; i++) {
            lowest = u[i] < u[lowest] ? i : lowest;
            sum += 0.0625 * (double)u[i];
            high = fmax(high, (double)u[i]);
        }
        assert_true(fabs(sum - drop) < 1e-6);
        print_message("dent %g, heap %g\n", (double)u[lowest], high);
        assert_true(u[lowest] < -0.008f && high > 0.001);
        places[seed] = lowest;
        free(u);
        run(water, 40, 0.02f); // 0.8 s at 3 m/s
        u = get(water, "height", n);
        double far = 0.0, mean = 0.0;
        int x = lowest % 80, y = lowest / 80;
        for (int i = 0; i < n[0] * n[1]; i++) {
            int dx = abs(i % 80 - x), dy = abs(i / 80 - y);
            double r = 0.25 * hypot(dx > 40 ? 80 - dx : dx, dy > 35 ? 70 - dy : dy);
            double a = fabs((double)u[i]);
            if (a > far) {
                far = a;
                mean = r;
            }
        }
        print_message("ring at %g m\n", mean);
        assert_true(fabs(mean - 2.4) < 0.7);
        free(u);
        gyre_water_destroy(water);
    }
    assert_true(places[0] != places[1]);
}

/// Without drops rain is what it was; on dry ground drops make no rings, and stay finite.
static void test_dry(void **state)
{
    (void)state;
    gyre_water_def def = wet(GYRE_WATER_SHALLOW, false);
    def.fill = false;
    def.rain = 1.0f; // more drops in a step than a step lets fall
    def.drops.size = 0.001f;
    gyre_water *water = make(&def);
    run(water, 5, 0.1f);
    double area = 80 * 70 * 0.0625;
    assert_true(fabs(line(water, "rain") - 0.5 * area) < 1e-3 * area);
    int n[2];
    float *d = get(water, "depth", n);
    for (int i = 0; i < n[0] * n[1]; i++) {
        assert_true(d[i] >= 0.0f && d[i] < 10.0f);
    }
    free(d);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_canal),
                                       cmocka_unit_test(test_canal_of_waves),
                                       cmocka_unit_test(test_saved_waves),
                                       cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_depth_is_kept),
                                       cmocka_unit_test(test_saved),
                                       cmocka_unit_test(test_same_rain),
                                       cmocka_unit_test(test_ring),
                                       cmocka_unit_test(test_dry)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
