// scene/warn.c: what in a scene does less than it seems to, by what the property tables say.
#include "scene/scene.h"

#include "gyre/pose.h"
#include "gyre/shape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/// Who is told, and what was told already.
typedef struct warner {
    const gyre_scene *scene;
    gyre_tell *tell;
    void *context;
    int told;
    const char *caveats[64]; // that were told
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
        if (strcmp(w->caveats[i], p->caveat) == 0) {
            return;
        }
    }
    if (w->told < (int)(sizeof w->caveats / sizeof *w->caveats)) {
        w->caveats[w->told++] = p->caveat;
    }
    if (p->flags & GYRE_IGNORED) {
        say(w, "%s has no effect: %s", path, p->caveat);
    } else {
        say(w, "%s changes with time: %s", path, p->caveat);
    }
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
            follow_path(w, m->properties, gy_below_model(w->scene, key->model, key->path),
                        key->path);
        }
    }
}

// ---- what does not count as things are

/// Where in a model's def the walk stands.
typedef struct walk {
    warner *w;
    const gy_scene_model *model;
    const char *def; // the whole
} walk;

static bool has_value(const gyre_property *p, const void *at, const char *wanted, size_t length)
{
    gyre_value value;
    char text[300] = "";
    if (p->kind == GYRE_VOLUME) {
        return !wanted && ((const gyre_volume *)at)->data;
    }
    if (gyre_property_read(p, at, &value)) {
        return true; // no leaf: nothing to say
    }
    bool word = value.kind == GYRE_STRING || value.kind == GYRE_ENUM;
    if (!wanted) {
        bool any = word && value.string[0] != 0;
        for (int i = 0; i < value.count && !word; i++) {
            any = any || value.number[i] != 0;
        }
        return any;
    }
    if (p->kind == GYRE_BOOL) {
        snprintf(text, sizeof text, "%s", value.number[0] != 0 ? "true" : "false");
    } else if (word) {
        snprintf(text, sizeof text, "%s", value.string);
    } else {
        snprintf(text, sizeof text, "%g", value.number[0]);
    }
    return strlen(text) == length && memcmp(text, wanted, length) == 0;
}

// Whether one of "a|b" is the value; "" : any that is not 0, false or empty.
static bool has_one(const gyre_property *p, const void *at, const char *values)
{
    bool one = !*values && has_value(p, at, NULL, 0);
    while (*values && !one) {
        size_t length = strcspn(values, "|");
        one = has_value(p, at, values, length);
        values += length + (values[length] == '|');
    }
    return one;
}

