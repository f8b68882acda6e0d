// render/isa/ray_lists.h: rays of one kind in lists, given and taken eight at a time.
#ifndef GY_RENDER_RAY_LISTS_H
#define GY_RENDER_RAY_LISTS_H

#include "render/compose.h"

#include "render/isa/three.h"

enum {
    BATCH = GY_RAYS, // rays from the eye; no list gets longer before it is worked off
    COLUMNS = 12,
    AT = 0,
    ALONG = 3,
    WEIGHT = 6,
    NORMAL = 9
};

/// Rays of one kind.
typedef struct list {
    int count;
    float f[COLUMNS][BATCH + GY_WIDE];
    int32_t sample[BATCH + GY_WIDE], kind[BATCH + GY_WIDE];
} list;

/// Rays from the eye, and all that comes of them.
typedef struct batch {
    const gy_surface *s;
    int count;
    float x[BATCH + GY_WIDE], y[BATCH + GY_WIDE]; // pixels
    float colour[3][BATCH + GY_WIDE];
    float start[BATCH + GY_WIDE]; // nothing is met before
    float met[BATCH + GY_WIDE];
    float least[BATCH + GY_WIDE]; // contrast of neighbours that is an edge
    float away[BATCH + GY_WIDE];  // how far off that is; GY_NEVER: the sky
    float white[BATCH + GY_WIDE]; // what foam hides of the water, 0 to 1
    list ground, body, sky, cut, far, water, mirrored, under[2], overhang[2];
} batch;

/// Eight entries of a list.
typedef struct entries {
    w8 active;
    gy_three at, along, weight, normal;
    int first;
} entries;

GY_VEC_INLINE gy_three take(const list *from, int column, int first)
{
    return (gy_three){{v8_load(&from->f[column][first]), v8_load(&from->f[column + 1][first]),
                       v8_load(&from->f[column + 2][first])}};
}

GY_VEC_INLINE entries take_entries(const list *from, int first)
{
    return (entries){.active = w8_count() < w8_all(from->count - first),
                     .at = take(from, AT, first),
                     .along = take(from, ALONG, first),
                     .weight = take(from, WEIGHT, first),
                     .normal = take(from, NORMAL, first),
                     .first = first};
}

GY_VEC_INLINE w8 load_ints(const int32_t *p)
{
    w8 x;

    memcpy(&x, p, sizeof x);
    return x;
}

// Appends the lanes of a mask. Neighbours mostly meet the same: all of a mask, or none.
GY_VEC_INLINE void push(list *to, w8 mask, const gy_three *at, const gy_three *along,
                        const gy_three *weight, const gy_three *normal, w8 sample, w8 kind)
{
    const gy_three *const parts[4] = {at, along, weight, normal};

    if (!w8_any(mask))
        return;
    if (!w8_any(~mask)) {
        for (int p = 0; p < 4; p++) {
            for (int c = 0; parts[p] != NULL && c < 3; c++)
                v8_store(&to->f[3 * p + c][to->count], parts[p]->c[c]);
        }
        memcpy(&to->sample[to->count], &sample, sizeof sample);
        memcpy(&to->kind[to->count], &kind, sizeof kind);
        to->count += GY_WIDE;
        return;
    }
    for (int i = 0; i < GY_WIDE; i++) {
        if (!mask[i])
            continue;
        for (int p = 0; p < 4; p++) {
            for (int c = 0; parts[p] != NULL && c < 3; c++)
                to->f[3 * p + c][to->count] = parts[p]->c[c][i];
        }
        to->sample[to->count] = sample[i];
        to->kind[to->count++] = kind[i];
    }
}

// Adds light to the pixels that entries came from.
GY_VEC_INLINE void add(batch *b, const list *from, const entries *e, gy_three colour)
{
    w8 sample = load_ints(&from->sample[e->first]);
    int first = from->sample[e->first];

    if (e->first + GY_WIDE <= from->count && !w8_any(sample - w8_all(first) - w8_count())) {
        for (int c = 0; c < 3; c++)
            v8_store(&b->colour[c][first], v8_load(&b->colour[c][first]) + colour.c[c]);
        return;
    }
    for (int i = 0; i < GY_WIDE && e->first + i < from->count; i++) {
        for (int c = 0; c < 3; c++)
            b->colour[c][sample[i]] += colour.c[c][i];
    }
}

#endif
