// ocean/ocean.h: the inside of the model "ocean".
#ifndef GY_OCEAN_OCEAN_H
#define GY_OCEAN_OCEAN_H

#include "gyre/ocean.h"
#include "model/model.h"
#include "ocean/ops/args.h"
#include "ocean/particles.h"

extern const gy_model_type gy_ocean_type;

enum {
    GY_OCEAN_CASCADES = 4,
    GY_OCEAN_MOMENTS = 2,  // times whose waves are kept
    GY_OCEAN_PARTS = 6,    // fields of a patch: height, displacements, rise, velocities
    GY_OCEAN_OVERLAP = 8,  // waves of a square that the one before still has
    GY_OCEAN_WAVES = 4096, // most trains
    GY_OCEAN_SEAS = 16,
    GY_OCEAN_EMITTERS = 256,
    GY_OCEAN_FAMILIES = 1 << 20,
    GY_OCEAN_SHEDDERS = 1024
};

/// Fields of the model, in order; foam alone is kept, and each of the others made from the time.
enum {
    GY_OCEAN_FOAM,
    GY_OCEAN_SURFACE,
    GY_OCEAN_BED,
    GY_OCEAN_HEIGHT,
    GY_OCEAN_DISPLACEMENT_X,
    GY_OCEAN_DISPLACEMENT_Y,
    GY_OCEAN_RISE,
    GY_OCEAN_VELOCITY_X,
    GY_OCEAN_VELOCITY_Y,
    GY_OCEAN_SLOPE_X,
    GY_OCEAN_SLOPE_Y,
    GY_OCEAN_FOLDING,
    GY_OCEAN_FIELDS
};

/// A train as it is summed.
typedef struct gy_ocean_train {
    double turns[2];                // per metre
    double start;                   // turns at the origin at time 0
    uint64_t rate;                  // 2^-40 Hz
    float amplitude, number, speed; // m, 1/m, rad/s
    float along[2];                 // unit vector
    float sideways;                 // coth(k depth)
    float steepness;
} gy_ocean_train;

/// A sea as its spectrum is worked out.
typedef struct gy_ocean_system {
    double peak, scale, number; // rad/s; m^2 (rad/s)^4; rad/m of the peak
    double wind, gravity;
    float gamma, along[2], exponent, swell;
    int32_t spread;
    double m0; // m^2
} gy_ocean_system;

/// The waves of patches at a time.
typedef struct gy_ocean_moment {
    int64_t ticks[2]; // of the surface, of its motion
    float below;      // of the motion
    bool made[2];
    uint64_t used;
    gy_ocean_bins bins;                // of the families of the surface's time
    float *part[GY_OCEAN_CASCADES][2]; // three fields each
} gy_ocean_moment;

typedef struct gyre_ocean {
    gyre_model model; // first
    gyre_ocean_def *def;
    gyre_host host;
    void *memory; // the model and what is shown of it
    size_t bytes;
    void *arena; // the device's: what ops work on
    size_t arena_bytes;
    bool remote; // in a memory of its own: twins work there
    gyre_field_info fields[GY_OCEAN_FIELDS];
    float *foam, *spare;                     // n[0] x n[1]
    int cells, cascades, columns, row_count; // of a patch: highest wave number, rows of them
    double side[GY_OCEAN_CASCADES], per_side[GY_OCEAN_CASCADES]; // m, 1/m
    float *waves[GY_OCEAN_CASCADES], *fade[GY_OCEAN_CASCADES];
    float *filter, *twiddle, *middle, *scratch;
    int32_t *place;
    int32_t radix[6];
    gy_ocean_moment moments[GY_OCEAN_MOMENTS];
    uint64_t clock;
    float faded; // what the tables of fade are of
    gy_ocean_train *trains;
    int train_count;
    gy_ocean_shed *shed; // what bodies have shed; NULL: there is no room for it
    uint64_t emissions;  // how often that has changed
    uint64_t changes;    // how often the def or that has changed
    bool stale;          // tables are not of the def as it is
    bool empty;          // no waves of spectra
    gyre_ocean_stats stats;
} gyre_ocean;

/// What is known at the water that rests at a point: sums over all waves.
typedef struct gy_ocean_here {
    float height, move[2];
    float slope[2];    // of the height over places at rest
    float stretch[3];  // of the displacement: xx, yy, xy
    float velocity[3]; // z: rise
} gy_ocean_here;

// def.c
gyre_result gy_ocean_check(const void *def);
void gy_ocean_default(int dim, void *def);

