// gas/gas.h: the inside of a gas.
#ifndef GY_GAS_H
#define GY_GAS_H

#include "gas/ops/args.h"
#include "gas/ops/derived.h"
#include "grid/layout.h"
#include "gyre/gas.h"
#include "model/model.h"
#include "shape/shape.h"
#include "solve/solve.h"

enum {
    GY_GAS_CHANNELS = 16,                 // extra scalars at most
    GY_GAS_OWN = 2,                       // scalars that every gas has
    GY_GAS_DERIVED = GY_DERIVE_COUNT + 1, // derived fields: by formulas, and the solids
    GY_GAS_FIELDS = 3 + GY_GAS_OWN + GY_GAS_CHANNELS + GY_GAS_DERIVED,
    GY_GAS_TOGETHER = 8,                 // fields that are carried at once at most
    GY_GAS_SPARES = 3 + GY_GAS_TOGETHER, // slots for them, of floats and of halves
};

/// Amounts in fields are cut to this, so that products of finite numbers stay finite: the steepest
/// is a diffusion's right-hand side on its coarsest level, 1e9 (the inverse of the least diffusion
/// number that counts) times 2^30 cells times this.
#define GY_GAS_LIMIT 1e20f

/// Samples inside solids that take the mean of their neighbours: pairs of offset and mask. Memory
/// is kept when the list shrinks, so that a change taken back needs none.
typedef struct gy_gas_list {
    uint32_t *items;
    int count;
    size_t bytes;
} gy_gas_list;

/// An array that emitters are shaped by, in the device's own memory.
typedef struct gy_gas_array {
    gyre_volume of;
    float *copy;
    bool used;
} gy_gas_array;

/// What has happened to the velocities since the last step.
typedef enum gy_gas_renewal {
    GY_GAS_GOES_ON, // nothing
    GY_GAS_TOUCHED, // they were changed here and there: the pressure before still tells something
    GY_GAS_ANEW     // they are others
} gy_gas_renewal;

/// Whether a projection adds what was done to the velocities before it to the work; ROUGH: neither,
/// and a tenth of the divergence may be left to the one that follows.
typedef enum gy_work { GY_WORK_UNTOLD, GY_WORK_TOLD, GY_WORK_ROUGH } gy_work;

/// What a gas keeps from step to step, but for the ledgers. Saved with the fields, as floats that
/// must be finite.
typedef struct gy_gas_kept {
    int64_t carried; // how often scalars were; which way round sweeps begin
    float rate;      // 1/s: what a cell would have given of itself in a sweep of the last step, by
                     // that step's length
    float dt;        // of that step
    int32_t loose;   // 1: velocities may be others than those that step has left
    int32_t told;    // 1: `rate` is to be taken from what the device has found
    float before;    // s, of the step before; 0: there is none
    int32_t renew;   // gy_gas_renewal
    uint32_t openness; // of the faces that the velocities are free of divergence with
    int32_t shifted;   // 1: the grid has moved since
    int16_t stirred;   // 1: solids moved in the last step
    int16_t called;    // 1: a caller's function pushes the gas
    uint32_t blown[2]; // sides that had inflows in the last step and in the one before
    float spin[3];     // rad/s, of the frame in the last step
} gy_gas_kept;

/// A body of a set as it was painted last.
typedef struct gy_gas_body {
    gy_solid own; // in its own frame; of one that is given by its distances, an array of them
    gy_pose pose;
    gy_pose before; // where it was painted before that
    int32_t enabled;
    float *array;
    size_t bytes;
    uint64_t points; // of a mesh that deforms: a hash of what the array was made for
    uint64_t walls;  // a hash of what it holds and gives
} gy_gas_body;

/// A set of bodies that the gas was handed.
typedef struct gy_gas_set {
    void *memory; // NULL: there is none
    size_t bytes;
    gy_gas_body *bodies;
    int count, room;
    uint64_t changes;  // of the set when its bodies were looked through
    gy_solid *home[2]; // where the prepared solids are without a set
} gy_gas_set;

/// Which cells hang together, of a gas with sheets.
typedef struct gy_gas_links {
    void *memory;
    size_t bytes;
    gy_links view; // as ops take it; its link 0: all do
    int32_t *part; // of each cell: which of those that hang together it is of; -1: it holds no gas
    uint8_t *loud; // of each part: whether a system has anything there
    int parts;
    uint32_t *walls[3]; // of each component, pairs: the offset of a face, and how many sheets lie
                        // half a cell beside it
    int wall_count[3];
    size_t wall_bytes; // of all
} gy_gas_links;

/// Faces that were painted, by the cells above them.
enum { GY_GAS_PAINTED = 32 };
typedef struct gy_gas_painted {
    int count;
    gy_box box[GY_GAS_PAINTED];
} gy_gas_painted;

/// The forces made ready: see gas/forces.c.
typedef struct gy_gas_forces gy_gas_forces;
/// What a caller's function pushes with: see gas/called.c.
typedef struct gy_gas_called gy_gas_called;
/// What leads a gas whose velocity is given: see gas/lead.c.
typedef struct gy_gas_lead gy_gas_lead;
typedef struct gy_gas_moving gy_gas_moving;
/// What walls hold and give: see gas/walls.c.
typedef struct gy_gas_walls gy_gas_walls;

