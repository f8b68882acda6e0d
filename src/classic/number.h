// classic/number.h: the two kinds of number behind one set of inline functions. In float each is
// the paper's own expression, operation for operation. In fixed point products are formed in twice
// the width, rounded to nearest once, and cut to the range instead of wrapping: nothing here is
// undefined or depends on the compiler, so all processors give the same bits.
//     real   a number as it is stored      wide   a sum or product of some of them
//     place  a position in cells           weights   a and c of lin_solve, prepared
#ifndef GY_CLASSIC_NUMBER_H
#define GY_CLASSIC_NUMBER_H

#include "gyre/classic.h"

typedef gyre_classic_real real;

#ifndef GYRE_CLASSIC_FRACTION

typedef float wide;
typedef float place;
typedef struct weights {
    float a, c, recip;
    bool exact; // whether c is a power of two, so that dividing by it is multiplying by recip
} weights;

static inline bool is_finite(real x)
{
    return x - x == 0.0f;
}
static inline real from_int(int x)
{
    return (real)x;
}
static inline real cut(wide x)
{
    return x;
}
static inline real mul(real a, real b)
{
    return a * b;
}
/// x + a * b.
static inline real add_product(real x, real a, real b)
{
    return x + a * b;
}
/// s0 * a + s1 * b.
static inline real mix(real s0, real a, real s1, real b)
{
    return s0 * a + s1 * b;
}
static inline real half(wide x)
{
    return 0.5f * x;
}
static inline real mean(wide sum, int count)
{
    return count == 2 ? 0.5f * sum : sum / (float)count;
}
/// a of lin_solve.
static inline real spread(real dt, real rate, real resolution)
{
    return dt * rate * resolution * resolution;
}
/// Whether 1 + 2 dim a is finite, too.
static inline bool is_spreadable(real a, int dim)
{
    return is_finite((float)(2 * dim) * a);
}
static inline weights make_weights(real a, real c, int dim)
{
    float power = 1.0f;
    while (power < c && power < 1e30f) {
        power *= 2.0f;
    }
    return (weights){a, c, 1.0f / c, dim == 3 || power == c};
}
/// The weights of diffusion: c = 1 + 2 dim a.
static inline weights spread_weights(real a, int dim)
{
    return make_weights(a, 1 + (float)(2 * dim) * a, dim);
}
static inline bool settles(real a, real c, int dim)
{
    return a >= 0.0f && c >= 1.0f && (float)(2 * dim) * a <= c;
}
/// One cell of lin_solve: the paper divides, the cube text multiplies by the reciprocal.
static inline real relax(weights w, bool exact, real x0, wide sum)
{
    return exact ? (x0 + w.a * sum) * w.recip : (x0 + w.a * sum) / w.c;
}
/// The right-hand side of the pressure's equation from a sum of differences of velocities.
static inline real drain(wide sum, real resolution)
{
    return -0.5f * sum / resolution;
}
/// u less the gradient of the pressure whose difference over two cells is `sum`.
static inline real less_gradient(real u, wide sum, real resolution)
{
    return u - 0.5f * resolution * sum;
}
/// Where what is now at i was before.
static inline place trace(int i, real dt0, real u)
{
    return (float)i - dt0 * u;
}
/// Into 0.5 .. n + 0.5; what is not a number too.
static inline place keep_inside(place x, int n)
{
    float most = (float)n + 0.5f;
    x = x >= 0.5f ? x : 0.5f;
    return x > most ? most : x;
}
/// The same by going round; *turns counts how often, up being positive.
static inline place go_round(place x, int n, int *turns)
{
    float span = (float)n, q = (x - 0.5f) / span;
    *turns = 0;
    if (q >= 0.0f && q < 1.0f) {
        return x;
    }
    // Further than this there is no fraction of a cell left to speak of.
    if (!(q > -1048576.0f && q < 1048576.0f)) {
        return 0.5f;
    }
    *turns = (int)q - (q < (float)(int)q);
    return keep_inside(x - (float)*turns * span, n);
}
static inline int cell_of(place x)
{
    return (int)x;
}
static inline real fraction_of(place x)
{
    return x - (float)(int)x;
}
static inline real rest_of(real fraction)
{
    return 1 - fraction;
}
/// (i - 0.5) / n.
static inline real part(int i, int n)
{
    return ((float)i - 0.5f) / (float)n;
}
/// Brings v to length 1, or to 0 where there is nothing to go by.
static inline void normalise(real v[3])
{
    float most = 0.0f;
    for (int d = 0; d < 3; d++) {
        float size = v[d] < 0.0f ? -v[d] : v[d];
        most = size > most ? size : most;
    }
    if (!(most > 1e-18f)) {
        v[0] = v[1] = v[2] = 0.0f;
        return;
    }
    float square = 0.0f;
    for (int d = 0; d < 3; d++) {
        v[d] /= most;
        square += v[d] * v[d];
    }
    // Newton's square root of a number from 1 to 3: four rounds are float's last bit.
    float root = 0.6f + 0.4f * square;
    for (int k = 0; k < 4; k++) {
        root = 0.5f * (root + square / root);
    }
    for (int d = 0; d < 3; d++) {
        v[d] /= root;
    }
}
/// x * count as a whole number below count, going round, and what is left over in 1/256.
static inline int texel(real x, int count, int *rest)
{
    float f = x * (float)count;
    if (!(f > -1e9f && f < 1e9f)) {
        f = 0.0f;
    }
    int whole = (int)f - (f < (float)(int)f);
    *rest = (int)((f - (float)whole) * 256.0f);
    whole %= count;
    return whole < 0 ? whole + count : whole;
}

