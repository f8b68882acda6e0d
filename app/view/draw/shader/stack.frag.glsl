// Translucent slices, stacked along the axis that the view follows most: each ray meets them in
// order, the nearest first. All vectors have that axis last.
uniform sampler3D later, earlier, solid;
uniform sampler2D table;
uniform vec3 eye, forward, right, up, box; // cells
uniform mat4 lift;                         // to the field's coordinates
uniform int slices;
uniform float low, scale, blend, depth;
uniform bool both_ways; // values on both sides of the middle show, else those above the lowest
uniform vec3 top, bottom, body, white;
uniform float exposure;
uniform bool fit_for_screen;

out vec4 pixel_colour;

float value_at(vec3 place)
{
    float value = textureLod(later, place, 0.0).r;
#ifdef MIX
    value = mix(textureLod(earlier, place, 0.0).r, value, blend);
#endif
    return clamp01((value - low) * scale);
}

void main()
{
    vec2 pixel = pixel_of(gl_FragCoord.xy), xy = pixel + 0.5;
    vec2 p = vec2(xy.x - 0.5 * rect.z, 0.5 * rect.w - xy.y) / rect.w;
    vec3 along = forward + right * p.x + up * p.y, colour = vec3(0.0);
    vec2 away = (xy - 0.5 * rect.zw) / rect.w;
    vec3 behind = mix(top, bottom, smooth_step(0.0, 1.0, xy.y / rect.w));
    float left = 1.0, gap = box.z / float(slices), slant = length(along) / max(abs(along.z), 1e-6);

    behind = tone_map(behind * (1.0 - 0.45 * dot(away, away)) * exposure);
    for (int k = 0; k < slices; k++) {
        float z = (float(along.z > 0.0 ? k : slices - 1 - k) + 0.5) * gap;
        float t = (z - eye.z) / along.z;
        vec3 at = vec3(eye.xy + along.xy * t, z), place = (lift * vec4(at, 1.0)).xyz;
        bool hit = t > 0.0 && at.x >= 0.0 && at.y >= 0.0 && at.x < box.x && at.y < box.y;
        float v = value_at(place), share = both_ways ? abs(2.0 * v - 1.0) : v;
        float cover = hit ? 1.0 - exp(-depth * share * share) : 0.0;
#ifdef SMOKE
        vec3 seen = white;
#else
        vec3 seen = texture(table, vec2((v * 255.0 + 0.5) / 256.0, 0.5)).rgb;
#endif
        colour += left * cover * seen;
        left *= 1.0 - cover;
#ifdef SOLID
        float wall = hit ? 0.6 * clamp01((textureLod(solid, place, 0.0).r - 0.5) * 2.0 + 0.5) : 0.0;

        colour += left * wall * body;
        left *= 1.0 - wall;
#endif
        if (left < 0.004)
            break;
    }
    if (transparent) {
        vec4 clear = over_page(colour, vec3(left));

        pixel_colour = fit_for_screen ? dither(clear, pixel) : clear;
        return;
    }
    vec3 bytes = to_srgb(colour + left * behind);

    pixel_colour = fit_for_screen ? dither(bytes, pixel) : vec4(bytes, 0.0);
}
