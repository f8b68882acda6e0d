// test/test_view_points.c: particles as the viewer draws them, held against the offline renderer:
// tracers in a plane and round a ball, which hides some of them, and dust on water.
// labels: gl
// needs: scene
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check.h"
#include "view/session/inner.h"
#include "view_rig.h"

enum { WIDE = 240, HIGH = 135 };

static rig screen;
static gyre_device *device;

#define TRACERS(dim, n, more)                                                                      \
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":" dim ",\"n\":" n ",\"h\":0.03125},\"tracers\":{"     \
    "\"capacity\":400,\"start\":300}" more "}},"
#define LEAVES(dim, n)                                                                             \
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":" dim ",\"n\":" n ",\"h\":0.03125},\"tracers\":{"     \
    "\"capacity\":400,\"start\":300,\"inertia\":true,\"diameter\":0.05,\"thickness\":0.001}}},"
#define LOOK(more)                                                                                 \
    "\"view\":{\"floor\":false,\"shadow\":false" more "},\"output\":{\"width\":240,\"height\""     \
    ":135}}"
#define BACK                                                                                       \
    ",\"point_by\":\"age\",\"point_size_by\":\"age\",\"point_range\":[1,0],\"point_glow\":1.5"
#define AGES ",\"point_by\":\"age\",\"point_size_by\":\"age\",\"point_range\":[0,1]"
#define BALL ",\"solids\":[{\"shape\":{\"sphere\":{\"centre\":[0.5,0.5,0.5],\"radius\":0.3}}}]"
#define DUST                                                                                       \
    "{\"models\":{\"water\":{\"grid\":{\"n\":[48,48,1],\"h\":0.1},\"bed\":{\"flat\":-1},\"dust\":" \
    "{\"capacity\":400,\"start\":300}}},"
#define WALLED                                                                                     \
    "{\"models\":{\"water\":{\"grid\":{\"n\":[48,48,1],\"h\":0.1},\"bed\":{\"flat\":-1},\"dust\":" \
    "{\"capacity\":900,\"start\":800},\"bodies\":[{\"size\":[4,0.4,1.6],\"held\":true,"            \
    "\"position\":[2.4,0.8,0.6]}]}},"
#define SPRAY                                                                                      \
    "{\"models\":{\"water\":{\"grid\":{\"n\":[48,48,1],\"h\":0.1},\"bed\":{\"flat\":-1},"          \
    "\"spray\":{\"capacity\":400}}},"

typedef struct one_case {
    const char *name, *json;
    int mode;
    bool older;      // the particles' ages differ
    const char *set; // that is filled here; NULL: the first is there
} one_case;

static view_frame frame;

static void offline_of(gyre_scene *scene, gyre_image *image)
{
    must(gyre_scene_render(scene, image));
}

static void seen_of(view_draw *draw, const view_look *look, uint8_t *rgb)
{
    view_draw_paint(draw, look, 0, 0, WIDE, HIGH);
    view_draw_read(0, 0, WIDE, HIGH, rgb);
}

static int changed(const uint8_t *a, const uint8_t *b)
{
    int count = 0;
    for (int i = 0; i < WIDE * HIGH; i++) {
        int most = 0;
        for (int c = 0; c < 3; c++) {
            int d = abs(a[3 * i + c] - b[3 * i + c]);
            most = d > most ? d : most;
        }
        count += most > 24;
    }
    return count;
}

// Drops over the water, as in no order.
static void fill_set(gyre_model *model, int set)
{
    const gyre_particle_info *info = gyre_model_particles(model, set);
    gyre_particle_view view;
    must(gyre_model_map_particles(model, set, GYRE_WRITE, &view));
    for (int i = 0; i < 200; i++) {
        for (int a = 0; a < info->arrays; a++) {
            ((int32_t *)view.data[a])[i] = 0; // of floats, too, it is 0
        }
        for (int a = 0; a < 3; a++) {
            float share = (float)(i * (7 + 4 * a) % 199) / 199.0f;
            float *at = view.data[info->attributes[0].array + a];
            at[i] = a < 2 ? 0.3f + 4.2f * share : 0.1f + 0.8f * share;
        }
    }
    must(gyre_model_unmap_particles(model, set, 200));
}

