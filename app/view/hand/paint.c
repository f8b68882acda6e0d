// view/hand/paint.c: solids painted with the brush, and pictures dropped on the window. Both are
// elements added to the scene's lists.
#include "view/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float distance(const float a[3], const float b[3])
{
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrtf(sum);
}

static bool can_paint(view_app *app)
{
    if (!app->hand.brush.solids[0]) {
        app_note(app, true, "this scene has no list of solids");
    } else if (app->hand.brush.painted_count >= PAINTED_MOST) {
        app_note(app, true, "%d pieces are painted: take some away first", PAINTED_MOST);
    } else {
        return true;
    }
    return false;
}

void paint_solid(view_app *app, const float point[3], bool start)
{
    view_brush *b = &app->hand.brush;
    // A piece for each half radius of the way: enough for a smooth wall.
    if ((!start && distance(point, b->stroke) < 0.5f * b->radius) || !can_paint(app)) {
        return;
    }
    if (!b->painted) {
        b->painted = calloc(PAINTED_MOST, sizeof *b->painted);
    }
    if (!b->painted) {
        app_note(app, true, "no memory for painted solids");
        return;
    }
    const float *from = start ? point : b->stroke;
    view_painted piece = {.radius = b->radius};
    snprintf(piece.name, sizeof piece.name, "paint_%d", ++b->painted_number);
    memcpy(piece.from, from, sizeof piece.from);
    memcpy(piece.to, point, sizeof piece.to);
    char json[400];
    snprintf(json, sizeof json,
             "{\"name\": \"%s\", \"shape\": {\"capsule\": {\"from\": [%.9g, %.9g, %.9g], \"to\": "
             "[%.9g, %.9g, %.9g], \"radius\": %.9g}}}",
             piece.name, (double)from[0], (double)from[1], (double)from[2], (double)point[0],
             (double)point[1], (double)point[2], (double)b->radius);
    view_session_input(app->show.session, b->solids, json);
    b->painted[b->painted_count++] = piece;
    memcpy(b->stroke, point, sizeof b->stroke);
}

static void take_away(view_app *app, int i)
{
    view_brush *b = &app->hand.brush;
    char path[256];
    snprintf(path, sizeof path, "%s.%s", b->solids, b->painted[i].name);
    view_session_input(app->show.session, path, "null");
    b->painted_count--;
    memmove(&b->painted[i], &b->painted[i + 1],
            (size_t)(b->painted_count - i) * sizeof b->painted[0]);
}

void paint_erase(view_app *app, const float point[3])
{
    view_brush *b = &app->hand.brush;
    for (int i = b->painted_count - 1; i >= 0; i--) {
        const view_painted *p = &b->painted[i];
        gyre_shape shape = {.kind = GYRE_SHAPE_CAPSULE};
        memcpy(shape.as.capsule.from, p->from, sizeof p->from);
        memcpy(shape.as.capsule.to, p->to, sizeof p->to);
        shape.as.capsule.radius = p->radius;
        int dim = app->show.frame[0] ? app->show.frame[0]->grid.dim : 2;
        if (gyre_shape_distance(&shape, dim, point) <= 0.0f) {
            take_away(app, i);
        }
    }
}

void paint_undo(view_app *app)
{
    if (app->hand.brush.painted_count > 0) {
        take_away(app, app->hand.brush.painted_count - 1);
    }
}

void paint_free(view_app *app)
{
    free(app->hand.brush.painted);
    app->hand.brush.painted = NULL;
    app->hand.brush.painted_count = 0;
}

// ---- dropped files

static bool ends(const char *path, const char *ending)
{
    size_t a = strlen(path), b = strlen(ending);
    return a > b && SDL_strcasecmp(path + a - b, ending) == 0;
}

void drop_file(view_app *app, const char *path)
{
    if (ends(path, ".json")) {
        app_open_scene(app, path);
    } else if (!ends(path, ".png") && !ends(path, ".npy")) {
        app_note(app, true, "%.200s: expected a scene (.json) or a picture (.png, .npy)", path);
    } else if (!app->show.session) {
        app_note(app, true, "open a scene first, then drop the picture on it");
    } else if (strpbrk(path, "\"\\")) {
        app_note(app, true, "%.200s: a name with quotes cannot be kept in a scene", path);
    } else {
        snprintf(app->drop.path, sizeof app->drop.path, "%s", path);
    }
}

