// ops/args.h: the arguments of every op. Plain structs of at most 128 bytes: the arena's 64-bit
// base, 32-bit offsets in units of 64 bytes (to sample (0, 0, 0) of a field), ints and floats:
// small enough for a push constant. Members are ordered so that C and GLSL lay them out alike.
#ifndef GY_ARGS_H
#define GY_ARGS_H

#include "base/base.h"

/// The extent of a field: see grid/layout.h. Strides in samples.
typedef struct gy_extent {
    int32_t n[3];
    int32_t sy, sz;
    int32_t dim;
    int32_t halves; // 1: samples of scalars are IEEE binary16, which twins alone know, and of
                    // listed fields those whose entry says so; 0: all are floats, as those of
                    // velocities and what belongs to them always are
} gy_extent;

/// What the two ends of an axis do to a field's samples beyond its own.
typedef enum gy_edge_rule {
    GY_EDGE_COPY,   ///< the nearest sample
    GY_EDGE_VALUE,  ///< a value
    GY_EDGE_MIRROR, ///< 2 value - nearest: a wall with that velocity half a cell away
    GY_EDGE_FACE,   ///< the boundary sample itself (of a face field on its own axis) has the value
    GY_EDGE_WRAP,   ///< the other end
    GY_EDGE_INWARD  ///< of a displacement across its end: the nearest one, turned inwards, so that
                    ///< the mean of both, which the boundary face takes, never leads outside
} gy_edge_rule;

/// The two ends of one axis for one field. `samples` is n, or n + 1 where the boundary face is
/// live.
typedef struct gy_edge {
    int32_t rule[2];
    float value[2];
    int32_t samples;
} gy_edge;

/// A field in a list of them: what it is carried from and by way of, and what lies beyond its ends
/// along each axis, which also says how many samples are its own.
typedef struct gy_field {
    uint32_t old;     // what it is carried from
    uint32_t hat;     // what advect makes of that
    uint32_t now;     // its samples, from old and hat; the same as hat where that is all
    int32_t location; // gyre_location: cell centre or face
    int32_t halves;   // 1: samples are binary16; the extent must say so, too
    gy_edge edge[3];
} gy_field;

/// Floats of a box of halo along x where it goes over the ends of rows.
enum { GY_HALO_ROW = 64 };

/// halo: fills the halo of fields along one axis. Box: along y the fields, each with `rows`; axis
/// 0: (GY_HALO_ROW, (n1+1) count, n2+1), 1: (sy, count, n2+1), 2: (sy, (n1+2) count, 1).
typedef struct gy_halo_args {
    uint64_t base;
    uint32_t fields; // -> gy_field
    int32_t first;   // of those
    int32_t rows;
    int32_t hat; // 1: their hats
    int32_t axis;
    gy_extent extent;
} gy_halo_args;

/// fill: sets rows of a field, halo included, to a value.
typedef struct gy_fill_args {
    uint64_t base;
    uint32_t field;
    float value;
    gy_extent extent;
} gy_fill_args;

/// blend: to = by x + also y, halos included, for up to three fields alike: velocities in time,
/// what weight and warmth pull together. Box: (n0, n1 + 2, n2 + 2), in 2D one plane.
typedef struct gy_blend_args {
    uint64_t base;
    uint32_t to[3], x[3], y[3]; // y: 0: there is none
    int32_t count;
    float by, also;
    uint32_t energy;  // -> gy_energy: its factor times `by`; 0: 1
    gy_extent extent; // its halves: those of x and y; `to` are floats
} gy_blend_args;

/// widen: the own samples of a field into another, which is floats whatever the first one is.
typedef struct gy_widen_args {
    uint64_t base;
    uint32_t from, to;
    gy_extent extent; // of the first one
} gy_widen_args;

/// Blocks further than this from any solid need no clipping while displacements stay below it.
enum { GY_NEAR = 3 };

