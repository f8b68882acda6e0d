// gas/moving.c: solids that move in the gas. A face that a solid shuts by the part s passes s u_s
// of the solid, u_s being the solid's velocity across it, and (1 - s) u of the gas:
//
//     sum over a cell's faces of (1 - s) u + s u_s = 0
//
// (C. Batty, F. Bertails, R. Bridson, A fast variational framework for accurate solid-fluid
// coupling, 2007; Y. T. Ng, C. Min, F. Gibou, 2009). The second part goes to the right-hand side of
// the projection. u_s = velocity of the centre of mass + spin x arm: what the centre has come over
// dt, and the angle over dt. Such a field is free of divergence on the grid, so that a rigid body
// in a closed box asks for no change of volume, however much it turns in a step.
//
// What the pressure gives the gas, the sum over all faces of (1 - s) (p below - p), is by parts
// what it takes from walls and solids: s (p below - p) of each face is the force on the solid
// there.
//
// Cost: a list of the faces of the moving solids, made anew when they have moved (about 100 ns a
// face), and passes over it by projections and by whatever changes velocities (1 ns a face).
#include "gas/moving.h"
#include "base/maths.h"
#include "body/body.h"
#include "body/rigid.h"
#include "ops/system/level.h"
#include "shape/openness.h"
#include "solve/faces.h"
#include <string.h>

void gy_mover_velocity(const gy_mover *m, const double point[3], double velocity[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        velocity[a] = m->velocity[a] + m->spin[b] * (point[c] - m->centre[c]) -
                      m->spin[c] * (point[b] - m->centre[b]);
    }
}

static bool finish_mover(gy_mover *m, int dim)
{
    bool moves = false;
    for (int a = 0; a < 3; a++) {
        if (dim == 2) {
            m->velocity[a] = a < 2 ? m->velocity[a] : 0.0;
            m->spin[a] = a < 2 ? 0.0 : m->spin[a];
        }
        moves = moves || m->velocity[a] != 0.0 || m->spin[a] != 0.0;
    }
    m->moves = moves;
    return moves;
}

/// A solid of the gas, or a sheet, moves as its pose says.
static gy_mover pose_mover(const gyre_pose *pose, int solid, int sheet, int dim)
{
    static const double degree = 0.017453292519943295;
    gy_mover m = {.body = -1, .solid = solid, .sheet = sheet};
    for (int a = 0; a < 3; a++) {
        m.centre[a] = (double)pose->position[a];
        m.velocity[a] = (double)pose->velocity[a];
        m.spin[a] = degree * (double)pose->spin[a];
    }
    finish_mover(&m, dim);
    return m;
}

static void centre_of(const gy_pose *pose, const double own[3], double world[3])
{
    gy_pose_apply(pose, own, world);
}

/// A body of a set as it has come in the set's last step; before the first one by its velocities.
static gy_mover body_mover(const gyre_bodies *set, int k)
{
    const gy_set_state *s = set->states + k;
    const gy_figure *f = set->figures + k;
    static const double none[3];
    const double *own = f->volume > 0.0 ? f->centre : none;
    gy_mover m = {.body = k, .solid = -1, .sheet = -1};
    centre_of(&s->now, own, m.centre);
    if (s->dt > 0.0) {
        double before[3], by[3];
        centre_of(&s->before, own, before);
        gy_rigid_between(&s->before, &s->now, by);
        for (int a = 0; a < 3; a++) {
            m.velocity[a] = (m.centre[a] - before[a]) / s->dt;
            m.spin[a] = by[a] / s->dt;
        }
    } else {
        double arm[3];
        gy_set_spin(gy_set_body(set, k), f, s, m.spin);
        gy_rigid_times((const double(*)[3])s->now.turn, own, arm);
        bool of_centre = gy_set_body(set, k)->motion == GYRE_MOTION_FREE;
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            double more = m.spin[b] * arm[c] - m.spin[c] * arm[b];
            m.velocity[a] = s->velocity[a] + (of_centre ? 0.0 : more);
        }
    }
    finish_mover(&m, 3);
    return m;
}

static bool is_free(const gyre_bodies *set, int k)
{
    const gyre_body *b = gy_set_body(set, k);
    return b->enabled && b->motion == GYRE_MOTION_FREE;
}

