// classic/solver.c: the paper's solver, for the kind of number that classic/number.h is compiled
// with. 2D is J. Stam, Real-Time Fluid Dynamics for Games (2003), operation for operation; 3D is M.
// Ash, Fluid Simulation for Dummies (2006), mended (doc/classic.md says where).
//
//     du/dt = -(u . grad) u + visc lap u + f,  div u = 0        vel_step
//     dd/dt = -(u . grad) d + diff lap d + s                    dens_step
//
// Collocated at cell centres. Diffusion and pressure: second order in space, solved by a fixed
// number of Gauss-Seidel sweeps; advection: linear back-trace, first order. Cost of a step per cell
// in 2D with 20 sweeps: 100 relaxations of 4 neighbours, 3 look-ups, 2 gradients.
//
// Freestanding: of the C library not even memset is called by name (a compiler may still ask the
// program for memset and memcpy).
#include "classic/number.h"

#if __STDC_HOSTED__
#define REFUSE(sentence) return gyre_fail(GYRE_ERROR_ARGUMENT, sentence)
#else
#define REFUSE(sentence) return GYRE_ERROR_ARGUMENT
#endif
#define TRY(call)                                                                                  \
    do {                                                                                           \
        gyre_result result_ = (call);                                                              \
        if (result_ != GYRE_OK) {                                                                  \
            return result_;                                                                        \
        }                                                                                          \
    } while (0)

// ---- arguments

enum { MOST_CELLS = 1 << 28, MOST_ARRAYS = 9 };

gyre_classic_box gyre_classic_default_box(int dim, int n)
{
    gyre_classic_box box = {
        .dim = dim, .n = {n, n, dim == 3 ? n : 1}, .resolution = from_int(n), .sweeps = 20};
    return box;
}

static gyre_result check_sides(const gyre_classic_box *box)
{
    for (int s = 0; s < 2 * box->dim; s++) {
        const gyre_classic_side *side = &box->sides[s];
        if (side->rule < GYRE_CLASSIC_WALL || side->rule > GYRE_CLASSIC_OPEN) {
            REFUSE("classic: a side has no such rule");
        }
        if ((side->rule == GYRE_CLASSIC_PERIODIC) !=
            (box->sides[s ^ 1].rule == GYRE_CLASSIC_PERIODIC)) {
            REFUSE("classic: a side is periodic and the opposite one is not");
        }
        if (!is_finite(side->velocity[0]) || !is_finite(side->velocity[1]) ||
            !is_finite(side->velocity[2]) || !is_finite(side->density)) {
            REFUSE("classic: a side's velocity or density is not finite");
        }
    }
    return GYRE_OK;
}

gyre_result gyre_classic_check(const gyre_classic_box *box)
{
    if (!box || (box->dim != 2 && box->dim != 3)) {
        REFUSE("classic: the box is NULL or its dim is not 2 or 3");
    }
    int64_t cells = 1;
    for (int d = 0; d < 3; d++) {
        if (box->n[d] < 1 || box->n[d] > 1 << 20 || (box->dim == 2 && d == 2 && box->n[d] != 1)) {
            REFUSE("classic: n must be 1 or more along each axis, and 1 along z in 2D");
        }
#ifdef GYRE_CLASSIC_FRACTION
        if (box->n[d] + 2 > (int)(MOST >> FRACTION)) {
            REFUSE("classic: n + 2 is beyond the range of the fixed-point format");
        }
#endif
        cells *= box->n[d] + 2;
        if (cells > MOST_CELLS) {
            REFUSE("classic: more than 2^28 cells");
        }
    }
    if (!is_finite(box->resolution) || !(box->resolution > 0)) {
        REFUSE("classic: resolution must be finite and above 0");
    }
    if (box->sweeps < 1) {
        REFUSE("classic: sweeps must be 1 or more");
    }
    if (!is_finite(box->confinement) || box->confinement < 0) {
        REFUSE("classic: confinement must be finite and 0 or more");
    }
    return check_sides(box);
}

