// Corners of meshes: the higher of water and ground in squares (TILES: instances, an index is a
// corner; see levels.c), the ground as the sun sees it (an index is a corner), the sides where the
// domain cuts both, bars (instances) and bodies.
uniform ivec2 steps; // quads of the mesh along each axis
#if defined CUT && !defined TILES
uniform vec3 eye;
#endif
uniform float pixel; // its width at a distance of 1
#ifdef BARS
uniform sampler2D bars; // bed, water
uniform ivec2 bar_count;
uniform float bar_size;
flat out vec2 bar;
#endif
#ifdef TILES
layout(location = 0) in vec4 square; // corner, corners a quad, whether it becomes coarser
uniform vec3 eye;
uniform float high_away; // how far the eye is above or below all heights
uniform vec2 turn;       // of quads of 1: from where on their corners move, and 1 / how far
flat out float reach;    // of a quad, in corners
const int TILE = 8;
#endif
#ifdef BODY
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 direction;
layout(location = 2) in float number;
flat out float body;
#endif

out vec3 spot;
out vec3 facing;

void main()
{
    facing = vec3(0.0, 0.0, 1.0);
#if defined SKY
    // One triangle over the whole viewport, behind everything.
    spot = vec3(0.0);
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 1.0, 1.0);
    return;
#elif defined BODY
    spot = place;
    facing = direction;
    body = number;
#elif defined BARS
    // A box of six sides, two triangles each.
    int side = gl_VertexID / 6, corner = gl_VertexID % 6;
    ivec2 of = ivec2(gl_InstanceID % bar_count.x, gl_InstanceID / bar_count.x);
    vec2 uv = vec2(corner == 1 || corner == 2 || corner == 4 ? 1.0 : 0.0,
                   corner == 2 || corner == 4 || corner == 5 ? 1.0 : 0.0);
    int axis = side / 2;
    float end = float(side & 1);
    vec3 p = axis == 0 ? vec3(end, uv) : axis == 1 ? vec3(uv.x, end, uv.y) : vec3(uv, end);
    vec2 width = vec2(bar_count.x == 1 ? float(n.x) : bar_size,
                      bar_count.y == 1 ? float(n.y) : bar_size);
    vec2 low = width * vec2(of) + 0.06 * bar_size, high = min(width * vec2(of + 1), vec2(n));

    bar = texelFetch(bars, of, 0).rg;
    high -= 0.06 * bar_size;
    spot = vec3(mix(low, high, p.xy), mix(ground, bar.y, p.z));
    facing = vec3(0.0);
    facing[axis] = 2.0 * end - 1.0;
#elif defined CUT
    // Round the domain, a quad for each step: first the sides along x, then those along y.
    int quad = gl_VertexID / 6, corner = gl_VertexID % 6, along = steps.x;
    bool by_y = quad >= 2 * steps.x;

    quad -= by_y ? 2 * steps.x : 0;
    along = by_y ? steps.y : steps.x;
    int far = quad / along;
    int part = quad % along + (corner == 1 || corner == 2 || corner == 4 ? 1 : 0);
    bool top = corner == 2 || corner == 4 || corner == 5;
    ivec2 of = by_y ? ivec2(far * n.x, part * n.y / along) : ivec2(part * n.x / along, far * n.y);
    vec2 at = vec2(of), h = corner_heights(of);

#ifdef WATER
    spot = vec3(at, top ? max(h.x, h.y) : h.y);
#else
    spot = vec3(at, top ? h.y : ground);
#endif
    // Half a pixel more than there is: squares beside it end within that.
    if (top && spot.z >= max(h.x, h.y))
        spot.z += 0.5 * pixel * length(spot - eye);
    facing = by_y ? vec3(2.0 * float(far) - 1.0, 0.0, 0.0) : vec3(0.0, 2.0 * float(far) - 1.0, 0.0);
#elif defined TILES
    ivec2 of = ivec2(gl_VertexID % (TILE + 1), gl_VertexID / (TILE + 1));
    // Odd corners move onto even ones, which are those of the next level.
    vec2 at = min(square.xy + vec2(of) * square.z, vec2(n));
    vec2 next = min(square.xy + vec2(of - (of & 1)) * square.z, vec2(n));
    float far = length(vec3(at - eye.xy, high_away)) / square.z;

    at = mix(at, next, clamp01((far - turn.x) * turn.y) * square.w);
    spot = vec3(at, layer_at(at));
    reach = 2.0 * square.z;
#else
    ivec2 at = ivec2(gl_VertexID % (steps.x + 1), gl_VertexID / (steps.x + 1)) * n / steps;

    spot = vec3(at, corner_heights(at).y);
#endif
    gl_Position = project * vec4(spot, 1.0);
}
