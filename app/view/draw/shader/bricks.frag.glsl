// What interpolation inside of a brick can meet: whether smoke, solids, heat or a flame exceed `least` in
// one of its cells, which count from the margin, or in one beside it. Along x runs of eight cells
// are marked as a whole, as the processor does it.
uniform FIELD smoke, solid, heat, flame;
uniform vec4 least;
flat in int layer;
out vec4 bits;

const int BRICK = 8;

// Whether a brick looks at the cell; `held` cells are looked at together.
bool sees(int brick, int cell, int count, int held)
{
    int first = cell / held * held, end = min(first + held, count);
    int low = first == 0 ? 0 : first, high = end == count ? end + 1 : end;

    return low / BRICK <= brick && brick <= high / BRICK;
}

void main()
{
    ivec3 brick = ivec3(gl_FragCoord.xy, layer);
    ivec3 low = max(BRICK * brick - ivec3(BRICK, 2, 2), 0), high = min(BRICK * brick + 8, n);
    bvec4 found = bvec4(false);

    for (int z = low.z; z < high.z; z++) {
        if (!sees(brick.z, z, n.z, 1))
            continue;
        for (int y = low.y; y < high.y; y++) {
            if (!sees(brick.y, y, n.y, 1))
                continue;
            for (int x = low.x; x < high.x; x++) {
                ivec3 c = ivec3(x, y, z);

                if (!sees(brick.x, x, n.x, BRICK))
                    continue;
#ifdef HAS_SMOKE
                found.x = found.x || AT(smoke, c) > least.x;
#endif
#ifdef HAS_SOLID
                found.y = found.y || AT(solid, c) > least.y;
#endif
#ifdef HAS_HEAT
                found.z = found.z || AT(heat, c) > least.z;
#endif
#ifdef HAS_FLAME
                found.w = found.w || AT(flame, c) > least.w;
#endif
            }
        }
    }
    bits = vec4(found);
}
