// solve/refine.c: iterative refinement (J. H. Wilkinson, Rounding Errors in Algebraic Processes,
// 1963): the residual of the answer in double, a solve in floats for what is wanting, and the sum
// of both as a pair of floats; again until the residual is small enough.
#include "ops/system/level.h"
#include "solve/solvers.h"

static gy_vector_args args_of(const gy_system *s)
{
    return (gy_vector_args){
        .base = s->base, .level = gy_system_offset(s, 0), .partial = s->partial};
}

int gy_vector_mask_run(const gy_system *s, uint32_t vector, double mean, uint32_t cg)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    gy_vector_args a = args_of(s);
    a.x = vector;
    a.mean = (float)mean;
    a.cg = cg;
    gy_run(s->device, GY_OP_mask, &a, box);
    return gy_task_count(GY_OP_mask, box);
}

double gy_vector_mask(const gy_system *s, uint32_t vector, double mean, double *unknowns)
{
    int tasks = gy_vector_mask_run(s, vector, mean, 0);
    *unknowns = gy_partial_sum(s->device, s->base, s->partial, tasks, 1);
    return gy_partial_sum(s->device, s->base, s->partial, tasks, 0);
}

void gy_vector_copy(const gy_system *s, uint32_t to, uint32_t from)
{
    gy_vector_args a = args_of(s);
    a.x = to;
    a.y = from;
    a.first = 1;
    gy_run(s->device, GY_OP_direct, &a, gy_level_box(gy_system_level(s, 0)));
}

void gy_vector_start(const gy_system *s, bool zero, uint32_t answer, uint32_t low, uint32_t kept)
{
    const gy_level *level = gy_system_level(s, 0);
    if (!gy_regions_balances(s)) { // else it is 0 already where mask would make it so
        gy_vector_mask_run(s, level->b, 0.0, 0);
    }
    gy_vector_copy(s, kept, level->b);
    if (!zero) {
        gy_vector_mask_run(s, level->x, 0.0, 0);
    }
    if (zero || answer != level->x) {
        gy_vector_copy(s, answer, zero ? 0 : level->x);
    }
    gy_vector_clear(s, answer);
    if (low) {
        gy_vector_copy(s, low, 0);
        gy_vector_clear(s, low);
    }
}

static int remain(const gy_system *s, uint32_t answer, uint32_t low, uint32_t kept)
{
    const gy_level *level = gy_system_level(s, 0);
    gy_box box = gy_level_box(level);
    gy_op op = low ? GY_OP_refine : GY_OP_apply;
    gy_vector_args a = args_of(s);
    a.x = answer;
    a.low = low;
    a.y = level->b;
    a.z = kept;
    gy_vector_wrap(s, answer);
    if (low) {
        gy_vector_wrap(s, low);
    }
    gy_run(s->device, op, &a, box);
    return gy_task_count(op, box);
}

double gy_vector_remain(const gy_system *s, uint32_t answer, uint32_t low, uint32_t kept)
{
    int tasks = remain(s, answer, low, kept);
    return gy_partial_sum(s->device, s->base, s->partial, tasks, 0);
}

void gy_vector_remain_record(const gy_system *s, uint32_t answer, uint32_t low, uint32_t kept,
                             bool balances)
{
    int tasks = remain(s, answer, low, kept);
    gy_decide(s->device, &(gy_decide_args){.base = s->base,
                                           .report = s->rest,
                                           .partial = s->partial,
                                           .tasks = tasks,
                                           .kind = GY_DECIDE_GIVEN,
                                           .balances = balances,
                                           .scale = 1.0});
}

void gy_vector_finish(gy_system *s, uint32_t answer, uint32_t low)
{
    const gy_level *level = gy_system_level(s, 0);
    if (answer != level->x) {
        gy_vector_copy(s, level->x, answer);
        gy_vector_clear(s, 0);
    }
    gy_vector_wrap(s, 0);
    if (low) {
        gy_vector_wrap(s, low);
    }
    s->low = low;
}

/// The answer += x.
static void add_x(const gy_system *s, uint32_t answer, uint32_t low)
{
    gy_vector_args a = args_of(s);
    a.x = answer;
    a.low = low;
    a.y = gy_system_level(s, 0)->x;
    a.factor = 1.0f;
    gy_run(s->device, GY_OP_descend, &a, gy_level_box(gy_system_level(s, 0)));
}