#else

#define FRACTION GYRE_CLASSIC_FRACTION
#define ONE ((wide)1 << FRACTION)
#if GYRE_CLASSIC_BITS == 16
typedef int32_t wide;
typedef uint32_t uwide;
#define MOST INT16_MAX
#define LEAST INT16_MIN
#else
typedef int64_t wide;
typedef uint64_t uwide;
#define MOST INT32_MAX
#define LEAST INT32_MIN
#endif
/// Weights are fractions with this many bits: (w0 + 2 dim w1) <= 2, so that no sum overflows.
#define WEIGHT (GYRE_CLASSIC_BITS - 2)
typedef wide place;
typedef struct weights {
    wide x0, sum;
    bool exact; // for float alone
} weights;

/// Division by 2^bits, to nearest and the same on both sides of 0, so that mirrored flows stay
/// mirrored. (The shift of a negative number is the compiler's affair, so it is not asked for.)
static inline wide shift_down(wide x, int bits)
{
    wide more = (wide)1 << (bits - 1);
    return x >= 0 ? (x + more) >> bits : -((more - x) >> bits);
}
static inline wide divide(wide x, wide by)
{
    return x >= 0 ? (x + by / 2) / by : -((-x + by / 2) / by);
}
static inline wide floor_divide(wide x, wide by)
{
    return x >= 0 ? x / by : -((-x + by - 1) / by);
}
static inline bool is_finite(real x)
{
    (void)x;
    return true;
}
static inline real cut(wide x)
{
    return (real)(x > MOST ? MOST : x < LEAST ? LEAST : x);
}
static inline real from_int(int x)
{
    int most = (int)(MOST >> FRACTION);
    return (real)(x > most ? MOST : x < -most ? LEAST : x * (int)ONE);
}
static inline real mul(real a, real b)
{
    return cut(shift_down((wide)a * b, FRACTION));
}
static inline real add_product(real x, real a, real b)
{
    return cut(x + shift_down((wide)a * b, FRACTION));
}
/// s0 + s1 is 1, so that the sum of the products has room.
static inline real mix(real s0, real a, real s1, real b)
{
    return cut(shift_down((wide)s0 * a + (wide)s1 * b, FRACTION));
}
static inline real half(wide x)
{
    return cut(shift_down(x, 1));
}
static inline real mean(wide sum, int count)
{
    return cut(divide(sum, count));
}
/// The order keeps a small rate alive: dt * rate alone would be rounded to nothing.
static inline real spread(real dt, real rate, real resolution)
{
    return mul(mul(dt, resolution), mul(rate, resolution));
}
static inline bool is_spreadable(real a, int dim)
{
    (void)a;
    (void)dim;
    return true;
}
static inline weights spread_weights(real a, int dim)
{
    wide c = ONE + (wide)(2 * dim) * a;
    wide sum = divide((wide)a * ((wide)1 << WEIGHT), c);
    // Exactly one together, so that what is the same everywhere stays as it is.
    return (weights){((wide)1 << WEIGHT) - 2 * dim * sum, sum, true};
}
static inline weights make_weights(real a, real c, int dim)
{
    if ((wide)c == ONE + (wide)(2 * dim) * a) {
        return spread_weights(a, dim);
    }
    return (weights){divide(ONE * ((wide)1 << WEIGHT), c), divide((wide)a * ((wide)1 << WEIGHT), c),
                     true};
}
static inline bool settles(real a, real c, int dim)
{
    return a >= 0 && (wide)c >= ONE && (wide)(2 * dim) * a <= c;
}
static inline real relax(weights w, bool exact, real x0, wide sum)
{
    (void)exact;
    return cut(shift_down(w.x0 * x0 + w.sum * sum, WEIGHT));
}
/// The pressure is kept times the resolution: dividing by it here and multiplying below would cost
/// as many bits as it has.
static inline real drain(wide sum, real resolution)
{
    (void)resolution;
    return half(-sum);
}
static inline real less_gradient(real u, wide sum, real resolution)
{
    (void)resolution;
    return cut(u - shift_down(sum, 1));
}
static inline place trace(int i, real dt0, real u)
{
    return i * ONE - shift_down((wide)dt0 * u, FRACTION);
}
static inline place keep_inside(place x, int n)
{
    place least = ONE / 2, most = n * ONE + ONE / 2;
    return x < least ? least : x > most ? most : x;
}
static inline place go_round(place x, int n, int *turns)
{
    place from = x - ONE / 2, span = n * ONE;
    *turns = 0;
    if (from >= 0 && from < span) {
        return x;
    }
    wide q = floor_divide(from, span);
    // Counted up to what the format can say.
    *turns = (int)cut(q);
    return x - q * span;
}
static inline int cell_of(place x)
{
    return (int)(x >> FRACTION);
}
static inline real fraction_of(place x)
{
    return (real)(x & (ONE - 1));
}
static inline real rest_of(real fraction)
{
    return (real)(ONE - fraction);
}
static inline real part(int i, int n)
{
    return cut(divide(i * ONE - ONE / 2, n));
}
static inline uwide square_root(uwide x)
{
    uwide root = 0;
    for (uwide bit = (uwide)1 << (2 * GYRE_CLASSIC_BITS - 2); bit; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return root;
}
static inline void normalise(real v[3])
{
    uwide square = 0;
    for (int d = 0; d < 3; d++) {
        square += (uwide)((wide)v[d] * v[d]);
    }
    wide length = (wide)square_root(square);
    for (int d = 0; d < 3; d++) {
        v[d] = length ? cut(divide(v[d] * ONE, length)) : (real)0;
    }
}
static inline int texel(real x, int count, int *rest)
{
    wide f = (wide)x * count, whole = floor_divide(f, ONE), left = f - whole * ONE;
    *rest = (int)(FRACTION > 8 ? left / (ONE / (FRACTION > 8 ? 256 : 1))
                               : left * (FRACTION > 8 ? 1 : 256 >> FRACTION));
    whole %= count;
    return (int)(whole < 0 ? whole + count : whole);
}

#endif
#endif
