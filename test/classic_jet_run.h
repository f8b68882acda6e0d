// test/classic_jet_run.h: the flow of classic_jet.h for the kind of number that is defined.
#include "gyre/classic.h"
#include "test/classic_jet.h"

#include <math.h>
#include <stdlib.h>

static jet run_jet(void)
{
    jet r = {.first = 0};
    gyre_classic_box box = gyre_classic_default_box(2, JET_CELLS);
    size_t size = gyre_classic_size(&box);
    gyre_classic_real *f[6];
    for (int a = 0; a < 6; a++) {
        f[a] = calloc(size, sizeof *f[a]);
    }
    for (int j = 9; j <= 24; j++) {
        for (int i = 9; i <= 24; i++) {
            f[4][gyre_classic_index(&box, i, j, 0)] = GYRE_CLASSIC_REAL(1);
        }
    }
    const gyre_classic_real *const carrier[] = {f[0], f[1]};
    for (int step = 0; step < JET_STEPS; step++) {
        for (size_t i = 0; i < size; i++) {
            f[2][i] = f[3][i] = f[5][i] = 0;
        }
        for (int j = 14; j <= 19 && step < 20; j++) {
            f[2][gyre_classic_index(&box, 6, j, 0)] = GYRE_CLASSIC_REAL(8);
        }
        if (step == 0) {
            gyre_classic_set_bnd(&box, GYRE_CLASSIC_DENSITY, f[4]);
            for (int j = 1; j <= JET_CELLS; j++)
                for (int i = 1; i <= JET_CELLS; i++)
                    r.first += GYRE_CLASSIC_DOUBLE(f[4][gyre_classic_index(&box, i, j, 0)]);
        }
        gyre_classic_vel_step(&box, f, f + 2, 0, GYRE_CLASSIC_REAL(0.05));
        gyre_classic_dens_step(&box, f[4], f[5], carrier, GYRE_CLASSIC_REAL(0.001),
                               GYRE_CLASSIC_REAL(0.05));
    }
    for (int j = 1; j <= JET_CELLS; j++)
        for (int i = 1; i <= JET_CELLS; i++) {
            size_t at = gyre_classic_index(&box, i, j, 0);
            r.cloud[j - 1][i - 1] = GYRE_CLASSIC_DOUBLE(f[4][at]);
            r.last += r.cloud[j - 1][i - 1];
            r.speed = fmax(r.speed, fmax(fabs(GYRE_CLASSIC_DOUBLE(f[0][at])),
                                         fabs(GYRE_CLASSIC_DOUBLE(f[1][at]))));
        }
    for (int a = 0; a < 6; a++) {
        free(f[a]);
    }
    return r;
}
