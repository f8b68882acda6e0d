// measure/channel.c: gas between plates at the two ends of x, a width L apart, goes along y. With
// s = x / L the exact speed is
//
//     steady   lid s + speed 4 s (1 - s)
//     beating  speed Re(-i (1 - cosh(k (s - 1/2)) / cosh(k / 2)) exp(2 pi i t / period)),
//              k = 2 alpha (1 + i) / sqrt 2, alpha = L / 2 (omega / nu)^(1/2)
//
// where a push over the density, omega speed cos(omega t), drives it (J. R. Womersley, J. Physiol.
// 127, 1955, between plates). What a scene's timeline says acts on the whole step that begins then:
// so it comes `late` steps late, and the flow with it. The run begins at t = `begin`, where the
// slowest part of the flow turns: else it would start as far off as the push is late, and that
// would be with it for periods. Over the end, or the last period:
//
//     error       of the speed, L2, over that of the exact one
//     error_max   greatest, over the greatest exact speed
#include "validate/flow.h"

#include <math.h>

static const double TURN = 6.283185307179586;

typedef struct channel {
    double lid, speed, period, alpha; // period 0: steady
    double sum[2], most[2];           // of errors, of the exact speed
} channel;

/// (1 + i) a: real and imaginary part of its cosh.
static void cosh_of(double a, double part[2])
{
    part[0] = cosh(a) * cos(a);
    part[1] = sinh(a) * sin(a);
}

static double exact(const channel *c, double s, double t)
{
    double top[2], bottom[2], k = 2.0 * c->alpha / sqrt(2.0), phase = TURN * t / c->period;
    if (!(c->period > 0.0)) {
        return c->lid * s + c->speed * 4.0 * s * (1.0 - s);
    }
    cosh_of(k * (s - 0.5), top);
    cosh_of(0.5 * k, bottom);
    double size = bottom[0] * bottom[0] + bottom[1] * bottom[1];
    double real = 1.0 - (top[0] * bottom[0] + top[1] * bottom[1]) / size;
    double imaginary = -(top[1] * bottom[0] - top[0] * bottom[1]) / size;
    return c->speed * (imaginary * cos(phase) + real * sin(phase));
}

/// Adds the errors of now.
static void compare(channel *c, const validate_samples *v, double t)
{
    double width = v->n[0] * v->h, low = v->origin[0] - 0.5 * v->h;
    for (int i = 0; i < v->n[0] * v->n[1]; i++) {
        double should = exact(c, (v->origin[0] + i % v->n[0] * v->h - low) / width, t);
        double off = (double)v->data[i] - should;
        c->sum[0] += off * off;
        c->sum[1] += should * should;
        c->most[0] = fmax(c->most[0], fabs(off));
        c->most[1] = fmax(c->most[1], fabs(should));
    }
}

/// Draws the profile of now over the exact one.
static void plot(validate_flow *flow, const channel *c, const validate_samples *v, double t)
{
    int n = v->n[0];
    double *at = validate_flow_memory(flow, (size_t)n), *y = validate_flow_memory(flow, (size_t)n);
    double *should = validate_flow_memory(flow, (size_t)n), low = v->origin[0] - 0.5 * v->h;
    char name[32];
    for (int i = 0; i < n && at && y && should; i++) {
        at[i] = v->origin[0] + i * v->h;
        y[i] = (double)v->data[i];
        should[i] = exact(c, (at[i] - low) / (n * v->h), t);
    }
    if (at && y && should) {
        snprintf(name, sizeof name, "found, %.3g s", t);
        validate_flow_curve(flow, "Speed across the channel", "x / m", "v / (m/s)", name,
                            VALIDATE_LINE, n, at, y);
        snprintf(name, sizeof name, "exact, %.3g s", t);
        validate_flow_curve(flow, "Speed across the channel", "x / m", "v / (m/s)", name,
                            VALIDATE_DASHES, n, at, should);
    }
}

void validate_measure_channel(validate_flow *flow)
{
    channel c = {.lid = validate_with(flow, "lid", 0.0),
                 .speed = validate_with(flow, "speed", 0.0),
                 .period = validate_with(flow, "period", 0.0),
                 .alpha = validate_with(flow, "alpha", 1.0)};
    double late = validate_with(flow, "late", 0.0), begin = validate_with(flow, "begin", 0.0),
           end = validate_flow_end(flow), dt = 0.0;
    double next = end - 0.6 * c.period;
    while (validate_flow_step(flow)) {
        double now = validate_flow_time(flow);
        bool last = now > end * (1.0 - 1e-9);
        dt = dt > 0.0 ? dt : now;
        if (!last && (!(c.period > 0.0) || now < end - c.period)) {
            continue;
        }
        validate_samples v = validate_flow_read(flow, "velocity_y");
        if (!v.data) {
            return;
        }
        compare(&c, &v, begin + now - late * dt);
        if (last || now >= next) {
            plot(flow, &c, &v, begin + now - late * dt);
            next += 0.3 * c.period;
        }
    }
    validate_note(flow, "error", "1", sqrt(c.sum[0] / c.sum[1]));
    validate_note(flow, "error_max", "1", c.most[0] / c.most[1]);
}