/// The solids that hold viscous gas: see gas/surfaces.c.
typedef struct gy_gas_surfaces gy_gas_surfaces;
/// Coordinates that flow with the gas: see gas/texture.h.
typedef struct gy_gas_texture gy_gas_texture;
/// The sheets made ready: see gas/sheets.c.
typedef struct gy_gas_sheets gy_gas_sheets;

struct gyre_gas {
    gyre_model model; // first: a gyre_gas is a gyre_model
    gyre_gas_def *def;
    gyre_grid grid; // where it stands: the def's says where it stood first
    gyre_host host;
    void *memory;
    size_t bytes;
    uint64_t base;
    gy_extent extent;
    gyre_field_info fields[GY_GAS_FIELDS];
    char names[GY_GAS_CHANNELS][32];
    int velocities, scalars, states; // states = velocities + scalars; derived fields follow
    int32_t derived[GY_GAS_DERIVED]; // of each derived field, its number; GY_DERIVE_COUNT: solid
    uint32_t slot[GY_GAS_FIELDS];    // of each state field's sample (0, 0, 0)
    uint32_t origin;                 // from a slot's first byte to its sample (0, 0, 0)
    size_t slot_bytes;
    uint32_t half_origin; // the same two of scalars that are halves; 0: none are
    size_t half_bytes;
    float *windows;       // where the host sees those, one after the other
    size_t window_floats; // of each
    int together;         // fields that are carried at once
    // Slots that are free between ops: so many for floats, then as many as are needed for halves.
    int float_spares, half_spares;
    uint32_t spare[GY_GAS_SPARES], predicted[GY_GAS_SPARES], back[3], forward[3];
    uint32_t listed; // -> gy_field: of the states, then back and forward of each axis
    uint32_t bounds, near, count;
    uint32_t sums;               // -> what measure leaves of a scalar before it diffuses: `bounds`
    uint32_t scratch;            // from here on advection and the solvers share;
    uint32_t scratch_end;        // to here a solver of diffusion has all of it
    gy_system pressure, spread;  // the second shares the first's levels, for scalars that diffuse
    gy_solid *made, *made_spare; // the enabled solids, made ready; room for as many
    int made_count;
    gy_solid *images; // room for both where solids reach across periodic sides; NULL: none does
    size_t image_bytes;
    gy_gas_set set;
    gy_gas_moving *moving; // gas/moving.h; NULL: no solid has moved yet
    int64_t fluid_cells;
    gy_gas_list extend_scalar, extend_velocity[3];
    gy_solid *emitters;   // made ready, one per element of the pool
    gy_gas_array *arrays; // copies, of a device with memory of its own
    int array_count;
    const float *sources[GY_GAS_FIELDS]; // the callers'
    float *rates[GY_GAS_FIELDS];         // their copies
    uint32_t periodic, open_sides;
    uint32_t windowed; // those of the open ones that are shut in part: windows, lids
    gyre_gas_stats stats;
    bool stats_fresh;
    uint8_t asked;        // above 0: statistics were asked for after this step or the last one
    bool kept_divergence; // theirs is of the step, though solids have moved since
    bool missed_fresh;    // stats.missed is of the solids and sheets as they are
    bool speed_fresh;     // stats.max_speed is that of the fields as they are
    float cap;            // that the velocities keep to
    double div_before;    // sum of squares, in velocity per cell
    uint32_t report;      // -> two gy_report: of the step, and of a field's diffusion; then
    uint32_t carriage;    // -> gy_carriage
    gy_gas_kept kept;
    uint32_t ledgers;  // -> gy_ledger, of each scalar
    uint32_t sweeps;   // -> what sweeps of scalars leave per task
    float *swelling;   // volume that the pressure's solver has left over: a field in a block of its
                       // own; NULL: none was needed yet
    bool swells;       // it counts
    bool pending;      // on a remote device: the step's numbers are in its report alone,
    bool recorded;     // those of the pressure's solver, too
    uint32_t past[3];  // the velocities before the last step; within a step its wind
    uint32_t lag;      // a potential: see gas/flow.c
    uint32_t energy;   // -> gy_energy
    uint32_t means;    // -> gy_means; 0: no axis is periodic
    uint32_t openness; // a hash of that of all faces
    float pace;        // dt / h of the substep
    bool energy_known; // of the step before
    bool painted;      // every face has its openness by the solids
    bool slip;         // what extend_velocity was made for
    bool floor_waits;  // it was loaded, and solids are to be made anew
    gy_particles tracers;             // where the def asks for them
    gy_gas_forces *forces;            // NULL: there are none
    gy_gas_called *called;            // a force of the caller's; NULL: there is none
    gy_gas_lead *lead;                // where its velocity comes from; NULL: it never was led
    gyre_gas_row_call *velocity_rows; // the caller's, and what that gets
    void *velocity_user;
    gy_gas_sheets *sheets; // NULL: there are none
    int64_t shut;          // faces that sheets shut and solids leave open
    gy_gas_links links;    // of sheets
    uint8_t *plain;        // of each group of cells, see gas/plain.c; NULL: nobody asks
    size_t plain_bytes;
    bool plain_fresh;         // it is that of the faces before the last change
    gy_gas_painted repainted; // what the last change has painted
    uint32_t rimmed;   // sides that have a rim: inflows, and where there may be patches walls
    uint32_t given;    // those of them through which gas passes
    uint32_t came;     // -> double of each scalar: what inflows have brought; 0: none can
    bool came_in_rims; // and it is saved with the rims
    uint32_t rims;     // -> gy_rim of each side; 0: no side has one
    uint32_t
        burnt; // -> double of each scalar: what fire has made of it, then what has radiated; 0:
               // there is no fire
    uint32_t levels;           // -> what is known of the surroundings, see gas/cloud.c; 0: nothing
    uint32_t turned;           // -> doubles of clouds: see gas/cloud.h; 0: there are none
    size_t rim_bytes;          // of all of them
    float rim_speed;           // m/s, the greatest of those given
    uint64_t rims_put;         // a hash of what a device with memory of its own has of them
    gy_gas_walls *walls;       // NULL: none has held or given anything yet
    uint32_t through;          // -> double of each scalar: what walls gave; 0: no room at create
    uint32_t floor;            // -> what is kept of the floor: see gas/floor.c; 0: no room
    gy_gas_surfaces *surfaces; // NULL: none has held viscous gas yet
    gy_gas_texture *texture;   // NULL: the def has none
};

