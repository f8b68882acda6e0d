// bench/rival.h: another library's solver, in a module that the bench opens when it is there.
// Neither libgyre nor the tool links that library.
#ifndef BENCH_RIVAL_H
#define BENCH_RIVAL_H

/// Solves  sum over faces inside of (x - x_neighbour) = b  in a box of shut sides, where b has
/// mean 0. NULL and negative numbers are failures.
typedef struct bench_rival {
    const char *name;           // with its version
    const char *const *methods; // the last one is NULL
    int threads;                // at most
    /// dim axes, n cells a side; `tolerance` as in gyre_solver_def.
    void *(*make)(int method, int dim, int n, int threads, double tolerance);
    void (*set_b)(void *solver, const float *b);
    /// From 0. Returns cycles or iterations, 1 of a direct method.
    int (*solve)(void *solver);
    void (*get_x)(void *solver, double *x);
    void (*free)(void *solver);
} bench_rival;

/// The module's one symbol, "bench_rival_of_module", is of this type.
typedef const bench_rival *bench_rival_function(void);

#if defined(__GNUC__)
#define BENCH_MODULE __attribute__((visibility("default")))
#else
#define BENCH_MODULE
#endif

#endif
