// Water as a window of a sea: what passes through it, what stays nothing, what sees both.
// labels: small
#include "check.h"
#include "gyre/gyre.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) assert_int_equal(call, GYRE_OK)

static gyre_device *device, *single; // of one thread and the plainest instructions

static gyre_ocean *make_ocean_on(gyre_device *on, float depth, float choppiness, bool spectrum)
{
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    def.depth = depth;
    def.choppiness = choppiness;
    def.patch.length = 307.0f;
    def.patch.cells = 128;
    def.patch.cascades = 1;
    wave.amplitude = 0.2f;
    wave.length = 20.0f;
    wave.direction = 30.0f;
    sea.given = GYRE_OCEAN_HEIGHT;
    sea.significant_height = 0.5f;
    sea.peak_period = 4.5f;
    def.waves = spectrum ? (gyre_pool){0} : (gyre_pool){&wave, 1, 1};
    def.seas = spectrum ? (gyre_pool){&sea, 1, 1} : (gyre_pool){0};
    gyre_ocean *ocean;
    assert_int_equal(gyre_ocean_create(on, &def, &ocean), GYRE_OK);
    return ocean;
}

static gyre_ocean *make_ocean(float depth, float choppiness, bool spectrum)
{
    return make_ocean_on(device, depth, choppiness, spectrum);
}

static gyre_water_def window_def(int mode, int carries, int n, float h, float bed)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_side open = gyre_water_default_side();
    open.rule = GYRE_WATER_OPEN;
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.h = h;
    def.mode = mode;
    def.bed.flat = bed;
    def.wave_speed = 8.0f;
    def.sides = (gyre_water_sides){open, open, open, open};
    def.sea.carries = carries;
    return def;
}

/// rms of the window's surface less the ocean's in the middle, over the rms of that.
static double off(gyre_water *water, gyre_ocean *ocean, double time, int margin)
{
    const gyre_grid *g = gyre_model_grid(gyre_water_model(water));
    gyre_field_view view;
    int field = gyre_water_field(water, "surface");
    assert_int_equal(gyre_water_map(water, field, GYRE_READ, &view), GYRE_OK);
    double sum = 0.0, all = 0.0;
    for (int j = margin; j < g->n[1] - margin; j++) {
        for (int i = margin; i < g->n[0] - margin; i++) {
            double point[2] = {(double)g->origin[0] + (i + 0.5) * (double)g->h,
                               (double)g->origin[1] + (j + 0.5) * (double)g->h};
            gyre_ocean_sample s;
            gyre_ocean_query(ocean, time, 0.0f, point, 1, &s);
            double d = (double)view.data[i + j * view.stride[1]] - (double)s.height;
            sum += d * d;
            all += (double)s.height * (double)s.height;
        }
    }
    gyre_water_unmap(water, field);
    return sqrt(sum / all);
}

static void join(gyre_water *water, gyre_ocean *ocean)
{
    OK(gyre_sea_join(gyre_water_model(water), gyre_ocean_model(ocean)));
}

/// All samples of a field, in memory of the caller.
static float *field_of(gyre_water *water, const char *name, int *count)
{
    gyre_field_view view;
    int field = gyre_water_field(water, name);
    OK(gyre_water_map(water, field, GYRE_READ, &view));
    *count = view.n[0] * view.n[1];
    float *to = malloc((size_t)*count * sizeof *to);
    for (int k = 0; k < *count; k++) {
        to[k] = view.data[k % view.n[0] + k / view.n[0] * view.stride[1]];
    }
    OK(gyre_water_unmap(water, field));
    return to;
}

