// cli/outputs.c: where the frames and the statistics of gyre run go.
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int failed(int status)
{
    return complain(status, "%s", gyre_message());
}

// The ending that its format knows, which may have two dots, else what the last dot begins.
static const char *ending(const char *path)
{
    const gyre_format *format = gyre_format_of(path);
    size_t length = strlen(path);
    for (int k = 0; format && k < 4 && format->endings[k]; k++) {
        size_t size = strlen(format->endings[k]);
        if (length > size && strcasecmp(path + length - size, format->endings[k]) == 0) {
            return path + length - size;
        }
    }
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot : path + strlen(path);
}

static char *insert_before_ending(const char *path, const char *text)
{
    size_t size = strlen(path) + strlen(text) + 1;
    const char *dot = ending(path);
    char *made = malloc(size);
    if (made) {
        snprintf(made, size, "%.*s%s%s", (int)(dot - path), path, text, dot);
    }
    return made;
}

// The first "plume.partN.mp4" that is not there, N from 2.
static char *next_part(const char *path)
{
    for (int part = 2; part < 10000; part++) {
        char text[24];
        snprintf(text, sizeof text, ".part%d", part);
        char *made = insert_before_ending(path, text);
        if (!made || access(made, F_OK) != 0) {
            return made;
        }
        free(made);
    }
    return NULL;
}

// ---- what they may not overwrite

/// A file of the run, by what the user knows it.
typedef struct named_file {
    const char *option; // NULL: `what` says it
    const char *what;
    char *path;
} named_file;

enum { FILES_MOST = 8192 }; // 64 times 64 of fields, and what a scene names

typedef struct file_list {
    int count;
    bool full; // no memory
    named_file items[FILES_MOST];
} file_list;

static void list_file(file_list *list, const char *option, const char *what, const char *path)
{
    char *copy = path && list->count < FILES_MOST ? insert_before_ending(path, "") : NULL;
    if (copy) {
        list->items[list->count++] = (named_file){option, what, copy};
    }
    list->full = list->full || (path && !copy);
}

// The path of what gets a file of its own: a field, or a model's fields.
static char *path_of(const char *path, const char *name)
{
    char text[136];
    snprintf(text, sizeof text, "_%.128s", name);
    return insert_before_ending(path, text);
}

static void list_named(file_list *list, const char *path, const char *name)
{
    char *named = path_of(path, name);
    list_file(list, "--out", NULL, named);
    list->full = list->full || !named;
    free(named);
}

// Once they are created.
static int models_with_particles(const run *r)
{
    int models = gyre_scene_model_count(r->scene), count = 0;
    for (int i = 0; i < models; i++) {
        const gyre_model *model = gyre_scene_model(r->scene, i);
        count += model && gyre_model_particle_sets(model) > 0;
    }
    return count;
}

// Files of the attributes of a model's particles, once the model is created.
static void list_attributes(const run *r, file_list *list, const char *path, int model)
{
    const gyre_model *m = gyre_scene_model(r->scene, model);
    const gyre_particle_info *set =
        m && gyre_model_particle_sets(m) > 0 ? gyre_model_particles(m, 0) : NULL;
    for (int i = 0; set && i < set->attribute_count; i++) {
        size_t size = strlen(path) + strlen(set->attributes[i].name) + 8;
        char *named = malloc(size);
        if (named) {
            snprintf(named, size, "%.*s.%s.npy", (int)(ending(path) - path), path,
                     set->attributes[i].name);
        }
        list_file(list, "--out", NULL, named);
        list->full = list->full || !named;
        free(named);
    }
}

// Files that an --out may become; which, is known once the models are created.
static void list_out(const run *r, file_list *list, const char *path)
{
    const gyre_format *format = gyre_format_of(path);
    int models = gyre_scene_model_count(r->scene), fields = r->a.fields.count;
    bool any = format && (format->takes & GYRE_TAKES_FIELDS), single = any && format->most_fields;
    for (int k = 0; single && fields > 1 && k < fields; k++) {
        list_named(list, path, r->a.fields.items[k]);
    }
    bool points = format && (format->takes & GYRE_TAKES_PARTICLES);
    bool by_model = points && models > 1;
    by_model = by_model || (any && models > 1 && (fields == 0 || (!single && fields > 1)));
    for (int i = 0; by_model && i < models; i++) {
        list_named(list, path, gyre_scene_model_name(r->scene, i));
    }
    int sets = points && format->per_attribute ? models_with_particles(r) : 0;
    for (int i = 0; sets > 0 && i < models; i++) {
        char *named = path_of(path, gyre_scene_model_name(r->scene, i));
        list_attributes(r, list, sets > 1 && named ? named : path, i);
        free(named);
    }
    if (!(single && fields > 1) && !(by_model && fields == 0)) {
        list_file(list, "--out", NULL, path);
    }
}

