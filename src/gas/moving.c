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
// Cost: a list of the faces of the moving solids, made anew when they have moved (gas/shut.c), and
// lists of what those do (gas/meet.c), which projections and whatever changes velocities run as ops
// (1 ns a face). So the host has to see no field: what follows from shapes it puts, what needs
// fields happens where those are.
#include "gas/moving.h"
#include "base/maths.h"
#include "body/body.h"
#include "body/rigid.h"
#include "ops/system/level.h"
#include <string.h>

void gy_mover_velocity(const gy_mover *m, const double point[3], double velocity[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        velocity[a] = m->velocity[a] + m->spin[b] * (point[c] - m->centre[c]) -
                      m->spin[c] * (point[b] - m->centre[b]);
    }
}

void gy_gas_solid_velocity(const gyre_gas *gas, const gy_mover *m, const double point[3],
                           double velocity[3])
{
    gy_mover_velocity(m, point, velocity);
    if (m->floor) {
        velocity[gas->extent.dim - 1] = gy_gas_floor_rises(gas, point);
        return;
    }
    if (!m->deforms) {
        return;
    }
    const gy_set_state *s = gas->model.bodies->states + m->body;
    double own[3] = {0.0, 0.0, 0.0}, way[3], by[3];
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            own[a] += s->now.turn[b][a] * (point[b] - m->shift[b] - s->now.at[b]);
        }
    }
    gy_figure_carried(gas->model.bodies->figures + m->body, own, way);
    gy_rigid_times((const double(*)[3])s->now.turn, way, by);
    for (int a = 0; a < 3; a++) {
        velocity[a] += by[a] / s->dt;
    }
}

static bool finish_mover(gy_mover *m, int dim, int32_t surface, bool slip)
{
    m->slip = surface == GYRE_SURFACE_AS_GAS ? slip : surface == GYRE_SURFACE_SLIP;
    bool moves = m->deforms;
    for (int a = 0; a < 3; a++) {
        if (!gy_is_3d(dim)) {
            m->velocity[a] = a < 2 ? m->velocity[a] : 0.0;
            m->spin[a] = a < 2 ? 0.0 : m->spin[a];
        }
        moves = moves || m->velocity[a] != 0.0 || m->spin[a] != 0.0;
    }
    m->moves = moves;
    return moves;
}

/// One that moves as its pose says.
static gy_mover pose_mover(const gyre_gas *gas, const gyre_pose *pose, int32_t surface)
{
    static const double degree = 0.017453292519943295;
    gy_mover m = {.body = -1, .solid = -1, .sheet = -1};
    for (int a = 0; a < 3; a++) {
        m.centre[a] = (double)pose->position[a];
        m.velocity[a] = (double)pose->velocity[a];
        m.spin[a] = degree * (double)pose->spin[a];
    }
    finish_mover(&m, gas->extent.dim, surface, gas->def->solid_slip);
    return m;
}

static gy_mover solid_mover(const gyre_gas *gas, int index)
{
    const gyre_gas_solid *solid = (const gyre_gas_solid *)gas->def->solids.items + index;
    gy_mover m = pose_mover(gas, &solid->pose, solid->surface);
    m.solid = index;
    return m;
}

static void centre_of(const gy_pose *pose, const double own[3], double world[3])
{
    gy_pose_apply(pose, own, world);
}

/// A body of a set as it has come in the set's last step; before the first one by its velocities.
static gy_mover body_mover(const gyre_gas *gas, int k)
{
    const gyre_bodies *set = gas->model.bodies;
    const gy_set_state *s = set->states + k;
    const gy_figure *f = set->figures + k;
    static const double none[3];
    const double *own = f->volume > 0.0 ? f->centre : none;
    gy_mover m = {.body = k, .sheet = -1, .solid = -1};
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
    size_t points = 3 * (size_t)f->surface.point_count * sizeof(float);
    m.deforms = f->now && s->dt > 0.0 && memcmp(f->now, f->before, points) != 0;
    finish_mover(&m, 3, gy_set_body(set, k)->gas.surface, gas->def->solid_slip);
    return m;
}

