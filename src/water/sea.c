// water/sea.c: water as a window of a sea that is known everywhere, as a function of time.
//
// difference:  surface = level + d + s eta(x, t),   velocity = q / depth + s u(x, t)
// whole:       depth = level - bed + s eta,   q = s Q   in the rim, at the start and in what a
//              window that moves on finds; all else follows by the water's own step
//
// eta, u, Q: the sea's height over its level, the velocity of its surface, and its depth-integrated
// discharge. s, its share, is 1 where the water at rest is deeper than `shore`, and falls by
// x^2 (3 - 2 x), x the depth over `shore`, to 0 at the waterline: a sea that is not simulated
// floods no beach. Its troughs take nine tenths of the depth at rest at most.
//
// In `difference` the flow, the ledger and the fields of the state know nothing of the sea: over no
// bodies, walls and sources they stay as they are, to the bit. What looks at the surface adds it:
// derived fields, questions, bodies. These see the sea of a step's beginning, and push the
// difference alone. In `whole` the sea is state like all else, and its line of the ledger says what
// rim and start have brought.
//
// The walls behind a rim are not the sea's, and a step does not know: pressure reaches a wave's
// length far, and no rim is so wide. So a twin of the water, flat and with nothing in it, is put to
// the sea as it is at a step's beginning and stepped, too. What it lacks then of the sea at the
// step's end, all that the step gets wrong of a sea by walls, cells and short waves, is added to
// the water, times s: over a flat bed the sea passes as it is; what differs from it is the step's.
//
// Cost of `difference`: the sea is asked once a step in each cell, and two times in a step before
// which its waves have been changed or the window has moved; of `whole` once, and its flow is
// that of two waters.
// A question of an ocean takes half a microsecond to a microsecond a cell, less without
// displacement (gyre bench water).
#include "water/sea.h"
#include "base/maths.h"
#include "water/breaking.h"
#include "water/rim.h"
#include "water/water.h"
#include <string.h>

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

gyre_result gy_water_sea_check(const gyre_water_def *def)
{
    const gyre_water_side *sides = &def->sides.x_low;
    if (def->sea.carries == GYRE_WATER_WHOLE && def->mode != GYRE_WATER_DISPERSIVE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sea.carries: found \"whole\", which mode dispersive alone can: its waves "
                         "run as a sea's do; expected \"difference\"");
    }
    if (def->sea.carries && gy_breaking_wanted(def)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "sea.carries: nothing breaks, flies or foams in a "
                                              "window of a sea; expected \"alone\", or no "
                                              "breaking, spray and foam");
    }
    if (def->sea.carries && def->every > 1) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "every: found %d, expected 1: a window of a sea (sea.carries) is stepped "
                         "as the sea is",
                         def->every);
    }
    for (int q = 0; q < GY_WATER_SIDES && def->sea.carries; q++) {
        if (sides[q].rule == GYRE_WATER_PERIODIC && def->grid.n[q / 2] > 1) {
            return gyre_fail(
                GYRE_ERROR_ARGUMENT,
                "sea.carries: a window of a sea has no periodic sides, found one along "
                "%c; expected \"open\"",
                q / 2 ? 'y' : 'x');
        }
    }
    return GYRE_OK;
}

static size_t cells_of(const gyre_water_def *def)
{
    return (size_t)def->grid.n[0] * (size_t)def->grid.n[1];
}

size_t gy_water_sea_size(const gyre_water_def *def)
{
    size_t one = 2 * sizeof(double) + sizeof(gyre_water_swell) + sizeof(gy_rim_state);
    size_t arrays = def->sea.carries == GYRE_WATER_DIFFERENCE ? GY_SEA_ARRAYS : 0;
    return def->sea.carries == GYRE_WATER_ALONE
               ? 0
               : round64(sizeof(gy_water_sea)) + GY_SEA_POINTS * one +
                     arrays * round64(cells_of(def) * sizeof(float));
}

