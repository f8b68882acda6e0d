// models/models.c: models by the names of their types.
#include "model/model.h"
#include <string.h>

/// NULL: there is none such, or this build has been made without, and the message says which;
/// `result` is that.
static const gy_model_type *find(const char *name, gyre_result *result)
{
    char known[256] = "";
    *result = GYRE_OK;
    for (int i = 0; gy_model_types[i]; i++) {
        if (name && strcmp(gy_model_types[i]->name, name) == 0) {
            return gy_model_types[i];
        }
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, gy_model_types[i]->name, sizeof known - strlen(known) - 1);
    }
    for (int i = 0; name && gy_models_apart[i]; i++) {
        if (strcmp(gy_models_apart[i], name) == 0) {
            *result = gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: the model %s is in the whole one",
                                GY_PLANE_ONLY, name);
            return NULL;
        }
    }
    *result = gyre_fail(GYRE_ERROR_ARGUMENT, "no model type \"%s\"; there are: %s",
                        name ? name : "", known);
    return NULL;
}

gyre_result gyre_model_type_find(const char *name)
{
    gyre_result result;
    find(name, &result);
    return result;
}

const char *gyre_model_type_name(int i)
{
    for (int q = 0; q <= i; q++) {
        if (!gy_model_types[q]) {
            return NULL;
        }
    }
    return i >= 0 ? gy_model_types[i]->name : NULL;
}

const gyre_property *gyre_model_type_properties(const char *name, size_t *def_size)
{
    gyre_result result;
    const gy_model_type *type = find(name, &result);
    if (type && def_size) {
        *def_size = type->def_size;
    }
    return type ? type->properties : NULL;
}

gyre_result gyre_model_default_def(const char *name, int dim, void *def, size_t size)
{
    gyre_result result;
    const gy_model_type *type = find(name, &result);
    if (!type) {
        return result;
    }
    if (GY_MISSING("default_def", def)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (dim != 2 && dim != 3) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "dim is %d, expected 2 or 3", dim);
    }
    if (size != type->def_size) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "a def of %s has %zu bytes, not %zu", name,
                         type->def_size, size);
    }
    type->default_def(dim, def);
    return GYRE_OK;
}

size_t gyre_model_def_size(const char *name, const void *def)
{
    gyre_result result;
    const gy_model_type *type = find(name, &result);
    return type && !GY_MISSING("def_size", def) ? type->size(def) : 0;
}

gyre_result gyre_model_create(gyre_device *device, const char *name, const void *def,
                              gyre_model **model)
{
    gyre_result result;
    const gy_model_type *type = find(name, &result);
    return type ? gy_model_create(type, device, def, model) : result;
}
