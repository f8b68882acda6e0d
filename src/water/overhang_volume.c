// water/overhang_volume.c: how much lies between a surface of triangles and the water below it.
//
// A closed surface has sum over its triangles of  n_z / |n_z| * integral of max(z - s, 0) dx dy
// above s, the surface that queries answer with, which is bilinear between the middles of cells. A
// triangle is cut by the squares between those. In a square z - s is of degree 2, so that the
// middles of three sides give the integral of a part that lies above as a whole exactly. A part
// that s cuts is divided into 4, those likewise, and then is taken as plane: what is
// missed is of second order in a quarter of its size. Cost: some 60 ns a square and triangle.
#include "water/breaking.h"

enum { MOST = 8, LEVELS = 2 }; // corners of what a square leaves of a triangle; times it is divided

typedef struct place {
    double x, y, z; // from the square's low corner, in cells; m
} place;

/// Those that were asked for last are kept, each in the place that its numbers tell.
static const gy_square *take_square(const gyre_water *w, gy_square *kept, int i, int j)
{
    gy_square *to = &kept[((uint32_t)i + 37u * (uint32_t)j) % GY_SQUARES];
    float surface[4], depth[4];
    if (to->is && to->at[0] == i && to->at[1] == j) {
        return to;
    }
    gy_water_square(w, i, j, surface, depth);
    *to = (gy_square){.at = {i, j}, .is = true};
    for (int q = 0; q < 4; q++) {
        to->surface[q] = (double)surface[q];
        to->depth[q] = (double)depth[q];
        to->shore = to->shore || !(depth[q] > 0.0f);
    }
    return to;
}

static double mix(const double v[4], double x, double y)
{
    double low = v[0] + (v[1] - v[0]) * x, high = v[2] + (v[3] - v[2]) * x;
    return low + (high - low) * y;
}

/// How high a place is over the water, or over the ground where it is dry.
static double over(const gy_square *q, const place *p)
{
    double surface = mix(q->surface, p->x, p->y);
    if (q->shore) {
        surface -= GY_MIN(mix(q->depth, p->x, p->y), 0.0);
    }
    return p->z - surface;
}

/// The mean of max(g, 0) over a triangle, g linear with these values in its corners.
static double plane_part(const double g[3])
{
    int up = (g[0] > 0.0) + (g[1] > 0.0) + (g[2] > 0.0);
    double mean = (g[0] + g[1] + g[2]) / 3.0;
    if (up == 0 || up == 3) {
        return up ? mean : 0.0;
    }
    for (int c = 0; c < 3; c++) {
        double a = g[c], b = g[(c + 1) % 3], d = g[(c + 2) % 3];
        if ((a > 0.0) == (up == 1) && (b > 0.0) == (up == 2) && (d > 0.0) == (up == 2)) {
            double tip = a * a * a / ((a - b) * (a - d)) / 3.0; // of the corner that is by itself
            return up == 1 ? tip : mean - tip;
        }
    }
    return mean;
}

static place middle(const place *a, const place *b)
{
    return (place){0.5 * (a->x + b->x), 0.5 * (a->y + b->y), 0.5 * (a->z + b->z)};
}

/// The mean of max(z - s, 0) over a triangle within a square.
static double part_above(const gy_square *q, const place p[3], int levels)
{
    double g[3], half[3], sum = 0.0;
    place m[3];
    int up = 0;
    for (int c = 0; c < 3; c++) {
        m[c] = middle(&p[c], &p[(c + 1) % 3]);
        g[c] = over(q, &p[c]);
        half[c] = over(q, &m[c]);
        up += (g[c] > 0.0) + (half[c] > 0.0);
    }
    if (up == 0 || up == 6) {
        return up ? (half[0] + half[1] + half[2]) / 3.0 : 0.0;
    }
    if (levels == 0) {
        return plane_part(g);
    }
    for (int c = 0; c < 3; c++) {
        const place corner[3] = {p[c], m[c], m[(c + 2) % 3]};
        sum += part_above(q, corner, levels - 1);
    }
    return 0.25 * (sum + part_above(q, m, levels - 1));
}

