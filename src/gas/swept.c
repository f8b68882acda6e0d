// gas/swept.c: what lies in a moving solid's way. A cell that held gas and is covered now, or that
// a body has passed over since it was met last, gives what it holds to the cell in front: carried
// along from where the body first touched it to where that point of the body is now, and on in its
// direction to the first cell of gas. A cell that comes free is empty until gas flows in. So totals
// stay, no smoke is left inside, and none gets through a body, however far it goes in a step.
//
// Cost: the cells in the box that the body sweeps over, once for every half cell of its way.
#include "base/maths.h"
#include "body/body.h"
#include "body/rigid.h"
#include "gas/moving.h"
#include "gas/sheets.h"
#include "ops/system/level.h"
#include "solve/faces.h"
#include <string.h>

enum { MOST_STOPS = 512 }; // of a way

typedef struct sweeper {
    gyre_gas *gas;
    gy_gas_moving *moving;
    gy_face_bits bits;
    bool whole;
    int words, mover;
    // The way of the mover: where it was at each stop, the last one being where it is.
    int stops;
    gy_pose from, to;
    double by[3];
    gy_solid own;
    bool follows; // whether there is a way
    bool parted;  // whether there are sheets, which nothing may cross
} sweeper;

/// Words of a row of cells.
static int words_of(const gyre_gas *gas)
{
    return gas->extent.n[0] / 64 + 1;
}

gyre_result gy_gas_hold_cells(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    const int *n = gas->extent.n;
    if (!m || !m->active || !m->any || gas->def->advection != GYRE_GAS_CONSERVATIVE) {
        return GYRE_OK;
    }
    size_t rows = (size_t)n[1] * (size_t)n[2], words = (size_t)words_of(gas);
    if (!m->fluid) {
        m->fluid_bytes = rows * words * sizeof(uint64_t);
        m->fluid = gy_allocate(&gas->host, m->fluid_bytes, 64);
        if (!m->fluid) {
            return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for what solids sweep",
                             m->fluid_bytes);
        }
    }
    gy_face_bits bits;
    bool some = gy_system_faces(&gas->pressure, &bits);
    for (size_t row = 0; row < rows; row++) {
        int j = (int)(row % (size_t)n[1]), k = (int)(row / (size_t)n[1]);
        for (size_t w = 0; w < words; w++) {
            m->fluid[row * words + w] = !some                 ? gy_row_mask(n[0], (int)w)
                                        : (int)w < bits.words ? gy_face_bits_fluid(&bits, j, k)[w] &
                                                                    gy_row_mask(n[0], (int)w)
                                                              : 0;
        }
    }
    return GYRE_OK;
}

static bool was_gas(const sweeper *s, const int c[3])
{
    size_t row = (size_t)c[2] * (size_t)s->gas->extent.n[1] + (size_t)c[1];
    return gy_bit(s->moving->fluid + row * (size_t)s->words, c[0]);
}

static bool is_gas(const sweeper *s, const int c[3])
{
    return s->whole || gy_bit(gy_face_bits_fluid(&s->bits, c[1], c[2]), c[0]);
}

static void centre_of(const gyre_gas *gas, const int c[3], double point[3])
{
    const gyre_grid *g = &gas->grid;
    for (int a = 0; a < 3; a++) {
        point[a] =
            a < gas->extent.dim ? (double)g->origin[a] + ((double)c[a] + 0.5) * (double)g->h : 0.0;
    }
}

/// The cell of a point; false: outside of the domain.
static bool cell_of(const gyre_gas *gas, const double point[3], int c[3])
{
    const gyre_grid *g = &gas->grid;
    for (int a = 0; a < 3; a++) {
        c[a] = 0;
        if (a < gas->extent.dim) {
            double x = (point[a] - (double)g->origin[a]) / (double)g->h;
            int n = gas->extent.n[a];
            if (!(x > -1e6 && x < 1e6)) {
                return false;
            }
            c[a] = (int)(x + 1e6) - 1000000;
            if (gas->periodic >> a & 1u) {
                c[a] = (c[a] % n + n) % n;
            } else if (c[a] < 0 || c[a] >= n) {
                return false;
            }
        }
    }
    return true;
}

