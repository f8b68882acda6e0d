// labels: gl
// test/test_view_surface.c: water as the viewer draws it, held against the offline renderer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/surface.h"
#include "view_rig.h"

#include "gyre/io.h"

enum { N = 64, WIDE = 192, HIGH = 108 };

static rig screen;
static gyre_device *device;
static view_draw *draw;
static gyre_image offline, seen;
static view_frame frame;
static float water[N * N], bed[N * N], foam[N * N];

typedef float height_at(float x, float y);

static float calm(float x, float y)
{
    (void)x;
    (void)y;
    return 0.0f;
}

static float rings(float x, float y)
{
    float r = sqrtf((x - 4.0f) * (x - 4.0f) + (y - 5.0f) * (y - 5.0f));

    return 0.25f * cosf(3.2f * r) * expf(-0.3f * (r - 1.0f) * (r - 1.0f));
}

static float ripples(float x, float y)
{
    return 0.05f * (sinf(2.9f * x + 1.1f * y) + sinf(2.1f * y - 1.7f * x + 2.0f));
}

static float pool(float x, float y)
{
    (void)x;
    (void)y;
    return -1.2f;
}

static float island(float x, float y)
{
    float r = sqrtf((x - 5.0f) * (x - 5.0f) + (y - 5.0f) * (y - 5.0f));

    return -1.2f + 2.1f * fmaxf(0.0f, 1.0f - r / 3.2f) + 0.1f * sinf(3.0f * x) * sinf(2.0f * y);
}

static void set_frame(height_at *level, height_at *ground)
{
    static const char *const names[2] = {"surface", "bed"};

    frame.grid = (gyre_grid){2, {N, N, 1}, 10.0f / N, {0.0f, 0.0f, 0.0f}};
    frame.field_count = 2;
    frame.density = frame.temperature = frame.solid = -1;
    frame.velocity[0] = frame.velocity[1] = frame.velocity[2] = -1;
    frame.step++;
    for (int i = 0; i < 2; i++) {
        view_field *f = &frame.fields[i];

        snprintf(f->name, sizeof f->name, "%s", names[i]);
        f->view = i == 0 ? GYRE_VIEW_SURFACE : GYRE_VIEW_BED;
        f->present = true;
        f->data = i == 0 ? water : bed;
    }
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            float x = ((float)i + 0.5f) * frame.grid.h, y = ((float)j + 0.5f) * frame.grid.h;

            bed[i + j * N] = ground(x, y);
            water[i + j * N] = fmaxf(level(x, y), bed[i + j * N]);
        }
    }
    frame.mesh_count = 0;
    frame.flow = (view_flow){0};
    frame.time = 2.0;
}

static float *add_field(const char *name)
{
    static float room[8][N * N];
    int at = frame.field_count++;
    view_field *f = &frame.fields[at];

    snprintf(f->name, sizeof f->name, "%s", name);
    f->view = GYRE_VIEW_SIGNED;
    f->present = true;
    f->data = room[at % 8];
    return f->data;
}

static view_look make_look(int mode)
{
    gyre_scene_settings settings = {.camera = gyre_default_camera(),
                                    .light = gyre_default_light(),
                                    .view = gyre_default_view_settings()};
    view_look look = view_look_make(&settings, &frame.grid);

    look.mode = mode;
    view_frame_heights(&frame, look.heights);
    look.camera = view_look_camera(&look, &frame.grid, WIDE, HIGH);
    return look;
}

static void paint(const view_look *look)
{
    glClearColor(1.0f, 0.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    view_draw_paint(draw, look, 0, 0, WIDE, HIGH);
    view_draw_read(0, 0, WIDE, HIGH, seen.rgb);
}

// As a renderer on a processor draws it, or one on a card: the corners lie elsewhere then.
static void draw_by(bool software)
{
    draw->software = software;
    for (int i = 0; i < 2; i++)
        draw->moments[i].heights_loaded = false;
}

static void show(const view_look *look)
{
    view_draw_push(draw, &frame);
    view_draw_push(draw, &frame);
    paint(look);
}

static rig_distance compare(const char *name, const view_look *look)
{
    const char *folder = getenv("GYRE_VIEW_PICTURES"); // to look at what is compared
    char path[512];

    show(look);
    assert_int_equal(rig_offline(device, &frame, look, &offline), GYRE_OK);
    if (folder != NULL) {
        snprintf(path, sizeof path, "%s/%s_view.png", folder, name);
        assert_int_equal(gyre_png_write(path, WIDE, HIGH, 3, seen.rgb), GYRE_OK);
        snprintf(path, sizeof path, "%s/%s_offline.png", folder, name);
        assert_int_equal(gyre_png_write(path, WIDE, HIGH, 3, offline.rgb), GYRE_OK);
    }
    rig_distance d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);

    print_message("%s: mean %.2f, 99 %% within %d, most %d\n", name, d.mean, d.most_of, d.most);
    return d;
}

