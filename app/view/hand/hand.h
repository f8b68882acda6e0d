// view/hand/hand.h: what mouse, fingers and keys do: look round, pour, push, grab, paint.
#ifndef VIEW_HAND_H
#define VIEW_HAND_H

#include "gyre/shape.h"
#include "view/session/session.h"
#include <SDL.h>

typedef struct view_app view_app;

enum { AMOUNTS_MOST = 8, PAINTED_MOST = 500 };

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
    char ground[128], raise[32];     // likewise of what moves the ground; its member
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
    bool digs;                          // the left button digs the ground, the right heaps it up
    float dig;                          // m/s
    brush_emitter dye, push, sink, rise;
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

// grab.c, brush.c
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
