// The motion of bodies: symplectic Euler in steps short against the time in which they heave and
// roll. Momentum is kept as velocity and angular momentum (so that a spinning body tumbles as it
// should); drag and damping are taken implicitly, which cannot overshoot.
//
// Added mass moves with the body: the inertia is m + added_mass * rho * V, V what is submerged, and
// turning is made harder in the same ratio. In heave the period is then 2 pi sqrt((m + m_a) / k),
// k = rho g times the area of the water line.
//
// A body on the bed is held up where it touches, softly and without bounce; one at the edge of the
// domain, or over cells that are cut out, is pushed back. Bodies do not collide with each other.
// A drifting body takes on the velocity of the water at its place, as fast as it would heave; going
// with the waves' own motion gives Stokes drift by itself, to second order in their slope.
#include "base/maths.h"
#include "body/rigid.h"
#include "water/form.h"
#include <string.h>

enum { MOST_STEPS = 16 };

typedef struct motion {
    gy_pose pose;
    double v[3], spin[3]; // rad/s
    double mass;
    const gy_form *form;
    const gyre_water_body *body;
    double weight[3];           // N
    double force[3], torque[3]; // N, N m: others' than the water's
    // Of one that another moves: in how long a time it is moved at once (s), its ways and turns
    // (sums of velocities times dt), what else has changed its place, and whether water or ground
    // was met.
    double span, moved[3], turned[3], shift[3];
    bool met;
} motion;

/// The inertia about the centre of mass in world axes, times `scale`.
static void inertia_of(const motion *m, double scale, double to[3][3])
{
    gy_rigid_inertia(&m->pose, (const double(*)[3])m->form->inertia,
                     scale * (double)m->body->density, to);
}

/// The greatest angle (rad) that heave or roll of a body that another moves may take in one step.
static const double most_phase = 2.5;

/// Steps that the body needs in dt, by the stiffness of heave and of roll.
static int steps_for(const gy_water_surface *surf, const motion *m, const gy_body_load *load,
                     double dt)
{
    double push = (double)surf->density * (double)surf->gravity;
    double heave = push * GY_MAX(load->cut, 0.0) / m->mass, least = 1e300;
    for (int a = 0; a < 3; a++) {
        least = GY_MIN(least, m->form->inertia[a][a] * (double)m->body->density);
    }
    double roll = push * (GY_MAX(load->cut_square, 0.0) + load->volume * m->form->reach) / least;
    double steps = dt * __builtin_sqrt(GY_MAX(heave, roll)) / 0.3;
    return steps < MOST_STEPS ? 1 + (int)steps : MOST_STEPS;
}

static void push_linear(const gy_water_surface *surf, motion *m, const gy_body_load *load,
                        double dt)
{
    const gyre_water_body *body = m->body;
    double added = (double)body->added_mass * load->volume * (double)surf->density, rate[2];
    double inertia = m->mass + added;
    gy_load_drag(surf, body, load, m->v, rate);
    // A body so light that even the shortest step is long for it is made heavier.
    double time = GY_MAX(dt, m->span / most_phase);
    double stiff =
        (double)surf->density * (double)surf->gravity * GY_MAX(load->cut, 0.0) * time * time;
    for (int a = 0; a < 3; a++) {
        double force = load->force[a] + m->force[a];
        force += m->weight[a];
        m->v[a] += dt * force / (a == 2 ? GY_MAX(inertia, stiff) : inertia);
        double water = a < 2 ? load->velocity[a] : 0.0;
        double drag = dt * rate[a == 2] / inertia;
        if (a < 2 && body->drift && load->volume > 0.0) {
            double draft = load->volume / GY_MAX(load->cut, 0.1 * m->form->reach * m->form->reach);
            drag += dt * (double)gy_sqrtf((float)((double)surf->gravity / draft));
        }
        m->v[a] = (m->v[a] + drag * water) / (1.0 + drag);
    }
}

