// test/test_null_scene.c: NULL where files, pictures and scenes need something is refused with a
// message (gyre/base.h has the rule).
// labels: small
#include "null_check.h"
#include "test/check.h"

#include "gyre/gyre.h"
#include "gyre/io.h"
#include "gyre/render.h"
#include "gyre/scene.h"

static gyre_device *device;
static gyre_scene *scene;
static gyre_fields *fields;

static int make_all(void **state)
{
    (void)state;
    static const char text[] = "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[8,8,1]}}}}";
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    must(gyre_device_create(&def, &device));
    must(gyre_scene_parse(text, sizeof text - 1, "text", &scene));
    must(gyre_scene_create(scene, device));
    must(gyre_fields_open(scene, 0, NULL, 0, &fields));
    return 0;
}

static int drop_all(void **state)
{
    (void)state;
    gyre_fields_close(fields);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    return 0;
}

static void nothing_bad(void)
{
    int bad = null_bad;
    null_bad = 0;
    assert_int_equal(bad, 0);
}

static void sets_of_particles(void **state)
{
    (void)state;
    int count;
    gyre_particle_sets *sets = NULL;
    REFUSED(gyre_particle_sets_open(NULL, 0, &sets))
    REFUSED(gyre_particle_sets_open(scene, 0, NULL))
    gyre_particle_sets *found = NULL;
    must(gyre_particle_sets_open(scene, 0, &found));
    NOTHING(gyre_particle_sets_views(found, NULL))
    gyre_particle_sets_close(found);
    NO_OP(gyre_particle_sets_close(NULL))
    NOTHING(gyre_particle_sets_views(NULL, &count))
    nothing_bad();
}

static void files(void **state)
{
    (void)state;
    int count;
    const gyre_named_view *views = gyre_fields_views(fields, &count);
    gyre_volume volume = {0};
    gyre_video *video = NULL;
    gyre_sink *sink = NULL;
    gyre_frame frame = {0};
    static uint8_t pixels[12];
    int width, height;
    uint8_t *rgb;
    REFUSED(gyre_npy_write(NULL, &views->view))
    REFUSED(gyre_npy_write("/tmp/none.npy", NULL))
    REFUSED(gyre_npy_read_volume(NULL, &volume))
    REFUSED(gyre_npy_read_volume("/tmp/none.npy", NULL))
    NO_OP(gyre_volume_free(NULL))
    REFUSED(gyre_mesh_read(NULL, &(gyre_mesh){0}))
    REFUSED(gyre_mesh_read("/tmp/none.obj", NULL))
    REFUSED(gyre_mesh_write(NULL, &(gyre_mesh){0}, GYRE_MESH_TEXT))
    REFUSED(gyre_mesh_write("/tmp/none.obj", NULL, GYRE_MESH_TEXT))
    NO_OP(gyre_mesh_free(NULL))
    REFUSED(gyre_png_write(NULL, 2, 2, 3, pixels))
    REFUSED(gyre_png_write("/tmp/none.png", 2, 2, 3, NULL))
    REFUSED(gyre_png_read_volume(NULL, &volume))
    REFUSED(gyre_png_read_volume("/tmp/none.png", NULL))
    REFUSED(gyre_png_read(NULL, &width, &height, &rgb))
    REFUSED(gyre_png_read("/tmp/none.png", NULL, &height, &rgb))
    REFUSED(gyre_png_read("/tmp/none.png", &width, NULL, &rgb))
    REFUSED(gyre_png_read("/tmp/none.png", &width, &height, NULL))
    REFUSED(gyre_read_volume(NULL, &volume))
    REFUSED(gyre_read_volume("/tmp/none.png", NULL))
    REFUSED(gyre_vti_write(NULL, views, count, 0.0))
    REFUSED(gyre_vti_write("/tmp/none.vti", NULL, count, 0.0))
    REFUSED(gyre_video_open(NULL, 8, 8, 30, &video))
    REFUSED(gyre_video_open("/tmp/none.mp4", 8, 8, 30, NULL))
    REFUSED(gyre_video_write(NULL, pixels))
    NO_OP(gyre_video_close(NULL))
    NO_OP(gyre_video_abort(NULL))
    REFUSED(gyre_video_join(NULL, 1, "/tmp/none.mp4", 1))
    REFUSED(gyre_path_check(NULL))
    NOTHING(gyre_paths_overlap(NULL, "a"))
    NOTHING(gyre_paths_overlap("a", NULL))
    NOTHING(gyre_format_of(NULL))
    REFUSED(gyre_sink_check(NULL, NULL))
    REFUSED(gyre_sink_open(NULL, 8, 8, 30, &sink))
    REFUSED(gyre_sink_open("/tmp/none.png", 8, 8, 30, NULL))
    NOTHING(gyre_sink_path(NULL))
    NOTHING(gyre_sink_format(NULL))
    NOTHING(gyre_sink_keeps_last(NULL))
    REFUSED(gyre_sink_write(NULL, &frame))
    NO_OP(gyre_sink_close(NULL))
    NO_OP(gyre_sink_abort(NULL))
    nothing_bad();
}