/// A solve for what is wanting: `left` is its sum of squares. Its residuals are told in those of
/// the whole.
static int solve_rest(gy_system *s, const gy_solver *solver, const gy_solve_task *task, int cycles,
                      int most, double left, double goal)
{
    const double loose = 1e-3;
    double close = 0.9 * __builtin_sqrt(goal / left);
    gy_solve_task t = {.tolerance = close > loose ? close : loose,
                       .reference = left,
                       .max_cycles = GY_MIN(most, task->max_cycles - cycles),
                       .zero = true};
    if (task->history && cycles < task->history_size) {
        t.history = task->history + cycles;
        t.history_size = task->history_size - cycles;
    }
    gy_solve_result r = solver->solve(s, &t);
    for (int q = 0; q < GY_MIN(r.cycles, t.history_size); q++) {
        t.history[q] *= __builtin_sqrt(left / task->reference);
    }
    return r.cycles;
}

/// The vectors of refinement.
typedef struct pair {
    uint32_t answer, low, kept;
} pair;

static pair pair_of(const gy_system *s, const gy_solver *solver)
{
    const uint32_t *v = s->vector + solver->vectors;
    return (pair){v[0], v[1], v[2]};
}

gy_solve_result gy_refine(gy_system *s, const gy_solver *solver, const gy_solve_task *task)
{
    const pair p = pair_of(s, solver);
    uint32_t answer = p.answer, low = p.low, kept = p.kept;
    double goal = task->tolerance * task->tolerance * task->reference;
    int max_cycles = task->reference > 0.0 ? task->max_cycles : 0, cycles = 0, most = 4, stays = 0;
    gy_vector_start(s, task->zero, answer, low, kept);
    double left = task->reference;
    if (!task->zero) {
        left = gy_regions_balance(s, gy_vector_remain(s, answer, low, kept));
    }
    while (cycles < max_cycles && left > goal) {
        int used = GY_MIN(most, max_cycles - cycles);
        int took = solve_rest(s, solver, task, cycles, most, left, goal);
        if (took == 0) {
            break;
        }
        add_x(s, answer, low);
        double now = gy_regions_balance(s, gy_vector_remain(s, answer, low, kept));
        stays = now < left ? 0 : stays + 1;
        cycles += took;
        // A solve in floats that has come to its own floor turns on the spot until `most` ends it;
        // one that is slow may go on for longer.
        most = now > 0.01 * left && most < task->max_cycles ? 2 * most : most;
        left = now;
        gy_note(task, cycles - 1, __builtin_sqrt(left / task->reference));
        // Over-relaxed sweeps let the residual of noise grow at first; a few may be too few of
        // them.
        if (stays > 0 && (stays > 3 || took < used)) {
            break;
        }
    }
    gy_vector_finish(s, answer, low);
    return (gy_solve_result){cycles,
                             task->reference > 0.0 ? __builtin_sqrt(left / task->reference) : 0.0};
}

/// r = b - A x, and its means taken off, behind a gate (NULL: none), which holds for what follows.
static void record_remain(gy_system *s, const pair *p, bool balances, const uint32_t *word)
{
    gy_vector_remain_record(s, p->answer, p->low, p->kept, balances);
    if (balances) {
        gy_regions_record(s, s->rest);
    }
    gy_device_gate(s->device, word);
}

/// A cycle of a round, and what it has left.
static void record_cycle(const gy_system *s, const gy_solver *solver, gy_cg_args a, int q)
{
    int first = gy_has_seam(gy_system_level(s, 0)) ? 0 : 1;
    gy_device_gate(s->device, GY_GATE(s, a.report, done));
    solver->cycle(s, q, q == 0);
    for (int colour = first; colour < 2; colour++) {
        a.first = colour == first;
        a.last = colour == 1;
        gy_decide_cg(s, a, GY_CG_CYCLE, gy_residual_run(s, 0, colour));
    }
}

void gy_refine_record(gy_system *s, const gy_solver *solver, const gy_solve_task *task,
                      uint32_t report)
{
    const pair p = pair_of(s, solver);
    const gy_cg_state *c = (const gy_cg_state *)(const void *)gy_at(s->base, s->cg);
    gy_cg_args a = gy_cg_args_of(s, task, report);
    bool balances = gy_regions_free(s);
    gy_vector_start(s, task->zero, p.answer, p.low, p.kept);
    gy_decide_cg(s, a, GY_CG_START, 0);
    if (!task->zero) {
        record_remain(s, &p, balances, NULL);
        gy_decide_cg(s, a, GY_CG_LEFT, 0);
    }
    gy_clear(s, 0, 0, true);
    for (int q = 0; q < task->max_cycles && !gy_record_over(s, report, q); q++) {
        record_cycle(s, solver, a, q);
        // The end of a round: x is 0 at the start of the next, whose first cycle may be any.
        gy_device_gate(s->device, &c->keeps);
        add_x(s, p.answer, p.low);
        record_remain(s, &p, balances, &c->keeps);
        gy_clear(s, 0, 0, true);
        gy_decide_cg(s, a, GY_CG_ROUND, 0);
    }
    gy_device_gate(s->device, NULL);
    gy_vector_finish(s, p.answer, p.low);
}