/// On a device with memory of its own solids rest: what is here is done by the host.
static gyre_result check_device(const gyre_gas *gas)
{
    static const char why[] = "which the gas takes on the device cpu alone so far, not on one with "
                              "memory of its own";
    const gyre_gas_solid *solids = gas->def->solids.items;
    if (!gy_device_has_own_memory(gas->model.device)) {
        return GYRE_OK;
    }
    for (int i = 0; i < gas->def->solids.count; i++) {
        if (solids[i].enabled && pose_mover(&solids[i].pose, i, -1, gas->extent.dim).moves) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "solids.%.31s: has a velocity, %s",
                             solids[i].name, why);
        }
    }
    for (int k = 0; k < gas->set.count; k++) {
        if (gas->set.bodies[k].enabled && body_mover(gas->model.bodies, k).moves) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies.%.31s: moves, %s",
                             gy_set_body(gas->model.bodies, k)->name, why);
        }
    }
    return GYRE_OK;
}

/// How solids move now, into `movers`; false: nobody has to know.
static bool list_movers(const gyre_gas *gas, gy_mover *movers, int *count, bool *any)
{
    const gyre_gas_solid *solids = gas->def->solids.items;
    bool active = false;
    *count = 0;
    *any = false;
    for (int i = 0; i < gas->def->solids.count; i++) {
        gy_mover m = pose_mover(&solids[i].pose, i, -1, gas->extent.dim);
        if (solids[i].enabled) {
            *any = *any || m.moves;
            if (movers) {
                movers[*count] = m;
            }
            ++*count;
        }
    }
    for (int k = 0; k < gas->set.count; k++) {
        if (!gas->set.bodies[k].enabled) {
            continue;
        }
        gy_mover m = body_mover(gas->model.bodies, k);
        *any = *any || m.moves;
        // What pushes bodies that rest but may move is asked for.
        active = active || gy_set_body(gas->model.bodies, k)->motion != GYRE_MOTION_HELD;
        if (movers) {
            movers[*count] = m;
        }
        ++*count;
    }
    const gyre_gas_sheet *sheets = gas->def->sheets.items;
    for (int i = 0; i < gas->def->sheets.count; i++) {
        gy_mover m = pose_mover(&sheets[i].pose, -1, i, gas->extent.dim);
        if (sheets[i].enabled) {
            *any = *any || m.moves;
            if (movers) {
                movers[*count] = m;
            }
            ++*count;
        }
    }
    return active || *any;
}

/// The gas that a body sets in motion answers a step later by the ratio of the masses: 1 or more
/// and both go to and fro without end. A disc across its way has the most for its size.
#define MOST_ADDED 0.5

/// Refuses free bodies that are too light for the gas.
static gyre_result check_weights(const gyre_gas *gas)
{
    for (int k = 0; k < gas->set.count; k++) {
        const gyre_bodies *set = gas->model.bodies;
        const gy_figure *f = set->figures + k;
        const gyre_body *body = gy_set_body(set, k);
        static const gy_pose none = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        float low[3], high[3], edge = 0.0f;
        if (!is_free(set, k)) {
            continue;
        }
        gy_figure_bounds(f, &none, low, high);
        for (int a = 0; a < 3; a++) {
            edge = GY_MAX(edge, high[a] - low[a]);
        }
        double radius = 0.5 * (double)edge, mass = gy_set_mass(body, f);
        double added = 8.0 / 3.0 * (double)gas->def->air_density * radius * radius * radius;
        if (mass * MOST_ADDED < added) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "bodies.%.31s: free and of %.3g kg, too light for a gas of "
                             "air_density %.3g: it would need %.3g kg",
                             body->name, mass, (double)gas->def->air_density, added / MOST_ADDED);
        }
    }
    return GYRE_OK;
}

void gy_gas_drop_movers(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (m) {
        gy_release(&gas->host, m->faces, m->face_room);
        gy_release(&gas->host, m->fluid, m->fluid_bytes);
        gy_release(&gas->host, m->movers, (size_t)m->room * sizeof *m->movers);
        gy_release(&gas->host, m->pushes, (size_t)m->room * sizeof *m->pushes);
        gy_release(&gas->host, m, sizeof *m);
    }
    gas->moving = NULL;
}

static gyre_result lacks(size_t bytes)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for solids that move", bytes);
}

