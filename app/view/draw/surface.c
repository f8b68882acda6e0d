// view/draw/surface.c: water over its bed as meshes, lit by the formulas of the offline renderer
// (src/render/surface.c), and as bars.
//
// Heights of two moments are mixed into a texture of corners, up to eight to a cell. Bodies and
// ground are drawn into depth maps as the sun sees them, bodies once more into a picture that
// water looks up what it bends and mirrors, then everything into four samples a pixel. Water and
// ground are squares of quads that are as large as some pixels (levels.c); each pixel finds its
// place on the corners itself. An eye under water sees the surface from inside.
#include "view/draw/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the ground as the sun sees it.
enum { MESH_MOST = 512, MESH_SOFTWARE = 144 };

// Pixels a quad. A processor that draws takes longer for a triangle than for the pixels of it.
#define QUAD_PIXELS 1.5f
#define QUAD_SOFTWARE 3.0f
// Of neighbours, from which on pixels of an enlarged picture are drawn as they are.
#define CONTRAST 0.24f

void view_surface_free(view_draw *draw)
{
    view_surface *s = draw->water;

    if (s == NULL)
        return;
    view_target_free(&s->heights);
    view_target_free(&s->bodies);
    view_target_free(&s->edges);
    glDeleteRenderbuffers(1, &s->edges_depth);
    view_squares_free(&s->squares);
    glDeleteBuffers(1, &s->bed.index);
    view_delete_texture(&s->caustics);
    view_caustics_free(s->light);
    glDeleteBuffers(1, &s->body_buffer);
    glDeleteVertexArrays(1, &s->body_array);
    glDeleteBuffers(1, &s->hang_buffer);
    glDeleteVertexArrays(1, &s->hang_array);
    glDeleteTextures(SHADOWS, s->shadow);
    glDeleteFramebuffers(1, &s->shadow_buffer);
    glDeleteFramebuffers(1, &s->samples);
    glDeleteRenderbuffers(1, &s->samples_colour);
    glDeleteRenderbuffers(1, &s->samples_depth);
    glDeleteRenderbuffers(1, &s->bodies_depth);
    view_delete_texture(&s->bars);
    view_delete_texture(&s->flow[0]);
    view_delete_texture(&s->flow[1]);
    free(s->flow_room);
    free(s->mixed);
    free(s);
    draw->water = NULL;
}

void view_set_whole(const view_draw *draw, const char *name, int a, int b)
{
    glUniform2i(glGetUniformLocation(draw->program, name), a, b);
}

// ---- what meshes are drawn with

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(float a[3])
{
    float length = sqrtf(dot(a, a));

    for (int i = 0; i < 3; i++)
        a[i] = length > 1e-18f ? a[i] / length : i == 2 ? 1.0f : 0.0f;
}

