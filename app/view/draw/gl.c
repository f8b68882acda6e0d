// view/draw/gl.c: shaders by name, textures, framebuffers.
#include "view/draw/parts.h"
#include "view/draw/shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const view_shader *find_shader(const char *name)
{
    for (const view_shader *shader = view_shaders; shader->name != NULL; shader++) {
        if (strcmp(shader->name, name) == 0)
            return shader;
    }
    return NULL;
}

// Macros as lines "#define A" in front of the parts.
static void write_macros(const char *macros, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "#version 330 core\n");

    while (*macros != '\0' && used + 64 < size) {
        size_t length = strcspn(macros, " ");
        int written = snprintf(text + used, size - used, "#define %.*s\n", (int)length, macros);
        char *equals = strchr(text + used, '=');

        if (equals != NULL)
            *equals = ' ';
        used += written > 0 ? (size_t)written : 0;
        macros += length;
        macros += *macros == ' ' ? 1 : 0;
    }
}

static GLuint compile(GLenum kind, const char *name, const char *macros, const char *const *parts)
{
    enum { MOST = 7 };
    char head[512], log[1024] = "";
    const GLchar *text[MOST] = {head};
    GLint size[MOST] = {-1}, done = 0;
    int count = 1;
    GLuint shader = glCreateShader(kind);

    write_macros(macros, head, sizeof head);
    for (int i = 0; parts[i] != NULL && count < MOST; i++) {
        const view_shader *part = find_shader(parts[i]);

        if (part == NULL) {
            fprintf(stderr, "gyre-view: there is no shader %s\n", parts[i]);
            glDeleteShader(shader);
            return 0;
        }
        text[count] = (const GLchar *)part->text;
        size[count++] = (GLint)part->size;
    }
    glShaderSource(shader, count, text, size);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done == GL_FALSE) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        fprintf(stderr, "gyre-view: shader %s (%s) does not compile: %s\n", name, macros, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

// What each program is made of beside its own fragment shader.
typedef struct recipe {
    const char *name, *vertex, *geometry, *shared;
    bool shared_by_vertex;
    const char *also[2]; // parts of the fragment shader
} recipe;

static const recipe recipes[] = {
    {"map", "quad.vert", NULL, "place", false, {"cover"}},
    {"flow", "quad.vert", NULL, "place", false, {"cover", "texel"}},
    {"lic", "quad.vert", NULL, "place", false, {NULL}},
    {"arrow", "arrow.vert", NULL, "place", true, {NULL}},
    {"line", "line.vert", NULL, NULL, false, {NULL}},
    {"stack", "quad.vert", NULL, NULL, false, {NULL}},
    {"points", "points.vert", NULL, NULL, false, {NULL}},
    {"volume", "quad.vert", NULL, "cells", false, {"texel"}},
    {"coarsen", "layer.vert", "layer.geom", "cells", false, {NULL}},
    {"sky", "sky.vert", NULL, NULL, false, {NULL}},
    {"gather", "layer.vert", "layer.geom", NULL, false, {NULL}},
    {"sweep", "quad.vert", NULL, "cells", false, {NULL}},
    {"floor", "quad.vert", NULL, "cells", false, {NULL}},
    {"refine", "quad.vert", NULL, NULL, false, {NULL}},
    {"surface", "surface.vert", NULL, "relief", true, {NULL}},
    {"depth", "surface.vert", NULL, "relief", true, {NULL}},
    {"enlarge", "quad.vert", NULL, NULL, false, {NULL}},
    {"edges", "quad.vert", NULL, NULL, false, {NULL}},
    {"take", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"grow", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"smooth", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"velocity", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"blur", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"body", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"bricks", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"range", "quad.vert", NULL, "field", false, {NULL}},
    {"shade", "quad.vert", NULL, "field", false, {NULL}},
    {"fill", "layer.vert", "layer.geom", "cells", false, {NULL}},
    {"dye", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"pick", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"places", "layer.vert", "layer.geom", "field", false, {NULL}},
    {"veins", "layer.vert", "layer.geom", "field", false, {"texel"}},
};

static GLuint link_program(const recipe *from, const char *macros)
{
    char fragment[64], log[1024] = "";
    GLuint program = glCreateProgram(), shaders[3] = {0};
    GLint done = 0;

    snprintf(fragment, sizeof fragment, "%s.frag", from->name);
    const char *parts[6] = {"common"};
    int count = 1;

    if (from->shared != NULL)
        parts[count++] = from->shared;
    for (int i = 0; i < 2 && from->also[i] != NULL; i++)
        parts[count++] = from->also[i];
    parts[count] = fragment;
    const char *vertex[4] = {"common", from->shared_by_vertex ? from->shared : from->vertex,
                             from->shared_by_vertex ? from->vertex : NULL, NULL};
    const char *geometry[2] = {from->geometry, NULL};

    shaders[0] = compile(GL_FRAGMENT_SHADER, from->name, macros, parts);
    shaders[1] = compile(GL_VERTEX_SHADER, from->vertex, macros, vertex);
    if (from->geometry != NULL)
        shaders[2] = compile(GL_GEOMETRY_SHADER, from->geometry, macros, geometry);
    bool whole = shaders[0] != 0 && shaders[1] != 0 && (from->geometry == NULL || shaders[2] != 0);

    for (int i = 0; i < 3 && shaders[i] != 0; i++)
        glAttachShader(program, shaders[i]);
    if (whole) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &done);
        if (done == GL_FALSE) {
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            fprintf(stderr, "gyre-view: shader %s (%s) does not link: %s\n", from->name, macros,
                    log);
        }
    }
    for (int i = 0; i < 3; i++)
        glDeleteShader(shaders[i]);
    if (done == GL_FALSE) {
        glDeleteProgram(program);
        return 0;
    }
    return program;
}

