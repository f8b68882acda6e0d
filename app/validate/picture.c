// validate/picture.c: pictures of the page, as data: URLs of PNG files.
#define _POSIX_C_SOURCE 200809L
#include "gyre/io.h"
#include "validate/inner.h"

#include <stdlib.h>
#include <string.h>

/// Writes bytes in base 64: RFC 4648.
static void write_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? (unsigned)bytes[i + 2] : 0);
        fputc(digits[group >> 18], out);
        fputc(digits[group >> 12 & 63], out);
        fputc(left > 1 ? digits[group >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[group & 63] : '=', out);
    }
}

/// The bytes of a file; NULL: it cannot be read.
static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        length = ftell(file);
        rewind(file);
    }
    unsigned char *bytes = length > 0 ? malloc((size_t)length) : NULL;
    if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (file) {
        fclose(file);
    }
    *size = (size_t)length;
    return bytes;
}

/// The picture as the bytes of a file; NULL with gyre_message().
static unsigned char *encode(const gyre_image *image, const char *folder, size_t *size)
{
    static const char name[] = "/picture.png.part";
    size_t room = strlen(folder) + sizeof name;
    unsigned char *bytes = NULL;
    char *path = malloc(room);
    if (path) {
        snprintf(path, room, "%s%s", folder, name);
        bytes = gyre_png_write(path, image->width, image->height, 3, image->rgb)
                    ? NULL
                    : read_all(path, size);
        remove(path);
        free(path);
    }
    return bytes;
}

void validate_picture_write(FILE *out, const validate_picture *picture, const char *folder)
{
    const gyre_image *image = &picture->image;
    size_t size = 0;
    unsigned char *bytes = image->rgb ? encode(image, folder, &size) : NULL;
    fprintf(out, "<figure class=\"shot\"><figcaption>");
    validate_escape(out, picture->of);
    if (bytes) {
        fprintf(out, "</figcaption>\n<img width=\"%d\" height=\"%d\" alt=\"", image->width,
                image->height);
        validate_escape(out, picture->of);
        fputs("\" src=\"data:image/png;base64,", out);
        write_base64(out, bytes, size);
        fputs("\"/></figure>\n", out);
    } else {
        fputs(image->rgb ? ": " : "", out);
        validate_escape(out, image->rgb ? gyre_message() : "");
        fputs("</figcaption></figure>\n", out);
    }
    free(bytes);
}
