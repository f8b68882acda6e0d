// view/draw/volume.c: smoke lit from within its shadows: light swept through the cells by slices,
// then rays. What each pass does stands in its shader.
#include "view/draw/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float skies[VIEW_SKIES][4] = {
    {0.0f, 1.0f, 0.0f, 0.20f},      {0.62f, 0.60f, 0.50f, 0.13f},
    {-0.62f, 0.60f, 0.50f, 0.13f},  {0.62f, 0.60f, -0.50f, 0.13f},
    {-0.62f, 0.60f, -0.50f, 0.13f}, {0.58f, -0.34f, 0.74f, 0.07f},
    {-0.58f, -0.34f, 0.74f, 0.07f}, {0.58f, -0.34f, -0.74f, 0.07f},
    {-0.58f, -0.34f, -0.74f, 0.07f}};

// What rays and light need to know of one look at one pair of frames.
typedef struct scene {
    int smoke[2], solid[2], heat[2], flame[2]; // moments
    bool has_smoke, has_solid, has_heat, has_flame, mix;
    bool lit;  // smoke, by what glows in it
    bool inks; // clear, all colours at once
    float blend;
    float light[3]; // unit
    int axis;       // that light is swept along
    float active[2][3], solids[2][3];
} scene;

// ---- empty bricks ------------------------------------------------------------------------------

// Marks what interpolation inside of each brick can meet: cells count from the margin, and a brick
// looks one cell further than it reaches.
static void mark(const gyre_grid *grid, const int bricks[3], const float *data, float least,
                 uint8_t bit, uint8_t *bits)
{
    const int *n = grid->n;

    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const float *row = data + (size_t)n[0] * ((size_t)j + (size_t)n[1] * (size_t)k);

            for (int from = 0; from < n[0]; from += VIEW_BRICK) {
                int to = from + VIEW_BRICK < n[0] ? from + VIEW_BRICK : n[0];
                float most = row[from];

                for (int i = from + 1; i < to; i++)
                    most = row[i] > most ? row[i] : most;
                if (!(most > least))
                    continue;
                // Cells from + 1 to `to` with the margin; the solid in the margin is the edge's.
                int low[3] = {from + 1, j + 1, k + 1}, high[3] = {to, j + 1, k + 1};

                for (int axis = 0; axis < 3; axis++) {
                    high[axis] += high[axis] == n[axis] ? 1 : 0;
                    low[axis] = low[axis] == 1 ? 0 : low[axis] - 1;
                }
                for (int c = low[2] / VIEW_BRICK; c <= high[2] / VIEW_BRICK; c++) {
                    for (int b = low[1] / VIEW_BRICK; b <= high[1] / VIEW_BRICK; b++) {
                        for (int a = low[0] / VIEW_BRICK; a <= high[0] / VIEW_BRICK; a++)
                            bits[a + bricks[0] * (b + bricks[1] * c)] |= bit;
                    }
                }
            }
        }
    }
}

static bool mark_moment(view_draw *draw, int moment, const scene *of, const view_look *look)
{
    view_moment *at = &draw->moments[moment];
    const int *n = draw->brick_n;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    float extinction = look->settings.density_scale * draw->grid.h;
    // Of inks what is there at all counts, whatever colour is drawn.
    int smoke = draw->smoke > VIEW_SUM ? VIEW_SUM : draw->smoke;
    float key[4] = {of->has_smoke ? extinction : 0.0f,
                    of->has_heat ? look->settings.glow_scale : 0.0f, (float)smoke,
                    of->has_flame ? (float)draw->flame : -1.0f};
    bool asked[4] = {of->has_smoke && extinction > 0.0f, draw->solid >= 0 && at->has[draw->solid],
                     of->has_heat && key[1] > 0.0f, of->has_flame};
    // Below 500 K nothing glows.
    const float least[4] = {1e-6f / extinction, 0.499f, 480.0f / key[1], 1e-6f};
    const int fields[4] = {smoke, draw->solid, draw->temperature, draw->flame};

    if (at->bricks_made && memcmp(key, at->bricks_key, sizeof key) == 0)
        return true;
    if (at->bricks == NULL)
        at->bricks = malloc(count);
    if (at->bricks == NULL)
        return false;
    memset(at->bricks, 0, count);
    for (int i = 0; i < 4; i++)
        asked[i] = asked[i] && at->has[fields[i]];
    if (at->shared && !view_pass_bricks(draw, moment, fields, asked, least, at->bricks))
        return false;
    for (int i = 0; i < 4 && !at->shared; i++) {
        if (asked[i])
            mark(&draw->grid, n, at->data[fields[i]], least[i], (uint8_t)(1 << i), at->bricks);
    }
    memcpy(at->bricks_key, key, sizeof key);
    at->bricks_made = true;
    return true;
}

