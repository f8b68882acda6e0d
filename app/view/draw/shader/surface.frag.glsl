// Light from a point of water, ground, bodies or bars; the sky where there is none. As
// src/render/surface.c, but for what water mirrors and what stands in it: bodies are looked up in
// a picture of them along the ray, and a wave is not seen in another. BELOW: from under water.
// Each fragment is moved along its ray to where the finer relief is, and there belongs to water or
// to ground, so that neither shores nor waves show of which triangles they are.
//
// A processor that draws works off all that stands in a shader, whatever its branches say: what a
// scene has none of is left out by macros. LEVEL: the bed is; DRY: ground stands out of the water.
uniform vec3 eye, forward, right, up; // the picture is 1 high and stands 1 away
uniform vec3 right_per, up_per;
uniform vec3 light, below, sun, ambient, absorb, deep;
uniform vec3 bed_colour, sky_top, sky_horizon, body_colours[6];
uniform float clouds, shore, longest, exposure, lowest, highest, ground_high;
uniform bool shadow;
uniform vec3 body_low, body_high; // a box round all bodies
uniform float tile;               // width of tiles on the bed; 0: there are none
uniform vec2 corner;              // of the domain
#ifdef CAUSTICS
uniform sampler2D caustics; // the sun's light on the bed, of light 1 across its rays
#endif
uniform sampler2D bodies;            // their light and, above 0, their distance from the eye
uniform sampler2DShadow shade_ground_map, shade_body_map;
uniform mat4 to_light;
uniform float light_depth; // cells from 0 to 1 in those maps

#ifdef FOAM
uniform sampler2D foam_later, foam_earlier; // of cells, 0 to 1
uniform float foaming, foam_blend;          // a factor; of the later
#endif
uniform ivec2 cells;
#if defined PHASES_1 || defined PHASES_2 || defined PHASES_3 || defined WET
uniform sampler2D flow_first, flow_second; // see view_surface.flow
#endif
#if defined PHASES_3
const int PHASES = 3;
#elif defined PHASES_2
const int PHASES = 2;
#else
const int PHASES = 1;
#endif
#if defined RIPPLES || defined FLOWS
const int WAVES = 16;
uniform vec3 ripple_turns[WAVES]; // a metre; the square of their length
uniform vec2 ripple_slope[WAVES], phase_place[3];
uniform float ripple_phase[3 * WAVES], phase_weight[3]; // turns
uniform float gust, unit, half_speed;
#endif
uniform float pixel; // its width at a distance of 1

// What is seen, so that edges between things are known.
#if defined SKY
#define KIND 0.1
#elif defined OVERHANG
#define KIND 0.25
#elif defined BODY
#define KIND 1.0
#elif defined WATER && defined CUT
#define KIND 0.85
#elif defined CUT
#define KIND 0.7
#elif defined WATER
#define KIND 0.4
#else
#define KIND 0.55
#endif

in vec3 spot;
in vec3 facing;
#ifdef TILES
flat in float reach;
#endif
#ifdef BODY
flat in float body;
#endif
#ifdef BARS
flat in vec2 bar;
#endif

out vec4 pixel_colour;

const float MIRROR = 0.02;

float lattice(ivec2 at)
{
    uint h = uint(at.x) * 0x8da6b343u ^ uint(at.y) * 0xd8163841u;

    h ^= h >> 13;
    h *= 0x5bd1e995u;
    h ^= h >> 15;
    return float(h & 0xffffffu) * (1.0 / 16777216.0);
}

float value_noise(vec2 at)
{
    vec2 base = floor(at), f = at - base;
    ivec2 i = ivec2(base);

    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(lattice(i), lattice(i + ivec2(1, 0)), f.x),
               mix(lattice(i + ivec2(0, 1)), lattice(i + ivec2(1, 1)), f.x), f.y);
}

float noise(vec2 at)
{
    float sum = 0.0, weight = 8.0 / 15.0;

    for (int octave = 0; octave < 4; octave++) {
        sum += weight * value_noise(at);
        weight *= 0.5;
        at = vec2(1.6 * at.x + 1.2 * at.y, 1.6 * at.y - 1.2 * at.x);
    }
    return sum;
}

