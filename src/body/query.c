// body/query.c: what there is to know of a body: its state, distances to it, the velocity of its
// material, its surface in the world.
#include "body/body.h"
#include "body/rigid.h"

#include "base/maths.h"

static void to_own(const gy_pose *pose, const double world[3], double own[3])
{
    for (int a = 0; a < 3; a++) {
        own[a] = 0.0;
        for (int b = 0; b < 3; b++) {
            own[a] += pose->turn[b][a] * (world[b] - pose->at[b]);
        }
    }
}

gyre_result gyre_bodies_state(const gyre_bodies *bodies, gyre_id id, gyre_body_state *state)
{
    int index;
    if (GY_MISSING("bodies_state", bodies) || GY_MISSING("bodies_state", state)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, "bodies_state", id, &index);
    if (r != GYRE_OK) {
        return r;
    }
    const gyre_body *body = gy_set_body(bodies, index);
    const gy_figure *f = bodies->figures + index;
    const gy_set_state *s = bodies->states + index;
    bool free = body->motion == GYRE_MOTION_FREE;
    memset(state, 0, sizeof *state);
    state->mass = gy_set_mass(body, f);
    state->volume = f->volume;
    state->closed = f->closed;
    gy_pose_apply(&s->now, f->centre, state->centre);
    gy_set_spin(body, f, s, state->spin);
    double scale = f->volume > 0.0 ? state->mass / f->volume : 0.0;
    gy_rigid_inertia(&s->now, (const double(*)[3])f->inertia, scale, state->inertia);
    gy_rigid_times((const double(*)[3])state->inertia, state->spin, state->angular);
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        double arm_b = state->centre[b] - s->now.at[b], arm_c = state->centre[c] - s->now.at[c];
        state->angular[a] = free ? s->angular[a] : state->angular[a];
        state->velocity[a] = s->velocity[a];
        state->velocity[a] += free ? 0.0 : state->spin[b] * arm_c - state->spin[c] * arm_b;
        state->momentum[a] = state->mass * state->velocity[a];
        state->energy += 0.5 * state->momentum[a] * state->velocity[a];
        state->energy += 0.5 * state->angular[a] * state->spin[a];
    }
    gy_figure_bounds(f, &s->now, state->low, state->high);
    return GYRE_OK;
}

static gyre_result ask(const gyre_bodies *bodies, const char *call, gyre_id id, const float *points,
                       int count, const float *answers, int *index)
{
    if (GY_MISSING(call, bodies) || (count > 0 && GY_MISSING(call, points)) ||
        (count > 0 && GY_MISSING(call, answers))) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int k = 0; k < 3 * count; k++) {
        if (!gy_is_finite(points[k])) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: point %d is not finite", call, k / 3);
        }
    }
    return gy_set_locate(bodies, call, id, index);
}

static void take_point(const float from[3], double to[3])
{
    for (int a = 0; a < 3; a++) {
        to[a] = (double)GY_MAX(GY_MIN(from[a], 1e12f), -1e12f);
    }
}

gyre_result gyre_bodies_distance(const gyre_bodies *bodies, gyre_id id, const float *points,
                                 int count, float *distances)
{
    int index;
    gyre_result r = ask(bodies, "bodies_distance", id, points, count, distances, &index);
    for (int i = 0; i < count && r == GYRE_OK; i++) {
        double p[3], own[3];
        take_point(points + 3 * i, p);
        to_own(&bodies->states[index].now, p, own);
        distances[i] = (float)gy_figure_distance(bodies->figures + index, own);
    }
    return r;
}

/// Where what is at `own` of the own frame now was at the beginning of the last step.
static void undo_deforming(const gy_figure *f, double own[3])
{
    gyre_mesh_place place;
    if (!f->now) {
        return;
    }
    gy_mesh_tree_closest(f->tree, own, &place);
    for (int a = 0; a < 3; a++) {
        for (int k = 0; k < 3; k++) {
            int at = 3 * f->triangles[3 * place.triangle + k] + a;
            own[a] -= (double)place.weights[k] * ((double)f->now[at] - (double)f->before[at]);
        }
    }
}

void gy_figure_carried(const gy_figure *f, const double own[3], double way[3])
{
    double was[3] = {own[0], own[1], own[2]};
    undo_deforming(f, was);
    for (int a = 0; a < 3; a++) {
        way[a] = own[a] - was[a];
    }
}

gyre_result gyre_bodies_velocity(const gyre_bodies *bodies, gyre_id id, const float *points,
                                 int count, float *velocities)
{
    int index;
    gyre_result r = ask(bodies, "bodies_velocity", id, points, count, velocities, &index);
    if (r != GYRE_OK) {
        return r;
    }
    const gyre_body *body = gy_set_body(bodies, index);
    const gy_figure *f = bodies->figures + index;
    const gy_set_state *s = bodies->states + index;
    double spin[3], centre[3];
    gy_set_spin(body, f, s, spin);
    memcpy(centre, s->now.at, sizeof centre);
    if (body->motion == GYRE_MOTION_FREE) {
        gy_pose_apply(&s->now, f->centre, centre);
    }
    for (int i = 0; i < count; i++) {
        double p[3], own[3], was[3];
        take_point(points + 3 * i, p);
        to_own(&s->now, p, own);
        undo_deforming(f, own);
        gy_pose_apply(&s->before, own, was);
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            double rigid =
                s->velocity[a] + spin[b] * (p[c] - centre[c]) - spin[c] * (p[b] - centre[b]);
            velocities[3 * i + a] = (float)(s->dt > 0.0 ? (p[a] - was[a]) / s->dt : rigid);
        }
    }
    return GYRE_OK;
}

gyre_result gyre_bodies_mesh(gyre_bodies *bodies, gyre_id id, gyre_mesh *mesh)
{
    int index;
    if (GY_MISSING("bodies_mesh", bodies) || GY_MISSING("bodies_mesh", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, "bodies_mesh", id, &index);
    if (r != GYRE_OK) {
        return r;
    }
    const gy_figure *f = bodies->figures + index;
    *mesh = (gyre_mesh){0};
    if (!gy_set_body(bodies, index)->enabled || !f->world) {
        return GYRE_OK;
    }
    for (int p = 0; p < f->surface.point_count; p++) {
        const float *at = f->surface.points + 3 * p;
        const double own[3] = {(double)at[0], (double)at[1], (double)at[2]};
        double world[3];
        gy_pose_apply(&bodies->states[index].now, own, world);
        for (int a = 0; a < 3; a++) {
            f->world[3 * p + a] = (float)world[a];
        }
    }
    *mesh = f->surface;
    mesh->points = f->world;
    return GYRE_OK;
}
