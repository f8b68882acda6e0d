// ops/system/decide.c: what follows from sums, decided where the ops run: on a device that is far
// from the host a solver's loop goes on without it.
//
// A system is solved when |b - A x|^2 <= tolerance^2 |b|^2; a mean is taken off b when it is more
// than 1e-7 of b's root mean square. Adds up four doubles per task of the op before.
#include "ops/row/body.h"
#include "ops/system/args.h"
#include "ops/system/report.h"

static void decide_means(gy_report *r, const gy_decide_args *a, const double sum[3])
{
    double mean = 0.0, rms = __builtin_sqrt(sum[1] / a->cells);
    if (a->free > 0.0) {
        mean = gy_worth(sum[0] / a->free, rms);
    }
    gy_report_set_means(r, mean, mean != 0.0, sum);
}

static void decide(gy_report *r, const gy_decide_args *a, const double sum[3], double most)
{
    double before = r->reference;
    switch ((gy_decide_kind)a->kind) {
    case GY_DECIDE_GIVEN:
        r->given = sum[a->which] * a->scale * a->scale + a->add;
        r->left = 0.0;
        r->balanced = r->steady = !a->balances;
        gy_report_set_reference(r, r->given);
        break;
    case GY_DECIDE_MEANS:
        decide_means(r, a, sum);
        break;
    case GY_DECIDE_SQUARES:
        gy_report_set_reference(r, sum[0]);
        gy_report_set_balanced(r, before);
        break;
    case GY_DECIDE_RESIDUAL:
        r->left = (a->first ? 0.0 : r->left) + sum[0];
        if (a->last) {
            r->cycles++;
            r->done = r->left <= a->goal * r->reference;
        }
        break;
    case GY_DECIDE_SPEED:
        r->speed = (float)most;
        r->capped += sum[1];
        break;
    case GY_DECIDE_COUNT:
        r->capped += sum[0];
        break;
    default:
        break;
    }
}

void GY_BODY(decide)(const void *args, const gy_box *box, int task)
{
    const gy_decide_args *a = args;
    const float *count = gy_at(a->base, a->partial);
    const double *partial = (const double *)(const void *)count;
    double sum[3] = {0.0, 0.0, 0.0}, most = 0.0;
    (void)box, (void)task;
    for (int t = 0; t < a->tasks; t++) {
        if (a->kind == GY_DECIDE_COUNT) {
            sum[0] += (double)count[t];
            continue;
        }
        for (int q = 0; q < 3; q++) {
            sum[q] += partial[4 * t + q];
        }
        most = partial[4 * t] > most ? partial[4 * t] : most;
    }
    decide((gy_report *)(void *)gy_at(a->base, a->report), a, sum, most);
}
