// measure/round_plume.c: air that rises from a source of heat at a point, in 3D, about the y axis.
// What its turbulence draws in at each height goes as its own speed, and its flux of buoyancy stays
// (B. R. Morton, G. Taylor and J. S. Turner, Proc. R. Soc. A 234, 1956), so that over the height z
// above a virtual origin
//
//     width   ~ z         root mean square of the distance from the axis over the mean temperature
//     speed   ~ z^(-1/3)  mean upwards, weighed by the mean temperature
//     flux    ~ z^(5/3)   of volume, where the mean speed is a twentieth of the row's greatest
//     cooling ~ z^(-5/3)  greatest mean temperature of a row
//
// What is found are the exponents, of means from `from` s on, and `spread`, the slope of width over
// height; fits are from `low` to `high` m above `source`. Widths tell the origin of the others, as
// the zero of their line; flux^(3/5) that of the width's.
#include "validate/flow.h"

#include <math.h>

enum { ROWS = 1024, KINDS = 4 };

typedef struct plume {
    int n[3];
    double h, origin[3], source;
    double *warm, *rise; // sums of temperature, of speed upwards, at centres
    int means;
} plume;

static void add_mean(plume *p, const validate_samples *t, const validate_samples *v)
{
    for (int q = 0; q < p->n[0] * p->n[1] * p->n[2]; q++) {
        int plane = p->n[0] * p->n[1], face = q + q / plane * p->n[0];
        p->warm[q] += (double)t->data[q];
        p->rise[q] += 0.5 * ((double)v->data[face] + (double)v->data[face + p->n[0]]);
    }
    p->means++;
}

/// Width, speed, flux and warmest of row j; false: nothing rises there.
static bool look(const plume *p, int j, double found[KINDS])
{
    double warm = 0.0, square = 0.0, carried = 0.0, flux = 0.0, most = 0.0, fastest = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int q = 0; q < p->n[0] * p->n[2]; q++) {
            int i = q % p->n[0], k = q / p->n[0];
            int c = (k * p->n[1] + j) * p->n[0] + i;
            double x = p->origin[0] + (i + 0.5) * p->h, z = p->origin[2] + (k + 0.5) * p->h;
            if (pass == 0) {
                warm += p->warm[c];
                square += p->warm[c] * (x * x + z * z);
                carried += p->warm[c] * p->rise[c];
                most = fmax(most, p->warm[c]);
                fastest = fmax(fastest, p->rise[c]);
            } else if (p->rise[c] > 0.05 * fastest) {
                flux += p->rise[c] * p->h * p->h;
            }
        }
    }
    found[0] = sqrt(square / warm);
    found[1] = carried / warm / p->means;
    found[2] = flux / p->means;
    found[3] = most / p->means;
    return warm > 0.0 && carried > 0.0 && flux > 0.0;
}

/// Where the line through some points is 0.
static double zero_of(const double *x, const double *y, int count, double *slope)
{
    double middle = 0.0;
    *slope = validate_line(x, y, count, NULL);
    for (int i = 0; i < count; i++) {
        middle += (x[i] - y[i] / *slope) / count;
    }
    return middle;
}

/// The slope of logarithms over that of the height above `origin`.
static double exponent(const double *z, const double *y, int count, double origin)
{
    static double at[ROWS], of[ROWS];
    for (int i = 0; i < count; i++) {
        at[i] = log(fmax(z[i] - origin, 1e-6));
        of[i] = log(y[i]);
    }
    return validate_line(at, of, count, NULL);
}

static void fit(validate_flow *flow, const plume *p)
{
    static double z[ROWS], y[KINDS][ROWS], power[ROWS];
    double low = validate_with(flow, "low", 0.3), high = validate_with(flow, "high", 1.0);
    int rows = 0;
    for (int j = 0; j < p->n[1]; j++) {
        double found[KINDS], height = p->origin[1] + (j + 0.5) * p->h - p->source;
        if (height < low || height > high || !look(p, j, found)) {
            continue;
        }
        z[rows] = height;
        power[rows] = pow(found[2], 0.6);
        for (int q = 0; q < KINDS; q++) {
            y[q][rows] = found[q];
        }
        rows++;
    }
    if (rows < 8) {
        validate_flow_fail(flow, "there is no plume");
        return;
    }
    double spread, unused, widths = zero_of(z, y[0], rows, &spread);
    validate_note(flow, "spread", "1", spread);
    validate_note(flow, "width", "1", exponent(z, y[0], rows, zero_of(z, power, rows, &unused)));
    validate_note(flow, "speed", "1", exponent(z, y[1], rows, widths));
    validate_note(flow, "flux", "1", exponent(z, y[2], rows, widths));
    validate_note(flow, "cooling", "1", exponent(z, y[3], rows, widths));
    validate_flow_curve(flow, "Width over height", "z / m", "width / m", "found", VALIDATE_LINE,
                        rows, z, y[0]);
    validate_flow_curve(flow, "Flux^(3/5) over height", "z / m", "(m^3/s)^(3/5)", "found",
                        VALIDATE_LINE, rows, z, power);
}

void validate_measure_round_plume(validate_flow *flow)
{
    plume p = {.source = validate_with(flow, "source", 0.0)};
    double from = validate_with(flow, "from", 10.0);
    validate_flow_grid(flow, p.n, &p.h, p.origin);
    size_t cells = (size_t)p.n[0] * (size_t)p.n[1] * (size_t)p.n[2];
    p.warm = validate_flow_memory(flow, cells);
    p.rise = validate_flow_memory(flow, cells);
    for (int step = 1; p.warm && p.rise && p.n[1] <= ROWS && validate_flow_step(flow); step++) {
        if (validate_flow_time(flow) < from || step % 8 != 0) {
            continue;
        }
        validate_samples t = validate_flow_read(flow, "temperature");
        validate_samples v = validate_flow_read(flow, "velocity_y");
        if (!t.data || !v.data) {
            break;
        }
        add_mean(&p, &t, &v);
    }
    if (!validate_flow_failed(flow)) {
        fit(flow, &p);
    }
}
