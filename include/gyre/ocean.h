/// @file gyre/ocean.h
/// A procedural sea: wave trains, spectra of wind waves and swell, and wave particles, summed.
/// Nothing is stepped: its surface is a function of seed and time, so that any place at any time,
/// also ahead, can be asked for, and is the same on every machine.
///
/// Type "ocean" of gyre/model.h. See doc/ocean.md for equations, accuracy and cost.
///
/// Threads: as of every model; gyre_ocean_query() and gyre_ocean_tile() may be called by several
/// threads at once and take turns.
#ifndef GYRE_OCEAN_H
#define GYRE_OCEAN_H

#include "gyre/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A sea.
typedef struct gyre_ocean gyre_ocean;

/// One train of waves: a sine, or Gerstner's trochoid.
typedef struct gyre_ocean_wave {
    char name[32];   ///< for paths
    bool enabled;    ///< whether it counts
    float amplitude; ///< m, half the height from trough to crest
    float length;    ///< m between crests; 0: as the period has it
    float period;    ///< s; 0: as the length has it. Exactly one of the two is not 0
    float direction; ///< degrees from +x towards +y: where it goes
    float phase;     ///< degrees: a crest stands at the origin at time 0 for 0
    float steepness; ///< 0: a sine .. 1: Gerstner, whose particles go round whole circles
} gyre_ocean_wave;

/// By what a sea's spectrum is given.
typedef enum gyre_ocean_given {
    GYRE_OCEAN_WIND,  ///< speed and fetch: JONSWAP's own alpha and peak
    GYRE_OCEAN_HEIGHT ///< significant height and peak period
} gyre_ocean_given;

/// How a sea's waves spread about its direction.
typedef enum gyre_ocean_spread {
    GYRE_OCEAN_COSINE,    ///< cos^2s(theta / 2), the same s for all frequencies
    GYRE_OCEAN_MITSUYASU, ///< s by frequency: Mitsuyasu et al. 1975
    GYRE_OCEAN_HASSELMANN ///< s by frequency: Hasselmann, Dunckel and Ewing 1980
} gyre_ocean_spread;

/// One system of wind waves, or of swell: a JONSWAP spectrum, TMA's where the ocean has a depth.
typedef struct gyre_ocean_sea {
    char name[32];            ///< for paths
    bool enabled;             ///< whether it counts
    int32_t given;            ///< gyre_ocean_given
    float wind_speed;         ///< m/s, 10 m above the water; also of `mitsuyasu`, `hasselmann`
    float fetch;              ///< m over which the wind has blown
    float significant_height; ///< m, four times the standard deviation of the surface
    float peak_period;        ///< s, of the waves with the most energy
    float gamma;              ///< peak enhancement; 1: Pierson and Moskowitz
    float direction;          ///< degrees from +x towards +y: where waves go
    int32_t spread;           ///< gyre_ocean_spread
    float exponent;           ///< s of `cosine`
    float swell;              ///< 0 .. 1: how far waves are drawn out in crests (Horvath 2015)
} gyre_ocean_sea;

/// What gives off rings of wave particles (Yuksel, House and Keyser 2007): a drop, or a body that
/// moves along a line.
typedef struct gyre_ocean_emitter {
    char name[32];     ///< for paths
    bool enabled;      ///< whether it counts
    float point[2];    ///< m, where it is at `start`
    float velocity[2]; ///< m/s
    float start;       ///< s, of the first ring
    float interval;    ///< s between rings; 0: there is one
    float end;         ///< s after which it gives off no more, where there is an interval
    float amplitude;   ///< m, of a ring at its birth; below 0: a hollow
    float radius;      ///< m, of a particle
    float speed;       ///< m/s, of particles; 0: that of waves two radii long
    float life;        ///< s after which a ring has faded
} gyre_ocean_emitter;

/// Which numbers a seed draws for the waves of a spectrum.
typedef enum gyre_ocean_draw {
    GYRE_OCEAN_PHASES,  ///< phases: the spectrum is met exactly
    GYRE_OCEAN_GAUSSIAN ///< amplitudes, too: heights come in groups as at sea
} gyre_ocean_draw;