vec3 sky(vec3 along)
{
    vec3 colour;

    if (along.z > 0.0) {
        colour = mix(sky_horizon, sky_top, sqrt(along.z));
        if (clouds > 0.0) {
            float wide = 1.3 / (along.z + 0.12);
            float cloud = noise(along.xy * wide + vec2(7.3, 2.9));

            cloud = smooth_step(0.78 - 0.5 * clouds, 1.0 - 0.35 * clouds, cloud);
            cloud *= smooth_step(0.0, 0.3, along.z);
            colour = mix(colour, 0.35 + 0.9 * sky_horizon, 0.9 * cloud);
        }
    } else {
        colour = sky_horizon * (1.0 - 0.45 * sqrt(min(-1.25 * along.z, 1.0)));
    }
    float towards = max(dot(along, light), 0.0), glow = pow(towards, 8.0);

    if (along.z > -0.05)
        colour += sun * (0.03 * glow + 0.12 * pow(glow, 4.0) + 9.0 * pow(glow, 64.0));
    return colour;
}

#ifndef SKY

vec3 normal_at(vec2 at, bool water)
{
#ifdef LEVEL
    if (!water)
        return vec3(0.0, 0.0, 1.0);
#endif
    float reach = fine > 1.0 ? 0.5 * fine : 1.0;
    vec2 low = max(at - reach, vec2(0.0)), high = min(at + reach, vec2(n));
    vec2 x = heights_at(vec2(high.x, at.y)) - heights_at(vec2(low.x, at.y));
    vec2 y = heights_at(vec2(at.x, high.y)) - heights_at(vec2(at.x, low.y));
    vec2 slope = vec2(water ? x.x : x.y, water ? y.x : y.y) / (high - low);

    return normalize(vec3(-slope, 1.0));
}

float focus_at(vec2 at, float depth)
{
    float w = 2.0 * fine, a = 0.25 * depth / (w * w), middle = 2.0 * heights_at(at).x;
    float xx = heights_at(at - vec2(w, 0.0)).x + heights_at(at + vec2(w, 0.0)).x;
    float yy = heights_at(at - vec2(0.0, w)).x + heights_at(at + vec2(0.0, w)).x;
    float xy = 0.25 * (heights_at(at + vec2(w, w)).x - heights_at(at + vec2(w, -w)).x -
                       heights_at(at + vec2(-w, w)).x + heights_at(at - vec2(w, w)).x);

    xx = a * (xx - middle);
    yy = a * (yy - middle);
    xy *= a;
    return 1.0 / max(abs((1.0 + xx) * (1.0 + yy) - xy * xy), 0.3);
}

// 1: the sun reaches `at`; bodies that stand within `more` behind it, towards the ground, count.
float sunlit(vec3 at, vec3 normal, float more)
{
    if (!shadow || light.z <= 0.0)
        return 1.0;
    vec3 from = at + (normal + light) * 0.05 * fine;
    vec3 place = (to_light * vec4(from, 1.0)).xyz * 0.5 + 0.5;
    float open = 1.0;

#ifndef LEVEL
    open = texture(shade_ground_map, place);
#endif
#ifdef BODIES
    open = min(open, texture(shade_body_map, place + vec3(0.0, 0.0, more / light_depth)));
#endif
    return open;
}

vec3 lit(vec3 albedo, vec3 normal, float open)
{
    return albedo * (sun * (max(dot(normal, light), 0.0) * open) +
                     ambient * (1.5 + 0.5 * normal.z));
}

vec3 lit_below(vec3 albedo, vec3 at, vec3 normal, float depth, bool on_bed)
{
    float path = depth / below.z;
    vec3 top = at + below * path, beam = vec3(0.0);
    float lambert = max(dot(normal, below), 0.0);

    if (light.z > 0.0) {
        float open = sunlit(top, vec3(0.0, 0.0, 1.0), 0.97 * path - 0.05 * fine);

        float part = smooth_step(0.0, 0.5 * fine, depth);

#ifdef CAUSTICS
        if (on_bed)
            lambert = mix(lambert, texture(caustics, at.xy / vec2(n)).r * normal.z, part);
        else
            open *= mix(1.0, focus_at(top.xy, depth) * light.z / below.z *
                                 (0.98 - 0.98 * pow(1.0 - light.z, 5.0)), part);
#else
        open *= mix(1.0, focus_at(top.xy, depth), part);
#endif
        beam = sun * exp(-absorb * path) * open;
    }
    return albedo * (beam * lambert +
                     ambient * exp(-absorb * 1.2 * depth) * (1.5 + 0.5 * normal.z));
}

