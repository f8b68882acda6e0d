// model/sight.c: fields along segments: the integral of q ds, and exp(-a of it).
//
// Between two planes of samples the interpolant along a segment is a polynomial of degree dim, at
// most 3, and two points of Gauss give its integral exactly. So a segment is cut where it crosses
// the planes through samples, and each piece has two points between the same 2^dim samples. (Beside
// sheets what is left out changes with the cell: there it is a quadrature of second order.) Walls
// are looked for from cell to cell: J. Amanatides, A. Woo, A fast voxel traversal algorithm for ray
// tracing, Eurographics 1987.
//
// Cost: some 20 ns for each piece, dim pieces a cell at most; among walls as much again for each
// cell (`gyre bench game`).
#include "base/maths.h"
#include "model/source.h"
#include <string.h>

typedef struct job {
    gy_source source;
    gy_around around;
    const gyre_grid *grid;
    double place[3]; // of sample (0, 0, 0), in cells
    float absorption;
    bool walls;
} job;

/// What of a segment is in the domain, in cells: from + t by, t of 0 to 1.
typedef struct segment {
    double from[3], by[3];
    double length, start; // of the whole segment and of what is before that, in metres
    bool any;
} segment;

/// A way through a lattice of unit cells: the one it is in, and t where it leaves that along each
/// axis.
typedef struct way {
    int cell[3], step[3];
    double leaves[3], each[3], first[3], taken[3];
} way;

static way way_of(const segment *s, const double place[3], int dim)
{
    way w = {.cell = {0}};
    for (int a = 0; a < 3; a++) {
        w.leaves[a] = 1e300;
        if (a >= dim) {
            continue;
        }
        double by = s->by[a], u = s->from[a] - place[a];
        double low = gy_floor_of(u);
        // On a plane it is in the cell that it goes into.
        low -= by < 0.0 && low == u ? 1.0 : 0.0;
        w.cell[a] = (int)low;
        w.step[a] = by > 0.0 ? 1 : by < 0.0 ? -1 : 0;
        if (w.step[a]) {
            w.each[a] = 1.0 / (by > 0.0 ? by : -by);
            w.first[a] = (low + (by > 0.0 ? 1.0 : 0.0) - u) / by;
            w.leaves[a] = w.first[a];
        }
    }
    return w;
}

static int next_axis(const way *w)
{
    int axis = w->leaves[1] < w->leaves[0] ? 1 : 0;
    return w->leaves[2] < w->leaves[axis] ? 2 : axis;
}

static void go_on(way *w, int axis)
{
    w->cell[axis] += w->step[axis];
    w->taken[axis] += 1.0;
    w->leaves[axis] = w->first[axis] + w->taken[axis] * w->each[axis];
}

// ---- walls

static bool holds(const job *b, const int cell[3])
{
    int32_t yes = -1;
    b->source.model->type->holds(b->source.model, &b->around, cell[1], cell[2], cell[0], 1, &yes);
    return yes != 0;
}

/// t of the first wall; above 1: there is none.
static double wall_of(const job *b, const segment *s)
{
    static const double corner[3];
    const gyre_model *model = b->source.model;
    bool (*shut)(const gyre_model *, const gy_around *, int, const int[3]) = model->type->shut;
    way w = way_of(s, corner, b->grid->dim);
    gy_box box = {{0, 0, 0}, {1, 1, 1}};
    bool within = true;
    for (int a = 0; a < 3; a++) {
        // On a side it is in the last cell.
        int n = b->grid->n[a];
        double end = s->from[a] + s->by[a];
        w.cell[a] = b->around.periodic >> a & 1u ? gy_wrapped(w.cell[a], n)
                                                 : GY_MIN(GY_MAX(w.cell[a], 0), n - 1);
        box.low[a] = end < s->from[a] ? (int)end : w.cell[a];
        box.high[a] = (end < s->from[a] ? w.cell[a] : (int)end) + 1;
        within = within && end >= 0.0 && end < n;
    }
    // Where all that is round it is open, nothing has to be looked for.
    if (within && model->type->clear(model, &b->around, &box)) {
        return 2.0;
    }
    if (!holds(b, w.cell)) {
        return 0.0;
    }
    for (;;) {
        int axis = next_axis(&w), n = b->grid->n[axis];
        double t = w.leaves[axis];
        if (!(t < 1.0)) {
            return 2.0;
        }
        int face[3] = {w.cell[0], w.cell[1], w.cell[2]};
        go_on(&w, axis);
        if (w.cell[axis] < 0 || w.cell[axis] >= n) {
            if (!(b->around.periodic >> axis & 1u)) {
                return 2.0;
            }
            w.cell[axis] = w.cell[axis] < 0 ? n - 1 : 0;
        }
        face[axis] = w.step[axis] > 0 ? w.cell[axis] : face[axis];
        if (shut(model, &b->around, axis, face)) {
            return t;
        }
    }
}