/// Memory for so many.
static gyre_result take_movers(gyre_gas *gas, int count)
{
    if (gas->moving && gas->moving->room >= count) {
        return GYRE_OK;
    }
    gy_gas_drop_movers(gas);
    gy_gas_moving *m = gy_allocate(&gas->host, sizeof *m, 64);
    if (!m) {
        return lacks(sizeof *m);
    }
    memset(m, 0, sizeof *m);
    gas->moving = m;
    // As many as there may ever be: no step allocates.
    m->room = GY_MAX(count, gy_pool_capacity(&gas->def->solids) + gas->set.room +
                                gas->def->sheets.capacity);
    size_t movers = (size_t)m->room * sizeof *m->movers;
    size_t pushes = (size_t)m->room * sizeof *m->pushes;
    m->movers = gy_allocate(&gas->host, movers, 64);
    m->pushes = gy_allocate(&gas->host, pushes, 64);
    if (!m->movers || !m->pushes) {
        m->room = m->movers || m->pushes ? m->room : 0;
        gy_gas_drop_movers(gas);
        return lacks(movers + pushes);
    }
    memset(m->movers, 0, movers);
    memset(m->pushes, 0, pushes);
    return GYRE_OK;
}

gyre_result gy_gas_find_movers(gyre_gas *gas, bool *differ)
{
    int count;
    bool any, active = list_movers(gas, NULL, &count, &any);
    *differ = false;
    if (!active && !(gas->moving && gas->moving->active)) {
        return GYRE_OK;
    }
    if (gy_device_has_own_memory(gas->model.device)) {
        return check_device(gas);
    }
    gyre_result r = check_weights(gas);
    r = r == GYRE_OK ? take_movers(gas, count) : r;
    if (r != GYRE_OK) {
        return r;
    }
    gy_gas_moving *m = gas->moving;
    *differ = active != m->active || count != m->count;
    if (count != m->count) {
        memset(m->pushes, 0, (size_t)m->room * sizeof *m->pushes);
    }
    uint64_t before = gy_hash(m->movers, (size_t)m->count * sizeof *m->movers, 0);
    list_movers(gas, m->movers, &m->count, &m->any);
    *differ = *differ || before != gy_hash(m->movers, (size_t)count * sizeof *m->movers, 0);
    m->active = active;
    return GYRE_OK;
}

// ---- their faces --------------------------------------------------------------------------------

/// Where faces are looked for.
typedef struct finder {
    gyre_gas *gas;
    gy_gas_moving *moving;
    gy_grid_level level;
    gy_face_bits bits;
    bool whole; // no face inside is shut
    int mover;
    size_t room; // faces
    int count;
} finder;

static int wrapped(const gyre_gas *gas, int axis, int i)
{
    int n = gas->extent.n[axis];
    return gas->periodic >> axis & 1u ? (i + n) % n : i;
}

/// A cell in vectors of the finest level, and as a sample; -1: there is no gas.
static int32_t cell_at(const finder *f, const int at[3], uint32_t *sample)
{
    const gyre_gas *gas = f->gas;
    int c[3];
    for (int a = 0; a < 3; a++) {
        c[a] = wrapped(gas, a, at[a]);
        if (c[a] < 0 || c[a] >= gas->extent.n[a]) {
            return -1;
        }
    }
    *sample = (uint32_t)(c[0] + c[1] * gas->extent.sy + c[2] * gas->extent.sz);
    if (!f->whole && !gy_bit(gy_face_bits_fluid(&f->bits, c[1], c[2]), c[0])) {
        return -1;
    }
    int colour = (c[0] + c[1] + c[2]) & 1;
    return (int32_t)(colour * f->level.l->colour_step + gy_level_row(f->level.l, c[1], c[2]) +
                     (c[0] >> 1));
}

/// The part of a face that is shut, but for shut sides of the domain: those are at rest.
static float shut_part(const finder *f, int axis, const int at[3])
{
    const gyre_gas *gas = f->gas;
    bool low = at[axis] == 0, high = at[axis] == gas->extent.n[axis];
    float open = (float)*gy_coefficient(&f->level, axis, at[0], at[1], at[2]) * (1.0f / GY_UNIT);
    if ((low || high) && !(gas->periodic >> axis & 1u)) {
        if (!(gas->open_sides >> (2 * axis + high) & 1u)) {
            return 0.0f;
        }
        open *= 0.5f;
    }
    return 1.0f - open;
}

