// water/dispersive.c: mode dispersive, shallow water and waves of every length as one, after
// S. Jeschke and C. Wojtan, Generalizing Shallow Water Simulations with Dispersive Surface Waves,
// ACM Trans. Graph. 42 (2023), with other means for each of its steps.
//
// The state is that of mode shallow, depth and discharge, and no more. Each step parts it anew:
//
//     bulk     what a low-pass leaves, whose width is some depths: shallow water, wet and dry
//     surface  the rest: linear waves of any length (Airy), which the bulk carries along
//
// Low-pass. Two sweeps of implicit diffusion along x, then two along y, of the surface and of the
// velocity, with the width squared of a face w = 8 (d / h)^2 + 4 cells (no 4 where water is a
// sheet, less of both where the surface steps by a tenth of the depth: bores, fronts; d is without
// waves), which acts on a wave as 1 / (1 + w k^2 h^2)^2 along each axis. Shut faces and dry cells
// let nothing pass, and level water has no differences: a lake at rest has no surface part, to the
// bit.
//
// Surface. With theta the wave number in radians per cell, the exact answer over a step dt to
//     eta_t = -div q,   q_t = -g T grad eta,   T = tanh(k d) / k,   omega^2 = g k tanh(k d)
// by transforms (cosines between sides, a Fourier series round them) of eta and of h div q. It
// comes back as two potentials: one whose differences across faces are what passes them in the
// step, so that the new eta is that of the exact answer though it is made by passes (the discrete
// Laplacian's eigenvalue divides it out), and one whose centred differences are the change of q.
// Nothing is left of an error of phase: on a flat bed the surface's waves have Airy's speed at any
// dt. Waves shorter than some 2.9 cells are taken out. Of up to 4 reference depths between the
// least and the largest there are, each face and cell takes the two nearest, by its depth.
//
// Fast water. Linear waves know nothing of water that runs as fast as they do. Where the Froude
// number Fr = |u| / sqrt(g d) nears 1/2, the surface part is handed back to the bulk, but for
// 1 / (1 + (2 Fr)^4) of it: dams that break, bores, rapids and fronts are shallow water. In waves
// Fr is at most their height over the depth: 0.2 changes 3 % of them.
//
// Joining. The step of shallow water applies the bulk's passes; the surface part is put onto it,
// and the waves' passes are applied, shut where a face is shut or a side of it is dry, limited to
// what each cell has. A cell that the bulk has drained of more than the surface part lacks is
// filled up by the nearest: so depth stays positive, and what leaves a cell enters another.
//
// Waves steeper than 0.35 break: what is above that spreads. Where the depth changes by a good part
// of itself from cell to cell, the surface's discharge decays at 1.5 sqrt(g / h) times the square
// of that part: depths blended there make no symmetrical operator, and short waves would grow.
//
// Order: exact for linear waves on a flat bed; second in space and first in time where bulk and
// surface meet. Cost: the bulk's substeps, two low-passes of three fields, one transform forward
// and one back for each reference depth. 512 x 512: see bench/bench_water.c.
#include "water/dispersive.h"
#include "base/maths.h"
#include "solve/transform.h"
#include "water/dispersive_parts.h"
#include "water/ops/dispersive.h"
#include "water/water.h"
#include <stdio.h>
#include <string.h>

enum { ARRAYS = 16, TASKS = GY_MAX_BLOCKS };

/// What is kept between steps follows from the def, or is made anew where it does not fit.
typedef struct work {
    gy_dispersive job;
    struct {
        float dt, depth, gravity;
    } made[GY_DISPERSIVE_DEPTHS]; // what a table was made for
    gy_fft_axis axis[2];
} work;

/// Hands memory out; only counts where there is none.
typedef struct store {
    char *at;
    size_t used;
} store;

static void *take(store *s, size_t bytes)
{
    void *p = s->at ? s->at + s->used : NULL;
    s->used += (bytes + 63) / 64 * 64;
    return p;
}

static float *take_floats(store *s, size_t count)
{
    return take(s, count * sizeof(float));
}

