// view/draw/surface.c: water over its bed as meshes, lit by the formulas of the offline renderer
// (src/render/surface.c), and as bars.
//
// Heights of two moments are mixed into a texture of corners, up to eight to a cell. Bodies and
// ground are drawn into depth maps as the sun sees them, bodies once more into a picture that
// water looks up what it bends and mirrors, then everything into four samples a pixel.
#include "view/draw/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADOW, SHADOW_BODY, SHADOWS };
// A processor that draws takes longer for a triangle than for the pixels of it.
enum { BARS_MOST = 96, MESH_MOST = 512, MESH_SOFTWARE = 144 };

#define LEVEL 1e-4f // units: a bed of less relief is flat

/// Quads of a mesh of corners.
typedef struct view_mesh_index {
    GLuint index;
    int steps[2], count;
} view_mesh_index;

struct view_surface {
    int fine, n[2];                                  // corners less one
    float unit, corner[2], longest, low, high, base; // low to high in units
    float bed_high;
    view_target heights;
    view_mesh_index top, bed; // a level bed is few quads
    view_caustics *light;
    GLuint caustics; // its texture; 0: there is none
    int caustic_size[2];
    GLuint body_array, body_buffer;
    int body_corners;
    float body_low[3], body_high[3]; // a box round all bodies, units
    float *mixed;
    size_t mixed_room;
    GLuint shadow[SHADOWS], shadow_buffer;
    int shadow_size;
    view_target bodies;
    GLuint bodies_depth;
    GLuint samples, samples_colour, samples_depth;
    int size[2];
    GLuint bars;
    int bar_count[2], bar_block;
};

void view_surface_free(view_draw *draw)
{
    view_surface *s = draw->water;

    if (s == NULL)
        return;
    view_target_free(&s->heights);
    view_target_free(&s->bodies);
    glDeleteBuffers(1, &s->top.index);
    glDeleteBuffers(1, &s->bed.index);
    view_delete_texture(&s->caustics);
    view_caustics_free(s->light);
    glDeleteBuffers(1, &s->body_buffer);
    glDeleteVertexArrays(1, &s->body_array);
    glDeleteTextures(SHADOWS, s->shadow);
    glDeleteFramebuffers(1, &s->shadow_buffer);
    glDeleteFramebuffers(1, &s->samples);
    glDeleteRenderbuffers(1, &s->samples_colour);
    glDeleteRenderbuffers(1, &s->samples_depth);
    glDeleteRenderbuffers(1, &s->bodies_depth);
    view_delete_texture(&s->bars);
    free(s->mixed);
    free(s);
    draw->water = NULL;
}

static void set_whole(const view_draw *draw, const char *name, int a, int b)
{
    glUniform2i(glGetUniformLocation(draw->program, name), a, b);
}

// ---- heights

static void lay_out(const view_draw *draw, view_surface *s)
{
    const gyre_grid *g = &draw->grid;
    int longest = g->n[0] > g->n[1] ? g->n[0] : g->n[1];

    // A processor that draws has no time for corners that are smaller than pixels.
    s->fine = (draw->software ? 384 : 768) / longest;
    s->fine = s->fine < 1 ? 1 : s->fine > 8 ? 8 : s->fine;
    s->unit = g->h / (float)s->fine;
    for (int a = 0; a < 2; a++) {
        s->n[a] = g->n[a] * s->fine;
        s->corner[a] = g->origin[a];
    }
    if (g->n[1] == 1) { // one row of cells is shown as a broader channel
        s->n[1] = s->n[0] / 8 > s->fine ? s->n[0] / 8 : s->fine;
        s->corner[1] += 0.5f * (g->h - (float)s->n[1] * s->unit);
    }
    s->longest = (float)(s->n[0] > s->n[1] ? s->n[0] : s->n[1]);
}

