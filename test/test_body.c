// labels: small
// Bodies in water: volumes, floating, heaving, and that nothing is ever lost.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/maths.h"
#include "body_rig.h"

#define NEAR(a, b, tolerance) near_to(__LINE__, (double)(a), (double)(b), (double)(tolerance))

static void near_to(int line, double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("line %d: %.9g, expected %.9g +- %.3g", line, a, b, tolerance);
    }
}

static float unit_random(uint32_t k)
{
    return gy_random_unit(7, k);
}

static const float wedge_points[18] = {-1, -1, -1, 2, -1, -1, -1, 2, -1,
                                       -1, -1, 1,  2, -1, 1,  -1, 2, 1};
static const float wedge_triangles[24] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3,
                                          1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5};

static gyre_water_body form_of(int form)
{
    gyre_water_body b = pond_box(0, 0, 0, 1, 0.8f, 1.2f);
    b.form = form;
    if (form == GYRE_BODY_SPHERE) {
        b.size[0] = 0.55f;
    } else if (form == GYRE_BODY_CAPSULE) {
        b.size[0] = 0.35f;
        b.size[1] = 0.7f;
    } else if (form >= GYRE_BODY_HULL) {
        b.points = (gyre_volume){wedge_points, {3, 6, 1}, NULL};
        if (form == GYRE_BODY_MESH) {
            b.triangles = (gyre_volume){wedge_triangles, {3, 8, 1}, NULL};
        }
    }
    return b;
}

static double volume_of(int form)
{
    const double pi = 3.14159265358979;
    const double volume[] = {4 / 3.0 * pi * 0.55 * 0.55 * 0.55, 0.96,
                             pi * 0.35 * 0.35 * (0.7 + 4 / 3.0 * 0.35), 9.0, 9.0};
    return volume[form];
}

// Any pose, fully under: the body's whole volume, and the force of it at its centre.
static void test_volumes(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 60, 60, 0.15f, 20, false);
    for (uint32_t k = 0; k < 100; k++) {
        int form = (int)(k % 5);
        gyre_water_body b = form_of(form);
        gyre_body_report r;
        for (uint32_t a = 0; a < 3; a++) {
            b.pose.position[a] = 4.5f + unit_random(20 * k + a);
            b.pose.rotation[a] = 360 * unit_random(20 * k + a + 3);
        }
        gy_body_report(p.bodies, &p.surf, &b, &r);
        double v = volume_of(form);
        NEAR(r.submerged, v, 1e-4 * v);
        NEAR(r.force[2], 9810 * v, 2 * v);
        for (int a = 0; a < 3 && form < GYRE_BODY_HULL; a++) {
            NEAR(r.centre[a], b.pose.position[a], 0.01);
        }
        NEAR(r.mass, 500 * v, 0.05 * v);
    }
    pond_free(&p);
}

// Half under, the body's point symmetry says how much that is whatever its rotation.
static void test_half_under(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 40, 40, 0.1f, 2, false);
    for (uint32_t k = 0; k < 90; k++) {
        int form = (int)(k % 3);
        gyre_water_body b = form_of(form);
        gyre_body_report r;
        for (uint32_t a = 0; a < 3; a++) {
            b.pose.position[a] = 1.9f + 0.2f * unit_random(1000 + 20 * k + a);
            b.pose.rotation[a] = 360 * unit_random(1000 + 20 * k + a + 3);
        }
        b.pose.position[2] = 2;
        gy_body_report(p.bodies, &p.surf, &b, &r);
        NEAR(r.submerged, 0.5 * volume_of(form), 0.005 * volume_of(form));
    }
    pond_free(&p);
}

// A box of 10 cells moved by fractions of a cell: what it displaces stays.
static void test_moved_by_less_than_a_cell(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 40, 40, 0.1f, 2, false);
    for (int k = 0; k < 50; k++) {
        gyre_water_body b =
            pond_box(1.8f + 0.007f * (float)k, 1.9f + 0.003f * (float)k, 2, 1, 1, 1);
        gyre_body_report r;
        gy_body_report(p.bodies, &p.surf, &b, &r);
        NEAR(r.submerged, 0.5, 1e-4);
        NEAR(r.torque[0], 0, 1.0);
        NEAR(r.torque[1], 0, 1.0);
    }
    pond_free(&p);
}

