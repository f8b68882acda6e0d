// render/isa/march_rows.c: rays through smoke.
//
// Along a ray at a fixed spacing, started at a distance that differs from pixel to pixel but never
// from picture to picture: emission and absorption (Max 1995), light from gy_light_cells, phase
// function of Henyey and Greenstein. Empty bricks are stepped over on the same spacing, so that
// skipping changes no picture. What rays meet of boxes, of the floor and of the background is found
// for eight at a time; into smoke each goes alone. Cost: per sample 8 cells of 16 bytes.
#include "render/sheets.h"

#include "render/isa/march_ray.h"
#include "render/isa/rows.h"
#include "render/isa/three.h"
#include "render/isa/veins.h"

static const float spacing = 0.8f;  // of samples, in cells
static const float opaque = 0.004f; // light from behind that no longer counts

/// Where eight rays are within boxes: from near to far.
typedef struct part {
    v8 near, far;
} part;

/// Eight rays.
typedef struct rays {
    gy_three along, inverse;
    part grid, smoke, solids, sheets;
} rays;

GY_VEC_INLINE part clip_wide(const gy_march_view *view, const rays *r, vec low, vec high, part from)
{
    for (int axis = 0; axis < 3; axis++) {
        v8 a = v8_all(low[axis] - view->eye[axis]) * r->inverse.c[axis];
        v8 b = v8_all(high[axis] - view->eye[axis]) * r->inverse.c[axis];

        from.near = v8_max(from.near, v8_min(a, b));
        from.far = v8_min(from.far, v8_max(a, b));
    }
    return from;
}

static rays make_rays(const gy_march_view *view, v8 x, v8 y)
{
    const gyre_image *image = view->image;
    const gy_volume *volume = view->volume;
    v8 scale = v8_all(1.0f / (float)image->height), least = v8_all(1e-7f);
    v8 across = (x - v8_all(0.5f * (float)image->width)) * scale;
    v8 up = (v8_all(0.5f * (float)image->height) - y) * scale;
    part whole = {v8_all(0.0f), v8_all(1e30f)};
    rays r;

    for (int c = 0; c < 3; c++)
        r.along.c[c] =
            v8_all(view->forward[c]) + v8_all(view->right[c]) * across + v8_all(view->up[c]) * up;
    r.along = three_unit(r.along);
    for (int c = 0; c < 3; c++) {
        // A direction that is never quite along an axis spares every test for it.
        r.along.c[c] = v8_select(v8_less(v8_abs(r.along.c[c]), least), least, r.along.c[c]);
        r.inverse.c[c] = v8_all(1.0f) / r.along.c[c];
    }
    r.grid = clip_wide(view, &r, vec_all(0.0f), volume->limit, whole);
    r.smoke = clip_wide(view, &r, volume->active.low, volume->active.high, r.grid);
    r.solids = r.grid;
    if (volume->has_solid)
        r.solids = clip_wide(view, &r, volume->solids.low, volume->solids.high, r.grid);
    r.sheets = r.grid;
    if (volume->sheets != NULL)
        r.sheets = clip_wide(view, &r, volume->sheets->boxes[0].low, volume->sheets->boxes[0].high,
                             r.grid);
    return r;
}

GY_VEC_INLINE one_ray one_of(const gy_march_view *view, const rays *r, int i)
{
    vec along = {r->along.c[0][i], r->along.c[1][i], r->along.c[2][i], 0.0f};
    vec inverse = {r->inverse.c[0][i], r->inverse.c[1][i], r->inverse.c[2][i], 0.0f};

    return (one_ray){view->eye, along, inverse, along > vec_all(0.0f)};
}

static float hit_solid(const gy_volume *volume, const one_ray *ray, float near, float far)
{
    const float step = 0.5f;

    for (float t = near; t < far;) {
        vec at = inside(volume, ray->from + ray->along * vec_all(t));
        ivec base = __builtin_convertvector(at, ivec);

        if (brick_of(&volume->solids, base) < 0.5f) {
            float out = leave(ray, base);

            t = (out > t ? out : t) + 1e-2f;
            continue;
        }
        if (gy_sample(&volume->solid, at) >= 0.5f) {
            float low = t - step > near ? t - step : near, high = t;

            for (int i = 0; i < 7; i++) {
                float middle = 0.5f * (low + high);
                vec point = inside(volume, ray->from + ray->along * vec_all(middle));

                if (gy_sample(&volume->solid, point) >= 0.5f)
                    high = middle;
                else
                    low = middle;
            }
            return high;
        }
        t += step;
    }
    return 1e30f;
}

