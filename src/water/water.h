// water/water.h: what the files of this room share.
#ifndef GY_WATER_H
#define GY_WATER_H

#include "base/os.h"
#include "gyre/water.h"
#include "model/model.h"
#include "water/body.h"
#include "water/ops/water.h"
#include "water/sea.h"

enum {
    GY_WATER_SIDES = 4,
    GY_WATER_CALM = 255 // of a tile that sleeps
};

/// The fields, in the order of the table: those of the state, then the derived ones.
enum {
    GY_FIELD_DEPTH,
    GY_FIELD_QX,
    GY_FIELD_QY,
    GY_FIELD_BED,
    GY_FIELD_DISPLACED,
    GY_FIELD_STATES,
    GY_FIELD_BEFORE_DERIVED = GY_FIELD_STATES - 1,
#define GY_DERIVED(name, unit, view, role, doc, how) GY_FIELD_##name,
#include "water/derived.inc"
#undef GY_DERIVED
    GY_FIELDS
};

/// Lines of the ledger that are always there, in metres of depth summed over cells.
enum {
    GY_LINE_START,
    GY_LINE_X_LOW,
    GY_LINE_X_HIGH,
    GY_LINE_Y_LOW,
    GY_LINE_Y_HIGH,
    GY_LINE_RAIN,
    GY_LINE_EVAPORATION,
    GY_LINE_EDITS,
    GY_LINE_LAYERS,
    GY_LINE_GONE, // of elements that were removed
    GY_LEDGER_LINES
};

/// State that is neither a field nor a property; saved and hashed but for places of elements that
/// are not there, see gy_water_extra_parts.
typedef struct gy_water_extra {
    double lines[GY_LEDGER_LINES];
    double rain_due, evaporation_due; // m, less than a quantum, or a drop
    double clock;                     // s of the flow: time less what was dropped
    // Then: for each place of the pool edges, of sources and of bodies a gy_water_entry; the high
    // sides' discharges of mode wave, n[1] + n[0] floats; a byte of calm per tile.
} gy_water_extra;

typedef struct gy_water_entry {
    uint64_t id;
    double line; // edges, sources: m of depth summed over cells; bodies: m^3
    double due;  // sources: m, less than a quantum
} gy_water_entry;

/// A face of a gate: the cells on its low and high side.
typedef struct gy_gate_face {
    int32_t gate;
    int32_t i, j; // the cell on the high side
    int32_t axis;
} gy_gate_face;

/// A cell of an absorbing layer.
typedef struct gy_layer_cell {
    int32_t i, j;
    int32_t rule; // as of a gy_water_face
    float rate;   // 1/s
} gy_layer_cell;

/// A cell of a strip that makes waves: see maker.c.
typedef struct gy_maker_cell {
    int32_t i, j;
    int32_t rule;     // as of a gy_water_face
    float at, middle; // m inwards of the strip's middle; how far that is from the side
    float in[2];      // the way in
} gy_maker_cell;

/// A list that grows when a def changes, never in a step.
typedef struct gy_list {
    void *items;
    int count;
    size_t bytes;
} gy_list;

/// Tables that ops read.
enum {
    GY_TABLE_LIST,
    GY_TABLE_SLOT,
    GY_TABLE_TILE,
    GY_TABLE_STEPPING,
    GY_TABLE_CURRENT,
    GY_TABLES
};

/// Of water on a device with memory of its own: tiles are there twice. The host's are as they were
/// before the device's last step (`behind`), or as they are; then some of them may have been
/// edited, which gy_tiles.edited says. See device_memory.c.
typedef struct gy_water_device {
    bool is;     // all else is 0 where the device works on the host's memory
    bool behind; // under `lock`: questions may be asked by several threads
    gy_mutex *lock;
    size_t tile_bytes;
    char *memory; // of the device: the tables as it has them, `change`, `sums`
    size_t bytes;
    char *table[GY_TABLES];
    float *change;            // of a slot: what the device has told
    float *window[GY_FIELDS]; // of the device, made when somebody wants to see the field there
    double *sums;             // of a slot: what came and what went
    gy_shallow_told *told;    // of the device, of a slot: what a step of shallow water has told
    size_t told_bytes;
    char *rules; // of the device: faces with rules, ghosts, first faces of tiles
    size_t rule_bytes;
} gy_water_device;

