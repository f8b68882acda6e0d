// ops/system/stages.c: the stages of a transform of 32 lines in a buffer, forward and back, and
// what makes coefficients of cosine and sine transforms of them: see ops/system/fft.c for the
// equations, solve/transform.c for the tables. Butterflies of a radix are written out whole, twice
// for each way: they stand here alone, for all that transforms.
#include "ops/system/stages.h"

/// One butterfly forward: elements i, i + m, ... become those of the parts, turned by w.
GY_INLINE void forward(int radix, const gy_columns *c, const float *before, float *buffer, int i,
                       int m, const float *w)
{
    for (int lane = 0; lane < GY_LANES; lane += VW) {
        gy_complex x[16];
        for (int q = 0; q < radix; q++) {
            x[q] = gy_line_get(c, buffer, i + q * m, lane);
            if (before) {
                const float *b = before + 2 * (i + q * m);
                x[q] = gy_turned(x[q], b[0], b[1]);
            }
        }
        gy_butterfly(radix, x);
        gy_line_put(NULL, buffer, i, lane, x[0]);
        for (int r = 1; r < radix; r++) {
            if (w) {
                x[r] = gy_turned(x[r], w[2 * r - 2], w[2 * r - 1]);
            }
            gy_line_put(NULL, buffer, i + r * m, lane, x[r]);
        }
    }
}

/// And back: the inverse transform is the forward one with real and imaginary parts swapped.
GY_INLINE void back(int radix, const gy_columns *c, const float *before, float *buffer, int i,
                    int m, const float *w)
{
    for (int lane = 0; lane < GY_LANES; lane += VW) {
        gy_complex x[16];
        for (int r = 0; r < radix; r++) {
            gy_complex z = gy_line_get(NULL, buffer, i + r * m, lane);
            if (w && r > 0) {
                z = gy_turned_back(z, w[2 * r - 2], w[2 * r - 1]);
            }
            x[r] = (gy_complex){z.im, z.re};
        }
        gy_butterfly(radix, x);
        for (int q = 0; q < radix; q++) {
            gy_complex z = {x[q].im, x[q].re};
            if (before) {
                const float *b = before + 2 * (i + q * m);
                z = gy_turned_back(z, b[0], b[1]);
            }
            gy_line_put(c, buffer, i + q * m, lane, z);
        }
    }
}

/// A stage over `parts` parts of radix * m elements.
GY_INLINE void stage(int radix, bool forwards, float *buffer, int m, int parts, const float *w)
{
    for (int part = 0; part < parts; part++) {
        float *p = buffer + (ptrdiff_t)part * radix * m * GY_LINES;
        if (m == 1 && forwards) {
            forward(radix, NULL, NULL, p, 0, 1, NULL);
        } else if (m == 1) {
            back(radix, NULL, NULL, p, 0, 1, NULL);
        } else {
            for (int i = 0; i < m; i++) {
                if (forwards) {
                    forward(radix, NULL, NULL, p, i, m, w + 2 * (radix - 1) * i);
                } else {
                    back(radix, NULL, NULL, p, i, m, w + 2 * (radix - 1) * i);
                }
            }
        }
    }
}

/// The outermost stage, which reads (writes) columns where there are any.
GY_INLINE void outer(int radix, bool forwards, const gy_columns *c, const float *before,
                     float *buffer, int m, const float *w)
{
    for (int i = 0; i < m; i++) {
        const float *turns = w + 2 * (radix - 1) * i;
        if (forwards && c && !before) {
            forward(radix, c, NULL, buffer, i, m, turns);
        } else if (forwards) {
            forward(radix, c, before, buffer, i, m, turns);
        } else if (c && !before) {
            back(radix, c, NULL, buffer, i, m, turns);
        } else {
            back(radix, c, before, buffer, i, m, turns);
        }
    }
}

typedef void stage_function(float *buffer, int m, int parts, const float *w);
typedef void outer_function(const gy_columns *c, const float *before, float *buffer, int m,
                            const float *w);