void gy_water_sea_make(gy_water_sea *s, const gyre_water_def *def, void *line)
{
    char *at = (char *)s + round64(sizeof *s);
    *s = (gy_water_sea){.line = line};
    s->points = (void *)at;
    at += GY_SEA_POINTS * 2 * sizeof(double);
    s->answers = (void *)at;
    at += GY_SEA_POINTS * sizeof *s->answers;
    s->targets = (void *)at;
    at += GY_SEA_POINTS * sizeof *s->targets;
    for (int k = 0; k < GY_SEA_ARRAYS && def->sea.carries == GYRE_WATER_DIFFERENCE; k++) {
        s->array[k] = (void *)at;
        at += round64(cells_of(def) * sizeof(float));
    }
}

const float *const *gy_water_sea_arrays(const gyre_water *w)
{
    bool is = w->sea && w->sea->array[0] && w->sea->outside.ask;
    return is ? (const float *const *)w->sea->array : NULL;
}

void gy_water_sea_stale(gyre_water *w)
{
    if (w->sea) {
        w->sea->fresh = false;
    }
}

// ---- what the sea is at cells

/// The depth of the water at rest; 0: there is none.
static float rest_at(const gyre_water *w, int i, int j)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot >= 0 && gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT) {
        return 0.0f;
    }
    float bed =
        slot >= 0 ? gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] : gy_water_bed_at(w, i, j);
    float rest = gy_water_level_at(w) - bed;
    return rest > 0.0f ? rest : 0.0f;
}

static float share_of(const gyre_water *w, float rest)
{
    float shore = w->def->sea.shore, x = rest < shore ? rest / shore : 1.0f;
    return rest > 0.0f ? x * x * (3.0f - 2.0f * x) : 0.0f;
}

static float height_of(const gyre_water_swell *answer, float rest, float share)
{
    float height = share * answer->height;
    return height > -0.9f * rest ? height : -0.9f * rest;
}

/// Cell k's middle in the world, wherever its origin has gone.
static void put_point(const gyre_water *w, int k, int i, int j)
{
    const gyre_grid *g = &w->def->grid;
    const int32_t *moved = w->model.place.moved;
    w->sea->points[2 * k] = (double)g->origin[0] + (moved[0] + i + 0.5) * (double)g->h;
    w->sea->points[2 * k + 1] = (double)g->origin[1] + (moved[1] + j + 0.5) * (double)g->h;
}

/// Asks about `count` points that were put.
static gyre_result ask(const gyre_water *w, double time, int count)
{
    gy_water_sea *s = w->sea;
    bool whole = w->def->sea.carries == GYRE_WATER_WHOLE;
    gyre_result r = s->outside.ask(s->outside.user, time, whole, s->points, count, s->answers);
    for (int k = 0; k < count && r == GYRE_OK; k++) {
        const float *a = &s->answers[k].height;
        for (int q = 0; q < (int)(sizeof *s->answers / sizeof *a); q++) {
            if (!(a[q] >= -1e5f && a[q] <= 1e5f)) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "sea: the answer at (%g, %g) m and %g s has a %s of %g, expected "
                                 "-1e5 to 1e5",
                                 s->points[2 * k], s->points[2 * k + 1], time,
                                 q == 0  ? "height"
                                 : q < 4 ? "velocity"
                                         : "discharge",
                                 (double)a[q]);
            }
        }
    }
    return r;
}

static gyre_result fill_arrays(const gyre_water *w)
{
    gy_water_sea *s = w->sea;
    int n = w->tiles.n[0], all = n * w->tiles.n[1];
    gyre_result r = GYRE_OK;
    for (int from = 0; from < all && r == GYRE_OK; from += GY_SEA_POINTS) {
        int count = GY_MIN(GY_SEA_POINTS, all - from);
        for (int k = 0; k < count; k++) {
            put_point(w, k, (from + k) % n, (from + k) / n);
        }
        r = ask(w, w->model.time, count);
        for (int k = 0; k < count && r == GYRE_OK; k++) {
            const gyre_water_swell *a = &s->answers[k];
            float rest = rest_at(w, (from + k) % n, (from + k) / n), share = share_of(w, rest);
            s->array[GY_SEA_HEIGHT][from + k] = height_of(a, rest, share);
            for (int d = 0; d < 3; d++) {
                s->array[GY_SEA_U + d][from + k] = share * a->velocity[d];
            }
        }
    }
    return r;
}

static uint64_t changes_of(const gy_water_sea *s)
{
    return s->outside.changes ? s->outside.changes(s->outside.user) : 0;
}

