// water/ops/dispersive.h: what the ops of mode dispersive share; see water/dispersive.c for the
// equations. Arrays are dense: n[0] x n[1] floats, `stride` floats from row to row.
#ifndef GY_OPS_DISPERSIVE_H
#define GY_OPS_DISPERSIVE_H

#include "ops/system/transform.h"
#include "water/ops/tiles.h"

enum {
    GY_DISPERSIVE_DEPTHS = 4,   // the most reference depths
    GY_DISPERSIVE_TABLE = 4096, // intervals of a table over wave numbers
    GY_DISPERSIVE_LINES = 32,   // lines that the low-pass takes at a time, or pairs of 16
    GY_DISPERSIVE_SCRATCH = 8   // arrays of so many lines that a task needs
};

/// What happens at the ends of an axis.
typedef enum gy_dispersive_end {
    GY_END_OPEN,    // flow passes: slopes are zero
    GY_END_WALL,    // flow across it is zero, of all else the slope is
    GY_END_PERIODIC // of both
} gy_dispersive_end;

/// The propagator of surface waves of a reference depth over the step, by wave number theta per
/// cell, theta = GY_DISPERSIVE_TABLE intervals up to pi sqrt(2): see gy_dispersive_tabulate.
typedef struct gy_dispersive_table {
    float a[GY_DISPERSIVE_TABLE + 2]; // (cos(omega dt) - 1) / theta^2
    float b[GY_DISPERSIVE_TABLE + 2]; // dt sin(omega dt) / (omega dt h)
    float c[GY_DISPERSIVE_TABLE + 2]; // g T dt sin(omega dt) / (omega dt h)
} gy_dispersive_table;

typedef struct gy_dispersive {
    const gy_tiles *tiles;
    const uint8_t *plain; // of a tile: no flag is set in it
    int n[2], stride;
    int end[2][2]; // gy_dispersive_end, of an axis, low and high
    float h, dt, dry, gravity;
    float reach, least, shoal; // of the low-pass: see gy_dispersive_width
    float breaking;            // share of what is too steep that passes a face in the step
    float rough;               // what rough ground takes: see dispersive_blend
    float keep;                // factor of the surface's discharge
    // A step's state. First the whole, after the parting the bulk.
    float *depth, *surface, *qx, *qy;
    float *rest;     // the surface part
    float *tx, *ty;  // the surface part's discharge
    float *width[2]; // of low faces: see dispersive_open
    float *last[2];  // of the high side of an axis, by line
    float *pass[2];  // m that pass low faces: of the parting, then those and the waves'
    float *re, *im;  // surface part and its divergence, then their transforms
    float *out_re, *out_im;
    float *part; // by which transform a cell is answered; see water/dispersive_parts.c
    int groups;  // how many transforms there are; 0: one, for all
    int group;   // that of which is now; -1: there is one for all
    bool final;  // it is the last one
    float *row_low, *row_high; // of a row: least and largest depth of what is wet
    // smooth, transform
    int axis, way;
    float *from[2], *to[2];
    const gy_fft_axis *line[2];
    float *scratch;
    size_t scratch_step;
    // evolve
    const float *angle2[2];  // theta^2 by place
    const float *value[2];   // 4 sin^2(theta / 2)
    const float *centred[2]; // sin^2(theta)
    const float *filter[2];  // what of a wave is kept
    gy_dispersive_table *table;
    // blend
    int which, depths;
    float reference[GY_DISPERSIVE_DEPTHS];
} gy_dispersive;

/// Before an array's first row, and behind its last.
enum { GY_DISPERSIVE_PAD = 16 };

GY_INLINE float *gy_dispersive_row(const gy_dispersive *d, float *array, int j)
{
    return array + (ptrdiff_t)j * d->stride;
}

/// The row above or below, as the ends have it: round, or itself.
GY_INLINE int gy_dispersive_next(const gy_dispersive *d, int j)
{
    return j + 1 < d->n[1] ? j + 1 : d->end[1][0] == GY_END_PERIODIC ? 0 : j;
}
GY_INLINE int gy_dispersive_before(const gy_dispersive *d, int j)
{
    return j > 0 ? j - 1 : d->end[1][0] == GY_END_PERIODIC ? d->n[1] - 1 : j;
}

/// Whether a cell of row j or a face round it takes something of reference depth `which`, by the
/// depths of what is wet there: where none does, its answer is not wanted. The last is always.
GY_INLINE bool gy_dispersive_uses(const gy_dispersive *d, int j)
{
    int m = d->which, rows[3] = {gy_dispersive_before(d, j), j, gy_dispersive_next(d, j)};
    float low = 1e30f, high = 0.0f;
    for (int q = 0; q < 3; q++) {
        low = GY_MIN(low, d->row_low[rows[q]]);
        high = GY_MAX(high, d->row_high[rows[q]]);
    }
    return m + 1 == d->depths ||
           (low < d->reference[m + 1] && (m == 0 || high > d->reference[m - 1]));
}

#endif
