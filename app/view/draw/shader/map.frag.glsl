// A field as a coloured map, with solids over it.
//   SMOKE  white smoke, lit, over the background     SOLID  solids over it
//   CELLS  cell by cell, with the grid's lines       LIC    along the lines of flow
//   MIX    between two frames                        MOVING solids differ between them
//   DYES   several scalars, each with its colour: with SMOKE as smoke, LIGHT, INK, else as inks of
//          the map
uniform FIELD later, earlier;
uniform sampler2D shade_later, shade_earlier; // light that falls through the smoke of the plane
uniform FIELD dyes_later, dyes_earlier;       // red, green, blue; sum of amounts
uniform vec3 paper, lamp, ambient;
uniform sampler2D table;
uniform sampler2D lic;
uniform float low, scale; // of the field's values
uniform int samples; // per pixel and axis
uniform vec3 top, bottom, sun, sky;
uniform float exposure;
uniform float lines; // how strong the grid's lines are

#if defined(DYES) && !defined(SMOKE) && !defined(LIGHT)
#define ON_PAPER
#endif

out vec4 pixel_colour;

float value_at(vec2 at)
{
    float value = fetch(later, at).r;
#ifdef MIX
    value = mix(fetch(earlier, at).r, value, blend);
#endif
    return value;
}

float open_at(vec2 at)
{
#ifdef SHADOW
    float open = texture(shade_later, at / size).r;
#ifdef MIX
    open = mix(texture(shade_earlier, at / size).r, open, blend);
#endif
    return clamp01(open);
#else
    return 1.0;
#endif
}

#ifdef DYES
const vec3 map_paper = vec3(0.93, 0.91, 0.86);

vec4 dyes_at(vec2 at)
{
    vec4 dyes = fetch(dyes_later, at);
#ifdef MIX
    dyes = mix(fetch(dyes_earlier, at), dyes, blend);
#endif
    return dyes;
}

// Alpha: the share of what is behind that passes.
vec4 mixed_at(vec2 at, vec3 behind)
{
    vec4 dyes = dyes_at(at);
#if defined(INK)
    return vec4(clamp(paper * exp(-max(dyes.rgb, 0.0) * scale), 0.0, 1.0), 1.0);
#elif defined(LIGHT)
    return vec4(clamp(behind + max(dyes.rgb, 0.0) * scale, 0.0, 1.0), 1.0);
#else
    vec3 own = clamp(dyes.rgb / max(dyes.a, 1e-20), 0.0, 8.0);
    float t = clamp01((dyes.a - low) * scale);
#ifdef SMOKE
    vec3 lit = tone_map((0.8 * lamp * open_at(at) + ambient) * exposure * own);

    return mix(vec4(lit, 0.0), vec4(behind, 1.0), exp(-3.0 * t));
#else
    return vec4(map_paper * exp(-own * t), 1.0);
#endif
#endif
}
#endif

// Alpha: the share of what is behind that passes.
vec4 shade(vec2 place_of_sample, vec3 behind, float streak, float faint)
{
    vec2 at = place_of_sample;
#ifdef CELLS
    at = floor(at) + 0.5;
#endif
    vec4 colour = vec4(behind, 1.0);
#if defined(DYES)
    colour = mixed_at(at, behind);
#elif defined(FIELD_SHOWN)
    float t = clamp01((value_at(at) - low) * scale);
#ifdef SMOKE
#ifdef LIC
    // Streaks must be seen where there is no smoke too.
    colour = vec4(mix(vec3(0.05, 0.06, 0.08), tone_map((sun + sky) * exposure), 1.0 - exp(-3.0 * t)),
                  0.0);
#else
    vec3 lit = tone_map((0.8 * sun * open_at(at) + sky) * exposure);

    colour = mix(vec4(lit, 0.0), colour, exp(-3.0 * t));
#endif
#else
    colour = vec4(texture(table, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb, 0.0);
#endif
#endif
#ifdef LIC
    colour = vec4(colour.rgb * streak + faint, 0.0); // streaks show on black too
#endif
#ifdef CELLS
    vec2 edge = abs(fract(place_of_sample + 0.5) - 0.5) / cells;
    float line = clamp01(1.0 - min(edge.x, edge.y) + 0.25) * lines;

    colour = mix(colour, vec4(vec3(dot(colour.rgb, vec3(0.3, 0.6, 0.1)) > 0.18 ? 0.0 : 0.35), 0.0),
                 line);
#endif
#ifdef SOLID
    colour = mix(colour, vec4(body, 0.0), cover_at(at));
#endif
    return colour;
}

void main()
{
    vec2 pixel = pixel_of(gl_FragCoord.xy), corner = floor(gl_FragCoord.xy - rect.xy);
    float y = (pixel.y + 0.5) / rect.w, part = 1.0 / float(samples);
    float streak = 1.0, faint = 0.0;
    vec3 behind = tone_map(mix(top, bottom, smooth_step(0.0, 1.0, y)) * exposure);
    vec4 colour = vec4(0.0);

    if (transparent)
#if defined(INK)
        behind = clamp(paper, 0.0, 1.0);
#elif defined(ON_PAPER)
        behind = map_paper;
#else
        behind = vec3(0.0);
#endif
#ifdef LIC
    vec2 seen = texture(lic, (gl_FragCoord.xy - rect.xy) / rect.zw).rg;

    streak = mix(0.85, 0.35 + seen.r, seen.g);
    faint = 0.04 * seen.r * seen.g;
#endif
    for (int s = 0; s < samples * samples; s++) {
        vec2 to = vec2(s % samples, s / samples), at;
        bool hit = place(corner + (to + 0.5) * part, at) && within(at);

        colour += hit ? shade(at, behind, streak, faint) : vec4(behind, 1.0);
    }
    colour *= part * part;
    if (!transparent)
        pixel_colour = dither(to_srgb(colour.rgb), pixel);
    else
#ifdef ON_PAPER
        pixel_colour = dither(over_paper(to_srgb(colour.rgb), to_srgb(behind), 1.0 - colour.a), pixel);
#else
        pixel_colour = dither(over_page(colour.rgb, vec3(colour.a)), pixel);
#endif
}
