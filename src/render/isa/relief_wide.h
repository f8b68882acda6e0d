// render/isa/relief_wide.h: eight rays against heights.
//
// A ray steps over blocks of 64 and of 8 cells whose highest corner it stays above, in the others
// from where it sinks below that corner; there it samples g = z - height at steps of
// g / (slope + |dz|), at least one cell, until g < 0, and finds the place by three secants.
#ifndef GY_RENDER_RELIEF_WIDE_H
#define GY_RENDER_RELIEF_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// A place between corners: the index of the lower left one, and how far on.
typedef struct relief_place {
    w8 at;
    v8 x, y;
} relief_place;

GY_VEC_INLINE relief_place place_at(const gy_relief *r, v8 x, v8 y)
{
    v8 nx = v8_all((float)r->n[0]), ny = v8_all((float)r->n[1]), zero = v8_all(0.0f);
    v8 one = v8_all(1.0f);

    x = v8_clamp(x, zero, nx);
    y = v8_clamp(y, zero, ny);
    // Not below 0: towards 0 is downwards.
    w8 i = v8_int(v8_min(x, nx - one)), j = v8_int(v8_min(y, ny - one));

    return (relief_place){i + j * w8_all((int32_t)r->row), x - v8_float(i), y - v8_float(j)};
}

GY_VEC_INLINE v8 height_at(const gy_relief *r, const float *height, v8 x, v8 y)
{
    relief_place p = place_at(r, x, y);
    v8 left[2], right[2];
    int32_t at[GY_WIDE];

    memcpy(at, &p.at, sizeof at);
    v8_pairs(height, at, &left[0], &right[0]);
    v8_pairs(height + r->row, at, &left[1], &right[1]);
    return v8_mix(v8_mix(left[0], right[0], p.x), v8_mix(left[1], right[1], p.x), p.y);
}

/// The bed's height.
GY_VEC_INLINE v8 bed_at(const gy_relief *r, v8 x, v8 y)
{
    return r->level ? v8_all(r->most[GY_BED][GY_LEVELS - 1][0])
                    : height_at(r, r->height[GY_BED], x, y);
}

/// All entries of a texel, for eight places.
GY_VEC_INLINE void texels_at(const gy_relief *r, const float *texel, v8 x, v8 y, v8 out[8])
{
    relief_place p = place_at(r, x, y);
    ptrdiff_t row = 8 * r->row;

    for (int i = 0; i < GY_WIDE; i++) {
        const float *from = texel + 8 * (ptrdiff_t)p.at[i];
        v8 fx = v8_all(p.x[i]);
        v8 low = v8_mix(v8_load(from), v8_load(from + 8), fx);
        v8 high = v8_mix(v8_load(from + row), v8_load(from + row + 8), fx);

        out[i] = v8_mix(low, high, v8_all(p.y[i]));
    }
    turn_eight(out); // places by entries to entries by places
}

/// gy_relief_clip() of eight.
GY_VEC_INLINE w8 clip_wide(const gy_relief *r, const gy_three *from, const gy_three *along,
                           float top, v8 *near, v8 *far, w8 *side)
{
    float low[3] = {0.0f, 0.0f, r->base}, high[3] = {(float)r->n[0], (float)r->n[1], top};

    *side = w8_all(-1);
    for (int a = 0; a < 3; a++) {
        v8 inverse = v8_inverse(along->c[a]);
        v8 p = (v8_all(low[a]) - from->c[a]) * inverse,
           q = (v8_all(high[a]) - from->c[a]) * inverse;
        v8 in = v8_min(p, q);
        w8 later = v8_less(*near, in);

        *near = v8_select(later, in, *near);
        *side = w8_select(later, w8_all(a), *side);
        *far = v8_min(*far, v8_max(p, q));
    }
    return v8_less(*near, *far);
}

