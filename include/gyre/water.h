/// @file gyre/water.h
/// Water as a height field: the linear wave equation, and shallow water over terrain
/// with wet and dry ground; bodies that float and sink in it; a ledger of every litre.
///
/// The grid is 2D (n[1] == 1: one-dimensional); x and y are horizontal, z is up. Heights are in
/// metres over z = 0. M. Müller-Fischer, Fast Water Simulation for Games Using Height Fields, GDC
/// 2008; E. Audusse et al., A Fast and Stable Well-Balanced Scheme with Hydrostatic Reconstruction
/// for Shallow Water Flows, SIAM J. Sci. Comput. 25 (2004).
#ifndef GYRE_WATER_H
#define GYRE_WATER_H

#include "gyre/model.h"
#include "gyre/pose.h"
#include "gyre/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Water. One thread at a time may use it, but for gyre_water_query and gyre_water_submerged.
typedef struct gyre_water gyre_water;

/// Rain as drops that make rings. The same water comes as without, in the mean.
typedef struct gyre_water_drops {
    float size;   ///< m, diameter of a drop, 0: rain is even
    float ring;   ///< m: a drop dents the surface by this, and heaps it up round the dent
    float radius; ///< m, of the dent; at least a cell and a half counts
    int32_t seed; ///< of their places
} gyre_water_drops;

/// What water that is joined to a sea has in its grid: see gyre_water_join().
typedef enum gyre_water_carries {
    GYRE_WATER_ALONE,      ///< it is joined to none
    GYRE_WATER_DIFFERENCE, ///< what differs from the sea, which all that looks at it adds
    GYRE_WATER_WHOLE       ///< mode dispersive: the sea's waves, too, which its open sides let in
} gyre_water_carries;

/// How water is a window of a sea.
typedef struct gyre_water_window {
    int32_t carries; ///< gyre_water_carries
    float shore;     ///< m of water at rest: where there is less the sea fades, to nothing at the
                     ///< waterline (of `whole`, only what its sides let in and its grid brings)
} gyre_water_window;

/// What is solved.
typedef enum gyre_water_mode {
    GYRE_WATER_WAVE,      ///< u_tt = c^2 (u_xx + u_yy): waves of one speed on water of any depth
    GYRE_WATER_SHALLOW,   ///< depth and discharge over a bed, wet and dry
    GYRE_WATER_DISPERSIVE ///< the same with waves of every length at their own speeds
} gyre_water_mode;

/// What happens to a step that is longer than the scheme is stable for.
typedef enum gyre_water_excess {
    GYRE_WATER_SPLIT,  ///< it is split into as many substeps as are needed
    GYRE_WATER_CLAMP,  ///< wave: the wave speed is lowered until it is stable (shallow: as split)
    GYRE_WATER_EXPLODE ///< wave: it is taken unstable as it is, for teaching; heights are cut to
                       ///< 1e6 m
} gyre_water_excess;

/// What happens at a side.
typedef enum gyre_water_rule {
    GYRE_WATER_WALL,     ///< reflects
    GYRE_WATER_PERIODIC, ///< joined to the opposite side, which must be periodic, too
    GYRE_WATER_OPEN,     ///< waves leave
    GYRE_WATER_INFLOW    ///< waves, a stage or a discharge come in
} gyre_water_rule;

/// How an open side lets waves out (mode wave; shallow water lets its Riemann invariant out in
/// the first three).
typedef enum gyre_water_absorber {
    GYRE_WATER_MUR,       ///< Mur's rule: exact at right angles but for the scheme's dispersion
    GYRE_WATER_LAYER,     ///< a layer that damps to rest, Mur's rule behind it: for oblique waves
    GYRE_WATER_GHOST_NEW, ///< the talk's ghost column, set from the neighbours' new heights
    GYRE_WATER_GHOST_OLD  ///< the same from their old heights: reflects a fifth
} gyre_water_absorber;

/// What comes in.
typedef enum gyre_water_inflow {
    GYRE_WATER_WAVES,    ///< a train of waves: amplitude, period, phase; those that come back leave
    GYRE_WATER_STAGE,    ///< the surface is held at level
    GYRE_WATER_DISCHARGE ///< discharge enters per metre of side
} gyre_water_inflow;

/// One side of the domain, or the edge of a piece that is cut out.
typedef struct gyre_water_side {
    int32_t rule;      ///< gyre_water_rule
    int32_t absorber;  ///< gyre_water_absorber, of an open side
    float layer;       ///< m, width of an absorbing layer
    int32_t inflow;    ///< gyre_water_inflow
    bool follow_level; ///< the level outside is the def's, of open sides and waves
    float level;       ///< m, stage; and the level outside where it does not follow
    float amplitude;   ///< m, of waves
    float period;      ///< s, of waves
    float phase;       ///< degrees
    float discharge;   ///< m^2/s, inwards
} gyre_water_side;

