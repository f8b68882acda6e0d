// gas/ops/args.h: arguments of the ops of a gas; see ops/row/args.h for what they are made of.
#ifndef GY_GAS_ARGS_H
#define GY_GAS_ARGS_H

#include "gas/ops/energy_args.h"
#include "gas/ops/tracer_args.h"
#include "ops/system/args.h"

/// blend: to = by x + also y, halos included, for up to three fields alike: velocities in time,
/// what weight and warmth pull together. Box: (n0, n1 + 2, n2 + 2), in 2D one plane.
typedef struct gy_blend_args {
    uint64_t base;
    uint32_t to[3], x[3], y[3]; // y: 0: there is none
    int32_t count;
    float by, also;
    uint32_t energy;  // -> gy_energy: its factor times `by`; 0: 1
    uint32_t means;   // -> gy_means: what it adds; 0: nothing
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

/// Cells this far from any sheet, or further: paths that lead as far are made as if one was there.
enum { GY_FAR_AWAY = 32 };

/// In an extent's `halves`, of args with links that are not 0: twins know nothing of them without.
enum { GY_LINKED = 2 };

/// Which cells hang together near sheets, see gas/ops/link.h. Addresses are those that ops know
/// places by: see gy_device_address.
typedef struct gy_links {
    uint64_t link;  // uint32_t *, of each cell: bits of those round it
    uint64_t away;  // uint8_t *, of each cell: how far the nearest one is that lacks any of them
    uint64_t least; // uint8_t *, the least of those of a block of GY_BLOCK cells
    uint32_t slip;  // 1: the gas slides along sheets
    uint32_t spare;
} gy_links;

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
        open_sides; // bits x low, x high, ...: paths may end a cell beyond the outermost centre;
                    // bits from 8 on: those that are so through windows alone
    uint64_t links; // const gy_links *; 0: there are no sheets
} gy_trace_args;

/// advect: what is predicted of fields: the old ones at the back-traced points (semi-Lagrangian).
/// correct: MacCormack's second half: predicted + (old - predicted traced back) / 2, limited to the
/// samples round the back-traced point. compensate, deliver: the two of BFECC that follow an advect
/// that looks ahead; cubic: all of its scheme. Box: of the samples of all of them. With a `flow`,
/// fields are velocities that keep their energy: see ops/advect.c.
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
    int32_t ahead;       // advect: 1: into what is now, not into what is predicted
    uint64_t links;      // as in gy_trace_args
} gy_advect_args;

/// The most substeps of transport within one of the gas.
enum { GY_MOST_SUBSTEPS = 64 };

