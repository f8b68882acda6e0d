// ops/system/refine.c: the residual of an answer that is known past one float's accuracy,
// y = z - A (x + low), in double until it is rounded at last.
//
// A 16-bit coefficient times a sum of two floats is a double but for its last bits, so what is lost
// is 1e-16 of the terms; the residual in float loses 1e-7 of them, which at 4096^2 cells is more
// than the residual that is wanted. Bytes per cell: 12 read (x, low, z), 4 written, and 6 to 12 of
// coefficients where they are not all 1.
#include "base/simd_double.h"
#include "ops/system/level.h"

typedef float half __attribute__((vector_size(VW * 2)));

/// VW doubles.
typedef struct wide {
    vd low, high;
} wide;

GY_INLINE wide widen(vf x)
{
    return (wide){gy_double_low(x), gy_double_high(x)};
}

GY_INLINE vf narrow(wide x)
{
    half low = __builtin_convertvector(x.low, half), high = __builtin_convertvector(x.high, half);
    vf t;
    memcpy(&t, &low, sizeof low);
    memcpy((char *)&t + sizeof low, &high, sizeof high);
    return t;
}

GY_INLINE wide add(wide x, wide y)
{
    return (wide){x.low + y.low, x.high + y.high};
}

GY_INLINE wide multiply(wide x, wide y)
{
    return (wide){x.low * y.low, x.high * y.high};
}

GY_INLINE wide scale(double s, wide x)
{
    return (wide){s * x.low, s * x.high};
}

/// Rows of the pair: this colour's and the other's.
typedef struct pair_row {
    gy_colour_row r;
    const float *low, *other; // beside r.x and r.q
} pair_row;

GY_INLINE wide other_at(const pair_row *p, ptrdiff_t i)
{
    return add(widen(gy_load(p->r.q + i)), widen(gy_load(p->other + i)));
}

/// a0 x0 + a1 x1, and a0 + a1 into `diagonal`, of the two neighbours along an axis.
GY_INLINE wide couple(const pair_row *p, const uint16_t *a0, const uint16_t *a1, ptrdiff_t x0,
                      ptrdiff_t x1, double s, wide *diagonal)
{
    wide u = widen(gy_load_u16(a0)), v = widen(gy_load_u16(a1));
    *diagonal = add(*diagonal, scale(s, add(u, v)));
    return scale(s, add(multiply(u, other_at(p, x0)), multiply(v, other_at(p, x1))));
}

/// A (x + low) at slots i ...
GY_INLINE wide apply_at(int dim, const pair_row *p, const float *s, bool uniform, int i)
{
    const gy_colour_row *r = &p->r;
    ptrdiff_t left = i + r->e - 1, down = i - r->sy, up = i + r->sy;
    wide x = add(widen(gy_load(r->x + i)), widen(gy_load(p->low + i))), sum, d = {{0}, {0}};
    if (uniform) {
        sum = scale((double)s[0], add(other_at(p, left), other_at(p, left + 1)));
        sum = add(sum, scale((double)s[1], add(other_at(p, down), other_at(p, up))));
        if (gy_is_3d(dim)) {
            sum =
                add(sum, scale((double)s[2], add(other_at(p, i - r->sz), other_at(p, i + r->sz))));
        }
        double most = 2.0 * ((double)s[0] + (double)s[1] + (gy_is_3d(dim) ? (double)s[2] : 0.0));
        return add(scale((double)r->shift + most, x), scale(-1.0, sum));
    }
    sum = couple(p, r->x0 + i, r->x1 + i, left, left + 1, (double)r->s[0], &d);
    sum = add(sum, couple(p, r->y0 + i, r->y1 + i, down, up, (double)r->s[1], &d));
    if (gy_is_3d(dim)) {
        sum = add(sum, couple(p, r->z0 + i, r->z1 + i, i - r->sz, i + r->sz, (double)r->s[2], &d));
    }
    return add(add(scale((double)r->shift, x), multiply(d, x)), scale(-1.0, sum));
}

GY_INLINE double refine_row(int dim, const gy_grid_level *g, const gy_vector_args *a, int c, int j,
                            int k)
{
    ptrdiff_t o = gy_level_row(g->l, j, k), step = g->l->colour_step;
    pair_row p = {.r = gy_colour_row_at(g, c, j, k),
                  .low = gy_at(a->base, a->low) + c * step + o,
                  .other = gy_at(a->base, a->low) + (1 - c) * step + o};
    float *y = gy_at(a->base, a->y) + c * step + o;
    const float *z = gy_at(a->base, a->z) + c * step + o;
    gy_sum sum = gy_sum_zero();
    for (int group = 0; group < p.r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            wide t = apply_at(dim, &p, g->l->scale, p.r.flags[group], i);
            vf left = narrow(add(widen(gy_load(z + i)), scale(-1.0, t)));
            left = p.r.flags[group] ? left : gy_live(&p.r, i, left);
            gy_store(y + i, left);
            gy_sum_add(&sum, i, left * left);
        }
    }
    return gy_sum_fold(&sum);
}
static GY_NOINLINE double refine_2d(const gy_grid_level *g, const gy_vector_args *a, int c, int j,
                                    int k)
{
    return refine_row(2, g, a, c, j, k);
}
static GY_NOINLINE double refine_3d(const gy_grid_level *g, const gy_vector_args *a, int c, int j,
                                    int k)
{
    return refine_row(3, g, a, c, j, k);
}

/// y = z - A (x + low), partial[0] = y.y.
void GY_BODY(refine)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                sum += gy_is_3d(g.l->dim) ? refine_3d(&g, a, c, j, k) : refine_2d(&g, a, c, j, k);
            }
        }
    }
    partial[0] = sum;
}
