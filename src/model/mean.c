// model/mean.c: fields over regions: sum over cells of w q and of w, w the part of a cell that is
// inside.
//
//   box      the part, exactly: a product of lengths
//   sphere   R + 1/2 - sqrt(r^2 + (dim - 1) / 12), cut to 0 .. 1, lengths in cells: how far the
//            mean point of a cell's section is inside of it. Their sum is the ball's volume to
//            second order; up to SMALL cells of radius those less than 1 are made to fit it
//   others   1/2 - distance of the cell's centre, cut to 0 .. 1
//
// A cell's value is its sample, or the mean of those at its faces or corners. First order at the
// region's rim, as what is within a cell is not known; whole cells are summed as they are, so that
// regions side by side have their sum. Sums are in doubles, of four lanes whatever the machine.
//
// Cost: some 15 ns a row of a box and 50 a row of a ball, a few cells long; twice that beside walls
// (`gyre bench game`).
#include "model/source.h"
#include "shape/shape.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SMALL = 32, LANES = 4 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t masks __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef int32_t bits __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4), may_alias));
typedef float narrow __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

typedef struct job {
    gy_source source;
    gy_around around;
    const gyre_grid *grid;
    gyre_location location;
    bool some; // of the region's cells may hold no fluid
    // of the region at hand:
    lanes sum, part, rim_sum, rim_part; // of all cells with fluid, and of those with less than 1
    double full, rim; // the parts of all that are 1 and of all others, also without fluid
    // of a row:
    float weight[GY_MOST_SAMPLES + 2 * LANES], value[GY_MOST_SAMPLES + LANES];
    int32_t holds[GY_MOST_SAMPLES + LANES];
} job;

/// A region along an axis, in cells: what lies in it, and the whole cells that it touches.
typedef struct span {
    double low, high;
    int first, end;
} span;

// ---- rows

static float corners(const gy_source *s, int dim, int i, int j, int k)
{
    float sum = 0.0f;
    for (int c = 0; c < 1 << dim; c++) {
        sum += gy_source_sample(s, (const int[3]){i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)});
    }
    return sum / (float)(1 << dim);
}

/// The values of cells of a row.
static const float *row_of(job *b, int j, int k, int first, int count)
{
    const gy_source *s = &b->source;
    int axis = (int)b->location - (int)GYRE_FACE_X;
    if (b->location == GYRE_CENTRE && !s->direct) {
        return s->view.data + first + j * s->view.stride[1] + k * s->view.stride[2];
    }
    for (int i = 0; i < count; i++) {
        int at[3] = {first + i, j, k}, next[3] = {first + i, j, k};
        if (b->location == GYRE_CENTRE) {
            b->value[i] = gy_source_sample(s, at);
        } else if (b->location == GYRE_NODE) {
            b->value[i] = corners(s, b->grid->dim, at[0], j, k);
        } else {
            next[axis]++;
            b->value[i] = 0.5f * gy_source_sample(s, at) + 0.5f * gy_source_sample(s, next);
        }
    }
    return b->value;
}

/// Values by their weights; what has none counts for nothing, whatever it is.
GY_INLINE narrow counted(narrow weight, narrow value)
{
    return (narrow)((bits)value & (bits)(weight != 0.0f));
}

/// Adds cells of a row in the domain, with their weights times `by`. There are LANES weights more.
GY_INLINE void add_cells(job *b, int j, int k, int first, int count, const float *weight, double by,
                         bool ball)
{
    static const int32_t first_lanes[2 * LANES] = {-1, -1, -1, -1};
    const float *value = row_of(b, j, k, first, count);
    // What follows in the row, or in the buffer, is there to be read.
    int room = value == b->value ? GY_MOST_SAMPLES : b->grid->n[0] - first;
    if (b->some) {
        const gyre_model *model = b->source.model;
        model->type->holds(model, &b->around, j, k, first, count, b->holds);
    }
    lanes part = {0}, sum = {0}, rim_part = {0}, rim_sum = {0};
    for (int i = 0; i < count; i += LANES) {
        int left = GY_MIN(LANES, count - i);
        narrow w = *(const narrow *)(const void *)(weight + i), x = {0.0f};
        w = (narrow)((bits)w & *(const bits *)(const void *)(first_lanes + LANES - left));
        if (b->some) {
            w = (narrow)((bits)w & *(const bits *)(const void *)(b->holds + i));
        }
        if (i + LANES <= room) {
            x = *(const narrow *)(const void *)(value + i);
        } else {
            for (int q = 0; q < left; q++) {
                x[q] = value[i + q];
            }
        }
        lanes of = __builtin_convertvector(w, lanes);
        lanes is = __builtin_convertvector(counted(w, x), lanes);
        part += of;
        sum += of * is;
        if (ball) {
            lanes rim = (lanes)((masks)of & (masks)(of < 1.0));
            rim_part += rim;
            rim_sum += rim * is;
        }
    }
    b->part += by * part;
    b->sum += by * sum;
    if (ball) {
        b->rim_part += rim_part;
        b->rim_sum += rim_sum;
    }
}

