// What is made anew round solids alone, when they have moved, is as if all were: a gas whose solids
// move, jump, come and go steps to the same bits as one that is loaded from it, which paints all.
// labels: small
#include "base/maths.h"
#include "body_set_rig.h"
#include "gas/gas.h"

enum { SOLIDS = 6, ROUNDS = 14 };

static gyre_gas_def still_def(int dim, int rule, bool thick)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas_side *sides = &def.sides.x_low;
    for (int a = 0; a < dim; a++) {
        def.grid.n[a] = dim == 2 ? 70 - 9 * a : 33 - 4 * a;
    }
    def.grid.h = 1.0f;
    sides[0].rule = sides[1].rule = rule;
    def.viscosity = thick ? 0.2f : 0.0f;
    def.solid_slip = !thick;
    def.temperature.diffusivity = 0.2f;
    def.solids.capacity = SOLIDS;
    return def;
}

enum { EDGE = 20 }; // samples half a cell apart

static float samples[EDGE * EDGE * EDGE];

/// An array of a ball with a thin arm.
static gyre_shape array_of(int dim)
{
    for (int q = 0; q < EDGE * EDGE * EDGE; q++) {
        const double x = q % EDGE - 8, y = q / EDGE % EDGE - 9, z = q / EDGE / EDGE - 9;
        double r = sqrt(x * x + y * y + (dim == 3 ? z * z : 0.0));
        double arm = fmax(fabs(y), dim == 3 ? fabs(z) : 0.0) - 0.7;
        samples[q] = (float)-fmin(r - 6.2, x > 0.0 && x < 10.0 ? arm : 9.0);
    }
    const gyre_volume data = {samples, {EDGE, EDGE, dim == 3 ? EDGE : 1}, "ball"};
    const float half = 0.25f * EDGE, corner[3] = {-half, -half, dim == 3 ? -half : 0.0f},
                size[3] = {2 * half, 2 * half, dim == 3 ? 2 * half : 1.0f};
    return gyre_volume_shape(data, corner, size, 0.0f);
}

static gyre_gas_solid some_solid(uint32_t *at, int dim)
{
    gyre_gas_solid s = gyre_gas_default_solid();
    const float none[3] = {0, 0, 0}, size[3] = {7, 5, 6}, flat[3] = {9, 0.6f, 8};
    float kind = gy_random_unit(7, (*at)++);
    s.shape = kind < 0.2f   ? array_of(dim)
              : kind < 0.4f ? gyre_sphere(none, 3.5f)
              : kind < 0.7f ? gyre_box(none, size)
                            : gyre_box(none, flat);
    for (int a = 0; a < dim; a++) {
        s.pose.position[a] = (dim == 2 ? 66.0f : 32.0f) * gy_random_unit(7, (*at)++);
        s.pose.velocity[a] = 2.0f * gy_random_unit(7, (*at)++) - 1.0f;
    }
    s.pose.spin[2] = 40.0f * gy_random_unit(7, (*at)++);
    snprintf(s.holds[0].name, sizeof s.holds[0].name, "temperature");
    s.holds[0].amount = 5.0f;
    return s;
}

/// Moves one on, lets one jump, and takes one away or puts one in.
static void change(gyre_gas *gas, uint32_t *at, int dim, int round)
{
    gyre_model *model = gyre_gas_model(gas);
    int count = gas->def->solids.count;
    for (int s = 0; s < count; s++) {
        gyre_id id = gyre_model_element(model, "solids", s);
        gyre_gas_solid solid;
        must(gyre_gas_read_solid(gas, id, &solid));
        if (gy_random_unit(7, (*at)++) < 0.2f) {
            solid = some_solid(at, dim);
        } else if (gy_random_unit(7, (*at)++) < 0.6f) {
            solid.pose.position[0] += 0.3f * solid.pose.velocity[0];
            solid.pose.position[1] += 0.3f * solid.pose.velocity[1];
            solid.pose.rotation[2] += 12.0f;
        } else {
            continue;
        }
        must(gyre_gas_update_solid(gas, id, &solid));
    }
    if (round % 3 == 1 && count > 0) {
        must(gyre_gas_remove(gas, gyre_model_element(model, "solids", (round / 3) % count)));
    } else if (count < SOLIDS) {
        gyre_gas_solid solid = some_solid(at, dim);
        assert_true(gyre_gas_add_solid(gas, &solid) != 0);
    }
}

static void check(int dim, int rule, bool thick)
{
    gyre_device *device = NULL;
    gyre_device_def device_def = gyre_default_device_def();
    gyre_gas_def def = still_def(dim, rule, thick);
    gyre_gas_def with = def; // a state that is loaded finds its arrays in what is there
    gyre_gas_solid array = gyre_gas_default_solid();
    gyre_gas *gas = NULL, *other = NULL;
    array.shape = array_of(dim);
    with.solids = (gyre_pool){&array, 1, SOLIDS};
    uint32_t at = (uint32_t)(100 * dim + 10 * rule + thick);
    device_def.threads = 2;
    must(gyre_device_create(&device_def, &device));
    must(gyre_gas_create(device, &def, &gas));
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "density"), (const float[3]){20, 15, 15}, 12.0f,
                        1.0f));
    must(gyre_gas_splat(gas, 0, (const float[3]){20, 15, 15}, 12.0f, 2.0f));
    for (int round = 0; round < ROUNDS; round++) {
        change(gas, &at, dim, round);
        size_t bytes = gyre_gas_save_size(gas);
        void *memory = malloc(bytes);
        must(gyre_gas_save(gas, memory, bytes, &bytes));
        must(gyre_gas_create(device, &with, &other));
        must(gyre_gas_load(other, memory, bytes));
        must(gyre_gas_step(gas, 0.3f));
        must(gyre_gas_step(other, 0.3f));
        if (gyre_gas_hash(gas) != gyre_gas_hash(other)) {
            fail_msg("%dD, rule %d, round %d: not the bits of a gas that was painted whole", dim,
                     rule, round);
        }
        if (gas->made_count > 0) {
            assert_memory_equal(gas->plain, other->plain, gas->plain_bytes);
        }
        free(memory);
        gyre_gas_destroy(other);
    }
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
}

static void as_if_all_were(void **state)
{
    (void)state;
    check(2, GYRE_GAS_SIDE_SLIP, false);
    check(2, GYRE_GAS_SIDE_PERIODIC, true);
    check(3, GYRE_GAS_SIDE_PERIODIC, false);
    check(3, GYRE_GAS_SIDE_OPEN, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_if_all_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
