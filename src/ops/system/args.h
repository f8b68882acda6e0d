// ops/system/args.h: arguments of the ops that solve linear systems; see ops/row/args.h for what
// they are made of.
#ifndef GY_SYSTEM_ARGS_H
#define GY_SYSTEM_ARGS_H

#include "ops/row/args.h"

/// A level of the pressure or diffusion system: see solve/level.h. Each array is stored as two
/// colours, the second `colour_step` elements after the first; offsets point at slot (0, 0, 0) of
/// colour 0.
typedef struct gy_level {
    uint32_t x, b;    // unknown and right-hand side, float
    uint32_t open[3]; // coefficients of low faces, uint16_t, 16384 = 1
    uint32_t pin;     // uint16_t: cells whose unknown is held at 0; offset 0: none
    uint32_t flags; // per group of 16 slots: 1 where every coefficient in reach is 1 and nothing is
                    // pinned
    int32_t n[3];
    int32_t sy, sz; // slots from row to row, plane to plane
    int32_t colour_step;
    int32_t dim;
    uint32_t periodic;   // bit per axis
    float scale[3];      // of the coefficients per axis
    float last[3];       // above 0: the last cell, odd one out, shares the coarse cell of the pair
                         // before it, by this part; 0: it has one of its own
    float shift;         // added to the diagonal
    uint32_t open_sides; // bits x low, x high, y low ...: pressure is 0 half a cell outside
    uint64_t extras;     // const gy_extra_unknowns *: unknowns beside those of the grid, or 0
    uint64_t lists;      // the same by the address that ops know it by: see gy_device_address
    uint32_t whole;      // 1: every face inside is open whole: there are no solids. For bodies in C
    uint32_t reserved;
} gy_level;

/// Bytes from one gy_level of a hierarchy to the next, coarser one, in units of 64.
enum { GY_LEVEL_STEP = 2 };

/// The shape of a multigrid cycle: whether a coarser level is visited once, or again by the same
/// shape, or again by a V, or, among the levels that are one op, by two steps of conjugate
/// gradients over the same shape.
enum { GY_SHAPE_V, GY_SHAPE_W, GY_SHAPE_F, GY_SHAPE_K };

/// What the second visit is.
GY_INLINE int gy_shape_again(int shape)
{
    return shape == GY_SHAPE_F ? GY_SHAPE_V : shape;
}

/// relax: one half-sweep of red-black Gauss-Seidel. residual, restrict, prolong, interpolate, wrap:
/// the other steps of a cycle; cycle, extra_cycle: the rest of one; `level` and `coarse` point at
/// gy_level structs in the arena.
typedef struct gy_relax_args {
    uint64_t base;
    uint32_t level;
    uint32_t coarse;
    uint32_t partial;
    int32_t colour;
    int32_t kind;   // relax only: gy_relax_kind
    float omega;    // relax only: 1 with GY_RELAX_FIRST
    int32_t zero;   // clear: the cells too; cycle: from x = 0
    int32_t axis;   // wrap only
    uint32_t x;     // wrap, clear, residual: this vector, like x of the level, in its place; 0: x
    int32_t levels; // cycle only: how many lie below, this one included
    int32_t sweeps;
    int32_t shape; // cycle only
    int32_t both;  // restrict only: black has a residual, too
} gy_relax_args;

/// Sweeps that take x to x + omega (y - x), y what solves a cell's own equation. sor: the cells of
/// one colour, in place. jacobi: all of them, from one vector to another. gauss_seidel: all of
/// them, in place, one after the other, x fastest.
typedef struct gy_sweep_args {
    uint64_t base;
    uint32_t level;
    uint32_t from, to; // jacobi only: vectors like x of the level; 0: x itself
    int32_t colour;    // sor only
    float omega;
} gy_sweep_args;

/// Rows and columns of a tile of a band.
enum { GY_MATRIX_TILE = 32 };

/// The factors of a direct solver, in the host's memory; see ops/factor.c.
typedef struct gy_factor_args {
    uint64_t matrix;  // double *: tiles of a band, or the rows of a whole matrix
    uint64_t inverse; // double *: per unknown: its pivot's inverse; before factoring its smallest
                      // pivot (below that it counts as 0)
    uint64_t vector;  // double *: solve_band: b, and then x; factor_band: scratch for `reach` tiles
    uint64_t order;   // int32_t *: factor_dense: where each row came from
    int32_t unknowns; // of a band: a multiple of a tile's edge
    int32_t reach;    // of a band: how many tiles lie below one on the diagonal
} gy_factor_args;

/// dot: the sum of the products of two vectors like x of a level.
typedef struct gy_dot_args {
    uint64_t base;
    uint32_t level;
    uint32_t x, y;
    uint32_t partial; // -> per task: 4 doubles: the sum
} gy_dot_args;

