// pieces.glsl: twins that make one sum per piece: a workgroup of 64 by 4, or what suits the
// device (device/vulkan/ops.c; a power of two), goes over the rows of its piece, and what its
// invocations have added up is added in a tree of that shape.
layout(local_size_x = 64, local_size_y = 4, local_size_x_id = 1, local_size_y_id = 2) in;
layout(constant_id = 1) const int COLUMNS_AT_ONCE = 64;
layout(constant_id = 2) const int ROWS_AT_ONCE = 4;

struct gy_piece {
    ivec3 low, high;
    int ny, rows;
};

gy_piece gy_piece_own()
{
    gy_piece p;
    piece_of(int(gl_WorkGroupID.x), p.low, p.high);
    p.ny = p.high.y - p.low.y;
    p.rows = p.ny * (p.high.z - p.low.z);
    return p;
}

/// The q-th row's j and k.
ivec2 gy_piece_row(gy_piece p, int q)
{
    return ivec2(p.low.y + q % p.ny, p.low.z + q / p.ny);
}

shared double gy_tree[COLUMNS_AT_ONCE * ROWS_AT_ONCE];

/// What every invocation hands over, added up; known to the first one alone.
double gy_piece_sum(double x)
{
    uint own = gl_LocalInvocationIndex;
    barrier();
    gy_tree[own] = x;
    barrier();
    for (uint count = uint(COLUMNS_AT_ONCE * ROWS_AT_ONCE) / 2u; count > 0u; count /= 2u) {
        if (own < count) {
            gy_tree[own] += gy_tree[own + count];
        }
        barrier();
    }
    return gy_tree[0];
}

/// The largest, likewise.
double gy_piece_max(double x)
{
    uint own = gl_LocalInvocationIndex;
    barrier();
    gy_tree[own] = x;
    barrier();
    for (uint count = uint(COLUMNS_AT_ONCE * ROWS_AT_ONCE) / 2u; count > 0u; count /= 2u) {
        if (own < count) {
            gy_tree[own] = max(gy_tree[own], gy_tree[own + count]);
        }
        barrier();
    }
    return gy_tree[0];
}

/// Writes one of the piece's four numbers.
void gy_piece_put(uint64_t partial, int which, double x)
{
    if (gl_LocalInvocationIndex == 0u) {
        doubles(partial, 4 * int(gl_WorkGroupID.x) + which).v = x;
    }
}
