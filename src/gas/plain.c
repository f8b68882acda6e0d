// gas/plain.c: of which groups of cells all faces are whole, but for those on the domain's sides,
// which are known without asking: shut, given, or open with twice what a face lets through. There
// scalars are carried as in a gas without solids, which is twice as fast: see gas/ops/remap.c.
//
// Cost when faces change: about 100 ns for each group of the rows that were painted that has a face
// which is not whole, of a side or of a solid. Memory: a byte for 32 cells, of a gas with solids or
// sheets alone.
#include "gas/gas.h"
#include "ops/system/level.h"
#include <string.h>

typedef struct marker {
    const gyre_gas *gas;
    gy_grid_level level;
    bool all; // else the rows whose faces were painted
} marker;

/// Of faces of a group's cells of one colour, those across an axis on one side of them: adds to
/// `other` bits where they are not whole. side: the lane that lies on a side of the domain; 0 to
/// GY_GROUP.
static void add_faces(const uint16_t *restrict open, uint16_t whole, int side, bool asks,
                      uint16_t *restrict other)
{
    uint16_t before = other[side];
    for (int q = 0; q < GY_GROUP; q++) {
        other[q] = (uint16_t)(other[q] | (open[q] ^ whole));
    }
    if (side < GY_GROUP) {
        uint16_t more = (uint16_t)(open[side] ^ (uint16_t)(2.0f * GY_UNIT));
        other[side] = asks ? (uint16_t)(before | more) : before;
    }
}

static void add_ends(const marker *m, int axis, int c, const int at[3], uint16_t *other)
{
    const gy_extent *e = &m->gas->extent;
    int odd = (at[1] + at[2] + c) & 1;
    const ptrdiff_t step[3] = {odd, m->level.l->sy, m->level.l->sz};
    bool ends = !(m->gas->periodic >> axis & 1u);
    for (int end = 0; end < 2; end++) {
        int last = end ? e->n[axis] - 1 : 0, lane = GY_GROUP;
        bool on_side = ends && axis > 0 && at[axis] == last;
        bool asks = m->gas->open_sides >> (2 * axis + end) & 1u;
        if (axis == 0 && ends && last >= at[0] && ((last - at[0]) & 1) == odd) {
            lane = GY_MIN((last - at[0]) / 2, (int)GY_GROUP);
        }
        const uint16_t *open = m->level.open[axis][end ? 1 - c : c] +
                               gy_level_row(m->level.l, at[1], at[2]) + at[0] / 2 +
                               (end ? step[axis] : 0);
        if (!on_side || asks) {
            add_faces(open, (uint16_t)(on_side ? 2.0f * GY_UNIT : GY_UNIT), lane, asks, other);
        }
    }
}

/// Whether any of the first `cells` of a group is other.
static bool has_other(const uint16_t other[GY_GROUP + 1], int cells)
{
    uint64_t any = 0, four;
    int q = 0;
    for (; q + 4 <= GY_MIN(cells, (int)GY_GROUP); q += 4) {
        memcpy(&four, other + q, sizeof four);
        any |= four;
    }
    for (; q < GY_MIN(cells, (int)GY_GROUP); q++) {
        any |= other[q];
    }
    return any != 0;
}

/// Whether all faces of the group of cells from `at` on are whole, but for sides.
static bool is_plain(const marker *m, const int at[3])
{
    for (int c = 0; c < 2; c++) {
        uint16_t other[GY_GROUP + 1] = {0};
        int cells = (m->gas->extent.n[0] - at[0] - ((at[1] + at[2] + c) & 1) + 1) / 2;
        for (int a = 0; a < m->gas->extent.dim; a++) {
            add_ends(m, a, c, at, other);
        }
        if (has_other(other, cells)) {
            return false;
        }
    }
    return true;
}

/// Whether any face of a row's cells was painted.
static bool is_repainted(const gyre_gas *gas, int j, int k)
{
    const gy_gas_painted *p = &gas->repainted;
    int deep = gy_is_3d(gas->extent.dim);
    bool any = false;
    for (int q = 0; q < p->count && !any; q++) {
        const gy_box *b = &p->box[q];
        any = j + 1 >= b->low[1] && j < b->high[1] && k + deep >= b->low[2] && k < b->high[2];
    }
    return any;
}

static void mark_plane(void *argument, int k)
{
    const marker *m = argument;
    for (int j = 0; j < m->gas->extent.n[1]; j++) {
        if (!m->all && !is_repainted(m->gas, j, k)) {
            continue;
        }
        const uint8_t *flags = gy_level_flags(&m->level, j, k);
        uint8_t *plain = m->gas->plain + (flags - m->level.flags);
        for (int g = 0; g < m->level.groups; g++) {
            const int at[3] = {2 * GY_GROUP * g, j, k};
            plain[g] = flags[g] || is_plain(m, at);
        }
    }
}

gyre_result gy_gas_mark_plain(gyre_gas *gas)
{
    if (!gy_gas_is_blocked(gas) || gas->def->advection != GYRE_GAS_CONSERVATIVE ||
        gy_device_has_own_memory(gas->model.device)) {
        gas->plain_fresh = false;
        return GYRE_OK;
    }
    // Lids and sheets are put over what was painted, wherever they are.
    bool painted = gas->plain_fresh && !gas->windowed && !gas->sheets;
    marker m = {.gas = gas,
                .all = !painted,
                .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0))};
    const int *n = gas->extent.n;
    if (!gas->plain) {
        gas->plain_bytes = (size_t)m.level.groups * (size_t)n[1] * (size_t)n[2];
        gas->plain = gy_allocate(&gas->host, gas->plain_bytes, 64);
        if (!gas->plain) {
            return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for what solids leave",
                             gas->plain_bytes);
        }
    }
    ((gy_carriage *)(void *)gy_at(gas->base, gas->carriage))->plain =
        (uint64_t)(uintptr_t)gas->plain;
    gyre_device_parallel_for(gas->model.device, n[2], mark_plane, &m);
    gas->plain_fresh = true;
    return GYRE_OK;
}

void gy_gas_drop_plain(gyre_gas *gas)
{
    gy_release(&gas->host, gas->plain, gas->plain_bytes);
    gas->plain = NULL;
    gas->plain_fresh = false;
    gas->plain_bytes = 0;
}
