// render/dyes.c: several scalars mixed as ink: each takes of each colour of the light a share.
//
// On a way through dyes of amounts q_i the share exp(-sum_i k_i,c integral s_i q_i) of colour c is
// left (Bouguer 1729, Lambert 1760, Beer 1852), s_i = density_scale * scale_i and k_i,c =
// -ln(colour_i,c): so at a depth of 1 a dye leaves of white light its colour, and what dyes leave
// multiplies. A picture of one colour is a picture of smoke of the extinction sum_i s_i k_i,c q_i
// that sends nothing on; of cloudy ink beside smoke that sends all on. It is drawn once for each
// colour that differs, and each gives its bytes: light, shadows, floor, solids and particles are
// coloured by that. Cost: that of three pictures of one scalar (one where all dyes are gray), and
// 4 bytes a cell written and 4 a dye read for each.
#include "render/map.h"

#include <stdlib.h>
#include <string.h>

enum { DYES_MOST = 65 }; // channels and the density

/// Dyes of one input.
typedef struct dyes {
    const gyre_field_view *view[DYES_MOST];
    float scale[DYES_MOST], taken[DYES_MOST][3];
    int count;
    gyre_field_view absorbs, scatters; // what stands for them: fields of one colour
    gyre_render_channel channels[2];
} dyes;

typedef struct mix_job {
    const dyes *of;
    int colour; // -1: amounts alone
    float factor;
    float *to;
} mix_job;

void gy_ink_taken(const float colour[3], float taken[3])
{
    // Less than shows in a byte is as good as none.
    for (int c = 0; c < 3; c++)
        taken[c] = colour[c] < 1.0f ? -logf(colour[c] > 1e-4f ? colour[c] : 1e-4f) : 0.0f;
}

static int compare_floats(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

// By what is seen of them; where that is the same, by their values: what is still the same then is
// the same in any order.
static int compare_channels(const void *first, const void *second)
{
    const gyre_render_channel *a = first, *b = second;
    const gyre_field_view *p = a->view, *q = b->view;
    int order = compare_floats(a->colour, b->colour, 3);

    order = order != 0 ? order : compare_floats(&a->scale, &b->scale, 1);
    for (int k = 0; k < p->n[2] && order == 0 && p != q; k++) {
        for (int j = 0; j < p->n[1] && order == 0; j++)
            order = memcmp(p->data + j * p->stride[1] + k * p->stride[2],
                           q->data + j * q->stride[1] + k * q->stride[2],
                           (size_t)p->n[0] * sizeof(float));
    }
    return order;
}

void gy_sort_channels(const gyre_render_channel *from, int count, gyre_render_channel *to)
{
    if (count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
    // Few, so the simplest of sorts.
    for (int i = 1; i < count; i++) {
        gyre_render_channel own = to[i];
        int k = i;

        for (; k > 0 && compare_channels(&to[k - 1], &own) > 0; k--)
            to[k] = to[k - 1];
        to[k] = own;
    }
}

static void list_dyes(const gyre_render_input *input, dyes *d)
{
    d->count = 0;
    if (input->density != NULL) {
        d->view[0] = input->density;
        d->scale[0] = 1.0f;
        memcpy(d->taken[0], gy_ink_absorb, sizeof d->taken[0]);
        d->count = 1;
    }
    for (int i = 0; i < input->channel_count; i++) {
        const gyre_render_channel *c = &input->channels[i];

        d->view[d->count] = c->view;
        d->scale[d->count] = c->scale;
        gy_ink_taken(c->colour, d->taken[d->count++]);
    }
}

static void mix_plane(void *argument, int k)
{
    const mix_job *job = argument;
    const dyes *d = job->of;
    const int *n = d->view[0]->n;

    for (int j = 0; j < n[1]; j++) {
        float *to = job->to + (size_t)n[0] * ((size_t)j + (size_t)n[1] * (size_t)k);

        memset(to, 0, (size_t)n[0] * sizeof *to);
        for (int i = 0; i < d->count; i++) {
            const float *from =
                d->view[i]->data + j * d->view[i]->stride[1] + k * d->view[i]->stride[2];
            float part = job->colour < 0 ? d->scale[i] : d->scale[i] * d->taken[i][job->colour];

            // NaN fails the first comparison.
            for (int x = 0; x < n[0]; x++)
                to[x] += from[x] > 0.0f ? part * (from[x] < 1e12f ? from[x] : 1e12f) : 0.0f;
        }
        for (int x = 0; x < n[0] && job->factor != 1.0f; x++)
            to[x] *= job->factor;
    }
}

static bool mix(gyre_device *device, const dyes *d, int colour, float factor, gyre_field_view *to)
{
    const int *n = d->view[0]->n;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];

    if (to->data == NULL) {
        *to = *d->view[0];
        to->stride[1] = n[0];
        to->stride[2] = (ptrdiff_t)n[0] * n[1];
        to->data = malloc(count * sizeof *to->data);
        if (to->data == NULL)
            return false;
    }
    mix_job job = {d, colour, factor, to->data};

    gyre_device_parallel_for(device, n[2], mix_plane, &job);
    return true;
}

// What stands for the inks of an input in a picture of one colour.
static bool mix_input(gyre_device *device, const gyre_render_input *input, int colour, dyes *d,
                      gyre_render_input *to)
{
    float cloudiness = input->settings.cloudiness;

    to->density = NULL;
    to->channels = NULL;
    to->channel_count = 0;
    to->settings.mix = GYRE_MIX_AUTO;
    memcpy(to->settings.background_top, input->settings.paper, sizeof input->settings.paper);
    memcpy(to->settings.background_bottom, input->settings.paper, sizeof input->settings.paper);
    if (d->count == 0)
        return true;
    if (!mix(device, d, colour, 1.0f, &d->absorbs))
        return false;
    if (!(cloudiness > 0.0f)) {
        to->density = &d->absorbs;
        memset(to->settings.albedo, 0, sizeof to->settings.albedo);
        return true;
    }
    if (d->scatters.data == NULL && !mix(device, d, -1, cloudiness, &d->scatters))
        return false;
    d->channels[0] = (gyre_render_channel){&d->absorbs, {0.0f, 0.0f, 0.0f}, 1.0f};
    d->channels[1] = (gyre_render_channel){&d->scatters, {1.0f, 1.0f, 1.0f}, 1.0f};
    to->channels = d->channels;
    to->channel_count = 2;
    return true;
}

static bool same_colour(const dyes *d, int count, int a, int b)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < d[i].count; k++) {
            if (d[i].taken[k][a] != d[i].taken[k][b])
                return false;
        }
    }
    return true;
}

