// gas/behind.c: what has gathered behind a sheet that moves. A cell that the sheet has passed
// (gas/swing.c) comes free with nothing in it, behind a neighbour that holds what both of them, and
// those that came free behind it before, are to have. With m such cells the last of them is half
// behind the sheet: it gets half of what each other one, and the one that gives, keep.
//
// Across a face that is still shut, by a solid or by another sheet, nothing is shared.
//
// Cost: a pass over the cells that came free, for each scalar.
#include "gas/sheets.h"

static ptrdiff_t place(const gyre_gas *gas, const int c[3])
{
    return c[0] + c[1] * (ptrdiff_t)gas->extent.sy + c[2] * (ptrdiff_t)gas->extent.sz;
}

static void share_behind(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    const int *n = gas->extent.n;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    size_t bytes;
    // The pressure is lost by what has changed anyway: which cell each has come free behind, and
    // how many have behind one, counted from 1.
    int32_t *root = gy_system_lend(&gas->pressure, 0, &bytes);
    int32_t *count = gy_system_lend(&gas->pressure, 1, &bytes);
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
    // In halves: the last one to come free is half behind the sheet, the others and the one that
    // gives have as much each.
    for (int f = gas->velocities; f < gas->states; f++) {
        float *field = gy_at(gas->base, gas->slot[f]);
        for (int64_t q = 0; q < all->freed_count; q++) {
            int32_t c = all->freed[q].cell, r = c < 0 ? 0 : root[c] - 1;
            if (c < 0) {
                continue;
            }
            const int to[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
            const int from[3] = {r % n[0], r / n[0] % n[1], r / n[0] / n[1]};
            float *gives = &field[place(gas, from)], *takes = &field[place(gas, to)];
            int part = count[r] == 1 ? 1 : 2;
            float share = *gives * (float)part / (float)(count[r] + 2);
            *gives -= share;
            *takes = GY_MAX(GY_MIN(*takes + share, GY_GAS_LIMIT), -GY_GAS_LIMIT);
            count[r] -= part;
        }
        for (int64_t q = 0; q < all->freed_count; q++) {
            int32_t c = all->freed[q].cell;
            if (c >= 0) {
                count[root[c] - 1] += 2;
            }
        }
        for (int64_t q = 0; q < all->freed_count; q++) {
            int32_t c = all->freed[q].cell;
            if (c >= 0 && count[root[c] - 1] % 2 == 0) {
                count[root[c] - 1]--;
            }
        }
    }
    for (int64_t q = 0; q < all->freed_count; q++) {
        if (all->freed[q].cell >= 0) {
            count[root[all->freed[q].cell] - 1] = 0;
        }
    }
    for (int64_t q = 0; q < all->freed_count; q++) {
        if (all->freed[q].cell >= 0) {
            root[all->freed[q].cell] = 0;
        }
    }
    all->freed_count = 0;
}

void gy_gas_share_behind(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    if (all && all->freed_count > 0) {
        share_behind(gas);
    }
    if (all && all->swept) {
        // What stands for neighbours beyond the sides still has what was there.
        gy_gas_halo(gas, gas->velocities, gas->scalars, false, true);
        all->swept = false;
    }
}
