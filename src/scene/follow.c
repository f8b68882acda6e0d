// scene/follow.c: what is put in while a scene runs is kept among its defs too, from which it is
// written. The timeline adds and removes elements of the models, not of the defs, so that places in
// lists differ between them: elements are told apart by the models' ids.
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

static gyre_result note(gyre_scene *scene, int model, const gyre_property *pool, gyre_id id)
{
    void *live = scene->live;
    if (!gy_scene_grow(scene, &live, scene->live_count, &scene->live_room, sizeof *scene->live)) {
        return GYRE_ERROR_MEMORY;
    }
    scene->live = live;
    scene->live[scene->live_count++] = (gy_live_element){model, pool, id};
    return GYRE_OK;
}

static gyre_pool *pool_at(const void *def, const gyre_property *p)
{
    return (void *)((char *)(uintptr_t)def + p->offset);
}

gyre_result gy_follow_begin(gyre_scene *scene)
{
    gyre_result result = GYRE_OK;
    scene->live_count = 0;
    for (int i = 0; i <= scene->model_count; i++) {
        const gy_scene_model *m = gy_scene_at(scene, i);
        int model = (int)(m - scene->models);
        for (const gyre_property *p = m->properties; p->kind != GYRE_END; p++) {
            int count = p->kind == GYRE_POOL ? pool_at(m->def, p)->count : 0;
            for (int k = 0; k < count && result == GYRE_OK; k++) {
                result = note(scene, model, p, gy_live_id(scene, model, p, k));
            }
        }
    }
    return result;
}

gyre_id gy_follow_id(gyre_scene *scene, int model, const char *path)
{
    const gyre_property *p;
    const char *below;
    char element[128];
    const gy_scene_model *m = &scene->models[model];
    if (!gy_element_split(m, gy_below_model(scene, model, path), &p, element, &below)) {
        return 0;
    }
    int index = gy_pool_find(p, pool_at(gy_live_def(scene, model), p), element);
    return gy_live_id(scene, model, p, index);
}

// The place of an element in the scene's list of those that are live; `index`: in its def's pool.
static int find(const gyre_scene *scene, int model, gyre_id id, int *index)
{
    for (int i = 0; i < scene->live_count; i++) {
        const gy_live_element *l = &scene->live[i];
        if (l->model == model && l->id == id) {
            *index = 0;
            for (int k = 0; k < i; k++) {
                *index += scene->live[k].model == model && scene->live[k].pool == l->pool;
            }
            return i;
        }
    }
    return -1;
}

// The entry of the timeline that has brought an element.
static gy_key *bringer(const gyre_scene *scene, int model, gyre_id id)
{
    for (int k = scene->timeline.due - 1; k >= 0; k--) {
        gy_key *key = &scene->timeline.keys[k];
        if (key->change == GY_ADD && key->model == model && key->id == id) {
            return key;
        }
    }
    return NULL;
}

static void follow_set(const gyre_scene *scene, const gy_key *key, gyre_id id)
{
    const gy_scene_model *m = &scene->models[key->model];
    const gyre_property *table = m->properties, *property;
    const char *below = gy_below_model(scene, key->model, key->path);
    void *def = m->def, *address;
    char element[128];
    if (gy_element_split(m, below, &property, element, &below)) {
        int index, place = find(scene, key->model, id, &index);
        gy_key *entry = place < 0 ? bringer(scene, key->model, id) : NULL;
        table = property->properties;
        def = place >= 0 ? (char *)pool_at(m->def, property)->items + (size_t)index * property->size
                         : NULL;
        def = entry ? entry->element : def;
    }
    gyre_value value = gy_value_open(&key->value);
    if (def && gyre_property_reach(table, def, below, &property, &address) == GYRE_OK) {
        gyre_property_set(property, address, &value);
    }
}

static void follow_remove(gyre_scene *scene, const gy_key *key, const gyre_property *property,
                          gyre_id id)
{
    int index, place = find(scene, key->model, id, &index);
    gy_key *entry = place < 0 ? bringer(scene, key->model, id) : NULL;
    if (place >= 0) {
        gy_pool_remove(property, pool_at(scene->models[key->model].def, property), index);
        scene->live_count--;
        memmove(&scene->live[place], &scene->live[place + 1],
                (size_t)(scene->live_count - place) * sizeof *scene->live);
    } else if (entry) {
        entry->gone = true;
    }
}

gyre_result gy_follow(gyre_scene *scene, const gy_key *key, gyre_id id)
{
    const gyre_property *property;
    const char *element;
    int model;
    if (key->model < 0) {
        return GYRE_OK;
    }
    if (key->change == GY_SET) {
        follow_set(scene, key, id);
        return GYRE_OK;
    }
    if (!gy_scene_pool(scene, key->path, &model, &property, &element)) {
        return GYRE_OK;
    }
    if (key->change == GY_REMOVE) {
        follow_remove(scene, key, property, id);
        return GYRE_OK;
    }
    gyre_result result =
        gy_pool_append(scene, property, pool_at(scene->models[model].def, property), key->element);
    return result ? result : note(scene, model, property, key->id);
}
