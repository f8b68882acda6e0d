// Rays through smoke: emission and absorption (Max 1995) along each ray at a fixed spacing, started
// at a distance that differs from pixel to pixel but never from frame to frame; phase function of
// Henyey and Greenstein; solids as opaque surfaces, a floor, a background. Lengths are in cells;
// the centre of cell (i, j, k) has the coordinates (i + 1, j + 1, k + 1).
//   MIX between two frames    SOLID    GLOW    FLOOR    FINE outlines of solids by four samples
//   VEINS with a texture that flows: see texel.glsl; COARSE by cells
//   TINT scalars as smoke, each with its colour    SHINE as light    CLOUDY as ink, one colour of it
//   FLAME a field that shines beside heat    OWN smoke in the light of what glows in it; STILL both
//   of the later frame alone: a shader has sixteen textures
//   INKS clear, all colours at once, without solids
uniform sampler3D smoke_later, smoke_earlier;
uniform sampler3D heat_later, heat_earlier;
uniform sampler3D dyes_later, dyes_earlier; // red, green, blue; sum of amounts
uniform vec3 pick;                          // the colour of the light that is drawn
uniform float shine, cloudiness;
uniform sampler3D bricks; // red: smoke or glow in 8 x 8 x 8 cells; green: solids
uniform sampler2D glow;   // light given off per cell, by temperature; its sum up to there
uniform sampler2D floor_shadow;
uniform float blend, spacing, heat_scale;
uniform vec3 eye, forward, right, up;
uniform vec3 active_low, active_high, solid_low, solid_high;
uniform vec3 light, sun, sky;              // sun and sky: albedo included
uniform vec3 lamp, ambient;                // the same without
uniform vec3 top, bottom, solid_colour, floor_colour;
uniform float exposure, anisotropy;
uniform bool shadow, fit_for_screen; // bytes, dithered; else colour and whether it is a surface
uniform bool on_paper;               // alone: it is enlarged as the shader enlarge has PAPER
uniform vec2 floor_low, floor_size;  // cells of the floor's shadow map

out vec4 pixel_colour;

const float NEVER = 1e30;

struct ray {
    vec3 from, along, inverse;
    float near, far;
};

vec3 inside(vec3 at)
{
    return clamp(at, vec3(0.0), vec3(n) + 0.999);
}

void clip(ray r, vec3 low, vec3 high, inout float near, inout float far)
{
    vec3 a = (low - r.from) * r.inverse, b = (high - r.from) * r.inverse;
    vec3 enter = min(a, b), leave = max(a, b);

    near = max(near, max(enter.x, max(enter.y, enter.z)));
    far = min(far, min(leave.x, min(leave.y, leave.z)));
}

// xy in pixels from the upper left corner.
ray make_ray(vec2 xy)
{
    ray r;
    vec3 along = forward + right * ((xy.x - 0.5 * rect.z) / rect.w) +
                 up * ((0.5 * rect.w - xy.y) / rect.w);

    along = normalize(along);
    along = mix(along, vec3(1e-7), lessThan(abs(along), vec3(1e-7)));
    r.from = eye;
    r.along = along;
    r.inverse = 1.0 / along;
    r.near = 0.0;
    r.far = NEVER;
    clip(r, vec3(0.0), vec3(n) + 0.999, r.near, r.far);
    return r;
}

// Where the ray leaves the brick.
float leave(ray r, ivec3 brick)
{
    vec3 wall = vec3(brick * 8 + ivec3(greaterThan(r.along, vec3(0.0))) * 8);
    vec3 t = (wall - r.from) * r.inverse;

    return min(t.x, min(t.y, t.z));
}

vec4 smoke_at(vec3 at)
{
    vec3 place = FOLD((at + 0.5) / vec3(n + 2));
    vec4 smoke = textureLod(smoke_later, place, 0.0);
#ifdef MIX
    smoke = mix(textureLod(smoke_earlier, place, 0.0), smoke, blend);
#endif
    return smoke;
}

#ifdef SOLID
vec2 body_at(vec3 at)
{
    return textureLod(body, (at - 0.5) / vec3(n), 0.0).rg;
}

const float PACE = 0.5;

