#include "model/model.h"
#include "base/os.h"
#include "grid/property.h"
#include <stdlib.h>
#include <string.h>

int gy_pool_capacity(const gyre_pool *pool)
{
    return GY_MAX(pool->count, pool->capacity > 0 ? pool->capacity : pool->count + 8);
}

static size_t aligned(size_t size)
{
    return (size + 63) / 64 * 64;
}

static int count_pools(const gyre_property *table)
{
    int count = 0;
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        count += p->kind == GYRE_POOL;
    }
    return count;
}

size_t gy_model_head_size(const gy_model_type *type, const void *def)
{
    size_t size = aligned(type->def_size) +
                  aligned((size_t)count_pools(type->properties) * sizeof(gy_model_pool));
    for (const gyre_property *p = type->properties; p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_POOL) {
            const gyre_pool *pool = (const void *)((const char *)def + p->offset);
            size_t capacity = (size_t)gy_pool_capacity(pool);
            size += aligned(capacity * p->size) + aligned(capacity * sizeof(uint64_t));
        }
    }
    return size;
}

void gy_model_head(gyre_model *model, const gy_model_type *type, gyre_device *device,
                   const void *def, void *memory)
{
    char *at = memory;
    model->type = type;
    model->device = device;
    model->def = at;
    model->next_id = 1;
    model->derived = -1;
    memcpy(at, def, type->def_size);
    at += aligned(type->def_size);
    model->pools = (void *)at;
    model->pool_count = 0;
    at += aligned((size_t)count_pools(type->properties) * sizeof *model->pools);
    for (const gyre_property *p = type->properties; p->kind != GYRE_END; p++) {
        if (p->kind != GYRE_POOL) {
            continue;
        }
        gyre_pool *pool = (void *)((char *)model->def + p->offset);
        size_t capacity = (size_t)gy_pool_capacity(pool);
        if (pool->count > 0) {
            memcpy(at, pool->items, (size_t)pool->count * p->size);
        }
        pool->items = at;
        pool->capacity = (int)capacity;
        at += aligned(capacity * p->size);
        model->pools[model->pool_count].property = p;
        model->pools[model->pool_count].ids = (void *)at;
        for (int i = 0; i < pool->count; i++) {
            model->pools[model->pool_count].ids[i] = model->next_id++;
        }
        model->pool_count++;
        at += aligned(capacity * sizeof(uint64_t));
    }
}

/// The pool whose elements a path names, or NULL.
static const char *pool_of(const gyre_model *model, const char *path)
{
    for (int i = 0; i < model->pool_count; i++) {
        const char *name = model->pools[i].property->name;
        size_t length = strlen(name);
        if (strncmp(path, name, length) == 0 && path[length] == '.') {
            return name;
        }
    }
    return NULL;
}

static gyre_result set(gyre_model *model, const char *path, const gyre_value *value)
{
    const gyre_property *property;
    void *address;
    gy_undo undo;
    gyre_result r =
        gyre_property_walk(model->type->properties, model->def, path, &property, &address);
    if (r != GYRE_OK) {
        return r;
    }
    if (property->flags & (GYRE_FIXED | GYRE_NAME)) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: is fixed when the model is made", path);
    }
    if (property->kind == GYRE_VOLUME) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: remove the element and add another instead", path);
    }
    r = gy_property_set(property, address, value, &undo);
    if (r != GYRE_OK) {
        return r;
    }
    r = model->type->check(model->def);
    if (r != GYRE_OK) {
        gy_property_undo(&undo);
        return r;
    }
    r = model->type->changed(model, pool_of(model, path));
    if (r != GYRE_OK) {
        gy_property_undo(&undo);
        model->type->changed(model, pool_of(model, path));
    }
    return r;
}

