// labels: small
// The step of shallow water against exact solutions.
#include "test/water_rig.h"

static const double gravity = 9.81, pi = 3.14159265358979323846;

static bool printing(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

// ---- dam breaks ---------------------------------------------------------------------------------

/// Depth left of x = 0, depth right of it, and what stands between once the dam has gone (Stoker
/// 1957): a plateau between a rarefaction and a shock.
typedef struct dam {
    double left, right, plateau, speed, shock;
} dam;

static void dam_exact(const dam *w, double x, double t, double *d, double *u)
{
    double c = sqrt(gravity * w->left), tail = w->speed - sqrt(gravity * w->plateau);
    if (x < -c * t) {
        *d = w->left, *u = 0.0;
    } else if (x < tail * t) {
        *d = pow(2.0 * c - x / t, 2.0) / (9.0 * gravity), *u = 2.0 / 3.0 * (x / t + c);
    } else if (x < w->shock * t) {
        *d = w->plateau, *u = w->speed;
    } else {
        *d = w->right, *u = 0.0;
    }
}

/// A tank from `low` to `high` along x, one second after the dam has gone.
static tank dam_run(const dam *w, int n, double low, double high)
{
    tank t = tank_make(n, 1, (float)((high - low) / n));
    for (int i = 0; i < n; i++) {
        t.d[i] = (float)(low + (i + 0.5) * (high - low) / n < 0.0 ? w->left : w->right);
    }
    tank_run(&t, 1.0, 0.45);
    return t;
}

static double dam_error(const dam *w, const tank *t, double low)
{
    double error = 0.0, h = (double)t->s.h;
    for (int i = 0; i < t->n[0]; i++) {
        double d, u;
        dam_exact(w, low + (i + 0.5) * h, t->time, &d, &u);
        error += h * fabs((double)t->d[i] - d);
    }
    return error;
}

// Both rows of the reference page.
static void test_stoker(void **state)
{
    (void)state;
    const dam dams[] = {{1.0, 0.1, 0.396175, 2.321355, 3.105134},
                        {1.0, 0.5, 0.726920, 0.923364, 2.957918}};
    for (int q = 0; q < GY_COUNT(dams); q++) {
        const dam *w = &dams[q];
        double error[3];
        for (int r = 0; r < 3; r++) {
            tank t = dam_run(w, 128 << r, -5.0, 5.0);
            error[r] = dam_error(w, &t, -5.0);
            if (r == 2) {
                double h = (double)t.s.h, middle = 0.5 * (w->plateau + w->right), shock = 0.0;
                int at = (int)((5.0 + 0.7 * w->shock) / h);
                double d = (double)t.d[at], u = (double)t.qx[at] / d;
                for (int i = 0; i < t.n[0] - 1; i++) {
                    double a = (double)t.d[i], b = (double)t.d[i + 1];
                    if (a > middle && b <= middle) {
                        shock = -5.0 + (i + 0.5 + (a - middle) / (a - b)) * h;
                    }
                }
                if (printing())
                    print_message("stoker: %g %g %g of %g %g %g\n", d, u, shock, w->plateau,
                                  w->speed, w->shock);
                assert_true(fabs(d / w->plateau - 1.0) < 0.002);
                assert_true(fabs(u / w->speed - 1.0) < 0.002);
                assert_true(fabs(shock / w->shock - 1.0) < 0.01);
            }
            tank_free(&t);
        }
        if (printing())
            print_message("stoker: L1 %g %g %g\n", error[0], error[1], error[2]);
        assert_true(error[0] / error[1] > 1.7 && error[1] / error[2] > 1.7);
    }
}

// On dry ground: a rarefaction as far as a front of speed 2 c (Ritter 1892).
static void test_ritter(void **state)
{
    (void)state;
    double c = sqrt(gravity), error[3];
    const dam w = {1.0, 0.0, 0.0, 2.0 * c, 2.0 * c};
    for (int r = 0; r < 3; r++) {
        tank t = dam_run(&w, 150 << r, -5.0, 10.0);
        double h = (double)t.s.h, front = 0.0;
        error[r] = dam_error(&w, &t, -5.0);
        for (int i = 0; i < t.n[0]; i++) {
            front = t.d[i] > 1e-3f ? -5.0 + (i + 0.5) * h : front;
        }
        int at = (int)(5.0 / h);
        double d = 0.5 * (double)(t.d[at - 1] + t.d[at]);
        double u = 0.5 * (double)(t.qx[at - 1] + t.qx[at]) / d;
        double there = 2.0 * c - 3.0 * sqrt(gravity * 1e-3);
        if (printing())
            print_message("ritter: L1 %g, at the dam %g %g, front %g of %g\n", error[r], d, u,
                          front, there);
        if (r == 2) {
            assert_true(fabs(d * 9.0 / 4.0 - 1.0) < 0.015);
            assert_true(fabs(u * 1.5 / c - 1.0) < 0.015);
            assert_true(front > 0.95 * there && front < 1.01 * there);
        }
        tank_free(&t);
    }
    assert_true(error[0] / error[1] > 1.8 && error[1] / error[2] > 1.8);
}

// ---- smooth flow --------------------------------------------------------------------------------

/// A wave that runs towards higher x on water of depth 1 and changes its shape without breaking:
/// u - 2 c is the same everywhere, and depth travels with u + c. One of them in a length of 10.
static void simple_wave(double x, double t, double *d, double *u)
{
    double c0 = sqrt(gravity), from = x;
    for (int q = 0; q < 60; q++) {
        double c = sqrt(gravity * (1.0 + 0.05 * sin(0.2 * pi * from)));
        from = x - (3.0 * c - 2.0 * c0) * t;
    }
    *d = 1.0 + 0.05 * sin(0.2 * pi * from);
    *u = 2.0 * (sqrt(gravity * *d) - c0);
}

/// Mean error of such a wave along the diagonal of a square of n cells (n by 1: along x) once it
/// has gone most of its length.
static double wave_error(int n, bool flat)
{
    double length = flat ? 10.0 : 10.0 * sqrt(2.0), turn = flat ? 1.0 : sqrt(0.5), error = 0.0;
    tank t = tank_make(n, flat ? 1 : n, (float)(length / n));
    t.periodic[0] = t.periodic[1] = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < t.n[1]; j++)
            for (int i = 0; i < n; i++) {
                int q = i + n * j;
                double x = (i + 0.5) * length / n, y = (j + 0.5) * length / n, d, u;
                simple_wave(flat ? x : turn * (x + y), t.time, &d, &u);
                if (pass) {
                    error += fabs((double)t.d[q] - d) / n / t.n[1];
                } else {
                    t.d[q] = (float)d;
                    t.qx[q] = (float)(d * u * turn);
                    t.qy[q] = flat ? 0.0f : t.qx[q];
                }
            }
        if (!pass) {
            tank_run(&t, 2.0, 0.45);
        }
    }
    tank_free(&t);
    return error;
}

