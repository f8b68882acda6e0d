// One of the four numbers of a mixture.
uniform FIELD from;
uniform vec4 part; // 1 for that
flat in int layer;
out float value;

void main()
{
    value = dot(ALL(from, ivec3(gl_FragCoord.xy, layer)), part);
}