extern const gy_model_type gy_gas_type;

// def.c, check.c
enum { GY_GAS_COOKIE = 0x6761 }; // "ga"
gyre_result gy_gas_check(const void *def);
void gy_gas_default(int dim, void *def);
/// A scalar that every gas has: an entry here makes one, of what lies in the def and in emitters.
typedef struct gy_gas_scalar {
    gyre_field_info info;
    size_t def;    // of its gyre_gas_scalar_def in a gyre_gas_def
    size_t amount; // of what an emitter gives of it, in a gyre_gas_emitter
} gy_gas_scalar;
extern const gy_gas_scalar gy_gas_own[GY_GAS_OWN];
/// How scalar `s` spreads and fades: those that every gas has, then channels.
gyre_gas_scalar_def gy_gas_scalar_def(const gyre_gas_def *def, int s);
/// A line of the table of derived fields.
typedef struct gy_gas_derived {
    gyre_field_info info;
    int dims;  // that it takes at least
    int power; // of 1/h that the formula is multiplied by
} gy_gas_derived;
extern const gy_gas_derived gy_gas_derived_list[GY_GAS_DERIVED];
/// The pressure's system.
gy_system_def gy_gas_system(const gyre_gas_def *def);

/// The name of a side in paths.
const char *gy_gas_side_name(int side);
/// Which scalar has a name, of those that every gas has, then channels; -1: none.
int gy_gas_scalar_named(const gyre_gas_def *def, const char *name);
/// Whether the scalars that are named are there, else fails with "path.member.name: ...".
gyre_result gy_gas_check_amounts(const gyre_gas_def *def, const gyre_amount *amounts, int count,
                                 const char *path, const char *member);

// sides.c: inflows. A side with an inflow, or where patches may be, has a rim: what is given of
// each of its faces. Room for patches alone changes nothing.
gyre_result gy_gas_check_rims(const gyre_gas_def *def);
/// The sides of a def that have one; those that gas passes.
uint32_t gy_gas_rimmed(const gyre_gas_def *def);
uint32_t gy_gas_blown(const gyre_gas_def *def);
/// Whether a side is open, its pressure being 0; those by which what leaves is carried out, and
/// finding for a projection after dt what they let out: see gas/carried.c.
bool gy_gas_is_open(const gyre_gas_def *def, int side);
uint32_t gy_gas_carried(const gyre_gas_def *def);
void gy_gas_carry_out(gyre_gas *gas, float dt);
/// The walls and inflows that a def has patches in whose rule is open, and the open sides that it
/// has any in, enabled or not.
uint32_t gy_gas_windowed(const gyre_gas_def *def);
/// A step is over.
void gy_gas_age_rims(gyre_gas *gas);
/// Takes their memory; bytes of what they have of velocities is kept for saving.
void gy_gas_plan_rims(gyre_gas *gas, gy_arena *kept);
/// Works out anew what is given: after the def or the solids have changed. Fails on a device that
/// lacks what inflows go through.
gyre_result gy_gas_fill_rims(gyre_gas *gas);
gyre_result gy_gas_require_rims(gyre_device *device);
/// Puts what is given into what halos leave of a list's velocities on the sides across an axis.
void gy_gas_rim(const gyre_gas *gas, int axis, int first, int count, bool predicted);
/// Before a projection: what is given now is what the velocities have from here on.
void gy_gas_turn_rims(gyre_gas *gas);
/// Adds what a component feels of the rims to b of its system; next: as it will be.
void gy_gas_press_rims(const gyre_gas *gas, const gy_system *system, int axis, bool next);
/// What inflows bring of squares of velocity in a step, by the wind.
double gy_gas_rim_energy(const gyre_gas *gas, float pace);
/// Notes what has come in by a wind over all substeps of the carriage.
void gy_gas_note_came(const gyre_gas *gas, const uint32_t wind[3]);
/// What has come in of each scalar, in sums of samples; of a gas with inflows alone.
double *gy_gas_came(const gyre_gas *gas);
/// What a save has of them.
size_t gy_gas_rim_state(const gyre_gas *gas);
void gy_gas_copy_rims(gyre_gas *gas, char *bytes, bool out);

