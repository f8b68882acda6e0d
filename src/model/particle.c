#include "model/particle.h"
#include "base/maths.h"
#include "model/model.h"
#include "ops/particle/particle.h"
#include <stdio.h>
#include <string.h>

// ---- memory

/// Takes bytes from the end of what is counted in units of 64 bytes.
static uint32_t take(size_t *used, size_t bytes)
{
    uint32_t at = (uint32_t)(*used / 64);
    *used += (bytes + 63) / 64 * 64;
    return at;
}

/// Bins of cells such that they fit the buckets.
static void choose_bins(gy_particles *set, const gyre_grid *grid)
{
    int64_t cells = (int64_t)grid->n[0] * grid->n[1] * grid->n[2];
    set->shift = set->coarse = 0;
    while (((cells - 1) >> set->coarse) >= (int64_t)GY_PARTICLE_BUCKETS * GY_PARTICLE_MOST_BINS) {
        set->coarse++;
    }
    while (((cells - 1) >> (set->coarse + set->shift)) >= GY_PARTICLE_BUCKETS) {
        set->shift++;
    }
}

size_t gy_particles_plan(gy_particles *set, const char *name, const char *doc,
                         const gyre_attribute_info *table, int attributes, int capacity,
                         const gyre_grid *grid)
{
    size_t used = 0, words = (size_t)capacity * sizeof(uint32_t);
    *set = (gy_particles){.info = {.name = name,
                                   .doc = doc,
                                   .attributes = set->attributes,
                                   .attribute_count = attributes,
                                   .capacity = capacity},
                          .grid = grid};
    for (int a = 0; a < attributes; a++) {
        set->attributes[a] = table[a];
        set->attributes[a].array = set->info.arrays;
        set->info.arrays += table[a].components;
    }
    // Ops read whole vectors beyond the last particle; arrays are a few lines apart from multiples
    // of a page, or all of them would want the same places in a cache.
    size_t step = (words + 4095) / 4096 * 4096 + 3 * 64;
    set->step = (uint32_t)(step / 64);
    choose_bins(set, grid);
    take(&used, step * (size_t)set->info.arrays);
    set->spare = take(&used, step * (size_t)set->info.arrays);
    set->keys = take(&used, step);
    set->sorted = take(&used, step);
    set->counts = take(&used, sizeof(uint32_t) * GY_MAX_TASKS * GY_PARTICLE_COUNTS);
    set->starts = take(&used, sizeof(uint32_t) * (GY_PARTICLE_BUCKETS + 1));
    set->bins = take(&used, (sizeof(uint32_t) * GY_MAX_BLOCKS) << set->shift);
    set->gone = take(&used, sizeof(uint32_t) * GY_MAX_TASKS);
    set->now = take(&used, sizeof(gy_particle_now));
    set->bytes = used;
    return used;
}

gyre_result gy_particles_require(gyre_device *device, const char *what, gy_op carries)
{
    const gy_op ops[] = {carries,
                         GY_OP_particle_append,
                         GY_OP_particle_grow,
                         GY_OP_particle_settle,
                         GY_OP_particle_key,
                         GY_OP_particle_starts,
                         GY_OP_particle_scatter,
                         GY_OP_particle_order};
    return gy_device_require(device, what, ops, GY_COUNT(ops));
}

static void *array_at(const gy_particles *set, int array)
{
    return gy_at(set->base, (uint32_t)array * set->step);
}

void *gy_particles_array(const gy_particles *set, int attribute, int component)
{
    return array_at(set, set->attributes[attribute].array + component);
}

gy_box gy_particles_box(const gy_particles *set)
{
    return gy_box_make((int)set->state.count, 1, 1);
}

static gy_particle_now *now(const gy_particles *set)
{
    return (gy_particle_now *)(void *)gy_at(set->base, set->now);
}

void gy_particles_collect(const gyre_device *device, const gy_particles *set)
{
    gy_particles *own = (gy_particles *)(uintptr_t)set;
    if (!set->late) {
        return;
    }
    // What was noted before other ops ran is not how many there are now.
    (set->noted ? gy_device_collect : gy_device_fetch)((gyre_device *)(uintptr_t)device, now(set),
                                                       sizeof(gy_particle_now));
    own->state.lost += set->state.count - (int64_t)now(set)->count;
    own->state.count = (int64_t)now(set)->count;
    own->late = own->noted = false;
}

