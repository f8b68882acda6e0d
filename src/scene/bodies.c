// scene/bodies.c: the scene's bodies: a set that every model is handed, stepped after them. To the
// timeline, to what is put in and to what is written they are a pool as the models have theirs;
// what is live is said here for both.
#include "scene/scene.h"

#include "gyre/property_table.h"

#include <stdlib.h>
#include <string.h>

/// What stands in place of a model's def: the settings from `bodies` on.
typedef struct bodies_def {
    gyre_pool bodies;
} bodies_def;

static const gyre_property properties[] = {
    GYRE_PROPERTY_POOL(bodies_def, bodies, gyre_body, GY_SCENE_BODIES, gyre_body_properties,
                       "bodies"),
    GYRE_PROPERTY_END,
};

void gy_scene_bodies_begin(gyre_scene *scene)
{
    scene->models[GY_BODIES] = (gy_scene_model){
        .properties = properties, .def = &scene->settings.bodies, .def_size = sizeof(bodies_def)};
}

bool gy_scene_bodies_are(const gyre_scene *scene)
{
    const gyre_pool *bodies = scene->models[GY_BODIES].def;
    return scene->created ? scene->with_bodies : bodies->count > 0 || bodies->capacity > 0;
}

gy_scene_model *gy_scene_at(const gyre_scene *scene, int i)
{
    return (gy_scene_model *)(uintptr_t)&scene->models[i < scene->model_count ? i : GY_BODIES];
}

const char *gy_below_model(const gyre_scene *scene, int model, const char *path)
{
    return model == GY_BODIES ? path : path + strlen(scene->models[model].name) + 1;
}

// ---- the set ------------------------------------------------------------------------------------

static const gyre_body *body_at(const gyre_pool *bodies, int index)
{
    return (const gyre_body *)bodies->items + index;
}

// Whether a set takes those of a list from the first-th on.
static gyre_result try_bodies(const gyre_pool *bodies, int first, int count)
{
    gyre_bodies *set;
    gyre_bodies_def def = gyre_bodies_default_def();
    def.capacity = count > 0 ? count : 1;
    gyre_result result = gyre_bodies_create(&def, &set);
    if (result) {
        return result;
    }
    for (int i = first; i < first + count && result == GYRE_OK; i++) {
        result = gyre_bodies_add(set, body_at(bodies, i)) ? GYRE_OK : GYRE_ERROR_ARGUMENT;
    }
    gyre_bodies_destroy(set);
    return result;
}

gyre_result gy_scene_bodies_check(const gyre_pool *bodies, int index)
{
    return try_bodies(bodies, index, 1);
}

bool gy_def_is_right(const gyre_scene *scene, int model)
{
    const gy_scene_model *m = &scene->models[model];
    if (model != GY_BODIES) {
        return gyre_model_def_size(m->type, m->def) != 0;
    }
    const gyre_pool *bodies = m->def;
    return try_bodies(bodies, 0, bodies->count) == GYRE_OK;
}

// Down the axis that points up, as strongly as the first model says that has a surface, and else as
// on earth.
static void find_gravity(const gyre_scene *scene, float gravity[3])
{
    int up = scene->settings.up == GYRE_UP_Z ? 2 : 1;
    float strength = 9.81f;
    for (int i = scene->model_count - 1; i >= 0; i--) {
        int count;
        const gy_scene_model *m = &scene->models[i];
        const gyre_field_info *info = gyre_model_fields(m->model, &count);
        const gyre_property *p = gyre_property_find(m->properties, "gravity");
        for (int k = 0; k < count; k++) {
            if (info[k].role != GYRE_ROLE_SURFACE) {
                continue;
            }
            up = 2;
            if (p && p->kind == GYRE_FLOAT && p->count <= 1) {
                memcpy(&strength, (const char *)m->def + p->offset, sizeof strength);
            }
        }
    }
    memset(gravity, 0, 3 * sizeof *gravity);
    gravity[up] = -strength;
}

static gyre_result hand_over(gyre_scene *scene, int i)
{
    if (gy_nested_holds(scene, i)) {
        return GYRE_OK; // they float in the finest water alone
    }
    gyre_result result = gyre_model_use_bodies(scene->models[i].model, scene->bodies);
    if (result == GYRE_OK || result == GYRE_ERROR_UNSUPPORTED) {
        return GYRE_OK; // gyre_scene_warn() tells
    }
    char message[800];
    snprintf(message, sizeof message, "%.799s", gyre_message());
    return gyre_fail(result, "%.200s: %s: %s", scene->file, scene->models[i].name, message);
}

