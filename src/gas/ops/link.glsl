// link.glsl: gas/ops/link.h for twins: which cells hang together near sheets, and walks and reads
// there. Its comments say by what rules. Not compiled in where no cells are asked for.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Links {
    uint64_t link, away, least;
    uint slip, spare;
};

const int FAR_AWAY = 32;  // GY_FAR_AWAY
const int NET_BLOCK = 64; // GY_BLOCK

struct gy_net {
    uint64_t link, away, least;
    ivec3 n, step;
    int dim, blocks;
    uint periodic;
    bool slip;
};

gy_net gy_net_make(uint64_t links, gy_extent e, uint periodic)
{
    Links l = Links(links);
    gy_net t;
    t.link = l.link;
    t.away = l.away;
    t.least = l.least;
    t.slip = l.slip != 0u;
    t.n = e.n;
    t.step = ivec3(1, e.sy, e.sz);
    t.dim = e.dim;
    t.blocks = (e.n.x + NET_BLOCK - 1) / NET_BLOCK;
    t.periodic = periodic;
    return t;
}

int gy_net_cell(gy_net t, ivec3 c)
{
    return (c.z * t.n.y + c.y) * t.n.x + c.x;
}

uint gy_net_link(gy_net t, ivec3 c)
{
    return uints(t.link, gy_net_cell(t, c)).v;
}

/// Whether a cell is no further than that from one which is not linked to all round it; one flag a
/// block tells that of most.
bool gy_net_near(gy_net t, ivec3 c, int length)
{
    int block = (c.z * t.n.y + c.y) * t.blocks + c.x / NET_BLOCK;
    return int(bytes(t.least, block).v) <= length &&
           int(bytes(t.away, gy_net_cell(t, c)).v) <= length;
}

/// How far a path leads at most, as cells' distances count.
int gy_net_length(vec3 d)
{
    precise vec3 size = abs(d);
    precise float most = max(size.x, max(size.y, size.z)) + 0.5;
    return most < float(FAR_AWAY) + 0.5 ? int(most) : FAR_AWAY;
}

/// A place: in cell e, f from its centre, |f| <= 1/2.
struct gy_spot {
    ivec3 e;
    vec3 f;
};

bool gy_linked(uint link, ivec3 d)
{
    return (link >> uint(d.x + 1 + 3 * (d.y + 1) + 9 * (d.z + 1)) & 1u) != 0u;
}

/// Whether a face next to a cell is open: of `way` -1 the low one.
bool gy_net_open(uint link, int axis, int way)
{
    return gy_linked(link, ivec3(axis == 0, axis == 1, axis == 2) * way);
}

bool gy_net_wraps(gy_net t, int axis)
{
    return (t.periodic >> axis & 1u) != 0u;
}

void gy_net_go(gy_net t, int axis, int by, inout ivec3 e)
{
    int n = t.n[axis], to = e[axis] + by;
    if (to < 0) {
        to = gy_net_wraps(t, axis) ? to + n : 0;
    } else if (to >= n) {
        // Paths do not cross other sides.
        to = gy_net_wraps(t, axis) ? to - n : n - 1;
    }
    e[axis] = to;
}

/// From f of cell p.e by d, cell by cell.
void gy_net_crawl(gy_net t, vec3 d, inout gy_spot p)
{
    precise vec3 next = vec3(9.0), pace = vec3(0.0);
    bvec3 stopped = bvec3(false);
    ivec3 moved = ivec3(0);
    int left = 8;
    for (int a = 0; a < t.dim; a++) {
        precise float size = abs(d[a]), way = d[a] > 0.0 ? 0.5 - p.f[a] : 0.5 + p.f[a];
        if (size > 0.0) {
            pace[a] = 1.0 / size;
            next[a] = way * pace[a];
        }
        left += int(size) + 2;
    }
    for (; left > 0; left--) {
        float time = min(next.x, min(next.y, next.z));
        if (!(time < 1.0)) {
            break;
        }
        ivec3 by = ivec3(0);
        for (int a = 0; a < t.dim; a++) {
            by[a] = next[a] == time ? (d[a] > 0.0 ? 1 : -1) : 0;
            int to = p.e[a] + by[a];
            if (by[a] != 0 && (to < 0 || to >= t.n[a]) && !gy_net_wraps(t, a)) {
                // At a side, by rounding.
                stopped[a] = true;
                next[a] = 9.0;
                by[a] = 0;
            }
        }
        if (by == ivec3(0)) {
            continue;
        }
        uint link = gy_net_link(t, p.e);
        bool linked = gy_linked(link, by), any_shut = false;
        for (int a = 0; a < t.dim; a++) {
            any_shut = any_shut || (by[a] != 0 && !gy_net_open(link, a, by[a]));
        }
        for (int a = 0; a < t.dim; a++) {
            if (by[a] == 0) {
                continue;
            }
            if (linked) {
                gy_net_go(t, a, by[a], p.e);
                moved[a] += by[a];
                next[a] += pace[a];
            } else if (!any_shut || !gy_net_open(link, a, by[a])) {
                stopped[a] = true;
                next[a] = 9.0;
            }
        }
    }
    for (int a = 0; a < t.dim; a++) {
        precise float f = (p.f[a] + d[a]) - float(moved[a]);
        f = stopped[a] ? (d[a] > 0.0 ? 0.5 : -0.5) : f;
        p.f[a] = clamp(f, -0.5, 0.5);
    }
}

