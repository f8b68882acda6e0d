// gas/ops/confine.c: vorticity confinement (J. Steinhoff and D. Underhill, Phys. Fluids 6, 2738,
// 1994; R. Fedkiw, J. Stam and H. W. Jensen, SIGGRAPH 2001):
//
//     f = v N x w,   N = G / (|G| + W / size),   w = curl u,   G = grad W,
//
// W being |w| spread by a Gauss curve of a deviation of size / 4.
//
// In the plane dw/dt = -div(v N w): vorticity is drawn up its own slope at the speed v, and none is
// made. v and size are of the world, where the paper has epsilon h: the force of a flow that the
// grid resolves does not depend on the cells. size keeps N even where |w| is at its greatest:
// whirls wider than that are drawn together less. Without the spread the smallest waves along a
// whirl's rim would grow fastest, as 1/h^2; with it they do not grow. It is made of steps of 1, 2,
// 4, ... cells (a trous: M. Holschneider et al., 1989), none through a shut face.
//
// Vorticity lies on the edges of cells, |w| in cells (the root of the mean square of each
// component's edges), f on faces. An edge beside a face that is shut, or on a side, has none, and
// is left out of means; where a face is shut |w| has no slope across it. What stands here of w is
// times h. Runs: 4 dim bytes a cell read and 4 (3D: 12) written; those read and 4 written; for each
// step and axis 4 and 4; both read and 4 dim written.
#include "base/maths.h"
#include "gas/ops/drive.h"
#include "ops/row/body.h"

/// What all rows share.
typedef struct confiner {
    const gy_confine_args *a;
    gy_grid_level g;
    const float *u[3];
    float *array, *edge[3], *size, *push[3]; // edge: of each axis that there is one along
    ptrdiff_t step[3];
    int n[3], dim;
} confiner;

/// Of a step of a spread.
GY_INLINE int axis_of(const gy_confine_args *a)
{
    return a->way & 3;
}
GY_INLINE int reach_of(const gy_confine_args *a)
{
    return a->way >> 2;
}

static confiner begin(const gy_confine_args *a)
{
    confiner c = {.a = a,
                  .g = gy_grid_level_at(a->base, a->level),
                  .step = {1, a->extent.sy, a->extent.sz},
                  .dim = a->extent.dim};
    float *array = (float *)(uintptr_t)a->arrays;
    memcpy(c.n, a->extent.n, sizeof c.n);
    c.array = array;
    int edges = gy_is_3d(c.dim) ? 3 : 1;
    for (int q = 0; q < edges; q++) {
        c.edge[gy_is_3d(c.dim) ? q : 2] = array + (ptrdiff_t)q * (ptrdiff_t)a->stride;
    }
    c.size = array + (ptrdiff_t)edges * (ptrdiff_t)a->stride;
    for (int q = 0; q < c.dim; q++) {
        c.u[q] = gy_at(a->base, a->velocity[q]);
        c.push[q] = array + (ptrdiff_t)(edges + 1 + q) * (ptrdiff_t)a->stride;
    }
    return c;
}

GY_INLINE ptrdiff_t offset(const confiner *c, const int at[3])
{
    return at[0] + at[1] * c->step[1] + at[2] * c->step[2];
}

/// A place within the grid: round periodic axes.
GY_INLINE void wrap(const confiner *c, int at[3])
{
    for (int q = 0; q < c->dim; q++) {
        if (c->g.l->periodic >> q & 1u) {
            at[q] = at[q] < 0 ? at[q] + c->n[q] : at[q] >= c->n[q] ? at[q] - c->n[q] : at[q];
        }
    }
}

/// Whether gas passes the lower face across `axis`; none does on a side.
static inline bool is_open(const confiner *c, int axis, int i, int j, int k)
{
    int at[3] = {i, j, k};
    bool side = false;
    for (int q = 0; q < c->dim; q++) {
        bool inside = (unsigned)at[q] < (unsigned)c->n[q] && (q != axis || at[q] > 0);
        side = side || !(inside || (c->g.l->periodic >> q & 1u));
    }
    if (side || c->g.l->whole) {
        return !side;
    }
    wrap(c, at);
    return *gy_coefficient(&c->g, axis, at[0], at[1], at[2]) != 0;
}