static void cross(const float a[3], const float b[3], float c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// A row of a matrix whose columns lie one after the other: dot(along, at - from) * by + more.
static void set_row(float m[16], int row, const float along[3], const float from[3], float by,
                    float more)
{
    for (int i = 0; i < 3; i++)
        m[4 * i + row] = along[i] * by;
    m[12 + row] = more - dot(along, from) * by;
}

// The height of a field between cells under the eye, in units; of two moments the later counts.
static float height_below(const view_draw *draw, const surface_scene *scene, int field)
{
    const view_surface *s = scene->s;
    const float *cells = draw->moments[scene->later].data[field];
    float at[2], value[2];
    int low[2], next[2];

    for (int a = 0; a < 2; a++) {
        int most = draw->grid.n[a] - 1;

        at[a] = fmaxf(scene->eye[a] / (float)s->fine - 0.5f, 0.0f);
        low[a] = at[a] < (float)most ? (int)at[a] : most;
        next[a] = low[a] < most ? low[a] + 1 : most;
        at[a] = fminf(at[a] - (float)low[a], 1.0f);
    }
    for (int b = 0; b < 2; b++) {
        const float *row = cells + (ptrdiff_t)(b == 0 ? low[1] : next[1]) * draw->grid.n[0];

        value[b] = row[low[0]] + (row[next[0]] - row[low[0]]) * at[0];
    }
    return (value[0] + (value[1] - value[0]) * at[1]) / s->unit;
}

// Whether the eye is in the water.
static bool is_below(const view_draw *draw, const surface_scene *scene)
{
    const view_surface *s = scene->s;

    for (int a = 0; a < 2; a++) {
        if (scene->eye[a] <= 0.0f || scene->eye[a] >= (float)s->n[a])
            return false;
    }
    return scene->eye[2] < height_below(draw, scene, draw->surface) &&
           scene->eye[2] > height_below(draw, scene, draw->bed);
}

static void aim(const view_draw *draw, surface_scene *scene)
{
    view_surface *s = scene->s;
    view_eye eye = view_eye_make(scene->look, &draw->grid, draw->rect[2], draw->rect[3]);
    const gyre_light initial = gyre_default_light();
    const float *given = scene->look->light.direction;
    bool plain = memcmp(given, initial.direction, sizeof initial.direction) == 0;
    float centre[3] = {0.5f * (float)s->n[0], 0.5f * (float)s->n[1], 0.5f * (s->base + s->high)};
    float square = dot(eye.up, eye.up), aspect = (float)draw->rect[3] / (float)draw->rect[2];
    float away = 0.0f, high = fmaxf(s->high - s->base, 0.2f * s->longest);
    static const float none[3] = {0.0f, 0.0f, 0.0f};

    for (int i = 0; i < 3; i++)
        scene->eye[i] = (eye.at[i] - (i < 2 ? s->corner[i] : 0.0f)) / s->unit;
    for (int i = 0; i < 3; i++)
        away += (scene->eye[i] - centre[i]) * (scene->eye[i] - centre[i]);
    away = sqrtf(away);
    memcpy(scene->size, s->size, sizeof scene->size);
    scene->pixel = sqrtf(square) / (float)scene->size[1];
    s->below = scene->look->mode == VIEW_SURFACE && is_below(draw, scene);
    scene->reach = 0.5f * sqrtf((float)s->n[0] * (float)s->n[0] + (float)s->n[1] * (float)s->n[1] +
                                high * high);
    float wide = 1.5f * scene->reach, far = away + wide;
    float near = fmaxf(away - wide, (s->below ? 0.0005f : 0.005f) * wide);
    float depth = (far + near) / (far - near);

    set_row(scene->project, 0, eye.right, scene->eye, 2.0f * aspect / square, 0.0f);
    set_row(scene->project, 1, eye.up, scene->eye, 2.0f / square, 0.0f);
    set_row(scene->project, 2, eye.forward, scene->eye, depth, -2.0f * far * near / (far - near));
    set_row(scene->project, 3, eye.forward, scene->eye, 1.0f, 0.0f);
    // What was y is z.
    memcpy(scene->light,
           plain ? (const float[3]){given[0], -given[2], given[1]}
                 : (const float[3]){given[0], given[1], given[2]},
           sizeof scene->light);
    unit(scene->light);
    float a[3], b[3], up[3] = {0.0f, 1.0f, 0.0f}, back[3];

    if (fabsf(scene->light[1]) > 0.9f)
        memcpy(up, (float[3]){1.0f, 0.0f, 0.0f}, sizeof up);
    cross(up, scene->light, a);
    unit(a);
    cross(scene->light, a, b);
    for (int i = 0; i < 3; i++)
        back[i] = -scene->light[i];
    set_row(scene->to_light, 0, a, centre, 1.0f / scene->reach, 0.0f);
    set_row(scene->to_light, 1, b, centre, 1.0f / scene->reach, 0.0f);
    set_row(scene->to_light, 2, back, centre, 1.0f / scene->reach, 0.0f);
    set_row(scene->to_light, 3, none, none, 0.0f, 1.0f);
}

// Cuts water and ground into squares, as the eye is near to them.
static void cut_squares(const view_draw *draw, const surface_scene *scene)
{
    view_surface *s = scene->s;
    const float *eye = scene->eye;

    s->high_away = fmaxf(fmaxf(eye[2] - s->high, s->low - eye[2]), 0.0f);
    s->finest =
        view_levels_finest(1.0f / scene->pixel, draw->software ? QUAD_SOFTWARE : QUAD_PIXELS);
    view_levels_of of = {.n = {s->n[0], s->n[1]},
                         .eye = {eye[0], eye[1]},
                         .high_away = s->high_away,
                         .finest = s->finest,
                         .low = s->low,
                         .high = s->high,
                         .project = scene->project};

    view_squares_cut(&s->squares, &of);
    glBindVertexArray(draw->vertices);
}

static void set_light(const view_draw *draw, const surface_scene *scene)
{
    const view_surface *s = scene->s;
    const gyre_view_settings *settings = &scene->look->settings;
    const gyre_light *lamp = &scene->look->light;
    float clear = settings->water_clarity / s->unit, sun[3], ambient[3], absorb[3], deep[3];
    const float *l = scene->light;
    float below[3] = {0.75f * l[0], 0.75f * l[1], 0.0f};

    below[2] = sqrtf(1.0f - dot(below, below));
    clear = clear > 0.0f ? clear : fminf(0.18f * s->longest, 2.5f / s->unit);
    for (int c = 0; c < 3; c++) {
        float lost = -logf(0.002f + 0.9f * settings->water_colour[c]);

        absorb[c] = lost * lost;
        sun[c] = lamp->colour[c] * lamp->intensity;
        ambient[c] = lamp->ambient_colour[c] * lamp->ambient;
        deep[c] =
            settings->water_colour[c] * (sun[c] * 0.55f * fmaxf(l[2], 0.0f) + ambient[c] * 1.5f);
    }
    float green = absorb[1] * clear;

    for (int c = 0; c < 3; c++)
        absorb[c] /= green;
    float colours[18] = {0.0f,  0.0f,  0.0f,  0.75f, 0.70f, 0.60f, 0.55f, 0.07f, 0.05f,
                         0.80f, 0.55f, 0.08f, 0.09f, 0.22f, 0.30f, 0.16f, 0.28f, 0.10f};

    memcpy(colours, settings->solid_colour, sizeof settings->solid_colour);
    view_set_many(draw, "body_colours", 3, 6, colours);
    view_set(draw, "light", 3, l);
    view_set(draw, "below", 3, below);
    view_set(draw, "sun", 3, sun);
    view_set(draw, "ambient", 3, ambient);
    view_set(draw, "absorb", 3, absorb);
    view_set(draw, "deep", 3, deep);
    view_set(draw, "bed_colour", 3, settings->bed_colour);
    view_set(draw, "sky_top", 3, settings->sky_top);
    view_set(draw, "sky_horizon", 3, settings->sky_horizon);
    view_set1f(draw, "clouds", settings->clouds);
    view_set1f(draw, "exposure", settings->exposure);
    view_set1f(draw, "shore", fminf(0.25f * (float)s->fine, 0.15f * clear));
    view_set1i(draw, "shadow", settings->shadow);
    view_set1i(draw, "transparent", scene->look->transparent);
}

static void set_camera(const view_draw *draw, const surface_scene *scene)
{
    view_eye eye = view_eye_make(scene->look, &draw->grid, draw->rect[2], draw->rect[3]);
    float square = dot(eye.up, eye.up), right_per[3], up_per[3];

    for (int i = 0; i < 3; i++) {
        right_per[i] = eye.right[i] / square;
        up_per[i] = eye.up[i] / square;
    }
    view_set(draw, "eye", 3, scene->eye);
    view_set(draw, "forward", 3, eye.forward);
    view_set(draw, "right", 3, eye.right);
    view_set(draw, "up", 3, eye.up);
    view_set(draw, "right_per", 3, right_per);
    view_set(draw, "up_per", 3, up_per);
}

static bool use(view_draw *draw, const surface_scene *scene, const char *name, const char *macros,
                const float project[16])
{
    const view_surface *s = scene->s;
    float turn[2];

    if (!view_use(draw, name, macros))
        return false;
    view_bind(draw, "relief", GL_TEXTURE_2D, s->heights.texture);
    view_bind(draw, "bars", GL_TEXTURE_2D, s->bars);
    view_set_whole(draw, "n", s->n[0], s->n[1]);
    view_set_whole(draw, "steps", s->n[0], s->n[1]);
    view_set_whole(draw, "bar_count", s->bar_count[0], s->bar_count[1]);
    view_set1f(draw, "bar_size", (float)(s->bar_block * s->fine));
    view_set1f(draw, "fine", (float)s->fine);
    view_set1f(draw, "ground", s->base);
    view_set1f(draw, "pixel", scene->pixel);
    view_set1f(draw, "high_away", s->high_away);
    view_levels_turn(s->finest, turn);
    view_set(draw, "turn", 2, turn);
    glUniformMatrix4fv(glGetUniformLocation(draw->program, "project"), 1, GL_FALSE, project);
    return true;
}

// What flows with the water, and what is wet.
static void set_flow(view_draw *draw, const surface_scene *scene)
{
    const view_surface *s = scene->s;
    const gyre_ripples *r = &scene->ripples;
    const float turn = 0.15915494f;
    float turns[GYRE_RIPPLES][3], slope[GYRE_RIPPLES][2];
    float phase[GYRE_TEXTURE_PHASES][GYRE_RIPPLES];

    for (int i = 0; i < GYRE_RIPPLES; i++) {
        float length = hypotf(r->k[i][0], r->k[i][1]);

        for (int a = 0; a < 2; a++) {
            turns[i][a] = r->k[i][a] * turn;
            slope[i][a] = r->slope[i] * r->k[i][a] / length;
        }
        turns[i][2] = length * turn * length * turn;
        for (int p = 0; p < GYRE_TEXTURE_PHASES; p++)
            phase[p][i] = p < r->phases ? r->phase[p][i] * turn : 0.0f;
    }
    view_bind(draw, "flow_first", GL_TEXTURE_2D, s->flow[0]);
    view_bind(draw, "flow_second", GL_TEXTURE_2D, s->flow[1]);
    view_set_many(draw, "ripple_turns", 3, GYRE_RIPPLES, turns[0]);
    view_set_many(draw, "ripple_slope", 2, GYRE_RIPPLES, slope[0]);
    view_set_many(draw, "ripple_phase", 1, GYRE_TEXTURE_PHASES * GYRE_RIPPLES, phase[0]);
    view_set_many(draw, "phase_weight", 1, GYRE_TEXTURE_PHASES, r->weight);
    view_set_many(draw, "phase_place", 2, GYRE_TEXTURE_PHASES, r->place[0]);
    view_set1f(draw, "gust", r->gust);
    view_set1f(draw, "unit", s->unit);
    view_set1f(draw, "half_speed", scene->look->settings.ripple_speed);
}

// The light program of a mesh.
static bool use_lit(view_draw *draw, const surface_scene *scene, const char *macros)
{
    const view_surface *s = scene->s;
    bool bodies = s->body_corners > 0 && scene->look->solids, level = s->bed_high - s->low <= LEVEL;
    bool tiled = scene->look->settings.bed_tiles > 0.0f, foam = scene->foam[0] != 0;
    bool water = strstr(macros, "WATER TILES") != NULL && !s->below;
    int phases = scene->flows ? scene->ripples.phases : 1;
    char all[112], number[16] = "";

    if (water && (scene->flows || scene->rippled))
        snprintf(number, sizeof number, "PHASES_%d ", phases);
    // What a scene has none of costs nothing.
    snprintf(all, sizeof all, "%s %s%s%s%s%s%s%s%s%s%s%s", macros, s->below ? "BELOW " : "",
             level ? "LEVEL " : "", level && tiled ? "TILED " : "", s->dry ? "DRY " : "",
             bodies ? "BODIES " : "", s->caustics != 0 ? "CAUSTICS " : "",
             foam && !s->below ? "FOAM " : "", number, water && scene->flows ? "FLOWS " : "",
             water && scene->rippled ? "RIPPLES " : "", scene->wet ? "WET " : "");
    if (!use(draw, scene, "surface", all, scene->project))
        return false;
    view_set(draw, "body_low", 3, s->body_low);
    view_set(draw, "body_high", 3, s->body_high);
    view_set1f(draw, "tile", scene->look->settings.bed_tiles / s->unit);
    view_set(draw, "corner", 2, (const float[2]){s->corner[0] / s->unit, s->corner[1] / s->unit});
    view_set_rect(draw, 0.0f, 0.0f, (float)scene->size[0], (float)scene->size[1]);
    set_camera(draw, scene);
    set_light(draw, scene);
    view_bind(draw, "shade_ground_map", GL_TEXTURE_2D, s->shadow[SHADOW]);
    view_bind(draw, "shade_body_map", GL_TEXTURE_2D, s->shadow[SHADOW_BODY]);
    view_bind(draw, "bodies", GL_TEXTURE_2D, s->bodies.texture);
    view_bind(draw, "caustics", GL_TEXTURE_2D, s->caustics);
    view_bind(draw, "foam_later", GL_TEXTURE_2D, scene->foam[0]);
    view_bind(draw, "foam_earlier", GL_TEXTURE_2D, scene->foam[1]);
    view_set1f(draw, "foaming", scene->look->settings.foam);
    view_set1f(draw, "foam_blend", scene->blend);
    view_set_whole(draw, "cells", draw->grid.n[0], draw->grid.n[1]);
    if (scene->wet || number[0] != '\0')
        set_flow(draw, scene);
    view_set1f(draw, "longest", s->longest);
    view_set1f(draw, "lowest", s->low);
    view_set1f(draw, "highest", s->high);
    view_set1f(draw, "ground_high", s->bed_high);
    view_set1f(draw, "light_depth", 2.0f * scene->reach);
    glUniformMatrix4fv(glGetUniformLocation(draw->program, "to_light"), 1, GL_FALSE,
                       scene->to_light);
    return true;
}

static void draw_mesh(const view_draw *draw, const view_mesh_index *mesh)
{
    view_set_whole(draw, "steps", mesh->steps[0], mesh->steps[1]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->index);
    glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, NULL);
}

