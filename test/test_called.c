// labels: small threads
// A force of the caller's (gyre_gas_set_force_rows): the same as a force of the gas's own, to the
// bit; its momentum, its places and times, what it sees of the velocity, what is refused.
#include "test/every_device.h"
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static gyre_gas_def box(int dim, int n, int rule)
{
    return still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, rule);
}

static void even(void *user, const gyre_gas_row *row, float *values)
{
    for (int i = 0; i < row->count; i++)
        values[i] = ((const float *)user)[row->axis];
}

static double momentum(gyre_gas *gas, int axis)
{
    double h = (double)gas->grid.h, sum = 0.0;
    for (int k = 0; k < gas->extent.n[2]; k++)
        for (int j = 0; j < gas->extent.n[1]; j++)
            for (int i = 0; i < gas->extent.n[0]; i++)
                sum += (double)*sample(gas, axis, i, j, k);
    return sum * h * h * (gas->extent.dim == 3 ? h : 1.0);
}

// A fan everywhere in a box of one cubic metre is what the function says, to the last bit, beside
// another force and whatever the sides; what comes in is the impulse.
static void as_a_fan(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        for (int scheme = GYRE_GAS_SEMI_LAGRANGIAN; scheme <= GYRE_GAS_CUBIC; scheme++) {
            gyre_gas_def def = box(dim, 16, GYRE_GAS_SIDE_PERIODIC);
            gyre_gas_force f[2] = {gyre_gas_default_force(GYRE_GAS_VORTEX),
                                   gyre_gas_default_force(GYRE_GAS_FAN)};
            f[0].everywhere = f[1].everywhere = true;
            f[1].action.as.fan.thrust = 0.25f;
            def.advection = scheme;
            def.forces = (gyre_pool){f, 2, 2};
            gyre_gas *own = make(&def), *gas;
            def.forces.count = 1;
            gas = make(&def);
            float push[3] = {0.25f, 0.0f, 0.0f};
            must(gyre_gas_set_force_rows(gas, even, push, false));
            for (int s = 0; s < 5; s++) {
                must(gyre_gas_step(own, 0.04f));
                must(gyre_gas_step(gas, 0.04f));
            }
            for (int a = 0; a < dim; a++) {
                gyre_field_view v[2];
                must(gyre_gas_map(own, a, GYRE_READ, &v[0]));
                must(gyre_gas_map(gas, a, GYRE_READ, &v[1]));
                for (int j = 0; j < v[0].n[1]; j++)
                    for (int i = 0; i < v[0].n[0]; i++)
                        assert_true(v[0].data[i + j * v[0].stride[1]] ==
                                    v[1].data[i + j * v[1].stride[1]]);
                must(gyre_gas_unmap(own, a));
                must(gyre_gas_unmap(gas, a));
            }
            gyre_gas_destroy(own);
            gyre_gas_destroy(gas);
            def.forces.count = 0;
            gas = make(&def);
            must(gyre_gas_set_force_rows(gas, even, push, false));
            for (int s = 0; s < 8; s++)
                must(gyre_gas_step(gas, s % 2 ? 0.05f : 0.025f));
            assert_true(fabs(momentum(gas, 0) / (0.25 * 0.3) - 1.0) < 1e-5);
            assert_int_equal(gyre_gas_get_stats(gas).gained, 0);
            gyre_gas_destroy(gas);
        }
    }
}

// ---- velocity: du/dt = 4 (1 - u) by the function

static void draw_along(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++)
        values[i] = row->axis == 0 ? 4.0f * (1.0f - row->velocity[0][i]) : 0.0f;
}

static void sees_the_middle(void **state)
{
    (void)state;
    double off[3];
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = box(2, 16, GYRE_GAS_SIDE_PERIODIC);
        gyre_gas *gas = make(&def);
        int steps = 20 << q;
        must(gyre_gas_set_force_rows(gas, draw_along, NULL, true));
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, 0.5f / (float)steps));
        off[q] = fabs((double)*sample(gas, 0, 5, 6, 0) - (1.0 - exp(-2.0)));
        gyre_gas_destroy(gas);
    }
    if (getenv("GYRE_TEST_PRINT"))
        print_message("drawn along: off by %.2e %.2e %.2e, orders %.2f %.2f\n", off[0], off[1],
                      off[2], log2(off[0] / off[1]), log2(off[1] / off[2]));
    assert_true(log2(off[1] / off[2]) > 1.85 && off[2] < 5e-4);
}

