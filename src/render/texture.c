// render/texture.c: pictures of textures that flow. With X_p the place that phase p of a texture T
// has at a pixel, w_p its weight, m the mean of T and r its likeness to itself (render/texels.c),
//
//     m + c sum_p w_p (T(X_p) - m) / sqrt(sum_pq w_p w_q r(|X_p - X_q|))
//
// so that what is blended keeps the mean and the variance of T while phases come and go, whether
// they show the same detail (r = 1: the sum of weights is divided by) or others (r = 0: the root of
// the sum of their squares; Yu, Neyret, Bruneton and Holzschuch, Lagrangian texture advection,
// 2011, section 5). c is view.texture_contrast. All this in sRGB, as what is seen shall stay as it
// is. r below 0 counts as 0, so that nothing is made much larger than it was.
//
// Places between cells are bicubic, so that drawn-out detail has no kinks there; texels are taken
// along the longer axis of what a pixel covers (Heckbert 1989), up to TAPS, from the halving that
// the shorter axis asks for. Cost: 160 ns a pixel and phase.
//
// A volume's smoke is multiplied, cell by cell, by 1 + c z / 2, at least 0, z being solid noise of
// mean 0 and variance 1, or an image's luminance brought to that, the same along z.
#include "render/texture.h"

#include <string.h>

enum { TAPS = 8 };

// ---- places

static void weigh(float t, float w[4])
{
    float t2 = t * t, t3 = t2 * t;

    w[0] = 0.5f * (-t + 2.0f * t2 - t3);
    w[1] = 0.5f * (2.0f - 5.0f * t2 + 3.0f * t3);
    w[2] = 0.5f * (t + 4.0f * t2 - 3.0f * t3);
    w[3] = 0.5f * (t3 - t2);
}

// A plane at a place in cells from its lower left corner.
static float sample(const gy_map_plane *plane, float x, float y)
{
    float wx[4], wy[4], sum = 0.0f;

    x = fminf(fmaxf(x - 0.5f, -0.5f), (float)plane->n[0] - 0.5f);
    y = fminf(fmaxf(y - 0.5f, -0.5f), (float)plane->n[1] - 0.5f);
    int i = (int)floorf(x), j = (int)floorf(y);

    // The margin is two cells wide.
    i = i < plane->n[0] - 1 ? i : plane->n[0] - 1;
    j = j < plane->n[1] - 1 ? j : plane->n[1] - 1;
    weigh(x - (float)i, wx);
    weigh(y - (float)j, wy);
    for (int b = 0; b < 4; b++) {
        const float *p = plane->data + (i - 1) + (j - 1 + b) * plane->row;

        sum += wy[b] * (wx[0] * p[0] + wx[1] * p[1] + wx[2] * p[2] + wx[3] * p[3]);
    }
    return sum;
}

// What may be made an integer.
static float bounded(float x)
{
    return fminf(fmaxf(x, -1e9f), 1e9f);
}

// Where all phases are along a row of pixels, in texels: [phase][axis] of each pixel, one more.
static void place_row(const gy_warp *warp, int y, float *to)
{
    const gy_map_view *view = warp->view;
    const gyre_render_texture *t = warp->texture;
    const gyre_grid *grid = view->input->grid;
    float up = view->shift[1] + ((float)(view->image->height - y) - 0.5f) * view->cells;

    for (int x = 0; x <= view->image->width; x++) {
        float right = view->shift[0] + ((float)x + 0.5f) * view->cells;
        const float at[2] = {right, up};

        for (int p = 0; p < t->phases; p++) {
            for (int a = 0; a < 2; a++) {
                int axis = warp->axis[a];
                float metres = grid->origin[axis] - t->origin[axis] + at[a] * grid->h +
                               t->offset[p][axis] + sample(&warp->shift[p][a], right, up);

                to[(x * GYRE_TEXTURE_PHASES + p) * 2 + a] =
                    bounded(metres / t->size * (float)t->texels->n[0][0]);
            }
        }
    }
}

// ---- texels

static int wrap(float *x, int n)
{
    float turns = floorf(*x / (float)n);
    int i;

    *x -= turns * (float)n;
    i = (int)*x;
    i = i < 0 ? 0 : i < n ? i : n - 1;
    *x -= (float)i;
    return i;
}

