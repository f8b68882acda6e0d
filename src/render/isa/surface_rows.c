// render/isa/surface_rows.c: what light rays bring that meet water, its bed, bodies and the sky.
//
// colour = sum over what a ray splits into of weight * light: all of shading is linear, so that
// rays of one kind (those that meet ground, those mirrored, those bent into the water) are put into
// a list with their weights and worked off eight at a time, whatever pixels they come from. Water
// mirrors by Fresnel's formula (Schlick's fit, index 4/3) and bends what passes; under water light
// is absorbed along the ray and on its way down (Beer and Lambert), the more of it the deep water's
// colour stands in for, and waves gather it. What the ground looks like, which places the sun
// reaches and how waves gather light lies ready in texels: see isa/texel_rows.c.
#include "render/compose.h"

#include "render/isa/caustic_wide.h"
#include "render/isa/edge_wide.h"
#include "render/isa/hulls_wide.h"
#include "render/isa/light_wide.h"
#include "render/isa/overhang_wide.h"
#include "render/isa/ray_lists.h"
#include "render/isa/relief_wide.h"
#include "render/isa/ripple_wide.h"
#include "render/isa/rows.h"
#include "render/isa/sky_wide.h"
#include "render/isa/smoke_wide.h"

#include <stdlib.h>

// A film of water on ground that is wet through: the sky in it, the more of it the flatter it is
// seen.
static gy_three glossed(const gy_surface *s, const entries *e, const gy_three *normal, v8 wet,
                        gy_three colour)
{
    v8 one = v8_all(1.0f), cosine = v8_clamp01(-three_dot(e->along, *normal));
    gy_three back = three_along(e->along, *normal, v8_all(2.0f) * cosine);

    back.c[2] = v8_max(back.c[2], v8_all(0.02f));
    v8 share = v8_all(mirror) + v8_all(1.0f - mirror) * fifth(one - cosine);

    share *= v8_smooth(v8_all(0.4f), one, wet) * v8_all(0.8f);
    gy_three unit = three_unit(back);

    return three_mix(colour, sky(s, &unit), share);
}

static void work_ground(batch *b)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;
    static const vec rock = {0.27f, 0.245f, 0.22f, 0.0f};

    for (int i = 0; i < b->ground.count; i += GY_WIDE) {
        entries e = take_entries(&b->ground, i);
        v8 t[8], one = v8_all(1.0f);
        light_at light;

        texels_at(r, r->bed_texel, e.at.c[0], e.at.c[1], t);
        gy_three normal = three_unit((gy_three){{-t[GY_TEXEL_SLOPE_X], -t[GY_TEXEL_SLOPE_Y], one}});
        v8 depth = t[GY_TEXEL_WATER] - e.at.c[2];
        v8 wet = v8_smooth(v8_all(-1.5f * s->shore), v8_all(0.0f), depth);
        gy_three albedo =
            three_mix(gy_colours_all(rock), gy_colours_all(vec_make(s->input->settings.bed_colour)),
                      t[GY_TEXEL_LEVEL]);

        v8 tone = t[GY_TEXEL_TONE], left = t[GY_TEXEL_WET];

        wet = v8_max(wet, v8_smooth(v8_all(0.0f), v8_all(0.7f), left));

        if (s->input->settings.bed_tiles > 0.0f)
            tone = v8_mix(tone, tiles(s, e.at.c[0], e.at.c[1]), t[GY_TEXEL_LEVEL]);
        albedo = three_scale(albedo, tone * v8_mix(one, v8_all(0.62f), wet));
        light_on(s, &e.at, &normal, depth, e.active, true, &light);
        gy_three colour = lit(&light, &albedo, &normal);
        w8 shines = e.active & v8_less(v8_all(0.4f), left) & v8_less(depth, v8_all(0.0f));

        if (r->wet != NULL && w8_any(shines))
            colour = three_select(shines, glossed(s, &e, &normal, left, colour), colour);
        add(b, &b->ground, &e, three_times(e.weight, colour));
    }
    b->ground.count = 0;
}

