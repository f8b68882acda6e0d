// gas/ops/budget.c: what follows from sums of squares of velocities, decided where the ops run; the
// equations are in gas/ops/budget.h.
#include "gas/ops/budget.h"
#include "ops/row/body.h"
#include <string.h>

static void decide(gy_energy *e, const gy_energy_args *a, const double sum[3])
{
    gy_means *m = (gy_means *)(void *)gy_at(a->base, a->means);
    switch ((gy_energy_kind)a->kind) {
    case GY_ENERGY_PACE:
        gy_energy_pace(e, ((const gy_report *)(const void *)gy_at(a->base, a->partial))->speed,
                       a->pace);
        break;
    case GY_ENERGY_TAME:
        gy_energy_tame(e, sum, a->time);
        break;
    case GY_ENERGY_KICK:
        gy_energy_begin(e, sum, a->first, a->time);
        break;
    case GY_ENERGY_CARRIED:
        gy_energy_carry(e, sum[a->which], a->first, a->last);
        break;
    case GY_ENERGY_DRIVEN:
        gy_energy_drive(e, sum[2]);
        break;
    case GY_ENERGY_PRESSED:
        gy_energy_press(e, a->time);
        break;
    case GY_ENERGY_HELD:
        memcpy(m->held, sum, sizeof m->held);
        break;
    case GY_ENERGY_KEPT:
        gy_energy_keep(e, m, sum, a->which, a->time);
        break;
    case GY_ENERGY_DILATED:
        gy_energy_dilate(e, sum[0]);
        break;
    default:
        gy_energy_arrive(e, sum[2], a->first);
    }
}

void GY_BODY(decide_energy)(const void *args, const gy_box *box, int task)
{
    const gy_energy_args *a = args;
    const double *partial = (const double *)(const void *)gy_at(a->base, a->partial);
    double sum[3] = {0.0, 0.0, 0.0};
    (void)box, (void)task;
    for (int t = 0; t < a->tasks; t++) {
        for (int q = 0; q < 3; q++) {
            sum[q] += partial[4 * t + q];
        }
    }
    decide((gy_energy *)(void *)gy_at(a->base, a->energy), a, sum);
}
