// scene/texture.c: the texture that a scene's pictures show to flow: view.texture.
#include "scene/picture.h"
#include "scene/read.h"

#include "io/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What was loaded last. Pictures that are held own it, too.
struct gy_scene_texels {
    char name[sizeof((gyre_view_settings *)0)->texture];
    int slices;
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

// One picture for all slices, the first above.
static gyre_result cut_slices(const char *path, const gyre_image *tall, int slices,
                              gyre_texels **texels)
{
    if (tall->height % slices != 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.300s: found a picture %d pixels high, expected a multiple of "
                         "view.texture_slices, %d",
                         path, tall->height, slices);
    }
    gyre_image *cut = calloc((size_t)slices, sizeof *cut);
    if (!cut) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a texture");
    }
    int height = tall->height / slices;
    for (int i = 0; i < slices; i++) {
        cut[i] = (gyre_image){tall->width, height,
                              tall->rgb + 3 * (size_t)tall->width * (size_t)(height * i)};
    }
    gyre_result result = gyre_texels_create_solid(cut, slices, texels);
    free(cut);
    return result;
}

static gyre_result load_image(const char *path, int slices, gyre_texels **texels)
{
    gyre_image image = {0};
    gyre_result result = gyre_png_read(path, &image.width, &image.height, &image.rgb);
    if (!result) {
        result = slices > 0 ? cut_slices(path, &image, slices, texels)
                            : gyre_texels_create(&image, texels);
    }
    free(image.rgb);
    return result;
}

// An array as grays, from its least number to its largest.
static gyre_result load_array(const char *path, gyre_texels **texels)
{
    gyre_volume v = {0};
    gyre_result result = gyre_npy_read_volume(path, &v);
    if (result) {
        return result;
    }
    size_t plane = (size_t)v.n[0] * (size_t)v.n[1], all = plane * (size_t)v.n[2];
    float low = v.data[0], high = v.data[0];
    for (size_t i = 0; i < all; i++) {
        low = v.data[i] < low ? v.data[i] : low;
        high = v.data[i] > high ? v.data[i] : high;
    }
    if (v.n[2] == 1) {
        result = gyre_fail(GYRE_ERROR_ARGUMENT,
                           "%.300s: found an array of %d x %d, expected one of 3 dimensions", path,
                           v.n[1], v.n[0]);
    }
    gyre_image *slices = result ? NULL : calloc((size_t)v.n[2], sizeof *slices);
    uint8_t *rgb = result ? NULL : malloc(3 * all);
    for (size_t i = 0; slices && rgb && i < all; i++) {
        size_t y = i % plane / (size_t)v.n[0], up = (size_t)v.n[1] - 1 - y;
        size_t to = i - i % plane + up * (size_t)v.n[0] + i % (size_t)v.n[0];
        float gray = high > low ? (v.data[i] - low) / (high - low) : 0.5f;
        memset(rgb + 3 * to, (int)(255.0f * gray + 0.5f), 3);
        slices[i / plane] = (gyre_image){v.n[0], v.n[1], rgb + 3 * plane * (i / plane)};
    }
    if (!result) {
        result = slices && rgb ? gyre_texels_create_solid(slices, v.n[2], texels)
                               : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a texture");
    }
    free(slices);
    free(rgb);
    gyre_volume_free(&v);
    return result;
}

static void free_stack(gyre_image *slices, int count)
{
    for (int i = 0; i < count; i++) {
        free(slices[i].rgb);
    }
    free(slices);
}

