// A boat with propeller, rudder and keel on calm water: how fast it goes, and its turning circle,
// against the balance of the same forces on three degrees of freedom, worked out apart.
#include "water_case.h"

static const double PI = 3.14159265358979323846, RHO = 1000.0;

enum { KEEL = 8 };

/// A boat: a box L by B by D, of half the water's density.
typedef struct boat {
    double length, breadth, depth, thrust, rudder, area, keel, drag;
} boat;

static const boat small = {4.0, 1.2, 0.8, 600.0, 20.0, 0.25, 1.6, 0.4};

static gyre_water_body body_of(const boat *b)
{
    gyre_water_body body = gyre_water_default_body();
    strcpy(body.name, "boat");
    body.size[0] = (float)b->length;
    body.size[1] = (float)b->breadth;
    body.size[2] = (float)b->depth;
    body.density = 500.0f;
    body.drag = (float)b->drag;
    body.added_mass = 0.0f;
    body.waves = 0.0f; // calm: the balance knows of no waves
    body.drift = false;
    body.thrust = (float)b->thrust;
    body.propeller[0] = body.rudder_at[0] = (float)(-0.5 * b->length);
    body.propeller[2] = body.rudder_at[2] = -0.2f;
    body.rudder = (float)b->rudder;
    body.rudder_area = (float)b->area;
    body.keel_area = (float)b->keel;
    body.keel_length = (float)b->length;
    return body;
}

/// The same forces in the plane: u ahead, v to port, r anticlockwise.
typedef struct planar {
    double u, v, r;
} planar;

static void plate(double x, double angle, double area, double c, const planar *s, double force[3])
{
    double n[2] = {-sin(angle), cos(angle)}, w[2] = {-s->u, -(s->v + s->r * x)};
    double along = w[0] * n[0] + w[1] * n[1];
    double f = 0.5 * RHO * area * c * hypot(w[0], w[1]) * along;
    force[0] += f * n[0];
    force[1] += f * n[1];
    force[2] += x * f * n[1];
}

static planar balance(const boat *b)
{
    planar s = {1.0, 0.0, 0.0};
    double m = 500.0 * b->length * b->breadth * b->depth, dt = 1e-3;
    double inertia = m * (b->length * b->length + b->breadth * b->breadth) / 12.0;
    double volume = 0.5 * b->length * b->breadth * b->depth, flat = b->length * b->breadth;
    double reach =
        0.5 * sqrt(b->length * b->length + b->breadth * b->breadth + b->depth * b->depth);
    for (int n = 0; n < 200000; n++) {
        double f[3] = {b->thrust, 0.0, 0.0}, speed = hypot(s.u, s.v);
        plate(-0.5 * b->length, -b->rudder * PI / 180.0, b->area, 2.45, &s, f);
        for (int k = 0; k < KEEL; k++) {
            plate(b->length * ((k + 0.5) / KEEL - 0.5), 0.0, b->keel / KEEL, 1.0, &s, f);
        }
        // The hull's drag, and the yaw's damping, as the model has them.
        double rate = 0.5 * RHO * b->drag * volume / sqrt(flat) * speed;
        f[0] -= rate * s.u;
        f[1] -= rate * s.v;
        f[2] -= 0.5 * b->drag * sqrt(9.81 / reach) * inertia * s.r;
        planar d = {f[0] / m + s.r * s.v, f[1] / m - s.r * s.u, f[2] / inertia};
        s.u += dt * d.u;
        s.v += dt * d.v;
        s.r += dt * d.r;
    }
    return s;
}

/// Sails a boat until it goes steadily; the radius by its speed over its rate of turning.
static planar sail(const boat *b, int mode, double *radius)
{
    gyre_water_def def = pool(mode, 128, 128, 1.0f);
    gyre_water_body body = body_of(b);
    def.bed.flat = -6.0f;
    def.wave_speed = 7.0f;
    def.damping = 0.2f;
    body.pose.position[0] = 64.0f;
    body.pose.position[1] = b->rudder > 0.0 ? 16.0f : 112.0f;
    body.pose.velocity[0] = 1.0f;
    def.bodies = (gyre_pool){&body, 1, 1};
    gyre_water *water = make(&def);
    planar s = {0.0, 0.0, 0.0};
    double speed = 0.0;
    for (int n = 0; n < 1800; n++) {
        run(water, 1, 1.0f / 30);
        if (n >= 900) {
            gyre_id id = gyre_model_find(gyre_water_model(water), "bodies", "boat");
            OK(gyre_water_read_body(water, id, &body));
            speed += hypot((double)body.pose.velocity[0], (double)body.pose.velocity[1]) / 900.0;
            s.r += (double)body.pose.spin[2] * PI / 180.0 / 900.0;
        }
    }
    *radius = speed / fabs(s.r);
    s.u = speed;
    gyre_water_destroy(water);
    return s;
}