/// Adds cells of a row of which `weight` is the first's. Across periodic sides it goes on; beyond
/// others there is nothing.
GY_INLINE void add_row(job *b, int j, int k, const span *x, const float *weight, double by,
                       bool ball)
{
    const int *n = b->grid->n;
    uint32_t periodic = b->around.periodic;
    if (periodic) {
        j = periodic >> 1 & 1u ? gy_wrapped(j, n[1]) : j;
        k = periodic >> 2 & 1u ? gy_wrapped(k, n[2]) : k;
    }
    if (j < 0 || j >= n[1] || k < 0 || k >= n[2]) {
        return;
    }
    if (!(periodic & 1u)) {
        int first = GY_MAX(x->first, 0), end = GY_MIN(x->end, n[0]);
        if (first < end) {
            add_cells(b, j, k, first, end - first, weight + (first - x->first), by, ball);
        }
        return;
    }
    for (int i = x->first, run; i < x->end; i += run) {
        int at = gy_wrapped(i, n[0]);
        run = GY_MIN(n[0] - at, x->end - i);
        add_cells(b, j, k, at, run, weight + (i - x->first), by, ball);
    }
}

// ---- regions

/// What a region from `low` to `high` metres touches, with a rim of so many cells: at the first of
/// the copies along a periodic axis; cut to the domain along others, but for `beyond` cells. Fails
/// where it is longer than a periodic axis.
static gyre_result span_of(const job *b, int axis, double low, double high, double rim,
                           double beyond, span *s)
{
    double h = (double)b->grid->h, origin = (double)b->grid->origin[axis];
    int n = b->grid->n[axis];
    *s = (span){.low = (low - origin) / h, .high = (high - origin) / h};
    if (b->around.periodic >> axis & 1u) {
        if (s->high - s->low > n * (1.0 + 1e-6)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "mean: a region of %g m along %c, which is periodic and %g m long",
                             high - low, 'x' + axis, n * h);
        }
        double turns = gy_turns(s->low, n);
        s->low -= turns + rim;
        s->high = GY_MIN(s->high - turns, s->low + rim + n) + rim;
    } else {
        s->low = GY_MIN(GY_MAX(s->low - rim, -beyond), n + beyond);
        s->high = GY_MIN(GY_MAX(s->high + rim, -beyond), n + beyond);
    }
    s->first = gy_floor_of(s->low);
    s->end = gy_ceil_of(s->high);
    return GYRE_OK;
}

/// Whether cells of a region may hold no fluid.
static bool has_walls(const job *b, const span s[3])
{
    gy_box box = {{0}, {1, 1, 1}};
    if (!b->around.walls) {
        return false;
    }
    for (int a = 0; a < b->grid->dim; a++) {
        int n = b->grid->n[a];
        bool within = s[a].first >= 0 && s[a].end <= n;
        bool wraps = b->around.periodic >> a & 1u;
        box.low[a] = within ? s[a].first : wraps ? 0 : GY_MIN(GY_MAX(s[a].first, 0), n);
        box.high[a] = within ? s[a].end : wraps ? n : GY_MIN(GY_MAX(s[a].end, 0), n);
        if (box.low[a] >= box.high[a]) {
            return false;
        }
    }
    const gyre_model *model = b->source.model;
    return !model->type->clear(model, &b->around, &box);
}

static double overlap(const span *s, int i)
{
    return GY_MAX(GY_MIN(s->high, i + 1.0) - GY_MAX(s->low, (double)i), 0.0);
}

/// The same where every cell holds fluid and lies in a window: parts are products of lengths.
static void add_plain_box(job *b, const span s[3])
{
    const gyre_field_view *v = &b->source.view;
    int first = s[0].first, count = s[0].end - first;
    for (int i = 0; i < count + LANES; i++) {
        b->weight[i] = i < count ? (float)overlap(&s[0], first + i) : 0.0f;
    }
    for (int k = s[2].first; k < s[2].end; k++) {
        double deep = overlap(&s[2], k);
        for (int j = s[1].first; j < s[1].end; j++) {
            const float *value = v->data + first + j * v->stride[1] + k * v->stride[2];
            lanes sum = {0};
            for (int i = 0; i < count; i += LANES) {
                narrow w = *(const narrow *)(const void *)(b->weight + i), x = {0.0f};
                if (first + i + LANES <= b->grid->n[0]) {
                    x = *(const narrow *)(const void *)(value + i);
                } else {
                    memcpy(&x, value + i, sizeof *value * (size_t)(count - i));
                }
                sum += __builtin_convertvector(w * counted(w, x), lanes);
            }
            b->sum += deep * overlap(&s[1], j) * sum;
        }
    }
    b->part[0] = (s[0].high - s[0].low) * (s[1].high - s[1].low) * (s[2].high - s[2].low);
}

