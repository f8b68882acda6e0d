// model/isa.c: chooses among the instruction sets that model/isa/ was compiled for.
#include "model/isa.h"

#include <string.h>

#ifdef GY_WITH_BASELINE
extern const gy_asked gy_asked_baseline;
#endif
#ifdef GY_WITH_AVX2
extern const gy_asked gy_asked_avx2;
#endif
#ifdef GY_WITH_AVX512
extern const gy_asked gy_asked_avx512;
#endif
#ifdef GY_WITH_NEON
extern const gy_asked gy_asked_neon;
#endif

static const gy_asked *const sets[] = {
#ifdef GY_WITH_BASELINE
    &gy_asked_baseline,
#endif
#ifdef GY_WITH_AVX2
    &gy_asked_avx2,
#endif
#ifdef GY_WITH_AVX512
    &gy_asked_avx512,
#endif
#ifdef GY_WITH_NEON
    &gy_asked_neon,
#endif
};

static const gy_asked *named(const char *name)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (strcmp(sets[i]->name, name) == 0)
            return sets[i];
    }
    return NULL;
}

const gy_asked *gy_asked_of(const gyre_device *device)
{
    const gy_asked *asked = named(gyre_device_isa(device));

    // The names that this machine has, best last.
    for (int i = 0; asked == NULL && gyre_isa_name(i) != NULL; i++) {
        if (gyre_isa_name(i + 1) == NULL)
            asked = named(gyre_isa_name(i));
    }
    return asked != NULL ? asked : sets[0];
}
