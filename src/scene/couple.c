// scene/couple.c: what ties models together: emitters that stay on a water's surface or go along
// with a body, a gas over water, and water as a window of an ocean.
//
// Once a step, before the models: z of the emitter's shape so that its middle is at
// surface(x, y) + offset, or the shape that the scene gives it, put into the world by the body's
// pose. One that pushes gets the velocity of the body there beside its own. What a timeline sets of
// an element that goes along is in the body's frame too. Costs a probe of the surface, or a body's
// copy and a look at the keys that are due, and an update of one element each.
#include "gyre/pose.h"
#include "gyre/sea.h"
#include "gyre/shape.h"
#include "gyre/wind.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A coupling with what its paths mean now.
typedef struct tie {
    gyre_model *from; // whose surface; NULL: it goes along with a body
    int field;
    gyre_id body;        // 0: it is not there now
    const char *given;   // the element as the scene gives it
    const char *element; // what the path calls it
    int of;              // the index of `model`
    gyre_model *model;   // whose element
    gyre_model *air;     // in its place: over whose floor
    gyre_model *window;  // or: the water that is joined
    gyre_model *sea;     // to this ocean
    gyre_id id;          // 0: it is not there now
    const gyre_property *pool;
    size_t shape; // its place in the element
} tie;

static gyre_result refuse(const gyre_scene *scene, int i, const char *member, const char *what,
                          const char *found)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: couplings.%d.%s: found \"%.100s\", expected %s",
                     scene->file, i, member, found, what);
}

static gyre_result find_surface(const gyre_scene *scene, int i, const gyre_coupling *c, tie *t)
{
    for (int m = 0; m < scene->model_count; m++) {
        int count;
        const gyre_field_info *info = gyre_model_fields(scene->models[m].model, &count);
        for (int k = 0; k < count && strcmp(scene->models[m].name, c->surface) == 0; k++) {
            if (info[k].role == GYRE_ROLE_SURFACE) {
                t->from = scene->models[m].model;
                t->field = k;
                return GYRE_OK;
            }
        }
    }
    return refuse(scene, i, "surface", "the name of a model that has a surface", c->surface);
}

/// The element of that name which a timeline has brought.
static const void *brought(const gyre_scene *scene, const gy_timeline *t, int model,
                           const char *element)
{
    for (int k = t->due - 1; k >= 0; k--) {
        const gy_key *key = &t->keys[k];
        const gyre_property *pool;
        const char *none;
        int of;
        if (key->change == GY_ADD && key->model == model &&
            gy_scene_pool(scene, key->path, &of, &pool, &none)) {
            const gyre_pool one = {key->element, 1, 1};
            if (gy_pool_find(pool, &one, element) == 0) {
                return key->element;
            }
        }
    }
    return NULL;
}

static gyre_result find_body(const gyre_scene *scene, int i, const gyre_coupling *c, int model,
                             const char *element, tie *t)
{
    const gyre_pool *bodies = &scene->settings.bodies;
    const char *given = NULL;
    bool known = false;
    for (int k = 0; k < bodies->count; k++) {
        known = known || strcmp(((const gyre_body *)bodies->items)[k].name, c->body) == 0;
    }
    if (!known && !scene->created && bodies->capacity == 0) {
        return refuse(scene, i, "body", "the name of a body of the scene", c->body);
    }
    if (scene->bodies) {
        t->body = gyre_bodies_find(scene->bodies, c->body);
    }
    const gyre_pool *list =
        (const void *)((const char *)scene->models[model].def + t->pool->offset);
    int index = gy_pool_find(t->pool, list, element);
    if (index >= 0) {
        given = (const char *)list->items + (size_t)index * t->pool->size;
    }
    given = given ? given : brought(scene, &scene->timeline, model, element);
    given = given ? given : brought(scene, &scene->replay, model, element);
    t->given = given;
    t->element = element;
    t->of = model;
    return given && *(const int32_t *)(const void *)(given + t->shape) == GYRE_SHAPE_VOLUME
               ? refuse(scene, i, "element",
                        "an element whose shape is no volume, which cannot turn", c->element)
               : GYRE_OK;
}

/// A gas, in place of an element.
static gyre_result find_air(const gyre_scene *scene, int i, const gyre_coupling *c, tie *t)
{
    for (int m = 0; m < scene->model_count; m++) {
        const gy_scene_model *model = &scene->models[m];
        if (strcmp(model->name, c->air) == 0 && strcmp(model->type, "gas") == 0) {
            t->air = model->model;
        }
    }
    if (!t->air) {
        return refuse(scene, i, "air", "the name of a gas of the scene", c->air);
    }
    if (c->element[0] || c->body[0]) {
        return refuse(scene, i, c->element[0] ? "element" : "body", "nothing beside air",
                      c->element[0] ? c->element : c->body);
    }
    gyre_value floor;
    gyre_result result = gyre_model_get(t->air, "floor", &floor);
    if (result == GYRE_OK && floor.number[0] == 0.0) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "%.200s: couplings.%d.air: \"%.63s\" has no floor: set %.63s.floor to true",
            scene->file, i, c->air, c->air);
    }
    return result ? result : find_surface(scene, i, c, t);
}