static void list_outputs(const run *r, file_list *list)
{
    for (int i = 0; i < r->a.outs.count; i++) {
        list_out(r, list, r->a.outs.items[i]);
    }
    list_file(list, "--stats", NULL, r->a.stats);
    list_file(list, "--checkpoint", NULL, r->a.checkpoint);
}

static void list_inputs(const run *r, file_list *list)
{
    bool piped = strcmp(r->scene_path, "-") == 0;
    list_file(list, NULL, "the scene", piped ? NULL : r->scene_path);
    for (int i = 1; gyre_scene_file(r->scene, i); i++) {
        list_file(list, NULL, "an array of the scene", gyre_scene_file(r->scene, i));
    }
    list_file(list, "--replay", NULL, r->a.replay);
    list_file(list, "--resume", NULL, r->a.resume);
}

static bool is_option(const named_file *f, const char *option)
{
    return f->option && strcmp(f->option, option) == 0;
}

int check_outputs(const run *r)
{
    file_list *list = calloc(1, sizeof *list);
    int status = EXIT_OK, outputs = 0;
    if (!list) {
        return complain(EXIT_RUN, "no memory");
    }
    list_outputs(r, list);
    outputs = list->count;
    list_inputs(r, list);
    if (list->full) {
        status = complain(EXIT_RUN, "too many files or no memory");
    }
    for (int i = 0; i < outputs && status == EXIT_OK; i++) {
        for (int k = i + 1; k < list->count && status == EXIT_OK; k++) {
            const named_file *a = &list->items[i], *b = &list->items[k];
            // A run may go on from its own checkpoint.
            bool allowed = is_option(a, "--checkpoint") && is_option(b, "--resume");
            if (!allowed && gyre_paths_overlap(a->path, b->path)) {
                status = complain(EXIT_USAGE, "%s: %s would overwrite %s%s%s", a->option, a->path,
                                  b->option ? b->option : b->what, b->option ? " " : ", ", b->path);
            }
        }
    }
    for (int i = 0; i < list->count; i++) {
        free(list->items[i].path);
    }
    free(list);
    return status;
}

// ---- opening them

static int open_sink(run *r, const char *path, int model, const option_list *fields)
{
    const gyre_scene_settings *s = gyre_scene_get_settings(r->scene);
    const gyre_format *format = gyre_format_of(path);
    bool video = format && format->stream && (format->takes & GYRE_TAKES_PICTURE);
    bool another = format && format->stream && gyre_scene_frame(r->scene) > 0;
    char *named = another ? next_part(path) : insert_before_ending(path, "");
    if (r->sink_count == OPTION_MOST || !named) {
        free(named);
        return complain(EXIT_RUN, "%s: too many outputs or no memory", path);
    }
    if (another && !r->a.quiet) {
        fprintf(stderr, "%s goes on in a second part, %s\n", path, named);
    }
    int i = r->sink_count;
    r->sinks[i].path = named;
    r->sinks[i].model = model;
    r->sinks[i].fields = *fields;
    r->sinks[i].whole = another ? path : NULL;
    r->sink_count++;
    double rate = (double)(s->output.fps > 0 ? s->output.fps : s->time.fps);
    if (video && rate > 240) {
        return complain(
            EXIT_RUN,
            "%s: %g frames per second are more than a video can show: --playback 30 (or "
            "output.fps) makes it slow motion",
            named, rate);
    }
    if (gyre_sink_open(named, s->output.width, s->output.height, rate, &r->sinks[i].sink)) {
        r->sinks[i].sink = NULL;
        return failed(EXIT_RUN);
    }
    r->pictures = r->pictures || (format->takes & GYRE_TAKES_PICTURE);
    return EXIT_OK;
}

