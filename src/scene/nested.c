// scene/nested.c: waters of a scene that are nested in coarser ones. They are tied together when
// the scene is created, and stepped in the order of the file, the coarse one first. A picture shows
// them as one water: on cells as small as the finest, each from the finest water that is there,
//
//     surface(x) = that water's, between its cells' middles bilinear
//
// so that there is no crack at a join. Costs two heights for each cell of the picture's water, at
// most 4 million; beyond that its cells are twice as large, as often as it takes.
#include "gyre/water.h"
#include "scene/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22 };

static int model_called(const gyre_scene *scene, const char *name)
{
    for (int m = 0; m < scene->model_count; m++) {
        if (strcmp(scene->models[m].name, name) == 0) {
            return m;
        }
    }
    return -1;
}

/// The coupling that nests a model in another; NULL: there is none.
static const gyre_coupling *nesting(const gyre_scene *scene, int model)
{
    const gyre_pool *all = &scene->settings.couplings;
    for (int i = 0; i < all->count; i++) {
        const gyre_coupling *c = (const gyre_coupling *)all->items + i;
        if (c->enabled && c->nest[0] && strcmp(c->nest, scene->models[model].name) == 0) {
            return c;
        }
    }
    return NULL;
}

/// The model that another is nested in; -1.
static int coarse_of(const gyre_scene *scene, int model)
{
    const gyre_coupling *c = nesting(scene, model);
    return c ? model_called(scene, c->in) : -1;
}

bool gy_nested_lies(const gyre_scene *scene, int model)
{
    return coarse_of(scene, model) >= 0;
}

bool gy_nested_holds(const gyre_scene *scene, int model)
{
    for (int m = 0; m < scene->model_count; m++) {
        if (coarse_of(scene, m) == model) {
            return true;
        }
    }
    return false;
}

gyre_result gy_nested_check(const gyre_scene *scene, int i, const gyre_coupling *c)
{
    const char *wrong = c->element[0] ? "element" : c->body[0] ? "body" : c->air[0] ? "air" : NULL;
    const char *member = "nest", *expected = "the name of a water of the scene", *found = c->nest;
    int fine = model_called(scene, c->nest), coarse = model_called(scene, c->in);
    if (!wrong && fine >= 0 && coarse < 0) {
        member = "in";
        found = c->in;
    } else if (!wrong && coarse > fine && fine >= 0) {
        expected = "a water that the scene names after the one that it is nested in";
    } else if (wrong) {
        expected = "nothing beside element, body or air";
    } else if (fine >= 0) {
        return GYRE_OK;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: couplings.%d.%s: found \"%.100s\", expected %s",
                     scene->file, i, member, found, expected);
}

gyre_result gy_nested_create(gyre_scene *scene)
{
    const gyre_pool *all = &scene->settings.couplings;
    gyre_result result = GYRE_OK;
    for (int i = 0; i < all->count && result == GYRE_OK; i++) {
        const gyre_coupling *c = (const gyre_coupling *)all->items + i;
        if (!c->nest[0] || !c->enabled) {
            continue;
        }
        gyre_water *water[2];
        const char *names[2] = {c->nest, c->in};
        for (int k = 0; k < 2 && result == GYRE_OK; k++) {
            water[k] = gyre_water_of(scene->models[model_called(scene, names[k])].model);
            result = water[k] ? GYRE_OK : GYRE_ERROR_ARGUMENT;
        }
        result = result ? result : gyre_water_nest(water[0], water[1]);
        if (result) {
            char message[800];
            snprintf(message, sizeof message, "%.799s", gyre_message());
            gyre_fail(result, "%.200s: couplings.%d: %s", scene->file, i, message);
        }
    }
    return result;
}

// ---- pictures

/// One water among those of a picture.
typedef struct sheet {
    gy_drawn *drawn;
    int model, level, root; // root: the model that all of them lie in
} sheet;

/// The model whose heights a picture shows this one's with; -1. Bars have no place for a sea beside
/// its window: there it is laid into the sea.
static int below_of(const gyre_scene *scene, int model)
{
    const gyre_pool *all = &scene->settings.couplings;
    int below = coarse_of(scene, model);
    for (int i = 0; i < all->count && scene->settings.view.mode == GYRE_MODE_BARS; i++) {
        const gyre_coupling *c = (const gyre_coupling *)all->items + i;
        if (c->enabled && c->window[0] && strcmp(c->window, scene->models[model].name) == 0) {
            below = model_called(scene, c->sea);
        }
    }
    return below;
}

bool gy_nested_is_one(const gyre_scene *scene)
{
    int roots = 0;
    for (int m = 0; m < scene->model_count; m++) {
        roots += below_of(scene, m) < 0;
    }
    return roots == 1 && scene->model_count > 1;
}

/// A height between the middles of cells, beyond them that of the nearest.
static float between(const gyre_field_view *v, double x, double y)
{
    double at[2] = {x, y}, f[2];
    int low[2], high[2];
    for (int a = 0; a < 2; a++) {
        double top = v->n[a] - 1;
        at[a] = at[a] < 0.0 ? 0.0 : at[a] > top ? top : at[a];
        low[a] = (int)at[a] < v->n[a] - 1 ? (int)at[a] : v->n[a] > 1 ? v->n[a] - 2 : 0;
        high[a] = low[a] + (v->n[a] > 1);
        f[a] = at[a] - low[a];
    }
    const float *below = v->data + low[1] * v->stride[1], *above = v->data + high[1] * v->stride[1];
    double p = (double)below[low[0]], q = (double)below[high[0]];
    double r = (double)above[low[0]], s = (double)above[high[0]];
    p += (q - p) * f[0];
    r += (s - r) * f[0];
    return (float)(p + (r - p) * f[1]);
}