/// All sides.
typedef struct gyre_water_sides {
    gyre_water_side x_low;  ///< at the least x
    gyre_water_side x_high; ///< at the greatest x
    gyre_water_side y_low;  ///< at the least y
    gyre_water_side y_high; ///< at the greatest y
} gyre_water_sides;

/// Where the bed's heights come from, at create. An array's first row is at low y. Later the bed is
/// changed by uplifts, or through a window on the field "bed" (gyre_water_map() with GYRE_WRITE).
typedef struct gyre_water_bed {
    gyre_volume data; ///< metres, or what low and high say; a value per cell, n[2] == 1; none: flat
    bool stretch;     ///< an array of another size is stretched over the domain, linearly
    float flat;       ///< m, height of a bed without data
    float low;        ///< m, the bed at the value 0 of an array
    float high;       ///< m, the bed at the value 1 of an array: by default values are metres
    float slope[2];   ///< added: m per m along x and y
    float corner[2];  ///< m, where in the world the array begins: its first value's lower corner
    float size[2];    ///< m, of the array in the world, read linearly between its values; beyond
                      ///< it the bed goes on as at its rim. 0: the array is the domain's
} gyre_water_bed;

/// A piece of the domain that is cut out; faces between it and water follow its rule (not
/// periodic): islands, quays, and the open ends of a domain that is no rectangle.
typedef struct gyre_water_edge {
    char name[32];        ///< by which paths and messages call it; may be ""
    bool enabled;         ///< whether it acts
    gyre_shape shape;     ///< cells with their centre inside are cut out
    gyre_water_side side; ///< what happens at it
} gyre_water_edge;

/// A wall of no thickness along cell faces from one point to another, with a weir and a gate in it:
/// water passes over `crest` and under `lid`.
typedef struct gyre_water_gate {
    char name[32];     ///< by which paths and messages call it; may be ""
    bool enabled;      ///< whether it acts
    float from[2];     ///< m, one end
    float to[2];       ///< m, the other end
    float crest;       ///< m: nothing passes below this height
    float lid;         ///< m: nothing passes above this height; a weir has it high
    float coefficient; ///< of contraction, under the lid
} gyre_water_gate;

/// Water at create: what is connected to `point` and lies below `level` is filled to it.
typedef struct gyre_water_lake {
    char name[32];  ///< by which paths and messages call it; may be ""
    float point[2]; ///< m, somewhere in it
    float level;    ///< m
} gyre_water_lake;

/// Water at create that stands where it is put: cells inside the shape are filled to `level`.
typedef struct gyre_water_block {
    char name[32];    ///< by which paths and messages call it; may be ""
    gyre_shape shape; ///< where, in metres
    float level;      ///< m
} gyre_water_block;

/// Water that enters (or leaves) inside a shape seen from above.
typedef struct gyre_water_source {
    char name[32];    ///< by which paths and messages call it; may be ""
    bool enabled;     ///< whether it acts
    gyre_shape shape; ///< where, seen from above, in metres
    float discharge;  ///< m^3/s in all; below 0: taken away, as far as there is any
    float dust;       ///< 1/s: that comes to float at random places of the shape where it is wet
} gyre_water_source;

/// What an uplift does to the bed.
typedef enum gyre_water_work {
    GYRE_WATER_LIFT, ///< it rises by `speed`, for ever
    GYRE_WATER_DIG,  ///< what is higher than `height` is taken away
    GYRE_WATER_HEAP, ///< what is lower is heaped up
    GYRE_WATER_GRADE ///< both
} gyre_water_work;

/// A part of the bed that rises or sinks, or is dug. The water's depth stays as it is: its surface
/// moves with the bed, and no water comes or goes. In mode wave land that is dug below the level
/// begins without water, and what is brought up to it becomes land, its water pushed aside.
typedef struct gyre_water_uplift {
    char name[32];    ///< by which paths and messages call it; may be ""
    bool enabled;     ///< whether it acts
    gyre_shape shape; ///< where, seen from above, in metres
    float speed;      ///< m/s, upwards; of other work than lifting its size counts, 0: all at once
    int32_t work;     ///< gyre_water_work
    float height;     ///< m: digging and heaping bring the bed to it
} gyre_water_uplift;

/// What a body is shaped like.
typedef enum gyre_body_form {
    GYRE_BODY_SPHERE,  ///< size[0]: radius
    GYRE_BODY_BOX,     ///< size: full edges
    GYRE_BODY_CAPSULE, ///< size[0]: radius, size[1]: distance of the centres, along its own x
    GYRE_BODY_HULL,    ///< convex hull of `points`
    GYRE_BODY_MESH     ///< closed mesh of `points` and `triangles`
} gyre_body_form;

