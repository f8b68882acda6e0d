// water/regions.c: the talk's redistribution: what edits from outside have added to a connected
// region, or taken from it, is taken back evenly from the region's cells.
#include "base/forest.h"
#include "water/water.h"
#include <string.h>

void gy_water_note_edit(gyre_water *w, int i, int j, double change)
{
    int cells = w->tiles.n[0] * w->tiles.n[1];
    // Without room for it the edit stands, and redistribution says that it cannot be taken back.
    if (gy_list_reserve(w, &w->edited, cells, sizeof(float)) == GYRE_OK) {
        ((float *)w->edited.items)[i + w->tiles.n[0] * j] += (float)change;
    }
}

/// The water's cell at (i, j), if it is wet.
static float *wet_cell(const gyre_water *w, int i, int j, int *slot, int *place)
{
    *slot = gy_tiles_find(&w->tiles, i, j, place);
    if (*slot < 0 || (gy_tile_flags(&w->tiles, *slot)[*place] & GY_CELL_OUT)) {
        return NULL;
    }
    float *depth = &gy_tile_edit(&w->tiles, *slot, GY_WATER_DEPTH)[*place];
    return w->def->mode == GYRE_WATER_WAVE || *depth > w->def->dry_depth ? depth : NULL;
}

static void join_cells(const gyre_water *w, int32_t *parent)
{
    int nx = w->tiles.n[0], ny = w->tiles.n[1];
    bool round[2] = {w->def->sides.x_low.rule == GYRE_WATER_PERIODIC,
                     w->def->sides.y_low.rule == GYRE_WATER_PERIODIC};
    for (int c = 0; c < nx * ny; c++) {
        int i = c % nx, j = c / nx, slot, place, other;
        parent[c] = c;
        if (!wet_cell(w, i, j, &slot, &place)) {
            continue;
        }
        int flags = gy_tile_flags(&w->tiles, slot)[place];
        int left = i > 0 ? c - 1 : -1, below = j > 0 ? c - nx : -1;
        if (left >= 0 && !(flags & GY_CELL_SHUT_X) && wet_cell(w, i - 1, j, &slot, &other)) {
            gy_forest_join(parent, left, c);
        }
        if (below >= 0 && !(flags & GY_CELL_SHUT_Y) && wet_cell(w, i, j - 1, &slot, &other)) {
            gy_forest_join(parent, below, c);
        }
        if (round[0] && i == nx - 1 && !(flags & GY_CELL_SHUT_HIGH_X) &&
            wet_cell(w, 0, j, &slot, &other)) {
            gy_forest_join(parent, j * nx, c);
        }
        if (round[1] && j == ny - 1 && !(flags & GY_CELL_SHUT_HIGH_Y) &&
            wet_cell(w, i, 0, &slot, &other)) {
            gy_forest_join(parent, i, c);
        }
    }
}

/// The region that an edit counts to: that of its cell, or, where the cell is dry now, of a wet
/// neighbour; -1: of none.
static int region_of(const gyre_water *w, int32_t *parent, int i, int j)
{
    const int to[5][2] = {{i, j}, {i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}};
    for (int q = 0; q < 5; q++) {
        int slot, place, x = to[q][0], y = to[q][1];
        if (x >= 0 && y >= 0 && x < w->tiles.n[0] && y < w->tiles.n[1] &&
            wet_cell(w, x, y, &slot, &place)) {
            return gy_forest_root(parent, x + w->tiles.n[0] * y);
        }
    }
    return -1;
}

/// Takes each region's share off its cells; returns what is left to do, m of depth over cells.
static double spread(gyre_water *w, int32_t *parent, double *owed, const int32_t *count, float cap)
{
    int nx = w->tiles.n[0], ny = w->tiles.n[1];
    double done = 0.0, left = 0.0;
    for (int c = 0; c < nx * ny; c++) {
        int slot, place;
        float *depth = wet_cell(w, c % nx, c / nx, &slot, &place);
        int root = depth ? gy_forest_root(parent, c) : -1;
        if (root < 0 || owed[root] == 0.0) {
            continue;
        }
        double share = owed[root] / count[root], most = (double)cap;
        share = share > most ? most : share < -most ? -most : share;
        float old = *depth, take = w->def->exact ? gy_water_round(w, share) : (float)share;
        float displaced = gy_tile_array(&w->tiles, slot, GY_WATER_DISPLACED)[place];
        float free = w->def->mode == GYRE_WATER_WAVE ? 1e6f : GY_MAX(old - displaced, 0.0f);
        *depth = old - (take < free ? take : free);
        done += (double)*depth - (double)old;
        gy_water_touch(w, slot);
    }
    gy_water_book(w, GY_LINE_EDITS, done);
    for (int c = 0; c < nx * ny; c++) {
        left += owed[c];
    }
    return left + done;
}

static gyre_result redistribute(gyre_water *w, float cap, double *left)
{
    int nx = w->tiles.n[0], ny = w->tiles.n[1], cells = nx * ny;
    double area = (double)w->grid.h * (double)w->grid.h, rest = 0.0;
    float *edited = w->edited.items;
    gy_water_fetch(w);
    if (left) {
        *left = 0.0;
    }
    if (!edited) {
        return GYRE_OK;
    }
    gyre_result r = gy_list_reserve(w, &w->regions, cells, sizeof(double) + 2 * sizeof(int32_t));
    if (r != GYRE_OK) {
        return r;
    }
    double *owed = w->regions.items;
    int32_t *parent = (int32_t *)(void *)(owed + cells), *count = parent + cells;
    memset(owed, 0, (size_t)cells * sizeof *owed);
    memset(count, 0, (size_t)cells * sizeof *count);
    join_cells(w, parent);
    for (int c = 0; c < cells; c++) {
        int slot, place;
        if (wet_cell(w, c % nx, c / nx, &slot, &place)) {
            count[gy_forest_root(parent, c)]++;
        }
    }
    for (int c = 0; c < cells; c++) {
        int root = edited[c] != 0.0f ? region_of(w, parent, c % nx, c / nx) : -1;
        if (root >= 0) {
            owed[root] += (double)edited[c];
            edited[c] = 0.0f;
        }
    }
    // What the cap or a dry cell leaves over waits where the region has its root.
    double before = 0.0;
    for (int c = 0; c < cells; c++) {
        before += owed[c];
    }
    rest = spread(w, parent, owed, count, cap);
    for (int c = 0; c < cells && before != 0.0; c++) {
        if (owed[c] != 0.0) {
            double most = (double)cap * count[c];
            double over = owed[c] > most ? owed[c] - most : owed[c] < -most ? owed[c] + most : 0.0;
            edited[c] = (float)over;
        }
    }
    if (left) {
        *left = rest * area;
    }
    return GYRE_OK;
}

gyre_result gyre_water_redistribute(gyre_water *water, float cap, double *left)
{
    if (GY_MISSING("redistribute", water)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!gy_is_finite(cap) || !(cap > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "redistribute: cap must be finite and above 0");
    }
    if (gy_model_still(&water->model, "redistribute") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(water->model.device);
    gyre_result r = redistribute(water, cap, left);
    gy_device_leave(water->model.device);
    return r;
}
