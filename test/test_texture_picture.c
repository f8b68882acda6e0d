// needs: scene
// timeout: 240
// Pictures of textures that flow: an image at rest and shifted, detail that lasts for a minute
// without a pulse, smoke with solid noise, scenes that name a texture, bad input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/gyre.h"
#include "gyre/io.h"
#include "gyre/render.h"
#include "gyre/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };

static gyre_device *device;
static gyre_image pattern; // N x N: it repeats

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

static void must(gyre_result r)
{
    if (r != GYRE_OK)
        fail_msg("%s", gyre_message());
}

static int open_all(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    def.threads = 2;
    must(gyre_device_create(&def, &device));
    must(gyre_image_create(N, N, &pattern));
    for (int i = 0; i < 3 * N * N; i++) {
        int x = i / 3 % N, y = i / 3 / N, c = i % 3;
        pattern.rgb[i] =
            (uint8_t)(128 + 50 * sin(2 * 3.14159265358979 * (x * (1 + c) + 2 * y) / N) +
                      50 * cos(2 * 3.14159265358979 * (2 * x - (3 - c) * y) / N));
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    gyre_image_free(&pattern);
    gyre_device_destroy(device);
    return 0;
}

/// An input whose texture lies in displacements of its own.
typedef struct still {
    gyre_grid grid;
    float *data[3];
    gyre_field_view view[3], density;
    gyre_render_texture texture;
    gyre_render_input input;
} still;

static void make_still(still *s, int dim, int n, gyre_texels *texels)
{
    size_t count = (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
    *s = (still){.grid = {dim, {n, n, dim == 3 ? n : 1}, 1.0f / (float)n, {0}}};
    s->texture = (gyre_render_texture){.texels = texels, .phases = 1, .weight = {1}, .size = 1.0f};
    for (int a = 0; a < 3; a++) {
        s->data[a] = calloc(count, sizeof(float));
        s->view[a] = (gyre_field_view){.data = s->data[a],
                                       .n = {n, n, s->grid.n[2]},
                                       .stride = {1, n, (ptrdiff_t)n * n},
                                       .location = GYRE_CENTRE,
                                       .grid = s->grid};
        s->texture.shift[0][a] = &s->view[a];
    }
    s->input = (gyre_render_input){.grid = &s->grid,
                                   .camera = gyre_default_camera(),
                                   .light = gyre_default_light(),
                                   .settings = gyre_default_view_settings(),
                                   .texture = &s->texture};
}

static void shift_by(still *s, float x, float y, float z)
{
    size_t count = (size_t)s->grid.n[0] * (size_t)s->grid.n[1] * (size_t)s->grid.n[2];
    for (size_t i = 0; i < count; i++) {
        s->data[0][i] = x;
        s->data[1][i] = y;
        s->data[2][i] = z;
    }
}

static void free_still(still *s)
{
    for (int a = 0; a < 3; a++)
        free(s->data[a]);
}

/// The largest difference of a picture from the pattern moved by whole pixels, to the right and up.
static int off_by(const gyre_image *image, int right, int up)
{
    int most = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            for (int c = 0; c < 3; c++) {
                int from = 3 * ((x - right + N) % N + N * ((y + up + N) % N)) + c;
                most = (int)fmax(most, abs(image->rgb[3 * (x + N * y) + c] - pattern.rgb[from]));
            }
    return most;
}

// At rest the image is itself, byte by byte; a shift of its coordinates shifts it.
static void an_image_at_rest_is_itself_and_shifts(void **state)
{
    (void)state;
    gyre_texels *texels;
    gyre_image image;
    still s;
    must(gyre_texels_create(&pattern, &texels));
    must(gyre_image_create(N, N, &image));
    make_still(&s, 2, 16, texels);
    must(gyre_render(device, &s.input, &image));
    assert_int_equal(off_by(&image, 0, 0), 0);
    assert_true(off_by(&image, 1, 0) > 5 && off_by(&image, 0, 1) > 5);
    shift_by(&s, -5.0f / N, -3.0f / N, 0.0f);
    must(gyre_render(device, &s.input, &image));
    assert_true(off_by(&image, 5, 3) <= 1);
    // So does the phase's offset, and where the image lies.
    s.texture.offset[0][0] = 4.0f / N;
    s.texture.origin[1] = 2.0f / N;
    must(gyre_render(device, &s.input, &image));
    assert_true(off_by(&image, 1, 5) <= 1);
    // Three phases that show the same detail are that.
    s.texture.phases = 3;
    for (int p = 1; p < 3; p++) {
        memcpy(s.texture.shift[p], s.texture.shift[0], sizeof s.texture.shift[0]);
        memcpy(s.texture.offset[p], s.texture.offset[0], sizeof s.texture.offset[0]);
        s.texture.weight[p] = 0.4f * (float)p;
    }
    must(gyre_render(device, &s.input, &image));
    assert_true(off_by(&image, 1, 5) <= 1);
    free_still(&s);
    gyre_texels_destroy(texels);
    gyre_image_free(&image);
}

// ---- a minute

static double luminance(const gyre_image *image, int x, int y)
{
    const uint8_t *p = image->rgb + 3 * (x + image->width * y);
    return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}

static double mean_of(const gyre_image *image)
{
    double sum = 0.0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            sum += luminance(image, x, y);
    return sum / (image->width * image->height);
}

static double variance_of(const gyre_image *image)
{
    double mean = mean_of(image), sum = 0.0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            sum += pow(luminance(image, x, y) - mean, 2);
    return sum / (image->width * image->height);
}

/// Of detail: of what differs over four pixels.
static double detail_of(const gyre_image *image)
{
    enum { FAR = 4 };
    double sum = 0.0;
    int count = 0;
    for (int y = 0; y + FAR < image->height; y++)
        for (int x = 0; x + FAR < image->width; x++, count += 2) {
            double own = luminance(image, x, y);
            sum += pow(luminance(image, x + FAR, y) - own, 2) +
                   pow(luminance(image, x, y + FAR) - own, 2);
        }
    return sum / count;
}

static double change_of(const gyre_image *a, const gyre_image *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * a->width * a->height; i++)
        sum += pow((double)a->rgb[i] - b->rgb[i], 2);
    return sqrt(sum / (3 * a->width * a->height));
}

typedef struct minute {
    double variance[3], detail[3], change[3]; // least, most, sum
    int count, changes;
    double worst_reset; // the most that a step in which a phase begins anew changes the picture
} minute;

static void note(double x, double of[3])
{
    of[0] = fmin(of[0], x);
    of[1] = fmax(of[1], x);
    of[2] += x;
}

/// Noise stirs noise for 60 s; pictures are looked at after the first period.
static minute stir(int phases, gyre_texels *texels)
{
    enum { CELLS = 32, PIXELS = 112, STEPS = 300 };
    minute m = {.variance = {1e9}, .detail = {1e9}, .change = {1e9}};
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas *gas = NULL;
    gyre_image image, before;
    still s;
    def.grid.n[0] = def.grid.n[1] = CELLS;
    def.grid.h = 1.0f / CELLS;
    def.velocity = GYRE_GAS_NOISE;
    def.noise.speed = 0.08f;
    def.noise.size = 0.6f;
    def.noise.octaves = 1.0f;
    def.texture.phases = phases;
    def.texture.period = 3.0f;
    def.texture.offset[0] = 0.37f;
    def.texture.offset[1] = 0.23f;
    must(gyre_gas_create(device, &def, &gas));
    must(gyre_image_create(PIXELS, PIXELS, &image));
    must(gyre_image_create(PIXELS, PIXELS, &before));
    make_still(&s, 2, CELLS, texels);
    s.texture.size = 0.5f;
    double age[3] = {0};
    for (int step = 1; step <= STEPS; step++) {
        gyre_texture t;
        must(gyre_gas_step(gas, 60.0f / STEPS));
        must(gyre_model_texture(gyre_gas_model(gas), &t));
        s.texture.phases = t.phases;
        memcpy(s.texture.weight, t.weight, sizeof t.weight);
        memcpy(s.texture.offset, t.offset, sizeof t.offset);
        gyre_field_view views[3][2];
        bool anew = false;
        for (int p = 0; p < t.phases; p++) {
            anew = anew || t.age[p] < age[p];
            age[p] = t.age[p];
            for (int a = 0; a < 2; a++) {
                must(gyre_gas_map(gas, t.field[p][a], GYRE_READ, &views[p][a]));
                s.texture.shift[p][a] = &views[p][a];
            }
        }
        uint8_t *spare = before.rgb;
        before.rgb = image.rgb;
        image.rgb = spare;
        must(gyre_render(device, &s.input, &image));
        for (int p = 0; p < t.phases; p++)
            for (int a = 0; a < 2; a++)
                must(gyre_gas_unmap(gas, t.field[p][a]));
        if (step * 60.0 / STEPS > 3.0) {
            note(variance_of(&image), m.variance);
            note(detail_of(&image), m.detail);
            double change = change_of(&image, &before);
            note(change, m.change);
            m.worst_reset = anew ? fmax(m.worst_reset, change) : m.worst_reset;
            m.count++;
        }
    }
    free_still(&s);
    gyre_image_free(&image);
    gyre_image_free(&before);
    gyre_gas_destroy(gas);
    return m;
}

static void print_minute(const char *what, const minute *m, double rest)
{
    double v = m->variance[2] / m->count, d = m->detail[2] / m->count, c = m->change[2] / m->count;
    printf("%s: variance %.3f of that at rest, %+.1f %% %+.1f %%; detail %+.1f %% %+.1f %%; change "
           "of a step %.2f levels, x %.2f to x %.2f, with a beginning x %.2f\n",
           what, v / rest, 100 * (m->variance[0] / v - 1), 100 * (m->variance[1] / v - 1),
           100 * (m->detail[0] / d - 1), 100 * (m->detail[1] / d - 1), c, m->change[0] / c,
           m->change[1] / c, m->worst_reset / c);
}

static void detail_lasts_for_a_minute_without_a_pulse(void **state)
{
    (void)state;
    gyre_texels *texels;
    gyre_image image;
    still s;
    must(gyre_texels_create(NULL, &texels));
    must(gyre_image_create(112, 112, &image));
    make_still(&s, 2, 32, texels);
    s.texture.size = 0.5f;
    must(gyre_render(device, &s.input, &image));
    double rest = variance_of(&image), detail = detail_of(&image);
    free_still(&s);
    gyre_image_free(&image);
    for (int phases = 2; phases <= 3; phases++) {
        minute m = stir(phases, texels);
        double v = m.variance[2] / m.count, d = m.detail[2] / m.count, c = m.change[2] / m.count;
        if (loud()) {
            print_minute(phases == 2 ? "two phases" : "three phases", &m, rest);
            printf("  detail is %.3f of that at rest\n", d / detail);
        }
        assert_true(fabs(v / rest - 1) < 0.1);
        assert_true(m.variance[0] > 0.9 * v && m.variance[1] < 1.1 * v);
        assert_true(m.detail[0] > 0.9 * d && m.detail[1] < 1.1 * d && fabs(d / detail - 1) < 0.1);
        assert_true(m.worst_reset < 1.5 * c && m.change[1] < 2.0 * c);
    }
    gyre_texels_destroy(texels);
}

// ---- volumes

static void solid_noise_is_carried_along(void **state)
{
    (void)state;
    enum { C = 16, P = 48 };
    gyre_texels *texels;
    gyre_image plain, drawn, moved, round;
    float density[C * C * C];
    still s;
    must(gyre_texels_create(NULL, &texels));
    make_still(&s, 3, C, texels);
    for (int i = 0; i < C * C * C; i++)
        density[i] = 0.05f;
    s.density = s.view[0];
    s.density.data = density;
    s.input.density = &s.density;
    s.input.field = NULL;
    gyre_image *images[] = {&plain, &drawn, &moved, &round};
    for (int q = 0; q < 4; q++) {
        must(gyre_image_create(P, P, images[q]));
        s.input.texture = q == 0 ? NULL : &s.texture;
        shift_by(&s, 0.0f, 0.0f, q == 2 ? 0.25f : q == 3 ? 1.0f : 0.0f);
        must(gyre_render(device, &s.input, images[q]));
    }
    if (loud())
        printf("noise in smoke: %.2f levels, moved %.2f, moved round %.2f; means %.2f %.2f\n",
               change_of(&drawn, &plain), change_of(&moved, &drawn), change_of(&round, &drawn),
               mean_of(&plain), mean_of(&drawn));
    assert_true(change_of(&drawn, &plain) > 2.0 && change_of(&moved, &drawn) > 2.0);
    assert_true(change_of(&round, &drawn) < 0.1);
    for (int q = 0; q < 4; q++)
        gyre_image_free(images[q]);
    free_still(&s);
    gyre_texels_destroy(texels);
}

// ---- files

// Of a picture that lets half through, half of its light over black.
static void colours_are_read_as_they_were_written(void **state)
{
    (void)state;
    static uint8_t with_alpha[4 * N * N];
    const char *path = GYRE_BINARY_DIR "/test_texture_picture.png";
    int width = 0, height = 0;
    uint8_t *rgb = NULL;
    must(gyre_png_write(path, N, N, 3, pattern.rgb));
    must(gyre_png_read(path, &width, &height, &rgb));
    assert_true(width == N && height == N);
    assert_memory_equal(rgb, pattern.rgb, 3 * N * N);
    free(rgb);
    for (int i = 0; i < N * N; i++) {
        memcpy(with_alpha + 4 * i, pattern.rgb + 3 * i, 3);
        with_alpha[4 * i + 3] = 51;
    }
    must(gyre_png_write(path, N, N, 4, with_alpha));
    must(gyre_png_read(path, &width, &height, &rgb));
    for (int i = 0; i < 3 * N * N; i++)
        assert_int_equal(rgb[i], (pattern.rgb[i] + 2) / 5);
    free(rgb);
    remove(path);
}

// ---- what is refused

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    gyre_texels *texels;
    gyre_image image, none = {0};
    still s;
    must(gyre_image_create(8, 8, &image));
    assert_int_equal(gyre_texels_create(&none, &texels), GYRE_ERROR_ARGUMENT);
    must(gyre_texels_create(&pattern, &texels));
    gyre_texels_hold(texels);
    gyre_texels_destroy(texels); // one owner is left
    for (int q = 0; q < 6; q++) {
        make_still(&s, 2, 8, texels);
        gyre_field_view faces = s.view[0];
        faces.location = GYRE_FACE_X;
        switch (q) {
        case 0:
            s.texture.phases = 4;
            break;
        case 1:
            s.texture.weight[0] = 0.0f;
            break;
        case 2:
            s.texture.weight[0] = NAN;
            break;
        case 3:
            s.texture.shift[0][1] = NULL;
            break;
        case 4:
            s.texture.size = 0.0f;
            break;
        default:
            s.texture.shift[0][0] = &faces;
        }
        assert_int_equal(gyre_render(device, &s.input, &image), GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "texture"));
        free_still(&s);
    }
    // Numbers that are none are drawn as nothing that breaks.
    make_still(&s, 2, 8, texels);
    shift_by(&s, INFINITY, NAN, 0.0f);
    must(gyre_render(device, &s.input, &image));
    shift_by(&s, 1e30f, -1e30f, 0.0f);
    must(gyre_render(device, &s.input, &image));
    free_still(&s);
    gyre_texels_destroy(texels);
    gyre_image_free(&image);
}