/// trace: displacement over one step at cell centres by the second-order midpoint rule, in cells.
typedef struct gy_trace_args {
    uint64_t base;
    uint32_t velocity[3];
    uint32_t back[3];    // -> displacement to where the gas comes from
    uint32_t forward[3]; // -> displacement to where it goes
    uint32_t bounds;     // -> 12 floats per block: low, high of back; low, high of forward
    uint32_t near;       // per block: 1 where a solid is within GY_NEAR cells; offset 0: no solids
    uint32_t level;      // -> gy_level with the openness of faces
    gy_extent extent;
    float scale;       // dt / h
    uint32_t periodic; // bit per axis
    uint32_t
        open_sides; // bits x low, x high, ...: paths may end a cell beyond the outermost centre
} gy_trace_args;

/// advect: the hats of fields: the old ones at the back-traced points (semi-Lagrangian).
/// correct: MacCormack's second half: hat + (old - hat traced back) / 2, limited to the samples
/// round the back-traced point. Box: of the samples of all of them. With a `flow`, fields are
/// velocities that keep their energy: see ops/advect.c.
typedef struct gy_advect_args {
    uint64_t base;
    uint32_t fields; // -> gy_field
    int32_t first, count;
    uint32_t back[3];
    uint32_t forward[3];
    uint32_t bounds;
    gy_extent extent;
    uint32_t periodic;
    uint32_t flow[3];    // velocities that stretch them; 0: MacCormack alone, nothing of the below
    uint32_t open_sides; // as in gy_trace_args: what comes from beyond is at rest
    uint32_t level;      // -> gy_level with the openness of faces
    uint32_t partial;    // correct: -> per task: 4 doubles: sum of squares, see ops/energy.h
    float scale;         // dt / h
} gy_advect_args;

/// The most substeps of transport within one of the gas.
enum { GY_MOST_SUBSTEPS = 64 };

/// What the share of a step has led to, for remap and for gates.
typedef struct gy_carriage {
    float share;   // the largest part of itself that a cell would give in one sweep over the step
    float scale;   // dt / h of a substep
    int32_t count; // of substeps
    int32_t spare[13];
    uint32_t skip[GY_MOST_SUBSTEPS]; // gates: 1 from `count` on
} gy_carriage;

/// What is known of the total of a scalar, in sums of samples over cells that hold gas.
typedef struct gy_ledger {
    double error;   // what rounding has won
    double left;    // what has left through open sides
    double emitted; // by emitters
    double added;   // by sources
    double faded;
    double edited; // by windows written
    double total;  // after the last sweep
    float factor;  // that the next last sweep puts the error right by
    int32_t spare;
} gy_ledger;

/// share: the largest part of itself that any cell would give in one sweep of remap, whichever way
/// round the sweeps go.
typedef struct gy_share_args {
    uint64_t base;
    uint32_t wind[3];
    uint32_t level;   // -> gy_level; 0: every face inside is whole
    uint32_t partial; // -> per task: 4 doubles: the share
    gy_extent extent;
    float scale;         // dt / h
    uint32_t periodic;   // bit per axis
    uint32_t open_sides; // bits x low, x high, ...
} gy_share_args;

/// remap: one sweep of the conservative transport along `axis`, see ops/remap.c. Box: along x;
/// along the axis, or y where that is x; along the other one.
typedef struct gy_remap_args {
    uint64_t base;
    uint64_t swelling; // float *: a field that takes up the volume left over; 0: none
    uint32_t fields;   // -> gy_field: old, hat and now are the places that a sweep goes from and to
    int32_t first, count;
    uint32_t wind[3];
    uint32_t level;    // as of share
    uint32_t carriage; // -> gy_carriage
    uint32_t ledgers;  // -> gy_ledger, of the first field
    uint32_t partial;  // -> per task and field: 2 doubles: the sum before the first sweep or after
                       // the last; what has left through open sides
    gy_extent extent;
    int32_t axis, from, to; // 0: old, 1: hat, 2: now
    int32_t place;          // 0: the first sweep, dim - 1: the last
    int32_t turned;         // 1: sweeps go z, y, x
    uint32_t periodic, open_sides;
    float limit; // what samples are cut to
} gy_remap_args;