static void set_ends(gy_dispersive *d, const gyre_water_def *def)
{
    const gyre_water_side *sides = &def->sides.x_low;
    for (int q = 0; q < 4; q++) {
        d->end[q / 2][q % 2] = sides[q].rule == GYRE_WATER_PERIODIC ? GY_END_PERIODIC
                               : sides[q].rule == GYRE_WATER_WALL   ? GY_END_WALL
                                                                    : GY_END_OPEN;
    }
}

/// What of a wave of theta radians per cell along an axis is kept: none of those of less than 2.4
/// cells, all of more than 2.9.
static float kept(float theta)
{
    float x = (theta - 2.15f) * (1.0f / 0.45f);
    x = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
    return 1.0f - x * x * (3.0f - 2.0f * x);
}

static void make_axis(work *w, int a, store *s)
{
    gy_dispersive unused, *d = w ? &w->job : &unused;
    int n = w ? d->n[a] : 0, room = gy_round_up(n, GY_LANES);
    float *angle = take_floats(s, (size_t)room), *value = take_floats(s, (size_t)room);
    float *centred = take_floats(s, (size_t)room), *filter = take_floats(s, (size_t)room);
    bool round = d->end[a][0] == GY_END_PERIODIC;
    void *tables = take(s, gy_transform_line_size(n, round));
    if (!s->at) {
        return;
    }
    gy_transform_line(&w->axis[a], n, round, tables, angle);
    for (int p = 0; p < n; p++) {
        float theta = angle[p], sine = gy_sinf(0.5f * theta), cosine = gy_cosf(0.5f * theta);
        value[p] = 4.0f * sine * sine;
        centred[p] = value[p] * (cosine * cosine);
        filter[p] = kept(theta);
        angle[p] = theta * theta;
    }
    d->angle2[a] = angle;
    d->value[a] = value;
    d->centred[a] = centred;
    d->filter[a] = filter;
    d->line[a] = &w->axis[a];
}

/// Makes, or counts, everything. `probe` has the job's sizes and ends.
static size_t plan(work *probe, const gyre_water_def *def, void *memory)
{
    store s = {.at = memory};
    work *w = take(&s, sizeof *w);
    gy_dispersive *d = &probe->job;
    *probe = (work){0};
    set_ends(d, def);
    for (int a = 0; a < 2; a++) {
        d->n[a] = def->grid.n[a];
    }
    d->stride = gy_round_up(d->n[0], GY_LANES) + GY_DISPERSIVE_PAD;
    size_t area = (size_t)d->stride * (size_t)d->n[1] + 3 * GY_DISPERSIVE_PAD;
    float **const arrays[ARRAYS] = {&d->depth,   &d->surface, &d->qx,       &d->qy,
                                    &d->tx,      &d->ty,      &d->width[0], &d->width[1],
                                    &d->pass[0], &d->pass[1], &d->re,       &d->im,
                                    &d->out_re,  &d->out_im,  &d->rest,     &d->part};
    for (int q = 0; q < ARRAYS; q++) {
        float *at = take_floats(&s, area);
        *arrays[q] = at ? at + GY_DISPERSIVE_PAD : NULL;
    }
    size_t room = (size_t)GY_MAX(d->n[0], d->n[1]) + 2 * GY_DISPERSIVE_PAD;
    d->last[0] = take_floats(&s, room);
    d->last[1] = take_floats(&s, room);
    d->row_low = take_floats(&s, room);
    d->row_high = take_floats(&s, room);
    d->table = take(&s, GY_DISPERSIVE_DEPTHS * sizeof(gy_dispersive_table));
    // An odd number of lines of the cache apart, so that buffers do not hide each other.
    size_t floats = (size_t)(GY_MAX(d->n[0], d->n[1]) + 1) * GY_DISPERSIVE_SCRATCH;
    d->scratch_step = (floats * (GY_DISPERSIVE_LINES / GY_LANES) | 1) * GY_LANES;
    int blocks = (GY_MAX(d->n[0], d->n[1]) + GY_LANES - 1) / GY_LANES;
    d->scratch = take_floats(&s, d->scratch_step * (size_t)GY_MIN(blocks, (int)TASKS));
    for (int a = 0; a < 2; a++) {
        make_axis(probe, a, &s);
    }
    if (w) {
        *w = *probe;
        w->job.line[0] = &w->axis[0];
        w->job.line[1] = &w->axis[1];
    }
    return s.used;
}

