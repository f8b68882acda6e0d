// gas/ops/trace.c: where the gas at each cell centre came from and where it goes, over one step.
//
// Midpoint rule (RK2): d- = -(dt/h) u(x - (dt/2h) u(x)), second order in dt, with u the linear
// interpolant of the face velocities. The forward displacement follows to the same order: d+ = d- +
// 2 (dt/h) u(x). Samples at faces later take the mean of the two centres beside them (relative
// error (k h)^2 / 8). Points stay inside the domain, and a path that meets a shut face ends at the
// centre before it, so that nothing is carried through a wall. Bytes per cell: reads 4 d, writes 8
// d.
#include "gas/ops/lanes.h"
#include "gas/ops/link_lanes.h"
#include "ops/row/row.h"
#include "ops/system/level.h"

typedef struct tracer {
    const gy_trace_args *a;
    const float *velocity[3];
    float *back[3], *forward[3];
    const uint8_t *near;
    gy_grid_level level;
    int n[3];
    int blocks;
    gy_net net; // near sheets
} tracer;

static uint16_t openness(const tracer *t, int axis, int i, int j, int k)
{
    return *gy_coefficient(&t->level, axis, i, j, k);
}

static int wrapped(const tracer *t, int axis, int i)
{
    if (t->a->periodic >> axis & 1u) {
        i %= t->n[axis];
        i += i < 0 ? t->n[axis] : 0;
    }
    return i;
}

/// Whether a face is one of the domain's own sides. reach() has ended paths there, walls and open
/// sides alike, so that they are not cut again.
static bool is_side(const tracer *t, int axis, int face)
{
    return !(t->a->periodic >> axis & 1u) && (face <= 0 || face >= t->n[axis]);
}

/// Whether the face ahead of a cell on a side ends paths at the centre before: where a side has
/// windows its other faces do.
static bool is_lid(const tracer *t, int axis, const int cell[3], bool up)
{
    int face[3] = {cell[0], cell[1], cell[2]};
    face[axis] += up;
    return (t->a->open_sides >> (8 + 2 * axis + up) & 1u) &&
           openness(t, axis, face[0], face[1], face[2]) == 0;
}

/// Where a path along one axis ends that a wall ahead stops: at the last centre, and a hair back,
/// so that the limiter looks at the samples on the gas's side of it, whichever way that is.
static float before_wall(int moved, float ahead)
{
    float hair = 0x1p-20f * (float)(1 + (moved < 0 ? -moved : moved));
    return ahead > 0.0f ? (float)moved - hair : (float)moved + hair;
}

/// Walks the cells along d from the centre of `cell` (Amanatides and Woo 1987) and cuts d short
/// before the first shut face.
static void clip(const tracer *t, int dim, const int cell[3], float d[3])
{
    int at[3] = {cell[0], cell[1], cell[2]}, moved[3] = {0, 0, 0};
    float next[3] = {2.0f, 2.0f, 2.0f}, pace[3] = {0, 0, 0};
    int left = 2;
    for (int a = 0; a < dim; a++) {
        float length = d[a] < 0.0f ? -d[a] : d[a];
        if (length > 0.5f) {
            pace[a] = 1.0f / length;
            next[a] = 0.5f * pace[a];
        }
        left += (int)length + 1;
    }
    // A component that never leaves the cell still must not lean towards a shut face.
    bool shut[3] = {false, false, false};
    for (; left > 0; left--) {
        int a = next[0] <= next[1] ? 0 : 1;
        if (gy_is_3d(dim) && next[2] < next[a]) {
            a = 2;
        }
        float time = next[a];
        if (time > 1.0f) {
            break;
        }
        int face[3] = {at[0], at[1], at[2]};
        if (is_side(t, a, at[a] + (d[a] > 0.0f))) {
            if (is_lid(t, a, at, d[a] > 0.0f)) {
                d[a] = before_wall(moved[a], d[a]);
                shut[a] = true;
            }
            next[a] = 2.0f;
            continue;
        }
        face[a] = wrapped(t, a, at[a] + (d[a] > 0.0f));
        if (openness(t, a, face[0], face[1], face[2]) == 0) {
            // Stop this axis at the last centre and let the others go on: the gas slides.
            d[a] = before_wall(moved[a], d[a]);
            shut[a] = true;
            next[a] = 2.0f;
            continue;
        }
        moved[a] += d[a] > 0.0f ? 1 : -1;
        at[a] = wrapped(t, a, at[a] + (d[a] > 0.0f ? 1 : -1));
        next[a] += pace[a];
    }
    for (int a = 0; a < dim; a++) {
        float rest = d[a] - (float)moved[a];
        if (shut[a] || rest == 0.0f) {
            continue;
        }
        if (is_side(t, a, at[a] + (rest > 0.0f))) {
            d[a] = is_lid(t, a, at, rest > 0.0f) ? before_wall(moved[a], rest) : d[a];
        } else {
            int face[3] = {at[0], at[1], at[2]};
            face[a] = wrapped(t, a, at[a] + (rest > 0.0f));
            if (openness(t, a, face[0], face[1], face[2]) == 0) {
                d[a] = before_wall(moved[a], rest);
            }
        }
    }
}

