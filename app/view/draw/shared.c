// view/draw/shared.c: fields that are shared: what field.c, map.c and volume.c make of cells on the
// processor, made by shaders to the same values.
#include "view/draw/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GLenum kind_of(const view_draw *draw)
{
    return draw->grid.dim == 3 ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

bool view_pass_kind(view_draw *draw, int moment, int field, view_kind kind, GLuint *made)
{
    view_pass pass;

    if (kind == VIEW_AS_IS)
        return true;
    view_need_texture(draw, made, GL_R32F, 1);
    if (!view_begin_pass(draw, &pass, kind == VIEW_GROWN ? "grow" : "smooth", ""))
        return false;
    view_bind_field(draw, "from", moment, field);
    if (kind == VIEW_GROWN)
        view_bind_field(draw, "solid", moment, draw->solid);
    view_fill_texture(draw, *made, draw->grid.n);
    view_end_pass(draw, &pass);
    return true;
}

bool view_pass_velocity(view_draw *draw, int moment, GLuint *made)
{
    static const char *const names[3] = {"u", "v", "w"};
    bool has[3];
    char macros[32];
    view_pass pass;

    for (int axis = 0; axis < 3; axis++)
        has[axis] = axis < draw->grid.dim && draw->velocity[axis] >= 0 &&
                    draw->moments[moment].has[draw->velocity[axis]];
    snprintf(macros, sizeof macros, "%s%s%s", has[0] ? "HAS_U " : "", has[1] ? "HAS_V " : "",
             has[2] ? "HAS_W " : "");
    view_need_texture(draw, made, draw->grid.dim == 3 ? GL_RGBA32F : GL_RG32F, 4);
    if (!view_begin_pass(draw, &pass, "velocity", macros))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        if (has[axis])
            view_bind_field(draw, names[axis], moment, draw->velocity[axis]);
    }
    view_fill_texture(draw, *made, draw->grid.n);
    view_end_pass(draw, &pass);
    return true;
}

bool view_pass_body(view_draw *draw, int moment, GLuint *made)
{
    view_card *card = &draw->card;
    GLuint from = draw->moments[moment].texture[VIEW_AS_IS][draw->solid];
    view_pass pass;

    for (int i = 0; i < 2; i++)
        view_need_texture(draw, &card->scratch[i], GL_R32F, 1);
    view_need_texture(draw, made, GL_RG32F, 2);
    // Twice along every axis; in 2D the third has one plane, which stays as it is.
    for (int round = 0; round < 6; round++) {
        GLint along[3] = {round % 3 == 0, round % 3 == 1, round % 3 == 2};

        if (!view_begin_pass(draw, &pass, "blur", ""))
            return false;
        glUniform3iv(glGetUniformLocation(draw->program, "along"), 1, along);
        view_bind(draw, "from", kind_of(draw), from);
        view_fill_texture(draw, card->scratch[round & 1], draw->grid.n);
        view_end_pass(draw, &pass);
        from = card->scratch[round & 1];
    }
    if (!view_begin_pass(draw, &pass, "body", ""))
        return false;
    view_bind_field(draw, "share", moment, draw->solid);
    view_bind(draw, "smoothed", kind_of(draw), from);
    view_fill_texture(draw, *made, draw->grid.n);
    view_end_pass(draw, &pass);
    return true;
}

// The four numbers of a mixture, one after the other, as fields.
static bool pick_dyes(view_draw *draw, view_moment *of)
{
    for (int k = 0; k < 4; k++) {
        GLuint *made = &of->texture[VIEW_AS_IS][VIEW_SUM + k];
        float part[4] = {0.0f};
        view_pass pass;

        part[k == 0 ? 3 : k - 1] = 1.0f;
        view_need_texture(draw, made, GL_R32F, 1);
        if (!view_begin_pass(draw, &pass, "pick", ""))
            return false;
        view_set(draw, "part", 4, part);
        view_bind(draw, "from", kind_of(draw), of->dyes[0]);
        view_fill_texture(draw, *made, draw->grid.n);
        view_end_pass(draw, &pass);
    }
    return true;
}

bool view_pass_dyes(view_draw *draw, int moment, const view_dye_part *parts, int count,
                    float cloudiness)
{
    static const float nothing[4] = {0.0f};
    view_moment *of = &draw->moments[moment];
    view_pass pass;

    view_need_texture(draw, &of->dyes[0], GL_RGBA32F, 4);
    if (!view_begin_pass(draw, &pass, "dye", ""))
        return false;
    glFramebufferTexture(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, of->dyes[0], 0);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < count; i++) {
        const view_dye_part *p = &parts[i];
        float part[4] = {0.0f, 0.0f, 0.0f, p->scale};

        if (!of->has[p->field])
            continue;
        for (int k = 0; k < 3; k++)
            part[k] = p->scale * (p->part[k] + cloudiness);
        view_set(draw, "part", 4, part);
        draw->unit = VIEW_PASS_UNIT;
        view_bind_field(draw, "from", moment, p->field);
        view_fill_texture(draw, of->dyes[0], draw->grid.n);
    }
    glDisable(GL_BLEND);
    view_end_pass(draw, &pass);
    return pick_dyes(draw, of);
}