/// Waves that come in must be some cells long. They are longest, and the longer the deeper, in deep
/// water.
static gyre_result check_waves(const gyre_water_def *def, const gyre_water_side *side,
                               const char *where)
{
    if (side->rule != GYRE_WATER_INFLOW || side->inflow != GYRE_WATER_WAVES) {
        return GYRE_OK;
    }
    float size = def->gravity * side->period * side->period * 0.15915494f;
    if (size >= 4.0f * def->grid.h) {
        return GYRE_OK;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "%s.period: found %g s, waves of which are at most %g m long, expected four "
                     "cells (%g m) at least",
                     where, (double)side->period, (double)size, (double)(4.0f * def->grid.h));
}

gyre_result gy_dispersive_check(const gyre_water_def *def)
{
    static const char *const names[GY_WATER_SIDES] = {"sides.x_low", "sides.x_high", "sides.y_low",
                                                      "sides.y_high"};
    for (int q = 0; q < GY_WATER_SIDES; q++) {
        gyre_result r = check_waves(def, &def->sides.x_low + q, names[q]);
        if (r != GYRE_OK) {
            return r;
        }
    }
    for (int e = 0; e < def->edges.count; e++) {
        const gyre_water_edge *edge = (const gyre_water_edge *)def->edges.items + e;
        char where[64];
        snprintf(where, sizeof where, "edges.%s.side", edge->name);
        gyre_result r = check_waves(def, &edge->side, where);
        if (r != GYRE_OK) {
            return r;
        }
    }
    for (int a = 0; a < 2; a++) {
        int n = def->grid.n[a], next = n;
        while (!gy_transform_length(next)) {
            next++;
        }
        if (next != n) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "grid.n[%d]: mode dispersive takes sizes with no prime factor above "
                             "7, found %d, expected for instance %d",
                             a, n, next);
        }
    }
    if (def->exact) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "exact: mode dispersive has no depths in whole quanta; modes wave and "
                         "shallow have");
    }
    if (def->sleep_height > 0.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sleep_height: found %g, expected 0: in mode dispersive no tile sleeps",
                         (double)def->sleep_height);
    }
    return GYRE_OK;
}

size_t gy_dispersive_size(const gyre_water_def *def)
{
    work probe;
    return plan(&probe, def, NULL);
}

void gy_dispersive_make(gyre_water *w)
{
    work probe;
    plan(&probe, w->def, w->dispersive);
}

// ---- the waves' tables

static void tabulate(work *w, int which, float depth, float dt, float gravity)
{
    gy_dispersive *d = &w->job;
    if (w->made[which].dt == dt && w->made[which].depth == depth &&
        w->made[which].gravity == gravity) {
        return;
    }
    w->made[which].dt = dt;
    w->made[which].depth = depth;
    w->made[which].gravity = gravity;
    gy_dispersive_table *t = &d->table[which];
    float cells = depth / d->h, g = gravity / d->h, step = 4.4428829f / GY_DISPERSIVE_TABLE;
    for (int q = 0; q <= GY_DISPERSIVE_TABLE + 1; q++) {
        // Everything is even and smooth in theta; 0 itself is as good as a thousandth of a step.
        float theta = q > 0 ? step * (float)q : 1e-3f * step;
        float reach = gy_tanhf(theta * cells) / theta; // T / h
        float omega = gy_sqrtf(g * reach) * theta, half = 0.5f * omega * dt;
        float sine = gy_sinf(half), sinc = omega > 0.0f ? gy_sinf(omega * dt) / omega : dt;
        t->a[q] = -2.0f * (sine / theta) * (sine / theta);
        t->b[q] = sinc / d->h;
        t->c[q] = gravity * reach * sinc;
    }
}

