// ocean/ops/ocean.c: the waves of a patch's spectrum at a time, as three real fields.
//
//     h(k, t) = C(k) cos(w t) - i D(k) sin(w t),     d(k, t) = i k / |k| coth(|k| depth) h
//
// with C = (a(k) + a*(-k)) / 2 and D = (a(k) - a*(-k)) / 2 of waves Re(a e^(i (k x - w t)));
// (J. Tessendorf, Simulating Ocean Water, 2001.) Fields are the sums over k of h, d_x, d_y times
// e^(i k x), or their rates of change. w is a whole number of 2^-40 Hz and t of 2^-24 s, so that
// the phase is exact, however late it is.
//
// As fields are real, rows of wave numbers k_y >= 0 suffice. ocean_columns makes h and d of 16 such
// rows, (k_x, -k_x) at a time, which share w and k / |k|, and transforms them along x; ocean_rows
// takes two columns of a field as the real and the imaginary part of one transform along y. Rows
// beyond the shortest wave are neither made nor read. Transforms are of radices 8 and 4, decimation
// in time; elements go to their places as they are made, so that nothing is sorted.
//
// Cost of a patch of 512^2 and three fields: 22 operations a cell for each of the 1.5 complex
// transforms; bytes per cell: 16 of waves, 12 twice between the two ops, 12 of fields.
#include "ocean/ops/args.h"
#include "ocean/ops/phase.h"
#include "ops/row/body.h"
#include "ops/system/transform.h"

enum { FIELDS = 3, LANES = GY_OCEAN_LANES };

typedef uint32_t vu __attribute__((vector_size(VW * 4)));

GY_INLINE uint64_t scratch_of(const gy_ocean_args *a)
{
    return (uint64_t)(uintptr_t)gy_at(a->base, a->scratch);
}

GY_INLINE vu load_bits(const float *p)
{
    return (vu)gy_load(p);
}

/// Bits 32 to 63 of f * t modulo 2^64; f's halves by lane.
GY_INLINE vu phase_of(vu low, vu high, const uint32_t time[2])
{
    uint32_t tl = time[0], th = time[1];
    uint32_t b0 = tl & 0xffffu, b1 = tl >> 16;
    vu a0 = low & 0xffffu, a1 = low >> 16;
    vu middle = a1 * b0, first = (a0 * b0 >> 16) + (middle & 0xffffu);
    vu second = a0 * b1;
    first += second & 0xffffu;
    return a1 * b1 + (middle >> 16) + (second >> 16) + (first >> 16) + low * th + high * tl;
}

GY_INLINE vf choose(vu mask, vf yes, vf no)
{
    return (vf)(((vu)yes & mask) | ((vu)no & ~mask));
}

GY_INLINE void sines(vu phase, vf *cosine, vf *sine)
{
    vu quarter = (phase + 0x20000000u) >> 30;
    vf x = gy_to_float((vi)(phase - (quarter << 30))) * GY_PHASE_UNIT, z = x * x;
    vf s = GY_PHASE_SINE(x, z), c = GY_PHASE_COSINE(z);
    vu odd = 0u - (quarter & 1u);
    *cosine = (vf)((vu)choose(odd, s, c) ^ (((quarter + 1u) & 2u) << 30));
    *sine = (vf)((vu)choose(odd, c, s) ^ ((quarter & 2u) << 30));
}

/// A wave's frequency in radians per second, from whole numbers of 2^-40 Hz.
GY_INLINE vf rate_of(vu low, vu high)
{
    vf hertz = gy_to_float((vi)high) * 0x1p-8f + gy_to_float((vi)(low >> 8)) * 0x1p-32f;
    return hertz * 6.28318530717958648f;
}

/// Element i of lines of VW lanes. Real and imaginary parts change places in a buffer, which makes
/// the transform there the inverse one.
GY_INLINE void put(float *buffer, int i, vf re, vf im)
{
    gy_store(buffer + (ptrdiff_t)2 * VW * i, im);
    gy_store(buffer + (ptrdiff_t)2 * VW * i + VW, re);
}

GY_INLINE vf real_of(const float *buffer, int i)
{
    return gy_load(buffer + (ptrdiff_t)2 * VW * i + VW);
}

GY_INLINE vf imaginary_of(const float *buffer, int i)
{
    return gy_load(buffer + (ptrdiff_t)2 * VW * i);
}

// ---- the transform

