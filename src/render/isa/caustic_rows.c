// render/isa/caustic_rows.c: the sun's light that water bends on to its bed and on to bodies.
//
// Each cell of the relief lets in the light F = max(l . (-s_x, -s_y, 1), 0) T, with l towards the
// sun, s the water's slope and T what Fresnel's formula (Schlick's fit, index 4/3) lets pass. Its
// corners' rays are bent by Snell's law and followed to the bed, and the cell's light is laid on
// the four-sided piece between them: at k x k places spread evenly over it, at each by a quadratic
// B-spline (weights 1/2 (1/2 - f)^2, 3/4 - f^2, 1/2 (1/2 + f)^2 along an axis), whose sum is 1. So
// no light is lost or made, and even light stays even. k is at least 2 and grows with the piece:
// places are half a cell apart or less. For bodies the same is done on planes above the bed, where
// a ray lies on the line between its two ends. Beyond the domain's sides the water goes on level
// across the side. Cost: a ray a corner, and 36 sums a cell and plane.
#include "render/surface.h"

#include "render/isa/relief_wide.h"
#include "render/isa/rows.h"

static const float mirror = 0.02f; // of water at right angles

enum { PARTS_MOST = 8 };

typedef float vec_loose __attribute__((vector_size(16), aligned(4), may_alias));

// How far along the rays the bed is.
static v8 fall(const gy_relief *r, const gy_three *from, const gy_three *along, v8 bed)
{
    v8 steep = v8_max(-along->c[2], v8_all(0.05f)), zero = v8_all(0.0f), never = v8_all(GY_NEVER);
    v8 depth = v8_max(from->c[2] - bed, zero), near = zero, far = never;
    w8 wet = v8_less(zero, depth), side;

    if (r->level || !w8_any(wet))
        return depth / steep;
    w8 over = wet & clip_wide(r, from, along, r->high + 0.1f, &near, &far, &side);
    gy_three at = three_along(*from, *along, v8_select(over, near, zero));

    // What enters the domain below the ground has met it outside.
    over &= v8_less(bed_at(r, at.c[0], at.c[1]), at.c[2]) | ~v8_less(zero, near);
    v8 t = hit_wide(r, 1, from, along, near, far, over);
    w8 met = over & v8_less(t, never), left = over & ~met;

    at = three_along(*from, *along, v8_select(left, far, zero));
    v8 on = v8_max(at.c[2] - bed_at(r, at.c[0], at.c[1]), zero) / steep;

    return v8_select(met, t, v8_select(left, far + on, depth / steep));
}

void GY_DRAWN(gy_caustic_beams)(void *argument, int j)
{
    gy_caustics *c = argument;
    const gy_relief *r = c->relief;
    gy_three sun = gy_colours_all(r->light);
    v8 one = v8_all(1.0f), zero = v8_all(0.0f), low = v8_all(GY_NEVER), high = -low;
    v8 y = v8_all((float)(j - c->before[1])), hy = v8_clamp(y, zero, v8_all((float)r->n[1]));

    for (int i = 0; i < c->row; i += GY_WIDE) {
        v8 x = v8_float(w8_count() + w8_all(i - c->before[0])), t[8];
        v8 hx = v8_clamp(x, zero, v8_all((float)r->n[0]));

        texels_at(r, r->water_texel, hx, hy, t);
        v8 z = height_at(r, r->height[GY_WATER], hx, hy), bed = bed_at(r, hx, hy);
        w8 level = v8_less(z, bed); // dry ground, lit as if water lay level on it
        v8 slope_x = v8_select(level | ~(x == hx), zero, t[GY_TEXEL_SLOPE_X]);
        v8 slope_y = v8_select(level | ~(y == hy), zero, t[GY_TEXEL_SLOPE_Y]);
        gy_three normal = {{-slope_x, -slope_y, one}}, from = {{x, y, v8_max(z, bed)}};
        v8 passes = v8_max(three_dot(sun, normal), zero);

        normal = three_unit(normal);
        v8 cosine = v8_max(three_dot(sun, normal), zero), less = one - cosine;
        v8 fresnel = v8_all(mirror) + v8_all(1.0f - mirror) * (less * less) * (less * less) * less;
        v8 inner = v8_sqrt(one - v8_all(0.5625f) * (one - cosine * cosine));
        gy_three along =
            three_along(three_scale(sun, v8_all(-0.75f)), normal, v8_all(0.75f) * cosine - inner);
        gy_three end = three_along(from, along, fall(r, &from, &along, bed));
        ptrdiff_t at = i + j * c->row;

        for (int a = 0; a < 3; a++)
            v8_store(c->end[a] + at, end.c[a]);
        v8_store(c->top + at, from.c[2]);
        v8_store(c->flux + at, passes * (one - fresnel));
        low = v8_min(low, v8_min(end.c[1], y));
        high = v8_max(high, v8_max(end.c[1], y));
    }
    for (int k = 1; k < GY_WIDE; k++) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[k] > high[0] ? high[k] : high[0];
    }
    c->span[2 * j] = low[0];
    c->span[2 * j + 1] = high[0];
}