/// Where the mover was at a stop.
static void pose_at(const sweeper *s, int stop, gy_pose *pose)
{
    if (stop == s->stops) {
        *pose = s->to;
        return;
    }
    double part = (double)stop / s->stops, by[3];
    *pose = s->from;
    for (int a = 0; a < 3; a++) {
        by[a] = part * s->by[a];
        pose->at[a] += part * (s->to.at[a] - s->from.at[a]);
    }
    gy_rigid_rotate(pose, by);
}

/// Whether sheets stand between two cells side by side, by all axes at most once.
static bool is_parted(const sweeper *s, const int from[3], const int to[3])
{
    int c[3] = {from[0], from[1], from[2]};
    for (int a = 0; a < s->gas->extent.dim; a++) {
        int next[3], n = s->gas->extent.n[a], by = to[a] - c[a];
        by = by > 1 ? by - n : by < -1 ? by + n : by; // round a periodic axis
        if (by != 0) {
            if (gy_sheets_part(s->gas, c, 2 * a + (by > 0), next)) {
                return true;
            }
            memcpy(c, next, sizeof c);
        }
    }
    return false;
}

/// The cell that takes what `from` holds: from `point` on along `way`. False: there is none.
static bool walk(const sweeper *s, const double point[3], const double way[3], int c[3])
{
    int last[3] = {0, 0, 0};
    const gyre_gas *gas = s->gas;
    double h = (double)gas->grid.h, length = 0.0, at[3];
    for (int a = 0; a < 3; a++) {
        length += way[a] * way[a];
    }
    length = __builtin_sqrt(length);
    int most = 2 * (gas->extent.n[0] + gas->extent.n[1] + gas->extent.n[2]);
    for (int q = 0; q < most && length > 0.0; q++) {
        for (int a = 0; a < 3; a++) {
            at[a] = point[a] + 0.5 * h * q * way[a] / length;
        }
        if (!cell_of(gas, at, c) || (s->parted && q > 0 && is_parted(s, last, c))) {
            return false;
        }
        memcpy(last, c, sizeof last);
        if (is_gas(s, c)) {
            return true;
        }
    }
    return false;
}

/// Whether no sheet stands on the straight way between two points.
static bool goes_straight(const sweeper *s, const double from[3], const double to[3])
{
    double h = (double)s->gas->grid.h, length = 0.0;
    int last[3] = {0, 0, 0}, c[3];
    for (int a = 0; a < 3; a++) {
        length += (to[a] - from[a]) * (to[a] - from[a]);
    }
    int parts = (int)(2.0 * __builtin_sqrt(length) / h) + 1;
    for (int q = 0; s->parted && q <= parts; q++) {
        double at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = from[a] + (to[a] - from[a]) * q / parts;
        }
        if (!cell_of(s->gas, at, c) || (q > 0 && is_parted(s, last, c))) {
            return false;
        }
        memcpy(last, c, sizeof last);
    }
    return true;
}

/// The nearest cell of gas on the same side of all sheets, by steps from cell to cell. The queue
/// lies in what the pressure's solver has lost anyway.
static bool nearest_beside(const sweeper *s, const int from[3], int c[3])
{
    gyre_gas *gas = s->gas;
    const int *n = gas->extent.n;
    size_t bytes;
    int32_t *queue = gy_system_lend(&gas->pressure, 1, &bytes);
    int count = 1, done = 0;
    bool found = false;
    queue[0] = from[0] + n[0] * (from[1] + n[1] * from[2]);
    gy_sheets_know(gas, from, true);
    for (; done < count && !found; done++) {
        const int at[3] = {queue[done] % n[0], queue[done] / n[0] % n[1],
                           queue[done] / n[0] / n[1]};
        found = is_gas(s, at);
        memcpy(c, at, sizeof at);
        for (int d = 0; d < 2 * gas->extent.dim && !found; d++) {
            int next[3];
            if (!gy_sheets_part(gas, at, d, next) && gy_sheets_know(gas, next, true)) {
                queue[count++] = next[0] + n[0] * (next[1] + n[1] * next[2]);
            }
        }
    }
    for (int q = 0; q < count; q++) {
        const int at[3] = {queue[q] % n[0], queue[q] / n[0] % n[1], queue[q] / n[0] / n[1]};
        gy_sheets_know(gas, at, false);
        queue[q] = 0;
    }
    return found;
}

