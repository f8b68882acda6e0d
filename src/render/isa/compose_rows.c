// render/isa/compose_rows.c: pixels of a picture of several models.
//
// What is solid comes first: the nearest of surfaces, bodies, solids and the floor. Volumes are
// blended over it (Porter and Duff 1984, their "over"; light and share of each by the march), the
// farthest first, each up to where the solid is. A pixel whose neighbours see something else behind
// the smoke takes four rays.
#include "render/compose.h"

#include "render/isa/lanes.h"
#include "render/isa/rows.h"

#include <string.h>

// The nearest of all surfaces.
static void see_surfaces(const gy_composed *c, gy_rays *rays)
{
    gy_rays other;

    for (int s = 0; s < c->surface_count; s++) {
        gy_rays *to = s == 0 ? rays : &other;
        gy_surface_look look = {&c->surfaces[s], to};
        v8 unit = v8_all(c->surfaces[s].relief.unit), never = v8_all(GY_NEVER);

        if (s > 0) {
            other.count = rays->count;
            memcpy(other.x, rays->x, sizeof other.x);
            memcpy(other.y, rays->y, sizeof other.y);
        }
        GY_DRAWN(gy_surface_rays)(&look, 0);
        for (int i = 0; i < GY_RAYS; i += GY_WIDE) {
            v8 far = v8_load(to->far + i);

            v8_store(to->far + i, v8_select(v8_less(far, never), far * unit, never));
        }
        for (int i = 0; i < rays->count && s > 0; i++) {
            if (!(other.far[i] < rays->far[i]))
                continue;
            for (int k = 0; k < 3; k++)
                rays->colour[k][i] = other.colour[k][i];
            rays->far[i] = other.far[i];
            // Bodies and water of one surface differ from those of another.
            rays->met[i] = other.met[i] + (float)(4096 * s);
        }
    }
}

static void show(const gy_composed *c, gy_rays *rays, float to[3][GY_RAYS + 8])
{
    for (int i = 0; i < rays->count; i += GY_WIDE) {
        gy_colours colour;

        for (int k = 0; k < 3; k++)
            colour.c[k] = v8_load(&rays->colour[k][i]) * v8_all(c->exposure);
        colour = gy_tone_wide(colour);
        for (int k = 0; k < 3; k++)
            v8_store(&to[k][i], colour.c[k]);
    }
}

// Display colours of all rays; `behind`: those without smoke, or NULL.
static void look_along(const gy_composed *c, gy_rays *rays, float behind[3][GY_RAYS + 8])
{
    see_surfaces(c, rays);
    for (int i = 0; i < rays->count; i += GY_WIDE) {
        if (c->ground != NULL)
            GY_DRAWN(gy_march_behind)(&(gy_march_look){c->ground, 0, rays}, i / GY_WIDE);
        for (int v = 0; v < c->view_count; v++) {
            gy_march_look look = {&c->views[v], v, rays};

            GY_DRAWN(gy_march_solids)(&look, i / GY_WIDE);
        }
    }
    if (behind != NULL)
        show(c, rays, behind);
    for (int i = 0; i < rays->count; i += GY_WIDE) {
        v8_store(rays->through + i, v8_all(1.0f));
        for (int v = 0; v < c->view_count; v++) {
            gy_march_look look = {&c->views[v], v, rays};

            GY_DRAWN(gy_march_smoke)(&look, i / GY_WIDE);
        }
    }
    show(c, rays, rays->colour);
}

void GY_DRAWN(gy_compose_tiles)(void *argument, int task)
{
    const gy_composed *c = argument;
    int height = c->image->height, width = c->image->width, top = task * GY_SURFACE_HIGH;
    float behind[3][GY_RAYS + 8];
    gy_rays rays;

    memset(&rays, 0, sizeof rays);
    for (int left = 0; left < width; left += GY_SURFACE_WIDE) {
        rays.count = GY_RAYS;
        for (int i = 0; i < GY_RAYS; i++) {
            int x = left + i % GY_SURFACE_WIDE, y = top + i / GY_SURFACE_WIDE;

            // Beyond the picture's edge the edge is drawn again.
            rays.x[i] = (float)(x < width ? x : width - 1) + 0.5f;
            rays.y[i] = (float)(y < height ? y : height - 1) + 0.5f;
        }
        for (int i = 0; i < GY_RAYS; i += GY_WIDE)
            v8_store(rays.noise + i,
                     gy_noise_wide(v8_count() + v8_all((float)(left + i % GY_SURFACE_WIDE)),
                                   (float)(top + i / GY_SURFACE_WIDE)));
        look_along(c, &rays, behind);
        for (int i = 0; i < GY_RAYS; i++) {
            int x = left + i % GY_SURFACE_WIDE, y = top + i / GY_SURFACE_WIDE;

            if (x >= width || y >= height)
                continue;
            size_t at = (size_t)y * (size_t)c->row + (size_t)x;

            for (int k = 0; k < 3; k++) {
                c->seen[k][at] = rays.colour[k][i];
                c->behind[k][at] = behind[k][i];
            }
            c->behind[3][at] = rays.met[i];
            c->behind[4][at] = rays.through[i];
        }
    }
}

