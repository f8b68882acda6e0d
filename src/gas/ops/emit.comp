// emit.comp: the twin of emit in gas/ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t shape;
    uint64_t volume;
    uint field;
    int location;
    gy_extent extent;
    float origin[3];
    float h;
    float amount;
    int hold;
    float noise;
    float noise_size;
    uint seed;
    float limit;
    float phase;
    uint level;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "gas/ops/shapes.glsl"

#include "ops/row/cells.glsl"

vec3 sample_point(ivec3 cell)
{
    int location = args.location;
    precise vec3 point;
    for (int a = 0; a < 3; a++) {
        point[a] = args.origin[a] + args.h * (float(cell[a]) + (location == FACE_X + a ? 0.0 : 0.5));
    }
    point.z = args.extent.dim == 2 ? 0.0 : point.z;
    return point;
}

// As in base/maths.c.
uint pcg(uint x)
{
    uint state = x * 747796405u + 2891336453u;
    uint word = (state >> ((state >> 28) + 4u) ^ state) * 277803737u;
    return word >> 22 ^ word;
}
float gy_random_unit(uint seed, uint i)
{
    uint random = pcg(pcg(i) + pcg(seed ^ 0x9e3779b9u));
    return float(random >> 8) * (1.0 / 16777216.0);
}

/// Value noise in space and time, 0 to 1: smooth between random values on a lattice.
float noise(vec3 point)
{
    precise vec4 x = vec4(point / args.noise_size, args.phase), f;
    ivec4 cell;
    for (int q = 0; q < 4; q++) {
        x[q] = limited(x[q], 1e6);
        float whole = floor(x[q]);
        cell[q] = int(whole);
        f[q] = x[q] - whole;
        f[q] = f[q] * f[q] * (3.0 - 2.0 * f[q]);
    }
    precise float sum = 0.0;
    for (int corner = 0; corner < 16; corner++) {
        uint index = 0u;
        precise float w = 1.0;
        for (int q = 0; q < 4; q++) {
            int up = corner >> q & 1;
            w *= up != 0 ? f[q] : 1.0 - f[q];
            index = index * 0x9e3779b1u + uint(cell[q] + up);
        }
        sum += w * gy_random_unit(args.seed, index);
    }
    return sum;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    Solid shape = Solid(args.shape);
    bool fine = shape.v.kind == SHAPE_VOLUME && shape.v.edge < double(args.h);
    float thick = fine ? float(shape.v.edge) : args.h;
    vec3 point = sample_point(cell);
    double place[3] = {double(point.x), double(point.y), double(point.z)};
    precise float covered = 0.5 - float(gy_solid_distance(shape, args.volume, place)) / thick;
    if (!(covered > 0.0) ||
        !within_gas(gy_grid_level_at(args.base, args.level), args.location, cell)) {
        return;
    }
    covered = covered > 1.0 ? 1.0 : covered;
    precise float amount = args.amount;
    if (args.noise > 0.0) {
        amount *= 1.0 + args.noise * (2.0 * noise(point) - 1.0);
    }
    gy_samples field = samples_at(args.base, args.field, e.halves);
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    float own = sample_at(field, o);
    precise float next = args.hold != 0 ? own + covered * (amount - own) : own + covered * amount;
    set_sample(field, o, limited(next, args.limit));
}
