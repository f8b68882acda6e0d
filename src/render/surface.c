// render/surface.c: light on bodies and on the floor, ray by ray: of bars, and of what is seen past
// a smooth surface (isa/surface_rows.c has that itself).
#include "render/surface.h"

static const float lift = 0.02f; // start of rays over what they leave, in cells of the grid

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

float gy_surface_sunlit(const gy_surface *s, vec at, vec normal)
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
    open = hit.t < GY_NEVER ? 0.0f : gy_surface_sunlit(s, top, (vec){0.0f, 0.0f, 1.0f, 0.0f});
    if (open > 0.0f) {
        float focus = gy_relief_focus(&s->relief, top[0], top[1], depth);

        open *= mixf(1.0f, focus, smooth(0.0f, 0.5f * (float)s->relief.fine, depth));
    }
    return s->sun * left * vec_all(open);
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
    float open = gy_surface_sunlit(s, at, hit->normal);
    vec half = vec_unit(s->light - ray->along);
    float shine = powf(fmaxf(vec_dot(hit->normal, half), 0.0f), 48.0f) * 0.22f * open;

    return gy_lit(s, albedo, hit->normal, open) + s->sun * vec_all(shine);
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