/// Impulses upwards where the body touches the bed or would within the step, found one after
/// another a few times over: no place goes deeper, and what is sunk rises slowly.
static void press(const gy_water_surface *surf, motion *m, const gy_body_load *load,
                  const double inverse[3][3], double dt)
{
    double sum[GY_BODY_TOUCHES] = {0.0}, h = (double)surf->grid->h;
    for (int k = 0; k < 10 * GY_BODY_TOUCHES; k++) {
        const double *t = load->touch[k % GY_BODY_TOUCHES];
        double depth = t[4], arm[3] = {t[2], -t[1], 0.0}, turn[3]; // (x, y, z) x (0, 0, 1)
        double rise = 0.2 * GY_MAX(depth - 0.01 * h, 0.0);
        double least = GY_MIN((depth < 0.0 ? depth : GY_MIN(rise, h)) / dt, 1.0);
        gy_rigid_times(inverse, arm, turn);
        double speed = m->v[2] + m->spin[0] * t[2] - m->spin[1] * t[1];
        double give = 1.0 / m->mass + arm[0] * turn[0] + arm[1] * turn[1];
        double more = (least - speed) / give, all = GY_MAX(sum[k % GY_BODY_TOUCHES] + more, 0.0);
        more = all - sum[k % GY_BODY_TOUCHES];
        sum[k % GY_BODY_TOUCHES] = all;
        m->v[2] += more / m->mass;
        for (int a = 0; a < 3; a++) {
            m->spin[a] += more * turn[a];
        }
    }
}

static void push_angular(const gy_water_surface *surf, motion *m, const gy_body_load *load,
                         double dt, double momentum[3])
{
    const gyre_water_body *body = m->body;
    double share = load->volume * (double)surf->density / m->mass, inertia[3][3], inverse[3][3];
    double least = 1e300;
    double scale = 1.0 + (double)body->added_mass * share;
    for (int a = 0; a < 3; a++) {
        least = GY_MIN(least, m->form->inertia[a][a] * (double)body->density * scale);
    }
    double time = GY_MAX(dt, m->span / most_phase);
    double stiff = (double)surf->density * (double)surf->gravity * time * time *
                   (GY_MAX(load->cut_square, 0.0) + load->volume * m->form->reach);
    scale *= stiff > least ? stiff / least : 1.0;
    inertia_of(m, scale, inertia);
    gy_rigid_times((const double(*)[3])inertia, m->spin, momentum);
    for (int a = 0; a < 3; a++) {
        momentum[a] += dt * (load->torque[a] + m->torque[a]);
    }
    double slow = (double)surf->gravity / m->form->reach;
    double damp = 0.5 * (double)body->drag * (share < 1.0 ? share : 1.0) * __builtin_sqrt(slow);
    damp += load->sunk > 0.0 ? 1.0 : 0.0;
    for (int a = 0; a < 3; a++) {
        momentum[a] /= 1.0 + dt * damp;
    }
    gy_rigid_invert((const double(*)[3])inertia, inverse);
    gy_rigid_times((const double(*)[3])inverse, momentum, m->spin);
    if (load->touching) {
        press(surf, m, load, (const double(*)[3])inverse, dt);
        gy_rigid_times((const double(*)[3])inertia, m->spin, momentum);
    }
    for (int a = 0; a < 3; a++) {
        m->spin[a] = GY_MAX(GY_MIN(m->spin[a], 1e3), -1e3);
    }
    const double by[3] = {dt * m->spin[0], dt * m->spin[1], dt * m->spin[2]};
    for (int a = 0; a < 3; a++) {
        m->turned[a] += by[a];
    }
    gy_rigid_rotate(&m->pose, by);
    inertia_of(m, scale, inertia);
    gy_rigid_invert((const double(*)[3])inertia, inverse);
    gy_rigid_times((const double(*)[3])inverse, momentum, m->spin);
}

/// The lowest bed of all that has memory.
static double lowest_bed(const gy_water_surface *surf)
{
    float lowest = 1e6f;
    for (int slot = 0; slot < surf->tiles->slots; slot++) {
        const float *bed = gy_tile_array(surf->tiles, slot, GY_WATER_BED);
        for (int k = 0; k < GY_TILE_AREA && surf->tiles->tile[slot] >= 0; k++) {
            lowest = GY_MIN(lowest, bed[k]);
        }
    }
    return lowest < 1e6f ? (double)lowest : 0.0;
}