static void bound(const view_draw *draw, int channel, float box[2][3])
{
    const int *n = draw->brick_n;

    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = 1e9f;
        box[1][axis] = -1e9f;
    }
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        int at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};

        for (int axis = 0; axis < 3 && draw->brick_bits[2 * i + channel] != 0; axis++) {
            box[0][axis] = fminf(box[0][axis], (float)(VIEW_BRICK * at[axis]));
            box[1][axis] = fmaxf(box[1][axis], (float)(VIEW_BRICK * (at[axis] + 1)));
        }
    }
}

static bool make_bricks(view_draw *draw, const view_look *look, scene *of)
{
    int *n = draw->brick_n;

    for (int axis = 0; axis < 3; axis++)
        n[axis] = (draw->grid.n[axis] + 2 + VIEW_BRICK - 1) / VIEW_BRICK;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];

    if (draw->brick_bits == NULL)
        draw->brick_bits = malloc(2 * count);
    if (draw->brick_bits == NULL)
        return false;
    memset(draw->brick_bits, 0, 2 * count);
    for (int m = 0; m < 2; m++) {
        bool smoke = of->smoke[0] == m || of->smoke[1] == m;
        bool solid = of->has_solid && of->solid[0] == m;

        if ((!smoke && !solid) || !draw->moments[m].filled)
            continue;
        if (!mark_moment(draw, m, of, look))
            return false;
        const uint8_t *bits = draw->moments[m].bricks;

        for (size_t i = 0; i < count; i++) {
            draw->brick_bits[2 * i] |= smoke && (bits[i] & 13) != 0 ? 255 : 0;
            draw->brick_bits[2 * i + 1] |= solid && (bits[i] & 2) != 0 ? 255 : 0;
        }
    }
    bool fresh = draw->bricks == 0;

    view_texture(&draw->bricks, GL_RG8, n[0], n[1], n[2], draw->brick_bits, 2);
    if (fresh) {
        glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    bound(draw, 0, of->active);
    bound(draw, 1, of->solids);
    // A model's field of solids with none in it costs nothing.
    of->has_solid = of->has_solid && of->solids[0][0] < of->solids[1][0];
    return true;
}

// ---- light in cells ----------------------------------------------------------------------------

static GLenum volume_format(const view_draw *draw, int channels)
{
    // Processors read whole floats faster, cards half as much memory.
    if (channels == 1)
        return draw->software ? GL_R32F : GL_R16F;
    return draw->software ? GL_RGBA32F : GL_RGBA16F;
}

static int sky_axis(const float l[3])
{
    if (fabsf(l[0]) > fabsf(l[1]) && fabsf(l[0]) > fabsf(l[2]))
        return 0;
    return fabsf(l[2]) > fabsf(l[1]) ? 2 : 1;
}

static void make_light(view_draw *draw)
{
    view_light *light = &draw->light;
    GLenum one = volume_format(draw, 1);
    int tall = 1, wide = 0, row = 0, x = 0;

    if (light->made)
        return;
    light->made = true;
    light->planes = 1;
    for (int axis = 0; axis < 3; axis++)
        light->coarse[axis] = draw->grid.n[axis] / 2 + 3;
    const int *n = light->coarse;

    for (int i = 0; i < 3; i++)
        tall = n[i] > tall && i > 0 ? n[i] : tall; // a tile is as high as y or z
    for (int i = 0; i < VIEW_SKIES; i++) {
        int axis = sky_axis(skies[i]), u = axis == 0 ? 1 : 0;

        row += x + n[u] > draw->most[1] ? tall : 0;
        x = x + n[u] > draw->most[1] ? 0 : x;
        light->tile[i][0] = x;
        light->tile[i][1] = row;
        x += n[u];
        wide = x > wide ? x : wide;
        light->planes = n[axis] > light->planes ? n[axis] : light->planes;
    }
    glGenFramebuffers(1, &light->framebuffer);
    light->has_sky = row + tall <= draw->most[1];
    if (!light->has_sky) { // too many cells: the sky is open everywhere
        view_texture(&light->sky, one, 1, 1, 1, (float[1]){1.0f}, 1);
        return;
    }
    view_texture(&light->depth, one, n[0], n[1], n[2], NULL, 1);
    view_texture(&light->sky, one, n[0], n[1], n[2], NULL, 1);
    view_texture(&light->arrived, one, wide, row + tall, light->planes, NULL, 1);
    for (int i = 0; i < 2; i++)
        view_target_make(&light->tiles[i], GL_R32F, wide, row + tall);
}

