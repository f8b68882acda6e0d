// scene/compose.c: all models of a scene in one picture: which scenes can be drawn so, and that.
#include "render/overlap.h"
#include "scene/picture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Whether a model has a field of a role at its cells' centres.
static bool has(const gyre_model *model, gyre_field_role role)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count; i++) {
        if (info[i].role == role && info[i].location == GYRE_CENTRE) {
            return true;
        }
    }
    return false;
}

// What keeps the models from one picture; "": nothing does.
static void find_hindrance(const gyre_scene *scene, char *why, size_t size)
{
    const gyre_scene_settings *s = &scene->settings;
    bool surfaces = false;
    why[0] = 0;
    for (int i = 0; i < scene->model_count; i++) {
        surfaces = surfaces || has(scene->models[i].model, GYRE_ROLE_SURFACE);
    }
    for (int i = 0; i < scene->model_count && !why[0]; i++) {
        const gy_scene_model *m = &scene->models[i];
        const gyre_grid *grid = gyre_model_grid(m->model);
        bool volume = grid->dim == 3 && has(m->model, GYRE_ROLE_SMOKE);
        bool surface = grid->dim == 2 && has(m->model, GYRE_ROLE_SURFACE);
        if (!volume && !surface) {
            snprintf(why, size, "%.63s is neither a volume of smoke nor a water's surface",
                     m->name);
        } else if (volume && surfaces && s->up != GYRE_UP_Z) {
            snprintf(why, size, "up is y in %.63s and z of water: \"up\": \"z\" is missing",
                     m->name);
        }
        for (int k = 0; k < i && volume && !why[0]; k++) {
            const gyre_grid *other = gyre_model_grid(scene->models[k].model);
            if (other->dim == 3 && gy_volumes_overlap(grid, other)) {
                snprintf(why, size,
                         "%.63s and %.63s overlap, so that neither lies before the other",
                         scene->models[k].name, m->name);
            }
        }
    }
    bool bars = s->view.mode == GYRE_MODE_BARS && !gy_nested_is_one(scene);
    if (!why[0] && (s->view.mode == GYRE_MODE_SLICE || bars)) {
        snprintf(why, size, "view.mode is \"%s\"",
                 s->view.mode == GYRE_MODE_SLICE ? "slice" : "bars");
    }
}

gyre_result gy_composed_fit(const gyre_scene *scene, bool *composed)
{
    char why[256];
    *composed = false;
    if (scene->settings.view.layout == GYRE_LAYOUT_PANELS) {
        return GYRE_OK;
    }
    find_hindrance(scene, why, sizeof why);
    *composed = !why[0];
    if (why[0] && scene->settings.view.layout == GYRE_LAYOUT_COMPOSED) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "%.200s: view.layout: found \"composed\", expected \"panels\" or \"auto\": "
            "%s",
            scene->file, why);
    }
    return GYRE_OK;
}

gyre_result gy_render_composed(gyre_picture *picture, gyre_device *device, gyre_image *image)
{
    gyre_render_input *inputs = calloc((size_t)picture->count, sizeof *inputs);
    if (!inputs) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for a picture", picture->file);
    }
    int count = 0;
    for (int i = 0; i < picture->count; i++) {
        if (!picture->drawn[i].under) {
            inputs[count++] = picture->drawn[i].input;
        }
    }
    gyre_result result = count == 1 ? gyre_render(device, inputs, image)
                                    : gyre_render_composed(device, inputs, count, image);
    free(inputs);
    return result;
}
