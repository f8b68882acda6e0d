// grain.comp: the twin of grain in gas/ops/grain.c: an invocation a particle.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t particles;
    uint step, gone, now, velocity[3], near, level;
    gy_extent extent;
    uint periodic, open_sides;
    uint law;
    uint draw;
    float dt;
    float gust;
    uint given;
};
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"
#include "ops/particle/drift.glsl"
#include "gas/ops/tracer.glsl"

layout(local_size_x = 256) in;

/// gy_grain_law.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Law {
    vec3 origin;
    float h, inverse;
    float life;
    vec3 pull;
    float slow;
    float reynolds;
    float fast;
    float hold;
    float bounce;
    float friction;
    int stick;
    uint distance;
    uint pace;
};

const float DEEP = 3.0; // GY_GRAIN_DEEP

/// A particle on its way: in cells and in m/s.
struct flight {
    vec3 from, to, was, v, pull;
    bool gone, still;
};

/// The rate of the drag at a speed against the gas.
float drag(Law l, float speed)
{
    precise float re = min(speed * l.reynolds, 1e30);
    precise float half_power = sqrt(re), fourth = sqrt(half_power), eighth = sqrt(fourth);
    precise float two = float(floatBitsToInt(re) - 0x3f800000) * 1.1920928955078125e-7;
    precise float power = half_power * eighth * sqrt(eighth) * (1.0 - 0.00034657359 * two);
    precise float slow = l.slow * (1.0 + 0.15 * power);
    precise float fast = l.fast * speed;
    return min(re < 1000.0 ? slow : fast, 1e18);
}

/// p and q of z >= 0.
vec2 decay(float z)
{
    if (z < 1.0) {
        precise float sum = 1.0 / 3628800.0;
        sum = sum * z - 1.0 / 362880.0;
        sum = sum * z + 1.0 / 40320.0;
        sum = sum * z - 1.0 / 5040.0;
        sum = sum * z + 1.0 / 720.0;
        sum = sum * z - 1.0 / 120.0;
        sum = sum * z + 1.0 / 24.0;
        sum = sum * z - 1.0 / 6.0;
        sum = sum * z + 0.5;
        precise float p = 1.0 - z * sum;
        return vec2(p, sum);
    }
    precise float x = min(z, 80.0), power = 1.0 / 720.0;
    int n = int(x * 1.44269504 + 0.5);
    precise float r = (float(n) * 0.693145752 - x) + float(n) * 1.42860677e-6;
    power = power * r + 1.0 / 120.0;
    power = power * r + 1.0 / 24.0;
    power = power * r + 1.0 / 6.0;
    power = power * r + 0.5;
    power = power * r + 1.0;
    power = power * r + 1.0;
    power = power * intBitsToFloat((127 - n) << 23);
    precise float p = (1.0 - power) / z;
    precise float q = (1.0 - p) / z;
    return vec2(p, q);
}

/// As the function of base/maths.c.
uint pcg(uint x)
{
    uint state = x * 747796405u + 2891336453u;
    uint word = (state >> ((state >> 28) + 4u) ^ state) * 277803737u;
    return word >> 22 ^ word;
}

float dot_of(int dim, vec3 a, vec3 b)
{
    precise float sum = a.x * b.x + a.y * b.y;
    if (dim == 3) {
        sum = sum + a.z * b.z;
    }
    return sum;
}

/// What a surface does to one that is `deep` cells behind where it holds it.
void meet(Law l, int dim, vec3 normal, float deep, float pace, inout flight f)
{
    if (!(deep > 0.0) || f.gone) {
        return;
    }
    precise float dt = args.dt, bounce = l.bounce;
    precise float into = pace - dot_of(dim, f.v, normal);
    precise float press = max(-dot_of(dim, f.pull, normal), 0.0);
    precise float way = deep;
    if (into > 0.0) {
        precise float since = min(deep * l.h / max(into, 1e-20), dt);
        precise float back = bounce * max(into - press * since, 0.0);
        back = back > press * dt ? back : 0.0;
        precise float leave = max(back - press * since, 0.0);
        precise vec3 along = vec3(0.0);
        for (int d = 0; d < dim; d++) {
            along[d] = f.v[d] + (into - pace) * normal[d];
        }
        precise float slide = sqrt(dot_of(dim, along, along));
        precise float lost = l.friction * (into + leave);
        precise float kept = lost < slide ? 1.0 - lost / max(slide, 1e-20) : 0.0;
        for (int d = 0; d < dim; d++) {
            precise float v = normal[d] * (pace + leave) + along[d] * kept;
            f.v[d] = v;
        }
        if (f.still && kept == 0.0 && leave == 0.0 && pace == 0.0) {
            f.v = vec3(0.0);
            f.to = f.from;
            return;
        }
        way = max(deep + (back - 0.5 * press * since) * since * l.inverse, deep);
    }
    for (int d = 0; d < dim; d++) {
        precise float to = f.to[d] + normal[d] * way;
        f.to[d] = to;
    }
}

