// labels: vulkan
// timeout: 600
// Particles on a Vulkan device against the CPU: their order, tracers in gases, dust on linear
// waves, where they come from and go to; states that change the device; a step is one submission
// that waits for nothing; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gas/tracers.h"
#include "gyre/gyre.h"
#include "ops/particle/particle.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

enum { BUCKETS = GY_PARTICLE_BUCKETS };

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != GYRE_OK) {                                                                   \
            fail_msg("%s: %s", #call, gyre_message());                                             \
        }                                                                                          \
    } while (0)

// ---- order --------------------------------------------------------------------------------------

typedef struct heap {
    int dim, n[3];
    int count, box; // there; and as many as the host takes for there
    int kind;       // 0: anywhere; 1: all in one cell; 2: every third one gone; 3: all gone
} heap;

enum { ARRAYS = 5 };

static gy_particle_args take_heap(rig_block *b, const heap *h)
{
    int64_t cells = (int64_t)h->n[0] * h->n[1] * h->n[2];
    uint32_t step = ((uint32_t)h->box * 4 + 63) / 64 + 1;
    gy_particle_args a = {.step = step,
                          .arrays = ARRAYS,
                          .n = {h->n[0], h->n[1], h->n[2]},
                          .dim = h->dim,
                          .origin = {-0.5f, 0.25f, 1.0f},
                          .inverse = 8.0f};
    while ((cells - 1) >> a.coarse >= (int64_t)BUCKETS * GY_PARTICLE_MOST_BINS) {
        a.coarse++;
    }
    while ((cells - 1) >> (a.coarse + a.shift) >= BUCKETS) {
        a.shift++;
    }
    a.tasks = gy_task_count(GY_OP_particle_key, gy_box_make(h->box, 1, 1));
    *b = rig_take_block((size_t)step * 64 * (2 * ARRAYS + 2) + ((size_t)128 << a.shift) +
                        (size_t)GY_MAX_TASKS * BUCKETS * 4 + 65536);
    a.base = rig_base(b);
    a.from = rig_take_bytes(b, (size_t)step * 64 * ARRAYS);
    a.to = rig_take_bytes(b, (size_t)step * 64 * ARRAYS);
    a.keys = rig_take_bytes(b, (size_t)step * 64);
    a.sorted = rig_take_bytes(b, (size_t)step * 64);
    a.counts = rig_take_bytes(b, sizeof(uint32_t) * GY_MAX_TASKS * BUCKETS);
    a.starts = rig_take_bytes(b, sizeof(uint32_t) * (BUCKETS + 1));
    a.bins = rig_take_bytes(b, (size_t)128 << a.shift);
    a.now = rig_take_bytes(b, sizeof(gy_particle_now));
    a.gone = rig_take_bytes(b, sizeof(uint32_t) * GY_MAX_TASKS);
    return a;
}

static float *heap_array(const rig_block *b, const gy_particle_args *a, int array)
{
    return rig_at(b, a->from + (uint32_t)array * a->step);
}

static void fill_heap(const rig_block *b, const heap *h, const gy_particle_args *a)
{
    for (int i = 0; i < h->box; i++) {
        for (int d = 0; d < 3; d++) {
            float size = (float)h->n[d] / a->inverse, low = h->kind == 1 ? 0.5f * size : 0.0f;
            float high = h->kind == 1 ? low + 0.01f : size;
            // A hair outside is inside.
            heap_array(b, a, d)[i] = a->origin[d] + rig_float(low - 0.01f, high + 0.01f);
        }
        ((uint32_t *)(void *)heap_array(b, a, 3))[i] = (uint32_t)i;
        ((uint32_t *)(void *)heap_array(b, a, 4))[i] = rig_bits();
        if (h->kind == 3 || (h->kind == 2 && i % 3 == 0)) {
            heap_array(b, a, 0)[i] = GY_PARTICLE_GONE;
        }
    }
    *(gy_particle_now *)rig_at(b, a->now) = (gy_particle_now){.count = (uint32_t)h->count};
}

static void sort_heap(rig_block *b, const gy_particle_args *a, int box)
{
    rig_run(b, GY_OP_particle_key, a, gy_box_make(box, 1, 1));
    rig_run(b, GY_OP_particle_starts, a, gy_box_make(1, 1, 1));
    rig_run(b, GY_OP_particle_scatter, a, gy_box_make(box, 1, 1));
    rig_run(b, GY_OP_particle_order, a, gy_box_make(BUCKETS, 1, 1));
    rig_fetch(b);
}

