// mesh/query.c: nearest places, winding numbers and signed distances by a tree of boxes.
//
// The winding number of a surface S round q is the solid angle that it fills there:
//
//     w(q) = 1 / (4 pi) int_S (p - q) . n / |p - q|^3 dA
//
// Of a triangle with corners a, b, c from q it is exact (A. van Oosterom, J. Strackee, The Solid
// Angle of a Plane Triangle, 1983):
//
//     tan(W / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)
//
// Of a box whose triangles lie within R of their centre c, seen from r = c - q with |r| > 3 R, the
// first three terms of a Taylor series about c are taken, with the moments of mesh/tree.c:
//
//     4 pi w = D . r / |r|^3 + tr Q / |r|^3 - 3 r . Q r / |r|^5
//            - 3/2 t . r / |r|^5 + 15/2 O(r) / |r|^7
//
// About log n boxes and triangles a point where it is far away; near the surface a few dozen.
#include "base/maths.h"
#include "mesh/tree.h"

#define FAR_AWAY 3.0 // times the reach of a box
static const double four_pi = 12.566370614359172;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- winding ------------------------------------------------------------------------------------

static double solid_angle(const gyre_mesh_tree *tree, int i, const double q[3])
{
    double v[3][3], l[3];
    for (int k = 0; k < 3; k++) {
        const float *p = tree->corners + 9 * i + 3 * k;
        for (int a = 0; a < 3; a++) {
            v[k][a] = (double)p[a] - q[a];
        }
        l[k] = __builtin_sqrt(dot(v[k], v[k]));
    }
    double over = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                  v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                  v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    double under = l[0] * l[1] * l[2] + dot(v[0], v[1]) * l[2] + dot(v[1], v[2]) * l[0] +
                   dot(v[2], v[0]) * l[1];
    if (over == 0.0) {
        return 0.0; // in its plane: seen from the side
    }
    // To one size, so that tiny triangles keep their digits as floats.
    double size = __builtin_fabs(over) + __builtin_fabs(under);
    return 2.0 * (double)gy_atan2f((float)(over / size), (float)(under / size));
}

/// 4 pi times the winding number of a box that is far away; false: it is not.
static bool from_afar(const gy_tree_far *far, const double q[3], double *angle)
{
    const double r[3] = {far->centre[0] - q[0], far->centre[1] - q[1], far->centre[2] - q[2]};
    double square = dot(r, r);
    if (!(square > FAR_AWAY * FAR_AWAY * far->reach * far->reach)) {
        return false;
    }
    double cube = square * __builtin_sqrt(square), trace = 0.0, along = 0.0;
    for (int a = 0; a < 3; a++) {
        trace += far->quadrupole[a][a];
        along += r[a] * dot(far->quadrupole[a], r);
    }
    double cubic = 0.0;
    int at = 0;
    for (int a = 0; a < 3; a++) {
        for (int b = a; b < 3; b++) {
            for (int c = b; c < 3; c++) {
                cubic += far->octupole[at++] * r[a] * r[b] * r[c];
            }
        }
    }
    double first = dot(far->dipole, r) + trace - 3.0 * along / square;
    double second = 7.5 * cubic / square - 1.5 * dot(far->twist, r);
    *angle = (first + second / square) / cube;
    return true;
}

double gy_mesh_tree_winding(const gyre_mesh_tree *tree, const double q[3])
{
    int32_t open[GY_TREE_DEPTH];
    int depth = 0;
    double sum = 0.0, angle;
    for (int at = 0;;) {
        const gy_tree_box *box = tree->boxes + at;
        bool far = from_afar(tree->far + at, q, &angle);
        if (!far && box->other) {
            open[depth++] = box->other;
            at++;
            continue;
        }
        sum += far ? angle : 0.0;
        for (int k = 0; k < box->count && !far; k++) {
            sum += solid_angle(tree, box->first + k, q);
        }
        if (depth == 0) {
            return sum / four_pi;
        }
        at = open[--depth];
    }
}

// ---- nearest places -----------------------------------------------------------------------------

/// The nearest point of a triangle (C. Ericson, Real-Time Collision Detection, 5.1.5): its weights.
static void nearest(const double a[3], const double b[3], const double c[3], const double q[3],
                    double w[3])
{
    double ab[3], ac[3], aq[3], bq[3], cq[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        aq[k] = q[k] - a[k];
        bq[k] = q[k] - b[k];
        cq[k] = q[k] - c[k];
    }
    double d1 = dot(ab, aq), d2 = dot(ac, aq), d3 = dot(ab, bq), d4 = dot(ac, bq);
    double d5 = dot(ab, cq), d6 = dot(ac, cq);
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4, s = 0.0;
    w[0] = w[1] = w[2] = 0.0;
    if (d1 <= 0.0 && d2 <= 0.0) {
        w[0] = 1.0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        w[1] = 1.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        w[2] = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        w[1] = d1 / (d1 - d3);
        w[0] = 1.0 - w[1];
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        w[2] = d2 / (d2 - d6);
        w[0] = 1.0 - w[2];
    } else if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
        w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        w[1] = 1.0 - w[2];
    } else {
        s = va + vb + vc;
        w[1] = vb / s;
        w[2] = vc / s;
        w[0] = 1.0 - w[1] - w[2];
    }
}