// Where a ray meets a sheet.
static float hit_sheet(const gy_volume *volume, const one_ray *ray, float near, float far)
{
    gy_ray inner = {ray->from + ray->along * vec_all(near), ray->along};
    gy_hull_hit hit;

    gy_hulls_hit(volume->sheets, &inner, far - near, &hit);
    return hit.body < 0 ? 1e30f : near + hit.t;
}

// Two neighbours along x are taken at once.
GY_VEC_INLINE vec sample_smoke(const gy_volume *volume, vec at, ivec base)
{
    vec f = at - __builtin_convertvector(base, vec);
    ptrdiff_t sy = 4 * volume->opaque.sy, sz = 4 * volume->opaque.sz;
    const float *p =
        (const float *)(volume->smoke + gy_cell_index(&volume->opaque, base[0], base[1], base[2]));
    v8 fy = v8_all(f[1]);
    v8 low = v8_mix(v8_load(p), v8_load(p + sy), fy);
    v8 high = v8_mix(v8_load(p + sz), v8_load(p + sz + sy), fy);
    v8 both = v8_mix(low, high, v8_all(f[2]));
    vec left = __builtin_shufflevector(both, both, 0, 1, 2, 3);
    vec right = __builtin_shufflevector(both, both, 4, 5, 6, 7);

    return left + (right - left) * vec_all(f[0]);
}

/// Eight samples along a ray: extinction, direct light, scattered light, sky.
typedef struct samples {
    v8 t, smoke, direct, scattered, sky;
    v8 place[3];
} samples;

// Smoke with the texture that flows with it.
static void vein_samples(const gy_volume *volume, const cells_at *at, samples *e)
{
    if (!w8_any(v8_less(v8_all(0.0f), e->smoke)))
        return;
    if (volume->input->texture->texels->solid_levels > 0) {
        e->smoke *= veins_wide(volume, at);
        return;
    }
    for (int i = 0; i < GY_WIDE; i++) {
        vec place = {e->place[0][i], e->place[1][i], e->place[2][i], 0.0f};

        if (e->smoke[i] > 0.0f)
            e->smoke[i] *= gy_veins_at(volume, place);
    }
}

static void take_samples(const gy_volume *volume, const one_ray *ray, v8 t, samples *out)
{
    v8 four[4];

    for (int axis = 0; axis < 3; axis++)
        out->place[axis] = v8_clamp(v8_all(ray->from[axis]) + v8_all(ray->along[axis]) * t,
                                    v8_all(0.0f), v8_all(volume->limit[axis]));
    cells_at at = find_cells(volume, out->place);

    four_wide(volume, volume->smoke, &at, four);
    out->t = t;
    out->smoke = four[0];
    out->direct = four[1];
    out->scattered = four[2];
    out->sky = four[3];
    if (volume->veins != NULL)
        vein_samples(volume, &at, out);
}

// Shares of light, each with the colour of its place.
GY_VEC_INLINE void tint_shares(const gy_volume *volume, const samples *e, v8 shares[3])
{
    for (int i = 0; i < GY_WIDE; i++) {
        vec at = {e->place[0][i], e->place[1][i], e->place[2][i], 0.0f};

        if (!(shares[0][i] > 0.0f))
            continue;
        vec colour = tint_at(volume, at);

        for (int c = 0; c < 3; c++)
            shares[c][i] *= colour[c];
    }
}

// How hot it is at eight samples, half way from each to the next, and where the ninth would be.
static void take_heat(const gy_volume *volume, const one_ray *ray, const samples *e,
                      float heat[2 * GY_WIDE + 1])
{
    for (int i = 0; i <= 2 * GY_WIDE; i++) {
        vec at = ray->from + ray->along * vec_all(e->t[0] + (float)i * (0.5f * spacing));

        heat[i] = heat_at(volume, inside(volume, at));
    }
}

