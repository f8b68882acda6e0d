// solve/multigrid.c: V(2,2)-cycles of red-black Gauss-Seidel, and red-black Gauss-Seidel alone.
//
// Cost of a cycle: see bench; about 8/7 (3D) or 4/3 (2D) of what the finest level takes. Residual
// factor on boxes about 0.09. Below 32768 cells the rest of a cycle is one op.
#include "base/maths.h"
#include "ops/level.h"
#include "solve/solve.h"

enum { SWEEPS = 2, ALONE = 32768 };

static int64_t cells(const gy_level *l)
{
    return (int64_t)l->n[0] * l->n[1] * l->n[2];
}

/// Copies what lies beyond the ends of periodic axes from `first` on.
static void wrap_axes(const gy_system *s, int l, int first)
{
    const gy_level *level = gy_system_level(s, l);
    for (int axis = first; axis < level->dim; axis++) {
        if (!(level->periodic >> axis & 1u)) {
            continue;
        }
        gy_relax_args a = {.base = s->base, .level = gy_system_offset(s, l), .axis = axis};
        gy_box box = gy_level_box(level);
        box.high[0] = 1;
        if (axis > 0) {
            box.high[axis] = 1;
        }
        gy_run(s->device, GY_OP_wrap, &a, box);
    }
}

/// After a sweep: one along x with an even number of cells has seen to that axis itself.
static void wrap(const gy_system *s, int l)
{
    wrap_axes(s, l, gy_system_level(s, l)->n[0] % 2 == 0 ? 1 : 0);
}

static void relax(const gy_system *s, int l, int colour, bool zero)
{
    gy_relax_args a = {
        .base = s->base, .level = gy_system_offset(s, l), .colour = colour, .zero = zero};
    gy_run(s->device, GY_OP_relax, &a, gy_level_box(gy_system_level(s, l)));
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
        vcycle(s, l + 1, true);
        gy_run(s->device, GY_OP_prolong, &a, gy_level_box(level));
        wrap(s, l);
    }
    for (int q = 0; q < sweeps; q++) {
        relax(s, l, 1, false);
        relax(s, l, 0, false);
    }
}

/// Sum of squares of the residual; red was swept last, so only black has any, but for a seam.
static double residual(const gy_system *s)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    double sum = 0.0;
    for (int colour = gy_has_seam(gy_system_level(s, 0)) ? 0 : 1; colour < 2; colour++) {
        gy_relax_args a = {.base = s->base,
                           .level = gy_system_offset(s, 0),
                           .colour = colour,
                           .partial = s->partial};
        gy_run(s->device, GY_OP_residual, &a, box);
        sum += gy_partial_sum(s->base, s->partial, gy_task_count(GY_OP_residual, box), 0);
    }
    return sum;
}

/// Clears what lies beyond the cells of the finest level, whose memory others use between solves.
static void clear(const gy_system *s)
{
    const gy_level *level = gy_system_level(s, 0);
    gy_relax_args a = {.base = s->base, .level = gy_system_offset(s, 0)};
    gy_box box = gy_box_make(1, level->n[1] + 2, level->dim == 3 ? level->n[2] + 2 : 1);
    gy_run(s->device, GY_OP_clear, &a, box);
}

static gy_solve_result solve(const gy_system *s, const gy_solve_task *task, bool multigrid)
{
    gy_solve_result r = {0, 0.0};
    int max_cycles = task->reference > 0.0 ? task->max_cycles : 0;
    clear(s);
    wrap_axes(s, 0, 0);
    double goal = task->tolerance * task->tolerance * task->reference, left = task->reference;
    bool zero = task->zero;
    if (max_cycles == 0 && zero) {
        // b is 0, and so is the answer.
        relax(s, 0, 0, true);
        relax(s, 0, 1, false);
    }
    while (r.cycles < max_cycles) {
        if (multigrid) {
            vcycle(s, 0, zero);
        } else {
            relax(s, 0, 1, zero);
            relax(s, 0, 0, false);
        }
        zero = false;
        r.cycles++;
        left = residual(s);
        if (left <= goal) {
            break;
        }
    }
    r.residual = task->reference > 0.0 ? (double)gy_sqrtf((float)(left / task->reference)) : 0.0;
    return r;
}

static gy_solve_result solve_multigrid(const gy_system *s, const gy_solve_task *task)
{
    return solve(s, task, true);
}

static gy_solve_result solve_red_black(const gy_system *s, const gy_solve_task *task)
{
    return solve(s, task, false);
}

const gy_solver gy_solvers[] = {
    {"multigrid", "V(2,2)-cycles; a cycle takes the residual down by about ten", solve_multigrid},
    {"red_black", "red-black Gauss-Seidel alone; a cycle is one sweep", solve_red_black},
    {NULL, NULL, NULL},
};

const char *const gy_solver_names[] = {"multigrid", "red_black", NULL};