static gyre_result check_rate(real rate)
{
    if (!is_finite(rate) || rate < 0) {
        REFUSE("classic: dt and rates must be finite and 0 or more");
    }
    return GYRE_OK;
}

/// The product of finite numbers may not be finite.
static gyre_result check_spread(const gyre_classic_box *box, real rate, real dt)
{
    if (!is_spreadable(spread(dt, rate, box->resolution), box->dim)) {
        REFUSE("classic: dt, a rate and the resolution are too large together");
    }
    return GYRE_OK;
}

static gyre_result check_kind(const gyre_classic_box *box, int b)
{
    if (b < GYRE_CLASSIC_DENSITY || b > GYRE_CLASSIC_TEX_V ||
        (b == GYRE_CLASSIC_Z && box->dim == 2)) {
        REFUSE("classic: no such kind of field");
    }
    return GYRE_OK;
}

/// The first `written` of the arrays may not overlap any other; all must be there and finite.
static gyre_result check_arrays(const gyre_classic_box *box, const real *const arrays[], int count,
                                int written)
{
    size_t size = gyre_classic_size(box);
    for (int a = 0; a < count; a++) {
        if (!arrays[a]) {
            REFUSE("classic: an array is NULL");
        }
        for (int b = 0; b < a && b < written; b++) {
            uintptr_t p = (uintptr_t)arrays[a], q = (uintptr_t)arrays[b];
            if ((p > q ? p - q : q - p) < size * sizeof(real)) {
                REFUSE("classic: two arrays overlap");
            }
        }
    }
#ifndef GYRE_CLASSIC_FRACTION
    for (int a = 0; a < count; a++) {
        // A sum of zeros is zero; of anything else it is not a number. No branch per number.
        float sum = 0.0f;
        for (size_t i = 0; i < size; i++) {
            sum += arrays[a][i] * 0.0f;
        }
        if (sum != 0.0f || sum != sum) {
            REFUSE("classic: an array holds NaN or infinity");
        }
    }
#endif
    return GYRE_OK;
}

// ---- boundaries

/// Cells along an axis: from first to last, the cell beside being `stride` away.
typedef struct range {
    int first, last;
    ptrdiff_t stride;
} range;

static range range_of(const gyre_classic_box *box, int axis)
{
    ptrdiff_t row = box->n[0] + 2, plane = row * (box->n[1] + 2);
    return axis >= box->dim ? (range){0, 0, 0}
                            : (range){1, box->n[axis],
                                      axis == 0   ? 1
                                      : axis == 1 ? row
                                                  : plane};
}

static bool periodic(const gyre_classic_box *box, int axis)
{
    return box->sides[2 * axis].rule == GYRE_CLASSIC_PERIODIC;
}

/// What the boundary cell on a side holds, the cell before it holding `inside`.
static real beyond(const gyre_classic_side *side, int b, int axis, real inside)
{
    bool velocity = b >= GYRE_CLASSIC_X && b <= GYRE_CLASSIC_Z;
    switch (side->rule) {
    case GYRE_CLASSIC_INFLOW:
        // As at a wall, half of both cells together is what the side itself has.
        return velocity                    ? cut((wide)2 * side->velocity[b - 1] - inside)
               : b == GYRE_CLASSIC_DENSITY ? cut((wide)2 * side->density - inside)
                                           : inside;
    case GYRE_CLASSIC_OPEN:
        return b == GYRE_CLASSIC_PRESSURE ? cut(-(wide)inside) : inside;
    default:
        return velocity && b - 1 == axis ? cut(-(wide)inside) : inside;
    }
}

/// The turns that a coordinate has more after going once round along `axis`.
static int turn_of(int b, int axis)
{
    return b == GYRE_CLASSIC_TEX_U + axis && axis < 2 ? 1 : 0;
}

