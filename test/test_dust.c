// test/test_dust.c: dust afloat on water (src/water/dust.c).
// labels: golden threads
// timeout: 600
#include "device_rig.h"
#include "every_device.h"

#include "gyre/gyre.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gyre_water_def tank(int nx, int ny, float h, int rule)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_side *sides = &def.sides.x_low;
    def.grid.n[0] = nx;
    def.grid.n[1] = ny;
    def.grid.h = h;
    def.bed.flat = -1.0f;
    for (int s = 0; s < 4; s++) {
        sides[s].rule = rule;
    }
    return def;
}

static gyre_water *make(gyre_device *device, const gyre_water_def *def)
{
    gyre_water *water = NULL;
    if (gyre_water_create(device, def, &water) != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
    return water;
}

static void step(gyre_water *water, float dt, int count)
{
    for (int s = 0; s < count; s++) {
        assert_int_equal(gyre_water_step(water, dt), GYRE_OK);
    }
}

static gyre_particle_stats stats_of(gyre_water *water)
{
    gyre_particle_stats s;
    assert_int_equal(gyre_model_particle_stats(gyre_water_model(water), 0, &s), GYRE_OK);
    return s;
}

static gyre_particle_view look(gyre_water *water)
{
    gyre_particle_view v;
    assert_int_equal(gyre_model_map_particles(gyre_water_model(water), 0, GYRE_READ, &v), GYRE_OK);
    return v;
}

static void done(gyre_water *water, int count)
{
    assert_int_equal(gyre_model_unmap_particles(gyre_water_model(water), 0, count), GYRE_OK);
}

/// Sets a field to one value everywhere.
static void fill(gyre_water *water, const char *name, float value)
{
    gyre_field_view v;
    int field = gyre_water_field(water, name);
    assert_int_equal(gyre_water_map(water, field, GYRE_WRITE, &v), GYRE_OK);
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            v.data[i + j * v.stride[1]] = value;
        }
    }
    assert_int_equal(gyre_water_unmap(water, field), GYRE_OK);
}

static void a_current_carries_it_round_periodic_sides(void **state)
{
    (void)state;
    gyre_water_def def = tank(80, 48, 0.1f, GYRE_WATER_PERIODIC);
    def.dust = (gyre_water_dust){.capacity = 1, .start = 1, .seed = 3};
    gyre_water *water = make(the_device, &def);
    gyre_particle_view v = look(water);
    const double x0 = (double)*(float *)v.data[0], y0 = (double)*(float *)v.data[1];
    done(water, v.count);
    fill(water, "discharge_x", 2.0f);
    fill(water, "discharge_y", -1.0f);
    step(water, 0.05f, 100); // 10 m along x, -5 m along y
    v = look(water);
    double x = x0 + 10.0, y = y0 - 5.0;
    x -= 8.0 * floor(x / 8.0);
    y -= 4.8 * floor(y / 4.8);
    assert_true(fabs((double)*(float *)v.data[0] - x) < 2e-3);
    assert_true(fabs((double)*(float *)v.data[1] - y) < 2e-3);
    assert_true(fabs((double)*(float *)v.data[2]) < 1e-3);
    done(water, v.count);
    gyre_water_destroy(water);
}

/// A wave runs through a tank with a pier in it.
static gyre_water *stirred_in(gyre_device *device, int mode, int rule)
{
    gyre_water_def def = tank(150, 100, 0.1f, rule);
    def.mode = mode;
    gyre_water_edge pier = gyre_water_default_edge();
    gyre_water_source spring = gyre_water_default_source();
    pier.shape = gyre_sphere((float[3]){9.0f, 5.0f, 0.0f}, 1.5f);
    spring.shape = gyre_sphere((float[3]){3.0f, 5.0f, 0.0f}, 1.0f);
    spring.discharge = 1.0f;
    spring.dust = 5000.0f;
    def.edges = (gyre_pool){.items = &pier, .count = 1};
    def.sources = (gyre_pool){.items = &spring, .count = 1};
    def.dust = (gyre_water_dust){.capacity = 40000, .start = 30000};
    gyre_water *water = make(device, &def);
    assert_int_equal(gyre_water_splat(water, 0, (float[3]){2.0f, 5.0f, 0.0f}, 4.0f, 4.0f), GYRE_OK);
    return water;
}

static gyre_water *stirred(gyre_device *device, int rule)
{
    return stirred_in(device, GYRE_WATER_SHALLOW, rule);
}

