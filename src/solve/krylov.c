// solve/krylov.c: conjugate gradients, plain and preconditioned.
//
// The residual r stands in b, what the preconditioner makes of it, z, in x, as a multigrid cycle
// takes and leaves them; the direction d, q = A d, the answer so far and the b that was given in
// vectors of their own. beta is Polak and Ribiere's, z.(r - r_before) / z_before.r_before, which a
// preconditioner that is symmetric but for rounding does not disturb; r - r_before = -alpha q makes
// it -z.q / d.q.
//
// In floats the r that an iteration hands to the next drifts from b - A x by what rounding takes
// from x and q. So r is made anew from the answer when it has come to the goal, and what is told is
// the residual of the answer. With refine the answer is a pair of floats and r is made anew, in
// double, whenever it has fallen by a hundred; the directions go on (H. van der Vorst and Q. Ye,
// Residual replacement strategies for Krylov subspace iterative methods, SIAM J. Sci. Comput. 22,
// 2000): before the drift counts beside r, so that as many iterations are enough as in exact
// arithmetic.
//
// Where nothing holds x, the means of r and q are 0 but for rounding. What rounding leaves no step
// can take away, and a multigrid cycle blows it up by the number of cells: so the mean is taken off
// q before that gets into r, and off r when that is made anew, region by region where there are
// several.
//
// Bytes per cell of an iteration: 56 (52 without a preconditioner), 8 more with refine,
// coefficients, and what the preconditioner takes.
#include "ops/system/level.h"
#include "solve/solvers.h"

enum { D, Q, KEPT, REST }; // which of gy_system.vector; REST: answer, low, as there is need

typedef enum precondition { NONE, MIC, MULTIGRID } precondition;

typedef struct krylov {
    gy_system *system;
    gy_box box;
    uint32_t x, r, z, d, q, kept, answer;
    uint32_t low; // 0: the answer is one float
    precondition by;
    bool floats; // nothing holds x: A 1 = 0
} krylov;

static krylov krylov_of(gy_system *s, precondition by)
{
    const gy_level *level = gy_system_level(s, 0);
    int next = REST;
    krylov k = {.system = s,
                .box = gy_level_box(level),
                .x = level->x,
                .r = level->b,
                .z = by == NONE ? level->b : level->x,
                .d = s->vector[D],
                .q = s->vector[Q],
                .kept = s->vector[KEPT],
                .by = by};
    k.answer = by == NONE ? level->x : s->vector[next++];
    k.floats = s->shift == 0.0f && !s->pin;
    for (int a = 0; a < level->dim; a++) {
        bool open = (s->open_sides >> (2 * a) & 3u) && !(s->periodic >> a & 1u);
        k.floats = k.floats && !open;
    }
    k.low = s->settings.refine ? s->vector[next] : 0;
    return k;
}

static gy_vector_args args_of(const krylov *k)
{
    const gy_system *s = k->system;
    return (gy_vector_args){
        .base = s->base, .level = gy_system_offset(s, 0), .partial = s->partial};
}

static double sum_of(const krylov *k, gy_op op, int which)
{
    const gy_system *s = k->system;
    return gy_partial_sum(s->device, s->base, s->partial, gy_task_count(op, k->box), which);
}

/// Runs an op of a step; returns into how many tasks it was cut. Factors are those of the CG state
/// where there is one (0: not).
static int run(const krylov *k, gy_op op, const gy_vector_args *a)
{
    gy_run(k->system->device, op, a, k->box);
    return gy_task_count(op, k->box);
}

/// d = z + beta d.
static void run_direct(const krylov *k, double beta, bool first, uint32_t cg)
{
    gy_vector_args a = args_of(k);
    a.x = k->d;
    a.y = k->z;
    a.factor = (float)beta;
    a.first = first;
    a.cg = cg;
    run(k, GY_OP_direct, &a);
    gy_vector_wrap(k->system, k->d);
}

/// q = A d.
static int run_apply(const krylov *k)
{
    gy_vector_args a = args_of(k);
    a.x = k->d;
    a.y = k->q;
    return run(k, GY_OP_apply, &a);
}

/// The answer += alpha d, r -= alpha (q - mean).
static int run_descend(const krylov *k, float alpha, float mean, uint32_t cg)
{
    gy_vector_args a = args_of(k);
    a.x = k->answer;
    a.low = k->low;
    a.y = k->d;
    a.z = k->r;
    a.w = k->q;
    a.factor = alpha;
    a.mean = mean;
    a.cg = cg;
    return run(k, GY_OP_descend, &a);
}