static void pictures(void **state)
{
    (void)state;
    gyre_image image = {0};
    gyre_render_input input = {0};
    float rgb[3];
    REFUSED(gyre_image_create(8, 8, NULL))
    NO_OP(gyre_image_free(NULL))
    REFUSED(gyre_render_memory_create(NULL))
    NO_OP(gyre_render_memory_destroy(NULL));
    REFUSED(gyre_texels_create(NULL, NULL));
    REFUSED(gyre_texels_create_solid(NULL, 1, NULL));
    NO_OP(gyre_texels_read(NULL, NULL));
    NO_OP(gyre_texels_hold(NULL));
    NO_OP(gyre_texels_destroy(NULL));
    REFUSED(gyre_render(NULL, &input, &image))
    REFUSED(gyre_render(device, NULL, &image))
    REFUSED(gyre_render(device, &input, NULL))
    int n[3];
    float light[4];
    REFUSED(gyre_render_own_light(NULL, &input, 1, n, light))
    REFUSED(gyre_render_own_light(device, NULL, 1, n, light))
    REFUSED(gyre_render_own_light(device, &input, 1, NULL, light))
    REFUSED(gyre_render_own_light(device, &input, 1, n, NULL))
    REFUSED(gyre_render_composed(NULL, &input, 1, &image))
    REFUSED(gyre_render_composed(device, NULL, 1, &image))
    REFUSED(gyre_render_composed(device, &input, 1, NULL))
    SPOKEN(gyre_channel_colour(0, NULL))
    gyre_grid plane = {2, {4, 4, 1}, 0.1f, {0.0f, 0.0f, 0.0f}};
    gyre_render_flow flow = {.phases = 0};
    gyre_ripples ripples;
    SPOKEN(gyre_ripples_make(NULL, &plane, &flow, &ripples))
    SPOKEN(gyre_ripples_make(&input.settings, NULL, &flow, &ripples))
    SPOKEN(gyre_ripples_make(&input.settings, &plane, NULL, &ripples))
    SPOKEN(gyre_ripples_make(&input.settings, &plane, &flow, NULL))
    SPOKEN(gyre_map_colour(GYRE_MAP_GRAY, 0.5f, NULL))
    SPOKEN(gyre_black_body(1000.0f, NULL))
    (void)rgb;
    nothing_bad();
}

static void held_pictures(void **state)
{
    (void)state;
    gyre_image image = {0};
    gyre_picture *picture = NULL;
    gyre_drawer *drawer = NULL;
    assert_int_equal(gyre_picture_create(&picture), GYRE_OK);
    assert_int_equal(gyre_drawer_create(device, &drawer), GYRE_OK);
    REFUSED(gyre_picture_create(NULL))
    NO_OP(gyre_picture_destroy(NULL))
    REFUSED(gyre_picture_hold(NULL, scene))
    REFUSED(gyre_picture_hold(picture, NULL))
    REFUSED(gyre_picture_draw(NULL, device, &image))
    REFUSED(gyre_picture_draw(picture, NULL, &image))
    REFUSED(gyre_picture_draw(picture, device, NULL))
    REFUSED(gyre_drawer_create(NULL, &drawer))
    REFUSED(gyre_drawer_create(device, NULL))
    NO_OP(gyre_drawer_destroy(NULL))
    REFUSED(gyre_drawer_begin(NULL, scene, &image, NULL, NULL))
    REFUSED(gyre_drawer_begin(drawer, NULL, &image, NULL, NULL))
    REFUSED(gyre_drawer_begin(drawer, scene, NULL, NULL, NULL))
    REFUSED(gyre_drawer_wait(NULL))
    gyre_drawer_destroy(drawer);
    gyre_picture_destroy(picture);
    nothing_bad();
}