/// How many are outside the domain, and how many where there is no water.
static void count_misplaced(gyre_water *water, int *outside, int *dry, double *above)
{
    gyre_particle_view v = look(water);
    gyre_field_view depth, surface;
    const gyre_grid *g = gyre_model_grid(gyre_water_model(water));
    int fields[2] = {gyre_water_field(water, "depth"), gyre_water_field(water, "surface")};
    assert_int_equal(gyre_water_map(water, fields[0], GYRE_READ, &depth), GYRE_OK);
    assert_int_equal(gyre_water_map(water, fields[1], GYRE_READ, &surface), GYRE_OK);
    *outside = *dry = 0;
    *above = 0.0;
    for (int i = 0; i < v.count; i++) {
        int at[2];
        for (int a = 0; a < 2; a++) {
            double c = ((double)((float *)v.data[a])[i] - (double)g->origin[a]) / (double)g->h;
            *outside += !(c >= 0.0 && c <= g->n[a]);
            at[a] = c < 0.0 ? 0 : c >= g->n[a] ? g->n[a] - 1 : (int)c;
        }
        double z = (double)surface.data[at[0] + at[1] * surface.stride[1]];
        *dry += depth.data[at[0] + at[1] * depth.stride[1]] <= 1e-4f;
        *above = fmax(*above, fabs((double)((float *)v.data[2])[i] - z));
    }
    assert_int_equal(gyre_water_unmap(water, fields[0]), GYRE_OK);
    assert_int_equal(gyre_water_unmap(water, fields[1]), GYRE_OK);
    done(water, v.count);
}

static void walls_and_piers_hold_it(void **state)
{
    (void)state;
    gyre_water *water = stirred(the_device, GYRE_WATER_WALL);
    int outside, dry;
    double above;
    step(water, 0.03f, 100);
    gyre_particle_stats s = stats_of(water);
    count_misplaced(water, &outside, &dry, &above);
    print_message("%lld afloat, %lld lost, %lld refused; at most %.2f m from the cell's height\n",
                  (long long)s.count, (long long)s.lost, (long long)s.refused, above);
    assert_int_equal(outside + dry, 0);
    assert_int_equal(s.lost, 0);
    assert_true(s.count == 40000 && s.seeded + s.refused >= 44999);
    assert_true(above < 0.5);
    gyre_water_stats told = gyre_water_get_stats(water);
    assert_true(told.dust == s.count && told.dust_lost == 0 && told.dust_refused == s.refused);
    gyre_water_destroy(water);
}

static void open_sides_let_it_out(void **state)
{
    (void)state;
    gyre_water *water = stirred(the_device, GYRE_WATER_OPEN);
    int outside, dry;
    double above;
    step(water, 0.03f, 100);
    gyre_particle_stats s = stats_of(water);
    count_misplaced(water, &outside, &dry, &above);
    assert_int_equal(outside + dry, 0);
    assert_true(s.lost > 1000 && s.seeded == s.count + s.lost);
    gyre_water_destroy(water);
}

static void it_is_gone_where_it_is_dry(void **state)
{
    (void)state;
    gyre_water_def def = tank(64, 64, 0.1f, GYRE_WATER_WALL);
    def.bed.slope[0] = 0.02f;
    def.bed.flat = -0.1f;
    def.dust = (gyre_water_dust){.capacity = 1000, .start = 1000};
    gyre_water *water = make(the_device, &def);
    assert_int_equal(stats_of(water).count, 1000);
    gyre_water_set(water, "evaporation", gyre_number(0.05));
    step(water, 0.1f, 10); // 5 cm: a part of it
    long long left = stats_of(water).count;
    int outside, dry;
    double above;
    count_misplaced(water, &outside, &dry, &above);
    assert_true(left > 100 && left < 900 && outside + dry == 0);
    step(water, 0.1f, 20);
    assert_int_equal(stats_of(water).count, 0);
    assert_int_equal(stats_of(water).lost, 1000);
    gyre_water_destroy(water);
}

/// Linear waves: a slope of the surface sets a cell's mean discharge going.
static void linear_waves_carry_it(void **state)
{
    (void)state;
    gyre_water_def def = tank(64, 64, 0.1f, GYRE_WATER_PERIODIC);
    def.mode = GYRE_WATER_WAVE;
    def.dust = (gyre_water_dust){.capacity = 1, .start = 1};
    gyre_water *water = make(the_device, &def);
    gyre_particle_view v = look(water);
    const double x0 = (double)*(float *)v.data[0];
    done(water, v.count);
    fill(water, "discharge_x", 0.5f); // over a metre of water
    step(water, 0.02f, 100);
    v = look(water);
    double x = x0 + 1.0;
    x -= 6.4 * floor(x / 6.4);
    assert_true(fabs((double)*(float *)v.data[0] - x) < 2e-3);
    done(water, v.count);
    gyre_water_destroy(water);
}