// spectrum.c
double gy_ocean_tanh(double x);
/// rad/s of waves of k rad/m, and the other way.
double gy_ocean_frequency(const gyre_ocean_def *def, double k);
double gy_ocean_number(const gyre_ocean_def *def, double frequency);
double gy_ocean_group_speed(const gyre_ocean_def *def, double k);
gy_ocean_system gy_ocean_system_of(const gyre_ocean_def *def, const gyre_ocean_sea *sea);
/// m^2 s, energy over frequency; and share per radian of direction.
double gy_ocean_energy(const gyre_ocean_def *def, const gy_ocean_system *s, double frequency,
                       double k);
float gy_ocean_spreading(const gy_ocean_system *s, float frequency, float cosine);

// tables.c
/// Bytes of the block behind the model's head, and of the arena; both laid out where they are.
size_t gy_ocean_plan(gyre_ocean *o, const gyre_ocean_def *def, char *base, size_t used);
size_t gy_ocean_plan_arena(gyre_ocean *o, const gyre_ocean_def *def, char *base);
void gy_ocean_constants(gyre_ocean *o);
/// Brings tables in line with the def.
void gy_ocean_refresh(gyre_ocean *o);

/// In place of a depth below the level: velocities are discharges, m^2/s, through all of the depth.
#define GY_OCEAN_FLOW -2.0f

// sample.c
int64_t gy_ocean_ticks(double time);
/// The waves of a time; with motion, their velocities, too.
gy_ocean_moment *gy_ocean_moment_at(gyre_ocean *o, int64_t ticks, bool motion, float below);
/// Runs the ops of a cascade into three fields.
void gy_ocean_run(gyre_ocean *o, int cascade, int64_t ticks, bool motion, bool spline, bool deep,
                  float *fields);
/// Weights of the four coefficients round share t of a cell, and of their slope; the cell of a
/// place along an axis and the share of it that lies before.
void gy_ocean_weights(float t, float w[4]);
void gy_ocean_slopes(float t, float scale, float w[4]);
int gy_ocean_cell(double x, double per_side, int n, float *share);
enum { GY_WITH_MOVE = 1, GY_WITH_HEIGHT = 2, GY_WITH_MOTION = 4 };
void gy_ocean_add_patches(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                          int what, gy_ocean_here *here);
/// Without velocities where `below` is less than 0.
void gy_ocean_find(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                   float below, gyre_ocean_sample *sample);
/// The height over the level of waves without particles.
float gy_ocean_swell(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2]);
/// The sea at many points: height over the level, and the surface's velocity or, with `flow`, the
/// discharge (two numbers), by linear theory at the point itself. Spread over the device's threads.
typedef struct gy_ocean_answer {
    float height, velocity[3];
} gy_ocean_answer;
gyre_result gy_ocean_look(gyre_ocean *o, double time, bool flow, const double *points, int count,
                          void (*put)(void *user, int k, const gy_ocean_answer *answer),
                          void *user);

// fields.c
void gy_ocean_name_fields(gyre_ocean *o);
void gy_ocean_derive(gyre_model *model, int field);
void gy_ocean_grow_foam(gyre_ocean *o, float dt);

// particles.c
/// What particles of emitters and bodies add at a point, at the moment's time.
void gy_ocean_add_particles(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                            gy_ocean_lift *lift);
/// Sorts what bodies have shed by where it is at the moment's time.
void gy_ocean_sort(gyre_ocean *o, gy_ocean_moment *m);
double gy_ocean_particle_speed(const gyre_ocean_def *def, float radius, float speed);
/// Whether particles move water sideways.
static inline bool gy_ocean_slants(const gyre_ocean *o)
{
    return o->def->particles.sideways > 0.0f && (o->shed || o->def->emitters.count > 0);
}

// shed.c
/// Bytes of what is kept of bodies, which is state, and of what sorts it at one time.
size_t gy_ocean_shed_size(const gyre_ocean_def *def);
size_t gy_ocean_bins_size(const gyre_ocean_def *def);
gyre_result gy_ocean_use_bodies(gyre_model *model, gyre_bodies *bodies);
/// Before a step: bodies that have moved far enough shed.
void gy_ocean_shed_now(gyre_ocean *o);
void gy_ocean_regain(gyre_model *model);
int gy_ocean_extra_parts(const gyre_model *model, gy_extra_part parts[GY_EXTRA_PARTS]);
void gy_ocean_count_particles(gyre_ocean *o);

// trains.c
/// What is left of a motion below the surface: of its rise, and of what is along it.
void gy_ocean_fading(float k, float depth, float below, float fade[2]);
void gy_ocean_add_trains(const gyre_ocean *o, int64_t ticks, const double point[2], float below,
                         gy_ocean_here *here);
#endif
