// scene/picture.c: fields of a model held still, and a picture of them.
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gyre_fields {
    gyre_model *model;
    int count;
    int *mapped;  // the field behind each view, -1 for a copy
    float **copy; // of a derived field, whose window cannot stay open beside another
    gyre_named_view *views;
};

void gyre_fields_close(gyre_fields *f)
{
    if (!f) {
        return;
    }
    for (int i = 0; f->mapped && i < f->count; i++) {
        if (f->mapped[i] >= 0) {
            gyre_model_unmap(f->model, f->mapped[i]);
        }
    }
    for (int i = 0; f->copy && i < f->count; i++) {
        free(f->copy[i]);
    }
    free(f->mapped);
    free(f->copy);
    free(f->views);
    free(f);
}

static gyre_result copy_field(gyre_model *model, int field, gyre_field_view *view, float **copy)
{
    gyre_field_view window;
    gyre_result result = gyre_model_map(model, field, GYRE_READ, &window);
    if (result) {
        return result;
    }
    size_t row = (size_t)window.n[0], rows = (size_t)window.n[1] * (size_t)window.n[2];
    float *to = malloc(row * rows * sizeof *to);
    *copy = to;
    *view = window;
    view->data = to;
    view->stride[1] = window.n[0];
    view->stride[2] = (ptrdiff_t)window.n[0] * window.n[1];
    for (int k = 0; to && k < window.n[2]; k++) {
        for (int j = 0; j < window.n[1]; j++, to += row) {
            memcpy(to, window.data + j * window.stride[1] + k * window.stride[2], row * sizeof *to);
        }
    }
    result = gyre_model_unmap(model, field);
    return *copy ? result : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a copy of a field");
}

static gyre_result add_field(gyre_fields *f, int field)
{
    int all, i = f->count;
    const gyre_field_info *info = gyre_model_fields(f->model, &all) + field;
    f->mapped[i] = -1;
    f->views[i].name = info->name;
    f->count++;
    for (int k = 0; k < i; k++) { // a window opens once
        if (strcmp(f->views[k].name, info->name) == 0) {
            f->views[i].view = f->views[k].view;
            return GYRE_OK;
        }
    }
    if (info->derived) {
        return copy_field(f->model, field, &f->views[i].view, &f->copy[i]);
    }
    gyre_result result = gyre_model_map(f->model, field, GYRE_READ, &f->views[i].view);
    f->mapped[i] = result ? -1 : field;
    return result;
}

static gyre_result open_fields(gyre_model *model, const int *wanted, int count, gyre_fields **out)
{
    gyre_fields *f = calloc(1, sizeof *f);
    size_t room = (size_t)(count > 0 ? count : 1);
    if (f) {
        f->model = model;
        f->mapped = calloc(room, sizeof *f->mapped);
        f->copy = calloc(room, sizeof *f->copy);
        f->views = calloc(room, sizeof *f->views);
    }
    if (!f || !f->mapped || !f->copy || !f->views) {
        gyre_fields_close(f);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a list of fields");
    }
    for (int i = 0; i < count; i++) {
        gyre_result result = add_field(f, wanted[i]);
        if (result) {
            gyre_fields_close(f);
            return result;
        }
    }
    *out = f;
    return GYRE_OK;
}

/// The field that stands for a model where there is room for one: what the scene shows, else the
/// first that is carried along, else the first. -1: what the scene shows is not there.
static int main_field(const gyre_scene *scene, int i)
{
    int all, shown, field;
    const gyre_field_info *info = gyre_model_fields(scene->models[i].model, &all);
    if (scene->settings.view.field[0]) {
        if (gyre_scene_field(scene, scene->settings.view.field, &shown, &field)) {
            return -1;
        }
        if (shown == i) {
            return field;
        }
    }
    for (int k = 0; k < all; k++) {
        if (info[k].total) {
            return k;
        }
    }
    return 0;
}

const char *gyre_scene_main_field(const gyre_scene *scene, int i)
{
    int all;
    if (!gyre_scene_model(scene, i)) {
        return NULL;
    }
    int field = main_field(scene, i);
    return field < 0 ? NULL : gyre_model_fields(scene->models[i].model, &all)[field].name;
}

