// scene/stats.c: the models' statistics as a table, by their tables.
#include "io/format.h"
#include "scene/scene.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/// An element whose columns stand in every line, empty while it is not there.
typedef struct column {
    int model;
    const gyre_property *pool;
    char name[64]; // "dora"; "0" for one without a name
    gyre_id id;    // of one without a name, else 0
} column;

/// A line of the table on its way: cells behind one another, each closed by a 0.
typedef struct line {
    char *text;
    size_t size, room;
    int count, most; // cells, and those that `at` has room for
    const char **at;
} line;

struct gyre_stats_file {
    const gyre_scene *scene;
    gyre_sink *sink;
    line names, cells;
    column *columns;
    int count, room;
    int64_t lines; // written
};

static gyre_result put(line *l, const char *format, ...) GYRE_PRINTF(2, 3);

// Adds a cell.
static gyre_result put(line *l, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = strlen(text) + 1;
    if (l->size + size > l->room) {
        size_t room = 2 * (l->size + size);
        char *more = realloc(l->text, room);
        if (!more) {
            return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a line of statistics");
        }
        l->text = more;
        l->room = room;
    }
    memcpy(l->text + l->size, text, size);
    l->size += size;
    l->count++;
    return GYRE_OK;
}

// The cells one by one, until more are added.
static const char *const *cells_of(line *l)
{
    if (l->count > l->most) {
        const char **more = realloc((void *)(uintptr_t)l->at, (size_t)l->count * sizeof *l->at);
        if (!more) {
            (void)gyre_fail(GYRE_ERROR_MEMORY, "no memory for a line of statistics");
            return NULL;
        }
        l->at = more;
        l->most = l->count;
    }
    const char *cell = l->text;
    for (int i = 0; i < l->count; i++, cell += strlen(cell) + 1) {
        l->at[i] = cell;
    }
    return l->at;
}

static void free_line(line *l)
{
    free(l->text);
    free((void *)(uintptr_t)l->at);
}

static void free_stats(gyre_stats_file *f)
{
    free_line(&f->names);
    free_line(&f->cells);
    free(f->columns);
    free(f);
}

static gyre_result write_line(gyre_stats_file *f, bool names)
{
    gyre_row row = {cells_of(&f->names), names ? NULL : cells_of(&f->cells), f->names.count};
    gyre_frame frame = {.row = &row, .number = f->lines};
    if (!row.names || (!names && !row.cells)) {
        return GYRE_ERROR_MEMORY;
    }
    f->lines += names ? 0 : 1;
    return gyre_sink_write(f->sink, &frame);
}

// ---- elements that there is something to tell of

static const gyre_property *name_of(const gyre_property *pool)
{
    const gyre_property *name = pool->properties;
    while (name->kind != GYRE_END && !(name->flags & GYRE_NAME)) {
        name++;
    }
    return name->kind == GYRE_END ? NULL : name;
}

// One column each, however often an element of that name comes.
static gyre_result add_column(gyre_stats_file *f, int model, const gyre_property *pool,
                              const void *element, int index)
{
    column c = {.model = model, .pool = pool};
    const gyre_property *name = name_of(pool);
    snprintf(c.name, sizeof c.name, "%.63s", name ? (const char *)element + name->offset : "");
    if (!c.name[0] && index < 0) {
        return GYRE_OK; // one that comes without a name
    }
    if (!c.name[0]) {
        snprintf(c.name, sizeof c.name, "%d", index);
        c.id = gyre_model_element(f->scene->models[model].model, pool->name, index);
    }
    for (int i = 0; i < f->count; i++) {
        if (f->columns[i].model == model && f->columns[i].pool == pool &&
            strcmp(f->columns[i].name, c.name) == 0) {
            return GYRE_OK;
        }
    }
    if (!gy_scene_grow(f->scene, (void **)&f->columns, f->count, &f->room, sizeof c)) {
        return GYRE_ERROR_MEMORY;
    }
    f->columns[f->count++] = c;
    return GYRE_OK;
}

// Those that a timeline brings in.
static gyre_result add_coming(gyre_stats_file *f, int own, const gy_timeline *t,
                              const gyre_property *pool)
{
    gyre_result result = GYRE_OK;
    for (int k = 0; k < t->count && result == GYRE_OK; k++) {
        const gyre_property *into;
        const char *element;
        int model;
        if (t->keys[k].change == GY_ADD &&
            gy_scene_pool(f->scene, t->keys[k].path, &model, &into, &element) && model == own &&
            into == pool) {
            result = add_column(f, own, pool, t->keys[k].element, -1);
        }
    }
    return result;
}

// What the scene begins with, then what comes, then what was put in besides: the same columns
// whether a run begins or goes on.
static gyre_result find_columns(gyre_stats_file *f, int model)
{
    const gy_scene_model *m = &f->scene->models[model];
    const char *defs[2] = {m->def, gyre_model_def(m->model)};
    gyre_result result = GYRE_OK;
    for (const gyre_property *p = m->properties; p->kind != GYRE_END; p++) {
        bool told = p->kind == GYRE_POOL && gyre_model_report_table(m->model, p->name);
        for (int d = 0; d < 2 && told && result == GYRE_OK; d++) {
            const gyre_pool *list = (const void *)(defs[d] + p->offset);
            for (int i = 0; i < list->count && result == GYRE_OK; i++) {
                result =
                    add_column(f, model, p, (const char *)list->items + (size_t)i * p->size, i);
            }
            if (d == 0 && result == GYRE_OK) {
                result = add_coming(f, model, &f->scene->timeline, p);
            }
            if (d == 0 && result == GYRE_OK) {
                result = add_coming(f, model, &f->scene->replay, p);
            }
        }
    }
    return result;
}

