// scene/start.c: how the fields of the models' state begin: a number, a formula of the place, or an
// array that is stretched over the domain (linear between its samples, which are centres of cells
// of its own). Fields are written through windows when the models are made, before the first step;
// a run that goes on from a saved state has them from there.
#include "scene/formula.h"
#include "scene/read.h"
#include "scene/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gy_start {
    const char *field; // "gas.density"
    const char *text;  // a formula, as the scene has it; NULL: a number or an array
    double number;
    gy_formula *formula;
    gyre_volume volume; // data NULL: none
};

static bool is_array(const char *text)
{
    size_t length = strlen(text);
    return length > 4 &&
           (strcmp(text + length - 4, ".npy") == 0 || strcmp(text + length - 4, ".png") == 0);
}

static gyre_result read_one(const gy_reader *r, const gy_place *place, json_t *json,
                            struct gy_start *start)
{
    if (json_is_number(json)) {
        start->number = json_number_value(json);
        return fabs(start->number) <= 3e38
                   ? GYRE_OK
                   : gy_read_fail(r, place, false, "found %g, expected at most 3e38",
                                  start->number);
    }
    const char *text = json_string_value(json);
    if (!text) {
        char found[128];
        gy_read_describe(json, found, sizeof found);
        return gy_read_fail(r, place, false,
                            "found %s, expected a number, a formula of x, y and z or the name of a "
                            ".npy or .png file",
                            found);
    }
    if (is_array(text)) {
        return gy_read_array(r, place, text, &start->volume);
    }
    start->text = gy_scene_text(r->scene, text);
    if (!start->text) {
        return GYRE_ERROR_MEMORY;
    }
    gyre_result result = gy_formula_read(text, &start->formula);
    if (result == GYRE_ERROR_ARGUMENT || result == GYRE_ERROR_UNSUPPORTED) {
        gy_read_fail(r, place, false, "%.599s", gyre_message());
    }
    return result;
}

gyre_result gy_start_read(const gy_reader *r, json_t *root)
{
    json_t *all = json_object_get(root, "start"), *json;
    gy_place top = {NULL, "start"};
    const char *key;
    if (!all) {
        return GYRE_OK;
    }
    if (!json_is_object(all)) {
        char found[128];
        gy_read_describe(all, found, sizeof found);
        return gy_read_fail(r, &top, false, "found %s, expected an object of fields", found);
    }
    r->scene->starts =
        gy_scene_allocate(r->scene, (json_object_size(all) + 1) * sizeof *r->scene->starts);
    if (!r->scene->starts) {
        return GYRE_ERROR_MEMORY;
    }
    json_object_foreach(all, key, json)
    {
        struct gy_start *start = &r->scene->starts[r->scene->start_count];
        gy_place place = {&top, key};
        start->field = gy_scene_text(r->scene, key);
        gyre_result result = start->field ? read_one(r, &place, json, start) : GYRE_ERROR_MEMORY;
        r->scene->start_count++;
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

void gy_start_free(gyre_scene *scene)
{
    for (int i = 0; i < scene->start_count; i++) {
        gy_formula_free(scene->starts[i].formula);
    }
}

json_t *gy_start_write(const gyre_scene *scene, json_t *name_of(void *, const gyre_volume *),
                       void *context)
{
    json_t *all = json_object();
    for (int i = 0; i < scene->start_count; i++) {
        const struct gy_start *start = &scene->starts[i];
        json_object_set_new(all, start->field,
                            start->volume.data ? name_of(context, &start->volume)
                            : start->text      ? json_string(start->text)
                                               : json_real(start->number));
    }
    return all;
}

// ---- when the models are made

// The array's value at a place, from 0 to 1 along each side of the domain.
static double sample(const gyre_volume *v, const double part[3])
{
    ptrdiff_t low[3], high[3];
    double weight[3], sum = 0.0;
    for (int a = 0; a < 3; a++) {
        double at = part[a] * v->n[a] - 0.5, most = v->n[a] - 1;
        at = at < 0.0 ? 0.0 : at > most ? most : at;
        low[a] = (ptrdiff_t)at;
        high[a] = low[a] + (low[a] < v->n[a] - 1);
        weight[a] = at - (double)low[a];
    }
    for (int c = 0; c < 8; c++) {
        ptrdiff_t i = c & 1 ? high[0] : low[0], j = c & 2 ? high[1] : low[1];
        ptrdiff_t k = c & 4 ? high[2] : low[2];
        double w = (c & 1 ? weight[0] : 1.0 - weight[0]) * (c & 2 ? weight[1] : 1.0 - weight[1]) *
                   (c & 4 ? weight[2] : 1.0 - weight[2]);
        sum += w * (double)v->data[(k * v->n[1] + j) * v->n[0] + i];
    }
    return sum;
}

// One sample of a field: where it lies, and what it begins with.
static float begin_at(const struct gy_start *start, const gyre_field_view *view, const int index[3])
{
    const gyre_grid *grid = &view->grid;
    double at[3] = {0.0, 0.0, 0.0}, part[3] = {0.5, 0.5, 0.5}, h = (double)grid->h;
    for (int a = 0; a < grid->dim; a++) {
        bool face = view->location == GYRE_NODE || (int)view->location == (int)GYRE_FACE_X + a;
        double cells = index[a] + (face ? 0.0 : 0.5);
        at[a] = (double)grid->origin[a] + h * cells;
        part[a] = cells / grid->n[a];
    }
    return (float)(start->formula       ? gy_formula_value(start->formula, at)
                   : start->volume.data ? sample(&start->volume, part)
                                        : start->number);
}

static gyre_result fill(gyre_model *model, int field, const struct gy_start *start)
{
    gyre_field_view view;
    int at[3];
    gyre_result result = gyre_model_map(model, field, GYRE_WRITE, &view);
    if (result) {
        return result;
    }
    for (at[2] = 0; view.data && at[2] < view.n[2]; at[2]++) {
        for (at[1] = 0; at[1] < view.n[1]; at[1]++) {
            float *row = view.data + at[1] * view.stride[1] + at[2] * view.stride[2];
            for (at[0] = 0; at[0] < view.n[0]; at[0]++) {
                row[at[0]] = begin_at(start, &view, at);
            }
        }
    }
    return gyre_model_unmap(model, field);
}

gyre_result gy_start_apply(gyre_scene *scene)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < scene->start_count && result == GYRE_OK; i++) {
        const struct gy_start *start = &scene->starts[i];
        int model, field;
        result = gyre_scene_field(scene, start->field, &model, &field);
        result = result ? result : fill(scene->models[model].model, field, start);
        if (result) {
            char message[700];
            snprintf(message, sizeof message, "%.699s", gyre_message());
            return gyre_fail(result, "%.200s: start.%.60s: %s", scene->file, start->field, message);
        }
    }
    return result;
}
