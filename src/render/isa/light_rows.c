// render/isa/light_rows.c: light swept through cells: see render/light.c.
#include "render/light.h"

#include "render/isa/lanes.h"
#include "render/isa/rows.h"

#include <string.h>

/// Four lines of a plane of light, two mixed in each direction, as one: at(i) is what comes in at
/// place i + du of the line at v.
typedef struct inflow {
    const float *low, *high;
    v8 across, part;
} inflow;

static inflow inflow_of(const float *first, ptrdiff_t line, int b, int high_v, float du, float dv)
{
    float at_v = (float)b + dv;
    int whole = du < 0.0f ? -1 : 0;

    at_v = at_v > 0.0f ? (at_v < (float)high_v ? at_v : (float)high_v) : 0.0f;
    int v0 = (int)at_v < high_v ? (int)at_v : high_v - 1;
    const float *low = first + v0 * line + GY_LIGHT_EDGE + whole;

    return (inflow){low, low + line, v8_all(du - (float)whole), v8_all(at_v - (float)v0)};
}

GY_VEC_INLINE v8 flows_in(const inflow *from, int i)
{
    v8 p = v8_mix(v8_load(from->low + i), v8_load(from->low + i + 1), from->across);
    v8 q = v8_mix(v8_load(from->high + i), v8_load(from->high + i + 1), from->across);

    return v8_mix(p, q, from->part);
}

// A line's ends go on beside it.
static void repeat_ends(float *line, int width)
{
    for (int i = 0; i < GY_LIGHT_EDGE; i++) {
        line[i] = line[GY_LIGHT_EDGE];
        line[GY_LIGHT_EDGE + width + i] = line[GY_LIGHT_EDGE + width - 1];
    }
}

GY_VEC_INLINE v8 load_apart(const float *p, ptrdiff_t step, int left)
{
    v8 x = v8_all(0.0f);

    if (step == 1 && left >= GY_WIDE)
        return v8_load(p);
    for (int i = 0; i < GY_WIDE && i < left; i++)
        x[i] = p[i * step];
    return x;
}

// A row of the plane: index b along v.
void GY_DRAWN(gy_sweep_row)(void *argument, int b)
{
    const gy_sweep *args = argument;
    gy_volume *volume = args->volume;
    int width = volume->n[args->u] + 2, high_v = volume->n[args->v] + 1;
    ptrdiff_t cell = args->plane * args->step[args->axis] + b * args->step[args->v];
    ptrdiff_t step = args->step[args->u];
    inflow from[2];
    float *to[2];

    for (int kind = 0; kind < 2; kind++) {
        from[kind] =
            inflow_of(args->before + kind * args->kind, args->line, b, high_v, args->du, args->dv);
        to[kind] = args->after + kind * args->kind + b * args->line;
    }
    for (int a = 0; a < width; a += GY_WIDE) {
        v8 depth = v8_all(0.5f * args->length) *
                   load_apart(volume->opaque.data + cell + a * step, step, width - a);
        v8 light[2] = {flows_in(&from[0], a), flows_in(&from[1], a)}, out[2] = {light[0], light[1]};
        float arrived[2][GY_WIDE];

        if (w8_any(v8_less(v8_all(0.0f), depth))) {
            v8 half[2] = {v8_fade(depth), v8_fade(v8_all(0.3f) * depth)};

            for (int kind = 0; kind < 2; kind++) {
                light[kind] *= half[kind];
                out[kind] = light[kind] * half[kind];
            }
        }
        for (int kind = 0; kind < 2; kind++) {
            v8_store(arrived[kind], light[kind]);
            v8_store(to[kind] + GY_LIGHT_EDGE + a, out[kind]);
        }
        for (int i = 0; i < GY_WIDE && a + i < width; i++) {
            float *smoke = (float *)(volume->smoke + cell + (a + i) * step);

            smoke[1] = arrived[0][i];
            smoke[2] = arrived[1][i];
        }
    }
    repeat_ends(to[0], width);
    repeat_ends(to[1], width);
}

// Symmetric under a change of sign of x or z, so that pictures keep a scene's symmetry. The weight
// grows with height: the sky is brighter than the ground.
static const float sky[GY_SKY][4] = {{0.0f, 1.0f, 0.0f, 0.20f},      {0.62f, 0.60f, 0.50f, 0.13f},
                                     {-0.62f, 0.60f, 0.50f, 0.13f},  {0.62f, 0.60f, -0.50f, 0.13f},
                                     {-0.62f, 0.60f, -0.50f, 0.13f}, {0.58f, -0.34f, 0.74f, 0.07f},
                                     {-0.58f, -0.34f, 0.74f, 0.07f}, {0.58f, -0.34f, -0.74f, 0.07f},
                                     {-0.58f, -0.34f, -0.74f, 0.07f}};

