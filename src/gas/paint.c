// gas/paint.c: the openness of every face, from the solids and the sides of the domain.
//
// What does not lie near a solid that has come, gone or changed is left as it is: a solid changes
// nothing outside the blocks of faces that its bounds touch (shape/openness.h).
#include "gas/gas.h"
#include "ops/system/level.h"
#include "shape/openness.h"
#include "shape/thin.h"
#include <string.h>

enum { MOST_BOXES = GY_GAS_PAINTED };

/// Faces to be made anew, by the cell above them: from low to before high, along x in whole blocks,
/// the last one on each axis being n.
typedef struct painter {
    gyre_gas *gas;
    gy_grid_level level;
    gy_corners corners;
    const gy_solid *solids;
    int solid_count;
    int count;
    gy_box box[MOST_BOXES];
} painter;

enum { MOST_APART = 32 };

/// What there is to paint in a plane: the boxes that reach it and, where there are few solids,
/// those whose bounds do.
typedef struct plane_painter {
    painter p;
    gy_solid solids[MOST_APART];
} plane_painter;

static void take_plane(const painter *all, int more, int k, plane_painter *here)
{
    const gyre_grid *g = &all->gas->grid;
    double low = (double)g->origin[2] + (k - 3) * (double)g->h, high = low + 6 * (double)g->h;
    here->p = *all;
    here->p.count = 0;
    for (int q = 0; q < all->count; q++) {
        if (k >= all->box[q].low[2] - more && k < all->box[q].high[2] + more) {
            here->p.box[here->p.count++] = all->box[q];
        }
    }
    if (here->p.count == 0 || all->solid_count > MOST_APART || !gy_is_3d(g->dim)) {
        return;
    }
    here->p.solids = here->solids;
    here->p.solid_count = 0;
    for (int q = 0; q < all->solid_count; q++) {
        if (all->solids[q].high[2] >= low && all->solids[q].low[2] <= high) {
            here->solids[here->p.solid_count++] = all->solids[q];
        }
    }
}

/// Cells along an axis that have faces: one more than cells, in 2D along z just one.
static int ends(const painter *p, int axis)
{
    return p->gas->extent.n[axis] + (axis < p->gas->extent.dim);
}

static void add_box(painter *p, const gy_solid *solid)
{
    const gyre_grid *g = &p->gas->grid;
    gy_box b;
    for (int a = 0; a < 3; a++) {
        int most = ends(p, a);
        b.low[a] = 0;
        b.high[a] = most;
        if (a >= g->dim) {
            continue;
        }
        // What a solid shuts it may shut a cell further on: see shut_cell in shape/openness.c.
        double low = (solid->low[a] - (double)g->origin[a]) / (double)g->h - 2.0;
        double high = (solid->high[a] - (double)g->origin[a]) / (double)g->h + 2.0;
        b.low[a] = low < 0.0 ? 0 : low > most ? most : (int)low;
        b.high[a] = high < 0.0 ? 0 : high > most ? most : (int)high;
        if (b.low[a] >= b.high[a]) {
            return; // outside the domain
        }
        if (a == 0) {
            b.low[0] = b.low[0] / GY_OPENNESS_BLOCK * GY_OPENNESS_BLOCK;
            b.high[0] = GY_MIN(most, (b.high[0] + GY_OPENNESS_BLOCK - 1) / GY_OPENNESS_BLOCK *
                                         GY_OPENNESS_BLOCK);
        }
        // The first and the last faces of a periodic axis are one.
        bool end = b.low[a] == 0 || b.high[a] == most;
        if (end && (p->gas->periodic >> a & 1u)) {
            b.low[a] = 0;
            b.high[a] = most;
        }
    }
    if (p->count < MOST_BOXES) {
        p->box[p->count++] = b;
        return;
    }
    gy_box *last = &p->box[MOST_BOXES - 1];
    for (int a = 0; a < 3; a++) {
        last->low[a] = GY_MIN(last->low[a], b.low[a]);
        last->high[a] = GY_MAX(last->high[a], b.high[a]);
    }
}

/// What of row (j, k) lies in boxes that are `more` larger on each side; false: nothing.
static bool row_part(const painter *p, int more, int j, int k, int *from, int *to)
{
    bool any = false;
    int deep = gy_is_3d(p->gas->extent.dim) ? more : 0;
    for (int q = 0; q < p->count; q++) {
        const gy_box *b = &p->box[q];
        if (j < b->low[1] - more || j >= b->high[1] + more || k < b->low[2] - deep ||
            k >= b->high[2] + deep) {
            continue;
        }
        *from = any ? GY_MIN(*from, b->low[0] - more) : b->low[0] - more;
        *to = any ? GY_MAX(*to, b->high[0] + more) : b->high[0] + more;
        any = true;
    }
    return any;
}