/// Tells ops how many there are.
static void put_count(gyre_device *device, gy_particles *set)
{
    *now(set) = (gy_particle_now){.count = (uint32_t)set->state.count};
    gy_device_put(device, now(set), sizeof(gy_particle_now));
    set->late = set->noted = false;
}

static void fetch(const gyre_device *device, const gy_particles *set)
{
    gy_particles_collect(device, set);
    for (int a = 0; a < set->info.arrays; a++) {
        gy_device_fetch((gyre_device *)(uintptr_t)device, array_at(set, a),
                        (size_t)set->state.count * sizeof(uint32_t));
    }
}

static void put(gyre_device *device, const gy_particles *set, int64_t first, int64_t count)
{
    for (int a = 0; a < set->info.arrays && count > 0; a++) {
        gy_device_put(device, (uint32_t *)array_at(set, a) + first,
                      (size_t)count * sizeof(uint32_t));
    }
}

// ---- order

static gy_particle_args args_of(const gy_particles *set)
{
    const gyre_grid *grid = set->grid;
    return (gy_particle_args){.base = set->base,
                              .from = 0,
                              .to = set->spare,
                              .step = set->step,
                              .keys = set->keys,
                              .sorted = set->sorted,
                              .counts = set->counts,
                              .starts = set->starts,
                              .bins = set->bins,
                              .now = set->now,
                              .gone = set->gone,
                              .arrays = set->info.arrays,
                              .tasks = gy_task_count(GY_OP_particle_key, gy_particles_box(set)),
                              .shift = set->shift,
                              .coarse = set->coarse,
                              .n = {grid->n[0], grid->n[1], grid->n[2]},
                              .dim = grid->dim,
                              .origin = {grid->origin[0], grid->origin[1], grid->origin[2]},
                              .inverse = 1.0f / grid->h};
}

/// By cell, without those that are gone; nothing where the op before has found all settled.
static void sort(gyre_device *device, gy_particles *set, bool always)
{
    gy_box box = gy_particles_box(set), one = gy_box_make(1, 1, 1);
    gy_particle_args a = args_of(set);
    if (set->state.count == 0) {
        return;
    }
    a.always = always;
    gy_run(device, GY_OP_particle_settle, &a, one);
    gy_device_gate(device, &now(set)->settled);
    gy_run(device, GY_OP_particle_key, &a, box);
    gy_run(device, GY_OP_particle_starts, &a, one);
    gy_run(device, GY_OP_particle_scatter, &a, box);
    gy_run(device, GY_OP_particle_order, &a, gy_box_make(GY_PARTICLE_BUCKETS, 1, 1));
    gy_device_gate(device, NULL);
    set->late = true;
    set->noted = false;
    if (!gy_device_is_remote(device)) {
        gy_particles_collect(device, set);
    }
}

void gy_particles_settle(gyre_device *device, gy_particles *set, int64_t step)
{
    sort(device, set, step % GY_PARTICLE_EVERY == 0);
}

void gy_particles_end(gyre_device *device, gy_particles *set)
{
    if (set->late) {
        gy_device_prefetch(device, now(set), sizeof(gy_particle_now));
        set->noted = true;
    }
}

void gy_particles_keep_in(gyre_device *device, gy_particles *set, uint32_t periodic)
{
    const gyre_grid *grid = set->grid;
    fetch(device, set);
    for (int64_t i = 0; i < set->state.count; i++) {
        bool in = true;
        for (int a = 0; a < grid->dim; a++) {
            float *x = (float *)array_at(set, a) + i;
            double low = (double)grid->origin[a], size = (double)grid->h * grid->n[a];
            double over = (double)*x - low;
            if (periodic >> a & 1u) {
                over -= size * __builtin_floor(over / size);
                *x = (float)(low + over);
            }
            in = in && over >= 0.0 && over <= size;
        }
        if (!in) {
            ((float *)array_at(set, 0))[i] = GY_PARTICLE_GONE;
        }
    }
    put(device, set, 0, set->state.count);
    sort(device, set, true);
}

