// labels: small
// What flows with water in pictures: ripples finer than cells and lace, and ground that is wet.
#include "gyre/device.h"
#include "gyre/render.h"
#include "gyre/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 32, WIDE = 240, HIGH = 135, BYTES = 3 * WIDE * HIGH };

static gyre_device *device;
static gyre_image image, other;
static float water[N * N], bed[N * N], wet[N * N], speed[N * N], shift[4][N * N];
static gyre_grid grid;
static gyre_field_view views[8];

static const gyre_field_view *view_of(int which, const float *data)
{
    views[which] = (gyre_field_view){
        (float *)(uintptr_t)data, {N, N, 1}, {1, N, (ptrdiff_t)N * N}, GYRE_CENTRE, grid};
    return &views[which];
}

// Ten metres of water two metres deep, or of dry ground.
static gyre_render_input make_input(bool dry)
{
    grid = (gyre_grid){2, {N, N, 1}, 10.0f / N, {0.0f, 0.0f, 0.0f}};
    for (int c = 0; c < N * N; c++) {
        bed[c] = dry ? 0.3f + 0.02f * (float)(c % N) : -2.0f;
        water[c] = dry ? bed[c] : 0.0f;
    }
    gyre_render_input input = {.grid = &grid,
                               .surface = view_of(0, water),
                               .bed = view_of(1, bed),
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};

    input.settings.mode = GYRE_MODE_SURFACE;
    return input;
}

static gyre_render_flow make_flow(int phases)
{
    gyre_render_flow flow = {.phases = phases, .time = 3.0};

    for (int p = 0; p < phases; p++) {
        for (int a = 0; a < 2; a++)
            flow.shift[p][a] = view_of(2 + 2 * p + a, shift[2 * p + a]);
        flow.weight[p] = 1.0f / (float)phases;
    }
    return flow;
}

static void render(const gyre_render_input *input, gyre_image *to)
{
    if (gyre_render(device, input, to) != GYRE_OK)
        fail_msg("%s", gyre_message());
}

static double difference(void)
{
    double sum = 0.0;

    for (int i = 0; i < BYTES; i++)
        sum += abs((int)image.rgb[i] - (int)other.rgb[i]);
    return sum / BYTES;
}

// ---- the waves themselves

static void slope_at(const gyre_ripples *r, const double d[3][2], double x, double y, double s[2])
{
    s[0] = s[1] = 0.0;
    for (int p = 0; p < r->phases; p++) {
        for (int i = 0; i < GYRE_RIPPLES; i++) {
            double kx = (double)r->k[i][0], ky = (double)r->k[i][1], k = hypot(kx, ky);
            double wave = (double)(r->slope[i] * r->weight[p]) *
                          sin(kx * (x + d[p][0]) + ky * (y + d[p][1]) + (double)r->phase[p][i]);

            s[0] += kx / k * wave;
            s[1] += ky / k * wave;
        }
    }
}