/// Where the rays of eight corners pass a plane, or meet the bed.
typedef struct spots {
    v8 x, y;
} spots;

GY_VEC_INLINE spots spots_at(const gy_caustics *c, int i, int j)
{
    ptrdiff_t at = i + j * c->row;
    v8 x = v8_load(c->end[0] + at), y = v8_load(c->end[1] + at);

    if (c->plane == 0)
        return (spots){x, y};
    v8 top = v8_load(c->top + at), z = v8_load(c->end[2] + at);
    v8 own_x = v8_float(w8_count() + w8_all(i - c->before[0]));
    v8 own_y = v8_all((float)(j - c->before[1])),
       height = v8_all(c->low + c->step * (float)c->plane);
    v8 part = v8_clamp01((top - height) / v8_max(top - z, v8_all(1e-6f)));

    return (spots){v8_mix(own_x, x, part), v8_mix(own_y, y, part)};
}

// Lays light on the cells [low, high) x all of a map.
GY_VEC_INLINE void lay(const gy_caustics *c, float *map, int low, int high, v8 x, v8 y, v8 light)
{
    v8 fx = v8_floor(x), fy = v8_floor(y), half = v8_all(0.5f), wx[3], wy[3];
    w8 i = v8_int(fx) - w8_all(1), j = v8_int(fy) - w8_all(1);
    int wide = c->relief->n[0];

    x -= fx + half;
    y -= fy + half;
    wx[0] = half * (half - x) * (half - x);
    wx[1] = v8_all(0.75f) - x * x;
    wx[2] = half * (half + x) * (half + x);
    wy[0] = half * (half - y) * (half - y) * light;
    wy[1] = (v8_all(0.75f) - y * y) * light;
    wy[2] = half * (half + y) * (half + y) * light;
    float across[3][GY_WIDE], up[3][GY_WIDE];
    int32_t column[GY_WIDE], row[GY_WIDE];

    memcpy(column, &i, sizeof column);
    memcpy(row, &j, sizeof row);
    for (int b = 0; b < 3; b++) {
        v8_store(across[b], wx[b]);
        v8_store(up[b], wy[b]);
    }
    for (int k = 0; k < GY_WIDE; k++) {
        // Two cells round the map take what lies beyond its edges.
        if (column[k] < -2 || column[k] > wide - 1 || row[k] + 2 < low || row[k] >= high)
            continue;
        vec weight = {across[0][k], across[1][k], across[2][k], 0.0f};

        for (int b = 0; b < 3; b++) {
            if (row[k] + b < low || row[k] + b >= high)
                continue;
            vec_loose *to = (vec_loose *)(map + (row[k] + b) * c->map_row + column[k]);

            *to = *to + weight * vec_all(up[b][k]);
        }
    }
}

