// mesh/tree.h: a tree of boxes over triangles.
#ifndef GY_MESH_TREE_H
#define GY_MESH_TREE_H

#include "mesh/mesh.h"

enum {
    GY_TREE_LEAF = 4,  // triangles
    GY_TREE_DEPTH = 72 // levels, at most: 40 cuts in the middle, then halves of up to 2^24
};

/// A box of triangles. The two halves of one that is no leaf are the node behind it and `other`.
typedef struct gy_tree_node {
    double low[3], high[3]; // m, of its triangles
    double centre[3];       // m, of their area
    double reach;           // m, from there to the farthest of their points
    // Moments of the triangles' area and normals; see mesh/tree.c.
    double dipole[3], quadrupole[3][3], octupole[10], twist[3];
    double area;
    int32_t first, count; // of gyre_mesh_tree.order
    int32_t other;        // 0: a leaf
    int32_t depth;
} gy_tree_node;

struct gyre_mesh_tree {
    gyre_host host;
    size_t size; // bytes of all of it
    float *points;
    int32_t *triangles; // as they were given
    int32_t *order;     // which are in a node
    float *middles;     // of triangles: while the tree is made
    gy_tree_node *nodes;
    int point_count, triangle_count, node_count;
};

GY_INLINE const float *gy_tree_point(const gyre_mesh_tree *tree, int triangle, int k)
{
    return tree->points + 3 * tree->triangles[3 * triangle + k];
}

#endif
