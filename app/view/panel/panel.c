// view/panel/panel.c: the panel at the left: the run, the brush, the look, the model's properties,
// its statistics.
#include "view/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool panel_start(view_app *app)
{
    view_panel *p = &app->panel;
    p->mutex = SDL_CreateMutex();
    return p->mutex != NULL;
}

void panel_stop(view_app *app)
{
    view_panel *p = &app->panel;
    free(p->next.items);
    free(p->shown.items);
    SDL_DestroyMutex(p->mutex);
    *p = (view_panel){0};
}

// ---- the run

static void draw_times(view_app *app)
{
    char text[200];
    const view_session_stats *s = &app->show.stats;
    snprintf(text, sizeof text, "frame %.1f ms, %.0f per second", (double)app->clock.frame_ms,
             app->clock.frame_ms > 0 ? 1e3 / (double)app->clock.frame_ms : 0.0);
    gui_plot("###frames", app->clock.history,
             (int)(sizeof app->clock.history / sizeof app->clock.history[0]), app->clock.history_at,
             60.0f, text);
    gui_tip("milliseconds of the last frames, 0 to 60");
    snprintf(text, sizeof text, "upload %.1f, draw %.1f, panels %.1f, step %.1f ms",
             (double)app->clock.upload_ms, (double)app->clock.draw_ms, (double)app->clock.gui_ms,
             s->step_ms);
    gui_text(text);
    snprintf(text, sizeof text, "%.1f of %.1f steps per second, %.2g x real time",
             s->steps_per_second, s->wanted_steps_per_second, s->slowdown);
    gui_text(text);
    snprintf(text, sizeof text, "memory of the models: %.1f MiB", (double)s->bytes / 1048576);
    gui_text(text);
    snprintf(text, sizeof text, "runs on %.40s", s->device ? s->device : "");
    gui_text(text);
    if (s->remote) {
        gui_text(s->shares ? "fields drawn from the device's memory" : "fields copied");
        gui_tip(s->shares ? "OpenGL imports it; the processor reads no field" : s->why_copied);
    }
}

void panel_save_scene(view_app *app)
{
    view_panel *p = &app->panel;
    gyre_scene_settings look = app->show.settings;
    look.camera = app->show.look.camera;
    look.light = app->show.look.light;
    look.view = app->show.look.settings;
    gyre_view_channel dyes[VIEW_FIELDS];
    for (int i = 0; i < app->show.look.dye_count; i++) {
        dyes[i] = app->show.look.dyes[i].look;
    }
    look.view.channels = (gyre_pool){.items = dyes, .count = app->show.look.dye_count};
    // A scene that shows its scalars together names no field.
    bool all = app->show.look.mixed && app->show.meant_mixed && app->show.look.dye_count > 1;
    snprintf(look.view.field, sizeof look.view.field, "%s", all ? "" : app->show.look.field);
    // Before the first picture there is no look yet: the file's own stays.
    if (view_session_save_scene(app->show.session, p->variant, p->scene_file,
                                app->show.has_look ? &look : NULL)) {
        app_note(app, true, "%s", gyre_message());
    } else {
        app_note(app, false, "%s is written: gyre run %s", p->scene_file, p->scene_file);
    }
}

void panel_save_replay(view_app *app)
{
    view_panel *p = &app->panel;
    if (view_session_save_replay(app->show.session, p->variant, p->replay_file)) {
        app_note(app, true, "%s", gyre_message());
    } else {
        app_note(app, false, "%s is written: gyre run %s --replay %s%s", p->replay_file,
                 view_session_path(app->show.session), p->replay_file,
                 app->options.set_count ? " with the same --set" : "");
    }
}

static const char *const video_kinds[] = {"mp4", "gif", "webm"};

const char *panel_video_ending(const view_app *app)
{
    return video_kinds[app->panel.video_kind];
}

