// view/app.h: what the files of the viewer share.
#ifndef VIEW_APP_H
#define VIEW_APP_H

#include "view/draw.h"
#include "view/gui.h"
#include "view/session.h"

#include "gyre/shape.h"

#include <SDL.h>

enum { SETS_MOST = 64, AMOUNTS_MOST = 8, GALLERY_MOST = 64, PAINTED_MOST = 500 };

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

/// A show that changes by itself.
typedef struct view_saver {
    uint32_t random;
    int order[64], next;       // of the gallery's scenes; GALLERY_MOST at most
    double since;              // s of the clock: of the scene's first picture
    const view_session *shown; // whose colours were chosen
    int failed;                // scenes, one after the other
    float phase, poured;
} view_saver;

// ---- the brush

/// A number of an emitter that the brush can pour: a field's name, and how much per second.
typedef struct brush_amount {
    char name[32], unit[24]; // of the field
    char member[32];         // of the emitter

    float value;
    bool on, extra; // extra: a channel that the emitter names
} brush_amount;

/// An emitter of the scene that follows the pointer.
typedef struct brush_emitter {
    bool exists, enabled, wanted;
    int64_t since; // the step at which it was switched on
    float from[3], to[3], radius;
} brush_emitter;

typedef struct view_painted {
    char name[32];
    float from[3], to[3], radius;
} view_painted;

typedef struct view_brush {
    char emitters[128], solids[128]; // paths of the lists; "": the scene has none
    char bodies[128];                // likewise, of those that a hand can hold
    // Members of emitters and bodies by what they do; "": there is none.
    char mode[32], rate[16], set[16], push_switch[32], discharge[32], hold[32];
    bool push_is_force;
    bool drains; // emitters of water: the right button takes away
    char push_name[32];
    char extra[32], extra_amount[32]; // which other field gets how much
    int amount_count;
    brush_amount amounts[AMOUNTS_MOST]; // of extra channels one at a time
    float radius, strength;             // m; factor of the pointer's velocity
    bool paints;                        // the left button paints solids, the right takes them away
    brush_emitter dye, push;
    int64_t step; // when `from` was last moved up
    float velocity[3];
    view_painted *painted;
    int painted_count, painted_number;
    float stroke[3]; // where the last painted piece ended
} view_brush;

/// A body in the hand: pulled along a level, by timed settings.
typedef struct view_grab {
    bool held, was_held;
    char path[192]; // of the body
    float start[3]; // its place when it was taken
    float from[3];  // where on it, and where the hand is now
    float hand[3], velocity[3];
} view_grab;

// ---- the panel's picture of the properties

typedef enum panel_kind {
    PANEL_LEAF,
    PANEL_GROUP,
    PANEL_POOL,
    PANEL_ELEMENT,
    PANEL_END
} panel_kind;

typedef struct panel_item {
    int kind;
    bool fixed, named; // fixed: not to be changed now; named: it is the element's name
    bool readable;
    char path[192], label[48];
    const gyre_property *property;
    gyre_value value;
} panel_item;

typedef struct panel_stat {
    const gyre_property *property;
    char label[80]; // its name, the model's before it where there are several
    gyre_value value;
} panel_stat;

enum { OPEN_MOST = 32, STATS_MOST = 96 };

typedef struct panel_state {
    panel_item *items;
    int count, room;
    panel_stat stats[STATS_MOST];
    int stat_count;
    int64_t step; // when it was taken
} panel_state;

typedef struct view_panel {
    SDL_mutex *mutex; // of `next`, which the session's thread fills
    panel_state next, shown;
    bool ready, asked, wants_stats; // wants_stats: of the session's thread, set while none is asked
    bool stats_open;
    double asked_at;
    int variant;
    char open[OPEN_MOST][192]; // elements whose members are shown
    int open_count;
    char edit_path[192]; // what the hand changed last
    gyre_value edit_value;
    double edit_at;
    char scene_file[256], replay_file[256], video_file[256];
    int video_kind;   // of videos: panel_video_ending()
    bool video_panel; // the recording holds the panels too
} view_panel;

// ---- the rest

typedef struct gallery_entry {
    char path[512], title[64];
    uint32_t texture;
    bool has_picture;
} gallery_entry;

typedef struct view_gallery {
    bool shown;
    gallery_entry entries[GALLERY_MOST];
    int count, chosen;
    bool follow; // the keys have chosen: it must come into sight
} view_gallery;

typedef struct view_record view_record;

typedef enum drag_kind { DRAG_NONE, DRAG_POUR, DRAG_PUSH, DRAG_ORBIT, DRAG_PAN } drag_kind;

typedef struct view_fingers {
    int count;
    SDL_FingerID id[2];
    float x[2], y[2]; // pixels
} view_fingers;

typedef struct view_app {
    view_options options;
    SDL_Window *window;
    SDL_GLContext context;
    int width, height; // of what is drawn into, pixels
    int left;          // where the picture begins: beside the panel when there is room for both
    bool software, minimised, full_screen;
    view_screen screen;
    bool quit;
    int status;
    double now, frame_seconds; // s of the clock; the last frame's length
    int64_t frames;
    double first_at; // s, when the first of them was begun

    view_session *session;
    view_session *coming; // its scene is being loaded; it takes the place of `session` then
    int variants;
    view_draw *draw[VIEW_VARIANTS];
    const view_frame *frame[VIEW_VARIANTS];
    view_look look;
    gyre_scene_settings settings; // of the scene, as last adopted
    bool has_look;
    int model;      // that the look is made for
    char meant[32]; // the field that the scene's colours and range are meant for
    int32_t meant_map;
    float meant_range[2]; // both as they were when another was chosen
    bool wants_pause;     // what the user asked for
    view_session_stats stats;

    int mouse_x, mouse_y; // pixels
    bool mouse_inside;
    drag_kind drag;
    bool drag_outside; // it has left the domain: where it comes back it starts anew
    view_fingers fingers;
    float through[3]; // the brush's plane goes through it
    view_brush brush;
    view_grab grab;

    view_panel panel;
    bool panel_open, help_open, gui_hidden;
    view_gallery gallery;
    view_saver saver;
    view_record *record;
    char dropped[512]; // a picture that waits for the answer what it shall be
    char image[32];    // the emitter that shows it, to be taken away again
    int64_t image_step;
    int image_number;

    char note[512]; // a line for a while
    double note_until;
    bool note_bad;

    float upload_ms, draw_ms, gui_ms, frame_ms;
    float history[120];
    int history_at;
    float inner_scale; // of the ray-march
    double scale_at;   // s, when it was last changed
} view_app;

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