/// The steady turn is that of the balance within 5 %, to the side that the rudder says; a boat
/// turns the wider the longer it is and the less rudder it gives: R sin(rudder) / L hardly changes.
static void test_circle(void **state)
{
    (void)state;
    double ratio[4];
    for (int k = 0; k < 4; k++) {
        boat b = small;
        b.rudder = k == 0 ? 10.0 : k == 1 ? 20.0 : k == 2 ? -30.0 : 20.0;
        if (k == 3) { // as large again, all areas by the square, forces by the cube
            b = (boat){6.0, 1.8, 1.2, 600.0 * 3.375, 20.0, 0.5625, 3.6, 0.4};
        }
        planar exact = balance(&b);
        double expected = hypot(exact.u, exact.v) / fabs(exact.r), radius;
        planar found = sail(&b, k & 1 ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE, &radius);
        print_message("rudder %g, L %g: radius %.3f m, in balance %.3f; speed %.3f, %.3f m/s\n",
                      b.rudder, b.length, radius, expected, found.u, hypot(exact.u, exact.v));
        assert_true(fabs(radius / expected - 1.0) < 0.03);
        assert_true(fabs(found.u / hypot(exact.u, exact.v) - 1.0) < 0.02);
        assert_true(found.r * b.rudder > 0.0);
        ratio[k] = radius * sin(fabs(b.rudder) * PI / 180.0) / b.length;
    }
    print_message("R sin(rudder) / L: %g %g %g; larger: %g\n", ratio[0], ratio[1], ratio[2],
                  ratio[3]);
    for (int k = 1; k < 4; k++) {
        assert_true(fabs(ratio[k] / ratio[1] - 1.0) < 0.05);
    }
}

/// Straight ahead: thrust is the hull's drag. A propeller in the air does nothing.
static void test_straight(void **state)
{
    (void)state;
    for (int dry = 0; dry < 2; dry++) {
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 200, 32, 1.0f);
        gyre_water_body body = body_of(&small);
        def.bed.flat = -6.0f;
        def.damping = 0.2f;
        body.rudder = 0.0f;
        body.propeller[2] = dry ? 0.6f : -0.2f;
        body.pose.position[0] = 20.0f;
        body.pose.position[1] = 16.0f;
        def.bodies = (gyre_pool){&body, 1, 1};
        gyre_water *water = make(&def);
        run(water, 1200, 1.0f / 30);
        OK(gyre_water_read_body(water, gyre_model_find(gyre_water_model(water), "bodies", "boat"),
                                &body));
        double side = 0.5 * 0.8 * 4.8 / sqrt(4.8), speed = sqrt(600.0 / (0.5 * RHO * 0.4 * side));
        double found = (double)body.pose.velocity[0];
        print_message("straight: %.4f m/s, in balance %.4f\n", found, dry ? 0.0 : speed);
        assert_true(dry ? fabs(found) < 0.01 : fabs(found / speed - 1.0) < 0.03);
        assert_true(fabs((double)body.pose.position[1] - 16.0) < 0.1);
        // What was saved goes on to the same bits.
        size_t size = gyre_water_save_size(water), written;
        void *memory = malloc(size);
        assert_non_null(memory);
        OK(gyre_water_save(water, memory, size, &written));
        run(water, 20, 1.0f / 30);
        uint64_t hash = gyre_water_hash(water);
        OK(gyre_water_load(water, memory, written));
        run(water, 20, 1.0f / 30);
        assert_true(gyre_water_hash(water) == hash);
        free(memory);
        gyre_water_destroy(water);
    }
}

