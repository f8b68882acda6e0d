/// @file gyre/io.h
/// Pictures, arrays, volumes and videos on disk. Part of libgyre_scene.
///
/// No writer leaves half a file under its final name: data goes to a temporary file in the same
/// folder, is flushed to the disk and renamed when it is whole. Every failure is one sentence in
/// gyre_message() that begins with the path.
#ifndef GYRE_IO_H
#define GYRE_IO_H

#include "gyre/grid.h"
#include "gyre/mesh.h"
#include "gyre/model.h"
#include "gyre/property.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A field with the name it gets in a file.
typedef struct gyre_named_view {
    const char *name;     ///< at most 63 bytes; not empty
    gyre_field_view view; ///< what is written
} gyre_named_view;

/// Writes a field as a NumPy array: float32, little-endian, C order, shape (z, y, x) in 3D and
/// (y, x) in 2D, so that NumPy's a[k, j, i] is sample (i, j, k). Face fields keep their n + 1
/// samples.
GYRE_API gyre_result gyre_npy_write(const char *path, const gyre_field_view *view);

/// Reads a NumPy array of 2 or 3 dimensions (format versions 1 to 3; float32, float64, uint8,
/// int32 or bool; C or Fortran order; either byte order) into memory of its own, index [z, y, x]
/// as above. GYRE_ERROR_FILE: not to be opened or read. GYRE_ERROR_FORMAT: not an array of these,
/// damaged, cut, larger than 4096 along a side, or holding NaN or infinity (its place is named).
/// On failure *volume is unchanged. Free it with gyre_volume_free().
GYRE_API gyre_result gyre_npy_read_volume(const char *path, gyre_volume *volume);

/// Frees the data of a volume that a reader of this header filled and clears it. An empty volume is
/// allowed. Never for a volume whose data is the caller's own.
GYRE_API void gyre_volume_free(gyre_volume *volume);

/// Writes a picture: `channels` is 3 (RGB) or 4 (RGBA), 8 bits each, sRGB, the top row first, no
/// gaps between rows.
GYRE_API gyre_result gyre_png_write(const char *path, int width, int height, int channels,
                                    const uint8_t *pixels);

/// Reads a PNG picture (gray, palette or RGB, with or without alpha, 1 to 16 bits) as luminance
/// times alpha in 0 to 1 into a volume with n[2] == 1. y points up: the volume's row 0 is the
/// picture's bottom. Sides of at most 4096. Errors as gyre_npy_read_volume.
GYRE_API gyre_result gyre_png_read_volume(const char *path, gyre_volume *volume);

/// Reads a PNG picture of any such kind as RGB, 8 bits, sRGB, over black, the top row first, into
/// memory of its own: as gyre_png_write() takes it, and a gyre_image holds it. Free it with free().
/// Errors as gyre_npy_read_volume; on failure nothing is written.
GYRE_API gyre_result gyre_png_read(const char *path, int *width, int *height, uint8_t **rgb);

/// gyre_npy_read_volume or gyre_png_read_volume by the path's ending (".npy", ".png"); or, of a
/// mesh's file, "duck.obj#points" for its points as n[0] == 3 numbers each, "duck.obj#triangles"
/// for three indices each: what the bodies of a scene are made of. A path with "{x}", "{y}" or both
/// names an array in tiles, "land_{x}_{y}.npy": files counted from 0 along x and y, as far as there
/// are any (64), of one width in each column and one height in each row, side by side.
/// GYRE_ERROR_ARGUMENT for any other.
GYRE_API gyre_result gyre_read_volume(const char *path, gyre_volume *volume);

/// How a mesh is written.
typedef enum gyre_mesh_encoding {
    GYRE_MESH_BINARY = 0, ///< little-endian; .obj knows text alone
    GYRE_MESH_BIG_ENDIAN, ///< of .ply
    GYRE_MESH_TEXT        ///< nine digits: every float comes back as it was
} gyre_mesh_encoding;