static void measure(const view_draw *draw, view_surface *s, const int pair[2])
{
    size_t count = (size_t)draw->grid.n[0] * (size_t)draw->grid.n[1];
    float low = 3e38f, high = -3e38f, most = -3e38f;

    for (int i = 0; i < 2; i++) {
        const float *bed = draw->moments[pair[i]].data[draw->bed];
        const float *water = draw->moments[pair[i]].data[draw->surface];

        for (size_t c = 0; c < count; c++) {
            low = bed[c] < low ? bed[c] : low;
            high = water[c] > high ? water[c] : high;
            most = bed[c] > most ? bed[c] : most;
        }
    }
    s->low = low / s->unit;
    s->bed_high = most / s->unit;
    s->high = fmaxf(high, most) / s->unit;
    s->base = s->low - 0.04f * s->longest;
}

static bool load_heights(view_draw *draw, const view_surface *s, int of)
{
    view_moment *m = &draw->moments[of];

    if (m->heights_loaded)
        return true;
    float *cells =
        view_relief_cells(&draw->grid, m->data[draw->surface], m->data[draw->bed], s->unit);

    if (cells == NULL)
        return false;
    view_texture(&m->heights, GL_RG32F, draw->grid.n[0], draw->grid.n[1], 0, cells, 2);
    free(cells);
    draw->water_unit = s->unit;
    m->heights_loaded = true;
    return true;
}

static bool refine(view_draw *draw, view_surface *s, const int pair[2], float blend)
{
    if (!load_heights(draw, s, pair[0]) || !load_heights(draw, s, pair[1]) ||
        !view_use(draw, "refine", pair[0] != pair[1] ? "MIX" : ""))
        return false;
    view_target_make(&s->heights, GL_RG32F, s->n[0] + 1, s->n[1] + 1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->heights.framebuffer);
    glViewport(0, 0, s->heights.width, s->heights.height);
    view_bind(draw, "later", GL_TEXTURE_2D, draw->moments[pair[0]].heights);
    view_bind(draw, "earlier", GL_TEXTURE_2D, draw->moments[pair[1]].heights);
    set_whole(draw, "cells", draw->grid.n[0], draw->grid.n[1]);
    view_set1i(draw, "fine", s->fine);
    view_set1f(draw, "blend", blend);
    view_fill();
    return true;
}

static void index_mesh(const view_surface *s, int most, view_mesh_index *mesh)
{
    int steps[2];

    for (int a = 0; a < 2; a++)
        steps[a] = s->n[a] / ((s->n[a] + most - 1) / most);
    if (mesh->index != 0 && memcmp(steps, mesh->steps, sizeof steps) == 0)
        return;
    size_t count = 6 * (size_t)steps[0] * (size_t)steps[1];
    GLuint *to = malloc(count * sizeof *to), *at = to;

    memcpy(mesh->steps, steps, sizeof steps);
    mesh->count = to != NULL ? (int)count : 0;
    for (int j = 0; to != NULL && j < steps[1]; j++) {
        for (int i = 0; i < steps[0]; i++) {
            GLuint a = (GLuint)(i + j * (steps[0] + 1)), b = a + (GLuint)steps[0] + 1;
            const GLuint corners[6] = {a, a + 1, b + 1, a, b + 1, b};

            memcpy(at, corners, sizeof corners);
            at += 6;
        }
    }
    if (mesh->index == 0)
        glGenBuffers(1, &mesh->index);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *to), to, GL_STATIC_DRAW);
    free(to);
}

// ---- bodies

