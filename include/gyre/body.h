/// @file gyre/body.h
/// Solid bodies: forms with a place, a mass and a way of moving, in sets that models are handed.
///
/// A set is an object of its own. Models ask it where its bodies are and how fast their material
/// moves, and push them; once a step the set moves them all. So one body may float in a water, keep
/// the smoke of a gas above it out, and be drawn once.
///
///     gyre_bodies_push(bodies, id, force, torque);      // each model, as often as it likes
///     gyre_bodies_step(bodies, dt);                     // once, by whoever steps the models
///     gyre_bodies_velocity(bodies, id, points, n, v);   // displacement over dt, exactly
///
/// Free bodies: D. Dullweber, B. Leimkuhler, R. McLachlan, Symplectic Splitting Methods for Rigid
/// Body Molecular Dynamics, J. Chem. Phys. 107 (1997). doc/body.md has the rest.
#ifndef GYRE_BODY_H
#define GYRE_BODY_H

#include "gyre/mesh.h"
#include "gyre/pose.h"
#include "gyre/property.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a form is.
typedef enum gyre_form_kind {
    GYRE_FORM_SPHERE,
    GYRE_FORM_BOX,
    GYRE_FORM_CAPSULE,
    GYRE_FORM_CYLINDER,
    GYRE_FORM_HALF_SPACE,
    GYRE_FORM_HULL,
    GYRE_FORM_MESH,
    GYRE_FORM_VOLUME,
    GYRE_FORM_BITMAP
} gyre_form_kind;

/// A solid in its own frame, in metres. Arrays are the caller's and stay as they are while a body
/// uses them.
typedef struct gyre_form {
    int32_t kind; ///< gyre_form_kind
    /// The member that `kind` names.
    union {
        /// About the origin.
        struct gyre_form_sphere {
            float radius;
        } sphere;
        /// About the origin.
        struct gyre_form_box {
            float size[3]; ///< full edges
        } box;
        /// About the origin, along x.
        struct gyre_form_capsule {
            float radius;
            float length; ///< distance of the two centres
        } capsule;
        /// About the origin, along x.
        struct gyre_form_cylinder {
            float radius;
            float length; ///< distance of the two ends
        } cylinder;
        /// All that lies behind a plane through the origin. It has no mass, and is not free.
        struct gyre_form_half_space {
            float normal[3]; ///< out of the solid; need not be of unit length, not zero
        } half_space;
        /// The convex hull of points.
        struct gyre_form_hull {
            gyre_volume points; ///< n[0] == 3 floats per point, at most 512
        } hull;
        /// What a mesh encloses. One that is not closed, or of two orientations, may not be free.
        struct gyre_form_mesh {
            gyre_volume points;    ///< n[0] == 3 floats per point
            gyre_volume triangles; ///< n[0] == 3 indices per triangle, as floats
            gyre_volume frames;    ///< the points at later times: n[0] == 3, n[1] points each, n[2]
                                   ///< frames, the first of which is at time 0; none: it is rigid.
                                   ///< It may not be free
            float rate;            ///< frames per second; between them points move evenly
            bool repeat;           ///< after the last frame comes the first, else it stays
            float low[3];          ///< m, corner of the box that points keep to which
                                   ///< gyre_bodies_deform() moves, and
            float high[3];         ///< the other corner, both in the own frame; the same (0): it
                                   ///< moves none. Not with frames. It may not be free
        } mesh;
        /// Signed distances in metres, below 0 inside, linear between the centres of cells.
        struct gyre_form_volume {
            gyre_volume data;
            float low[3];  ///< corner of the array's box
            float size[3]; ///< its edges
        } volume;
        /// Inside where an array is greater than a threshold: as gyre_shape_volume.
        struct gyre_form_bitmap {
            gyre_volume data;
            float low[3];  ///< corner of the array's box
            float size[3]; ///< its edges
            float threshold;
        } bitmap;
    } as;
} gyre_form;

/// How a body moves.
typedef enum gyre_motion {
    GYRE_MOTION_HELD,  ///< by its pose's velocity and spin, which no force changes; 0: it stays
    GYRE_MOTION_FREE,  ///< by weight, forces and torques
    GYRE_MOTION_PATH,  ///< along the keys of `path`
    GYRE_MOTION_DRIVEN ///< to where gyre_bodies_drive() says; where it says nothing it stays
} gyre_motion;

/// What water does to a free body besides buoyancy: as of a gyre_water_body of the same names.
typedef struct gyre_body_water {
    float drag;       ///< quadratic coefficient against the water, 0: none
    float added_mass; ///< share of the displaced mass that is moved along, 0: none
    float waves;      ///< share of the displacement that goes to the nearest water, the rest to all
                      ///< that is connected: 1 makes waves, 0 makes none. Of any body, free or not
    bool drift;       ///< carried along by the current and by Stokes drift
} gyre_body_water;

/// The most scalars that a body holds, and that it gives.
enum { GYRE_BODY_WALL = 4 };