/// To 9 bits, so that tables seldom have to be made anew.
static float rounded(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x2000u) & 0xffffc000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// Reference depths: one where all are alike, else up to 4, at most 3 times as deep as the one
/// before, down from the largest.
static void choose_depths(work *w, float dt, float gravity)
{
    gy_dispersive *d = &w->job;
    float low = 1e30f, high = 0.0f;
    for (int j = 0; j < d->n[1]; j++) {
        low = GY_MIN(low, d->row_low[j]);
        high = GY_MAX(high, d->row_high[j]);
    }
    d->depths = 1;
    if (high <= 0.0f) {
        d->reference[0] = 1.0f;
    } else if (low > 0.9f * high) {
        d->reference[0] = rounded(0.5f * (low + high));
    } else {
        float ratio = 3.0f;
        low = GY_MAX(low, high / 27.0f);
        while (d->depths < GY_DISPERSIVE_DEPTHS - 1 &&
               low * gy_powf(1.8f, (float)d->depths) < high) {
            d->depths++;
        }
        ratio = gy_powf(high / low, 1.0f / (float)d->depths);
        d->depths++;
        for (int m = 0; m < d->depths; m++) {
            d->reference[m] = rounded(high * gy_powf(ratio, (float)(m + 1 - d->depths)));
        }
    }
    for (int m = 0; m < d->depths; m++) {
        tabulate(w, m, d->reference[m], dt, gravity);
    }
}

// ---- a step

static void rows(const gyre_water *w, const gy_dispersive *d, gy_op op)
{
    gy_water_args args = {(uint64_t)(uintptr_t)d};
    gy_run(w->model.device, op, &args, gy_box_make(d->n[0], d->n[1], 1));
}

static void along(const gyre_water *w, gy_dispersive *d, gy_op op, int axis)
{
    gy_water_args args = {(uint64_t)(uintptr_t)d};
    int lines = op == GY_OP_dispersive_smooth ? GY_DISPERSIVE_LINES : GY_LANES;
    int blocks = (d->n[1 - axis] + lines - 1) / lines;
    d->axis = axis;
    gy_run(w->model.device, op, &args, gy_box_make(blocks, 1, 1));
}

static void clear(const gy_dispersive *d, float *array)
{
    memset(array - GY_DISPERSIVE_PAD, 0,
           ((size_t)d->stride * (size_t)d->n[1] + 3 * GY_DISPERSIVE_PAD) * sizeof(float));
}

static void note_tiles(gyre_water *w)
{
    for (int slot = 0; slot < w->tiles.used; slot++) {
        w->tiles.edited[slot] = GY_TILE_EDITED;
        gy_snapshots_note(w, slot);
    }
}

static void transform(const gyre_water *w, gy_dispersive *d, int way, float *re, float *im)
{
    d->way = way;
    d->from[0] = d->to[0] = re;
    d->from[1] = d->to[1] = im;
    for (int q = 0; q < 2; q++) {
        along(w, d, GY_OP_dispersive_transform, way == GY_TRANSFORM_FORWARD ? q : 1 - q);
    }
}

/// `way` 0: of all, two sweeps; 1: of the surface, one.
static void low_pass(const gyre_water *w, gy_dispersive *d, int way)
{
    d->way = way;
    for (int axis = 0; axis < 2; axis++) {
        if (d->n[axis] > 1) {
            along(w, d, GY_OP_dispersive_smooth, axis);
        }
    }
}

void gy_dispersive_part(gyre_water *w, float dt)
{
    work *k = w->dispersive;
    gy_dispersive *d = &k->job;
    const gyre_water_def *def = w->def;
    d->tiles = &w->tiles;
    d->plain = w->plain;
    d->h = def->grid.h;
    d->dt = dt;
    d->dry = def->dry_depth;
    d->gravity = def->gravity;
    d->reach = 2.8284271f;
    d->least = 4.0f;
    d->shoal = 0.05f;
    d->way = 0;
    rows(w, d, GY_OP_dispersive_gather);
    rows(w, d, GY_OP_dispersive_open);
    // Once for the surface alone: how wide the low-pass is shall not depend on waves, or they would
    // make shorter ones of themselves.
    low_pass(w, d, 1);
    rows(w, d, GY_OP_dispersive_calm);
    rows(w, d, GY_OP_dispersive_open);
    float *const zero[] = {d->tx, d->ty, d->pass[0], d->pass[1]};
    for (int q = 0; q < GY_COUNT(zero); q++) {
        clear(d, zero[q]);
    }
    low_pass(w, d, 0);
    rows(w, d, GY_OP_dispersive_part);
    d->way = 0;
    rows(w, d, GY_OP_dispersive_spread);
    rows(w, d, GY_OP_dispersive_put);
    note_tiles(w);
}

