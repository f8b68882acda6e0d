/// @file gyre/classic_model.h
/// The paper's solver (gyre/classic.h, in float) as a model among others:
/// type "classic" of gyre/model.h, with scenes, checkpoints, pictures and statistics like any
/// other. Its verbs are those of gyre/model.h: gyre_model_create(device, "classic", &def, &model).
#ifndef GYRE_CLASSIC_MODEL_H
#define GYRE_CLASSIC_MODEL_H

#include "gyre/model.h"
#include "gyre/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One side of the box: gyre_classic_side, as a table describes it.
typedef struct gyre_classic_edge {
    int32_t rule;      ///< 0: wall, 1: periodic, 2: inflow, 3: open (gyre_classic_rule)
    float velocity[3]; ///< m/s, of an inflow
    float density;     ///< kg/m^3, of an inflow
} gyre_classic_edge;

/// All sides; those along z count in 3D alone.
typedef struct gyre_classic_edges {
    gyre_classic_edge x_low;  ///< at the least x
    gyre_classic_edge x_high; ///< at the greatest x
    gyre_classic_edge y_low;  ///< at the least y
    gyre_classic_edge y_high; ///< at the greatest y
    gyre_classic_edge z_low;  ///< at the least z
    gyre_classic_edge z_high; ///< at the greatest z
} gyre_classic_edges;

/// A region where density enters and a force acts: what the paper's users do with the mouse.
typedef struct gyre_classic_emitter {
    char name[32];    ///< by which paths and messages call it; may be ""
    bool enabled;     ///< whether it acts
    gyre_shape shape; ///< where, in metres
    float density;    ///< kg/m^3 per second
    float force[3];   ///< m/s^2
} gyre_classic_emitter;

/// A body; cells whose centre is inside are solid. Give it a thickness of two cells.
typedef struct gyre_classic_solid {
    char name[32];     ///< by which paths and messages call it; may be ""
    bool enabled;      ///< whether it acts
    gyre_shape shape;  ///< where, in metres
    float velocity[3]; ///< m/s: what it does to the fluid; the body itself stays where it is
} gyre_classic_solid;

/// What the model is made from. Take it from gyre_classic_default_def().
typedef struct gyre_classic_def {
    uint32_t cookie;          ///< set by gyre_classic_default_def
    gyre_grid grid;           ///< fixed at create
    gyre_classic_edges sides; ///< what passes them
    int32_t sweeps;           ///< of Gauss-Seidel in each solve
    float viscosity;          ///< m^2/s
    float diffusivity;        ///< m^2/s, of the density
    float confinement;        ///< of vorticity; 0: none
    gyre_pool emitters;       ///< of gyre_classic_emitter
    gyre_pool solids;         ///< of gyre_classic_solid
} gyre_classic_def;

/// What the last step left.
typedef struct gyre_classic_stats {
    int64_t step;          ///< steps since create
    double time;           ///< s
    double dt;             ///< s
    float max_speed;       ///< m/s, largest component
    float div_rms_after;   ///< 1/s, by differences over two cells
    double kinetic_energy; ///< sum of u^2/2 times volume
} gyre_classic_stats;

/// Fills the first `size` bytes of a def, as the caller's headers have it: see
/// gyre_classic_default_def(). For bindings; create refuses a def of another size than the
/// library's. Any thread.
GYRE_API void gyre_classic_fill_def(gyre_classic_def *def, size_t size, int dim);

/// A def with every default: 64 cells a side, 1 m wide, walls, 20 sweeps.
static inline gyre_classic_def gyre_classic_default_def(int dim)
{
    gyre_classic_def def;
    gyre_classic_fill_def(&def, sizeof def, dim);
    return def;
}

/// The property table of gyre_classic_def.
extern GYRE_API const gyre_property gyre_classic_properties[];

#ifdef __cplusplus
}
#endif
#endif
