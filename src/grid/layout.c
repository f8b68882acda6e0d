#include "grid/layout.h"

gy_layout gy_layout_make(const gyre_grid *grid)
{
    gy_layout l = {.dim = grid->dim, .n = {grid->n[0], grid->n[1], grid->n[2]}};
    l.sy = gy_round_up(l.n[0], GY_LANES) + GY_PAD;
    ptrdiff_t plane = l.sy * (l.n[1] + 2);
    ptrdiff_t planes = 1;
    if (gy_is_3d(l.dim)) {
        l.sz = plane;
        planes = l.n[2] + 2;
    }
    l.origin = GY_PAD + l.sy + l.sz;
    l.floats = GY_PAD + plane * planes;
    l.slack = l.sz + l.sy + GY_BLOCK + GY_LANES;
    return l;
}
