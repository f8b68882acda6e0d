// measure/cylinder.c: the solid "cylinder" in a stream of speed U: what it feels, over
// rho U^2 D / 2, and how often it sheds. Over the time from `from` on:
//
//     drag, lift           means; where whirls are shed, over whole periods
//     drag_max, lift_max   greatest, by a parabola
//     strouhal             f D / U, f from where the lift rises through its mean
//     drop                 Pa, the pressure at (front, level) less that at (back, level), both on
//                          the surface: the mean, or where whirls are shed that half a period
//                          after a greatest lift. Of schemes that keep a pressure
//
// With `parts` the body is that many solids, "part1" and on, and D the length that counts: of a
// wing of disks its chord. A flow that sheds has three rises or more, and a lift that goes to and
// fro by 1e-3 at least.
#include "validate/flow.h"

#include <math.h>
#include <stdio.h>

/// Drag and lift of all steps, each a mean over its step.
typedef struct course {
    double *at, *drag, *lift; // s in the step's middle; coefficients
    double *drop;             // Pa, in that middle, too; NULL: nobody asks
    int count;
} course;

/// A point on the surface of a solid at rest, at (x, level), with the gas on the side `way` of it,
/// -1 or 1: the cell i of the row below it that holds gas, or whose one above does, nearest to it
/// from within.
typedef struct point {
    double x;
    int way, i;
} point;

static void find_cell(const validate_samples *solid, double level, point *at)
{
    int n = solid->n[0], j = (int)floor((level - solid->origin[1]) / solid->h + 1e-6);
    const float *shut = solid->data + j * n;
    double column = (at->x - solid->origin[0]) / solid->h;
    at->i = at->way < 0 ? (int)ceil(column) : (int)floor(column);
    while (at->i > 1 && at->i < n - 2 && shut[at->i] + shut[at->i + n] >= 2.0f) {
        at->i += at->way;
    }
}

/// The line through that cell and the one before it, of the two rows round the point.
static double pressure_at(const validate_samples *p, double level, const point *at)
{
    double row = (level - p->origin[1]) / p->h, y[2];
    int j = (int)floor(row + 1e-6);
    const float *low = p->data + j * p->n[0], *high = low + p->n[0];
    for (int q = 0; q < 2; q++) {
        int i = at->i + q * at->way;
        y[q] = (1.0 - row + j) * (double)low[i] + (row - j) * (double)high[i];
    }
    return y[0] + (y[1] - y[0]) * ((at->x - p->origin[0]) / p->h - at->i) * at->way;
}

/// The first time finds the cells.
static double drop_now(validate_flow *flow, point *front, point *back)
{
    double level = validate_with(flow, "level", 0.0);
    if (front->way == 0) {
        validate_samples solid = validate_flow_read(flow, "solid");
        *front = (point){.x = validate_with(flow, "front", 0.0), .way = -1};
        *back = (point){.x = validate_with(flow, "back", 0.0), .way = 1};
        if (solid.data) {
            find_cell(&solid, level, front);
            find_cell(&solid, level, back);
        }
    }
    validate_samples p = validate_flow_read(flow, "pressure");
    return p.data ? pressure_at(&p, level, front) - pressure_at(&p, level, back) : 0.0;
}

/// The force on the cylinder, or on all parts of the body.
static void push(validate_flow *flow, double force[3])
{
    int parts = (int)validate_with(flow, "parts", 0.0);
    if (parts == 0) {
        validate_flow_push(flow, "cylinder", force);
        return;
    }
    force[0] = force[1] = force[2] = 0.0;
    for (int i = 1; i <= parts && !validate_flow_failed(flow); i++) {
        char name[32];
        double of_part[3];
        snprintf(name, sizeof name, "part%d", i);
        validate_flow_push(flow, name, of_part);
        for (int a = 0; a < 3; a++) {
            force[a] += of_part[a];
        }
    }
}

static void follow(validate_flow *flow, course *c)
{
    double diameter = validate_with(flow, "diameter", 1.0),
           speed = validate_with(flow, "speed", 1.0);
    double scale = 0.5 * validate_flow_property(flow, "air_density") * speed * speed * diameter;
    int room = 0;
    point front = {0}, back = {0};
    // Both 0: they are not asked for.
    bool drops = validate_with(flow, "front", 0.0) < validate_with(flow, "back", 0.0) &&
                 !validate_flow_solver(flow)->option;
    for (double before = 0.0; validate_flow_step(flow); before = validate_flow_time(flow)) {
        double now = validate_flow_time(flow), force[3];
        if (room == 0) {
            room = (int)lround(validate_flow_end(flow) / now) + 1;
            c->at = validate_flow_memory(flow, (size_t)room);
            c->drag = validate_flow_memory(flow, (size_t)room);
            c->lift = validate_flow_memory(flow, (size_t)room);
            c->drop = drops ? validate_flow_memory(flow, (size_t)room) : NULL;
        }
        push(flow, force);
        if (c->lift && c->drag && c->at && c->count < room) {
            c->at[c->count] = 0.5 * (before + now);
            if (c->drop) {
                c->drop[c->count] = drop_now(flow, &front, &back);
            }
            c->drag[c->count] = force[0] / scale;
            c->lift[c->count++] = force[1] / scale;
        }
    }
}

