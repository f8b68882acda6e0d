// test/test_pose.c: Euler angles and quaternions, shapes and solids in poses, bodies by either.
// labels: small valgrind
#include "base/pose.h"
#include "check.h"
#include "gas_case.h"
#include "grid/property.h"
#include "shape/openness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/maths.h"

#define NEAR(a, b, e) near_enough((double)(a), (double)(b), e, __LINE__)

static void near_enough(double a, double b, double e, int line)
{
    if (!(fabs(a - b) <= e)) {
        fail_msg("line %d: %.9g is not %.9g within %g", line, a, b, e);
    }
}

static float unit_random(int i)
{
    return gy_random_unit(15, (uint32_t)i);
}

/// How far apart two turns are: the largest difference of quaternions, of which each and its
/// opposite are one turn.
static double apart(const float a[4], const float b[4])
{
    double most[2] = {0, 0};
    for (int i = 0; i < 8; i++) {
        double d = fabs((double)a[i / 2] + (i % 2 ? 1 : -1) * (double)b[i / 2]);
        most[i % 2] = d > most[i % 2] ? d : most[i % 2];
    }
    return most[0] < most[1] ? most[0] : most[1];
}

static double length_of(const float q[4])
{
    double square = 0;
    for (int i = 0; i < 4; i++) {
        square += (double)q[i] * (double)q[i];
    }
    return sqrt(square);
}

// ---- angles and quaternions ---------------------------------------------------------------------

// R = Rz Ry Rx, each written out.
static void matrix_of(const float degrees[3], double r[3][3])
{
    double c[3], s[3], x[3][3] = {{1}}, y[3][3] = {{0}}, z[3][3] = {{0}}, yx[3][3];
    for (int a = 0; a < 3; a++) {
        c[a] = cos((double)degrees[a] * 3.14159265358979323846 / 180);
        s[a] = sin((double)degrees[a] * 3.14159265358979323846 / 180);
    }
    x[1][1] = x[2][2] = c[0], x[2][1] = s[0], x[1][2] = -s[0];
    y[1][1] = 1, y[0][0] = y[2][2] = c[1], y[0][2] = s[1], y[2][0] = -s[1];
    z[2][2] = 1, z[0][0] = z[1][1] = c[2], z[1][0] = s[2], z[0][1] = -s[2];
    memset(yx, 0, sizeof yx);
    memset(r, 0, 9 * sizeof(double));
    for (int i = 0; i < 27; i++) {
        yx[i / 9][i % 3] += y[i / 9][i / 3 % 3] * x[i / 3 % 3][i % 3];
    }
    for (int i = 0; i < 27; i++) {
        r[i / 9][i % 3] += z[i / 9][i / 3 % 3] * yx[i / 3 % 3][i % 3];
    }
}

static void angles_turn_about_x_then_y_then_z(void **state)
{
    (void)state;
    // y turned about x is z, and z turned about y is x.
    gyre_pose pose = {.position = {1, 2, 3}, .rotation = {90, 90, 0}};
    float world[3], own[3];
    gyre_pose_to_world(&pose, (const float[3]){0, 1, 0}, world);
    assert_true(world[0] == 2 && world[1] == 2 && world[2] == 3);
    for (int k = 0; k < 200; k++) {
        double r[3][3];
        float p[3];
        for (int a = 0; a < 3; a++) {
            pose.position[a] = unit_random(20 * k + a);
            pose.rotation[a] = 1440 * unit_random(20 * k + 3 + a) - 720;
            p[a] = unit_random(20 * k + 6 + a);
        }
        matrix_of(pose.rotation, r);
        gyre_pose by = pose;
        gyre_quaternion_from_degrees(pose.rotation, by.orientation);
        by.rotation[1] += 77; // does not count
        for (int which = 0; which < 2; which++) {
            gyre_pose_to_world(which ? &by : &pose, p, world);
            gyre_pose_to_own(which ? &by : &pose, world, own);
            for (int a = 0; a < 3; a++) {
                NEAR(world[a],
                     r[a][0] * (double)p[0] + r[a][1] * (double)p[1] + r[a][2] * (double)p[2] +
                         (double)pose.position[a],
                     1e-6);
                NEAR(own[a], p[a], 1e-6);
            }
        }
    }
}

