// gas/ops/gas_row.h: which cells of a row hold gas.
#ifndef GY_GAS_ROW_H
#define GY_GAS_ROW_H

#include "gas/ops/flux.h"

/// All bits where a cell of the row holds gas: any of its faces is open. NULL: all of `count` do.
static GY_NOINLINE const float *gy_gas_row(const gy_flux *f, int j, int k, int i0, int count,
                                           float *out)
{
    int n = f->e.n[0] - i0;
    if (!f->solids) {
        for (int i = 0; i < count && n < count; i += VW) {
            gy_store(out + i, (vf)(gy_iota(i) < n));
        }
        return n < count ? out : NULL;
    }
    const uint8_t *flags = gy_flux_flags(f, j, k, i0);
    int groups = gy_flux_groups(f, i0);
    for (int i = 0; i < count; i += 2 * VW) {
        vf low = gy_splat(1.0f), high = low;
        int group = i / (2 * GY_GROUP);
        if (group >= groups || !flags[group]) {
            vf a, b;
            gy_openness(f, 0, j, k, i0 + i, &low, &high);
            // The high faces across x are the low ones of the next cells.
            int c = (j + k) & 1;
            ptrdiff_t s = gy_level_row(f->g.l, j, k) + ((i0 + i) >> 1);
            vf even = gy_load_u16(f->g.open[0][1 - c] + s),
               odd = gy_load_u16(f->g.open[0][c] + s + 1);
            low += gy_zip_low(even, odd);
            high += gy_zip_high(even, odd);
            for (int axis = 1; axis < f->e.dim; axis++) {
                for (int end = 0; end < 2; end++) {
                    gy_openness(f, axis, j + (end && axis == 1), k + (end && axis == 2), i0 + i, &a,
                                &b);
                    low += a;
                    high += b;
                }
            }
        }
        gy_store(out + i, (vf)((vi)(low > 0.0f) & (gy_iota(i) < n)));
        gy_store(out + i + VW, (vf)((vi)(high > 0.0f) & (gy_iota(i + VW) < n)));
    }
    return out;
}

#endif
