// scene/edits.c: what was changed in a scene between a run and the run that goes on from its saved
// state. Both are compared as they say the models to be at that time: the defs with all that the
// timelines have done to them. What does not differ keeps the state that it has come to; a body
// that has drifted away stays where it is, though the scene says where it began.
#include "scene/write.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct gy_edits {
    gyre_scene *scene;
    const char *file; // for messages
    json_t *root;
};

/// One comparison of a model, or of what is in one.
typedef struct comparison {
    gyre_scene *scene;
    const char *file;
    gyre_model *model; // NULL: only what is fixed is looked at
    gyre_tell *tell;
    void *context;
} comparison;

// ---- the defs as the scene says them to be now

static bool shadow_set(gyre_scene *scene, const gy_timeline *t, const gy_key *key, double time)
{
    const gyre_property *property;
    void *address;
    int model;
    if (key->model < 0 || !gy_element_is_there(scene, key, scene->models[key->model].def)) {
        return true;
    }
    gyre_value value = gy_timeline_value(t, key, time);
    return gy_scene_reach(scene, key->path, &property, &address, &model, NULL) == GYRE_OK &&
           gyre_property_set(property, address, &value) == GYRE_OK;
}

static bool shadow_key(gyre_scene *scene, const gy_timeline *t, const gy_key *key, double time)
{
    if (key->gone) {
        return true;
    }
    if (key->change == GY_SET) {
        return shadow_set(scene, t, key, time);
    }
    gy_shadow_apply(scene, key);
    return true;
}

/// Puts defs as they are at the scene's time in the place of the scene's own.
static gyre_result shadow_now(gy_shadow *shadow, gyre_scene *scene)
{
    const gy_timeline *own = &scene->timeline, *replay = &scene->replay;
    int room = 0, k = 0;
    for (int i = 0; i < own->due; i++) {
        room += own->keys[i].change == GY_ADD;
    }
    for (int i = 0; i < replay->due; i++) {
        room += replay->keys[i].change == GY_ADD;
    }
    gyre_result result = gy_shadow_begin(shadow, scene, false, room);
    if (result) {
        return result;
    }
    // As it was when the last step began.
    double time = gyre_scene_seconds(scene) - (double)gyre_scene_dt(scene);
    bool whole = true;
    for (int i = 0; i < replay->due; i++) {
        for (; k < own->due && own->keys[k].time <= gy_timeline_before(scene, replay->keys[i].time);
             k++) {
            whole = shadow_key(scene, own, &own->keys[k], time) && whole;
        }
        whole = shadow_key(scene, replay, &replay->keys[i], time) && whole;
    }
    for (; k < own->due; k++) {
        whole = shadow_key(scene, own, &own->keys[k], time) && whole;
    }
    if (!whole) {
        gy_shadow_end(shadow, false);
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its timeline cannot be followed", scene->file);
    }
    return GYRE_OK;
}

static json_t *write_models(const gyre_scene *scene)
{
    json_t *models = json_object();
    bool failed = false;
    for (int i = 0; i < scene->model_count; i++) {
        const gy_scene_model *m = &scene->models[i];
        failed = json_object_set_new(models, m->name, gy_write_def(scene, m->properties, m->def)) ||
                 failed;
    }
    if (failed) {
        json_decref(models);
    }
    return failed ? NULL : models;
}

static const gyre_property *output_line(void)
{
    return gyre_property_find(gyre_scene_properties, "output");
}

static json_t *write_output(const gyre_scene *scene)
{
    const gyre_property *p = output_line();
    return gy_write_def(scene, p->properties, (const char *)&scene->settings + p->offset);
}

static json_t *write_bodies(const gyre_scene *scene)
{
    const gy_scene_model *m = &scene->models[GY_BODIES];
    return gy_write_def(scene, m->properties, m->def);
}

char *gy_edits_write(gyre_scene *scene)
{
    gy_shadow shadow;
    json_t *root = json_object();
    char *text = NULL;
    if (shadow_now(&shadow, scene) == GYRE_OK) {
        bool failed = json_object_set_new(root, "models", write_models(scene)) != 0;
        failed = json_object_set_new(root, "output", write_output(scene)) != 0 || failed;
        if (gy_scene_bodies_are(scene)) {
            failed = json_object_set_new(root, "bodies", write_bodies(scene)) != 0 || failed;
        }
        text = failed ? NULL : json_dumps(root, JSON_COMPACT);
        gy_shadow_end(&shadow, false);
        if (!text) {
            gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for a checkpoint", scene->file);
        }
    }
    json_decref(root);
    return text;
}

