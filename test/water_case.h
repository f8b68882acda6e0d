// What tests of water share: a device, a def of a still pool, and a look at its fields.
#ifndef WATER_CASE_H
#define WATER_CASE_H

#include "gyre/gyre.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        gyre_result ok_result = (call);                                                            \
        if (ok_result != GYRE_OK) {                                                                \
            fail_msg("%s: %s", #call, gyre_message());                                             \
        }                                                                                          \
    } while (0)

static gyre_device *device;

static inline gyre_device *device_of(int threads, const char *isa)
{
    gyre_device *made = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    def.isa = isa;
    return gyre_device_create(&def, &made) == GYRE_OK ? made : NULL;
}

static inline int set_up(void **state)
{
    (void)state;
    device = device_of(2, NULL);
    return device == NULL;
}

static inline int tear_down(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return 0;
}

/// A basin of nx x ny cells of h metres, a metre deep, walls round it.
static inline gyre_water_def pool(int mode, int nx, int ny, float h)
{
    gyre_water_def def = gyre_water_default_def(2);
    def.mode = mode;
    def.grid.n[0] = nx;
    def.grid.n[1] = ny;
    def.grid.h = h;
    def.bed.flat = -1.0f;
    def.wave_speed = 3.0f;
    return def;
}

static inline void periodic(gyre_water_def *def)
{
    gyre_water_side *sides = &def->sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_PERIODIC;
    }
}

static inline gyre_water *make(const gyre_water_def *def)
{
    gyre_water *water = NULL;
    OK(gyre_water_create(device, def, &water));
    return water;
}

static inline void run(gyre_water *water, int steps, float dt)
{
    for (int n = 0; n < steps; n++) {
        OK(gyre_water_step(water, dt));
    }
}

/// Writes value(x, y) into a field at the samples' places.
static inline void put(gyre_water *water, const char *field, double (*value)(double x, double y))
{
    gyre_field_view view;
    OK(gyre_water_map(water, gyre_water_field(water, field), GYRE_WRITE, &view));
    for (int j = 0; j < view.n[1]; j++) {
        for (int i = 0; i < view.n[0]; i++) {
            float at[3];
            gyre_grid_position(&view.grid, view.location, i, j, 0, at);
            view.data[i + j * view.stride[1]] = (float)value((double)at[0], (double)at[1]);
        }
    }
    OK(gyre_water_unmap(water, gyre_water_field(water, field)));
}

/// A copy of a field, x fastest; the caller frees it.
static inline float *get(gyre_water *water, const char *field, int n[2])
{
    gyre_field_view view;
    OK(gyre_water_map(water, gyre_water_field(water, field), GYRE_READ, &view));
    float *copy = malloc(sizeof(float) * (size_t)view.n[0] * (size_t)view.n[1]);
    assert_non_null(copy);
    for (int j = 0; j < view.n[1]; j++) {
        memcpy(copy + (size_t)j * (size_t)view.n[0], view.data + j * view.stride[1],
               sizeof(float) * (size_t)view.n[0]);
    }
    n[0] = view.n[0];
    n[1] = view.n[1];
    OK(gyre_water_unmap(water, gyre_water_field(water, field)));
    return copy;
}

static inline double line(const gyre_water *water, const char *name)
{
    gyre_water_line lines[64];
    int count = gyre_water_ledger(water, lines, 64);
    for (int l = 0; l < count; l++) {
        if (strcmp(lines[l].name, name) == 0) {
            return lines[l].volume;
        }
    }
    fail_msg("no line %s", name);
    return 0.0;
}

#endif
