// water/traces.c: what water leaves and what flows with it, as fields behind its own.
//
// Coordinates of a texture (Max and Becker 1995, Neyret 2003; gas/texture.c has the same of a gas):
// where the water at x was when phase p began is x + d_p, and
//
//     d'(x) = d(x + s) + s,    s = -dt u(x - dt u(x) / 2)
//
// s by the midpoint rule, d between cells bilinear: first order in time, as the flow is the step's
// last; second in space, and exact for a shift and a turn, whose d are linear. Beyond sides d goes
// on evenly. Ground that fell dry keeps its last d until the phase begins anew. Two or three phases
// take turns with the weights
//
//     w_p = sin^2(pi a_p / T),    a_p = (t + T p / P) mod T its age
//
// `wet` is the share of ground that is wet: 1 under water and for a film of a fiftieth of a cell,
// less below thinner ones; then w' = w - dt / drying, down to 0. `foam` is derived: the share of
// the surface that particles of foam cover, 1 - exp(-sum), each counting as its patch, spread by a
// quadratic B-spline as wide as that or three cells, coming in a fifth of a second and then
// going evenly with its life; bubbles count the less the deeper.
//
// Costs 5 ns a cell and step of wet, 25 of a phase on one thread (doc/water.md). All is the same
// bits for any number of threads.
#include "water/traces.h"
#include "base/maths.h"
#include "model/phases.h"
#include "water/breaking.h"
#include <stdio.h>
#include <string.h>

static const float FILM = 0.02f;  // cells: of that depth all ground is wet
static const float MOST_D = 1e6f; // m

static bool has_foam(const gyre_water_def *def)
{
    return def->foam.capacity > 0;
}

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

size_t gy_traces_size(const gyre_water_def *def)
{
    int coordinates = 2 * def->texture.phases;
    bool wet = def->drying > 0.0f;
    if (coordinates == 0 && !wet && !has_foam(def)) {
        return 0;
    }
    size_t cells = round64((size_t)def->grid.n[0] * (size_t)def->grid.n[1] * sizeof(float));
    int arrays = 2 * coordinates + wet + has_foam(def) + (coordinates > 0 ? 2 : 0);
    return round64(sizeof(gy_traces)) + (size_t)arrays * cells;
}

/// Puts a field behind those that are there.
static int list_field(gy_traces *t, gyre_field_info info)
{
    t->fields[GY_FIELDS + t->count] = info;
    return t->count++;
}

void gy_traces_make(gyre_water *w)
{
    gy_traces *t = w->traces;
    const gyre_water_def *def = w->def;
    size_t cells = round64((size_t)def->grid.n[0] * (size_t)def->grid.n[1] * sizeof(float));
    char *at = (char *)t + round64(sizeof *t);
    t->coordinates = 2 * def->texture.phases;
    t->wet = t->foam = -1;
    memcpy(t->fields, w->fields, sizeof w->fields);
    for (int q = 0; q < t->coordinates; q++) {
        snprintf(t->names[q], sizeof t->names[q], "texture_%d_%c", q / 2, "xy"[q % 2]);
        list_field(t,
                   (gyre_field_info){t->names[q], "m", GYRE_CENTRE, GYRE_VIEW_SIGNED, false, false,
                                     "from a cell to where its water was", GYRE_ROLE_TEXTURE});
    }
    if (def->drying > 0.0f) {
        t->wet = list_field(t, (gyre_field_info){"wet", "1", GYRE_CENTRE, GYRE_VIEW_FRACTION, false,
                                                 true, "share of the ground that is wet",
                                                 GYRE_ROLE_NONE});
    }
    if (has_foam(def)) {
        t->foam =
            list_field(t, (gyre_field_info){"foam", "1", GYRE_CENTRE, GYRE_VIEW_FRACTION, true,
                                            true, "share that foam covers", GYRE_ROLE_NONE});
    }
    for (int q = 0; q < t->count; q++, at += cells) {
        t->field[q] = (float *)(void *)at;
    }
    for (int q = 0; q < t->coordinates; q++, at += cells) {
        t->next[q] = (float *)(void *)at;
    }
    for (int a = 0; a < 2 && t->coordinates > 0; a++, at += cells) {
        t->flow[a] = (float *)(void *)at;
    }
    w->model.fields = t->fields;
    w->model.field_count = GY_FIELDS + t->count;
}

float *gy_trace_of(const gyre_water *w, int field)
{
    return w->traces->field[field - GY_FIELDS];
}

// ---- a step

typedef struct trace_job {
    gyre_water *water;
    gy_traces *traces;
    float dt, pace; // s; that over a cell's width
    bool periodic[2];
    bool begins;
} trace_job;