// The first of steps that is inside a solid; `near` becomes where steps began.
float find_solid(ray r, out float near)
{
    float far = r.far, t;
    bool hit = false;

    near = r.near;
    clip(r, solid_low, solid_high, near, far);
    for (t = near; t < far;) {
        vec3 at = inside(r.from + r.along * t);
        ivec3 brick = ivec3(at) / 8;

        if (texelFetch(bricks, brick, 0).g == 0.0) {
            t = max(leave(r, brick), t) + 1e-2;
        } else {
            hit = body_at(at).r >= 0.5;
            if (hit)
                break;
            t += PACE;
        }
    }
    return hit ? t : NEVER;
}

float hit_solid(ray r)
{
    float near, high = find_solid(r, near), low = max(high - PACE, near);

    if (high == NEVER)
        return NEVER;
    for (int i = 0; i < 7; i++) {
        float middle = 0.5 * (low + high);

        if (body_at(inside(r.from + r.along * middle)).r >= 0.5)
            high = middle;
        else
            low = middle;
    }
    return high;
}

vec3 shade_solid(ray r, float t)
{
    const float reach = 0.75;
    vec3 at = r.from + r.along * t, normal;

    normal.x = body_at(inside(at - vec3(reach, 0, 0))).g - body_at(inside(at + vec3(reach, 0, 0))).g;
    normal.y = body_at(inside(at - vec3(0, reach, 0))).g - body_at(inside(at + vec3(0, reach, 0))).g;
    normal.z = body_at(inside(at - vec3(0, 0, reach))).g - body_at(inside(at + vec3(0, 0, reach))).g;
    normal = dot(normal, normal) > 1e-12 ? normalize(normal) : -r.along;
    // Light is asked for a little outside, where no cell counts as solid.
    vec4 near_by = smoke_at(inside(at + normal * 1.8));
    float above = smoke_at(inside(at + normal * 3.5)).a;
    float lambert = max(dot(normal, light), 0.0);
    vec3 middle = light - r.along;

    middle = dot(middle, middle) > 1e-12 ? normalize(middle) : vec3(1.0, 0.0, 0.0);
    float shine = pow(max(dot(normal, middle), 0.0), 48.0) * 0.22;
    vec3 direct = lamp * (shadow ? near_by.g : 1.0);
    vec3 soft = ambient * (above * (1.5 + 0.5 * normal.y));

    return solid_colour * (direct * lambert + soft) + direct * (lambert > 0.0 ? shine : 0.0);
}
#endif

float phase(float g, float cosine)
{
    float d = 1.0 + g * g - 2.0 * g * cosine;

    return (1.0 - g * g) / (d * sqrt(d));
}

#ifdef GLOW
// In entries of the table.
float heat_at(vec3 at)
{
    vec3 place = (at - 0.5) / vec3(n);
    float heat = textureLod(heat_later, place, 0.0).r;
#ifdef MIX
    heat = mix(textureLod(heat_earlier, place, 0.0).r, heat, blend);
#endif
    // It fades out through the margin.
    vec3 edge = clamp(min(at, vec3(n + 1) - at), 0.0, 1.0);

    return max(256.0 * heat_scale * heat * edge.x * edge.y * edge.z, 0.0);
}

vec3 glow_of(float heat)
{
    int i = min(int(min(heat, 256.0)), 255);

    return mix(texelFetch(glow, ivec2(i, 0), 0).rgb, texelFetch(glow, ivec2(i + 1, 0), 0).rgb,
               min(heat - float(i), 1.0));
}

vec3 glow_up_to(float heat)
{
    int i = min(int(min(heat, 256.0)), 255);
    float f = min(heat - float(i), 1.0);
    vec3 low = texelFetch(glow, ivec2(i, 0), 0).rgb, high = texelFetch(glow, ivec2(i + 1, 0), 0).rgb;

    return texelFetch(glow, ivec2(i, 1), 0).rgb + (low + (high - low) * (0.5 * f)) * f +
           high * max(heat - 256.0, 0.0);
}

// What heat gives off along a way on which it goes evenly from one to another.
vec3 glow_between(float from, float to)
{
    if (!(from > 0.0) && !(to > 0.0))
        return vec3(0.0);
    return abs(to - from) < 0.5 ? glow_of(0.5 * (from + to))
                                : (glow_up_to(to) - glow_up_to(from)) / (to - from);
}
#endif