static void set_faces(const gyre_classic_box *box, int b, real *x, int axis)
{
    range a = range_of(box, axis), p = range_of(box, axis == 0 ? 1 : 0),
          q = range_of(box, axis == 2 ? 1 : 2);
    const gyre_classic_side *sides = &box->sides[2 * axis];
    int turn = turn_of(b, axis);
    for (int k = q.first; k <= q.last; k++) {
        for (int j = p.first; j <= p.last; j++) {
            real *row = x + k * q.stride + j * p.stride;
            real low = row[a.stride], high = row[a.last * a.stride];
            bool round = sides[0].rule == GYRE_CLASSIC_PERIODIC;
            row[0] = round ? cut((wide)high - from_int(turn)) : beyond(&sides[0], b, axis, low);
            row[(a.last + 1) * a.stride] =
                round ? cut((wide)low + from_int(turn)) : beyond(&sides[1], b, axis, high);
        }
    }
}

/// A cell where boundaries meet: the mean of the cells beside it nearer to the inside; along a
/// periodic axis, what is on the other side.
static void set_meeting(const gyre_classic_box *box, int b, real *x, const int at[3], int axes)
{
    ptrdiff_t here = 0, step[3];
    for (int d = 0; d < 3; d++) {
        range r = range_of(box, d);
        here += at[d] * r.stride;
        step[d] = at[d] == 0 ? r.stride : -r.stride;
    }
    wide sum = 0;
    int count = 0;
    for (int d = 0; d < box->dim; d++) {
        if (!(axes >> d & 1)) {
            continue;
        }
        if (periodic(box, d)) {
            int turn = turn_of(b, d);
            x[here] =
                cut((wide)x[here + box->n[d] * step[d]] + from_int(at[d] == 0 ? -turn : turn));
            return;
        }
        // From the first on: 0 + -0 would lose a sign.
        sum = count ? sum + x[here + step[d]] : x[here + step[d]];
        count++;
    }
    x[here] = mean(sum, count);
}

static void set_meetings(const gyre_classic_box *box, int b, real *x, int axes)
{
    int first[3], last[3], by[3];
    for (int d = 0; d < 3; d++) {
        range r = range_of(box, d);
        bool ends = axes >> d & 1;
        first[d] = ends ? 0 : r.first;
        last[d] = ends ? box->n[d] + 1 : r.last;
        by[d] = ends ? box->n[d] + 1 : 1;
    }
    for (int k = first[2]; k <= last[2]; k += by[2]) {
        for (int j = first[1]; j <= last[1]; j += by[1]) {
            for (int i = first[0]; i <= last[0]; i += by[0]) {
                set_meeting(box, b, x, (const int[3]){i, j, k}, axes);
            }
        }
    }
}

/// One cell inside a solid.
static void set_solid(const gyre_classic_box *box, int b, real *x, const int at[3], ptrdiff_t here)
{
    wide sum = 0;
    int count = 0;
    for (int d = 0; d < box->dim; d++) {
        range r = range_of(box, d);
        for (int end = 0; end < 2; end++) {
            ptrdiff_t there = here + (end ? r.stride : -r.stride);
            if (at[d] == (end ? r.last : r.first)) {
                if (!periodic(box, d)) {
                    continue;
                }
                there += (end ? -r.last : r.last) * r.stride;
            }
            if (box->solid[there]) {
                continue;
            }
            wide value = x[there];
            if (b == GYRE_CLASSIC_X + d) {
                const real *own = box->solid_velocity[d];
                value = (own ? (wide)2 * own[here] : 0) - value;
            }
            sum += value;
            count++;
        }
    }
    x[here] = count ? mean(sum, count) : (real)0;
}

static void set_bnd(const gyre_classic_box *box, int b, real *x)
{
    if (box->solid) {
        range r = range_of(box, 2);
        for (int k = r.first; k <= r.last; k++) {
            for (int j = 1; j <= box->n[1]; j++) {
                ptrdiff_t here = (ptrdiff_t)gyre_classic_index(box, 1, j, k);
                for (int i = 1; i <= box->n[0]; i++, here++) {
                    if (box->solid[here]) {
                        set_solid(box, b, x, (const int[3]){i, j, k}, here);
                    }
                }
            }
        }
    }
    for (int axis = 0; axis < box->dim; axis++) {
        set_faces(box, b, x, axis);
    }
    set_meetings(box, b, x, 3);
    if (box->dim == 3) {
        set_meetings(box, b, x, 5);
        set_meetings(box, b, x, 6);
        set_meetings(box, b, x, 7);
    }
}