static double random_unit(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

// Mean squares of the slope at random places.
static double variance(const gyre_ripples *r, double apart)
{
    const double d[3][2] = {{0.0, 0.0}, {apart, 0.3 * apart}, {-apart, apart}};
    double sum = 0.0, s[2];
    uint32_t seed = 1;

    for (int n = 0; n < 20000; n++) {
        double x = 200.0 * random_unit(&seed), y = 200.0 * random_unit(&seed);

        slope_at(r, d, x, y, s);
        sum += s[0] * s[0] + s[1] * s[1];
    }
    return sum / 20000.0;
}

// As steep as is asked for, whatever phases weigh and however far they have come apart.
static void test_steepness(void **state)
{
    gyre_view_settings set = gyre_default_view_settings();
    double least[2] = {1e9, 1e9}, most[2] = {0.0, 0.0};

    (void)state;
    make_input(false);
    set.ripples = 0.1f;
    set.ripple_length = 0.7f;
    for (int apart = 0; apart < 8; apart++) {
        for (int k = 0; k <= 8; k++) {
            gyre_render_flow flow = make_flow(k < 8 ? 2 : 0);
            int of = apart > 0;
            gyre_ripples r;

            flow.weight[0] = (float)k / 8.0f;
            flow.weight[1] = 1.0f - flow.weight[0];
            flow.time = 0.37 * k;
            gyre_ripples_make(&set, &grid, &flow, &r);
            double v = variance(&r, 0.23 * apart) / 0.01;

            least[of] = fmin(least[of], v);
            most[of] = fmax(most[of], v);
        }
    }
    print_message("variance of the slope: %.3f to %.3f of what is asked for; of phases that have "
                  "come apart %.3f to %.3f\n",
                  least[0], most[0], least[1], most[1]);
    assert_true(least[0] > 0.95 && most[0] < 1.05);
    // The mean of 16 cosines of what they are apart, 0.18 as a rule.
    assert_true(least[1] > 0.6 && most[1] < 1.4);
}

// The pattern is like itself nowhere else: its autocorrelation two and more lengths away.
static void test_no_tiles(void **state)
{
    gyre_view_settings set = gyre_default_view_settings();
    gyre_render_flow flow = {.time = 0.0};
    gyre_ripples r;
    double most = 0.0;

    (void)state;
    make_input(false);
    set.ripples = 0.1f;
    set.ripple_length = 1.0f;
    gyre_ripples_make(&set, &grid, &flow, &r);
    for (int j = -120; j <= 120; j++) {
        for (int i = 0; i <= 120; i++) {
            double x = 0.25 * i, y = 0.25 * j, sum = 0.0;

            if (hypot(x, y) < 2.0)
                continue;
            for (int k = 0; k < GYRE_RIPPLES; k++)
                sum += cos((double)r.k[k][0] * x + (double)r.k[k][1] * y) / GYRE_RIPPLES;
            most = fmax(most, sum);
        }
    }
    print_message("like itself within 30 lengths: %.2f at most\n", most);
    assert_true(most < 0.8);
}

// Each wave runs as fast as waves of its length do in deep water.
static void test_speeds(void **state)
{
    gyre_view_settings set = gyre_default_view_settings();
    gyre_render_flow flow = {.time = 0.0}, later = {.time = 0.01};
    gyre_ripples r, next;

    (void)state;
    make_input(false);
    set.ripples = 0.1f;
    set.ripple_length = 0.5f;
    set.ripple_direction = 90.0f;
    gyre_ripples_make(&set, &grid, &flow, &r);
    gyre_ripples_make(&set, &grid, &later, &next);
    for (int i = 0; i < GYRE_RIPPLES; i++) {
        double k = hypot((double)r.k[i][0], (double)r.k[i][1]);
        double turned =
            fmod((double)r.phase[0][i] - (double)next.phase[0][i] + 12.566370614, 6.283185307);

        assert_true(k > 12.5 && k < 60.0 && r.k[i][1] > 0.0f);
        assert_true(fabs(turned - 0.01 * sqrt(9.81 * k + 7.28e-5 * k * k * k)) < 1e-3);
    }
}

// ---- pictures

static void test_off(void **state)
{
    gyre_render_input input = make_input(false);
    gyre_render_flow flow = make_flow(2);

    (void)state;
    render(&input, &other);
    input.flow = &flow;
    input.speed = view_of(6, speed);
    render(&input, &image);
    assert_memory_equal(image.rgb, other.rgb, BYTES);
    input.settings.ripples = 0.2f;
    input.settings.ripple_length = 1.5f;
    render(&input, &image);
    print_message("ripples change %.2f\n", difference());
    assert_true(difference() > 1.0);
    input.flow = NULL;
    render(&input, &image);
    assert_memory_equal(image.rgb, other.rgb, BYTES);
    // Where nothing flows there are none, if flow makes them.
    input.flow = &flow;
    input.settings.ripple_speed = 0.5f;
    render(&input, &image);
    assert_memory_equal(image.rgb, other.rgb, BYTES);
}

// What has been carried along looks as what lies there: coordinates and places are one.
static void test_carried(void **state)
{
    gyre_render_input input = make_input(false);
    gyre_render_flow flow = make_flow(2);
    const float by[2] = {0.31f, -0.17f};

    (void)state;
    input.flow = &flow;
    input.settings.ripples = 0.2f;
    input.settings.ripple_length = 1.5f;
    render(&input, &other);
    for (int p = 0; p < 2; p++) {
        for (int a = 0; a < 2; a++) {
            for (int c = 0; c < N * N; c++)
                shift[2 * p + a][c] = by[a];
        }
    }
    render(&input, &image);
    double carried = difference();

    // In a world moved back by as much all is as it was.
    float corner[2] = {grid.origin[0], grid.origin[1]};

    for (int a = 0; a < 2; a++)
        grid.origin[a] -= by[a];
    for (int v = 0; v < 6; v++)
        views[v].grid = grid;
    render(&input, &image);
    double back = difference();

    memset(shift, 0, sizeof shift);
    memcpy(grid.origin, corner, sizeof corner);
    print_message("carried along: %.2f, and in a world moved back: %.3f\n", carried, back);
    assert_true(carried > 0.5 && back < 0.1 * carried);
}

/// The greatest share that one plane wave has of a square in the middle of the picture, seen
/// through a window that is 0 at its sides.
static double greatest_wave(void)
{
    enum { SIDE = 64, HALF = SIDE / 2 };
    static double value[SIDE][SIDE], along[SIDE][HALF][2];
    const double turn = 6.283185307179586;
    double mean = 0.0, weight = 0.0, sum = 0.0, most = 0.0;

    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                int at = (j + (HIGH - SIDE) / 2) * WIDE + i + (WIDE - SIDE) / 2;
                double w = pow(
                    sin(0.5 * turn * (i + 0.5) / SIDE) * sin(0.5 * turn * (j + 0.5) / SIDE), 2.0);

                mean += pass == 0 ? w * image.rgb[3 * at + 1] : 0.0;
                weight += pass == 0 ? w : 0.0;
                value[j][i] = w * (image.rgb[3 * at + 1] - mean / weight);
            }
        }
    }
    memset(along, 0, sizeof along);
    for (int j = 0; j < SIDE; j++) {
        for (int k = 0; k < HALF; k++) {
            for (int i = 0; i < SIDE; i++) {
                along[j][k][0] += value[j][i] * cos(turn * k * i / SIDE);
                along[j][k][1] -= value[j][i] * sin(turn * k * i / SIDE);
            }
        }
    }
    for (int l = 0; l < SIDE; l++) {
        for (int k = 0; k < HALF; k++) {
            double re = 0.0, im = 0.0;

            for (int j = 0; j < SIDE; j++) {
                double c = cos(turn * l * j / SIDE), z = sin(turn * l * j / SIDE);

                re += along[j][k][0] * c + along[j][k][1] * z;
                im += along[j][k][1] * c - along[j][k][0] * z;
            }
            sum += re * re + im * im;
            most = fmax(most, re * re + im * im);
        }
    }
    return most / sum;
}