static bool is_free(const gyre_bodies *set, int k)
{
    const gyre_body *b = gy_set_body(set, k);
    return b->enabled && b->motion == GYRE_MOTION_FREE;
}

/// What all movers are together.
typedef struct company {
    int count;
    bool active, any, mixed; // as in gy_gas_moving
} company;

static void join(const gyre_gas *gas, company *all, gy_mover *movers, gy_mover m)
{
    bool odd = m.slip != (int32_t)gas->def->solid_slip;
    all->any = all->any || m.moves;
    all->mixed = all->mixed || odd;
    // What pushes bodies that rest but may move is asked for.
    bool may = m.body >= 0 && gy_set_body(gas->model.bodies, m.body)->motion != GYRE_MOTION_HELD;
    all->active = all->active || m.moves || odd || may;
    if (movers) {
        movers[all->count] = m;
    }
    all->count++;
}

/// What reaches across periodic sides is several movers.
static void join_images(const gyre_gas *gas, company *all, gy_mover *movers, gy_mover m, int images,
                        double shifts[GY_GAS_IMAGES][3])
{
    gy_mover there = m;
    for (int q = 0; q < images; q++) {
        for (int a = 0; a < 3; a++) {
            there.shift[a] = shifts[q][a];
            there.centre[a] = m.centre[a] + shifts[q][a];
        }
        join(gas, all, movers, there);
    }
}