// rooms.c: the parts of the gas that nothing joins.
typedef struct gy_gas_rooms {
    gy_room *list; // of the pressure's system; NULL: all cells hang together,
    gy_room one;   // and this is the one
    int count;
} gy_gas_rooms;
/// All rooms, with what solids that move take up of each; what inflows bring is to be added.
gy_gas_rooms gy_gas_count_rooms(const gyre_gas *gas);
/// The room of a cell; NULL: it holds no gas.
gy_room *gy_gas_room_of(const gyre_gas *gas, gy_gas_rooms *rooms, const int cell[3]);
/// What has gathered in `side` of rooms goes to `in`.
void gy_gas_end_side(gy_gas_rooms *rooms);
/// Tells what is too much (the statistic) and puts into `side` what each face of an inflow is to
/// lose of it. Returns whether any is to.
bool gy_gas_weigh_rooms(gyre_gas *gas, gy_gas_rooms *rooms);

// floor.c: a floor of heights that somebody else moves.
void gy_gas_plan_floor(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept);
/// GYRE_ERROR_UNSUPPORTED: the device has no op for it.
gyre_result gy_gas_require_floor(gyre_device *device);
/// Whether there is one now.
bool gy_gas_has_floor(const gyre_gas *gas);
/// Writes it behind `count` solids, and returns how many there are then.
int gy_gas_put_floor(const gyre_gas *gas, gy_solid *solids, int count);
/// m/s, how fast it rises below or above a point; whether it does anywhere.
double gy_gas_floor_rises(const gyre_gas *gas, const double point[3]);
bool gy_gas_floor_moves(const gyre_gas *gas);
/// What it takes over dt of the velocities right above it.
void gy_gas_rub_floor(gyre_gas *gas, float dt);
gyre_result gy_gas_take_floor(gyre_gas *gas, const gyre_gas_floor *floor);
/// What it was given since that was asked for last.
void gy_gas_give_push(gyre_gas *gas, float *along[2]);
/// What a save has of it.
size_t gy_gas_floor_state(const gyre_gas *gas);
void gy_gas_copy_floor(gyre_gas *gas, char *bytes, bool out);
/// Before a step: a floor that nobody has told of stands still. After it.
gyre_result gy_gas_meet_floor(gyre_gas *gas);
void gy_gas_leave_floor(gyre_gas *gas);

// walls.c: walls and solids that hold scalars at a value, or give the gas of them.
gyre_result gy_gas_check_walls(const gyre_gas_def *def);
/// Whether a body of a set is right so for a gas: names, and solvers for what it holds.
gyre_result gy_gas_check_body_walls(const gyre_gas *gas, int body);
/// Whether any wall of a def holds or gives anything.
bool gy_gas_is_walled(const gyre_gas_def *def);
/// Works out anew which cells see such walls, and what those hold and give: after the def or the
/// solids have changed. Takes memory where it is the first time or there are more.
gyre_result gy_gas_fill_walls(gyre_gas *gas);
void gy_gas_drop_walls(gyre_gas *gas);
/// Whether some wall holds (or gives) a scalar.
bool gy_gas_is_held(const gyre_gas *gas, int field);
bool gy_gas_is_fed_by_walls(const gyre_gas *gas, int field);
/// The greatest value it is held at, by magnitude; how many cells see walls.
float gy_gas_most_held(const gyre_gas *gas, int field, int *cells);
/// Whether any cell sees such a solid, or such a wall on a side.
bool gy_gas_sees_solid(const gyre_gas *gas);
bool gy_gas_sees_wall(const gyre_gas *gas, int side);
/// Coefficients of a scalar's system: those of the pressure's, and half a cell to walls.
void gy_gas_open_walls(const gyre_gas *gas, const gy_system *system, int field);
/// Adds what walls hold to its right-hand side.
void gy_gas_press_walls(const gyre_gas *gas, const gy_system *system, int field);
/// What walls give over dt.
void gy_gas_give_walls(gyre_gas *gas, int field, float dt);
/// Enters `sign` times a scalar's sum over all cells as what walls gave.
void gy_gas_enter_walls(gyre_gas *gas, int field, double sign);
/// What they gave so far, in sums of samples.
double gy_gas_through_walls(const gyre_gas *gas, int field);

// surfaces.c: viscosity beside solids that the gas sticks to.
/// Works out anew which samples see such solids, and how far: after the solids changed.
gyre_result gy_gas_list_surfaces(gyre_gas *gas);
/// The same where the def's viscosity or its rule for solids says otherwise than before.
gyre_result gy_gas_meet_surfaces(gyre_gas *gas);
void gy_gas_drop_surfaces(gyre_gas *gas);
bool gy_gas_has_surfaces(const gyre_gas *gas);
/// Puts their distances into the system of a component.
void gy_gas_open_surfaces(const gyre_gas *gas, const gy_system *system, int axis);

// fire.c
gyre_result gy_gas_check_fire(const gyre_gas_def *def);
/// Whether anything burns; whether what burns asks for room.
bool gy_gas_burns(const gyre_gas_def *def);
bool gy_gas_expands(const gyre_gas *gas);
/// Of a channel's field: whether it is one of fire's, which are no smoke.
void gy_gas_note_fire(gyre_field_info *field, const gyre_gas_def *def);
/// GYRE_ERROR_UNSUPPORTED: the device has no op for it.
gyre_result gy_gas_require_fire(gyre_device *device);
/// Burns over dt; `touched`: the fields that it has changed.
void gy_gas_burn(gyre_gas *gas, float dt, bool touched[GY_GAS_FIELDS]);
/// The doubles of `burnt`; how many there are.
double *gy_gas_burnt(const gyre_gas *gas);
int gy_gas_burnt_count(const gyre_gas *gas);

