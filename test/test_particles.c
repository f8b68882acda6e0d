// test/test_particles.c: particles beside fields, and the first of them: tracers in a gas.
// labels: golden threads
// timeout: 600
#include "every_device.h"
#include "gas_rig.h"

#include "gas/tracers.h"
#include "gyre/gyre.h"
#include "ops/particle/particle.h"

#include <stdint.h>
#include <stdio.h>

static gyre_particle_stats stats_of(gyre_gas *gas)
{
    gyre_particle_stats s;
    assert_int_equal(gyre_model_particle_stats(gyre_gas_model(gas), 0, &s), GYRE_OK);
    return s;
}

static gyre_particle_view open_set(gyre_gas *gas, gyre_access access)
{
    gyre_particle_view v;
    assert_int_equal(gyre_model_map_particles(gyre_gas_model(gas), 0, access, &v), GYRE_OK);
    return v;
}

static void close_set(gyre_gas *gas, int count)
{
    if (gyre_model_unmap_particles(gyre_gas_model(gas), 0, count) != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
}

/// Puts tracers at these points, x, y, z each.
static void place(gyre_gas *gas, int count, const float (*points)[3])
{
    gyre_particle_view v = open_set(gas, GYRE_WRITE);
    for (int i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            ((float *)v.data[a])[i] = points[i][a];
        }
        ((float *)v.data[3])[i] = 0.0f;
        ((int32_t *)v.data[4])[i] = i;
    }
    close_set(gas, count);
}

/// The place of the tracer with this number.
static void find(gyre_gas *gas, int id, float x[3])
{
    gyre_particle_view v = open_set(gas, GYRE_READ);
    int at = -1;
    for (int i = 0; i < v.count; i++) {
        at = ((const int32_t *)v.data[4])[i] == id ? i : at;
    }
    assert_true(at >= 0);
    for (int a = 0; a < 3; a++) {
        x[a] = ((const float *)v.data[a])[at];
    }
    close_set(gas, v.count);
}

static gyre_gas *with_tracers(gyre_gas_def def, int capacity, int start)
{
    def.tracers.capacity = capacity;
    def.tracers.start = start;
    return make(&def);
}

static void a_wind_carries_them_round_periodic_sides(void **state)
{
    (void)state;
    gyre_gas *gas = with_tracers(still_def(3, 20, 16, 24, 0.05f, GYRE_GAS_SIDE_PERIODIC), 8, 0);
    const double wind[3] = {1.0, -2.0, 0.5};
    for (int a = 0; a < 3; a++) {
        set_field(gas, a, constant, &wind[a]);
    }
    const float points[2][3] = {{0.31f, 0.42f, 0.53f}, {0.99f, 0.01f, 1.19f}};
    place(gas, 2, points);
    for (int s = 0; s < 30; s++) {
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
    }
    const double size[3] = {1.0, 0.8, 1.2};
    for (int i = 0; i < 2; i++) {
        float x[3];
        find(gas, i, x);
        for (int a = 0; a < 3; a++) {
            double want = (double)points[i][a] + 0.6 * wind[a];
            want -= size[a] * floor(want / size[a]);
            assert_true(fabs((double)x[a] - want) < 1e-4);
        }
    }
    assert_int_equal(stats_of(gas).lost, 0);
    gyre_gas_destroy(gas);
}

/// A steady vortex in a box of one metre.
static double vortex_x(const double x[3], const void *data)
{
    (void)data;
    return sin(pi * x[0]) * cos(pi * x[1]);
}
static double vortex_y(const double x[3], const void *data)
{
    (void)data;
    return -cos(pi * x[0]) * sin(pi * x[1]);
}

