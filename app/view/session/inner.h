// view/session/inner.h: what the files of the session share.
#ifndef VIEW_SESSION_INNER_H
#define VIEW_SESSION_INNER_H

#include "view/session/session.h"

enum { SESSION_RESERVE = 512, SESSION_SOME = 8, SESSION_NAMES = VIEW_FIELDS };

/// An input that stays in force: what a scene that starts anew is given again.
typedef struct session_entry {
    char *path, *json;
    bool add, fixed; // an element is added; later ones must not move before it
} session_entry;

typedef struct session_log {
    session_entry *entries;
    int count, room;
} session_log;

/// Three frames: one is filled, one lies ready, one is looked at. Swapping needs no waiting.
typedef struct session_frames {
    view_frame frame[3];
    int back, ready, front;
    bool fresh; // what lies ready was not taken yet
} session_frames;

typedef struct session_variant {
    gyre_scene *scene; // NULL: none
    session_log log;
    session_frames frames;
} session_variant;

/// Whether this device's memory can be drawn by that screen from where it lies; else `why` says why
/// not.
bool session_can_share(gyre_device *device, const view_screen *screen, char *why, size_t size);

/// Loads and creates a variant's scene and gives it what its log holds; the old one is destroyed.
gyre_result session_variant_load(session_variant *variant, const view_session_def *def,
                                 gyre_device *device);

/// Applies an input now and notes it.
gyre_result session_variant_input(session_variant *variant, const char *path, const char *json);

void session_log_clear(session_log *log);
gyre_result session_log_copy(session_log *to, const session_log *from);

/// Brings the fields of a model that are named, and those a frame always holds, into it: copies, or
/// where `share` says so (and no surface is to be made of them) copies on their device.
gyre_result session_frame_fill(view_frame *frame, gyre_scene *scene, int model,
                               char names[SESSION_NAMES][32], int name_count, bool share);
/// The same of the model that is shown (-1: the scene's choice) and, where `all` are, of each other
/// one in the order of the file, as frame->next and so on.
gyre_result session_frame_fill_all(view_frame *frame, gyre_scene *scene, int shown,
                                   char names[SESSION_NAMES][32], int name_count, bool share,
                                   bool all);
void session_frame_free(view_frame *frame);
/// Brings the particles of a model into a frame.
gyre_result session_copy_points(view_frame *frame, gyre_scene *scene, int model);

/// Settings of a scene, with its view's channels copied.
gyre_scene_settings session_get_look(const gyre_scene *scene,
                                     gyre_view_channel channels[VIEW_FIELDS]);
/// Sets camera, light and view of a scene from `look`, without a record.
gyre_result session_set_look(gyre_scene *scene, const gyre_scene_settings *look);

#endif
