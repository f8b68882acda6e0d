// render/surface.c: what light a ray brings that meets water, its bed, bodies and the sky.
//
// Water mirrors the sky, the shore and bodies by Fresnel's formula (Schlick's fit, index 4/3) and
// bends what passes. Under water light is absorbed along the ray and on its way down (Beer and
// Lambert), the more of it the deep water's colour stands in for, and waves gather it (see
// gy_relief_focus). Where the water is very shallow both fade out, so that it ends in wet sand.
#include "render/surface.h"

static const float mirror = 0.02f; // of water at right angles
static const float lift = 0.02f;   // start of rays over what they leave, in cells of the grid

static vec absorbed(const gy_surface *s, float length)
{
    vec out = vec_all(0.0f);

    for (int c = 0; c < 3; c++)
        out[c] = expf(-s->absorb[c] * length);
    return out;
}

vec gy_lit(const gy_surface *s, vec albedo, vec normal, float open)
{
    float lambert = fmaxf(vec_dot(normal, s->light), 0.0f) * open;

    return albedo * (s->sun * vec_all(lambert) + s->ambient * vec_all(1.5f + 0.5f * normal[2]));
}

// Whether the sun reaches a point: 1, or 0 where ground or bodies stand between.
static float sunlit(const gy_surface *s, vec at, vec normal)
{
    float near = 0.0f, far = GY_NEVER;
    int side, met;
    gy_hull_hit hit;

    if (!s->input->settings.shadow || s->light[2] <= 0.0f)
        return 1.0f;
    gy_ray ray = {at + (normal + s->light) * vec_all(lift * (float)s->relief.fine), s->light};

    gy_hulls_hit(&s->bodies, &ray, GY_NEVER, &hit);
    if (hit.t < GY_NEVER)
        return 0.0f;
    if (!gy_relief_clip(&s->relief, &ray, s->relief.high + 0.1f, &near, &far, &side))
        return 1.0f;
    return gy_relief_hit(&s->relief, GY_BED, &ray, near, far, &met) < GY_NEVER ? 0.0f : 1.0f;
}

// The sun's light at a point `depth` under water, and in *below what is left of the sky's.
static vec sun_below(const gy_surface *s, vec at, vec normal, float depth, vec *below)
{
    float length = depth / s->below[2], open;
    vec top = at + s->below * vec_all(length), left = absorbed(s, length);
    gy_hull_hit hit;

    *below = absorbed(s, 1.2f * depth);
    if (s->light[2] <= 0.0f)
        return vec_all(0.0f);
    gy_ray ray = {at + (normal + s->below) * vec_all(lift * (float)s->relief.fine), s->below};

    gy_hulls_hit(&s->bodies, &ray, s->input->settings.shadow ? length : 0.0f, &hit);
    open = hit.t < GY_NEVER ? 0.0f : sunlit(s, top, (vec){0.0f, 0.0f, 1.0f, 0.0f});
    if (open > 0.0f) {
        float focus = gy_relief_focus(&s->relief, top[0], top[1], depth);

        open *= mixf(1.0f, focus, smooth(0.0f, 0.5f * (float)s->relief.fine, depth));
    }
    return s->sun * left * vec_all(open);
}

static vec ground_colour(const gy_surface *s, vec at, vec normal)
{
    float scale = 30.0f / s->longest;
    float grain = gy_noise(at[0] * scale, at[1] * scale);
    float coarse = gy_noise(at[0] * scale * 0.23f + 5.0f, at[1] * scale * 0.23f + 9.0f);
    float level = smooth(0.72f, 0.9f, normal[2] + 0.12f * (coarse - 0.5f));
    static const vec rock = {0.27f, 0.245f, 0.22f, 0.0f};
    vec colour = vec_mix(rock, vec_make(s->input->settings.bed_colour), level);
    float wet = gy_relief_at(&s->relief, GY_WATER, at[0], at[1]) - at[2];

    wet = smooth(-1.5f * s->shore, 0.0f, wet);
    return colour * vec_all((0.7f + 0.35f * grain + 0.25f * coarse) * mixf(1.0f, 0.62f, wet));
}

