// io/png.c: pictures through libpng.
//
// libpng leaves by longjmp: the functions that call setjmp keep everything that must be freed in
// png_state, never in variables of their own.
#include "io/format.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct png_state {
    const char *path;
    gy_io_file *file;
    FILE *stream;
    unsigned char *pixels;
    png_bytep *rows;
    float *data;
    int width, height;
    gyre_result failure; // set when the message is
} png_state;

static void on_error(png_structp png, png_const_charp text)
{
    png_state *state = png_get_error_ptr(png);

    if (state->failure == GYRE_OK)
        state->failure =
            state->file != NULL
                ? gyre_fail(GYRE_ERROR_FILE, "%s: cannot be written: %s", state->path, text)
                : gyre_fail(GYRE_ERROR_FORMAT, "%s: not a whole PNG picture: %s", state->path,
                            text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    png_state *state = png_get_io_ptr(png);

    state->failure = gy_io_write(state->file, bytes, size);
    if (state->failure != GYRE_OK)
        png_error(png, "write");
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static void encode(png_structp png, png_infop info, png_state *state, int channels,
                   const uint8_t *pixels)
{
    if (setjmp(png_jmpbuf(png)))
        return;
    png_set_write_fn(png, state, write_bytes, flush_bytes);
    png_set_IHDR(png, info, (png_uint_32)state->width, (png_uint_32)state->height, 8,
                 channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 5);
    png_write_info(png, info);
    for (int y = 0; y < state->height; y++)
        png_write_row(png, pixels + (size_t)y * (size_t)state->width * (size_t)channels);
    png_write_end(png, info);
}

gyre_result gyre_png_write(const char *path, int width, int height, int channels,
                           const uint8_t *pixels)
{
    if (GY_MISSING("png_write", path) || GY_MISSING("png_write", pixels))
        return GYRE_ERROR_ARGUMENT;
    png_state state = {.path = path, .width = width, .height = height};

    if (width < 1 || height < 1 || width > 65535 || height > 65535 || pixels == NULL ||
        (channels != 3 && channels != 4))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels, %d channels", path,
                         width, height, channels);
    gyre_result result = gy_io_create(path, &state.file);

    if (result != GYRE_OK)
        return result;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &state, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;

    if (info == NULL)
        state.failure = gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for libpng", path);
    else
        encode(png, info, &state, channels, pixels);
    png_destroy_write_struct(&png, &info);
    if (state.failure == GYRE_OK)
        return gy_io_commit(state.file);
    gy_io_discard(state.file);
    return state.failure;
}

// Everything becomes 16-bit RGBA first, so that one formula serves all kinds of picture.
static void decode(png_structp png, png_infop info, png_state *state)
{
    if (setjmp(png_jmpbuf(png)))
        return;
    png_init_io(png, state->stream);
    png_set_user_limits(png, GY_IO_SIDE, GY_IO_SIDE);
    png_set_chunk_malloc_max(png, 16 << 20);
    png_read_info(png, info);
    png_set_expand_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    (void)png_set_interlace_handling(png);
    png_read_update_info(png, info);
    state->width = (int)png_get_image_width(png, info);
    state->height = (int)png_get_image_height(png, info);

    size_t width = (size_t)state->width, height = (size_t)state->height;

    if (png_get_rowbytes(png, info) != 8 * width)
        png_error(png, "an unknown kind of pixel");
    state->pixels = calloc(height, 8 * width);
    state->rows = malloc(height * sizeof *state->rows);
    state->data = malloc(width * height * sizeof *state->data);
    if (state->pixels == NULL || state->rows == NULL || state->data == NULL)
        png_error(png, "no memory for its pixels");
    for (size_t y = 0; y < height; y++)
        state->rows[y] = state->pixels + y * 8 * width;
    png_read_image(png, state->rows);
    png_read_end(png, NULL);
}

static float channel(const unsigned char *bytes)
{
    return (float)(bytes[0] << 8 | bytes[1]) * (1.0f / 65535.0f);
}

static void to_luminance(const png_state *state)
{
    for (int y = 0; y < state->height; y++) {
        const unsigned char *from = state->rows[state->height - 1 - y];
        float *to = state->data + (size_t)y * (size_t)state->width;

        for (int x = 0; x < state->width; x++, from += 8) {
            // Gray first: weights that sum to 1 only nearly must not make 0.5 something else.
            float red = channel(from), green = channel(from + 2), blue = channel(from + 4);
            float luminance = green + 0.2126f * (red - green) + 0.0722f * (blue - green);

            to[x] = luminance * channel(from + 6);
        }
    }
}

// What a picture over black is, sRGB, the top row first.
static void to_rgb(const png_state *state, uint8_t *rgb)
{
    for (int y = 0; y < state->height; y++) {
        const unsigned char *from = state->rows[y];

        for (int x = 0; x < state->width; x++, from += 8, rgb += 3)
            for (int c = 0; c < 3; c++)
                rgb[c] = (uint8_t)(255.0f * channel(from + 2 * c) * channel(from + 6) + 0.5f);
    }
}

// Opens and decodes; what it leaves in `state` is the caller's to free. On failure: nothing.
static gyre_result read_pixels(png_state *state)
{
    uint64_t bytes;
    gyre_result result = gy_io_open(state->path, &state->stream, &bytes);

    if (result != GYRE_OK)
        return result;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, state, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;

    if (info == NULL)
        state->failure = gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for libpng", state->path);
    else
        decode(png, info, state);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(state->stream);
    if (state->failure != GYRE_OK) {
        free(state->rows);
        free(state->pixels);
        free(state->data);
    }
    return state->failure;
}

gyre_result gyre_png_read_volume(const char *path, gyre_volume *volume)
{
    if (GY_MISSING("png_read_volume", path) || GY_MISSING("png_read_volume", volume))
        return GYRE_ERROR_ARGUMENT;
    png_state state = {.path = path};
    gyre_result result = read_pixels(&state);

    if (result != GYRE_OK)
        return result;
    to_luminance(&state);
    free(state.rows);
    free(state.pixels);
    *volume = (gyre_volume){state.data, {state.width, state.height, 1}, NULL};
    return GYRE_OK;
}

gyre_result gyre_png_read(const char *path, int *width, int *height, uint8_t **rgb)
{
    if (GY_MISSING("png_read", path) || GY_MISSING("png_read", width) ||
        GY_MISSING("png_read", height) || GY_MISSING("png_read", rgb))
        return GYRE_ERROR_ARGUMENT;
    png_state state = {.path = path};
    gyre_result result = read_pixels(&state);

    if (result != GYRE_OK)
        return result;
    uint8_t *to = malloc(3 * (size_t)state.width * (size_t)state.height);

    if (to != NULL) {
        to_rgb(&state, to);
        *width = state.width;
        *height = state.height;
        *rgb = to;
    } else {
        result = gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for its pixels", path);
    }
    free(state.rows);
    free(state.pixels);
    free(state.data);
    return result;
}

static gyre_result check_shape(const char *path, const gy_shape *shape)
{
    if (shape->width < 1 || shape->height < 1 || shape->width > 8192 || shape->height > 8192)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels", path, shape->width,
                         shape->height);
    return GYRE_OK;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    return gyre_png_write(path, shape->width, shape->height, 3, frame->rgb);
}

const gy_format gy_format_png = {
    .about = {.name = "picture",
              .doc = "a picture",
              .endings = {".png"},
              .takes = GYRE_TAKES_PICTURE},
    .check = check_shape,
    .write = write_frame,
};
