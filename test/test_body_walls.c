// Bodies of a set that hold scalars at a value or give the gas of them, as solids of its own do.
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

static gyre_gas_def room(int rule)
{
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas_side *sides = &def.sides.x_low;
    for (int a = 0; a < 3; a++) {
        def.grid.n[a] = 16;
        sides[2 * a].rule = sides[2 * a + 1].rule = rule;
    }
    def.grid.h = 0.1f;
    def.temperature.diffusivity = 2e-3f;
    return def;
}

static gyre_gas *gas_of(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

static void put_amount(gyre_amount *to, const char *name, float amount)
{
    snprintf(to->name, sizeof to->name, "%s", name);
    to->amount = amount;
}

/// A ball that holds temperature and gives density.
static gyre_body ball_at(float x, float y, float z, float holds, float gives)
{
    gyre_body body = gyre_bodies_default_body();
    snprintf(body.name, sizeof body.name, "stove");
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_SPHERE;
    body.form.as.sphere.radius = 0.3f;
    body.motion = GYRE_MOTION_HELD;
    body.pose.position[0] = x;
    body.pose.position[1] = y;
    body.pose.position[2] = z;
    put_amount(body.gas.holds, "temperature", holds);
    put_amount(body.gas.gives, "density", gives);
    return body;
}

static gyre_bodies *set_with(const gyre_body *body, gyre_id *id)
{
    gyre_bodies *set = NULL;
    gyre_bodies_def def = gyre_bodies_default_def();
    must(gyre_bodies_create(&def, &set));
    *id = gyre_bodies_add(set, body);
    assert_true(*id != 0);
    return set;
}

static void same(gyre_gas *one, gyre_gas *other)
{
    for (int f = 0; f < 5; f++) {
        gyre_field_view a, b;
        must(gyre_gas_map(one, f, GYRE_READ, &a));
        must(gyre_gas_map(other, f, GYRE_READ, &b));
        for (int k = 0; k < a.n[2]; k++) {
            for (int j = 0; j < a.n[1]; j++) {
                ptrdiff_t at = j * a.stride[1] + k * a.stride[2];
                assert_memory_equal(a.data + at, b.data + at, (size_t)a.n[0] * sizeof(float));
            }
        }
        must(gyre_gas_unmap(one, f));
        must(gyre_gas_unmap(other, f));
    }
}

/// A body of the set holds and gives as a solid of its own, to the bit, whether it moves and what
/// it holds changes or not.
static void a_body_is_a_wall(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        gyre_device *device = device_of(2);
        gyre_gas_def def = room(GYRE_GAS_SIDE_SLIP);
        gyre_gas *one = gas_of(device, &def), *other = gas_of(device, &def);
        gyre_body body = ball_at(0.6f, 0.7f, 0.75f, 40.0f, 0.2f);
        gyre_id id, own;
        body.pose.velocity[0] = moves ? 0.125f : 0.0f;
        gyre_bodies *set = set_with(&body, &id);
        gyre_gas_solid solid = gyre_gas_default_solid();
        solid.shape.kind = GYRE_SHAPE_SPHERE;
        memset(solid.shape.as.sphere.centre, 0, sizeof solid.shape.as.sphere.centre);
        solid.shape.as.sphere.radius = 0.3f;
        solid.pose = body.pose;
        memcpy(solid.holds, body.gas.holds, sizeof solid.holds);
        memcpy(solid.gives, body.gas.gives, sizeof solid.gives);
        own = gyre_gas_add_solid(other, &solid);
        assert_true(own != 0);
        must(gyre_model_use_bodies(gyre_gas_model(one), set));
        for (int n = 0; n < 12; n++) {
            must(gyre_gas_step(one, 0.0625f));
            must(gyre_gas_step(other, 0.0625f));
            must(gyre_bodies_step(set, 0.0625f));
            must(gyre_bodies_read(set, id, &body));
            if (n >= 5) {
                body.gas.holds[0].amount = solid.holds[0].amount = 40.0f - (float)n;
                must(gyre_bodies_update(set, id, &body));
            }
            memcpy(solid.pose.position, body.pose.position, sizeof solid.pose.position);
            must(gyre_gas_update_solid(other, own, &solid));
        }
        same(one, other);
        for (int f = 3; f < 5; f++) {
            double got = gyre_model_total(gyre_gas_model(one), f);
            print_message("moves %d: %s %g\n", moves, f == 3 ? "density" : "temperature", got);
            assert_true(got > 0.01);
        }
        gyre_gas_destroy(one);
        gyre_gas_destroy(other);
        gyre_bodies_destroy(set);
        gyre_device_destroy(device);
    }
}

