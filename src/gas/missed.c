// gas/missed.c: solids and sheets in the domain that the grid does not see: too small to hold a
// corner of a cell, or to come between the centres of two; and sheets that lie outside the domain.
// Asked for by statistics alone.
#include "gas/gas.h"
#include "shape/thin.h"
#include <string.h>

/// Whether bounds in metres reach into the domain.
static bool is_within(const gyre_gas *gas, const double low[3], const double high[3])
{
    const gyre_grid *g = &gas->grid;
    bool within = true;
    for (int a = 0; a < g->dim; a++) {
        double end = (double)g->origin[a] + (double)g->h * g->n[a];
        within = within && high[a] > (double)g->origin[a] && low[a] < end;
    }
    return within;
}

static bool holds_corner(const gyre_gas *gas, const gy_solid *s)
{
    const gyre_grid *g = &gas->grid;
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    double h = (double)g->h, p[3] = {0, 0, 0};
    for (int a = 0; a < g->dim; a++) {
        double from = (s->low[a] - (double)g->origin[a]) / h;
        double to = (s->high[a] - (double)g->origin[a]) / h;
        low[a] = from < 0.0 ? 0 : from > g->n[a] ? g->n[a] : (int)from;
        high[a] = to < 0.0 ? -1 : to > g->n[a] ? g->n[a] : (int)to;
    }
    for (int k = low[2]; k <= high[2]; k++) {
        for (int j = low[1]; j <= high[1]; j++) {
            for (int i = low[0]; i <= high[0]; i++) {
                const int at[3] = {i, j, k};
                for (int a = 0; a < g->dim; a++) {
                    p[a] = (double)g->origin[a] + h * at[a];
                }
                if (gy_solid_bound(s, p) <= 0.0) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool shuts_face(const gyre_gas *gas, const gy_solid *s, int axis)
{
    int low[3], high[3], at[3], b = (axis + 1) % 3, c = (axis + 2) % 3, through;
    gy_thin_range(s, &gas->grid, axis, low, high);
    for (at[c] = low[c]; at[c] <= high[c]; at[c]++) {
        for (at[b] = low[b]; at[b] <= high[b]; at[b]++) {
            at[axis] = low[axis];
            if (low[axis] <= high[axis] &&
                gy_thin_next(s, &gas->grid, axis, at, high[axis], &through) <= high[axis]) {
                return true;
            }
        }
    }
    return false;
}

static bool is_missed(const gyre_gas *gas, const gy_solid *s)
{
    bool seen = !gy_solid_is_thin(s, (double)gas->grid.h) || !is_within(gas, s->low, s->high);
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        seen = seen || shuts_face(gas, s, axis);
    }
    return !seen && !holds_corner(gas, s);
}

/// Whether a solid is that is in gas->made so often, from one on: whatever of it is in the domain.
static bool are_missed(const gyre_gas *gas, int made, int images)
{
    bool missed = false;
    for (int q = made; q < GY_MIN(made + images, gas->made_count); q++) {
        const gy_solid *s = &gas->made[q];
        if (is_missed(gas, s)) {
            missed = true;
        } else if (is_within(gas, s->low, s->high)) {
            return false;
        }
    }
    return missed;
}

bool gy_gas_misses(const gyre_model *model, const char *pool, int index)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    const gyre_gas_solid *list = gas->def->solids.items;
    if (strcmp(pool, "sheets") == 0) {
        // Wherever it lies, and whichever of the two has gone: the sheet, or the grid from it.
        return gy_gas_has_lost_sheet(gas, index);
    }
    if (strcmp(pool, "solids") != 0 || !list[index].enabled) {
        return false;
    }
    int made = 0;
    for (int i = 0; i < index; i++) {
        made += gy_gas_count_images(gas, i);
    }
    return are_missed(gas, made, gy_gas_count_images(gas, index));
}

int64_t gy_gas_count_missed(const gyre_gas *gas)
{
    int64_t missed = 0;
    int made = 0;
    for (int i = 0; i < gas->def->solids.count; i++) {
        int images = gy_gas_count_images(gas, i);
        missed += are_missed(gas, made, images);
        made += images;
    }
    for (int i = 0; i < gas->def->sheets.count; i++) {
        missed += gy_gas_misses(&gas->model, "sheets", i);
    }
    return missed;
}