/// A solid body, z up. Its own frame has its origin, and its centre of mass, at `pose.position`.
typedef struct gyre_water_body {
    char name[32];         ///< by which paths and messages call it; may be ""
    bool enabled;          ///< whether it acts
    int32_t form;          ///< gyre_body_form
    float size[3];         ///< m, see gyre_body_form
    gyre_volume points;    ///< n[0] == 3 floats per point, m, own frame
    gyre_volume triangles; ///< n[0] == 3 indices per triangle, as floats, seen from outside
                           ///< anticlockwise
    float density;         ///< kg/m^3, mean
    bool held;        ///< no force moves it: it goes on at its pose's velocity and spin, step by
                      ///< step, from where it is put; both 0: it stays
    gyre_pose pose;   ///< where it is and how it moves; in paths its members stand beside these
                      ///< ("bodies.duck.position"). A step writes it back
    float drag;       ///< quadratic coefficient against the water, 0: none
    float added_mass; ///< share of the displaced mass that is moved along, 0: none
    float waves;      ///< share of the displacement that goes to the nearest water, the rest
                      ///< to all that is connected: 1 makes waves, 0 makes none
    bool drift;       ///< carried along by the current and by Stokes drift
    float force[3];   ///< N, of the caller's own, at the centre of mass
    float torque[3];  ///< N m
    // A boat. Its own x axis points ahead, z up. Parts above the water do nothing.
    float thrust;       ///< N, of a propeller, ahead along the keel
    float propeller[3]; ///< m, own frame: where it pushes
    float rudder;       ///< degrees: above 0 the bow goes to port (anticlockwise)
    float rudder_area;  ///< m^2; 0: none
    float rudder_at[3]; ///< m, own frame
    float keel_area;    ///< m^2, of all that keeps it from going sideways; 0: none
    float keel_length;  ///< m, along own x about the origin
} gyre_water_body;

/// What water does to a body at this moment; also what a caller's own physics engine asks for.
typedef struct gyre_body_report {
    float submerged;  ///< m^3
    float centre[3];  ///< m, of buoyancy
    float force[3];   ///< N, buoyancy and drag, without weight
    float torque[3];  ///< N m about the pose's position
    float mass;       ///< kg
    float added_mass; ///< kg
    float draft;      ///< m: the surface above the body's lowest point
} gyre_body_report;

/// Points that float on the water and are carried along: a set of particles, see
/// gyre_model_particles(). One is gone beyond sides that are neither wall nor periodic, and where
/// it is dry.
typedef struct gyre_water_dust {
    int32_t capacity; ///< the most there are at a time; 0: there are none
    int32_t start;    ///< that there are at first, evenly spread where it is wet
    float low[2];     ///< m, lower corner of the box that they are spread over
    float high[2];    ///< m, its upper corner; as `low`: the whole domain
    float life;       ///< s after which one is gone; 0: never
    int32_t seed;     ///< of their places
} gyre_water_dust;

/// Steep fronts, and what they and falls throw into the air (not in mode wave). Rooms are fixed at
/// create; where one is full nothing is thrown, and the water stays in its column.
typedef struct gyre_water_breaking {
    int32_t fronts;  ///< the most lines that are followed at a time; 0: none are looked for
    int32_t patches; ///< the most particles of sheets in the air; 0: fronts throw nothing
    float ratio;     ///< a front is where the surface rises faster than this times sqrt(g d); once
                     ///< it is there, a quarter of it will do
    float onset;     ///< with `nonhydrostatic` a front is there once its crest's water is faster,
                     ///< at the surface, than this times the crest, and for as long as `ratio` says
    float height;    ///< m: lower ones are none
    float thickness; ///< m, of the sheets that fronts throw
    float speed;     ///< of what is thrown, times the front's
    float interval;  ///< s from a row of a sheet to the next
    float fall;      ///< m: water that passes a face behind which the bed, or under a weir the
                     ///< surface, lies lower by this goes into the air; 0: none does
    float splash;    ///< m/s: bodies that enter faster throw spray; 0: none does
} gyre_water_breaking;

/// Drops that sheets and bodies throw: a set of particles, which hold volume.
typedef struct gyre_water_spray {
    int32_t capacity; ///< the most at a time; 0: there are none
    float share;      ///< of what lands, and of what is thrown at a sheet's ends
    float diameter;   ///< m, of drops, for the drag of the air; 0: they feel none
    float bounce;     ///< of the speed at which drops meet bodies and walls
    int32_t seed;     ///< of their ways
} gyre_water_spray;

