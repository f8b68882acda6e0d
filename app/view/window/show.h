// view/window/show.h: which scene is shown, how, and where its points lie in the window; the show
// that changes by itself.
#ifndef VIEW_SHOW_H
#define VIEW_SHOW_H

#include "view/hand/aim.h"
#include "view/session/session.h"
#include <SDL.h>

typedef struct view_app view_app;

/// A show that changes by itself.
typedef struct view_saver {
    uint32_t random;
    int order[64], next;       // of the gallery's scenes; GALLERY_MOST at most
    double since;              // s of the clock: of the scene's first picture
    const view_session *shown; // whose colours were chosen
    int failed;                // scenes, one after the other
    float phase, poured;
} view_saver;

/// One of the scene's other models beside the one that the hand works in.
typedef struct view_pane {
    view_draw *draw;
    view_look look;
    int model; // -1: none yet
} view_pane;

typedef struct view_show {
    view_session *session;
    view_session *coming; // its scene is being loaded; it takes the place of `session` then
    int variants;
    view_draw *draw[VIEW_VARIANTS];
    const view_frame *frame[VIEW_VARIANTS];
    view_pane panes[VIEW_MODELS - 1];
    int pane_count;
    bool one; // of several models one alone
    view_look look;
    gyre_scene_settings settings; // of the scene, as last adopted
    view_dye dyes[VIEW_FIELDS];   // likewise
    bool has_look;
    int model;      // that the look is made for
    char meant[32]; // the field that the scene's colours and range are meant for
    int32_t meant_map;
    bool meant_mixed;     // whether it stands for all scalars together
    float meant_range[2]; // both as they were when another was chosen
    bool wants_pause;     // what the user asked for
    view_session_stats stats;
    float inner_scale; // of the ray-march
    double scale_at;   // s, when it was last changed
} view_show;

// show.c
void show_update(view_app *app);
void show_paint(view_app *app);
/// Which variant a pixel of the window shows.
int show_variant(const view_app *app, float x);
/// The part of the window that shows a variant: pixels, y from the bottom.
void show_area(const view_app *app, int variant, int *x, int *y, int *width, int *height);
/// The same of a model, where all are shown.
void show_model_area(const view_app *app, int model, int *x, int *y, int *width, int *height);
/// The model whose picture has a pixel of the window (y from the top).
int show_model_at(const view_app *app, float x, float y);
/// The picture that the pixel `at` (along x) of the window lies in; a place of the window (y from
/// the top) becomes one in it.
view_aim show_aim(view_app *app, float at, float *x, float *y);
/// The place in the domain under a pixel of the window (y from the top). False: none.
bool show_pick(view_app *app, float x, float y, float point[3]);
/// The same, also outside of the domain.
bool show_place(view_app *app, float x, float y, float point[3]);
/// Pixels per metre where the brush is.
float show_scale(view_app *app, float x, float y);
void show_mode(view_app *app, int mode);
/// Shows another field. Colours and range stay with the field they were chosen for.
void show_field(view_app *app, const char *name);
void show_next_field(view_app *app, int way);
void show_next_map(view_app *app);
bool show_is_map(const view_app *app);
const char *show_mode_name(int mode);

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

#endif
