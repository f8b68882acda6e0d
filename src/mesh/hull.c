// mesh/hull.c: convex hulls of a few points.
//
// Points are added one after another to a hull that begins as a tetrahedron: faces that see the
// new one go, and the rim of the hole is joined to it. O(n^2) for n points; what lies within 1e-6
// of the whole from a face counts as on it.
#include "mesh/mesh.h"

static double length_of(const double v[3])
{
    return __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

typedef struct hull {
    const float *points;
    double edge; // what counts as no distance
    uint16_t (*face)[3];
    int count;
} hull;

static double over_face(const hull *h, const uint16_t f[3], int p)
{
    const float *a = h->points + 3 * f[0], *b = h->points + 3 * f[1], *c = h->points + 3 * f[2];
    const float *q = h->points + 3 * p;
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
        w[k] = (double)q[k] - (double)a[k];
    }
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double length = length_of(n);
    return length > 0.0 ? (n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) / length : 0.0;
}

/// Four points that span a volume, as far apart as a simple search finds; false: there are none.
static bool first_four(hull *h, int count)
{
    int at[4] = {0, 0, 0, 0};
    double best = 0.0;
    for (int p = 1; p < count; p++) {
        double d[3], l;
        for (int k = 0; k < 3; k++) {
            d[k] = (double)h->points[3 * p + k] - (double)h->points[k];
        }
        l = length_of(d);
        if (l > best) {
            best = l;
            at[1] = p;
        }
    }
    h->edge = 1e-6 * best;
    double wide = h->edge * best;
    for (int p = 0; p < count; p++) {
        double u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = (double)h->points[3 * at[1] + k] - (double)h->points[k];
            v[k] = (double)h->points[3 * p + k] - (double)h->points[k];
        }
        double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                       u[0] * v[1] - u[1] * v[0]};
        double l = length_of(n);
        if (l > wide) {
            wide = l;
            at[2] = p;
        }
    }
    if (best <= 0.0 || at[2] == 0) {
        return false;
    }
    const uint16_t base[3] = {(uint16_t)at[0], (uint16_t)at[1], (uint16_t)at[2]};
    double far = h->edge, side = 0.0;
    for (int p = 0; p < count; p++) {
        double d = over_face(h, base, p);
        if ((d < 0.0 ? -d : d) > far) {
            far = d < 0.0 ? -d : d;
            side = d;
            at[3] = p;
        }
    }
    if (side == 0.0) {
        return false;
    }
    int a = at[0], b = side > 0.0 ? at[2] : at[1], c = side > 0.0 ? at[1] : at[2], d = at[3];
    const int faces[4][3] = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++) {
            h->face[f][k] = (uint16_t)faces[f][k];
        }
    }
    h->count = 4;
    return true;
}

/// Adds a point: faces that see it go, and the edges of the hole are joined to it. False: there is
/// no room, which only points in a thousandth of a plane's width bring about.
static bool add_point(hull *h, int p)
{
    uint16_t edge[GY_HULL_TRIANGLES * 3][2];
    int edges = 0, kept = 0;
    for (int f = 0; f < h->count; f++) {
        if (over_face(h, h->face[f], p) <= h->edge) {
            memmove(h->face[kept++], h->face[f], sizeof h->face[f]);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            uint16_t a = h->face[f][k], b = h->face[f][(k + 1) % 3];
            int back = -1;
            for (int e = 0; e < edges; e++) {
                if (edge[e][0] == b && edge[e][1] == a) {
                    back = e;
                }
            }
            if (back >= 0) { // inner edge of the hole
                edges--;
                edge[back][0] = edge[edges][0];
                edge[back][1] = edge[edges][1];
            } else {
                edge[edges][0] = a;
                edge[edges][1] = b;
                edges++;
            }
        }
    }
    if (kept + edges > GY_HULL_TRIANGLES) {
        return false;
    }
    for (int e = 0; e < edges; e++) {
        h->face[kept][0] = edge[e][0];
        h->face[kept][1] = edge[e][1];
        h->face[kept][2] = (uint16_t)p;
        kept++;
    }
    h->count = kept;
    return true;
}

int gy_hull_make(const float *points, int count, uint16_t *triangles)
{
    hull h = {.points = points, .face = (uint16_t(*)[3])(void *)triangles};
    if (!first_four(&h, count)) {
        return 0;
    }
    for (int p = 0; p < count; p++) {
        if (!add_point(&h, p)) {
            return 0;
        }
    }
    return h.count;
}
