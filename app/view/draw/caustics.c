// view/draw/caustics.c: the sun's light on the bed as waves gather it, for pictures of a surface.
//
// The rules are those of src/render/isa/caustic_rows.c, on fewer corners: each cell of a grid of
// corners lets in max(l . (-s_x, -s_y, 1), 0) T of light, its corners' rays are bent and followed
// to the bed, and its light is laid between them at k x k places by quadratic B-splines. Made by
// the processor, for a software renderer takes several times as long: some 20 ms of 256 x 256
// corners.
#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG = 256, PARTS_MOST = 6 };

struct view_caustics {
    float wide;                  // of a cell, in units of the relief
    int n[2], before[2], all[2]; // cells of the map; corners before them; corners in all
    size_t room;
    float *memory, *height[2], *x, *y, *flux, *light;
};

void view_caustics_free(view_caustics *c)
{
    if (c == NULL)
        return;
    free(c->memory);
    free(c);
}

// Corners beyond a side whose light may fall inside.
static int margin(float depth, float aside, int most)
{
    float reach = fmaxf(0.15f + aside, 0.0f) * fmaxf(depth, 0.0f);

    return (int)fminf(reach, (float)most) + 2;
}

static bool lay_out(view_caustics *c, const view_relief_light *of)
{
    int longest = of->n[0] > of->n[1] ? of->n[0] : of->n[1];
    float depth;

    c->wide = fmaxf((float)longest / ALONG, (float)of->fine * 0.125f);
    depth = (of->high - of->low) / c->wide;
    for (int a = 0; a < 2; a++) {
        float aside = of->below[a] / of->below[2];

        c->n[a] = (int)ceilf((float)of->n[a] / c->wide - 1e-3f);
        c->before[a] = margin(depth, -aside, ALONG);
        c->all[a] = c->n[a] + 1 + c->before[a] + margin(depth, aside, ALONG);
    }
    size_t corners = (size_t)c->all[0] * (size_t)c->all[1];
    size_t room = 5 * corners + (size_t)(c->n[0] + 4) * (size_t)(c->n[1] + 4);

    if (room > c->room) {
        free(c->memory);
        c->memory = malloc(room * sizeof *c->memory);
        c->room = c->memory != NULL ? room : 0;
    }
    if (c->memory == NULL)
        return false;
    for (int i = 0; i < 2; i++)
        c->height[i] = c->memory + (size_t)i * corners;
    c->x = c->memory + 2 * corners;
    c->y = c->x + corners;
    c->flux = c->y + corners;
    c->light = c->flux + corners;
    return true;
}

/// Four cells and their weights.
typedef struct taps {
    int at[4];
    float weight[4];
} taps;

static taps taps_at(float at, int n)
{
    float base = floorf(at - 0.5f), t = at - 0.5f - base, s = 1.0f - t;
    taps out = {.weight = {s * s * s / 6.0f, 2.0f / 3.0f - 0.5f * t * t * (2.0f - t), 0.0f,
                           t * t * t / 6.0f}};

    out.weight[2] = 1.0f - out.weight[0] - out.weight[1] - out.weight[3];
    for (int k = 0; k < 4; k++) {
        int i = (int)base - 1 + k;

        out.at[k] = i < 0 ? 0 : i < n ? i : n - 1;
    }
    return out;
}

static float held(float x, float high)
{
    return x > 0.0f ? x < high ? x : high : 0.0f;
}

// Heights of water and bed at corners, in cells of the map; a row of sums over four cells first.
static void raise(view_caustics *c, const view_relief_light *of, float *row, taps *across)
{
    float per = c->wide / (float)of->fine, unit = 1.0f / (of->unit * c->wide);
    int wide = of->cells[0];

    for (int i = 0; i < c->all[0]; i++)
        across[i] =
            taps_at(held((float)(i - c->before[0]) * per, (float)of->n[0] / (float)of->fine), wide);
    for (int j = 0; j < c->all[1]; j++) {
        float y = held((float)(j - c->before[1]) * c->wide, (float)of->n[1]) / (float)of->fine;
        taps up = taps_at(y, of->cells[1]);

        for (int layer = 0; layer < 2; layer++) {
            for (int i = 0; i < wide; i++) {
                float sum = 0.0f;

                for (int k = 0; k < 4; k++) {
                    int at = i + up.at[k] * wide;
                    float now = of->later[layer][at], was = of->earlier[layer][at];

                    sum += up.weight[k] * (was + (now - was) * of->blend);
                }
                row[i] = sum * unit;
            }
            float *to = c->height[layer] + (ptrdiff_t)j * c->all[0];

            for (int i = 0; i < c->all[0]; i++) {
                float sum = 0.0f;

                for (int k = 0; k < 4; k++)
                    sum += across[i].weight[k] * row[across[i].at[k]];
                to[i] = sum;
            }
        }
    }
}

static float ground_at(const view_caustics *c, float x, float y)
{
    x = held(x + (float)c->before[0], (float)(c->all[0] - 1) - 1e-3f);
    y = held(y + (float)c->before[1], (float)(c->all[1] - 1) - 1e-3f);
    const float *p = c->height[1] + (int)x + (ptrdiff_t)(int)y * c->all[0], *q = p + c->all[0];

    x -= (float)(int)x;
    y -= (float)(int)y;
    float low = p[0] + (p[1] - p[0]) * x, high = q[0] + (q[1] - q[0]) * x;

    return low + (high - low) * y;
}

