// hypre's geometric multigrid, PFMG, by itself and under conjugate gradients, through the struct
// interface: https://github.com/hypre-space/hypre.
//
// Each method has the quickest settings of ten that were tried on these problems (weighted Jacobi,
// red-black Gauss-Seidel in both orders; coarse operators by Galerkin and with the small stencil;
// one sweep and two; levels of relaxation skipped or not): for PFMG red-black sweeps and small
// stencils, under conjugate gradients hypre's defaults. Both stop when the 2-norm of the residual
// falls below tolerance times that of b, as gyre's solvers do; in double precision.
#define _POSIX_C_SOURCE 200112L // setenv
#include "bench/rival.h"

#include <HYPRE_struct_ls.h>
#include <mpi.h>
#include <stdlib.h>

enum { PFMG, PCG, JACOBI = 1, RED_BLACK = 2, GALERKIN = 0, SMALL_STENCIL = 1 };

typedef struct solver {
    int method, dim, low[3], high[3];
    size_t cells;
    HYPRE_StructGrid grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix matrix;
    HYPRE_StructVector b, x;
    HYPRE_StructSolver pfmg, pcg;
    double *values;
} solver;

/// The diagonal and the faces up along each axis: the matrix is symmetric.
static void set_matrix(solver *s)
{
    int offsets[4][3] = {{0}}, n[3] = {1, 1, 1}, entries[4] = {0, 1, 2, 3}, size = s->dim + 1;
    HYPRE_StructStencilCreate(s->dim, size, &s->stencil);
    for (int e = 0; e < size; e++) {
        if (e > 0)
            offsets[e][e - 1] = 1;
        HYPRE_StructStencilSetElement(s->stencil, e, offsets[e]);
    }
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, s->grid, s->stencil, &s->matrix);
    HYPRE_StructMatrixSetSymmetric(s->matrix, 1);
    HYPRE_StructMatrixInitialize(s->matrix);
    for (int a = 0; a < s->dim; a++)
        n[a] = s->high[a] + 1;
    // Plane by plane, so that the values take little memory.
    int last = s->dim - 1, low[3] = {0}, high[3] = {s->high[0], s->high[1], s->high[2]};
    for (int plane = 0; plane < n[last]; plane++) {
        double *v = s->values;
        low[last] = high[last] = plane;
        for (int c = 0, count = s->dim == 3 ? n[0] * n[1] : n[0]; c < count; c++) {
            int at[3] = {c % n[0], s->dim == 3 ? c / n[0] : plane, plane};
            double *diagonal = v++;
            *diagonal = 0;
            for (int a = 0; a < s->dim; a++) {
                int up = at[a] < s->high[a];
                *v++ = up ? -1 : 0;
                *diagonal += up + (at[a] > 0);
            }
        }
        HYPRE_StructMatrixSetBoxValues(s->matrix, low, high, size, entries, s->values);
    }
    HYPRE_StructMatrixAssemble(s->matrix);
}

