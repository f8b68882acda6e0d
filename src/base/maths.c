// Each function reduces its argument, sums a short series in double precision and rounds once to
// float. Only IEEE +, -, *, / and sqrt take part, so the bits are the same wherever doubles are.
// A NaN comes out as a NaN, unless a comment in maths.h says otherwise.
#include <float.h>
#include <string.h>

#include "base/maths.h"

#define PI 3.14159265358979323846
#define LN_2 0.69314718055994530942

GY_INLINE uint32_t bits_of_float(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

GY_INLINE double double_of_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

GY_INLINE uint64_t bits_of_double(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

GY_INLINE bool is_negative(float x)
{
    return bits_of_float(x) >> 31 != 0;
}

float gy_sqrtf(float x)
{
    return __builtin_sqrtf(x);
}

float gy_floorf(float x)
{
    // From 2^23 on every float is whole; a NaN goes the same way.
    if (!(x > -8388608.0f && x < 8388608.0f))
        return x;
    float whole = (float)(int32_t)x;
    if (whole == x)
        return x;
    return whole > x ? whole - 1.0f : whole;
}

// The sum of c[k] x^k, highest power last.
GY_INLINE double polynomial(double x, const double *c, int count)
{
    double sum = c[count - 1];
    for (int k = count - 2; k >= 0; k--)
        sum = c[k] + x * sum;
    return sum;
}

// e^x for |x| < 700: 2^n times a Taylor series on |r| <= ln(2) / 2, to 1e-13.
static double exp_double(double x)
{
    int n = (int)(x / LN_2 + (x < 0 ? -0.5 : 0.5));
    double r = x - n * LN_2;
    static const double c[] = {1.0,         1.0,          1.0 / 2,       1.0 / 6,
                               1.0 / 24,    1.0 / 120,    1.0 / 720,     1.0 / 5040,
                               1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800};
    return polynomial(r, c, GY_COUNT(c)) * double_of_bits((uint64_t)(n + 1023) << 52);
}

// ln(x) for normal x > 0: x = 2^e m with m near 1, and 2 artanh((m - 1) / (m + 1)) to 1e-14.
static double log_double(double x)
{
    uint64_t u = bits_of_double(x);
    int e = (int)(u >> 52) - 1023;
    double m = double_of_bits((u & 0xfffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        e++;
    }
    double s = (m - 1.0) / (m + 1.0), s2 = s * s;
    static const double c[] = {2.0,     2.0 / 3,  2.0 / 5,  2.0 / 7,
                               2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15};
    return e * LN_2 + s * polynomial(s2, c, GY_COUNT(c));
}

static float exp_in_range(double x)
{
    if (x < -87.0)
        return 0.0f;
    if (x > 88.0)
        return FLT_MAX;
    return (float)exp_double(x);
}

float gy_expf(float x)
{
    return x != x ? x : exp_in_range((double)x);
}

float gy_logf(float x)
{
    if (x != x)
        return x;
    if (x <= 0.0f || x > FLT_MAX)
        return x > 0.0f ? FLT_MAX : -FLT_MAX;
    return (float)log_double((double)x);
}

float gy_powf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    if (x <= 0.0f)
        return y > 0.0f ? 0.0f : FLT_MAX;
    return exp_in_range((double)y * (x > FLT_MAX ? 89.0 : log_double((double)x)));
}

// sin and cos of x with x = n pi/2 + r, |r| <= pi/4; which of them is chosen by n + turn.
static float circle(float x, int turn)
{
    if (x != x)
        return x;
    // From 2^30 on, neighbouring floats are twenty turns apart: the angle says nothing.
    double angle = x > -1073741824.0f && x < 1073741824.0f ? (double)x : 0.0;
    int64_t n = (int64_t)(angle * (2.0 / PI) + (angle < 0 ? -0.5 : 0.5));
    // pi/2 in two parts; n times the first, of 33 bits, is exact up to n = 2^20.
    double r = angle - (double)n * 1.57079632673412561417 - (double)n * 6.07710050650619224932e-11;
    static const double sine[] = {1.0,          -1.0 / 6,        1.0 / 120,       -1.0 / 5040,
                                  1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800};
    static const double cosine[] = {1.0,         -1.0 / 2,       1.0 / 24,       -1.0 / 720,
                                    1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
    uint64_t quarter = (uint64_t)(n + turn) & 3u;
    double sum = quarter & 1u ? polynomial(r * r, cosine, GY_COUNT(cosine))
                              : r * polynomial(r * r, sine, GY_COUNT(sine));
    return (float)(quarter & 2u ? -sum : sum);
}

float gy_sinf(float x)
{
    return circle(x, 0);
}

float gy_cosf(float x)
{
    return circle(x, 1);
}

// arctan(low / high) for 0 <= low <= high, high > 0.
static double arctan(double low, double high)
{
    double base = 0.0, t = low / high;
    if (t > 0.41421356237309504880) {
        base = PI / 4;
        t = (low - high) / (low + high);
    }
    static const double c[] = {1.0,      -1.0 / 3,  1.0 / 5,  -1.0 / 7,  1.0 / 9,  -1.0 / 11,
                               1.0 / 13, -1.0 / 15, 1.0 / 17, -1.0 / 19, 1.0 / 21, -1.0 / 23};
    return base + t * polynomial(t * t, c, GY_COUNT(c));
}

static double arctan_2(double y, double x, bool y_negative, bool x_negative)
{
    double ay = y_negative ? -y : y, ax = x_negative ? -x : x;
    double angle = 0.0;
    if (ax > 0.0 || ay > 0.0)
        angle = ay <= ax ? arctan(ay, ax) : PI / 2 - arctan(ax, ay);
    if (x_negative)
        angle = PI - angle;
    return y_negative ? -angle : angle;
}

float gy_atan2f(float y, float x)
{
    if (x != x || y != y)
        return x + y;
    bool y_negative = is_negative(y), x_negative = is_negative(x);
    if (!gy_is_finite(x) || !gy_is_finite(y)) {
        double far_y = gy_is_finite(y) ? 0.0 : 1.0, far_x = gy_is_finite(x) ? 0.0 : 1.0;
        return (float)arctan_2(y_negative ? -far_y : far_y, x_negative ? -far_x : far_x, y_negative,
                               x_negative);
    }
    return (float)arctan_2((double)y, (double)x, y_negative, x_negative);
}

float gy_acosf(float x)
{
    if (x != x)
        return x;
    double c = (double)GY_MIN(GY_MAX(x, -1.0f), 1.0f);
    return (float)arctan_2(__builtin_sqrt((1.0 - c) * (1.0 + c)), c, false, c < 0.0);
}

float gy_tanhf(float x)
{
    if (x != x)
        return x;
    if (x > 10.0f || x < -10.0f)
        return x > 0.0f ? 1.0f : -1.0f;
    double t = (double)x, t2 = t * t;
    // Near 0 the exponentials cancel; there the continued fraction to its seventh term is exact.
    if (x > -1.0f && x < 1.0f)
        return (float)(t * (135135.0 + t2 * (17325.0 + t2 * (378.0 + t2))) /
                       (135135.0 + t2 * (62370.0 + t2 * (3150.0 + t2 * 28.0))));
    double e = exp_double(2.0 * t);
    return (float)((e - 1.0) / (e + 1.0));
}

// PCG's output permutation on a linear congruence (O'Neill 2014; as a hash: Jarzynski and Olano,
// JCGT 9(3), 2020).
static uint32_t pcg(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = (state >> ((state >> 28) + 4u) ^ state) * 277803737u;
    return word >> 22 ^ word;
}

uint32_t gy_random(uint32_t seed, uint32_t i)
{
    // Hashed on both sides of the sum: else the stream of one seed is another's, moved along.
    return pcg(pcg(i) + pcg(seed ^ 0x9e3779b9u));
}

float gy_random_unit(uint32_t seed, uint32_t i)
{
    return (float)(gy_random(seed, i) >> 8) * (1.0f / 16777216.0f);
}
