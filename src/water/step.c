// water/step.c: a step of water: what enters, what bodies displace, the flow in as many substeps as
// it takes, what bodies do.
#include "base/maths.h"
#include "device/fp.h"
#include "water/breaking.h"
#include "water/dispersive.h"
#include "water/pressure.h"
#include "water/traces.h"
#include "water/water.h"
#include <string.h>

/// Marks of a slot: a body has changed its water; its waves are to be measured, no more.
enum { CHANGED = 1, MEASURE = 2 };

void gy_water_touch(gyre_water *w, int slot)
{
    w->touched[slot] = MEASURE;
    gy_snapshots_note(w, slot);
    w->calm[w->tiles.tile[slot]] = 0;
    w->stats_fresh = false;
}

gy_water_surface gy_water_surface_of(gyre_water *w)
{
    return (gy_water_surface){.tiles = &w->tiles,
                              .grid = &w->grid,
                              .wave = w->def->mode == GYRE_WATER_WAVE,
                              .level = w->def->level,
                              .gravity = w->def->gravity,
                              .density = w->def->water_density,
                              .dry = w->def->dry_depth,
                              .quantum = w->def->exact ? w->quantum : 0.0f,
                              .sea = gy_water_sea_arrays(w),
                              .touched = w->touched};
}

gy_water_job gy_water_job_make(gyre_water *w)
{
    const gyre_water_def *def = w->def;
    gy_water_job job = {.tiles = w->tiles,
                        .list = w->list,
                        .stepping = w->stepping,
                        .plain = w->plain,
                        .result = w->result,
                        .faces = w->faces.items,
                        .first_face = w->first_face,
                        .limit = 1e6f,
                        .quantum = def->exact ? w->quantum : 0.0f,
                        .most = def->max_slope * def->grid.h,
                        .level = def->level,
                        .wave = def->mode == GYRE_WATER_WAVE};
    memcpy(job.ghost, w->ghost, sizeof job.ghost);
    job.joins = gy_nest_joins_of(w);
    job.turn =
        (gy_earth){.coriolis = def->coriolis, .beta = def->coriolis_beta, .y = gy_water_low_y(w)};
    job.periodic[0] = def->sides.x_low.rule == GYRE_WATER_PERIODIC;
    job.periodic[1] = def->sides.y_low.rule == GYRE_WATER_PERIODIC;
    job.shallow = (gy_shallow){.h = def->grid.h,
                               .gravity = def->gravity,
                               .manning = def->manning,
                               .friction = def->friction,
                               .damping = 1.0f,
                               .acceleration = {def->acceleration[0], def->acceleration[1]},
                               .dry_depth = def->dry_depth,
                               .speed_cap = def->speed_cap,
                               .quantum = job.quantum,
                               .one_dimensional = def->grid.n[1] == 1};
    return job;
}

// ---- which tiles are stepped

static bool row_wet(const float *depth, int stride, int count)
{
    bool wet = false;
    for (int i = 0; i < count; i++) {
        wet = wet || depth[i * stride] > 0.0f;
    }
    return wet;
}

/// Whether water stands in the tile's cells next to the one (dx, dy) tiles away.
static bool wet_towards(const gyre_water *w, int slot, int dx, int dy)
{
    gy_water_fetch(w);
    const float *d = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH);
    int last = GY_WATER_TILE - 1;
    int i = dx > 0 ? last : 0, j = dy > 0 ? last : 0;
    if (dx && dy) {
        return d[i + j * GY_WATER_TILE] > 0.0f;
    }
    return dx ? row_wet(d + i, GY_WATER_TILE, GY_WATER_TILE)
              : row_wet(d + j * GY_WATER_TILE, 1, GY_WATER_TILE);
}

static bool active(const gyre_water *w, int tile)
{
    return !(w->def->sleep_height > 0.0f) || w->calm[tile] < w->def->sleep_steps;
}

static int neighbour(const gy_water_job *job, int tile, int dx, int dy)
{
    int tx = job->tiles.tn[0];
    int x = gy_tile_along(job, 0, tile % tx + dx), y = gy_tile_along(job, 1, tile / tx + dy);
    return x < 0 || y < 0 ? -1 : x + tx * y;
}