static int left_in(const rig_block *b, const gy_particle_args *a)
{
    return (int)((const gy_particle_now *)rig_at(b, a->now))->count;
}

static void they_are_sorted_as_on_the_cpu(void **state)
{
    (void)state;
    static const heap heaps[] = {{2, {7, 5, 1}, 1, 1, 0},
                                 {2, {16, 16, 1}, 255, 255, 0},
                                 {2, {16, 16, 1}, 256, 300, 0},
                                 {3, {8, 6, 7}, 5000, 5000, 2},
                                 {3, {40, 36, 28}, 60000, 70000, 2},
                                 {3, {40, 36, 28}, 10000, 10000, 1},
                                 {3, {300, 300, 30}, 50000, 50000, 0},
                                 {2, {4096, 2048, 1}, 30000, 30001, 2},
                                 {3, {512, 256, 128}, 30000, 30000, 0},
                                 {3, {20, 20, 20}, 3000, 9000, 3},
                                 {3, {64, 64, 64}, 1000000, 1000000, 2}};
    for (int q = 0; q < GY_COUNT(heaps); q++) {
        const heap *h = &heaps[q];
        rig_block b;
        gy_particle_args a = take_heap(&b, h);
        fill_heap(&b, h, &a);
        rig_share(&b);
        sort_heap(&b, &a, h->box);
        int left = left_in(&b, &a);
        assert_int_equal(left, h->kind == 3   ? 0
                               : h->kind == 2 ? h->count - (h->count + 2) / 3
                                              : h->count);
        rig_same_bytes(&b, a.now, sizeof(gy_particle_now), "how many are left");
        for (int array = 0; array < ARRAYS; array++) {
            rig_same_bytes(&b, a.from + (uint32_t)array * a.step, (size_t)left * 4, "an array");
        }
        rig_give_back(&b);
    }
}

static void they_come_and_go_as_on_the_cpu(void **state)
{
    (void)state;
    static const heap h = {3, {20, 20, 20}, 1234, 4000, 0};
    rig_block b;
    gy_particle_args a = take_heap(&b, &h);
    fill_heap(&b, &h, &a);
    for (int i = 0; i < 1000; i++) {
        for (int q = 0; q < ARRAYS; q++) {
            ((uint32_t *)rig_at(&b, a.to + (uint32_t)q * a.step))[i] = rig_bits();
        }
    }
    a.more = 777;
    ((uint32_t *)rig_at(&b, a.gone))[0] = 1;
    rig_share(&b);
    rig_run(&b, GY_OP_particle_append, &a, gy_box_make(a.more, 1, 1));
    rig_run(&b, GY_OP_particle_grow, &a, gy_box_make(1, 1, 1));
    rig_run(&b, GY_OP_particle_settle, &a, gy_box_make(1, 1, 1));
    rig_fetch(&b);
    assert_int_equal(left_in(&b, &a), 1234 + 777);
    assert_int_equal(((gy_particle_now *)rig_at(&b, a.now))->settled, 0);
    rig_same_block(&b, "after some came and one was found gone");
    for (int always = 0; always < 2; always++) {
        a.always = always;
        rig_run(&b, GY_OP_particle_settle, &a, gy_box_make(1, 1, 1));
        rig_fetch(&b);
        assert_int_equal(((gy_particle_now *)rig_at(&b, a.now))->settled, !always);
        rig_same_block(&b, "after none was found gone");
    }
    rig_give_back(&b);
}

// ---- models -------------------------------------------------------------------------------------

static gyre_particle_stats stats_of(gyre_model *model)
{
    gyre_particle_stats s;
    OK(gyre_model_particle_stats(model, 0, &s));
    return s;
}

static gyre_particle_view open_set(gyre_model *model)
{
    gyre_particle_view v;
    OK(gyre_model_map_particles(model, 0, GYRE_READ, &v));
    return v;
}

typedef struct likeness {
    double worst; // m between particles of a number
    int moved;    // that stand elsewhere in the order
} likeness;

static void same_counts(gyre_model *a, gyre_model *b)
{
    gyre_particle_stats x = stats_of(a), y = stats_of(b);
    assert_int_equal(x.count, y.count);
    assert_int_equal(x.seeded, y.seeded);
    assert_int_equal(x.lost, y.lost);
    assert_int_equal(x.refused, y.refused);
}

