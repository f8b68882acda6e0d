// solve/fft.c: transforms along every axis of a box, the operator's eigenvalues between them.
//
// x = T^-1 (T b) / (sum of the axes' eigenvalues + shift), exactly but for rounding, at N log N
// operations. Passes over memory: three in 2D (x; y, the division and y back; x back) and three in
// 3D (x and y plane by plane; z, the division and z back; y and x back); one more for the residual.
#include "ops/system/transform.h"
#include "solve/transform.h"

#include <stdio.h>

static bool takes(const gy_system_def *def, char *why, size_t size)
{
    if (!gy_transform_box(def, why, size)) {
        return false;
    }
    for (int a = 0; a < def->grid.dim; a++) {
        if (!gy_transform_length(def->grid.n[a])) {
            snprintf(why, size, "takes sizes with the factors 2, 3, 5 and 7, and n[%d] is %d", a,
                     def->grid.n[a]);
            return false;
        }
    }
    return true;
}

static gyre_result prepare(gy_system *s)
{
    return gy_transform_prepare(s, -1, gy_system_level(s, 0)->dim - 1);
}

static gy_solve_result solve(gy_system *s, const gy_solve_task *task)
{
    const gy_level *l = gy_system_level(s, 0);
    int last = l->dim - 1;
    gy_vector_clear(s, 0);
    gy_transform_others(s, GY_TRANSFORM_FORWARD, last);
    gy_transform_run(s, GY_OP_transform, GY_TRANSFORM_SOLVE, last, l->x);
    gy_transform_others(s, GY_TRANSFORM_BACK, last);
    return gy_transform_finish(s, task);
}

const gy_solver gy_solver_fft = {
    .name = "fft",
    .doc = "transforms along every axis, exact but for rounding; boxes of sizes 2^a 3^b 5^c 7^d",
    .takes = takes,
    .prepare = prepare,
    .solve = solve,
    .ops = GY_OPS(GY_OP_transform, GY_OP_box_residual),
};
