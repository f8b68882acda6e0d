// solve/common.c: what solvers share: halos of vectors, residuals, notes.
#include "ops/system/level.h"
#include "solve/solvers.h"

/// Copies what lies beyond the ends of periodic axes from `first` on.
void gy_wrap_axes(const gy_system *s, int l, uint32_t vector, int first)
{
    const gy_level *level = gy_system_level(s, l);
    for (int axis = first; axis < level->dim; axis++) {
        if (!(level->periodic >> axis & 1u)) {
            continue;
        }
        gy_relax_args a = {
            .base = s->base, .level = gy_system_offset(s, l), .x = vector, .axis = axis};
        gy_box box = gy_level_box(level);
        box.high[0] = 1;
        if (axis > 0) {
            box.high[axis] = 1;
        }
        gy_run(s->device, GY_OP_wrap, &a, box);
    }
}

void gy_vector_wrap(const gy_system *s, uint32_t vector)
{
    gy_wrap_axes(s, 0, vector, 0);
}

void gy_clear(const gy_system *s, int l, uint32_t vector, bool cells)
{
    const gy_level *level = gy_system_level(s, l);
    gy_relax_args a = {
        .base = s->base, .level = gy_system_offset(s, l), .zero = cells, .x = vector};
    gy_box box = gy_box_make(1, level->n[1] + 2, gy_is_3d(level->dim) ? level->n[2] + 2 : 1);
    gy_run(s->device, GY_OP_clear, &a, box);
}

void gy_vector_clear(const gy_system *s, uint32_t vector)
{
    gy_clear(s, 0, vector, false);
}

int gy_residual_run(const gy_system *s, uint32_t x, int colour)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    gy_relax_args a = {.base = s->base,
                       .level = gy_system_offset(s, 0),
                       .colour = colour,
                       .partial = s->partial,
                       .x = x};
    gy_run(s->device, GY_OP_residual, &a, box);
    return gy_task_count(GY_OP_residual, box);
}

double gy_residual_from(const gy_system *s, uint32_t x, int first)
{
    double sum = 0.0;
    for (int colour = first; colour < 2; colour++) {
        int tasks = gy_residual_run(s, x, colour);
        sum += gy_partial_sum(s->device, s->base, s->partial, tasks, 0);
    }
    return sum;
}

void gy_decide(gyre_device *device, const gy_decide_args *args)
{
    gy_run(device, GY_OP_decide, args, gy_box_make(1, 1, 1));
}

bool gy_record_over(const gy_system *s, uint32_t report, int q)
{
    const uint32_t *done = GY_GATE(s, report, done);
    if (q == 0 || q % GY_RECORDED != 0) {
        return false;
    }
    gy_device_fetch(s->device, done, sizeof *done);
    return *done != 0;
}

gy_cg_args gy_cg_args_of(const gy_system *s, const gy_solve_task *task, uint32_t report)
{
    return (gy_cg_args){.base = s->base,
                        .report = report,
                        .cg = s->cg,
                        .rest = s->rest,
                        .partial = s->partial,
                        .most_steps = task->max_cycles,
                        .goal = task->tolerance * task->tolerance};
}

void gy_decide_cg(const gy_system *s, gy_cg_args args, gy_cg_kind kind, int tasks)
{
    args.kind = (int32_t)kind;
    args.tasks = tasks;
    gy_run(s->device, GY_OP_decide_cg, &args, gy_box_make(1, 1, 1));
}

double gy_report_residual(const gy_report *r)
{
    return r->reference > 0.0 ? __builtin_sqrt(r->left / r->reference) : 0.0;
}

double gy_residual_black(const gy_system *s)
{
    return gy_residual_from(s, 0, gy_has_seam(gy_system_level(s, 0)) ? 0 : 1);
}

double gy_residual_all(const gy_system *s)
{
    return gy_residual_from(s, 0, 0);
}

void gy_note(const gy_solve_task *task, int cycle, double residual)
{
    if (task->history && cycle < task->history_size) {
        task->history[cycle] = residual;
    }
}

int gy_vector_dot_run(const gy_system *s, uint32_t x, uint32_t y)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    gy_dot_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .x = x, .y = y, .partial = s->partial};
    gy_run(s->device, GY_OP_dot, &a, box);
    return gy_task_count(GY_OP_dot, box);
}

double gy_vector_dot(const gy_system *s, uint32_t x, uint32_t y)
{
    return gy_partial_sum(s->device, s->base, s->partial, gy_vector_dot_run(s, x, y), 0);
}

double gy_vector_squares(const gy_system *s, uint32_t x)
{
    return gy_vector_dot(s, x, x);
}
