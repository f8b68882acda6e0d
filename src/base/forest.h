// base/forest.h: union-find: a forest over indices whose roots are the lowest of their trees.
#ifndef GY_FOREST_H
#define GY_FOREST_H

#include "base/base.h"

/// The root of i's tree; shortens the way there.
GY_INLINE int32_t gy_forest_root(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/// Makes one tree of those of a and b.
GY_INLINE void gy_forest_join(int32_t *parent, int32_t a, int32_t b)
{
    a = gy_forest_root(parent, a);
    b = gy_forest_root(parent, b);
    parent[GY_MAX(a, b)] = GY_MIN(a, b);
}

#endif
