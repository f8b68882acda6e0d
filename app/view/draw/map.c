// view/draw/map.c: planes: fields as coloured maps, cell by cell, as lines of flow; stacked slices.
#include "view/draw/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 32 }; // of line integral convolution at most, to each side

// The plane that is drawn, as shaders are told of it.
typedef struct plane {
    int axes[3];
    float size[2], shift[2], cells, slice, lift[9];
} plane;

static plane make_plane(const view_draw *draw, const view_look *look)
{
    const gyre_grid *grid = &draw->grid;
    plane p = {.cells = 1.0f};

    view_plane_axes(look, grid, p.axes);
    for (int i = 0; i < 2; i++)
        p.size[i] = (float)grid->n[p.axes[i]];
    if (grid->dim == 2) {
        p.cells = view_plane_scale(look, &draw->full, draw->rect[2], draw->rect[3], p.shift) /
                  (float)draw->every;
        for (int i = 0; i < 2; i++)
            p.shift[i] /= (float)draw->every;
        return p;
    }
    view_eye eye = view_eye_make(look, &draw->full, draw->rect[2], draw->rect[3]);
    float away = 0.0f, tall = 0.0f;

    p.slice = view_slice_at(look, grid);
    for (int i = 0; i < 3; i++) {
        int axis = p.axes[i];
        float middle = i < 2 ? 0.5f * p.size[i] : p.slice;

        away += (grid->origin[axis] + grid->h * middle - eye.at[axis]) * eye.forward[axis];
        tall += eye.up[axis] * eye.up[axis];
        p.lift[3 * i + axis] = i < 2 ? 1.0f / p.size[i] : p.slice / (float)grid->n[axis];
    }
    away = fmaxf(away, 0.01f * grid->h) / grid->h;
    p.cells = away * sqrtf(tall) / (float)draw->rect[3];
    return p;
}

static void set_plane(view_draw *draw, const view_look *look, const plane *p, float enlarged)
{
    view_set(draw, "size", 2, p->size);
    view_set1f(draw, "cells", p->cells * enlarged);
    if (draw->grid.dim == 2) {
        view_set(draw, "shift", 2, p->shift);
        return;
    }
    view_set_camera(draw, look, p->axes, 0.0f);
    view_set1f(draw, "slice", p->slice);
    glUniformMatrix3fv(glGetUniformLocation(draw->program, "lift"), 1, GL_FALSE, p->lift);
}

static GLenum field_kind(const view_draw *draw)
{
    return draw->grid.dim == 3 ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

static void set_rect(const view_draw *draw)
{
    view_set_rect(draw, (float)draw->rect[0], (float)draw->rect[1], (float)draw->rect[2],
                  (float)draw->rect[3]);
}

// ---- light through the smoke of a plane ---------------------------------------------------------

// Cuts the plane out: two neighbouring planes of a volume mixed.
static void cut(const view_draw *draw, const plane *p, const float *from, float *to)
{
    const int *n = draw->grid.n;
    ptrdiff_t stride[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    int count = n[p->axes[2]];
    float at = draw->grid.dim == 3 ? p->slice - 0.5f : 0.0f;

    at = at > 0.0f ? (at < (float)(count - 1) ? at : (float)(count - 1)) : 0.0f;
    int below = (int)at, above = below + 1 < count ? below + 1 : below;
    float part = at - (float)below;

    for (int y = 0; y < n[p->axes[1]]; y++) {
        for (int x = 0; x < n[p->axes[0]]; x++) {
            const float *cell = from + x * stride[p->axes[0]] + y * stride[p->axes[1]];
            float a = cell[below * stride[p->axes[2]]], b = cell[above * stride[p->axes[2]]];

            *to++ = a + (b - a) * part;
        }
    }
}

static float fade(float x)
{
    float a = 1.0f + x * (0.125f + x * (1.0f / 128.0f));

    a *= a;
    a *= a;
    return 1.0f / (a * a);
}

// Depth of a row for smoke of 1, and cells across from row to row. A plane as high as the picture
// and full of smoke at the top of its range has the depth 10.
static float depth_of_rows(int rows, const float range[2], const float direction[3], float *shear)
{
    float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1] +
                         direction[2] * direction[2]);
    float lx = length > 0.0f ? direction[0] / length : 0.0f;
    float ly = length > 0.0f ? direction[1] / length : 1.0f;
    float s = ly > 0.2f ? lx / ly : lx / 0.2f;

    s = s > 1.5f ? 1.5f : s < -1.5f ? -1.5f : s;
    *shear = s;
    return 10.0f / (float)rows * sqrtf(1.0f + s * s) * (1.0f / (range[1] - range[0]));
}