// Whether an entry of a timeline changes a member of this name: then it may come to count.
static bool may_change(const walk *k, const char *name)
{
    const gy_timeline *both[] = {&k->w->scene->timeline, &k->w->scene->replay};
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < both[t]->count; i++) {
            const char *path = both[t]->keys[i].path, *dot = strrchr(path, '.');
            if (dot && strcmp(dot + 1, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

// Whether an orientation and the degrees before it are the same turn.
static bool agree(const gyre_property *orientation, const char *def)
{
    const float *q = (const void *)(def + orientation->offset);
    float p[4], dot = 0.0f;
    gyre_quaternion_from_degrees((const void *)(def + orientation[-1].offset), p);
    for (int i = 0; i < 4; i++) {
        dot += p[i] * q[i];
    }
    return dot * dot > 1.0f - 1e-3f;
}

// Tells of a member that something counts without alone, and that is there.
static bool tell_without(const walk *k, const gyre_property *table, const char *def,
                         const char *name, const char *path)
{
    const gyre_property *p = gyre_property_find(table, name);
    if (!p || !has_value(p, def + p->offset, NULL, 0) || may_change(k, name) ||
        ((p->flags & GYRE_ORIENTATION) && agree(p, def))) {
        return false;
    }
    say(k->w, "%s has no effect beside %s", path, name);
    return true;
}

// Tells of a term that does not hold. Returns whether it did.
static bool tell_term(const walk *k, const gyre_property *table, const char *def, char *term,
                      const char *path)
{
    char *values = strchr(term, '=');
    const gyre_property *p = NULL;
    void *at = NULL;
    if (values) {
        *values++ = 0;
    }
    bool without = *term == '!';
    const char *name = term + (*term == '/' || without);
    if (without) {
        return tell_without(k, table, def, name, path);
    }
    if (*term == '/') {
        table = k->model->properties;
        def = k->def;
    }
    if (gyre_property_walk(table, (void *)(uintptr_t)def, name, &p, &at) ||
        has_one(p, at, values ? values : "") || may_change(k, name)) {
        return false;
    }
    char text[200] = "";
    for (char *v = values; v && *v; v++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%.*s%s", *v != '|', v, *v == '|' ? " or " : "");
    }
    if (values) {
        say(k->w, "%s has no effect: %s is not %s", path, name, text);
    } else {
        say(k->w, "%s has no effect without %s", path, name);
    }
    return true;
}

// Tells of amounts whose own scalars lack a member ("@diffusivity"), those being structs of the def
// or elements of its pools.
static bool tell_amounts(const walk *k, const char *def, const gyre_property *p, const char *member,
                         const char *path)
{
    const gyre_amount *amounts = (const void *)(def + p->offset);
    bool told = false;
    for (size_t i = 0; i < p->size / sizeof *amounts && amounts[i].name[0]; i++) {
        const gyre_property *q = k->model->properties;
        bool any = may_change(k, member);
        for (; q->kind != GYRE_END && !any; q++) {
            const gyre_property *found;
            void *at;
            char inner[200];
            snprintf(inner, sizeof inner, "%.60s%s%.40s.%.60s", q->kind == GYRE_POOL ? q->name : "",
                     q->kind == GYRE_POOL ? "." : "", amounts[i].name, member);
            any = !gyre_property_walk(k->model->properties, (void *)(uintptr_t)k->def, inner,
                                      &found, &at) &&
                  has_value(found, at, NULL, 0);
        }
        if (!any) {
            say(k->w, "%s.%s has no effect: %s has no %s", path, amounts[i].name, amounts[i].name,
                member);
            told = true;
        }
    }
    return told;
}

static bool tell_needs(const walk *k, const gyre_property *table, const char *def,
                       const gyre_property *p, const char *path)
{
    char terms[200];
    snprintf(terms, sizeof terms, "%s", p->needs);
    for (char *term = terms, *next; term; term = next) {
        next = strchr(term, ' ');
        if (next) {
            *next++ = 0;
        }
        if (tell_term(k, table, def, term, path)) {
            return true;
        }
    }
    return false;
}

static bool differs(const gyre_property *p, const char *at, const char *other)
{
    gyre_value a, b;
    if (p->kind == GYRE_STRUCT) {
        for (const gyre_property *q = p->properties; q->kind != GYRE_END; q++) {
            if (differs(q, at + q->offset, other + q->offset)) {
                return true;
            }
        }
        return false;
    }
    if (p->kind == GYRE_VOLUME) {
        return ((const gyre_volume *)(const void *)at)->data != NULL;
    }
    if (gyre_property_read(p, at, &a) || gyre_property_read(p, other, &b)) {
        return false; // unions and pools have no value to compare
    }
    return memcmp(a.number, b.number, sizeof a.number) != 0 || strcmp(a.string, b.string) != 0;
}

static void look_at_table(const walk *k, const gyre_property *table, const char *def,
                          const char *defaults, const char *path);

// Whether a timeline or a coupling has to do with an element, by name or place: it may come into
// the domain.
static bool is_moved(const walk *k, const char *path)
{
    const gy_timeline *both[] = {&k->w->scene->timeline, &k->w->scene->replay};
    size_t length = strlen(path);
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < both[t]->count; i++) {
            const char *other = both[t]->keys[i].path;
            if (strncmp(other, path, length) == 0 && other[length] == '.') {
                return true;
            }
        }
    }
    const gyre_pool *couplings = &k->w->scene->settings.couplings;
    for (int i = 0; i < couplings->count; i++) {
        if (strcmp(((const gyre_coupling *)couplings->items)[i].element, path) == 0) {
            return true;
        }
    }
    return false;
}

// In a plane things turn about z alone.
static void look_at_degrees(const walk *k, const float rotation[3], const char *path)
{
    if (rotation[0] != 0.0f || rotation[1] != 0.0f) {
        say(k->w, "%s has no effect about x and y: the grid has two dimensions", path);
    }
}

static void look_at_shape(const walk *k, const gyre_shape *shape, const gyre_pose *pose,
                          const char *path, const char *place)
{
    const gyre_property *p = gyre_property_find(k->model->properties, "grid");
    const gyre_grid *grid = p ? (const void *)(k->def + p->offset) : NULL;
    float low[3], high[3];
    char inner[300];
    if (!grid) {
        return;
    }
    if (grid->dim == 2 && shape->kind == GYRE_SHAPE_BOX) {
        snprintf(inner, sizeof inner, "%.270s.shape.box.rotation", path);
        look_at_degrees(k, shape->as.box.rotation, inner);
    }
    if (grid->dim == 2 && pose) {
        snprintf(inner, sizeof inner, "%.280s.rotation", path);
        look_at_degrees(k, pose->rotation, inner);
    }
    if (is_moved(k, path) || is_moved(k, place)) {
        return;
    }
    gyre_shape_posed_bounds(shape, pose, grid->dim, low, high);
    for (int a = 0; a < grid->dim; a++) {
        float from = grid->origin[a], to = from + (float)grid->n[a] * grid->h;
        if (high[a] <= from || low[a] >= to) {
            say(k->w,
                "%s has no effect: it lies outside of the domain, which goes from %g to %g m "
                "along %c",
                path, (double)from, (double)to, "xyz"[a]);
            return;
        }
    }
}

static void look_at_element(const walk *k, const gyre_property *pool, const char *element,
                            int index, const char *path)
{
    const gyre_property *enabled = gyre_property_find(pool->properties, "enabled");
    const gyre_property *shape = gyre_property_find(pool->properties, "shape");
    const gyre_property *turn = gyre_property_find(pool->properties, "orientation");
    const gyre_property *name = pool->properties;
    char inner[300], place[300];
    char *defaults = calloc(1, pool->size);
    while (name->kind != GYRE_END && !(name->flags & GYRE_NAME)) {
        name++;
    }
    snprintf(place, sizeof place, "%.200s.%d", path, index);
    bool named = name->kind != GYRE_END && element[name->offset];
    snprintf(inner, sizeof inner, "%s", place);
    if (named) {
        snprintf(inner, sizeof inner, "%.200s.%.64s", path, element + name->offset);
    }
    bool on = !enabled || *(const bool *)(const void *)(element + enabled->offset);
    if (defaults && on) {
        gyre_property_defaults(pool->properties, defaults, pool->size);
        look_at_table(k, pool->properties, element, defaults, inner);
        if (shape && shape->properties == gyre_shape_properties) {
            // The members of a pose stand side by side with the element's, in their order.
            bool posed = turn && (turn->flags & GYRE_ORIENTATION);
            size_t at = posed ? turn->offset - offsetof(gyre_pose, orientation) : 0;
            look_at_shape(k, (const void *)(element + shape->offset),
                          posed ? (const void *)(element + at) : NULL, inner, place);
        }
    }
    free(defaults);
}

static void look_at_union(const walk *k, const gyre_property *p, const char *at, const char *path)
{
    const gyre_property *chosen = &p->properties[*(const int32_t *)(const void *)at];
    char inner[300], *defaults = calloc(1, chosen->size);
    snprintf(inner, sizeof inner, "%.230s.%.60s", path, chosen->name);
    if (defaults) {
        gyre_property_defaults(chosen->properties, defaults, chosen->size);
        look_at_table(k, chosen->properties, at + chosen->offset, defaults, inner);
    }
    free(defaults);
}

static void look_at_table(const walk *k, const gyre_property *table, const char *def,
                          const char *defaults, const char *path)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *at = def + p->offset;
        char inner[300];
        snprintf(inner, sizeof inner, "%.230s.%.60s", path, p->name);
        if (p->needs && p->needs[0] == '@') {
            tell_amounts(k, def, p, p->needs + 1, inner);
        } else if (p->needs && differs(p, at, defaults + p->offset) &&
                   tell_needs(k, table, def, p, inner)) {
            continue;
        }
        if ((p->flags & GYRE_IGNORED) && differs(p, at, defaults + p->offset)) {
            tell_caveat(k->w, p, inner);
        }
        if (p->kind == GYRE_STRUCT) {
            look_at_table(k, p->properties, at, defaults + p->offset, inner);
        }
        if (p->kind == GYRE_UNION) {
            look_at_union(k, p, at, inner);
        }
        const gyre_pool *pool = p->kind == GYRE_POOL ? (const void *)at : NULL;
        for (int i = 0; pool && i < pool->count; i++) {
            look_at_element(k, p, (const char *)pool->items + (size_t)i * p->size, i, inner);
        }
    }
}

