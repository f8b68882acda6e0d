// view/draw/flow.c: textures that flow with a gas, as the offline renderer draws them
// (src/render/texture.c has the formula). Of each phase the fields of a frame become one texture of
// places, mixed between two frames; of a phase that begins anew between them the later frame's.
// Cost: of a map three phases of 16 places and up to 8 texels a pixel.
#include "view/draw/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2048 }; // texels along a side that a card is given; halvings of larger ones

static const char *const x_y_z[3] = {"x", "y", "z"};

void view_flow_take(view_draw *draw, view_moment *moment, const view_frame *frame)
{
    const gyre_texels *old = draw->texture.texels;
    const view_flow *flow = &frame->flow;

    moment->flow = *flow;
    moment->flow.texels = NULL;
    if (flow->phases == 0 || flow->texels == old)
        return;
    view_flow_forget(draw);
    gyre_texels_hold(flow->texels);
    draw->texture.texels = flow->texels;
    gyre_texels_read(flow->texels, &draw->texture.is);
}

void view_flow_forget(view_draw *draw)
{
    view_texels *t = &draw->texture;

    view_delete_texture(&t->image);
    view_delete_texture(&t->solid);
    view_delete_texture(&t->colour);
    view_delete_texture(&t->alike);
    view_delete_texture(&t->veins);
    for (int p = 0; p < GYRE_TEXTURE_PHASES; p++)
        view_delete_texture(&t->places[p]);
    gyre_texels_destroy(t->texels);
    *t = (view_texels){0};
}

bool view_flow_shown(const view_draw *draw, const view_look *look)
{
    const view_moment *moment = &draw->moments[draw->later];
    bool shown = look->textured && look->settings.texture[0] != '\0' && moment->flow.phases > 0 &&
                 (look->mode == VIEW_MAP || look->mode == VIEW_VOLUME);

    for (int p = 0; p < moment->flow.phases && shown; p++) {
        for (int a = 0; a < draw->grid.dim; a++) {
            int field = moment->flow.field[p][a];

            shown = shown && field >= 0 && field < draw->field_count && moment->has[field];
        }
    }
    return shown;
}

// ---- what flows --------------------------------------------------------------------------------

// Levels of an image or of a volume from the first that is small enough on. Gives which that is.
static int upload(GLuint *texture, int levels, const int *n, int dims, const float *const *data,
                  int parts)
{
    GLenum kind = dims == 3 ? GL_TEXTURE_3D : GL_TEXTURE_2D, order = parts == 3 ? GL_RGB : GL_RED;
    GLint format = (GLint)view_gl_format(parts == 3 ? GL_RGB16 : GL_R32F);
    int first = 0, most = dims == 3 ? 256 : LONGEST;

    while (first + 1 < levels && (n[dims * first] > most || n[dims * first + 1] > most ||
                                  (dims == 3 && n[dims * first + 2] > most)))
        first++;
    glGenTextures(1, texture);
    glActiveTexture(GL_TEXTURE15);
    glBindTexture(kind, *texture);
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexParameteri(kind, GL_TEXTURE_WRAP_R, GL_REPEAT);
    glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, levels - 1 - first);
    for (int l = first; l < levels; l++) {
        const int *of = n + dims * l;

        if (dims == 3)
            glTexImage3D(kind, l - first, format, of[0], of[1], of[2], 0, order, GL_FLOAT, data[l]);
        else
            glTexImage2D(kind, l - first, format, of[0], of[1], 0, order, GL_FLOAT, data[l]);
    }
    return first;
}

// Whether the solid texture is what is asked for its places.
static bool is_solid(const view_draw *draw, bool volume)
{
    const gyre_texels_view *is = &draw->texture.is;

    return volume ? is->solid_levels > 0 : is->levels == 0;
}