static void find_corners(void *argument, int plane)
{
    const gyre_gas *gas = ((const painter *)argument)->gas;
    int k = gy_is_3d(gas->extent.dim) ? plane - 1 : 0, from, to;
    plane_painter here;
    take_plane(argument, gy_is_3d(gas->extent.dim), k, &here);
    const painter *p = &here.p;
    for (int j = -1; j <= gas->extent.n[1] + 1; j++) {
        if (row_part(p, 1, j, k, &from, &to)) {
            gy_corners_row(&p->corners, p->solids, p->solid_count, j, k, GY_MAX(from, -1),
                           GY_MIN(to, gas->extent.n[0] + 2));
        }
    }
}

/// A face that is less than a quarter open counts as shut. What enters a cell that a solid nearly
/// fills must leave through its slivers, at the inverse of their openness times the speed;
/// advection would carry that speed into the gas beside them and the flow would gain energy.
static uint16_t without_sliver(uint16_t open)
{
    return open < GY_OPEN / 4 ? 0 : open;
}

static void paint_row(const painter *p, gy_corner_memo *memo, int axis, int j, int k, int from,
                      int to)
{
    uint16_t row[4096 + 2];
    to = GY_MIN(to, p->gas->extent.n[0] + (axis == 0));
    gy_openness_part(&p->corners, p->solids, p->solid_count, axis, j, k, from, to, memo, row);
    uint16_t *out[2] = {gy_coefficient(&p->level, axis, 0, j, k),
                        gy_coefficient(&p->level, axis, 1, j, k)};
    for (int i = from; i < to; i++) {
        out[i & 1][i >> 1] = without_sliver(row[i]);
    }
}

static void paint_plane(void *argument, int k)
{
    plane_painter here;
    take_plane(argument, 0, k, &here);
    const painter *p = &here.p;
    const int *n = p->gas->extent.n;
    gy_corner_memo memo = {0};
    for (int j = 0; j <= n[1]; j++) {
        int from, to;
        if (!row_part(p, 0, j, k, &from, &to)) {
            continue;
        }
        for (int axis = 0; axis < p->gas->extent.dim; axis++) {
            if ((j < n[1] || axis == 1) && (k < n[2] || axis == 2)) {
                paint_row(p, &memo, axis, j, k, from, to);
            }
        }
    }
}

// ---- solids thinner than a cell -----------------------------------------------------------------

/// Whether any of what a solid may shut was painted.
static bool is_painted(const painter *p, const gy_solid *s)
{
    const gyre_grid *g = &p->gas->grid;
    for (int q = 0; q < p->count; q++) {
        bool meets = true;
        for (int a = 0; a < g->dim; a++) {
            double low = (s->low[a] - (double)g->origin[a]) / (double)g->h - 1.5;
            double high = (s->high[a] - (double)g->origin[a]) / (double)g->h + 1.5;
            meets = meets && low < p->box[q].high[a] && high > p->box[q].low[a];
        }
        if (meets) {
            return true;
        }
    }
    return false;
}

/// Shuts the faces across an axis on the lines of centres of a slice: a plane of constant z, or of
/// constant y for the faces across z.
static void shut_slice(const painter *p, const gy_solid *s, int axis, int slice)
{
    int low[3], high[3], at[3], across = axis == 2 ? 1 : 2, b = axis == 0 ? 1 : 0;
    bool even = gy_thin_is_even(s, &p->gas->grid);
    gy_thin_range(s, &p->gas->grid, axis, low, high);
    if (slice < low[across] || slice > high[across] || low[axis] > high[axis]) {
        return;
    }
    at[across] = slice;
    for (at[b] = low[b]; at[b] <= high[b]; at[b]++) {
        for (at[axis] = low[axis]; at[axis] <= high[axis]; at[axis]++) {
            int through;
            if (even && *gy_coefficient(&p->level, axis, at[0], at[1], at[2]) == 0) {
                continue;
            }
            at[axis] = gy_thin_next(s, &p->gas->grid, axis, at, high[axis], &through);
            for (; at[axis] <= high[axis]; at[axis]++) {
                *gy_coefficient(&p->level, axis, at[0], at[1], at[2]) = 0;
                if (at[axis] >= through) {
                    break;
                }
            }
        }
    }
}

/// The slices of each axis, one after the other.
static void shut_thin(void *argument, int task)
{
    const painter *p = argument;
    const int *n = p->gas->extent.n;
    int axis = task < n[2] ? 0 : task < 2 * n[2] ? 1 : 2;
    for (int q = 0; q < p->solid_count; q++) {
        const gy_solid *s = &p->solids[q];
        if (gy_solid_is_thin(s, (double)p->gas->grid.h) && is_painted(p, s)) {
            shut_slice(p, s, axis, task - axis * n[2]);
        }
    }
}

static bool has_thin(const painter *p)
{
    bool has = false;
    for (int q = 0; q < p->solid_count; q++) {
        has = has || gy_solid_is_thin(&p->solids[q], (double)p->gas->grid.h);
    }
    return has;
}

