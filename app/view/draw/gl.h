// view/draw/gl.h: OpenGL as it is here: 3.3 core on desktops, ES 3.0 in browsers (WebGL 2) and
// wherever else a context of that kind is current. The same files draw with both; what differs is
// here and in gl.c.
#ifndef VIEW_GL_H
#define VIEW_GL_H

#include <stdbool.h>

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
// What ES 3.0 lacks and only the branches for desktops name.
enum {
    GL_RGBA16 = 0x805B,
    GL_RGB16 = 0x8054,
    GL_GEOMETRY_SHADER = 0x8DD9,
    GL_FRAMEBUFFER_SRGB = 0x8DB9
};
#else
#include <epoxy/gl.h>
#endif

/// Whether the current context is one of OpenGL ES.
bool view_gl_is_es(void);

/// Checks that the current context can do what is drawn with; false with gyre_message().
bool view_gl_check(void);

/// The format that stands for `format` here: 16-bit numbers are halves in ES, and so are floats
/// where those of 32 bits cannot be read between texels.
GLenum view_gl_format(GLenum format);
/// In what order data of such a texture comes: GL_RED, GL_RG, GL_RGB, GL_RGBA.
GLenum view_gl_order(GLenum format);
/// As many samples as a renderbuffer of both formats can have, at most `most`.
int view_gl_samples(GLenum colour, GLenum depth, int most);

/// What depth is cleared to is the farthest, 1.
void view_gl_clear_depth(void);

#endif
