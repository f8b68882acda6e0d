// web/plane/read.c: in place of io/png.c and libpng: a module that reads no pictures.
#include "gyre/io.h"

static gyre_result lacks(const char *path)
{
    return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                     "%s: this module holds gases in 2D only, without pictures in PNG, which the "
                     "whole one reads",
                     path);
}

gyre_result gyre_png_read_volume(const char *path, gyre_volume *volume)
{
    (void)volume;
    return lacks(path);
}

gyre_result gyre_png_read(const char *path, int *width, int *height, uint8_t **rgb)
{
    (void)width;
    (void)height;
    (void)rgb;
    return lacks(path);
}