/// Whether of all solids this one is the nearest to a point.
static bool is_nearest(const finder *f, const double point[3])
{
    const gyre_gas *gas = f->gas;
    double own = gy_solid_distance(&gas->made[f->mover], point), h = (double)gas->grid.h;
    for (int q = 0; q < gas->made_count; q++) {
        const gy_solid *s = &gas->made[q];
        bool near = q != f->mover;
        for (int a = 0; a < gas->extent.dim && near; a++) {
            near = point[a] > s->low[a] - 2.0 * h && point[a] < s->high[a] + 2.0 * h;
        }
        if (near) {
            double d = gy_solid_distance(s, point);
            if (d < own || (d == own && q < f->mover)) {
                return false;
            }
        }
    }
    return true;
}

/// The middle of a face.
static void face_point(const gyre_gas *gas, int axis, const int at[3], double point[3])
{
    const gyre_grid *g = &gas->grid;
    for (int a = 0; a < 3; a++) {
        double cells = (double)at[a] + (a == axis ? 0.0 : 0.5);
        point[a] = a < gas->extent.dim ? (double)g->origin[a] + cells * (double)g->h : 0.0;
    }
}

/// A face of which the mover shuts a part.
static void add_face(finder *f, int axis, const int at[3], const double point[3], float shut)
{
    gyre_gas *gas = f->gas;
    double velocity[3];
    if ((size_t)f->count < f->room) {
        const gy_mover *m = &f->moving->movers[f->mover];
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        int below[3] = {at[0], at[1], at[2]};
        below[axis]--;
        gy_mover_velocity(m, point, velocity);
        gy_gas_face *face = &f->moving->faces[f->count];
        *face = (gy_gas_face){.mover = (uint16_t)f->mover, .axis = (uint16_t)axis, .shut = shut};
        face->sample = (uint32_t)(at[0] + at[1] * gas->extent.sy + at[2] * gas->extent.sz);
        face->below = cell_at(f, below, &face->cell[0]);
        face->above = cell_at(f, at, &face->cell[1]);
        double cap = (double)gas->def->speed_cap;
        face->velocity = (float)GY_MAX(GY_MIN(velocity[axis], cap), -cap);
        face->arm[0] = gas->extent.dim == 2 && b == 2 ? 0.0f : (float)(point[b] - m->centre[b]);
        face->arm[1] = gas->extent.dim == 2 && c == 2 ? 0.0f : (float)(point[c] - m->centre[c]);
    }
    f->count++;
}

static void list_face(finder *f, int axis, const int at[3])
{
    float shut = shut_part(f, axis, at);
    double point[3];
    face_point(f->gas, axis, at, point);
    if (shut > 0.0f && is_nearest(f, point)) {
        add_face(f, axis, at, point, shut);
    }
}

/// The faces of one solid across an axis: those near its bounds.
static void list_faces_across(finder *f, int axis)
{
    const gyre_gas *gas = f->gas;
    const gyre_grid *g = &gas->grid;
    const gy_solid *s = &gas->made[f->mover];
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < gas->extent.dim; a++) {
        // Of a periodic axis the last face is the first one.
        int last = gas->extent.n[a] - 1 + (a == axis && !(gas->periodic >> a & 1u));
        double from = (s->low[a] - (double)g->origin[a]) / (double)g->h - 2.0;
        double to = (s->high[a] - (double)g->origin[a]) / (double)g->h + 2.0;
        low[a] = from < 0.0 ? 0 : from > last ? last + 1 : (int)from;
        high[a] = to < 0.0 ? -1 : to > last ? last : (int)to;
    }
    for (int k = low[2]; k <= high[2]; k++) {
        for (int j = low[1]; j <= high[1]; j++) {
            for (int i = low[0]; i <= high[0]; i++) {
                list_face(f, axis, (const int[3]){i, j, k});
            }
        }
    }
}

