// render/map.h: a plane of cells that is drawn as a map.
#ifndef GY_RENDER_MAP_H
#define GY_RENDER_MAP_H

#include "render/render.h"

enum {
    GY_MAP_COLOURS = 4096, // entries of a finished table
    GY_MAP_TASKS = 64,     // at most
    GY_MAP_LINES = 3,      // scratch of a plane: see gy_map_view
    GY_MAP_PLANES = 6      // at most
};

/// Rows from the bottom up, with two cells of margin that repeat the edge.
typedef struct gy_map_plane {
    int n[2];
    ptrdiff_t row;
    float *data; // of cell (0, 0)
    float *memory;
} gy_map_plane;

/// What the rows of a map are drawn from.
typedef struct gy_map_view {
    gyre_device *device;
    const gyre_render_input *input;
    gyre_image *image;
    gyre_colour_map map;
    gyre_view_mix mix;
    gy_hulls *sheets; // NULL: there are none
    uint8_t *beside;  // whether a cell of the plane is near one, in 2D; NULL: none is
    gy_map_plane field, solid, light;
    // Of several scalars, each with its own colour: the field is their sum by their scales, and
    // these are of each colour that sum with every part times its own: of what it sends on (smoke),
    // takes away (ink) or gives (light). NULL: one scalar.
    gy_map_plane tint[3];
    float low, scale;   // of the field's values
    float cells;        // per pixel
    float shift[2];     // cells at the picture's left and bottom edge
    int samples;        // per pixel and axis
    vec table[257];     // display colours of the map, linear
    float *srgb[3];     // GY_MAP_COLOURS + 1 of the same, sRGB 0..255
    float *finished;    // the memory of those
    vec sun, sky, body; // lit smoke; solids, tone mapped
    int rows;           // of the picture per task
    ptrdiff_t line;     // entries of a line of scratch
    int planes;         // 3, with tints GY_MAP_PLANES
    float *scratch;     // of each task: GY_MAP_LINES lines for each of the planes
} gy_map_view;

/// Of the map INK, linear: paper * exp(-absorb * t).
extern const float gy_ink_paper[3], gy_ink_absorb[3];

/// A plane to cut out of a view, and the range of its values. Strides and places in entries.
typedef struct gy_map_cut {
    const gyre_field_view *view;
    const gy_map_plane *plane;
    ptrdiff_t right, up, below, above;
    float part;        // of the plane above
    float (*range)[2]; // of every GY_MAP_TASKS-th row
} gy_map_cut;

/// Makes an empty plane; false: there is no memory. Its `memory` is given back with gy_give().
bool gy_make_plane(gyre_render_memory *memory, gy_map_plane *plane, const int n[2]);
/// Cuts the plane out of a view: the whole of a 2D field, two neighbouring planes mixed in 3D.
void gy_cut_plane(gyre_device *device, const gyre_field_view *view,
                  const gyre_view_settings *settings, const gy_map_plane *plane);

#endif
