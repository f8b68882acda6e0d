// render/texels.c: a texture made ready to be drawn: an image and its halvings, or noise; and how
// alike it is to itself some way off,
//
//     r(l) = E (T(x) - m) (T(x + l) - m) / E (T(x) - m)^2,
//
// of all directions and of the three colours together. It is measured: PAIRS pairs of places for
// each of GY_ALIKE distances, the places and the directions from a fixed list, so that it comes out
// the same each time: a hundredth off, in 30 ms, once for an image.
//
// A volume has a colour for each entry, of which slices of it are drawn, and its luminance brought
// to a mean of 0 and a variance of 1, by which smoke is; both with halvings, 18 bytes an entry.
//
// Noise is what lies between random numbers on a lattice, three octaves of it (value noise; Perlin,
// An image synthesizer, 1985), round a mean of 0 and scaled to a variance of 1.
#include "render/texture.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 4096, DIRECTIONS = 16 };

// Pythagoras's: of unit length, in the upper half.
static const float directions[DIRECTIONS][2] = {
    {1, 0},
    {0.9600000f, 0.2800000f},
    {0.9230769f, 0.3846154f},
    {0.8f, 0.6f},
    {0.7241379f, 0.6896552f},
    {0.6f, 0.8f},
    {0.3846154f, 0.9230769f},
    {0.2800000f, 0.9600000f},
    {0, 1},
    {-0.2800000f, 0.9600000f},
    {-0.3846154f, 0.9230769f},
    {-0.6f, 0.8f},
    {-0.7241379f, 0.6896552f},
    {-0.8f, 0.6f},
    {-0.9230769f, 0.3846154f},
    {-0.9600000f, 0.2800000f},
};

// A number in [0, 1) for a place of a lattice.
static float random_at(uint32_t i)
{
    i = (i + 0x9e3779b9u) * 0x85ebca6bu;
    i = (i ^ i >> 15) * 0xc2b2ae35u;
    i = (i ^ i >> 13) * 0x27d4eb2fu;
    return (float)((i ^ i >> 16) >> 8) * 0x1p-24f;
}

static float lattice(int seed, int period, int x, int y, int z)
{
    uint32_t a = (uint32_t)(x % period), b = (uint32_t)(y % period), c = (uint32_t)(z % period);

    return random_at(((uint32_t)seed * 61u + a) * 7919u + b * 104729u + c * 1299709u) - 0.5f;
}

// Noise of one octave with so many places a period; `at` from 0 to 1.
static float octave(int seed, int period, const float at[3])
{
    int low[3];
    float t[3];

    for (int a = 0; a < 3; a++) {
        float x = at[a] * (float)period;

        low[a] = (int)x;
        x -= (float)low[a];
        t[a] = x * x * x * (x * (6.0f * x - 15.0f) + 10.0f);
    }
    float plane[2];

    for (int c = 0; c < 2; c++) {
        float line[2];

        for (int b = 0; b < 2; b++)
            line[b] = mixf(lattice(seed, period, low[0], low[1] + b, low[2] + c),
                           lattice(seed, period, low[0] + 1, low[1] + b, low[2] + c), t[0]);
        plane[c] = mixf(line[0], line[1], t[1]);
    }
    return mixf(plane[0], plane[1], t[2]);
}

// Noise of mean 0 and variance 1 that repeats after n[0] x n[1] x n[2] places.
static float *make_noise(const int n[3], int period)
{
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    float *noise = malloc(count * sizeof *noise);
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; noise != NULL && i < count; i++) {
        const float at[3] = {(float)(i % (size_t)n[0]) / (float)n[0],
                             (float)(i / (size_t)n[0] % (size_t)n[1]) / (float)n[1],
                             (float)(i / (size_t)n[0] / (size_t)n[1]) / (float)n[2]};
        noise[i] = octave(1, period, at) + 0.6f * octave(2, 2 * period, at) +
                   0.36f * octave(3, 4 * period, at);
        sum += (double)noise[i];
        squares += (double)(noise[i] * noise[i]);
    }
    double mean = sum / (double)count;
    float scale = 1.0f / sqrtf((float)(squares / (double)count - mean * mean));

    for (size_t i = 0; noise != NULL && i < count; i++)
        noise[i] = (noise[i] - (float)mean) * scale;
    return noise;
}

static int wrap(int i, int n)
{
    i %= n;
    return i < 0 ? i + n : i;
}

