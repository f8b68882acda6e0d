// render/bars.c: water as columns, as many as can be told apart: the cells themselves, where they
// are few enough.
#include "render/surface.h"

#include <stdlib.h>

enum { MOST = 96 };               // bars along the longer side
static const float gap = 0.06f;   // of a bar's width, on each side
static const float least = 1e-3f; // cells of depth that count as water

static float mean_of(const gyre_field_view *view, const int low[2], const int high[2])
{
    double sum = 0.0;

    for (int j = low[1]; j < high[1]; j++) {
        for (int i = low[0]; i < high[0]; i++)
            sum += (double)view->data[i + j * view->stride[1]];
    }
    return (float)(sum / ((double)(high[0] - low[0]) * (double)(high[1] - low[1])));
}

gyre_result gy_bars_build(gy_surface *s)
{
    const gyre_grid *grid = s->input->grid;
    int longest = grid->n[0] > grid->n[1] ? grid->n[0] : grid->n[1];
    int block = (longest + MOST - 1) / MOST;

    for (int a = 0; a < 2; a++)
        s->bars[a] = (grid->n[a] + block - 1) / block;
    s->bar_size = (float)(block * s->relief.fine);
    s->bar_high = s->relief.base;
    s->bar = malloc((size_t)s->bars[0] * (size_t)s->bars[1] * 2 * sizeof *s->bar);
    if (s->bar == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of bars");
    for (int j = 0; j < s->bars[1]; j++) {
        for (int i = 0; i < s->bars[0]; i++) {
            int low[2] = {i * block, j * block}, high[2];
            float *to = s->bar + 2 * (i + j * s->bars[0]);

            for (int a = 0; a < 2; a++)
                high[a] = low[a] + block < grid->n[a] ? low[a] + block : grid->n[a];
            to[0] = mean_of(s->input->bed, low, high) / s->relief.unit;
            to[1] = fmaxf(mean_of(s->input->surface, low, high) / s->relief.unit, to[0]);
            s->bar_high = fmaxf(s->bar_high, to[1]);
        }
    }
    return GYRE_OK;
}

typedef struct bar_hit {
    float t;
    vec normal;
    int bar;
} bar_hit;

// The part of [*near, *far] in a box; the axis that it is entered through or -1.
static int enter(const gy_ray *ray, vec low, vec high, float *near, float *far)
{
    int side = -1;

    for (int a = 0; a < 3; a++) {
        float inverse = fabsf(ray->along[a]) > 1e-9f ? 1.0f / ray->along[a] : 1e9f;
        float in = (low[a] - ray->from[a]) * inverse, out = (high[a] - ray->from[a]) * inverse;

        if (fminf(in, out) > *near) {
            *near = fminf(in, out);
            side = a;
        }
        *far = fminf(*far, fmaxf(in, out));
    }
    return side;
}

// The first bar within (0, far).
static bar_hit hit_bars(const gy_surface *s, const gy_ray *ray, float far)
{
    bar_hit hit = {.t = GY_NEVER, .bar = -1};
    float near = 0.0f, size = s->bar_size, margin = gap * size;
    vec low = {0.0f, 0.0f, s->relief.base, 0.0f};
    vec high = {(float)s->relief.n[0], (float)s->relief.n[1], s->bar_high + 0.01f, 0.0f};

    enter(ray, low, high, &near, &far);
    for (float t = near; t < far;) {
        vec at = gy_along(ray, t);
        float out = far;
        int of[2];

        for (int a = 0; a < 2; a++) {
            // One row of cells is drawn broader than it is.
            int last = s->bars[a] - 1, i = (int)floorf(at[a] / size);
            float width = last == 0 ? high[a] : size;

            of[a] = i < 0 ? 0 : i < last ? i : last;
            low[a] = width * (float)of[a];
            if (fabsf(ray->along[a]) > 1e-9f) {
                float wall = low[a] + (ray->along[a] > 0.0f ? width : 0.0f);

                out = fminf(out, (wall - ray->from[a]) / ray->along[a]);
            }
        }
        int bar = of[0] + of[1] * s->bars[0];
        float top = s->bar[2 * bar + 1];
        vec from = {low[0] + margin, low[1] + margin, s->relief.base, 0.0f}, to = from;

        for (int a = 0; a < 2; a++) {
            float width = s->bars[a] == 1 ? high[a] : size;

            to[a] = fminf(low[a] + width, high[a]) - margin;
        }
        to[2] = top;
        float in = 0.0f, leaves = far;
        int side = enter(ray, from, to, &in, &leaves);

        if (side >= 0 && in < leaves) {
            hit.t = in;
            hit.bar = bar;
            hit.normal[side] = ray->along[side] > 0.0f ? -1.0f : 1.0f;
            return hit;
        }
        t = fmaxf(out, t) + 1e-3f * size;
    }
    return hit;
}

static vec shade_bar(const gy_surface *s, const gy_ray *ray, const bar_hit *hit)
{
    static const vec shallow = {0.10f, 0.42f, 0.62f, 0.0f}, deep = {0.02f, 0.13f, 0.40f, 0.0f};
    vec at = gy_along(ray, hit->t), albedo = vec_make(s->input->settings.bed_colour);
    float bed = s->bar[2 * hit->bar], water = s->bar[2 * hit->bar + 1];
    float open = 1.0f, shine = 0.0f;
    bool wet = water - bed > least * (float)s->relief.fine && at[2] > bed;

    if (wet) {
        albedo = vec_mix(shallow, deep, 1.0f - expf(-(water - at[2]) * 12.0f / s->longest));
        vec half = vec_unit(s->light - ray->along);

        shine = 0.25f * powf(fmaxf(vec_dot(hit->normal, half), 0.0f), 40.0f);
    }
    if (s->input->settings.shadow && s->light[2] > 0.0f) {
        gy_ray up = {at + (hit->normal + s->light) * vec_all(1e-2f * s->bar_size), s->light};
        gy_hull_hit body;

        gy_hulls_hit(&s->bodies, &up, GY_NEVER, &body);
        open = body.t < GY_NEVER || hit_bars(s, &up, GY_NEVER).bar >= 0 ? 0.0f : 1.0f;
    }
    return gy_lit(s, albedo, hit->normal, open) + s->sun * vec_all(shine * open);
}

vec gy_shade_bars(const gy_surface *s, gy_ray ray, int *met)
{
    gy_hull_hit body;

    gy_hulls_hit(&s->bodies, &ray, GY_NEVER, &body);
    bar_hit hit = hit_bars(s, &ray, body.t);

    if (hit.bar >= 0) {
        *met = hit.normal[2] > 0.5f ? GY_MET_WATER : GY_MET_CUT;
        return shade_bar(s, &ray, &hit);
    }
    if (body.t < GY_NEVER) {
        *met = GY_MET_BODY + body.body;
        return gy_shade_body(s, &ray, &body);
    }
    return gy_shade_far(s, &ray, met);
}
