// ocean/verbs.c: the typed verbs of include/gyre/ocean.h that an ocean shares with every model.
#include "base/base.h"
#include "ocean/ocean.h"

gyre_model *gyre_ocean_model(gyre_ocean *ocean)
{
    return GY_MISSING("model", ocean) ? NULL : &ocean->model;
}

size_t gyre_ocean_size(const gyre_ocean_def *def)
{
    return GY_MISSING("size", def) ? 0 : gy_ocean_type.size(def);
}

gyre_result gyre_ocean_create(gyre_device *device, const gyre_ocean_def *def, gyre_ocean **ocean)
{
    gyre_model *model = NULL;
    if (GY_MISSING("create", ocean)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_model_create(&gy_ocean_type, device, def, &model);
    *ocean = (gyre_ocean *)model;
    return r;
}

void gyre_ocean_destroy(gyre_ocean *ocean)
{
    gyre_model_destroy(ocean ? &ocean->model : NULL);
}

gyre_result gyre_ocean_step(gyre_ocean *ocean, float dt)
{
    return gyre_model_step(ocean ? &ocean->model : NULL, dt);
}

gyre_result gyre_ocean_set(gyre_ocean *ocean, const char *path, gyre_value value)
{
    return gyre_model_set(ocean ? &ocean->model : NULL, path, &value);
}

gyre_result gyre_ocean_get(const gyre_ocean *ocean, const char *path, gyre_value *value)
{
    return gyre_model_get(ocean ? &ocean->model : NULL, path, value);
}

/// What is done to the elements of a pool.
#define ELEMENT(name, pool)                                                                        \
    gyre_id gyre_ocean_add_##name(gyre_ocean *ocean, const gyre_ocean_##name *name)                \
    {                                                                                              \
        return gyre_model_add(ocean ? &ocean->model : NULL, pool, name);                           \
    }                                                                                              \
    gyre_result gyre_ocean_update_##name(gyre_ocean *ocean, gyre_id id,                            \
                                         const gyre_ocean_##name *name)                            \
    {                                                                                              \
        return gy_model_update_in(ocean ? &ocean->model : NULL, pool, id, name);                   \
    }                                                                                              \
    gyre_result gyre_ocean_read_##name(const gyre_ocean *ocean, gyre_id id,                        \
                                       gyre_ocean_##name *name)                                    \
    {                                                                                              \
        return gy_model_read_in(ocean ? &ocean->model : NULL, pool, id, name);                     \
    }
ELEMENT(wave, "waves")
ELEMENT(sea, "seas")
ELEMENT(emitter, "emitters")

gyre_result gyre_ocean_remove(gyre_ocean *ocean, gyre_id id)
{
    return gyre_model_remove(ocean ? &ocean->model : NULL, id);
}

gyre_result gyre_ocean_splat(gyre_ocean *ocean, int field, const float centre[3], float radius,
                             float amount)
{
    return gyre_model_splat(ocean ? &ocean->model : NULL, field, centre, radius, amount);
}

gyre_result gyre_ocean_probe(const gyre_ocean *ocean, int field, const float *points, int count,
                             float *values)
{
    return gyre_model_probe(ocean ? &ocean->model : NULL, field, points, count, values);
}

const gyre_field_info *gyre_ocean_fields(const gyre_ocean *ocean, int *count)
{
    return gyre_model_fields(ocean ? &ocean->model : NULL, count);
}

int gyre_ocean_field(const gyre_ocean *ocean, const char *name)
{
    return gyre_model_field(ocean ? &ocean->model : NULL, name);
}

gyre_result gyre_ocean_map(gyre_ocean *ocean, int field, gyre_access access, gyre_field_view *view)
{
    return gyre_model_map(ocean ? &ocean->model : NULL, field, access, view);
}

gyre_result gyre_ocean_unmap(gyre_ocean *ocean, int field)
{
    return gyre_model_unmap(ocean ? &ocean->model : NULL, field);
}

void gyre_ocean_read_stats(gyre_ocean *ocean, gyre_ocean_stats *stats, size_t size)
{
    const void *own = NULL;
    static const gyre_ocean_stats none;
    if (GY_MISSING("ocean_read_stats", stats)) {
        return;
    }
    gyre_model_stats(ocean ? &ocean->model : NULL, &own);
    gy_copy_sized(stats, size, own ? own : &none, sizeof none);
}

uint64_t gyre_ocean_hash(const gyre_ocean *ocean)
{
    return gyre_model_hash(ocean ? &ocean->model : NULL);
}

size_t gyre_ocean_save_size(const gyre_ocean *ocean)
{
    return gyre_model_save_size(ocean ? &ocean->model : NULL);
}

gyre_result gyre_ocean_save(const gyre_ocean *ocean, void *memory, size_t size, size_t *written)
{
    return gyre_model_save(ocean ? &ocean->model : NULL, memory, size, written);
}

gyre_result gyre_ocean_load(gyre_ocean *ocean, const void *memory, size_t size)
{
    return gyre_model_load(ocean ? &ocean->model : NULL, memory, size);
}
