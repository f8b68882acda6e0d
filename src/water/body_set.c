// water/body_set.c: bodies of a set that the water was handed (gyre_model_use_bodies): seen as
// bodies behind its own, displaced and loaded like these, and pushed where those are moved.
//
//     F = m (v' - v) / dt - m g,  T = I (w' - w) / dt,
//
// v' and w' being the velocities that the water's own body would get (water/body_move.c): so the
// set, which adds m g, moves a body just so.
//
// Cost: that of the water's own bodies. A mesh that deforms is looked through in each step: sorting
// its edges, and its integrals.
#include "body/body.h"
#include "water/water.h"
#include <stdio.h>
#include <string.h>

enum { MOST_BODIES = 1024 };

// ---- how one of the set is seen -----------------------------------------------------------------

static gyre_result refuse(const gyre_body *body, const char *what)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies.%.31s: is %s, which water does not take",
                     body->name, what);
}

/// The points of a hull or mesh about its centre of mass, which a water's body has at its origin.
static gyre_result shift(gyre_water *w, int k, const gy_figure *f, gyre_volume *points)
{
    int count = f->surface.point_count;
    const float *from = f->surface.points;
    *points = (gyre_volume){from, {3, count, 1}, NULL};
    if (f->now || (f->centre[0] == 0.0 && f->centre[1] == 0.0 && f->centre[2] == 0.0)) {
        return GYRE_OK;
    }
    gyre_result r = gy_list_reserve(w, &w->set.points[k], 3 * count, sizeof(float));
    float *to = w->set.points[k].items;
    for (int p = 0; p < 3 * count && r == GYRE_OK; p++) {
        to[p] = (float)((double)from[p] - f->centre[p % 3]);
    }
    points->data = to;
    return r;
}

/// What of a body stays: its form.
static gyre_result describe(gyre_water *w, int k)
{
    const gyre_body *body = gy_set_body(w->model.bodies, k);
    const gy_figure *f = w->model.bodies->figures + k;
    gyre_water_body *to = w->set.all + w->def->bodies.count + k;
    *to = gyre_water_default_body();
    memcpy(to->name, body->name, sizeof to->name);
    switch (body->form.kind) {
    case GYRE_FORM_SPHERE:
        to->form = GYRE_BODY_SPHERE;
        to->size[0] = body->form.as.sphere.radius;
        return GYRE_OK;
    case GYRE_FORM_BOX:
        to->form = GYRE_BODY_BOX;
        memcpy(to->size, body->form.as.box.size, sizeof to->size);
        return GYRE_OK;
    case GYRE_FORM_CAPSULE:
        to->form = GYRE_BODY_CAPSULE;
        to->size[0] = body->form.as.capsule.radius;
        to->size[1] = body->form.as.capsule.length;
        return GYRE_OK;
    case GYRE_FORM_CYLINDER: // of as many sides as it is drawn with
    case GYRE_FORM_HULL:
        to->form = GYRE_BODY_HULL;
        return shift(w, k, f, &to->points);
    case GYRE_FORM_MESH:
        to->form = GYRE_BODY_MESH;
        to->triangles = body->form.as.mesh.triangles;
        return shift(w, k, f, &to->points);
    case GYRE_FORM_HALF_SPACE:
        return refuse(body, "a half-space: shape the bed instead");
    default:
        return refuse(body, "given by an array of cells: give a mesh");
    }
}

/// What of it changes. A body that is not free is held where it is.
static void place(gyre_water *w, int k)
{
    const gyre_body *body = gy_set_body(w->model.bodies, k);
    const gy_figure *f = w->model.bodies->figures + k;
    gyre_water_body *to = w->set.all + w->def->bodies.count + k;
    double mass = gy_set_mass(body, f), centre[3];
    to->enabled = body->enabled;
    to->held = body->motion != GYRE_MOTION_FREE;
    to->density = mass > 0.0 ? (float)(mass / f->volume) : body->density;
    to->pose = body->pose;
    to->drag = body->water.drag;
    to->added_mass = body->water.added_mass;
    to->waves = body->water.waves;
    to->drift = body->water.drift;
    if (to->points.data && to->points.data != f->surface.points) {
        gy_pose_apply(&w->model.bodies->states[k].now, f->centre, centre);
        for (int a = 0; a < 3; a++) {
            to->pose.position[a] = (float)centre[a];
        }
    }
}