// Adds a level's colour at a place in texels of the finest, `part` times.
static void add_level(const gyre_texels *t, int level, const float at[2], float part, float rgb[3])
{
    const int *n = t->n[level];
    float x = at[0] * (float)n[0] / (float)t->n[0][0] - 0.5f;
    float y = at[1] * (float)n[1] / (float)t->n[0][1] - 0.5f;
    int i = wrap(&x, n[0]), j = wrap(&y, n[1]);
    int right = i + 1 < n[0] ? i + 1 : 0, up = j + 1 < n[1] ? j + 1 : 0;
    const float *low = t->level[level] + 3 * (ptrdiff_t)n[0] * j;
    const float *high = t->level[level] + 3 * (ptrdiff_t)n[0] * up;

    for (int c = 0; c < 3; c++) {
        float a = mixf(low[3 * i + c], low[3 * right + c], x);
        float b = mixf(high[3 * i + c], high[3 * right + c], x);

        rgb[c] += part * mixf(a, b, y);
    }
}

// The texture's colour over the parallelogram that a pixel covers.
static void take_texel(const gyre_texels *t, const float at[2], const float right[2],
                       const float up[2], float rgb[3])
{
    float a = sqrtf(right[0] * right[0] + right[1] * right[1]);
    float b = sqrtf(up[0] * up[0] + up[1] * up[1]);
    const float *way = a > b ? right : up;
    float longer = fmaxf(a, b), area = fabsf(right[0] * up[1] - right[1] * up[0]);
    float shorter = longer > 1e-6f ? area / longer : 0.0f, size;

    shorter = fmaxf(fmaxf(shorter, longer / (float)TAPS), 1.0f);
    int taps = (int)(longer / shorter + 0.999f), level = 0;

    taps = taps < 1 ? 1 : taps > TAPS ? TAPS : taps;
    for (size = shorter; size >= 2.0f && level + 1 < t->levels; level++)
        size *= 0.5f;
    float blend = level + 1 < t->levels ? fminf(size - 1.0f, 1.0f) : 0.0f;

    rgb[0] = rgb[1] = rgb[2] = 0.0f;
    for (int q = 0; q < taps; q++) {
        float part = 1.0f / (float)taps, far = ((float)q + 0.5f) * part - 0.5f;
        const float place[2] = {at[0] + far * way[0], at[1] + far * way[1]};

        add_level(t, level, place, part * (1.0f - blend), rgb);
        if (blend > 0.0f)
            add_level(t, level + 1, place, part * blend, rgb);
    }
}

static float look_up(const float table[GY_ALIKE + 1], float reach, float far)
{
    float at = fminf(far / reach, 1.0f) * (float)GY_ALIKE;
    int i = at < (float)(GY_ALIKE - 1) ? (int)at : GY_ALIKE - 1;

    return mixf(table[i], table[i + 1], at - (float)i);
}

// To the nearest repetition.
static float nearest(float x, float period)
{
    return x - period * floorf(x / period + 0.5f);
}

// What a blend's deviation is divided by: of places `dims` wide that repeat after `period`.
static float divisor(const gyre_render_texture *t, const float *places, int dims,
                     const float period[3], const float table[GY_ALIKE + 1], float reach)
{
    float sum = 0.0f;

    for (int p = 0; p < t->phases; p++) {
        sum += t->weight[p] * t->weight[p];
        for (int q = 0; q < p; q++) {
            float square = 0.0f;

            for (int a = 0; a < dims; a++) {
                float d = nearest(places[dims * p + a] - places[dims * q + a], period[a]);

                square += d * d;
            }
            sum += 2.0f * t->weight[p] * t->weight[q] * look_up(table, reach, sqrtf(square));
        }
    }
    return fmaxf(sqrtf(sum), 1e-6f);
}

// ---- maps

static void background(const gy_map_view *view, int y, float rgb[3])
{
    const gyre_view_settings *settings = &view->input->settings;
    vec top = vec_make(settings->background_top), bottom = vec_make(settings->background_bottom);
    float t = smooth(0.0f, 1.0f, ((float)y + 0.5f) / (float)view->image->height);
    vec colour = gy_tone_map((top + (bottom - top) * vec_all(t)) * vec_all(settings->exposure));

    for (int c = 0; c < 3; c++)
        rgb[c] = gy_to_srgb(colour[c]);
}