/// Reads a mesh by the path's ending, into memory of its own: ".obj" (v and f; texture coordinates,
/// normals, groups and materials are passed over), ".ply" (text or binary of either order; elements
/// vertex with x, y, z and face with vertex_indices, other ones passed over), ".stl" (text or
/// binary; equal points become one). Polygons are cut into fans. Nothing is said of whether it is
/// closed: see gyre_mesh_inspect(). GYRE_ERROR_ARGUMENT: another ending. GYRE_ERROR_FILE: not to be
/// read. GYRE_ERROR_FORMAT: damaged, cut, more than 2^24 points or triangles, a coordinate beyond
/// 1e6; the message has path, line (or byte), what was found and what was expected.
/// GYRE_ERROR_MEMORY. On failure *mesh is unchanged. Free it with gyre_mesh_free().
GYRE_API gyre_result gyre_mesh_read(const char *path, gyre_mesh *mesh);

/// Frees the arrays of a mesh that gyre_mesh_read() filled and clears it. An empty mesh is allowed.
/// Never for a mesh whose arrays are the caller's own.
GYRE_API void gyre_mesh_free(gyre_mesh *mesh);

/// Writes a mesh by the path's ending: ".obj", ".ply" or ".stl". GYRE_ERROR_ARGUMENT: another
/// ending, an encoding that it has not, a mesh that gyre_mesh_check() refuses.
GYRE_API gyre_result gyre_mesh_write(const char *path, const gyre_mesh *mesh,
                                     gyre_mesh_encoding encoding);

/// Writes fields of one grid as a VTK image (.vti, raw appended data) that ParaView and VTK read:
/// every field becomes cell data; fields on faces and nodes are averaged to cell centres. Fields
/// NAME_x, NAME_y (and NAME_z in 3D), wherever they sit, become one vector NAME of three components
/// where all are there. `time` in seconds is kept as the field data "TimeValue".
GYRE_API gyre_result gyre_vti_write(const char *path, const gyre_named_view *fields, int count,
                                    double time);

/// A video being written by ffmpeg, a program that must be on the PATH. Use it from one thread.
typedef struct gyre_video gyre_video;

/// Starts a video: ".mp4" (H.264), ".webm" (VP9) or ".gif" by the path's ending. Frames are
/// width x height, each 1 to 8192 (odd sides get their last pixels twice in .mp4 and .webm, which
/// are 8 bits of BT.709, dithered, so that flat gradients have no bands); fps in [0.01, 240]. A
/// .gif keeps all its frames in ffmpeg's memory until the end (4 bytes a pixel), so it is for short
/// ones. ffmpeg runs apart from the terminal, so that Ctrl-C does not cut the file.
/// GYRE_ERROR_UNSUPPORTED: no ffmpeg. GYRE_ERROR_FILE: the folder cannot be written to.
GYRE_API gyre_result gyre_video_open(const char *path, int width, int height, double fps,
                                     gyre_video **video);

/// Adds a frame: RGB, 8 bits, the top row first. GYRE_ERROR_FILE quotes ffmpeg's own last line.
/// After a failure only gyre_video_abort() is left.
GYRE_API gyre_result gyre_video_write(gyre_video *video, const uint8_t *rgb);

/// Ends the video, gives the file its name and frees `video`, on failure too. A video of no frames
/// leaves no file. NULL is allowed.
GYRE_API gyre_result gyre_video_close(gyre_video *video);

/// Gives the video up: stops ffmpeg, removes what was written, frees `video`. NULL is allowed.
GYRE_API void gyre_video_abort(gyre_video *video);

/// Makes one video of several of one kind, size and rate, without encoding anything anew; `path`
/// may be that of a part. GYRE_ERROR_FILE, and nothing is changed: one is missing or no video,
/// ffmpeg failed, or they hold other than `frames` frames together (where a part ended too late or
/// too early).
GYRE_API gyre_result gyre_video_join(const char *const *parts, int count, const char *path,
                                     int64_t frames);

/// What of a frame a format takes, as bits.
typedef enum gyre_takes {
    GYRE_TAKES_PICTURE = 1,   ///< gyre_frame.rgb
    GYRE_TAKES_FIELDS = 2,    ///< gyre_frame.fields
    GYRE_TAKES_PARTICLES = 4, ///< gyre_frame.particles
    GYRE_TAKES_MESHES = 8,    ///< gyre_frame.meshes
    GYRE_TAKES_TABLE = 16     ///< gyre_frame.row
} gyre_takes;