/// Steps of conjugate gradients and of refinement on vectors like x of a level, each one's offset
/// given.
///   mask:    x -= mean, and 0 where there is no unknown
///   apply:   y = A x, or y = z - A x
///   direct:  x = y + factor x
///   descend: x += factor y, z -= factor (w - mean)
///   dots:    x.y and x.z
///   refine:  y = z - A (x + low) in double
typedef struct gy_vector_args {
    uint64_t base;
    uint32_t level;
    uint32_t x, y, z, w;
    uint32_t low;     // descend, refine: x + low is one number; descend: 0: x is all
    uint32_t partial; // -> per task: 4 doubles: see each op
    float factor, mean;
    int32_t first; // direct: x counts as 0
    uint32_t cg;   // -> gy_cg_state: its factor and mean in place of those; 0: those
} gy_vector_args;

/// coarsen: coefficients across one axis of a coarse level, from the finer one: the sum of the fine
/// faces times a factor for the ratio of distances: inner faces, the first, the last but one, the
/// last. `held` above 0: the last coarse face stands for both faces of the last fine cell, and
/// `inner` and `held` are the distances from that cell's centre to the one before it and to where
/// x is 0.
typedef struct gy_coarsen_args {
    uint64_t base;
    uint32_t level;
    uint32_t coarse;
    int32_t axis;
    float factor[4];
    float inner, held;
} gy_coarsen_args;

/// extra_relax, extra_restrict, extra_save, extra_put: a cycle's steps for unknowns beside
/// those of the grid, see ops/extra.h. Boxes: ranges of the list's rows, targets, moves and moves.
/// (extra_cycle: as cycle.)
typedef struct gy_extra_args {
    uint64_t base;
    uint32_t level;
    uint32_t coarse; // restrict and save only
    int32_t zero;    // relax only: the other colour counts as 0
} gy_extra_args;

/// balance: over cells with an open face sums b, its squares and the cells; b of others becomes 0.
/// lower: takes an amount off b of the former.
typedef struct gy_balance_args {
    uint64_t base;
    uint32_t level;
    uint32_t vector;  // like x of the level: what is meant by b
    uint32_t partial; // balance only: -> per task: 4 doubles: sum, squares; squares of the others
    float amount;     // lower only
    uint32_t report;  // lower only: -> gy_report: its amount in place of that one; 0: that one
} gy_balance_args;

/// What ops leave for later ops, for gates (see gy_device_gate) and for the host, which fetches it
/// when somebody asks.
typedef struct gy_report {
    // Of a linear system.
    double given;      // sum of squares of b as it came
    double reference;  // and with the means taken off
    double left;       // sum of squares of the residual
    double capped;     // numbers cut, counted on
    float speed;       // largest component of velocity
    float amount;      // for lower
    int32_t cycles;    // counted on
    uint32_t done;     // gates: nothing is left to be solved
    uint32_t idle;     // there was nothing to be solved: b is 0
    uint32_t busy;     // there was
    uint32_t balanced; // no mean is left in b that were worth taking off
    uint32_t steady;   // b keeps the mean it has
} gy_report;

/// What decide makes of partial sums.
typedef enum gy_decide_kind {
    GY_DECIDE_GIVEN,    ///< the system's b: its sum of squares, times scale twice, plus add
    GY_DECIDE_MEANS,    ///< balance: what is to be taken off, and whether it is worth it
    GY_DECIDE_SQUARES,  ///< dot of b with itself after lower
    GY_DECIDE_RESIDUAL, ///< residual: ends a cycle
    GY_DECIDE_SPEED,    ///< gradient: the largest speed, and velocities cut
    GY_DECIDE_COUNT,    ///< buoyancy: velocities cut
} gy_decide_kind;

/// decide: adds up what an op has left per task, in order, and notes in a report what follows.
typedef struct gy_decide_args {
    uint64_t base;
    uint32_t report;  // -> gy_report
    uint32_t partial; // -> per task: 4 doubles; COUNT: one float
    int32_t tasks;
    int32_t kind;        // gy_decide_kind
    int32_t which;       // GIVEN: of the 4
    int32_t first, last; // RESIDUAL: of the colours
    int32_t balances;    // GIVEN: MEANS follows
    double scale, add;   // GIVEN
    double cells;        // MEANS: of the grid
    double free;         // MEANS: cells that share a constant which nothing holds; 0: none
    double goal;         // RESIDUAL: square of the tolerance
} gy_decide_args;

/// What a solve by conjugate gradients, or refinement round another solver, hands on from op to op;
/// see ops/system/cg.c.
typedef struct gy_cg_state {
    double best, anew;  // r.r: the least since r was made anew, and then
    double dq, dr;      // d.q; d.r: 0, but for rounding, until r is made anew
    double sum_r;       // of r over cells
    double close;       // a round of refinement stops at this sum of squares
    float factor, mean; // for direct, descend and mask
    int32_t steps;
    uint32_t moves; // more steps are worth it
    // Of refinement: cycles of this round, and at most; of the next; rounds that led nowhere.
    int32_t took, used, most, stays;
    // Gates.
    uint32_t stuck;    // there is no step to be taken
    uint32_t keeps;    // r stays as descend has left it; a round goes on
    uint32_t reported; // the report's `left` is of the answer
} gy_cg_state;