/// A sea over no bodies makes no difference: to the bit what water is that is alone, and is seen as
/// it is; also by a window that moves on.
static void test_difference_is_nothing(void **state)
{
    (void)state;
    static const int modes[] = {GYRE_WATER_WAVE, GYRE_WATER_SHALLOW, GYRE_WATER_DISPERSIVE};
    gyre_ocean *ocean = make_ocean(0.0f, 1.0f, true);
    for (int m = 0; m < 3; m++) {
        gyre_water_def def = window_def(modes[m], GYRE_WATER_DIFFERENCE, 48, 1.0f, -20.0f);
        gyre_water *water, *alone;
        int count;
        OK(gyre_water_create(device, &def, &water));
        def.sea.carries = GYRE_WATER_ALONE;
        OK(gyre_water_create(device, &def, &alone));
        join(water, ocean);
        for (int k = 0; k < 22; k++) {
            if (k >= 20) {
                assert_true(off(water, ocean, 0.05 * k, 0) < 2e-5);
            }
            OK(gyre_water_step(water, 0.05f));
            OK(gyre_water_step(alone, 0.05f));
            if (k == 19) {
                OK(gyre_model_shift(gyre_water_model(water), (const int32_t[3]){5, -3, 0}));
                OK(gyre_model_shift(gyre_water_model(alone), (const int32_t[3]){5, -3, 0}));
            }
        }
        static const char *const fields[] = {"", "discharge_x", "discharge_y"};
        for (int f = 0; f < 3; f++) {
            const char *name = f ? fields[f] : m ? "depth" : "height";
            float *one = field_of(water, name, &count), *other = field_of(alone, name, &count);
            assert_memory_equal(one, other, (size_t)count * sizeof *one);
            for (int q = 0; q < count; q++) {
                double rest = f > 0 || m == 0 ? 0.0 : 20.0;
                assert_true(fabs((double)one[q] - rest) < 2e-4);
            }
            free(one);
            free(other);
        }
        gyre_water_destroy(water);
        gyre_water_destroy(alone);
    }
    gyre_ocean_destroy(ocean);
}

/// Questions have the sea in height, velocity and slope; probes of fields, too.
static void ask_questions(bool queries)
{
    gyre_ocean *ocean = make_ocean(0.0f, 0.0f, false);
    gyre_water_def def = window_def(GYRE_WATER_SHALLOW, GYRE_WATER_DIFFERENCE, 64, 0.25f, -20.0f);
    def.queries = queries;
    gyre_water *water;
    OK(gyre_water_create(device, &def, &water));
    join(water, ocean);
    for (int k = 0; k < 7; k++) {
        OK(gyre_water_step(water, 0.1f));
    }
    for (int k = 0; k < 50; k++) {
        float at[3] = {2.0f + 0.23f * (float)k, 13.0f - 0.2f * (float)k, 0.0f}, v[3];
        double point[2] = {(double)at[0], (double)at[1]};
        gyre_water_sample own;
        gyre_ocean_sample sea;
        OK(gyre_water_query(water, at, 1, &own));
        OK(gyre_ocean_query(ocean, gyre_water_get_stats(water).time, 0, point, 1, &sea));
        assert_float_equal(own.height, sea.height, 5e-4);
        assert_float_equal(own.depth, 20.0f + sea.height, 5e-4);
        OK(gyre_model_probe_vector(gyre_water_model(water), "velocity", at, 1, v));
        for (int a = 0; a < 3; a++) {
            assert_float_equal(own.normal[a], sea.normal[a], 5e-3);
            assert_float_equal(own.velocity[a], sea.velocity[a], 3e-3);
            assert_true(a == 2 || fabsf(v[a] - sea.velocity[a]) < 2e-3f);
        }
    }
    gyre_water_destroy(water);
    gyre_ocean_destroy(ocean);
}

static void test_questions(void **state)
{
    (void)state;
    ask_questions(true);
    ask_questions(false);
}

