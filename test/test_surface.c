// labels: small threads
// test/test_surface.c: rays over heights that are known, and pictures of water.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/render.h"
#include "render/rows.h"
#include "render/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 48, WIDE = 96, HIGH = 54 };

static gyre_device *device, *alone;
static gyre_image image, other;
static const gyre_grid grid = {2, {N, N, 1}, 0.25f, {-3.0f, 2.0f, 0.0f}};
static float water[N * N], bed[N * N];
static gyre_field_view surface_view, bed_view;

static gyre_field_view view_of(float *data)
{
    return (gyre_field_view){data, {N, N, 1}, {1, N, (ptrdiff_t)N * N}, GYRE_CENTRE, grid};
}

static gyre_render_input make_input(void)
{
    surface_view = view_of(water);
    bed_view = view_of(bed);
    return (gyre_render_input){.grid = &grid,
                               .surface = &surface_view,
                               .bed = &bed_view,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
}

static float place(int i, int axis)
{
    return grid.origin[axis] + ((float)i + 0.5f) * grid.h;
}

typedef float height_at(float x, float y);

static void fill(height_at *level, height_at *ground)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            float x = place(i, 0), y = place(j, 1);

            bed[i + j * N] = ground(x, y);
            water[i + j * N] = fmaxf(level(x, y), bed[i + j * N]);
        }
    }
}

static float calm(float x, float y)
{
    (void)x;
    (void)y;
    return 0.0f;
}

static float rough(float x, float y)
{
    return 0.3f * sinf(2.1f * x) * cosf(1.7f * y) + 0.1f * sinf(9.0f * x + 4.0f * y);
}

// Crests four metres apart, one at x = 3.
static float waves(float x, float y)
{
    (void)y;
    return 0.1f * cosf(1.5707963f * (x - 3.0f));
}

static float deep(float x, float y)
{
    (void)x;
    (void)y;
    return -2.0f;
}

// Comes out of the water on a slanted line.
static float beach(float x, float y)
{
    return 0.11f * x + 0.05f * (y - 8.0f) - 0.2f;
}

static float island(float x, float y)
{
    float r = sqrtf((x - 3.0f) * (x - 3.0f) + (y - 8.0f) * (y - 8.0f));

    return 1.0f - 0.6f * r + 0.2f * sinf(3.0f * x);
}

static float step(float x, float y)
{
    return x < 2.0f + 0.3f * y ? 1.5f : -2.0f;
}

static void build(gy_relief *relief)
{
    gyre_render_input input = make_input();

    assert_int_equal(gy_relief_build(device, &input, relief), GYRE_OK);
}

static gyre_result build_hulls(const gyre_render_input *input, const gy_relief *relief,
                               gy_hulls *bodies)
{
    vec corner = {relief->corner[0], relief->corner[1], 0.0f, 0.0f};

    return gy_hulls_build(input->meshes, input->mesh_count, corner, relief->unit, bodies);
}

static float draw_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

// How far from the heights rays of check_wide() end: upwards, downwards, and how many of them more
// than a twentieth of a corner's distance.
static struct {
    float above, below;
    int off, all;
} wide_error;