/// What a gas does to a body, and it to the gas.
typedef struct gyre_body_gas {
    int32_t surface;                   ///< gyre_surface: what the gas does along it
    gyre_amount holds[GYRE_BODY_WALL]; ///< what scalars are held at on its surface, by their
                                       ///< fields' names, each by its own diffusivity: of one
                                       ///< without, it does nothing. A gas that lacks one refuses
    gyre_amount gives[GYRE_BODY_WALL]; ///< what it gives of others, per area of its surface, in the
                                       ///< field's unit times m/s, below 0: takes
} gyre_body_gas;

/// A body. Take it from gyre_bodies_default_body() and change what you need.
typedef struct gyre_body {
    char name[32];    ///< by which gyre_bodies_find() knows it; may be ""
    bool enabled;     ///< whether it is there: one that is not does not move
    gyre_form form;   ///< in its own frame; fixed as long as the body lives
    int32_t motion;   ///< gyre_motion
    gyre_pose pose;   ///< of its own frame; a step writes it back. Its velocity is that of the own
                      ///< frame's origin
    float density;    ///< kg/m^3, mean
    float mass;       ///< kg; 0: what density and volume make
    float force[3];   ///< N, of the caller's own, at the centre of mass, in every step
    float torque[3];  ///< N m, likewise
    gyre_volume path; ///< n[0] == 8 numbers a key: time in s, position, orientation as a quaternion
                      ///< x, y, z, w; times ascend. Between keys places move evenly and turns by
                      ///< the shortest arc; before the first and after the last it rests
    bool repeat;      ///< after the last key of the path comes the first
    gyre_body_water water; ///< in waters that were handed the set
    gyre_body_gas gas;     ///< in gases that were
} gyre_body;

/// What a set is made from. Take it from gyre_bodies_default_def().
typedef struct gyre_bodies_def {
    uint32_t cookie;  ///< set by gyre_bodies_default_def
    int32_t capacity; ///< bodies that there will be room for, 1 to 65536
    float gravity[3]; ///< m/s^2, of free bodies
    gyre_host host;   ///< memory; zero: the C library's
} gyre_bodies_def;

/// What there is to tell of a body as it is now.
typedef struct gyre_body_state {
    double mass;          ///< kg; 0 of a half-space and of what encloses nothing
    double volume;        ///< m^3
    double centre[3];     ///< m, of mass, in the world
    double inertia[3][3]; ///< kg m^2, about the centre, in the world's axes
    double velocity[3];   ///< m/s, of the centre
    double spin[3];       ///< rad/s, about the world's axes
    double momentum[3];   ///< kg m/s
    double angular[3];    ///< kg m^2/s, angular momentum about the centre
    double energy;        ///< J, kinetic
    float low[3];         ///< m, corner of a box in the world that holds it; -1e30: no end
    float high[3];        ///< m, the other corner; 1e30: no end
    bool closed;          ///< whether its surface is closed and of one orientation
} gyre_body_state;

/// Bodies and their clock. One thread at a time may use it, but for gyre_bodies_distance() and
/// gyre_bodies_velocity(), which may run beside each other.
typedef struct gyre_bodies gyre_bodies;

/// The property table of gyre_form, a GYRE_UNION. For nesting in the tables of others.
extern GYRE_API const gyre_property gyre_form_properties[];
/// The property table of gyre_body.
extern GYRE_API const gyre_property gyre_body_properties[];

/// Fills the first `size` bytes of a def, as the caller's headers have it, with its defaults: room
/// for 64 bodies, gravity of 9.81 m/s^2 down z. For bindings. Any thread.
GYRE_API void gyre_bodies_fill_def(gyre_bodies_def *def, size_t size);
/// A def with its defaults.
static inline gyre_bodies_def gyre_bodies_default_def(void)
{
    gyre_bodies_def def;
    gyre_bodies_fill_def(&def, sizeof def);
    return def;
}
/// A body with its defaults: a held box of 1 m and 500 kg/m^3 at the origin. Any thread.
GYRE_API gyre_body gyre_bodies_default_body(void);

/// Makes an empty set. NULL for the def: the default. GYRE_ERROR_ARGUMENT: a bad def;
/// GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_bodies_create(const gyre_bodies_def *def, gyre_bodies **bodies);
/// Ends it with all its bodies. NULL is allowed.
GYRE_API void gyre_bodies_destroy(gyre_bodies *bodies);

/// Adds a copy of a body; 0 with a message: no room, a value out of range, a form or path that
/// cannot be used, a free body without mass, no memory. Takes memory for its form: a tree over the
/// triangles of hulls and meshes, a surface to draw.
GYRE_API gyre_id gyre_bodies_add(gyre_bodies *bodies, const gyre_body *body);
/// Replaces a body. Where its pose's place or turn differs it is put there, which is no motion;
/// what does not differ goes on undisturbed. GYRE_ERROR_ARGUMENT: the id, a value out of range;
/// GYRE_ERROR_STATE: the name, the form or an array differs.
GYRE_API gyre_result gyre_bodies_update(gyre_bodies *bodies, gyre_id id, const gyre_body *body);
/// A copy of a body as it is now.
GYRE_API gyre_result gyre_bodies_read(const gyre_bodies *bodies, gyre_id id, gyre_body *body);
/// Takes a body away; its id is not used again.
GYRE_API gyre_result gyre_bodies_remove(gyre_bodies *bodies, gyre_id id);