// saver.c
bool saver_start(view_app *app);
void saver_update(view_app *app);
/// The scene that was to come next does not.
void saver_failed(view_app *app);
/// The dark between two scenes, over all.
void saver_draw(const view_app *app);
void saver_event(view_app *app, const SDL_Event *event);
/// The number of a window as screensaver daemons write it: "0x1c00007". False: none.
bool saver_window_id(const char *text, unsigned long *id);

// show.c
void show_update(view_app *app);
void show_paint(view_app *app);
/// Which variant a pixel of the window shows.
int show_variant(const view_app *app, float x);
/// The part of the window that shows a variant: pixels, y from the bottom.
void show_area(const view_app *app, int variant, int *x, int *y, int *width, int *height);
/// The place in the domain under a pixel of the window (y from the top). False: none.
bool show_pick(const view_app *app, float x, float y, float point[3]);
/// The same, also outside of the domain.
bool show_place(const view_app *app, float x, float y, float point[3]);
/// Pixels per metre where the brush is.
float show_scale(const view_app *app, float x, float y);
void show_mode(view_app *app, int mode);
/// Shows another field. Colours and range stay with the field they were chosen for.
void show_field(view_app *app, const char *name);
void show_next_field(view_app *app, int way);
void show_next_map(view_app *app);
bool show_is_map(const view_app *app);
const char *show_mode_name(int mode);

// camera.c
void camera_reset(view_app *app);
void camera_orbit(view_app *app, float dx, float dy);
void camera_pan(view_app *app, float x0, float y0, float x1, float y1);
/// factor > 1: nearer, about a pixel.
void camera_zoom(view_app *app, float x, float y, float factor);

// input.c
void input_event(view_app *app, const SDL_Event *event);
/// What goes on while a button is down.
void input_hold(view_app *app);
void input_release(view_app *app);

// brush.c
/// Takes the body under a pixel. False: there is none.
bool grab_begin(view_app *app, float x, float y);
void grab_move(view_app *app, float x, float y);
void grab_end(view_app *app);

void brush_prepare(view_app *app, const gyre_scene *scene, int model);
void brush_forget(view_app *app); // the scene starts as opened: the brush's emitters are gone
void brush_pour(view_app *app, const float point[3], bool start);
void brush_push(view_app *app, const float point[3], bool start);
void brush_lift(view_app *app);
void brush_update(view_app *app);
void brush_size(view_app *app, float factor);

// paint.c
void paint_solid(view_app *app, const float point[3], bool start);
void paint_erase(view_app *app, const float point[3]);
void paint_undo(view_app *app);
void paint_free(view_app *app);
void drop_file(view_app *app, const char *path);
void drop_panel(view_app *app); // asks what a picture shall be
void drop_update(view_app *app);

// panel.c
bool panel_start(view_app *app);
void panel_stop(view_app *app);
void panel_draw(view_app *app);
void panel_save_scene(view_app *app);
void panel_save_replay(view_app *app);
/// "mp4", "gif" or "webm", as chosen.
const char *panel_video_ending(const view_app *app);

// panel_state.c
void panel_ask(view_app *app);
void panel_take(view_app *app);
bool panel_is_open(const view_panel *panel, const char *path);

// panel_edit.c
/// Draws the element that fits the property; true when the hand changed the value.
bool edit_value(const gyre_property *property, gyre_value *value, const char *label, bool fixed,
                const char *reason);
/// The lines of a table of a plain struct; true when one was changed.
bool edit_table(const gyre_property *table, void *def);
/// The value as JSON.
void value_json(const gyre_property *property, const gyre_value *value, char *json, size_t size);
/// The value in words: "0.1 m/s", an enum's name.
void value_text(const gyre_property *property, const gyre_value *value, char *text, size_t size);
void edit_model(view_app *app);

// gallery.c
void gallery_open(view_app *app);
void gallery_draw(view_app *app);
bool gallery_key(view_app *app, SDL_Keycode key);
void gallery_free(view_app *app);

// overlay.c
void overlay_draw(view_app *app);

// record.c
/// Starts a video of what is seen; ".mp4" or ".gif" by its ending.
gyre_result record_start(view_app *app, const char *path);
void record_frame(view_app *app);
/// Ends the file and waits until it is whole.
void record_stop(view_app *app);
bool record_status(const view_app *app, char *text, size_t size);

// picture.c
void picture_save(view_app *app, const char *path);
/// The next gyre-NNNN.png, or the like, that is not there yet.
void picture_name(const char *ending, char *path, size_t size);
/// Writes all that is seen, panels too.
gyre_result picture_window(view_app *app, const char *path);
/// RGBA, the top row first, to be freed; NULL where it cannot be read.
uint8_t *picture_load(const char *path, int *width, int *height);
uint32_t picture_texture(const uint8_t *rgba, int width, int height);

#endif