/// A face of a side and the one opposite, as they have just been painted: shut, open with the
/// pressure half a cell away, or joined.
static void paint_ends(const painter *p, int axis, int i, int j, int k, int which)
{
    const gyre_gas *gas = p->gas;
    int at[3] = {i, j, k};
    at[axis] = 0;
    uint16_t *low = gy_coefficient(&p->level, axis, at[0], at[1], at[2]);
    at[axis] = gas->extent.n[axis];
    uint16_t *high = gy_coefficient(&p->level, axis, at[0], at[1], at[2]);
    if (gas->periodic >> axis & 1u) {
        *low = *high = GY_MIN(*low, *high);
        return;
    }
    if (which & 1) {
        *low = (uint16_t)(gas->open_sides >> (2 * axis) & 1u ? 2 * *low : 0);
    }
    if (which & 2) {
        *high = (uint16_t)(gas->open_sides >> (2 * axis + 1) & 1u ? 2 * *high : 0);
    }
}

/// All faces of the sides that were painted.
static void paint_sides(const painter *p)
{
    const int *n = p->gas->extent.n;
    int from, to;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            if (row_part(p, 0, j, k, &from, &to)) {
                paint_ends(p, 0, 0, j, k, (from == 0) | (to > n[0]) << 1);
            }
        }
    }
    for (int axis = 1; axis < p->gas->extent.dim; axis++) {
        for (int b = 0; b < n[3 - axis]; b++) {
            for (int end = 0; end < 2; end++) {
                int at = end ? n[axis] : 0, j = axis == 1 ? at : b, k = axis == 2 ? at : b;
                bool periodic = p->gas->periodic >> axis & 1u;
                if ((periodic && end) || !row_part(p, 0, j, k, &from, &to)) {
                    continue;
                }
                for (int i = from; i < GY_MIN(to, n[0]); i++) {
                    paint_ends(p, axis, i, j, k, 1 << end);
                }
            }
        }
    }
}

/// Makes the enabled solids ready beside those of before, and finds what is to be painted: where
/// they differ, and all at first.
static void find_boxes(painter *p)
{
    gyre_gas *gas = p->gas;
    gy_solid *before = gas->made, *now = gas->made_spare;
    int were = gas->made_count, are = gy_gas_put_solids(gas, now);
    are = gy_gas_put_floor(gas, now, gy_gas_put_bodies(gas, now, are));
    int first = 0, behind = 0, most = GY_MIN(were, are);
    while (first < most && gy_solid_same(&before[first], &now[first])) {
        first++;
    }
    while (behind < most - first &&
           gy_solid_same(&before[were - 1 - behind], &now[are - 1 - behind])) {
        behind++;
    }
    for (int i = first; i < GY_MAX(were, are) - behind; i++) {
        bool old = i < were - behind, new = i < are - behind;
        if (old && new &&gy_solid_same(&before[i], &now[i])) {
            continue;
        }
        if (old && gas->painted) {
            add_box(p, &before[i]);
        }
        if (new && gas->painted) {
            add_box(p, &now[i]);
        }
    }
    if (!gas->painted) {
        p->count = 1;
        p->box[0] = (gy_box){{0, 0, 0}, {ends(p, 0), ends(p, 1), ends(p, 2)}};
    }
    gas->made = now;
    gas->made_spare = before;
    gas->made_count = are;
    gas->painted = true;
}

void gy_gas_paint(gyre_gas *gas)
{
    painter p = {.gas = gas,
                 .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0))};
    find_boxes(&p);
    gas->repainted.count = p.count;
    memcpy(gas->repainted.box, p.box, (size_t)p.count * sizeof *p.box);
    if (p.count == 0) {
        return;
    }
    p.solids = gas->made;
    p.solid_count = gas->made_count;
    // The pressure is lost by what follows anyway.
    size_t bytes;
    const int *n = gas->extent.n;
    p.corners = gy_corners_of(&gas->grid, gy_system_lend(&gas->pressure, 0, &bytes));
    memset(p.corners.bits, 0, gy_corners_bytes(&gas->grid));
    if (gas->made_count > 0) {
        gyre_device_parallel_for(gas->model.device, gy_is_3d(gas->extent.dim) ? n[2] + 3 : 1,
                                 find_corners, &p);
    }
    gyre_device_parallel_for(gas->model.device, n[2] + (gy_is_3d(gas->extent.dim)), paint_plane,
                             &p);
    if (has_thin(&p)) {
        gyre_device_parallel_for(gas->model.device,
                                 2 * n[2] + (gy_is_3d(gas->extent.dim) ? n[1] : 0), shut_thin, &p);
    }
    memset(p.corners.bits, 0, gy_corners_bytes(&gas->grid));
    paint_sides(&p);
}