gyre_result gy_edits_read(gyre_scene *scene, const char *file, const char *text, size_t size,
                          gy_edits **edits)
{
    json_t *root = json_loadb(text, size, 0, NULL);
    gy_edits *made = root ? calloc(1, sizeof *made) : NULL;
    if (!made || !json_is_object(root)) {
        free(made);
        json_decref(root);
        return gyre_fail(GYRE_ERROR_FORMAT,
                         "%.200s: found a checkpoint that does not say what it was made from",
                         file);
    }
    *made = (gy_edits){scene, file, root};
    *edits = made;
    return GYRE_OK;
}

void gy_edits_free(gy_edits *edits)
{
    if (edits) {
        json_decref(edits->root);
        free(edits);
    }
}

// ---- what differs

static void tell(const comparison *c, const char *format, ...) GYRE_PRINTF(2, 3);

static void tell(const comparison *c, const char *format, ...)
{
    char sentence[700];
    va_list arguments;
    if (c->tell) {
        va_start(arguments, format);
        vsnprintf(sentence, sizeof sentence, format, arguments);
        va_end(arguments);
        c->tell(c->context, sentence);
    }
}

static void show(const json_t *json, char *text, size_t size)
{
    char *whole = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    snprintf(text, size, "%.150s%s", whole ? whole : "?",
             whole && strlen(whole) > 150 ? "..." : "");
    free(whole);
}

static gyre_result refuse(const comparison *c, const char *path, const json_t *now,
                          const json_t *then)
{
    char is[160], was[160];
    show(now, is, sizeof is);
    show(then, was, sizeof was);
    return gyre_fail(GYRE_ERROR_STATE,
                     "%.200s: %s is %s, the run that was saved had %s: it is fixed when a run "
                     "begins",
                     c->file, path, is, was);
}

static gyre_result take_leaf(const comparison *c, const gyre_property *p, const char *def,
                             const json_t *now, const json_t *then, const char *path)
{
    char is[160], was[160];
    gyre_value value;
    gyre_result result = gyre_property_read(p, def + p->offset, &value);
    // The model's own path begins behind its name.
    const char *dot = strchr(path, '.');
    result = result || !dot ? result : gyre_model_set(c->model, dot + 1, &value);
    if (result) {
        char message[600];
        snprintf(message, sizeof message, "%.599s", gyre_message());
        return gyre_fail(result, "%.200s: %s cannot be taken: %s", c->file, path, message);
    }
    show(now, is, sizeof is);
    show(then, was, sizeof was);
    tell(c, "%s is %s now, the run that was saved had %s", path, is, was);
    return GYRE_OK;
}

/// Each amount by itself.
static gyre_result take_amounts(const comparison *c, const gyre_property *p, const char *def,
                                json_t *now, json_t *then, const char *path)
{
    gyre_result result = GYRE_OK;
    const char *name;
    json_t *n;
    json_object_foreach(then, name, n)
    {
        if (!json_object_get(now, name)) {
            return refuse(c, path, now, then);
        }
    }
    json_object_foreach(now, name, n)
    {
        char inner[256];
        const json_t *t = json_object_get(then, name);
        const gyre_amount *amount =
            gyre_property_amount(p, (char *)(uintptr_t)def + p->offset, name);
        snprintf(inner, sizeof inner, "%.190s.%.60s", path, name);
        if (!result && amount && !(t && json_equal(n, (json_t *)(uintptr_t)t))) {
            result =
                take_leaf(c, p->properties, (const char *)amount, n, t ? t : json_null(), inner);
        }
    }
    return result;
}

static gyre_result compare_pool(const comparison *c, const gyre_property *p, const gyre_pool *pool,
                                json_t *now, json_t *then, const char *path);

/// Whether a line is the degrees beside an orientation that counts.
static bool is_outdone(const gyre_property *p, const char *def)
{
    gyre_value value;
    return (p[1].flags & GYRE_ORIENTATION) &&
           gyre_property_read(&p[1], def + p[1].offset, &value) == GYRE_OK &&
           (value.number[0] != 0 || value.number[1] != 0 || value.number[2] != 0 ||
            value.number[3] != 0);
}