static void need_texels(view_draw *draw, bool volume)
{
    view_texels *t = &draw->texture;
    const gyre_texels_view *is = &t->is;
    bool solid = is_solid(draw, volume);
    const float *alike = solid ? is->solid_alike : is->alike;

    if (solid && volume && t->solid == 0)
        t->first = upload(&t->solid, is->solid_levels, is->solid_n[0], 3, is->solid, 1);
    if (solid && !volume && t->colour == 0)
        t->first = upload(&t->colour, is->solid_levels, is->solid_n[0], 3, is->colour, 3);
    if (!solid && t->image == 0)
        t->first = upload(&t->image, is->levels, is->n[0], 2, is->level, 3);
    if (t->alike != 0 && t->alike_solid != solid)
        view_delete_texture(&t->alike);
    if (t->alike == 0)
        view_texture(&t->alike, GL_R32F, GYRE_TEXEL_ALIKE, 1, 0, alike, 1);
    t->alike_solid = solid;
}

static float per_metre(const view_draw *draw, const view_flow *flow, bool solid)
{
    const gyre_texels_view *is = &draw->texture.is;

    return (float)(solid ? is->solid_n[0][0] : is->n[0][0]) / flow->size;
}

// Of phase p at a moment between two: which of them its places are taken from, how much of each.
typedef struct phase_mix {
    int from[2];
    float blend, weight, offset[3];
} phase_mix;

static phase_mix mix_phase(const view_draw *draw, const int pair[2], float blend, int p)
{
    const view_flow *later = &draw->moments[pair[0]].flow, *earlier = &draw->moments[pair[1]].flow;
    phase_mix mix = {{pair[0], pair[1]}, blend, later->weight[p], {0}};
    bool anew = later->age[p] < earlier->age[p] || earlier->phases != later->phases;

    memcpy(mix.offset, later->offset[p], sizeof mix.offset);
    if (earlier->phases == later->phases)
        mix.weight = earlier->weight[p] + (later->weight[p] - earlier->weight[p]) * blend;
    if (anew) {
        // Its weight is near 0 then.
        mix.from[1] = pair[0];
        mix.blend = 1.0f;
    }
    return mix;
}

// What shaders ask of the texture.
static void set_texels(view_draw *draw, const int pair[2], float blend, bool volume)
{
    view_texels *t = &draw->texture;
    const gyre_texels_view *is = &t->is;
    const view_flow *flow = &draw->moments[pair[0]].flow;
    bool solid = is_solid(draw, volume);
    float weights[GYRE_TEXTURE_PHASES] = {0.0f}, offsets[GYRE_TEXTURE_PHASES][3] = {{0.0f}};
    float period[3] = {1.0f, 1.0f, 1.0f};

    for (int a = 0; a < (solid ? 3 : 2); a++)
        period[a] = (float)(solid ? is->solid_n[0][a] : is->n[0][a]);
    for (int p = 0; p < flow->phases; p++) {
        phase_mix mix = mix_phase(draw, pair, blend, p);

        weights[p] = mix.weight;
        for (int a = 0; a < 3; a++)
            offsets[p][a] = mix.offset[a] + draw->grid.origin[a] - flow->origin[a];
    }
    view_set(draw, "weights", 3, weights);
    view_set_many(draw, "offsets", 3, GYRE_TEXTURE_PHASES, offsets[0]);
    view_set(draw, "period", 3, period);
    view_set1f(draw, "cell", draw->grid.h);
    view_set1f(draw, "per_metre", per_metre(draw, flow, solid));
    view_set1f(draw, "reach", solid ? is->solid_reach : is->reach);
    view_set1i(draw, "first_level", t->first);
    view_set1i(draw, "levels", (solid ? is->solid_levels : is->levels) - 1);
    view_set(draw, "mean", 3, is->mean);
    view_set1f(draw, "spread", is->spread);
    view_bind(draw, "alike", GL_TEXTURE_2D, t->alike);
    view_bind(draw, "image", GL_TEXTURE_2D, t->image);
    view_bind(draw, "solid_texture", GL_TEXTURE_3D, volume ? t->solid : t->colour);
}