// Light that falls through the smoke, swept row by row from above.
static void sweep(const int n[2], const float *smoke, const float *solid, float low, float depth,
                  float shear, float *light)
{
    for (int y = n[1] - 1; y >= 0; y--) {
        ptrdiff_t row = (ptrdiff_t)y * n[0];
        const float *above = light + row + n[0];

        for (int x = 0; x < n[0]; x++) {
            float at = (float)x + shear, arrived = 1.0f;

            at = at > 0.0f ? (at < (float)(n[0] - 1) ? at : (float)(n[0] - 1)) : 0.0f;
            int i = (int)at;

            if (y < n[1] - 1)
                arrived = above[i] + (above[i + 1 < n[0] ? i + 1 : i] - above[i]) * (at - (float)i);
            float d = depth * (smoke[row + x] - low);
            float share = solid != NULL ? solid[row + x] : 0.0f;

            d += 0.35f * (share > 0.0f ? (share < 1.0f ? share : 1.0f) : 0.0f);
            light[row + x] = arrived * fade(d > 0.0f ? d : 0.0f);
        }
    }
}

static bool shade_copied(const view_draw *draw, view_moment *of, int field, const plane *p,
                         const view_shade *shade)
{
    int n[2] = {draw->grid.n[p->axes[0]], draw->grid.n[p->axes[1]]};
    size_t count = (size_t)n[0] * (size_t)n[1];
    float *room = malloc(3 * count * sizeof *room);

    if (room == NULL)
        return false;
    cut(draw, p, of->data[field], room);
    if (shade->solid >= 0)
        cut(draw, p, of->data[shade->solid], room + count);
    sweep(n, room, shade->solid >= 0 ? room + count : NULL, shade->low, shade->depth, shade->shear,
          room + 2 * count);
    view_texture(&of->shade, GL_R32F, n[0], n[1], 0, room + 2 * count, 1);
    free(room);
    return true;
}

GLuint view_shade_texture(view_draw *draw, int moment, int field, const view_look *look,
                          const float range[2])
{
    view_moment *of = &draw->moments[moment];
    plane p = make_plane(draw, look);
    int n[2] = {draw->grid.n[p.axes[0]], draw->grid.n[p.axes[1]]};
    bool fixed = look->settings.range[0] != look->settings.range[1];
    // A range that follows the field is taken as it is when a frame is new.
    float key[12] = {look->light.direction[0],
                     look->light.direction[1],
                     look->light.direction[2],
                     (float)p.axes[2],
                     p.slice,
                     fixed ? range[0] : 0.0f,
                     fixed ? range[1] : 0.0f,
                     (float)field,
                     look->solids ? 1.0f : 0.0f};
    bool solid = look->solids && draw->solid >= 0 && of->has[draw->solid];

    if (of->shade_made && memcmp(key, of->shade_key, sizeof key) == 0)
        return of->shade;
    view_shade shade = {.axes = {p.axes[0], p.axes[1], p.axes[2]},
                        .solid = solid ? draw->solid : -1,
                        .slice = p.slice,
                        .low = range[0]};

    shade.depth = depth_of_rows(n[1], range, look->light.direction, &shade.shear);
    if (of->shade_key[3] != key[3])
        view_delete_texture(&of->shade); // a plane of another shape
    of->shade_made = of->shared ? view_pass_shade(draw, moment, field, &shade, &of->shade)
                                : shade_copied(draw, of, field, &p, &shade);
    memcpy(of->shade_key, key, sizeof key);
    return of->shade;
}