/// Lets it blow for one step.
static gyre_result blow(const gyre_scene *scene, int i, const gyre_coupling *c, const tie *t,
                        float dt)
{
    gyre_result result = gyre_wind_blow(t->air, t->from, c->drag, dt);
    if (result) {
        char message[700];
        snprintf(message, sizeof message, "%.699s", gyre_message());
        gyre_fail(result, "%.200s: couplings.%d: %s", scene->file, i, message);
    }
    return result;
}

static gyre_model *model_called(const gyre_scene *scene, const char *name, const char *type)
{
    for (int m = 0; m < scene->model_count; m++) {
        const gy_scene_model *model = &scene->models[m];
        if (strcmp(model->name, name) == 0 && strcmp(model->type, type) == 0) {
            return model->model;
        }
    }
    return NULL;
}

/// A water and its sea, in place of an element.
static gyre_result find_window(const gyre_scene *scene, int i, const gyre_coupling *c, tie *t)
{
    t->window = model_called(scene, c->window, "water");
    t->sea = model_called(scene, c->sea, "ocean");
    if (!t->window) {
        return refuse(scene, i, "window", "the name of a water of the scene", c->window);
    }
    if (!t->sea) {
        return refuse(scene, i, "sea", "the name of an ocean of the scene", c->sea);
    }
    const struct {
        const char *member, *found;
    } others[] = {
        {"element", c->element}, {"surface", c->surface}, {"body", c->body}, {"air", c->air}};
    for (int k = 0; k < (int)(sizeof others / sizeof others[0]); k++) {
        if (others[k].found[0]) {
            return refuse(scene, i, others[k].member, "nothing beside window and sea",
                          others[k].found);
        }
    }
    return GYRE_OK;
}

static gyre_result join(const gyre_scene *scene, int i, const tie *t)
{
    gyre_result result = gyre_sea_join(t->window, t->sea);
    if (result) {
        char message[700];
        snprintf(message, sizeof message, "%.699s", gyre_message());
        gyre_fail(result, "%.200s: couplings.%d: %s", scene->file, i, message);
    }
    return result;
}

static gyre_result find(const gyre_scene *scene, int i, const gyre_coupling *c, tie *t)
{
    const char *element = "";
    int model = 0;
    *t = (tie){0};
    if (c->window[0] || c->sea[0]) {
        return find_window(scene, i, c, t);
    }
    if (c->nest[0] || c->in[0]) {
        return gy_nested_check(scene, i, c);
    }
    if (c->air[0]) {
        return find_air(scene, i, c, t);
    }
    if (!gy_scene_pool(scene, c->element, &model, &t->pool, &element) || !*element) {
        return refuse(scene, i, "element", "the path of an emitter", c->element);
    }
    const gyre_property *shape = t->pool->properties;
    while (shape->kind != GYRE_END && shape->properties != gyre_shape_properties) {
        shape++;
    }
    t->model = scene->models[model].model;
    if (shape->kind == GYRE_END || gyre_model_grid(t->model)->dim != 3) {
        return refuse(scene, i, "element", "the path of an element of a 3D model that has a shape",
                      c->element);
    }
    t->shape = shape->offset;
    const gyre_pool *list =
        (const void *)((const char *)gyre_model_def(t->model) + t->pool->offset);
    int index = gy_pool_find(t->pool, list, element);
    t->id = index < 0 ? 0 : gyre_model_element(t->model, t->pool->name, index);
    if (!c->body[0]) {
        return find_surface(scene, i, c, t);
    }
    if (c->surface[0]) {
        return refuse(scene, i, "body", "either a surface or a body", c->body);
    }
    return find_body(scene, i, c, model, element, t);
}

gyre_result gy_couplings_check(const gyre_scene *scene)
{
    const gyre_pool *all = &scene->settings.couplings;
    gyre_result result = GYRE_OK;
    for (int i = 0; i < all->count && result == GYRE_OK; i++) {
        tie t;
        const gyre_coupling *c = (const gyre_coupling *)all->items + i;
        result = find(scene, i, c, &t);
        bool upright = t.air && gyre_model_grid(t.air)->dim == 2;
        if (result == GYRE_OK && t.from && !upright && scene->settings.up != GYRE_UP_Z) {
            result =
                gyre_fail(GYRE_ERROR_ARGUMENT,
                          "%.200s: couplings.%d: needs \"up\": \"z\", so that the models agree",
                          scene->file, i);
        }
        if (result == GYRE_OK && t.air && c->enabled) {
            result = blow(scene, i, c, &t, 0.0f); // as it begins
        }
        if (result == GYRE_OK && t.window && c->enabled) {
            result = join(scene, i, &t);
        }
    }
    return result;
}