static void set_cells(view_draw *draw, const view_look *look, const scene *of, GLuint density,
                      GLuint body)
{
    GLint n = glGetUniformLocation(draw->program, "n");
    GLint coarse = glGetUniformLocation(draw->program, "coarse");

    glUniform3iv(n, 1, draw->grid.n);
    glUniform3iv(coarse, 1, draw->light.coarse);
    view_set1f(draw, "extinction",
               of->has_smoke && !draw->shines ? look->settings.density_scale * draw->grid.h : 0.0f);
    view_set1i(draw, "shadow", look->settings.shadow);
    view_bind(draw, "density", GL_TEXTURE_3D, density);
    view_bind(draw, "body", GL_TEXTURE_3D, body);
    if (draw->veined)
        view_bind(draw, "veins", GL_TEXTURE_3D, draw->texture.veins);
}

// Draws all layers of a volume at once.
static void fill_layers(const view_draw *draw, GLuint texture, const int n[3])
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw->light.framebuffer);
    view_fill_layers(draw, texture, true, n);
}

// A pass that leaves one layer of a volume, and for the next pass a plane.
static void begin_layer(const view_draw *draw, GLuint volume, int layer, GLuint plane)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw->light.framebuffer);
    glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, volume, 0, layer);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, plane, 0);
    glDrawBuffers(2, (GLenum[2]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});
}

static void sweep_skies(view_draw *draw, const view_look *look, const scene *of, GLuint density,
                        GLuint body)
{
    view_light *light = &draw->light;
    float directions[VIEW_SKIES][4];

    char macros[32];

    snprintf(macros, sizeof macros, "AXIS=2%s%s", of->has_solid ? " SOLID" : "",
             draw->veined ? " VEINS" : "");
    if (!light->has_sky || !view_use(draw, "coarsen", macros))
        return;
    set_cells(draw, look, of, density, body);
    fill_layers(draw, light->depth, light->coarse);
    for (int i = 0; i < VIEW_SKIES; i++) {
        const float *s = skies[i];
        float length = sqrtf(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);

        for (int c = 0; c < 4; c++)
            directions[i][c] = c < 3 ? s[c] / length : s[c];
    }
    for (int pass = 0; pass < 2; pass++) {
        if (!view_use(draw, pass == 0 ? "sky" : "gather", ""))
            return;
        glUniform3iv(glGetUniformLocation(draw->program, "coarse"), 1, light->coarse);
        glUniform2iv(glGetUniformLocation(draw->program, "tile"), VIEW_SKIES, light->tile[0]);
        view_set_many(draw, "skies", 4, VIEW_SKIES, directions[0]);
        if (pass == 1) {
            view_bind(draw, "arrived", GL_TEXTURE_3D, light->arrived);
            fill_layers(draw, light->sky, light->coarse);
            break;
        }
        view_bind(draw, "depth", GL_TEXTURE_3D, light->depth);
        view_bind(draw, "before", GL_TEXTURE_2D, light->tiles[1].texture);
        float size[2] = {(float)light->tiles[0].width, (float)light->tiles[0].height};

        view_set(draw, "target", 2, size);
        glViewport(0, 0, light->tiles[0].width, light->tiles[0].height);
        GLint plane = glGetUniformLocation(draw->program, "plane");
        GLint first = glGetUniformLocation(draw->program, "first");

        glActiveTexture((GLenum)(GL_TEXTURE0 + draw->unit - 1)); // that `before` is bound to
        for (int p = 0; p < light->planes; p++) {
            glUniform1i(plane, p);
            glUniform1i(first, p == 0);
            glBindTexture(GL_TEXTURE_2D, light->tiles[1 - (p & 1)].texture);
            begin_layer(draw, light->arrived, p, light->tiles[p & 1].texture);
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, VIEW_SKIES);
        }
    }
}