/// Whether the edge along `axis` has all four faces round it.
static inline bool is_whole(const confiner *c, int axis, const int p[3])
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    if (c->g.l->whole) {
        // No side is next to it.
        bool inside = true;
        for (int q = 0; q < c->dim; q++) {
            bool own = p[q] < c->n[q] && p[q] >= (q != axis);
            inside = inside && (own || (c->g.l->periodic >> q & 1u));
        }
        return inside;
    }
    int below[3] = {p[0] - (b == 0), p[1] - (b == 1), p[2] - (b == 2)};
    int before[3] = {p[0] - (d == 0), p[1] - (d == 1), p[2] - (d == 2)};
    return is_open(c, b, p[0], p[1], p[2]) && is_open(c, d, p[0], p[1], p[2]) &&
           is_open(c, d, below[0], below[1], below[2]) &&
           is_open(c, b, before[0], before[1], before[2]);
}

/// Whether every face of sixteen cells from i0 on, and of those round them, is open: then all are
/// alike. Round them: as far as a spread reaches along its axis, else one cell along each.
static bool is_even(const confiner *c, int i0, int j, int k)
{
    const gy_level *l = c->g.l;
    bool spread = c->a->stage == GY_CONFINE_EVEN;
    int r[3] = {1, 1, gy_is_3d(c->dim) ? 1 : 0};
    for (int q = 0; q < 3 && spread; q++) {
        r[q] = q == axis_of(c->a) ? reach_of(c->a) : 0;
    }
    if (i0 < r[0] || i0 + GY_LANES + r[0] > c->n[0] || j < r[1] || j + r[1] >= c->n[1] ||
        k < r[2] || k + r[2] >= c->n[2]) {
        return false;
    }
    int first = (i0 - r[0]) / (2 * GY_GROUP), last = (i0 + GY_LANES - 1 + r[0]) / (2 * GY_GROUP);
    for (int z = k - r[2]; z <= k + r[2] && !l->whole; z++) {
        for (int y = j - r[1]; y <= j + r[1]; y++) {
            const uint8_t *flags = gy_level_flags(&c->g, y, z);
            for (int group = first; group <= last; group++) {
                if (!flags[group]) {
                    return false;
                }
            }
        }
    }
    return true;
}

// ---- vorticity

GY_INLINE float velocity_at(const confiner *c, int axis, int i, int j, int k)
{
    int at[3] = {i, j, k};
    wrap(c, at);
    ptrdiff_t o = offset(c, at);
    float u = c->u[axis][o];
    return c->a->part != 0.0f ? u + c->a->part * c->push[axis][o] : u;
}

static void curl_one(const confiner *c, int axis, const int p[3])
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    float w = 0.0f;
    if (is_whole(c, axis, p)) {
        int i = p[0], j = p[1], k = p[2];
        w = (velocity_at(c, d, i, j, k) -
             velocity_at(c, d, i - (b == 0), j - (b == 1), k - (b == 2))) -
            (velocity_at(c, b, i, j, k) -
             velocity_at(c, b, i - (d == 0), j - (d == 1), k - (d == 2)));
    }
    c->edge[axis][offset(c, p)] = w;
}

GY_INLINE vf ahead_at(const confiner *c, int axis, ptrdiff_t o)
{
    vf u = gy_load(c->u[axis] + o);
    return c->a->part != 0.0f ? u + c->a->part * gy_load(c->push[axis] + o) : u;
}

GY_INLINE void curl_lanes(const confiner *c, int axis, ptrdiff_t o)
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    for (int i = 0; i < GY_LANES; i += VW, o += VW) {
        vf w = (ahead_at(c, d, o) - ahead_at(c, d, o - c->step[b])) -
               (ahead_at(c, b, o) - ahead_at(c, b, o - c->step[d]));
        gy_store(c->edge[axis] + o, w);
    }
}

// ---- its magnitude

/// The mean square of a cell's edges along `axis`.
static float square_one(const confiner *c, int axis, const int p[3])
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3, count = 0;
    float s[4];
    for (int q = 0; q < 4; q++) {
        int at[3] = {p[0], p[1], p[2]};
        at[b] += q & 1;
        at[d] += q >> 1;
        float w = c->edge[axis][offset(c, at)];
        s[q] = w * w;
        count += is_whole(c, axis, at);
    }
    float sum = (s[0] + s[1]) + (s[2] + s[3]);
    return count > 0 ? sum / (float)count : 0.0f;
}

