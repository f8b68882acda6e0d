// measure/line_plume.c: air that rises from a source of heat, a line in 2D: what its turbulence
// draws in at each height goes as its own speed (B. R. Morton, G. Taylor and J. S. Turner, Proc. R.
// Soc. A 234, 1956), so that, over the height z above the source and the time t since it began,
//
//     width   ~ z       root mean square of x in the mean temperature
//     cooling ~ 1 / z   greatest mean temperature of a row
//     front   ~ t       the uppermost place that is warm, on its way up, from where it is at `low`
//     drift   ~ z^0     mean speed upwards, weighed by the mean temperature
//
// What is found are the exponents; means are from `from` s on, fits from `low` to `high` m.
#include "validate/flow.h"

#include <math.h>

enum { ROWS = 1024, STEPS = 65536 };

typedef struct plume {
    int n[3], rows; // rows of the temperature
    double h, origin[3], source, low, high;
    double *warm, *rise;  // sums of temperature, of speed upwards, at centres
    double *at, *front;   // of the logarithms, on the way up
    double passed, place; // s, m: when and where the front was first beyond `low`
    int means, risen;
    bool arrived;
} plume;

/// The height of row j over the source.
static double height(const plume *p, int j)
{
    return p->origin[1] + (j + 0.5) * p->h - p->source;
}

/// Notes where the front is: the uppermost row that holds a twentieth of the heat's greatest.
static void follow(plume *p, const validate_samples *t, double time)
{
    double most = 0.0, top = 0.0;
    for (int j = 0; j < p->n[1]; j++) {
        double row = 0.0;
        for (int i = 0; i < p->n[0]; i++) {
            row += (double)t->data[j * p->n[0] + i];
        }
        most = fmax(most, row);
        top = row > 0.05 * most ? height(p, j) : top;
    }
    p->arrived = p->arrived || top > p->high;
    if (p->passed == 0.0 && top > p->low) {
        p->passed = time;
        p->place = top;
    }
    // Away from there, where a cell is little.
    bool away = p->passed > 0.0 && top - p->place > 0.1 * (p->high - p->low);
    if (away && !p->arrived && p->risen < STEPS) {
        p->at[p->risen] = log(time - p->passed);
        p->front[p->risen++] = log(top - p->place);
    }
}

static void add_mean(plume *p, const validate_samples *t, const validate_samples *v)
{
    for (int j = 0; j < p->n[1]; j++) {
        for (int i = 0; i < p->n[0]; i++) {
            int c = j * p->n[0] + i;
            p->warm[c] += (double)t->data[c];
            p->rise[c] += 0.5 * ((double)v->data[c] + (double)v->data[c + p->n[0]]);
        }
    }
    p->means++;
}

static bool begin(validate_flow *flow, plume *p)
{
    validate_flow_grid(flow, p->n, &p->h, p->origin);
    size_t cells = (size_t)p->n[0] * (size_t)p->n[1];
    p->source = validate_with(flow, "source", 0.0);
    p->low = validate_with(flow, "low", 0.3);
    p->high = validate_with(flow, "high", 1.0);
    p->warm = validate_flow_memory(flow, cells);
    p->rise = validate_flow_memory(flow, cells);
    p->at = validate_flow_memory(flow, STEPS);
    p->front = validate_flow_memory(flow, STEPS);
    return p->warm && p->rise && p->at && p->front && p->n[1] <= ROWS;
}

/// Fits what the means have at each height.
static void fit(validate_flow *flow, const plume *p)
{
    static double z[ROWS], width[ROWS], cooling[ROWS], drift[ROWS];
    int rows = 0;
    for (int j = 0; j < p->n[1]; j++) {
        double sum[4] = {0.0}, most = 0.0;
        for (int i = 0; i < p->n[0] && height(p, j) > p->low && height(p, j) < p->high; i++) {
            double warm = p->warm[j * p->n[0] + i], x = p->origin[0] + (i + 0.5) * p->h;
            sum[0] += warm;
            sum[1] += warm * x;
            sum[2] += warm * x * x;
            sum[3] += warm * p->rise[j * p->n[0] + i];
            most = fmax(most, warm);
        }
        double middle = sum[1] / sum[0], square = sum[2] / sum[0] - middle * middle;
        if (sum[0] > 0.0 && square > 0.0 && sum[3] > 0.0) {
            z[rows] = log(height(p, j));
            width[rows] = 0.5 * log(square);
            cooling[rows] = log(most / p->means);
            drift[rows++] = log(sum[3] / sum[0] / p->means);
        }
    }
    if (rows < 8 || p->risen < 8) {
        validate_flow_fail(flow, "there is no plume");
        return;
    }
    validate_note(flow, "width", "1", validate_line(z, width, rows, NULL));
    validate_note(flow, "cooling", "1", validate_line(z, cooling, rows, NULL));
    validate_note(flow, "drift", "1", validate_line(z, drift, rows, NULL));
    validate_note(flow, "front", "1", validate_line(p->at, p->front, p->risen, NULL));
    validate_flow_curve(flow, "Width over height, logarithms", "ln z", "ln width", "found",
                        VALIDATE_LINE, rows, z, width);
    double ends[2] = {z[0], z[rows - 1]},
           law[2] = {width[rows - 1] - z[rows - 1] + z[0], width[rows - 1]};
    validate_flow_curve(flow, "Width over height, logarithms", "ln z", "ln width", "law",
                        VALIDATE_DASHES, 2, ends, law);
    validate_flow_curve(flow, "Front over time, logarithms", "ln t", "ln z", "found", VALIDATE_LINE,
                        p->risen, p->at, p->front);
}

void validate_measure_line_plume(validate_flow *flow)
{
    plume p = {0};
    double from = validate_with(flow, "from", 10.0);
    bool room = begin(flow, &p);
    for (int step = 1; room && validate_flow_step(flow); step++) {
        bool late = validate_flow_time(flow) >= from;
        if ((late || p.arrived) && step % 8 != 0) {
            continue;
        }
        validate_samples t = validate_flow_read(flow, "temperature");
        validate_samples v = validate_flow_read(flow, "velocity_y");
        if (!t.data || !v.data) {
            break;
        }
        if (!p.arrived) {
            follow(&p, &t, validate_flow_time(flow));
        }
        if (late) {
            add_mean(&p, &t, &v);
        }
    }
    if (!validate_flow_failed(flow)) {
        fit(flow, &p);
    }
}
