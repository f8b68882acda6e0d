// gas/ops/rain.c: drops fall, in each column from above. With r a cell's rain, F what comes in from
// above in cells' volumes, rho the density of its level,
//
//     V = 36.34 m/s (rho r / 1000)^0.1346 (rho ground / rho)^1/2      Kessler 1969; Klemp and
//     r' = (r + F) / (1 + V dt / h),  F below = r + F - r'            Wilhelmson 1978, 2.15
//
// Implicit, of first order: nothing leaves the range at any dt, and nothing is lost. What meets a
// face that is shut, or the lowest face, has come down: through one that is open in part so much of
// it falls on. Bytes per cell: reads 4 and writes 4; about 60 operations.
#include "gas/ops/condense.h"
#include "gas/ops/gas_row.h"
#include "gas/ops/steam.h"

/// How much of what falls goes on through the low faces of a row of cells.
static void passes(const gy_rain_args *a, const gy_flux *f, int j, int k, int i0, int lanes,
                   float *out)
{
    bool lowest = (a->axis == 1 ? j : k) == 0;
    const uint8_t *flags = f->solids ? gy_flux_flags(f, j, k, i0) : NULL;
    for (int i = 0; i < lanes; i += 2 * VW) {
        vf low = gy_splat(lowest ? 0.0f : 1.0f), high = low;
        int group = i / (2 * GY_GROUP);
        if (flags && !lowest && (group >= gy_flux_groups(f, i0) || !flags[group])) {
            gy_openness(f, a->axis, j, k, i0 + i, &low, &high);
            low *= 1.0f / GY_UNIT;
            high *= 1.0f / GY_UNIT;
        }
        gy_store(out + i, gy_min(low, gy_splat(1.0f)));
        gy_store(out + i + VW, gy_min(high, gy_splat(1.0f)));
    }
}

/// A block of a row; falls: what comes from above, then what goes on below.
static void block(const gy_rain_args *a, const gy_flux *f, int j, int k, int i0, int lanes,
                  float *falls, gy_sum *sum)
{
    float gas[GY_BLOCK + GY_FLUX_SLACK], open[GY_BLOCK + GY_FLUX_SLACK];
    float *rain =
        gy_at(a->base, a->rain) + (ptrdiff_t)j * a->extent.sy + (ptrdiff_t)k * a->extent.sz + i0;
    const float *level =
        gy_at(a->base, a->levels) + (ptrdiff_t)((a->axis == 1 ? j : k) + 1) * GY_LEVEL_FLOATS;
    const float *in = gy_gas_row(f, j, k, i0, lanes, gas);
    float weight = 1e-3f * level[GY_LEVEL_WEIGHT], speed = 36.34f * level[GY_LEVEL_FALL] * a->pace;
    passes(a, f, j, k, i0, lanes, open);
    for (int i = 0; i < lanes; i += VW) {
        vi wet = in ? (vi)gy_load(in + i) : gy_splat_int(-1);
        vf r = gy_load(rain + i), comes = gy_load(falls + i);
        vf all = r + comes, drops = gy_max(all, gy_splat(0.0f));
        vf by = speed * gy_steam_power(weight * drops, 0.1346f);
        vf stays = gy_select((vi)(all > 0.0f), gy_flush(all / (1.0f + by)), all);
        stays = gy_select(wet, stays, r);
        vf goes = gy_select(wet, all - stays, comes), on = goes * gy_load(open + i);
        gy_store(rain + i, stays);
        gy_store(falls + i, on);
        gy_sum_add(sum, i0 + i, goes - on);
    }
}

void GY_BODY(rain)(const void *args, const gy_box *box, int task)
{
    const gy_rain_args *a = args;
    const gy_extent *e = &a->extent;
    gy_flux f = {.solids = a->level != 0, .e = *e};
    int end = gy_round_up(e->n[0], GY_LANES), n = e->n[a->axis];
    double down = 0.0;
    if (f.solids) {
        f.g = gy_grid_level_at(a->base, a->level);
    }
    for (int q = box->low[1]; q < box->high[1]; q++) {
        for (int i0 = 0; i0 < end; i0 += GY_BLOCK) {
            float falls[GY_BLOCK + GY_FLUX_SLACK] = {0};
            int lanes = GY_MIN(GY_BLOCK, end - i0);
            for (int up = n - 1; up >= 0; up--) {
                gy_sum sum = gy_sum_zero();
                block(a, &f, a->axis == 1 ? up : q, a->axis == 1 ? q : up, i0, lanes, falls, &sum);
                down += gy_sum_fold(&sum);
            }
        }
    }
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    partial[0] = down;
    partial[1] = partial[2] = partial[3] = 0.0;
}