static void quaternions_and_degrees_go_both_ways(void **state)
{
    (void)state;
    for (int k = 0; k < 2000; k++) {
        float degrees[3], back[3], q[4], again[4];
        for (int a = 0; a < 3; a++) {
            degrees[a] = 360 * unit_random(7 * k + a) - 180;
        }
        degrees[1] *= 0.5f;
        // Every tenth with its nose straight up or down, or nearly so.
        degrees[1] = k % 10 == 0 ? (k % 20 ? -90.0f : 90.0f) : degrees[1];
        degrees[1] = k % 10 == 5 ? (k % 20 == 5 ? -89.99f : 89.9999f) : degrees[1];
        gyre_quaternion_from_degrees(degrees, q);
        gyre_quaternion_to_degrees(q, back);
        gyre_quaternion_from_degrees(back, again);
        assert_true(q[3] >= 0);
        NEAR(length_of(q), 1, 1e-7);
        NEAR(apart(q, again), 0, 5e-7);
        for (int a = 0; a < 3 && k % 5 != 0 && fabsf(degrees[1]) < 80; a++) {
            NEAR(back[a], degrees[a], 2e-4);
        }
    }
    float q[4], degrees[3];
    gyre_quaternion_from_degrees((const float[3]){0, 0, 90}, q);
    NEAR(q[2], sqrt(0.5), 1e-7);
    NEAR(q[3], sqrt(0.5), 1e-7);
    gyre_quaternion_to_degrees((const float[4]){0, 0, 0, 0}, degrees);
    assert_true(degrees[0] == 0 && degrees[1] == 0 && degrees[2] == 0);
    gyre_quaternion_to_degrees((const float[4]){0, 0, -3, -3}, degrees); // of any length
    assert_true(degrees[0] == 0 && degrees[1] == 0 && degrees[2] == 90);
    gyre_quaternion_to_degrees((const float[4]){(float)NAN, 0, 0, 0}, degrees);
    assert_true(degrees[0] == 0 && degrees[1] == 0 && degrees[2] == 0);
}

static void between_two_turns_is_the_shortest_arc(void **state)
{
    (void)state;
    float from[4], to[4], q[4], degrees[3], none[4] = {0};
    gyre_quaternion_from_degrees((const float[3]){0, 0, 20}, from);
    gyre_quaternion_from_degrees((const float[3]){0, 0, 140}, to);
    for (int sign = 0; sign < 2; sign++) {
        for (int part = 1; part < 12; part++) { // at one speed
            gyre_quaternion_between(from, to, part / 12.0, q);
            gyre_quaternion_to_degrees(q, degrees);
            NEAR(degrees[0], 0, 1e-4);
            NEAR(degrees[1], 0, 1e-4);
            NEAR(degrees[2], 20 + 10 * part, 1e-4);
            NEAR(length_of(q), 1, 1e-7);
        }
        for (int a = 0; a < 4; a++) {
            to[a] = -to[a]; // the same turn
        }
    }
    gyre_quaternion_from_degrees((const float[3]){0, 0, -150}, to); // 170 degrees back, not 190 on
    gyre_quaternion_between(from, to, 0.5, q);
    gyre_quaternion_to_degrees(q, degrees);
    NEAR(degrees[2], -65, 1e-4);
    gyre_quaternion_between(from, to, 0, q);
    assert_memory_equal(q, from, sizeof q);
    gyre_quaternion_between(from, to, 1, q);
    assert_memory_equal(q, to, sizeof q);
    gyre_quaternion_between(from, none, 0.7, q);
    assert_memory_equal(q, from, sizeof q);
    gyre_quaternion_between(none, to, 0.7, q);
    assert_memory_equal(q, none, sizeof q);
    gyre_quaternion_from_degrees((const float[3]){0, 0, 20.01f}, to);
    gyre_quaternion_between(from, to, 0.5, q);
    gyre_quaternion_to_degrees(q, degrees);
    NEAR(degrees[2], 20.005, 1e-4);
}

// ---- shapes -------------------------------------------------------------------------------------

static float samples[5 * 4 * 3];