/// A bow wave stands before it and a trough behind, when it makes waves.
static void test_wake(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 256, 64, 0.25f);
    gyre_water_body body = body_of(&small);
    def.bed.flat = -1.0f;
    body.rudder = 0.0f;
    body.waves = 1.0f;
    body.thrust = 3000.0f;
    body.pose.position[0] = 12.0f;
    body.pose.position[1] = 8.0f;
    def.bodies = (gyre_pool){&body, 1, 1};
    gyre_water *water = make(&def);
    run(water, 240, 1.0f / 30);
    OK(gyre_water_read_body(water, gyre_model_find(gyre_water_model(water), "bodies", "boat"),
                            &body));
    int n[2];
    float *s = get(water, "surface", n), most = -1.0f, least = 1.0f;
    int row = (int)(body.pose.position[1] / 0.25f), top = 0, low = 0;
    int at = (int)(body.pose.position[0] / 0.25f);
    for (int i = 4; i < 250; i++) {
        float x = s[i + n[0] * row];
        top = x > most && i > at ? i : top;
        most = x > most && i > at ? x : most;
        low = x < least && i < at ? i : low;
        least = x < least && i < at ? x : least;
    }
    print_message("at %d: bow wave %g at %d, trough %g at %d\n", at, (double)most, top,
                  (double)least, low);
    assert_true(most > 0.02f && least < -0.01f);
    assert_true(top - at < 24);
    free(s);
    gyre_water_destroy(water);
}

/// A boat that drives over the seams of a periodic domain, and over a corner, does what one does
/// that meets none: the same world half a domain further on.
static void test_seam(void **state)
{
    (void)state;
    enum { N = 96 };
    const double wide = 0.5 * N;
    for (int mode = GYRE_WATER_SHALLOW; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        gyre_water *water[2];
        gyre_id id[2];
        gyre_water_body now[2];
        double worst = 0.0, turned = 0.0, run_out[2], start[2] = {38.0, 43.0};
        for (int k = 0; k < 2; k++) {
            gyre_water_def def = pool(mode, N, N, 0.5f);
            periodic(&def);
            def.bed.flat = -2.0f;
            water[k] = make(&def);
            gyre_water_body body = body_of(&small);
            body.rudder = -3.0f;
            body.waves = 1.0f;
            body.added_mass = 0.3f;
            for (int a = 0; a < 2; a++) {
                double at = start[a] + (k ? 0.5 * wide : 0.0);
                body.pose.position[a] = (float)(at >= wide ? at - wide : at);
            }
            body.pose.velocity[0] = 2.0f;
            body.pose.rotation[2] = 50.0f;
            id[k] = gyre_water_add_body(water[k], &body);
            assert_true(id[k] != 0);
        }
        for (int n = 0; n < 250; n++) {
            for (int k = 0; k < 2; k++) {
                run(water[k], 1, 0.04f);
                OK(gyre_water_read_body(water[k], id[k], &now[k]));
            }
            for (int a = 0; a < 2; a++) {
                double off =
                    (double)now[1].pose.position[a] - (double)now[0].pose.position[a] - 0.5 * wide;
                off -= wide * floor(off / wide + 0.5);
                worst = fmax(worst, fabs(off));
                worst = fmax(
                    worst, fabs((double)now[1].pose.velocity[a] - (double)now[0].pose.velocity[a]));
            }
            turned = fmax(turned,
                          fabs((double)now[1].pose.rotation[2] - (double)now[0].pose.rotation[2]));
        }
        for (int a = 0; a < 2; a++) {
            run_out[a] = (double)now[0].pose.position[a];
        }
        print_message("mode %d: a boat over both seams: %.1e m and m/s, %.1e degrees off one over "
                      "none; it ends at %.2f, %.2f m\n",
                      mode, worst, turned, run_out[0], run_out[1]);
        // Floats tell places differently there; transforms have no place that is like another.
        assert_true(worst < 1e-3 && turned < 0.02);
        assert_true(run_out[0] < 30.0 && run_out[1] < 30.0);
        gyre_water_destroy(water[0]);
        gyre_water_destroy(water[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle),
                                       cmocka_unit_test(test_straight), cmocka_unit_test(test_wake),
                                       cmocka_unit_test(test_seam)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
