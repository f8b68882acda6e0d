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
// passes over it by projections and by whatever changes velocities (1 ns a face).
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
        if (dim == 2) {
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

/// On a device with memory of its own solids rest: what is here is done by the host.
static gyre_result check_device(const gyre_gas *gas)
{
    static const char why[] = "which the gas takes on the device cpu alone so far, not on one with "
                              "memory of its own";
    static const char other[] = "surface: other than the gas's solid_slip";
    const gyre_gas_solid *solids = gas->def->solids.items;
    for (int i = 0; i < gas->def->solids.count; i++) {
        gy_mover m = solid_mover(gas, i);
        bool odd = m.slip != (int32_t)gas->def->solid_slip;
        if (solids[i].enabled && (m.moves || odd)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "solids.%.31s%s%s, %s", solids[i].name,
                             odd ? "." : "", odd ? other : ": has a velocity", why);
        }
    }
    for (int k = 0; k < gas->set.count; k++) {
        gy_mover m = body_mover(gas, k);
        bool odd = m.slip != (int32_t)gas->def->solid_slip;
        if (gas->set.bodies[k].enabled && (m.moves || odd)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies.%.31s%s%s, %s",
                             gy_set_body(gas->model.bodies, k)->name, odd ? ".gas." : "",
                             odd ? other : ": moves", why);
        }
    }
    return GYRE_OK;
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

/// A body is several movers where it reaches across periodic sides.
static void join_images(const gyre_gas *gas, company *all, gy_mover *movers, int k)
{
    double shifts[GY_GAS_IMAGES][3];
    int images = gy_gas_images(gas, k, shifts);
    gy_mover m = body_mover(gas, k), there = m;
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
    company all = {0};
    for (int i = 0; i < gas->def->solids.count; i++) {
        if (solids[i].enabled) {
            join(gas, &all, movers, solid_mover(gas, i));
        }
    }
    for (int k = 0; k < gas->set.count; k++) {
        if (gas->set.bodies[k].enabled) {
            join_images(gas, &all, movers, k);
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
    m->room = GY_MAX(count, gy_pool_capacity(&gas->def->solids) +
                                gas->set.room * gy_gas_most_images(gas) +
                                gas->def->sheets.capacity + (gas->floor ? 1 : 0));
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
    company all = list_movers(gas, NULL);
    *differ = false;
    if (!all.active && !(gas->moving && gas->moving->active)) {
        return GYRE_OK;
    }
    if (gy_device_has_own_memory(gas->model.device)) {
        return check_device(gas);
    }
    gyre_result r = check_weights(gas);
    r = r == GYRE_OK ? take_movers(gas, all.count) : r;
    if (r != GYRE_OK) {
        return r;
    }
    gy_gas_moving *m = gas->moving;
    *differ = all.active != m->active || all.count != m->count;
    if (all.count != m->count) {
        memset(m->pushes, 0, (size_t)m->room * sizeof *m->pushes);
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
        if (f->axis != field || !mover->moves) {
            q = f->run - 1;
        } else if ((f->shut >= 1.0f || mover->sheet >= 0)) {
            u[f->sample] = f->velocity;
        }
    }
    if (m->viscous) {
        gy_gas_mirror(gas, field);
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
    m->squeezed = m->passed = 0.0;
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        if (m->movers[f->mover].moves) {
            float flow = f->shut * f->velocity;
            change += forget_swelling(d, b, f->below, f->cell[0]);
            change += forget_swelling(d, b, f->above, f->cell[1]);
            change += add_to(b, f->below, -flow) + add_to(b, f->above, flow);
            m->passed += (double)(flow < 0.0f ? -flow : flow);
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
    for (int q = 0; q < m->face_count;) {
        const int a = m->faces[q].axis, b = (a + 1) % 3, c = (a + 2) % 3, end = m->faces[q].run;
        gy_gas_push *to = &m->pushes[m->faces[q].mover];
        double impulse = to->impulse[a], one = to->twist[b], other = to->twist[c];
        for (; q < end; q++) {
            const gy_gas_face *f = &m->faces[q];
            double below = f->below >= 0 ? (double)p[f->below] : 0.0;
            double above = f->above >= 0 ? (double)p[f->above] : 0.0;
            double push = (double)factor * (double)f->shut * (below - above);
            impulse += push;
            // r x F of a force along a: (.., r_c F at b, -r_b F at c).
            one += (double)f->arm[1] * push;
            other -= (double)f->arm[0] * push;
        }
        to->impulse[a] = impulse;
        to->twist[b] = one;
        to->twist[c] = other;
    }
}

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
    return gas->open_sides != 0 || taken <= 1e-3 * m->passed;
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
    for (int q = m->count - 1; q > 0; q--) {
        // What images of a body are pushed by all goes to the first of them.
        if (m->movers[q].body >= 0 && m->movers[q].body == m->movers[q - 1].body) {
            for (int a = 0; a < 3; a++) {
                m->pushes[q - 1].impulse[a] += m->pushes[q].impulse[a];
                m->pushes[q - 1].twist[a] += m->pushes[q].twist[a];
                m->pushes[q].impulse[a] = m->pushes[q].twist[a] = 0.0;
            }
        }
    }
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
        bool first = q == 0 || m->movers[q - 1].body != k;
        if (k >= 0 && first && is_free(gas->model.bodies, k) && rho > 0.0) {
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
    gyre_result r = find_push(gas, id, &mover);
    if (r == GYRE_OK && mover >= 0) {
        memcpy(push->force, gas->moving->pushes[mover].force, sizeof push->force);
        memcpy(push->torque, gas->moving->pushes[mover].torque, sizeof push->torque);
    }
    return r;
}