/// How many bodies there are.
GYRE_API int gyre_bodies_count(const gyre_bodies *bodies);
/// The id of the index-th, in the order in which they came; 0 with a message: there is none.
GYRE_API gyre_id gyre_bodies_element(const gyre_bodies *bodies, int index);
/// The id of the body of that name; 0 with a message that names the nearest.
GYRE_API gyre_id gyre_bodies_find(const gyre_bodies *bodies, const char *name);
/// Seconds since create.
GYRE_API double gyre_bodies_time(const gyre_bodies *bodies);
/// Changes the gravity that free bodies fall by. GYRE_ERROR_ARGUMENT: not finite, or beyond 1e4.
GYRE_API gyre_result gyre_bodies_set_gravity(gyre_bodies *bodies, const float gravity[3]);

/// Adds a force and a torque about the centre of mass (either may be NULL) to what acts on a body
/// in the next step. Sums are taken in the order of the calls. On one that is not free they do
/// nothing. GYRE_ERROR_ARGUMENT: the id, or what is not finite.
GYRE_API gyre_result gyre_bodies_push(gyre_bodies *bodies, gyre_id id, const float force[3],
                                      const float torque[3]);
/// The same with a force that acts at a point of the world.
GYRE_API gyre_result gyre_bodies_push_at(gyre_bodies *bodies, gyre_id id, const float force[3],
                                         const float point[3]);
/// Says where a driven body is to be at the end of the next step; velocity and spin of the pose do
/// not count. GYRE_ERROR_STATE: it is not driven.
GYRE_API gyre_result gyre_bodies_drive(gyre_bodies *bodies, gyre_id id, const gyre_pose *pose);

/// Says where the points of a mesh that has a box for them (`low` to `high`) are to be at the end
/// of the next step: `count` of them, as many as the mesh has, three floats each in the own frame,
/// a copy of which is taken; its triangles stay. What it says last before a step counts; where it
/// says nothing they stay. A step of dt then makes (new - old) / dt the velocity of the surface.
/// GYRE_ERROR_ARGUMENT: the id, the count, a point that is not finite or outside of the box;
/// GYRE_ERROR_STATE: a body without one. Nothing is changed then.
GYRE_API gyre_result gyre_bodies_deform(gyre_bodies *bodies, gyre_id id, const float *points,
                                        int count);

/// Moves all bodies by dt seconds, dt >= 0 and finite, and takes the pushes away. Allocates
/// nothing. Any dt leaves every body finite, within 1e6 m.
GYRE_API gyre_result gyre_bodies_step(gyre_bodies *bodies, float dt);

/// What there is to tell of a body now.
GYRE_API gyre_result gyre_bodies_state(const gyre_bodies *bodies, gyre_id id,
                                       gyre_body_state *state);
/// Signed distances of `count` points of the world to a body's surface in metres, below 0 inside.
/// Exact for all forms but volumes (linear in them) and bitmaps (see gyre_shape_distance).
GYRE_API gyre_result gyre_bodies_distance(const gyre_bodies *bodies, gyre_id id,
                                          const float *points, int count, float *distances);
/// Velocities of a body's material at `count` points of the world, three floats each: how far it
/// has come in the last step, over dt. Outside the body they are those of the material as it would
/// be there; a surface that deforms carries along what is nearest to it. Before the first step, and
/// after a step of 0 s, what velocity and spin make.
GYRE_API gyre_result gyre_bodies_velocity(const gyre_bodies *bodies, gyre_id id,
                                          const float *points, int count, float *velocities);
/// The surface of a body in the world as it is now, until the set's next call but for distance and
/// velocity; round forms in 32 sides. No triangles: one that is not enabled, half-spaces, volumes,
/// bitmaps.
GYRE_API gyre_result gyre_bodies_mesh(gyre_bodies *bodies, gyre_id id, gyre_mesh *mesh);

/// A hash of the whole state: bodies with their ids, clock, what was pushed. The same on every
/// machine, and whatever room there is; 0 of a set that has never had a body.
GYRE_API uint64_t gyre_bodies_hash(const gyre_bodies *bodies);
/// Bytes that save writes at most, as long as the set lives and no mesh with a box for its points
/// comes.
GYRE_API size_t gyre_bodies_save_size(const gyre_bodies *bodies);
/// Writes the state; `written` (may be NULL) gets how many bytes. GYRE_ERROR_ARGUMENT when `size`
/// is too small; nothing is written then.
GYRE_API gyre_result gyre_bodies_save(const gyre_bodies *bodies, void *memory, size_t size,
                                      size_t *written);
/// Takes a saved state back: bodies come and go, with their ids. GYRE_ERROR_FORMAT: damaged, cut,
/// of another version, of more bodies than there is room for, or with an array that no body uses
/// now; GYRE_ERROR_MEMORY. The set is then unchanged.
GYRE_API gyre_result gyre_bodies_load(gyre_bodies *bodies, const void *memory, size_t size);

#ifdef __cplusplus
}
#endif
#endif
