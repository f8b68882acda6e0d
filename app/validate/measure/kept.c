// measure/kept.c: what a periodic box of air keeps that is left to itself, without viscosity:
//
//     density, temperature   greatest |sum - start| / start of what is carried
//     momentum               greatest |sum u - start| over the start's sum of |u|, u all components
//     energy_gain            greatest sum u^2 over the start's, less 1, 0 where it never is above
//     energy                 what is left of it at the end, over the start's
//
// What is looked at is the start, which must be free of divergence, every twentieth step and the
// last.
#include "validate/flow.h"

#include <math.h>

typedef struct sums {
    double scalar[2], momentum[3], speed, energy;
} sums;

/// Sums over the faces or centres of the domain's cells: the side's upper face is its lower one.
static double total(validate_flow *flow, const char *field, double *size, double *square)
{
    validate_samples s = validate_flow_read(flow, field);
    int n[3];
    double sum = 0.0, h, origin[3];
    validate_flow_grid(flow, n, &h, origin);
    for (int i = 0; i < n[0] * n[1] * n[2] && s.data; i++) {
        int x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
        double value = (double)s.data[(z * s.n[1] + y) * s.n[0] + x];
        sum += value;
        *size += fabs(value);
        *square += value * value;
    }
    return sum;
}

static sums look(validate_flow *flow)
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    sums s = {{0.0}, {0.0}, 0.0, 0.0};
    double other[2] = {0.0, 0.0};
    for (int a = 0; a < validate_flow_dim(flow); a++) {
        s.momentum[a] = total(flow, names[a], &s.speed, &s.energy);
    }
    s.scalar[0] = total(flow, "density", &other[0], &other[1]);
    s.scalar[1] = total(flow, "temperature", &other[0], &other[1]);
    return s;
}

void validate_measure_kept(validate_flow *flow)
{
    enum { LOOKS = 4096 };
    double scalar[2] = {0.0, 0.0}, momentum = 0.0, gain = 0.0, left = 1.0;
    double *at = validate_flow_memory(flow, LOOKS), *energy = validate_flow_memory(flow, LOOKS);
    int count = 0;
    bool more = true;
    sums start = look(flow);
    for (int step = 1; more && at && energy; step++) {
        more = validate_flow_step(flow);
        if (more && step % 20 != 0) {
            continue;
        }
        sums now = look(flow);
        double moved = 0.0;
        for (int q = 0; q < 2; q++) {
            scalar[q] = fmax(scalar[q], fabs(now.scalar[q] / start.scalar[q] - 1.0));
        }
        for (int a = 0; a < 3; a++) {
            moved += pow(now.momentum[a] - start.momentum[a], 2.0);
        }
        momentum = fmax(momentum, sqrt(moved) / start.speed);
        left = now.energy / start.energy;
        gain = fmax(gain, left - 1.0);
        if (count < LOOKS) {
            at[count] = validate_flow_time(flow);
            energy[count++] = left;
        }
    }
    validate_note(flow, "density", "1", scalar[0]);
    validate_note(flow, "temperature", "1", scalar[1]);
    validate_note(flow, "momentum", "1", momentum);
    validate_note(flow, "energy_gain", "1", gain);
    validate_note(flow, "energy", "1", left);
    validate_flow_curve(flow, "Kinetic energy over its start", "t / s", "1", "found", VALIDATE_LINE,
                        count, at, energy);
}