static gyre_result compare(const comparison *c, const gyre_property *table, const char *def,
                           const json_t *now, const json_t *then, const char *path, bool fixed)
{
    gyre_result result = GYRE_OK;
    for (const gyre_property *p = table; p && p->kind != GYRE_END && !result; p++) {
        char inner[256];
        json_t *n = json_object_get(now, p->name), *t = json_object_get(then, p->name);
        bool stays = fixed || (p->flags & GYRE_FIXED) || p->kind == GYRE_VOLUME;
        // What the saved run knew nothing of does not differ, nor do degrees that do not count.
        if (!t || json_equal(n, t) || is_outdone(p, def)) {
            continue;
        }
        snprintf(inner, sizeof inner, "%.180s.%.60s", path, p->name);
        if (p->kind == GYRE_STRUCT) {
            result = compare(c, p->properties, def + p->offset, n, t, inner, stays);
        } else if (p->kind == GYRE_UNION && json_object_iter_key(json_object_iter(n)) &&
                   json_object_get(t, json_object_iter_key(json_object_iter(n)))) {
            const char *name = json_object_iter_key(json_object_iter(n));
            const gyre_property *chosen = gyre_property_find(p->properties, name);
            char below[256];
            snprintf(below, sizeof below, "%.190s.%.60s", inner, name);
            result = compare(c, chosen->properties, def + p->offset + chosen->offset,
                             json_object_get(n, name), json_object_get(t, name), below, stays);
        } else if (stays || p->kind == GYRE_UNION) {
            result = refuse(c, inner, n, t);
        } else if (p->kind == GYRE_POOL) {
            result = c->model
                         ? compare_pool(c, p, (const gyre_pool *)(const void *)(def + p->offset), n,
                                        t, inner)
                         : GYRE_OK;
        } else if (c->model && p->kind == GYRE_AMOUNTS) {
            result = take_amounts(c, p, def, n, t, inner);
        } else if (c->model) {
            result = take_leaf(c, p, def, n, t, inner);
        }
    }
    return result;
}

// ---- elements

static const char *name_of(const gyre_property *table, const json_t *element)
{
    while (table->kind != GYRE_END && !(table->flags & GYRE_NAME)) {
        table++;
    }
    const char *name =
        table->kind == GYRE_END ? NULL : json_string_value(json_object_get(element, table->name));
    return name ? name : "";
}

// Whether all names of one object are in another.
static bool has_names(const json_t *wanted, const json_t *object)
{
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)(uintptr_t)wanted, name, member)
    {
        if (!json_object_get(object, name)) {
            return false;
        }
    }
    return true;
}

// Whether an element can be made what it is now by setting properties.
static bool can_change(const gyre_property *table, const json_t *now, const json_t *then)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const json_t *n = json_object_get(now, p->name), *t = json_object_get(then, p->name);
        if (!t || json_equal(n, t) || (p->flags & GYRE_NAME)) {
            continue;
        }
        if ((p->flags & GYRE_FIXED) || p->kind == GYRE_VOLUME || p->kind == GYRE_POOL) {
            return false;
        }
        if (p->kind == GYRE_AMOUNTS && !has_names(t, n)) {
            return false;
        }
        if (p->kind == GYRE_STRUCT && !can_change(p->properties, n, t)) {
            return false;
        }
        if (p->kind == GYRE_UNION) {
            const char *name = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)n));
            const gyre_property *chosen = name ? gyre_property_find(p->properties, name) : NULL;
            if (!chosen || !json_object_get(t, name) ||
                !can_change(chosen->properties, json_object_get(n, name),
                            json_object_get(t, name))) {
                return false;
            }
        }
    }
    return true;
}

enum { NONE = -1 };

/// Which element of the saved run each of now is: one of its name; of those without a name one that
/// is the same, else the first that is left.
static void match(const gyre_property *p, const json_t *now, const json_t *then, int *of,
                  bool *used)
{
    size_t new_count = json_array_size(now), old_count = json_array_size(then);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < new_count; i++) {
            const json_t *n = json_array_get(now, i);
            const char *name = name_of(p->properties, n);
            of[i] = pass == 0 ? NONE : of[i];
            for (size_t k = 0; k < old_count && of[i] == NONE; k++) {
                const json_t *t = json_array_get(then, k);
                if (!used[k] && strcmp(name_of(p->properties, t), name) == 0 &&
                    (name[0] || pass == 1 || json_equal(n, t))) {
                    of[i] = (int)k;
                    used[k] = true;
                }
            }
        }
    }
}

static void path_of(const gyre_property *p, const json_t *element, int index, const char *path,
                    char *text, size_t size)
{
    const char *name = name_of(p->properties, element);
    if (name[0]) {
        snprintf(text, size, "%.180s.%.60s", path, name);
    } else {
        snprintf(text, size, "%.180s.%d", path, index);
    }
}

