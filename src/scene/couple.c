// scene/couple.c: what ties models together: emitters that stay on a water's surface.
//
// Once a step, before the models: z of the emitter's shape so that its middle is at
// surface(x, y) + offset. Costs a probe of the surface and an update of one element each.
#include "gyre/shape.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

/// A coupling with what its paths mean now.
typedef struct tie {
    gyre_model *from; // whose surface
    int field;
    gyre_model *model; // whose element
    gyre_id id;        // 0: it is not there now
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

static gyre_result find(const gyre_scene *scene, int i, const gyre_coupling *c, tie *t)
{
    const char *element = "";
    int model = 0;
    *t = (tie){0};
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
    return find_surface(scene, i, c, t);
}

gyre_result gy_couplings_check(const gyre_scene *scene)
{
    const gyre_pool *all = &scene->settings.couplings;
    gyre_result result = GYRE_OK;
    for (int i = 0; i < all->count && result == GYRE_OK; i++) {
        tie t;
        result = find(scene, i, (const gyre_coupling *)all->items + i, &t);
        if (result == GYRE_OK && scene->settings.up != GYRE_UP_Z) {
            result =
                gyre_fail(GYRE_ERROR_ARGUMENT,
                          "%.200s: couplings.%d: needs \"up\": \"z\", so that the models agree",
                          scene->file, i);
        }
    }
    return result;
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
        if (result == GYRE_OK && c->enabled && t.id) {
            result = act(&t, c->offset);
        }
    }
    return result;
}