static vec shade_ground(const gy_surface *s, vec at)
{
    vec normal = gy_relief_normal(&s->relief, GY_BED, at[0], at[1]);
    vec colour = ground_colour(s, at, normal);
    float depth = gy_relief_at(&s->relief, GY_WATER, at[0], at[1]) - at[2];

    if (depth <= 0.0f)
        return gy_lit(s, colour, normal, sunlit(s, at, normal));
    vec sky, sun = sun_below(s, at, normal, depth, &sky);
    float lambert = fmaxf(vec_dot(normal, s->below), 0.0f);

    return colour * (sun * vec_all(lambert) + s->ambient * sky * vec_all(1.5f + 0.5f * normal[2]));
}

vec gy_body_colour(const gy_surface *s, int body)
{
    static const vec others[5] = {{0.75f, 0.70f, 0.60f, 0.0f},
                                  {0.55f, 0.07f, 0.05f, 0.0f},
                                  {0.80f, 0.55f, 0.08f, 0.0f},
                                  {0.09f, 0.22f, 0.30f, 0.0f},
                                  {0.16f, 0.28f, 0.10f, 0.0f}};

    return body % 6 == 0 ? vec_make(s->input->settings.solid_colour) : others[body % 6 - 1];
}

vec gy_shade_body(const gy_surface *s, const gy_ray *ray, const gy_hull_hit *hit)
{
    vec at = gy_along(ray, hit->t), albedo = gy_body_colour(s, hit->body);
    bool within = at[0] >= 0.0f && at[1] >= 0.0f && at[0] <= (float)s->relief.n[0] &&
                  at[1] <= (float)s->relief.n[1];
    float depth = within ? gy_relief_at(&s->relief, GY_WATER, at[0], at[1]) - at[2] : 0.0f;

    if (depth > 0.0f) {
        vec sky, sun = sun_below(s, at, hit->normal, depth, &sky);
        float lambert = fmaxf(vec_dot(hit->normal, s->below), 0.0f);

        return albedo *
               (sun * vec_all(lambert) + s->ambient * sky * vec_all(1.5f + 0.5f * hit->normal[2]));
    }
    float open = sunlit(s, at, hit->normal);
    vec half = vec_unit(s->light - ray->along);
    float shine = powf(fmaxf(vec_dot(hit->normal, half), 0.0f), 48.0f) * 0.22f * open;

    return gy_lit(s, albedo, hit->normal, open) + s->sun * vec_all(shine);
}

static vec shade_cut(const gy_surface *s, vec at, vec normal)
{
    static const vec earth = {0.30f, 0.215f, 0.145f, 0.0f};
    float scale = 24.0f / s->longest, run = at[0] + at[1];
    float wave = gy_noise(run * scale * 0.25f, 3.0f);
    float band = gy_value_noise(at[2] * scale * 2.2f + 3.0f * wave, 0.5f);
    float grain = gy_noise(run * scale * 3.0f, at[2] * scale * 3.0f);

    return gy_lit(s, earth * vec_all(0.55f + 0.5f * band + 0.35f * grain), normal, 1.0f);
}

vec gy_shade_far(const gy_surface *s, const gy_ray *ray, int *met)
{
    const gyre_view_settings *settings = &s->input->settings;
    vec behind = gy_sky(s, ray->along);

    *met = GY_MET_SKY;
    if (!settings->floor || ray->along[2] >= -1e-4f || ray->from[2] <= s->relief.base)
        return behind;
    vec at = gy_along(ray, (s->relief.base - ray->from[2]) / ray->along[2]);
    float away = 0.0f, near = 0.0f, far = GY_NEVER, open = 1.0f;
    gy_ray up = {at, s->light};
    gy_hull_hit hit;
    int side;

    *met = GY_MET_FLOOR;
    for (int a = 0; a < 2; a++) {
        float over = fmaxf(-at[a], at[a] - (float)s->relief.n[a]);

        away += over > 0.0f ? over * over : 0.0f;
    }
    if (settings->shadow && s->light[2] > 0.0f) {
        gy_hulls_hit(&s->bodies, &up, GY_NEVER, &hit);
        if (hit.t < GY_NEVER)
            open = 0.0f;
        else if (gy_relief_clip(&s->relief, &up, s->relief.high, &near, &far, &side)) {
            vec in = gy_along(&up, near);

            open = in[2] < gy_relief_at(&s->relief, GY_BED, in[0], in[1]) ||
                           gy_relief_hit(&s->relief, GY_BED, &up, near, far, &side) < GY_NEVER
                       ? 0.0f
                       : 1.0f;
        }
    }
    vec lit = gy_lit(s, vec_make(settings->floor_colour), (vec){0.0f, 0.0f, 1.0f, 0.0f}, open);

    return vec_mix(lit, behind, smooth(0.1f * s->longest, 2.2f * s->longest, sqrtf(away)));
}