#define RADIX(r)                                                                                   \
    static GY_NOINLINE void forward_##r(float *buffer, int m, int parts, const float *w)           \
    {                                                                                              \
        stage(r, true, buffer, m, parts, w);                                                       \
    }                                                                                              \
    static GY_NOINLINE void back_##r(float *buffer, int m, int parts, const float *w)              \
    {                                                                                              \
        stage(r, false, buffer, m, parts, w);                                                      \
    }                                                                                              \
    static GY_NOINLINE void outer_forward_##r(const gy_columns *c, const float *before,            \
                                              float *buffer, int m, const float *w)                \
    {                                                                                              \
        if (c) {                                                                                   \
            outer(r, true, c, before, buffer, m, w);                                               \
        } else {                                                                                   \
            outer(r, true, NULL, before, buffer, m, w);                                            \
        }                                                                                          \
    }                                                                                              \
    static GY_NOINLINE void outer_back_##r(const gy_columns *c, const float *before,               \
                                           float *buffer, int m, const float *w)                   \
    {                                                                                              \
        if (c) {                                                                                   \
            outer(r, false, c, before, buffer, m, w);                                              \
        } else {                                                                                   \
            outer(r, false, NULL, before, buffer, m, w);                                           \
        }                                                                                          \
    }
RADIX(1)
RADIX(2)
RADIX(3)
RADIX(4)
RADIX(5)
RADIX(7)
RADIX(8)
RADIX(16)
#undef RADIX

static stage_function *const stages[2][17] = {
    {[1] = forward_1,
     forward_2,
     forward_3,
     forward_4,
     forward_5,
     [7] = forward_7,
     forward_8,
     [16] = forward_16},
    {[1] = back_1, back_2, back_3, back_4, back_5, [7] = back_7, back_8, [16] = back_16}};
static outer_function *const outers[2][17] = {{[1] = outer_forward_1,
                                               outer_forward_2,
                                               outer_forward_3,
                                               outer_forward_4,
                                               outer_forward_5,
                                               [7] = outer_forward_7,
                                               outer_forward_8,
                                               [16] = outer_forward_16},
                                              {[1] = outer_back_1,
                                               outer_back_2,
                                               outer_back_3,
                                               outer_back_4,
                                               outer_back_5,
                                               [7] = outer_back_7,
                                               outer_back_8,
                                               [16] = outer_back_16}};

/// The stages after the first, over one of its parts.
static void inner_stages(const gy_fft_axis *t, bool forwards, float *part)
{
    int length = t->n / t->radix[0], parts = 1;
    if (forwards) {
        for (int s = 1; s < t->stages; s++) {
            length /= t->radix[s];
            stages[0][t->radix[s]](part, length, parts, t->twiddle[s]);
            parts *= t->radix[s];
        }
        return;
    }
    parts = length;
    length = 1;
    for (int s = t->stages - 1; s > 0; s--) {
        parts /= t->radix[s];
        stages[1][t->radix[s]](part, length, parts, t->twiddle[s]);
        length *= t->radix[s];
    }
}

/// Coefficients of both lines at the places of a pair; those at q have the other sign than the
/// cosine (sine) transform, which the way back does not mind.
typedef struct quad {
    vf ap, aq, bp, bq;
} quad;

GY_INLINE quad quad_of(gy_complex p, gy_complex q, float c, float s)
{
    // Twice the transforms of the first line, a, and of the second, b, from that of a + i b.
    gy_complex a = {p.re + q.re, p.im - q.im}, b = {p.im + q.im, q.re - p.re};
    a = gy_turned_back(a, c, s);
    b = gy_turned_back(b, c, s);
    return (quad){a.re, a.im, b.re, b.im};
}

GY_INLINE void quad_back(const quad *t, float c, float s, gy_complex *p, gy_complex *q)
{
    gy_complex a = gy_turned((gy_complex){t->ap, t->aq}, c, s);
    gy_complex b = gy_turned((gy_complex){t->bp, t->bq}, c, s);
    *p = (gy_complex){a.re - b.im, a.im + b.re};
    *q = (gy_complex){a.re + b.im, b.re - a.im};
}