/// Bed, land and the domain's edges.
static void keep_inside(const gy_bodies *b, const gy_water_surface *surf, motion *m,
                        const gy_body_load *load, double dt)
{
    double low[3], high[3], h = (double)surf->grid->h;
    if (load->sunk > 0.0) {
        m->v[0] /= 1.0 + 3.0 * dt;
        m->v[1] /= 1.0 + 3.0 * dt;
        m->pose.at[2] += GY_MAX(load->sunk - h, 0.0);
    }
    double in = m->v[0] * load->ashore[0] + m->v[1] * load->ashore[1];
    gy_form_bounds(m->form, &m->pose, low, high);
    for (int a = 0; a < 2; a++) {
        m->v[a] -= GY_MIN(in, 0.0) * load->ashore[a];
        m->pose.at[a] += 0.1 * h * load->ashore[a];
        double edge = (double)surf->grid->origin[a], far = edge + surf->grid->n[a] * h;
        if (surf->grid->n[a] == 1 || gy_body_is_joined(b, m->form, a)) {
            continue; // one-dimensional, or joined: no sides
        }
        double below = edge - low[a], above = high[a] - far;
        if (below > 0.0 && above > 0.0) {
            continue; // larger than the domain
        }
        if (below > 0.0) {
            m->v[a] = GY_MAX(m->v[a], 0.0);
            m->pose.at[a] += below > h ? below - 0.7 * h : 0.3 * below;
        } else if (above > 0.0) {
            m->v[a] = GY_MIN(m->v[a], 0.0);
            m->pose.at[a] -= above > h ? above - 0.7 * h : 0.3 * above;
        }
    }
    if (!load->ground && m->v[2] < 0.0) {
        double floor = lowest_bed(surf) + m->pose.at[2] - low[2];
        if (m->pose.at[2] < floor) {
            m->pose.at[2] = floor;
            m->v[2] = 0.0;
        }
    }
    m->pose.at[2] = GY_MAX(GY_MIN(m->pose.at[2], 1e6), -1e6);
}

static void write_back(const motion *m, gyre_pose *pose)
{
    bool turned = false;
    for (int a = 0; a < 3; a++) {
        pose->position[a] = (float)m->pose.at[a];
        pose->velocity[a] = (float)m->v[a];
        turned = turned || m->spin[a] != 0.0 || pose->spin[a] != 0.0f;
        pose->spin[a] = (float)(m->spin[a] * 57.29577951308232);
    }
    if (turned) {
        gy_pose_degrees(&m->pose, pose->rotation);
    }
    if (turned && gy_is_oriented(pose->orientation)) {
        gy_pose_orientation(&m->pose, pose->orientation, pose->orientation);
    }
}

static void move_free(gy_bodies *b, const gy_water_surface *surf, const gyre_water_body *body,
                      const gy_form *form, const gy_kept *kept, motion *m, double dt)
{
    gy_body_load load;
    // Its place and its turn, which come first.
    bool same = kept->valid && memcmp(&kept->pose, &body->pose, offsetof(gyre_pose, velocity)) == 0;
    gy_load_make(b, surf, form, &m->pose, same ? kept : NULL, same, &load);
    int steps = steps_for(surf, m, &load, dt);
    for (int s = 0; s < steps; s++) {
        double part = dt / steps, momentum[3];
        if (s > 0) {
            gy_load_make(b, surf, form, &m->pose, same ? kept : NULL, false, &load);
        }
        gy_boat_push(surf, body, &m->pose, m->v, m->spin, m->mass, form, part, &load);
        push_linear(surf, m, &load, part);
        for (int a = 0; a < 3; a++) {
            m->v[a] = GY_MAX(GY_MIN(m->v[a], 1e3), -1e3);
        }
        push_angular(surf, m, &load, part, momentum);
        double at[3], v[3];
        for (int a = 0; a < 3; a++) {
            m->pose.at[a] += part * m->v[a];
            at[a] = m->pose.at[a];
            v[a] = m->v[a];
        }
        keep_inside(b, surf, m, &load, part);
        m->met = m->met || load.volume > 0.0 || load.touching;
        for (int a = 0; a < 3; a++) {
            m->moved[a] += part * m->v[a];
            m->shift[a] += m->pose.at[a] - at[a];
            m->met = m->met || m->pose.at[a] != at[a] || m->v[a] != v[a];
        }
    }
}

