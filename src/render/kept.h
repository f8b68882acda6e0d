// render/kept.h: what stays from picture to picture: see render/kept.c.
#ifndef GY_RENDER_KEPT_H
#define GY_RENDER_KEPT_H

#include "render/render.h"

typedef enum gy_kept_kind {
    GY_KEPT_SOLIDS, // gy_volume: cells of solids, smoothed; bricks
    GY_KEPT_HITS,   // gy_march_view: where pixels meet them
    GY_KEPT_BED,    // gy_relief: what the ground looks like
} gy_kept_kind;

enum {
    GY_KEPT_HEAD = 20, // numbers that are compared beside the key
    GY_KEPT_PARTS = 3,
    GY_KEPT_SAME = 2, // of one kind
    GY_KEPT_MOST = 6
};

/// Parts that were made from a head and a key.
struct gy_kept {
    gy_kept_kind kind;
    uint64_t number; // its own, never given twice; 0: a free entry
    uint64_t used;   // the larger, the later
    bool held;       // in this picture: nobody else's, and not to be freed
    float head[GY_KEPT_HEAD];
    void *key;
    size_t size;
    void *part[GY_KEPT_PARTS]; // NULL until they are put in
};

typedef struct gy_kept_list {
    uint64_t clock, last;
    gy_kept entry[GY_KEPT_MOST];
} gy_kept_list;

/// The list of a memory; NULL where that is NULL.
gy_kept_list *gy_kept_of(gyre_render_memory *memory);
/// The entry of these very numbers, which is the caller's until the picture's end; NULL: there is
/// none.
gy_kept *gy_kept_find(gyre_render_memory *memory, gy_kept_kind kind, const float head[GY_KEPT_HEAD],
                      const void *key, size_t size);
/// A new entry of them; NULL: nothing is kept.
gy_kept *gy_kept_add(gyre_render_memory *memory, gy_kept_kind kind, const float head[GY_KEPT_HEAD],
                     const void *key, size_t size);
/// Keeps a copy of a part; without memory, none. `kept` may be NULL.
void gy_kept_put(gy_kept *kept, int part, const void *from, size_t size);
void gy_kept_free(gy_kept_list *list);

#endif