// What heat gives off from a sample on for a share of the way to the next, per cell.
static vec glow_along(const gy_volume *volume, const float heat[3], float share)
{
    float half = share < 0.5f ? share : 0.5f, rest = share - half;
    vec first = glow_between(volume, heat[0], heat[0] + (heat[1] - heat[0]) * (2.0f * half));

    if (!(rest > 0.0f))
        return first;
    vec second = glow_between(volume, heat[1], heat[1] + (heat[2] - heat[1]) * (2.0f * rest));

    return (first * vec_all(half) + second * vec_all(rest)) * vec_all(1.0f / share);
}

// What share of the light from behind each of eight samples sends on to the eye, with *left of it
// coming in from there on and going on to the next eight.
static v8 shares_of(const gy_volume *volume, const one_ray *ray, const samples *e, v8 length,
                    float *left, vec *glow)
{
    v8 passed = v8_fade(v8_max(e->smoke, v8_all(0.0f)) * length);
    float stay[GY_WIDE], share[GY_WIDE], over[GY_WIDE], heat[2 * GY_WIDE + 1];
    bool hot = volume->has_glow && volume->heat.data != NULL;

    if (hot)
        take_heat(volume, ray, e, heat);
    v8_store(stay, passed);
    v8_store(over, length);
    for (int i = 0; i < GY_WIDE; i++) {
        share[i] = *left * (1.0f - stay[i]);
        *left *= stay[i];
        if (*left < opaque)
            *left = 0.0f;
        if (!volume->has_glow || !(over[i] > 0.0f) || !(*left > 0.0f))
            continue;
        if (hot)
            *glow += glow_along(volume, &heat[2 * i], over[i] * (1.0f / spacing)) *
                     vec_all(*left * over[i]);
        if (volume->shine != NULL) {
            vec at = {e->place[0][i], e->place[1][i], e->place[2][i], 0.0f};

            *glow += four_at(volume, volume->shine, at) * vec_all(*left * over[i]);
        }
    }
    return v8_load(share);
}

// Light that the ray gathers from near up to `end`; *through becomes the share that passes.
static vec gather(const gy_march_view *view, const one_ray *ray, float near, float end, float noise,
                  float *through)
{
    const gy_volume *volume = view->volume;
    float g = volume->input->settings.anisotropy, cosine = vec_dot(ray->along, volume->light);
    vec direct = view->sun * vec_all(0.5f * phase(g, cosine));
    vec scattered = view->sun * vec_all(0.5f * phase(0.4f * g, cosine)), colour = vec_all(0.0f);
    v8 sum[3] = {v8_all(0.0f), v8_all(0.0f), v8_all(0.0f)};
    float left = 1.0f;
    // Sample s stands for the ray from s to s + 1 spacings, measured from the eye.
    float s = up_to(near / spacing - noise);

    while (left > 0.0f) {
        float t = (s + noise) * spacing;

        if (t >= end)
            break;
        vec at = inside(volume, ray->from + ray->along * vec_all(t));
        ivec base = __builtin_convertvector(at, ivec);

        if (brick_of(&volume->active, base) <= 0.0f) {
            float skip = up_to((leave(ray, base) - t) * (1.0f / spacing));

            s += skip > 1.0f ? skip : 1.0f;
            continue;
        }
        samples e;
        v8 all = (v8_all(s) + v8_count() + v8_all(noise)) * v8_all(spacing);
        v8 length = v8_clamp(v8_all(end) - all, v8_all(0.0f), v8_all(spacing));

        take_samples(volume, ray, all, &e);
        v8 share = shares_of(volume, ray, &e, length, &left, &colour),
           shares[3] = {share, share, share};

        if (volume->tint != NULL)
            tint_shares(volume, &e, shares);
        for (int c = 0; c < 3; c++)
            sum[c] +=
                shares[c] * (v8_all(direct[c]) * e.direct + v8_all(scattered[c]) * e.scattered +
                             v8_all(view->sky[c]) * e.sky);
        s += (float)GY_WIDE;
    }
    for (int c = 0; c < 3; c++)
        colour[c] += ((sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3])) +
                     ((sum[c][4] + sum[c][5]) + (sum[c][6] + sum[c][7]));
    *through = left;
    return colour;
}

