// scene/fields.c: fields of a scene's models by name, "density" or "gas.density".
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static const char *model_name(const void *list, int i)
{
    return ((const gyre_scene *)list)->models[i].name;
}

// "pol.depth": names of fields have no dots, so that it is the model that is not there.
static gyre_result no_model(const gyre_scene *scene, const char *name)
{
    char first[64], names[512] = "";
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, "."), name);
    const char *nearest = gyre_name_nearest(first, scene->model_count, model_name, scene);
    for (int i = 0; i < scene->model_count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", model_name(scene, i));
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%.100s: no model \"%s\"%s%s%s; there %s %s", name, first,
                     nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?" : "", scene->model_count > 1 ? "are" : "is", names);
}

gyre_result gyre_scene_field(const gyre_scene *scene, const char *name, int *model, int *field)
{
    if (GY_MISSING("scene_field", scene) || GY_MISSING("scene_field", name)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const char *own = name;
    int first = strchr(name, '.') ? gy_scene_model_of(scene, name, &own) : -1;
    int last = first < 0 ? scene->model_count - 1 : first;
    int found = -1, m = first < 0 ? 0 : first;
    char message[700] = "";
    if (first < 0 && strchr(name, '.')) {
        return no_model(scene, name);
    }
    for (; m <= last; m++) {
        if (!scene->models[m].model) {
            return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
        }
        found = gyre_model_field(scene->models[m].model, first < 0 ? name : own);
        if (found >= 0) {
            break;
        }
        // The first that knows a name like this one.
        if (!message[0] ||
            (!strstr(message, "did you mean") && strstr(gyre_message(), "did you mean") != NULL)) {
            snprintf(message, sizeof message, "%.699s", gyre_message());
        }
    }
    if (found < 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s", message);
    }
    if (model) {
        *model = m;
    }
    if (field) {
        *field = found;
    }
    return GYRE_OK;
}

// Whether there is a field of this name that a picture can show. "": any.
static gyre_result check_field(const gyre_scene *scene, const char *name, const char *where)
{
    int m = 0, field = 0, count;
    if (!name[0]) {
        return GYRE_OK;
    }
    if (gyre_scene_field(scene, name, &m, &field)) {
        char message[700];
        snprintf(message, sizeof message, "%.699s", gyre_message());
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: %s: %s", scene->file, where, message);
    }
    return gyre_model_fields(scene->models[m].model, &count)[field].location == GYRE_CENTRE
               ? GYRE_OK
               : gyre_fail(GYRE_ERROR_ARGUMENT,
                           "%.200s: %s: %s lies on faces, pictures show fields at the cells' "
                           "centres",
                           scene->file, where, name);
}

// Fields that are there, each once.
static gyre_result check_channels(const gyre_scene *scene)
{
    const gyre_pool *pool = &scene->settings.view.channels;
    const gyre_view_channel *channels = pool->items;
    gyre_result result = GYRE_OK;
    for (int i = 0; i < pool->count && !result; i++) {
        char where[64];
        snprintf(where, sizeof where, "view.channels.%d.name", i);
        result = check_field(scene, channels[i].name, where);
        for (int k = 0; k < i && !result; k++) {
            if (strcmp(channels[i].name, channels[k].name) == 0) {
                result = gyre_fail(GYRE_ERROR_ARGUMENT,
                                   "%.200s: %s: \"%.31s\" is the name of %d, too: expected each "
                                   "field once",
                                   scene->file, where, channels[i].name, k);
            }
        }
    }
    return result;
}

gyre_result gy_scene_check_shown(const gyre_scene *scene)
{
    const gy_timeline *both[] = {&scene->timeline, &scene->replay};
    gyre_result result = check_field(scene, scene->settings.view.field, "view.field");
    result = result ? result : check_field(scene, scene->settings.view.flame, "view.flame");
    result = result ? result : check_channels(scene);
    for (int t = 0; t < 2; t++) {
        for (int k = 0; k < both[t]->count && !result; k++) {
            const gy_key *key = &both[t]->keys[k];
            if (key->change == GY_SET && strcmp(key->path, "view.field") == 0 &&
                key->value.string) {
                result = check_field(scene, key->value.string, "timeline: view.field");
            }
        }
    }
    return result;
}