/// The nearest cell of gas, by shells of cubes: for what has no way out in front.
static bool nearest(const sweeper *s, const int from[3], int c[3])
{
    const int *n = s->gas->extent.n;
    int most = GY_MAX(GY_MAX(n[0], n[1]), n[2]);
    if (s->parted) {
        return nearest_beside(s, from, c);
    }
    for (int r = 1; r < most; r++) {
        int best = -1;
        int deep = gy_is_3d(s->gas->extent.dim) ? r : 0;
        for (int dz = -deep; dz <= deep; dz++) {
            for (int dy = -r; dy <= r; dy++) {
                bool shell = dy == -r || dy == r || (deep && (dz == -r || dz == r));
                for (int dx = -r; dx <= r; dx += shell ? 1 : 2 * r) {
                    int t[3] = {from[0] + dx, from[1] + dy, from[2] + dz};
                    bool in = true;
                    for (int a = 0; a < 3; a++) {
                        in = in && t[a] >= 0 && t[a] < n[a];
                    }
                    int far = dx * dx + dy * dy + dz * dz;
                    if (in && (best < 0 || far < best) && is_gas(s, t)) {
                        best = far;
                        memcpy(c, t, sizeof t);
                    }
                }
            }
        }
        if (best >= 0) {
            return true;
        }
    }
    return false;
}

/// The stop at which the mover first has a point inside; -1: it has not passed it.
static int first_stop(const sweeper *s, const double point[3], gy_pose *pose)
{
    double h = (double)s->gas->grid.h;
    for (int stop = 1; stop <= s->stops && s->follows; stop++) {
        pose_at(s, stop, pose);
        gy_solid there = s->own;
        gy_solid_put(&there, pose);
        bool near = true;
        for (int a = 0; a < 3 && near; a++) {
            near = point[a] > there.low[a] - h && point[a] < there.high[a] + h;
        }
        if (near && gy_solid_distance(&there, point) < 0.0) {
            return stop;
        }
    }
    return -1;
}

/// A cell by its place in the world: beyond a periodic side it is one inside.
static void sweep_cell(const sweeper *s, const int at[3])
{
    int c[3];
    for (int a = 0; a < 3; a++) {
        int n = s->gas->extent.n[a];
        c[a] = s->gas->periodic >> a & 1u ? (at[a] % n + n) % n : at[a];
    }
    bool covered = !is_gas(s, c);
    if (!was_gas(s, c)) {
        if (covered) {
            gy_gas_hand(s->gas, c, c); // what stands for neighbours there would stay behind
        }
        return;
    }
    const gy_mover *m = &s->moving->movers[s->mover];
    double point[3], way[3], start[3];
    gy_pose first;
    centre_of(s->gas, at, point);
    memcpy(start, point, sizeof start);
    int stop = s->stops > 1 || covered ? first_stop(s, point, &first) : -1;
    if (stop < 0 && !(covered && gy_solid_distance(&s->gas->made[s->mover], point) <
                                     1.5 * (double)s->gas->grid.h)) {
        return;
    }
    if (stop >= 0 && stop < s->stops) {
        double own[3], off[3];
        for (int a = 0; a < 3; a++) {
            off[a] = point[a] - first.at[a];
        }
        for (int a = 0; a < 3; a++) {
            own[a] =
                first.turn[0][a] * off[0] + first.turn[1][a] * off[1] + first.turn[2][a] * off[2];
        }
        gy_pose_apply(&s->to, own, start);
    }
    gy_gas_solid_velocity(s->gas, m, start, way);
    int to[3];
    if ((goes_straight(s, point, start) && walk(s, start, way, to)) || nearest(s, c, to)) {
        if (memcmp(to, c, sizeof to) != 0) {
            gy_gas_hand(s->gas, c, to);
        }
    }
}