// The floating box of the reference: 1 m, density 500, tank 10 x 10 x 2 m.
static void test_floats(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 100, 100, 0.1f, 2, false);
    gyre_water_body b = pond_box(5.03f, 4.98f, 2.2f, 1, 1, 1);
    b.drag = 20;
    b.waves = 0; // the rest of the tank takes it up evenly: no waves, and so no wave step here
    assert_int_equal(pond_put(&p, b), GYRE_OK);
    double water = pond_water(&p);
    for (int s = 0; s < 3000; s++) {
        pond_displace(&p);
        pond_move(&p, 0.01f);
    }
    gyre_body_report r;
    gy_body_report(p.bodies, &p.surf, p.body, &r);
    double level = pond_sum(&p, GY_WATER_DEPTH) / 10000;
    print_message("draft %.5f m, level %.6f m\n", (double)r.draft, level);
    NEAR(r.draft, 0.5, 0.01);
    NEAR(level - 2, 0.005, 0.0001);
    NEAR(p.displaced[0], 0.5, 0.01);
    NEAR(pond_water(&p), water, 1e-9 * water);
    NEAR(p.waiting, 0, 0);
    pond_free(&p);
}

/// Seconds from the first to the last upward passing of the mean height, over their number.
static double heave_period(float added)
{
    pond p;
    pond_make(&p, 100, 100, 0.1f, 2, false);
    gyre_water_body b = pond_box(5, 5, 2.05f, 1, 1, 1);
    b.waves = 0;
    b.added_mass = added;
    pond_put(&p, b);
    const float dt = 0.005f;
    double before = 0, first = 0, last = 0, rest = 2.005;
    int count = -1;
    for (int s = 0; s < 1600; s++) {
        pond_displace(&p);
        pond_move(&p, dt);
        double now = (double)p.body[0].pose.position[2] - rest;
        if (s > 0 && before < 0 && now >= 0) {
            last = ((double)s - now / (now - before)) * (double)dt;
            first = count < 0 ? last : first;
            count++;
        }
        before = now;
    }
    pond_free(&p);
    assert_true(count >= 3);
    return (last - first) / count;
}

static void test_heave_period(void **state)
{
    (void)state;
    double bare = heave_period(0), half = heave_period(0.5f);
    print_message("period %.5f s, with added mass 0.5 %.5f s\n", bare, half);
    NEAR(bare, 1.4185, 0.02 * 1.4185);
    // 2 pi sqrt((m + m_a) / k) with m_a = 0.5 m at rest.
    NEAR(half, 1.4185 * sqrt(1.5), 0.02 * 1.4185 * sqrt(1.5));
}

/// The highest wave of a full tank without any damping after so many steps among bodies.
static double highest_wave(int bodies, float wide, float deep, bool held, int steps)
{
    pond p;
    pond_make(&p, 24, 24, 1, 20, true);
    for (int k = 0; k < bodies; k++) {
        float x = bodies == 1 ? 12.3f : 4.3f + 7.4f * (float)k;
        gyre_water_body b = pond_box(x, 11.7f, 20, wide, deep, 6);
        b.held = held;
        pond_put(&p, b);
    }
    for (int j = 0; j < 24; j++) {
        for (int i = 0; i < 24; i++) {
            float r = unit_random((uint32_t)(i + 30 * j)) - 0.5f;
            *pond_at(&p, GY_WATER_DEPTH, i, j) = gy_floorf(r * 1024) / 4096;
        }
    }
    double water = pond_water(&p), most = 0;
    for (int s = 0; s < steps; s++) {
        pond_wave(&p, 14, 0.05f);
        pond_displace(&p);
        pond_move(&p, 0.05f);
    }
    for (int j = 0; j < 24; j++) {
        for (int i = 0; i < 24; i++) {
            most = fmax(most, fabs((double)*pond_at(&p, GY_WATER_DEPTH, i, j)));
        }
    }
    NEAR(pond_water(&p), water, 1e-2); // the rig's own step rounds
    pond_free(&p);
    return most;
}

