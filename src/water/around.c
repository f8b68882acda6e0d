// water/around.c: what stands in the way of those who query water: cells that are cut out, faces
// that nothing passes, sides that are periodic.
#include "water/water.h"

gy_around gy_water_around(const gyre_model *model)
{
    const gyre_water *w = (const gyre_water *)model;
    const gyre_water_side *sides = &w->def->sides.x_low;
    gy_around around = {.walls = true};
    for (int a = 0; a < 2; a++) {
        around.periodic |= sides[2 * a].rule == GYRE_WATER_PERIODIC ? 1u << a : 0;
    }
    return around;
}

/// Where there is no memory there is no water, and room for some unless all of a tile is cut out.
static int flags_of(const gyre_water *w, int i, int j)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    int tile = (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT);
    return slot >= 0 ? gy_tile_flags(&w->tiles, slot)[place] : w->live[tile] ? 0 : GY_CELL_OUT;
}

bool gy_water_partly(const gyre_model *model, int j, int k, int first, int count, bool *holds)
{
    const gyre_water *w = (const gyre_water *)model;
    bool all = true;
    (void)k;
    for (int tile = first >> GY_TILE_SHIFT; tile <= (first + count - 1) >> GY_TILE_SHIFT; tile++) {
        all = all && w->plain[tile + w->tiles.tn[0] * (j >> GY_TILE_SHIFT)];
    }
    for (int i = 0; i < count && !all; i++) {
        holds[i] = !(flags_of(w, first + i, j) & GY_CELL_OUT);
    }
    return !all;
}

bool gy_water_is_shut(const gyre_model *model, int axis, const int cell[3])
{
    const gyre_water *w = (const gyre_water *)model;
    int low = axis == 0 ? GY_CELL_SHUT_X : GY_CELL_SHUT_Y;
    return flags_of(w, cell[0], cell[1]) & (low | GY_CELL_OUT);
}
