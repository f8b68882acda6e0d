// gas/ops/drive.h: a force made ready for ops, and how much of a face it covers. What it is at a
// face across axis a, x the face's middle, r = x - centre, p = r - (r . n) n with n a unit vector
// or 0:
//
//     EVEN     vector_a                         wind, fan
//     ROUND    (n x r)_a / (p^2 + core^2)       vortex
//     TOWARDS  -p_a / s (core / s)^falloff      attractor; s^2 = p^2 + core^2
//     WAVES    sum over m of Re(w_am X_m Y_m Z_m)      turbulence
//     FIELD    what an array has for the face          what was worked out before: confinement
//
// X_m = exp(2 pi i k_x x) and so on lie in tables along the axes, so that a face costs no function.
// Each w_m is at right angles to 2 sin(pi k h) / h, the wave number that differences over a cell
// see: the sum is free of divergence on the faces, but for rounding.
#ifndef GY_DRIVE_H
#define GY_DRIVE_H

#include "gas/ops/args.h"
#include "ops/system/level.h"
#include "shape/shape.h"

enum { GY_WAVES = 24 };

typedef enum gy_force_form {
    GY_FORCE_EVEN,
    GY_FORCE_ROUND,
    GY_FORCE_TOWARDS,
    GY_FORCE_WAVES,
    GY_FORCE_FIELD
} gy_force_form;

typedef struct gy_force {
    int32_t form;       // gy_force_form
    int32_t everywhere; // 1: the shape does not count
    float vector[3];
    float thick; // m, over which the shape's surface covers
    float centre[3];
    float core; // m
    float axis[3];
    int32_t falloff;
    int32_t place[3];           // WAVES: of each axis' tables, in floats: cosines of all waves,
    int32_t step[3];            // so many of each, then sines
    float wave[3][GY_WAVES][2]; // of each axis: w, as it is now
    gy_solid shape;
} gy_force;
// The twin looks for the shape there.
_Static_assert(offsetof(gy_force, shape) == 80 + 24 * GY_WAVES, "gy_force has holes");

GY_INLINE void gy_drive_point(const gy_drive_args *a, int i, int j, int k, float point[3])
{
    point[0] = a->origin[0] + a->h * ((float)i + (a->axis == 0 ? 0.0f : 0.5f));
    point[1] = a->origin[1] + a->h * ((float)j + (a->axis == 1 ? 0.0f : 0.5f));
    point[2] = !gy_is_3d(a->extent.dim)
                   ? 0.0f
                   : a->origin[2] + a->h * ((float)k + (a->axis == 2 ? 0.0f : 0.5f));
}

/// What of a face is covered, 0 to 1; 0 where it is shut.
GY_INLINE float gy_drive_cover(const gy_drive_args *a, const gy_force *f, const gy_grid_level *g,
                               int i, int j, int k)
{
    const gy_level *l = g->l;
    int at = a->axis == 0 ? i : a->axis == 1 ? j : k;
    bool side = !(l->periodic >> a->axis & 1u) && (at == 0 || at == l->n[a->axis]);
    if ((side || !l->whole) && !*gy_coefficient(g, a->axis, i, j, k)) {
        return 0.0f;
    }
    if (f->everywhere) {
        return 1.0f;
    }
    float point[3];
    gy_drive_point(a, i, j, k, point);
    const double place[3] = {(double)point[0], (double)point[1], (double)point[2]};
    float covered = 0.5f - (float)gy_solid_distance(&f->shape, place) / f->thick;
    return covered > 0.0f ? covered < 1.0f ? covered : 1.0f : 0.0f;
}

#endif