static void size_one(const confiner *c, const int p[3])
{
    float sum = square_one(c, 2, p);
    if (gy_is_3d(c->dim)) {
        sum += square_one(c, 0, p) + square_one(c, 1, p);
    }
    c->size[offset(c, p)] = gy_sqrtf(sum);
}

GY_INLINE vf square_lanes(const confiner *c, int axis, ptrdiff_t o)
{
    ptrdiff_t b = c->step[(axis + 1) % 3], d = c->step[(axis + 2) % 3];
    const float *e = c->edge[axis] + o;
    vf x = gy_load(e), y = gy_load(e + b), z = gy_load(e + d), w = gy_load(e + b + d);
    return 0.25f * ((x * x + y * y) + (z * z + w * w));
}

GY_INLINE vf root_of(vf x)
{
    float s[VW];
    gy_store(s, x);
    for (int l = 0; l < VW; l++) {
        s[l] = __builtin_sqrtf(s[l]);
    }
    return gy_load(s);
}

GY_INLINE void size_lanes(const confiner *c, int dim, ptrdiff_t o)
{
    for (int i = 0; i < GY_LANES; i += VW, o += VW) {
        vf sum = square_lanes(c, 2, o);
        if (gy_is_3d(dim)) {
            sum += square_lanes(c, 0, o) + square_lanes(c, 1, o);
        }
        gy_store(c->size + o, root_of(sum));
    }
}

// ---- spread

/// Whether nothing is shut on the way from a cell to one so far up (`way` 1) or down (-1).
static bool is_reached(const confiner *c, int axis, const int p[3], int way, int reach)
{
    bool reached = true;
    if (c->g.l->whole) {
        int end = p[axis] + way * reach;
        return (end >= 0 && end < c->n[axis]) || (c->g.l->periodic >> axis & 1u);
    }
    for (int s = 1; s <= reach && reached; s++) {
        int at[3] = {p[0], p[1], p[2]};
        at[axis] += way > 0 ? s : 1 - s;
        reached = is_open(c, axis, at[0], at[1], at[2]);
    }
    return reached;
}

static void spread_one(const confiner *c, const int p[3])
{
    const gy_confine_args *a = c->a;
    const float *from = c->array + (ptrdiff_t)a->from * (ptrdiff_t)a->stride;
    float x = from[offset(c, p)], part[2] = {0.0f, 0.0f};
    for (int q = 0; q < 2; q++) {
        int at[3] = {p[0], p[1], p[2]};
        at[axis_of(a)] += q ? reach_of(a) : -reach_of(a);
        if (is_reached(c, axis_of(a), p, q ? 1 : -1, reach_of(a))) {
            wrap(c, at);
            part[q] = from[offset(c, at)] - x;
        }
    }
    c->array[(ptrdiff_t)a->to * (ptrdiff_t)a->stride + offset(c, p)] =
        x + a->part * (part[0] + part[1]);
}

GY_INLINE void spread_lanes(const confiner *c, ptrdiff_t o)
{
    const gy_confine_args *a = c->a;
    const float *from = c->array + (ptrdiff_t)a->from * (ptrdiff_t)a->stride + o;
    float *to = c->array + (ptrdiff_t)a->to * (ptrdiff_t)a->stride + o;
    ptrdiff_t far = reach_of(a) * c->step[axis_of(a)];
    for (int i = 0; i < GY_LANES; i += VW) {
        vf x = gy_load(from + i);
        vf part = (gy_load(from + i - far) - x) + (gy_load(from + i + far) - x);
        gy_store(to + i, x + a->part * part);
    }
}

// ---- the push

/// By how much |w| grows along an axis, from a cell and the one below the face.
static float slope_one(const confiner *c, int axis, int along, const int p[3])
{
    float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    int count = 0;
    for (int q = 0; q < 4; q++) {
        int high[3] = {p[0], p[1], p[2]};
        high[axis] -= q >> 1;
        high[along] += q & 1;
        if (is_open(c, along, high[0], high[1], high[2])) {
            int low[3] = {high[0], high[1], high[2]};
            low[along]--;
            wrap(c, high);
            wrap(c, low);
            d[q] = c->size[offset(c, high)] - c->size[offset(c, low)];
            count++;
        }
    }
    float sum = (d[0] + d[1]) + (d[2] + d[3]);
    return count > 0 ? sum / (float)count : 0.0f;
}

