// test/test_means.c: in a box with periodic axes that nothing passes and that nothing stands in,
// the mean velocity along those stays what it was, whatever whirls do, also where energy is held
// back, beside walls along them and after a load; a ball takes of it as it always did.
// labels: small
#include "gas_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
}

/// Which axes are periodic, how far the gas goes in a step, what stands in it.
typedef struct box {
    int dim, n, periodic;
    float courant;
    bool ball;
} box;

/// Whirls as large as the box and a sixth of it in a wind, about 1 m/s fast.
static void start(gyre_gas *gas, const box *b)
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    static const float wind[] = {0.3f, 0.2f, -0.25f};
    for (int c = 0; c < b->dim; c++) {
        gyre_field_view v;
        int field = gyre_gas_field(gas, names[c]), across = (c + 1) % b->dim;
        must(gyre_gas_map(gas, field, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++) {
                    const float at[3] = {(float)i + (c == 0 ? 0.0f : 0.5f), (float)j, (float)k};
                    float x = 6.2831853f * at[across] / (float)b->n,
                          y = 6.2831853f * at[c] / (float)b->n;
                    float u = 0.5f * sinf(x + (float)c) + 0.4f * cosf(6.0f * x) * sinf(y + 1.0f);
                    bool wall = (b->periodic >> c & 1) == 0;
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = wall ? 0.0f : u + wind[c];
                }
            }
        }
        must(gyre_gas_unmap(gas, field));
    }
}

static gyre_gas *make(gyre_device *device, const box *b)
{
    gyre_gas_def def = gyre_gas_default_def(b->dim);
    gas_case_size(&def, b->n, b->n, b->dim == 3 ? b->n : 1, 1.0f);
    gyre_gas_side *sides[] = {&def.sides.x_low,  &def.sides.x_high, &def.sides.y_low,
                              &def.sides.y_high, &def.sides.z_low,  &def.sides.z_high};
    for (int s = 0; s < 6; s++) {
        sides[s]->rule = b->periodic >> (s / 2) & 1 ? GYRE_GAS_SIDE_PERIODIC : GYRE_GAS_SIDE_SLIP;
    }
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, &def, &gas));
    if (b->ball) {
        gyre_gas_solid solid = gyre_gas_default_solid();
        solid.shape = gas_sphere(0.5f, 0.5f, b->dim == 3 ? 0.5f : 0.0f, 0.15f);
        assert_true(gyre_gas_add_solid(gas, &solid) > 0);
    }
    start(gas, b);
    return gas;
}

static void means(gyre_gas *gas, const box *b, double mean[3])
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    for (int c = 0; c < b->dim; c++) {
        mean[c] = gyre_model_total(gyre_gas_model(gas), gyre_gas_field(gas, names[c]));
    }
}

/// The greatest change of the mean along a periodic axis (m/s, in a box of 1 m), in 120 steps that
/// make no energy; `governed`: in how many it was held back.
static double change(gyre_device *device, const box *b, int64_t *governed)
{
    gyre_gas *gas = make(device, b);
    double first[3] = {0.0}, now[3] = {0.0}, most = 0.0, energy = 0.0;
    gyre_gas_stats stats;
    means(gas, b, first);
    for (int t = 0; t < 120; t++) {
        must(gyre_gas_step(gas, b->courant / (float)b->n));
        gyre_gas_read_stats(gas, &stats, sizeof stats);
        energy = t == 0 ? stats.kinetic_energy : energy;
        assert_true(stats.kinetic_energy <= energy * (1.0 + 1e-5));
        means(gas, b, now);
        for (int c = 0; c < b->dim; c++) {
            most = b->periodic >> c & 1 ? fmax(most, fabs(now[c] - first[c])) : most;
        }
    }
    *governed = stats.governed;
    gyre_gas_destroy(gas);
    return most;
}

static void mean_velocity_stays(void **state)
{
    static const box boxes[] = {{2, 48, 3, 0.7f, false}, {3, 24, 7, 0.7f, false},
                                {2, 48, 1, 0.7f, false}, {3, 24, 5, 0.7f, false},
                                {3, 24, 1, 0.7f, false}, {2, 48, 3, 3.0f, false},
                                {3, 24, 7, 3.0f, false}};
    gyre_device *device = gas_case_device(0, NULL);
    (void)state;
    for (int q = 0; q < (int)(sizeof boxes / sizeof *boxes); q++) {
        int64_t governed;
        double most = change(device, &boxes[q], &governed);
        print_message("%dD, axes %d, Courant %g: %.2g m/s, held back %d times\n", boxes[q].dim,
                      boxes[q].periodic, (double)boxes[q].courant, most, (int)governed);
        assert_true(most < 3e-6);
        assert_true(governed > 0 || boxes[q].courant < 1.0f || boxes[q].dim == 3);
    }
    gyre_device_destroy(device);
}

static void ball_takes_of_it(void **state)
{
    const box b = {3, 24, 7, 0.7f, true};
    gyre_device *device = gas_case_device(0, NULL);
    int64_t governed;
    (void)state;
    assert_true(change(device, &b, &governed) > 1e-2);
    gyre_device_destroy(device);
}

static void goes_on_after_load(void **state)
{
    const box b = {3, 16, 7, 0.7f, false};
    gyre_device *device = gas_case_device(0, NULL);
    gyre_gas *gas = make(device, &b), *other = make(device, &b);
    (void)state;
    for (int t = 0; t < 9; t++) {
        must(gyre_gas_step(gas, 0.04f));
    }
    size_t size = gyre_gas_save_size(gas);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    must(gyre_gas_save(gas, bytes, size, &size));
    must(gyre_gas_load(other, bytes, size));
    assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
    for (int t = 0; t < 9; t++) {
        must(gyre_gas_step(gas, 0.04f));
        must(gyre_gas_step(other, 0.04f));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
    }
    free(bytes);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mean_velocity_stays),
                                       cmocka_unit_test(ball_takes_of_it),
                                       cmocka_unit_test(goes_on_after_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