/// Where the bulk has drained more than the surface part lacks: the nearest water fills it up, ring
/// by ring round the cell, in a fixed order. Seldom or never.
static void repair_cell(const gy_dispersive *d, int i, int j)
{
    float *own = &d->depth[(ptrdiff_t)j * d->stride + i];
    int most = GY_MAX(d->n[0], d->n[1]);
    for (int ring = 1; ring < most && *own < 0.0f; ring++) {
        for (int y = GY_MAX(j - ring, 0); y <= GY_MIN(j + ring, d->n[1] - 1); y++) {
            for (int x = GY_MAX(i - ring, 0); x <= GY_MIN(i + ring, d->n[0] - 1); x++) {
                float *there = &d->depth[(ptrdiff_t)y * d->stride + x];
                if (*own < 0.0f && *there > 0.0f) {
                    float moved = GY_MIN(-*own, *there);
                    *there -= moved;
                    *own += moved;
                }
            }
        }
    }
}

static void repair(const gy_dispersive *d)
{
    for (int j = 0; j < d->n[1]; j++) {
        for (int i = 0; i < d->n[0] && d->row_low[j] < 0.0f; i++) {
            if (d->depth[(ptrdiff_t)j * d->stride + i] < 0.0f) {
                repair_cell(d, i, j);
            }
        }
    }
}

/// The waves' answer: what passes faces, and what becomes of their discharge.
static void answer(const gyre_water *w, gy_dispersive *d)
{
    size_t bytes = (size_t)d->stride * (size_t)d->n[1] * sizeof(float);
    int groups = GY_MAX(d->groups, 1);
    if (groups > 1) { // the bulk's surface and its discharge have been made use of
        memcpy(d->surface, d->re, bytes);
        memcpy(d->qx, d->im, bytes);
    }
    for (int g = 0; g < groups; g++) {
        d->group = d->groups ? g : -1;
        d->final = g + 1 == groups;
        for (ptrdiff_t at = 0; groups > 1 && at < (ptrdiff_t)d->stride * d->n[1]; at++) {
            bool own = d->part[at] == (float)g;
            d->re[at] = own ? d->surface[at] : 0.0f;
            d->im[at] = own ? d->qx[at] : 0.0f;
        }
        transform(w, d, GY_TRANSFORM_FORWARD, d->re, d->im);
        for (d->which = 0; d->which < d->depths; d->which++) {
            rows(w, d, GY_OP_dispersive_evolve);
            transform(w, d, GY_TRANSFORM_BACK, d->out_re, d->out_im);
            rows(w, d, GY_OP_dispersive_blend);
        }
    }
}

void gy_dispersive_join(gyre_water *w, float dt)
{
    work *k = w->dispersive;
    gy_dispersive *d = &k->job;
    const gyre_water_def *def = w->def;
    d->dt = dt;
    d->keep = def->velocity_scale * gy_expf(-(def->damping + def->friction) * dt);
    d->rough = 1.5f * dt * gy_sqrtf(def->gravity / d->h);
    float quick = dt * gy_sqrtf(def->gravity / d->h);
    d->breaking = 0.125f * GY_MIN(2.0f * quick, 1.0f);
    // depth, qx, qy are still the bulk's before its step.
    d->groups = gy_dispersive_find_parts(d);
    choose_depths(k, dt, def->gravity);
    for (d->way = 0; d->way < 2; d->way++) {
        rows(w, d, GY_OP_dispersive_carry);
    }
    answer(w, d);
    d->way = 1;
    rows(w, d, GY_OP_dispersive_gather);
    rows(w, d, GY_OP_dispersive_join);
    repair(d);
    rows(w, d, GY_OP_dispersive_share);
    rows(w, d, GY_OP_dispersive_put);
    note_tiles(w);
}
