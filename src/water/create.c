// water/create.c: water's memory. One block holds the model, its lists and the slots of its tiles;
// what depends on how many elements there are grows when they come.
#include "water/breaking.h"
#include "water/dispersive.h"
#include "water/pressure.h"
#include "water/traces.h"
#include "water/water.h"
#include <string.h>

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

gyre_result gy_list_reserve(const gyre_water *water, gy_list *list, int count, size_t size)
{
    size_t bytes = (size_t)GY_MAX(count, 1) * size;
    if (bytes <= list->bytes) {
        return GYRE_OK;
    }
    bytes += bytes / 2;
    void *items = gy_allocate(&water->host, bytes, 64);
    if (!items) {
        return gyre_fail(GYRE_ERROR_MEMORY, "water: %zu bytes for a list are not there", bytes);
    }
    memset(items, 0, bytes);
    if (list->items) {
        memcpy(items, list->items, list->bytes);
        gy_release(&water->host, list->items, list->bytes);
    }
    list->items = items;
    list->bytes = bytes;
    return GYRE_OK;
}

void gy_list_free(const gyre_water *water, gy_list *list)
{
    if (list->items) {
        gy_release(&water->host, list->items, list->bytes);
    }
    *list = (gy_list){0};
}

/// Lays the block out; without a base it only counts. Tiles and dust lie elsewhere where the device
/// has memory of its own.
static size_t plan(gyre_water *w, const gyre_water_def *def, int slots, char *base)
{
    const int *n = def->grid.n;
    size_t used = round64(sizeof *w) + round64(gy_model_head_size(&gy_water_type, def));
    size_t tiles = (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1], s = (size_t)slots;
    size_t extra = sizeof(gy_water_extra) +
                   (size_t)(w->edge_room + w->source_room + w->body_room) * sizeof(gy_water_entry) +
                   (size_t)(n[0] + n[1]) * sizeof(float) + tiles;
    size_t line = (extra + 7) / 8 * 8; // of the ledger, behind all else that is saved as it lies
    extra = def->sea.carries ? line + sizeof(double) : extra;
    size_t breaking = gy_breaking_state_size(w, def);
    // Behind all else, on whole doubles, so that nothing is other where nothing breaks.
    size_t before = breaking ? (extra + 7) / 8 * 8 : extra;
    extra = before + breaking;
    size_t dust = gy_water_plan_dust(w, def);
    const struct {
        void **to;
        size_t size;
    } parts[] = {
        {(void **)&w->tiles.slot, tiles * sizeof(int32_t)},
        {(void **)&w->tiles.tile, s * sizeof(int32_t)},
        {(void **)&w->tiles.current, s},
        {(void **)&w->tiles.border, s},
        {(void **)&w->tiles.edited, s},
        {(void **)&w->live, tiles},
        {(void **)&w->plain, tiles},
        {(void **)&w->stepping, s},
        {(void **)&w->touched, s},
        {(void **)&w->list, s * sizeof(int32_t)},
        {(void **)&w->result, s * sizeof(gy_tile_result)},
        {(void **)&w->first_face, (tiles + 1) * sizeof(int32_t)},
        {(void **)&w->high_next[0], (size_t)(n[0] + n[1]) * sizeof(float)},
        {(void **)&w->ghosts, (size_t)8 * (size_t)(n[0] + n[1]) * sizeof(float)},
        {(void **)&w->displaced, (size_t)w->body_room * sizeof(double)},
        {(void **)&w->body_memory, gy_bodies_size(&def->grid, w->body_room)},
        {(void **)&w->extra, extra},
        {(void **)&w->snapshot_memory, def->queries ? gy_snapshots_size(w, slots) : 0},
        {&w->dispersive, def->mode == GYRE_WATER_DISPERSIVE ? gy_dispersive_size(def) : 0},
        {&w->pressure, gy_pressure_size(def)},
        {(void **)&w->sea, gy_water_sea_size(def)},
        {&w->breaking_memory, gy_breaking_size(w, def)},
        {(void **)&w->traces, gy_traces_size(def)},
        {w->device.is ? NULL : (void **)&w->dust_memory, w->device.is ? 0 : dust},
        {w->device.is ? NULL : (void **)&w->tiles.memory, w->device.is ? 0 : s * GY_SLOT_BYTES},
    };
    for (int p = 0; p < GY_COUNT(parts); p++) {
        if (base && parts[p].to) {
            *parts[p].to = base + used;
        }
        used += round64(parts[p].size);
    }
    if (base) {
        w->edges = (gy_water_entry *)(void *)(w->extra + 1);
        w->sources = w->edges + w->edge_room;
        w->bodies = w->sources + w->source_room;
        w->high_q[0] = (float *)(void *)(w->bodies + w->body_room);
        w->high_q[1] = w->high_q[0] + n[1];
        w->high_next[1] = w->high_next[0] + n[1];
        w->calm = (uint8_t *)(w->high_q[1] + n[0]);
        w->sea = def->sea.carries ? w->sea : NULL;
        w->traces = gy_traces_size(def) > 0 ? w->traces : NULL;
        if (w->sea) {
            gy_water_sea_make(w->sea, def, (char *)w->extra + line);
        }
        w->dust->base = (uint64_t)(uintptr_t)w->dust_memory;
        if (breaking > 0) {
            gy_breaking_place(w, def, w->breaking_memory, (char *)w->extra + before);
        }
        w->model.extra = w->extra;
        w->model.extra_size = extra;
    }
    return used;
}

