// render/isa/hulls_wide.h: eight rays against triangles, in a tree of boxes.
#ifndef GY_RENDER_HULLS_WIDE_H
#define GY_RENDER_HULLS_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// What eight rays meet of bodies.
typedef struct hull_meet {
    v8 t, u, v;
    w8 triangle;
} hull_meet;

GY_VEC_INLINE void meet_wide(const gy_hulls *bodies, int index, const gy_three *from,
                             const gy_three *along, hull_meet *meet)
{
    const gy_triangle *t = &bodies->triangles[index];
    gy_three edge[2] = {gy_colours_all(t->edge[0]), gy_colours_all(t->edge[1])};
    gy_three across = three_cross(*along, edge[1]);
    v8 facing = three_dot(edge[0], across), slack = v8_all(-1e-5f);
    gy_three to = three_along(*from, gy_colours_all(t->corner), v8_all(-1.0f));
    gy_three up = three_cross(to, edge[0]);
    v8 inverse = v8_all(1.0f) / facing;
    v8 u = three_dot(to, across) * inverse, v = three_dot(*along, up) * inverse;
    v8 at = three_dot(edge[1], up) * inverse;
    w8 hit = v8_less(v8_all(1e-12f), v8_abs(facing)) & ~v8_less(u, slack) & ~v8_less(v, slack) &
             ~v8_less(v8_all(1.0f) - slack, u + v) & v8_less(v8_all(0.0f), at) &
             v8_less(at, meet->t);

    meet->t = v8_select(hit, at, meet->t);
    meet->u = v8_select(hit, u, meet->u);
    meet->v = v8_select(hit, v, meet->v);
    meet->triangle = w8_select(hit, w8_all(index), meet->triangle);
}

/// Eight rays ready for boxes, and the boxes still to be looked at.
typedef struct hull_way {
    gy_three from, inverse;
    int depth, stack[GY_HULLS_DEEP];
} hull_way;

static void set_out(hull_way *way, const gy_three *from, const gy_three *along)
{
    way->from = *from;
    for (int a = 0; a < 3; a++)
        way->inverse.c[a] = v8_inverse(along->c[a]);
}

// Whether any of the rays meets a box before `far`.
GY_VEC_INLINE bool meets_box(const hull_way *way, const gy_hull_box *box, v8 far)
{
    v8 near = v8_all(0.0f);

    for (int a = 0; a < 3; a++) {
        v8 p = (v8_all(box->low[a]) - way->from.c[a]) * way->inverse.c[a];
        v8 q = (v8_all(box->high[a]) - way->from.c[a]) * way->inverse.c[a];

        near = v8_max(near, v8_min(p, q));
        far = v8_min(far, v8_max(p, q));
    }
    return w8_any(~v8_less(far, near));
}

GY_VEC_INLINE void into_parts(hull_way *way, const gy_hull_box *box)
{
    way->stack[way->depth++] = box->first;
    way->stack[way->depth++] = box->first + 1;
}

// The first triangles of what lies on the stack.
static void hulls_on(const gy_hulls *bodies, hull_way *way, const gy_three *along, v8 far,
                     w8 active, hull_meet *meet)
{
    *meet = (hull_meet){.t = v8_select(active, far, v8_all(-1.0f)), .triangle = w8_all(-1)};
    while (way->depth > 0) {
        const gy_hull_box *box = &bodies->boxes[way->stack[--way->depth]];

        if (!meets_box(way, box, meet->t))
            continue;
        for (int i = 0; i < box->count; i++)
            meet_wide(bodies, box->first + i, &way->from, along, meet);
        if (box->count == 0)
            into_parts(way, box);
    }
    meet->t = v8_select(meet->triangle < w8_all(0), v8_all(GY_NEVER), meet->t);
}

// Which rays may meet a triangle within (0, far): bodies are somewhere between two heights, and
// over each place of the domain at least so far aside.
GY_VEC_INLINE w8 hulls_near(const gy_hulls *bodies, const gy_three *from, const gy_three *along,
                            v8 far, w8 active)
{
    v8 zero = v8_all(0.0f), most = v8_all((float)(GY_HULL_ASIDE - 1)), z = along->c[2], at[2];
    w8 rises = v8_less(zero, z), outside = w8_all(0);
    v8 last = v8_select(rises, v8_all(bodies->high), v8_all(bodies->low)) - from->c[2];
    v8 steep = v8_select(rises, v8_max(z, v8_all(1e-6f)), v8_min(z, v8_all(-1e-6f)));
    v8 end = v8_min(last / steep, far);

    for (int a = 0; a < 2; a++) {
        at[a] = from->c[a] * v8_all(bodies->per[a]);
        outside |= v8_less(at[a], zero) | v8_less(v8_all((float)GY_HULL_ASIDE), at[a]);
        at[a] = v8_clamp(at[a], zero, most);
    }
    v8 aside = v8_gather(bodies->aside, v8_int(at[0]) + v8_int(at[1]) * w8_all(GY_HULL_ASIDE));
    v8 level = along->c[0] * along->c[0] + along->c[1] * along->c[1];

    // At a right angle to the plane nothing is gone aside: a place over a body has less than 0.
    w8 reaches = ~v8_less(end * v8_sqrt(level), aside) & ~v8_less(end, zero);

    return active & (outside | reaches);
}

