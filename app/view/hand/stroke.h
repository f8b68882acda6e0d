// view/hand/stroke.h: what a brush and a hand do to a scene that runs, wherever the pointer comes
// from: settings and elements as text, one at a time. Knows of no window.
#ifndef VIEW_STROKE_H
#define VIEW_STROKE_H

#include "gyre/shape.h"
#include "view/hand/aim.h"

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
    int number;                      // of the pointer: each has emitters of its own
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

/// What a stroke acts on, and when.
typedef struct view_touch {
    void (*input)(void *context, const char *path, const char *json); // as view_session_input()
    void (*note)(void *context, bool bad, const char *text);          // to who draws
    void *context;
    int64_t step;  // of the state that is seen
    bool paused;   // nothing steps meanwhile
    double passed; // s since the pointer was asked before
} view_touch;

// stroke.c
/// Finds what there is to pour, push and dig in a model. `number`: of the pointer, 0 the first.
void stroke_prepare(view_brush *brush, const gyre_scene *scene, int model, int number);
/// The scene starts as opened: the brush's emitters are gone.
void stroke_forget(view_brush *brush);
void stroke_pour(view_brush *brush, const view_touch *touch, const float point[3], bool start);
void stroke_push(view_brush *brush, const view_touch *touch, const float point[3], bool start);
/// Digs the ground, or heaps it up.
void stroke_dig(view_brush *brush, const view_touch *touch, const float point[3], bool start,
                bool heap);
/// Whether the scene has ground to dig; if not, it is said.
bool stroke_can_dig(const view_brush *brush, const view_touch *touch);
void stroke_lift(view_brush *brush);
/// Once a picture: what was switched on and is no longer wanted is switched off.
void stroke_update(view_brush *brush, const view_touch *touch);

// grab.c
/// Takes the body under a pixel (y from the bottom). False: there is none.
bool stroke_grab(view_grab *grab, const view_brush *brush, const view_touch *touch,
                 const view_aim *aim, float x, float y,
                 bool (*read)(void *context, const char *pool, int number, view_grab *grab));
void stroke_carry(view_grab *grab, const view_touch *touch, const view_aim *aim, float x, float y);
void stroke_let_go(view_grab *grab, const view_brush *brush, const view_touch *touch);
/// Path and place of a body of a list, by its name or, where it has none, its number.
bool stroke_read_body(const gyre_scene *scene, const char *pool, int number, view_grab *grab);

#endif
