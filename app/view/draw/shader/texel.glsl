// A texture that flows: what shaders ask of it. WHOLE: it is solid.
#ifndef PHASES // in ES none may be asked for that is not there
#define PHASES 0
#endif
uniform vec3 weights;    // of phases
uniform vec3 offsets[3]; // m, to be added to a place in the grid
uniform vec3 period;     // texels after which it repeats
uniform float cell, per_metre, reach, contrast, spread;
uniform vec3 mean;
uniform int first_level, levels; // the first level that is there; the last, as of the finest
uniform sampler2D alike, image;
uniform sampler3D solid_texture;

// Which halving, for so many texels of the finest.
float level_of(float size)
{
    float level = floor(log2(max(size, 1.0)) + 1e-6);

    level = min(level, float(levels));
    return max(min(level + min(size * exp2(-level) - 1.0, 1.0), float(levels)) -
               float(first_level), 0.0);
}

// What a blend's deviation is divided by: places in texels.
float likeness(vec3 apart)
{
    vec3 d = apart - period * floor(apart / period + 0.5);
#ifndef WHOLE
    d.z = 0.0;
#endif
    return texture(alike, vec2((min(length(d) / reach, 1.0) * 64.0 + 0.5) / 65.0, 0.5)).r;
}

float divisor(vec3 places[3])
{
    float sum = dot(weights, weights);

#if PHASES > 1
    sum += 2.0 * weights.x * weights.y * likeness(places[1] - places[0]);
#endif
#if PHASES > 2
    sum += 2.0 * weights.x * weights.z * likeness(places[2] - places[0]) +
           2.0 * weights.y * weights.z * likeness(places[2] - places[1]);
#endif
    return max(sqrt(sum), 1e-6);
}

// Of mean 0 and variance 1, over so many texels.
float deviation(vec3 place, float size)
{
#ifdef WHOLE
    return textureLod(solid_texture, place / period, level_of(size)).r;
#else
    vec3 rgb = textureLod(image, place.xy / period.xy, level_of(size)).rgb;

    return dot(rgb - mean, vec3(0.2126, 0.7152, 0.0722)) / spread;
#endif
}