static void want(int *wanted, int *count, int most, int field)
{
    for (int k = 0; k < *count; k++) {
        if (wanted[k] == field) {
            return;
        }
    }
    if (*count < most) {
        wanted[(*count)++] = field;
    }
}

// What is written where nobody named fields: the main one, the velocity, the rest of the state.
static gyre_result want_all(const gyre_scene *scene, int i, int *wanted, int *count, int most)
{
    int all, field = main_field(scene, i);
    const gyre_field_info *info = gyre_model_fields(scene->models[i].model, &all);
    if (field < 0) {
        return GYRE_ERROR_ARGUMENT; // the scene shows one that is not there
    }
    want(wanted, count, most, field);
    for (int k = 0; k < all; k++) {
        if (info[k].role >= GYRE_ROLE_VELOCITY_X && info[k].role <= GYRE_ROLE_VELOCITY_Z) {
            want(wanted, count, most, k);
        }
    }
    for (int k = 0; k < all; k++) {
        if (!info[k].derived) {
            want(wanted, count, most, k);
        }
    }
    return GYRE_OK;
}

gyre_result gyre_fields_open(gyre_scene *scene, int i, const char *const *names, int count,
                             gyre_fields **fields)
{
    if (GY_MISSING("fields_open", scene) || GY_MISSING("fields_open", fields)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_model *model = gyre_scene_model(scene, i);
    enum { MOST = 64 };
    int wanted[MOST], found = 0;
    if (!model) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    gyre_result result = names ? GYRE_OK : want_all(scene, i, wanted, &found, MOST);
    if (result) {
        return result;
    }
    for (int k = 0; names && k < count && found < MOST; k++) {
        int of = i;
        result = GYRE_OK;
        if (strchr(names[k], '.')) {
            result = gyre_scene_field(scene, names[k], &of, &wanted[found]);
        } else {
            wanted[found] = gyre_model_field(model, names[k]);
        }
        if (result == GYRE_OK && of != i) {
            gyre_fail(GYRE_ERROR_ARGUMENT, "%.100s: it is a field of another model than \"%s\"",
                      names[k], scene->models[i].name);
        }
        if (result || of != i || wanted[found++] < 0) {
            return GYRE_ERROR_ARGUMENT;
        }
    }
    return open_fields(model, wanted, found, fields);
}

const gyre_named_view *gyre_fields_views(const gyre_fields *fields, int *count)
{
    if (GY_MISSING("fields_views", fields) || GY_MISSING("fields_views", count)) {
        return NULL;
    }
    *count = fields->count;
    return fields->views;
}

// The first field of a role at the cell centres; -1 when there is none.
static int field_that_is(const gyre_model *model, gyre_field_role role)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count; i++) {
        if (info[i].role == role && info[i].location == GYRE_CENTRE) {
            return i;
        }
    }
    return -1;
}

static void close_meshes(gyre_mesh *meshes, int count)
{
    for (int i = 0; meshes && i < count; i++) {
        free((void *)(uintptr_t)meshes[i].points);
        free((void *)(uintptr_t)meshes[i].triangles);
    }
    free(meshes);
}

// Copies of the model's meshes, of which it shows one at a time, and then of the scene's bodies.
static gyre_result open_meshes(gyre_scene *scene, const gyre_model *model, int count,
                               gyre_mesh **meshes)
{
    int own = gyre_model_mesh_count(model);
    *meshes = calloc((size_t)count + 1, sizeof **meshes);
    if (!*meshes) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a list of meshes");
    }
    for (int i = 0; i < count; i++) {
        gyre_mesh mesh;
        gyre_result result = i < own ? gyre_model_mesh(model, i, &mesh)
                                     : gy_scene_bodies_mesh(scene, i - own, &mesh);
        if (result) {
            return result;
        }
        size_t points = 3 * (size_t)mesh.point_count * sizeof *mesh.points;
        size_t triangles = 3 * (size_t)mesh.triangle_count * sizeof *mesh.triangles;
        float *p = malloc(points + 1);
        int32_t *t = malloc(triangles + 1);
        (*meshes)[i] = (gyre_mesh){p, mesh.point_count, t, mesh.triangle_count};
        if (!p || !t) {
            return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a mesh");
        }
        if (mesh.triangle_count > 0) {
            memcpy(p, mesh.points, points);
            memcpy(t, mesh.triangles, triangles);
        } else {
            (*meshes)[i].point_count = 0;
        }
    }
    return GYRE_OK;
}

