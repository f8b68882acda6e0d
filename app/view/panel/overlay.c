// view/panel/overlay.c: what is written over the picture: the legend, the value under the pointer,
// the brush, how fast it runs, and the keys.
#include "view/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const gui_colour white = {0.95f, 0.95f, 0.95f, 1.0f}, amber = {1.0f, 0.8f, 0.4f, 1.0f},
                        red = {1.0f, 0.55f, 0.5f, 1.0f};

// ---- the legend

static gyre_colour_map map_of(const view_app *app, const view_field *field)
{
    gyre_colour_map map = (gyre_colour_map)app->show.look.settings.map;
    if (map != GYRE_MAP_AUTO) {
        return map;
    }
    return field->view == GYRE_VIEW_DENSITY       ? GYRE_MAP_SMOKE
           : field->view == GYRE_VIEW_TEMPERATURE ? GYRE_MAP_BLACK_BODY
           : field->view == GYRE_VIEW_SIGNED      ? GYRE_MAP_COOLWARM
                                                  : GYRE_MAP_VIRIDIS;
}

static void draw_legend(view_app *app, const view_field *field)
{
    float range[2], right = (float)app->window.width - 20.0f, bar = 14.0f;
    float top = 60.0f, height = fminf(220.0f, (float)app->window.height - 140.0f);
    char text[80];
    if (height < 40.0f || app->window.width < 200) {
        return;
    }
    view_draw_range(app->show.draw[0], &app->show.look, range);
    gyre_colour_map map = map_of(app, field);
    for (int i = 0; i < (int)height; i++) {
        float rgb[3];
        gyre_map_colour(map, 1.0f - (float)i / height, rgb);
        gui_draw_box(right - bar, top + (float)i, bar, 1.0f,
                     (gui_colour){rgb[0], rgb[1], rgb[2], 1.0f}, true);
    }
    gui_draw_box(right - bar, top, bar, height, white, false);
    for (int i = 0; i <= 4; i++) {
        float size[2], part = (float)i / 4.0f;
        snprintf(text, sizeof text, "%.3g", (double)(range[0] + part * (range[1] - range[0])));
        gui_text_size(text, size);
        gui_draw_note(right - bar - 9.0f - size[0], top + (1.0f - part) * height - 0.5f * size[1],
                      white, text);
    }
    float size[2];
    snprintf(text, sizeof text, "%s (%s)", field->name, field->unit);
    gui_text_size(text, size);
    gui_draw_note(right - size[0], top - 24.0f, white, text);
}

// ---- under the pointer

static const view_field *shown_field(const view_app *app, const view_frame *frame)
{
    int i = view_frame_find(frame, app->show.look.field);
    // A volume shows smoke, whatever field is chosen.
    i = i >= 0 && app->show.look.mode != VIEW_VOLUME ? i : frame->density;
    return i >= 0 ? &frame->fields[i] : NULL;
}

static bool value_at(view_draw *draw, const view_frame *frame, const view_field *field,
                     const float point[3], float *value)
{
    const gyre_grid *g = &frame->grid;
    int at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = a < g->dim ? (int)floorf((point[a] - g->origin[a]) / g->h) : 0;
        if (at[a] < 0 || at[a] >= g->n[a]) {
            return false;
        }
    }
    if (frame->shared) {
        return draw && view_draw_value(draw, (int)(field - frame->fields), at, value);
    }
    *value = field->data[((size_t)at[2] * (size_t)g->n[1] + (size_t)at[1]) * (size_t)g->n[0] +
                         (size_t)at[0]];
    return true;
}

static void draw_value(view_app *app, char *text, size_t size)
{
    float point[3], value;
    int variant = show_variant(app, (float)app->hand.mouse_x);
    const view_frame *frame = app->show.frame[variant];
    text[0] = 0;
    if (!frame || !app->hand.mouse_inside ||
        gui_covers((float)app->hand.mouse_x, (float)app->hand.mouse_y) ||
        !show_pick(app, (float)app->hand.mouse_x, (float)app->hand.mouse_y, point)) {
        return;
    }
    const view_field *field = shown_field(app, frame);
    if (!field || !field->present ||
        !value_at(app->show.draw[variant], frame, field, point, &value)) {
        return;
    }
    char place[80];
    snprintf(place, sizeof place, frame->grid.dim == 3 ? "(%.3g, %.3g, %.3g) m" : "(%.3g, %.3g) m",
             (double)point[0], (double)point[1], (double)point[2]);
    snprintf(text, size, "%s %.4g %s at %s", field->name, (double)value,
             strcmp(field->unit, "1") == 0 ? "" : field->unit, place);
}

static void draw_brush(view_app *app)
{
    float scale = show_scale(app, (float)app->hand.mouse_x, (float)app->hand.mouse_y);
    if (!app->hand.mouse_inside || gui_covers((float)app->hand.mouse_x, (float)app->hand.mouse_y) ||
        scale <= 0.0f) {
        return;
    }
    float radius = fmaxf(2.0f, app->hand.brush.radius * scale), x = (float)app->hand.mouse_x,
          y = (float)app->hand.mouse_y;
    gui_colour colour = app->hand.brush.paints || app->hand.brush.digs ? amber : white;
    // In a split window the hand is in both halves.
    float other = (float)((app->window.width - app->window.left) / 2);
    for (int i = 0; i < app->show.variants; i++) {
        float at = i == 0 ? x : show_variant(app, x) == VIEW_B ? x - other : x + other;
        gui_draw_circle(at, y, radius, (gui_colour){0, 0, 0, 0.5f}, 3.0f);
        gui_draw_circle(at, y, radius, colour, 1.2f);
    }
}

