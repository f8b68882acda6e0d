// io/sink.c: where a run's frames go, by the table of formats.
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

struct gyre_sink {
    char *path;
    const gy_format *format;
    gy_shape shape;
    bool sequence; // the path has a place for the frame's number
    bool failed;
    void *stream;    // of a format that is one
    bool kept;       // a last frame, for close where the path has no place for a number
    gyre_frame last; // its copy
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

static gyre_result classify(const char *path, const gy_format **format, bool *sequence)
{
    ptrdiff_t begin, end;
    int places = -1;

    *sequence = false;
    *format = gy_format_find(path);
    if (*format == NULL)
        return GYRE_ERROR_ARGUMENT;
    if ((*format)->about.stream)
        return GYRE_OK;
    gyre_result result = parse_pattern(path, &begin, &end, &places);

    *sequence = places >= 0;
    return result;
}

bool gy_io_number(const char *path, ptrdiff_t *begin, ptrdiff_t *end, int *places)
{
    const gy_format *format;
    bool sequence;

    return classify(path, &format, &sequence) == GYRE_OK && sequence &&
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

gyre_result gyre_sink_check(const char *path, uint32_t *takes)
{
    if (GY_MISSING("sink_check", path))
        return GYRE_ERROR_ARGUMENT;
    const gy_format *format;
    bool sequence;
    gyre_result result = classify(path, &format, &sequence);

    if (result == GYRE_OK && takes != NULL)
        *takes |= format->about.takes;
    return result;
}

static void free_sink(gyre_sink *sink)
{
    gy_frame_drop(&sink->last);
    free(sink->path);
    free(sink);
}

// Before the first frame: what a file is refused for, so that a long run does not fail at its end.
static gyre_result begin(gyre_sink *sink)
{
    if (sink->format->about.stream)
        return sink->format->open(sink->path, &sink->shape, &sink->stream);
    gyre_result result =
        sink->format->check != NULL ? sink->format->check(sink->path, &sink->shape) : GYRE_OK;
    char *path = result == GYRE_OK ? frame_path(sink, 0) : NULL;

    if (result == GYRE_OK)
        result = path != NULL ? gy_io_check_folder(path) : GYRE_ERROR_MEMORY;
    free(path);
    return result;
}

static gyre_result open_as(const char *path, const gy_format *format, bool sequence, gy_shape shape,
                           gyre_sink **sink)
{
    gyre_sink *made = calloc(1, sizeof *made);
    size_t length = strlen(path) + 1;

    if (made != NULL)
        made->path = malloc(length);
    if (made == NULL || made->path == NULL) {
        free(made);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for an output", path);
    }
    memcpy(made->path, path, length);
    made->format = format;
    made->sequence = sequence;
    made->shape = shape;
    gyre_result result = begin(made);

    if (result != GYRE_OK)
        free_sink(made);
    else
        *sink = made;
    return result;
}

gyre_result gyre_sink_open(const char *path, int width, int height, double fps, gyre_sink **sink)
{
    if (GY_MISSING("sink_open", path) || GY_MISSING("sink_open", sink))
        return GYRE_ERROR_ARGUMENT;
    const gy_format *format;
    bool sequence;
    gyre_result result = classify(path, &format, &sequence);

    if (result != GYRE_OK)
        return result;
    return open_as(path, format, sequence, (gy_shape){width, height, fps}, sink);
}

gyre_result gy_sink_open_table(const char *path, gyre_sink **sink)
{
    const gy_format *format = gy_format_find(path);

    if (format == NULL || !format->about.stream || !(format->about.takes & GYRE_TAKES_TABLE))
        format = &gy_format_csv;
    return open_as(path, format, false, (gy_shape){0}, sink);
}

const char *gyre_sink_path(const gyre_sink *sink)
{
    if (GY_MISSING("sink_path", sink))
        return NULL;
    return sink->path;
}

const gyre_format *gyre_sink_format(const gyre_sink *sink)
{
    if (GY_MISSING("sink_format", sink))
        return NULL;
    return &sink->format->about;
}

bool gyre_sink_keeps_last(const gyre_sink *sink)
{
    return !GY_MISSING("sink_keeps_last", sink) && !sink->sequence && !sink->format->about.stream;
}

static gyre_result write_file(const gyre_sink *sink, const gyre_frame *frame)
{
    char *path = frame_path(sink, frame->number);
    gyre_result result =
        path != NULL ? sink->format->write(path, &sink->shape, frame) : GYRE_ERROR_MEMORY;

    free(path);
    return result;
}

static gyre_result keep(gyre_sink *sink, const gyre_frame *frame)
{
    gy_frame_drop(&sink->last);
    gyre_result result =
        gy_frame_keep(sink->path, &sink->shape, sink->format->about.takes, frame, &sink->last);

    sink->kept = result == GYRE_OK;
    return result;
}

gyre_result gyre_sink_write(gyre_sink *sink, const gyre_frame *frame)
{
    if (GY_MISSING("sink_write", sink) || GY_MISSING("sink_write", frame))
        return GYRE_ERROR_ARGUMENT;
    if (sink->failed)
        return gyre_fail(GYRE_ERROR_STATE, "%s: the output has failed before", sink->path);
    gyre_result result = gy_frame_check(sink->path, &sink->format->about, frame);

    if (result != GYRE_OK)
        return result;
    if (sink->format->about.stream)
        result = sink->format->put(sink->stream, frame);
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

    if (sink->format->about.stream)
        result = sink->format->close(sink->stream);
    else if (sink->failed)
        result = gyre_fail(GYRE_ERROR_FILE, "%s: the output has failed before", sink->path);
    else if (sink->kept)
        result = write_file(sink, &sink->last);
    free_sink(sink);
    return result;
}

void gyre_sink_abort(gyre_sink *sink)
{
    if (sink == NULL)
        return;
    if (sink->format->about.stream)
        sink->format->abort(sink->stream);
    free_sink(sink);
}