/// Foam, carried by the surface, and bubbles that rise to it: a set of particles without volume.
typedef struct gyre_water_foam {
    int32_t capacity; ///< the most at a time; 0: there are none
    float life;       ///< s
    float amount;     ///< 1/m^3: that come where water lands
    float depth;      ///< m, that bubbles are driven down to at most; 0: there is foam alone
    float rise;       ///< m/s, of bubbles
    float patch;      ///< m, width of what one covers, in the field `foam`; 0: none is covered
} gyre_water_foam;

/// Texture coordinates that flow with the water: the fields texture_0_x, texture_0_y, ..., of each
/// phase how far from each cell its water was when the phase began. See gyre_model_texture().
typedef struct gyre_water_texture {
    int32_t phases;  ///< 0: none; 1: one that is drawn out without end; 2 or 3: each begins anew
                     ///< once in a period. Fixed at create
    float period;    ///< s, of 2 or 3 phases
    float offset[3]; ///< m, by which the texture is moved from one beginning to the next, so that
                     ///< no detail comes back where it was; of 2 or 3 phases
} gyre_water_texture;

/// What water is made from. Take it from gyre_water_default_def() and change what you need.
typedef struct gyre_water_def {
    uint32_t cookie;        ///< set by gyre_water_default_def
    gyre_grid grid;         ///< dim 2
    int32_t mode;           ///< gyre_water_mode
    gyre_water_sides sides; ///< what happens at them
    float level; ///< m: at create all ground below this is filled with water up to it; mode wave:
                 ///< the level at rest
    bool fill;   ///< whether ground below `level` is filled at create; if not, only lakes are
    gyre_water_bed bed;     ///< the ground
    gyre_volume mask;       ///< 1 water may be, 0 (below 1/2) cut out as a wall; none: everywhere
    float gravity;          ///< m/s^2
    float wave_speed;       ///< m/s, mode wave
    int32_t excess;         ///< gyre_water_excess
    float courant;          ///< share of the longest stable step that is taken: that is, of wave,
                            ///< h / (c sqrt(2)) (1D: h / c); of shallow, h / (2 (|u| + sqrt(g d)))
    int32_t max_substeps;   ///< a step that needs more is cut short; see stats.dropped
    float damping;          ///< 1/s: velocities decay as exp(-damping t)
    float velocity_scale;   ///< factor on velocities in each step, as in the talk (so that damping
                            ///< depends on dt; `damping` does not)
    float max_slope;        ///< where the surface is steeper than this, water moves to the lower
                            ///< neighbours; 0: no limit
    bool nonhydrostatic;    ///< mode shallow: the pressure of flow that bends; waves of water down
                            ///< to a third as long as deep then have their own speed, and keep
                            ///< their form until they break; see doc/water.md. Fixed at create
    float manning;          ///< s/m^(1/3), friction of the bed
    float friction;         ///< 1/s, linear friction of the bed
    float rain;             ///< m/s, everywhere (1 mm/h is 2.7778e-7 m/s)
    gyre_water_drops drops; ///< whether it comes in drops
    float evaporation;      ///< m/s, wherever there is water
    float acceleration[2];  ///< m/s^2, of the frame: a tank that is shaken
    float coriolis;         ///< 1/s, -10 to 10: what turns the flow to the right at y = 0, 2 Omega
                            ///< sin(latitude); 0: the Earth stands still
    float coriolis_beta;    ///< 1/(m s), -1 to 1: how much it grows along y
    float dry_depth;        ///< m: less than this does not flow
    float speed_cap;        ///< m/s
    bool exact;             ///< volumes are whole multiples of a quantum: nothing is ever rounded
    float quantum;          ///< m, of depth; 0: the finest that holds depths up to 64 m
    float sleep_height;     ///< m: a tile whose surface moves by less than this in each of
                            ///< `sleep_steps` steps is no longer stepped; 0: all always are
    int32_t sleep_steps;    ///< see sleep_height
    float wake_factor;      ///< a neighbour that moves by this many times sleep_height wakes it up
    int32_t tiles;          ///< how many tiles of 64 x 64 cells get memory; 0: all of the domain
    float water_density;    ///< kg/m^3
    char follow[32];        ///< name of a body that the grid goes along with, by whole cells at the
                            ///< beginning of a step; "": it stays. Not along periodic axes. A step
                            ///< fails where there is no such body
    float slack;            ///< m, how far that body may be off the grid's middle before the grid
                            ///< goes after it; 0: an eighth of the grid
    gyre_water_window sea;  ///< whether it is a window of a sea, see gyre_water_join()
    int32_t every;     ///< 1 and more: the flow is stepped in one of so many steps, by the time of
                       ///< all of them. Water that others are nested in goes ahead, any other
                       ///< one waits; what is seen of it moves so seldom
    bool queries;      ///< whether a copy is kept for gyre_water_query beside a step
    gyre_pool edges;   ///< of gyre_water_edge
    gyre_pool gates;   ///< of gyre_water_gate
    gyre_pool lakes;   ///< of gyre_water_lake, read at create
    gyre_pool blocks;  ///< of gyre_water_block, read at create
    gyre_pool sources; ///< of gyre_water_source
    gyre_pool uplifts; ///< of gyre_water_uplift
    gyre_pool bodies;  ///< of gyre_water_body
    gyre_water_dust dust;         ///< points that float on it
    gyre_water_breaking breaking; ///< fronts, falls and splashes
    gyre_water_spray spray;       ///< drops in the air
    gyre_water_foam foam;         ///< what floats where they have come down
    gyre_water_texture texture;   ///< coordinates that flow with it
    float drying; ///< s, in which ground dries that water has left: the field `wet`; 0: there is no
                  ///< such field. Fixed at create
} gyre_water_def;

