// solve/multigrid.c: cycles of red-black Gauss-Seidel on coarser and coarser grids.
//
// A cycle goes to the coarsest level and back: V visits each level once; W visits it twice from
// each visit of the one above; F does so once and goes on as a V. Full multigrid starts on the
// coarsest: each level begins with what linear interpolation makes of the solution on the next
// coarser one, and an F-cycle takes the error below that of the discretisation (0.01 to 0.6 of it
// were measured; a V-cycle, which leaves a tenth of what is smooth, would leave 0.35 to 1.4); then
// V-cycles go on to the tolerance. V and W are symmetric; F is not.
//
// Cost of a V-cycle: see bench; 8/7 (3D) or 4/3 (2D) of what the finest level takes; W 4/3 or 2, F
// 1.3 or 1.8, the upward pass of full multigrid 1.5 or 2.4. Residual factor of V(2,2) on boxes
// about 0.09, of W(2,2) and F(2,2) 0.08, of V(1,1) 0.25 in 2D and up to 0.8 in 3D, of W(1,1) 0.23
// and 0.36. Below 32768 cells the rest of a cycle is one op.
#include "ops/system/level.h"
#include "solve/solvers.h"

static int64_t cells(const gy_level *l)
{
    return (int64_t)l->n[0] * l->n[1] * l->n[2];
}

/// After a sweep: one along x with an even number of cells has seen to that axis itself.
static void wrap(const gy_system *s, int l)
{
    gy_wrap_axes(s, l, 0, gy_system_level(s, l)->n[0] % 2 == 0 ? 1 : 0);
}

static void relax(const gy_system *s, int l, int colour, gy_relax_kind kind, float omega)
{
    gy_relax_args a = {.base = s->base,
                       .level = gy_system_offset(s, l),
                       .colour = colour,
                       .kind = (int32_t)kind,
                       .omega = omega};
    gy_run(s->device, GY_OP_relax, &a, gy_level_box(gy_system_level(s, l)));
    gy_extra_relax(s, l, colour, kind == GY_RELAX_FIRST);
    wrap(s, l);
}

/// The sweeps before going down, see gy_cycle_omega.
static void smooth(const gy_system *s, int l, int sweeps, bool zero)
{
    float omega = gy_cycle_omega(gy_system_level(s, l));
    for (int q = 0; q < sweeps; q++) {
        bool first = q == 0, last = q + 1 == sweeps;
        relax(s, l, 0, first ? (zero ? GY_RELAX_FIRST : GY_RELAX) : GY_RELAX_OVER,
              first ? 1.0f : omega);
        relax(s, l, 1, last || (zero && first) ? GY_RELAX : GY_RELAX_OVER, last ? 1.0f : omega);
    }
}

/// The same backwards, after coming up.
static void smooth_back(const gy_system *s, int l, int sweeps)
{
    float omega = gy_cycle_omega(gy_system_level(s, l));
    for (int q = 0; q < sweeps; q++) {
        bool first = q == 0, last = q + 1 == sweeps;
        relax(s, l, 1, first ? GY_RELAX : GY_RELAX_OVER, first ? 1.0f : omega);
        relax(s, l, 0, last ? GY_RELAX : GY_RELAX_OVER, last ? 1.0f : omega);
    }
}

/// One cycle from level l down; `zero`: from x = 0.
static void cycle(const gy_system *s, int l, int shape, bool zero)
{
    const gy_level *level = gy_system_level(s, l);
    gy_relax_args a = {.base = s->base,
                       .level = gy_system_offset(s, l),
                       .coarse = gy_system_offset(s, l + 1),
                       .zero = zero,
                       .levels = s->count - l,
                       .sweeps = s->settings.sweeps,
                       .shape = shape};
    if (l > 0 && cells(level) <= GY_ALONE) {
        gy_extra_factorise(s);
        gy_op op = s->extras > 0 ? GY_OP_extra_cycle : GY_OP_cycle;
        gy_run(s->device, op, &a, gy_level_box(level));
        return;
    }
    int sweeps = s->settings.sweeps;
    sweeps = l > 0 || gy_line_of(level) >= 0 ? gy_coarse_sweeps(level, sweeps) : sweeps;
    smooth(s, l, sweeps, zero);
    if (l + 1 < s->count) {
        gy_run(s->device, GY_OP_restrict, &a, gy_level_box(gy_system_level(s, l + 1)));
        gy_extra_restrict(s, l);
        cycle(s, l + 1, shape, true);
        if ((shape == GY_SHAPE_W || shape == GY_SHAPE_F) && l + 2 < s->count) {
            cycle(s, l + 1, gy_shape_again(shape), false);
        }
        gy_extra_before_prolong(s, l);
        gy_run(s->device, GY_OP_prolong, &a, gy_level_box(level));
        gy_extra_after_prolong(s, l);
        wrap(s, l);
    }
    smooth_back(s, l, sweeps);
}

