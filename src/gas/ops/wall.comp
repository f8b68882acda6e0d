// wall.comp: the twin of wall in gas/ops/wall.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t walls;
    uint64_t owners;
    uint level;
    uint field;
    gy_extent extent;
    int work;
    float by, limit;
    uint periodic;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

layout(local_size_x = 256) in;

const int OPEN = 0, PRESS = 1, GIVE = 2; // gy_wall_work
const int HOLDS = 1, GIVES = 2;          // gy_wall_kind
const int WORDS = 12;                    // of a gy_wall: at[3], owner, faces, area, open[6]

void open_face(gy_grid_level g, ivec3 cell, int face, float open)
{
    int axis = face / 2, n = g.l.n[axis];
    uint16_t unit = uint16_t(uint(open * UNIT));
    cell[axis] += face & 1;
    gy_coefficient(g, axis, cell.x, cell.y, cell.z).v = unit;
    if ((args.periodic >> axis & 1u) != 0 && (cell[axis] == 0 || cell[axis] == n)) {
        cell[axis] = n - cell[axis];
        gy_coefficient(g, axis, cell.x, cell.y, cell.z).v = unit;
    }
}

void give(ivec3 cell, float area, float amount)
{
    gy_extent e = args.extent;
    gy_samples field = samples_at(args.base, args.field, e.halves);
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    precise float x = sample_at(field, o) + args.by * area * amount;
    x = min(max(x, -args.limit), args.limit);
    set_sample(field, o, abs(x) < 1e-30 ? 0.0 : x);
}

void main()
{
    int item = low.x + int(gl_GlobalInvocationID.x);
    if (item >= high.x) {
        return;
    }
    int w = item * WORDS;
    ivec3 cell = ivec3(int(uints(args.walls, w).v), int(uints(args.walls, w + 1).v),
                       int(uints(args.walls, w + 2).v));
    int owner = int(uints(args.walls, w + 3).v), kind = int(uints(args.owners, 2 * owner).v);
    uint faces = uints(args.walls, w + 4).v;
    float amount = floats(args.owners, 2 * owner + 1).v;
    if (args.work == GIVE) {
        if (kind == GIVES) {
            give(cell, floats(args.walls, w + 5).v, amount);
        }
        return;
    }
    if (kind != HOLDS) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    int place = cell_at(g.l, cell.x, cell.y, cell.z);
    precise float b = args.work == PRESS ? floats(g.b, place).v : 0.0;
    for (int face = 0; face < 6; face++) {
        float open = floats(args.walls, w + 6 + face).v;
        if (args.work == OPEN && open > 0.0) {
            open_face(g, cell, face, open);
        } else if (args.work == PRESS && (faces >> face & 1u) != 0) {
            b += open * g.l.scale[face / 2] * amount;
        }
    }
    if (args.work == PRESS) {
        floats(g.b, place).v = b;
    }
}
