// frame.comp: the twin of frame in gas/ops/frame.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t arrays;
    uint64_t frame;
    uint velocity[3];
    uint density, temperature;
    uint stride;
    int to, from;
    gy_extent extent;
    float h;
    float ahead;
    int turn;
    uint periodic;
    uint level;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/sample.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Frame {
    vec3 pull;
    vec3 spin;
    vec3 place;
    float heat, weight;
};

const int TURN = 1, STILL = 2; // gy_frame_part

uint64_t array(int q)
{
    return args.arrays + uint64_t(q) * uint64_t(args.stride) * 4ul;
}

int offset(ivec3 p)
{
    return p.x + p.y * args.extent.sy + p.z * args.extent.sz;
}

bool find(inout ivec3 p, int faces)
{
    for (int q = 0; q < args.extent.dim; q++) {
        int n = args.extent.n[q];
        if ((args.periodic >> q & 1u) != 0u) {
            p[q] += p[q] < 0 ? n : p[q] >= n ? -n : 0;
        } else if (p[q] < 0 || p[q] >= n + (q == faces ? 1 : 0)) {
            return false;
        }
    }
    return true;
}

float mean_one(int axis, int b, ivec3 p)
{
    precise float u[4];
    int count = 0;
    for (int q = 0; q < 4; q++) {
        ivec3 place = p;
        place[axis] -= q >> 1;
        place[b] += q & 1;
        u[q] = 0.0;
        if (find(place, b)) {
            int o = offset(place);
            u[q] = floats(at(args.base, args.velocity[b]), o).v;
            if (args.ahead != 0.0) {
                u[q] = u[q] + args.ahead * floats(array(args.from + b), o).v;
            }
            count++;
        }
    }
    precise float sum = (u[0] + u[1]) + (u[2] + u[3]);
    return count > 0 ? sum / float(count) : 0.0;
}

float weight_one(Frame f, int axis, ivec3 p)
{
    gy_samples density = samples_at(args.base, args.density, args.extent.halves),
               temperature = samples_at(args.base, args.temperature, args.extent.halves);
    precise float sum = 0.0;
    int count = 0;
    for (int q = 0; q < 2; q++) {
        ivec3 place = p;
        place[axis] -= q;
        if (find(place, 3)) {
            int o = offset(place);
            sum += f.weight * sample_at(density, o) + f.heat * sample_at(temperature, o);
            count++;
        }
    }
    precise float weight = 1.0 + (count > 0 ? sum / float(count) : 0.0);
    return weight;
}

float frame_one(Frame f, int axis, ivec3 p)
{
    int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1, dim = args.extent.dim;
    ivec3 own = p;
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    if (!find(own, axis) || gy_coefficient(g, axis, own.x, own.y, own.z).v == 0us) {
        return 0.0;
    }
    precise vec3 r;
    for (int q = 0; q < 3; q++) {
        float part = float(p[q]) + (q == axis ? 0.0 : 0.5);
        r[q] = q < dim ? f.place[q] + args.h * part : 0.0;
    }
    vec3 w = f.spin;
    if (args.turn == TURN) {
        precise float change = -(w[b] * r[c] - w[c] * r[b]);
        return change;
    }
    precise float outward = (w[b] * w[b] + w[c] * w[c]) * r[axis];
    precise float push = f.pull[axis] + (outward - w[axis] * (w[b] * r[b] + w[c] * r[c]));
    push = push * weight_one(f, axis, p);
    if (args.turn == STILL) {
        return push;
    }
    float ub = b < dim && w[c] != 0.0 ? mean_one(axis, b, p) : 0.0;
    float uc = c < dim && w[b] != 0.0 ? mean_one(axis, c, p) : 0.0;
    push = push + 2.0 * (w[c] * ub - w[b] * uc);
    return push;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    for (int axis = 0; axis < args.extent.dim; axis++) {
        floats(array(args.to + axis), offset(cell)).v = frame_one(Frame(args.frame), axis, cell);
    }
}