/// What tally makes of partial sums.
typedef enum gy_tally_kind {
    GY_TALLY_SHARE,  ///< share: the carriage
    GY_TALLY_SWEEPS, ///< remap of a substep: the ledgers
    GY_TALLY_ADD     ///< a number of 4 per task: added to a number of a ledger
} gy_tally_kind;

/// tally: adds up what ops have left per task, in order.
typedef struct gy_tally_args {
    uint64_t base;
    uint32_t carriage, ledgers;
    uint32_t partial[3]; // SWEEPS: in the order of sweeps; else the first alone
    int32_t tasks[3];
    int32_t kind;   // gy_tally_kind
    int32_t count;  // SWEEPS: of fields
    int32_t sweeps; // SWEEPS
    int32_t most;   // SHARE: substeps
    int32_t member; // ADD: which of the ledger's doubles
    int32_t spare;
    double scale; // SHARE: dt / h; ADD: of the sum
} gy_tally_args;

/// decay: field *= factor.
typedef struct gy_decay_args {
    uint64_t base;
    uint32_t field;
    float factor;
    gy_extent extent;
    uint32_t level;   // as of share
    uint32_t partial; // -> per task: 4 doubles: what cells that hold gas have won; 0: not asked
} gy_decay_args;

/// buoyancy: velocity of one axis += heat * temperature + weight * density at the face, cut to
/// +-cap.
typedef struct gy_buoyancy_args {
    uint64_t base;
    uint32_t velocity;
    uint32_t temperature;
    uint32_t density;
    uint32_t count; // -> one float per task: velocities cut
    gy_extent extent;
    int32_t axis;
    float heat, weight, cap;
    gy_edge edge;
} gy_buoyancy_args;

/// emit: adds to, or holds, a field inside a shape.
typedef struct gy_emit_args {
    uint64_t base;
    uint64_t shape;  // const gy_solid *
    uint64_t volume; // const float *: the array of a shape that is one, else 0; shape's own pointer
                     // is the host's
    uint32_t field;
    int32_t location; // gyre_location
    gy_extent extent;
    float origin[3];
    float h;
    float amount; // already times dt in rate mode
    int32_t hold; // 1: field is moved to amount by the covered fraction
    float noise;
    float noise_size; // metres of the noise's lattice
    uint32_t seed;
    float limit;
    float phase;    // of the noise in time, in lattice steps
    uint32_t level; // -> gy_level: samples inside solids are left out
} gy_emit_args;

/// source: field += dt * rate (a caller's dense array, x fastest), non-finite counted as 0.
typedef struct gy_source_args {
    uint64_t base;
    uint64_t rate; // const float *
    uint32_t field;
    int32_t samples[2]; // of the dense array along x and y
    float dt, limit;
    gy_extent extent;
    int32_t location; // gyre_location
    uint32_t level;   // -> gy_level: samples inside solids are left out
} gy_source_args;

/// blob: field += amount * (1 - (r / radius)^2)^2.
typedef struct gy_blob_args {
    uint64_t base;
    uint32_t field;
    int32_t location; // gyre_location
    gy_extent extent;
    float centre[3]; // in cells from sample (0, 0, 0)
    float radius;    // in cells
    float amount, limit;
    uint32_t level; // -> gy_level: samples inside solids are left out
} gy_blob_args;

/// extend: samples inside solids take the mean of neighbours in the fluid. The list holds two
/// uint32 per item: the sample's offset in floats from (0, 0, 0) (as int32) and a mask of
/// neighbours -x +x -y +y -z +z (an empty mask sets 0).
typedef struct gy_extend_args {
    uint64_t base;
    uint64_t list; // const uint32_t *
    uint32_t field;
    gy_extent extent;
} gy_extend_args;

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
    uint64_t extras;     // const gy_extras *: unknowns beside those of the grid, or 0
    uint64_t lists;      // the same by the address that ops know it by: see gy_device_address
    uint32_t whole;      // 1: every face inside is open whole: there are no solids. For bodies in C
    uint32_t reserved;
} gy_level;

