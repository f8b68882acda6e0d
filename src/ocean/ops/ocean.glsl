// ocean.glsl: what the twins of ocean/ops/ocean.c share: their arguments, and the inverse transform of
// one line by a workgroup, in stages of radix 2 from one half of shared memory into the other (T. G.
// Stockham, 1966). The C bodies take radices 8 and 4: results differ by rounding.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint time[2];
    uint scratch;
    uint waves, fade, sharpen, place, twiddle, middle, fields;
    int n, rows, motion, spline, deep;
    int radix[6];
};
#include "ops/row/push.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

const int MOST = 1024, OCEAN_LANES = 16, OCEAN_PAD = 16, NUMBERS = 12, AT_ONCE = 256;

shared vec2 line[2 * MOST];

float number(uint offset, int at)
{
    return Float(args.base + uint64_t(offset) * 64ul + uint64_t(at) * 4ul).v;
}

void store(uint offset, int at, float x)
{
    Float(args.base + uint64_t(offset) * 64ul + uint64_t(at) * 4ul).v = x;
}

int own()
{
    return int(gl_LocalInvocationIndex);
}

vec2 times(vec2 a, vec2 b)
{
    precise vec2 c = vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    return c;
}

// What lies in the first half of `line`; where it is then.
int transformed()
{
    int from = 0, half_way = args.n / 2;
    for (int m = 1; m < args.n; m *= 2) {
        int to = MOST - from;
        barrier();
        for (int j = own(); j < half_way; j += AT_ONCE) {
            int k = j & (m - 1), root = 2 * args.n + 2 * k * (half_way / m);
            vec2 w = vec2(number(args.twiddle, root), number(args.twiddle, root + 1));
            vec2 a = line[from + j], b = times(line[from + j + half_way], w);
            int at = to + 2 * (j - k) + k;
            line[at] = a + b;
            line[at + m] = a - b;
        }
        from = to;
    }
    barrier();
    return from;
}