/// Puts a water's heights where it lies: into the first array its surface, into the second its bed.
static void lay(const gy_drawn *from, const gyre_grid *grid, float *heights)
{
    const gyre_grid *g = from->input.grid;
    size_t cells = (size_t)grid->n[0] * (size_t)grid->n[1];
    const gyre_field_view *views[2] = {from->input.surface, from->input.bed};
    double h = (double)grid->h, scale = h / (double)g->h, off[2];
    int low[2], high[2];
    for (int a = 0; a < 2; a++) {
        off[a] = ((double)grid->origin[a] - (double)g->origin[a]) / (double)g->h;
        double first = -off[a] / scale, last = first + g->n[a] / scale;
        low[a] = first > 0.0 ? (int)floor(first + 0.5) : 0;
        high[a] = last < grid->n[a] ? (int)floor(last + 0.5) : grid->n[a];
    }
    for (int k = 0; k < 2; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            float *row = heights + (size_t)k * cells + (size_t)j * (size_t)grid->n[0];
            for (int i = low[0]; i < high[0]; i++) {
                row[i] = between(views[k], off[0] + (i + 0.5) * scale - 0.5,
                                 off[1] + (j + 0.5) * scale - 0.5);
            }
        }
    }
}

/// The meshes of a water's own bodies, and points on it, go over to the one that is drawn.
static gyre_result hand_over(const gyre_scene *scene, const sheet *from, gy_drawn *to)
{
    int own = gyre_model_mesh_count(scene->models[from->model].model);
    from->drawn->under = true;
    to->input.points = to->input.points ? to->input.points : from->drawn->input.points;
    if (own == 0) {
        return GYRE_OK;
    }
    gyre_mesh *all = realloc(to->meshes, sizeof *all * (size_t)(to->mesh_count + own));
    if (!all) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for a picture", scene->file);
    }
    to->meshes = all;
    for (int k = 0; k < own; k++) {
        all[to->mesh_count++] = from->drawn->meshes[k];
        from->drawn->meshes[k] = (gyre_mesh){0}; // it was a copy, and is the other one's now
    }
    to->input.meshes = to->meshes;
    to->input.mesh_count = to->mesh_count;
    return GYRE_OK;
}

static gyre_result merge(const gyre_scene *scene, const sheet *all, int count, int root)
{
    gy_drawn *d = all[root].drawn;
    gyre_grid grid = d->grid;
    int deepest = 0;
    for (int k = 0; k < count; k++) {
        deepest = all[k].root == root && all[k].level > deepest ? all[k].level : deepest;
    }
    for (int l = 0; l < deepest && (int64_t)grid.n[0] * grid.n[1] * 4 <= MOST_CELLS; l++) {
        grid.n[0] *= 2;
        grid.n[1] *= 2;
        grid.h *= 0.5f;
    }
    size_t cells = (size_t)grid.n[0] * (size_t)grid.n[1];
    d->merged = malloc(2 * cells * sizeof(float));
    if (!d->merged) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for a picture", scene->file);
    }
    gyre_result result = GYRE_OK;
    for (int level = 0; level <= deepest; level++) {
        for (int k = 0; k < count && result == GYRE_OK; k++) {
            if (all[k].root == root && all[k].level == level) {
                lay(all[k].drawn, &grid, d->merged);
                result = level > 0 ? hand_over(scene, &all[k], d) : GYRE_OK;
            }
        }
    }
    d->grid = grid;
    for (int k = 0; k < 2; k++) {
        gyre_field_view *v = &d->merged_view[k];
        *v = k ? *d->input.bed : *d->input.surface;
        v->data = d->merged + (size_t)k * cells;
        v->grid = grid;
        memcpy(v->n, grid.n, sizeof v->n);
        v->stride[0] = 1;
        v->stride[1] = grid.n[0];
        v->stride[2] = (ptrdiff_t)cells;
    }
    d->input.field = d->input.field == d->input.surface ? &d->merged_view[0] : d->input.field;
    d->input.surface = &d->merged_view[0];
    d->input.bed = &d->merged_view[1];
    // What is only known on its own cells is not shown.
    d->input.foam = d->input.wet = d->input.speed = NULL;
    d->input.flow = NULL;
    return result;
}

/// `drawn` are all models of the scene, in its order.
gyre_result gy_nested_merge(const gyre_scene *scene, gy_drawn *drawn)
{
    sheet all[GY_SCENE_MODELS];
    gyre_result result = GYRE_OK;
    for (int m = 0; m < scene->model_count; m++) {
        all[m] = (sheet){.drawn = &drawn[m], .model = m, .root = m};
        for (int c = below_of(scene, m); c >= 0; c = below_of(scene, c)) {
            all[m].root = c;
            all[m].level++;
        }
    }
    bool holds[GY_SCENE_MODELS] = {false};
    for (int m = 0; m < scene->model_count; m++) {
        holds[all[m].root] = holds[all[m].root] || all[m].root != m;
    }
    for (int m = 0; m < scene->model_count && result == GYRE_OK; m++) {
        bool shows = drawn[m].input.surface && drawn[m].input.bed;
        if (shows && holds[m]) {
            result = merge(scene, all, scene->model_count, m);
        }
    }
    return result;
}