static void look_at_model(warner *w, const gy_scene_model *m)
{
    walk k = {w, m, m->def};
    const gyre_property *grid = gyre_property_find(m->properties, "grid");
    const gyre_grid *g = grid ? (const void *)((const char *)m->def + grid->offset) : NULL;
    char *defaults = calloc(1, m->def_size);
    int dim = g ? g->dim : 3;
    const gyre_scene_settings *s = &w->scene->settings;
    if (dim == 3 && s->up == GYRE_UP_Z && s->view.floor) {
        say(w, "view.floor has no effect on %s: it lies below y, and z is up", m->name);
    }
    if (defaults && gyre_model_default_def(m->type, dim, defaults, m->def_size) == GYRE_OK) {
        look_at_table(&k, m->properties, m->def, defaults, m->name);
    }
    free(defaults);
}

// What a body holds of a scalar that does not spread in a gas.
static void look_at_body(const warner *w, const gyre_body *body, const char *path)
{
    const gyre_property *gas = gyre_property_find(gyre_body_properties, "gas");
    const gyre_property *holds = gas ? gyre_property_find(gas->properties, "holds") : NULL;
    char inner[300];
    snprintf(inner, sizeof inner, "%.200s.gas.holds", path);
    for (int i = 0; i < w->scene->model_count && holds && body->enabled; i++) {
        const gy_scene_model *m = &w->scene->models[i];
        const gyre_property *grid = gyre_property_find(m->properties, "grid");
        walk k = {(warner *)(uintptr_t)w, m, m->def};
        if (strcmp(m->type, "gas") == 0 && grid &&
            ((const gyre_grid *)(const void *)((const char *)m->def + grid->offset))->dim == 3) {
            tell_amounts(&k, (const char *)&body->gas, holds, "diffusivity", inner);
        }
    }
}