/// Of two models with the same particles.
static likeness compare(gyre_model *a, gyre_model *b)
{
    gyre_particle_view x = open_set(a), y = open_set(b);
    const int32_t *id[2] = {x.data[4], y.data[4]};
    likeness l = {0};
    assert_int_equal(x.count, y.count);
    int most = 0, *where;
    for (int i = 0; i < x.count; i++) {
        most = GY_MAX(most, GY_MAX(id[0][i], id[1][i]));
    }
    where = calloc((size_t)most + 1, sizeof *where);
    for (int i = 0; i < y.count; i++) {
        where[id[1][i]] = i + 1;
    }
    for (int i = 0; i < x.count; i++) {
        int j = where[id[0][i]] - 1;
        if (j < 0) {
            fail_msg("number %d is gone from one device alone", id[0][i]);
        }
        double sum = 0.0;
        for (int d = 0; d < 3; d++) {
            double way =
                (double)((const float *)x.data[d])[i] - (double)((const float *)y.data[d])[j];
            sum += way * way;
        }
        l.worst = fmax(l.worst, sqrt(sum));
        l.moved += i != j;
        assert_true(((const float *)x.data[3])[i] == ((const float *)y.data[3])[j]);
    }
    free(where);
    OK(gyre_model_unmap_particles(a, 0, x.count));
    OK(gyre_model_unmap_particles(b, 0, y.count));
    return l;
}

typedef enum tracer_case {
    OPEN_3D,
    LIVES_3D,
    PERIODIC_2D,
    ROOM_3D,
    OLD_2D,
    TRACER_CASES
} tracer_case;

static void fill_tracers(tracer_case which, gyre_gas_def *def)
{
    static gyre_gas_emitter emitter;
    static gyre_gas_solid solids[2];
    bool flat = which == PERIODIC_2D || which == OLD_2D;
    *def = flat ? sized(2, 48, 40, 1) : sized(3, 22, 18, 15);
    emitter = ball(0.5f, 0.2f, flat ? 0.0f : 0.35f, 0.12f);
    emitter.temperature = 4000.0f;
    emitter.tracers = which == ROOM_3D ? 40000.0f : 9000.0f;
    def->gravity[1] = -9.81f;
    def->emitters = (gyre_pool){.items = &emitter, .count = 1};
    def->tracers.capacity = which == ROOM_3D ? 6000 : 20000;
    def->tracers.start = 5000;
    def->tracers.life = which == LIVES_3D ? 0.2f : 0.0f;
    def->advection = which == OLD_2D ? GYRE_GAS_MACCORMACK : GYRE_GAS_CONSERVATIVE;
    if (which == PERIODIC_2D) {
        def->sides.x_low.rule = def->sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    }
    if (which == OPEN_3D) {
        emitter.shape.as.sphere.centre[0] = 0.12f;
        emitter.push = true;
        emitter.velocity[0] = -4.0f;
    }
    if (which == OPEN_3D || which == LIVES_3D) {
        def->sides.y_high.rule = def->sides.x_low.rule = GYRE_GAS_SIDE_OPEN;
    }
    if (which != OLD_2D) {
        float z = flat ? 0.0f : 0.35f;
        solids[0] = solids[1] = gyre_gas_default_solid();
        solids[0].shape = gyre_sphere((float[3]){0.5f, 0.5f, z}, 0.15f);
        solids[1].shape = gyre_box((float[3]){0.25f, 0.5f, z}, (float[3]){0.08f, 0.4f, 0.5f});
        def->solids = (gyre_pool){.items = solids, .count = 2};
    }
}

static gyre_gas *make_gas(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    OK(gyre_gas_create(device, def, &gas));
    return gas;
}

static void step_gas(gyre_gas *gas, int steps)
{
    for (int s = 0; s < steps; s++) {
        OK(gyre_gas_step(gas, 0.02f));
    }
}