static gyre_result draw_colours(gyre_device *device, const gyre_render_input *inputs, int count,
                                gyre_image *image, gy_drawing *draw, dyes *d, gyre_render_input *as)
{
    size_t pixels = (size_t)image->width * (size_t)image->height;
    gyre_image one = {image->width, image->height, malloc(3 * pixels)};
    bool drawn[3] = {false, false, false}, first = true;
    gyre_result result =
        one.rgb != NULL ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of inks");

    for (int c = 0; c < 3 && result == GYRE_OK; c++) {
        bool done = true;

        if (drawn[c])
            continue;
        for (int i = 0; i < count && done; i++)
            done = mix_input(device, &inputs[i], c, &d[i], &as[i]);
        result = done ? draw(device, as, count, first ? image : &one)
                      : gyre_fail(GYRE_ERROR_MEMORY, "no memory to mix inks");
        for (int k = c; k < 3; k++) {
            if (drawn[k] || (k != c && !same_colour(d, count, c, k)))
                continue;
            drawn[k] = true;
            for (size_t p = 0; p < pixels && !first && result == GYRE_OK; p++)
                image->rgb[3 * p + (size_t)k] = one.rgb[3 * p + (size_t)k];
        }
        first = false;
    }
    free(one.rgb);
    return result;
}

gyre_result gy_draw_ink(gyre_device *device, const gyre_render_input *inputs, int count,
                        gyre_image *image, gy_drawing *draw)
{
    dyes *d = calloc((size_t)count, sizeof *d);
    gyre_render_input *as = malloc((size_t)count * sizeof *as);
    gyre_result result = GYRE_OK;

    if (d == NULL || as == NULL)
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory to mix inks");
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        as[i] = inputs[i];
        list_dyes(&inputs[i], &d[i]);
    }
    if (result == GYRE_OK)
        result = draw_colours(device, inputs, count, image, draw, d, as);
    for (int i = 0; i < count && d != NULL; i++) {
        free(d[i].absorbs.data);
        free(d[i].scatters.data);
    }
    free(d);
    free(as);
    return result;
}