/// The faces of a sheet.
static void list_sheet(finder *f)
{
    const gyre_gas *gas = f->gas;
    const gy_mover *m = &f->moving->movers[f->mover];
    for (int64_t q = 0; q < gy_gas_sheet_faces(gas, m->sheet); q++) {
        int axis, at[3];
        float part = gy_gas_sheet_face(gas, m->sheet, q, &axis, at);
        double point[3];
        if (part <= 0.0f) {
            continue;
        }
        face_point(gas, axis, at, point);
        for (int a = 0; a < gas->extent.dim; a++) {
            // Of all the places that a periodic axis makes of one, the nearest.
            double length = (double)gas->grid.h * gas->extent.n[a];
            while ((gas->periodic >> a & 1u) && point[a] < m->centre[a] - 0.5 * length) {
                point[a] += length;
            }
            while ((gas->periodic >> a & 1u) && point[a] > m->centre[a] + 0.5 * length) {
                point[a] -= length;
            }
        }
        add_face(f, axis, at, point, part);
    }
}

static void list_all(finder *f)
{
    f->count = 0;
    gy_gas_lift_sheets(f->gas);
    for (f->mover = 0; f->mover < f->moving->count; f->mover++) {
        // Those of solids that rest tell what pushes them: of bodies that is asked for.
        const gy_mover *m = &f->moving->movers[f->mover];
        for (int axis = 0; axis < f->gas->extent.dim && m->sheet < 0 && (m->moves || m->body >= 0);
             axis++) {
            list_faces_across(f, axis);
        }
    }
    // What sheets shut solids do not.
    gy_gas_put_sheets(f->gas);
    for (f->mover = 0; f->mover < f->moving->count; f->mover++) {
        const gy_mover *m = &f->moving->movers[f->mover];
        if (m->sheet >= 0 && m->moves) {
            list_sheet(f);
        }
    }
}

gyre_result gy_gas_list_faces(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active) {
        if (m) {
            m->face_count = 0;
        }
        return GYRE_OK;
    }
    finder f = {.gas = gas,
                .moving = m,
                .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0)),
                .room = m->face_room / sizeof *m->faces};
    f.whole = !gy_system_faces(&gas->pressure, &f.bits);
    list_all(&f);
    if ((size_t)f.count > f.room) {
        // Next time there are about as many.
        size_t bytes = ((size_t)f.count + (size_t)f.count / 2) * sizeof *m->faces;
        gy_gas_face *faces = gy_allocate(&gas->host, bytes, 64);
        if (!faces) {
            m->face_count = 0;
            return lacks(bytes);
        }
        gy_release(&gas->host, m->faces, m->face_room);
        m->faces = faces;
        m->face_room = bytes;
        f.room = bytes / sizeof *faces;
        list_all(&f);
    }
    m->face_count = f.count;
    return GYRE_OK;
}

// ---- what passes them ---------------------------------------------------------------------------

static float *samples_of(const gyre_gas *gas, int field)
{
    return gy_at(gas->base, gas->slot[field]);
}

void gy_gas_put_solid_velocity(gyre_gas *gas, int field)
{
    const gy_gas_moving *m = gas->moving;
    if (!m || !m->active || !m->any || field >= gas->velocities) {
        return;
    }
    float *u = samples_of(gas, field);
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        const gy_mover *mover = &m->movers[f->mover];
        if (f->axis == field && (f->shut >= 1.0f || mover->sheet >= 0) && mover->moves) {
            u[f->sample] = f->velocity;
        }
    }
}

static void place_of(const gyre_gas *gas, uint32_t sample, int at[3])
{
    const gy_extent *e = &gas->extent;
    int s = (int)sample;
    at[2] = e->dim == 3 ? s / (int)e->sz : 0;
    s -= at[2] * (int)e->sz;
    at[1] = s / (int)e->sy;
    at[0] = s - at[1] * (int)e->sy;
}

static bool is_open_now(const finder *f, const gy_gas_face *face)
{
    int at[3];
    place_of(f->gas, face->sample, at);
    return *gy_coefficient(&f->level, face->axis, at[0], at[1], at[2]) > 0;
}