/// Where a tracer is after one second in that, in so many steps.
static void after(gyre_gas *gas, int steps, float x[3])
{
    const float start[1][3] = {{0.3f, 0.45f, 0.0f}};
    place(gas, 1, start);
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    for (int s = 0; s < steps; s++) {
        gy_gas_carry_tracers(gas, 2.0f / (float)steps, gas->slot);
    }
    find(gas, 0, x);
    gyre_particle_view v = open_set(gas, GYRE_WRITE);
    (void)v;
    close_set(gas, 0);
}

static void paths_are_of_second_order(void **state)
{
    (void)state;
    gyre_gas *gas = with_tracers(still_def(2, 64, 64, 1, 1.0f / 64, GYRE_GAS_SIDE_SLIP), 4, 0);
    set_field(gas, 0, vortex_x, NULL);
    set_field(gas, 1, vortex_y, NULL);
    float best[3], x[3];
    double error[3];
    after(gas, 2048, best);
    for (int q = 0; q < 3; q++) {
        after(gas, 16 << q, x);
        error[q] = hypot((double)(x[0] - best[0]), (double)(x[1] - best[1]));
    }
    print_message("errors of 16, 32, 64 steps: %g %g %g\n", error[0], error[1], error[2]);
    assert_true(error[0] > 1e-3 && error[0] < 0.1);
    assert_true(error[0] / error[1] > 3.3 && error[1] / error[2] > 3.3);
    gyre_gas_destroy(gas);
}

/// Warm smoke under a ball and beside a thin plate, fast.
static gyre_gas *stirred(gyre_device *device, int sides, float life)
{
    gyre_gas_def def = still_def(3, 40, 36, 28, 1.0f / 40, sides);
    gyre_gas_solid solids[2] = {gyre_gas_default_solid(), gyre_gas_default_solid()};
    gyre_gas_emitter emitter = gyre_gas_default_emitter();
    gyre_gas *gas = NULL;
    solids[0].shape = gyre_sphere((float[3]){0.5f, 0.5f, 0.35f}, 0.15f);
    solids[1].shape = gyre_box((float[3]){0.25f, 0.5f, 0.35f}, (float[3]){0.052f, 0.6f, 0.6f});
    emitter.shape = gyre_sphere((float[3]){0.5f, 0.2f, 0.35f}, 0.1f);
    emitter.temperature = 6000.0f;
    emitter.tracers = 30000.0f;
    def.gravity[1] = -9.81f;
    def.solids = (gyre_pool){.items = solids, .count = 2};
    def.emitters = (gyre_pool){.items = &emitter, .count = 1};
    def.tracers = (gyre_gas_tracers){.capacity = 60000, .start = 40000, .life = life};
    assert_int_equal(gyre_gas_create(device, &def, &gas), GYRE_OK);
    return gas;
}

/// How many are outside the domain, and how many in cells whose faces are all shut.
static void count_misplaced(gyre_gas *gas, int *outside, int *inside)
{
    gyre_particle_view v = open_set(gas, GYRE_READ);
    gyre_field_view solid;
    int field = gyre_gas_field(gas, "solid");
    assert_int_equal(gyre_gas_map(gas, field, GYRE_READ, &solid), GYRE_OK);
    *outside = *inside = 0;
    for (int i = 0; i < v.count; i++) {
        const gyre_grid *g = &gas->def->grid;
        int at[3];
        bool out = false;
        for (int a = 0; a < 3; a++) {
            double c = (double)((const float *)v.data[a])[i] / (double)g->h;
            out = out || !(c >= 0.0 && c <= g->n[a]);
            at[a] = GY_MAX(0, GY_MIN((int)c, g->n[a] - 1));
        }
        *outside += out;
        *inside += solid.data[at[0] + at[1] * solid.stride[1] + at[2] * solid.stride[2]] >= 1.0f;
    }
    assert_int_equal(gyre_gas_unmap(gas, field), GYRE_OK);
    close_set(gas, v.count);
}