// create.c
size_t gy_gas_bytes(const void *def);
gyre_result gy_gas_make(gyre_device *device, const void *def, gyre_model **model);
void gy_gas_unmake(gyre_model *model);

// plain.c
/// After faces have changed: of which groups of cells all are whole but for sides.
gyre_result gy_gas_mark_plain(gyre_gas *gas);
void gy_gas_drop_plain(gyre_gas *gas);

// links.c
/// After faces have changed: which cells hang together.
gyre_result gy_gas_make_links(gyre_gas *gas);
/// As ops take it; 0: all do.
uint64_t gy_gas_net(gyre_gas *gas);
void gy_gas_drop_links(gyre_gas *gas);
/// Before and after a solve: what hangs together and has nothing on the right-hand side gets
/// nothing. Coarse levels of some solvers know no sheets.
void gy_gas_hear(gyre_gas *gas, const gy_system *system);
void gy_gas_hush(gyre_gas *gas, const gy_system *system);
/// After half of a component's diffusion, k = nu dt / h^2: what sheets that the gas sticks to take.
void gy_gas_hold_at_sheets(gyre_gas *gas, int axis, float k, bool arriving);

// solids.c: openness, flags and lists after solids changed; emitters after emitters changed; halos
// and the cap after anything else.
gyre_result gy_gas_changed(gyre_model *model, const char *pool);
bool gy_gas_waits(const gyre_model *model, const char *pool);
/// What follows from the openness of faces once it is written.
gyre_result gy_gas_faces_changed(gyre_gas *gas, bool moved);
/// As gy_gas_changed of solids that have moved on, with what lay in their way.
gyre_result gy_gas_move_solids(gyre_gas *gas);
/// Before solids move: notes what divergence a step has left, for those who ask for statistics.
void gy_gas_keep_divergence(gyre_gas *gas);
/// Lists the samples inside solids that are extended from the gas.
gyre_result gy_gas_list_samples(gyre_gas *gas);
void gy_gas_drop_lists(gyre_gas *gas);
/// Brings the grid in line with how far it has moved; openness is to be made anew then.
void gy_gas_find_place(gyre_gas *gas);

// shift.c
gyre_result gy_gas_shift(gyre_model *model, const int cells[3]);

// bodies.c
gyre_result gy_gas_use_bodies(gyre_model *model, gyre_bodies *bodies);
gyre_result gy_gas_meet_bodies(gyre_model *model);
void gy_gas_drop_bodies(gyre_gas *gas);
/// Where a body is in the domain: shifts by whole domains along periodic axes for which its bounds
/// touch that. Returns how many, at least one.
enum { GY_GAS_IMAGES = 8 };
int gy_gas_most_images(const gyre_gas *gas);
/// images.c: of any solid; of one of the gas, none if it is not enabled.
int gy_gas_images_of(const gyre_gas *gas, const gy_solid *solid, double shifts[GY_GAS_IMAGES][3]);
int gy_gas_solid_images(const gyre_gas *gas, int index, double shifts[GY_GAS_IMAGES][3]);
int gy_gas_count_images(const gyre_gas *gas, int index);
/// Writes the gas's own, and returns how many there are then; before that, takes room for them.
int gy_gas_put_solids(const gyre_gas *gas, gy_solid *solids);
gyre_result gy_gas_take_images(gyre_gas *gas);
void gy_gas_drop_images(gyre_gas *gas);
int gy_gas_images(const gyre_gas *gas, int k, double shifts[GY_GAS_IMAGES][3]);
/// Writes those that are there behind `count` solids, and returns how many there are then.
int gy_gas_put_bodies(gyre_gas *gas, gy_solid *solids, int count);

// moving.c
/// Looks how solids move; `differ`: otherwise than when they were looked at last.
gyre_result gy_gas_find_movers(gyre_gas *gas, bool *differ);
/// Where solids that slip have moved on: velocities of the faces that have come open, from those
/// beside them; those that stood there were the solid's.
gyre_result gy_gas_fill_new_faces(gyre_gas *gas);
/// Lists the faces of those that move, after they were painted.
gyre_result gy_gas_list_faces(gyre_gas *gas);
/// Whether the gas slides along some solids and sticks to others; the rule of the nearest to a
/// point.
bool gy_gas_is_mixed(const gyre_gas *gas);
bool gy_gas_slides_at(const gyre_gas *gas, const double point[3]);
/// Whether any moves.
bool gy_gas_is_stirred(const gyre_gas *gas);
/// The velocities of solids that move, at the faces that they shut.
void gy_gas_put_solid_velocity(gyre_gas *gas, int field);
/// Adds what passes faces with solids to what divergence has left in b; returns by how much the sum
/// of its squares has grown. Where the host does not know that within a step the sum is left in the
/// pressure's partial sums, in so many tasks.
double gy_gas_add_solid_flow(gyre_gas *gas, const gy_divergence_args *args, int *tasks);
/// Whether the gas has a way to where those solids leave room: all but 1e-3 of what passes them.
bool gy_gas_flows_round(const gyre_gas *gas);
/// m^3/s (2D: m^2/s) that solids take by that.
double gy_gas_squeezed(const gyre_gas *gas);
/// Divergence as it is, by squares (sum) and the most of a cell, solids that move counted in.
double gy_gas_stirred_divergence(gyre_gas *gas, double *most);
/// Adds up what `factor` times a potential pushes solids with.
void gy_gas_note_push(gyre_gas *gas, uint32_t potential, float factor);
void gy_gas_begin_pushes(gyre_gas *gas, float dt);
/// At the end of a step: what follows for forces, and, once the step is handed over, free bodies of
/// a set are pushed, which waits for it.
void gy_gas_end_pushes(gyre_gas *gas, float dt);
gyre_result gy_gas_push_bodies(gyre_gas *gas);
void gy_gas_drop_movers(gyre_gas *gas);