static void test_order(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        double e[3];
        for (int r = 0; r < 3; r++) {
            e[r] = wave_error((flat ? 40 : 32) << r, flat);
        }
        if (printing())
            print_message("wave: L1 %g %g %g, order %g %g\n", e[0], e[1], e[2], log2(e[0] / e[1]),
                          log2(e[1] / e[2]));
        assert_true(log2(e[0] / e[1]) > 1.8 && log2(e[1] / e[2]) > 1.8);
        assert_true(e[2] < 1e-4);
    }
}

// A standing wave between walls: the period of the reference page, and how much is left of it after
// ten of them.
static void test_seiche(void **state)
{
    (void)state;
    int n = 128;
    double period = 6.38551, before = 0.0, last = 0.0, crossed[24];
    int count = 0;
    tank t = tank_make(n, 1, (float)(10.0 / n));
    for (int i = 0; i < n; i++) {
        t.d[i] = (float)(1.0 + 0.001 * cos(pi * (i + 0.5) / n));
    }
    while (count < 21) {
        tank_step(&t, 0.01f);
        double level = 0.0;
        for (int i = 0; i < n; i++) {
            level += (double)t.d[i] * cos(pi * (i + 0.5) / n) * 2.0 / n;
        }
        if (before * level < 0.0) {
            crossed[count++] = last + 0.01 * before / (before - level);
        }
        before = level;
        last = t.time;
        assert_true(t.time < 11.0 * period);
    }
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs((double)t.qx[i]));
    }
    double left = most / (0.001 * sqrt(gravity));
    if (printing())
        print_message("seiche: period %g of %g, %g left\n", (crossed[20] - crossed[0]) / 10.0,
                      period, left);
    assert_true(fabs((crossed[20] - crossed[0]) / 10.0 / period - 1.0) < 0.001);
    assert_true(left > 0.95 && left < 1.01);
    tank_free(&t);
}