static gyre_shape shape_of(int kind, int dim, int seed)
{
    float r[8];
    for (int i = 0; i < 8; i++) {
        r[i] = unit_random(100 * seed + i);
    }
    switch (kind) {
    case GYRE_SHAPE_SPHERE:
        return gyre_sphere(r, 0.3f);
    case GYRE_SHAPE_BOX: {
        gyre_shape s = gyre_box(r, (const float[3]){0.5f, 0.3f, 0.7f});
        s.as.box.rotation[0] = dim == 3 ? 90 * r[3] : 0;
        s.as.box.rotation[2] = seed % 2 ? 180 * r[4] : 0;
        return s;
    }
    case GYRE_SHAPE_CAPSULE:
        return gyre_capsule(r, r + 3, 0.2f);
    case GYRE_SHAPE_HALF_SPACE:
        r[3] += 0.1f;
        return gyre_half_space(r, r + 3);
    default: {
        gyre_volume v = {samples, {5, 4, dim == 3 ? 3 : 1}, NULL};
        return gyre_volume_shape(v, r, (const float[3]){0.8f, 0.6f, 0.5f}, 0.4f);
    }
    }
}

static gyre_pose pose_of(int dim, int seed, bool oriented)
{
    gyre_pose pose = {.position = {0}};
    for (int a = 0; a < 3; a++) {
        bool counts = dim == 3 || a < 2;
        pose.position[a] = counts ? 2 * unit_random(900 + 10 * seed + a) - 1 : 0.0f;
        counts = dim == 3 || a == 2;
        pose.rotation[a] = counts ? 360 * unit_random(903 + 10 * seed + a) : 0.0f;
    }
    if (oriented) {
        gyre_quaternion_from_degrees(pose.rotation, pose.orientation);
        memset(pose.rotation, 0, sizeof pose.rotation);
    }
    return pose;
}

static void shapes_lie_in_their_poses(void **state)
{
    (void)state;
    for (int i = 0; i < 5 * 4 * 3; i++) {
        samples[i] = unit_random(i);
    }
    for (int k = 0; k < 200; k++) {
        int kind = k % 5, dim = k / 5 % 2 ? 2 : 3;
        gyre_shape shape = shape_of(kind, dim, k);
        gyre_pose pose = pose_of(dim, k, k / 10 % 2);
        float low[3], high[3];
        gyre_shape_posed_bounds(&shape, &pose, dim, low, high);
        int inside = 0;
        for (int i = 0; i < 100; i++) {
            float own[3], world[3];
            for (int a = 0; a < 3; a++) {
                own[a] = dim == 3 || a < 2 ? 2 * unit_random(3000 + 3 * i + a) - 0.5f : 0.0f;
            }
            gyre_pose_to_world(&pose, own, world);
            float d = gyre_shape_posed_distance(&shape, &pose, dim, world);
            NEAR(d, gyre_shape_distance(&shape, dim, own), 2e-5);
            for (int a = 0; a < dim && d <= 0; a++) {
                assert_true(world[a] >= low[a] && world[a] <= high[a]);
            }
            inside += d <= 0;
        }
        // They are as tight as a box can be: nothing but turning makes them wider.
        for (int a = 0; a < dim && kind == GYRE_SHAPE_SPHERE; a++) {
            NEAR(high[a] - low[a], 0.6, 1e-4);
        }
        assert_true(inside > 0 || kind == GYRE_SHAPE_VOLUME || kind == GYRE_SHAPE_HALF_SPACE ||
                    dim == 3);
        // What is not moved has the very bits of what has no pose.
        gyre_pose still = {.orientation = {0, 0, 0, k % 2 ? 1.0f : 0.0f}, .velocity = {1, 2, 3}};
        gy_solid plain = gy_solid_make(&shape, dim),
                 posed = gy_solid_make_posed(&shape, &still, dim);
        assert_memory_equal(plain.a, posed.a, sizeof plain.a);
        assert_memory_equal(plain.b, posed.b, sizeof plain.b);
        assert_memory_equal(plain.low, posed.low, sizeof plain.low);
        assert_memory_equal(plain.high, posed.high, sizeof plain.high);
        assert_true(plain.turned == posed.turned);
        assert_memory_equal(plain.axis, posed.axis, sizeof plain.axis);
    }
    // In 2D: z does not count, nor do turns about x and y.
    gyre_shape ball = gyre_sphere((const float[3]){1, 0, 0}, 0.5f);
    gyre_pose pose = {.position = {0, 0, 7}, .rotation = {50, 60, 90}};
    NEAR(gyre_shape_posed_distance(&ball, &pose, 2, (const float[3]){0, 1, 3}), -0.5, 1e-6);
}