// The same of cells as polygons: those of a slice lie side by side in a plane across the view, each
// of one colour, and slices are met in their order.
static vec gather_cells(const gy_march_view *view, const one_ray *ray, float near, float end,
                        float *through)
{
    const gy_volume *volume = view->volume;
    const gy_cells *cells = &volume->opaque;
    int a = view->across, n = volume->n[a];
    float g = volume->input->settings.anisotropy;
    vec forward = vec_unit(view->forward), colour = vec_all(0.0f);
    float cosine = vec_dot(forward, volume->light), slope = fabsf(forward[a]);
    vec direct = view->sun * vec_all(0.5f * phase(g, cosine));
    vec scattered = view->sun * vec_all(0.5f * phase(0.4f * g, cosine));
    float left = 1.0f, thick = 1.0f / slope;

    for (int s = 1; s <= n && left > 0.0f; s++) {
        int slice = ray->along[a] > 0.0f ? s : n + 1 - s;
        float t = ((float)slice - ray->from[a]) * ray->inverse[a];

        if (t < near)
            continue;
        if (t >= end)
            break;
        ivec base =
            __builtin_convertvector(ray->from + ray->along * vec_all(t) + vec_all(0.5f), ivec);
        bool in = true;

        base[a] = slice;
        for (int axis = 0; axis < 3; axis++)
            in = in && base[axis] >= 1 && base[axis] <= volume->n[axis];
        ptrdiff_t at = in ? gy_cell_index(cells, base[0], base[1], base[2]) : 0;

        if (!in)
            continue;
        // Light comes to its face: half from the cell before it.
        ptrdiff_t before = a == 0 ? 1 : a == 1 ? cells->sy : cells->sz;
        vec cell = volume->smoke[at], own = vec_all(1.0f);
        vec face = volume->smoke[at + (ray->along[a] > 0.0f ? -before : before)];
        float share = left * (1.0f - fade(thick * not_below(cell[0])));

        left -= share;
        left = left < opaque ? 0.0f : left;
        if (volume->tint != NULL)
            own = tint_at(volume, __builtin_convertvector(base, vec));
        face = vec_all(0.5f) * (face + cell);
        colour += own * vec_all(share) *
                  (direct * vec_all(face[1]) + scattered * vec_all(face[2]) +
                   view->sky * vec_all(face[3]));
        if (volume->has_glow)
            colour += glow_at(volume, __builtin_convertvector(base, vec)) * vec_all(left * thick);
    }
    *through = left;
    return colour;
}

static vec gather_light(const gy_march_view *view, const one_ray *ray, float near, float end,
                        float noise, float *through)
{
    return view->across < 0 ? gather(view, ray, near, end, noise, through)
                            : gather_cells(view, ray, near, end, through);
}

// Which way the surface of a solid looks.
static vec solid_normal(const gy_volume *volume, const one_ray *ray, vec at)
{
    vec normal = {0};
    const float reach = 0.75f;

    for (int axis = 0; axis < 3; axis++) {
        vec low = at, high = at;

        low[axis] -= reach;
        high[axis] += reach;
        normal[axis] = gy_sample(&volume->smoothed, inside(volume, low)) -
                       gy_sample(&volume->smoothed, inside(volume, high));
    }
    return vec_dot(normal, normal) > 1e-12f ? vec_unit(normal) : -ray->along;
}

static vec shade_solid(const gy_march_view *view, const one_ray *ray, float t)
{
    const gy_volume *volume = view->volume;
    const gyre_render_input *input = volume->input;
    const float about = 1e-2f; // within which a distance is that of a sheet
    vec at = ray->from + ray->along * vec_all(t), normal;
    gy_hull_hit sheet = {.body = -1};

    if (volume->sheets != NULL) {
        gy_ray here = {at - ray->along * vec_all(about), ray->along};

        gy_hulls_hit(volume->sheets, &here, 2.0f * about, &sheet);
    }
    normal = sheet.body < 0 ? solid_normal(volume, ray, at) : sheet.normal;
    // Light is asked for a little outside, where no cell counts as solid.
    vec outside = inside(volume, at + normal * vec_all(1.8f));
    vec light = sample_smoke(volume, outside, __builtin_convertvector(outside, ivec));
    vec open_air = inside(volume, at + normal * vec_all(3.5f));
    float above = sample_smoke(volume, open_air, __builtin_convertvector(open_air, ivec))[3];
    float lambert = not_below(vec_dot(normal, volume->light));
    vec half = vec_unit(volume->light - ray->along);
    float shine = power_48(not_below(vec_dot(normal, half))) * 0.22f;
    float open = input->settings.shadow ? light[1] : 1.0f;
    vec sun = vec_make(input->light.colour) * vec_all(input->light.intensity * open);
    vec sky = vec_make(input->light.ambient_colour) *
              vec_all(input->light.ambient * above * (1.5f + 0.5f * normal[1]));
    vec body = vec_make(input->settings.solid_colour);

    return body * (sun * vec_all(lambert) + sky) + sun * vec_all(lambert > 0.0f ? shine : 0.0f);
}

