// plate.glsl: gas/ops/plate.h for the twin: how round plates turn, and what drags them. After its Law.

/// What plates have besides a flight.
struct gy_turn {
    vec4 q;
    vec3 n, spin, way;
};

precise vec3 cross_of(vec3 a, vec3 b)
{
    precise vec3 c;
    c.x = a.y * b.z - a.z * b.y;
    c.y = a.z * b.x - a.x * b.z;
    c.z = a.x * b.y - a.y * b.x;
    return c;
}

float dot3(vec3 a, vec3 b)
{
    precise float sum = (a.x * b.x + a.y * b.y) + a.z * b.z;
    return sum;
}

vec4 made_unit(vec4 q)
{
    precise float square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
    precise float by = 1.0 / sqrt(max(square, 1e-12));
    precise vec4 unit = q * by;
    return square > 1e-12 ? unit : vec4(0.0, 0.0, 0.0, 1.0);
}

gy_turn stand(int dim, int i)
{
    gy_turn t = gy_turn(vec4(0.0, 0.0, 0.0, 1.0), vec3(0.0), vec3(0.0), vec3(0.0));
    precise vec4 q = vec4(0.0);
    for (int c = dim == 2 ? 2 : 0; c < 4; c++) {
        q[c] = between(floats(at(args.particles, uint(8 + c) * args.step), i).v, -1.0, 1.0);
    }
    for (int c = dim == 2 ? 2 : 0; c < 3; c++) {
        t.spin[c] = between(floats(at(args.particles, uint(12 + c) * args.step), i).v, -1e6, 1e6);
    }
    precise float square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
    q = abs(square - 1.0) > 1e-5 ? made_unit(q) : q;
    precise vec3 n;
    n.x = 2.0 * (q.x * q.y - q.w * q.z);
    n.y = 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    n.z = 2.0 * (q.y * q.z + q.w * q.x);
    t.q = q;
    t.n = n;
    return t;
}

/// How near to a surface of that normal its middle comes, in cells.
float reach_of(Law l, int dim, vec3 normal, vec3 n)
{
    if (l.plate == 0) {
        return l.hold;
    }
    precise float along = abs(dot_of(dim, normal, n));
    precise float edge = sqrt(max(1.0 - along * along, 0.0));
    precise float reach = l.wide * edge + l.thick * along;
    return between(reach, 0.00390625, 2.0);
}

/// What touches a surface lies down on it.
void lie(Law l, int dim, vec3 normal, inout gy_turn t)
{
    precise float share = min(8.0 * args.dt, 1.0);
    precise vec3 up = vec3(0.0);
    float side = dot_of(dim, normal, t.n) < 0.0 ? -1.0 : 1.0;
    for (int d = 0; d < dim; d++) {
        up[d] = normal[d] * side;
    }
    precise vec3 turn = cross_of(t.n, up);
    bool flat_on = dot3(turn, turn) < 1e-6 || l.stick != 0;
    precise vec3 way = turn * share;
    precise float per = 1.0 / args.dt;
    t.way = flat_on ? vec3(0.0) : way;
    precise vec3 spin = t.way * per;
    t.spin = spin;
}

/// The rates of drag along the normal and across it.
vec2 rates(Law l, float all, float side)
{
    precise float broad = l.across[0] + l.across[1] * all;
    precise float edge = l.along[0] + l.along[1] * sqrt(side) + l.along[2] * side;
    return min(vec2(broad, edge), vec2(1e18));
}

void spin(Law l, vec3 n, vec3 w, mat3 slope, inout gy_turn t)
{
    precise float dt = args.dt;
    precise vec3 turn_of, strain, lag;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turn_of[a] = 0.5 * (slope[c][b] - slope[b][c]);
        strain[a] = 0.0;
        for (int d = 0; d < 3; d++) {
            strain[a] = strain[a] + 0.5 * (slope[a][d] + slope[d][a]) * n[d];
        }
    }
    precise vec3 jeffery = cross_of(n, strain);
    precise float along = dot3(w, n), all = sqrt(dot3(w, w)), roll = 0.0;
    for (int a = 0; a < 3; a++) {
        lag[a] = turn_of[a] + l.form * jeffery[a] - t.spin[a];
        roll = roll + lag[a] * n[a];
    }
    precise vec3 across;
    precise float square = 0.0;
    for (int a = 0; a < 3; a++) {
        across[a] = lag[a] - roll * n[a];
        square = square + across[a] * across[a];
    }
    precise float k = min(l.turn[0] + l.turn[1] * all + l.turn[2] * sqrt(square), 1e18);
    precise vec3 pull = cross_of(w, n);
    precise float lever = l.lever * all / max(4.0 * all + 3.14159265 * abs(along), 1e-30);
    lever = all > 0.0 ? lever : 0.0;
    precise float stiff = 1.0 + (dt * dt) * min(lever * all * all, 1e18);
    lever = lever * along / stiff;
    vec2 pq = decay(k * dt), own_pq = decay(min(l.roll * dt, 1e18));
    for (int a = 0; a < 3; a++) {
        precise float turn = k * across[a] - lever * pull[a], own = l.roll * roll * n[a];
        precise float way = t.spin[a] * dt + (dt * dt) * (turn * pq.y + own * own_pq.y);
        precise float after = t.spin[a] + dt * (turn * pq.x + own * own_pq.x);
        t.way[a] = way;
        t.spin[a] = after;
    }
}