bool view_use(view_draw *draw, const char *name, const char *macros)
{
    char key[128];
    const recipe *from = NULL;

    snprintf(key, sizeof key, "%s %s", name, macros);
    draw->program = 0;
    draw->unit = 0;
    for (int i = 0; i < draw->program_count; i++) {
        if (strcmp(draw->programs[i].key, key) == 0) {
            draw->program = draw->programs[i].id; // 0: it did not compile the first time either
            glUseProgram(draw->program);
            return draw->program != 0;
        }
    }
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        if (strcmp(recipes[i].name, name) == 0)
            from = &recipes[i];
    }
    if (from != NULL)
        draw->program = link_program(from, macros);
    if (draw->program_count == VIEW_PROGRAMS)
        view_delete_programs(draw);
    view_program *to = &draw->programs[draw->program_count++];

    memcpy(to->key, key, sizeof key);
    to->id = draw->program;
    glUseProgram(draw->program);
    return draw->program != 0;
}

void view_delete_programs(view_draw *draw)
{
    for (int i = 0; i < draw->program_count; i++)
        glDeleteProgram(draw->programs[i].id);
    draw->program_count = 0;
}

void view_set1i(const view_draw *draw, const char *name, int value)
{
    glUniform1i(glGetUniformLocation(draw->program, name), value);
}

void view_set1f(const view_draw *draw, const char *name, float value)
{
    glUniform1f(glGetUniformLocation(draw->program, name), value);
}

void view_set_many(const view_draw *draw, const char *name, int components, int count,
                   const float *values)
{
    GLint at = glGetUniformLocation(draw->program, name);

    switch (components) {
    case 1:
        glUniform1fv(at, count, values);
        break;
    case 2:
        glUniform2fv(at, count, values);
        break;
    case 3:
        glUniform3fv(at, count, values);
        break;
    case 4:
        glUniform4fv(at, count, values);
        break;
    default:
        break;
    }
}

void view_set(const view_draw *draw, const char *name, int components, const float *values)
{
    view_set_many(draw, name, components, 1, values);
}

void view_bind(view_draw *draw, const char *name, GLenum kind, GLuint texture)
{
    GLint at = glGetUniformLocation(draw->program, name);

    if (at < 0)
        return; // this variant has no use for it
    glActiveTexture((GLenum)(GL_TEXTURE0 + draw->unit));
    glBindTexture(kind, texture);
    glUniform1i(at, draw->unit++);
}

void view_fill(void)
{
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void view_texture(GLuint *texture, GLenum format, int width, int height, int depth,
                  const void *data, int channels)
{
    static const GLenum orders[5] = {GL_RED, GL_RED, GL_RG, GL_RGB, GL_RGBA};
    GLenum kind = depth > 0 ? GL_TEXTURE_3D : GL_TEXTURE_2D;
    GLenum numbers = format == GL_R8 || format == GL_RG8 ? GL_UNSIGNED_BYTE : GL_FLOAT;
    bool fresh = *texture == 0;

    if (fresh)
        glGenTextures(1, texture);
    // A unit that no shader uses, so that what is bound for the next drawing stays.
    glActiveTexture(GL_TEXTURE15);
    glBindTexture(kind, *texture);
    if (fresh) {
        glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexParameteri(kind, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
        glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, 0);
    }
    if (kind == GL_TEXTURE_3D && fresh)
        glTexImage3D(kind, 0, (GLint)format, width, height, depth, 0, orders[channels], numbers,
                     data);
    else if (kind == GL_TEXTURE_3D)
        glTexSubImage3D(kind, 0, 0, 0, 0, width, height, depth, orders[channels], numbers, data);
    else if (fresh)
        glTexImage2D(kind, 0, (GLint)format, width, height, 0, orders[channels], numbers, data);
    else
        glTexSubImage2D(kind, 0, 0, 0, width, height, orders[channels], numbers, data);
}

void view_delete_texture(GLuint *texture)
{
    glDeleteTextures(1, texture);
    *texture = 0;
}

void view_target_free(view_target *target)
{
    view_delete_texture(&target->texture);
    glDeleteFramebuffers(1, &target->framebuffer);
    *target = (view_target){0};
}

void view_target_make(view_target *target, GLenum format, int width, int height)
{
    if (target->texture != 0 && target->width == width && target->height == height &&
        target->format == format)
        return;
    view_target_free(target);
    view_texture(&target->texture, format, width, height, 0, NULL, 4);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           target->texture, 0);
    target->width = width;
    target->height = height;
    target->format = format;
}