/// A raft on waves ten times as long goes up and down with them and makes next to no waves of its
/// own; a pile that is held makes some.
static void test_bodies(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        gyre_ocean *ocean = make_ocean(0.0f, 0.0f, false);
        gyre_water_def def = window_def(GYRE_WATER_SHALLOW, GYRE_WATER_DIFFERENCE, 64, 0.5f, -4.0f);
        gyre_water_body body = gyre_water_default_body();
        body.form = GYRE_BODY_BOX;
        body.size[0] = body.size[1] = 2.0f;
        body.size[2] = held ? 6.0f : 0.5f;
        body.density = 500.0f;
        body.held = held;
        body.pose.position[0] = body.pose.position[1] = 16.0f;
        def.bodies = (gyre_pool){&body, 1, 1};
        gyre_water *water;
        OK(gyre_water_create(device, &def, &water));
        join(water, ocean);
        double worst = 0.0, moved = 0.0;
        for (int k = 0; k < 240; k++) {
            gyre_ocean_sample sea;
            gyre_water_body now;
            OK(gyre_water_step(water, 1.0f / 30.0f));
            gyre_id id = gyre_model_element(gyre_water_model(water), "bodies", 0);
            OK(gyre_water_read_body(water, id, &now));
            double at[2] = {(double)now.pose.position[0], (double)now.pose.position[1]};
            OK(gyre_ocean_query(ocean, (k + 1) / 30.0, 0, at, 1, &sea));
            worst = k > 60 ? fmax(worst, fabs((double)now.pose.position[2] - (double)sea.height))
                           : worst;
        }
        int count;
        float *depth = field_of(water, "depth", &count);
        for (int k = 0; k < count; k++) {
            moved = fmax(moved, fabs((double)depth[k] - 4.0));
        }
        free(depth);
        print_message("held %d: off the sea by %.4f m of 0.2, difference %.4f m\n", held, worst,
                      moved);
        assert_true(held || worst < 0.03);
        assert_true(held ? moved > 0.005 : moved < 0.02);
        gyre_water_stats s = gyre_water_get_stats(water);
        assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
        gyre_water_destroy(water);
        gyre_ocean_destroy(ocean);
    }
}

static gyre_result stream(void *user, double time, bool whole, const double *points, int count,
                          gyre_water_swell *answers)
{
    (void)user;
    (void)time;
    (void)whole;
    (void)points;
    for (int k = 0; k < count; k++) {
        answers[k] = (gyre_water_swell){.velocity = {2.0f, 0.0f, 0.0f}};
    }
    return GYRE_OK;
}

/// Drag is against the velocity of the sea: rho / 2 C A v^2 of a box that is held in a stream, a
/// side of 2 m and 1 m of it in the water.
static void test_drag(void **state)
{
    (void)state;
    gyre_water_def def = window_def(GYRE_WATER_SHALLOW, GYRE_WATER_DIFFERENCE, 48, 0.5f, -4.0f);
    gyre_water_body body = gyre_water_default_body();
    gyre_water_outside outside = {stream, NULL, NULL, 0.0f, 9.81f};
    gyre_body_report report;
    def.sea.shore = 2.0f;
    body.form = GYRE_BODY_BOX;
    body.size[0] = body.size[1] = body.size[2] = 2.0f;
    body.held = true;
    body.pose.position[0] = body.pose.position[1] = 12.0f;
    def.bodies = (gyre_pool){&body, 1, 1};
    gyre_water *water;
    OK(gyre_water_create(device, &def, &water));
    OK(gyre_water_join(water, &outside));
    for (int k = 0; k < 200; k++) {
        OK(gyre_water_step(water, 0.05f));
    }
    gyre_id id = gyre_model_element(gyre_water_model(water), "bodies", 0);
    OK(gyre_water_report(water, id, &report));
    print_message("drag %g N, of 4000\n", (double)report.force[0]);
    assert_true(fabsf(report.force[0] - 4000.0f) < 40.0f);
    gyre_water_destroy(water);
}

/// Where the ground rises out of the sea, that ends at the waterline.
static void test_shore(void **state)
{
    (void)state;
    gyre_ocean *ocean = make_ocean(0.0f, 0.0f, false);
    gyre_water_def def = window_def(GYRE_WATER_SHALLOW, GYRE_WATER_DIFFERENCE, 64, 0.5f, -8.0f);
    def.bed.slope[0] = 0.5f;
    gyre_water *water;
    int count;
    OK(gyre_water_create(device, &def, &water));
    join(water, ocean);
    float *bed = field_of(water, "bed", &count);
    for (int k = 0; k < 30; k++) {
        OK(gyre_water_step(water, 0.1f));
        float *surface = field_of(water, "surface", &count), most = 0.0f;
        for (int q = 0; q < count; q++) {
            assert_true(surface[q] >= bed[q]);
            assert_true(bed[q] < 0.0f || surface[q] == bed[q]);
            most = bed[q] < -0.2f && bed[q] > -0.5f ? fmaxf(most, fabsf(surface[q])) : most;
        }
        assert_true(most < 0.01f);
        free(surface);
    }
    free(bed);
    gyre_water_destroy(water);
    gyre_ocean_destroy(ocean);
}