gyre_result gyre_classic_set_bnd(const gyre_classic_box *box, int b, real *x)
{
    TRY(gyre_classic_check(box));
    TRY(check_kind(box, b));
    TRY(check_arrays(box, (const real *const[]){x}, 1, 1));
    set_bnd(box, b, x);
    return GYRE_OK;
}

// ---- the paper's routines

static void add_source(const gyre_classic_box *box, real *x, const real *s, real dt)
{
    size_t size = gyre_classic_size(box);
    for (size_t i = 0; i < size; i++) {
        x[i] = add_product(x[i], dt, s[i]);
    }
}

gyre_result gyre_classic_add_source(const gyre_classic_box *box, real *x, const real *s, real dt)
{
    TRY(gyre_classic_check(box));
    TRY(check_rate(dt));
    TRY(check_arrays(box, (const real *const[]){x, s}, 2, 1));
    add_source(box, x, s, dt);
    return GYRE_OK;
}

/// A row of a sweep. The cell just left behind stays in a register.
static inline void relax_row(int dim, bool exact, real *x, const real *x0, const uint8_t *solid,
                             int n, ptrdiff_t sy, ptrdiff_t sz, weights w)
{
    real left = x[-1];
    for (int i = 0; i < n; i++) {
        if (solid && solid[i]) {
            left = x[i];
            continue;
        }
        // Each text has its own order, and the last bit depends on it.
        wide sum = (wide)left + x[i + 1];
        if (dim == 2) {
            sum = sum + x[i - sy] + x[i + sy];
        } else {
            sum = sum + x[i + sy] + x[i - sy] + x[i + sz] + x[i - sz];
        }
        left = x[i] = relax(w, exact, x0[i], sum);
    }
}

static void lin_solve(const gyre_classic_box *box, int b, real *x, const real *x0, weights w)
{
    range z = range_of(box, 2);
    ptrdiff_t sy = box->n[0] + 2, sz = z.stride;
    int n = box->n[0];
    for (int sweep = 0; sweep < box->sweeps; sweep++) {
        for (int k = z.first; k <= z.last; k++) {
            for (int j = 1; j <= box->n[1]; j++) {
                ptrdiff_t at = k * sz + j * sy + 1;
                const uint8_t *solid = box->solid ? box->solid + at : NULL;
                // With constants each call becomes a loop of its own.
                if (box->dim == 3) {
                    relax_row(3, true, x + at, x0 + at, solid, n, sy, sz, w);
                } else if (solid) {
                    relax_row(2, w.exact, x + at, x0 + at, solid, n, sy, sz, w);
                } else if (w.exact) {
                    relax_row(2, true, x + at, x0 + at, NULL, n, sy, sz, w);
                } else {
                    relax_row(2, false, x + at, x0 + at, NULL, n, sy, sz, w);
                }
            }
        }
        set_bnd(box, b, x);
    }
}

gyre_result gyre_classic_lin_solve(const gyre_classic_box *box, int b, real *x, const real *x0,
                                   real a, real c)
{
    TRY(gyre_classic_check(box));
    TRY(check_kind(box, b));
    if (!is_finite(a) || !is_finite(c) || !settles(a, c, box->dim)) {
        REFUSE("classic: lin_solve needs a >= 0, c >= 1 and c >= 2 dim a");
    }
    TRY(check_arrays(box, (const real *const[]){x, x0}, 2, 1));
    lin_solve(box, b, x, x0, make_weights(a, c, box->dim));
    return GYRE_OK;
}

static void diffuse(const gyre_classic_box *box, int b, real *x, const real *x0, real rate, real dt)
{
    lin_solve(box, b, x, x0, spread_weights(spread(dt, rate, box->resolution), box->dim));
}