/// A set of bodies that the water was handed, and how it sees them: as bodies behind its own.
typedef struct gy_water_set {
    void *memory; // of what follows and of gyre_water.body; NULL: there is no set
    size_t bytes;
    gyre_water_body *all; // its own, copied for a step, and the set's
    gyre_pool pool;       // of these
    double *displaced;    // m^3, of each
    gy_list *points;      // of each of the set's, about its centre of mass, where that is not 0
    int room;             // for the set's
    uint64_t changes;     // of the set when its bodies were looked through
    int64_t steps;        // of the set when deforming bodies were
} gy_water_set;

/// What is told of a body, see gyre_model_report().
typedef struct gy_body_reading {
    gyre_pose pose;
    float force[3], torque[3];
    float submerged, draft;
} gy_body_reading;

struct gyre_water {
    gyre_model model; // first
    gy_water_device device;
    gyre_water_def *def;
    gyre_grid grid; // where it is: the def's, or elsewhere once it has moved
    gyre_host host;
    void *memory;
    size_t bytes;
    gyre_field_info fields[GY_FIELDS];
    gy_body_reading body_reading;
    gy_list stage[GY_FIELDS]; // dense windows, made when first mapped
    int staged;               // samples from row to row of the largest
    gy_tiles tiles;
    uint8_t *live;     // of a tile: a cell of it is not cut out
    uint8_t *plain;    // of a tile: no flag is set
    uint8_t *stepping; // of a slot
    uint8_t *touched;  // of a slot: changed from outside since the last step
    int32_t *list;
    int listed;
    gy_tile_result *result;
    gy_water_extra *extra;
    gy_water_entry *edges, *sources, *bodies;
    int edge_room, source_room, body_room;
    float *high_q[2]; // discharges across the high x and y sides, mode wave
    float *high_next[2];
    uint8_t *calm; // of a tile
    gy_list faces; // gy_water_face
    int32_t *first_face;
    gy_list gates;         // gy_gate_face
    gy_list layers;        // gy_layer_cell
    gy_list makers;        // gy_maker_cell
    float gate_points[48]; // of the mesh of a gate that was asked for last
    gy_water_ghost ghost[GY_WATER_SIDES];
    float *ghosts;
    float quantum; // of depths that are filled in, and in mode exact of all passes
    gy_bodies *body;
    void *body_memory;
    double *displaced; // m^3, of each body
    gy_water_set set;
    bool left;      // bodies that are gone may have left something displaced
    double waiting; // m^3
    gyre_water_stats stats;
    bool stats_fresh;
    struct gy_snapshots *snapshots;
    void *snapshot_memory;
    gy_list edited;  // m of depth that edits have added, a float per cell; see regions.c
    gy_list regions; // scratch of gyre_water_redistribute
    gy_list journey, journey_row; // scratch of gy_water_shift
    gy_list overhang;             // the mesh of sheets that was asked for last, and its scratch
    void *dispersive;             // of that mode: see dispersive.c
    void *pressure;               // that is not hydrostatic: see pressure.c
    gy_water_sea *sea;            // where it is a window of one, else NULL: see sea.c
    struct gy_nest *nest;         // that it is the fine water of
    struct gy_nest *nested;       // those that it is the coarse water of
    gy_particles own_dust;        // planned; where nothing breaks also kept
    gy_particles *dust;           // where the def asks for it
    void *dust_memory;
    void *breaking_memory;
    struct gy_breaking *breaking; // NULL: nothing breaks; see breaking.h
    struct gy_traces *traces;     // NULL: the def asks for none; see traces.h
};

extern const gy_model_type gy_water_type;

// def.c
void gy_water_default(int dim, void *def);
gyre_result gy_water_check(const void *def);
gyre_result gy_water_check_all(const gyre_water_def *def);

