// model/isa/legs.c: legs of segments, as many beside each other as a vector has lanes: see
// model/sight.c. No lane asks what another does, so the bits do not depend on how many there are.
#include "base/simd.h"
#include "model/isa/isa.h"
#include "model/sight.h"
#include <string.h>

/// What a lane of legs knows on its way. Of the planes across an axis: t of the first and from one
/// to the next, how many there are and how many of them are crossed, t of the next; and which way.
typedef struct lane {
    vf off[3], by[3], first[3], each[3], count[3], crossed[3], next[3], way[3];
} lane;

GY_INLINE vf next_of(const lane *n, int a)
{
    vf at = n->first[a] + n->crossed[a] * n->each[a];
    return gy_max(at, (vf)((vi)(n->crossed[a] >= n->count[a]) & (vi)gy_splat(gy_never)));
}

GY_INLINE vi load_int(const int32_t *from)
{
    vi x;
    memcpy(&x, from, sizeof x);
    return x;
}

/// How many planes are crossed is what lies between the first cell and the last, whatever t says.
/// Of none nothing has to be known, and two are a cell apart.
GY_INLINE lane lane_of(const gy_legs *l, int at, int dim)
{
    lane n;
    for (int a = 0; a < dim; a++) {
        n.off[a] = gy_load(l->off[a] + at);
        n.by[a] = gy_load(l->by[a] + at);
        vi down = (vi)(n.by[a] < 0.0f);
        vf size = gy_abs(n.by[a]), one = gy_splat(1.0f);
        vf to = gy_abs((vf)(~down & (vi)one) - n.off[a]);
        n.way[a] = gy_select(down, -one, one);
        vf cells = gy_to_float(load_int(l->last[a] + at) - load_int(l->cell[a] + at));
        n.count[a] = gy_max(cells * n.way[a], gy_splat(0.0f));
        n.first[a] = gy_min(to / gy_max(size, gy_splat(1e-30f)), one);
        n.each[a] = one / gy_max(size, one);
        n.crossed[a] = gy_splat(0.0f);
        n.next[a] = next_of(&n, a);
    }
    return n;
}

/// t of the next plane, and along which axis it is: of several the first. At `gy_never` along none.
GY_INLINE vf plane_of(const lane *n, int dim, vi axis[3])
{
    vf t = gy_min(n->next[0], n->next[1]);
    axis[0] = (vi)(n->next[0] <= n->next[1]);
    axis[1] = ~axis[0];
    if (gy_is_3d(dim)) {
        axis[2] = (vi)(n->next[2] < t);
        t = gy_min(t, n->next[2]);
        axis[0] &= ~axis[2];
        axis[1] &= ~axis[2];
    }
    return t;
}

GY_INLINE void cross(lane *n, int dim, const vi axis[3])
{
    for (int a = 0; a < dim; a++) {
        n->crossed[a] += (vf)(axis[a] & (vi)gy_splat(1.0f));
        n->next[a] = next_of(n, a);
    }
}

// ---- walls

static bool holds(const gy_sight *b, const int cell[3])
{
    int32_t yes = -1;
    const int *n = b->grid->n;
    if (b->around.fluid) {
        ptrdiff_t row = ((ptrdiff_t)cell[2] * n[1] + cell[1]) * b->around.words;
        return b->around.fluid[row + (cell[0] >> 6)] >> (cell[0] & 63) & 1u;
    }
    b->source.model->type->holds(b->source.model, &b->around, cell[1], cell[2], cell[0], 1, &yes);
    return yes != 0;
}

/// The way of leg p of those from `at` on by what the model says of each face, and across periodic
/// sides.
static float wall_by_cells(const gy_sight *b, const lane *n, int at, int p)
{
    const gy_legs *l = &b->legs;
    const gyre_model *model = b->source.model;
    float crossed[3] = {0};
    int cell[3] = {0};
    for (int a = 0; a < b->grid->dim; a++) {
        cell[a] = gy_wrapped(l->cell[a][at + p], b->grid->n[a]);
    }
    if (!holds(b, cell)) {
        return 0.0f;
    }
    for (;;) {
        float t = gy_never;
        int axis = 0;
        for (int a = 0; a < b->grid->dim; a++) {
            float plane = n->first[a][p] + crossed[a] * n->each[a][p];
            bool nearer = crossed[a] < n->count[a][p] && plane < t;
            axis = nearer ? a : axis;
            t = nearer ? plane : t;
        }
        if (t >= gy_never) {
            return gy_never;
        }
        int size = b->grid->n[axis], next = gy_wrapped(cell[axis] + (int)n->way[axis][p], size);
        int face[3] = {cell[0], cell[1], cell[2]};
        face[axis] = n->way[axis][p] > 0.0f ? next : face[axis];
        if (model->type->shut(model, &b->around, axis, face)) {
            return GY_MIN(t, 1.0f);
        }
        cell[axis] = next;
        crossed[axis] += 1.0f;
    }
}

