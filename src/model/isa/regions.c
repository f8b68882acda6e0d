// model/isa/regions.c: sums over regions, row by row in blocks of 16 columns: see model/mean.c.
// Columns are summed in floats over ROWS rows at most, then in doubles.
#include "base/simd.h"
#include "model/isa/isa.h"
#include "model/mean.h"
#include "shape/shape.h"
#include <string.h>

enum { SMALL = 32, ROWS = 32, LISTED = 32, PARTS = GY_COLUMNS / VW };

/// A region along an axis, in cells: what lies in it, and the whole cells that it touches.
typedef struct span {
    double low, high;
    int first, end;
} span;

/// Columns from `first` on that are summed beside each other: bits of those that lie in the domain,
/// and whether these are all and lie side by side.
typedef struct block {
    int first, count;
    uint32_t in;
    bool straight;
} block;

// ---- rows

static float corners(const gy_source *s, int dim, int i, int j, int k)
{
    float sum = 0.0f;
    for (int c = 0; c < 1 << dim; c++) {
        sum += gy_source_sample(s, (const int[3]){i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)});
    }
    return sum / (float)(1 << dim);
}

/// Samples that lie together in tiles, else one by one.
static void read_tiles(gy_mean_job *b, int j, int first, int count)
{
    for (int i = 0, run; i < count; i += run) {
        const int at[3] = {first + i, j, 0};
        gy_cutout *c = &b->cutout;
        run = 1;
        if (gy_source_in(&b->source, at, c)) {
            run = GY_MIN(count - i, c->high[0] - at[0]);
            const float *from = c->data + (at[0] - c->low[0]) + (j - c->low[1]) * c->stride;
            for (int q = 0; q < run; q++) {
                b->value[i + q] = from[q];
            }
        } else {
            b->value[i] = gy_source_sample(&b->source, at);
        }
    }
}

/// The values of a block's cells: 16 floats can be read, of which those outside mean nothing.
static const float *read_row(gy_mean_job *b, const block *c, int j, int k)
{
    const gy_source *s = &b->source;
    int axis = (int)b->location - (int)GYRE_FACE_X, n = b->grid->n[0];
    if (b->location == GYRE_CENTRE && c->straight && s->direct) {
        const int first[3] = {c->first, j, 0};
        const gy_cutout *cut = &b->cutout;
        if (gy_source_in(s, first, &b->cutout) && c->first + GY_COLUMNS <= cut->high[0]) {
            return cut->data + (c->first - cut->low[0]) + (j - cut->low[1]) * cut->stride;
        }
        read_tiles(b, j, c->first, c->count);
        return b->value;
    }
    for (int i = 0; i < c->count; i++) {
        int x = c->in >> i & 1u ? gy_wrapped(c->first + i, n) : 0;
        int at[3] = {x, j, k}, next[3] = {x, j, k};
        if (b->location == GYRE_CENTRE) {
            b->value[i] = gy_source_sample(s, at);
        } else if (b->location == GYRE_NODE) {
            b->value[i] = corners(s, b->grid->dim, x, j, k);
        } else {
            next[axis]++;
            b->value[i] = 0.5f * gy_source_sample(s, at) + 0.5f * gy_source_sample(s, next);
        }
    }
    return b->value;
}

/// Where the rows of a block are read: what stands in memory as it is asked for, looked up once.
typedef struct reading {
    const float *data; // NULL: read_row() has it
    ptrdiff_t sy, sz, last;
    const uint64_t *fluid; // NULL: ask_fluid() has it
    ptrdiff_t wy, wz;
    int shift;
    bool two; // words
} reading;

GY_INLINE reading reading_of(const gy_mean_job *b, const block *c)
{
    const gyre_field_view *v = &b->source.view;
    bool window = b->location == GYRE_CENTRE && !b->source.direct && c->straight;
    bool bits = b->around.fluid && c->straight;
    reading r = {.sy = v->stride[1],
                 .sz = v->stride[2],
                 .wy = b->around.words,
                 .wz = (ptrdiff_t)b->around.words * b->grid->n[1],
                 .shift = c->first & 63};
    // From the last that can be read whole on, rows are copied.
    r.last = (v->n[1] - 1) * r.sy + (v->n[2] - 1) * r.sz + v->n[0] - GY_COLUMNS - c->first;
    r.data = window ? v->data + c->first : NULL;
    r.fluid = bits ? b->around.fluid + (c->first >> 6) : NULL;
    r.two = r.shift + c->count > 64;
    return r;
}