/// Bytes from one gy_level of a hierarchy to the next, coarser one, in units of 64.
enum { GY_LEVEL_STEP = 2 };

/// divergence: b of the finest level = -(sum of openness * velocity), and the sum of its squares.
typedef struct gy_divergence_args {
    uint64_t base;
    uint64_t swelling; // const float *: a field of volumes that are to flow out; 0: none
    uint32_t velocity[3];
    uint32_t level;   // -> gy_level in the arena
    uint32_t partial; // -> per task: 4 doubles: sum of squares, largest
    gy_extent extent;
    int32_t write;  // 0: measure only
    int32_t energy; // 1: partial[2] = sum of the velocities' squares, see ops/energy.h
    float let;      // what of the swelling counts
} gy_divergence_args;

/// gradient: velocity -= difference of x; shut faces become 0; cut to +-cap.
typedef struct gy_gradient_args {
    uint64_t base;
    uint32_t velocity[3];
    uint32_t level;
    uint32_t partial; // -> per task: 4 doubles: largest speed, velocities cut
    gy_extent extent;
    float cap;
    gy_edge edge[3];
    uint32_t low; // what is to be added to x, like it; 0: nothing
} gy_gradient_args;

/// kick: what a step carries: to = velocity - amount * difference of lag + pull * force at the
/// face; shut faces become 0; cut to +-cap.
typedef struct gy_kick_args {
    uint64_t base;
    uint32_t fields; // -> gy_field: the velocities', for what lies beyond their ends
    uint32_t velocity[3], to[3];
    uint32_t level;
    uint32_t lag;     // a vector like x of the level
    uint32_t force;   // a centred field with halos; 0: none
    uint32_t partial; // -> per task: 4 doubles: sums of squares of the velocities, of those without
                      // the force, of `to`; see ops/energy.h
    gy_extent extent;
    float amount;
    float pull[3];
    float cap;
} gy_kick_args;

/// measure: over cells with fluid: sum of a field and of its squares, in double.
typedef struct gy_measure_args {
    uint64_t base;
    uint32_t field;
    uint32_t level;   // -> gy_level: cells with every face shut are left out
    uint32_t partial; // -> per task: 4 doubles: sum, sum of squares, largest magnitude
    gy_extent extent;
} gy_measure_args;

/// mend: makes a field's sum again what it was, see ops/measure.c.
typedef struct gy_mend_args {
    uint64_t base;
    uint32_t field;
    uint32_t level;
    uint32_t before; // -> what measure has left of the field as it was,
    uint32_t after;  // and as it is
    int32_t tasks;   // in so many pieces
    gy_extent extent;
} gy_mend_args;

/// derive: a field computed from others for viewing. kind 0: divergence; 1: vorticity (its
/// z component in 2D, its magnitude in 3D).
typedef struct gy_derive_args {
    uint64_t base;
    uint32_t velocity[3];
    uint32_t target;
    uint32_t level;
    gy_extent extent;
    int32_t kind;
    float scale;
} gy_derive_args;

/// split: a field q into x and, times scale, into b; again, with blend: scale (q + blend (x - q))
/// into b alone. merge: x back into the field; with blend q + blend (x - q); with `add`
/// q + blend b. Walls go into b each time.
typedef struct gy_split_args {
    uint64_t base;
    uint32_t field;
    uint32_t level;
    gy_extent extent;
    float scale;
    float blend;
    float wall[6]; // velocity of the walls at the six sides, added to b where the coefficient there
                   // is not 0
    gy_edge edge;  // merge: along x
    float limit;   // merge: what the field is cut to
    int32_t axis;  // of a velocity: its own axis
    uint32_t ends; // bits low, high: its faces on open sides, see ops/diffuse.c
    int32_t add;   // merge only
} gy_split_args;

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
/// the other steps of a cycle; cycle, extras_cycle: the rest of one; `level` and `coarse` point at
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
    int32_t first;   // direct: x counts as 0
    uint32_t course; // -> gy_course: its factor and mean in place of those; 0: those
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