/// The flows differ by rounding, which divides paths at walls: what of a tracer's place is left of
/// that after so many steps.
static void tracers_go_as_on_the_cpu(void **state)
{
    (void)state;
    for (int which = 0; which < TRACER_CASES; which++) {
        gyre_gas_def def;
        fill_tracers((tracer_case)which, &def);
        gyre_gas *cpu = make_gas(the_cpu, &def), *gpu = make_gas(the_gpu, &def);
        gyre_model *a = gyre_gas_model(cpu), *b = gyre_gas_model(gpu);
        likeness l = compare(a, b);
        assert_true(l.worst == 0.0 && l.moved == 0);
        for (int s = 0; s < 12; s++) {
            step_gas(cpu, 1);
            step_gas(gpu, 1);
            same_counts(a, b);
        }
        l = compare(a, b);
        gyre_particle_stats p = stats_of(b);
        print_message("case %d: %lld there, %lld lost, %lld refused: %.3g m apart, %d of them "
                      "elsewhere in the order\n",
                      which, (long long)p.count, (long long)p.lost, (long long)p.refused, l.worst,
                      l.moved);
        assert_true(l.worst < 2e-4);
        assert_true(l.moved <= p.count / 100);
        assert_true(which != OPEN_3D || p.lost > 50);
        assert_true(which != LIVES_3D || p.lost > 5000);
        assert_true(which != ROOM_3D || p.refused > 1000);
        gyre_gas_stats told = gyre_gas_get_stats(gpu);
        assert_true(told.tracers == p.count && told.tracers_lost == p.lost);
        gyre_gas_destroy(cpu);
        gyre_gas_destroy(gpu);
    }
}

/// The wind of one device on both: nothing is left to differ but at walls, where paths are divided.
static void one_wind_carries_them_alike(void **state)
{
    (void)state;
    for (int which = 0; which < TRACER_CASES; which++) {
        gyre_gas_def def;
        fill_tracers((tracer_case)which, &def);
        gyre_gas *cpu = make_gas(the_cpu, &def), *gpu = make_gas(the_gpu, &def);
        size_t size = gyre_gas_save_size(cpu), written;
        char *bytes = malloc(size);
        step_gas(cpu, 10);
        OK(gyre_gas_save(cpu, bytes, size, &written));
        OK(gyre_gas_load(gpu, bytes, written));
        likeness l = compare(gyre_gas_model(cpu), gyre_gas_model(gpu));
        assert_true(l.worst == 0.0 && l.moved == 0);
        gyre_gas *both[2] = {cpu, gpu};
        for (int q = 0; q < 2; q++) {
            gy_gas_list_fields(both[q]);
            gy_gas_halo(both[q], 0, both[q]->velocities, false, true);
            gy_gas_carry_tracers(both[q], 0.03f, both[q]->slot);
        }
        l = compare(gyre_gas_model(cpu), gyre_gas_model(gpu));
        print_message("case %d: %.3g m apart after one step in the same wind\n", which, l.worst);
        assert_true(l.moved == 0 && l.worst <= 1e-6);
        assert_true(which != OLD_2D || l.worst == 0.0);
        free(bytes);
        gyre_gas_destroy(cpu);
        gyre_gas_destroy(gpu);
    }
}

/// Counts that the host learns of late, and what comes by way of ops, against all at once.
static void late_counts_change_nothing(void **state)
{
    (void)state;
    gyre_device *devices[2] = {the_cpu, the_gpu};
    for (int q = 0; q < 2; q++) {
        bool usual = devices[q]->remote;
        // The last one is in 2D and quick.
        for (int which = q ? ROOM_3D : 0; which < TRACER_CASES; which++) {
            uint64_t hash[3];
            for (int r = 0; r < 3; r++) { // asked nothing; asked after every step; on the host
                gyre_gas_def def;
                fill_tracers((tracer_case)which, &def);
                // Those that there were go in the step in which others find no room but theirs.
                def.tracers.life = which == ROOM_3D ? 0.035f : def.tracers.life;
                devices[q]->remote = r < 2;
                gyre_gas *gas = make_gas(devices[q], &def);
                for (int s = 0; s < 6; s++) {
                    step_gas(gas, 1);
                    if (r == 1) {
                        gyre_gas_get_stats(gas);
                    }
                }
                hash[r] = gyre_gas_hash(gas);
                gyre_gas_destroy(gas);
            }
            devices[q]->remote = usual;
            assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
        }
    }
}

