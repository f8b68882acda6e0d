// ops/system/sweep.c: weighted relaxation: SOR by the colours of a chessboard, Jacobi, and SOR in
// the order of the text.
//
// x becomes x + omega (y - x), y = (b + sum a x_neighbour) / (shift + sum a). Cells without an open
// face, and those held, get 0. Bytes per cell: 8 read (x, b), 4 written, and coefficients.
#include "ops/system/level.h"

/// 0 in lanes of cells that have no equation.
GY_INLINE vf solvable(const gy_colour_row *r, int i, vf diagonal, vf x)
{
    return gy_live(r, i, (vf)((vi)x & (vi)(diagonal > 1e-20f)));
}

/// One colour of row (j, k) from g->x to `to`, which may be the same.
GY_INLINE void weighted_row(int dim, const gy_grid_level *g, float *to, int c, float omega, int j,
                            int k)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    float inverse = 1.0f / r.diagonal;
    for (int group = 0; group < r.groups; group++) {
        int end = (group + 1) * GY_GROUP;
        for (int i = group * GY_GROUP; i < end; i += VW) {
            vf b = gy_load(r.b + i), x = gy_load(r.x + i);
            if (r.flags[group]) {
                vf y = (b + gy_couple_uniform(dim, &r, g->l->scale, i)) * inverse;
                gy_store(to + i, x + omega * (y - x));
            } else {
                vf d, sum = gy_couple(dim, &r, i, &d);
                vf y = (b + sum) / gy_max(d, gy_splat(1e-20f));
                gy_store(to + i, solvable(&r, i, d, x + omega * (y - x)));
            }
        }
    }
}
static GY_NOINLINE void weighted_2d(const gy_grid_level *g, float *to, int c, float omega, int j,
                                    int k)
{
    weighted_row(2, g, to, c, omega, j, k);
}
static GY_NOINLINE void weighted_3d(const gy_grid_level *g, float *to, int c, float omega, int j,
                                    int k)
{
    weighted_row(3, g, to, c, omega, j, k);
}

/// What the last cell of a row gains per change of the first one, its neighbour round a periodic x
/// axis.
static float seam_gain(const gy_grid_level *g, float omega, int j, int k)
{
    const gy_level *l = g->l;
    int i = l->n[0] - 1;
    float d = l->shift;
    for (int a = 0; a < l->dim; a++) {
        int low = *gy_coefficient(g, a, i, j, k);
        int high = *gy_coefficient(g, a, i + (a == 0), j + (a == 1), k + (a == 2));
        d += l->scale[a] * (1.0f / GY_UNIT) * (float)(low + high);
    }
    int c = (i + j + k) & 1;
    bool held = g->pin[c] && g->pin[c][gy_level_row(l, j, k) + (i >> 1)];
    float across = l->scale[0] * (1.0f / GY_UNIT) * (float)*gy_coefficient(g, 0, i + 1, j, k);
    return held || !(d > 1e-20f) ? 0.0f : omega * across / d;
}

void GY_BODY(sor)(const void *args, const gy_box *box, int task)
{
    const gy_sweep_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const gy_level *l = g.l;
    bool round = l->periodic & 1u, seam = round && l->n[0] > 1 && l->n[0] % 2 != 0;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *x = g.x[a->colour] + gy_level_row(l, j, k), first = x[0];
            (gy_is_3d(l->dim) ? weighted_3d : weighted_2d)(&g, x, a->colour, a->omega, j, k);
            if (seam && ((j + k + a->colour) & 1) == 0) {
                // The first and the last cell are neighbours of one colour, and Gauss-Seidel takes
                // one after the other: both at once would diverge where omega is large.
                x[l->n[0] >> 1] += seam_gain(&g, a->omega, j, k) * (x[0] - first);
            }
            if (round && !seam) {
                gy_row_wrap_colour(&g, a->colour, j, k);
            }
        }
    }
}

void GY_BODY(jacobi)(const void *args, const gy_box *box, int task)
{
    const gy_sweep_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->from),
                  to = gy_grid_level_with(a->base, a->level, a->to);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                float *x = to.x[c] + gy_level_row(to.l, j, k);
                (gy_is_3d(g.l->dim) ? weighted_3d : weighted_2d)(&g, x, c, a->omega, j, k);
            }
        }
    }
}

/// What a cell of a row becomes, once the one before it is known: rest + gain x_before.
typedef struct chain {
    float rest[GY_BLOCK * 34], gain[GY_BLOCK * 34];
} chain;

