// render/isa/texel_rows.c: what a relief's corners look like, before any ray.
//
// Heights at corners are cubic B-splines of those of cells: sum_b wy_b sum_a wx_a cell(a, b). A
// corner's shade is the height above which the sun is seen from over it,
//     shade(p) = max over s > 0 of bed(p + s l) - s l_z / |l|,
// found in one sweep away from the sun. Slopes, the ground's grain and the curvature by which waves
// gather light lie beside each other in texels, so that a place takes all of them at once. Cost:
// two texels of 32 bytes a corner.
#include "render/surface.h"

#include "render/isa/rows.h"
#include "render/isa/three.h"

#include <stdlib.h>

enum { ROW_MOST = 4096 };

// Sums over four cells along y, with two cells of margin that repeat the edge.
static void sum_column(const gy_relief_job *job, int layer, int j, float *row)
{
    const gy_relief *r = job->relief;
    const float *lines[4], *w = job->weight[1] + 4 * (ptrdiff_t)j;
    int n = job->n[0];
    v8 unit = v8_all(r->unit);

    for (int k = 0; k < 4; k++) {
        int at = job->tap[1][j] - 1 + k;

        at = at < 0 ? 0 : at < job->n[1] ? at : job->n[1] - 1;
        lines[k] = job->from[layer] + (ptrdiff_t)n * at;
    }
    for (int i = 0; i < n; i += GY_WIDE) {
        v8 sum = v8_all(w[0]) * v8_load(lines[0] + i) + v8_all(w[1]) * v8_load(lines[1] + i) +
                 v8_all(w[2]) * v8_load(lines[2] + i) + v8_all(w[3]) * v8_load(lines[3] + i);

        v8_store(row + 2 + i, sum / unit);
    }
    row[0] = row[1] = row[2];
    row[n + 2] = row[n + 3] = row[n + 1];
}

void GY_DRAWN(gy_relief_row)(void *argument, int j)
{
    const gy_relief_job *job = argument;
    gy_relief *r = job->relief;
    float row[ROW_MOST + 16];
    v8 low = v8_all(GY_NEVER);

    for (int layer = 0; layer < GY_LAYERS; layer++) {
        float *to = r->height[layer] + j * r->row;

        sum_column(job, layer, j, row);
        for (int i = 0; i <= r->n[0]; i += GY_WIDE) {
            w8 at;

            memcpy(&at, job->tap[0] + i, sizeof at);
            v8 sum = v8_all(0.0f);

            for (int k = 0; k < 4; k++) {
                v8 weight = v8_gather(job->weight[0] + k, (w8_count() + w8_all(i)) * w8_all(4));

                sum += weight * v8_gather(row + 1 + k, at);
            }
            v8_store(to + i, sum);
        }
    }
    for (int i = 0; i <= r->n[0]; i += GY_WIDE) {
        v8 bed = v8_load(r->height[GY_BED] + j * r->row + i);

        v8_store(r->top + j * r->row + i,
                 v8_max(bed, v8_load(r->height[GY_WATER] + j * r->row + i)));
        low = v8_min(low, v8_select(w8_count() <= w8_all(r->n[0] - i), bed, low));
    }
    job->least[j] = low[0];
    for (int i = 1; i < GY_WIDE; i++)
        job->least[j] = low[i] < job->least[j] ? low[i] : job->least[j];
}