// Pictures show the first of the fields that were asked for that they can, unless --set says which.
static int show_field(run *r)
{
    uint32_t takes = 0;
    for (int i = 0; i < r->a.outs.count; i++) {
        gyre_sink_check(r->a.outs.items[i], &takes);
    }
    bool pictures = takes & GYRE_TAKES_PICTURE, files = takes & GYRE_TAKES_FIELDS;
    for (int i = 0; i < r->a.sets.count; i++) {
        pictures = pictures && strncmp(r->a.sets.items[i], "view.field=", 11) != 0;
    }
    for (int i = 0; i < r->a.fields.count && pictures; i++) {
        const char *name = r->a.fields.items[i];
        int model = 0, field = 0, count;
        gyre_scene_field(r->scene, name, &model, &field);
        const gyre_field_info *info = gyre_model_fields(gyre_scene_model(r->scene, model), &count);
        if (info[field].location == GYRE_CENTRE) {
            return gyre_scene_set(r->scene, "view.field", name) ? failed(EXIT_USAGE) : EXIT_OK;
        }
    }
    return pictures && !files && r->a.fields.count > 0
               ? complain(EXIT_USAGE,
                          "--field: %s lies on faces, pictures show fields at the cells' centres",
                          r->a.fields.items[0])
               : EXIT_OK;
}

static int open_named(run *r, const char *path, const char *name, int model,
                      const option_list *fields)
{
    char *named = path_of(path, name);
    int status =
        named ? open_sink(r, named, model, fields) : complain(EXIT_RUN, "%s: no memory", path);
    free(named);
    return status;
}

// A file holds fields of one model, which share a grid: one for each model that has any to write.
static int open_by_model(run *r, const char *path, bool single)
{
    option_list wanted[16] = {{0}};
    int models = gyre_scene_model_count(r->scene), files = 0, status = EXIT_OK;
    bool all = r->a.fields.count == 0;
    for (int k = 0; k < r->a.fields.count; k++) {
        int model = 0;
        gyre_scene_field(r->scene, r->a.fields.items[k], &model, NULL);
        wanted[model].items[wanted[model].count++] = r->a.fields.items[k];
    }
    for (int i = 0; i < models; i++) {
        if (single && all) {
            wanted[i] = (option_list){1, {gyre_scene_main_field(r->scene, i)}};
        }
        files += all || wanted[i].count > 0;
    }
    for (int i = 0; i < models && status == EXIT_OK; i++) {
        if (!all && wanted[i].count == 0) {
            continue;
        }
        status = files == 1
                     ? open_sink(r, path, i, &wanted[i])
                     : open_named(r, path, gyre_scene_model_name(r->scene, i), i, &wanted[i]);
    }
    return status;
}

// A file holds one set of particles: one for each model that has any.
static int open_particles(run *r, const char *path)
{
    const option_list none = {0};
    int models = gyre_scene_model_count(r->scene), files = models_with_particles(r);
    int status = EXIT_OK;
    if (files == 0) {
        return complain(EXIT_USAGE,
                        "--out %s: no model has particles; a gas has tracers, water has dust where "
                        "their capacity is above 0",
                        path);
    }
    for (int i = 0; i < models && status == EXIT_OK; i++) {
        if (gyre_model_particle_sets(gyre_scene_model(r->scene, i)) > 0) {
            status = files == 1 ? open_sink(r, path, i, &none)
                                : open_named(r, path, gyre_scene_model_name(r->scene, i), i, &none);
        }
    }
    return status;
}

static int open_out(run *r, const char *path)
{
    const gyre_format *format = gyre_format_of(path);
    const option_list none = {0};
    int fields = r->a.fields.count, status = EXIT_OK;
    if (format->takes & GYRE_TAKES_PARTICLES) {
        return open_particles(r, path);
    }
    if (!(format->takes & GYRE_TAKES_FIELDS)) {
        return open_sink(r, path, 0, &none);
    }
    if (format->most_fields != 1 || fields < 2) {
        return open_by_model(r, path, format->most_fields == 1);
    }
    for (int k = 0; k < fields && status == EXIT_OK; k++) {
        option_list one = {1, {r->a.fields.items[k]}};
        int model = 0;
        gyre_scene_field(r->scene, one.items[0], &model, NULL);
        status = open_named(r, path, one.items[0], model, &one);
    }
    return status;
}