/// How many faces of a cell are open: 0: a solid one.
static int open_faces(const tracer *t, int dim, const int cell[3])
{
    int open = 0;
    for (int a = 0; a < dim; a++) {
        int upper[3] = {cell[0], cell[1], cell[2]};
        upper[a] = wrapped(t, a, cell[a] + 1);
        open += openness(t, a, cell[0], cell[1], cell[2]) != 0;
        open += openness(t, a, upper[0], upper[1], upper[2]) != 0;
    }
    return open;
}

/// Whether the paths of the lane at o, back and forth, end within its cell.
static bool stays(const tracer *t, int dim, ptrdiff_t o)
{
    bool within = true;
    for (int a = 0; a < dim; a++) {
        float back = t->back[a][o], forward = t->forward[a][o];
        within = within && back >= -0.5f && back <= 0.5f && forward >= -0.5f && forward <= 0.5f;
    }
    return within;
}

static GY_NOINLINE void clip_block(const tracer *t, int dim, int i0, int lanes, int j, int k,
                                   ptrdiff_t o)
{
    int end = GY_MIN(i0 + lanes, t->n[0]);
    const uint8_t *whole = gy_level_flags(&t->level, j, k);
    for (int i = i0; i < end; i++) {
        int cell[3] = {i, j, k};
        bool within = stays(t, dim, o + i - i0);
        // Nothing stops a path in a cell that is open on all sides.
        if (within && whole[i / (2 * GY_GROUP)]) {
            continue;
        }
        int open = open_faces(t, dim, cell);
        if (within && open == 2 * dim) {
            continue;
        }
        for (int way = 0; way < 2; way++) {
            float *const *field = way ? t->forward : t->back;
            float d[3] = {0, 0, 0};
            if (open > 0) {
                for (int a = 0; a < dim; a++) {
                    d[a] = field[a][o + i - i0];
                }
                clip(t, dim, cell, d);
            }
            for (int a = 0; a < dim; a++) {
                field[a][o + i - i0] = d[a];
            }
        }
    }
}

/// One component at the middle of the back-traced path of each lane.
GY_INLINE void middle(const tracer *t, int dim, int axis, float *const mid[3], int i0, int lanes,
                      int j, int k, ptrdiff_t o, float *out)
{
    gy_run_lanes r = {.source = t->velocity[axis] + o,
                      .sy = t->a->extent.sy,
                      .sz = t->a->extent.sz,
                      .lanes = lanes};
    gy_wrap w = {.periodic = t->a->periodic, .n = {t->n[0], t->n[1], t->n[2]}, .at = {i0, j, k}};
    float low[3], high[3];
    // A centre sits half a cell above its low face.
    for (int i = 0; i < lanes; i += VW) {
        gy_store(mid[axis] + i, gy_load(mid[axis] + i) + 0.5f);
    }
    for (int a = 0; a < dim; a++) {
        r.d[a] = mid[a];
    }
    gy_lane_range(dim, &r, low, high);
    gy_each_run(dim, &r, &w, low, high, gy_linear_fit, gy_linear_gather, out);
    for (int i = 0; i < lanes; i += VW) {
        gy_store(mid[axis] + i, gy_load(mid[axis] + i) - 0.5f);
    }
}