// stick.c
/// The most of a component at faces that moving solids shut.
float gy_gas_fastest_wall(const gyre_gas *gas, int axis);
/// Puts the coefficients of a component's diffusion right beside solids whose surfaces are not as
/// the gas's def says.
void gy_gas_fit_surfaces(gyre_gas *gas, const gy_system *system, int axis);
/// Adds what those give a component's diffusion to its right-hand side.
void gy_gas_drag_along(gyre_gas *gas, const gy_system *system, int axis);
/// Keeps what a component's system says of the samples at solids that move, for what follows.
void gy_gas_note_weights(const gyre_gas *gas, const gy_system *system, int axis);
/// Adds what a solve for a component takes from the gas at solids: `by` (m/s times a cell) for each
/// unit of what its system's x differs from theirs.
void gy_gas_note_stress(gyre_gas *gas, const gy_system *system, int axis, float by);
/// Adds to the pushes, times `sign`, the component at faces times what is shut of them in part:
/// before what changes it with -1, after it with 1.
void gy_gas_note_cut(gyre_gas *gas, int axis, double sign);
/// What stands right inside of solids that move and that the gas sticks to: see gas/stick.c.
void gy_gas_mirror(gyre_gas *gas, int axis);

// swept.c
/// Before solids that move are painted: notes which cells hold gas.
gyre_result gy_gas_hold_cells(gyre_gas *gas);
/// After that: what they have swept over goes to the cells in front.
gyre_result gy_gas_sweep_up(gyre_gas *gas);

// check.c
/// Whether the solvers of a def can go round solids.
gyre_result gy_gas_check_solids(const gyre_gas_def *def);
/// The same where solids hold scalars.
gyre_result gy_gas_check_held(const gyre_gas_def *def);

// paint.c
/// Makes the solids ready, and the openness of the faces near those that have changed. The
/// pressure's unknowns are lost.
void gy_gas_paint(gyre_gas *gas);

// arrays.c
/// After the emitters changed: copies of the arrays that shape them. When it fails those of the
/// emitters before are still there.
gyre_result gy_gas_take_arrays(gyre_gas *gas);
/// An emitter's array as ops read it.
const float *gy_gas_array_of(const gyre_gas *gas, const gyre_volume *volume);
/// A whole-field source or, with NULL, its end. When it fails the one before still counts.
gyre_result gy_gas_take_source(gyre_gas *gas, int field, const float *rate);
/// Before a step: the sources as they now are.
void gy_gas_bring_sources(gyre_gas *gas);
void gy_gas_drop_arrays(gyre_gas *gas);

// fields.c
/// The open sides beyond which paths may end: bits as in gas->open_sides.
GY_INLINE uint32_t gy_gas_outside(const gyre_gas *gas)
{
    return gas->def->advection == GYRE_GAS_CONSERVATIVE ? gas->open_sides : 0;
}
/// The same with those that have windows a byte further up: there ops ask each face.
GY_INLINE uint32_t gy_gas_outside_windows(const gyre_gas *gas)
{
    return gy_gas_outside(gas) | gas->windowed << 8;
}
/// How many fields are carried at once there; each needs two slots meanwhile.
int gy_gas_together(const gyre_device *device, int states);
/// Whether a field's samples are halves in the device's memory.
bool gy_gas_is_half(const gyre_gas *gas, int field);
/// The extent of a field, which says whether they are.
gy_extent gy_gas_extent(const gyre_gas *gas, int field);
/// The edge rule of a field at `location` along `axis`.
gy_edge gy_gas_edge(const gyre_gas *gas, gyre_location location, int axis);
/// Samples of a field that are its own along each axis (a live boundary face counts).
gy_box gy_gas_box(const gyre_gas *gas, gyre_location location);
/// Lists the fields anew for ops: how they are carried next, and what lies beyond their ends.
void gy_gas_list_fields(gyre_gas *gas);
/// Fills the halos of fields that the list has one after the other, or of what is predicted of
/// them: along y and z, and along x too when `all`.
void gy_gas_halo(gyre_gas *gas, int first, int count, bool predicted, bool all);
void gy_gas_window(const gyre_model *model, int field, gyre_field_view *view);
/// around.c: see gy_model_type.
gy_around gy_gas_around(const gyre_model *model);
bool gy_gas_is_clear(const gyre_model *model, const gy_around *around, const gy_box *box);
void gy_gas_tell_cells(const gyre_model *model, const gy_around *around, int j, int k, int first,
                       int count, int32_t *holds);
bool gy_gas_is_shut(const gyre_model *model, const gy_around *around, int axis, const int cell[3]);

/// beside.c: what a probe reads beside sheets; false: the point is not next to any.
bool gy_gas_probe_beside(const gyre_model *model, int field, const gyre_field_view *view,
                         const float *point, float *value);