static void add_box(job *b, const span s[3])
{
    bool plain = !b->some && !b->source.direct && b->location == GYRE_CENTRE;
    for (int a = 0; a < 3; a++) {
        plain = plain && s[a].first >= 0 && s[a].first < s[a].end && s[a].end <= b->grid->n[a];
    }
    if (plain) {
        add_plain_box(b, s);
        return;
    }
    for (int i = s[0].first; i < s[0].end; i++) {
        b->weight[i - s[0].first] = (float)overlap(&s[0], i);
    }
    for (int k = s[2].first; k < s[2].end; k++) {
        for (int j = s[1].first; j < s[1].end; j++) {
            add_row(b, j, k, &s[0], b->weight, overlap(&s[1], j) * overlap(&s[2], k), false);
        }
    }
}

static double square(double x)
{
    return x * x;
}

/// `s`: the ball's own, in cells, with half a cell round it.
static void add_sphere(job *b, const span s[3], const double centre[3], double radius)
{
    int dim = b->grid->dim;
    double rim = GY_MAX(radius, 0.5) + 0.5;
    for (int k = s[2].first; k < s[2].end; k++) {
        for (int j = s[1].first; j < s[1].end; j++) {
            double off = (dim - 1) / 12.0 + square(j + 0.5 - centre[1]);
            off += dim == 3 ? square(k + 0.5 - centre[2]) : 0.0;
            double half = square(rim) - off, deep = square(rim - 1.0) - off;
            if (half <= 0.0) {
                continue;
            }
            half = __builtin_sqrt(half);
            deep = deep > 0.0 ? __builtin_sqrt(deep) : 0.0;
            span x = {.low = GY_MIN(GY_MAX(centre[0] - half, s[0].low), s[0].high),
                      .high = GY_MAX(GY_MIN(centre[0] + half, s[0].high), s[0].low)};
            x.first = gy_ceil_of(x.low - 0.5);
            x.end = gy_floor_of(x.high + 0.5);
            for (int i = x.first; i < x.end; i++) {
                double d = i + 0.5 - centre[0];
                double w = d < deep && d > -deep ? 1.0 : rim - __builtin_sqrt(d * d + off);
                b->weight[i - x.first] = (float)GY_MIN(GY_MAX(w, 0.0), 1.0);
                *(w < 1.0 ? &b->rim : &b->full) += (double)b->weight[i - x.first];
            }
            if (x.first < x.end) {
                add_row(b, j, k, &x, b->weight, 1.0, true);
            }
        }
    }
}

/// Any other region, by the distance of cells' centres.
static void add_shape(job *b, const span s[3], const gyre_shape *shape)
{
    const gyre_grid *g = b->grid;
    for (int k = s[2].first; k < s[2].end; k++) {
        for (int j = s[1].first; j < s[1].end; j++) {
            for (int i = s[0].first; i < s[0].end; i++) {
                const int at[3] = {i, j, k};
                float p[3];
                for (int a = 0; a < 3; a++) {
                    p[a] = g->origin[a] + ((float)at[a] + 0.5f) * g->h;
                }
                float w = 0.5f - gyre_shape_distance(shape, g->dim, p) / g->h;
                b->weight[i - s[0].first] = GY_MIN(GY_MAX(w, 0.0f), 1.0f);
            }
            add_row(b, j, k, &s[0], b->weight, 1.0, false);
        }
    }
}

static bool is_turned(const gyre_shape *shape)
{
    const float *r = shape->as.box.rotation, *q = shape->as.box.orientation;
    return r[0] != 0.0f || r[1] != 0.0f || r[2] != 0.0f || q[0] != 0.0f || q[1] != 0.0f ||
           q[2] != 0.0f;
}