// A box afloat.
static const float corners[24] = {2.0f,  2.0f, -0.3f, 3.6f,  2.0f, -0.3f, 2.0f, 3.4f,
                                  -0.3f, 3.6f, 3.4f,  -0.3f, 2.0f, 2.0f,  0.5f, 3.6f,
                                  2.0f,  0.5f, 2.0f,  3.4f,  0.5f, 3.6f,  3.4f, 0.5f};
static const int32_t faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static void add_box(void)
{
    static float points[24];
    static int32_t triangles[36];

    memcpy(points, corners, sizeof points);
    memcpy(triangles, faces, sizeof triangles);
    frame.meshes[0] = (view_mesh){points, triangles, 8, 12, 0, 0};
    frame.mesh_count = 1;
}

// Differences that are left: edges of things, where samples lie elsewhere, and what is mirrored.
static void check_alike(const char *name, const view_look *look, double mean, int most_of)
{
    rig_distance d = compare(name, look);

    assert_true(d.mean < mean);
    assert_true(d.most_of <= most_of);
}

static void test_same_surface(void **state)
{
    (void)state;
    set_frame(rings, pool);
    view_look look = make_look(VIEW_SURFACE);

    check_alike("pool", &look, 1.2, 24);
    add_box();
    check_alike("box", &look, 1.3, 26);
    set_frame(rings, island);
    look = make_look(VIEW_SURFACE);
    check_alike("island", &look, 1.2, 24);
    look.settings.shadow = false;
    look.light.direction[0] = 0.6f;
    look.settings.water_clarity = 0.6f;
    look.settings.bed_colour[2] = 0.7f;
    look.settings.clouds = 0.9f;
    check_alike("settings", &look, 1.2, 24);
}

// The net of light on a tiled floor; other maps of it would be seen.
static void test_same_caustics(void **state)
{
    (void)state;
    set_frame(ripples, pool);
    view_look look = make_look(VIEW_SURFACE);

    look.settings.caustics = true;
    look.settings.water_clarity = 6.0f;
    look.light.direction[0] = 0.3f;
    look.light.direction[1] = 0.2f;
    look.light.direction[2] = 1.0f;
    check_alike("caustics", &look, 0.9, 20);
    look.settings.caustics = false;
    show(&look);
    rig_distance d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);

    print_message("without: mean %.2f\n", d.mean);
    assert_true(d.mean > 1.3);
    set_frame(ripples, island);
    look = make_look(VIEW_SURFACE);
    look.settings.caustics = true;
    look.settings.bed_tiles = 1.0f;
    add_box();
    check_alike("caustics_island", &look, 1.4, 30);
}

static void put_camera(view_look *look, const float from[3], const float to[3], float angle)
{
    memcpy(look->camera.position, from, sizeof look->camera.position);
    memcpy(look->camera.target, to, sizeof look->camera.target);
    memcpy(look->camera.up, (float[3]){0.0f, 0.0f, 1.0f}, sizeof look->camera.up);
    look->camera.field_of_view = angle;
}

// From under water: the window to the sky, what is mirrored beyond it, the bed and its light.
static void test_same_below(void **state)
{
    (void)state;
    set_frame(ripples, pool);
    view_look look = make_look(VIEW_SURFACE);

    look.settings.caustics = true;
    look.settings.bed_tiles = 1.0f;
    look.settings.water_clarity = 4.0f;
    put_camera(&look, (float[3]){5.0f, 5.0f, -0.9f}, (float[3]){5.2f, 6.0f, 0.2f}, 90.0f);
    check_alike("below_up", &look, 2.2, 40);
    put_camera(&look, (float[3]){1.0f, 1.5f, -0.5f}, (float[3]){6.0f, 5.0f, -0.8f}, 60.0f);
    check_alike("below_ahead", &look, 1.6, 34);
    // As before, the surface as from above: far from it.
    put_camera(&look, (float[3]){1.0f, 1.5f, 0.5f}, (float[3]){6.0f, 5.0f, 0.2f}, 60.0f);
    show(&look);
    rig_distance d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);

    assert_true(d.mean > 10.0);
    set_frame(calm, island);
    add_box();
    look = make_look(VIEW_SURFACE);
    put_camera(&look, (float[3]){0.7f, 1.0f, -0.4f}, (float[3]){5.0f, 4.0f, -0.5f}, 60.0f);
    check_alike("below_island", &look, 1.6, 34);
}