/// What the last step did, and what there is.
typedef struct gyre_water_stats {
    int64_t step;            ///< steps since create
    double time;             ///< s, at its end
    double dt;               ///< s
    int32_t substeps;        ///< that the last step was cut into
    float courant;           ///< of the substeps
    double dropped;          ///< s of the last step that max_substeps left out
    int64_t capped;          ///< cells whose velocity was cut
    int32_t tiles;           ///< that have memory
    int32_t awake;           ///< that were stepped
    int32_t missing;         ///< that water would enter, had `tiles` been larger
    double volume;           ///< m^3 of water
    double ledger_error;     ///< m^3: volume less the sum of the ledger's lines
    float max_speed;         ///< m/s
    float max_depth;         ///< m
    double kinetic_energy;   ///< J
    double potential_energy; ///< J, of water above its bed
    int64_t dust;            ///< points that float
    int64_t dust_lost;       ///< so far: beyond sides, on dry land, too old
    int64_t dust_refused;    ///< so far: that were due and found no room or no wet place
    int64_t fronts;          ///< that are followed
    int64_t fronts_merged;   ///< so far: lines that ran into an older one
    int64_t fronts_split;    ///< so far: that came off another
    int64_t fronts_refused;  ///< so far, of each step: lines that found no room
    double air;              ///< m^3 of water in the air
    double air_lost;         ///< m^3 so far: beyond sides that are neither wall nor periodic; of
                             ///< nested water, over them into the coarse one
    int64_t patches;         ///< particles of sheets
    int64_t patches_refused; ///< so far: whose water stayed in its column for want of room
    int64_t spray;           ///< drops
    int64_t spray_refused;   ///< so far, as patches_refused
    int64_t foam;            ///< particles of foam and bubbles
    int64_t foam_refused;    ///< so far: that found no room
    double turn_cut; ///< rad by which the Earth turned the last step too little: above 0 where
                     ///< `excess` does not split steps and coriolis times dt is more than 1
} gyre_water_stats;

/// A line of the ledger: what came in by it since create, in m^3.
typedef struct gyre_water_line {
    char name[48];  ///< "start", "rain", "sides.x_low", "sources.spring", "bodies.boat", "edits"
    double volume;  ///< m^3. Of a body: what it displaces now (not part of the volume of water)
    bool displaced; ///< whether it is what a body displaces
} gyre_water_line;

/// A steep front, as of the last step. A line of cells; what is told are its means.
typedef struct gyre_water_front {
    int32_t id;        ///< from 1 on; the same for as long as it is followed
    int32_t parent;    ///< the one that it came off, or 0
    float age;         ///< s since it broke, or was first seen to
    float position[3]; ///< m, middle of the line, z at the crest
    float normal[2];   ///< of unit length, where it goes
    float speed;       ///< m/s along the normal
    float height;      ///< m, from the foot to the crest
    float depth;       ///< m, of the water at its foot
    float length;      ///< m, along the crest
} gyre_water_front;

/// An answer about one point of the surface.
typedef struct gyre_water_sample {
    float height;      ///< m, of the surface; of the bed where it is dry
    float depth;       ///< m
    float normal[3];   ///< unit, z up
    float velocity[3]; ///< m/s of the surface
} gyre_water_sample;

/// Fills the first `size` bytes of a def, as the caller's headers have it: see
/// gyre_water_default_def(). For bindings; create refuses a def of another size than the library's.
/// Any thread.
GYRE_API void gyre_water_fill_def(gyre_water_def *def, size_t size, int dim);