// Those of the four sides that are seen.
static void draw_sides(const surface_scene *scene)
{
    const view_surface *s = scene->s;
    int first = 0;

    for (int a = 0; a < 2; a++) {
        for (int far = 0; far < 2; far++) {
            float at = scene->eye[1 - a], end = far == 1 ? (float)s->n[1 - a] : 0.0f;

            if (s->below || (far == 1 ? at > end : at < end))
                glDrawArrays(GL_TRIANGLES, first, 6 * s->n[a]);
            first += 6 * s->n[a];
        }
    }
}

static void draw_bars(const view_surface *s)
{
    glDrawArraysInstanced(GL_TRIANGLES, 0, 36, s->bar_count[0] * s->bar_count[1]);
}

static void draw_bodies(const view_draw *draw, const view_surface *s)
{
    glBindVertexArray(s->body_array);
    glDrawArrays(GL_TRIANGLES, 0, s->body_corners);
    glBindVertexArray(draw->vertices);
}

// ---- passes

static void make_shadows(const view_draw *draw, view_surface *s)
{
    if (s->shadow_buffer != 0)
        return;
    s->shadow_size = draw->software ? 512 : 2048;
    glGenFramebuffers(1, &s->shadow_buffer);
    glGenTextures(SHADOWS, s->shadow);
    for (int i = 0; i < SHADOWS; i++) {
        glActiveTexture(GL_TEXTURE15);
        glBindTexture(GL_TEXTURE_2D, s->shadow[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, s->shadow_size, s->shadow_size, 0,
                     GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
}

static void cast_shadows(view_draw *draw, const surface_scene *scene)
{
    view_surface *s = scene->s;
    bool bars = scene->look->mode == VIEW_BARS;

    make_shadows(draw, s);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->shadow_buffer);
    glDrawBuffers(1, (const GLenum[1]){GL_NONE});
    glViewport(0, 0, s->shadow_size, s->shadow_size);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 4.0f);
    for (int i = 0; i < SHADOWS; i++) {
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                               s->shadow[i], 0);
        glClear(GL_DEPTH_BUFFER_BIT);
        if (!scene->look->settings.shadow)
            continue;
        if (i == SHADOW && use(draw, scene, "depth", bars ? "BARS" : "", scene->to_light)) {
            if (bars)
                draw_bars(s);
            else if (s->bed_high - s->low > LEVEL) // level ground shades nothing
                draw_mesh(draw, &s->bed);
        }
        if (i == SHADOW_BODY && s->body_corners > 0 && scene->look->solids &&
            use(draw, scene, "depth", "BODY", scene->to_light))
            draw_bodies(draw, s);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void attach_depth(GLuint *buffer, int samples, int width, int height)
{
    if (*buffer == 0)
        glGenRenderbuffers(1, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, *buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, *buffer);
}

static void make_pictures(view_draw *draw, view_surface *s, int width, int height)
{
    GLenum colour = view_gl_format(GL_RGBA16);

    view_target_make(&draw->inner, GL_RGBA16, width, height);
    // A processor shades each sample anew.
    int most = draw->software ? 0 : view_gl_samples(colour, GL_DEPTH_COMPONENT24, 4);

    if (s->samples != 0 && s->size[0] == width && s->size[1] == height && s->each == most)
        return;
    s->size[0] = width;
    s->size[1] = height;
    s->each = most;
    view_target_make(&s->bodies, GL_RGBA32F, width, height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->bodies.framebuffer);
    attach_depth(&s->bodies_depth, 0, width, height);
    if (s->samples == 0) {
        glGenFramebuffers(1, &s->samples);
        glGenRenderbuffers(1, &s->samples_colour);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->samples);
    glBindRenderbuffer(GL_RENDERBUFFER, s->samples_colour);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, most, colour, width, height);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              s->samples_colour);
    attach_depth(&s->samples_depth, most, width, height);
}

