// FFTW's float cosine transforms as a Poisson solver: https://www.fftw.org. There, division by the
// eigenvalues, and back, with plans that FFTW has measured.
#include "bench/rival.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

typedef struct solver {
    int dim, n;
    size_t cells;
    float *b, *x, *eigenvalue; // of one axis
    fftwf_plan there, back;
} solver;

static void release(void *solver_)
{
    solver *s = solver_;
    if (s->there)
        fftwf_destroy_plan(s->there);
    if (s->back)
        fftwf_destroy_plan(s->back);
    fftwf_free(s->b);
    fftwf_free(s->x);
    free(s->eigenvalue);
    free(s);
}

static void *make(int method, int dim, int n, int threads, double tolerance)
{
    (void)method;
    (void)tolerance;
    static int ready;
    if (!ready)
        ready = fftwf_init_threads();
    fftwf_plan_with_nthreads(threads);
    solver *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->dim = dim;
    s->n = n;
    s->cells = (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
    s->b = fftwf_alloc_real(s->cells);
    s->x = fftwf_alloc_real(s->cells);
    s->eigenvalue = malloc((size_t)n * sizeof(float));
    fftw_r2r_kind there[3] = {FFTW_REDFT10, FFTW_REDFT10, FFTW_REDFT10};
    fftw_r2r_kind back[3] = {FFTW_REDFT01, FFTW_REDFT01, FFTW_REDFT01};
    int sizes[3] = {n, n, n};
    if (s->b && s->x && s->eigenvalue) {
        s->there = fftwf_plan_r2r(dim, sizes, s->b, s->x, there, FFTW_MEASURE);
        s->back = fftwf_plan_r2r(dim, sizes, s->x, s->x, back, FFTW_MEASURE);
    }
    if (!s->there || !s->back) {
        release(s);
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        double half = sin(0.5 * acos(-1.0) * i / n);
        s->eigenvalue[i] = (float)(4 * half * half);
    }
    return s;
}

static void set_b(void *solver_, const float *b)
{
    solver *s = solver_;
    for (size_t c = 0; c < s->cells; c++)
        s->b[c] = b[c];
}

static int solve(void *solver_)
{
    solver *s = solver_;
    int n = s->n;
    const float *e = s->eigenvalue;
    float scale = (float)(1 / pow(2.0 * n, s->dim));
    fftwf_execute(s->there);
    for (int row = 0, rows = s->dim == 3 ? n * n : n; row < rows; row++) {
        float *x = s->x + (size_t)row * (size_t)n, rest = e[row % n] + e[row / n];
        if (row == 0)
            x[0] = 0;
        for (int i = row == 0; i < n; i++)
            x[i] *= scale / (e[i] + rest);
    }
    fftwf_execute(s->back);
    return 1;
}

static void get_x(void *solver_, double *x)
{
    solver *s = solver_;
    for (size_t c = 0; c < s->cells; c++)
        x[c] = (double)s->x[c];
}

static const char *const methods[] = {"DCT", NULL};

BENCH_MODULE const bench_rival *bench_rival_of_module(void);
const bench_rival *bench_rival_of_module(void)
{
    static bench_rival rival = {.methods = methods,
                                .threads = 256,
                                .make = make,
                                .set_b = set_b,
                                .solve = solve,
                                .get_x = get_x,
                                .free = release};
    rival.name = fftwf_version;
    return &rival;
}
