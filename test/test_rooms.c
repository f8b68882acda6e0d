// labels: small
// Rooms: parts of a gas that nothing joins. What is too much for one is its own business, and told.
#include "test/gas_rig.h"

#include <string.h>

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

enum { NX = 32, NY = 12, WALL = 15 };

static gyre_gas_patch hole(int side, float velocity)
{
    gyre_gas_patch p = gyre_gas_default_patch();
    p.side = side;
    p.rule = GYRE_GAS_PATCH_INFLOW;
    p.velocity[side / 2] = velocity;
    p.shape.kind = GYRE_SHAPE_BOX;
    return p;
}

/// A place on a side: x along the domain, or y on its ends, and how long it is.
static gyre_gas_patch place(gyre_gas_patch p, double at, double length)
{
    int along = p.side / 2 == 0 ? 1 : 0;
    for (int a = 0; a < 3; a++) {
        p.shape.as.box.centre[a] = a == along ? (float)at : a == 2 ? 0.4f : 0.0f;
        p.shape.as.box.size[a] = a == along ? (float)length : a == 2 ? 0.42f : 4.0f;
    }
    return p;
}

/// Two rooms with a wall of two cells between them. Patch 0 blows into the left one; 1 and 2 are
/// the right one's, which fit each other.
static gyre_gas_def house(int dim, gyre_gas_patch p[4], gyre_gas_solid s[2])
{
    gyre_gas_def def = still_def(dim, NX, NY, dim == 3 ? 8 : 1, 0.1f, GYRE_GAS_SIDE_SLIP);
    s[0] = gyre_gas_default_solid();
    s[0].shape = gyre_box((const float[]){WALL * 0.1f + 0.1f, 0.6f, 0.4f},
                          (const float[]){0.2f, 4.0f, 4.0f});
    def.solids = (gyre_pool){s, 1, 2};
    p[0] = place(hole(2, 1.0f), 0.6, 0.42);
    p[1] = place(hole(2, 0.5f), 2.2, 0.42);
    p[2] = place(hole(3, 0.5f), 2.8, 0.42);
    def.patches = (gyre_pool){p, 3, 4};
    // As many cycles each time, and none that adds up over all cells: rooms meet in no number.
    def.pressure.solver = GYRE_SOLVER_RED_BLACK;
    def.pressure.tolerance = 1e-30f;
    def.pressure.max_cycles = 200;
    return def;
}

/// How many samples of velocities and smoke right of the wall differ, by how much at most, and the
/// most left of it.
static int differ(gyre_gas *a, gyre_gas *b, double *most, double *left)
{
    int count = 0;
    *left = *most = 0.0;
    for (int f = 0; f < a->velocities + 1; f++) {
        gyre_field_view v, w;
        gy_gas_window(&a->model, f, &v);
        gy_gas_window(&b->model, f, &w);
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    ptrdiff_t o = i + j * v.stride[1] + k * v.stride[2];
                    if (i > WALL + 2) {
                        count += memcmp(&v.data[o], &w.data[o], sizeof(float)) != 0;
                        *most = fmax(*most, fabs((double)(v.data[o] - w.data[o])));
                    }
                    if (i < WALL && f < a->velocities)
                        *left = fmax(*left, fabs((double)v.data[o]));
                }
    }
    return count;
}

static void run(gyre_gas *gas, int steps)
{
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, 0.05f));
}

static double unbalanced(gyre_gas *gas)
{
    return (double)gyre_gas_get_stats(gas).unbalanced;
}

// What blows into a closed room does not come in, and is told; the room beside it, which is open or
// whose inlet and outlet fit, is to the bit as it would be beside a room at rest.
static void a_closed_room_is_its_own(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int open = 0; open < 2; open++) {
            gyre_gas_patch p[4];
            gyre_gas_solid s[2];
            gyre_gas_def def = house(dim, p, s);
            if (open) {
                def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
                p[2].enabled = false;
            }
            gyre_gas *gas = make(&def);
            p[0].enabled = false;
            gyre_gas *alone = make(&def);
            double left, most, area = dim == 3 ? 4 * 4 * 0.01 : 4 * 0.1;
            for (int which = 0; which < 2; which++) {
                set_constant(which ? alone : gas, gas->velocities, 0.5);
                run(which ? alone : gas, 20);
            }
            int off = differ(gas, alone, &most, &left);
            if (loud())
                print_message("%dD, open %d: %d samples differ, left %.1e, unbalanced %g (%g)\n",
                              dim, open, off, left, unbalanced(gas), unbalanced(alone));
            assert_int_equal(off, 0);
            assert_true(left < 1e-5);
            assert_true(fabs(unbalanced(gas) - area) < 1e-6);
            assert_true(unbalanced(alone) == 0.0);
            assert_true((double)gyre_gas_get_stats(alone).max_speed > 0.4);
            gyre_gas_destroy(gas);
            gyre_gas_destroy(alone);
        }
}