/// How far a lane may move along an axis: to half a cell beyond the outermost centres, or one
/// period.
GY_INLINE void reach(const tracer *t, int axis, int i, int j, int k, vf *low, vf *high)
{
    int n = t->n[axis];
    if (t->a->periodic >> axis & 1u) {
        *low = gy_splat((float)-n);
        *high = gy_splat((float)n);
    } else if (axis == 0) {
        vf x = gy_min(gy_to_float(gy_iota(i)), gy_splat((float)(n - 1)));
        *low = -0.5f - x;
        *high = ((float)n - 0.5f) - x;
    } else {
        float x = (float)(axis == 1 ? j : k);
        *low = gy_splat(-0.5f - x);
        *high = gy_splat((float)n - 0.5f - x);
    }
}

/// The same where air outside an open side is air: to a hair less than a cell beyond the outermost
/// centre.
GY_INLINE void reach_out(const tracer *t, int axis, int i, int j, int k, vf *low, vf *high)
{
    const float more = 0.5f - 0x1p-10f;
    reach(t, axis, i, j, k, low, high);
    *low -= t->a->open_sides >> (2 * axis) & 1u ? more : 0.0f;
    *high += t->a->open_sides >> (2 * axis + 1) & 1u ? more : 0.0f;
}

GY_INLINE void block_range(const tracer *t, int dim, ptrdiff_t o, int lanes, float *bounds)
{
    gy_run_lanes b = {.lanes = lanes}, f = {.lanes = lanes};
    for (int a = 0; a < dim; a++) {
        b.d[a] = t->back[a] + o;
        f.d[a] = t->forward[a] + o;
    }
    gy_lane_range(dim, &b, bounds, bounds + 3);
    gy_lane_range(dim, &f, bounds + 6, bounds + 9);
}

/// Whether any displacement is so long that it may jump over a solid outside the near blocks.
GY_INLINE bool far_reaching(int dim, const float *bounds)
{
    for (int a = 0; a < dim; a++) {
        for (int way = 0; way < 12; way += 6) {
            if (bounds[way + a] < -(float)(GY_NEAR - 1) ||
                bounds[way + 3 + a] > (float)(GY_NEAR - 1)) {
                return true;
            }
        }
    }
    return false;
}

