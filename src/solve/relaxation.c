// solve/relaxation.c: red-black Gauss-Seidel.
#include "ops/level.h"
#include "solve/solvers.h"

#include <stdio.h>

static void relax(const gy_system *s, int colour, bool zero)
{
    gy_relax_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .colour = colour, .zero = zero};
    const gy_level *level = gy_system_level(s, 0);
    gy_run(s->device, GY_OP_relax, &a, gy_level_box(level));
    gy_wrap_axes(s, 0, 0, level->n[0] % 2 == 0 ? 1 : 0);
}

static gy_solve_result solve(gy_system *s, const gy_solve_task *task)
{
    gy_solve_result r = {0, 0.0};
    int max_cycles = task->reference > 0.0 ? task->max_cycles : 0;
    gy_vector_clear(s, 0);
    gy_vector_wrap(s, 0);
    double goal = task->tolerance * task->tolerance * task->reference, left = task->reference;
    bool zero = task->zero;
    if (max_cycles == 0 && zero) {
        relax(s, 0, true);
        relax(s, 1, false);
    }
    while (r.cycles < max_cycles) {
        relax(s, 1, zero);
        relax(s, 0, false);
        zero = false;
        left = gy_residual_black(s);
        r.residual = __builtin_sqrt(left / task->reference);
        gy_note(task, r.cycles, r.residual);
        r.cycles++;
        if (left <= goal) {
            break;
        }
    }
    return r;
}

const gy_solver gy_solver_red_black = {
    .name = "red_black",
    .doc = "Gauss-Seidel by the colours of a chessboard; a cycle is one sweep",
    .solve = solve,
};

static bool takes(const gy_system_def *def, char *why, size_t size)
{
    (void)def;
    snprintf(why, size, "is not built yet");
    return false;
}
const gy_solver gy_solver_gauss_seidel = {.name = "gauss_seidel", .doc = "", .takes = takes};
const gy_solver gy_solver_jacobi = {.name = "jacobi", .doc = "", .takes = takes};