// From t on, where the ray is at or above the heights, up to `end`: where it falls below them.
static v8 march_wide(const gy_relief *r, const float *height, const gy_three *from,
                     const gy_three *along, v8 slope, v8 t, v8 end, w8 active)
{
    v8 level = v8_sqrt(along->c[0] * along->c[0] + along->c[1] * along->c[1]);
    v8 fall = slope * level + v8_max(-along->c[2], v8_all(0.0f));
    v8 least = v8_all(1.0f) / v8_max(level, v8_all(0.25f)),
       safe = v8_all(1.5f) / v8_max(fall, v8_all(1e-3f));
    v8 before = t, found = v8_all(GY_NEVER);
    v8 g0 = v8_all(1e-6f);

    while (w8_any(active)) {
        gy_three at = three_along(*from, *along, t);
        v8 g = at.c[2] - height_at(r, height, at.c[0], at.c[1]);
        w8 below = active & v8_less(g, v8_all(0.0f));

        if (w8_any(below)) {
            v8 low = before, high = t, a = g0, b = g, guess = t;

            for (int i = 0; i < 2; i++) {
                guess = low + (high - low) * (a / v8_max(a - b, v8_all(1e-12f)));
                at = three_along(*from, *along, guess);
                v8 value = at.c[2] - height_at(r, height, at.c[0], at.c[1]);
                w8 under = v8_less(value, v8_all(0.0f));

                low = v8_select(under, low, guess);
                a = v8_select(under, a, value);
                high = v8_select(under, guess, high);
                b = v8_select(under, value, b);
            }
            guess = low + (high - low) * (a / v8_max(a - b, v8_all(1e-12f)));
            found = v8_select(below, guess, found);
            active &= ~below;
        }
        active &= v8_less(t, end);
        before = t;
        g0 = v8_max(g, v8_all(1e-6f));
        t = v8_select(active, v8_min(t + v8_max(least, g * safe), end), t);
    }
    return found;
}

// The same of ground that is level.
GY_VEC_INLINE v8 hit_level(float ground, const gy_three *from, const gy_three *along, v8 near,
                           v8 far, w8 active)
{
    v8 never = v8_all(GY_NEVER), sink = v8_min(along->c[2], v8_all(-1e-20f));
    v8 t = v8_max((v8_all(ground) - from->c[2]) / sink, near);
    v8 high = from->c[2] + along->c[2] * near;
    w8 below = v8_less(high, v8_all(ground)), falls = v8_less(along->c[2], v8_all(0.0f));

    t = v8_select(below, near, v8_select(falls, t, never));
    return v8_select(active & v8_less(t, far), t, never);
}

// The same of ground so even that rays sink by at least four times what it rises below them: how
// far above it they are only falls, and secants find where that is 0. A secant's slope is held
// within what the ground allows, so that each halves the error at the least.
static v8 sink_wide(const gy_relief *r, const gy_three *from, const gy_three *along, v8 near,
                    v8 far, v8 fall, w8 active)
{
    v8 zero = v8_all(0.0f), sink = v8_max(-along->c[2], v8_all(1e-6f)), never = v8_all(GY_NEVER);
    v8 t = near, before = near, g0 = zero, rate = sink, found = never;

    for (int k = 0; k < 8 && w8_any(active); k++) {
        gy_three at = three_along(*from, *along, t);
        v8 g = at.c[2] - height_at(r, r->height[GY_BED], at.c[0], at.c[1]);

        found = v8_select(active, t, found);
        active &= v8_less(k == 0 ? zero : v8_all(1e-3f), k == 0 ? g : v8_abs(g));
        if (k > 0)
            rate = v8_clamp((g0 - g) * v8_inverse(t - before), sink - fall, sink + fall);
        before = t;
        g0 = g;
        t = v8_select(active, v8_max(t + g / rate, near), t);
        active &= v8_less(before, far) | v8_less(t, far);
    }
    return v8_select(v8_less(found, far), found, never);
}

