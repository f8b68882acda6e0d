// render/memory.c: blocks of memory that are kept from picture to picture: pages that a system
// hands out anew must be cleared and mapped, which took a third of the time of a picture of smoke.
#include "render/cache.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 32, ALIGNMENT = 64 };

struct gyre_render_memory {
    int count;
    struct {
        void *at;
        size_t size;
        bool taken, wanted; // in use; used in this picture
    } block[BLOCKS];
    gy_cache kept;
};

gy_cache *gy_cache_of(gyre_render_memory *memory)
{
    return memory != NULL ? &memory->kept : NULL;
}

gyre_result gyre_render_memory_create(gyre_render_memory **memory)
{
    if (GY_MISSING("render_memory_create", memory))
        return GYRE_ERROR_ARGUMENT;
    gyre_render_memory *made = calloc(1, sizeof *made);

    if (made == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to keep memory for pictures");
    *memory = made;
    return GYRE_OK;
}

void gyre_render_memory_destroy(gyre_render_memory *memory)
{
    for (int i = 0; memory != NULL && i < memory->count; i++)
        free(memory->block[i].at);
    if (memory != NULL)
        gy_cache_free(&memory->kept);
    free(memory);
}

void gy_memory_begin(gyre_render_memory *memory)
{
    for (int i = 0; memory != NULL && i < memory->count; i++)
        memory->block[i].wanted = false;
    for (int i = 0; memory != NULL && i < GY_CACHE_MOST; i++)
        memory->kept.entry[i].held = false;
}

void gy_memory_end(gyre_render_memory *memory)
{
    int kept = 0;

    for (int i = 0; memory != NULL && i < memory->count; i++) {
        if (memory->block[i].wanted)
            memory->block[kept++] = memory->block[i];
        else
            free(memory->block[i].at);
    }
    if (memory != NULL)
        memory->count = kept;
}

// The smallest free block that is large enough and not much too large; -1: there is none.
static int find_block(const gyre_render_memory *memory, size_t size)
{
    int best = -1;

    for (int i = 0; memory != NULL && i < memory->count; i++) {
        size_t has = memory->block[i].size;

        if (!memory->block[i].taken && has >= size && has / 2 <= size &&
            (best < 0 || has < memory->block[best].size))
            best = i;
    }
    return best;
}

void *gy_take(gyre_render_memory *memory, size_t count, size_t size)
{
    if (count > (SIZE_MAX - 2 * ALIGNMENT) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    int found = find_block(memory, bytes);

    if (found >= 0) {
        memory->block[found].taken = memory->block[found].wanted = true;
        return memory->block[found].at;
    }
    void *at = aligned_alloc(ALIGNMENT, bytes);

    if (at != NULL && memory != NULL && memory->count < BLOCKS) {
        int i = memory->count++;

        memory->block[i].at = at;
        memory->block[i].size = bytes;
        memory->block[i].taken = memory->block[i].wanted = true;
    }
    return at;
}

void *gy_take_zeros(gyre_render_memory *memory, size_t count, size_t size)
{
    void *at = gy_take(memory, count, size);

    return at != NULL ? memset(at, 0, count * size) : NULL;
}

void gy_give(gyre_render_memory *memory, void *at)
{
    for (int i = 0; memory != NULL && at != NULL && i < memory->count; i++) {
        if (memory->block[i].at == at) {
            memory->block[i].taken = false;
            return;
        }
    }
    free(at);
}