// White water, as a field of the frame says where it is, and none without.
static void test_same_foam(void **state)
{
    (void)state;
    set_frame(rings, island);
    view_field *f = &frame.fields[frame.field_count++];

    snprintf(f->name, sizeof f->name, "foam");
    f->view = GYRE_VIEW_FRACTION;
    f->present = true;
    f->data = foam;
    for (int c = 0; c < N * N; c++)
        foam[c] = 0.5f + 0.5f * sinf(0.2f * (float)(c % N)) * cosf(0.13f * (float)(c / N));
    view_look look = make_look(VIEW_SURFACE);

    // From so near that pixels show its lace.
    put_camera(&look, (float[3]){5.0f, 0.6f, 2.0f}, (float[3]){5.0f, 3.3f, 0.0f}, 35.0f);
    check_alike("foam", &look, 2.5, 30);
    look.settings.foam = 0.0f;
    show(&look);
    rig_distance d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);

    print_message("without: mean %.2f\n", d.mean);
    assert_true(d.mean > 8.0);
}

// What flows with the water, two phases of it: ripples and lace; and ground that is wet.
static void add_flow(void)
{
    static const char *const names[4] = {"texture_0_x", "texture_0_y", "texture_1_x",
                                         "texture_1_y"};
    float *to[4], *wet, *speed;

    frame.flow.phases = 2;
    for (int q = 0; q < 4; q++) {
        frame.flow.field[q / 2][q % 2] = frame.field_count;
        frame.flow.offset[q / 2][q % 2] = 1.3f * (float)q;
        to[q] = add_field(names[q]);
    }
    frame.flow.weight[0] = 0.3f;
    frame.flow.weight[1] = 0.7f;
    speed = add_field("speed");
    wet = add_field("wet");
    for (int c = 0; c < N * N; c++) {
        float x = (float)(c % N) / N, y = (float)(c / N) / N;

        for (int q = 0; q < 4; q++)
            to[q][c] = 0.6f * sinf(5.0f * x + 3.0f * y + (float)q);
        speed[c] = 0.2f + x;
        wet[c] = fminf(fmaxf(1.6f - 2.0f * bed[c], 0.0f), 1.0f);
    }
}

static void test_same_flow(void **state)
{
    (void)state;
    set_frame(rings, island);
    add_flow();
    view_look look = make_look(VIEW_SURFACE);

    look.settings.ripples = 0.25f;
    look.settings.ripple_length = 1.2f;
    look.settings.ripple_speed = 0.4f;
    look.settings.ripple_direction = 40.0f;
    check_alike("flow", &look, 1.0, 24);
    look.settings.ripples = 0.0f;
    show(&look);
    rig_distance d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);

    print_message("without ripples: mean %.2f\n", d.mean);
    assert_true(d.mean > 1.8);
    look.settings.ripples = 0.25f;
    look.settings.wet = false;
    show(&look);
    d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);
    print_message("without wet ground: mean %.2f\n", d.mean);
    assert_true(d.mean > 1.05);
    look.settings.wet = true;
    // Other places of the water, another picture: of the first phase, of the second.
    for (int q = 0; q < 4; q += 2) {
        look.settings.ripple_speed = 0.0f;
        for (int c = 0; c < N * N; c++)
            frame.fields[frame.flow.field[q / 2][0]].data[c] += 0.3f;
        frame.step++;
        show(&look);
        d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);
        print_message("carried on: mean %.2f\n", d.mean);
        assert_true(d.mean > 1.8);
    }
    // From near, the lace.
    set_frame(rings, island);
    add_flow();
    float *white = add_field("foam");

    for (int c = 0; c < N * N; c++)
        white[c] = 0.5f + 0.5f * sinf(0.2f * (float)(c % N)) * cosf(0.13f * (float)(c / N));
    put_camera(&look, (float[3]){5.0f, 0.6f, 2.0f}, (float[3]){5.0f, 3.3f, 0.0f}, 35.0f);
    look.settings.ripples = 0.0f;
    check_alike("lace", &look, 3.0, 34);
}

