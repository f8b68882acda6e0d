// io/format.h: what a kind of file must say and do so that frames can go to it.
#ifndef GY_FORMAT_H
#define GY_FORMAT_H

#include "io/io.h"

/// All formats there are: a line here, and gy_format_NAME in a file of its own. The first that has
/// a path's ending counts.
#define GY_FORMATS(X) X(video) X(png) X(npy_points) X(npy) X(vti) X(npz) X(ply) X(vtp) X(obj) X(csv)

/// What a sink was opened with.
typedef struct gy_shape {
    int width, height; // of pictures
    double fps;
} gy_shape;

/// A format. A stream has open, put, close and abort; one of a file per frame has write.
typedef struct gy_format {
    gyre_format about;
    /// Begins a stream; *stream goes to the others. May be given up to the rename at close.
    gyre_result (*open)(const char *path, const gy_shape *shape, void **stream);
    /// Adds a frame, which has what `about.takes` says. Not called again after a failure.
    gyre_result (*put)(void *stream, const gyre_frame *frame);
    /// Ends the file and frees the stream, after a failure of put too.
    gyre_result (*close)(void *stream);
    /// Frees the stream and leaves no file.
    void (*abort)(void *stream);
    /// Refuses what no frame could be written of, before the disk is touched; may be NULL.
    gyre_result (*check)(const char *path, const gy_shape *shape);
    /// Writes one frame to a file of its own.
    gyre_result (*write)(const char *path, const gy_shape *shape, const gyre_frame *frame);
} gy_format;

#define GY_DECLARE_FORMAT(name) extern const gy_format gy_format_##name;
GY_FORMATS(GY_DECLARE_FORMAT)

/// The format of a path's ending; NULL with a message.
const gy_format *gy_format_find(const char *path);

/// Opens a table at a path of any ending: commas where the ending stands for no table.
gyre_result gy_sink_open_table(const char *path, gyre_sink **sink);

/// Whether a frame has what a format takes, no more than there is room for, and its number.
gyre_result gy_frame_check(const char *path, const gyre_format *format, const gyre_frame *frame);

/// Makes *to, which is empty, a copy of what a format takes of a frame. Drop it, on failure too.
gyre_result gy_frame_keep(const char *path, const gy_shape *shape, uint32_t takes,
                          const gyre_frame *from, gyre_frame *to);
/// Frees a copy that gy_frame_keep() made and empties it.
void gy_frame_drop(gyre_frame *frame);

#endif