/// Wet ground of a row.
static void wet_row(const trace_job *job, int j)
{
    const gyre_water *w = job->water;
    const gy_tiles *tiles = &w->tiles;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    float *wet = job->traces->field[job->traces->wet] + (ptrdiff_t)j * tiles->n[0];
    float less = job->begins ? 1.0f : job->dt / w->def->drying;
    float per = 1.0f / (FILM * w->grid.h);
    for (int i = 0; i < tiles->n[0]; i++) {
        int place, slot = gy_tiles_find(tiles, i, j, &place);
        bool out = slot < 0 || (gy_tile_flags(tiles, slot)[place] & GY_CELL_OUT);
        float depth = 0.0f;
        if (!out) {
            depth = gy_tile_state(tiles, slot, GY_WATER_DEPTH)[place];
            depth += wave ? w->def->level - gy_tile_array(tiles, slot, GY_WATER_BED)[place] : 0.0f;
        }
        float now = depth > w->def->dry_depth ? GY_MIN(depth * per, 1.0f) : 0.0f;
        float then = wet[i] - less;
        wet[i] = GY_MAX(GY_MAX(now, then), 0.0f);
    }
}

/// Velocities of a row; 0 where there is no water.
static void flow_row(const trace_job *job, int j)
{
    const gyre_water *w = job->water;
    const gy_tiles *tiles = &w->tiles;
    const gy_traces *t = job->traces;
    float *u = t->flow[0] + (ptrdiff_t)j * tiles->n[0];
    float *v = t->flow[1] + (ptrdiff_t)j * tiles->n[0];
    bool plain = w->def->mode != GYRE_WATER_WAVE && !w->sea;
    float cap = w->def->speed_cap, dry = w->def->dry_depth;
    for (int i = 0; i < tiles->n[0]; i++) {
        int place, slot = gy_tiles_find(tiles, i, j, &place);
        bool out = slot < 0 || (gy_tile_flags(tiles, slot)[place] & GY_CELL_OUT);
        u[i] = v[i] = 0.0f;
        if (!out && plain) {
            float depth = gy_tile_state(tiles, slot, GY_WATER_DEPTH)[place];
            float per = depth > dry ? 1.0f / depth : 0.0f;
            float x = gy_tile_state(tiles, slot, GY_WATER_QX)[place] * per;
            float y = gy_tile_state(tiles, slot, GY_WATER_QY)[place] * per;
            u[i] = GY_MAX(GY_MIN(x, cap), -cap);
            v[i] = GY_MAX(GY_MIN(y, cap), -cap);
        } else if (!out) {
            u[i] = gy_water_derived(w, GY_FIELD_velocity_x, i, j);
            v[i] = gy_water_derived(w, GY_FIELD_velocity_y, i, j);
        }
    }
}

static void look_row(void *argument, int j)
{
    const trace_job *job = argument;
    if (job->traces->wet >= 0) {
        wet_row(job, j);
    }
    if (job->traces->coordinates > 0) {
        flow_row(job, j);
    }
}

/// Four cells round a place and how far it is between them.
typedef struct quad {
    ptrdiff_t at[4];
    float share[2];
} quad;

/// The cells at or before and behind a place along an axis of n cells, and how far it is between.
GY_INLINE float along(bool periodic, int n, float at, int *low, int *high)
{
    float size = (float)n;
    if (periodic && (at < 0.0f || at >= size)) {
        at -= size * gy_floorf(at / size);
    }
    at = GY_MAX(GY_MIN(at, periodic ? size : size - 1.0f), 0.0f);
    *low = GY_MIN((int)at, n - 1);
    *high = *low + 1 < n ? *low + 1 : periodic ? 0 : *low;
    return at - (float)*low;
}

/// Of a place in cells from the middle of the first one.
GY_INLINE quad quad_at(const trace_job *job, float x, float y)
{
    const int *n = job->water->tiles.n;
    int i[2], j[2];
    quad q;
    q.share[0] = along(job->periodic[0], n[0], x, &i[0], &i[1]);
    q.share[1] = along(job->periodic[1], n[1], y, &j[0], &j[1]);
    ptrdiff_t low = (ptrdiff_t)j[0] * n[0], high = (ptrdiff_t)j[1] * n[0];
    q.at[0] = low + i[0];
    q.at[1] = low + i[1];
    q.at[2] = high + i[0];
    q.at[3] = high + i[1];
    return q;
}

GY_INLINE float between(const float *f, const quad *q)
{
    float low = f[q->at[0]] + (f[q->at[1]] - f[q->at[0]]) * q->share[0];
    float high = f[q->at[2]] + (f[q->at[3]] - f[q->at[2]]) * q->share[0];
    return low + (high - low) * q->share[1];
}

GY_INLINE float held(float x, float most)
{
    return GY_MAX(GY_MIN(x, most), -most);
}

