// water/coriolis.c: the Earth's rotation: how far a substep may turn, and the passes that it takes.
// The equations, orders and bytes stand in water/ops/water_turn.c. In shallow water the turn is
// split from the flow after Strang: half before it, half after it, the halves between two
// substeps in one; second order in time.
//
// Flow in balance is slow beside its waves, and lasts: what an upwind scheme damps of a jump of
// speed u across a face, c [u] / 2 with c = sqrt(g d), wears it down long before anything else
// does (5 % of an eddy's speed in four days, where ten cells are its radius). So where the Earth
// turns, 0.18 of that alone is taken of still water, more the faster it flows, and all from c / 4
// on. (F. Rieper, A Low-Mach Number Fix for Roe's Approximate Riemann Solver, J. Comput. Phys. 230,
// 2011, has it go with |u| / c.) Steps are 0.72 times as long then: the linear equations' waves,
// of all lengths and directions, do not grow in steps of up to 0.36 h / c in place of 0.5.
#include "water/water.h"

/// Radians that discharges turn at most in a substep: a period of 2 pi / f has at least 31; and
/// that one pass can turn them at most (water/ops/water_turn.c).
static const float FARTHEST = 0.2f;
static const double MOST = 1.0;
static const float LOOSE = 0.82f;
static const double SHORTER = 0.72;

double gy_water_turn_loosely(const gyre_water *w, gy_water_job *job)
{
    bool turns = gy_water_turns(w) && w->def->mode == GYRE_WATER_SHALLOW;
    job->shallow.loose = turns ? LOOSE : 0.0f;
    return turns ? SHORTER : 1.0;
}

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
    if (!gy_water_turns(w) || !(dt > 0.0)) {
        return;
    }
    // Turns add up exactly: a far one is several.
    double angle = (double)FARTHEST / gy_water_turn_limit(w) * dt;
    int count = angle <= MOST ? 1 : angle < 1e4 ? (int)(angle / MOST) + 1 : 10000;
    job->turn.dt = (float)(dt / count);
    job->tiles = w->tiles;
    for (int k = 0; k < count; k++) {
        turn(w, job, GY_TURN_CENTRES, false);
    }
    w->stats.turn_cut += GY_MAX(angle - MOST * count, 0.0);
}

void gy_water_turn_faces(gyre_water *w, gy_water_job *job, float dt, int substep)
{
    if (!gy_water_turns(w)) {
        return;
    }
    double angle = (double)FARTHEST / gy_water_turn_limit(w) * (double)dt;
    w->stats.turn_cut += GY_MAX(angle - MOST, 0.0);
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
