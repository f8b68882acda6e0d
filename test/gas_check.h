// test/gas_check.h: what tests of the gas share: a device, and looks at whole fields. Include it
// after cmocka.
#ifndef GYRE_TEST_GAS_CHECK_H
#define GYRE_TEST_GAS_CHECK_H

#include "gas_case.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static gyre_device *device;

static inline int open_device(void **state)
{
    (void)state;
    device = gas_case_device(1, NULL);
    return device ? 0 : 1;
}

static inline int close_device(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return 0;
}

static inline void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

static inline gyre_gas *make(const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

static inline gyre_gas_def small(int dim)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gas_case_size(&def, 18, 13, dim == 3 ? 9 : 1, 1.0f);
    return def;
}

static inline void says(const char *part)
{
    if (!strstr(gyre_message(), part)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), part);
    }
}

static inline void one_line(void)
{
    assert_true(gyre_message()[0] != 0 && !strchr(gyre_message(), '\n'));
}

// Calls visit for every sample of every field, derived ones too.
static inline void scan(gyre_gas *gas, void (*visit)(float x, const char *field))
{
    int count;
    const gyre_field_info *fields = gyre_gas_fields(gas, &count);
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
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

#endif
