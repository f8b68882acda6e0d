// labels: threads
// timeout: 300
// test/test_caustics.c: the sun's light under waves against rays traced one by one.
//
// The reference knows nothing of the renderer's corners and maps: in double precision it takes
// places on the cubic B-spline through the cells' heights, its exact slope there, Snell's and
// Fresnel's laws, the way down to the bed, and counts what comes to each bin.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/render.h"
#include "render/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 48, BIN = 4, BINS_MOST = 128, WIDE = 96, HIGH = 64, SIDE = 2048 };

static gyre_device *device, *alone;
static const gyre_grid grid = {2, {N, N, 1}, 0.25f, {-3.0f, 2.0f, 0.0f}};
static float water[N * N], bed[N * N];
static gyre_field_view surface_view, bed_view;
static const double to_sun[3] = {0.35, 0.25, 1.0};

static gyre_field_view view_of(float *data)
{
    return (gyre_field_view){data, {N, N, 1}, {1, N, (ptrdiff_t)N * N}, GYRE_CENTRE, grid};
}

static gyre_render_input make_input(void)
{
    gyre_render_input input;

    surface_view = view_of(water);
    bed_view = view_of(bed);
    input = (gyre_render_input){.grid = &grid,
                                .surface = &surface_view,
                                .bed = &bed_view,
                                .camera = gyre_default_camera(),
                                .light = gyre_default_light(),
                                .settings = gyre_default_view_settings()};
    for (int a = 0; a < 3; a++)
        input.light.direction[a] = (float)to_sun[a];
    input.settings.caustics = true;
    return input;
}

// Waves of three lengths that end before the sides, over a bed that may slope.
static void fill(double high, double slope)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            double x = (i + 0.5) * 0.25, y = (j + 0.5) * 0.25, dx = x - 6.0, dy = y - 6.0;
            double end = exp(-pow((dx * dx + dy * dy) / 12.0, 2.0));
            double wave = sin(2.6 * x + 0.7 * y) + 0.8 * sin(1.3 * x - 2.9 * y + 1.0) +
                          0.5 * cos(4.1 * y + 0.4 * x);

            water[i + j * N] = (float)(high * wave * end);
            bed[i + j * N] = (float)(-2.0 + slope * dx);
        }
    }
}

static void build(gyre_device *on, const gyre_render_input *input, gyre_image *image, gy_surface *s)
{
    assert_int_equal(gyre_image_create(WIDE, HIGH, image), GYRE_OK);
    assert_int_equal(gy_surface_build(on, input, image, s), GYRE_OK);
    assert_int_equal(gy_surface_aim(on, s), GYRE_OK);
}

static void drop(gyre_image *image, gy_surface *s)
{
    gy_surface_free(s);
    gyre_image_free(image);
}

// ---- the reference, in metres from the domain's corner