// ---- shores and friction ------------------------------------------------------------------------

/// Water that swings in a parabola, with linear friction: its surface stays a plane (Thacker 1981,
/// Sampson et al. 2006).
static double swing_surface(double x, double t)
{
    const double h0 = 10.0, a = 3000.0, tau = 1e-3, b = 5.0;
    double s = 0.5 * sqrt(8.0 * gravity * h0 / (a * a) - tau * tau), decay = exp(-0.5 * tau * t);
    double wobble = -s * tau * sin(2.0 * s * t) + (0.25 * tau * tau - s * s) * cos(2.0 * s * t);
    return h0 + a * a * b * b * decay * decay / (8.0 * gravity * gravity * h0) * wobble -
           b * b * decay * decay / (4.0 * gravity) -
           decay / gravity * (b * s * cos(s * t) + 0.5 * tau * b * sin(s * t)) * x;
}

static void test_thacker(void **state)
{
    (void)state;
    int n = 256, count = 0;
    double length = 10000.0, period = 1353.49, crossed[4], before = 0.0, last = 0.0, error = 0.0;
    tank t = tank_make(n, 1, (float)(length / n));
    t.s.friction = 1e-3f;
    for (int i = 0; i < n; i++) {
        double x = (i + 0.5) * length / n - 0.5 * length;
        t.bed[i] = (float)(10.0 * x * x / 9e6);
        t.d[i] = (float)fmax(0.0, swing_surface(x, 0.0) - (double)t.bed[i]);
    }
    while (count < 4) {
        tank_step(&t, (float)(0.45 * (double)t.s.h / tank_wave(&t)));
        double q = 0.0;
        for (int i = 0; i < n; i++) {
            q += (double)t.qx[i];
        }
        if (before * q < 0.0) {
            crossed[count++] = last + (t.time - last) * before / (before - q);
        }
        before = q;
        last = t.time;
        assert_true(t.time < 2.5 * period);
    }
    for (int i = 0; i < n; i++) {
        double x = (i + 0.5) * length / n - 0.5 * length;
        double d = fmax(0.0, swing_surface(x, t.time) - (double)t.bed[i]);
        error += fabs((double)t.d[i] - d) / n;
    }
    double found = (crossed[3] - crossed[0]) / 1.5;
    if (printing())
        print_message("thacker: period %g of %g, mean error %g m after %g s\n", found, period,
                      error, t.time);
    assert_true(fabs(found / period - 1.0) < 0.005);
    assert_true(error < 0.05);
    tank_free(&t);
}