// How alike texels are `far` texels off, `parts` floats each; n[2] is 1 in two dimensions. The
// third axis is as the second, so that directions of a plane are enough.
static float alike_at(const float *texel, int parts, const int n[3], const float mean[3],
                      double variance, float far)
{
    double sum = 0.0;

    for (int q = 0; q < PAIRS; q++) {
        const float *way = directions[q % DIRECTIONS];
        int x = (int)(random_at((uint32_t)(3 * q)) * (float)n[0]);
        int y = (int)(random_at((uint32_t)(3 * q + 1)) * (float)n[1]);
        int z = (int)(random_at((uint32_t)(3 * q + 2)) * (float)n[2]);
        int right = wrap(x + (int)floorf(far * way[0] + 0.5f), n[0]);
        int up = wrap(y + (int)floorf(far * way[1] + 0.5f), n[1]);
        const float *a = texel + parts * (x + n[0] * (y + (ptrdiff_t)n[1] * z));
        const float *b = texel + parts * (right + n[0] * (up + (ptrdiff_t)n[1] * z));

        for (int c = 0; c < parts; c++)
            sum += (double)((a[c] - mean[c]) * (b[c] - mean[c]));
    }
    return variance > 0.0 ? (float)(sum / PAIRS / variance) : 1.0f;
}

// Fills the table; entries are held to 0 to 1: see gyre_texture.
static void measure_alike(const float *texel, int parts, const int n[3], const float mean[3],
                          float reach, float alike[GY_ALIKE + 1])
{
    // By the same pairs, so that entry 0 is 1.
    double own = (double)alike_at(texel, parts, n, mean, 1.0, 0.0f);

    for (int q = 0; q <= GY_ALIKE; q++) {
        float far = reach * (float)q / (float)GY_ALIKE;

        alike[q] = clamp01(alike_at(texel, parts, n, mean, own, far));
    }
}

// The next level of a volume: means of two by two by two, or as many as there are.
static float *halve_solid(const float *from, const int n[3], const int to_n[3], int parts)
{
    size_t count = (size_t)to_n[0] * (size_t)to_n[1] * (size_t)to_n[2];
    float *to = malloc((size_t)parts * count * sizeof *to);

    for (size_t at = 0; to != NULL && at < (size_t)parts * count; at++) {
        size_t cell = at / (size_t)parts;
        const int i[3] = {(int)(cell % (size_t)to_n[0]),
                          (int)(cell / (size_t)to_n[0] % (size_t)to_n[1]),
                          (int)(cell / (size_t)to_n[0] / (size_t)to_n[1])};
        float sum = 0.0f;

        for (int q = 0; q < 8; q++) {
            ptrdiff_t k[3];

            for (int a = 0; a < 3; a++)
                k[a] = n[a] > 1 ? 2 * i[a] + (q >> a & 1) : 0;
            sum += from[parts * (k[0] + n[0] * (k[1] + n[1] * k[2])) +
                        (ptrdiff_t)(at % (size_t)parts)];
        }
        to[at] = 0.125f * sum;
    }
    return to;
}

// Levels of what stands in level 0, and the likeness of its numbers.
static bool finish_solid(gyre_texels *t)
{
    const float none[3] = {0};
    const int *n = t->solid_n[0];
    int least = n[0] < n[1] ? n[0] : n[1];

    least = least < n[2] ? least : n[2];
    t->solid_reach = fmaxf(0.5f * (float)least, 0.5f);
    measure_alike(t->solid[0], 1, n, none, t->solid_reach, t->solid_alike);
    t->solid_levels = 1;
    while (t->solid_levels < GY_TEXEL_LEVELS) {
        int l = t->solid_levels;
        const int *from = t->solid_n[l - 1];

        if (from[0] == 1 && from[1] == 1 && from[2] == 1)
            break;
        for (int a = 0; a < 3; a++)
            t->solid_n[l][a] = from[a] > 1 ? from[a] / 2 : 1;
        t->solid[l] = halve_solid(t->solid[l - 1], from, t->solid_n[l], 1);
        if (t->colour[0] != NULL)
            t->colour[l] = halve_solid(t->colour[l - 1], from, t->solid_n[l], 3);
        if (t->solid[l] == NULL || (t->colour[0] != NULL && t->colour[l] == NULL))
            return false;
        t->solid_levels++;
    }
    return true;
}