static motion motion_of(const gy_bodies *b, const gyre_water_body *body, const gy_form *form)
{
    motion m = {.form = form, .body = body, .mass = form->volume * (double)body->density};
    gy_pose_of(&body->pose, &m.pose);
    gy_body_bring_in(b, form, &m.pose);
    return m;
}

bool gy_bodies_is_late(const gy_bodies *b, int index)
{
    return b->kept[index].late;
}

void gy_bodies_move(gy_bodies *b, const gy_water_surface *surf, gyre_pool *pool, float dt,
                    bool late)
{
    gyre_water_body *body = pool->items;
    for (int n = 0; n < pool->count && n < b->most; n++, body++) {
        const gy_form *form = b->forms + n;
        if (!body->enabled || !form->ready || !(dt > 0.0f) || b->kept[n].late != late) {
            continue;
        }
        motion m = motion_of(b, body, form);
        for (int a = 0; a < 3; a++) {
            m.v[a] = (double)body->pose.velocity[a];
            m.spin[a] = (double)body->pose.spin[a] / 57.29577951308232;
            m.force[a] = (double)body->force[a];
            m.torque[a] = (double)body->torque[a];
        }
        m.weight[0] = m.weight[1] = -0.0; // what is added keeps its sign, of 0 too
        m.weight[2] = -(m.mass * (double)surf->gravity);
        if (body->held) {
            double by[3];
            for (int a = 0; a < 3; a++) {
                double to = m.pose.at[a] + (double)dt * m.v[a];
                m.pose.at[a] = GY_MAX(GY_MIN(to, 1e6), -1e6);
                by[a] = (double)dt * m.spin[a];
            }
            gy_rigid_rotate(&m.pose, by);
        } else {
            move_free(b, surf, body, form, b->kept + n, &m, (double)dt);
        }
        gy_body_bring_in(b, form, &m.pose);
        write_back(&m, &body->pose);
    }
}

void gy_bodies_push(gy_bodies *b, const gy_water_surface *surf, const gyre_pool *pool, int index,
                    float dt, gy_body_push *push)
{
    const double most_back = 0.5; // m/s, into the domain or out of the bed
    const gyre_water_body *body = (const gyre_water_body *)pool->items + index;
    const gy_form *form = b->forms + index;
    double seconds = (double)dt, inertia[3][3], turn[3];
    motion m = motion_of(b, body, form), start = m;
    m.span = seconds;
    for (int a = 0; a < 3; a++) {
        m.v[a] = push->velocity[a];
        m.spin[a] = push->spin[a];
        m.weight[a] = m.mass * push->gravity[a];
        m.force[a] = push->force[a];
        m.torque[a] = push->torque[a];
        push->by[a] = push->turn[a] = 0.0;
    }
    move_free(b, surf, body, form, b->kept + index, &m, seconds);
    if (!m.met) {
        return;
    }
    inertia_of(&start, 1.0, inertia);
    for (int a = 0; a < 3; a++) {
        double v = m.moved[a] / seconds, back = m.shift[a] / seconds;
        back = GY_MAX(GY_MIN(back, most_back), -most_back);
        v = back > 0.0 ? GY_MAX(v, back) : back < 0.0 ? GY_MIN(v, back) : v;
        push->by[a] = m.mass * (v - push->velocity[a]) / seconds - m.weight[a] - m.force[a];
        turn[a] = m.turned[a] / seconds - push->spin[a];
    }
    gy_rigid_times((const double(*)[3])inertia, turn, push->turn);
    for (int a = 0; a < 3; a++) {
        push->turn[a] = push->turn[a] / seconds - m.torque[a];
    }
}

void gy_bodies_forget(gy_bodies *b)
{
    gy_cells_clear(b);
}