static void *make(int method, int dim, int n, int threads, double tolerance)
{
    (void)threads;
    solver *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->method = method;
    s->dim = dim;
    s->cells = (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
    s->values = malloc(s->cells * sizeof(double) + (size_t)n * 4 * sizeof(double));
    if (!s->values) {
        free(s);
        return NULL;
    }
    for (int a = 0; a < dim; a++)
        s->high[a] = n - 1;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, dim, &s->grid);
    HYPRE_StructGridSetExtents(s->grid, s->low, s->high);
    HYPRE_StructGridAssemble(s->grid);
    set_matrix(s);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, s->grid, &s->b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, s->grid, &s->x);
    HYPRE_StructVectorInitialize(s->b);
    HYPRE_StructVectorInitialize(s->x);
    HYPRE_StructVectorSetConstantValues(s->x, 0);
    HYPRE_StructVectorAssemble(s->b);
    HYPRE_StructVectorAssemble(s->x);
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &s->pfmg);
    HYPRE_StructPFMGSetRelaxType(s->pfmg, method == PCG ? JACOBI : RED_BLACK);
    HYPRE_StructPFMGSetRAPType(s->pfmg, method == PCG ? GALERKIN : SMALL_STENCIL);
    HYPRE_StructPFMGSetNumPreRelax(s->pfmg, 1);
    HYPRE_StructPFMGSetNumPostRelax(s->pfmg, 1);
    HYPRE_StructPFMGSetSkipRelax(s->pfmg, 1);
    HYPRE_StructPFMGSetZeroGuess(s->pfmg);
    HYPRE_StructPFMGSetMaxIter(s->pfmg, method == PCG ? 1 : 200);
    HYPRE_StructPFMGSetTol(s->pfmg, method == PCG ? 0 : tolerance);
    if (method == PFMG) {
        HYPRE_StructPFMGSetup(s->pfmg, s->matrix, s->b, s->x);
        return s;
    }
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &s->pcg);
    HYPRE_StructPCGSetTwoNorm(s->pcg, 1);
    HYPRE_StructPCGSetMaxIter(s->pcg, 200);
    HYPRE_StructPCGSetTol(s->pcg, tolerance);
    HYPRE_StructPCGSetPrecond(s->pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, s->pfmg);
    HYPRE_StructPCGSetup(s->pcg, s->matrix, s->b, s->x);
    return s;
}

static void set_b(void *solver_, const float *b)
{
    solver *s = solver_;
    double mean = 0;
    for (size_t c = 0; c < s->cells; c++)
        mean += (double)b[c] / (double)s->cells;
    // The matrix is singular: what float has left of the mean would be in the way.
    for (size_t c = 0; c < s->cells; c++)
        s->values[c] = (double)b[c] - mean;
    HYPRE_StructVectorSetBoxValues(s->b, s->low, s->high, s->values);
    HYPRE_StructVectorAssemble(s->b);
    HYPRE_StructVectorSetConstantValues(s->x, 0);
}

static int solve(void *solver_)
{
    solver *s = solver_;
    HYPRE_Int iterations = -1;
    HYPRE_ClearAllErrors();
    if (s->method == PCG) {
        HYPRE_StructPCGSolve(s->pcg, s->matrix, s->b, s->x);
        HYPRE_StructPCGGetNumIterations(s->pcg, &iterations);
    } else {
        HYPRE_StructPFMGSolve(s->pfmg, s->matrix, s->b, s->x);
        HYPRE_StructPFMGGetNumIterations(s->pfmg, &iterations);
    }
    return (int)iterations;
}

static void get_x(void *solver_, double *x)
{
    solver *s = solver_;
    HYPRE_StructVectorGetBoxValues(s->x, s->low, s->high, x);
}

static void release(void *solver_)
{
    solver *s = solver_;
    if (s->method == PCG)
        HYPRE_StructPCGDestroy(s->pcg);
    HYPRE_StructPFMGDestroy(s->pfmg);
    HYPRE_StructVectorDestroy(s->x);
    HYPRE_StructVectorDestroy(s->b);
    HYPRE_StructMatrixDestroy(s->matrix);
    HYPRE_StructStencilDestroy(s->stencil);
    HYPRE_StructGridDestroy(s->grid);
    free(s->values);
    free(s);
}

static void finish(void)
{
    HYPRE_Finalize();
    MPI_Finalize();
}

static const char *const methods[] = {"PFMG", "PCG+PFMG", NULL};
static const bench_rival rival = {.name = "hypre " HYPRE_RELEASE_VERSION,
                                  .methods = methods,
                                  .threads = 1,
                                  .make = make,
                                  .set_b = set_b,
                                  .solve = solve,
                                  .get_x = get_x,
                                  .free = release};

BENCH_MODULE const bench_rival *bench_rival_of_module(void);
const bench_rival *bench_rival_of_module(void)
{
    int ready = 0;
    MPI_Initialized(&ready);
    if (!ready) {
        setenv("OMP_NUM_THREADS", "1", 1); // some builds of hypre have threads
        MPI_Init(NULL, NULL);
        HYPRE_Init();
        atexit(finish);
    }
    return &rival;
}