// From so far that pixels leave the longest waves alone they make no lattice: none is straight.
static void test_no_lattice(void **state)
{
    gyre_render_input input = make_input(false);
    gyre_render_flow flow = make_flow(1);

    (void)state;
    input.flow = &flow;
    input.settings.ripples = 0.15f;
    input.settings.ripple_length = 0.35f;
    input.settings.caustics = false;
    memcpy(input.camera.position, (float[3]){5.0f, -30.0f, 6.0f}, sizeof input.camera.position);
    memcpy(input.camera.target, (float[3]){5.0f, 5.0f, 0.0f}, sizeof input.camera.target);
    memcpy(input.camera.up, (float[3]){0.0f, 0.0f, 1.0f}, sizeof input.camera.up);
    input.camera.field_of_view = 5.0f;
    render(&input, &image);
    double share = greatest_wave();

    print_message("one wave has %.3f of all at most\n", share);
    assert_true(share < 0.045); // 0.070 of straight ones
}

// Ripples finer than pixels are no noise: the picture is that without them.
static void test_no_noise(void **state)
{
    gyre_render_input input = make_input(false);
    gyre_render_flow flow = make_flow(2);
    double change[2];

    (void)state;
    render(&input, &other);
    input.flow = &flow;
    input.settings.ripples = 0.2f;
    for (int k = 0; k < 2; k++) {
        input.settings.ripple_length = k == 0 ? 1.5f : 0.02f;
        render(&input, &image);
        change[k] = difference();
    }
    print_message("ripples of 2 cm change %.3f of what those of 1.5 m do\n", change[1] / change[0]);
    assert_true(change[1] < 0.05 * change[0]);
}

