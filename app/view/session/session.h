// view/session/session.h: a scene that runs on a thread of its own with a fixed step, takes input
// as timed settings, and hands out frames.
#ifndef VIEW_SESSION_H
#define VIEW_SESSION_H

#include "view/session/frame.h"

typedef struct view_session view_session;

typedef struct view_session_def {
    const char *scene; // path
    const char *text;  // what would stand in that file, `size` bytes; NULL: it is read
    size_t size;
    int threads;               // of the device; 0: all
    const char *device;        // as gyre_device_parse() takes it; NULL: "cpu"
    const view_screen *screen; // what frames are drawn with; NULL: they are copied
    const char *const *sets;   // "path=value" as of gyre run --set, ended by NULL; may be NULL
    // Looks at the scene before its models are made; what it returns but GYRE_OK ends the opening.
    // NULL: every scene will do.
    gyre_result (*allow)(void *context, const gyre_scene *scene);
    void *context;
} view_session_def;

typedef struct view_session_stats {
    int64_t step;
    double time;
    double step_ms; // mean of the last steps
    double steps_per_second, wanted_steps_per_second;
    double slowdown;    // seconds of fluid per second of clock over what the scene wants: 1 is real
                        // time, below 1: the machine is too slow, and time runs slower instead
    size_t bytes;       // memory of the models
    const char *device; // what it calls itself; as long as the session
    bool remote;        // the device has memory of its own
    bool shares;        // frames stay on the device; else they are copied, because of
    char why_copied[256];
    int64_t frames;   // that were made
    uint64_t read;    // bytes that the host has read from the device for them
    bool loading;     // the scene it was opened with has neither come nor failed yet
    bool has_models;  // false until the first scene stands, and after one could not be made
    char error[1024]; // not empty: the simulation stopped with this message
} view_session_stats;

/// A session runs the scene once, or split twice: A and B in step with each other, which get the
/// same input and may differ in their properties. Calls without a variant mean A (frames) or both
/// (input).
enum { VIEW_A, VIEW_B, VIEW_VARIANTS };

/// Starts a thread that loads and creates the scene, paused; returns at once. Whether the scene has
/// come or failed say the stats: `loading`, then `has_models` or `error`. NULL with gyre_message().
view_session *view_session_open(const view_session_def *def);
/// Ends the thread, after the step or the load that is under way. NULL is allowed.
void view_session_close(view_session *session);

void view_session_pause(view_session *session, bool paused);
bool view_session_paused(const view_session *session);
/// One step while paused.
void view_session_step(view_session *session);
/// Back to the start: the scene as it was opened, with what has been set since kept when
/// `keep_settings`. What was recorded starts anew.
void view_session_reset(view_session *session, bool keep_settings);

/// Input. Each of these is queued, applied before the next step, and recorded as an entry of the
/// timeline at that step's time: path and JSON text of the value. A path that names a pool
/// ("gas.solids") adds an element, an element's path with the value null removes it.
void view_session_input(view_session *session, const char *path, const char *json);
/// The same for one variant alone.
void view_session_input_to(view_session *session, int variant, const char *path, const char *json);

/// One scene or two. Both start anew, so that each has a whole record of its own; what has been set
/// since the start is kept, and B begins with A's settings.
void view_session_split(view_session *session, bool split);
/// 1 or 2.
int view_session_variants(const view_session *session);

/// The message of the last input that was refused, once; "" otherwise.
void view_session_refusal(view_session *session, char *message, size_t size);

/// What frames share cannot be imported: they are copied from now on, because of this.
void view_session_copy(view_session *session, const char *why);

/// Which fields frames shall hold beside velocity, density, temperature and solid.
void view_session_want(view_session *session, const char *const *names, int count);

/// Which model frames hold from now on; -1, as at the start: that whose field the scene shows
/// (view.field), else the first.
void view_session_show(view_session *session, int model);

/// Whether frames hold the scene's other models too (view_frame.next); not so at the start.
void view_session_show_all(view_session *session, bool all);

/// The newest frame when there is one that was not taken yet, else NULL. Belongs to the session and
/// stays as it is until the next call; so does what it shares, which must have been read by then.
const view_frame *view_session_take(view_session *session);
const view_frame *view_session_take_variant(view_session *session, int variant);

/// How far between the last two frames the display should be now, 0 to 1.
float view_session_blend(const view_session *session);

void view_session_get_stats(const view_session *session, view_session_stats *stats);

/// What the scene says beside its models (camera, light, view), which its timeline may change.
void view_session_get_settings(view_session *session, gyre_scene_settings *settings);

/// Has look(argument, scene) called once, on the session's thread before the next step (at once
/// when paused), with a variant's scene (NULL: there is none): so a panel reads what it shows
/// without waiting for a step. False: too many are waiting.
typedef void view_look_at(void *argument, const gyre_scene *scene);
bool view_session_observe(view_session *session, int variant, view_look_at *look, void *argument);

/// The present scene, for panels: def and tables may be read between these two calls, which keep
/// the simulation from stepping. Short!
/// NULL (still to be unlocked) when there is none.
const gyre_scene *view_session_lock(view_session *session);
void view_session_unlock(view_session *session);

/// Writes the present settings as a scene file, or what was put in since the start as a replay.
/// With `look` (may be NULL) its camera, light and view are the file's. Waits for the step that is
/// under way.
gyre_result view_session_save_scene(view_session *session, int variant, const char *path,
                                    const gyre_scene_settings *look);
gyre_result view_session_save_replay(view_session *session, int variant, const char *path);

/// Where the path's scene lies: the scene file this was opened with.
const char *view_session_path(const view_session *session);

#endif
