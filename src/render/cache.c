// render/cache.c: what stays from picture to picture because what it was made from has stayed.
//
// The rule is equality to the bit of everything that a part is made from, so that a picture never
// depends on those before it: a part that is found is what would be made again. What changes from
// picture to picture costs no more than a copy of the numbers that it is made from: parts are kept
// where those came a second time. Cost: one comparison, up to the first number that differs.
#include "render/cache.h"

#include <stdlib.h>
#include <string.h>

static void let_go(gy_cached *kept)
{
    free(kept->key);
    for (int i = 0; i < GY_CACHE_PARTS; i++)
        free(kept->part[i]);
    *kept = (gy_cached){0};
}

void gy_cache_free(gy_cache *list)
{
    for (int i = 0; i < GY_CACHE_MOST; i++)
        let_go(&list->entry[i]);
}

gy_cached *gy_cache_find(gyre_render_memory *memory, gy_cache_kind kind,
                         const float head[GY_CACHE_HEAD], const void *key, size_t size)
{
    gy_cache *list = gy_cache_of(memory);

    for (int i = 0; list != NULL && i < GY_CACHE_MOST; i++) {
        gy_cached *kept = &list->entry[i];

        if (kept->number != 0 && !kept->held && kept->kind == kind && kept->size == size &&
            memcmp(kept->head, head, sizeof kept->head) == 0 &&
            (size == 0 || memcmp(kept->key, key, size) == 0)) {
            kept->used = ++list->clock;
            kept->held = true;
            return kept;
        }
    }
    return NULL;
}

gy_cached *gy_cache_add(gyre_render_memory *memory, gy_cache_kind kind,
                        const float head[GY_CACHE_HEAD], const void *key, size_t size)
{
    gy_cache *list = gy_cache_of(memory);
    gy_cached *own = NULL;
    int same = 0;

    if (list == NULL)
        return NULL;
    for (int i = 0; i < GY_CACHE_MOST; i++)
        same += list->entry[i].number != 0 && list->entry[i].kind == kind;
    // The entry that has waited longest goes: of the same kind, where there are enough of it.
    for (int i = 0; i < GY_CACHE_MOST; i++) {
        gy_cached *kept = &list->entry[i];

        if (kept->held || (same >= GY_CACHE_SAME && (kept->number == 0 || kept->kind != kind)))
            continue;
        if (own == NULL || kept->used < own->used)
            own = kept;
    }
    if (own == NULL)
        return NULL;
    void *place = own->size == size ? own->key : NULL;

    own->key = place != NULL ? NULL : own->key;
    let_go(own);
    place = place != NULL ? place : malloc(size + 1);
    if (place == NULL)
        return NULL;
    if (size > 0)
        memcpy(place, key, size);
    *own = (gy_cached){.kind = kind, .key = place, .size = size, .held = true};
    own->used = ++list->clock;
    own->number = ++list->last;
    memcpy(own->head, head, sizeof own->head);
    return own;
}

void gy_cache_put(gy_cached *kept, int part, const void *from, size_t size)
{
    if (kept == NULL)
        return;
    free(kept->part[part]);
    kept->part[part] = aligned_alloc(64, (size + 63) / 64 * 64);
    if (kept->part[part] != NULL)
        memcpy(kept->part[part], from, size);
}
