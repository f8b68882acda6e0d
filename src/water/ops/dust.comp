// dust.comp: the twin of dust in water/ops/dust.c, on linear waves: an invocation a particle, which
// looks at its cells one by one.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t memory;
    uint64_t slot;
    uint64_t current;
    uint64_t particles;
    uvec2 job; // of the host
    uint step, gone, now;
    ivec2 n;
    ivec2 tn;
    int slot_bytes, array_step;
    uint periodic, open_sides;
    float origin[2];
    float h, inverse, scale, dt, life, dry, cap, level;
    uint last;
};
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"
#include "ops/particle/drift.glsl"

layout(local_size_x = 256) in;

// As in water/ops/tiles.h.
const int T = 64, STATE = 3, DEPTH = 0, QX = 1, BED = 6, ARRAYS = 8;
const uint SHUT_X = 1u, SHUT_Y = 2u, OUT = 4u;

bool periodic_along(int axis)
{
    return (args.periodic >> axis & 1u) != 0u;
}

/// A cell in the domain: round its periodic sides, the last one beyond others.
int along(int axis, int i)
{
    ivec2 cells = args.n;
    int n = cells[axis];
    if (periodic_along(axis)) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    return min(max(i, 0), n - 1);
}

ivec2 along_both(ivec2 cell)
{
    return ivec2(along(0, cell.x), along(1, cell.y));
}

/// The slot of a cell of the domain, or -1, and its place in arrays.
int slot_at(ivec2 cell, out int place)
{
    place = cell.x % T + T * (cell.y % T);
    return ints(args.slot, cell.x / T + args.tn.x * (cell.y / T)).v;
}

float array_at(int slot, int array, int place)
{
    uint64_t memory = args.memory + uint64_t(slot) * uint64_t(args.slot_bytes);
    return floats(memory + uint64_t(array * args.array_step) * 4ul, place).v;
}

float state_at(int slot, int array, int place)
{
    return array_at(slot, int(bytes(args.current, slot).v) * STATE + array, place);
}

uint flags_at(ivec2 cell)
{
    int place, slot = slot_at(cell, place);
    if (slot < 0) {
        return OUT;
    }
    uint64_t memory = args.memory + uint64_t(slot) * uint64_t(args.slot_bytes);
    return uint(bytes(memory + uint64_t(ARRAYS * args.array_step) * 4ul, place).v);
}

// ---- what cells tell

struct flow_cell {
    vec2 speed;
    float surface;
    bool wet;
};

/// The discharge across the high face of a cell.
float high_face(int axis, ivec2 cell)
{
    ivec2 n = args.n;
    if (cell[axis] + 1 >= n[axis] && !periodic_along(axis)) {
        return 0.0;
    }
    cell[axis] += 1;
    int place, slot = slot_at(along_both(cell), place);
    return slot < 0 ? 0.0 : state_at(slot, QX + axis, place);
}

flow_cell look(ivec2 at_cell)
{
    ivec2 cell = along_both(at_cell);
    int place, slot = slot_at(cell, place);
    flow_cell c = flow_cell(vec2(0.0), 0.0, false);
    if (slot < 0) {
        return c;
    }
    float bed = array_at(slot, BED, place);
    precise float depth = args.level + state_at(slot, DEPTH, place);
    depth = depth - bed;
    c.wet = depth > args.dry && (flags_at(cell) & OUT) == 0u;
    if (!c.wet) {
        return c;
    }
    precise float surface = bed + depth;
    c.surface = surface;
    for (int d = 0; d < 2; d++) {
        precise float q = 0.5 * (state_at(slot, QX + d, place) + high_face(d, cell));
        precise float speed = q / depth;
        c.speed[d] = between(speed, -args.cap, args.cap);
    }
    return c;
}

/// The cell low of a point's, and how far the point is from its centre.
ivec2 corner_of(vec2 c, out vec2 part)
{
    precise vec2 x = c - 0.5;
    precise vec2 whole = floor(x);
    precise vec2 f = x - whole;
    part = f;
    return ivec2(whole);
}

float weight_of(vec2 f, int q)
{
    precise vec2 rest = 1.0 - f;
    precise float w = ((q & 1) != 0 ? f.x : rest.x) * ((q >> 1) != 0 ? f.y : rest.y);
    return w;
}

vec2 velocity_at(vec2 c)
{
    vec2 f;
    ivec2 k = corner_of(c, f);
    precise vec2 u = vec2(0.0);
    for (int q = 0; q < 4; q++) {
        precise float w = weight_of(f, q);
        u = u + w * look(k + ivec2(q & 1, q >> 1)).speed;
    }
    return u;
}