/// The same, straight from the window where that has 16 floats from there on.
GY_INLINE const float *row_of(gy_mean_job *b, const reading *r, const block *c, int j, int k)
{
    ptrdiff_t at = j * r->sy + k * r->sz;
    return r->data && at <= r->last ? r->data + at : read_row(b, c, j, k);
}

/// Bits of the columns of a block that hold fluid.
static uint32_t ask_fluid(const gy_mean_job *b, const block *c, int j, int k)
{
    const gyre_model *model = b->source.model;
    uint32_t bits = 0;
    for (int i = 0; i < c->count; i++) {
        int32_t yes = 0;
        if (c->in >> i & 1u) {
            int x = gy_wrapped(c->first + i, b->grid->n[0]);
            model->type->holds(model, &b->around, j, k, x, 1, &yes);
        }
        bits |= yes ? 1u << i : 0;
    }
    return bits;
}

GY_INLINE uint32_t fluid_of(const gy_mean_job *b, const reading *r, const block *c, int j, int k)
{
    if (!r->fluid) {
        return b->around.walls ? ask_fluid(b, c, j, k) : c->in;
    }
    const uint64_t *word = r->fluid + j * r->wy + k * r->wz;
    uint64_t bits = word[0] >> r->shift;
    if (r->two) {
        bits |= word[1] << (64 - r->shift);
    }
    return (uint32_t)bits & c->in;
}

