// solve/multigrid.c: V(2,2)-cycles of red-black Gauss-Seidel.
//
// Cost of a cycle: see bench; about 8/7 (3D) or 4/3 (2D) of what the finest level takes. Residual
// factor on boxes about 0.09. Below 32768 cells the rest of a cycle is one op.
#include "ops/level.h"
#include "solve/solvers.h"

enum { SWEEPS = 2, ALONE = 32768 };

static int64_t cells(const gy_level *l)
{
    return (int64_t)l->n[0] * l->n[1] * l->n[2];
}

/// After a sweep: one along x with an even number of cells has seen to that axis itself.
static void wrap(const gy_system *s, int l)
{
    gy_wrap_axes(s, l, 0, gy_system_level(s, l)->n[0] % 2 == 0 ? 1 : 0);
}

static void relax(const gy_system *s, int l, int colour, bool zero)
{
    gy_relax_args a = {
        .base = s->base, .level = gy_system_offset(s, l), .colour = colour, .zero = zero};
    gy_run(s->device, GY_OP_relax, &a, gy_level_box(gy_system_level(s, l)));
    gy_extras_relax(s, l, colour, zero);
    wrap(s, l);
}

static void vcycle(const gy_system *s, int l, bool zero)
{
    const gy_level *level = gy_system_level(s, l);
    gy_relax_args a = {.base = s->base,
                       .level = gy_system_offset(s, l),
                       .coarse = gy_system_offset(s, l + 1),
                       .levels = s->count - l,
                       .sweeps = SWEEPS};
    if (l > 0 && cells(level) <= ALONE) {
        gy_run(s->device, GY_OP_cycle, &a, gy_level_box(level));
        return;
    }
    // A grid that is its own coarsest level is swept until it is solved, as in ops/relax.c.
    int sweeps = SWEEPS;
    if (l + 1 == s->count) {
        sweeps = 4 * SWEEPS;
    } else if (l > 0 || gy_line_of(level) >= 0) {
        sweeps = gy_coarse_sweeps(level, SWEEPS);
    }
    for (int q = 0; q < sweeps; q++) {
        relax(s, l, 0, zero && q == 0);
        relax(s, l, 1, false);
    }
    if (l + 1 < s->count) {
        gy_run(s->device, GY_OP_restrict, &a, gy_level_box(gy_system_level(s, l + 1)));
        gy_extras_restrict(s, l);
        vcycle(s, l + 1, true);
        gy_extras_before_prolong(s, l);
        gy_run(s->device, GY_OP_prolong, &a, gy_level_box(level));
        gy_extras_after_prolong(s, l);
        wrap(s, l);
    }
    for (int q = 0; q < sweeps; q++) {
        relax(s, l, 1, false);
        relax(s, l, 0, false);
    }
}

void gy_multigrid_cycle(const gy_system *s, bool zero)
{
    vcycle(s, 0, zero);
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
        // b is 0, and so is the answer.
        relax(s, 0, 0, true);
        relax(s, 0, 1, false);
    }
    while (r.cycles < max_cycles) {
        vcycle(s, 0, zero);
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

const gy_solver gy_solver_multigrid = {
    .name = "multigrid",
    .doc = "V(2,2)-cycles; a cycle takes the residual down by about ten",
    .solve = solve,
};
