// Bodies of a gas at its sides: across a periodic seam, larger than the domain, nowhere.
// labels: small
#include "body_set_rig.h"
#include "gas/gas.h"

typedef struct flight {
    gyre_device *device;
    gyre_gas *gas;
    gyre_bodies *set;
    gyre_id ball;
} flight;

/// A ball of radius 4 in a periodic gas of 24 x 20 x 16 cells of 1 m, full of smoke.
static flight fly(const gyre_body *body)
{
    flight f = {0};
    gyre_device_def d = gyre_default_device_def();
    gyre_gas_def def = gyre_gas_default_def(3);
    d.threads = 1;
    must(gyre_device_create(&d, &f.device));
    for (int a = 0; a < 3; a++) {
        def.grid.n[a] = 24 - 4 * a;
    }
    def.grid.h = 1.0f;
    memset(def.gravity, 0, sizeof def.gravity);
    def.air_density = 1.0f;
    def.viscosity = 0.5f;
    def.solid_slip = false;
    def.pressure.tolerance = def.diffusion.tolerance = 1e-6f;
    def.pressure.max_cycles = 40;
    gyre_gas_side *sides = &def.sides.x_low;
    for (int s = 0; s < 6; s++) {
        sides[s].rule = GYRE_GAS_SIDE_PERIODIC;
    }
    must(gyre_gas_create(f.device, &def, &f.gas));
    f.set = set_of();
    must(gyre_bodies_set_gravity(f.set, (const float[3]){0, 0, 0}));
    f.ball = added(f.set, body);
    must(gyre_model_use_bodies(gyre_gas_model(f.gas), f.set));
    gyre_field_view v;
    must(gyre_gas_map(f.gas, gyre_gas_field(f.gas, "density"), GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                v.data[i + j * v.stride[1] + k * v.stride[2]] = 1.0f;
            }
        }
    }
    must(gyre_gas_unmap(f.gas, gyre_gas_field(f.gas, "density")));
    return f;
}

static void go(flight *f, float dt)
{
    must(gyre_gas_step(f->gas, dt));
    must(gyre_bodies_step(f->set, dt));
}

static void land(flight *f)
{
    must(gyre_model_use_bodies(gyre_gas_model(f->gas), NULL));
    gyre_bodies_destroy(f->set);
    gyre_gas_destroy(f->gas);
    gyre_device_destroy(f->device);
}

static gyre_body ball_at(float x, float y, float z)
{
    gyre_body ball = gyre_bodies_default_body();
    ball.form.kind = GYRE_FORM_SPHERE;
    ball.form.as.sphere.radius = 4.0f;
    ball.density = 8.0f;
    ball.pose.position[0] = x;
    ball.pose.position[1] = y;
    ball.pose.position[2] = z;
    return ball;
}

/// Wherever the seam lies, what happens is the same: in the middle, across one side, across three,
/// whole domains away.
static void a_seam_is_no_place(void **state)
{
    (void)state;
    // By eight cells each, so that coarse levels of the solver lie as they did.
    static const float places[5][3] = {{12.3f, 10.2f, 8.4f},
                                       {20.3f, 10.2f, 8.4f},
                                       {12.3f, 10.2f, 16.4f},
                                       {12.3f + 24 * 3, 10.2f - 40, 8.4f},
                                       {20.3f - 24, 18.2f, 0.4f}};
    gyre_gas_push push[5];
    double volume[5], energy[5];
    for (int q = 0; q < 5; q++) {
        gyre_body ball = ball_at(places[q][0], places[q][1], places[q][2]);
        ball.motion = GYRE_MOTION_FREE;
        ball.pose.velocity[0] = 0.8f;
        ball.pose.velocity[1] = 0.3f;
        ball.pose.spin[2] = 20.0f;
        flight f = fly(&ball);
        for (int n = 0; n < 6; n++) {
            go(&f, 1.0f);
        }
        must(gyre_gas_read_push(f.gas, f.ball, &push[q]));
        volume[q] = (double)f.gas->fluid_cells;
        energy[q] = gyre_gas_get_stats(f.gas).kinetic_energy;
        printf("at %g %g %g: force %.5f %.5f, torque %.5f, %g cells, energy %.5f\n",
               (double)places[q][0], (double)places[q][1], (double)places[q][2], push[q].force[0],
               push[q].force[1], push[q].torque[2], volume[q], energy[q]);
        double off = fmax(fabs(push[q].force[0] - push[0].force[0]),
                          fabs(push[q].force[1] - push[0].force[1]));
        near("cells", volume[q], volume[0], 4.0);
        near("force", off / fabs(push[0].force[0]), 0.0, q == 3 ? 1e-3 : 0.04);
        near("torque", push[q].torque[2] / push[0].torque[2], 1.0, q == 3 ? 1e-3 : 0.02);
        near("energy", energy[q] / energy[0], 1.0, q == 3 ? 1e-3 : 0.02);
        land(&f);
    }
}