// Whether pixels of a row differ from their neighbours in what is behind the smoke, where that is
// seen through it.
static w8 on_edge(const gy_composed *c, int x, int y)
{
    static const int to[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    ptrdiff_t at = (ptrdiff_t)y * c->row + x;
    w8 edge = w8_all(0), column = w8_count() + w8_all(x);

    for (int i = 0; i < 4; i++) {
        int b = y + to[i][1];
        ptrdiff_t beside = at + to[i][0] + (ptrdiff_t)to[i][1] * c->row;
        v8 sum = v8_all(0.0f);

        if (b < 0 || b >= c->image->height)
            continue;
        for (int k = 0; k < 3; k++)
            sum += v8_abs(v8_load(c->behind[k] + beside) - v8_load(c->behind[k] + at));
        v8 through = v8_max(v8_load(c->behind[4] + beside), v8_load(c->behind[4] + at));
        w8 other = v8_less(v8_all(3.0f * GY_SURFACE_CONTRAST), sum * through) |
                   (v8_less(v8_all(GY_SURFACE_CONTRAST), through) &
                    v8_less(v8_all(0.5f),
                            v8_abs(v8_load(c->behind[3] + beside) - v8_load(c->behind[3] + at))));
        w8 there = column + w8_all(to[i][0]);

        edge |= other & (there >= w8_all(0)) & (there < w8_all(c->image->width));
    }
    return edge & (column < w8_all(c->image->width));
}

// Four rays each through pixels of a row.
static void finish_edges(const gy_composed *c, gy_rays *rays, int y, const int *columns)
{
    uint8_t *rgb = c->image->rgb + 3 * (size_t)y * (size_t)c->image->width;

    if (rays->count == 0)
        return;
    look_along(c, rays, NULL);
    for (int i = 0; i < rays->count / 4; i++) {
        for (int k = 0; k < 3; k++) {
            const float *four = &rays->colour[k][4 * i];
            v8 value = v8_all(0.25f * (four[0] + four[1] + four[2] + four[3]));
            v8 noise =
                gy_noise_wide(v8_all((float)(columns[i] + 17 * k + 5)), (float)(y + 31 * k + 11));

            value = gy_srgb_wide(value) + noise;
            rgb[3 * columns[i] + k] =
                (uint8_t)v8_int(v8_clamp(value, v8_all(0.0f), v8_all(255.0f)))[0];
        }
    }
    rays->count = 0;
}

void GY_DRAWN(gy_compose_finish)(void *argument, int y)
{
    const gy_composed *c = argument;
    // A rotated square: four samples at four different heights and four different widths.
    static const float spread[4][2] = {
        {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
    int width = c->image->width, columns[GY_RAYS / 4];
    uint8_t *rgb = c->image->rgb + 3 * (size_t)y * (size_t)width;
    gy_rays rays;

    memset(&rays, 0, sizeof rays);
    for (int x = 0; x < width; x += GY_WIDE) {
        size_t at = (size_t)y * (size_t)c->row + (size_t)x;
        gy_colours colour;

        for (int k = 0; k < 3; k++)
            colour.c[k] = v8_load(c->seen[k] + at);
        gy_put_wide(rgb + 3 * (size_t)x, x, y, width - x, colour);
    }
    for (int x = 0; x < width; x += GY_WIDE) {
        w8 edge = on_edge(c, x, y);
        v8 noise = gy_noise_wide(v8_count() + v8_all((float)x), (float)y);

        for (int i = 0; i < GY_WIDE && w8_any(edge); i++) {
            if (!edge[i])
                continue;
            columns[rays.count / 4] = x + i;
            for (int k = 0; k < 4; k++, rays.count++) {
                rays.x[rays.count] = (float)(x + i) + spread[k][0];
                rays.y[rays.count] = (float)y + spread[k][1];
                rays.noise[rays.count] = noise[i];
            }
            if (rays.count == GY_RAYS)
                finish_edges(c, &rays, y, columns);
        }
    }
    finish_edges(c, &rays, y, columns);
}