#if defined(TINT) || defined(SHINE) || defined(CLOUDY) || defined(INKS)
vec4 dyes_at(vec3 at)
{
    vec3 place = (at - 0.5) / vec3(n);
    vec4 dyes = textureLod(dyes_later, place, 0.0);
#ifdef MIX
    dyes = mix(textureLod(dyes_earlier, place, 0.0), dyes, blend);
#endif
    return dyes;
}
#endif

#if defined(TINT) || defined(CLOUDY)
// The share of the light that is sent on, of what is taken at a place.
vec3 tint_at(vec3 at)
{
    vec4 dyes = dyes_at(at);
#ifdef TINT
    return dyes.a > 1e-12 ? dyes.rgb / dyes.a : vec3(0.0);
#else
    float taken = dot(dyes.rgb, pick);

    return vec3(taken > 1e-12 ? cloudiness * dyes.a / taken : 0.0);
#endif
}
#endif

#ifdef FLAME
uniform sampler3D flame_later, flame_earlier;
uniform vec3 flame_light; // of a unit of it, per cell

// It fades out through the margin.
vec3 flame_at(vec3 at)
{
    vec3 place = (at - 0.5) / vec3(n), edge = clamp(min(at, vec3(n + 1) - at), 0.0, 1.0);
    float flame = textureLod(flame_later, place, 0.0).r;
#if defined(MIX) && !defined(STILL)
    flame = mix(textureLod(flame_earlier, place, 0.0).r, flame, blend);
#endif
    return flame_light * (clamp(flame, 0.0, 1e6) * edge.x * edge.y * edge.z);
}
#endif

#ifdef OWN
uniform sampler3D own_later, own_earlier;
uniform vec3 own_cells, sends; // cells along all of theirs; the smoke's albedo

// What smoke that takes so much per cell sends on of the light that comes to it from what glows.
vec3 own_at(vec3 at, float smoke)
{
    vec3 place = (at - 0.5) / own_cells, light = textureLod(own_later, place, 0.0).rgb;
#if defined(MIX) && !defined(STILL)
    light = mix(textureLod(own_earlier, place, 0.0).rgb, light, blend);
#endif
#ifdef TINT
    return light * tint_at(at) * smoke;
#else
    return light * sends * smoke;
#endif
}
#endif

#ifdef VEINS
uniform sampler3D places_0, places_1, places_2; // m from each cell

// By what the texture multiplies smoke.
float vein_at(vec3 at)
{
    vec3 place = (at - 0.5) / vec3(n), metres = (at - 0.5) * cell;
#ifdef COARSE
    return textureLod(veins, place, 0.0).r;
#endif
    float size = 0.5 * cell * per_metre, sum;

    sum = weights.x * deviation((textureLod(places_0, place, 0.0).xyz + metres + offsets[0]) *
                                per_metre, size);
#if PHASES > 1
    sum += weights.y * deviation((textureLod(places_1, place, 0.0).xyz + metres + offsets[1]) *
                                 per_metre, size);
#endif
#if PHASES > 2
    sum += weights.z * deviation((textureLod(places_2, place, 0.0).xyz + metres + offsets[2]) *
                                 per_metre, size);
#endif
    return max(1.0 + textureLod(veins, place, 0.0).g * sum, 0.0);
}
#endif

#ifdef INKS
#define LIGHT vec3
uniform sampler3D green_later, green_earlier, blue_later, blue_earlier; // as smoke_later

// Clear ink: what of each colour it takes, per cell. It fades out through the margin.
vec3 ink_at(vec3 at)
{
    vec3 edge = clamp(min(at, vec3(n + 1) - at), 0.0, 1.0);

    return dyes_at(at).rgb * (extinction * edge.x * edge.y * edge.z);
}

// Light of the sky.
vec3 above_at(vec3 at)
{
    vec3 place = FOLD((at + 0.5) / vec3(n + 2));
    vec3 sky = vec3(textureLod(smoke_later, place, 0.0).a, textureLod(green_later, place, 0.0).a,
                    textureLod(blue_later, place, 0.0).a);
#ifdef MIX
    sky = mix(vec3(textureLod(smoke_earlier, place, 0.0).a,
                   textureLod(green_earlier, place, 0.0).a,
                   textureLod(blue_earlier, place, 0.0).a), sky, blend);
#endif
    return sky;
}
#else
#define LIGHT float