static gyre_result create(const char *phases, const char *texture, gyre_scene **scene)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [16, 16, 1] }, \"texture\": "
        "{ \"phases\": %s } } }, \"view\": { \"texture\": \"%s\" } }",
        phases, texture);
    gyre_result r = gyre_scene_parse(text, strlen(text), GYRE_SOURCE_DIR "/scene/none.json", scene);
    return r ? r : gyre_scene_create(*scene, device);
}

static void scenes_name_a_texture(void **state)
{
    (void)state;
    static const struct {
        const char *phases, *texture, *says;
    } wrong[] = {{"0", "noise", "texture.phases"},
                 {"2", "missing.png", "missing.png"},
                 {"2", "valley.npy", "valley.npy"}};
    gyre_scene *scene;
    gyre_image image;
    for (int q = 0; q < 3; q++) {
        scene = NULL;
        assert_true(create(wrong[q].phases, wrong[q].texture, &scene) != GYRE_OK);
        assert_non_null(strstr(gyre_message(), wrong[q].says));
        gyre_scene_destroy(scene);
    }
    // Beside the scene's own file; a timeline may change it.
    must(create("2", "paint.png", &scene));
    must(gyre_image_create(32, 32, &image));
    must(gyre_scene_render(scene, &image));
    double first = variance_of(&image);
    must(gyre_scene_set(scene, "view.texture", "noise"));
    must(gyre_scene_render(scene, &image));
    assert_true(first > 500 && fabs(variance_of(&image) - first) > 100);
    // A picture that is held has its texture though the scene has another by then.
    gyre_picture *picture;
    gyre_image held;
    must(gyre_image_create(32, 32, &held));
    must(gyre_picture_create(&picture));
    must(gyre_picture_hold(picture, scene));
    must(gyre_scene_set(scene, "view.texture", "paint.png"));
    gyre_image other;
    must(gyre_image_create(32, 32, &other));
    must(gyre_scene_render(scene, &other));
    must(gyre_picture_draw(picture, device, &held));
    assert_memory_equal(held.rgb, image.rgb, 3 * 32 * 32);
    assert_true(change_of(&other, &image) > 5);
    gyre_picture_destroy(picture);
    gyre_scene_destroy(scene);
    gyre_image_free(&image);
    gyre_image_free(&held);
    gyre_image_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_at_rest_is_itself_and_shifts),
        cmocka_unit_test(detail_lasts_for_a_minute_without_a_pulse),
        cmocka_unit_test(solid_noise_is_carried_along),
        cmocka_unit_test(colours_are_read_as_they_were_written),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(scenes_name_a_texture),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
