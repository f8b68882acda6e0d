// io/vti.c: VTK's XML image format with raw appended data.
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
//
// The grid's cells are the image's cells: an extent of n counts n + 1 points, and fields are cell
// data. Each appended array is its size in bytes (UInt64) and its numbers, little-endian.
#include "io/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 63 };

typedef struct vti_writer {
    gy_io_file *file;
    const char *path;
    const gyre_grid *grid;
    float *row;           // components * n[0]
    unsigned char *bytes; // of a row
} vti_writer;

// Puts the samples of a field, averaged to the centres of row (j, k), into every
// `components`-th float of `row`.
static void centre_row(const gyre_field_view *view, const gyre_grid *grid, int j, int k, float *row,
                       int components)
{
    ptrdiff_t to[8] = {0};
    int corners = 1;

    for (int axis = 0; axis < grid->dim; axis++) {
        if (view->location == GYRE_NODE || (int)view->location == (int)GYRE_FACE_X + axis) {
            for (int i = 0; i < corners; i++)
                to[corners + i] = to[i] + view->stride[axis];
            corners *= 2;
        }
    }
    const float *from = view->data + j * view->stride[1] + k * view->stride[2];
    float weight = 1.0f / (float)corners;

    for (int i = 0; i < grid->n[0]; i++) {
        float sum = 0.0f;

        for (int c = 0; c < corners; c++)
            sum += from[i + to[c]];
        row[i * components] = sum * weight;
    }
}

// One array: `views` holds a field per component; NULL ones stay 0.
static gyre_result write_array(vti_writer *writer, const gyre_field_view *const *views,
                               int components)
{
    const int *n = writer->grid->n;
    size_t row = (size_t)n[0] * (size_t)components;
    uint64_t size = 4 * (uint64_t)row * (uint64_t)n[1] * (uint64_t)n[2];
    unsigned char head[8];

    for (int i = 0; i < 8; i++)
        head[i] = (unsigned char)(size >> (8 * i));
    gyre_result result = gy_io_write(writer->file, head, sizeof head);

    memset(writer->row, 0, row * sizeof *writer->row);
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1] && result == GYRE_OK; j++) {
            for (int c = 0; c < components; c++) {
                if (views[c] != NULL)
                    centre_row(views[c], writer->grid, j, k, writer->row + c, components);
            }
            gy_io_pack(writer->row, row, writer->bytes);
            result = gy_io_write(writer->file, writer->bytes, 4 * row);
        }
    }
    return result;
}

static gyre_result print(const vti_writer *writer, const char *format, ...) GYRE_PRINTF(2, 3);

static gyre_result print(const vti_writer *writer, const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);

    va_end(list);
    if (length < 0 || length >= (int)sizeof text)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a line that is too long", writer->path);
    return gy_io_write(writer->file, text, (size_t)length);
}

static gyre_result check_fields(const char *path, const gyre_named_view *fields, int count)
{
    if (fields == NULL || count < 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no fields to write", path);
    gyre_result result = gyre_grid_check(&fields[0].view.grid);

    for (int f = 0; f < count && result == GYRE_OK; f++) {
        const gyre_named_view *field = fields + f;
        size_t length = field->name != NULL ? strlen(field->name) : 0;
        int n[3];

        if (length == 0 || length > NAME_LIMIT || strpbrk(field->name, "<>&\"'\n") != NULL)
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a field without a fit name", path);
        result = gy_io_check_view(path, &field->view);
        if (result != GYRE_OK)
            break;
        gyre_grid_samples(&fields[0].view.grid, field->view.location, n);
        if (memcmp(n, field->view.n, sizeof n) != 0)
            result = gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the field \"%s\" is of another grid", path,
                               field->name);
    }
    return result;
}

// The component of a vector: the field whose name is as long as `first` and differs from it in the
// last letter alone, which is that of the axis.
static const gyre_named_view *component(const gyre_named_view *fields, int count, const char *first,
                                        int axis)
{
    size_t length = strlen(first);

    for (int f = 0; f < count; f++) {
        if (strlen(fields[f].name) == length && strncmp(fields[f].name, first, length - 1) == 0 &&
            fields[f].name[length - 1] == "xyz"[axis])
            return fields + f;
    }
    return NULL;
}

