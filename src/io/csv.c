// io/csv.c: tables of numbers as text: the names of the columns, then a line each, by commas.
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

typedef struct csv_stream {
    char *path;
    gy_io_file *file;
    uint64_t size, whole; // bytes that were written, and of those in whole lines
    int columns;          // 0: nothing was written yet
    bool failed;
} csv_stream;

static void free_stream(csv_stream *csv)
{
    free(csv->path);
    free(csv);
}

static gyre_result open_stream(const char *path, const gy_shape *shape, void **stream)
{
    (void)shape;
    csv_stream *csv = calloc(1, sizeof *csv);
    size_t length = strlen(path) + 1;

    if (csv != NULL)
        csv->path = malloc(length);
    if (csv == NULL || csv->path == NULL) {
        free(csv);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a table", path);
    }
    memcpy(csv->path, path, length);
    gyre_result result = gy_io_create(path, &csv->file);

    if (result != GYRE_OK)
        free_stream(csv);
    else
        *stream = csv;
    return result;
}

static gyre_result put_line(csv_stream *csv, const char *const *cells, int count)
{
    gyre_result result = GYRE_OK;

    for (int i = 0; i < count && result == GYRE_OK; i++) {
        size_t length = strlen(cells[i]);

        result = gy_io_write(csv->file, cells[i], length);
        if (result == GYRE_OK)
            result = gy_io_write(csv->file, i < count - 1 ? "," : "\n", 1);
        csv->size += length + 1;
    }
    csv->failed = result != GYRE_OK;
    if (!csv->failed)
        csv->whole = csv->size;
    return result;
}

static gyre_result put_frame(void *stream, const gyre_frame *frame)
{
    csv_stream *csv = stream;
    const gyre_row *row = frame->row;
    gyre_result result = GYRE_OK;

    if (csv->columns != 0 && csv->columns != row->count)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a line of %d columns among those of %d",
                         csv->path, row->count, csv->columns);
    if (csv->columns == 0)
        result = put_line(csv, row->names, row->count);
    csv->columns = row->count;
    if (result == GYRE_OK && row->cells != NULL)
        result = put_line(csv, row->cells, row->count);
    return result;
}

// What was written before a disk was full is kept, but for a line that is cut.
static gyre_result close_stream(void *stream)
{
    csv_stream *csv = stream;
    gyre_result result = csv->failed ? gy_io_cut(csv->file, csv->whole) : GYRE_OK;

    if (result != GYRE_OK || csv->columns == 0)
        gy_io_discard(csv->file);
    else
        result = gy_io_commit(csv->file);
    free_stream(csv);
    return result;
}

static void abort_stream(void *stream)
{
    csv_stream *csv = stream;

    gy_io_discard(csv->file);
    free_stream(csv);
}

const gy_format gy_format_csv = {
    .about = {.name = "table",
              .doc = "a table of numbers, a line at a time",
              .endings = {".csv"},
              .takes = GYRE_TAKES_TABLE,
              .stream = true},
    .open = open_stream,
    .put = put_frame,
    .close = close_stream,
    .abort = abort_stream,
};