// Bodies between the two moments, in units.
static void load_bodies(const view_draw *draw, view_surface *s, const int pair[2], float blend)
{
    const view_moment *later = &draw->moments[pair[0]], *earlier = &draw->moments[pair[1]];
    size_t count = (size_t)later->body_corners;

    s->body_corners = 0;
    if (count == 0)
        return;
    if (s->mixed_room < count) {
        free(s->mixed);
        s->mixed = malloc(count * 7 * sizeof *s->mixed);
        s->mixed_room = s->mixed != NULL ? count : 0;
    }
    if (s->mixed == NULL)
        return;
    bool both = earlier->body_corners == later->body_corners && blend < 1.0f;

    for (size_t i = 0; i < 7 * count; i++) {
        float now = later->bodies[i];
        size_t part = i % 7;

        now = both && part < 6 ? earlier->bodies[i] + (now - earlier->bodies[i]) * blend : now;
        s->mixed[i] = part < 3 ? (now - (part < 2 ? s->corner[part] : 0.0f)) / s->unit : now;
    }
    s->body_corners = (int)count;
    for (int a = 0; a < 3; a++) {
        s->body_low[a] = s->body_high[a] = s->mixed[a];
        for (size_t i = 1; i < count; i++) {
            s->body_low[a] = fminf(s->body_low[a], s->mixed[7 * i + (size_t)a]);
            s->body_high[a] = fmaxf(s->body_high[a], s->mixed[7 * i + (size_t)a]);
        }
    }
    if (s->body_array == 0) {
        glGenVertexArrays(1, &s->body_array);
        glGenBuffers(1, &s->body_buffer);
    }
    glBindVertexArray(s->body_array);
    glBindBuffer(GL_ARRAY_BUFFER, s->body_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(7 * count * sizeof *s->mixed), s->mixed,
                 GL_STREAM_DRAW);
    for (GLuint a = 0; a < 3; a++) {
        static const int first[3] = {0, 3, 6}, size[3] = {3, 3, 1};

        glEnableVertexAttribArray(a);
        glVertexAttribPointer(a, size[a], GL_FLOAT, GL_FALSE, 7 * sizeof(float),
                              (const void *)((uintptr_t)first[a] * sizeof(float)));
    }
    glBindVertexArray(draw->vertices);
}

// ---- what meshes are drawn with

typedef struct surface_scene {
    view_surface *s;
    const view_look *look;
    float eye[3], project[16], to_light[16], reach; // reach: half of what the sun's maps show
    float light[3];
} surface_scene;

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
    scene->reach = 0.5f * sqrtf((float)s->n[0] * (float)s->n[0] + (float)s->n[1] * (float)s->n[1] +
                                high * high);
    float wide = 1.5f * scene->reach, near = fmaxf(away - wide, 0.005f * wide), far = away + wide;
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

    if (!view_use(draw, name, macros))
        return false;
    view_bind(draw, "relief", GL_TEXTURE_2D, s->heights.texture);
    view_bind(draw, "bars", GL_TEXTURE_2D, s->bars);
    set_whole(draw, "n", s->n[0], s->n[1]);
    set_whole(draw, "steps", s->top.steps[0], s->top.steps[1]);
    set_whole(draw, "bar_count", s->bar_count[0], s->bar_count[1]);
    view_set1f(draw, "bar_size", (float)(s->bar_block * s->fine));
    view_set1f(draw, "fine", (float)s->fine);
    view_set1f(draw, "ground", s->base);
    glUniformMatrix4fv(glGetUniformLocation(draw->program, "project"), 1, GL_FALSE, project);
    return true;
}

// The light program of a mesh.
static bool use_lit(view_draw *draw, const surface_scene *scene, const char *macros)
{
    const view_surface *s = scene->s;
    bool bodies = s->body_corners > 0 && scene->look->solids, level = s->bed_high - s->low <= LEVEL;
    char all[96];

    // What a scene has none of costs nothing.
    snprintf(all, sizeof all, "%s%s%s%s%s", macros, *macros != '\0' ? " " : "",
             level ? "LEVEL " : "", bodies ? "BODIES " : "", s->caustics != 0 ? "CAUSTICS" : "");
    if (!use(draw, scene, "surface", all, scene->project))
        return false;
    view_set(draw, "body_low", 3, s->body_low);
    view_set(draw, "body_high", 3, s->body_high);
    view_set1f(draw, "tile", scene->look->settings.bed_tiles / s->unit);
    view_set(draw, "corner", 2, (const float[2]){s->corner[0] / s->unit, s->corner[1] / s->unit});
    view_set_rect(draw, 0.0f, 0.0f, (float)s->size[0], (float)s->size[1]);
    set_camera(draw, scene);
    set_light(draw, scene);
    view_bind(draw, "shade_ground_map", GL_TEXTURE_2D, s->shadow[SHADOW]);
    view_bind(draw, "shade_body_map", GL_TEXTURE_2D, s->shadow[SHADOW_BODY]);
    view_bind(draw, "bodies", GL_TEXTURE_2D, s->bodies.texture);
    view_bind(draw, "caustics", GL_TEXTURE_2D, s->caustics);
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
    set_whole(draw, "steps", mesh->steps[0], mesh->steps[1]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->index);
    glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, NULL);
}

