// render/isa/map_rows.c: rows of a map.
//
// A sample is sum_b wy_b sum_a wx_a cell(a, b) over 4 x 4 cells. All samples of a line share wy, so
// the columns are summed once for the line, and a sample takes four of these sums; the range that
// holds it (of the four nearest cells) is taken in the same two steps. Where nothing lies over the
// map and a pixel is one sample, its bytes come from a finished table of colours.
#include "render/sheets.h"

#include "render/isa/lanes.h"
#include "render/isa/rows.h"

#include <math.h>

enum { KERNEL_CATMULL_ROM, KERNEL_B_SPLINE };

/// A line across a plane: sums of columns, and the least and largest of the two nearest rows; of
/// column 0, with the plane's margin.
typedef struct map_line {
    float *sum, *low, *high;
    float most, last; // what x is held to
} map_line;

static void weigh(int kernel, float t, float w[4])
{
    float t2 = t * t, t3 = t2 * t;

    if (kernel == KERNEL_B_SPLINE) {
        w[0] = (1.0f - 3.0f * t + 3.0f * t2 - t3) / 6.0f;
        w[1] = (4.0f - 6.0f * t2 + 3.0f * t3) / 6.0f;
        w[2] = (1.0f + 3.0f * t + 3.0f * t2 - 3.0f * t3) / 6.0f;
        w[3] = t3 / 6.0f;
    } else {
        w[0] = 0.5f * (-t + 2.0f * t2 - t3);
        w[1] = 0.5f * (2.0f - 5.0f * t2 + 3.0f * t3);
        w[2] = 0.5f * (t + 4.0f * t2 - 3.0f * t3);
        w[3] = 0.5f * (t3 - t2);
    }
}

GY_VEC_INLINE void weigh_wide(int kernel, v8 t, v8 w[4])
{
    v8 t2 = t * t, t3 = t2 * t, half = v8_all(0.5f), sixth = v8_all(1.0f / 6.0f);
    v8 two = v8_all(2.0f), three = v8_all(3.0f), four = v8_all(4.0f);

    if (kernel == KERNEL_B_SPLINE) {
        w[0] = (v8_all(1.0f) - three * t + three * t2 - t3) * sixth;
        w[1] = (four - v8_all(6.0f) * t2 + three * t3) * sixth;
        w[2] = (v8_all(1.0f) + three * t + three * t2 - three * t3) * sixth;
        w[3] = t3 * sixth;
    } else {
        w[0] = half * (two * t2 - t - t3);
        w[1] = half * (two - v8_all(5.0f) * t2 + three * t3);
        w[2] = half * (t + four * t2 - three * t3);
        w[3] = half * (t3 - t2);
    }
}

// The line at height y, in cells from the plane's lower edge.
static void make_line(const gy_map_view *view, const gy_map_plane *plane, int kernel, float y,
                      float *scratch, map_line *line)
{
    float most = (float)plane->n[1] - 0.5f, w[4], held = y - 0.5f;

    held = held < -0.5f ? -0.5f : held > most ? most : held;
    int j = (int)(held + 1.0f) - 1;

    j = j < plane->n[1] - 1 ? j : plane->n[1] - 1;
    weigh(kernel, held - (float)j, w);
    const float *p = plane->data + j * plane->row - 2, *above = p + plane->row;
    const float *first = p - plane->row, *last = above + plane->row;

    for (int i = 0; i < plane->n[0] + 4; i += GY_WIDE) {
        v8 a = v8_load(p + i), b = v8_load(above + i);

        v8_store(scratch + i, v8_all(w[0]) * v8_load(first + i) + v8_all(w[1]) * a +
                                  v8_all(w[2]) * b + v8_all(w[3]) * v8_load(last + i));
        v8_store(scratch + view->line + i, v8_min(a, b));
        v8_store(scratch + 2 * view->line + i, v8_max(a, b));
    }
    *line = (map_line){scratch + 2, scratch + view->line + 2, scratch + 2 * view->line + 2,
                       (float)plane->n[0] - 0.5f, (float)(plane->n[0] - 1)};
}

