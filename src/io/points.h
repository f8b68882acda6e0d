// io/points.h: what formats of particles share. Each of their files holds one set.
#ifndef GY_IO_POINTS_H
#define GY_IO_POINTS_H

#include "io/format.h"

enum {
    GY_POINTS_CHUNK = 4096, // numbers that are packed at a time
    GY_POINTS_HEAD = 128    // bytes of the header of an array for NumPy
};

/// The set of a frame, whose names fit and of which the first attribute is a position of three
/// floats.
gyre_result gy_points_of(const char *path, const gyre_frame *frame,
                         const gyre_named_particles **set);

/// Numbers first to first + count - 1 of an attribute as bytes, 4 each.
void gy_points_pack(const gyre_named_attribute *attribute, int64_t first, size_t count,
                    unsigned char *bytes);

/// Writes all numbers of an attribute, one after the other.
gyre_result gy_points_write(gy_io_file *file, const gyre_named_particles *set,
                            const gyre_named_attribute *attribute);

/// Writes formatted text of at most 500 bytes.
gyre_result gy_points_print(gy_io_file *file, const char *format, ...) GYRE_PRINTF(2, 3);

/// The header of an attribute as an array for NumPy (io/npy.c), whose numbers follow it: its shape
/// is (particles, components), or (particles,) where there is one component. It ends with a 0.
void gy_points_head(const gyre_named_particles *set, const gyre_named_attribute *attribute,
                    char head[GY_POINTS_HEAD + 1]);

/// Writes what a file of a set consists of; `time` in seconds.
typedef gyre_result gy_points_writer(gy_io_file *file, const gyre_named_particles *set,
                                     double time);

/// Makes a file of a set, which gets its name when it is whole.
gyre_result gy_points_file(const char *path, const gyre_named_particles *set, double time,
                           gy_points_writer *write);

#endif
