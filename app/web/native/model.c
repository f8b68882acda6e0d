// web/native/model.c: models by themselves: each is a scene of it alone, stepped by its own clock.
#include "web/native/inner.h"

#include <stdlib.h>
#include <string.h>

struct web_model {
    web_scene *scene;
    gyre_model *model;
};

WEB_CALL int web_model_create(const char *type, const char *json, int threads, web_model **model)
{
    *model = NULL;
    json_t *def = web_json_parse(json && json[0] ? json : "{}", type);
    if (!def) {
        return GYRE_ERROR_FORMAT;
    }
    if (!json_is_object(def)) {
        json_decref(def);
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT, "%s: expected an object of properties", type);
    }
    json_object_set_new(def, "type", json_string(type));
    char *text = web_json_text(json_pack("{s:{s:o}}", "models", type, def));
    web_model *made = calloc(1, sizeof *made);
    gyre_result result = text && made ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory");
    // A caller's own model is trusted: what there is of memory bounds it.
    web_limits all = {.cells = 1e12, .bytes = 4294967295.0, .particles = 1e9, .text = 1 << 24};
    result =
        result ? result : (gyre_result)web_open(text, "model", NULL, threads, &all, &made->scene);
    free(text);
    if (result) {
        free(made);
        return (int)result;
    }
    made->model = gyre_scene_model(made->scene->variant.scene, 0);
    *model = made;
    return GYRE_OK;
}

WEB_CALL void web_model_destroy(web_model *model)
{
    if (model) {
        web_close(model->scene);
        free(model);
    }
}

WEB_CALL int web_model_step(web_model *model, float dt)
{
    return (int)gyre_model_step(model->model, dt);
}

WEB_CALL int web_model_set(web_model *model, const char *path, const char *json)
{
    const gyre_property *line;
    gyre_value value;
    json_t *root = web_json_parse(json, path);
    if (!root) {
        return GYRE_ERROR_FORMAT;
    }
    const gyre_property *table = gyre_model_type_properties(gyre_model_type(model->model), NULL);
    bool element = json_is_object(root) || json_is_null(root);
    gyre_result result = GYRE_OK;
    if (element) {
        // Comes or goes as it does in a scene.
        char whole[320];
        snprintf(whole, sizeof whole, "%.60s.%.240s",
                 gyre_scene_model_name(model->scene->variant.scene, 0), path);
        result = gyre_scene_input(model->scene->variant.scene, whole, json);
    } else {
        const char *text = json_is_string(root) ? json_string_value(root) : json;
        result = gyre_property_line(table, gyre_model_def(model->model), path, &line);
        result = result ? result : gyre_property_parse(line, text, &value);
        result = result ? result : gyre_model_set(model->model, path, &value);
    }
    json_decref(root);
    return (int)result;
}

WEB_CALL char *web_model_get(web_model *model, const char *path)
{
    const gyre_property *line,
        *table = gyre_model_type_properties(gyre_model_type(model->model), NULL);
    const void *def = gyre_model_def(model->model);
    gyre_value value;
    if (gyre_property_line(table, def, path, &line) == GYRE_OK &&
        gyre_model_get(model->model, path, &value) == GYRE_OK) {
        return web_json_text(web_json_value(line, &value));
    }
    json_t *found = web_json_at(table, def, path);
    return found ? web_json_text(found) : NULL;
}

WEB_CALL char *web_model_describe(web_model *model)
{
    return web_json_text(web_json_model(model->model, gyre_model_type(model->model)));
}

WEB_CALL char *web_model_stats(web_model *model)
{
    return web_json_text(web_json_stats(model->model));
}

WEB_CALL char *web_model_hash(web_model *model)
{
    char *text = malloc(17);
    if (text) {
        snprintf(text, 17, "%016llx", (unsigned long long)gyre_model_hash(model->model));
    }
    return text;
}

WEB_CALL int web_model_map(web_model *model, const char *field, int write, int layout[6])
{
    return (int)web_field_map(model->model, field, write, layout);
}

WEB_CALL int web_model_unmap(web_model *model, const char *field)
{
    return (int)web_field_unmap(model->model, field);
}

WEB_CALL int web_model_splat(web_model *model, const char *field, const float centre[3],
                             float radius, const float *amount, int components)
{
    return (int)web_field_splat(model->model, field, centre, radius, amount, components);
}

WEB_CALL int web_model_probe(web_model *model, const char *field, const float *points, int count,
                             float *values)
{
    return (int)web_field_probe(model->model, field, points, count, values);
}

WEB_CALL int web_model_save(web_model *model, void **bytes, int *size)
{
    size_t room = gyre_model_save_size(model->model), written = 0;
    *bytes = malloc(room);
    *size = 0;
    gyre_result result = *bytes ? gyre_model_save(model->model, *bytes, room, &written)
                                : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a saved state");
    if (result) {
        free(*bytes);
        *bytes = NULL;
        return (int)result;
    }
    *size = (int)written;
    return GYRE_OK;
}

WEB_CALL int web_model_load(web_model *model, const void *bytes, int size)
{
    return (int)gyre_model_load(model->model, bytes, size > 0 ? (size_t)size : 0);
}
