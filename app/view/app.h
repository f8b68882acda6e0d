// view/app.h: the viewer as a whole: its parts, each of which has a header of its own. session/
// runs a scene beside the display, draw/ draws its frames; neither knows of the others. hand/ is
// what the mouse does, panel/ what lies over the picture, window/ what holds them together.
#ifndef VIEW_APP_H
#define VIEW_APP_H

#include "view/hand/hand.h"
#include "view/panel/panel.h"
#include "view/window/record.h"
#include "view/window/show.h"

enum { SETS_MOST = 64 };

/// What the command line says.
typedef struct view_options {
    const char *scene; // NULL: the gallery
    const char *sets[SETS_MOST + 1];
    int set_count;
    int threads; // 0: as fits this machine
    const char *device;
    int width, height;      // of the window; 0: as the screen has room
    int frames;             // quit after so many; 0: by hand
    const char *screenshot; // written at the end
    bool hidden_gui, paused, full_screen, split;
    const char *mode, *field; // to begin with
    bool copy_fields;         // do not draw them from where they lie
    bool saver;               // a show instead of a viewer
    unsigned long window_id;  // of X11: draw in there; 0: a window of one's own
} view_options;

typedef struct view_window {
    SDL_Window *handle;
    SDL_GLContext context;
    int width, height; // of what is drawn into, pixels
    int left;          // where the picture begins: beside the panel when there is room for both
    bool software, minimised, full_screen;
    view_screen screen;
    bool quit;
    int status;
} view_window;

typedef struct view_clock {
    double now, frame_seconds; // s; the last frame's length
    int64_t frames;
    double first_at; // s, when the first of them was begun
    // Of --frames the later half, by when what draws is compiled: its first picture, when that was
    // begun, and the processor time that had gone by then, s.
    int64_t later;
    double later_at, later_spent;
    float upload_ms, draw_ms, gui_ms, frame_ms;
    float history[120];
    int history_at;
} view_clock;

/// A line for a while.
typedef struct view_note {
    char text[512];
    double until;
    bool bad;
} view_note;

struct view_app {
    view_options options;
    view_window window;
    view_clock clock;
    view_show show;
    view_hand hand;
    view_drop drop;
    view_panel panel;
    view_gallery gallery;
    view_saver saver;
    view_record *record;
    view_note note;
};

// window.c
int app_run(const view_options *options);
/// A line at the bottom, for some seconds.
void app_note(view_app *app, bool bad, const char *format, ...) GYRE_PRINTF(3, 4);
/// Begins to load a scene, which takes the place of the present one when it has come. False:
/// another is on its way, or nothing can be loaded.
bool app_open_scene(view_app *app, const char *path);
/// Sees whether the scene that is on its way has come.
void app_take_scene(view_app *app);
void app_close_scene(view_app *app);

#endif