// Where the ray of a corner falls, and its light.
static void bend(view_caustics *c, const view_relief_light *of, int i, int j)
{
    ptrdiff_t at = i + (ptrdiff_t)j * c->all[0], row = c->all[0];
    const float *h = c->height[0] + at, *l = of->light;
    int left = i > 0, right = i + 1 < c->all[0], low = j > 0, high = j + 1 < c->all[1];
    float depth = h[0] - c->height[1][at], slope[2];

    slope[0] = (h[right] - h[-left]) / (float)(left + right);
    slope[1] = (h[high ? row : 0] - h[low ? -row : 0]) / (float)(low + high);
    if (depth <= 0.0f)
        slope[0] = slope[1] = depth = 0.0f;
    float length = sqrtf(1.0f + slope[0] * slope[0] + slope[1] * slope[1]);
    float passes = fmaxf(l[2] - l[0] * slope[0] - l[1] * slope[1], 0.0f), cosine = passes / length;
    float less = 1.0f - cosine, inner = sqrtf(1.0f - 0.5625f * (1.0f - cosine * cosine));
    float turn = (0.75f * cosine - inner) / length;
    float along[3] = {-0.75f * l[0] - turn * slope[0], -0.75f * l[1] - turn * slope[1],
                      -0.75f * l[2] + turn};
    float x = (float)(i - c->before[0]), y = (float)(j - c->before[1]);
    float t = depth / fmaxf(-along[2], 0.05f);

    for (int k = 0; k < 3 && !of->level && depth > 0.0f; k++)
        t = fmaxf(h[0] - ground_at(c, x + along[0] * t, y + along[1] * t), 0.0f) /
            fmaxf(-along[2], 0.05f);
    c->x[at] = x + along[0] * t;
    c->y[at] = y + along[1] * t;
    c->flux[at] = passes * (0.98f - 0.98f * less * less * less * less * less);
}

static void lay(const view_caustics *c, float x, float y, float light)
{
    int wide = c->n[0] + 4;

    // Two cells round the map take what lies beyond its edges.
    if (!(x >= -1.0f && y >= -1.0f && x < (float)(c->n[0] + 1) && y < (float)(c->n[1] + 1)))
        return;
    int i = (int)(x + 2.0f), j = (int)(y + 2.0f);
    float u = x + 1.5f - (float)i, v = y + 1.5f - (float)j;
    float a[3] = {0.5f * (0.5f - u) * (0.5f - u), 0.75f - u * u, 0.5f * (0.5f + u) * (0.5f + u)};
    float b[3] = {0.5f * (0.5f - v) * (0.5f - v), 0.75f - v * v, 0.5f * (0.5f + v) * (0.5f + v)};

    for (int k = 0; k < 3; k++) {
        float *to = c->light + i - 1 + (ptrdiff_t)(j - 1 + k) * wide, own = b[k] * light;

        to[0] += a[0] * own;
        to[1] += a[1] * own;
        to[2] += a[2] * own;
    }
}

static void lay_cell(const view_caustics *c, ptrdiff_t at)
{
    const ptrdiff_t of[4] = {at, at + 1, at + c->all[0], at + c->all[0] + 1};
    static const int ends[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    float x[4], y[4], light = 0.0f, most = 0.0f;

    for (int k = 0; k < 4; k++) {
        x[k] = c->x[of[k]];
        y[k] = c->y[of[k]];
        light += 0.25f * c->flux[of[k]];
    }
    for (int e = 0; e < 4; e++) {
        float dx = x[ends[e][1]] - x[ends[e][0]], dy = y[ends[e][1]] - y[ends[e][0]];

        most = fmaxf(most, dx * dx + dy * dy);
    }
    int parts = most < 1.21f ? 2 : most < 9.0f ? (int)(2.0f * sqrtf(most)) + 1 : PARTS_MOST;
    float per = 1.0f / (float)parts;

    for (int j = 0; j < parts; j++) {
        float v = ((float)j + 0.5f) * per;
        float left[2] = {x[0] + (x[2] - x[0]) * v, y[0] + (y[2] - y[0]) * v};
        float right[2] = {x[1] + (x[3] - x[1]) * v, y[1] + (y[3] - y[1]) * v};

        for (int i = 0; i < parts; i++) {
            float u = ((float)i + 0.5f) * per;

            lay(c, left[0] + (right[0] - left[0]) * u, left[1] + (right[1] - left[1]) * u,
                light * per * per);
        }
    }
}

const float *view_caustics_make(view_caustics **caustics, const view_relief_light *of, int size[2])
{
    if (*caustics == NULL)
        *caustics = calloc(1, sizeof **caustics);
    view_caustics *c = *caustics;
    bool laid = c != NULL && lay_out(c, of);
    float *row = laid ? malloc((size_t)of->cells[0] * sizeof *row) : NULL;
    taps *across = laid ? malloc((size_t)c->all[0] * sizeof *across) : NULL;
    bool good = row != NULL && across != NULL;

    if (good)
        raise(c, of, row, across);
    free(row);
    free(across);
    if (!good)
        return NULL;
    for (int j = 0; j < c->all[1]; j++) {
        for (int i = 0; i < c->all[0]; i++)
            bend(c, of, i, j);
    }
    memset(c->light, 0, (size_t)(c->n[0] + 4) * (size_t)(c->n[1] + 4) * sizeof *c->light);
    for (int j = 0; j + 1 < c->all[1]; j++) {
        for (int i = 0; i + 1 < c->all[0]; i++)
            lay_cell(c, i + (ptrdiff_t)j * c->all[0]);
    }
    // Without the cells round the map.
    for (int j = 0; j < c->n[1]; j++)
        memmove(c->light + (ptrdiff_t)j * c->n[0],
                c->light + 2 + (ptrdiff_t)(j + 2) * (c->n[0] + 4),
                (size_t)c->n[0] * sizeof *c->light);
    memcpy(size, c->n, sizeof c->n);
    return c->light;
}