/// extras_relax, extras_restrict, extras_save, extras_put: a cycle's steps for unknowns beside
/// those of the grid, see ops/extra.h. Boxes: ranges of the list's rows, targets, moves and moves.
/// (extras_cycle: as cycle.)
typedef struct gy_extras_args {
    uint64_t base;
    uint32_t level;
    uint32_t coarse; // restrict and save only
    int32_t zero;    // relax only: the other colour counts as 0
} gy_extras_args;

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

/// What judge makes of partial sums.
typedef enum gy_judge_kind {
    GY_JUDGE_GIVEN,    ///< the system's b: its sum of squares, times scale twice, plus add
    GY_JUDGE_MEANS,    ///< balance: what is to be taken off, and whether it is worth it
    GY_JUDGE_SQUARES,  ///< dot of b with itself after lower
    GY_JUDGE_RESIDUAL, ///< residual: ends a cycle
    GY_JUDGE_SPEED,    ///< gradient: the largest speed, and velocities cut
    GY_JUDGE_COUNT,    ///< buoyancy: velocities cut
    // Of a gy_energy:
    GY_JUDGE_PACE, ///< nothing: whether the report at `partial` tells of a Courant number above 1
    GY_JUDGE_TAME, ///< kick that only measures: how much of the lagged pressure counts
    GY_JUDGE_KICK, ///< kick: a step begins; `first`: nothing is known of the one before
    GY_JUDGE_CARRIED, ///< correct: one field more; `first`, `last` of them. Or divergence: all
    GY_JUDGE_ARRIVED, ///< divergence: after forces and sources; `first`: before, `last`: after
                      ///< pushes
} gy_judge_kind;

/// judge: adds up what an op has left per task, in order, and notes in a report what follows.
typedef struct gy_judge_args {
    uint64_t base;
    uint32_t report;  // -> gy_report
    uint32_t partial; // -> per task: 4 doubles; COUNT: one float
    int32_t tasks;
    int32_t kind;        // gy_judge_kind
    int32_t which;       // GIVEN, CARRIED: of the 4
    int32_t first, last; // RESIDUAL: of the colours
    int32_t balances;    // GIVEN: MEANS follows
    double scale, add;   // GIVEN
    double cells;        // MEANS: of the grid
    double free;         // MEANS: cells that share a constant which nothing holds; 0: none
    double goal;         // RESIDUAL: square of the tolerance
    double time;         // KICK: s, of the model
    float pace;          // PACE: dt / h
    int32_t reserved;
} gy_judge_args;

/// What a solve by conjugate gradients, or refinement round another solver, hands on from op to op;
/// see ops/course.c.
typedef struct gy_course {
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
    uint32_t stuck; // there is no step to be taken
    uint32_t keeps; // r stays as descend has left it; a round goes on
    uint32_t told;  // the report's `left` is of the answer
} gy_course;

/// The energy of a gas on its way through a step, as sums of squares of velocity; see gas/flow.c.
/// judge makes it, or the host where it is near.
typedef struct gy_energy {
    gy_course lag;     // its factor: how much of the lagged pressure counts
    double kinetic;    // as the last step began
    double begun;      // and with what the lagged pressure may give back
    double given;      // with this step's forces: what carrying must not exceed
    double carried;    // what it made of that
    double work;       // done on the gas by forces, sources and walls since it began
    double first_gain; // s, when energy first rose without work
    int32_t governed;  // steps in which carrying was held back
    int32_t gained;    // steps whose energy rose without work
    float factor;      // that held it back
    uint32_t calm;     // gates: there was nothing to hold back
    uint32_t slow;     // gates: the Courant number is at most 1
    uint32_t reserved;
} gy_energy;

/// What a course op follows.
typedef enum gy_course_kind {
    GY_COURSE_START, ///< nothing: begins with r = b
    GY_COURSE_MEAN,  ///< mask: what is to be taken off r
    GY_COURSE_LEFT,  ///< r made at the start, or means taken off it: begins with that
    GY_COURSE_TURN,  ///< dots: the next direction
    GY_COURSE_AIM,   ///< apply: how far to go
    GY_COURSE_STEP,  ///< descend: ends a step
    GY_COURSE_RENEW, ///< r made anew, or means taken off it; dot: d.r
    GY_COURSE_CYCLE, ///< residual: a cycle of a round of refinement
    GY_COURSE_ROUND  ///< r made anew: ends a round
} gy_course_kind;