bool view_pass_grown_dyes(view_draw *draw, int moment)
{
    view_moment *of = &draw->moments[moment];
    view_pass pass;

    view_need_texture(draw, &of->dyes[1], GL_RGBA32F, 4);
    if (!view_begin_pass(draw, &pass, "grow", "FOUR"))
        return false;
    view_bind(draw, "from", kind_of(draw), of->dyes[0]);
    view_bind_field(draw, "solid", moment, draw->solid);
    view_fill_texture(draw, of->dyes[1], draw->grid.n);
    view_end_pass(draw, &pass);
    return true;
}

bool view_pass_bricks(view_draw *draw, int moment, const int fields[4], const bool asked[4],
                      const float least[4], uint8_t *bits)
{
    static const char *const names[4] = {"smoke", "solid", "heat", "flame"};
    const int *n = draw->brick_n;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    uint8_t *seen = malloc(4 * count);
    char macros[64];
    view_pass pass;

    snprintf(macros, sizeof macros, "%s%s%s%s", asked[0] ? "HAS_SMOKE " : "",
             asked[1] ? "HAS_SOLID " : "", asked[2] ? "HAS_HEAT " : "",
             asked[3] ? "HAS_FLAME " : "");
    if (draw->card.bricks == 0)
        view_texture(&draw->card.bricks, GL_RGBA8, n[0], n[1], n[2], NULL, 4);
    if (seen == NULL || !view_begin_pass(draw, &pass, "bricks", macros)) {
        free(seen);
        return false;
    }
    view_set(draw, "least", 4, least);
    for (int i = 0; i < 4; i++) {
        if (asked[i])
            view_bind_field(draw, names[i], moment, fields[i]);
    }
    view_fill_texture(draw, draw->card.bricks, n);
    view_end_pass(draw, &pass);
    glActiveTexture(GL_TEXTURE15);
    glBindTexture(GL_TEXTURE_3D, draw->card.bricks);
    glGetTexImage(GL_TEXTURE_3D, 0, GL_RGBA, GL_UNSIGNED_BYTE, seen);
    for (size_t i = 0; i < count; i++)
        bits[i] = (uint8_t)((seen[4 * i] ? 1 : 0) | (seen[4 * i + 1] ? 2 : 0) |
                            (seen[4 * i + 2] ? 4 : 0) | (seen[4 * i + 3] ? 8 : 0));
    free(seen);
    return true;
}

static void set_shade(view_draw *draw, const view_shade *shade, const int size[2])
{
    static const char *const names[3] = {"across", "along", "deep"};
    int count = draw->grid.n[shade->axes[2]];
    // Two neighbouring planes of a volume mixed.
    float at = draw->grid.dim == 3 ? shade->slice - 0.5f : 0.0f;

    at = at > 0.0f ? (at < (float)(count - 1) ? at : (float)(count - 1)) : 0.0f;
    int below = (int)at, above = below + 1 < count ? below + 1 : below;

    for (int i = 0; i < 3; i++) {
        GLint unit[3] = {shade->axes[i] == 0, shade->axes[i] == 1, shade->axes[i] == 2};

        glUniform3iv(glGetUniformLocation(draw->program, names[i]), 1, unit);
    }
    glUniform2i(glGetUniformLocation(draw->program, "size"), size[0], size[1]);
    glUniform2i(glGetUniformLocation(draw->program, "planes"), below, above);
    view_set1f(draw, "part", at - (float)below);
    view_set1f(draw, "low", shade->low);
    view_set1f(draw, "depth", shade->depth);
    view_set1f(draw, "shear", shade->shear);
}

bool view_pass_shade(view_draw *draw, int moment, int field, const view_shade *shade, GLuint *made)
{
    const int size[2] = {draw->grid.n[shade->axes[0]], draw->grid.n[shade->axes[1]]};
    GLuint rows[2] = {0};
    view_pass pass;

    if (*made == 0)
        view_texture(made, GL_R32F, size[0], size[1], 0, NULL, 1);
    if (!view_begin_pass(draw, &pass, "shade", shade->solid >= 0 ? "SOLID" : ""))
        return false;
    // A texture is not read while it is drawn into: rows go to two of them by turns.
    for (int i = 0; i < 2; i++)
        view_texture(&rows[i], GL_R32F, size[0], size[1], 0, NULL, 1);
    set_shade(draw, shade, size);
    view_bind_field(draw, "smoke", moment, field);
    if (shade->solid >= 0)
        view_bind_field(draw, "solid", moment, shade->solid);
    view_bind(draw, "above", GL_TEXTURE_2D, rows[0]);
    glActiveTexture((GLenum)(GL_TEXTURE0 + draw->unit - 1));
    glFramebufferTexture(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, *made, 0);
    glDrawBuffers(2, (GLenum[2]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});
    for (int y = size[1] - 1; y >= 0; y--) {
        glBindTexture(GL_TEXTURE_2D, rows[1 - (y & 1)]);
        glFramebufferTexture(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, rows[y & 1], 0);
        glViewport(0, y, size[0], 1);
        view_fill();
    }
    glFramebufferTexture(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, 0, 0);
    view_end_pass(draw, &pass);
    for (int i = 0; i < 2; i++)
        view_delete_texture(&rows[i]);
    return true;
}