// The shore pixel by pixel, seen flat and by the few quads of a software renderer.
static void test_same_shore(void **state)
{
    (void)state;
    set_frame(rings, island);
    view_look look = make_look(VIEW_SURFACE);

    put_camera(&look, (float[3]){-3.0f, 2.0f, 0.9f}, (float[3]){5.0f, 5.0f, 0.1f}, 30.0f);
    check_alike("shore", &look, 1.6, 36);
    draw_by(true);
    check_alike("shore_software", &look, 2.0, 44);
    put_camera(&look, (float[3]){3.0f, 0.5f, 2.5f}, (float[3]){4.5f, 4.0f, 0.0f}, 40.0f);
    check_alike("shore_above", &look, 0.72, 14);
    draw_by(false);
}

static float film(float x, float y)
{
    (void)y;
    return -0.004f - 0.003f * x;
}

// Water that is hardly deeper than what shows none of it, seen flat: it mirrors a part.
static void test_same_shallow(void **state)
{
    (void)state;
    set_frame(calm, film);
    view_look look = make_look(VIEW_SURFACE);

    look.settings.clouds = 0.0f;
    put_camera(&look, (float[3]){5.0f, -2.0f, 0.8f}, (float[3]){5.0f, 4.0f, 0.0f}, 50.0f);
    check_alike("shallow", &look, 0.8, 24);
}

// Drawn a quarter as large and enlarged: edges are as sharp as in what is drawn as large as shown.
static void test_sharp_edges(void **state)
{
    uint8_t *whole = malloc(3 * WIDE * HIGH);
    int far = 0;

    (void)state;
    assert_non_null(whole);
    draw_by(true);
    set_frame(ripples, island);
    add_box();
    view_look look = make_look(VIEW_SURFACE);

    show(&look);
    memcpy(whole, seen.rgb, 3 * WIDE * HIGH);
    look.inner_width = WIDE / 4;
    look.inner_height = HIGH / 4;
    show(&look);
    rig_distance d = rig_compare(seen.rgb, whole, 3 * WIDE * HIGH);

    for (int i = 0; i < 3 * WIDE * HIGH; i++)
        far += abs(seen.rgb[i] - whole[i]) > 40;
    print_message("enlarged: mean %.2f, 99 %% within %d, %d bytes are far off\n", d.mean, d.most_of,
                  far);
    // Only enlarged it is 5.61, and 2108; with edges half as fine 10.4, and 4747.
    assert_true(d.mean < 1.7);
    assert_true(far < 250);
    draw_by(false);
    free(whole);
}

// Dry ground seen from above under a sky of another colour: nothing of that comes through.
static void test_no_cracks(void **state)
{
    (void)state;
    set_frame(calm, island);
    for (int c = 0; c < N * N; c++) {
        bed[c] += 1.4f;
        water[c] = bed[c];
    }
    view_look look = make_look(VIEW_SURFACE);

    for (int c = 0; c < 3; c++) {
        look.settings.sky_top[c] = look.settings.sky_horizon[c] = c == 1 ? 0.0f : 60.0f;
        look.light.ambient_colour[c] = 0.3f;
    }
    look.settings.clouds = 0.0f;
    for (int k = 0; k < 24; k++) {
        float x = 3.5f + 0.25f * (float)(k % 12);

        draw_by(k % 2 == 0);
        put_camera(&look, (float[3]){x, 3.5f, 3.0f}, (float[3]){5.0f, 5.2f, 0.5f}, 30.0f);
        if (k == 12) {
            // Hills from low above them: squares of several sizes lie behind each other.
            for (int c = 0; c < N * N; c++) {
                float u = 0.35f * (float)(c % N), v = 0.31f * (float)(c / N);

                water[c] = bed[c] = 0.25f * sinf(1.7f * u) * sinf(1.9f * v);
            }
            frame.step++;
        }
        if (k >= 12) {
            x = 4.2f + 0.13f * (float)(k % 12);
            put_camera(&look, (float[3]){x, 0.6f, 0.9f}, (float[3]){5.0f, 2.2f, 0.0f}, 28.0f);
        }
        show(&look);
        for (int p = 0; p < WIDE * HIGH; p++)
            assert_false(seen.rgb[3 * p] > 250 && seen.rgb[3 * p + 2] > 250 &&
                         seen.rgb[3 * p + 1] < 100);
    }
    draw_by(false);
}

