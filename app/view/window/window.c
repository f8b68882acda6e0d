// view/window/window.c: the window, its life from start to end, and the loop.
#define _POSIX_C_SOURCE 200809L
#include "view/app.h"

#include <epoxy/gl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

void app_note(view_app *app, bool bad, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->note.text, sizeof app->note.text, format, arguments);
    va_end(arguments);
    app->note.bad = bad;
    app->note.until = app->clock.now + (bad ? 8.0 : 4.0);
}

static int complain(const char *what)
{
    fprintf(stderr, "gyre-view: %s\n", what);
    return 1;
}

// ---- a display that goes away

// Xlib calls these when the server is gone or the window was taken away, and ends the program when
// the first returns. Nothing may be asked of the display any more; a video that is being recorded
// can still be made whole.
static view_app *running;

static int end_without_display(const char *what)
{
    view_app *app = running;
    running = NULL;
    complain(what);
    if (app) {
        record_stop(app);
    }
    _exit(1);
}

static int on_lost_display(void *display)
{
    (void)display;
    return end_without_display("the display is gone");
}

static int on_refusal(void *display, void *event)
{
    (void)display;
    (void)event;
    if (running && running->options.window_id) {
        // Whoever lent the window took it back: the end of every screensaver.
        _exit(0);
    }
    return end_without_display("the display took the window away");
}

// By name, so that nothing here depends on X: where it is not in use there is nothing to do.
static void watch_display(view_app *app)
{
    typedef int lost_handler(void *display);
    typedef int refusal_handler(void *display, void *event);
    running = app;
    if (strcmp(SDL_GetCurrentVideoDriver(), "x11") != 0) {
        return;
    }
    void *library = SDL_LoadObject("libX11.so.6");
    lost_handler *(*set_lost)(lost_handler *) = NULL;
    refusal_handler *(*set_refusal)(refusal_handler *) = NULL;
    void *symbol = library ? SDL_LoadFunction(library, "XSetIOErrorHandler") : NULL;
    memcpy(&set_lost, &symbol, sizeof symbol);
    symbol = library ? SDL_LoadFunction(library, "XSetErrorHandler") : NULL;
    memcpy(&set_refusal, &symbol, sizeof symbol);
    if (set_lost && set_refusal) {
        set_lost(on_lost_display);
        set_refusal(on_refusal);
    }
}

// ---- scenes

void app_close_scene(view_app *app)
{
    if (!app->show.session) {
        return;
    }
    input_release(app);
    record_stop(app);
    view_session_close(app->show.session);
    paint_free(app);
    app->show.session = NULL;
    app->show.frame[VIEW_A] = app->show.frame[VIEW_B] = NULL;
    app->show.has_look = app->show.one = false;
    app->show.pane_count = 0;
    app->show.variants = 1;
    app->drop.emitter[0] = app->drop.path[0] = 0;
    app->panel.ready = app->panel.asked = false;
    app->panel.shown.count = app->panel.next.count = app->panel.shown.stat_count = 0;
    app->panel.open_count = 0;
    app->panel.edit_path[0] = 0;
}

static int device_threads(const view_app *app)
{
    int cores = SDL_GetCPUCount();
    if (app->options.threads > 0) {
        return app->options.threads;
    }
    // A software renderer wants half of the machine for itself.
    return app->window.software && cores > 1 ? cores / 2 : cores;
}

static void name_files(view_app *app, const char *path)
{
    view_panel *p = &app->panel;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int length = (int)strcspn(name, ".");
    snprintf(p->scene_file, sizeof p->scene_file, "my_%.*s.json", length, name);
    snprintf(p->replay_file, sizeof p->replay_file, "my_%.*s.replay.json", length, name);
    snprintf(p->video_file, sizeof p->video_file, "my_%.*s.%s", length, name,
             panel_video_ending(app));
}