/// What decide_cg follows.
typedef enum gy_cg_kind {
    GY_CG_START, ///< nothing: begins with r = b
    GY_CG_MEAN,  ///< mask: what is to be taken off r
    GY_CG_LEFT,  ///< r made at the start, or means taken off it: begins with that
    GY_CG_BETA,  ///< dots: the next direction
    GY_CG_ALPHA, ///< apply: how far to go
    GY_CG_STEP,  ///< descend: ends a step
    GY_CG_RENEW, ///< r made anew, or means taken off it; dot: d.r
    GY_CG_CYCLE, ///< residual: a cycle of a round of refinement
    GY_CG_ROUND  ///< r made anew: ends a round
} gy_cg_kind;

/// decide_cg: adds up what an op has left per task, in order, and notes what follows for the rest
/// of the solve.
typedef struct gy_cg_args {
    uint64_t base;
    uint32_t report; // -> gy_report: of the solve
    uint32_t cg;     // -> gy_cg_state
    uint32_t rest;   // -> gy_report, in which r stands for b while means are taken off it
    uint32_t partial;
    int32_t tasks;
    int32_t kind; // gy_cg_kind
    int32_t most_steps;
    int32_t first;    // BETA: no direction yet; CYCLE: of the colours
    int32_t floats;   // ALPHA: nothing holds the unknowns
    int32_t pair;     // the answer is a pair: r is made anew on the way
    int32_t balances; // r's means are taken off by regions
    int32_t last;     // RENEW: no step follows; CYCLE: of the colours
    double goal;      // square of the tolerance
    double most;      // r.r may rise by this
} gy_cg_args;

/// One stretch of the list of cells of a region.
typedef struct gy_region_part {
    uint32_t first, count; // places in the list
    float amount;          // to take off
    uint32_t region;
    double sum;
} gy_region_part;

/// A region: a stretch of the parts.
typedef struct gy_region {
    uint32_t first, parts;
    uint32_t cells;
    uint32_t held; // something holds it: it keeps its mean
    double sum;
} gy_region;

/// region_sum: sum of a vector over the cells of parts of regions. region_lower: takes each part's
/// amount off. Box: a range of parts. region_gather: sums of regions from those of their parts.
/// Box: a range of regions.
typedef struct gy_region_args {
    uint64_t base;
    uint64_t regions; // gather only: gy_region *
    uint64_t parts;   // gy_region_part *
    uint64_t cells;   // const uint32_t *: slots from the first of the vector's, its row -1, plane
                      // -1; gather: 0
    uint32_t level;
    uint32_t vector;
} gy_region_args;

/// Sums over many regions or parts are made in so many stretches, and those added up in order.
enum { GY_STRETCHES = 256 };

/// region_means: from what balance has left per task and from the sums of regions each part's
/// amount, and, as decide does of balance alone, what follows for the report.
typedef struct gy_means_args {
    uint64_t base;
    uint64_t regions; // const gy_region *
    uint64_t parts;   // gy_region_part *
    uint32_t report;  // -> gy_report
    uint32_t partial;
    int32_t tasks;
    int32_t region_count, part_count;
    double cells; // of the grid
    double free;  // of the region that is not listed, where nothing holds it, else 0
} gy_means_args;

/// flags: marks the groups of 16 slots that need no coefficients.
typedef struct gy_flags_args {
    uint64_t base;
    uint32_t level;
} gy_flags_args;

/// transform: along one axis, or along x and y plane by plane; see ops/transform.h. reduce: solves
/// along one axis by cyclic reduction. Box: (blocks of lines or planes, 1, 1).
typedef struct gy_transform_args {
    uint64_t base;
    uint64_t axes;    // const gy_fft_axis *, by axis
    uint64_t scratch; // gy_fft_scratch *
    uint32_t level;
    uint32_t from;  // vector like x of the level; the result goes to x
    int32_t way;    // see ops/transform.h
    int32_t axis;   // the one, where planes is 0
    int32_t planes; // 1: both x and y, plane by plane
    int32_t other;  // solve, reduce: the third axis beside x and this one, or -1
} gy_transform_args;

GY_FITS(gy_relax_args);
GY_FITS(gy_sweep_args);
GY_FITS(gy_factor_args);
GY_FITS(gy_dot_args);
GY_FITS(gy_vector_args);
GY_FITS(gy_coarsen_args);
GY_FITS(gy_extra_args);
GY_FITS(gy_balance_args);
GY_FITS(gy_decide_args);
GY_FITS(gy_cg_args);
GY_FITS(gy_region_args);
GY_FITS(gy_means_args);
GY_FITS(gy_flags_args);
GY_FITS(gy_transform_args);
_Static_assert(sizeof(gy_report) == 64, "a report does not fill its place");
_Static_assert(sizeof(gy_level) <= GY_LEVEL_STEP * 64, "a level does not fit its place");

#endif
