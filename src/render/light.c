// render/light.c: how much light reaches each cell.
//
// Light is swept through the grid plane by plane along the axis that its direction follows most:
// what arrives at a cell is what left the plane before, interpolated where the ray came through,
// dimmed by half of the cell itself. Two kinds travel together: direct light, and light that smoke
// has scattered before, for which smoke counts only 0.3 (an octave of multiple scattering).
// Light from the sky is swept along GY_SKY directions on a grid of half the resolution.
#include "render/render.h"
#include "render/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct sweep_args {
    gy_volume *volume;
    int axis, u, v;      // along the sweep, and the other two
    ptrdiff_t step[3];   // strides of the padded grid
    int plane;           // padded index along the axis
    float du, dv;        // cells to where the ray came through the plane before
    float length;        // of the ray from plane to plane, in cells
    vec *before, *after; // light leaving the planes; (n[u] + 2) x (n[v] + 2)
} sweep_args;

// A row of the plane: index b along v.
static void sweep_row(void *argument, int task)
{
    const sweep_args *args = argument;
    gy_volume *volume = args->volume;
    int width = volume->n[args->u] + 2, high_u = width - 1, high_v = volume->n[args->v] + 1;
    int b = task;
    float at_v = (float)b + args->dv;

    at_v = at_v > 0.0f ? (at_v < (float)high_v ? at_v : (float)high_v) : 0.0f;
    int v0 = (int)at_v < high_v ? (int)at_v : high_v - 1;
    float fv = at_v - (float)v0;
    const vec *low = args->before + (ptrdiff_t)v0 * width, *high = low + width;
    ptrdiff_t cell = args->plane * args->step[args->axis] + b * args->step[args->v];
    vec *to = args->after + (ptrdiff_t)b * width;

    for (int a = 0; a < width; a++, cell += args->step[args->u]) {
        float at_u = (float)a + args->du;

        at_u = at_u > 0.0f ? (at_u < (float)high_u ? at_u : (float)high_u) : 0.0f;
        int u0 = (int)at_u < high_u ? (int)at_u : high_u - 1;
        vec fu = vec_all(at_u - (float)u0);
        vec p = low[u0] + (low[u0 + 1] - low[u0]) * fu;
        vec q = high[u0] + (high[u0 + 1] - high[u0]) * fu;
        vec light = p + (q - p) * vec_all(fv);
        float depth = 0.5f * args->length * volume->opaque.data[cell];

        if (depth > 0.0f) {
            vec half = {fade(depth), fade(0.3f * depth), 1.0f, 1.0f};

            light *= half;
            to[a] = light * half;
        } else {
            to[a] = light;
        }
        volume->smoke[cell][1] = light[0];
        volume->smoke[cell][2] = light[1];
    }
}

static bool sweep_light(gy_volume *volume)
{
    sweep_args args = {.volume = volume};
    vec l = volume->light;

    for (int axis = 1; axis < 3; axis++) {
        if (fabsf(l[axis]) > fabsf(l[args.axis]))
            args.axis = axis;
    }
    args.u = args.axis == 0 ? 1 : 0;
    args.v = args.axis == 2 ? 1 : 2;
    args.step[0] = 1;
    args.step[1] = volume->opaque.sy;
    args.step[2] = volume->opaque.sz;
    float along = fabsf(l[args.axis]);

    args.du = l[args.u] / along;
    args.dv = l[args.v] / along;
    args.length = 1.0f / along;
    int planes = volume->n[args.axis] + 2, rows = volume->n[args.v] + 2;
    size_t size = (size_t)(volume->n[args.u] + 2) * (size_t)rows;
    vec *buffer = gy_take(volume->input->memory, 2 * size, sizeof(vec));

    if (buffer == NULL)
        return false;
    args.before = buffer;
    args.after = buffer + size;
    for (size_t i = 0; i < size; i++)
        args.before[i] = vec_all(1.0f);
    for (int p = 0; p < planes; p++) {
        vec *swap = args.after;

        args.plane = l[args.axis] > 0.0f ? planes - 1 - p : p;
        gyre_device_parallel_for(volume->device, rows, sweep_row, &args);
        args.after = args.before;
        args.before = swap;
    }
    gy_give(volume->input->memory, buffer);
    return true;
}

// Symmetric under a change of sign of x or z, so that pictures keep a scene's symmetry. The weight
// grows with height: the sky is brighter than the ground.
static const float sky[GY_SKY][4] = {{0.0f, 1.0f, 0.0f, 0.20f},      {0.62f, 0.60f, 0.50f, 0.13f},
                                     {-0.62f, 0.60f, 0.50f, 0.13f},  {0.62f, 0.60f, -0.50f, 0.13f},
                                     {-0.62f, 0.60f, -0.50f, 0.13f}, {0.58f, -0.34f, 0.74f, 0.07f},
                                     {-0.58f, -0.34f, 0.74f, 0.07f}, {0.58f, -0.34f, -0.74f, 0.07f},
                                     {-0.58f, -0.34f, -0.74f, 0.07f}};

typedef struct sky_args {
    gy_volume *volume;
    int n[3];                // of the coarse grid with a margin
    float *depth;            // extinction per coarse cell
    float *arrived[GY_SKY];  // light per direction
    float *plane[GY_SKY][2]; // scratch
} sky_args;

