// Light from the sky: one pass carries all directions on by a plane of the coarse grid, each
// direction along its own axis and in its own tile of the target, the tiles side by side.
uniform sampler3D depth;
uniform sampler2D before; // light that left the planes before
uniform bool first;
uniform vec2 target;

flat in ivec3 origin, a_step, b_step;
flat in vec2 from, last;
flat in vec2 begin;
flat in float slant, weight;

layout(location = 0) out float arrived;
layout(location = 1) out float leaving;

void main()
{
    vec2 at = gl_FragCoord.xy - begin - 0.5, came = clamp(at + from, vec2(0.0), last);
    ivec3 cell = origin + int(at.x) * a_step + int(at.y) * b_step;
    float light = textureLod(before, (came + begin + 0.5) / target, 0.0).r;
    // Scattering brings half of the light back on its way.
    float half_way = fade(0.25 * slant * texelFetch(depth, cell, 0).r);

    light = (first ? 1.0 : light) * half_way;
    arrived = light * weight;
    leaving = light * half_way;
}