// create.c
size_t gy_water_bytes(const void *def);
gyre_result gy_water_make(gyre_device *device, const void *def, gyre_model **model);
void gy_water_unmake(gyre_model *model);
/// All of gyre_model.extra: see gy_model_type.
int gy_water_extra_parts(const gyre_model *model, gy_extra_part parts[GY_EXTRA_PARTS]);
gyre_result gy_list_reserve(const gyre_water *water, gy_list *list, int count, size_t size);
void gy_list_free(const gyre_water *water, gy_list *list);

// terrain.c: the bed, what is cut out, faces that are shut; slots for tiles
float gy_water_bed_at(const gyre_water *water, int i, int j);
/// The slot of a tile, taken from those left if it has none yet; -1 when there is none left or the
/// tile is all cut out.
int gy_water_slot(gyre_water *water, int tile);
bool gy_water_tile_live(const gyre_water *water, int tile);
/// Flags, faces with rules, gates, layers, ghosts: anew from the def.
gyre_result gy_water_shape(gyre_water *water);
gyre_result gy_water_fill(gyre_water *water);

/// The level at rest, on the quantum.
float gy_water_level_at(const gyre_water *water);

/// Whether the bed is land by its height, to linear waves; whether a mask or an edge cuts it out.
bool gy_water_is_land(const gyre_water *water, int i, int j);
bool gy_water_is_cut(const gyre_water *water, int i, int j);

// outline.c: of linear waves
/// Whether flags say what the bed does.
bool gy_water_outline_is(const gyre_water *water);
/// Brings land and water in line with the bed, and moves the water that is concerned.
gyre_result gy_water_outline(gyre_water *water);
/// Uplifts have changed: land that is to be dug has memory.
gyre_result gy_water_check_digging(gyre_water *water);

// shift.c
gyre_result gy_water_shift(gyre_model *model, const int cells[3]);
/// Puts the grid where model->place says.
void gy_water_find_place(gyre_water *water);
/// Goes after the body that the def names.
gyre_result gy_water_follow(gyre_water *water);

// around.c: see gy_model_type
gy_around gy_water_around(const gyre_model *model);
bool gy_water_is_clear(const gyre_model *model, const gy_around *around, const gy_box *box);
void gy_water_holds(const gyre_model *model, const gy_around *around, int j, int k, int first,
                    int count, int32_t *holds);
bool gy_water_is_shut(const gyre_model *model, const gy_around *around, int axis,
                      const int cell[3]);

// fields.c
void gy_water_name_fields(gyre_water *water);
gyre_result gy_water_map(gyre_model *model, int field);
gyre_result gy_water_unmap(gyre_model *model, int field);
void gy_water_window(const gyre_model *model, int field, gyre_field_view *view);
void gy_water_read_row(const gyre_model *model, int field, int j, int k, float *row);
float gy_water_read_sample(const gyre_model *model, int field, int i, int j, int k);
bool gy_water_cutout(const gyre_model *model, int field, int i, int j, gy_cutout *cutout);
void gy_water_write_row(gyre_model *model, int field, int j, int k, const float *row);
int gy_water_shared_rows(const gyre_model *model, int field, bool out);
void gy_water_derive(gyre_model *model, int field);
/// A sample of a field of the state where it is kept; NULL: in a tile without memory.
const float *gy_water_sample(const gyre_water *w, int field, int i, int j);
/// Of a derived field.
float gy_water_derived(const gyre_water *w, int field, int i, int j);
extern const gyre_field_info gy_water_derived_list[GY_FIELDS - GY_FIELD_STATES];
void gy_water_written(gyre_model *model, int field);
gyre_result gy_water_splat(gyre_model *model, int field, const float centre[3], float radius,
                           float amount);
double gy_water_total(const gyre_model *model, int field);

