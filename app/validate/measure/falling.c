// measure/falling.c: how fast the body "ball" falls along y: its terminal speed is a mean from
// `from` on, when its weight is as large as its drag. By the drag law of L. Schiller and A. Naumann
// (1935) and the weight m g,
//
//     m g = C rho U^2 pi D^2 / 8,     C = 24 / Re (1 + 0.15 Re^0.687),     Re = U D / nu
#include "validate/flow.h"

#include <math.h>

void validate_measure_falling(validate_flow *flow)
{
    enum { MOST = 4096 };
    double *time = validate_flow_memory(flow, MOST), *speed = validate_flow_memory(flow, MOST);
    double from = validate_with(flow, "from", 0.0), sum = 0.0, aside = 0.0;
    int count = 0, means = 0;
    while (time && speed && count < MOST && validate_flow_step(flow)) {
        gyre_pose pose = validate_flow_pose(flow, "ball");
        time[count] = validate_flow_time(flow);
        speed[count] = -(double)pose.velocity[1];
        if (time[count] >= from) {
            sum += speed[count];
            aside += hypot((double)pose.velocity[0], (double)pose.velocity[2]);
            means++;
        }
        count++;
    }
    if (validate_flow_failed(flow) || means == 0) {
        validate_flow_fail(flow, "the run ends before what is to be measured");
        return;
    }
    validate_note(flow, "speed", "m/s", sum / means);
    validate_note(flow, "aside", "m/s", aside / means);
    validate_flow_curve(flow, "How it falls", "t / s", "speed / (m/s)", "measured", VALIDATE_LINE,
                        count, time, speed);
}