// An empty set with room for so many.
static gyre_result make_set(gyre_scene *scene, int capacity)
{
    gyre_bodies_def def = gyre_bodies_default_def();
    def.capacity = capacity;
    find_gravity(scene, def.gravity);
    gyre_result result = gyre_bodies_create(&def, &scene->bodies);
    size_t room = (size_t)capacity;
    scene->bodies_now = (gyre_pool){calloc(room, sizeof(gyre_body)), 0, capacity};
    scene->targets = calloc(room, sizeof *scene->targets);
    scene->target_count = 0;
    if (result == GYRE_OK && (!scene->bodies_now.items || !scene->targets)) {
        result = gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for bodies", scene->file);
    }
    return result;
}

gyre_result gy_scene_bodies_create(gyre_scene *scene)
{
    const gyre_pool *bodies = &scene->settings.bodies;
    scene->with_bodies = gy_scene_bodies_are(scene);
    if (!scene->with_bodies) {
        return GYRE_OK;
    }
    bool more = bodies->capacity > bodies->count;
    gyre_result result = make_set(scene, more ? bodies->capacity : bodies->count + 8);
    for (int i = 0; i < bodies->count && result == GYRE_OK; i++) {
        result = gyre_bodies_add(scene->bodies, body_at(bodies, i)) ? GYRE_OK : GYRE_ERROR_ARGUMENT;
    }
    for (int i = 0; i < scene->model_count && result == GYRE_OK; i++) {
        result = hand_over(scene, i);
    }
    return result;
}

gyre_result gy_scene_bodies_want(gyre_scene *scene, bool *made)
{
    *made = scene->bodies == NULL;
    if (!*made) {
        return GYRE_OK;
    }
    gyre_result result = make_set(scene, gyre_bodies_default_def().capacity);
    // As if it had been there from the start: so a replay, which knows that bodies come, ends with
    // the same bits.
    for (int64_t i = 0; i < scene->steps && result == GYRE_OK; i++) {
        result = gyre_bodies_step(scene->bodies, gyre_scene_dt(scene));
    }
    for (int i = 0; i < scene->model_count && result == GYRE_OK; i++) {
        result = hand_over(scene, i);
    }
    if (result) {
        char message[800];
        snprintf(message, sizeof message, "%.799s", gyre_message());
        gy_scene_bodies_drop(scene);
        gyre_fail(result, "%s", message);
    }
    return result;
}

void gy_scene_bodies_drop(gyre_scene *scene)
{
    if (!scene->bodies) {
        return;
    }
    for (int i = 0; i < scene->model_count; i++) {
        gyre_model_use_bodies(scene->models[i].model, NULL);
    }
    gy_scene_bodies_destroy(scene);
    // What was put in is kept among the defs, too: scene/follow.c.
    int kept = 0;
    for (int i = 0; i < scene->live_count; i++) {
        if (scene->live[i].model != GY_BODIES) {
            scene->live[kept++] = scene->live[i];
        }
    }
    scene->live_count = kept;
    scene->settings.bodies.count = 0;
}

void gy_scene_bodies_destroy(gyre_scene *scene)
{
    gyre_bodies_destroy(scene->bodies);
    free(scene->bodies_now.items);
    free(scene->targets);
    scene->bodies = NULL;
    scene->bodies_now = (gyre_pool){0};
    scene->targets = NULL;
    scene->target_count = 0;
}

gyre_bodies *gyre_scene_bodies(const gyre_scene *scene)
{
    return GY_MISSING("scene_bodies", scene) || !scene->created ? NULL : scene->bodies;
}

gyre_result gy_scene_bodies_step(gyre_scene *scene)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < scene->target_count && result == GYRE_OK; i++) {
        const gy_target *t = &scene->targets[i];
        result = gyre_bodies_drive(scene->bodies, t->id, &t->pose);
    }
    scene->target_count = 0;
    return result || !scene->bodies ? result
                                    : gyre_bodies_step(scene->bodies, gyre_scene_dt(scene));
}

// ---- what is live -------------------------------------------------------------------------------

static gyre_result none(const gyre_scene *scene)
{
    return gyre_fail(GYRE_ERROR_STATE, "%.200s: has no bodies", scene->file);
}

const void *gy_live_def(gyre_scene *scene, int model)
{
    if (model != GY_BODIES) {
        return gyre_model_def(scene->models[model].model);
    }
    gyre_pool *now = &scene->bodies_now;
    now->count = scene->bodies ? gyre_bodies_count(scene->bodies) : 0;
    for (int i = 0; i < now->count; i++) {
        gyre_bodies_read(scene->bodies, gyre_bodies_element(scene->bodies, i),
                         (gyre_body *)now->items + i);
    }
    return now;
}