/// A def with every default over a grid of `dim` dimensions, 1 (a flume: one row of cells) or 2.
static inline gyre_water_def gyre_water_default_def(int dim)
{
    gyre_water_def def;
    gyre_water_fill_def(&def, sizeof def, dim);
    return def;
}
/// The property table of gyre_water_def.
extern GYRE_API const gyre_property gyre_water_properties[];
/// A side with its defaults. Any thread.
GYRE_API gyre_water_side gyre_water_default_side(void);
/// An edge with its defaults. Any thread.
GYRE_API gyre_water_edge gyre_water_default_edge(void);
/// A gate with its defaults. Any thread.
GYRE_API gyre_water_gate gyre_water_default_gate(void);
/// A lake with its defaults. Any thread.
GYRE_API gyre_water_lake gyre_water_default_lake(void);
/// A block with its defaults. Any thread.
GYRE_API gyre_water_block gyre_water_default_block(void);
/// A source with its defaults. Any thread.
GYRE_API gyre_water_source gyre_water_default_source(void);
/// An uplift with its defaults. Any thread.
GYRE_API gyre_water_uplift gyre_water_default_uplift(void);
/// A body with its defaults. Any thread.
GYRE_API gyre_water_body gyre_water_default_body(void);

/// Bytes that water of this def takes, all of them at create; 0 with a message for a bad def.
GYRE_API size_t gyre_water_size(const gyre_water_def *def);
/// Makes water. The def and its lists are copied; arrays are not (see gyre_volume).
GYRE_API gyre_result gyre_water_create(gyre_device *device, const gyre_water_def *def,
                                       gyre_water **water);
/// Ends it. NULL is allowed.
GYRE_API void gyre_water_destroy(gyre_water *water);
/// The same object as a model, for the calls of gyre/model.h.
GYRE_API gyre_model *gyre_water_model(gyre_water *water);

/// The one-call way: shallow water over `bed` (nx * ny heights in metres, x fastest, kept by the
/// caller), everything below `level` filled, walls round it.
GYRE_API gyre_result gyre_water_pool(gyre_device *device, const float *bed, int nx, int ny, float h,
                                     float level, gyre_water **water);

/// The water that a model is; NULL with a message where it is none.
GYRE_API gyre_water *gyre_water_of(gyre_model *model);
/// Advances by dt seconds: 0 <= dt, finite. Any dt leaves every field finite.
GYRE_API gyre_result gyre_water_step(gyre_water *water, float dt);
/// See gyre_model_set().
GYRE_API gyre_result gyre_water_set(gyre_water *water, const char *path, gyre_value value);
/// See gyre_model_get().
GYRE_API gyre_result gyre_water_get(const gyre_water *water, const char *path, gyre_value *value);
/// Adds a copy of an edge; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_water_add_edge(gyre_water *water, const gyre_water_edge *edge);
/// Replaces an edge: see gyre_model_update().
GYRE_API gyre_result gyre_water_update_edge(gyre_water *water, gyre_id id,
                                            const gyre_water_edge *edge);
/// A copy of an edge as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_water_read_edge(const gyre_water *water, gyre_id id,
                                          gyre_water_edge *edge);
/// Adds a copy of a gate; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_water_add_gate(gyre_water *water, const gyre_water_gate *gate);
/// Replaces a gate: see gyre_model_update().
GYRE_API gyre_result gyre_water_update_gate(gyre_water *water, gyre_id id,
                                            const gyre_water_gate *gate);
/// A copy of a gate as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_water_read_gate(const gyre_water *water, gyre_id id,
                                          gyre_water_gate *gate);
/// Adds a copy of a source; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_water_add_source(gyre_water *water, const gyre_water_source *source);
/// Replaces a source: see gyre_model_update().
GYRE_API gyre_result gyre_water_update_source(gyre_water *water, gyre_id id,
                                              const gyre_water_source *source);
/// A copy of a source as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_water_read_source(const gyre_water *water, gyre_id id,
                                            gyre_water_source *source);
/// Adds a copy of an uplift; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_water_add_uplift(gyre_water *water, const gyre_water_uplift *uplift);
/// Replaces an uplift: see gyre_model_update().
GYRE_API gyre_result gyre_water_update_uplift(gyre_water *water, gyre_id id,
                                              const gyre_water_uplift *uplift);
/// A copy of an uplift as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_water_read_uplift(const gyre_water *water, gyre_id id,
                                            gyre_water_uplift *uplift);
/// Adds a copy of a body; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_water_add_body(gyre_water *water, const gyre_water_body *body);
/// Replaces a body: see gyre_model_update().
GYRE_API gyre_result gyre_water_update_body(gyre_water *water, gyre_id id,
                                            const gyre_water_body *body);
/// A copy of a body as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_water_read_body(const gyre_water *water, gyre_id id,
                                          gyre_water_body *body);
/// Takes an element of any pool away: see gyre_model_remove().
GYRE_API gyre_result gyre_water_remove(gyre_water *water, gyre_id id);
/// See gyre_model_splat(): water poured in (of the field "depth"), or pushed.
GYRE_API gyre_result gyre_water_splat(gyre_water *water, int field, const float centre[3],
                                      float radius, float amount);
