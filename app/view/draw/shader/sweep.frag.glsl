// Light from the lamp, carried on by one plane of cells: what arrives is what left the plane
// before, taken where the ray came through it, dimmed by half of the cell itself. Beside direct
// light goes light that smoke has scattered before, for which smoke counts only 0.3. Leaves in one
// texture all that rays ask for: extinction, direct and scattered light, light of the sky.
uniform sampler3D sky;
uniform sampler2D before;
uniform ivec3 coarse;
uniform int plane;
uniform vec2 from; // cells to where the ray came through the plane before
uniform float path; // of the ray from plane to plane, in cells
uniform bool first, shadow;

layout(location = 0) out vec4 cell;
layout(location = 1) out vec2 leaving;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec3 c = UNFOLD(ivec3(at, plane));
    vec2 last = vec2(FOLD(n).xy + 1);
    float smoke = smoke_in(c), share = share_in(c);
    vec2 light = textureLod(before, (clamp(vec2(at) + from, vec2(0.0), last) + 0.5) /
                                    (last + 1.0), 0.0).rg;

    if (first || !shadow)
        light = vec2(1.0);
    float half_way = shadow ? 0.5 * path * (smoke + 8.0 * share) : 0.0;
    vec2 dim = vec2(fade(half_way), fade(0.3 * half_way));

    light *= dim;
    leaving = light * dim;
    vec3 there = (0.5 * vec3(c) + 0.75) / vec3(coarse);

    cell = vec4(plain_in(c) * (1.0 - share), light, textureLod(sky, there, 0.0).r);
}
