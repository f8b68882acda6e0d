// water/outline.c: the outline of land of linear waves, where the bed has been dug or heaped up.
//
// Linear waves know a bed as the level of their surface and as land, which is where it stands at
// the level or above. A bed that moves keeps the depth of the water on it, level + u - bed: u moves
// along. What is dug below the level begins as a column without water,
//
//     u = bed - level,
//
// into which the water round it runs as a wave; what is heaped up to the level hands the water that
// still stands on it to the water round it, a share to each cell alike (where there is none, the
// ledger's line `edits` has it). So nothing comes or goes, and what is at rest in the end stands
// lower by what has been filled.
//
// Cost: of a step in which a cell crosses the level a pass over all cells, some tens of nanoseconds
// each; of others none.
#include "base/maths.h"
#include "water/water.h"

enum { SAME, WET, LAND };

/// What becomes of a cell that is not cut out by a mask or an edge.
static int flip(const gyre_water *w, int i, int j, int *slot, int *place)
{
    *slot = gy_tiles_find(&w->tiles, i, j, place);
    if (*slot < 0) {
        return SAME;
    }
    bool was = gy_tile_flags(&w->tiles, *slot)[*place] & GY_CELL_OUT;
    bool is = gy_water_is_land(w, i, j);
    return was == is || gy_water_is_cut(w, i, j) ? SAME : is ? LAND : WET;
}

bool gy_water_outline_is(const gyre_water *w)
{
    int slot, place, other = 0;
    for (int j = 0; j < w->tiles.n[1] && other == 0; j++) {
        for (int i = 0; i < w->tiles.n[0]; i++) {
            other += flip(w, i, j, &slot, &place) != SAME;
        }
    }
    return other == 0;
}

/// Whether water stands, and will stand, beside a cell that becomes land.
static bool is_rim(const gyre_water *w, int i, int j)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    int slot, place;
    bool beside = false;
    if (flip(w, i, j, &slot, &place) != SAME || slot < 0 ||
        gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT) {
        return false;
    }
    for (int q = 0; q < 4 && !beside; q++) {
        int at[2] = {i, j};
        at[q / 2] += q % 2 ? 1 : -1;
        int n = w->tiles.n[q / 2];
        if (sides[q / 2 * 2].rule == GYRE_WATER_PERIODIC) {
            at[q / 2] = (at[q / 2] + n) % n;
        }
        beside = flip(w, at[0], at[1], &slot, &place) == LAND;
    }
    return beside;
}

/// Hands quanta of depth out to the rim, the first of its cells one more where they do not divide.
static void push_out(gyre_water *w, int64_t quanta)
{
    int64_t cells = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < w->tiles.n[1]; j++) {
            for (int i = 0; i < w->tiles.n[0]; i++) {
                if (!is_rim(w, i, j)) {
                    continue;
                }
                if (pass == 0) {
                    cells++;
                    continue;
                }
                int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
                int64_t share = quanta / cells--;
                quanta -= share;
                gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place] +=
                    (float)((double)share * (double)w->quantum);
            }
        }
    }
}

gyre_result gy_water_outline(gyre_water *w)
{
    gy_water_fetch(w);
    double before = gy_water_depths(w), level = (double)w->def->level, out = 0.0;
    int slot, place;
    for (int j = 0; j < w->tiles.n[1]; j++) {
        for (int i = 0; i < w->tiles.n[0]; i++) {
            if (flip(w, i, j, &slot, &place) == LAND) {
                float *u = gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH) + place;
                out += level + (double)*u -
                       (double)gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
            }
        }
    }
    double quanta = out / (double)w->quantum;
    push_out(w, (int64_t)(quanta + (quanta < 0.0 ? -0.5 : 0.5)));
    for (int j = 0; j < w->tiles.n[1]; j++) {
        for (int i = 0; i < w->tiles.n[0]; i++) {
            int to = flip(w, i, j, &slot, &place);
            if (to == SAME) {
                continue;
            }
            double bed = (double)gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
            gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place] =
                to == LAND ? 0.0f : gy_water_round(w, bed - level);
            gy_tile_edit(&w->tiles, slot, GY_WATER_QX)[place] = 0.0f;
            gy_tile_edit(&w->tiles, slot, GY_WATER_QY)[place] = 0.0f;
        }
    }
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        w->live[tile] = w->tiles.slot[tile] >= 0 || gy_water_tile_live(w, tile);
    }
    gyre_result r = gy_water_shape(w);
    gy_water_book(w, GY_LINE_EDITS, gy_water_depths(w) - before);
    w->stats_fresh = false;
    return r;
}

gyre_result gy_water_check_digging(gyre_water *w)
{
    int live = 0;
    if (w->def->mode != GYRE_WATER_WAVE) {
        return GYRE_OK;
    }
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        w->live[tile] = w->tiles.slot[tile] >= 0 || gy_water_tile_live(w, tile);
        live += w->live[tile];
    }
    if (w->def->tiles == 0 && live > w->tiles.slots) {
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "uplifts: one digs, and %d tiles of land were made without memory: give "
                         "the def one that digs (it may be disabled), or `tiles`",
                         live - w->tiles.slots);
    }
    return GYRE_OK;
}
