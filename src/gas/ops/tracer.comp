// tracer.comp: the twin of tracer in gas/ops/tracer.c: an invocation a particle.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t particles;
    uint step;
    uint gone;
    uint now;
    uint velocity[3];
    uint near;
    uint level;
    gy_extent extent;
    uint periodic, open_sides;
    float origin[3];
    float h, inverse;
    float scale;
    float dt;
    float life;
    uint64_t links;
};
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"
#include "ops/particle/drift.glsl"
#include "gas/ops/tracer.glsl"
#include "gas/ops/link.glsl"

layout(local_size_x = 256) in;

/// Makes again where one at c goes to, whose first half step was `way`, if that may come near a
/// sheet.
void carry_near(int dim, vec3 c, vec3 way, inout vec3 to)
{
    gy_net net = gy_net_make(args.links, args.extent, args.periodic);
    gy_spot p = gy_spot(ivec3(0), vec3(0.0));
    precise vec3 first = way;
    for (int a = 0; a < dim; a++) {
        p.e[a] = min(max(int(c[a]), 0), cells_along(a) - 1);
        precise float f = c[a] - float(p.e[a]) - 0.5;
        p.f[a] = f;
    }
    vec2 range;
    if (gy_net_near(net, p.e, 0)) {
        for (int a = 0; a < dim; a++) {
            float n = float(cells_along(a));
            precise float u = gy_net_read(net, float_samples(args.base, args.velocity[a]), a, p, range);
            precise float d = 0.5 * args.scale * u;
            first[a] = between(d, -n, n);
        }
    }
    // A path of less than a cell may end in the next one.
    if (!gy_net_near(net, p.e, min(gy_net_length(first) + 1, FAR_AWAY))) {
        return;
    }
    gy_net_walk(net, first, p);
    for (int a = 0; a < dim; a++) {
        float n = float(cells_along(a));
        precise float u = gy_net_read(net, float_samples(args.base, args.velocity[a]), a, p, range);
        precise float d = args.scale * u;
        precise float end = c[a] + between(d, -n, n);
        to[a] = end;
    }
}

void main()
{
    int i = low.x + int(gl_GlobalInvocationID.x), dim = args.extent.dim;
    if (i >= high.x || i >= int(uints(at(args.particles, args.now), COUNT).v)) {
        return;
    }
    precise vec3 x = vec3(0.0), start = vec3(0.0), c = vec3(0.0), middle = vec3(0.0);
    precise vec3 to = vec3(0.0), first = vec3(0.0);
    precise float half_scale = 0.5 * args.scale, scale = args.scale;
    for (int d = 0; d < dim; d++) {
        x[d] = floats(at(args.particles, uint(d) * args.step), i).v;
        start[d] = (x[d] - args.origin[d]) * args.inverse;
        c[d] = between(start[d], 0.0, float(cells_along(d)));
    }
    bool gone = x[0] >= GONE; // in a substep before
    for (int d = 0; d < dim; d++) {
        float n = float(cells_along(d));
        precise float way = between(half_scale * sample_of(dim, d, c), -n, n);
        first[d] = way;
        middle[d] = within(c[d] + way, n, periodic_along(d));
    }
    for (int d = 0; d < dim; d++) {
        float n = float(cells_along(d));
        to[d] = c[d] + between(scale * sample_of(dim, d, middle), -n, n);
    }
    if (LINKED) {
        vec3 end = to;
        carry_near(dim, c, first, end);
        to = end;
    }
    if (args.near != 0u && is_near(dim, c, to)) {
        gy_grid_level g = gy_grid_level_at(args.base, args.level);
        vec3 end = to;
        gone = walk(g, dim, c, end) || gone;
        to = end;
    }
    for (int d = 0; d < dim; d++) {
        float n = float(cells_along(d)), end = to[d];
        if (periodic_along(d)) {
            end = within(end, n, true);
        } else if (beyond(end, n, args.open_sides >> (2 * d))) {
            gone = true;
        }
        to[d] = end;
    }
    Float old = floats(at(args.particles, 3u * args.step), i);
    precise float age = old.v + args.dt;
    gone = gone || (args.life > 0.0 && age >= args.life);
    old.v = age;
    for (int d = 0; d < dim; d++) {
        precise float y = x[d] + (to[d] - start[d]) * args.h;
        floats(at(args.particles, uint(d) * args.step), i).v = d == 0 && gone ? GONE : y;
    }
    if (gone) {
        uints(at(args.particles, args.gone), 0).v = 1u;
    }
}
