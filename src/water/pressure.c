// water/pressure.c: the pressure of shallow water that is not hydrostatic: what lets short waves be
// slower, and long ones keep their form as they steepen.
//
// Serre's equations (1953), as A. E. Green and P. M. Naghdi, J. Fluid Mech. 78 (1976), have them
// over a bed b. With S the pressure beyond the hydrostatic one, over density, summed over a column
// of depth d, whose flow is u at all heights,
//
//     q_t + ... = - grad S - 3/2 S / d grad b,
//     3 S / d^3 - w [div (grad S / d) + S div c - 9/4 |grad b|^2 S / d^3]
//         = 2 (div u)^2 - 2 J + g lap eta + 3/2 (u.H u - g grad b . grad eta) / d,
//
// c = 3/2 grad b / d^2, J the determinant of grad u, H the second derivatives of b, the mixed ones
// left out. The bed's share of the pressure is 3/2 S / d, as A. Jeschke, G. K. Pedersen, S. Vater
// and J. Behrens, Int. J. Numer. Meth. Fluids 84 (2017), have it of a quadratic profile. With
// w = 1 it is Serre's: c^2 = g d / (1 + (k d)^2 / 3); with 1.159 of P. Bonneton, F. Chazel,
// D. Lannes, F. Marche and M. Tissier, J. Comput. Phys. 230 (2011), waves up to k d = 3 have Airy's
// speed within 2 %, and a solitary wave is 2 % higher than Serre's. Waves that break
// (onset.c) are left to shallow water, two cells round (P. Smit, M. Zijlema and G. Stelling,
// Coastal Eng. 76 (2013)); so is water of less than a tenth of a cell, and eight cells along open
// sides and inflows.
//
// Five points, second order in space; applied whole after each substep, so of first order where
// the flow itself changes, of second for waves. Solved by Chebyshev's iteration on the system over
// its diagonal, to 1e-3 of its right side: no sums, so any number of threads finds the same bits.
// Its eigenvalues lie between the least share of 3 / d^3 in the diagonal and 2 less that; for water
// of so many cells deep it takes some 4 times as many iterations, 1 to 2 ns a cell each. Passes no
// water: the ledger and the depths are the flow's. Level water has none: a lake at rest rests.
#include "water/pressure.h"
#include "base/maths.h"
#include "grid/layout.h"
#include "water/breaking.h"
#include "water/ops/pressure.h"
#include "water/water.h"
#include <string.h>

enum { ARRAYS = 13, MOST = 400 };

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

/// Bytes of everything; laid out from `memory` on where there is some.
static size_t plan(gy_pressure *d, const gyre_water_def *def, char *memory)
{
    const gyre_water_side *sides = &def->sides.x_low;
    for (int a = 0; a < 2; a++) {
        d->n[a] = def->grid.n[a];
        d->round[a] = sides[2 * a].rule == GYRE_WATER_PERIODIC;
    }
    d->stride = (d->n[0] + GY_LANES - 1) / GY_LANES * GY_LANES + GY_PRESSURE_PAD;
    size_t area = (size_t)d->stride * (size_t)d->n[1] + 3 * GY_PRESSURE_PAD;
    size_t used = round64(sizeof *d);
    float **const arrays[ARRAYS] = {&d->depth,   &d->bed,    &d->qx,      &d->qy,      &d->open[0],
                                    &d->open[1], &d->broken, &d->face[0], &d->face[1], &d->right,
                                    &d->inverse, &d->sum[0], &d->sum[1]};
    for (int q = 0; q < ARRAYS; q++) {
        *arrays[q] = memory ? (float *)(void *)(memory + used) + GY_PRESSURE_PAD : NULL;
        used += round64(area * sizeof(float));
    }
    size_t rows = (size_t)d->n[1] * sizeof(float), row = (size_t)d->stride * sizeof(float);
    float *margin = memory ? (float *)(void *)(memory + used) : NULL;
    used += round64(row + rows);
    d->least = memory ? (float *)(void *)(memory + used) : NULL;
    used += round64(rows);
    d->zeros = memory ? (float *)(void *)(memory + used) : NULL;
    used += round64(row);
    for (int a = 0; a < 2 && memory; a++) {
        for (int side = 0; side < 2; side++) {
            int rule = sides[2 * a + side].rule;
            for (int k = 0; k < GY_MIN((int)GY_PRESSURE_MARGIN, d->n[a]); k++) {
                int at = side ? d->n[a] - 1 - k : k;
                if (rule == GYRE_WATER_OPEN || rule == GYRE_WATER_INFLOW) {
                    margin[a * d->stride + at] = 1.0f;
                }
            }
        }
    }
    d->margin = margin;
    return used;
}