// The other components are means of four, and those of a linear flow are what it is there.
static void look(void *user, const gyre_gas_row *row, float *values)
{
    int *seen = user;
    for (int i = 0; i < row->count; i++) {
        bool inside = i > 0 && i < row->count - 1 && row->first[1] > 0 && row->first[1] < 11;
        double x = (double)row->place[0] + (double)row->step * i, y = (double)row->place[1];
        values[i] = 0.0f;
        if (inside && (fabs((double)row->velocity[0][i] - (y - 0.25)) > 1e-5 ||
                       fabs((double)row->velocity[1][i] + (x - 0.25)) > 1e-5))
            __atomic_fetch_add(seen, 1, __ATOMIC_RELAXED);
    }
}

static double turning(const double x[3], const void *data)
{
    return *(const int *)data ? 0.25 - x[0] : x[1] - 0.25;
}

static void sees_all_components(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 12, 12, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = make(&def);
    int wrong = 0, axes[2] = {0, 1};
    set_field(gas, 0, turning, &axes[0]);
    set_field(gas, 1, turning, &axes[1]);
    must(gyre_gas_set_force_rows(gas, look, &wrong, true));
    must(gyre_gas_step(gas, 1e-4f));
    assert_int_equal(wrong, 0);
    gyre_gas_destroy(gas);
}

// ---- places

/// What a field's samples stand at, against what rows say; and every face is asked for once.
typedef struct seen {
    gyre_gas *gas;
    int faces[3], wrong;
    double time;
} seen;

static void check_place(void *user, const gyre_gas_row *row, float *values)
{
    seen *s = user;
    float at[3];
    gyre_grid_position(gyre_model_grid(gyre_gas_model(s->gas)),
                       (gyre_location)(GYRE_FACE_X + row->axis), row->first[0], row->first[1],
                       row->first[2], at);
    bool same = row->time == s->time && row->step == gyre_model_grid(gyre_gas_model(s->gas))->h;
    for (int q = 0; q < 3; q++)
        same =
            same && (fabsf(at[q] - row->place[q]) < 1e-6f || (q == 2 && s->gas->extent.dim == 2));
    __atomic_fetch_add(&s->faces[row->axis], row->count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->wrong, !same, __ATOMIC_RELAXED);
    for (int i = 0; i < row->count; i++)
        values[i] = 0.5f * row->place[0] + row->place[1];
}

static void stands_where_it_says(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = small(dim);
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
        def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
        seen s = {.gas = make(&def)};
        must(gyre_gas_set_force_rows(s.gas, check_place, &s, false));
        for (int step = 0; step < 3; step++) {
            s.time = s.gas->model.time + 0.5 * (double)0.01f;
            must(gyre_gas_step(s.gas, 0.01f));
            must(gyre_model_shift(gyre_gas_model(s.gas), (const int[3]){0, 2, 0}));
        }
        const int *n = def.grid.n;
        assert_int_equal(s.wrong, 0);
        assert_int_equal(s.faces[0], 3 * n[0] * n[1] * n[2]);
        assert_int_equal(s.faces[1], 3 * n[0] * (n[1] + 1) * n[2]);
        assert_int_equal(s.faces[2], dim == 3 ? 3 * n[0] * n[1] * (n[2] + 1) : 0);
        gyre_gas_destroy(s.gas);
    }
}

// ---- the same bits

static void wavy(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++) {
        float x = row->place[0] + row->step * (float)i;
        values[i] = (x - row->place[1]) * (3.0f - row->velocity[0][i]) + (float)row->time;
    }
}

static uint64_t first_hash;