/// A state that is loaded goes on to the same bits, in a window that has moved, with a body, and
/// with an ocean that is another object, on another device.
static void test_saved(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        gyre_ocean *ocean[2] = {make_ocean(0.0f, 0.5f, true),
                                make_ocean_on(single, 0.0f, 0.5f, true)};
        gyre_water_def def =
            window_def(GYRE_WATER_DISPERSIVE, whole ? GYRE_WATER_WHOLE : GYRE_WATER_DIFFERENCE, 48,
                       1.0f, -20.0f);
        gyre_water_body body = gyre_water_default_body();
        snprintf(body.name, sizeof body.name, "boat");
        body.size[0] = 2.0f;
        body.pose.position[0] = body.pose.position[1] = 24.0f;
        body.thrust = 5e4f;
        def.bodies = (gyre_pool){&body, 1, 1};
        snprintf(def.follow, sizeof def.follow, "boat");
        def.slack = 1.5f;
        gyre_water *water[2];
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            OK(gyre_water_create(k ? single : device, &def, &water[k]));
            join(water[k], ocean[k]);
        }
        for (int k = 0; k < 40; k++) {
            OK(gyre_water_step(water[0], 0.05f));
        }
        size_t size = gyre_water_save_size(water[0]), written;
        void *memory = malloc(size);
        OK(gyre_water_save(water[0], memory, size, &written));
        OK(gyre_water_load(water[1], memory, written));
        for (int k = 0; k < 2; k++) {
            int count;
            float *surface = field_of(water[k], "surface", &count);
            uint64_t sum = 0;
            for (int q = 0; q < count; q++) {
                uint32_t bits;
                memcpy(&bits, &surface[q], sizeof bits);
                sum = sum * 1099511628211u + bits;
            }
            free(surface);
            for (int q = 0; q < 40; q++) {
                OK(gyre_water_step(water[k], 0.05f));
            }
            hash[k] = gyre_water_hash(water[k]) ^ sum;
        }
        assert_true(gyre_model_grid(gyre_water_model(water[0]))->origin[0] > 1.0f);
        assert_int_equal(hash[0], hash[1]);
        gyre_water_stats s = gyre_water_get_stats(water[1]);
        assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
        free(memory);
        for (int k = 0; k < 2; k++) {
            gyre_water_destroy(water[k]);
            gyre_ocean_destroy(ocean[k]);
        }
    }
}

static gyre_result odd(void *user, double time, bool whole, const double *points, int count,
                       gyre_water_swell *answers)
{
    (void)time;
    (void)whole;
    (void)points;
    for (int k = 0; k < count; k++) {
        answers[k] = (gyre_water_swell){.height = *(const float *)user};
    }
    return GYRE_OK;
}

#define SAYS(result, call, text)                                                                   \
    do {                                                                                           \
        assert_int_equal(call, result);                                                            \
        if (!strstr(gyre_message(), text))                                                         \
            fail_msg("\"%s\" does not say \"%s\"", gyre_message(), text);                          \
    } while (0)