static void work_bodies(batch *b)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;

    for (int i = 0; i < b->body.count; i += GY_WIDE) {
        entries e = take_entries(&b->body, i);
        gy_three albedo;
        light_at light;

        for (int k = 0; k < GY_WIDE; k++) {
            vec own = gy_body_colour(s, k + i < b->body.count ? b->body.kind[k + i] : 0);

            for (int c = 0; c < 3; c++)
                albedo.c[c][k] = own[c];
        }
        w8 outside = v8_less(e.at.c[0], v8_all(0.0f)) | v8_less(e.at.c[1], v8_all(0.0f)) |
                     v8_less(v8_all((float)r->n[0]), e.at.c[0]) |
                     v8_less(v8_all((float)r->n[1]), e.at.c[1]);
        v8 depth = height_at(r, r->height[GY_WATER], e.at.c[0], e.at.c[1]) - e.at.c[2];

        depth = v8_select(outside, v8_all(0.0f), depth);
        light_on(s, &e.at, &e.normal, depth, e.active, false, &light);
        gy_three half = three_unit(three_along(gy_colours_all(s->light), e.along, v8_all(-1.0f)));
        v8 shine = v8_max(three_dot(e.normal, half), v8_all(0.0f));

        shine *= shine;
        shine *= shine;
        shine *= shine;
        shine *= shine;                         // 16
        shine *= shine * shine * v8_all(0.22f); // 48
        shine = v8_select(v8_less(v8_all(0.0f), depth), v8_all(0.0f), shine);
        gy_three colour = three_add(lit(&light, &albedo, &e.normal), three_scale(light.sun, shine));

        add(b, &b->body, &e, three_times(e.weight, colour));
    }
    b->body.count = 0;
}

static void work_sky(batch *b)
{
    for (int i = 0; i < b->sky.count; i += GY_WIDE) {
        entries e = take_entries(&b->sky, i);

        add(b, &b->sky, &e, three_times(e.weight, sky(b->s, &e.along)));
    }
    b->sky.count = 0;
}

// The ground's cut sides.
static void work_cuts(batch *b)
{
    const gy_surface *s = b->s;
    static const vec earth = {0.30f, 0.215f, 0.145f, 0.0f};
    v8 scale = v8_all(24.0f / s->longest), three = v8_all(3.0f);

    for (int i = 0; i < b->cut.count; i += GY_WIDE) {
        entries e = take_entries(&b->cut, i);
        v8 run = (e.at.c[0] + e.at.c[1]) * scale, z = e.at.c[2] * scale;
        v8 wave = v8_noise(run * v8_all(0.25f), three);
        v8 band = v8_value_noise(z * v8_all(2.2f) + three * wave, v8_all(0.5f));
        v8 grain = v8_noise(run * three, z * three);
        gy_three albedo = three_scale(gy_colours_all(earth),
                                      v8_all(0.55f) + v8_all(0.5f) * band + v8_all(0.35f) * grain);
        light_at light = {gy_colours_all(s->sun), gy_colours_all(s->ambient),
                          gy_colours_all(s->light)};

        add(b, &b->cut, &e, lit(&light, &albedo, &e.normal));
    }
    b->cut.count = 0;
}

// Rays that miss all: the sky, or the floor where there is one.
static void work_far(batch *b)
{
    const gy_surface *s = b->s;

    for (int i = 0; i < b->far.count; i += GY_WIDE) {
        entries e = take_entries(&b->far, i);

        if (!s->input->settings.floor) {
            add(b, &b->far, &e, sky(s, &e.along));
            continue;
        }
        gy_three colour = gy_colours_all(vec_all(0.0f));

        for (int k = 0; k < GY_WIDE && i + k < b->far.count; k++) {
            gy_ray ray = {s->eye, {e.along.c[0][k], e.along.c[1][k], e.along.c[2][k], 0.0f}};
            int met;
            vec own = gy_shade_far(s, &ray, &met);

            for (int c = 0; c < 3; c++)
                colour.c[c][k] = own[c];
            b->met[b->far.sample[i + k]] = (float)met;
            b->away[b->far.sample[i + k]] =
                met == GY_MET_FLOOR ? (s->relief.base - s->eye[2]) / ray.along[2] : GY_NEVER;
        }
        add(b, &b->far, &e, colour);
    }
    b->far.count = 0;
}