/// Active tiles and all round them. Those that water stands beside get their slots now.
static void find_stepping(gyre_water *w, gy_water_job *job)
{
    memset(w->stepping, 0, (size_t)w->tiles.slots);
    w->stats.missing = 0;
    bool ahead = w->device.is && w->def->mode == GYRE_WATER_SHALLOW;
    for (int tile = 0; ahead && tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        // Whether water stands beside a tile the device alone knows, and to ask it takes long.
        if (w->tiles.slot[tile] < 0 && w->live[tile] && w->tiles.used < w->tiles.slots) {
            gy_water_slot(w, tile);
        }
    }
    int used = w->tiles.used;
    for (int slot = 0; slot < used; slot++) {
        int tile = w->tiles.tile[slot];
        if (!active(w, tile)) {
            continue;
        }
        w->stepping[slot] = 1;
        for (int q = 0; q < 9; q++) {
            int dx = q % 3 - 1, dy = q / 3 - 1, other = neighbour(job, tile, dx, dy);
            if (q == 4 || other < 0) {
                continue;
            }
            if (w->tiles.slot[other] < 0 && w->live[other] && wet_towards(w, slot, dx, dy)) {
                gy_water_slot(w, other);
                w->stats.missing += w->tiles.slot[other] < 0;
            }
            if (w->tiles.slot[other] >= 0) {
                w->stepping[w->tiles.slot[other]] = 1;
            }
        }
    }
    // In the order of tiles, so that what is summed does not depend on when slots were taken.
    w->listed = 0;
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        int slot = w->tiles.slot[tile];
        if (slot >= 0 && w->stepping[slot]) {
            w->list[w->listed++] = slot;
        }
    }
    job->tiles = w->tiles;
}

/// Waves in tiles that were changed from outside are measured anew.
static void measure_touched(gyre_water *w, gy_water_job *job)
{
    int count = 0;
    for (int slot = 0; slot < w->tiles.used; slot++) {
        if (w->touched[slot]) {
            w->list[count++] = slot;
            if (w->touched[slot] == CHANGED) {
                w->calm[w->tiles.tile[slot]] = 0;
            }
            w->touched[slot] = 0;
            gy_snapshots_note(w, slot);
        }
    }
    job->tiles = w->tiles;
    int listed = w->listed;
    if (count && !job->wave) {
        w->listed = count;
        gy_water_run_shallow(w, GY_OP_water_measure, job);
        w->listed = listed;
    }
}

/// What was written becomes the state.
static void flip(gyre_water *w, gy_water_job *job)
{
    for (int k = 0; k < w->listed; k++) {
        int slot = w->list[k];
        if (job->in_place) {
            w->tiles.border[slot] ^= 1;
        } else {
            w->tiles.current[slot] ^= 1;
            w->tiles.edited[slot] |= GY_TILE_BORDERS;
        }
        gy_snapshots_note(w, slot);
    }
    job->tiles = w->tiles;
}

/// A tile falls asleep when it has been calm for long enough; one that is asleep and stepped for
/// its neighbour's sake wakes up when it moves several times as much.
static void note_calm(gyre_water *w)
{
    float sleep = w->def->sleep_height, wake = sleep * w->def->wake_factor;
    if (sleep > 0.0f) {
        gy_water_ask_change(w);
    }
    for (int k = 0; k < w->listed && sleep > 0.0f; k++) {
        float change = w->result[w->list[k]].flow.change;
        uint8_t *calm = &w->calm[w->tiles.tile[w->list[k]]];
        bool asleep = *calm >= w->def->sleep_steps;
        if (change > wake || (!asleep && change > sleep)) {
            *calm = 0;
        } else if (*calm < GY_WATER_CALM) {
            ++*calm;
        }
    }
}

// ---- the flow

/// Tiles whose state, read and written, is more than the caches of most machines hold.
enum { BIG = 640 };

/// Borders of tiles whose state was changed from outside of the step.
static void renew_borders(gyre_water *w)
{
    const gy_tiles *t = &w->tiles;
    for (int k = 0; k < w->listed; k++) {
        int slot = w->list[k], x = t->tile[slot] % t->tn[0], y = t->tile[slot] / t->tn[0];
        if (t->edited[slot] & GY_TILE_BORDERS) {
            gy_tile_save_borders(t, slot, t->border[slot],
                                 GY_MIN(GY_WATER_TILE, t->n[0] - x * GY_WATER_TILE),
                                 GY_MIN(GY_WATER_TILE, t->n[1] - y * GY_WATER_TILE));
            t->edited[slot] &= (uint8_t)~GY_TILE_BORDERS;
        }
    }
}

static void wave_substep(gyre_water *w, gy_water_job *job, float c, float dt, int substep)
{
    float h = w->grid.h;
    job->pull = c * c * dt / h;
    job->share = dt / h;
    find_stepping(w, job);
    gy_water_turn_faces(w, job, dt, substep);
    job->lean = w->def->excess != GYRE_WATER_EXPLODE && !(w->def->sleep_height > 0.0f);
    // Sides and gates look at the state as it was.
    job->in_place = job->lean && !(job->quantum > 0.0f) && w->faces.count == 0 &&
                    w->gates.count == 0 && !w->device.is;
    job->stream = w->listed > BIG && !job->in_place;
    if (job->in_place) {
        renew_borders(w);
    }
    gy_water_run(w, GY_OP_water_wave, job);
    if (w->faces.count > 0 || w->gates.count > 0) {
        gy_water_fetch(w);
    }
    gy_water_wave_faces(w, job, dt);
    gy_water_gates(w, job, dt);
    flip(w, job);
    job->in_place = false;
    gy_nest_note(w, dt);
}