/// z.r and, but for the first time, z.q.
static int run_dots(const krylov *k, bool first)
{
    gy_vector_args a = args_of(k);
    a.x = k->z;
    a.y = k->r;
    a.z = first ? k->r : k->q;
    return run(k, GY_OP_dots, &a);
}

/// What a step leaves to the next.
typedef struct progress {
    bool first;
    double dq;    // d.q
    double dr;    // d.r: 0, but for rounding, until r is made anew
    double sum_r; // of r over cells
} progress;

/// Whether a mean over all would join what hangs together nowhere.
static bool is_apart(const krylov *k)
{
    return k->system->apart && k->system->regions != 1;
}

/// After apply: the answer += alpha d, r -= alpha (q - mean); returns r.r. The mean is such that r
/// is left without one.
static double descend(const krylov *k, double alpha, progress *c)
{
    double sum_q = sum_of(k, GY_OP_apply, 1), count = sum_of(k, GY_OP_apply, 2);
    double mean =
        k->floats && count > 0.0 && !is_apart(k) ? (sum_q - c->sum_r / alpha) / count : 0.0;
    run_descend(k, (float)alpha, mean > -1e20 && mean < 1e20 ? (float)mean : 0.0f, 0);
    c->sum_r = sum_of(k, GY_OP_descend, 1);
    c->dr = sum_of(k, GY_OP_descend, 2);
    return sum_of(k, GY_OP_descend, 0);
}

/// z.r and, but for the first time, z.q.
static void dots(const krylov *k, bool first, double *zr, double *zq)
{
    run_dots(k, first);
    *zr = sum_of(k, GY_OP_dots, 0);
    *zq = first ? 0.0 : sum_of(k, GY_OP_dots, 1);
}

/// z from r.
static void precondition_by(const krylov *k)
{
    if (k->by == MULTIGRID) {
        gy_multigrid_cycle(k->system, true);
    } else if (k->by == MIC) {
        gy_mic_apply(k->system);
    }
}

/// Takes the means off r where descend does not; r.r is `left` before and returned after that.
/// (Cells without an open face are 0 in b since the solve began, and A x is 0 there.)
static double balance_regions(const krylov *k, double left)
{
    bool one = k->floats && k->system->regions == 1;
    return one || !gy_regions_free(k->system) ? left : gy_regions_balance(k->system, left);
}

/// Takes all means off r that are to go.
static double balance(const krylov *k, double left)
{
    if (k->floats && k->system->regions == 1) {
        double unknowns, sum = gy_vector_mask(k->system, k->r, 0.0, &unknowns);
        gy_vector_mask(k->system, k->r, unknowns > 0.0 ? sum / unknowns : 0.0, &unknowns);
    }
    return balance_regions(k, left);
}

/// r = b - A x; returns r.r.
static double remain(const krylov *k)
{
    return balance(k, gy_vector_remain(k->system, k->answer, k->low, k->kept));
}

/// x moves to the answer, and b is kept.
static void begin(const krylov *k, bool zero)
{
    gy_system *s = k->system;
    gy_vector_clear(s, k->d);
    gy_vector_start(s, zero, k->answer, k->low, k->kept);
    if (k->answer != k->x) {
        gy_vector_clear(s, k->x);
        gy_vector_wrap(s, k->x);
    }
}

/// The same, and r is made. Returns r.r.
static double start(const krylov *k, const gy_solve_task *task)
{
    begin(k, task->zero);
    return task->zero ? balance(k, task->reference) : remain(k);
}

/// A step; returns r.r after it, or -1 where there was none: rounding can leave nothing to go
/// along.
static double step(const krylov *k, progress *c)
{
    double zr, zq;
    precondition_by(k);
    dots(k, c->first, &zr, &zq);
    if (!(zr > 0.0)) {
        return -1.0;
    }
    double beta = c->first ? 0.0 : -zq / c->dq;
    run_direct(k, beta, c->first, 0);
    c->first = false;
    // The lowest point along d, even where r has been made anew: d.r / d.q.
    double dr = zr + beta * c->dr;
    run_apply(k);
    c->dq = sum_of(k, GY_OP_apply, 0);
    double alpha = dr / c->dq, size = alpha < 0.0 ? -alpha : alpha;
    if (!(c->dq > 0.0) || !(size > 1e-30 && size < 1e30)) {
        return -1.0;
    }
    return descend(k, alpha, c);
}

