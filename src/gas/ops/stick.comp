// stick.comp: the twin of stick in gas/ops/stick.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t faces;
    uint level;
    uint own;
    uint field;
    gy_extent extent;
    uint periodic;
    int work;
    int axis;
    float cap;
    int weighed;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/beside.glsl"

layout(local_size_x = 256) in;

const int WEIGH = 0;       // gy_stick_work; MIRROR is what is left
const uint DRAGGED = 2u;   // gy_face_kind

/// Whether gas is at the sample beside a face.
bool is_gas(gy_grid_level g, ivec3 p)
{
    for (int d = 0; d < args.extent.dim; d++) {
        if (p[d] < 0 || p[d] >= args.extent.n[d]) {
            return false;
        }
    }
    return gy_coefficient(g, args.axis, p.x, p.y, p.z).v > 0us;
}

void weigh(gy_grid_level g, int w)
{
    gy_grid_level own = gy_grid_level_at(args.base, args.own);
    int face = int(uints(args.faces, w).v);
    for (int way = 0; way < 2 * args.extent.dim; way++) {
        ivec3 p = gy_face_beside(args.extent, args.periodic, face, way);
        bool is = is_gas(g, p);
        uint16_t weight = 0us;
        if (is) {
            p[way / 2] += (way & 1) != 0 ? 0 : 1;
            weight = gy_coefficient(own, way / 2, p.x, p.y, p.z).v;
        }
        shorts(args.faces, 2 * (w + 11) + way).v = weight;
    }
}

void mirror(gy_grid_level g, int w)
{
    gy_extent e = args.extent;
    uint64_t u = at(args.base, args.field);
    int face = int(uints(args.faces, w).v), count = 0;
    float velocity = floats(args.faces, w + 7).v;
    precise float sum = 0.0;
    for (int way = 0; way < 2 * e.dim; way++) {
        ivec3 p = gy_face_beside(e, args.periodic, face, way);
        if (is_gas(g, p)) {
            float there = floats(u, p.x + p.y * e.sy + p.z * e.sz).v;
            precise float part = way / 2 == args.axis ? 0.0 : 1.0;
            if (args.weighed != 0) {
                precise float k = float(shorts(args.faces, 2 * (w + 11) + way).v) * (1.0 / UNIT);
                part = min(max(k - 1.0, 0.0), 1.0);
            }
            sum = sum + part * (there - velocity);
            count++;
        }
    }
    if (count > 0) {
        precise float ghost = velocity - sum / float(count);
        floats(u, face).v = max(min(ghost, args.cap), -args.cap);
    }
}

void main()
{
    int item = low.x + int(gl_GlobalInvocationID.x);
    if (item >= high.x) {
        return;
    }
    int w = item * FACE_WORDS;
    if (gy_face_axis(args.faces, w) != args.axis || floats(args.faces, w + 6).v < 1.0) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    if (args.work == WEIGH) {
        weigh(g, w);
    } else if ((gy_face_kind(args.faces, w) & DRAGGED) != 0u) {
        mirror(g, w);
    }
}