static void walls_and_solids_hold_them(void **state)
{
    (void)state;
    gyre_gas *gas = stirred(the_device, GYRE_GAS_SIDE_SLIP, 0.0f);
    int outside, inside;
    double fastest = 0.0;
    assert_int_equal(stats_of(gas).count, 40000);
    for (int s = 0; s < 60; s++) {
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
        fastest = fmax(fastest, (double)gyre_gas_get_stats(gas).courant);
    }
    count_misplaced(gas, &outside, &inside);
    gyre_particle_stats s = stats_of(gas);
    print_message("Courant number up to %.1f; %lld tracers, %lld lost, %lld refused\n", fastest,
                  (long long)s.count, (long long)s.lost, (long long)s.refused);
    assert_true(fastest > 2.5);
    assert_int_equal(outside, 0);
    assert_int_equal(inside, 0);
    assert_int_equal(s.lost, 0);
    assert_int_equal(s.count, 60000);
    assert_true(s.refused > 0 && s.seeded == 60000);
    // A solid that is put where they are swallows them.
    gyre_gas_solid ball = gyre_gas_default_solid();
    gyre_id id = gyre_model_element(gyre_gas_model(gas), "solids", 0);
    assert_int_equal(gyre_gas_read_solid(gas, id, &ball), GYRE_OK);
    ball.shape.as.sphere.centre[1] = 0.2f;
    assert_int_equal(gyre_gas_update_solid(gas, id, &ball), GYRE_OK);
    assert_int_equal(gyre_gas_step(gas, 1e-4f), GYRE_OK);
    count_misplaced(gas, &outside, &inside);
    s = stats_of(gas);
    assert_true(s.lost > 200);
    assert_int_equal(inside, 0);
    gyre_gas_destroy(gas);
}

static void open_sides_and_age_take_them(void **state)
{
    (void)state;
    for (int q = 0; q < 2; q++) {
        gyre_gas *gas =
            stirred(the_device, q ? GYRE_GAS_SIDE_SLIP : GYRE_GAS_SIDE_OPEN, q ? 0.25f : 0.0f);
        for (int s = 0; s < 40; s++) {
            assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
            gyre_particle_stats p = stats_of(gas);
            assert_int_equal(p.seeded, p.count + p.lost);
        }
        int outside, inside;
        count_misplaced(gas, &outside, &inside);
        assert_int_equal(outside + inside, 0);
        gyre_particle_stats p = stats_of(gas);
        gyre_gas_stats told = gyre_gas_get_stats(gas);
        assert_true(told.tracers == p.count && told.tracers_lost == p.lost);
        assert_true(p.lost > (q ? 40000 : 1000));
        // All that are left of those with a life are of the last 0.25 s: 30000 a second.
        if (q) {
            assert_true(p.count >= 7200 && p.count <= 7800);
        }
        gyre_gas_destroy(gas);
    }
}

static void they_come_at_their_rate_however_time_is_cut(void **state)
{
    (void)state;
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = still_def(2, 16, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
        gyre_gas_emitter emitter = gyre_gas_default_emitter();
        emitter.shape = gyre_sphere((float[3]){0.5f, 0.5f, 0}, 0.2f);
        emitter.tracers = 77.0f;
        def.emitters = (gyre_pool){.items = &emitter, .count = 1};
        gyre_gas *gas = with_tracers(def, 200, 0);
        for (int s = 0; s < (q ? 64 : 4); s++) {
            assert_int_equal(gyre_gas_step(gas, q ? 1.0f / 64 : 0.25f), GYRE_OK);
        }
        assert_int_equal(stats_of(gas).count, 77);
        gyre_particle_view v = open_set(gas, GYRE_READ);
        for (int i = 0; i < v.count; i++) {
            double x = (double)((const float *)v.data[0])[i] - 0.5,
                   y = (double)((const float *)v.data[1])[i] - 0.5;
            assert_true(hypot(x, y) <= 0.2001);
        }
        close_set(gas, v.count);
        gyre_gas_destroy(gas);
    }
}

