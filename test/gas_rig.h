// test/gas_rig.h: gases for tests: small ones, looked at from outside, and still ones with fields
// set from functions, looked at from inside. gas_case.h has those that between them use every part
// of a step.
#ifndef GYRE_GAS_RIG_H
#define GYRE_GAS_RIG_H

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/maths.h"
#include "gas/gas.h"
#include "ops/system/level.h"
#include "test/device_rig.h"
#include "test/gas_case.h"

static const double pi = 3.14159265358979323846;

// ---- from outside

static inline gyre_gas *make(const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(the_device, def, &gas));
    return gas;
}

static inline gyre_gas_def small(int dim)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gas_case_size(&def, 18, 13, dim == 3 ? 9 : 1, 1.0f);
    return def;
}

static inline void one_line(void)
{
    assert_true(gyre_message()[0] != 0 && !strchr(gyre_message(), '\n'));
}

// Whether a gas refuses a field: the pressure, by older schemes and beside solids that move.
static inline bool refuses(gyre_gas *gas, int field)
{
    gyre_field_view v;
    gyre_result r = gyre_gas_map(gas, field, GYRE_READ, &v);
    if (r == GYRE_ERROR_UNSUPPORTED) {
        assert_int_equal(field, gyre_gas_field(gas, "pressure"));
        return true;
    }
    must(r);
    must(gyre_gas_unmap(gas, field));
    return false;
}

// Calls visit for every sample of every field, derived ones too.
static inline void scan(gyre_gas *gas, void (*visit)(float x, const char *field))
{
    int count;
    const gyre_field_info *fields = gyre_gas_fields(gas, &count);
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
        if (fields[f].derived && refuses(gas, f)) {
            continue;
        }
        must(gyre_gas_map(gas, f, GYRE_READ, &v));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++) {
                    visit(v.data[i + j * v.stride[1] + k * v.stride[2]], fields[f].name);
                }
            }
        }
        // Unmapped without a look at what was found, but for the sums that must be finite.
        must(gyre_gas_unmap(gas, f));
    }
}

static inline void is_finite(float x, const char *field)
{
    if (!isfinite(x)) {
        fail_msg("%s holds %g", field, (double)x);
    }
}

static inline void is_no_denormal(float x, const char *field)
{
    if (x != 0.0f && fabsf(x) < FLT_MIN) {
        fail_msg("%s holds %g", field, (double)x);
    }
}

static inline void finite_everywhere(gyre_gas *gas)
{
    int count;
    scan(gas, is_finite);
    gyre_gas_fields(gas, &count);
    for (int f = 0; f < count; f++) {
        assert_true(isfinite(gyre_model_total(gyre_gas_model(gas), f)));
    }
    gyre_gas_stats s = gyre_gas_get_stats(gas);
    if (!isfinite(s.max_speed) || !isfinite(s.courant) || !isfinite(s.residual)) {
        fail_msg("max_speed %g, courant %g, residual %g", (double)s.max_speed, (double)s.courant,
                 (double)s.residual);
    }
    assert_true(isfinite(s.div_rms_before) && isfinite(s.div_rms_after));
    assert_true(isfinite(s.div_max_after) && isfinite(s.kinetic_energy) && s.capped >= 0);
}

static inline double total(gyre_gas *gas, const char *name)
{
    return gyre_model_total(gyre_gas_model(gas), gyre_gas_field(gas, name));
}

static inline float at(gyre_gas *gas, const char *name, float x, float y, float z)
{
    const float point[3] = {x, y, z};
    float value = NAN;
    must(gyre_gas_probe(gas, gyre_gas_field(gas, name), point, 1, &value));
    return value;
}

// ---- from inside

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
