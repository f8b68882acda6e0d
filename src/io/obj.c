// io/obj.c: surfaces of a frame as one mesh: Wavefront's .obj, or .stl.
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    size_t points = 0, triangles = 0;
    gyre_mesh all = {0};

    (void)shape;
    for (int i = 0; i < frame->mesh_count; i++) {
        points += (size_t)frame->meshes[i].point_count;
        triangles += (size_t)frame->meshes[i].triangle_count;
    }
    if (points > INT32_MAX / 4 || triangles > INT32_MAX / 4)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: meshes of %zu points and %zu triangles", path,
                         points, triangles);
    float *at = malloc(3 * points * sizeof *at + 1);
    int32_t *corners = malloc(3 * triangles * sizeof *corners + 1);
    gyre_result result = at != NULL && corners != NULL
                             ? GYRE_OK
                             : gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for its meshes", path);

    for (int i = 0; i < frame->mesh_count && result == GYRE_OK; i++) {
        const gyre_mesh *mesh = &frame->meshes[i];

        if (mesh->point_count > 0)
            memcpy(at + 3 * (size_t)all.point_count, mesh->points,
                   3 * (size_t)mesh->point_count * sizeof *at);
        for (int64_t k = 0; k < 3 * (int64_t)mesh->triangle_count; k++)
            corners[3 * (int64_t)all.triangle_count + k] = mesh->triangles[k] + all.point_count;
        all.point_count += mesh->point_count;
        all.triangle_count += mesh->triangle_count;
    }
    all.points = at;
    all.triangles = corners;
    if (result == GYRE_OK)
        result = gyre_mesh_write(path, &all, (gyre_mesh_encoding)0);
    free(at);
    free(corners);
    return result;
}

const gy_format gy_format_obj = {
    .about = {.name = "mesh",
              .doc = "surfaces of bodies, gates and water in the air, as one mesh",
              .endings = {".obj", ".stl"},
              .takes = GYRE_TAKES_MESHES},
    .write = write_frame,
};
