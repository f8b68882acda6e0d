// test/view_stills.h: what the tests that compare the viewer's pictures with the offline renderer's
// share: scenes at rest, drawn both ways. Include it after cmocka.h.
#ifndef VIEW_STILLS_H
#define VIEW_STILLS_H

#include "view/draw/draw.h"
#include "view/draw/parts.h"

#include "test/view_rig.h"

enum { WIDE = 160, TALL = 120, STILLS = 4 };

static rig display;
static bool has_gl;
static gyre_device *device;
static view_draw *draw;
static uint8_t seen[3 * WIDE * TALL], other[3 * WIDE * TALL];

typedef struct still {
    gyre_scene *scene;
    view_frame *frames[2]; // one step apart
    view_look look;
} still;

static still stills[STILLS];

// Of a scene whose files lie beside `path`, after so many steps.
static void make_still(const char *text, const char *path, int steps, still *of)
{
    if (gyre_scene_parse(text, strlen(text), path, &of->scene) != GYRE_OK ||
        gyre_scene_create(of->scene, device) != GYRE_OK)
        fail_msg("%s", gyre_message());
    for (int i = 0; i < steps; i++) {
        if (i == steps - 1)
            of->frames[0] = rig_frame(of->scene);
        if (i == steps - 1 && of->frames[0] == NULL)
            fail_msg("%s", gyre_message());
        assert_int_equal(gyre_scene_step(of->scene), GYRE_OK);
    }
    assert_non_null(of->frames[1] = rig_frame(of->scene));
    of->look = view_look_make(gyre_scene_get_settings(of->scene), &of->frames[1]->grid);
    view_look_dyes(&of->look, of->frames[1]);
}

// False: there is no OpenGL here, or no device.
static bool open_stills(void)
{
    has_gl = rig_open(&display);
    if (!has_gl)
        return false;
    rig_size(&display, WIDE, TALL);
    draw = view_draw_create();
    if (draw == NULL || gyre_device_create(NULL, &device) != GYRE_OK)
        fprintf(stderr, "%s\n", gyre_message());
    return draw != NULL && device != NULL;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < STILLS && has_gl; i++) {
        for (int m = 0; m < 2 && stills[i].frames[m] != NULL; m++)
            rig_frame_free(stills[i].frames[m]);
        gyre_scene_destroy(stills[i].scene);
    }
    view_draw_destroy(draw);
    gyre_device_destroy(device);
    rig_close(&display);
    return 0;
}

static int need_gl(void **state)
{
    (void)state;
    if (!has_gl && getenv("GYRE_TEST_NO_GL") != NULL)
        skip();
    if (!has_gl)
        fail_msg("no OpenGL 3.3 here (Debian: libgl1-mesa-dri, libegl1); GYRE_TEST_NO_GL=1 leaves "
                 "these tests out");
    rig_errors = 0;
    return 0;
}

static int no_errors(void **state)
{
    (void)state;
    if (!has_gl)
        return 0;
    GLenum error = glGetError();

    while (glGetError() != GL_NO_ERROR)
        rig_errors++;
    return rig_errors != 0 || error != GL_NO_ERROR ? 1 : 0;
}

// Draws one frame, with nothing before it, and reads it.
static void show(const view_frame *frame, const view_look *look, uint8_t *rgb)
{
    view_forget(draw);
    view_draw_push(draw, frame);
    view_draw_paint(draw, look, 0, 0, WIDE, TALL);
    view_draw_read(0, 0, WIDE, TALL, rgb);
}

static inline const uint8_t *pixel(const uint8_t *rgb, int x, int y)
{
    return rgb + 3 * (y * WIDE + x);
}

// Fails when the same look of the offline renderer is further away.
static inline void compare(const char *what, const view_frame *frame, const view_look *look,
                           double mean, int most_of, const int frame_lines[2])
{
    gyre_image image = {WIDE, TALL, other};

    show(frame, look, seen);
    if (rig_offline(device, frame, look, &image) != GYRE_OK)
        fail_msg("%s", gyre_message());
    for (int y = 0; frame_lines != NULL && y < TALL; y++) {
        for (int x = 0; x < WIDE; x++) {
            // The box's edges, which the offline renderer does not draw.
            int dx = abs(abs(2 * x + 1 - WIDE) - frame_lines[0]);
            int dy = abs(abs(2 * y + 1 - TALL) - frame_lines[1]);

            if (dx <= 8 || dy <= 8)
                memcpy(seen + 3 * (y * WIDE + x), pixel(other, x, y), 3);
        }
    }
    rig_distance d = rig_compare(seen, other, sizeof seen);

    print_message("%s: mean %.3f of %.3f, 99 of 100 within %d of %d\n", what, d.mean, mean,
                  d.most_of, most_of);
    assert_true(d.mean <= mean);
    assert_true(d.most_of <= most_of);
}

// The slice fills the picture seen from far away, straight on.
static inline void face_slice(view_look *look, const gyre_grid *grid, int axis, int lines[2])
{
    int u = axis == 0 ? 2 : 0, v = axis == 1 ? 2 : 1;
    float wide = (float)grid->n[u] / (float)WIDE, tall = (float)grid->n[v] / (float)TALL;
    float high = (wide > tall ? wide : tall) * (float)TALL * grid->h,
          sign = axis == 2 ? 1.0f : -1.0f;

    look->mode = VIEW_MAP;
    look->settings.slice_axis = axis;
    look->settings.slice_position = 0.55f;
    look->camera.field_of_view = 1.0f;
    memset(look->camera.up, 0, sizeof look->camera.up);
    look->camera.up[v] = 1.0f;
    for (int i = 0; i < 3; i++) {
        float at = i == axis ? 0.55f : 0.5f;

        look->camera.target[i] = grid->origin[i] + at * grid->h * (float)grid->n[i];
        look->camera.position[i] = look->camera.target[i];
    }
    float cells = wide > tall ? wide : tall; // per pixel

    lines[0] = (int)((float)grid->n[u] / cells);
    lines[1] = (int)((float)grid->n[v] / cells);
    look->camera.position[axis] += sign * 0.5f * high / tanf(0.00872664626f);
}

#endif
