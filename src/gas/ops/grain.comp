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
    uint64_t links;
};
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"
#include "ops/particle/drift.glsl"
#include "gas/ops/tracer.glsl"
#include "gas/ops/link.glsl"

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
    uint motion;
    uint motions;
    // gy_plate_law
    int plate;
    float thick;
    float wide;
    float ease;
    float across[2];
    float along[3];
    float turn[3];
    float roll;
    float lever;
    float lift;
    float form;
};

const float DEEP = 3.0; // GY_GRAIN_DEEP

/// A particle on its way: in cells and in m/s.
struct flight {
    vec3 from, to, was, v, pull, gained;
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

#include "gas/ops/plate.glsl"

/// What a surface whose material moves by `motion` does to one that is `deep` cells behind where it
/// holds it.
void meet(Law l, int dim, vec3 normal, float deep, vec3 motion, inout flight f, inout gy_turn t)
{
    if (!(deep > 0.0) || f.gone) {
        return;
    }
    precise float dt = args.dt, bounce = l.bounce;
    precise float pace = dot_of(dim, motion, normal);
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
            along[d] = (f.v[d] + into * normal[d]) - motion[d];
        }
        precise float slide = sqrt(dot_of(dim, along, along));
        precise float lost = l.friction * (into + leave);
        precise float kept = lost < slide ? 1.0 - lost / max(slide, 1e-20) : 0.0;
        for (int d = 0; d < dim; d++) {
            precise float v = (normal[d] * leave + along[d] * kept) + motion[d];
            f.v[d] = v;
        }
        if (l.plate != 0) {
            lie(l, dim, normal, t);
        }
        if (f.still && kept == 0.0 && leave == 0.0 && motion == vec3(0.0)) {
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

/// How the material of the solid near a place moves.
vec3 moving(Law l, int dim, vec3 c)
{
    vec3 motion = vec3(0.0);
    for (int d = 0; d < dim && l.motion != 0u; d++) {
        motion[d] = corners(dim, l.motion + uint(d) * l.motions, c).w;
    }
    return motion;
}

/// The most of reach_of.
float most_hold(Law l)
{
    precise float most = min(l.wide + l.thick, 2.0) + 0.00390625;
    return l.plate != 0 ? most : l.hold;
}

/// Solids, by how far they are.
void solids(Law l, int dim, inout flight f, inout gy_turn t)
{
    vec3 place = vec3(0.0);
    for (int d = 0; d < dim; d++) {
        place[d] = within(f.to[d], float(cells_along(d)), periodic_along(d));
    }
    vec4 away = corners(dim, l.distance, place);
    precise vec3 normal = away.xyz;
    precise float size = sqrt(dot_of(dim, normal, normal));
    if (away.w < most_hold(l) && away.w > -DEEP && size > 1e-6) {
        for (int d = 0; d < dim; d++) {
            precise float x = normal[d] / max(size, 1e-6);
            normal[d] = x;
        }
        precise float deep = reach_of(l, dim, normal, t.n) - away.w;
        meet(l, dim, normal, deep, moving(l, dim, place), f, t);
    }
}

/// Shut faces between cells, whatever shuts them.
void faces(Law l, int dim, inout flight f, inout gy_turn t)
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
        meet(l, dim, normal, abs(over), vec3(0.0), f, t);
    }
    if (moved) {
        vec3 to = f.to;
        if (is_near(dim, f.from, to)) {
            walk(g, dim, f.from, to);
        }
        f.to = to;
        if (l.distance != 0u) {
            solids(l, dim, f, t);
        }
    }
}

/// The sides of the domain across an axis.
void ends(Law l, int dim, int axis, inout flight f, inout gy_turn t)
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
            precise float deep = beyond + reach_of(l, dim, normal, t.n);
            meet(l, dim, normal, deep, vec3(0.0), f, t);
        }
    }
    f.to[axis] = between(f.to[axis], 0.0, n);
}

