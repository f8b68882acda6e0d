// water/drops.c: rain as drops. A drop of diameter s brings pi s^3 / 6 of water to one cell, and
// with it a dent of no volume,
//
//     -ring (1 - r^2/R^2) exp(-r^2/R^2),   whose integral over the plane is 0,
//
// from which a ring runs out. Where a drop falls follows from the seed, the step and its number in
// the step by a hash, so it is the same on every machine and after a load. Drops come over the
// whole domain as rain does; those over what is cut out are lost, as that rain is. A dent is made
// where the water round it is deep enough to have it; its sum over cells is brought to 0, what
// rounding leaves goes to the cell in the middle. Cost: some hundred cells a drop.
#include "base/maths.h"
#include "water/water.h"

enum {
    MOST = 65536,  // drops in a step; more are made as many larger ones
    REACH = 24,    // cells round a drop
    WORK = 1 << 18 // cells of dents in a step
};

static float *cell(gyre_water *w, int i, int j, int *slot, int *place)
{
    *slot = gy_tiles_find(&w->tiles, i, j, place);
    if (*slot < 0 || (gy_tile_flags(&w->tiles, *slot)[*place] & GY_CELL_OUT)) {
        return NULL;
    }
    return &gy_tile_edit(&w->tiles, *slot, GY_WATER_DEPTH)[*place];
}

/// A cell that may lie beyond a periodic side.
static int round_to_domain(const gyre_water *w, int axis, int i)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    int n = w->tiles.n[axis];
    bool joined = sides[2 * axis].rule == GYRE_WATER_PERIODIC;
    return i >= 0 && i < n ? i : joined && n > REACH ? (i + n) % n : -1;
}

typedef struct dent {
    int i, j, reach;
    double inverse; // cells^-2: of R^2
} dent;

static float bell(const dent *d, int a, int b, float *square)
{
    *square = (float)((double)(a * a + b * b) * d->inverse);
    return gy_expf(-*square);
}

/// Whether all cells of a dent are there and deep enough.
static bool has_room(gyre_water *w, const dent *d, float ring)
{
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    for (int b = -d->reach; b <= d->reach; b++) {
        for (int a = -d->reach; a <= d->reach; a++) {
            int i = round_to_domain(w, 0, d->i + a), j = round_to_domain(w, 1, d->j + b);
            int slot, place;
            const float *depth = i < 0 || j < 0 ? NULL : cell(w, i, j, &slot, &place);
            if (!depth || (!wave && !(*depth > 2.0f * ring + w->def->dry_depth))) {
                return false;
            }
        }
    }
    return true;
}

/// Returns what the depths' sum has changed by, m.
static double make_dent(gyre_water *w, dent *d, float ring)
{
    double sum = 0.0, weights = 0.0, changed = 0.0;
    int slot, place;
    float s, e;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = -d->reach; b <= d->reach; b++) {
            for (int a = -d->reach; a <= d->reach; a++) {
                e = bell(d, a, b, &s);
                float change = -ring * (1.0f - s) * e;
                if (pass == 0) {
                    sum += (double)change;
                    weights += (double)e;
                    continue;
                }
                change -= (float)(sum / weights) * e;
                int i = round_to_domain(w, 0, d->i + a), j = round_to_domain(w, 1, d->j + b);
                float *depth = cell(w, i, j, &slot, &place), old = *depth;
                change = w->def->exact ? gy_water_round(w, (double)change) : change;
                *depth = old + change;
                changed += (double)*depth - (double)old;
                gy_water_touch(w, slot);
            }
        }
    }
    float *middle = cell(w, d->i, d->j, &slot, &place), old = *middle;
    *middle = old - (float)changed;
    return changed + ((double)*middle - (double)old);
}

void gy_water_drops(gyre_water *w)
{
    const gyre_water_drops *drops = &w->def->drops;
    double h = (double)w->grid.h, size = (double)drops->size;
    double cells = (double)w->tiles.n[0] * w->tiles.n[1];
    // Of one drop, as metres of the whole domain's depth.
    double share = 0.5235987755982989 * size * size * size / (h * h * cells);
    double due = w->extra->rain_due / share;
    double radius = GY_MAX((double)drops->radius / h, 1.5);
    int reach = radius < REACH ? (int)(3.0 * radius) + 1 : REACH;
    dent d = {.reach = GY_MIN(reach, REACH), .inverse = 1.0 / (radius * radius)};
    int across = 2 * d.reach + 1, most = drops->ring > 0.0f ? WORK / (across * across) : MOST;
    most = GY_MIN(most, MOST);
    int count = due < most ? (int)due : most;
    share = due < most ? share : w->extra->rain_due / most;
    uint32_t seed = gy_random((uint32_t)drops->seed, (uint32_t)w->model.steps);
    if (count > 0) {
        gy_water_fetch(w);
    }
    for (int k = 0; k < count; k++) {
        int slot, place;
        d.i = (int)((uint64_t)gy_random(seed, 2 * (uint32_t)k) * (uint64_t)w->tiles.n[0] >> 32);
        d.j = (int)((uint64_t)gy_random(seed, 2 * (uint32_t)k + 1) * (uint64_t)w->tiles.n[1] >> 32);
        gy_water_slot(w, (d.i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (d.j >> GY_TILE_SHIFT));
        float *depth = cell(w, d.i, d.j, &slot, &place);
        if (!depth) {
            w->extra->rain_due -= share;
            continue;
        }
        float old = *depth, more = (float)(share * cells);
        if (w->def->exact) {
            more = GY_MAX(gy_water_round(w, (double)more), w->quantum);
        }
        *depth = GY_MIN(old + more, 1e5f);
        double came = (double)*depth - (double)old;
        w->extra->rain_due -= w->def->exact ? came / cells : share;
        gy_water_touch(w, slot);
        if (drops->ring > 0.0f && has_room(w, &d, drops->ring)) {
            came += make_dent(w, &d, drops->ring);
        }
        gy_water_book(w, GY_LINE_RAIN, came);
    }
}
