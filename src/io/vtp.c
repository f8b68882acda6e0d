// io/vtp.c: particles as VTK's XML poly data, a vertex each, with raw appended data.
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
//
// Each appended array is its size in bytes (UInt64) and its numbers, little-endian: the attributes
// in their order, then the vertices: their points, 0 and on, and where each ends, 1 and on (Int64).
#include "io/points.h"

#include <math.h>

static gyre_result write_head(gy_io_file *file, const gyre_named_particles *set, double time)
{
    gyre_result result = gy_points_print(
        file, "<?xml version=\"1.0\"?>\n"
              "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
              "header_type=\"UInt64\">\n<PolyData>\n");

    if (result == GYRE_OK)
        result = gy_points_print(
            file,
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray></FieldData>\n<Piece NumberOfPoints=\"%lld\" "
            "NumberOfVerts=\"%lld\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n",
            time, (long long)set->count, (long long)set->count);
    return result;
}

static gyre_result write_array_line(gy_io_file *file, const gyre_named_attribute *a,
                                    uint64_t offset)
{
    return gy_points_print(file,
                           "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                           "format=\"appended\" offset=\"%llu\"/>\n",
                           a->whole ? "Int32" : "Float32", a->name, a->components,
                           (unsigned long long)offset);
}

static uint64_t bytes_of(const gyre_named_particles *set, int i)
{
    return 4 * (uint64_t)set->count * (uint64_t)set->attributes[i].components;
}

static gyre_result write_lines(gy_io_file *file, const gyre_named_particles *set)
{
    uint64_t offset = 8 + bytes_of(set, 0), vertices = 8 + 8 * (uint64_t)set->count;
    gyre_result result = gy_points_print(file, "<Points>\n");

    if (result == GYRE_OK)
        result = write_array_line(file, &set->attributes[0], 0);
    if (result == GYRE_OK)
        result = gy_points_print(file, "</Points>\n<PointData>\n");
    for (int i = 1; i < set->attribute_count && result == GYRE_OK; i++) {
        result = write_array_line(file, &set->attributes[i], offset);
        offset += 8 + bytes_of(set, i);
    }
    if (result == GYRE_OK)
        result = gy_points_print(
            file,
            "</PointData>\n<Verts>\n<DataArray type=\"Int64\" Name=\"connectivity\" "
            "format=\"appended\" offset=\"%llu\"/>\n<DataArray type=\"Int64\" Name=\"offsets\" "
            "format=\"appended\" offset=\"%llu\"/>\n</Verts>\n",
            (unsigned long long)offset, (unsigned long long)(offset + vertices));
    return result == GYRE_OK ? gy_points_print(file, "</Piece>\n</PolyData>\n"
                                                     "<AppendedData encoding=\"raw\">\n_")
                             : result;
}

static void pack_long(uint64_t number, unsigned char *bytes)
{
    for (int b = 0; b < 8; b++)
        bytes[b] = (unsigned char)(number >> (8 * b));
}

static gyre_result write_size(gy_io_file *file, uint64_t size)
{
    unsigned char bytes[8];

    pack_long(size, bytes);
    return gy_io_write(file, bytes, sizeof bytes);
}

/// first, first + 1, ...
static gyre_result write_counting(gy_io_file *file, int64_t first, int64_t count)
{
    unsigned char bytes[8 * 512];
    gyre_result result = write_size(file, 8 * (uint64_t)count);

    for (int64_t i = 0; i < count && result == GYRE_OK;) {
        size_t used = 0;

        for (; used < sizeof bytes && i < count; used += 8, i++)
            pack_long((uint64_t)(first + i), bytes + used);
        result = gy_io_write(file, bytes, used);
    }
    return result;
}

static gyre_result write_numbers(gy_io_file *file, const gyre_named_particles *set)
{
    gyre_result result = GYRE_OK;

    for (int i = 0; i < set->attribute_count && result == GYRE_OK; i++) {
        result = write_size(file, bytes_of(set, i));
        if (result == GYRE_OK)
            result = gy_points_write(file, set, &set->attributes[i]);
    }
    if (result == GYRE_OK)
        result = write_counting(file, 0, set->count);
    if (result == GYRE_OK)
        result = write_counting(file, 1, set->count);
    return result == GYRE_OK ? gy_points_print(file, "\n</AppendedData>\n</VTKFile>\n") : result;
}

static gyre_result write_all(gy_io_file *file, const gyre_named_particles *set, double time)
{
    gyre_result result = write_head(file, set, time);

    if (result == GYRE_OK)
        result = write_lines(file, set);
    return result == GYRE_OK ? write_numbers(file, set) : result;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    const gyre_named_particles *set = NULL;
    gyre_result result = gy_points_of(path, frame, &set);

    (void)shape;
    if (result == GYRE_OK && !isfinite(frame->time))
        result = gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a time that is not finite", path);
    return result == GYRE_OK ? gy_points_file(path, set, frame->time, write_all) : result;
}

const gy_format gy_format_vtp = {
    .about = {.name = "vertices",
              .doc = "particles, for ParaView and VTK",
              .endings = {".vtp"},
              .takes = GYRE_TAKES_PARTICLES},
    .write = write_frame,
};