int gy_water_extra_parts(const gyre_model *model, gy_extra_part parts[GY_EXTRA_PARTS])
{
    const gyre_water *w = (const gyre_water *)model;
    const gyre_water_def *def = w->def;
    const size_t entry = sizeof(gy_water_entry), own = sizeof *w->extra;
    size_t open = (size_t)(w->tiles.n[0] + w->tiles.n[1]) * sizeof(float);
    size_t tiles = (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1];
    const gy_extra_part first[] = {
        {w->extra, own, own},
        {w->edges, (size_t)def->edges.count * entry, (size_t)w->edge_room * entry},
        {w->sources, (size_t)def->sources.count * entry, (size_t)w->source_room * entry},
        {w->bodies, (size_t)def->bodies.count * entry, (size_t)w->body_room * entry},
        {w->high_q[0], open, open},
        {w->calm, tiles, tiles},
    };
    int count = GY_COUNT(first);
    memcpy(parts, first, sizeof first);
    if (w->sea) {
        parts[count++] = (gy_extra_part){w->sea->line, sizeof(double), sizeof(double)};
    }
    return count + gy_breaking_parts(w, parts + count);
}

/// What of a water follows from the def alone; how many tiles are not all cut out.
static void measure(gyre_water *w, const gyre_water_def *def)
{
    w->def = (gyre_water_def *)(uintptr_t)def; // to be read, until it has its own
    w->grid = def->grid;
    for (int a = 0; a < 2; a++) {
        w->tiles.n[a] = def->grid.n[a];
        w->tiles.tn[a] = (def->grid.n[a] + GY_TILE_MASK) >> GY_TILE_SHIFT;
    }
    w->edge_room = gy_pool_capacity(&def->edges);
    w->source_room = gy_pool_capacity(&def->sources);
    w->body_room = gy_pool_capacity(&def->bodies);
}

static int count_slots(const gyre_water *w, const gyre_water_def *def)
{
    int most = w->tiles.tn[0] * w->tiles.tn[1], live = 0;
    for (int tile = 0; tile < most; tile++) {
        live += gy_water_tile_live(w, tile);
    }
    return def->tiles > 0 ? GY_MIN(def->tiles, live) : live;
}

size_t gy_water_bytes(const void *memory)
{
    const gyre_water_def *def = memory;
    gyre_water probe = {0};
    if (gy_water_check_all(def) != GYRE_OK) {
        return 0;
    }
    measure(&probe, def);
    return plan(&probe, def, count_slots(&probe, def), NULL) + gy_water_sea_twin_size(def);
}

/// The least power of two not below x.
static double power_above(double x)
{
    double p = 1.0;
    while (p < x) {
        p *= 2.0;
    }
    while (p * 0.5 >= x && p > 1e-6) {
        p *= 0.5;
    }
    return p;
}

/// Heights and depths are kept on a grid of this step, so that bed and depth of a lake at rest add
/// up to the same number in every cell; in mode exact all depths are, for ever.
static float choose_quantum(const gyre_water_def *def)
{
    const gyre_water_lake *lakes = def->lakes.items;
    const gyre_water_block *blocks = def->blocks.items;
    const gyre_volume *v = &def->bed.data;
    double a = (double)def->bed.low, b = (double)def->bed.high - a, rise = 0.0, most;
    double low = 1e30, high = -1e30, top = def->fill ? (double)def->level : -1e30;
    for (size_t i = 0; v->data && i < (size_t)v->n[0] * (size_t)v->n[1]; i++) {
        low = GY_MIN(low, (double)v->data[i]);
        high = GY_MAX(high, (double)v->data[i]);
    }
    if (!v->data) {
        a = (double)def->bed.flat;
        low = high = 0.0;
    }
    double ends[2] = {a + b * low, a + b * high};
    for (int d = 0; d < 2; d++) {
        double s = (double)def->bed.slope[d] * def->grid.n[d] * (double)def->grid.h;
        rise += s < 0.0 ? -s : s;
    }
    low = GY_MIN(ends[0], ends[1]) - rise;
    high = GY_MAX(ends[0], ends[1]) + rise;
    for (int i = 0; i < def->lakes.count; i++) {
        top = GY_MAX(top, (double)lakes[i].level);
    }
    for (int i = 0; i < def->blocks.count; i++) {
        top = GY_MAX(top, (double)blocks[i].level);
    }
    most = GY_MAX(GY_MAX(high, -low), 4.0 * GY_MAX(top - low, 0.01));
    most = GY_MAX(most, GY_MAX(top, -top < 1e29 ? -top : 0.0));
    double quantum = def->quantum > 0.0f ? (double)def->quantum : most / 8388608.0;
    return (float)(power_above(quantum * 8388608.0) / 8388608.0);
}

