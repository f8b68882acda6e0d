// view/panel/state.c: the properties as they are now, read on the session's thread between two
// steps, so that the panel never waits for one.
#include "view/app.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const view_panel *panel;
    panel_state *state;
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

static void read_table(reader *r, const gyre_property *table, const char *def, const char *path,
                       bool fixed);

static bool is_leaf(const gyre_property *p)
{
    return p->kind != GYRE_STRUCT && p->kind != GYRE_UNION && p->kind != GYRE_POOL;
}

static void read_leaf(reader *r, const gyre_property *p, const void *at, const char *path,
                      bool fixed)
{
    panel_item *item = add_item(r, PANEL_LEAF, p, path, p->name);
    if (item) {
        item->named = (p->flags & GYRE_NAME) != 0;
        item->fixed = fixed || (p->flags & (GYRE_FIXED | GYRE_NAME));
        item->readable =
            p->kind != GYRE_VOLUME && gyre_property_read(p, at, &item->value) == GYRE_OK;
    }
}

static void read_union(reader *r, const gyre_property *p, const char *at, const char *path,
                       bool fixed)
{
    char label[80], inner[192];
    const gyre_property *chosen = &p->properties[*(const int32_t *)(const void *)at];
    snprintf(label, sizeof label, "%s: %s", p->name, chosen->name);
    snprintf(inner, sizeof inner, "%.150s.%.30s", path, chosen->name);
    add_item(r, PANEL_GROUP, p, inner, label);
    read_table(r, chosen->properties, at + chosen->offset, inner, fixed);
    add_item(r, PANEL_END, NULL, "", "");
}

// The name by which paths call an element; its number where it has none.
static void element_name(const gyre_property *pool, const char *element, int i, char *name,
                         size_t size)
{
    snprintf(name, size, "%d", i);
    for (const gyre_property *p = pool->properties; p->kind != GYRE_END; p++) {
        if ((p->flags & GYRE_NAME) && element[p->offset]) {
            snprintf(name, size, "%s", element + p->offset);
        }
    }
}

static void read_pool(reader *r, const gyre_property *p, const char *at, const char *path,
                      bool fixed)
{
    const gyre_pool *pool = (const gyre_pool *)(const void *)at;
    panel_item *item = add_item(r, PANEL_POOL, p, path, p->name);
    if (item) {
        item->fixed = fixed;
    }
    for (int i = 0; i < pool->count; i++) {
        const char *element = (const char *)pool->items + (size_t)i * p->size;
        char inner[192], name[48];
        element_name(p, element, i, name, sizeof name);
        snprintf(inner, sizeof inner, "%.140s.%s", path, name);
        item = add_item(r, PANEL_ELEMENT, p, inner, name);
        if (item) {
            item->fixed = fixed;
        }
        if (panel_is_open(r->panel, inner)) {
            read_table(r, p->properties, element, inner, fixed);
        }
        add_item(r, PANEL_END, NULL, "", "");
    }
    add_item(r, PANEL_END, NULL, "", "");
}

static void read_amounts(reader *r, const gyre_property *p, const char *at, const char *path,
                         bool fixed)
{
    const gyre_amount *list = (const gyre_amount *)(const void *)at;
    size_t room = p->size / sizeof *list;
    add_item(r, PANEL_GROUP, p, path, p->name);
    for (size_t i = 0; i < room && list[i].name[0]; i++) {
        char inner[192];
        snprintf(inner, sizeof inner, "%.140s.%.31s", path, list[i].name);
        panel_item *item = add_item(r, PANEL_LEAF, p->properties, inner, list[i].name);
        if (item) {
            item->fixed = fixed;
            item->readable = gyre_property_read(p->properties, &list[i].amount, &item->value) == 0;
        }
    }
    add_item(r, PANEL_END, NULL, "", "");
}

static void read_table(reader *r, const gyre_property *table, const char *def, const char *path,
                       bool fixed)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        char inner[192];
        const char *at = def + p->offset;
        bool held = fixed || (p->flags & GYRE_FIXED);
        snprintf(inner, sizeof inner, "%.140s.%.50s", path, p->name);
        if (p->kind == GYRE_STRUCT) {
            add_item(r, PANEL_GROUP, p, inner, p->name);
            read_table(r, p->properties, at, inner, held);
            add_item(r, PANEL_END, NULL, "", "");
        } else if (p->kind == GYRE_UNION) {
            read_union(r, p, at, inner, held);
        } else if (p->kind == GYRE_AMOUNTS) {
            read_amounts(r, p, at, inner, held);
        } else if (p->kind == GYRE_POOL) {
            read_pool(r, p, at, inner, held);
        } else {
            read_leaf(r, p, at, inner, held);
        }
    }
}

static void read_stats(panel_state *state, const gyre_scene *scene, int model)
{
    const void *stats;
    const gyre_property *p = gyre_model_stats(gyre_scene_model(scene, model), &stats);
    bool several = gyre_scene_model_count(scene) > 1;
    for (; p && p->kind != GYRE_END && state->stat_count < STATS_MOST; p++) {
        panel_stat *s = &state->stats[state->stat_count];
        s->property = p;
        snprintf(s->label, sizeof s->label, "%s%s%s",
                 several ? gyre_scene_model_name(scene, model) : "", several ? "." : "", p->name);
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
        reader r = {panel, &panel->next};
        const char *name = gyre_scene_model_name(scene, i);
        add_item(&r, PANEL_GROUP, NULL, name, name);
        read_table(&r, gyre_model_type_properties(gyre_scene_model_type(scene, i), &size),
                   gyre_model_def(gyre_scene_model(scene, i)), name, false);
        add_item(&r, PANEL_END, NULL, "", "");
    }
    if (scene && panel->wants_stats) {
        panel->next.stat_count = 0;
        for (int i = 0; i < gyre_scene_model_count(scene); i++) {
            read_stats(&panel->next, scene, i);
        }
    }
    panel->ready = true;
    SDL_UnlockMutex(panel->mutex);
}

void panel_ask(view_app *app)
{
    view_panel *p = &app->panel;
    if (!p->asked && app->clock.now - p->asked_at > 0.15 && app->show.session) {
        p->wants_stats = p->stats_open;
        p->asked = view_session_observe(app->show.session, p->variant, look, p);
        p->asked_at = app->clock.now;
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