/// What of a polygon lies where way * (x or y) <= way * limit; returns how many corners are left.
static int cut(place *p, int count, int axis, double way, double limit)
{
    place to[MOST + 2];
    int left = 0, beyond = 0;
    for (int k = 0; k < count; k++) {
        beyond += way * ((axis ? p[k].y : p[k].x) - limit) > 0.0;
    }
    if (beyond == 0 || beyond == count) {
        return beyond ? 0 : count;
    }
    for (int k = 0; k < count; k++) {
        const place *a = &p[k], *b = &p[k + 1 < count ? k + 1 : 0];
        double from = way * ((axis ? a->y : a->x) - limit);
        double next = way * ((axis ? b->y : b->x) - limit);
        if (from <= 0.0) {
            to[left++] = *a;
        }
        if ((from < 0.0 && next > 0.0) || (from > 0.0 && next < 0.0)) {
            double share = from / (from - next);
            to[left++] = (place){a->x + share * (b->x - a->x), a->y + share * (b->y - a->y),
                                 a->z + share * (b->z - a->z)};
        }
    }
    left = GY_MIN(left, MOST);
    for (int k = 0; k < left; k++) {
        p[k] = to[k];
    }
    return left;
}

static double twice_area(const place p[3])
{
    return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
}

/// Of a triangle what lies in square (i, j), in cells' areas times m.
static double square_above(const gy_square *own, const place corner[3], int i, int j)
{
    place p[MOST + 2] = {corner[0], corner[1], corner[2]};
    int count = 3;
    double sum = 0.0, low = 1e30, high = -1e30;
    for (int c = 0; c < 4; c++) {
        low = GY_MIN(low, own->surface[c]);
        high = c < 3 ? GY_MAX(high, p[c].z) : high;
    }
    if (high <= low) {
        return 0.0; // it is below the water as a whole
    }
    count = cut(p, count, 0, -1.0, (double)i);
    count = cut(p, count, 0, 1.0, (double)i + 1.0);
    count = cut(p, count, 1, -1.0, (double)j);
    count = cut(p, count, 1, 1.0, (double)j + 1.0);
    if (count < 3) {
        return 0.0;
    }
    for (int k = 0; k < count; k++) {
        p[k].x -= (double)i;
        p[k].y -= (double)j;
    }
    for (int k = 1; k + 1 < count; k++) {
        const place part[3] = {p[0], p[k], p[k + 1]};
        double area = twice_area(part);
        sum += area != 0.0 ? 0.5 * area * part_above(own, part, LEVELS) : 0.0;
    }
    return sum;
}

static int floored(double x)
{
    int whole = (int)x;
    return (double)whole > x ? whole - 1 : whole;
}

double gy_water_volume_above(const gyre_water *w, const float *const points[3], gy_square *kept)
{
    const gyre_grid *g = &w->grid;
    double h = (double)g->h, low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30}, sum = 0.0;
    place p[3];
    for (int c = 0; c < 3; c++) {
        double at[2];
        for (int a = 0; a < 2; a++) {
            at[a] = ((double)points[c][a] - (double)g->origin[a]) / h - 0.5;
            low[a] = GY_MIN(low[a], at[a]);
            high[a] = GY_MAX(high[a], at[a]);
        }
        p[c] = (place){at[0], at[1], (double)points[c][2]};
    }
    if (twice_area(p) == 0.0) {
        return 0.0; // it stands upright
    }
    for (int j = floored(low[1]); j <= floored(high[1]); j++) {
        for (int i = floored(low[0]); i <= floored(high[0]); i++) {
            sum += square_above(take_square(w, kept, i, j), p, i, j);
        }
    }
    return sum * h * h;
}
