// validate/permanent.h: Serre's waves of permanent form, of any height, of mean depth 1, in closed
// form by elliptic functions (F. Serre, La Houille Blanche 8, 1953). For test_weggel, too.
#ifndef VALIDATE_PERMANENT_H
#define VALIDATE_PERMANENT_H

#include <math.h>
#include <stdbool.h>

/// d = low + high cn^2(number x | m), u = speed - flux / d, of mean depth 1.
typedef struct wave {
    double low, high, number, modulus, speed, flux, length;
} wave;

/// Complete elliptic integrals, by means.
static void integrals(double m, double *k, double *e)
{
    double a = 1.0, b = sqrt(1.0 - m), c = sqrt(m), sum = 0.5 * c * c, power = 1.0;
    for (int n = 0; n < 40 && fabs(c) > 1e-15; n++, power *= 2.0) {
        double mean = 0.5 * (a + b);
        c = 0.5 * (a - b);
        b = sqrt(a * b);
        a = mean;
        sum += power * c * c;
    }
    *k = 0.5 * 3.141592653589793 / a;
    *e = *k * (1.0 - sum);
}

static double cn(double u, double m)
{
    double a[24] = {1.0}, c[24] = {sqrt(m)}, b = sqrt(1.0 - m);
    int n = 0;
    for (; n < 22 && fabs(c[n]) > 1e-14; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double angle = ldexp(a[n] * u, n);
    for (; n > 0; n--) {
        angle = 0.5 * (angle + asin(c[n] / a[n] * sin(angle)));
    }
    return cos(angle);
}

/// The wave of a height and length; false: there is none.
static bool find_wave(double height, double length, wave *w)
{
    double least = 1e-6, most = 1.0 - 1e-12, k, e;
    *w = (wave){.high = height, .length = length};
    for (int n = 0; n < 200; n++) {
        w->modulus = 0.5 * (least + most);
        integrals(w->modulus, &k, &e);
        double whole = height / w->modulus, foot = 1.0 - whole * e / k;
        w->low = foot + whole - height;
        w->number = sqrt(3.0 * whole / (4.0 * fmax(foot, 1e-9) * w->low * (w->low + height)));
        w->flux = sqrt(9.81 * fmax(foot, 0.0) * w->low * (w->low + height));
        bool shorter = foot <= 0.0 || 2.0 * k / w->number < length;
        least = shorter ? w->modulus : least;
        most = shorter ? most : w->modulus;
    }
    w->speed = w->flux;
    return w->flux > 0.0 && fabs(2.0 * k / w->number / length - 1.0) < 1e-3;
}

static double wave_depth(const wave *w, double x)
{
    double c = cn(w->number * (x - 0.5 * w->length), w->modulus);
    return w->low + w->high * c * c;
}

static double wave_discharge(const wave *w, double x)
{
    return w->speed * wave_depth(w, x) - w->flux;
}

#endif