// The tone of square tiles, with dark joints.
float tiles(vec2 at)
{
    at = (at + corner) / tile;
    vec2 own = floor(at), to = 0.5 - abs(at - own - 0.5);
    float tone = 0.92 + 0.14 * lattice(ivec2(own));

    return tone * mix(0.55, 1.0, smooth_step(0.02, 0.045, min(to.x, to.y)));
}

#ifdef WET
vec4 cubic(float t)
{
    float s = 1.0 - t;
    vec4 w = vec4(s * s * s / 6.0, 2.0 / 3.0 - 0.5 * t * t * (2.0 - t), 0.0, t * t * t / 6.0);

    w.z = 1.0 - w.x - w.y - w.w;
    return w;
}

// How much of the ground water has left wet, of means: a cubic B-spline between cells.
float wet_at(vec2 at)
{
    vec2 place = at / fine - 0.5, base = floor(place);
    vec4 across = cubic(place.x - base.x), up = cubic(place.y - base.y);
    float sum = 0.0;

    for (int b = 0; b < 4; b++) {
        for (int a = 0; a < 4; a++)
            sum += across[a] * up[b] *
                   texelFetch(flow_second,
                              clamp(ivec2(base) + ivec2(a - 1, b - 1), ivec2(0), cells - 1), 0).a;
    }
    return clamp01(sum);
}
#endif

vec3 ground_colour(vec3 at, vec3 normal, float wet, float left)
{
    float scale = 30.0 / longest;

    wet = max(smooth_step(-1.5 * shore, 0.0, wet), smooth_step(0.0, 0.7, left));
    // Ground so level is nothing but tiles.
#if defined LEVEL && defined TILED
    return bed_colour * (tiles(at.xy) * mix(1.0, 0.62, wet));
#else
    if (tile > 0.0 && normal.z > 0.97)
        return bed_colour * (tiles(at.xy) * mix(1.0, 0.62, wet));
    float grain = noise(at.xy * scale);
    float coarse = noise(at.xy * scale * 0.23 + vec2(5.0, 9.0));
    float level = smooth_step(0.72, 0.9, normal.z + 0.12 * (coarse - 0.5));
    vec3 colour = mix(vec3(0.27, 0.245, 0.22), bed_colour, level);
    float tone = 0.7 + 0.35 * grain + 0.25 * coarse;

    if (tile > 0.0)
        tone = mix(tone, tiles(at.xy), level);
    return colour * (tone * mix(1.0, 0.62, wet));
#endif
}

vec3 shade_ground(vec3 at, vec3 along)
{
    vec3 normal = normal_at(at.xy, false);
    float depth = heights_at(at.xy).x - at.z, left = 0.0;

#ifdef WET
    left = wet_at(at.xy);
#endif
    vec3 colour = ground_colour(at, normal, depth, left);

    if (depth > 0.0)
        return lit_below(colour, at, normal, depth, true);
    colour = lit(colour, normal, sunlit(at, normal, 0.0));
#ifdef WET
    // A film of water on ground that is wet through.
    if (left > 0.4) {
        float cosine = clamp01(-dot(along, normal));
        vec3 back = along + normal * (2.0 * cosine);
        float share = MIRROR + (1.0 - MIRROR) * pow(1.0 - cosine, 5.0);

        back.z = max(back.z, 0.02);
        colour = mix(colour, sky(normalize(back)), share * smooth_step(0.4, 1.0, left) * 0.8);
    }
#endif
    return colour;
}

#ifdef BODY
vec3 shade_body(vec3 at, vec3 normal, vec3 along)
{
    vec3 albedo = body_colours[int(body) % 6];
    bool over = all(greaterThanEqual(at.xy, vec2(0.0))) && all(lessThanEqual(at.xy, vec2(n)));
    float depth = over ? heights_at(at.xy).x - at.z : 0.0;

    normal = dot(normal, along) > 0.0 ? -normal : normal;
    if (depth > 0.0)
        return lit_below(albedo, at, normal, depth, false);
    float open = sunlit(at, normal, 0.0);
    vec3 half_way = normalize(light - along);

    return lit(albedo, normal, open) +
           sun * (pow(max(dot(normal, half_way), 0.0), 48.0) * 0.22 * open);
}
#endif