GY_VEC_INLINE v8 sample_line(const map_line *line, int kernel, v8 x)
{
    v8 w[4], held = v8_clamp(x - v8_all(0.5f), v8_all(-0.5f), v8_all(line->most));
    v8 whole = v8_min(v8_floor(held), v8_all(line->last));
    w8 i = v8_int(whole);

    weigh_wide(kernel, held - whole, w);
    if (!w8_any(i - w8_count() - w8_all(i[0]))) { // a cell a pixel
        const float *sum = line->sum + i[0], *low = line->low + i[0], *high = line->high + i[0];

        return v8_clamp(w[0] * v8_load(sum - 1) + w[1] * v8_load(sum) + w[2] * v8_load(sum + 1) +
                            w[3] * v8_load(sum + 2),
                        v8_min(v8_load(low), v8_load(low + 1)),
                        v8_max(v8_load(high), v8_load(high + 1)));
    }
    v8 sum = w[0] * v8_gather(line->sum - 1, i) + w[1] * v8_gather(line->sum, i) +
             w[2] * v8_gather(line->sum + 1, i) + w[3] * v8_gather(line->sum + 2, i);
    v8 low = v8_min(v8_gather(line->low, i), v8_gather(line->low + 1, i));
    v8 high = v8_max(v8_gather(line->high, i), v8_gather(line->high + 1, i));

    return v8_clamp(sum, low, high);
}

/// What of 4 x 4 cells round a place lies on its own side of the sheets.
typedef struct patch {
    int i, j; // the first of them
    float wx[4], wy[4];
    float own[4][4]; // how much a cell counts in the mean of these; 0: it lies beyond
} patch;

static patch patch_of(const gy_map_view *view, float x, float y)
{
    const gy_map_plane *plane = &view->field;
    float held[2] = {x - 0.5f, y - 0.5f};
    int first[2];
    patch p;

    for (int a = 0; a < 2; a++) {
        float most = (float)plane->n[a] - 0.5f;

        held[a] = held[a] < -0.5f ? -0.5f : held[a] > most ? most : held[a];
        first[a] = (int)(held[a] + 1.0f) - 1;
        first[a] = first[a] < plane->n[a] - 1 ? first[a] : plane->n[a] - 1;
        weigh(KERNEL_CATMULL_ROM, held[a] - (float)first[a], a == 0 ? p.wx : p.wy);
    }
    p.i = first[0] - 1;
    p.j = first[1] - 1;
    for (int b = 0; b < 4; b++) {
        for (int a = 0; a < 4; a++) {
            vec here = {x + 0.5f, y + 0.5f, 1.0f, 0.0f};
            vec there = {(float)(p.i + a + 1), (float)(p.j + b + 1), 1.0f, 0.0f};
            vec way = there - here;
            bool beyond = gy_seen_sheets_part(view->sheets, here, there);

            p.own[b][a] = beyond ? 0.0f : 1.0f / (0.25f + vec_dot(way, way));
        }
    }
    return p;
}