static void coarsen_plane(void *argument, int k)
{
    const sky_args *args = argument;
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
static void sweep_sky(void *argument, int task)
{
    sky_args *args = argument;
    vec l = vec_unit(vec_make(sky[task]));
    int axis = 1;

    if (fabsf(l[2]) > fabsf(l[axis]))
        axis = 2;
    if (fabsf(l[0]) > fabsf(l[axis]))
        axis = 0;
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const int *n = args->n;
    ptrdiff_t step[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    float along = fabsf(l[axis]), du = l[u] / along, dv = l[v] / along;
    float *before = args->plane[task][0], *after = args->plane[task][1];

    for (int i = 0; i < n[u] * n[v]; i++)
        before[i] = 1.0f;
    for (int p = 0; p < n[axis]; p++) {
        ptrdiff_t plane = (l[axis] > 0.0f ? n[axis] - 1 - p : p) * step[axis];

        for (int b = 0; b < n[v]; b++) {
            float at_v = fminf(fmaxf((float)b + dv, 0.0f), (float)(n[v] - 1));
            int v0 = (int)at_v < n[v] - 1 ? (int)at_v : n[v] - 2;
            float fv = at_v - (float)v0;
            const float *low = before + v0 * n[u], *high = low + n[u];

            for (int a = 0; a < n[u]; a++) {
                float at_u = fminf(fmaxf((float)a + du, 0.0f), (float)(n[u] - 1));
                int u0 = (int)at_u < n[u] - 1 ? (int)at_u : n[u] - 2;
                float fu = at_u - (float)u0;
                ptrdiff_t cell = plane + a * step[u] + b * step[v];
                // Scattering brings half of the light back on its way.
                float half = fade(0.25f * args->depth[cell] / along);
                float light = half * mixf(mixf(low[u0], low[u0 + 1], fu),
                                          mixf(high[u0], high[u0 + 1], fu), fv);

                args->arrived[task][cell] = light * sky[task][3];
                after[a + b * n[u]] = light * half;
            }
        }
        float *swap = before;

        before = after;
        after = swap;
    }
}

static void gather_plane(void *argument, int k)
{
    const sky_args *args = argument;
    ptrdiff_t size = (ptrdiff_t)args->n[0] * args->n[1], first = k * size;

    for (ptrdiff_t i = first; i < first + size; i++) {
        float sum = 0.0f;

        for (int d = 0; d < GY_SKY; d++)
            sum += args->arrived[d][i];
        args->depth[i] = sum;
    }
}

static void spread_plane(void *argument, int k)
{
    const sky_args *args = argument;
    gy_volume *volume = args->volume;
    gy_cells coarse = {{args->n[0], args->n[1], args->n[2]},
                       args->n[0],
                       (ptrdiff_t)args->n[0] * args->n[1],
                       args->depth};

    for (int j = 0; j < volume->opaque.n[1]; j++) {
        vec *to = volume->smoke + gy_cell_index(&volume->opaque, 0, j, k);

        for (int i = 0; i < volume->opaque.n[0]; i++) {
            // Fine cells 2c - 1 and 2c lie a quarter of a coarse cell to each side of cell c.
            vec at = {0.5f * (float)i + 0.25f, 0.5f * (float)j + 0.25f, 0.5f * (float)k + 0.25f,
                      0.0f};

            to[i][3] = gy_sample(&coarse, at);
        }
    }
}

static bool sweep_skies(gy_volume *volume)
{
    sky_args args = {.volume = volume};
    size_t count = 1, side = 0;

    for (int axis = 0; axis < 3; axis++) {
        args.n[axis] = volume->n[axis] / 2 + 3;
        count *= (size_t)args.n[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        size_t size = (size_t)args.n[axis] * (size_t)args.n[(axis + 1) % 3];

        side = size > side ? size : side;
    }
    size_t each = count + 2 * side;
    float *memory = gy_take(volume->input->memory, count + GY_SKY * each, sizeof *memory);

    if (memory == NULL)
        return false;
    args.depth = memory;
    for (int d = 0; d < GY_SKY; d++) {
        args.arrived[d] = memory + count + (size_t)d * each;
        args.plane[d][0] = args.arrived[d] + count;
        args.plane[d][1] = args.plane[d][0] + side;
    }
    gyre_device_parallel_for(volume->device, args.n[2], coarsen_plane, &args);
    gyre_device_parallel_for(volume->device, GY_SKY, sweep_sky, &args);
    gyre_device_parallel_for(volume->device, args.n[2], gather_plane, &args);
    gyre_device_parallel_for(volume->device, volume->opaque.n[2], spread_plane, &args);
    gy_give(volume->input->memory, memory);
    return true;
}

gyre_result gy_light_cells(gy_volume *volume)
{
    bool shadow = volume->input->settings.shadow;

    if ((shadow && !sweep_light(volume)) || !sweep_skies(volume))
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to light %d x %d x %d cells", volume->n[0],
                         volume->n[1], volume->n[2]);
    return GYRE_OK;
}

gyre_result gy_light_floor(gy_volume *volume)
{
    vec l = volume->light;

    // The map covers the domain's foot and how far its top casts shadows, within reason.
    for (int side = 0; side < 2; side++) {
        int axis = side == 0 ? 0 : 2;
        float reach = l[1] > 0.05f ? (float)volume->n[1] * -l[axis] / l[1] : 0.0f;
        float most = 3.0f * (float)volume->n[1];
        int cast = (int)fminf(fmaxf(reach, -most), most);

        volume->floor_low[side] = -1 + (cast < 0 ? cast : 0);
        volume->floor_n[side] = volume->n[axis] + 4 + abs(cast);
    }
    size_t count = (size_t)volume->floor_n[0] * (size_t)volume->floor_n[1];

    volume->floor_shadow = malloc(count * sizeof *volume->floor_shadow);
    if (volume->floor_shadow == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the floor's shadow");
    if (volume->input->settings.shadow) {
        gyre_device_parallel_for(volume->device, volume->floor_n[1],
                                 gy_drawers_of(volume->device)->floor_row, volume);
    } else {
        for (size_t i = 0; i < count; i++)
            volume->floor_shadow[i] = 1.0f;
    }
    return GYRE_OK;
}