// What the water's surface mirrors, and what is seen above it from below.
static void work_mirrored(batch *b)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;

    for (int i = 0; i < b->mirrored.count; i += GY_WIDE) {
        entries e = take_entries(&b->mirrored, i);
        w8 sample = load_ints(&b->mirrored.sample[i]), side, kind = w8_all(0);
        v8 near = v8_all(0.0f), far = v8_all(GY_NEVER);
        hull_meet meet;

        hulls_wide(&s->bodies, &e.at, &e.along, v8_all(GY_NEVER), e.active, &meet);
        w8 over = e.active & clip_wide(r, &e.at, &e.along, r->high + 0.1f, &near, &far, &side);
        v8 t = hit_wide(r, 1, &e.at, &e.along, near, v8_min(far, meet.t), over);
        w8 ground = over & v8_less(t, v8_all(GY_NEVER));
        w8 body = e.active & ~ground & v8_less(meet.t, v8_all(GY_NEVER));
        gy_three at = three_along(e.at, e.along, v8_select(ground, t, meet.t));

        push(&b->ground, ground, &at, &e.along, &e.weight, NULL, sample, kind);
        if (w8_any(body)) {
            gy_three normal = meet_normal(&s->bodies, &e.along, &meet, &kind);

            push(&b->body, body, &at, &e.along, &e.weight, &normal, sample, kind);
        }
        push(&b->sky, e.active & ~ground & ~body, &at, &e.along, &e.weight, NULL, sample, kind);
    }
    b->mirrored.count = 0;
    work_ground(b);
    work_bodies(b);
    work_sky(b);
}

// White water, lit as ground is; `t`: the water's texels there.
static void add_foam(batch *b, const entries *e, const gy_three *normal, const v8 t[8], v8 white)
{
    const gy_surface *s = b->s;
    gy_three albedo = gy_colours_all(vec_all(0.82f)), sun = gy_colours_all(s->light), over = e->at;
    light_at light = {gy_colours_all(s->sun), gy_colours_all(s->ambient), sun};

    for (int c = 0; c < 3; c++)
        over.c[c] += v8_all(lift * (float)s->relief.fine) * (normal->c[c] + sun.c[c]);
    light.sun = three_scale(light.sun, open_to_sun(s, &over, t, e->active));
    add(b, &b->water, e, three_times(e->weight, three_scale(lit(&light, &albedo, normal), white)));
}

// Where there are ripples, what differs by no more than they make it is no edge. Samples that met
// something else first keep theirs.
static void mark_ripples(batch *b, w8 sample, w8 mask, v8 part)
{
    const float more = 3.0f * (GY_RIPPLE_CONTRAST - GY_SURFACE_CONTRAST);

    for (int i = 0; i < GY_WIDE; i++) {
        if (mask[i] && b->met[sample[i]] == (float)GY_MET_WATER)
            b->least[sample[i]] = 3.0f * GY_SURFACE_CONTRAST + more * part[i];
    }
}

// How white water is: between neighbours that differs smoothly, and is no edge.
static void mark_white(batch *b, w8 sample, w8 mask, v8 white)
{
    for (int i = 0; i < GY_WIDE; i++) {
        if (mask[i] && b->met[sample[i]] == (float)GY_MET_WATER)
            b->white[sample[i]] = white[i];
    }
}

// Water from outside: `kind` 1 is its surface, 0 a side of the domain.
static void work_water(batch *b)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;

    for (int i = 0; i < b->water.count; i += GY_WIDE) {
        entries e = take_entries(&b->water, i);
        w8 sample = load_ints(&b->water.sample[i]);
        w8 surface = load_ints(&b->water.kind[i]) == w8_all(1);
        v8 t[8], one = v8_all(1.0f), seen, glass = v8_select(surface, one, v8_all(0.4f));
        flow_here flow = {0};

        texels_at(r, r->water_texel, e.at.c[0], e.at.c[1], t);
        v8 depth = e.at.c[2] - bed_at(r, e.at.c[0], e.at.c[1]);

        seen = v8_select(surface, v8_smooth(v8_all(0.0f), v8_all(s->shore), depth), one);
        v8 facing = v8_max(t[GY_TEXEL_SLOPE_X] * e.along.c[0] + t[GY_TEXEL_SLOPE_Y] * e.along.c[1] -
                               e.along.c[2],
                           v8_all(0.03f));

        if (s->flow_texel != NULL && w8_any(surface))
            flow_at(s, &e.at, &flow);
        if (s->flow != NULL && s->input->settings.ripples > 0.0f && w8_any(surface))
            mark_ripples(b, sample, e.active & surface,
                         add_ripples(s, &flow, &e.at, &e.along, seen, t));
        gy_three normal = three_unit((gy_three){{-t[GY_TEXEL_SLOPE_X], -t[GY_TEXEL_SLOPE_Y], one}});

        normal = three_select(surface, normal, e.normal);
        v8 cosine = -three_dot(e.along, normal), least = v8_all(0.02f);
        w8 away = v8_less(cosine, least); // a wave's far side that the smoothed normal turns away

        normal =
            three_select(away, three_unit(three_along(normal, e.along, cosine - least)), normal);
        cosine = v8_select(away, least, cosine);
        v8 fresnel = (v8_all(mirror) + v8_all(1.0f - mirror) * fifth(one - cosine)) * seen * glass;
        v8 inner = v8_sqrt(one - v8_all(0.5625f) * (one - cosine * cosine));
        gy_three bent = three_along(three_scale(e.along, v8_all(0.75f)), normal,
                                    v8_all(0.75f) * cosine - inner);
        gy_three back = three_along(e.along, normal, v8_all(2.0f) * cosine), weight;

        bent = three_unit(three_mix(e.along, bent, seen));
        back.c[2] = v8_select(v8_less(v8_all(0.1f), normal.c[2]), v8_max(back.c[2], v8_all(0.03f)),
                              back.c[2]);
        back = three_unit(back);
        gy_three out = three_along(e.at, normal, v8_all(lift * (float)r->fine));

        v8 clear = one;

        if (r->foam != NULL) {
            v8 white =
                v8_select(surface, foam_cover(s, &flow, &e.at, facing, t[GY_TEXEL_FOAM]) * seen,
                          v8_all(0.0f));

            if (w8_any(e.active & v8_less(v8_all(0.0f), white))) {
                add_foam(b, &e, &normal, t, white);
                mark_white(b, sample, e.active, white);
            }
            clear = one - white;
        }
        // What white water hides costs no rays.
        v8 share = fresnel * clear;

        weight = three_scale(e.weight, share);
        push(&b->mirrored, e.active & v8_less(v8_all(1e-3f), share), &out, &back, &weight, NULL,
             sample, w8_all(0));
        share = (one - fresnel) * clear;
        weight = three_scale(e.weight, share);
        push(&b->under[0], e.active & v8_less(v8_all(1e-3f), share), &e.at, &bent, &weight, NULL,
             sample, w8_all(0));
    }
    b->water.count = 0;
}

