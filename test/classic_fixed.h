// test/classic_fixed.h: what is asked of every fixed-point format. A test defines the format,
// GOLDEN (hash of the torture), NEAR (largest mean difference from float) and DRIFT (of total
// density).
#include "test/classic_jet_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LARGEST (GYRE_CLASSIC_BITS == 16 ? INT16_MAX : INT32_MAX)
#define SMALLEST (-LARGEST - 1)

static uint32_t seed;

static uint32_t random_bits(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 15;
}

static gyre_classic_real random_real(void)
{
    uint32_t r = random_bits();
    switch (random_bits() >> 5 & 7) {
    case 0:
        return (gyre_classic_real)LARGEST;
    case 1:
        return (gyre_classic_real)SMALLEST;
    case 2:
        return 0;
    default:
        return (gyre_classic_real)((int32_t)r >> (random_bits() >> 4 & 31) >>
                                   (32 - GYRE_CLASSIC_BITS));
    }
}

/// Every number there is, everywhere, under every rule: nothing may be undefined (the sanitizers
/// look on) and every machine must come to the same bits.
static void test_torture(void **state)
{
    (void)state;
    uint32_t hash = 2166136261u;
    seed = 7;
    for (int turn = 0; turn < 24; turn++) {
        gyre_classic_box box = gyre_classic_default_box(2 + turn % 2, 1 + turn % 5);
        size_t size = gyre_classic_size(&box);
        gyre_classic_real *f[12];
        uint8_t *solid = calloc(size, 1);
        for (int a = 0; a < 12; a++) {
            f[a] = malloc(size * sizeof *f[a]);
            for (size_t i = 0; i < size; i++) {
                f[a][i] = random_real();
                solid[i] = turn % 3 == 0 && random_bits() >> 6 & 1;
            }
            if (turn % 3 == 0 && a >= 9) {
                box.solid_velocity[a - 9] = f[a];
            }
        }
        static const int rules[4] = {GYRE_CLASSIC_WALL, GYRE_CLASSIC_PERIODIC, GYRE_CLASSIC_INFLOW,
                                     GYRE_CLASSIC_OPEN};
        for (int s = 0; s < 6; s++) {
            box.sides[s] = (gyre_classic_side){rules[(turn + s / 2) % 4],
                                               {random_real(), random_real(), random_real()},
                                               random_real()};
        }
        box.solid = solid;
        box.sweeps = 1 + turn % 4;
        box.resolution = turn % 7 == 3 ? (gyre_classic_real)LARGEST : box.resolution;
        box.confinement = turn % 2 ? GYRE_CLASSIC_REAL(0.5) : (gyre_classic_real)LARGEST;
        for (int step = 0; step < 3; step++) {
            gyre_classic_real dt = step ? GYRE_CLASSIC_REAL(0.25) : (gyre_classic_real)LARGEST;
            gyre_classic_real rate =
                turn % 4 ? GYRE_CLASSIC_REAL(0.25) : (gyre_classic_real)LARGEST;
            const gyre_classic_real *const carrier[] = {f[0], f[1], f[2]};
            assert_int_equal(gyre_classic_vel_step(&box, f, f + 3, rate, dt), GYRE_OK);
            assert_int_equal(gyre_classic_dens_step(&box, f[6], f[7], carrier, rate, dt), GYRE_OK);
            assert_int_equal(gyre_classic_tex_step(&box, f + 7, f + 3, carrier, dt), GYRE_OK);
            uint8_t image[12] = {1, 2, 3, 40, 50, 60, 70, 80, 90, 100, 200, 250}, pixels[25 * 2];
            const gyre_classic_real *const tex[] = {f[7], f[8]};
            assert_int_equal(gyre_classic_tex_draw(&box, tex, 0, image, 3, 2, 2, pixels), GYRE_OK);
            hash = (hash ^ pixels[0]) * 16777619u;
        }
        for (int a = 0; a < 12; a++) {
            for (size_t i = 0; i < size; i++) {
                uint32_t bits = (uint32_t)f[a][i];
                hash = (hash ^ bits) * 16777619u;
            }
            free(f[a]);
        }
        free(solid);
    }
    if (hash != GOLDEN) {
        fail_msg("the hash is 0x%08xu\n", (unsigned)hash);
    }
}

static void test_like_float(void **state)
{
    (void)state;
    jet ours = run_jet(), other = float_jet();
    double sum = 0;
    for (int j = 0; j < JET_CELLS; j++)
        for (int i = 0; i < JET_CELLS; i++)
            sum += fabs(ours.cloud[j][i] - other.cloud[j][i]);
    sum /= JET_CELLS * JET_CELLS;
    print_message(
        "mean difference from float %.6f; total %.5f of itself, float's %.5f; speed %.5f, "
        "float's %.5f\n",
        sum, ours.last / ours.first, other.last / other.first, ours.speed, other.speed);
    assert_true(sum < NEAR);
    assert_true(fabs(ours.last - other.last) / other.first < DRIFT);
}

/// What is the same everywhere stays so, whatever the weights are rounded to.
static void test_constant(void **state)
{
    (void)state;
    gyre_classic_box box = gyre_classic_default_box(2, 9);
    gyre_classic_real x[121], x0[121];
    for (int value = -5; value <= 5; value++) {
        for (int i = 0; i < 121; i++) {
            x[i] = x0[i] = (gyre_classic_real)(value * (LARGEST / 7));
        }
        gyre_classic_real first = x[60];
        assert_int_equal(gyre_classic_diffuse(&box, GYRE_CLASSIC_DENSITY, x, x0,
                                              GYRE_CLASSIC_REAL(0.03), GYRE_CLASSIC_REAL(0.3)),
                         GYRE_OK);
        for (int i = 0; i < 121; i++) {
            assert_int_equal(x[i], first);
        }
    }
}

/// What cannot be said in the format is refused.
static void test_range(void **state)
{
    (void)state;
    int most = (LARGEST >> GYRE_CLASSIC_FRACTION) - 2;
    gyre_classic_box box = gyre_classic_default_box(2, most < 100000 ? most : 1000);
    box.n[1] = 4;
    assert_int_equal(gyre_classic_check(&box), GYRE_OK);
    box.n[0] = most + 1;
    assert_int_equal(gyre_classic_check(&box), GYRE_ERROR_ARGUMENT);
    box.n[0] = 4;
    box.resolution = 0;
    assert_int_equal(gyre_classic_check(&box), GYRE_ERROR_ARGUMENT);
    box.resolution = GYRE_CLASSIC_REAL(1);
    gyre_classic_real x[36] = {0}, y[36] = {0};
    assert_int_equal(gyre_classic_diffuse(&box, 0, x, y, -1, 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_classic_diffuse(&box, 0, x, y, 1, -1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_classic_diffuse(&box, 0, x, x, 1, 1), GYRE_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torture),
        cmocka_unit_test(test_like_float),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
