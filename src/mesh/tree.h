// mesh/tree.h: a tree of boxes over triangles.
#ifndef GY_MESH_TREE_H
#define GY_MESH_TREE_H

#include "mesh/mesh.h"

enum {
    GY_TREE_LEAF = 4,  // triangles
    GY_TREE_DEPTH = 72 // levels, at most: 40 cuts in the middle, then halves of up to 2^24
};

/// A box of triangles. The two halves of one that is no leaf are the one behind it and `other`.
typedef struct gy_tree_box {
    float low[3], high[3]; // m, of its triangles
    int32_t first, count;  // of gyre_mesh_tree.order
    int32_t other;         // 0: a leaf
    int32_t depth;
} gy_tree_box;

/// What a box is from far away: moments of its triangles' area and normals; see mesh/tree.c.
typedef struct gy_tree_far {
    double centre[3]; // m, of their area
    double reach;     // m, from there to the farthest corner of the box
    double dipole[3], quadrupole[3][3], octupole[10], twist[3];
} gy_tree_far;

struct gyre_mesh_tree {
    gyre_host host;
    size_t size; // bytes of all of it
    float *points;
    int32_t *triangles; // as they were given
    int32_t *order;     // which are in a box
    float *corners;     // of triangles in this order, nine numbers each
    float *middles;     // of triangles: while the tree is made
    gy_tree_box *boxes;
    gy_tree_far *far;
    int point_count, triangle_count, node_count;
};

GY_INLINE const float *gy_tree_point(const gyre_mesh_tree *tree, int triangle, int k)
{
    return tree->points + 3 * tree->triangles[3 * triangle + k];
}

#endif
