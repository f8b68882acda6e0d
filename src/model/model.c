#include "model/model.h"
#include "base/os.h"
#include "grid/property.h"
#include <assert.h>
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

gyre_result gyre_model_set(gyre_model *model, const char *path, const gyre_value *value)
{
    const gyre_property *property;
    void *address;
    gyre_value old;
    if (!model || !path || !value) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "set: a NULL argument");
    }
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
    r = gyre_property_read(property, address, &old);
    if (r == GYRE_OK) {
        r = gyre_property_write(property, address, value);
    }
    if (r != GYRE_OK) {
        return r;
    }
    r = model->type->check(model->def);
    if (r != GYRE_OK) {
        gyre_property_write(property, address, &old);
        return r;
    }
    r = model->type->changed(model, pool_of(model, path));
    if (r != GYRE_OK) {
        gyre_property_write(property, address, &old);
        model->type->changed(model, pool_of(model, path));
    }
    return r;
}

gyre_result gyre_model_get(const gyre_model *model, const char *path, gyre_value *value)
{
    const gyre_property *property;
    void *address;
    if (!model || !path || !value) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "get: a NULL argument");
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

gyre_id gyre_model_add(gyre_model *model, const char *name, const void *element)
{
    if (!model || !name || !element) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "add: a NULL argument");
        return 0;
    }
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

gyre_result gyre_model_remove(gyre_model *model, const char *name, gyre_id id)
{
    int p = model && name ? find_pool(model, name) : -1;
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

const void *gyre_model_def(const gyre_model *model)
{
    return model->def;
}

gyre_id gyre_model_element(const gyre_model *model, const char *name, int index)
{
    int p = find_pool(model, name);
    const gyre_pool *pool =
        p < 0 ? NULL : (const void *)((const char *)model->def + model->pools[p].property->offset);
    return pool && index >= 0 && index < pool->count ? model->pools[p].ids[index] : 0;
}

int gyre_model_mesh_count(const gyre_model *model)
{
    return model && model->type->mesh_count ? model->type->mesh_count(model) : 0;
}

gyre_result gyre_model_mesh(const gyre_model *model, int index, gyre_mesh *mesh)
{
    if (!model || !mesh || index < 0 || index >= gyre_model_mesh_count(model)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mesh: there is none with index %d", index);
    }
    return model->type->mesh(model, index, mesh);
}

static const char *field_name(const void *list, int i)
{
    return ((const gyre_field_info *)list)[i].name;
}

int gyre_model_field(const gyre_model *model, const char *name)
{
    if (!model || !name) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "field: a NULL argument");
        return -1;
    }
    char known[512] = "";
    for (int i = 0; i < model->field_count; i++) {
        if (strcmp(model->fields[i].name, name) == 0) {
            return i;
        }
        size_t used = strlen(known);
        if (used + strlen(model->fields[i].name) + 3 < sizeof known) {
            strcat(strcat(known, used ? ", " : ""), model->fields[i].name);
        }
    }
    const char *nearest = gyre_name_nearest(name, model->field_count, field_name, model->fields);
    gyre_fail(GYRE_ERROR_ARGUMENT, "no field \"%s\"%s%s%s; there are %s", name,
              nearest ? ", did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
              known);
    return -1;
}

static gyre_result check_field(const gyre_model *model, int field)
{
    if (!model || field < 0 || field >= model->field_count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "no field with index %d", field);
    }
    return GYRE_OK;
}

void gy_model_window(const gyre_model *model, int field, gyre_field_view *view)
{
    if (model->type->fetch) {
        model->type->fetch(model, field);
    }
    model->type->window(model, field, view);
}

static uint64_t bit_of(int field)
{
    assert(field < 64);
    return (uint64_t)1 << field;
}

static uint64_t hash_window(const gyre_field_view *v)
{
    uint64_t hash = 0;
    for (int k = 0; k < v->n[2]; k++) {
        for (int j = 0; j < v->n[1]; j++) {
            const float *row = v->data + j * v->stride[1] + k * v->stride[2];
            hash = gy_hash(row, (size_t)v->n[0] * sizeof *row, hash);
        }
    }
    return hash;
}

gyre_result gyre_model_map(gyre_model *model, int field, gyre_field_view *view)
{
    gyre_result r = check_field(model, field);
    if (r != GYRE_OK) {
        return r;
    }
    if (model->fields[field].derived) {
        if (model->derived >= 0 && model->derived != field) {
            return gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", model->fields[field].name,
                             model->fields[model->derived].name);
        }
    }
    r = gy_device_status(model->device);
    if (r != GYRE_OK) {
        return r;
    }
    if (model->type->stage) {
        r = model->type->stage(model, field);
        if (r != GYRE_OK) {
            return r;
        }
    }
    if (model->fields[field].derived) {
        model->type->derive(model, field);
    }
    gy_model_window(model, field, view);
    r = gy_device_status(model->device);
    if (r == GYRE_OK) {
        if (!model->fields[field].derived && !model->type->unstage) {
            model->seen[field] = hash_window(view);
        }
        model->mapped |= bit_of(field);
        model->derived = model->fields[field].derived ? field : model->derived;
    }
    return r;
}