gyre_result gy_water_sea_refresh(gyre_water *w)
{
    gy_water_sea *s = w->sea;
    uint64_t changes = s->outside.ask ? changes_of(s) : 0;
    bool there = s->fresh && s->time == w->model.time && s->changes == changes &&
                 memcmp(s->moved, w->model.place.moved, sizeof s->moved) == 0;
    if (there || !s->outside.ask || !s->array[0]) {
        return GYRE_OK;
    }
    gyre_result r = fill_arrays(w);
    s->fresh = r == GYRE_OK;
    s->time = w->model.time;
    s->changes = changes;
    memcpy(s->moved, w->model.place.moved, sizeof s->moved);
    for (int slot = 0; slot < w->tiles.used; slot++) {
        gy_snapshots_note(w, slot);
    }
    return r;
}

gyre_result gy_water_sea_begin(gyre_water *w)
{
    if (!w->sea->outside.ask) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "step: this water is to be a window of a sea (sea.carries) and is joined "
                         "to none: gyre_sea_join(), or a coupling with \"window\" and \"sea\"");
    }
    w->sea->result = GYRE_OK;
    return gy_water_sea_refresh(w);
}

gyre_result gy_water_sea_end(gyre_water *w)
{
    gyre_result r = gy_water_sea_refresh(w);
    return w->sea->result != GYRE_OK ? w->sea->result : r;
}

// ---- the whole sea

/// What the cell of answer k holds where it is all the sea's.
static gy_rim_state state_of(const gyre_water *w, int k, int i, int j)
{
    const gyre_water_swell *a = &w->sea->answers[k];
    float rest = rest_at(w, i, j), share = share_of(w, rest);
    return (gy_rim_state){rest + height_of(a, rest, share),
                          {share * a->discharge[0], share * a->discharge[1]}};
}

// ---- the twin

/// Level water over a flat bed, with nothing in it, of the same cells.
static gyre_water_def twin_def(const gyre_water_def *def, float depth)
{
    gyre_water_def twin = *def;
    gyre_pool *const pools[] = {&twin.edges,   &twin.gates,   &twin.lakes, &twin.blocks,
                                &twin.sources, &twin.uplifts, &twin.bodies};
    for (int p = 0; p < GY_COUNT(pools); p++) {
        *pools[p] = (gyre_pool){0};
    }
    twin.bed = gyre_water_default_def(2).bed;
    twin.bed.flat = def->level - depth;
    twin.mask = (gyre_volume){0};
    twin.fill = true;
    twin.tiles = 0;
    twin.sea.carries = GYRE_WATER_ALONE;
    twin.follow[0] = 0;
    twin.dust.capacity = 0;
    twin.queries = false;
    twin.rain = twin.evaporation = twin.damping = twin.manning = twin.friction = 0.0f;
    twin.acceleration[0] = twin.acceleration[1] = twin.max_slope = 0.0f;
    twin.velocity_scale = 1.0f;
    return twin;
}

size_t gy_water_sea_twin_size(const gyre_water_def *def)
{
    gyre_water_def twin = twin_def(def, 1.0f);
    return def->sea.carries == GYRE_WATER_WHOLE ? gy_water_bytes(&twin) : 0;
}

gyre_result gy_water_sea_make_twin(gyre_water *w, gyre_device *device)
{
    const int *n = w->tiles.n;
    float depth = 0.0f;
    for (int k = 0; k < 2 * (n[0] + n[1]); k++) { // cells along the sides
        bool low = k < 2 * n[0];
        int at = low ? k : k - 2 * n[0], i = low ? at % n[0] : at / n[1] * (n[0] - 1);
        float rest = rest_at(w, i, low ? at / n[0] * (n[1] - 1) : at % n[1]);
        depth = GY_MAX(depth, rest);
    }
    gyre_model *model = NULL;
    gyre_water_def def = twin_def(w->def, depth > 0.0f ? depth : 1.0f);
    gyre_result r = gy_water_make(device, &def, &model);
    w->sea->twin = (gyre_water *)model;
    return r;
}

void gy_water_sea_free_twin(gyre_water *w)
{
    if (w->sea && w->sea->twin) {
        gy_water_unmake(&w->sea->twin->model);
    }
}