// The same eight rays at a time, as pictures are drawn: to where the higher layer is met.
static void check_wide(const gy_relief *relief, const vec *from, const vec *along, int which)
{
    gy_relief_rays rays = {.relief = relief, .which = which};

    for (int i = 0; i < 8; i++) {
        float near = 0.0f, far = GY_NEVER;
        gy_ray ray = {from[i], along[i]};
        int side;

        assert_true(gy_relief_clip(relief, &ray, relief->high + 2.0f, &near, &far, &side));
        for (int a = 0; a < 3; a++) {
            rays.from[a][i] = from[i][a];
            rays.along[a][i] = along[i][a];
        }
        rays.near[i] = near;
        rays.far[i] = far;
    }
    gy_drawers_of(device)->relief_hits(&rays, 0);
    for (int i = 0; i < 8; i++) {
        gy_ray ray = {from[i], along[i]};

        assert_true(rays.hit[i] < GY_NEVER);
        vec at = gy_along(&ray, rays.hit[i]);
        float w = gy_relief_at(relief, GY_WATER, at[0], at[1]);
        float b = gy_relief_at(relief, GY_BED, at[0], at[1]);
        float height = which == 0 ? fmaxf(w, b) : b;

        wide_error.above = fmaxf(wide_error.above, at[2] - height);
        wide_error.below = fmaxf(wide_error.below, height - at[2]);
        wide_error.off += fabsf(at[2] - height) > 0.05f;
        wide_error.all++;
        // Three secants take heights for straight over a step; where water and bed cross they have
        // a crease, and a ray may end before it: over the shore of `step`, whose water is carried
        // on below the ground by 0.2 of a cell a cell, up to 0.245 of a corner's distance (0.174
        // over that of `island`), a thirty-third of a cell.
        assert_true(at[2] <= height + 0.25f && at[2] >= height - 4e-2f);
    }
}

// Every ray that comes in from above and does not leave by a side meets something, and meets it
// where the heights are.
static void check_no_cracks(void)
{
    gy_relief relief;
    uint32_t seed = 7;
    vec starts[8], ways[8];

    build(&relief);
    assert_int_equal(gy_relief_look(device, &relief, (vec){0.0f, 0.6f, 0.8f, 0.0f}), GYRE_OK);
    for (int k = 0; k < 40000; k++) {
        float n = (float)relief.n[0], top = relief.high + 1.0f;
        // Some start exactly over corners and edges of cells and fall along them.
        vec from = {draw_random(&seed) * n, draw_random(&seed) * n, top, 0.0f};
        vec to = {draw_random(&seed) * n, draw_random(&seed) * n, relief.base, 0.0f};

        for (int a = 0; a < 2; a++) {
            from[a] = k % 3 == 0 ? floorf(from[a]) : from[a];
            to[a] = k % 9 == 0 ? from[a] : k % 9 == 3 ? floorf(to[a]) : to[a];
        }
        gy_ray ray = {from, vec_unit(to - from)};
        float near = 0.0f, far = GY_NEVER;
        int side, met = -1;

        starts[k % 8] = ray.from;
        ways[k % 8] = ray.along;
        if (k % 8 == 7)
            check_wide(&relief, starts, ways, k / 8 % 2);
        assert_true(gy_relief_clip(&relief, &ray, top + 1.0f, &near, &far, &side));
        float t = gy_relief_hit(&relief, GY_LAYERS, &ray, near, far, &met);

        assert_true(t < GY_NEVER && (met == GY_WATER || met == GY_BED));
        vec at = gy_along(&ray, t);
        float w = gy_relief_at(&relief, GY_WATER, at[0], at[1]);
        float b = gy_relief_at(&relief, GY_BED, at[0], at[1]);

        // No deeper than the step into the next cell, on the steepest slope that is there.
        assert_true(at[2] <= fmaxf(w, b) + 2e-2f && at[2] >= fmaxf(w, b) - 2e-2f);
        assert_true(met == (w > b ? GY_WATER : GY_BED) || fabsf(w - b) < 2e-2f);
    }
    gy_relief_free(&relief);
    print_message("eight at a time: at most %.3f above, %.3f below; %d of %d off by 0.05\n",
                  (double)wide_error.above, (double)wide_error.below, wide_error.off,
                  wide_error.all);
    assert_true(1000 * wide_error.off < wide_error.all); // of the shore alone
}

static void test_no_cracks(void **state)
{
    (void)state;
    fill(rough, deep);
    check_no_cracks();
    fill(rough, island);
    check_no_cracks();
    fill(step, deep);
    check_no_cracks();
}