/// r from the answer; returns r.r. What a step to come wants to know of it is worked out where one
/// may come.
static double renew(const krylov *k, progress *c)
{
    double left = remain(k);
    c->sum_r = 0.0;
    c->dr = k->low ? gy_vector_dot(k->system, k->d, k->r) : 0.0;
    return left;
}

/// Residuals may rise on their way down, those of smooth b over many steps above all, but not by
/// this: there rounding has taken over.
static double rise_of(const krylov *k)
{
    return k->by == MULTIGRID ? 1e2 : 1e6;
}

static gy_solve_result iterate(const krylov *k, const gy_solve_task *task)
{
    // Of squares of residuals. When r has fallen by `fall`, its means are taken off, and with
    // refine it is made anew; that leads on while it falls by `least` from one time to the next.
    const double fall = 1e-4, least = 0.5, most = rise_of(k);
    double goal = task->tolerance * task->tolerance * task->reference;
    double left = start(k, task), anew = left, best = left;
    progress c = {.first = true};
    int max_cycles = task->reference > 0.0 ? task->max_cycles : 0, cycles = 0;
    bool moves = true;
    while (cycles < max_cycles && left > goal && moves) {
        double now = step(k, &c);
        bool steps = now >= 0.0;
        if (!steps && cycles == 0) {
            left = remain(k);
            break;
        }
        left = steps ? now : left;
        cycles += steps;
        moves = steps && left < most * best;
        best = GY_MIN(best, left);
        bool last = left <= goal || !moves || cycles == max_cycles;
        if (last || left <= fall * anew) {
            left = last || k->low ? renew(k, &c) : balance_regions(k, left);
            moves = moves && (k->low || !last) && left <= least * anew;
            anew = best = left;
        }
        gy_note(task, cycles - 1, __builtin_sqrt(left / task->reference));
    }
    gy_vector_finish(k->system, k->answer, k->low);
    double residual = task->reference > 0.0 ? __builtin_sqrt(left / task->reference) : 0.0;
    return (gy_solve_result){cycles, residual};
}

// ---- the same by ops and gates ------------------------------------------------------------------

/// What is recorded of a solve; what iterate() decides, op decide_cg does.
typedef struct trip {
    const krylov *k;
    gy_cg_args args;
    bool masks; // r has one mean; else it has as many as args.balances says
} trip;

static trip trip_of(const krylov *k, const gy_solve_task *task, uint32_t report)
{
    const gy_system *s = k->system;
    trip t = {.k = k, .masks = k->floats && s->regions == 1};
    t.args = gy_cg_args_of(s, task, report);
    t.args.floats = k->floats && !is_apart(k);
    t.args.pair = k->low != 0;
    t.args.balances = !t.masks && gy_regions_free(s);
    t.args.most = rise_of(k);
    return t;
}

static void note(const trip *t, gy_cg_kind kind, int tasks)
{
    gy_decide_cg(t->k->system, t->args, kind, tasks);
}

static void gate(const trip *t, const uint32_t *word)
{
    gy_device_gate(t->k->system->device, word);
}

/// As balance, behind a gate (NULL: none); r.r stands in the rest's reference, and its gates are
/// open where there are regions to be looked at.
static void record_balance(const trip *t, const uint32_t *word)
{
    gy_system *s = t->k->system;
    if (t->masks) {
        gate(t, word);
        note(t, GY_CG_MEAN, gy_vector_mask_run(s, t->k->r, 0.0, 0));
        gy_vector_mask_run(s, t->k->r, 0.0, s->cg);
    } else if (t->args.balances) {
        gy_regions_record(s, s->rest);
    }
    gate(t, word);
}

/// As remain, likewise; leaves r.r in the rest's reference.
static void record_remain(const trip *t, const uint32_t *word)
{
    const krylov *k = t->k;
    gate(t, word);
    gy_vector_remain_record(k->system, k->answer, k->low, k->kept, t->args.balances);
    record_balance(t, word);
}

static void record_start(const trip *t, const gy_solve_task *task)
{
    begin(t->k, task->zero);
    note(t, GY_CG_START, 0);
    if (!task->zero) {
        record_remain(t, NULL);
    } else {
        record_balance(t, NULL);
    }
    if (!task->zero || t->args.balances) {
        note(t, GY_CG_LEFT, 0);
    }
}