static void a_million(void **state)
{
    (void)state;
    gyre_gas_def def;
    fill_tracers(OPEN_3D, &def);
    def.tracers.capacity = 1200000;
    def.tracers.start = 1000000;
    gyre_gas *cpu = make_gas(the_cpu, &def), *gpu = make_gas(the_gpu, &def);
    step_gas(cpu, 4);
    step_gas(gpu, 4);
    same_counts(gyre_gas_model(cpu), gyre_gas_model(gpu));
    likeness l = compare(gyre_gas_model(cpu), gyre_gas_model(gpu));
    gyre_particle_stats p = stats_of(gyre_gas_model(gpu));
    print_message("%lld there, %lld lost, %.3g m apart, %d of them elsewhere in the order\n",
                  (long long)p.count, (long long)p.lost, l.worst, l.moved);
    assert_true(p.count > 900000 && l.worst < 1e-4 && l.moved < p.count / 100);
    gyre_gas_destroy(cpu);
    gyre_gas_destroy(gpu);
}

static void a_step_is_one_submission(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        gyre_gas_def def;
        fill_tracers(LIVES_3D, &def);
        // What conservative scalars must know of the step before is told in doc/device.md.
        def.advection = GYRE_GAS_MACCORMACK;
        def.courant = 0.0f;
        def.tracers.capacity = which ? 7500 : 20000;
        gyre_gas *gas = make_gas(the_gpu, &def);
        step_gas(gas, 2);
        int waited = 0;
        for (int s = 0; s < 20; s++) {
            OK(gyre_device_wait(the_gpu));
            uint64_t submissions = the_gpu->submissions, waits = the_gpu->waits;
            step_gas(gas, 1);
            waits = the_gpu->waits - waits;
            assert_int_equal(the_gpu->submissions - submissions, waits ? 2 : 1);
            waited += (int)waits;
        }
        print_message("twenty steps: %d waits\n", waited);
        // 180 come a step, and as many go after a while. Where the host takes the set for full it
        // asks, which does for some steps.
        assert_true(which ? waited > 0 && waited < 10 : waited == 0);
        // The count came with the step's report, and asks for nothing more.
        uint64_t submissions = the_gpu->submissions;
        gyre_particle_stats p = stats_of(gyre_gas_model(gas));
        assert_true(p.lost > 0 && p.seeded == p.count + p.lost);
        assert_int_equal(the_gpu->submissions, submissions);
        gyre_gas_destroy(gas);
    }
}

// ---- windows and states -------------------------------------------------------------------------

static void windows_are_the_cpus(void **state)
{
    (void)state;
    gyre_gas_def def;
    fill_tracers(OLD_2D, &def);
    def.gravity[1] = 0.0f;
    def.emitters.count = 0;
    def.tracers.capacity = 100;
    def.tracers.start = 60;
    gyre_gas *both[2] = {make_gas(the_cpu, &def), make_gas(the_gpu, &def)};
    for (int q = 0; q < 2; q++) {
        gyre_model *model = gyre_gas_model(both[q]);
        gyre_particle_view v;
        step_gas(both[q], 1);
        uint64_t hash = gyre_gas_hash(both[q]);
        OK(gyre_model_map_particles(model, 0, GYRE_WRITE, &v));
        assert_int_equal(v.count, 60);
        OK(gyre_model_unmap_particles(model, 0, 60));
        assert_true(gyre_gas_hash(both[q]) == hash);
        // Two more, one of them outside, one that is nowhere, and an age that is none.
        OK(gyre_model_map_particles(model, 0, GYRE_WRITE, &v));
        float *x = v.data[0], *y = v.data[1];
        x[60] = y[60] = x[61] = y[61] = 0.5f;
        for (int i = 60; i < 62; i++) {
            ((float *)v.data[2])[i] = ((float *)v.data[3])[i] = 0.0f;
            ((int32_t *)v.data[4])[i] = i;
        }
        x[61] = 3.0f;
        x[5] = NAN;
        ((float *)v.data[3])[7] = INFINITY;
        assert_int_equal(gyre_model_unmap_particles(model, 0, 62), GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "2 numbers"));
        step_gas(both[q], 1);
        // And some less.
        OK(gyre_model_map_particles(model, 0, GYRE_WRITE, &v));
        assert_int_equal(v.count, 60);
        OK(gyre_model_unmap_particles(model, 0, 50));
        step_gas(both[q], 9);
    }
    same_counts(gyre_gas_model(both[0]), gyre_gas_model(both[1]));
    gyre_particle_stats p = stats_of(gyre_gas_model(both[1]));
    assert_true(p.count == 50 && p.lost == 12 && p.seeded == 62);
    likeness l = compare(gyre_gas_model(both[0]), gyre_gas_model(both[1]));
    assert_true(l.worst < 1e-6 && l.moved == 0);
    gyre_gas_destroy(both[0]);
    gyre_gas_destroy(both[1]);
}