// ---- where they come from

int gy_particles_room(gyre_device *device, gy_particles *set, int64_t count)
{
    if (set->state.count + count > set->info.capacity) {
        gy_particles_collect(device, set);
    }
    int64_t room = GY_MIN(count, (int64_t)set->info.capacity - set->state.count);
    set->state.refused += count - room;
    return (int)room;
}

/// Where the device alone knows how many there are, what comes lies in the spare arrays until an op
/// puts it behind them.
static bool appends(const gyre_device *device)
{
    return gy_device_is_remote(device);
}

void *gy_particles_new(const gyre_device *device, const gy_particles *set, int attribute,
                       int component)
{
    uint32_t *first = gy_particles_array(set, attribute, component);
    uint32_t array = (uint32_t)(set->attributes[attribute].array + component);
    return appends(device) ? (void *)gy_at(set->base, set->spare + array * set->step)
                           : (void *)(first + set->state.count);
}

void gy_particles_add(gyre_device *device, gy_particles *set, int count)
{
    if (count > 0 && appends(device)) {
        gy_particle_args a = args_of(set);
        a.more = count;
        for (int q = 0; q < set->info.arrays; q++) {
            gy_device_put(device, gy_at(set->base, set->spare + (uint32_t)q * set->step),
                          (size_t)count * sizeof(uint32_t));
        }
        gy_run(device, GY_OP_particle_append, &a, gy_box_make(count, 1, 1));
        gy_run(device, GY_OP_particle_grow, &a, gy_box_make(1, 1, 1));
        set->noted = false;
    } else {
        put(device, set, set->state.count, count);
    }
    set->state.count += count;
    set->state.seeded += count;
    if (!appends(device)) {
        put_count(device, set);
    }
}

int64_t gy_particles_due(double rate, double from, double to)
{
    double a = rate * from, b = rate * to;
    // Beyond these a double counts no single particles, and no set has room for so many.
    return b < 1e15 ? (int64_t)b - (int64_t)a : b - a < 1e15 ? (int64_t)(b - a) : (int64_t)1e15;
}

float gy_particles_random(uint64_t seed, uint64_t number, uint32_t which)
{
    uint32_t stream = gy_random((uint32_t)seed, (uint32_t)number);
    return gy_random_unit(stream ^ (uint32_t)(number >> 32), which);
}

// ---- hash, save, load

uint64_t gy_particles_hash(const gyre_device *device, const gy_particles *set, uint64_t hash)
{
    fetch(device, set);
    hash = gy_hash(&set->state, sizeof set->state, hash);
    for (int a = 0; a < set->info.arrays; a++) {
        hash = gy_hash(array_at(set, a), (size_t)set->state.count * sizeof(uint32_t), hash);
    }
    return hash;
}

/// What a saved set begins with; its arrays follow.
typedef struct set_chunk {
    gy_particle_state state;
    uint64_t table; // a hash of the attributes
} set_chunk;

static uint64_t table_hash(const gy_particles *set)
{
    uint64_t hash = 0;
    for (int a = 0; a < set->info.attribute_count; a++) {
        const gyre_attribute_info *at = &set->attributes[a];
        const int32_t shape[2] = {at->components, (int32_t)at->kind};
        hash = gy_hash(shape, sizeof shape, gy_hash(at->name, strlen(at->name), hash));
    }
    return hash;
}

size_t gy_particles_save_size(const gyre_device *device, const gy_particles *set, bool most)
{
    if (!most) {
        gy_particles_collect(device, set);
    }
    size_t count = most ? (size_t)set->info.capacity : (size_t)set->state.count;
    return sizeof(set_chunk) + (size_t)set->info.arrays * count * sizeof(uint32_t);
}

void gy_particles_save(gyre_device *device, const gy_particles *set, char *bytes)
{
    fetch(device, set);
    set_chunk head = {set->state, table_hash(set)};
    size_t array = (size_t)set->state.count * sizeof(uint32_t);
    memcpy(bytes, &head, sizeof head);
    bytes += sizeof head;
    for (int a = 0; a < set->info.arrays; a++, bytes += array) {
        memcpy(bytes, array_at(set, a), array);
    }
}

