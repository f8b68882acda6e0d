// view/session/points.c: particles of a model brought into a frame, as the view's settings say that
// they are to look: coloured and sized by attributes along their range.
#include "view/session/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What an attribute says of a set's particles.
typedef struct scale {
    const gyre_attribute_info *info; // NULL: it has none of that name
    float low, high, least;          // of the result: `least` to 1
} scale;

// Of several components their length.
static float value_of(const gyre_particle_view *view, const gyre_attribute_info *info, int i)
{
    float square = 0.0f, x = 0.0f;
    for (int c = 0; c < info->components; c++) {
        const void *data = view->data[info->array + c];
        x = info->kind == GYRE_ATTRIBUTE_INT ? (float)((const int32_t *)data)[i]
                                             : ((const float *)data)[i];
        square += x * x;
    }
    return info->components == 1 ? x : sqrtf(square);
}

static scale scale_of(const gyre_particle_info *info, const gyre_particle_view *view,
                      const char *name, const float range[2], float least)
{
    scale s = {.low = range[0], .high = range[1], .least = least};
    for (int a = 0; a < info->attribute_count; a++) {
        if (name[0] && strcmp(info->attributes[a].name, name) == 0) {
            s.info = &info->attributes[a];
        }
    }
    for (int i = 0; s.info && range[0] == range[1] && i < view->count; i++) {
        float x = value_of(view, s.info, i);
        s.low = i == 0 || x < s.low ? x : s.low;
        s.high = i == 0 || x > s.high ? x : s.high;
    }
    return s;
}

static float along(const scale *s, const gyre_particle_view *view, int i)
{
    if (!s->info) {
        return 1.0f;
    }
    float t = s->high != s->low ? (value_of(view, s->info, i) - s->low) / (s->high - s->low) : 0.0f;
    return s->least + (1.0f - s->least) * (t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t);
}

// The attribute by which particles are turned; NULL: they are balls.
static const gyre_attribute_info *turned_by(const gyre_particle_info *info)
{
    for (int a = 0; a < info->attribute_count; a++) {
        if (info->attributes[a].components == 4 &&
            strcmp(info->attributes[a].name, "orientation") == 0) {
            return &info->attributes[a];
        }
    }
    return NULL;
}

static gyre_result copy_set(view_points *to, gyre_model *model, int set,
                            const gyre_view_settings *settings)
{
    const gyre_particle_info *info = gyre_model_particles(model, set);
    gyre_particle_view view;
    gyre_result result = gyre_model_map_particles(model, set, GYRE_READ, &view);
    if (result) {
        return result;
    }
    const gyre_attribute_info *turned = turned_by(info);
    size_t numbers = (size_t)to->numbers;
    size_t size = ((size_t)to->count + (size_t)view.count) * numbers * sizeof *to->at;
    if (size > to->room) {
        float *more = realloc(to->at, size);
        to->at = more ? more : to->at;
        to->room = more ? size : to->room;
        result = more ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory to show particles");
    }
    scale colour = scale_of(info, &view, settings->point_by, settings->point_range, 0.0f);
    scale share = scale_of(info, &view, settings->point_size_by, settings->point_range, 0.25f);
    // As the scene's own pictures say it (src/scene/picture.c).
    bool soft = settings->point_soft &&
                (strcmp(info->name, "spray") == 0 || strcmp(info->name, "foam") == 0);
    bool lace = soft && strcmp(info->name, "foam") == 0;
    to->soft = to->soft || soft;
    to->coloured = to->coloured || colour.info;
    for (int i = 0; i < view.count && !result; i++) {
        float *at = to->at + numbers * (size_t)to->count++;
        for (int c = 0; c < 3; c++) {
            at[c] = ((const float *)view.data[info->attributes[0].array + c])[i];
        }
        at[3] = along(&colour, &view, i);
        at[4] = along(&share, &view, i) * (soft ? -1.0f : 1.0f) - (lace ? VIEW_POINT_LACE : 0.0f);
        for (int c = 0; to->numbers == VIEW_LEAF_NUMBERS && c < 4; c++) {
            at[5 + c] = turned ? ((const float *)view.data[turned->array + c])[i] : 0.0f;
        }
    }
    gyre_result closed = gyre_model_unmap_particles(model, set, view.count);
    return result ? result : closed;
}

// Sheets of water are a surface.
static bool is_seen(const view_frame *frame, const gyre_model *model, int set)
{
    return !view_frame_has_surface(frame) || !gyre_model_particles(model, set)->overhang;
}

gyre_result session_copy_points(view_frame *frame, gyre_scene *scene, int model)
{
    const gyre_view_settings *settings = &gyre_scene_get_settings(scene)->view;
    gyre_model *of = gyre_scene_model(scene, model);
    gyre_result result = GYRE_OK;
    frame->points.count = 0;
    frame->points.coloured = false;
    frame->points.soft = false;
    frame->points.numbers = VIEW_POINT_NUMBERS;
    for (int s = 0; settings->points && s < gyre_model_particle_sets(of); s++) {
        if (is_seen(frame, of, s) && turned_by(gyre_model_particles(of, s))) {
            frame->points.numbers = VIEW_LEAF_NUMBERS;
        }
    }
    for (int s = 0; settings->points && s < gyre_model_particle_sets(of) && !result; s++) {
        result = is_seen(frame, of, s) ? copy_set(&frame->points, of, s, settings) : result;
    }
    return result;
}