// Still water on a plane ends where the plane comes out of it, however the line runs through cells.
static void test_shore(void **state)
{
    gy_relief relief;
    float worst = 0.0f;
    int found = 0;

    (void)state;
    fill(calm, beach);
    build(&relief);
    for (int j = 4 * relief.fine; j < relief.n[1] - 4 * relief.fine; j++) {
        for (int i = 0; i < relief.n[0]; i++) {
            float y = (float)j + 0.5f, here[2];

            for (int a = 0; a < 2; a++)
                here[a] = gy_relief_at(&relief, GY_WATER, (float)(i + a), y) -
                          gy_relief_at(&relief, GY_BED, (float)(i + a), y);
            if (here[0] <= 0.0f || here[1] > 0.0f)
                continue;
            float x = (float)i + here[0] / (here[0] - here[1]);
            float north = y * relief.unit + grid.origin[1];
            float exact = (0.2f - 0.05f * (north - 8.0f)) / 0.11f;

            worst = fmaxf(worst, fabsf(x * relief.unit + grid.origin[0] - exact));
            found++;
        }
    }
    // One crossing in each row of corners.
    assert_int_equal(found, relief.n[1] - 8 * relief.fine);
    gy_relief_free(&relief);
    assert_true(worst < 0.02f * grid.h);
}

// Where dry ground lies lower than the water beside it, nothing is drawn over it.
// A film on level ground: the wet ground round it is round, and ends in no step.
static void test_wet_patch(void **state)
{
    gy_relief r;
    int at = N / 2;
    float steepest = 0.0f, round = 0.0f;

    (void)state;
    fill(calm, calm);
    for (int k = 0; k < N * N; k++)
        water[k] = bed[k];
    water[at + at * N] += 2e-3f * grid.h;
    build(&r);
    float cell = (float)r.fine, x = ((float)at + 0.5f) * cell;

    for (float d = 0.0f; d < 6.0f * cell; d += 1.0f) {
        float own = gy_relief_at(&r, GY_WATER, x + d, x), side = 0.70710678f * d;

        steepest = fmaxf(steepest, fabsf(gy_relief_at(&r, GY_WATER, x + d + 1.0f, x) - own));
        round = fmaxf(round, fabsf(gy_relief_at(&r, GY_WATER, x + side, x + side) - own) / cell);
    }
    print_message("a wet patch: falls by %.3f at most, off its round by %.3f cells\n", steepest,
                  round);
    assert_true(steepest < 0.22f);
    assert_true(round < 0.12f);
    // And it is there: wet at the film, dry six cells away.
    assert_true(gy_relief_at(&r, GY_WATER, x, x) > -0.1f * cell);
    assert_true(gy_relief_at(&r, GY_WATER, x + 6.0f * cell, x) < -0.45f * cell);
    gy_relief_free(&r);
}

static void test_front(void **state)
{
    gy_relief relief;

    (void)state;
    fill(step, deep);
    build(&relief);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            bool dry = water[i + j * N] <= bed[i + j * N], near_by = false;

            for (int b = j - 2; b <= j + 2; b++) {
                for (int a = i - 2; a <= i + 2; a++) {
                    bool there = a >= 0 && b >= 0 && a < N && b < N;

                    near_by = near_by || (there && water[a + b * N] > bed[a + b * N]);
                }
            }
            if (!dry || near_by)
                continue;
            float x = ((float)i + 0.5f) * (float)relief.fine;
            float y = ((float)j + 0.5f) * (float)relief.fine;

            assert_true(gy_relief_at(&relief, GY_WATER, x, y) <
                        gy_relief_at(&relief, GY_BED, x, y));
        }
    }
    gy_relief_free(&relief);
}

