// solve/cyclic.c: Fourier analysis along all axes but one, cyclic reduction along that: FACR(0).
//
// After the transforms the equations along the remaining axis stand apart from each other, one
// system of three diagonals for each frequency (2D) or pair of frequencies (3D) of the others;
// ops/system/reduce.c solves them. FACR(l) takes l steps of block reduction in space before the
// transforms (R. Hockney 1970, P. Swarztrauber 1977). That paid when transforms were most of the
// work; here l is 0: forward and back along an axis they take about as long as the reduction does,
// and every step would need solves of its own, and Buneman's form, so as not to lose digits.
#include "ops/system/transform.h"
#include "solve/transform.h"

#include <stdio.h>

/// The axis for the reduction: the longest of those that leave transforms their factors, the last
/// of equals; -1: none.
static int line_of(const gyre_grid *grid)
{
    int line = -1;
    for (int a = 0; a < grid->dim; a++) {
        bool others = true;
        for (int o = 0; o < grid->dim; o++) {
            others = others && (o == a || gy_transform_length(grid->n[o]));
        }
        if (others && (line < 0 || grid->n[a] >= grid->n[line])) {
            line = a;
        }
    }
    return line;
}

static bool takes(const gy_system_def *def, char *why, size_t size)
{
    if (!gy_transform_box(def, why, size)) {
        return false;
    }
    int bad[2], count = 0;
    for (int a = 0; a < def->grid.dim && count < 2; a++) {
        if (!gy_transform_length(def->grid.n[a])) {
            bad[count++] = a;
        }
    }
    if (count == 2) {
        snprintf(why, size,
                 "takes one size with other factors than 2, 3, 5 and 7, and n[%d] is %d and n[%d] "
                 "is %d",
                 bad[0], def->grid.n[bad[0]], bad[1], def->grid.n[bad[1]]);
        return false;
    }
    return true;
}

static gyre_result prepare(gy_system *s)
{
    int line = line_of(&s->grid);
    return gy_transform_prepare(s, line, line == 0 ? 1 : 0);
}

static gy_solve_result solve(gy_system *s, const gy_solve_task *task)
{
    int line = line_of(&s->grid);
    gy_vector_clear(s, 0);
    gy_transform_others(s, GY_TRANSFORM_FORWARD, line);
    gy_transform_run(s, GY_OP_reduce, GY_TRANSFORM_SOLVE, line, gy_system_level(s, 0)->x);
    gy_transform_others(s, GY_TRANSFORM_BACK, line);
    return gy_transform_finish(s, task);
}

const gy_solver gy_solver_cyclic_reduction = {
    .name = "cyclic_reduction",
    .doc = "transforms along all axes but the longest, cyclic reduction along that; boxes whose "
           "other sizes are 2^a 3^b 5^c 7^d",
    .takes = takes,
    .prepare = prepare,
    .solve = solve,
    .ops = GY_OPS(GY_OP_transform, GY_OP_reduce, GY_OP_box_residual),
};