static void sweep_lamp(view_draw *draw, const view_look *look, const scene *of, int moment,
                       GLuint density, GLuint body)
{
    view_light *light = &draw->light;
    view_moment *at = &draw->moments[moment];
    int axis = of->axis, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    int wide = draw->grid.n[u] + 2, tall = draw->grid.n[v] + 2, planes = draw->grid.n[axis] + 2;
    float along = fabsf(of->light[axis]);
    GLuint *smoke = &at->smoke[draw->colour];
    char macros[32];

    if (*smoke != 0 && at->smoke_axis[draw->colour] != axis)
        view_delete_texture(smoke);
    if (*smoke == 0)
        view_texture(smoke, volume_format(draw, 4), wide, tall, planes, NULL, 4);
    at->smoke_axis[draw->colour] = axis;
    for (int i = 0; i < 2; i++)
        view_target_make(&light->plane[i], GL_RG32F, wide, tall);
    snprintf(macros, sizeof macros, "AXIS=%d%s%s", axis, of->has_solid ? " SOLID" : "",
             draw->veined ? " VEINS" : "");
    if (!view_use(draw, "sweep", macros))
        return;
    set_cells(draw, look, of, density, body);
    view_bind(draw, "sky", GL_TEXTURE_3D, light->sky);
    view_bind(draw, "before", GL_TEXTURE_2D, light->plane[1].texture);
    view_set(draw, "from", 2, (float[2]){of->light[u] / along, of->light[v] / along});
    view_set1f(draw, "path", 1.0f / along);
    glViewport(0, 0, wide, tall);
    GLint plane = glGetUniformLocation(draw->program, "plane");
    GLint first = glGetUniformLocation(draw->program, "first");

    glActiveTexture((GLenum)(GL_TEXTURE0 + draw->unit - 1));
    for (int p = 0; p < planes; p++) {
        int layer = of->light[axis] > 0.0f ? planes - 1 - p : p;

        glUniform1i(plane, layer);
        glUniform1i(first, p == 0);
        glBindTexture(GL_TEXTURE_2D, light->plane[1 - (p & 1)].texture);
        begin_layer(draw, *smoke, layer, light->plane[p & 1].texture);
        view_fill();
    }
}

// Of clear ink without solids, which lets light pass and sends none on.
static void fill_ink(view_draw *draw, const view_look *look, const scene *of, int moment,
                     GLuint density)
{
    view_moment *at = &draw->moments[moment];
    GLuint *smoke = &at->smoke[draw->colour];
    int n[3];

    for (int axis = 0; axis < 3; axis++)
        n[axis] = draw->grid.n[axis] + 2;
    if (*smoke != 0 && at->smoke_axis[draw->colour] != of->axis)
        view_delete_texture(smoke);
    if (*smoke == 0)
        view_texture(smoke, volume_format(draw, 4), n[0], n[1], n[2], NULL, 4);
    at->smoke_axis[draw->colour] = of->axis;
    if (!view_use(draw, "fill", "AXIS=2"))
        return;
    set_cells(draw, look, of, density, 0);
    view_bind(draw, "sky", GL_TEXTURE_3D, draw->light.sky);
    fill_layers(draw, *smoke, n);
}

static void light_cells(view_draw *draw, const view_look *look, const scene *of, int moment)
{
    view_moment *at = &draw->moments[moment];
    bool flows = view_flow_shown(draw, look);
    float key[VIEW_LIGHT_KEY] = {of->light[0],
                                 of->light[1],
                                 of->light[2],
                                 look->settings.density_scale,
                                 look->settings.shadow ? 1.0f : 0.0f,
                                 of->has_solid ? 1.0f : 0.0f,
                                 of->has_smoke ? 1.0f : 0.0f,
                                 draw->shines ? -1.0f : (float)draw->smoke,
                                 flows ? look->settings.texture_contrast : -1.0f,
                                 of->inks ? 1.0f : 0.0f};
    int colour = draw->colour;

    if (at->smoke_made[colour] && memcmp(key, at->smoke_key[colour], sizeof key) == 0)
        return;
    make_light(draw);
    GLuint density = of->has_smoke ? view_field_texture(draw, moment, draw->smoke, VIEW_AS_IS) : 0;
    bool own = draw->solid >= 0 && at->has[draw->solid];
    GLuint body = of->has_solid ? view_body_texture(draw, own ? moment : of->solid[0]) : 0;

    flows = flows && view_flow_volume(draw, look, (int[2]){moment, moment}, 1.0f);
    draw->veined = flows;
    // The sky's light changes slowly; where speed counts every other frame does without a new one.
    bool coarse = draw->software && look->inner_width > 0;
    bool again = memcmp(key, draw->light.sky_key, sizeof key) == 0 && draw->light.sky_fresh;

    // Without solids ink shows the sky's light on the floor alone.
    if ((!coarse || !again) && (!of->inks || look->settings.floor)) {
        sweep_skies(draw, look, of, density, body);
        memcpy(draw->light.sky_key, key, sizeof key);
    }
    draw->light.sky_fresh = !(coarse && again);
    if (of->inks)
        fill_ink(draw, look, of, moment, density);
    else
        sweep_lamp(draw, look, of, moment, density, body);
    memcpy(at->smoke_key[colour], key, sizeof key);
    at->smoke_made[colour] = true;
    draw->light.floor_made = false;
}

