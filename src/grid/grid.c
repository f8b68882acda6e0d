#include "gyre/grid.h"
#include "base/base.h"

enum { MOST_CELLS = 4096 };

gyre_result gyre_grid_check(const gyre_grid *grid)
{
    static const char axes[] = "xyz";
    if (GY_MISSING("grid", grid))
        return GYRE_ERROR_ARGUMENT;
    if (grid->dim != 2 && grid->dim != 3)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "grid: dim is %d; it must be 2 or 3", grid->dim);
    if (GYRE_PLANE && grid->dim == 3)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: grid: dim is 3", GY_PLANE_ONLY);
    for (int a = 0; a < 3; a++) {
        if (grid->n[a] < 1 || grid->n[a] > MOST_CELLS)
            return gyre_fail(GYRE_ERROR_ARGUMENT, "grid: %d cells along %c; there must be 1 to %d",
                             grid->n[a], axes[a], MOST_CELLS);
    }
    if (grid->dim == 2 && grid->n[2] != 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "grid: %d cells along z in 2D; there must be 1",
                         grid->n[2]);
    if (!gy_is_finite(grid->h) || !(grid->h > 0.0f))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "grid: h is %g; it must be finite and above 0",
                         (double)grid->h);
    for (int a = 0; a < 3; a++) {
        if (!gy_is_finite(grid->origin[a]))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "grid: the origin's %c is not finite", axes[a]);
    }
    return GYRE_OK;
}

// Whether samples sit on the cells' low sides along an axis. In 2D there is no z side to sit on.
static bool on_side(const gyre_grid *grid, gyre_location location, int axis)
{
    if (axis >= grid->dim)
        return false;
    return location == GYRE_NODE || location == (gyre_location)(GYRE_FACE_X + axis);
}

void gyre_grid_samples(const gyre_grid *grid, gyre_location location, int n[3])
{
    if (GY_MISSING("grid", grid) || GY_MISSING("grid", n))
        return;
    for (int a = 0; a < 3; a++)
        n[a] = grid->n[a] + (on_side(grid, location, a) ? 1 : 0);
}

void gyre_grid_position(const gyre_grid *grid, gyre_location location, int i, int j, int k,
                        float position[3])
{
    if (GY_MISSING("grid", grid) || GY_MISSING("grid", position))
        return;
    const int index[3] = {i, j, k};
    for (int a = 0; a < 3; a++) {
        float offset = on_side(grid, location, a) ? 0.0f : 0.5f;
        position[a] = grid->origin[a] + ((float)index[a] + offset) * grid->h;
    }
}