// Light through a piece of the water's skin from inside; `normal` outwards. What comes out through
// the surface (`top`) may meet banks and bodies there.
static void pass_out(batch *b, list *next, const entries *e, w8 mask, w8 top, const gy_three *at,
                     const gy_three *normal, const gy_three *weight, w8 sample, int again)
{
    v8 one = v8_all(1.0f), cosine = v8_max(three_dot(*normal, e->along), v8_all(0.0f));
    v8 square = one - v8_all(1.7777778f) * (one - cosine * cosine);
    gy_three back = three_along(e->along, *normal, v8_all(-2.0f) * cosine), deep, part;
    w8 total = mask & ~v8_less(v8_all(0.0f), square);
    v8 outer = v8_sqrt(v8_max(square, v8_all(0.0f)));
    v8 fresnel = v8_all(mirror) + v8_all(1.0f - mirror) * fifth(one - outer);
    gy_three out = three_scale(three_along(e->along, *normal, -cosine), v8_all(1.3333333f));
    v8 most = v8_max(weight->c[0], v8_max(weight->c[1], weight->c[2]));

    out = three_unit(three_along(out, *normal, outer));
    fresnel = v8_select(v8_less(v8_all(0.03f), fresnel) & w8_all(again > 0 ? -1 : 0), fresnel,
                        v8_all(0.0f));
    fresnel = v8_select(total, one, fresnel);
    part = three_scale(*weight, one - fresnel);
    gy_three over = three_along(*at, *normal, v8_all(lift * (float)b->s->relief.fine));

    push(&b->sky, mask & ~total & ~top, at, &out, &part, NULL, sample, w8_all(0));
    push(&b->mirrored, mask & ~total & top, &over, &out, &part, NULL, sample, w8_all(0));
    part = three_scale(*weight, fresnel);
    w8 on = mask & v8_less(v8_all(faint), most * fresnel) & w8_all(again > 0 ? -1 : 0);

    push(next, on, at, &back, &part, NULL, sample, w8_all(0));
    deep = three_times(part, gy_colours_all(b->s->deep));
    for (int c = 0; c < 3; c++)
        deep.c[c] = v8_select(mask & ~on, deep.c[c], v8_all(0.0f));
    add_sample(b, sample, mask, deep);
}

