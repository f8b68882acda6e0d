// render/isa/edge_wide.h: which pixels of a surface take more rays than one.
#ifndef GY_RENDER_EDGE_WIDE_H
#define GY_RENDER_EDGE_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// What pixels of a row have beside them.
typedef struct beside_pixels {
    w8 edge, soft; // some differ from them; in light alone, on water with ripples
    v8 start;      // nothing that they or these show is nearer
} beside_pixels;

static beside_pixels look_beside(const gy_surface *s, int x, int y)
{
    static const int to[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    ptrdiff_t at = (ptrdiff_t)y * s->row + x;
    v8 own = v8_load(s->first[3] + at), least = v8_load(s->first[4] + at);
    v8 away = v8_load(s->first[5] + at), nearest = away, white = v8_load(s->first[6] + at);
    w8 light = w8_all(0), thing = w8_all(0), column = w8_count() + w8_all(x);

    for (int i = 0; i < 4; i++) {
        int b = y + to[i][1];
        ptrdiff_t beside = at + to[i][0] + (ptrdiff_t)to[i][1] * s->row;
        w8 there = column + w8_all(to[i][0]);
        v8 sum = v8_all(0.0f);

        if (b < 0 || b >= s->image->height)
            continue;
        there = (there >= w8_all(0)) & (there < w8_all(s->image->width));
        for (int c = 0; c < 3; c++)
            sum += v8_abs(v8_load(s->first[c] + beside) - v8_load(s->first[c] + at));
        v8 far = v8_load(s->first[5] + beside);
        // As white as they are waters may differ, unless one stands before the other.
        v8 foam = v8_abs(v8_load(s->first[6] + beside) - white);
        w8 apart = v8_less(v8_all(0.04f) * away, v8_abs(far - away));

        foam = v8_select(apart, v8_all(0.0f), foam * v8_all(3.0f * GY_FOAM_CONTRAST));
        light |= v8_less(least + foam, sum) & there;
        thing |= v8_less(v8_all(0.5f), v8_abs(v8_load(s->first[3] + beside) - own)) & there;
        nearest = v8_select(there, v8_min(nearest, far), nearest);
    }
    w8 in = column < w8_all(s->image->width);
    w8 rippled = v8_less(v8_all(4.5f * GY_SURFACE_CONTRAST), least);

    return (beside_pixels){
        (light | thing) & in, light & ~thing & rippled & in,
        v8_select(v8_less(nearest, v8_all(GY_NEVER)), nearest * v8_all(0.95f), v8_all(0.0f))};
}

#endif
