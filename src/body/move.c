// body/move.c: a body's step.
//
// A free body of mass m, with F and T pushed on it and g the gravity:
//
//     v += dt F / m;  L += dt T                      // what was pushed, at the step's beginning
//     v += dt/2 g;  x += dt v;  v += dt/2 g          // free fall: exact
//     R: turned by L for dt without torque           // body/rigid.c
//
// A push that depends on the place alone makes this the symplectic Euler scheme: its energy wavers
// and does not grow. A body whose weight a model bears (`borne`) goes by v += dt g; x += dt v: with
// half of g it would only rest at a velocity of -dt/2 g. Bodies that are held go on at their
// velocities; those on paths, and those that are driven, go where they are told, and their
// velocities are what that comes to over dt.
#include "body/body.h"
#include "body/rigid.h"

#include "base/maths.h"

static const double most_speed = 1e4, most_spin = 1.7e4, far_away = 1e6; // m/s, rad/s, m
static const double whole = 57.29577951308232;

static double clamp(double x, double most)
{
    return x > -most ? (x < most ? x : most) : -most; // NaN too becomes a number
}

static void cross(const double u[3], const double v[3], double to[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        to[a] = u[b] * v[c] - u[c] * v[b];
    }
}

double gy_set_mass(const gyre_body *body, const gy_figure *figure)
{
    return !(figure->volume > 0.0) ? 0.0
           : body->mass > 0.0f     ? (double)body->mass
                                   : (double)body->density * figure->volume;
}

/// From the own frame's origin to the centre of mass, in the world.
static void arm_of(const gy_figure *figure, const gy_pose *pose, double arm[3])
{
    gy_rigid_times((const double(*)[3])pose->turn, figure->centre, arm);
}

void gy_set_spin(const gyre_body *body, const gy_figure *figure, const gy_set_state *state,
                 double spin[3])
{
    double inertia[3][3], inverse[3][3], mass = gy_set_mass(body, figure);
    if (body->motion != GYRE_MOTION_FREE || !(mass > 0.0)) {
        memcpy(spin, state->spin, sizeof state->spin);
        return;
    }
    gy_rigid_inertia(&state->now, (const double(*)[3])figure->inertia, mass / figure->volume,
                     inertia);
    gy_rigid_invert((const double(*)[3])inertia, inverse);
    gy_rigid_times((const double(*)[3])inverse, state->angular, spin);
}

void gy_set_place(const gyre_body *body, const gy_figure *figure, gy_set_state *state)
{
    (void)figure;
    gy_pose_of(&body->pose, &state->now);
    state->before = state->now;
    state->dt = 0.0;
}

void gy_set_hasten(const gyre_body *body, const gy_figure *figure, gy_set_state *state)
{
    double inertia[3][3], arm[3], more[3], mass = gy_set_mass(body, figure);
    for (int a = 0; a < 3; a++) {
        state->velocity[a] = (double)body->pose.velocity[a];
        state->spin[a] = (double)body->pose.spin[a] / whole;
        state->angular[a] = 0.0;
    }
    if (body->motion != GYRE_MOTION_FREE || !(mass > 0.0)) {
        return;
    }
    arm_of(figure, &state->now, arm);
    cross(state->spin, arm, more);
    gy_rigid_inertia(&state->now, (const double(*)[3])figure->inertia, mass / figure->volume,
                     inertia);
    gy_rigid_times((const double(*)[3])inertia, state->spin, state->angular);
    for (int a = 0; a < 3; a++) {
        state->velocity[a] += more[a];
        state->spin[a] = 0.0;
    }
}