// What bodies displace follows the waves, and what they push away makes waves: nothing must grow
// of it. With the surface asked for a step late, or bodies side by side that answer each other a
// step late, the first two are above 10 m by now.
static void test_waves_stay_bounded(void **state)
{
    (void)state;
    double among = highest_wave(3, 7, 7, true, 6000), large = highest_wave(1, 14, 20, true, 6000);
    double afloat = highest_wave(3, 6, 6, false, 3000);
    print_message("highest of waves that began with 0.125 m: %.2f, %.2f and %.2f m\n", among, large,
                  afloat);
    assert_true(among < 8);
    assert_true(large < 8);
    assert_true(afloat < 4);
}

// Pushed through the water by hand and taken out: exactly as before.
static void test_pushed_through(void **state)
{
    (void)state;
    for (int waves = 0; waves < 2; waves++) {
        pond p;
        pond_make(&p, 100, 80, 0.1f, 2, false);
        gyre_water_body b = pond_box(-1.5f, 4.1f, 1.9f, 1.3f, 1, 0.8f);
        b.held = true;
        b.waves = waves ? 1 : 0.4f;
        b.pose.rotation[2] = 20;
        pond_put(&p, b);
        double water = pond_water(&p);
        for (int s = 0; s < 260; s++) {
            p.body[0].pose.position[0] = -1.5f + 0.05f * (float)s;
            p.body[0].pose.position[2] = 1.9f - 0.7f * gy_sinf(0.024f * (float)s);
            pond_displace(&p);
            NEAR(pond_water(&p), water, 0);
            NEAR(p.displaced[0], pond_sum(&p, GY_WATER_DISPLACED) * 0.1 * 0.1 + p.waiting, 1e-6);
            if (s == 120) {
                NEAR(p.displaced[0], 1.04, 0.001);
            }
        }
        NEAR(p.displaced[0], 0, 0);
        NEAR(p.waiting, 0, 0);
        NEAR(pond_sum(&p, GY_WATER_DISPLACED), 0, 0);
        for (int j = 0; j < 80; j++) {
            for (int i = 0; i < 100; i++) {
                assert_true(*pond_at(&p, GY_WATER_DISPLACED, i, j) == 0.0f);
            }
        }
        pond_free(&p);
    }
}

static void test_teleported(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 96, 70, 0.25f, 1, false);
    gyre_water_body b = pond_box(0, 0, 1, 3, 2, 2);
    b.held = true;
    pond_put(&p, b);
    double water = pond_water(&p);
    for (uint32_t s = 0; s < 1000; s++) {
        p.body[0].pose.position[0] = 24 * unit_random(5 * s);
        p.body[0].pose.position[1] = 17.5f * unit_random(5 * s + 1);
        p.body[0].pose.position[2] = 2 * unit_random(5 * s + 2);
        p.body[0].pose.rotation[1] = 360 * unit_random(5 * s + 3);
        pond_displace(&p);
    }
    NEAR(pond_water(&p), water, 0);
    NEAR(p.displaced[0], pond_sum(&p, GY_WATER_DISPLACED) * 0.0625 + p.waiting, 1e-6);
    for (int j = 0; j < 70; j++) {
        for (int i = 0; i < 96; i++) {
            float d = *pond_at(&p, GY_WATER_DEPTH, i, j);
            assert_true(d >= 0 && d < 100);
        }
    }
    pond_free(&p);
}

// Under water and moved on the spot: the surface over it does not notice.
static void test_no_hole_above_a_sunken_body(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 64, 64, 0.1f, 3, false);
    gyre_water_body b = pond_box(3.2f, 3.2f, 1, 1, 1, 1);
    b.held = true;
    b.waves = 0;
    pond_put(&p, b);
    pond_displace(&p);
    float level = *pond_at(&p, GY_WATER_DEPTH, 0, 0);
    NEAR(level - 3, 1.0 / 40.96, 1e-4);
    for (int s = 0; s < 20; s++) {
        p.body[0].pose.position[2] = 1 + 0.03f * (float)s;
        pond_displace(&p);
    }
    for (int j = 0; j < 64; j++) {
        for (int i = 0; i < 64; i++) {
            NEAR(*pond_at(&p, GY_WATER_DEPTH, i, j), level, 1e-4);
        }
    }
    pond_free(&p);
}

