// body/set.c: sets of bodies: making them, bodies that come, change and go, pushes, the step.
//
// An id is the set's tag (bits 48 to 63), 255 (40 to 47), where a model's ids have their pool, and
// a number that the set gives once (0 to 39). The numbers alone are state.
#include "body/body.h"

#include "base/maths.h"
#include "grid/property.h"

#include <stdatomic.h>
#include <stdio.h>

enum { COOKIE = 0x626f, MOST_BODIES = 65536, MARK = 255 }; // "bo"

#define NUMBER_BITS 40
#define TAG_BIT 48

void gyre_bodies_fill_def(gyre_bodies_def *def, size_t size)
{
    if (GY_MISSING("bodies_fill_def", def)) {
        return;
    }
    gyre_bodies_def own = {.capacity = 64, .gravity = {0.0f, 0.0f, -9.81f}};
    own.cookie = gy_cookie(COOKIE, size);
    gy_copy_sized(def, size, &own, sizeof own);
}

static bool finite3(const float v[3], float most)
{
    for (int a = 0; a < 3; a++) {
        if (!(v[a] >= -most && v[a] <= most)) {
            return false;
        }
    }
    return true;
}

// ---- memory -------------------------------------------------------------------------------------

static void *take(char **at, size_t size)
{
    char *from = *at;
    *at += (size + 63) / 64 * 64;
    return from;
}

/// Lays the lists out behind the set; with only an address to count from, too.
static size_t lay_out(gyre_bodies *set, int capacity, char *memory)
{
    char *at = memory;
    size_t n = (size_t)capacity;
    take(&at, sizeof *set);
    set->def.pool = (gyre_pool){take(&at, n * sizeof(gyre_body)), 0, capacity};
    set->figures = take(&at, n * sizeof(gy_figure));
    set->states = take(&at, n * sizeof(gy_set_state));
    set->ids = take(&at, n * sizeof(uint64_t));
    set->packed_most = gy_property_pack_most(gy_set_properties, &set->def);
    set->packed = take(&at, set->packed_most);
    return (size_t)(at - memory);
}

gyre_result gyre_bodies_create(const gyre_bodies_def *def, gyre_bodies **bodies)
{
    static atomic_uint tags;
    static char from[64];
    if (GY_MISSING("bodies_create", bodies)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_bodies_def usual = gyre_bodies_default_def();
    def = def ? def : &usual;
    gyre_result r = gy_cookie_check(def, COOKIE, sizeof *def, "bodies' def");
    if (r != GYRE_OK) {
        return r;
    }
    if (def->capacity < 1 || def->capacity > MOST_BODIES || !finite3(def->gravity, 1e4f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "bodies: a capacity of 1 to %d and a gravity of at most 1e4 m/s^2 are "
                         "expected, found %d and (%g, %g, %g)",
                         MOST_BODIES, def->capacity, (double)def->gravity[0],
                         (double)def->gravity[1], (double)def->gravity[2]);
    }
    gyre_bodies none;
    memset(&none, 0, sizeof none);
    gyre_host host = gy_host_complete(&def->host);
    size_t size = lay_out(&none, def->capacity, from);
    gyre_bodies *set = gy_allocate(&host, size, 64);
    if (!set) {
        return GYRE_ERROR_MEMORY;
    }
    lay_out(set, def->capacity, (char *)set);
    set->host = host;
    set->size = size;
    set->tag = atomic_fetch_add(&tags, 1) % 0xffffu + 1;
    set->next_id = 1;
    memcpy(set->def.gravity, def->gravity, sizeof set->def.gravity);
    *bodies = set;
    return GYRE_OK;
}

void gyre_bodies_destroy(gyre_bodies *bodies)
{
    if (!bodies) {
        return;
    }
    gyre_host host = bodies->host;
    for (int i = 0; i < bodies->def.pool.count; i++) {
        gy_figure_free(&host, bodies->figures + i);
    }
    gy_release(&host, bodies, bodies->size);
}

// ---- ids ----------------------------------------------------------------------------------------

static gyre_id id_of(const gyre_bodies *set, int index)
{
    return (uint64_t)set->tag << TAG_BIT | (uint64_t)MARK << NUMBER_BITS | set->ids[index];
}

gyre_result gy_set_locate(const gyre_bodies *set, const char *call, gyre_id id, int *index)
{
    uint64_t number = id & (((uint64_t)1 << NUMBER_BITS) - 1);
    int low = 0, high = set->def.pool.count;
    if (id == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: 0 is no id; what was to give one has failed",
                         call);
    }
    if (id >> TAG_BIT != set->tag || (id >> NUMBER_BITS & 0xff) != MARK) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the id is not of this set of bodies", call);
    }
    while (low < high) {
        int middle = (low + high) / 2;
        if (set->ids[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == set->def.pool.count || set->ids[low] != number) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the body that the id named is gone", call);
    }
    *index = low;
    return GYRE_OK;
}

