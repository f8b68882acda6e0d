// measure/pool_fire.c: flames over a pool, in 3D, of several powers Q: what rises draws in air as a
// plume does, so that the fuel has met what it needs at a height that goes as Q^(2/5). Of fires in
// still air
//
//     L = 0.235 Q^(2/5) - 1.02 D          m, Q in kW, D the pool's diameter
//
// (G. Heskestad, Fire Safety J. 5, 1983), L being where the mean on the axis is 500 K above the
// surroundings (the same, SFPE Handbook of Fire Protection Engineering, 1995). What is found are
// the exponent of L over Q, and (L + 1.02 D) / Q^(2/5), means over the models of the scene, "a",
// "b" and so on, each of `factor` times the power of the one before.
#include "validate/flow.h"

#include <math.h>

enum { FIRES = 8, ROWS = 1024 };

/// Adds the mean over the four columns round the axis, row by row.
static void add_axis(const validate_samples *t, double *axis)
{
    int i = t->n[0] / 2 - 1, k = t->n[2] / 2 - 1;
    for (int j = 0; j < t->n[1] && j < ROWS; j++) {
        for (int q = 0; q < 4; q++) {
            size_t row = (size_t)(k + q / 2) * (size_t)t->n[1] + (size_t)j;
            axis[j] += 0.25 * (double)t->data[row * (size_t)t->n[0] + (size_t)(i + q % 2)];
        }
    }
}

/// The uppermost height at which a sum is `level`, m; 0: it is so nowhere.
static double height_of(const double *axis, int rows, double level, double h)
{
    for (int j = rows - 2; j >= 0; j--) {
        if (axis[j] > level) {
            return h * (j + 0.5 + (axis[j] - level) / (axis[j] - axis[j + 1]));
        }
    }
    return 0.0;
}

void validate_measure_pool_fire(validate_flow *flow)
{
    int fires = (int)validate_with(flow, "fires", 1.0), means = 0, n[3];
    double hot = validate_with(flow, "hot", 500.0), from = validate_with(flow, "from", 1.0);
    double wide = validate_with(flow, "diameter", 0.5), power = validate_with(flow, "power", 1.0);
    double factor = validate_with(flow, "factor", 2.0), h, origin[3];
    double *axis = validate_flow_memory(flow, FIRES * ROWS), rise[FIRES], length[FIRES];
    validate_flow_grid(flow, n, &h, origin);
    fires = fires < FIRES ? fires : FIRES;
    while (axis && validate_flow_step(flow)) {
        bool late = validate_flow_time(flow) >= from;
        for (int f = 0; f < fires && late; f++) {
            char name[] = "a.temperature";
            name[0] = (char)('a' + f);
            validate_samples t = validate_flow_read(flow, name);
            if (t.data) {
                add_axis(&t, axis + f * ROWS);
            }
        }
        means += late;
    }
    double coefficient = 0.0;
    for (int f = 0; f < fires && !validate_flow_failed(flow); f++, power *= factor) {
        double flame = height_of(axis + f * ROWS, n[1] < ROWS ? n[1] : ROWS, hot * means, h);
        if (means == 0 || flame == 0.0) {
            validate_flow_fail(flow, "there is no flame");
            return;
        }
        rise[f] = log(power);
        length[f] = log(flame);
        coefficient += (flame + 1.02 * wide) / pow(power, 0.4) / fires;
        const char name[] = {'l', 'e', 'n', 'g', 't', 'h', '_', (char)('a' + f), 0};
        validate_note(flow, name, "m", flame);
    }
    validate_note(flow, "exponent", "1", validate_line(rise, length, fires, NULL));
    validate_note(flow, "coefficient", "m/kW^0.4", coefficient);
    validate_flow_curve(flow, "Length of the flame over its power, logarithms", "ln kW", "ln m",
                        "length", VALIDATE_LINE, fires, rise, length);
}
