// render/isa/smoke_wide.h: the shadow of smoke on what surfaces show: light that gy_light_clear()
// has swept to the cell where a place lies, or where the way to the sun enters the box.
#ifndef GY_RENDER_SMOKE_WIDE_H
#define GY_RENDER_SMOKE_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// Shares of the sun's light that smoke lets through to eight places over a relief.
static v8 past_smoke(const gy_surface *s, const gy_volume *smoke, const gy_three *at)
{
    const gyre_grid *grid = smoke->input->grid;
    float corner[3] = {s->relief.corner[0], s->relief.corner[1], 0.0f};
    v8 near = v8_all(0.0f), far = v8_all(GY_NEVER), cell[3], part[3], light[2][2], one = v8_all(1);
    int32_t step = smoke->clear_step, sy = (int32_t)smoke->opaque.sy * step;
    int32_t sz = (int32_t)smoke->opaque.sz * step;
    w8 place = w8_all(0);

    if (smoke->clear == NULL)
        return one;
    for (int a = 0; a < 3; a++) {
        float l = fabsf(s->light[a]) > 1e-7f ? s->light[a] : 1e-7f;
        float shift = (corner[a] - grid->origin[a]) / grid->h + 0.5f;

        cell[a] = at->c[a] * v8_all(s->relief.unit / grid->h) + v8_all(shift);
        v8 in = -cell[a] * v8_all(1.0f / l);
        v8 out = (v8_all(smoke->limit[a]) - cell[a]) * v8_all(1.0f / l);

        near = v8_max(near, v8_min(in, out));
        far = v8_min(far, v8_max(in, out));
    }
    w8 meets = v8_less(near, far);

    if (!w8_any(meets))
        return one;
    for (int a = 0; a < 3; a++) {
        v8 held =
            v8_clamp(cell[a] + near * v8_all(s->light[a]), v8_all(0.0f), v8_all(smoke->limit[a]));
        v8 base = v8_floor(held);

        part[a] = held - base;
        place += v8_int(base) * w8_all(a == 0 ? step : a == 1 ? sy : sz);
    }
    for (int i = 0; i < 4; i++) {
        const float *p = smoke->clear + (i & 1) * sy + (i >> 1) * sz;

        light[i >> 1][i & 1] = v8_mix(v8_gather(p, place), v8_gather(p + step, place), part[0]);
    }
    for (int i = 0; i < 2; i++)
        light[i][0] = v8_mix(light[i][0], light[i][1], part[1]);
    return v8_select(meets, v8_mix(light[0][0], light[1][0], part[2]), one);
}

#endif