// The same pixels are points, as many of them, in nearly the same colours, where no shadows are
// wanted: the viewer's points are in none.
static void look_at(const one_case *c)
{
    static uint8_t with[3 * WIDE * HIGH], without[3 * WIDE * HIGH];
    static uint8_t plain_rgb[3 * WIDE * HIGH], dotted_rgb[3 * WIDE * HIGH];
    gyre_image dotted = {WIDE, HIGH, dotted_rgb}, plain = {WIDE, HIGH, plain_rgb};
    gyre_scene *scene;
    must(gyre_scene_parse(c->json, strlen(c->json), "test.json", &scene));
    must(gyre_scene_create(scene, device));
    gyre_model *model = gyre_scene_model(scene, 0);
    gyre_particle_view view;
    int set = c->set ? gyre_model_particle_set(model, c->set) : 0;
    assert_true(set >= 0);
    if (c->set) {
        fill_set(model, set);
    }
    must(gyre_model_map_particles(model, set, GYRE_WRITE, &view));
    const gyre_particle_info *info = gyre_model_particles(model, set);
    for (int i = 0; c->older && i < view.count; i++) {
        ((float *)view.data[info->attributes[1].array])[i] = (float)(i % 11) * 0.1f;
    }
    must(gyre_model_unmap_particles(model, set, view.count));
    view_look look = view_look_make(gyre_scene_get_settings(scene), gyre_model_grid(model));
    look.mode = c->mode;
    snprintf(look.field, sizeof look.field, "%s", gyre_scene_main_field(scene, 0));
    must(session_frame_fill(&frame, scene, 0, NULL, 0, false));
    assert_int_equal(frame.points.count, view.count);
    view_frame_heights(&frame, look.heights);
    offline_of(scene, &dotted);
    must(gyre_scene_set(scene, "view.points", "false"));
    offline_of(scene, &plain);
    view_draw *draw = view_draw_create();
    assert_non_null(draw);
    assert_true(view_draw_push(draw, &frame));
    look.blend = 1.0f;
    seen_of(draw, &look, with);
    look.settings.points = false;
    seen_of(draw, &look, without);
    view_draw_destroy(draw);
    int expected = changed(dotted_rgb, plain_rgb), found = changed(with, without);
    rig_distance apart = rig_compare(dotted_rgb, with, sizeof with),
                 base = rig_compare(plain_rgb, without, sizeof without);
    if (getenv("GYRE_TEST_PRINT")) {
        char path[64];
        print_message("%s: %d pixels of points, %d offline; apart %.2f of 255, without points "
                      "%.2f\n",
                      c->name, found, expected, apart.mean, base.mean);
        snprintf(path, sizeof path, "points_%s_seen.png", c->name);
        gyre_png_write(path, WIDE, HIGH, 3, with);
        snprintf(path, sizeof path, "points_%s_offline.png", c->name);
        gyre_png_write(path, WIDE, HIGH, 3, dotted_rgb);
    }
    assert_true(expected > 300);
    assert_true(abs(found - expected) < expected / 8);
    // Rims are blended in other steps: of the pixels that points touch, 16 of 255 on the average.
    assert_true(apart.mean - base.mean < 16.0 * expected / (WIDE * HIGH));
    gyre_scene_destroy(scene);
}

static void points_are_where_the_renderer_has_them(void **state)
{
    static const one_case cases[] = {
        {"plane", TRACERS("2", "[32,32,1]", "") LOOK(",\"point_size\":0.03"), VIEW_MAP, false,
         NULL},
        {"ages", TRACERS("2", "[32,32,1]", "") LOOK(AGES ",\"point_size\":0.05"), VIEW_MAP, true,
         NULL},
        {"ball", TRACERS("3", "[32,32,32]", BALL) LOOK(",\"point_size\":0.03"), VIEW_VOLUME, false,
         NULL},
        {"ball_ages", TRACERS("3", "[32,32,32]", BALL) LOOK(AGES ",\"point_size\":0.05"),
         VIEW_VOLUME, true, NULL},
        {"glow", TRACERS("3", "[32,32,32]", BALL) LOOK(BACK ",\"point_size\":0.05"), VIEW_VOLUME,
         false, NULL},
        {"leaves", LEAVES("3", "[32,32,32]") LOOK(AGES ",\"point_size\":0.1"), VIEW_VOLUME, true,
         NULL},
        {"strokes", LEAVES("2", "[32,32,1]") LOOK(",\"point_size\":0.3"), VIEW_MAP, false, NULL},
        {"dust", DUST LOOK(",\"point_size\":0.1"), VIEW_SURFACE, false, NULL},
        {"walled", WALLED LOOK(",\"point_size\":0.1"), VIEW_SURFACE, false, NULL},
        {"spray", SPRAY LOOK(",\"point_size\":0.2"), VIEW_SURFACE, false, "spray"},
        {"beads", SPRAY LOOK(",\"point_size\":0.1,\"point_soft\":false"), VIEW_SURFACE, false,
         "spray"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        look_at(&cases[i]);
    }
}

static int begin(void **state)
{
    (void)state;
    if (!rig_open(&screen) || gyre_device_create(NULL, &device)) {
        return -1;
    }
    rig_size(&screen, WIDE, HIGH);
    return 0;
}

static int end(void **state)
{
    (void)state;
    session_frame_free(&frame);
    gyre_device_destroy(device);
    rig_close(&screen);
    return rig_errors;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_where_the_renderer_has_them)};
    return cmocka_run_group_tests(tests, begin, end);
}