void GY_DRAWN(gy_sky_coarsen)(void *argument, int k)
{
    const gy_skies *args = argument;
    const gy_cells *from = &args->volume->opaque;

    for (int j = 0; j < args->n[1]; j++) {
        for (int i = 0; i < args->n[0]; i++) {
            float sum = 0.0f;

            for (int c = 0; c < 8; c++) {
                int x = 2 * i - 1 + (c & 1), y = 2 * j - 1 + (c >> 1 & 1), z = 2 * k - 1 + (c >> 2);

                if (x >= 0 && y >= 0 && z >= 0 && x < from->n[0] && y < from->n[1] &&
                    z < from->n[2])
                    sum += from->data[gy_cell_index(from, x, y, z)];
            }
            args->depth[i + args->n[0] * (j + args->n[1] * k)] = 0.25f * sum; // 2 cells long
        }
    }
}

// One direction; all of them run side by side.
void GY_DRAWN(gy_sky_sweep)(void *argument, int task)
{
    gy_skies *args = argument;
    vec l = vec_unit(vec_make(sky[task]));
    int axis = 1;

    if (fabsf(l[2]) > fabsf(l[axis]))
        axis = 2;
    if (fabsf(l[0]) > fabsf(l[axis]))
        axis = 0;
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const int *n = args->n;
    ptrdiff_t step[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]}, line = n[u] + 2 * GY_LIGHT_EDGE;
    float along = fabsf(l[axis]), du = l[u] / along, dv = l[v] / along;
    float *before = args->plane[task][0], *after = args->plane[task][1];

    for (ptrdiff_t i = 0; i < line * n[v]; i++)
        before[i] = 1.0f;
    for (int p = 0; p < n[axis]; p++) {
        ptrdiff_t plane = (l[axis] > 0.0f ? n[axis] - 1 - p : p) * step[axis];

        for (int b = 0; b < n[v]; b++) {
            inflow from = inflow_of(before, line, b, n[v] - 1, du, dv);
            float *to = after + b * line;

            for (int a = 0; a < n[u]; a += GY_WIDE) {
                ptrdiff_t cell = plane + a * step[u] + b * step[v];
                v8 depth = load_apart(args->depth + cell, step[u], n[u] - a);
                // Scattering brings half of the light back on its way.
                v8 half = v8_fade(v8_all(0.25f / along) * depth);
                v8 light = half * flows_in(&from, a), share = light * v8_all(sky[task][3]);

                v8_store(to + GY_LIGHT_EDGE + a, light * half);
                if (step[u] == 1 && n[u] - a >= GY_WIDE) {
                    v8_store(args->arrived[task] + cell, share);
                    continue;
                }
                for (int i = 0; i < GY_WIDE && a + i < n[u]; i++)
                    args->arrived[task][cell + i * step[u]] = share[i];
            }
            repeat_ends(to, n[u]);
        }
        float *swap = before;

        before = after;
        after = swap;
    }
}

void GY_DRAWN(gy_sky_gather)(void *argument, int k)
{
    const gy_skies *args = argument;
    ptrdiff_t size = (ptrdiff_t)args->n[0] * args->n[1], first = k * size;

    for (ptrdiff_t i = first; i < first + size; i++) {
        float sum = 0.0f;

        for (int d = 0; d < GY_SKY; d++)
            sum += args->arrived[d][i];
        args->depth[i] = sum;
    }
}

// To the fine cells: 2c - 1 and 2c lie a quarter of a coarse cell to each side of cell c.
void GY_DRAWN(gy_sky_spread)(void *argument, int k)
{
    const gy_skies *args = argument;
    gy_volume *volume = args->volume;
    float fz = k & 1 ? 0.75f : 0.25f;
    ptrdiff_t sy = args->n[0], sz = sy * args->n[1];

    for (int j = 0; j < volume->opaque.n[1]; j++) {
        float *to = (float *)(volume->smoke + gy_cell_index(&volume->opaque, 0, j, k)) + 3;
        const float *p = args->depth + (j / 2) * sy + (k / 2) * sz;
        float fy = j & 1 ? 0.75f : 0.25f, before = 0.0f;

        for (int c = 0; 2 * (c - 1) < volume->opaque.n[0]; c++) {
            const float *q = p + c;
            float here = mixf(mixf(q[0], q[sy], fy), mixf(q[sz], q[sz + sy], fy), fz);

            // Fine cells between coarse cells c - 1 and c.
            for (int i = 2 * (c - 1); c > 0 && i < 2 * c && i < volume->opaque.n[0]; i++)
                to[4 * i] = mixf(before, here, i & 1 ? 0.75f : 0.25f);
            before = here;
        }
    }
}