static void they_are_sorted_by_cell_and_keep_their_order(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(3, 33, 17, 9, 0.1f, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = with_tracers(def, 50000, 50000);
    for (int s = 0; s < GY_PARTICLE_EVERY; s++) {
        assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_OK);
    }
    gyre_particle_view v = open_set(gas, GYRE_READ);
    assert_int_equal(v.count, 50000);
    int last = -1, last_id = -1;
    bool *seen = calloc(50000, sizeof *seen);
    for (int i = 0; i < v.count; i++) {
        int cell = 0, step = 1, id = ((const int32_t *)v.data[4])[i];
        for (int a = 0; a < 3; a++) {
            cell += (int)(((const float *)v.data[a])[i] * (1.0f / 0.1f)) * step;
            step *= def.grid.n[a];
        }
        assert_true(cell >= last);
        // They were seeded in the order of their numbers and have not moved.
        assert_true(cell > last || id > last_id);
        assert_false(seen[id]);
        seen[id] = true;
        last = cell;
        last_id = id;
    }
    free(seen);
    close_set(gas, v.count);
    gyre_gas_destroy(gas);
}

static void windows_keep_their_rules(void **state)
{
    (void)state;
    gyre_gas *gas = with_tracers(still_def(2, 16, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP), 100, 60);
    gyre_model *model = gyre_gas_model(gas);
    gyre_particle_view v, other;
    assert_int_equal(gyre_model_particle_sets(model), 1);
    assert_int_equal(gyre_model_particle_set(model, "tracers"), 0);
    assert_int_equal(gyre_model_particle_set(model, "tracer"), -1);
    assert_non_null(strstr(gyre_message(), "tracers"));
    const gyre_particle_info *info = gyre_model_particles(model, 0);
    assert_int_equal(info->attribute_count, 3);
    assert_int_equal(info->arrays, 5);
    assert_string_equal(info->attributes[0].name, "position");
    // To write nothing changes nothing.
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_OK);
    uint64_t hash = gyre_gas_hash(gas);
    v = open_set(gas, GYRE_WRITE);
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_ERROR_STATE);
    assert_non_null(strstr(gyre_message(), "tracers"));
    assert_true(gyre_gas_hash(gas) == 0);
    assert_int_equal(gyre_model_map_particles(model, 0, GYRE_READ, &other), GYRE_ERROR_STATE);
    assert_int_equal(gyre_model_unmap_particles(model, 0, 101), GYRE_ERROR_ARGUMENT);
    close_set(gas, v.count);
    assert_true(gyre_gas_hash(gas) == hash);
    assert_int_equal(gyre_model_unmap_particles(model, 0, 60), GYRE_ERROR_STATE);
    v = open_set(gas, GYRE_READ);
    assert_true(gyre_gas_hash(gas) == hash);
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_ERROR_STATE);
    assert_int_equal(gyre_model_unmap_particles(model, 0, 59), GYRE_ERROR_ARGUMENT);
    close_set(gas, 60);
    // Two more, one of them outside, one that is nowhere, and an age that is none.
    v = open_set(gas, GYRE_WRITE);
    float *x = v.data[0], *y = v.data[1];
    x[60] = y[60] = 0.5f;
    x[61] = 3.0f, y[61] = 0.5f;
    x[5] = NAN;
    ((float *)v.data[3])[7] = INFINITY;
    assert_int_equal(gyre_model_unmap_particles(model, 0, 62), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "2 numbers"));
    assert_int_equal(stats_of(gas).count, 60);
    assert_int_equal(stats_of(gas).lost, 2);
    assert_int_equal(gyre_gas_step(gas, 0.01f), GYRE_OK);
    gyre_gas_destroy(gas);
    // A gas without has no set.
    gas = with_tracers(still_def(2, 16, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP), 0, 0);
    assert_int_equal(gyre_model_particle_sets(gyre_gas_model(gas)), 0);
    assert_null(gyre_model_particles(gyre_gas_model(gas), 0));
    gyre_gas_destroy(gas);
}

