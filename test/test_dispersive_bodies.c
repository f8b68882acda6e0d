// Mode dispersive, bodies: a hemisphere and a box heave by themselves as linear theory has it, come
// to rest and stay there, get back no more than they gave and lose no water; a boat goes as fast as
// its thrust and drag say, less what its waves take.
// labels: long
// timeout: 600
#include "water_case.h"

static const double PI = 3.141592653589793, G = 9.81;

/// Deep water between open sides, `n` cells of a quarter of a metre across.
static gyre_water_def sea(int n)
{
    gyre_water_def def = pool(GYRE_WATER_DISPERSIVE, n, n, 0.25f);
    gyre_water_side *sides = &def.sides.x_low;
    def.bed.flat = -6.0f;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
    }
    return def;
}

static gyre_water_body sphere(int n)
{
    gyre_water_body body = gyre_water_default_body();
    strcpy(body.name, "body");
    body.form = GYRE_BODY_SPHERE;
    body.size[0] = 1.0f;
    body.density = 500.0f;
    body.added_mass = 0.5f;
    body.drag = 0.0f;
    body.pose.position[0] = body.pose.position[1] = 0.125f * (float)n;
    return body;
}

static gyre_water_body box(int n)
{
    gyre_water_body body = sphere(n);
    body.form = GYRE_BODY_BOX;
    body.size[0] = body.size[1] = 2.0f;
    body.size[2] = 1.0f;
    body.density = 600.0f; // floats with its middle 0.1 m below the level
    return body;
}

/// Water in which the body is held until it is calm; then it is let go.
static gyre_water *let_go(const gyre_water_def *from, gyre_water_body *body, gyre_id *id)
{
    gyre_water_def def = *from;
    body->held = true;
    def.bodies = (gyre_pool){body, 1, 1};
    gyre_water *water = make(&def);
    *id = gyre_model_find(gyre_water_model(water), "bodies", "body");
    run(water, 1200, 1.0f / 60);
    body->held = false;
    OK(gyre_water_update_body(water, *id, body));
    return water;
}

/// Heave from 0.1 m above `rest`: the mean period over five half ones; the part that is left after
/// the first whole one.
static double heave(gyre_water_body body, double rest, double *left, double *most)
{
    gyre_id id;
    gyre_water_def def = sea(96);
    const double dt = 1.0 / 60;
    body.pose.position[2] = (float)(rest + 0.1);
    gyre_water *water = let_go(&def, &body, &id);
    double before = 0.1, zeros[6], peaks[6] = {0.0};
    int count = 0;
    for (int s = 1; s < 900 && count < 6; s++) {
        run(water, 1, (float)dt);
        OK(gyre_water_read_body(water, id, &body));
        double z = (double)body.pose.position[2] - rest;
        if ((z < 0.0) != (before < 0.0)) {
            zeros[count++] = s * dt - dt * z / (z - before);
        }
        if (count < 6) {
            peaks[count] = fmax(peaks[count], fabs(z));
        }
        before = z;
    }
    assert_int_equal(count, 6);
    *left = peaks[2] / 0.1;
    *most = fmax(fmax(peaks[1], peaks[2]), peaks[3]);
    gyre_water_destroy(water);
    return 2.0 / 5.0 * (zeros[5] - zeros[0]);
}

/// Hulme, The wave forces acting on a floating hemisphere, J. Fluid Mech. 121 (1982): where it
/// heaves by itself, at k R = 1.054, added mass is 0.423 and damping 0.239 of what it displaces. A
/// sphere of half the water's density and of 1 m: 1.953 s, 0.59 of it left after each. (At infinite
/// frequency 0.5 is added: what its property says.)
static void test_hemisphere(void **state)
{
    (void)state;
    double left, most, period = heave(sphere(96), 0.0, &left, &most);
    print_message("hemisphere: %.3f s, 1.953; %.3f left after it, 0.59\n", period, left);
    assert_true(fabs(period / 1.953 - 1.0) < 0.08);
    assert_true(left > 0.45 && left < 0.7);
    assert_true(most < 0.1);
}

/// A flat box: infinitely fast, what moves along is half of a disk's of its area (Lamb: 8/3 rho
/// R^3), 0.797 of what it displaces. 2 pi sqrt((m + m_a) / rho g A) is 2.08 s.
static void test_box(void **state)
{
    (void)state;
    gyre_water_body body = box(96);
    double radius = sqrt(4.0 / PI), added = 4.0 / 3.0 * pow(radius, 3.0) / 2.4, left, most;
    body.added_mass = (float)added;
    double known = 2.0 * PI * sqrt(0.6 * (1.0 + added) / G);
    double period = heave(body, -0.1, &left, &most);
    print_message("box: %.3f s, %.3f; %.3f left after it\n", period, known, left);
    assert_true(fabs(period / known - 1.0) < 0.1);
    assert_true(left > 0.3 && left < 0.7);
    assert_true(most < 0.1);
}

