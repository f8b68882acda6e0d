// A tile for each direction that light of the sky comes from; what the direction alone decides.
uniform ivec3 coarse;
uniform vec4 skies[9]; // direction of unit length, weight
uniform ivec2 tile[9]; // where each direction's tile begins
uniform int plane;
uniform vec2 target; // pixels

flat out ivec3 origin, a_step, b_step; // cells of the tile
flat out vec2 from, last;              // to the plane before, in cells; the last cell
flat out vec2 begin;
flat out float slant, weight;

void main()
{
    vec3 l = skies[gl_InstanceID].xyz, size = abs(l);
    bool by_x = size.x > size.y && size.x > size.z, by_z = !by_x && size.z > size.y;
    ivec2 n = by_x ? coarse.yz : by_z ? coarse.xy : coarse.xz;
    int planes = by_x ? coarse.x : by_z ? coarse.z : coarse.y;
    float ahead = by_x ? l.x : by_z ? l.z : l.y;
    ivec3 along = by_x ? ivec3(1, 0, 0) : by_z ? ivec3(0, 0, 1) : ivec3(0, 1, 0);
    vec2 across = by_x ? l.yz : by_z ? l.xy : l.xz;

    origin = along * (ahead > 0.0 ? planes - 1 - plane : plane);
    a_step = by_x ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
    b_step = by_z ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
    from = across / abs(ahead);
    last = vec2(n - 1);
    begin = vec2(tile[gl_InstanceID]);
    slant = 1.0 / abs(ahead);
    weight = skies[gl_InstanceID].w;
    vec2 corner = begin + vec2(n * ivec2(gl_VertexID & 1, gl_VertexID >> 1));

    gl_Position = plane < planes ? vec4(2.0 * corner / target - 1.0, 0.0, 1.0) : vec4(2.0);
}