const void *gy_gas_place(const gyre_model *model, int field, int *bytes);
const void *gy_gas_floats(gyre_model *model, int field);
void gy_gas_fetch(const gyre_model *model, int field);
void gy_gas_derive(gyre_model *model, int field);
/// Whether it can; fails with what the gas would need for it.
gyre_result gy_gas_derives(const gyre_model *model, int field);
void gy_gas_written(gyre_model *model, int field);
double gy_gas_total(const gyre_model *model, int field);
const void *gy_gas_get_stats(gyre_model *model);
/// The largest component of velocity in the fields as they are: a function of the state alone.
float gy_gas_max_speed(gyre_gas *gas);
/// The Courant number of the last step, at this speed.
void gy_gas_note_courant(gyre_gas *gas, float speed);
/// Takes the last step's numbers from its report, where they are still there alone.
void gy_gas_settle(gyre_gas *gas);

// scalars.c
enum { GY_GAS_SWEPT = 4 }; // scalars that are swept at once at most
/// Bytes of `sweeps`.
size_t gy_gas_sweep_bytes(const gyre_gas *gas);
/// Carries all scalars over dt by the velocities across the faces at `wind`, whose halos are
/// filled. Uses what lies from gas->scratch on, but for predicted[0].
void gy_gas_carry_scalars(gyre_gas *gas, float dt, const uint32_t wind[3]);
/// Bytes from the step's report to the end of what a step tells: the share is in it.
size_t gy_gas_report_bytes(const gyre_gas *gas);
/// Before a step: takes what the last one has told of its wind.
void gy_gas_note_share(gyre_gas *gas);
gy_ledger *gy_gas_ledger(const gyre_gas *gas, int field);
/// After the solver, the solids, the scheme or the fire changed: memory for what swells, where it
/// may.
gyre_result gy_gas_take_swelling(gyre_gas *gas);
void gy_gas_drop_swelling(gyre_gas *gas);
/// Volume that is to flow out, a field; 0: none may.
uint64_t gy_gas_swelling(const gyre_gas *gas);
/// The mean of it, where fire expands; else 0.
double gy_gas_pent_up(const gyre_gas *gas);
/// Lets a part of what has swollen flow out.
void gy_gas_let_out(const gyre_gas *gas, gy_divergence_args *args);
/// What is kept beside the fields, to be saved and after it was loaded; see gy_model_type.
void gy_gas_keep(gyre_model *model);
void gy_gas_regain(gyre_model *model);
void gy_gas_copy_more(gyre_model *model, char *bytes, size_t size, bool out);
/// The doubles of a ledger.
typedef enum gy_gas_entry {
    GY_GAS_ERROR,
    GY_GAS_LEFT,
    GY_GAS_EMITTED,
    GY_GAS_ADDED,
    GY_GAS_FADED,
    GY_GAS_EDITED
} gy_gas_entry;
/// Whether ledgers are kept of a field.
bool gy_gas_counts(const gyre_gas *gas, int field);
/// Adds `sign` times what `tasks` pieces have left in the pressure's partial sums.
void gy_gas_enter(gyre_gas *gas, int field, gy_gas_entry entry, int tasks, double sign);
/// The same of what they have left in some other place.
void gy_gas_enter_from(gyre_gas *gas, int field, gy_gas_entry entry, uint32_t partial, int tasks,
                       double sign);
/// The same of a field's sum over the rows of a box.
void gy_gas_enter_sum(gyre_gas *gas, int field, gy_gas_entry entry, gy_box box, double sign);
/// Enters all scalars' sums as edited, times `sign`: with -1 before solids are put somewhere else,
/// with 1 after it.
void gy_gas_enter_solids(gyre_gas *gas, double sign);
/// A field's samples came from outside.
void gy_gas_enter_edit(gyre_gas *gas, int field);
/// After create: what is not 0 at first.
void gy_gas_begin_ledgers(gyre_gas *gas);

// step.c, project.c, sources.c
gyre_result gy_gas_step(gyre_model *model, float dt);
/// What may be added in one go: see gy_gas_add_sources.
enum { GY_GAS_AMOUNTS = 1, GY_GAS_PUSHES = 2 };
/// Adds what enters and takes away what fades (AMOUNTS), and what emitters push (PUSHES).
void gy_gas_add_sources(gyre_gas *gas, float dt, int which);
/// Whether any emitter pushes.
bool gy_gas_is_pushed(const gyre_gas *gas);
/// Half of a step's diffusion: before the gas is carried, or, `arriving`, after that and the
/// forces. Both take the whole dt. Uses the scratch that advection uses; velocities that arrive are
/// extended into solids by gy_gas_project.
gyre_result gy_gas_diffuse(gyre_gas *gas, float dt, bool arriving);
/// Whether viscosity does anything over so long a time.
bool gy_gas_is_thick(const gyre_gas *gas, float dt);
/// Whether it holds the gas at any side or solid.
bool gy_gas_sticks(const gyre_gas *gas);
void gy_gas_project(gyre_gas *gas, gy_work work);
gyre_result gy_gas_splat(gyre_model *model, int field, const float centre[3], float radius,
                         float amount);
/// What a field's samples are cut to.
float gy_gas_limit(const gyre_gas *gas, int field);
/// Samples inside solids after their field changed.
void gy_gas_extend(gyre_gas *gas, int field);

