// scene/particles.c: sets of particles of a model, held for a picture or a file.
#include "gyre/scene.h"
#include "scene/picture.h"

#include <stdlib.h>
#include <string.h>

struct gyre_particle_sets {
    gyre_named_particles *sets;
    int count;
};

static void free_set(const gyre_named_particles *set)
{
    for (int a = 0; set->attributes && a < set->attribute_count; a++) {
        free((void *)(uintptr_t)set->attributes[a].data);
    }
    free((void *)(uintptr_t)set->attributes);
}

void gy_particle_sets_drop(gyre_particle_sets *sets, int index)
{
    free_set(&sets->sets[index]);
    sets->count--;
    memmove(&sets->sets[index], &sets->sets[index + 1],
            (size_t)(sets->count - index) * sizeof *sets->sets);
}

void gyre_particle_sets_close(gyre_particle_sets *sets)
{
    for (int s = 0; sets && s < sets->count; s++) {
        free_set(&sets->sets[s]);
    }
    if (sets) {
        free(sets->sets);
    }
    free(sets);
}

static gyre_result no_memory(void)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "no memory for copies of particles");
}

/// An attribute's components side by side.
static void *interleave(const gyre_attribute_info *info, const gyre_particle_view *view)
{
    size_t components = (size_t)info->components, count = (size_t)view->count;
    uint32_t *to = malloc(components * count * sizeof *to + 1);
    for (size_t c = 0; to && c < components; c++) {
        const char *from = view->data[info->array + (int)c];
        for (size_t i = 0; i < count; i++) {
            memcpy(&to[i * components + c], from + 4 * i, sizeof *to);
        }
    }
    return to;
}

static gyre_result copy_set(gyre_model *model, int s, gyre_named_particles *to)
{
    const gyre_particle_info *info = gyre_model_particles(model, s);
    gyre_particle_view view;
    gyre_named_attribute *attributes = calloc((size_t)info->attribute_count, sizeof *attributes);
    *to = (gyre_named_particles){.name = info->name, .attributes = attributes};
    if (!attributes) {
        return no_memory();
    }
    gyre_result result = gyre_model_map_particles(model, s, GYRE_READ, &view);
    if (result) {
        return result;
    }
    to->count = view.count;
    to->attribute_count = info->attribute_count;
    for (int a = 0; a < info->attribute_count && !result; a++) {
        const gyre_attribute_info *one = &info->attributes[a];
        attributes[a] = (gyre_named_attribute){
            one->name, one->components, one->kind == GYRE_ATTRIBUTE_INT, interleave(one, &view)};
        result = attributes[a].data ? GYRE_OK : no_memory();
    }
    gyre_result closed = gyre_model_unmap_particles(model, s, view.count);
    return result ? result : closed;
}

gyre_result gyre_particle_sets_open(gyre_scene *scene, int i, gyre_particle_sets **sets)
{
    if (GY_MISSING("particle_sets_open", scene) || GY_MISSING("particle_sets_open", sets)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *sets = NULL;
    gyre_model *model = gyre_scene_model(scene, i);
    if (!model) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    int count = gyre_model_particle_sets(model);
    gyre_particle_sets *made = calloc(1, sizeof *made);
    if (!made) {
        return no_memory();
    }
    made->sets = calloc((size_t)count + 1, sizeof *made->sets);
    gyre_result result = made->sets ? GYRE_OK : no_memory();
    for (; made->count < count && !result; made->count++) {
        result = copy_set(model, made->count, &made->sets[made->count]);
    }
    if (result) {
        gyre_particle_sets_close(made);
        return result;
    }
    *sets = made;
    return GYRE_OK;
}

const gyre_named_particles *gyre_particle_sets_views(const gyre_particle_sets *sets, int *count)
{
    if (GY_MISSING("particle_sets_views", sets) || GY_MISSING("particle_sets_views", count)) {
        return NULL;
    }
    *count = sets->count;
    return sets->sets;
}
