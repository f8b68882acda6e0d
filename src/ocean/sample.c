// ocean/sample.c: the waves of a time, and the sea at a point.
//
// A patch's fields are cubic B-splines whose values at nodes are those of the spectrum (their
// coefficients come from it, divided by what the spline does to each wave), so that they, slopes
// and curvature are continuous everywhere; a wave of c cells is met to (1 / (c - 1))^4 of its
// amplitude. What rests at x is seen at x + d(x): the place at rest under a point is found by
// Newton's rounds, from the point itself.
#include "base/maths.h"
#include "device/fp.h"
#include "ocean/ocean.h"
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef float four_loose __attribute__((vector_size(16), aligned(4), may_alias));

int64_t gy_ocean_ticks(double time)
{
    double t = time * 16777216.0, most = 4e18; // five thousand years
    t = t > most ? most : t < -most ? -most : t;
    return (int64_t)(t + (t < 0.0 ? -0.5 : 0.5));
}

void gy_ocean_run(gyre_ocean *o, int cascade, int64_t ticks, bool motion, bool spline, bool deep,
                  float *fields)
{
    char *base = (char *)o->arena;
#define AT(pointer) ((uint32_t)(((char *)(pointer)-base) / 64))
    gy_ocean_args args = {.base = (uint64_t)(uintptr_t)base,

                          .time = {(uint32_t)ticks, (uint32_t)((uint64_t)ticks >> 32)},
                          .scratch = AT(o->scratch),
                          .waves = AT(o->waves[cascade]),
                          .fade = AT(o->fade[cascade]),
                          .sharpen = AT(o->filter),
                          .place = AT(o->place),
                          .twiddle = AT(o->twiddle),
                          .middle = AT(o->middle),
                          .fields = AT(fields),
                          .n = o->cells,
                          .rows = o->row_count,
                          .motion = motion,
                          .spline = spline,
                          .deep = deep};
#undef AT
    memcpy(args.radix, o->radix, sizeof args.radix);
    gyre_device *device = o->model.device;
    gy_run(device, GY_OP_ocean_columns, &args, gy_box_make(o->row_count / GY_OCEAN_LANES, 1, 1));
    gy_run(device, GY_OP_ocean_rows, &args, gy_box_make(o->cells / 2 / GY_OCEAN_LANES, 1, 1));
    size_t n = (size_t)o->cells;
    gy_device_fetch(device, fields, 3 * n * (n + GY_OCEAN_PAD) * sizeof(float));
}

/// What is left of each wave at a depth.
static void make_fade(gyre_ocean *o, float below)
{
    if (below == 0.0f || o->faded == below) {
        return;
    }
    for (int c = 0; c < o->cascades; c++) {
        double step = 6.28318530717958647693 / o->side[c];
        for (int my = 0; my < o->row_count; my++) {
            float *row = o->fade[c] +
                         (ptrdiff_t)(my / GY_OCEAN_LANES) * (o->cells / 2) * 2 * GY_OCEAN_LANES +
                         my % GY_OCEAN_LANES;
            for (int mx = 0; mx < o->cells / 2; mx++) {
                float fade[2], k = (float)(step * __builtin_sqrt((double)(mx * mx + my * my)));
                gy_ocean_fading(k, o->def->depth, below, fade);
                row[(ptrdiff_t)mx * 2 * GY_OCEAN_LANES] = fade[0];
                row[((ptrdiff_t)mx * 2 + 1) * GY_OCEAN_LANES] = fade[1];
            }
        }
        gy_device_put(o->model.device, o->fade[c],
                      (size_t)o->row_count * (size_t)o->cells * sizeof(float));
    }
    o->faded = below;
}

gy_ocean_moment *gy_ocean_moment_at(gyre_ocean *o, int64_t ticks, bool motion, float below)
{
    gy_ocean_moment *found = NULL, *oldest = &o->moments[0];
    for (int m = 0; m < GY_OCEAN_MOMENTS; m++) {
        gy_ocean_moment *one = &o->moments[m];
        if (one->made[0] && one->ticks[0] == ticks) {
            found = one;
        }
        oldest = one->used < oldest->used ? one : oldest;
    }
    if (!found) {
        found = oldest;
        found->made[0] = found->made[1] = false;
    }
    found->used = ++o->clock;
    if (!found->made[0]) {
        for (int c = 0; c < o->cascades && !o->empty; c++) {
            gy_ocean_run(o, c, ticks, false, true, false, found->part[c][0]);
        }
        found->ticks[0] = ticks;
        found->made[0] = true;
        found->bins.made = false;
    }
    gy_ocean_sort(o, found);
    if (motion && !(found->made[1] && found->ticks[1] == ticks && found->below == below)) {
        make_fade(o, below);
        for (int c = 0; c < o->cascades && !o->empty; c++) {
            gy_ocean_run(o, c, ticks, true, true, below != 0.0f, found->part[c][1]);
        }
        found->ticks[1] = ticks;
        found->below = below;
        found->made[1] = true;
    }
    return found;
}

