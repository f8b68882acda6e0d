// gas/behind.c: what has gathered behind sheets that move (gas/swing.c) is shared with the cells
// that have come free there. A cell that came free behind another gets a part of what that holds:
//
//     gives -> gives - part / whole gives,   takes -> takes + part / whole gives
//
// so that in the end each has as much, and totals stay. Who gives to whom follows from faces alone;
// the op meet does it.
//
// Cost: 36 bytes and about 50 ns for each cell that came free.
#include "base/maths.h"
#include "gas/moving.h"
#include "gas/sheets.h"

static ptrdiff_t sample_of(const gyre_gas *gas, int32_t cell)
{
    const int *n = gas->extent.n;
    return cell % n[0] + cell / n[0] % n[1] * (ptrdiff_t)gas->extent.sy +
           cell / n[0] / n[1] * (ptrdiff_t)gas->extent.sz;
}

/// Who gives in the end what a cell gives; of those that give in a ring the least.
static int32_t first_giver(const int32_t *root, int32_t cell, int64_t most)
{
    for (int64_t q = 0; q < most && root[cell] && root[cell] - 1 != cell; q++) {
        cell = root[cell] - 1;
    }
    int32_t least = cell;
    for (int32_t at = root[cell] - 1; at >= 0 && at != cell; at = root[at] - 1) {
        least = GY_MIN(least, at);
    }
    return least;
}

/// Which cell each has come free behind, and how many halves those behind one get, counted from 1.
static void count_halves(gyre_gas *gas, int32_t *root, int32_t *count)
{
    gy_gas_sheets *all = gas->sheets;
    const int *n = gas->extent.n;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int64_t q = 0; q < all->freed_count; q++) {
        const gy_freed *f = &all->freed[q];
        root[f->cell] = root[f->behind] = count[f->cell] = count[f->behind] = 0;
    }
    for (int64_t q = 0; q < all->freed_count; q++) {
        gy_freed *f = &all->freed[q];
        int32_t at = f->above ? f->cell : f->behind;
        bool open =
            *gy_coefficient(&level, f->axis, at % n[0], at / n[0] % n[1], at / n[0] / n[1]) > 0;
        if (!open || root[f->cell] || f->cell == f->behind) {
            f->cell = -1;
            continue;
        }
        root[f->cell] = root[f->behind] ? root[f->behind] : f->behind + 1;
        int32_t *halves = &count[root[f->cell] - 1];
        *halves += *halves ? 2 : 1;
    }
}

/// Lists what is given, in groups that have nothing to do with each other: what hangs together is
/// given in the order in which cells came free. In halves: the last one to come free is half behind
/// the sheet, the others and the one that gives have as much each. Leaves `count` all 0.
static void list_gifts(gyre_gas *gas, const int32_t *root, int32_t *count, gy_meet_place *groups,
                       size_t *group_count, gy_meet_gift *gifts)
{
    gy_gas_sheets *all = gas->sheets;
    uint32_t first = 0;
    for (int64_t q = 0; q < all->freed_count; q++) {
        gy_freed *f = &all->freed[q];
        if (f->cell >= 0) {
            int32_t *halves = &count[root[f->cell] - 1];
            f->part = (int16_t)(*halves == 1 ? 1 : 2);
            f->whole = *halves + 2;
            *halves -= f->part;
        }
    }
    for (int64_t q = 0; q < all->freed_count; q++) {
        gy_freed *f = &all->freed[q];
        if (f->cell >= 0) {
            f->group = first_giver(root, f->cell, all->freed_count);
            if (count[f->group] == 0) {
                groups[*group_count] = (gy_meet_place){.count = 0};
                count[f->group] = (int32_t)++ * group_count;
            }
            groups[count[f->group] - 1].count++;
        }
    }
    for (size_t g = 0; g < *group_count; g++) {
        groups[g].first = first;
        first += groups[g].count;
        groups[g].count = 0;
    }
    for (int64_t q = 0; q < all->freed_count; q++) {
        const gy_freed *f = &all->freed[q];
        if (f->cell >= 0) {
            gy_meet_place *g = &groups[count[f->group] - 1];
            gifts[g->first + g->count++] =
                (gy_meet_gift){.from = (uint32_t)sample_of(gas, root[f->cell] - 1),
                               .to = (uint32_t)sample_of(gas, f->cell),
                               .part = f->part,
                               .whole = f->whole};
        }
    }
    for (int64_t q = 0; q < all->freed_count; q++) {
        if (all->freed[q].cell >= 0) {
            count[all->freed[q].group] = 0;
        }
    }
}

static gyre_result share_behind(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    gy_gas_pile groups = {0}, gifts = {0};
    size_t most = (size_t)all->freed_count, group_count = 0, bytes;
    // The pressure is lost by what has changed anyway.
    int32_t *root = gy_system_lend(&gas->pressure, 0, &bytes);
    int32_t *count = gy_system_lend(&gas->pressure, 1, &bytes);
    void *places = gy_gas_pile_take(gas, &groups, most * sizeof(gy_meet_place));
    void *terms = gy_gas_pile_take(gas, &gifts, most * sizeof(gy_meet_gift));
    gyre_result r = places && terms ? GYRE_OK
                                    : gyre_fail(GYRE_ERROR_MEMORY,
                                                "out of memory: %zu bytes for "
                                                "sheets that move",
                                                most * sizeof(gy_meet_gift));
    if (r == GYRE_OK) {
        count_halves(gas, root, count);
        list_gifts(gas, root, count, places, &group_count, terms);
        for (int64_t q = 0; q < all->freed_count; q++) {
            if (all->freed[q].cell >= 0) {
                root[all->freed[q].cell] = 0;
            }
        }
        groups.used = group_count * sizeof(gy_meet_place);
        r = gy_gas_give(gas, &groups, &gifts);
    }
    gy_gas_pile_drop(gas, &groups);
    gy_gas_pile_drop(gas, &gifts);
    all->freed_count = 0;
    return r;
}

gyre_result gy_gas_share_behind(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    gyre_result r = all && all->freed_count > 0 ? share_behind(gas) : GYRE_OK;
    if (all && all->swept) {
        // What stands for neighbours beyond the sides still has what was there.
        gy_gas_halo(gas, gas->velocities, gas->scalars, false, true);
        all->swept = false;
    }
    return r;
}

/// What stands in a cell of a solid is a mean of the gas beside it: of that on its own side of the
/// sheets alone. It is read by schemes that carry values, and it is what a cell that a sheet had
/// shut off holds when that has gone on.
gyre_result gy_sheets_part_samples(gyre_gas *gas)
{
    gy_gas_list *list = &gas->extend_scalar;
    const gy_extent *e = &gas->extent;
    if (!gas->sheets || !gas->sheets->put || list->count == 0) {
        return GYRE_OK;
    }
    gyre_result r = gy_sheets_mark(gas, true);
    if (r != GYRE_OK) {
        return r;
    }
    for (int q = 0; q < list->count; q++) {
        int at = (int)list->items[2 * q];
        uint32_t *mask = &list->items[2 * q + 1];
        const int c[3] = {at % e->sy, gy_is_3d(e->dim) ? at % e->sz / e->sy : at / e->sy,
                          gy_is_3d(e->dim) ? at / e->sz : 0};
        for (int d = 0; d < 2 * e->dim; d++) {
            int next[3];
            if ((*mask >> d & 1u) && gy_sheets_part(gas, c, d, next)) {
                *mask &= ~(1u << d);
            }
        }
    }
    gy_device_put(gas->model.device, list->items, (size_t)list->count * 2 * sizeof(uint32_t));
    return gy_sheets_mark(gas, false);
}
