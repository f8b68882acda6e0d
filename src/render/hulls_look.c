// render/hulls_look.c: which rays may meet bodies at all.
//
// Of rays from the eye those whose pixels lie within a part's box, as it is seen; of those towards
// the light those that start below how far, at their place across the light, triangles reach; of
// others those that get as far aside as the nearest triangle, while they are as high as any. All
// hold too much rather than too little. Cost: a square of 128 x 128 numbers for each of the two
// directions of light, one of 64 x 64 seen from above, and of each triangle the cells that the box
// round it covers.
#include "render/surface.h"

#include <stdlib.h>

static float extent(const gy_hull_box *box)
{
    vec size = box->high - box->low;

    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// The tree's boxes, the largest parted until there are enough.
static void choose_parts(gy_hulls *bodies)
{
    bodies->part[0] = 0;
    bodies->part_count = 1;
    while (bodies->part_count < GY_HULL_PARTS) {
        int largest = -1;

        for (int i = 0; i < bodies->part_count; i++) {
            const gy_hull_box *box = &bodies->boxes[bodies->part[i]];

            if (box->count == 0 &&
                (largest < 0 || extent(box) > extent(&bodies->boxes[bodies->part[largest]])))
                largest = i;
        }
        if (largest < 0)
            break;
        int first = bodies->boxes[bodies->part[largest]].first;

        bodies->part[largest] = first;
        bodies->part[bodies->part_count++] = first + 1;
    }
}

static float distance_to(const gy_hull_box *box, vec eye)
{
    vec out = vec_max(vec_max(box->low - eye, eye - box->high), vec_all(0.0f));

    return vec_dot(out, out);
}

static void sort_parts(gy_hulls *bodies, vec eye)
{
    for (int i = 1; i < bodies->part_count; i++) {
        int own = bodies->part[i], k = i;
        float away = distance_to(&bodies->boxes[own], eye);

        for (; k > 0 && distance_to(&bodies->boxes[bodies->part[k - 1]], eye) > away; k--)
            bodies->part[k] = bodies->part[k - 1];
        bodies->part[k] = own;
    }
}

// Where in the picture a box may be seen.
static void see_part(const gy_surface *s, const gy_hull_box *box, float low[2], float high[2])
{
    float tall = (float)s->image->height, middle[2] = {0.5f * (float)s->image->width, 0.5f * tall};

    for (int a = 0; a < 2; a++) {
        low[a] = GY_NEVER;
        high[a] = -GY_NEVER;
    }
    for (int corner = 0; corner < 8; corner++) {
        vec way = {corner & 1 ? box->high[0] : box->low[0], corner & 2 ? box->high[1] : box->low[1],
                   corner & 4 ? box->high[2] : box->low[2], 0.0f};

        way -= s->eye;
        float depth = vec_dot(way, s->forward);
        bool behind = depth < 1e-3f;
        float x = vec_dot(way, s->right) / (vec_dot(s->right, s->right) * depth);
        float y = vec_dot(way, s->up) / (vec_dot(s->up, s->up) * depth);
        float at[2] = {middle[0] + tall * x, middle[1] - tall * y};

        for (int a = 0; a < 2; a++) {
            low[a] = fminf(low[a], behind ? -GY_NEVER : at[a] - 1.0f);
            high[a] = fmaxf(high[a], behind ? GY_NEVER : at[a] + 1.0f);
        }
    }
}

// Where a triangle lies across the light, with a margin for rounding, and how far it reaches.
static float span(const gy_hull_shade *shade, const gy_triangle *t, float low[2], float high[2])
{
    float reach = -GY_NEVER, margin = 1e-3f;

    for (int a = 0; a < 2; a++) {
        low[a] = GY_NEVER;
        high[a] = -GY_NEVER;
    }
    for (int c = 0; c < 3; c++) {
        vec p = c == 0 ? t->corner : t->corner + t->edge[c - 1];
        float at[2] = {vec_dot(p, shade->u), vec_dot(p, shade->v)};

        reach = fmaxf(reach, vec_dot(p, shade->towards));
        for (int a = 0; a < 2; a++) {
            low[a] = fminf(low[a], at[a]);
            high[a] = fmaxf(high[a], at[a]);
            margin += 1e-4f * fabsf(at[a]);
        }
    }
    for (int a = 0; a < 2; a++) {
        low[a] -= margin;
        high[a] += margin;
    }
    return reach + margin;
}

static void cast(const gy_hulls *bodies, vec towards, gy_hull_shade *shade)
{
    const float most = (float)(GY_HULL_SHADE - 1);
    float low[2], high[2], end[2] = {-GY_NEVER, -GY_NEVER};
    vec aside = {0.0f, 0.0f, 0.0f, 0.0f};

    aside[fabsf(towards[0]) < 0.5f ? 0 : 1] = 1.0f;
    shade->towards = towards;
    shade->u = vec_unit(vec_cross(towards, aside));
    shade->v = vec_cross(towards, shade->u);
    shade->low[0] = shade->low[1] = GY_NEVER;
    for (int i = 0; i < bodies->triangle_count; i++) {
        span(shade, &bodies->triangles[i], low, high);
        for (int a = 0; a < 2; a++) {
            shade->low[a] = fminf(shade->low[a], low[a]);
            end[a] = fmaxf(end[a], high[a]);
        }
    }
    for (int a = 0; a < 2; a++)
        shade->per[a] = (float)GY_HULL_SHADE / (end[a] - shade->low[a]);
    for (int i = 0; i < GY_HULL_SHADE * GY_HULL_SHADE; i++)
        shade->reach[i] = -GY_NEVER;
    for (int i = 0; i < bodies->triangle_count; i++) {
        float reach = span(shade, &bodies->triangles[i], low, high);
        int from[2], to[2];

        for (int a = 0; a < 2; a++) {
            from[a] = (int)fmaxf((low[a] - shade->low[a]) * shade->per[a] - 0.01f, 0.0f);
            to[a] = (int)fminf((high[a] - shade->low[a]) * shade->per[a] + 0.01f, most);
        }
        for (int y = from[1]; y <= to[1]; y++) {
            for (int x = from[0]; x <= to[0]; x++) {
                float *cell = &shade->reach[x + y * GY_HULL_SHADE];

                *cell = fmaxf(*cell, reach);
            }
        }
    }
}

// Seen from above: 0 where triangles may be, else how many cells away they are, at least, along x
// or y.
static void count_aside(const gy_surface *s, float *aside)
{
    const gy_hulls *bodies = &s->bodies;
    const int side = GY_HULL_ASIDE;

    for (int i = 0; i < side * side; i++)
        aside[i] = 2.0f * (float)side;
    for (int i = 0; i < bodies->triangle_count; i++) {
        const gy_triangle *t = &bodies->triangles[i];
        vec low = vec_min(t->corner, vec_min(t->corner + t->edge[0], t->corner + t->edge[1]));
        vec high = vec_max(t->corner, vec_max(t->corner + t->edge[0], t->corner + t->edge[1]));
        int from[2], to[2];

        for (int a = 0; a < 2; a++) {
            float most = (float)(side - 1);

            from[a] = (int)fminf(fmaxf(low[a] * bodies->per[a] - 0.01f, 0.0f), most);
            to[a] = (int)fminf(fmaxf(high[a] * bodies->per[a] + 0.01f, 0.0f), most);
        }
        for (int y = from[1]; y <= to[1]; y++) {
            for (int x = from[0]; x <= to[0]; x++)
                aside[x + y * side] = 0.0f;
        }
    }
    // Two sweeps: from one corner and from the other.
    for (int k = 0; k < 2 * side * side; k++) {
        int at = k < side * side ? k : 2 * side * side - 1 - k, x = at % side, y = at / side;

        for (int b = y > 0 ? -1 : 0; b <= (y + 1 < side ? 1 : 0); b++) {
            for (int a = x > 0 ? -1 : 0; a <= (x + 1 < side ? 1 : 0); a++)
                aside[at] = fminf(aside[at], aside[at + a + b * side] + (a | b ? 1.0f : 0.0f));
        }
    }
}

static void look_from_above(gy_surface *s)
{
    gy_hulls *bodies = &s->bodies;
    float cell = GY_NEVER;

    bodies->low = bodies->boxes[0].low[2];
    bodies->high = bodies->boxes[0].high[2];
    for (int a = 0; a < 2; a++) {
        bodies->per[a] = (float)GY_HULL_ASIDE / (float)s->relief.n[a];
        cell = fminf(cell, 1.0f / bodies->per[a]);
    }
    count_aside(s, bodies->aside);
    // From anywhere in a cell to anywhere in one that is so many cells away.
    for (int i = 0; i < GY_HULL_ASIDE * GY_HULL_ASIDE; i++)
        bodies->aside[i] = (bodies->aside[i] - 1.01f) * cell;
}

// Where in the picture triangles may be.
static void see_parts(const gy_surface *s, gy_hulls *bodies)
{
    if (bodies->box_count == 0)
        return;
    choose_parts(bodies);
    sort_parts(bodies, s->eye);
    for (int i = 0; i < GY_HULL_PARTS; i++) {
        float low[2] = {GY_NEVER, GY_NEVER}, high[2] = {-GY_NEVER, -GY_NEVER};

        if (i < bodies->part_count)
            see_part(s, &bodies->boxes[bodies->part[i]], low, high);
        for (int a = 0; a < 2; a++) {
            bodies->part_low[a][i] = low[a];
            bodies->part_high[a][i] = high[a];
        }
    }
}

gyre_result gy_hulls_look(gy_surface *s)
{
    gy_hulls *bodies = &s->bodies;
    size_t cells = (size_t)GY_HULL_SHADE * GY_HULL_SHADE;

    see_parts(s, &s->overhang);
    see_parts(s, bodies);
    if (bodies->box_count == 0)
        return GYRE_OK;
    bodies->shade[0].reach = malloc((2 * cells + GY_HULL_ASIDE * GY_HULL_ASIDE) * sizeof(float));
    if (bodies->shade[0].reach == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the shadows of bodies");
    bodies->shade[1].reach = bodies->shade[0].reach + cells;
    bodies->aside = bodies->shade[1].reach + cells;
    look_from_above(s);
    cast(bodies, s->light, &bodies->shade[0]);
    cast(bodies, s->below, &bodies->shade[1]);
    return GYRE_OK;
}
