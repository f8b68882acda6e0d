// water/overhang_volume.c: how much lies between a surface of triangles and the water below it.
//
// A closed surface has sum over its triangles of  n_z / |n_z| * integral of max(z - s, 0) dx dy
// above s, the surface that queries answer with, which is bilinear between the middles of cells. A
// triangle is cut by the squares between those. In a square z - s is of degree 2, so that the
// middles of three sides give the integral of a part that lies above as a whole exactly. A part
// that s cuts is divided into 4, those likewise, and then is taken as plane: what is
// missed is of second order in half its size. Away from shores the values in the parts
// follow from the six of the whole.
#include "water/breaking.h"
#include <string.h>

enum { MOST = 8, LEVELS = 1 }; // corners of what a square leaves of a triangle; times it is divided

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

/// The mean of max(z - s, 0) over a triangle within a square; g: z - s in its corners.
static double part_above(const gy_square *q, const place p[3], const double g[3], int levels)
{
    double half[3], sum = 0.0;
    place m[3];
    int up = 0;
    for (int c = 0; c < 3; c++) {
        m[c] = middle(&p[c], &p[(c + 1) % 3]);
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
        const double at[3] = {g[c], half[c], half[(c + 2) % 3]};
        sum += part_above(q, corner, at, levels - 1);
    }
    return 0.25 * (sum + part_above(q, m, half, levels - 1));
}

/// The same of values of degree 2: in its corners, then in the middles of 0 1, 1 2 and 2 0.
static double smooth_part(const double v[6], int levels)
{
    double near[3][2], in[3], sum = 0.0;
    int up = 0;
    for (int c = 0; c < 6; c++) {
        up += v[c] > 0.0;
    }
    if (up == 0 || up == 6) {
        return up ? (v[3] + v[4] + v[5]) / 3.0 : 0.0;
    }
    if (levels == 0) {
        return plane_part(v);
    }
    // At quarters of side c, and half way from there to the one before: by the values themselves.
    for (int c = 0; c < 3; c++) {
        int next = (c + 1) % 3, last = (c + 2) % 3;
        near[c][0] = 0.125 * (3.0 * v[c] - v[next]) + 0.75 * v[3 + c];
        near[c][1] = 0.125 * (3.0 * v[next] - v[c]) + 0.75 * v[3 + c];
        in[c] = 0.5 * (v[3 + c] + v[3 + last]) - 0.125 * (v[next] + v[last]) + 0.25 * v[3 + next];
    }
    for (int c = 0; c < 3; c++) {
        int last = (c + 2) % 3;
        const double part[6] = {v[c], v[3 + c], v[3 + last], near[c][0], in[c], near[last][1]};
        sum += smooth_part(part, levels - 1);
    }
    const double part[6] = {v[3], v[4], v[5], in[1], in[2], in[0]};
    return 0.25 * (sum + smooth_part(part, levels - 1));
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

static double twice_area(const place *a, const place *b, const place *c)
{
    return (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
}

/// Of a polygon within a square, its corners from the square's, in cells' areas times m.
static double square_above(const gy_square *own, const place *p, int count)
{
    double sum = 0.0, g[MOST + 2], low = own->surface[0], high = p[0].z;
    for (int c = 1; c < 4; c++) {
        low = GY_MIN(low, own->surface[c]);
    }
    for (int k = 1; k < count; k++) {
        high = GY_MAX(high, p[k].z);
    }
    if (count < 3 || high <= low) {
        return 0.0; // it is below the water as a whole
    }
    for (int k = 0; k < count; k++) {
        g[k] = over(own, &p[k]);
    }
    place before = middle(&p[0], &p[1]);
    double last = over(own, &before);
    for (int k = 1; k + 1 < count; k++) {
        double area = twice_area(&p[0], &p[k], &p[k + 1]);
        place across = middle(&p[k], &p[k + 1]), back = middle(&p[k + 1], &p[0]);
        const double v[6] = {g[0], g[k], g[k + 1], last, over(own, &across), over(own, &back)};
        last = v[5];
        if (own->shore) {
            const place part[3] = {p[0], p[k], p[k + 1]};
            sum += 0.5 * area * part_above(own, part, v, LEVELS);
        } else {
            sum += 0.5 * area * smooth_part(v, LEVELS);
        }
    }
    return sum;
}

static int floored(double x)
{
    int whole = (int)x;
    return (double)whole > x ? whole - 1 : whole;
}

/// How far a polygon reaches along an axis: the first and the last square.
static void reach(const place *p, int count, int axis, int *first, int *last)
{
    double low = 1e30, high = -1e30;
    for (int k = 0; k < count; k++) {
        double at = axis ? p[k].y : p[k].x;
        low = GY_MIN(low, at);
        high = GY_MAX(high, at);
    }
    *first = floored(low);
    *last = floored(high);
}

double gy_water_volume_above(const gyre_water *w, const float *const points[3], gy_square *kept)
{
    const gyre_grid *g = &w->grid;
    double h = (double)g->h, sum = 0.0;
    place p[3];
    int column[2], row[2];
    for (int c = 0; c < 3; c++) {
        p[c] =
            (place){((double)points[c][0] - (double)g->origin[0]) / h - 0.5,
                    ((double)points[c][1] - (double)g->origin[1]) / h - 0.5, (double)points[c][2]};
    }
    if (twice_area(&p[0], &p[1], &p[2]) == 0.0) {
        return 0.0; // it stands upright
    }
    reach(p, 3, 0, &column[0], &column[1]);
    for (int i = column[0]; i <= column[1]; i++) {
        place strip[MOST + 2] = {p[0], p[1], p[2]};
        int count = i > column[0] ? cut(strip, 3, 0, -1.0, (double)i) : 3;
        count = i < column[1] ? cut(strip, count, 0, 1.0, (double)i + 1.0) : count;
        reach(strip, count, 1, &row[0], &row[1]);
        for (int j = row[0]; count > 2 && j <= row[1]; j++) {
            place part[MOST + 2];
            int left = count;
            memcpy(part, strip, (size_t)count * sizeof *part);
            left = j > row[0] ? cut(part, left, 1, -1.0, (double)j) : left;
            left = j < row[1] ? cut(part, left, 1, 1.0, (double)j + 1.0) : left;
            for (int k = 0; k < left; k++) {
                part[k].x -= (double)i;
                part[k].y -= (double)j;
            }
            sum += square_above(take_square(w, kept, i, j), part, left);
        }
    }
    return sum * h * h;
}