/// At its rest it stays there; let go off it, it is there, and nowhere else, ten times as long
/// after.
static void test_rest(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        for (int off = 0; off < 2; off++) {
            gyre_id id;
            gyre_water_def def = sea(48);
            gyre_water_body body = form ? box(48) : sphere(48);
            double rest = form ? -0.1 : 0.0, worst = 0.0;
            body.pose.position[2] = (float)(rest + 0.1 * off);
            gyre_water *water = let_go(&def, &body, &id);
            for (int s = 0; s < 3000; s++) {
                run(water, 1, 1.0f / 60);
                OK(gyre_water_read_body(water, id, &body));
                double z = fabs((double)body.pose.position[2] - rest);
                worst = !off || s > 1500 ? fmax(worst, z) : worst;
            }
            double x = fabs((double)body.pose.position[0] - 6.0);
            double y = fabs((double)body.pose.position[1] - 6.0);
            gyre_water_stats stats = gyre_water_get_stats(water);
            print_message("%s %s: off its rest by %.1e m, aside by %.1e, ledger by %.1e m^3\n",
                          form ? "box" : "sphere", off ? "let go" : "at rest", worst, fmax(x, y),
                          fabs(stats.ledger_error));
            assert_true(worst < 2e-3);
            assert_true(fmax(x, y) < 1e-3);
            // What open sides let pass is told in floats, of water 6 m deep.
            assert_true(fabs(stats.ledger_error) < 1e-5 * stats.volume);
            gyre_water_destroy(water);
        }
    }
}

/// Between walls, where nothing can leave: for 100 s the body never gets back more than it gave,
/// and no drop is lost.
static void test_energy(void **state)
{
    (void)state;
    gyre_id id;
    gyre_water_def def = sea(48);
    gyre_water_side *sides = &def.sides.x_low;
    gyre_water_body body = sphere(48);
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_WALL;
    }
    def.damping = 0.5f;
    body.pose.position[2] = 0.2f;
    gyre_water *water = let_go(&def, &body, &id);
    OK(gyre_water_set(water, "damping", gyre_number(0.0)));
    double worst[10] = {0.0}, most = 0.0;
    for (int s = 0; s < 6000; s++) {
        run(water, 1, 1.0f / 60);
        OK(gyre_water_read_body(water, id, &body));
        double *w = &worst[s / 600];
        *w = fmax(*w, fabs((double)body.pose.position[2]));
        most = fmax(most, *w);
    }
    gyre_water_stats stats = gyre_water_get_stats(water);
    print_message("between walls: at most %.4f of 0.2 m; %.4f, %.4f, ... %.4f in 10 s each; ledger "
                  "%.1e of %.0f\n",
                  most, worst[0], worst[1], worst[9], stats.ledger_error, stats.volume);
    assert_true(most < 0.2);
    assert_true(worst[9] < 0.18);
    assert_true(fabs(stats.ledger_error) < 1e-6 * stats.volume);
    gyre_water_destroy(water);
}

/// Its thrust is its drag, rho/2 C A v^2, and its waves' (some); it goes straight and floats on.
static void test_boat(void **state)
{
    (void)state;
    gyre_water_def def = sea(160);
    gyre_water_body body = box(160);
    body.size[0] = 2.0f;
    body.size[1] = 0.8f;
    body.size[2] = 0.6f;
    body.density = 500.0f;
    body.drag = 1.0f;
    body.thrust = 40.0f;
    body.propeller[0] = -1.0f;
    body.propeller[2] = -0.2f;
    body.keel_area = 0.4f;
    body.keel_length = 2.0f;
    body.drift = false;
    body.pose.position[0] = 6.0f;
    gyre_id id;
    gyre_water *water = let_go(&def, &body, &id);
    double speed = 0.0;
    for (int s = 0; s < 1200; s++) {
        run(water, 1, 1.0f / 60);
        OK(gyre_water_read_body(water, id, &body));
        speed += s < 900 ? 0.0 : (double)body.pose.velocity[0] / 300;
    }
    double side = 0.48 / sqrt(1.6), drag = sqrt(40.0 / (500.0 * side));
    print_message("boat: %.3f m/s, %.3f by drag alone; aside by %.1e m, at %.3f m\n", speed, drag,
                  (double)body.pose.position[1] - 20.0, (double)body.pose.position[2]);
    assert_true(speed > 0.7 * drag && speed < 1.05 * drag);
    assert_true(fabs((double)body.pose.position[1] - 20.0) < 0.05);
    assert_true(fabs((double)body.pose.position[2]) < 0.1);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hemisphere), cmocka_unit_test(test_box),  cmocka_unit_test(test_rest),
        cmocka_unit_test(test_energy),     cmocka_unit_test(test_boat),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