static gyre_result take_away(const comparison *c, const gyre_property *p, int index)
{
    return gyre_model_remove(c->model, gyre_model_element(c->model, p->name, index));
}

static gyre_result put_in(const comparison *c, const gyre_property *p, const void *element)
{
    return gyre_model_add(c->model, p->name, element) ? GYRE_OK : GYRE_ERROR_STATE;
}

static const gyre_pool *live_pool(const comparison *c, const gyre_property *p)
{
    return (const void *)((const char *)gyre_model_def(c->model) + p->offset);
}

/// Takes all elements of the pool away and puts them back in the order of now, as they have become,
/// with those that are new. of[i]: which of the live ones it is.
static gyre_result put_in_order(const comparison *c, const gyre_property *p, const gyre_pool *pool,
                                const int *of)
{
    int count = live_pool(c, p)->count;
    char *kept = malloc(((size_t)count + 1) * p->size);
    gyre_result result = kept ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory for elements");
    if (kept && count > 0) {
        memcpy(kept, live_pool(c, p)->items, (size_t)count * p->size);
    }
    for (int k = count - 1; k >= 0 && !result; k--) {
        result = take_away(c, p, k);
    }
    for (int i = 0; i < pool->count && !result; i++) {
        result = put_in(c, p,
                        of[i] == NONE ? (const char *)pool->items + (size_t)i * p->size
                                      : kept + (size_t)of[i] * p->size);
    }
    free(kept);
    return result;
}

/// Takes away what is gone or another, and adds what is new. Where that leaves all in the order of
/// now, the others are not touched.
static gyre_result change_list(const comparison *c, const gyre_property *p, const gyre_pool *pool,
                               int *of, const bool *used)
{
    int count = live_pool(c, p)->count, last = NONE;
    bool ordered = true, more = false;
    gyre_result result = GYRE_OK;
    for (int k = count - 1; k >= 0 && !result; k--) {
        if (used[k]) {
            continue;
        }
        result = take_away(c, p, k);
        for (int i = 0; i < pool->count; i++) {
            of[i] -= of[i] > k;
        }
    }
    for (int i = 0; i < pool->count; i++) {
        ordered = ordered && (of[i] == NONE || (!more && of[i] > last));
        more = more || of[i] == NONE;
        last = of[i] == NONE ? last : of[i];
    }
    if (!ordered) {
        return result ? result : put_in_order(c, p, pool, of);
    }
    for (int i = 0; i < pool->count && !result; i++) {
        if (of[i] == NONE) {
            result = put_in(c, p, (const char *)pool->items + (size_t)i * p->size);
        }
    }
    return result;
}

static gyre_result compare_elements(const comparison *c, const gyre_property *p,
                                    const gyre_pool *pool, json_t *now, json_t *then,
                                    const char *path, int *of, bool *used)
{
    json_t **was = calloc((size_t)pool->count + 1, sizeof *was);
    char inner[256];
    match(p, now, then, of, used);
    for (int k = 0; k < (int)json_array_size(then); k++) {
        path_of(p, json_array_get(then, (size_t)k), k, path, inner, sizeof inner);
        if (!used[k]) {
            tell(c, "%s is gone, the run that was saved had it", inner);
        }
    }
    for (int i = 0; was && i < pool->count; i++) {
        json_t *n = json_array_get(now, (size_t)i);
        path_of(p, n, i, path, inner, sizeof inner);
        was[i] = of[i] == NONE ? NULL : json_array_get(then, (size_t)of[i]);
        if (!was[i]) {
            tell(c, "%s is new, the run that was saved did not have it", inner);
        } else if (!can_change(p->properties, n, was[i])) {
            tell(c, "%s is another than in the run that was saved, and made anew", inner);
            used[of[i]] = false;
            of[i] = NONE;
            was[i] = NULL;
        }
    }
    gyre_result result = was ? change_list(c, p, pool, of, used)
                             : gyre_fail(GYRE_ERROR_MEMORY, "no memory for elements");
    for (int i = 0; was && i < pool->count && !result; i++) {
        if (was[i]) {
            path_of(p, json_array_get(now, (size_t)i), i, path, inner, sizeof inner);
            result = compare(c, p->properties, (const char *)pool->items + (size_t)i * p->size,
                             json_array_get(now, (size_t)i), was[i], inner, false);
        }
    }
    free(was);
    return result;
}

