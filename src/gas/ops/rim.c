// gas/ops/rim.c: sides of the domain whose velocities are given. With u' the given velocity of a
// face on the side, n across the side and t along it,
//
//     u_n on the side = u'_n,    u_t half a cell beyond = 2 u'_t - u_t half a cell before,
//
// so that what is read on the side itself is what is given there. Viscosity sees the same two: b +=
// u'_n at the faces next to the side, b += 2 u'_t where the gas sticks. Cost: that of the faces of
// the sides.
#include "ops/row/row.h"
#include "ops/system/level.h"

#include "gas/ops/args.h"

/// A side's faces, as planes have them.
typedef struct rim_place {
    const gy_rim *rim;
    float *first;
    ptrdiff_t step; // from plane to plane
    int side, axis, along[2], n[2];
    int dim, edge; // edge: the sample on the side, along its axis
    uint32_t periodic;
} rim_place;

static rim_place place_make(uint64_t base, uint32_t rims, int side, const gy_extent *e,
                            uint32_t periodic)
{
    rim_place p = {.side = side, .axis = side / 2, .dim = e->dim, .periodic = periodic};
    p.rim = (const gy_rim *)(const void *)gy_at(base, rims) + side;
    p.first = gy_at(base, p.rim->first);
    p.step = (ptrdiff_t)p.rim->step * 64 / (ptrdiff_t)sizeof(float);
    p.along[0] = p.axis == 0 ? 1 : 0;
    p.along[1] = p.axis == 2 ? 1 : 2;
    p.n[0] = e->n[p.along[0]];
    p.n[1] = gy_is_3d(e->dim) ? e->n[p.along[1]] : 1;
    p.edge = (side & 1) ? e->n[p.axis] : 0;
    return p;
}

