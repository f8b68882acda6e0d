// water/rim.c: a relaxation zone: what a rim lets in and out.
//
//     d' = D + (d - D) e^(-r dt),   q' = Q + (q - Q) e^(-r dt)
//
// with D and Q what is outside and r the rate of the cell, which rises towards the end as the cube
// of the way into the rim (water/terrain.c). What agrees with the outside passes, what differs
// fades: waves of the outside come in and go out, what has been made inside leaves. In depth and
// discharge alike, as Jacobsen, Fuhrman and Fredsoe, A wave generation toolbox for the open-source
// CFD library: OpenFoam, Int. J. Numer. Meth. Fluids 70 (2012), do with alpha, U and phi.
//
// Exact for the decay of the difference in each cell; first order in time beside the flow. Cost: an
// exponential and three numbers read and written per cell.
#include "water/rim.h"
#include "base/maths.h"

static float towards(float now, float target, float keep)
{
    return target + keep * (now - target);
}

double gy_rim_relax(gyre_water *w, const gy_layer_cell *cells, const gy_rim_state *targets,
                    int count, float dt)
{
    double brought = 0.0;
    for (int k = 0; k < count; k++) {
        int place, slot = gy_tiles_find(&w->tiles, cells[k].i, cells[k].j, &place);
        if (slot < 0 || !w->stepping[slot]) {
            continue;
        }
        float keep = gy_expf(-cells[k].rate * dt);
        float *depth = &gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place], old = *depth;
        float *qx = &gy_tile_edit(&w->tiles, slot, GY_WATER_QX)[place];
        float *qy = &gy_tile_edit(&w->tiles, slot, GY_WATER_QY)[place];
        *depth = towards(old, targets[k].depth, keep);
        *qx = towards(*qx, targets[k].q[0], keep);
        *qy = towards(*qy, targets[k].q[1], keep);
        brought += (double)*depth - (double)old;
    }
    return brought;
}