int gyre_bodies_count(const gyre_bodies *bodies)
{
    return GY_MISSING("bodies_count", bodies) ? 0 : bodies->def.pool.count;
}

gyre_id gyre_bodies_element(const gyre_bodies *bodies, int index)
{
    if (GY_MISSING("bodies_element", bodies)) {
        return 0;
    }
    if (index < 0 || index >= bodies->def.pool.count) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "bodies_element: there is no body %d, but %d of them", index,
                  bodies->def.pool.count);
        return 0;
    }
    return id_of(bodies, index);
}

static const char *name_at(const void *list, int i)
{
    return gy_set_body(list, i)->name;
}

gyre_id gyre_bodies_find(const gyre_bodies *bodies, const char *name)
{
    if (GY_MISSING("bodies_find", bodies) || GY_MISSING("bodies_find", name)) {
        return 0;
    }
    int count = bodies->def.pool.count;
    for (int i = 0; i < count && name[0]; i++) {
        if (strcmp(gy_set_body(bodies, i)->name, name) == 0) {
            return id_of(bodies, i);
        }
    }
    const char *near = gyre_name_nearest(name, count, name_at, bodies);
    gyre_fail(GYRE_ERROR_ARGUMENT, "bodies_find: there is no body \"%.64s\"%s%s%s", name,
              near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return 0;
}

double gyre_bodies_time(const gyre_bodies *bodies)
{
    return GY_MISSING("bodies_time", bodies) ? 0.0 : bodies->time;
}

gyre_result gyre_bodies_set_gravity(gyre_bodies *bodies, const float gravity[3])
{
    if (GY_MISSING("bodies_set_gravity", bodies) || GY_MISSING("bodies_set_gravity", gravity)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!finite3(gravity, 1e4f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies_set_gravity: it must be within 1e4 m/s^2");
    }
    memcpy(bodies->def.gravity, gravity, sizeof bodies->def.gravity);
    return GYRE_OK;
}

// ---- what is refused ----------------------------------------------------------------------------

static gyre_result check_path(const gyre_body *body, const char *path)
{
    const gyre_volume *v = &body->path;
    if (!v->data || v->n[0] != 8 || v->n[1] < 1 || v->n[2] != 1) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s.path: found %d x %d x %d numbers, expected 8 for each of one key or "
                         "more: time, position, quaternion",
                         path, v->n[0], v->n[1], v->n[2]);
    }
    for (int k = 0; k < v->n[1]; k++) {
        const float *key = v->data + 8 * k;
        const double q[4] = {(double)key[4], (double)key[5], (double)key[6], (double)key[7]};
        bool turned = gy_is_orientation(q) && gy_is_oriented(key + 4);
        if (!finite3(key + 1, 1e6f) || !(key[0] >= -1e9f && key[0] <= 1e9f) || !turned ||
            (k > 0 && !(key[0] > key[-8]))) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s.path: key %d must be later than the one before it, within 1e6 m, "
                             "with a quaternion of length 1",
                             path, k);
        }
    }
    return GYRE_OK;
}

gyre_result gy_set_check(const gyre_body *body, const gy_figure *figure, const char *path)
{
    gyre_result r = gy_pose_check(&body->pose, 3, path);
    if (r == GYRE_OK && body->motion == GYRE_MOTION_PATH) {
        r = check_path(body, path);
    }
    if (r != GYRE_OK || body->motion != GYRE_MOTION_FREE) {
        return r;
    }
    if (!figure->closed) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: a free body's mesh must be closed and of one orientation: "
                         "gyre_mesh_inspect() says where it is not",
                         path);
    }
    if (figure->now) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a free body cannot have %s", path,
                         figure->next ? "points that are moved" : "frames");
    }
    return gy_set_mass(body, figure) > 0.0
               ? GYRE_OK
               : gyre_fail(GYRE_ERROR_ARGUMENT,
                           "%s: a free body must enclose a volume, seen from "
                           "outside anticlockwise",
                           path);
}

/// Arrays that a body uses.
static int arrays_of(const gyre_body *body)
{
    static const int of[] = {
        [GYRE_FORM_HULL] = 1, [GYRE_FORM_MESH] = 2, [GYRE_FORM_VOLUME] = 1, [GYRE_FORM_BITMAP] = 1};
    bool frames = body->form.kind == GYRE_FORM_MESH && body->form.as.mesh.frames.data;
    return of[body->form.kind] + frames + (body->path.data != NULL);
}