static void a_box_is_turned_by_either(void **state)
{
    (void)state;
    uint16_t by_angles[40], by_quaternion[40];
    int partly = 0;
    for (int k = 0; k < 12; k++) {
        int dim = k % 2 ? 2 : 3, n = dim == 3 ? 12 : 1;
        gyre_grid grid = {dim, {12, 12, n}, 1.0f / 12, {0}};
        gyre_shape box = gyre_box((const float[3]){0.5f, 0.45f, 0.52f},
                                  (const float[3]){0.5f, 0.31f, 0.4f}),
                   turned = box;
        for (int a = dim == 3 ? 0 : 2; a < 3; a++) {
            box.as.box.rotation[a] = k < 4 ? 90 : 360 * unit_random(50 + 3 * k + a);
        }
        gyre_quaternion_from_degrees(box.as.box.rotation, turned.as.box.orientation);
        turned.as.box.rotation[2] = 33; // does not count
        gy_solid a = gy_solid_make(&box, dim), b = gy_solid_make(&turned, dim);
        for (int axis = 0; axis < dim; axis++) {
            for (int jk = 0; jk < 12 * n; jk++) {
                gy_openness_row(&grid, &a, 1, axis, jk % 12, jk / 12, by_angles);
                gy_openness_row(&grid, &b, 1, axis, jk % 12, jk / 12, by_quaternion);
                for (int i = 0; i < 12; i++) {
                    NEAR(by_quaternion[i], by_angles[i], 2);
                    partly += by_angles[i] > 0 && by_angles[i] < GY_OPEN;
                }
            }
        }
    }
    assert_true(partly > 500);
    // By equal parts a right angle is one, to the bit.
    gyre_shape box = gyre_box((const float[3]){0, 0, 0}, (const float[3]){2, 1, 1});
    box.as.box.orientation[2] = box.as.box.orientation[3] = 0.70710678f;
    assert_true(gyre_shape_distance(&box, 3, (const float[3]){0, 1, 0}) == 0.0f);
}

// ---- a gas's solids -----------------------------------------------------------------------------

static gyre_gas *gas_with(const gyre_device *device, const gyre_gas_solid *solid)
{
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas_emitter emitter = gyre_gas_default_emitter();
    gyre_gas *gas = NULL;
    gas_case_size(&def, 32, 32, 1, 1.0f);
    emitter.shape = gyre_sphere((const float[3]){0.5f, 0.15f, 0}, 0.1f);
    emitter.temperature = 200;
    def.emitters = (gyre_pool){&emitter, 1, 1};
    def.solids = (gyre_pool){(void *)(uintptr_t)solid, 1, 2};
    gyre_result r = gyre_gas_create((gyre_device *)(uintptr_t)device, &def, &gas);
    return r == GYRE_OK ? gas : NULL;
}

static uint64_t hash_after(gyre_gas *gas)
{
    if (!gas) {
        fail_msg("%s", gyre_message());
    }
    for (int s = 0; s < 6; s++) {
        must(gyre_gas_step(gas, 0.05f));
    }
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas_destroy(gas);
    return hash;
}

static gyre_device *open_device(void)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = 1;
    must(gyre_device_create(&def, &device));
    return device;
}

