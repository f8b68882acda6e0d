// A lit ball, leaf or soft drop, as src/render/points.c draws it; of a plane a disk or stroke of one colour.
in vec2 spot;
flat in float radius, strength, along;
flat in float soft;
#ifdef TURNED
flat in vec2 along_leaf, across_leaf;
flat in vec3 leaf_normal;
#endif
out vec4 pixel_colour;

uniform sampler2D table; // of the map, linear
uniform bool coloured;
uniform vec3 plain; // where no attribute says it
#ifdef SPACE
uniform vec3 across, above, towards, to_light, up; // unit; of the picture, towards the eye
uniform vec3 lamp, ambient;
uniform float exposure, glow;
#endif

#ifdef TURNED
const float THROUGH = 0.4; // of light, through a leaf

// The share of a pixel that lies between both edges across `wide`.
float within_edges(vec2 wide, vec2 edge)
{
    float area = wide.x * edge.y - wide.y * edge.x, size_of = length(edge);
    float away = (spot.x * edge.y - spot.y * edge.x) / size_of, reach_of = abs(area) / size_of;

    return max(clamp01(reach_of - away + 0.5) + clamp01(reach_of + away + 0.5) - 1.0, 0.0);
}
#endif

void main()
{
    float away = length(spot), share = clamp01(radius + 0.5 - away) * strength;

#ifdef TURNED
    bool leaf = leaf_normal != vec3(0.0);
    if (leaf)
        share = within_edges(along_leaf, across_leaf) * within_edges(across_leaf, along_leaf) *
                strength;
#endif

    if (soft > 0.0)
        share = smooth_step(0.0, 1.0, 1.0 - away / (radius + 0.5)) * strength;
    if (share < (soft > 0.0 ? 0.002 : 0.02))
        discard;
    vec3 colour =
        coloured ? texture(table, vec2((along * 255.0 + 0.5) / 256.0, 0.5)).rgb : plain;
#ifdef SPACE
    vec2 in_disk = spot * min(1.0, 0.98 * radius / max(away, 1e-6)) / radius;
    vec3 normal = across * in_disk.x + above * in_disk.y +
                  towards * sqrt(max(1.0 - dot(in_disk, in_disk), 0.0));
#ifdef TURNED
    normal = leaf ? leaf_normal : normal;
#endif
    normal = soft > 0.0 ? towards : normal; // a soft drop has no side of its own
    float faces = clamp01(dot(normal, to_light));
    faces = soft > 0.0 ? 0.6 + 0.3 * dot(normal, to_light) : faces;
#ifdef TURNED
    faces = leaf ? max(faces, -THROUGH * dot(normal, to_light)) : faces;
#endif

    colour = tone_map(
        colour * (lamp * faces + ambient * (0.75 + 0.25 * dot(normal, up)) + glow) * exposure);
#endif
    pixel_colour = vec4(to_srgb(colour) * share, share);
}
