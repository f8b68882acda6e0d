// validate/poisson.c: the linear solvers against an answer that is known.
#include "validate/validate.h"

#include <math.h>

static const double PI = 3.141592653589793;

/// The greatest error of -laplace(p) = f on n x n cells with shut sides; NaN after a failure.
static double solve(validate_run *run, int n, int solver)
{
    gyre_poisson_def def = gyre_poisson_default_def(2);
    gyre_poisson *poisson = NULL;
    size_t cells = (size_t)n * (size_t)n;
    float *b = validate_memory(run, cells, sizeof *b), *x = validate_memory(run, cells, sizeof *x);
    float *low = validate_memory(run, cells, sizeof *low);
    double h = 1.0 / n, most = 0.0;
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.h = (float)h;
    def.solver.solver = solver;
    def.solver.refine = true;
    def.solver.tolerance = 1e-9f;
    def.solver.max_cycles = 60;
    if (!b || !x || !low) {
        return NAN;
    }
    for (int i = 0; i < n * n; i++) {
        double p = cos(PI * (i % n + 0.5) * h) * cos(2.0 * PI * (i / n + 0.5) * h);
        b[i] = (float)(h * h * 5.0 * PI * PI * p);
    }
    if (gyre_poisson_create(validate_device(run), &def, &poisson)) {
        validate_fail(run, NULL);
        return NAN;
    }
    gyre_poisson_set_b(poisson, b);
    if (gyre_poisson_solve(poisson, true, NULL)) {
        validate_fail(run, NULL);
    }
    gyre_poisson_get_x(poisson, x, low);
    gyre_poisson_destroy(poisson);
    // The answer is known but for a constant; the exact one's mean is 0.
    double mean = 0.0;
    for (int i = 0; i < n * n; i++) {
        mean += ((double)x[i] + (double)low[i]) / (double)cells;
    }
    for (int i = 0; i < n * n; i++) {
        double p = cos(PI * (i % n + 0.5) * h) * cos(2.0 * PI * (i / n + 0.5) * h);
        most = fmax(most, fabs((double)x[i] + (double)low[i] - mean - p));
    }
    return validate_failed(run) ? NAN : most;
}

void validate_poisson(validate_run *run)
{
    enum { SIZES = 4 };
    static const int solvers[] = {GYRE_SOLVER_FFT, GYRE_SOLVER_MULTIGRID};
    const int largest = validate_quick(run) ? 128 : 256;
    double n[SIZES], error[2][SIZES], theory[SIZES];
    for (int k = 0; k < 2; k++) {
        char what[96];
        for (int s = 0; s < SIZES; s++) {
            int cells = largest >> (SIZES - 1 - s);
            n[s] = cells;
            error[k][s] = solve(run, cells, solvers[k]);
            // The five-point formula takes 2 - 2 cos(k h) for (k h)^2: the answer is too large by
            // the share (k_x^4 + k_y^4) h^2 / 12 / (k_x^2 + k_y^2).
            theory[s] = 17.0 * PI * PI / 60.0 / ((double)cells * cells);
        }
        snprintf(what, sizeof what, "order of the error, %s", gyre_solver_names[solvers[k]]);
        validate_expect(run, what, "1",
                        validate_order(error[k][SIZES - 2], error[k][SIZES - 1], 2.0), 2.0,
                        VALIDATE_AT_LEAST, 0.02, NULL);
        snprintf(what, sizeof what, "greatest error, %s", gyre_solver_names[solvers[k]]);
        validate_expect(run, what, "1", error[k][SIZES - 1], theory[SIZES - 1], VALIDATE_RELATIVE,
                        0.02, "the truncation error of the five-point formula");
    }
    validate_plot(run, "Greatest error", "cells a side", "error");
    validate_plot_logarithmic(run, true, true);
    validate_curve(run, "fft", VALIDATE_LINE, SIZES, n, error[0]);
    validate_curve(run, "multigrid", VALIDATE_POINTS, SIZES, n, error[1]);
    validate_curve(run, "truncation error", VALIDATE_DASHES, SIZES, n, theory);
}