static float between(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/// Makes the paths of a cell near sheets again.
static void trace_near(const tracer *t, int dim, const int c[3], ptrdiff_t o)
{
    const ptrdiff_t *step = t->net.step;
    float scale = t->a->scale, centre[3], low[3], high[3], d[3] = {0.0f, 0.0f, 0.0f}, least, most;
    float back[3], forward[3];
    gy_spot p = {.e = {c[0], c[1], c[2]}};
    for (int a = 0; a < dim; a++) {
        const float *u = t->velocity[a] + o;
        vf l, h;
        centre[a] = 0.5f * (u[0] + u[step[a]]);
        reach(t, a, c[0], c[1], c[2], &l, &h);
        d[a] = between(centre[a] * (-0.5f * scale), l[0], h[0]);
        reach_out(t, a, c[0], c[1], c[2], &l, &h);
        low[a] = l[0];
        high[a] = h[0];
        back[a] = t->back[a][o];
        forward[a] = t->forward[a][o];
    }
    int length = GY_MAX(gy_net_length(dim, d),
                        GY_MAX(gy_net_length(dim, back), gy_net_length(dim, forward)));
    if (t->net.away[gy_net_cell(&t->net, c)] > length) {
        return;
    }
    gy_net_walk(&t->net, d, &p);
    for (int a = 0; a < dim; a++) {
        float x = gy_net_read(&t->net, t->velocity[a], a, &p, &least, &most) * -scale;
        t->back[a][o] = between(x, low[a], high[a]);
        t->forward[a][o] = between(x + (2.0f * scale) * centre[a], low[a], high[a]);
    }
}

GY_INLINE vf between_lanes(vf x, vf low, vf high)
{
    return gy_select((vi)(x < low), low, gy_select((vi)(x > high), high, x));
}

/// The same of lanes at once, c being the first of them; returns those whose paths have to be made
/// one by one. away: how far each cell is, above GY_FAR_AWAY where it is not to be looked at.
GY_INLINE vi trace_near_lanes(const tracer *t, int dim, const int c[3], ptrdiff_t o, vi away)
{
    float scale = t->a->scale;
    int row = (int)gy_net_cell(&t->net, (const int[3]){0, c[1], c[2]});
    vf centre[3], low, high, d[3], longest = gy_splat(0.0f);
    for (int a = 0; a < dim; a++) {
        const float *u = t->velocity[a] + o;
        centre[a] = 0.5f * (gy_load(u) + gy_load(u + t->net.step[a]));
        reach(t, a, c[0], c[1], c[2], &low, &high);
        d[a] = between_lanes(centre[a] * (-0.5f * scale), low, high);
        vf back = gy_abs(gy_load(t->back[a] + o)), forward = gy_abs(gy_load(t->forward[a] + o));
        longest = gy_max(longest, gy_max(gy_abs(d[a]), gy_max(back, forward)));
    }
    // As whole numbers: away <= (int)(longest + 1/2), or any where that is far.
    vi wanted = (vi)(gy_to_float(away) <= longest + 0.5f) & (vi)(away <= GY_FAR_AWAY);
    if (!gy_any(wanted)) {
        return wanted;
    }
    vi x = gy_iota(c[0]) & wanted;
    gy_spots p = {.cell = x + row, .x = x, .y = c[1], .z = c[2]};
    p.place = x + (int)(c[1] * t->net.step[1] + c[2] * t->net.step[2]);
    vi slow = gy_spots_walk(&t->net, dim, wanted, &p, d);
    vi made = wanted & ~slow;
    for (int a = 0; a < dim; a++) {
        vf least, most,
            found = gy_spots_read(&t->net, dim, t->velocity[a], a, &p, d, &least, &most);
        vf back = found * -scale;
        float *to[2] = {t->back[a] + o, t->forward[a] + o};
        vf forward = back + (2.0f * scale) * centre[a];
        reach_out(t, a, c[0], c[1], c[2], &low, &high);
        gy_store(to[0], gy_select(made, between_lanes(back, low, high), gy_load(to[0])));
        gy_store(to[1], gy_select(made, between_lanes(forward, low, high), gy_load(to[1])));
    }
    return slow;
}

GY_INLINE void trace_near_block(const tracer *t, int dim, int reach, int i0, int j, int k,
                                ptrdiff_t o)
{
    int end = GY_MIN(i0 + GY_BLOCK, t->n[0]);
    const uint8_t *away = t->net.away + gy_net_cell(&t->net, (const int[3]){0, j, k});
    for (int i = i0; i < end; i += VW) {
        vi far = gy_splat_int(GY_FAR_AWAY + 1);
        for (int q = 0; q < VW && i + q < end; q++) {
            far[q] = away[i + q] <= reach ? away[i + q] : GY_FAR_AWAY + 1;
        }
        if (!gy_any((vi)(far <= GY_FAR_AWAY))) {
            continue;
        }
        vi slow = trace_near_lanes(t, dim, (const int[3]){i, j, k}, o + i - i0, far);
        for (int q = 0; gy_any(slow) && q < VW; q++) {
            if (slow[q]) {
                trace_near(t, dim, (const int[3]){i + q, j, k}, o + i + q - i0);
            }
        }
    }
}

static GY_NOINLINE void trace_near_block_2d(const tracer *t, int reach, int i0, int j, int k,
                                            ptrdiff_t o)
{
    trace_near_block(t, 2, reach, i0, j, k, o);
}
static GY_NOINLINE void trace_near_block_3d(const tracer *t, int reach, int i0, int j, int k,
                                            ptrdiff_t o)
{
    trace_near_block(t, 3, reach, i0, j, k, o);
}

GY_INLINE void trace_block(const tracer *t, int dim, int i0, int j, int k, ptrdiff_t o,
                           float *bounds)
{
    const gy_extent *e = &t->a->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    int lanes = GY_MIN(GY_BLOCK, gy_round_up(t->n[0], GY_LANES) - i0);
    float scale = t->a->scale;
    float centre[3][GY_BLOCK], mid[3][GY_BLOCK], found[GY_BLOCK];
    float *const mids[3] = {mid[0], mid[1], mid[2]};
    for (int a = 0; a < dim; a++) {
        const float *u = t->velocity[a] + o;
        for (int i = 0; i < lanes; i += VW) {
            vf low, high, c = 0.5f * (gy_load(u + i) + gy_load(u + i + step[a]));
            reach(t, a, i0 + i, j, k, &low, &high);
            gy_store(centre[a] + i, c);
            gy_store(mid[a] + i, gy_clamp(c * (-0.5f * scale), low, high));
        }
    }
    for (int a = 0; a < dim; a++) {
        middle(t, dim, a, mids, i0, lanes, j, k, o, found);
        float *back = t->back[a] + o, *forward = t->forward[a] + o;
        for (int i = 0; i < lanes; i += VW) {
            vf low, high, d = gy_load(found + i) * -scale;
            vf f = d + (2.0f * scale) * gy_load(centre[a] + i);
            reach_out(t, a, i0 + i, j, k, &low, &high);
            gy_store(back + i, gy_clamp(d, low, high));
            gy_store(forward + i, gy_clamp(f, low, high));
        }
    }
    block_range(t, dim, o, lanes, bounds);
    if (t->near && (far_reaching(dim, bounds) ||
                    t->near[((size_t)k * (size_t)t->n[1] + (size_t)j) * (size_t)t->blocks +
                            (size_t)(i0 / GY_BLOCK)])) {
        clip_block(t, dim, i0, lanes, j, k, o);
        block_range(t, dim, o, lanes, bounds);
    }
    if (!t->net.link) {
        return;
    }
    int most =
        GY_MAX(gy_net_reach(dim, bounds, bounds + 3), gy_net_reach(dim, bounds + 6, bounds + 9));
    if (gy_net_least(&t->net, i0 / GY_BLOCK, j, k) <= most) {
        (gy_is_3d(dim) ? trace_near_block_3d : trace_near_block_2d)(t, most, i0, j, k, o);
        block_range(t, dim, o, lanes, bounds);
    }
}

GY_INLINE void trace_rows(int dim, const gy_trace_args *a, const gy_box *box)
{
    const gy_extent *e = &a->extent;
    tracer t = {.a = a, .n = {e->n[0], e->n[1], e->n[2]}};
    t.blocks = (e->n[0] + GY_BLOCK - 1) / GY_BLOCK;
    for (int c = 0; c < dim; c++) {
        t.velocity[c] = gy_at(a->base, a->velocity[c]);
        t.back[c] = gy_at(a->base, a->back[c]);
        t.forward[c] = gy_at(a->base, a->forward[c]);
    }
    t.level = gy_grid_level_at(a->base, a->level);
    t.net = gy_net_make(a->links, e, a->periodic);
    t.near = a->near ? (const uint8_t *)(const void *)gy_at(a->base, a->near) : NULL;
    int32_t rule = a->periodic & 1u ? GY_EDGE_WRAP : GY_EDGE_COPY;
    const gy_edge edge = {.rule = {rule, rule}, .samples = e->n[0]};
    gy_edge inward = {.rule = {GY_EDGE_INWARD, GY_EDGE_INWARD}, .samples = e->n[0]};
    for (int end = 0; end < 2; end++) {
        inward.rule[end] = a->open_sides >> end & 1u ? GY_EDGE_COPY : GY_EDGE_INWARD;
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            float *bounds =
                gy_at(a->base, a->bounds) + ((ptrdiff_t)k * e->n[1] + j) * t.blocks * (ptrdiff_t)12;
            for (int i0 = 0; i0 < e->n[0]; i0 += GY_BLOCK, bounds += 12) {
                trace_block(&t, dim, i0, j, k, o + i0, bounds);
            }
            for (int c = 0; c < dim; c++) {
                const gy_edge *ends = c == 0 && rule == GY_EDGE_COPY ? &inward : &edge;
                gy_row_finish(t.back[c] + o, e->n[0], ends);
                gy_row_finish(t.forward[c] + o, e->n[0], ends);
            }
        }
    }
}

static GY_NOINLINE void trace_2d(const gy_trace_args *a, const gy_box *box)
{
    trace_rows(2, a, box);
}
static GY_NOINLINE void trace_3d(const gy_trace_args *a, const gy_box *box)
{
    trace_rows(3, a, box);
}

void GY_BODY(trace)(const void *args, const gy_box *box, int task)
{
    const gy_trace_args *a = args;
    (void)task;
    if (gy_is_3d(a->extent.dim)) {
        trace_3d(a, box);
    } else {
        trace_2d(a, box);
    }
}
