// view/window/saver.c: a show that changes by itself: the shipped scenes one after the other, in
// other colours, with a jet that wanders. Full screen, or inside a window that a screensaver daemon
// hands over.
#include "view/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Seconds that a scene is shown, and that it takes to come out of the dark and go back into it.
#define SHOWN 30.0
#define FADE 2.0

// ---- chance

static uint32_t next_random(view_saver *s)
{
    // xorshift (G. Marsaglia, 2003): a show needs no better one.
    s->random ^= s->random << 13;
    s->random ^= s->random >> 17;
    s->random ^= s->random << 5;
    return s->random;
}

static float random_unit(view_saver *s)
{
    return (float)(next_random(s) >> 8) / 16777216.0f;
}

// ---- the show

// Any order in which none comes twice before all have come once.
static void shuffle(view_app *app)
{
    view_saver *s = &app->saver;
    for (int i = 0; i < app->gallery.count; i++) {
        s->order[i] = i;
    }
    for (int i = app->gallery.count - 1; i > 0; i--) {
        int k = (int)(next_random(s) % (uint32_t)(i + 1)), kept = s->order[i];
        s->order[i] = s->order[k];
        s->order[k] = kept;
    }
}

// Colours that suit a dark room, for flat scenes that bring none of their own.
static void choose_colours(view_app *app)
{
    static const int maps[] = {GYRE_MAP_AUTO, GYRE_MAP_MAGMA, GYRE_MAP_INFERNO, GYRE_MAP_VIRIDIS,
                               GYRE_MAP_GRAY};
    view_saver *s = &app->saver;
    int map = maps[next_random(s) % (sizeof maps / sizeof maps[0])];
    if (app->show.frame[0] && app->show.frame[0]->grid.dim == 2) {
        app->show.look.settings.map = map;
        app->show.look.mode = next_random(s) % 4 == 0 ? VIEW_LIC : VIEW_MAP;
    }
    if (app->show.frame[0] && app->show.frame[0]->grid.dim == 2) {
        memset(app->show.look.settings.background_top, 0,
               sizeof app->show.look.settings.background_top);
        memset(app->show.look.settings.background_bottom, 0,
               sizeof app->show.look.settings.background_bottom);
    }
    app->show.look.legend = false;
}

static void open_next(view_app *app)
{
    view_saver *s = &app->saver;
    if (s->next >= app->gallery.count) {
        shuffle(app);
        s->next = 0;
    }
    const gallery_entry *e = &app->gallery.entries[s->order[s->next++]];
    if (!app_open_scene(app, e->path)) {
        saver_failed(app);
    }
}

void saver_failed(view_app *app)
{
    if (++app->saver.failed < 2 * app->gallery.count) {
        open_next(app);
        return;
    }
    // All of them have.
    fprintf(stderr, "gyre-view: %s\n", app->note.text);
    app->window.status = 1;
    app->window.quit = true;
}

// A hand that draws slow loops through the domain.
static void wander(view_app *app)
{
    view_saver *s = &app->saver;
    const gyre_grid *g = &app->show.frame[0]->grid;
    float t = (float)(app->clock.now - s->since), point[3];
    static const float rates[3] = {0.43f, 0.31f, 0.37f};
    for (int a = 0; a < 3; a++) {
        float middle = 0.5f + 0.36f * sinf(rates[a] * t + s->phase * (float)(a + 1));
        point[a] = g->origin[a] + (a < g->dim ? middle * (float)g->n[a] * g->h : 0.0f);
    }
    bool start = t < s->poured || s->poured == 0.0f;
    brush_push(app, point, start);
    s->poured = t;
}

bool saver_start(view_app *app)
{
    view_saver *s = &app->saver;
    s->random = (uint32_t)SDL_GetPerformanceCounter() | 1u;
    SDL_ShowCursor(SDL_DISABLE);
    if (app->options.scene) {
        // A show of that one.
        snprintf(app->gallery.entries[0].path, sizeof app->gallery.entries[0].path, "%s",
                 app->options.scene);
        app->gallery.count = 1;
    } else {
        gallery_open(app);
    }
    app->gallery.shown = false;
    s->next = GALLERY_MOST;
    if (app->gallery.count == 0) {
        return false;
    }
    open_next(app);
    return !app->window.quit;
}

void saver_update(view_app *app)
{
    view_saver *s = &app->saver;
    if (!app->show.session || !app->show.frame[0]) {
        return;
    }
    if (s->shown != app->show.session) {
        // Time counts from the first picture.
        s->shown = app->show.session;
        s->since = app->clock.now;
        s->poured = 0.0f;
        s->phase = 6.2831853f * random_unit(s);
        s->failed = 0;
        choose_colours(app);
        view_session_pause(app->show.session, false);
    }
    if (app->clock.now - s->since > SHOWN && !app->show.coming) {
        brush_lift(app);
        open_next(app);
    }
    wander(app);
}

void saver_draw(const view_app *app)
{
    const view_saver *s = &app->saver;
    double t = app->clock.now - s->since, dark = 0.0;
    if (s->shown != app->show.session || !app->show.frame[0]) {
        dark = 1.0;
    } else if (t < FADE) {
        dark = 1.0 - t / FADE;
    } else if (t > SHOWN - FADE) {
        dark = fmin(1.0, 1.0 - (SHOWN - t) / FADE);
    }
    if (dark > 0.0) {
        gui_draw_box(0, 0, (float)app->window.width, (float)app->window.height,
                     (gui_colour){0, 0, 0, dark < 1.0 ? (float)dark : 1.0f}, true);
    }
}

// A screensaver of one's own window ends at a touch; in another's window the daemon ends it.
void saver_event(view_app *app, const SDL_Event *event)
{
    bool moved = event->type == SDL_MOUSEMOTION &&
                 (abs(event->motion.xrel) > 3 || abs(event->motion.yrel) > 3);
    bool pressed = event->type == SDL_KEYDOWN || event->type == SDL_MOUSEBUTTONDOWN ||
                   event->type == SDL_MOUSEWHEEL || event->type == SDL_FINGERDOWN;
    bool closed = event->type == SDL_QUIT ||
                  (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_CLOSE);
    // The pointer comes with the window; what it does in the first second is no touch.
    bool counts = app->options.window_id == 0 && app->clock.now > 1.0;
    app->window.quit = app->window.quit || closed || (counts && (moved || pressed));
}

bool saver_window_id(const char *text, unsigned long *id)
{
    char *end;
    *id = strtoul(text, &end, 0);
    return end != text && *end == 0 && *id != 0;
}