// What was told by the options is for the scene that was told there.
static bool is_first(const view_app *app, const char *path)
{
    return app->options.scene && strcmp(path, app->options.scene) == 0;
}

bool app_open_scene(view_app *app, const char *path)
{
    view_session_def def = {.scene = path,
                            .threads = device_threads(app),
                            .device = app->options.device,
                            .screen = &app->window.screen,
                            .sets = is_first(app, path) ? app->options.sets : NULL};
    if (app->show.coming) {
        app_note(app, true, "%.200s is still being loaded", view_session_path(app->show.coming));
        return false;
    }
    app->show.coming = view_session_open(&def);
    if (!app->show.coming) {
        app_note(app, true, "%s", gyre_message());
    }
    return app->show.coming != NULL;
}

static void adopt_scene(view_app *app, view_session *session)
{
    const char *path = view_session_path(session);
    app_close_scene(app);
    app->show.session = session;
    const gyre_scene *scene = view_session_lock(session);
    if (scene) {
        int model = 0;
        const char *field = gyre_scene_get_settings(scene)->view.field;
        if (field[0] && gyre_scene_field(scene, field, &model, NULL)) {
            model = 0; // the session tells that it is not there
        }
        brush_prepare(app, scene, model);
    }
    view_session_unlock(session);
    view_session_get_settings(session, &app->show.settings);
    name_files(app, path);
    app->gallery.shown = false;
    app->show.wants_pause = app->options.paused;
    app->show.inner_scale = app->window.software ? 0.5f : 1.0f;
    if (app->options.split && is_first(app, path)) {
        view_session_split(session, true);
    }
    view_session_pause(session, app->show.wants_pause);
    char title[200];
    snprintf(title, sizeof title, "%s - gyre",
             app->show.settings.title[0] ? app->show.settings.title : path);
    SDL_SetWindowTitle(app->window.handle, title);
}

void app_take_scene(view_app *app)
{
    view_session_stats stats;
    view_session *session = app->show.coming;
    if (!session) {
        return;
    }
    view_session_get_stats(session, &stats);
    if (stats.loading) {
        return;
    }
    app->show.coming = NULL;
    if (stats.has_models) {
        adopt_scene(app, session);
        return;
    }
    // From the gallery, or dropped, it is a message; where there is nothing else, the end.
    app_note(app, true, "%s", stats.error);
    view_session_close(session);
    if (app->options.saver) {
        saver_failed(app);
    } else if (!app->show.session && !app->gallery.shown) {
        app->window.status = complain(stats.error);
        app->window.quit = true;
    }
}

// ---- start and end

static void choose_size(const view_app *app, int *width, int *height)
{
    SDL_Rect room = {0, 0, 1280, 800};
    SDL_GetDisplayUsableBounds(0, &room);
    *width = app->options.width;
    *height = app->options.height;
    if (app->options.saver && *width == 0) {
        // All of the screen, also where no window manager sees to that.
        SDL_GetDisplayBounds(0, &room);
        *width = room.w;
        *height = room.h;
    } else if (*width == 0) {
        *width = room.w > 1360 ? 1280 : room.w > 80 ? room.w - 80 : room.w;
        *height = room.h > 840 ? 720 : room.h > 120 ? room.h - 120 : room.h;
    }
}

static bool make_context(view_app *app)
{
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    int width, height;
    choose_size(app, &width, &height);
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    flags |= app->options.full_screen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0;
    app->window.full_screen = app->options.full_screen;
    if (app->options.window_id) {
        SDL_SetHint(SDL_HINT_VIDEO_FOREIGN_WINDOW_OPENGL, "1");
        app->window.handle = SDL_CreateWindowFrom((void *)(uintptr_t)app->options.window_id);
    } else {
        app->window.handle = SDL_CreateWindow("gyre", SDL_WINDOWPOS_CENTERED,
                                              SDL_WINDOWPOS_CENTERED, width, height, flags);
    }
    app->window.context = app->window.handle ? SDL_GL_CreateContext(app->window.handle) : NULL;
    if (!app->window.context || SDL_GL_MakeCurrent(app->window.handle, app->window.context)) {
        return false;
    }
    if (!app->options.window_id) {
        SDL_SetWindowMinimumSize(app->window.handle, 160, 120);
    }
    // Not every driver has it; without it the loop keeps to the screen's rate by itself.
    SDL_GL_SetSwapInterval(1);
    return true;
}