static bool finite(const char *bytes, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count && all; i++) {
        float x;
        memcpy(&x, bytes + i * sizeof x, sizeof x);
        all = gy_is_finite(x);
    }
    return all;
}

gyre_result gy_particles_check(const gy_particles *set, const char *bytes, size_t size)
{
    const char *name = set->info.name;
    set_chunk head;
    if (size < sizeof head) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s have %zu bytes, too few", name, size);
    }
    memcpy(&head, bytes, sizeof head);
    bytes += sizeof head;
    if (head.table != table_hash(set)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s have other attributes than the model's",
                         name);
    }
    const gy_particle_state *s = &head.state;
    if (s->count < 0 || s->lost < 0 || s->seeded < 0 || s->refused < 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s: less than none: damaged", name);
    }
    if (s->count > set->info.capacity) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %lld %s, and there is room for %d",
                         (long long)s->count, name, set->info.capacity);
    }
    size_t array = (size_t)s->count * sizeof(uint32_t);
    if (size - sizeof head != (size_t)set->info.arrays * array) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s have %zu bytes, expected %zu", name, size,
                         sizeof head + (size_t)set->info.arrays * array);
    }
    for (int a = 0; a < set->info.attribute_count; a++) {
        const gyre_attribute_info *at = &set->attributes[a];
        size_t count = (size_t)at->components * (size_t)s->count;
        if (at->kind == GYRE_ATTRIBUTE_FLOAT && !finite(bytes + (size_t)at->array * array, count)) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: %s.%s has a value that is not finite", name,
                             at->name);
        }
    }
    return GYRE_OK;
}

void gy_particles_load(gyre_device *device, gy_particles *set, const char *bytes)
{
    set_chunk head;
    memcpy(&head, bytes, sizeof head);
    bytes += sizeof head;
    set->state = head.state;
    size_t array = (size_t)set->state.count * sizeof(uint32_t);
    for (int a = 0; a < set->info.arrays; a++, bytes += array) {
        memcpy(array_at(set, a), bytes, array);
    }
    put(device, set, 0, set->state.count);
    put_count(device, set);
}

// ---- sets by name and by index

static const char *set_name(const void *list, int i)
{
    return ((const gy_particles *)list)[i].info.name;
}

int gyre_model_particle_sets(const gyre_model *model)
{
    return GY_MISSING("particle_sets", model) ? 0 : model->particle_sets;
}

