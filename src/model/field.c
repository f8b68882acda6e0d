// model/field.c: fields by name, by index, and as components of a vector.
#include "base/base.h"
#include "model/model.h"
#include <stdio.h>
#include <string.h>

const gyre_field_info *gyre_model_fields(const gyre_model *model, int *count)
{
    if (GY_MISSING("fields", model) || GY_MISSING("fields", count)) {
        return NULL;
    }
    *count = model->field_count;
    return model->fields;
}

/// The last name that this thread asked for in vain, and of which model: who hands the -1 on to
/// another call, as in gyre_model_map(model, gyre_model_field(model, name), ...), is told.
static _Thread_local struct {
    const gyre_model *model;
    char text[896];
} missed;

static const char *field_name(const void *list, int i)
{
    return ((const gyre_field_info *)list)[i].name;
}

int gyre_model_field(const gyre_model *model, const char *name)
{
    if (GY_MISSING("field", model) || GY_MISSING("field", name)) {
        return -1;
    }
    char known[512] = "";
    for (int i = 0; i < model->field_count; i++) {
        if (strcmp(model->fields[i].name, name) == 0) {
            return i;
        }
        size_t used = strlen(known);
        if (used + strlen(model->fields[i].name) + 3 < sizeof known) {
            strcat(strcat(known, used ? ", " : ""), model->fields[i].name);
        }
    }
    const char *nearest = gyre_name_nearest(name, model->field_count, field_name, model->fields);
    missed.model = model;
    snprintf(missed.text, sizeof missed.text, "no field \"%.100s\"%s%s%s; there are %s", name,
             nearest ? ", did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "",
             known);
    gyre_fail(GYRE_ERROR_ARGUMENT, "%s", missed.text);
    return -1;
}

gyre_result gy_model_check_field(const char *call, const gyre_model *model, int field)
{
    if (GY_MISSING(call, model)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (field >= 0 && field < model->field_count) {
        return GYRE_OK;
    }
    if (field == -1 && missed.model == model) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %s", call, missed.text);
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no field with index %d", call, field);
}

// ---- vectors

/// The field of component `axis` of a vector whose name is the first `length` bytes of `stem`; -1:
/// none.
static int component(const gyre_model *model, const char *stem, size_t length, int axis)
{
    for (int f = 0; f < model->field_count; f++) {
        const char *name = model->fields[f].name;
        if (strncmp(name, stem, length) == 0 && name[length] == '_' &&
            name[length + 1] == 'x' + axis && !name[length + 2]) {
            return f;
        }
    }
    return -1;
}

/// The bytes of the stem, where the field is the first component of a vector; else 0.
static size_t stem_of(const gyre_model *model, int field)
{
    const char *name = model->fields[field].name;
    size_t length = strlen(name);
    bool first = length > 2 && strcmp(name + length - 2, "_x") == 0;
    return first && component(model, name, length - 2, 1) >= 0 ? length - 2 : 0;
}

static const char *stem_at(const void *list, int i)
{
    return ((const char(*)[64])list)[i];
}

static gyre_result no_vector(const char *call, const gyre_model *model, const char *stem)
{
    char known[64][64] = {{0}}, all[512] = "";
    int count = 0;
    for (int f = 0; f < model->field_count; f++) {
        size_t length = stem_of(model, f);
        if (length > 0 && length < sizeof known[0] && count < 64) {
            snprintf(known[count], sizeof known[0], "%.*s", (int)length, model->fields[f].name);
            if (strlen(all) + length + 3 < sizeof all) {
                strcat(strcat(all, count ? ", " : ""), known[count]);
            }
            count++;
        }
    }
    const char *nearest = gyre_name_nearest(stem, count, stem_at, known);
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no vector \"%.100s\"%s%s%s; there are %s", call,
                     stem, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?" : "", count ? all : "none");
}

int gy_model_vector(const char *call, const gyre_model *model, const char *stem, int fields[3])
{
    size_t length = strlen(stem);
    int count = 0;
    while (count < 3 && (fields[count] = component(model, stem, length, count)) >= 0) {
        count++;
    }
    if (count < 2) {
        no_vector(call, model, stem);
        return 0;
    }
    return count;
}