// ---- integrals

/// The samples of a piece: where the 2^dim are, from one to the next along each axis.
static void around_of(const job *b, const int at[3], float q[8])
{
    const gy_source *s = &b->source;
    int to[3][2];
    for (int a = 0; a < 3; a++) {
        int samples = s->view.n[a], n = b->grid->n[a];
        for (int up = 0; up < 2; up++) {
            int i = at[a] + up;
            to[a][up] = a >= b->grid->dim              ? 0
                        : b->around.periodic >> a & 1u ? gy_wrapped(i, n)
                                                       : GY_MIN(GY_MAX(i, 0), samples - 1);
        }
    }
    if (s->direct) {
        for (int c = 0; c < 4 * (b->grid->dim - 1); c++) {
            q[c] =
                gy_source_sample(s, (const int[3]){to[0][c & 1], to[1][c >> 1 & 1], to[2][c >> 2]});
        }
        return;
    }
    const ptrdiff_t *stride = s->view.stride;
    for (int k = 0; k < b->grid->dim - 1; k++) {
        for (int j = 0; j < 2; j++) {
            const float *row = s->view.data + to[1][j] * stride[1] + to[2][k] * stride[2];
            q[4 * k + 2 * j] = row[to[0][0]];
            q[4 * k + 2 * j + 1] = row[to[0][1]];
        }
    }
}

GY_INLINE float between(const float q[8], const float f[3], int dim)
{
    float a = q[0] + f[0] * (q[1] - q[0]), c = q[2] + f[0] * (q[3] - q[2]);
    float low = a + f[1] * (c - a);
    if (dim == 2) {
        return low;
    }
    a = q[4] + f[0] * (q[5] - q[4]);
    c = q[6] + f[0] * (q[7] - q[6]);
    return low + f[2] * (a + f[1] * (c - a) - low);
}

/// What a probe reads beside a sheet; false: none is near.
static bool read_beside(const job *b, const segment *s, double t, float *value)
{
    const gyre_model *model = b->source.model;
    float point[3] = {0.0f, 0.0f, 0.0f};
    for (int a = 0; a < b->grid->dim; a++) {
        double u = s->from[a] + t * s->by[a];
        u -= b->around.periodic >> a & 1u ? gy_turns(u, b->grid->n[a]) : 0.0;
        point[a] = (float)((double)b->grid->origin[a] + u * (double)b->grid->h);
    }
    return model->type->probe_beside(model, b->source.field, &b->source.view, point, value);
}

/// The samples round a piece, the most of them straight from the window.
GY_INLINE void load_piece(const job *b, const int cell[3], int dim, float q[8])
{
    const gy_source *s = &b->source;
    bool inner = !s->direct;
    for (int a = 0; a < dim; a++) {
        inner = inner && cell[a] >= 0 && cell[a] < s->view.n[a] - 1;
    }
    if (!inner) {
        around_of(b, cell, q);
        return;
    }
    const ptrdiff_t sy = s->view.stride[1], sz = s->view.stride[2];
    const float *p = s->view.data + cell[0] + cell[1] * sy + (dim == 3 ? cell[2] * sz : 0);
    for (int k = 0; k < dim - 1; k++) {
        memcpy(q + 4 * k, p + k * sz, 2 * sizeof *p);
        memcpy(q + 4 * k + 2, p + k * sz + sy, 2 * sizeof *p);
    }
}

/// Half the sum of two values along a piece.
GY_INLINE float mean_of(const job *b, const segment *s, const way *w, double from, double to,
                        int dim)
{
    static const double gauss[2] = {0.21132486540518711775, 0.78867513459481288225};
    float q[8], v[2];
    load_piece(b, w->cell, dim, q);
    for (int g = 0; g < 2; g++) {
        double t = from + gauss[g] * (to - from);
        float f[3] = {0.0f, 0.0f, 0.0f};
        if (b->around.beside && read_beside(b, s, t, &v[g])) {
            continue;
        }
        for (int a = 0; a < dim; a++) {
            f[a] = (float)(s->from[a] - b->place[a] + t * s->by[a] - w->cell[a]);
        }
        v[g] = between(q, f, dim);
    }
    return 0.5f * v[0] + 0.5f * v[1];
}

GY_INLINE double integrate(const job *b, const segment *s, double end, int dim)
{
    way w = way_of(s, b->place, dim);
    double sum = 0.0, t = 0.0;
    while (t < end) {
        int axis = next_axis(&w);
        double to = GY_MIN(w.leaves[axis], end);
        if (to > t) {
            sum += (to - t) * (double)mean_of(b, s, &w, t, to, dim);
            t = to;
        }
        if (w.leaves[axis] <= to) {
            go_on(&w, axis);
        }
    }
    return sum;
}

