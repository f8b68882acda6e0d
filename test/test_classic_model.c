// The paper's solver as a model among others: it is found by name, its step is the solver's own,
// and what is written once over the tables (paths, windows, checkpoints, hashes) holds for it.
// labels: golden small valgrind
#include "gyre/gyre.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK(call) assert_int_equal(call, GYRE_OK)

enum { N = 24 };
static gyre_device *device;

static int set_up(void **state)
{
    (void)state;
    return gyre_device_create(NULL, &device) != GYRE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return 0;
}

static gyre_model *make(int dim, gyre_classic_emitter *emitter, gyre_classic_solid *solid)
{
    gyre_classic_def def = gyre_classic_default_def(dim);
    gyre_model *model = NULL;
    def.grid.n[0] = def.grid.n[1] = N;
    def.grid.n[2] = dim == 3 ? 10 : 1;
    def.grid.h = 1.0f / N;
    def.sweeps = 10;
    memset(emitter, 0, sizeof *emitter);
    strcpy(emitter->name, "jet");
    emitter->enabled = true;
    emitter->shape.kind = GYRE_SHAPE_SPHERE;
    emitter->shape.as.sphere.centre[0] = 0.3f;
    emitter->shape.as.sphere.centre[1] = 0.5f;
    emitter->shape.as.sphere.centre[2] = 0.2f;
    emitter->shape.as.sphere.radius = 0.13f;
    emitter->density = 4;
    emitter->force[0] = 8;
    def.emitters = (gyre_pool){emitter, 1, 4};
    if (solid) {
        memset(solid, 0, sizeof *solid);
        solid->enabled = true;
        solid->shape = emitter->shape;
        solid->shape.as.sphere.centre[0] = 0.75f;
        def.solids = (gyre_pool){solid, 1, 4};
    }
    OK(gyre_model_create(device, "classic", &def, &model));
    return model;
}

static void test_is_the_solver(void **state)
{
    (void)state;
    gyre_classic_emitter emitter;
    gyre_model *model = make(2, &emitter, NULL);
    gyre_classic_box box = gyre_classic_default_box(2, N);
    float *f[6];
    box.sweeps = 10;
    box.resolution = 1.0f / (1.0f / N);
    for (int a = 0; a < 6; a++)
        f[a] = calloc(gyre_classic_size(&box), sizeof(float));
    for (int step = 0; step < 20; step++) {
        const float *const carrier[] = {f[0], f[1]};
        for (int a = 2; a < 6; a++)
            if (a != 4)
                memset(f[a], 0, gyre_classic_size(&box) * sizeof(float));
        for (int j = 1; j <= N; j++)
            for (int i = 1; i <= N; i++)
                if (hypot((i - 0.5) / N - 0.3, (j - 0.5) / N - 0.5) < 0.13) {
                    f[2][gyre_classic_index(&box, i, j, 0)] = 8;
                    f[5][gyre_classic_index(&box, i, j, 0)] = 4;
                }
        OK(gyre_classic_vel_step(&box, f, f + 2, 0, 0.05f));
        OK(gyre_classic_dens_step(&box, f[4], f[5], carrier, 0, 0.05f));
        OK(gyre_model_step(model, 0.05f));
    }
    static const char *const names[] = {"velocity_x", "velocity_y", "density"};
    static const int arrays[] = {0, 1, 4};
    for (int a = 0; a < 3; a++) {
        gyre_field_view v;
        int field = gyre_model_field(model, names[a]);
        OK(gyre_model_map(model, field, GYRE_READ, &v));
        assert_int_equal(v.n[0], N);
        for (int j = 0; j < N; j++)
            assert_memory_equal(v.data + j * v.stride[1],
                                f[arrays[a]] + gyre_classic_index(&box, 1, j + 1, 0),
                                N * sizeof(float));
        OK(gyre_model_unmap(model, field));
    }
    for (int a = 0; a < 6; a++)
        free(f[a]);
    gyre_model_destroy(model);
}