// Light that reaches the floor: the map covers the domain's foot and how far its top casts shadows.
static void light_floor(view_draw *draw, const view_look *look, const scene *of, const char *macros)
{
    view_light *light = &draw->light;
    const int *n = draw->grid.n;
    float cell = look->inner_width > 0 ? 2.0f : 1.0f;
    int size[2];

    for (int side = 0; side < 2; side++) {
        int axis = side == 0 ? 0 : 2;
        float up = of->light[1];
        float reach = up > 0.05f ? (float)n[1] * -of->light[axis] / up : 0.0f;
        float most = 3.0f * (float)n[1];
        int cast = (int)fminf(fmaxf(reach, -most), most);

        light->floor_low[side] = (float)(-1 + (cast < 0 ? cast : 0));
        size[side] = (int)((float)(n[axis] + 4 + abs(cast)) / cell) + 1;
        size[side] = size[side] < draw->most[0] ? size[side] : draw->most[0];
    }
    if (light->floor_made && light->floor_of == of->smoke[0] && light->floor_cell == cell)
        return;
    GLuint dyes = of->inks ? view_dyes_texture(draw, of->smoke[0], false) : 0;

    light->floor_made = true;
    light->floor_of = of->smoke[0];
    light->floor_cell = cell;
    view_target_make(&light->floor, of->inks ? GL_RGBA16F : GL_R16F, size[0], size[1]);
    if (!view_use(draw, "floor", macros))
        return;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, light->floor.framebuffer);
    glViewport(0, 0, size[0], size[1]);
    set_cells(draw, look, of, 0, of->has_solid ? view_body_texture(draw, of->solid[0]) : 0);
    view_bind(draw, "smoke", GL_TEXTURE_3D, draw->moments[of->smoke[0]].smoke[draw->colour]);
    view_bind(draw, "dyes_later", GL_TEXTURE_3D, dyes);
    view_set(draw, "light", 3, of->light);
    view_set(draw, "floor_low", 2, light->floor_low);
    view_set1f(draw, "floor_cell", cell);
    view_fill();
}

// ---- rays --------------------------------------------------------------------------------------

// The table runs to 4000 K; what is hotter keeps the last colour. Beside it what it sums up to.
static GLuint glow_texture(view_draw *draw, const view_look *look)
{
    float key[3] = {look->settings.glow_intensity, (float)draw->grid.n[1], 0.0f};
    float colours[2][VIEW_GLOW][4] = {0};

    if (draw->glow != 0 && memcmp(key, draw->glow_key, sizeof key) == 0)
        return draw->glow;
    for (int i = 0; i < VIEW_GLOW; i++) {
        // Per cell, so that resolution counts out.
        float strength = 0.6f * key[0] * 96.0f / key[1];

        gyre_black_body(4000.0f * (float)i / (float)(VIEW_GLOW - 1), colours[0][i]);
        for (int c = 0; c < 3; c++) {
            colours[0][i][c] *= strength;
            if (i > 0)
                colours[1][i][c] =
                    colours[1][i - 1][c] + 0.5f * (colours[0][i - 1][c] + colours[0][i][c]);
        }
    }
    view_texture(&draw->glow, GL_RGBA32F, VIEW_GLOW, 2, 0, colours, 4);
    memcpy(draw->glow_key, key, sizeof key);
    return draw->glow;
}

