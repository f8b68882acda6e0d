// ocean/spectrum.c: dispersion, and the spectra of seas.
//
//     w^2 = (g k + T k^3) tanh(k d)                                                      (Airy)
//     S(w) = alpha g^2 w^-5 exp(-5/4 (w_p / w)^4) gamma^exp(-(w / w_p - 1)^2 / (2 sigma^2)) phi
//
// JONSWAP (Hasselmann et al. 1973): alpha = 0.076 (U^2 / (F g))^0.22, w_p = 22 (g^2 / (U F))^(1/3),
// sigma = 0.07 up to the peak and 0.09 beyond; by height and period alpha is what gives the height.
// phi, of depth, is TMA's (Bouws et al. 1985, after Kitaigorodskii): in full
// tanh^2(k d) / (1 + 2 k d / sinh(2 k d)).
//
// Spread: D = Q(s) cos^2s(theta / 2), Q = Gamma(s + 1) / (2 sqrt(pi) Gamma(s + 1/2)). Mitsuyasu et
// al. 1975: s = 11.5 (w_p U / g)^-2.5 times (w / w_p)^5 up to the peak, ^-2.5 beyond. Hasselmann et
// al. 1980: 6.97 (w / w_p)^4.06 and 9.77 (w / w_p)^(-2.33 - 1.45 (w_p U / g - 1.17)). Swell adds
// 16 tanh(w_p / w) swell^2 (C. Horvath, Empirical directional wave spectra for computer graphics,
// 2015).
#include "base/maths.h"
#include "base/turn.h"
#include "ocean/ocean.h"
#include <string.h>

static const double turn = 6.28318530717958647693;

static double exponential(double x)
{
    if (x < -700.0) {
        return 0.0;
    }
    x = x > 700.0 ? 700.0 : x;
    int64_t n = (int64_t)(x * 1.44269504088896340736 + (x < 0.0 ? -0.5 : 0.5));
    double r = (x - (double)n * 0.693147180369123816490) - (double)n * 1.90821492927058770002e-10;
    double sum = 1.0;
    for (int q = 14; q > 0; q--) {
        sum = 1.0 + sum * r / q;
    }
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

double gy_ocean_tanh(double x)
{
    if (x > 20.0) {
        return 1.0;
    }
    double e = exponential(2.0 * x);
    return (e - 1.0) / (e + 1.0);
}

double gy_ocean_frequency(const gyre_ocean_def *def, double k)
{
    double shallow = def->depth > 0.0f ? gy_ocean_tanh(k * (double)def->depth) : 1.0;
    return __builtin_sqrt(((double)def->gravity * k + (double)def->tension * k * k * k) * shallow);
}

double gy_ocean_number(const gyre_ocean_def *def, double frequency)
{
    double low = 0.0, high = 1e-6;
    while (high < 1e12 && gy_ocean_frequency(def, high) < frequency) {
        low = high;
        high *= 2.0;
    }
    for (int i = 0; i < 60; i++) {
        double k = 0.5 * (low + high);
        if (gy_ocean_frequency(def, k) < frequency) {
            low = k;
        } else {
            high = k;
        }
    }
    return 0.5 * (low + high);
}

/// 2 k d / sinh(2 k d).
static double shallowness(const gyre_ocean_def *def, double k)
{
    double x = 2.0 * k * (double)def->depth;
    if (!(def->depth > 0.0f) || x > 60.0) {
        return 0.0;
    }
    double e = exponential(x);
    return x < 1e-4 ? 1.0 : 2.0 * x / (e - 1.0 / e);
}

double gy_ocean_group_speed(const gyre_ocean_def *def, double k)
{
    double g = (double)def->gravity, t = (double)def->tension * k * k;
    double share = (g + 3.0 * t) / (g + t) + shallowness(def, k);
    return 0.5 * share * gy_ocean_frequency(def, k) / k;
}

/// Without scale.
static double shape(const gyre_ocean_def *def, const gy_ocean_system *s, double w, double k)
{
    double x = s->peak / w, y = 1.0 / x - 1.0, sigma = y > 0.0 ? 0.09 : 0.07;
    double x4 = x * x * x * x;
    if (1.25 * x4 > 80.0) {
        return 0.0;
    }
    float r = gy_expf((float)(-y * y / (2.0 * sigma * sigma)));
    double value = exponential(-1.25 * x4) * (double)gy_powf(s->gamma, r) / (w * w * w * w * w);
    if (def->depth > 0.0f) {
        double t = gy_ocean_tanh(k * (double)def->depth);
        value *= t * t / (1.0 + shallowness(def, k));
    }
    return value;
}

double gy_ocean_energy(const gyre_ocean_def *def, const gy_ocean_system *s, double frequency,
                       double k)
{
    return s->scale * shape(def, s, frequency, k);
}

/// The integral of the shape, over even steps of the logarithm of frequency.
static double integral(const gyre_ocean_def *def, const gy_ocean_system *s)
{
    enum { STEPS = 1200 };
    const double ratio = 1.0 + 1.0 / 256.0, step = 0.00389864041565732289; // ln(ratio)
    double w = s->peak * 0.35, sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        sum += shape(def, s, w, gy_ocean_number(def, w)) * w * step;
        w *= ratio;
    }
    return sum;
}

