// solve/relaxation.c: the classics: red-black and lexicographic Gauss-Seidel with over-relaxation,
// and Jacobi. A cycle is one sweep; each takes every system.
//
// With e = 1 - rho, rho the largest magnitude that an eigenvalue of Jacobi's iteration matrix has
// below 1 (see slowest), the error falls by rho per sweep of Jacobi, rho^2 of Gauss-Seidel, and
// omega - 1 with the best omega = 2 / (1 + sqrt(1 - rho^2)) (D. Young, 1954): two digits take about
// n^2 sweeps, n^2 / 2, and 3 n / 4. red_black with omega 0 comes to that omega from 1, half-sweep
// by half-sweep, as Chebyshev's polynomials ask (G. Golub and R. Varga, 1961): the same factor in
// the end, and an error that does not grow on the way (the residual of noise may, at first: where
// there is time for a few sweeps only, 1 leaves less of it).
//
// A residual costs as much as half a sweep: it is measured after each of the first sweeps, then
// after every eighth and the last; between, the history repeats the one before. So a solve may do
// up to seven sweeps more than it had to; the number of cycles is that of the sweeps done.
#include "base/maths.h"
#include "ops/system/level.h"
#include "solve/solvers.h"

enum { FIRST = 8, EACH = 8 };

typedef struct sweeps {
    const gy_system *s;
    uint32_t x;   // where the answer stands now: 0: x; else a vector
    float given;  // omega of the settings
    double e;     // see slowest
    double omega; // of the next half-sweep
} sweeps;

/// The lowest mode along one axis, or the lowest that is not constant: its eigenvalue, and the mean
/// over the mode of a cell's coefficients. At shut sides a cell has one less; at open ones it has
/// as much on the outside.
static void axis_mode(const gy_system *s, int axis, bool moves, double *value, double *diagonal)
{
    const gy_level *l = gy_system_level(s, 0);
    int n = l->n[axis], open = 0;
    double ends = 0.0, scale = (double)l->scale[axis];
    bool round = s->periodic >> axis & 1u;
    for (int side = 2 * axis; side < 2 * axis + 2 && !round; side++) {
        open += (int)(s->open_sides >> side & 1u);
    }
    moves = moves || open > 0;
    // An angle of `half` per half cell: periodic, both sides alike, or one of each.
    float half = !moves ? 0.0f
                        : (round       ? 3.14159265f
                           : open == 1 ? 0.785398163f
                                       : 1.57079633f) /
                              (float)n;
    double sine = (double)gy_sinf(half), square = sine * sine;
    // The squares of the mode add up to n / 2, to n where it is constant (or a single cell).
    double mean = !moves || (open == 2 && n == 1) ? 1.0 : 2.0;
    if (!round) {
        ends = open * square - (2 - open) * (1.0 - square);
    }
    *value = scale * 4.0 * square;
    *diagonal = scale * (2.0 + mean * ends / n);
}

/// 1 - rho of the slowest mode of Jacobi's sweeps that is not constant (or is, where the system
/// holds it), on a box with these sides: the mode's Rayleigh quotient, its eigenvalue over the mean
/// of the diagonal, which is short of the truth by some 1 / n^2 of itself.
static double slowest(const gy_system *s, bool holds)
{
    const gy_level *l = gy_system_level(s, 0);
    double least = 1.0;
    for (int moving = 0; moving < l->dim; moving++) {
        double value = (double)s->shift, diagonal = (double)s->shift;
        if (!holds && (l->n[moving] == 1 || l->scale[moving] == 0.0f)) {
            continue;
        }
        for (int a = 0; a < l->dim; a++) {
            double v, d;
            axis_mode(s, a, !holds && a == moving, &v, &d);
            value += v;
            diagonal += d;
        }
        least = diagonal > 0.0 ? GY_MIN(least, value / diagonal) : least;
    }
    return GY_MAX(least, 1e-9);
}

static double best_omega(double e)
{
    return 2.0 / (1.0 + __builtin_sqrt(e * (2.0 - e)));
}

/// omega of the settings, or the best. From 2 on nothing converges.
static float sor_omega(const sweeps *w)
{
    return w->given > 0.0f ? GY_MIN(w->given, 1.9999f) : (float)best_omega(w->e);
}

/// After a sweep in place: one along x with an even number of cells has seen to that axis itself.
static void wrap(const gy_system *s)
{
    gy_wrap_axes(s, 0, 0, gy_system_level(s, 0)->n[0] % 2 == 0 ? 1 : 0);
}

/// One colour with over-relaxation. Round a periodic axis with an odd number of cells the last row
/// has neighbours of its colour in the first one: it goes after the others, as do planes.
static void over_relax(const gy_system *s, int colour, float omega)
{
    const gy_level *l = gy_system_level(s, 0);
    gy_sweep_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .colour = colour, .omega = omega};
    int cut[3] = {0, l->n[1], l->n[2]};
    for (int axis = 1; axis < l->dim; axis++) {
        if ((l->periodic >> axis & 1u) && l->n[axis] > 1 && l->n[axis] % 2 != 0) {
            cut[axis]--;
        }
    }
    for (int part = 0; part < 4; part++) {
        gy_box box = gy_level_box(l);
        for (int axis = 1; axis < 3; axis++) {
            bool after = part >> (axis - 1) & 1;
            box.low[axis] = after ? cut[axis] : 0;
            box.high[axis] = after ? l->n[axis] : cut[axis];
        }
        if (box.low[1] < box.high[1] && box.low[2] < box.high[2]) {
            gy_run(s->device, GY_OP_sor, &a, box);
            wrap(s);
        }
    }
}