// SDL falls back on drivers that show nothing; a viewer that nobody sees is no help. What the
// environment asks for by SDL_VIDEODRIVER is taken as it is.
static bool find_display(void)
{
#if !defined(_WIN32) && !defined(__APPLE__)
    const char *wayland = getenv("WAYLAND_DISPLAY"), *x11 = getenv("DISPLAY");
    if (!getenv("SDL_VIDEODRIVER")) {
        if ((!wayland || !wayland[0]) && (!x11 || !x11[0])) {
            SDL_SetError("neither DISPLAY nor WAYLAND_DISPLAY is set");
            return false;
        }
        SDL_SetHint(SDL_HINT_VIDEODRIVER, !wayland || !wayland[0] ? "x11"
                                          : !x11 || !x11[0]       ? "wayland"
                                                                  : "wayland,x11");
    }
#endif
    return SDL_Init(SDL_INIT_VIDEO | SDL_INIT_TIMER) == 0;
}

static bool start(view_app *app)
{
    // Signals end the loop, here and not in SDL.
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    if (!find_display()) {
        app->window.status = 1;
        fprintf(stderr, "gyre-view: there is no display to open a window on: %s\n", SDL_GetError());
        return false;
    }
    if (!make_context(app)) {
        app->window.status = 1;
        fprintf(stderr, "gyre-view: this display has no OpenGL 3.3: %s\n", SDL_GetError());
        return false;
    }
    int version = epoxy_gl_version();
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    if (version < 33) {
        app->window.status = 1;
        fprintf(stderr, "gyre-view: this display has OpenGL %d.%d, 3.3 is needed\n", version / 10,
                version % 10);
        return false;
    }
    app->window.software =
        renderer && (strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") ||
                     strstr(renderer, "SwiftShader"));
    app->window.screen = view_draw_screen();
    if (app->options.copy_fields) {
        app->window.screen = (view_screen){.why_not = "--copy-fields"};
    }
    SDL_GL_GetDrawableSize(app->window.handle, &app->window.width, &app->window.height);
    int points;
    SDL_GetWindowSize(app->window.handle, &points, NULL);
    float scale = points > 0 ? (float)app->window.width / (float)points : 1.0f;
    if (!gui_start(app->window.handle, app->window.context, scale > 1.0f ? scale : 1.0f) ||
        !panel_start(app)) {
        app->window.status = complain("no memory for the panels");
        return false;
    }
    // In a small window the picture comes first; Tab brings the panel.
    app->panel.visible =
        app->panel.visible && app->window.width >= 480 && app->window.height >= 240;
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    watch_display(app);
    return true;
}

static void stop(view_app *app)
{
    app_close_scene(app);
    running = NULL;
    for (int i = 0; i < VIEW_VARIANTS; i++) {
        view_draw_destroy(app->show.draw[i]);
    }
    for (int i = 0; i < VIEW_MODELS - 1; i++) {
        view_draw_destroy(app->show.panes[i].draw);
    }
    if (app->window.context) {
        gallery_free(app);
        gui_stop();
        panel_stop(app);
        SDL_GL_DeleteContext(app->window.context);
    }
    if (app->window.handle) {
        SDL_DestroyWindow(app->window.handle);
    }
    SDL_Quit();
}

// ---- the loop

static double clock_now(void)
{
    static Uint64 begin;
    Uint64 now = SDL_GetPerformanceCounter();
    begin = begin ? begin : now;
    return (double)(now - begin) / (double)SDL_GetPerformanceFrequency();
}