static scene look_at(const view_draw *draw, const view_look *look)
{
    scene of = {.blend = look->blend};
    float length = 0.0f, blend = look->blend;
    int pair[2];

    of.has_smoke = view_pair(draw, draw->smoke, &blend, pair);
    blend = look->blend;
    of.has_heat = look->settings.glow && view_pair(draw, draw->temperature, &blend, of.heat);
    blend = look->blend;
    of.has_flame = view_pair(draw, draw->flame, &blend, of.flame);
    of.lit = view_look_lights_smoke(look) && of.has_smoke;
    blend = look->blend;
    if (!of.has_smoke && !of.has_heat && of.has_flame) {
        view_pair(draw, draw->flame, &blend, pair);
    } else if (!of.has_smoke && !of.has_heat) {
        pair[0] = pair[1] = draw->later;
        blend = 1.0f;
    } else if (!of.has_smoke) {
        memcpy(pair, of.heat, sizeof pair);
    } else {
        view_pair(draw, draw->smoke, &blend, pair);
    }
    memcpy(of.smoke, pair, sizeof pair);
    of.mix = pair[0] != pair[1];
    of.blend = blend;
    // A frame without temperature beside one that has it does not stop the glow.
    if (of.has_heat && of.mix && of.heat[0] == of.heat[1])
        of.heat[1] = of.heat[0];
    float solid_blend = look->blend;

    of.has_solid = view_solid_pair(draw, look, &solid_blend, of.solid);
    if (of.has_solid && of.solid[0] != of.solid[1] && solid_blend < 0.5f)
        of.solid[0] = of.solid[1]; // surfaces are not mixed: the nearer of the two frames
    memcpy(of.light, look->light.direction, sizeof of.light);
    for (int i = 0; i < 3; i++)
        length += of.light[i] * of.light[i];
    length = sqrtf(length);
    for (int i = 0; i < 3; i++)
        of.light[i] = length > 1e-18f && length < 1e18f ? of.light[i] / length : i == 0;
    for (int i = 1; i < 3; i++) {
        if (fabsf(of.light[i]) > fabsf(of.light[of.axis]))
            of.axis = i;
    }
    return of;
}

static void set_heat(view_draw *draw, const view_look *look, const scene *of)
{
    GLuint earlier = view_field_texture(draw, of->heat[1], draw->temperature, VIEW_AS_IS);
    GLuint later = view_field_texture(draw, of->heat[0], draw->temperature, VIEW_AS_IS);
    GLuint glow = glow_texture(draw, look);

    view_bind(draw, "heat_later", GL_TEXTURE_3D, later);
    view_bind(draw, "heat_earlier", GL_TEXTURE_3D, earlier);
    view_bind(draw, "glow", GL_TEXTURE_2D, glow);
    view_set1f(draw, "heat_scale", look->settings.glow_scale / 4000.0f);
}

static void set_flame(view_draw *draw, const view_look *look, const scene *of)
{
    GLuint earlier = view_field_texture(draw, of->flame[1], draw->flame, VIEW_AS_IS);
    GLuint later = view_field_texture(draw, of->flame[0], draw->flame, VIEW_AS_IS);
    float light[3];

    view_flame_light(draw, look, light);
    view_bind(draw, "flame_later", GL_TEXTURE_3D, later);
    view_bind(draw, "flame_earlier", GL_TEXTURE_3D, earlier);
    view_set(draw, "flame_light", 3, light);
}

static void set_own_light(view_draw *draw, const view_look *look, const scene *of)
{
    GLuint earlier = view_own_light(draw, of->smoke[1], look);
    GLuint later = view_own_light(draw, of->smoke[0], look);

    view_bind(draw, "own_later", GL_TEXTURE_3D, later);
    view_bind(draw, "own_earlier", GL_TEXTURE_3D, earlier);
    view_set(draw, "own_cells", 3, draw->moments[of->smoke[0]].own_cells);
    view_set(draw, "sends", 3, look->settings.albedo);
}