// coriolis.c: the Earth's rotation
bool gy_water_turns(const gyre_water *water);
/// m, y of the grid's lower side, wherever the world's origin has gone: the Earth stays.
float gy_water_low_y(const gyre_water *water);
/// s of the longest substep for its sake.
/// Of mode shallow on a turning Earth: faces damp slow flow less. What steps are multiplied by.
double gy_water_turn_loosely(const gyre_water *water, gy_water_job *job);
double gy_water_turn_limit(const gyre_water *water);
/// Turns the discharges of the listed tiles; nothing where the water does not turn.
void gy_water_turn_centres(gyre_water *water, gy_water_job *job, double dt);
/// Before water_wave, of which it takes half the pull; `substep` counts those of a step.
void gy_water_turn_faces(gyre_water *water, gy_water_job *job, float dt, int substep);

// step.c
gyre_result gy_water_step(gyre_model *model, float dt);
gy_water_job gy_water_job_make(gyre_water *water);
/// Marks a tile as changed from outside: it wakes up and its waves are measured anew.
void gy_water_touch(gyre_water *water, int slot);
/// A level's depth of a cell, m: what is added to it is rounded to the quantum in mode exact.
float gy_water_round(const gyre_water *water, double amount);
gy_water_surface gy_water_surface_of(gyre_water *water);

// device_memory.c
/// The ops that this def needs are there.
gyre_result gy_water_require(gyre_device *device, const gyre_water_def *def);
gyre_result gy_water_device_make(gyre_water *water, const gyre_water_def *def, gyre_device *device);
void gy_water_device_free(gyre_water *water);
/// Before the host reads tiles or writes them, by whatever way: brings its copy of them up to date.
void gy_water_fetch(const gyre_water *water);
/// Ops over the tiles of the job's list, wherever the water is; what the second tells is in
/// `result`.
void gy_water_run(gyre_water *water, gy_op op, const gy_water_job *job);
void gy_water_run_weather(gyre_water *water, const gy_water_job *job);
void gy_water_run_turn(gyre_water *water, const gy_water_job *job);
/// water_shallow, water_measure: what they tell is in `result`, and in the faces what passed them.
void gy_water_run_shallow(gyre_water *water, gy_op op, const gy_water_job *job);
/// After faces were found: room for them on the device.
gyre_result gy_water_device_rules(gyre_water *water);
/// The op of dust, wherever that and the water are.
struct gy_dust_job;
void gy_water_run_dust(gyre_water *water, const struct gy_dust_job *job);
gyre_result gy_water_gather(gyre_model *model, int field, const void **at);
/// Brings `result` of the listed tiles up to date.
void gy_water_ask_change(gyre_water *water);

// body_set.c
gyre_result gy_water_use_bodies(gyre_model *model, gyre_bodies *bodies);
gyre_result gy_water_meet_bodies(gyre_model *model);
/// The surface of a body of the set round periodic sides; `own`: it is not where the set has it.
gyre_result gy_water_body_mesh(gyre_model *model, int index, gyre_mesh *mesh, bool *own);
void gy_water_leave_bodies(gyre_water *water);
/// Bodies of its own came, went or changed.
gyre_result gy_water_bodies_changed(gyre_water *water);
/// Tells them which sides are joined.
void gy_water_join_bodies(gyre_water *water);
/// Whether there are bodies, or were.
bool gy_water_has_bodies(const gyre_water *water);
/// What all of them displace, as they are now.
void gy_water_displace(gyre_water *water, const gy_water_surface *surf);
/// Moves its own, and pushes those of the set.
void gy_water_move_bodies(gyre_water *water, const gy_water_surface *surf, float dt);

// dust.c
/// Bytes that it takes; 0: there is none.
size_t gy_water_plan_dust(gyre_water *water, const gyre_water_def *def);
/// What the def begins with.
void gy_water_start_dust(gyre_water *water);
/// By the flow as it is; `last`: for the last time in a step.
void gy_water_carry_dust(gyre_water *water, float dt, bool last);
/// At the end of a step that began at a time: takes away what is gone, brings what is new.
void gy_water_end_dust(gyre_water *water, double before);

