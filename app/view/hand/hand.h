// view/hand/hand.h: what mouse, fingers and keys do: look round, pour, push, grab, paint.
#ifndef VIEW_HAND_H
#define VIEW_HAND_H

#include "view/hand/stroke.h"
#include <SDL.h>

typedef struct view_app view_app;

typedef enum drag_kind { DRAG_NONE, DRAG_POUR, DRAG_PUSH, DRAG_ORBIT, DRAG_PAN } drag_kind;

typedef struct view_fingers {
    int count;
    SDL_FingerID id[2];
    float x[2], y[2]; // pixels
} view_fingers;

typedef struct view_hand {
    int mouse_x, mouse_y; // pixels
    bool mouse_inside;
    drag_kind drag;
    bool drag_outside; // it has left the domain: where it comes back it starts anew
    view_fingers fingers;
    float through[3]; // the brush's plane goes through it
    view_brush brush;
    view_grab grab;
} view_hand;

/// A picture that was dropped into the window.
typedef struct view_drop {
    char path[512];   // waits for the answer what it shall be
    char emitter[32]; // that shows it, to be taken away again
    int64_t step;
    int number;
} view_drop;

// camera.c: aim.h for the window
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

// brush.c: stroke.h for the window
/// Takes the body under a pixel. False: there is none.
bool grab_begin(view_app *app, float x, float y);
void grab_move(view_app *app, float x, float y);
void grab_end(view_app *app);

void brush_prepare(view_app *app, const gyre_scene *scene, int model);
void brush_forget(view_app *app); // the scene starts as opened: the brush's emitters are gone
void brush_pour(view_app *app, const float point[3], bool start);
void brush_push(view_app *app, const float point[3], bool start);
/// Digs the ground, or heaps it up.
void brush_dig(view_app *app, const float point[3], bool start, bool heap);
/// Whether the scene has ground to dig; if not, it is said.
bool brush_can_dig(view_app *app);
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

#endif