// The eye goes away slowly: squares become coarser, and no step shows it.
static void test_no_pop(void **state)
{
    enum { STEPS = 60 };
    double change[STEPS], most = 0.0, sum = 0.0;
    uint8_t *before = malloc(3 * WIDE * HIGH);
    int squares[2] = {0};

    (void)state;
    assert_non_null(before);
    draw_by(true);
    set_frame(rings, island);
    view_look look = make_look(VIEW_SURFACE);

    for (int k = 0; k <= STEPS; k++) {
        float away = 3.0f * powf(1.015f, (float)k);

        put_camera(&look, (float[3]){5.0f, 5.0f - away, 0.5f * away}, (float[3]){5.0f, 5.0f, 0.0f},
                   50.0f);
        show(&look);
        squares[k > 0] = draw->water->squares.count;
        if (k > 0)
            change[k - 1] = rig_compare(seen.rgb, before, 3 * WIDE * HIGH).mean;
        memcpy(before, seen.rgb, 3 * WIDE * HIGH);
    }
    for (int k = 0; k < STEPS; k++) {
        double beside = k == 0           ? change[1]
                        : k == STEPS - 1 ? change[k - 1]
                                         : 0.5 * (change[k - 1] + change[k + 1]);

        most = fmax(most, change[k] / beside);
        sum += change[k];
    }
    print_message("%d to %d squares; a step changes %.2f, at most %.2f times its neighbours\n",
                  squares[0], squares[1], sum / STEPS, most);
    assert_true(squares[1] < squares[0] / 2 || squares[0] < squares[1] / 2);
    assert_true(most < 1.25);
    draw_by(false);
    free(before);
}

static void test_same_bars(void **state)
{
    (void)state;
    set_frame(rings, island);
    add_box();
    view_look look = make_look(VIEW_BARS);

    // Lines between bars are finer than pixels.
    check_alike("bars", &look, 6.0, 60);
}

// Half way between two frames is what lies half way between their heights; bodies move along.
static void test_blend(void **state)
{
    uint8_t *middle = malloc(3 * WIDE * HIGH);

    (void)state;
    assert_non_null(middle);
    draw->software = true;
    set_frame(calm, pool);
    for (int i = 0; i < N * N; i++)
        water[i] = 0.2f;
    add_box();
    view_look look = make_look(VIEW_SURFACE);

    show(&look);
    memcpy(middle, seen.rgb, 3 * WIDE * HIGH);
    for (int k = 0; k < 2; k++) {
        float shift = k == 0 ? -0.4f : 0.4f;

        for (int i = 0; i < N * N; i++)
            water[i] = 0.2f + shift;
        frame.step++;
        for (int p = 0; p < 8; p++)
            frame.meshes[0].points[3 * p] = corners[3 * p] + shift;
        view_draw_push(draw, &frame);
    }
    look.blend = 0.5f;
    paint(&look);
    rig_distance d = rig_compare(seen.rgb, middle, 3 * WIDE * HIGH);

    assert_true(d.mean < 0.3);
    look.blend = 1.0f;
    paint(&look);
    d = rig_compare(seen.rgb, middle, 3 * WIDE * HIGH);
    assert_true(d.mean > 2.0);
    free(middle);
}