static void choose_video(view_panel *p)
{
    for (int i = 0; i < (int)(sizeof video_kinds / sizeof video_kinds[0]); i++) {
        if (gui_radio(video_kinds[i], p->video_kind == i)) {
            char *dot = strrchr(p->video_file, '.');
            size_t length = dot ? (size_t)(dot - p->video_file) : strlen(p->video_file);
            p->video_kind = i;
            if (length + 6 < sizeof p->video_file) {
                snprintf(p->video_file + length, sizeof p->video_file - length, ".%s",
                         video_kinds[i]);
            }
        }
        gui_tip("of the video that is recorded here, or by R");
        gui_same_line();
    }
    gui_checkbox("with panels", &p->video_panel);
}

static void draw_files(view_app *app)
{
    view_panel *p = &app->panel;
    float width = 0.55f * gui_width();
    gui_item_width(width);
    gui_line("###scene_file", p->scene_file, sizeof p->scene_file);
    gui_same_line();
    if (gui_button("save scene")) {
        panel_save_scene(app);
    }
    gui_tip("writes the properties as they are now as a scene file (w)");
    gui_item_width(width);
    gui_line("###replay_file", p->replay_file, sizeof p->replay_file);
    gui_same_line();
    if (gui_button("save replay")) {
        panel_save_replay(app);
    }
    gui_tip("writes what was done since the start, step by step, for gyre run --replay (W)");
    gui_item_width(width);
    gui_line("###video_file", p->video_file, sizeof p->video_file);
    gui_same_line();
    char status[160];
    if (record_status(app, status, sizeof status)) {
        if (gui_button("stop video")) {
            record_stop(app);
        }
        gui_text_dim(status);
    } else if (gui_button("record")) {
        if (record_start(app, p->video_file)) {
            app_note(app, true, "%s", gyre_message());
        }
    }
    gui_tip("records what is seen to a .mp4, .gif or .webm (R)");
    choose_video(p);
}

static void draw_run(view_app *app)
{
    char title[160];
    gui_text_wrapped(app->show.settings.title[0] ? app->show.settings.title
                                                 : view_session_path(app->show.session));
    gui_tip(app->show.settings.doc);
    snprintf(title, sizeof title, "%.2f s, step %lld", app->show.stats.time,
             (long long)app->show.stats.step);
    gui_text_dim(title);
    bool paused = view_session_paused(app->show.session);
    if (gui_button(paused ? "go on" : "pause")) {
        app->show.wants_pause = !paused;
        view_session_pause(app->show.session, !paused);
    }
    gui_same_line();
    if (gui_button("step")) {
        view_session_pause(app->show.session, true);
        app->show.wants_pause = true;
        view_session_step(app->show.session);
    }
    gui_same_line();
    if (gui_button("clear")) {
        view_session_reset(app->show.session, true);
    }
    gui_tip("starts anew with what has been set (c)");
    gui_same_line();
    if (gui_button("reset")) {
        brush_forget(app);
        view_session_reset(app->show.session, false);
    }
    gui_tip("starts anew as the scene file says (r)");
    gui_same_line();
    if (gui_button("scenes")) {
        gallery_open(app);
    }
    bool split = app->show.variants > 1;
    if (gui_checkbox("split: A beside B", &split)) {
        view_session_split(app->show.session, split);
    }
    gui_tip("the same input on two settings of the properties; both start anew");
    draw_times(app);
    draw_files(app);
}

// ---- the brush

