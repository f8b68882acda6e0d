// measure/cone.c: a premixed flame over a burner, at rest in fuel that flows at U: it leans so far
// that what comes along its normal is its own speed S,
//
//     sin(alpha) = S / U       alpha being half the angle of its tip
//
// (A. Michelson, Ann. Phys. Chem. 37, 1889; F. Gouy, 1879). In 2D a wedge, in 3D a cone. What is
// found is the sine by how the fuel's radius falls with height: in each row the mean over time of
// half the width (the root of the area over pi) that is left of it, a line through those between
// `low` and `high` of the burner's. Models of the scene, "a", "b" and so on: of several speeds.
#include "validate/flow.h"

#include <math.h>

enum { ROWS = 512, FLAMES = 8 };

static void add_radii(const validate_samples *f, bool deep, double *radius)
{
    for (int j = 0; j < f->n[1] && j < ROWS; j++) {
        double sum = 0.0;
        for (int k = 0; k < f->n[2]; k++) {
            for (int i = 0; i < f->n[0]; i++) {
                size_t row = (size_t)k * (size_t)f->n[1] + (size_t)j;
                sum += (double)f->data[row * (size_t)f->n[0] + (size_t)i];
            }
        }
        radius[j] += deep ? f->h * sqrt(sum / 3.14159265358979) : 0.5 * f->h * sum;
    }
}

void validate_measure_cone(validate_flow *flow)
{
    int flames = (int)validate_with(flow, "flames", 1.0), means = 0, n[3];
    double wide = validate_with(flow, "radius", 1.0), from = validate_with(flow, "from", 1.0);
    double low = validate_with(flow, "low", 0.3), high = validate_with(flow, "high", 0.8), h;
    double *radius = validate_flow_memory(flow, FLAMES * ROWS), at[ROWS], width[ROWS], origin[3];
    validate_flow_grid(flow, n, &h, origin);
    flames = flames < FLAMES ? flames : FLAMES;
    while (radius && validate_flow_step(flow)) {
        bool late = validate_flow_time(flow) >= from;
        for (int m = 0; m < flames && late; m++) {
            char name[] = "a.fuel";
            name[0] = (char)('a' + m);
            validate_samples f = validate_flow_read(flow, name);
            if (f.data) {
                add_radii(&f, n[2] > 1, radius + m * ROWS);
            }
        }
        means += late;
    }
    for (int m = 0; m < flames && !validate_flow_failed(flow); m++) {
        int count = 0;
        for (int j = 0; j < n[1] && j < ROWS && means > 0; j++) {
            double r = radius[m * ROWS + j] / means;
            if (r > low * wide && r < high * wide) {
                at[count] = h * (j + 0.5);
                width[count++] = r;
            }
        }
        if (count < 3) {
            validate_flow_fail(flow, "there is no cone");
            return;
        }
        double slope = validate_line(at, width, count, NULL);
        const char name[] = {'s', 'i', 'n', 'e', '_', (char)('a' + m), 0};
        validate_note(flow, name, "1", -slope / sqrt(1.0 + slope * slope));
        const char curve[] = {(char)('a' + m), 0};
        validate_flow_curve(flow, "Radius of the fuel over height", "m", "m", curve, VALIDATE_LINE,
                            count, at, width);
    }
}
