// water_shallow.comp: the twin of water_shallow in water/ops/water.c and of water/ops/shallow.h,
// where the equations are.
//
// A workgroup steps a block of 16 x 8 cells of a tile, 32 of them to a tile: it reads three cells
// round it, finds slopes and half a step ahead of two, faces and shares of one. Bytes a cell: 16
// read, of which three quarters again for the rims, out of a cache, and 12 written; 24 KiB of
// memory that a workgroup shares.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

#include "water/ops/shallow_args.glsl"
#include "ops/row/push.glsl"
#include "water/ops/wave.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

const int THREADS = 256, BED = 6;
const int BX = 16, BY = 8, BLOCKS_X = 4, BLOCKS = 32;
const int PX = BX + 6, P = PX * (BY + 6);      // cells that are read
const int RX = BX + 4, R = RX * (BY + 4);      // cells that have slopes
const int FX = BX + 3, F_X = FX * (BY + 2);    // faces across x, of cells -1 to BX + 1
const int FY = BX + 2, F_Y = FY * (BY + 3);    // faces across y
const int SX = BX + 2, S = SX * (BY + 2);      // cells that have shares
const float HIGH = 1e9, FAST = 1e6;

shared float depth[P], u[P], v[P], bed[P];
shared uint shut[P];
shared float ahead[4][R];   // half a step ahead: depth, what it gained, velocities
shared float slope_x[4][R]; // of depth, surface, velocity across and along faces across x
shared float slope_y[4][R];
shared float face_x[4][F_X]; // what passes; momentum of the lower, of the higher cell; along
shared float face_y[4][F_Y];
shared float share[S];
shared uint most_wave, most_change, most_square;
shared int capped;

// The slot of a cell of the domain, or round a periodic one, that is stepped, and its place; -1.
int slot_of(ivec2 cell, out int place)
{
    ivec2 n = args.n;
    place = 0;
    bvec2 out_of = bvec2(cell.x < 0 || cell.x >= n.x, cell.y < 0 || cell.y >= n.y);
    if ((out_of.x && (args.periodic & 1u) == 0u) || (out_of.y && (args.periodic & 2u) == 0u)) {
        return -1;
    }
    cell = ivec2(((cell.x % n.x) + n.x) % n.x, ((cell.y % n.y) + n.y) % n.y);
    place = cell.x % T + T * (cell.y % T);
    return stepping_slot(cell / T);
}

uint flags_at(int slot, int place)
{
    return uint(bytes(array_of(slot, ARRAYS), place).v);
}

// What shuts a low face of a cell, of which `axis` tells the direction: a face between two cells of
// which one is not stepped is shut; one between a cell and a ghost is as the cell's flags say.
uint shut_beside(ivec2 cell, int slot, int axis, uint is)
{
    ivec2 n = args.n; // whole: llvmpipe reads a component by itself as a byte
    ivec2 back = axis == 0 ? ivec2(1, 0) : ivec2(0, 1);
    bool periodic = (args.periodic & (1u << axis)) != 0u;
    int place, before = slot_of(cell - back, place);
    uint bit = axis == 0 ? SHUT_X : SHUT_Y;
    bool first = cell[axis] - 1 < 0 && !periodic, beyond = cell[axis] == n[axis] && !periodic;
    if (slot < 0 && before >= 0 && beyond && RULES.ghost_at[2 * axis + 1] >= 0) {
        uint high = axis == 0 ? SHUT_HIGH_X : SHUT_HIGH_Y;
        return (flags_at(before, place) & high) != 0u ? is | bit : is & ~bit;
    }
    bool ghost = slot >= 0 && first && RULES.ghost_at[2 * axis] >= 0;
    return before < 0 && !ghost ? is | bit : is;
}

