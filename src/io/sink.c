// io/sink.c: where a run's frames go, chosen by the path's ending.
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

typedef enum sink_kind { SINK_VIDEO, SINK_PNG, SINK_NPY, SINK_VTI } sink_kind;

static const struct {
    const char *ending;
    sink_kind kind;
} endings[] = {{".mp4", SINK_VIDEO}, {".webm", SINK_VIDEO}, {".gif", SINK_VIDEO},
               {".png", SINK_PNG},   {".npy", SINK_NPY},    {".vti", SINK_VTI}};

struct gyre_sink {
    char *path;
    sink_kind kind;
    bool sequence; // the path has a place for the frame's number
    bool failed;
    int width, height;
    gyre_video *video;
    // The last frame, kept for close where the path has no place for a number.
    bool kept;
    double time;
    uint8_t *rgb;
    gyre_named_view *fields;
    int field_count;
};

// Finds the one %d or %0Nd of a path. *places: -1 when there is none, else N (0 for %d).
static gyre_result parse_pattern(const char *path, ptrdiff_t *begin, ptrdiff_t *end, int *places)
{
    *places = -1;
    for (const char *at = path; (at = strchr(at, '%')) != NULL;) {
        const char *start = at++;
        int digits = 0;

        if (*at == '0' && at[1] >= '1' && at[1] <= '9') {
            digits = at[1] - '0';
            at += 2;
        }
        if (*at != 'd' || *places >= 0)
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: a path takes one %%d or %%0Nd for the frame's number, N from 1 "
                             "to 9, and no other %%",
                             path);
        at++;
        *begin = start - path;
        *end = at - path;
        *places = digits;
    }
    return GYRE_OK;
}

static gyre_result classify(const char *path, sink_kind *kind, bool *sequence)
{
    ptrdiff_t begin, end;
    int places;

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (!gy_io_ends(path, endings[i].ending))
            continue;
        *kind = endings[i].kind;
        *sequence = false;
        if (*kind == SINK_VIDEO)
            return GYRE_OK;
        gyre_result result = parse_pattern(path, &begin, &end, &places);

        *sequence = places >= 0;
        return result;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: unknown ending; " GY_IO_ENDINGS, path);
}

bool gy_io_number(const char *path, ptrdiff_t *begin, ptrdiff_t *end, int *places)
{
    sink_kind kind;
    bool sequence;

    return classify(path, &kind, &sequence) == GYRE_OK && sequence &&
           parse_pattern(path, begin, end, places) == GYRE_OK;
}

// The name of one frame's file; the caller frees it.
static char *frame_path(const gyre_sink *sink, int64_t number)
{
    size_t size = strlen(sink->path) + 32;
    char *path = malloc(size);
    ptrdiff_t begin = 0, end = 0;
    int places = -1;

    if (path == NULL) {
        (void)gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a file name", sink->path);
        return NULL;
    }
    if (sink->sequence)
        (void)parse_pattern(sink->path, &begin, &end, &places);
    if (places < 0)
        snprintf(path, size, "%s", sink->path);
    else
        snprintf(path, size, "%.*s%0*lld%s", (int)begin, sink->path, places > 0 ? places : 1,
                 (long long)number, sink->path + end);
    return path;
}

gyre_result gyre_sink_check(const char *path, bool *pictures, bool *fields)
{
    if (GY_MISSING("sink_check", path))
        return GYRE_ERROR_ARGUMENT;
    sink_kind kind;
    bool sequence;
    gyre_result result = classify(path, &kind, &sequence);

    if (result != GYRE_OK)
        return result;
    if (pictures != NULL)
        *pictures = *pictures || kind == SINK_VIDEO || kind == SINK_PNG;
    if (fields != NULL)
        *fields = *fields || kind == SINK_NPY || kind == SINK_VTI;
    return GYRE_OK;
}

static void drop_fields(gyre_sink *sink)
{
    for (int f = 0; f < sink->field_count; f++) {
        free((void *)(uintptr_t)sink->fields[f].name);
        free(sink->fields[f].view.data);
    }
    free(sink->fields);
    sink->fields = NULL;
    sink->field_count = 0;
}

static void free_sink(gyre_sink *sink)
{
    drop_fields(sink);
    free(sink->rgb);
    free(sink->path);
    free(sink);
}

static gyre_result check_writable(const gyre_sink *sink)
{
    char *path = frame_path(sink, 0);

    if (path == NULL)
        return GYRE_ERROR_MEMORY;
    gyre_result result = gy_io_check_folder(path);

    free(path);
    return result;
}

gyre_result gyre_sink_open(const char *path, int width, int height, double fps, gyre_sink **sink)
{
    if (GY_MISSING("sink_open", path) || GY_MISSING("sink_open", sink))
        return GYRE_ERROR_ARGUMENT;
    sink_kind kind;
    bool sequence;
    gyre_result result = classify(path, &kind, &sequence);

    if (result != GYRE_OK)
        return result;
    if (kind == SINK_PNG && (width < 1 || height < 1 || width > 8192 || height > 8192))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels", path, width,
                         height);
    gyre_sink *made = calloc(1, sizeof *made);
    size_t length = strlen(path) + 1;

    if (made != NULL)
        made->path = malloc(length);
    if (made == NULL || made->path == NULL) {
        free(made);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for an output", path);
    }
    memcpy(made->path, path, length);
    made->kind = kind;
    made->sequence = sequence;
    made->width = width;
    made->height = height;
    result = kind == SINK_VIDEO ? gyre_video_open(path, width, height, fps, &made->video)
                                : check_writable(made);
    if (result != GYRE_OK) {
        free_sink(made);
        return result;
    }
    *sink = made;
    return GYRE_OK;
}

