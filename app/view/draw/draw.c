// view/draw/draw.c: what is drawn, in which order, and the state that OpenGL is left in.
#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

view_draw *view_draw_create(void)
{
    if (!view_gl_check())
        return NULL;
    view_draw *draw = calloc(1, sizeof *draw);

    if (draw == NULL) {
        gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw with");
        return NULL;
    }
    static const char *const on_processors[] = {"llvmpipe", "softpipe", "swrast",
                                                "SWR",      "Software", "SwiftShader"};
    const char *renderer = (const char *)glGetString(GL_RENDERER);

    for (size_t i = 0; renderer != NULL && i < sizeof on_processors / sizeof *on_processors; i++)
        draw->software = draw->software || strstr(renderer, on_processors[i]) != NULL;
    GLint most = 0;

    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    draw->most[0] = most;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &most);
    draw->most[1] = most - 2; // cells have a margin where light is concerned
    draw->every = 1;
    draw->density = draw->temperature = draw->solid = draw->smoke = draw->flame = -1;
    draw->surface = draw->bed = draw->foam = draw->wet = draw->speed = -1;
    glGenVertexArrays(1, &draw->vertices);
    glBindVertexArray(draw->vertices);
    // The least of the programs: others are made when they are wanted.
    bool compiled = view_use(draw, "edges", "");

    glUseProgram(0);
    glBindVertexArray(0);
    if (!compiled) {
        view_draw_destroy(draw);
        gyre_fail(GYRE_ERROR_STATE, "the shaders do not compile on %s",
                  renderer != NULL ? renderer : "this renderer");
        return NULL;
    }
    return draw;
}

void view_draw_destroy(view_draw *draw)
{
    if (draw == NULL)
        return;
    view_forget(draw);
    view_surface_free(draw);
    view_points_free(draw);
    free(draw->overhang.corners);
    view_own_light_free(draw);
    view_delete_programs(draw);
    view_delete_texture(&draw->table);
    view_delete_texture(&draw->noise);
    view_delete_texture(&draw->glow);
    view_target_free(&draw->inner);
    view_target_free(&draw->streaks);
    glDeleteVertexArrays(1, &draw->vertices);
    free(draw);
}

void view_set_rect(const view_draw *draw, float x, float y, float width, float height)
{
    view_set(draw, "rect", 4, (float[4]){x, y, width, height});
}

void view_use_target(const view_draw *draw)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw->target);
    glViewport(draw->rect[0], draw->rect[1], draw->rect[2], draw->rect[3]);
}

void view_set_colours(const view_draw *draw, const view_look *look)
{
    const gyre_view_settings *s = &look->settings;
    const gyre_light *light = &look->light;
    float lamp[3], ambient[3], sun[3], sky[3];

    for (int c = 0; c < 3; c++) {
        lamp[c] = light->colour[c] * light->intensity;
        ambient[c] = light->ambient_colour[c] * light->ambient;
        sun[c] = s->albedo[c] * lamp[c];
        sky[c] = s->albedo[c] * ambient[c];
    }
    view_set(draw, "top", 3, s->background_top);
    view_set(draw, "bottom", 3, s->background_bottom);
    view_set1f(draw, "exposure", s->exposure);
    view_set(draw, "lamp", 3, lamp);
    view_set(draw, "ambient", 3, ambient);
    view_set(draw, "sun", 3, sun);
    view_set(draw, "sky", 3, sky);
    view_set1i(draw, "transparent", look->transparent && !draw->on_paper);
    view_set1i(draw, "on_paper", draw->on_paper);
}

void view_set_camera(const view_draw *draw, const view_look *look, const int axes[3], float corner)
{
    view_eye eye = view_eye_make(look, &draw->full, draw->rect[2], draw->rect[3]);
    float at[3], forward[3], right[3], up[3], right_per[3], up_per[3], square = 0.0f;

    for (int i = 0; i < 3; i++)
        square += eye.up[i] * eye.up[i]; // of `right` too
    for (int i = 0; i < 3; i++) {
        int axis = axes[i];

        at[i] = (eye.at[axis] - draw->grid.origin[axis]) / draw->grid.h + corner;
        forward[i] = eye.forward[axis];
        right[i] = eye.right[axis];
        up[i] = eye.up[axis];
        right_per[i] = right[i] / square;
        up_per[i] = up[i] / square;
    }
    view_set(draw, "eye", 3, at);
    view_set(draw, "forward", 3, forward);
    view_set(draw, "right", 3, right);
    view_set(draw, "up", 3, up);
    view_set(draw, "right_per", 3, right_per);
    view_set(draw, "up_per", 3, up_per);
}

