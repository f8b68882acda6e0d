// rim.glsl: gas/ops/rim.c for twins: what is given of the faces of a side. The twin's args have base,
// rims, periodic and extent.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Rim
{
    uint first, step, stick, windows;
};

/// A side's faces, as planes have them.
struct gy_rim_place {
    uint64_t first;
    int step; // floats from plane to plane
    int side, axis;
    ivec2 along, n;
    bool stick;
    int windows;
};

int rim_cells(int axis)
{
    ivec3 n = args.extent.n;
    return axis == 0 ? n.x : axis == 1 ? n.y : n.z;
}

gy_rim_place rim_place(int side)
{
    gy_rim_place p;
    Rim own = Rim(at(args.base, args.rims)) + side;
    p.side = side;
    p.axis = side / 2;
    p.along = ivec2(p.axis == 0 ? 1 : 0, p.axis == 2 ? 1 : 2);
    p.n = ivec2(rim_cells(p.along.x), args.extent.dim == 3 ? rim_cells(p.along.y) : 1);
    p.first = at(args.base, own.first);
    p.step = int(own.step) * 16;
    p.stick = own.stick != 0u;
    p.windows = int(own.windows);
    return p;
}

/// Where a face lies in a plane, of faces that there are.
int rim_face(gy_rim_place p, int a, int b)
{
    a = (args.periodic >> p.along.x & 1u) != 0u ? (a % p.n.x + p.n.x) % p.n.x
                                                : clamp(a, 0, p.n.x - 1);
    b = (args.periodic >> p.along.y & 1u) != 0u ? (b % p.n.y + p.n.y) % p.n.y
                                                : clamp(b, 0, p.n.y - 1);
    return a + b * p.n.x;
}

float rim_number(gy_rim_place p, int plane, int a, int b)
{
    return floats(p.first, plane * p.step + rim_face(p, a, b)).v;
}

/// What is given of component c at its sample (a, b) of the side, `next`: what will be. Along the
/// side a component lies between two faces. False: nothing.
bool rim_sample(gy_rim_place p, int c, bool next, int a, int b, out float value)
{
    int plane = 1 + c + (next ? args.extent.dim : 0);
    value = rim_number(p, plane, a, b);
    bool given = rim_number(p, 0, a, b) != 0.0;
    if (c == p.axis) {
        return given;
    }
    int da = int(c == p.along.x), db = int(c == p.along.y);
    precise float mean = 0.5 * (value + rim_number(p, plane, a - da, b - db));
    value = mean;
    return given && rim_number(p, 0, a - da, b - db) != 0.0;
}

/// The same, faces that are neither given nor open being given 0 across the side.
bool rim_held(gy_rim_place p, int c, bool next, int a, int b, out float value)
{
    if (rim_sample(p, c, next, a, b, value)) {
        return true;
    }
    value = 0.0;
    return c == p.axis && p.windows != 0 && rim_number(p, p.windows, a, b) <= 0.0;
}