static void draw_brush(view_app *app)
{
    view_brush *b = &app->hand.brush;
    const gyre_grid *g = app->show.frame[0] ? &app->show.frame[0]->grid : NULL;
    float most = g ? 0.5f * g->h * (float)g->n[0] : 1.0f, width = 0.5f * gui_width();
    gui_item_width(width);
    gui_floats("radius (m)", &b->radius, 1, g ? g->h : 0.0f, most, true, 0, "%.3g");
    gui_tip("the wheel changes it");
    gui_item_width(width);
    gui_floats("push", &b->strength, 1, 0.0f, 10.0f, true, 0, "%.2f");
    gui_tip("velocity that the right button gives, over the pointer's own");
    if (gui_checkbox("paint solids", &b->paints)) {
        b->digs = false;
    }
    gui_tip("the left button paints solids, the right takes them away, Backspace the last (p)");
    if (b->ground[0]) {
        if (gui_checkbox("dig", &b->digs)) {
            b->paints = false;
        }
        gui_tip("the left button digs the ground, the right heaps it up (d)");
        gui_same_line();
        gui_item_width(width);
        gui_floats("m per s", &b->dig, 1, 0.0f, 100.0f, false, fmaxf(b->dig, 0.1f) * 0.01f, "%.3g");
    }
    for (int i = 0; i < b->amount_count; i++) {
        brush_amount *a = &b->amounts[i];
        char label[80];
        gui_push(a->name);
        if (gui_checkbox("###on", &a->on) && a->on && a->extra) {
            for (int k = 0; k < b->amount_count; k++) {
                b->amounts[k].on = b->amounts[k].on && (k == i || !b->amounts[k].extra);
            }
        }
        gui_tip("whether the left button pours it");
        gui_same_line();
        gui_item_width(width);
        snprintf(label, sizeof label, "%s per s", a->name);
        gui_floats(label, &a->value, 1, 0, 0, false, fmaxf(fabsf(a->value), 0.1f) * 0.01f, "%.4g");
        gui_pop();
    }
}

// ---- the look

static void draw_models(view_app *app)
{
    const char *names[VIEW_MODELS + 1] = {NULL};
    const view_frame *f = app->show.frame[0];
    if (!f || f->model_count < 2) {
        return;
    }
    for (int i = 0; i < f->model_count && i < VIEW_MODELS; i++) {
        names[i] = f->models[i];
    }
    int32_t chosen = f->model;
    gui_item_width(0.55f * gui_width());
    if (gui_choice("model", &chosen, names)) {
        view_session_show(app->show.session, chosen);
    }
    gui_tip("the one of the scene's models that the hand works in");
    bool all = !app->show.one;
    if (gui_checkbox("all models", &all)) {
        app->show.one = !all;
    }
    gui_tip("side by side; press in one to work in it (o)");
}

static void draw_fields(view_app *app)
{
    const char *names[VIEW_FIELDS + 1];
    const view_frame *f = app->show.frame[0];
    int32_t chosen = 0;
    if (!f) {
        return;
    }
    for (int i = 0; i < f->field_count; i++) {
        names[i] = f->fields[i].name;
        chosen = strcmp(names[i], app->show.look.field) == 0 ? i : chosen;
    }
    names[f->field_count] = NULL;
    gui_item_width(0.55f * gui_width());
    if (gui_choice("field", &chosen, names)) {
        show_field(app, names[chosen]);
    }
    gui_tip("that maps, cells, slices and stacks show (f)");
    if (f->flow.phases > 0) {
        gui_checkbox("texture", &app->show.look.textured);
        gui_tip("view.texture in maps and volumes, in place of the field and in the smoke");
    }
}

// The scalars that are seen together, each with its look.
static void draw_dyes(view_app *app)
{
    view_look *look = &app->show.look;
    if (look->dye_count == 0 || !gui_tree("dyes", "dyes", false)) {
        return;
    }
    if (gui_checkbox("all together", &look->mixed) && look->mixed) {
        const view_frame *f = app->show.frame[0];
        if (f && f->density >= 0) {
            show_field(app, f->fields[f->density].name);
        }
        look->mixed = true;
    }
    gui_tip("the scalars in one picture, mixed as view.mix says; else the field that is chosen");
    for (int i = 0; i < look->dye_count; i++) {
        view_dye *dye = &look->dyes[i];
        gyre_view_channel before = dye->look;
        gui_push(dye->look.name);
        gui_text(dye->look.name);
        for (const gyre_property *p = gyre_view_channel_properties; p->kind != GYRE_END; p++) {
            gyre_value value;
            void *at = (char *)&dye->look + p->offset;
            if (!(p->flags & GYRE_NAME) && gyre_property_read(p, at, &value) == GYRE_OK &&
                edit_value(p, &value, p->name, false, NULL)) {
                gyre_property_write(p, at, &value);
            }
        }
        // A density whose colour is set has one of its own from then on.
        bool coloured = memcmp(before.colour, dye->look.colour, sizeof before.colour) != 0;
        dye->plain = dye->plain && !coloured && before.scale == dye->look.scale;
        gui_pop();
    }
    gui_tree_end();
}