// Reads cell p of those round the block whose first cell is `first`.
void read_cell(ivec2 first, int p)
{
    ivec2 cell = first + ivec2(p % PX, p / PX) - 3, n = args.n;
    int place, slot = slot_of(cell, place);
    float values[4] = {0.0, 0.0, 0.0, 0.0};
    uint is = SHUT_X | SHUT_Y;
    if (slot >= 0) {
        for (int a = 0; a < 3; a++) {
            values[a] = floats(state_of(slot, a), place).v;
        }
        values[3] = floats(array_of(slot, BED), place).v;
        is = flags_at(slot, place) & (SHUT_X | SHUT_Y);
    }
    // Beyond a side with ghosts: they are one deep, and repeated.
    for (int axis = 0; axis < 2 && slot < 0; axis++) {
        int side = cell[axis] < 0 ? 0 : cell[axis] >= n[axis] ? 1 : -1;
        int along = cell[1 - axis], length = n[1 - axis];
        if (side < 0 || along < 0 || along >= length || RULES.ghost_at[2 * axis + side] < 0) {
            continue;
        }
        for (int a = 0; a < 4; a++) {
            values[a] = floats(args.rules + uint64_t(RULES.ghost), RULES.ghost_at[2 * axis + side] + a * length + along).v;
        }
    }
    if (slot < 0 || cell.x % T == 0) {
        is = shut_beside(cell, slot, 0, is);
    }
    if (slot < 0 || cell.y % T == 0) {
        is = shut_beside(cell, slot, 1, is);
    }
    precise float d = min(values[0], HIGH);
    precise float inverse = 1.0 / max(d, args.dry);
    precise float across = values[1] * inverse, along = values[2] * inverse;
    bool wet = d >= args.dry;
    depth[p] = d;
    u[p] = wet ? min(max(across, -FAST), FAST) : 0.0;
    v[p] = wet ? min(max(along, -FAST), FAST) : 0.0;
    bed[p] = values[3];
    shut[p] = is;
}

// Difference of surface across the low face of cell p: as it is, and as slopes shall see it.
vec2 differ(int p, int axis)
{
    int q = p - (axis == 0 ? 1 : PX);
    precise float a = depth[q], b = depth[p], za = bed[q], zb = bed[p];
    precise float left = za + a, right = zb + b, e = (zb - za) + (b - a);
    e = left == right ? 0.0 : min(max(e, -HIGH), HIGH);
    bool shore = (e > 0.0 && b < args.dry) || (e < 0.0 && a < args.dry);
    bool is = (shut[p] & (axis == 0 ? SHUT_X : SHUT_Y)) != 0u;
    return vec2(e, is ? RULES.tilt[axis] : shore ? 0.0 : e);
}

float limited(float a, float b, float most)
{
    precise float low = most * min(a, b), high = most * max(a, b), mean = 0.5 * (a + b);
    precise float x = max(0.0, min(low, mean)) + min(0.0, max(high, mean));
    return x;
}

// Slopes of a wet cell along an axis, of depth, surface, velocity across and along faces. Beyond a
// shut face stands the cell's mirror image.
vec4 slopes(int p, int axis)
{
    int by = axis == 0 ? 1 : PX;
    uint bit = axis == 0 ? SHUT_X : SHUT_Y;
    bool low_shut = (shut[p] & bit) != 0u, high_shut = (shut[p + by] & bit) != 0u;
    float na, nb, ta, tb, n, t;
    precise float d = depth[p];
    precise float da = d - depth[p - by], db = depth[p + by] - d;
    precise float ua = u[p] - u[p - by], ub = u[p + by] - u[p];
    precise float va = v[p] - v[p - by], vb = v[p + by] - v[p];
    n = axis == 0 ? u[p] : v[p];
    na = axis == 0 ? ua : va;
    nb = axis == 0 ? ub : vb;
    ta = axis == 0 ? va : ua;
    tb = axis == 0 ? vb : ub;
    da = low_shut ? 0.0 : da;
    db = high_shut ? 0.0 : db;
    na = low_shut ? 2.0 * n : na;
    nb = high_shut ? -2.0 * n : nb;
    ta = low_shut ? 0.0 : ta;
    tb = high_shut ? 0.0 : tb;
    float ea = differ(p, axis).y, eb = differ(p + by, axis).y;
    precise float fall_a = ea - da, fall_b = eb - db;
    float most = max(abs(fall_a), abs(fall_b)) > d ? 1.0 : 2.0;
    return d >= args.dry ? vec4(limited(da, db, most), limited(ea, eb, most),
                                limited(na, nb, most), limited(ta, tb, most))
                         : vec4(0.0);
}

void reconstruct(int r)
{
    int p = (r / RX + 1) * PX + r % RX + 1;
    precise float d = depth[p], x = u[p], y = v[p];
    vec4 a = slopes(p, 0), b = vec4(0.0);
    precise float gain = x * a.x + d * a.z;
    precise float du = x * a.z, dv = x * a.w;
    if (RULES.one_row == 0) {
        b = slopes(p, 1);
        precise float more = y * b.x + d * b.z, u_more = y * b.w, v_more = y * b.z;
        precise float pull = args.gravity * b.y;
        gain = gain + more;
        du = du + u_more;
        dv = dv + v_more;
        dv = dv + pull;
    }
    precise float pull = args.gravity * a.y;
    du = du + pull;
    float half_ratio = 0.5 * args.ratio;
    precise float change = -half_ratio * gain;
    gain = min(max(change, -d), d);
    precise float fall_x = half_ratio * du + 0.5 * args.kick[0];
    precise float fall_y = half_ratio * dv + 0.5 * args.kick[1];
    precise float dm = d + gain, um = x - fall_x, vm = y - fall_y;
    bool wet = d >= args.dry;
    ahead[0][r] = dm;
    ahead[1][r] = gain;
    ahead[2][r] = wet ? min(max(um, -FAST), FAST) : 0.0;
    ahead[3][r] = wet ? min(max(vm, -FAST), FAST) : 0.0;
    for (int k = 0; k < 4; k++) {
        slope_x[k][r] = a[k];
        slope_y[k][r] = b[k];
    }
}