// How steep a block is at most, of corners (first to end) x (8 j to last).
static float steepest(const gy_relief *r, const float *height, int first, int end, int j, int last)
{
    v8 most = v8_all(0.0f);
    w8 in = w8_count() <= w8_all(end - first), next = w8_count() < w8_all(end - first);

    for (int b = 8 * j; b <= last; b++) {
        const float *p = height + b * r->row + first, *above = b < last ? p + r->row : p;
        v8 own = v8_load(p), right = v8_load(p + 1);

        most = v8_max(most, v8_select(next, v8_abs(right - own), most));
        most = v8_max(most, v8_select(in, v8_abs(v8_load(above) - own), most));
        float corner = fabsf(above[end - first] - p[end - first]);

        most[0] = corner > most[0] ? corner : most[0];
    }
    for (int k = 1; k < GY_WIDE; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    return 1.4143f * most[0];
}

// The highest corners of a row of blocks of 8 x 8 cells, which share the corners between them.
void GY_DRAWN(gy_relief_blocks)(void *argument, int j)
{
    const gy_relief_job *job = argument;
    gy_relief *r = job->relief;
    int last = 8 * j + 8 < r->n[1] ? 8 * j + 8 : r->n[1];

    for (int layer = 0; layer < GY_LAYERS; layer++) {
        float *to = r->most[layer][1] + (ptrdiff_t)j * r->blocks[1][0];

        for (int i = 0; i < r->blocks[1][0]; i++) {
            v8 most = v8_all(-GY_NEVER);
            int end = 8 * i + 8 < r->n[0] ? 8 * i + 8 : r->n[0];
            w8 in = w8_count() <= w8_all(end - 8 * i);
            float corner = -GY_NEVER;

            for (int b = 8 * j; b <= last; b++) {
                const float *p = r->height[layer] + b * r->row;

                most = v8_max(most, v8_select(in, v8_load(p + 8 * i), most));
                corner = p[end] > corner ? p[end] : corner;
            }
            for (int k = 0; k < GY_WIDE; k++)
                corner = most[k] > corner ? most[k] : corner;
            to[i] = corner;
            r->steep[layer][(ptrdiff_t)j * r->blocks[1][0] + i] =
                steepest(r, r->height[layer], 8 * i, end, j, last);
        }
    }
}

// Shades of a line across the sweep from those, and the heights, of the line nearer to the sun.
static void shade_line(const float *before, float *after, int count, float aside, float drop)
{
    int whole = aside < 0.0f ? -1 : 0;
    v8 part = v8_all(aside - (float)whole), less = v8_all(drop);

    for (int i = 0; i < count; i += GY_WIDE)
        v8_store(after + i,
                 v8_mix(v8_load(before + i + whole), v8_load(before + i + whole + 1), part) - less);
}

void GY_DRAWN(gy_relief_shade)(void *argument, int task)
{
    gy_relief *r = argument;
    vec l = r->light;
    int axis = fabsf(l[0]) >= fabsf(l[1]) ? 0 : 1, across = 1 - axis;
    ptrdiff_t step[2] = {1, r->row};
    int count = r->n[across] + 1, lines = r->n[axis] + 1;
    float along = fabsf(l[axis]), *before = r->sweep + 8, *after = before + count + 24;

    for (int i = 0; i < 2 * (count + 24); i++)
        r->sweep[i] = -GY_NEVER;
    for (int k = task; k < lines; k++) {
        int at = l[axis] > 0.0f ? lines - 1 - k : k;
        const float *bed = r->height[GY_BED] + at * step[axis];
        float *to = r->shade + at * step[axis];

        if (k > 0 && along > 1e-6f)
            shade_line(before, after, count, l[across] / along, l[2] / along);
        for (int i = 0; i < count; i++) {
            float height = bed[i * step[across]], shade = after[i];

            to[i * step[across]] = shade;
            before[i] = height > shade ? height : shade;
        }
    }
}

// Heights `by` corners along x, held to the domain.
GY_VEC_INLINE v8 beside(const gy_relief *r, const float *line, int i, int by)
{
    if (i + by >= 0 && i + by + GY_WIDE <= r->n[0] + 1)
        return v8_load(line + i + by);
    v8 at = v8_clamp(v8_float(w8_count() + w8_all(i + by)), v8_all(0.0f), v8_all((float)r->n[0]));

    return v8_gather(line, v8_int(at));
}

static int held(int j, int n)
{
    return j < 0 ? 0 : j < n ? j : n;
}

/// Lines of a layer round a line, and how far apart they are.
typedef struct lines {
    const float *own, *below, *above;
    float apart;
} lines;

static lines lines_of(const gy_relief *r, int layer, int j, int by)
{
    int low = held(j - by, r->n[1]), high = held(j + by, r->n[1]);
    const float *first = r->height[layer];

    return (lines){first + j * r->row, first + low * r->row, first + high * r->row,
                   (float)(high - low)};
}

// How far apart places `by` to the left and right are.
GY_VEC_INLINE v8 apart_at(const gy_relief *r, int i, int by)
{
    v8 x = v8_float(w8_count() + w8_all(i)), n = v8_all((float)r->n[0]), zero = v8_all(0.0f);

    return v8_max(v8_clamp(x + v8_all((float)by), zero, n) -
                      v8_clamp(x - v8_all((float)by), zero, n),
                  v8_all(1.0f));
}

static void bed_texels(const gy_relief *r, int j, float scale)
{
    int reach = (r->fine + 1) / 2;
    lines bed = lines_of(r, GY_BED, j, reach);
    float *to = r->bed_texel + 8 * j * r->row;

    for (int i = 0; i <= r->n[0]; i += GY_WIDE) {
        v8 x = v8_float(w8_count() + w8_all(i)) * v8_all(scale), y = v8_all((float)j * scale), t[8];
        v8 grain = v8_noise(x, y), part = v8_all(0.23f);
        v8 coarse = v8_noise(x * part + v8_all(5.0f), y * part + v8_all(9.0f));
        v8 slope_x =
            (beside(r, bed.own, i, reach) - beside(r, bed.own, i, -reach)) / apart_at(r, i, reach);
        v8 slope_y = (v8_load(bed.above + i) - v8_load(bed.below + i)) / v8_all(bed.apart);
        v8 upright = v8_all(1.0f) / v8_sqrt(v8_all(1.0f) + slope_x * slope_x + slope_y * slope_y);

        t[GY_TEXEL_SLOPE_X] = slope_x;
        t[GY_TEXEL_SLOPE_Y] = slope_y;
        t[GY_TEXEL_LEVEL] = v8_smooth(v8_all(0.72f), v8_all(0.9f),
                                      upright + v8_all(0.12f) * (coarse - v8_all(0.5f)));
        t[GY_TEXEL_TONE] = v8_all(0.7f) + v8_all(0.35f) * grain + v8_all(0.25f) * coarse;
        t[GY_TEXEL_WATER] = v8_load(r->height[GY_WATER] + j * r->row + i);
        for (int k = GY_TEXEL_WATER + 1; k < 8; k++)
            t[k] = v8_all(0.0f);
        turn_eight(t);
        for (int k = 0; k < GY_WIDE && i + k <= r->n[0]; k++)
            v8_store(to + 8 * (i + k), t[k]);
    }
}

// White water at corners, between cells, 0 to 1.
static v8 foam_at(const gy_relief *r, int i, int j)
{
    const gyre_field_view *foam = r->foam;
    float y = ((float)j / (float)r->fine) - 0.5f;
    int n[2] = {foam->n[0], foam->n[1]}, low = held((int)floorf(y), n[1] - 1);
    int high = held((int)floorf(y) + 1, n[1] - 1);
    const float *p = foam->data + low * foam->stride[1], *q = foam->data + high * foam->stride[1];
    v8 x = v8_float(w8_count() + w8_all(i)) / v8_all((float)r->fine) - v8_all(0.5f);
    v8 base = v8_floor(x), most = v8_all((float)(n[0] - 1)), none = v8_all(0.0f);
    w8 left = v8_int(v8_clamp(base, none, most));
    w8 right = v8_int(v8_clamp(base + v8_all(1.0f), none, most));
    v8 t = x - base, up = v8_all(n[1] > 1 ? y - floorf(y) : 0.0f);
    v8 value = v8_mix(v8_mix(v8_gather(p, left), v8_gather(p, right), t),
                      v8_mix(v8_gather(q, left), v8_gather(q, right), t), up);

    // What is no number is none.
    return v8_min(v8_max(value * v8_all(r->foaming), none), v8_all(1.0f));
}

static void water_texels(const gy_relief *r, int j)
{
    int reach = (r->fine + 1) / 2, w = 2 * r->fine;
    lines near = lines_of(r, GY_WATER, j, reach), far = lines_of(r, GY_WATER, j, w);
    float *to = r->water_texel + 8 * j * r->row;

    for (int i = 0; i <= r->n[0]; i += GY_WIDE) {
        v8 t[8], twice = v8_all(2.0f) * v8_load(near.own + i);

        t[GY_TEXEL_SLOPE_X] = (beside(r, near.own, i, reach) - beside(r, near.own, i, -reach)) /
                              apart_at(r, i, reach);
        t[GY_TEXEL_SLOPE_Y] =
            (v8_load(near.above + i) - v8_load(near.below + i)) / v8_all(near.apart);
        t[GY_TEXEL_XX] = beside(r, far.own, i, w) + beside(r, far.own, i, -w) - twice;
        t[GY_TEXEL_YY] = v8_load(far.above + i) + v8_load(far.below + i) - twice;
        t[GY_TEXEL_XY] =
            v8_all(0.25f) * (beside(r, far.above, i, w) - beside(r, far.below, i, w) -
                             beside(r, far.above, i, -w) + beside(r, far.below, i, -w));
        t[GY_TEXEL_SHADE] = v8_load(r->shade + j * r->row + i);
        t[GY_TEXEL_FOAM] = t[7] = v8_all(0.0f);
        if (r->foam != NULL)
            t[GY_TEXEL_FOAM] = foam_at(r, i, j);
        turn_eight(t);
        for (int k = 0; k < GY_WIDE && i + k <= r->n[0]; k++)
            v8_store(to + 8 * (i + k), t[k]);
    }
}

// Weights of the four cells round a place `at` past the second of them: a cubic B-spline.
GY_VEC_INLINE void spline_wide(v8 at, v8 weight[4])
{
    v8 s = v8_all(1.0f) - at, sixth = v8_all(1.0f / 6.0f);

    weight[0] = s * s * s * sixth;
    weight[1] = v8_all(2.0f / 3.0f) - v8_all(0.5f) * at * at * (v8_all(2.0f) - at);
    weight[3] = at * at * at * sixth;
    weight[2] = v8_all(1.0f) - weight[0] - weight[1] - weight[3];
}

// Wet ground at corners: means by 1, 2, 1 along both axes, and a cubic B-spline of these, so that a
// shore that follows cells shows no steps.
static void wet_texels(const gy_relief *r, int j)
{
    const gyre_field_view *wet = r->wet;
    float row[ROW_MOST + 16], *to = r->bed_texel + 8 * j * r->row, up[6];
    float y = (float)j / (float)r->fine - 0.5f, base = floorf(y), before, own;
    int n[2] = {wet->n[0], wet->n[1]};
    v8 weight[4], one = v8_all(1.0f), none = v8_all(0.0f);

    spline_wide(v8_all(y - base), weight);
    row[2] = row[3] = 0.0f;
    for (int k = 0; k < 6; k++)
        up[k] = 0.25f * (k < 4 ? weight[k][0] : 0.0f) +
                0.5f * (k > 0 && k < 5 ? weight[k - 1][0] : 0.0f) +
                0.25f * (k > 1 ? weight[k - 2][0] : 0.0f);
    for (int i = 0; i < n[0]; i++) {
        float sum = 0.0f;

        for (int k = 0; k < 6; k++) {
            float x = wet->data[i + held((int)base - 2 + k, n[1] - 1) * wet->stride[1]];

            sum += up[k] * (x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f); // what is no number is none
        }
        row[2 + i] = sum;
    }
    row[0] = row[1] = row[2];
    row[n[0] + 2] = row[n[0] + 3] = row[n[0] + 1];
    before = row[1];
    for (int i = 2; i < n[0] + 2; i++, before = own) {
        own = row[i];
        row[i] = 0.25f * before + 0.5f * own + 0.25f * row[i + 1];
    }
    row[0] = row[1] = row[2];
    row[n[0] + 2] = row[n[0] + 3] = row[n[0] + 1];
    for (int i = 0; i <= r->n[0]; i += GY_WIDE) {
        v8 x = v8_float(w8_count() + w8_all(i)) / v8_all((float)r->fine) - v8_all(0.5f);
        v8 first = v8_floor(x), sum = none;
        w8 at = v8_int(v8_min(first, v8_all((float)(n[0] - 1)))) + w8_all(1);

        spline_wide(x - first, weight);
        for (int k = 0; k < 4; k++)
            sum += weight[k] * v8_gather(row + k, at);
        sum = v8_clamp(sum, none, one);
        for (int k = 0; k < GY_WIDE && i + k <= r->n[0]; k++)
            to[8 * (i + k) + GY_TEXEL_WET] = sum[k];
    }
}

void GY_DRAWN(gy_relief_texels)(void *argument, int j)
{
    const gy_relief_job *job = argument;
    const gy_relief *r = job->relief;
    int longest = r->n[0] > r->n[1] ? r->n[0] : r->n[1];

    if (r->seen_bed) {
        const float *water = r->height[GY_WATER] + j * r->row;

        for (int i = 0; i <= r->n[0]; i++) {
            r->bed_texel[8 * (i + j * r->row) + GY_TEXEL_WATER] = water[i];
            r->bed_texel[8 * (i + j * r->row) + GY_TEXEL_WET] = 0.0f;
        }
    } else {
        bed_texels(r, j, 30.0f / (float)longest);
    }
    if (r->wet != NULL)
        wet_texels(r, j);
    water_texels(r, j);
}