vec3 shade_cut(vec3 at, vec3 normal)
{
    float scale = 24.0 / longest, run = at.x + at.y, wave = noise(vec2(run * scale * 0.25, 3.0));
    float band = value_noise(vec2(at.z * scale * 2.2 + 3.0 * wave, 0.5));
    float grain = noise(vec2(run, at.z) * scale * 3.0);

    return lit(vec3(0.30, 0.215, 0.145) * (0.55 + 0.5 * band + 0.35 * grain), normal, 1.0);
}

// A body along a ray, in the picture of them: its light and where on the ray, below 0 for none.
vec4 find_body(vec3 from, vec3 along, float far)
{
    const int STEPS = 16;

#ifdef BODIES
    vec3 slow = mix(along, vec3(1e-9), lessThan(abs(along), vec3(1e-9)));
    vec3 one = (body_low - from) / slow, two = (body_high - from) / slow;
    vec3 in_at = min(one, two), out_at = max(one, two);
    float first = max(max(in_at.x, in_at.y), max(in_at.z, 0.0));

    if (min(min(out_at.x, out_at.y), min(out_at.z, far)) < first)
        return vec4(-1.0);
    for (int k = 1; k <= STEPS; k++) {
        float t = far * float(k) / float(STEPS);
        vec3 d = from + along * t - eye;
        float ahead = dot(d, forward);
        vec2 p = vec2(dot(d, right_per), dot(d, up_per)) / ahead;
        vec2 place = vec2(0.5 + p.x * rect.w / rect.z, 0.5 + p.y);
        vec4 seen = texelFetch(bodies, ivec2(place * vec2(textureSize(bodies, 0))), 0);
        float over = length(d) - seen.a;

        if (ahead > 0.0 && seen.a > 0.0 && over > -0.5 * far / float(STEPS) &&
            over < 3.0 * far / float(STEPS) && all(greaterThan(place, vec2(0.0))) &&
            all(lessThan(place, vec2(1.0))))
            return vec4(seen.rgb, max(t - max(over, 0.0), 0.0));
    }
#endif
    return vec4(-1.0);
}

// How far to the side of the domain; `normal`: of that side, outwards.
float leave(vec3 from, vec3 along, out vec3 normal)
{
    vec2 to = (mix(vec2(0.0), vec2(n), greaterThan(along.xy, vec2(0.0))) - from.xy) /
              mix(along.xy, vec2(1e-9), lessThan(abs(along.xy), vec2(1e-9)));

    normal = to.x < to.y ? vec3(sign(along.x), 0.0, 0.0) : vec3(0.0, sign(along.y), 0.0);
    return max(min(to.x, to.y), 0.0);
}

// Where the ray meets the ground before `far`; -1: nowhere.
float find_ground(vec3 from, vec3 along, float far)
{
#if defined CUT || defined BELOW
    const int STEPS = 40;
#else
    const int STEPS = 16;
#endif
#ifdef LEVEL
    float down = along.z < -1e-6 ? max((lowest - from.z) / along.z, 0.0) : far;

    return down < far ? down : -1.0;
#endif
    float low = 0.0, high = far;

    if (along.z < -1e-4)
        high = min(far, (lowest - 0.01 - from.z) / along.z);
    bool met = false;
#ifndef CUT
    // Nearly level ground: the next guess is where the ray is as low as the ground is here.
    float guess = 0.0;

    for (int k = 0; k < 5 && along.z < -0.3; k++) {
        float next = (from.z - heights_at(from.xy + along.xy * guess).y) / -along.z;

        next = clamp(next, 0.0, far);
        if (abs(next - guess) < 0.02)
            return next < far ? next : -1.0;
        guess = next;
    }
#endif
    for (int k = 1; k <= STEPS && !met; k++) {
        float t = high * float(k) / float(STEPS);
        vec3 at = from + along * t;

        if (at.z < heights_at(at.xy).y) {
            high = t;
            met = true;
        } else {
            low = t;
        }
    }
    for (int k = 0; k < 6 && met; k++) {
        float t = 0.5 * (low + high);
        vec3 at = from + along * t;

        if (at.z < heights_at(at.xy).y)
            high = t;
        else
            low = t;
    }
    return met ? high : -1.0;
}

