// scene/picture_points.c: particles of a model for a picture: of all its sets, coloured and sized
// by attributes; spray and foam soft.
#include "scene/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gy_drawn_close_points(gy_drawn_points *d)
{
    gyre_particle_sets_close(d->sets);
    free(d->colours);
    free(d->sizes);
    free(d->positions);
}

// An attribute along its range, from `least` to 1: of several components their length.
static gyre_result along_range(const gyre_named_particles *set, const char *name,
                               const float range[2], float least, float **values)
{
    const gyre_named_attribute *a = NULL;
    for (int k = 0; k < set->attribute_count; k++) {
        a = strcmp(set->attributes[k].name, name) == 0 ? &set->attributes[k] : a;
    }
    if (!a) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "view: %s have no attribute \"%.31s\"", set->name,
                         name);
    }
    float *to = malloc((size_t)set->count * sizeof *to + 1), low = range[0], high = range[1];
    if (!to) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to colour particles");
    }
    for (int64_t i = 0; i < set->count; i++) {
        float square = 0.0f, x = 0.0f;
        for (int c = 0; c < a->components; c++) {
            int64_t at = i * a->components + c;
            x = a->whole ? (float)((const int32_t *)a->data)[at] : ((const float *)a->data)[at];
            square += x * x;
        }
        to[i] = a->components == 1 ? x : sqrtf(square);
        if (range[0] == range[1]) {
            low = i == 0 || to[i] < low ? to[i] : low;
            high = i == 0 || to[i] > high ? to[i] : high;
        }
    }
    for (int64_t i = 0; i < set->count; i++) {
        float t = high != low ? (to[i] - low) / (high - low) : 0.0f;
        to[i] = least + (1.0f - least) * (t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t);
    }
    *values = to;
    return GYRE_OK;
}

// Of several sets, one behind the other: their positions, and an attribute along its range, which
// each of them must have.
static gyre_result join_positions(const gyre_named_particles *sets, int count, gy_drawn_points *d)
{
    int64_t all = 0;
    for (int s = 0; s < count; s++) {
        all += sets[s].count;
    }
    d->positions = malloc((size_t)all * 3 * sizeof *d->positions + 1);
    if (!d->positions) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw particles");
    }
    d->points.positions = d->positions;
    d->points.count = all;
    float *to = d->positions;
    for (int s = 0; s < count; s++) {
        memcpy(to, sets[s].attributes[0].data, (size_t)sets[s].count * 3 * sizeof *to);
        to += 3 * sets[s].count;
    }
    return GYRE_OK;
}

static gyre_result join_range(const gyre_named_particles *sets, int count, const char *name,
                              const float range[2], float least, float **values)
{
    int64_t all = 0, at = 0;
    for (int s = 0; s < count; s++) {
        all += sets[s].count;
    }
    float *to = malloc((size_t)all * sizeof *to + 1);
    gyre_result result =
        to ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory to colour particles");
    for (int s = 0; s < count && result == GYRE_OK; s++) {
        float *part = NULL;
        result = along_range(&sets[s], name, range, least, &part);
        if (result == GYRE_OK) {
            memcpy(to + at, part, (size_t)sets[s].count * sizeof *to);
            at += sets[s].count;
        }
        free(part);
    }
    *values = to;
    return result;
}

static bool is_soft(const char *set)
{
    return strcmp(set, "spray") == 0 || strcmp(set, "foam") == 0;
}

// Spray and foam are soft: their sizes are below 0.
static gyre_result soften(const gyre_named_particles *sets, int count, gy_drawn_points *d)
{
    int64_t all = 0, soft = 0, at = 0;
    for (int s = 0; s < count; s++) {
        all += sets[s].count;
        soft += is_soft(sets[s].name) ? sets[s].count : 0;
    }
    if (soft == 0) {
        return GYRE_OK;
    }
    bool sized = d->sizes != NULL;
    d->sizes = sized ? d->sizes : malloc((size_t)all * sizeof *d->sizes + 1);
    if (!d->sizes) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw particles");
    }
    for (int s = 0; s < count; s++) {
        for (int64_t i = 0; i < sets[s].count; i++, at++) {
            float size = sized ? d->sizes[at] : 1.0f;
            d->sizes[at] = is_soft(sets[s].name) ? -size : size;
        }
    }
    return GYRE_OK;
}

gyre_result gy_drawn_open_points(gyre_scene *scene, int which, bool hangs, bool laced,
                                 gy_drawn_points *d)
{
    const gyre_view_settings *view = &scene->settings.view;
    const gyre_model *model = scene->models[which].model;
    int count = 0;
    *d = (gy_drawn_points){0};
    if (!view->points || gyre_model_particle_sets(model) == 0) {
        return GYRE_OK;
    }
    gyre_result result = gyre_particle_sets_open(scene, which, &d->sets);
    if (result) {
        return result;
    }
    for (int s = gyre_model_particle_sets(model) - 1; s >= 0; s--) {
        const gyre_particle_info *info = gyre_model_particles(model, s);
        if ((hangs && info->overhang) || (laced && strcmp(info->name, "foam") == 0)) {
            gy_particle_sets_drop(d->sets, s);
        }
    }
    const gyre_named_particles *set = gyre_particle_sets_views(d->sets, &count);
    if (count == 0) {
        return GYRE_OK;
    }
    if (view->point_by[0]) {
        result = join_range(set, count, view->point_by, view->point_range, 0.0f, &d->colours);
    }
    if (!result && view->point_size_by[0]) {
        result = join_range(set, count, view->point_size_by, view->point_range, 0.25f, &d->sizes);
    }
    if (!result && view->point_soft) {
        result = soften(set, count, d);
    }
    d->points = (gyre_render_points){.positions = set->attributes[0].data,
                                     .colours = d->colours,
                                     .sizes = d->sizes,
                                     .count = set->count};
    if (count > 1 && result == GYRE_OK) {
        return join_positions(set, count, d);
    }
    for (int a = 0; a < set->attribute_count; a++) {
        const gyre_named_attribute *at = &set->attributes[a];
        if (at->components == 4 && !at->whole && strcmp(at->name, "orientation") == 0) {
            d->points.orientations = at->data;
        }
    }
    return result;
}