/// The speed after a time `end` of water that all flows at 2 m/s, 0.5 m deep.
static double slowed(float manning, float friction, int steps, double end)
{
    tank t = tank_make(8, 8, 1.0f);
    t.periodic[0] = t.periodic[1] = true;
    t.s.manning = manning;
    t.s.friction = friction;
    for (int q = 0; q < 64; q++) {
        t.d[q] = 0.5f;
        t.qx[q] = 0.6f;
        t.qy[q] = -0.8f;
    }
    for (int q = 0; q < steps; q++) {
        tank_step(&t, (float)(end / steps));
    }
    double speed = hypot((double)t.qx[9], (double)t.qy[9]) / (double)t.d[9];
    assert_true(fabs((double)t.qx[9] / (double)t.qy[9] + 0.75) < 1e-5 && t.d[9] == 0.5f);
    tank_free(&t);
    return speed;
}

// Friction alone: u = u0 exp(-friction t), u = u0 / (1 + k u0 t), both to first order in dt.
static void test_friction(void **state)
{
    (void)state;
    double k = gravity * 0.03 * 0.03 / pow(0.5, 4.0 / 3.0);
    double exact[] = {2.0 / (1.0 + 2.0 * k * 10.0), 2.0 * exp(-0.5)};
    for (int q = 0; q < 2; q++) {
        double e[2];
        for (int r = 0; r < 2; r++) {
            e[r] = slowed(q ? 0.0f : 0.03f, q ? 0.05f : 0.0f, 200 << r, 10.0) / exact[q] - 1.0;
        }
        if (printing())
            print_message("friction: error %g %g\n", e[0], e[1]);
        assert_true(fabs(e[0]) < 2e-3 && e[0] / e[1] > 1.8 && e[0] / e[1] < 2.2);
    }
    // However long the step.
    assert_true(slowed(0.03f, 0.0f, 1, 1e9) < 1e-3);
}

// Water that runs down a slope comes to the depth where friction holds it (Manning's formula).
static void test_uniform_flow(void **state)
{
    (void)state;
    tank t = tank_make(64, 1, 1.0f);
    double slope = 0.01, manning = 0.03, d = 0.3;
    t.periodic[0] = true; // of the water: the ground goes on falling, which acceleration stands for
    t.s.acceleration[0] = (float)(-gravity * slope);
    t.s.manning = (float)manning;
    for (int i = 0; i < 64; i++) {
        t.d[i] = (float)d;
    }
    for (int q = 0; q < 2000; q++) {
        tank_step(&t, 0.05f);
    }
    double u = (double)t.qx[9] / (double)t.d[9], there = pow(d, 2.0 / 3.0) * sqrt(slope) / manning;
    if (printing())
        print_message("uniform flow: %g of %g m/s\n", u, there);
    assert_true(fabs(u / there - 1.0) < 1e-4);
    tank_free(&t);
}

// In a tank that is pushed the surface comes to stand at -a / g.
static void test_pushed_tank(void **state)
{
    (void)state;
    int n = 64;
    tank t = tank_make(n, 1, 0.1f);
    t.s.acceleration[0] = 0.5f;
    t.s.friction = 1.0f;
    for (int i = 0; i < n; i++) {
        t.bed[i] = 0.1f * (float)sin(0.2 * i);
        t.d[i] = 1.0f - t.bed[i];
    }
    tank_run(&t, 60.0, 0.45);
    for (int i = 0; i < n; i++) {
        double level = 1.0 - 0.5 / gravity * 0.1 * (i + 0.5 - 0.5 * n);
        assert_true(fabs((double)t.bed[i] + (double)t.d[i] - level) < 2e-4);
    }
    if (printing())
        print_message("pushed tank: %g m/s left\n", (double)t.told.speed);
    assert_true(t.told.speed < 1e-5f);
    tank_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stoker),       cmocka_unit_test(test_ritter),
        cmocka_unit_test(test_order),        cmocka_unit_test(test_seiche),
        cmocka_unit_test(test_thacker),      cmocka_unit_test(test_friction),
        cmocka_unit_test(test_uniform_flow), cmocka_unit_test(test_pushed_tank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
