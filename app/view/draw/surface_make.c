// view/draw/surface_make.c: what pictures of a surface are made of, between two moments: heights of
// corners by a shader, bodies, white water, the light under waves and bars by the processor.
#include "view/draw/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BARS_MOST = 96 };

// ---- heights

void view_surface_lay_out(const view_draw *draw, view_surface *s)
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

void view_surface_measure(const view_draw *draw, view_surface *s, const int pair[2])
{
    size_t count = (size_t)draw->grid.n[0] * (size_t)draw->grid.n[1];
    float low = 3e38f, high = -3e38f, most = -3e38f, film = 1e-3f * draw->grid.h;

    s->dry = false;
    for (int i = 0; i < 2; i++) {
        const float *bed = draw->moments[pair[i]].data[draw->bed];
        const float *water = draw->moments[pair[i]].data[draw->surface];

        for (size_t c = 0; c < count; c++) {
            low = bed[c] < low ? bed[c] : low;
            high = water[c] > high ? water[c] : high;
            most = bed[c] > most ? bed[c] : most;
            s->dry = s->dry || water[c] - bed[c] <= film;
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

bool view_surface_refine(view_draw *draw, view_surface *s, const int pair[2], float blend)
{
    if (!load_heights(draw, s, pair[0]) || !load_heights(draw, s, pair[1]) ||
        !view_use(draw, "refine", pair[0] != pair[1] ? "MIX" : ""))
        return false;
    view_target_make(&s->heights, GL_RG32F, s->n[0] + 1, s->n[1] + 1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->heights.framebuffer);
    glViewport(0, 0, s->heights.width, s->heights.height);
    view_bind(draw, "later", GL_TEXTURE_2D, draw->moments[pair[0]].heights);
    view_bind(draw, "earlier", GL_TEXTURE_2D, draw->moments[pair[1]].heights);
    view_set_whole(draw, "cells", draw->grid.n[0], draw->grid.n[1]);
    view_set1i(draw, "fine", s->fine);
    view_set1f(draw, "blend", blend);
    view_fill();
    return true;
}

void view_surface_index(const view_surface *s, int most, view_mesh_index *mesh)
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

// Seven floats a corner into a buffer of their own.
static void load_corners(const view_draw *draw, GLuint *array, GLuint *buffer, const float *corners,
                         size_t count)
{
    if (*array == 0) {
        glGenVertexArrays(1, array);
        glGenBuffers(1, buffer);
    }
    glBindVertexArray(*array);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(7 * count * sizeof *corners), corners,
                 GL_STREAM_DRAW);
    for (GLuint a = 0; a < 3; a++) {
        static const int first[3] = {0, 3, 6}, size[3] = {3, 3, 1};

        glEnableVertexAttribArray(a);
        glVertexAttribPointer(a, size[a], GL_FLOAT, GL_FALSE, 7 * sizeof(float),
                              (const void *)((uintptr_t)first[a] * sizeof(float)));
    }
    glBindVertexArray(draw->vertices);
}

static bool make_room(view_surface *s, size_t count)
{
    if (s->mixed_room < count) {
        free(s->mixed);
        s->mixed = malloc(count * 7 * sizeof *s->mixed);
        s->mixed_room = s->mixed != NULL ? count : 0;
    }
    return s->mixed != NULL;
}

// Bodies between the two moments, in units.
void view_surface_load_bodies(const view_draw *draw, view_surface *s, const int pair[2],
                              float blend)
{
    const view_moment *later = &draw->moments[pair[0]], *earlier = &draw->moments[pair[1]];
    size_t count = (size_t)later->body_corners;

    s->body_corners = 0;
    if (count == 0)
        return;
    if (!make_room(s, count))
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
    load_corners(draw, &s->body_array, &s->body_buffer, s->mixed, count);
}

void view_surface_load_overhang(const view_draw *draw, view_surface *s)
{
    const view_overhang *o = &draw->overhang;
    size_t count = (size_t)o->count;

    s->hang_corners = 0;
    if (count == 0 || !make_room(s, count))
        return;
    for (size_t i = 0; i < 7 * count; i++) {
        size_t part = i % 7;

        s->mixed[i] = part < 3 ? (o->corners[i] - (part < 2 ? s->corner[part] : 0.0f)) / s->unit
                               : o->corners[i];
    }
    load_corners(draw, &s->hang_array, &s->hang_buffer, s->mixed, count);
    s->hang_corners = (int)count;
}

void view_surface_take_foam(view_draw *draw, surface_scene *scene, const int pair[2])
{
    bool both =
        draw->foam >= 0 && scene->look->settings.foam > 0.0f && scene->look->mode == VIEW_SURFACE;

    for (int i = 0; i < 2; i++)
        both = both && draw->moments[pair[i]].data[draw->foam] != NULL;
    for (int i = 0; i < 2 && both; i++)
        scene->foam[i] = view_field_texture(draw, pair[i], draw->foam, VIEW_AS_IS);
}

// ---- what flows

// One number of four of each cell, between two moments; none where a moment has no such field.
static bool put_flow(const view_draw *draw, const int pair[2], float blend, int field, float *to)
{
    size_t count = (size_t)draw->grid.n[0] * (size_t)draw->grid.n[1];
    const float *now = field >= 0 ? draw->moments[pair[0]].data[field] : NULL;
    const float *then = field >= 0 ? draw->moments[pair[1]].data[field] : NULL;

    if (now == NULL)
        return false;
    then = then != NULL ? then : now;
    for (size_t c = 0; c < count; c++)
        to[4 * c] = then[c] + (now[c] - then[c]) * blend;
    return true;
}

// The phases of both moments: of one that begins anew between them the later's.
static bool put_phases(const view_draw *draw, const int pair[2], float blend, float *to,
                       gyre_render_flow *flow)
{
    size_t count = (size_t)draw->grid.n[0] * (size_t)draw->grid.n[1];
    const view_moment *later = &draw->moments[pair[0]], *earlier = &draw->moments[pair[1]];
    const view_flow *a = &later->flow, *b = &earlier->flow;
    bool all = true;

    *flow = (gyre_render_flow){.phases = a->phases};
    flow->time = earlier->time + (later->time - earlier->time) * (double)blend;
    for (int p = 0; p < a->phases; p++) {
        bool anew = b->phases != a->phases || a->age[p] < b->age[p];
        const int both[2] = {pair[0], anew ? pair[0] : pair[1]};

        flow->weight[p] = a->weight[p];
        if (b->phases == a->phases)
            flow->weight[p] = b->weight[p] + (a->weight[p] - b->weight[p]) * blend;
        for (int k = 0; k < 2; k++) {
            flow->offset[p][k] = a->offset[p][k];
            all = put_flow(draw, both, anew ? 1.0f : blend, a->field[p][k],
                           to + (p < 2 ? 2 * p + k : (int)(4 * count) + k)) &&
                  all;
        }
    }
    return all;
}

// Means by 1, 2, 1 along an axis, of which cells are `step` numbers apart, in lines `beside` apart.
static void soften(float *at, int count, ptrdiff_t step, int lines, ptrdiff_t beside)
{
    for (int l = 0; l < lines; l++) {
        float *line = at + l * beside, before = *line;

        for (int i = 0; i < count; i++) {
            float own = line[i * step], next = i + 1 < count ? line[(i + 1) * step] : own;

            line[i * step] = 0.25f * before + 0.5f * own + 0.25f * next;
            before = own;
        }
    }
}

void view_surface_take_flow(view_draw *draw, surface_scene *scene, const int pair[2])
{
    view_surface *s = scene->s;
    const gyre_view_settings *of = &scene->look->settings;
    size_t count = (size_t)draw->grid.n[0] * (size_t)draw->grid.n[1];
    bool smooth = scene->look->mode == VIEW_SURFACE;
    gyre_render_flow flow;

    scene->rippled = smooth && of->ripples > 0.0f;
    scene->wet = smooth && of->wet && draw->wet >= 0;
    scene->flows =
        smooth && draw->moments[pair[0]].flow.phases > 0 && (scene->rippled || scene->foam[0] != 0);
    if (!scene->rippled && !scene->wet && !scene->flows)
        return;
    if (s->flow_size < 8 * count) {
        free(s->flow_room);
        s->flow_room = malloc(8 * count * sizeof *s->flow_room);
        s->flow_size = s->flow_room != NULL ? 8 * count : 0;
    }
    if (s->flow_room == NULL) {
        scene->rippled = scene->wet = scene->flows = false;
        return;
    }
    memset(s->flow_room, 0, 8 * count * sizeof *s->flow_room);
    bool all = put_phases(draw, pair, scene->blend, s->flow_room, &flow);

    scene->flows = scene->flows && all;
    flow.phases = scene->flows ? flow.phases : 0;
    scene->wet =
        scene->wet && put_flow(draw, pair, scene->blend, draw->wet, s->flow_room + 4 * count + 3);
    if (scene->wet) {
        float *wet = s->flow_room + 4 * count + 3;
        const int *n = draw->grid.n;

        soften(wet, n[1], 4 * (ptrdiff_t)n[0], n[0], 4);
        soften(wet, n[0], 4, n[1], 4 * (ptrdiff_t)n[0]);
    }
    if (of->ripple_speed > 0.0f &&
        !put_flow(draw, pair, scene->blend, draw->speed, s->flow_room + 4 * count + 2)) {
        for (size_t c = 0; c < count; c++)
            s->flow_room[4 * (count + c) + 2] = 1e9f;
    }
    gyre_ripples_make(of, &draw->grid, &flow, &scene->ripples);
    for (int k = 0; k < 2; k++)
        view_texture(&s->flow[k], GL_RGBA32F, draw->grid.n[0], draw->grid.n[1], 0,
                     s->flow_room + (size_t)k * 4 * count, 4);
}

void view_surface_gather(const view_draw *draw, const surface_scene *scene, const int pair[2],
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

bool view_surface_raise_bars(const view_draw *draw, view_surface *s, const int pair[2], float blend)
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
