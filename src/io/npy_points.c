// io/npy_points.c: particles as arrays for NumPy, a file of each attribute.
//
// "a.particles.npy" becomes a.position.npy, a.age.npy and so on, each of shape (particles,
// components), or (particles,) where there is one component, as io/npy.c writes them.
#include "io/points.h"

#include <stdlib.h>
#include <string.h>

static const char ending[] = ".particles.npy";

/// `set` has one attribute.
static gyre_result write_array(gy_io_file *file, const gyre_named_particles *set, double time)
{
    char head[GY_POINTS_HEAD + 1];

    (void)time;
    gy_points_head(set, set->attributes, head);
    gyre_result result = gy_io_write(file, head, GY_POINTS_HEAD);

    return result == GYRE_OK ? gy_points_write(file, set, set->attributes) : result;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    const gyre_named_particles *set = NULL;
    gyre_result result = gy_points_of(path, frame, &set);
    size_t length = strlen(path), size = length + 72; // of a name: at most 63
    char *named = malloc(size);

    (void)shape;
    if (named == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a file name", path);
    for (int i = 0; result == GYRE_OK && i < set->attribute_count; i++) {
        gyre_named_particles one = {set->name, set->count, set->attributes + i, 1};

        snprintf(named, size, "%.*s.%s.npy", (int)(length - strlen(ending)), path,
                 one.attributes->name);
        result = gy_points_file(named, &one, frame->time, write_array);
    }
    free(named);
    return result;
}

const gy_format gy_format_npy_points = {
    .about = {.name = "attributes",
              .doc = "particles, a file for NumPy per attribute: a.position.npy, ...",
              .endings = {ending},
              .takes = GYRE_TAKES_PARTICLES,
              .per_attribute = true},
    .write = write_frame,
};