int open_sinks(run *r)
{
    for (int i = 0; i < r->a.fields.count; i++) {
        if (gyre_scene_field(r->scene, r->a.fields.items[i], NULL, NULL)) {
            return complain(EXIT_USAGE, "--field: %s", gyre_message());
        }
    }
    int status = show_field(r);
    // What attributes particles have is known now.
    status = status ? status : check_outputs(r);
    for (int i = 0; i < r->a.outs.count && status == EXIT_OK; i++) {
        status = open_out(r, r->a.outs.items[i]);
    }
    const gyre_scene_settings *s = gyre_scene_get_settings(r->scene);
    if (status == EXIT_OK && r->pictures &&
        gyre_image_create(s->output.width, s->output.height, &r->image)) {
        return failed(EXIT_RUN);
    }
    return status;
}

int open_stats(run *r)
{
    if (!r->a.stats) {
        return EXIT_OK;
    }
    bool another = gyre_scene_frame(r->scene) > 0;
    r->stats_path = another ? next_part(r->a.stats) : insert_before_ending(r->a.stats, "");
    if (!r->stats_path) {
        return complain(EXIT_RUN, "%s: no memory", r->a.stats);
    }
    if (another && !r->a.quiet) {
        fprintf(stderr, "%s goes on in a second part, %s\n", r->a.stats, r->stats_path);
    }
    if (gyre_stats_open(r->stats_path, r->scene, &r->stats)) {
        return failed(EXIT_RUN);
    }
    return EXIT_OK;
}

static int write_sink(run *r, int i, gyre_frame *frame)
{
    gyre_sink *sink = r->sinks[i].sink;
    gyre_fields *fields = NULL;
    gyre_result result = GYRE_OK;
    uint32_t takes = gyre_sink_format(sink)->takes;
    frame->rgb = (takes & GYRE_TAKES_PICTURE) ? r->image.rgb : NULL;
    frame->fields = NULL;
    frame->field_count = 0;
    if (takes & GYRE_TAKES_FIELDS) {
        const option_list *names = &r->sinks[i].fields;
        result = gyre_fields_open(r->scene, r->sinks[i].model, names->count ? names->items : NULL,
                                  names->count, &fields);
        frame->fields = result ? NULL : gyre_fields_views(fields, &frame->field_count);
    }
    gyre_particle_sets *sets = NULL;
    frame->particles = NULL;
    frame->particle_count = 0;
    if (!result && (takes & GYRE_TAKES_PARTICLES)) {
        result = gyre_particle_sets_open(r->scene, r->sinks[i].model, &sets);
        frame->particles = result ? NULL : gyre_particle_sets_views(sets, &frame->particle_count);
    }
    gyre_mesh *meshes = NULL;
    frame->mesh_count = 0;
    if (!result && (takes & GYRE_TAKES_MESHES)) {
        result = take_meshes(r->scene, &meshes, &frame->mesh_count);
    }
    frame->meshes = meshes;
    result = result ? result : gyre_sink_write(sink, frame);
    gyre_particle_sets_close(sets);
    drop_meshes(meshes, frame->mesh_count);
    int status = result ? failed(EXIT_RUN) : EXIT_OK;
    gyre_fields_close(fields);
    if (status) {
        gyre_sink_abort(sink);
        r->sinks[i].sink = NULL;
    }
    return status;
}

static bool takes_picture(const run *r, int i)
{
    return gyre_sink_format(r->sinks[i].sink)->takes & GYRE_TAKES_PICTURE;
}

static bool belongs(const run *r, int i, run_share share)
{
    bool last = gyre_sink_keeps_last(r->sinks[i].sink);
    return share == SHARE_ALL || last == (share == SHARE_LAST);
}

// On the drawer's thread: the picture to all sinks of pictures.
static gyre_result write_pictures(void *context)
{
    run *r = context;
    for (int i = 0; i < r->sink_count; i++) {
        bool is = takes_picture(r, i) && belongs(r, i, r->share);
        gyre_result result = is ? gyre_sink_write(r->sinks[i].sink, &r->drawn) : GYRE_OK;
        if (result) {
            r->broken = i;
            return result;
        }
    }
    return GYRE_OK;
}

