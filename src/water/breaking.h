// water/breaking.h: what the files of steep fronts, water in the air and foam share.
#ifndef GY_BREAKING_H
#define GY_BREAKING_H

#include "water/water.h"

/// A particle's attributes. Those of foam are the drift's (model/drift.h) and how far below the
/// surface it is.
enum {
    GY_AIR_POSITION,
    GY_AIR_AGE,
    GY_AIR_ID,
    GY_AIR_VELOCITY,
    GY_AIR_AMOUNT,
    GY_AIR_DROP, // attributes of a drop
    GY_AIR_SHEET = GY_AIR_DROP,
    GY_AIR_ROW,
    GY_AIR_PLACE,
    GY_AIR_ATTRIBUTES,
    GY_FOAM_BELOW = 3,
    GY_FOAM_ATTRIBUTES
};

/// The most fronts that are followed at a time.
enum { GY_FRONTS_AT_ONCE = 4096 };

enum { GY_SET_DUST, GY_SET_PATCHES, GY_SET_SPRAY, GY_SET_FOAM, GY_SETS };

/// A front, saved and hashed with those that there are: no padding.
typedef struct gy_front {
    int32_t id, parent;
    int32_t first, count; // of its points
    int32_t axis;         // its points are at different places across this axis
    int32_t row;          // of the sheet that it throws
    float age, due;       // s; until the next row
    float position[3], normal[2];
    float speed, height, depth, length;
    float steep; // 1: it breaks; 0.5: it is about to; 0: it is watched
} gy_front;

/// A cell of a front's line, the steepest of its place.
typedef struct gy_front_point {
    int32_t i, j;
    int32_t crest[2]; // the cell of the crest behind it
    float rate;       // m/s, at which the surface rises
    float slope;
    float ratio; // of the speed of the crest's water to the crest's own, where it is looked at
} gy_front_point;

/// State of it, behind all else of gyre_water.extra.
typedef struct gy_breaking_state {
    double line;    // m of depth over cells, that the air has given less what it has got
    double due;     // m, that landed and was less than could be added
    double push[2]; // m of depth times m/s: momentum likewise
    double lost;    // m: of `line`, gone beyond the domain
    int64_t merged, split, fronts_refused, patches_refused, spray_refused;
    int32_t next_id, front_count, point_count, throws;
    // Then the fronts, for each body's place what it displaced, m^3, and the fronts' points.
} gy_breaking_state;

typedef struct gy_breaking {
    gy_particles sets[GY_SETS];
    gy_breaking_state *state;
    gy_front *fronts, *next; // next: scratch
    gy_front_point *points, *steep;
    double *displaced;
    int32_t *label; // of a cell, between steps 0
    int32_t *list, *near;
    int near_count;
    int most_points, cells;
} gy_breaking;

// breaking.c
bool gy_breaking_wanted(const gyre_water_def *def);
/// Bytes that it takes beside the state; bytes of that.
size_t gy_breaking_size(const gyre_water *water, const gyre_water_def *def);
size_t gy_breaking_state_size(const gyre_water *water, const gyre_water_def *def);
/// Puts it where plan() has found room.
void gy_breaking_place(gyre_water *water, const gyre_water_def *def, void *memory, void *state);
/// The parts of the state: see gy_model_type.
int gy_breaking_parts(const gyre_water *water, gy_extra_part *parts);
/// After a load: fronts that no water has saved are none.
void gy_breaking_regain(gyre_water *water);
/// At the end of a step.
void gy_breaking_step(gyre_water *water, float dt);
void gy_breaking_moved(gyre_water *water, const int cells[2], uint32_t periodic);
void gy_breaking_stats(gyre_water *water);

/// How many lines there is room for: where nobody asks for fronts the pressure of flow that bends
/// looks for them itself.
int gy_fronts_room(const gyre_water_def *def);

// fronts.c
void gy_fronts_find(gyre_water *water, float dt);

// onset.c
/// Speed of a crest's water at the surface over the crest's own, along an axis; `turn`: cos^2 of
/// the angle between the wave's way and the axis. 0: on dry ground.
float gy_crest_ratio(const gyre_water *water, const gy_front_point *point, int axis, float turn);
/// Sets what rows of cells, `stride` floats each, have at those of fronts to 1: from the crest to
/// as far beyond the steepest cell.
void gy_fronts_mark(const gyre_water *water, float *rows, int stride);

/// What a particle begins with.
typedef struct gy_thrown {
    float at[3], velocity[3];
    int32_t sheet, row, place;
} gy_thrown;

// air.c
/// The cell that holds a column; NULL: none does.
float *gy_air_column(gyre_water *water, int i, int j, int *slot, int *place);
/// Takes up to `amount` m out of a column, at most a share of it, with its momentum, into a
/// particle of a set; what it took: 0 where there is no room or too little water.
float gy_air_throw(gyre_water *water, int set, int i, int j, float amount, float share,
                   const gy_thrown *thrown);
/// The same of water that has left its column already.
bool gy_air_add(gyre_water *water, int set, float amount, const gy_thrown *thrown);
/// Whether a set has room for one more; if not, that is counted.
bool gy_air_room(gyre_water *water, int set);
/// Moves a particle to an earlier place.
void gy_air_keep(const gy_particles *set, int64_t from, int64_t to);
void gy_air_fly(gyre_water *water, float dt);

// throw.c
/// Water of each place of a front's row, m of depth.
float gy_front_amount(const gyre_water *water, const gy_front *front);
/// Where and how fast a place of a front would throw now, as its next row; false: it does not.
bool gy_front_launch(const gyre_water *water, const gy_front *front, const gy_front_point *point,
                     gy_thrown *thrown);
void gy_fronts_throw(gyre_water *water, float dt);
void gy_falls(gyre_water *water, float dt);
void gy_splashes(gyre_water *water, float dt);
/// What runs over a weir in a substep, m of depth out of the column at `from`, where there is room;
/// `heights`: of the upper water and the crest.
bool gy_weir_throws(gyre_water *water, const gy_gate_face *face, int up, float moved, float dt,
                    const float heights[2], float *from);

// overhang.c
/// What is in the air in sheets, as one closed surface in the world, in memory of the water's.
gyre_result gy_water_overhang(gyre_model *model, gyre_mesh *mesh);

// overhang_volume.c
enum { GY_SQUARES = 64 };

/// Heights of the water in the corners of a square between the middles of cells, and its depths.
typedef struct gy_square {
    double surface[4], depth[4];
    int32_t at[2]; // the cell of the low corner
    bool shore;    // depths count
    bool is;       // it has been made
} gy_square;

/// A triangle's part, m^3, of what a closed surface has above the water's: columns down to that,
/// less than 0 where it looks down. `kept`: GY_SQUARES of them, at first zero; a thread at a time.
double gy_water_volume_above(const gyre_water *water, const float *const points[3],
                             gy_square *kept);

// foam.c
void gy_foam_add(gyre_water *water, const float at[3], float volume, float speed);
void gy_foam_step(gyre_water *water, float dt);

#endif
