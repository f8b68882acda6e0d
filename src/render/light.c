// render/light.c: how much light reaches each cell.
//
// Light is swept through the grid plane by plane along the axis that its direction follows most:
// what arrives at a cell is what left the plane before, interpolated where the ray came through,
// dimmed by half of the cell itself. Two kinds travel together: direct light, and light that smoke
// has scattered before, for which smoke counts only 0.3 (an octave of multiple scattering).
// Light from the sky is swept along GY_SKY directions on a grid of half the resolution.
#include "render/light.h"
#include "render/rows.h"

#include <stdlib.h>
#include <string.h>

static bool sweep_light(gy_volume *volume)
{
    gy_sweep args = {.volume = volume};
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
    args.line = volume->n[args.u] + 2 + 2 * GY_LIGHT_EDGE;
    args.kind = args.line * rows + GY_LIGHT_EDGE;
    float *buffer = gy_take(volume->input->memory, 4, (size_t)args.kind * sizeof *buffer);

    if (buffer == NULL)
        return false;
    args.before = buffer;
    args.after = buffer + 2 * args.kind;
    for (ptrdiff_t i = 0; i < 2 * args.kind; i++)
        args.before[i] = 1.0f;
    for (int p = 0; p < planes; p++) {
        float *swap = args.after;

        args.plane = l[args.axis] > 0.0f ? planes - 1 - p : p;
        gyre_device_parallel_for(volume->device, rows, gy_drawers_of(volume->device)->sweep_row,
                                 &args);
        args.after = args.before;
        args.before = swap;
    }
    gy_give(volume->input->memory, buffer);
    return true;
}

static bool sweep_skies(gy_volume *volume)
{
    gy_skies args = {.volume = volume};
    size_t count = 1, side = 0;

    for (int axis = 0; axis < 3; axis++) {
        args.n[axis] = volume->n[axis] / 2 + 3;
        count *= (size_t)args.n[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        size_t size = ((size_t)args.n[axis] + 2 * GY_LIGHT_EDGE) *
                      ((size_t)args.n[(axis + 1) % 3] + 2 * GY_LIGHT_EDGE);

        side = size > side ? size : side;
    }
    size_t each = count + 2 * side;
    const gy_drawers *rows = gy_drawers_of(volume->device);
    float *memory = gy_take(volume->input->memory, count + GY_SKY * each, sizeof *memory);

    if (memory == NULL)
        return false;
    args.depth = memory;
    for (int d = 0; d < GY_SKY; d++) {
        args.arrived[d] = memory + count + (size_t)d * each;
        args.plane[d][0] = args.arrived[d] + count;
        args.plane[d][1] = args.plane[d][0] + side;
    }
    gyre_device_parallel_for(volume->device, args.n[2], rows->sky_coarsen, &args);
    gyre_device_parallel_for(volume->device, GY_SKY, rows->sky_sweep, &args);
    gyre_device_parallel_for(volume->device, args.n[2], rows->sky_gather, &args);
    gyre_device_parallel_for(volume->device, volume->opaque.n[2], rows->sky_spread, &args);
    gy_give(volume->input->memory, memory);
    return true;
}

gyre_result gy_light_clear(gy_volume *volume)
{
    const gy_cells *like = &volume->opaque;
    size_t count = (size_t)like->sz * (size_t)(like->n[2] + 1) + (size_t)like->sy + 2;
    float *all = volume->opaque.data, *light;

    // What is not lit is in no shadow.
    if (!volume->input->settings.shadow)
        return GYRE_OK;
    volume->clear = (const float *)volume->smoke + 1;
    volume->clear_step = 4;
    if (!volume->has_solid)
        return GYRE_OK;
    light = gy_take_zeros(volume->input->memory, count, sizeof *light);
    volume->clear_memory = light;
    if (light == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for shadows of smoke");
    for (ptrdiff_t i = 0; i < like->sz * like->n[2]; i++)
        light[i] = volume->smoke[i][0];
    volume->opaque.data = light;
    bool done = sweep_light(volume);

    volume->opaque.data = all;
    if (!done)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for shadows of smoke");
    for (ptrdiff_t i = 0; i < like->sz * like->n[2]; i++)
        light[i] = volume->smoke[i][1];
    volume->clear = light;
    volume->clear_step = 1;
    return GYRE_OK;
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
