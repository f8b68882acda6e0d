// web/native/field.c: fields of a model, where they lie.
#include "web/native/inner.h"

#include <string.h>

gyre_result web_field_map(gyre_model *model, const char *field, int write, int layout[6])
{
    gyre_field_view view;
    int f = gyre_model_field(model, field);
    gyre_result result = f < 0 ? GYRE_ERROR_ARGUMENT
                               : gyre_model_map(model, f, write ? GYRE_WRITE : GYRE_READ, &view);
    if (result == GYRE_OK) {
        layout[0] = (int)(uintptr_t)view.data;
        memcpy(layout + 1, view.n, sizeof view.n);
        layout[4] = (int)view.stride[1];
        layout[5] = (int)view.stride[2];
    }
    return result;
}

gyre_result web_field_unmap(gyre_model *model, const char *field)
{
    int f = gyre_model_field(model, field);
    return f < 0 ? GYRE_ERROR_ARGUMENT : gyre_model_unmap(model, f);
}

// A vector's fields are called as it is, with the axis behind.
gyre_result web_field_splat(gyre_model *model, const char *field, const float centre[3],
                            float radius, const float *amount, int components)
{
    gyre_result result = GYRE_OK;
    int fields[3];
    if (components < 1 || components > 3) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %d components, expected 1 to 3", field,
                         components);
    }
    for (int i = 0; i < components; i++) {
        char name[64];
        snprintf(name, sizeof name, components > 1 ? "%.60s_%c" : "%.60s", field, 'x' + i);
        fields[i] = gyre_model_field(model, name);
        if (fields[i] < 0) {
            return GYRE_ERROR_ARGUMENT;
        }
    }
    for (int i = 0; i < components && !result; i++) {
        result = gyre_model_splat(model, fields[i], centre, radius, amount[i]);
    }
    return result;
}

gyre_result web_field_probe(gyre_model *model, const char *field, const float *points, int count,
                            float *values)
{
    int f = gyre_model_field(model, field), all;
    if (f < 0) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_field_view view;
    bool derived = gyre_model_fields(model, &all)[f].derived;
    gyre_result result = derived ? gyre_model_map(model, f, GYRE_READ, &view) : GYRE_OK;
    if (result) {
        return result;
    }
    result = gyre_model_probe(model, f, points, count, values);
    gyre_result closed = derived ? gyre_model_unmap(model, f) : GYRE_OK;
    return result ? result : closed;
}