static void look_at_bodies(const warner *w)
{
    const gyre_pool *bodies = &w->scene->settings.bodies;
    for (int i = 0; i < bodies->count; i++) {
        const gyre_body *body = (const gyre_body *)bodies->items + i;
        char path[80];
        snprintf(path, sizeof path, "bodies.%d", i);
        if (body->name[0]) {
            snprintf(path, sizeof path, "bodies.%.31s", body->name);
        }
        look_at_body(w, body, path);
    }
}

// Once made, a model knows what its grid does not see.
static void look_at_small(warner *w, const gy_scene_model *m)
{
    gyre_id id;
    for (int i = 0; (id = gyre_model_missed(m->model, i)) != 0; i++) {
        gyre_value name;
        const char *pool = gyre_model_pool(m->model, id);
        bool named = gyre_model_get_in(m->model, id, "name", &name) == GYRE_OK && name.string[0];
        bool sheet = strcmp(pool, "sheets") == 0;
        say(w, "%s.%s%s%s does nothing: it is too small for cells of this size%s", m->name, pool,
            named ? "." : ", one of them", named ? name.string : "",
            sheet ? ", or lies outside the domain" : "");
    }
}

// Meshes with holes that are to enclose something.
static void look_at_meshes(const warner *w, gyre_bodies *bodies)
{
    for (int i = 0; i < gyre_bodies_count(bodies); i++) {
        gyre_id id = gyre_bodies_element(bodies, i);
        gyre_body body;
        gyre_mesh mesh;
        gyre_mesh_report report;
        if (gyre_bodies_read(bodies, id, &body) == GYRE_OK && body.form.kind == GYRE_FORM_MESH &&
            gyre_bodies_mesh(bodies, id, &mesh) == GYRE_OK && mesh.triangle_count > 0 &&
            gyre_mesh_inspect(NULL, &mesh, &report) == GYRE_OK && report.boundary_edges > 0) {
            say(w,
                "bodies.%.31s has a mesh with %d open edges: inside is where it winds round more "
                "than half; a wall without thickness is one of a gas's sheets",
                body.name, report.boundary_edges);
        }
    }
}

