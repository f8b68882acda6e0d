// io/ply.c: particles as the points of Stanford's polygon format, binary, little-endian.
// http://paulbourke.net/dataformats/ply/
//
// The position's components are x, y and z, as readers want them; another attribute of one
// component has its own name, of more name_0, name_1, ...
#include "io/points.h"

static gyre_result write_property(gy_io_file *file, const gyre_named_attribute *a, int c,
                                  bool position)
{
    const char *type = a->whole ? "int" : "float";

    if (position)
        return gy_points_print(file, "property %s %c\n", type, "xyz"[c]);
    return a->components == 1 ? gy_points_print(file, "property %s %s\n", type, a->name)
                              : gy_points_print(file, "property %s %s_%d\n", type, a->name, c);
}

static gyre_result write_head(gy_io_file *file, const gyre_named_particles *set, double time)
{
    gyre_result result =
        gy_points_print(file,
                        "ply\nformat binary_little_endian 1.0\ncomment %s at %.9g s\n"
                        "element vertex %lld\n",
                        set->name, time, (long long)set->count);

    for (int i = 0; i < set->attribute_count; i++) {
        for (int c = 0; c < set->attributes[i].components && result == GYRE_OK; c++)
            result = write_property(file, &set->attributes[i], c, i == 0);
    }
    return result == GYRE_OK ? gy_points_print(file, "end_header\n") : result;
}

static gyre_result write_points(gy_io_file *file, const gyre_named_particles *set)
{
    unsigned char bytes[4 * GY_POINTS_CHUNK];
    size_t used = 0;
    gyre_result result = GYRE_OK;

    for (int64_t i = 0; i < set->count && result == GYRE_OK; i++) {
        for (int k = 0; k < set->attribute_count; k++) {
            const gyre_named_attribute *a = &set->attributes[k];
            size_t components = (size_t)a->components;

            if (used + 4 * components > sizeof bytes && result == GYRE_OK) {
                result = gy_io_write(file, bytes, used);
                used = 0;
            }
            gy_points_pack(a, i * a->components, components, bytes + used);
            used += 4 * components;
        }
    }
    return result == GYRE_OK ? gy_io_write(file, bytes, used) : result;
}

static gyre_result write_all(gy_io_file *file, const gyre_named_particles *set, double time)
{
    gyre_result result = write_head(file, set, time);

    return result == GYRE_OK ? write_points(file, set) : result;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    const gyre_named_particles *set = NULL;
    gyre_result result = gy_points_of(path, frame, &set);

    (void)shape;
    return result == GYRE_OK ? gy_points_file(path, set, frame->time, write_all) : result;
}

const gy_format gy_format_ply = {
    .about = {.name = "points",
              .doc = "particles as points with properties",
              .endings = {".ply"},
              .takes = GYRE_TAKES_PARTICLES},
    .write = write_frame,
};