#ifdef WATER

vec3 shade_under(vec3 from, vec3 along)
{
    vec3 left = vec3(1.0), colour = vec3(0.0);

    for (int bounce = 0; bounce < 3; bounce++) {
        vec3 wall, end;
        float far = leave(from, along, wall);
#ifdef BELOW
        // What rises meets the water again, taken as level up to there.
        float rise = along.z > 1e-3 ? (heights_at(from.xy).x - from.z) / along.z : 1e9;

        if (rise >= 0.0 && rise < far) {
            far = rise;
            wall = normal_at(from.xy + along.xy * rise, true);
        }
#endif
        float t = find_ground(from, along, far);
        bool ground_met = t >= 0.0;
        vec4 met = find_body(from, along, ground_met ? t : far);

        t = met.a >= 0.0 ? met.a : ground_met ? t : far;
        vec3 stay = exp(-absorb * t), at = from + along * t;

        colour += left * deep * (1.0 - stay);
        left *= stay;
        if (met.a >= 0.0)
            return colour + left * met.rgb;
        if (ground_met)
            return colour + left * shade_ground(at, along);
        float cosine = max(dot(wall, along), 0.0), inner = 1.0 - 1.7777778 * (1.0 - cosine * cosine);

        if (inner > 0.0) {
            float outer = sqrt(inner), grazing = 1.0 - outer;
            float fresnel = MIRROR + (1.0 - MIRROR) * pow(grazing, 5.0);

            if (fresnel < 0.5 || bounce == 2)
                return colour +
                       left * sky(normalize((along - wall * cosine) * 1.3333333 + wall * outer));
        }
        from = at - wall * 1e-3;
        along -= wall * (2.0 * cosine);
    }
    return colour + left * deep;
}

vec3 shade_mirrored(vec3 from, vec3 along)
{
    vec3 wall;
    float far = leave(from, along, wall);

    if (along.z > 1e-3)
        far = min(far, max(highest - from.z, 0.0) / along.z);
    vec4 met = find_body(from, along, 0.35 * longest);

    if (met.a >= 0.0)
        return met.rgb;
#ifdef DRY
    float t = from.z < ground_high ? find_ground(from, along, far) : -1.0;

    if (t >= 0.0)
        return shade_ground(from + along * t, along);
#endif
    return sky(along);
}

vec3 shade_water(vec3 at, vec3 along, vec3 normal, float seen, float glass)
{
    float cosine = -dot(along, normal);

    if (cosine < 0.02) {
        normal = normalize(normal + along * (cosine - 0.02));
        cosine = 0.02;
    }
    float fresnel = (MIRROR + (1.0 - MIRROR) * pow(1.0 - cosine, 5.0)) * seen * glass;
    float inner = sqrt(1.0 - 0.5625 * (1.0 - cosine * cosine));
    vec3 bent = 0.75 * along + normal * (0.75 * cosine - inner);
    vec3 back = along + normal * (2.0 * cosine);

    if (normal.z > 0.1)
        back.z = max(back.z, 0.03);
    return mix(shade_under(at, normalize(mix(along, bent, seen))),
               shade_mirrored(at + normal * 0.02 * fine, normalize(back)), fresnel);
}
#endif

#if defined WATER && defined BELOW
// The water's skin from inside; `top`: its surface, not a side of the domain.
vec3 shade_inner(vec3 at, vec3 along, vec3 outwards, bool top)
{
    float cosine = max(dot(outwards, along), 0.0);
    float square = 1.0 - 1.7777778 * (1.0 - cosine * cosine), outer = sqrt(max(square, 0.0));
    float fresnel = square <= 0.0 ? 1.0 : MIRROR + (1.0 - MIRROR) * pow(1.0 - outer, 5.0);
    vec3 through = normalize((along - outwards * cosine) * 1.3333333 + outwards * outer);
    vec3 back = along - outwards * (2.0 * cosine);
    vec3 over = top ? shade_mirrored(at + outwards * 0.02 * fine, through) : sky(through);

    fresnel = fresnel < 0.03 ? 0.0 : fresnel;
    return mix(over, shade_under(at - outwards * 1e-3, back), fresnel);
}
#endif