// A box beside a wall and one in it: water stays on the side where it was pushed.
static void test_walls(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 60, 40, 0.1f, 1, false);
    pond_wall(&p, 30, 0, 39);
    gyre_water_body b = pond_box(2.5f, 2, 1, 1, 1, 1); // its side in the wall
    b.held = true;
    pond_put(&p, b);
    pond_displace(&p);
    double right = 0;
    for (int j = 0; j < 40; j++) {
        for (int i = 30; i < 60; i++) {
            right += (double)*pond_at(&p, GY_WATER_DEPTH, i, j) - 1;
        }
    }
    NEAR(right, 0, 0);
    p.body[0].pose.position[0] = 3; // half on either side
    pond_displace(&p);
    right = 0;
    double taken = 0;
    for (int j = 0; j < 40; j++) {
        for (int i = 30; i < 60; i++) {
            right += (double)*pond_at(&p, GY_WATER_DEPTH, i, j) - 1;
            taken += (double)*pond_at(&p, GY_WATER_DISPLACED, i, j);
        }
    }
    assert_true(taken > 20);
    NEAR(right, taken, 0);
    pond_free(&p);
}

static void test_one_above_another(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 60, 60, 0.1f, 4, false);
    gyre_water_body low = pond_box(3, 3, 1, 1, 1, 1), high = pond_box(3.2f, 3, 4, 1, 1, 1);
    low.held = high.held = true;
    low.waves = high.waves = 0;
    pond_put(&p, low);
    pond_put(&p, high);
    pond_displace(&p);
    pond_displace(&p);
    NEAR(p.displaced[0], 1, 1e-3);
    NEAR(p.displaced[1], 0.52, 0.03); // the level has risen
    p.body[1] = low;                  // both in one place: counted once, as the first one's
    gy_bodies_changed(p.bodies, &p.pool);
    pond_displace(&p);
    NEAR(p.displaced[0], 1, 1e-3);
    NEAR(p.displaced[1], 0, 1e-3);
    pond_free(&p);
}

// One-dimensional water, one cell across: a box as wide as it floats as it should.
static void test_one_dimension(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 200, 1, 0.1f, 2, false);
    gyre_water_body b = pond_box(10.04f, 0.05f, 2.1f, 2, 0.1f, 1);
    gyre_body_report r;
    b.drag = 20;
    b.waves = 0;
    pond_put(&p, b);
    double water = pond_water(&p);
    for (int s = 0; s < 2000; s++) {
        pond_displace(&p);
        pond_move(&p, 0.01f);
    }
    gy_body_report(p.bodies, &p.surf, p.body, &r);
    NEAR(r.submerged, 0.1, 0.002);
    NEAR(pond_water(&p), water, 0);
    pond_free(&p);
}

// A flat box on its edge falls over into lying flat, and lies still.
static void test_righted(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 60, 60, 0.1f, 2, false);
    gyre_water_body b = pond_box(3, 3, 2, 2, 2, 0.4f);
    gyre_body_report r;
    b.pose.rotation[0] = 25;
    b.drag = 4;
    b.waves = 0;
    gy_body_report(p.bodies, &p.surf, &b, &r);
    assert_true(r.torque[0] < -500); // back to 0
    pond_put(&p, b);
    for (int s = 0; s < 2000; s++) {
        pond_displace(&p);
        pond_move(&p, 0.01f);
    }
    NEAR(p.body[0].pose.rotation[0], 0, 0.2);
    NEAR(p.body[0].pose.spin[0], 0, 0.2);
    pond_free(&p);
}