static double spline(const float *cells, double x, double y, double slope[2])
{
    double at[2] = {x / 0.25 - 0.5, y / 0.25 - 0.5}, w[2][4], d[2][4], sum = 0.0;
    int base[2];

    slope[0] = slope[1] = 0.0;
    for (int a = 0; a < 2; a++) {
        double t = at[a] - floor(at[a]), s = 1.0 - t;

        base[a] = (int)floor(at[a]);
        w[a][0] = s * s * s / 6.0;
        w[a][1] = (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0;
        w[a][2] = (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0;
        w[a][3] = t * t * t / 6.0;
        d[a][0] = -s * s / 2.0;
        d[a][1] = (-4.0 * t + 3.0 * t * t) / 2.0;
        d[a][2] = (4.0 * s - 3.0 * s * s) / 2.0;
        d[a][3] = t * t / 2.0;
    }
    for (int b = 0; b < 4; b++) {
        for (int a = 0; a < 4; a++) {
            int i = base[0] - 1 + a, j = base[1] - 1 + b;

            i = i < 0 ? 0 : i < N ? i : N - 1;
            j = j < 0 ? 0 : j < N ? j : N - 1;
            double value = (double)cells[i + j * N];

            sum += w[0][a] * w[1][b] * value;
            slope[0] += d[0][a] * w[1][b] * value / 0.25;
            slope[1] += w[0][a] * d[1][b] * value / 0.25;
        }
    }
    return sum;
}

// What of unpolarised light passes into water, by Fresnel.
static double passes(double cosine, double *inner)
{
    *inner = sqrt(1.0 - 0.5625 * (1.0 - cosine * cosine));
    double s = (cosine - 4.0 / 3.0 * *inner) / (cosine + 4.0 / 3.0 * *inner);
    double p = (4.0 / 3.0 * cosine - *inner) / (4.0 / 3.0 * cosine + *inner);

    return 1.0 - 0.5 * (s * s + p * p);
}

// Light 1 across the sun's rays that comes in through the water at (x, y), per area seen from
// above; where it meets a level `floor`, or the bed, goes to `end`.
static double trace(double x, double y, const double *level, double end[2])
{
    double slope[2], none[2], length = sqrt(1.0 + 0.35 * 0.35 + 0.25 * 0.25), inner;
    double z = spline(water, x, y, slope), across = 1.0, cosine, dir[3], t = 0.0;
    double normal[3] = {-slope[0], -slope[1], 1.0}, light = 0.0;

    across = sqrt(1.0 + slope[0] * slope[0] + slope[1] * slope[1]);
    for (int a = 0; a < 3; a++)
        light += normal[a] * to_sun[a] / length;
    cosine = light / across;
    double share = passes(cosine, &inner);

    for (int a = 0; a < 3; a++)
        dir[a] = -0.75 * to_sun[a] / length + (0.75 * cosine - inner) * normal[a] / across;
    for (int k = 0; k < (level != NULL ? 1 : 6); k++) {
        double ground = level != NULL ? *level : spline(bed, x + dir[0] * t, y + dir[1] * t, none);

        t = (z - ground) / -dir[2];
    }
    end[0] = x + dir[0] * t;
    end[1] = y + dir[1] * t;
    return light * share;
}

static double draw_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

// Means of light in bins of BIN x BIN of the renderer's cells; `side` x `side` rays.
static void trace_all(int side, int bins, const double *level, double *to)
{
    uint64_t state = 1;
    double wide = N * 0.25, end[2];

    memset(to, 0, (size_t)bins * (size_t)bins * sizeof *to);
    // From beyond the sides, too: what falls inside comes from up to two metres before them.
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++) {
            double x = -2.0 + (wide + 4.0) * (i + draw_random(&state)) / side;
            double y = -2.0 + (wide + 4.0) * (j + draw_random(&state)) / side;
            double light = trace(x, y, level, end);
            int a = (int)floor(end[0] / wide * bins), b = (int)floor(end[1] / wide * bins);

            if (a >= 0 && b >= 0 && a < bins && b < bins)
                to[a + b * bins] += light;
        }
    }
    double per = (wide + 4.0) / side * bins / wide;

    for (int c = 0; c < bins * bins; c++)
        to[c] *= per * per;
}

static void bin(const gy_caustics *c, int plane, int bins, double *to)
{
    for (int j = 0; j < bins; j++) {
        for (int i = 0; i < bins; i++) {
            double sum = 0.0;

            for (int b = 0; b < BIN; b++) {
                for (int a = 0; a < BIN; a++)
                    sum += (double)c->map[plane][BIN * i + a + (BIN * j + b) * c->map_row];
            }
            to[i + j * bins] = sum / (BIN * BIN);
        }
    }
}

static double ours[BINS_MOST * BINS_MOST], theirs[BINS_MOST * BINS_MOST];

// Prints and holds how alike both are: root mean square of the difference, of the mean light, and
// correlation; and all light.
static void compare(int bins, const char *name, double most_rms, double least_alike)
{
    double sum[2] = {0}, square[2] = {0}, both = 0.0, off = 0.0, count = (double)(bins * bins);

    for (int c = 0; c < bins * bins; c++) {
        sum[0] += ours[c] / count;
        sum[1] += theirs[c] / count;
    }
    for (int c = 0; c < bins * bins; c++) {
        double p = ours[c] - sum[0], q = theirs[c] - sum[1];

        square[0] += p * p / count;
        square[1] += q * q / count;
        both += p * q / count;
        off += (ours[c] - theirs[c]) * (ours[c] - theirs[c]) / count;
    }
    double rms = sqrt(off) / sum[1], alike = both / sqrt(square[0] * square[1]);

    print_message("%s: rms %.4f of the mean (the light itself varies by %.3f), correlation %.5f, "
                  "all light %.5f of the reference's\n",
                  name, rms, sqrt(square[1]) / sum[1], alike, sum[0] / sum[1]);
    assert_true(sqrt(square[1]) / sum[1] > 0.15); // there are caustics
    assert_true(rms < most_rms);
    assert_true(alike > least_alike);
    assert_true(fabs(sum[0] / sum[1] - 1.0) < 0.01);
}

