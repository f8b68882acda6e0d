// A lit ball, as src/render/points.c draws it; of a plane a disk of one colour.
in vec2 spot;
flat in float radius, strength, along;
out vec4 pixel_colour;

uniform sampler2D table; // of the map, linear
uniform bool coloured;
uniform vec3 plain; // where no attribute says it
#ifdef SPACE
uniform vec3 across, above, towards, to_light, up; // unit; of the picture, towards the eye
uniform vec3 lamp, ambient;
uniform float exposure, glow;
#endif

void main()
{
    float away = length(spot), share = clamp01(radius + 0.5 - away) * strength;

    if (share < 0.02)
        discard;
    vec3 colour =
        coloured ? texture(table, vec2((along * 255.0 + 0.5) / 256.0, 0.5)).rgb : plain;
#ifdef SPACE
    vec2 in_disk = spot * min(1.0, 0.98 * radius / max(away, 1e-6)) / radius;
    vec3 normal = across * in_disk.x + above * in_disk.y +
                  towards * sqrt(max(1.0 - dot(in_disk, in_disk), 0.0));
    float faces = clamp01(dot(normal, to_light));

    colour = tone_map(
        colour * (lamp * faces + ambient * (0.75 + 0.25 * dot(normal, up)) + glow) * exposure);
#endif
    pixel_colour = vec4(to_srgb(colour) * share, share);
}