gyre_result gyre_classic_diffuse(const gyre_classic_box *box, int b, real *x, const real *x0,
                                 real rate, real dt)
{
    TRY(gyre_classic_check(box));
    TRY(check_kind(box, b));
    TRY(check_rate(rate));
    TRY(check_rate(dt));
    TRY(check_spread(box, rate, dt));
    TRY(check_arrays(box, (const real *const[]){x, x0}, 2, 1));
    diffuse(box, b, x, x0, rate, dt);
    return GYRE_OK;
}

/// Brings a position back into the box along one axis.
static place settle(const gyre_classic_box *box, int axis, place x, int b, int *turns)
{
    int round = 0;
    if (!periodic(box, axis)) {
        return keep_inside(x, box->n[axis]);
    }
    x = go_round(x, box->n[axis], &round);
    *turns += turn_of(b, axis) * round;
    return x;
}

static real advected(const gyre_classic_box *box, int b, const real *d0, const place where[3],
                     int turns)
{
    ptrdiff_t at = 0, sy = box->n[0] + 2, sz = range_of(box, 2).stride;
    real one[3], rest[3], value;
    for (int d = 0; d < box->dim; d++) {
        at += cell_of(where[d]) * range_of(box, d).stride;
        one[d] = fraction_of(where[d]);
        rest[d] = rest_of(one[d]);
    }
    const real *p = d0 + at, *q = p + 1;
    if (box->dim == 2) {
        value = mix(rest[0], mix(rest[1], p[0], one[1], p[sy]), one[0],
                    mix(rest[1], q[0], one[1], q[sy]));
    } else {
        real near = mix(rest[1], mix(rest[2], p[0], one[2], p[sz]), one[1],
                        mix(rest[2], p[sy], one[2], p[sy + sz]));
        real far = mix(rest[1], mix(rest[2], q[0], one[2], q[sz]), one[1],
                       mix(rest[2], q[sy], one[2], q[sy + sz]));
        value = mix(rest[0], near, one[0], far);
    }
    return b < GYRE_CLASSIC_TEX_U || turns == 0 ? value : cut((wide)value + from_int(turns));
}

static void advect(const gyre_classic_box *box, int b, real *d, const real *d0,
                   const real *const velocity[], real dt)
{
    range z = range_of(box, 2);
    real dt0 = mul(dt, box->resolution);
    for (int k = z.first; k <= z.last; k++) {
        for (int j = 1; j <= box->n[1]; j++) {
            size_t at = gyre_classic_index(box, 1, j, k);
            for (int i = 1; i <= box->n[0]; i++, at++) {
                if (box->solid && box->solid[at]) {
                    continue;
                }
                const int here[3] = {i, j, k};
                place where[3] = {0};
                int turns = 0;
                for (int c = 0; c < box->dim; c++) {
                    where[c] = settle(box, c, trace(here[c], dt0, velocity[c][at]), b, &turns);
                }
                d[at] = advected(box, b, d0, where, turns);
            }
        }
    }
    set_bnd(box, b, d);
}

gyre_result gyre_classic_advect(const gyre_classic_box *box, int b, real *d, const real *d0,
                                const real *const velocity[], real dt)
{
    const real *arrays[5] = {d, d0};
    TRY(gyre_classic_check(box));
    TRY(check_kind(box, b));
    TRY(check_rate(dt));
    TRY(check_rate(mul(dt, box->resolution)));
    for (int c = 0; c < box->dim; c++) {
        arrays[2 + c] = velocity ? velocity[c] : NULL;
    }
    TRY(check_arrays(box, arrays, 2 + box->dim, 1));
    advect(box, b, d, d0, velocity, dt);
    return GYRE_OK;
}

