// view/draw/surface.h: what the files that draw water over its bed share.
#ifndef VIEW_DRAW_SURFACE_H
#define VIEW_DRAW_SURFACE_H

#include "view/draw/parts.h"

#define LEVEL 1e-4f // units: a bed of less relief is flat

enum { SHADOW, SHADOW_BODY, SHADOWS };

/// Quads of a mesh of corners.
typedef struct view_mesh_index {
    GLuint index;
    int steps[2], count;
} view_mesh_index;

struct view_surface {
    int fine, n[2];                                  // corners less one
    float unit, corner[2], longest, low, high, base; // low to high in units
    float bed_high;
    view_target heights;
    view_mesh_index bed; // as the sun sees it
    view_squares squares;
    float finest, high_away; // see view_levels_of
    bool dry;                // ground stands out of the water
    bool below;              // the eye is under water
    view_caustics *light;
    GLuint caustics; // its texture; 0: there is none
    int caustic_size[2];
    GLuint body_array, body_buffer;
    int body_corners;
    GLuint hang_array, hang_buffer;
    int hang_corners;
    float body_low[3], body_high[3]; // a box round all bodies, units
    float *mixed;
    size_t mixed_room;
    GLuint shadow[SHADOWS], shadow_buffer;
    int shadow_size;
    view_target bodies;
    GLuint bodies_depth;
    GLuint samples, samples_colour, samples_depth;
    int size[2], each; // pixels; samples of each
    view_target edges; // pixels of the target that an enlarged picture is too coarse for
    GLuint edges_depth;
    GLuint bars;
    int bar_count[2], bar_block;
    GLuint flow[2]; // of cells: metres to where the water was, of two phases; of the third, speed,
                    // wet
    float *flow_room; // as many numbers as they take
    size_t flow_size;
};

/// What meshes of one picture are drawn with.
typedef struct surface_scene {
    view_surface *s;
    const view_look *look;
    float eye[3], project[16], to_light[16], reach; // reach: half of what the sun's maps show
    float light[3];
    float pixel;    // its width at a distance of 1
    int size[2];    // of what is drawn into
    int later;      // moment
    GLuint foam[2]; // of the later moment and the earlier; 0: none is drawn
    float blend;
    bool wet, flows, rippled; // what of view_surface.flow is drawn
    gyre_ripples ripples;     // where it flows
} surface_scene;

/// Sets a uniform of two whole numbers.
void view_set_whole(const view_draw *draw, const char *name, int a, int b);

// ---- surface_make.c: what a picture is made of, between two moments

/// Lays out the corners of the relief.
void view_surface_lay_out(const view_draw *draw, view_surface *s);
/// Between which heights all of it is, and whether ground is dry.
void view_surface_measure(const view_draw *draw, view_surface *s, const int pair[2]);
/// The heights of corners; false: no memory, or no shader.
bool view_surface_refine(view_draw *draw, view_surface *s, const int pair[2], float blend);
/// A mesh of at most so many quads along a side.
void view_surface_index(const view_surface *s, int most, view_mesh_index *mesh);
void view_surface_load_bodies(const view_draw *draw, view_surface *s, const int pair[2],
                              float blend);
/// What hangs over the surface.
void view_surface_load_overhang(const view_draw *draw, view_surface *s);
/// White water, where both moments have a field of it.
void view_surface_take_foam(view_draw *draw, surface_scene *scene, const int pair[2]);
/// What flows with the water, and what is wet.
void view_surface_take_flow(view_draw *draw, surface_scene *scene, const int pair[2]);
/// The light under waves, where it is asked for.
void view_surface_gather(const view_draw *draw, const surface_scene *scene, const int pair[2],
                         float blend);
/// Means of blocks of cells, drawn as bars; false: no memory.
bool view_surface_raise_bars(const view_draw *draw, view_surface *s, const int pair[2],
                             float blend);

#endif
