// test/test_sharing.c: a device and its models among threads, and a device given up before them.
// labels: small threads
#include "check.h"
#include "gas_case.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { MODELS = 3, ROUNDS = 12 };

static gyre_model *make(gyre_device *device, int which)
{
    gyre_model *model = NULL;
    gyre_gas_def gas = gyre_gas_default_def(2);
    gyre_gas_emitter jet = gyre_gas_default_emitter();
    gyre_water_def water = gyre_water_default_def(2);
    gyre_classic_def classic = gyre_classic_default_def(2);
    if (which == 0) {
        gas_case_size(&gas, 96, 96, 1, 1.0f);
        jet.shape = gas_sphere(0.5f, 0.2f, 0.0f, 0.1f);
        jet.temperature = 90.0f;
        gas.emitters = (gyre_pool){&jet, 1, 8};
        must(gyre_model_create(device, "gas", &gas, &model));
    } else if (which == 1) {
        water.mode = GYRE_WATER_SHALLOW;
        water.grid.n[0] = water.grid.n[1] = 130;
        water.level = 1.0f;
        water.bed.slope[0] = 0.05f;
        must(gyre_model_create(device, "water", &water, &model));
    } else {
        must(gyre_model_create(device, "classic", &classic, &model));
    }
    return model;
}

// Every verb that asks something of the device.
static gyre_result use(gyre_model *model, uint64_t *hash)
{
    const float centre[3] = {0.5f, 0.4f, 0.0f};
    gyre_result r = GYRE_OK;
    *hash = 0;
    for (int round = 0; round < ROUNDS && r == GYRE_OK; round++) {
        gyre_field_view view;
        const void *stats;
        int count = 0, derived = 0;
        const gyre_field_info *fields = gyre_model_fields(model, &count);
        while (!fields[derived].derived) {
            derived++;
        }
        r = gyre_model_splat(model, 0, centre, 0.1f, 0.1f);
        for (int s = 0; s < 3 && r == GYRE_OK; s++) {
            r = gyre_model_step(model, 0.01f);
        }
        if (r == GYRE_OK) {
            r = gyre_model_map(model, derived, GYRE_READ, &view);
        }
        if (r == GYRE_OK) {
            r = gyre_model_unmap(model, derived);
        }
        gyre_model_stats(model, &stats);
        size_t size = gyre_model_save_size(model);
        void *saved = malloc(size);
        if (r == GYRE_OK) {
            r = gyre_model_save(model, saved, size, NULL);
        }
        if (r == GYRE_OK) {
            r = gyre_model_step(model, 0.02f);
        }
        if (r == GYRE_OK) {
            r = gyre_model_load(model, saved, size);
        }
        free(saved);
        *hash = *hash * 3 + gyre_model_hash(model) + (uint64_t)(gyre_model_total(model, 0) * 1e6);
    }
    return r;
}

typedef struct worker {
    gyre_device *device;
    int which;
    gyre_result result;
    uint64_t hash;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    gyre_model *model = make(w->device, w->which);
    w->result = use(model, &w->hash);
    gyre_model_destroy(model);
    return NULL;
}

static gyre_device *device_of(int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = threads;
    must(gyre_device_create(&def, &device));
    return device;
}

// The same bits as alone, and nobody waits for ever.
static void threads_take_turns_at_one_device(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        worker alone[MODELS], beside[2 * MODELS];
        pthread_t thread[2 * MODELS];
        gyre_device *device = device_of(threads);
        alarm(240);
        for (int i = 0; i < MODELS; i++) {
            alone[i] = (worker){device, i, GYRE_OK, 0};
            work(&alone[i]);
            must(alone[i].result);
        }
        for (int i = 0; i < 2 * MODELS; i++) {
            beside[i] = (worker){device, i % MODELS, GYRE_OK, 0};
            assert_int_equal(pthread_create(&thread[i], NULL, work, &beside[i]), 0);
        }
        for (int i = 0; i < 2 * MODELS; i++) {
            pthread_join(thread[i], NULL);
            assert_int_equal(beside[i].result, GYRE_OK);
            assert_true(beside[i].hash == alone[i % MODELS].hash);
        }
        gyre_device_destroy(device);
        alarm(0);
    }
}

typedef struct asker {
    gyre_device *device;
    gyre_model *model;
    int inner[8];
    float value[8];
} asker;

static void inner_task(void *argument, int index)
{
    (void)index;
    ++*(int *)argument;
}

static void ask(void *argument, int index)
{
    asker *a = argument;
    const float point[3] = {0.5f, 0.4f, 0.0f};
    gyre_device_parallel_for(a->device, 5, inner_task, &a->inner[index]);
    gyre_model_probe(a->model, 0, point, 1, &a->value[index]);
}

// A task may probe, and run a loop of its own, which then runs on its thread.
static void a_task_may_ask(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        asker a = {.device = device_of(threads)};
        const float centre[3] = {0.5f, 0.4f, 0.0f};
        a.model = make(a.device, 0);
        must(gyre_model_splat(a.model, 0, centre, 0.2f, 3.0f));
        alarm(60);
        gyre_device_parallel_for(a.device, 8, ask, &a);
        alarm(0);
        for (int i = 0; i < 8; i++) {
            assert_int_equal(a.inner[i], 5);
            assert_true(a.value[i] > 2.0f);
        }
        gyre_model_destroy(a.model);
        gyre_device_destroy(a.device);
    }
}

// ---- a device given up too early

static int64_t bytes_out;
static char logged[256];

static void *take(void *user, size_t size, size_t alignment)
{
    (void)user;
    bytes_out += (int64_t)size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give(void *user, void *memory, size_t size)
{
    (void)user;
    bytes_out -= (int64_t)size;
    free(memory);
}

static void note(void *user, gyre_log_level level, const char *message)
{
    (void)user;
    if (level == GYRE_LOG_WARNING) {
        strncpy(logged, message, sizeof logged - 1);
    }
}

static void a_device_outlives_what_uses_it(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    def.threads = 3;
    def.host.allocate = take;
    def.host.release = give;
    def.host.log = note;
    gyre_poisson_def system = gyre_poisson_default_def(2);
    gyre_device *device = NULL;
    gyre_poisson *poisson = NULL;
    gyre_model *model[MODELS];
    must(gyre_device_create(&def, &device));
    for (int i = 0; i < MODELS; i++) {
        model[i] = make(device, i);
    }
    must(gyre_poisson_create(device, &system, &poisson));
    gyre_device_destroy(device);
    assert_non_null(strstr(logged, "4"));
    for (int i = 0; i < MODELS; i++) {
        must(gyre_model_step(model[i], 0.01f));
        assert_true(gyre_model_device(model[i]) == device);
        gyre_model_destroy(model[i]);
        assert_true(bytes_out > 0);
    }
    must(gyre_poisson_solve(poisson, true, NULL));
    gyre_poisson_destroy(poisson);
    assert_int_equal(bytes_out, 0);
    // In order nothing is said.
    logged[0] = 0;
    must(gyre_device_create(&def, &device));
    model[0] = make(device, 0);
    gyre_model_destroy(model[0]);
    gyre_device_destroy(device);
    assert_int_equal(bytes_out, 0);
    assert_string_equal(logged, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_take_turns_at_one_device),
        cmocka_unit_test(a_task_may_ask),
        cmocka_unit_test(a_device_outlives_what_uses_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