// Even water: even light, as Fresnel and the sun's height have it.
static void test_even(void **state)
{
    gyre_render_input input = make_input();
    gyre_image image;
    gy_surface s;
    double cosine = 1.0 / sqrt(1.0 + 0.35 * 0.35 + 0.25 * 0.25), inner;
    double light = cosine * passes(cosine, &inner);
    float least = 9.0f, most = 0.0f;

    (void)state;
    fill(0.0, 0.0);
    build(device, &input, &image, &s);
    for (int j = 0; j < s.relief.n[1]; j++) {
        for (int i = 0; i < s.relief.n[0]; i++) {
            float own = s.caustics.map[0][i + j * s.caustics.map_row];

            least = own < least ? own : least;
            most = own > most ? own : most;
        }
    }
    print_message("even water: %.7f to %.7f, known %.7f\n", (double)least, (double)most, light);
    assert_true(most - least < 3e-5f);
    assert_true(fabs((double)most - light) < 0.002 * light);
    drop(&image, &s);
}

// All light that comes in through waves arrives, on the bed and on planes above it.
static void test_energy(void **state)
{
    gyre_mesh ball = {0};
    // All over the domain: planes are made where there are bodies.
    static const float points[12] = {-20.0f, -10.0f, -1.5f, 30.0f, -10.0f, -1.5f,
                                     3.0f,   60.0f,  -1.5f, 3.0f,  7.0f,   -0.2f};
    static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

    (void)state;
    ball.points = points;
    ball.point_count = 4;
    ball.triangles = triangles;
    ball.triangle_count = 4;
    for (int k = 0; k < 3; k++) {
        static const double highs[3] = {0.02, 0.08, 0.14};
        gyre_render_input input = make_input();
        gyre_image image;
        gy_surface s;
        double in = 0.0, end[2];
        const int side = 600;

        fill(highs[k], 0.0);
        input.meshes = &ball;
        input.mesh_count = 1;
        build(device, &input, &image, &s);
        for (int j = 0; j < side; j++) {
            for (int i = 0; i < side; i++)
                in += trace((i + 0.5) * 12.0 / side, (j + 0.5) * 12.0 / side, NULL, end);
        }
        in /= (double)side * side;
        assert_true(s.caustics.planes >= 2);
        for (int p = 0; p <= s.caustics.planes; p++) {
            double out = 0.0;

            for (int j = 0; j < s.relief.n[1]; j++) {
                for (int i = 0; i < s.relief.n[0]; i++)
                    out += (double)s.caustics.map[p][i + j * s.caustics.map_row];
            }
            out /= (double)s.relief.n[0] * s.relief.n[1];
            if (p == 0)
                print_message("waves %.2f: in %.6f, on the bed %.6f (%.4f)\n", highs[k], in, out,
                              out / in);
            assert_true(fabs(out / in - 1.0) < 0.005);
        }
        drop(&image, &s);
    }
}

// Light where it falls, against the reference.
static void test_reference(void **state)
{
    const double level = -2.0;

    (void)state;
    for (int k = 0; k < 2; k++) {
        gyre_render_input input = make_input();
        gyre_image image;
        gy_surface s;

        fill(k == 0 ? 0.16 : 0.1, k == 0 ? 0.0 : 0.12);
        build(device, &input, &image, &s);
        int bins = s.relief.n[0] / BIN;

        assert_true(bins <= BINS_MOST);
        bin(&s.caustics, 0, bins, ours);
        trace_all(SIDE, bins, k == 0 ? &level : NULL, theirs);
        compare(bins, k == 0 ? "level bed" : "sloping bed", 0.06, 0.995);
        drop(&image, &s);
    }
}

// The same half way down, where a body is.
static void test_between(void **state)
{
    static const float points[9] = {-20.0f, -10.0f, -1.0f, 30.0f, -10.0f,
                                    -1.0f,  3.0f,   60.0f, -1.0f};
    static const int32_t triangles[3] = {0, 1, 2};
    gyre_mesh sheet = {
        .points = points, .point_count = 3, .triangles = triangles, .triangle_count = 1};
    gyre_render_input input = make_input();
    gyre_image image;
    gy_surface s;

    (void)state;
    fill(0.14, 0.0);
    input.meshes = &sheet;
    input.mesh_count = 1;
    build(device, &input, &image, &s);
    int bins = s.relief.n[0] / BIN;
    double level = (double)(s.caustics.low + s.caustics.step) * (double)s.relief.unit;

    assert_true(fabs(level + 1.0) < 1e-5);
    bin(&s.caustics, 1, bins, ours);
    trace_all(SIDE, bins, &level, theirs);
    compare(bins, "a plane 1 m down", 0.06, 0.99);
    drop(&image, &s);
}

