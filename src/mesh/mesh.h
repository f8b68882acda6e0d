// mesh/mesh.h: what files above share of surfaces of triangles: integrals over what is inside, a
// quick test of closedness, convex hulls.
#ifndef GY_MESH_H
#define GY_MESH_H

#include "base/base.h"
#include "gyre/mesh.h"

#include <string.h>

enum {
    GY_MESH_MOST = 1 << 24, // points and triangles
    GY_HULL_POINTS = 512,
    GY_HULL_TRIANGLES = 2 * GY_HULL_POINTS - 4
};

/// Corner `k` of a triangle of some surface, whatever keeps its indices.
typedef void gy_mesh_corner(const void *surface, int triangle, int k, double point[3]);
typedef int gy_mesh_index(const void *surface, int triangle, int k);

/// Integrals over the inside of a surface: of 1, x_a and x_a x_b.
typedef struct gy_mesh_integrals {
    double volume, first[3], second[3][3];
} gy_mesh_integrals;

/// Sums over the tetrahedra from the origin to the triangles (signed, so that any closed surface
/// that looks outwards comes out right): of (0, p0, p1, p2) with s = p0 + p1 + p2 and volume V they
/// are V, V / 4 s_a and V / 20 (sum of x_a x_b at its corners + s_a s_b).
GY_INLINE gy_mesh_integrals gy_mesh_integrate(const void *surface, int triangles,
                                              gy_mesh_corner *corner)
{
    gy_mesh_integrals sum;
    memset(&sum, 0, sizeof sum);
    for (int t = 0; t < triangles; t++) {
        double p[3][3];
        for (int k = 0; k < 3; k++) {
            corner(surface, t, k, p[k]);
        }
        double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                     p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                     p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
        sum.volume += six / 6.0;
        for (int a = 0; a < 3; a++) {
            sum.first[a] += six / 24.0 * (p[0][a] + p[1][a] + p[2][a]);
            for (int b = 0; b < 3; b++) {
                double s = (p[0][a] + p[1][a] + p[2][a]) * (p[0][b] + p[1][b] + p[2][b]);
                s += p[0][a] * p[0][b] + p[1][a] * p[1][b] + p[2][a] * p[2][b];
                sum.second[a][b] += six / 120.0 * s;
            }
        }
    }
    return sum;
}

/// The inertia about the origin, of 1 kg/m^3, from second moments.
GY_INLINE void gy_mesh_inertia(double second[3][3], double inertia[3][3])
{
    double trace = second[0][0] + second[1][1] + second[2][2];
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            inertia[a][b] = (a == b ? trace : 0.0) - second[a][b];
        }
    }
}

GY_INLINE uint64_t gy_mesh_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + (b + 1) * 0xc2b2ae3d27d4eb4fu;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 32) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/// Whether every edge is run along as often one way as the other: sums of a hash of the edges and
/// of the edges turned round then agree, and else (but for a chance of 2^-64) not. No memory.
GY_INLINE bool gy_mesh_is_closed(const void *surface, int triangles, gy_mesh_index *index)
{
    uint64_t there = 0, back = 0;
    for (int t = 0; t < triangles; t++) {
        for (int k = 0; k < 3; k++) {
            uint64_t a = (uint64_t)index(surface, t, k);
            uint64_t b = (uint64_t)index(surface, t, (k + 1) % 3);
            there += gy_mesh_mix(a, b);
            back += gy_mesh_mix(b, a);
        }
    }
    return there == back;
}

/// The convex hull of at most GY_HULL_POINTS points that span a volume: triangles seen from outside
/// anticlockwise. Returns how many there are, or 0 where the points lie in a plane.
int gy_hull_make(const float *points, int count, uint16_t *triangles);

/// Signed distance and winding number of one point, in double precision.
double gy_mesh_tree_distance(const gyre_mesh_tree *tree, const double point[3]);
double gy_mesh_tree_winding(const gyre_mesh_tree *tree, const double point[3]);
void gy_mesh_tree_closest(const gyre_mesh_tree *tree, const double point[3],
                          gyre_mesh_place *place);

#endif