void gy_set_follow(const gyre_body *body, double time, gy_pose *pose)
{
    const float *keys = body->path.data;
    int count = body->path.n[1], low = 0, high = count - 1;
    double first = (double)keys[0], last = (double)keys[8 * high];
    if (body->repeat && count > 1) {
        double turns = (time - first) / (last - first);
        time -= (last - first) * (double)(int64_t)clamp(turns - (turns < 0.0 ? 1.0 : 0.0), 1e15);
    }
    time = GY_MAX(GY_MIN(time, last), first);
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if ((double)keys[8 * middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const float *a = keys + 8 * low, *b = keys + 8 * high;
    double span = (double)b[0] - (double)a[0], part = span > 0.0 ? (time - (double)a[0]) / span : 0;
    float turn[4];
    gyre_quaternion_between(a + 4, b + 4, part, turn);
    gy_quaternion_matrix(turn, pose->turn);
    for (int k = 0; k < 3; k++) {
        pose->at[k] = (double)a[1 + k] + part * ((double)b[1 + k] - (double)a[1 + k]);
    }
}

static void move_free(const float gravity[3], double dt, const gyre_body *body,
                      const gy_figure *figure, gy_set_state *state)
{
    double mass = gy_set_mass(body, figure), scale = mass / figure->volume;
    double arm[3], centre[3], moments[3], size = 0.0, least = 1e300;
    arm_of(figure, &state->now, arm);
    for (int a = 0; a < 3; a++) {
        double half = 0.5 * dt * (double)gravity[a];
        double push = state->force[a] + (double)body->force[a];
        double v = clamp(state->velocity[a] + dt * push / mass, most_speed);
        v += half;
        state->velocity[a] = clamp(v + half, most_speed);
        v = state->borne ? state->velocity[a] : v;
        centre[a] = clamp(state->now.at[a] + arm[a] + dt * v, far_away);
        state->angular[a] += dt * (state->torque[a] + (double)body->torque[a]);
        state->angular[a] = clamp(state->angular[a], 1e100);
        moments[a] = scale * figure->moments[a];
        least = GY_MIN(least, moments[a]);
        size += state->angular[a] * state->angular[a];
    }
    // However it is turned it then spins no faster than this.
    double most = most_spin * least;
    for (int a = 0; a < 3 && size > most * most; a++) {
        state->angular[a] *= most / __builtin_sqrt(size);
    }
    gy_rigid_turn_free(&state->now, (const double(*)[3])figure->axes, moments, state->angular, dt);
    arm_of(figure, &state->now, arm);
    for (int a = 0; a < 3; a++) {
        state->now.at[a] = clamp(centre[a] - arm[a], 2.0 * far_away);
    }
}

static void move_held(double dt, gy_set_state *state)
{
    double by[3];
    for (int a = 0; a < 3; a++) {
        state->now.at[a] = clamp(state->now.at[a] + dt * state->velocity[a], far_away);
        by[a] = dt * state->spin[a];
    }
    gy_rigid_rotate(&state->now, by);
}

static void move_told(double time, double dt, const gyre_body *body, gy_set_state *state)
{
    double by[3];
    if (body->motion == GYRE_MOTION_PATH) {
        gy_set_follow(body, time + dt, &state->now);
    } else if (state->driven) {
        gy_pose_of(&state->target, &state->now);
        state->driven = 0;
    }
    gy_rigid_between(&state->before, &state->now, by);
    for (int a = 0; a < 3; a++) {
        state->velocity[a] = dt > 0.0 ? (state->now.at[a] - state->before.at[a]) / dt : 0.0;
        state->spin[a] = dt > 0.0 ? by[a] / dt : 0.0;
    }
}

static void write_back(gyre_body *body, const gy_figure *figure, const gy_set_state *state)
{
    double spin[3], arm[3], more[3] = {0.0, 0.0, 0.0};
    gyre_pose *pose = &body->pose;
    gy_set_spin(body, figure, state, spin);
    if (body->motion == GYRE_MOTION_FREE) {
        arm_of(figure, &state->now, arm);
        cross(spin, arm, more);
    }
    for (int a = 0; a < 3; a++) {
        pose->position[a] = (float)clamp(state->now.at[a], far_away);
        pose->velocity[a] = (float)clamp(state->velocity[a] - more[a], most_speed);
        pose->spin[a] = (float)clamp(spin[a] * whole, 1e6);
    }
    if (memcmp(state->now.turn, state->before.turn, sizeof state->now.turn) != 0) {
        gy_pose_degrees(&state->now, pose->rotation);
        if (gy_is_oriented(pose->orientation)) {
            gy_pose_orientation(&state->now, pose->orientation, pose->orientation);
        }
    }
}

void gy_set_move(const float gravity[3], double time, double dt, gyre_body *body, gy_figure *figure,
                 gy_set_state *state)
{
    state->before = state->now;
    state->dt = dt;
    if (body->motion == GYRE_MOTION_FREE) {
        move_free(gravity, dt, body, figure, state);
    } else if (body->motion == GYRE_MOTION_HELD) {
        move_held(dt, state);
    } else {
        move_told(time, dt, body, state);
    }
    memset(state->force, 0, sizeof state->force);
    memset(state->torque, 0, sizeof state->torque);
    state->borne = 0;
    write_back(body, figure, state);
}