/// The squares that hold the waves of spectra, which repeat.
typedef struct gyre_ocean_patch {
    float length;     ///< m, side of the largest
    int32_t cells;    ///< along a side: 16 to 1024, a power of two
    int32_t cascades; ///< squares, each for shorter waves than the one before
    float ratio;      ///< side of a square over that of the one before
    float finest;     ///< cells in the shortest wave of a square
} gyre_ocean_patch;

/// White water: grows where the surface folds and fades.
typedef struct gyre_ocean_foam {
    float rate;      ///< 1/s, growth where the Jacobian is 1 below the threshold; 0: no foam
    float threshold; ///< of the Jacobian of the displacement, 1 in calm water
    float life;      ///< s in which it fades to 1/e
} gyre_ocean_foam;

/// How a front of wave particles that bodies have shed falls as it widens to R.
typedef enum gyre_ocean_keeps {
    GYRE_OCEAN_VOLUME, ///< as 1/R: a particle that becomes three has a third left for each
    GYRE_OCEAN_ENERGY  ///< as 1/sqrt(R), as rings on real water
} gyre_ocean_keeps;

/// Wave particles, and how bodies of a set shed them as they move (gyre_model_use_bodies): Yuksel,
/// House and Keyser 2007. A body's outline, seen from above, sheds families of them, each an arc
/// that widens and whose particles become three when they stand more than half a radius apart.
typedef struct gyre_ocean_particles {
    int32_t capacity; ///< families at a time, 184 bytes each; 0: bodies shed none. When all are in
                      ///< use the oldest makes room: gyre_ocean_stats.families_cut
    int32_t bodies;   ///< that shed, at most
    float radius;     ///< m, of what bodies shed
    float speed;      ///< m/s, of that; 0: that of waves two radii long
    float life;       ///< s after which it has faded
    float strength;   ///< share of what they displace that becomes waves, or more
    float least;      ///< m: particles of a lower amplitude are gone
    float sideways;   ///< of all particles, emitters' too: 0: they move water up and down only, 1:
                      ///< along their way, too, as in that paper
    int32_t keeps;    ///< gyre_ocean_keeps; of what bodies shed
} gyre_ocean_particles;

/// What an ocean is made from. Take it from gyre_ocean_default_def().
typedef struct gyre_ocean_def {
    uint32_t cookie;        ///< set by gyre_ocean_default_def
    gyre_grid grid;         ///< dim 2: where fields are shown; the sea itself has no end
    float level;            ///< m, of the surface at rest
    float depth;            ///< m; 0: deep water
    float gravity;          ///< m/s^2
    float tension;          ///< m^3/s^2, surface tension over density; of water 7.3e-5
    float choppiness;       ///< 0: crests as round as troughs; 1: waves move sideways as far as up
    int32_t draw;           ///< gyre_ocean_draw
    int32_t seed;           ///< of the waves of spectra
    gyre_ocean_patch patch; ///< of spectra
    gyre_ocean_foam foam;   ///< white water
    gyre_pool waves;        ///< of gyre_ocean_wave
    gyre_pool seas;         ///< of gyre_ocean_sea
    gyre_pool emitters;     ///< of gyre_ocean_emitter
    gyre_ocean_particles particles; ///< what bodies shed
} gyre_ocean_def;

/// What the sea is like. Heights and periods are those of the waves that the patches hold, by
/// moments of their spectrum, without trains and particles.
typedef struct gyre_ocean_stats {
    int64_t step;              ///< steps since create
    double time;               ///< s
    double dt;                 ///< s, of the step
    int64_t components;        ///< waves of spectra
    double significant_height; ///< m, 4 sqrt(m0)
    double asked_height;       ///< m, the same of the whole spectra, as they are asked for
    double peak_period;        ///< s, of the component with the most energy
    double mean_period;        ///< s, sqrt(m0 / m2)
    double mean_direction;     ///< degrees, energy's
    double spread;             ///< degrees, circular standard deviation of directions
    int64_t particles;         ///< wave particles of bodies that are there
    int64_t families;          ///< that they belong to
    int64_t families_shed;     ///< ever, since create
    int64_t families_cut;      ///< of these, that made room before their life was over
    int32_t bodies_refused;    ///< that shed nothing for want of room (particles.bodies)
    double particle_volume;    ///< m^3, of those particles: crests less hollows
} gyre_ocean_stats;