static double mean(const double *y, int from, int to)
{
    double sum = 0.0;
    for (int i = from; i < to; i++) {
        sum += y[i];
    }
    return sum / (to - from);
}

static double greatest(const double *y, int from, int to)
{
    int best = from;
    for (int i = from; i < to; i++) {
        best = y[i] > y[best] ? i : best;
    }
    return validate_peak(y, to, best, NULL);
}

/// Rises of the lift through its mean; first and last step of whole periods, and their frequency.
static int rises(const course *c, int from, double *frequency, int whole[2])
{
    double middle = mean(c->lift, from, c->count), first = 0.0, last = 0.0;
    int count = 0;
    for (int i = from + 1; i < c->count; i++) {
        double a = c->lift[i - 1] - middle, b = c->lift[i] - middle;
        if (a < 0.0 && b >= 0.0) {
            last = c->at[i - 1] + (c->at[i] - c->at[i - 1]) * a / (a - b);
            first = count == 0 ? last : first;
            whole[count == 0 ? 0 : 1] = i;
            count++;
        }
    }
    *frequency = count > 1 ? (count - 1) / (last - first) : 0.0;
    return count;
}

/// The drop half a period after the greatest lift from `from` on that has so much after it.
static double half_a_period_on(const course *c, int from, double frequency)
{
    int best = from, last = c->count - 1;
    double half = 0.5 / frequency, t = 0.0;
    for (int i = from; i <= last && c->at[i] + half < c->at[last]; i++) {
        best = c->lift[i] > c->lift[best] ? i : best;
    }
    t = c->at[best] + half;
    for (int i = best; i < last; i++) {
        if (c->at[i + 1] >= t) {
            double part = (t - c->at[i]) / (c->at[i + 1] - c->at[i]);
            return (1.0 - part) * c->drop[i] + part * c->drop[i + 1];
        }
    }
    return c->drop[last];
}

void validate_measure_cylinder(validate_flow *flow)
{
    double diameter = validate_with(flow, "diameter", 1.0),
           speed = validate_with(flow, "speed", 1.0);
    double after = validate_with(flow, "from", 0.0), frequency;
    course c = {0};
    int from = 0, whole[2] = {0, 0};
    follow(flow, &c);
    if (validate_flow_failed(flow) || c.count == 0) {
        return;
    }
    while (from < c.count - 1 && c.at[from] < after) {
        from++;
    }
    double least = c.lift[from], most = greatest(c.lift, from, c.count);
    for (int i = from; i < c.count; i++) {
        least = fmin(least, c.lift[i]);
    }
    bool sheds = rises(&c, from, &frequency, whole) >= 3 && most - least > 2e-3;
    int low = sheds ? whole[0] : from, high = sheds ? whole[1] : c.count;
    if (greatest(c.drag, from, c.count) == 0.0) {
        validate_flow_fail(flow, "nothing says what pushes the cylinder: its surface must be other "
                                 "than the gas's solid_slip says");
        return;
    }
    validate_note(flow, "drag", "1", mean(c.drag, low, high));
    validate_note(flow, "drag_max", "1", greatest(c.drag, from, c.count));
    validate_note(flow, "lift", "1", mean(c.lift, low, high));
    validate_note(flow, "lift_max", "1", most);
    validate_note(flow, "strouhal", "1", sheds ? frequency * diameter / speed : 0.0);
    if (c.drop) {
        validate_note(flow, "drop", "Pa",
                      sheds ? half_a_period_on(&c, from, frequency) : mean(c.drop, low, high));
    }
    int start = 0;
    while (start < c.count - 1 && c.at[start] * speed < 0.2 * diameter) {
        start++;
    }
    validate_flow_curve(flow, "What the cylinder feels", "t / s", "coefficient", "drag",
                        VALIDATE_LINE, c.count - start, c.at + start, c.drag + start);
    validate_flow_curve(flow, "What the cylinder feels", "t / s", "coefficient", "lift",
                        VALIDATE_LINE, c.count - start, c.at + start, c.lift + start);
}
