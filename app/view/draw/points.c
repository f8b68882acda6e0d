// view/draw/points.c: particles of a frame as balls over the picture, by the rules of
// src/render/points.c, but that the nearest is found by a depth buffer where the target has one.
#include "view/draw/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void view_take_points(view_draw *draw, const view_frame *frame)
{
    view_dots *dots = &draw->dots;
    const view_points *from = &frame->points;

    dots->count = from->count;
    dots->coloured = from->coloured;
    dots->soft = from->soft;
    dots->turned = from->numbers == VIEW_LEAF_NUMBERS;
    if (from->count == 0)
        return;
    if (dots->buffer == 0) {
        glGenBuffers(1, &dots->buffer);
        glGenVertexArrays(1, &dots->vertices);
    }
    if (dots->numbers != from->numbers) {
        static const GLint first[4] = {0, 3, 5, 9};

        dots->numbers = from->numbers;
        glBindVertexArray(dots->vertices);
        glBindBuffer(GL_ARRAY_BUFFER, dots->buffer);
        for (GLuint i = 0; i < (dots->turned ? 3 : 2); i++) {
            glVertexAttribPointer(i, first[i + 1] - first[i], GL_FLOAT, GL_FALSE,
                                  from->numbers * (GLint)sizeof(float),
                                  (const void *)((size_t)first[i] * sizeof(float)));
            glEnableVertexAttribArray(i);
            glVertexAttribDivisor(i, 1);
        }
        if (!dots->turned)
            glDisableVertexAttribArray(2);
        glBindVertexArray(0);
    }
    size_t size = (size_t)from->count * (size_t)from->numbers * sizeof(float);

    glBindBuffer(GL_ARRAY_BUFFER, dots->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, from->at, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void view_points_free(view_draw *draw)
{
    glDeleteBuffers(1, &draw->dots.buffer);
    glDeleteVertexArrays(1, &draw->dots.vertices);
    draw->dots = (view_dots){0};
}

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void scaled(const float v[3], float by, float to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = v[i] * by;
}

// Where it is seen from, and what lights it.
static void set_space(const view_draw *draw, const view_look *look, bool surface)
{
    view_eye eye = view_eye_make(look, &draw->full, draw->rect[2], draw->rect[3]);
    const gyre_light initial = gyre_default_light();
    const float *way = look->light.direction;
    bool turned =
        surface && memcmp(way, initial.direction, sizeof initial.direction) == 0; // y is z there
    float light[3] = {way[0], turned ? -way[2] : way[1], turned ? way[1] : way[2]}, v[3];
    float wide = length_of(eye.right), square = wide * wide, reach = 0.0f;

    for (int a = 0; a < 3; a++)
        reach = fmaxf(reach, (float)draw->full.n[a] * draw->full.h);
    view_set(draw, "eye", 3, eye.at);
    view_set(draw, "forward", 3, eye.forward);
    scaled(eye.right, 1.0f / square, v);
    view_set(draw, "right_per", 3, v);
    scaled(eye.up, 1.0f / square, v);
    view_set(draw, "up_per", 3, v);
    scaled(eye.right, 1.0f / wide, v);
    view_set(draw, "across", 3, v);
    scaled(eye.up, 1.0f / wide, v);
    view_set(draw, "above", 3, v);
    scaled(eye.forward, -1.0f / length_of(eye.forward), v);
    view_set(draw, "towards", 3, v);
    scaled(light, 1.0f / fmaxf(length_of(light), 1e-6f), v);
    view_set(draw, "to_light", 3, v);
    view_set(draw, "up", 3, surface ? (float[3]){0, 0, 1} : (float[3]){0, 1, 0});
    view_set1f(draw, "wide", wide);
    view_set1f(draw, "reach", reach);
    view_set_colours(draw, look);
}

static void set_grid(const view_draw *draw)
{
    const gyre_grid *g = &draw->grid;

    view_set(draw, "origin", 3, g->origin);
    view_set(draw, "n", 3, (float[3]){(float)g->n[0], (float)g->n[1], (float)g->n[2]});
    view_set1f(draw, "h", g->h);
}

static void set_plane(const view_draw *draw, const view_look *look)
{
    float shift[2],
        cells = view_plane_scale(look, &draw->full, draw->rect[2], draw->rect[3], shift);

    view_set(draw, "corner", 2, draw->full.origin);
    view_set(draw, "shift", 2, shift);
    view_set1f(draw, "cell", draw->full.h);
    view_set1f(draw, "cells", cells);
}

// The depths of this rectangle alone, none yet.
static void clear_depths(const view_draw *draw)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor(draw->rect[0], draw->rect[1], draw->rect[2], draw->rect[3]);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
}

void view_paint_points(view_draw *draw, const view_look *look)
{
    const gyre_view_settings *s = &look->settings;
    const view_dots *dots = &draw->dots;
    const view_moment *now = &draw->moments[draw->later];
    bool surface = view_look_is_surface(look) && draw->surface >= 0,
         space = draw->grid.dim == 3 || surface;
    bool relief = surface && now->heights != 0 && draw->water_unit > 0.0f;
    bool hides = draw->grid.dim == 3 && look->mode == VIEW_VOLUME && draw->smoke >= 0 &&
                 !draw->shines && now->has[draw->smoke];

    if (dots->count == 0 || !s->points)
        return;
    GLuint smoke = hides ? view_field_texture(draw, draw->later, draw->smoke, VIEW_AS_IS) : 0;
    bool stands = hides && draw->solid >= 0 && now->has[draw->solid];
    GLuint solid = stands ? view_field_texture(draw, draw->later, draw->solid, VIEW_AS_IS) : smoke;
    GLuint table = view_table_texture(draw, (gyre_colour_map)s->point_map);

    // Bodies over a surface hide what their picture has nearer to the eye.
    const view_surface *water = relief && look->solids ? draw->water : NULL;
    bool bodies = water != NULL && water->body_corners > 0;

    const char *kind = hides ? "SPACE HIDES " : relief ? "SPACE RELIEF " : space ? "SPACE " : "";
    char defines[48];

    snprintf(defines, sizeof defines, "%s%s%s", kind, dots->turned ? "TURNED " : "",
             bodies ? "BODIES " : "");
    if (!view_use(draw, "points", defines))
        return;
    view_set_rect(draw, (float)draw->rect[0], (float)draw->rect[1], (float)draw->rect[2],
                  (float)draw->rect[3]);
    view_bind(draw, "table", GL_TEXTURE_2D, table);
    view_set1i(draw, "coloured", dots->coloured);
    view_set(draw, "plain", 3, s->point_colour);
    view_set1f(draw, "size", s->point_size > 0.0f ? s->point_size : 0.3f * draw->full.h);
    if (space) {
        set_space(draw, look, surface);
        view_set1f(draw, "glow", s->point_glow);
    } else
        set_plane(draw, look);
    if (hides) {
        view_bind(draw, "smoke", GL_TEXTURE_3D, smoke);
        view_bind(draw, "solid", GL_TEXTURE_3D, solid);
        view_set1i(draw, "has_solid", stands);
        view_set1f(draw, "extinction", s->density_scale * draw->grid.h);
    }
    if (relief) {
        view_bind(draw, "heights", GL_TEXTURE_2D, now->heights);
        view_set1f(draw, "unit", draw->water_unit);
    }
    if (bodies)
        view_bind(draw, "bodies", GL_TEXTURE_2D, water->bodies.texture);
    if (hides || relief)
        set_grid(draw);
    view_set1i(draw, "laced",
               surface && look->mode == VIEW_SURFACE && draw->foam >= 0 && s->foam > 0.0f &&
                   now->has[draw->foam]);
    clear_depths(draw);
    // Colours come multiplied by their alpha.
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(dots->vertices);
    // What is soft hides nothing behind it: after all others.
    for (int soft = 0; soft < (dots->soft ? 2 : 1); soft++) {
        view_set1i(draw, "soft_ones", soft);
        glDepthMask(soft == 0 ? GL_TRUE : GL_FALSE);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, dots->count);
    }
    glDepthMask(GL_TRUE);
    glBindVertexArray(draw->vertices);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
}
