// The light of all directions that has arrived in a cell of the coarse grid.
uniform sampler3D arrived;
uniform ivec3 coarse;
uniform vec4 skies[9];
uniform ivec2 tile[9];

flat in int layer;
out float sky;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);

    sky = 0.0;
    for (int d = 0; d < 9; d++) {
        vec3 l = skies[d].xyz, size = abs(l);
        bool by_x = size.x > size.y && size.x > size.z, by_z = !by_x && size.z > size.y;
        ivec3 at = by_x ? c.yzx : by_z ? c.xyz : c.xzy;
        int planes = by_x ? coarse.x : by_z ? coarse.z : coarse.y;

        if ((by_x ? l.x : by_z ? l.z : l.y) > 0.0)
            at.z = planes - 1 - at.z;
        sky += texelFetch(arrived, at + ivec3(tile[d], 0), 0).r;
    }
}
