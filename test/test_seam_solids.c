// Solids of a gas across a periodic seam: on both sides, and there once.
// labels: small
#include "body_set_rig.h"
#include "gas/moving.h"

enum { PLACES = 5 };

// In the middle, across one side, across three, domains away: by eight cells each, so that coarse
// levels of the solver lie as they did.
static const float places[PLACES][3] = {{12.25f, 10.25f, 8.5f},
                                        {20.25f, 10.25f, 8.5f},
                                        {20.25f - 24, 18.25f, 0.5f},
                                        {12.25f + 24 * 3, 10.25f - 40, 8.5f},
                                        {4.25f, 2.25f, 16.5f}};

static gyre_device *device_of(int threads)
{
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    must(gyre_device_create(&def, &device));
    return device;
}

static gyre_gas_def still_def(void)
{
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas_side *sides = &def.sides.x_low;
    for (int s = 0; s < 6; s++) {
        def.grid.n[s / 2] = 24 - 4 * (s / 2);
        sides[s].rule = GYRE_GAS_SIDE_PERIODIC;
    }
    def.grid.h = 1.0f;
    memset(def.gravity, 0, sizeof def.gravity);
    def.viscosity = 0.5f;
    def.temperature.diffusivity = 0.5f;
    def.solid_slip = false;
    def.pressure.tolerance = def.diffusion.tolerance = 1e-6f;
    def.pressure.max_cycles = 40;
    return def;
}

static void put_amount(gyre_amount *to, const char *name, float amount)
{
    snprintf(to->name, sizeof to->name, "%s", name);
    to->amount = amount;
}

/// A ball that is warm and smokes, and rolls on the spot.
static gyre_gas_solid ball_at(const float at[3])
{
    gyre_gas_solid ball = gyre_gas_default_solid();
    ball.shape = gyre_sphere((const float[3]){0, 0, 0}, 4.0f);
    memcpy(ball.pose.position, at, sizeof ball.pose.position);
    ball.pose.velocity[0] = 0.5f;
    ball.pose.spin[2] = 20.0f;
    put_amount(ball.holds, "temperature", 10.0f);
    put_amount(ball.gives, "density", 0.25f);
    return ball;
}