// Wet ground is darker, and shines where it is seen flat; water does not change.
static void test_wet(void **state)
{
    gyre_render_input input = make_input(true);
    int darker = 0, lighter = 0;

    (void)state;
    for (int c = 0; c < N * N; c++)
        wet[c] = c % N < N / 2 ? 1.0f : 0.0f;
    input.settings.clouds = 0.0f;
    render(&input, &other);
    input.wet = view_of(7, wet);
    render(&input, &image);
    for (int i = 0; i < WIDE * HIGH; i++)
        darker += (int)image.rgb[3 * i] < (int)other.rgb[3 * i] - 15;
    print_message("%d pixels are darker, mean difference %.2f\n", darker, difference());
    assert_true(darker > WIDE * HIGH / 10);
    input.settings.wet = false;
    render(&input, &image);
    assert_memory_equal(image.rgb, other.rgb, BYTES);
    // Nearly along the ground: the sky in it.
    input.settings.wet = true;
    memcpy(input.camera.position, (float[3]){5.0f, -6.0f, 0.9f}, sizeof input.camera.position);
    memcpy(input.camera.target, (float[3]){4.0f, 5.0f, 0.4f}, sizeof input.camera.target);
    memcpy(input.camera.up, (float[3]){0.0f, 0.0f, 1.0f}, sizeof input.camera.up);
    render(&input, &image);
    input.wet = NULL;
    render(&input, &other);
    for (int i = 0; i < WIDE * HIGH; i++)
        lighter += (int)image.rgb[3 * i + 2] > (int)other.rgb[3 * i + 2] + 8;
    print_message("%d pixels shine\n", lighter);
    assert_true(lighter > 100);
    // What is no number is none; under water nothing shows of it.
    for (int c = 0; c < N * N; c++)
        wet[c] = NAN;
    input.wet = view_of(7, wet);
    render(&input, &image);
    assert_memory_equal(image.rgb, other.rgb, BYTES);
    input = make_input(false);
    render(&input, &other);
    for (int c = 0; c < N * N; c++)
        wet[c] = 1.0f;
    input.wet = view_of(7, wet);
    render(&input, &image);
    assert_true(difference() < 0.2);
}

