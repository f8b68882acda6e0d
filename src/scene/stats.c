// scene/stats.c: a model's statistics as a CSV file, by its tables.
#include "io/system.h"
#include "scene/scene.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct gyre_stats_file {
    gy_io_file *file;
    const gyre_scene *scene;
    gyre_model *model;
    uint64_t size, whole; // bytes that were written, and of those in whole lines
    bool failed;
};

static gyre_result put(gyre_stats_file *f, const char *format, ...) GYRE_PRINTF(2, 3);

static gyre_result put(gyre_stats_file *f, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gyre_result result = gy_io_write(f->file, text, strlen(text));
    f->size += result ? 0 : strlen(text);
    f->failed = f->failed || result;
    return result;
}

static gyre_result put_header(gyre_stats_file *f)
{
    const void *stats;
    gyre_result result = GYRE_OK;
    for (const gyre_property *p = gyre_model_stats(f->model, &stats);
         p->kind != GYRE_END && result == GYRE_OK; p++) {
        result = put(f, "%s,", p->name);
    }
    int count;
    const gyre_field_info *fields = gyre_model_fields(f->model, &count);
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        result = fields[i].total ? put(f, "total_%s,", fields[i].name) : GYRE_OK;
    }
    return result ? result : put(f, "hash,ms\n");
}

gyre_result gyre_stats_open(const char *path, const gyre_scene *scene, gyre_stats_file **file)
{
    if (GY_MISSING("stats_open", path) || GY_MISSING("stats_open", scene) ||
        GY_MISSING("stats_open", file)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    gyre_stats_file *f = calloc(1, sizeof *f);
    if (!f) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory", path);
    }
    f->scene = scene;
    f->model = scene->models[0].model;
    gyre_result result = gy_io_create(path, &f->file);
    if (result) {
        free(f);
        return result;
    }
    result = put_header(f);
    f->whole = f->size;
    if (result) {
        gyre_stats_abort(f);
        return result;
    }
    *file = f;
    return GYRE_OK;
}

static gyre_result put_value(gyre_stats_file *f, const gyre_property *p, const char *at)
{
    switch (p->kind) {
    case GYRE_INT64:
        return put(f, "%lld,", (long long)*(const int64_t *)(const void *)at);
    case GYRE_INT:
        return put(f, "%d,", (int)*(const int32_t *)(const void *)at);
    case GYRE_ENUM:
        return put(f, "%s,", p->names[*(const int32_t *)(const void *)at]);
    case GYRE_FLOAT:
        return put(f, "%.9g,", (double)*(const float *)(const void *)at);
    case GYRE_DOUBLE:
        return put(f, "%.17g,", *(const double *)(const void *)at);
    default:
        return put(f, ",");
    }
}

gyre_result gyre_stats_write(gyre_stats_file *f, double ms)
{
    if (GY_MISSING("stats_write", f)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const void *stats;
    gyre_result result =
        f->failed ? gyre_fail(GYRE_ERROR_STATE, "the statistics have failed before") : GYRE_OK;
    for (const gyre_property *p = gyre_model_stats(f->model, &stats);
         p->kind != GYRE_END && result == GYRE_OK; p++) {
        result = put_value(f, p, (const char *)stats + p->offset);
    }
    int count;
    const gyre_field_info *fields = gyre_model_fields(f->model, &count);
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        result = fields[i].total ? put(f, "%.17g,", gyre_model_total(f->model, i)) : GYRE_OK;
    }
    result = result ? result
                    : put(f, "%016llx,%.3f\n", (unsigned long long)gyre_scene_hash(f->scene), ms);
    f->whole = result ? f->whole : f->size;
    return result;
}

gyre_result gyre_stats_close(gyre_stats_file *f)
{
    if (!f) {
        return GYRE_OK;
    }
    // What was written before a disk was full is kept, but for a line that is cut.
    gyre_result result = f->failed ? gy_io_cut(f->file, f->whole) : GYRE_OK;
    if (result) {
        gy_io_discard(f->file);
    } else {
        result = gy_io_commit(f->file);
    }
    free(f);
    return result;
}

void gyre_stats_abort(gyre_stats_file *f)
{
    if (f) {
        gy_io_discard(f->file);
        free(f);
    }
}