static gy_three background(const gy_march_view *view, v8 x, v8 y)
{
    const gyre_view_settings *settings = &view->volume->input->settings;
    float w = (float)view->image->width, h = (float)view->image->height;
    v8 dx = (x - v8_all(0.5f * w)) * v8_all(1.0f / h), down = y * v8_all(1.0f / h);
    v8 dy = down - v8_all(0.5f);
    gy_three colour = three_mix(gy_colours_all(vec_make(settings->background_top)),
                                gy_colours_all(vec_make(settings->background_bottom)),
                                v8_smooth(v8_all(0.0f), v8_all(1.0f), down));

    return three_scale(colour,
                       v8_all(1.0f) - v8_all(0.45f) * (dx * dx + dy * dy)); // darker corners
}

// How much of the sky is seen from a place just above the floor.
static v8 sky_over(const gy_volume *volume, v8 x, v8 z)
{
    const float *sky = (const float *)volume->smoke + 3;
    int32_t sy = (int32_t)volume->opaque.sy, sz = (int32_t)volume->opaque.sz;

    x = v8_clamp(x, v8_all(0.0f), v8_all(volume->limit[0]));
    z = v8_clamp(z, v8_all(0.0f), v8_all(volume->limit[2]));
    v8 i = v8_floor(x), k = v8_floor(z);
    w8 at = (v8_int(i) + w8_all(sy) + v8_int(k) * w8_all(sz)) * w8_all(4);
    w8 next = at + w8_all(4 * sz);

    return v8_mix(v8_mix(v8_gather(sky, at), v8_gather(sky + 4, at), x - i),
                  v8_mix(v8_gather(sky, next), v8_gather(sky + 4, next), x - i), z - k);
}

static gy_three shade_floor(const gy_march_view *view, const rays *r, v8 t, gy_three behind)
{
    const gy_volume *volume = view->volume;
    const gyre_render_input *input = volume->input;
    v8 at[2], outside = v8_all(0.0f), zero = v8_all(0.0f);
    float size = (float)volume->n[1];

    for (int side = 0; side < 2; side++) {
        int axis = 2 * side;
        float high = (float)volume->n[axis] + 0.5f;

        at[side] = v8_all(view->eye[axis]) + r->along.c[axis] * t;
        v8 d = v8_max(v8_max(v8_all(0.5f) - at[side], at[side] - v8_all(high)), zero);

        outside += d * d;
        size = (float)volume->n[axis] > size ? (float)volume->n[axis] : size;
    }
    outside = v8_sqrt(outside);
    v8 sky = sky_over(volume, at[0], at[1]);
    v8 x = at[0] - v8_all((float)volume->floor_low[0]);
    v8 z = at[1] - v8_all((float)volume->floor_low[1]);
    v8 wide = v8_all((float)(volume->floor_n[0] - 1)),
       long_ = v8_all((float)(volume->floor_n[1] - 1));
    w8 on = ~v8_less(x, zero) & ~v8_less(z, zero) & v8_less(x, wide) & v8_less(z, long_);

    x = v8_select(on, x, zero);
    z = v8_select(on, z, zero);
    v8 i = v8_floor(x), k = v8_floor(z);
    w8 place = v8_int(i) + v8_int(k) * w8_all(volume->floor_n[0]);
    const float *p = volume->floor_shadow, *q = p + volume->floor_n[0];
    v8 open = v8_mix(v8_mix(v8_gather(p, place), v8_gather(p + 1, place), x - i),
                     v8_mix(v8_gather(q, place), v8_gather(q + 1, place), x - i), z - k);

    open = v8_select(on, open, v8_all(1.0f));
    sky = v8_mix(sky, v8_all(1.0f), v8_smooth(zero, v8_all(0.3f * size), outside));
    vec sun = vec_make(input->light.colour) *
              vec_all(input->light.intensity * not_below(volume->light[1]));
    vec ambient = vec_make(input->light.ambient_colour) * vec_all(input->light.ambient);
    gy_three light =
        three_along(three_scale(gy_colours_all(sun), open), gy_colours_all(ambient), sky);
    gy_three colour = three_times(light, gy_colours_all(vec_make(input->settings.floor_colour)));

    return three_mix(colour, behind, v8_smooth(v8_all(0.1f * size), v8_all(2.2f * size), outside));
}

