// test/vulkan_gas.h: small gases for tests that compare a GPU's with the CPU's.
#ifndef GYRE_TEST_VULKAN_GAS_H
#define GYRE_TEST_VULKAN_GAS_H

#include "gyre/gyre.h"

/// Of width 1, solved by multigrid and so tightly that what devices differ by is rounding.
static inline gyre_gas_def sized(int dim, int nx, int ny, int nz)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    def.grid.n[0] = nx;
    def.grid.n[1] = ny;
    def.grid.n[2] = nz;
    def.grid.h = 1.0f / (float)nx;
    def.pressure.solver = def.diffusion.solver = GYRE_SOLVER_MULTIGRID;
    def.pressure.tolerance = def.diffusion.tolerance = 1e-5f;
    def.pressure.max_cycles = def.diffusion.max_cycles = 20;
    return def;
}

static inline gyre_gas_emitter ball(float x, float y, float z, float radius)
{
    gyre_gas_emitter e = gyre_gas_default_emitter();
    e.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{x, y, z}, radius}};
    e.density = 3.0f;
    e.temperature = 80.0f;
    return e;
}

#endif
