// scene/warn.c: what in a scene does less than it seems to, by what the property tables say.
#include "scene/scene.h"

#include <stdarg.h>
#include <string.h>

/// Who is told, and what was told already.
typedef struct warner {
    const gyre_scene *scene;
    gyre_tell *tell;
    void *context;
    int told;
    const gyre_property *lines[64]; // whose caveat was told
} warner;

static void say(const warner *w, const char *format, ...) GYRE_PRINTF(2, 3);

static void say(const warner *w, const char *format, ...)
{
    char sentence[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    w->tell(w->context, sentence);
}

// ---- what changes with time

static void tell_caveat(warner *w, const gyre_property *p, const char *path)
{
    for (int i = 0; i < w->told; i++) {
        if (w->lines[i] == p) {
            return;
        }
    }
    if (w->told < (int)(sizeof w->lines / sizeof *w->lines)) {
        w->lines[w->told++] = p;
    }
    say(w, "%s changes with time: %s", path, p->caveat);
}

// The lines of the tables that a path goes through.
static void follow_path(warner *w, const gyre_property *table, const char *rest, const char *path)
{
    while (table && *rest) {
        char part[128];
        size_t length = strcspn(rest, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, rest);
        const gyre_property *p = gyre_property_find(table, part);
        if (!p) {
            return;
        }
        if (p->caveat) {
            tell_caveat(w, p, path);
        }
        rest += length + (rest[length] == '.');
        table = p->properties;
        if (p->kind == GYRE_POOL) {
            rest += strcspn(rest, ".");
            rest += *rest == '.';
        }
    }
}

static void look_at_keys(warner *w, const gy_timeline *t)
{
    for (int k = 0; k < t->count; k++) {
        const gy_key *key = &t->keys[k];
        if (key->change == GY_SET && key->model >= 0) {
            const gy_scene_model *m = &w->scene->models[key->model];
            follow_path(w, m->properties, key->path + strlen(m->name) + 1, key->path);
        }
    }
}

void gyre_scene_warn(const gyre_scene *scene, gyre_tell *tell, void *context)
{
    warner w = {.scene = scene, .tell = tell, .context = context};
    look_at_keys(&w, &scene->timeline);
    look_at_keys(&w, &scene->replay);
}
