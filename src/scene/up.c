// scene/up.c: which axis points up. A scene says it once; defaults follow by a turn of a quarter
// about x, which takes y to z and z to -y. What the scene says itself stays as it says.
#include "scene/read.h"

#include <string.h>

static void turn(float v[3])
{
    float y = v[1];
    v[1] = v[2] != 0.0f ? -v[2] : 0.0f;
    v[2] = y;
}

void gy_up_turn(const gyre_scene *scene, const gyre_property *table, void *def)
{
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        if ((p->flags & GYRE_UPWARD) && scene->settings.up == GYRE_UP_Z) {
            turn((float *)(void *)((char *)def + p->offset));
        }
    }
}

void gy_up_look(const gy_reader *r, const json_t *root)
{
    gyre_scene_settings *s = &r->scene->settings;
    if (s->up != GYRE_UP_Z) {
        return;
    }
    if (!json_object_get(json_object_get(root, "camera"), "up")) {
        turn(s->camera.up);
    }
    if (!json_object_get(json_object_get(root, "light"), "direction")) {
        turn(s->light.direction);
    }
}

gyre_result gy_up_check(const gyre_scene *scene)
{
    for (int i = 0; i < scene->model_count && scene->settings.up == GYRE_UP_Y; i++) {
        int count;
        const gyre_field_info *info = gyre_model_fields(scene->models[i].model, &count);
        for (int k = 0; k < count; k++) {
            if (info[k].role == GYRE_ROLE_SURFACE) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "%.200s: up: found \"y\", expected \"z\": the surface of %s is a "
                                 "height along z",
                                 scene->file, scene->models[i].name);
            }
        }
    }
    return GYRE_OK;
}
