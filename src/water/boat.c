// water/boat.c: what a boat has besides its hull: a propeller, a rudder, a keel.
//
// The propeller pushes along the boat's own x axis at its place. Rudder and keel are plates on
// edge: in water that comes with the velocity w against a plate of area A and unit normal n,
//
//     F = rho / 2 A C |w| (w . n) n,
//
// which at small angles is the lift of a wing, in a cross flow its drag, and which never feeds a
// motion. C is 6.13 L / (L + 2.25) after Fujii (1960), as manoeuvring models have it: 2.45 for a
// rudder of aspect ratio L = 1.5; of the keel, low and long, 1. A keel is eight such plates along
// its length, so that it resists a turn, too. The water's velocity is the mean round the boat; a
// propeller's race is not in it. The keel acts at the height of the centre of mass (no heel) while
// the boat floats, the two others where they are under the surface. Cost: nine plates a substep.
#include "base/maths.h"
#include "body/rigid.h"
#include "water/form.h"

enum { STRIPS = 8 };

typedef struct boat {
    const gy_water_surface *surf;
    const gy_pose *pose;
    const double *v, *spin;
    double mass, inertia[3]; // kg, kg m^2 about its own axes
    double dt;               // s
    gy_body_load *load;
    int plates;
} boat;

static void turn(const gy_pose *pose, const double own[3], double world[3])
{
    for (int a = 0; a < 3; a++) {
        world[a] =
            pose->turn[a][0] * own[0] + pose->turn[a][1] * own[1] + pose->turn[a][2] * own[2];
    }
}

static void push(boat *b, const double arm[3], const double force[3])
{
    double *torque = b->load->torque;
    for (int a = 0; a < 3; a++) {
        b->load->force[a] += force[a];
    }
    torque[0] += arm[1] * force[2] - arm[2] * force[1];
    torque[1] += arm[2] * force[0] - arm[0] * force[2];
    torque[2] += arm[0] * force[1] - arm[1] * force[0];
}

/// A plate at `at` whose normal is turned by `angle` from the boat's own y, both in its own frame.
static void plate(boat *b, const double at[3], double angle, double area, double coefficient)
{
    double arm[3], normal[3], w[3], force[3], s = (double)gy_sinf((float)angle);
    const double own[3] = {-s, (double)gy_cosf((float)angle), 0.0};
    turn(b->pose, at, arm);
    turn(b->pose, own, normal);
    const double *spin = b->spin, *load = b->load->velocity;
    w[0] = load[0] - (b->v[0] + spin[1] * arm[2] - spin[2] * arm[1]);
    w[1] = load[1] - (b->v[1] + spin[2] * arm[0] - spin[0] * arm[2]);
    w[2] = -(b->v[2] + spin[0] * arm[1] - spin[1] * arm[0]);
    double against = w[0] * normal[0] + w[1] * normal[1] + w[2] * normal[2];
    double speed = __builtin_sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double rate = 0.5 * (double)b->surf->density * area * coefficient * speed; // kg/s
    // How readily a push there moves the place: all plates together must not turn a velocity round
    // within a step.
    const double lever[3] = {at[1] * own[2] - at[2] * own[1], at[2] * own[0] - at[0] * own[2],
                             at[0] * own[1] - at[1] * own[0]};
    double give = 1.0 / b->mass;
    for (int a = 0; a < 3; a++) {
        give += lever[a] * lever[a] / b->inertia[a];
    }
    rate = GY_MIN(rate, 1.0 / (give * b->dt * b->plates));
    for (int a = 0; a < 3; a++) {
        force[a] = rate * against * normal[a];
    }
    push(b, arm, force);
}

/// Whether a place of the boat's own frame is in the water.
static bool under(const boat *b, const float at[3])
{
    const double own[3] = {(double)at[0], (double)at[1], (double)at[2]};
    double arm[3];
    turn(b->pose, own, arm);
    return b->pose->at[2] + arm[2] <= b->load->surface;
}

void gy_boat_push(const gy_water_surface *surf, const gyre_water_body *body, const gy_pose *pose,
                  const double v[3], const double spin[3], double mass, const gy_form *form,
                  double dt, gy_body_load *load)
{
    const double degree = 0.017453292519943295;
    bool has = body->thrust != 0.0f || body->rudder_area > 0.0f || body->keel_area > 0.0f;
    if (!has || !load->wet || !(load->volume > 0.0)) {
        return;
    }
    double at[3], arm[3], force[3];
    boat b = {.surf = surf, .pose = pose, .v = v, .spin = spin, .dt = dt, .load = load};
    b.mass = mass;
    b.plates = STRIPS + 1;
    for (int a = 0; a < 3; a++) {
        b.inertia[a] = form->inertia[a][a] * (double)body->density;
        at[a] = (double)body->rudder_at[a];
    }
    if (body->rudder_area > 0.0f && under(&b, body->rudder_at)) {
        plate(&b, at, -degree * (double)body->rudder, (double)body->rudder_area, 2.45);
    }
    for (int k = 0; k < STRIPS && body->keel_area > 0.0f; k++) {
        const double strip[3] = {(double)body->keel_length * ((k + 0.5) / STRIPS - 0.5), 0.0, 0.0};
        plate(&b, strip, 0.0, (double)body->keel_area / STRIPS, 1.0);
    }
    if (body->thrust == 0.0f || !under(&b, body->propeller)) {
        return;
    }
    const double own[3] = {(double)body->propeller[0], (double)body->propeller[1],
                           (double)body->propeller[2]};
    const double ahead[3] = {(double)body->thrust, 0.0, 0.0};
    turn(pose, own, arm);
    turn(pose, ahead, force);
    push(&b, arm, force);
}