static void a_saved_state_has_it(void **state)
{
    (void)state;
    gyre_water *water = stirred(the_device, GYRE_WATER_OPEN);
    size_t size = gyre_water_save_size(water), written;
    void *bytes = malloc(size);
    step(water, 0.03f, 21);
    assert_int_equal(gyre_water_save(water, bytes, size, &written), GYRE_OK);
    step(water, 0.03f, 15);
    uint64_t hash = gyre_water_hash(water);
    gyre_water *again = stirred(the_device, GYRE_WATER_OPEN);
    assert_int_equal(gyre_water_load(again, bytes, written), GYRE_OK);
    step(again, 0.03f, 15);
    assert_true(gyre_water_hash(again) == hash);
    free(bytes);
    gyre_water_destroy(again);
    gyre_water_destroy(water);
}

// ---- the same bits everywhere

/// Whole tiles without walls or piers, in which nothing is shut.
static gyre_water *wide(gyre_device *device, int mode)
{
    gyre_water_def def = tank(192, 128, 0.1f, GYRE_WATER_PERIODIC);
    def.mode = mode;
    def.dust = (gyre_water_dust){.capacity = 20000, .start = 20000, .life = 1.7f};
    gyre_water *water = make(device, &def);
    for (int i = 0; i < 3; i++) {
        const float at[3] = {2.0f + 7.0f * (float)i, 4.0f + 3.0f * (float)i, 0.0f};
        assert_int_equal(gyre_water_splat(water, 0, at, 2.0f, 0.5f), GYRE_OK);
    }
    fill(water, "discharge_x", 1.5f);
    fill(water, "discharge_y", -0.5f);
    return water;
}

enum { STIRRED, STIRRED_WAVES, WIDE, WIDE_WAVES, RUNS };

// After 10 steps and after 60. The last three: of the code that took one grain at a time.
static const uint64_t golden[RUNS][2] = {{0x3dedec09e734e94f, 0xd3645db8d4144c7d},
                                         {0x8a20c2e473456206, 0x2522f9a63a37a1b6},
                                         {0x725e1b8b89aae7fc, 0xa45902e629162dbd},
                                         {0x6498bfff776898aa, 0xd692d4a1daf2dd98}};

static void run(gyre_device *device, int which, uint64_t hash[2])
{
    gyre_water *water = which == STIRRED ? stirred(device, GYRE_WATER_OPEN)
                        : which == STIRRED_WAVES
                            ? stirred_in(device, GYRE_WATER_WAVE, GYRE_WATER_WALL)
                            : wide(device, which == WIDE ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE);
    step(water, 0.03f, 10);
    hash[0] = gyre_water_hash(water);
    hash[1] = golden[which][1];
    if (!in_short()) {
        step(water, 0.03f, 50);
        assert_true(which != STIRRED || stats_of(water).lost > 1000);
        hash[1] = gyre_water_hash(water);
    }
    gyre_water_destroy(water);
}

static void require(gyre_device *device, const char *on)
{
    for (int which = 0; which < RUNS; which++) {
        uint64_t hash[2];
        run(device, which, hash);
        for (int q = 0; q < 2; q++) {
            if (hash[q] != golden[which][q]) {
                fail_msg("%s, run %d: hash %d is %016llx, expected %016llx", on, which, q,
                         (unsigned long long)hash[q], (unsigned long long)golden[which][q]);
            }
        }
    }
}

static void every_device_gives_the_golden_hash(void **state)
{
    (void)state;
    on_every_device(require);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_current_carries_it_round_periodic_sides),
        cmocka_unit_test(walls_and_piers_hold_it),
        cmocka_unit_test(open_sides_let_it_out),
        cmocka_unit_test(it_is_gone_where_it_is_dry),
        cmocka_unit_test(linear_waves_carry_it),
        cmocka_unit_test(a_saved_state_has_it),
        cmocka_unit_test(every_device_gives_the_golden_hash),
    };
    // What is asked for there: the bits and the threads alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(every_device_gives_the_golden_hash)};
    if (in_short()) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
    return cmocka_run_group_tests(tests, open_device, close_device);
}
