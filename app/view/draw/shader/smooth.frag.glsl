// Weights 1 4 1 along both axes of a plane: the values of a cubic B-spline at its own points.
uniform FIELD from;
flat in int layer;
out float value;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);
    float sum = 0.0;

    for (int a = -1; a <= 1; a++) {
        int x = clamp(c.x + a, 0, n.x - 1);
        float down = AT(from, ivec3(x, max(c.y - 1, 0), 0));
        float up = AT(from, ivec3(x, min(c.y + 1, n.y - 1), 0));

        sum += (a == 0 ? 4.0 : 1.0) * (down + 4.0 * AT(from, ivec3(x, c.y, 0)) + up);
    }
    value = sum / 36.0;
}
