// scene/picture.h: what pictures of a scene's models are drawn from.
#ifndef GY_SCENE_PICTURE_H
#define GY_SCENE_PICTURE_H

#include "scene/scene.h"

enum { GY_DRAWN_CHANNELS = 64 };

/// What of a model's particles a picture needs; all NULL where it has none.
typedef struct gy_drawn_points {
    gyre_particle_sets *sets;
    gyre_render_points points;
    float *colours, *sizes;
    float *positions; // of all sets, where there are several
} gy_drawn_points;

/// A model held still for a picture. It stays where it is: `input` points into it.
typedef struct gy_drawn {
    gyre_fields *fields;
    gyre_mesh *meshes;
    int mesh_count;
    gyre_mesh overhang; // water over the surface
    gyre_mesh *sheets;  // walls without thickness
    int sheet_count;
    gy_drawn_points points;
    gyre_render_channel channels[GY_DRAWN_CHANNELS];
    int channel_count;
    gyre_render_texture texture; // its phases: 0: there is none
    int first_shift;             // among the fields
    gyre_render_flow flow;       // of a surface
    int first_flow;              // among the fields
    gyre_grid grid;
    gyre_render_input input;
    bool under;                     // a water that another one's heights show with their own
    float *merged;                  // surface and bed of such a one
    gyre_field_view merged_view[2]; // of these
} gy_drawn;

/// Where each of these fields (-1: none) lies among those that are wanted, each once; returns how
/// many they are.
int gy_drawn_want_once(const int *field, int count, int *slot, int *wanted);
/// What a model's texture is drawn from: adds the fields to those that are wanted; takes their
/// views when they are open; gives its texels back.
gyre_result gy_drawn_want_texture(gyre_scene *scene, int which, gy_drawn *drawn, int *wanted,
                                  int *used);
void gy_drawn_take_texture(gy_drawn *drawn, const gyre_named_view *views);
void gy_drawn_close_texture(gy_drawn *drawn);
/// The same of what flows on a surface.
void gy_drawn_want_flow(const gyre_model *model, gy_drawn *drawn, int *wanted, int *used);
void gy_drawn_take_flow(gy_drawn *drawn, const gyre_named_view *views);

/// What is seen of a model's particles; `hangs`: without those that its overhang is the surface of;
/// `laced`: without foam, which a field of that name shows.
gyre_result gy_drawn_open_points(gyre_scene *scene, int which, bool hangs, bool laced,
                                 gy_drawn_points *points);
void gy_drawn_close_points(gy_drawn_points *points);
/// Takes one out of copies of sets.
void gy_particle_sets_drop(gyre_particle_sets *sets, int index);

/// `shown`: the field of it that view.field names, or -1. `copies`: the model may go on while it is
/// drawn. Nothing to close after a failure.
gyre_result gy_drawn_open(gyre_scene *scene, int which, int shown, bool copies, gy_drawn *drawn);
void gy_drawn_close(gy_drawn *drawn);

/// What a picture of a scene shows: one model, or all of them in one picture or in panels.
struct gyre_picture {
    int count;
    bool composed;
    gy_drawn *drawn;            // `count` of them
    gyre_render_memory *memory; // of the scene, or of a held picture its own
    char file[256];             // for messages
};

/// Whether the scene's models are drawn in one picture. GYRE_ERROR_ARGUMENT: they should be and
/// cannot.
gyre_result gy_composed_fit(const gyre_scene *scene, bool *composed);
/// Makes one water of those that are nested; `drawn` are all models of the scene, in its order.
gyre_result gy_nested_merge(const gyre_scene *scene, gy_drawn *drawn);
/// Draws them so.
gyre_result gy_render_composed(gyre_picture *picture, gyre_device *device, gyre_image *image);

#endif
