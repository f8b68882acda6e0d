// The clock, memory on large pages, and how much memory is left.
#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/mman.h>
#endif

#include "bench/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
#if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &t);
#else
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void *bench_allocate(size_t bytes)
{
    size_t page = (size_t)2 << 20;
    size_t size = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, size);
    if (!memory) {
        fprintf(stderr, "gyre bench: no memory for %zu MiB\n", size >> 20);
        exit(1);
    }
#if defined(__linux__)
    madvise(memory, size, MADV_HUGEPAGE); // a wish: where it is not granted, small pages do
#endif
    memset(memory, 0, size);
    return memory;
}

void bench_release(void *memory)
{
    free(memory);
}

size_t bench_memory_left(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file)
        return 0;
    char line[256];
    unsigned long kib = 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lu kB", &kib) == 1)
            break;
    fclose(file);
    return (size_t)kib << 10;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    if (count == 0)
        return 0;
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}