/// An answer about one point.
typedef struct gyre_ocean_sample {
    float height;      ///< m, of the surface above (or below) the point
    float normal[3];   ///< unit, z up
    float velocity[3]; ///< m/s, of the water: at the surface, or at a depth below the level at rest
    float folding;     ///< Jacobian of the displacement: 1 in calm water, below 0 where it breaks
} gyre_ocean_sample;

/// Fills the first `size` bytes of a def, as the caller's headers have it: see
/// gyre_ocean_default_def(). For bindings; create refuses a def of another size than the library's.
/// Any thread.
GYRE_API void gyre_ocean_fill_def(gyre_ocean_def *def, size_t size, int dim);

/// A def with every default: flat, deep water, for `seas`, `waves` and `emitters` to be put in.
static inline gyre_ocean_def gyre_ocean_default_def(void)
{
    gyre_ocean_def def;
    gyre_ocean_fill_def(&def, sizeof def, 2);
    return def;
}
/// The property table of gyre_ocean_def.
extern GYRE_API const gyre_property gyre_ocean_properties[];
/// A wave with its defaults. Any thread.
GYRE_API gyre_ocean_wave gyre_ocean_default_wave(void);
/// A sea with its defaults. Any thread.
GYRE_API gyre_ocean_sea gyre_ocean_default_sea(void);
/// An emitter with its defaults. Any thread.
GYRE_API gyre_ocean_emitter gyre_ocean_default_emitter(void);

/// Bytes that an ocean of this def takes, all of them at create; 0 with a message for a bad def.
GYRE_API size_t gyre_ocean_size(const gyre_ocean_def *def);
/// Makes an ocean. The def and its lists are copied.
GYRE_API gyre_result gyre_ocean_create(gyre_device *device, const gyre_ocean_def *def,
                                       gyre_ocean **ocean);
/// Ends it. NULL is allowed.
GYRE_API void gyre_ocean_destroy(gyre_ocean *ocean);
/// The same object as a model, for the calls of gyre/model.h.
GYRE_API gyre_model *gyre_ocean_model(gyre_ocean *ocean);
/// Moves time on by dt seconds: 0 <= dt, finite. Costs nothing but what foam costs.
GYRE_API gyre_result gyre_ocean_step(gyre_ocean *ocean, float dt);
/// See gyre_model_set().
GYRE_API gyre_result gyre_ocean_set(gyre_ocean *ocean, const char *path, gyre_value value);
/// See gyre_model_get().
GYRE_API gyre_result gyre_ocean_get(const gyre_ocean *ocean, const char *path, gyre_value *value);
/// Adds a copy of a wave; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_ocean_add_wave(gyre_ocean *ocean, const gyre_ocean_wave *wave);
/// Replaces a wave: see gyre_model_update().
GYRE_API gyre_result gyre_ocean_update_wave(gyre_ocean *ocean, gyre_id id,
                                            const gyre_ocean_wave *wave);
/// A copy of a wave as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_ocean_read_wave(const gyre_ocean *ocean, gyre_id id,
                                          gyre_ocean_wave *wave);
/// Adds a copy of a sea; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_ocean_add_sea(gyre_ocean *ocean, const gyre_ocean_sea *sea);
/// Replaces a sea: see gyre_model_update().
GYRE_API gyre_result gyre_ocean_update_sea(gyre_ocean *ocean, gyre_id id,
                                           const gyre_ocean_sea *sea);