// Two rooms, too much in one and too little in the other: over both it would fit.
static void rooms_do_not_make_up_for_each_other(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_patch p[4];
        gyre_gas_solid s[2];
        gyre_gas_def def = house(dim, p, s);
        def.pressure = gyre_gas_default_def(dim).pressure;
        p[1].velocity[1] = -1.0f;
        p[2].enabled = false;
        gyre_gas *gas = make(&def);
        run(gas, 10);
        double area = dim == 3 ? 4 * 4 * 0.01 : 4 * 0.1, most = gyre_gas_get_stats(gas).max_speed;
        if (loud())
            print_message("%dD: unbalanced %g, fastest %.1e\n", dim, unbalanced(gas), most);
        assert_true(fabs(fabs(unbalanced(gas)) - area) < 1e-6 && most < 1e-5);
        // A door: it fits now.
        must(gyre_gas_set(gas, "solids.0.enabled", gyre_bool(false)));
        run(gas, 10);
        assert_true(unbalanced(gas) == 0.0);
        assert_true((double)gyre_gas_get_stats(gas).max_speed > 0.9);
        // And shut again, after a load.
        size_t size = gyre_gas_save_size(gas), written;
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, &written));
        gyre_gas *other = make(&def);
        must(gyre_gas_load(other, bytes, written));
        must(gyre_gas_set(gas, "solids.0.enabled", gyre_bool(true)));
        must(gyre_gas_set(other, "solids.0.enabled", gyre_bool(true)));
        run(gas, 3);
        run(other, 3);
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        assert_true(fabs(fabs(unbalanced(other)) - area) < 1e-6);
        free(bytes);
        gyre_gas_destroy(other);
        gyre_gas_destroy(gas);
    }
}

// A piston in the left room: what it presses out is told where it has no way out, comes in by the
// room's own patch where that takes as much, and is nothing to the room beside it.
static void a_piston_is_its_rooms_own(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int way = 0; way < 2; way++) {
            gyre_gas_patch p[4];
            gyre_gas_solid s[2];
            gyre_gas_def def = house(dim, p, s);
            def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
            double depth = dim == 3 ? 0.8 : 1.0;
            // A floor that rises, across all of the left room; the patch is on the ceiling.
            s[1] = gyre_gas_default_solid();
            s[1].shape = gyre_box((const float[]){0, 0, 0}, (const float[]){3.0f, 0.7f, 4.0f});
            s[1].pose.velocity[1] = 0.2f;
            def.solids.count = 2;
            p[0] = place(hole(3, 1.0f), 0.6, 0.42);
            p[0].enabled = way;
            // All that comes in is cut, so that what leaves is what the piston takes.
            p[0].velocity[1] = 0.5f;
            gyre_gas *gas = make(&def);
            s[1].pose.velocity[1] = 0.0f;
            gyre_gas *alone = make(&def);
            run(gas, 10);
            run(alone, 10);
            double left, most, taken = 0.2 * 1.5 * depth;
            differ(gas, alone, &most, &left);
            gyre_gas_stats st = gyre_gas_get_stats(gas);
            double out = way ? 0.5 * 0.4 * (dim == 3 ? 0.4 : 1.0) : 0.0;
            if (loud())
                print_message(
                    "%dD, way %d: right of the wall off by %.1e; squeezed %g (%g), unbalanced %g "
                    "(%g); left %.2g\n",
                    dim, way, most, st.squeezed, taken, (double)st.unbalanced, taken - out, left);
            // Solids that move have a gas solve once more a step.
            assert_true(most < 1e-5);
            assert_true(fabs(st.squeezed - taken) < 1e-5);
            assert_true(fabs((double)st.unbalanced - (taken - out)) < 1e-5);
            gyre_gas_destroy(gas);
            gyre_gas_destroy(alone);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_room_is_its_own),
        cmocka_unit_test(rooms_do_not_make_up_for_each_other),
        cmocka_unit_test(a_piston_is_its_rooms_own),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
