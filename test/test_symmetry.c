// test/test_symmetry.c: a mirrored scene gives the mirrored fields, a scene with its axes exchanged
// the fields with their axes exchanged, to 1e-4 of the largest value.
//
// What limits it is the pressure: red and black cells change places when an axis with an even
// number of cells is mirrored, and a solver that stops early stops elsewhere. So the solve is asked
// for 1e-6. Everything else rounds alike or nearly so. Noise of emitters is left out: it is a
// pattern in space and is not mirrored with them.
// labels: small
#include "gas_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// Axis a goes to axis to[a], turned round where sign[a] is -1.
typedef struct turn {
    const char *name;
    int to[3];
    int sign[3];
} turn;

static void turn_vector(const turn *t, float v[3])
{
    const float old[3] = {v[0], v[1], v[2]};
    for (int a = 0; a < 3; a++) {
        v[t->to[a]] = (float)t->sign[a] * old[a];
    }
}

static void turn_sizes(const turn *t, float v[3])
{
    const float old[3] = {v[0], v[1], v[2]};
    for (int a = 0; a < 3; a++) {
        v[t->to[a]] = old[a];
    }
}

static void turn_shape(const turn *t, gyre_shape *s)
{
    switch (s->kind) {
    case GYRE_SHAPE_SPHERE:
        turn_vector(t, s->as.sphere.centre);
        break;
    case GYRE_SHAPE_BOX:
        turn_vector(t, s->as.box.centre);
        turn_sizes(t, s->as.box.size);
        break;
    case GYRE_SHAPE_CAPSULE:
        turn_vector(t, s->as.capsule.from);
        turn_vector(t, s->as.capsule.to);
        break;
    default:
        turn_vector(t, s->as.half_space.point);
        turn_vector(t, s->as.half_space.normal);
    }
}

// Nothing touches the periodic sides: emitters and solids are not continued across them.
// About the origin, on which every coordinate is a multiple of a power of two.
static gyre_gas *make(gyre_device *device, int dim, const turn *t)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    const int n[3] = {dim == 3 ? 22 : 40, dim == 3 ? 27 : 33, dim == 3 ? 18 : 1};
    gyre_gas_side sides[6] = {{.rule = GYRE_GAS_SIDE_NO_SLIP, .velocity = {0.0f, 0.5f, 0.25f}},
                              {.rule = GYRE_GAS_SIDE_SLIP, .velocity = {0}},
                              {.rule = GYRE_GAS_SIDE_SLIP, .velocity = {0}},
                              {.rule = GYRE_GAS_SIDE_OPEN, .velocity = {0}},
                              {.rule = GYRE_GAS_SIDE_PERIODIC, .velocity = {0}},
                              {.rule = GYRE_GAS_SIDE_PERIODIC, .velocity = {0}}};
    def.grid.h = 1.0f / 32.0f;
    def.gravity[0] = 1.5f;
    def.gravity[1] = -8.0f;
    def.gravity[2] = dim == 3 ? 0.75f : 0.0f;
    def.viscosity = 1e-3f;
    def.density.diffusivity = 2e-3f;
    def.density_weight = 0.01f;
    def.pressure.tolerance = 1e-6f;
    def.pressure.max_cycles = 60;
    gyre_gas_emitter *e = gas_case_emitter(&def);
    e->shape = gas_sphere(-0.1875f, -0.25f, 0.0625f, 0.125f);
    e->density = 2.0f;
    e->temperature = 300.0f;
    e = gas_case_emitter(&def);
    e->mode = GYRE_GAS_EMIT_SET;
    e->shape = gas_box(0.3125f, 0.4375f, -0.125f, 0.25f, 0.21875f, 0.25f, 0.0f);
    e->density = 0.5f;
    e->push = true;
    e->velocity[0] = -1.0f;
    e->velocity[1] = 0.5f;
    e->velocity[2] = dim == 3 ? 0.25f : 0.0f;
    gas_case_solid(&def)->shape = gas_sphere(-0.15625f, 0.125f, 0.03125f, 0.1484375f);
    gas_case_solid(&def)->shape =
        gas_capsule(0.25f, -0.3125f, 0.125f, 0.4375f, -0.125f, -0.125f, 0.0703125f);
    // Turned, the defs go the same way as their lists.
    turn_vector(t, def.gravity);
    for (int i = 0; i < 2; i++) {
        turn_shape(t, &gas_lists.emitters[i].shape);
        turn_vector(t, gas_lists.emitters[i].velocity);
        turn_shape(t, &gas_lists.solids[i].shape);
    }
    for (int a = 0; a < 3; a++) {
        int b = t->to[a];
        def.grid.n[b] = n[a];
        def.grid.origin[b] = -0.5f * (float)n[a] / 32.0f;
        for (int end = 0; end < 2; end++) {
            gyre_gas_side *side = &def.sides.x_low + 2 * b + (t->sign[a] > 0 ? end : 1 - end);
            *side = sides[2 * a + end];
            turn_vector(t, side->velocity);
        }
    }
    gyre_gas *gas = NULL;
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
    return gas;
}

