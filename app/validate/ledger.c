// validate/ledger.c: no drop lost: the ledger against the water that is there.
#include "validate/validate.h"

#include <math.h>

void validate_ledger(validate_run *run)
{
    enum { PARTS = 50 };
    static const char *const exact[] = {"water.exact=false", "water.exact=true"};
    static const char *const what[] = {"greatest share of the volume that the ledger misses",
                                       "greatest difference, in whole quanta"};
    double time[PARTS], share[2][PARTS], volume[PARTS];
    for (int e = 0; e < 2; e++) {
        double most = 0.0;
        validate_open(run, "busy_pond", (const char *const[]){exact[e], NULL});
        int steps = validate_quick(run) ? 2000 : validate_steps_in_all(run);
        double dt = validate_dt(run);
        for (int p = 0; p < PARTS; p++) {
            for (int s = 0; s < steps / PARTS; s++) {
                validate_step_by(run, dt);
            }
            time[p] = (p + 1) * (steps / PARTS) * dt;
            volume[p] = validate_statistic(run, "volume");
            share[e][p] = fabs(validate_statistic(run, "ledger_error"));
            share[e][p] /= e ? 1.0 : volume[p];
            most = fmax(most, share[e][p]);
        }
        validate_expect(run, what[e], e ? "m^3" : "1", most, 0.0, VALIDATE_ABSOLUTE, e ? 0.0 : 1e-6,
                        NULL);
    }
    validate_plot(run, "Share of the volume that the ledger misses", "time / s", "1");
    validate_curve(run, "gyre", VALIDATE_LINE, PARTS, time, share[0]);
    validate_curve(run, "whole quanta", VALIDATE_DASHES, PARTS, time, share[1]);
    validate_plot(run, "Volume", "time / s", "m^3");
    validate_curve(run, "gyre", VALIDATE_LINE, PARTS, time, volume);
}