size_t gy_pressure_size(const gyre_water_def *def)
{
    gy_pressure unused;
    return def->nonhydrostatic ? plan(&unused, def, NULL) : 0;
}

gyre_result gy_pressure_check(const gyre_water_def *def)
{
    if (!def->nonhydrostatic) {
        return GYRE_OK;
    }
    if (def->mode != GYRE_WATER_SHALLOW) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "nonhydrostatic: it is the pressure of mode shallow; expected false, or "
                         "that mode");
    }
    if (def->sleep_height > 0.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sleep_height: found %g, expected 0: with nonhydrostatic no tile sleeps",
                         (double)def->sleep_height);
    }
    return GYRE_OK;
}

void gy_pressure_make(gyre_water *w)
{
    memset(w->pressure, 0, gy_pressure_size(w->def));
    plan(w->pressure, w->def, w->pressure);
}

static void rows(const gyre_water *w, gy_pressure *d, gy_op op)
{
    gy_water_args args = {(uint64_t)(uintptr_t)d};
    gy_run(w->model.device, op, &args, gy_box_make(d->n[0], d->n[1], 1));
}

/// Leaves the last approximation in sum[to].
static void solve(const gyre_water *w, gy_pressure *d)
{
    float least = 1.0f;
    for (int j = 0; j < d->n[1]; j++) {
        least = GY_MIN(least, d->least[j]);
    }
    least = GY_MAX(least, 1e-6f);
    // (1/2) sqrt(2 / least) ln(2 / 1e-3) iterations.
    int count = (int)(3.8f * gy_sqrtf(2.0f / least)) + 1;
    float spread = 1.0f - least, square = spread * spread;
    d->weight = 2.0f;
    d->to = 1;
    for (int k = 0; k < GY_MIN(count, (int)MOST) && spread > 0.0f; k++) {
        d->weight =
            k == 0 ? 1.0f / (1.0f - 0.5f * square) : 1.0f / (1.0f - 0.25f * square * d->weight);
        d->from = d->to;
        d->to = 1 - d->from;
        rows(w, d, GY_OP_pressure_relax);
    }
}

void gy_pressure_push(gyre_water *w, float dt)
{
    const gyre_water_def *def = w->def;
    gy_pressure *d = w->pressure;
    d->tiles = &w->tiles;
    d->plain = w->plain;
    d->h = def->grid.h;
    d->dry = GY_MAX(def->dry_depth, 0.1f * def->grid.h);
    d->gravity = def->gravity;
    d->dt = dt;
    d->wide = 1.159f;
    rows(w, d, GY_OP_pressure_gather);
    memset(d->right, 0, (size_t)d->stride * (size_t)d->n[1] * sizeof *d->right);
    gy_fronts_mark(w, d->right, d->stride);
    rows(w, d, GY_OP_pressure_steep);
    rows(w, d, GY_OP_pressure_make);
    solve(w, d);
    rows(w, d, GY_OP_pressure_push);
    for (int slot = 0; slot < w->tiles.used; slot++) {
        w->tiles.edited[slot] = GY_TILE_EDITED;
        gy_snapshots_note(w, slot);
    }
}
