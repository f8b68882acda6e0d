// labels: small threads
// test/test_cache.c: what is kept from picture to picture changes none: after any changes a picture
// drawn in memory that has seen others is the one that is drawn in none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/render.h"
#include "render/cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 24, FLAT = 40, WIDE = 64, HIGH = 48 };

static gyre_device *device;
static gyre_image kept_image, image;
static const gyre_grid box = {3, {N, N, N}, 1.0f / N, {0.0f, 0.0f, 0.0f}};
static const gyre_grid plain = {2, {FLAT, FLAT, 1}, 0.25f, {0.0f, 0.0f, 0.0f}};
static float smoke[N * N * N], solid[N * N * N], water[FLAT * FLAT], bed[FLAT * FLAT];

static gyre_field_view view_of(const gyre_grid *on, float *data)
{
    return (gyre_field_view){data,
                             {on->n[0], on->n[1], on->n[2]},
                             {1, on->n[0], (ptrdiff_t)on->n[0] * on->n[1]},
                             GYRE_CENTRE,
                             *on};
}

static void put_ball(float *to, float x, float y, float radius)
{
    for (int at = 0; at < N * N * N; at++) {
        float a = ((float)(at % N) + 0.5f) / N - x, b = ((float)(at / N % N) + 0.5f) / N - y;
        float c = ((float)(at / N / N) + 0.5f) / N - 0.5f;

        to[at] = fminf(fmaxf(0.5f + (radius - sqrtf(a * a + b * b + c * c)) * N, 0.0f), 1.0f);
    }
}

static void put_ground(float level)
{
    for (int at = 0; at < FLAT * FLAT; at++) {
        float x = (float)(at % FLAT), y = (float)(at / FLAT);

        bed[at] = 0.4f * sinf(0.2f * x) + 0.02f * y;
        water[at] = fmaxf(bed[at], level + 0.05f * sinf(0.5f * y));
    }
}

static gyre_render_input make_input(const gyre_grid *grid, gyre_render_memory *memory)
{
    return (gyre_render_input){.grid = grid,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings(),
                               .memory = memory};
}

// Draws with and without what is kept.
static void same_without(gyre_render_input *input)
{
    gyre_render_memory *memory = input->memory;
    size_t size = 3 * (size_t)image.width * (size_t)image.height;

    assert_int_equal(gyre_render(device, input, &kept_image), GYRE_OK);
    input->memory = NULL;
    assert_int_equal(gyre_render(device, input, &image), GYRE_OK);
    input->memory = memory;
    assert_memory_equal(kept_image.rgb, image.rgb, size);
}

static void *part_of(gyre_render_memory *memory, gy_cache_kind kind)
{
    const gy_cache *list = gy_cache_of(memory);

    for (int i = 0; i < GY_CACHE_MOST; i++) {
        if (list->entry[i].number != 0 && list->entry[i].kind == kind &&
            list->entry[i].part[0] != NULL)
            return list->entry[i].part[0];
    }
    return NULL;
}

static void solids_and_camera(void **state)
{
    gyre_render_memory *memory;
    gyre_field_view density = view_of(&box, smoke), walls = view_of(&box, solid);

    (void)state;
    assert_int_equal(gyre_render_memory_create(&memory), GYRE_OK);
    gyre_render_input input = make_input(&box, memory);

    input.density = &density;
    input.solid = &walls;
    put_ball(solid, 0.5f, 0.4f, 0.2f);
    for (int i = 0; i < 24; i++) {
        put_ball(smoke, 0.5f, 0.5f + 0.01f * (float)i, 0.3f);
        if (i == 5)
            solid[N * N * N / 2 + N / 2] *= 0.5f; // a single cell
        if (i == 10)
            input.camera.field_of_view += 5.0f;
        if (i == 14)
            put_ball(solid, 0.4f, 0.6f, 0.2f);
        if (i == 18)
            image.height = kept_image.height = HIGH / 2;
        if (i == 21)
            put_ball(solid, 0.5f, 0.4f, 0.2f);
        same_without(&input);
        // Seen twice, solids are kept; with them where pixels meet them.
        if (i == 4 || i == 9)
            assert_non_null(part_of(memory, GY_CACHE_SOLIDS));
        if (i == 4 || i == 13)
            assert_non_null(part_of(memory, GY_CACHE_HITS));
    }
    image.height = kept_image.height = HIGH;
    gyre_render_memory_destroy(memory);
}

static void ground_under_water(void **state)
{
    gyre_render_memory *memory;
    gyre_field_view level = view_of(&plain, water), ground = view_of(&plain, bed);

    (void)state;
    assert_int_equal(gyre_render_memory_create(&memory), GYRE_OK);
    gyre_render_input input = make_input(&plain, memory);

    input.surface = &level;
    input.bed = &ground;
    for (int i = 0; i < 12; i++) {
        put_ground(0.05f * (float)i);
        if (i >= 5)
            bed[FLAT * FLAT / 2] -= 0.1f;
        if (i == 8)
            input.light.direction[0] += 0.3f;
        same_without(&input);
        if (i == 4 || i == 9)
            assert_non_null(part_of(memory, GY_CACHE_BED));
    }
    gyre_render_memory_destroy(memory);
}

// Models take turns in one memory; more of them than are kept.
static void models_in_turn(void **state)
{
    gyre_render_memory *memory;
    gyre_field_view density = view_of(&box, smoke), walls = view_of(&box, solid);

    (void)state;
    assert_int_equal(gyre_render_memory_create(&memory), GYRE_OK);
    gyre_render_input input = make_input(&box, memory);

    input.density = &density;
    input.solid = &walls;
    for (int i = 0; i < 16; i++) {
        int models = i < 8 ? 2 : 4;

        put_ball(smoke, 0.5f, 0.5f, 0.3f);
        put_ball(solid, 0.3f + 0.1f * (float)(i % models), 0.4f, 0.2f);
        same_without(&input);
    }
    gyre_render_memory_destroy(memory);
}

// An entry that a picture holds is not given away before the next begins.
static void held_is_not_freed(void **state)
{
    gyre_render_memory *memory;
    float head[GY_CACHE_HEAD] = {0.0f}, number = 1.0f;
    gy_cached *own[GY_CACHE_SAME];

    (void)state;
    assert_int_equal(gyre_render_memory_create(&memory), GYRE_OK);
    gy_memory_begin(memory);
    for (int i = 0; i < GY_CACHE_SAME; i++) {
        head[0] = (float)i;
        own[i] = gy_cache_add(memory, GY_CACHE_BED, head, &number, sizeof number);
        assert_non_null(own[i]);
        assert_null(gy_cache_find(memory, GY_CACHE_BED, head, &number, sizeof number));
    }
    head[0] = 9.0f;
    assert_null(gy_cache_add(memory, GY_CACHE_BED, head, &number, sizeof number));
    gy_memory_begin(memory);
    assert_non_null(gy_cache_add(memory, GY_CACHE_BED, head, &number, sizeof number));
    head[0] = 1.0f;
    assert_ptr_equal(gy_cache_find(memory, GY_CACHE_BED, head, &number, sizeof number), own[1]);
    gyre_render_memory_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_and_camera),
        cmocka_unit_test(ground_under_water),
        cmocka_unit_test(models_in_turn),
        cmocka_unit_test(held_is_not_freed),
    };
    gyre_device_def def = gyre_default_device_def();

    def.threads = 2;
    if (gyre_device_create(&def, &device) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &image) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &kept_image) != GYRE_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    gyre_image_free(&image);
    gyre_image_free(&kept_image);
    gyre_device_destroy(device);
    return failed;
}