static void set_rays(view_draw *draw, const view_look *look, const scene *of, bool coarse)
{
    static const int axes[3] = {0, 1, 2};
    const gyre_view_settings *s = &look->settings;
    const view_light *light = &draw->light;
    float cell = light->floor_cell;

    view_set_camera(draw, look, axes, 0.5f);
    view_set_colours(draw, look);
    view_set(draw, "light", 3, of->light);
    view_set(draw, "solid_colour", 3, s->solid_colour);
    view_set(draw, "floor_colour", 3, s->floor_colour);
    view_set1f(draw, "anisotropy", s->anisotropy);
    view_set1f(draw, "blend", of->blend);
    // The offline renderer's own spacing is 0.8.
    view_set1f(draw, "spacing", coarse ? 1.1f : draw->software ? 0.8f : 0.5f);
    view_set(draw, "active_low", 3, of->active[0]);
    view_set(draw, "active_high", 3, of->active[1]);
    view_set(draw, "solid_low", 3, of->solids[0]);
    view_set(draw, "solid_high", 3, of->solids[1]);
    view_set(draw, "floor_low", 2,
             (float[2]){light->floor_low[0] - 0.5f * cell, light->floor_low[1] - 0.5f * cell});
    view_set(draw, "floor_size", 2,
             (float[2]){(float)light->floor.width * cell, (float)light->floor.height * cell});
    view_bind(draw, "bricks", GL_TEXTURE_3D, draw->bricks);
    view_bind(draw, "floor_shadow", GL_TEXTURE_2D, light->floor.texture);
    view_bind(draw, "smoke_later", GL_TEXTURE_3D, draw->moments[of->smoke[0]].smoke[draw->colour]);
    view_bind(draw, "smoke_earlier", GL_TEXTURE_3D,
              draw->moments[of->smoke[1]].smoke[draw->colour]);
}

static void set_dyes(view_draw *draw, const view_look *look, const scene *of)
{
    float pick[3] = {0.0f};
    GLuint earlier = view_dyes_texture(draw, of->smoke[1], false);
    GLuint later = view_dyes_texture(draw, of->smoke[0], false);

    pick[draw->colour] = 1.0f;
    view_bind(draw, "dyes_later", GL_TEXTURE_3D, later);
    view_bind(draw, "dyes_earlier", GL_TEXTURE_3D, earlier);
    view_set(draw, "pick", 3, pick);
    view_set1f(draw, "shine", look->settings.density_scale * draw->grid.h);
    view_set1f(draw, "cloudiness", look->settings.cloudiness);
}

// Clear ink without solids, in one pass. False: there is more in the picture.
static bool paint_inks(view_draw *draw, const view_look *look)
{
    static const char *const names[3][2] = {{"smoke_later", "smoke_earlier"},
                                            {"green_later", "green_earlier"},
                                            {"blue_later", "blue_earlier"}};
    bool coarse = look->inner_width > 0 && look->inner_width < draw->rect[2];
    char macros[96];

    draw->smoke = VIEW_SUM + 1;
    scene of = look_at(draw, look);

    if (!make_bricks(draw, look, &of) || of.has_solid || view_flow_shown(draw, look))
        return false;
    of.inks = true;
    of.axis = 2; // nothing is swept: planes lie as cells do
    draw->veined = false;
    for (int i = 0; i < (of.mix ? 2 : 1); i++) {
        for (int c = 0; c < 3; c++) {
            draw->colour = c;
            draw->smoke = VIEW_SUM + 1 + c;
            light_cells(draw, look, &of, of.smoke[i]);
        }
    }
    draw->colour = 0;
    if (look->settings.floor)
        light_floor(draw, look, &of, "AXIS=2 INKS");
    snprintf(macros, sizeof macros, "AXIS=2 INKS%s%s%s", of.mix ? " MIX" : "",
             of.has_heat ? " GLOW" : "", look->settings.floor ? " FLOOR" : "");
    if (!view_use(draw, "volume", macros))
        return true;
    set_cells(draw, look, &of, 0, 0);
    set_rays(draw, look, &of, coarse);
    for (int c = 1; c < 3; c++) {
        for (int m = 0; m < 2; m++)
            view_bind(draw, names[c][m], GL_TEXTURE_3D, draw->moments[of.smoke[m]].smoke[c]);
    }
    if (of.has_heat)
        set_heat(draw, look, &of);
    set_dyes(draw, look, &of);
    bool whole = view_begin_inner(draw, look);

    view_fill();
    if (!whole)
        view_end_inner(draw, look, false);
    return true;
}