static void draw_pixel(const gy_warp *warp, const float *here, const float *below, float rgb[3])
{
    const gyre_render_texture *t = warp->texture;
    const float period[3] = {(float)t->texels->n[0][0], (float)t->texels->n[0][1], 1.0f};
    float sum[3] = {0};

    for (int p = 0; p < t->phases; p++) {
        const float *at = here + 2 * p, *next = at + 2 * GYRE_TEXTURE_PHASES, *down = below + 2 * p;
        const float right[2] = {next[0] - at[0], next[1] - at[1]};
        const float up[2] = {at[0] - down[0], at[1] - down[1]};
        float own[3];

        if (t->weight[p] <= 0.0f)
            continue;
        take_texel(t->texels, at, right, up, own);
        for (int c = 0; c < 3; c++)
            sum[c] += t->weight[p] * (own[c] - t->texels->mean[c]);
    }
    float scale = warp->view->input->settings.texture_contrast /
                  divisor(t, here, 2, period, t->texels->alike, t->texels->reach);

    for (int c = 0; c < 3; c++)
        rgb[c] = clamp01(t->texels->mean[c] + scale * sum[c]);
}

static void draw_row(const gy_warp *warp, int y, const float *here, const float *below)
{
    const gy_map_view *view = warp->view;
    const gy_map_plane *plane = &warp->shift[0][0];
    uint8_t *to = view->image->rgb + 3 * (size_t)y * (size_t)view->image->width;
    float up = view->shift[1] + ((float)(view->image->height - y) - 0.5f) * view->cells;
    float sharp = view->cells < 1.0f ? 1.0f / view->cells : 1.0f, behind[3];

    background(view, y, behind);
    for (int x = 0; x < view->image->width; x++, to += 3) {
        float right = view->shift[0] + ((float)x + 0.5f) * view->cells, rgb[3];
        bool in =
            right >= 0.0f && right < (float)plane->n[0] && up >= 0.0f && up < (float)plane->n[1];

        memcpy(rgb, behind, sizeof rgb);
        if (in)
            draw_pixel(warp, here + x * 2 * GYRE_TEXTURE_PHASES,
                       below + x * 2 * GYRE_TEXTURE_PHASES, rgb);
        if (in && view->solid.data != NULL) {
            float cover = clamp01((sample(&view->solid, right, up) - 0.5f) * sharp + 0.5f);

            for (int c = 0; c < 3; c++)
                rgb[c] = mixf(rgb[c], gy_to_srgb(view->body[c]), cover);
        }
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)(255.0f * rgb[c] + 0.5f);
    }
}

static void draw_rows(void *argument, int task)
{
    const gy_warp *warp = argument;
    const gy_map_view *view = warp->view;
    float *here = warp->scratch + task * warp->line, *below = here + warp->line / 2;
    int first = task * view->rows, end = first + view->rows;

    end = end < view->image->height ? end : view->image->height;
    place_row(warp, first, here);
    for (int y = first; y < end; y++) {
        float *spent = here;

        place_row(warp, y + 1, below);
        draw_row(warp, y, here, below);
        here = below;
        below = spent;
    }
}

bool gy_draw_texture(const gy_map_view *view)
{
    const gyre_render_input *input = view->input;
    const gyre_render_texture *t = input->texture;
    int across = input->grid->dim == 2 ? 2 : input->settings.slice_axis;
    int tasks = (view->image->height + view->rows - 1) / view->rows;
    gy_warp warp = {.view = view, .texture = t, .axis = {across == 0 ? 2 : 0, across == 1 ? 2 : 1}};
    const int n[2] = {input->grid->n[warp.axis[0]], input->grid->n[warp.axis[1]]};
    bool done = true;

    warp.line = 2 * (ptrdiff_t)(view->image->width + 1) * 2 * GYRE_TEXTURE_PHASES;
    for (int q = 0; q < 2 * t->phases && done; q++) {
        gy_map_plane *plane = &warp.shift[q / 2][q % 2];

        done = gy_make_plane(input->memory, plane, n);
        if (done)
            gy_cut_plane(view->device, t->shift[q / 2][warp.axis[q % 2]], &input->settings, plane);
    }
    warp.scratch =
        done ? gy_take(input->memory, (size_t)tasks * (size_t)warp.line, sizeof(float)) : NULL;
    if (warp.scratch != NULL)
        gyre_device_parallel_for(view->device, tasks, draw_rows, &warp);
    done = warp.scratch != NULL;
    for (int q = 0; q < 2 * GYRE_TEXTURE_PHASES; q++)
        gy_give(input->memory, warp.shift[q / 2][q % 2].memory);
    gy_give(input->memory, warp.scratch);
    return done;
}

