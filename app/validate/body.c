// validate/body.c: a box that floats.
#include "validate/validate.h"

#include <math.h>

static const double PI = 3.141592653589793, G = 9.81;

static double box_height(validate_run *run, gyre_model *model)
{
    gyre_value value;
    if (validate_failed(run) || gyre_model_get(model, "bodies.box.position", &value)) {
        validate_fail(run, NULL);
        return NAN;
    }
    return value.number[2];
}

/// Mean height of the surface where the box is not, and with it in sight.
static double level_beside(validate_run *run)
{
    int n[3];
    const float *surface = validate_read(run, "surface", n);
    double sum = 0.0, count = 0.0;
    for (int j = 0; j < n[1] && surface; j++) {
        for (int i = 0; i < n[0]; i++) {
            double x = (i + 0.5) * 10.0 / n[0] - 5.0, y = (j + 0.5) * 10.0 / n[1] - 5.0;
            if (fabs(x) > 0.8 || fabs(y) > 0.8) {
                sum += (double)surface[j * n[0] + i];
                count += 1.0;
            }
        }
    }
    return sum / count;
}

/// The period in which the box heaves, from a twentieth of a metre above its rest; its heights go
/// to `heights`.
static double heave(validate_run *run, const char *added, int steps, double *time, double *heights)
{
    // Without waves of its own making and without drag nothing takes its energy. What it displaces
    // raises the tank's water by a hundredth of its way, which makes the period shorter by half a
    // hundredth: the formulas are those of an unbounded sea.
    gyre_model *model = validate_open(
        run, "floating_box",
        (const char *const[]){added, "water.bodies.box.drag=0", "water.bodies.box.waves=0",
                              "water.bodies.box.position=5,5,2.055", NULL});
    const double dt = validate_dt(run), rest = 2.005;
    double first = NAN, last = NAN, before = 0.0;
    int crossings = 0;
    for (int step = 0; step < steps && model; step++) {
        double z = box_height(run, model) - rest;
        time[step] = step * dt;
        heights[step] = z;
        if (step > 0 && (z < 0.0) != (before < 0.0)) {
            last = time[step] - dt * z / (z - before);
            first = crossings++ == 0 ? last : first;
        }
        before = z;
        validate_step(run, 1);
    }
    return 2.0 * (last - first) / (crossings - 1);
}

void validate_floating_box(validate_run *run)
{
    enum { STEPS = 1000 };
    // What the water is damped by changes nothing in where it comes to rest.
    gyre_model *model =
        validate_open(run, "floating_box", (const char *const[]){"water.damping=0.5", NULL});
    double time[STEPS], heights[2][STEPS], cosine[2][STEPS];
    const double period = 2.0 * PI * sqrt(0.5 / G), slow = period * sqrt(1.5);
    validate_step(run, validate_quick(run) ? 4000 : validate_steps_in_all(run));
    if (!model) {
        return;
    }
    double level = level_beside(run), z = box_height(run, model);
    validate_expect(run, "draft", "m", level - (z - 0.5), 0.5, VALIDATE_RELATIVE, 0.02, NULL);
    validate_expect(run, "rise of the level", "m", level - 2.0, 0.005, VALIDATE_RELATIVE, 0.02,
                    NULL);
    double found = heave(run, "water.bodies.box.added_mass=0", STEPS, time, heights[0]);
    validate_expect(run, "period of heave, no added mass", "s", found, period, VALIDATE_RELATIVE,
                    0.02, "2 pi sqrt(draft / g)");
    found = heave(run, "water.bodies.box.added_mass=0.5", STEPS, time, heights[1]);
    validate_expect(run, "period of heave, added mass 0.5", "s", found, slow, VALIDATE_RELATIVE,
                    0.02, "2 pi sqrt(draft (1 + added mass) / g)");
    for (int i = 0; i < STEPS; i++) {
        cosine[0][i] = 0.05 * cos(2.0 * PI * time[i] / period);
        cosine[1][i] = 0.05 * cos(2.0 * PI * time[i] / slow);
    }
    for (int k = 0; k < 2; k++) {
        validate_plot(run, k ? "Heave, added mass 0.5" : "Heave, no added mass", "time / s",
                      "height over rest / m");
        validate_curve(run, "gyre", VALIDATE_LINE, STEPS, time, heights[k]);
        validate_curve(run, "exact", VALIDATE_DASHES, STEPS, time, cosine[k]);
    }
}