/// Whether a path of a timeline leads into the element; what follows it.
static bool leads_into(const gyre_scene *scene, const tie *t, const gy_key *key, const char **below)
{
    const gyre_pool *list =
        (const void *)((const char *)gyre_model_def(t->model) + t->pool->offset);
    const gyre_property *pool;
    char name[128];
    if (key->model != t->of ||
        !gy_element_split(&scene->models[t->of], gy_below_model(scene, t->of, key->path), &pool,
                          name, below) ||
        pool != t->pool) {
        return false;
    }
    int index = gy_pool_find(pool, list, name);
    return index >= 0 && index == gy_pool_find(pool, list, t->element);
}

/// Does to the element what a key of a timeline has done to it.
static void hear(const gyre_scene *scene, const tie *t, const gy_timeline *list, const gy_key *key,
                 char *told)
{
    const gyre_pool one = {key->element, 1, 1};
    const gyre_property *p;
    const char *below;
    void *at;
    int of;
    if (key->change == GY_ADD && !key->gone && key->model == t->of &&
        gy_scene_pool(scene, key->path, &of, &p, &below) && p == t->pool &&
        gy_pool_find(p, &one, t->element) == 0) {
        memcpy(told, key->element, p->size);
    } else if (key->change == GY_SET && leads_into(scene, t, key, &below) &&
               gyre_property_reach(t->pool->properties, told, below, &p, &at) == GYRE_OK) {
        gyre_value value = gy_timeline_value(list, key, gyre_model_time(t->model));
        gyre_property_set(p, at, &value);
    }
}

/// The element in the body's frame: as the scene gives it, with what timelines have set and what
/// was put in since, in their order. It follows from the scene and its time alone: a run that goes
/// on from a saved state has the same.
static void tell(const gyre_scene *scene, const tie *t, char *told)
{
    const gy_timeline *own = &scene->timeline, *replay = &scene->replay;
    int k = 0;
    memcpy(told, t->given, t->pool->size);
    for (int i = 0; i < replay->due + scene->record_count; i++) {
        const gy_key *put = i < replay->due ? &replay->keys[i] : &scene->record[i - replay->due];
        for (; k < own->due && own->keys[k].time <= gy_timeline_before(scene, put->time); k++) {
            hear(scene, t, own, &own->keys[k], told);
        }
        hear(scene, t, replay, put, told);
    }
    for (; k < own->due; k++) {
        hear(scene, t, own, &own->keys[k], told);
    }
    for (k = 0; k < own->due && own->moves; k++) { // what is on its way is set in each step
        const gy_key *key = &own->keys[k];
        if (key->interpolation == GY_LINEAR && key->next >= own->due) {
            hear(scene, t, own, key, told);
        }
    }
}

// The members of a shape that hold places; the middle of them is what is kept at a height.
static int places_of(gyre_shape *shape, float *at[2])
{
    at[0] = at[1] = NULL;
    switch (shape->kind) {
    case GYRE_SHAPE_SPHERE:
        at[0] = shape->as.sphere.centre;
        break;
    case GYRE_SHAPE_BOX:
        at[0] = shape->as.box.centre;
        break;
    case GYRE_SHAPE_CAPSULE:
        at[0] = shape->as.capsule.from;
        at[1] = shape->as.capsule.to;
        break;
    case GYRE_SHAPE_HALF_SPACE:
        at[0] = shape->as.half_space.point;
        break;
    default:
        at[0] = shape->as.volume.low;
        break;
    }
    return at[1] ? 2 : 1;
}

