// Light that falls through the smoke of a plane, one row of it from the row above: what arrives,
// and the same once more for the next row.
uniform FIELD smoke, solid;
uniform sampler2D above;
uniform ivec3 across, along, deep; // axes of the plane, and through it
uniform ivec2 size, planes;        // cells; the planes that are mixed
uniform float part, low, depth, shear;
layout(location = 0) out float light;
layout(location = 1) out float carried;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec3 c = at.x * across + at.y * along;
    ivec3 below = c + planes.x * deep, over = c + planes.y * deep;
    float arrived = 1.0, a = AT(smoke, below);
    float d = depth * (a + (AT(smoke, over) - a) * part - low);

    if (at.y < size.y - 1) {
        float from = clamp(float(at.x) + shear, 0.0, float(size.x - 1));
        int i = int(from);
        float one = texelFetch(above, ivec2(i, at.y + 1), 0).r;
        float next = texelFetch(above, ivec2(min(i + 1, size.x - 1), at.y + 1), 0).r;

        arrived = one + (next - one) * (from - float(i));
    }
#ifdef SOLID
    float share = AT(solid, below);

    d += 0.35 * clamp(share + (AT(solid, over) - share) * part, 0.0, 1.0);
#endif
    light = carried = arrived * fade(max(d, 0.0));
}
