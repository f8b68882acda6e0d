// A texture that flows, in a plane, with solids over it: see texel.glsl and cover.glsl. All in sRGB,
// as the offline renderer blends it.
uniform sampler2D places_0, places_1, places_2; // m from each cell of the plane
uniform ivec2 plane;                            // cells
uniform vec3 across, along, deep;               // axes of the plane, and through it
uniform float level;                            // cells along the latter
uniform vec3 top, bottom;
uniform float exposure;

out vec4 pixel_colour;

const int TAPS = 8;

vec4 weigh(float t)
{
    float t2 = t * t, t3 = t2 * t;

    return vec4(-t + 2.0 * t2 - t3, 2.0 - 5.0 * t2 + 3.0 * t3, t + 4.0 * t2 - 3.0 * t3, t3 - t2) *
           0.5;
}

// Bicubic, as it is finer than cells; linear where it is not.
vec3 shift_at(sampler2D places, vec2 at)
{
    if (cells >= 1.0)
        return texture(places, at / size).xyz;
    vec2 x = clamp(at - 0.5, vec2(-0.5), vec2(plane) - 0.5);
    ivec2 i = min(ivec2(floor(x)), plane - 1);
    vec4 wx = weigh(x.x - float(i.x)), wy = weigh(x.y - float(i.y));
    ivec4 column = clamp(ivec4(i.x - 1, i.x, i.x + 1, i.x + 2), 0, plane.x - 1);
    vec3 sum = vec3(0.0);

    for (int b = 0; b < 4; b++) {
        int row = clamp(i.y - 1 + b, 0, plane.y - 1);

        sum += wy[b] * (wx.x * texelFetch(places, ivec2(column.x, row), 0).xyz +
                        wx.y * texelFetch(places, ivec2(column.y, row), 0).xyz +
                        wx.z * texelFetch(places, ivec2(column.z, row), 0).xyz +
                        wx.w * texelFetch(places, ivec2(column.w, row), 0).xyz);
    }
    return sum;
}

// In texels: of an image in the plane's axes, of a solid texture in its own.
vec3 place_of(sampler2D places, vec2 at, vec3 offset)
{
    vec3 metres = shift_at(places, at) + (at.x * across + at.y * along + level * deep) * cell + offset;

#ifdef WHOLE
    return clamp(metres * per_metre, -1e9, 1e9);
#else
    return clamp(vec3(dot(metres, across), dot(metres, along), 0.0) * per_metre, -1e9, 1e9);
#endif
}

// The texture over the parallelogram that a pixel covers: along the longer axis.
vec3 take(vec3 at, vec3 right, vec3 up)
{
    float a = length(right), b = length(up), longer = max(a, b);
    vec3 way = a > b ? right : up, sum = vec3(0.0);
#ifdef WHOLE
    float shorter = min(a, b);
#else
    float shorter = longer > 1e-6 ? abs(right.x * up.y - right.y * up.x) / longer : 0.0;
#endif

    shorter = max(max(shorter, longer / float(TAPS)), 1.0);
    int taps = clamp(int(longer / shorter + 0.999), 1, TAPS);
    float part = 1.0 / float(taps), lod = level_of(shorter);

    for (int q = 0; q < taps; q++) {
        vec3 place = (at + ((float(q) + 0.5) * part - 0.5) * way) / period;

#ifdef WHOLE
        sum += textureLod(solid_texture, place, lod).rgb;
#else
        sum += textureLod(image, place.xy, lod).rgb;
#endif
    }
    return sum * part;
}

void main()
{
    vec2 pixel = pixel_of(gl_FragCoord.xy), at;
    float y = (pixel.y + 0.5) / rect.w;
    vec3 colour = to_srgb(tone_map(mix(top, bottom, smooth_step(0.0, 1.0, y)) * exposure));
    bool hit = place(gl_FragCoord.xy - rect.xy, at);
    vec3 places[3], sum;

    places[0] = place_of(places_0, at, offsets[0]);
    places[1] = places[2] = vec3(0.0);
#if PHASES > 1
    places[1] = place_of(places_1, at, offsets[1]);
#endif
#if PHASES > 2
    places[2] = place_of(places_2, at, offsets[2]);
#endif
    vec3 right[3], up[3];

    for (int p = 0; p < PHASES; p++) {
        right[p] = dFdx(places[p]);
        up[p] = dFdy(places[p]);
    }
    if (hit && within(at)) {
        sum = weights.x * (take(places[0], right[0], up[0]) - mean);
#if PHASES > 1
        if (weights.y > 0.0)
            sum += weights.y * (take(places[1], right[1], up[1]) - mean);
#endif
#if PHASES > 2
        if (weights.z > 0.0)
            sum += weights.z * (take(places[2], right[2], up[2]) - mean);
#endif
        colour = clamp(mean + sum * (contrast / divisor(places)), 0.0, 1.0);
#ifdef SOLID
        colour = mix(colour, to_srgb(body), cover_at(at));
#endif
    }
    pixel_colour = vec4(floor(255.0 * colour + 0.5) / 255.0, 1.0);
    if (transparent && !(hit && within(at)))
        pixel_colour = vec4(0.0);
}