/// All but the recurrence along x, for one colour of a row.
GY_INLINE void prepare_row(int dim, const gy_grid_level *g, int c, float omega, int j, int k,
                           chain *to)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
        const float *q = r.q + i;
        vf x = gy_load(r.x + i), x0 = gy_load_u16(r.x0 + i), x1 = gy_load_u16(r.x1 + i);
        vf y0 = gy_load_u16(r.y0 + i), y1 = gy_load_u16(r.y1 + i);
        vf sum = r.s[0] * (x1 * gy_load(q + r.e)) +
                 r.s[1] * (y0 * gy_load(q - r.sy) + y1 * gy_load(q + r.sy));
        vf d = r.s[0] * (x0 + x1) + r.s[1] * (y0 + y1);
        if (gy_is_3d(dim)) {
            vf z0 = gy_load_u16(r.z0 + i), z1 = gy_load_u16(r.z1 + i);
            sum += r.s[2] * (z0 * gy_load(q - r.sz) + z1 * gy_load(q + r.sz));
            d += r.s[2] * (z0 + z1);
        }
        d += r.shift;
        vf weight = solvable(&r, i, d, omega / gy_max(d, gy_splat(1e-20f)));
        vf rest = (1.0f - omega) * x + weight * (gy_load(r.b + i) + sum);
        gy_store(to->rest + i, solvable(&r, i, d, rest));
        gy_store(to->gain + i, weight * (r.s[0] * x0));
    }
}

/// One row, the cells of both colours by turns.
GY_INLINE void chain_row(int dim, const gy_grid_level *g, float omega, int j, int k)
{
    const gy_level *l = g->l;
    int n = l->n[0], first = (j + k) & 1;
    ptrdiff_t o = gy_level_row(l, j, k);
    float *even = g->x[first] + o, *odd = g->x[1 - first] + o;
    chain low, high;
    prepare_row(dim, g, first, omega, j, k, &low);
    prepare_row(dim, g, 1 - first, omega, j, k, &high);
    float before = odd[-1], old = even[0];
    if ((l->periodic & 1u) && n > 1) {
        // The last cell is to see the first one as it will be.
        float now = low.rest[0] + low.gain[0] * before;
        chain *last = (n - 1) & 1 ? &high : &low;
        last->rest[(n - 1) >> 1] += seam_gain(g, omega, j, k) * (now - old);
    }
    // Both colours of a slot: what is beyond the end of the row becomes 0.
    for (int i = 0; i < (n + 1) / 2; i++) {
        even[i] = before = low.rest[i] + low.gain[i] * before;
        odd[i] = before = high.rest[i] + high.gain[i] * before;
    }
    if (l->periodic & 1u) {
        gy_row_wrap(g, j, k);
    }
}
static GY_NOINLINE void chain_2d(const gy_grid_level *g, float omega, int j, int k)
{
    chain_row(2, g, omega, j, k);
}
static GY_NOINLINE void chain_3d(const gy_grid_level *g, float omega, int j, int k)
{
    chain_row(3, g, omega, j, k);
}

/// Row (j, k) to row (to_j, to_k), one of them beyond an end of a periodic axis.
static void copy_row(const gy_grid_level *g, int j, int k, int to_j, int to_k)
{
    ptrdiff_t from = gy_level_row(g->l, j, k), to = gy_level_row(g->l, to_j, to_k);
    int turn = (j + k + to_j + to_k) & 1;
    for (int c = 0; c < 2; c++) {
        memcpy(g->x[c ^ turn] + to, g->x[c] + from, (size_t)g->groups * GY_GROUP * sizeof(float));
    }
}

/// The box is the whole level. Rows and planes are copied round periodic axes as soon as they are
/// done, so that a cell sees the newest value of each neighbour.
void GY_BODY(gauss_seidel)(const void *args, const gy_box *box, int task)
{
    const gy_sweep_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const gy_level *l = g.l;
    const int *n = l->n;
    bool deep = gy_is_3d(l->dim) && (l->periodic & 4u);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            (gy_is_3d(l->dim) ? chain_3d : chain_2d)(&g, a->omega, j, k);
            if ((l->periodic & 2u) && j == 0) {
                copy_row(&g, j, k, n[1], k);
            }
            if ((l->periodic & 2u) && j == n[1] - 1) {
                copy_row(&g, j, k, -1, k);
            }
            if (deep && k == 0) {
                copy_row(&g, j, k, j, n[2]);
            }
            if (deep && k == n[2] - 1) {
                copy_row(&g, j, k, j, -1);
            }
        }
    }
}