// ---- a set comes and goes -----------------------------------------------------------------------

/// Looks all bodies through.
static gyre_result look_through(gyre_water *w)
{
    const gyre_bodies *set = w->model.bodies;
    gyre_result r = GYRE_OK;
    int own = w->def->bodies.count, count = set->def.pool.count;
    memcpy(w->set.all, w->def->bodies.items, (size_t)own * sizeof(gyre_water_body));
    w->set.pool.count = own;
    for (int k = 0; k < count && r == GYRE_OK; k++) {
        r = describe(w, k);
        if (r == GYRE_OK) {
            place(w, k);
            w->set.pool.count++;
        }
    }
    r = r == GYRE_OK ? gy_bodies_changed(w->body, &w->set.pool) : r;
    w->set.changes = r == GYRE_OK ? set->changes : 0; // else they are looked through again
    w->set.steps = set->steps;
    return r;
}

gyre_result gy_water_bodies_changed(gyre_water *w)
{
    return w->set.memory ? look_through(w) : gy_bodies_changed(w->body, &w->def->bodies);
}

void gy_water_join_bodies(gyre_water *w)
{
    const gyre_water_sides *sides = &w->def->sides;
    gy_bodies_join(w->body, sides->x_low.rule == GYRE_WATER_PERIODIC,
                   sides->y_low.rule == GYRE_WATER_PERIODIC);
    gy_bodies_deepen(w->body, w->def->mode == GYRE_WATER_DISPERSIVE);
}

void gy_water_leave_bodies(gyre_water *w)
{
    for (int k = 0; k < w->set.room; k++) {
        gy_list_free(w, &w->set.points[k]);
    }
    gy_release(&w->host, w->set.memory, w->set.bytes);
    w->set = (gy_water_set){0};
    w->model.bodies = NULL;
}

static void *take(char **at, size_t count, size_t size)
{
    char *from = *at;
    *at += (count * size + 63) / 64 * 64;
    return from;
}

/// Lays the memory out; without a base it only counts.
static size_t lay_out(gyre_water *w, char *base, int room)
{
    char *at = base;
    int most = w->body_room + room;
    w->set.all = take(&at, (size_t)most, sizeof(gyre_water_body));
    w->set.displaced = take(&at, (size_t)most, sizeof(double));
    w->set.points = take(&at, (size_t)room, sizeof(gy_list));
    w->set.room = room;
    w->set.pool = (gyre_pool){w->set.all, 0, most};
    size_t bodies = gy_bodies_size(&w->grid, most);
    char *body = take(&at, bodies, 1);
    if (w->set.memory) {
        w->body = gy_bodies_make(&w->grid, most, body);
        gy_water_join_bodies(w);
    }
    return (size_t)(at - base);
}

gyre_result gy_water_use_bodies(gyre_model *model, gyre_bodies *bodies)
{
    static char none[64];
    gyre_water *w = (gyre_water *)model;
    gyre_result r = GYRE_OK;
    bool had = w->set.memory != NULL;
    gy_water_leave_bodies(w);
    int room = bodies ? bodies->def.pool.capacity : 0;
    if (room > MOST_BODIES) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT,
                      "use_bodies: a set with room for %d bodies; water takes at most %d", room,
                      MOST_BODIES);
    } else if (bodies) {
        gy_water_set wanted = w->set;
        wanted.bytes = lay_out(w, none, room);
        w->set = (gy_water_set){0};
        wanted.memory = gy_allocate(&w->host, wanted.bytes, 4096);
        if (!wanted.memory) {
            r = gyre_fail(GYRE_ERROR_MEMORY, "use_bodies: out of memory: %zu bytes", wanted.bytes);
        } else {
            w->set = wanted;
            w->model.bodies = bodies;
            lay_out(w, wanted.memory, room);
            r = look_through(w);
        }
    }
    if (r != GYRE_OK || (had && !bodies)) {
        char why[1024];
        strncpy(why, gyre_message(), sizeof why - 1);
        why[sizeof why - 1] = '\0';
        gy_water_leave_bodies(w);
        // What bodies have left is found by going through all tiles once.
        w->body = gy_bodies_make(&w->grid, w->body_room, w->body_memory);
        gy_water_join_bodies(w);
        gyre_result own = gy_bodies_changed(w->body, &w->def->bodies);
        w->left = true;
        return r != GYRE_OK ? gyre_fail(r, "%s", why) : own;
    }
    w->stats_fresh = false;
    return r;
}

