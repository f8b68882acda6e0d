// Which instruction sets this build has and this machine runs. A set is one line in `sets`; the
// build says with GY_WITH_name whether it compiled the ops for it.
#include <stdio.h>
#include <string.h>

#include "device/isa.h"

typedef struct isa_set {
    const gy_isa_table *table; // NULL: known, but not in this build
    const char *name;
    bool (*runs)(void);
} isa_set;

static bool runs_always(void)
{
    return true;
}

#ifdef GY_WITH_BASELINE
extern const gy_isa_table gy_isa_baseline;
#define BASELINE &gy_isa_baseline
#else
#error "the ops must be compiled for the baseline at least"
#endif

#ifdef GY_WITH_AVX2
extern const gy_isa_table gy_isa_avx2;
#define AVX2 &gy_isa_avx2

// The compiler's own check asks the operating system too whether it keeps the wide registers.
static bool runs_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
#else
#define AVX2 NULL
#define runs_avx2 runs_always
#endif

#ifdef GY_WITH_AVX512
extern const gy_isa_table gy_isa_avx512;
#define AVX512 &gy_isa_avx512

static bool runs_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#else
#define AVX512 NULL
#define runs_avx512 runs_always
#endif

#ifdef GY_WITH_NEON
extern const gy_isa_table gy_isa_neon;
#define NEON &gy_isa_neon
#else
#define NEON NULL
#endif

// Best last.
static const isa_set sets[] = {
    {BASELINE, "baseline", runs_always},
    {AVX2, "avx2", runs_avx2},
    {AVX512, "avx512", runs_avx512},
    {NEON, "neon", runs_always},
};

static bool is_here(const isa_set *set)
{
    return set->table && set->runs();
}

const char *gyre_isa_name(int i)
{
    for (int s = 0; s < GY_COUNT(sets); s++) {
        if (is_here(&sets[s]) && i-- == 0)
            return sets[s].name;
    }
    return NULL;
}

// "baseline, avx2": of all sets known, or of those that are here.
static void list_names(char *text, size_t size, bool here)
{
    size_t used = 0;
    text[0] = 0;
    for (int s = 0; s < GY_COUNT(sets); s++) {
        if (here && !is_here(&sets[s]))
            continue;
        int length = snprintf(text + used, size - used, "%s%s", used ? ", " : "", sets[s].name);
        if (length < 0 || (size_t)length >= size - used)
            return;
        used += (size_t)length;
    }
}

gyre_result gy_isa_find(const char *name, const gy_isa_table **table)
{
    char names[256];
    if (!name) {
        for (int s = 0; s < GY_COUNT(sets); s++) {
            if (is_here(&sets[s]))
                *table = sets[s].table;
        }
        return GYRE_OK;
    }
    for (int s = 0; s < GY_COUNT(sets); s++) {
        if (strcmp(sets[s].name, name) != 0)
            continue;
        if (is_here(&sets[s])) {
            *table = sets[s].table;
            return GYRE_OK;
        }
        list_names(names, sizeof names, true);
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "device: %s has no instruction set %s; it has %s",
                         sets[s].table ? "this machine" : "this build", name, names);
    }
    list_names(names, sizeof names, false);
    return gyre_fail(GYRE_ERROR_ARGUMENT, "device: unknown instruction set '%.64s'; known are %s",
                     name, names);
}