// ---- bodies that come, change and go ------------------------------------------------------------

static void name_path(const gyre_body *body, char path[64])
{
    snprintf(path, 64, "bodies.%.*s", (int)sizeof body->name, body->name);
}

static void begin(gyre_bodies *set, int index)
{
    gyre_body *body = gy_set_body(set, index);
    gy_set_state *state = set->states + index;
    memset(state, 0, sizeof *state);
    if (body->motion == GYRE_MOTION_PATH) {
        // Where it is now is part of the path, not of the pose.
        gy_pose pose;
        const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        gy_set_follow(body, set->time, &pose);
        for (int a = 0; a < 3; a++) {
            body->pose.position[a] = (float)pose.at[a];
        }
        gy_pose_degrees(&pose, body->pose.rotation);
        gy_pose_orientation(&pose, none, body->pose.orientation);
        state->now = state->before = pose;
    } else {
        gy_set_place(body, set->figures + index, state);
    }
    gy_set_hasten(body, set->figures + index, state);
    gy_figure_deform(set->figures + index, set->time);
}

gyre_id gyre_bodies_add(gyre_bodies *bodies, const gyre_body *body)
{
    char path[64];
    if (GY_MISSING("bodies_add", bodies) || GY_MISSING("bodies_add", body)) {
        return 0;
    }
    int index = bodies->def.pool.count, arrays;
    if (index == bodies->def.pool.capacity) {
        gyre_fail(GYRE_ERROR_STATE, "bodies: full with %d; ask for more by the capacity", index);
        return 0;
    }
    name_path(body, path);
    if (gyre_property_check(gyre_body_properties, body, path) != GYRE_OK) {
        return 0;
    }
    arrays = arrays_of(body);
    for (int i = 0; i < index; i++) {
        arrays += arrays_of(gy_set_body(bodies, i));
    }
    if (arrays > GY_SET_ARRAYS) {
        gyre_fail(GYRE_ERROR_STATE, "bodies: they would use %d arrays, expected at most %d in all",
                  arrays, GY_SET_ARRAYS);
        return 0;
    }
    gy_figure *figure = bodies->figures + index;
    if (gy_figure_make(&bodies->host, &body->form, path, figure) != GYRE_OK) {
        return 0;
    }
    if (gy_set_check(body, figure, path) != GYRE_OK) {
        gy_figure_free(&bodies->host, figure);
        return 0;
    }
    memcpy(gy_set_body(bodies, index), body, sizeof *body);
    bodies->ids[index] = bodies->next_id++;
    bodies->def.pool.count++;
    bodies->changes++;
    begin(bodies, index);
    return id_of(bodies, index);
}

gyre_result gyre_bodies_update(gyre_bodies *bodies, gyre_id id, const gyre_body *body)
{
    char path[64];
    int index;
    if (GY_MISSING("bodies_update", bodies) || GY_MISSING("bodies_update", body)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, "bodies_update", id, &index);
    if (r != GYRE_OK) {
        return r;
    }
    gyre_body *own = gy_set_body(bodies, index);
    const gyre_property *table = gyre_body_properties, *fixed;
    gy_figure *figure = bodies->figures + index;
    name_path(own, path);
    r = gyre_property_check(table, body, path);
    fixed = r == GYRE_OK ? gy_property_difference(table, own, body, GYRE_FIXED | GYRE_NAME) : NULL;
    if (fixed) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: %s is fixed as long as it lives", path,
                         fixed->name);
    }
    r = r == GYRE_OK ? gy_set_check(body, figure, path) : r;
    if (r != GYRE_OK) {
        return r;
    }
    gyre_body was;
    memcpy(&was, own, sizeof was);
    memcpy(own, body, sizeof *own);
    gy_property_follow(table, &was, own);
    gy_set_state *state = bodies->states + index;
    bool placed = memcmp(&was.pose, &own->pose, offsetof(gyre_pose, velocity)) != 0;
    bool other = was.motion != own->motion || was.mass != own->mass || was.density != own->density;
    size_t rates = sizeof(gyre_pose) - offsetof(gyre_pose, velocity);
    if (placed) {
        gy_set_place(own, figure, state);
    }
    if (placed || other || memcmp(was.pose.velocity, own->pose.velocity, rates) != 0) {
        gy_set_hasten(own, figure, state);
    }
    return GYRE_OK;
}

gyre_result gyre_bodies_read(const gyre_bodies *bodies, gyre_id id, gyre_body *body)
{
    int index;
    if (GY_MISSING("bodies_read", bodies) || GY_MISSING("bodies_read", body)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, "bodies_read", id, &index);
    if (r == GYRE_OK) {
        memcpy(body, gy_set_body(bodies, index), sizeof *body);
    }
    return r;
}