/// See gyre_model_probe().
GYRE_API gyre_result gyre_water_probe(const gyre_water *water, int field, const float *points,
                                      int count, float *values);
/// See gyre_model_fields().
GYRE_API const gyre_field_info *gyre_water_fields(const gyre_water *water, int *count);
/// See gyre_model_field().
GYRE_API int gyre_water_field(const gyre_water *water, const char *name);
/// See gyre_model_map().
GYRE_API gyre_result gyre_water_map(gyre_water *water, int field, gyre_access access,
                                    gyre_field_view *view);
/// See gyre_model_unmap().
GYRE_API gyre_result gyre_water_unmap(gyre_water *water, int field);
/// The statistics of the last step into the first `size` bytes of *stats, as the caller's headers
/// have it; what the library does not know is 0, and so is all of it for NULL water.
GYRE_API void gyre_water_read_stats(gyre_water *water, gyre_water_stats *stats, size_t size);
/// The same by value.
static inline gyre_water_stats gyre_water_get_stats(gyre_water *water)
{
    gyre_water_stats stats;
    gyre_water_read_stats(water, &stats, sizeof stats);
    return stats;
}
/// See gyre_model_hash().
GYRE_API uint64_t gyre_water_hash(const gyre_water *water);
/// See gyre_model_save_size().
GYRE_API size_t gyre_water_save_size(const gyre_water *water);
/// See gyre_model_save().
GYRE_API gyre_result gyre_water_save(const gyre_water *water, void *memory, size_t size,
                                     size_t *written);
/// See gyre_model_load().
GYRE_API gyre_result gyre_water_load(gyre_water *water, const void *memory, size_t size);

/// Writes up to `capacity` lines; returns how many there are.
GYRE_API int gyre_water_ledger(const gyre_water *water, gyre_water_line *lines, int capacity);

/// Writes up to `capacity` fronts, oldest first; returns how many there are. Needs
/// def.breaking.fronts. One thread, not beside a step.
GYRE_API int gyre_water_fronts(const gyre_water *water, gyre_water_front *fronts, int capacity);

/// Moves the origin of the world that places are told from by whole cells, so that what is far out
/// is told as near: the places of the grid, bodies, shapes, gates, floating points and the bed's
/// array become less by cells[a] * h, each rounded once, and the water does not notice. A ship that
/// has sailed 100 km is told to 8 mm by floats; after a rebase by as many cells as the grid has
/// moved it is told, and goes on, as it would near the origin. With gyre_model_shift() a window
/// over a world of a million cells either way. It belongs to the state: saved, loaded, hashed.
/// GYRE_ERROR_ARGUMENT: more than 2^20 cells in all. GYRE_ERROR_UNSUPPORTED: bodies of a set, which
/// belong to another; floating points in a device's memory. GYRE_ERROR_STATE: a window is open.
GYRE_API gyre_result gyre_water_rebase(gyre_water *water, const int32_t cells[2]);

/// What a sea is at a point.
typedef struct gyre_water_swell {
    float height;       ///< m, of its surface over its level
    float velocity[3];  ///< m/s, of the water at its surface; not asked for by `whole`
    float discharge[2]; ///< m^2/s, through its whole depth; asked for by `whole` alone
} gyre_water_swell;

/// Says what a sea is at `count` points (x, y in metres, in the world's own frame, which
/// gyre_water_rebase() leaves as it is) at a time of the water, s. The same for the same, whenever
/// it is asked: a window saves nothing of it. Called from the thread that steps, joins, moves or
/// loads the water. A failure is that of the call.
typedef gyre_result (*gyre_water_ask)(void *user, double time, bool whole, const double *points,
                                      int count, gyre_water_swell *answers);

/// The sea outside of a window.
typedef struct gyre_water_outside {
    gyre_water_ask ask;              ///< what it is, where and when
    uint64_t (*changes)(void *user); ///< a number that changes when its answers do; NULL: never
    void *user;                      ///< handed to both
    float level;                     ///< m, of the surface at rest: the water's
    float gravity;                   ///< m/s^2: the water's
} gyre_water_outside;