void gy_net_walk(gy_net t, vec3 d, inout gy_spot p)
{
    ivec3 near = ivec3(0);
    bool far = false;
    precise vec3 x = p.f + d;
    for (int a = 0; a < t.dim; a++) {
        near[a] = x[a] > 0.5 ? 1 : x[a] < -0.5 ? -1 : 0;
        int to = p.e[a] + near[a];
        bool beyond = (to < 0 || to >= t.n[a]) && !gy_net_wraps(t, a);
        far = far || x[a] > 1.5 || x[a] < -1.5 || beyond;
    }
    if (far || !gy_linked(gy_net_link(t, p.e), near)) {
        gy_net_crawl(t, d, p);
        return;
    }
    for (int a = 0; a < t.dim; a++) {
        precise float f = x[a] - float(near[a]);
        p.f[a] = f;
        if (near[a] != 0) {
            gy_net_go(t, a, near[a], p.e);
        }
    }
}

/// What is read of a field on the faces across `axis` (-1: at centres), and the range of what was.
float gy_net_read(gy_net t, gy_samples q, int axis, gy_spot p, out vec2 range)
{
    uint link = gy_net_link(t, p.e);
    int at = p.e.x + p.e.y * t.step.y + p.e.z * t.step.z;
    int up = axis == 0 ? 1 : axis == 1 ? t.step.y : t.step.z;
    precise float part = axis == 0 ? p.f.x + 0.5 : axis == 1 ? p.f.y + 0.5 : p.f.z + 0.5;
    precise float sum = 0.0, weight = 0.0, own = 0.0;
    bool dropped = false;
    range = vec2(0.0);
    for (int m = 0; m < 8; m++) {
        if (m >= 1 << t.dim || (axis >= 0 && (m >> axis & 1) != 0)) {
            continue;
        }
        ivec3 by = ivec3(0);
        precise float w = 1.0;
        for (int a = 0; a < t.dim; a++) {
            precise float x = abs(p.f[a]);
            if (a == axis) {
                continue;
            }
            if ((m >> a & 1) != 0) {
                by[a] = p.f[a] < 0.0 ? -1 : 1;
                w = w * x;
            } else {
                w = w * (1.0 - x);
            }
        }
        if (!gy_linked(link, by)) {
            dropped = true;
            if (axis >= 0 && !t.slip) {
                sum = sum - w * own;
                weight = weight + w;
                range = vec2(min(range.x, 0.0), max(range.y, 0.0));
            }
            continue;
        }
        int o = at + by.x + by.y * t.step.y + by.z * t.step.z;
        precise float v = sample_at(q, o), l = v, h = v;
        if (axis >= 0) {
            float above = sample_at(q, o + up);
            l = min(v, above);
            h = max(v, above);
            v = (1.0 - part) * v + part * above;
        }
        own = m == 0 ? v : own;
        range.x = m == 0 || l < range.x ? l : range.x;
        range.y = m == 0 || h > range.y ? h : range.y;
        sum = sum + w * v;
        weight = weight + w;
    }
    // No less than 2^-dim: the cell's own.
    precise float x = dropped ? sum / weight : sum;
    return clamp(x, range.x, range.y);
}