// The next level: means of two by two.
static bool halve(gyre_texels *t)
{
    int l = t->levels - 1, *to = t->n[l + 1];
    const int *from = t->n[l];

    for (int a = 0; a < 2; a++)
        to[a] = from[a] > 1 ? from[a] / 2 : 1;
    t->level[l + 1] = malloc(3 * (size_t)to[0] * (size_t)to[1] * sizeof(float));
    if (t->level[l + 1] == NULL)
        return false;
    for (int y = 0; y < to[1]; y++) {
        for (int x = 0; x < to[0]; x++) {
            for (int c = 0; c < 3; c++) {
                float sum = 0.0f;

                for (int q = 0; q < 4; q++) {
                    int i = from[0] > 1 ? 2 * x + (q & 1) : 0, j = from[1] > 1 ? 2 * y + q / 2 : 0;

                    sum += t->level[l][3 * (i + (ptrdiff_t)from[0] * j) + c];
                }
                t->level[l + 1][3 * (x + (ptrdiff_t)to[0] * y) + c] = 0.25f * sum;
            }
        }
    }
    t->levels++;
    return true;
}

// Mean and spread of the finest level, the levels below it, its likeness.
static bool finish(gyre_texels *t)
{
    const int n[3] = {t->n[0][0], t->n[0][1], 1};
    size_t count = (size_t)n[0] * (size_t)n[1];
    double sum[3] = {0}, light = 0.0, squares = 0.0;

    for (size_t i = 0; i < count; i++) {
        const float *p = t->level[0] + 3 * i;
        double y = 0.2126 * (double)p[0] + 0.7152 * (double)p[1] + 0.0722 * (double)p[2];

        for (int c = 0; c < 3; c++)
            sum[c] += (double)p[c];
        light += y;
        squares += y * y;
    }
    for (int c = 0; c < 3; c++)
        t->mean[c] = (float)(sum[c] / (double)count);
    light /= (double)count;
    double variance = squares / (double)count - light * light;

    t->spread = fmaxf(sqrtf(fmaxf((float)variance, 0.0f)), 1.0f / 255.0f);
    t->reach = 0.5f * (float)(n[0] < n[1] ? n[0] : n[1]);
    measure_alike(t->level[0], 3, n, t->mean, t->reach, t->alike);
    while (t->levels < GY_TEXEL_LEVELS &&
           (t->n[t->levels - 1][0] > 1 || t->n[t->levels - 1][1] > 1))
        if (!halve(t))
            return false;
    return true;
}

static bool take_image(gyre_texels *t, const gyre_image *image)
{
    size_t row = 3 * (size_t)image->width;

    t->n[0][0] = image->width;
    t->n[0][1] = image->height;
    t->level[0] = malloc(row * (size_t)image->height * sizeof(float));
    for (int y = 0; t->level[0] != NULL && y < image->height; y++) {
        const uint8_t *from = image->rgb + row * (size_t)(image->height - 1 - y);

        for (size_t i = 0; i < row; i++)
            t->level[0][row * (size_t)y + i] = (float)from[i] * (1.0f / 255.0f);
    }
    return t->level[0] != NULL;
}

static bool take_noise(gyre_texels *t)
{
    const int flat[3] = {GY_NOISE_IMAGE, GY_NOISE_IMAGE, 1};
    const int deep[3] = {GY_SOLID_NOISE, GY_SOLID_NOISE, GY_SOLID_NOISE};
    size_t count = (size_t)flat[0] * (size_t)flat[1];
    float *gray = make_noise(flat, 16);

    t->n[0][0] = flat[0];
    t->n[0][1] = flat[1];
    t->level[0] = malloc(3 * count * sizeof(float));
    t->solid[0] = make_noise(deep, 4);
    memcpy(t->solid_n[0], deep, sizeof deep);
    for (size_t i = 0; gray != NULL && t->level[0] != NULL && i < 3 * count; i++)
        t->level[0][i] = clamp01(0.5f + 0.2f * gray[i / 3]);
    free(gray);
    return gray != NULL && t->level[0] != NULL && t->solid[0] != NULL && finish_solid(t);
}

static bool take_slices(gyre_texels *t, const gyre_image *slices, int count)
{
    size_t row = (size_t)slices[0].width, plane = row * (size_t)slices[0].height;
    size_t all = plane * (size_t)count;
    double sum[3] = {0}, light = 0.0, squares = 0.0;

    t->solid_n[0][0] = slices[0].width;
    t->solid_n[0][1] = slices[0].height;
    t->solid_n[0][2] = count;
    t->colour[0] = malloc(3 * all * sizeof(float));
    t->solid[0] = malloc(all * sizeof(float));
    if (t->colour[0] == NULL || t->solid[0] == NULL)
        return false;
    for (size_t i = 0; i < all; i++) {
        size_t from_top = (size_t)slices[0].height - 1 - i % plane / row;
        const uint8_t *from = slices[i / plane].rgb + 3 * (row * from_top + i % row);
        float *to = t->colour[0] + 3 * i;

        for (int c = 0; c < 3; c++) {
            to[c] = (float)from[c] * (1.0f / 255.0f);
            sum[c] += (double)to[c];
        }
        t->solid[0][i] = 0.2126f * to[0] + 0.7152f * to[1] + 0.0722f * to[2];
        light += (double)t->solid[0][i];
        squares += (double)(t->solid[0][i] * t->solid[0][i]);
    }
    for (int c = 0; c < 3; c++)
        t->mean[c] = (float)(sum[c] / (double)all);
    light /= (double)all;
    t->spread =
        fmaxf(sqrtf(fmaxf((float)(squares / (double)all - light * light), 0.0f)), 1.0f / 255.0f);
    for (size_t i = 0; i < all; i++)
        t->solid[0][i] = (t->solid[0][i] - (float)light) / t->spread;
    return finish_solid(t);
}

