// test/ladder_smallest.c: the smaller one as the test sees it.
#include "test/ladder_steps.h"

#include <string.h>

#define main smallest_main
int smallest_main(void);
#include "sample/ladder/00_smallest.c"

void smallest_step(float *const fields[6], float visc, float diff, float dt)
{
    float *const own[6] = {f[1], f[2], g[1], g[2], f[0], g[0]};
    for (int a = 0; a < 6; a++) {
        memcpy(own[a], fields[a], sizeof f[0]);
    }
    step((const float[3]){diff, visc, visc}, dt);
    for (int a = 0; a < 6; a++) {
        memcpy(fields[a], own[a], sizeof f[0]);
    }
}
