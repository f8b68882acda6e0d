// The systems that the solvers' bench solves, and how results are judged.
#include "bench/solvers.h"

#include <math.h>

size_t solvers_cells(int dim, int n)
{
    return (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
}

void solvers_noise(float *b, size_t count)
{
    uint64_t state = 2003;
    double mean = 0;
    for (size_t i = 0; i < count; i++) {
        // splitmix64: passes the usual tests of randomness in five lines.
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        b[i] = (float)((double)((z ^ (z >> 31)) >> 40) * 0x1p-23 - 1.0);
        mean += (double)b[i];
    }
    for (size_t i = 0; i < count; i++)
        b[i] -= (float)(mean / (double)count);
}

void solvers_add_wave(float *b, int dim, int n, double amount)
{
    double pi = acos(-1.0);
    size_t count = solvers_cells(dim, n), m = (size_t)n;
    for (size_t c = 0; c < count; c++) {
        double wave = amount;
        size_t at[3] = {c % m, c / m % m, c / m / m};
        for (int a = 0; a < dim; a++)
            wave *= cos(pi * ((double)at[a] + 0.5) / n);
        b[c] += (float)wave;
    }
}

double solvers_residual(int dim, int n, double shift, const float *b, const double *x)
{
    size_t count = solvers_cells(dim, n), m = (size_t)n, step[3] = {1, m, m * m};
    double mean = 0, left = 0, all = 0;
    for (size_t c = 0; c < count && shift == 0; c++)
        mean += (double)b[c] / (double)count;
    for (size_t c = 0; c < count; c++) {
        size_t at[3] = {c % m, c / m % m, c / m / m};
        double right = (double)b[c] - mean, r = right - shift * x[c];
        for (int a = 0; a < dim; a++) {
            r -= at[a] > 0 ? x[c] - x[c - step[a]] : 0;
            r -= at[a] + 1 < m ? x[c] - x[c + step[a]] : 0;
        }
        left += r * r;
        all += right * right;
    }
    return all > 0 ? sqrt(left / all) : 0;
}

double solvers_exponent(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        double u = log(x[i]), v = log(y[i]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    double under = count * sxx - sx * sx;
    return count >= 2 && under > 0 ? (count * sxy - sx * sy) / under : (double)NAN;
}

gyre_solver_def solvers_def(int kind, double tolerance, int max_cycles)
{
    gyre_solver_def def = gyre_poisson_default_def(2).solver;
    def.solver = kind;
    def.tolerance = (float)tolerance;
    def.max_cycles = max_cycles;
    return def;
}

bool solvers_make(solvers_run *run, gyre_device *device, int dim, int n, float shift,
                  const gyre_solver_def *solver)
{
    gyre_poisson_def def = gyre_poisson_default_def(dim);
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.shift = shift;
    def.solver = *solver;
    double start = bench_now(), own = bench_processor_now();
    *run = (solvers_run){.best = INFINITY, .own = INFINITY};
    bool made = gyre_poisson_create(device, &def, &run->poisson) == GYRE_OK;
    run->make = bench_now() - start;
    run->first = bench_processor_now() - own;
    return made;
}

bool solvers_once(solvers_run *run, const float *b, const float *x)
{
    gyre_poisson_set_b(run->poisson, b);
    if (x)
        gyre_poisson_set_x(run->poisson, x);
    double start = bench_now(), own = bench_processor_now();
    bool solved = gyre_poisson_solve(run->poisson, !x, &run->stats) == GYRE_OK;
    own = bench_processor_now() - own;
    run->best = fmin(run->best, bench_now() - start);
    run->first += isfinite(run->own) ? 0 : own;
    run->own = fmin(run->own, own);
    return solved;
}

bool solvers_often(solvers_run *run, const float *b, const float *x, double seconds)
{
    double start = bench_now();
    int times = 0;
    do
        if (!solvers_once(run, b, x))
            return false;
    while (++times < 3 ? bench_now() - start < 10 * seconds : bench_now() - start < seconds);
    return true;
}

void solvers_answer(const solvers_run *run, size_t count, double *x)
{
    float *high = bench_allocate(2 * count * sizeof(float)), *low = high + count;
    gyre_poisson_get_x(run->poisson, high, low);
    for (size_t i = 0; i < count; i++)
        x[i] = (double)high[i] + (double)low[i];
    bench_release(high);
}

void solvers_free(solvers_run *run)
{
    gyre_poisson_destroy(run->poisson);
    run->poisson = NULL;
}
