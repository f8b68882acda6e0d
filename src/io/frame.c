// io/frame.c: frames on their way into a file: whether one has what its format takes, and copies of
// the last, for files that are written at close.
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

gyre_result gy_frame_check(const char *path, const gyre_format *format, const gyre_frame *frame)
{
    uint32_t takes = format->takes;

    if (frame->number < 0)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame with a negative number", path);
    if ((takes & GYRE_TAKES_PICTURE) && frame->rgb == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without a picture", path);
    if ((takes & GYRE_TAKES_FIELDS) && (frame->fields == NULL || frame->field_count < 1))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without fields", path);
    if ((takes & GYRE_TAKES_FIELDS) && format->most_fields > 0 &&
        frame->field_count > format->most_fields)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: an %s holds %d field%s, not %d", path,
                         format->endings[0], format->most_fields,
                         format->most_fields == 1 ? "" : "s", frame->field_count);
    if ((takes & GYRE_TAKES_PARTICLES) && frame->particles == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without particles", path);
    if ((takes & GYRE_TAKES_MESHES) && frame->meshes == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without meshes", path);
    if ((takes & GYRE_TAKES_TABLE) && (frame->row == NULL || frame->row->count < 1))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without a line of a table", path);
    return GYRE_OK;
}

static gyre_result no_memory(const char *path)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for the last frame", path);
}

// Memory of its own with the same bytes, or NULL.
static void *copy_bytes(const void *from, size_t size)
{
    void *to = malloc(size > 0 ? size : 1);

    if (to != NULL && size > 0)
        memcpy(to, from, size);
    return to;
}

static char *copy_text(const char *text)
{
    return copy_bytes(text != NULL ? text : "", strlen(text != NULL ? text : "") + 1);
}

// What a copy holds is its own, so not const.
static void drop(const void *own)
{
    free((void *)(uintptr_t)own);
}

static gyre_result keep_field(const char *path, const gyre_named_view *from, gyre_named_view *to)
{
    gyre_result result = gy_io_check_view(path, &from->view);

    if (result != GYRE_OK)
        return result;
    const gyre_field_view *view = &from->view;
    size_t row = (size_t)view->n[0], rows = (size_t)view->n[1] * (size_t)view->n[2];

    to->name = copy_text(from->name);
    to->view = *view;
    to->view.stride[1] = view->n[0];
    to->view.stride[2] = (ptrdiff_t)view->n[0] * view->n[1];
    to->view.data = malloc(row * rows * sizeof *to->view.data);
    if (to->name == NULL || to->view.data == NULL)
        return no_memory(path);
    float *at = to->view.data;

    for (int k = 0; k < view->n[2]; k++) {
        for (int j = 0; j < view->n[1]; j++, at += row)
            memcpy(at, view->data + j * view->stride[1] + k * view->stride[2], row * sizeof *at);
    }
    return GYRE_OK;
}

static gyre_result keep_fields(const char *path, const gyre_frame *from, gyre_frame *to)
{
    gyre_named_view *fields = calloc((size_t)from->field_count, sizeof *fields);

    to->fields = fields;
    if (fields == NULL)
        return no_memory(path);
    to->field_count = from->field_count;
    for (int f = 0; f < from->field_count; f++) {
        gyre_result result = keep_field(path, from->fields + f, fields + f);

        if (result != GYRE_OK)
            return result;
    }
    return GYRE_OK;
}

static gyre_result keep_set(const char *path, const gyre_named_particles *from,
                            gyre_named_particles *to)
{
    gyre_named_attribute *attributes =
        calloc((size_t)from->attribute_count + 1, sizeof *attributes);

    to->name = copy_text(from->name);
    to->count = from->count;
    to->attributes = attributes;
    if (to->name == NULL || attributes == NULL)
        return no_memory(path);
    to->attribute_count = from->attribute_count;
    for (int a = 0; a < from->attribute_count; a++) {
        const gyre_named_attribute *one = from->attributes + a;
        size_t numbers = (size_t)one->components * (size_t)from->count;

        attributes[a] = *one;
        attributes[a].name = copy_text(one->name);
        attributes[a].data = copy_bytes(one->data, 4 * numbers);
        if (attributes[a].name == NULL || attributes[a].data == NULL)
            return no_memory(path);
    }
    return GYRE_OK;
}

static gyre_result keep_particles(const char *path, const gyre_frame *from, gyre_frame *to)
{
    gyre_named_particles *sets = calloc((size_t)from->particle_count + 1, sizeof *sets);

    to->particles = sets;
    if (sets == NULL)
        return no_memory(path);
    to->particle_count = from->particle_count;
    for (int i = 0; i < from->particle_count; i++) {
        gyre_result result = keep_set(path, from->particles + i, sets + i);

        if (result != GYRE_OK)
            return result;
    }
    return GYRE_OK;
}

static gyre_result keep_meshes(const char *path, const gyre_frame *from, gyre_frame *to)
{
    gyre_mesh *meshes = calloc((size_t)from->mesh_count + 1, sizeof *meshes);

    to->meshes = meshes;
    if (meshes == NULL)
        return no_memory(path);
    to->mesh_count = from->mesh_count;
    for (int i = 0; i < from->mesh_count; i++) {
        const gyre_mesh *one = from->meshes + i;

        meshes[i] = *one;
        meshes[i].points =
            copy_bytes(one->points, 3 * (size_t)one->point_count * sizeof *one->points);
        meshes[i].triangles =
            copy_bytes(one->triangles, 3 * (size_t)one->triangle_count * sizeof *one->triangles);
        if (meshes[i].points == NULL || meshes[i].triangles == NULL)
            return no_memory(path);
    }
    return GYRE_OK;
}

gyre_result gy_frame_keep(const char *path, const gy_shape *shape, uint32_t takes,
                          const gyre_frame *from, gyre_frame *to)
{
    gyre_result result = GYRE_OK;

    *to = (gyre_frame){.time = from->time};
    if (takes & GYRE_TAKES_PICTURE) {
        to->rgb = copy_bytes(from->rgb, 3 * (size_t)shape->width * (size_t)shape->height);
        result = to->rgb != NULL ? GYRE_OK : no_memory(path);
    }
    if (result == GYRE_OK && (takes & GYRE_TAKES_FIELDS))
        result = keep_fields(path, from, to);
    if (result == GYRE_OK && (takes & GYRE_TAKES_PARTICLES))
        result = keep_particles(path, from, to);
    if (result == GYRE_OK && (takes & GYRE_TAKES_MESHES))
        result = keep_meshes(path, from, to);
    return result;
}

void gy_frame_drop(gyre_frame *frame)
{
    for (int f = 0; f < frame->field_count; f++) {
        drop(frame->fields[f].name);
        drop(frame->fields[f].view.data);
    }
    for (int i = 0; i < frame->particle_count; i++) {
        const gyre_named_particles *set = frame->particles + i;

        for (int a = 0; a < set->attribute_count; a++) {
            drop(set->attributes[a].name);
            drop(set->attributes[a].data);
        }
        drop(set->name);
        drop(set->attributes);
    }
    for (int i = 0; i < frame->mesh_count; i++) {
        drop(frame->meshes[i].points);
        drop(frame->meshes[i].triangles);
    }
    drop(frame->rgb);
    drop(frame->fields);
    drop(frame->particles);
    drop(frame->meshes);
    *frame = (gyre_frame){0};
}
