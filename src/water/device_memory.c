// water/device_memory.c: water on a device with memory of its own. It has a copy of all
// tiles and of the tables that say which are stepped. Whatever the host changes in a tile marks it
// as edited (gy_tile_edit, GY_TILE_COPY) and goes to the device before its next step; whoever reads
// or changes tiles on the host fetches them first, which costs one wait where the device has
// stepped since.
#include "base/maths.h"
#include "water/breaking.h"
#include "water/ops/dust.h"
#include "water/traces.h"
#include "water/water.h"
#include <string.h>

gyre_result gy_water_require(gyre_device *device, const gyre_water_def *def)
{
    static const gy_op wave[] = {GY_OP_water_wave, GY_OP_water_slope, GY_OP_water_weather,
                                 GY_OP_water_gather};
    static const gy_op shallow[] = {GY_OP_water_shallow, GY_OP_water_measure, GY_OP_water_slope,
                                    GY_OP_water_weather};
    static const gy_op dispersive[] = {
        GY_OP_dispersive_gather, GY_OP_dispersive_join,   GY_OP_dispersive_calm,
        GY_OP_dispersive_open,   GY_OP_dispersive_smooth, GY_OP_dispersive_share,
        GY_OP_dispersive_part,   GY_OP_dispersive_spread, GY_OP_dispersive_transform,
        GY_OP_dispersive_evolve, GY_OP_dispersive_blend,  GY_OP_dispersive_carry,
        GY_OP_dispersive_put};
    static const gy_op pressure[] = {GY_OP_pressure_gather, GY_OP_pressure_steep,
                                     GY_OP_pressure_make, GY_OP_pressure_relax,
                                     GY_OP_pressure_push};
    if (def->nonhydrostatic) {
        gyre_result has = gy_device_require(device, "nonhydrostatic", pressure, GY_COUNT(pressure));
        if (has != GYRE_OK) {
            return has;
        }
    }
    if (def->sea.carries && gy_device_has_own_memory(device)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "sea.carries: a window of a sea has no twin on a device with memory of "
                         "its own; expected \"alone\", or the processor");
    }
    if (gy_breaking_wanted(def) && gy_device_has_own_memory(device)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "breaking, spray, foam: this device has no ops for them: use the CPU");
    }
    if (gy_traces_size(def) > 0 && gy_device_has_own_memory(device)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "texture, drying: this device has no ops for them: use the CPU");
    }
    if (def->mode == GYRE_WATER_DISPERSIVE) {
        gyre_result has =
            gy_device_require(device, "mode dispersive", dispersive, GY_COUNT(dispersive));
        if (has != GYRE_OK) {
            return has;
        }
    }
    gyre_result r = def->mode == GYRE_WATER_WAVE
                        ? gy_device_require(device, "mode wave", wave, GY_COUNT(wave))
                        : gy_device_require(device, "mode shallow", shallow, GY_COUNT(shallow));
    static const gy_op turn[] = {GY_OP_water_turn};
    if (r == GYRE_OK && (def->coriolis != 0.0f || def->coriolis_beta != 0.0f)) {
        r = gy_device_require(device, "coriolis", turn, GY_COUNT(turn));
    }
    bool remote =
        r == GYRE_OK && def->mode == GYRE_WATER_SHALLOW && gy_device_has_own_memory(device);
    const char *lacks = def->max_slope > 0.0f                                 ? "max_slope"
                        : def->dust.capacity > 0                              ? "dust"
                        : def->coriolis != 0.0f || def->coriolis_beta != 0.0f ? "coriolis"
                                                                              : NULL;
    if (remote && lacks) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "mode shallow: %s is not made on this device",
                         lacks);
    }
    return r == GYRE_OK && def->dust.capacity > 0 ? gy_particles_require(device, "dust", GY_OP_dust)
                                                  : r;
}

/// The host's own of a table, and its bytes in use.
static const void *own_table(const gyre_water *w, int table, size_t *bytes)
{
    size_t tiles = (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1], used = (size_t)w->tiles.used;
    const struct {
        const void *at;
        size_t bytes;
    } own[GY_TABLES] = {[GY_TABLE_LIST] = {w->list, (size_t)w->listed * sizeof(int32_t)},
                        [GY_TABLE_SLOT] = {w->tiles.slot, tiles * sizeof(int32_t)},
                        [GY_TABLE_TILE] = {w->tiles.tile, used * sizeof(int32_t)},
                        [GY_TABLE_STEPPING] = {w->stepping, used},
                        [GY_TABLE_CURRENT] = {w->tiles.current, used}};
    *bytes = own[table].bytes;
    return own[table].at;
}