/// The same of legs within the grid, by the bits of its faces.
GY_INLINE void find_walls(gy_sight *b, int at, int dim)
{
    gy_legs *l = &b->legs;
    lane n = lane_of(l, at, dim);
    vf wall = gy_splat(gy_never);
    const int size = b->grid->n[1] + 1;
    vi axis[3], cell[3] = {{0}}, step[3];
    vi lanes;                 // bits
    int32_t between[3] = {0}; // words from the first axis's
    for (int a = 0; a < dim; a++) {
        cell[a] = load_int(l->cell[a] + at);
        step[a] = gy_to_int(n.way[a]);
        between[a] = (int32_t)(b->around.open[a] - b->around.open[0]);
    }
    for (int q = 0; q < VW; q++) {
        lanes[q] = 1 << q;
    }
    vi start = (cell[2] * (size - 1) + cell[1]) * b->around.words + (cell[0] >> 6);
    for (int q = 0; q < VW; q++) {
        bool fluid = b->around.fluid[start[q]] >> (cell[0][q] & 63) & 1u;
        wall[q] = fluid || at + q >= l->used ? gy_never : 0.0f;
    }
    for (;;) {
        vf t = plane_of(&n, dim, axis);
        vi on = (vi)(t < gy_never) & (vi)(wall == gy_never);
        if (!gy_any(on)) {
            break;
        }
        // The low face of the upper one of both cells.
        vi face[3] = {{0}};
        for (int a = 0; a < dim; a++) {
            axis[a] &= on;
            face[a] = cell[a] + (axis[a] & (step[a] > 0) & 1);
            cell[a] += axis[a] & step[a];
        }
        vi word = (face[2] * size + face[1]) * b->around.words + (face[0] >> 6);
        for (int a = 1; a < dim; a++) {
            word += axis[a] & between[a];
        }
        int32_t at_word[VW], at_bit[VW];
        uint32_t shut = 0;
        memcpy(at_word, &word, sizeof word);
        memcpy(at_bit, &face[0], sizeof at_bit);
        for (int q = 0; q < VW; q++) {
            uint64_t bits = b->around.open[0][at_word[q]] >> (at_bit[q] & 63);
            shut |= (uint32_t)(~bits & 1u) << q;
        }
        vi stops = on & ((lanes & (int32_t)shut) != 0);
        wall = gy_select(stops, gy_min(t, gy_splat(1.0f)), wall);
        cross(&n, dim, axis);
    }
    gy_store(l->out + at, wall);
}

void GY_ASKED(gy_run_walls)(gy_sight *b)
{
    gy_legs *l = &b->legs;
    for (int q = 0; q < l->used; q += VW) {
        bool inner = b->around.fluid;
        for (int p = q; p < q + VW; p++) {
            inner = inner && l->inner[p];
        }
        if (inner && !gy_is_3d(b->grid->dim)) {
            find_walls(b, q, 2);
        } else if (inner) {
            find_walls(b, q, 3);
        }
        if (!inner) {
            lane n = lane_of(l, q, b->grid->dim);
            for (int p = 0; p < VW && q + p < l->used; p++) {
                l->out[q + p] = wall_by_cells(b, &n, q, p);
            }
        }
    }
    for (int q = 0; q < l->used; q++) {
        gy_segment *s = &b->list[l->owner[q]];
        if (l->out[q] < gy_never) {
            s->wall = GY_MIN(s->wall, l->start[q] + (double)l->out[q] * l->share[q]);
        }
    }
}

// ---- integrals