// Rays in water. `again`: how often they may still be mirrored.
static void work_under(batch *b, list *rays, list *next, int again)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;

    for (int i = 0; i < rays->count; i += GY_WIDE) {
        entries e = take_entries(rays, i);
        w8 sample = load_ints(&rays->sample[i]), side, kind = w8_all(0);
        v8 near = v8_all(0.0f), far = v8_all(GY_NEVER), never = v8_all(GY_NEVER),
           one = v8_all(1.0f);
        hull_meet meet;

        clip_wide(r, &e.at, &e.along, r->high + 0.1f, &near, &far, &side);
        v8 bed = hit_wide(r, 1, &e.at, &e.along, v8_all(0.0f), far, e.active);

        hulls_wide(&s->bodies, &e.at, &e.along, v8_min(bed, far), e.active, &meet);
        v8 end = v8_min(bed, meet.t);
        v8 rise = rise_wide(r, &e.at, &e.along, v8_all(0.05f * (float)r->fine), v8_min(end, far),
                            e.active & v8_less(v8_all(-0.2f), e.along.c[2]));
        w8 out = e.active & v8_less(rise, never) & ~v8_less(end, rise);

        end = v8_min(end, rise);
        w8 body = e.active & ~out & v8_less(meet.t, never) & ~v8_less(end, meet.t);
        w8 ground = e.active & ~out & ~body & v8_less(end, never),
           wall = e.active & ~(out | body | ground);

        end = v8_select(wall, v8_max(far, v8_all(0.0f)), end);
        gy_three at = three_along(e.at, e.along, end), left = absorbed(s, end), normal;
        gy_three weight = three_times(e.weight, left), deep;

        for (int c = 0; c < 3; c++)
            deep.c[c] = e.weight.c[c] * v8_all(s->deep[c]) * (one - left.c[c]);
        add(b, rays, &e, deep);
        push(&b->ground, ground, &at, &e.along, &weight, NULL, sample, kind);
        if (w8_any(body)) {
            normal = meet_normal(&s->bodies, &e.along, &meet, &kind);
            push(&b->body, body, &at, &e.along, &weight, &normal, sample, kind);
        }
        if (w8_any(out | wall)) {
            v8 t[8], to[2], zero = v8_all(0.0f);

            texels_at(r, r->water_texel, at.c[0], at.c[1], t);
            normal = three_unit((gy_three){{-t[GY_TEXEL_SLOPE_X], -t[GY_TEXEL_SLOPE_Y], one}});
            for (int a = 0; a < 2; a++) {
                w8 on = v8_less(zero, e.along.c[a]);

                to[a] = v8_abs(v8_select(on, v8_all((float)r->n[a]) - at.c[a], at.c[a]));
                to[a] = v8_select(v8_less(v8_abs(e.along.c[a]), v8_all(1e-30f)), never, to[a]);
            }
            w8 second = v8_less(to[1], to[0]);
            v8 sign[2];

            for (int a = 0; a < 2; a++)
                sign[a] = v8_select(v8_less(zero, e.along.c[a]), one, -one);
            normal.c[0] = v8_select(wall, v8_select(second, zero, sign[0]), normal.c[0]);
            normal.c[1] = v8_select(wall, v8_select(second, sign[1], zero), normal.c[1]);
            normal.c[2] = v8_select(wall, zero, normal.c[2]);
            gy_three inside = three_along(at, normal, v8_all(-1e-3f));

            at = three_select(wall, inside, at);
            pass_out(b, next, &e, out | wall, out, &at, &normal, &weight, sample, again);
        }
    }
    rays->count = 0;
    work_ground(b);
    work_bodies(b);
    work_sky(b);
    work_mirrored(b);
}

// Eight rays from the eye that meet nothing.
static void look_past(batch *b, int first, const gy_three *from, const gy_three *along, w8 active)
{
    push(&b->far, active, from, along, from, NULL, w8_count() + w8_all(first), w8_all(0));
    v8_store(&b->met[first], v8_all((float)GY_MET_SKY));
    v8_store(&b->least[first], v8_all(3.0f * GY_SURFACE_CONTRAST));
    v8_store(&b->away[first], v8_all(GY_NEVER));
}