// ---- lines of flow -----------------------------------------------------------------------------

static GLuint noise_texture(view_draw *draw)
{
    if (draw->noise != 0)
        return draw->noise;
    enum { COUNT = VIEW_NOISE * VIEW_NOISE };
    uint8_t *texels = malloc(COUNT);
    uint32_t seed = 12345;

    if (texels == NULL)
        return 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        texels[i] = (uint8_t)(seed >> 24);
    }
    view_texture(&draw->noise, GL_R8, VIEW_NOISE, VIEW_NOISE, 0, texels, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    free(texels);
    return draw->noise;
}

// A window with a ripple that runs downstream with the fluid's time (Freeman, Adelson and Heeger
// 1991). Gives by how much the mean of so many texels must be spread to show.
static float weigh_steps(int steps, double time, float weights[2 * STEPS + 1])
{
    float sum = 0.0f, squares = 0.0f, phase = (float)(1.3 * time - floor(1.3 * time));

    for (int i = -steps; i <= steps; i++) {
        float x = (float)i / (float)(steps + 1);
        float ripple = 1.0f + 0.75f * cosf(6.2831853f * (1.0f * x + phase));
        float weight = (0.5f + 0.5f * cosf(3.14159265f * x)) * ripple;

        weights[steps + i] = weight;
        sum += weight;
    }
    for (int i = 0; i <= 2 * steps; i++) {
        weights[i] /= sum;
        squares += weights[i] * weights[i];
    }
    // The standard deviation of a texel is 0.29, of the linear mean between texels 0.2.
    return 0.25f / (0.2f * sqrtf(1.4f * squares));
}

static double time_shown(const view_draw *draw, float blend)
{
    const view_moment *later = &draw->moments[draw->later];
    const view_moment *earlier = &draw->moments[1 - draw->later];

    return earlier->filled ? earlier->time + (later->time - earlier->time) * (double)blend
                           : later->time;
}

static void set_velocity(view_draw *draw, const plane *p, const int pair[2], float blend)
{
    static const char *const names[3] = {"across", "along", "deep"};
    GLenum kind = field_kind(draw);

    for (int i = 0; i < 3; i++) {
        float unit[3] = {0.0f};

        unit[p->axes[i]] = draw->grid.dim == 3 || i < 2 ? 1.0f : 0.0f;
        view_set(draw, names[i], 3, unit);
    }
    view_set1f(draw, "blend", blend);
    GLuint earlier = view_velocity_texture(draw, pair[1]);
    GLuint later = view_velocity_texture(draw, pair[0]);

    view_bind(draw, "velocity_later", kind, later);
    view_bind(draw, "velocity_earlier", kind, earlier);
}

static const char *macros_of(const view_draw *draw, bool mix)
{
    return draw->grid.dim == 3 ? (mix ? "SPACE MIX" : "SPACE") : mix ? "MIX" : "";
}

