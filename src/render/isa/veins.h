// render/isa/veins.h: a solid texture at eight samples along a ray: src/render/texture.c has the
// formula. Cost of eight: per phase 8 cells of 16 bytes each, and 8 entries of 4.
#ifndef GY_RENDER_VEINS_H
#define GY_RENDER_VEINS_H

#include "render/march.h"
#include "render/texture.h"

#include "render/isa/three.h"

/// Where eight samples lie between cells.
typedef struct cells_at {
    int32_t index[GY_WIDE]; // of the lowest of eight cells each
    float way[3][GY_WIDE];
} cells_at;

static cells_at find_cells(const gy_volume *volume, const v8 place[3])
{
    int32_t sy = (int32_t)volume->opaque.sy, sz = (int32_t)volume->opaque.sz;
    w8 whole[3], at;
    cells_at out;

    for (int axis = 0; axis < 3; axis++) {
        whole[axis] = v8_int(place[axis]);
        v8_store(out.way[axis], place[axis] - v8_float(whole[axis]));
    }
    at = whole[0] + whole[1] * w8_all(sy) + whole[2] * w8_all(sz);
    memcpy(out.index, &at, sizeof out.index);
    return out;
}

// The four numbers of a cell, linearly between cells.
static void four_wide(const gy_volume *volume, const vec *cells, const cells_at *at, v8 out[4])
{
    ptrdiff_t sy = volume->opaque.sy, sz = volume->opaque.sz;
    v8 a[4];

    for (int i = 0; i < 4; i++) {
        v8 both[2];

        for (int k = 0; k < 2; k++) {
            const float *p = (const float *)(cells + at->index[i + 4 * k]);
            v8 fy = v8_all(at->way[1][i + 4 * k]);
            v8 low = v8_mix(v8_load(p), v8_load(p + 4 * sy), fy);
            v8 high = v8_mix(v8_load(p + 4 * sz), v8_load(p + 4 * (sz + sy)), fy);

            both[k] = v8_mix(low, high, v8_all(at->way[2][i + 4 * k]));
        }
        // Samples i and i + 4 side by side, then their neighbours along x.
        v8 left = __builtin_shufflevector(both[0], both[1], 0, 1, 2, 3, 8, 9, 10, 11);
        v8 right = __builtin_shufflevector(both[0], both[1], 4, 5, 6, 7, 12, 13, 14, 15);
        float f = at->way[0][i], g = at->way[0][i + 4];

        a[i] = v8_mix(left, right, (v8){f, f, f, f, g, g, g, g});
    }
    v8 p = __builtin_shufflevector(a[0], a[1], 0, 8, 1, 9, 4, 12, 5, 13);
    v8 q = __builtin_shufflevector(a[2], a[3], 0, 8, 1, 9, 4, 12, 5, 13);

    out[0] = __builtin_shufflevector(p, q, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(p, q, 2, 3, 10, 11, 6, 7, 14, 15);
    p = __builtin_shufflevector(a[0], a[1], 2, 10, 3, 11, 6, 14, 7, 15);
    q = __builtin_shufflevector(a[2], a[3], 2, 10, 3, 11, 6, 14, 7, 15);
    out[2] = __builtin_shufflevector(p, q, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(p, q, 2, 3, 10, 11, 6, 7, 14, 15);
}

// A level of the texture at places in entries of the finest.
static v8 solid_wide(const gyre_texels *t, int level, const v8 at[3])
{
    const int *n = t->solid_n[level];
    const float *data = t->solid[level];
    w8 low[3], next[3];
    v8 f[3], plane[2];

    for (int a = 0; a < 3; a++) {
        v8 whole = v8_all((float)n[a]);
        v8 x = at[a] * v8_all((float)n[a] / (float)t->solid_n[0][a]) - v8_all(0.5f);

        x = x - v8_floor(x / whole) * whole;
        low[a] = v8_int(v8_clamp(x, v8_all(0.0f), v8_all((float)(n[a] - 1))));
        f[a] = x - v8_float(low[a]);
        next[a] = low[a] + w8_all(1);
        next[a] = next[a] & (next[a] < w8_all(n[a]));
    }
    for (int c = 0; c < 2; c++) {
        w8 z = (c == 0 ? low[2] : next[2]) * w8_all(n[0] * n[1]);
        v8 line[2];

        for (int b = 0; b < 2; b++) {
            w8 row = z + (b == 0 ? low[1] : next[1]) * w8_all(n[0]);

            line[b] = v8_mix(v8_gather(data, row + low[0]), v8_gather(data, row + next[0]), f[0]);
        }
        plane[c] = v8_mix(line[0], line[1], f[1]);
    }
    return v8_mix(plane[0], plane[1], f[2]);
}

// What smoke is multiplied by at eight places.
static v8 veins_wide(const gy_volume *volume, const cells_at *at)
{
    const gyre_render_texture *t = volume->input->texture;
    const gyre_texels *texels = t->texels;
    float size = gy_veins_size(volume);
    v8 sum = v8_all(0.0f), by = sum;
    int level = 0;

    for (; size >= 2.0f && level + 1 < texels->solid_levels; level++)
        size *= 0.5f;
    float blend = level + 1 < texels->solid_levels ? size - 1.0f : 0.0f;

    for (int p = 0; p < t->phases; p++) {
        v8 place[4], own;

        if (p > 0 && !(t->weight[p] > 0.0f))
            continue;
        four_wide(volume, volume->veins + p * volume->veins_step, at, place);
        by = p == 0 ? place[3] : by;
        own = solid_wide(texels, level, place);
        if (blend > 0.0f)
            own = v8_mix(own, solid_wide(texels, level + 1, place),
                         v8_all(blend < 1.0f ? blend : 1.0f));
        sum += v8_all(t->weight[p]) * own;
    }
    return v8_max(v8_all(1.0f) + by * sum, v8_all(0.0f));
}

#endif
