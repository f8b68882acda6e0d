// render/rows.c: chooses among the instruction sets that render/isa/ was compiled for.
#include "render/rows.h"

#include <string.h>

#ifdef GY_WITH_BASELINE
extern const gy_drawers gy_drawers_baseline;
#endif
#ifdef GY_WITH_AVX2
extern const gy_drawers gy_drawers_avx2;
#endif
#ifdef GY_WITH_AVX512
extern const gy_drawers gy_drawers_avx512;
#endif
#ifdef GY_WITH_NEON
extern const gy_drawers gy_drawers_neon;
#endif

static const gy_drawers *const sets[] = {
#ifdef GY_WITH_BASELINE
    &gy_drawers_baseline,
#endif
#ifdef GY_WITH_AVX2
    &gy_drawers_avx2,
#endif
#ifdef GY_WITH_AVX512
    &gy_drawers_avx512,
#endif
#ifdef GY_WITH_NEON
    &gy_drawers_neon,
#endif
};

static const gy_drawers *named(const char *name)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (strcmp(sets[i]->name, name) == 0)
            return sets[i];
    }
    return NULL;
}

const gy_drawers *gy_drawers_of(const gyre_device *device)
{
    const gy_drawers *rows = named(gyre_device_isa(device));

    // The names that this machine has, best last.
    for (int i = 0; rows == NULL && gyre_isa_name(i) != NULL; i++) {
        if (gyre_isa_name(i + 1) == NULL)
            rows = named(gyre_isa_name(i));
    }
    return rows != NULL ? rows : sets[0];
}