static void draw_look(view_app *app)
{
    for (int mode = 0; mode < VIEW_MODES; mode++) {
        bool flat = app->show.frame[0] && app->show.frame[0]->grid.dim == 2;
        bool fits = !(flat && (mode == VIEW_VOLUME || mode == VIEW_STACK));
        bool wet = mode == VIEW_SURFACE || mode == VIEW_BARS;
        fits = fits && !(wet && app->show.frame[0] && !view_frame_has_surface(app->show.frame[0]));
        gui_disable(!fits);
        if (gui_radio(show_mode_name(mode), app->show.look.mode == mode)) {
            show_mode(app, mode);
        }
        gui_enable();
        if (mode % 3 != 2 && mode + 1 < VIEW_MODES) {
            gui_same_line();
        }
    }
    draw_models(app);
    draw_fields(app);
    draw_dyes(app);
    gui_checkbox("velocity", &app->show.look.arrows);
    gui_same_line();
    gui_checkbox("solids", &app->show.look.solids);
    gui_same_line();
    gui_checkbox("legend", &app->show.look.legend);
    if (gui_tree("view", "view", false)) {
        edit_table(gyre_view_properties, &app->show.look.settings);
        gui_tree_end();
    }
    if (gui_tree("camera", "camera", false)) {
        edit_table(gyre_camera_properties, &app->show.look.camera);
        if (gui_small_button("whole domain")) {
            camera_reset(app);
        }
        gui_tree_end();
    }
    if (gui_tree("light", "light", false)) {
        edit_table(gyre_light_properties, &app->show.look.light);
        gui_tree_end();
    }
}

// ---- the model

static void draw_stats(view_app *app)
{
    const panel_state *state = &app->panel.shown;
    for (int i = 0; i < state->stat_count; i++) {
        const gyre_property *p = state->stats[i].property;
        char text[200], value[120];
        value_text(p, &state->stats[i].value, value, sizeof value);
        snprintf(text, sizeof text, "%-16s %s", state->stats[i].label, value);
        gui_text(text);
        gui_tip(p->doc);
    }
}

static void draw_model(view_app *app)
{
    view_panel *p = &app->panel;
    if (app->show.variants > 1 && gui_tabs("variants")) {
        static const char *const labels[] = {"A", "B"};
        for (int i = 0; i < VIEW_VARIANTS; i++) {
            if (gui_tab(labels[i])) {
                if (p->variant != i) {
                    p->variant = i;
                    p->asked_at = 0;
                    p->edit_path[0] = 0;
                }
                gui_tab_end();
            }
        }
        gui_tabs_end();
    }
    edit_model(app);
    p->stats_open = gui_section("statistics", false);
    if (p->stats_open) {
        draw_stats(app);
    }
}

void panel_draw(view_app *app)
{
    float width = app->window.left > 0 ? (float)app->window.left
                                       : fminf(360.0f, 0.9f * (float)app->window.width);
    unsigned flags = app->window.left > 0 ? GUI_FIXED : 0;
    if (app->show.variants < 2) {
        app->panel.variant = 0;
    }
    panel_ask(app);
    panel_take(app);
    if (gui_window(flags ? "gyre" : "gyre###small", 0, 0, width, (float)app->window.height, flags,
                   &app->panel.visible)) {
        draw_run(app);
        if (gui_section("brush", true)) {
            draw_brush(app);
        }
        if (gui_section("look", true)) {
            draw_look(app);
        }
        draw_model(app);
    }
    gui_window_end();
}
