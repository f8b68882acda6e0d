/// @file gyre/shape.h
/// Shapes that emitters and solids are made of.
#ifndef GYRE_SHAPE_H
#define GYRE_SHAPE_H

#include "gyre/pose.h"
#include "gyre/property.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a shape is.
typedef enum gyre_shape_kind {
    GYRE_SHAPE_SPHERE,
    GYRE_SHAPE_BOX,
    GYRE_SHAPE_CAPSULE,
    GYRE_SHAPE_HALF_SPACE,
    GYRE_SHAPE_VOLUME
} gyre_shape_kind;

/// A closed region of space, in metres. In 2D, z is ignored (a sphere is a disk).
typedef struct gyre_shape {
    int32_t kind; ///< gyre_shape_kind
    /// The member that `kind` names.
    union {
        struct gyre_shape_sphere {
            float centre[3];
            float radius;
        } sphere;
        struct gyre_shape_box {
            float centre[3];
            float size[3];        ///< full edge lengths
            float rotation[3];    ///< degrees about its centre, about x, then y, then z
            float orientation[4]; ///< the same as a unit quaternion x, y, z, w, which counts where
                                  ///< it is not 0: see gyre_pose
        } box;
        struct gyre_shape_capsule {
            float from[3], to[3];
            float radius;
        } capsule;
        struct gyre_shape_half_space {
            float point[3];
            float normal[3]; ///< points out of the solid side; need not be of unit length, not zero
        } half_space;
        struct gyre_shape_volume {
            gyre_volume data; ///< an image (n[2] == 1) or a 3D array; inside where > threshold
            float low[3];     ///< corner of the array's box
            float size[3];
            float threshold;
        } volume;
    } as;
} gyre_shape;

// Makers: gyre_sphere((float[3]){0.5f, 0.2f, 0.5f}, 0.1f). Lengths in metres; nothing is checked
// here, but where the shape is used (sizes and radii at least 0, a normal that is not 0). Any
// thread.

/// All points nearer than `radius` to `centre`.
GYRE_API gyre_shape gyre_sphere(const float centre[3], float radius);
/// `size` are full edge lengths; along the axes: set .as.box.rotation or .orientation to
/// turn it.
GYRE_API gyre_shape gyre_box(const float centre[3], const float size[3]);
/// All points nearer than `radius` to the line from `from` to `to`.
GYRE_API gyre_shape gyre_capsule(const float from[3], const float to[3], float radius);
/// All that lies behind a plane: `normal` points out of it and need not be of unit length.
GYRE_API gyre_shape gyre_half_space(const float point[3], const float normal[3]);
/// Inside where `data` (the caller's, for as long as the shape is used) is greater than
/// `threshold`; its box has `low` as its corner and the edge lengths `size`.
GYRE_API gyre_shape gyre_volume_shape(gyre_volume data, const float low[3], const float size[3],
                                      float threshold);

/// The table of a gyre_shape: a GYRE_UNION with the alternatives sphere, box, capsule, half_space
/// and volume. For nesting in the tables of others.
extern GYRE_API const gyre_property gyre_shape_properties[];

/// Signed distance in metres from `point` to the surface, negative inside. Exact for all kinds but
/// volume, for which it is (threshold - value) scaled by the array's cell edge: right in sign,
/// linear across the surface.
GYRE_API float gyre_shape_distance(const gyre_shape *shape, int dim, const float point[3]);

/// A box that holds the shape; infinite extents are +-1e30.
GYRE_API void gyre_shape_bounds(const gyre_shape *shape, int dim, float low[3], float high[3]);

/// As gyre_shape_distance, of a shape that lies in the own frame of a pose; NULL: in the world. The
/// pose's velocity and spin do not count.
GYRE_API float gyre_shape_posed_distance(const gyre_shape *shape, const gyre_pose *pose, int dim,
                                         const float point[3]);

/// As gyre_shape_bounds, of a shape that lies in the own frame of a pose; NULL: in the world.
GYRE_API void gyre_shape_posed_bounds(const gyre_shape *shape, const gyre_pose *pose, int dim,
                                      float low[3], float high[3]);

#ifdef __cplusplus
}
#endif
#endif