/// Of one that sticks: whether it stands on a surface that does not move.
bool stuck(Law l, int dim, flight f, vec3 n)
{
    precise float hold = most_hold(l) + HAIR;
    bool touching = l.distance != 0u && corners(dim, l.distance, f.from).w <= hold;
    for (int d = 0; d < dim; d++) {
        vec3 normal = vec3(0.0);
        normal[d] = 1.0;
        precise float reach = reach_of(l, dim, normal, n) + HAIR;
        uint open = args.open_sides >> (2 * d);
        if (!periodic_along(d)) {
            precise float rest = float(cells_along(d)) - f.from[d];
            touching = touching || ((open & 1u) == 0u && f.from[d] <= reach);
            touching = touching || ((open & 2u) == 0u && rest <= reach);
        }
    }
    return touching && f.still;
}

/// The same of solids that move: whether it goes along.
bool ridden(Law l, int dim, inout flight f)
{
    vec3 motion = moving(l, dim, f.from), to = vec3(0.0);
    precise float against = 0.0, by = args.dt * l.inverse;
    for (int d = 0; d < dim; d++) {
        precise float way = (f.was[d] - motion[d]) * by;
        against = against + way * way;
        precise float end = f.from[d] + motion[d] * by;
        to[d] = within(end, float(cells_along(d)), periodic_along(d));
    }
    vec4 away = corners(dim, l.distance, to);
    precise float size = sqrt(dot_of(dim, away.xyz, away.xyz)), over = away.w - most_hold(l);
    if (f.still || over > 0.0625 || over <= -DEEP || against >= 0.00390625 || size <= 1e-6) {
        return false;
    }
    for (int d = 0; d < dim; d++) {
        precise float end = f.from[d] + motion[d] * by - max(over, 0.0) * away[d] / max(size, 1e-6);
        f.to[d] = end;
        f.v[d] = motion[d];
    }
    return true;
}

/// Keeps what sticks where it is, or on what moves.
void cling(Law l, int dim, inout flight f, inout gy_turn t)
{
    bool held = stuck(l, dim, f, t.n);
    if (held) {
        f.to = f.from;
        f.v = vec3(0.0);
    }
    if (held || (l.motion != 0u && ridden(l, dim, f))) {
        t.way = t.spin = vec3(0.0);
    }
}

/// As sample_of, and in xyz how it grows along each axis a cell.
vec4 sample_slope(int dim, int axis, vec3 c, float by)
{
    ivec3 stride = ivec3(1, args.extent.sy, args.extent.sz);
    int o = 0;
    precise vec3 f = vec3(0.0);
    for (int a = 0; a < dim; a++) {
        precise float x = a == axis ? c[a] : c[a] - 0.5;
        int k = int(floor(x));
        k = a == axis && k >= cells_along(a) ? k - 1 : k;
        f[a] = x - float(k);
        o += k * stride[a];
    }
    uint64_t p = at(args.base, args.velocity[axis]);
    precise float v[2], sx[2], sy[2];
    for (int z = 0; z < 2; z++) {
        int i = o + (dim == 3 ? z * stride.z : 0);
        float a0 = floats(p, i).v, b0 = floats(p, i + 1).v;
        float a1 = floats(p, i + stride.y).v, b1 = floats(p, i + stride.y + 1).v;
        precise float lower = (1.0 - f.x) * a0 + f.x * b0, upper = (1.0 - f.x) * a1 + f.x * b1;
        v[z] = (1.0 - f.y) * lower + f.y * upper;
        sx[z] = (1.0 - f.y) * (b0 - a0) + f.y * (b1 - a1);
        sy[z] = upper - lower;
    }
    precise vec4 all = vec4(sx[0] * by, sy[0] * by, 0.0, v[0]);
    if (dim == 3) {
        all.x = ((1.0 - f.z) * sx[0] + f.z * sx[1]) * by;
        all.y = ((1.0 - f.z) * sy[0] + f.z * sy[1]) * by;
        all.z = (v[1] - v[0]) * by;
        all.w = (1.0 - f.z) * v[0] + f.z * v[1];
    }
    return all;
}