static void project(const gyre_classic_box *box, real *const velocity[], real *p, real *div)
{
    range z = range_of(box, 2);
    ptrdiff_t sy = box->n[0] + 2, sz = z.stride;
    real *u = velocity[0], *v = velocity[1], *w = box->dim == 3 ? velocity[2] : NULL;
    real s = box->resolution;
    for (int k = z.first; k <= z.last; k++) {
        for (int j = 1; j <= box->n[1]; j++) {
            ptrdiff_t at = k * sz + j * sy + 1, end = at + box->n[0];
            for (; at < end; at++) {
                wide sum = (wide)u[at + 1] - u[at - 1] + v[at + sy] - v[at - sy];
                if (w) {
                    sum = sum + w[at + sz] - w[at - sz];
                }
                div[at] = drain(sum, s);
                p[at] = 0;
            }
        }
    }
    set_bnd(box, GYRE_CLASSIC_PRESSURE, div);
    set_bnd(box, GYRE_CLASSIC_PRESSURE, p);
    lin_solve(box, GYRE_CLASSIC_PRESSURE, p, div,
              make_weights(from_int(1), from_int(2 * box->dim), box->dim));
    for (int k = z.first; k <= z.last; k++) {
        for (int j = 1; j <= box->n[1]; j++) {
            ptrdiff_t at = k * sz + j * sy + 1, end = at + box->n[0];
            for (; at < end; at++) {
                if (box->solid && box->solid[at]) {
                    continue;
                }
                u[at] = less_gradient(u[at], (wide)p[at + 1] - p[at - 1], s);
                v[at] = less_gradient(v[at], (wide)p[at + sy] - p[at - sy], s);
                if (w) {
                    w[at] = less_gradient(w[at], (wide)p[at + sz] - p[at - sz], s);
                }
            }
        }
    }
    for (int c = 0; c < box->dim; c++) {
        set_bnd(box, GYRE_CLASSIC_X + c, velocity[c]);
    }
}

gyre_result gyre_classic_project(const gyre_classic_box *box, real *const velocity[], real *p,
                                 real *div)
{
    const real *arrays[5] = {p, div};
    TRY(gyre_classic_check(box));
    for (int c = 0; c < box->dim; c++) {
        arrays[2 + c] = velocity ? velocity[c] : NULL;
    }
    TRY(check_arrays(box, arrays, 2 + box->dim, 2 + box->dim));
    project(box, velocity, p, div);
    return GYRE_OK;
}

// ---- vorticity confinement

/// Curl times the cell size: of the velocity alone, so that no resolution comes into it.
static void curl(const gyre_classic_box *box, real *const velocity[], real *const out[],
                 ptrdiff_t at)
{
    const real *u = velocity[0], *v = velocity[1];
    ptrdiff_t sy = box->n[0] + 2, sz = range_of(box, 2).stride;
    if (box->dim == 2) {
        out[0][at] = half((wide)v[at + 1] - v[at - 1] - u[at + sy] + u[at - sy]);
        return;
    }
    const real *w = velocity[2];
    out[0][at] = half((wide)w[at + sy] - w[at - sy] - v[at + sz] + v[at - sz]);
    out[1][at] = half((wide)u[at + sz] - u[at - sz] - w[at + 1] + w[at - 1]);
    out[2][at] = half((wide)v[at + 1] - v[at - 1] - u[at + sy] + u[at - sy]);
}

static real size_of(const gyre_classic_box *box, real *const w[], ptrdiff_t at)
{
    if (box->dim == 2) {
        return w[0][at] < 0 ? cut(-(wide)w[0][at]) : w[0][at];
    }
    real whole[3] = {w[0][at], w[1][at], w[2][at]}, unit[3] = {whole[0], whole[1], whole[2]};
    normalise(unit);
    real x = mul(whole[0], unit[0]), y = mul(whole[1], unit[1]), z = mul(whole[2], unit[2]);
    return cut((wide)x + y + z);
}

static void push(const gyre_classic_box *box, real *const velocity[], real *const w[], real amount,
                 ptrdiff_t at)
{
    real n[3] = {0, 0, 0};
    for (int d = 0; d < box->dim; d++) {
        ptrdiff_t step = range_of(box, d).stride;
        n[d] = half((wide)size_of(box, w, at + step) - size_of(box, w, at - step));
    }
    normalise(n);
    if (box->dim == 2) {
        velocity[0][at] = add_product(velocity[0][at], amount, mul(n[1], w[0][at]));
        velocity[1][at] = add_product(velocity[1][at], amount, cut(-(wide)mul(n[0], w[0][at])));
        return;
    }
    for (int d = 0; d < 3; d++) {
        int e = (d + 1) % 3, f = (d + 2) % 3;
        wide cross = (wide)mul(n[e], w[f][at]) - mul(n[f], w[e][at]);
        velocity[d][at] = add_product(velocity[d][at], amount, cut(cross));
    }
}

