// test/test_compose.c: several models in one picture, by depth; scalars with colours of their own;
// cells as polygons.
// labels: small threads
// needs: scene
#define DEVICE_THREADS 2
#include "device_rig.h"
#include "gyre/gyre.h"
#include "gyre/render.h"
#include "gyre/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDE = 120, HIGH = 72, N = 48, X = 32, Y = 12, Z = 24, CELLS = X * Y * Z };

// A pool of 12 m, and boxes of air of 8 x 3 x 6 m before it and behind it. The eye looks along y.
static const gyre_grid pool_grid = {2, {N, N, 1}, 0.25f, {-6.0f, -6.0f, 0.0f}};
static const gyre_grid front_grid = {3, {X, Y, Z}, 0.25f, {-4.0f, -12.0f, -1.0f}};
static const gyre_grid back_grid = {3, {X, Y, Z}, 0.25f, {-4.0f, 8.0f, -1.0f}};
static float water[N * N], bed[N * N], smoke[CELLS], solid[CELLS], red[CELLS], blue[CELLS];
static gyre_field_view water_view, bed_view, smoke_view, solid_view, red_view, blue_view;

static gyre_field_view view_of(const gyre_grid *grid, float *data)
{
    const int *n = grid->n;
    return (gyre_field_view){
        data, {n[0], n[1], n[2]}, {1, n[0], (ptrdiff_t)n[0] * n[1]}, GYRE_CENTRE, *grid};
}

static void look(gyre_render_input *input)
{
    input->camera = gyre_default_camera();
    input->light = gyre_default_light();
    input->settings = gyre_default_view_settings();
    memcpy(input->camera.position, (float[]){0.5f, -24.0f, 2.0f}, sizeof input->camera.position);
    memcpy(input->camera.target, (float[]){0.0f, 0.0f, 1.5f}, sizeof input->camera.target);
    memcpy(input->camera.up, (float[]){0.0f, 0.0f, 1.0f}, sizeof input->camera.up);
    memcpy(input->light.direction, (float[]){-1.0f, -0.5f, 1.2f}, sizeof input->light.direction);
}

// Waves of half a metre about z = `level`.
static gyre_render_input pool(float level)
{
    gyre_render_input input = {.grid = &pool_grid, .surface = &water_view, .bed = &bed_view};
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            float x = (float)i, y = (float)j;
            bed[i + j * N] = -2.0f;
            water[i + j * N] = level + 0.25f * sinf(0.5f * x) * cosf(0.4f * y);
        }
    }
    water_view = view_of(&pool_grid, water);
    bed_view = view_of(&pool_grid, bed);
    look(&input);
    return input;
}

// Even smoke in cells [low, high) of each axis.
static gyre_render_input air(const gyre_grid *grid, float density, const int low[3],
                             const int high[3])
{
    gyre_render_input input = {.grid = grid, .density = &smoke_view, .solid = &solid_view};
    memset(smoke, 0, sizeof smoke);
    memset(solid, 0, sizeof solid);
    for (int k = low[2]; k < high[2]; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                smoke[i + grid->n[0] * (j + grid->n[1] * k)] = density;
            }
        }
    }
    smoke_view = view_of(grid, smoke);
    solid_view = view_of(grid, solid);
    look(&input);
    return input;
}

static const int whole_low[3] = {0, 0, 0}, whole_high[3] = {X, Y, Z};

