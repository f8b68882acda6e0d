// shape/cross.c: see cross.h. Along each axis the lines of centres that a facet's shadow covers are
// found by the signs of its edges; each of them crosses the facet just once, at a face that is
// guessed in double precision and confirmed in whole numbers.
#include "shape/cross.h"

__extension__ typedef __int128 wide;

enum { HALF = GY_CROSS_UNIT / 2 };

bool gy_cross_round(double cells, int64_t *units)
{
    double x = cells * GY_CROSS_UNIT + 0.5;
    if (!(x >= -(double)GY_CROSS_MOST && x <= (double)GY_CROSS_MOST)) {
        return false;
    }
    int64_t whole = (int64_t)x; // towards 0
    *units = whole - ((double)whole > x);
    return true;
}

/// The cell whose centre is the last one below a place.
static int64_t cell_below(int64_t units)
{
    int64_t x = units - HALF;
    return x >= 0 ? x / GY_CROSS_UNIT : -((-x + GY_CROSS_UNIT - 1) / GY_CROSS_UNIT);
}

static int64_t centre_of(int64_t cell)
{
    return cell * GY_CROSS_UNIT + HALF;
}

static int sign_of(wide x)
{
    return (x > 0) - (x < 0);
}

typedef struct facet {
    int dim;
    const int64_t *const *v;
    wide normal[3];
    int tie;                 // the side of a centre that lies in its plane
    int64_t low[3], high[3]; // cells whose centres may lie in its bounds
} facet;

/// The facet's plane; false: it has no area, and crosses nothing.
static bool take_plane(facet *f)
{
    const int64_t *a = f->v[0], *b = f->v[1];
    if (!gy_is_3d(f->dim)) {
        f->normal[0] = -(wide)(b[1] - a[1]);
        f->normal[1] = b[0] - a[0];
        f->normal[2] = 0;
    } else {
        const int64_t *c = f->v[2];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            f->normal[i] =
                (wide)(b[j] - a[j]) * (c[k] - a[k]) - (wide)(b[k] - a[k]) * (c[j] - a[j]);
        }
    }
    f->tie = 0;
    for (int i = 2; i >= 0; i--) {
        f->tie = f->normal[i] != 0 ? sign_of(f->normal[i]) : f->tie;
    }
    return f->tie != 0;
}

/// On which side of a facet the centres of a line lie: the sign of rest + slope x.
typedef struct line {
    wide rest, slope;
    int tie;
} line;

static int side_of(const line *l, int64_t cell)
{
    int sign = sign_of(l->rest + l->slope * centre_of(cell));
    return sign ? sign : l->tie;
}