/// Of an array on corners of cells its value at a place of the domain, and in xyz what it grows by a
/// cell.
vec4 corners(int dim, uint array, vec3 c)
{
    ivec3 n = args.extent.n, stride = ivec3(1, n.x + 1, (n.x + 1) * (n.y + 1));
    int o = 0;
    precise vec3 f = vec3(0.0);
    for (int a = 0; a < dim; a++) {
        int k = int(between(c[a], 0.0, float(n[a]) - 0.5));
        f[a] = c[a] - float(k);
        o += k * stride[a];
    }
    uint64_t p = at(args.particles, array);
    precise float w[2], sx[2], sy[2];
    for (int z = 0; z < 2; z++) {
        int i = o + (dim == 3 ? z * stride.z : 0);
        float a0 = floats(p, i).v, b0 = floats(p, i + 1).v;
        float a1 = floats(p, i + stride.y).v, b1 = floats(p, i + stride.y + 1).v;
        precise float x0 = b0 - a0, x1 = b1 - a1;
        precise float v0 = a0 + f.x * x0, v1 = a1 + f.x * x1;
        w[z] = v0 + f.y * (v1 - v0);
        sx[z] = x0 + f.y * (x1 - x0);
        sy[z] = v1 - v0;
    }
    precise vec4 all = vec4(sx[0], sy[0], 0.0, w[0]);
    if (dim == 3) {
        all.x = sx[0] + f.z * (sx[1] - sx[0]);
        all.y = sy[0] + f.z * (sy[1] - sy[0]);
        all.z = w[1] - w[0];
        all.w = w[0] + f.z * (w[1] - w[0]);
    }
    return all;
}

/// Solids, by how far they are.
void solids(Law l, int dim, inout flight f)
{
    vec3 place = vec3(0.0);
    for (int d = 0; d < dim; d++) {
        place[d] = within(f.to[d], float(cells_along(d)), periodic_along(d));
    }
    vec4 away = corners(dim, l.distance, place);
    precise float deep = l.hold - away.w;
    precise vec3 normal = away.xyz;
    precise float size = sqrt(dot_of(dim, normal, normal));
    if (deep > 0.0 && away.w > -DEEP && size > 1e-6) {
        for (int d = 0; d < dim; d++) {
            precise float x = normal[d] / max(size, 1e-6);
            normal[d] = x;
        }
        meet(l, dim, normal, deep, l.pace != 0u ? corners(dim, l.pace, place).w : 0.0, f);
    }
}

/// Shut faces between cells, whatever shuts them.
void faces(Law l, int dim, inout flight f)
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    vec3 end = f.to;
    if (!is_near(dim, f.from, end)) {
        return;
    }
    bool inside = walk(g, dim, f.from, end), moved = inside;
    if (inside && l.distance != 0u) {
        inside = corners(dim, l.distance, f.from).w <= -DEEP;
    }
    f.gone = f.gone || inside;
    for (int d = 0; d < dim; d++) {
        precise float over = end[d] - f.to[d];
        vec3 normal = vec3(0.0);
        moved = moved || over != 0.0;
        normal[d] = over > 0.0 ? 1.0 : -1.0;
        meet(l, dim, normal, abs(over), 0.0, f);
    }
    if (moved) {
        vec3 to = f.to;
        if (is_near(dim, f.from, to)) {
            walk(g, dim, f.from, to);
        }
        f.to = to;
        if (l.distance != 0u) {
            solids(l, dim, f);
        }
    }
}

/// The sides of the domain across an axis.
void ends(Law l, int dim, int axis, inout flight f)
{
    float n = float(cells_along(axis));
    if (periodic_along(axis)) {
        f.to[axis] = within(f.to[axis], n, true);
        return;
    }
    for (int high = 0; high < 2; high++) {
        precise float beyond = high != 0 ? f.to[axis] - n : -f.to[axis];
        if ((args.open_sides >> (2 * axis + high) & 1u) != 0u) {
            f.gone = f.gone || beyond > 0.0;
        } else {
            vec3 normal = vec3(0.0);
            normal[axis] = high != 0 ? -1.0 : 1.0;
            precise float deep = beyond + l.hold;
            meet(l, dim, normal, deep, 0.0, f);
        }
    }
    f.to[axis] = between(f.to[axis], 0.0, n);
}

