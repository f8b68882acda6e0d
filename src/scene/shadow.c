// scene/shadow.c: the scene's defs as they will be at some time of its timeline.
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

static gyre_pool *pool_at(const void *def, const gyre_property *p)
{
    return (void *)((char *)(uintptr_t)def + p->offset);
}

static void free_def(const gyre_property *table, void *def)
{
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_POOL) {
            free(pool_at(def, p)->items);
        }
    }
    free(def);
}

// Of a copied pool, the capacity says how many elements it has had at most.
static void *copy_def(const gy_scene_model *m, const void *from, int room)
{
    void *def = malloc(m->def_size);
    bool whole = def != NULL;
    if (def) {
        memcpy(def, from, m->def_size);
    }
    for (const gyre_property *p = m->properties; def && p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_POOL) {
            gyre_pool *pool = pool_at(def, p);
            const void *items = pool->items;
            pool->items = malloc(((size_t)pool->count + (size_t)room + 1) * p->size);
            whole = whole && pool->items;
            if (pool->items && pool->count > 0) {
                memcpy(pool->items, items, (size_t)pool->count * p->size);
            }
            pool->capacity = pool->count;
        }
    }
    if (def && !whole) {
        free_def(m->properties, def);
    }
    return whole ? def : NULL;
}

gyre_result gy_shadow_begin(gy_shadow *shadow, gyre_scene *scene, bool live, int room)
{
    *shadow = (gy_shadow){.scene = scene};
    for (int i = 0; i <= scene->model_count; i++) {
        gy_scene_model *m = gy_scene_at(scene, i);
        int model = (int)(m - scene->models);
        void *def = copy_def(m, live ? gy_live_def(scene, model) : m->def, room);
        if (!def) {
            gy_shadow_end(shadow, false);
            return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the timeline", scene->file);
        }
        shadow->kept[i] = m->def;
        m->def = def;
        shadow->count++;
    }
    return GYRE_OK;
}

gyre_result gy_shadow_end(gy_shadow *shadow, bool reserve)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < shadow->count; i++) {
        gy_scene_model *m = gy_scene_at(shadow->scene, i);
        void *def = m->def;
        m->def = shadow->kept[i];
        for (const gyre_property *p = m->properties; reserve && p->kind != GYRE_END; p++) {
            if (p->kind == GYRE_POOL && result == GYRE_OK) {
                const gyre_pool *pool = pool_at(m->def, p);
                int room = pool->capacity > 0 ? pool->capacity : pool->count;
                int more = pool_at(def, p)->capacity - room;
                char path[256];
                snprintf(path, sizeof path, "%s%s%s", m->name, m->name[0] ? "." : "", p->name);
                result = more > 0 ? gyre_scene_reserve(shadow->scene, path, more) : GYRE_OK;
            }
        }
        free_def(m->properties, def);
    }
    shadow->count = 0;
    return result;
}

void gy_shadow_add(const gyre_property *property, gyre_pool *pool, const void *element)
{
    memcpy((char *)pool->items + (size_t)pool->count * property->size, element, property->size);
    pool->count++;
    pool->capacity = pool->count > pool->capacity ? pool->count : pool->capacity;
}

bool gy_shadow_apply(gyre_scene *scene, const gy_key *key)
{
    const gyre_property *property;
    const char *element;
    int model;
    if (key->model < 0) {
        return true;
    }
    void *def = scene->models[key->model].def;
    if (!gy_element_is_there(scene, key, def)) {
        return false;
    }
    if (key->change != GY_SET && gy_scene_pool(scene, key->path, &model, &property, &element)) {
        gyre_pool *pool = pool_at(def, property);
        if (key->change == GY_ADD) {
            gy_shadow_add(property, pool, key->element);
        } else {
            gy_pool_remove(property, pool, gy_pool_find(property, pool, element));
        }
    }
    return true;
}

int gy_shadow_coming(gyre_scene *scene, int model, const gyre_property *property)
{
    const gy_timeline *t = &scene->timeline;
    gy_shadow shadow;
    int room = 0;
    for (int k = t->due; k < t->count; k++) {
        room += t->keys[k].change == GY_ADD;
    }
    if (room == 0) {
        return 0;
    }
    if (gy_shadow_begin(&shadow, scene, true, room)) {
        return -1;
    }
    const gyre_pool *pool = pool_at(scene->models[model].def, property);
    int now = pool->count;
    for (int k = t->due; k < t->count; k++) {
        gy_shadow_apply(scene, &t->keys[k]);
    }
    int most = pool->capacity;
    gy_shadow_end(&shadow, false);
    return most - now;
}
