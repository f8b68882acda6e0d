// render/cache.h: what stays from picture to picture: see render/cache.c.
#ifndef GY_RENDER_CACHE_H
#define GY_RENDER_CACHE_H

#include "render/render.h"

typedef enum gy_cache_kind {
    GY_CACHE_SOLIDS, // gy_volume: cells of solids, smoothed; bricks
    GY_CACHE_HITS,   // gy_march_view: where pixels meet them
    GY_CACHE_BED,    // gy_relief: what the ground looks like
} gy_cache_kind;

enum {
    GY_CACHE_HEAD = 20, // numbers that are compared beside the key
    GY_CACHE_PARTS = 3,
    GY_CACHE_SAME = 2, // of one kind
    GY_CACHE_MOST = 6
};

/// Parts that were made from a head and a key.
struct gy_cached {
    gy_cache_kind kind;
    uint64_t number; // its own, never given twice; 0: a free entry
    uint64_t used;   // the larger, the later
    bool held;       // in this picture: nobody else's, and not to be freed
    float head[GY_CACHE_HEAD];
    void *key;
    size_t size;
    void *part[GY_CACHE_PARTS]; // NULL until they are put in
};

typedef struct gy_cache {
    uint64_t clock, last;
    gy_cached entry[GY_CACHE_MOST];
} gy_cache;

/// The list of a memory; NULL where that is NULL.
gy_cache *gy_cache_of(gyre_render_memory *memory);
/// The entry of these very numbers, which is the caller's until the picture's end; NULL: there is
/// none.
gy_cached *gy_cache_find(gyre_render_memory *memory, gy_cache_kind kind,
                         const float head[GY_CACHE_HEAD], const void *key, size_t size);
/// A new entry of them; NULL: nothing is kept.
gy_cached *gy_cache_add(gyre_render_memory *memory, gy_cache_kind kind,
                        const float head[GY_CACHE_HEAD], const void *key, size_t size);
/// Keeps a copy of a part; without memory, none. `kept` may be NULL.
void gy_cache_put(gy_cached *kept, int part, const void *from, size_t size);
void gy_cache_free(gy_cache *list);

#endif