/// Of one that sticks: whether it stands on a surface.
bool stuck(Law l, int dim, flight f)
{
    precise float reach = l.hold + HAIR;
    bool touching = l.distance != 0u && corners(dim, l.distance, f.from).w <= reach;
    for (int d = 0; d < dim; d++) {
        uint open = args.open_sides >> (2 * d);
        if (!periodic_along(d)) {
            precise float rest = float(cells_along(d)) - f.from[d];
            touching = touching || ((open & 1u) == 0u && f.from[d] <= reach);
            touching = touching || ((open & 2u) == 0u && rest <= reach);
        }
    }
    return touching && f.still;
}

/// Flies for a step as if there was nothing but the wind.
void fly(Law l, int dim, int i, inout flight f)
{
    precise float dt = args.dt, half_way = 0.5 * args.dt * l.inverse;
    vec3 ahead = vec3(0.0);
    precise vec3 w = vec3(0.0), end = vec3(0.0);
    for (int d = 0; d < dim; d++) {
        float n = float(cells_along(d));
        precise float way = f.from[d] + between(half_way * f.was[d], -n, n);
        ahead[d] = within(way, n, periodic_along(d));
    }
    uint draw = pcg(uints(at(args.particles, 4u * args.step), i).v) + args.draw;
    for (int d = 0; d < dim; d++) {
        precise float u = sample_of(dim, d, ahead);
        if (args.gust > 0.0) {
            draw = pcg(draw);
            u = u + args.gust * (float(draw >> 8) * 1.1920928955078125e-7 - 1.0);
        }
        w[d] = u - f.was[d];
    }
    precise float k = drag(l, sqrt(dot_of(dim, w, w)));
    precise float z = k * dt;
    vec2 pq = decay(z);
    precise float by = dt * pq.x;
    for (int d = 0; d < dim; d++) {
        end[d] = w[d] - (k * w[d] + l.pull[d]) * by;
    }
    k = sqrt(k * drag(l, sqrt(dot_of(dim, end, end))));
    z = k * dt;
    pq = decay(z);
    by = dt * pq.x;
    for (int d = 0; d < dim; d++) {
        float n = float(cells_along(d));
        precise float a = k * w[d] + l.pull[d];
        precise float way = f.was[d] * dt + a * (dt * dt) * pq.y;
        precise float v = f.was[d] + a * by;
        precise float pull = a * pq.x;
        precise float to = f.from[d] + between(way * l.inverse, -n, n);
        f.v[d] = v;
        f.pull[d] = pull;
        f.to[d] = to;
    }
}

void main()
{
    int i = low.x + int(gl_GlobalInvocationID.x), dim = args.extent.dim;
    if (i >= high.x || i >= int(uints(at(args.particles, args.now), COUNT).v)) {
        return;
    }
    Law l = Law(at(args.particles, args.law));
    precise vec3 x = vec3(0.0), start = vec3(0.0), origin = l.origin;
    flight f = flight(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), false, true);
    for (int d = 0; d < dim; d++) {
        x[d] = floats(at(args.particles, uint(d) * args.step), i).v;
        start[d] = (x[d] - origin[d]) * l.inverse;
        f.from[d] = between(start[d], 0.0, float(cells_along(d)));
        f.was[d] = between(floats(at(args.particles, uint(5 + d) * args.step), i).v, -1e6, 1e6);
        f.still = f.still && f.was[d] == 0.0;
    }
    f.gone = x[0] >= GONE; // in a substep before
    fly(l, dim, i, f);
    if (l.stick != 0 && stuck(l, dim, f)) {
        f.to = f.from;
        f.v = vec3(0.0);
    }
    if (l.distance != 0u) {
        solids(l, dim, f);
    }
    if (args.near != 0u) {
        faces(l, dim, f);
    }
    for (int d = 0; d < dim; d++) {
        ends(l, dim, d, f);
    }
    Float old = floats(at(args.particles, 3u * args.step), i);
    precise float age = old.v + args.dt;
    bool gone = f.gone || (l.life > 0.0 && age >= l.life);
    old.v = age;
    for (int d = 0; d < dim; d++) {
        precise float y = x[d] + (f.to[d] - start[d]) * l.h;
        floats(at(args.particles, uint(d) * args.step), i).v = d == 0 && gone ? GONE : y;
        floats(at(args.particles, uint(5 + d) * args.step), i).v = f.v[d];
    }
    if (gone) {
        uints(at(args.particles, args.gone), 0).v = 1u;
    }
}