/// The vorticity along `along` at a face, from its two edges.
static float turn_one(const confiner *c, int along, int to, const int p[3])
{
    int other[3] = {p[0] + (to == 0), p[1] + (to == 1), p[2] + (to == 2)};
    bool low = is_whole(c, along, p), high = is_whole(c, along, other);
    float sum = c->edge[along][offset(c, p)] + c->edge[along][offset(c, other)];
    return low && high ? 0.5f * sum : sum;
}

/// What of a face the force's shape covers.
static float cover_of(const confiner *c, int axis, const int p[3])
{
    const gy_confine_args *a = c->a;
    gy_drive_args d = {.axis = axis, .extent = a->extent, .h = a->h};
    memcpy(d.origin, a->origin, sizeof d.origin);
    const gy_force *f = (const gy_force *)(uintptr_t)a->force;
    return gy_drive_cover(&d, f, &c->g, p[0], p[1], p[2]);
}

static float push_one(const confiner *c, int axis, const int p[3])
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    if (!is_open(c, axis, p[0], p[1], p[2])) {
        return 0.0f;
    }
    float covered = cover_of(c, axis, p);
    if (!(covered > 0.0f)) {
        return 0.0f;
    }
    int low[3] = {p[0] - (axis == 0), p[1] - (axis == 1), p[2] - (axis == 2)};
    int own[3] = {p[0], p[1], p[2]};
    wrap(c, own);
    wrap(c, low);
    float here = c->size[offset(c, own)], there = c->size[offset(c, low)];
    float gb = 0.0f, gd = 0.0f, wb = 0.0f, wd = 0.0f, ga = here - there;
    if (b < c->dim) {
        gb = slope_one(c, axis, b, p);
        wd = turn_one(c, d, b, p);
    }
    if (d < c->dim) {
        gd = slope_one(c, axis, d, p);
        wb = turn_one(c, b, d, p);
    }
    float length = gy_sqrtf(ga * ga + (gb * gb + gd * gd)) + c->a->even * (0.5f * (here + there));
    return length > 1e-20f ? covered * (c->a->rate * (gb * wd - gd * wb) / length) : 0.0f;
}

GY_INLINE vf slope_lanes(const confiner *c, ptrdiff_t low, ptrdiff_t along, ptrdiff_t o)
{
    const float *s = c->size + o, *t = s - low;
    vf x = gy_load(s), y = gy_load(t);
    vf up = gy_load(s + along) - x, down = x - gy_load(s - along);
    vf u = gy_load(t + along) - y, v = y - gy_load(t - along);
    return 0.25f * ((down + up) + (v + u));
}

GY_INLINE vf turn_lanes(const confiner *c, int along, int to, ptrdiff_t o)
{
    return 0.5f * (gy_load(c->edge[along] + o) + gy_load(c->edge[along] + o + c->step[to]));
}

GY_INLINE void push_lanes(const confiner *c, int dim, int axis, ptrdiff_t o)
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    for (int i = 0; i < GY_LANES; i += VW, o += VW) {
        vf here = gy_load(c->size + o), there = gy_load(c->size + o - c->step[axis]);
        vf ga = here - there, zero = gy_splat(0.0f), gb = zero, gd = zero, wb = zero, wd = zero;
        if (b < dim) {
            gb = slope_lanes(c, c->step[axis], c->step[b], o);
            wd = turn_lanes(c, d, b, o);
        }
        if (d < dim) {
            gd = slope_lanes(c, c->step[axis], c->step[d], o);
            wb = turn_lanes(c, b, d, o);
        }
        vf length = root_of(ga * ga + (gb * gb + gd * gd)) + c->a->even * (0.5f * (here + there));
        vf f = c->a->rate * (gb * wd - gd * wb) / gy_max(length, gy_splat(1e-20f));
        gy_store(c->push[axis] + o, (vf)((vi)f & (vi)(length > 1e-20f)));
    }
}