/// `turned`: s by which the Earth has to turn before it.
static void shallow_substep(gyre_water *w, gy_water_job *job, float dt, double turned)
{
    job->shallow.dt = dt;
    find_stepping(w, job);
    gy_water_turn_centres(w, job, turned);
    if (w->faces.count > 0) {
        gy_water_fetch(w);
    }
    gy_water_ghosts(w, dt);
    gy_water_run_shallow(w, GY_OP_water_shallow, job);
    if (w->gates.count > 0) {
        gy_water_fetch(w);
    }
    gy_water_gates(w, job, dt);
    flip(w, job);
    gy_water_book_faces(w);
    gy_nest_note(w, dt);
    if (w->breaking && w->def->mode == GYRE_WATER_SHALLOW) {
        gy_falls(w, dt);
    }
}

static void note_capped(gyre_water *w)
{
    for (int k = 0; k < w->listed; k++) {
        w->stats.capped += w->result[w->list[k]].flow.capped;
    }
}

/// Steps of equal length, all of the stable one's courant share or less.
static void flow_wave(gyre_water *w, gy_water_job *job, float dt)
{
    const gyre_water_def *def = w->def;
    float c = def->wave_speed, h = def->grid.h;
    float stable = def->grid.n[1] == 1 || def->grid.n[0] == 1 ? 1.0f : 0.70710678f;
    float longest = c > 0.0f ? def->courant * stable * h / c : dt;
    if (gy_water_turns(w) && def->excess == GYRE_WATER_SPLIT) {
        longest = (float)GY_MIN((double)longest, gy_water_turn_limit(w));
    }
    int count = 1;
    double dropped = 0.0;
    // At the limit itself one step is one step, however dt and h were rounded.
    if (dt > longest * 1.000001f && def->excess == GYRE_WATER_CLAMP) {
        c = def->courant * stable * h / dt;
    } else if (dt > longest * 1.000001f && def->excess == GYRE_WATER_SPLIT) {
        float steps = dt / longest;
        count = steps < (float)def->max_substeps ? (int)(steps * 0.999999f) + 1 : def->max_substeps;
        if (dt / (float)count > longest * 1.000001f) {
            dropped = (double)dt - (double)longest * count;
            dt = longest * (float)count;
        }
    }
    float each = dt / (float)count;
    float scale = count == 1 ? def->velocity_scale
                             : gy_powf(GY_MAX(def->velocity_scale, 1e-30f), 1.0f / (float)count);
    job->keep = scale * gy_expf(-def->damping * each);
    for (int n = 0; n < count && each > 0.0f; n++) {
        wave_substep(w, job, c, each, n);
        gy_water_layers(w, each);
        w->extra->clock += (double)each;
    }
    w->stats.substeps = count;
    w->stats.courant = c * each / h;
    w->stats.dropped = dropped;
}

static float fastest(const gyre_water *w)
{
    float speed = 0.0f;
    for (int slot = 0; slot < w->tiles.used; slot++) {
        speed = GY_MAX(speed, w->result[slot].flow.wave_speed);
    }
    return speed;
}

static void flow_shallow(gyre_water *w, gy_water_job *job, float dt)
{
    const gyre_water_def *def = w->def;
    bool turns = gy_water_turns(w) && def->mode == GYRE_WATER_SHALLOW;
    double left = (double)dt, turn = 0.0, most = turns ? gy_water_turn_limit(w) : 1e30;
    double share = 0.5 * (double)def->courant * gy_water_turn_loosely(w, job);
    int count = 0;
    w->stats.courant = 0.0f;
    while (left > 0.0 && count < def->max_substeps) {
        float speed = fastest(w);
        double longest = speed > 0.0f ? share * (double)def->grid.h / (double)speed : left;
        longest = GY_MIN(longest, most);
        double steps = left / longest;
        double more = steps < 1e6 ? (double)(int)(steps * 0.999999) + 1.0 : 1e6;
        double each = GY_MIN(left / more, longest);
        job->shallow.damping = gy_expf(-def->damping * (float)each);
        if (count == 0) {
            job->shallow.damping *= def->velocity_scale;
        }
        shallow_substep(w, job, (float)each, turns ? turn + 0.5 * each : 0.0);
        turn = 0.5 * each;
        if (def->nonhydrostatic) {
            gy_pressure_push(w, (float)each);
            gy_fronts_find(w, (float)each);
        }
        if (def->mode == GYRE_WATER_SHALLOW) {
            gy_water_layers(w, (float)each);
        }
        note_capped(w);
        left -= each;
        w->extra->clock += each;
        count++;
        float nu = speed * (float)each / def->grid.h;
        w->stats.courant = GY_MAX(w->stats.courant, nu);
        left = left < 1e-9 * (double)dt ? 0.0 : left;
    }
    gy_water_turn_centres(w, job, turns ? turn : 0.0);
    w->stats.substeps = count;
    w->stats.dropped = left;
}