gyre_result gyre_bodies_remove(gyre_bodies *bodies, gyre_id id)
{
    int index;
    if (GY_MISSING("bodies_remove", bodies)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, "bodies_remove", id, &index);
    if (r != GYRE_OK) {
        return r;
    }
    gy_figure_free(&bodies->host, bodies->figures + index);
    size_t more = (size_t)(bodies->def.pool.count - index - 1);
    memmove(gy_set_body(bodies, index), gy_set_body(bodies, index) + 1, more * sizeof(gyre_body));
    memmove(bodies->figures + index, bodies->figures + index + 1, more * sizeof(gy_figure));
    memmove(bodies->states + index, bodies->states + index + 1, more * sizeof(gy_set_state));
    memmove(bodies->ids + index, bodies->ids + index + 1, more * sizeof(uint64_t));
    bodies->def.pool.count--;
    bodies->changes++;
    return GYRE_OK;
}

// ---- pushes and the step ------------------------------------------------------------------------

static gyre_result push(gyre_bodies *bodies, const char *call, gyre_id id, const float force[3],
                        const float torque[3], const float point[3])
{
    int index;
    gyre_result r = gy_set_locate(bodies, call, id, &index);
    if (r != GYRE_OK) {
        return r;
    }
    if ((force && !finite3(force, 1e30f)) || (torque && !finite3(torque, 1e30f)) ||
        (point && !finite3(point, 1e30f))) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: what acts must be finite", call);
    }
    gy_set_state *state = bodies->states + index;
    double centre[3], arm[3] = {0.0, 0.0, 0.0};
    gy_pose_apply(&state->now, bodies->figures[index].centre, centre);
    for (int a = 0; a < 3 && point; a++) {
        arm[a] = (double)point[a] - centre[a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        state->force[a] += force ? (double)force[a] : 0.0;
        state->torque[a] += torque ? (double)torque[a] : 0.0;
        if (force) {
            state->torque[a] += arm[b] * (double)force[c] - arm[c] * (double)force[b];
        }
    }
    return GYRE_OK;
}

gyre_result gyre_bodies_push(gyre_bodies *bodies, gyre_id id, const float force[3],
                             const float torque[3])
{
    return GY_MISSING("bodies_push", bodies) ? GYRE_ERROR_ARGUMENT
                                             : push(bodies, "bodies_push", id, force, torque, NULL);
}

gyre_result gyre_bodies_push_at(gyre_bodies *bodies, gyre_id id, const float force[3],
                                const float point[3])
{
    return GY_MISSING("bodies_push_at", bodies) || GY_MISSING("bodies_push_at", force) ||
                   GY_MISSING("bodies_push_at", point)
               ? GYRE_ERROR_ARGUMENT
               : push(bodies, "bodies_push_at", id, force, NULL, point);
}

gyre_result gyre_bodies_drive(gyre_bodies *bodies, gyre_id id, const gyre_pose *pose)
{
    int index;
    if (GY_MISSING("bodies_drive", bodies) || GY_MISSING("bodies_drive", pose)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, "bodies_drive", id, &index);
    r = r == GYRE_OK ? gy_pose_check(pose, 3, "bodies_drive") : r;
    if (r == GYRE_OK && !finite3(pose->position, 1e6f)) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT, "bodies_drive: the position must be within 1e6 m");
    }
    if (r == GYRE_OK && gy_set_body(bodies, index)->motion != GYRE_MOTION_DRIVEN) {
        r = gyre_fail(GYRE_ERROR_STATE, "bodies_drive: the body is not driven");
    }
    if (r == GYRE_OK) {
        bodies->states[index].target = *pose;
        bodies->states[index].driven = 1;
    }
    return r;
}

gyre_result gyre_bodies_step(gyre_bodies *bodies, float dt)
{
    if (GY_MISSING("bodies_step", bodies)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!(dt >= 0.0f) || !gy_is_finite(dt)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies_step: found a dt of %g, expected 0 or more",
                         (double)dt);
    }
    for (int i = 0; i < bodies->def.pool.count; i++) {
        gyre_body *body = gy_set_body(bodies, i);
        if (body->enabled) {
            gy_set_move(bodies->def.gravity, bodies->time, (double)dt, body, bodies->figures + i,
                        bodies->states + i);
        }
        gy_figure_deform(bodies->figures + i, bodies->time + (double)dt);
    }
    bodies->before = bodies->time;
    bodies->time += (double)dt;
    bodies->steps++;
    return GYRE_OK;
}