// The largest difference between a field and its turned twin, over the largest value.
static double difference(gyre_gas *gas, gyre_gas *twin, int field, int dim, const turn *t)
{
    gyre_field_view v, w;
    int twin_field = field < dim ? t->to[field] : field;
    float sign = field < dim ? (float)t->sign[field] : 1.0f;
    double most = 0.0, off = 0.0;
    assert_int_equal(gyre_gas_map(gas, field, GYRE_READ, &v), GYRE_OK);
    assert_int_equal(gyre_gas_map(twin, twin_field, GYRE_READ, &w), GYRE_OK);
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                const int at[3] = {i, j, k};
                int there[3];
                for (int a = 0; a < 3; a++) {
                    there[t->to[a]] = t->sign[a] > 0 ? at[a] : v.n[a] - 1 - at[a];
                }
                double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                double y =
                    (double)(sign *
                             w.data[there[0] + there[1] * w.stride[1] + there[2] * w.stride[2]]);
                most = fmax(most, fabs(x));
                off = fmax(off, fabs(x - y));
            }
        }
    }
    assert_int_equal(gyre_gas_unmap(gas, field), GYRE_OK);
    assert_int_equal(gyre_gas_unmap(twin, twin_field), GYRE_OK);
    assert_true(most > 0.01);
    return off / most;
}

static void compare(int dim, const turn *turns, int count)
{
    static const turn none = {"none", {0, 1, 2}, {1, 1, 1}};
    gyre_device *device = gas_case_device(1, NULL);
    assert_non_null(device);
    gyre_gas *gas = make(device, dim, &none);
    const int steps = 10;
    for (int s = 0; s < steps; s++) {
        assert_int_equal(gyre_gas_step(gas, 0.025f), GYRE_OK);
    }
    gyre_gas_stats stats = gyre_gas_get_stats(gas);
    // Transforms leave what rounding leaves, beside little to be solved for.
    print_message("residual %.1e\n", (double)stats.residual);
    assert_true(stats.residual <= 4e-6f);
    assert_true(stats.courant > 0.5f); // things move
    for (int q = 0; q < count; q++) {
        gyre_gas *twin = make(device, dim, &turns[q]);
        for (int s = 0; s < steps; s++) {
            assert_int_equal(gyre_gas_step(twin, 0.025f), GYRE_OK);
        }
        for (int f = 0; f < dim + 2; f++) {
            double off = difference(gas, twin, f, dim, &turns[q]);
            print_message("%dD, %s, field %d: %.1e\n", dim, turns[q].name, f, off);
            // Scalars are swept along one axis after the other: where axes are exchanged so are the
            // sweeps, which shows at jumps. Mirrored, nothing changes its order.
            bool exchanged = turns[q].to[0] != 0 || turns[q].to[1] != 1;
            assert_true(off < (!exchanged ? 1e-4 : f >= dim ? 0.15 : 5e-3));
        }
        gyre_gas_destroy(twin);
    }
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
}

static void turned_2d_scenes_give_turned_fields(void **state)
{
    (void)state;
    const turn turns[4] = {{"x mirrored", {0, 1, 2}, {-1, 1, 1}},
                           {"y mirrored", {0, 1, 2}, {1, -1, 1}},
                           {"x and y exchanged", {1, 0, 2}, {1, 1, 1}},
                           {"a quarter turn", {1, 0, 2}, {1, -1, 1}}};
    compare(2, turns, 4);
}

static void turned_3d_scenes_give_turned_fields(void **state)
{
    (void)state;
    const turn turns[6] = {{"x mirrored", {0, 1, 2}, {-1, 1, 1}},
                           {"y mirrored", {0, 1, 2}, {1, -1, 1}},
                           {"z mirrored", {0, 1, 2}, {1, 1, -1}},
                           {"x and y exchanged", {1, 0, 2}, {1, 1, 1}},
                           {"y and z exchanged", {0, 2, 1}, {1, 1, 1}},
                           {"axes moved on, one mirrored", {1, 2, 0}, {1, -1, 1}}};
    compare(3, turns, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_2d_scenes_give_turned_fields),
        cmocka_unit_test(turned_3d_scenes_give_turned_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