static void draw_sides(const view_surface *s)
{
    glDrawArrays(GL_TRIANGLES, 0, 12 * (s->top.steps[0] + s->top.steps[1]));
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
    if (s->samples != 0 && s->size[0] == width && s->size[1] == height)
        return;
    s->size[0] = width;
    s->size[1] = height;
    view_target_make(&s->bodies, GL_RGBA32F, width, height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->bodies.framebuffer);
    attach_depth(&s->bodies_depth, 0, width, height);
    if (s->samples == 0) {
        glGenFramebuffers(1, &s->samples);
        glGenRenderbuffers(1, &s->samples_colour);
    }
    // A processor shades each sample anew.
    int most = draw->software ? 0 : view_gl_samples(colour, GL_DEPTH_COMPONENT24, 4);

    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->samples);
    glBindRenderbuffer(GL_RENDERBUFFER, s->samples_colour);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, most, colour, width, height);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              s->samples_colour);
    attach_depth(&s->samples_depth, most, width, height);
}

static void paint_scene(view_draw *draw, const surface_scene *scene)
{
    view_surface *s = scene->s;
    bool bodies = s->body_corners > 0 && scene->look->solids;

    glViewport(0, 0, s->size[0], s->size[1]);
    if (bodies) {
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->bodies.framebuffer);
        glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (use_lit(draw, scene, "BODY ALONE"))
            draw_bodies(draw, s);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->samples);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    if (use_lit(draw, scene, "SKY"))
        view_fill();
    glEnable(GL_DEPTH_TEST);
    if (bodies && use_lit(draw, scene, "BODY"))
        draw_bodies(draw, s);
    if (scene->look->mode == VIEW_BARS) {
        if (use_lit(draw, scene, "BARS"))
            draw_bars(s);
        return;
    }
    if (use_lit(draw, scene, "CUT"))
        draw_sides(s);
    if (use_lit(draw, scene, "WATER CUT"))
        draw_sides(s);
    if (use_lit(draw, scene, "WATER"))
        draw_mesh(draw, &s->top);
    if (use_lit(draw, scene, ""))
        draw_mesh(draw, &s->bed);
}

// The light under waves, where it is asked for.
static void gather_light(const view_draw *draw, const surface_scene *scene, const int pair[2],
                         float blend)
{
    view_surface *s = scene->s;
    const view_moment *later = &draw->moments[pair[0]], *earlier = &draw->moments[pair[1]];
    int own[2] = {draw->surface, draw->bed}, size[2];
    view_relief_light of = {.cells = {draw->grid.n[0], draw->grid.n[1]},
                            .fine = s->fine,
                            .unit = s->unit,
                            .low = s->low,
                            .high = s->high,
                            .level = s->bed_high - s->low <= LEVEL,
                            .blend = blend};
    const float *light = NULL;

    for (int i = 0; i < 2; i++) {
        of.n[i] = s->n[i];
        of.later[i] = later->data[own[i]];
        of.earlier[i] = earlier->data[own[i]];
        of.below[i] = 0.75f * scene->light[i];
    }
    memcpy(of.light, scene->light, sizeof of.light);
    of.below[2] = sqrtf(1.0f - of.below[0] * of.below[0] - of.below[1] * of.below[1]);
    if (scene->look->settings.caustics && scene->look->mode == VIEW_SURFACE &&
        scene->light[2] > 0.0f)
        light = view_caustics_make(&s->light, &of, size);
    if (light == NULL || memcmp(size, s->caustic_size, sizeof size) != 0)
        view_delete_texture(&s->caustics);
    if (light == NULL)
        return;
    memcpy(s->caustic_size, size, sizeof size);
    view_texture(&s->caustics, GL_R32F, size[0], size[1], 0, light, 1);
}

