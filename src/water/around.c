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

/// Cells of a box in a tile that is not all plain: at its edges and round quays.
static bool rows_are_clear(const gyre_water *w, const gy_box *box, int x, int y)
{
    int low[2], high[2], place;
    const int first[2] = {x << GY_TILE_SHIFT, y << GY_TILE_SHIFT};
    for (int a = 0; a < 2; a++) {
        low[a] = GY_MAX(box->low[a] - first[a], 0);
        high[a] = GY_MIN(box->high[a] - first[a], GY_WATER_TILE);
    }
    int slot = gy_tiles_find(&w->tiles, first[0], first[1], &place);
    if (slot < 0) {
        return w->live[x + w->tiles.tn[0] * y];
    }
    const uint8_t *flags = gy_tile_flags(&w->tiles, slot);
    int any = 0;
    for (int j = low[1]; j < high[1]; j++) {
        for (int i = low[0]; i < high[0]; i++) {
            any |= flags[j * GY_WATER_TILE + i];
        }
    }
    return any == 0;
}

bool gy_water_is_clear(const gyre_model *model, const gy_around *around, const gy_box *box)
{
    const gyre_water *w = (const gyre_water *)model;
    bool clear = true;
    (void)around;
    for (int y = box->low[1] >> GY_TILE_SHIFT; y <= (box->high[1] - 1) >> GY_TILE_SHIFT; y++) {
        for (int x = box->low[0] >> GY_TILE_SHIFT; x <= (box->high[0] - 1) >> GY_TILE_SHIFT; x++) {
            clear = clear && (w->plain[x + w->tiles.tn[0] * y] || rows_are_clear(w, box, x, y));
        }
    }
    return clear;
}

void gy_water_holds(const gyre_model *model, const gy_around *around, int j, int k, int first,
                    int count, int32_t *holds)
{
    (void)around;
    (void)k;
    for (int i = 0; i < count; i++) {
        holds[i] = -!(flags_of((const gyre_water *)model, first + i, j) & GY_CELL_OUT);
    }
}

bool gy_water_is_shut(const gyre_model *model, const gy_around *around, int axis, const int cell[3])
{
    int low = axis == 0 ? GY_CELL_SHUT_X : GY_CELL_SHUT_Y;
    (void)around;
    return flags_of((const gyre_water *)model, cell[0], cell[1]) & (low | GY_CELL_OUT);
}