// The hand finds the place whose picture it points at.
static void test_pick(void **state)
{
    const float through[3] = {0.0f, 0.0f, 0.1f};
    float point[3];

    (void)state;
    set_frame(calm, pool);
    view_look look = make_look(VIEW_SURFACE);
    view_eye eye = view_eye_make(&look, &frame.grid, WIDE, HIGH);

    for (int k = 0; k < 5; k++) {
        float x = 36.0f + 30.0f * (float)k, y = 24.0f + 12.0f * (float)k, along[3];

        assert_true(view_draw_place(&look, &frame.grid, WIDE, HIGH, x, y, through, point));
        assert_float_equal(point[2], 0.1f, 1e-4f);
        for (int i = 0; i < 3; i++)
            along[i] = eye.forward[i] + eye.right[i] * (x - 0.5f * WIDE) / HIGH +
                       eye.up[i] * (y - 0.5f * HIGH) / HIGH;
        float t = (0.1f - eye.at[2]) / along[2];

        assert_float_equal(point[0], eye.at[0] + t * along[0], 1e-3f);
        assert_float_equal(point[1], eye.at[1] + t * along[1], 1e-3f);
    }
    // The sky is no place.
    look.camera.target[2] = look.camera.position[2] + 10.0f;
    assert_false(view_draw_place(&look, &frame.grid, WIDE, HIGH, 96.0f, 104.0f, through, point));
}

// A model that has no surface is shown as a map; one that has loses it without harm.
static void test_without(void **state)
{
    (void)state;
    set_frame(rings, pool);
    view_look look = make_look(VIEW_SURFACE);

    show(&look);
    frame.fields[1].view = GYRE_VIEW_DENSITY;
    show(&look);
    frame.field_count = 0;
    show(&look);
    set_frame(rings, pool);
    show(&look);
    look.inner_width = 100;
    look.inner_height = 50;
    show(&look);
}

// A scene of water by the model's own tables.
static void test_model(void **state)
{
    static const char text[] =
        "{\"models\": {\"water\": {\"grid\": {\"dim\": 2, \"n\": [48, 40, 1], \"h\": 0.1}, "
        "\"bed\": {\"flat\": -1, \"slope\": [0.3, 0]}}}}";
    gyre_scene *scene = NULL;

    (void)state;
    assert_int_equal(gyre_scene_parse(text, strlen(text), "slope.json", &scene), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    view_frame *of = rig_frame(scene);

    assert_non_null(of);
    assert_true(view_frame_has_surface(of));
    view_look look = view_look_make(gyre_scene_get_settings(scene), &of->grid);

    look.mode = VIEW_SURFACE;
    view_frame_heights(of, look.heights);
    look.camera = view_look_camera(&look, &of->grid, WIDE, HIGH);
    view_draw_push(draw, of);
    view_draw_push(draw, of);
    paint(&look);
    assert_int_equal(gyre_scene_render(scene, &offline), GYRE_OK);
    // The offline renderer frames it by itself, by the heights of its finer corners.
    rig_distance d = rig_compare(seen.rgb, offline.rgb, 3 * WIDE * HIGH);

    assert_true(d.mean < 3.0);
    rig_frame_free(of);
    gyre_scene_destroy(scene);
}

static int need_gl(void **state)
{
    (void)state;
    if (draw == NULL && getenv("GYRE_TEST_NO_GL") != NULL)
        skip();
    if (draw == NULL)
        fail_msg("no OpenGL 3.3 here (Debian: libgl1-mesa-dri, libegl1); GYRE_TEST_NO_GL=1 leaves "
                 "these tests out");
    rig_errors = 0;
    return 0;
}

static int no_errors(void **state)
{
    (void)state;
    return rig_errors;
}

static int setup(void **state)
{
    gyre_device_def def = gyre_default_device_def();

    (void)state;
    if (gyre_device_create(&def, &device) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &offline) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &seen) != GYRE_OK)
        return 1;
    if (rig_open(&screen)) {
        rig_size(&screen, WIDE, HIGH);
        draw = view_draw_create();
        // As finely as where there is a graphics processor: the first two tests compare details.
        if (draw != NULL)
            draw->software = false;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    view_draw_destroy(draw);
    rig_close(&screen);
    gyre_image_free(&seen);
    gyre_image_free(&offline);
    gyre_device_destroy(device);
    return 0;
}

#define GL_TEST(function) cmocka_unit_test_setup_teardown(function, need_gl, no_errors)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GL_TEST(test_same_surface), GL_TEST(test_same_caustics), GL_TEST(test_same_below),
        GL_TEST(test_same_foam),    GL_TEST(test_same_flow),     GL_TEST(test_same_shore),
        GL_TEST(test_same_shallow), GL_TEST(test_sharp_edges),   GL_TEST(test_no_cracks),
        GL_TEST(test_no_pop),       GL_TEST(test_same_bars),     GL_TEST(test_blend),
        GL_TEST(test_pick),         GL_TEST(test_without),       GL_TEST(test_model),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