// The picture's place: in the middle of the domain, as large as fits with a margin.
static bool picture_box(view_app *app, float low[3], float size[3])
{
    gyre_volume volume = {0};
    if (gyre_read_volume(app->drop.path, &volume)) {
        app_note(app, true, "%s", gyre_message());
        return false;
    }
    const gyre_grid *g = &app->show.frame[0]->grid;
    float width = (float)volume.n[0], height = (float)volume.n[1], deep = (float)volume.n[2];
    bool flat = volume.n[2] == 1;
    gyre_volume_free(&volume);
    float room[3], scale;
    for (int a = 0; a < 3; a++) {
        room[a] = 0.8f * g->h * (float)g->n[a];
    }
    scale = fminf(room[0] / width, room[1] / height);
    // A picture in 3D is a sheet of a few cells.
    deep = flat ? fmaxf(4.0f * g->h, 0.05f * room[2]) / scale : deep;
    scale = flat ? scale : fminf(scale, room[2] / deep);
    size[0] = scale * width;
    size[1] = scale * height;
    size[2] = scale * deep;
    for (int a = 0; a < 3; a++) {
        low[a] = g->origin[a] + 0.5f * (g->h * (float)g->n[a] - size[a]);
    }
    return true;
}

static void add_picture(view_app *app, bool solid)
{
    view_brush *b = &app->hand.brush;
    float low[3], size[3];
    const char *pool = solid ? b->solids : b->emitters;
    if (!pool[0]) {
        app_note(app, true, "this scene has no list of %s", solid ? "solids" : "emitters");
        return;
    }
    if (!app->show.frame[0] || !picture_box(app, low, size)) {
        return;
    }
    char json[1400], name[32], amounts[300] = "";
    snprintf(name, sizeof name, "picture_%d", ++app->drop.number);
    for (int i = 0; i < b->amount_count && !solid; i++) {
        const brush_amount *a = &b->amounts[i];
        size_t used = strlen(amounts);
        if (a->on && !a->extra) {
            // A third of a second of pouring, all in one or two steps where the mode can set.
            snprintf(amounts + used, sizeof amounts - used, ", \"%s\": %.9g", a->member,
                     (double)a->value / (b->mode[0] ? 5.0 : 0.2));
        }
    }
    char mode[64] = "";
    if (!solid && b->mode[0]) {
        snprintf(mode, sizeof mode, ", \"%s\": \"%s\"", b->mode, b->set);
    }
    snprintf(json, sizeof json,
             "{\"name\": \"%s\"%s%s, \"shape\": {\"volume\": {\"data\": \"%s\", \"low\": [%.9g, "
             "%.9g, %.9g], \"size\": [%.9g, %.9g, %.9g], \"threshold\": 0.5}}}",
             name, mode, amounts, app->drop.path, (double)low[0], (double)low[1], (double)low[2],
             (double)size[0], (double)size[1], (double)size[2]);
    view_session_input(app->show.session, pool, json);
    if (!solid) {
        snprintf(app->drop.emitter, sizeof app->drop.emitter, "%s", name);
        app->drop.step = app->show.stats.step;
    }
}

void drop_panel(view_app *app)
{
    if (!app->drop.path[0]) {
        return;
    }
    const char *slash = strrchr(app->drop.path, '/');
    bool answered = false;
    gui_window("What shall the picture be?", 0.5f * (float)app->window.width,
               0.5f * (float)app->window.height, 0, 0, GUI_FIXED | GUI_CENTRED | GUI_FITTED, NULL);
    gui_text(slash ? slash + 1 : app->drop.path);
    gui_text_dim("What is bright in it becomes");
    if (gui_button("dye or smoke")) {
        add_picture(app, false);
        answered = true;
    }
    gui_same_line();
    if (gui_button("an obstacle")) {
        add_picture(app, true);
        answered = true;
    }
    gui_same_line();
    if (gui_button("nothing")) {
        answered = true;
    }
    gui_window_end();
    if (answered) {
        app->drop.path[0] = 0;
    }
}

void drop_update(view_app *app)
{
    // Dye comes once: when steps have seen the emitter it goes again.
    if (app->drop.emitter[0] && app->show.stats.step >= app->drop.step + 3) {
        char path[256];
        snprintf(path, sizeof path, "%s.%s", app->hand.brush.emitters, app->drop.emitter);
        view_session_input(app->show.session, path, "null");
        app->drop.emitter[0] = 0;
    }
}
