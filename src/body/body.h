// body/body.h: what is inside a set of bodies: forms made ready (figures) and states.
#ifndef GY_BODY_SET_H
#define GY_BODY_SET_H

#include "base/pose.h"
#include "gyre/body.h"
#include "mesh/mesh.h"
#include "shape/shape.h"

enum {
    GY_SET_ARRAYS = 64 // that all bodies may use: as many as a saved def may name
};

/// A form made ready.
typedef struct gy_figure {
    int32_t kind;           // gyre_form_kind
    gy_solid solid;         // sphere, box, capsule, half-space, bitmap, in the own frame
    double radius, half;    // m, cylinder: half its length
    double low[3], size[3]; // m, volume: its array's box
    gyre_volume array;      // volume: its distances
    gyre_mesh_tree *tree;   // hull and mesh
    gyre_volume frames;     // mesh: none, or its points at later times
    double rate;            // 1/s
    bool repeat;
    float *now, *before;   // points of what deforms at the end and the beginning of the last step
    float *next;           // at the end of the next, where the caller moves them (body/points.c)
    float box[2][3];       // that those keep to
    int32_t told;          // whether `next` is to be
    gyre_mesh surface;     // own frame, to draw; its points are `now` where it deforms
    float *points, *world; // the surface's own, and where they are in the world
    int32_t *triangles;
    void *memory; // of these
    size_t bytes;
    // The solid inside, of 1 kg/m^3.
    double volume, centre[3], inertia[3][3];
    double axes[3][3], moments[3]; // principal
    bool closed;
} gy_figure;

/// What a step leaves to the next. Saved and hashed as it lies: no gaps.
typedef struct gy_set_state {
    gy_pose now, before;        // of the own frame, at the end and the beginning of the last step
    double velocity[3];         // m/s, of the centre of mass of a free body, else of the origin
    double spin[3];             // rad/s, of a body that is not free
    double angular[3];          // kg m^2/s about the centre of mass, of a free body
    double force[3], torque[3]; // pushed since the last step
    double dt;                  // s, of the last step; 0: none
    gyre_pose target;           // of a driven body
    int32_t driven;             // whether there is a target
    int32_t borne;              // whether a model bears it in the next step
} gy_set_state;

struct gyre_bodies {
    gyre_host host;
    size_t size; // bytes of all of it but figures
    uint32_t tag;
    // What is packed when the set is saved: see set_properties.
    struct gy_set_def {
        float gravity[3];
        gyre_pool pool; // of gyre_body
    } def;
    gy_figure *figures;
    gy_set_state *states;
    uint64_t *ids; // ascend
    uint64_t next_id;
    double time, before; // s, now and before the last step
    int64_t steps;
    uint64_t changes;      // how often bodies came and went; no part of the state
    unsigned char *packed; // scratch
    size_t packed_most;
};

extern const gyre_property gy_set_properties[];

GY_INLINE gyre_body *gy_set_body(const gyre_bodies *set, int index)
{
    return (gyre_body *)set->def.pool.items + index;
}

/// Makes a form ready or says why it cannot be used; `path` stands before the names in messages.
gyre_result gy_figure_make(const gyre_host *host, const gyre_form *form, const char *path,
                           gy_figure *figure);
void gy_figure_free(const gyre_host *host, gy_figure *figure);
/// The points of a form that deforms at a time; what was now becomes before.
void gy_figure_deform(gy_figure *figure, double time);
/// Whether the caller moves a mesh's points.
bool gy_figure_is_told(const struct gyre_form_mesh *mesh);
/// Makes that ready: the figure has its points.
gyre_result gy_figure_tell(gy_figure *figure, const struct gyre_form_mesh *mesh, const char *path);
/// What is to be is now.
void gy_figure_hand_on(gy_figure *figure);
/// What a saved set holds of such points, and their part of its hash.
size_t gy_set_points_size(const gy_figure *figures, int count);
void gy_set_points_save(const gyre_bodies *set, char *to);
bool gy_set_points_load(gy_figure *figures, int count, const char *from);
uint64_t gy_set_points_hash(const gyre_bodies *set, uint64_t hash);
/// How far what is nearest to a point of the own frame was carried by the last step's deforming.
void gy_figure_carried(const gy_figure *figure, const double own[3], double way[3]);
/// Signed distance of a point of the own frame.
double gy_figure_distance(const gy_figure *figure, const double own[3]);
void gy_figure_bounds(const gy_figure *figure, const gy_pose *pose, float low[3], float high[3]);

/// Volume, centre and inertia of a form (body/mass.c).
void gy_figure_weigh(gy_figure *figure);

/// Checks a whole body against its figure: motion, path, pose.
gyre_result gy_set_check(const gyre_body *body, const gy_figure *figure, const char *path);

/// kg; 0 where there is none.
double gy_set_mass(const gyre_body *body, const gy_figure *figure);
/// The angular velocity of a body now (rad/s), in the world.
void gy_set_spin(const gyre_body *body, const gy_figure *figure, const gy_set_state *state,
                 double spin[3]);
/// Takes over what of a pose counts from now on.
void gy_set_place(const gyre_body *body, const gy_figure *figure, gy_set_state *state);
void gy_set_hasten(const gyre_body *body, const gy_figure *figure, gy_set_state *state);
/// Where a body on a path is at a time.
void gy_set_follow(const gyre_body *body, double time, gy_pose *pose);
/// One body's step from `time` on.
void gy_set_move(const float gravity[3], double time, double dt, gyre_body *body, gy_figure *figure,
                 gy_set_state *state);

/// Where an id is; GYRE_ERROR_ARGUMENT with the reason.
gyre_result gy_set_locate(const gyre_bodies *set, const char *call, gyre_id id, int *index);

#endif
