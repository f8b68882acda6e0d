// mesh/tree.c: the making of a tree of boxes over triangles.
//
// A box is cut in the middle of its longest side (of the triangles' own middles); where that leaves
// a side empty, or the tree has grown deep, into halves of its list. The order that results depends
// on the triangles alone. O(n log n) for triangles that lie about evenly, 40 n at worst.
//
// Of each box moments are kept by which its triangles' solid angle is told from far away
// (mesh/query.c): with n dA for area along the normal and d the way from the centre c of all area,
//
//     D = int n dA,  Q_ij = int d_i n_j dA,  O(x) = int (d . x)^2 (n . x) dA,
//     t = int 2 (d . n) d + |d|^2 n dA
//
// O is a cubic form: ten numbers, in the order of xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz. The
// middles of a triangle's edges, a third of its area each, give all of these exactly.
#include "mesh/tree.h"

static void triangle_area(const gyre_mesh_tree *tree, int t, double normal[3], double middle[3])
{
    double p[3][3];
    for (int k = 0; k < 3; k++) {
        const float *from = gy_tree_point(tree, t, k);
        for (int a = 0; a < 3; a++) {
            p[k][a] = (double)from[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        normal[a] = 0.5 * ((p[1][b] - p[0][b]) * (p[2][c] - p[0][c]) -
                           (p[1][c] - p[0][c]) * (p[2][b] - p[0][b]));
        middle[a] = (p[0][a] + p[1][a] + p[2][a]) / 3.0;
    }
}

static double length_of(const double v[3])
{
    return __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// The higher moments of a triangle about the centre of a box.
static void add_moments(const gyre_mesh_tree *tree, int t, gy_tree_far *far)
{
    double n[3], middle[3], d[3];
    triangle_area(tree, t, n, middle);
    for (int k = 0; k < 3; k++) {
        const float *p = gy_tree_point(tree, t, k), *q = gy_tree_point(tree, t, (k + 1) % 3);
        double square = 0.0, along = 0.0;
        for (int a = 0; a < 3; a++) {
            d[a] = 0.5 * ((double)p[a] + (double)q[a]) - far->centre[a];
            square += d[a] * d[a];
            along += d[a] * n[a];
        }
        for (int a = 0; a < 3; a++) {
            far->twist[a] += (2.0 * along * d[a] + square * n[a]) / 3.0;
            for (int b = 0; b < 3; b++) {
                far->quadrupole[a][b] += d[a] * n[b] / 3.0;
            }
        }
        int at = 0;
        for (int a = 0; a < 3; a++) {
            for (int b = a; b < 3; b++) {
                for (int c = b; c < 3; c++, at++) {
                    // As often as the three can be put in order.
                    int orders = a == b && b == c ? 1 : a == b || b == c ? 3 : 6;
                    double sum = d[a] * d[b] * n[c] + d[b] * d[c] * n[a] + d[c] * d[a] * n[b];
                    far->octupole[at] += orders * sum / 9.0;
                }
            }
        }
    }
}

/// Corners and moments of a box, from all its triangles (O(n log n) for the tree).
static void fill(gyre_mesh_tree *tree, int at)
{
    gy_tree_box *box = tree->boxes + at;
    gy_tree_far *far = tree->far + at;
    double moment[3] = {0.0, 0.0, 0.0}, all = 0.0, way[3];
    memset(far, 0, sizeof *far);
    for (int k = 0; k < box->count; k++) {
        int t = tree->order[box->first + k];
        double n[3], p[3];
        triangle_area(tree, t, n, p);
        double area = length_of(n);
        all += area;
        for (int a = 0; a < 3; a++) {
            far->dipole[a] += n[a];
            moment[a] += area * p[a];
            for (int c = 0; c < 3; c++) {
                float x = gy_tree_point(tree, t, c)[a];
                box->low[a] = k + c == 0 ? x : GY_MIN(box->low[a], x);
                box->high[a] = k + c == 0 ? x : GY_MAX(box->high[a], x);
            }
        }
    }
    for (int a = 0; a < 3; a++) {
        double low = (double)box->low[a], high = (double)box->high[a];
        double centre = all > 0.0 ? moment[a] / all : 0.5 * (low + high);
        // Rounding must not put it outside: the reach below counts on that.
        far->centre[a] = GY_MAX(GY_MIN(centre, high), low);
        way[a] = GY_MAX(high - far->centre[a], far->centre[a] - low);
    }
    far->reach = length_of(way);
    for (int k = 0; k < box->count; k++) {
        add_moments(tree, tree->order[box->first + k], far);
    }
}

static void fill_all(gyre_mesh_tree *tree)
{
    for (int i = 0; i < tree->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            memcpy(tree->corners + 9 * i + 3 * k, gy_tree_point(tree, tree->order[i], k),
                   3 * sizeof(float));
        }
    }
    for (int n = 0; n < tree->node_count; n++) {
        fill(tree, n);
    }
}

/// Cuts a box's list in two and returns how many come first; 0: it stays whole.
static int cut(gyre_mesh_tree *tree, const gy_tree_box *node)
{
    int32_t *order = tree->order + node->first;
    float low[3], high[3];
    int axis = 0, first = 0;
    if (node->count <= GY_TREE_LEAF) {
        return 0;
    }
    for (int a = 0; a < 3; a++) {
        low[a] = high[a] = tree->middles[3 * order[0] + a];
        for (int k = 1; k < node->count; k++) {
            float x = tree->middles[3 * order[k] + a];
            low[a] = GY_MIN(low[a], x);
            high[a] = GY_MAX(high[a], x);
        }
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    }
    float middle = low[axis] + 0.5f * (high[axis] - low[axis]);
    if (node->depth >= 40 || !(middle > low[axis])) {
        return node->count / 2;
    }
    for (int k = 0; k < node->count; k++) {
        int32_t t = order[k];
        if (tree->middles[3 * t + axis] < middle) {
            order[k] = order[first];
            order[first++] = t;
        }
    }
    return first;
}

static void grow(gyre_mesh_tree *tree)
{
    int32_t open[GY_TREE_DEPTH]; // nodes whose second half is still to be made
    int depth = 0;
    tree->boxes[0] = (gy_tree_box){.count = tree->triangle_count};
    tree->node_count = 1;
    for (int at = 0;;) {
        gy_tree_box *node = tree->boxes + at;
        int first = cut(tree, node);
        if (first > 0) {
            open[depth++] = at;
            node->other = first; // for now: how many come first
            at = tree->node_count++;
            tree->boxes[at] =
                (gy_tree_box){.first = node->first, .count = first, .depth = node->depth + 1};
            continue;
        }
        if (depth == 0) {
            return;
        }
        node = tree->boxes + open[--depth];
        first = node->other;
        node->other = at = tree->node_count++;
        tree->boxes[at] = (gy_tree_box){
            .first = node->first + first, .count = node->count - first, .depth = node->depth + 1};
    }
}

static size_t rounded(size_t size)
{
    return (size + 63) / 64 * 64;
}

/// Lays the arrays out behind the tree; returns the bytes of all.
static size_t lay_out(gyre_mesh_tree *tree, const gyre_mesh *mesh, char *memory)
{
    size_t points = (size_t)mesh->point_count, triangles = (size_t)mesh->triangle_count;
    size_t at = rounded(sizeof *tree), start[7];
    // Each cut leaves something on either side: fewer nodes than twice the triangles.
    const size_t sizes[7] = {
        3 * points * sizeof(float),         3 * triangles * sizeof(int32_t),
        triangles * sizeof(int32_t),        3 * triangles * sizeof(float),
        9 * triangles * sizeof(float),      2 * triangles * sizeof(gy_tree_box),
        2 * triangles * sizeof(gy_tree_far)};
    for (int k = 0; k < 7; k++) {
        start[k] = at;
        at += rounded(sizes[k]);
    }
    if (memory) {
        tree->points = (float *)(void *)(memory + start[0]);
        tree->triangles = (int32_t *)(void *)(memory + start[1]);
        tree->order = (int32_t *)(void *)(memory + start[2]);
        tree->middles = (float *)(void *)(memory + start[3]);
        tree->corners = (float *)(void *)(memory + start[4]);
        tree->boxes = (gy_tree_box *)(void *)(memory + start[5]);
        tree->far = (gy_tree_far *)(void *)(memory + start[6]);
    }
    return at;
}

gyre_result gyre_mesh_tree_create(const gyre_host *host, const gyre_mesh *mesh,
                                  gyre_mesh_tree **tree)
{
    if (GY_MISSING("mesh_tree_create", mesh) || GY_MISSING("mesh_tree_create", tree)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gyre_mesh_check(mesh);
    if (r != GYRE_OK) {
        return r;
    }
    if (mesh->triangle_count == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mesh_tree_create: the mesh has no triangles");
    }
    gyre_host whole = gy_host_complete(host ? host : &(gyre_host){0});
    size_t size = lay_out(NULL, mesh, NULL);
    gyre_mesh_tree *made = gy_allocate(&whole, size, 64);
    if (!made) {
        return GYRE_ERROR_MEMORY;
    }
    lay_out(made, mesh, (char *)made);
    made->host = whole;
    made->size = size;
    made->point_count = mesh->point_count;
    made->triangle_count = mesh->triangle_count;
    memcpy(made->points, mesh->points, 3 * (size_t)mesh->point_count * sizeof(float));
    memcpy(made->triangles, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(int32_t));
    for (int t = 0; t < made->triangle_count; t++) {
        double n[3], p[3];
        triangle_area(made, t, n, p);
        made->order[t] = t;
        for (int a = 0; a < 3; a++) {
            made->middles[3 * t + a] = (float)p[a];
        }
    }
    grow(made);
    fill_all(made);
    *tree = made;
    return GYRE_OK;
}

void gyre_mesh_tree_destroy(gyre_mesh_tree *tree)
{
    if (tree) {
        gyre_host host = tree->host;
        gy_release(&host, tree, tree->size);
    }
}

gyre_result gyre_mesh_tree_refit(gyre_mesh_tree *tree, const float *points)
{
    if (GY_MISSING("mesh_tree_refit", tree) || GY_MISSING("mesh_tree_refit", points)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gyre_mesh mesh = {points, tree->point_count, NULL, 0};
    gyre_result r = gyre_mesh_check(&mesh);
    if (r != GYRE_OK) {
        return r;
    }
    memcpy(tree->points, points, 3 * (size_t)tree->point_count * sizeof(float));
    fill_all(tree);
    return GYRE_OK;
}

gyre_mesh gyre_mesh_tree_mesh(const gyre_mesh_tree *tree)
{
    if (GY_MISSING("mesh_tree_mesh", tree)) {
        return (gyre_mesh){0};
    }
    return (gyre_mesh){tree->points, tree->point_count, tree->triangles, tree->triangle_count};
}