/// The first triangles within (0, far): t is GY_NEVER where there is none.
static void hulls_wide(const gy_hulls *bodies, const gy_three *from, const gy_three *along, v8 far,
                       w8 active, hull_meet *meet)
{
    hull_way way;

    if (bodies->box_count > 0)
        active = hulls_near(bodies, from, along, far, active);
    way.depth = 0;
    if (bodies->box_count > 0 && w8_any(active)) {
        set_out(&way, from, along);
        way.stack[way.depth++] = 0;
    }
    hulls_on(bodies, &way, along, far, active, meet);
}

/// The same of rays from the eye through pixels that lie between two corners.
static void hulls_seen(const gy_hulls *bodies, const gy_three *from, const gy_three *along,
                       const float low[2], const float high[2], v8 far, w8 active, hull_meet *meet)
{
    hull_way way;

    *meet = (hull_meet){.t = v8_all(GY_NEVER), .triangle = w8_all(-1)};
    if (bodies->part_count == 0)
        return;
    way.depth = 0;
    // The nearest comes to lie on top.
    for (int first = (bodies->part_count - 1) / GY_WIDE * GY_WIDE; first >= 0; first -= GY_WIDE) {
        w8 beside = w8_all(0);

        for (int a = 0; a < 2; a++)
            beside |= v8_less(v8_load(&bodies->part_high[a][first]), v8_all(low[a])) |
                      v8_less(v8_all(high[a]), v8_load(&bodies->part_low[a][first]));
        for (int i = w8_any(~beside) ? GY_WIDE - 1 : -1; i >= 0; i--) {
            if (!beside[i] && first + i < bodies->part_count)
                way.stack[way.depth++] = bodies->part[first + i];
        }
    }
    if (way.depth == 0)
        return;
    set_out(&way, from, along);
    hulls_on(bodies, &way, along, far, active, meet);
}

/// Which rays towards parallel light meet any triangle within (0, far).
static w8 hulls_hide(const gy_hulls *bodies, const gy_hull_shade *shade, const gy_three *from,
                     v8 far, w8 active)
{
    gy_three towards = gy_colours_all(shade->towards);
    v8 least = v8_all(0.0f), most = v8_all((float)(GY_HULL_SHADE - 1)), at[2];
    hull_meet meet = {.triangle = w8_all(-1)};
    w8 free = w8_all(0);
    hull_way way;

    at[0] = (three_dot(*from, gy_colours_all(shade->u)) - v8_all(shade->low[0])) *
            v8_all(shade->per[0]);
    at[1] = (three_dot(*from, gy_colours_all(shade->v)) - v8_all(shade->low[1])) *
            v8_all(shade->per[1]);
    for (int a = 0; a < 2; a++) {
        free |= v8_less(at[a], least) | v8_less(v8_all((float)GY_HULL_SHADE), at[a]);
        at[a] = v8_clamp(at[a], least, most);
    }
    w8 cell = v8_int(at[0]) + v8_int(at[1]) * w8_all(GY_HULL_SHADE);

    active &= ~free & v8_less(three_dot(*from, towards), v8_gather(shade->reach, cell));
    if (!w8_any(active))
        return w8_all(0);
    set_out(&way, from, &towards);
    way.depth = 0;
    way.stack[way.depth++] = 0;
    meet.t = v8_select(active, far, v8_all(-1.0f));
    while (way.depth > 0 && w8_any(active)) {
        const gy_hull_box *box = &bodies->boxes[way.stack[--way.depth]];

        if (!meets_box(&way, box, meet.t))
            continue;
        for (int i = 0; i < box->count; i++)
            meet_wide(bodies, box->first + i, from, &towards, &meet);
        // Rays that have met one look no further.
        active &= meet.triangle < w8_all(0);
        meet.t = v8_select(active, meet.t, v8_all(-1.0f));
        if (box->count == 0)
            into_parts(&way, box);
    }
    return meet.triangle >= w8_all(0);
}

/// Normals, towards the rays' starts, and bodies of what was met.
static gy_three meet_normal(const gy_hulls *bodies, const gy_three *along, const hull_meet *meet,
                            w8 *body)
{
    enum { STRIDE = sizeof(gy_triangle) / sizeof(float) };
    const float *base = (const float *)bodies->triangles;
    w8 at = w8_select(meet->triangle < w8_all(0), w8_all(0), meet->triangle) * w8_all(STRIDE);
    v8 weight[3] = {v8_all(1.0f) - meet->u - meet->v, meet->u, meet->v};
    gy_three normal = gy_colours_all(vec_all(0.0f)), edge[2];

    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            normal.c[c] +=
                weight[k] * v8_gather(base + offsetof(gy_triangle, normal) / 4 + 4 * k + c, at);
        for (int k = 0; k < 2; k++)
            edge[k].c[c] = v8_gather(base + offsetof(gy_triangle, edge) / 4 + 4 * k + c, at);
    }
    *body = (w8)v8_gather(base + offsetof(gy_triangle, body) / 4, at);
    v8 facing = three_dot(edge[0], three_cross(*along, edge[1]));

    normal = three_unit(normal);
    return three_scale(normal,
                       v8_select(v8_less(v8_all(0.0f), facing), v8_all(1.0f), v8_all(-1.0f)));
}

#endif
