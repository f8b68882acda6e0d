// The clock, memory on large pages, how much memory is left, and modules.
#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
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

double bench_processor_now(void)
{
#if defined(CLOCK_THREAD_CPUTIME_ID)
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

double bench_now_on(int threads)
{
    return threads == 1 ? bench_processor_now() : bench_now();
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

void *bench_module(const char *name, const char *symbol, char *why, size_t size)
{
#if defined(__linux__)
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length <= 0) {
        snprintf(why, size, "/proc does not say where this program lies");
        return NULL;
    }
    snprintf(path + length, 64, "%s.so", name);
    if (access(path, F_OK)) {
        snprintf(why, size, "there is no %s", path);
        return NULL;
    }
    // Never closed: such libraries leave threads and exit handlers behind.
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL), *found;
    found = module ? dlsym(module, symbol) : NULL;
    if (!found)
        snprintf(why, size, "%s", dlerror());
    return found;
#else
    (void)symbol;
    snprintf(why, size, "modules such as %s are opened on Linux only", name);
    return NULL;
#endif
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

const char bench_noise[] = "not measured: this machine was not quiet";

bool bench_steady(const double *values, int count)
{
    double least = count > 0 ? values[0] : 0, most = least;
    for (int i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    return most <= 1.2 * least;
}