// Where rays meet solids and sheets.
static v8 hits_of(const gy_march_view *view, const rays *r)
{
    const gy_volume *volume = view->volume;
    v8 hit = v8_all(1e30f);
    w8 may = v8_less(r->solids.near, r->solids.far), wall = v8_less(r->sheets.near, r->sheets.far);

    for (int i = 0; volume->has_solid && i < GY_WIDE && w8_any(may); i++) {
        if (!may[i])
            continue;
        one_ray one = one_of(view, r, i);

        hit[i] = hit_solid(volume, &one, r->solids.near[i], r->solids.far[i]);
    }
    for (int i = 0; volume->sheets != NULL && i < GY_WIDE && w8_any(wall); i++) {
        if (!wall[i])
            continue;
        one_ray one = one_of(view, r, i);
        float far = r->sheets.far[i] < hit[i] ? r->sheets.far[i] : hit[i];
        float at = hit_sheet(volume, &one, r->sheets.near[i], far);

        hit[i] = at < hit[i] ? at : hit[i];
    }
    return hit;
}

// Where rays meet the floor.
GY_VEC_INLINE v8 floor_of(const gy_march_view *view, const rays *r)
{
    v8 never = v8_all(1e30f);

    if (!view->volume->has_floor || !(view->eye[1] > 0.5f))
        return never;
    return v8_select(v8_less(r->along.c[1], v8_all(0.0f)),
                     v8_all(0.5f - view->eye[1]) * r->inverse.c[1], never);
}

// Display colours through eight places of the picture.
static gy_three shade_eight(const gy_march_view *view, const rays *r, v8 x, v8 y, v8 noise, v8 hit)
{
    const gy_volume *volume = view->volume;
    v8 never = v8_all(1e29f), floor_at = floor_of(view, r), end = r->smoke.far;
    gy_three colour = background(view, x, y);

    w8 solid = v8_less(hit, floor_at) & v8_less(hit, never),
       ground = v8_less(floor_at, never) & ~solid;

    if (w8_any(ground))
        colour = three_select(
            ground, shade_floor(view, r, v8_select(ground, floor_at, v8_all(0.0f)), colour),
            colour);
    end = v8_select(solid, v8_min(end, hit), v8_select(ground, v8_min(end, floor_at), end));
    w8 smoke = v8_less(r->smoke.near, end);

    for (int i = 0; i < GY_WIDE && w8_any(solid | smoke); i++) {
        float through = 1.0f;
        vec light = vec_all(0.0f);

        if (!(solid[i] | smoke[i]))
            continue;
        one_ray one = one_of(view, r, i);

        if (solid[i]) {
            vec body = shade_solid(view, &one, hit[i]);

            for (int c = 0; c < 3; c++)
                colour.c[c][i] = body[c];
        }
        if (smoke[i])
            light = gather_light(view, &one, r->smoke.near[i], end[i], noise[i], &through);
        for (int c = 0; c < 3; c++)
            colour.c[c][i] = light[c] + colour.c[c][i] * through;
    }
    return gy_tone_wide(three_scale(colour, v8_all(volume->input->settings.exposure)));
}

void GY_DRAWN(gy_march_hits)(void *argument, int y)
{
    const gy_march_view *view = argument;

    for (int x = 0; x < view->image->width; x += GY_WIDE) {
        rays r = make_rays(view, v8_count() + v8_all((float)x + 0.5f), v8_all((float)y + 0.5f));

        v8_store(view->hits + y * view->row + x, hits_of(view, &r));
    }
}