static vec shade_under(const gy_surface *s, const gy_ray *ray, int again);

// Light through a flat piece of the water's skin from inside; `normal` outwards.
static vec shade_out(const gy_surface *s, const gy_ray *ray, vec at, vec normal, int again)
{
    float cosine = fmaxf(vec_dot(normal, ray->along), 0.0f);
    float square = 1.0f - 1.7777778f * (1.0f - cosine * cosine);
    gy_ray back = {at, ray->along - normal * vec_all(2.0f * cosine)};

    if (square <= 0.0f)
        return again > 0 ? shade_under(s, &back, again - 1) : s->deep;
    float outer = sqrtf(square), grazing = 1.0f - outer, fourth = grazing * grazing;
    vec out =
        (ray->along - normal * vec_all(cosine)) * vec_all(1.3333333f) + normal * vec_all(outer);
    vec colour = gy_sky(s, vec_unit(out));

    fourth *= fourth;
    float fresnel = mirror + (1.0f - mirror) * fourth * grazing;

    return again > 0 && fresnel > 0.03f ? vec_mix(colour, shade_under(s, &back, again - 1), fresnel)
                                        : colour;
}

// The same through the side of the domain that the ray reaches at `end`.
static vec shade_wall(const gy_surface *s, const gy_ray *ray, float end, int again)
{
    vec at = gy_along(ray, end), normal = vec_all(0.0f);
    float least = GY_NEVER;
    int side = 0;

    for (int a = 0; a < 2; a++) {
        float to = ray->along[a] > 0.0f ? (float)s->relief.n[a] - at[a] : at[a];

        if (fabsf(to) < least && ray->along[a] != 0.0f) {
            least = fabsf(to);
            side = a;
        }
    }
    normal[side] = ray->along[side] > 0.0f ? 1.0f : -1.0f;
    return shade_out(s, ray, at - normal * vec_all(1e-3f), normal, again);
}

// Light out of the water along a ray in it. `again`: how often it may be mirrored.
static vec shade_under(const gy_surface *s, const gy_ray *ray, int again)
{
    float near = 0.0f, far = GY_NEVER, end, rise = GY_NEVER;
    gy_hull_hit hit;
    vec colour;
    int met;

    gy_relief_clip(&s->relief, ray, s->relief.high + 0.1f, &near, &far, &met);
    end = gy_relief_hit(&s->relief, GY_BED, ray, 0.0f, far, &met);
    gy_hulls_hit(&s->bodies, ray, fminf(end, far), &hit);
    end = fminf(end, hit.t);
    if (ray->along[2] > -0.2f)
        rise = gy_relief_rise(&s->relief, ray, 0.05f * (float)s->relief.fine, fminf(end, far));
    end = fminf(end, rise);
    if (rise < GY_NEVER && rise == end) {
        vec at = gy_along(ray, end);
        vec normal = gy_relief_normal(&s->relief, GY_WATER, at[0], at[1]);

        colour = shade_out(s, ray, at, normal, again);
    } else if (hit.t < GY_NEVER && hit.t == end) {
        colour = gy_shade_body(s, ray, &hit);
    } else if (end < GY_NEVER) {
        colour = shade_ground(s, gy_along(ray, end));
    } else {
        end = fmaxf(far, 0.0f);
        colour = shade_wall(s, ray, end, again);
    }
    vec left = absorbed(s, end);

    return colour * left + s->deep * (vec_all(1.0f) - left);
}