/// The box of cells that the mover sweeps over.
static gy_box way_box(const sweeper *s)
{
    const gyre_gas *gas = s->gas;
    const gyre_grid *g = &gas->grid;
    gy_box box = {{0, 0, 0}, {1, 1, 1}};
    double low[3], high[3];
    memcpy(low, gas->made[s->mover].low, sizeof low);
    memcpy(high, gas->made[s->mover].high, sizeof high);
    for (int stop = 0; stop < s->stops && s->follows; stop++) {
        gy_pose pose;
        pose_at(s, stop, &pose);
        gy_solid there = s->own;
        gy_solid_put(&there, &pose);
        for (int a = 0; a < 3; a++) {
            low[a] = GY_MIN(low[a], there.low[a]);
            high[a] = GY_MAX(high[a], there.high[a]);
        }
    }
    for (int a = 0; a < gas->extent.dim; a++) {
        int n = gas->extent.n[a];
        double from = (low[a] - (double)g->origin[a]) / (double)g->h - 2.0;
        double to = (high[a] - (double)g->origin[a]) / (double)g->h + 3.0;
        if (gas->periodic >> a & 1u && s->follows && from > -1e6 && to < 1e6) {
            // All of a way across the seam, once round at most.
            box.low[a] = (int)(from + 1e6) - 1000000;
            box.high[a] = GY_MIN((int)(to + 1e6) - 1000000 + 1, box.low[a] + n);
            continue;
        }
        box.low[a] = from < 0.0 ? 0 : from > n ? n : (int)from;
        box.high[a] = to < 0.0 ? 0 : to > n ? n : (int)to;
    }
    return box;
}

/// From where it was met last to where it is: stops half a cell apart.
static void find_way(sweeper *s)
{
    const gy_mover *m = &s->moving->movers[s->mover];
    s->follows = m->body >= 0;
    s->stops = 1;
    if (!s->follows) {
        return;
    }
    const gy_gas_body *b = &s->gas->set.bodies[m->body];
    const gy_solid *made = &s->gas->made[s->mover];
    double far = 0.0, turned = 0.0, size = 0.0, h = (double)s->gas->grid.h;
    s->from = b->before;
    s->to = b->pose;
    s->own = b->own;
    for (int a = 0; a < 3; a++) {
        s->from.at[a] += m->shift[a];
        s->to.at[a] += m->shift[a];
    }
    gy_rigid_between(&s->from, &s->to, s->by);
    for (int a = 0; a < 3; a++) {
        double edge = made->high[a] - made->low[a], d = s->to.at[a] - s->from.at[a];
        far += d * d;
        turned += s->by[a] * s->by[a];
        size += edge < 1e6 ? edge * edge : 1e12;
    }
    far = __builtin_sqrt(far) + __builtin_sqrt(turned) * __builtin_sqrt(size);
    double stops = 2.0 * far / h + 1.0;
    s->stops = stops < MOST_STOPS ? (int)stops : MOST_STOPS;
}

/// Of 64 cells of a row within the domain, those of which anything may be made.
static uint64_t concerned(const sweeper *s, int w, int j, int k)
{
    size_t row = (size_t)k * (size_t)s->gas->extent.n[1] + (size_t)j;
    uint64_t was = s->moving->fluid[row * (size_t)s->words + (size_t)w];
    uint64_t covered = s->whole ? 0 : ~gy_face_bits_fluid(&s->bits, j, k)[w];
    return covered | (s->stops > 1 ? was : 0);
}

static void sweep_row(const sweeper *s, int from, int to, int j, int k)
{
    const int *n = s->gas->extent.n;
    if (from < 0 || to > n[0] || j < 0 || j >= n[1] || k < 0 || k >= n[2]) {
        // Across a periodic side.
        for (int i = from; i < to; i++) {
            sweep_cell(s, (const int[3]){i, j, k});
        }
        return;
    }
    for (int w = from / 64; 64 * w < to; w++) {
        uint64_t cells = concerned(s, w, j, k) & gy_row_mask(to, w);
        cells &= from > 64 * w ? ~(uint64_t)0 << (from - 64 * w) : ~(uint64_t)0;
        for (; cells; cells &= cells - 1) {
            sweep_cell(s, (const int[3]){64 * w + gy_lowest_bit(cells), j, k});
        }
    }
}

static void sweep_mover(sweeper *s)
{
    find_way(s);
    gy_box box = way_box(s);
    for (int k = box.low[2]; k < box.high[2]; k++) {
        for (int j = box.low[1]; j < box.high[1]; j++) {
            sweep_row(s, box.low[0], box.high[0], j, k);
        }
    }
}