// Draws the colours of one pass; `dyes`: what the shader asks of the mixture, or "".
static void paint_pass(view_draw *draw, const view_look *look, const char *dyes, bool one_colour,
                       bool last)
{
    scene of = look_at(draw, look);
    bool coarse = look->inner_width > 0 && look->inner_width < draw->rect[2];
    char macros[112], veins[64] = "";

    if (!make_bricks(draw, look, &of)) {
        view_paint_empty(draw, look);
        return;
    }
    for (int i = 0; i < (of.mix ? 2 : 1); i++)
        light_cells(draw, look, &of, of.smoke[i]);
    draw->veined = view_flow_volume(draw, look, of.smoke, of.blend);
    if (draw->veined) {
        char own[32];
        const char *still = of.has_flame || of.lit ? " STILL" : "";

        // Of a picture that is enlarged pixels are hardly smaller than cells.
        snprintf(veins, sizeof veins, " VEINS %s%s%s", view_flow_macros(draw, own, sizeof own),
                 coarse ? " COARSE" : "", still);
    }
    snprintf(macros, sizeof macros, "AXIS=%d%s%s%s%s%s%s%s%s%s", of.axis,
             of.has_solid ? " SOLID" : "", of.has_solid && !coarse ? " FINE" : "",
             of.mix ? " MIX" : "", of.has_heat ? " GLOW" : "", of.has_flame ? " FLAME" : "",
             of.lit ? " OWN" : "", look->settings.floor ? " FLOOR" : "", dyes, veins);
    if (look->settings.floor) {
        char shadow[32];

        snprintf(shadow, sizeof shadow, "AXIS=%d%s%s", of.axis, of.has_solid ? " SOLID" : "",
                 draw->veined ? " VEINS" : "");
        draw->light.floor_made = draw->light.floor_made && !one_colour;
        light_floor(draw, look, &of, shadow);
    }
    GLuint body = of.has_solid ? view_body_texture(draw, of.solid[0]) : 0;

    if (!view_use(draw, "volume", macros))
        return;
    set_cells(draw, look, &of, 0, body);
    set_rays(draw, look, &of, coarse);
    if (of.has_heat)
        set_heat(draw, look, &of);
    if (of.has_flame)
        set_flame(draw, look, &of);
    if (of.lit)
        set_own_light(draw, look, &of);
    if (dyes[0] != '\0')
        set_dyes(draw, look, &of);
    if (draw->veined)
        view_flow_set_volume(draw, look);
    bool whole = view_begin_inner(draw, look);

    glColorMask(!one_colour || draw->colour == 0, !one_colour || draw->colour == 1,
                !one_colour || draw->colour == 2, GL_TRUE);
    view_fill();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    if (!whole && last)
        view_end_inner(draw, look, of.has_solid);
}

// Inks are drawn once for each colour of the light, as the offline renderer draws them, unless all
// that is seen through them is the floor.
void view_paint_volume(view_draw *draw, const view_look *look)
{
    view_mixing mixing = view_mix(draw, look);
    view_look own = *look;
    gyre_view_settings *s = &own.settings;
    bool ink = mixing == VIEW_INKS, cloudy = ink && s->cloudiness > 0.0f;

    for (int c = 0; c < 3; c++) {
        // Colours lie in the mixture; ink that is clear sends nothing on.
        if (mixing != VIEW_ONE)
            s->albedo[c] = ink && !cloudy ? 0.0f : 1.0f;
        if (ink)
            s->background_top[c] = s->background_bottom[c] = s->paper[c];
        draw->page[c] = s->paper[c] * s->exposure;
    }
    draw->on_paper = ink && look->transparent;
    draw->shines = mixing == VIEW_LIGHTS;
    draw->flame = view_flame_of(draw, look);
    draw->smoke = mixing == VIEW_ONE ? draw->density : VIEW_SUM;
    bool at_once = ink && !cloudy && paint_inks(draw, &own);

    for (int colour = 0; colour < (ink ? 3 : 1) && !at_once; colour++) {
        draw->colour = colour;
        draw->smoke = ink ? VIEW_SUM + 1 + colour : draw->smoke;
        paint_pass(draw, &own,
                   mixing == VIEW_SMOKES ? " TINT"
                   : draw->shines        ? " SHINE"
                   : cloudy              ? " CLOUDY"
                                         : "",
                   ink, colour == 2 || !ink);
    }
    // Particles are dimmed as green light is.
    draw->smoke = ink ? VIEW_SUM + 2 : draw->smoke;
    draw->colour = 0;
    draw->on_paper = false;
}
