// gas/waves.c: random waves, of turbulence and of noise: the same on every machine.
#include "gas/waves.h"
#include "base/maths.h"

float gy_wave_angle(double turns)
{
    double whole = (double)(int64_t)turns;
    return (float)((turns - whole) * 6.283185307179586);
}

double gy_wave_draw(uint32_t seed, uint32_t *at)
{
    return (double)gy_random_unit(seed, (*at)++);
}

void gy_wave_direction(uint32_t seed, uint32_t *at, int dim, double v[3])
{
    // Directions in space are drawn for gases in 2D, too.
    double up = dim == 3 ? 2.0 * gy_wave_draw(seed, at) - 1.0 : 0.0, turn = gy_wave_draw(seed, at);
    double flat = __builtin_sqrt(1.0 - up * up);
    v[0] = flat * (double)gy_cosf(gy_wave_angle(turn));
    v[1] = flat * (double)gy_sinf(gy_wave_angle(turn));
    v[2] = up;
}

void gy_wave_choose(const gyre_gas *gas, double length, const double direction[3], double k[3])
{
    double most = 0.25 / (double)gas->grid.h, h = (double)gas->grid.h;
    for (int q = 0; q < 3; q++) {
        k[q] = q < gas->extent.dim ? direction[q] / length : 0.0;
        k[q] = k[q] > most ? most : k[q] < -most ? -most : k[q];
        if (gas->periodic >> q & 1u) {
            double across = (double)gas->extent.n[q] * h, waves = k[q] * across;
            k[q] = (double)(int64_t)(waves + (waves < 0.0 ? -0.5 : 0.5)) / across;
        }
    }
}
