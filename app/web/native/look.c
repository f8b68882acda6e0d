// web/native/look.c: how a scene is looked at, as JSON.
#include "web/native/picture.h"

#include <stdlib.h>
#include <string.h>

static const char *const modes[VIEW_MODES + 1] = {"map",   "cells",   "streaks", "volume",
                                                  "stack", "surface", "bars",    NULL};

static gyre_result expected(const char *key, const char *what)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: expected %s", key, what);
}

static const char *name_at(const void *list, int i)
{
    return ((const char *const *)list)[i];
}

static gyre_result set_mode(web_pane *pane, const json_t *json)
{
    const char *name = json_string_value(json);
    int mode = 0;
    while (name && mode < VIEW_MODES && strcmp(name, modes[mode]) != 0) {
        mode++;
    }
    if (!name || mode == VIEW_MODES) {
        const char *near = name ? gyre_name_nearest(name, VIEW_MODES, name_at, modes) : NULL;
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "mode: expected map, cells, streaks, volume, stack, surface or bars%s%s%s",
                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    if (pane->frame->grid.dim == 2 && (mode == VIEW_VOLUME || mode == VIEW_STACK)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mode: %s is for scenes in 3D", name);
    }
    if ((mode == VIEW_SURFACE || mode == VIEW_BARS) && !view_frame_has_surface(pane->frame)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mode: %s is for scenes with a surface", name);
    }
    pane->look.mode = mode;
    return GYRE_OK;
}

static const char *field_at(const void *frame, int i)
{
    return ((const view_frame *)frame)->fields[i].name;
}

static gyre_result set_field(web_pane *pane, const json_t *json)
{
    const char *name = json_string_value(json);
    int field = name ? view_frame_find(pane->frame, name) : -1;
    if (field < 0) {
        const char *near =
            name ? gyre_name_nearest(name, pane->frame->field_count, field_at, pane->frame) : NULL;
        return gyre_fail(GYRE_ERROR_ARGUMENT, "field: there is no \"%s\"%s%s%s", name ? name : "",
                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    web_picture_field(pane, pane->frame->fields[field].name);
    return GYRE_OK;
}

static gyre_result set_switch(bool *to, const char *key, const json_t *json)
{
    if (!json_is_boolean(json)) {
        return expected(key, "true or false");
    }
    *to = json_is_true(json);
    return GYRE_OK;
}

static gyre_result set_number(float *to, const char *key, const json_t *json, double low,
                              double high)
{
    double x = json_number_value(json);
    if (!json_is_number(json) || !(x >= low && x <= high)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: expected a number from %g to %g", key, low,
                         high);
    }
    *to = (float)x;
    return GYRE_OK;
}

static gyre_result set_centre(view_look *look, const json_t *json)
{
    float centre[2];
    for (size_t i = 0; i < 2; i++) {
        gyre_result result = set_number(&centre[i], "centre", json_array_get(json, i), -1e9, 1e9);
        if (result) {
            return result;
        }
    }
    memcpy(look->centre, centre, sizeof centre);
    return GYRE_OK;
}

// { "ink": { "shown": true, "colour": [1, 0, 0], "scale": 2 } }
static gyre_result set_dyes(view_look *look, const json_t *json)
{
    const char *key;
    json_t *one;
    if (!json_is_object(json)) {
        return expected("dyes", "an object");
    }
    json_object_foreach((json_t *)(uintptr_t)json, key, one)
    {
        int i = 0;
        while (i < look->dye_count && strcmp(look->dyes[i].look.name, key) != 0) {
            i++;
        }
        if (i == look->dye_count) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "dyes: there is no \"%s\"", key);
        }
        gyre_result result =
            web_json_read(gyre_view_channel_properties, &look->dyes[i].look, one, "dyes");
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

static gyre_result set_model(web_picture *p, const gyre_scene *scene, const json_t *json)
{
    const char *name = json_string_value(json);
    for (int i = 0; name && i < gyre_scene_model_count(scene); i++) {
        if (strcmp(gyre_scene_model_name(scene, i), name) == 0) {
            p->shown = i;
            p->alone = true;
            return GYRE_OK;
        }
    }
    if (json_is_null(json)) {
        p->shown = -1;
        p->alone = false;
        return GYRE_OK;
    }
    return expected("model", "the name of a model of the scene, or null for all");
}

static gyre_result set_one(web_scene *w, web_picture *p, web_pane *pane, const char *key,
                           json_t *json)
{
    view_look *look = &pane->look;
    if (strcmp(key, "mode") == 0) {
        return set_mode(pane, json);
    } else if (strcmp(key, "field") == 0) {
        return set_field(pane, json);
    } else if (strcmp(key, "model") == 0) {
        return set_model(p, w->variant.scene, json);
    } else if (strcmp(key, "dyes") == 0) {
        return set_dyes(look, json);
    } else if (strcmp(key, "camera") == 0) {
        return web_json_read(gyre_camera_properties, &look->camera, json, key);
    } else if (strcmp(key, "light") == 0) {
        return web_json_read(gyre_light_properties, &look->light, json, key);
    } else if (strcmp(key, "view") == 0) {
        return web_json_read(gyre_view_properties, &look->settings, json, key);
    } else if (strcmp(key, "arrows") == 0) {
        return set_switch(&look->arrows, key, json);
    } else if (strcmp(key, "solids") == 0) {
        return set_switch(&look->solids, key, json);
    } else if (strcmp(key, "mixed") == 0) {
        return set_switch(&look->mixed, key, json);
    } else if (strcmp(key, "textured") == 0) {
        return set_switch(&look->textured, key, json);
    } else if (strcmp(key, "transparent") == 0) {
        return set_switch(&p->transparent, key, json);
    } else if (strcmp(key, "scale") == 0) {
        return set_number(&p->scale, key, json, 0.05, 1.0);
    } else if (strcmp(key, "zoom") == 0) {
        return set_number(&look->zoom, key, json, 0.05, 2000.0);
    } else if (strcmp(key, "centre") == 0) {
        return set_centre(look, json);
    }
    // What is left is called as in a scene's "view".
    json_t *one = json_pack("{s:O}", key, json);
    gyre_result result = one ? web_json_read(gyre_view_properties, &look->settings, one, "")
                             : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a look");
    json_decref(one);
    return result;
}

// The looks of what is shown need its fields: where nothing was shown yet it is now.
static web_picture *shown(web_scene *w)
{
    web_picture *p = web_picture_of(w);
    return p && (p->count > 0 || web_show(w) == GYRE_OK) ? p : NULL;
}

WEB_CALL int web_look(web_scene *w, const char *text)
{
    const char *key;
    json_t *json, *root = web_json_parse(text, "look");
    web_picture *p = root ? shown(w) : NULL;
    gyre_result result = p ? GYRE_OK : root ? GYRE_ERROR_STATE : GYRE_ERROR_FORMAT;
    if (p && !json_is_object(root)) {
        result = expected("look", "an object");
    }
    view_look before = p ? p->panes[0].look : (view_look){0};
    float scale = p ? p->scale : 1.0f;
    bool transparent = p && p->transparent;
    if (!result) {
        json_object_foreach(root, key, json)
        {
            result = result ? result : set_one(w, p, &p->panes[0], key, json);
        }
    }
    json_decref(root);
    if (result && p) {
        p->panes[0].look = before;
        p->scale = scale;
        p->transparent = transparent;
        return (int)result;
    }
    // Another field or another model has to be brought.
    return result ? (int)result : web_show(w);
}

WEB_CALL char *web_get_look(web_scene *w)
{
    web_picture *p = shown(w);
    if (!p) {
        return NULL;
    }
    const view_look *look = &p->panes[0].look;
    json_t *dyes = json_object();
    for (int i = 0; i < look->dye_count; i++) {
        json_object_set_new(dyes, look->dyes[i].look.name,
                            web_json_struct(gyre_view_channel_properties, &look->dyes[i].look));
    }
    json_t *model =
        p->alone ? json_string(gyre_scene_model_name(w->variant.scene, p->shown)) : json_null();
    return web_json_text(json_pack(
        "{s:s, s:s, s:o, s:b, s:b, s:b, s:b, s:b, s:o, s:o, s:[o,o], s:o, s:o, s:o, s:o}", "mode",
        modes[look->mode], "field", look->field, "model", model, "arrows", look->arrows, "solids",
        look->solids, "mixed", look->mixed, "textured", look->textured, "transparent",
        p->transparent, "scale", web_json_float(p->scale), "zoom", web_json_float(look->zoom),
        "centre", web_json_float(look->centre[0]), web_json_float(look->centre[1]), "dyes", dyes,
        "camera", web_json_struct(gyre_camera_properties, &look->camera), "light",
        web_json_struct(gyre_light_properties, &look->light), "view",
        web_json_struct(gyre_view_properties, &look->settings)));
}