/// The samples of a piece: where the 2^dim are, from one to the next along each axis.
static void around_of(const gy_sight *b, gy_cutout *cutout, const int at[3], float q[8])
{
    const gy_source *s = &b->source;
    int to[3][2];
    if (s->direct && gy_source_cutout(s, at, cutout)) {
        const float *p =
            cutout->data + (at[0] - cutout->low[0]) + (at[1] - cutout->low[1]) * cutout->stride;
        memcpy(q, p, 2 * sizeof *p);
        memcpy(q + 2, p + cutout->stride, 2 * sizeof *p);
        return;
    }
    for (int a = 0; a < 3; a++) {
        int samples = s->view.n[a], n = b->grid->n[a];
        for (int up = 0; up < 2; up++) {
            int i = at[a] + up;
            to[a][up] = a >= b->grid->dim              ? 0
                        : b->around.periodic >> a & 1u ? gy_wrapped(i, n)
                                                       : GY_MIN(GY_MAX(i, 0), samples - 1);
        }
    }
    for (int c = 0; c < 4 * (b->grid->dim - 1); c++) {
        q[c] = gy_source_sample(s, (const int[3]){to[0][c & 1], to[1][c >> 1 & 1], to[2][c >> 2]});
    }
}

/// What a probe reads beside a sheet; false: none is near.
static bool read_beside(const gy_sight *b, const gy_segment *s, double t, float *value)
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

GY_INLINE vf mix(vf a, vf b, vf f)
{
    return a + f * (b - a);
}

GY_INLINE vf between(const vf q[8], const vf f[3], int dim)
{
    vf low = mix(mix(q[0], q[1], f[0]), mix(q[2], q[3], f[0]), f[1]);
    return !gy_is_3d(dim) ? low
                          : mix(low, mix(mix(q[4], q[5], f[0]), mix(q[6], q[7], f[0]), f[1]), f[2]);
}

/// The samples round one lane, straight from the model.
GY_INLINE void load_lane(const gy_sight *b, const lane *n, int at, int p, gy_cutout *cutout,
                         vf q[8])
{
    int cell[3] = {0};
    float is[8] = {0};
    for (int a = 0; a < b->grid->dim; a++) {
        cell[a] = b->legs.cell[a][at + p] + (int)(n->crossed[a][p] * n->way[a][p]);
    }
    around_of(b, cutout, cell, is);
    for (int c = 0; c < 4 * (b->grid->dim - 1); c++) {
        q[c][p] = is[c];
    }
}

/// Round all of them: near sides, and out of models without windows.
static void load_lanes(const gy_sight *b, const lane *n, int at, vf q[8])
{
    gy_cutout none = {0};
    for (int c = 0; c < 8; c++) {
        q[c] = gy_splat(0.0f);
    }
    for (int p = 0; p < VW && at + p < b->legs.used; p++) {
        load_lane(b, n, at, p, &none, q);
    }
}

/// Puts what is read beside sheets in the place of values.
static void put_beside(const gy_sight *b, int at, vf t, vf *value)
{
    const gy_legs *l = &b->legs;
    for (int p = 0; p < VW && at + p < l->used; p++) {
        float is;
        double when = l->start[at + p] + (double)t[p] * l->share[at + p];
        if (read_beside(b, &b->list[l->owner[at + p]], when, &is)) {
            (*value)[p] = is;
        }
    }
}

/// Where the lanes find their samples: (i, j) of low <= (i, j) < high together with its upper
/// neighbours at data + base + i + stride j.
typedef struct places {
    const float *data;
    vi base, low[2], high[2];
    int stride;
} places;

/// Notes what a lane has found, of one allocation. What is too far from the first is not noted.
GY_INLINE void put_place(places *p, int q, const gy_cutout *c)
{
    p->data = p->data ? p->data : c->data;
    p->stride = (int)c->stride;
    ptrdiff_t base = c->data - p->data;
    bool far = base > INT32_MAX / 2 || base < -INT32_MAX / 2;
    for (int a = 0; a < 2; a++) {
        p->low[a][q] = c->low[a];
        p->high[a][q] = far ? c->low[a] : c->high[a] - 1;
    }
    p->base[q] = far ? 0 : (int32_t)base - c->low[0] - p->stride * c->low[1];
}