float above_at(vec3 at)
{
    return smoke_at(at).a;
}
#endif

// Light that a ray gathers, and the share that passes.
struct passed {
    vec3 colour;
    LIGHT left;
};

// Up to `end`.
passed gather(ray r, float end, float noise)
{
    float cosine = dot(r.along, light), near = r.near, s, t;
    LIGHT left = LIGHT(1.0);
    vec3 direct = sun * (0.5 * phase(anisotropy, cosine));
    vec3 scattered = sun * (0.5 * phase(0.4 * anisotropy, cosine)), colour = vec3(0.0);

    clip(r, active_low, active_high, near, end);
    s = ceil(near / spacing - noise);
    for (;;) {
        vec3 at;

        // Empty bricks first, on the same spacing, so that skipping changes no picture.
        for (;;) {
            t = (s + noise) * spacing;
            at = inside(r.from + r.along * t);
            ivec3 brick = ivec3(at) / 8;

            if (!(t < end) || texelFetch(bricks, brick, 0).r > 0.0)
                break;
            s += max(ceil((leave(r, brick) - t) / spacing), 1.0);
        }
        if (!(t < end))
            break;
        float part = min(end - t, spacing);
#ifdef INKS
        left *= fade(ink_at(at) * part);
        left = mix(left, vec3(0.0), lessThan(left, vec3(0.004)));
        if (left == vec3(0.0))
            break;
#else
        vec4 there = smoke_at(at);
#ifdef OWN
        float lit = there.r;
#endif
#ifdef VEINS
        if (there.r > 1e-6)
            there.r *= vein_at(at);
#endif
        float stay = fade(there.r * part);

#if defined(TINT) || defined(CLOUDY)
        colour += tint_at(at) * (direct * there.g + scattered * there.b + sky * there.a) *
                  (left * (1.0 - stay));
#else
        colour += (direct * there.g + scattered * there.b + sky * there.a) * (left * (1.0 - stay));
#endif
        left *= stay;
        if (left < 0.004) {
            left = 0.0;
            break;
        }
#endif
#ifdef GLOW
        float heat = heat_at(at), half_way = heat_at(inside(r.from + r.along * (t + 0.5 * spacing)));
        float next = heat_at(inside(r.from + r.along * (t + spacing)));
        float first = min(part, 0.5 * spacing), rest = part - first;

        colour += glow_between(heat, mix(heat, half_way, 2.0 * first / spacing)) * (left * first) +
                  glow_between(half_way, mix(half_way, next, 2.0 * rest / spacing)) * (left * rest);
#endif
#if defined(FLAME) || defined(OWN)
        vec3 shines = vec3(0.0);
#ifdef FLAME
        shines += flame_at(at);
#endif
#ifdef OWN
        shines += own_at(at, lit);
#endif
#ifdef SOLID
        shines *= 1.0 - clamp(body_at(at).r, 0.0, 1.0);
#endif
        colour += shines * (left * part);
#endif
#ifdef SHINE
        // It fades out through the margin.
        vec3 edge = clamp(min(at, vec3(n + 1) - at), 0.0, 1.0);

        colour += dyes_at(at).rgb * (shine * part * edge.x * edge.y * edge.z);
#endif
        s += 1.0;
    }
    return passed(colour, left);
}

vec3 background(vec2 xy)
{
    vec2 d = (xy - 0.5 * rect.zw) / rect.w;
    vec3 colour = mix(top, bottom, smooth_step(0.0, 1.0, xy.y / rect.w));

    if (on_paper)
        return colour;
    return transparent ? vec3(0.0) : colour * (1.0 - 0.45 * dot(d, d)); // darker corners
}