/// A kind of file that frames can go to. All that there are stand in one table: gyre_format_at().
typedef struct gyre_format {
    const char *name;       ///< a word: "video"
    const char *doc;        ///< what is written, without a full stop
    const char *endings[4]; ///< of paths, with the dot; those that are not needed are NULL
    uint32_t takes;         ///< bits of gyre_takes
    bool stream;            ///< all frames go into one file; else each into its own, see gyre_sink
    int most_fields;        ///< fields that there is room for; 0: any number
    bool per_attribute;     ///< a file of each attribute: of "a.particles.npy" a.position.npy, ...
} gyre_format;

/// The i-th format; NULL past the end. Lives as long as the program, as what it points to.
GYRE_API const gyre_format *gyre_format_at(int i);

/// The format of a path, by its ending. NULL with a message that lists the known ones.
GYRE_API const gyre_format *gyre_format_of(const char *path);

/// Where a run's frames go: one file or a row of files, by the path's ending. Formats of a file per
/// frame take one %d or %0Nd in the path for the frame's number. Without it the file holds the last
/// frame and is written at close.
typedef struct gyre_sink gyre_sink;

/// An attribute of particles on its way into a file.
typedef struct gyre_named_attribute {
    const char *name; ///< "position"; at most 63 bytes; not empty
    int components;   ///< 1 to 4, side by side
    bool whole;       ///< int32_t; else float
    const void *data; ///< components times as many numbers as there are particles
} gyre_named_attribute;

/// A set of particles on its way into a file.
typedef struct gyre_named_particles {
    const char *name;                       ///< at most 63 bytes; not empty
    int64_t count;                          ///< particles
    const gyre_named_attribute *attributes; ///< of each
    int attribute_count;                    ///< of attributes
} gyre_named_particles;

/// A line of a table of numbers on its way into a file.
typedef struct gyre_row {
    const char *const *names; ///< of the columns: in every line the same
    const char *const *cells; ///< as text, without commas; NULL: names alone, which begin a table
    int count;                ///< of columns
} gyre_row;

/// One frame on its way into a sink. A sink takes what its format does and keeps no pointer; the
/// rest may be left 0.
typedef struct gyre_frame {
    int64_t number;                        ///< for %0Nd, >= 0
    double time;                           ///< s
    const uint8_t *rgb;                    ///< of the sink's width x height
    const gyre_named_view *fields;         ///< at least one where fields are taken
    int field_count;                       ///< at most as many as the format has room for
    const gyre_named_particles *particles; ///< sets of them
    int particle_count;                    ///< of sets
    const gyre_mesh *meshes;               ///< surfaces
    int mesh_count;                        ///< of surfaces
    const gyre_row *row;                   ///< a line of a table
} gyre_frame;

/// Checks a path without touching the disk: GYRE_ERROR_ARGUMENT for an unknown ending (the message
/// lists the known ones) or a wrong % in it. `takes` (may be NULL) gets the bits of gyre_takes that
/// frames for this path need beside those it has.
GYRE_API gyre_result gyre_sink_check(const char *path, uint32_t *takes);

/// Whether a file can be written at a path, tried by one that is made beside it and removed.
/// GYRE_ERROR_FILE: it cannot, and why.
GYRE_API gyre_result gyre_path_check(const char *path);

/// Whether two paths may mean one file, be it there or not: links and "./" are seen through, and a
/// place for the frame's number, as a sink takes it, stands for every number.
GYRE_API bool gyre_paths_overlap(const char *one, const char *other);

/// Opens a sink. width, height and fps count for pictures only. That the folder can be written to
/// is checked now, so that a long run does not fail at its end.
GYRE_API gyre_result gyre_sink_open(const char *path, int width, int height, double fps,
                                    gyre_sink **sink);

/// The path it was opened with.
GYRE_API const char *gyre_sink_path(const gyre_sink *sink);
/// The format that its ending stands for.
GYRE_API const gyre_format *gyre_sink_format(const gyre_sink *sink);

/// Whether its file holds the last frame alone, of those that it is given: others need not be made.
GYRE_API bool gyre_sink_keeps_last(const gyre_sink *sink);

/// After a failure only gyre_sink_close() and gyre_sink_abort() are left; close then fails too.
GYRE_API gyre_result gyre_sink_write(gyre_sink *sink, const gyre_frame *frame);

/// Ends the file and frees `sink`, on failure too. NULL is allowed.
GYRE_API gyre_result gyre_sink_close(gyre_sink *sink);

/// Removes what has no final name yet and frees `sink`. Files of a sequence that are whole stay.
/// NULL is allowed.
GYRE_API void gyre_sink_abort(gyre_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
