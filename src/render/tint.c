// render/tint.c: several scalars in one volume, each with its own colour.
//
// Each takes light from a ray by its own extinction s_i and sends on the share that its colour a_i
// says: extinctions add up, s = sum s_i, and a place has the colour sum s_i a_i / s. Cost: 16 bytes
// a cell, and eight more cells a sample.
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

typedef struct tint_args {
    gy_volume *volume;
    const gyre_field_view *density;
    vec colour; // of the density
} tint_args;

static float extinction(float value, float scale)
{
    float x = value * scale;

    // NaN fails the first comparison.
    return x > 1e-6f ? (x < 1e6f ? x : 1e6f) : 0.0f;
}

static void tint_row(const gy_volume *volume, const gyre_field_view *view, float scale, vec colour,
                     int j, int k, bool add)
{
    const float *from = view->data + j * view->stride[1] + k * view->stride[2];
    ptrdiff_t at = gy_cell_index(&volume->opaque, 1, j + 1, k + 1);

    colour[3] = 1.0f;
    for (int i = 0; i < view->n[0]; i++) {
        float own = extinction(from[i], scale);

        volume->opaque.data[at + i] += add ? own : 0.0f;
        volume->tint[at + i] += colour * vec_all(own);
    }
}

static void tint_plane(void *argument, int k)
{
    const tint_args *args = argument;
    const gyre_render_input *input = args->volume->input;
    float unit = input->settings.density_scale * input->grid->h;

    for (int j = 0; j < input->grid->n[1]; j++) {
        // The density's own extinction lies there already.
        if (args->density != NULL)
            tint_row(args->volume, args->density, unit, args->colour, j, k, false);
        for (int i = 0; i < input->channel_count; i++) {
            const gyre_render_channel *c = &input->channels[i];

            tint_row(args->volume, c->view, unit * c->scale, vec_make(c->colour), j, k, true);
        }
    }
}

gyre_result gy_tint_cells(gy_volume *volume)
{
    const gyre_render_input *input = volume->input;
    const gy_cells *like = &volume->opaque;
    size_t count = (size_t)like->sz * (size_t)(like->n[2] + 1) + (size_t)like->sy + 2;
    tint_args args = {volume, input->density, vec_make(input->settings.albedo)};

    volume->tint = gy_take_zeros(input->memory, count, sizeof(vec));
    if (volume->tint == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the colours of %d scalars",
                         input->channel_count);
    gyre_device_parallel_for(volume->device, input->grid->n[2], tint_plane, &args);
    return GYRE_OK;
}

void gy_tint_shines(gy_volume *volume)
{
    const gy_cells *like = &volume->opaque;

    volume->shine = volume->tint;
    volume->tint = NULL;
    memset(like->data, 0, (size_t)like->sz * (size_t)like->n[2] * sizeof *like->data);
}
