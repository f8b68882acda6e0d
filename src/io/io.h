// io/io.h: what the files of this room share.
#ifndef GY_IO_H
#define GY_IO_H

#include "gyre/io.h"
#include "io/system.h"

#include <stddef.h>

/// Whether a pointer that a call needs is NULL; the message then names the call and the pointer.
#define GY_MISSING(call, pointer)                                                                  \
    (!(pointer) && gyre_fail(GYRE_ERROR_ARGUMENT, "%s: " #pointer " is NULL", call) != GYRE_OK)

/// The most cells along a side that gyre_grid allows, so of a volume too.
enum { GY_IO_SIDE = 4096 };

/// Whether a path ends in `ending` (".npy"), large or small letters, with a name before it.
bool gy_io_ends(const char *path, const char *ending);
/// Whether a path names an array in tiles; such an array (tiles.c).
bool gy_is_tiled(const char *path);
gyre_result gy_read_tiles(const char *path, gyre_volume *volume);

/// Whether a path has a place for the frame's number, and where: [begin, end) is %d (places 0) or
/// %0Nd (places N). Videos and files that are not of frames have none.
bool gy_io_number(const char *path, ptrdiff_t *begin, ptrdiff_t *end, int *places);

/// Bytes of a picture as luma and two planes of chroma a quarter the size, sides made even.
size_t gy_io_yuv_size(int width, int height);
/// Turns RGB, sRGB, the top row first, into them: BT.709, limited range, dithered.
void gy_io_yuv(const uint8_t *rgb, int width, int height, uint8_t *yuv);

/// Stores floats as little-endian bytes, 4 each.
void gy_io_pack(const float *values, size_t count, unsigned char *bytes);

/// Whether a view is one that can be read: data, counts of 1 to 4097, unit stride along x.
gyre_result gy_io_check_view(const char *path, const gyre_field_view *view);

/// The points, or the triangles, of a mesh's file as numbers.
gyre_result gy_mesh_read_volume(const char *path, bool points, gyre_volume *volume);

#endif