// A plane of water stays one, and its normal is the plane's; waves gather light below crests.
static void test_normals(void **state)
{
    gy_relief relief;

    (void)state;
    fill(beach, deep);
    build(&relief);
    assert_int_equal(gy_relief_look(device, &relief, (vec){0.0f, 0.0f, 1.0f, 0.0f}), GYRE_OK);
    const float *texel = relief.water_texel + 8 * (100 + 120 * relief.row);

    assert_float_equal(texel[GY_TEXEL_SLOPE_X], 0.11f, 1e-4f);
    assert_float_equal(texel[GY_TEXEL_SLOPE_Y], 0.05f, 1e-4f);
    assert_float_equal(texel[GY_TEXEL_XX], 0.0f, 1e-4f);
    assert_float_equal(gy_relief_focus(&relief, 100.0f, 120.0f, 30.0f), 1.0f, 1e-3f);
    gy_relief_free(&relief);
    fill(waves, deep);
    build(&relief);
    float crest = (3.0f - grid.origin[0]) / relief.unit, half = 2.0f / relief.unit;

    assert_true(gy_relief_focus(&relief, crest, 100.0f, 40.0f) > 1.05f);
    assert_true(gy_relief_focus(&relief, crest + half, 100.0f, 40.0f) < 0.95f);
    assert_true(gy_relief_focus(&relief, crest, 100.0f, 80.0f) >
                gy_relief_focus(&relief, crest, 100.0f, 40.0f));
    gy_relief_free(&relief);
}

static void render(const gyre_render_input *input)
{
    assert_int_equal(gyre_render(device, input, &image), GYRE_OK);
}

static int bright(int x, int y, int channel)
{
    return image.rgb[3 * (y * WIDE + x) + channel];
}

static void look_down(gyre_render_input *input, float away, float height)
{
    input->camera.target[0] = 3.0f;
    input->camera.target[1] = 8.0f;
    input->camera.target[2] = 0.0f;
    input->camera.position[0] = 3.0f;
    input->camera.position[1] = 8.0f - away;
    input->camera.position[2] = height;
    input->camera.field_of_view = 4.0f;
}

static void test_water_absorbs(void **state)
{
    gyre_render_input input = make_input();
    int before = 0;

    (void)state;
    // Bright ground under more and more water: red goes first, and ever less comes back.
    for (int i = 0; i < 5; i++) {
        float depth = 0.02f + 0.12f * (float)i;

        for (int c = 0; c < N * N; c++) {
            bed[c] = -depth;
            water[c] = 0.0f;
        }
        look_down(&input, 0.01f, 20.0f);
        input.settings.water_clarity = 1.0f;
        render(&input);
        assert_true(i == 0 || bright(48, 27, 0) < before - 3);
        assert_true(i == 0 || bright(48, 27, 1) > bright(48, 27, 0));
        before = bright(48, 27, 0);
    }
}

static void test_water_mirrors(void **state)
{
    gyre_render_input input = make_input();
    int before = 0;

    (void)state;
    // Black water under an even bright sky: the flatter the view, the more of the sky.
    fill(calm, deep);
    memset(input.settings.water_colour, 0, sizeof input.settings.water_colour);
    input.settings.water_clarity = 1e-3f;
    input.settings.clouds = 0.0f;
    input.light.intensity = input.light.ambient = 0.0f;
    for (int c = 0; c < 3; c++)
        input.settings.sky_top[c] = input.settings.sky_horizon[c] = 0.6f;
    for (int i = 0; i < 6; i++) {
        float angle = 1.45f - 0.25f * (float)i;

        look_down(&input, 20.0f * cosf(angle), 20.0f * sinf(angle));
        render(&input);
        assert_true(i == 0 ? bright(48, 27, 1) < 60 : bright(48, 27, 1) >= before);
        before = bright(48, 27, 1);
    }
    assert_true(before > 110);
}

// Two tetrahedra, one afloat and one away from the domain.
static const float corners[24] = {2.0f,  7.0f,  -0.5f, 5.0f,  7.0f,  -0.5f, 3.0f,  10.0f,
                                  -0.5f, 3.0f,  8.0f,  1.5f,  2.0f,  -9.0f, -0.5f, 5.0f,
                                  -9.0f, -0.5f, 3.0f,  -8.0f, -0.5f, 3.0f,  -9.0f, 1.5f};
