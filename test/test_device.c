// Devices: how boxes are cut, that each piece runs once whatever the threads, and in which
// floating-point environment.
// labels: golden small threads
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/os.h"
#include "device/backend.h"
#include "device/cpu.h"
#include "sanitized.h"

static const int thread_counts[] = {1, 2, 3, 8, 33};

static gyre_device *make(int threads)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static void add_one(void *argument, int index)
{
    atomic_fetch_add(&((atomic_int *)argument)[index], 1);
}

static void every_index_once(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static atomic_int seen[MOST];
    static const int counts[] = {0, 1, 2, 7, 256, MOST, -5};
    for (int t = 0; t < GY_COUNT(thread_counts); t++) {
        gyre_device *device = make(thread_counts[t]);
        assert_int_equal(gyre_device_threads(device), thread_counts[t]);
        for (int round = 0; round < (in_short() ? 9 : 40); round++) {
            for (int c = 0; c < GY_COUNT(counts); c++) {
                for (int i = 0; i < MOST; i++)
                    atomic_store(&seen[i], 0);
                gyre_device_parallel_for(device, counts[c], add_one, seen);
                for (int i = 0; i < MOST; i++)
                    assert_int_equal(atomic_load(&seen[i]), i < counts[c] ? 1 : 0);
            }
            // Now and then long enough that the workers fall asleep.
            double end = gy_os_now() + (round % 8 == 0 ? 2e-3 : 0.0);
            while (gy_os_now() < end)
                continue;
        }
        gyre_device_destroy(device);
    }
}

static void many_short_loops(void **state)
{
    (void)state;
    gyre_device *device = make(2);
    static atomic_int seen[4];
    for (int i = 0; i < 4; i++)
        atomic_store(&seen[i], 0);
    const int rounds = in_short() ? 4000 : 20000;
    for (int round = 0; round < rounds; round++)
        gyre_device_parallel_for(device, 4, add_one, seen);
    for (int i = 0; i < 4; i++)
        assert_int_equal(atomic_load(&seen[i]), rounds);
    gyre_device_destroy(device);
}

typedef struct host_calls {
    int calls, tasks;
} host_calls;

static void backwards(void *user, int count, gyre_task *task, void *argument)
{
    host_calls *calls = user;
    calls->calls++;
    for (int i = count - 1; i >= 0; i--, calls->tasks++)
        task(argument, i);
}

static void host_runs_the_tasks(void **state)
{
    (void)state;
    host_calls calls = {0};
    gyre_device_def def = gyre_default_device_def();
    def.threads = 5;
    def.host.parallel_for = backwards;
    def.host.user = &calls;
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    assert_int_equal(gyre_device_threads(device), 0);
    static atomic_int seen[100];
    for (int i = 0; i < 100; i++)
        atomic_store(&seen[i], 0);
    gyre_device_parallel_for(device, 100, add_one, seen);
    for (int i = 0; i < 100; i++)
        assert_int_equal(atomic_load(&seen[i]), 1);
    assert_int_equal(calls.calls, 1);
    assert_int_equal(calls.tasks, 100);
    gyre_device_destroy(device);
}

static void no_def_means_the_default(void **state)
{
    (void)state;
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(NULL, &device), GYRE_OK);
    assert_string_not_equal(gyre_device_isa(device), "null");
    gyre_device_destroy(device);
}

static void bad_defs_are_refused(void **state)
{
    (void)state;
    gyre_device *device = NULL;
    gyre_device_def def = {0};
    assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "gyre_device_def"));
    def = gyre_default_device_def();
    assert_int_equal(gyre_device_create(&def, NULL), GYRE_ERROR_ARGUMENT);
    const int threads[] = {-1, 257, INT32_MIN};
    for (int i = 0; i < GY_COUNT(threads); i++) {
        def = gyre_default_device_def();
        def.threads = threads[i];
        assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "threads"));
    }
    def = gyre_default_device_def();
    def.kind = (gyre_device_kind)7;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
    def = gyre_default_device_def();
    def.isa = "altivec";
    assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "altivec"));
    assert_non_null(strstr(gyre_message(), "baseline, avx2, avx512, neon"));