// Numbered pictures from the first to the last; one that is missing between them is named.
static gyre_result load_stack(const gy_io_series *series, gyre_texels **texels)
{
    char path[4200];
    int count = series->last - series->first + 1;
    gyre_image *slices = calloc((size_t)count, sizeof *slices);
    gyre_result result = slices ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a texture");
    for (int i = 0; i < count && !result; i++) {
        gyre_image *s = &slices[i];
        gy_io_series_name(series, series->first + i, path, sizeof path);
        result = gyre_png_read(path, &s->width, &s->height, &s->rgb);
        if (!result && (s->width != slices[0].width || s->height != slices[0].height)) {
            result =
                gyre_fail(GYRE_ERROR_ARGUMENT,
                          "%.300s: found %d x %d pixels, expected %d x %d as in the first slice",
                          path, s->width, s->height, slices[0].width, slices[0].height);
        }
    }
    result = result ? result : gyre_texels_create_solid(slices, count, texels);
    free_stack(slices, slices ? count : 0);
    return result;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

static gyre_result load(const gyre_scene *scene, const char *name, int slices, gyre_texels **texels)
{
    char path[4096];
    gy_io_series series;
    if (strcmp(name, "noise") == 0) {
        return gyre_texels_create(NULL, texels);
    }
    if (!gy_scene_beside(scene, name, path, sizeof path)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: view.texture: found too long a path",
                         scene->file);
    }
    gyre_result result = gy_io_series_find(path, ".png", &series);
    if (result) {
        return result;
    }
    return series.last >= 0          ? load_stack(&series, texels)
           : ends_with(path, ".npy") ? load_array(path, texels)
                                     : load_image(path, slices, texels);
}

/// The texels of that name, which stay the scene's.
static gyre_result texels_of(gyre_scene *scene, const char *name, gyre_texels **texels)
{
    struct gy_scene_texels *kept = scene->texels;
    int slices = scene->settings.view.texture_slices;
    if (kept && strcmp(kept->name, name) == 0 && kept->slices == slices) {
        *texels = kept->texels;
        return GYRE_OK;
    }
    gyre_result result = load(scene, name, slices, texels);
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
    kept->slices = slices;
    kept->texels = *texels;
    scene->texels = kept;
    return GYRE_OK;
}

static gyre_result check_texture(gyre_scene *scene, const char *name, const char *where)
{
    bool flows = false, space = false;
    gyre_texels *texels;
    gyre_texels_view view;
    if (!name[0]) {
        return GYRE_OK;
    }
    for (int i = 0; i < scene->model_count; i++) {
        gyre_texture t;
        const gyre_model *model = scene->models[i].model;
        bool own = gyre_model_texture(model, &t) == GYRE_OK && t.phases > 0;
        flows = flows || own;
        space = space || (own && gyre_model_grid(model)->dim == 3);
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
    gyre_texels_read(texels, &view);
    if (view.levels == 0 && !space) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "%.200s: %s: found the volume \"%.60s\", but the gas is in 2D: expected an "
            "image",
            scene->file, where, name);
    }
    return GYRE_OK;
}

gyre_result gyre_scene_texels(gyre_scene *scene, gyre_texels **texels)
{
    if (GY_MISSING("scene_texels", scene) || GY_MISSING("scene_texels", texels)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *texels = NULL;
    if (!scene->settings.view.texture[0]) {
        return GYRE_OK;
    }
    gyre_result result = texels_of(scene, scene->settings.view.texture, texels);
    gyre_texels_hold(result ? NULL : *texels);
    return result;
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

int gy_drawn_want_once(const int *field, int count, int *slot, int *wanted)
{
    int used = 0;
    for (int i = 0; i < count; i++) {
        slot[i] = -1;
        for (int k = 0; k < i; k++) {
            slot[i] = field[k] == field[i] ? slot[k] : slot[i];
        }
        if (field[i] >= 0 && slot[i] < 0) {
            slot[i] = used;
            wanted[used++] = field[i];
        }
    }
    return used;
}

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

// ---- what flows on a surface

void gy_drawn_want_flow(const gyre_model *model, gy_drawn *d, int *wanted, int *used)
{
    gyre_render_flow *f = &d->flow;
    gyre_texture now;
    *f = (gyre_render_flow){.time = gyre_model_time(model)};
    d->first_flow = *used;
    if (gyre_model_texture(model, &now)) {
        return;
    }
    f->phases = now.phases;
    for (int p = 0; p < now.phases; p++) {
        f->weight[p] = now.weight[p];
        for (int a = 0; a < 2; a++) {
            f->offset[p][a] = now.offset[p][a];
            wanted[(*used)++] = now.field[p][a];
        }
    }
}

void gy_drawn_take_flow(gy_drawn *d, const gyre_named_view *views)
{
    int at = d->first_flow;
    for (int p = 0; p < d->flow.phases; p++) {
        for (int a = 0; a < 2; a++) {
            d->flow.shift[p][a] = &views[at++].view;
        }
    }
    d->input.flow = &d->flow;
}
