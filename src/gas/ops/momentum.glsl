// momentum.glsl: gas/ops/momentum.h for twins: velocities carried so that no energy comes from nothing.

/// Where a path from a face across y or z may end: there is no sample beyond an open upper side's.
vec3 held(gy_extent e, int location, ivec3 cell, vec3 d)
{
    const float hair = 9.5367431640625e-07; // 2^-20
    bool open = (args.open_sides >> (2 * (location - FACE_X) + 1) & 1u) != 0;
    if (location == FACE_Y && open) {
        precise float most = float(e.n.y - cell.y) - hair * float(1 + e.n.y);
        d.y = min(d.y, most);
    }
    if (location == FACE_Z && open) {
        precise float most = float(e.n.z - cell.z) - hair * float(1 + e.n.z);
        d.z = min(d.z, most);
    }
    return d;
}

/// How much of what is sampled along a path counts: beyond open sides the air is at rest.
float inside(gy_extent e, int location, ivec3 cell, vec3 d)
{
    precise float part = 1.0;
    for (int a = 0; a < 3; a++) {
        precise float x = d[a] + float(cell[a]), top = float(e.n[a] - 1 + int(FACE_X + a == location));
        if ((args.open_sides >> (2 * a) & 1u) != 0) {
            part = part * clamp(1.0 + x, 0.0, 1.0);
        }
        if ((args.open_sides >> (2 * a + 1) & 1u) != 0) {
            part = part * clamp(1.0 - (x - top), 0.0, 1.0);
        }
    }
    return part;
}

/// What advect makes of one.
float carried(gy_extent e, gy_field f, ivec3 cell, int o, vec3 back)
{
    gy_corner c = gy_corner_at(e, args.periodic, cell, held(e, f.location, cell, back));
    precise float x = gy_linear(e.dim, float_samples(args.base, f.old), o, c);
    if (args.open_sides != 0) {
        float part = inside(e, f.location, cell, back);
        x = part > 0.0 ? part * x : 0.0;
    }
    return x;
}

/// How far the ways back and forth agree: 1 up to a part of 0.04, which is the rule, 0 from 0.16 on.
float trust(int dim, vec3 back, vec3 forward)
{
    precise float apart = 0.0, all = 1e-20;
    for (int a = 0; a < 3; a++) {
        if (a == dim) {
            break;
        }
        precise float s = back[a] + forward[a];
        apart = apart + s * s;
        all = all + (back[a] * back[a] + forward[a] * forward[a]);
    }
    precise float most = 0.04 * all, t = (0.16 * all - apart) / (0.12 * all);
    return apart > most ? clamp(t, 0.0, 1.0) : 1.0;
}

/// The sum of the term that makes it the flux form.
float stretch(gy_extent e, gy_field f, int o, float by)
{
    uint64_t q = at(args.base, f.old);
    int own = f.location == FACE_X ? 1 : f.location == FACE_Y ? e.sy : e.sz;
    precise float sum = 0.0, middle = floats(q, o).v;
    for (int a = 0; a < 3; a++) {
        if (a == e.dim) {
            break;
        }
        uint64_t u = at(args.base, args.flow[a]);
        int s = a == 0 ? 1 : a == 1 ? e.sy : e.sz;
        // Over the two cells that the face lies between.
        precise float t = (floats(u, o + s).v - floats(u, o).v) +
                          (floats(u, o + s - own).v - floats(u, o - own).v);
        t = clamp(t * by, -0.5, 0.5);
        precise float below = floats(q, o - s).v - middle, above = floats(q, o + s).v - middle;
        precise float product = below * above;
        bool steepens = t > 0.0 && product > 0.0;
        precise float term = t * (below + above);
        sum = sum + (steepens ? 0.0 : term);
    }
    return sum;
}

/// Whether it is a face on an open side itself, beyond which nothing is known.
bool on_open_side(gy_extent e, int location, ivec3 cell)
{
    int p = location == FACE_X ? cell.x : location == FACE_Y ? cell.y : cell.z;
    int n = location == FACE_X ? e.n.x : location == FACE_Y ? e.n.y : e.n.z;
    uint ends = args.open_sides >> (2 * (location - FACE_X));
    return (p == 0 && (ends & 1u) != 0) || (p == n && (ends & 2u) != 0);
}

/// What correct makes of one.
float kept(gy_extent e, gy_field f, ivec3 cell, int o, vec3 back, vec3 forward)
{
    gy_samples old = float_samples(args.base, f.old), predicted = float_samples(args.base, f.predicted);
    gy_corner c = gy_corner_at(e, args.periodic, cell, held(e, f.location, cell, forward));
    float again = gy_linear(e.dim, predicted, o, c), first = sample_at(predicted, o);
    precise float t = trust(e.dim, back, forward);
    precise float x = first + (0.5 * t) * (sample_at(old, o) - again);
    vec2 range;
    c = gy_corner_at(e, args.periodic, cell, held(e, f.location, cell, back));
    gy_corner_sum(e.dim, old, o, c, range);
    x = min(max(x, range.x), range.y);
    if (args.open_sides != 0) {
        float part = inside(e, f.location, cell, back) * inside(e, f.location, cell, forward);
        x = part >= 1.0 ? x : first;
        if (on_open_side(e, f.location, cell)) {
            return x;
        }
    }
    precise float by = (0.5 * args.scale) * t;
    x = x - 0.25 * stretch(e, f, o, by);
    return x;
}