#if defined RIPPLES || defined FLOWS
// Metres from a place in cells to where the water of a phase was.
vec2 shift_at(int phase, vec2 at)
{
    vec2 p = clamp(at / fine - 0.5, vec2(0.0), vec2(cells - 1));
    ivec2 i = ivec2(p), next = min(i + 1, cells - 1);
    vec2 f = p - vec2(i);
    vec4 d;

    if (phase < 2)
        d = mix(mix(texelFetch(flow_first, i, 0), texelFetch(flow_first, ivec2(next.x, i.y), 0),
                    f.x),
                mix(texelFetch(flow_first, ivec2(i.x, next.y), 0), texelFetch(flow_first, next, 0),
                    f.x), f.y);
    else
        d = mix(mix(texelFetch(flow_second, i, 0), texelFetch(flow_second, ivec2(next.x, i.y), 0),
                    f.x),
                mix(texelFetch(flow_second, ivec2(i.x, next.y), 0),
                    texelFetch(flow_second, next, 0), f.x), f.y);
    return phase == 1 ? d.zw : d.xy;
}
#endif

#ifdef RIPPLES
float speed_at(vec2 at)
{
    vec2 p = clamp(at / fine - 0.5, vec2(0.0), vec2(cells - 1));
    ivec2 i = ivec2(p), next = min(i + 1, cells - 1);
    vec2 f = p - vec2(i);

    return mix(mix(texelFetch(flow_second, i, 0).b, texelFetch(flow_second, ivec2(next.x, i.y), 0).b,
                   f.x),
               mix(texelFetch(flow_second, ivec2(i.x, next.y), 0).b,
                   texelFetch(flow_second, next, 0).b, f.x), f.y);
}

// sin(2 pi t).
float sin_turns(float t)
{
    float q = t - floor(t + 0.5), s = q * q;

    return q * (0.25 - s) * (25.1122740 + s * (-63.8357876 + s * 55.5226456));
}

// The slope of ripples: src/render/isa/ripple_wide.h.
vec2 ripples_at(vec3 at, vec3 along)
{
    float wide = length(at - eye) * unit * pixel * 6.28318531, sink = max(abs(along.z), 0.03);
    float across = wide * wide * (1.0 / 48.0), part = 1.0;
    float longer = (1.0 / (sink * sink) - 1.0) / max(dot(along.xy, along.xy), 1e-12);
    vec2 place[PHASES], sum[PHASES], slope = vec2(0.0);
    float bend[PHASES];

    if (half_speed > 0.0) {
        float v = max(speed_at(at.xy), 0.0);

        part = v / (v + half_speed);
    }
    for (int p = 0; p < PHASES; p++) {
        place[p] = at.xy * unit;
        sum[p] = vec2(0.0);
#ifdef FLOWS
        place[p] += shift_at(p, at.xy);
#endif
        vec2 x = (place[p] + phase_place[p]) * (4.0 / gust);
        bend[p] = 2.0 * value_noise(0.8 * x + 0.6 * vec2(x.y, -x.x));
    }
    for (int i = 0; i < WAVES; i++) {
        vec3 k = ripple_turns[i];
        float cross = dot(k.xy, along.xy);
        float left = max(1.0 - across * (k.z + cross * cross * longer), 0.0);

        left *= left;
        left *= left;
        for (int p = 0; p < PHASES; p++)
            sum[p] += ripple_slope[i] *
                      (left * sin_turns(dot(k.xy, place[p]) + ripple_phase[p * WAVES + i] +
                                        ((i & 1) == 1 ? bend[p] : -bend[p])));
    }
    for (int p = 0; p < PHASES; p++)
        slope += sum[p] * ((0.2 + 1.6 * value_noise((place[p] + phase_place[p]) / gust)) *
                           phase_weight[p]);
    return slope * part;
}
#endif

#ifdef FOAM
// White water: lace where there is little, lit as ground is.
float foam_of(sampler2D from, vec2 at)
{
    vec2 p = clamp(at, vec2(0.0), vec2(cells - 1));
    ivec2 i = ivec2(p), next = min(i + 1, cells - 1);
    vec2 f = p - vec2(i);

    return mix(mix(texelFetch(from, i, 0).r, texelFetch(from, ivec2(next.x, i.y), 0).r, f.x),
               mix(texelFetch(from, ivec2(i.x, next.y), 0).r, texelFetch(from, next, 0).r, f.x),
               f.y);
}