#if defined(__x86_64__)
    def.isa = "neon";
#else
    def.isa = "avx512";
#endif
    assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(gyre_message(), "baseline"));
    assert_null(device);
    gyre_device_destroy(NULL);
}

static void isas_can_be_forced(void **state)
{
    (void)state;
    assert_string_equal(gyre_isa_name(0), "baseline");
    assert_null(gyre_isa_name(-1));
    int count = 0;
    for (; gyre_isa_name(count); count++) {
        gyre_device_def def = gyre_default_device_def();
        def.threads = 1;
        def.isa = gyre_isa_name(count);
        gyre_device *device = NULL;
        assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
        assert_string_equal(gyre_device_isa(device), gyre_isa_name(count));
        assert_string_equal(((gy_cpu *)device->state)->table->name, gyre_isa_name(count));
        gyre_device_destroy(device);
    }
    gyre_device *device = make(1);
    assert_string_equal(gyre_device_isa(device), gyre_isa_name(count - 1));
    gyre_device_destroy(device);
    gyre_device_def def = gyre_default_device_def();
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    assert_int_equal(gyre_device_threads(device), GY_MIN(gy_os_cores(), 256));
    gyre_device_destroy(device);
}

// What a recording body sees.
typedef struct record {
    gy_box box; // whole
    atomic_int *cells;
    atomic_int tasks[GY_MAX_TASKS];
} record;

static void recording_body(const void *args, const gy_box *box, int task)
{
    record *r = *(record *const *)args;
    const int *low = r->box.low, *high = r->box.high;
    atomic_fetch_add(&r->tasks[task], 1);
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int i = box->low[0]; i < box->high[0]; i++) {
                int at = ((k - low[2]) * (high[1] - low[1]) + j - low[1]) * (high[0] - low[0]) + i -
                         low[0];
                atomic_fetch_add(&r->cells[at], 1);
            }
        }
    }
}

static void set_bodies(gyre_device *device, gy_isa_table *table, gy_body *body)
{
    table->name = "test";
    for (int op = 0; op < GY_OP_COUNT; op++)
        table->body[op] = body;
    ((gy_cpu *)device->state)->table = table;
}

static void check_run(gyre_device *device, gy_op op, gy_box box)
{
    static record r;
    int64_t cells = 1;
    for (int a = 0; a < 3; a++)
        cells *= GY_MAX(0, box.high[a] - box.low[a]);
    r.box = box;
    r.cells = calloc((size_t)cells + 1, sizeof *r.cells);
    for (int i = 0; i < GY_MAX_TASKS; i++)
        atomic_store(&r.tasks[i], 0);
    record *args = &r;
    gy_run(device, op, &args, box);
    int count = gy_task_count(op, box);
    assert_in_range(count, cells ? 1 : 0, cells ? GY_MAX_TASKS : 0);
    for (int i = 0; i < GY_MAX_TASKS; i++)
        assert_int_equal(atomic_load(&r.tasks[i]), i < count ? 1 : 0);
    for (int64_t i = 0; i < cells; i++)
        assert_int_equal(atomic_load(&r.cells[i]), 1);
    free(r.cells);
}

static void every_cell_once(void **state)
{
    (void)state;
    static const gy_box boxes[] = {
        {{0, 0, 0}, {1, 1, 1}},     {{0, 0, 0}, {0, 4, 4}},        {{3, 3, 3}, {3, 2, 9}},
        {{0, 0, 0}, {64, 64, 1}},   {{0, 0, 0}, {512, 512, 1}},    {{-1, -1, -1}, {97, 145, 9}},
        {{0, 0, 0}, {3, 5, 700}},   {{5, 0, 0}, {9000, 1, 1}},     {{4095, 0, 0}, {4097, 1, 1}},
        {{0, 0, 0}, {1, 4096, 70}}, {{100, 0, 0}, {1100000, 1, 1}}};
    for (int t = 0; t < 3; t++) {
        gyre_device *device = make(thread_counts[t]);
        gy_isa_table table;
        set_bodies(device, &table, recording_body);
        for (int op = 0; op < GY_OP_COUNT; op++) {
            bool first = true; // of its kind
            for (int other = 0; other < op; other++)
                first = first && gy_kind((gy_op)other) != gy_kind((gy_op)op);
            for (int b = 0; first && b < GY_COUNT(boxes); b++)
                check_run(device, (gy_op)op, boxes[b]);
        }
        assert_true(gyre_device_op_count(device) >= (uint64_t)GY_COUNT(boxes));
        gyre_device_destroy(device);
    }
}

