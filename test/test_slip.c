// Surfaces of solids that are not as the gas's def says: the same bits as a gas that says it for
// all, drag and torque of a ball that the gas slides along beside one that it sticks to.
// labels: small
#include "body_set_rig.h"
#include "gas/gas.h"

static gyre_device *device_of(int threads)
{
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    must(gyre_device_create(&def, &device));
    return device;
}

/// A viscous gas of n cells a side of 1 m in a box, without weight.
static gyre_gas_def box_of(int dim, int n, bool slip)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    for (int a = 0; a < dim; a++) {
        def.grid.n[a] = n;
    }
    def.grid.h = 1.0f;
    memset(def.gravity, 0, sizeof def.gravity);
    def.air_density = 1.0f;
    def.viscosity = 0.5f;
    def.solid_slip = slip;
    return def;
}

static gyre_gas *gas_of(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

static gyre_gas_solid ball_at(float x, float y, float z, float radius, gyre_surface surface)
{
    gyre_gas_solid s = gyre_gas_default_solid();
    s.enabled = true;
    s.shape.kind = GYRE_SHAPE_SPHERE;
    memset(s.shape.as.sphere.centre, 0, sizeof s.shape.as.sphere.centre);
    s.shape.as.sphere.radius = radius;
    s.pose.position[0] = x;
    s.pose.position[1] = y;
    s.pose.position[2] = z;
    s.surface = (int32_t)surface;
    return s;
}

/// A gas with two solids and a body, one of them moving: its state after some steps.
static uint64_t hash_of(int dim, bool slip, gyre_surface surface, bool periodic, bool moves)
{
    gyre_device *device = device_of(1);
    gyre_gas_def def = box_of(dim, 20, slip);
    gyre_gas_side *sides = &def.sides.x_low;
    for (int s = 0; s < 2 * dim && periodic; s++) {
        sides[s].rule = GYRE_GAS_SIDE_PERIODIC;
    }
    gyre_gas *gas = gas_of(device, &def);
    gyre_gas_solid ball = ball_at(5.2f, 6.1f, 5.8f, 3.2f, surface);
    ball.pose.spin[2] = moves ? 30.0f : 0.0f;
    assert_true(gyre_gas_add_solid(gas, &ball) != 0);
    // Across the seam, where there is one, on both sides.
    for (int end = 0; end < 2; end++) {
        ball = ball_at(10.0f, (float)end * 20.0f, 10.0f, 3.0f, surface);
        assert_true(gyre_gas_add_solid(gas, &ball) != 0);
    }
    gyre_bodies *set = dim == 3 ? set_of() : NULL;
    if (set) {
        gyre_body box = gyre_bodies_default_body();
        box.pose.position[0] = box.pose.position[1] = box.pose.position[2] = 13.3f;
        box.pose.velocity[0] = moves ? 0.7f : 0.0f;
        box.form.as.box.size[0] = box.form.as.box.size[1] = box.form.as.box.size[2] = 4.2f;
        box.gas.surface = (int32_t)surface;
        added(set, &box);
        must(gyre_model_use_bodies(gyre_gas_model(gas), set));
    }
    must(gyre_gas_splat(gas, 0, (const float[3]){10, 8, 10}, 6.0f, 2.0f));
    for (int n = 0; n < 4; n++) {
        must(gyre_gas_step(gas, 0.7f));
        if (set) {
            must(gyre_bodies_step(set, 0.7f));
        }
    }
    uint64_t hash = gyre_gas_hash(gas);
    must(gyre_model_use_bodies(gyre_gas_model(gas), NULL));
    gyre_bodies_destroy(set);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return hash;
}

/// What all solids say for themselves is what the gas says for all.
static void as_if_the_gas_said_so(void **state)
{
    (void)state;
    for (int q = 0; q < 8; q++) {
        int dim = q & 1 ? 3 : 2;
        bool periodic = q & 2, moves = q & 4;
        uint64_t slip = hash_of(dim, true, GYRE_SURFACE_AS_GAS, periodic, moves);
        uint64_t stick = hash_of(dim, false, GYRE_SURFACE_AS_GAS, periodic, moves);
        assert_true(slip != stick);
        assert_true(hash_of(dim, false, GYRE_SURFACE_SLIP, periodic, moves) == slip);
        assert_true(hash_of(dim, true, GYRE_SURFACE_NO_SLIP, periodic, moves) == stick);
        assert_true(hash_of(dim, true, GYRE_SURFACE_SLIP, periodic, moves) == slip);
    }
}

/// Two balls far apart spin and are towed: torque and drag of either.
static void one_slides_and_one_sticks(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_gas_push push[3][2];
    for (int run = 0; run < 3; run++) {
        gyre_gas_def def = box_of(3, 24, run != 1);
        def.grid.n[0] = 48;
        def.viscosity = 2.0f;
        gyre_gas *gas = gas_of(device, &def);
        gyre_id id[2];
        for (int b = 0; b < 2; b++) {
            // Run 0: the first slides and the second sticks. 1 and 2: both stick, both slide.
            bool odd = run == 0 && b == 1;
            gyre_gas_solid ball = ball_at(b ? 36.0f : 12.0f, 12, 12, 4,
                                          odd ? GYRE_SURFACE_NO_SLIP : GYRE_SURFACE_AS_GAS);
            ball.pose.velocity[1] = 0.2f;
            ball.pose.spin[0] = 30.0f;
            id[b] = gyre_gas_add_solid(gas, &ball);
        }
        for (int n = 0; n < 40; n++) {
            must(gyre_gas_step(gas, 0.5f));
        }
        for (int b = 0; b < 2; b++) {
            must(gyre_gas_read_push(gas, id[b], &push[run][b]));
        }
        gyre_gas_destroy(gas);
    }
    double slides = push[0][0].force[1], sticks = push[0][1].force[1];
    printf("drag of the one that slides %.4f (alone %.4f), of the one that sticks %.4f (%.4f)\n",
           slides, push[2][0].force[1], sticks, push[1][1].force[1]);
    printf("torques %.3g (%.3g) and %.3g (%.3g)\n", push[0][0].torque[0], push[2][0].torque[0],
           push[0][1].torque[0], push[1][1].torque[0]);
    // Stokes: 4 pi rho nu r U where it slides, 6 pi where it sticks.
    assert_true(slides < 0.0 && slides / sticks > 0.4 && slides / sticks < 0.7);
    near("drag where it slides", slides / push[2][0].force[1], 1.0, 0.05);
    near("drag where it sticks", sticks / push[1][1].force[1], 1.0, 0.05);
    near("torque where it sticks", push[0][1].torque[0] / push[1][1].torque[0], 1.0, 0.02);
    assert_true(push[0][1].torque[0] < 0.0);
    assert_true(fabs(push[0][0].torque[0]) < 0.03 * fabs(push[0][1].torque[0]));
    gyre_device_destroy(device);
}

/// By its path, while it runs, saved and loaded; a name that is none is refused.
static void it_is_set_and_saved(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_gas_def def = box_of(2, 24, true);
    gyre_gas *gas = gas_of(device, &def);
    gyre_gas_solid ball = ball_at(12, 12, 0, 5, GYRE_SURFACE_AS_GAS);
    snprintf(ball.name, sizeof ball.name, "ball");
    assert_true(gyre_gas_add_solid(gas, &ball) != 0);
    must(gyre_gas_splat(gas, 0, (const float[3]){12, 19, 0}, 4.0f, 2.0f));
    must(gyre_gas_step(gas, 0.5f));
    must(gyre_gas_set(gas, "solids.ball.surface", gyre_string("no_slip")));
    must(gyre_gas_step(gas, 0.5f));
    size_t size = gyre_gas_save_size(gas);
    void *saved = malloc(size);
    must(gyre_gas_save(gas, saved, size, &size));
    must(gyre_gas_step(gas, 0.5f));
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas_destroy(gas);
    gas = gas_of(device, &def);
    must(gyre_gas_load(gas, saved, size));
    must(gyre_gas_step(gas, 0.5f));
    assert_true(gyre_gas_hash(gas) == hash);
    // As if it had been so for all.
    must(gyre_gas_load(gas, saved, size));
    must(gyre_gas_set(gas, "solids.ball.surface", gyre_string("as_gas")));
    must(gyre_gas_set(gas, "solid_slip", gyre_bool(false)));
    must(gyre_gas_step(gas, 0.5f));
    assert_true(gyre_gas_hash(gas) == hash);
    assert_int_equal(gyre_gas_set(gas, "solids.ball.surface", gyre_string("slipp")),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "\"slip\""));
    free(saved);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_if_the_gas_said_so),
        cmocka_unit_test(one_slides_and_one_sticks),
        cmocka_unit_test(it_is_set_and_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
