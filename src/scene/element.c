// scene/element.c: elements of pools by path, and what comes and goes while a scene runs.
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

bool gy_scene_pool(const gyre_scene *scene, const char *path, int *model,
                   const gyre_property **pool, const char **element)
{
    char name[128];
    for (int i = 0; i < scene->model_count; i++) {
        const gy_scene_model *m = &scene->models[i];
        size_t length = strlen(m->name);
        if (strncmp(path, m->name, length) != 0 || path[length] != '.') {
            continue;
        }
        const char *rest = path + length + 1;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(rest, "."), rest);
        const gyre_property *p = gyre_property_find(m->properties, name);
        rest += strlen(name);
        if (!p || p->kind != GYRE_POOL || strchr(rest + (*rest == '.'), '.')) {
            return false;
        }
        *model = i;
        *pool = p;
        *element = rest + (*rest == '.');
        return true;
    }
    size_t length = strcspn(path, ".");
    const gyre_property *bodies = scene->models[GY_BODIES].properties;
    if (length != strlen(bodies->name) || strncmp(path, bodies->name, length) != 0 ||
        (path[length] && strchr(path + length + 1, '.'))) {
        return false;
    }
    *model = GY_BODIES;
    *pool = bodies;
    *element = path + length + (path[length] == '.');
    return true;
}

bool gy_element_split(const gy_scene_model *model, const char *rest, const gyre_property **pool,
                      char element[128], const char **below)
{
    char name[128];
    size_t length = strcspn(rest, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, rest);
    const gyre_property *p = gyre_property_find(model->properties, name);
    if (!p || p->kind != GYRE_POOL || !rest[length]) {
        return false;
    }
    rest += length + 1;
    length = strcspn(rest, ".");
    snprintf(element, 128, "%.*s", (int)length, rest);
    *pool = p;
    *below = rest + length + (rest[length] == '.');
    return true;
}

bool gy_element_is_there(const gyre_scene *scene, const gy_key *key, const void *def)
{
    const gy_scene_model *m = &scene->models[key->model];
    const gyre_property *pool;
    const char *below;
    char element[128];
    return !gy_element_split(m, gy_below_model(scene, key->model, key->path), &pool, element,
                             &below) ||
           gy_pool_find(pool, (const void *)((const char *)def + pool->offset), element) >= 0;
}

int gy_pool_find(const gyre_property *property, const gyre_pool *pool, const char *element)
{
    const gyre_property *name = property->properties;
    char *end;
    long index = strtol(element, &end, 10);
    if (*element && !*end) {
        return index >= 0 && index < pool->count ? (int)index : -1;
    }
    while (name->kind != GYRE_END && !(name->flags & GYRE_NAME)) {
        name++;
    }
    for (int i = 0; i < pool->count && name->kind != GYRE_END; i++) {
        const char *item = (const char *)pool->items + (size_t)i * property->size;
        if (strcmp(item + name->offset, element) == 0) {
            return i;
        }
    }
    return -1;
}

// Makes the array of a pool hold `capacity` elements.
static gyre_result grow(gyre_scene *scene, const gyre_property *property, gyre_pool *pool,
                        int capacity)
{
    void *items = gy_scene_allocate(scene, ((size_t)capacity + 1) * property->size);
    if (!items) {
        return GYRE_ERROR_MEMORY;
    }
    if (pool->count > 0) {
        memcpy(items, pool->items, (size_t)pool->count * property->size);
    }
    pool->items = items;
    pool->capacity = capacity;
    return GYRE_OK;
}

gyre_result gy_pool_append(gyre_scene *scene, const gyre_property *property, gyre_pool *pool,
                           const void *element)
{
    if (pool->count >= pool->capacity) {
        gyre_result result = grow(scene, property, pool, 2 * pool->count + 32);
        if (result) {
            return result;
        }
    }
    memcpy((char *)pool->items + (size_t)pool->count * property->size, element, property->size);
    pool->count++;
    return GYRE_OK;
}

void gy_pool_remove(const gyre_property *property, gyre_pool *pool, int index)
{
    char *at = (char *)pool->items + (size_t)index * property->size;
    pool->count--;
    memmove(at, at + property->size, (size_t)(pool->count - index) * property->size);
}

gyre_result gyre_scene_reserve(gyre_scene *scene, const char *path, int count)
{
    if (GY_MISSING("scene_reserve", scene) || GY_MISSING("scene_reserve", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gyre_property *property;
    const char *element;
    int model;
    if (scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are created already", scene->file);
    }
    if (!gy_scene_pool(scene, path, &model, &property, &element) || *element) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.100s: expected the path of a list, such as %s.%s",
                         path, scene->models[0].name, "solids");
    }
    gyre_pool *pool = (void *)((char *)scene->models[model].def + property->offset);
    int64_t most = property->max > 0 ? (int64_t)property->max : GY_SCENE_ELEMENTS;
    // Without a capacity a model keeps room for eight more.
    int64_t wanted = (pool->capacity > 0 ? pool->capacity : pool->count + 8) + (int64_t)count;
    if (count < 0 || wanted > most + 8) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.100s: %lld elements, expected at most %lld", path,
                         (long long)wanted, (long long)most);
    }
    return grow(scene, property, pool, (int)(wanted < most ? wanted : most));
}