gy_ocean_system gy_ocean_system_of(const gyre_ocean_def *def, const gyre_ocean_sea *sea)
{
    double g = (double)def->gravity, u = (double)sea->wind_speed, f = (double)sea->fetch;
    gy_ocean_system s = {.gamma = sea->gamma,
                         .exponent = sea->exponent,
                         .swell = sea->swell,
                         .spread = sea->spread,
                         .wind = u,
                         .gravity = g};
    if (sea->given == GYRE_OCEAN_WIND) {
        double alpha = 0.076 * (double)gy_powf((float)(u * u / (f * g)), 0.22f);
        s.peak = 22.0 * (double)gy_powf((float)(g * g / (u * f)), 1.0f / 3.0f);
        s.scale = alpha * g * g;
    } else {
        s.peak = turn / (double)sea->peak_period;
    }
    s.number = gy_ocean_number(def, s.peak);
    double whole = integral(def, &s);
    if (sea->given == GYRE_OCEAN_HEIGHT) {
        double h = (double)sea->significant_height;
        s.scale = h * h / 16.0 / whole;
    }
    s.m0 = s.scale * whole;
    gy_turn t = gy_turn_of(
        (int64_t)((double)sea->direction * 65536.0) % (360 * 65536) + 360 * 65536, 360 * 65536);
    s.along[0] = (float)t.c;
    s.along[1] = (float)t.s;
    return s;
}

/// Gamma(s + 1) / (2 sqrt(pi) Gamma(s + 1/2)).
static float norm_of(float s)
{
    float product = 1.0f, x = s;
    for (; x < 8.0f; x += 1.0f) {
        product *= (x + 0.5f) / (x + 1.0f);
    }
    float y = 1.0f / x;
    float series = 1.0f + y * (0.125f + y * (0.0078125f + y * (-0.0048828125f)));
    return product * gy_sqrtf(x) * series * 0.28209479177387814f;
}

static float exponent_of(const gy_ocean_system *s, float ratio)
{
    float age = (float)(s->peak * s->wind / s->gravity), e = s->exponent;
    if (s->spread == GYRE_OCEAN_MITSUYASU) {
        e = 11.5f * gy_powf(age, -2.5f) * gy_powf(ratio, ratio > 1.0f ? -2.5f : 5.0f);
    } else if (s->spread == GYRE_OCEAN_HASSELMANN) {
        e = ratio > 1.0f ? 9.77f * gy_powf(ratio, -2.33f - 1.45f * (age - 1.17f))
                         : 6.97f * gy_powf(ratio, 4.06f);
    }
    e += 16.0f * gy_tanhf(1.0f / ratio) * s->swell * s->swell;
    return e < 1e4f ? e : 1e4f;
}

float gy_ocean_spreading(const gy_ocean_system *s, float frequency, float cosine)
{
    float e = exponent_of(s, frequency / (float)s->peak), half = 0.5f * (1.0f + cosine);
    if (!(half > 1e-12f)) {
        return e > 0.0f ? 0.0f : norm_of(0.0f);
    }
    return norm_of(e) * gy_powf(half, e);
}