// Noise less its mean, so much of each octave.
float lace_noise(vec2 at, vec4 left)
{
    float sum = 0.0, weight = 8.0 / 15.0;

    for (int octave = 0; octave < 4; octave++) {
        if (left[octave] <= 0.0)
            break;
        sum += weight * left[octave] * (value_noise(at) - 0.5);
        weight *= 0.5;
        at = vec2(1.6 * at.x + 1.2 * at.y, 1.6 * at.y - 1.2 * at.x);
    }
    return sum;
}

// What is finer than pixels is its mean; `facing`: of the ray, on the way of (-slopes, 1):
// src/render/isa/ripple_wide.h.
float foam_cover(vec2 at, float away, float facing)
{
    vec2 place = at / fine - 0.5;
    float foam = clamp01(
        foaming * mix(foam_of(foam_earlier, place), foam_of(foam_later, place), foam_blend));
    float per = 1.3 / fine, wide = away * pixel * per;
    vec4 more = 0.55 * wide * wide * vec4(1.0, 4.0, 16.0, 64.0);
    vec4 left = inversesqrt(sqrt((1.0 + more) * (1.0 + more / (facing * facing))));

    left = max(left - 0.125, vec4(0.0)) * (8.0 / 7.0);
    float lost = dot(0.03634 * vec4(1.0, 0.25, 0.0625, 0.015625), 1.0 - left * left);
#ifdef FLOWS
    float lace = 0.0;

    for (int p = 0; p < PHASES; p++)
        lace += phase_weight[p] *
                lace_noise((at + (shift_at(p, at) + phase_place[p]) / unit) * per, left);
#else
    float lace = lace_noise(at * per, left);
#endif
    float part = sqrt(0.09 + 5.0 * lost);

    lace = clamp01(lace / 0.6 + 0.5);
    return smooth_step(1.0 - foam - part, 1.0 - foam + part, lace) * clamp01(5.0 * foam);
}
#endif

#ifdef TILES
// From a mesh to the relief that it stands for, along the ray: two secants.
vec3 settle(vec3 at, vec3 along)
{
    float sink = abs(along.z) < 0.15 ? (along.z < 0.0 ? -0.15 : 0.15) : along.z;
    float a = at.z - layer_at(at.xy), t = clamp(-a / sink, -reach, reach);
    vec3 next = at + along * t;
    float b = next.z - layer_at(next.xy);

    t = clamp(abs(a - b) > 1e-6 ? t * a / (a - b) : t, -reach, reach);
    vec3 last = at + along * t;

    return abs(last.z - layer_at(last.xy)) < abs(a) ? last : at;
}
#endif

#ifdef OVERHANG
uniform float thick;

// Where the ray first meets water or ground before `far`; -1: nowhere.
float find_surface(vec3 from, vec3 along, float far)
{
    const int STEPS = 48;
    float low = 0.0, high = far;
    bool met = false;

    if (along.z < -1e-4)
        high = min(far, (lowest - 0.01 - from.z) / along.z);
    for (int k = 1; k <= STEPS && !met; k++) {
        float t = high * float(k) * float(k) / float(STEPS * STEPS);
        vec3 at = from + along * t;
        vec2 h = heights_at(at.xy);

        if (at.z < max(h.x, h.y)) {
            high = t;
            met = true;
        } else {
            low = t;
        }
    }
    for (int k = 0; k < 8 && met; k++) {
        float t = 0.5 * (low + high);
        vec3 at = from + along * t;
        vec2 h = heights_at(at.xy);

        if (at.z < max(h.x, h.y))
            high = t;
        else
            low = t;
    }
    return met ? high : -1.0;
}