gyre_id gy_live_id(const gyre_scene *scene, int model, const gyre_property *pool, int index)
{
    return model != GY_BODIES ? gyre_model_element(scene->models[model].model, pool->name, index)
           : scene->bodies    ? gyre_bodies_element(scene->bodies, index)
                              : 0;
}

gyre_id gy_live_add(gyre_scene *scene, int model, const gyre_property *pool, const void *element)
{
    if (model == GY_BODIES && !scene->bodies) {
        none(scene);
        return 0;
    }
    return model != GY_BODIES ? gyre_model_add(scene->models[model].model, pool->name, element)
                              : gyre_bodies_add(scene->bodies, element);
}

gyre_result gy_live_remove(gyre_scene *scene, int model, gyre_id id)
{
    if (model != GY_BODIES) {
        return gyre_model_remove(scene->models[model].model, id);
    }
    for (int i = 0; i < scene->target_count; i++) {
        if (scene->targets[i].id == id) {
            scene->targets[i] = scene->targets[--scene->target_count];
        }
    }
    return scene->bodies ? gyre_bodies_remove(scene->bodies, id) : none(scene);
}

static bool is_of_pose(const char *below)
{
    return strcmp(below, "position") == 0 || strcmp(below, "rotation") == 0 ||
           strcmp(below, "orientation") == 0;
}

// The place in the step's list of where a driven body goes: at first where it is.
static gy_target *target_of(gyre_scene *scene, gyre_id id, const gyre_body *body)
{
    for (int i = 0; i < scene->target_count; i++) {
        if (scene->targets[i].id == id) {
            return &scene->targets[i];
        }
    }
    gy_target *t = &scene->targets[scene->target_count++];
    *t = (gy_target){id, body->pose};
    return t;
}

static gyre_result set_body(gyre_scene *scene, const char *path, const gyre_value *value)
{
    const gyre_property *pool, *property;
    const gyre_pool *now = gy_live_def(scene, GY_BODIES);
    const char *below;
    char element[128];
    void *address;
    if (!gy_element_split(&scene->models[GY_BODIES], path, &pool, element, &below)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: expected a property of a body", path);
    }
    int index = gy_pool_find(pool, now, element);
    if (index < 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: there is no such element now", path);
    }
    gyre_id id = gyre_bodies_element(scene->bodies, index);
    gyre_body body = *body_at(now, index);
    gy_target *target = NULL;
    if (body.motion == GYRE_MOTION_DRIVEN && is_of_pose(below)) {
        target = target_of(scene, id, &body);
        body.pose = target->pose;
    }
    gyre_result result =
        gyre_property_walk(gyre_body_properties, &body, below, &property, &address);
    result = result ? result : gyre_property_set(property, address, value);
    if (result == GYRE_OK && strcmp(below, "rotation") == 0) {
        memset(body.pose.orientation, 0, sizeof body.pose.orientation); // the last one said counts
    }
    if (result || !target) {
        return result ? result : gyre_bodies_update(scene->bodies, id, &body);
    }
    target->pose = body.pose;
    return GYRE_OK;
}

gyre_result gy_live_set(gyre_scene *scene, int model, const char *rest, const gyre_value *value)
{
    return model != GY_BODIES ? gyre_model_set(scene->models[model].model, rest, value)
                              : set_body(scene, rest, value);
}

gyre_result gy_scene_bodies_get(gyre_scene *scene, const char *path, gyre_value *value)
{
    const gyre_property *property;
    void *address, *now = (void *)(uintptr_t)gy_live_def(scene, GY_BODIES);
    gyre_result result = gyre_property_walk(properties, now, path, &property, &address);
    return result ? result : gyre_property_read(property, address, value);
}

bool gy_scene_bodies_lead(gyre_scene *scene, const gy_key *key)
{
    const gyre_property *pool;
    const char *below;
    char element[128];
    if (key->model != GY_BODIES ||
        !gy_element_split(&scene->models[GY_BODIES], key->path, &pool, element, &below)) {
        return false;
    }
    const gyre_pool *now = gy_live_def(scene, GY_BODIES);
    int index = gy_pool_find(pool, now, element);
    return index >= 0 && body_at(now, index)->motion == GYRE_MOTION_DRIVEN && is_of_pose(below);
}

// ---- to be drawn --------------------------------------------------------------------------------

int gy_scene_bodies_mesh_count(const gyre_scene *scene)
{
    return scene->bodies ? gyre_bodies_count(scene->bodies) : 0;
}

gyre_result gy_scene_bodies_mesh(gyre_scene *scene, int index, gyre_mesh *mesh)
{
    return gyre_bodies_mesh(scene->bodies, gyre_bodies_element(scene->bodies, index), mesh);
}