/// Where eight rays, within [near, far], first fall below heights; GY_NEVER: nowhere. `which`: 0
/// the higher of water and bed, 1 the bed.
static v8 hit_wide(const gy_relief *r, int which, const gy_three *from, const gy_three *along,
                   v8 near, v8 far, w8 active)
{
    const float *height = which == 0 ? r->top : r->height[GY_BED];
    gy_three inverse = {{v8_inverse(along->c[0]), v8_inverse(along->c[1]), v8_all(0.0f)}};
    w8 ahead[2] = {~v8_less(along->c[0], v8_all(0.0f)) & w8_all(1),
                   ~v8_less(along->c[1], v8_all(0.0f)) & w8_all(1)};
    w8 coarse = w8_all(-1), nx = w8_all(r->n[0] - 1), ny = w8_all(r->n[1] - 1);
    v8 t = near, found = v8_all(GY_NEVER);

    active &= v8_less(t, far);
    if (which == 1 && r->level)
        return hit_level(r->most[GY_BED][GY_LEVELS - 1][0], from, along, near, far, active);
    if (which == 1) {
        v8 level = v8_sqrt(along->c[0] * along->c[0] + along->c[1] * along->c[1]);
        v8 fall = v8_all(r->even) * level;
        w8 sinks = active & v8_less(v8_all(4.0f) * fall, -along->c[2]);

        if (w8_any(sinks))
            found = sink_wide(r, from, along, near, far, fall, sinks);
        active &= ~sinks;
    }
    while (w8_any(active)) {
        gy_three at = three_along(*from, *along, t);
        w8 shift = w8_select(coarse, w8_all(6), w8_all(3)), wide;
        w8 i = v8_int(v8_clamp(at.c[0], v8_all(0.0f), v8_float(nx)));
        w8 j = v8_int(v8_clamp(at.c[1], v8_all(0.0f), v8_float(ny)));

        i >>= shift;
        j >>= shift;
        wide = w8_select(coarse, w8_all(r->blocks[2][0]), w8_all(r->blocks[1][0]));
        v8 most = v8_gather(r->crest[which],
                            i + j * wide + (coarse & w8_all(r->blocks[1][0] * r->blocks[1][1])));
        v8 out_x = (v8_float((i + ahead[0]) << shift) - from->c[0]) * inverse.c[0];
        v8 out_y = (v8_float((j + ahead[1]) << shift) - from->c[1]) * inverse.c[1];
        v8 end = v8_min(v8_max(v8_min(out_x, out_y), t), far);
        v8 z = v8_min(at.c[2], from->c[2] + along->c[2] * end);
        w8 above = v8_less(most, z);
        w8 fine = active & ~above & ~coarse;

        if (w8_any(fine)) {
            // The part of the way above the highest corner is free.
            v8 sinks = (most - from->c[2]) / v8_min(along->c[2], v8_all(-1e-6f));
            v8 start = v8_select(v8_less(along->c[2], v8_all(-1e-6f)), v8_clamp(sinks, t, end), t);
            v8 slope = v8_gather(r->steepest[which], w8_select(fine, i + j * wide, w8_all(0)));
            v8 met = march_wide(r, height, from, along, slope, start, end, fine);

            found = v8_select(fine, met, found);
            active &= ~(fine & v8_less(met, v8_all(GY_NEVER)));
        }
        w8 on = above | fine;

        t = v8_select(on & active, end + v8_all(1e-3f), t);
        coarse = w8_select(active, above & (coarse | v8_less(most + v8_all(4.0f), z)), coarse);
        active &= v8_less(t, far);
    }
    return found;
}

/// Where rays under water first rise above it.
GY_VEC_INLINE v8 rise_wide(const gy_relief *r, const gy_three *from, const gy_three *along, v8 near,
                           v8 far, w8 active)
{
    v8 level = v8_sqrt(along->c[0] * along->c[0] + along->c[1] * along->c[1]);
    v8 fall = v8_all(r->slope) * level + v8_max(along->c[2], v8_all(0.0f));
    v8 least = v8_all(1.0f) / v8_max(level, v8_all(0.25f)),
       safe = v8_all(1.0f) / v8_max(fall, v8_all(1e-3f));
    v8 t = near, before = near, found = v8_all(GY_NEVER), g0 = v8_all(1e-6f);

    active &= v8_less(t, far);
    while (w8_any(active)) {
        gy_three at = three_along(*from, *along, t);
        v8 g = height_at(r, r->height[GY_WATER], at.c[0], at.c[1]) - at.c[2];
        w8 over = active & v8_less(g, v8_all(0.0f));
        v8 share = g0 / v8_max(g0 - g, v8_all(1e-12f));

        found = v8_select(over, before + (t - before) * share, found);
        active &= ~over & v8_less(t, far);
        before = t;
        g0 = v8_max(g, v8_all(1e-6f));
        t = v8_select(active, v8_min(t + v8_max(least, g * safe), far), t);
    }
    return found;
}

#endif