static void a_solid_in_a_pose_is_the_same_shape_moved_by_hand(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_gas_solid by_hand = gyre_gas_default_solid(), posed = by_hand, away = by_hand;
    by_hand.shape = gyre_box((const float[3]){0.5f, 0.5f, 0}, (const float[3]){0.25f, 0.5f, 1});
    by_hand.shape.as.box.rotation[2] = 90;
    posed.shape = gyre_box((const float[3]){0, 0.25f, 0}, (const float[3]){0.25f, 0.5f, 1});
    away.shape = posed.shape;
    posed.pose = (gyre_pose){.position = {0.75f, 0.5f, 0}, .rotation = {0, 0, 90}};
    gyre_gas_solid oriented = posed;
    memset(oriented.pose.rotation, 0, sizeof oriented.pose.rotation);
    oriented.pose.orientation[2] = oriented.pose.orientation[3] = 0.70710678f;
    oriented.pose.velocity[2] = 3; // does not count in 2D
    oriented.pose.spin[0] = 90;
    uint64_t wanted = hash_after(gas_with(device, &by_hand));
    assert_true(hash_after(gas_with(device, &posed)) == wanted);
    assert_true(hash_after(gas_with(device, &oriented)) == wanted);
    assert_true(hash_after(gas_with(device, &away)) != wanted);
    // Set by its paths, flat, while it runs.
    gyre_gas *gas = gas_with(device, &away);
    must(gyre_gas_set(gas, "solids.0.position", gyre_vector(3, posed.pose.position)));
    must(gyre_gas_set(gas, "solids.0.orientation", gyre_vector(4, oriented.pose.orientation)));
    assert_true(hash_after(gas) == wanted);
    // A plane knows turns about z alone.
    oriented.pose.orientation[0] = 0.6f;
    oriented.pose.orientation[2] = 0;
    oriented.pose.orientation[3] = 0.8f;
    gas = gas_with(device, &posed);
    gyre_value value;
    assert_int_equal(
        gyre_gas_set(gas, "solids.0.orientation", gyre_vector(4, oriented.pose.orientation)),
        GYRE_ERROR_ARGUMENT);
    must(gyre_gas_get(gas, "solids.0.rotation", &value)); // taken back with it
    assert_true(value.number[2] == 90 && value.number[0] == 0);
    must(gyre_gas_get(gas, "solids.0.orientation", &value));
    assert_true(value.number[0] == 0 && value.number[3] == 0);
    assert_true(hash_after(gas) == wanted);
    assert_null(gas_with(device, &oriented));
    assert_non_null(strstr(gyre_message(), "solids.0.orientation: in 2D"));
    away.shape.as.box.orientation[1] = 1;
    assert_null(gas_with(device, &away));
    assert_non_null(strstr(gyre_message(), "solids.0.shape.box.orientation: in 2D"));
    gyre_device_destroy(device);
}

// ---- bodies -------------------------------------------------------------------------------------

static gyre_water_body duck_of(void)
{
    gyre_water_body duck = gyre_water_default_body();
    strcpy(duck.name, "duck");
    duck.size[0] = 0.8f;
    duck.size[1] = 0.5f;
    duck.size[2] = 0.4f;
    duck.pose.position[0] = 2.3f;
    duck.pose.position[1] = 2.6f;
    duck.pose.position[2] = 0.4f;
    return duck;
}

static gyre_water *water_with(gyre_device *device, const gyre_water_body *body)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water = NULL;
    def.grid = (gyre_grid){2, {40, 40, 1}, 0.125f, {0}};
    def.bed.flat = -1.0f;
    def.bodies = (gyre_pool){(void *)(uintptr_t)body, 1, 2};
    return gyre_water_create(device, &def, &water) == GYRE_OK ? water : NULL;
}

static const float *told(const gyre_water *water, const char *name)
{
    const void *report;
    const gyre_model *model = gyre_water_model((gyre_water *)(uintptr_t)water);
    const gyre_property *table =
        gyre_model_report(model, gyre_model_element(model, "bodies", 0), &report);
    assert_non_null(table);
    const gyre_property *p = gyre_property_find(table, name);
    assert_non_null(p);
    return (const void *)((const char *)report + p->offset);
}

static gyre_value value_of(const gyre_water *water, const char *path)
{
    gyre_value value;
    must(gyre_water_get(water, path, &value));
    return value;
}