// Elements that come with the timeline.
static void look_at_additions(warner *w, const gy_timeline *t)
{
    for (int i = 0; i < t->count; i++) {
        const gy_key *key = &t->keys[i];
        const gyre_property *pool;
        const char *element;
        int model;
        if (key->change == GY_ADD && gy_scene_pool(w->scene, key->path, &model, &pool, &element)) {
            const gy_scene_model *m = &w->scene->models[model];
            walk k = {w, m, m->def};
            look_at_element(&k, pool, key->element, 0, key->path);
        }
        if (key->change == GY_ADD && key->model == GY_BODIES) {
            look_at_body(w, key->element, key->path);
        }
    }
}

// What shines does so in volumes, as smoke does.
static void look_at_flame(const warner *w)
{
    const gyre_scene_settings *s = &w->scene->settings;
    const gyre_view_settings *v = &s->view, initial = gyre_default_view_settings();
    bool volume = false;
    const char *why = NULL;
    for (int i = 0; i < w->scene->model_count; i++) {
        const gyre_property *grid = gyre_property_find(w->scene->models[i].properties, "grid");
        volume = volume || !grid ||
                 ((const gyre_grid *)(const void *)((const char *)w->scene->models[i].def +
                                                    grid->offset))
                         ->dim == 3;
    }
    if (!volume) {
        why = "it shines in volumes, and the scene is in 2D";
    } else if (v->mode == GYRE_MODE_SLICE) {
        why = "it shines in volumes, and view.mode is \"slice\"";
    } else if (v->mix != GYRE_MIX_AUTO) {
        why = v->mix == GYRE_MIX_INK ? "it shines in smoke, and view.mix is \"ink\""
                                     : "it shines in smoke, and view.mix is \"light\"";
    }
    if (v->flame[0] && why) {
        say(w, "view.flame does nothing: %s", why);
    } else if (v->flame[0] && !(v->flame_intensity > 0.0f)) {
        say(w, "view.flame does nothing: view.flame_intensity is 0");
    }
    if (v->glow_scatter != initial.glow_scatter && why) {
        say(w, "view.glow_scatter does nothing: %s", why);
    } else if (v->glow_scatter != initial.glow_scatter && !v->glow) {
        say(w, "view.glow_scatter does nothing: view.glow is false");
    }
}

void gyre_scene_warn(const gyre_scene *scene, gyre_tell *tell, void *context)
{
    if (GY_MISSING("scene_warn", scene) || GY_MISSING("scene_warn", tell)) {
        return;
    }
    warner w = {.scene = scene, .tell = tell, .context = context};
    for (int i = 0; i < scene->model_count; i++) {
        look_at_model(&w, &scene->models[i]);
        if (scene->created) {
            look_at_small(&w, &scene->models[i]);
        }
    }
    for (int i = 0; i < scene->model_count && scene->created && scene->bodies; i++) {
        // One that has them is as it was.
        if (gyre_model_use_bodies(scene->models[i].model, scene->bodies) != GYRE_OK) {
            say(&w, "bodies have no effect on %s: %.200s", scene->models[i].name, gyre_message());
        }
    }
    if (scene->created && scene->bodies) {
        look_at_meshes(&w, scene->bodies);
    }
    look_at_flame(&w);
    look_at_bodies(&w);
    look_at_additions(&w, &scene->timeline);
    look_at_keys(&w, &scene->timeline);
    look_at_keys(&w, &scene->replay);
}
