// Red: share of a cell inside solids; green: smoothed, for normals.
uniform FIELD share, smoothed;
flat in int layer;
out vec2 value;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);

    value = vec2(AT(share, c), AT(smoothed, c));
}