static uint32_t place_of(const sweeper *s, const int c[3])
{
    const gy_level *l = gy_system_level(&s->gas->pressure, 0);
    return (uint32_t)(((c[0] + c[1] + c[2]) & 1) * l->colour_step + gy_level_row(l, c[1], c[2]) +
                      (c[0] >> 1));
}

/// The pressure of the step before in a cell that comes free: the mean of the neighbours that were
/// gas. There it is 0 else, and its gradient a kick that viscosity sees.
static void lend_pressure(const sweeper *s, const int c[3])
{
    gy_gas_begin_lending(s->gas, place_of(s, c));
    for (int way = 0; way < 2 * s->gas->extent.dim; way++) {
        int at[3] = {c[0], c[1], c[2]}, axis = way / 2, n = s->gas->extent.n[axis];
        at[axis] += way & 1 ? 1 : -1;
        if (s->gas->periodic >> axis & 1u) {
            at[axis] = (at[axis] + n) % n;
        }
        if (at[axis] >= 0 && at[axis] < n && was_gas(s, at)) {
            gy_gas_lend(s->gas, place_of(s, at));
        }
    }
}

/// What cells that come free hold was made up of their neighbours'.
static void empty_new(const sweeper *s)
{
    const gy_extent *e = &s->gas->extent;
    size_t rows = (size_t)e->n[1] * (size_t)e->n[2];
    for (size_t row = 0; row < rows; row++) {
        int c[3] = {0, (int)(row % (size_t)e->n[1]), (int)(row / (size_t)e->n[1])};
        for (int w = 0; 64 * w < e->n[0]; w++) {
            uint64_t now =
                s->whole ? gy_row_mask(e->n[0], w) : gy_face_bits_fluid(&s->bits, c[1], c[2])[w];
            uint64_t free = now & ~s->moving->fluid[row * (size_t)s->words + (size_t)w];
            for (; free; free &= free - 1) {
                c[0] = 64 * w + gy_lowest_bit(free);
                if (s->moving->viscous) {
                    lend_pressure(s, c);
                }
                gy_gas_hand(s->gas, c, c);
            }
        }
    }
}

/// What is left in cells that were shut up, as between a sheet and a solid: the nearest gas has it.
static void free_shut_up(const sweeper *s)
{
    const int *n = s->gas->extent.n;
    for (int row = 0; row < n[1] * n[2] && !s->whole; row++) {
        int c[3] = {0, row % n[1], row / n[1]}, to[3];
        for (int w = 0; 64 * w < n[0]; w++) {
            uint64_t gone = s->moving->fluid[(size_t)row * (size_t)s->words + (size_t)w] &
                            ~gy_face_bits_fluid(&s->bits, c[1], c[2])[w];
            for (; gone; gone &= gone - 1) {
                c[0] = 64 * w + gy_lowest_bit(gone);
                if (gy_gas_holds(s->gas, c) && nearest(s, c, to)) {
                    gy_gas_hand(s->gas, c, to);
                }
            }
        }
    }
}

gyre_result gy_gas_sweep_up(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active || !m->any || !m->fluid || gas->def->advection != GYRE_GAS_CONSERVATIVE) {
        return GYRE_OK;
    }
    sweeper s = {.gas = gas, .moving = m, .words = words_of(gas)};
    s.whole = !gy_system_faces(&gas->pressure, &s.bits);
    gyre_result marked = gy_sheets_mark(gas, true);
    if (marked != GYRE_OK) {
        return marked;
    }
    s.parted = gas->sheets && gas->sheets->marked;
    gy_gas_begin_hands(gas, s.whole);
    empty_new(&s);
    for (s.mover = 0; s.mover < m->count; s.mover++) {
        int k = m->movers[s.mover].body;
        bool first = k < 0 || s.mover == 0 || m->movers[s.mover - 1].body != k;
        if (m->movers[s.mover].moves && m->movers[s.mover].sheet < 0 && first) {
            sweep_mover(&s);
        }
    }
    free_shut_up(&s);
    gy_sheets_mark(gas, false);
    return gy_gas_end_hands(gas);
}
