// test/gas_rig.h: gases for tests that look at them from inside: still ones, with fields set from
// functions.
#ifndef GYRE_GAS_RIG_H
#define GYRE_GAS_RIG_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/maths.h"
#include "gas/gas.h"
#include "ops/level.h"

static const double pi = 3.14159265358979323846;

static gyre_device *the_device;

GY_INLINE int open_device(void **state)
{
    gyre_device_def def = gyre_default_device_def();
    (void)state;
    def.threads = 1;
    return gyre_device_create(&def, &the_device) == GYRE_OK ? 0 : 1;
}

GY_INLINE int close_device(void **state)
{
    (void)state;
    gyre_device_destroy(the_device);
    return 0;
}

/// A def in which nothing acts but what a test switches on.
GY_INLINE gyre_gas_def still_def(int dim, int nx, int ny, int nz, float h, int rule)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    const int n[3] = {nx, ny, nz};
    memcpy(def.grid.n, n, sizeof n);
    def.grid.h = h;
    memset(def.gravity, 0, sizeof def.gravity);
    gyre_gas_side *sides = &def.sides.x_low;
    for (int s = 0; s < 2 * dim; s++)
        sides[s].rule = rule;
    return def;
}

GY_INLINE gyre_gas *make(const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(the_device, def, &gas), GYRE_OK);
    return gas;
}

typedef double shape_of(const double x[3], const void *data);

GY_INLINE void set_field(gyre_gas *gas, int field, shape_of *f, const void *data)
{
    gyre_field_view v;
    assert_int_equal(gyre_gas_map(gas, field, GYRE_WRITE, &v), GYRE_OK);
    for (int k = 0; k < v.n[2]; k++)
        for (int j = 0; j < v.n[1]; j++)
            for (int i = 0; i < v.n[0]; i++) {
                float p[3];
                gyre_grid_position(&v.grid, v.location, i, j, k, p);
                const double x[3] = {(double)p[0], (double)p[1], (double)p[2]};
                v.data[i + j * v.stride[1] + k * v.stride[2]] = (float)f(x, data);
            }
    assert_int_equal(gyre_gas_unmap(gas, field), GYRE_OK);
}

GY_INLINE float *sample(gyre_gas *gas, int field, int i, int j, int k)
{
    gyre_field_view v;
    gy_gas_window(&gas->model, field, &v);
    return v.data + i + j * v.stride[1] + k * v.stride[2];
}

GY_INLINE double constant(const double x[3], const void *data)
{
    (void)x;
    return *(const double *)data;
}

GY_INLINE void set_constant(gyre_gas *gas, int field, double value)
{
    set_field(gas, field, constant, &value);
}

GY_INLINE double noise(const double x[3], const void *data)
{
    const gyre_gas *gas = data;
    uint32_t at = 0;
    for (int a = 0; a < 3; a++)
        at = at * 1021u + (uint32_t)(int)floor(x[a] / (double)gas->def->grid.h + 0.25);
    return (double)gy_random_unit(31, at);
}

GY_INLINE gyre_gas_solid sphere(double x, double y, double z, double radius)
{
    gyre_gas_solid s = gyre_gas_default_solid();
    s.shape.kind = GYRE_SHAPE_SPHERE;
    s.shape.as.sphere.centre[0] = (float)x;
    s.shape.as.sphere.centre[1] = (float)y;
    s.shape.as.sphere.centre[2] = (float)z;
    s.shape.as.sphere.radius = (float)radius;
    return s;
}

GY_INLINE gyre_gas_solid wall(int axis, double low, double high)
{
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape.kind = GYRE_SHAPE_BOX;
    for (int a = 0; a < 3; a++) {
        solid.shape.as.box.centre[a] = a == axis ? (float)(0.5 * (low + high)) : 16.0f;
        solid.shape.as.box.size[a] = a == axis ? (float)(high - low) : 1000.0f;
    }
    return solid;
}

#endif
