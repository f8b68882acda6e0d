// fluid.glsl: where there is gas: what ops/system/level.h and gas/ops/force.c ask of a level.
#include "ops/system/level.glsl"

/// Whether the cell holds gas: any of its faces lets some through.
bool gy_level_fluid(gy_grid_level g, int i, int j, int k)
{
    for (int a = 0; a < g.l.dim; a++) {
        if (gy_coefficient(g, a, i, j, k).v != 0us ||
            gy_coefficient(g, a, i + int(a == 0), j + int(a == 1), k + int(a == 2)).v != 0us) {
            return true;
        }
    }
    return false;
}

/// Whether gas can be at a sample: in the cell, or through the face.
bool within_gas(gy_grid_level g, int location, ivec3 at)
{
    return location == CENTRE ? gy_level_fluid(g, at.x, at.y, at.z)
                              : gy_coefficient(g, location - FACE_X, at.x, at.y, at.z).v != 0us;
}

float limited(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}