// ---- splines

/// Where a point lies in a patch, and the weights of the 4 x 4 coefficients round it.
typedef struct taps {
    ptrdiff_t at[4]; // of each of the four rows' first
    four x, slope_x; // slopes are per metre
    float y[4], slope_y[4];
} taps;

void gy_ocean_weights(float t, float w[4])
{
    float s = 1.0f - t;
    w[0] = s * s * s / 6.0f;
    w[1] = 2.0f / 3.0f - 0.5f * t * t * (2.0f - t);
    w[2] = 2.0f / 3.0f - 0.5f * s * s * (2.0f - s);
    w[3] = t * t * t / 6.0f;
}

void gy_ocean_slopes(float t, float scale, float w[4])
{
    float s = 1.0f - t;
    w[0] = -0.5f * s * s * scale;
    w[1] = (1.5f * t - 2.0f) * t * scale;
    w[2] = (2.0f - 1.5f * s) * s * scale;
    w[3] = 0.5f * t * t * scale;
}

int gy_ocean_cell(double x, double per_side, int n, float *share)
{
    double u = x * per_side, whole = (double)(int64_t)u;
    u = (u - whole) * n; // -n .. n
    u = u < 0.0 ? u + n : u;
    int i = (int)u;
    *share = (float)(u - i);
    return i & (n - 1);
}

static taps taps_at(const gyre_ocean *o, int cascade, const double point[2])
{
    taps t;
    int n = o->cells;
    float share[2], per = (float)(n * o->per_side[cascade]), w[4], d[4];
    int i = gy_ocean_cell(point[0], o->per_side[cascade], n, &share[0]);
    int j = gy_ocean_cell(point[1], o->per_side[cascade], n, &share[1]);
    gy_ocean_weights(share[0], w);
    gy_ocean_slopes(share[0], per, d);
    memcpy(&t.x, w, sizeof w);
    memcpy(&t.slope_x, d, sizeof d);
    gy_ocean_weights(share[1], t.y);
    gy_ocean_slopes(share[1], per, t.slope_y);
    for (int q = 0; q < 4; q++) {
        t.at[q] = (ptrdiff_t)((j + q - 1) & (n - 1)) * (n + GY_OCEAN_PAD) + ((i - 1) & (n - 1));
    }
    return t;
}

static four across(const taps *t, const float *field, const float w[4])
{
    four sum = *(const four_loose *)(const void *)(field + t->at[0]) * w[0];
    for (int q = 1; q < 4; q++) {
        sum += *(const four_loose *)(const void *)(field + t->at[q]) * w[q];
    }
    return sum;
}

static float folded(four a)
{
    return (a[0] + a[2]) + (a[1] + a[3]);
}

void gy_ocean_add_patches(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                          int what, gy_ocean_here *here)
{
    float chop = o->def->choppiness;
    ptrdiff_t step = (ptrdiff_t)o->cells * (o->cells + GY_OCEAN_PAD);
    for (int c = 0; c < o->cascades && !o->empty; c++) {
        taps t = taps_at(o, c, point);
        const float *height = m->part[c][0], *x = height + step, *y = x + step;
        if (what & GY_WITH_HEIGHT) {
            four a = across(&t, height, t.y);
            here->height += folded(a * t.x);
            here->slope[0] += folded(a * t.slope_x);
            here->slope[1] += folded(across(&t, height, t.slope_y) * t.x);
        }
        if (what & GY_WITH_MOVE) {
            four ax = across(&t, x, t.y), ay = across(&t, y, t.y);
            here->move[0] += chop * folded(ax * t.x);
            here->move[1] += chop * folded(ay * t.x);
            here->stretch[0] += chop * folded(ax * t.slope_x);
            here->stretch[2] += chop * folded(ay * t.slope_x);
            here->stretch[1] += chop * folded(across(&t, y, t.slope_y) * t.x);
        }
        if (what & GY_WITH_MOTION) {
            const float *rise = m->part[c][1], *u = rise + step, *v = u + step;
            here->velocity[2] += folded(across(&t, rise, t.y) * t.x);
            here->velocity[0] += folded(across(&t, u, t.y) * t.x);
            here->velocity[1] += folded(across(&t, v, t.y) * t.x);
        }
    }
}