/// How solids move now, into `movers` (NULL: nowhere). If they are not active, nobody has to know.
static company list_movers(const gyre_gas *gas, gy_mover *movers)
{
    const gyre_gas_solid *solids = gas->def->solids.items;
    double shifts[GY_GAS_IMAGES][3];
    company all = {0};
    for (int i = 0; i < gas->def->solids.count; i++) {
        if (solids[i].enabled) {
            int images = gy_gas_solid_images(gas, i, shifts);
            join_images(gas, &all, movers, solid_mover(gas, i), images, shifts);
        }
    }
    for (int k = 0; k < gas->set.count; k++) {
        if (gas->set.bodies[k].enabled) {
            int images = gy_gas_images(gas, k, shifts);
            join_images(gas, &all, movers, body_mover(gas, k), images, shifts);
        }
    }
    if (gy_gas_has_floor(gas)) {
        // What it takes along is said by its drag alone.
        gy_mover m = {.body = -1, .solid = -1, .sheet = -1, .floor = 1, .slip = 1};
        m.moves = gy_gas_floor_moves(gas);
        join(gas, &all, movers, m);
    }
    const gyre_gas_sheet *sheets = gas->def->sheets.items;
    for (int i = 0; i < gas->def->sheets.count; i++) {
        if (sheets[i].enabled) {
            gy_mover m = pose_mover(gas, &sheets[i].pose, GYRE_SURFACE_AS_GAS);
            m.sheet = i;
            join(gas, &all, movers, m);
        }
    }
    return all;
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

static const gy_op with_moving[] = {GY_OP_meet, GY_OP_push, GY_OP_stick};

static gyre_result require_moving(const gyre_gas *gas)
{
    gyre_device *device = gas->model.device;
    gyre_result r =
        gy_device_require(device, "solids that move", with_moving, GY_COUNT(with_moving));
    return r == GYRE_OK && gas->def->half_scalars
               ? gy_device_require_halves(device, "half_scalars", with_moving, 1)
               : r;
}

/// Bytes of what the device has of each mover.
static size_t sum_bytes(const gy_gas_moving *m)
{
    return (size_t)m->room * 6 * sizeof *m->sums;
}
static size_t range_bytes(const gy_gas_moving *m)
{
    return (size_t)m->room * 2 * sizeof *m->ranges;
}

void gy_gas_drop_movers(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (m) {
        gy_gas_drop_meeting(gas);
        gy_gas_drop_hands(gas);
        gy_device_release(gas->model.device, m->fresh.items, m->fresh.bytes);
        gy_device_release(gas->model.device, m->faces, m->face_room);
        gy_device_release(gas->model.device, m->sums, sum_bytes(m));
        gy_device_release(gas->model.device, m->ranges, range_bytes(m));
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
    m->room = GY_MAX(count, (gy_pool_capacity(&gas->def->solids) + gas->set.room) *
                                    gy_gas_most_images(gas) +
                                gas->def->sheets.capacity + (gas->floor ? 1 : 0));
    size_t movers = (size_t)m->room * sizeof *m->movers;
    size_t pushes = (size_t)m->room * sizeof *m->pushes;
    size_t all = movers + pushes + sum_bytes(m) + range_bytes(m);
    m->movers = gy_allocate(&gas->host, movers, 64);
    m->pushes = gy_allocate(&gas->host, pushes, 64);
    m->sums = gy_device_allocate(gas->model.device, sum_bytes(m));
    m->ranges = gy_device_allocate(gas->model.device, range_bytes(m));
    if (!m->movers || !m->pushes || !m->sums || !m->ranges) {
        gy_gas_drop_movers(gas);
        return lacks(all);
    }
    memset(m->movers, 0, movers);
    memset(m->pushes, 0, pushes);
    return GYRE_OK;
}

gyre_result gy_gas_find_movers(gyre_gas *gas, bool *differ)
{
    company all = list_movers(gas, NULL);
    *differ = false;
    if (!all.active && !(gas->moving && gas->moving->active)) {
        return GYRE_OK;
    }
    gyre_result r = check_weights(gas);
    r = r == GYRE_OK ? require_moving(gas) : r;
    r = r == GYRE_OK ? take_movers(gas, all.count) : r;
    if (r != GYRE_OK) {
        return r;
    }
    gy_gas_moving *m = gas->moving;
    *differ = all.active != m->active || all.count != m->count;
    if (all.count != m->count) {
        memset(m->pushes, 0, (size_t)m->room * sizeof *m->pushes);
        m->due = 0;
    }
    uint64_t before = gy_hash(m->movers, (size_t)m->count * sizeof *m->movers, 0);
    list_movers(gas, m->movers);
    *differ = *differ || before != gy_hash(m->movers, (size_t)all.count * sizeof *m->movers, 0);
    m->count = all.count;
    m->active = all.active;
    m->any = all.any;
    m->mixed = all.mixed;
    return GYRE_OK;
}

// ---- what passes them ---------------------------------------------------------------------------

bool gy_gas_is_mixed(const gyre_gas *gas)
{
    return gas->moving && gas->moving->active && gas->moving->mixed;
}

bool gy_gas_is_stirred(const gyre_gas *gas)
{
    return gas->moving && gas->moving->active && gas->moving->any;
}

bool gy_gas_flows_round(const gyre_gas *gas)
{
    const gy_gas_moving *m = gas->moving;
    double taken = m->squeezed < 0.0 ? -m->squeezed : m->squeezed;
    return gas->open_sides != 0 || gy_gas_carried(gas->def) != 0 || taken <= 1e-3 * m->passed;
}

double gy_gas_stirred_energy(const gyre_gas *gas, float pace)
{
    return gy_gas_is_stirred(gas) ? (double)pace * gas->moving->brought : 0.0;
}

double gy_gas_squeezed(const gyre_gas *gas)
{
    double h = (double)gas->grid.h;
    return gy_gas_is_stirred(gas)
               ? gas->moving->squeezed * h * (gy_is_3d(gas->extent.dim) ? h : 1.0)
               : 0.0;
}

// ---- what it does to them -----------------------------------------------------------------------

/// Movers whose sums come to the host at once, see gy_device_prefetch.
enum { AT_ONCE = 5, SUMS = 6, MOST_ASKED = 8 };

/// Calls for the sums of all movers, so many at once; `most` times at most.
static void each_sums(gyre_gas *gas, int count, int most,
                      void call(gyre_device *device, const void *at, size_t bytes))
{
    const gy_gas_moving *m = gas->moving;
    for (int q = 0; q < count && q < most * AT_ONCE; q += AT_ONCE) {
        call(gas->model.device, m->sums + (ptrdiff_t)SUMS * q,
             (size_t)GY_MIN(AT_ONCE, count - q) * SUMS * sizeof(double));
    }
}

void gy_gas_settle_pushes(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (!m || m->due == 0) {
        return;
    }
    each_sums(gas, m->due, m->due, gy_device_collect);
    for (int q = m->due - 1; q >= 0; q--) {
        // What images of a solid are pushed by all goes to the first of them.
        int to = m->pushes[q].owner;
        for (int a = 0; a < SUMS && to != q; a++) {
            m->sums[SUMS * (q - 1) + a] += m->sums[SUMS * q + a];
            m->sums[SUMS * q + a] = 0.0;
        }
    }
    for (int q = 0; q < m->due; q++) {
        for (int a = 0; a < 3; a++) {
            m->pushes[q].force[a] = m->unit * m->sums[SUMS * q + a];
            m->pushes[q].torque[a] = m->unit * m->sums[SUMS * q + 3 + a];
        }
    }
    m->due = 0;
}

void gy_gas_begin_pushes(gyre_gas *gas, float dt)
{
    gy_gas_moving *m = gas->moving;
    if (!m || m->count == 0) {
        return;
    }
    m->weighed = false; // as in a gas that was just loaded
    if (!(dt > 0.0f)) {
        gy_gas_settle_pushes(gas); // those of the last step stay
    }
    gy_device_clear(gas->model.device, m->sums, (size_t)m->count * SUMS * sizeof *m->sums);
    m->due = 0;
}

void gy_gas_end_pushes(gyre_gas *gas, float dt)
{
    gy_gas_moving *m = gas->moving;
    if (m) {
        m->weighed = false;
    }
    if (!m || !m->active || !(dt > 0.0f)) {
        return;
    }
    double h = (double)gas->grid.h, rho = (double)gas->def->air_density;
    // phi is a velocity times a cell: its product with the area of a face and h is an impulse.
    m->unit = rho * h * h * (gy_is_3d(gas->extent.dim) ? h : 1.0) / (double)dt;
    m->due = m->count;
    for (int q = 0; q < m->count; q++) {
        const gy_mover *own = &m->movers[q], *last = &m->movers[GY_MAX(q - 1, 0)];
        bool more = q > 0 && ((own->body >= 0 && own->body == last->body) ||
                              (own->solid >= 0 && own->solid == last->solid));
        m->pushes[q].owner = more ? m->pushes[q - 1].owner : q;
    }
    each_sums(gas, m->due, MOST_ASKED, gy_device_prefetch);
}

gyre_result gy_gas_push_bodies(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    gyre_bodies *set = gas->model.bodies;
    gyre_result r = GYRE_OK;
    for (int q = 0; m && q < m->due && r == GYRE_OK && gas->def->air_density > 0.0f; q++) {
        int k = m->movers[q].body, due = m->due;
        if (k < 0 || m->pushes[q].owner != q || !is_free(set, k)) {
            continue;
        }
        gy_gas_settle_pushes(gas);
        float force[3], torque[3];
        for (; q < due && r == GYRE_OK; q++) {
            k = m->movers[q].body;
            for (int a = 0; a < 3; a++) {
                force[a] = (float)m->pushes[q].force[a];
                torque[a] = (float)m->pushes[q].torque[a];
            }
            if (k >= 0 && m->pushes[q].owner == q && is_free(set, k)) {
                r = gyre_bodies_push(set, gyre_bodies_element(set, k), force, torque);
            }
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
    for (int q = 0; m && m->active && q < m->count && *mover < 0; q++) {
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
    gy_device_enter(gas->model.device);
    gyre_result r = find_push(gas, id, &mover);
    if (r == GYRE_OK && mover >= 0) {
        gy_gas_settle_pushes(gas);
        memcpy(push->force, gas->moving->pushes[mover].force, sizeof push->force);
        memcpy(push->torque, gas->moving->pushes[mover].torque, sizeof push->torque);
    }
    gy_device_leave(gas->model.device);
    return r;
}