/// Joins water whose def says `sea.carries` to a sea (NULL: parts it from its one), which must be
/// there until the water is parted from it or gone. gyre_sea_join() does so with an ocean.
///
/// `difference`: the grid has what differs from the sea, and where nothing is that makes waves, no
/// more than water at rest. The field "surface", velocities, questions and bodies have sea and
/// difference, of the time of the last finished step; depth, discharge, ledger, energies and dust
/// are the difference's. Bodies push the difference. The sea is asked in each cell once a step.
/// `whole` (mode dispersive): open sides relax the water in their layer, 16 cells or `layer`, to
/// the sea, so that its waves come in and go out, and what has been made inside leaves. Joined
/// before its first step it begins as the sea is; so do cells that a moving window finds. What that
/// brings is the ledger's line "sea".
///
/// Where water at rest is less than `sea.shore` deep, the sea counts for less, at the waterline for
/// nothing. No part of the state: join again after create, then load or step.
/// GYRE_ERROR_STATE: water that is alone, or a window of a field is open; GYRE_ERROR_ARGUMENT:
/// another level or gravity, answers that are not finite or beyond 1e5. Source: relaxation zones,
/// Jacobsen, Fuhrman and Fredsoe, Int. J. Numer. Meth. Fluids 70 (2012).
GYRE_API gyre_result gyre_water_join(gyre_water *water, const gyre_water_outside *outside);

/// Nests a fine water in a coarse one that covers more, and whose cells are exactly twice as large;
/// others may be nested in the fine one, and several in the coarse one. From now on the coarse one
/// is stepped first, and the fine one then as far:
///
///     gyre_water_nest(harbour, sea);
///     gyre_water_step(sea, dt);
///     gyre_water_step(harbour, dt); // or twice dt / 2
///
/// The fine water's sides, "wall" in its def, are joined to the coarse water: waves go through them
/// both ways. When both stand at one time the fine water replaces what of the coarse one lies below
/// it, and passes at the join are made one, so that water is conserved. Both have one mode, wave or
/// shallow, one device, gravity, level at rest, wave speed, dry_depth, rotation, acceleration and
/// exact, and stand at one time; the fine one has an even number of cells, at least 8, along both
/// axes, and begins at a corner of a coarse cell at least 4 cells from that one's sides and from
/// others nested in it. gyre_model_shift() moves the fine water by even numbers of cells, filled
/// from the coarse one. Bodies float in the fine water alone. What the fine water makes of the
/// coarse one stands in that one's ledger as "edits"; see gyre_water_count_together(). A step fails
/// with GYRE_ERROR_STATE where it would lead beyond the coarse water's time. They part when one of
/// them is destroyed: the fine one has walls then. A saved state of the fine water holds the join.
/// Windows of a sea are nested where all carry the difference from the same one; waves break in a
/// water alone in which none is nested, and what flies over its sides comes down in the coarse one.
/// GYRE_ERROR_UNSUPPORTED: mode dispersive, tiles, sleep_height, a device with memory of its own,
/// bodies or breaking in the coarse water. GYRE_ERROR_ARGUMENT: else what does not go together.
GYRE_API gyre_result gyre_water_nest(gyre_water *fine, gyre_water *coarse);

/// Of a water and all that are nested in it, each place counted once, of the finest that is there.
typedef struct gyre_water_together {
    int32_t waters; ///< that they are
    double volume;  ///< m^3, what a join has yet to hand over included
    double error;   ///< m^3 that came of nothing: of each ledger, and by rounding at joins
    double ground;  ///< m^3 that fine waters have brought by moving where their bed is not the
                    ///< mean that the coarse one's is
} gyre_water_together;

/// Counts them: several passes over all cells. As gyre_water_query().
GYRE_API gyre_result gyre_water_count_together(gyre_water *water, gyre_water_together *together);

/// The talk's redistribution, for those who edit heights from outside: brings the volume of each
/// connected region back to what the ledger says it held before the last edits, spread evenly, at
/// most `cap` metres of depth at a time. `left`: m^3 still to go (may be NULL).
GYRE_API gyre_result gyre_water_redistribute(gyre_water *water, float cap, double *left);

/// Height, depth, normal and surface velocity at `count` points (x, y) as of the last finished
/// step, of the finest water nested in it that holds the point; beyond the domain the nearest point
/// inside counts, or, where sides are periodic, the one that lies whole periods away. Needs
/// def.queries to be called beside a
/// step by other threads.
GYRE_API gyre_result gyre_water_query(const gyre_water *water, const float *points, int count,
                                      gyre_water_sample *samples);

/// Submerged volume in m^3 of `count` spheres (x, y, z, radius). As gyre_water_query.
GYRE_API gyre_result gyre_water_submerged(const gyre_water *water, const float *spheres, int count,
                                          float *volumes);

/// What the water does to a body of the pool, or to one that is not in it (for a caller's own
/// physics engine).
GYRE_API gyre_result gyre_water_report(const gyre_water *water, gyre_id id,
                                       gyre_body_report *report);
/// What the water does to a body where it stands now.
GYRE_API gyre_result gyre_water_report_body(const gyre_water *water, const gyre_water_body *body,
                                            gyre_body_report *report);

#ifdef __cplusplus
}
#endif
#endif