static gyre_result set_up(gyre_water *w, char *block, const gyre_water_def *def,
                          gyre_device *device)
{
    w->model.grid = NULL;
    gy_model_head(&w->model, &gy_water_type, device, def, block + round64(sizeof *w));
    w->def = w->model.def;
    w->model.grid = &w->grid;
    memset(w->tiles.slot, 0xff, (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1] * sizeof(int32_t));
    w->quantum = choose_quantum(def);
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        w->live[tile] = gy_water_tile_live(w, tile);
    }
    w->body = gy_bodies_make(&w->grid, w->body_room, w->body_memory);
    if (def->queries) {
        gy_snapshots_make(w, w->snapshot_memory);
    }
    if (def->mode == GYRE_WATER_DISPERSIVE) {
        gy_dispersive_make(w);
    }
    if (def->nonhydrostatic) {
        gy_pressure_make(w);
    }
    gy_water_name_fields(w);
    if (w->traces) {
        gy_traces_make(w);
    }
    gy_water_entries_changed(w);
    gyre_result r = gy_water_fill(w);
    if (r == GYRE_OK) {
        r = gy_water_shape(w);
    }
    if (r == GYRE_OK) {
        r = gy_bodies_changed(w->body, &w->def->bodies);
    }
    for (int slot = 0; slot < w->tiles.used; slot++) {
        gy_water_touch(w, slot);
    }
    gy_snapshots_publish(w);
    gy_water_start_dust(w);
    gy_traces_begin(w);
    w->extra->lines[GY_LINE_START] = gy_water_depths(w);
    return r;
}

gyre_result gy_water_make(gyre_device *device, const void *memory, gyre_model **model)
{
    const gyre_water_def *def = memory;
    gyre_result r = gy_water_check_all(def);
    if (r == GYRE_OK) {
        r = gy_water_require(device, def);
    }
    if (r != GYRE_OK) {
        return r;
    }
    gyre_water probe = {.device.is = gy_device_has_own_memory(device)};
    measure(&probe, def);
    int slots = count_slots(&probe, def);
    if (slots == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s",
                         def->mask.data ? "mask: cuts off every cell"
                         : def->mode == GYRE_WATER_WAVE
                             ? "bed: lies above level everywhere, and there is no water"
                             : "edges: cut off every cell");
    }
    size_t bytes = plan(&probe, def, slots, NULL);
    const gyre_host *host = gy_device_host(device);
    char *block = gy_allocate(host, bytes, 4096);
    if (!block) {
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "water of %d x %d cells takes %zu bytes, and there are not so many",
                         def->grid.n[0], def->grid.n[1], bytes);
    }
    // Memory comes zeroed, and pages that nobody touches cost nothing: slots never used, lists of
    // bodies that are not there.
    gyre_water *w = (void *)block;
    *w = probe;
    w->host = *host;
    w->memory = block;
    w->bytes = bytes;
    w->tiles.slots = slots;
    plan(w, def, slots, block);
    if (w->device.is) {
        w->model.device = device;
        r = gy_water_device_make(w, def, device);
    }
    if (r == GYRE_OK) {
        r = set_up(w, block, def, device);
    }
    if (r == GYRE_OK && def->sea.carries == GYRE_WATER_WHOLE) {
        r = gy_water_sea_make_twin(w, device);
    }
    if (r == GYRE_OK && gy_water_depths(w) < 0.0) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT, "water: less than nothing at the start");
    }
    if (r != GYRE_OK) {
        gy_water_unmake(&w->model);
        return r;
    }
    *model = &w->model;
    return GYRE_OK;
}

void gy_water_unmake(gyre_model *model)
{
    gyre_water *w = (gyre_water *)model;
    gyre_host host = w->host;
    gy_nest_leave(w);
    for (int f = 0; f < GY_FIELDS; f++) {
        gy_list_free(w, &w->stage[f]);
    }
    gy_list_free(w, &w->edited);
    gy_list_free(w, &w->regions);
    gy_list_free(w, &w->faces);
    gy_list_free(w, &w->gates);
    gy_list_free(w, &w->layers);
    gy_list_free(w, &w->makers);
    gy_list_free(w, &w->journey);
    gy_list_free(w, &w->journey_row);
    gy_list_free(w, &w->overhang);
    gy_water_leave_bodies(w);
    gy_water_sea_free_twin(w);
    gy_water_device_free(w);
    gy_release(&host, w->memory, w->bytes);
}