/// The first cell of a line along `axis` that lies beyond the facet; the line crosses it.
static int64_t crossed_at(const facet *f, int axis, const int64_t at[3])
{
    line l = {0, f->normal[axis], f->tie};
    for (int i = 0; i < f->dim; i++) {
        l.rest += f->normal[i] * (wide)((i == axis ? 0 : at[i]) - f->v[0][i]);
    }
    int beyond = sign_of(l.slope);
    int64_t low = f->low[axis], high = f->high[axis] + 1; // before and beyond for certain
    double guess = -(double)l.rest / (double)l.slope;     // the place
    if (guess > (double)(low * GY_CROSS_UNIT) && guess < (double)(high * GY_CROSS_UNIT)) {
        int64_t cell = cell_below((int64_t)guess) + 1;
        if (side_of(&l, cell) != beyond) {
            low = GY_MAX(low, cell);
            cell++;
        }
        if (cell <= high && side_of(&l, cell) == beyond) {
            high = cell;
            if (side_of(&l, cell - 1) != beyond) {
                return cell;
            }
            high--;
        }
    }
    while (low + 1 < high) {
        int64_t middle = low + (high - low) / 2;
        if (side_of(&l, middle) == beyond) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

static int wrapped(int64_t i, int n)
{
    return (int)((i % n + n) % n);
}

/// Notes the crossing of a line along `axis` through the centre of cell c.
static void note(const facet *f, int axis, const int n[3], uint32_t periodic, const int64_t c[3],
                 gy_crossings *found)
{
    int64_t at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = centre_of(c[i]);
    }
    int64_t beyond = crossed_at(f, axis, at);
    gy_crossed face = {.axis = (int16_t)axis};
    for (int i = 0; i < 3; i++) {
        int64_t cell = i == axis ? beyond : c[i];
        if (periodic >> i & 1u) {
            cell = wrapped(cell, n[i]);
        } else if (cell < 0 || cell > n[i]) {
            return; // of the axis itself: beyond the sides
        }
        face.at[i] = (int16_t)cell;
    }
    if (found->count < found->room) {
        found->faces[found->count] = face;
    }
    found->count++;
}

/// An edge of a facet's shadow on the plane of the axes u < w: the sign of rest + slope x_u along a
/// row of centres.
typedef struct edge {
    wide rest, slope;
    int tie;
} edge;

static void take_edges(const facet *f, int u, int w, int64_t at, edge edges[3])
{
    for (int e = 0; e < 3; e++) {
        const int64_t *p = f->v[e], *q = f->v[(e + 1) % 3];
        edges[e].slope = -(wide)(q[w] - p[w]);
        edges[e].rest = (wide)(q[u] - p[u]) * (at - p[w]) - edges[e].slope * p[u];
        edges[e].tie = q[w] != p[w] ? sign_of(edges[e].slope) : sign_of(q[u] - p[u]);
    }
}

/// Notes the crossings of the lines along `axis` of one row of centres: c[u] is to be found.
static void cross_row(const facet *f, int axis, int u, int w, const int n[3], uint32_t periodic,
                      const int64_t range[2], int64_t c[3], gy_crossings *found)
{
    edge edges[3];
    wide value[3];
    take_edges(f, u, w, centre_of(c[w]), edges);
    for (int e = 0; e < 3; e++) {
        value[e] = edges[e].rest + edges[e].slope * centre_of(range[0]);
    }
    for (c[u] = range[0]; c[u] <= range[1]; c[u]++) {
        int sign[3];
        for (int e = 0; e < 3; e++) {
            sign[e] = value[e] != 0 ? sign_of(value[e]) : edges[e].tie;
            value[e] += edges[e].slope * GY_CROSS_UNIT;
        }
        if (sign[0] != 0 && sign[0] == sign[1] && sign[1] == sign[2]) {
            note(f, axis, n, periodic, c, found);
        }
    }
}

/// Notes the crossings of the lines along `axis` in 2D.
static void cross_plane(const facet *f, int axis, const int n[3], uint32_t periodic,
                        const int64_t range[2], gy_crossings *found)
{
    int u = 1 - axis;
    int64_t c[3] = {0, 0, 0};
    for (c[u] = range[0]; c[u] <= range[1]; c[u]++) {
        int64_t x = centre_of(c[u]);
        if ((f->v[0][u] > x) != (f->v[1][u] > x)) { // on a centre is below it
            note(f, axis, n, periodic, c, found);
        }
    }
}

void gy_cross(int dim, const int n[3], uint32_t periodic, const int64_t *const corners[3],
              gy_crossings *found)
{
    facet f = {.dim = dim, .v = corners};
    int64_t range[3][2];
    if (!take_plane(&f)) {
        return;
    }
    for (int a = 0; a < dim; a++) {
        int64_t low = corners[0][a], high = low;
        for (int i = 1; i < dim; i++) {
            low = GY_MIN(low, corners[i][a]);
            high = GY_MAX(high, corners[i][a]);
        }
        f.low[a] = cell_below(low) - 1;
        f.high[a] = cell_below(high) + 1;
        bool joined = periodic >> a & 1u;
        range[a][0] = joined ? f.low[a] : GY_MAX(f.low[a], 0);
        range[a][1] = joined ? f.high[a] : GY_MIN(f.high[a], n[a] - 1);
    }
    for (int axis = 0; axis < dim; axis++) {
        if (!gy_is_3d(dim)) {
            cross_plane(&f, axis, n, periodic, range[1 - axis], found);
            continue;
        }
        int u = axis == 0 ? 1 : 0, w = axis == 2 ? 1 : 2;
        int64_t c[3] = {0, 0, 0};
        for (c[w] = range[w][0]; c[w] <= range[w][1]; c[w]++) {
            cross_row(&f, axis, u, w, n, periodic, range[u], c, found);
        }
    }
}
