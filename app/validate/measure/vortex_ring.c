// measure/vortex_ring.c: a vortex ring about the z axis, in a quarter of its box: x and y from 0
// on, the sides there mirrors. With w the curl of the velocity, at the edges between faces, and
//
//     I = integral of x w_y - y w_x                   twice the impulse of the quarter
//     z = integral of z (x w_y - y w_x) / I           where it is
//
// its speed is the slope of z over time. Circulation and radius are those of the plane y = 0, at
// the end. Costs a pass over the velocities a look, of which there are some thirty.
#include "validate/flow.h"

#include <math.h>

typedef struct ring_flow {
    validate_samples u[3];
    int n[3];
    double h, origin[3];
} ring_flow;

static double at(const validate_samples *s, int i, int j, int k)
{
    return (double)s->data[((ptrdiff_t)k * s->n[1] + j) * s->n[0] + i];
}

/// The vorticity about y on the edge below cell (i, j, k) along x and z, and about x likewise.
static double about_y(const ring_flow *f, int i, int j, int k)
{
    return (at(&f->u[0], i, j, k) - at(&f->u[0], i, j, k - 1) - at(&f->u[2], i, j, k) +
            at(&f->u[2], i - 1, j, k)) /
           f->h;
}

static double about_x(const ring_flow *f, int i, int j, int k)
{
    return (at(&f->u[2], i, j, k) - at(&f->u[2], i, j - 1, k) - at(&f->u[1], i, j, k) +
            at(&f->u[1], i, j, k - 1)) /
           f->h;
}

static bool look(validate_flow *flow, ring_flow *f)
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    validate_flow_grid(flow, f->n, &f->h, f->origin);
    for (int a = 0; a < 3; a++) {
        f->u[a] = validate_flow_read(flow, names[a]);
        if (!f->u[a].data) {
            return false;
        }
    }
    return true;
}

/// Where the ring is along z.
static double place_of(const ring_flow *f)
{
    double sum = 0.0, moment = 0.0;
    for (int k = 1; k < f->n[2]; k++) {
        double layer = 0.0;
        for (int j = 0; j < f->n[1]; j++) {
            for (int i = 0; i < f->n[0]; i++) {
                layer += i > 0 ? i * about_y(f, i, j, k) : 0.0;
                layer -= j > 0 ? j * about_x(f, i, j, k) : 0.0;
            }
        }
        sum += layer;
        moment += layer * (f->origin[2] + f->h * k);
    }
    return moment / sum;
}

/// Circulation and radius, of the plane of cells beside y = 0.
static void note_section(validate_flow *flow, const ring_flow *f)
{
    double sum = 0.0, moment = 0.0;
    for (int k = 1; k < f->n[2]; k++) {
        for (int i = 1; i < f->n[0]; i++) {
            double w = about_y(f, i, 0, k) * f->h * f->h;
            sum += w;
            moment += w * f->h * i;
        }
    }
    validate_note(flow, "circulation", "m2/s", sum);
    validate_note(flow, "radius", "m", moment / sum);
}

void validate_measure_vortex_ring(validate_flow *flow)
{
    enum { LOOKS = 33 };
    double from = validate_with(flow, "from", 0.0);
    double to = validate_with(flow, "to", validate_flow_end(flow));
    double time[LOOKS], place[LOOKS], mean[2] = {0.0, 0.0}, square = 0.0, product = 0.0;
    int count = 0;
    ring_flow f;
    while (count < LOOKS && validate_flow_step(flow)) {
        double now = validate_flow_time(flow);
        if (now >= from + count * (to - from) / (LOOKS - 1) * 0.999999 && look(flow, &f)) {
            time[count] = now;
            place[count] = place_of(&f);
            mean[0] += now;
            mean[1] += place[count++];
        }
    }
    validate_flow_finish(flow);
    if (validate_flow_failed(flow) || count < 3 || !look(flow, &f)) {
        validate_flow_fail(flow, "the run is too short for a speed");
        return;
    }
    for (int i = 0; i < count; i++) {
        double t = time[i] - mean[0] / count;
        square += t * t;
        product += t * (place[i] - mean[1] / count);
    }
    validate_note(flow, "speed", "m/s", product / square);
    note_section(flow, &f);
    validate_flow_curve(flow, "Where the ring is", "t / s", "z / m", "measured", VALIDATE_LINE,
                        count, time, place);
}
