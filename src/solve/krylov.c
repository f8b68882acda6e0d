// solve/krylov.c: conjugate gradients, plain and preconditioned.
//
// The residual r stands in b, what the preconditioner makes of it, z, in x, as a multigrid cycle
// takes and leaves them; the direction d, q = A d and the answer so far in vectors of their own.
// beta is Polak and Ribiere's, z.(r - r_before) / z_before.r_before, which a preconditioner that is
// symmetric but for rounding does not disturb; r - r_before = -alpha q makes it -z.q / d.q.
//
// Bytes per cell of an iteration: 52 (see ops/vector.c), coefficients, and the preconditioner's.
#include "ops/level.h"
#include "solve/solvers.h"

#include <stdio.h>

enum { D, Q, X }; // which of gy_system.vector

typedef enum precondition { NONE, MIC, MULTIGRID } precondition;

typedef struct krylov {
    gy_system *system;
    gy_box box;
    uint32_t x, b, d, q, z, answer;
    precondition by;
} krylov;

static gy_vector_args args_of(const krylov *k)
{
    const gy_system *s = k->system;
    return (gy_vector_args){
        .base = s->base, .level = gy_system_offset(s, 0), .partial = s->partial};
}

static double sum_of(const krylov *k, gy_op op, int which)
{
    const gy_system *s = k->system;
    return gy_partial_sum(s->base, s->partial, gy_task_count(op, k->box), which);
}

static void mask(const krylov *k, uint32_t vector)
{
    gy_vector_args a = args_of(k);
    a.x = vector;
    gy_run(k->system->device, GY_OP_mask, &a, k->box);
}

/// d = z + beta d.
static void direct(const krylov *k, double beta, bool first)
{
    gy_vector_args a = args_of(k);
    a.x = k->d;
    a.y = k->z;
    a.factor = (float)beta;
    a.first = first;
    gy_run(k->system->device, GY_OP_direct, &a, k->box);
    gy_vector_wrap(k->system, k->d);
}

/// q = A d; returns d.q.
static double apply(const krylov *k)
{
    gy_vector_args a = args_of(k);
    a.x = k->d;
    a.y = k->q;
    gy_run(k->system->device, GY_OP_apply, &a, k->box);
    return sum_of(k, GY_OP_apply, 0);
}

/// The answer += alpha d, r -= alpha q; returns r.r.
static double descend(const krylov *k, double alpha)
{
    gy_vector_args a = args_of(k);
    a.x = k->answer;
    a.y = k->d;
    a.z = k->b;
    a.w = k->q;
    a.factor = (float)alpha;
    gy_run(k->system->device, GY_OP_descend, &a, k->box);
    return sum_of(k, GY_OP_descend, 0);
}

/// z.r and z.q.
static void dots(const krylov *k, double *zr, double *zq)
{
    gy_vector_args a = args_of(k);
    a.x = k->z;
    a.y = k->b;
    a.z = k->q;
    gy_run(k->system->device, GY_OP_dots, &a, k->box);
    *zr = sum_of(k, GY_OP_dots, 0);
    *zq = sum_of(k, GY_OP_dots, 1);
}

/// to = from; 0: zero.
static void copy(const krylov *k, uint32_t to, uint32_t from)
{
    gy_vector_args a = args_of(k);
    a.x = to;
    a.y = from;
    a.first = 1;
    gy_run(k->system->device, GY_OP_direct, &a, k->box);
}

/// b -= A x, and x moves to the answer. Returns the sum of squares of what is left.
static double start(const krylov *k, const gy_solve_task *task)
{
    gy_system *s = k->system;
    gy_vector_clear(s, k->d);
    mask(k, k->b);
    if (task->zero) {
        copy(k, k->answer, 0);
        return task->reference;
    }
    mask(k, k->x);
    gy_vector_clear(s, 0);
    gy_vector_wrap(s, 0);
    gy_vector_args a = args_of(k);
    a.x = k->x;
    a.y = a.z = k->b;
    a.first = 1;
    gy_run(s->device, GY_OP_apply, &a, k->box);
    double left = sum_of(k, GY_OP_apply, 0);
    if (k->answer != k->x) {
        copy(k, k->answer, k->x);
    }
    return left;
}

static void finish(const krylov *k)
{
    if (k->answer != k->x) {
        copy(k, k->x, k->answer);
    }
    gy_vector_clear(k->system, 0);
    gy_vector_wrap(k->system, 0);
}

static void precondition_by(const krylov *k)
{
    if (k->by == MULTIGRID) {
        gy_multigrid_cycle(k->system, true);
    }
}

static gy_solve_result iterate(const krylov *k, const gy_solve_task *task)
{
    gy_solve_result r = {0, 0.0};
    double goal = task->tolerance * task->tolerance * task->reference;
    double left = start(k, task), dq = 0.0;
    int max_cycles = task->reference > 0.0 ? task->max_cycles : 0;
    r.residual = max_cycles > 0 ? __builtin_sqrt(left / task->reference) : 0.0;
    while (r.cycles < max_cycles && left > goal) {
        double zr, zq = 0.0;
        precondition_by(k);
        if (r.cycles == 0) {
            zr = gy_vector_dot(k->system, k->z, k->b);
        } else {
            dots(k, &zr, &zq);
        }
        direct(k, r.cycles == 0 ? 0.0 : -zq / dq, r.cycles == 0);
        dq = apply(k);
        // Rounding can leave nothing to go along, on a system with nothing held above all.
        if (!(zr > 0.0) || !(dq > 0.0) || !(zr / dq < 1e30)) {
            break;
        }
        left = descend(k, zr / dq);
        r.residual = __builtin_sqrt(left / task->reference);
        gy_note(task, r.cycles, r.residual);
        r.cycles++;
    }
    finish(k);
    return r;
}

static krylov krylov_of(gy_system *s, precondition by)
{
    const gy_level *level = gy_system_level(s, 0);
    krylov k = {.system = s,
                .box = gy_level_box(level),
                .x = level->x,
                .b = level->b,
                .d = s->vector[D],
                .q = s->vector[Q],
                .z = by == NONE ? level->b : level->x,
                .answer = by == NONE ? level->x : s->vector[X],
                .by = by};
    return k;
}

static gy_solve_result solve_mgpcg(gy_system *s, const gy_solve_task *task)
{
    krylov k = krylov_of(s, MULTIGRID);
    gy_vector_clear(s, 0);
    gy_vector_wrap(s, 0);
    return iterate(&k, task);
}

static gy_solve_result solve_cg(gy_system *s, const gy_solve_task *task)
{
    krylov k = krylov_of(s, NONE);
    return iterate(&k, task);
}

const gy_solver gy_solver_mgpcg = {
    .name = "mgpcg",
    .doc = "conjugate gradients, a multigrid cycle as preconditioner",
    .vectors = 3,
    .solve = solve_mgpcg,
};

const gy_solver gy_solver_cg = {
    .name = "cg", .doc = "conjugate gradients", .vectors = 2, .solve = solve_cg};

static bool takes(const gy_system_def *def, char *why, size_t size)
{
    if (def->solver.preconditioner == GYRE_PRECONDITION_MIC) {
        snprintf(why, size, "has no MIC(0) yet");
        return false;
    }
    return true;
}

const gy_solver gy_solver_pcg = {
    .name = "pcg",
    .doc = "conjugate gradients with the preconditioner of the settings",
    .takes = takes,
    .vectors = 3,
    .solve = solve_mgpcg,
};