// ---- volumes

// Solid noise at a place in its entries.
static float solid_at(const gyre_texels *t, const float at[3])
{
    enum { N = GY_SOLID_NOISE };
    int i[3][2];
    float f[3], plane[2];

    for (int a = 0; a < 3; a++) {
        f[a] = at[a] - 0.5f;
        i[a][0] = wrap(&f[a], N);
        i[a][1] = i[a][0] + 1 < N ? i[a][0] + 1 : 0;
    }
    for (int c = 0; c < 2; c++) {
        float line[2];

        for (int b = 0; b < 2; b++) {
            const float *row = t->solid + N * (i[1][b] + N * i[2][c]);

            line[b] = mixf(row[i[0][0]], row[i[0][1]], f[0]);
        }
        plane[c] = mixf(line[0], line[1], f[1]);
    }
    return mixf(plane[0], plane[1], f[2]);
}

// Of mean 0 and variance 1; `cell`: texels that a cell covers.
static float deviation_at(const gyre_texels *t, const float at[3], float cell)
{
    const float right[2] = {cell, 0.0f}, up[2] = {0.0f, cell};
    float rgb[3];

    if (t->solid != NULL)
        return solid_at(t, at);
    take_texel(t, at, right, up, rgb);
    return (0.2126f * (rgb[0] - t->mean[0]) + 0.7152f * (rgb[1] - t->mean[1]) +
            0.0722f * (rgb[2] - t->mean[2])) /
           t->spread;
}

static void smoke_plane(void *argument, int k)
{
    gy_volume *volume = argument;
    const gyre_render_input *input = volume->input;
    const gyre_render_texture *t = input->texture;
    const gyre_texels *texels = t->texels;
    bool solid = texels->solid != NULL;
    float entries = solid ? (float)GY_SOLID_NOISE : (float)texels->n[0][0];
    const float period[3] = {entries, solid ? entries : (float)texels->n[0][1], entries};
    float unit = entries / t->size, contrast = input->settings.texture_contrast;

    for (int j = 0; j < volume->n[1]; j++) {
        for (int i = 0; i < volume->n[0]; i++) {
            float *smoke =
                volume->opaque.data + gy_cell_index(&volume->opaque, i + 1, j + 1, k + 1);
            float places[3 * GYRE_TEXTURE_PHASES], sum = 0.0f;
            const int cell[3] = {i, j, k};

            if (!(*smoke > 0.0f))
                continue;
            for (int p = 0; p < t->phases; p++) {
                for (int a = 0; a < 3; a++) {
                    const gyre_field_view *v = t->shift[p][a];
                    float d = v->data[i * v->stride[0] + j * v->stride[1] + k * v->stride[2]];

                    d = fabsf(d) < INFINITY ? d : 0.0f;
                    places[3 * p + a] =
                        bounded(unit * (input->grid->origin[a] - t->origin[a] + t->offset[p][a] +
                                        ((float)cell[a] + 0.5f) * input->grid->h + d));
                }
                sum += t->weight[p] * deviation_at(texels, places + 3 * p, unit * input->grid->h);
            }
            // An image is the same along z.
            for (int p = 0; p < t->phases && !solid; p++)
                places[3 * p + 2] = 0.0f;
            float by = divisor(t, places, 3, period, solid ? texels->solid_alike : texels->alike,
                               solid ? texels->solid_reach : texels->reach);

            *smoke *= fmaxf(1.0f + 0.5f * contrast * sum / by, 0.0f);
        }
    }
}

void gy_texture_smoke(gy_volume *volume)
{
    gyre_device_parallel_for(volume->device, volume->n[2], smoke_plane, volume);
}