// Whether the picture would stay as it is: then the loop sleeps until something happens.
static bool is_still(const view_app *app)
{
    bool rests = !app->show.session || view_session_paused(app->show.session);
    return rests && !app->show.coming && app->hand.drag == DRAG_NONE && !app->record &&
           app->clock.now > app->note.until && app->options.frames == 0 &&
           !app->hand.brush.dye.enabled && !app->hand.brush.push.enabled && !app->drop.emitter[0];
}

static void take_events(view_app *app)
{
    SDL_Event event;
    // A panel that is pressed or a message that fades wants a few frames more than its event; a
    // tenth of a second is nothing for the machine.
    bool any = is_still(app) || app->window.minimised ? SDL_WaitEventTimeout(&event, 100) == 1
                                                      : SDL_PollEvent(&event) == 1;
    for (; any; any = SDL_PollEvent(&event) == 1) {
        if (app->options.saver) {
            saver_event(app, &event);
        } else {
            input_event(app, &event);
        }
    }
    SDL_GL_GetDrawableSize(app->window.handle, &app->window.width, &app->window.height);
}

static void draw_gui(view_app *app)
{
    Uint64 begin = SDL_GetPerformanceCounter();
    gui_begin();
    if (app->options.saver) {
        saver_draw(app);
    }
    if (app->gallery.shown) {
        gallery_draw(app);
    }
    if (!app->panel.hidden) {
        if (app->show.session && !app->gallery.shown) {
            if (app->panel.visible) {
                panel_draw(app);
            }
            drop_panel(app);
        }
        if (!app->gallery.shown) {
            overlay_draw(app);
        }
    }
    gui_end();
    float ms =
        1e3f * (float)(SDL_GetPerformanceCounter() - begin) / (float)SDL_GetPerformanceFrequency();
    app->clock.gui_ms += 0.1f * (ms - app->clock.gui_ms);
}

static void measure(view_app *app)
{
    double now = clock_now();
    app->clock.frame_seconds = now - app->clock.now;
    app->clock.now = now;
    float ms = 1e3f * (float)app->clock.frame_seconds;
    app->clock.frame_ms += 0.1f * (ms - app->clock.frame_ms);
    app->clock.history[app->clock.history_at] = ms;
    app->clock.history_at = (app->clock.history_at + 1) %
                            (int)(sizeof app->clock.history / sizeof app->clock.history[0]);
}

// Where the display does not make the loop wait (no vsync), 60 pictures a second are enough.
static void keep_rate(const view_app *app)
{
    double spent = clock_now() - app->clock.now;
    if (spent < 1.0 / 60) {
        SDL_Delay((Uint32)(1e3 * (1.0 / 60 - spent)));
    }
}

// The panel has a place of its own where the window is wide enough. While a video is recorded the
// picture stays where it is.
static void lay_out(view_app *app)
{
    enum { PANEL = 360, ENOUGH = 800 };
    bool panel =
        app->panel.visible && !app->panel.hidden && !app->gallery.shown && app->show.session;
    if (!app->record) {
        app->window.left = panel && app->window.width >= ENOUGH ? PANEL : 0;
    }
}

