// ops/coarsen.c: coefficients of coarse levels, and the flags of groups that need none. Run when
// solids change.
#include "ops/level.h"

/// Sums the fine coefficients over the part of the fine plane that a coarse face covers.
static float face_sum(const gy_grid_level *f, int axis, const int coarse[3], const int step[3])
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = coarse[a] * step[a];
        high[a] = GY_MIN(low[a] + step[a], f->l->n[a]);
    }
    // The coarse face n lies on the fine face n, which an odd number of cells puts half a cell
    // lower.
    low[axis] = GY_MIN(low[axis], f->l->n[axis]);
    high[axis] = low[axis] + 1;
    float sum = 0.0f;
    for (int k = low[2]; k < high[2]; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                sum += (float)*gy_coefficient(f, axis, i, j, k);
            }
        }
    }
    return sum;
}

void GY_BODY(coarsen)(const void *args, const gy_box *box, int task)
{
    const gy_coarsen_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    int step[3], n = c.l->n[a->axis];
    (void)task;
    for (int d = 0; d < 3; d++) {
        step[d] = f.l->n[d] > 1 ? 2 : 1;
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int i = box->low[0]; i < box->high[0]; i++) {
                int at[3] = {i, j, k}, p = at[a->axis];
                float factor = p == n       ? a->factor[3]
                               : p == 0     ? a->factor[1]
                               : p == n - 1 ? a->factor[2]
                                            : a->factor[0];
                float q = face_sum(&f, a->axis, at, step) * factor + 0.5f;
                *gy_coefficient(&c, a->axis, i, j, k) = (uint16_t)(q < 65535.0f ? q : 65535.0f);
                if (a->axis == 0 && c.l->pin && i < c.l->n[0] && j < c.l->n[1] && k < c.l->n[2]) {
                    // A coarse cell is held at 0 when all its cells are.
                    uint16_t pin = 1;
                    for (int z = k * step[2]; z < GY_MIN((k + 1) * step[2], f.l->n[2]); z++) {
                        for (int y = j * step[1]; y < GY_MIN((j + 1) * step[1], f.l->n[1]); y++) {
                            for (int x = i * step[0]; x < GY_MIN((i + 1) * step[0], f.l->n[0]);
                                 x++) {
                                ptrdiff_t o = gy_level_row(f.l, y, z) + (x >> 1);
                                pin = (uint16_t)(pin & (f.pin[(x + y + z) & 1][o] != 0));
                            }
                        }
                    }
                    c.pin[(i + j + k) & 1][gy_level_row(c.l, j, k) + (i >> 1)] = pin;
                }
            }
        }
    }
}

static bool group_uniform(const gy_grid_level *g, int group, int j, int k)
{
    const gy_level *l = g->l;
    int end = (group + 1) * 2 * GY_GROUP;
    if (end > l->n[0]) {
        return false;
    }
    for (int i = group * 2 * GY_GROUP; i < end; i++) {
        bool same = *gy_coefficient(g, 0, i, j, k) == (uint16_t)GY_UNIT &&
                    *gy_coefficient(g, 0, i + 1, j, k) == (uint16_t)GY_UNIT &&
                    *gy_coefficient(g, 1, i, j, k) == (uint16_t)GY_UNIT &&
                    *gy_coefficient(g, 1, i, j + 1, k) == (uint16_t)GY_UNIT;
        if (l->dim == 3) {
            same = same && *gy_coefficient(g, 2, i, j, k) == (uint16_t)GY_UNIT &&
                   *gy_coefficient(g, 2, i, j, k + 1) == (uint16_t)GY_UNIT;
        }
        if (!same || (g->pin[0] && g->pin[(i + j + k) & 1][gy_level_row(l, j, k) + (i >> 1)])) {
            return false;
        }
    }
    return true;
}

void GY_BODY(flags)(const void *args, const gy_box *box, int task)
{
    const gy_flags_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            uint8_t *flags = g.flags + ((ptrdiff_t)k * g.l->n[1] + j) * g.groups;
            for (int group = 0; group < g.groups; group++) {
                flags[group] = group_uniform(&g, group, j, k);
            }
        }
    }
}