/// The wind beside sheets; false: there are none near.
bool wind_near(int dim, vec3 c, vec3 way, inout vec3 u)
{
    gy_net net = gy_net_make(args.links, args.extent, args.periodic);
    gy_spot p = gy_spot(ivec3(0), vec3(0.0));
    for (int a = 0; a < dim; a++) {
        p.e[a] = min(max(int(c[a]), 0), cells_along(a) - 1);
        precise float f = c[a] - float(p.e[a]) - 0.5;
        p.f[a] = f;
    }
    if (!gy_net_near(net, p.e, min(gy_net_length(way) + 1, FAR_AWAY))) {
        return false;
    }
    vec2 range;
    gy_net_walk(net, way, p);
    for (int a = 0; a < dim; a++) {
        u[a] = gy_net_read(net, float_samples(args.base, args.velocity[a]), a, p, range);
    }
    return true;
}

/// Flies for a step as if there was nothing but the wind.
void fly(Law l, int dim, int i, inout flight f, inout gy_turn t)
{
    precise float dt = args.dt, half_way = 0.5 * args.dt * l.inverse;
    vec3 ahead = vec3(0.0), u = vec3(0.0), way_ahead = vec3(0.0);
    mat3 slope = mat3(0.0); // slope[a][b]: of component a along b
    precise vec3 w = vec3(0.0), end = vec3(0.0);
    for (int d = 0; d < dim; d++) {
        float n = float(cells_along(d));
        way_ahead[d] = between(half_way * f.was[d], -n, n);
        precise float way = f.from[d] + way_ahead[d];
        ahead[d] = within(way, n, periodic_along(d));
    }
    for (int d = 0; d < dim; d++) {
        if (l.plate != 0) {
            vec4 both = sample_slope(dim, d, ahead, l.inverse);
            u[d] = both.w;
            slope[d] = both.xyz;
        } else {
            u[d] = sample_of(dim, d, ahead);
        }
    }
    if (LINKED) {
        slope = wind_near(dim, f.from, way_ahead, u) ? mat3(0.0) : slope;
    }
    uint draw = pcg(uints(at(args.particles, 4u * args.step), i).v) + args.draw;
    for (int d = 0; d < dim; d++) {
        precise float wind = u[d];
        if (args.gust > 0.0) {
            draw = pcg(draw);
            wind = wind + args.gust * (float(draw >> 8) * 1.1920928955078125e-7 - 1.0);
        }
        w[d] = wind - f.was[d];
    }
    if (l.plate != 0) {
        glide(l, dim, w, slope, f, t);
        return;
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
        precise float gained = (v - f.was[d]) - l.pull[d] * dt;
        f.v[d] = v;
        f.pull[d] = pull;
        f.to[d] = to;
        f.gained[d] = gained;
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
    flight f = flight(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), false, true);
    gy_turn t = gy_turn(vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    for (int d = 0; d < dim; d++) {
        x[d] = floats(at(args.particles, uint(d) * args.step), i).v;
        start[d] = (x[d] - origin[d]) * l.inverse;
        f.from[d] = between(start[d], 0.0, float(cells_along(d)));
        f.was[d] = between(floats(at(args.particles, uint(5 + d) * args.step), i).v, -1e6, 1e6);
        f.still = f.still && f.was[d] == 0.0;
    }
    f.gone = x[0] >= GONE; // in a substep before
    if (l.plate != 0) {
        t = stand(dim, i);
    }
    fly(l, dim, i, f, t);
    if (args.given != 0u) {
        for (int d = 0; d < dim; d++) {
            uint given = args.given + uint(d) * args.step;
            floats(at(args.particles, given), i).v = f.gone ? 0.0 : f.gained[d];
            floats(at(args.particles, given + 3u * args.step), i).v = f.from[d];
        }
    }
    if (l.stick != 0) {
        cling(l, dim, f, t);
    }
    if (l.distance != 0u) {
        solids(l, dim, f, t);
    }
    if (args.near != 0u) {
        faces(l, dim, f, t);
    }
    for (int d = 0; d < dim; d++) {
        ends(l, dim, d, f, t);
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
    if (l.plate != 0) {
        turned(i, t);
    }
    if (gone) {
        uints(at(args.particles, args.gone), 0).v = 1u;
    }
}
