// measure/set_off.c: a cylinder set off in still gas, and the same in a stream that is set on: the
// models "still" and "stream" of a scene, a solid "cylinder" in each. To a cylinder both are one
// flow, so what it feels along x must agree, over rho U^2 D / 2:
//
//     drag_still, drag_stream   means from `from` to the end
//     off                       their difference, over drag_stream
//     off_most                  the greatest of means over each D / U
//
// Forces at a cylinder that goes from cell to cell waver from step to step; their means do not.
// Cost: a force of two solids a step.
#include "validate/flow.h"

#include <math.h>

enum { SPANS = 16 };

typedef struct pushed {
    double still, stream; // N s: sums of forces times steps
    double seconds;
} pushed;

static double off_of(const pushed *p)
{
    return p->seconds > 0.0 && p->stream != 0.0 ? fabs(p->still - p->stream) / fabs(p->stream)
                                                : 0.0;
}

static void add(pushed *p, double still, double stream, double dt)
{
    p->still += still * dt;
    p->stream += stream * dt;
    p->seconds += dt;
}

void validate_measure_set_off(validate_flow *flow)
{
    double diameter = validate_with(flow, "diameter", 1.0),
           speed = validate_with(flow, "speed", 1.0), from = validate_with(flow, "from", 0.0),
           scale = 0.5 * validate_flow_property(flow, "air_density") * speed * speed * diameter;
    pushed all = {0}, spans[SPANS] = {{0}};
    double *at = NULL, *still = NULL, *stream = NULL;
    int count = 0, room = 0;
    for (double before = 0.0; validate_flow_step(flow); before = validate_flow_time(flow)) {
        double now = validate_flow_time(flow), dt = now - before, a[3], b[3];
        if (room == 0) {
            room = (int)lround(validate_flow_end(flow) / dt) + 1;
            at = validate_flow_memory(flow, (size_t)room);
            still = validate_flow_memory(flow, (size_t)room);
            stream = validate_flow_memory(flow, (size_t)room);
        }
        validate_flow_push(flow, "still.cylinder", a);
        validate_flow_push(flow, "stream.cylinder", b);
        double middle = 0.5 * (before + now);
        if (middle < from || !at || !still || !stream || count == room) {
            continue;
        }
        add(&all, a[0], b[0], dt);
        add(&spans[(int)fmin(middle * speed / diameter, SPANS - 1)], a[0], b[0], dt);
        at[count] = middle;
        still[count] = a[0] / scale;
        stream[count++] = b[0] / scale;
    }
    double most = 0.0;
    for (int i = 0; i < SPANS; i++) {
        most = fmax(most, off_of(&spans[i]));
    }
    if (count == 0 || all.still == 0.0 || all.stream == 0.0) {
        validate_flow_fail(flow, "nothing says what pushes the cylinders");
        return;
    }
    validate_note(flow, "drag_still", "1", all.still / all.seconds / scale);
    validate_note(flow, "drag_stream", "1", all.stream / all.seconds / scale);
    validate_note(flow, "off", "1", off_of(&all));
    validate_note(flow, "off_most", "1", most);
    validate_flow_curve(flow, "What the cylinders feel", "t / s", "drag", "set off in still gas",
                        VALIDATE_LINE, count, at, still);
    validate_flow_curve(flow, "What the cylinders feel", "t / s", "drag", "in a stream set on",
                        VALIDATE_DASHES, count, at, stream);
}
