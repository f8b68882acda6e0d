/// @file gyre/grid.h
/// Grids, field tables and windows on field data.
#ifndef GYRE_GRID_H
#define GYRE_GRID_H

#include "gyre/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A uniform grid of cubic cells, a value. A 2D grid has dim == 2 and n[2] == 1; nothing else
/// changes.
typedef struct gyre_grid {
    int dim;         ///< 2 or 3
    int n[3];        ///< cells along x, y, z; 1 to 4096 each
    float h;         ///< edge of a cell in metres, > 0
    float origin[3]; ///< lower corner of cell (0, 0, 0) in metres
} gyre_grid;

/// Where on a cell a field's samples sit. A face field along an axis has one sample more on that
/// axis.
typedef enum gyre_location {
    GYRE_CENTRE,
    GYRE_FACE_X, ///< sample (i, j, k) sits on the lower x face of cell (i, j, k)
    GYRE_FACE_Y,
    GYRE_FACE_Z,
    GYRE_NODE
} gyre_location;

/// How a field is best shown.
typedef enum gyre_view {
    GYRE_VIEW_DENSITY,     ///< from 0 up, transparent at 0
    GYRE_VIEW_TEMPERATURE, ///< from 0 up, black body
    GYRE_VIEW_SIGNED,      ///< diverging colours about 0
    GYRE_VIEW_FRACTION,    ///< 0 to 1
    GYRE_VIEW_SURFACE,     ///< height of a free surface, of the bed where it is dry
    GYRE_VIEW_BED          ///< height of the ground
} gyre_view;

/// What a field is, whatever it is called: so it is found in any model.
typedef enum gyre_field_role {
    GYRE_ROLE_NONE,       ///< nothing that others look for
    GYRE_ROLE_SMOKE,      ///< a scalar that is seen in the fluid: smoke, ink
    GYRE_ROLE_HEAT,       ///< warmth above the surroundings
    GYRE_ROLE_SOLID,      ///< the share of a cell that no fluid can enter
    GYRE_ROLE_AMOUNT,     ///< of the fluid itself: the depth of water
    GYRE_ROLE_SURFACE,    ///< the height of a surface
    GYRE_ROLE_BED,        ///< the height of the ground below it
    GYRE_ROLE_VELOCITY_X, ///< of the fluid, along x; y and z follow
    GYRE_ROLE_VELOCITY_Y, ///< along y
    GYRE_ROLE_VELOCITY_Z, ///< along z
    GYRE_ROLE_TEXTURE     ///< of a texture's coordinates: see gyre_model_texture()
} gyre_field_role;

/// One line of a model's field table.
typedef struct gyre_field_info {
    const char *name;       ///< "velocity_x", "density", ...
    const char *unit;       ///< "m/s", "kg/m^3", "K", "1"
    gyre_location location; ///< where its samples sit
    gyre_view view;         ///< how it is best shown
    bool derived;           ///< computed when mapped; not part of the state, not written by map
    bool total;           ///< its integral is a quantity worth following (a scalar that is carried)
    const char *doc;      ///< one line
    gyre_field_role role; ///< what it is; of several fields with one role the first counts
} gyre_field_info;

/// A window on one field: sample (i, j, k) is data[i * stride[0] + j * stride[1] + k * stride[2]].
/// stride[0] is 1. n counts the samples, so a face field shows n + 1 along its axis.
typedef struct gyre_field_view {
    float *data;            ///< sample (0, 0, 0)
    int n[3];               ///< samples along x, y, z
    ptrdiff_t stride[3];    ///< in floats
    gyre_location location; ///< where they sit
    gyre_grid grid;         ///< of the model
} gyre_field_view;

/// Checks a grid: dim, n, a finite h > 0 and a finite origin.
/// GYRE_ERROR_ARGUMENT with a sentence that names what is wrong.
GYRE_API gyre_result gyre_grid_check(const gyre_grid *grid);

/// Samples of a field at `location` along each axis.
GYRE_API void gyre_grid_samples(const gyre_grid *grid, gyre_location location, int n[3]);

/// World position of sample (i, j, k) of a field at `location`, in metres.
GYRE_API void gyre_grid_position(const gyre_grid *grid, gyre_location location, int i, int j, int k,
                                 float position[3]);

#ifdef __cplusplus
}
#endif
#endif