static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static void test_bodies(void **state)
{
    gyre_mesh meshes[2] = {{corners, 4, faces, 4}, {corners + 12, 4, faces, 4}};
    gyre_render_input input = make_input();

    (void)state;
    fill(calm, deep);
    look_down(&input, 8.0f, 8.0f);
    render(&input);
    int plain = bright(48, 27, 0);

    input.meshes = meshes;
    input.mesh_count = 2;
    render(&input);
    assert_true(bright(48, 27, 0) > plain + 25);
    // Rays against every triangle alone find what the tree finds.
    gy_relief relief;
    gy_hulls bodies;
    uint32_t seed = 3;

    build(&relief);
    assert_int_equal(build_hulls(&input, &relief, &bodies), GYRE_OK);
    for (int k = 0; k < 2000; k++) {
        gy_ray ray = {{200.0f * draw_random(&seed), -100.0f, 40.0f * draw_random(&seed), 0.0f},
                      vec_all(0.0f)};
        gy_hull_hit tree, single;
        float least = GY_NEVER;

        ray.along = vec_unit((vec){draw_random(&seed) - 0.5f, 1.0f, draw_random(&seed) - 0.7f, 0});
        gy_hulls_hit(&bodies, &ray, GY_NEVER, &tree);
        for (int i = 0; i < bodies.triangle_count; i++) {
            gy_hull_box leaf = {vec_all(-1e6f), vec_all(1e6f), i, 1};
            gy_hulls part = {.triangles = bodies.triangles,
                             .boxes = &leaf,
                             .triangle_count = bodies.triangle_count,
                             .box_count = 1};

            gy_hulls_hit(&part, &ray, GY_NEVER, &single);
            least = fminf(least, single.t);
        }
        assert_true(least == tree.t);
    }
    gy_hulls_free(&bodies);
    gy_relief_free(&relief);
}

// What spares rays a look at triangles spares none that meets one.
static void test_hulls_look(void **state)
{
    gyre_mesh meshes[2] = {{corners, 4, faces, 4}, {corners, 4, faces, 4}};
    gyre_render_input input = make_input();
    uint32_t seed = 7;
    int met = 0, hidden = 0, spared = 0;

    (void)state;
    fill(rough, island);
    input.meshes = meshes;
    input.mesh_count = 2;
    gy_surface s = {.input = &input, .image = &image};

    build(&s.relief);
    assert_int_equal(build_hulls(&input, &s.relief, &s.bodies), GYRE_OK);
    vec middle = (s.bodies.boxes[0].low + s.bodies.boxes[0].high) * vec_all(0.5f);

    s.eye = middle + (vec){-60.0f, -150.0f, 80.0f, 0.0f};
    s.forward = vec_unit(middle - s.eye);
    s.right = vec_unit(vec_cross(s.forward, (vec){0.0f, 0.0f, 1.0f, 0.0f}));
    s.up = vec_cross(s.right, s.forward);
    s.light = vec_unit((vec){0.3f, 0.5f, 0.8f, 0.0f});
    s.below = vec_unit((vec){0.2f, 0.3f, 0.9f, 0.0f});
    assert_int_equal(gy_hulls_look(&s), GYRE_OK);
    for (int k = 0; k < 20000; k++) {
        float x = WIDE * draw_random(&seed), y = HIGH * draw_random(&seed);
        vec along = s.forward + s.right * vec_all((x - 0.5f * WIDE) / HIGH) +
                    s.up * vec_all((0.5f * HIGH - y) / HIGH);
        gy_ray ray = {s.eye, vec_unit(along)};
        gy_hull_hit hit;
        bool seen = false;

        gy_hulls_hit(&s.bodies, &ray, GY_NEVER, &hit);
        for (int i = 0; i < s.bodies.part_count; i++)
            seen = seen || (x >= s.bodies.part_low[0][i] && x <= s.bodies.part_high[0][i] &&
                            y >= s.bodies.part_low[1][i] && y <= s.bodies.part_high[1][i]);
        assert_true(seen || hit.t == GY_NEVER);
        met += hit.t < GY_NEVER;
        spared += !seen;

        const gy_hull_shade *shade = &s.bodies.shade[k % 2];
        vec spread = {draw_random(&seed) - 0.5f, draw_random(&seed) - 0.5f,
                      draw_random(&seed) - 0.5f, 0.0f};
        gy_ray up = {middle + spread * vec_all(60.0f), shade->towards};
        float u = (vec_dot(up.from, shade->u) - shade->low[0]) * shade->per[0];
        float v = (vec_dot(up.from, shade->v) - shade->low[1]) * shade->per[1];

        gy_hulls_hit(&s.bodies, &up, GY_NEVER, &hit);
        if (hit.t == GY_NEVER)
            continue;
        hidden++;
        assert_true(u >= 0.0f && v >= 0.0f && u < GY_HULL_SHADE && v < GY_HULL_SHADE);
        assert_true(vec_dot(up.from, shade->towards) <
                    shade->reach[(int)u + (int)v * GY_HULL_SHADE]);
    }
    assert_true(met > 100 && hidden > 100 && spared > 100);
    gy_hulls_free(&s.bodies);
    gy_relief_free(&s.relief);
}