static void a_body_floats_by_either(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_water_body duck = duck_of();
    duck.pose.rotation[0] = 30;
    duck.pose.rotation[1] = -20;
    duck.pose.rotation[2] = 65;
    duck.pose.spin[2] = 40;
    gyre_water *by_angles = water_with(device, &duck);
    gyre_quaternion_from_degrees(duck.pose.rotation, duck.pose.orientation);
    memset(duck.pose.rotation, 0, sizeof duck.pose.rotation);
    gyre_water *by_quaternion = water_with(device, &duck);
    assert_true(by_angles && by_quaternion);
    float before[4];
    memcpy(before, duck.pose.orientation, sizeof before);
    for (int s = 0; s < 240; s++) {
        must(gyre_water_step(by_angles, 1.0f / 60));
        must(gyre_water_step(by_quaternion, 1.0f / 60));
        gyre_value now = value_of(by_quaternion, "bodies.duck.orientation");
        double dot = 0;
        for (int a = 0; a < 4; a++) { // it does not jump to its opposite
            dot += now.number[a] * (double)before[a];
            before[a] = (float)now.number[a];
        }
        assert_true(dot > 0.9);
    }
    float mine[3], his[3];
    memcpy(mine, told(by_quaternion, "position"), sizeof mine);
    memcpy(his, told(by_angles, "position"), sizeof his);
    for (int a = 0; a < 3; a++) {
        NEAR(mine[a], his[a], 2e-3);
    }
    // The report tells both, whichever is in use.
    float q[4], degrees[3], same[4];
    memcpy(q, told(by_angles, "orientation"), sizeof q);
    memcpy(degrees, told(by_angles, "rotation"), sizeof degrees);
    gyre_quaternion_from_degrees(degrees, same);
    NEAR(apart(q, same), 0, 5e-7);
    NEAR(apart(q, told(by_quaternion, "orientation")), 0, 2e-3);
    assert_true(fabsf(q[2]) > 0.1f);
    for (int a = 0; a < 3; a++) {
        NEAR(told(by_quaternion, "rotation")[a], degrees[a], 0.5);
        NEAR(value_of(by_quaternion, "bodies.duck.rotation").number[a], degrees[a], 0.5);
    }
    // A body that was given angles alone keeps to them.
    for (int a = 0; a < 4; a++) {
        assert_true(value_of(by_angles, "bodies.duck.orientation").number[a] == 0);
    }
    gyre_water_destroy(by_angles);
    gyre_water_destroy(by_quaternion);
    gyre_device_destroy(device);
}

static void what_is_set_last_counts(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_water_body duck = duck_of();
    duck.held = true;
    gyre_water *water = water_with(device, &duck);
    assert_non_null(water);
    float right[4] = {0, 0, 0.7071068f, 0.7071068f}, degrees[3] = {10, 20, 30}, wanted[4];
    must(gyre_water_set(water, "bodies.duck.orientation", gyre_vector(4, right)));
    NEAR(value_of(water, "bodies.duck.rotation").number[2], 90, 1e-4);
    NEAR(told(water, "orientation")[2], right[2], 1e-6);
    must(gyre_water_set(water, "bodies.duck.rotation", gyre_vector(3, degrees)));
    gyre_quaternion_from_degrees(degrees, wanted);
    NEAR(apart(told(water, "orientation"), wanted), 0, 5e-7);
    for (int a = 0; a < 4; a++) {
        assert_true(value_of(water, "bodies.duck.orientation").number[a] == 0);
    }
    // All 0: rotation counts, as it is.
    must(gyre_water_set(water, "bodies.duck.orientation", gyre_vector(4, right)));
    must(gyre_water_set(water, "bodies.duck.orientation",
                        gyre_vector(4, (const float[4]){0, 0, 0, 0})));
    NEAR(told(water, "rotation")[2], 90, 1e-4);
    // What is refused changes neither.
    must(gyre_water_set(water, "bodies.duck.orientation", gyre_vector(4, right)));
    const float bad[][4] = {
        {0, 0, 0.5f, 0}, {0, 0, 0, 1.002f}, {0, 0, 0, 0.998f}, {0, (float)NAN, 0, 1}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(gyre_water_set(water, "bodies.duck.orientation", gyre_vector(4, bad[i])),
                         GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "orientation"));
        NEAR(value_of(water, "bodies.duck.orientation").number[2], right[2], 1e-6);
        NEAR(value_of(water, "bodies.duck.rotation").number[2], 90, 1e-4);
    }
    assert_int_equal(
        gyre_water_set(water, "bodies.duck.rotation", gyre_vector(3, (const float[3]){0, 0, 2e6f})),
        GYRE_ERROR_ARGUMENT);
    NEAR(value_of(water, "bodies.duck.orientation").number[2], right[2], 1e-6);
    // A length that is nearly 1 is brought to it, and what was read can be written again.
    must(gyre_water_set(water, "bodies.duck.orientation",
                        gyre_vector(4, (const float[4]){0.6003f, 0, 0.8004f, 0})));
    gyre_value value = value_of(water, "bodies.duck.orientation");
    NEAR(value.number[0], 0.6, 1e-7);
    NEAR(value.number[2], 0.8, 1e-7);
    must(gyre_water_set(water, "bodies.duck.orientation", value));
    gyre_value again = value_of(water, "bodies.duck.orientation");
    assert_memory_equal(again.number, value.number, sizeof value.number);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

