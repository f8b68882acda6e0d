// advect.glsl: what advect and correct share.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint source;
    uint target;
    uint hat;
    uint back[3];
    uint forward[3];
    uint bounds;
    gy_extent extent;
    int location;
    uint periodic;
    gy_edge edge;
};
#include "push.glsl"
#include "sample.glsl"
#include "ends.glsl"

/// From a sample to the neighbour whose displacement is averaged in; 0: none.
int mean_step()
{
    int axis = args.location;
    return axis == 3 ? 0 : axis == 2 ? -args.extent.sz : axis == 1 ? -args.extent.sy : -1;
}

/// The displacement of the sample at o.
vec3 displacement(uint fields[3], int o)
{
    int mean = mean_step(), dim = args.extent.dim;
    precise vec3 d = vec3(0.0);
    for (int a = 0; a < 3; a++) {
        if (a == dim) {
            break;
        }
        uint64_t field = at(args.base, fields[a]);
        d[a] = floats(field, o).v;
        if (mean != 0) {
            d[a] = 0.5 * (d[a] + floats(field, o + mean).v);
        }
    }
    return d;
}