// What of a model's particles a picture needs; all NULL where it has none.
typedef struct drawn_points {
    gyre_particle_sets *sets;
    gyre_render_points points;
    float *colours, *sizes;
} drawn_points;

static void close_points(drawn_points *d)
{
    gyre_particle_sets_close(d->sets);
    free(d->colours);
    free(d->sizes);
}

// An attribute along its range, from `least` to 1: of several components their length.
static gyre_result along_range(const gyre_named_particles *set, const char *name,
                               const float range[2], float least, float **values)
{
    const gyre_named_attribute *a = NULL;
    for (int k = 0; k < set->attribute_count; k++) {
        a = strcmp(set->attributes[k].name, name) == 0 ? &set->attributes[k] : a;
    }
    if (!a) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "view: %s have no attribute \"%.31s\"", set->name,
                         name);
    }
    float *to = malloc((size_t)set->count * sizeof *to + 1), low = range[0], high = range[1];
    if (!to) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to colour particles");
    }
    for (int64_t i = 0; i < set->count; i++) {
        float square = 0.0f, x = 0.0f;
        for (int c = 0; c < a->components; c++) {
            int64_t at = i * a->components + c;
            x = a->whole ? (float)((const int32_t *)a->data)[at] : ((const float *)a->data)[at];
            square += x * x;
        }
        to[i] = a->components == 1 ? x : sqrtf(square);
        if (range[0] == range[1]) {
            low = i == 0 || to[i] < low ? to[i] : low;
            high = i == 0 || to[i] > high ? to[i] : high;
        }
    }
    for (int64_t i = 0; i < set->count; i++) {
        float t = high > low ? (to[i] - low) / (high - low) : 0.0f;
        to[i] = least + (1.0f - least) * (t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t);
    }
    *values = to;
    return GYRE_OK;
}

static gyre_result open_points(gyre_scene *scene, int which, drawn_points *d)
{
    const gyre_view_settings *view = &scene->settings.view;
    int count = 0;
    *d = (drawn_points){0};
    if (!view->points || gyre_model_particle_sets(scene->models[which].model) == 0) {
        return GYRE_OK;
    }
    gyre_result result = gyre_particle_sets_open(scene, which, &d->sets);
    if (result) {
        return result;
    }
    const gyre_named_particles *set = gyre_particle_sets_views(d->sets, &count);
    if (view->point_by[0]) {
        result = along_range(set, view->point_by, view->point_range, 0.0f, &d->colours);
    }
    if (!result && view->point_size_by[0]) {
        result = along_range(set, view->point_size_by, view->point_range, 0.25f, &d->sizes);
    }
    d->points = (gyre_render_points){set->attributes[0].data, d->colours, d->sizes, set->count};
    return result;
}