// ---- lines

static void draw_lines(view_app *app)
{
    char text[400];
    float x = (float)app->window.left + 12.0f, y = 12.0f, step = 24.0f;
    const view_session_stats *s = &app->show.stats;
    if (s->error[0]) {
        snprintf(text, sizeof text, "stopped: %.380s", s->error);
        gui_draw_note(x, y, red, text);
        y += step;
    } else if (view_session_paused(app->show.session)) {
        gui_draw_note(x, y, white, "paused");
        y += step;
    } else if (s->slowdown < 0.95) {
        snprintf(text, sizeof text, "%.2g x real time: this machine is too slow for this scene",
                 s->slowdown);
        gui_draw_note(x, y, amber, text);
        y += step;
    }
    if (app->show.look.inner_width > 0) {
        snprintf(text, sizeof text, "drawn at %d x %d", app->show.look.inner_width,
                 app->show.look.inner_height);
        gui_draw_note(x, y, amber, text);
        y += step;
    }
    if (record_status(app, text, sizeof text)) {
        gui_draw_note(x, y, red, text);
        y += step;
    }
    if (app->hand.brush.paints) {
        gui_draw_note(x, y, amber, "painting solids");
        y += step;
    }
    if (app->hand.brush.digs) {
        gui_draw_note(x, y, amber, "digging");
        y += step;
    }
}

static void draw_bottom(view_app *app)
{
    char value[200];
    float y = (float)app->window.height - 24.0f, size[2];
    draw_value(app, value, sizeof value);
    if (value[0]) {
        gui_text_size(value, size);
        gui_draw_note((float)app->window.width - 12.0f - size[0], y, white, value);
    }
    if (app->note.text[0] && app->clock.now < app->note.until) {
        gui_draw_note((float)app->window.left + 12.0f, value[0] ? y - 24.0f : y,
                      app->note.bad ? red : white, app->note.text);
    } else if (app->clock.now < 8.0 && !app->panel.help) {
        gui_draw_note((float)app->window.left + 12.0f, y, white, "h shows the keys");
    }
}

static void draw_help(view_app *app)
{
    static const char *const lines[] = {
        "left drag      pour dye or smoke",
        "right drag     push; of water: take away",
        "wheel          size of the brush",
        "Ctrl+wheel     nearer, farther",
        "middle drag    turn (3D), move (2D)",
        "Alt+left       the same",
        "Shift+middle   move",
        "two fingers    push; apart: nearer",
        "",
        "v              velocity as arrows",
        "1 .. 7         map, cells, streaks, volume, stack, surface, bars",
        "f, F           next field, the one before",
        "m              next colour map",
        "0, Home        the whole domain",
        "p              paint solids; Backspace: take back",
        "d              dig the ground, heap it up (right)",
        "space          pause, go on",
        "n              one step",
        "c              clear: start anew with these settings",
        "r              reset: start anew as the file says",
        "s              write a picture",
        "w, W           write the scene, the replay",
        "R              record a video, end it",
        "b              split: A beside B",
        "o              of several models one, or all beside each other",
        "Tab            the panel",
        "g              the scenes",
        "F11            full screen",
        "h              these lines",
        "q              quit"};
    if (!app->panel.help) {
        return;
    }
    gui_window("Keys", 0.5f * (float)app->window.width, 0.5f * (float)app->window.height, 0, 0,
               GUI_FIXED | GUI_CENTRED | GUI_FITTED, &app->panel.help);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        gui_text(lines[i]);
    }
    gui_window_end();
}

void overlay_draw(view_app *app)
{
    if (app->show.coming) {
        char text[300];
        float size[2];
        snprintf(text, sizeof text, "loading %.250s", view_session_path(app->show.coming));
        gui_text_size(text, size);
        gui_draw_note(0.5f * ((float)app->window.width - size[0]), 0.5f * (float)app->window.height,
                      white, text);
    }
    if (!app->show.session) {
        draw_bottom(app);
        draw_help(app);
        return;
    }
    draw_lines(app);
    const view_frame *frame = app->show.frame[0];
    const view_field *field = frame ? shown_field(app, frame) : NULL;
    bool mixed = app->show.draw[0] && (view_draw_mixes(app->show.draw[0], &app->show.look) ||
                                       view_flow_shown(app->show.draw[0], &app->show.look));
    if (field && !mixed && app->show.look.legend &&
        (show_is_map(app) || app->show.look.mode == VIEW_STACK)) {
        draw_legend(app, field);
    }
    for (int m = 0; frame && app->show.pane_count > 0 && m <= app->show.pane_count; m++) {
        int x, y, width, height;
        show_model_area(app, m, &x, &y, &width, &height);
        float top = (float)(app->window.height - y - height);
        gui_draw_box((float)x, top, (float)width, (float)height, white, false);
        gui_draw_note((float)x + 12.0f, top + (float)height - 28.0f,
                      m == app->show.model ? amber : white, frame->models[m]);
    }
    if (app->show.variants > 1) {
        float half = (float)(app->window.left + (app->window.width - app->window.left) / 2);
        gui_draw_line(half, 0, half, (float)app->window.height, white, 1.0f);
        gui_draw_note(half - 22.0f, 12.0f, white, "A");
        gui_draw_note(half + 14.0f, 12.0f, white, "B");
    }
    draw_brush(app);
    draw_bottom(app);
    draw_help(app);
}