/// What the share of a step has led to, for remap and for gates.
typedef struct gy_carriage {
    float share;   // the largest part of itself that a cell would give in one sweep over the step
    float scale;   // dt / h of a substep
    int32_t count; // of substeps
    int32_t none;
    uint64_t plain; // uint8_t *, of groups of cells as flags are: see gas/plain.c; 0: not known
    int32_t spare[10];
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

/// What is given of the faces of a side, in planes of floats, one after the other: whether anything
/// is (1 or 0); of each component of velocity what the fields have, then what they will have; of
/// each scalar what comes in. Faces lie as their cells do, the first axis along the side fastest.
typedef struct gy_rim {
    uint32_t first;   // -> the first plane; 0: the side has none
    uint32_t step;    // from plane to plane, in units of 64 bytes
    uint32_t stick;   // 1: what is along the side is given, too, where something is
    uint32_t windows; // a plane with 1 where the side is open; 0: it is so nowhere. What is neither
                      // given nor open passes nothing
} gy_rim;

/// rim: what is given of velocities on a side, into the samples on it and beyond it.
typedef struct gy_rim_args {
    uint64_t base;
    uint32_t rims;   // -> gy_rim
    uint32_t fields; // -> gy_field
    int32_t first, count;
    int32_t predicted; // 1: what is predicted of them
    int32_t side;
    int32_t turn; // 1: what the fields will have is what they have from here on
    uint32_t periodic;
    gy_extent extent;
} gy_rim_args;

/// press: what a component of velocity feels of what is given on a side, into b of its system. Box
/// (of it and of rim, for twins; ops/rim.c goes over all): of the side's faces.
typedef struct gy_press_args {
    uint64_t base;
    uint32_t rims;
    int32_t side;
    uint32_t level; // -> gy_level
    int32_t axis;   // of the component
    int32_t next;   // 1: what the fields will have
    uint32_t periodic;
    gy_extent extent;
} gy_press_args;

/// came: adds up what came in of each scalar through the faces that are given, by a wind, over the
/// substeps of a carriage.
typedef struct gy_came_args {
    uint64_t base;
    uint32_t rims;
    uint32_t given; // sides
    uint32_t wind[3];
    uint32_t carriage; // -> gy_carriage
    uint32_t came;     // -> double of each scalar
    int32_t scalars;
    uint32_t periodic;
    gy_extent extent;
} gy_came_args;

/// A cell that sees a wall: its index; the faces (bits -x +x -y +y ...) by which it does; whose the
/// wall is, among gy_wall_owner; what of a cell's face the wall has in it all in all; and, where
/// the wall holds a scalar, the coefficients of its faces, those to other cells, too: 0: as it is.
typedef struct gy_wall {
    int32_t at[3];
    int32_t owner;
    uint32_t faces;
    float area;
    float open[6];
} gy_wall;

/// What a wall does to a scalar.
typedef struct gy_wall_owner {
    int32_t kind; // gy_wall_kind
    float amount;
} gy_wall_owner;
typedef enum gy_wall_kind { GY_WALL_SHUT, GY_WALL_HOLDS, GY_WALL_GIVES } gy_wall_kind;

/// What the op wall does.
typedef enum gy_wall_work {
    GY_WALL_OPEN,  ///< coefficients of faces at walls that hold
    GY_WALL_PRESS, ///< what those hold, into b
    GY_WALL_GIVE   ///< field += by * area * what is given
} gy_wall_work;

/// wall: walls that hold or give a scalar. Box: a range of walls, each of another cell.
typedef struct gy_wall_args {
    uint64_t base;
    uint64_t walls;  // const gy_wall *
    uint64_t owners; // const gy_wall_owner *
    uint32_t level;  // -> gy_level of the scalar's system; GIVE: not used
    uint32_t field;  // GIVE
    gy_extent extent;
    int32_t work; // gy_wall_work
    float by, limit;
    uint32_t periodic;
} gy_wall_args;

/// seal: coefficients of a scalar's system with walls that hold: those of the pressure's, cells
/// without gas being held. Box: (n0 + 1, n1 + 1, n2 + 1), in 2D one plane.
typedef struct gy_seal_args {
    uint64_t base;
    uint32_t pressure; // -> gy_level
    uint32_t level;    // -> gy_level
} gy_seal_args;

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
    uint32_t open_sides; // bits x low, x high, ...: what passes them counts
    uint32_t given;      // those of them whose velocities are given, and no openness counts
} gy_share_args;

/// dilate: what carrying adds to squares of velocities where the gas expands, see ops/dilate.c. The
/// members of share, and:
typedef struct gy_dilate_args {
    uint64_t base;
    uint32_t wind[3];
    uint32_t velocity[3]; // what is carried
    uint32_t level;
    uint32_t partial; // -> per task: 4 doubles: the sum
    gy_extent extent;
    float scale;
    uint32_t periodic;
    uint32_t open_sides;
    uint32_t given;
} gy_dilate_args;

