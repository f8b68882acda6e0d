// ops/system/coarsen.c: coefficients of coarse levels, a_coarse = factor * (sum of a_fine over the
// coarse face), and the flags of groups that need none. Runs when solids change: up to 8 fine
// coefficients of 2 bytes read for each coarse one.
#include "ops/system/level.h"

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

/// The ratio of distances of a face at place p of the axis.
static float factor_of(const gy_coarsen_args *a, int p, int n)
{
    return p == n ? a->factor[3] : p == 0 ? a->factor[1] : p == n - 1 ? a->factor[2] : a->factor[0];
}

static uint16_t to_coefficient(float q)
{
    q += 0.5f;
    return (uint16_t)(q < 65535.0f ? q : 65535.0f);
}

/// The fine faces of a row of blocks of two cells along each axis: of block i, one in place i of
/// each of `count` arrays.
static int fine_rows(const gy_grid_level *f, int axis, int j, int k, const uint16_t *rows[4])
{
    int count = gy_is_3d(f->l->dim) ? 4 : 2;
    for (int q = 0; q < count; q++) {
        // Along the two other axes each block has two faces.
        int first = q & 1, second = q >> 1;
        int di = axis == 0 ? 0 : first, dj = axis == 0 ? first : axis == 2 ? second : 0;
        int dk = axis == 2 ? 0 : second;
        int fine_k = gy_is_3d(f->l->dim) ? 2 * k + dk : 0;
        // 2 i + 2 j + 2 k is even.
        rows[q] = f->open[axis][(di + dj + dk) & 1] + gy_level_row(f->l, 2 * j + dj, fine_k);
    }
    return count;
}

/// The coefficients of the faces from..to of a row of such blocks.
static void coarsen_row(const gy_coarsen_args *a, const gy_grid_level *f, const gy_grid_level *c,
                        int from, int to, int j, int k)
{
    const uint16_t *rows[4];
    int count = fine_rows(f, a->axis, j, k, rows), n = c->l->n[a->axis];
    const int at[3] = {0, j, k};
    float plain = a->axis == 0 ? a->factor[0] : factor_of(a, at[a->axis], n);
    uint16_t *out[2] = {gy_coefficient(c, a->axis, 0, j, k), gy_coefficient(c, a->axis, 1, j, k)};
    for (int i = from; i < to; i++) {
        int sum = rows[0][i] + rows[1][i];
        sum += count == 4 ? rows[2][i] + rows[3][i] : 0;
        bool end = a->axis == 0 && (i == 0 || i == n - 1);
        float factor = end ? factor_of(a, i, n) : plain;
        out[i & 1][i >> 1] = to_coefficient((float)sum * factor);
    }
}

static void coarsen_pin(const gy_grid_level *f, const gy_grid_level *c, const int step[3],
                        const int at[3])
{
    if (c->l->pin && at[0] < c->l->n[0] && at[1] < c->l->n[1] && at[2] < c->l->n[2]) {
        uint16_t pin = any_pinned(f, c, at, step);
        c->pin[(at[0] + at[1] + at[2]) & 1][gy_level_row(c->l, at[1], at[2]) + (at[0] >> 1)] = pin;
    }
}

void GY_BODY(coarsen)(const void *args, const gy_box *box, int task)
{
    const gy_coarsen_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    const int *n = c.l->n;
    int step[3];
    bool pairs = true; // each coarse cell is two fine ones along each axis
    (void)task;
    for (int d = 0; d < 3; d++) {
        step[d] = f.l->n[d] > 1 ? 2 : 1;
        pairs = pairs && (d >= f.l->dim || f.l->n[d] == 2 * n[d]);
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            int i = box->low[0];
            // Faces at the high end have no cells of their own.
            if (pairs && j < n[1] && k < n[2]) {
                int to = GY_MIN(box->high[0], n[0]);
                coarsen_row(a, &f, &c, i, to, j, k);
                i = to;
            }
            for (; i < box->high[0]; i++) {
                int at[3] = {i, j, k};
                float sum = face_sum(&f, &c, a->axis, at, step, a->inner, a->held);
                *gy_coefficient(&c, a->axis, i, j, k) =
                    to_coefficient(sum * factor_of(a, at[a->axis], n[a->axis]));
            }
            for (i = box->low[0]; i < box->high[0] && a->axis == 0 && c.l->pin; i++) {
                coarsen_pin(&f, &c, step, (const int[3]){i, j, k});
            }
        }
    }
}

/// Whether 16 coefficients are all 1.
static bool all_ones(const uint16_t *open)
{
    const uint64_t one = 0x0001000100010001u * (uint64_t)GY_UNIT;
    uint64_t other = 0;
    for (int q = 0; q < GY_GROUP / 4; q++) {
        uint64_t four;
        memcpy(&four, open + 4 * q, sizeof four);
        other |= four ^ one;
    }
    return other == 0;
}

static bool group_uniform(const gy_grid_level *g, int group, int j, int k)
{
    int from = group * GY_GROUP;
    if (2 * (from + GY_GROUP) > g->l->n[0]) {
        return false;
    }
    for (int c = 0; c < 2; c++) {
        gy_colour_row r = gy_colour_row_at(g, c, j, k);
        bool same = all_ones(r.x0 + from) && all_ones(r.x1 + from) && all_ones(r.y0 + from) &&
                    all_ones(r.y1 + from);
        if (gy_is_3d(g->l->dim)) {
            same = same && all_ones(r.z0 + from) && all_ones(r.z1 + from);
        }
        for (int i = from; r.pin && i < from + GY_GROUP && same; i++) {
            same = !r.pin[i];
        }
        if (!same) {
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
