#include "model/model.h"
#include "base/os.h"
#include "grid/property.h"
#include <stdlib.h>
#include <string.h>

int gy_pool_capacity(const gyre_pool *pool)
{
    return GY_MAX(pool->count, pool->capacity > 0 ? pool->capacity : pool->count + 8);
}

/// The same of a pool that may want no room to spare.
static size_t room_of(const gyre_property *property, const gyre_pool *pool)
{
    bool bare = (property->flags & GYRE_BARE) && pool->capacity <= pool->count;
    return (size_t)(bare ? pool->count : gy_pool_capacity(pool));
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
            size_t capacity = room_of(p, pool);
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
    model->tag = gy_model_tag();
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
        size_t capacity = room_of(p, pool);
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

const void *gyre_model_def(const gyre_model *model)
{
    return GY_MISSING("def", model) ? NULL : model->def;
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

bool gyre_model_has_bodies(const gyre_model *model)
{
    return !GY_MISSING("has_bodies", model) && model->bodies != NULL;
}

gyre_result gyre_model_body_mesh(gyre_model *model, int index, gyre_mesh *mesh)
{
    if (GY_MISSING("body_mesh", model) || GY_MISSING("body_mesh", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!model->bodies) {
        return gyre_fail(GYRE_ERROR_STATE, "body_mesh: the %s has no bodies of a set",
                         model->type->name);
    }
    gyre_id id = gyre_bodies_element(model->bodies, index);
    if (!id) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(model->device);
    gyre_result r = gy_model_fresh(model);
    bool own = false;
    if (r == GYRE_OK && model->type->body_mesh) {
        r = model->type->body_mesh(model, index, mesh, &own);
    }
    r = r == GYRE_OK && !own ? gyre_bodies_mesh(model->bodies, id, mesh) : r;
    gy_device_leave(model->device);
    return r;
}

int gyre_model_sheet_count(const gyre_model *model)
{
    return !GY_MISSING("sheet_count", model) && model->type->sheet_count
               ? model->type->sheet_count(model)
               : 0;
}

gyre_result gyre_model_sheet(gyre_model *model, int index, gyre_mesh *mesh)
{
    if (GY_MISSING("sheet", model) || GY_MISSING("sheet", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= gyre_model_sheet_count(model)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "sheet: there is none with index %d", index);
    }
    gy_device_enter(model->device);
    gyre_result r = gy_model_fresh(model);
    r = r == GYRE_OK ? model->type->sheet(model, index, mesh) : r;
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_overhang(gyre_model *model, gyre_mesh *mesh)
{
    if (GY_MISSING("overhang", model) || GY_MISSING("overhang", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *mesh = (gyre_mesh){0};
    if (!model->type->overhang) {
        return GYRE_OK;
    }
    gy_device_enter(model->device);
    gyre_result r = gy_model_fresh(model);
    r = r == GYRE_OK ? model->type->overhang(model, mesh) : r;
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_texture(const gyre_model *model, gyre_texture *texture)
{
    if (GY_MISSING("texture", model) || GY_MISSING("texture", texture)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *texture = (gyre_texture){0};
    for (int p = 0; p < GYRE_TEXTURE_PHASES; p++) {
        texture->field[p][0] = texture->field[p][1] = texture->field[p][2] = -1;
    }
    if (model->type->texture) {
        gy_device_enter(model->device);
        model->type->texture(model, texture);
        gy_device_leave(model->device);
    }
    return GYRE_OK;
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
    gyre_model *own = (gyre_model *)(uintptr_t)model;
    gy_device_enter(model->device);
    *stats = gy_model_fresh(own) == GYRE_OK ? model->type->get_stats(own) : NULL;
    gy_device_leave(model->device);
    return *stats ? model->type->stats : NULL;
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
    gyre_result r = gy_model_fresh(model);
    r = r == GYRE_OK ? model->type->step(model, dt) : r;
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_use_bodies(gyre_model *model, gyre_bodies *bodies)
{
    if (GY_MISSING("use_bodies", model)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (bodies && !model->type->use_bodies) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "use_bodies: a model \"%s\" takes no bodies",
                         model->type->name);
    }
    if (gy_model_still(model, "use_bodies") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gyre_result r = GYRE_OK;
    if (bodies != model->bodies) {
        gy_device_enter(model->device);
        r = gy_model_fresh(model);
        if (r == GYRE_OK || !bodies) {
            r = model->type->use_bodies(model, bodies);
        }
        gy_device_leave(model->device);
    }
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