// Any number of threads and any instruction set; without the setting there is nothing.
static void test_same(void **state)
{
    gyre_render_input input = make_input();
    gyre_image image[2];
    gy_surface s[2];

    (void)state;
    fill(0.1, 0.3); // part of the bed is dry
    build(device, &input, &image[0], &s[0]);
    build(alone, &input, &image[1], &s[1]);
    for (int j = 0; j < s[0].relief.n[1]; j++)
        assert_memory_equal(s[0].caustics.map[0] + j * s[0].caustics.map_row,
                            s[1].caustics.map[0] + j * s[1].caustics.map_row,
                            (size_t)s[0].relief.n[0] * sizeof(float));
    drop(&image[1], &s[1]);
    assert_int_equal(gyre_render(device, &input, &image[0]), GYRE_OK);
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image[1]), GYRE_OK);
    assert_int_equal(gyre_render(alone, &input, &image[1]), GYRE_OK);
    assert_memory_equal(image[0].rgb, image[1].rgb, 3 * WIDE * HIGH);
    drop(&image[0], &s[0]);
    gyre_image_free(&image[1]);
    input.settings.caustics = false;
    build(device, &input, &image[0], &s[0]);
    assert_null(s[0].caustics.memory);
    drop(&image[0], &s[0]);
}

// A picture straight down on the bed: as bright as the map says.
static void test_picture(void **state)
{
    gyre_render_input input = make_input();
    gyre_image image, calm;
    gy_surface s;
    double sum[2] = {0}, square[2] = {0}, both = 0.0, count = 0.0;

    (void)state;
    input.camera = (gyre_camera){{3.0f, 8.0f, 60.0f}, {3.0f, 8.0f, 0.0f}, {0.0f, 2.0f, 0.0f}, 6.0f};
    input.settings.water_clarity = 1e4f;
    input.settings.shadow = false;
    input.settings.clouds = 0.0f;
    input.settings.exposure = 0.4f;
    // Calm water shows the ground as it is.
    fill(0.0, 0.0);
    assert_int_equal(gyre_image_create(WIDE, HIGH, &calm), GYRE_OK);
    assert_int_equal(gyre_render(device, &input, &calm), GYRE_OK);
    fill(0.05, 0.0);
    build(device, &input, &image, &s);
    assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
    for (int y = 4; y < HIGH - 4; y++) {
        for (int x = 4; x < WIDE - 4; x++) {
            // The bed lies 62 m away, but water draws it half a metre nearer.
            double per = 2.0 * tan(3.0 * 0.017453292519943295) * 61.5 / HIGH;
            double at[2] = {6.0 + (x + 0.5 - WIDE / 2.0) * per, 6.0 + (HIGH / 2.0 - y - 0.5) * per};
            int i = (int)(at[0] / (double)s.relief.unit), j = (int)(at[1] / (double)s.relief.unit);
            size_t pixel = 3 * (size_t)(x + y * WIDE) + 1;
            double p = (double)image.rgb[pixel] / (double)calm.rgb[pixel];
            double q = (double)s.caustics.map[0][i + j * s.caustics.map_row];

            sum[0] += p;
            sum[1] += q;
            square[0] += p * p;
            square[1] += q * q;
            both += p * q;
            count += 1.0;
        }
    }
    double alike = (both - sum[0] * sum[1] / count) / sqrt((square[0] - sum[0] * sum[0] / count) *
                                                           (square[1] - sum[1] * sum[1] / count));

    print_message("picture and map: correlation %.4f\n", alike);
    assert_true(alike > 0.7);
    gyre_image_free(&calm);
    drop(&image, &s);
}

static int start(void **state)
{
    gyre_device_def def = gyre_default_device_def(), one = gyre_default_device_def();

    (void)state;
    def.threads = 3;
    one.threads = 1;
    one.isa = "baseline";
    return gyre_device_create(&def, &device) != GYRE_OK ||
           gyre_device_create(&one, &alone) != GYRE_OK;
}

static int stop(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    gyre_device_destroy(alone);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),      cmocka_unit_test(test_energy),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_between),
        cmocka_unit_test(test_same),      cmocka_unit_test(test_picture),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