GY_INLINE void butterfly(int radix, float *p, int m, const float *w)
{
    gy_complex x[8];
    for (int q = 0; q < radix; q++) {
        const float *at = p + (ptrdiff_t)2 * VW * q * m;
        x[q] = (gy_complex){gy_load(at), gy_load(at + VW)};
        if (w && q > 0) {
            x[q] = gy_turned(x[q], w[2 * q - 2], w[2 * q - 1]);
        }
    }
    gy_butterfly(radix, x);
    for (int q = 0; q < radix; q++) {
        float *at = p + (ptrdiff_t)2 * VW * q * m;
        gy_store(at, x[q].re);
        gy_store(at + VW, x[q].im);
    }
}

GY_INLINE void stage(int radix, float *buffer, int n, int m, const float *w)
{
    for (int group = 0; group < n; group += m * radix) {
        for (int j = 0; j < m; j++) {
            butterfly(radix, buffer + (ptrdiff_t)2 * VW * (group + j), m,
                      w ? w + (ptrdiff_t)2 * (radix - 1) * j : NULL);
        }
    }
}

static GY_NOINLINE void stage_4(float *buffer, int n, int m, const float *w)
{
    if (m == 1) {
        stage(4, buffer, n, 1, NULL);
    } else {
        stage(4, buffer, n, m, w);
    }
}

static GY_NOINLINE void stage_8(float *buffer, int n, int m, const float *w)
{
    if (m == 1) {
        stage(8, buffer, n, 1, NULL);
    } else {
        stage(8, buffer, n, m, w);
    }
}

static void transform(const gy_ocean_args *a, float *buffer)
{
    const float *w = gy_at(a->base, a->twiddle);
    int m = 1;
    for (int s = 0; s < GY_COUNT(a->radix) && a->radix[s] > 0; s++) {
        int radix = a->radix[s];
        (radix == 8 ? stage_8 : stage_4)(buffer, a->n, m, w);
        w += (ptrdiff_t)2 * (radix - 1) * m;
        m *= radix;
    }
}

// ---- along x

/// What the waves of one pair have in common.
typedef struct together {
    vf c, s, rate, across, along, up, level;
} together;

/// h and d of one wave to its place in the three buffers; `sign` of k_x.
GY_INLINE void make(const gy_ocean_args *a, const float *wave, const together *t, float sign,
                    vf filter, int place, float *const buffer[FIELDS])
{
    vf cr = gy_load(wave), ci = gy_load(wave + LANES), dr = gy_load(wave + 2 * LANES),
       di = gy_load(wave + 3 * LANES);
    vf re, im;
    if (a->motion) {
        re = t->rate * (di * t->c - cr * t->s);
        im = t->rate * (-(ci * t->s) - dr * t->c);
    } else {
        re = cr * t->c + di * t->s;
        im = ci * t->c - dr * t->s;
    }
    re *= filter;
    im *= filter;
    vf ux = t->across * sign, uy = t->along;
    if (a->deep) {
        ux *= t->level;
        uy *= t->level;
    }
    put(buffer[1], place, -(ux * im), ux * re);
    put(buffer[2], place, -(uy * im), uy * re);
    if (a->deep) {
        re *= t->up;
        im *= t->up;
    }
    put(buffer[0], place, re, im);
}

/// The waves of VW rows from `lane` on of a block.
GY_INLINE void make_rows(const gy_ocean_args *a, int block, int lane, float *const buffer[FIELDS])
{
    int half = a->n / 2;
    const float *wave =
        gy_at(a->base, a->waves) + (ptrdiff_t)block * half * GY_OCEAN_NUMBERS * LANES + lane;
    const float *fade =
        a->deep ? gy_at(a->base, a->fade) + (ptrdiff_t)block * half * 2 * LANES + lane : NULL;
    const float *filter = gy_at(a->base, a->sharpen);
    const int32_t *place = (const int32_t *)(const void *)gy_at(a->base, a->place);
    vf other = gy_load(filter + (ptrdiff_t)block * LANES + lane), zero = gy_splat(0.0f);
    for (int i = 0; i < half; i++) {
        vu low = load_bits(wave + 10 * LANES), high = load_bits(wave + 11 * LANES);
        together t = {.across = gy_load(wave + 8 * LANES), .along = gy_load(wave + 9 * LANES)};
        sines(phase_of(low, high, a->time), &t.c, &t.s);
        if (a->motion) {
            t.rate = rate_of(low, high);
        }
        if (a->deep) {
            t.up = gy_load(fade);
            t.level = gy_load(fade + LANES);
            fade += 2 * LANES;
        }
        vf share = a->spline ? other * filter[i] : gy_splat(1.0f);
        make(a, wave, &t, 1.0f, share, place[i], buffer);
        if (i > 0) {
            make(a, wave + 4 * LANES, &t, -1.0f, share, place[a->n - i], buffer);
        }
        wave += GY_OCEAN_NUMBERS * LANES;
    }
    for (int f = 0; f < FIELDS; f++) {
        put(buffer[f], place[half], zero, zero);
    }
}

