// rub.comp: the twin of rub in gas/ops/rub.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t planes;
    uint64_t faces;
    uint lost;
    uint velocity[2];
    gy_extent extent;
    uint periodic;
    int work;
    int axis;
    float dt, h;
    float density;
};
#include "ops/row/push.glsl"

layout(local_size_x = 256) in;

const float UNIT = 16384.0; // GY_UNIT
const int TAKE = 0; // gy_rub_work; GIVE is what is left

int columns()
{
    return args.extent.n.x * (args.extent.dim == 3 ? args.extent.n.y : 1);
}

int step_along()
{
    return args.axis == 0 ? 1 : args.extent.n.x;
}

int count_along()
{
    return args.axis == 0 ? args.extent.n.x : args.extent.n.y;
}

bool goes_round()
{
    return (args.periodic >> args.axis & 1u) != 0u;
}

float beside(int which, int column, int place)
{
    int before = column - step_along() * (place > 0 ? 1 : 1 - count_along());
    uint64_t plane = args.planes + uint64_t(which * columns()) * 4ul;
    precise float mean = 0.5 * (floats(plane, column).v + floats(plane, before).v);
    return mean;
}

float other_at(int o)
{
    uint64_t u = at(args.base, args.axis == 0 ? args.velocity[1] : args.velocity[0]);
    int own = args.axis == 0 ? 1 : args.extent.sy, other = args.axis == 0 ? args.extent.sy : 1;
    precise float mean = 0.25 * ((floats(u, o).v + floats(u, o + other).v) +
                                 (floats(u, o - own).v + floats(u, o - own + other).v));
    return mean;
}

/// What the two columns of a face get each. In floats: what is lost is exactly what is not there.
float take(int column, int o, int open)
{
    bool deep = args.extent.dim == 3;
    int place = args.axis == 0 ? column % args.extent.n.x : column / args.extent.n.x;
    Float u = floats(at(args.base, args.axis == 0 ? args.velocity[0] : args.velocity[1]), o);
    float c = beside(0, column, place), before = u.v;
    precise float own = before - beside(1 + args.axis, column, place), other = 0.0;
    if (deep) {
        other = other_at(o) - beside(2 - args.axis, column, place);
    }
    precise float depth = args.h * float(open) * (1.0 / UNIT);
    precise float rate = c * sqrt(own * own + other * other) * args.dt / depth;
    precise float after = before - own * (rate / (1.0 + rate));
    precise float mass = args.density * (deep ? args.h * args.h : args.h);
    precise float gone = 0.5 * mass * (depth * (before - after));
    u.v = after;
    return gone;
}

void give(uint64_t lost, int column)
{
    int way = step_along(), count = count_along(), place = column / way % count;
    Float push = floats(args.planes, (3 + args.axis) * columns() + column);
    precise float sum = push.v;
    if (place + 1 < count) {
        sum = (sum + floats(lost, column).v) + floats(lost, column + way).v;
    } else if (goes_round()) {
        sum = (sum + floats(lost, column - place * way).v) + floats(lost, column).v;
    } else {
        sum = sum + floats(lost, column).v;
    }
    push.v = sum;
}

void main()
{
    int column = low.x + int(gl_GlobalInvocationID.x);
    if (column >= high.x) {
        return;
    }
    uint64_t lost = at(args.base, args.lost);
    if (args.work == TAKE) {
        int o = ints(args.faces, column).v;
        float gone = 0.0;
        if (o >= 0) {
            gone = take(column, o, ints(args.faces, columns() + column).v);
        }
        floats(lost, column).v = gone;
    } else {
        give(lost, column);
    }
}