/// The place at rest of what is seen at a point; `here` has patches' displacement within 1e-3 of a
/// cell from there.
static void find_rest(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                      double rest[2], gy_ocean_here *here)
{
    double close = 1e-3 * o->side[o->cascades - 1] / o->cells;
    rest[0] = point[0];
    rest[1] = point[1];
    for (int round = 0; round < 24; round++) {
        gy_ocean_here all = {0};
        gy_ocean_add_patches(o, m, rest, GY_WITH_MOVE, &all);
        *here = all;
        gy_ocean_add_trains(o, m->ticks[0], rest, 0.0f, &all);
        double left[2] = {point[0] - rest[0] - (double)all.move[0],
                          point[1] - rest[1] - (double)all.move[1]};
        double a = 1.0 + (double)all.stretch[0], b = (double)all.stretch[2],
               d = 1.0 + (double)all.stretch[1], det = a * d - b * b;
        bool found = left[0] * left[0] + left[1] * left[1] < close * close;
        if (det > 0.2) {
            double x = (d * left[0] - b * left[1]) / det;
            left[1] = (a * left[1] - b * left[0]) / det;
            left[0] = x;
        }
        rest[0] += left[0];
        rest[1] += left[1];
        if (found) {
            break;
        }
    }
}

float gy_ocean_swell(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2])
{
    double rest[2];
    gy_ocean_here here = {0};
    find_rest(o, m, point, rest, &here);
    gy_ocean_add_patches(o, m, rest, GY_WITH_HEIGHT, &here);
    gy_ocean_add_trains(o, m->ticks[0], rest, 0.0f, &here);
    return here.height;
}

/// The place `under` which particles put what is seen at a point, by Newton's rounds, and what they
/// add there.
static void find_under(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                       double under[2], gy_ocean_lift *lift)
{
    for (int round = 0; round < 24; round++) {
        *lift = (gy_ocean_lift){0};
        gy_ocean_add_particles(o, m, under, lift);
        double left[2] = {point[0] - under[0] - (double)lift->move[0],
                          point[1] - under[1] - (double)lift->move[1]};
        if (left[0] * left[0] + left[1] * left[1] < 1e-10) {
            break;
        }
        double a = 1.0 + (double)lift->jacobian[0][0], b = (double)lift->jacobian[0][1],
               c = (double)lift->jacobian[1][0], d = 1.0 + (double)lift->jacobian[1][1];
        double det = a * d - b * c;
        if (det > 0.2) {
            double x = (d * left[0] - b * left[1]) / det;
            left[1] = (a * left[1] - c * left[0]) / det;
            left[0] = x;
        }
        under[0] += left[0];
        under[1] += left[1];
    }
}

/// Slopes of a surface that particles have moved: over places where it is seen in place of those
/// before. `up` is the surface's normal times its Jacobian; both come out so.
static void slant(const gy_ocean_lift *lift, float det, float up[3], float *folding)
{
    float a = 1.0f + lift->jacobian[0][0], b = lift->jacobian[0][1];
    float c = lift->jacobian[1][0], d = 1.0f + lift->jacobian[1][1], own = a * d - b * c;
    float x = up[0], y = up[1];
    up[0] = d * x - c * y;
    up[1] = a * y - b * x;
    up[2] = det * own;
    *folding = det * own;
}

