// io/mesh_file.h: what readers of meshes share: a file in memory, words and numbers of its text,
// and a mesh that grows.
#ifndef GY_IO_MESH_FILE_H
#define GY_IO_MESH_FILE_H

#include "io/io.h"

enum { GY_IO_MESH_MOST = 1 << 24 }; // points, triangles

/// A file that is read; a zero byte follows its last.
typedef struct gy_mesh_file {
    const char *path;
    const unsigned char *start, *at, *end;
    int line; // of `at`, from 1; 0: a binary file, messages name the byte
} gy_mesh_file;

/// A mesh in the making, in memory of malloc.
typedef struct gy_mesh_draft {
    float *points;
    int32_t *triangles;
    int point_count, triangle_count, point_room, triangle_room;
} gy_mesh_draft;

/// GYRE_ERROR_FORMAT with the path and the line or byte before the sentence.
gyre_result gy_mesh_wrong(const gy_mesh_file *file, const char *format, ...) GYRE_PRINTF(2, 3);

/// The next word of this line into `word`; what does not fit is cut. False at the line's end.
bool gy_mesh_word(gy_mesh_file *file, char *word, size_t size);
/// The next word in this or a later line.
bool gy_mesh_word_on(gy_mesh_file *file, char *word, size_t size);
/// To the beginning of the next line.
void gy_mesh_next_line(gy_mesh_file *file);

/// A decimal number, whatever the program's locale, the same bits everywhere; false: it is none, or
/// not finite as a float.
bool gy_mesh_number(const char *word, float *number);
/// A whole number of at most nine digits.
bool gy_mesh_whole(const char *word, int32_t *number);

gyre_result gy_mesh_add_point(const gy_mesh_file *file, gy_mesh_draft *draft, const float at[3]);
/// Corner `k` of a polygon whose first and last corner so far are given: triangles from the third
/// on.
gyre_result gy_mesh_add_corner(const gy_mesh_file *file, gy_mesh_draft *draft, int k,
                               int32_t corner, int32_t fan[2]);

gyre_result gy_mesh_read_obj(gy_mesh_file *file, gy_mesh_draft *draft);
gyre_result gy_mesh_read_ply(gy_mesh_file *file, gy_mesh_draft *draft);
gyre_result gy_mesh_read_stl(gy_mesh_file *file, gy_mesh_draft *draft);

#endif