// Whether a solid's outline runs through the pixels' neighbourhoods.
static w8 on_edge(const gy_march_view *view, int x, int y)
{
    static const int to[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const gyre_image *image = view->image;
    const float *own = view->hits + y * view->row + x;
    w8 edge = w8_all(0), column = w8_count() + w8_all(x);

    for (int i = 0; i < 4; i++) {
        int b = y + to[i][1];
        w8 there = column + w8_all(to[i][0]);

        if (b < 0 || b >= image->height)
            continue;
        v8 other = v8_load(own + to[i][0] + to[i][1] * view->row);

        edge |= v8_less(v8_all(3.0f), v8_abs(v8_load(own) - other)) & (there >= w8_all(0)) &
                (there < w8_all(image->width));
    }
    return edge;
}

// Four rays through a pixel.
static vec shade_edge(const gy_march_view *view, int x, int y, float noise)
{
    // A rotated square: four samples at four different heights and four different widths.
    v8 px = v8_all((float)x) + (v8){0.375f, 0.875f, 0.125f, 0.625f, 0.375f, 0.875f, 0.125f, 0.625f};
    v8 py = v8_all((float)y) + (v8){0.125f, 0.375f, 0.625f, 0.875f, 0.125f, 0.375f, 0.625f, 0.875f};
    rays r = make_rays(view, px, py);

    // The second four would be the first again.
    for (int i = 4; i < GY_WIDE; i++)
        r.smoke.far[i] = r.solids.far[i] = r.sheets.far[i] = -1.0f;
    gy_three four = shade_eight(view, &r, px, py, v8_all(noise), hits_of(view, &r));
    vec sum = vec_all(0.0f);

    for (int c = 0; c < 3; c++)
        sum[c] = 0.25f * (four.c[c][0] + four.c[c][1] + four.c[c][2] + four.c[c][3]);
    return sum;
}

void GY_DRAWN(gy_march_row)(void *argument, int y)
{
    const gy_march_view *view = argument;
    const gyre_image *image = view->image;
    uint8_t *rgb = image->rgb + 3 * (size_t)y * (size_t)image->width;

    for (int x = 0; x < image->width; x += GY_WIDE) {
        v8 px = v8_count() + v8_all((float)x + 0.5f), py = v8_all((float)y + 0.5f);
        v8 noise = gy_noise_wide(v8_count() + v8_all((float)x), (float)y), hit = v8_all(1e30f);
        rays r = make_rays(view, px, py);
        w8 edge = w8_all(0);

        if (view->hits != NULL) {
            hit = v8_load(view->hits + y * view->row + x);
            edge = on_edge(view, x, y);
        }
        gy_three colour = shade_eight(view, &r, px, py, noise, hit);

        for (int i = 0; i < GY_WIDE && w8_any(edge); i++) {
            if (!edge[i])
                continue;
            vec own = shade_edge(view, x + i, y, noise[i]);

            for (int c = 0; c < 3; c++)
                colour.c[c][i] = own[c];
        }
        gy_put_wide(rgb + 3 * (size_t)x, x, y, image->width - x, colour);
    }
}

// ---- parts of a picture of several models

GY_VEC_INLINE rays look_along(const gy_march_look *look, int first)
{
    return make_rays(look->view, v8_load(look->rays->x + first), v8_load(look->rays->y + first));
}

// The background, and the floor where there is one.
void GY_DRAWN(gy_march_behind)(void *argument, int task)
{
    const gy_march_look *look = argument;
    const gy_march_view *view = look->view;
    int first = GY_WIDE * task;
    rays r = look_along(look, first);
    v8 floor_at = floor_of(view, &r), never = v8_all(1e29f);
    gy_three colour =
        background(view, v8_load(look->rays->x + first), v8_load(look->rays->y + first));
    w8 ground = v8_less(floor_at, never);

    if (w8_any(ground))
        colour = three_select(
            ground, shade_floor(view, &r, v8_select(ground, floor_at, v8_all(0.0f)), colour),
            colour);
    for (int c = 0; c < 3; c++)
        v8_store(look->rays->colour[c] + first, colour.c[c]);
    v8_store(look->rays->far + first,
             v8_select(ground, floor_at * v8_all(view->volume->h), v8_all(1e30f)));
    v8_store(look->rays->met + first,
             v8_select(ground, v8_all((float)GY_MET_FLOOR), v8_all((float)GY_MET_SKY)));
}

void GY_DRAWN(gy_march_solids)(void *argument, int task)
{
    const gy_march_look *look = argument;
    gy_rays *all = look->rays;
    int first = GY_WIDE * task;
    float h = look->view->volume->h;
    rays r = look_along(look, first);
    v8 hit = hits_of(look->view, &r);

    for (int i = 0; i < GY_WIDE; i++) {
        if (!(hit[i] < 1e29f && hit[i] * h < all->far[first + i]))
            continue;
        one_ray one = one_of(look->view, &r, i);
        vec body = shade_solid(look->view, &one, hit[i]);

        for (int c = 0; c < 3; c++)
            all->colour[c][first + i] = body[c];
        all->far[first + i] = hit[i] * h;
        all->met[first + i] = (float)(GY_MET_SOLID + look->which);
    }
}

void GY_DRAWN(gy_march_smoke)(void *argument, int task)
{
    const gy_march_look *look = argument;
    gy_rays *all = look->rays;
    int first = GY_WIDE * task;
    rays r = look_along(look, first);
    v8 end = v8_min(r.smoke.far, v8_load(all->far + first) * v8_all(1.0f / look->view->volume->h));
    w8 smoke = v8_less(r.smoke.near, end);

    for (int i = 0; i < GY_WIDE && w8_any(smoke); i++) {
        float through = 1.0f;

        if (!smoke[i])
            continue;
        one_ray one = one_of(look->view, &r, i);
        vec light = gather_light(look->view, &one, r.smoke.near[i], end[i], all->noise[first + i],
                                 &through);

        for (int c = 0; c < 3; c++)
            all->colour[c][first + i] = light[c] + all->colour[c][first + i] * through;
        all->through[first + i] *= through;
    }
}

// From a point of the floor towards the light, through smoke and solids.
static float walk_to_light(const gy_volume *volume, vec from)
{
    const gy_cells *cells = &volume->opaque;
    float near = 0.0f, far = 1e30f, depth = 0.0f;
    const float step = 1.0f;
    one_ray way = {.from = from, .along = volume->light, .forward = volume->light > vec_all(0.0f)};

    for (int axis = 0; axis < 3; axis++) {
        float low = 0.0f, high = (float)(volume->n[axis] + 1) - 1e-3f, l = volume->light[axis];

        way.inverse[axis] = 1.0f / (l < 0.0f ? (l < -1e-6f ? l : -1e-6f) : (l > 1e-6f ? l : 1e-6f));
        if (l < 1e-6f && l > -1e-6f) {
            if (from[axis] < low || from[axis] > high)
                return 1.0f;
            continue;
        }
        float a = (low - from[axis]) / l, b = (high - from[axis]) / l;
        float in = a < b ? a : b, out = a < b ? b : a;

        near = in > near ? in : near;
        far = out < far ? out : far;
    }
    for (float t = near + 0.5f * step; t < far && depth < 8.0f; t += step) {
        vec at = inside(volume, from + volume->light * vec_all(t));
        ivec base = __builtin_convertvector(at, ivec);

        if (brick_of(&volume->active, base) <= 0.0f &&
            (!volume->has_solid || brick_of(&volume->solids, base) <= 0.0f)) {
            float skip = up_to((leave(&way, base) - t) * (1.0f / step));

            t += skip > 1.0f ? (skip - 1.0f) * step : 0.0f;
            continue;
        }
        depth += step * gy_sample(cells, at);
    }
    return v8_exp(v8_all(-depth))[0];
}

void GY_DRAWN(gy_floor_row)(void *argument, int row)
{
    gy_volume *volume = argument;

    for (int i = 0; i < volume->floor_n[0]; i++) {
        vec from = {(float)(volume->floor_low[0] + i), 0.5f, (float)(volume->floor_low[1] + row),
                    0.0f};

        volume->floor_shadow[i + row * volume->floor_n[0]] = walk_to_light(volume, from);
    }
}
