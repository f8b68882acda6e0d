// render/relief_ray.c: rays against heights. Blocks that lie wholly below a ray are stepped over at
// once; a patch is met where a quadratic has its first root. A ray that is found below a patch
// where it enters it has crossed in the rounding between two patches and meets it there: no ray
// falls through.
#include "render/surface.h"

static const float nudge = 1e-3f; // into the next cell

static float inside(float x, int n)
{
    return x > 0.0f ? (x < (float)n ? x : (float)n) : 0.0f;
}

float gy_relief_at(const gy_relief *relief, int layer, float x, float y)
{
    x = inside(x, relief->n[0]);
    y = inside(y, relief->n[1]);
    int i = x < (float)relief->n[0] ? (int)x : relief->n[0] - 1;
    int j = y < (float)relief->n[1] ? (int)y : relief->n[1] - 1;
    const float *p = relief->height[layer] + i + j * relief->row, *q = p + relief->row;

    x -= (float)i;
    y -= (float)j;
    return mixf(mixf(p[0], p[1], x), mixf(q[0], q[1], x), y);
}

// A ray straight down through a surface with the slope s is turned by s / 4 (refractive index 4/3):
// what falls on a point d below it came from places that d / 4 times the curvature drew together.
float gy_relief_focus(const gy_relief *relief, float x, float y, float depth)
{
    float w = 2.0f * (float)relief->fine, a = 0.25f * depth / (w * w);
    float middle = 2.0f * gy_relief_at(relief, GY_WATER, x, y);
    float xx = gy_relief_at(relief, GY_WATER, x - w, y) + gy_relief_at(relief, GY_WATER, x + w, y);
    float yy = gy_relief_at(relief, GY_WATER, x, y - w) + gy_relief_at(relief, GY_WATER, x, y + w);
    float xy = 0.25f * (gy_relief_at(relief, GY_WATER, x + w, y + w) -
                        gy_relief_at(relief, GY_WATER, x + w, y - w) -
                        gy_relief_at(relief, GY_WATER, x - w, y + w) +
                        gy_relief_at(relief, GY_WATER, x - w, y - w));

    xx = a * (xx - middle);
    yy = a * (yy - middle);
    xy *= a;
    float area = fabsf((1.0f + xx) * (1.0f + yy) - xy * xy);

    return 1.0f / fmaxf(area, 0.3f);
}

// Where, within [0, length] from `at`, the ray falls below a patch.
static float cross(const gy_relief *relief, int layer, int i, int j, vec at, vec along,
                   float length)
{
    const float *p = relief->height[layer] + i + j * relief->row, *q = p + relief->row;
    float b = p[1] - p[0], c = q[0] - p[0], d = q[1] - q[0] - b;
    float u = at[0] - (float)i, v = at[1] - (float)j;
    float g0 = (at[2] - (p[0] + b * u + c * v + d * u * v));
    float g1 = (along[2] - b * along[0] - c * along[1] - d * (u * along[1] + v * along[0]));
    float g2 = -d * along[0] * along[1], inner = g1 * g1 - 4.0f * g2 * g0;

    if (g0 <= 0.0f)
        return 0.0f;
    if (inner >= 0.0f) {
        float root = sqrtf(inner), half = -0.5f * (g1 + (g1 < 0.0f ? -root : root));
        float first = half != 0.0f ? g0 / half : -1.0f, second = g2 != 0.0f ? half / g2 : -1.0f;

        first = first < 0.0f || (second >= 0.0f && second < first) ? second : first;
        if (first >= 0.0f && first <= length)
            return first;
    }
    return g0 + length * (g1 + length * g2) <= 0.0f ? length : GY_NEVER;
}

// Where a ray leaves the block of `size` cells that `at` lies in; the block's place goes to `of`.
static float leave(const gy_relief *relief, const gy_ray *ray, const vec *at, int level, int of[2])
{
    float size = (float)(1 << (3 * level)), out = GY_NEVER;

    for (int a = 0; a < 2; a++) {
        int last = relief->blocks[level][a] - 1, block = (int)floorf((*at)[a] / size);

        of[a] = block < 0 ? 0 : block < last ? block : last;
        if (fabsf(ray->along[a]) > 1e-9f) {
            float wall = size * (float)(of[a] + (ray->along[a] > 0.0f ? 1 : 0));

            out = fminf(out, (wall - ray->from[a]) / ray->along[a]);
        }
    }
    return out;
}

static bool above_block(const gy_relief *relief, int layer, int level, const int of[2], float z)
{
    int at = of[0] + of[1] * relief->blocks[level][0];
    bool water = layer == GY_BED || z > relief->most[GY_WATER][level][at];

    return water && (layer == GY_WATER || z > relief->most[GY_BED][level][at]);
}

float gy_relief_hit(const gy_relief *relief, int layer, const gy_ray *ray, float near, float far,
                    int *met)
{
    int level = GY_LEVELS - 1;

    for (float t = near; t < far;) {
        vec at = gy_along(ray, t);
        int of[2];
        float out = leave(relief, ray, &at, level, of), end = fminf(fmaxf(out, t), far);

        if (level > 0) {
            float z = fminf(at[2], ray->from[2] + ray->along[2] * end);

            if (above_block(relief, layer, level, of, z)) {
                t = end + nudge;
                level += level + 1 < GY_LEVELS ? 1 : 0;
            } else {
                level--;
            }
            continue;
        }
        float first = GY_NEVER;

        for (int l = 0; l < GY_LAYERS; l++) {
            if (layer != GY_LAYERS && layer != l)
                continue;
            float s = cross(relief, l, of[0], of[1], at, ray->along, end - t);

            if (s < first) {
                first = s;
                *met = l;
            }
        }
        if (first < GY_NEVER)
            return t + first;
        t = end + nudge;
        level = 1;
    }
    return GY_NEVER;
}

bool gy_relief_clip(const gy_relief *relief, const gy_ray *ray, float top, float *near, float *far,
                    int *side)
{
    float low[3] = {0.0f, 0.0f, relief->base};
    float high[3] = {(float)relief->n[0], (float)relief->n[1], top};

    *side = -1;
    for (int a = 0; a < 3; a++) {
        if (fabsf(ray->along[a]) < 1e-9f) {
            if (ray->from[a] < low[a] || ray->from[a] > high[a])
                return false;
            continue;
        }
        float in = (low[a] - ray->from[a]) / ray->along[a];
        float out = (high[a] - ray->from[a]) / ray->along[a];

        if (in > out) {
            float t = in;

            in = out;
            out = t;
        }
        if (in > *near) {
            *near = in;
            *side = a;
        }
        *far = fminf(*far, out);
    }
    return *near < *far;
}