// All that is seen, into what is bound; the sky last, where nothing else is.
static void paint_things(view_draw *draw, const surface_scene *scene)
{
    const view_surface *s = scene->s;
    bool smooth = scene->look->mode == VIEW_SURFACE;

    glClear(GL_DEPTH_BUFFER_BIT);
    if (s->body_corners > 0 && scene->look->solids && use_lit(draw, scene, "BODY"))
        draw_bodies(draw, s);
    if (!smooth && use_lit(draw, scene, "BARS"))
        draw_bars(s);
    // From under water sides are water from the bed up, and no more.
    if (smooth && !s->below && use_lit(draw, scene, "CUT"))
        draw_sides(scene);
    if (smooth && use_lit(draw, scene, "WATER CUT"))
        draw_sides(scene);
    if (smooth && use_lit(draw, scene, "WATER TILES"))
        view_squares_draw(&s->squares);
    if (s->below && use_lit(draw, scene, "TILES"))
        view_squares_draw(&s->squares);
    // From under water what hangs over it is not seen.
    if (smooth && !s->below && s->hang_corners > 0 && use_lit(draw, scene, "WATER BODY OVERHANG")) {
        view_set1f(draw, "thick", draw->overhang.thick / s->unit);
        glBindVertexArray(s->hang_array);
        glDrawArrays(GL_TRIANGLES, 0, s->hang_corners);
    }
    glBindVertexArray(draw->vertices);
    glDepthFunc(GL_LEQUAL);
    if (use_lit(draw, scene, "SKY"))
        view_fill();
    glDepthFunc(GL_LESS);
}

