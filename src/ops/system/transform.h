// ops/system/transform.h: transforms along one axis of a box, 32 lines of cells at a time.
//
// A line's own transform is real: n values to n coefficients, each of which the difference operator
// of that axis multiplies by an eigenvalue of its own. Two lines go through one complex Fourier
// transform as its real and its imaginary part, and 16 such pairs side by side are the vectors, so
// that every loop here runs along the line and has a stride of 16 or more lanes, and any order of
// the coefficients is as good as any other: they lie where the transform leaves them ("places").
//
// Where the coefficients of row (j, k) lie in a vector like x: as cells do, the one at place p
// where cell p would be.
#ifndef GY_OPS_TRANSFORM_H
#define GY_OPS_TRANSFORM_H

#include "ops/system/butterfly.h"
#include "ops/system/level.h"

enum {
    GY_LINES = 2 * GY_LANES,  // real parts, then imaginary parts
    GY_STAGES = 16,           // the most factors of n
    GY_TRANSFORM_FORWARD = 0, // the ways of gy_transform_args
    GY_TRANSFORM_BACK = 1,
    GY_TRANSFORM_SOLVE = 2 // forward, division by the operator's eigenvalues, back
};

/// Places p and q of the Fourier transform, which make coefficients p and q of both lines by a turn
/// of cosine c and sine s; those times the scale; the eigenvalues of both.
typedef struct gy_fft_pair {
    int32_t p, q;
    float c, s, scaled_c, scaled_s, value_p, value_q;
} gy_fft_pair;

/// A place whose value is real where the line is: forward * it is its coefficient, and back * that
/// is twice the value.
typedef struct gy_fft_single {
    int32_t p;
    float forward, back, value;
} gy_fft_single;

/// What must lie in the cache at a time after the first stage: one or two of its parts, and the
/// pairs and singles that are in them (ranges).
typedef struct gy_fft_group {
    int32_t part[2], parts;
    int32_t pairs[2], singles[2];
} gy_fft_group;

/// The tables of one axis.
typedef struct gy_fft_axis {
    int32_t n, stages, groups;
    int32_t radix[GY_STAGES];
    const float *twiddle[GY_STAGES]; // e^(-2 pi i r t / length) for t = 0 .., r = 1 .. radix - 1
    const float *before;    // NULL, or what element t is multiplied by before the transform (c, s)
    const int32_t *element; // which element of the transform cell i is
    const gy_fft_group *group;
    const gy_fft_pair *pair;
    const gy_fft_single *single;
    const float *value; // eigenvalues by place; 0th axis: [2][slots]
    // Offsets in a vector like x along the axis (not the 0th), for rows of even and of odd j + k at
    // its foot: of element t and of place p.
    const int64_t *at_element[2], *at_place[2];
    // What cyclic reduction wants to know: what the ends add to the diagonal (2: open).
    float end[2];
    int32_t periodic;
} gy_fft_axis;

/// Buffers for tasks: a task claims one that is free, the lowest, so that a single thread has one
/// and the same in its cache all the time. Nothing is handed on in them.
typedef struct gy_fft_scratch {
    uint32_t taken; // bits: in use, or not there
    uint32_t step;  // floats from one to the next
} gy_fft_scratch;

/// The first buffer lies this many floats behind the struct.
enum { GY_SCRATCH_HEAD = 16 };

