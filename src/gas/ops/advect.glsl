// advect.glsl: what advect and correct share: an invocation has a cell, reads the displacements that
// its samples need once, and carries all fields there.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint fields;
    int first, count;
    uint back[3];
    uint forward[3];
    uint bounds;
    gy_extent extent;
    uint periodic;
    uint flow[3];
    uint open_sides;
    uint level;
    uint partial;
    float scale;
    int ahead;
    uint64_t links;
};
#include "ops/row/push.glsl"
#include "gas/ops/sample.glsl"
#include "ops/row/ends.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/near.glsl"

/// The displacement at a cell, and at its neighbours below, one for each axis: those of samples on
/// its low faces are means with them.
struct gy_paths {
    vec3 own, below[3];
};

gy_paths paths_at(uint fields[3], int o)
{
    int dim = args.extent.dim;
    gy_paths p;
    p.own = p.below[0] = p.below[1] = p.below[2] = vec3(0.0);
    for (int a = 0; a < 3; a++) {
        if (a == dim) {
            break;
        }
        uint64_t field = at(args.base, fields[a]);
        p.own[a] = floats(field, o).v;
        p.below[0][a] = floats(field, o - 1).v;
        p.below[1][a] = floats(field, o - args.extent.sy).v;
        if (dim == 3) {
            p.below[2][a] = floats(field, o - args.extent.sz).v;
        }
    }
    return p;
}

/// The displacement of the sample at a location. Chosen, not indexed, so that it stays in registers.
vec3 displacement(gy_paths p, int location)
{
    vec3 other = location == FACE_X ? p.below[0] : location == FACE_Y ? p.below[1] : p.below[2];
    precise vec3 mean = 0.5 * (p.own + other);
    return location == CENTRE ? p.own : mean;
}

/// Whether a sample is a field's own; a boundary face along x that the edge gives is not.
bool is_own(gy_field f, ivec3 place)
{
    return place.x < gy_row_end(args.extent.n[0], f.edge[0]) && place.y < f.edge[1].samples &&
           place.z < f.edge[2].samples;
}

gy_field field_of(int q)
{
    return field_at(at(args.base, args.fields), args.first + q).v;
}

/// One of a field's three.
gy_samples samples_of(gy_field f, uint offset)
{
    return samples_at(args.base, offset, f.halves);
}

/// How many samples along x an invocation has to look at: the last cell's has the live upper
/// boundary faces as well.
int samples_along_x(int i)
{
    return i == args.extent.n[0] - 1 ? 2 : 1;
}

/// Which cells hang together; only where LINKED.
gy_net net_of(gy_extent e)
{
    return gy_net_make(args.links, e, args.periodic);
}

/// Whether a sample is to be carried as those near sheets are, and what is known of it then.
bool is_near(gy_extent e, gy_field f, ivec3 cell, vec3 back, vec3 forward, int more,
             out near_sample s)
{
    return LINKED && near_find(net_of(e), f.location, cell, back, forward, more, s);
}
