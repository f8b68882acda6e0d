// view/draw/pass.c: textures made of textures: a shader that draws all texels of another.
#include "view/draw/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GLenum kind_of(const view_draw *draw)
{
    return draw->grid.dim == 3 ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

bool view_begin_pass(view_draw *draw, view_pass *pass, const char *name, const char *macros)
{
    view_card *card = &draw->card;
    char all[64];

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &pass->framebuffer);
    glGetIntegerv(GL_VIEWPORT, pass->viewport);
    pass->program = draw->program;
    pass->unit = draw->unit;
    snprintf(all, sizeof all, "%s%s", draw->grid.dim == 3 ? "SPACE " : "", macros);
    if (!view_use(draw, name, all)) {
        view_end_pass(draw, pass);
        gyre_fail(GYRE_ERROR_STATE, "the shader %s does not compile here", name);
        return false;
    }
    draw->unit = VIEW_PASS_UNIT;
    if (card->framebuffer == 0)
        glGenFramebuffers(1, &card->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, card->framebuffer);
    glUniform3iv(glGetUniformLocation(draw->program, "n"), 1, draw->grid.n);
    return true;
}

void view_end_pass(view_draw *draw, const view_pass *pass)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)pass->framebuffer);
    glViewport(pass->viewport[0], pass->viewport[1], pass->viewport[2], pass->viewport[3]);
    // When there came to be too many programs, all went.
    draw->program = glIsProgram(pass->program) ? pass->program : 0;
    draw->unit = pass->unit;
    glUseProgram(draw->program);
}

void view_fill_texture(const view_draw *draw, GLuint texture, const int n[3])
{
    view_fill_layers(draw, texture, draw->grid.dim == 3, n);
}

void view_need_texture(const view_draw *draw, GLuint *texture, GLenum format, int channels)
{
    const int *n = draw->grid.n;

    if (*texture == 0)
        view_texture(texture, format, n[0], n[1], draw->grid.dim == 3 ? n[2] : 0, NULL, channels);
}

void view_bind_field(view_draw *draw, const char *name, int moment, int field)
{
    view_bind(draw, name, kind_of(draw), draw->moments[moment].texture[VIEW_AS_IS][field]);
}
