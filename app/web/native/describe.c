// web/native/describe.c: what a scene and its models are, and how they stand.
#include "web/native/inner.h"

static const char *const locations[] = {"centre", "face_x", "face_y", "face_z", "node"};
static const char *const views[] = {"density",  "temperature", "signed",
                                    "fraction", "surface",     "bed"};
static const char *const roles[] = {"none",       "smoke",      "heat",   "solid",
                                    "amount",     "surface",    "bed",    "velocity_x",
                                    "velocity_y", "velocity_z", "texture"};

static json_t *fields_of(const gyre_model *model)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:s}", "name",
                                              info[i].name, "unit", info[i].unit, "location",
                                              locations[info[i].location], "view",
                                              views[info[i].view], "role", roles[info[i].role],
                                              "derived", info[i].derived, "total", info[i].total,
                                              "doc", info[i].doc ? info[i].doc : ""));
    }
    return list;
}

static json_t *particles_of(const gyre_model *model)
{
    json_t *list = json_array();
    for (int s = 0; s < gyre_model_particle_sets(model); s++) {
        const gyre_particle_info *set = gyre_model_particles(model, s);
        json_t *attributes = json_array();
        for (int a = 0; a < set->attribute_count; a++) {
            const gyre_attribute_info *info = &set->attributes[a];
            json_array_append_new(attributes,
                                  json_pack("{s:s, s:s, s:i, s:s, s:s}", "name", info->name, "unit",
                                            info->unit, "components", info->components, "kind",
                                            info->kind == GYRE_ATTRIBUTE_INT ? "int" : "float",
                                            "doc", info->doc ? info->doc : ""));
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:o}", "name", set->name, "doc",
                                              set->doc ? set->doc : "", "capacity", set->capacity,
                                              "attributes", attributes));
    }
    return list;
}

json_t *web_json_model(const gyre_model *model, const char *name)
{
    const gyre_grid *g = gyre_model_grid(model);
    const gyre_property *table = gyre_model_type_properties(gyre_model_type(model), NULL);
    return json_pack("{s:s, s:s, s:i, s:[i,i,i], s:o, s:[o,o,o], s:o, s:o, s:o}", "name", name,
                     "type", gyre_model_type(model), "dim", g->dim, "n", g->n[0], g->n[1], g->n[2],
                     "h", web_json_float(g->h), "origin", web_json_float(g->origin[0]),
                     web_json_float(g->origin[1]), web_json_float(g->origin[2]), "fields",
                     fields_of(model), "particles", particles_of(model), "values",
                     web_json_struct(table, gyre_model_def(model)));
}

static void add_warning(void *list, const char *sentence)
{
    json_array_append_new(list, json_string(sentence));
}

// The looks that fit a scene, as the viewer has them.
static json_t *modes_of(const gyre_scene *scene)
{
    bool space = false, surface = false;
    for (int m = 0; m < gyre_scene_model_count(scene); m++) {
        const gyre_model *model = gyre_scene_model(scene, m);
        int count;
        const gyre_field_info *info = gyre_model_fields(model, &count);
        space = space || gyre_model_grid(model)->dim == 3;
        for (int i = 0; i < count; i++) {
            surface = surface || info[i].role == GYRE_ROLE_SURFACE;
        }
    }
    json_t *list = json_pack("[s,s,s]", "map", "cells", "streaks");
    if (space) {
        json_array_append_new(list, json_string("volume"));
        json_array_append_new(list, json_string("stack"));
    }
    if (surface) {
        json_array_append_new(list, json_string("surface"));
        json_array_append_new(list, json_string("bars"));
    }
    return list;
}

WEB_CALL char *web_describe(web_scene *w)
{
    gyre_scene *scene = w->variant.scene;
    const gyre_scene_settings *s = gyre_scene_get_settings(scene);
    json_t *models = json_array(), *warnings = json_array();
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        json_array_append_new(
            models, web_json_model(gyre_scene_model(scene, i), gyre_scene_model_name(scene, i)));
    }
    gyre_scene_warn(scene, add_warning, warnings);
    json_t *made = json_pack("{s:s, s:s, s:o, s:o, s:o}", "title", s->title, "doc", s->doc, "dt",
                             web_json_float(gyre_scene_dt(scene)), "fps",
                             web_json_float(s->time.fps), "models", models);
    // All of the scene's own settings: time, camera, light, view, output.
    json_t *settings = web_json_struct(gyre_scene_properties, s);
    static const char *const kept[] = {"time", "camera", "light", "view", "output", "bodies"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        json_object_set(made, kept[i], json_object_get(settings, kept[i]));
    }
    json_decref(settings);
    json_object_set_new(made, "modes", modes_of(scene));
    json_object_set_new(made, "warnings", warnings);
    return web_json_text(made);
}

json_t *web_json_stats(gyre_model *model)
{
    const void *stats;
    const gyre_property *table = gyre_model_stats(model, &stats);
    return table ? web_json_struct(table, stats) : json_null();
}

WEB_CALL char *web_stats(web_scene *w)
{
    gyre_scene *scene = w->variant.scene;
    json_t *models = json_object();
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        json_object_set_new(models, gyre_scene_model_name(scene, i),
                            web_json_stats(gyre_scene_model(scene, i)));
    }
    return web_json_text(json_pack(
        "{s:I, s:f, s:f, s:o}", "step", (json_int_t)gyre_model_steps(gyre_scene_model(scene, 0)),
        "time", gyre_scene_seconds(scene), "bytes", web_scene_bytes(scene), "models", models));
}