// The state beside a face of a cell, `toward` 0.5 beside its high one, -0.5 beside its low one.
vec4 beside(int r, int axis, float toward)
{
    vec4 s = axis == 0 ? vec4(slope_x[0][r], slope_x[1][r], slope_x[2][r], slope_x[3][r])
                       : vec4(slope_y[0][r], slope_y[1][r], slope_y[2][r], slope_y[3][r]);
    float n = axis == 0 ? ahead[2][r] : ahead[3][r], t = axis == 0 ? ahead[3][r] : ahead[2][r];
    precise float d = ahead[0][r] + toward * s.x, e = ahead[1][r] + toward * s.y;
    precise float across = n + toward * s.z, along = t + toward * s.w;
    return vec4(max(d, 0.0), e, across, along);
}

// What happens at a face between cells a and b, the higher one, of which p is the place.
vec4 riemann(int ra, int rb, int p, int axis)
{
    vec4 a = beside(ra, axis, 0.5), b = beside(rb, axis, -0.5);
    float step = differ(p, axis).x;
    bool is = (shut[p] & (axis == 0 ? SHUT_X : SHUT_Y)) != 0u;
    precise float e = (a.y - b.y) - step;
    precise float over_b = b.x + e, over_a = a.x - e;
    precise float dl = is ? a.x : max(0.0, min(a.x, over_b));
    precise float dr = is ? b.x : max(0.0, min(b.x, over_a));
    precise float cl = sqrt(args.gravity * dl), cr = sqrt(args.gravity * dr);
    precise float front_l = b.z - 2.0 * cr, front_r = a.z + 2.0 * cl;
    precise float ul = dl <= 0.0 ? front_l : a.z, ur = dr <= 0.0 ? front_r : b.z;
    precise float um = 0.5 * (ul + ur) + (cl - cr), cm = 0.5 * (cl + cr) + 0.25 * (ul - ur);
    precise float out_l = ul - cl, mid_l = um - cm, out_r = ur + cr, mid_r = um + cm;
    precise float sl = min(min(out_l, mid_l), 0.0), sr = max(max(out_r, mid_r), 0.0);
    precise float scale = args.ratio / max(sr - sl, 1e-12);
    precise float ql = dl * ul, qr = dr * ur, both = sl * sr, jump = dr - dl;
    precise float pass = ((sr * ql - sl * qr) + both * jump) * scale;
    precise float carried = (sr * (ql * ul) - sl * (qr * ur)) + both * (qr - ql);
    precise float pressed = (0.5 * args.gravity) * (dl + dr) * jump;
    precise float low_side = (carried - sl * pressed) * scale;
    precise float high_side = (carried - sr * pressed) * scale;
    if (is) {
        precise float low_wall = args.ratio * (dl * a.z) * (a.z + (abs(a.z) + cl));
        precise float high_wall = args.ratio * (dr * b.z) * (b.z - (abs(b.z) + cr));
        pass = 0.0;
        low_side = low_wall;
        high_side = high_wall;
    }
    return vec4(pass, low_side, high_side, pass > 0.0 ? a.w : b.w);
}

// How much of what would leave cell s does.
float share_of(int s)
{
    int i = s % SX, j = s / SX, p = (j + 2) * PX + i + 2;
    precise float flow = max(face_x[0][j * FX + i + 1], 0.0) + max(-face_x[0][j * FX + i], 0.0);
    if (RULES.one_row == 0) {
        precise float y = max(face_y[0][(j + 1) * FY + i], 0.0) + max(-face_y[0][j * FY + i], 0.0);
        flow = flow + y;
    }
    precise float d = depth[p];
    precise float part = d * (1.0 - 1e-6) / max(flow, 1e-30);
    return d >= args.dry ? min(part, 1.0) : 0.0;
}