gyre_result gyre_texels_create(const gyre_image *image, gyre_texels **texels)
{
    if (GY_MISSING("texels_create", texels))
        return GYRE_ERROR_ARGUMENT;
    if (image != NULL && (image->rgb == NULL || image->width < 1 || image->height < 1 ||
                          image->width > 8192 || image->height > 8192))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "texels_create: an image without pixels");
    gyre_texels *t = calloc(1, sizeof *t);

    if (t != NULL) {
        t->levels = 1;
        atomic_init(&t->owners, 1);
    }
    if (t == NULL || !(image != NULL ? take_image(t, image) : take_noise(t)) || !finish(t)) {
        gyre_texels_destroy(t);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a texture");
    }
    *texels = t;
    return GYRE_OK;
}

gyre_result gyre_texels_create_solid(const gyre_image *slices, int count, gyre_texels **texels)
{
    const double most = 1 << 25;

    if (GY_MISSING("texels_create_solid", slices) || GY_MISSING("texels_create_solid", texels))
        return GYRE_ERROR_ARGUMENT;
    if (count < 1 || count > 8192)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "a solid texture of %d slices, expected 1 to 8192",
                         count);
    for (int i = 0; i < count; i++) {
        const gyre_image *s = &slices[i];

        if (s->rgb == NULL || s->width < 1 || s->height < 1 || s->width > 8192 || s->height > 8192)
            return gyre_fail(GYRE_ERROR_ARGUMENT, "a solid texture's slice %d has no pixels", i);
        if (s->width != slices[0].width || s->height != slices[0].height)
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "a solid texture's slice %d has %d x %d pixels, expected %d x %d as "
                             "its first",
                             i, s->width, s->height, slices[0].width, slices[0].height);
    }
    if ((double)slices[0].width * slices[0].height * count > most)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "a solid texture of %d x %d x %d, expected at most 2^25 entries",
                         slices[0].width, slices[0].height, count);
    gyre_texels *t = calloc(1, sizeof *t);

    if (t != NULL)
        atomic_init(&t->owners, 1);
    if (t == NULL || !take_slices(t, slices, count)) {
        gyre_texels_destroy(t);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a texture");
    }
    *texels = t;
    return GYRE_OK;
}

void gyre_texels_read(const gyre_texels *texels, gyre_texels_view *view)
{
    if (view == NULL)
        return;
    *view = (gyre_texels_view){0};
    if (texels == NULL)
        return;
    view->levels = texels->levels;
    view->solid_levels = texels->solid_levels;
    for (int l = 0; l < GYRE_TEXEL_LEVELS; l++) {
        for (int a = 0; a < 2; a++)
            view->n[l][a] = texels->n[l][a];
        for (int a = 0; a < 3; a++)
            view->solid_n[l][a] = texels->solid_n[l][a];
        view->level[l] = texels->level[l];
        view->solid[l] = texels->solid[l];
        view->colour[l] = texels->colour[l];
    }
    for (int c = 0; c < 3; c++)
        view->mean[c] = texels->mean[c];
    view->spread = texels->spread;
    view->reach = texels->reach;
    view->solid_reach = texels->solid_reach;
    view->alike = texels->alike;
    view->solid_alike = texels->solid_alike;
}

void gyre_texels_hold(gyre_texels *texels)
{
    if (texels != NULL)
        atomic_fetch_add(&texels->owners, 1);
}

void gyre_texels_destroy(gyre_texels *texels)
{
    if (texels == NULL || atomic_fetch_sub(&texels->owners, 1) > 1)
        return;
    for (int l = 0; l < GY_TEXEL_LEVELS; l++) {
        free(texels->level[l]);
        free(texels->solid[l]);
        free(texels->colour[l]);
    }
    free(texels);
}
