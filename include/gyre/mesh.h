/// @file gyre/mesh.h
/// Surfaces of indexed triangles: what they measure, whether they are closed, and how far away they
/// are.
///
/// Nothing about a mesh is taken for granted: gyre_mesh_inspect() counts the edges that are open,
/// crowded or flipped. Distances have the sign of the generalised winding number, which is 1 inside
/// a closed surface, 0 outside, and near these for one with holes or with parts that overlap (A.
/// Jacobson et al., Robust Inside-Outside Segmentation using Generalized Winding Numbers, SIGGRAPH
/// 2013).
///
/// The same bits come out on every machine. Reading and writing files: gyre/io.h.
#ifndef GYRE_MESH_H
#define GYRE_MESH_H

#include "gyre/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A surface of triangles, seen from outside anticlockwise where it has an outside. A view: the
/// arrays belong to whoever made them, who says how long they live.
typedef struct gyre_mesh {
    const float *points;      ///< x, y, z each, in metres
    int point_count;          ///< of points
    const int32_t *triangles; ///< three points each
    int triangle_count;       ///< of triangles
} gyre_mesh;

/// What gyre_mesh_measure() finds. Volume, centre and inertia are those of the solid inside: they
/// mean something for a closed surface alone.
typedef struct gyre_mesh_measures {
    float low[3];         ///< m, lower corner of the box that holds all points
    float high[3];        ///< m, upper corner
    double area;          ///< m^2
    double volume;        ///< m^3; below 0: inside out
    double centre[3];     ///< m, of volume; of the box where the volume is 0
    double inertia[3][3]; ///< m^5: about the centre, of 1 kg/m^3
} gyre_mesh_measures;

/// What gyre_mesh_inspect() finds.
typedef struct gyre_mesh_report {
    int edges;          ///< pairs of points that a triangle joins
    int boundary_edges; ///< on one triangle alone
    int crowded_edges;  ///< on more than two triangles: the surface is no manifold there
    int flipped_edges;  ///< on an even number of triangles, more of which run along it one way than
                        ///< the other: neighbours that disagree on what is outside
    int empty_triangles; ///< without area
    int unused_points;   ///< that no triangle names
    int parts;           ///< pieces that share no point
    bool closed;         ///< there are triangles, and on each edge an even number of them
    bool oriented;       ///< on no edge one way outnumbers the other by more than one triangle
} gyre_mesh_report;

/// Whether a mesh can be used: at most 2^24 points and triangles, all points finite and within
/// 1e6 m, all triangles made of points that are there. GYRE_ERROR_ARGUMENT names the first that is
/// not. A mesh without triangles is one. Any thread.
GYRE_API gyre_result gyre_mesh_check(const gyre_mesh *mesh);

/// Bounds, area, volume, centre and inertia; a pass over the triangles, no memory. As
/// gyre_mesh_check() for a mesh that cannot be used. Any thread.
GYRE_API gyre_result gyre_mesh_measure(const gyre_mesh *mesh, gyre_mesh_measures *measures);

/// Whether a mesh is closed and of one orientation. Takes 24 bytes a triangle and 4 a point from
/// the host's allocator (NULL: the C library's) and gives them back. GYRE_ERROR_ARGUMENT,
/// GYRE_ERROR_MEMORY. Any thread.
GYRE_API gyre_result gyre_mesh_inspect(const gyre_host *host, const gyre_mesh *mesh,
                                       gyre_mesh_report *report);

/// Unit normals, three floats each, of triangles and of points; either may be NULL. A point's is
/// the mean of its triangles' normals, each by its angle there (J. A. Baerentzen, H. Aanaes, Signed
/// Distance Computation Using the Angle Weighted Pseudonormal, 2005). 0 where there is none. Any
/// thread.
GYRE_API gyre_result gyre_mesh_normals(const gyre_mesh *mesh, float *of_triangles,
                                       float *of_points);

/// A mesh made ready for queries: a copy of it in a tree of boxes. Queries change nothing and may
/// run on any number of threads; making, refitting and destroying are one thread's.
typedef struct gyre_mesh_tree gyre_mesh_tree;

/// Makes a tree over a mesh, which is copied: 608 bytes a triangle and 12 a point from the host's
/// allocator (NULL: the C library's), whose hooks must outlive the tree. GYRE_ERROR_ARGUMENT: as
/// gyre_mesh_check(), or no triangles; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_mesh_tree_create(const gyre_host *host, const gyre_mesh *mesh,
                                           gyre_mesh_tree **tree);
/// NULL is allowed.
GYRE_API void gyre_mesh_tree_destroy(gyre_mesh_tree *tree);

/// Takes points in the place of those it was made from, as many of them; the triangles stay. For
/// surfaces that deform: allocates nothing, and costs less than a new tree, which is faster to ask
/// where the shape has become quite another. GYRE_ERROR_ARGUMENT: one is not finite, or beyond 1e6
/// m; the tree is then unchanged.
GYRE_API gyre_result gyre_mesh_tree_refit(gyre_mesh_tree *tree, const float *points);

/// The tree's own mesh, until it is refitted or destroyed. No triangles for NULL.
GYRE_API gyre_mesh gyre_mesh_tree_mesh(const gyre_mesh_tree *tree);

/// The nearest place of a surface.
typedef struct gyre_mesh_place {
    float point[3];   ///< m
    float distance;   ///< m, not below 0
    int32_t triangle; ///< which; of equally near ones the first
    float weights[3]; ///< of its three points: 0 to 1 each, 1 in all
} gyre_mesh_place;

/// The nearest places to `count` points, three floats each. GYRE_ERROR_ARGUMENT: a point that is
/// not finite; nothing is written then.
GYRE_API gyre_result gyre_mesh_closest(const gyre_mesh_tree *tree, const float *points, int count,
                                       gyre_mesh_place *places);

/// How often the surface winds round `count` points: exact near by; far away, to about 2e-3 in all,
/// by moments of whole boxes of triangles (G. Barill et al., Fast Winding Numbers for Soups and
/// Clouds, SIGGRAPH 2018). GYRE_ERROR_ARGUMENT: a point that is not finite.
GYRE_API gyre_result gyre_mesh_winding(const gyre_mesh_tree *tree, const float *points, int count,
                                       float *numbers);

/// Signed distances of `count` points in metres, below 0 where the winding number is above 1/2.
/// GYRE_ERROR_ARGUMENT: a point that is not finite.
GYRE_API gyre_result gyre_mesh_distance(const gyre_mesh_tree *tree, const float *points, int count,
                                        float *distances);

#ifdef __cplusplus
}
#endif
#endif