/// Flies for a step in a wind `w` against it.
void glide(Law l, int dim, vec3 w, mat3 slope, inout flight f, inout gy_turn t)
{
    precise float dt = args.dt;
    precise vec3 n = cross_of(t.spin, t.n);
    precise float bend = (n.x * n.x + n.y * n.y) + n.z * n.z;
    precise float half_step = min(0.5 * dt, 1.0 / sqrt(max(bend, 1e-20)));
    n = t.n + half_step * n;
    bend = (n.x * n.x + n.y * n.y) + n.z * n.z;
    bend = 1.0 / sqrt(max(bend, 1e-20));
    precise float pull = 0.0, along = 0.0, roll = 0.0;
    for (int d = 0; d < 3; d++) {
        n[d] = n[d] * bend;
        along = along + w[d] * n[d];
        roll = roll + t.spin[d] * n[d];
    }
    precise float all = sqrt(dot3(w, w));
    precise vec3 turn = t.spin - roll * n, lift = cross_of(w, turn), weight = l.pull;
    precise float fast = min((l.lift * dt) * (l.lift * dt) * dot3(turn, turn), 1e18);
    lift = l.lift * lift / (1.0 + fast);
    if (dim == 2) {
        weight.z = lift.z = 0.0;
    }
    weight = weight + lift;
    for (int d = 0; d < 3; d++) {
        pull = pull + weight[d] * n[d];
    }
    precise vec3 side = w - along * n;
    weight = weight - pull * n;
    pull = pull * l.ease;
    precise vec2 k = rates(l, all, sqrt(dot3(side, side)));
    vec2 across = decay(k.x * dt), edge = decay(k.y * dt);
    precise float at_end = along - (k.x * along + pull) * (dt * across.x), square = 0.0;
    for (int d = 0; d < 3; d++) {
        precise float end = side[d] - (k.y * side[d] + weight[d]) * (dt * edge.x);
        square = square + end * end;
    }
    precise float speed = sqrt(square + at_end * at_end);
    vec2 after = rates(l, speed, sqrt(square));
    k.x = sqrt(k.x * after.x);
    k.y = sqrt(k.y * after.y);
    across = decay(k.x * dt);
    edge = decay(k.y * dt);
    for (int d = 0; d < dim; d++) {
        float most = float(cells_along(d));
        precise float a = (k.x * along + pull) * n[d], b = k.y * side[d] + weight[d];
        precise float way = f.was[d] * dt + (dt * dt) * (a * across.y + b * edge.y);
        precise float gain = a * across.x + b * edge.x;
        precise float v = f.was[d] + dt * gain;
        precise float to = f.from[d] + between(way * l.inverse, -most, most);
        precise float pushed = dt * ((a * across.x - pull * n[d]) * (1.0 / l.ease) +
                                     (b * edge.x - weight[d]) + lift[d]);
        f.pull[d] = gain;
        f.v[d] = v;
        f.to[d] = to;
        f.gained[d] = pushed;
    }
    spin(l, n, w, slope, t);
}

/// Where it has turned to, and how fast it turns.
void turned(int i, gy_turn t)
{
    precise float square = dot3(t.way, t.way);
    precise float most = sqrt(max(square * 0.25, 1.0));
    square = min(square, 4.0);
    precise float by = (0.5 + square * (1.0 / 24.0 + square * (1.0 / 240.0 + square * (17.0 / 40320.0)))) / most;
    precise vec3 way = t.way * by, v = t.q.xyz;
    precise vec3 turn = cross_of(way, v);
    precise vec4 q;
    for (int a = 0; a < 3; a++) {
        q[a] = (v[a] + t.q.w * way[a]) + turn[a];
    }
    q.w = t.q.w - dot3(way, v);
    q = square > 0.0 ? made_unit(q) : t.q;
    for (int c = 0; c < 4; c++) {
        floats(at(args.particles, uint(8 + c) * args.step), i).v = q[c];
    }
    for (int c = 0; c < 3; c++) {
        floats(at(args.particles, uint(12 + c) * args.step), i).v = t.spin[c];
    }
}