static gyre_result check_set(const char *call, const gyre_model *model, int set)
{
    if (GY_MISSING(call, model)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (set >= 0 && set < model->particle_sets) {
        return GYRE_OK;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no particles with index %d; there are %d sets", call,
                     set, model->particle_sets);
}

const gyre_particle_info *gyre_model_particles(const gyre_model *model, int set)
{
    return check_set("particles", model, set) == GYRE_OK ? &model->particles[set].info : NULL;
}

int gyre_model_particle_set(const gyre_model *model, const char *name)
{
    if (GY_MISSING("particle_set", model) || GY_MISSING("particle_set", name)) {
        return -1;
    }
    for (int i = 0; i < model->particle_sets; i++) {
        if (strcmp(model->particles[i].info.name, name) == 0) {
            return i;
        }
    }
    const char *nearest = model->particle_sets > 0 ? gyre_name_nearest(name, model->particle_sets,
                                                                       set_name, model->particles)
                                                   : NULL;
    gyre_fail(GYRE_ERROR_ARGUMENT, "no particles \"%.100s\"%s%s%s", name,
              nearest                    ? ", did you mean \""
              : model->particle_sets > 0 ? ""
                                         : "; this model has none",
              nearest ? nearest : "", nearest ? "\"?" : "");
    return -1;
}

gyre_result gyre_model_particle_stats(const gyre_model *model, int set, gyre_particle_stats *stats)
{
    if (check_set("particle_stats", model, set) != GYRE_OK || GY_MISSING("particle_stats", stats)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gy_particle_state *s = &model->particles[set].state;
    gy_device_enter(model->device);
    gy_particles_collect(model->device, &model->particles[set]);
    *stats = (gyre_particle_stats){s->count, s->seeded, s->lost, s->refused};
    gyre_result r = gy_device_status(model->device);
    gy_device_leave(model->device);
    return r;
}

// ---- windows

static uint32_t bit_of(int set)
{
    return 1u << set;
}

gy_particles *gy_model_open_particles(const gyre_model *model, bool writing)
{
    uint32_t open = writing ? model->particles_writing : model->particles_open;
    for (int i = 0; i < model->particle_sets; i++) {
        if (open & bit_of(i)) {
            return &model->particles[i];
        }
    }
    return NULL;
}

gyre_result gyre_model_map_particles(gyre_model *model, int set, gyre_access access,
                                     gyre_particle_view *view)
{
    if (check_set("map_particles", model, set) != GYRE_OK || GY_MISSING("map_particles", view)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_particles *p = &model->particles[set];
    if (access != GYRE_READ && access != GYRE_WRITE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: map them with GYRE_READ or GYRE_WRITE",
                         p->info.name);
    }
    if (model->particles_open & bit_of(set)) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: are mapped already; unmap them first",
                         p->info.name);
    }
    gy_device_enter(model->device);
    gyre_result r = gy_device_status(model->device);
    if (r == GYRE_OK) {
        fetch(model->device, p);
        *view = (gyre_particle_view){.count = (int)p->state.count, .capacity = p->info.capacity};
        for (int a = 0; a < p->info.arrays; a++) {
            view->data[a] = array_at(p, a);
        }
        model->particles_open |= bit_of(set);
        if (access == GYRE_WRITE) {
            model->particles_writing |= bit_of(set);
            p->seen = gy_particles_hash(model->device, p, 0);
        }
    }
    gy_device_leave(model->device);
    return r;
}

/// Makes what was written a state; returns how many numbers were not finite.
static int64_t mend(const gy_particles *set)
{
    int64_t bad = 0;
    for (int a = 0; a < set->info.attribute_count; a++) {
        const gyre_attribute_info *at = &set->attributes[a];
        for (int c = 0; c < at->components && at->kind == GYRE_ATTRIBUTE_FLOAT; c++) {
            float *x = array_at(set, at->array + c);
            for (int64_t i = 0; i < set->state.count; i++) {
                if (!gy_is_finite(x[i])) {
                    // One that is nowhere is gone.
                    x[i] = a == 0 ? GY_PARTICLE_GONE : 0.0f;
                    bad++;
                }
            }
        }
    }
    return bad;
}

static gyre_result take_written(gyre_model *model, gy_particles *set, int count)
{
    int64_t before = set->state.count;
    if (count == before && gy_particles_hash(model->device, set, 0) == set->seen) {
        return GYRE_OK;
    }
    set->state.count = count;
    set->state.seeded += GY_MAX(count - before, 0);
    set->state.lost += GY_MAX(before - count, 0);
    int64_t bad = mend(set);
    put(model->device, set, 0, count);
    put_count(model->device, set);
    sort(model->device, set, true);
    if (bad) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %lld numbers were not finite", set->info.name,
                         (long long)bad);
    }
    return gy_device_status(model->device);
}

gyre_result gyre_model_unmap_particles(gyre_model *model, int set, int count)
{
    if (check_set("unmap_particles", model, set) != GYRE_OK) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_particles *p = &model->particles[set];
    bool writing = model->particles_writing & bit_of(set);
    if (!(model->particles_open & bit_of(set))) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: are not mapped", p->info.name);
    }
    if (count < 0 || count > p->info.capacity) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %d are there now, and there is room for %d",
                         p->info.name, count, p->info.capacity);
    }
    if (!writing && count != p->state.count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: are open to be read: there are still %lld",
                         p->info.name, (long long)p->state.count);
    }
    model->particles_open &= ~bit_of(set);
    model->particles_writing &= ~bit_of(set);
    if (!writing) {
        return GYRE_OK;
    }
    gy_device_enter(model->device);
    gyre_result r = take_written(model, p, count);
    gy_device_leave(model->device);
    return r;
}