/// From the Fourier transform to coefficients and back, as `way` says.
GY_INLINE void pairs(int way, const gy_fft_axis *t, const gy_fft_group *g, float *buffer,
                     const float *values)
{
    for (int i = g->pairs[0]; i < g->pairs[1]; i++) {
        const gy_fft_pair *w = t->pair + i;
        for (int lane = 0; lane < GY_LANES; lane += VW) {
            gy_complex p = gy_line_get(NULL, buffer, w->p, lane),
                       q = gy_line_get(NULL, buffer, w->q, lane);
            quad u = {p.re, q.re, p.im, q.im};
            if (way != GY_TRANSFORM_BACK) {
                u = quad_of(p, q, w->scaled_c, w->scaled_s);
            }
            if (way == GY_TRANSFORM_SOLVE) {
                vf a = gy_load(values + lane), b = gy_load(values + GY_LANES + lane);
                u.ap /= w->value_p + a;
                u.aq /= w->value_q + a;
                u.bp /= w->value_p + b;
                u.bq /= w->value_q + b;
            }
            if (way == GY_TRANSFORM_FORWARD) {
                p = (gy_complex){u.ap, u.bp};
                q = (gy_complex){u.aq, u.bq};
            } else {
                quad_back(&u, w->c, w->s, &p, &q);
            }
            gy_line_put(NULL, buffer, w->p, lane, p);
            gy_line_put(NULL, buffer, w->q, lane, q);
        }
    }
}

GY_INLINE void singles(int way, const gy_fft_axis *t, const gy_fft_group *g, float *buffer,
                       const float *values)
{
    for (int i = g->singles[0]; i < g->singles[1]; i++) {
        const gy_fft_single *w = t->single + i;
        for (int lane = 0; lane < GY_LANES; lane += VW) {
            gy_complex z = gy_line_get(NULL, buffer, w->p, lane);
            if (way != GY_TRANSFORM_BACK) {
                z = gy_times(z, w->forward);
            }
            if (way == GY_TRANSFORM_SOLVE) {
                z.re = gy_held(z.re, w->value + gy_load(values + lane));
                z.im = gy_held(z.im, w->value + gy_load(values + GY_LANES + lane));
            }
            if (way != GY_TRANSFORM_FORWARD) {
                z = gy_times(z, w->back);
            }
            gy_line_put(NULL, buffer, w->p, lane, z);
        }
    }
}

void GY_STAGED(middle)(int way, const gy_fft_axis *t, float *buffer, const float *values)
{
    ptrdiff_t size = (ptrdiff_t)(t->n / t->radix[0]) * GY_LINES;
    for (int i = 0; i < t->groups; i++) {
        const gy_fft_group *g = t->group + i;
        for (int q = 0; q < g->parts && way != GY_TRANSFORM_BACK; q++) {
            inner_stages(t, true, buffer + g->part[q] * size);
        }
        if (way == GY_TRANSFORM_FORWARD) {
            pairs(GY_TRANSFORM_FORWARD, t, g, buffer, NULL);
            singles(GY_TRANSFORM_FORWARD, t, g, buffer, NULL);
        } else if (way == GY_TRANSFORM_BACK) {
            pairs(GY_TRANSFORM_BACK, t, g, buffer, NULL);
            singles(GY_TRANSFORM_BACK, t, g, buffer, NULL);
        } else {
            pairs(GY_TRANSFORM_SOLVE, t, g, buffer, values);
            singles(GY_TRANSFORM_SOLVE, t, g, buffer, values);
        }
        for (int q = 0; q < g->parts && way != GY_TRANSFORM_FORWARD; q++) {
            inner_stages(t, false, buffer + g->part[q] * size);
        }
    }
}

void GY_STAGED(outer)(bool forwards, const gy_fft_axis *t, const gy_columns *c, const float *before,
                      float *buffer)
{
    int radix = t->radix[0];
    outers[forwards ? 0 : 1][radix](c, before, buffer, t->n / radix, t->twiddle[0]);
}