static gyre_image compose(const gyre_render_input *a, const gyre_render_input *b)
{
    gyre_render_input both[2] = {*a};
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    if (b) {
        both[1] = *b;
    }
    if (gyre_render_composed(the_device, both, b ? 2 : 1, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

static gyre_image alone(const gyre_render_input *input)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    if (gyre_render(the_device, input, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

static const uint8_t *pixel(const gyre_image *image, int x, int y)
{
    return image->rgb + 3 * (y * image->width + x);
}

static int same_pixels(const gyre_image *a, const gyre_image *b)
{
    int same = 0;
    for (int i = 0; i < WIDE * HIGH; i++) {
        same += memcmp(a->rgb + 3 * i, b->rgb + 3 * i, 3) == 0;
    }
    return same;
}

// Where the eye that look() sets sees a place.
static void seen_at(const float place[3], int at[2])
{
    float eye[3] = {0.5f, -24.0f, 2.0f}, to[3] = {-0.5f, 24.0f, -0.5f}, d[3], forward = 0;
    float length = sqrtf(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    float flat = sqrtf(to[0] * to[0] + to[1] * to[1]), tall = 2 * tanf(15 * 0.01745329f);
    float right[3] = {to[1] / flat, -to[0] / flat, 0}, up[3], x = 0, y = 0;
    for (int a = 0; a < 3; a++) {
        to[a] /= length;
        d[a] = place[a] - eye[a];
    }
    up[0] = right[1] * to[2];
    up[1] = -right[0] * to[2];
    up[2] = right[0] * to[1] - right[1] * to[0];
    for (int a = 0; a < 3; a++) {
        forward += d[a] * to[a];
        x += d[a] * right[a];
        y += d[a] * up[a];
    }
    at[0] = (int)(0.5f * WIDE + x / forward / tall * HIGH);
    at[1] = (int)(0.5f * HIGH - y / forward / tall * HIGH);
}

// Air without smoke is not there: byte for byte the picture of the water.
static void empty_air_is_clear(void **state)
{
    (void)state;
    gyre_render_input sea = pool(1.0f), gas = air(&front_grid, 0, whole_low, whole_high);
    gyre_image just = alone(&sea), first = compose(&sea, &gas), second = compose(&gas, &sea);
    assert_int_equal(same_pixels(&just, &first), WIDE * HIGH);
    assert_int_equal(same_pixels(&just, &second), WIDE * HIGH);
    gyre_image_free(&just);
    gyre_image_free(&first);
    gyre_image_free(&second);
}

// Smoke that nothing passes, before the wave: what the picture of the smoke alone has there.
static void a_wall_of_smoke_hides_the_wave(void **state)
{
    (void)state;
    gyre_render_input sea = pool(1.0f), gas = air(&front_grid, 4, whole_low, whole_high);
    gyre_image water_only = alone(&sea), smoke_only = alone(&gas), both = compose(&gas, &sea);
    int low[2], high[2], checked = 0;
    // Inside of the wall's outline, and outside of it.
    seen_at((float[]){-3.5f, -12, -0.5f}, low);
    seen_at((float[]){3.5f, -12, 4.5f}, high);
    assert_true(high[0] - low[0] > 20 && low[1] - high[1] > 20);
    for (int y = high[1]; y <= low[1]; y++) {
        for (int x = low[0]; x <= high[0]; x++, checked++) {
            assert_memory_equal(pixel(&both, x, y), pixel(&smoke_only, x, y), 3);
            assert_memory_not_equal(pixel(&both, x, y), pixel(&water_only, x, y), 3);
        }
    }
    seen_at((float[]){-4.6f, -12, 0}, low);
    for (int y = 0; y < HIGH; y++) {
        assert_memory_equal(pixel(&both, low[0], y), pixel(&water_only, low[0], y), 3);
    }
    print_message("%d pixels of the wall\n", checked);
    gyre_image_free(&water_only);
    gyre_image_free(&smoke_only);
    gyre_image_free(&both);
}

// The same smoke behind a wave that is higher: nothing of it is seen, but above the wave it is.
static void a_wave_hides_the_smoke(void **state)
{
    (void)state;
    int low[3] = {0, 0, 0}, high[3] = {X, Y, 10}; // up to z = 1.5
    gyre_render_input sea = pool(3.5f), gas = air(&back_grid, 4, low, high);
    gyre_image just = alone(&sea), both = compose(&sea, &gas);
    assert_int_equal(same_pixels(&just, &both), WIDE * HIGH);
    gyre_image_free(&just);
    gyre_image_free(&both);
    sea = pool(-0.5f);
    gas = air(&back_grid, 4, low, high);
    just = alone(&sea);
    both = compose(&sea, &gas);
    int top[2], foot[2];
    seen_at((float[]){0, 8, 1}, top);
    seen_at((float[]){0, -5.8f, -0.8f}, foot);
    assert_memory_not_equal(pixel(&just, top[0], top[1]), pixel(&both, top[0], top[1]), 3);
    assert_memory_equal(pixel(&just, foot[0], foot[1]), pixel(&both, foot[0], foot[1]), 3);
    gyre_image_free(&just);
    gyre_image_free(&both);
}

static void thin_smoke_dims_the_water(void **state)
{
    (void)state;
    int at[2], before = 0;
    seen_at((float[]){0, -6, 0}, at);
    for (int step = 0; step < 4; step++) {
        gyre_render_input sea = pool(1.0f);
        gyre_render_input gas = air(&front_grid, 0.008f * (float)step, whole_low, whole_high);
        memset(gas.settings.albedo, 0, sizeof gas.settings.albedo); // black smoke
        gyre_image both = compose(&gas, &sea);
        const uint8_t *p = pixel(&both, at[0], at[1]);
        int light = p[0] + p[1] + p[2];
        print_message("density %g: %d\n", 0.008 * step, light);
        assert_true(step == 0 || (light < before - 10 && light > 5));
        before = light;
        gyre_image_free(&both);
    }
}

// Smoke high above takes the sun from the ground, in the light's direction alone.
static void smoke_casts_a_shadow(void **state)
{
    static const gyre_grid over = {3, {X, Y, Z}, 0.25f, {-4.0f, -4.0f, 6.0f}};
    (void)state;
    int places[2][2], light[2][2][2];
    seen_at((float[]){-1, -3, 1}, places[0]); // below the smoke
    seen_at((float[]){5, -3, 1}, places[1]);
    for (int shadow = 0; shadow < 2; shadow++) {
        for (int thick = 0; thick < 2; thick++) {
            gyre_render_input ground = pool(1.0f);
            gyre_render_input gas = air(&over, thick ? 4.0f : 0.0f, whole_low, whole_high);
            for (int i = 0; i < N * N; i++) {
                bed[i] = water[i] = 1.0f; // dry
            }
            gas.light.direction[0] = gas.light.direction[1] = 0;
            gas.settings.shadow = shadow;
            gyre_image image = compose(&gas, &ground);
            for (int i = 0; i < 2; i++) {
                const uint8_t *p = pixel(&image, places[i][0], places[i][1]);
                light[shadow][thick][i] = p[0] + p[1] + p[2];
            }
            gyre_image_free(&image);
        }
    }
    print_message("below: %d, in shadow %d; beside: %d, %d\n", light[1][0][0], light[1][1][0],
                  light[1][0][1], light[1][1][1]);
    assert_true(light[1][1][0] < light[1][0][0] * 2 / 3);
    assert_int_equal(light[1][1][1], light[1][0][1]);
    assert_int_equal(light[0][1][0], light[0][0][0]);
}

// The nearer of two volumes hides the farther, from both sides.
static void volumes_are_drawn_in_order(void **state)
{
    static float other[CELLS];
    (void)state;
    for (int side = 0; side < 2; side++) {
        gyre_render_input near = air(&front_grid, 4, whole_low, whole_high), far;
        gyre_field_view other_view = view_of(&back_grid, other);
        memcpy(other, smoke, sizeof other);
        look(&near);
        far = near;
        far.grid = &back_grid;
        far.density = &other_view;
        far.solid = NULL;
        // The farther one is red.
        gyre_render_channel colour = {&other_view, {1, 0, 0}, 1};
        far.density = NULL;
        far.channels = &colour;
        far.channel_count = 1;
        if (side == 1) {
            near.camera.position[1] = far.camera.position[1] = 24;
        }
        int centre[2] = {WIDE / 2, HIGH / 2};
        gyre_image first = compose(&near, &far), second = compose(&far, &near);
        const uint8_t *p = pixel(&first, centre[0], centre[1]);
        bool is_red = p[0] > 2 * p[2] + 10;
        print_message("from side %d: %d %d %d\n", side, p[0], p[1], p[2]);
        assert_true(is_red == (side == 1));
        assert_memory_equal(p, pixel(&second, centre[0], centre[1]), 3);
        gyre_image_free(&first);
        gyre_image_free(&second);
    }
}

static const float ball_centre[3] = {0.0f, -10.0f, 1.6f};

// A ball of 0.8 m as a mesh.
static gyre_mesh ball(void)
{
    enum { ROUND = 24, HALF = 12 };
    static float points[3 * ROUND * (HALF + 1)];
    static int32_t triangles[6 * ROUND * HALF];
    int32_t *to = triangles;
    for (int j = 0; j <= HALF; j++) {
        for (int i = 0; i < ROUND; i++) {
            float a = 6.2831853f * (float)i / ROUND, b = 3.1415927f * (float)j / HALF;
            float *p = points + 3 * (i + j * ROUND);
            p[0] = ball_centre[0] + 0.8f * sinf(b) * cosf(a);
            p[1] = ball_centre[1] + 0.8f * sinf(b) * sinf(a);
            p[2] = ball_centre[2] + 0.8f * cosf(b);
        }
    }
    for (int j = 0; j < HALF; j++) {
        for (int i = 0; i < ROUND; i++) {
            int32_t a = i + j * ROUND, b = (i + 1) % ROUND + j * ROUND;
            int32_t quad[6] = {a, a + ROUND, b, b, a + ROUND, b + ROUND};
            memcpy(to, quad, sizeof quad);
            to += 6;
        }
    }
    return (gyre_mesh){points, ROUND * (HALF + 1), triangles, 2 * ROUND * HALF};
}

static void put_ball_in_air(void)
{
    for (int c = 0; c < CELLS; c++) {
        const int at[3] = {c % X, c / X % Y, c / (X * Y)};
        float square = 0;
        for (int a = 0; a < 3; a++) {
            float d = front_grid.origin[a] + 0.25f * ((float)at[a] + 0.5f) - ball_centre[a];
            square += d * d;
        }
        float share = (0.8f - sqrtf(square)) / 0.25f + 0.5f;
        solid[c] = share < 0 ? 0 : share > 1 ? 1 : share;
    }
}

// The water's mesh, and nothing of the air's cells that are full because of the same ball.
static void a_shared_ball_is_drawn_once(void **state)
{
    (void)state;
    gyre_mesh mesh = ball();
    gyre_render_input sea = pool(1.0f), gas = air(&front_grid, 0, whole_low, whole_high);
    gyre_image empty = compose(&sea, &gas);
    sea.meshes = &mesh;
    sea.mesh_count = 1;
    gyre_image of_water = alone(&sea);
    put_ball_in_air();
    gyre_image shared = compose(&sea, &gas);
    assert_int_equal(same_pixels(&of_water, &shared), WIDE * HIGH);
    assert_true(same_pixels(&of_water, &empty) < WIDE * HIGH - 50);
    // Of the air alone it is drawn by its cells.
    sea.mesh_count = 0;
    gyre_image of_air = compose(&sea, &gas);
    int at[2];
    seen_at(ball_centre, at);
    const uint8_t *p = pixel(&of_air, at[0], at[1]), *q = pixel(&empty, at[0], at[1]);
    print_message("cells: %d %d %d, water: %d %d %d\n", p[0], p[1], p[2], q[0], q[1], q[2]);
    assert_true(p[0] > q[0] + 40); // solids are brown
    // Another solid beside it stays.
    sea.mesh_count = 1;
    for (int c = 0; c < CELLS; c++) {
        solid[c] = c % X > 26 && c / (X * Y) > 4 && c / (X * Y) < 16 ? 1 : solid[c];
    }
    gyre_image beside = compose(&sea, &gas);
    seen_at((float[]){3.2f, -12, 1.5f}, at);
    p = pixel(&beside, at[0], at[1]);
    q = pixel(&empty, at[0], at[1]);
    assert_true(p[0] > q[0] + 40);
    gyre_image *const all[] = {&empty, &of_water, &shared, &of_air, &beside};
    for (int i = 0; i < 5; i++) {
        gyre_image_free(all[i]);
    }
}

// A grain before smoke is seen, behind it and under water it is not.
static void particles_lie_among_all(void **state)
{
    (void)state;
    static const float places[4][3] = {{0, -14, 1.5f}, {0, -7, 1.5f}, {0, 0, -1}, {0, 7.5f, 3}};
    static const bool seen[2][4] = {{true, false, false, false}, {true, true, false, true}};
    for (int thick = 1; thick >= 0; thick--) {
        gyre_render_input sea = pool(1.0f);
        gyre_render_input gas = air(&front_grid, thick ? 4.0f : 0.0f, whole_low, whole_high);
        gyre_image without = compose(&gas, &sea);
        for (int i = 0; i < 4; i++) {
            gyre_render_points point = {.positions = places[i], .count = 1};
            sea.points = &point;
            sea.settings.point_size = gas.settings.point_size = 0.6f;
            gyre_image with = compose(&gas, &sea);
            int changed = WIDE * HIGH - same_pixels(&with, &without);
            print_message("smoke %d, grain %d: %d pixels\n", thick, i, changed);
            assert_true(seen[!thick][i] ? changed > 4 : changed == 0);
            gyre_image_free(&with);
        }
        gyre_image_free(&without);
    }
}

// Red ink to the left, blue to the right, both in the middle, in one plane of cells after another.
static void pour_two_inks(const gyre_grid *grid)
{
    const int *n = grid->n;
    memset(red, 0, sizeof red);
    memset(blue, 0, sizeof blue);
    for (int c = 0; c < n[0] * n[1] * n[2]; c++) {
        int x = c % n[0], third = 3 * x / n[0];
        red[c] = third < 2 ? 1.0f : 0.0f;
        blue[c] = third > 0 ? 1.0f : 0.0f;
    }
    red_view = view_of(grid, red);
    blue_view = view_of(grid, blue);
}

static void check_hues(const gyre_image *image, const char *name)
{
    const uint8_t *left = pixel(image, WIDE / 2 - 24, HIGH / 2);
    const uint8_t *middle = pixel(image, WIDE / 2, HIGH / 2);
    const uint8_t *right = pixel(image, WIDE / 2 + 24, HIGH / 2);
    print_message("%s: %d %d %d, %d %d %d, %d %d %d\n", name, left[0], left[1], left[2], middle[0],
                  middle[1], middle[2], right[0], right[1], right[2]);
    assert_true(left[0] > left[2] + 40 && right[2] > right[0] + 40);
    int between = middle[0] - middle[2];
    assert_true(between < left[0] - left[2] - 30 && between > right[0] - right[2] + 30);
}

static void two_inks_show_as_two(void **state)
{
    (void)state;
    gyre_render_channel inks[2] = {{&red_view, {0}, 1}, {&blue_view, {0}, 1}};
    gyre_render_input gas = air(&front_grid, 0, whole_low, whole_high);
    gyre_image image, cells;
    gyre_channel_colour(0, inks[0].colour);
    gyre_channel_colour(1, inks[1].colour);
    pour_two_inks(&front_grid);
    gas.channels = inks;
    gas.channel_count = 2;
    image = alone(&gas);
    check_hues(&image, "volume");
    gas.settings.mode = GYRE_MODE_CELLS;
    cells = alone(&gas);
    check_hues(&cells, "cells");
    gyre_image_free(&image);
    gyre_image_free(&cells);
    gyre_grid flat = {2, {X, Y, 1}, 0.25f, {0, 0, 0}};
    static const int32_t maps[2] = {GYRE_MAP_AUTO, GYRE_MAP_INK};
    for (int m = 0; m < 2; m++) {
        gyre_render_input map = {.grid = &flat, .channels = inks, .channel_count = 2};
        look(&map);
        map.settings.map = maps[m];
        pour_two_inks(&flat);
        image = alone(&map);
        check_hues(&image, m == 0 ? "map smoke" : "map ink");
        gyre_image_free(&image);
    }
    // Eight colours that differ.
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < i; k++) {
            float a[3], b[3], square = 0;
            gyre_channel_colour(i, a);
            gyre_channel_colour(k, b);
            for (int c = 0; c < 3; c++) {
                square += (a[c] - b[c]) * (a[c] - b[c]);
            }
            assert_true(square > 0.05f);
        }
    }
}

// One cell is one polygon: all its pixels have one colour, and it is where its corners are seen.
static void a_cell_is_a_polygon(void **state)
{
    (void)state;
    int low[3] = {14, 5, 12}, high[3] = {17, 6, 15};
    gyre_render_input gas = air(&front_grid, 1, low, high);
    memset(gas.settings.background_top, 0, sizeof gas.settings.background_top);
    memset(gas.settings.background_bottom, 0, sizeof gas.settings.background_bottom);
    // Of three by three cells the middle one has less.
    smoke[15 + X * (5 + Y * 13)] = 0.1f;
    gas.settings.mode = GYRE_MODE_CELLS;
    gas.settings.exposure = 0.5f;
    gyre_image image = alone(&gas);
    float y = front_grid.origin[1] + 5.5f * 0.25f;
    int first[2], last[2], most = 0, least = 999, lit = 0;
    seen_at((float[]){front_grid.origin[0] + 15.2f * 0.25f, y, -1 + 13.8f * 0.25f}, first);
    seen_at((float[]){front_grid.origin[0] + 15.8f * 0.25f, y, -1 + 13.2f * 0.25f}, last);
    assert_true(last[0] >= first[0] && last[1] >= first[1]);
    for (int j = first[1]; j <= last[1]; j++) {
        for (int i = first[0]; i <= last[0]; i++) {
            int own = pixel(&image, i, j)[1];
            most = own > most ? own : most;
            least = own < least ? own : least;
        }
    }
    // Dithering is all that differs within it.
    print_message("from %d to %d\n", least, most);
    assert_true(most - least <= 1 && least > 8);
    for (int i = 0; i < WIDE * HIGH; i++) {
        lit += image.rgb[3 * i + 1] > 8;
    }
    // Nine cells of a quarter of a metre, seen from 13.6 m.
    float side = 0.75f / 13.6f / (2 * tanf(15 * 0.01745329f)) * HIGH;
    print_message("%d pixels, %g expected\n", lit, (double)(side * side));
    assert_true(fabsf((float)lit - side * side) < 2.5f * side);
    gyre_image_free(&image);
}

static void refused(const gyre_render_input *inputs, int count, const char *word)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    assert_int_equal(gyre_render_composed(the_device, inputs, count, &image), GYRE_ERROR_ARGUMENT);
    if (!strstr(gyre_message(), word)) {
        fail_msg("%s, expected %s", gyre_message(), word);
    }
    gyre_image_free(&image);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    gyre_render_input two[2] = {pool(1.0f), air(&front_grid, 1, whole_low, whole_high)};
    refused(two, 0, "0 models");
    two[0] = two[1];
    refused(two, 2, "volumes 0 and 1 of 2 overlap");
    two[0] = pool(1.0f);
    two[0].settings.mode = GYRE_MODE_BARS;
    refused(two, 2, "found \"bars\"");
    two[0].settings.mode = GYRE_MODE_SLICE;
    refused(two, 2, "found \"slice\"");
    two[0].settings.mode = GYRE_MODE_AUTO;
    two[0].surface = NULL;
    refused(two, 2, "model 0 of 2 is 2D");
    two[0] = pool(1.0f);
    two[0].mesh_count = 1;
    refused(two, 2, "1 meshes");
    two[1].channel_count = 1;
    refused(two + 1, 1, "1 channels");
    gyre_render_channel none = {NULL, {1, 1, 1}, 1};
    two[1].channels = &none;
    refused(two + 1, 1, "channel 0 has no field");
    // Polygons are for small boxes.
    enum { LONG = 65 };
    float *data = calloc((size_t)LONG * 64 * 64, sizeof *data);
    assert_non_null(data);
    gyre_grid large = {3, {LONG, 64, 64}, 0.1f, {0, 0, 0}};
    gyre_field_view view = view_of(&large, data);
    gyre_render_input gas = {.grid = &large, .density = &view};
    look(&gas);
    gas.settings.mode = GYRE_MODE_CELLS;
    refused(&gas, 1, "65 x 64 x 64 cells, expected at most 262144");
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    assert_int_equal(gyre_render(the_device, &gas, &image), GYRE_ERROR_ARGUMENT);
    large.n[0] = view.n[0] = 64;
    assert_int_equal(gyre_render(the_device, &gas, &image), GYRE_OK);
    gyre_image_free(&image);
    free(data);
}

// All that a picture may hold, on any number of threads and any instruction set.
static void the_bits_are_the_same(void **state)
{
    (void)state;
    gyre_mesh mesh = ball();
    int low[3] = {4, 1, 2}, high[3] = {28, 11, 14};
    gyre_render_input both[2] = {air(&front_grid, 0.1f, low, high), pool(1.0f)};
    gyre_render_channel inks[2] = {{&red_view, {1, 0.2f, 0.1f}, 0.02f},
                                   {&blue_view, {0.1f, 0.2f, 1}, 0.02f}};
    static const float grains[6] = {0, -14, 1.5f, 1, -7, 1.5f};
    gyre_render_points points = {.positions = grains, .count = 2};
    pour_two_inks(&front_grid);
    put_ball_in_air();
    both[0].channels = inks;
    both[0].channel_count = 2;
    both[1].meshes = &mesh;
    both[1].mesh_count = 1;
    both[1].points = &points;
    for (int cells = 0; cells < 2; cells++) {
        gyre_image first = {0};
        both[0].settings.mode = cells ? GYRE_MODE_CELLS : GYRE_MODE_AUTO;
        for (int threads = 1; threads <= 3; threads++) {
            for (int i = 0; gyre_isa_name(i); i++) {
                gyre_device_def def = gyre_default_device_def();
                gyre_device *device;
                gyre_image image;
                def.threads = threads;
                def.isa = gyre_isa_name(i);
                assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
                assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
                assert_int_equal(gyre_render_composed(device, both, 2, &image), GYRE_OK);
                gyre_device_destroy(device);
                if (!first.rgb) {
                    first = image;
                    continue;
                }
                assert_memory_equal(first.rgb, image.rgb, 3 * WIDE * HIGH);
                gyre_image_free(&image);
            }
        }
        gyre_image_free(&first);
    }
}

// ---- scenes

#define POOL                                                                                       \
    "\"pool\": {\"type\": \"water\", \"grid\": {\"n\": [24, 24, 1], \"h\": 0.1}, \"level\": 0.4}"
#define AIR                                                                                        \
    "\"air\": {\"type\": \"gas\", \"grid\": {\"n\": [24, 24, 24], \"h\": 0.1}, \"channels\": "     \
    "[{\"name\": \"red\"}, {\"name\": \"blue\"}], \"emitters\": [{\"shape\": {\"sphere\": "        \
    "{\"centre\": [0.7, 1.2, 1], \"radius\": 0.3}}, \"channel\": \"red\", \"channel_amount\": "    \
    "90}, {\"shape\": {\"sphere\": {\"centre\": [1.7, 1.2, 1], \"radius\": 0.3}}, \"channel\": "   \
    "\"blue\", \"channel_amount\": 90}]}"
#define REST "}, \"time\": {\"fps\": 30}, \"output\": {\"width\": 120, \"height\": 72}"

static gyre_scene *make(const char *json)
{
    gyre_scene *scene;
    if (gyre_scene_parse(json, strlen(json), "test.json", &scene) ||
        gyre_scene_create(scene, the_device) || gyre_scene_step(scene)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static gyre_image draw(gyre_scene *scene)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    if (gyre_scene_render(scene, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

// How many pixels are red, and how many blue.
static void count_hues(const gyre_image *image, int hues[2])
{
    hues[0] = hues[1] = 0;
    for (int i = 0; i < WIDE * HIGH; i++) {
        const uint8_t *p = image->rgb + 3 * i;
        hues[0] += p[0] > p[2] + 60 && p[0] > p[1] + 60;
        hues[1] += p[2] > p[0] + 90 && p[2] > p[1] + 70;
    }
}

static void scenes_choose_their_layout(void **state)
{
    (void)state;
    gyre_scene *scene = make("{\"models\": {" POOL ", " AIR REST ", \"up\": \"z\"}");
    gyre_image first = draw(scene), panels, composed;
    int hues[2];
    // By themselves, and when asked.
    assert_int_equal(gyre_scene_set(scene, "view.layout", "composed"), GYRE_OK);
    composed = draw(scene);
    assert_int_equal(same_pixels(&first, &composed), WIDE * HIGH);
    count_hues(&composed, hues);
    print_message("%d red pixels, %d blue ones\n", hues[0], hues[1]);
    assert_true(hues[0] > 20 && hues[1] > 20);
    assert_int_equal(gyre_scene_set(scene, "view.layout", "panels"), GYRE_OK);
    panels = draw(scene);
    assert_true(same_pixels(&first, &panels) < WIDE * HIGH / 2);
    // A named field is a picture of its own.
    assert_int_equal(gyre_scene_set(scene, "view.layout", "composed"), GYRE_OK);
    assert_int_equal(gyre_scene_set(scene, "view.field", "pool.speed"), GYRE_OK);
    gyre_image field = draw(scene);
    assert_true(same_pixels(&first, &field) < WIDE * HIGH / 2);
    gyre_image *const all[] = {&first, &panels, &composed, &field};
    for (int i = 0; i < 4; i++) {
        gyre_image_free(all[i]);
    }
    gyre_scene_destroy(scene);
}

// A scene's ball that both models are handed: as the picture of the water alone has it.
static void a_scenes_body_is_drawn_once(void **state)
{
#define BALL                                                                                       \
    "\"bodies\": [{\"name\": \"ball\", \"motion\": \"held\", \"position\": [1.2, 1, 0.7], "        \
    "\"form\": {\"sphere\": {\"radius\": 0.45}}}], \"camera\": {\"position\": [2, -5, 2.5], "      \
    "\"target\": [1.2, 1.2, 0.5]}, \"up\": \"z\"}"
    (void)state;
    gyre_scene *wet = make("{\"models\": {" POOL REST ", " BALL);
    gyre_scene *both =
        make("{\"models\": {" POOL ", \"air\": {\"type\": \"gas\", \"grid\": {\"n\": "
             "[24, 24, 24], \"h\": 0.1}}" REST ", " BALL);
    gyre_image a = draw(wet), b = draw(both);
    int brown = 0;
    assert_int_equal(same_pixels(&a, &b), WIDE * HIGH);
    for (int i = 0; i < WIDE * HIGH; i++) {
        brown += a.rgb[3 * i] > a.rgb[3 * i + 2] + 40;
    }
    print_message("%d pixels of the ball\n", brown);
    assert_true(brown > 30);
    static const char *const names[] = {"air.solid"};
    gyre_fields *fields;
    int count;
    assert_int_equal(gyre_fields_open(both, 1, names, 1, &fields), GYRE_OK);
    const gyre_field_view *view = &gyre_fields_views(fields, &count)->view;
    assert_true(view->data[12 + 10 * view->stride[1] + 7 * view->stride[2]] > 0.9f); // air has it
    gyre_fields_close(fields);
    gyre_image_free(&a);
    gyre_image_free(&b);
    gyre_scene_destroy(wet);
    gyre_scene_destroy(both);
}

static void scenes_say_why_not(void **state)
{
    static const char *const scenes[3][2] = {
        {"{\"models\": {" POOL ", " AIR REST "}", "up is y in air and z of water"},
        {"{\"models\": {" AIR ", \"b\": {\"type\": \"gas\", \"grid\": {\"n\": [8, 8, 8], \"h\": "
         "0.1}}" REST "}",
         "air and b overlap"},
        {"{\"models\": {" POOL ", \"b\": {\"type\": \"gas\", \"grid\": {\"dim\": 2, \"n\": [8, 8, "
         "1], \"h\": 0.1}}" REST ", \"up\": \"z\"}",
         "b is neither"},
    };
    (void)state;
    for (int i = 0; i < 3; i++) {
        gyre_scene *scene = make(scenes[i][0]);
        gyre_image image = draw(scene); // panels
        assert_int_equal(gyre_scene_set(scene, "view.layout", "composed"), GYRE_OK);
        assert_int_equal(gyre_scene_render(scene, &image), GYRE_ERROR_ARGUMENT);
        if (!strstr(gyre_message(), scenes[i][1]) || !strstr(gyre_message(), "view.layout")) {
            fail_msg("%s, expected %s", gyre_message(), scenes[i][1]);
        }
        gyre_image_free(&image);
        gyre_scene_destroy(scene);
    }
}

static void scenes_colour_their_scalars(void **state)
{
    (void)state;
    gyre_scene *plain = make("{\"models\": {" AIR REST "}");
    gyre_scene *green = make("{\"models\": {" AIR REST
                             ", \"view\": {\"channels\": [{\"name\": \"red\", \"colour\": [0.1, "
                             "0.9, 0.1]}, {\"name\": \"blue\", \"shown\": false}]}}");
    gyre_image a = draw(plain), b = draw(green);
    int hues[2], greens = 0;
    count_hues(&a, hues);
    assert_true(hues[0] > 20 && hues[1] > 20);
    count_hues(&b, hues);
    for (int i = 0; i < WIDE * HIGH; i++) {
        const uint8_t *p = b.rgb + 3 * i;
        greens += p[1] > p[0] + 60 && p[1] > p[2] + 60;
    }
    print_message("%d green pixels\n", greens);
    assert_true(hues[0] == 0 && hues[1] == 0 && greens > 20);
    gyre_image_free(&a);
    gyre_image_free(&b);
    gyre_scene_destroy(plain);
    gyre_scene_destroy(green);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_air_is_clear),
        cmocka_unit_test(a_wall_of_smoke_hides_the_wave),
        cmocka_unit_test(a_wave_hides_the_smoke),
        cmocka_unit_test(thin_smoke_dims_the_water),
        cmocka_unit_test(smoke_casts_a_shadow),
        cmocka_unit_test(volumes_are_drawn_in_order),
        cmocka_unit_test(a_shared_ball_is_drawn_once),
        cmocka_unit_test(particles_lie_among_all),
        cmocka_unit_test(two_inks_show_as_two),
        cmocka_unit_test(a_cell_is_a_polygon),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_bits_are_the_same),
        cmocka_unit_test(scenes_choose_their_layout),
        cmocka_unit_test(a_scenes_body_is_drawn_once),
        cmocka_unit_test(scenes_say_why_not),
        cmocka_unit_test(scenes_colour_their_scalars),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