static void orientations_are_checked_saved_and_loaded(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_water_body duck = duck_of();
    gyre_body_report report;
    duck.pose.orientation[0] = 0.5f;
    assert_null(water_with(device, &duck));
    assert_non_null(strstr(gyre_message(), "bodies.0.orientation: found 0.5, 0, 0, 0, expected"));
    duck.pose.orientation[0] = 1.0005f;
    duck.pose.spin[0] = 30;
    gyre_water *water = water_with(device, &duck);
    assert_non_null(water);
    duck.pose.orientation[0] = 0.5f;
    assert_int_equal(gyre_water_report_body(water, &duck, &report), GYRE_ERROR_ARGUMENT);
    for (int s = 0; s < 20; s++) {
        must(gyre_water_step(water, 1.0f / 60));
    }
    gyre_model *model = gyre_water_model(water);
    size_t size = gyre_model_save_size(model);
    char *bytes = malloc(size);
    gyre_value saved = value_of(water, "bodies.duck.orientation");
    must(gyre_model_save(model, bytes, size, NULL));
    for (int s = 0; s < 20; s++) {
        must(gyre_water_step(water, 1.0f / 60));
    }
    uint64_t hash = gyre_water_hash(water);
    gyre_value later = value_of(water, "bodies.duck.orientation");
    assert_memory_not_equal(saved.number, later.number, sizeof saved.number);
    must(gyre_model_load(model, bytes, size));
    gyre_value loaded = value_of(water, "bodies.duck.orientation");
    assert_memory_equal(saved.number, loaded.number, sizeof saved.number);
    for (int s = 0; s < 20; s++) {
        must(gyre_water_step(water, 1.0f / 60));
    }
    assert_true(gyre_water_hash(water) == hash);
    loaded = value_of(water, "bodies.duck.orientation");
    assert_memory_equal(later.number, loaded.number, sizeof saved.number);
    free(bytes);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

static void a_struct_that_is_replaced_says_which_was_set(void **state)
{
    (void)state;
    const gyre_property *table = gyre_property_find(gyre_water_properties, "bodies")->properties;
    gyre_water_body before = duck_of(), after;
    before.pose.orientation[2] = before.pose.orientation[3] = 0.70710678f;
    before.pose.rotation[2] = 90;
    after = before;
    gy_property_follow(table, &before, &after);
    assert_memory_equal(&after, &before, sizeof after);
    after.pose.rotation[0] = 10;
    gy_property_follow(table, &before, &after);
    assert_false(gy_is_oriented(after.pose.orientation));
    assert_true(after.pose.rotation[0] == 10);
    after = before;
    after.pose.orientation[2] = 0;
    after.pose.orientation[3] = 1;
    after.pose.rotation[0] = 10; // does not count
    gy_property_follow(table, &before, &after);
    assert_true(after.pose.orientation[3] == 1 && after.pose.rotation[0] == 0 &&
                after.pose.rotation[2] == 0);
    // A box of a solid, deep in a union.
    table = gyre_property_find(gyre_gas_properties, "solids")->properties;
    gyre_gas_solid was = gyre_gas_default_solid(), is;
    was.shape = gyre_box((const float[3]){0, 0, 0}, (const float[3]){1, 1, 1});
    is = was;
    is.shape.as.box.orientation[2] = is.shape.as.box.orientation[3] = 0.70710678f;
    gy_property_follow(table, &was, &is);
    NEAR(is.shape.as.box.rotation[2], 90, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_turn_about_x_then_y_then_z),
        cmocka_unit_test(quaternions_and_degrees_go_both_ways),
        cmocka_unit_test(between_two_turns_is_the_shortest_arc),
        cmocka_unit_test(shapes_lie_in_their_poses),
        cmocka_unit_test(a_box_is_turned_by_either),
        cmocka_unit_test(a_solid_in_a_pose_is_the_same_shape_moved_by_hand),
        cmocka_unit_test(a_body_floats_by_either),
        cmocka_unit_test(what_is_set_last_counts),
        cmocka_unit_test(orientations_are_checked_saved_and_loaded),
        cmocka_unit_test(a_struct_that_is_replaced_says_which_was_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
