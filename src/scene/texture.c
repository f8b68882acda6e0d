// scene/texture.c: the texture that a scene's pictures show to flow: view.texture.
#include "scene/picture.h"
#include "scene/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What was loaded last. Pictures that are held own it, too.
struct gy_scene_texels {
    char name[sizeof((gyre_view_settings *)0)->texture];
    gyre_texels *texels;
};

void gy_scene_texels_free(gyre_scene *scene)
{
    if (scene->texels) {
        gyre_texels_destroy(scene->texels->texels);
        free(scene->texels);
        scene->texels = NULL;
    }
}

static gyre_result load(const gyre_scene *scene, const char *name, gyre_texels **texels)
{
    gyre_image image = {0};
    char path[4096];
    if (strcmp(name, "noise") == 0) {
        return gyre_texels_create(NULL, texels);
    }
    if (!gy_scene_beside(scene, name, path, sizeof path)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: view.texture: found too long a path",
                         scene->file);
    }
    gyre_result result = gyre_png_read(path, &image.width, &image.height, &image.rgb);
    result = result ? result : gyre_texels_create(&image, texels);
    free(image.rgb);
    return result;
}

/// The texels of that name, which stay the scene's.
static gyre_result texels_of(gyre_scene *scene, const char *name, gyre_texels **texels)
{
    struct gy_scene_texels *kept = scene->texels;
    if (kept && strcmp(kept->name, name) == 0) {
        *texels = kept->texels;
        return GYRE_OK;
    }
    gyre_result result = load(scene, name, texels);
    if (result) {
        return result;
    }
    kept = calloc(1, sizeof *kept);
    if (!kept) {
        gyre_texels_destroy(*texels);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a texture");
    }
    gy_scene_texels_free(scene);
    snprintf(kept->name, sizeof kept->name, "%s", name);
    kept->texels = *texels;
    scene->texels = kept;
    return GYRE_OK;
}

static gyre_result check_texture(gyre_scene *scene, const char *name, const char *where)
{
    bool flows = false;
    gyre_texels *texels;
    if (!name[0]) {
        return GYRE_OK;
    }
    for (int i = 0; i < scene->model_count; i++) {
        gyre_texture t;
        flows =
            flows || (gyre_model_texture(scene->models[i].model, &t) == GYRE_OK && t.phases > 0);
    }
    if (!flows) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.200s: %s: found \"%.60s\", but no model has coordinates to draw a "
                         "texture by: a gas with texture.phases 1 to 3 has",
                         scene->file, where, name);
    }
    if (texels_of(scene, name, &texels)) {
        char message[700];
        snprintf(message, sizeof message, "%.699s", gyre_message());
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: %s: %s", scene->file, where, message);
    }
    return GYRE_OK;
}

gyre_result gy_scene_check_texture(gyre_scene *scene)
{
    const gy_timeline *both[] = {&scene->timeline, &scene->replay};
    gyre_result result = GYRE_OK;
    for (int t = 0; t < 2; t++) {
        for (int k = 0; k < both[t]->count && !result; k++) {
            const gy_key *key = &both[t]->keys[k];
            if (key->change == GY_SET && strcmp(key->path, "view.texture") == 0 &&
                key->value.string) {
                result = check_texture(scene, key->value.string, "timeline: view.texture");
            }
        }
    }
    return result ? result : check_texture(scene, scene->settings.view.texture, "view.texture");
}

// ---- of a model that is drawn

gyre_result gy_drawn_want_texture(gyre_scene *scene, int which, gy_drawn *d, int *wanted, int *used)
{
    const gyre_view_settings *view = &scene->settings.view;
    gyre_model *model = scene->models[which].model;
    gyre_render_texture *t = &d->texture;
    gyre_texture now;
    gyre_value origin;
    *t = (gyre_render_texture){0};
    if (!view->texture[0] || gyre_model_texture(model, &now) || now.phases == 0) {
        return GYRE_OK;
    }
    gyre_texels *texels;
    gyre_result result = texels_of(scene, view->texture, &texels);
    // The image stands in the world; a grid that moves goes over it.
    result = result ? result : gyre_model_get(model, "grid.origin", &origin);
    if (result) {
        return result;
    }
    const gyre_grid *grid = gyre_model_grid(model);
    gyre_texels_hold(texels);
    t->texels = texels;
    t->phases = now.phases;
    t->size = view->texture_size > 0.0f ? view->texture_size : grid->h * (float)grid->n[0];
    memcpy(t->weight, now.weight, sizeof t->weight);
    memcpy(t->offset, now.offset, sizeof t->offset);
    d->first_shift = *used;
    for (int p = 0; p < now.phases; p++) {
        for (int a = 0; a < grid->dim; a++) {
            wanted[(*used)++] = now.field[p][a];
        }
    }
    for (int a = 0; a < 3; a++) {
        t->origin[a] = (float)origin.number[a];
    }
    return GYRE_OK;
}

void gy_drawn_take_texture(gy_drawn *d, const gyre_named_view *views)
{
    int at = d->first_shift;
    for (int p = 0; p < d->texture.phases; p++) {
        for (int a = 0; a < d->grid.dim; a++) {
            d->texture.shift[p][a] = &views[at++].view;
        }
    }
    d->input.texture = d->texture.phases > 0 ? &d->texture : NULL;
}

void gy_drawn_close_texture(gy_drawn *d)
{
    gyre_texels_destroy((gyre_texels *)(uintptr_t)d->texture.texels);
}