gyre_result gyre_model_unmap(gyre_model *model, int field)
{
    gyre_result r = check_field(model, field);
    if (r != GYRE_OK) {
        return r;
    }
    if (model->fields[field].derived) {
        model->derived = -1;
        return GYRE_OK;
    }
    gyre_field_view v;
    int64_t bad = 0;
    // One that was not mapped since it changed is left as it is: the host's copy may be an old one.
    if (model->type->fetch && !(model->mapped & bit_of(field))) {
        model->type->fetch(model, field);
    }
    bool mapped = model->mapped & bit_of(field);
    model->mapped &= ~bit_of(field);
    model->type->window(model, field, &v);
    if (mapped && !model->type->unstage && hash_window(&v) == model->seen[field]) {
        return GYRE_OK;
    }
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            float *row = v.data + j * v.stride[1] + k * v.stride[2];
            for (int i = 0; i < v.n[0]; i++) {
                if (!gy_is_finite(row[i])) {
                    row[i] = 0.0f;
                    bad++;
                }
            }
        }
    }
    if (model->type->unstage) {
        r = model->type->unstage(model, field);
    }
    model->type->written(model, field);
    if (bad) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %lld samples were not finite and are 0 now",
                         model->fields[field].name, (long long)bad);
    }
    return r;
}

gyre_result gyre_model_add_source(gyre_model *model, int field, const float centre[3], float radius,
                                  float amount)
{
    gyre_result r = check_field(model, field);
    if (r != GYRE_OK) {
        return r;
    }
    if (model->fields[field].derived) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: is derived from other fields",
                         model->fields[field].name);
    }
    bool finite = gy_is_finite(radius) && gy_is_finite(amount);
    for (int a = 0; a < model->grid->dim; a++) {
        finite = finite && gy_is_finite(centre[a]);
    }
    if (!finite || !(radius > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "add_source: centre and amount must be finite and radius above 0");
    }
    model->mapped &= ~bit_of(field);
    return model->type->add_source(model, field, centre, radius, amount);
}

gyre_result gyre_model_probe(const gyre_model *model, int field, const float *points, int count,
                             float *values)
{
    gyre_result r = check_field(model, field);
    gyre_field_view v;
    if (r != GYRE_OK) {
        return r;
    }
    if (model->fields[field].derived && model->derived != field) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: map it before probing it",
                         model->fields[field].name);
    }
    gy_model_window(model, field, &v);
    r = gy_device_status(model->device);
    for (int p = 0; p < count && r == GYRE_OK; p++) {
        float first[3], f[3], sum = 0.0f;
        int cell[3];
        gyre_grid_position(model->grid, model->fields[field].location, 0, 0, 0, first);
        for (int a = 0; a < 3; a++) {
            float x = a < model->grid->dim ? (points[3 * p + a] - first[a]) / model->grid->h : 0.0f;
            if (a < model->grid->dim && !gy_is_finite(points[3 * p + a])) {
                return gyre_fail(GYRE_ERROR_ARGUMENT, "probe: point %d is not finite", p);
            }
            float top = (float)(v.n[a] - 1);
            x = x < 0.0f ? 0.0f : x > top ? top : x;
            cell[a] = GY_MIN((int)x, GY_MAX(v.n[a] - 2, 0));
            f[a] = x - (float)cell[a];
        }
        for (int c = 0; c < 8; c++) {
            float w = 1.0f;
            ptrdiff_t o = 0;
            for (int a = 0; a < 3; a++) {
                int up = c >> a & 1;
                w *= up ? f[a] : 1.0f - f[a];
                o += v.stride[a] * (cell[a] + (up && cell[a] + 1 < v.n[a] ? 1 : 0));
            }
            sum += w != 0.0f ? w * v.data[o] : 0.0f;
        }
        values[p] = sum;
    }
    return r;
}

double gyre_model_total(const gyre_model *model, int field)
{
    return check_field(model, field) == GYRE_OK ? model->type->total(model, field) : 0.0;
}

const gyre_property *gyre_model_stats(const gyre_model *model, const void **stats)
{
    // The statistics that cost a pass over the fields are made when they are asked for.
    *stats = model->type->get_stats((gyre_model *)(uintptr_t)model);
    return model->type->stats;
}

uint64_t gyre_model_hash(const gyre_model *model)
{
    uint64_t hash = gy_hash(&model->time, sizeof model->time, 0);
    hash = gy_hash(&model->steps, sizeof model->steps, hash);
    for (int f = 0; f < model->field_count; f++) {
        if (model->fields[f].derived) {
            continue;
        }
        gyre_field_view v;
        float row[GY_MOST_SAMPLES];
        gy_model_window(model, f, &v);
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                const float *at = row;
                if (model->type->read_row) {
                    model->type->read_row(model, f, j, k, row);
                } else {
                    at = v.data + j * v.stride[1] + k * v.stride[2];
                }
                hash = gy_hash(at, (size_t)v.n[0] * sizeof(float), hash);
            }
        }
    }
    if (model->type->keep) {
        model->type->keep((gyre_model *)(uintptr_t)model);
    }
    return model->extra_size ? gy_hash(model->extra, model->extra_size, hash) : hash;
}

const char *gyre_model_type(const gyre_model *model)
{
    return model->type->name;
}
const gyre_grid *gyre_model_grid(const gyre_model *model)
{
    return model->grid;
}
gyre_device *gyre_model_device(const gyre_model *model)
{
    return model->device;
}
double gyre_model_time(const gyre_model *model)
{
    return model->time;
}
int64_t gyre_model_steps(const gyre_model *model)
{
    return model->steps;
}

gyre_result gyre_model_step(gyre_model *model, float dt)
{
    if (!model || !gy_is_finite(dt) || dt < 0.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "step: dt must be finite and not below 0");
    }
    if (model->derived >= 0) {
        return gyre_fail(GYRE_ERROR_STATE, "step: unmap %s first",
                         model->fields[model->derived].name);
    }
    model->mapped = 0;
    return model->type->step(model, dt);
}

void gyre_model_destroy(gyre_model *model)
{
    if (model) {
        model->type->destroy(model);
    }
}

const gyre_field_info *gyre_model_fields(const gyre_model *model, int *count)
{
    *count = model->field_count;
    return model->fields;
}
