/// @file gyre/solve.h
/// Linear systems  shift x + sum over faces of a (x - x_neighbour) = b  on a grid of
/// cells, and every solver that gyre has for them: Poisson problems (shift 0) and Helmholtz
/// problems, as diffusion makes them (shift above 0), in 2D and 3D.
#ifndef GYRE_SOLVE_H
#define GYRE_SOLVE_H

#include "gyre/device.h"
#include "gyre/grid.h"
#include "gyre/property.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which solver. What each one is, costs and takes: doc/solve.md.
typedef enum gyre_solver_kind {
    GYRE_SOLVER_AUTO,             ///< the one that fits and is fastest
    GYRE_SOLVER_MULTIGRID,        ///< cycles of red-black Gauss-Seidel on coarser and coarser grids
    GYRE_SOLVER_MGPCG,            ///< conjugate gradients, a multigrid cycle as preconditioner
    GYRE_SOLVER_FFT,              ///< transforms along every axis; boxes only
    GYRE_SOLVER_CYCLIC_REDUCTION, ///< transforms, and cyclic reduction along one axis; boxes only
    GYRE_SOLVER_DIRECT,           ///< banded LDL^T elimination
    GYRE_SOLVER_DENSE,            ///< Gaussian elimination of the whole matrix, for the lesson
    GYRE_SOLVER_PCG,              ///< conjugate gradients with the preconditioner of the def
    GYRE_SOLVER_CG,               ///< conjugate gradients
    GYRE_SOLVER_RED_BLACK,        ///< Gauss-Seidel by the colours of a chessboard, with SOR
    GYRE_SOLVER_GAUSS_SEIDEL,     ///< Gauss-Seidel in the order of the text, with SOR
    GYRE_SOLVER_JACOBI,           ///< Jacobi, damped
    GYRE_SOLVER_COUNT
} gyre_solver_kind;

/// The order in which a multigrid cycle goes through its levels.
typedef enum gyre_cycle { GYRE_CYCLE_V, GYRE_CYCLE_W, GYRE_CYCLE_F, GYRE_CYCLE_FULL } gyre_cycle;

/// What makes conjugate gradients quick.
typedef enum gyre_preconditioner {
    GYRE_PRECONDITION_MIC,
    GYRE_PRECONDITION_MULTIGRID
} gyre_preconditioner;

/// How a system is solved.
typedef struct gyre_solver_def {
    int32_t solver;         ///< gyre_solver_kind
    float tolerance;        ///< root mean square of the residual, after over before
    int32_t max_cycles;     ///< cycles, iterations or sweeps at most
    int32_t cycle;          ///< gyre_cycle, of multigrid
    int32_t sweeps;         ///< of a multigrid cycle on each level, before and after
    int32_t preconditioner; ///< gyre_preconditioner, of pcg
    float omega;            ///< relaxation of red_black, gauss_seidel (0: the best for a box of
                            ///< this size, to which red_black comes by degrees; 1: plain, which
                            ///< leaves less where sweeps are few) and damping of jacobi (0:
                            ///< 0.95, at which every mode falls; at most 1)
    bool refine;            ///< past the accuracy of one float: the residual in double, the answer
                            ///< as a pair of floats
} gyre_solver_def;

/// The names of solvers in the order of gyre_solver_kind, then NULL.
extern GYRE_API const char *const gyre_solver_names[];

/// What is known at a side.
typedef enum gyre_poisson_side {
    GYRE_POISSON_SHUT,    ///< nothing passes: dx/dn = 0 (Neumann)
    GYRE_POISSON_OPEN,    ///< x = 0 half a cell outside the last cells' centres (Dirichlet)
    GYRE_POISSON_PERIODIC ///< joined to the opposite side, which must be periodic, too
} gyre_poisson_side;

/// A linear system on its own, for those who bring their own fields.
///
/// Cell (i, j, k) couples to its neighbour across a face with a = the face's openness, 0 to 1
/// (below 1/100 counts as 0; kept to 1/16384); across an open side with twice that. Lengths are in
/// cells: a Poisson equation  -laplace(p) = f  with spacing h is b = h^2 f.
typedef struct gyre_poisson_def {
    uint32_t cookie;      ///< set by gyre_poisson_default_def
    gyre_grid grid;       ///< cells; h and origin do not count
    int32_t sides[6];     ///< gyre_poisson_side: x low, x high, y low ...
    float shift;          ///< >= 0, added to the diagonal
    const float *open[3]; ///< openness of faces across each axis, n + 1 along it, x fastest; NULL:
                          ///< whole. Faces on the sides count too. Read at create only.
    gyre_solver_def solver; ///< how it is solved
} gyre_poisson_def;

/// A system. One thread at a time may use it.
typedef struct gyre_poisson gyre_poisson;

/// How a solve went.
typedef struct gyre_poisson_stats {
    int32_t solver;  ///< gyre_solver_kind that ran: never auto
    int32_t cycles;  ///< cycles, iterations or sweeps; 1 of a direct method
    double residual; ///< root mean square after over before, as the solver measured it
    int32_t regions; ///< parts of the domain that no open face joins
    int32_t extras;  ///< coarse unknowns that component coarsening has added, on all levels
} gyre_poisson_stats;

/// Fills the first `size` bytes of a def, as the caller's headers have it: see
/// gyre_poisson_default_def(). For bindings; create refuses a def of another size than the
/// library's. Any thread.
GYRE_API void gyre_poisson_fill_def(gyre_poisson_def *def, size_t size, int dim);
/// A def with shut sides and the solver's defaults on 64^dim cells.
static inline gyre_poisson_def gyre_poisson_default_def(int dim)
{
    gyre_poisson_def def;
    gyre_poisson_fill_def(&def, sizeof def, dim);
    return def;
}

/// Makes a system. GYRE_ERROR_ARGUMENT: a bad def, or a solver that cannot take this system; the
/// message says why and names one that can.
GYRE_API gyre_result gyre_poisson_create(gyre_device *device, const gyre_poisson_def *def,
                                         gyre_poisson **poisson);
/// NULL is allowed.
GYRE_API void gyre_poisson_destroy(gyre_poisson *poisson);

/// Changes the shift: finite, >= 0.
GYRE_API gyre_result gyre_poisson_set_shift(gyre_poisson *poisson, float shift);

/// Hands over the right-hand side: one float per cell, x fastest. NaN and infinity count as 0.
GYRE_API void gyre_poisson_set_b(gyre_poisson *poisson, const float *b);
/// Hands over where to start from (0 when it was never called).
GYRE_API void gyre_poisson_set_x(gyre_poisson *poisson, const float *x);

/// Solves. Where no open side holds a region (and shift is 0), the mean of b over it is taken off,
/// and x is one of the solutions, each region with a constant of its own. `stats` may be NULL.
/// `from_zero`: start from 0, whatever x holds.
GYRE_API gyre_result gyre_poisson_solve(gyre_poisson *poisson, bool from_zero,
                                        gyre_poisson_stats *stats);

/// The answer, x fastest; `low` (may be NULL) is what refine knows beyond it: x + low, else 0.
GYRE_API void gyre_poisson_get_x(const gyre_poisson *poisson, float *x, float *low);

/// The relative residuals after each cycle of the last solve, the first ones; returns how many.
/// red_black, gauss_seidel and jacobi measure after each of the first eight sweeps, every eighth
/// and the last; between, the one before is repeated.
GYRE_API int gyre_poisson_history(const gyre_poisson *poisson, const double **residuals);

#ifdef __cplusplus
}
#endif
#endif