/// Over t.
static double integral_of(const job *b, const segment *s, double end)
{
    return b->grid->dim == 2 ? integrate(b, s, end, 2) : integrate(b, s, end, 3);
}

// ---- segments

/// Along axes that are not periodic what is in the domain.
static gyre_result place_segment(const job *b, const float *ends, segment *s)
{
    double h = (double)b->grid->h, start = 0.0, end = 1.0, whole = 0.0;
    *s = (segment){.any = true};
    for (int a = 0; a < b->grid->dim; a++) {
        double by = ((double)ends[3 + a] - (double)ends[a]) / h;
        double from = ((double)ends[a] - (double)b->grid->origin[a]) / h;
        int n = b->grid->n[a];
        if (b->around.periodic >> a & 1u) {
            if (by > n * (1.0 + 1e-6) || by < -n * (1.0 + 1e-6)) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "sight: a segment of %g m along %c, which is periodic and %g m "
                                 "long",
                                 by < 0.0 ? -by * h : by * h, 'x' + a, n * h);
            }
            from -= gy_turns(from, n);
        } else if (by == 0.0) {
            s->any = s->any && from >= 0.0 && from <= n;
        } else {
            double low = -from / by, high = (n - from) / by;
            start = GY_MAX(start, GY_MIN(low, high));
            end = GY_MIN(end, GY_MAX(low, high));
        }
        s->from[a] = from;
        s->by[a] = by;
        whole += by * by;
    }
    s->any = s->any && start < end;
    s->length = __builtin_sqrt(whole) * h;
    s->start = start * s->length;
    for (int a = 0; a < b->grid->dim && s->any; a++) {
        bool wraps = b->around.periodic >> a & 1u;
        double from = s->from[a] + start * s->by[a], to = s->from[a] + end * s->by[a];
        int n = b->grid->n[a];
        s->from[a] = wraps ? from : GY_MIN(GY_MAX(from, 0.0), n);
        s->by[a] = (wraps ? to : GY_MIN(GY_MAX(to, 0.0), n)) - s->from[a];
    }
    return GYRE_OK;
}

static gyre_result look(const job *b, const float *ends, gyre_sight *sight)
{
    segment s;
    gyre_result r = place_segment(b, ends, &s);
    if (r != GYRE_OK) {
        return r;
    }
    double inside = 0.0;
    for (int a = 0; a < b->grid->dim; a++) {
        inside += s.by[a] * s.by[a];
    }
    inside = __builtin_sqrt(inside) * (double)b->grid->h;
    double wall = s.any && b->walls && b->around.walls ? wall_of(b, &s) : 2.0;
    double sum = s.any ? integral_of(b, &s, GY_MIN(wall, 1.0)) * inside : 0.0;
    double dark = sum > 0.0 ? (double)b->absorption * sum : 0.0;
    *sight = (gyre_sight){.integral = (float)GY_MIN(GY_MAX(sum, -3e38), 3e38),
                          .transmittance = gy_expf((float)-GY_MIN(dark, 100.0)),
                          .reach = (float)(wall <= 1.0 ? s.start + wall * inside : s.length),
                          .blocked = wall <= 1.0};
    return GYRE_OK;
}

static gyre_result check(const gyre_model *model, float absorption, const float *segments,
                         int count)
{
    if (!gy_is_finite(absorption) || absorption < 0.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sight: an absorption of %g, expected a finite one of at least 0",
                         (double)absorption);
    }
    for (int q = 0; q < count; q++) {
        for (int a = 0; a < model->grid->dim; a++) {
            if (!gy_is_finite(segments[6 * q + a]) || !gy_is_finite(segments[6 * q + 3 + a])) {
                return gyre_fail(GYRE_ERROR_ARGUMENT, "sight: segment %d is not finite", q);
            }
        }
    }
    return GYRE_OK;
}

gyre_result gyre_model_sight(const gyre_model *model, int field, float absorption, bool walls,
                             const float *segments, int count, gyre_sight *sights)
{
    if (gy_model_check_field("sight", model, field) != GYRE_OK ||
        (count > 0 && (GY_MISSING("sight", segments) || GY_MISSING("sight", sights)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = check(model, absorption, segments, count);
    r = r == GYRE_OK ? gy_source_check(model, field) : r;
    if (r != GYRE_OK || count <= 0) {
        return r;
    }
    job b = {.grid = model->grid, .absorption = absorption, .walls = walls};
    gyre_location location = model->fields[field].location;
    for (int a = 0; a < 3; a++) {
        bool across = location == GYRE_NODE || (int)location == (int)GYRE_FACE_X + a;
        b.place[a] = across ? 0.0 : 0.5;
    }
    b.around = gy_source_around(model);
    r = gy_source_open(&b.source, model, field);
    for (int q = 0; q < count && r == GYRE_OK; q++) {
        r = look(&b, segments + 6 * q, &sights[q]);
    }
    gy_source_close(&b.source);
    return r;
}