gyre_result gy_water_device_make(gyre_water *w, const gyre_water_def *def, gyre_device *device)
{
    gy_water_device *a = &w->device;
    size_t tiles = (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1];
    size_t words = (GY_MAX(tiles, (size_t)w->tiles.slots) * sizeof(int32_t) + 63) / 64 * 64;
    a->is = true;
    a->tile_bytes = (size_t)w->tiles.slots * GY_SLOT_BYTES;
    a->bytes = (GY_TABLES + 5) * words;
    gyre_result r = gy_mutex_create(&a->lock);
    if (r != GYRE_OK) {
        return r;
    }
    w->tiles.memory = gy_device_allocate(device, a->tile_bytes);
    a->memory = w->tiles.memory ? gy_device_allocate(device, a->bytes) : NULL;
    if (!a->memory) {
        return GYRE_ERROR_MEMORY;
    }
    if (w->model.particle_sets > 0) {
        w->dust_memory = gy_device_allocate(device, w->dust->bytes);
        w->dust->base = (uint64_t)(uintptr_t)w->dust_memory;
        if (!w->dust_memory) {
            return GYRE_ERROR_MEMORY;
        }
    }
    for (int t = 0; t < GY_TABLES; t++) {
        a->table[t] = a->memory + (size_t)t * words;
    }
    a->change = (float *)(void *)(a->memory + GY_TABLES * words);
    a->sums = (double *)(void *)(a->memory + (GY_TABLES + 1) * words); // twice 2 words each
    if (def->mode != GYRE_WATER_SHALLOW) {
        return GYRE_OK;
    }
    a->told_bytes = (size_t)w->tiles.slots * sizeof(gy_shallow_told);
    a->told = gy_device_allocate(device, a->told_bytes);
    return a->told ? GYRE_OK : GYRE_ERROR_MEMORY;
}

/// Floats of all ghosts; see gy_water.ghosts.
static size_t ghost_bytes(const gyre_water *w)
{
    return (size_t)8 * (size_t)(w->tiles.n[0] + w->tiles.n[1]) * sizeof(float);
}

static size_t first_face_bytes(const gyre_water *w)
{
    return ((size_t)(w->tiles.tn[0] * w->tiles.tn[1]) + 1) * sizeof(int32_t);
}

gyre_result gy_water_device_rules(gyre_water *w)
{
    gy_water_device *a = &w->device;
    if (!a->is || w->def->mode != GYRE_WATER_SHALLOW) {
        return GYRE_OK;
    }
    size_t faces = sizeof(gy_shallow_rules) + (size_t)w->faces.count * sizeof(gy_water_face);
    size_t bytes = (faces + ghost_bytes(w) + first_face_bytes(w) + 63) / 64 * 64;
    if (bytes > a->rule_bytes) {
        gy_device_release(w->model.device, a->rules, a->rule_bytes);
        a->rule_bytes = 0;
        a->rules = gy_device_allocate(w->model.device, bytes);
        if (!a->rules) {
            return GYRE_ERROR_MEMORY;
        }
        a->rule_bytes = bytes;
    }
    return GYRE_OK;
}