static void test_refused(void **state)
{
    (void)state;
    gyre_ocean *ocean = make_ocean(0.0f, 0.0f, false);
    gyre_water_def def = window_def(GYRE_WATER_SHALLOW, GYRE_WATER_WHOLE, 32, 1.0f, -20.0f);
    gyre_water *water, *alone;
    SAYS(GYRE_ERROR_ARGUMENT, gyre_water_create(device, &def, &water), "mode dispersive");
    def.sea.carries = GYRE_WATER_DIFFERENCE;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
    SAYS(GYRE_ERROR_ARGUMENT, gyre_water_create(device, &def, &water), "periodic");
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_OPEN;
    OK(gyre_water_create(device, &def, &water));
    SAYS(GYRE_ERROR_STATE, gyre_water_step(water, 0.1f), "joined to none");
    gyre_model *model = gyre_water_model(water), *sea = gyre_ocean_model(ocean);
    SAYS(GYRE_ERROR_UNSUPPORTED, gyre_sea_join(model, model), "no ocean");
    SAYS(GYRE_ERROR_UNSUPPORTED, gyre_sea_join(sea, sea), "no water");
    OK(gyre_ocean_set(ocean, "level", gyre_number(0.5)));
    SAYS(GYRE_ERROR_ARGUMENT, gyre_sea_join(model, sea), "level");
    OK(gyre_ocean_set(ocean, "level", gyre_number(0.0)));
    OK(gyre_ocean_set(ocean, "gravity", gyre_number(1.6)));
    SAYS(GYRE_ERROR_ARGUMENT, gyre_sea_join(model, sea), "gravity");
    OK(gyre_ocean_set(ocean, "gravity", gyre_number(9.81)));
    OK(gyre_ocean_step(ocean, 0.5f));
    SAYS(GYRE_ERROR_ARGUMENT, gyre_sea_join(model, sea), "0.5 s");
    float height = NAN;
    gyre_water_outside outside = {odd, NULL, &height, 0.0f, 9.81f};
    SAYS(GYRE_ERROR_ARGUMENT, gyre_water_join(water, &outside), "height of nan");
    height = 0.0f;
    OK(gyre_water_join(water, &outside));
    height = 1e6f;
    SAYS(GYRE_ERROR_ARGUMENT, gyre_water_step(water, 0.1f), "height of 1e+06");
    height = 0.0f;
    OK(gyre_water_step(water, 0.1f));
    OK(gyre_water_join(water, NULL));
    SAYS(GYRE_ERROR_STATE, gyre_water_step(water, 0.1f), "joined to none");
    outside.ask = NULL;
    SAYS(GYRE_ERROR_ARGUMENT, gyre_water_join(water, &outside), "ask is NULL");
    def.sea.carries = GYRE_WATER_ALONE;
    OK(gyre_water_create(device, &def, &alone));
    outside.ask = odd;
    SAYS(GYRE_ERROR_STATE, gyre_water_join(alone, &outside), "alone");
    gyre_water_destroy(alone);
    gyre_water_destroy(water);
    def = window_def(GYRE_WATER_DISPERSIVE, GYRE_WATER_WHOLE, 32, 1.0f, -2.0f);
    gyre_ocean_destroy(ocean);
    ocean = make_ocean(0.0f, 0.0f, false);
    OK(gyre_water_create(device, &def, &water));
    SAYS(GYRE_ERROR_UNSUPPORTED, gyre_sea_join(gyre_water_model(water), gyre_ocean_model(ocean)),
         "same depth");
    gyre_water_destroy(water);
    gyre_ocean_destroy(ocean);
}

/// A train of waves and a sea of a spectrum pass through a window, also through one that moves on:
/// within 2 % of their height they are what they are without it, after several crossings.
static void test_through(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        bool spectrum = k & 1, moves = k & 2;
        gyre_ocean *ocean = make_ocean(0.0f, 0.0f, spectrum);
        gyre_water_def def = window_def(GYRE_WATER_DISPERSIVE, GYRE_WATER_WHOLE, 64, 1.25f, -30.0f);
        gyre_water *water;
        OK(gyre_water_create(device, &def, &water));
        join(water, ocean);
        for (int q = 0; q < 400; q++) {
            OK(gyre_water_step(water, 0.05f));
            if (moves && q % 12 == 11) {
                OK(gyre_model_shift(gyre_water_model(water), (const int32_t[3]){3, -1, 0}));
            }
        }
        gyre_water_stats s = gyre_water_get_stats(water);
        double apart = off(water, ocean, s.time, 2);
        gyre_water_line lines[16];
        int count = gyre_water_ledger(water, lines, 16);
        bool listed = false;
        for (int q = 0; q < count; q++) {
            listed = listed || strcmp(lines[q].name, "sea") == 0;
        }
        print_message("%s%s: off by %.5f, ledger by %.2g of %.6g m^3\n",
                      spectrum ? "a sea" : "a train", moves ? ", moving" : "", apart,
                      s.ledger_error, s.volume);
        assert_true(apart < 0.02);
        assert_true(listed && fabs(s.ledger_error) < 3e-6 * s.volume);
        gyre_water_destroy(water);
        gyre_ocean_destroy(ocean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_difference_is_nothing),
                                       cmocka_unit_test(test_questions),
                                       cmocka_unit_test(test_bodies),
                                       cmocka_unit_test(test_drag),
                                       cmocka_unit_test(test_shore),
                                       cmocka_unit_test(test_saved),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_through)};
    gyre_device_def plain = gyre_default_device_def();
    plain.threads = 1;
    plain.isa = "baseline";
    if (gyre_device_create(NULL, &device) || gyre_device_create(&plain, &single))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    gyre_device_destroy(single);
    return failed;
}