// All three kinds, whichever of them the list of ops has just now.
static void cuts_have_the_promised_shape(void **state)
{
    (void)state;
    for (int n = 1; n <= 4096; n = n * 5 / 3 + 1) {
        for (int nz = 1; nz <= 4096; nz = nz * 3 + 1) {
            gy_box box = {{-1, 0, 2}, {n, n, 2 + nz}};
            gy_cut cut = gy_cut_make(GY_ROWS, &box);
            assert_in_range(cut.count, 1, GY_MAX_TASKS);
            int z = box.low[2], y = box.low[1];
            for (int i = 0; i < cut.count; i++) {
                gy_box piece = gy_cut_piece(&cut, i);
                assert_int_equal(piece.low[0], box.low[0]);
                assert_int_equal(piece.high[0], box.high[0]);
                assert_true(piece.low[1] == y && piece.low[2] == z);
                assert_true(piece.high[1] > y && piece.high[2] > z);
                y = piece.high[1] == box.high[1] ? box.low[1] : piece.high[1];
                z = piece.high[1] == box.high[1] ? piece.high[2] : z;
            }
            assert_true(y == box.low[1] && z == box.high[2]);
            gy_cut coarse = gy_cut_make(GY_COARSE, &box);
            gy_box whole = gy_cut_piece(&coarse, 0);
            assert_int_equal(coarse.count, 1);
            assert_memory_equal(&whole, &box, sizeof box);
        }
    }
    gy_box cube = gy_box_make(128, 128, 128), square = gy_box_make(1024, 1024, 1);
    assert_int_equal(gy_cut_make(GY_ROWS, &cube).count, 128);
    assert_int_equal(gy_cut_make(GY_ROWS, &square).count, 64);
    static const int ranges[][2] = {{0, 1}, {0, 4096}, {1, 4098}, {4095, 4097}, {7, 100000000}};
    for (int r = 0; r < GY_COUNT(ranges); r++) {
        gy_box box = {{ranges[r][0], 0, 0}, {ranges[r][1], 1, 1}};
        gy_cut cut = gy_cut_make(GY_ITEMS, &box);
        assert_in_range(cut.count, 1, GY_MAX_TASKS);
        int at = box.low[0];
        for (int i = 0; i < cut.count; i++) {
            gy_box piece = gy_cut_piece(&cut, i);
            assert_true(piece.low[0] == at && piece.high[0] > at);
            assert_true(i == 0 || at % 4096 == 0);
            at = piece.high[0];
        }
        assert_int_equal(at, box.high[0]);
    }
}

static atomic_int wrong;

static void environment_body(const void *args, const gy_box *box, int task)
{
    (void)args, (void)box, (void)task;
    volatile float tiny = 1e-40f, sum = 1.0f, one = 1.0f;
    tiny = tiny * one;
    sum = sum + 0x1p-25f; // up to the next float, unless rounded to the nearest
    if (tiny == 0.0f || sum != 1.0f)
        atomic_fetch_add(&wrong, 1);
}

static void environment_task(void *argument, int index)
{
    (void)argument;
    environment_body(NULL, NULL, index);
}

#if defined(__SSE2__)
#include <xmmintrin.h>
static void flush_denormals(bool on)
{
    _mm_setcsr(on ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
}
static bool flushes_denormals(void)
{
    return (_mm_getcsr() & 0x8040u) == 0x8040u;
}
#elif defined(__aarch64__)
static void flush_denormals(bool on)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    fpcr = on ? fpcr | (uint64_t)1 << 24 : fpcr & ~((uint64_t)1 << 24);
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
}
static bool flushes_denormals(void)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr >> 24 & 1u;
}
#else
static bool flushing;
static void flush_denormals(bool on)
{
    flushing = on;
}
static bool flushes_denormals(void)
{
    return flushing;
}
#endif