/// One colour, plain.
static void relax(const gy_system *s, int colour)
{
    gy_relax_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .colour = colour, .omega = 1.0f};
    gy_run(s->device, GY_OP_relax, &a, gy_level_box(gy_system_level(s, 0)));
    wrap(s);
}

static void red_black(sweeps *w)
{
    double rho2 = (1.0 - w->e) * (1.0 - w->e);
    for (int colour = 1; colour >= 0; colour--) {
        if (w->given == 1.0f) {
            relax(w->s, colour);
        } else if (w->given > 0.0f) {
            over_relax(w->s, colour, sor_omega(w));
        } else {
            over_relax(w->s, colour, (float)w->omega);
            // The first half-sweep is plain, the second the start of Chebyshev's recurrence.
            w->omega =
                w->omega == 1.0 ? 1.0 / (1.0 - 0.5 * rho2) : 1.0 / (1.0 - 0.25 * rho2 * w->omega);
        }
    }
}

static void gauss_seidel(sweeps *w)
{
    const gy_system *s = w->s;
    gy_sweep_args a = {.base = s->base, .level = gy_system_offset(s, 0), .omega = sor_omega(w)};
    gy_run(s->device, GY_OP_gauss_seidel, &a, gy_level_box(gy_system_level(s, 0)));
}

static void jacobi_to(sweeps *w, uint32_t to, float omega)
{
    const gy_system *s = w->s;
    gy_sweep_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .from = w->x, .to = to, .omega = omega};
    gy_run(s->device, GY_OP_jacobi, &a, gy_level_box(gy_system_level(s, 0)));
    gy_vector_wrap(s, to);
    w->x = to;
}

/// Above 1 the mode that changes sign from cell to cell grows. At 1, the classic, it falls no
/// faster than the slowest one, and not at all where nothing holds x: the rounding of each sweep
/// piles up in it. At 0.95 it falls by a tenth a sweep, for a twentieth more sweeps.
static void jacobi(sweeps *w)
{
    float omega = w->given > 0.0f ? GY_MIN(w->given, 1.0f) : 0.95f;
    jacobi_to(w, w->x ? 0 : w->s->vector[0], omega);
}

static gy_solve_result run(gy_system *s, const gy_solve_task *task, void (*sweep)(sweeps *))
{
    gy_solve_result r = {0, 0.0};
    int max_cycles = task->reference > 0.0 ? task->max_cycles : 0;
    double goal = task->tolerance * task->tolerance * task->reference;
    sweeps w = {.s = s, .given = s->settings.omega, .omega = 1.0};
    w.e = slowest(s, s->open_sides != 0 || s->shift > 0.0f);
    gy_clear(s, 0, 0, task->zero);
    gy_vector_wrap(s, 0);
    if (s->vector[0]) {
        gy_vector_clear(s, s->vector[0]);
    }
    // After a plain sweep red's residual is 0 but for a seam.
    bool plain = sweep == red_black && w.given == 1.0f && !gy_has_seam(gy_system_level(s, 0));
    for (bool done = false; r.cycles < max_cycles && !done;) {
        sweep(&w);
        r.cycles++;
        if (r.cycles <= FIRST || r.cycles % EACH == 0 || r.cycles == max_cycles) {
            double left = gy_residual_from(s, w.x, plain);
            r.residual = __builtin_sqrt(left / task->reference);
            done = left <= goal;
        }
        gy_note(task, r.cycles - 1, r.residual);
    }
    if (w.x) {
        jacobi_to(&w, 0, 0.0f);
    }
    return r;
}

static gy_solve_result run_red_black(gy_system *s, const gy_solve_task *task)
{
    return run(s, task, red_black);
}

static gy_solve_result run_gauss_seidel(gy_system *s, const gy_solve_task *task)
{
    return run(s, task, gauss_seidel);
}

static gy_solve_result run_jacobi(gy_system *s, const gy_solve_task *task)
{
    return run(s, task, jacobi);
}

const gy_solver gy_solver_red_black = {
    .name = "red_black",
    .doc = "Gauss-Seidel by the colours of a chessboard, over-relaxed; a cycle is one sweep",
    .solve = run_red_black,
    .ops = GY_OPS(GY_OP_sor),
};

const gy_solver gy_solver_gauss_seidel = {
    .name = "gauss_seidel",
    .doc = "Gauss-Seidel in the order of the text, over-relaxed, on one thread; a cycle is one "
           "sweep",
    .solve = run_gauss_seidel,
    .ops = GY_OPS(GY_OP_gauss_seidel),
};

const gy_solver gy_solver_jacobi = {
    .name = "jacobi",
    .doc = "Jacobi's sweeps, damped where they must be; a cycle is one sweep",
    .vectors = 1,
    .solve = run_jacobi,
    .ops = GY_OPS(GY_OP_jacobi),
};