static void record_step(trip *t, bool first)
{
    const krylov *k = t->k;
    const gy_system *s = k->system;
    const gy_cg_state *c = (const gy_cg_state *)(const void *)gy_at(s->base, s->cg);
    const uint32_t *done = GY_GATE(s, t->args.report, done);
    t->args.first = first;
    gate(t, done);
    precondition_by(k);
    note(t, GY_CG_BETA, run_dots(k, first));
    gate(t, &c->stuck);
    run_direct(k, 0.0, first, s->cg);
    note(t, GY_CG_ALPHA, run_apply(k));
    gate(t, &c->stuck);
    int tasks = run_descend(k, 0.0f, 0.0f, s->cg);
    gate(t, done);
    note(t, GY_CG_STEP, tasks);
    if (k->low) {
        record_remain(t, &c->keeps);
        note(t, GY_CG_RENEW, gy_vector_dot_run(s, k->d, k->r));
    } else if (t->args.balances) {
        record_balance(t, &c->keeps);
        note(t, GY_CG_RENEW, 0);
    }
}

/// As iterate.
static void record(const krylov *k, const gy_solve_task *task, uint32_t report)
{
    gy_system *s = k->system;
    trip t = trip_of(k, task, report);
    const gy_cg_state *c = (const gy_cg_state *)(const void *)gy_at(s->base, s->cg);
    record_start(&t, task);
    for (int q = 0; q < task->max_cycles && !gy_record_over(s, report, q); q++) {
        record_step(&t, q == 0);
    }
    if (!k->low) {
        // The last step has left that to be done.
        t.args.last = 1;
        record_remain(&t, &c->reported);
        note(&t, GY_CG_RENEW, 0);
    }
    gate(&t, NULL);
    gy_vector_finish(s, k->answer, k->low);
}

// ---- solvers ------------------------------------------------------------------------------------

static gy_solve_result solve_mgpcg(gy_system *s, const gy_solve_task *task)
{
    krylov k = krylov_of(s, MULTIGRID);
    return iterate(&k, task);
}

static void record_mgpcg(gy_system *s, const gy_solve_task *task, uint32_t report)
{
    krylov k = krylov_of(s, MULTIGRID);
    record(&k, task, report);
}

static gy_solve_result solve_pcg(gy_system *s, const gy_solve_task *task)
{
    bool mic = s->settings.preconditioner == GYRE_PRECONDITION_MIC;
    krylov k = krylov_of(s, mic ? MIC : MULTIGRID);
    return iterate(&k, task);
}

static void record_pcg(gy_system *s, const gy_solve_task *task, uint32_t report)
{
    bool mic = s->settings.preconditioner == GYRE_PRECONDITION_MIC;
    krylov k = krylov_of(s, mic ? MIC : MULTIGRID);
    record(&k, task, report);
}

static gy_solve_result solve_cg(gy_system *s, const gy_solve_task *task)
{
    krylov k = krylov_of(s, NONE);
    return iterate(&k, task);
}

static void record_cg(gy_system *s, const gy_solve_task *task, uint32_t report)
{
    krylov k = krylov_of(s, NONE);
    record(&k, task, report);
}

static gyre_result prepare_pcg(gy_system *s)
{
    if (s->settings.preconditioner != GYRE_PRECONDITION_MIC) {
        return GYRE_OK;
    }
    gyre_result r = gy_device_require_host(s->device, "the preconditioner mic0");
    return r == GYRE_OK ? gy_mic_prepare(s) : r;
}

/// What steps of conjugate gradients run.
#define STEP_OPS                                                                                   \
    GY_OPS(GY_OP_direct, GY_OP_apply, GY_OP_descend, GY_OP_dots, GY_OP_dot, GY_OP_mask,            \
           GY_OP_decide_cg)

const gy_solver gy_solver_mgpcg = {
    .name = "mgpcg",
    .doc = "conjugate gradients, a multigrid cycle as preconditioner",
    .vectors = 4,
    .refined_vectors = 5,
    .refines = true,
    .coarsens = true,
    .solve = solve_mgpcg,
    .record = record_mgpcg,
    .ops = STEP_OPS,
};

const gy_solver gy_solver_pcg = {
    .name = "pcg",
    .doc = "conjugate gradients with the preconditioner of the settings: mic0 or multigrid",
    .vectors = 4,
    .refined_vectors = 5,
    .refines = true,
    .coarsens = true,
    .prepare = prepare_pcg,
    .solve = solve_pcg,
    .record = record_pcg,
    .ops = STEP_OPS,
};

const gy_solver gy_solver_cg = {
    .name = "cg",
    .doc = "conjugate gradients",
    .vectors = 3,
    .refined_vectors = 4,
    .refines = true,
    .solve = solve_cg,
    .record = record_cg,
    .ops = STEP_OPS,
};