/// Ten cells a step, again and again across the seam: the total stays and nothing is inside.
static void a_jump_across_it(void **state)
{
    (void)state;
    gyre_body ball = ball_at(5.3f, 9.8f, 8.2f);
    ball.pose.velocity[0] = 10.0f;
    flight f = fly(&ball);
    int density = gyre_gas_field(f.gas, "density");
    double start = gyre_gas_get_budget(f.gas, density).total, worst = 0.0;
    for (int n = 0; n < 8; n++) {
        go(&f, 1.0f);
        worst = fmax(worst, fabs(gyre_gas_get_budget(f.gas, density).total / start - 1.0));
        float x = read_of(f.set, f.ball).pose.position[0], inside;
        x -= 24.0f * floorf(x / 24.0f);
        must(gyre_gas_probe(f.gas, density, (const float[3]){x, 9.8f, 8.2f}, 1, &inside));
        assert_true(inside == 0.0f);
        // What it has passed over lies in front of it; behind it there is nothing yet.
        float behind = x - 6.0f < 0.0f ? x + 18.0f : x - 6.0f, left;
        must(gyre_gas_probe(f.gas, density, (const float[3]){behind, 9.8f, 8.2f}, 1, &left));
        assert_true(left < 0.1f);
        assert_true(gyre_gas_get_stats(f.gas).max_speed < 30.0f);
    }
    printf("total off by %.2g\n", worst);
    assert_true(worst < 1e-6);
    land(&f);
}

/// A body that fills all of the domain leaves no gas, and one that goes away gives it back.
static void one_larger_than_all(void **state)
{
    (void)state;
    gyre_body wall = ball_at(12, 10, 8);
    wall.form.as.sphere.radius = 100.0f;
    wall.motion = GYRE_MOTION_DRIVEN;
    flight f = fly(&wall);
    gyre_pose pose = {.position = {13, 10, 8}};
    for (int n = 0; n < 3; n++) {
        must(gyre_bodies_drive(f.set, f.ball, &pose));
        go(&f, 0.5f);
        pose.position[0] += 1.0f;
    }
    gyre_gas_stats s = gyre_gas_get_stats(f.gas);
    printf("%lld cells of gas, fastest %g m/s\n", (long long)f.gas->fluid_cells,
           (double)s.max_speed);
    assert_true(f.gas->fluid_cells == 0 && s.kinetic_energy == 0.0);
    pose.position[0] = 500.0f;
    must(gyre_bodies_drive(f.set, f.ball, &pose));
    go(&f, 0.5f);
    must(gyre_gas_step(f.gas, 0.5f));
    s = gyre_gas_get_stats(f.gas);
    assert_true(f.gas->fluid_cells == 24 * 20 * 16 && s.max_speed < 1e4f);
    // Nowhere is refused, and nothing is lost.
    uint64_t hash = gyre_gas_hash(f.gas);
    pose.position[1] = NAN;
    assert_int_equal(gyre_bodies_drive(f.set, f.ball, &pose), GYRE_ERROR_ARGUMENT);
    pose.position[1] = 0.0f;
    pose.velocity[2] = INFINITY;
    gyre_body body = read_of(f.set, f.ball);
    body.pose = pose;
    assert_int_equal(gyre_bodies_update(f.set, f.ball, &body), GYRE_ERROR_ARGUMENT);
    assert_true(gyre_gas_hash(f.gas) == hash);
    land(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seam_is_no_place),
        cmocka_unit_test(a_jump_across_it),
        cmocka_unit_test(one_larger_than_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