/// Of sixteen faces what the shape covers.
static GY_NOINLINE void cover_lanes(const confiner *c, const int at[3])
{
    for (int axis = 0; axis < c->dim; axis++) {
        float *push = c->push[axis] + offset(c, at);
        for (int l = 0; l < GY_LANES; l++) {
            const int p[3] = {at[0] + l, at[1], at[2]};
            float covered = push[l] != 0.0f ? cover_of(c, axis, p) : 0.0f;
            push[l] = covered > 0.0f ? covered * push[l] : 0.0f;
        }
    }
}

// ---- rows

/// Samples i0 to `end` of a row, one by one.
static GY_NOINLINE void each_one(const confiner *c, int i0, int end, int j, int k)
{
    for (int i = i0; i < end; i++) {
        const int p[3] = {i, j, k};
        bool cell = i < c->n[0] && j < c->n[1] && k < c->n[2];
        if (c->a->stage == GY_CONFINE_CURL) {
            for (int axis = gy_is_3d(c->dim) ? 0 : 2; axis < 3; axis++) {
                curl_one(c, axis, p);
            }
        } else if (c->a->stage == GY_CONFINE_SIZE) {
            if (cell) {
                size_one(c, p);
            }
        } else if (c->a->stage == GY_CONFINE_EVEN) {
            if (cell) {
                spread_one(c, p);
            }
        } else {
            for (int axis = 0; axis < c->dim; axis++) {
                c->push[axis][offset(c, p)] = push_one(c, axis, p);
            }
        }
    }
}

/// Sixteen of them that are even.
GY_INLINE void lanes(const confiner *c, int dim, ptrdiff_t o)
{
    if (c->a->stage == GY_CONFINE_CURL) {
        for (int axis = gy_is_3d(dim) ? 0 : 2; axis < 3; axis++) {
            curl_lanes(c, axis, o);
        }
    } else if (c->a->stage == GY_CONFINE_SIZE) {
        size_lanes(c, dim, o);
    } else if (c->a->stage == GY_CONFINE_EVEN) {
        spread_lanes(c, o);
    } else {
        push_lanes(c, dim, 0, o);
        push_lanes(c, dim, 1, o);
        if (gy_is_3d(dim)) {
            push_lanes(c, dim, 2, o);
        }
    }
}

static GY_NOINLINE void row_2d(const confiner *c, ptrdiff_t o)
{
    lanes(c, 2, o);
}
static GY_NOINLINE void row_3d(const confiner *c, ptrdiff_t o)
{
    lanes(c, 3, o);
}

// ---- whole rows where no solid is: by lanes to their ends, whatever sides are next to them

/// Along y or z: whether there is gas below and above a row's cells, and how far it is to them.
typedef struct beside {
    bool low, high;
    ptrdiff_t down, up; // to the row below and above
} beside;

static beside look(const confiner *c, int axis, int at)
{
    bool wraps = c->g.l->periodic >> axis & 1u;
    int n = c->n[axis];
    beside b = {wraps || at > 0, wraps || at < n - 1, -c->step[axis], c->step[axis]};
    b.down = wraps && at == 0 ? (n - 1) * c->step[axis] : b.down;
    b.up = wraps && at >= n - 1 ? (at - n + 1 > 0 ? 1 : -(n - 1)) * c->step[axis] : b.up;
    return b;
}

/// Lanes from i on of what all but the first and the last of a row have, and those two.
GY_INLINE vf ends(int i, int n, float inner, float first, float last)
{
    vi at = gy_iota(i);
    vf x = gy_select((vi)(at == 0), gy_splat(first), gy_splat(inner));
    return gy_select((vi)(at == n - 1), gy_splat(last), x);
}

GY_INLINE bool wraps_x(const confiner *c)
{
    return c->g.l->periodic & 1u;
}