/// An index along the side, of a face that there is.
static int held_to(const rim_place *p, int q, int i)
{
    int n = p->n[q];
    if (p->periodic >> p->along[q] & 1u) {
        return (i % n + n) % n;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static bool is_given(const rim_place *p, int a, int b)
{
    return p->first[held_to(p, 0, a) + held_to(p, 1, b) * p->n[0]] != 0.0f;
}

/// What is given of component c at face (a, b), `next`: what will be.
static float *given_at(const rim_place *p, int c, bool next, int a, int b)
{
    ptrdiff_t plane = 1 + c + (next ? p->dim : 0);
    return p->first + plane * p->step + held_to(p, 0, a) + held_to(p, 1, b) * p->n[0];
}

/// The same at a sample of it: along the side a component lies between two faces. False: nothing.
static bool sample_given(const rim_place *p, int c, bool next, int a, int b, float *value)
{
    if (c == p->axis) {
        *value = *given_at(p, c, next, a, b);
        return is_given(p, a, b);
    }
    int da = c == p->along[0], db = c == p->along[1];
    *value = 0.5f * (*given_at(p, c, next, a, b) + *given_at(p, c, next, a - da, b - db));
    return is_given(p, a, b) && is_given(p, a - da, b - db);
}

/// Whether a face passes nothing: a side with windows is live where it is shut, too.
static bool is_lid(const rim_place *p, int a, int b)
{
    return p->rim->windows && !is_given(p, a, b) &&
           p->first[(ptrdiff_t)p->rim->windows * p->step + held_to(p, 0, a) +
                    held_to(p, 1, b) * p->n[0]] <= 0.0f;
}

/// The same as sample_given, lids being given 0 across the side.
static bool sample_held(const rim_place *p, int c, int a, int b, float *value)
{
    if (sample_given(p, c, false, a, b, value)) {
        return true;
    }
    *value = 0.0f;
    return c == p->axis && is_lid(p, a, b);
}

/// Row j of plane k of a field along a side across x.
static void rim_x(const rim_place *p, int c, float *row, int n, int j, int k)
{
    float value;
    bool high = p->side & 1;
    if (!sample_held(p, c, j, k, &value)) {
        return;
    }
    float beyond = c == 0 ? value : 2.0f * value - row[high ? n - 1 : 0];
    if (c == 0 && !high) {
        row[0] = value;
    }
    int end = gy_round_up(n, GY_LANES) + GY_PAD / 2;
    for (int i = high ? n : -(GY_PAD / 2); i < (high ? end : 0); i++) {
        row[i] = beyond;
    }
}

/// A row along x of a field on a side across y or z, at b along the other axis.
static void rim_row(const rim_place *p, int c, float *field, const gy_extent *e, int b,
                    const gy_edge *edge)
{
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    ptrdiff_t o = gy_is_3d(p->dim) ? b * step[p->along[1]] : 0;
    float *on = field + o + p->edge * step[p->axis];
    float *beyond = (p->side & 1) ? on : on - step[p->axis];
    const float *nearest = (p->side & 1) ? on - step[p->axis] : on;
    for (int i = 0; i < e->n[0]; i++) {
        float value;
        if (sample_held(p, c, i, b, &value)) {
            beyond[i] = c == p->axis ? value : 2.0f * value - nearest[i];
            if (c == p->axis) {
                on[i] = value;
            }
        }
    }
    gy_row_finish(beyond, e->n[0], edge);
    if (c == p->axis) {
        gy_row_finish(on, e->n[0], edge);
    }
}

void GY_BODY(rim)(const void *args, const gy_box *box, int task)
{
    const gy_rim_args *a = args;
    const gy_extent *e = &a->extent;
    const gy_field *fields = (const void *)gy_at(a->base, a->fields);
    rim_place p = place_make(a->base, a->rims, a->side, e, a->periodic);
    (void)box, (void)task;
    for (int c = 0; c < p.dim && a->turn; c++) {
        memcpy(given_at(&p, c, false, 0, 0), given_at(&p, c, true, 0, 0),
               (size_t)p.n[0] * (size_t)p.n[1] * sizeof(float));
    }
    for (int q = a->first; q < a->first + a->count; q++) {
        float *field = gy_at(a->base, a->predicted ? fields[q].predicted : fields[q].now);
        int c = fields[q].location - (int)GYRE_FACE_X;
        if (c < 0 || c >= p.dim || (c != p.axis && !p.rim->stick)) {
            continue;
        }
        // Across z the rows beyond the others' ends, too: their halos are filled by then.
        int more = p.axis == 2;
        for (int b = p.axis == 0 ? 0 : -more; b < p.n[1] + (p.axis == 0 ? 0 : more); b++) {
            for (int j = 0; j < p.n[0] && p.axis == 0; j++) {
                rim_x(&p, c, field + (ptrdiff_t)j * e->sy + (ptrdiff_t)b * e->sz, e->n[0], j, b);
            }
            if (p.axis > 0) {
                rim_row(&p, c, field, e, b, &fields[q].edge[0]);
            }
        }
    }
}

void GY_BODY(press)(const void *args, const gy_box *box, int task)
{
    const gy_press_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    rim_place p = place_make(a->base, a->rims, a->side, &a->extent, a->periodic);
    bool high = a->side & 1, across = p.axis == a->axis;
    int n = a->extent.n[p.axis], cell = high ? n - 1 : across ? 1 : 0;
    (void)box, (void)task;
    if (cell >= n || (!across && !p.rim->stick)) {
        return;
    }
    for (int v = 0; v < p.n[1]; v++) {
        for (int u = 0; u < p.n[0]; u++) {
            int at[3] = {0, 0, 0};
            float value;
            at[p.axis] = cell;
            at[p.along[0]] = u;
            at[p.along[1]] = gy_is_3d(p.dim) ? v : 0;
            int colour = (at[0] + at[1] + at[2]) & 1;
            ptrdiff_t o = gy_level_row(g.l, at[1], at[2]) + (at[0] >> 1);
            if (!g.pin[colour][o] && sample_given(&p, a->axis, a->next, u, v, &value)) {
                at[p.axis] += high;
                float open = (float)*gy_coefficient(&g, p.axis, at[0], at[1], at[2]);
                g.b[colour][o] += open * (1.0f / GY_UNIT) * g.l->scale[p.axis] * value;
            }
        }
    }
}

/// What a wind brings through a side of a scalar, in cells' faces.
static double side_sum(const gy_came_args *a, const rim_place *p, int scalar, double sum)
{
    const ptrdiff_t step[3] = {1, a->extent.sy, a->extent.sz};
    const float *wind = gy_at(a->base, a->wind[p->axis]) + p->edge * step[p->axis];
    const float *plane = p->first + (1 + 2 * p->dim + scalar) * p->step;
    for (int v = 0; v < p->n[1]; v++) {
        for (int u = 0; u < p->n[0]; u++) {
            ptrdiff_t face = u + (ptrdiff_t)v * p->n[0];
            double in = (double)wind[u * step[p->along[0]] + v * step[p->along[1]]];
            in = (p->side & 1) ? -in : in;
            sum += p->first[face] != 0.0f && in > 0.0 ? in * (double)plane[face] : 0.0;
        }
    }
    return sum;
}

void GY_BODY(came)(const void *args, const gy_box *box, int task)
{
    const gy_came_args *a = args;
    const gy_carriage *c = (const gy_carriage *)(const void *)gy_at(a->base, a->carriage);
    double *came = (double *)(void *)gy_at(a->base, a->came);
    double scale = (double)c->scale * (double)c->count;
    (void)box, (void)task;
    for (int s = 0; s < a->scalars; s++) {
        double sum = 0.0;
        for (int side = 0; side < 2 * a->extent.dim; side++) {
            if (a->given >> side & 1u) {
                rim_place p = place_make(a->base, a->rims, side, &a->extent, a->periodic);
                sum = side_sum(a, &p, s, sum);
            }
        }
        came[s] += scale * sum;
    }
}