static void confine(const gyre_classic_box *box, real *const velocity[], real *const scratch[],
                    real dt)
{
    range z = range_of(box, 2);
    real amount = mul(dt, box->confinement);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = z.first; k <= z.last; k++) {
            for (int j = 1; j <= box->n[1]; j++) {
                ptrdiff_t at = (ptrdiff_t)gyre_classic_index(box, 1, j, k), end = at + box->n[0];
                for (; at < end; at++) {
                    if (pass == 0) {
                        curl(box, velocity, scratch, at);
                    } else if (!box->solid || !box->solid[at]) {
                        push(box, velocity, scratch, amount, at);
                    }
                }
            }
        }
        for (int c = 0; pass == 0 && c < (box->dim == 3 ? 3 : 1); c++) {
            set_bnd(box, GYRE_CLASSIC_PRESSURE, scratch[c]);
        }
    }
    for (int c = 0; c < box->dim; c++) {
        set_bnd(box, GYRE_CLASSIC_X + c, velocity[c]);
    }
}

gyre_result gyre_classic_confine(const gyre_classic_box *box, real *const velocity[],
                                 real *const scratch[], real dt)
{
    const real *arrays[6] = {NULL};
    TRY(gyre_classic_check(box));
    TRY(check_rate(dt));
    int more = box->dim == 3 ? 3 : 1, count = box->dim;
    for (int c = 0; c < box->dim; c++) {
        arrays[c] = velocity ? velocity[c] : NULL;
    }
    for (int c = 0; c < more; c++) {
        arrays[count++] = scratch ? scratch[c] : NULL;
    }
    TRY(check_arrays(box, arrays, count, count));
    confine(box, velocity, scratch, dt);
    return GYRE_OK;
}

// ---- the steps

/// What both steps ask of their numbers.
static gyre_result check_step(const gyre_classic_box *box, real rate, real dt)
{
    TRY(gyre_classic_check(box));
    TRY(check_rate(rate));
    TRY(check_rate(dt));
    TRY(check_spread(box, rate, dt));
    return check_rate(mul(dt, box->resolution));
}

gyre_result gyre_classic_dens_step(const gyre_classic_box *box, real *x, real *x0,
                                   const real *const velocity[], real diff, real dt)
{
    const real *arrays[5] = {x, x0};
    TRY(check_step(box, diff, dt));
    for (int c = 0; c < box->dim; c++) {
        arrays[2 + c] = velocity ? velocity[c] : NULL;
    }
    TRY(check_arrays(box, arrays, 2 + box->dim, 2));
    add_source(box, x, x0, dt);
    diffuse(box, GYRE_CLASSIC_DENSITY, x0, x, diff, dt);
    advect(box, GYRE_CLASSIC_DENSITY, x, x0, velocity, dt);
    return GYRE_OK;
}

gyre_result gyre_classic_vel_step(const gyre_classic_box *box, real *const velocity[],
                                  real *const previous[], real visc, real dt)
{
    const real *arrays[6] = {NULL}, *carrier[3] = {NULL};
    TRY(check_step(box, visc, dt));
    for (int c = 0; c < box->dim; c++) {
        arrays[c] = velocity ? velocity[c] : NULL;
        arrays[box->dim + c] = previous ? previous[c] : NULL;
        carrier[c] = previous ? previous[c] : NULL;
    }
    TRY(check_arrays(box, arrays, 2 * box->dim, 2 * box->dim));
    for (int c = 0; c < box->dim; c++) {
        add_source(box, velocity[c], previous[c], dt);
    }
    if (box->confinement > 0) {
        confine(box, velocity, previous, dt);
    }
    for (int c = 0; c < box->dim; c++) {
        diffuse(box, GYRE_CLASSIC_X + c, previous[c], velocity[c], visc, dt);
    }
    project(box, previous, velocity[0], velocity[1]);
    for (int c = 0; c < box->dim; c++) {
        advect(box, GYRE_CLASSIC_X + c, velocity[c], previous[c], carrier, dt);
    }
    project(box, velocity, previous[0], previous[1]);
    return GYRE_OK;
}