/// The height of the surface, by the wet cells round a point; whether its own cell is dry.
float height_at(vec2 c, out bool dry)
{
    vec2 f;
    ivec2 k = corner_of(c, f), own = ivec2(c);
    precise float sum = 0.0, weight = 0.0;
    dry = false;
    for (int q = 0; q < 4; q++) {
        flow_cell cell = look(k + ivec2(q & 1, q >> 1));
        precise float w = weight_of(f, q);
        if (cell.wet) {
            sum = sum + w * cell.surface;
            weight = weight + w;
        }
        bvec2 upper = greaterThan(own, k);
        if (upper.x == ((q & 1) != 0) && upper.y == ((q >> 1) != 0)) {
            dry = !cell.wet;
        }
    }
    precise float height = weight > 0.0 ? sum / weight : 0.0;
    return height;
}

// ---- on the way

/// A place round the periodic sides, and within the others.
float within(int axis, float c)
{
    ivec2 cells = args.n;
    float n = float(cells[axis]);
    precise float x = c;
    if (periodic_along(axis)) {
        x = c < 0.0 ? c + n : c >= n ? c - n : c;
    }
    return between(x, 0.0, n);
}

bool is_shut(int axis, ivec2 cell, bool high)
{
    ivec2 other = cell;
    other[axis] = along(axis, cell[axis] + (high ? 1 : -1));
    uint there = flags_at(other), owner = high ? there : flags_at(cell);
    return (owner & (axis == 0 ? SHUT_X : SHUT_Y)) != 0u || (there & OUT) != 0u;
}

/// Holds `to` before the first shut face on the way, axis by axis.
void hold(vec2 from, inout vec2 to)
{
    ivec2 cell = along_both(ivec2(from)), n = args.n;
    for (int d = 0; d < 2; d++) {
        int now = cell[d];
        bool up = to[d] > from[d];
        for (int left = n[d]; left > 0; left--) {
            if (up ? to[d] < float(now + 1) : to[d] >= float(now)) {
                break;
            }
            int face = cell[d] + int(up);
            if (!periodic_along(d) && (face <= 0 || face >= n[d])) {
                break; // the domain's own sides are looked at afterwards
            }
            if (is_shut(d, cell, up)) {
                to[d] = up ? float(now + 1) - HAIR : float(now) + HAIR;
                break;
            }
            now += up ? 1 : -1;
            cell[d] = along(d, cell[d] + (up ? 1 : -1));
        }
    }
}

void main()
{
    int i = low.x + int(gl_GlobalInvocationID.x);
    if (i >= high.x || i >= int(uints(at(args.particles, args.now), COUNT).v)) {
        return;
    }
    precise vec2 x = vec2(0.0), start = vec2(0.0), c = vec2(0.0), middle = vec2(0.0);
    precise vec2 to = vec2(0.0);
    precise float half_scale = 0.5 * args.scale, scale = args.scale;
    vec2 n = vec2(args.n);
    for (int d = 0; d < 2; d++) {
        x[d] = floats(at(args.particles, uint(d) * args.step), i).v;
        start[d] = (x[d] - args.origin[d]) * args.inverse;
        c[d] = within(d, start[d]);
    }
    if (x[0] >= GONE) {
        return; // before
    }
    vec2 u = velocity_at(c);
    for (int d = 0; d < 2; d++) {
        middle[d] = within(d, c[d] + between(half_scale * u[d], -n[d], n[d]));
    }
    u = velocity_at(middle);
    for (int d = 0; d < 2; d++) {
        to[d] = c[d] + between(scale * u[d], -n[d], n[d]);
    }
    if (any(notEqual(ivec2(c), ivec2(floor(to))))) {
        vec2 end = to;
        hold(c, end);
        to = end;
    }
    bool gone = false, dry;
    for (int d = 0; d < 2; d++) {
        float end = to[d];
        if (periodic_along(d)) {
            end = within(d, end);
        } else if (beyond(end, n[d], args.open_sides >> (2 * d))) {
            gone = true;
        }
        to[d] = end;
        x[d] = x[d] + (to[d] - start[d]) * args.h;
    }
    float height = height_at(to, dry);
    Float old = floats(at(args.particles, 3u * args.step), i);
    precise float age = old.v + args.dt;
    old.v = age;
    gone = gone || dry || (args.life > 0.0 && age >= args.life);
    if (args.last != 0u) {
        floats(at(args.particles, 2u * args.step), i).v = height;
    }
    floats(at(args.particles, 0u), i).v = gone ? GONE : x[0];
    floats(at(args.particles, args.step), i).v = x[1];
    if (gone) {
        uints(at(args.particles, args.gone), 0).v = 1u;
    }
}