static void one_frame(view_app *app)
{
    measure(app);
    take_events(app);
    app_take_scene(app);
    if (app->window.minimised || app->window.width < 1 || app->window.height < 1) {
        // The scene goes on; only nobody looks.
        show_update(app);
        brush_update(app);
        SDL_Delay(20);
        return;
    }
    lay_out(app);
    show_update(app);
    if (app->show.session) {
        if (app->options.saver) {
            saver_update(app);
        } else {
            input_hold(app);
        }
        brush_update(app);
        drop_update(app);
    }
    show_paint(app);
    bool panels = app->panel.video_panel;
    if (!panels) {
        record_frame(app);
    }
    draw_gui(app);
    if (panels) {
        record_frame(app);
    }
    // Pictures count from the first that shows the scene.
    bool counts = app->show.session ? app->show.has_look : !app->show.coming;
    app->clock.first_at = counts && app->clock.frames == 0 ? app->clock.now : app->clock.first_at;
    if (counts && app->clock.frames == app->options.frames / 2) {
        app->clock.later = app->clock.frames;
        app->clock.later_at = app->clock.now;
        app->clock.later_spent = (double)clock() / CLOCKS_PER_SEC;
    }
    app->clock.frames += counts;
    bool last = app->options.frames > 0 && app->clock.frames >= app->options.frames;
    if (last && app->options.screenshot && picture_window(app, app->options.screenshot)) {
        app->window.status = complain(gyre_message());
    }
    SDL_GL_SwapWindow(app->window.handle);
    keep_rate(app);
    app->window.quit = app->window.quit || last || stopped;
}

// How the fields of a device with memory of its own came to the screen.
static void tell_way(const view_session_stats *s)
{
    if (!s->remote) {
        return;
    }
    printf("fields: %s%s%s; %lld frames, %.1f KB a frame read by the processor\n",
           s->shares ? "interop" : "copied (", s->shares ? "" : s->why_copied, s->shares ? "" : ")",
           (long long)s->frames, s->frames ? 1e-3 * (double)s->read / (double)s->frames : 0.0);
}

// For those who measure: what --frames has come to.
static void tell_rate(const view_app *app)
{
    double passed = clock_now() - app->clock.first_at;
    if (app->options.frames > 1 && app->clock.frames > 1 && app->show.session && passed > 0) {
        printf("%lld frames of %d x %d in %.2f s: %.1f per second", (long long)app->clock.frames,
               app->window.width, app->window.height, passed, (double)app->clock.frames / passed);
        if (app->show.look.inner_width > 0) {
            printf(", drawn at %d x %d", app->show.look.inner_width, app->show.look.inner_height);
        }
        printf("; %lld steps of %.1f ms, %.2g x real time\n", (long long)app->show.stats.step,
               app->show.stats.step_ms, app->show.stats.slowdown);
        double more = (double)(app->clock.frames - app->clock.later);
        double spent = (double)clock() / CLOCKS_PER_SEC - app->clock.later_spent;
        printf("the later half: %.1f per second, %.1f ms of processor time each\n",
               more / (clock_now() - app->clock.later_at), 1e3 * spent / more);
        tell_way(&app->show.stats);
    }
}

int app_run(const view_options *options)
{
    static view_app app;
    bool bare = options->hidden_gui || options->saver;
    app = (view_app){.options = *options,
                     .show = {.variants = 1, .inner_scale = 1.0f},
                     .panel = {.hidden = bare, .visible = !bare}};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // A reader or an encoder that went away is an error of that write.
    signal(SIGPIPE, SIG_IGN);
    clock_now();
    bool good = start(&app);
    if (good && options->scene && !options->saver && !app_open_scene(&app, options->scene)) {
        app.window.status = complain(gyre_message());
        good = false;
    }
    if (good && options->saver && !saver_start(&app)) {
        app.window.status = complain("there are no scenes to show");
        good = false;
    } else if (good && !options->saver && !options->scene) {
        gallery_open(&app);
    }
    while (good && !app.window.quit) {
        one_frame(&app);
    }
    tell_rate(&app);
    // What ends a video may still fail, and nobody reads the overlay any more.
    app.note.text[0] = 0;
    record_stop(&app);
    if (app.note.text[0] && app.note.bad) {
        app.window.status = complain(app.note.text);
    }
    stop(&app);
    if (app.show.coming) {
        // A load cannot be called back. Nobody waits for it any more: it ends with the process.
        fflush(stdout);
        _exit(app.window.status);
    }
    return app.window.status;
}
