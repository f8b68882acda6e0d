// Smoke in the light of what glows in it: how light wanders, against a point source in a uniform
// medium and as a budget; what pictures show of it, and of a field that shines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gyre/gyre.h"
#include "gyre/scene.h"
#include "render/flame.h"
#include "test/check.h"

static gyre_device *device;

/// A medium that takes and turns light alike everywhere, with a lamp in its middle.
static gy_wander lamp(int n, float takes, float turns)
{
    gy_wander w;
    const int all[3] = {n, n, n};
    must(gy_wander_make(all, 1.0f, NULL, &w));
    for (int i = 0; i < n * n * n; i++) {
        w.takes[i] = vec_all(takes);
        w.spread[i] = vec_all(1.0f / (3.0f * turns));
    }
    int middle = n / 2;
    w.gives[middle + n * (middle + n * middle)] = (vec){1.0f, 2.0f, 3.0f, 0.0f};
    return w;
}

/// exp(-kappa r) / (4 pi D r), kappa = sqrt(takes / D).
static void a_point_lights_as_it_should(void **state)
{
    (void)state;
    const int n = 41, middle = n / 2;
    const double takes = 0.03, turns = 0.4, d = 1.0 / (3.0 * turns), kappa = sqrt(takes / d);
    gy_wander w = lamp(n, (float)takes, (float)turns);
    int sweeps = gy_wander_solve(&w);
    for (int r = 6; r <= 12; r += 3) {
        double exact = exp(-kappa * r) / (4.0 * 3.14159265358979 * d * r);
        vec along = w.phi[middle + r + n * (middle + n * middle)];
        vec down = w.phi[middle + n * (middle + n * (middle - r))];
        printf("    %2d cells away: %.5g, exact %.5g (%d sweeps)\n", r, (double)along[0], exact,
               sweeps);
        assert_true(fabs((double)along[0] / exact - 1.0) < 0.03);
        assert_true(fabs((double)along[2] / (3.0 * exact) - 1.0) < 0.03);
        assert_true(fabs((double)(down[1] / along[1]) - 1.0) < 0.01);
    }
    gy_wander_free(&w);
}

/// What is taken and what leaves is what was given off, in thick smoke and in next to none.
static void no_light_is_made(void **state)
{
    (void)state;
    static const float takes[] = {0.0f, 1e-3f, 0.5f, 20.0f}, turns[] = {0.05f, 0.4f, 3.0f, 40.0f};
    for (int q = 0; q < 4; q++) {
        gy_wander w = lamp(24, takes[q], turns[q]);
        for (int i = 0; i < 24 * 24 * 12; i++)
            w.spread[i] *= vec_all(i % 7 == 0 ? 9.0f : 1.0f);
        int sweeps = gy_wander_solve(&w);
        vec leaves, taken = gy_wander_budget(&w, &leaves), all = leaves + taken;
        printf("    takes %g: %.5f taken, %.5f leave, of 1 (%d sweeps)\n", (double)takes[q],
               (double)taken[0], (double)leaves[0], sweeps);
        for (int c = 0; c < 3; c++)
            assert_true(fabs((double)all[c] / (1.0 + c) - 1.0) < 1e-3);
        gy_wander_free(&w);
    }
}

enum { N = 32 };
static float smoke[N * N * N], heat[N * N * N], flame[N * N * N];

static gyre_field_view view_of(float *data, const gyre_grid *grid)
{
    return (gyre_field_view){.data = data, .n = {N, N, N}, .stride = {1, N, N * N}, .grid = *grid};
}

/// The mean of a colour over the left or the right half of a picture.
static double mean_of(const gyre_image *image, int colour, bool right)
{
    double sum = 0.0;
    int w = image->width;
    for (int y = 0; y < image->height; y++)
        for (int x = right ? w / 2 : 0; x < (right ? w : w / 2); x++)
            sum += image->rgb[3 * (y * w + x) + colour];
    return sum / (w / 2 * image->height);
}