/// The edges along an axis in a row.
GY_INLINE void curl_row(const confiner *c, int axis, int j, int k)
{
    const int p[3] = {0, j, k};
    int b = (axis + 1) % 3, d = (axis + 2) % 3, n = c->n[0];
    float *to = c->edge[axis] + offset(c, p);
    bool whole = true;
    for (int q = 1; q < c->dim; q++) {
        bool own = p[q] < c->n[q] && p[q] >= (q != axis);
        whole = whole && (own || (c->g.l->periodic >> q & 1u));
    }
    if (!whole) {
        memset(to, 0, (size_t)(n + 1) * sizeof *to);
        return;
    }
    // Velocities round the ends of periodic axes.
    int here[3] = {0, j, k};
    wrap(c, here);
    ptrdiff_t o = offset(c, here), back_b = b == 0 ? -1 : 0, back_d = d == 0 ? -1 : 0;
    for (int q = 1; q < c->dim; q++) {
        ptrdiff_t back = here[q] > 0 ? -c->step[q] : (c->n[q] - 1) * c->step[q];
        back_b = b == q ? back : back_b;
        back_d = d == q ? back : back_d;
    }
    for (int i = 0; i < n; i += GY_LANES) {
        int start = GY_MIN(i, n - GY_LANES);
        for (int l = start; l < start + GY_LANES; l += VW) {
            vf w = (ahead_at(c, d, o + l) - ahead_at(c, d, o + l + back_b)) -
                   (ahead_at(c, b, o + l) - ahead_at(c, b, o + l + back_d));
            gy_store(to + l, w);
        }
    }
    for (int i = 0; i <= n; i += n) {
        const int at[3] = {i, j, k};
        if (wraps_x(c)) {
            curl_one(c, axis, at);
        } else if (axis != 0 || i == n) {
            to[i] = 0.0f;
        }
    }
}

/// One over how many of a cell's edges count, of two along an axis across them.
GY_INLINE float share_of(const beside *b)
{
    return b->low && b->high ? 0.5f : b->low || b->high ? 1.0f : 0.0f;
}

GY_INLINE void size_row(const confiner *c, int dim, int j, int k)
{
    const int p[3] = {0, j, k};
    ptrdiff_t o = offset(c, p);
    beside y = look(c, 1, j), z = gy_is_3d(dim) ? look(c, 2, k) : y;
    int n = c->n[0];
    float by_y = share_of(&y), by_z = share_of(&z), end = wraps_x(c) ? 0.5f : 1.0f;
    for (int i = 0; i < n; i += GY_LANES) {
        int start = GY_MIN(i, n - GY_LANES);
        for (int l = start; l < start + GY_LANES; l += VW) {
            vf by_x = ends(l, n, 0.5f, end, end);
            vf sum = (4.0f * by_y) * by_x * square_lanes(c, 2, o + l);
            if (gy_is_3d(dim)) {
                sum += (4.0f * by_y * by_z) * square_lanes(c, 0, o + l) +
                       (4.0f * by_z) * by_x * square_lanes(c, 1, o + l);
            }
            gy_store(c->size + o + l, root_of(sum));
        }
    }
}

/// What one cell takes from those along x, of which some may not be there.
GY_INLINE float spread_end(const confiner *c, const float *from, int i)
{
    int n = c->n[0], low = i - reach_of(c->a), high = i + reach_of(c->a);
    float x = from[i], part[2] = {0.0f, 0.0f};
    if (low >= 0 || wraps_x(c)) {
        part[0] = from[low >= 0 ? low : low + n] - x;
    }
    if (high < n || wraps_x(c)) {
        part[1] = from[high < n ? high : high - n] - x;
    }
    return x + c->a->part * (part[0] + part[1]);
}

static GY_NOINLINE void spread_row(const confiner *c, int j, int k)
{
    const gy_confine_args *a = c->a;
    const int p[3] = {0, j, k};
    ptrdiff_t o = offset(c, p);
    const float *from = c->array + (ptrdiff_t)a->from * (ptrdiff_t)a->stride + o;
    float *to = c->array + (ptrdiff_t)a->to * (ptrdiff_t)a->stride + o;
    int n = c->n[0], reach = reach_of(a), axis = axis_of(a);
    if (axis == 0) {
        int i = 0, last = n - reach;
        for (; i < GY_MIN(reach, n); i++) {
            to[i] = spread_end(c, from, i);
        }
        for (; i + VW <= last; i += VW) {
            vf x = gy_load(from + i);
            vf part = (gy_load(from + i - reach) - x) + (gy_load(from + i + reach) - x);
            gy_store(to + i, x + a->part * part);
        }
        for (; i < n; i++) {
            to[i] = spread_end(c, from, i);
        }
        return;
    }
    bool wraps = c->g.l->periodic >> axis & 1u;
    int low = p[axis] - reach, high = p[axis] + reach, along = c->n[axis];
    bool below = low >= 0 || wraps, above = high < along || wraps;
    ptrdiff_t down = ((low >= 0 ? low : low + along) - p[axis]) * c->step[axis],
              up = ((high < along ? high : high - along) - p[axis]) * c->step[axis];
    for (int i = 0; i < n; i += GY_LANES) {
        int start = GY_MIN(i, n - GY_LANES);
        for (int l = start; l < start + GY_LANES; l += VW) {
            vf x = gy_load(from + l), zero = gy_splat(0.0f);
            vf part = (below ? gy_load(from + l + down) - x : zero) +
                      (above ? gy_load(from + l + up) - x : zero);
            gy_store(to + l, x + a->part * part);
        }
    }
}

