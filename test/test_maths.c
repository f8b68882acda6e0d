// The library's own mathematical functions: close to the true values, and the same bits everywhere.
// labels: golden small web
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/maths.h"

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

// How far `got` lies from the true value, in units of the true value's last place.
static double error_in_ulp(float got, double truth)
{
    int exponent = 0;
    frexp(truth, &exponent);
    double ulp = ldexp(1.0, exponent - 24);
    if (truth == 0.0 || ulp < 1.4e-45)
        ulp = 1.4e-45;
    return fabs((double)got - truth) / ulp;
}

typedef float function_1(float x);
typedef double truth_1(double x);

// The worst error over floats spread evenly in [low, high], and over floats spread evenly in their
// bits, from tiny to large, of both signs where the range has both.
static double worst(function_1 *f, truth_1 *truth, float low, float high)
{
    double error = 0.0;
    for (int i = 0; i <= 100000; i++) {
        float x = low + (high - low) * ((float)i / 100000.0f);
        error = fmax(error, error_in_ulp(f(x), truth((double)x)));
    }
    for (uint32_t u = 1; u < 0x7f800000u; u += 40009u) {
        for (uint32_t sign = 0; sign < 2; sign++) {
            float x = float_of(u | sign << 31);
            if (x >= low && x <= high)
                error = fmax(error, error_in_ulp(f(x), truth((double)x)));
        }
    }
    return error;
}

static void errors_stay_small(void **state)
{
    (void)state;
    assert_true(worst(gy_sqrtf, sqrt, 0.0f, FLT_MAX) <= 0.5);
    assert_true(worst(gy_expf, exp, -87.0f, 88.0f) <= 2.0);
    assert_true(worst(gy_logf, log, 1e-45f, FLT_MAX) <= 2.0);
    assert_true(worst(gy_logf, log, 0.99f, 1.01f) <= 2.0);
    assert_true(worst(gy_sinf, sin, -8192.0f, 8192.0f) <= 2.0);
    assert_true(worst(gy_cosf, cos, -8192.0f, 8192.0f) <= 2.0);
    assert_true(worst(gy_acosf, acos, -1.0f, 1.0f) <= 2.0);
    assert_true(worst(gy_tanhf, tanh, -20.0f, 20.0f) <= 2.0);
}

static void sine_is_good_near_its_zeros(void **state)
{
    (void)state;
    for (int n = 1; n <= 5215; n++) {
        float x = (float)(n * 1.57079632679489661923);
        assert_true(error_in_ulp(gy_sinf(x), sin((double)x)) <= 2.0);
        assert_true(error_in_ulp(gy_cosf(x), cos((double)x)) <= 2.0);
    }
}

static void power_and_angle(void **state)
{
    (void)state;
    double power = 0.0, angle = 0.0;
    for (uint32_t i = 0; i < 200000; i++) {
        float x = gy_expf(40.0f * gy_random_unit(1, i) - 20.0f),
              y = 8.0f * gy_random_unit(2, i) - 4.0f;
        double truth = pow((double)x, (double)y);
        if (truth > 1.7e-38 && truth < 1.6e38)
            power = fmax(power, error_in_ulp(gy_powf(x, y), truth));
        float a = x * (i & 1u ? 1.0f : -1.0f), b = (gy_random_unit(3, i) - 0.5f) * 10.0f;
        angle = fmax(angle, error_in_ulp(gy_atan2f(b, a), atan2((double)b, (double)a)));
    }
    assert_true(power <= 2.0);
    assert_true(angle <= 2.0);
}

