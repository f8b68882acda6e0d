// What the mesh of a surface and its light share. Lengths are in corners of the relief; see
// src/render/surface.h and surface.c, whose formulas these are.
uniform sampler2D relief; // water, bed at corners
uniform ivec2 n;          // patches between corners
uniform float fine;       // patches per cell of the grid
uniform float ground;     // where it ends below
uniform mat4 project;

vec2 corner_heights(ivec2 at)
{
    return texelFetch(relief, clamp(at, ivec2(0), n), 0).rg;
}

vec2 heights_at(vec2 at)
{
    at = clamp(at, vec2(0.0), vec2(n));
    ivec2 i = min(ivec2(at), n - 1);
    vec2 f = at - vec2(i);

    return mix(mix(texelFetch(relief, i, 0).rg, texelFetch(relief, i + ivec2(1, 0), 0).rg, f.x),
               mix(texelFetch(relief, i + ivec2(0, 1), 0).rg,
                   texelFetch(relief, i + ivec2(1, 1), 0).rg, f.x), f.y);
}

// What a mesh is of: from above the higher of water and ground, from below each on its own.
float layer_at(vec2 at)
{
    vec2 h = heights_at(at);

#if defined BELOW && defined WATER
    return h.x;
#elif defined BELOW
    return h.y;
#else
    return max(h.x, h.y);
#endif
}