// sides.c
void gy_water_ghosts(gyre_water *water, float dt);
void gy_water_book_faces(gyre_water *water);
void gy_water_wave_faces(gyre_water *water, const gy_water_job *job, float dt);
void gy_water_gates(gyre_water *water, const gy_water_job *job, float dt);
void gy_water_layers(gyre_water *water, float dt);
const gyre_water_side *gy_water_rule(const gyre_water *water, int rule);

// sources.c
void gy_water_weather(gyre_water *water, const gy_water_job *job, float dt);
void gy_water_sources(gyre_water *water, float dt);
// drops.c
/// Lets what rain is due fall in whole drops.
void gy_water_drops(gyre_water *water);
gyre_result gy_water_uplifts(gyre_water *water, float dt);

// ledger.c
void gy_water_book(gyre_water *water, int line, double depth);
void gy_water_book_rule(gyre_water *water, int rule, double depth);
void gy_water_entries_changed(gyre_water *water);
/// Depth of water summed over cells, m, displaced water not counted.
double gy_water_depths(const gyre_water *water);
/// Volume of mode wave's water at rest, summed as depth over cells.
double gy_water_depths_at_rest(const gyre_water *water);
const void *gy_water_get_stats(gyre_model *model);
const gyre_property *gy_water_report(const gyre_model *model, const char *pool, int index,
                                     const void **report);

// query.c: the copies that questions beside a step are answered from
size_t gy_snapshots_size(const gyre_water *water, int slots);
void gy_snapshots_make(gyre_water *water, void *memory);
/// A slot's water has changed.
void gy_snapshots_note(gyre_water *water, int slot);
/// Hands out a copy of the water as it is now.
void gy_snapshots_publish(gyre_water *water);
/// The surface and depth, m, that queries mix between the middles of cells i, j and the next ones:
/// of (low x, low y), (high x, low y), (low x, high y), (high x, high y). Round periodic sides;
/// beyond others it is as at the edge. Not of finer waters within.
void gy_water_square(const gyre_water *water, int i, int j, float surface[4], float depth[4]);

// regions.c
/// Notes what an edit from outside has done to a cell's depth.
void gy_water_note_edit(gyre_water *water, int i, int j, double change);

// nest.c, nest_step.c: waters with finer ones in them
/// Whether a side is joined to a coarser water.
bool gy_nest_joins(const gyre_water *water, int rule);
/// Whether water may stand in a cell beyond a side that is joined.
bool gy_nest_is_open(const gyre_water *water, int i, int j);
gy_water_ghost gy_nest_ghost(const gyre_water *water, int side);
const gy_water_join *gy_nest_joins_of(const gyre_water *water);
/// Ends what a water that goes away was part of.
void gy_nest_leave(gyre_water *water);
/// What a step of dt has to step the flow by, s: with `every` it waits, or goes ahead. False: not
/// at all.
bool gy_nest_is_due(gyre_water *water, float dt, float *seconds);
/// Before a step, before a substep of shallow water, after each substep, after a step.
gyre_result gy_nest_begin(gyre_water *water, float seconds);
void gy_nest_ghosts(gyre_water *water);
void gy_nest_note(gyre_water *water, float dt);
/// Gives `amount` m of a cell's depth that flies beyond a nested water's sides, with its momentum,
/// to the coarse water there; false: it is in none, or there is no water there.
bool gy_nest_catch(gyre_water *water, const float at[3], const float velocity[3], double amount);
gyre_result gy_nest_end(gyre_water *water, float seconds);
/// m^2/s inwards across a face of a joined side, mode wave.
float gy_nest_discharge(const gyre_water *water, int rule, int along);
/// Before a move by so many cells; after it.
gyre_result gy_nest_check_shift(const gyre_water *water, const int cells[3]);
gyre_result gy_nest_moved(gyre_water *water);
/// The finest water that there is at a point.
const gyre_water *gy_nest_finest(const gyre_water *water, const float at[2]);
/// What stands between both begins anew: they stand at one time.
void gy_nest_forget(gyre_water *water);
void gy_nest_copy_more(gyre_model *model, char *bytes, size_t size, bool out);

// water.c
gyre_result gy_water_changed(gyre_model *model, const char *pool);

#endif
