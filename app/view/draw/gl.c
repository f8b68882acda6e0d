// view/draw/gl.c: shaders by name, textures, framebuffers, and what differs between OpenGL and ES.
#include "view/draw/parts.h"
#include "view/draw/shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- which OpenGL ------------------------------------------------------------------------------

bool view_gl_is_es(void)
{
#ifdef __EMSCRIPTEN__
    return true;
#else
    return !epoxy_is_desktop_gl();
#endif
}

static bool has_extension(const char *name)
{
    GLint count = 0;

    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const char *one = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);

        if (one != NULL && strcmp(one, name) == 0)
            return true;
    }
    return false;
}

// Whether 32-bit floats are read between texels, of the context that was checked last.
static bool whole_floats;

bool view_gl_check(void)
{
    GLint major = 0, minor = 0;
    bool es = view_gl_is_es();

    whole_floats = !es || has_extension("GL_OES_texture_float_linear");

    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (es ? major < 3 : 10 * major + minor < 33) {
        gyre_fail(GYRE_ERROR_STATE,
                  "OpenGL 3.3 or OpenGL ES 3.0 (WebGL 2) is needed; this is %s%d.%d",
                  es ? "OpenGL ES " : "", major, minor);
        return false;
    }
    if (es && !has_extension("GL_EXT_color_buffer_float")) {
        gyre_fail(GYRE_ERROR_STATE, "this OpenGL ES does not draw into floats: it lacks "
                                    "EXT_color_buffer_float");
        return false;
    }
    return true;
}

GLenum view_gl_format(GLenum format)
{
    if (!view_gl_is_es())
        return format;
    switch (format) {
    case GL_RGBA16:
        return GL_RGBA16F;
    case GL_RGB16:
        return GL_RGB16F;
    case GL_R32F:
        return whole_floats ? format : GL_R16F;
    case GL_RG32F:
        return whole_floats ? format : GL_RG16F;
    case GL_RGBA32F:
        return whole_floats ? format : GL_RGBA16F;
    default:
        return format;
    }
}

GLenum view_gl_order(GLenum format)
{
    switch (format) {
    case GL_R8:
    case GL_R16F:
    case GL_R32F:
        return GL_RED;
    case GL_RG8:
    case GL_RG16F:
    case GL_RG32F:
        return GL_RG;
    case GL_RGB16:
    case GL_RGB16F:
        return GL_RGB;
    default:
        return GL_RGBA;
    }
}

int view_gl_samples(GLenum colour, GLenum depth, int most)
{
    const GLenum formats[2] = {colour, depth};
    GLint of = 0;

    glGetIntegerv(GL_MAX_SAMPLES, &of);
    most = of < most ? of : most;
    // In ES a format may have fewer than all have in common.
    for (int i = 0; i < 2 && view_gl_is_es(); i++) {
        of = 0;
        glGetInternalformativ(GL_RENDERBUFFER, formats[i], GL_SAMPLES, 1, &of);
        most = of < most ? of : most;
    }
    return most;
}

void view_gl_clear_depth(void)
{
#ifndef __EMSCRIPTEN__
    if (!view_gl_is_es()) {
        glClearDepth(1.0);
        return;
    }
#endif
    glClearDepthf(1.0f);
}

// ---- shaders -----------------------------------------------------------------------------------

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
    // In ES every kind of number and sampler needs a precision.
    static const char es[] = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                             "precision highp sampler2D;\nprecision highp sampler3D;\n"
                             "precision highp sampler2DShadow;\nprecision highp usampler2D;\n";
    size_t used = (size_t)snprintf(text, size, "%s", view_gl_is_es() ? es : "#version 330 core\n");

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

// Whether it compiles is asked where its program does not link: each question waits for the driver.
static GLuint compile(GLenum kind, const char *macros, const char *const *parts)
{
    enum { MOST = 7 };
    char head[768];
    const GLchar *text[MOST] = {head};
    GLint size[MOST] = {-1};
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

// Why a program does not link: its shaders' own complaints, or its.
static void complain(GLuint program, const GLuint shaders[3], const char *name, const char *macros)
{
    char log[1024];
    bool told = false;

    for (int i = 0; i < 3; i++) {
        GLint done = GL_TRUE;

        if (shaders[i] != 0)
            glGetShaderiv(shaders[i], GL_COMPILE_STATUS, &done);
        if (done == GL_FALSE) {
            log[0] = '\0';
            glGetShaderInfoLog(shaders[i], sizeof log, NULL, log);
            fprintf(stderr, "gyre-view: shader %s (%s) does not compile: %s\n", name, macros, log);
            told = true;
        }
    }
    if (!told) {
        log[0] = '\0';
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fprintf(stderr, "gyre-view: shader %s (%s) does not link: %s\n", name, macros, log);
    }
}

static GLuint link_program(const recipe *from, const char *macros)
{
    char fragment[64];
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

    shaders[0] = compile(GL_FRAGMENT_SHADER, macros, parts);
    shaders[1] = compile(GL_VERTEX_SHADER, macros, vertex);
    // ES has none: view_fill_layers() draws layer by layer there.
    bool layered = from->geometry != NULL && !view_gl_is_es();

    if (layered)
        shaders[2] = compile(GL_GEOMETRY_SHADER, macros, geometry);
    bool whole = shaders[0] != 0 && shaders[1] != 0 && (!layered || shaders[2] != 0);

    for (int i = 0; i < 3 && shaders[i] != 0; i++)
        glAttachShader(program, shaders[i]);
    if (whole) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &done);
        if (done == GL_FALSE)
            complain(program, shaders, from->name, macros);
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

void view_fill_layers(const view_draw *draw, GLuint texture, bool space, const int n[3])
{
    static const GLenum one[1] = {GL_COLOR_ATTACHMENT0};
    GLint at = glGetUniformLocation(draw->program, "layer_now");

    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, 0, 0);
    glDrawBuffers(1, one);
    glViewport(0, 0, n[0], n[1]);
#ifndef __EMSCRIPTEN__
    if (!view_gl_is_es()) {
        glFramebufferTexture(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
        glDrawArraysInstanced(GL_TRIANGLES, 0, 3, n[2]);
        return;
    }
#endif
    for (int layer = 0; layer < n[2]; layer++) {
        if (space)
            glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        else
            glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                   texture, 0);
        glUniform1i(at, layer);
        view_fill();
    }
}

void view_texture(GLuint *texture, GLenum format, int width, int height, int depth,
                  const void *data, int channels)
{
    static const GLenum orders[5] = {GL_RED, GL_RED, GL_RG, GL_RGB, GL_RGBA};
    GLenum kind = depth > 0 ? GL_TEXTURE_3D : GL_TEXTURE_2D;
    // Without data none has an order but the format's own.
    GLenum order = data != NULL ? orders[channels] : view_gl_order(format);
    bool bytes = format == GL_R8 || format == GL_RG8 || format == GL_RGBA8;
    GLenum numbers = bytes ? GL_UNSIGNED_BYTE : GL_FLOAT;
    bool fresh = *texture == 0;

    format = view_gl_format(format);
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
        glTexImage3D(kind, 0, (GLint)format, width, height, depth, 0, order, numbers, data);
    else if (kind == GL_TEXTURE_3D)
        glTexSubImage3D(kind, 0, 0, 0, 0, width, height, depth, order, numbers, data);
    else if (fresh)
        glTexImage2D(kind, 0, (GLint)format, width, height, 0, order, numbers, data);
    else
        glTexSubImage2D(kind, 0, 0, 0, width, height, order, numbers, data);
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
