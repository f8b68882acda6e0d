// near.glsl: gas/ops/near.h for twins: samples near sheets, carried by the rules of gas/ops/link.h.
#include "gas/ops/link.glsl"

/// The cells that a sample belongs to (a face: the one above and the one below it) and where its path
/// starts in either, half a cell from their centres.
struct near_sample {
    int axis, cells;
    ivec3 cell[2];
    vec2 offset; // along the axis
};

/// False: the fast one will do. A cubic takes samples from one cell further than a line does.
bool near_find(gy_net t, int location, ivec3 place, vec3 back, vec3 forward, int more,
               out near_sample s)
{
    int length = max(gy_net_length(back), gy_net_length(forward)) + more;
    bool near = false;
    s.axis = location - FACE_X;
    s.cells = 0;
    s.cell[0] = s.cell[1] = place;
    s.offset = vec2(0.0);
    for (int below = 0; below < 2; below++) {
        ivec3 cell = place;
        float offset = 0.0;
        if (s.axis >= 0) {
            int at = place[s.axis] - below, n = t.n[s.axis];
            at = at < 0 && gy_net_wraps(t, s.axis) ? n - 1 : at;
            cell[s.axis] = at;
            offset = below != 0 ? 0.5 : -0.5;
            if (at < 0 || at >= n) {
                continue;
            }
        } else if (below != 0) {
            break;
        }
        near = near || gy_net_near(t, cell, length);
        s.cell[s.cells] = cell;
        s.offset[s.cells] = offset;
        s.cells++;
    }
    return near && s.cells > 0;
}

/// What is read of a field where a way from the sample leads.
float near_read(gy_net t, near_sample s, gy_samples q, vec3 d, out vec2 range)
{
    precise float value = 0.0;
    int count = 0;
    range = vec2(0.0);
    for (int c = 0; c < 2; c++) {
        if (c >= s.cells) {
            break;
        }
        gy_spot p = gy_spot(s.cell[c], vec3(0.0));
        if (s.axis >= 0) {
            float along = d[s.axis];
            if (s.cells == 2 && (s.offset[c] < 0.0 ? along < 0.0 : along > 0.0)) {
                continue;
            }
            p.f[s.axis] = s.offset[c];
        }
        vec2 own;
        gy_net_walk(t, d, p);
        precise float x = gy_net_read(t, q, s.axis, p, own);
        value = count == 0 ? x : 0.5 * (value + x);
        range = count == 0 ? own : vec2(min(range.x, own.x), max(range.y, own.y));
        count++;
    }
    return value;
}

/// Whether it is a face that a sheet shuts.
bool near_shut(gy_net t, near_sample s)
{
    return s.cells == 2 && !gy_net_open(gy_net_link(t, s.cell[0]), s.axis, -1);
}
