// test/ladder_hundred.c: the ladder's foot as the test sees it.
#include "test/ladder_steps.h"

#define main hundred_main
int hundred_main(void);
#include "sample/ladder/00_hundred.c"

void hundred_step(float *const f[6], float visc, float diff, float dt)
{
    vel_step(f[0], f[1], f[2], f[3], visc, dt);
    dens_step(f[4], f[5], f[0], f[1], diff, dt);
}
