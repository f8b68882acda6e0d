// ocean_rows.comp: the twin of ocean_rows in ocean/ops/ocean.c: a workgroup for each block of 16
// columns, two columns of a field at a time.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

#include "ocean/ops/ocean.glsl"

// Wave number k of column x of a field, 0 <= k < rows.
vec2 found(int field, int k, int x)
{
    int stride = args.n + OCEAN_PAD, at = (field * args.rows + k) * 2 * stride + x;
    vec2 h = vec2(number(args.middle, at), number(args.middle, at + stride));
    return k == 0 ? vec2(h.x, 0.0) : h;
}

void main()
{
    int block = low.x + int(gl_WorkGroupID.x), n = args.n, half_way = n / 2;
    int stride = n + OCEAN_PAD;
    for (int lane = 0; lane < OCEAN_LANES; lane++) {
        int x = block * OCEAN_LANES + lane;
        for (int field = 0; field < 3; field++) {
            barrier();
            for (int i = own(); i < n; i += AT_ONCE) {
                int k = i < half_way ? i : n - i;
                vec2 z = vec2(0.0);
                if (k < args.rows) {
                    vec2 a = found(field, k, x), b = found(field, k, x + half_way);
                    z = i < half_way ? vec2(a.x - b.y, a.y + b.x) : vec2(a.x + b.y, b.x - a.y);
                }
                line[i] = z;
            }
            int from = transformed(), to = field * n * stride + x;
            for (int y = own(); y < n; y += AT_ONCE) {
                vec2 z = line[from + y];
                store(args.fields, to + y * stride, z.x);
                store(args.fields, to + y * stride + half_way, z.y);
                if (x < OCEAN_PAD) {
                    store(args.fields, to + y * stride + n, z.x);
                }
            }
        }
    }
}
