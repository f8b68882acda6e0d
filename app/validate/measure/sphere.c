// measure/sphere.c: the solid "sphere", its centre the origin, in a stream of speed U along x, all
// of it or, between mirrors at y = 0 and z = 0, a `share`:
//
//     drag, side     means from `from` on, over share rho U^2 pi D^2 / 8; side along y, of a half
//                    or all of it
//     separation     angle from the front at which the shear at the surface is 0, at the end
//
// The shear is the slope at the wall of a cubic through it and three places over it, 1.5 to 3 cells
// away, where no sample lies inside; a mean over the first quarter round the x axis.
#include "validate/flow.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/// What it feels, step by step; coefficients, each a mean over its step.
typedef struct course {
    double *at, *drag, *side;
    int count;
} course;

static void follow(validate_flow *flow, course *c)
{
    enum { MOST = 16384 };
    double diameter = validate_with(flow, "diameter", 1.0),
           speed = validate_with(flow, "speed", 1.0);
    double scale = validate_with(flow, "share", 1.0) * PI / 8.0 * diameter * diameter * speed *
                   speed * validate_flow_property(flow, "air_density");
    c->at = validate_flow_memory(flow, MOST);
    c->drag = validate_flow_memory(flow, MOST);
    c->side = validate_flow_memory(flow, MOST);
    c->count = 0;
    while (c->at && c->drag && c->side && c->count < MOST && validate_flow_step(flow)) {
        double force[3];
        validate_flow_push(flow, "sphere", force);
        c->at[c->count] = validate_flow_time(flow);
        c->drag[c->count] = force[0] / scale;
        c->side[c->count++] = force[1] / scale;
    }
}

/// A component at a place, linear between its samples.
static double at_place(const validate_samples *s, const double x[3])
{
    double sum = 0.0, part[3];
    int low[3];
    for (int a = 0; a < 3; a++) {
        double cell = (x[a] - s->origin[a]) / s->h;
        cell = fmin(fmax(cell, 0.0), s->n[a] - 1.001);
        low[a] = (int)cell;
        part[a] = cell - low[a];
    }
    for (int c = 0; c < 8; c++) {
        double weight = 1.0;
        int at[3];
        for (int a = 0; a < 3; a++) {
            int up = c >> a & 1;
            at[a] = low[a] + up;
            weight *= up ? part[a] : 1.0 - part[a];
        }
        sum += weight * (double)s->data[((ptrdiff_t)at[2] * s->n[1] + at[1]) * s->n[0] + at[0]];
    }
    return sum;
}

/// The velocity towards the back, so far above the surface, at an angle from the front.
static double along(const validate_samples u[3], double radius, double above, double angle)
{
    enum { PLANES = 6 };
    double sum = 0.0, r = radius + above;
    for (int p = 0; p < PLANES; p++) {
        double turn = PI / 2.0 * (p + 0.5) / PLANES, c = cos(turn), s = sin(turn);
        double x[3] = {-r * cos(angle), r * sin(angle) * c, r * sin(angle) * s};
        double e[3] = {sin(angle), cos(angle) * c, cos(angle) * s};
        for (int a = 0; a < 3; a++) {
            sum += e[a] * at_place(&u[a], x) / PLANES;
        }
    }
    return sum;
}

/// The slope there of the polynomial through the wall and the places over it.
static double slope_at_wall(const validate_samples u[3], double radius, double angle)
{
    static const double cells[3] = {1.5, 2.25, 3.0};
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double weight = 1.0;
        for (int q = 0; q < 3; q++) {
            weight *= q == i ? 1.0 : cells[q] / (cells[q] - cells[i]);
        }
        sum += weight * along(u, radius, cells[i] * u[0].h, angle) / (cells[i] * u[0].h);
    }
    return sum;
}

/// Degrees; 180 where nothing separates. The shear goes into a plot.
static double separation(validate_flow *flow)
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    enum { ANGLES = 86 };
    double angles[ANGLES], shear[ANGLES], found = 180.0;
    double radius = 0.5 * validate_with(flow, "diameter", 1.0),
           speed = validate_with(flow, "speed", 1.0);
    validate_samples u[3];
    for (int a = 0; a < 3; a++) {
        u[a] = validate_flow_read(flow, names[a]);
        if (!u[a].data) {
            return found;
        }
    }
    for (int i = 0; i < ANGLES; i++) {
        angles[i] = 5.0 + 2.0 * i;
        double turn = angles[i] * PI / 180.0;
        shear[i] = slope_at_wall(u, radius, turn) * 2.0 * radius / speed;
        if (found == 180.0 && angles[i] > 60.0 && shear[i] < 0.0) {
            found = angles[i] - 2.0 * shear[i] / (shear[i] - shear[i - 1]);
        }
    }
    validate_flow_curve(flow, "Shear at the surface", "degrees from the front",
                        "slope of the velocity, U / D", "measured", VALIDATE_LINE, ANGLES, angles,
                        shear);
    return found;
}

void validate_measure_sphere(validate_flow *flow)
{
    double from = validate_with(flow, "from", 0.0), drag = 0.0, side = 0.0;
    int count = 0, start = 0;
    course c;
    follow(flow, &c);
    for (int i = 0; i < c.count; i++) {
        if (c.at[i] >= from) {
            drag += c.drag[i];
            side += c.side[i];
            count++;
        }
        start += c.at[i] < 1.0;
    }
    if (validate_flow_failed(flow) || count == 0) {
        validate_flow_fail(flow, "the run ends before what is to be measured");
        return;
    }
    validate_note(flow, "drag", "1", drag / count);
    validate_flow_curve(flow, "What the sphere feels", "t / s", "coefficient", "drag",
                        VALIDATE_LINE, c.count - start, c.at + start, c.drag + start);
    // On a quarter the gas behind the mirror is not there to push back.
    if (validate_with(flow, "share", 1.0) >= 0.5) {
        validate_note(flow, "side", "1", side / count);
        validate_flow_curve(flow, "What the sphere feels", "t / s", "coefficient", "side",
                            VALIDATE_LINE, c.count - start, c.at + start, c.side + start);
    }
    validate_note(flow, "separation", "degrees", separation(flow));
}