GY_INLINE float *middle_row(const gy_ocean_args *a, int field, int row, int part)
{
    return gy_at(a->base, a->middle) +
           (((ptrdiff_t)field * a->rows + row) * 2 + part) * (a->n + GY_OCEAN_PAD);
}

/// VW rows to where they lie one after the other.
GY_INLINE void store_rows(const gy_ocean_args *a, int field, int row, const float *buffer)
{
    for (int part = 0; part < 2; part++) {
        for (int x = 0; x < a->n; x += VW) {
            vf t[VW];
            for (int q = 0; q < VW; q++) {
                t[q] = part ? imaginary_of(buffer, x + q) : real_of(buffer, x + q);
            }
            gy_transpose(t);
            for (int q = 0; q < VW; q++) {
                gy_store(middle_row(a, field, row + q, part) + x, t[q]);
            }
        }
    }
}

void GY_BODY(ocean_columns)(const void *args, const gy_box *box, int task)
{
    const gy_ocean_args *a = args;
    int which;
    (void)task;
    float *scratch = gy_scratch_claim(scratch_of(a), &which), *buffer[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        buffer[f] = scratch + (ptrdiff_t)f * 2 * VW * a->n;
    }
    for (int block = box->low[0]; block < box->high[0]; block++) {
        for (int lane = 0; lane < LANES; lane += VW) {
            make_rows(a, block, lane, buffer);
            for (int f = 0; f < FIELDS; f++) {
                transform(a, buffer[f]);
                store_rows(a, f, block * LANES + lane, buffer[f]);
            }
        }
    }
    gy_scratch_release(scratch_of(a), which);
}

// ---- along y

/// VW columns from x on and as many half a patch further, as real and imaginary parts.
GY_INLINE void load_columns(const gy_ocean_args *a, int field, int x, float *buffer)
{
    const int32_t *place = (const int32_t *)(const void *)gy_at(a->base, a->place);
    int half = a->n / 2;
    vf zero = gy_splat(0.0f);
    for (int k = 0; k < a->rows; k++) {
        const float *re = middle_row(a, field, k, 0) + x, *im = middle_row(a, field, k, 1) + x;
        vf r1 = gy_load(re), r2 = gy_load(re + half), i1 = gy_load(im), i2 = gy_load(im + half);
        if (k == 0) {
            put(buffer, place[0], r1, r2);
        } else {
            put(buffer, place[k], r1 - i2, i1 + r2);
            put(buffer, place[a->n - k], r1 + i2, r2 - i1);
        }
    }
    for (int k = a->rows; k <= a->n - a->rows; k++) {
        put(buffer, place[k], zero, zero);
    }
}

GY_INLINE void store_columns(const gy_ocean_args *a, int field, int x, const float *buffer)
{
    int half = a->n / 2, stride = a->n + GY_OCEAN_PAD;
    float *to = gy_at(a->base, a->fields) + (ptrdiff_t)field * a->n * stride + x;
    for (int y = 0; y < a->n; y++) {
        vf re = real_of(buffer, y);
        gy_store(to, re);
        gy_store(to + half, imaginary_of(buffer, y));
        if (x < GY_OCEAN_PAD) {
            gy_store(to + a->n, re);
        }
        to += stride;
    }
}

void GY_BODY(ocean_rows)(const void *args, const gy_box *box, int task)
{
    const gy_ocean_args *a = args;
    int which;
    (void)task;
    float *buffer = gy_scratch_claim(scratch_of(a), &which);
    for (int block = box->low[0]; block < box->high[0]; block++) {
        // A patch of 16 cells has half a block of columns.
        int end = GY_MIN((block + 1) * LANES, a->n / 2);
        for (int x = block * LANES; x < end; x += VW) {
            for (int f = 0; f < FIELDS; f++) {
                load_columns(a, f, x, buffer);
                transform(a, buffer);
                store_columns(a, f, x, buffer);
            }
        }
    }
    gy_scratch_release(scratch_of(a), which);
}