gyre_result gy_water_meet_bodies(gyre_model *model)
{
    gyre_water *w = (gyre_water *)model;
    gyre_bodies *set = model->bodies;
    if (w->set.changes != set->changes) {
        return look_through(w);
    }
    int own = w->def->bodies.count;
    for (int k = 0; k < set->def.pool.count; k++) {
        place(w, k);
        if (set->figures[k].now && w->set.steps != set->steps) {
            char path[64];
            snprintf(path, sizeof path, "bodies.%.31s", w->set.all[own + k].name);
            gyre_result r = gy_bodies_renew(w->body, &w->set.pool, own + k, path);
            if (r != GYRE_OK) {
                return r;
            }
        }
    }
    w->set.steps = set->steps;
    return GYRE_OK;
}

gyre_result gy_water_body_mesh(gyre_model *model, int index, gyre_mesh *mesh, bool *own)
{
    gyre_water *w = (gyre_water *)model;
    int k = w->def->bodies.count + index;
    *own = k < w->set.pool.count && gy_bodies_cross(w->body, &w->set.pool, k);
    return *own ? gy_bodies_mesh(w->body, &w->set.pool, k, mesh) : GYRE_OK;
}

// ---- in a step ----------------------------------------------------------------------------------

bool gy_water_has_bodies(const gyre_water *w)
{
    return w->def->bodies.count > 0 || w->set.memory || w->waiting != 0.0 || w->left;
}

void gy_water_displace(gyre_water *w, const gy_water_surface *surf)
{
    w->left = false;
    if (!w->set.memory) {
        gy_bodies_displace(w->body, surf, &w->def->bodies, w->displaced, &w->waiting);
        return;
    }
    size_t own = (size_t)w->def->bodies.count;
    memcpy(w->set.all, w->def->bodies.items, own * sizeof(gyre_water_body));
    gy_bodies_displace(w->body, surf, &w->set.pool, w->set.displaced, &w->waiting);
    memcpy(w->displaced, w->set.displaced, own * sizeof(double));
}

/// Pushes body k of the set.
static void push(gyre_water *w, const gy_water_surface *surf, int k, float dt)
{
    gyre_bodies *set = w->model.bodies;
    const gyre_body *body = gy_set_body(set, k);
    gy_set_state *state = set->states + k;
    gy_body_push p;
    gy_set_spin(body, set->figures + k, state, p.spin);
    for (int a = 0; a < 3; a++) {
        p.velocity[a] = state->velocity[a];
        p.gravity[a] = (double)set->def.gravity[a];
        p.force[a] = (double)body->force[a] + state->force[a];
        p.torque[a] = (double)body->torque[a] + state->torque[a];
    }
    gy_bodies_push(w->body, surf, &w->set.pool, w->def->bodies.count + k, dt, &p);
    for (int a = 0; a < 3; a++) {
        state->force[a] += p.by[a];
        state->torque[a] += p.turn[a];
        state->borne = state->borne || p.by[a] != 0.0;
    }
}

void gy_water_move_bodies(gyre_water *w, const gy_water_surface *surf, float dt)
{
    int own = w->def->bodies.count;
    gy_bodies_read_again(w->body, surf, w->set.memory ? &w->set.pool : &w->def->bodies);
    for (int pass = 0; pass < 2; pass++) {
        gy_bodies_move(w->body, surf, &w->def->bodies, dt, pass == 1);
        for (int k = 0; own + k < w->set.pool.count && dt > 0.0f; k++) {
            const gyre_water_body *body = w->set.all + own + k;
            bool late = gy_bodies_is_late(w->body, own + k);
            if (body->enabled && !body->held && late == (pass == 1)) {
                push(w, surf, k, dt);
            }
        }
    }
    gy_bodies_forget(w->body);
}