// Into draw->streaks. False: there is no velocity.
static bool draw_streaks(view_draw *draw, const view_look *look, const plane *p)
{
    float blend = look->blend, weights[2 * STEPS + 1] = {0.0f};
    int pair[2], part = draw->software ? 2 : 1, steps = draw->software ? 9 : 20;
    int width = (draw->rect[2] + part - 1) / part, height = (draw->rect[3] + part - 1) / part;

    if (!view_pair(draw, draw->velocity[0], &blend, pair) ||
        !view_use(draw, "lic", macros_of(draw, pair[0] != pair[1])))
        return false;
    view_target_make(&draw->streaks, GL_RGBA8, width, height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw->streaks.framebuffer);
    glViewport(0, 0, width, height);
    GLuint noise = noise_texture(draw);
    float contrast = weigh_steps(steps, time_shown(draw, look->blend), weights);
    float cells = p->cells * (float)draw->rect[3] / (float)height;

    set_velocity(draw, p, pair, blend);
    view_bind(draw, "noise", GL_TEXTURE_2D, noise);
    view_set_rect(draw, 0.0f, 0.0f, (float)width, (float)height);
    set_plane(draw, look, p, (float)draw->rect[3] / (float)height);
    view_set1i(draw, "steps", steps);
    view_set1f(draw, "stride", 1.5f * cells);
    // Grains about 1.5 pixels wide, the same ones over a whole octave of zoom.
    view_set1f(draw, "grain", exp2f(floorf(0.5f - log2f(1.5f * cells))) / (float)VIEW_NOISE);
    view_set1f(draw, "contrast", contrast);
    view_set1f(draw, "fastest", draw->fastest);
    view_set_many(draw, "weights", 1, 2 * steps + 1, weights);
    view_fill();
    view_use_target(draw);
    return true;
}

// ---- maps --------------------------------------------------------------------------------------

// The colour of solids in planes, tone-mapped here once.
static void set_body(const view_draw *draw, const view_look *look)
{
    float body[3];

    for (int c = 0; c < 3; c++) {
        float x = 0.8f * 0.4f * look->settings.exposure * look->settings.solid_colour[c];
        float y = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);

        body[c] = y < 1.0f ? y : 1.0f;
    }
    view_set(draw, "body", 3, body);
}

static void set_map_solids(view_draw *draw, const view_look *look, const int pair[2],
                           view_kind kind)
{
    GLuint earlier = view_field_texture(draw, pair[1], draw->solid, kind);
    GLuint later = view_field_texture(draw, pair[0], draw->solid, kind);

    set_body(draw, look);
    view_bind(draw, "solid_later", field_kind(draw), later);
    view_bind(draw, "solid_earlier", field_kind(draw), earlier);
}

typedef struct map_parts {
    bool field, smoke, cells, lic, solid, spline, shadow, mix, moving;
    view_mixing dyes;
} map_parts;

static bool use_map(view_draw *draw, const map_parts *parts)
{
    static const char *const dyes[] = {"", "DYES ", "DYES ", "DYES LIGHT ", "DYES INK "};
    char macros[96];

    snprintf(macros, sizeof macros, "%s%s%s%s%s%s%s%s%s%s%s", draw->grid.dim == 3 ? "SPACE " : "",
             parts->field ? "FIELD_SHOWN " : "", parts->smoke ? "SMOKE " : "",
             parts->cells ? "CELLS " : "", parts->lic ? "LIC " : "", parts->solid ? "SOLID " : "",
             parts->spline ? "SPLINE " : "", parts->shadow ? "SHADOW " : "",
             parts->mix ? "MIX " : "", parts->moving ? "MOVING " : "", dyes[parts->dyes]);
    return view_use(draw, "map", macros);
}

// Draws where the domain is, and round it the background by a shader that does no more than that.
static void fill_domain(view_draw *draw, const view_look *look, const plane *p)
{
    const int *r = draw->rect;
    int low[2], high[2];

    if (draw->grid.dim == 3) {
        view_fill();
        return;
    }
    for (int i = 0; i < 2; i++) {
        float first = fminf(fmaxf(floorf(-p->shift[i] / p->cells), 0.0f), (float)r[2 + i]);
        float last = ceilf((p->size[i] - p->shift[i]) / p->cells);

        low[i] = (int)first;
        high[i] = (int)fminf(fmaxf(last, first), (float)r[2 + i]);
    }
    const int boxes[5][4] = {{low[0], low[1], high[0], high[1]},
                             {0, 0, r[2], low[1]},
                             {0, high[1], r[2], r[3]},
                             {0, low[1], low[0], high[1]},
                             {high[0], low[1], r[2], high[1]}};

    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < 5; i++) {
        const int *b = boxes[i];

        if (b[2] <= b[0] || b[3] <= b[1])
            continue;
        glScissor(r[0] + b[0], r[1] + b[1], b[2] - b[0], b[3] - b[1]);
        if (i == 0)
            view_fill();
        else
            view_paint_empty(draw, look);
    }
    glDisable(GL_SCISSOR_TEST);
}