// What a picture has failed with, said as if it had been drawn where it was asked for.
static int picture_failed(run *r)
{
    int status = failed(EXIT_RUN);
    if (r->broken >= 0) {
        gyre_sink_abort(r->sinks[r->broken].sink);
        r->sinks[r->broken].sink = NULL;
        r->broken = -1;
    }
    return status;
}

int finish_frame(run *r)
{
    return r->drawer && gyre_drawer_wait(r->drawer) ? picture_failed(r) : EXIT_OK;
}

int write_frame(run *r, run_share share)
{
    gyre_frame frame = {.number = gyre_scene_frame(r->scene) - 1,
                        .time = gyre_scene_seconds(r->scene)};
    bool draws = false;
    r->behind = false;
    for (int i = 0; i < r->sink_count; i++) {
        draws = draws || (takes_picture(r, i) && belongs(r, i, share));
        r->behind = r->behind || !(belongs(r, i, share) || share == SHARE_LAST);
    }
    bool apart = r->drawer && draws;
    if (apart) {
        int status = finish_frame(r);
        if (status) {
            return status;
        }
        r->drawn = frame;
        r->drawn.rgb = r->image.rgb;
        r->broken = -1;
        r->share = share;
        if (gyre_drawer_begin(r->drawer, r->scene, &r->image, write_pictures, r)) {
            return failed(EXIT_RUN);
        }
    } else if (draws && gyre_scene_render(r->scene, &r->image)) {
        return failed(EXIT_RUN);
    }
    int status = EXIT_OK;
    for (int i = 0; i < r->sink_count && status == EXIT_OK; i++) {
        bool writes = belongs(r, i, share) && !(apart && takes_picture(r, i));
        status = writes ? write_sink(r, i, &frame) : EXIT_OK;
    }
    return status;
}

// The parts that are there, in order, up to the one that was written last; the caller frees them.
static int list_parts(const char *whole, const char *last, char **parts)
{
    int count = 0;
    for (int part = 1; part <= OPTION_MOST; part++) {
        char text[24];
        snprintf(text, sizeof text, ".part%d", part);
        char *name = insert_before_ending(whole, part > 1 ? text : "");
        bool there = name && access(name, F_OK) == 0, end = name && strcmp(name, last) == 0;
        if (there) {
            parts[count++] = name;
        } else {
            free(name);
        }
        if (end || (part > 1 && !there)) {
            break;
        }
    }
    return count;
}

// A video that went on in another part becomes one again; where it does not, the parts stay.
static void join_parts(run *r, int i)
{
    const char *whole = r->sinks[i].whole, *last = r->sinks[i].path;
    char *parts[OPTION_MOST];
    int count = list_parts(whole, last, parts);
    // Without a frame there is no part.
    bool there = count > 0 && strcmp(parts[count - 1], last) == 0;
    gyre_result result = GYRE_OK;
    if (there) {
        result = r->reshaped
                     ? gyre_fail(GYRE_ERROR_STATE, "pictures are of another size or rate now")
                     : gyre_video_join((const char *const *)parts, count, whole,
                                       gyre_scene_frame(r->scene));
    }
    if (result) {
        fprintf(stderr, "%s is not joined with what was before: %s\n", last, gyre_message());
    }
    for (int k = 0; k < count; k++) {
        if (there && !result && strcmp(parts[k], whole) != 0) {
            remove(parts[k]);
        }
        free(parts[k]);
    }
    char *named = there && !result ? insert_before_ending(whole, "") : NULL;
    if (named) {
        free(r->sinks[i].path);
        r->sinks[i].path = named;
    }
}

int close_all(run *r, int status)
{
    int last = finish_frame(r);
    status = status ? status : last;
    for (int i = 0; i < r->sink_count; i++) {
        bool open = r->sinks[i].sink;
        if (open && gyre_sink_close(r->sinks[i].sink)) {
            status = failed(EXIT_RUN);
            open = false;
        }
        r->sinks[i].sink = NULL;
        if (open && r->sinks[i].whole && status == EXIT_OK) {
            join_parts(r, i);
        }
    }
    if (r->stats && gyre_stats_close(r->stats)) {
        status = failed(EXIT_RUN);
    }
    r->stats = NULL;
    return status;
}