const char *gyre_sink_path(const gyre_sink *sink)
{
    if (GY_MISSING("sink_path", sink))
        return NULL;
    return sink->path;
}

bool gyre_sink_wants_picture(const gyre_sink *sink)
{
    if (GY_MISSING("sink_wants_picture", sink))
        return false;
    return sink->kind == SINK_VIDEO || sink->kind == SINK_PNG;
}

bool gyre_sink_wants_fields(const gyre_sink *sink)
{
    if (GY_MISSING("sink_wants_fields", sink))
        return false;
    return !gyre_sink_wants_picture(sink);
}

static gyre_result write_file(const gyre_sink *sink, const gyre_frame *frame)
{
    gyre_result result = GYRE_ERROR_MEMORY;
    char *path = frame_path(sink, frame->number);

    if (path == NULL)
        return result;
    if (sink->kind == SINK_PNG)
        result = gyre_png_write(path, sink->width, sink->height, 3, frame->rgb);
    else if (sink->kind == SINK_NPY)
        result = gyre_npy_write(path, &frame->fields[0].view);
    else
        result = gyre_vti_write(path, frame->fields, frame->field_count, frame->time);
    free(path);
    return result;
}

// A packed copy of a field.
static gyre_result keep_field(const gyre_sink *sink, const gyre_named_view *from,
                              gyre_named_view *to)
{
    gyre_result result = gy_io_check_view(sink->path, &from->view);

    if (result != GYRE_OK)
        return result;
    const gyre_field_view *view = &from->view;
    size_t row = (size_t)view->n[0], rows = (size_t)view->n[1] * (size_t)view->n[2];
    size_t length = strlen(from->name != NULL ? from->name : "") + 1;
    char *name = malloc(length);

    to->view = *view;
    to->view.stride[1] = view->n[0];
    to->view.stride[2] = (ptrdiff_t)view->n[0] * view->n[1];
    to->view.data = malloc(row * rows * sizeof *to->view.data);
    to->name = name;
    if (name == NULL || to->view.data == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for the last frame", sink->path);
    memcpy(name, from->name != NULL ? from->name : "", length);
    float *at = to->view.data;

    for (int k = 0; k < view->n[2]; k++) {
        for (int j = 0; j < view->n[1]; j++, at += row)
            memcpy(at, view->data + j * view->stride[1] + k * view->stride[2], row * sizeof *at);
    }
    return GYRE_OK;
}

static gyre_result keep(gyre_sink *sink, const gyre_frame *frame)
{
    sink->time = frame->time;
    if (sink->kind == SINK_PNG) {
        size_t size = 3 * (size_t)sink->width * (size_t)sink->height;

        if (sink->rgb == NULL)
            sink->rgb = malloc(size);
        if (sink->rgb == NULL)
            return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for the last frame", sink->path);
        memcpy(sink->rgb, frame->rgb, size);
        sink->kept = true;
        return GYRE_OK;
    }
    drop_fields(sink);
    sink->fields = calloc((size_t)frame->field_count, sizeof *sink->fields);
    if (sink->fields == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for the last frame", sink->path);
    sink->field_count = frame->field_count;
    for (int f = 0; f < frame->field_count; f++) {
        gyre_result result = keep_field(sink, frame->fields + f, sink->fields + f);

        if (result != GYRE_OK)
            return result;
    }
    sink->kept = true;
    return GYRE_OK;
}

gyre_result gyre_sink_write(gyre_sink *sink, const gyre_frame *frame)
{
    if (GY_MISSING("sink_write", sink) || GY_MISSING("sink_write", frame))
        return GYRE_ERROR_ARGUMENT;
    if (sink->failed)
        return gyre_fail(GYRE_ERROR_STATE, "%s: the output has failed before", sink->path);
    if (frame->number < 0)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame with a negative number", sink->path);
    if (gyre_sink_wants_picture(sink) && frame->rgb == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without a picture", sink->path);
    if (gyre_sink_wants_fields(sink) && (frame->fields == NULL || frame->field_count < 1))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a frame without fields", sink->path);
    if (sink->kind == SINK_NPY && frame->field_count != 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: an .npy holds one field, not %d", sink->path,
                         frame->field_count);
    gyre_result result;

    if (sink->kind == SINK_VIDEO)
        result = gyre_video_write(sink->video, frame->rgb);
    else
        result = sink->sequence ? write_file(sink, frame) : keep(sink, frame);
    sink->failed = result != GYRE_OK;
    return result;
}

gyre_result gyre_sink_close(gyre_sink *sink)
{
    if (sink == NULL)
        return GYRE_OK;
    gyre_result result = GYRE_OK;

    if (sink->kind == SINK_VIDEO) {
        result = gyre_video_close(sink->video);
    } else if (sink->failed) {
        result = gyre_fail(GYRE_ERROR_FILE, "%s: the output has failed before", sink->path);
    } else if (sink->kept) {
        gyre_frame last = {.time = sink->time,
                           .rgb = sink->rgb,
                           .fields = sink->fields,
                           .field_count = sink->field_count};

        result = write_file(sink, &last);
    }
    free_sink(sink);
    return result;
}

void gyre_sink_abort(gyre_sink *sink)
{
    if (sink == NULL)
        return;
    gyre_video_abort(sink->video);
    free_sink(sink);
}