/// The mean of a velocity's open neighbours; `u` itself where there are none. Those that have come
/// open just now hold what stood inside the solid: `fresh` says which.
static float mean_round(const finder *f, const gy_gas_face *face, const float *u,
                        const uint8_t *fresh)
{
    const gy_extent *e = &f->gas->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    int at[3], count = 0;
    place_of(f->gas, face->sample, at);
    float sum = 0.0f;
    for (int way = 0; way < 2 * e->dim; way++) {
        int a = way / 2, by = way & 1 ? 1 : -1, next[3] = {at[0], at[1], at[2]};
        next[a] += by;
        if (next[a] < 0 || next[a] > e->n[a] - (a != face->axis)) {
            continue;
        }
        ptrdiff_t there = (ptrdiff_t)face->sample + by * step[a];
        if (!(fresh[there >> 3] >> (there & 7) & 1u) &&
            *gy_coefficient(&f->level, face->axis, next[0], next[1], next[2]) > 0) {
            sum += u[there];
            count++;
        }
    }
    return count > 0 ? sum / (float)count : u[face->sample];
}

void gy_gas_fill_new_faces(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->any || !gas->def->solid_slip || m->face_count == 0) {
        return;
    }
    finder f = {.gas = gas,
                .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0))};
    size_t bytes;
    // The pressure is lost by what has changed anyway.
    uint8_t *fresh = gy_system_lend(&gas->pressure, 0, &bytes);
    for (int axis = 0; axis < gas->velocities; axis++) {
        float *u = samples_of(gas, axis);
        for (int set = 2; set >= 0; set--) {
            for (int q = 0; q < m->face_count; q++) {
                gy_gas_face *face = &m->faces[q];
                if (face->axis != axis || face->shut < 1.0f || !is_open_now(&f, face)) {
                    continue;
                }
                uint8_t *byte = fresh + (face->sample >> 3);
                uint8_t bit = (uint8_t)(1u << (face->sample & 7u));
                if (set == 2) {
                    *byte |= bit;
                } else if (set == 1) {
                    face->velocity = mean_round(&f, face, u, fresh);
                } else {
                    u[face->sample] = face->velocity;
                    *byte &= (uint8_t)~bit;
                }
            }
        }
    }
}

/// b of one cell, and the change of the sum of its squares.
static double add_to(float *b, int32_t cell, float more)
{
    if (cell < 0) {
        return 0.0;
    }
    double before = (double)b[cell];
    b[cell] += more;
    return (double)b[cell] * (double)b[cell] - before * before;
}

/// What has swollen of a cut cell that a solid moves through was covered or uncovered: it counts no
/// more, and what divergence has taken in of it is taken back.
static double forget_swelling(gy_divergence_args *d, float *b, int32_t cell, uint32_t sample)
{
    float *swelling = (float *)(uintptr_t)d->swelling;
    if (!swelling || cell < 0 || swelling[sample] == 0.0f) {
        return 0.0;
    }
    float let = d->let * swelling[sample];
    swelling[sample] = 0.0f;
    return add_to(b, cell, -let);
}

double gy_gas_add_solid_flow(gyre_gas *gas, gy_divergence_args *d)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active || !m->any) {
        return 0.0;
    }
    const gy_system *system = &gas->pressure;
    const gy_level *l = gy_system_level(system, 0);
    float *b = gy_at(gas->base, l->b);
    double change = 0.0;
    m->squeezed = 0.0;
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        if (m->movers[f->mover].moves) {
            float flow = f->shut * f->velocity;
            change += forget_swelling(d, b, f->below, f->cell[0]);
            change += forget_swelling(d, b, f->above, f->cell[1]);
            change += add_to(b, f->below, -flow) + add_to(b, f->above, flow);
            m->squeezed += f->above >= 0 ? (double)flow : 0.0;
            m->squeezed -= f->below >= 0 ? (double)flow : 0.0;
        }
    }
    return change;
}

void gy_gas_note_push(gyre_gas *gas, uint32_t potential, float factor)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active || potential == 0) {
        return;
    }
    const float *p = gy_at(gas->base, potential);
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        int a = f->axis, b = (a + 1) % 3, c = (a + 2) % 3;
        double below = f->below >= 0 ? (double)p[f->below] : 0.0;
        double above = f->above >= 0 ? (double)p[f->above] : 0.0;
        double push = (double)factor * (double)f->shut * (below - above);
        gy_gas_push *to = &m->pushes[f->mover];
        to->impulse[a] += push;
        // r x F of a force along a: (.., r_c F at b, -r_b F at c).
        to->twist[b] += (double)f->arm[1] * push;
        to->twist[c] -= (double)f->arm[0] * push;
    }
}

bool gy_gas_is_stirred(const gyre_gas *gas)
{
    return gas->moving && gas->moving->active && gas->moving->any;
}

