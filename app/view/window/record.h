// view/window/record.h: pictures and videos of what is seen.
#ifndef VIEW_RECORD_H
#define VIEW_RECORD_H

#include "gyre/base.h"

typedef struct view_app view_app;

typedef struct view_record view_record;

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