/// What was saved of one device, loaded into the other and saved again, is the same bytes; and goes
/// on as it would have.
static void states_change_the_device(void **state)
{
    (void)state;
    gyre_device *devices[2] = {the_cpu, the_gpu};
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def;
        fill_tracers(LIVES_3D, &def);
        gyre_gas *from = make_gas(devices[q], &def), *to = make_gas(devices[!q], &def);
        size_t size = gyre_gas_save_size(from), written, again;
        char *bytes = malloc(size), *copy = malloc(size);
        step_gas(from, 7);
        step_gas(to, 3); // has counts of its own that it is not to keep
        OK(gyre_gas_save(from, bytes, size, &written));
        OK(gyre_gas_load(to, bytes, written));
        same_counts(gyre_gas_model(from), gyre_gas_model(to));
        OK(gyre_gas_save(to, copy, size, &again));
        assert_int_equal(written, again);
        assert_memory_equal(bytes, copy, written);
        step_gas(from, 4);
        step_gas(to, 4);
        same_counts(gyre_gas_model(from), gyre_gas_model(to));
        likeness l = compare(gyre_gas_model(from), gyre_gas_model(to));
        assert_true(l.worst < 2e-4);
        free(bytes);
        free(copy);
        gyre_gas_destroy(from);
        gyre_gas_destroy(to);
    }
}

// ---- dust ---------------------------------------------------------------------------------------

typedef enum dust_case { ROOM, ROUND, OPEN, ISLAND, POURED, DUST_CASES } dust_case;

static void fill_dust(dust_case which, gyre_water_def *def)
{
    static gyre_water_source source;
    *def = gyre_water_default_def(2);
    def->grid.n[0] = which == ROUND ? 128 : 150;
    def->grid.n[1] = which == ROUND ? 64 : 90;
    def->grid.h = 0.1f;
    def->mode = GYRE_WATER_WAVE;
    def->bed.flat = -1.0f;
    gyre_water_side *sides = &def->sides.x_low;
    for (int s = 0; s < 4 && (which == ROUND || which == OPEN); s++) {
        sides[s].rule = which == ROUND ? GYRE_WATER_PERIODIC : GYRE_WATER_OPEN;
    }
    if (which == ISLAND) {
        def->bed.slope[0] = 0.11f; // dry from x = 9 m on
    }
    def->dust.capacity = which == POURED ? 2600 : 6000;
    def->dust.start = 2000;
    def->dust.life = which == POURED ? 0.5f : 0.0f;
    if (which == POURED) {
        source = gyre_water_default_source();
        source.shape =
            (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{8.0f, 5.0f, 0.0f}, 0.9f}};
        source.discharge = 0.4f;
        source.dust = 2000.0f;
        def->sources = (gyre_pool){.items = &source, .count = 1};
    }
}

static gyre_water *make_water(gyre_device *device, dust_case which)
{
    gyre_water_def def;
    gyre_water *water = NULL;
    fill_dust(which, &def);
    OK(gyre_water_create(device, &def, &water));
    const float crest[3] = {which == OPEN ? 0.6f : 5.0f, 3.0f, 0.0f};
    OK(gyre_model_splat(gyre_water_model(water), 0, crest, 2.0f, 0.9f));
    return water;
}

enum { FIRST = 2000 };

/// The places along x of the first ones.
static void note_places(gyre_model *model, float x[FIRST])
{
    gyre_particle_view v = open_set(model);
    for (int i = 0; i < v.count; i++) {
        int id = ((const int32_t *)v.data[4])[i];
        x[id < FIRST ? id : 0] = ((const float *)v.data[0])[i];
    }
    OK(gyre_model_unmap_particles(model, 0, v.count));
}

/// The longest way that one has made.
static double longest_way(gyre_model *model, const float before[FIRST])
{
    float x[FIRST];
    double most = 0.0;
    memcpy(x, before, sizeof x);
    note_places(model, x);
    for (int i = 1; i < FIRST; i++) {
        most = fmax(most, fabs((double)x[i] - (double)before[i]));
    }
    return most;
}