/// The bulk as shallow water, the waves on it by themselves.
static void flow_dispersive(gyre_water *w, gy_water_job *job, float dt)
{
    find_stepping(w, job);
    gy_maker_step(w, dt);
    gy_water_turn_centres(w, job, 0.5 * (double)dt);
    gy_dispersive_part(w, dt);
    for (int slot = 0; slot < w->tiles.used; slot++) {
        w->touched[slot] = MEASURE;
    }
    measure_touched(w, job);
    flow_shallow(w, job, dt);
    dt = (float)((double)dt - w->stats.dropped);
    gy_dispersive_join(w, dt);
    gy_water_turn_centres(w, job, 0.5 * (double)dt);
    if (w->def->sea.carries == GYRE_WATER_WHOLE) {
        gy_water_sea_let_in(w, dt);
    } else {
        gy_water_layers(w, dt);
    }
}

static void spill(gyre_water *w, gy_water_job *job)
{
    if (w->def->max_slope > 0.0f) {
        find_stepping(w, job);
        gy_water_run(w, GY_OP_water_slope, job);
        flip(w, job);
    }
}

static void pass_time(gyre_water *w, float dt)
{
    w->model.time += (double)dt;
    w->model.steps++;
    w->stats.step = w->model.steps;
    w->stats.time = w->model.time;
    w->stats.dt = (double)dt;
}

gyre_result gy_water_step(gyre_model *model, float dt)
{
    gyre_water *w = (gyre_water *)model;
    gy_fp found = gy_fp_enter();
    gyre_result led = w->sea ? gy_water_sea_begin(w) : GYRE_OK;
    // Where it is nested it goes along at a step's end, when both stand at one time.
    led = led == GYRE_OK && w->def->follow[0] && !w->nest ? gy_water_follow(w) : led;
    float seconds = dt < 1e6f ? dt : 1e6f;
    bool due = led == GYRE_OK && gy_nest_is_due(w, seconds, &seconds);
    led = due ? gy_nest_begin(w, seconds) : led;
    if (led != GYRE_OK) {
        gy_fp_leave(found);
        return led;
    }
    double before = model->time;
    if (!due) {
        pass_time(w, dt);
        gy_traces_renew(w, before);
        gy_fp_leave(found);
        return gy_device_status(model->device);
    }
    gy_water_job job = gy_water_job_make(w);
    gy_water_surface surf = gy_water_surface_of(w);
    if (w->sea) {
        w->sea->until = model->time + (double)dt;
    }
    w->stats.capped = 0;
    w->stats.substeps = 0;
    w->stats.dropped = 0.0;
    w->stats.turn_cut = 0.0;
    gy_water_weather(w, &job, seconds);
    gy_water_sources(w, seconds);
    gyre_result shaped = gy_water_uplifts(w, seconds);
    if (gy_water_has_bodies(w)) {
        gy_water_fetch(w);
        gy_water_displace(w, &surf);
    }
    measure_touched(w, &job);
    gy_water_carry_dust(w, 0.5f * seconds, false);
    if (seconds > 0.0f) {
        if (job.wave) {
            flow_wave(w, &job, seconds);
        } else if (w->def->mode == GYRE_WATER_DISPERSIVE) {
            flow_dispersive(w, &job, seconds);
        } else {
            flow_shallow(w, &job, seconds);
        }
        spill(w, &job);
        gy_breaking_step(w, seconds); // while it is known where bodies are
        if (w->def->bodies.count > 0 || w->set.memory) {
            gy_water_fetch(w); // some are looked up in the water as it is now
        }
        gy_water_move_bodies(w, &surf, seconds);
        note_calm(w);
    }
    gy_water_carry_dust(w, 0.5f * seconds, true);
    gy_traces_step(w, seconds);
    pass_time(w, dt);
    gy_traces_renew(w, before);
    gy_water_end_dust(w, before);
    w->stats.awake = w->listed;
    w->stats_fresh = false;
    led = w->sea ? gy_water_sea_end(w) : GYRE_OK;
    led = led == GYRE_OK ? gy_nest_end(w, seconds) : led;
    gy_snapshots_publish(w);
    gy_fp_leave(found);
    led = led == GYRE_OK ? shaped : led;
    return led == GYRE_OK ? gy_device_status(model->device) : led;
}