static gyre_result put_column_names(gyre_stats_file *f, int model, const char *before)
{
    static const char *const axes[4] = {"_x", "_y", "_z", "_w"};
    gyre_result result = GYRE_OK;
    for (int i = 0; i < f->count; i++) {
        const column *c = &f->columns[i];
        const gyre_model *m = f->scene->models[model].model;
        const gyre_property *p = gyre_model_report_table(m, c->pool->name);
        for (; c->model == model && p->kind != GYRE_END; p++) {
            for (int a = 0; a < p->count && result == GYRE_OK; a++) {
                result = put(&f->names, "%s%s.%s.%s%s", before, c->pool->name, c->name, p->name,
                             p->count > 1 ? axes[a] : "");
            }
        }
    }
    return result;
}

static gyre_result put_columns(gyre_stats_file *f, int own)
{
    gyre_result result = GYRE_OK;
    const gyre_model *model = f->scene->models[own].model;
    for (int i = 0; i < f->count; i++) {
        const column *c = &f->columns[i];
        if (c->model != own) {
            continue;
        }
        const gyre_pool *list =
            (const void *)((const char *)gyre_model_def(model) + c->pool->offset);
        int index = c->id ? -1 : gy_pool_find(c->pool, list, c->name);
        gyre_id id = index < 0 ? c->id : gyre_model_element(model, c->pool->name, index);
        const void *report = NULL;
        const gyre_property *p = gyre_model_report_table(model, c->pool->name);
        if (id && !gyre_model_report(model, id, &report)) {
            report = NULL; // it is not there now
        }
        for (; p->kind != GYRE_END; p++) {
            const float *at =
                report ? (const void *)((const char *)report + p->offset) : (const void *)NULL;
            for (int a = 0; a < p->count && result == GYRE_OK; a++) {
                result = at ? put(&f->cells, "%.9g", (double)at[a]) : put(&f->cells, "%s", "");
            }
        }
    }
    return result;
}

// What the names of a model's columns begin with.
static void prefix(const gyre_scene *scene, int model, char *text, size_t size)
{
    bool several = scene->model_count > 1;
    snprintf(text, size, "%s%s", several ? scene->models[model].name : "", several ? "." : "");
}

static gyre_result put_names(gyre_stats_file *f, int model)
{
    const gyre_model *m = f->scene->models[model].model;
    const void *stats;
    char before[80];
    gyre_result result = GYRE_OK;
    prefix(f->scene, model, before, sizeof before);
    for (const gyre_property *p = gyre_model_stats(m, &stats);
         p->kind != GYRE_END && result == GYRE_OK; p++) {
        result = put(&f->names, "%s%s", before, p->name);
    }
    int count;
    const gyre_field_info *fields = gyre_model_fields(m, &count);
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        result = fields[i].total ? put(&f->names, "%stotal_%s", before, fields[i].name) : GYRE_OK;
    }
    return result ? result : put_column_names(f, model, before);
}

static gyre_result put_header(gyre_stats_file *f)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < f->scene->model_count && result == GYRE_OK; i++) {
        result = find_columns(f, i);
        result = result ? result : put_names(f, i);
    }
    result = result ? result : put(&f->names, "hash");
    return result ? result : put(&f->names, "ms");
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
    gyre_result result = put_header(f);
    result = result ? result : gy_sink_open_table(path, &f->sink);
    result = result ? result : write_line(f, true);
    if (result) {
        gyre_stats_abort(f);
        return result;
    }
    *file = f;
    return GYRE_OK;
}

static gyre_result put_value(line *l, const gyre_property *p, const char *at)
{
    switch (p->kind) {
    case GYRE_INT64:
        return put(l, "%lld", (long long)*(const int64_t *)(const void *)at);
    case GYRE_INT:
        return put(l, "%d", (int)*(const int32_t *)(const void *)at);
    case GYRE_ENUM:
        return put(l, "%s", p->names[*(const int32_t *)(const void *)at]);
    case GYRE_FLOAT:
        return put(l, "%.9g", (double)*(const float *)(const void *)at);
    case GYRE_DOUBLE:
        return put(l, "%.17g", *(const double *)(const void *)at);
    default:
        return put(l, "%s", "");
    }
}

static gyre_result put_model(gyre_stats_file *f, int i)
{
    gyre_model *model = f->scene->models[i].model;
    const void *stats;
    gyre_result result = GYRE_OK;
    for (const gyre_property *p = gyre_model_stats(model, &stats);
         p->kind != GYRE_END && result == GYRE_OK; p++) {
        result = put_value(&f->cells, p, (const char *)stats + p->offset);
    }
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int k = 0; k < count && result == GYRE_OK; k++) {
        result = fields[k].total ? put(&f->cells, "%.17g", gyre_model_total(model, k)) : GYRE_OK;
    }
    return result ? result : put_columns(f, i);
}

gyre_result gyre_stats_write(gyre_stats_file *f, double ms)
{
    if (GY_MISSING("stats_write", f)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result result = GYRE_OK;
    f->cells.size = 0;
    f->cells.count = 0;
    for (int i = 0; i < f->scene->model_count && result == GYRE_OK; i++) {
        result = put_model(f, i);
    }
    result =
        result ? result : put(&f->cells, "%016llx", (unsigned long long)gyre_scene_hash(f->scene));
    result = result ? result : put(&f->cells, "%.3f", ms);
    return result ? result : write_line(f, false);
}

gyre_result gyre_stats_close(gyre_stats_file *f)
{
    if (!f) {
        return GYRE_OK;
    }
    gyre_result result = gyre_sink_close(f->sink);
    free_stats(f);
    return result;
}

void gyre_stats_abort(gyre_stats_file *f)
{
    if (f) {
        gyre_sink_abort(f->sink);
        free_stats(f);
    }
}
