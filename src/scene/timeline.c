// scene/timeline.c: one sorted list of (time, path, value, interpolation), applied through set.
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

static const char *const interpolation_names[] = {"hold", "linear", NULL};

const gyre_property gy_key_properties[] = {
    {.name = "time",
     .kind = GYRE_DOUBLE,
     .count = 1,
     .unit = "s",
     .min = 0,
     .max = 1e6,
     .doc = "when the property gets the value",
     .offset = offsetof(gy_key, time)},
    {.name = "path",
     .kind = GYRE_STRING,
     .count = 1,
     .unit = "1",
     .doc = "the property, such as gas.emitters.jet.enabled or camera.position",
     .offset = offsetof(gy_key, path),
     .size = sizeof(((gy_key *)0)->path)},
    {.name = "interpolation",
     .kind = GYRE_ENUM,
     .count = 1,
     .unit = "1",
     .initial = {GY_HOLD},
     .doc = "on the way to the next entry of the same path: hold the value, or go there linearly",
     .offset = offsetof(gy_key, interpolation),
     .names = interpolation_names},
    {.kind = GYRE_END},
};

// Until the keys are linked, `track` holds their order in the file, which breaks ties.
static int by_time(const void *a, const void *b)
{
    const gy_key *x = a, *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return x->track - y->track;
}

typedef struct path_order {
    const char *path;
    int key;
} path_order;

static int by_path(const void *a, const void *b)
{
    const path_order *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : x->key - y->key;
}

gyre_result gy_timeline_prepare(gyre_scene *scene)
{
    int count = scene->key_count;
    if (count <= 0) {
        return GYRE_OK;
    }
    for (int i = 0; i < count; i++) {
        scene->keys[i].track = i;
    }
    qsort(scene->keys, (size_t)count, sizeof *scene->keys, by_time);
    scene->active = gy_scene_allocate(scene, (size_t)count * sizeof *scene->active);
    path_order *order = malloc((size_t)count * sizeof *order);
    if (!scene->active || !order) {
        free(order);
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the timeline", scene->file);
    }
    for (int i = 0; i < count; i++) {
        order[i] = (path_order){scene->keys[i].path, i};
    }
    qsort(order, (size_t)count, sizeof *order, by_path);
    for (int i = 0; i < count; i++) {
        gy_key *key = &scene->keys[order[i].key];
        bool first = i == 0 || strcmp(order[i].path, order[i - 1].path) != 0;
        bool last = i == count - 1 || strcmp(order[i].path, order[i + 1].path) != 0;
        key->track = first ? order[i].key : scene->keys[order[i - 1].key].track;
        key->next = last ? -1 : order[i + 1].key;
    }
    free(order);
    gy_timeline_reset(scene);
    return GYRE_OK;
}

void gy_timeline_reset(gyre_scene *scene)
{
    for (int i = 0; i < scene->key_count; i++) {
        scene->active[i] = -1;
    }
}

static gyre_value value_at(const gyre_scene *scene, const gy_key *key, double time)
{
    gyre_value value = key->value;
    if (key->interpolation == GY_LINEAR && key->next >= 0) {
        const gy_key *next = &scene->keys[key->next];
        double span = next->time - key->time;
        double part = span > 0 ? (time - key->time) / span : 1;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        for (int i = 0; i < value.count && i < 4; i++) {
            value.number[i] += part * (next->value.number[i] - value.number[i]);
        }
    }
    return value;
}

gyre_result gy_timeline_apply(gyre_scene *scene)
{
    // Sums of steps miss a round time by a little: a thousandth of a step is no time.
    double nearly = 1e-3 * (double)gyre_scene_dt(scene);
    for (int track = 0; track < scene->key_count; track++) {
        if (scene->keys[track].track != track) {
            continue;
        }
        int model = scene->keys[track].model;
        double time = gyre_model_time(scene->models[model < 0 ? 0 : model].model) + nearly;
        if (scene->keys[track].time > time) {
            continue;
        }
        int now = scene->active[track] < 0 ? track : scene->active[track];
        while (scene->keys[now].next >= 0 && scene->keys[scene->keys[now].next].time <= time) {
            now = scene->keys[now].next;
        }
        const gy_key *key = &scene->keys[now];
        bool moving = key->interpolation == GY_LINEAR && key->next >= 0;
        if (now != scene->active[track] || moving) {
            gyre_value value = value_at(scene, key, time - nearly);
            gyre_result result = gy_scene_write(scene, key->path, &value);
            if (result) {
                return result;
            }
            scene->active[track] = now;
        }
    }
    return GYRE_OK;
}
