// shape/shape.h: shapes made ready for many distance queries.
#ifndef GY_SHAPE_H
#define GY_SHAPE_H

#include "base/base.h"
#include "base/pose.h"
#include "gyre/grid.h"
#include "gyre/shape.h"

/// A shape prepared once: turned into doubles, unit normals and rotation matrices. A value; a
/// volume's array is referred to, not copied.
typedef struct gy_solid {
    int32_t kind; // gyre_shape_kind
    int dim;
    double a[3];            // sphere, box: centre; capsule: middle; half-space: point; volume: low
    double b[3];            // box: half size; capsule: half axis; half-space: unit normal; volume:
                            // size
    double axis[3][3];      // box, volume: its axes in world space
    double radius;          // sphere, capsule, cylinder
    double inverse;         // capsule: 1 / |half axis|^2, or 0; volume: a gap over the most that
                            // distances differ by across it, or 0: not known
    double threshold;       // volume
    double scale[3];        // volume: samples per metre
    double edge;            // volume: shortest edge of the array's cells, m
    double slope;           // no two points' distances differ by more than slope times their gap
    double low[3], high[3]; // bounds, as gyre_shape_bounds
    gyre_volume volume;
    bool turned; // box, volume: whether axis is anything but the identity
} gy_solid;

/// A kind beside those of gyre_shape_kind: what lies below heights given at the corners of a grid's
/// columns (volume.data, n[0] * n[1]), bilinear between them, level beyond. Distances are measured
/// upwards: they bound how far it is by `slope`.
enum { GY_SOLID_FLOOR = 100 };
gy_solid gy_solid_make_floor(const gyre_grid *grid, const float *heights, int ni, int nj);
/// And a cylinder with flat ends about x in its own frame: a: middle, b: half axis, radius,
/// inverse: 1 / |half axis|. Its distance is exact.
enum { GY_SOLID_CYLINDER = 101 };
gy_solid gy_solid_make_cylinder(double radius, double half);

/// Whether a shape can be used in `dim` dimensions: a known kind, finite numbers, sizes and radii
/// above 0, a normal that is not zero, a volume with finite data. `path` stands before the names
/// in the message; may be "".
gyre_result gy_shape_check(const gyre_shape *shape, int dim, const char *path);

/// Whether a pose can be used in `dim` dimensions: an orientation of unit length or 0, in 2D one
/// about z. `path` stands before the names in the message; may be "".
gyre_result gy_pose_check(const gyre_pose *pose, int dim, const char *path);

gy_solid gy_solid_make(const gyre_shape *shape, int dim);

/// Of a shape in the own frame of a pose. One that neither moves nor turns it (and NULL) gives the
/// bits of gy_solid_make.
gy_solid gy_solid_make_posed(const gyre_shape *shape, const gyre_pose *pose, int dim);

/// Puts a shape that was made ready in its own frame into the world.
void gy_solid_put(gy_solid *solid, const gy_pose *pose);

/// Whether two are alike for certain: never of volumes, which may have been painted.
bool gy_solid_same(const gy_solid *a, const gy_solid *b);

/// How far from a point all others are on its side of the surface, over its distance; 0: not known.
static inline double gy_solid_reach(const gy_solid *s)
{
    // A little less, for what is rounded.
    return s->slope > 0.0                 ? 0.999 / s->slope
           : s->kind == GYRE_SHAPE_VOLUME ? 0.999 * s->inverse
                                          : 0.0;
}

/// Finds that of a volume from its array: a look at each of its values.
void gy_solid_find_reach(gy_solid *volume);

/// The signed distance of gyre_shape_distance in double precision. Finite for any finite point;
/// |result| <= 1e13. A mirrored or axis-swapped query of a mirrored or axis-swapped shape gives
/// the same bits wherever the input has them (volumes: mirrored only).
double gy_solid_distance(const gy_solid *solid, const double point[3]);

/// What is above 0 where gy_solid_distance is, is no farther from 0, and costs less.
double gy_solid_bound(const gy_solid *solid, const double point[3]);

/// a + b + c in an order that depends on the values alone.
GY_INLINE double gy_sum3(double a, double b, double c)
{
    double t;
    if (a > b) {
        t = a, a = b, b = t;
    }
    if (b > c) {
        t = b, b = c, c = t;
    }
    if (a > b) {
        t = a, a = b, b = t;
    }
    return (a + b) + c;
}

#endif