bool view_begin_inner(view_draw *draw, const view_look *look)
{
    int width = look->inner_width, height = look->inner_height;
    int most = draw->most[0] < 8192 ? draw->most[0] : 8192;

    width = width < most ? width : most;
    height = height < most ? height : most;
    bool whole = width < 1 || height < 1 || (width == draw->rect[2] && height == draw->rect[3]);

    // How much of the paper passes is known when all colours have been drawn.
    if (whole && draw->on_paper) {
        whole = false;
        width = draw->rect[2];
        height = draw->rect[3];
    }

    if (whole) {
        view_use_target(draw);
        view_set_rect(draw, (float)draw->rect[0], (float)draw->rect[1], (float)draw->rect[2],
                      (float)draw->rect[3]);
    } else {
        // More than 8 bits: dark gradients are dithered only after they were enlarged.
        view_target_make(&draw->inner, GL_RGBA16, width, height);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw->inner.framebuffer);
        glViewport(0, 0, width, height);
        view_set_rect(draw, 0.0f, 0.0f, (float)width, (float)height);
    }
    view_set1i(draw, "fit_for_screen", whole);
    return whole;
}

void view_end_inner(view_draw *draw, const view_look *look, bool surfaces)
{
    const char *clear = draw->on_paper ? "PAPER" : "CLEAR";

    view_use_target(draw);
    if (!view_use(draw, "enlarge", look->transparent ? clear : surfaces ? "SURFACES" : ""))
        return;
    view_set(draw, "paper", 3, draw->page);
    view_set_rect(draw, (float)draw->rect[0], (float)draw->rect[1], (float)draw->rect[2],
                  (float)draw->rect[3]);
    view_bind(draw, "inner", GL_TEXTURE_2D, draw->inner.texture);
    view_fill();
}

void view_paint_empty(view_draw *draw, const view_look *look)
{
    if (!view_use(draw, "map", ""))
        return;
    view_set_rect(draw, (float)draw->rect[0], (float)draw->rect[1], (float)draw->rect[2],
                  (float)draw->rect[3]);
    view_set_colours(draw, look);
    view_set(draw, "size", 2, (float[2]){0.0f, 0.0f});
    view_set1i(draw, "samples", 1);
    view_fill();
}

static void paint_fluid(view_draw *draw, const view_look *look)
{
    bool space = draw->grid.dim == 3;

    if (view_look_is_surface(look) && view_paint_surface(draw, look))
        return;
    if (space && look->mode == VIEW_VOLUME) {
        view_paint_volume(draw, look);
    } else if (space && look->mode == VIEW_STACK) {
        view_paint_stack(draw, look);
        view_paint_box(draw, look);
    } else {
        view_paint_map(draw, look);
        if (space)
            view_paint_box(draw, look);
    }
    if (look->arrows)
        view_paint_arrows(draw, look);
}

static void paint(view_draw *draw, const view_look *look)
{
    if (!draw->moments[draw->later].filled) {
        view_paint_empty(draw, look);
        return;
    }
    paint_fluid(draw, look);
    view_paint_points(draw, look);
}

void view_draw_paint(view_draw *draw, const view_look *look, int x, int y, int width, int height)
{
    static const GLenum off[] = {GL_BLEND,        GL_DEPTH_TEST,   GL_CULL_FACE,
                                 GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_FRAMEBUFFER_SRGB};
    enum { ALL = sizeof off / sizeof *off };
    const int switches = view_gl_is_es() ? ALL - 1 : ALL; // the last is no switch in ES
    GLboolean was[ALL];
    GLint viewport[4], scissor[4], vertices = 0, program = 0;

    if (width < 1 || height < 1)
        return;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw->target);
    glGetIntegerv(GL_VIEWPORT, viewport);
    glGetIntegerv(GL_SCISSOR_BOX, scissor);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertices);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    for (int i = 0; i < switches; i++) {
        was[i] = glIsEnabled(off[i]);
        glDisable(off[i]);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindVertexArray(draw->vertices);
    memcpy(draw->rect, (int[4]){x, y, width, height}, sizeof draw->rect);
    draw->on_paper = false;
    view_use_target(draw);
    paint(draw, look);
    view_use_target(draw);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    glScissor(scissor[0], scissor[1], scissor[2], scissor[3]);
    glBindVertexArray((GLuint)vertices);
    glUseProgram((GLuint)program);
    glActiveTexture(GL_TEXTURE0);
    for (int i = 0; i < switches; i++) {
        if (was[i])
            glEnable(off[i]);
    }
}

void view_draw_read(int x, int y, int width, int height, uint8_t *rgb)
{
    size_t row = 3 * (size_t)width;

    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    if (view_gl_is_es()) {
        // Four numbers a pixel are all that ES gives back.
        uint8_t *four = malloc(4 * (size_t)width);

        for (int j = 0; j < height && four != NULL; j++) {
            glReadPixels(x, y + j, width, 1, GL_RGBA, GL_UNSIGNED_BYTE, four);
            for (size_t i = 0; i < (size_t)width; i++)
                memcpy(rgb + row * (size_t)j + 3 * i, four + 4 * i, 3);
        }
        free(four);
    } else {
        glReadPixels(x, y, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (int j = 0; j < height / 2; j++) {
        uint8_t *low = rgb + row * (size_t)j, *high = rgb + row * (size_t)(height - 1 - j);

        for (size_t i = 0; i < row; i++) {
            uint8_t swap = low[i];

            low[i] = high[i];
            high[i] = swap;
        }
    }
}