double gy_gas_squeezed(const gyre_gas *gas)
{
    double h = (double)gas->grid.h;
    return gy_gas_is_stirred(gas) ? gas->moving->squeezed * h * (gas->extent.dim == 3 ? h : 1.0)
                                  : 0.0;
}

double gy_gas_stirred_divergence(gyre_gas *gas, double *most)
{
    const gy_level *l = gy_system_level(&gas->pressure, 0);
    const float *b = gy_at(gas->base, l->b);
    const int *n = gas->extent.n;
    gy_divergence_args d = {.swelling = 0};
    gy_gas_add_solid_flow(gas, &d);
    double sum = 0.0;
    *most = 0.0;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                ptrdiff_t at = ((i + j + k) & 1) * (ptrdiff_t)l->colour_step +
                               gy_level_row(l, j, k) + (i >> 1);
                double x = (double)b[at];
                sum += x * x;
                *most = GY_MAX(*most, x < 0.0 ? -x : x);
            }
        }
    }
    return sum;
}

// ---- what it does to them -----------------------------------------------------------------------

void gy_gas_begin_pushes(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    for (int q = 0; m && q < m->count; q++) {
        memset(m->pushes[q].impulse, 0, sizeof m->pushes[q].impulse);
        memset(m->pushes[q].twist, 0, sizeof m->pushes[q].twist);
    }
}

gyre_result gy_gas_end_pushes(gyre_gas *gas, float dt)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active || !(dt > 0.0f)) {
        return GYRE_OK;
    }
    double h = (double)gas->grid.h, rho = (double)gas->def->air_density;
    // phi is a velocity times a cell: its product with the area of a face and h is an impulse.
    double unit = rho * h * h * (gas->extent.dim == 3 ? h : 1.0) / (double)dt;
    gyre_result r = GYRE_OK;
    for (int q = 0; q < m->count && r == GYRE_OK; q++) {
        gy_gas_push *p = &m->pushes[q];
        float force[3], torque[3];
        for (int a = 0; a < 3; a++) {
            p->force[a] = unit * p->impulse[a];
            p->torque[a] = unit * p->twist[a];
            force[a] = (float)p->force[a];
            torque[a] = (float)p->torque[a];
        }
        int k = m->movers[q].body;
        if (k >= 0 && is_free(gas->model.bodies, k) && rho > 0.0) {
            r = gyre_bodies_push(gas->model.bodies, gyre_bodies_element(gas->model.bodies, k),
                                 force, torque);
        }
    }
    return r;
}

/// The mover that an id stands for; -1: none does now. GYRE_ERROR_ARGUMENT: nor ever.
static gyre_result find_push(const gyre_gas *gas, gyre_id id, int *mover)
{
    const gy_gas_moving *m = gas->moving;
    int body = -1, solid = -1, sheet = -1, p;
    *mover = -1;
    for (int k = 0; k < gas->set.count; k++) {
        body = gyre_bodies_element(gas->model.bodies, k) == id ? k : body;
    }
    if (body < 0) {
        const char *pool = gyre_model_pool(&gas->model, id);
        bool is_sheet = pool && strcmp(pool, "sheets") == 0;
        gyre_result r = gy_model_locate(&gas->model, "read_push", is_sheet ? "sheets" : "solids",
                                        id, &p, is_sheet ? &sheet : &solid);
        if (r != GYRE_OK) {
            return r;
        }
    }
    for (int q = 0; m && m->active && q < m->count; q++) {
        bool is = body >= 0    ? m->movers[q].body == body
                  : sheet >= 0 ? m->movers[q].sheet == sheet
                               : m->movers[q].solid == solid;
        *mover = is ? q : *mover;
    }
    return GYRE_OK;
}

gyre_result gyre_gas_read_push(gyre_gas *gas, gyre_id id, gyre_gas_push *push)
{
    int mover;
    if (GY_MISSING("read_push", gas) || GY_MISSING("read_push", push)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *push = (gyre_gas_push){0};
    gyre_result r = find_push(gas, id, &mover);
    if (r == GYRE_OK && mover >= 0) {
        memcpy(push->force, gas->moving->pushes[mover].force, sizeof push->force);
        memcpy(push->torque, gas->moving->pushes[mover].torque, sizeof push->torque);
    }
    return r;
}
