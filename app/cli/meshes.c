// cli/meshes.c: surfaces of a scene's models for a file: water in the air, bodies, gates.
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

void drop_meshes(gyre_mesh *meshes, int count)
{
    for (int i = 0; meshes && i < count; i++) {
        free((void *)(uintptr_t)meshes[i].points);
        free((void *)(uintptr_t)meshes[i].triangles);
    }
    free(meshes);
}

// Models show one at a time.
static gyre_result keep(const gyre_mesh *mesh, gyre_mesh **all, int *count)
{
    size_t points = 3 * (size_t)mesh->point_count, corners = 3 * (size_t)mesh->triangle_count;
    gyre_mesh *more = realloc(*all, ((size_t)*count + 1) * sizeof *more);
    float *p = malloc(points * sizeof *p + 1);
    int32_t *t = malloc(corners * sizeof *t + 1);
    *all = more ? more : *all;
    if (!more || !p || !t) {
        free(p);
        free(t);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the meshes of a file");
    }
    if (points > 0) {
        memcpy(p, mesh->points, points * sizeof *p);
    }
    if (corners > 0) {
        memcpy(t, mesh->triangles, corners * sizeof *t);
    }
    more[(*count)++] = (gyre_mesh){p, mesh->point_count, t, mesh->triangle_count};
    return GYRE_OK;
}

gyre_result take_meshes(gyre_scene *scene, gyre_mesh **all, int *count)
{
    gyre_result result = GYRE_OK;
    gyre_mesh mesh;
    *all = NULL;
    *count = 0;
    for (int m = 0; m < gyre_scene_model_count(scene); m++) {
        gyre_model *model = gyre_scene_model(scene, m);
        result = result ? result : gyre_model_overhang(model, &mesh);
        result = result ? result : keep(&mesh, all, count);
        for (int i = 0; i < gyre_model_mesh_count(model) && !result; i++) {
            result = gyre_model_mesh(model, i, &mesh);
            result = result ? result : keep(&mesh, all, count);
        }
    }
    gyre_bodies *set = gyre_scene_bodies(scene);
    for (int i = 0; set && i < gyre_bodies_count(set) && !result; i++) {
        result = gyre_bodies_mesh(set, gyre_bodies_element(set, i), &mesh);
        result = result ? result : keep(&mesh, all, count);
    }
    return result;
}
