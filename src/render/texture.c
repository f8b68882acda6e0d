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
// A volume's smoke is multiplied by 1 + c z / 2, at least 0, z being solid noise or the luminance
// of a volume, of mean 0 and variance 1, or an image's luminance brought to that, the same along z,
// where rays take samples, at places that lie linearly between those of cells, so that what is
// finer than cells is seen; means are taken over half a cell. Light in cells is dimmed by cells.
// A slice shows a volume's own colours, at places of three coordinates.
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

// Texels of a metre, of either kind.
static float per_metre(const gyre_render_texture *t, int dims)
{
    return (float)(dims == 3 ? t->texels->solid_n[0][0] : t->texels->n[0][0]) / t->size;
}

// Where all phases are along a row of pixels, in texels: [phase][axis] of each pixel, one more.
static void place_row(const gy_warp *warp, int y, float *to)
{
    const gy_map_view *view = warp->view;
    const gyre_render_texture *t = warp->texture;
    const gyre_grid *grid = view->input->grid;
    float up = view->shift[1] + ((float)(view->image->height - y) - 0.5f) * view->cells;
    float across = view->input->settings.slice_position * (float)grid->n[warp->axis[2]];

    for (int x = 0; x <= view->image->width; x++) {
        float right = view->shift[0] + ((float)x + 0.5f) * view->cells;
        const float at[3] = {right, up, across};

        for (int p = 0; p < t->phases; p++) {
            for (int a = 0; a < warp->dims; a++) {
                int axis = warp->axis[a];
                float metres = grid->origin[axis] - t->origin[axis] + at[a] * grid->h +
                               t->offset[p][axis] + sample(&warp->shift[p][a], right, up);

                // A volume's coordinates are in its own order, an image's in the picture's.
                to[(x * GYRE_TEXTURE_PHASES + p) * 3 + (warp->dims == 3 ? axis : a)] =
                    bounded(metres * per_metre(t, warp->dims));
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

// A volume's level, `parts` numbers an entry, at a place in entries of the finest: added to `sum`,
// `part` times.
static void add_solid(const gyre_texels *t, float *const *levels, int parts, int level,
                      const float at[3], float part, float *sum)
{
    const int *n = t->solid_n[level];
    ptrdiff_t i[3][2];
    float f[3];

    for (int a = 0; a < 3; a++) {
        int low;

        f[a] = at[a] * (float)n[a] / (float)t->solid_n[0][a] - 0.5f;
        low = wrap(&f[a], n[a]);
        i[a][0] = low;
        i[a][1] = low + 1 < n[a] ? low + 1 : 0;
    }
    for (int k = 0; k < parts; k++) {
        float plane[2];

        for (int c = 0; c < 2; c++) {
            float line[2];

            for (int b = 0; b < 2; b++) {
                const float *row = levels[level] + parts * (n[0] * (i[1][b] + n[1] * i[2][c])) + k;

                line[b] = mixf(row[parts * i[0][0]], row[parts * i[0][1]], f[0]);
            }
            plane[c] = mixf(line[0], line[1], f[1]);
        }
        sum[k] += part * mixf(plane[0], plane[1], f[2]);
    }
}

// The mean over about `size` entries.
static void take_solid(const gyre_texels *t, float *const *levels, int parts, const float at[3],
                       float size, float part, float *sum)
{
    int level = 0;

    for (size = fmaxf(size, 1.0f); size >= 2.0f && level + 1 < t->solid_levels; level++)
        size *= 0.5f;
    float blend = level + 1 < t->solid_levels ? fminf(size - 1.0f, 1.0f) : 0.0f;

    add_solid(t, levels, parts, level, at, part * (1.0f - blend), sum);
    if (blend > 0.0f)
        add_solid(t, levels, parts, level + 1, at, part * blend, sum);
}

// A volume's colour over the parallelogram that a pixel covers, as take_texel().
static void take_voxel(const gyre_texels *t, const float at[3], const float right[3],
                       const float up[3], float rgb[3])
{
    float a = 0.0f, b = 0.0f;

    for (int c = 0; c < 3; c++) {
        a += right[c] * right[c];
        b += up[c] * up[c];
    }
    const float *way = a > b ? right : up;
    float longer = sqrtf(fmaxf(a, b)), size;

    size = fmaxf(fmaxf(sqrtf(fminf(a, b)), longer / (float)TAPS), 1.0f);
    int taps = (int)(longer / size + 0.999f);

    taps = taps < 1 ? 1 : taps > TAPS ? TAPS : taps;
    rgb[0] = rgb[1] = rgb[2] = 0.0f;
    for (int q = 0; q < taps; q++) {
        float part = 1.0f / (float)taps, far = ((float)q + 0.5f) * part - 0.5f;
        const float place[3] = {at[0] + far * way[0], at[1] + far * way[1], at[2] + far * way[2]};

        take_solid(t, t->colour, 3, place, size, part, rgb);
    }
}

static float look_up(const float *table, float reach, float far)
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
                     const float period[3], const float *table, float reach)
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
    const gyre_texels *texels = t->texels;
    bool deep = warp->dims == 3;
    float period[3], places[3 * GYRE_TEXTURE_PHASES], sum[3] = {0};

    for (int a = 0; a < warp->dims; a++)
        period[a] = (float)(deep ? texels->solid_n[0][a] : texels->n[0][a]);
    for (int p = 0; p < t->phases; p++) {
        const float *at = here + 3 * p, *next = at + 3 * GYRE_TEXTURE_PHASES, *down = below + 3 * p;
        float right[3], up[3], own[3];

        for (int a = 0; a < warp->dims; a++) {
            right[a] = next[a] - at[a];
            up[a] = at[a] - down[a];
            places[warp->dims * p + a] = at[a];
        }
        if (t->weight[p] <= 0.0f)
            continue;
        if (deep)
            take_voxel(texels, at, right, up, own);
        else
            take_texel(texels, at, right, up, own);
        for (int c = 0; c < 3; c++)
            sum[c] += t->weight[p] * (own[c] - texels->mean[c]);
    }
    float by = divisor(t, places, warp->dims, period, deep ? texels->solid_alike : texels->alike,
                       deep ? texels->solid_reach : texels->reach);
    float scale = warp->view->input->settings.texture_contrast / by;

    for (int c = 0; c < 3; c++)
        rgb[c] = clamp01(texels->mean[c] + scale * sum[c]);
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
            draw_pixel(warp, here + x * 3 * GYRE_TEXTURE_PHASES,
                       below + x * 3 * GYRE_TEXTURE_PHASES, rgb);
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
    gy_warp warp = {.view = view,
                    .texture = t,
                    .axis = {across == 0 ? 2 : 0, across == 1 ? 2 : 1, across},
                    .dims = t->texels->colour[0] != NULL ? 3 : 2};
    const int n[2] = {input->grid->n[warp.axis[0]], input->grid->n[warp.axis[1]]};
    bool done = true;

    warp.line = 2 * (ptrdiff_t)(view->image->width + 1) * 3 * GYRE_TEXTURE_PHASES;
    for (int q = 0; q < warp.dims * t->phases && done; q++) {
        int p = q / warp.dims, a = q % warp.dims;
        gy_map_plane *plane = &warp.shift[p][a];

        done = gy_make_plane(input->memory, plane, n);
        if (done)
            gy_cut_plane(view->device, t->shift[p][warp.axis[a]], &input->settings, plane);
    }
    warp.scratch =
        done ? gy_take(input->memory, (size_t)tasks * (size_t)warp.line, sizeof(float)) : NULL;
    if (warp.scratch != NULL)
        gyre_device_parallel_for(view->device, tasks, draw_rows, &warp);
    done = warp.scratch != NULL;
    for (int q = 0; q < 3 * GYRE_TEXTURE_PHASES; q++)
        gy_give(input->memory, warp.shift[q / 3][q % 3].memory);
    gy_give(input->memory, warp.scratch);
    return done;
}

// ---- volumes

static void place_plane(void *argument, int k)
{
    gy_volume *volume = argument;
    const gyre_render_input *input = volume->input;
    const gyre_render_texture *t = input->texture;
    const gyre_texels *texels = t->texels;
    bool solid = texels->solid_levels > 0;
    const float *alike = solid ? texels->solid_alike : texels->alike;
    float unit = per_metre(t, solid ? 3 : 2), reach = solid ? texels->solid_reach : texels->reach;
    float period[3] = {(float)texels->n[0][0], (float)texels->n[0][1], 1.0f};

    for (int a = 0; a < 3 && solid; a++)
        period[a] = (float)texels->solid_n[0][a];
    // The margin goes on as far from its places as the cells beside it are from theirs.
    for (int j = 0; j < volume->opaque.n[1]; j++) {
        for (int i = 0; i < volume->opaque.n[0]; i++) {
            const int cell[3] = {i - 1, j - 1, k - 1};
            vec *to = volume->veins + gy_cell_index(&volume->opaque, i, j, k), *first = to;
            float places[3 * GYRE_TEXTURE_PHASES];
            int held[3];

            for (int a = 0; a < 3; a++)
                held[a] = cell[a] < 0 ? 0 : cell[a] < volume->n[a] ? cell[a] : volume->n[a] - 1;
            for (int p = 0; p < t->phases; p++, to += volume->veins_step) {
                for (int a = 0; a < 3; a++) {
                    const gyre_field_view *v = t->shift[p][a];
                    float d = v->data[held[0] * v->stride[0] + held[1] * v->stride[1] +
                                      held[2] * v->stride[2]];

                    d = fabsf(d) < INFINITY ? d : 0.0f;
                    (*to)[a] =
                        bounded(unit * (input->grid->origin[a] - t->origin[a] + t->offset[p][a] +
                                        ((float)cell[a] + 0.5f) * input->grid->h + d));
                    // An image is the same along z.
                    places[3 * p + a] = a < 2 || solid ? (*to)[a] : 0.0f;
                }
            }
            (*first)[3] = 0.5f * input->settings.texture_contrast /
                          divisor(t, places, 3, period, alike, reach);
        }
    }
}

bool gy_veins_build(gy_volume *volume)
{
    const gy_cells *like = &volume->opaque;

    // One plane behind the last stays readable.
    volume->veins_step = like->sz * (like->n[2] + 1) + like->sy + 2;
    volume->veins = gy_take_zeros(
        volume->input->memory, (size_t)volume->input->texture->phases * (size_t)volume->veins_step,
        sizeof(vec));
    if (volume->veins != NULL)
        gyre_device_parallel_for(volume->device, like->n[2], place_plane, volume);
    return volume->veins != NULL;
}

// Between cells, linearly.
static vec place_at(const gy_volume *volume, const vec *cells, ivec base, vec f)
{
    ptrdiff_t sy = volume->opaque.sy, sz = volume->opaque.sz;
    const vec *p = cells + gy_cell_index(&volume->opaque, base[0], base[1], base[2]);
    vec line[4];

    for (int i = 0; i < 4; i++) {
        const vec *q = p + (i & 1) * sy + (i >> 1) * sz;

        line[i] = q[0] + (q[1] - q[0]) * vec_all(f[0]);
    }
    vec low = line[0] + (line[1] - line[0]) * vec_all(f[1]);
    vec high = line[2] + (line[3] - line[2]) * vec_all(f[1]);

    return low + (high - low) * vec_all(f[2]);
}

// Of mean 0 and variance 1, over so many texels.
static float deviation_at(const gyre_texels *t, const float at[3], float size)
{
    const float right[2] = {size, 0.0f}, up[2] = {0.0f, size};
    float rgb[3] = {0};

    if (t->solid_levels > 0) {
        take_solid(t, t->solid, 1, at, size, 1.0f, rgb);
        return rgb[0];
    }
    take_texel(t, at, right, up, rgb);
    return (0.2126f * (rgb[0] - t->mean[0]) + 0.7152f * (rgb[1] - t->mean[1]) +
            0.0722f * (rgb[2] - t->mean[2])) /
           t->spread;
}

float gy_veins_size(const gy_volume *volume)
{
    const gyre_render_texture *t = volume->input->texture;

    return 0.5f * volume->h * per_metre(t, t->texels->solid_levels > 0 ? 3 : 2);
}

float gy_veins_at(const gy_volume *volume, vec at)
{
    const gyre_render_texture *t = volume->input->texture;
    ivec base = __builtin_convertvector(at, ivec);
    vec f = at - __builtin_convertvector(base, vec);
    float size = gy_veins_size(volume), sum = 0.0f, by = 0.0f;

    for (int p = 0; p < t->phases; p++) {
        vec place = place_at(volume, volume->veins + p * volume->veins_step, base, f);
        const float entry[3] = {place[0], place[1], place[2]};

        by = p == 0 ? place[3] : by;
        if (t->weight[p] > 0.0f)
            sum += t->weight[p] * deviation_at(t->texels, entry, size);
    }
    return fmaxf(1.0f + by * sum, 0.0f);
}
