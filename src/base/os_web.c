// base/os.h: processors and memory of WebAssembly. A module without threads has one processor; one
// with threads is told by the browser (or Node.js) how many there are. Memory is one array that
// grows up to what the module was linked for; it has no pages to be asked for, and none goes back.
#include <emscripten/heap.h>
#include <emscripten/threading.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"

int gy_os_cores(void)
{
    return emscripten_has_threading_support() ? GY_MAX(emscripten_num_logical_cores(), 1) : 1;
}

size_t gy_os_memory(void)
{
    return emscripten_get_heap_max();
}

void *gy_os_allocate(size_t size, size_t alignment)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t whole = (GY_MAX(size, 1) + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, whole);
    return memory ? memset(memory, 0, whole) : NULL;
}

void gy_os_release(void *memory, size_t size)
{
    (void)size;
    free(memory);
}