static void edges(void **state)
{
    (void)state;
    float infinite = float_of(0x7f800000u), nan = float_of(0x7fc00000u);
    assert_true(gy_expf(-87.1f) == 0.0f && gy_expf(-infinite) == 0.0f);
    assert_true(gy_expf(88.1f) == FLT_MAX && gy_expf(infinite) == FLT_MAX);
    assert_true(gy_expf(0.0f) == 1.0f && gy_logf(1.0f) == 0.0f);
    assert_true(gy_logf(0.0f) == -FLT_MAX && gy_logf(-1.0f) == -FLT_MAX);
    assert_true(gy_logf(infinite) == FLT_MAX);
    assert_true(gy_powf(0.0f, 2.0f) == 0.0f && gy_powf(0.0f, 0.0f) == 1.0f);
    assert_true(gy_powf(10.0f, 50.0f) == FLT_MAX && gy_powf(10.0f, -50.0f) == 0.0f);
    assert_true(gy_powf(infinite, -1.0f) == 0.0f && gy_powf(infinite, 1.0f) == FLT_MAX);
    assert_true(gy_sinf(0.0f) == 0.0f && gy_cosf(0.0f) == 1.0f);
    assert_true(gy_sinf(infinite) == 0.0f && gy_cosf(infinite) == 1.0f);
    assert_true(gy_acosf(2.0f) == 0.0f && gy_acosf(1.0f) == 0.0f);
    assert_true(gy_acosf(-2.0f) == gy_acosf(-1.0f) && gy_acosf(-1.0f) == 3.14159274f);
    assert_true(gy_tanhf(infinite) == 1.0f && gy_tanhf(-50.0f) == -1.0f);
    const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, infinite, -infinite, 1e-45f, FLT_MAX};
    for (int i = 0; i < GY_COUNT(values); i++) {
        for (int j = 0; j < GY_COUNT(values); j++) {
            float want = (float)atan2((double)values[i], (double)values[j]);
            assert_int_equal(bits_of(gy_atan2f(values[i], values[j])), bits_of(want));
        }
    }
    function_1 *all[] = {gy_sqrtf, gy_floorf, gy_expf,  gy_logf,
                         gy_sinf,  gy_cosf,   gy_acosf, gy_tanhf};
    for (int i = 0; i < GY_COUNT(all); i++)
        assert_false(gy_is_finite(all[i](nan)));
    assert_false(gy_is_finite(gy_powf(nan, 1.0f)) || gy_is_finite(gy_atan2f(1.0f, nan)));
}

static void floor_is_exact(void **state)
{
    (void)state;
    for (uint32_t u = 0; u < 0x7f800000u; u += 9973u) {
        float x = float_of(u);
        assert_true(gy_floorf(x) == (float)floor((double)x));
        assert_true(gy_floorf(-x) == (float)floor(-(double)x));
    }
    assert_true(gy_floorf(-0.5f) == -1.0f && gy_floorf(8388607.5f) == 8388607.0f);
    assert_int_equal(bits_of(gy_floorf(-0.0f)), bits_of(-0.0f));
}

static void random_numbers_are_even(void **state)
{
    (void)state;
    enum { COUNT = 1 << 16, BINS = 64 };
    for (uint32_t seed = 0; seed < 4; seed++) {
        int bins[BINS] = {0};
        double sum = 0.0, product = 0.0;
        for (uint32_t i = 0; i < COUNT; i++) {
            float x = gy_random_unit(seed, i);
            assert_true(x >= 0.0f && x < 1.0f);
            bins[(int)(x * BINS)]++;
            sum += (double)x;
            // Neighbours in the stream, and the same place of the next stream.
            product += ((double)x - 0.5) * ((double)gy_random_unit(seed, i + 1) - 0.5) +
                       ((double)x - 0.5) * ((double)gy_random_unit(seed + 1, i) - 0.5);
        }
        assert_true(fabs(sum / COUNT - 0.5) < 0.005);
        assert_true(fabs(product / COUNT) < 0.002);
        double chi = 0.0, expected = (double)COUNT / BINS;
        for (int b = 0; b < BINS; b++)
            chi += (bins[b] - expected) * (bins[b] - expected) / expected;
        assert_true(chi > 25.0 && chi < 120.0); // 63 degrees of freedom
    }
}

#define GOLDEN 0xb6126bbf0133944fu

// One number for the bits of all functions: equal for every compiler, level and processor.
static void bits_are_golden(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        float x = 40.0f * gy_random_unit(7, i) - 20.0f, y = gy_random_unit(8, i);
        float values[] = {x,
                          gy_sqrtf(y),
                          gy_floorf(x),
                          gy_expf(x),
                          gy_logf(y + 1e-6f),
                          gy_powf(y + 1e-6f, x),
                          gy_sinf(x * 100.0f),
                          gy_cosf(x * 100.0f),
                          gy_acosf(2.0f * y - 1.0f),
                          gy_atan2f(x, y - 0.5f),
                          gy_tanhf(x * 0.2f)};
        for (int k = 0; k < GY_COUNT(values); k++) {
            uint32_t u = bits_of(values[k]);
            unsigned char bytes[4] = {(unsigned char)u, (unsigned char)(u >> 8),
                                      (unsigned char)(u >> 16), (unsigned char)(u >> 24)};
            hash = gy_hash(bytes, 4, hash);
        }
    }
    if (hash != GOLDEN)
        printf("hash 0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_small), cmocka_unit_test(sine_is_good_near_its_zeros),
        cmocka_unit_test(power_and_angle),   cmocka_unit_test(edges),
        cmocka_unit_test(floor_is_exact),    cmocka_unit_test(random_numbers_are_even),
        cmocka_unit_test(bits_are_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