static void test_rests_on_the_bed(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 60, 60, 0.1f, 2, false);
    gyre_water_body b = pond_box(5.2f, 3, 4, 1, 1, 0.4f);
    b.density = 3000;
    b.pose.rotation[0] = 30;
    b.pose.velocity[0] = 3; // against the edge
    b.drag = 1;
    pond_put(&p, b);
    for (int s = 0; s < 1500; s++) {
        pond_displace(&p);
        pond_move(&p, 0.02f);
        for (int a = 0; a < 3; a++) {
            assert_true(gy_is_finite(p.body[0].pose.position[a]));
        }
        assert_true(p.body[0].pose.position[2] > -0.2f);
    }
    NEAR(p.body[0].pose.position[2], 0.2, 0.05);
    NEAR(p.body[0].pose.velocity[2], 0, 0.01);
    assert_true(p.body[0].pose.position[0] < 5.7f);
    pond_free(&p);
}

static void refused(gyre_water_body b, const char *word)
{
    assert_int_equal(gy_body_check(&b, "bodies.it"), GYRE_ERROR_ARGUMENT);
    if (!strstr(gyre_message(), word)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), word);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    for (int form = 0; form < 5; form++) {
        gyre_water_body good = form_of(form);
        assert_int_equal(gy_body_check(&good, ""), GYRE_OK);
    }
    gyre_water_body b = form_of(GYRE_BODY_BOX);
    b.size[1] = 0;
    refused(b, "size");
    b.size[1] = (float)NAN;
    refused(b, "size");
    b = form_of(GYRE_BODY_SPHERE);
    b.size[0] = -1;
    refused(b, "size");
    b = form_of(GYRE_BODY_SPHERE);
    b.pose.position[2] = (float)INFINITY;
    refused(b, "position");
    b = form_of(GYRE_BODY_SPHERE);
    b.density = 0;
    refused(b, "density");
    b = form_of(GYRE_BODY_HULL);
    float flat[18];
    memcpy(flat, wedge_points, sizeof flat);
    for (int k = 0; k < 6; k++) {
        flat[3 * k + 2] = 1;
    }
    b.points.data = flat;
    refused(b, "no volume");
    flat[4] = (float)NAN;
    refused(b, "finite");
    float turned[24];
    for (int k = 0; k < 24; k += 3) {
        turned[k] = wedge_triangles[k];
        turned[k + 1] = wedge_triangles[k + 2];
        turned[k + 2] = wedge_triangles[k + 1];
    }
    b = form_of(GYRE_BODY_MESH);
    b.triangles.data = turned;
    refused(b, "inside out");
    b.triangles = (gyre_volume){wedge_triangles, {3, 7, 1}, NULL};
    refused(b, "close");
    turned[5] = 6;
    b.triangles = (gyre_volume){turned, {3, 8, 1}, NULL};
    refused(b, "name points");
}

/// Volume inside a drawn surface.
static double mesh_volume(const gyre_mesh *m)
{
    double sum = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        double p[3][3];
        for (int k = 0; k < 9; k++) {
            p[k / 3][k % 3] = (double)m->points[3 * m->triangles[3 * t + k / 3] + k % 3];
        }
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum / 6;
}

static void test_surfaces(void **state)
{
    (void)state;
    pond p;
    pond_make(&p, 20, 20, 0.5f, 2, false);
    for (int form = 0; form < 5; form++) {
        gyre_water_body b = form_of(form);
        b.pose.position[0] = 3;
        b.pose.position[2] = 1;
        b.pose.rotation[1] = 40;
        pond_put(&p, b);
    }
    for (int form = 0; form < 5; form++) {
        gyre_mesh m;
        assert_int_equal(gy_bodies_mesh(p.bodies, &p.pool, form, &m), GYRE_OK);
        double v = volume_of(form);
        assert_true(m.triangle_count > 0);
        NEAR(mesh_volume(&m), v, (form == GYRE_BODY_SPHERE || form == 2 ? 0.03 : 1e-4) * v);
    }
    pond_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_half_under),
        cmocka_unit_test(test_moved_by_less_than_a_cell),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_heave_period),
        cmocka_unit_test(test_waves_stay_bounded),
        cmocka_unit_test(test_pushed_through),
        cmocka_unit_test(test_teleported),
        cmocka_unit_test(test_no_hole_above_a_sunken_body),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_one_above_another),
        cmocka_unit_test(test_one_dimension),
        cmocka_unit_test(test_righted),
        cmocka_unit_test(test_rests_on_the_bed),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