// What passes a face at last, scaled and rounded, `before` and `after` being the shares of the cells
// that it lies between; then momentum of the lower and of the higher cell, momentum along.
vec4 settle(vec4 f, float before, float after)
{
    float part = f.x > 0.0 ? before : f.x < 0.0 ? after : 1.0;
    precise float m = f.x * part;
    if (RULES.quantum > 0.0) {
        precise float inverse = 1.0 / RULES.quantum;
        precise float whole = trunc(min(max(m * inverse, -4194303.0), 4194303.0));
        m = RULES.quantum * whole;
    }
    precise float low_side = f.y * part, high_side = f.z * part, along = f.w * m;
    return vec4(m, low_side, high_side, along);
}

// Of the low face of cell (i, j) of the block.
vec4 settled_x(int i, int j)
{
    int f = (j + 1) * FX + i + 1, s = (j + 1) * SX + i + 1;
    return settle(vec4(face_x[0][f], face_x[1][f], face_x[2][f], face_x[3][f]), share[s - 1],
                  share[s]);
}

vec4 settled_y(int i, int j)
{
    int f = (j + 1) * FY + i + 1, s = (j + 1) * SX + i + 1;
    return settle(vec4(face_y[0][f], face_y[1][f], face_y[2][f], face_y[3][f]), share[s - SX],
                  share[s]);
}

// d^(-4/3), as gy_water_shallowness.
float shallowness(float d)
{
    int bits = 0x54a21d2a - int(float(floatBitsToInt(d)) * (1.0 / 3.0));
    precise float r = intBitsToFloat(bits);
    for (int q = 0; q < 4; q++) {
        precise float cube = r * r * r;
        precise float factor = (4.0 / 3.0) - (d * (1.0 / 3.0)) * cube;
        r = r * factor;
    }
    precise float square = r * r;
    precise float x = square * square;
    return x;
}

// What the bed, the air and the cap leave of a velocity, of which `square` is the square.
float brake(float d, float square, inout int cut)
{
    precise float factor = args.damping;
    if (RULES.manning > 0.0 || RULES.friction > 0.0) {
        precise float linear = 1.0 + args.dt * RULES.friction, k = 0.0;
        if (RULES.manning > 0.0) {
            float held = min(max(d, 1e-12), HIGH);
            precise float scale = 4.0 * args.dt * args.gravity * RULES.manning * RULES.manning;
            k = scale * shallowness(held);
            k = min(k, 1e15) * sqrt(square);
        }
        precise float root = sqrt(linear * linear + k);
        factor = factor * (2.0 / (linear + root));
    }
    precise float left = square * (factor * factor), most = args.cap * args.cap;
    if (left > most) {
        factor = factor * (args.cap / sqrt(left));
        cut++;
    }
    return factor;
}

// The new state of a cell of the block.
void update(ivec2 at, int slot, int place, int next)
{
    int r = (at.y + 2) * RX + at.x + 2;
    vec4 left = settled_x(at.x, at.y), right = settled_x(at.x + 1, at.y);
    float d = floats(state_of(slot, 0), place).v;
    float qx = floats(state_of(slot, 1), place).v, qy = floats(state_of(slot, 2), place).v;
    precise float net = left.x - right.x;
    precise float mx = right.y - left.z, my = right.w - left.w;
    precise float dm = ahead[0][r], pull = args.gravity * args.ratio;
    precise float force_x = dm * (pull * slope_x[1][r] + args.kick[0]);
    precise float force_y = dm * args.kick[1];
    if (RULES.one_row == 0) {
        vec4 below = settled_y(at.x, at.y), above = settled_y(at.x, at.y + 1);
        precise float more = below.x - above.x, x = above.w - below.w, y = above.y - below.z;
        net = net + more;
        mx = mx + x;
        my = my + y;
        force_y = dm * (pull * slope_y[1][r] + args.kick[1]);
    }
    mx = mx + force_x;
    my = my + force_y;
    precise float now = d + net;
    bool wet = now >= args.dry, some = wet || net > 0.0;
    precise float ux = min(max(qx, -1e15), 1e15) - mx, uy = min(max(qy, -1e15), 1e15) - my;
    ux = some ? ux : 0.0;
    uy = some ? uy : 0.0;
    precise float inverse = wet ? 1.0 / max(now, args.dry) : 0.0;
    precise float x = min(max(ux * inverse, -1e15), 1e15);
    precise float y = min(max(uy * inverse, -1e15), 1e15);
    precise float square = x * x + y * y;
    bool slows = args.damping != 1.0 || RULES.manning > 0.0 || RULES.friction > 0.0;
    bool over = square > args.cap * args.cap;
    if (slows || over) {
        int cut = 0;
        precise float factor = brake(now, square, cut);
        x = x * factor;
        y = y * factor;
        bool flows = slows ? wet : over;
        precise float fast_x = now * x, fast_y = now * y, slow_x = ux * factor, slow_y = uy * factor;
        ux = flows ? fast_x : slow_x;
        uy = flows ? fast_y : slow_y;
        square = x * x + y * y;
        if (cut > 0) {
            atomicAdd(capped, cut);
        }
    }
    floats(array_of(slot, next), place).v = now;
    floats(array_of(slot, next + 1), place).v = ux;
    floats(array_of(slot, next + 2), place).v = uy;
    precise float root = sqrt(args.gravity * min(now, HIGH));
    precise float wave = max(abs(x), abs(y)) + root, change = now - d;
    atomicMax(most_wave, wet ? floatBitsToUint(wave) : 0u);
    atomicMax(most_change, floatBitsToUint(abs(change)));
    atomicMax(most_square, floatBitsToUint(square));
}

