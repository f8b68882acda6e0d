// view/window/picture.c: pictures in and out.
#include "view/app.h"

#include <epoxy/gl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void picture_name(const char *ending, char *path, size_t size)
{
    for (int i = 1; i < 10000; i++) {
        snprintf(path, size, "gyre-%04d.%s", i, ending);
        FILE *there = fopen(path, "rb");
        if (!there) {
            return;
        }
        fclose(there);
    }
}

void picture_save(view_app *app, const char *path)
{
    int width = app->window.width - app->window.left;
    uint8_t *rgb = malloc(3 * (size_t)width * (size_t)app->window.height);
    if (!rgb) {
        app_note(app, true, "%s: no memory for a picture", path);
        return;
    }
    // Without lettering: the scene is painted once more.
    show_paint(app);
    view_draw_read(app->window.left, 0, width, app->window.height, rgb);
    if (gyre_png_write(path, width, app->window.height, 3, rgb)) {
        app_note(app, true, "%s", gyre_message());
    } else {
        app_note(app, false, "%s is written", path);
    }
    free(rgb);
}

gyre_result picture_window(view_app *app, const char *path)
{
    uint8_t *rgb = malloc(3 * (size_t)app->window.width * (size_t)app->window.height);
    if (!rgb) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a picture", path);
    }
    view_draw_read(0, 0, app->window.width, app->window.height, rgb);
    gyre_result result = gyre_png_write(path, app->window.width, app->window.height, 3, rgb);
    free(rgb);
    return result;
}

uint8_t *picture_load(const char *path, int *width, int *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) {
        return NULL;
    }
    image.format = PNG_FORMAT_RGBA;
    uint8_t *rgba = malloc(PNG_IMAGE_SIZE(image));
    if (!rgba || !png_image_finish_read(&image, NULL, rgba, 0, NULL)) {
        png_image_free(&image);
        free(rgba);
        return NULL;
    }
    *width = (int)image.width;
    *height = (int)image.height;
    return rgba;
}

uint32_t picture_texture(const uint8_t *rgba, int width, int height)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    return texture;
}