static void a_saved_state_has_them(void **state)
{
    (void)state;
    gyre_gas *gas = stirred(the_device, GYRE_GAS_SIDE_OPEN, 0.3f);
    size_t size = gyre_gas_save_size(gas), written;
    char *bytes = malloc(size);
    for (int s = 0; s < 11; s++) {
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
    }
    assert_int_equal(gyre_gas_save(gas, bytes, size, &written), GYRE_OK);
    for (int s = 0; s < 9; s++) {
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
    }
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas *again = stirred(the_device, GYRE_GAS_SIDE_OPEN, 0.3f);
    assert_int_equal(gyre_gas_load(again, bytes, written), GYRE_OK);
    for (int s = 0; s < 9; s++) {
        assert_int_equal(gyre_gas_step(again, 0.02f), GYRE_OK);
    }
    assert_true(gyre_gas_hash(again) == hash);
    assert_int_equal(stats_of(again).lost, stats_of(gas).lost);
    gyre_gas_destroy(again);
    // A gas with less room, or without any, is left as it is.
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = still_def(3, 40, 36, 28, 1.0f / 40, GYRE_GAS_SIDE_OPEN);
        def.solids.capacity = 2;
        def.emitters.capacity = 1;
        again = with_tracers(def, q ? 1000 : 0, q ? 10 : 0);
        hash = gyre_gas_hash(again);
        assert_int_equal(gyre_gas_load(again, bytes, written), GYRE_ERROR_FORMAT);
        assert_non_null(strstr(gyre_message(), "tracers"));
        assert_true(gyre_gas_hash(again) == hash);
        gyre_gas_destroy(again);
    }
    free(bytes);
    gyre_gas_destroy(gas);
}

static void bad_defs_are_refused(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 16, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas;
    size_t without = gyre_gas_size(&def);
    def.tracers.start = 1;
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "tracers.start"));
    def.tracers.capacity = 100000;
    assert_true(gyre_gas_size(&def) > without + 2 * 5 * 4 * (size_t)100000);
    def.tracers.capacity = def.tracers.start = 0;
    assert_true(gyre_gas_size(&def) == without);
    gyre_gas_emitter emitter = gyre_gas_default_emitter();
    emitter.tracers = 1.0f;
    def.emitters = (gyre_pool){.items = &emitter, .count = 1};
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "emitters.0.tracers"));
}

// ---- the same bits everywhere

// After 5 steps and after 20.
static const uint64_t golden[2] = {0x13d0d63010bcf3a0, 0xcb8042fdf0501326};

static void run(gyre_device *device, uint64_t hash[2])
{
    gyre_gas *gas = stirred(device, GYRE_GAS_SIDE_OPEN, 0.0f);
    hash[1] = golden[1];
    for (int n = 1; n <= (in_short() ? 5 : 20); n++) {
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
        if (n == 5 || n == 20) {
            hash[n == 20] = gyre_gas_hash(gas);
        }
    }
    gyre_particle_stats s = stats_of(gas);
    print_message("%lld tracers, %lld lost\n", (long long)s.count, (long long)s.lost);
    assert_true(s.lost > (in_short() ? 10 : 500) && s.count > 10000);
    gyre_gas_destroy(gas);
}

static void require(gyre_device *device, const char *on)
{
    uint64_t hash[2];
    run(device, hash);
    for (int q = 0; q < 2; q++) {
        if (hash[q] != golden[q]) {
            fail_msg("%s: hash %d is %016llx, expected %016llx", on, q, (unsigned long long)hash[q],
                     (unsigned long long)golden[q]);
        }
    }
}

static void every_device_gives_the_golden_hash(void **state)
{
    (void)state;
    on_every_device(require);
}