void gy_multigrid_cycle(const gy_system *s, bool zero)
{
    bool extras = s->extras > 0 && zero;
    cycle(s, 0,
          s->settings.cycle == GYRE_CYCLE_W ? GY_SHAPE_W
          : extras                          ? GY_SHAPE_K
                                            : GY_SHAPE_V,
          zero);
}

/// Full multigrid for what is still to be solved: the residual, carried down to every level (where
/// x is 0, and b is its own residual), and its solution, carried up. Does not know the extra
/// unknowns of component coarsening.
static void upward(const gy_system *s, bool zero)
{
    if (zero) {
        gy_clear(s, 0, 0, true);
    }
    for (int l = 0; l + 1 < s->count; l++) {
        gy_relax_args a = {.base = s->base,
                           .level = gy_system_offset(s, l),
                           .coarse = gy_system_offset(s, l + 1),
                           .both = 1};
        gy_run(s->device, GY_OP_restrict, &a, gy_level_box(gy_system_level(s, l + 1)));
        gy_clear(s, l + 1, 0, true);
    }
    for (int l = s->count - 1; l >= 0; l--) {
        if (l + 1 < s->count) {
            gy_relax_args a = {.base = s->base,
                               .level = gy_system_offset(s, l),
                               .coarse = gy_system_offset(s, l + 1)};
            gy_run(s->device, GY_OP_interpolate, &a, gy_level_box(gy_system_level(s, l)));
            gy_wrap_axes(s, l, 0, 0);
        }
        cycle(s, l, GY_SHAPE_F, false);
    }
}

/// The q-th cycle of a solve.
static void one_cycle(const gy_system *s, int q, bool zero)
{
    static const int shapes[] = {[GYRE_CYCLE_V] = GY_SHAPE_V,
                                 [GYRE_CYCLE_W] = GY_SHAPE_W,
                                 [GYRE_CYCLE_F] = GY_SHAPE_F,
                                 [GYRE_CYCLE_FULL] = GY_SHAPE_V};
    bool full = s->settings.cycle == GYRE_CYCLE_FULL && q == 0;
    if (full && s->extras == 0) {
        upward(s, zero);
    } else {
        cycle(s, 0, full ? GY_SHAPE_F : shapes[s->settings.cycle], zero);
    }
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
        gy_clear(s, 0, 0, true);
    }
    while (r.cycles < max_cycles) {
        one_cycle(s, r.cycles, zero);
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

/// Runs what tells how a cycle went.
static void decide(const gy_system *s, const gy_solve_task *task, uint32_t report)
{
    int first = gy_has_seam(gy_system_level(s, 0)) ? 0 : 1;
    for (int colour = first; colour < 2; colour++) {
        int tasks = gy_residual_run(s, 0, colour);
        gy_decide(s->device, &(gy_decide_args){.base = s->base,
                                               .report = report,
                                               .partial = s->partial,
                                               .tasks = tasks,
                                               .kind = GY_DECIDE_RESIDUAL,
                                               .first = colour == first,
                                               .last = colour == 1,
                                               .goal = task->tolerance * task->tolerance});
    }
}

/// As solve, with gates for its conditions.
static void record(gy_system *s, const gy_solve_task *task, uint32_t report)
{
    const uint32_t *done = GY_GATE(s, report, done);
    gy_vector_clear(s, 0);
    gy_vector_wrap(s, 0);
    if (task->zero) {
        gy_device_gate(s->device, GY_GATE(s, report, busy));
        gy_clear(s, 0, 0, true);
    }
    for (int q = 0; q < task->max_cycles; q++) {
        if (gy_record_over(s, report, q)) {
            break;
        }
        gy_device_gate(s->device, done);
        one_cycle(s, q, task->zero && q == 0);
        decide(s, task, report);
    }
    gy_device_gate(s->device, NULL);
}

const gy_solver gy_solver_multigrid = {
    .name = "multigrid",
    .doc = "cycles of red-black sweeps on coarser and coarser grids, the residual down by about "
           "ten each",
    .solve = solve,
    .record = record,
    .cycle = one_cycle,
    .coarsens = true,
};
