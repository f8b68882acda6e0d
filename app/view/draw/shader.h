// view/draw/shader.h: the shaders of app/view/draw/shader, put into the program by
// cmake/shaders.cmake.
#ifndef VIEW_SHADER_H
#define VIEW_SHADER_H

#include <stddef.h>

typedef struct view_shader {
    const char *name; // of the file, without .glsl
    const unsigned char *text;
    size_t size;
} view_shader;

/// Ended by one without a name.
extern const view_shader view_shaders[];

#endif