/// Long because every call of scenes is tried.
static void scenes(void **state)
{
    (void)state;
    gyre_scene *made = NULL;
    gyre_value value;
    gyre_fields *opened = NULL;
    gyre_image image = {0};
    gyre_stats_file *stats = NULL;
    char text[64];
    int64_t steps;
    uint64_t hash;
    int count;
    REFUSED(gyre_scene_load(NULL, &made))
    REFUSED(gyre_scene_load("scene/plume.json", NULL))
    REFUSED(gyre_scene_parse(NULL, 2, "name", &made))
    REFUSED(gyre_scene_parse("{}", 2, "name", NULL))
    NO_OP(gyre_scene_destroy(NULL))
    REFUSED(gyre_scene_set(NULL, "gas.viscosity", "0"))
    REFUSED(gyre_scene_set(scene, NULL, "0"))
    REFUSED(gyre_scene_set(scene, "gas.viscosity", NULL))
    REFUSED(gyre_scene_assign(NULL, "gas.viscosity=0"))
    REFUSED(gyre_scene_assign(scene, NULL))
    REFUSED(gyre_scene_get(NULL, "gas.viscosity", &value))
    REFUSED(gyre_scene_get(scene, NULL, &value))
    REFUSED(gyre_scene_get(scene, "gas.viscosity", NULL))
    REFUSED(gyre_scene_create(NULL, device))
    REFUSED(gyre_scene_create(scene, NULL))
    REFUSED(gyre_scene_input(NULL, "gas.viscosity", "0"))
    REFUSED(gyre_scene_input(scene, NULL, "0"))
    REFUSED(gyre_scene_input(scene, "gas.viscosity", NULL))
    REFUSED(gyre_scene_reserve(NULL, "gas.solids", 1))
    REFUSED(gyre_scene_reserve(scene, NULL, 1))
    NOTHING(gyre_scene_file(NULL, 0))
    NOTHING(gyre_scene_main_field(NULL, 0))
    SPOKEN(gyre_scene_warn(NULL, NULL, NULL))
    REFUSED(gyre_scene_resume(NULL, device, "none", NULL, NULL))
    REFUSED(gyre_scene_resume(scene, device, NULL, NULL, NULL))
    gyre_texels *texels;
    REFUSED(gyre_scene_texels(NULL, &texels))
    REFUSED(gyre_scene_texels(scene, NULL))
    REFUSED(gyre_scene_write(NULL, "/tmp/none.json"))
    REFUSED(gyre_scene_write(scene, NULL))
    REFUSED(gyre_replay_write(NULL, "/tmp/none.json"))
    REFUSED(gyre_replay_write(scene, NULL))
    REFUSED(gyre_replay_scene(NULL, text, sizeof text))
    REFUSED(gyre_replay_scene("/tmp/none.json", NULL, sizeof text))
    REFUSED(gyre_replay_load(NULL, "/tmp/none.json", &steps, &hash))
    REFUSED(gyre_replay_load(scene, NULL, &steps, &hash))
    NOTHING(gyre_scene_dt(NULL) != 0.0f)
    REFUSED(gyre_scene_step(NULL))
    REFUSED(gyre_scene_step_frame(NULL))
    NOTHING(gyre_scene_frame(NULL))
    NOTHING(gyre_scene_seconds(NULL) != 0.0)
    REFUSED(gyre_scene_field(NULL, "density", NULL, NULL))
    REFUSED(gyre_scene_field(scene, NULL, NULL, NULL))
    NOTHING(gyre_scene_model_count(NULL))
    NOTHING(gyre_scene_model_name(NULL, 0))
    NOTHING(gyre_scene_model_type(NULL, 0))
    NOTHING(gyre_scene_model(NULL, 0))
    NOTHING(gyre_scene_model_def(NULL, 0))
    NOTHING(gyre_scene_bodies(NULL))
    NOTHING(gyre_scene_get_settings(NULL))
    NOTHING(gyre_scene_hash(NULL))
    REFUSED(gyre_fields_open(NULL, 0, NULL, 0, &opened))
    REFUSED(gyre_fields_open(scene, 0, NULL, 0, NULL))
    NOTHING(gyre_fields_views(NULL, &count))
    NOTHING(gyre_fields_views(fields, NULL))
    NO_OP(gyre_fields_close(NULL))
    REFUSED(gyre_scene_render(NULL, &image))
    REFUSED(gyre_scene_render(scene, NULL))
    REFUSED(gyre_scene_schema(NULL))
    REFUSED(gyre_scene_save_file(NULL, "/tmp/none"))
    REFUSED(gyre_scene_save_file(scene, NULL))
    REFUSED(gyre_scene_load_file(NULL, "/tmp/none"))
    REFUSED(gyre_scene_load_file(scene, NULL))
    REFUSED(gyre_stats_open(NULL, scene, &stats))
    REFUSED(gyre_stats_open("/tmp/none.csv", NULL, &stats))
    REFUSED(gyre_stats_open("/tmp/none.csv", scene, NULL))
    REFUSED(gyre_stats_write(NULL, 0.0))
    NO_OP(gyre_stats_close(NULL))
    NO_OP(gyre_stats_abort(NULL))
    nothing_bad();
}

// A function that comes has its lines here.
static void every_function_is_tried(void **state)
{
    (void)state;
    null_covers("test/test_null_scene.c", "include/gyre/io.h");
    null_covers("test/test_null_scene.c", "include/gyre/render.h");
    null_covers("test/test_null_scene.c", "include/gyre/scene.h");
    nothing_bad();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_particles),
        cmocka_unit_test(files),
        cmocka_unit_test(pictures),
        cmocka_unit_test(held_pictures),
        cmocka_unit_test(scenes),
        cmocka_unit_test(every_function_is_tried),
    };
    return cmocka_run_group_tests(tests, make_all, drop_all);
}