// What eight rays from the eye meet first. Long because lanes that meet different things go the
// same way.
static void look(batch *b, int first)
{
    const gy_surface *s = b->s;
    const gy_relief *r = &s->relief;
    v8 scale = v8_all(1.0f / (float)s->image->height), never = v8_all(GY_NEVER),
       zero = v8_all(0.0f);
    v8 x = (v8_load(&b->x[first]) - v8_all(0.5f * (float)s->image->width)) * scale;
    v8 y = (v8_all(0.5f * (float)s->image->height) - v8_load(&b->y[first])) * scale;
    gy_three from = gy_colours_all(s->eye), along, normal, one = gy_colours_all(vec_all(1.0f));
    w8 sample = w8_count() + w8_all(first), active = sample < w8_all(b->count), side,
       kind = w8_all(0);
    v8 near = v8_load(&b->start[first]), far = never;
    hull_meet meet, hung;
    float corner[2][2] = {{b->x[first], b->y[first]}, {b->x[first], b->y[first]}};

    for (int i = first + 1; i < first + GY_WIDE; i++) {
        corner[0][0] = b->x[i] < corner[0][0] ? b->x[i] : corner[0][0];
        corner[0][1] = b->y[i] < corner[0][1] ? b->y[i] : corner[0][1];
        corner[1][0] = b->x[i] > corner[1][0] ? b->x[i] : corner[1][0];
        corner[1][1] = b->y[i] > corner[1][1] ? b->y[i] : corner[1][1];
    }
    for (int c = 0; c < 3; c++)
        along.c[c] = v8_all(s->forward[c]) + v8_all(s->right[c]) * x + v8_all(s->up[c]) * y;
    along = three_unit(along);
    hulls_seen(&s->bodies, &from, &along, corner[0], corner[1], never, active, &meet);
    hulls_seen(&s->overhang, &from, &along, corner[0], corner[1], meet.t, active, &hung);
    gy_three hangs = three_along(from, along, v8_select(v8_less(hung.t, never), hung.t, zero));
    w8 over = active & clip_wide(r, &from, &along, r->high + 0.1f, &near, &far, &side);

    over &= v8_less(near, meet.t);
    if (!w8_any(over | (active & (v8_less(meet.t, never) | v8_less(hung.t, never))))) {
        look_past(b, first, &from, &along, active);
        return;
    }
    // Distances from where the domain begins: small ones are exact.
    v8 skip = v8_select(over, near, zero), met = v8_all((float)GY_MET_SKY);

    from = three_along(from, along, skip);
    far -= skip;
    meet.t -= v8_select(v8_less(meet.t, never), skip, zero);
    // What comes in through the top comes in above all heights, and what starts nearer than they.
    w8 above = ((side == w8_all(2)) & v8_less(along.c[2], zero)) |
               ((side < w8_all(0)) & v8_less(zero, skip));
    v8 bed = v8_all(-GY_NEVER), water = bed;

    if (w8_any(over & ~above)) {
        bed = bed_at(r, from.c[0], from.c[1]);
        water = height_at(r, r->height[GY_WATER], from.c[0], from.c[1]);
    }
    w8 cut = over & (v8_less(from.c[2], bed) | ((side == w8_all(2)) & v8_less(zero, along.c[2])));
    w8 in = over & ~cut & v8_less(from.c[2], water), on = over & ~cut & ~in;
    v8 t = hit_wide(r, 0, &from, &along, zero, v8_min(far, meet.t), on);
    w8 pane = active & ~(cut | in) & v8_less(hung.t, never) & v8_less(hung.t - skip, t);
    w8 hit = on & ~pane & v8_less(t, never);
    w8 body = active & ~(cut | in | hit | pane) & v8_less(meet.t, never);
    gy_three at = three_along(from, along, v8_select(hit, t, v8_select(body, meet.t, zero)));

    if (w8_any(hit)) {
        bed = bed_at(r, at.c[0], at.c[1]);
        water = height_at(r, r->height[GY_WATER], at.c[0], at.c[1]);
    }
    w8 ground = hit & v8_less(water, bed), wet = hit & ~ground;

    for (int a = 0; a < 3; a++) {
        v8 against = v8_select(v8_less(zero, along.c[a]), v8_all(-1.0f), v8_all(1.0f));

        normal.c[a] = v8_select(side == w8_all(a), against, zero);
        normal.c[a] = v8_select(side < w8_all(0), -along.c[a], normal.c[a]);
    }
    push(&b->cut, cut, &at, &along, &one, &normal, sample, kind);
    push(&b->water, wet | (in & (side >= w8_all(0))), &at, &along, &one, &normal, sample,
         wet & w8_all(1));
    push(&b->under[0], in & (side < w8_all(0)), &at, &along, &one, NULL, sample, kind);
    push(&b->ground, ground, &at, &along, &one, NULL, sample, kind);
    if (w8_any(body)) {
        normal = meet_normal(&s->bodies, &along, &meet, &kind);
        push(&b->body, body, &at, &along, &one, &normal, sample, kind);
    }
    if (w8_any(pane)) {
        w8 none;

        normal = meet_normal(&s->overhang, &along, &hung, &none);
        pierce(b, &b->overhang[0], pane, &hangs, &along, &one, &normal, sample, GY_OVERHANGS);
    }
    push(&b->far, active & ~(cut | in | hit | body | pane), &from, &along, &one, NULL, sample,
         kind);
    met = v8_select(cut, v8_all((float)GY_MET_CUT), met);
    met = v8_select(in, v8_all((float)GY_MET_SIDE), met);
    met = v8_select(ground, v8_all((float)GY_MET_GROUND), met);
    met = v8_select(wet, v8_all((float)GY_MET_WATER), met);
    met = v8_select(pane, v8_all((float)GY_MET_OVERHANG), met);
    met = v8_select(body, v8_float(kind + w8_all(GY_MET_BODY)), met);
    v8_store(&b->met[first], met);
    v8_store(&b->least[first], v8_all(3.0f * GY_SURFACE_CONTRAST));
    v8_store(&b->away[first],
             v8_select(pane, hung.t,
                       v8_select(cut | in | hit | body,
                                 skip + v8_select(hit, t, v8_select(body, meet.t, zero)), never)));
}