/// remap: one sweep of the conservative transport along `axis`, see ops/remap.c. Box: along x;
/// along the axis, or y where that is x; along the other one.
typedef struct gy_remap_args {
    uint64_t base;
    uint64_t swelling; // float *: a field that takes up the volume left over; 0: none
    uint32_t
        fields; // -> gy_field: old, predicted and now are the places that a sweep goes from and to
    int32_t first, count;
    uint32_t wind[3];
    uint32_t level;    // as of share
    uint32_t carriage; // -> gy_carriage
    uint32_t ledgers;  // -> gy_ledger, of the first field
    uint32_t partial;  // -> per task and field: 2 doubles: the sum before the first sweep or after
                       // the last; what has left through open sides
    gy_extent extent;
    int32_t axis, from, to; // 0: old, 1: predicted, 2: now
    int32_t place;          // 0: the first sweep, dim - 1: the last
    int32_t turned;         // 1: sweeps go z, y, x
    uint32_t periodic, open_sides;
    float limit;    // what samples are cut to
    uint32_t given; // as of share
    uint32_t rims;  // -> gy_rim: what comes in; 0: nothing does
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
    int32_t which;  // ADD: of a task's four numbers
    double scale;   // SHARE: dt / h; ADD: of the sum
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

/// drive: velocity of one axis += gain * what a force is there - drag * velocity, as far as the
/// force's shape covers the face, cut to +-cap; see ops/drive.h.
typedef struct gy_drive_args {
    uint64_t base;
    uint64_t force; // const gy_force *
    uint64_t waves; // const float *: WAVES: cosines and sines along the axes; FIELD: what the force
                    // is at each face, laid out like the velocity; else 0
    uint64_t volume; // const float *: the array of a shape that is one, else 0; shape's own pointer
                     // is the host's
    uint32_t velocity;
    uint32_t level; // -> gy_level: shut faces are left out
    uint32_t count; // -> one float per task: velocities cut
    int32_t axis;
    gy_extent extent;
    float origin[3];
    float h;
    float gain, drag;
    float cap;
} gy_drive_args;

/// What one run of confine makes of the velocities.
typedef enum gy_confine_stage {
    GY_CONFINE_CURL, ///< vorticity on the edges of cells
    GY_CONFINE_SIZE, ///< its magnitude in cells
    GY_CONFINE_EVEN, ///< that spread along one axis
    GY_CONFINE_PUSH  ///< what it pushes faces with
} gy_confine_stage;

/// confine: vorticity confinement, see ops/confine.c. Box: (n0 + 1, n1 + 1, n2 + 1), in 2D one
/// plane, or rows of it.
typedef struct gy_confine_args {
    uint64_t base;
    uint64_t arrays; // float *: sample (0, 0, 0) of the first of 4 (in 3D 7): vorticity along z
                     // (x, y, z), its magnitude, the push along x, y (, z)
    uint64_t force;  // const gy_force *: PUSH: its shape
    uint64_t volume; // const float *: of a shape that is an array, where ops see it; 0: none
    uint32_t velocity[3];
    uint32_t level;  // -> gy_level
    uint32_t stride; // floats from one array to the next
    int32_t stage;   // gy_confine_stage
    gy_extent extent;
    float origin[3];
    float h;
    float part; // CURL: of the velocities after so many seconds of the push; EVEN: the share
    float rate; // PUSH: 1/s, what the vorticity is drawn together by, over a cell
    float even; // PUSH: a cell over the size of what is drawn together
    // EVEN: x + share ((x before - x) + (x behind - x)), so many cells away along an axis
    int32_t way;      // the axis, and four times how many cells
    int32_t from, to; // arrays
} gy_confine_args;

/// A frame made ready.
typedef struct gy_framing {
    float pull[3];      // m/s^2, against its acceleration
    float spin[3];      // 1/s
    float place[3];     // m, of the grid's corner from the centre
    float heat, weight; // 1/K, m^3/kg: more of the pull
} gy_framing;

/// What of it one run of frame makes.
typedef enum gy_frame_part {
    GY_FRAME_ALL,
    GY_FRAME_TURN, ///< spin is what has been added to it: a change of velocity
    GY_FRAME_STILL ///< what does not ask how the gas moves
} gy_frame_part;

/// frame: what a frame pushes faces with, see ops/frame.c. Box: (n0 + 1, n1 + 1, n2 + 1), in 2D one
/// plane.
typedef struct gy_frame_args {
    uint64_t base;
    uint64_t arrays; // float *: sample (0, 0, 0) of the first
    uint64_t frame;  // const gy_framing *
    uint32_t velocity[3];
    uint32_t density, temperature;
    uint32_t stride;  // floats from one array to the next
    int32_t to, from; // arrays, of each axis one
    gy_extent extent;
    float h;
    float ahead;  // of the velocities after so many seconds of `from`
    int32_t turn; // gy_frame_part
    uint32_t periodic;
    uint32_t level; // -> gy_level: shut faces are not pushed
} gy_frame_args;

/// splat: field += amount * (1 - (r / radius)^2)^2.
typedef struct gy_splat_args {
    uint64_t base;
    uint32_t field;
    int32_t location; // gyre_location
    gy_extent extent;
    float centre[3]; // in cells from sample (0, 0, 0)
    float radius;    // in cells
    float amount, limit;
    uint32_t level; // -> gy_level: samples inside solids are left out
} gy_splat_args;

/// extend: samples inside solids take the mean of neighbours in the fluid. The list holds two
/// uint32 per item: the sample's offset in floats from (0, 0, 0) (as int32) and a mask of
/// neighbours -x +x -y +y -z +z (an empty mask sets 0).
typedef struct gy_extend_args {
    uint64_t base;
    uint64_t list; // const uint32_t *
    uint32_t field;
    gy_extent extent;
} gy_extend_args;

/// A face that a solid shuts, wholly or in part.
typedef struct gy_gas_face {
    uint32_t sample;      // of the velocity across it, from sample (0, 0, 0)
    int32_t below, above; // its cells in vectors of the pressure's finest level; -1: no gas
    uint32_t cell[2];     // the same two as samples
    uint16_t mover;
    uint8_t axis, kind; // gy_face_kind
    float shut;         // part of the face: 0 to 1
    float velocity;     // m/s, of the solid across it
    float dragged;      // m/s, of that what viscosity sees
    float arm[2];       // m, from the solid's centre, along the two axes that come after `axis`
    uint16_t weight[6]; // of the samples beside it in what viscosity solves: -x +x -y ...; 0: none.
                        // Where ops see it: the op stick puts it there
} gy_gas_face;
/// Bits: it is of a sheet; of a solid that moves and drags the gas along by viscosity.
enum gy_face_kind { GY_FACE_SHEET = 1, GY_FACE_DRAGGED = 2 };

/// A face of a list, and a way from it, as one number.
GY_INLINE uint32_t gy_face_way(int face, int way)
{
    return (uint32_t)face * 8 + (uint32_t)way;
}

/// A place that something comes to, and the terms that it is made of.
typedef struct gy_meet_place {
    int32_t place;
    uint32_t sample; // ADD: of the same cell; GATHER: not used
    uint32_t first, count;
} gy_meet_place;

/// What the op meet does; each place is there once.
typedef enum gy_meet_work {
    GY_MEET_SET,    ///< field[place] = the last of its terms, or its value where there are some
    GY_MEET_ADD,    ///< b[place] += terms, one after the other; what has swollen there is forgotten
    GY_MEET_FIT,    ///< the coefficient at `place` = the last of its terms
    GY_MEET_GATHER, ///< values = field at all of the terms, added up
    GY_MEET_MEAN,   ///< field[place] = the mean of what it is at the terms; of none 0
    GY_MEET_DRAG,   ///< b[place] += weight * dragged of each term, a face and a way
    GY_MEET_SHARE,  ///< each of the terms, which are gy_meet_gift, one after the other
    GY_MEET_LOSE    ///< *values -= field at all of the terms
} gy_meet_work;

/// SHARE: field[to] += part / whole of field[from], which is taken from there.
typedef struct gy_meet_gift {
    uint32_t from, to;
    int32_t part, whole;
} gy_meet_gift;

/// meet: what solids that move do to samples, faces and cells. Box: a range of places.
typedef struct gy_meet_args {
    uint64_t base;
    uint64_t places; // const gy_meet_place *
    uint64_t terms;  // const float *; GATHER, MEAN, LOSE: const uint32_t *: samples, places; DRAG:
                     // const uint32_t *: gy_face_way; SHARE: const gy_meet_gift *
    uint64_t values; // GATHER, SET: float *; ADD: double *: how b's squares grow; 0: none; LOSE:
                     // double *
    uint64_t swelling; // ADD: float *: a field of volumes that are to flow out; 0: none
    uint64_t faces;    // DRAG: const gy_gas_face *
    uint32_t field;    // MEAN: a vector of a finest level
    uint32_t level;    // ADD, FIT, DRAG: -> gy_level
    gy_extent extent;
    int32_t work; // gy_meet_work
    int32_t axis; // FIT: of the faces
    float let;    // ADD: what of the swelling counts
    float limit;  // GATHER, SHARE: of sums
} gy_meet_args;

/// What pushes solids.
typedef enum gy_push_work {
    GY_PUSH_POTENTIAL, ///< times `factor` a potential, at the parts of faces that are shut
    GY_PUSH_STRESS,    ///< times `factor` what x of a component differs from the solid's velocity
    GY_PUSH_CUT        ///< times `factor` a component, at faces that are shut in part, by that
} gy_push_work;

/// push: what the gas does to solids. Box: a range of solids.
typedef struct gy_push_args {
    uint64_t base;
    uint64_t faces;  // const gy_gas_face *
    uint64_t ranges; // const uint32_t *: of each solid its first face, and how many it has
    uint64_t sums;   // double *: 6 of each, impulse and twist, that are added to
    uint32_t field;  // POTENTIAL: a vector of the pressure's finest level; CUT: of samples
    uint32_t level;  // STRESS: -> gy_level of the component's system
    gy_extent extent;
    uint32_t periodic;
    int32_t work; // gy_push_work
    int32_t axis; // STRESS, CUT: of the component
    double factor;
} gy_push_args;

/// What the op stick does with a component beside solids that move.
typedef enum gy_stick_work {
    GY_STICK_WEIGH, ///< weights of faces = the coefficients to the samples beside them
    GY_STICK_MIRROR ///< of solids that drag the gas, samples at faces = what makes it theirs there
} gy_stick_work;

/// stick: viscosity beside solids that move: see gas/stick.c. Box: a range of faces.
typedef struct gy_stick_args {
    uint64_t base;
    uint64_t faces; // gy_gas_face *
    uint32_t level; // -> gy_level of the pressure: where gas is
    uint32_t own;   // WEIGH: -> gy_level of the component's system
    uint32_t field; // MIRROR: the component
    gy_extent extent;
    uint32_t periodic;
    int32_t work;    // gy_stick_work
    int32_t axis;    // of the component
    float cap;       // MIRROR: m/s
    int32_t weighed; // MIRROR: whether the faces' weights are there
} gy_stick_args;

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
    uint32_t given; // sides whose faces' velocities are given: they pass, whatever the openness
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

/// derive: a field computed from others for viewing. kind: of gas/ops/derived.h.
typedef struct gy_derive_args {
    uint64_t base;
    uint32_t velocity[3];
    uint32_t target;
    uint32_t level;
    gy_extent extent;
    int32_t kind;
    float scale;
    uint64_t links; // const gy_links *; 0: there are no sheets
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

/// viscous: coefficients of the system for one velocity component on its faces, from the openness
/// of the pressure's level. Box: n + 1 along each axis.
typedef struct gy_viscous_args {
    uint64_t base;
    uint32_t pressure; // -> gy_level
    uint32_t level;    // -> gy_level to fill
    int32_t axis;
    uint32_t stick; // bits x low, x high, ...: sides that the gas sticks to; bit 6: solids;
                    // bit 7: there are sheets; from 8 on: sides with windows
} gy_viscous_args;

/// hear, hush: systems where sheets keep parts of the gas apart; see gas/ops/hush.c. Box: cells.
typedef struct gy_hush_args {
    uint64_t base;
    uint64_t part;  // int32_t *, of each cell, x fastest; -1: none
    uint64_t loud;  // uint8_t *, of each part
    uint32_t level; // -> gy_level
    uint32_t low;   // hush: what refine knows beyond x; 0: nothing
} gy_hush_args;

/// cling: a component of velocity at faces beside sheets that the gas sticks to.
typedef struct gy_cling_args {
    uint64_t base;
    uint64_t items; // uint32_t *, pairs: the offset of a face, and how many sheets lie beside it
    uint32_t field;
    float factor[4]; // beside one, two, ...
} gy_cling_args;

/// What the op rub does.
typedef enum gy_rub_work {
    GY_RUB_TAKE, ///< off the velocity across the lowest open low face of each column
    GY_RUB_GIVE  ///< half of what that has lost to the columns on both sides
} gy_rub_work;

/// rub: what a floor of heights takes from the gas above it; see gas/floor.c. Box: of columns.
typedef struct gy_rub_args {
    uint64_t base;
    uint64_t planes; // float *, each of as many as there are columns: drag; the floor's velocity
                     // along x and y; what it was given along x and y
    uint64_t
        faces;     // const int32_t *: of each column the offset of that face's sample, -1: there is
                   // none; then how much of each is open, in GY_UNITs
    uint32_t lost; // -> float: of each column, between the two
    uint32_t velocity[2];
    gy_extent extent;
    uint32_t periodic;
    int32_t work; // gy_rub_work
    int32_t axis;
    float dt, h;
    float density;
} gy_rub_args;

GY_FITS(gy_blend_args);
GY_FITS(gy_widen_args);
GY_FITS(gy_hush_args);
GY_FITS(gy_cling_args);
GY_FITS(gy_rub_args);
GY_FITS(gy_trace_args);
GY_FITS(gy_advect_args);
GY_FITS(gy_rim_args);
GY_FITS(gy_press_args);
GY_FITS(gy_came_args);
GY_FITS(gy_wall_args);
GY_FITS(gy_seal_args);
GY_FITS(gy_share_args);
GY_FITS(gy_dilate_args);
GY_FITS(gy_remap_args);
GY_FITS(gy_tally_args);
GY_FITS(gy_decay_args);
GY_FITS(gy_buoyancy_args);
GY_FITS(gy_emit_args);
GY_FITS(gy_source_args);
GY_FITS(gy_drive_args);
GY_FITS(gy_confine_args);
GY_FITS(gy_frame_args);
GY_FITS(gy_splat_args);
GY_FITS(gy_extend_args);
GY_FITS(gy_meet_args);
GY_FITS(gy_push_args);
GY_FITS(gy_stick_args);
GY_FITS(gy_divergence_args);
GY_FITS(gy_gradient_args);
GY_FITS(gy_kick_args);
GY_FITS(gy_measure_args);
GY_FITS(gy_mend_args);
GY_FITS(gy_derive_args);
GY_FITS(gy_split_args);
GY_FITS(gy_viscous_args);
_Static_assert(sizeof(gy_ledger) == 64, "a ledger does not fill its place");

#endif