static void carry_row(void *argument, int j)
{
    const trace_job *job = argument;
    const gy_traces *t = job->traces;
    const int *n = job->water->tiles.n;
    float h = job->water->grid.h, wide = (float)n[0], high = (float)n[1], pace = job->pace;
    const float *u = t->flow[0], *v = t->flow[1];
    for (int i = 0; i < n[0]; i++) {
        ptrdiff_t to = i + (ptrdiff_t)j * n[0];
        float x = 0.0f, y = 0.0f;
        if (u[to] != 0.0f || v[to] != 0.0f) {
            quad half = quad_at(job, (float)i + held(-0.5f * pace * u[to], wide),
                                (float)j + held(-0.5f * pace * v[to], high));
            x = held(-pace * between(u, &half), wide);
            y = held(-pace * between(v, &half), high);
        }
        quad from = quad_at(job, (float)i + x, (float)j + y);
        for (int q = 0; q < t->coordinates; q += 2) {
            t->next[q][to] = held(between(t->field[q], &from) + x * h, MOST_D);
            t->next[q + 1][to] = held(between(t->field[q + 1], &from) + y * h, MOST_D);
        }
    }
}

static trace_job job_of(gyre_water *w, float dt)
{
    return (trace_job){.water = w,
                       .traces = w->traces,
                       .dt = dt,
                       .pace = dt / w->grid.h,
                       .periodic = {w->def->sides.x_low.rule == GYRE_WATER_PERIODIC,
                                    w->def->sides.y_low.rule == GYRE_WATER_PERIODIC}};
}

void gy_traces_step(gyre_water *w, float dt)
{
    gy_traces *t = w->traces;
    trace_job job = job_of(w, dt);
    if (!t) {
        return;
    }
    if (t->wet >= 0 || t->coordinates > 0) {
        gyre_device_parallel_for(w->model.device, w->tiles.n[1], look_row, &job);
    }
    if (t->coordinates > 0) {
        gyre_device_parallel_for(w->model.device, w->tiles.n[1], carry_row, &job);
        for (int q = 0; q < t->coordinates; q++) {
            float *old = t->field[q];
            t->field[q] = t->next[q];
            t->next[q] = old;
        }
    }
}

void gy_traces_begin(gyre_water *w)
{
    trace_job job = job_of(w, 0.0f);
    job.begins = true;
    if (w->traces && w->traces->wet >= 0) {
        gyre_device_parallel_for(w->model.device, w->tiles.n[1], look_row, &job);
    }
}

// ---- phases