void gy_ocean_find(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                   float below, gyre_ocean_sample *sample)
{
    double rest[2], under[2] = {point[0], point[1]};
    gy_ocean_here here = {0}, low = {0};
    gy_ocean_lift lift = {0};
    if (gy_ocean_slants(o)) {
        find_under(o, m, point, under, &lift);
    }
    find_rest(o, m, under, rest, &here);
    gy_ocean_add_patches(o, m, rest, GY_WITH_HEIGHT | (below == 0.0f ? GY_WITH_MOTION : 0), &here);
    gy_ocean_add_trains(o, m->ticks[0], rest, 0.0f, &here);
    if (!gy_ocean_slants(o)) {
        gy_ocean_add_particles(o, m, under, &lift);
    }
    float a = 1.0f + here.stretch[0], b = here.stretch[2], d = 1.0f + here.stretch[1];
    float det = a * d - b * b;
    // The surface's tangents are (a, b, s_x) and (b, d, s_y).
    float up[3] = {b * here.slope[1] - d * here.slope[0], b * here.slope[0] - a * here.slope[1],
                   det};
    up[0] -= lift.slope[0] * det;
    up[1] -= lift.slope[1] * det;
    sample->folding = det;
    if (gy_ocean_slants(o)) {
        slant(&lift, det, up, &sample->folding);
    }
    float length = gy_sqrtf(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
    sample->height = o->def->level + here.height + lift.height;
    const float *velocity = here.velocity;
    if (below > 0.0f) {
        gy_ocean_add_patches(o, m, point, GY_WITH_MOTION, &low);
        gy_ocean_add_trains(o, m->ticks[0], point, below, &low);
        velocity = low.velocity;
    }
    const float own[3] = {lift.drift[0], lift.drift[1], lift.rise};
    for (int q = 0; q < 3; q++) {
        sample->normal[q] = length > 0.0f ? up[q] / length : q == 2;
        sample->velocity[q] = velocity[q] + (below > 0.0f ? 0.0f : own[q]);
    }
}

// ---- many points at once

enum { BLOCK = 256 };

typedef struct look_job {
    const gyre_ocean *o;
    const gy_ocean_moment *m;
    bool flow;
    const double *points;
    int count;
    void (*put)(void *user, int k, const gy_ocean_answer *answer);
    void *user;
} look_job;

/// What a point has of linear theory, without displacement.
static void find_flow(const look_job *job, const double point[2], gy_ocean_answer *answer)
{
    gy_ocean_here here = {0};
    gy_ocean_lift lift = {0};
    gy_ocean_add_patches(job->o, job->m, point, GY_WITH_HEIGHT | GY_WITH_MOTION, &here);
    gy_ocean_add_trains(job->o, job->m->ticks[0], point, GY_OCEAN_FLOW, &here);
    gy_ocean_add_particles(job->o, job->m, point, &lift);
    *answer = (gy_ocean_answer){here.height + lift.height,
                                {here.velocity[0] + lift.flow[0], here.velocity[1] + lift.flow[1],
                                 here.velocity[2] + lift.rise}};
}

static void look_block(void *argument, int block)
{
    const look_job *job = argument;
    int first = block * BLOCK, end = GY_MIN(first + BLOCK, job->count);
    gy_fp found = gy_fp_enter();
    for (int k = first; k < end; k++) {
        const double *point = job->points + (ptrdiff_t)2 * k;
        gy_ocean_answer answer;
        if (job->flow) {
            find_flow(job, point, &answer);
        } else {
            gyre_ocean_sample sample;
            gy_ocean_find(job->o, job->m, point, 0.0f, &sample);
            answer.height = sample.height - job->o->def->level;
            memcpy(answer.velocity, sample.velocity, sizeof answer.velocity);
        }
        job->put(job->user, k, &answer);
    }
    gy_fp_leave(found);
}

// ---- questions

enum { AHEAD = 4 };

/// Asks memory for what a point will want: points lie anywhere in a patch.
static void look_ahead(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2])
{
    int n = o->cells;
    ptrdiff_t stride = n + GY_OCEAN_PAD, step = n * stride;
    for (int c = 0; c < o->cascades && !o->empty; c++) {
        float share;
        int i = gy_ocean_cell(point[0], o->per_side[c], n, &share);
        int j = gy_ocean_cell(point[1], o->per_side[c], n, &share);
        for (int q = 0; q < 4; q++) {
            ptrdiff_t at = ((j + q - 1) & (n - 1)) * stride + i;
            for (int f = 0; f < 3; f++) {
                __builtin_prefetch(m->part[c][0] + f * step + at);
                __builtin_prefetch(m->part[c][1] + f * step + at);
            }
        }
    }
}

static gyre_result check_time(const char *call, double time)
{
    if (!(time >= -1e9 && time <= 1e9)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: time is %g s, expected -1e9 to 1e9", call, time);
    }
    return GYRE_OK;
}