// Light along all rays of a batch.
static void light_batch(batch *b)
{
    for (int c = 0; c < 3; c++)
        memset(b->colour[c], 0, sizeof b->colour[c]);
    memset(b->white, 0, sizeof b->white);
    for (int i = 0; i < b->count; i += GY_WIDE)
        look(b, i);
    work_cuts(b);
    work_far(b);
    work_ground(b);
    work_bodies(b);
    for (int again = GY_OVERHANGS - 1; again >= 0; again--) {
        list *rays = &b->overhang[(GY_OVERHANGS - 1 - again) & 1];

        work_mirrored(b);
        work_overhang(b, rays, &b->overhang[(GY_OVERHANGS - again) & 1], again);
        work_ground(b);
        work_bodies(b);
        work_sky(b);
    }
    work_mirrored(b);
    work_water(b);
    work_mirrored(b);
    for (int again = 3; again >= 0; again--)
        work_under(b, &b->under[(3 - again) & 1], &b->under[(4 - again) & 1], again);
    b->under[0].count = 0;
}

// Display colours of all rays of a batch.
static void shade_batch(batch *b)
{
    light_batch(b);
    for (int i = 0; i < b->count; i += GY_WIDE) {
        gy_three colour;

        for (int c = 0; c < 3; c++)
            colour.c[c] = v8_load(&b->colour[c][i]) * v8_all(b->s->input->settings.exposure);
        colour = gy_tone_wide(colour);
        for (int c = 0; c < 3; c++)
            v8_store(&b->colour[c][i], colour.c[c]);
    }
}

static void begin(batch *b, const gy_surface *s)
{
    list *const lists[] = {&b->ground,   &b->body,        &b->sky,        &b->cut,
                           &b->far,      &b->water,       &b->mirrored,   &b->under[0],
                           &b->under[1], &b->overhang[0], &b->overhang[1]};

    // Lanes behind a list's end are worked out and thrown away: of numbers that are finite.
    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lists[i]->count = 0;
    b->s = s;
}

void GY_DRAWN(gy_surface_tiles)(void *argument, int task)
{
    gy_surface *s = argument;
    batch b;
    int height = s->image->height, width = s->image->width, top = task * GY_SURFACE_HIGH;

    begin(&b, s);
    for (int left = 0; left < width; left += GY_SURFACE_WIDE) {
        b.count = 0;
        for (int i = 0; i < BATCH; i++) {
            int x = left + i % GY_SURFACE_WIDE, y = top + i / GY_SURFACE_WIDE;

            // Beyond the picture's edge the edge is drawn again.
            b.x[i] = (float)(x < width ? x : width - 1) + 0.5f;
            b.y[i] = (float)(y < height ? y : height - 1) + 0.5f;
        }
        b.count = BATCH;
        shade_batch(&b);
        for (int i = 0; i < BATCH; i++) {
            int x = left + i % GY_SURFACE_WIDE, y = top + i / GY_SURFACE_WIDE;

            if (x >= width || y >= height)
                continue;
            size_t at = (size_t)y * (size_t)s->row + (size_t)x;

            for (int c = 0; c < 3; c++)
                s->first[c][at] = b.colour[c][i];
            s->first[3][at] = b.met[i];
            s->first[4][at] = b.least[i];
            s->first[5][at] = b.away[i];
            s->first[6][at] = b.white[i];
        }
    }
}

/// Pixels that take more rays, and the batch of these.
typedef struct edges {
    batch b;
    int count;
    struct {
        int x, y, first, rays;
    } of[BATCH / 2];
} edges;