// What entered by the faces with rules of the block's cells, whose first in the tile is `corner`.
void note_faces(int tile, ivec2 corner, int lane)
{
    uint64_t faces = args.rules + uint64_t(RULES.faces);
    int last = ints(args.rules + uint64_t(RULES.first_face), tile + 1).v;
    for (int f = ints(args.rules + uint64_t(RULES.first_face), tile).v + lane; f < last; f += THREADS) {
        int cell = ints(faces, 4 * f + 1).v, towards = ints(faces, 4 * f + 2).v >> 16;
        ivec2 at = ivec2(cell & 0xffff, cell >> 16) - corner;
        if (at.x < 0 || at.y < 0 || at.x >= BX || at.y >= BY) {
            continue;
        }
        float pass = towards == 0   ? settled_x(at.x, at.y).x
                     : towards == 1 ? -settled_x(at.x + 1, at.y).x
                     : RULES.one_row != 0 ? 0.0
                     : towards == 2    ? settled_y(at.x, at.y).x
                                       : -settled_y(at.x, at.y + 1).x;
        floats(faces, 4 * f + 3).v = pass;
    }
}

void main()
{
    int block = low.x + int(gl_WorkGroupID.x), part = block % BLOCKS;
    int slot = ints(LIST, block / BLOCKS).v, tile = ints(TILES, slot).v;
    int lane = int(gl_LocalInvocationIndex);
    ivec2 count = args.tn, n = args.n, corner = ivec2(part % BLOCKS_X * BX, part / BLOCKS_X * BY);
    ivec2 first = ivec2(tile % count.x, tile / count.x) * T + corner;
    if (first.x >= n.x || first.y >= n.y) {
        return;
    }
    if (lane == 0) {
        most_wave = most_change = most_square = 0u;
        capped = 0;
    }
    for (int p = lane; p < P; p += THREADS) {
        read_cell(first, p);
    }
    barrier();
    for (int r = lane; r < R; r += THREADS) {
        reconstruct(r);
    }
    barrier();
    for (int f = lane; f < F_X; f += THREADS) {
        int i = f % FX, j = f / FX, r = (j + 1) * RX + i;
        vec4 x = riemann(r, r + 1, (j + 2) * PX + i + 2, 0);
        for (int k = 0; k < 4; k++) {
            face_x[k][f] = x[k];
        }
    }
    for (int f = lane; f < F_Y; f += THREADS) {
        int i = f % FY, j = f / FY, r = j * RX + i + 1;
        vec4 y = RULES.one_row == 0 ? riemann(r, r + RX, (j + 2) * PX + i + 2, 1) : vec4(0.0);
        for (int k = 0; k < 4; k++) {
            face_y[k][f] = y[k];
        }
    }
    barrier();
    for (int s = lane; s < S; s += THREADS) {
        share[s] = share_of(s);
    }
    barrier();
    ivec2 at = ivec2(lane % BX, lane / BX);
    int next = int(uint(bytes(CURRENT, slot).v) ^ args.turned ^ 1u) * STATE;
    if (at.y < BY && first.x + at.x < n.x && first.y + at.y < n.y) {
        update(at, slot, (corner.y + at.y) * T + corner.x + at.x, next);
    }
    if (RULES.ruled > 0) {
        note_faces(tile, corner, lane);
    }
    barrier();
    if (lane == 0) {
        atomicMax(uints(args.told, 4 * slot).v, most_wave);
        atomicMax(uints(args.told, 4 * slot + 1).v, most_change);
        atomicMax(uints(args.told, 4 * slot + 2).v, most_square);
        atomicAdd(ints(args.told, 4 * slot + 3).v, capped);
    }
}