static void set_map_dyes(view_draw *draw, const view_look *look, const int pair[2], bool grown)
{
    GLuint earlier = view_dyes_texture(draw, pair[1], grown);
    GLuint later = view_dyes_texture(draw, pair[0], grown);

    view_bind(draw, "dyes_later", field_kind(draw), later);
    view_bind(draw, "dyes_earlier", field_kind(draw), earlier);
    view_set(draw, "paper", 3, look->settings.paper);
}

// A texture that flows, in the plane. False: there is none.
static bool paint_flow(view_draw *draw, const view_look *look, const plane *p)
{
    int solids[2] = {0};
    float solid_blend = look->blend;
    bool solid = view_solid_pair(draw, look, &solid_blend, solids);
    bool spline = solid && (draw->grid.dim == 3 || p->cells < 0.34f);
    char own[32], macros[96];

    if (!view_flow_map(draw, look, own, sizeof own))
        return false;
    snprintf(macros, sizeof macros, "%s%s%s%s%s", draw->grid.dim == 3 ? "SPACE " : "",
             solid ? "SOLID " : "", spline ? "SPLINE " : "",
             solid && solids[0] != solids[1] ? "MOVING " : "", own);
    if (!view_use(draw, "flow", macros))
        return false;
    if (solid)
        set_map_solids(draw, look, solids, spline ? VIEW_AS_IS : VIEW_SMOOTHED);
    view_flow_set_map(draw, look);
    set_rect(draw);
    set_plane(draw, look, p, 1.0f);
    view_set_colours(draw, look);
    view_set1f(draw, "blend", solid_blend);
    fill_domain(draw, look, p);
    return true;
}