/// A cell of the twin, or of the water: where its three numbers are. False: it has no memory.
static bool numbers_of(gyre_water *w, int i, int j, float *to[3])
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    for (int a = 0; a < 3 && slot >= 0; a++) {
        to[a] = &gy_tile_edit(&w->tiles, slot, a)[place];
    }
    return slot >= 0;
}

/// Brings the twin to the sea of a time. `correct`: what the twin has got wrong in the step before
/// is put right in the water; returns what of depth that brought.
static double bring_twin(gyre_water *w, double time, bool correct)
{
    gy_water_sea *s = w->sea;
    gyre_water *twin = s->twin;
    int n = w->tiles.n[0], all = n * w->tiles.n[1];
    float level = gy_water_level_at(twin), depth = level - gy_water_bed_at(twin, 0, 0);
    double brought = 0.0;
    for (int from = 0; from < all && s->result == GYRE_OK; from += GY_SEA_POINTS) {
        int count = GY_MIN(GY_SEA_POINTS, all - from);
        for (int k = 0; k < count; k++) {
            put_point(w, k, (from + k) % n, (from + k) / n);
        }
        s->result = ask(w, time, count);
        for (int k = 0; k < count && s->result == GYRE_OK; k++) {
            const gyre_water_swell *a = &s->answers[k];
            const float to[3] = {depth + a->height, a->discharge[0], a->discharge[1]};
            float *its[3], *own[3];
            int i = (from + k) % n, j = (from + k) / n;
            float rest = rest_at(w, i, j), share = share_of(w, rest);
            if (!numbers_of(twin, i, j, its)) {
                continue;
            }
            bool right = correct && rest > 0.0f && numbers_of(w, i, j, own);
            for (int q = 0; q < 3; q++) {
                float old = right ? *own[q] : 0.0f, now = old + share * (to[q] - *its[q]);
                now = q == 0 && now < 0.0f ? 0.0f : now;
                if (right) {
                    *own[q] = now;
                    brought += q == 0 ? (double)now - (double)old : 0.0;
                }
                *its[q] = to[q] > 0.0f || q > 0 ? to[q] : 0.0f;
            }
        }
    }
    s->fresh = s->result == GYRE_OK;
    s->time = time;
    s->changes = changes_of(s);
    memcpy(s->moved, w->model.place.moved, sizeof s->moved);
    return brought;
}

void gy_water_sea_let_in(gyre_water *w, float dt)
{
    const gy_layer_cell *cells = w->layers.items;
    gy_water_sea *s = w->sea;
    gyre_water *twin = s->twin;
    double brought = 0.0;
    bool there = s->fresh && s->time == w->model.time && s->changes == changes_of(s) &&
                 memcmp(s->moved, w->model.place.moved, sizeof s->moved) == 0;
    if (!there) {
        bring_twin(w, w->model.time, false);
    }
    twin->layers.count = twin->makers.count = 0; // a sea is not damped, and makes itself
    twin->def->gravity = w->def->gravity;
    twin->def->courant = w->def->courant;
    twin->def->max_substeps = w->def->max_substeps;
    twin->def->dry_depth = w->def->dry_depth;
    if (s->result == GYRE_OK) {
        s->result = gy_water_step(&twin->model, dt);
    }
    brought = s->result == GYRE_OK ? bring_twin(w, s->until, true) : 0.0;
    float deep = gy_water_level_at(twin) - gy_water_bed_at(twin, 0, 0);
    for (int from = 0; from < w->layers.count && s->result == GYRE_OK; from += GY_SEA_POINTS) {
        int count = GY_MIN(GY_SEA_POINTS, w->layers.count - from);
        for (int k = 0; k < count; k++) {
            const gy_layer_cell *cell = &cells[from + k];
            float *its[3], zero[3] = {deep, 0.0f, 0.0f};
            bool is = numbers_of(twin, cell->i, cell->j, its);
            s->answers[k] =
                (gyre_water_swell){.height = (is ? *its[0] : zero[0]) - deep,
                                   .discharge = {is ? *its[1] : zero[1], is ? *its[2] : zero[2]}};
            s->targets[k] = state_of(w, k, cell->i, cell->j);
        }
        brought += gy_rim_relax(w, cells + from, s->targets, count, dt);
    }
    *s->line += brought;
}