/// How |w| grows along an axis across a face from cells at s and t, where that is y or z.
GY_INLINE vf slope_beside(const beside *b, const float *s, const float *t)
{
    vf x = gy_load(s), y = gy_load(t), zero = gy_splat(0.0f);
    vf up = b->high ? gy_load(s + b->up) - x : zero,
       down = b->low ? x - gy_load(s + b->down) : zero;
    vf u = b->high ? gy_load(t + b->up) - y : zero, v = b->low ? y - gy_load(t + b->down) : zero;
    return (0.5f * share_of(b)) * ((down + up) + (v + u));
}

/// The same along x, of lanes from i on.
GY_INLINE vf slope_along(int n, int i, const float *s, const float *t)
{
    vi at = gy_iota(i), low = (vi)(at > 0), high = (vi)(at < n - 1);
    vf x = gy_load(s), y = gy_load(t);
    vf up = (vf)((vi)(gy_load(s + 1) - x) & high), down = (vf)((vi)(x - gy_load(s - 1)) & low);
    vf u = (vf)((vi)(gy_load(t + 1) - y) & high), v = (vf)((vi)(y - gy_load(t - 1)) & low);
    return ends(i, n, 0.25f, 0.5f, 0.5f) * ((down + up) + (v + u));
}

/// What a row's faces across an axis are pushed by.
GY_INLINE void push_row(const confiner *c, int dim, int axis, int j, int k)
{
    const int p[3] = {0, j, k};
    int b = (axis + 1) % 3, d = (axis + 2) % 3, n = c->n[0];
    ptrdiff_t o = offset(c, p);
    float *to = c->push[axis] + o;
    beside all[3] = {{false, false, 0, 0}, look(c, 1, j), {false, false, 0, 0}};
    all[2] = gy_is_3d(dim) ? look(c, 2, k) : all[2];
    bool open = axis == 0 || all[axis].low;
    for (int q = 1; q < dim; q++) {
        open = open && p[q] < c->n[q];
    }
    const gy_force *f = (const gy_force *)(uintptr_t)c->a->force;
    for (int q = 1; q < dim && !f->everywhere; q++) {
        double at = (double)c->a->origin[q] + (double)c->a->h * (p[q] + (q == axis ? 0.0 : 0.5));
        double more = 0.5 * (double)f->thick + (double)c->a->h;
        open = open && at >= f->shape.low[q] - more && at <= f->shape.high[q] + more;
    }
    if (!open) {
        memset(to, 0, (size_t)(n + 1) * sizeof *to);
        return;
    }
    ptrdiff_t low = axis == 0 ? -1 : all[axis].down;
    for (int i = 0; i < n; i += GY_LANES) {
        int start = GY_MIN(i, n - GY_LANES);
        for (int l = start; l < start + GY_LANES; l += VW) {
            const float *s = c->size + o + l, *t = s + low;
            vf here = gy_load(s), there = gy_load(t), zero = gy_splat(0.0f), one = gy_splat(1.0f);
            vf ga = here - there, gb = zero, gd = zero, wb = zero, wd = zero;
            if (b < dim) {
                gb = b == 0 ? slope_along(n, l, s, t) : slope_beside(&all[b], s, t);
                vf by = b == 0 ? ends(l, n, 0.5f, 1.0f, 1.0f) : one * share_of(&all[b]);
                const float *e = c->edge[d] + o + l;
                wd = by * (gy_load(e) + gy_load(e + c->step[b]));
            }
            if (d < dim) {
                gd = d == 0 ? slope_along(n, l, s, t) : slope_beside(&all[d], s, t);
                vf by = d == 0 ? ends(l, n, 0.5f, 1.0f, 1.0f) : one * share_of(&all[d]);
                const float *e = c->edge[b] + o + l;
                wb = by * (gy_load(e) + gy_load(e + c->step[d]));
            }
            vf length =
                root_of(ga * ga + (gb * gb + gd * gd)) + c->a->even * (0.5f * (here + there));
            vf x = c->a->rate * (gb * wd - gd * wb) / gy_max(length, gy_splat(1e-20f));
            gy_store(to + l, (vf)((vi)x & (vi)(length > 1e-20f)));
        }
    }
    for (int i = 0; i < 3; i++) {
        const int at[3] = {i == 0 ? 0 : n - 2 + i, j, k};
        if (wraps_x(c)) {
            to[at[0]] = push_one(c, axis, at);
        } else if (at[0] == n || (axis == 0 && i == 0)) {
            to[at[0]] = 0.0f;
        }
    }
    for (int i = 0; i < n && !f->everywhere; i++) {
        const int at[3] = {i, j, k};
        bool done = wraps_x(c) && (i == 0 || i == n - 1); // by push_one
        float covered = !done && to[i] != 0.0f ? cover_of(c, axis, at) : 0.0f;
        to[i] = done ? to[i] : covered > 0.0f ? covered * to[i] : 0.0f;
    }
}

