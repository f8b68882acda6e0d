// Foam and bubbles: how many come, where, how they are carried, held, and when they are gone.
// labels: small
#include "water/breaking.h"
#include "water_case.h"

static gyre_water_def calm(void)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 40, 40, 0.1f);
    def.breaking.fronts = 1;
    def.foam.capacity = 4000;
    def.foam.life = 2.0f;
    def.foam.rise = 0.25f;
    return def;
}

static int64_t count_of(const gyre_water *water)
{
    return water->breaking->sets[GY_SET_FOAM].state.count;
}

static const float *of(const gyre_water *water, int attribute, int a)
{
    return gy_particles_array(&water->breaking->sets[GY_SET_FOAM], attribute, a);
}

static double eastwards(double x, double y)
{
    (void)x;
    (void)y;
    return 0.7;
}

/// As many come as there is water, `amount` a cubic metre, 64 at once; within half a cell of where
/// it landed, spread; as deep as it was fast, `depth` at most from 10 m/s on.
static void test_comes(void **state)
{
    (void)state;
    gyre_water_def def = calm();
    def.foam.amount = 1000.0f;
    def.foam.depth = 0.4f;
    gyre_water *water = make(&def);
    const float at[3] = {2.0f, 2.0f, 0.0f};
    for (int k = 0; k < 3; k++) {
        float speed = k == 0 ? 2.5f : 20.0f, most = 0.4f * (k == 0 ? 0.25f : 1.0f);
        float deepest = 0.0f, low = 9.0f, high = 0.0f;
        int64_t before = count_of(water);
        gy_foam_add(water, at, k == 2 ? 1.0f : 0.02f, speed);
        int64_t came = count_of(water) - before;
        assert_true(k == 2 ? came == 64 : came == 20 || came == 21);
        for (int64_t q = before; q < before + came; q++) {
            float below = of(water, GY_FOAM_BELOW, 0)[q], x = of(water, 0, 0)[q];
            assert_true(below >= 0.0f && below <= most && of(water, 0, 2)[q] == -below);
            assert_true(fabsf(x - 2.0f) <= 0.05f && fabsf(of(water, 0, 1)[q] - 2.0f) <= 0.05f);
            deepest = fmaxf(deepest, below);
            low = fminf(low, x);
            high = fmaxf(high, x);
        }
        assert_true(deepest > 0.7f * most && high - low > 0.06f);
    }
    gyre_water_destroy(water);
}

/// Bubbles rise at their speed and stay at the surface, wherever that is; all are gone when
/// their life ends.
static void test_lives(void **state)
{
    (void)state;
    gyre_water_def def = calm();
    def.foam.amount = 1000.0f;
    def.foam.depth = 0.4f;
    gyre_water *water = make(&def);
    const float at[3] = {2.0f, 2.0f, 0.0f};
    float before[30];
    gy_foam_add(water, at, 0.02f, 20.0f);
    int64_t count = count_of(water);
    memcpy(before, of(water, GY_FOAM_BELOW, 0), sizeof *before * (size_t)count);
    for (int n = 1; n <= 19; n++) {
        run(water, 1, 0.1f);
        assert_int_equal(count_of(water), count);
        for (int k = 0; k < count; k++) {
            float below = fmaxf(before[k] - 0.025f * (float)n, 0.0f);
            assert_true(fabsf(of(water, GY_FOAM_BELOW, 0)[k] - below) < 1e-5f);
            assert_true(fabsf(of(water, 0, 2)[k] + below) < 1e-5f);
        }
    }
    run(water, 2, 0.1f);
    assert_int_equal(count_of(water), 0);
    gyre_water_destroy(water);
}

/// Foam goes where the water goes and as fast: round periodic sides, out through open ones, and no
/// further than walls and what is cut out.
static void test_carried(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) { // periodic, open, wall, cut out
        gyre_water_def def = calm();
        if (k == 0) {
            periodic(&def);
        }
        def.foam.amount = 1000.0f;
        def.foam.life = 100.0f;
        def.sides.x_high.rule = k == 1 ? GYRE_WATER_OPEN : def.sides.x_high.rule;
        gyre_water *water = make(&def);
        const float at[3] = {3.7f, 2.0f, -0.5f};
        float was[30];
        run(water, 1, 1e-3f);
        gy_foam_add(water, at, 0.02f, 0.0f);
        int64_t count = count_of(water);
        memcpy(was, of(water, 0, 0), sizeof *was * (size_t)count);
        for (int j = 0; k == 3 && j < 40; j++) {
            int place, slot = gy_tiles_find(&water->tiles, 39, j, &place);
            gy_tile_flags(&water->tiles, slot)[place] |= GY_CELL_OUT;
        }
        for (int n = 0; n < 60; n++) {
            put(water, "discharge_x", eastwards);
            gy_foam_step(water, 0.01f);
        }
        assert_int_equal(count_of(water), k == 1 ? 0 : count);
        for (int q = 0; q < count_of(water); q++) {
            float x = of(water, 0, 0)[q], there = was[q] + 0.7f * 0.6f;
            if (k == 0) {
                assert_true(fabsf(x - (there >= 4.0f ? there - 4.0f : there)) < 1e-3f);
            } else {
                assert_true(x <= (k == 2 ? 4.0f : 3.9f) && x > (k == 2 ? 3.99f : 3.88f));
            }
            assert_true(fabsf(of(water, 0, 2)[q]) < 1e-5f); // it floats
        }
        gyre_water_destroy(water);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes),
        cmocka_unit_test(test_lives),
        cmocka_unit_test(test_carried),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