/// Tracers change nothing of the gas.
static void the_gas_is_as_without(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = still_def(2, 48, 48, 1, 1.0f / 48, GYRE_GAS_SIDE_OPEN);
        gyre_gas *gas = with_tracers(def, q ? 5000 : 0, q ? 5000 : 0);
        gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), (float[3]){0.5f, 0.3f, 0}, 0.2f,
                       100.0f);
        gyre_gas_set(gas, "gravity", gyre_vector(3, (float[3]){0, -9.81f, 0}));
        for (int s = 0; s < 20; s++) {
            assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
        }
        gyre_field_view v;
        hash[q] = 0;
        for (int f = 0; f < 4; f++) {
            assert_int_equal(gyre_gas_map(gas, f, GYRE_READ, &v), GYRE_OK);
            for (int j = 0; j < v.n[1]; j++) {
                hash[q] = gy_hash(v.data + j * v.stride[1], (size_t)v.n[0] * 4, hash[q]);
            }
            assert_int_equal(gyre_gas_unmap(gas, f), GYRE_OK);
        }
        gyre_gas_destroy(gas);
    }
    assert_true(hash[0] == hash[1]);
}

/// Below a sheet the gas goes to the right by 1 m/s, above it to the left by 5: tracers on both
/// sides keep to the speed of theirs however near to it they are, and however far they go.
static void sheets_part_what_carries_them(void **state)
{
    (void)state;
    const float h = 1.0f / 16.0f;
    gyre_gas_def def = still_def(2, 32, 16, 1, h, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
    sheet.form.as.line = (struct gyre_gas_sheet_line){{-1, 0.5f, 0}, {3, 0.5f, 0}};
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    def.solid_slip = true;
    def.sheets = (gyre_pool){&sheet, 1, 1};
    for (int q = 0; q < 3; q++) {
        const float dt = q == 0 ? 0.2f * h : q == 1 ? 1.7f * h : 6.0f * h;
        gyre_gas *gas = with_tracers(def, 32, 0);
        gyre_field_view v;
        float points[32][3] = {{0}}, x[3];
        must(gyre_gas_map(gas, 0, GYRE_WRITE, &v));
        for (int j = 0; j < 16; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                v.data[i + j * v.stride[1]] = j < 8 ? 1.0f : -5.0f;
            }
        }
        must(gyre_gas_unmap(gas, 0));
        for (int i = 0; i < 32; i++) {
            points[i][0] = 1.0f + 0.01f * (float)i;
            points[i][1] = 0.5f + (i & 1 ? h : -h) * 0.06f * (float)(i / 2 + 1);
        }
        place(gas, 32, (const float(*)[3])points);
        gy_gas_carry_tracers(gas, dt, gas->slot);
        for (int i = 0; i < 32; i++) {
            float to = points[i][0] + (i & 1 ? -5.0f : 1.0f) * dt;
            find(gas, i, x);
            float off = x[0] - to - 2.0f * floorf((x[0] - to) / 2.0f + 0.5f);
            if (!(fabsf(off) < 1e-5f) || !(fabsf(x[1] - points[i][1]) < 1e-6f)) {
                fail_msg("%g s, tracer %d: off by %g", (double)dt, i, (double)off);
            }
        }
        gyre_gas_destroy(gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wind_carries_them_round_periodic_sides),
        cmocka_unit_test(paths_are_of_second_order),
        cmocka_unit_test(walls_and_solids_hold_them),
        cmocka_unit_test(open_sides_and_age_take_them),
        cmocka_unit_test(they_come_at_their_rate_however_time_is_cut),
        cmocka_unit_test(they_are_sorted_by_cell_and_keep_their_order),
        cmocka_unit_test(sheets_part_what_carries_them),
        cmocka_unit_test(windows_keep_their_rules),
        cmocka_unit_test(a_saved_state_has_them),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(the_gas_is_as_without),
        cmocka_unit_test(every_device_gives_the_golden_hash),
    };
    // What is asked for there: the bits and the threads alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(every_device_gives_the_golden_hash)};
    if (in_short()) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
    return cmocka_run_group_tests(tests, open_device, close_device);
}