bool view_draw_picture(view_draw *draw, int width, int height, const uint8_t *rgba)
{
    view_texels *t = &draw->texture;
    gyre_texels_view *is = &t->is;
    double sum[3] = {0};
    size_t count = (size_t)width * (size_t)height;
    int l = 0;

    if (t->texels == NULL || is->levels == 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            sum[c] += (double)rgba[4 * i + (size_t)c];
    }
    for (int c = 0; c < 3; c++)
        is->mean[c] = (float)(sum[c] / (255.0 * (double)count));
    // How alike it is to itself is the first picture's: a moving one changes little by little.
    is->reach *= (float)width / (float)is->n[0][0];
    is->n[0][0] = width;
    is->n[0][1] = height;
    while (l + 1 < GYRE_TEXEL_LEVELS && (is->n[l][0] > 1 || is->n[l][1] > 1)) {
        for (int a = 0; a < 2; a++)
            is->n[l + 1][a] = is->n[l][a] > 1 ? is->n[l][a] / 2 : 1;
        l++;
    }
    is->levels = l + 1;
    t->first = 0;
    if (t->image == 0 || t->picture[0] != width || t->picture[1] != height) {
        view_delete_texture(&t->image);
        glGenTextures(1, &t->image);
    }
    t->picture[0] = width;
    t->picture[1] = height;
    glActiveTexture(GL_TEXTURE15);
    glBindTexture(GL_TEXTURE_2D, t->image);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glGenerateMipmap(GL_TEXTURE_2D);
    return true;
}

// ---- places ------------------------------------------------------------------------------------

// Metres from each cell of a plane, or of a volume, to where its gas was.
static bool make_places(view_draw *draw, const view_look *look, const int pair[2], float blend,
                        bool volume)
{
    const view_flow *flow = &draw->moments[pair[0]].flow;
    const int *n = draw->grid.n;
    bool space = draw->grid.dim == 3;
    GLenum kind = space ? GL_TEXTURE_3D : GL_TEXTURE_2D;
    int axes[3] = {0, 1, 2}, planes[2] = {0, 0}, size[3];
    float part = 0.0f;

    if (!volume) {
        float at = view_slice_at(look, &draw->grid) - 0.5f;

        view_plane_axes(look, &draw->grid, axes);
        at = space ? fminf(fmaxf(at, 0.0f), (float)(n[axes[2]] - 1)) : 0.0f;
        planes[0] = (int)at;
        planes[1] = planes[0] + 1 < n[axes[2]] ? planes[0] + 1 : planes[0];
        part = at - (float)planes[0];
    }
    for (int i = 0; i < 3; i++)
        size[i] = i == 2 && !volume ? 1 : n[axes[i]];
    view_texels *t = &draw->texture;
    int shape[4] = {size[0], size[1], size[2], volume};

    if (memcmp(shape, t->shape, sizeof shape) != 0) {
        for (int p = 0; p < GYRE_TEXTURE_PHASES; p++)
            view_delete_texture(&t->places[p]);
        memcpy(t->shape, shape, sizeof shape);
    }
    for (int p = 0; p < flow->phases; p++) {
        phase_mix mix = mix_phase(draw, pair, blend, p);
        GLuint fields[2][3] = {{0}};
        view_pass pass;

        for (int a = 0; a < draw->grid.dim; a++) {
            for (int m = 0; m < 2; m++)
                fields[m][a] = view_field_texture(
                    draw, mix.from[m], draw->moments[mix.from[m]].flow.field[p][a], VIEW_AS_IS);
        }
        if (t->places[p] == 0)
            view_texture(&t->places[p], GL_RGBA32F, size[0], size[1], volume ? size[2] : 0, NULL,
                         4);
        if (!view_begin_pass(draw, &pass, "places", mix.from[0] != mix.from[1] ? "MIX" : ""))
            return false;
        for (int a = 0; a < draw->grid.dim; a++) {
            char name[16];

            snprintf(name, sizeof name, "%s_later", x_y_z[a]);
            view_bind(draw, name, kind, fields[0][a]);
            snprintf(name, sizeof name, "%s_earlier", x_y_z[a]);
            view_bind(draw, name, kind, fields[1][a]);
        }
        for (int i = 0; i < 3; i++) {
            static const char *const names[3] = {"across", "along", "deep"};
            GLint unit[3] = {axes[i] == 0, axes[i] == 1, axes[i] == 2};

            glUniform3iv(glGetUniformLocation(draw->program, names[i]), 1, unit);
        }
        glUniform2i(glGetUniformLocation(draw->program, "planes"), planes[0], planes[1]);
        view_set1f(draw, "part", part);
        view_set1f(draw, "blend", mix.blend);
        view_fill_layers(draw, t->places[p], volume, size);
        view_end_pass(draw, &pass);
    }
    return true;
}