/// Smoke on the right, something hot or a flame on the left.
static void draw(gyre_view_settings settings, gyre_image *image)
{
    gyre_grid grid = {.dim = 3, .n = {N, N, N}, .h = 0.1f};
    gyre_field_view views[3] = {view_of(smoke, &grid), view_of(heat, &grid), view_of(flame, &grid)};
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                float y = (float)j - 15.5f, z = (float)k - 15.5f;
                float lamp = (float)((i - 8) * (i - 8)) + y * y + z * z;
                float cloud = (float)((i - 22) * (i - 22)) + y * y + z * z;
                int at = i + N * (j + N * k);
                smoke[at] = cloud < 36.0f ? 0.2f : 0.0f;
                heat[at] = lamp < 9.0f ? 1800.0f : 0.0f;
                flame[at] = lamp < 9.0f ? 1.0f : 0.0f;
            }
    gyre_render_input input = {.grid = &grid,
                               .density = &views[0],
                               .temperature = &views[1],
                               .flame = &views[2],
                               .view = GYRE_VIEW_DENSITY,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = settings};
    input.light.intensity = input.light.ambient = 0.0f;
    input.camera.position[0] = input.camera.target[0] = 1.6f;
    input.camera.position[1] = input.camera.target[1] = 1.6f;
    input.camera.target[2] = 1.6f;
    input.camera.position[2] = 8.0f;
    must(gyre_render(device, &input, image));
}

static void pictures_show_it(void **state)
{
    (void)state;
    gyre_image image;
    must(gyre_image_create(64, 64, &image));
    gyre_view_settings s = gyre_default_view_settings();
    for (int a = 0; a < 3; a++)
        s.background_top[a] = s.background_bottom[a] = 0.0f;
    s.flame_intensity = 0.0f;
    s.glow = true;
    double lit[5][3];
    for (int q = 0; q < 5; q++) {
        s.glow_scatter = q == 1 ? 1.0f : q == 2 ? 2.0f : q == 4 ? 5.0f : 0.0f;
        s.flame_intensity = q >= 3 ? 3.0f : 0.0f;
        s.glow_intensity = q >= 3 ? 0.0f : 1.0f;
        draw(s, &image);
        for (int c = 0; c < 3; c++)
            lit[q][c] = mean_of(&image, c, true);
        printf("    %d: lamp %.3g %.3g %.3g, smoke %.3g %.3g %.3g\n", q, mean_of(&image, 0, false),
               mean_of(&image, 1, false), mean_of(&image, 2, false), lit[q][0], lit[q][1],
               lit[q][2]);
        assert_true(mean_of(&image, q >= 3 ? 2 : 0, false) > 1.0);
        // A black body is red, the flame blue.
        assert_true((mean_of(&image, 0, false) > mean_of(&image, 2, false)) == (q < 3));
    }
    assert_true(lit[0][0] < 0.1 && lit[3][2] < 0.1);
    assert_true(lit[1][0] > 1.0 && lit[2][0] > 1.2 * lit[1][0]);
    assert_true(lit[1][0] > lit[1][2] && lit[4][2] > lit[4][0] && lit[4][2] > 1.0);
    // Without glow smoke is not lit, whatever is asked for.
    s.glow = false;
    draw(s, &image);
    assert_true(mean_of(&image, 2, true) < 0.1);
    gyre_image_free(&image);
}

