// scene/picture.c: fields of a model held still, and a picture of them.
#include "scene/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gyre_fields {
    gyre_model *model;
    bool copies; // no window stays open
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
    if (info->derived || f->copies) {
        return copy_field(f->model, field, &f->views[i].view, &f->copy[i]);
    }
    gyre_result result = gyre_model_map(f->model, field, GYRE_READ, &f->views[i].view);
    f->mapped[i] = result ? -1 : field;
    return result;
}

static gyre_result open_fields(gyre_model *model, bool copies, const int *wanted, int count,
                               gyre_fields **out)
{
    gyre_fields *f = calloc(1, sizeof *f);
    size_t room = (size_t)(count > 0 ? count : 1);
    if (f) {
        f->model = model;
        f->copies = copies;
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
    return open_fields(model, false, wanted, found, fields);
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

// The one of a name there; -1 when there is none.
static int field_called(const gyre_model *model, const char *name)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count && name[0]; i++) {
        if (strcmp(info[i].name, name) == 0 && info[i].location == GYRE_CENTRE) {
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

static gyre_result copy_mesh(const gyre_mesh *mesh, gyre_mesh *to)
{
    size_t points = 3 * (size_t)mesh->point_count * sizeof *mesh->points;
    size_t triangles = 3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles;
    float *p = malloc(points + 1);
    int32_t *t = malloc(triangles + 1);
    *to = (gyre_mesh){p, mesh->point_count, t, mesh->triangle_count};
    if (!p || !t) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a mesh");
    }
    if (mesh->triangle_count > 0) {
        memcpy(p, mesh->points, points);
        memcpy(t, mesh->triangles, triangles);
    } else {
        to->point_count = 0;
    }
    return GYRE_OK;
}

// Copies of the model's walls without thickness, of which it shows one at a time.
static gyre_result open_sheets(gyre_model *model, int count, gyre_mesh **sheets)
{
    *sheets = count > 0 ? calloc((size_t)count, sizeof **sheets) : NULL;
    gyre_result result = count > 0 && !*sheets
                             ? gyre_fail(GYRE_ERROR_MEMORY, "no memory for a list of sheets")
                             : GYRE_OK;
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        gyre_mesh sheet;
        result = gyre_model_sheet(model, i, &sheet);
        result = result ? result : copy_mesh(&sheet, &(*sheets)[i]);
    }
    return result;
}

// Copies of the model's meshes, of which it shows one at a time, and then of the scene's bodies.
static gyre_result open_meshes(gyre_scene *scene, gyre_model *model, int count, gyre_mesh **meshes)
{
    int own = gyre_model_mesh_count(model);
    *meshes = calloc((size_t)count + 1, sizeof **meshes);
    if (!*meshes) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a list of meshes");
    }
    for (int i = 0; i < count; i++) {
        gyre_mesh mesh;
        gyre_result result = i < own ? gyre_model_mesh(model, i, &mesh)
                             : gyre_model_has_bodies(model)
                                 ? gyre_model_body_mesh(model, i - own, &mesh)
                                 : gy_scene_bodies_mesh(scene, i - own, &mesh);
        result = result ? result : copy_mesh(&mesh, &(*meshes)[i]);
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

// A copy of the water over a surface.
static gyre_result open_overhang(gyre_model *model, gyre_mesh *to)
{
    gyre_mesh mesh;
    gyre_result result = gyre_model_overhang(model, &mesh);
    return result == GYRE_OK && mesh.triangle_count > 0 ? copy_mesh(&mesh, to) : result;
}

// ---- what a picture of a model is drawn from

void gy_drawn_close(gy_drawn *d)
{
    gyre_fields_close(d->fields);
    close_meshes(d->meshes, d->mesh_count);
    close_meshes(d->sheets, d->sheet_count);
    free((void *)(uintptr_t)d->overhang.points);
    free((void *)(uintptr_t)d->overhang.triangles);
    gy_drawn_close_points(&d->points);
    free(d->merged);
    gy_drawn_close_texture(d);
    *d = (gy_drawn){0};
}

// The entry of the view for a scalar; NULL: there is none.
static const gyre_view_channel *look_of(const gyre_view_settings *view, const char *name)
{
    const gyre_view_channel *all = view->channels.items;
    for (int i = 0; i < view->channels.count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

// The scalars that are seen beside the first, and other fields that the view names.
static void want_channels(const gyre_view_settings *view, const gyre_model *model, gy_drawn *d,
                          int *wanted, int *used, int *slot)
{
    int count, scalars = 0, first = field_that_is(model, GYRE_ROLE_SMOKE);
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count && d->channel_count < GY_DRAWN_CHANNELS; i++) {
        bool scalar = info[i].role == GYRE_ROLE_SMOKE && i > first;
        bool named = i != first && look_of(view, info[i].name) != NULL;
        if (info[i].location != GYRE_CENTRE || (!scalar && !named)) {
            continue;
        }
        gyre_render_channel *c = &d->channels[d->channel_count];
        c->scale = 1.0f;
        gyre_channel_colour(scalar ? scalars++ : 0, c->colour);
        slot[d->channel_count++] = *used;
        wanted[(*used)++] = i;
    }
}

// Gives channels their windows and what the view says of them. A density that the view speaks of is
// a channel like others.
static void look_at_channels(const gyre_view_settings *view, const gyre_named_view *fields,
                             int smoke, const int *slot, gy_drawn *d)
{
    gyre_render_input *input = &d->input;
    int kept = 0;
    const gyre_view_channel *own = smoke >= 0 ? look_of(view, fields[smoke].name) : NULL;
    for (int i = 0; i < d->channel_count; i++) {
        const gyre_view_channel *look = look_of(view, fields[slot[i]].name);
        gyre_render_channel c = d->channels[i];
        c.view = &fields[slot[i]].view;
        if (look) {
            memcpy(c.colour, look->colour, sizeof c.colour);
            c.scale = look->scale;
        }
        if (!look || look->shown) {
            d->channels[kept++] = c;
        }
    }
    if (own && kept < GY_DRAWN_CHANNELS) {
        if (own->shown) {
            gyre_render_channel c = {&fields[smoke].view, {0}, own->scale};
            memcpy(c.colour, own->colour, sizeof c.colour);
            d->channels[kept++] = c;
        }
        input->density = NULL;
        // Nothing is mixed then where nothing is shown.
        input->field = view->mix != GYRE_MIX_AUTO && kept == 0 ? NULL : input->field;
    }
    input->channels = d->channels;
    input->channel_count = kept;
}

/// A coupling's water and ocean; false: it couples others.
static bool find_joined(const gyre_scene *scene, const gyre_coupling *tie, int joined[2])
{
    joined[0] = joined[1] = -1;
    for (int m = 0; m < scene->model_count && tie->enabled && tie->window[0]; m++) {
        joined[0] = strcmp(scene->models[m].name, tie->window) == 0 ? m : joined[0];
        joined[1] = strcmp(scene->models[m].name, tie->sea) == 0 ? m : joined[1];
    }
    return joined[0] >= 0 && joined[1] >= 0;
}

/// Of a window of a sea and of its ocean both surfaces are there: so that one goes over into the
/// other they cross in a band along the window's rim, of three of the ocean's cells, sunk by at
/// most a twelfth of a cell each; further inside the ocean is sunk to its bed. `surface` and `bed`
/// are slots of the picture's copies.
static void cross_surfaces(const gyre_scene *scene, int which, gy_drawn *d, int surface, int bed)
{
    const gyre_pool *all = &scene->settings.couplings;
    bool bars = scene->settings.view.mode == GYRE_MODE_BARS; // they are laid together
    float *copy = surface >= 0 && !bars ? d->fields->copy[surface] : NULL;
    const gyre_grid *g = &d->grid;
    int joined[2];
    for (int c = 0; c < all->count && copy && bed >= 0; c++) {
        if (!find_joined(scene, (const gyre_coupling *)all->items + c, joined) ||
            (which != joined[0] && which != joined[1])) {
            continue;
        }
        const gyre_grid *window = gyre_model_grid(scene->models[joined[0]].model);
        double cell = (double)gyre_model_grid(scene->models[joined[1]].model)->h;
        const gyre_field_view *ground = &d->fields->views[bed].view;
        for (int k = 0; k < g->n[0] * g->n[1]; k++) {
            const int at[2] = {k % g->n[0], k / g->n[0]};
            double in = 1e30; // of the band's width, from the rim
            for (int a = 0; a < 2; a++) {
                double x = (double)g->origin[a] + (at[a] + 0.5) * (double)g->h;
                double low = x - (double)window->origin[a];
                in = fmin(in, fmin(low, (double)window->h * window->n[a] - low) / (3.0 * cell));
            }
            float *to = &copy[k], low = ground->data[at[0] + at[1] * ground->stride[1]];
            double out = which == joined[0] ? fmax(1.0 - in, 0.0) : fmax(in, 0.0);
            if (*to > low) {
                *to = fmaxf(*to - (float)(cell / 12.0 * out * out), low);
                *to = which == joined[1] && in > 1.4 ? low : *to;
            }
        }
    }
}

// Fields that a picture is made from.
enum { SMOKE, HEAT, SOLID, SHOWN, SURFACE, BED, FLAME, FOAM, WET, SPEED, PARTS };

// Which of a model's fields they are, -1: none; whether it is drawn as a smooth surface.
static bool find_parts(const gyre_scene *scene, const gyre_model *model, int shown,
                       int field[PARTS])
{
    const gyre_view_settings *view = &scene->settings.view;
    int mode = view->mode;
    // Where there is a surface, bodies are meshes; a field that is named is shown as a map of it.
    bool named = shown >= 0, drawn = !named || mode != GYRE_MODE_AUTO;
    bool surface = field_that_is(model, GYRE_ROLE_SURFACE) >= 0;
    bool over = drawn && surface && (mode == GYRE_MODE_AUTO || mode == GYRE_MODE_SURFACE);
    bool run = over && view->ripples > 0.0f && view->ripple_speed > 0.0f;
    field[SMOKE] = field_that_is(model, GYRE_ROLE_SMOKE);
    field[HEAT] = field_that_is(model, GYRE_ROLE_HEAT);
    field[SOLID] = field_that_is(model, GYRE_ROLE_SOLID);
    field[SURFACE] = drawn ? field_that_is(model, GYRE_ROLE_SURFACE) : -1;
    field[BED] = drawn ? field_that_is(model, GYRE_ROLE_BED) : -1;
    field[FOAM] = drawn && surface && view->foam > 0.0f ? field_called(model, "foam") : -1;
    field[WET] = over && view->wet ? field_called(model, "wet") : -1;
    field[SPEED] = run ? field_called(model, "speed") : -1;
    field[FLAME] = field_called(model, view->flame);
    field[SHOWN] = named ? shown : surface ? field[SURFACE] : field[SMOKE];
    return over;
}

gyre_result gy_drawn_open(gyre_scene *scene, int which, int shown, bool copies, gy_drawn *d)
{
    gyre_model *model = scene->models[which].model;
    const gyre_scene_settings *settings = &scene->settings;
    int count, field[PARTS], wanted[PARTS + GY_DRAWN_CHANNELS + 5 * GYRE_TEXTURE_PHASES],
        slot[PARTS], used;
    int of_channel[GY_DRAWN_CHANNELS];
    const gyre_field_info *info = gyre_model_fields(model, &count);
    bool named = shown >= 0, drawn = !named || settings->view.mode != GYRE_MODE_AUTO;
    bool surface = field_that_is(model, GYRE_ROLE_SURFACE) >= 0;
    *d = (gy_drawn){.mesh_count = gyre_model_mesh_count(model),
                    .sheet_count = gyre_model_sheet_count(model)};
    d->mesh_count += surface ? gy_scene_bodies_mesh_count(scene) : 0; // a gas has them as solids
    bool over = find_parts(scene, model, shown, field);
    used = gy_drawn_want_once(field, PARTS, slot, wanted);
    if (!named && !surface) {
        want_channels(&settings->view, model, d, wanted, &used, of_channel);
    }
    gyre_result result = gy_drawn_want_texture(scene, which, d, wanted, &used);
    result = result ? result : open_meshes(scene, model, d->mesh_count, &d->meshes);
    result = result ? result : open_sheets(model, d->sheet_count, &d->sheets);
    bool laced =
        over && field[FOAM] >= 0 && settings->view.point_soft && !gy_nested_lies(scene, which);
    bool flows = over && (settings->view.ripples > 0.0f || field[FOAM] >= 0);
    bool hangs = surface && drawn && settings->view.mode != GYRE_MODE_BARS;
    if (flows) {
        gy_drawn_want_flow(model, d, wanted, &used);
    }
    result = result || !hangs ? result : open_overhang(model, &d->overhang);
    result = result ? result : gy_drawn_open_points(scene, which, hangs, laced, &d->points);
    result = result ? result : open_fields(model, copies, wanted, used, &d->fields);
    if (result) {
        gy_drawn_close(d);
        return result;
    }
    const gyre_named_view *views = d->fields->views;
    d->grid = *gyre_model_grid(model);
    d->input = (gyre_render_input){
        .grid = &d->grid,
        .density = slot[SMOKE] >= 0 ? &views[slot[SMOKE]].view : NULL,
        .temperature = slot[HEAT] >= 0 ? &views[slot[HEAT]].view : NULL,
        .solid = slot[SOLID] >= 0 ? &views[slot[SOLID]].view : NULL,
        .flame = slot[FLAME] >= 0 ? &views[slot[FLAME]].view : NULL,
        .field = slot[SHOWN] >= 0 ? &views[slot[SHOWN]].view : NULL,
        .surface = slot[SURFACE] >= 0 ? &views[slot[SURFACE]].view : NULL,
        .bed = slot[BED] >= 0 ? &views[slot[BED]].view : NULL,
        .foam = slot[FOAM] >= 0 ? &views[slot[FOAM]].view : NULL,
        .wet = slot[WET] >= 0 ? &views[slot[WET]].view : NULL,
        .speed = slot[SPEED] >= 0 ? &views[slot[SPEED]].view : NULL,
        .meshes = d->meshes,
        .mesh_count = d->mesh_count,
        .sheets = d->sheets,
        .sheet_count = d->sheet_count,
        .view = field[SHOWN] >= 0 ? info[field[SHOWN]].view : GYRE_VIEW_DENSITY,
        .camera = settings->camera,
        .light = settings->light,
        .settings = settings->view,
        .points = d->points.sets ? &d->points.points : NULL,
        .overhang = d->overhang.triangle_count > 0 ? &d->overhang : NULL,
    };
    cross_surfaces(scene, which, d, named ? -1 : slot[SURFACE], slot[BED]);
    gy_drawn_take_texture(d, views);
    if (flows) {
        gy_drawn_take_flow(d, views);
    }
    if (!named && !surface) {
        look_at_channels(&settings->view, views, slot[SMOKE], of_channel, d);
    }
    // A volume shows smoke; a field of another kind that is asked for by name is seen in a slice.
    if (named && d->input.grid->dim == 3 && d->input.settings.mode == GYRE_MODE_AUTO &&
        d->input.view != GYRE_VIEW_DENSITY) {
        d->input.settings.mode = GYRE_MODE_SLICE;
    }
    // The floor of a volume lies below y: gyre_scene_warn() tells.
    d->input.settings.floor =
        d->input.settings.floor && (settings->up != GYRE_UP_Z || d->input.grid->dim == 2);
    return GYRE_OK;
}

// ---- pictures

static void close_picture(gyre_picture *p)
{
    for (int i = 0; i < p->count; i++) {
        gy_drawn_close(&p->drawn[i]);
    }
    free(p->drawn);
    p->drawn = NULL;
    p->count = 0;
}

// What the scene's settings show of it now, into a picture that holds nothing yet.
static gyre_result open_picture(gyre_scene *scene, bool copies, gyre_picture *p)
{
    if (!scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    int model = 0, field = -1;
    const char *shown = scene->settings.view.field;
    if (shown[0] && gyre_scene_field(scene, shown, &model, &field)) {
        return GYRE_ERROR_ARGUMENT;
    }
    bool single = scene->model_count == 1 || shown[0];
    int count = single ? 1 : scene->model_count;
    p->composed = false;
    snprintf(p->file, sizeof p->file, "%.200s", scene->file);
    gyre_result result = single ? GYRE_OK : gy_composed_fit(scene, &p->composed);
    if (result) {
        return result;
    }
    p->drawn = calloc((size_t)count, sizeof *p->drawn);
    if (!p->drawn) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for a picture", scene->file);
    }
    for (int i = 0; i < count && !result; i++) {
        gyre_render_input *input = &p->drawn[i].input;
        result = gy_drawn_open(scene, single ? model : i, field, copies, &p->drawn[i]);
        p->count += !result;
        if (p->composed) {
            input->settings = scene->settings.view; // the floor is the picture's
        }
        input->settings.channels = (gyre_pool){0}; // found by gy_drawn_open(), and the scene's
        input->memory = p->memory;
    }
    result = result || !p->composed ? result : gy_nested_merge(scene, p->drawn);
    if (result) {
        close_picture(p);
    }
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
static gyre_result draw_panels(const gyre_picture *p, gyre_device *device, gyre_image *image)
{
    bool wide = image->width >= image->height;
    int length = wide ? image->width : image->height;
    gyre_result result = GYRE_OK;
    if (length < p->count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: %d models on %d pixels", p->file, p->count,
                         length);
    }
    for (int i = 0; i < p->count && result == GYRE_OK; i++) {
        int low = length * i / p->count, size = length * (i + 1) / p->count - low;
        gyre_image panel;
        result = gyre_image_create(wide ? size : image->width, wide ? image->height : size, &panel);
        if (result == GYRE_OK) {
            result = gyre_render(device, &p->drawn[i].input, &panel);
            put_panel(&panel, wide ? low : 0, wide ? 0 : low, image);
            gyre_image_free(&panel);
        }
    }
    return result;
}

static gyre_result draw_picture(gyre_picture *p, gyre_device *device, gyre_image *image)
{
    if (p->composed) {
        return gy_render_composed(p, device, image);
    }
    return p->count == 1 ? gyre_render(device, &p->drawn[0].input, image)
                         : draw_panels(p, device, image);
}

gyre_result gyre_scene_render(gyre_scene *scene, gyre_image *image)
{
    if (GY_MISSING("scene_render", scene) || GY_MISSING("scene_render", image)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result result = scene->drawn ? GYRE_OK : gyre_render_memory_create(&scene->drawn);
    gyre_picture p = {.memory = scene->drawn};
    result = result ? result : open_picture(scene, false, &p);
    if (result) {
        return result;
    }
    result = draw_picture(&p, gyre_model_device(scene->models[0].model), image);
    close_picture(&p);
    return result;
}

gyre_result gyre_picture_create(gyre_picture **picture)
{
    if (GY_MISSING("picture_create", picture)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_picture *made = calloc(1, sizeof *made);
    if (!made) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
    }
    gyre_result result = gyre_render_memory_create(&made->memory);
    if (result) {
        free(made);
        return result;
    }
    *picture = made;
    return GYRE_OK;
}

void gyre_picture_destroy(gyre_picture *picture)
{
    if (picture) {
        close_picture(picture);
        gyre_render_memory_destroy(picture->memory);
        free(picture);
    }
}

gyre_result gyre_picture_hold(gyre_picture *picture, gyre_scene *scene)
{
    if (GY_MISSING("picture_hold", picture) || GY_MISSING("picture_hold", scene)) {
        return GYRE_ERROR_ARGUMENT;
    }
    close_picture(picture);
    return open_picture(scene, true, picture);
}

gyre_result gyre_picture_draw(gyre_picture *picture, gyre_device *device, gyre_image *image)
{
    if (GY_MISSING("picture_draw", picture) || GY_MISSING("picture_draw", device) ||
        GY_MISSING("picture_draw", image)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (picture->count == 0) {
        return gyre_fail(GYRE_ERROR_STATE, "picture_draw: it holds nothing");
    }
    return draw_picture(picture, device, image);
}