// The longest side of what eight cells' light falls on.
GY_VEC_INLINE float longest_side(const spots s[4], w8 active)
{
    static const int ends[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    v8 most = v8_all(0.0f);

    for (int e = 0; e < 4; e++) {
        v8 dx = s[ends[e][1]].x - s[ends[e][0]].x, dy = s[ends[e][1]].y - s[ends[e][0]].y;

        most = v8_max(most, dx * dx + dy * dy);
    }
    most = v8_select(active, most, v8_all(0.0f));
    for (int k = 1; k < GY_WIDE; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    return sqrtf(most[0]);
}

// The light of eight cells.
static void lay_cells(const gy_caustics *c, float *map, int low, int high, int i, int j)
{
    spots s[4] = {spots_at(c, i, j), spots_at(c, i + 1, j), spots_at(c, i, j + 1),
                  spots_at(c, i + 1, j + 1)};
    w8 active = w8_count() < w8_all(c->n[0] - i);
    v8 least = v8_min(v8_min(s[0].y, s[1].y), v8_min(s[2].y, s[3].y));
    v8 most = v8_max(v8_max(s[0].y, s[1].y), v8_max(s[2].y, s[3].y));

    active &= v8_less(least, v8_all((float)(high + 2))) & v8_less(v8_all((float)(low - 2)), most);
    if (c->plane > 0 && w8_any(active)) {
        // Of planes what lies about bodies is looked at.
        v8 left = v8_min(v8_min(s[0].x, s[1].x), v8_min(s[2].x, s[3].x));
        v8 right = v8_max(v8_max(s[0].x, s[1].x), v8_max(s[2].x, s[3].x));

        active &= v8_less(left, v8_all(c->about[1][0])) & v8_less(v8_all(c->about[0][0]), right) &
                  v8_less(least, v8_all(c->about[1][1])) & v8_less(v8_all(c->about[0][1]), most);
    }
    if (!w8_any(active))
        return;
    float side = longest_side(s, active) * 2.0f;
    int parts = side < 2.001f ? 2 : side < (float)PARTS_MOST ? (int)side + 1 : PARTS_MOST;
    ptrdiff_t at = i + j * c->row;
    v8 flux = v8_load(c->flux + at) + v8_load(c->flux + at + 1) + v8_load(c->flux + at + c->row) +
              v8_load(c->flux + at + c->row + 1);
    float per = 1.0f / (float)parts;

    flux = v8_select(active, flux * v8_all(0.25f * per * per), v8_all(0.0f));
    for (int b = 0; b < parts; b++) {
        v8 v = v8_all(((float)b + 0.5f) * per);
        spots left = {v8_mix(s[0].x, s[2].x, v), v8_mix(s[0].y, s[2].y, v)};
        spots right = {v8_mix(s[1].x, s[3].x, v), v8_mix(s[1].y, s[3].y, v)};

        for (int a = 0; a < parts; a++) {
            v8 u = v8_all(((float)a + 0.5f) * per);

            lay(c, map, low, high, v8_mix(left.x, right.x, u), v8_mix(left.y, right.y, u), flux);
        }
    }
}

// Rows of cells of a plane: all light that comes there, in the order of the cells that it came
// through.
void GY_DRAWN(gy_caustic_rows)(void *argument, int task)
{
    const gy_caustics *c = argument;
    int low = task * GY_CAUSTIC_ROWS, high = low + GY_CAUSTIC_ROWS;
    float *map = c->map[c->plane];

    high = high < c->relief->n[1] ? high : c->relief->n[1];
    for (int j = low; j < high; j++)
        memset(map + j * c->map_row - 2, 0, (size_t)c->map_row * sizeof *map);
    for (int j = 0; j < c->n[1]; j++) {
        const float *span = c->span + 2 * j;
        float least = span[0] < span[2] ? span[0] : span[2];
        float most = span[1] > span[3] ? span[1] : span[3];

        if (least > (float)(high + 2) || most < (float)(low - 2))
            continue;
        if (c->plane > 0 && (least > c->about[1][1] || most < c->about[0][1]))
            continue;
        for (int i = 0; i < c->n[0]; i += GY_WIDE)
            lay_cells(c, map, low, high, i, j);
    }
}