GY_INLINE vi mask_of(uint32_t bits, int part)
{
    static const int32_t bit[GY_COLUMNS] = {1,   2,   4,    8,    16,   32,   64,    128,
                                            256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    vi at;
    memcpy(&at, bit + part * VW, sizeof at);
    return (at & (int32_t)bits) != 0;
}

/// Columns from `first` to `end`, which of them are in the domain.
static block block_of(const gy_mean_job *b, int first, int end)
{
    int n = b->grid->n[0];
    block c = {.first = first, .count = GY_MIN(end - first, GY_COLUMNS)};
    bool periodic = b->around.periodic & 1u;
    uint32_t all = (1u << c.count) - 1u;
    c.straight = first >= 0 && first + c.count <= n;
    c.in = all;
    for (int i = 0; i < c.count && !c.straight && !periodic; i++) {
        c.in &= first + i >= 0 && first + i < n ? all : ~(1u << i);
    }
    return c;
}

/// Where a row is in the domain; false: outside.
GY_INLINE bool place_row(const gy_mean_job *b, int *j, int *k)
{
    const int *n = b->grid->n;
    uint32_t periodic = b->around.periodic;
    if (periodic) {
        *j = periodic >> 1 & 1u ? gy_wrapped(*j, n[1]) : *j;
        *k = periodic >> 2 & 1u ? gy_wrapped(*k, n[2]) : *k;
    }
    return *j >= 0 && *j < n[1] && *k >= 0 && *k < n[2];
}

// ---- regions

/// What a region from `low` to `high` metres touches, with a rim of so many cells: at the first of
/// the copies along a periodic axis; cut to the domain along others, but for `beyond` cells. Fails
/// where it is longer than a periodic axis.
static gyre_result span_of(const gy_mean_job *b, int axis, double low, double high, double rim,
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
static bool has_walls(const gy_mean_job *b, const span s[3])
{
    gy_box box = {{0}, {1, 1, 1}};
    if (!b->around.walls || b->around.fluid) {
        return b->around.walls;
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

/// Whether all of a region lies in the domain, none of it across a periodic side.
static bool is_within(const gy_mean_job *b, const span s[3])
{
    bool within = true;
    for (int a = 0; a < b->grid->dim; a++) {
        within = within && s[a].first >= 0 && s[a].end <= b->grid->n[a];
    }
    return within;
}

static double overlap(const span *s, int i)
{
    return GY_MAX(GY_MIN(s->high, i + 1.0) - GY_MAX(s->low, (double)i), 0.0);
}

GY_INLINE double fold(gy_sum *s, const vf *weight)
{
    gy_sum weighted = *s;
    for (int p = 0; p < PARTS && weight; p++) {
        weighted.part[p] *= weight[p];
    }
    *s = gy_sum_zero();
    return gy_sum_fold(&weighted);
}

/// Adds a block of columns of a box. `masked`: some may hold no fluid; else their parts are known.
GY_INLINE void add_columns(gy_mean_job *b, const span s[3], const block *c, bool masked)
{
    gy_sum sum = gy_sum_zero(), part = gy_sum_zero();
    float along[GY_COLUMNS];
    vf weight[PARTS];
    vi in[PARTS];
    int rows = 0;
    const reading r = reading_of(b, c);
    for (int i = 0; i < GY_COLUMNS; i++) {
        along[i] = (float)overlap(&s[0], c->first + i);
    }
    for (int p = 0; p < PARTS; p++) {
        weight[p] = gy_load(along + p * VW);
        in[p] = mask_of(c->in, p);
    }
    for (int k = s[2].first; k < s[2].end; k++) {
        double deep = overlap(&s[2], k);
        for (int j = s[1].first; j < s[1].end; j++) {
            float by = (float)(deep * overlap(&s[1], j));
            int y = j, z = k;
            if (!place_row(b, &y, &z)) {
                continue;
            }
            const float *value = row_of(b, &r, c, y, z);
            uint32_t bits = masked ? fluid_of(b, &r, c, y, z) : c->in;
            for (int p = 0; p < PARTS && p * VW < c->count; p++) {
                vi mask = masked ? mask_of(bits, p) : in[p];
                sum.part[p] += by * (vf)((vi)gy_load(value + p * VW) & mask);
                if (masked) {
                    part.part[p] += (vf)((vi)gy_splat(by) & mask);
                }
            }
            if (++rows == ROWS) {
                b->sum += fold(&sum, weight);
                b->part += masked ? fold(&part, weight) : 0.0;
                rows = 0;
            }
        }
    }
    b->sum += fold(&sum, weight);
    b->part += masked ? fold(&part, weight) : 0.0;
}

static void add_box(gy_mean_job *b, const span s[3])
{
    for (int i = s[0].first; i < s[0].end; i += GY_COLUMNS) {
        block c = block_of(b, i, s[0].end);
        if (b->some) {
            add_columns(b, s, &c, true);
        } else {
            add_columns(b, s, &c, false);
        }
    }
    if (!b->some) {
        double size = 1.0;
        for (int a = 0; a < b->grid->dim; a++) {
            size *= GY_MAX(s[a].high - s[a].low, 0.0);
        }
        b->part = size;
    }
}

static double square(double x)
{
    return x * x;
}

/// Parts of a ball's cells, and those less than 1 of them.
typedef struct parts {
    gy_sum all, rim;
} parts;

/// Parts of a ball's rows that are not full: of all cells, and of those that hold fluid.
typedef struct odd_parts {
    parts all, held;
    bool any;
} odd_parts;

static const parts no_parts;

/// Places in a block of columns, from a ball's centre.
typedef struct columns {
    vf square[PARTS];
    vi in[PARTS];
    int count;
    uint32_t every;
    float rim;
} columns;

GY_INLINE void add_parts(parts *s, int part, vf w)
{
    s->all.part[part] += w;
    s->rim.part[part] += (vf)((vi)w & (vi)(w < 1.0f));
}

/// Adds a row that is so far off: values by their parts to sum, and the parts to full.
GY_INLINE void add_full_row(parts *full, parts *sum, const columns *c, float off,
                            const float *value)
{
    for (int p = 0; p < PARTS && p * VW < c->count; p++) {
        vf w = c->rim - gy_sqrt(c->square[p] + off);
        w = (vf)((vi)gy_clamp(w, gy_splat(0.0f), gy_splat(1.0f)) & c->in[p]);
        vf of = w * (vf)((vi)gy_load(value + p * VW) & c->in[p]);
        add_parts(full, p, w);
        sum->all.part[p] += of;
        sum->rim.part[p] += (vf)((vi)of & (vi)(w < 1.0f));
    }
}

/// The same of one of which `bits` hold fluid.
GY_INLINE void add_odd_row(odd_parts *odd, parts *sum, const columns *c, float off,
                           const float *value, uint32_t bits)
{
    for (int p = 0; p < PARTS && p * VW < c->count; p++) {
        vf w = c->rim - gy_sqrt(c->square[p] + off);
        w = (vf)((vi)gy_clamp(w, gy_splat(0.0f), gy_splat(1.0f)) & c->in[p]);
        vi mask = mask_of(bits, p);
        vf of = w * (vf)((vi)gy_load(value + p * VW) & mask);
        add_parts(&odd->all, p, w);
        add_parts(&odd->held, p, (vf)((vi)w & mask));
        sum->all.part[p] += of;
        sum->rim.part[p] += (vf)((vi)of & (vi)(w < 1.0f));
    }
    odd->any = true;
}

static void fold_odd(gy_mean_job *b, odd_parts *s)
{
    b->part += fold(&s->held.all, NULL);
    b->rim_part += fold(&s->held.rim, NULL);
    b->all += fold(&s->all.all, NULL);
    b->rim += fold(&s->all.rim, NULL);
    s->any = false;
}

GY_INLINE void fold_ball(gy_mean_job *b, parts *full, parts *sum, odd_parts *odd)
{
    double all = fold(&full->all, NULL), rim = fold(&full->rim, NULL);
    b->sum += fold(&sum->all, NULL);
    b->rim_sum += fold(&sum->rim, NULL);
    b->part += all;
    b->rim_part += rim;
    b->all += all;
    b->rim += rim;
    if (odd->any) {
        fold_odd(b, odd);
    }
}

/// Rows of a ball that are not outside of it, with the squares of how far they are off. Which these
/// are is nothing that a processor could guess, so that they are listed before they are added.
typedef struct list {
    int32_t j[LISTED], k[LISTED];
    float off[LISTED];
} list;

GY_INLINE void add_list(gy_mean_job *b, const list *l, int used, const block *c, const columns *at,
                        bool easy)
{
    const reading r = reading_of(b, c);
    const bool some = b->some;
    parts full = no_parts, sum = no_parts;
    odd_parts odd = {no_parts, no_parts, false};
    for (int q = 0; q < used; q++) {
        int j = l->j[q], k = l->k[q];
        uint32_t bits = at->every;
        const float *value;
        if (easy) {
            value = r.data + j * r.sy + k * r.sz;
            bits &= some ? (uint32_t)(r.fluid[j * r.wy + k * r.wz] >> r.shift) : bits;
        } else {
            bool inside = place_row(b, &j, &k);
            value = inside ? row_of(b, &r, c, j, k) : b->value;
            bits = !inside ? 0 : some ? fluid_of(b, &r, c, j, k) : c->in;
        }
        if (bits == at->every) {
            add_full_row(&full, &sum, at, l->off[q], value);
        } else {
            add_odd_row(&odd, &sum, at, l->off[q], value, bits);
        }
    }
    fold_ball(b, &full, &sum, &odd);
}

/// Adds a block of columns of a ball. `easy`: it lies in a window, and all rows can be read whole.
GY_INLINE void add_ball_columns(gy_mean_job *b, const span s[3], const block *c,
                                const double centre[3], double rim, bool easy)
{
    int dim = b->grid->dim;
    columns at = {.count = c->count, .every = (1u << c->count) - 1u, .rim = (float)rim};
    int used = 0;
    list l;
    for (int p = 0; p < PARTS; p++) {
        vf d = gy_to_float(gy_iota(p * VW)) + (float)(c->first + 0.5 - centre[0]);
        at.square[p] = d * d;
        at.in[p] = gy_iota(p * VW) < c->count;
    }
    double low = c->first + 0.5 - centre[0], high = low + c->count - 1;
    double mean = (dim - 1) / 12.0;
    float most = (float)(square(rim) - square(GY_MAX(GY_MAX(low, -high), 0.0)));
    for (int k = s[2].first; k < s[2].end; k++) {
        float deep = (float)(mean + (gy_is_3d(dim) ? square(k + 0.5 - centre[2]) : 0.0));
        for (int j = s[1].first; j < s[1].end; j++) {
            float across = (float)(j + 0.5 - centre[1]), off = across * across + deep;
            l.j[used] = j;
            l.k[used] = k;
            l.off[used] = off;
            used += off < most;
            if (used == LISTED) {
                add_list(b, &l, used, c, &at, easy);
                used = 0;
            }
        }
    }
    add_list(b, &l, used, c, &at, easy);
}

/// `s`: the ball's own, in cells, with half a cell round it.
static void add_sphere(gy_mean_job *b, const span s[3], const double centre[3], double radius)
{
    double rim = GY_MAX(radius, 0.5) + 0.5;
    int first = gy_ceil_of(s[0].low - 0.5), end = gy_floor_of(s[0].high + 0.5);
    for (int i = first; i < end; i += GY_COLUMNS) {
        block c = block_of(b, i, end);
        const reading r = reading_of(b, &c);
        bool easy = is_within(b, s) && r.data && (!b->some || (r.fluid && !r.two)) &&
                    (s[1].end - 1) * r.sy + (s[2].end - 1) * r.sz <= r.last;
        if (easy) {
            add_ball_columns(b, s, &c, centre, rim, true);
        } else {
            add_ball_columns(b, s, &c, centre, rim, false);
        }
    }
}

/// Any other region, by the distance of cells' centres.
static void add_shape(gy_mean_job *b, const span s[3], const gyre_shape *shape)
{
    const gyre_grid *g = b->grid;
    for (int r = 0; r < (s[2].end - s[2].first) * (s[1].end - s[1].first); r++) {
        int j = s[1].first + r % (s[1].end - s[1].first);
        int k = s[2].first + r / (s[1].end - s[1].first), y = j, z = k;
        if (!place_row(b, &y, &z)) {
            continue;
        }
        for (int first = s[0].first; first < s[0].end; first += GY_COLUMNS) {
            block c = block_of(b, first, s[0].end);
            float weight[GY_COLUMNS] = {0};
            gy_sum sum = gy_sum_zero(), part = gy_sum_zero();
            for (int i = 0; i < c.count; i++) {
                const int at[3] = {first + i, j, k};
                float point[3];
                for (int a = 0; a < 3; a++) {
                    point[a] = g->origin[a] + ((float)at[a] + 0.5f) * g->h;
                }
                float w = 0.5f - gyre_shape_distance(shape, g->dim, point) / g->h;
                weight[i] = GY_MIN(GY_MAX(w, 0.0f), 1.0f);
            }
            reading of = reading_of(b, &c);
            const float *value = row_of(b, &of, &c, y, z);
            uint32_t bits = b->some ? fluid_of(b, &of, &c, y, z) : c.in;
            for (int p = 0; p < PARTS && p * VW < c.count; p++) {
                vi mask = mask_of(bits, p);
                vf w = gy_load(weight + p * VW);
                sum.part[p] += w * (vf)((vi)gy_load(value + p * VW) & mask);
                part.part[p] += (vf)((vi)w & mask);
            }
            b->sum += gy_sum_fold(&sum);
            b->part += gy_sum_fold(&part);
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
static gyre_result add_ball(gy_mean_job *b, const gyre_shape *shape, double *scale)
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
    double ball =
        3.14159265358979323846 * radius * radius * (gy_is_3d(dim) ? 4.0 / 3.0 * radius : 1.0);
    *scale = small && b->rim > 0.0 ? (ball - (b->all - b->rim)) / b->rim : 1.0;
    return GYRE_OK;
}

static gyre_result add_region(gy_mean_job *b, const gyre_shape *shape, double *scale)
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

gyre_result GY_ASKED(gy_means_of)(gy_mean_job *b, const gyre_shape *regions, int count,
                                  gyre_mean *means)
{
    double cell = (double)b->grid->h * (double)b->grid->h;
    cell *= gy_is_3d(b->grid->dim) ? (double)b->grid->h : 1.0;
    b->cutout = (gy_cutout){0};
    for (int q = 0; q < count; q++) {
        double scale;
        b->sum = b->part = b->rim_sum = b->rim_part = b->all = b->rim = 0.0;
        gyre_result r = add_region(b, &regions[q], &scale);
        if (r != GYRE_OK) {
            return r;
        }
        double part = b->part + (scale - 1.0) * b->rim_part;
        double sum = b->sum + (scale - 1.0) * b->rim_sum;
        means[q] = (gyre_mean){.total = sum * cell, .volume = part * cell};
        means[q].mean = part > 0.0 ? sum / part : 0.0;
    }
    return GYRE_OK;
}