static float mean_of(const view_draw *draw, const int pair[2], int field, float blend,
                     const int low[2], const int high[2])
{
    double sum = 0.0;

    for (int j = low[1]; j < high[1]; j++) {
        for (int i = low[0]; i < high[0]; i++) {
            ptrdiff_t at = i + (ptrdiff_t)j * draw->grid.n[0];
            float now = draw->moments[pair[0]].data[field][at];
            float before = draw->moments[pair[1]].data[field][at];

            sum += (double)(before + (now - before) * blend);
        }
    }
    return (float)(sum / ((double)(high[0] - low[0]) * (double)(high[1] - low[1])));
}

static bool raise_bars(const view_draw *draw, view_surface *s, const int pair[2], float blend)
{
    const int *n = draw->grid.n;
    int longest = n[0] > n[1] ? n[0] : n[1];

    s->bar_block = (longest + BARS_MOST - 1) / BARS_MOST;
    for (int a = 0; a < 2; a++)
        s->bar_count[a] = (n[a] + s->bar_block - 1) / s->bar_block;
    float *bars = malloc(2 * (size_t)s->bar_count[0] * (size_t)s->bar_count[1] * sizeof *bars);

    if (bars == NULL)
        return false;
    for (int j = 0; j < s->bar_count[1]; j++) {
        for (int i = 0; i < s->bar_count[0]; i++) {
            int low[2] = {i * s->bar_block, j * s->bar_block}, high[2];
            float *to = bars + 2 * (i + j * s->bar_count[0]);

            for (int a = 0; a < 2; a++)
                high[a] = low[a] + s->bar_block < n[a] ? low[a] + s->bar_block : n[a];
            to[0] = mean_of(draw, pair, draw->bed, blend, low, high) / s->unit;
            to[1] = mean_of(draw, pair, draw->surface, blend, low, high) / s->unit;
            to[1] = fmaxf(to[0], to[1]);
        }
    }
    view_texture(&s->bars, GL_RG32F, s->bar_count[0], s->bar_count[1], 0, bars, 2);
    free(bars);
    return true;
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
    lay_out(draw, s);
    if (memcmp(other, s->n, sizeof other) != 0)
        view_delete_texture(&s->bars);
    measure(draw, s, pair);
    if (look->mode == VIEW_BARS && !raise_bars(draw, s, pair, blend))
        return false;
    if (!refine(draw, s, pair, blend))
        return false;
    surface_scene scene = {.s = s, .look = look};
    int width = look->inner_width, height = look->inner_height;
    bool whole = width < 1 || height < 1 || width > draw->most[0] || height > draw->most[0];

    int most = draw->software ? MESH_SOFTWARE : MESH_MOST;

    index_mesh(s, most, &s->top);
    index_mesh(s, s->bed_high - s->low > LEVEL ? most : 1, &s->bed);
    load_bodies(draw, s, pair, blend);
    make_pictures(draw, s, whole ? draw->rect[2] : width, whole ? draw->rect[3] : height);
    aim(draw, &scene);
    gather_light(draw, &scene, pair, blend);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    view_gl_clear_depth();
    cast_shadows(draw, &scene);
    paint_scene(draw, &scene);
    glDisable(GL_DEPTH_TEST);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &reads);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->samples);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw->inner.framebuffer);
    glBlitFramebuffer(0, 0, s->size[0], s->size[1], 0, 0, s->size[0], s->size[1],
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)reads);
    view_end_inner(draw, false);
    return true;
}
