// models/models.c: the one list of models. Removing a model is deleting its folder and its lines
// here.
#include "classic/model.h"
#include "gas/gas.h"
#include "model/model.h"
#include "ocean/ocean.h"
#include "water/water.h"
#include <string.h>

const gy_model_type *const gy_model_types[] = {
    &gy_gas_type, &gy_classic_type, &gy_water_type, &gy_ocean_type, NULL,
};

static const gy_model_type *find(const char *name)
{
    char known[256] = "";
    for (int i = 0; gy_model_types[i]; i++) {
        if (name && strcmp(gy_model_types[i]->name, name) == 0) {
            return gy_model_types[i];
        }
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, gy_model_types[i]->name, sizeof known - strlen(known) - 1);
    }
    gyre_fail(GYRE_ERROR_ARGUMENT, "no model type \"%s\"; there are: %s", name ? name : "", known);
    return NULL;
}

const char *gyre_model_type_name(int i)
{
    return i >= 0 && i < GY_COUNT(gy_model_types) - 1 ? gy_model_types[i]->name : NULL;
}

const gyre_property *gyre_model_type_properties(const char *name, size_t *def_size)
{
    const gy_model_type *type = find(name);
    if (type && def_size) {
        *def_size = type->def_size;
    }
    return type ? type->properties : NULL;
}

gyre_result gyre_model_default_def(const char *name, int dim, void *def, size_t size)
{
    const gy_model_type *type = find(name);
    if (!type || GY_MISSING("default_def", def)) {
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
    const gy_model_type *type = find(name);
    return type && !GY_MISSING("def_size", def) ? type->size(def) : 0;
}

gyre_result gyre_model_create(gyre_device *device, const char *name, const void *def,
                              gyre_model **model)
{
    const gy_model_type *type = find(name);
    return type ? gy_model_create(type, device, def, model) : GYRE_ERROR_ARGUMENT;
}