/// course: adds up what an op has left per task, in order, and notes what follows for the rest of
/// the solve.
typedef struct gy_course_args {
    uint64_t base;
    uint32_t report; // -> gy_report: of the solve
    uint32_t course; // -> gy_course
    uint32_t rest;   // -> gy_report, in which r stands for b while means are taken off it
    uint32_t partial;
    int32_t tasks;
    int32_t kind; // gy_course_kind
    int32_t most_steps;
    int32_t first;    // TURN: no direction yet; CYCLE: of the colours
    int32_t floats;   // AIM: nothing holds the unknowns
    int32_t pair;     // the answer is a pair: r is made anew on the way
    int32_t balances; // r's means are taken off by regions
    int32_t last;     // RENEW: no step follows; CYCLE: of the colours
    double goal;      // square of the tolerance
    double most;      // r.r may rise by this
} gy_course_args;

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
/// amount, and, as judge does of balance alone, what follows for the report.
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

/// viscous: coefficients of the system for one velocity component on its faces, from the openness
/// of the pressure's level. Box: n + 1 along each axis.
typedef struct gy_viscous_args {
    uint64_t base;
    uint32_t pressure; // -> gy_level
    uint32_t level;    // -> gy_level to fill
    int32_t axis;
    uint32_t stick; // bits x low, x high, ...: sides that the gas sticks to; bit 6: solids
} gy_viscous_args;

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

/// water_shallow, water_measure: see ops/water.h. Box: a range of the job's list of tiles.
typedef struct gy_water_args {
    uint64_t job; // const gy_water_job *
} gy_water_args;

/// water_wave, water_slope: a step of linear waves on tiles; volume that moves down slopes that are
/// too steep. Box: a range of the list. The bodies in C follow `job` and nothing else; the twins,
/// which cannot, have the same in what stands beside it, as far as linear waves go.
typedef struct gy_wave_args {
    uint64_t memory;   // of the tiles, see ops/tiles.h
    uint64_t list;     // int32_t: slots to step
    uint64_t slot;     // int32_t, of a tile, or -1
    uint64_t tile;     // int32_t, of a slot
    uint64_t stepping; // uint8_t, of a slot: whether it is in the list
    uint64_t current;  // uint8_t, of a slot: which copy of the state is the newer one ...
    uint64_t change;   // -> float, of a slot: how much heights have changed; where `watched`
    uint64_t job;      // const gy_water_job *, the host's
    int32_t n[2];      // cells of the domain
    int32_t tn[2];     // tiles
    int32_t slot_bytes, array_step;
    uint32_t turned;   // ... less this, exclusive or
    uint32_t periodic; // bit per axis
    uint32_t watched;
    float pull, share, keep, limit, quantum, most; // as of a gy_water_job
} gy_wave_args;

/// What water_gather makes of a slot's arrays.
typedef enum gy_gather_kind {
    GY_GATHER_STATE,  // the array of the newer state
    GY_GATHER_ARRAY,  // the array itself
    GY_GATHER_SURFACE // of linear waves: what is higher, the water or the bed
} gy_gather_kind;

/// water_gather: a field of water, every tile of which has a slot, as one array of n[0] x n[1]
/// floats. Box: its cells.
typedef struct gy_gather_args {
    uint64_t memory, slot, current; // as of gy_wave_args
    uint64_t to;                    // -> float
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    int32_t kind; // gy_gather_kind
    int32_t array;
    float level; // m
} gy_gather_args;

/// water_weather: rain and evaporation, likewise.
typedef struct gy_weather_args {
    uint64_t memory, list, tile, current; // as of gy_wave_args
    uint64_t sums;                        // -> 2 doubles, of a slot: what came, what went
    uint64_t job;
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    uint32_t turned;
    float rain, evaporation; // m
} gy_weather_args;

#endif