static gyre_result compare_pool(const comparison *c, const gyre_property *p, const gyre_pool *pool,
                                json_t *now, json_t *then, const char *path)
{
    size_t old_count = json_array_size(then);
    if (!json_is_array(then) || live_pool(c, p)->count != (int)old_count ||
        json_array_size(now) != (size_t)pool->count) {
        return gyre_fail(GYRE_ERROR_FORMAT,
                         "%.200s: found %zu of %s in what the checkpoint says, %d in its state",
                         c->file, old_count, path, live_pool(c, p)->count);
    }
    int *of = malloc(((size_t)pool->count + 1) * sizeof *of);
    bool *used = calloc(old_count + 1, sizeof *used);
    gyre_result result = of && used ? compare_elements(c, p, pool, now, then, path, of, used)
                                    : gyre_fail(GYRE_ERROR_MEMORY, "no memory for elements");
    free(of);
    free(used);
    return result;
}

// ---- all models

static gyre_result compare_models(const gy_edits *e, comparison c, bool live)
{
    json_t *then = json_object_get(e->root, "models"), *now = write_models(e->scene);
    gyre_result result = now ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory", e->file);
    for (int i = 0; i < e->scene->model_count && !result; i++) {
        const gy_scene_model *m = &e->scene->models[i];
        c.model = live ? m->model : NULL;
        result = compare(&c, m->properties, m->def, json_object_get(now, m->name),
                         json_object_get(then, m->name), m->name, false);
    }
    json_decref(now);
    return result;
}

// Bodies go on as they are: a scene that says otherwise of them is refused.
static gyre_result compare_bodies(const gy_edits *e, comparison c)
{
    const json_t *then = json_object_get(e->root, "bodies");
    json_t *now = write_bodies(e->scene);
    const gyre_property *p = e->scene->models[GY_BODIES].properties;
    json_t *n = json_object_get(now, p->name), *t = json_object_get(then, p->name);
    gyre_result result = GYRE_OK;
    if (json_array_size(n) + json_array_size(t) > 0 && !json_equal(n, t)) {
        result = refuse(&c, p->name, n, t);
    }
    json_decref(now);
    return result;
}

// The saved run may have had more elements than the scene has now: for those there must be room.
static gyre_result make_room(const gy_edits *e)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < e->scene->model_count; i++) {
        const gy_scene_model *m = &e->scene->models[i];
        const json_t *then = json_object_get(json_object_get(e->root, "models"), m->name);
        for (const gyre_property *p = m->properties; p->kind != GYRE_END && !result; p++) {
            if (p->kind != GYRE_POOL || (p->flags & GYRE_FIXED)) {
                continue;
            }
            const gyre_pool *pool = (const void *)((const char *)m->def + p->offset);
            int spare = p->flags & GYRE_BARE ? 0 : 8;
            int now = pool->capacity > 0 ? pool->capacity : pool->count + spare;
            int wanted = (int)json_array_size(json_object_get(then, p->name));
            char path[256];
            snprintf(path, sizeof path, "%s.%s", m->name, p->name);
            result = wanted > now ? gyre_scene_reserve(e->scene, path, wanted - now) : GYRE_OK;
        }
    }
    return result;
}

gyre_result gy_edits_prepare(const gy_edits *e)
{
    gyre_result result = compare_models(e, (comparison){.scene = e->scene, .file = e->file}, false);
    return result ? result : make_room(e);
}

gyre_result gy_edits_take(const gy_edits *e, gyre_tell *teller, void *context)
{
    gy_shadow shadow;
    comparison c = {.scene = e->scene, .file = e->file, .tell = teller, .context = context};
    const json_t *then = json_object_get(e->root, "output");
    gyre_result result = shadow_now(&shadow, e->scene);
    if (result) {
        return result;
    }
    result = compare_models(e, c, true);
    result = result ? result : compare_bodies(e, c);
    gy_shadow_end(&shadow, false);
    json_t *now = write_output(e->scene);
    for (const gyre_property *p = output_line()->properties; p->kind != GYRE_END && !result; p++) {
        const json_t *n = json_object_get(now, p->name), *t = json_object_get(then, p->name);
        char is[160], was[160];
        if (n && t && !json_equal((json_t *)(uintptr_t)n, (json_t *)(uintptr_t)t)) {
            show(n, is, sizeof is);
            show(t, was, sizeof was);
            tell(&c, "output.%s is %s now, the run that was saved had %s", p->name, is, was);
        }
    }
    json_decref(now);
    return result;
}
