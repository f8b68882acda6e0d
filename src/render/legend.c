// render/legend.c: a bar of a map's colours with the two ends of its range.
#include "render/render.h"

#include <stdio.h>
#include <string.h>

enum { GLYPH_WIDE = 5, GLYPH_TALL = 7 };

static const char letters[] = "0123456789.-+e";

// Seven rows of five bits, the left pixel highest.
static const uint8_t glyphs[][GLYPH_TALL] = {
    {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}, {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e},
    {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f}, {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e},
    {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}, {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e},
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}, {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}, {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c},
    {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}, {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00},
    {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00}, {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e}};

static void put(gyre_image *image, int x, int y, const float rgb[3])
{
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return;
    uint8_t *to = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);

    for (int c = 0; c < 3; c++)
        to[c] = (uint8_t)(255.0f * clamp01(rgb[c]) + 0.5f);
}

static void write_text(gyre_image *image, int x, int y, int size, const char *text)
{
    static const float white[3] = {1.0f, 1.0f, 1.0f}, black[3] = {0.0f, 0.0f, 0.0f};

    for (int pass = 0; pass < 2; pass++) { // a shadow first, to be read on any ground
        for (int i = 0; text[i] != '\0'; i++) {
            const char *at = strchr(letters, text[i]);

            if (at == NULL)
                continue;
            for (int p = 0; p < GLYPH_WIDE * size * GLYPH_TALL * size; p++) {
                int px = p % (GLYPH_WIDE * size), py = p / (GLYPH_WIDE * size);
                int bit = glyphs[at - letters][py / size] >> (GLYPH_WIDE - 1 - px / size) & 1;
                int to = x + i * (GLYPH_WIDE + 1) * size + px;

                if (bit != 0)
                    put(image, to + (pass == 0 ? size : 0), y + py + (pass == 0 ? size : 0),
                        pass == 0 ? black : white);
            }
        }
    }
}

void gy_draw_legend(gyre_image *image, gyre_colour_map map, float low, float high)
{
    static const float frame[3] = {0.9f, 0.9f, 0.9f};
    int size = image->height >= 900 ? 3 : image->height >= 360 ? 2 : 1;
    int margin = 8 * size, tall = 6 * size, wide = image->width / 3;
    int left = image->width - margin - wide, top = image->height - margin - tall;
    char text[2][24];

    if (wide < 20 || top < 20)
        return;
    for (int x = -1; x <= wide; x++) {
        float rgb[3];

        gyre_map_colour(map, (float)x / (float)(wide - 1), rgb);
        for (int y = -1; y <= tall; y++) {
            bool edge = x < 0 || y < 0 || x == wide || y == tall;

            put(image, left + x, top + y, edge ? frame : rgb);
        }
    }
    snprintf(text[0], sizeof text[0], "%.3g", (double)low);
    snprintf(text[1], sizeof text[1], "%.3g", (double)high);
    int text_top = top - (GLYPH_TALL + 3) * size;
    int right = left + wide - (int)strlen(text[1]) * (GLYPH_WIDE + 1) * size;

    write_text(image, left, text_top, size, text[0]);
    write_text(image, right, text_top, size, text[1]);
}