// A scene's own: a channel that flows and whose phases take turns shows no beginning.
static void test_no_pop(void **state)
{
    static const char text[] =
        "{\"models\": {\"water\": {\"grid\": {\"dim\": 2, \"n\": [48, 24, 1], \"h\": 0.1}, "
        "\"bed\": {\"flat\": -0.4}, \"sides\": {\"x_low\": {\"rule\": \"inflow\", \"inflow\": "
        "\"discharge\", \"discharge\": 0.2}, \"x_high\": {\"rule\": \"open\"}}, "
        "\"texture\": {\"phases\": 2, \"period\": 0.5, \"offset\": [3.1, 1.7, 0]}}}, "
        "\"time\": {\"fps\": 60, \"steps_per_frame\": 1}, \"view\": {\"mode\": \"surface\", "
        "\"ripples\": 0.12, \"ripple_length\": 0.4}}";
    enum { STEPS = 60 };
    gyre_scene *scene = NULL;
    double change[STEPS], sum = 0.0, most = 0.0;

    (void)state;
    assert_int_equal(gyre_scene_parse(text, strlen(text), "channel.json", &scene), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    for (int k = 0; k < 120; k++)
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(gyre_scene_render(scene, &image), GYRE_OK);
        change[k] = k == 0 ? 0.0 : difference();
        memcpy(other.rgb, image.rgb, BYTES);
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    for (int k = 2; k + 1 < STEPS; k++) {
        sum += change[k] / (STEPS - 3);
        most = fmax(most, change[k] / (0.5 * (change[k - 1] + change[k + 1])));
    }
    print_message("a step changes %.2f, at most %.2f times its neighbours\n", sum, most);
    assert_true(sum > 0.5 && most < 1.3);
    gyre_scene_destroy(scene);
}

static double linear(uint8_t x)
{
    double c = x / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

// Lace as fine as pixels, half white, is what a picture four times as fine makes of it, pixel by
// pixel and on the mean, from near by and from afar.
static void test_lace_mean(void **state)
{
    enum { TIMES = 4 };
    static float white[N * N];
    (void)state;
    gyre_image fine;
    gyre_render_input input = make_input(false);

    for (int c = 0; c < N * N; c++)
        white[c] = 0.5f;
    input.foam = view_of(6, white);
    input.camera.target[0] = input.camera.target[1] = 5.0f;
    input.camera.up[1] = 0.0f;
    input.camera.up[2] = 1.0f;
    assert_int_equal(gyre_image_create(TIMES * WIDE, TIMES * HIGH, &fine), GYRE_OK);
    for (int far = 0; far < 3; far++) {
        static const float away[3] = {6.0f, 15.0f, 50.0f}, high[3] = {3.0f, 4.0f, 20.0f};
        double square = 0.0, sum = 0.0, whiter = 0.0, contrast = 0.0, number = 0.0;

        input.camera.position[0] = 5.0f;
        input.camera.position[1] = 5.0f - away[far];
        input.camera.position[2] = high[far];
        render(&input, &image);
        render(&input, &fine);
        // All of it is water there.
        for (int y = HIGH * 3 / 8; y < HIGH * 5 / 8; y++) {
            for (int x = WIDE * 3 / 8; x < WIDE * 5 / 8; x++) {
                double mean = 0.0, own = linear(image.rgb[3 * (y * WIDE + x)]);

                for (int i = 0; i < TIMES * TIMES; i++) {
                    int at = (TIMES * y + i / TIMES) * TIMES * WIDE + TIMES * x + i % TIMES;

                    mean += linear(fine.rgb[3 * at]) / (TIMES * TIMES);
                }
                square += (own - mean) * (own - mean);
                sum += own - mean;
                whiter += mean;
                contrast += mean * mean;
                number++;
            }
        }
        double spread = sqrt(contrast / number - whiter / number * (whiter / number));
        double off = sqrt(square / number);

        print_message("lace from %.0f m: mean %.3f, %+.4f off, rms %.4f of a spread of %.4f\n",
                      (double)away[far], whiter / number, sum / number, off, spread);
        assert_true(spread > 0.1 && off < 0.34 * spread && fabs(sum / number) < 0.03);
    }
    gyre_image_free(&fine);
}

static void test_refuses(void **state)
{
    gyre_render_input input = make_input(false);
    gyre_render_flow flow = make_flow(2);

    (void)state;
    input.flow = &flow;
    flow.phases = 4;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    flow = make_flow(2);
    flow.shift[1][1] = NULL;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    flow = make_flow(2);
    flow.weight[0] = flow.weight[1] = 0.0f;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "weights"));
}

static int setup(void **state)
{
    (void)state;
    return gyre_device_create(NULL, &device) != GYRE_OK ||
           gyre_image_create(WIDE, HIGH, &image) != GYRE_OK ||
           gyre_image_create(WIDE, HIGH, &other) != GYRE_OK;
}

static int teardown(void **state)
{
    (void)state;
    gyre_image_free(&image);
    gyre_image_free(&other);
    gyre_device_destroy(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steepness), cmocka_unit_test(test_no_tiles),
        cmocka_unit_test(test_speeds),    cmocka_unit_test(test_off),
        cmocka_unit_test(test_carried),   cmocka_unit_test(test_no_lattice),
        cmocka_unit_test(test_no_noise),  cmocka_unit_test(test_wet),
        cmocka_unit_test(test_no_pop),    cmocka_unit_test(test_lace_mean),
        cmocka_unit_test(test_refuses),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