static const char *macros_of(const view_draw *draw, const int pair[2], bool volume, char *text,
                             size_t size)
{
    snprintf(text, size, "PHASES=%d%s", draw->moments[pair[0]].flow.phases,
             is_solid(draw, volume) ? " WHOLE" : "");
    return text;
}

static void bind_places(view_draw *draw, bool volume)
{
    static const char *const names[GYRE_TEXTURE_PHASES] = {"places_0", "places_1", "places_2"};

    for (int p = 0; p < GYRE_TEXTURE_PHASES; p++)
        view_bind(draw, names[p], volume ? GL_TEXTURE_3D : GL_TEXTURE_2D, draw->texture.places[p]);
}

bool view_flow_map(view_draw *draw, const view_look *look, char *macros, size_t size)
{
    const view_flow *flow = &draw->moments[draw->later].flow;
    float blend = look->blend;
    int pair[2];

    if (!view_flow_shown(draw, look) || !view_pair(draw, flow->field[0][0], &blend, pair))
        return false;
    need_texels(draw, false);
    if (!make_places(draw, look, pair, blend, false))
        return false;
    draw->texture.blend = blend;
    memcpy(draw->texture.pair, pair, sizeof pair);
    macros_of(draw, pair, false, macros, size);
    return true;
}

void view_flow_set_map(view_draw *draw, const view_look *look)
{
    int axes[3];
    const int *n = draw->grid.n;

    view_plane_axes(look, &draw->grid, axes);
    for (int i = 0; i < 3; i++) {
        static const char *const names[3] = {"across", "along", "deep"};
        float unit[3] = {axes[i] == 0 ? 1.0f : 0.0f, axes[i] == 1 ? 1.0f : 0.0f,
                         axes[i] == 2 ? 1.0f : 0.0f};

        view_set(draw, names[i], 3, unit);
    }
    set_texels(draw, draw->texture.pair, draw->texture.blend, false);
    bind_places(draw, false);
    glUniform2i(glGetUniformLocation(draw->program, "plane"), n[axes[0]], n[axes[1]]);
    view_set1f(draw, "contrast", look->settings.texture_contrast);
    view_set1f(draw, "level", draw->grid.dim == 3 ? view_slice_at(look, &draw->grid) : 0.0f);
}

// ---- volumes -----------------------------------------------------------------------------------

bool view_flow_volume(view_draw *draw, const view_look *look, const int pair[2], float blend)
{
    view_texels *t = &draw->texture;
    const int *n = draw->grid.n;
    char macros[32];
    view_pass pass;

    if (!view_flow_shown(draw, look) || draw->moments[pair[0]].flow.phases == 0)
        return false;
    need_texels(draw, true);
    if (!make_places(draw, look, pair, blend, true))
        return false;
    view_need_texture(draw, &t->veins, GL_RG32F, 2);
    if (!view_begin_pass(draw, &pass, "veins", macros_of(draw, pair, true, macros, sizeof macros)))
        return false;
    set_texels(draw, pair, blend, true);
    bind_places(draw, true);
    view_set1f(draw, "contrast", look->settings.texture_contrast);
    view_fill_texture(draw, t->veins, n);
    view_end_pass(draw, &pass);
    t->blend = blend;
    memcpy(t->pair, pair, sizeof t->pair);
    return true;
}

void view_flow_set_volume(view_draw *draw, const view_look *look)
{
    set_texels(draw, draw->texture.pair, draw->texture.blend, true);
    bind_places(draw, true);
    view_set1f(draw, "contrast", look->settings.texture_contrast);
}

const char *view_flow_macros(const view_draw *draw, char *text, size_t size)
{
    return macros_of(draw, draw->texture.pair, true, text, size);
}