gyre_result gyre_model_set(gyre_model *model, const char *path, const gyre_value *value)
{
    if (GY_MISSING("set", model) || GY_MISSING("set", path) || GY_MISSING("set", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "set") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = set(model, path, value);
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_get(const gyre_model *model, const char *path, gyre_value *value)
{
    const gyre_property *property;
    void *address;
    if (GY_MISSING("get", model) || GY_MISSING("get", path) || GY_MISSING("get", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r =
        gyre_property_walk(model->type->properties, model->def, path, &property, &address);
    return r == GYRE_OK ? gyre_property_read(property, address, value) : r;
}

static int find_pool(const gyre_model *model, const char *name)
{
    for (int i = 0; i < model->pool_count; i++) {
        if (strcmp(model->pools[i].property->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static gyre_id add(gyre_model *model, const char *name, const void *element)
{
    int p = find_pool(model, name);
    if (p < 0 || (model->pools[p].property->flags & GYRE_FIXED)) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %s", name,
                  p < 0 ? "no such list" : "is fixed when the model is made");
        return 0;
    }
    const gyre_property *property = model->pools[p].property;
    gyre_pool *pool = (void *)((char *)model->def + property->offset);
    if (pool->count == pool->capacity) {
        gyre_fail(GYRE_ERROR_STATE, "%s: full with %d elements; ask for more by its capacity", name,
                  pool->count);
        return 0;
    }
    memcpy((char *)pool->items + (size_t)pool->count * property->size, element, property->size);
    pool->count++;
    if (gyre_property_check(property->properties, element, name) != GYRE_OK ||
        model->type->check(model->def) != GYRE_OK) {
        pool->count--;
        return 0;
    }
    model->pools[p].ids[pool->count - 1] = model->next_id++;
    if (model->type->changed(model, property->name) != GYRE_OK) {
        pool->count--;
        model->type->changed(model, property->name);
        return 0;
    }
    return model->pools[p].ids[pool->count - 1];
}

gyre_id gyre_model_add(gyre_model *model, const char *pool, const void *element)
{
    if (GY_MISSING("add", model) || GY_MISSING("add", pool) || GY_MISSING("add", element) ||
        gy_model_still(model, "add") != GYRE_OK) {
        return 0;
    }
    gy_device_enter(model->device);
    gyre_id id = add(model, pool, element);
    gy_device_leave(model->device);
    return id;
}

static void swap_bytes(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/// Moves element `from` of a pool to place `to`, the others closing up: the way back needs no room.
static void move_element(gyre_model *model, int p, int from, int to)
{
    const gyre_property *property = model->pools[p].property;
    gyre_pool *pool = (void *)((char *)model->def + property->offset);
    uint64_t *ids = model->pools[p].ids;
    for (int i = from, step = from < to ? 1 : -1; i != to; i += step) {
        char *at = (char *)pool->items + (size_t)i * property->size;
        swap_bytes(at, step > 0 ? at + property->size : at - property->size, property->size);
        swap_bytes((char *)&ids[i], (char *)&ids[i + step], sizeof ids[i]);
    }
}

static gyre_result remove_element(gyre_model *model, const char *name, gyre_id id)
{
    int p = find_pool(model, name);
    if (p < 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "remove: no such list");
    }
    if (model->pools[p].property->flags & GYRE_FIXED) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: is fixed when the model is made", name);
    }
    gyre_pool *pool = (void *)((char *)model->def + model->pools[p].property->offset);
    for (int i = 0; i < pool->count; i++) {
        if (model->pools[p].ids[i] == id) {
            int last = pool->count - 1;
            move_element(model, p, i, last);
            pool->count = last;
            gyre_result r = model->type->changed(model, name);
            if (r != GYRE_OK) {
                pool->count = last + 1;
                move_element(model, p, last, i);
                model->type->changed(model, name);
            }
            return r;
        }
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no element with id %llu", name,
                     (unsigned long long)id);
}

gyre_result gyre_model_remove(gyre_model *model, const char *pool, gyre_id id)
{
    if (GY_MISSING("remove", model) || GY_MISSING("remove", pool)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "remove") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = remove_element(model, pool, id);
    gy_device_leave(model->device);
    return r;
}

const void *gyre_model_def(const gyre_model *model)
{
    return GY_MISSING("def", model) ? NULL : model->def;
}

gyre_id gyre_model_element(const gyre_model *model, const char *name, int index)
{
    if (GY_MISSING("element", model) || GY_MISSING("element", name)) {
        return 0;
    }
    int p = find_pool(model, name);
    const gyre_pool *pool =
        p < 0 ? NULL : (const void *)((const char *)model->def + model->pools[p].property->offset);
    return pool && index >= 0 && index < pool->count ? model->pools[p].ids[index] : 0;
}

int gyre_model_mesh_count(const gyre_model *model)
{
    return !GY_MISSING("mesh_count", model) && model->type->mesh_count
               ? model->type->mesh_count(model)
               : 0;
}

gyre_result gyre_model_mesh(const gyre_model *model, int index, gyre_mesh *mesh)
{
    if (GY_MISSING("mesh", model) || GY_MISSING("mesh", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= gyre_model_mesh_count(model)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mesh: there is none with index %d", index);
    }
    gy_device_enter(model->device);
    gyre_result r = model->type->mesh(model, index, mesh);
    gy_device_leave(model->device);
    return r;
}

const gyre_property *gyre_model_stats(const gyre_model *model, const void **stats)
{
    if (GY_MISSING("stats", model) || GY_MISSING("stats", stats)) {
        return NULL;
    }
    *stats = NULL;
    if (gy_model_whole(model, "stats") != GYRE_OK) {
        return NULL;
    }
    // The statistics that cost a pass over the fields are made when they are asked for.
    gy_device_enter(model->device);
    *stats = model->type->get_stats((gyre_model *)(uintptr_t)model);
    gy_device_leave(model->device);
    return model->type->stats;
}

const char *gyre_model_type(const gyre_model *model)
{
    return GY_MISSING("type", model) ? NULL : model->type->name;
}
const gyre_grid *gyre_model_grid(const gyre_model *model)
{
    return GY_MISSING("grid", model) ? NULL : model->grid;
}
gyre_device *gyre_model_device(const gyre_model *model)
{
    return GY_MISSING("device", model) ? NULL : model->device;
}
double gyre_model_time(const gyre_model *model)
{
    return GY_MISSING("time", model) ? 0.0 : model->time;
}
int64_t gyre_model_steps(const gyre_model *model)
{
    return GY_MISSING("steps", model) ? 0 : model->steps;
}

gyre_result gyre_model_step(gyre_model *model, float dt)
{
    if (GY_MISSING("step", model)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!gy_is_finite(dt) || dt < 0.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "step: dt must be finite and not below 0");
    }
    if (gy_model_still(model, "step") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = model->type->step(model, dt);
    gy_device_leave(model->device);
    return r;
}

gyre_result gy_model_create(const gy_model_type *type, gyre_device *device, const void *def,
                            gyre_model **model)
{
    if (GY_MISSING("create", model)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *model = NULL;
    if (GY_MISSING("create", device) || GY_MISSING("create", def)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(device);
    gyre_result r = type->create(device, def, model);
    if (r == GYRE_OK) {
        gy_device_hold(device);
    }
    gy_device_leave(device);
    return r;
}

void gyre_model_destroy(gyre_model *model)
{
    if (model) {
        gyre_device *device = model->device;
        gy_device_enter(device);
        model->type->destroy(model);
        gy_device_leave(device);
        gy_device_drop(device);
    }
}