static void dust_goes_as_on_the_cpu(void **state)
{
    (void)state;
    for (int which = 0; which < DUST_CASES; which++) {
        gyre_water *cpu = make_water(the_cpu, (dust_case)which);
        gyre_water *gpu = make_water(the_gpu, (dust_case)which);
        gyre_model *a = gyre_water_model(cpu), *b = gyre_water_model(gpu);
        float places[FIRST];
        note_places(b, places);
        for (int s = 0; s < 60; s++) {
            OK(gyre_water_step(cpu, 0.02f));
            OK(gyre_water_step(gpu, 0.02f));
            if (s % 7 == 0) {
                same_counts(a, b);
            }
        }
        same_counts(a, b);
        likeness l = compare(a, b);
        gyre_particle_stats p = stats_of(b);
        double way = longest_way(b, places);
        print_message("dust %d: %lld there, %lld lost, %lld refused, %.2g m on the way: %.3g m "
                      "apart, %d elsewhere in the order\n",
                      which, (long long)p.count, (long long)p.lost, (long long)p.refused, way,
                      l.worst, l.moved);
        assert_true(which == POURED || way > 0.1);
        assert_true(l.worst < 1e-5 && l.moved <= p.count / 100);
        assert_true(which != POURED || (p.refused > 0 && p.lost > 2000));
        assert_true(which != OPEN || p.lost > 0);
        gyre_water_stats told = gyre_water_get_stats(gpu);
        assert_true(told.dust == p.count && told.dust_lost == p.lost);
        gyre_water_destroy(cpu);
        gyre_water_destroy(gpu);
    }
}

static void dust_waits_for_nothing(void **state)
{
    (void)state;
    gyre_water *water = make_water(the_gpu, ROUND);
    for (int s = 0; s < 3; s++) {
        OK(gyre_water_step(water, 0.02f));
    }
    for (int s = 0; s < 10; s++) {
        OK(gyre_device_wait(the_gpu));
        uint64_t submissions = the_gpu->submissions, waits = the_gpu->waits;
        OK(gyre_water_step(water, 0.02f));
        assert_int_equal(the_gpu->submissions - submissions, 1);
        assert_int_equal(the_gpu->waits - waits, 0);
    }
    assert_int_equal(stats_of(gyre_water_model(water)).count, 2000);
    gyre_water_destroy(water);
}

static void dust_changes_the_device(void **state)
{
    (void)state;
    gyre_water *cpu = make_water(the_cpu, POURED), *gpu = make_water(the_gpu, POURED);
    size_t size = gyre_water_save_size(gpu), written, again;
    char *bytes = malloc(size), *copy = malloc(size);
    for (int s = 0; s < 30; s++) {
        OK(gyre_water_step(gpu, 0.02f));
    }
    OK(gyre_water_save(gpu, bytes, size, &written));
    OK(gyre_water_load(cpu, bytes, written));
    OK(gyre_water_save(cpu, copy, size, &again));
    assert_int_equal(written, again);
    assert_memory_equal(bytes, copy, written);
    for (int s = 0; s < 20; s++) {
        OK(gyre_water_step(cpu, 0.02f));
        OK(gyre_water_step(gpu, 0.02f));
    }
    same_counts(gyre_water_model(cpu), gyre_water_model(gpu));
    assert_true(compare(gyre_water_model(cpu), gyre_water_model(gpu)).worst < 1e-5);
    free(bytes);
    free(copy);
    gyre_water_destroy(cpu);
    gyre_water_destroy(gpu);
}

static void dust_on_shallow_water_is_refused(void **state)
{
    (void)state;
    gyre_water_def def;
    gyre_water *water = NULL;
    fill_dust(ROOM, &def);
    def.mode = GYRE_WATER_SHALLOW;
    assert_int_equal(gyre_water_create(the_gpu, &def, &water), GYRE_ERROR_UNSUPPORTED);
    assert_null(water);
    assert_non_null(strstr(gyre_message(), "mode shallow: dust is not made on this device"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_sorted_as_on_the_cpu),
        cmocka_unit_test(they_come_and_go_as_on_the_cpu),
        cmocka_unit_test(one_wind_carries_them_alike),
        cmocka_unit_test(tracers_go_as_on_the_cpu),
        cmocka_unit_test(late_counts_change_nothing),
        cmocka_unit_test(a_million),
        cmocka_unit_test(a_step_is_one_submission),
        cmocka_unit_test(windows_are_the_cpus),
        cmocka_unit_test(states_change_the_device),
        cmocka_unit_test(dust_goes_as_on_the_cpu),
        cmocka_unit_test(dust_waits_for_nothing),
        cmocka_unit_test(dust_changes_the_device),
        cmocka_unit_test(dust_on_shallow_water_is_refused),
    };
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