// A sample in which cells beyond a sheet are the mean of the others; where there are none, what it
// is without a sheet.
static float sample_patch(const gy_map_plane *plane, const patch *p, float otherwise)
{
    float cell[4][4], sum = 0.0f, weight = 0.0f, low, high;

    for (int b = 0; b < 4; b++) {
        for (int a = 0; a < 4; a++) {
            cell[b][a] = plane->data[(p->j + b) * plane->row + p->i + a];
            sum += p->own[b][a] * cell[b][a];
            weight += p->own[b][a];
        }
    }
    if (!(weight > 0.0f))
        return otherwise;
    float mean = sum / weight;

    sum = 0.0f;
    for (int b = 0; b < 4; b++) {
        for (int a = 0; a < 4; a++) {
            cell[b][a] = p->own[b][a] > 0.0f ? cell[b][a] : mean;
            sum += p->wy[b] * p->wx[a] * cell[b][a];
        }
    }
    low = high = cell[1][1];
    for (int c = 1; c < 4; c++) {
        float x = cell[1 + (c >> 1)][1 + (c & 1)];

        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    return sum < low ? low : sum > high ? high : sum;
}

// Samples that lie near sheets are taken on their own side.
static v8 part_sample(const gy_map_view *view, const gy_map_plane *plane, v8 x, float y, v8 sample)
{
    const int *n = view->field.n;

    for (int i = 0; i < GY_WIDE && view->beside != NULL; i++) {
        bool in = x[i] >= 0.0f && x[i] < (float)n[0] && y >= 0.0f && y < (float)n[1];

        if (in && view->beside[(int)y * (ptrdiff_t)n[0] + (int)x[i]]) {
            patch p = patch_of(view, x[i], y);

            sample[i] = sample_patch(plane, &p, sample[i]);
        }
    }
    return sample;
}

/// The lines that samples of one height need.
typedef struct map_lines {
    map_line field, solid, light, tint[3];
    bool has_tint;
    bool has_field, has_solid, has_light;
    bool within; // the domain, by height
    float y;
} map_lines;

static void make_lines(const gy_map_view *view, float y, float *scratch, map_lines *lines)
{
    const gy_map_plane *plane = view->field.data != NULL ? &view->field : &view->solid;
    ptrdiff_t each = GY_MAP_LINES * view->line;

    *lines =
        (map_lines){.within = plane->data != NULL && y >= 0.0f && y < (float)plane->n[1], .y = y};
    if (!lines->within)
        return;
    lines->has_field = view->field.data != NULL;
    lines->has_solid = view->solid.data != NULL;
    lines->has_light = view->light.data != NULL && view->input->settings.shadow;
    if (lines->has_field)
        make_line(view, &view->field, KERNEL_CATMULL_ROM, y, scratch, &lines->field);
    if (lines->has_solid)
        make_line(view, &view->solid, KERNEL_B_SPLINE, y, scratch + each, &lines->solid);
    if (lines->has_light)
        make_line(view, &view->light, KERNEL_CATMULL_ROM, y, scratch + 2 * each, &lines->light);
    lines->has_tint = view->tint[0].data != NULL;
    for (int c = 0; c < 3 && lines->has_tint; c++)
        make_line(view, &view->tint[c], KERNEL_CATMULL_ROM, y, scratch + (3 + c) * each,
                  &lines->tint[c]);
}

GY_VEC_INLINE gy_colours mix_colours(gy_colours a, gy_colours b, v8 t)
{
    for (int c = 0; c < 3; c++)
        a.c[c] = v8_mix(a.c[c], b.c[c], t);
    return a;
}

// The mean colour of several scalars at eight places, of which `value` is the sum.
GY_VEC_INLINE gy_colours mean_tint(const gy_map_view *view, const map_lines *lines, v8 x, v8 value)
{
    gy_colours mean;

    for (int c = 0; c < 3; c++) {
        v8 tint = sample_line(&lines->tint[c], KERNEL_CATMULL_ROM, x);

        tint = part_sample(view, &view->tint[c], x, lines->y, tint);
        mean.c[c] = v8_clamp(tint / v8_max(value, v8_all(1e-20f)), v8_all(0.0f), v8_all(8.0f));
    }
    return mean;
}

// Scalars mixed as the settings say at eight places: ink over paper, light over what is behind.
GY_VEC_INLINE gy_colours mix_scalars(const gy_map_view *view, const map_lines *lines, v8 x,
                                     gy_colours behind)
{
    const float *paper = view->input->settings.paper;
    bool ink = view->mix == GYRE_MIX_INK;

    for (int c = 0; c < 3; c++) {
        v8 sum = sample_line(&lines->tint[c], KERNEL_CATMULL_ROM, x);

        sum = part_sample(view, &view->tint[c], x, lines->y, sum) * v8_all(view->scale);
        behind.c[c] = ink ? v8_all(paper[c]) * v8_exp(-v8_max(sum, v8_all(0.0f)))
                          : behind.c[c] + v8_max(sum, v8_all(0.0f));
        behind.c[c] = v8_clamp01(behind.c[c]);
    }
    return behind;
}

static gy_colours shade(const gy_map_view *view, const map_lines *lines, v8 x, gy_colours behind)
{
    const gyre_view_settings *settings = &view->input->settings;
    gy_colours colour = behind;

    if (lines->has_tint && view->mix != GYRE_MIX_AUTO) {
        colour = mix_scalars(view, lines, x, behind);
    } else if (lines->has_field) {
        v8 value = sample_line(&lines->field, KERNEL_CATMULL_ROM, x);

        value = part_sample(view, &view->field, x, lines->y, value);
        v8 t = v8_clamp01((value - v8_all(view->low)) * v8_all(view->scale));

        if (view->map == GYRE_MAP_SMOKE) {
            v8 open = v8_all(1.0f);
            gy_colours lit = gy_colours_all(view->sky), sun = gy_colours_all(view->sun);

            if (lines->has_light) {
                open = sample_line(&lines->light, KERNEL_CATMULL_ROM, x);
                open = v8_clamp01(part_sample(view, &view->light, x, lines->y, open));
            }
            for (int c = 0; c < 3; c++)
                lit.c[c] = (sun.c[c] * open + lit.c[c]) * v8_all(settings->exposure);
            if (lines->has_tint) {
                gy_colours own = mean_tint(view, lines, x, value);

                for (int c = 0; c < 3; c++)
                    lit.c[c] *= own.c[c];
            }
            colour = mix_colours(gy_tone_wide(lit), behind, v8_exp(v8_all(-3.0f) * t));
        } else if (lines->has_tint) {
            gy_colours own = mean_tint(view, lines, x, value);

            for (int c = 0; c < 3; c++)
                colour.c[c] = v8_all(gy_ink_paper[c]) * v8_exp(-own.c[c] * t);
        } else {
            v8 at = t * v8_all(256.0f), base = v8_min(v8_floor(at), v8_all(255.0f));
            w8 i = v8_int(base) * w8_all(4);
            const float *table = (const float *)view->table; // four floats an entry

            for (int c = 0; c < 3; c++)
                colour.c[c] =
                    v8_mix(v8_gather(table + c, i), v8_gather(table + 4 + c, i), at - base);
        }
    }
    if (lines->has_solid) {
        v8 share = sample_line(&lines->solid, KERNEL_B_SPLINE, x);
        float sharp = view->cells < 1.0f ? 1.0f / view->cells : 1.0f;
        v8 cover = v8_clamp01((share - v8_all(0.5f)) * v8_all(sharp) + v8_all(0.5f));

        colour = mix_colours(colour, gy_colours_all(view->body), cover);
    }
    return colour;
}

static vec background(const gy_map_view *view, float y)
{
    const gyre_view_settings *settings = &view->input->settings;
    vec top = vec_make(settings->background_top), bottom = vec_make(settings->background_bottom);
    float t = smooth(0.0f, 1.0f, y / (float)view->image->height);

    return gy_tone_map((top + (bottom - top) * vec_all(t)) * vec_all(settings->exposure));
}

static w8 within(const gy_map_view *view, v8 x)
{
    const gy_map_plane *plane = view->field.data != NULL ? &view->field : &view->solid;

    return ~v8_less(x, v8_all(0.0f)) & v8_less(x, v8_all((float)plane->n[0]));
}

// One sample a pixel and nothing over the map.
static void draw_plain(const gy_map_view *view, const map_lines *lines, int y, gy_colours behind)
{
    const gyre_image *image = view->image;
    uint8_t *rgb = image->rgb + 3 * (size_t)y * (size_t)image->width;
    v8 low = v8_all(view->low), scale = v8_all(view->scale * (float)GY_MAP_COLOURS);

    for (int c = 0; c < 3; c++)
        behind.c[c] = gy_srgb_wide(behind.c[c]);
    for (int x = 0; x < image->width; x += GY_WIDE) {
        v8 at =
            v8_all(view->shift[0]) + (v8_count() + v8_all((float)x + 0.5f)) * v8_all(view->cells);
        v8 value = sample_line(&lines->field, KERNEL_CATMULL_ROM, at);
        v8 t = (part_sample(view, &view->field, at, lines->y, value) - low) * scale;
        w8 i = v8_int(v8_clamp(t, v8_all(0.0f), v8_all((float)GY_MAP_COLOURS)) + v8_all(0.5f));
        w8 in = within(view, at);
        gy_colours colour;

        for (int c = 0; c < 3; c++)
            colour.c[c] = v8_select(in, v8_gather(view->srgb[c], i), behind.c[c]);
        gy_put_srgb(rgb + 3 * (size_t)x, x, y, image->width - x, colour);
    }
}

static void draw_row(const gy_map_view *view, int y, float *scratch)
{
    const gyre_image *image = view->image;
    uint8_t *rgb = image->rgb + 3 * (size_t)y * (size_t)image->width;
    gy_colours behind = gy_colours_all(background(view, (float)y + 0.5f));
    float part = 1.0f / (float)view->samples;
    map_lines lines[4];
    ptrdiff_t each = (ptrdiff_t)view->planes * GY_MAP_LINES * view->line;

    for (int s = 0; s < view->samples; s++) {
        float py = (float)(image->height - y) - ((float)s + 0.5f) * part;

        make_lines(view, view->shift[1] + py * view->cells, scratch + s * each, &lines[s]);
    }
    if (view->finished != NULL && lines[0].within) {
        draw_plain(view, &lines[0], y, behind);
        return;
    }
    for (int x = 0; x < image->width; x += GY_WIDE) {
        gy_colours sum = gy_colours_all(vec_all(0.0f));

        for (int s = 0; s < view->samples * view->samples; s++) {
            v8 px = v8_count() + v8_all((float)x + ((float)(s % view->samples) + 0.5f) * part);
            v8 at = v8_all(view->shift[0]) + px * v8_all(view->cells);
            const map_lines *line = &lines[s / view->samples];
            gy_colours colour = behind;

            if (line->within)
                colour = shade(view, line, at, behind);
            for (int c = 0; c < 3; c++)
                sum.c[c] += v8_select(within(view, at), colour.c[c], behind.c[c]);
        }
        for (int c = 0; c < 3; c++)
            sum.c[c] *= v8_all(part * part);
        gy_put_wide(rgb + 3 * (size_t)x, x, y, image->width - x, sum);
    }
}

// The least and largest of a run of numbers, into *low and *high.
GY_VEC_INLINE void range_of(const float *p, int count, v8 *low, v8 *high)
{
    int i = 0;

    for (; i + GY_WIDE <= count; i += GY_WIDE) {
        *low = v8_min(*low, v8_load(p + i));
        *high = v8_max(*high, v8_load(p + i));
    }
    for (; i < count; i++) {
        *low = v8_min(*low, v8_all(p[i]));
        *high = v8_max(*high, v8_all(p[i]));
    }
}

void GY_DRAWN(gy_map_range)(void *argument, int task)
{
    const gy_map_cut *cut = argument;
    const gy_map_plane *plane = cut->plane;
    v8 low = v8_all(plane->data[0]), high = low;

    for (int y = task; y < plane->n[1]; y += GY_MAP_TASKS)
        range_of(plane->data + y * plane->row, plane->n[0], &low, &high);
    cut->range[task][0] = cut->range[task][1] = low[0];
    for (int i = 0; i < GY_WIDE; i++) {
        cut->range[task][0] = low[i] < cut->range[task][0] ? low[i] : cut->range[task][0];
        cut->range[task][1] =
            high[i] > cut->range[task][1] || i == 0 ? high[i] : cut->range[task][1];
    }
}

void GY_DRAWN(gy_map_cut)(void *argument, int y)
{
    const gy_map_cut *cut = argument;
    const gyre_field_view *view = cut->view;
    const float *from = view->data + y * cut->up + cut->below;
    const float *above = view->data + y * cut->up + cut->above;
    float *to = cut->plane->data + y * cut->plane->row;
    int n = cut->plane->n[0], x = 0;

    for (; cut->right == 1 && x + GY_WIDE <= n; x += GY_WIDE) {
        v8 value = v8_mix(v8_load(from + x), v8_load(above + x), v8_all(cut->part));

        // What is not finite is nothing.
        v8_store(to + x, v8_select(v8_less(v8_abs(value), v8_all(INFINITY)), value, v8_all(0.0f)));
    }
    for (; x < n; x++) {
        float value = mixf(from[x * cut->right], above[x * cut->right], cut->part);

        to[x] = fabsf(value) < INFINITY ? value : 0.0f;
    }
}

void GY_DRAWN(gy_map_rows)(void *argument, int task)
{
    const gy_map_view *view = argument;
    float *scratch =
        view->scratch + task * view->samples * (ptrdiff_t)view->planes * GY_MAP_LINES * view->line;
    int first = task * view->rows, end = first + view->rows;

    end = end < view->image->height ? end : view->image->height;
    for (int y = first; y < end; y++)
        draw_row(view, y, scratch);
}
