// view/session/scene.c: a session's scene: made, made anew with what has been set since, saved.
#define _POSIX_C_SOURCE 200809L
#include "view/session/inner.h"

#include <stdlib.h>
#include <string.h>

// ---- what stays in force

static void free_entry(session_entry *entry)
{
    free(entry->path);
    free(entry->json);
}

void session_log_clear(session_log *log)
{
    for (int i = 0; i < log->count; i++) {
        free_entry(&log->entries[i]);
    }
    free(log->entries);
    *log = (session_log){0};
}

static void drop_entry(session_log *log, int i)
{
    free_entry(&log->entries[i]);
    memmove(&log->entries[i], &log->entries[i + 1],
            (size_t)(log->count - i - 1) * sizeof log->entries[0]);
    log->count--;
}

static gyre_result append(session_log *log, const char *path, const char *json, bool add,
                          bool fixed)
{
    if (log->count == log->room) {
        int room = log->room ? 2 * log->room : 64;
        session_entry *more = realloc(log->entries, (size_t)room * sizeof *more);
        if (!more) {
            return gyre_fail(GYRE_ERROR_MEMORY, "no memory to note what was set");
        }
        log->entries = more;
        log->room = room;
    }
    session_entry entry = {strdup(path), strdup(json), add, fixed};
    if (!entry.path || !entry.json) {
        free_entry(&entry);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to note what was set");
    }
    log->entries[log->count++] = entry;
    return GYRE_OK;
}

gyre_result session_log_copy(session_log *to, const session_log *from)
{
    session_log_clear(to);
    gyre_result result = GYRE_OK;
    for (int i = 0; i < from->count && result == GYRE_OK; i++) {
        const session_entry *e = &from->entries[i];
        result = append(to, e->path, e->json, e->add, e->fixed);
    }
    return result;
}

// Whether an entry adds the element that `path` ("gas.solids.rock") names.
static bool adds_element(const session_entry *entry, const char *path)
{
    size_t length = strlen(entry->path);
    char name[160];
    if (!entry->add || strncmp(entry->path, path, length) != 0 || path[length] != '.') {
        return false;
    }
    snprintf(name, sizeof name, "\"name\": \"%.140s\"", path + length + 1);
    return strstr(entry->json, name) != NULL;
}

// An element goes: with it what was set on it and, where it came by input, its coming. True: no
// trace is left, so that its going needs no note either.
static bool forget_element(session_log *log, const char *path)
{
    size_t length = strlen(path);
    bool came = false;
    for (int i = log->count - 1; i >= 0; i--) {
        const session_entry *e = &log->entries[i];
        bool adds = adds_element(e, path);
        bool member = strncmp(e->path, path, length) == 0 && e->path[length] == '.';
        if (adds || member) {
            drop_entry(log, i);
        }
        if (adds) {
            came = true;
            break;
        }
    }
    return came;
}

static gyre_result note(session_log *log, const char *path, const char *json)
{
    bool add = json[0] == '{', gone = strcmp(json, "null") == 0;
    if (gone) {
        const char *last = strrchr(path, '.');
        bool numbered = last && last[1] >= '0' && last[1] <= '9';
        if (!numbered && forget_element(log, path)) {
            return GYRE_OK;
        }
        return append(log, path, json, false, true);
    }
    for (int i = log->count - 1; i >= 0 && !add && !log->entries[i].fixed; i--) {
        if (!log->entries[i].add && strcmp(log->entries[i].path, path) == 0) {
            drop_entry(log, i);
            break;
        }
    }
    return append(log, path, json, add, false);
}

gyre_result session_variant_input(session_variant *variant, const char *path, const char *json)
{
    gyre_result result = gyre_scene_input(variant->scene, path, json);
    return result ? result : note(&variant->log, path, json);
}

// ---- the scene

// Room for what a hand adds while the scene runs: much in every list that can grow and costs
// nothing by that alone. Of the others (GYRE_BARE) some in those that the scene has something in,
// whose cost it pays already, and in patches, whose room is as large as walls and changes no bit.
static int room_for(gyre_scene *scene, const gyre_property *p, const char *path)
{
    char first[200];
    gyre_value name;
    if (p->kind != GYRE_POOL || (p->flags & GYRE_FIXED)) {
        return 0;
    }
    int most = p->max > 0 && p->max < SESSION_RESERVE ? (int)p->max : SESSION_RESERVE;
    if (!(p->flags & GYRE_BARE)) {
        return most;
    }
    snprintf(first, sizeof first, "%s.0.name", path);
    bool has = gyre_scene_get(scene, first, &name) == GYRE_OK;
    return has || strcmp(p->name, "patches") == 0 ? SESSION_SOME : 0;
}

