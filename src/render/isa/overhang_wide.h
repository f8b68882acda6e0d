// render/isa/overhang_wide.h: water that hangs over the surface, in a closed mesh of its own: rays
// that meet it are mirrored, bent into it, absorbed on their way through, and go on, bent once more
// where they leave it in air, or in the water where it is joined to a wave. It casts no shadow, and
// water mirrors none of it.
#ifndef GY_RENDER_OVERHANG_WIDE_H
#define GY_RENDER_OVERHANG_WIDE_H

#include "render/isa/hulls_wide.h"
#include "render/isa/ray_lists.h"
#include "render/isa/relief_wide.h"

static const float mirror = 0.02f; // of water at right angles
static const float lift = 0.02f;   // start of rays over what they leave, in cells of the grid
static const float faint = 1e-2f;  // weights below it count as deep water

enum { GY_OVERHANGS = 4 }; // sheets behind each other that a ray passes

GY_VEC_INLINE gy_three absorbed(const gy_surface *s, v8 length)
{
    return (gy_three){{v8_exp(v8_all(-s->absorb[0]) * length),
                       v8_exp(v8_all(-s->absorb[1]) * length),
                       v8_exp(v8_all(-s->absorb[2]) * length)}};
}

GY_VEC_INLINE v8 fifth(v8 x)
{
    v8 square = x * x;

    return square * square * x;
}

// Adds light to the samples of a mask.
static void add_sample(batch *b, w8 sample, w8 mask, gy_three colour)
{
    for (int i = 0; i < GY_WIDE; i++) {
        for (int c = 0; c < 3 && mask[i]; c++)
            b->colour[c][sample[i]] += colour.c[c][i];
    }
}

// The first triangles of the overhang within (0, far).
static void overhang_wide(const gy_surface *s, const gy_three *from, const gy_three *along, v8 far,
                          w8 active, hull_meet *meet)
{
    hull_way way;

    way.depth = 0;
    if (s->overhang.box_count > 0 && w8_any(active)) {
        set_out(&way, from, along);
        way.stack[way.depth++] = 0;
    }
    hulls_on(&s->overhang, &way, along, far, active, meet);
}

// Rays that enter it: what it mirrors, and what goes on behind it. `again`: how often they still
// may.
static void pierce(batch *b, list *next, w8 mask, const gy_three *at, const gy_three *along,
                   const gy_three *weight, const gy_three *facing, w8 sample, int again)
{
    const gy_surface *s = b->s;
    v8 one = v8_all(1.0f), zero = v8_all(0.0f), over = v8_all(lift * (float)s->relief.fine);
    v8 cosine = v8_max(-three_dot(*along, *facing), v8_all(0.02f));
    v8 fresnel = v8_all(mirror) + v8_all(1.0f - mirror) * fifth(one - cosine);
    v8 inner = v8_sqrt(one - v8_all(0.5625f) * (one - cosine * cosine));
    gy_three back = three_unit(three_along(*along, *facing, v8_all(2.0f) * cosine)), deep;
    gy_three bent = three_unit(
        three_along(three_scale(*along, v8_all(0.75f)), *facing, v8_all(0.75f) * cosine - inner));
    gy_three start = three_along(*at, *facing, over), part = three_scale(*weight, fresnel);
    w8 down = v8_less(back.c[2], v8_all(0.02f)), kind = w8_all(0);
    hull_meet meet;

    push(&b->mirrored, mask & ~down, &start, &back, &part, NULL, sample, kind);
    add_sample(b, sample, mask & down, three_times(part, gy_colours_all(s->deep)));
    // To its other side.
    start = three_along(*at, bent, v8_all(1e-3f));
    overhang_wide(s, &start, &bent, v8_all(GY_NEVER), mask, &meet);
    w8 out = mask & v8_less(meet.t, v8_all(GY_NEVER));
    v8 length = v8_select(out, meet.t, zero);
    gy_three end = three_along(start, bent, length), left = absorbed(s, length);
    gy_three normal = meet_normal(&s->overhang, &bent, &meet, &kind); // towards the inside

    part = three_scale(*weight, one - fresnel);
    for (int c = 0; c < 3; c++)
        deep.c[c] = part.c[c] * v8_all(s->deep[c]) * (one - left.c[c]);
    add_sample(b, sample, mask, deep);
    part = three_times(part, left);
    // Inside of a wave it is one with it.
    w8 joined = mask & v8_less(end.c[2], height_at(&s->relief, s->relief.height[GY_WATER], end.c[0],
                                                   end.c[1]));

    push(&b->under[0], joined, &end, &bent, &part, NULL, sample, w8_all(0));
    out &= ~joined;
    cosine = v8_max(-three_dot(normal, bent), zero);
    v8 square = one - v8_all(1.7777778f) * (one - cosine * cosine);
    v8 outer = v8_sqrt(v8_max(square, zero));
    gy_three free = three_scale(three_along(bent, normal, cosine), v8_all(1.3333333f));

    free = three_unit(three_along(free, normal, -outer));
    w8 plain = ~out | ~v8_less(zero, square); // as through a pane
    free = three_select(plain, *along, free);
    end = three_along(end, free, over);
    push(again > 0 ? next : &b->sky, mask & ~joined, &end, &free, &part, NULL, sample, w8_all(0));
}

// Rays that go on in air behind an overhang.
static void work_overhang(batch *b, list *rays, list *next, int again)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;

    for (int i = 0; i < rays->count; i += GY_WIDE) {
        entries e = take_entries(rays, i);
        w8 sample = load_ints(&rays->sample[i]), side, kind = w8_all(0);
        v8 near = v8_all(0.0f), far = v8_all(GY_NEVER), never = far;
        hull_meet body, more;

        hulls_wide(&s->bodies, &e.at, &e.along, far, e.active, &body);
        overhang_wide(s, &e.at, &e.along, body.t, e.active, &more);
        w8 over = e.active & clip_wide(r, &e.at, &e.along, r->high + 0.1f, &near, &far, &side);
        v8 t = hit_wide(r, 0, &e.at, &e.along, near, v8_min(v8_min(far, body.t), more.t), over);
        w8 hit = over & v8_less(t, never), pass = e.active & ~hit & v8_less(more.t, never);
        w8 solid = e.active & ~(hit | pass) & v8_less(body.t, never);
        gy_three at =
            three_along(e.at, e.along, v8_select(hit, t, v8_select(pass, more.t, body.t)));
        gy_three safe = three_select(hit, at, e.at), normal;
        v8 bed = bed_at(r, safe.c[0], safe.c[1]);
        v8 water = height_at(r, r->height[GY_WATER], safe.c[0], safe.c[1]);
        w8 ground = hit & v8_less(water, bed);

        push(&b->ground, ground, &at, &e.along, &e.weight, NULL, sample, kind);
        push(&b->water, hit & ~ground, &at, &e.along, &e.weight, NULL, sample, w8_all(1));
        push(&b->sky, e.active & ~(hit | pass | solid), &e.at, &e.along, &e.weight, NULL, sample,
             kind);
        if (w8_any(solid)) {
            normal = meet_normal(&s->bodies, &e.along, &body, &kind);
            push(&b->body, solid, &at, &e.along, &e.weight, &normal, sample, kind);
        }
        if (w8_any(pass)) {
            normal = meet_normal(&s->overhang, &e.along, &more, &kind);
            at = three_select(pass, at, e.at);
            pierce(b, next, pass, &at, &e.along, &e.weight, &normal, sample, again);
        }
    }
    rays->count = 0;
}

#endif
