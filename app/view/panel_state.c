// view/panel_state.c: the properties as they are now, read on the session's thread between two
// steps, so that the panel never waits for one.
#include "view/app.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const gyre_scene *scene;
    const view_panel *panel;
    panel_state *state;
    int model;
} reader;

static panel_item *add_item(reader *r, panel_kind kind, const gyre_property *p, const char *path,
                            const char *label)
{
    panel_state *s = r->state;
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 256;
        panel_item *more = realloc(s->items, (size_t)room * sizeof *more);
        if (!more) {
            return NULL;
        }
        s->items = more;
        s->room = room;
    }
    panel_item *item = &s->items[s->count++];
    *item = (panel_item){.kind = (int)kind, .property = p};
    snprintf(item->path, sizeof item->path, "%s", path);
    snprintf(item->label, sizeof item->label, "%s", label);
    return item;
}

bool panel_is_open(const view_panel *panel, const char *path)
{
    for (int i = 0; i < panel->open_count; i++) {
        if (strcmp(panel->open[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static void read_table(reader *r, const gyre_property *table, const char *path, bool fixed);

static void read_leaf(reader *r, const gyre_property *p, const char *path, bool fixed)
{
    panel_item *item = add_item(r, PANEL_LEAF, p, path, p->name);
    if (item) {
        item->named = (p->flags & GYRE_NAME) != 0;
        item->fixed = fixed || (p->flags & (GYRE_FIXED | GYRE_NAME));
        item->readable =
            p->kind != GYRE_VOLUME && gyre_scene_get(r->scene, path, &item->value) == GYRE_OK;
    }
}

static bool is_leaf(const gyre_property *p)
{
    return p->kind != GYRE_STRUCT && p->kind != GYRE_UNION && p->kind != GYRE_POOL;
}

// Which alternative a union holds, told by which of them can be read; -1: none.
static int alternative(const reader *r, const gyre_property *p, const char *path)
{
    for (int i = 0; p->properties[i].kind != GYRE_END; i++) {
        const gyre_property *members = p->properties[i].properties;
        for (; members && members->kind != GYRE_END; members++) {
            char inner[256];
            gyre_value value;
            snprintf(inner, sizeof inner, "%.190s.%.30s.%.30s", path, p->properties[i].name,
                     members->name);
            if (is_leaf(members) && members->kind != GYRE_VOLUME) {
                if (gyre_scene_get(r->scene, inner, &value) == GYRE_OK) {
                    return i;
                }
                break;
            }
        }
    }
    return -1;
}

static void read_union(reader *r, const gyre_property *p, const char *path, bool fixed)
{
    int i = alternative(r, p, path);
    if (i < 0) {
        return;
    }
    char label[80], inner[192];
    const gyre_property *chosen = &p->properties[i];
    snprintf(label, sizeof label, "%s: %s", p->name, chosen->name);
    snprintf(inner, sizeof inner, "%.150s.%.30s", path, chosen->name);
    add_item(r, PANEL_GROUP, p, inner, label);
    read_table(r, chosen->properties, inner, fixed);
    add_item(r, PANEL_END, NULL, "", "");
}

static const gyre_property *name_property(const gyre_property *table)
{
    for (; table && table->kind != GYRE_END; table++) {
        if (table->flags & GYRE_NAME) {
            return table;
        }
    }
    return NULL;
}

static bool can_read_first(const reader *r, const gyre_property *pool, const char *path)
{
    for (const gyre_property *p = pool->properties; p->kind != GYRE_END; p++) {
        if (is_leaf(p) && p->kind != GYRE_VOLUME) {
            char inner[256];
            gyre_value value;
            snprintf(inner, sizeof inner, "%.190s.%.40s", path, p->name);
            return gyre_scene_get(r->scene, inner, &value) == GYRE_OK;
        }
    }
    return false;
}

static void read_pool(reader *r, const gyre_property *p, const char *path, bool fixed)
{
    fixed = fixed || (p->flags & GYRE_FIXED);
    panel_item *item = add_item(r, PANEL_POOL, p, path, p->name);
    if (item) {
        item->fixed = fixed;
    }
    const gyre_property *named = name_property(p->properties);
    for (int i = 0;; i++) {
        char element[192], name_path[256];
        gyre_value name = {0};
        snprintf(element, sizeof element, "%.170s.%d", path, i);
        if (!can_read_first(r, p, element)) {
            break;
        }
        if (named) {
            snprintf(name_path, sizeof name_path, "%.190s.%.40s", element, named->name);
            if (gyre_scene_get(r->scene, name_path, &name) == GYRE_OK && name.string[0]) {
                snprintf(element, sizeof element, "%.120s.%.60s", path, name.string);
            }
        }
        char label[48];
        snprintf(label, sizeof label, "%d", i);
        item = add_item(r, PANEL_ELEMENT, p, element, name.string[0] ? name.string : label);
        if (item) {
            item->fixed = fixed;
        }
        if (panel_is_open(r->panel, element)) {
            read_table(r, p->properties, element, fixed);
        }
        add_item(r, PANEL_END, NULL, "", "");
    }
    add_item(r, PANEL_END, NULL, "", "");
}

static void read_table(reader *r, const gyre_property *table, const char *path, bool fixed)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        char inner[192];
        bool held = fixed || (p->flags & GYRE_FIXED);
        snprintf(inner, sizeof inner, "%.140s.%.50s", path, p->name);
        if (p->kind == GYRE_STRUCT) {
            add_item(r, PANEL_GROUP, p, inner, p->name);
            read_table(r, p->properties, inner, held);
            add_item(r, PANEL_END, NULL, "", "");
        } else if (p->kind == GYRE_UNION) {
            read_union(r, p, inner, held);
        } else if (p->kind == GYRE_POOL) {
            read_pool(r, p, inner, held);
        } else {
            read_leaf(r, p, inner, held);
        }
    }
}

static void read_stats(panel_state *state, const gyre_scene *scene)
{
    const void *stats;
    const gyre_property *p = gyre_model_stats(gyre_scene_model(scene, 0), &stats);
    state->stat_count = 0;
    for (; p && p->kind != GYRE_END && state->stat_count < STATS_MOST; p++) {
        panel_stat *s = &state->stats[state->stat_count];
        s->property = p;
        if (is_leaf(p) &&
            gyre_property_read(p, (const char *)stats + p->offset, &s->value) == GYRE_OK) {
            state->stat_count++;
        }
    }
}

// On the session's thread.
static void look(void *argument, const gyre_scene *scene)
{
    view_panel *panel = argument;
    SDL_LockMutex(panel->mutex);
    panel->next.count = 0;
    for (int i = 0; scene && i < gyre_scene_model_count(scene); i++) {
        size_t size;
        reader r = {scene, panel, &panel->next, i};
        const char *name = gyre_scene_model_name(scene, i);
        add_item(&r, PANEL_GROUP, NULL, name, name);
        read_table(&r, gyre_model_type_properties(gyre_scene_model_type(scene, i), &size), name,
                   false);
        add_item(&r, PANEL_END, NULL, "", "");
    }
    if (scene && panel->wants_stats) {
        read_stats(&panel->next, scene);
    }
    panel->ready = true;
    SDL_UnlockMutex(panel->mutex);
}

void panel_ask(view_app *app)
{
    view_panel *p = &app->panel;
    if (!p->asked && app->now - p->asked_at > 0.15 && app->session) {
        p->wants_stats = p->stats_open;
        p->asked = view_session_observe(app->session, p->variant, look, p);
        p->asked_at = app->now;
    }
}

void panel_take(view_app *app)
{
    view_panel *p = &app->panel;
    SDL_LockMutex(p->mutex);
    if (p->ready) {
        panel_state spare = p->shown;
        p->shown = p->next;
        p->next = spare;
        p->ready = p->asked = false;
        memcpy(p->next.stats, p->shown.stats, sizeof p->next.stats);
        p->next.stat_count = p->shown.stat_count;
    }
    SDL_UnlockMutex(p->mutex);
}