/// What it gives is its surface times the time, wherever it stands; across a periodic side, too.
static void it_gives_across_a_seam(void **state)
{
    (void)state;
    double got[2];
    for (int seam = 0; seam < 2; seam++) {
        gyre_device *device = device_of(1);
        gyre_gas_def def = room(GYRE_GAS_SIDE_PERIODIC);
        memset(def.gravity, 0, sizeof def.gravity);
        gyre_gas *gas = gas_of(device, &def);
        gyre_id id;
        gyre_body body = ball_at(seam ? 0.0f : 0.8f, 0.8f, 0.8f, 0.0f, 0.2f);
        gyre_bodies *set = set_with(&body, &id);
        must(gyre_model_use_bodies(gyre_gas_model(gas), set));
        for (int n = 0; n < 8; n++) {
            must(gyre_gas_step(gas, 0.0625f));
            must(gyre_bodies_step(set, 0.0625f));
        }
        got[seam] = gyre_model_total(gyre_gas_model(gas), 3);
        gyre_gas_destroy(gas);
        gyre_bodies_destroy(set);
        gyre_device_destroy(device);
    }
    double surface = 4 * 3.14159265 * 0.09, given = 0.2 * 0.5 * surface;
    print_message("given %.5g, across a seam %.5g, of %.5g\n", got[0], got[1], given);
    assert_true(fabs(got[0] / given - 1.0) < 0.05);
    assert_true(fabs(got[1] / got[0] - 1.0) < 1e-4);
}

static void what_is_no_scalar_is_refused(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_gas_def def = room(GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = gas_of(device, &def);
    gyre_body body = ball_at(0.8f, 0.8f, 0.8f, 40.0f, 0.0f);
    gyre_id id;
    put_amount(body.gas.holds, "temprature", 40.0f);
    gyre_bodies *set = set_with(&body, &id);
    assert_int_equal(gyre_model_use_bodies(gyre_gas_model(gas), set), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "bodies.stove.gas.holds.temprature"));
    assert_non_null(strstr(gyre_message(), "did you mean \"temperature\"?"));
    put_amount(body.gas.holds, "temperature", 40.0f);
    must(gyre_bodies_update(set, id, &body));
    must(gyre_model_use_bodies(gyre_gas_model(gas), set));
    must(gyre_gas_step(gas, 0.1f));
    // Later, by the gas's next call; put right, it goes on.
    put_amount(body.gas.gives, "temperature", 1.0f);
    must(gyre_bodies_update(set, id, &body));
    assert_int_equal(gyre_gas_step(gas, 0.1f), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "it cannot do both"));
    put_amount(body.gas.gives, "density", 1.0f);
    must(gyre_bodies_update(set, id, &body));
    must(gyre_gas_step(gas, 0.1f));
    body.gas.holds[0].amount = NAN;
    assert_int_equal(gyre_bodies_update(set, id, &body), GYRE_ERROR_ARGUMENT);
    gyre_gas_destroy(gas);
    gyre_bodies_destroy(set);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_a_wall),
        cmocka_unit_test(it_gives_across_a_seam),
        cmocka_unit_test(what_is_no_scalar_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