static GY_NOINLINE void whole_row_2d(const confiner *c, int j)
{
    if (c->a->stage == GY_CONFINE_CURL) {
        curl_row(c, 2, j, 0);
    } else if (c->a->stage == GY_CONFINE_SIZE) {
        size_row(c, 2, j, 0);
    } else {
        push_row(c, 2, 0, j, 0);
        push_row(c, 2, 1, j, 0);
    }
}
static GY_NOINLINE void whole_row_3d(const confiner *c, int j, int k)
{
    if (c->a->stage == GY_CONFINE_CURL) {
        curl_row(c, 0, j, k);
        curl_row(c, 1, j, k);
        curl_row(c, 2, j, k);
    } else if (c->a->stage == GY_CONFINE_SIZE) {
        size_row(c, 3, j, k);
    } else {
        push_row(c, 3, 0, j, k);
        push_row(c, 3, 1, j, k);
        push_row(c, 3, 2, j, k);
    }
}

/// False: something may be shut, or the row is too short.
static bool whole_row(const confiner *c, int j, int k)
{
    bool cells = c->a->stage == GY_CONFINE_SIZE || c->a->stage == GY_CONFINE_EVEN;
    if (!c->g.l->whole || c->n[0] < GY_LANES) {
        return false;
    }
    if (cells && (j >= c->n[1] || (gy_is_3d(c->dim) && k >= c->n[2]))) {
        return true;
    }
    if (c->a->stage == GY_CONFINE_EVEN) {
        spread_row(c, j, k);
    } else if (gy_is_3d(c->dim)) {
        whole_row_3d(c, j, k);
    } else {
        whole_row_2d(c, j);
    }
    return true;
}

void GY_BODY(confine)(const void *args, const gy_box *box, int task)
{
    const gy_confine_args *a = args;
    const gy_force *f = (const gy_force *)(uintptr_t)a->force;
    confiner c = begin(a);
    (void)task;
    bool spread = a->stage == GY_CONFINE_EVEN;
    int near = !spread ? 1 : axis_of(a) == 0 ? reach_of(a) : 0;
    bool shaped = a->stage == GY_CONFINE_PUSH && !f->everywhere;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            bool done = whole_row(&c, j, k);
            // Runs begin behind what is apart at the end of a row.
            for (int i = 0, end; i < box->high[0] && !done; i = end) {
                // The last of a row overlaps the one before: both write the same.
                int last = c.n[0] - near - GY_LANES,
                    start = i > last && i < last + GY_LANES ? last : i;
                const int at[3] = {start, j, k};
                if (start >= 0 && is_even(&c, start, j, k)) {
                    end = start + GY_LANES;
                    if (gy_is_3d(c.dim)) {
                        row_3d(&c, offset(&c, at));
                    } else {
                        row_2d(&c, offset(&c, at));
                    }
                    if (shaped) {
                        cover_lanes(&c, at);
                    }
                } else {
                    end = GY_MIN(i == 0 && near > 0 ? near : i + GY_LANES, box->high[0]);
                    each_one(&c, i, end, j, k);
                }
            }
        }
    }
}