static size_t window_bytes(const gyre_water *w)
{
    return sizeof(float) * (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
}

void gy_water_device_free(gyre_water *w)
{
    if (w->device.is) {
        for (int f = 0; f < GY_FIELDS; f++) {
            gy_device_release(w->model.device, w->device.window[f], window_bytes(w));
        }
        gy_device_release(w->model.device, w->dust_memory, w->dust->bytes);
        gy_device_release(w->model.device, w->device.told, w->device.told_bytes);
        gy_device_release(w->model.device, w->device.rules, w->device.rule_bytes);
        gy_device_release(w->model.device, w->device.memory, w->device.bytes);
        gy_device_release(w->model.device, w->tiles.memory, w->device.tile_bytes);
        gy_mutex_destroy(w->device.lock);
    }
}

void gy_water_fetch(const gyre_water *water)
{
    gyre_water *w = (gyre_water *)(uintptr_t)water;
    if (!w->device.is) {
        return;
    }
    gy_mutex_lock(w->device.lock);
    if (w->device.behind) {
        gy_device_fetch(w->model.device, w->tiles.memory, (size_t)w->tiles.used * GY_SLOT_BYTES);
        w->device.behind = false;
    }
    gy_mutex_unlock(w->device.lock);
}

/// Hands over tiles that the host has edited, neighbours in memory in one.
static void put_tiles(gyre_water *w)
{
    const gy_tiles *t = &w->tiles;
    int first = 0;
    for (int slot = 0; slot <= t->used; slot++) {
        bool edited = slot < t->used && (t->edited[slot] & GY_TILE_COPY);
        if (edited) {
            t->edited[slot] &= (uint8_t)~GY_TILE_COPY;
            continue;
        }
        gy_device_put(w->model.device, t->memory + (size_t)first * GY_SLOT_BYTES,
                      (size_t)(slot - first) * GY_SLOT_BYTES);
        first = slot + 1;
    }
}

/// Whether all tiles that are stepped have turned to their other copy since the table of current
/// ones was handed over, or none has: then it need not be handed over again.
static bool turned_alike(const gyre_water *w, uint32_t *turned)
{
    const uint8_t *sent = (const uint8_t *)w->device.table[GY_TABLE_CURRENT];
    bool alike = true;
    for (int k = 0; k < w->listed; k++) {
        uint32_t now = (uint32_t)(w->tiles.current[w->list[k]] ^ sent[w->list[k]]);
        alike = alike && (k == 0 || now == *turned);
        *turned = k == 0 ? now : *turned;
    }
    return alike;
}

/// Hands over the tables that have changed.
static void put_tables(gyre_water *w, uint32_t *turned)
{
    gy_water_device *a = &w->device; // all 0 at first, on both sides
    *turned = 0;
    for (int t = 0; t < GY_TABLES; t++) {
        size_t bytes;
        const void *own = own_table(w, t, &bytes);
        bool like =
            t == GY_TABLE_CURRENT ? turned_alike(w, turned) : memcmp(a->table[t], own, bytes) == 0;
        if (like) {
            continue;
        }
        memcpy(a->table[t], own, bytes);
        gy_device_put(w->model.device, a->table[t], bytes);
        *turned = t == GY_TABLE_CURRENT ? 0 : *turned;
    }
}

/// Before an op on the tiles of the list, which writes some of them.
static uint32_t hand_over(gyre_water *w)
{
    uint32_t turned = 0;
    if (w->device.is && w->listed > 0) {
        put_tiles(w);
        put_tables(w, &turned);
        w->device.behind = true;
    }
    return turned;
}

static uint64_t table(const gyre_water *w, int which)
{
    return (uint64_t)(uintptr_t)w->device.table[which];
}

void gy_water_run(gyre_water *w, gy_op op, const gy_water_job *job)
{
    gy_wave_args args = gy_wave_args_make(job);
    args.turned = hand_over(w);
    if (w->device.is) {
        args.list = table(w, GY_TABLE_LIST);
        args.slot = table(w, GY_TABLE_SLOT);
        args.tile = table(w, GY_TABLE_TILE);
        args.stepping = table(w, GY_TABLE_STEPPING);
        args.current = table(w, GY_TABLE_CURRENT);
        args.change = (uint64_t)(uintptr_t)w->device.change;
    }
    gy_run(w->model.device, op, &args, gy_box_make(w->listed, 1, 1));
}

void gy_water_run_turn(gyre_water *w, const gy_water_job *job)
{
    gy_turn_args args = gy_turn_args_make(job);
    args.turned = hand_over(w);
    if (w->device.is) {
        args.list = table(w, GY_TABLE_LIST);
        args.slot = table(w, GY_TABLE_SLOT);
        args.tile = table(w, GY_TABLE_TILE);
        args.stepping = table(w, GY_TABLE_STEPPING);
        args.current = table(w, GY_TABLE_CURRENT);
    }
    gy_run(w->model.device, GY_OP_water_turn, &args, gy_box_make(w->listed, 1, 1));
}

/// Hands over the rules, and where there are any, faces and what stands beyond them.
static void put_rules(gyre_water *w, const gy_water_job *job)
{
    gy_water_device *a = &w->device;
    gy_shallow_rules rules = gy_shallow_rules_make(job);
    size_t faces = (size_t)w->faces.count * sizeof(gy_water_face), bytes = sizeof rules;
    rules.ruled = w->faces.count > 0;
    rules.faces = (int32_t)bytes;
    rules.ghost = rules.faces + (int32_t)faces;
    rules.first_face = rules.ghost + (int32_t)ghost_bytes(w);
    for (int side = 0; side < 4; side++) {
        const float *values = job->ghost[side].values;
        rules.ghost_at[side] = values ? (int32_t)(values - w->ghosts) : -1;
    }
    memcpy(a->rules, &rules, sizeof rules);
    if (rules.ruled) {
        memcpy(a->rules + rules.faces, w->faces.items, faces);
        memcpy(a->rules + rules.ghost, w->ghosts, ghost_bytes(w));
        memcpy(a->rules + rules.first_face, w->first_face, first_face_bytes(w));
        bytes = (size_t)rules.first_face + first_face_bytes(w);
    }
    gy_device_put(w->model.device, a->rules, bytes);
}

/// What the device has told of the tiles of the list, and of faces.
static void take_told(gyre_water *w, gy_op op)
{
    gy_water_device *a = &w->device;
    bool step = op == GY_OP_water_shallow;
    gy_device_fetch(w->model.device, a->told, (size_t)w->tiles.used * sizeof *a->told);
    for (int k = 0; k < w->listed; k++) {
        gy_flow_result *flow = &w->result[w->list[k]].flow;
        const gy_shallow_told *told = &a->told[w->list[k]];
        flow->wave_speed = told->wave_speed;
        flow->speed = step ? gy_sqrtf(told->speed) : told->speed;
        flow->change = step ? told->change : flow->change;
        flow->capped = step ? told->capped : flow->capped;
    }
    if (step && w->faces.count > 0) {
        size_t bytes = (size_t)w->faces.count * sizeof(gy_water_face);
        const char *faces = a->rules + sizeof(gy_shallow_rules);
        gy_device_fetch(w->model.device, faces, bytes);
        memcpy(w->faces.items, faces, bytes);
    }
}

void gy_water_run_shallow(gyre_water *w, gy_op op, const gy_water_job *job)
{
    enum { BLOCKS = 32, MOST = 2000 }; // workgroups of a tile; tiles at a time
    gy_shallow_args args = gy_shallow_args_make(job);
    if (op == GY_OP_water_measure) {
        args.dry = job->shallow.dry_depth;
        args.cap = job->shallow.speed_cap;
        args.gravity = job->shallow.gravity;
    }
    if (!w->device.is) {
        gy_run(w->model.device, op, &args, gy_box_make(w->listed, 1, 1));
        return;
    }
    args.turned = hand_over(w);
    args.tables = table(w, 0);
    args.words = (int32_t)(w->device.table[1] - w->device.table[0]);
    args.told = (uint64_t)(uintptr_t)w->device.told;
    args.rules = (uint64_t)(uintptr_t)w->device.rules;
    put_rules(w, job);
    gy_device_clear(w->model.device, w->device.told,
                    (size_t)w->tiles.used * sizeof *w->device.told);
    int blocks = op == GY_OP_water_shallow ? BLOCKS : 1;
    for (int k = 0; k < w->listed; k += MOST) {
        gy_box box = gy_box_make(GY_MIN(k + MOST, w->listed) * blocks, 1, 1);
        box.low[0] = k * blocks;
        gy_run(w->model.device, op, &args, box);
    }
    take_told(w, op);
}

void gy_water_run_weather(gyre_water *w, const gy_water_job *job)
{
    gy_weather_args args = gy_weather_args_make(job);
    args.turned = hand_over(w);
    if (w->device.is) {
        args.list = table(w, GY_TABLE_LIST);
        args.tile = table(w, GY_TABLE_TILE);
        args.current = table(w, GY_TABLE_CURRENT);
        args.sums = (uint64_t)(uintptr_t)w->device.sums;
    }
    gy_run(w->model.device, GY_OP_water_weather, &args, gy_box_make(w->listed, 1, 1));
    if (w->device.is) {
        gy_device_fetch(w->model.device, w->device.sums,
                        (size_t)w->tiles.used * 2 * sizeof(double));
    }
    for (int k = 0; k < w->listed && w->device.is; k++) {
        gy_tile_result *result = &w->result[w->list[k]];
        result->in = w->device.sums[2 * w->list[k]];
        result->out = w->device.sums[2 * w->list[k] + 1];
    }
}

void gy_water_ask_change(gyre_water *w)
{
    if (!w->device.is || w->def->mode != GYRE_WATER_WAVE) {
        return; // a step of shallow water has told it
    }
    gy_device_fetch(w->model.device, w->device.change, (size_t)w->tiles.used * sizeof(float));
    for (int k = 0; k < w->listed; k++) {
        w->result[w->list[k]].flow.change = w->device.change[w->list[k]];
    }
}

// ---- fields where they are drawn

/// How a field is made of tiles on the device; false where only the host can.
static bool gathers(const gyre_water *w, int field, gy_gather_args *args)
{
    switch (field) {
    case GY_FIELD_DEPTH:
        args->kind = GY_GATHER_STATE;
        args->array = GY_WATER_DEPTH;
        return true;
    case GY_FIELD_BED:
    case GY_FIELD_DISPLACED:
        args->kind = GY_GATHER_ARRAY;
        args->array = field == GY_FIELD_BED ? GY_WATER_BED : GY_WATER_DISPLACED;
        return true;
    case GY_FIELD_surface:
        args->kind = w->def->mode == GYRE_WATER_WAVE ? GY_GATHER_SURFACE : GY_GATHER_COLUMN;
        return true;
    default:
        return false;
    }
}

/// Hands over tables that are not as the host's.
static void put_table(gyre_water *w, int which)
{
    size_t bytes;
    const void *own = own_table(w, which, &bytes);
    if (memcmp(w->device.table[which], own, bytes) != 0) {
        memcpy(w->device.table[which], own, bytes);
        gy_device_put(w->model.device, w->device.table[which], bytes);
    }
}

void gy_water_run_dust(gyre_water *w, const gy_dust_job *job)
{
    gy_dust_args args = {.particles = job->particles,
                         .job = (uint64_t)(uintptr_t)job,
                         .step = job->step,
                         .gone = job->gone,
                         .now = job->now,
                         .n = {w->tiles.n[0], w->tiles.n[1]},
                         .tn = {w->tiles.tn[0], w->tiles.tn[1]},
                         .slot_bytes = GY_SLOT_BYTES,
                         .array_step = GY_ARRAY_STEP,
                         .periodic = job->periodic,
                         .open_sides = job->open_sides,
                         .origin = {job->origin[0], job->origin[1]},
                         .h = job->h,
                         .inverse = job->inverse,
                         .scale = job->scale,
                         .dt = job->dt,
                         .life = job->life,
                         .dry = job->dry,
                         .cap = job->cap,
                         .level = job->level,
                         .last = job->last};
    if (w->device.is) {
        put_tiles(w);
        put_table(w, GY_TABLE_SLOT);
        put_table(w, GY_TABLE_CURRENT);
        args.memory = (uint64_t)(uintptr_t)w->tiles.memory;
        args.slot = table(w, GY_TABLE_SLOT);
        args.current = table(w, GY_TABLE_CURRENT);
    }
    gy_run(w->model.device, GY_OP_dust, &args, gy_particles_box(w->dust));
}

static bool all_have_slots(const gyre_water *w)
{
    bool all = true;
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        all = all && w->tiles.slot[tile] >= 0;
    }
    return all;
}