// The same picture with one thread and with two, in both modes.
static void test_threads(void **state)
{
    gyre_mesh mesh = {corners, 4, faces, 4};
    gyre_render_input input = make_input();

    (void)state;
    fill(rough, island);
    input.meshes = &mesh;
    input.mesh_count = 1;
    input.settings.floor = true;
    for (int mode = GYRE_MODE_SURFACE; mode <= GYRE_MODE_BARS; mode++) {
        input.settings.mode = mode;
        render(&input);
        assert_int_equal(gyre_render(alone, &input, &other), GYRE_OK);
        assert_memory_equal(image.rgb, other.rgb, 3 * WIDE * HIGH);
    }
}

static void test_bars(void **state)
{
    gyre_render_input input = make_input();
    int blue = 0, sand = 0;

    (void)state;
    fill(step, beach);
    input.settings.mode = GYRE_MODE_BARS;
    render(&input);
    for (int i = 0; i < WIDE * HIGH; i++) {
        const uint8_t *p = image.rgb + 3 * i;

        blue += p[2] > p[0] + 60;
        sand += p[0] > p[2] + 30;
    }
    assert_true(blue > WIDE * HIGH / 20 && sand > WIDE * HIGH / 20);
    // Auto is the surface.
    input.settings.mode = GYRE_MODE_SURFACE;
    render(&input);
    memcpy(other.rgb, image.rgb, 3 * WIDE * HIGH);
    input.settings.mode = GYRE_MODE_AUTO;
    render(&input);
    assert_memory_equal(image.rgb, other.rgb, 3 * WIDE * HIGH);
}

static void test_odd_grids(void **state)
{
    static const int sizes[5][2] = {{1, 1}, {40, 1}, {1, 40}, {3, 2}, {48, 5}};

    (void)state;
    fill(rough, deep);
    for (int k = 0; k < 5; k++) {
        gyre_grid odd = {2, {sizes[k][0], sizes[k][1], 1}, 0.5f, {0.0f, 0.0f, 0.0f}};
        gyre_render_input input = make_input();

        surface_view.grid = bed_view.grid = odd;
        memcpy(surface_view.n, odd.n, sizeof odd.n);
        memcpy(bed_view.n, odd.n, sizeof odd.n);
        input.grid = &odd;
        for (int mode = GYRE_MODE_SURFACE; mode <= GYRE_MODE_BARS; mode++) {
            input.settings.mode = mode;
            render(&input);
            // Something stands in the middle of the picture.
            assert_true(bright(48, 27, 0) + 8 < bright(2, 2, 0) ||
                        bright(48, 27, 2) > bright(2, 2, 2) + 8);
        }
    }
}

