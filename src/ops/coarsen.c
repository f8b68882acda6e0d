// ops/coarsen.c: coefficients of coarse levels, and the flags of groups that need none. Run when
// solids change.
#include "ops/level.h"

/// Sums the fine coefficients over the part of the fine plane that a coarse face covers.
static float face_sum(const gy_grid_level *f, const gy_grid_level *c, int axis, const int coarse[3],
                      const int step[3], float inner, float held)
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = coarse[a] * step[a];
        high[a] = coarse[a] >= c->l->n[a] - 1 ? f->l->n[a] : low[a] + step[a];
    }
    bool both = coarse[axis] == c->l->n[axis] && held > 0.0f;
    low[axis] = coarse[axis] == c->l->n[axis] ? f->l->n[axis] - both : low[axis];
    high[axis] = low[axis] + 1;
    float sum = 0.0f;
    for (int k = low[2]; k < high[2]; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                float q = (float)*gy_coefficient(f, axis, i, j, k);
                if (both) {
                    float outer = held * (float)*gy_coefficient(f, axis, i + (axis == 0),
                                                                j + (axis == 1), k + (axis == 2));
                    q = GY_MIN(inner * q, outer);
                }
                sum += q;
            }
        }
    }
    return sum;
}

/// Whether any fine cell of a coarse one is held at 0; then it is, too. Were it not, coarse levels
/// would lose what is held, and a correction that is too large makes cycles diverge; one too small
/// is made good by the next.
static uint16_t any_pinned(const gy_grid_level *f, const gy_grid_level *c, const int coarse[3],
                           const int step[3])
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = coarse[a] * step[a];
        high[a] = coarse[a] == c->l->n[a] - 1 ? f->l->n[a] : low[a] + step[a];
    }
    for (int k = low[2]; k < high[2]; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                if (f->pin[(i + j + k) & 1][gy_level_row(f->l, j, k) + (i >> 1)]) {
                    return 1;
                }
            }
        }
    }
    return 0;
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
                float q = face_sum(&f, &c, a->axis, at, step, a->inner, a->held) * factor + 0.5f;
                *gy_coefficient(&c, a->axis, i, j, k) = (uint16_t)(q < 65535.0f ? q : 65535.0f);
                if (a->axis == 0 && c.l->pin && i < c.l->n[0] && j < c.l->n[1] && k < c.l->n[2]) {
                    uint16_t pin = any_pinned(&f, &c, at, step);
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
