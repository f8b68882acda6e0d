// gas/arrays.c: callers' arrays as ops see them. On the CPU ops read the arrays themselves; a
// device with memory of its own has copies: of those that shapes of emitters and forces are, made
// when those change, and of whole-field sources, made anew before each step, because their owner
// may have filled them anew.
#include "gas/gas.h"
#include <string.h>

static size_t volume_bytes(const gyre_volume *v)
{
    return (size_t)v->n[0] * (size_t)v->n[1] * (size_t)v->n[2] * sizeof(float);
}

static bool same_volume(const gyre_volume *a, const gyre_volume *b)
{
    return a->data == b->data && memcmp(a->n, b->n, sizeof a->n) == 0;
}

static gy_gas_array *find_array(const gyre_gas *gas, const gyre_volume *volume)
{
    for (int i = 0; i < gas->array_count; i++) {
        if (same_volume(&gas->arrays[i].of, volume)) {
            return &gas->arrays[i];
        }
    }
    return NULL;
}

/// The device has given no memory: it has said why, or has failed before.
static gyre_result no_memory(const gyre_gas *gas, const char *what)
{
    gyre_result r = gy_device_status(gas->model.device);
    return r == GYRE_OK ? gyre_fail(GYRE_ERROR_MEMORY, "%s: %s", what, gyre_message()) : r;
}

static gyre_result take_array(gyre_gas *gas, const gyre_volume *volume)
{
    gy_gas_array *array = find_array(gas, volume);
    if (array) {
        array->used = true;
        return GYRE_OK;
    }
    size_t bytes = volume_bytes(volume);
    float *copy = gy_device_allocate(gas->model.device, bytes);
    if (!copy) {
        return no_memory(gas, "the array of a shape");
    }
    gy_device_write(gas->model.device, copy, volume->data, bytes);
    gas->arrays[gas->array_count++] = (gy_gas_array){.of = *volume, .copy = copy, .used = true};
    return GYRE_OK;
}

/// Those that nothing is shaped by any more. They are dropped last, so that a change that fails
/// can be taken back without asking for memory.
static void drop_unused(gyre_gas *gas)
{
    int kept = 0;
    for (int i = 0; i < gas->array_count; i++) {
        gy_gas_array *array = &gas->arrays[i];
        if (array->used) {
            gas->arrays[kept++] = *array;
        } else {
            gy_device_release(gas->model.device, array->copy, volume_bytes(&array->of));
        }
    }
    gas->array_count = kept;
}

gyre_result gy_gas_take_arrays(gyre_gas *gas)
{
    const gyre_gas_emitter *list = gas->def->emitters.items;
    const gyre_gas_force *forces = gas->def->forces.items;
    gyre_result r = GYRE_OK;
    if (!gy_device_has_own_memory(gas->model.device)) {
        return GYRE_OK;
    }
    for (int i = 0; i < gas->array_count; i++) {
        gas->arrays[i].used = false;
    }
    for (int i = 0; i < gas->def->emitters.count && r == GYRE_OK; i++) {
        if (list[i].shape.kind == GYRE_SHAPE_VOLUME) {
            r = take_array(gas, &list[i].shape.as.volume.data);
        }
    }
    for (int i = 0; i < gas->def->forces.count && r == GYRE_OK; i++) {
        if (!forces[i].everywhere && forces[i].shape.kind == GYRE_SHAPE_VOLUME) {
            r = take_array(gas, &forces[i].shape.as.volume.data);
        }
    }
    if (r == GYRE_OK) {
        drop_unused(gas);
    }
    return r;
}

const float *gy_gas_array_of(const gyre_gas *gas, const gyre_volume *volume)
{
    const gy_gas_array *array = find_array(gas, volume);
    return array ? array->copy : volume->data;
}

static size_t source_bytes(const gyre_gas *gas, int field)
{
    int n[3];
    gyre_grid_samples(&gas->grid, gas->fields[field].location, n);
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof(float);
}

gyre_result gy_gas_take_source(gyre_gas *gas, int field, const float *rate)
{
    gyre_device *device = gas->model.device;
    size_t bytes = source_bytes(gas, field);
    if (rate && !gas->rates[field] && gy_device_has_own_memory(device)) {
        gas->rates[field] = gy_device_allocate(device, bytes);
        if (!gas->rates[field]) {
            return no_memory(gas, "set_source");
        }
    } else if (!rate) {
        gy_device_release(device, gas->rates[field], bytes);
        gas->rates[field] = NULL;
    }
    gas->sources[field] = rate;
    return GYRE_OK;
}

void gy_gas_bring_sources(gyre_gas *gas)
{
    for (int f = 0; f < gas->states; f++) {
        if (gas->rates[f]) {
            gy_device_write(gas->model.device, gas->rates[f], gas->sources[f],
                            source_bytes(gas, f));
        }
    }
}

void gy_gas_drop_arrays(gyre_gas *gas)
{
    for (int i = 0; i < gas->array_count; i++) {
        gas->arrays[i].used = false;
    }
    drop_unused(gas);
    for (int f = 0; f < gas->states; f++) {
        gy_gas_take_source(gas, f, NULL);
    }
}