/// The turn `a` after `b`.
static void multiply(const float a[4], const float b[4], float to[4])
{
    to[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    to[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    to[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    to[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/// A shape of a pose's own frame in the world.
static void put(gyre_shape *shape, const gyre_pose *pose)
{
    float *at[2], turn[4], own[4], both[4], to[3], zero[3] = {0, 0, 0};
    int count = places_of(shape, at);
    for (int k = 0; k < count; k++) {
        gyre_pose_to_world(pose, at[k], to);
        memcpy(at[k], to, sizeof to);
    }
    if (shape->kind == GYRE_SHAPE_BOX) {
        gyre_pose box = {0};
        memcpy(box.rotation, shape->as.box.rotation, sizeof box.rotation);
        memcpy(box.orientation, shape->as.box.orientation, sizeof box.orientation);
        gyre_pose_quaternion(&box, own);
        gyre_pose_quaternion(pose, turn);
        multiply(turn, own, both);
        gyre_quaternion_to_degrees(both, shape->as.box.rotation);
        memset(shape->as.box.orientation, 0, sizeof shape->as.box.orientation); // rotation counts
    } else if (shape->kind == GYRE_SHAPE_HALF_SPACE) {
        gyre_pose_to_world(pose, shape->as.half_space.normal, to);
        gyre_pose_to_world(pose, zero, own);
        for (int a = 0; a < 3; a++) {
            shape->as.half_space.normal[a] = to[a] - own[a];
        }
    }
}

/// The velocity that an element pushes with, where it does: what it is told in the body's own
/// frame, and that of the body's material in the middle of the shape.
static gyre_result carry(const gyre_scene *scene, const tie *t, const gyre_pose *pose,
                         const char *told, char *element)
{
    const gyre_property *push = NULL, *pushes = NULL;
    for (const gyre_property *p = t->pool->properties; p->kind != GYRE_END; p++) {
        push = p->role == GYRE_DOES_PUSH && p->count == 3 ? p : push;
        pushes = p->role == GYRE_DOES_ENABLE_PUSH ? p : pushes;
    }
    if (!push || (pushes && !*(const bool *)(element + pushes->offset))) {
        return GYRE_OK;
    }
    float own[3], to[3], zero[3] = {0, 0, 0}, origin[3], middle[3], by[3], *at[2];
    gyre_shape shape;
    memcpy(&shape, element + t->shape, sizeof shape);
    int count = places_of(&shape, at);
    for (int a = 0; a < 3; a++) {
        middle[a] = count == 2 ? 0.5f * (at[0][a] + at[1][a]) : at[0][a];
    }
    memcpy(own, told + push->offset, sizeof own);
    gyre_pose_to_world(pose, own, to);
    gyre_pose_to_world(pose, zero, origin);
    gyre_result result = gyre_bodies_velocity(scene->bodies, t->body, middle, 1, by);
    for (int a = 0; a < 3; a++) {
        float sum = to[a] - origin[a] + by[a], most = (float)push->max;
        to[a] = sum > most ? most : sum < -most ? -most : sum;
    }
    memcpy(element + push->offset, to, sizeof to);
    return result;
}

static gyre_result go_along(const gyre_scene *scene, const tie *t)
{
    char *element = malloc(2 * t->pool->size);
    gyre_body body;
    if (!element) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for an element");
    }
    char *told = element + t->pool->size;
    gyre_result result = gyre_model_read(t->model, t->id, element);
    result = result ? result : gyre_bodies_read(scene->bodies, t->body, &body);
    if (result == GYRE_OK) {
        gyre_shape shape;
        tell(scene, t, told);
        memcpy(&shape, told + t->shape, sizeof shape);
        put(&shape, &body.pose);
        memcpy(element + t->shape, &shape, sizeof shape);
        result = carry(scene, t, &body.pose, told, element);
        result = result ? result : gyre_model_update(t->model, t->id, element);
    }
    free(element);
    return result;
}

static gyre_result act(const tie *t, float offset)
{
    char *element = malloc(t->pool->size);
    if (!element) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for an element");
    }
    gyre_result result = gyre_model_read(t->model, t->id, element);
    float *at[2], middle[3], height = 0.0f;
    int count = places_of((gyre_shape *)(void *)(element + t->shape), at);
    for (int a = 0; a < 3; a++) {
        middle[a] = count == 2 ? 0.5f * (at[0][a] + at[1][a]) : at[0][a];
    }
    result = result ? result : gyre_model_probe(t->from, t->field, middle, 1, &height);
    for (int k = 0; k < count; k++) {
        at[k][2] += height + offset - middle[2];
    }
    result = result ? result : gyre_model_update(t->model, t->id, element);
    free(element);
    return result;
}

gyre_result gy_couplings_act(gyre_scene *scene)
{
    const gyre_pool *all = &scene->settings.couplings;
    gyre_result result = GYRE_OK;
    for (int i = 0; i < all->count && result == GYRE_OK; i++) {
        const gyre_coupling *c = (const gyre_coupling *)all->items + i;
        tie t;
        result = c->enabled ? find(scene, i, c, &t) : GYRE_OK;
        if (result == GYRE_OK && c->enabled && t.air) {
            result = blow(scene, i, c, &t, gyre_scene_dt(scene));
        } else if (result == GYRE_OK && c->enabled && t.id && t.from) {
            result = act(&t, c->offset);
        } else if (result == GYRE_OK && c->enabled && t.id && t.body && t.given) {
            result = go_along(scene, &t);
        }
    }
    return result;
}