typedef struct best {
    double square, point[3], weights[3];
    int triangle;
} best;

static void try_triangle(const gyre_mesh_tree *tree, int i, const double q[3], best *b)
{
    int t = tree->order[i];
    double p[3][3], w[3], at[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        const float *from = tree->corners + 9 * i + 3 * k;
        for (int a = 0; a < 3; a++) {
            p[k][a] = (double)from[a];
        }
    }
    nearest(p[0], p[1], p[2], q, w);
    for (int a = 0; a < 3; a++) {
        // Relative to a corner, so that small triangles far from the origin keep their digits.
        at[a] = p[0][a] + w[1] * (p[1][a] - p[0][a]) + w[2] * (p[2][a] - p[0][a]);
        square += (at[a] - q[a]) * (at[a] - q[a]);
    }
    if (square < b->square || (square <= b->square && t < b->triangle)) {
        b->square = square;
        b->triangle = t;
        memcpy(b->point, at, sizeof at);
        memcpy(b->weights, w, sizeof w);
    }
}

static double to_box(const gy_tree_box *box, const double q[3])
{
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
        double out = GY_MAX(GY_MAX((double)box->low[a] - q[a], q[a] - (double)box->high[a]), 0.0);
        square += out * out;
    }
    // A hair less, so that rounding never drops a box that holds an equally near place.
    return square * (1.0 - 1e-12);
}

static best search(const gyre_mesh_tree *tree, const double q[3])
{
    int32_t open[GY_TREE_DEPTH];
    int depth = 0;
    best b = {.square = 1e300, .triangle = INT32_MAX};
    for (int at = 0;;) {
        const gy_tree_box *box = tree->boxes + at;
        if (to_box(box, q) <= b.square) {
            if (box->other) {
                int near = at + 1, far = box->other;
                if (to_box(tree->boxes + far, q) < to_box(tree->boxes + near, q)) {
                    far = near;
                    near = box->other;
                }
                open[depth++] = far;
                at = near;
                continue;
            }
            for (int k = 0; k < box->count; k++) {
                try_triangle(tree, box->first + k, q, &b);
            }
        }
        if (depth == 0) {
            return b;
        }
        at = open[--depth];
    }
}

void gy_mesh_tree_closest(const gyre_mesh_tree *tree, const double point[3], gyre_mesh_place *place)
{
    best b = search(tree, point);
    for (int a = 0; a < 3; a++) {
        place->point[a] = (float)b.point[a];
        place->weights[a] = (float)b.weights[a];
    }
    place->distance = (float)__builtin_sqrt(b.square);
    place->triangle = b.triangle;
}

double gy_mesh_tree_distance(const gyre_mesh_tree *tree, const double point[3])
{
    double distance = __builtin_sqrt(search(tree, point).square);
    return gy_mesh_tree_winding(tree, point) > 0.5 ? -distance : distance;
}

// ---- public functions ---------------------------------------------------------------------------

static gyre_result check_points(const char *call, const float *points, int count)
{
    for (int k = 0; k < 3 * count; k++) {
        if (!gy_is_finite(points[k])) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: point %d is not finite", call, k / 3);
        }
    }
    return GYRE_OK;
}

static bool lacks(const char *call, const gyre_mesh_tree *tree, const float *points, int count,
                  const void *answers)
{
    return GY_MISSING(call, tree) || (count > 0 && GY_MISSING(call, points)) ||
           (count > 0 && GY_MISSING(call, answers)) ||
           (count > 0 && check_points(call, points, count) != GYRE_OK);
}

static void to_double(const float from[3], double to[3])
{
    for (int a = 0; a < 3; a++) {
        // Beyond that squares overflow floats, and all is equally far away.
        to[a] = (double)GY_MAX(GY_MIN(from[a], 1e12f), -1e12f);
    }
}

gyre_result gyre_mesh_closest(const gyre_mesh_tree *tree, const float *points, int count,
                              gyre_mesh_place *places)
{
    if (lacks("mesh_closest", tree, points, count, places)) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        double q[3];
        to_double(points + 3 * i, q);
        gy_mesh_tree_closest(tree, q, places + i);
    }
    return GYRE_OK;
}

gyre_result gyre_mesh_winding(const gyre_mesh_tree *tree, const float *points, int count,
                              float *numbers)
{
    if (lacks("mesh_winding", tree, points, count, numbers)) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        double q[3];
        to_double(points + 3 * i, q);
        numbers[i] = (float)gy_mesh_tree_winding(tree, q);
    }
    return GYRE_OK;
}

gyre_result gyre_mesh_distance(const gyre_mesh_tree *tree, const float *points, int count,
                               float *distances)
{
    if (lacks("mesh_distance", tree, points, count, distances)) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        double q[3];
        to_double(points + 3 * i, q);
        distances[i] = (float)gy_mesh_tree_distance(tree, q);
    }
    return GYRE_OK;
}