// ---- liquid textures

gyre_result gyre_classic_tex_reset(const gyre_classic_box *box, real *const tex[])
{
    TRY(gyre_classic_check(box));
    if (!tex || !tex[0] || !tex[1]) {
        REFUSE("classic: an array is NULL");
    }
    for (int k = 0; k <= (box->dim == 3 ? box->n[2] + 1 : 0); k++) {
        for (int j = 0; j <= box->n[1] + 1; j++) {
            for (int i = 0; i <= box->n[0] + 1; i++) {
                size_t at = gyre_classic_index(box, i, j, k);
                tex[0][at] = part(i, box->n[0]);
                tex[1][at] = part(j, box->n[1]);
            }
        }
    }
    set_bnd(box, GYRE_CLASSIC_TEX_U, tex[0]);
    set_bnd(box, GYRE_CLASSIC_TEX_V, tex[1]);
    return GYRE_OK;
}

gyre_result gyre_classic_tex_step(const gyre_classic_box *box, real *const tex[],
                                  real *const tex0[], const real *const velocity[], real dt)
{
    const real *arrays[7] = {tex ? tex[0] : NULL, tex ? tex[1] : NULL, tex0 ? tex0[0] : NULL,
                             tex0 ? tex0[1] : NULL};
    TRY(check_step(box, 0, dt));
    for (int c = 0; c < box->dim; c++) {
        arrays[4 + c] = velocity ? velocity[c] : NULL;
    }
    TRY(check_arrays(box, arrays, 4 + box->dim, 4));
    size_t size = gyre_classic_size(box);
    for (int t = 0; t < 2; t++) {
        for (size_t i = 0; i < size; i++) {
            tex0[t][i] = tex[t][i];
        }
        advect(box, GYRE_CLASSIC_TEX_U + t, tex[t], tex0[t], velocity, dt);
    }
    return GYRE_OK;
}

gyre_result gyre_classic_tex_draw(const gyre_classic_box *box, const real *const tex[], int k,
                                  const uint8_t *image, int width, int height, int channels,
                                  uint8_t *pixels)
{
    TRY(gyre_classic_check(box));
    if (k < 0 || k > (box->dim == 3 ? box->n[2] + 1 : 0) || !image || !pixels || width < 1 ||
        width > 8192 || height < 1 || height > 8192 || channels < 1 || channels > 4) {
        REFUSE("classic: tex_draw: a layer, an image or a size that is not there");
    }
    TRY(check_arrays(box, (const real *const[]){tex ? tex[0] : NULL, tex ? tex[1] : NULL}, 2, 0));
    for (int j = 1; j <= box->n[1]; j++) {
        size_t at = gyre_classic_index(box, 1, j, k);
        for (int i = 1; i <= box->n[0]; i++, at++) {
            // Pixels, too, are centred: the first is half a pixel in.
            int s, t, x = texel(tex[0][at], width, &s), y = texel(tex[1][at], height, &t);
            int x0 = s < 128 ? (x + width - 1) % width : x, x1 = (x0 + 1) % width;
            int y0 = t < 128 ? (y + height - 1) % height : y, y1 = (y0 + 1) % height;
            s = (s + 128) & 255;
            t = (t + 128) & 255;
            for (int c = 0; c < channels; c++) {
                int low = image[(y0 * width + x0) * channels + c] * (256 - s) +
                          image[(y0 * width + x1) * channels + c] * s;
                int high = image[(y1 * width + x0) * channels + c] * (256 - s) +
                           image[(y1 * width + x1) * channels + c] * s;
                *pixels++ = (uint8_t)((low * (256 - t) + high * t + (1 << 15)) >> 16);
            }
        }
    }
    return GYRE_OK;
}
