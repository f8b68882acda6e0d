// base/os.h: processors and memory of Linux and, without its extras, of macOS and the BSDs.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_getaffinity, MAP_ANONYMOUS, madvise
#endif

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/os.h"

int gy_os_cores(void)
{
#ifdef __linux__
    // What this process may use, which in a container or under taskset is less than what there is.
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

size_t gy_os_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
}

// From this size on memory is mapped by itself, on a boundary of large pages.
static const size_t map_from = (size_t)4 << 20;
static const size_t large_page = (size_t)2 << 20;

void *gy_os_allocate(size_t size, size_t alignment)
{
    if (size < map_from) {
        void *memory = NULL;
        if (posix_memalign(&memory, GY_MAX(alignment, sizeof(void *)), GY_MAX(size, 1)))
            return NULL;
        return memset(memory, 0, GY_MAX(size, 1));
    }
    if (size > SIZE_MAX / 2 || alignment > large_page)
        return NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (size + page - 1) / page * page;
    char *start =
        mmap(NULL, whole + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t before = (large_page - (size_t)((uintptr_t)start % large_page)) % large_page;
    if (before)
        munmap(start, before);
    if (large_page > before)
        munmap(start + before + whole, large_page - before);
#ifdef MADV_HUGEPAGE
    madvise(start + before, whole, MADV_HUGEPAGE); // a wish: without large pages it is only slower
#endif
    return start + before;
}

void gy_os_release(void *memory, size_t size)
{
    if (!memory)
        return;
    if (size < map_from) {
        free(memory);
        return;
    }
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(memory, (size + page - 1) / page * page);
}