static void require_hash(gyre_device *device, const char *on)
{
    gyre_gas_def def = small(3);
    gyre_gas_solid solid = sphere(0.4, 0.4, 0.2, 0.15);
    def.solids = (gyre_pool){&solid, 1, 0};
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, &def, &gas));
    must(gyre_gas_set_force_rows(gas, wavy, NULL, true));
    for (int s = 0; s < 4; s++)
        must(gyre_gas_step(gas, 0.03f));
    assert_true(gyre_gas_get_stats(gas).max_speed > 0.01f);
    uint64_t hash = gyre_gas_hash(gas);
    first_hash = first_hash ? first_hash : hash;
    if (hash != first_hash)
        fail_msg("other bits: %s", on);
    gyre_gas_destroy(gas);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    on_every_device(require_hash);
}

// ---- what is refused

static void spoil(void *user, const gyre_gas_row *row, float *values)
{
    const float *value = user;
    if (row->axis == 1 && row->first[1] >= 7)
        values[4] = *value;
}

static void no_number_is_refused(void **state)
{
    (void)state;
    gyre_gas_def def = small(2);
    gyre_gas *gas = make(&def);
    float values[] = {NAN, INFINITY, -INFINITY}, huge = FLT_MAX;
    must(gyre_gas_set_force_rows(gas, wavy, NULL, true));
    must(gyre_gas_step(gas, 0.02f));
    uint64_t before = gyre_gas_hash(gas);
    for (int q = 0; q < 3; q++) {
        must(gyre_gas_set_force_rows(gas, spoil, &values[q], false));
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_ERROR_ARGUMENT);
        one_line();
        assert_non_null(strstr(gyre_message(), "face 4, 7, 0 across y"));
        assert_true(gyre_gas_hash(gas) == before);
    }
    must(gyre_gas_set_force_rows(gas, spoil, &huge, false));
    for (int s = 0; s < 3; s++)
        must(gyre_gas_step(gas, 0.02f));
    finite_everywhere(gas);
    assert_int_equal(gyre_gas_set_force_rows(NULL, even, NULL, false), GYRE_ERROR_ARGUMENT);
    gyre_gas_destroy(gas);
}

// A state says that it had one; with the same one set it goes on to the same bits.
static void a_state_asks_for_it(void **state)
{
    (void)state;
    gyre_gas_def def = small(2);
    gyre_gas *gas = make(&def), *other = make(&def);
    uint64_t plain = gyre_gas_hash(gas);
    must(gyre_gas_set_force_rows(gas, wavy, NULL, true));
    for (int s = 0; s < 3; s++)
        must(gyre_gas_step(gas, 0.02f));
    size_t size = gyre_gas_save_size(gas);
    void *memory = malloc(size);
    must(gyre_gas_save(gas, memory, size, NULL));
    must(gyre_gas_load(other, memory, size));
    assert_int_equal(gyre_gas_step(other, 0.02f), GYRE_ERROR_STATE);
    one_line();
    assert_true(gyre_gas_hash(other) == gyre_gas_hash(gas));
    must(gyre_gas_set_force_rows(other, wavy, NULL, true));
    for (int s = 0; s < 3; s++) {
        must(gyre_gas_step(gas, 0.02f));
        must(gyre_gas_step(other, 0.02f));
    }
    assert_true(gyre_gas_hash(other) == gyre_gas_hash(gas));
    must(gyre_gas_load(other, memory, size));
    must(gyre_gas_set_force_rows(other, NULL, NULL, false));
    must(gyre_gas_step(other, 0.02f));
    assert_true(gyre_gas_hash(other) != plain);
    free(memory);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

// Set and ended again it leaves no trace.
static void leaves_no_trace(void **state)
{
    (void)state;
    gyre_gas_def def = small(3);
    gyre_gas *gas = make(&def), *other = make(&def);
    float push[3] = {1.0f, 2.0f, 3.0f};
    must(gyre_gas_set_force_rows(gas, even, push, true));
    must(gyre_gas_set_force_rows(gas, NULL, NULL, false));
    must(gyre_gas_step(gas, 0.02f));
    must(gyre_gas_step(other, 0.02f));
    assert_true(gyre_gas_hash(other) == gyre_gas_hash(gas));
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_fan),
        cmocka_unit_test(sees_the_middle),
        cmocka_unit_test(sees_all_components),
        cmocka_unit_test(stands_where_it_says),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(no_number_is_refused),
        cmocka_unit_test(a_state_asks_for_it),
        cmocka_unit_test(leaves_no_trace),
    };
    WATCH_THREADS_IN(same_bits_everywhere);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