static void test_tables(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_classic_emitter emitter;
        gyre_classic_solid solid;
        gyre_model *model = make(dim, &emitter, &solid), *other = make(dim, &emitter, &solid);
        gyre_value value = gyre_number(3);
        for (int step = 0; step < 5; step++)
            OK(gyre_model_step(model, 0.05f));
        OK(gyre_model_set(model, "confinement", &value));
        OK(gyre_model_set(model, "emitters.jet.density", &value));
        value = gyre_number(-1);
        assert_int_equal(gyre_model_set(model, "viscosity", &value), GYRE_ERROR_ARGUMENT);
        assert_true(gyre_model_total(model, gyre_model_field(model, "density")) > 0.005);
        // A checkpoint goes on as the original does, to the last bit.
        size_t size = gyre_model_save_size(model);
        void *memory = malloc(size);
        OK(gyre_model_save(model, memory, size, NULL));
        OK(gyre_model_load(other, memory, size));
        for (int step = 0; step < 5; step++) {
            OK(gyre_model_step(model, 0.05f));
            OK(gyre_model_step(other, 0.05f));
        }
        assert_true(gyre_model_hash(model) == gyre_model_hash(other));
        const void *stats;
        gyre_model_stats(model, &stats);
        assert_true(((const gyre_classic_stats *)stats)->max_speed > 0.05f);
        assert_int_equal(((const gyre_classic_stats *)stats)->step, 10);
        gyre_field_view v;
        int field = gyre_model_field(model, "solid");
        OK(gyre_model_map(model, field, GYRE_READ, &v));
        assert_true(v.data[N * 3 / 4 + v.stride[1] * N / 2 + (dim == 3 ? 4 * v.stride[2] : 0)] ==
                    1);
        assert_true(v.data[0] == 0);
        OK(gyre_model_unmap(model, field));
        free(memory);
        gyre_model_destroy(model);
        gyre_model_destroy(other);
    }
}

static void test_any_step_stays_finite(void **state)
{
    (void)state;
    static const float steps[] = {0, 1e-30f, 0.1f, 1e4f, 3e38f, 0.1f};
    gyre_classic_emitter emitter;
    gyre_classic_solid solid;
    gyre_model *model = make(2, &emitter, &solid);
    gyre_value most = gyre_number(1e6), confinement = gyre_number(1e3);
    gyre_value force = gyre_vector(3, (const float[]){1e6f, -1e6f, 0});
    OK(gyre_model_set(model, "emitters.jet.force", &force));
    OK(gyre_model_set(model, "emitters.jet.density", &most));
    OK(gyre_model_set(model, "diffusivity", &most));
    OK(gyre_model_set(model, "viscosity", &most));
    OK(gyre_model_set(model, "confinement", &confinement));
    for (int i = 0; i < 30; i++) {
        OK(gyre_model_step(model, steps[i % 6]));
        for (int f = 0; f < 3; f++) {
            gyre_field_view v;
            OK(gyre_model_map(model, f, GYRE_READ, &v));
            for (int j = 0; j < N; j++)
                for (int x = 0; x < N; x++)
                    assert_true(isfinite(v.data[x + j * v.stride[1]]));
            OK(gyre_model_unmap(model, f));
        }
    }
    assert_int_equal(gyre_model_step(model, NAN), GYRE_ERROR_ARGUMENT);
    gyre_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    gyre_model *model = NULL;
    gyre_classic_def def = gyre_classic_default_def(2);
    def.grid.n[0] = 0;
    assert_int_equal(gyre_model_create(device, "classic", &def, &model), GYRE_ERROR_ARGUMENT);
    def = gyre_classic_default_def(2);
    def.sides.x_low.rule = 1;
    assert_int_equal(gyre_model_create(device, "classic", &def, &model), GYRE_ERROR_ARGUMENT);
    def = gyre_classic_default_def(2);
    def.cookie = 0;
    assert_int_equal(gyre_model_create(device, "classic", &def, &model), GYRE_ERROR_ARGUMENT);
    def = gyre_classic_default_def(2);
    def.viscosity = NAN;
    assert_int_equal(gyre_model_create(device, "classic", &def, &model), GYRE_ERROR_ARGUMENT);
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_the_solver),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_any_step_stays_finite),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