#ifdef FLOOR
// `faint`: how far it has become what is behind.
vec3 shade_floor(ray r, float t, vec3 behind, out float faint)
{
    vec3 at = r.from + r.along * t;
    vec2 high = vec2(n.xz) + 0.5, d = max(max(0.5 - at.xz, at.xz - high), 0.0);
    float outside = length(d), size = float(max(n.x, max(n.y, n.z)));
    LIGHT open = LIGHT(1.0), above = above_at(inside(vec3(at.x, 1.0, at.z)));
    vec2 place = (at.xz - floor_low) / floor_size;

    if (all(greaterThan(place, vec2(0.0))) && all(lessThan(place, vec2(1.0))))
#ifdef INKS
        open = textureLod(floor_shadow, place, 0.0).rgb;
#else
        open = textureLod(floor_shadow, place, 0.0).r;
#endif
    above = mix(above, LIGHT(1.0), smooth_step(0.0, 0.3 * size, outside));
    vec3 arrives = lamp * (open * max(light.y, 0.0)) + ambient * above;

    faint = smooth_step(0.1 * size, 2.2 * size, outside);
    return mix(arrives * floor_colour, behind, faint);
}
#endif

// Alpha: whether a surface is seen; of transparent pictures the share that passes of what is behind.
vec4 shade_ray(ray r, vec2 xy, float noise, float hit)
{
    vec3 behind = background(xy);
    float end = r.far, floor_at = NEVER, surface = 0.0, behind_left = 1.0;

#ifdef FLOOR
    if (r.along.y < 0.0 && r.from.y > 0.5)
        floor_at = (0.5 - r.from.y) * r.inverse.y;
#endif
#ifdef SOLID
    if (hit < floor_at && hit < 0.1 * NEVER) {
        behind = shade_solid(r, hit);
        end = min(end, hit);
        surface = 1.0;
        behind_left = 0.0;
        floor_at = NEVER;
    }
#endif
#ifdef FLOOR
    if (floor_at < 0.1 * NEVER) {
        behind = shade_floor(r, floor_at, behind, behind_left);
        end = min(end, floor_at);
    }
#endif
    passed smoke = gather(r, end, noise);

    vec3 seen = tone_map(exposure * (smoke.colour + behind * smoke.left));

#ifndef INKS
    if (transparent)
        return vec4(seen, smoke.left * behind_left);
#endif
    return vec4(seen, surface);
}

void main()
{
    vec2 pixel = pixel_of(gl_FragCoord.xy), middle = pixel + 0.5;
    float noise = pixel_noise(pixel), hit = NEVER;
    ray r = make_ray(middle);
    vec4 colour;

#ifdef SOLID
    // A rotated square: four samples at four different heights and four different widths.
    vec2 spread[4] = vec2[4](vec2(0.375, 0.125), vec2(0.875, 0.375), vec2(0.125, 0.625),
                             vec2(0.625, 0.875));
#ifdef FINE
    float hits[4], least = NEVER, most = 0.0;

    for (int i = 0; i < 4; i++) {
        hits[i] = hit_solid(make_ray(pixel + spread[i]));
        least = min(least, hits[i]);
        most = max(most, hits[i]);
    }
    if (most - least > 1.5) {
        colour = vec4(0.0);
        for (int i = 0; i < 4; i++)
            colour += 0.25 * shade_ray(make_ray(pixel + spread[i]), pixel + spread[i], noise,
                                       hits[i]);
    } else {
        hit = most < 0.1 * NEVER ? hit_solid(r) : NEVER;
        colour = shade_ray(r, middle, noise, hit);
    }
#else
    // To be enlarged: how much of the pixel the surface covers, above a half where its colour is
    // the surface's.
    float cover = 0.0, near;

    for (int i = 0; i < 4; i++)
        cover += find_solid(make_ray(pixel + spread[i]), near) < NEVER ? 0.25 : 0.0;
    hit = hit_solid(r);
    colour = shade_ray(r, middle, noise, hit);
    if (!transparent)
        colour.a = colour.a > 0.5 ? max(cover, 0.52) : min(cover, 0.48);
#endif
#else
    colour = shade_ray(r, middle, noise, hit);
#endif
    if (transparent) {
        vec4 clear = over_page(colour.rgb, vec3(colour.a));

        pixel_colour = fit_for_screen ? dither(clear, pixel) : clear;
        return;
    }
    vec3 bytes = to_srgb(colour.rgb);

    pixel_colour = fit_for_screen ? dither(bytes, pixel) : vec4(bytes, colour.a);
}