static void finish_edges(edges *e)
{
    const gy_surface *s = e->b.s;

    if (e->count == 0)
        return;
    shade_batch(&e->b);
    for (int i = 0; i < e->count; i++) {
        int x = e->of[i].x, y = e->of[i].y, first = e->of[i].first;
        size_t at = (size_t)y * (size_t)s->row + (size_t)x;
        uint8_t *rgb = s->image->rgb + 3 * ((size_t)y * (size_t)s->image->width + (size_t)x);

        for (int c = 0; c < 3; c++) {
            const float *of = &e->b.colour[c][first];
            float mean = e->of[i].rays == 4 ? 0.25f * (of[0] + of[1] + of[2] + of[3])
                                            : (1.0f / 3.0f) * (of[0] + of[1] + s->first[c][at]);
            v8 noise = gy_noise_wide(v8_all((float)(x + 17 * c + 5)), (float)(y + 31 * c + 11));
            v8 value = gy_srgb_wide(v8_all(mean)) + noise;

            rgb[c] = (uint8_t)v8_int(v8_clamp(value, v8_all(0.0f), v8_all(255.0f)))[0];
        }
    }
    e->b.count = e->count = 0;
}

// A pixel's rays: four, at as many heights and widths (a rotated square), or, where light alone
// differs on water with ripples, two beside the one that there is, by turns on both diagonals.
static void push_edge(edges *e, int x, int y, float start, bool soft)
{
    static const float spread[4][2] = {
        {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
    int rays = soft ? 2 : 4, first = e->b.count;

    e->of[e->count].x = x;
    e->of[e->count].y = y;
    e->of[e->count].first = first;
    e->of[e->count++].rays = rays;
    for (int k = 0; k < rays; k++) {
        float across = k == 0 ? 0.2f : 0.8f, up = ((x + y) & 1) == 0 ? across : 1.0f - across;

        e->b.x[first + k] = (float)x + (soft ? across : spread[k][0]);
        e->b.y[first + k] = (float)y + (soft ? up : spread[k][1]);
        e->b.start[first + k] = start;
    }
    e->b.count += rays;
    if (e->b.count > BATCH - 4)
        finish_edges(e);
}

// Rows of pixels, as many as tiles are high.
void GY_DRAWN(gy_surface_finish)(void *argument, int task)
{
    const gy_surface *s = argument;
    int width = s->image->width, end = (task + 1) * GY_SURFACE_HIGH;
    edges e;

    begin(&e.b, s);
    e.count = 0;
    end = end < s->image->height ? end : s->image->height;
    for (int y = task * GY_SURFACE_HIGH; y < end; y++) {
        uint8_t *rgb = s->image->rgb + 3 * (size_t)y * (size_t)width;

        for (int x = 0; x < width; x += GY_WIDE) {
            size_t at = (size_t)y * (size_t)s->row + (size_t)x;
            gy_colours colour;

            for (int c = 0; c < 3; c++)
                colour.c[c] = v8_load(s->first[c] + at);
            gy_put_wide(rgb + 3 * (size_t)x, x, y, width - x, colour);
        }
        for (int x = 0; x < width; x += GY_WIDE) {
            beside_pixels of = look_beside(s, x, y);

            for (int i = 0; i < GY_WIDE && w8_any(of.edge); i++) {
                if (of.edge[i])
                    push_edge(&e, x + i, y, of.start[i], of.soft[i]);
            }
        }
    }
    finish_edges(&e);
}

void GY_DRAWN(gy_relief_hits)(void *argument, int task)
{
    gy_relief_rays *rays = argument;
    gy_three from, along;

    (void)task;
    for (int c = 0; c < 3; c++) {
        from.c[c] = v8_load(rays->from[c]);
        along.c[c] = v8_load(rays->along[c]);
    }
    v8_store(rays->hit, hit_wide(rays->relief, rays->which, &from, &along, v8_load(rays->near),
                                 v8_load(rays->far), w8_all(-1)));
}

void GY_DRAWN(gy_surface_rays)(void *argument, int task)
{
    const gy_surface_look *look = argument;
    gy_rays *rays = look->rays;
    batch b;

    (void)task;
    begin(&b, look->surface);
    b.count = rays->count;
    memcpy(b.x, rays->x, sizeof b.x);
    memcpy(b.y, rays->y, sizeof b.y);
    light_batch(&b);
    memcpy(rays->colour, b.colour, sizeof b.colour);
    memcpy(rays->met, b.met, sizeof b.met);
    memcpy(rays->far, b.away, sizeof b.away);
}