// Whether a field is part of a vector of which all components are there: its axis, else -1.
// `parts` gets them.
static int vector_axis(const gyre_named_view *fields, int count, int dim, int field,
                       const gyre_field_view *parts[3])
{
    const char *name = fields[field].name;
    size_t length = strlen(name);
    const char *letter =
        length > 2 && name[length - 2] == '_' ? strchr("xyz", name[length - 1]) : NULL;

    parts[2] = NULL;
    if (letter == NULL)
        return -1;
    for (int axis = 0; axis < dim; axis++) {
        const gyre_named_view *part = component(fields, count, name, axis);

        if (part == NULL)
            return -1;
        parts[axis] = &part->view;
    }
    return *letter - 'x' < dim ? *letter - 'x' : -1;
}

static gyre_result write_head(const vti_writer *writer, double time)
{
    const gyre_grid *grid = writer->grid;
    int depth = grid->dim == 3 ? grid->n[2] : 0;
    gyre_result result = print(writer, "<?xml version=\"1.0\"?>\n"
                                       "<VTKFile type=\"ImageData\" version=\"1.0\" "
                                       "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n");
    if (result == GYRE_OK)
        result =
            print(writer,
                  "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.9g %.9g %.9g\" "
                  "Spacing=\"%.9g %.9g %.9g\">\n",
                  grid->n[0], grid->n[1], depth, (double)grid->origin[0], (double)grid->origin[1],
                  (double)grid->origin[2], (double)grid->h, (double)grid->h, (double)grid->h);
    if (result == GYRE_OK)
        result = print(writer,
                       "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
                       "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray></FieldData>\n"
                       "<Piece Extent=\"0 %d 0 %d 0 %d\">\n<CellData>\n",
                       time, grid->n[0], grid->n[1], depth);
    return result;
}

// Names and offsets in the first pass, the numbers in the second: both must meet the arrays in the
// same order, so one walk does both.
static gyre_result write_arrays(vti_writer *writer, const gyre_named_view *fields, int count,
                                bool numbers)
{
    const int *n = writer->grid->n;
    uint64_t offset = 0, cells = (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2];
    gyre_result result = GYRE_OK;

    for (int f = 0; f < count && result == GYRE_OK; f++) {
        const gyre_field_view *parts[3];
        const char *name = fields[f].name;
        int axis = vector_axis(fields, count, writer->grid->dim, f, parts);
        int components = axis < 0 ? 1 : 3, length = (int)strlen(name) - (axis < 0 ? 0 : 2);

        if (axis > 0)
            continue; // stands with the first
        if (axis < 0)
            parts[0] = &fields[f].view;
        if (numbers)
            result = write_array(writer, parts, components);
        else
            result = print(writer,
                           "<DataArray type=\"Float32\" Name=\"%.*s\"%s format=\"appended\" "
                           "offset=\"%llu\"/>\n",
                           length, name, axis < 0 ? "" : " NumberOfComponents=\"3\"",
                           (unsigned long long)offset);
        offset += 8 + 4 * (uint64_t)components * cells;
    }
    return result;
}

gyre_result gyre_vti_write(const char *path, const gyre_named_view *fields, int count, double time)
{
    if (GY_MISSING("vti_write", path) || GY_MISSING("vti_write", fields))
        return GYRE_ERROR_ARGUMENT;
    gyre_result result = check_fields(path, fields, count);

    if (result == GYRE_OK && !isfinite(time))
        result = gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a time that is not finite", path);
    if (result != GYRE_OK)
        return result;
    vti_writer writer = {.path = path, .grid = &fields[0].view.grid};
    size_t row = 3 * (size_t)writer.grid->n[0];

    writer.row = malloc(row * sizeof *writer.row);
    writer.bytes = malloc(4 * row);
    if (writer.row == NULL || writer.bytes == NULL)
        result = gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a row", path);
    else
        result = gy_io_create(path, &writer.file);
    if (result == GYRE_OK) {
        result = write_head(&writer, time);
        if (result == GYRE_OK)
            result = write_arrays(&writer, fields, count, false);
        if (result == GYRE_OK)
            result = print(&writer, "</CellData>\n</Piece>\n</ImageData>\n"
                                    "<AppendedData encoding=\"raw\">\n_");
        if (result == GYRE_OK)
            result = write_arrays(&writer, fields, count, true);
        if (result == GYRE_OK)
            result = print(&writer, "\n</AppendedData>\n</VTKFile>\n");
        if (result == GYRE_OK)
            result = gy_io_commit(writer.file);
        else
            gy_io_discard(writer.file);
    }
    free(writer.row);
    free(writer.bytes);
    return result;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    (void)shape;
    return gyre_vti_write(path, frame->fields, frame->field_count, frame->time);
}

const gy_format gy_format_vti = {
    .about = {.name = "volume",
              .doc = "fields, for ParaView and VTK",
              .endings = {".vti"},
              .takes = GYRE_TAKES_FIELDS},
    .write = write_frame,
};