/// Gives cells that had water at rest the sea's state: those of points that were put, whose numbers
/// are in the first of `targets`.
static gyre_result give(gyre_water *w, const int *cells, int count)
{
    gyre_result r = ask(w, w->model.time, count);
    for (int k = 0; k < count && r == GYRE_OK; k++) {
        int i = cells[k] % w->tiles.n[0], j = cells[k] / w->tiles.n[0], place;
        int slot = gy_tiles_find(&w->tiles, i, j, &place);
        if (slot < 0 || !(rest_at(w, i, j) > 0.0f)) {
            continue;
        }
        gy_rim_state to = state_of(w, k, i, j);
        gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place] = to.depth;
        gy_tile_edit(&w->tiles, slot, GY_WATER_QX)[place] = to.q[0];
        gy_tile_edit(&w->tiles, slot, GY_WATER_QY)[place] = to.q[1];
        w->touched[slot] = 2;
    }
    return r;
}

/// All cells that were not in a window that has moved by so many: from then on they are the sea's.
static gyre_result give_new(gyre_water *w, const int by[2])
{
    int cells[256], count = 0;
    gyre_result r = GYRE_OK;
    for (int k = 0; k < w->tiles.n[0] * w->tiles.n[1] && r == GYRE_OK; k++) {
        int i = k % w->tiles.n[0], j = k / w->tiles.n[0], x = i + by[0], y = j + by[1];
        if (x >= 0 && y >= 0 && x < w->tiles.n[0] && y < w->tiles.n[1]) {
            continue;
        }
        put_point(w, count, i, j);
        cells[count++] = k;
        if (count == GY_COUNT(cells)) {
            r = give(w, cells, count);
            count = 0;
        }
    }
    return r == GYRE_OK && count ? give(w, cells, count) : r;
}

gyre_result gy_water_sea_shifted(gyre_water *w, const int cells[2])
{
    if (!w->sea->outside.ask) {
        return GYRE_OK;
    }
    return w->sea->array[0] ? gy_water_sea_refresh(w) : give_new(w, cells);
}

// ---- joining

static gyre_result check(const gyre_water *w, const gyre_water_outside *o)
{
    if (!w->sea) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "join: this water is made to be alone; expected sea.carries "
                         "\"difference\" or \"whole\"");
    }
    if (!o->ask) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "join: ask is NULL, expected a function");
    }
    float off = o->level - w->def->level, apart = o->gravity - w->def->gravity;
    if (!(off > -1e-4f && off < 1e-4f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "join: the sea's level is %g m and the water's %g m; expected the same",
                         (double)o->level, (double)w->def->level);
    }
    if (!(apart > -1e-4f && apart < 1e-4f)) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "join: the sea's gravity is %g m/s^2 and the water's %g; expected the same",
            (double)o->gravity, (double)w->def->gravity);
    }
    return GYRE_OK;
}

gyre_result gyre_water_join(gyre_water *w, const gyre_water_outside *outside)
{
    if (GY_MISSING("join", w)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(&w->model, "join") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(w->model.device);
    gyre_result r = outside ? check(w, outside) : GYRE_OK;
    if (r == GYRE_OK && w->sea) {
        gyre_water_outside before = w->sea->outside;
        w->sea->outside = outside ? *outside : (gyre_water_outside){0};
        w->sea->fresh = false;
        r = gy_water_sea_refresh(w);
        bool starts = outside && w->model.steps == 0 && !w->sea->array[0] && *w->sea->line == 0.0;
        if (r == GYRE_OK && starts) {
            const int all[2] = {w->tiles.n[0], w->tiles.n[1]};
            double depths = gy_water_depths(w);
            r = give_new(w, all);
            *w->sea->line += gy_water_depths(w) - depths;
            for (int slot = 0; slot < w->tiles.used; slot++) {
                gy_water_touch(w, slot);
            }
        }
        w->sea->outside = r == GYRE_OK ? w->sea->outside : before;
        w->stats_fresh = false;
        gy_snapshots_publish(w);
    }
    gy_device_leave(w->model.device);
    return r;
}