GY_INLINE float *gy_scratch_claim(uint64_t scratch, int *which)
{
    gy_fft_scratch *s = (gy_fft_scratch *)(uintptr_t)scratch;
    uint32_t taken = __atomic_load_n(&s->taken, __ATOMIC_RELAXED);
    // There is one for every task that can run at a time: should none be free, one soon is.
    for (;;) {
        *which = taken == UINT32_MAX ? 0 : __builtin_ctz(~taken);
        uint32_t bit = 1u << *which;
        if (taken & bit) {
            taken = __atomic_load_n(&s->taken, __ATOMIC_RELAXED);
        } else if (__atomic_compare_exchange_n(&s->taken, &taken, taken | bit, false,
                                               __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            break;
        }
    }
    return (float *)(void *)s + GY_SCRATCH_HEAD + (size_t)*which * s->step;
}

GY_INLINE void gy_scratch_release(uint64_t scratch, int which)
{
    gy_fft_scratch *s = (gy_fft_scratch *)(uintptr_t)scratch;
    __atomic_fetch_and(&s->taken, ~(1u << which), __ATOMIC_RELEASE);
}

/// Blocks of lines along an axis: of 32 rows, or of 16 slots of both colours.
GY_INLINE int gy_line_blocks(const gy_level *l, int axis, bool plane)
{
    int groups = ((l->n[0] + 1) / 2 + GY_GROUP - 1) / GY_GROUP, planes = plane ? 1 : l->n[2];
    if (axis == 0) {
        return (l->n[1] * planes + GY_LINES - 1) / GY_LINES;
    }
    return groups * (axis == 1 ? planes : l->n[1]);
}

/// A vector like x seen along an axis that is not the 0th, 16 slots wide: even cells (places) of
/// the rows are real parts, odd ones imaginary parts.
typedef struct gy_columns {
    float *at;
    const int64_t *offset[2];
} gy_columns;

/// Where block `block` of lines along `axis` starts: its first slot and its row.
GY_INLINE void gy_columns_at(const gy_level *l, int axis, int block, int at[3])
{
    int groups = ((l->n[0] + 1) / 2 + GY_GROUP - 1) / GY_GROUP;
    at[0] = block % groups * GY_GROUP;
    at[1] = axis == 1 ? 0 : block / groups;
    at[2] = axis == 1 ? block / groups : 0;
}

GY_INLINE gy_columns gy_columns_of(const gy_level *l, float *vector, const int at[3],
                                   const int64_t *const offset[2])
{
    int odd = (at[1] + at[2]) & 1;
    return (gy_columns){vector + gy_level_row(l, at[1], at[2]) + at[0],
                        {offset[odd], offset[1 - odd]}};
}

/// Element (place) i of 16 pairs of lines: in columns, or else in a buffer.
GY_INLINE gy_complex gy_line_get(const gy_columns *c, const float *buffer, int i, int lane)
{
    if (c) {
        return (gy_complex){gy_load(c->at + c->offset[0][i] + lane),
                            gy_load(c->at + c->offset[1][i] + lane)};
    }
    return (gy_complex){gy_load(buffer + GY_LINES * i + lane),
                        gy_load(buffer + GY_LINES * i + GY_LANES + lane)};
}

GY_INLINE void gy_line_put(const gy_columns *c, float *buffer, int i, int lane, gy_complex z)
{
    if (c) {
        gy_store(c->at + c->offset[0][i] + lane, z.re);
        gy_store(c->at + c->offset[1][i] + lane, z.im);
    } else {
        gy_store(buffer + GY_LINES * i + lane, z.re);
        gy_store(buffer + GY_LINES * i + GY_LANES + lane, z.im);
    }
}

/// Columns into a buffer, and back.
GY_INLINE void gy_columns_load(const gy_columns *c, int n, float *buffer)
{
    for (int i = 0; i < n; i++) {
        for (int lane = 0; lane < GY_LANES; lane += VW) {
            gy_line_put(NULL, buffer, i, lane, gy_line_get(c, NULL, i, lane));
        }
    }
}

GY_INLINE void gy_columns_store(const gy_columns *c, int n, float *buffer)
{
    for (int i = 0; i < n; i++) {
        for (int lane = 0; lane < GY_LANES; lane += VW) {
            gy_line_put(c, NULL, i, lane, gy_line_get(NULL, buffer, i, lane));
        }
    }
}

/// What the operator's other axes and the shift add to the eigenvalues of the lines of a block
/// along an axis that is not the 0th. `axes` are tables by axis; `other`: the third axis, or -1.
GY_INLINE void gy_columns_values(const gy_level *l, const gy_fft_axis *axes, int other,
                                 const int at[3], float values[GY_LINES])
{
    int slots = gy_round_up((l->n[0] + 1) / 2, GY_GROUP);
    float rest = l->shift + (other > 0 ? axes[other].value[at[other]] : 0.0f);
    for (int i = 0; i < GY_LANES; i++) {
        values[i] = axes[0].value[at[0] + i] + rest;
        values[GY_LANES + i] = axes[0].value[slots + at[0] + i] + rest;
    }
}

/// 32 rows: even cells and odd cells of each.
typedef struct gy_rows {
    float *at[GY_LINES][2];
    int count; // the others repeat the last
} gy_rows;

/// Rows first .. first + 31 of those before `end`, plane after plane.
GY_INLINE gy_rows gy_rows_of(const gy_level *l, float *vector, int first, int end)
{
    gy_rows rows = {.count = GY_MIN(end - first, (int)GY_LINES)};
    for (int r = 0; r < GY_LINES; r++) {
        int row = first + GY_MIN(r, rows.count - 1), j = row % l->n[1], k = row / l->n[1];
        float *even = vector + gy_level_row(l, j, k);
        rows.at[r][0] = even + (ptrdiff_t)((j + k) & 1) * l->colour_step;
        rows.at[r][1] = even + (ptrdiff_t)((j + k + 1) & 1) * l->colour_step;
    }
    return rows;
}

/// VW vectors of VW lanes: lane l of vector v goes to lane v of vector l.
GY_INLINE void gy_transpose(vf *t)
{
    for (int stage = 1; stage < VW; stage *= 2) {
        vf u[VW];
        for (int q = 0; q < VW / 2; q++) {
            u[2 * q] = gy_zip_low(t[q], t[q + VW / 2]);
            u[2 * q + 1] = gy_zip_high(t[q], t[q + VW / 2]);
        }
        for (int q = 0; q < VW; q++) {
            t[q] = u[q];
        }
    }
}

/// Rows into a buffer of complex vectors; `element` NULL: place p holds cell p.
GY_INLINE void gy_rows_load(const gy_rows *rows, int n, const int32_t *element, float *buffer)
{
    for (int e = 0; e < 2; e++) {
        int cells = (n - e + 1) / 2;
        for (int s = 0; s < cells; s += VW) {
            for (int r = 0; r < GY_LINES; r += VW) {
                vf t[VW];
                for (int q = 0; q < VW; q++) {
                    __builtin_prefetch(rows->at[r + q][e] + s + 64, 0, 3);
                    t[q] = gy_load(rows->at[r + q][e] + s);
                }
                gy_transpose(t);
                for (int q = 0; q < VW; q++) {
                    int cell = 2 * (s + q) + e;
                    if (cell < n) {
                        gy_store(buffer + GY_LINES * (element ? element[cell] : cell) + r, t[q]);
                    }
                }
            }
        }
    }
}

/// The way back; what lies beyond the cells up to the padded end becomes 0.
GY_INLINE void gy_rows_store(const gy_rows *rows, int n, const int32_t *element,
                             const float *buffer)
{
    int slots = gy_round_up((n + 1) / 2, GY_GROUP);
    for (int e = 0; e < 2; e++) {
        for (int s = 0; s < slots; s += VW) {
            for (int r = 0; r < rows->count; r += VW) {
                vf t[VW];
                for (int q = 0; q < VW; q++) {
                    int cell = 2 * (s + q) + e;
                    t[q] = gy_splat(0.0f);
                    if (cell < n) {
                        t[q] = gy_load(buffer + GY_LINES * (element ? element[cell] : cell) + r);
                    }
                }
                gy_transpose(t);
                for (int q = 0; q < VW; q++) {
                    if (r + q < rows->count) {
                        gy_store(rows->at[r + q][e] + s, t[q]);
                    }
                }
            }
        }
    }
}

/// The lanes of a block of rows get what gy_columns_values gives columns. `first`, `end` as in
/// gy_rows_of.
GY_INLINE void gy_rows_values(const gy_level *l, const gy_fft_axis *axes, int first, int end,
                              float values[GY_LINES])
{
    for (int r = 0; r < GY_LINES; r++) {
        int row = GY_MIN(first + r, end - 1), j = row % l->n[1], k = row / l->n[1];
        values[r] = axes[1].value[j] + (gy_is_3d(l->dim) ? axes[2].value[k] : 0.0f) + l->shift;
    }
}

/// x / d; where d is 0, which is where a constant is a solution, 0. What the shift alone holds may
/// be huge: it is kept within what squares allow.
GY_INLINE vf gy_held(vf x, vf d)
{
    vf most = gy_splat(1e18f);
    return gy_clamp((vf)((vi)(x / d) & (vi)(d > 0.0f)), -most, most);
}

#endif
