// Weights 1 2 1 along one axis; past the ends counts what is inside.
uniform FIELD from;
uniform ivec3 along;
flat in int layer;
out float value;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);
    float back = AT(from, max(c - along, 0)), on = AT(from, min(c + along, n - 1));

    value = 0.25 * (back + 2.0 * AT(from, c) + on);
}