/// The samples of models without windows: together those of lanes that have theirs in what they
/// have found before, then the others.
GY_INLINE void load_direct(const gy_sight *b, const lane *n, int at, places *p, vf q[8])
{
    vi cell[2], out = gy_splat_int(0);
    for (int a = 0; a < 2; a++) {
        cell[a] = load_int(b->legs.cell[a] + at) + gy_to_int(n->crossed[a] * n->way[a]);
        out |= (cell[a] < p->low[a]) | (cell[a] >= p->high[a]);
    }
    if (p->data) {
        vi place = (p->base + cell[0] + cell[1] * p->stride) & ~out;
        gy_gather_pair(p->data, place, &q[0], &q[1]);
        gy_gather_pair(p->data + p->stride, place, &q[2], &q[3]);
    }
    if (!gy_any(out)) {
        return;
    }
    for (int l = 0; l < VW && at + l < b->legs.used; l++) {
        if (out[l]) {
            gy_cutout cutout = {0};
            load_lane(b, n, at, l, &cutout, q);
            if (cutout.data) {
                put_place(p, l, &cutout);
            }
        }
    }
}

/// Where a group of legs has its samples: in a window, all of them; in cutouts; or one by one.
enum { BY_WINDOW, BY_CUTOUTS, ONE_BY_ONE };

GY_INLINE void integrate(gy_sight *b, int at, int dim, int how)
{
    static const float gauss = 0.57735026918962576f;
    gy_legs *l = &b->legs;
    lane n = lane_of(l, at, dim);
    places where = {.data = NULL};
    const gyre_field_view *v = &b->source.view;
    const ptrdiff_t sy = v->stride[1], sz = v->stride[2];
    vf t = gy_splat(0.0f), sum = gy_splat(0.0f), q[8] = {{0}};
    vi axis[3], place = gy_splat_int(0), step[3] = {{0}};
    for (int a = 0; a < dim && how == BY_WINDOW; a++) {
        place += load_int(l->cell[a] + at) * (int32_t)(a ? v->stride[a] : 1);
        step[a] = gy_to_int(n.way[a]) * (int32_t)(a ? v->stride[a] : 1);
    }
    while (gy_any((vi)(t < 1.0f))) {
        vf to = gy_max(gy_min(plane_of(&n, dim, axis), gy_splat(1.0f)), t), value[2];
        vf middle = 0.5f * (t + to), half = (0.5f * gauss) * (to - t);
        if (how == BY_WINDOW) {
            gy_gather_pair(v->data, place, &q[0], &q[1]);
            gy_gather_pair(v->data + sy, place, &q[2], &q[3]);
            if (gy_is_3d(dim)) {
                gy_gather_pair(v->data + sz, place, &q[4], &q[5]);
                gy_gather_pair(v->data + sz + sy, place, &q[6], &q[7]);
            }
        } else if (how == BY_CUTOUTS) {
            load_direct(b, &n, at, &where, q);
        } else {
            load_lanes(b, &n, at, q);
        }
        for (int g = 0; g < 2; g++) {
            vf f[3], when = g ? middle + half : middle - half;
            for (int a = 0; a < dim; a++) {
                f[a] = n.off[a] + (when * n.by[a] - n.crossed[a] * n.way[a]);
            }
            value[g] = between(q, f, dim);
            if (how != BY_WINDOW && b->around.beside) {
                put_beside(b, at, when, &value[g]);
            }
        }
        sum += (to - t) * (0.5f * value[0] + 0.5f * value[1]);
        for (int a = 0; a < dim; a++) {
            // A leg that has come to its end goes no further.
            axis[a] &= (vi)(to < 1.0f);
            place += axis[a] & step[a];
        }
        cross(&n, dim, axis);
        t = to;
    }
    gy_store(l->out + at, sum);
}

void GY_ASKED(gy_run_integrals)(gy_sight *b)
{
    gy_legs *l = &b->legs;
    int dim = b->grid->dim;
    for (int q = 0; q < l->used; q += VW) {
        bool window = !b->around.beside;
        for (int p = q; p < q + VW; p++) {
            window = window && l->inner[p];
        }
        if (window && !gy_is_3d(dim)) {
            integrate(b, q, 2, BY_WINDOW);
        } else if (window) {
            integrate(b, q, 3, BY_WINDOW);
        } else if (b->source.model->type->cutout && b->source.direct) {
            integrate(b, q, 2, BY_CUTOUTS);
        } else if (!gy_is_3d(dim)) {
            integrate(b, q, 2, ONE_BY_ONE);
        } else {
            integrate(b, q, 3, ONE_BY_ONE);
        }
    }
    for (int q = 0; q < l->used; q++) {
        b->list[l->owner[q]].sum += (double)l->out[q] * l->share[q];
    }
}