gyre_result gy_ocean_look(gyre_ocean *o, double time, bool flow, const double *points, int count,
                          void (*put)(void *user, int k, const gy_ocean_answer *answer), void *user)
{
    gyre_result r = check_time("sea", time);
    for (int i = 0; i < 2 * count && r == GYRE_OK; i++) {
        if (!(points[i] >= -1e9 && points[i] <= 1e9)) {
            r = gyre_fail(GYRE_ERROR_ARGUMENT,
                          "sea: point %d has a coordinate of %g m, expected -1e9 to 1e9", i / 2,
                          points[i]);
        }
    }
    if (r != GYRE_OK) {
        return r;
    }
    gy_device_enter(o->model.device);
    gy_fp found = gy_fp_enter();
    gy_ocean_refresh(o);
    look_job job = {.o = o, .flow = flow, .points = points, .count = count};
    job.put = put;
    job.user = user;
    job.m = gy_ocean_moment_at(o, gy_ocean_ticks(time), true, flow ? GY_OCEAN_FLOW : 0.0f);
    gyre_device_parallel_for(o->model.device, (count + BLOCK - 1) / BLOCK, look_block, &job);
    gy_fp_leave(found);
    gy_device_leave(o->model.device);
    return GYRE_OK;
}

gyre_result gyre_ocean_query(const gyre_ocean *ocean, double time, float below,
                             const double *points, int count, gyre_ocean_sample *samples)
{
    if (GY_MISSING("query", ocean)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = check_time("query", time);
    if (r != GYRE_OK) {
        return r;
    }
    float depth = ocean->def->depth, most = depth > 0.0f ? depth : 1e6f;
    if (count < 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "query: count is %d, expected 0 or more", count);
    }
    if (!(below >= 0.0f && below <= most)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "query: below is %g m, expected 0 to %g",
                         (double)below, (double)most);
    }
    if (count > 0 && (GY_MISSING("query", points) || GY_MISSING("query", samples))) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int i = 0; i < 2 * count; i++) {
        if (!(points[i] >= -1e9 && points[i] <= 1e9)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "query: point %d has a coordinate of %g m, expected -1e9 to 1e9",
                             i / 2, points[i]);
        }
    }
    // The waves that are kept of a time are no part of what an ocean is.
    gyre_ocean *o = (gyre_ocean *)(uintptr_t)ocean;
    gy_device_enter(o->model.device);
    gy_fp found = gy_fp_enter();
    gy_ocean_refresh(o);
    gy_ocean_moment *m = gy_ocean_moment_at(o, gy_ocean_ticks(time), true, below);
    for (int i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            look_ahead(o, m, points + (ptrdiff_t)2 * (i + AHEAD));
        }
        gy_ocean_find(o, m, points + (ptrdiff_t)2 * i, below, samples + i);
    }
    gy_fp_leave(found);
    gy_device_leave(o->model.device);
    return GYRE_OK;
}

gyre_result gyre_ocean_tile(const gyre_ocean *ocean, int cascade, double time, float *height,
                            float *displacement_x, float *displacement_y)
{
    if (GY_MISSING("tile", ocean)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = check_time("tile", time);
    if (r == GYRE_OK && (cascade < 0 || cascade >= ocean->cascades)) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT, "tile: cascade is %d, expected 0 to %d", cascade,
                      ocean->cascades - 1);
    }
    if (r != GYRE_OK) {
        return r;
    }
    gyre_ocean *o = (gyre_ocean *)(uintptr_t)ocean;
    gy_device_enter(o->model.device);
    gy_fp found = gy_fp_enter();
    gy_ocean_refresh(o);
    // In place of the waves that were asked for longest ago.
    gy_ocean_moment *m = &o->moments[o->moments[1].used < o->moments[0].used];
    m->made[0] = m->made[1] = false;
    size_t n = (size_t)o->cells, stride = n + GY_OCEAN_PAD;
    float *to[3] = {height, displacement_x, displacement_y}, *from = m->part[cascade][0];
    if (o->empty) {
        memset(from, 0, 3 * n * stride * sizeof(float));
    } else {
        gy_ocean_run(o, cascade, gy_ocean_ticks(time), false, false, false, from);
    }
    for (int f = 0; f < 3; f++) {
        for (size_t j = 0; j < n && to[f]; j++) {
            memcpy(to[f] + j * n, from + ((size_t)f * n + j) * stride, n * sizeof(float));
        }
    }
    gy_fp_leave(found);
    gy_device_leave(o->model.device);
    return GYRE_OK;
}
