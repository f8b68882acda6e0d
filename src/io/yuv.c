// io/yuv.c: pictures as a video's luma and chroma, BT.709, limited range, 4:2:0.
//
// ffmpeg would do it, but rounds: what was dithered to bytes of red, green and blue is dithered no
// longer in luma, whose steps are others, and gradients have bands. Here the second rounding is
// dithered too, by a pattern of 8 x 8 (Bayer 1973) that the encoder meets unchanged in each frame;
// it does not repeat that of the pictures, so that means stay right to a few hundredths of a step.
// Cost: 3 bytes read and 1.5 written per pixel, 5 multiplications.
#include "io/io.h"

/// Whole numbers in 65536ths: luma 219/255, chroma 224/255 of the weights of BT.709.
enum { ONE = 65536, LUMA_R = 11966, LUMA_G = 40254, LUMA_B = 4064 };
enum { BLUE_R = -6596, BLUE_G = -22188, BLUE_B = 28784 };
enum { RED_R = 28784, RED_G = -26145, RED_B = -2639 };

// What is added before the fraction is cut off: odd 128ths of one, each of 64 once.
static int threshold(int x, int y)
{
    int order = 0;

    for (int bit = 0; bit < 3; bit++) {
        order |= ((x ^ y) >> bit & 1) << (5 - 2 * bit);
        order |= (y >> bit & 1) << (4 - 2 * bit);
    }
    return (2 * order + 1) * (ONE / 128);
}

static void put_luma(const uint8_t *rgb, int width, int y, const int row[8], uint8_t *luma)
{
    const uint8_t *at = rgb + 3 * (size_t)y * (size_t)width;

    for (int x = 0; x < width; x++, at += 3) {
        int sum = LUMA_R * at[0] + LUMA_G * at[1] + LUMA_B * at[2];

        luma[x] = (uint8_t)((sum + 16 * ONE + row[x & 7]) / ONE);
    }
    if (width & 1)
        luma[width] = luma[width - 1];
}

// Of two rows, at every other pixel: [1 2 1] along x, as decoders place chroma.
static void put_chroma(const uint8_t *upper, const uint8_t *lower, int width, const int row[8],
                       uint8_t *blue, uint8_t *red)
{
    for (int i = 0; i < (width + 1) / 2; i++) {
        int before = 3 * (i > 0 ? 2 * i - 1 : 0), here = 6 * i;
        int after = 3 * (2 * i + 1 < width ? 2 * i + 1 : width - 1), mean[3];

        for (int c = 0; c < 3; c++)
            mean[c] = upper[before + c] + 2 * upper[here + c] + upper[after + c] +
                      lower[before + c] + 2 * lower[here + c] + lower[after + c];
        // Eight times too large.
        int u = BLUE_R * mean[0] + BLUE_G * mean[1] + BLUE_B * mean[2];
        int v = RED_R * mean[0] + RED_G * mean[1] + RED_B * mean[2];

        blue[i] = (uint8_t)((u + 8 * (128 * ONE + row[i & 7])) / (8 * ONE));
        red[i] = (uint8_t)((v + 8 * (128 * ONE + row[(i + 3) & 7])) / (8 * ONE));
    }
}

size_t gy_io_yuv_size(int width, int height)
{
    size_t w = (size_t)(width + 1) / 2, h = (size_t)(height + 1) / 2;

    return 6 * w * h;
}

void gy_io_yuv(const uint8_t *rgb, int width, int height, uint8_t *yuv)
{
    size_t w = (size_t)(width + 1) / 2, h = (size_t)(height + 1) / 2;
    uint8_t *blue = yuv + 4 * w * h, *red = blue + w * h;
    int rows[8][8];

    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8; x++)
            rows[y][x] = threshold(x, y);
    }
    // Odd sides get their last row and column once more.
    for (int y = 0; y < 2 * (int)h; y++)
        put_luma(rgb, width, y < height ? y : height - 1, rows[y & 7], yuv + 2 * w * (size_t)y);
    for (int y = 0; y < (int)h; y++) {
        const uint8_t *upper = rgb + 6 * (size_t)y * (size_t)width;
        const uint8_t *lower = 2 * y + 1 < height ? upper + 3 * (size_t)width : upper;

        put_chroma(upper, lower, width, rows[(y + 5) & 7], blue + w * (size_t)y,
                   red + w * (size_t)y);
    }
}
