// water/coriolis.c: the Earth's rotation: how far a substep may turn, and the passes that it takes.
// The equations, orders and bytes stand in water/ops/water_turn.c. In shallow water the turn is
// split from the flow after Strang: half before it, half after it, the halves between two
// substeps in one; second order in time.
#include "water/water.h"

/// Radians that discharges turn at most in a substep: a period of 2 pi / f has at least 31.
static const float FARTHEST = 0.2f;

bool gy_water_turns(const gyre_water *w)
{
    return w->def->coriolis != 0.0f || w->def->coriolis_beta != 0.0f;
}

float gy_water_low_y(const gyre_water *w)
{
    return w->def->grid.origin[1] + (float)w->model.place.moved[1] * w->grid.h;
}

double gy_water_turn_limit(const gyre_water *w)
{
    const gyre_grid *g = &w->grid;
    double f = 0.0;
    for (int end = 0; end < 2; end++) {
        double y = (double)gy_water_low_y(w) + (end ? (double)g->n[1] * (double)g->h : 0.0);
        double there = (double)w->def->coriolis + (double)w->def->coriolis_beta * y;
        f = GY_MAX(f, there < 0.0 ? -there : there);
    }
    return f > 0.0 ? (double)FARTHEST / f : 1e30;
}

static void turn(gyre_water *w, gy_water_job *job, int pass, bool once)
{
    job->turn.pass = pass;
    job->turn.once = once;
    gy_water_run_turn(w, job);
}

void gy_water_turn_centres(gyre_water *w, gy_water_job *job, double dt)
{
    if (gy_water_turns(w) && dt > 0.0) {
        job->turn.dt = (float)dt;
        job->tiles = w->tiles;
        turn(w, job, GY_TURN_CENTRES, false);
    }
}

void gy_water_turn_faces(gyre_water *w, gy_water_job *job, float dt, int substep)
{
    if (!gy_water_turns(w)) {
        return;
    }
    // What is left of the pull is water_wave's.
    job->pull *= 0.5f;
    job->turn.dt = dt;
    bool odd = (w->model.steps + substep) & 1;
    int twice = odd ? GY_TURN_SHEAR_Y : GY_TURN_SHEAR_X;
    turn(w, job, GY_TURN_PULL, false);
    turn(w, job, twice, false);
    turn(w, job, odd ? GY_TURN_SHEAR_X : GY_TURN_SHEAR_Y, true);
    turn(w, job, twice, false);
}