// What the water's surface mirrors.
static vec shade_mirrored(const gy_surface *s, const gy_ray *ray)
{
    float near = 0.0f, far = GY_NEVER;
    gy_hull_hit hit;
    int met;

    gy_hulls_hit(&s->bodies, ray, GY_NEVER, &hit);
    if (gy_relief_clip(&s->relief, ray, s->relief.high + 0.1f, &near, &far, &met)) {
        float t = gy_relief_hit(&s->relief, GY_BED, ray, near, fminf(far, hit.t), &met);

        if (t < GY_NEVER)
            return shade_ground(s, gy_along(ray, t));
    }
    return hit.t < GY_NEVER ? gy_shade_body(s, ray, &hit) : gy_sky(s, ray->along);
}

static vec shade_water(const gy_surface *s, const gy_ray *ray, vec at, vec normal, float seen,
                       float glass)
{
    float cosine = -vec_dot(ray->along, normal);

    if (cosine < 0.02f) { // a wave's far side that the smoothed normal turns away
        normal = vec_unit(normal + ray->along * vec_all(cosine - 0.02f));
        cosine = 0.02f;
    }
    float grazing = 1.0f - cosine, square = grazing * grazing;
    float fresnel = (mirror + (1.0f - mirror) * square * square * grazing) * seen * glass;
    float inner = sqrtf(1.0f - 0.5625f * (1.0f - cosine * cosine));
    vec bent = ray->along * vec_all(0.75f) + normal * vec_all(0.75f * cosine - inner);
    vec back = ray->along + normal * vec_all(2.0f * cosine);
    gy_ray in = {at, vec_unit(vec_mix(ray->along, bent, seen))};

    if (normal[2] > 0.1f && back[2] < 0.03f)
        back[2] = 0.03f;
    gy_ray out = {at + normal * vec_all(lift * (float)s->relief.fine), vec_unit(back)};
    vec mirrored = fresnel > 1e-3f ? shade_mirrored(s, &out) : vec_all(0.0f);

    return vec_mix(shade_under(s, &in, 3), mirrored, fresnel);
}

vec gy_shade_surface(const gy_surface *s, gy_ray ray, int *met)
{
    const gy_relief *relief = &s->relief;
    float near = 0.0f, far = GY_NEVER, top = relief->high + 0.1f;
    gy_hull_hit hit;
    int side, layer = GY_BED;

    gy_hulls_hit(&s->bodies, &ray, GY_NEVER, &hit);
    bool over = gy_relief_clip(relief, &ray, top, &near, &far, &side);

    if (over && near < hit.t) {
        // Distances from where the domain begins: small ones are exact.
        ray.from = gy_along(&ray, near);
        far -= near;
        hit.t -= hit.t < GY_NEVER ? near : 0.0f;
        vec at = ray.from, normal = vec_all(0.0f);
        float bed = gy_relief_at(relief, GY_BED, at[0], at[1]);
        float water = gy_relief_at(relief, GY_WATER, at[0], at[1]);

        if (side >= 0)
            normal[side] = ray.along[side] > 0.0f ? -1.0f : 1.0f;
        if (at[2] < bed || (side == 2 && ray.along[2] > 0.0f)) {
            *met = GY_MET_CUT;
            return shade_cut(s, at, side >= 0 ? normal : -ray.along);
        }
        if (at[2] < water) {
            *met = GY_MET_SIDE;
            return side >= 0 ? shade_water(s, &ray, at, normal, 1.0f, 0.4f)
                             : shade_under(s, &ray, 3);
        }
        float t = gy_relief_hit(relief, GY_LAYERS, &ray, 0.0f, fminf(far, hit.t), &layer);

        if (t < GY_NEVER) {
            at = gy_along(&ray, t);
            if (layer == GY_BED) {
                *met = GY_MET_GROUND;
                return shade_ground(s, at);
            }
            *met = GY_MET_WATER;
            float depth = at[2] - gy_relief_at(relief, GY_BED, at[0], at[1]);

            normal = gy_relief_normal(relief, GY_WATER, at[0], at[1]);
            return shade_water(s, &ray, at, normal, smooth(0.0f, s->shore, depth), 1.0f);
        }
    }
    if (hit.t < GY_NEVER) {
        *met = GY_MET_BODY + hit.body;
        return gy_shade_body(s, &ray, &hit);
    }
    return gy_shade_far(s, &ray, met);
}