void view_paint_map(view_draw *draw, const view_look *look)
{
    view_mixing mixing = view_mix(draw, look);
    int field = mixing == VIEW_ONE ? view_field_of(draw, look) : VIEW_SUM;
    int pair[2] = {0}, solids[2] = {0};
    float blend = look->blend, solid_blend = look->blend, range[2];
    plane p = make_plane(draw, look);
    gyre_colour_map map = view_map_of(draw, look, view_field_of(draw, look));
    map_parts parts = {.cells = look->mode == VIEW_CELLS, .dyes = mixing};

    if (paint_flow(draw, look, &p))
        return;
    parts.field = view_pair(draw, field, &blend, pair);
    parts.smoke = parts.field && map == GYRE_MAP_SMOKE && mixing <= VIEW_SMOKES;
    parts.mix = parts.field && pair[0] != pair[1];
    parts.solid = view_solid_pair(draw, look, &solid_blend, solids);
    parts.moving = parts.solid && solids[0] != solids[1];
    // Where cells are large linear samples would show their corners.
    parts.spline = parts.solid && !parts.cells && (draw->grid.dim == 3 || p.cells < 0.34f);
    parts.lic = look->mode == VIEW_LIC && draw_streaks(draw, look, &p);
    parts.shadow = parts.smoke && look->settings.shadow && !parts.lic;
    view_draw_range(draw, look, range);
    GLuint later = 0, earlier = 0, shade[2] = {0};
    view_kind kind = parts.cells ? VIEW_AS_IS : VIEW_GROWN;

    if (parts.field) {
        earlier = view_field_texture(draw, pair[1], field, kind);
        later = view_field_texture(draw, pair[0], field, kind);
    }
    for (int i = 0; i < 2 && parts.shadow; i++)
        shade[i] = view_shade_texture(draw, pair[i], field, look, range);
    GLuint table = parts.smoke ? 0 : view_table_texture(draw, map);

    if (!use_map(draw, &parts))
        return;
    if (parts.solid)
        set_map_solids(draw, look, solids,
                       parts.spline || parts.cells ? VIEW_AS_IS : VIEW_SMOOTHED);
    view_bind(draw, "later", field_kind(draw), later);
    view_bind(draw, "earlier", field_kind(draw), earlier);
    view_bind(draw, "shade_later", GL_TEXTURE_2D, shade[0]);
    view_bind(draw, "shade_earlier", GL_TEXTURE_2D, shade[1]);
    view_bind(draw, "table", GL_TEXTURE_2D, table);
    view_bind(draw, "lic", GL_TEXTURE_2D, draw->streaks.texture);
    if (mixing != VIEW_ONE)
        set_map_dyes(draw, look, pair, !parts.cells);
    set_rect(draw);
    set_plane(draw, look, &p, 1.0f);
    view_set_colours(draw, look);
    view_set1f(draw, "low", range[0]);
    view_set1f(draw, "scale", 1.0f / (range[1] - range[0]));
    view_set1f(draw, "blend", parts.mix ? blend : solid_blend);
    view_set1i(draw, "samples", p.cells <= 1.0f ? 1 : p.cells >= 4.0f ? 4 : (int)ceilf(p.cells));
    float wide = 1.0f / p.cells; // pixels of a cell

    view_set1f(draw, "lines", wide >= 8.0f ? 0.3f * fminf(wide / 8.0f - 0.5f, 1.0f) : 0.0f);
    fill_domain(draw, look, &p);
}

// ---- stacked slices ----------------------------------------------------------------------------

// The axis nearest to the line of sight last.
static void stack_axes(const view_draw *draw, const view_look *look, int axes[3])
{
    view_eye eye = view_eye_make(look, &draw->full, draw->rect[2], draw->rect[3]);
    int across = 2;

    for (int axis = 0; axis < 2; axis++) {
        if (fabsf(eye.forward[axis]) > fabsf(eye.forward[across]))
            across = axis;
    }
    axes[0] = across == 0 ? 1 : 0;
    axes[1] = across == 2 ? 1 : 2;
    axes[2] = across;
}

void view_paint_stack(view_draw *draw, const view_look *look)
{
    int field = view_field_of(draw, look), pair[2], solids[2], axes[3];
    float blend = look->blend, solid_blend = 1.0f, range[2], lift[16] = {0.0f}, box[3];
    gyre_colour_map map = view_map_of(draw, look, field);
    bool solid = view_solid_pair(draw, look, &solid_blend, solids);
    char macros[64];

    if (!view_pair(draw, field, &blend, pair)) {
        view_paint_empty(draw, look);
        return;
    }
    view_draw_range(draw, look, range);
    stack_axes(draw, look, axes);
    for (int i = 0; i < 3; i++) {
        box[i] = (float)draw->grid.n[axes[i]];
        lift[4 * i + axes[i]] = 1.0f / box[i];
    }
    lift[15] = 1.0f;
    int most = draw->software ? 32 : 96, slices = (int)box[2] < most ? (int)box[2] : most;
    GLuint earlier = view_field_texture(draw, pair[1], field, VIEW_GROWN);
    GLuint later = view_field_texture(draw, pair[0], field, VIEW_GROWN);
    GLuint share = solid ? view_field_texture(draw, solids[0], draw->solid, VIEW_AS_IS) : 0;
    GLuint table = view_table_texture(draw, map);

    snprintf(macros, sizeof macros, "%s%s%s", map == GYRE_MAP_SMOKE ? "SMOKE " : "",
             pair[0] != pair[1] ? "MIX " : "", solid ? "SOLID " : "");
    if (!view_use(draw, "stack", macros))
        return;
    view_bind(draw, "later", GL_TEXTURE_3D, later);
    view_bind(draw, "earlier", GL_TEXTURE_3D, earlier);
    view_bind(draw, "solid", GL_TEXTURE_3D, share);
    view_bind(draw, "table", GL_TEXTURE_2D, table);
    view_set_camera(draw, look, axes, 0.0f);
    view_set_colours(draw, look);
    view_set(draw, "box", 3, box);
    set_body(draw, look);
    view_set(draw, "white", 3, (float[3]){0.8f, 0.84f, 0.88f});
    glUniformMatrix4fv(glGetUniformLocation(draw->program, "lift"), 1, GL_FALSE, lift);
    view_set1i(draw, "slices", slices);
    view_set1f(draw, "depth", 14.0f / (float)slices);
    view_set1i(draw, "both_ways", map == GYRE_MAP_COOLWARM);
    view_set1f(draw, "low", range[0]);
    view_set1f(draw, "scale", 1.0f / (range[1] - range[0]));
    view_set1f(draw, "blend", blend);
    bool whole = view_begin_inner(draw, look);

    view_fill();
    if (!whole)
        view_end_inner(draw, look, false);
}

