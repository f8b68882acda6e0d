// Cells inside of solids get the mean of the fluid within two cells, the near ones counting more.
uniform FIELD from, solid;
flat in int layer;
out float value;

#ifdef SPACE
const ivec3 reach = ivec3(1, 1, 1);
#else
const ivec3 reach = ivec3(2, 2, 0);
#endif

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);
    ivec3 low = max(c - reach, 0), high = min(c + reach, n - 1);
    float sum = 0.0, weight = 0.0;

    value = AT(from, c);
    if (AT(solid, c) < 0.5)
        return;
    for (int z = low.z; z <= high.z; z++) {
        for (int y = low.y; y <= high.y; y++) {
            for (int x = low.x; x <= high.x; x++) {
                ivec3 at = ivec3(x, y, z), apart = at - c;
                ivec3 squares = apart * apart;
                float r = float(squares.x + squares.y + squares.z);

                if (AT(solid, at) >= 0.5)
                    continue;
                sum += AT(from, at) / r;
                weight += 1.0 / r;
            }
        }
    }
    value = weight > 0.0 ? sum / weight : 0.0;
}
