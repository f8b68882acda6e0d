// Heights at the corners of a finer grid: a cubic B-spline through cells of water and bed, between
// two moments. As src/render/relief.c, corner by corner.
uniform sampler2D later, earlier; // water, bed at cells, in units
uniform ivec2 cells;
uniform int fine;
uniform float blend;

out vec2 heights;

vec4 spline(float t)
{
    float s = 1.0 - t;
    vec4 w = vec4(s * s * s / 6.0, 2.0 / 3.0 - 0.5 * t * t * (2.0 - t), 0.0, t * t * t / 6.0);

    w.z = 1.0 - w.x - w.y - w.w;
    return w;
}

void main()
{
    vec2 at = floor(gl_FragCoord.xy) / float(fine) - 0.5, base = floor(at);
    vec4 across = spline(at.x - base.x), up = spline(at.y - base.y);

    heights = vec2(0.0);
    for (int b = 0; b < 4; b++) {
        for (int a = 0; a < 4; a++) {
            ivec2 cell = clamp(ivec2(base) + ivec2(a - 1, b - 1), ivec2(0), cells - 1);
            vec2 value = texelFetch(later, cell, 0).rg;

#ifdef MIX
            value = mix(texelFetch(earlier, cell, 0).rg, value, blend);
#endif
            heights += across[a] * up[b] * value;
        }
    }
}