static void paint_scene(view_draw *draw, const surface_scene *scene)
{
    view_surface *s = scene->s;

    glViewport(0, 0, s->size[0], s->size[1]);
    if (s->body_corners > 0 && scene->look->solids) {
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->bodies.framebuffer);
        glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (use_lit(draw, scene, "BODY ALONE"))
            draw_bodies(draw, s);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->samples);
    paint_things(draw, scene);
}

static bool make_edges(const view_draw *draw, view_surface *s)
{
    int width = draw->rect[2], height = draw->rect[3];

    if (s->edges.width == width && s->edges.height == height)
        return true;
    view_target_make(&s->edges, GL_RGBA8, width, height);
    if (s->edges_depth == 0)
        glGenRenderbuffers(1, &s->edges_depth);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->edges.framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, s->edges_depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              s->edges_depth);
    return glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// Pixels at edges of the inner picture once more, as large as they are shown.
static bool paint_edges(view_draw *draw, const surface_scene *inner)
{
    surface_scene scene = *inner;
    view_surface *s = scene.s;

    if (!make_edges(draw, s) || !view_use(draw, "edges", ""))
        return false;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->edges.framebuffer);
    glViewport(0, 0, s->edges.width, s->edges.height);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glDisable(GL_DEPTH_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    view_set_rect(draw, 0.0f, 0.0f, (float)s->edges.width, (float)s->edges.height);
    view_bind(draw, "inner", GL_TEXTURE_2D, draw->inner.texture);
    view_set1f(draw, "contrast", CONTRAST);
    view_fill();
    glStencilFunc(GL_EQUAL, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glEnable(GL_DEPTH_TEST);
    scene.size[0] = s->edges.width;
    scene.size[1] = s->edges.height;
    scene.pixel = inner->pixel * (float)inner->size[1] / (float)scene.size[1];
    paint_things(draw, &scene);
    glDisable(GL_STENCIL_TEST);
    return true;
}

// Brings the inner picture onto the target.
static void enlarge(view_draw *draw, const surface_scene *scene)
{
    const view_surface *s = scene->s;
    bool smaller = s->size[0] < draw->rect[2] && s->size[1] < draw->rect[3];
    // Alpha says what things are, or how much of them there is.
    bool clear = scene->look->transparent;
    bool edges = smaller && !clear && scene->look->mode == VIEW_SURFACE && paint_edges(draw, scene);

    glDisable(GL_DEPTH_TEST);
    view_use_target(draw);
    if (!view_use(draw, "enlarge", clear ? "CLEAR" : edges ? "EDGES" : ""))
        return;
    view_set_rect(draw, (float)draw->rect[0], (float)draw->rect[1], (float)draw->rect[2],
                  (float)draw->rect[3]);
    view_bind(draw, "inner", GL_TEXTURE_2D, draw->inner.texture);
    view_bind(draw, "whole", GL_TEXTURE_2D, s->edges.texture);
    view_fill();
}

bool view_paint_surface(view_draw *draw, const view_look *look)
{
    float blend = look->blend;
    int pair[2], other[2];
    GLint reads = 0;

    if (!view_pair(draw, draw->surface, &blend, pair) ||
        draw->moments[pair[0]].data[draw->bed] == NULL ||
        draw->moments[pair[1]].data[draw->bed] == NULL)
        return false;
    if (draw->water == NULL)
        draw->water = calloc(1, sizeof *draw->water);
    view_surface *s = draw->water;

    if (s == NULL)
        return false;
    memcpy(other, s->n, sizeof other);
    view_surface_lay_out(draw, s);
    if (memcmp(other, s->n, sizeof other) != 0)
        view_delete_texture(&s->bars);
    view_surface_measure(draw, s, pair);
    if (look->mode == VIEW_BARS && !view_surface_raise_bars(draw, s, pair, blend))
        return false;
    if (!view_surface_refine(draw, s, pair, blend))
        return false;
    surface_scene scene = {.s = s, .look = look, .blend = blend, .later = pair[0]};
    int width = look->inner_width, height = look->inner_height;
    bool whole = width < 1 || height < 1 || width > draw->most[0] || height > draw->most[0];

    int most = draw->software ? MESH_SOFTWARE : MESH_MOST;

    view_surface_index(s, s->bed_high - s->low > LEVEL ? most : 1, &s->bed);
    view_surface_load_bodies(draw, s, pair, blend);
    view_surface_load_overhang(draw, s);
    make_pictures(draw, s, whole ? draw->rect[2] : width, whole ? draw->rect[3] : height);
    view_surface_take_foam(draw, &scene, pair);
    view_surface_take_flow(draw, &scene, pair);
    aim(draw, &scene);
    cut_squares(draw, &scene);
    view_surface_gather(draw, &scene, pair, blend);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    view_gl_clear_depth();
    cast_shadows(draw, &scene);
    paint_scene(draw, &scene);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &reads);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->samples);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw->inner.framebuffer);
    glBlitFramebuffer(0, 0, s->size[0], s->size[1], 0, 0, s->size[0], s->size[1],
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)reads);
    enlarge(draw, &scene);
    return true;
}