void gy_traces_renew(gyre_water *w, double before)
{
    const gyre_water_texture *def = &w->def->texture;
    size_t cells = (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
    double since;
    for (int p = 0; w->traces && def->phases > 1 && p < def->phases; p++) {
        if (gy_phase_turns(def->phases, def->period, p, before, &since) !=
            gy_phase_turns(def->phases, def->period, p, w->model.time, &since)) {
            memset(w->traces->field[2 * p], 0, cells * sizeof(float));
            memset(w->traces->field[2 * p + 1], 0, cells * sizeof(float));
        }
    }
}

void gy_traces_tell(const gyre_model *model, gyre_texture *texture)
{
    const gyre_water *w = (const gyre_water *)model;
    const gyre_water_texture *t = &w->def->texture;
    texture->phases = w->traces ? t->phases : 0;
    for (int p = 0; p < texture->phases; p++) {
        double since;
        int64_t turns = gy_phase_turns(t->phases, t->period, p, model->time, &since);
        // A place of its own for each beginning; so many that none is seen to come again.
        float place = (float)((turns * t->phases + p) % 64);
        float half = gy_sinf((float)(3.14159265358979323846 * since));
        texture->weight[p] = t->phases == 1 ? 1.0f : half * half;
        texture->age[p] = t->phases == 1 ? model->time : since * (double)t->period;
        for (int a = 0; a < 2; a++) {
            texture->field[p][a] = GY_FIELDS + 2 * p + a;
            texture->offset[p][a] = t->phases == 1 ? 0.0f : place * t->offset[a];
        }
    }
}

// ---- what foam covers

/// A quadratic B-spline, 3 wide.
static float spline(float x)
{
    x = x < 0.0f ? -x : x;
    return x < 0.5f ? 0.75f - x * x : x < 1.5f ? 0.5f * (1.5f - x) * (1.5f - x) : 0.0f;
}

static float smooth(float x)
{
    x = GY_MAX(GY_MIN(x, 1.0f), 0.0f);
    return x * x * (3.0f - 2.0f * x);
}

static void lay(const gyre_water *w, float *cover, const float at[2], float amount, float wide)
{
    const int *n = w->tiles.n;
    int low[2], high[2];
    float place[2];
    for (int a = 0; a < 2; a++) {
        place[a] = (at[a] - w->grid.origin[a]) / w->grid.h - 0.5f;
        float first = gy_floorf(place[a] - 1.5f * wide) + 1.0f, last = place[a] + 1.5f * wide;
        low[a] = first > 0.0f ? (int)GY_MIN(first, (float)n[a]) : 0;
        high[a] = last > 0.0f ? (int)GY_MIN(last + 1.0f, (float)n[a]) : 0;
    }
    for (int j = low[1]; j < high[1]; j++) {
        float row = amount * spline(((float)j - place[1]) / wide);
        for (int i = low[0]; i < high[0]; i++) {
            cover[i + (ptrdiff_t)j * n[0]] += row * spline(((float)i - place[0]) / wide);
        }
    }
}

void gy_traces_cover(gyre_water *w)
{
    const gy_traces *t = w->traces;
    if (!t || t->foam < 0) {
        return;
    }
    const gy_particles *s = &w->breaking->sets[GY_SET_FOAM];
    const gyre_water_foam *def = &w->def->foam;
    size_t cells = (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
    float *cover = t->field[t->foam], h = w->grid.h;
    const float *x = gy_particles_array(s, GY_AIR_POSITION, 0);
    const float *y = gy_particles_array(s, GY_AIR_POSITION, 1);
    const float *age = gy_particles_array(s, GY_AIR_AGE, 0);
    const float *below = gy_particles_array(s, GY_FOAM_BELOW, 0);
    float wide = GY_MAX(def->patch / (3.0f * h), 1.0f);
    float area = 0.785f * def->patch * def->patch / (h * h * wide * wide);
    memset(cover, 0, cells * sizeof *cover);
    for (int64_t k = 0; k < s->state.count; k++) {
        float fades = smooth(5.0f * age[k]) * GY_MAX(1.0f - age[k] / def->life, 0.0f);
        float deep = GY_MAX(1.0f - below[k] / GY_MAX(def->patch, 1e-6f), 0.0f);
        lay(w, cover, (const float[2]){x[k], y[k]}, area * fades * deep, wide);
    }
    for (size_t c = 0; c < cells; c++) {
        cover[c] = cover[c] > 0.0f ? 1.0f - gy_expf(-cover[c]) : 0.0f;
    }
}

// ---- from outside

void gy_trace_hold(gyre_water *w, int field)
{
    const gy_traces *t = w->traces;
    size_t cells = (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
    float *f = gy_trace_of(w, field), low = -MOST_D, high = MOST_D;
    if (field - GY_FIELDS >= t->coordinates) {
        low = 0.0f;
        high = 1.0f;
    }
    for (size_t c = 0; c < cells; c++) {
        f[c] = GY_MAX(GY_MIN(f[c], high), low);
    }
}

void gy_trace_splat(gyre_water *w, int field, const float at[3], float radius, float amount)
{
    float *f = gy_trace_of(w, field), r = radius / w->grid.h;
    const int *n = w->tiles.n;
    for (int j = 0; j < n[1]; j++) {
        for (int i = 0; i < n[0]; i++) {
            float x = ((float)i + 0.5f - (at[0] - w->grid.origin[0]) / w->grid.h) / r;
            float y = ((float)j + 0.5f - (at[1] - w->grid.origin[1]) / w->grid.h) / r;
            float less = 1.0f - x * x - y * y;
            f[i + (ptrdiff_t)j * n[0]] += less > 0.0f ? amount * less * less : 0.0f;
        }
    }
    gy_trace_hold(w, field);
}

/// A sample's cell before the grid moved; held to what was there.
static int before(const trace_job *job, int axis, int i, int by, bool *was)
{
    int n = job->water->tiles.n[axis], from = i + by;
    if (job->periodic[axis]) {
        return (from % n + n) % n;
    }
    *was = *was && from >= 0 && from < n;
    return GY_MAX(0, GY_MIN(from, n - 1));
}

void gy_traces_moved(gyre_water *w, const int cells[2])
{
    gy_traces *t = w->traces;
    if (!t) {
        return;
    }
    const int *n = w->tiles.n;
    trace_job job = job_of(w, 0.0f);
    float *row = w->journey.items; // as large as the fields of the state together
    for (int q = 0; q < t->count; q++) {
        if (q == t->foam) {
            continue;
        }
        memcpy(row, t->field[q], (size_t)n[0] * (size_t)n[1] * sizeof *row);
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                bool was = true;
                int x = before(&job, 0, i, cells[0], &was), y = before(&job, 1, j, cells[1], &was);
                float value = row[x + (ptrdiff_t)y * n[0]];
                t->field[q][i + (ptrdiff_t)j * n[0]] = was || q != t->wet ? value : 0.0f;
            }
        }
    }
    if (t->wet >= 0) {
        job.dt = 0.0f;
        for (int j = 0; j < n[1]; j++) {
            wet_row(&job, j);
        }
    }
    gy_traces_cover(w);
}