static void environment_is_set_and_restored(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        // Set before the pool starts, for threads inherit it.
        fesetround(FE_UPWARD);
        flush_denormals(true);
        gyre_device *device = make(thread_counts[t]);
        gy_isa_table table;
        set_bodies(device, &table, environment_body);
        atomic_store(&wrong, 0);
        gy_run(device, (gy_op)0, NULL, gy_box_make(512, 512, 8));
        gyre_device_parallel_for(device, 100, environment_task, NULL);
        bool kept = fegetround() == FE_UPWARD && flushes_denormals();
        gyre_device_destroy(device);
        flush_denormals(false);
        fesetround(FE_TONEAREST);
        assert_true(kept);
        assert_int_equal(atomic_load(&wrong), 0);
    }
}

static void must_not_run(const void *args, const gy_box *box, int task)
{
    (void)args, (void)box, (void)task;
    abort();
}

static void null_device_counts(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    def.kind = GYRE_DEVICE_NULL;
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    assert_string_equal(gyre_device_isa(device), "null");
    for (int i = 0; i < 10; i++)
        gy_run(device, (gy_op)0, NULL, gy_box_make(64, 64, 1)); // NULL args: a body would crash
    assert_int_equal(gyre_device_op_count(device), 10);
    static atomic_int seen[3];
    gyre_device_parallel_for(device, 3, add_one, seen);
    assert_int_equal(atomic_load(&seen[2]), 1);
    assert_non_null(gy_device_host(device)->allocate);
    gyre_device_destroy(device);
}

static void empty_boxes_run_nothing(void **state)
{
    (void)state;
    gyre_device *device = make(2);
    gy_isa_table table;
    set_bodies(device, &table, must_not_run);
    for (int op = 0; op < GY_OP_COUNT; op++)
        gy_run(device, (gy_op)op, NULL, gy_box_make(10, 0, 10));
    gyre_device_destroy(device);
}

static void names_of_devices(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int kind; // -1: refused
        const char *name;
    } cases[] = {{"cpu", GYRE_DEVICE_CPU, NULL},
                 {"null", GYRE_DEVICE_NULL, NULL},
                 {"vulkan", GYRE_DEVICE_VULKAN, NULL},
                 {"vulkan:0", GYRE_DEVICE_VULKAN, "0"},
                 {"vulkan:a card: 2", GYRE_DEVICE_VULKAN, "a card: 2"},
                 {"", -1, NULL},
                 {"cpu:1", -1, NULL},
                 {"vulkan:", -1, NULL},
                 {"Vulkan", -1, NULL},
                 {"vulkano", -1, NULL},
                 {"vul", -1, NULL}};
    for (int i = 0; i < GY_COUNT(cases); i++) {
        gyre_device_def def = gyre_default_device_def();
        gyre_result result = gyre_device_parse(cases[i].text, &def);
        assert_int_equal(result, cases[i].kind < 0 ? GYRE_ERROR_ARGUMENT : GYRE_OK);
        assert_int_equal(def.kind, cases[i].kind < 0 ? GYRE_DEVICE_CPU : cases[i].kind);
        if (cases[i].name)
            assert_string_equal(def.vulkan.name, cases[i].name);
        else
            assert_null(def.vulkan.name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_once),
        cmocka_unit_test(many_short_loops),
        cmocka_unit_test(host_runs_the_tasks),
        cmocka_unit_test(no_def_means_the_default),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(isas_can_be_forced),
        cmocka_unit_test(every_cell_once),
        cmocka_unit_test(cuts_have_the_promised_shape),
        cmocka_unit_test(environment_is_set_and_restored),
        cmocka_unit_test(null_device_counts),
        cmocka_unit_test(empty_boxes_run_nothing),
        cmocka_unit_test(names_of_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