gyre_result gy_water_gather(gyre_model *model, int field, const void **at)
{
    gyre_water *w = (gyre_water *)model;
    gy_gather_args args = {.n = {w->tiles.n[0], w->tiles.n[1]},
                           .tn = {w->tiles.tn[0], w->tiles.tn[1]},
                           .slot_bytes = GY_SLOT_BYTES,
                           .array_step = GY_ARRAY_STEP,
                           .level = w->def->level};
    if (!gathers(w, field, &args)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "vulkan: %s of water is not made on the device; map it",
                         w->fields[field].name);
    }
    if (!w->device.window[field]) {
        w->device.window[field] = gy_device_allocate(model->device, window_bytes(w));
    }
    if (!w->device.window[field]) {
        return GYRE_ERROR_MEMORY;
    }
    *at = w->device.window[field];
    if (!all_have_slots(w)) {
        // What lies where there are none the host alone knows.
        gyre_result r = gy_water_map(model, field);
        if (r == GYRE_OK && w->fields[field].derived) {
            gy_water_derive(model, field);
        }
        if (r == GYRE_OK) {
            gy_device_write(model->device, w->device.window[field], w->stage[field].items,
                            window_bytes(w));
        }
        return r;
    }
    put_tiles(w);
    put_table(w, GY_TABLE_SLOT);
    put_table(w, GY_TABLE_CURRENT);
    args.memory = (uint64_t)(uintptr_t)w->tiles.memory;
    args.slot = table(w, GY_TABLE_SLOT);
    args.current = table(w, GY_TABLE_CURRENT);
    args.to = (uint64_t)(uintptr_t)w->device.window[field];
    gy_run(model->device, GY_OP_water_gather, &args, gy_box_make(args.n[0], args.n[1], 1));
    return GYRE_OK;
}