static gyre_result reserve(gyre_scene *scene)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < gyre_scene_model_count(scene) && result == GYRE_OK; i++) {
        size_t size;
        const gyre_property *p = gyre_model_type_properties(gyre_scene_model_type(scene, i), &size);
        for (; p && p->kind != GYRE_END && result == GYRE_OK; p++) {
            char path[160];
            snprintf(path, sizeof path, "%s.%s", gyre_scene_model_name(scene, i), p->name);
            int most = room_for(scene, p, path);
            if (most > 0) {
                result = gyre_scene_reserve(scene, path, most);
                // A list that is nearly full already has less room to give.
                for (; result == GYRE_ERROR_ARGUMENT && most > 0; most /= 2) {
                    result = gyre_scene_reserve(scene, path, most / 2);
                }
            }
        }
    }
    return result;
}

gyre_result session_variant_load(session_variant *variant, const view_session_def *def,
                                 gyre_device *device)
{
    gyre_scene *scene = NULL;
    gyre_result result = def->text ? gyre_scene_parse(def->text, def->size, def->scene, &scene)
                                   : gyre_scene_load(def->scene, &scene);
    for (int i = 0; result == GYRE_OK && def->sets && def->sets[i]; i++) {
        result = gyre_scene_assign(scene, def->sets[i]);
    }
    if (result == GYRE_OK && def->allow) {
        result = def->allow(def->context, scene);
    }
    result = result ? result : reserve(scene);
    // The old one goes first: two of them may not fit into memory.
    if (result == GYRE_OK) {
        gyre_scene_destroy(variant->scene);
        variant->scene = NULL;
        result = gyre_scene_create(scene, device);
    }
    for (int i = 0; result == GYRE_OK && i < variant->log.count; i++) {
        result =
            gyre_scene_input(scene, variant->log.entries[i].path, variant->log.entries[i].json);
    }
    if (result) {
        gyre_scene_destroy(scene);
        return result;
    }
    variant->scene = scene;
    return GYRE_OK;
}

// ---- the look

static void value_text(const gyre_value *value, char *text, size_t size)
{
    if (value->kind == GYRE_STRING || value->kind == GYRE_ENUM) {
        snprintf(text, size, "%s", value->string);
        return;
    }
    if (value->kind == GYRE_BOOL) {
        snprintf(text, size, "%s", value->number[0] != 0 ? "true" : "false");
        return;
    }
    size_t used = 0;
    for (int i = 0; i < value->count && used < size; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%.9g", i ? "," : "", value->number[i]);
    }
}

static gyre_result set_section(gyre_scene *scene, const gyre_property *table, const void *def,
                               const char *section)
{
    gyre_result result = GYRE_OK;
    for (const gyre_property *p = table; p->kind != GYRE_END && result == GYRE_OK; p++) {
        gyre_value value, now;
        char path[128], text[320];
        if (gyre_property_read(p, (const char *)def + p->offset, &value)) {
            continue;
        }
        snprintf(path, sizeof path, "%s.%s", section, p->name);
        result = gyre_scene_get(scene, path, &now);
        bool same = result == GYRE_OK && memcmp(value.number, now.number, sizeof now.number) == 0 &&
                    strcmp(value.string, now.string) == 0;
        if (result == GYRE_OK && !same) {
            value_text(&value, text, sizeof text);
            result = gyre_scene_set(scene, path, text);
        }
    }
    return result;
}

gyre_scene_settings session_get_look(const gyre_scene *scene,
                                     gyre_view_channel channels[VIEW_FIELDS])
{
    gyre_scene_settings own = *gyre_scene_get_settings(scene);
    gyre_pool *pool = &own.view.channels;
    pool->count = pool->count < VIEW_FIELDS ? pool->count : VIEW_FIELDS;
    if (pool->count > 0) {
        memcpy(channels, pool->items, (size_t)pool->count * sizeof *channels);
    }
    pool->items = channels;
    return own;
}

// Of scalars that the scene names; it has no room for others.
static gyre_result set_channels(gyre_scene *scene, const gyre_pool *pool)
{
    const gyre_view_channel *channels = pool->items;
    gyre_result result = GYRE_OK;
    for (int i = 0; i < pool->count && result == GYRE_OK; i++) {
        char section[96], shown[104];
        gyre_value value;
        snprintf(section, sizeof section, "view.channels.%s", channels[i].name);
        snprintf(shown, sizeof shown, "%s.shown", section);
        if (gyre_scene_get(scene, shown, &value) == GYRE_OK) {
            result = set_section(scene, gyre_view_channel_properties, &channels[i], section);
        }
    }
    return result;
}

gyre_result session_set_look(gyre_scene *scene, const gyre_scene_settings *look)
{
    gyre_result result = set_section(scene, gyre_camera_properties, &look->camera, "camera");
    if (result == GYRE_OK) {
        result = set_section(scene, gyre_light_properties, &look->light, "light");
    }
    result = result ? result : set_section(scene, gyre_view_properties, &look->view, "view");
    return result ? result : set_channels(scene, &look->view.channels);
}
