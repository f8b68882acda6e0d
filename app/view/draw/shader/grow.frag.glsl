// Cells inside of solids get the mean of the fluid within two cells, the near ones counting more.
// FOUR: of a mixture.
uniform FIELD from, solid;
flat in int layer;
#ifdef FOUR
#define VALUE vec4
#define OF(c) ALL(from, c)
#else
#define VALUE float
#define OF(c) AT(from, c)
#endif
out VALUE value;

#ifdef SPACE
const ivec3 reach = ivec3(1, 1, 1);
#else
const ivec3 reach = ivec3(2, 2, 0);
#endif

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);
    ivec3 low = max(c - reach, 0), high = min(c + reach, n - 1);
    VALUE sum = VALUE(0.0);
    float weight = 0.0;

    value = OF(c);
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
                sum += OF(at) / r;
                weight += 1.0 / r;
            }
        }
    }
    value = weight > 0.0 ? sum / weight : VALUE(0.0);
}