/// For those who draw by themselves: the light of the picture's own, by cells of another number;
/// and what is not there is refused.
static void others_are_given_it(void **state)
{
    (void)state;
    gyre_grid grid = {.dim = 3, .n = {N, N, N}, .h = 0.1f};
    gyre_field_view views[2] = {view_of(smoke, &grid), view_of(heat, &grid)};
    gyre_render_input input = {.grid = &grid,
                               .density = &views[0],
                               .temperature = &views[1],
                               .view = GYRE_VIEW_DENSITY,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
    static float light[2][4 * N * N * N];
    int n[2][3];
    input.settings.glow = true;
    must(gyre_render_own_light(device, &input, N, n[0], light[0]));
    for (int i = 0; i < 4 * N * N * N; i++)
        assert_true(light[0][i] == 0.0f);
    input.settings.glow_scatter = 1.0f;
    must(gyre_render_own_light(device, &input, N, n[0], light[0]));
    must(gyre_render_own_light(device, &input, N / 2, n[1], light[1]));
    assert_true(n[0][0] == N && n[0][2] == N && n[1][1] == N / 2);
    // Far from the lamp eight cells hold what one of twice their width does.
    double sums[2] = {0.0};
    for (int q = 0; q < 2; q++)
        for (int k = 0; k < n[q][2]; k++)
            for (int j = 0; j < n[q][1]; j++)
                for (int i = 3 * n[q][0] / 4; i < n[q][0]; i++)
                    sums[q] += (double)light[q][4 * (i + n[q][0] * (j + n[q][1] * k))];
    sums[1] *= 8.0;
    printf("    on %d cells a side %.6g, on %d %.6g\n", N, sums[0], N / 2, sums[1]);
    assert_true(sums[0] > 0.0 && fabs(sums[1] / sums[0] - 1.0) < 0.05);
    assert_int_equal(gyre_render_own_light(device, &input, 0, n[0], light[0]), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "most 0, expected 3D and 1 to 256"));
    assert_int_equal(gyre_render_own_light(device, NULL, 1, n[0], light[0]), GYRE_ERROR_ARGUMENT);
    grid.n[0] = N - 1;
    assert_int_equal(gyre_render_own_light(device, &input, 8, n[0], light[0]), GYRE_ERROR_ARGUMENT);
}

static void take_line(void *context, const char *line)
{
    char *all = context;
    snprintf(all + strlen(all), 1024 - strlen(all), "%s\n", line);
}

/// What is asked for where it does nothing is told, and nothing is where it does.
static void no_effect_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *dim, *view, *told;
    } cases[] = {
        {"3,\"n\":[8,8,8]", "\"glow\":true,\"flame\":\"lit\",\"glow_scatter\":1", ""},
        {"3,\"n\":[8,8,8]", "\"mix\":\"ink\"", ""},
        {"3,\"n\":[8,8,8]", "\"flame\":\"lit\",\"mix\":\"ink\"",
         "view.flame does nothing: it shines in smoke, and view.mix is \"ink\"\n"},
        {"3,\"n\":[8,8,8]", "\"glow\":true,\"glow_scatter\":1,\"mix\":\"light\"",
         "view.glow_scatter does nothing: it shines in smoke, and view.mix is \"light\"\n"},
        {"2,\"n\":[8,8,1]", "\"flame\":\"lit\"",
         "view.flame does nothing: it shines in volumes, and the scene is in 2D\n"},
        {"3,\"n\":[8,8,8]", "\"flame\":\"lit\",\"mode\":\"slice\"",
         "view.flame does nothing: it shines in volumes, and view.mode is \"slice\"\n"},
        {"3,\"n\":[8,8,8]", "\"flame\":\"lit\",\"flame_intensity\":0",
         "view.flame does nothing: view.flame_intensity is 0\n"},
        {"3,\"n\":[8,8,8]", "\"glow_scatter\":1",
         "view.glow_scatter does nothing: view.glow is false\n"},
    };
    for (size_t q = 0; q < sizeof cases / sizeof *cases; q++) {
        char text[512], told[1024] = "";
        gyre_scene *scene;
        int size = snprintf(text, sizeof text,
                            "{\"models\":{\"gas\":{\"grid\":{\"dim\":%s,\"h\":0.1},\"channels\":["
                            "{\"name\":\"lit\"}]}},\"view\":{%s}}",
                            cases[q].dim, cases[q].view);
        must(gyre_scene_parse(text, (size_t)size, "flame", &scene));
        gyre_scene_warn(scene, take_line, told);
        assert_string_equal(told, cases[q].told);
        gyre_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_lights_as_it_should),
        cmocka_unit_test(no_light_is_made),
        cmocka_unit_test(pictures_show_it),
        cmocka_unit_test(others_are_given_it),
        cmocka_unit_test(no_effect_is_told),
    };
    must(gyre_device_create(NULL, &device));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    return failed;
}