// ---- over it -----------------------------------------------------------------------------------

// Colours come multiplied by their alpha.
static void begin_over(void)
{
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void view_paint_arrows(view_draw *draw, const view_look *look)
{
    float blend = look->blend;
    int pair[2], first[2] = {0}, count[2];
    plane p = make_plane(draw, look);

    if (!(draw->fastest > 0.0f) || !view_pair(draw, draw->velocity[0], &blend, pair) ||
        !view_use(draw, "arrow", macros_of(draw, pair[0] != pair[1])))
        return;
    // 20 to 40 pixels from arrow to arrow, at places that stay when the view moves.
    float spacing = exp2f(ceilf(log2f(20.0f * p.cells)));

    for (int i = 0; i < 2; i++) {
        float low = 0.0f, high = p.size[i];

        if (draw->grid.dim == 2) {
            low = fmaxf(p.shift[i] - spacing, 0.0f);
            high = fminf(p.shift[i] + p.cells * (float)draw->rect[2 + i] + spacing, high);
        }
        // A slice that passes through the eye has no scale.
        low = floorf(low / spacing);
        high = fminf(ceilf(high / spacing), low + 1024.0f);
        if (!(high > low))
            return;
        first[i] = (int)low;
        count[i] = (int)high - first[i];
    }
    set_velocity(draw, &p, pair, blend);
    set_rect(draw);
    set_plane(draw, look, &p, 1.0f);
    view_set1f(draw, "fastest", 0.7f * draw->fastest);
    view_set1f(draw, "spacing", spacing);
    glUniform2i(glGetUniformLocation(draw->program, "first"), first[0], first[1]);
    view_set1i(draw, "row", count[0]);
    begin_over();
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count[0] * count[1]);
    glDisable(GL_BLEND);
}

void view_paint_box(view_draw *draw, const view_look *look)
{
    plane p = make_plane(draw, look);
    bool slice = look->mode != VIEW_STACK;
    float box[3];

    if (!view_use(draw, "line", ""))
        return;
    for (int i = 0; i < 3; i++)
        box[i] = (float)draw->grid.n[p.axes[i]];
    set_rect(draw);
    view_set_camera(draw, look, p.axes, 0.0f);
    view_set(draw, "box", 3, box);
    view_set1f(draw, "slice", p.slice);
    int field = view_field_of(draw, look);

    // Through a slice of smoke one sees what is behind it.
    view_set1i(draw, "opaque", slice && view_map_of(draw, look, field) != GYRE_MAP_SMOKE);
    begin_over();
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, slice ? 16 : 12);
    glDisable(GL_BLEND);
}