// Draws one model; `shown`: its field that view.field names, or -1.
static gyre_result render_model(gyre_scene *scene, int which, int shown, gyre_image *image)
{
    gyre_model *model = scene->models[which].model;
    const gyre_scene_settings *settings = &scene->settings;
    enum { SMOKE, HEAT, SOLID, SHOWN, SURFACE, BED, PARTS };
    int count, field[PARTS], wanted[PARTS], slot[PARTS], used = 0;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    // Where there is a surface, bodies are meshes; a field that is named is shown as a map of it.
    bool named = shown >= 0, drawn = !named || settings->view.mode != GYRE_MODE_AUTO;
    bool surface = field_that_is(model, GYRE_ROLE_SURFACE) >= 0;
    field[SMOKE] = field_that_is(model, GYRE_ROLE_SMOKE);
    field[HEAT] = field_that_is(model, GYRE_ROLE_HEAT);
    field[SOLID] = field_that_is(model, GYRE_ROLE_SOLID);
    field[SURFACE] = drawn ? field_that_is(model, GYRE_ROLE_SURFACE) : -1;
    field[BED] = drawn ? field_that_is(model, GYRE_ROLE_BED) : -1;
    field[SHOWN] = named ? shown : surface ? field[SURFACE] : field[SMOKE];
    for (int i = 0; i < PARTS; i++) {
        slot[i] = -1;
        for (int k = 0; k < i; k++) {
            slot[i] = field[k] == field[i] ? slot[k] : slot[i];
        }
        if (field[i] >= 0 && slot[i] < 0) {
            slot[i] = used;
            wanted[used++] = field[i];
        }
    }
    gyre_fields *fields;
    gyre_mesh *meshes;
    drawn_points points;
    int bodies = gyre_model_mesh_count(model) + gy_scene_bodies_mesh_count(scene);
    gyre_result result = scene->drawn ? GYRE_OK : gyre_render_memory_create(&scene->drawn);
    if (result) {
        return result;
    }
    result = open_meshes(scene, model, bodies, &meshes);
    gyre_result opened = open_points(scene, which, &points);
    result = result ? result : opened;
    if (!result) {
        result = open_fields(model, wanted, used, &fields);
    }
    if (result) {
        close_meshes(meshes, bodies);
        close_points(&points);
        return result;
    }
    gyre_render_input input = {
        .grid = gyre_model_grid(model),
        .density = slot[SMOKE] >= 0 ? &fields->views[slot[SMOKE]].view : NULL,
        .temperature = slot[HEAT] >= 0 ? &fields->views[slot[HEAT]].view : NULL,
        .solid = slot[SOLID] >= 0 ? &fields->views[slot[SOLID]].view : NULL,
        .field = slot[SHOWN] >= 0 ? &fields->views[slot[SHOWN]].view : NULL,
        .surface = slot[SURFACE] >= 0 ? &fields->views[slot[SURFACE]].view : NULL,
        .bed = slot[BED] >= 0 ? &fields->views[slot[BED]].view : NULL,
        .meshes = meshes,
        .mesh_count = bodies,
        .view = field[SHOWN] >= 0 ? info[field[SHOWN]].view : GYRE_VIEW_DENSITY,
        .camera = settings->camera,
        .light = settings->light,
        .settings = settings->view,
        .points = points.sets ? &points.points : NULL,
        .memory = scene->drawn,
    };
    // A volume shows smoke; a field of another kind that is asked for by name is seen in a slice.
    if (named && input.grid->dim == 3 && input.settings.mode == GYRE_MODE_AUTO &&
        input.view != GYRE_VIEW_DENSITY) {
        input.settings.mode = GYRE_MODE_SLICE;
    }
    // The floor of a volume lies below y: gyre_scene_warn() tells.
    input.settings.floor =
        input.settings.floor && (settings->up != GYRE_UP_Z || input.grid->dim == 2);
    result = gyre_render(gyre_model_device(model), &input, image);
    gyre_fields_close(fields);
    close_meshes(meshes, bodies);
    close_points(&points);
    return result;
}

// A panel of the picture, at (x, y) from the top left.
static void put_panel(const gyre_image *panel, int x, int y, gyre_image *image)
{
    for (int row = 0; row < panel->height; row++) {
        memcpy(image->rgb + 3 * ((size_t)(y + row) * (size_t)image->width + (size_t)x),
               panel->rgb + 3 * (size_t)row * (size_t)panel->width, 3 * (size_t)panel->width);
    }
}

// All models in panels along the picture's longer side.
static gyre_result render_panels(gyre_scene *scene, gyre_image *image)
{
    int count = scene->model_count;
    bool wide = image->width >= image->height;
    int length = wide ? image->width : image->height;
    gyre_result result = GYRE_OK;
    if (length < count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: %d models on %d pixels", scene->file, count,
                         length);
    }
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        int low = length * i / count, size = length * (i + 1) / count - low;
        gyre_image panel;
        result = gyre_image_create(wide ? size : image->width, wide ? image->height : size, &panel);
        if (result == GYRE_OK) {
            result = render_model(scene, i, -1, &panel);
            put_panel(&panel, wide ? low : 0, wide ? 0 : low, image);
            gyre_image_free(&panel);
        }
    }
    return result;
}

gyre_result gyre_scene_render(gyre_scene *scene, gyre_image *image)
{
    if (GY_MISSING("scene_render", scene) || GY_MISSING("scene_render", image)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    int model = 0, field = -1;
    const char *shown = scene->settings.view.field;
    if (shown[0] && gyre_scene_field(scene, shown, &model, &field)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return scene->model_count == 1 || shown[0] ? render_model(scene, model, field, image)
                                               : render_panels(scene, image);
}