static gyre_gas *gas_with(gyre_device *device, const gyre_gas_solid *solids, int count)
{
    gyre_gas_def def = still_def();
    gyre_gas *gas = NULL;
    def.solids = (gyre_pool){(void *)(uintptr_t)solids, count, 0};
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

/// No face of what moves is listed twice, and all that are shut are.
static void each_face_once(const gyre_gas *gas)
{
    const gy_gas_moving *m = gas->moving;
    assert_non_null(m);
    for (int q = 0; q < m->face_count; q++) {
        for (int p = 0; p < q; p++) {
            assert_false(m->faces[p].axis == m->faces[q].axis &&
                         m->faces[p].sample == m->faces[q].sample);
        }
    }
}

static double total_of(gyre_gas *gas, const char *name)
{
    return gyre_gas_get_budget(gas, gyre_gas_field(gas, name)).total;
}

/// Wherever the seam lies, what happens is the same.
static void a_seam_is_no_place(void **state)
{
    (void)state;
    gyre_device *device = device_of(2);
    int64_t cells = 0;
    int faces = 0;
    double first[3] = {0}, drag = 0.0;
    for (int q = 0; q < PLACES; q++) {
        gyre_gas_solid ball = ball_at(places[q]);
        gyre_gas *gas = gas_with(device, &ball, 1);
        cells = q == 0 ? gas->fluid_cells : cells;
        faces = q == 0 ? gas->moving->face_count : faces;
        near("cells", (double)gas->fluid_cells, (double)cells, 0.0);
        assert_true(cells < 24 * 20 * 16 - 100);
        assert_int_equal(gas->moving->face_count, faces);
        each_face_once(gas);
        for (int n = 0; n < 4; n++) {
            must(gyre_gas_step(gas, 1.0f));
        }
        double now[3] = {total_of(gas, "density"), total_of(gas, "temperature"),
                         gyre_gas_get_stats(gas).kinetic_energy};
        for (int c = 0; c < 3; c++) {
            first[c] = q == 0 ? now[c] : first[c];
            near("smoke, warmth, energy", now[c] / first[c], 1.0, c < 2 ? 2e-5 : 2e-3);
        }
        gyre_gas_push push;
        must(gyre_gas_read_push(gas, gyre_model_element(gyre_gas_model(gas), "solids", 0), &push));
        drag = q == 0 ? push.force[0] : drag;
        near("force", push.force[0] / drag, 1.0, 5e-3);
        // What it gives, for the area of a ball of cut cells.
        near("smoke", now[0] / (4 * 0.25 * 4 * 3.14159265 * 16), 1.0, 0.05);
        assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
        gyre_gas_destroy(gas);
    }
    gyre_device_destroy(device);
}

/// As a body of a set that rests there: the same bits.
static void as_a_body(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_gas_solid ball = ball_at(places[2]);
    ball.pose.velocity[0] = ball.pose.spin[2] = 0.0f;
    gyre_body body = gyre_bodies_default_body();
    body.form.kind = GYRE_FORM_SPHERE;
    body.form.as.sphere.radius = 4.0f;
    body.motion = GYRE_MOTION_HELD;
    memcpy(body.pose.position, places[2], sizeof body.pose.position);
    put_amount(body.gas.holds, "temperature", 10.0f);
    put_amount(body.gas.gives, "density", 0.25f);
    gyre_gas *gas[2] = {gas_with(device, &ball, 1), gas_with(device, NULL, 0)};
    gyre_bodies *set = set_of();
    added(set, &body);
    must(gyre_model_use_bodies(gyre_gas_model(gas[1]), set));
    for (int n = 0; n < 3; n++) {
        must(gyre_gas_step(gas[0], 1.0f));
        must(gyre_gas_step(gas[1], 1.0f));
    }
    for (int f = 0; f < 5; f++) {
        gyre_field_view a, b;
        must(gyre_gas_map(gas[0], f, GYRE_READ, &a));
        must(gyre_gas_map(gas[1], f, GYRE_READ, &b));
        for (int k = 0; k < a.n[2]; k++) {
            for (int j = 0; j < a.n[1]; j++) {
                ptrdiff_t row = j * a.stride[1] + k * a.stride[2];
                assert_memory_equal(a.data + row, b.data + row, (size_t)a.n[0] * sizeof(float));
            }
        }
        must(gyre_gas_unmap(gas[0], f));
        must(gyre_gas_unmap(gas[1], f));
    }
    // Both at once have room.
    must(gyre_model_use_bodies(gyre_gas_model(gas[0]), set));
    must(gyre_gas_step(gas[0], 1.0f));
    must(gyre_model_use_bodies(gyre_gas_model(gas[0]), NULL));
    must(gyre_gas_step(gas[0], 1.0f));
    must(gyre_model_use_bodies(gyre_gas_model(gas[1]), NULL));
    gyre_bodies_destroy(set);
    gyre_gas_destroy(gas[0]);
    gyre_gas_destroy(gas[1]);
    gyre_device_destroy(device);
}

/// As many as there may be, all of them at a corner, moved across it and back: what they leave is
/// as if they had never been elsewhere; and one that no face sees is told once.
static void many_at_a_corner(void **state)
{
    (void)state;
    enum { COUNT = 9 };
    gyre_device *device = device_of(1);
    gyre_gas_solid solids[COUNT];
    for (int s = 0; s < COUNT; s++) {
        const float at[3] = {0.5f * (float)s - 2.0f, 0.25f, 15.75f};
        solids[s] = ball_at(at);
        memset(&solids[s].pose.velocity, 0, sizeof solids[s].pose.velocity);
        memset(&solids[s].pose.spin, 0, sizeof solids[s].pose.spin);
        solids[s].shape = gyre_sphere((const float[3]){0, 0, 0}, 2.0f);
    }
    gyre_gas *there = gas_with(device, solids, COUNT), *gas = NULL;
    for (int s = 0; s < COUNT; s++) {
        solids[s].pose.position[0] += 11.0f;
    }
    gas = gas_with(device, solids, COUNT);
    assert_true(gas->images == NULL || gas->made_count > COUNT);
    gyre_model *model = gyre_gas_model(gas);
    for (int s = 0; s < COUNT; s++) {
        solids[s].pose.position[0] -= 11.0f;
        must(gyre_gas_update_solid(gas, gyre_model_element(model, "solids", s), &solids[s]));
    }
    must(gyre_gas_step(gas, 0.0f));
    assert_true(gas->made_count > COUNT && gas->openness == there->openness);
    assert_true(gas->fluid_cells == there->fluid_cells);
    // A grain on the seam.
    gyre_gas_solid grain = gyre_gas_default_solid();
    grain.shape = gyre_sphere((const float[3]){0, 0, 0}, 0.1f);
    grain.pose.position[1] = 9.75f;
    grain.pose.position[2] = 7.75f;
    must(gyre_gas_update_solid(gas, gyre_model_element(model, "solids", 0), &grain));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 1);
    must(gyre_gas_remove(gas, gyre_model_element(model, "solids", 0)));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(there);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seam_is_no_place),
        cmocka_unit_test(as_a_body),
        cmocka_unit_test(many_at_a_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