/// `scale`: of the cells at the rim.
static gyre_result add_ball(job *b, const gyre_shape *shape, double *scale)
{
    int dim = b->grid->dim;
    double h = (double)b->grid->h, radius = (double)shape->as.sphere.radius / h, centre[3] = {0};
    bool small = radius < SMALL;
    span s[3] = {[2] = {0.0, 1.0, 0, 1}};
    for (int a = 0; a < dim; a++) {
        double c = (double)shape->as.sphere.centre[a], r = (double)shape->as.sphere.radius;
        double origin = (double)b->grid->origin[a], rim = GY_MAX(0.5 - radius, 0.0) + 0.5;
        // Where a ball is small the cells beyond a side are counted, too.
        double beyond = small ? 2.0 * SMALL + 2.0 : 0.0;
        gyre_result result = span_of(b, a, c - r, c + r, rim, beyond, &s[a]);
        if (result != GYRE_OK) {
            return result;
        }
        bool wraps = b->around.periodic >> a & 1u;
        centre[a] = (c - origin) / h;
        centre[a] -= wraps ? gy_turns((c - r - origin) / h, b->grid->n[a]) : 0.0;
    }
    b->some = has_walls(b, s);
    add_sphere(b, s, centre, radius);
    double ball = 3.14159265358979323846 * radius * radius * (dim == 3 ? 4.0 / 3.0 * radius : 1.0);
    *scale = small && b->rim > 0.0 ? (ball - b->full) / b->rim : 1.0;
    return GYRE_OK;
}

static gyre_result add_region(job *b, const gyre_shape *shape, double *scale)
{
    float low[3], high[3];
    bool box = shape->kind == GYRE_SHAPE_BOX && !is_turned(shape);
    span s[3] = {[2] = {0.0, 1.0, 0, 1}};
    *scale = 1.0;
    if (shape->kind == GYRE_SHAPE_SPHERE) {
        return add_ball(b, shape, scale);
    }
    for (int a = 0; a < b->grid->dim; a++) {
        double from, to;
        if (box) {
            from = (double)shape->as.box.centre[a] - 0.5 * (double)shape->as.box.size[a];
            to = (double)shape->as.box.centre[a] + 0.5 * (double)shape->as.box.size[a];
        } else {
            gyre_shape_bounds(shape, b->grid->dim, low, high);
            from = (double)low[a];
            to = (double)high[a];
        }
        gyre_result r = span_of(b, a, from, to, box ? 0.0 : 0.5, 0.0, &s[a]);
        if (r != GYRE_OK) {
            return r;
        }
    }
    b->some = has_walls(b, s);
    if (box) {
        add_box(b, s);
    } else {
        add_shape(b, s, shape);
    }
    return GYRE_OK;
}

static double sum_of(const lanes *x)
{
    return ((*x)[0] + (*x)[2]) + ((*x)[1] + (*x)[3]);
}

static gyre_result run(job *b, const gyre_shape *regions, int count, gyre_mean *means)
{
    double cell = (double)b->grid->h * (double)b->grid->h;
    cell *= b->grid->dim == 3 ? (double)b->grid->h : 1.0;
    for (int q = 0; q < count; q++) {
        double scale;
        b->sum = b->part = b->rim_sum = b->rim_part = (lanes){0};
        b->full = b->rim = 0.0;
        gyre_result r = add_region(b, &regions[q], &scale);
        if (r != GYRE_OK) {
            return r;
        }
        double part = sum_of(&b->part) + (scale - 1.0) * sum_of(&b->rim_part);
        double sum = sum_of(&b->sum) + (scale - 1.0) * sum_of(&b->rim_sum);
        means[q] = (gyre_mean){.total = sum * cell, .volume = part * cell};
        means[q].mean = part > 0.0 ? sum / part : 0.0;
    }
    return GYRE_OK;
}

gyre_result gyre_model_mean(const gyre_model *model, int field, const gyre_shape *regions,
                            int count, gyre_mean *means)
{
    job b;
    if (gy_model_check_field("mean", model, field) != GYRE_OK ||
        (count > 0 && (GY_MISSING("mean", regions) || GY_MISSING("mean", means)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int q = 0; q < count; q++) {
        // What it is called is written down where it is told alone: that takes as long as a mean.
        if (gy_shape_check(&regions[q], model->grid->dim, "mean: regions") != GYRE_OK) {
            char path[32];
            snprintf(path, sizeof path, "mean: regions.%d", q);
            gy_shape_check(&regions[q], model->grid->dim, path);
            return GYRE_ERROR_ARGUMENT;
        }
    }
    gyre_result r = gy_source_check(model, field);
    if (r != GYRE_OK || count <= 0) {
        return r;
    }
    b.grid = model->grid;
    b.location = model->fields[field].location;
    b.around = gy_source_around(model);
    r = gy_source_open(&b.source, model, field);
    r = r == GYRE_OK ? run(&b, regions, count, means) : r;
    gy_source_close(&b.source);
    return r;
}