// A sheet of water in the air, as through a pane: other sheets behind it are not seen.
vec3 shade_overhang(vec3 at, vec3 along, vec3 normal)
{
    normal = dot(normal, along) > 0.0 ? -normal : normal;
    float cosine = max(-dot(along, normal), 0.02);
    float fresnel = MIRROR + (1.0 - MIRROR) * pow(1.0 - cosine, 5.0);
    float inner = sqrt(1.0 - 0.5625 * (1.0 - cosine * cosine));
    vec3 back = along + normal * (2.0 * cosine), wall, behind;
    float far = leave(at, along, wall), t = find_surface(at, along, far);
    vec4 met = find_body(at, along, t >= 0.0 ? t : far);

    if (met.a >= 0.0) {
        behind = met.rgb;
    } else if (t >= 0.0) {
        vec3 end = at + along * t;
        vec2 h = heights_at(end.xy);

        behind = h.x < h.y ? shade_ground(end, along)
                           : shade_water(end, along, normal_at(end.xy, true),
                                         smooth_step(0.0, shore, h.x - h.y), 1.0);
    } else {
        behind = sky(along);
    }
    behind = mix(deep, behind, exp(-absorb * (thick / inner)));
    return mix(behind, back.z > 0.02 ? shade_mirrored(at + normal * 0.02 * fine, normalize(back))
                                     : deep, fresnel);
}
#endif

#ifdef BARS
vec3 shade_bar(vec3 at, vec3 normal, vec3 along)
{
    vec3 albedo = bed_colour;
    float shine = 0.0, open = sunlit(at, normal, 0.0);

    if (bar.y - bar.x > 1e-3 * fine && at.z > bar.x) {
        vec3 half_way = normalize(light - along);

        albedo = mix(vec3(0.10, 0.42, 0.62), vec3(0.02, 0.13, 0.40),
                     1.0 - exp(-(bar.y - at.z) * 12.0 / longest));
        shine = 0.25 * pow(max(dot(normal, half_way), 0.0), 40.0);
    }
    return lit(albedo, normal, open) + sun * (shine * open);
}
#endif
#endif

#if defined WATER && defined TILES && !defined BELOW
// The higher of water and ground. Nothing is discarded: that would keep a processor from leaving
// out what is hidden.
vec3 shade_top(vec3 at, vec3 along, vec2 top, inout float kind)
{
#ifdef DRY
    if (top.x <= top.y) {
        kind = 0.55;
        return shade_ground(at, along);
    }
#endif
    float seen = smooth_step(0.0, shore, top.x - top.y);
    vec3 normal = normal_at(at.xy, true);

#ifdef FOAM
    float facing = max(-dot(along, normal) / normal.z, 0.03);
#endif
#ifdef RIPPLES
    normal = normalize(vec3(normal.xy / normal.z - ripples_at(at, along) * seen, 1.0));
#endif
    vec3 colour = shade_water(at, along, normal, seen, 1.0);

#ifdef FOAM
    colour = mix(colour, lit(vec3(0.82), normal, sunlit(at, normal, 0.0)),
                 foam_cover(at.xy, length(at - eye), facing) * seen);
#endif
    return colour;
}
#endif

void main()
{
    float kind = KIND;
    vec2 place = gl_FragCoord.xy - rect.xy;
    vec2 p = (place - 0.5 * rect.zw) / rect.w;
    vec3 colour;

#if defined SKY && defined BELOW
    colour = deep;
#elif defined SKY
    colour = sky(normalize(forward + right * p.x + up * p.y));
#else
    vec3 at = spot, along = normalize(spot - eye);

#ifdef TILES
    at = settle(at, along);
    vec2 top = heights_at(at.xy);
#endif
#if defined OVERHANG
    colour = shade_overhang(at, along, normalize(facing));
#elif defined BODY
    colour = shade_body(at, normalize(facing), along);
#ifdef ALONE
    pixel_colour = vec4(colour, length(at - eye));
    return;
#endif
#elif defined BARS
    colour = shade_bar(at, facing, along);
#elif defined WATER && defined BELOW && defined CUT
    colour = shade_inner(at, along, facing, false);
#elif defined WATER && defined BELOW
    colour = shade_inner(at, along, normal_at(at.xy, true), true);
#elif defined WATER && defined CUT
    colour = shade_water(at, along, facing, 1.0, 0.4);
#elif defined WATER
    colour = shade_top(at, along, top, kind);
#elif defined CUT
    colour = shade_cut(at, facing);
#else
    colour = shade_ground(at, along);
#endif
#ifdef BELOW
    vec3 stay = exp(-absorb * length(at - eye));

    colour = colour * stay + deep * (1.0 - stay);
#endif
#endif
    pixel_colour = vec4(to_srgb(tone_map(colour * exposure)), transparent ? 1.0 : kind);
#if defined SKY && !defined BELOW
    if (transparent)
        pixel_colour = vec4(0.0);
#endif
}
