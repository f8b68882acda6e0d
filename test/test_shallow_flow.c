// labels: small
// The step of shallow water against exact solutions.
#include "test/water_rig.h"
#include <stdio.h>

static const double gravity = 9.81;

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

static void test_ritter(void **state)
{
    (void)state;
    double c = sqrt(gravity), error[3];
    const dam w = {1.0, 0.0, 0.0, 2.0 * c, 2.0 * c};
    for (int r = 0; r < 3; r++) {
        tank t = dam_run(&w, 150 << r, -5.0, 10.0);
        double h = (double)t.s.h, front = 0.0, most = 0.0;
        error[r] = dam_error(&w, &t, -5.0);
        for (int i = 0; i < t.n[0]; i++) {
            double d, u, x = -5.0 + (i + 0.5) * h;
            dam_exact(&w, x, t.time, &d, &u);
            if ((double)t.d[i] > 1e-3) {
                front = x;
            }
            most = fmax(most, (double)t.qx[i] / fmax((double)t.d[i], 1e-4));
        }
        int at = (int)(5.0 / h);
        double d = 0.5 * (double)(t.d[at - 1] + t.d[at]);
        double u = 0.5 * (double)(t.qx[at - 1] + t.qx[at]) / d;
        if (printing())
            print_message("ritter: L1 %g, depth %g speed %g, front %g of %g, fastest %g of %g\n",
                          error[r], d, u, front, 2.0 * c - 3.0 * sqrt(gravity * 1e-3), most,
                          2.0 * c);
        tank_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stoker),
        cmocka_unit_test(test_ritter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