static void check_refused(const gyre_render_input *input, const char *word)
{
    assert_int_equal(gyre_render(device, input, &image), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), word));
}

// White water is seen on water alone; none of it is no other picture.
static void test_foam(void **state)
{
    static float foam[N * N];
    gyre_render_input input = make_input();
    gyre_field_view view = view_of(foam);
    int whiter = 0, same = 0;

    (void)state;
    fill(calm, island);
    render(&input);
    memcpy(other.rgb, image.rgb, 3 * WIDE * HIGH);
    memset(foam, 0, sizeof foam);
    input.foam = &view;
    render(&input);
    assert_memory_equal(other.rgb, image.rgb, 3 * WIDE * HIGH);
    for (int c = 0; c < N * N; c++)
        foam[c] = c % N < N / 2 ? 1.0f : NAN;
    render(&input);
    for (int i = 0; i < WIDE * HIGH; i++) {
        int before = other.rgb[3 * i], now = image.rgb[3 * i];

        whiter += now > before + 60;
        same += now == before;
    }
    print_message("foam: of %d pixels %d are whiter, %d the same\n", WIDE * HIGH, whiter, same);
    assert_true(whiter > WIDE * HIGH / 12);
    assert_true(same > WIDE * HIGH / 3);
    // On dry land there is none.
    fill(deep, calm);
    input.foam = NULL;
    render(&input);
    memcpy(other.rgb, image.rgb, 3 * WIDE * HIGH);
    input.foam = &view;
    render(&input);
    assert_memory_equal(other.rgb, image.rgb, 3 * WIDE * HIGH);
    fill(calm, deep);
    input.settings.foam = 0.0f;
    render(&input);
    memcpy(other.rgb, image.rgb, 3 * WIDE * HIGH);
    input.foam = NULL;
    render(&input);
    assert_memory_equal(other.rgb, image.rgb, 3 * WIDE * HIGH);
}

static void test_refuses(void **state)
{
    static const int32_t wrong[3] = {0, 1, 4};
    gyre_mesh mesh = {corners, 4, wrong, 1};
    gyre_render_input input = make_input();

    (void)state;
    fill(calm, deep);
    input.mesh_count = 1;
    check_refused(&input, "meshes");
    input.meshes = &mesh;
    check_refused(&input, "point 4 of 4");
    input.mesh_count = 0;
    water[N] = NAN;
    check_refused(&input, "surface");
    water[N] = 0.0f;
    bed[5] = INFINITY;
    check_refused(&input, "bed");
    bed[5] = -2.0f;
    input.surface = NULL;
    input.settings.mode = GYRE_MODE_BARS;
    check_refused(&input, "surface");
    input.surface = &surface_view;
    input.camera.position[2] = 9.0f;
    check_refused(&input, "up");
    input.camera.position[2] = 0.0f;
    input.settings.clouds = 2.0f;
    check_refused(&input, "clouds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_cracks),     cmocka_unit_test(test_shore),
        cmocka_unit_test(test_front),         cmocka_unit_test(test_normals),
        cmocka_unit_test(test_water_absorbs), cmocka_unit_test(test_water_mirrors),
        cmocka_unit_test(test_bodies),        cmocka_unit_test(test_hulls_look),
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_bars),
        cmocka_unit_test(test_odd_grids),     cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_foam),          cmocka_unit_test(test_wet_patch),
    };
    gyre_device_def def = gyre_default_device_def();

    def.threads = 2;
    if (gyre_device_create(&def, &device) != GYRE_OK)
        return 1;
    def.threads = 1;
    if (gyre_device_create(&def, &alone) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &image) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &other) != GYRE_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    gyre_image_free(&image);
    gyre_image_free(&other);
    gyre_device_destroy(alone);
    gyre_device_destroy(device);
    return failed;
}