/// A copy of a sea as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_ocean_read_sea(const gyre_ocean *ocean, gyre_id id, gyre_ocean_sea *sea);
/// Adds a copy of an emitter; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_ocean_add_emitter(gyre_ocean *ocean, const gyre_ocean_emitter *emitter);
/// Replaces an emitter: see gyre_model_update().
GYRE_API gyre_result gyre_ocean_update_emitter(gyre_ocean *ocean, gyre_id id,
                                               const gyre_ocean_emitter *emitter);
/// A copy of an emitter as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_ocean_read_emitter(const gyre_ocean *ocean, gyre_id id,
                                             gyre_ocean_emitter *emitter);
/// Takes an element of any pool away: see gyre_model_remove().
GYRE_API gyre_result gyre_ocean_remove(gyre_ocean *ocean, gyre_id id);
/// See gyre_model_splat(): of the field "foam".
GYRE_API gyre_result gyre_ocean_splat(gyre_ocean *ocean, int field, const float centre[3],
                                      float radius, float amount);
/// See gyre_model_probe().
GYRE_API gyre_result gyre_ocean_probe(const gyre_ocean *ocean, int field, const float *points,
                                      int count, float *values);
/// See gyre_model_fields().
GYRE_API const gyre_field_info *gyre_ocean_fields(const gyre_ocean *ocean, int *count);
/// See gyre_model_field().
GYRE_API int gyre_ocean_field(const gyre_ocean *ocean, const char *name);
/// See gyre_model_map().
GYRE_API gyre_result gyre_ocean_map(gyre_ocean *ocean, int field, gyre_access access,
                                    gyre_field_view *view);
/// See gyre_model_unmap().
GYRE_API gyre_result gyre_ocean_unmap(gyre_ocean *ocean, int field);
/// What the sea is like into the first `size` bytes of *stats, as the caller's headers have it; all
/// of it 0 for a NULL ocean.
GYRE_API void gyre_ocean_read_stats(gyre_ocean *ocean, gyre_ocean_stats *stats, size_t size);
/// The same by value.
static inline gyre_ocean_stats gyre_ocean_get_stats(gyre_ocean *ocean)
{
    gyre_ocean_stats stats;
    gyre_ocean_read_stats(ocean, &stats, sizeof stats);
    return stats;
}
/// See gyre_model_hash().
GYRE_API uint64_t gyre_ocean_hash(const gyre_ocean *ocean);
/// See gyre_model_save_size().
GYRE_API size_t gyre_ocean_save_size(const gyre_ocean *ocean);
/// See gyre_model_save().
GYRE_API gyre_result gyre_ocean_save(const gyre_ocean *ocean, void *memory, size_t size,
                                     size_t *written);
/// See gyre_model_load().
GYRE_API gyre_result gyre_ocean_load(gyre_ocean *ocean, const void *memory, size_t size);

/// The sea at `count` points (x, y in metres, anywhere) at a time in seconds, past or ahead.
/// Of every point: the surface above it, found through the waves' sideways displacement to 1e-3 of
/// the finest patch's cell and a round of Newton's more, or in 24 rounds, its normal, and the
/// water's velocity there. With `below` > 0 metres under the level at rest the velocity is that of
/// linear theory at that depth;
/// height and normal stay the surface's. Points that share a time share its cost (the waves of the
/// last two times asked for are kept), the model's own time included.
/// What bodies have shed so far is in it, and goes on ahead of time exactly as it will, unless they
/// shed more until then; of times past what has been shed since is not seen.
/// Fails for a time or point that is not finite or beyond 1e9.
GYRE_API gyre_result gyre_ocean_query(const gyre_ocean *ocean, double time, float below,
                                      const double *points, int count, gyre_ocean_sample *samples);

/// Spectra's waves of one patch at a time, as textures of a renderer: `height` and the two
/// displacements in metres (before choppiness), cells * cells floats each, x fastest; value (i, j)
/// is that of all places (i, j) * side / cells plus whole sides. Any of the three may be NULL.
GYRE_API gyre_result gyre_ocean_tile(const gyre_ocean *ocean, int cascade, double time,
                                     float *height, float *displacement_x, float *displacement_y);

#ifdef __cplusplus
}
#endif
#endif