// sheets.c
gyre_result gy_gas_check_sheets(const gyre_gas_def *def);
/// Whether any is enabled.
bool gy_gas_wants_sheets(const gyre_gas_def *def);
/// Before solids are painted: gives back the faces that sheets have shut, and finds those that they
/// shut now. `moved`: those that have a velocity have moved on, and what lies in their way goes to
/// the front.
gyre_result gy_gas_take_sheets(gyre_gas *gas, bool moved);
/// Gives back the faces until they are put again.
void gy_gas_lift_sheets(gyre_gas *gas);
/// After faces have changed: cells behind sheets that moved share what was gathered there.
gyre_result gy_gas_share_behind(gyre_gas *gas);
/// How many faces a sheet crosses; each of them, and what solids leave of it, 0 to 1: 0 where it is
/// another's already.
int64_t gy_gas_sheet_faces(const gyre_gas *gas, int sheet);
float gy_gas_sheet_face(const gyre_gas *gas, int sheet, int64_t index, int *axis, int at[3]);
/// After that: shuts them.
void gy_gas_put_sheets(gyre_gas *gas);
/// Whether a sheet is enabled and crosses no face; then its bounds in metres.
bool gy_gas_has_lost_sheet(const gyre_gas *gas, int index);
void gy_gas_drop_sheets(gyre_gas *gas);
/// Puts a half, in 3D three quarters, into the cells beside sheets of what is derived in
/// predicted[0].
void gy_gas_shade_sheets(const gyre_gas *gas);
/// Sheets to be drawn: gyre_model_sheet_count(), gyre_model_sheet().
int gy_gas_sheet_count(const gyre_model *model);
gyre_result gy_gas_sheet_mesh(gyre_model *model, int index, gyre_mesh *mesh);
/// Whether any face inside may be shut.
GY_INLINE bool gy_gas_is_blocked(const gyre_gas *gas)
{
    return gas->made_count > 0 || gas->shut > 0 || gas->windowed != 0;
}

// missed.c
/// Whether the grid does not see a solid or a sheet.
bool gy_gas_misses(const gyre_model *model, const char *pool, int index);
/// All of those.
int64_t gy_gas_count_missed(const gyre_gas *gas);

// forces.c
/// Whether forces can be used as the def has them.
gyre_result gy_gas_check_forces(const gyre_gas_def *def);
/// After the forces changed: makes them ready, in memory that they take when they come.
gyre_result gy_gas_take_forces(gyre_gas *gas);
void gy_gas_drop_forces(gyre_gas *gas);
/// Whether any force acts.
bool gy_gas_is_driven(const gyre_gas *gas);
/// Whether a def's frame is not at rest.
bool gy_gas_is_framed(const gyre_gas_def *def);
/// Before a step: what a change of the frame's spin does to the velocities.
void gy_gas_turn_frame(gyre_gas *gas);
/// After the def changed: memory for what it has come to need.
gyre_result gy_gas_meet_frame(gyre_gas *gas);
/// Before a step: what forces are worked out to for the solids as they are.
void gy_gas_weigh_forces(gyre_gas *gas);
/// The velocities after so much of a step's forces, which are those of a time; back: the last force
/// first. Halos are not filled.
void gy_gas_drive(gyre_gas *gas, float dt, double time, bool back);
/// When the substep that runs begins, s.
double gy_gas_clock(const gyre_gas *gas);
/// It has gone by.
void gy_gas_pass(gyre_gas *gas, double dt);

// called.c
/// Before a step, which is left undone where this fails: asks the caller's function, if any.
gyre_result gy_gas_call_forces(gyre_gas *gas, float dt);
void gy_gas_drop_called(gyre_gas *gas);
/// What rows of faces are asked for.
typedef struct gy_asking {
    const char *whom; // for messages
    gyre_gas_row_call *call;
    void *user;
    double time;
    float *to[3];  // sample (0, 0, 0) of each component's, in the layout of fields
    float limit;   // values are cut to
    float *looked; // where velocities are put for it; NULL: they are not
    int row;       // floats of a row there
    float ahead;   // by how much of the last change they are taken ahead; < 0: they are not
} gy_asking;
/// Asks for every row; where it fails, no number that is not finite is left, but others are.
gyre_result gy_gas_ask(gyre_gas *gas, const gy_asking *how);
/// Faces across an axis, along each.
void gy_gas_count_faces(const gyre_gas *gas, int axis, int n[3]);

// lead.c: a gas whose velocity is given.
GY_INLINE bool gy_gas_is_led(const gyre_gas *gas)
{
    return gas->def->velocity != GYRE_GAS_SOLVED;
}
gyre_result gy_gas_check_lead(const gyre_gas_def *def);
/// Before a step, which is left undone where this fails: the wind of its middle is in `past`, the
/// velocity of its end in the fields.
gyre_result gy_gas_lead_on(gyre_gas *gas, float dt);
void gy_gas_drop_lead(gyre_gas *gas);

// noise.c
/// Makes ready what is the same at all times.
void gy_gas_ready_noise(gyre_gas *gas);
/// The noise at a time, at all faces.
void gy_gas_put_noise(gyre_gas *gas, double time, float *const to[3]);

// step.c
/// Adds what an op has cut to the statistics.
void gy_gas_count_capped(gyre_gas *gas, int tasks);

/// Fields of the list, as advect and correct take them.
gy_advect_args gy_gas_carry_args(const gyre_gas *gas, int first, int count);

/// Something was done to the velocities.
void gy_gas_touch(gyre_gas *gas, gy_gas_renewal how);

#endif
