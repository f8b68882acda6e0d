// ops/system/level.h: one level of the system  shift x + sum over faces of a (x - x_neighbour) = b.
//
// The two colours of the chessboard live in arrays of their own: slot i of a row holds cells 2 i
// and 2 i + 1, and cell (i, j, k) has colour (i + j + k) & 1. A half-sweep over one colour then
// reads and writes with stride one. For colour c of row (j, k), e = (j + k + c) & 1 is the parity
// of its cells: the left neighbour of slot i sits in slot i + e - 1 of the other colour, the right
// one in slot i + e; up, down, front and back in slot i of the neighbouring rows. The coefficient
// of a face is stored with the cell above it.
#ifndef GY_OPS_LEVEL_H
#define GY_OPS_LEVEL_H

#include "ops/row/body.h"
#include "ops/system/args.h"

#define GY_UNIT 16384.0f // the 16-bit value of a coefficient of 1
enum { GY_GROUP = 16 };  // slots that share a flag

/// A gy_level with its pointers.
typedef struct gy_grid_level {
    const gy_level *l;
    float *x[2], *b[2];
    uint16_t *open[3][2];
    uint16_t *pin[2];
    uint8_t *flags;
    int groups; // per row
} gy_grid_level;

GY_INLINE gy_grid_level gy_grid_level_at(uint64_t base, uint32_t offset)
{
    gy_grid_level g = {.l = (const gy_level *)(const void *)gy_at(base, offset)};
    const gy_level *l = g.l;
    for (int c = 0; c < 2; c++) {
        ptrdiff_t o = (ptrdiff_t)c * l->colour_step;
        g.x[c] = gy_at(base, l->x) + o;
        g.b[c] = gy_at(base, l->b) + o;
        for (int a = 0; a < 3; a++) {
            g.open[a][c] = (uint16_t *)(void *)gy_at(base, l->open[a]) + o;
        }
        g.pin[c] = l->pin ? (uint16_t *)(void *)gy_at(base, l->pin) + o : NULL;
    }
    g.flags = (uint8_t *)(void *)gy_at(base, l->flags);
    g.groups = ((l->n[0] + 1) / 2 + GY_GROUP - 1) / GY_GROUP;
    return g;
}

/// The same with another vector in the place of x; 0: x itself.
GY_INLINE gy_grid_level gy_grid_level_with(uint64_t base, uint32_t offset, uint32_t x)
{
    gy_grid_level g = gy_grid_level_at(base, offset);
    for (int c = 0; c < 2 && x; c++) {
        g.x[c] = gy_at(base, x) + (ptrdiff_t)c * g.l->colour_step;
    }
    return g;
}

GY_INLINE ptrdiff_t gy_level_row(const gy_level *l, int j, int k)
{
    return (ptrdiff_t)j * l->sy + (ptrdiff_t)k * l->sz;
}

/// The coefficient of the low face across `axis` of cell (i, j, k); indices from -1 to n.
GY_INLINE uint16_t *gy_coefficient(const gy_grid_level *g, int axis, int i, int j, int k)
{
    ptrdiff_t o = gy_level_row(g->l, j, k) + (i >> 1);
    return &g->open[axis][(i + j + k) & 1][o];
}

/// Whether cells of one colour are neighbours somewhere: across the ends of a periodic axis with an
/// odd number of cells. (With a single cell the neighbour is the cell itself: see gy_system_plan.)
GY_INLINE bool gy_has_seam(const gy_level *l)
{
    bool seam = false;
    for (int a = 0; a < l->dim; a++) {
        seam = seam || ((l->periodic >> a & 1u) && l->n[a] > 1 && l->n[a] % 2 != 0);
    }
    return seam;
}

/// The axis along which a level is a line of cells, one thick in the others; -1 where it is not.
GY_INLINE int gy_line_of(const gy_level *l)
{
    int axis = -1, count = 0;
    for (int a = 0; a < l->dim; a++) {
        if (l->n[a] > 1) {
            axis = a;
            count++;
        }
    }
    return count == 1 ? axis : -1;
}

/// Sweeps on a coarse level, given those of the finest. An odd axis has last cells of another width
/// and perhaps a seam, where a sweep does less; a line of cells is of a dimension in which the
/// cycle converges badly, and costs nothing.
GY_INLINE int gy_coarse_sweeps(const gy_level *l, int sweeps)
{
    bool odd = false;
    for (int a = 0; a < l->dim; a++) {
        odd = odd || (l->n[a] > 1 && l->n[a] % 2 != 0);
    }
    return gy_line_of(l) >= 0 ? 3 * sweeps : odd ? sweeps + 1 : sweeps;
}

/// The over-relaxation of a cycle's half-sweeps but for the first and the last before it goes down,
/// and the last and the first after it comes up: those leave no residual on their colour. I.
/// Yavneh, On red-black SOR smoothing in multigrid (1996), finds the like; here it saves V(2,2)
/// from noise a cycle in four: after three the residual is 5.9e-5 instead of 1.4e-4 at
/// 128^3, 9.6e-5 instead of 2.6e-4 at 1024^2.
GY_INLINE float gy_cycle_omega(const gy_level *l)
{
    return gy_is_3d(l->dim) ? 1.07f : 1.25f;
}

GY_INLINE const uint8_t *gy_level_flags(const gy_grid_level *g, int j, int k)
{
    return g->flags + ((ptrdiff_t)k * g->l->n[1] + j) * g->groups;
}

/// Pointers of one colour of one row.
typedef struct gy_colour_row {
    float *x;
    const float *q, *b; // the other colour's unknowns; this colour's right-hand side
    const uint16_t *x0, *x1, *y0, *y1, *z0, *z1, *pin;
    const uint8_t *flags;
    ptrdiff_t sy, sz;
    int e, groups, cells; // cells of this colour in the row
    float s[3], shift, diagonal;
} gy_colour_row;

GY_INLINE gy_colour_row gy_colour_row_at(const gy_grid_level *g, int c, int j, int k)
{
    const gy_level *l = g->l;
    ptrdiff_t o = gy_level_row(l, j, k);
    int e = (j + k + c) & 1, d = 1 - c;
    gy_colour_row r = {.x = g->x[c] + o,
                       .q = g->x[d] + o,
                       .b = g->b[c] + o,
                       .x0 = g->open[0][c] + o,
                       .x1 = g->open[0][d] + o + e,
                       .y0 = g->open[1][c] + o,
                       .y1 = g->open[1][d] + o + l->sy,
                       .z0 = g->open[2][c] + o,
                       .z1 = g->open[2][d] + o + l->sz,
                       .pin = g->pin[c] ? g->pin[c] + o : NULL,
                       .flags = gy_level_flags(g, j, k),
                       .sy = l->sy,
                       .sz = l->sz,
                       .e = e,
                       .groups = g->groups,
                       .cells = (l->n[0] - e + 1) / 2};
    r.shift = l->shift;
    r.diagonal = l->shift;
    for (int a = 0; a < l->dim; a++) {
        r.diagonal += 2.0f * l->scale[a];
        r.s[a] = l->scale[a] * (1.0f / GY_UNIT);
    }
    return r;
}

/// Sum over faces of a x_neighbour, and of a, at slots i ...
GY_INLINE vf gy_couple(int dim, const gy_colour_row *r, int i, vf *diagonal)
{
    const float *q = r->q + i;
    vf x0 = gy_load_u16(r->x0 + i), x1 = gy_load_u16(r->x1 + i);
    vf y0 = gy_load_u16(r->y0 + i), y1 = gy_load_u16(r->y1 + i);
    vf sum = r->s[0] * (x0 * gy_load(q + r->e - 1) + x1 * gy_load(q + r->e)) +
             r->s[1] * (y0 * gy_load(q - r->sy) + y1 * gy_load(q + r->sy));
    vf d = r->s[0] * (x0 + x1) + r->s[1] * (y0 + y1);
    if (gy_is_3d(dim)) {
        vf z0 = gy_load_u16(r->z0 + i), z1 = gy_load_u16(r->z1 + i);
        sum += r->s[2] * (z0 * gy_load(q - r->sz) + z1 * gy_load(q + r->sz));
        d += r->s[2] * (z0 + z1);
    }
    *diagonal = d + r->shift;
    return sum;
}

/// The same where every coefficient is 1; the diagonal is r->diagonal.
GY_INLINE vf gy_couple_uniform(int dim, const gy_colour_row *r, const float s[3], int i)
{
    const float *q = r->q + i;
    vf sum = s[0] * (gy_load(q + r->e - 1) + gy_load(q + r->e)) +
             s[1] * (gy_load(q - r->sy) + gy_load(q + r->sy));
    if (gy_is_3d(dim)) {
        sum += s[2] * (gy_load(q - r->sz) + gy_load(q + r->sz));
    }
    return sum;
}

/// 0 where a cell is held at 0 or lies beyond the end of the row.
GY_INLINE vf gy_live(const gy_colour_row *r, int i, vf x)
{
    vi live = gy_iota(i) < r->cells;
    if (r->pin) {
        live &= (vi)(gy_load_u16(r->pin + i) == 0.0f);
    }
    return (vf)((vi)x & live);
}

/// Copies what a periodic x axis needs beyond the ends of a row: cell 0 to place n, cell n - 1 to
/// place -1.
GY_INLINE void gy_row_wrap(const gy_grid_level *g, int j, int k)
{
    int n = g->l->n[0];
    ptrdiff_t o = gy_level_row(g->l, j, k);
    g->x[(n + j + k) & 1][o + (n >> 1)] = g->x[(j + k) & 1][o];
    g->x[(j + k + 1) & 1][o - 1] = g->x[(n - 1 + j + k) & 1][o + ((n - 1) >> 1)];
}

/// The same for one colour, which an even number of cells leaves apart from the other, so that it
/// can be done within a half-sweep.
GY_INLINE void gy_row_wrap_colour(const gy_grid_level *g, int c, int j, int k)
{
    int n = g->l->n[0];
    ptrdiff_t o = gy_level_row(g->l, j, k);
    if (((j + k) & 1) == c) {
        g->x[c][o + (n >> 1)] = g->x[c][o];
    } else {
        g->x[c][o - 1] = g->x[c][o + ((n - 1) >> 1)];
    }
}

/// How a half-sweep takes what was there before.
typedef enum gy_relax_kind {
    GY_RELAX,       // x = omega y, y = (b + sum a x_neighbour) / sum a: from 0, or omega is 1
    GY_RELAX_FIRST, // the same where x_neighbour is 0, whatever stands there
    GY_RELAX_OVER   // x += omega (y - x)
} gy_relax_kind;

/// One row of one colour. Bytes per cell of a sweep: 8 read (x, b), 4 written, and 6 to 12 of
/// coefficients where they are not all 1.
GY_INLINE void gy_relax_row(int dim, gy_relax_kind kind, float omega, const gy_grid_level *g, int c,
                            int j, int k)
{
    bool zero = kind == GY_RELAX_FIRST, over = kind == GY_RELAX_OVER;
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    const float *s = g->l->scale;
    float inverse = omega / r.diagonal, rest = 1.0f - omega;
    if (zero && gy_has_seam(g->l)) {
        // The next sweep looks across the seam at what this one was to take as 0.
        memset(g->x[1 - c] + gy_level_row(g->l, j, k), 0,
               (size_t)r.groups * GY_GROUP * sizeof(float));
    }
    for (int group = 0; group < r.groups; group++) {
        int end = (group + 1) * GY_GROUP;
        if (r.flags[group]) {
            for (int i = group * GY_GROUP; i < end; i += VW) {
                vf t = gy_load(r.b + i);
                if (!zero) {
                    t += gy_couple_uniform(dim, &r, s, i);
                }
                t = t * inverse;
                gy_store(r.x + i, over ? t + rest * gy_load(r.x + i) : t);
            }
        } else {
            for (int i = group * GY_GROUP; i < end; i += VW) {
                vf d, t = gy_load(r.b + i), sum = gy_couple(dim, &r, i, &d);
                if (!zero) {
                    t += sum;
                }
                // A cell with no open face gets 0, whatever rounding has left in b on a coarse
                // level.
                vf x = omega * (t / gy_max(d, gy_splat(1e-20f)));
                x = over ? x + rest * gy_load(r.x + i) : x;
                gy_store(r.x + i, gy_live(&r, i, (vf)((vi)x & (vi)(d > 1e-20f))));
            }
        }
    }
    if ((g->l->periodic & 1u) && g->l->n[0] % 2 == 0) {
        gy_row_wrap_colour(g, c, j, k);
    }
}

/// Residual of one colour at slots i ... of a row.
GY_INLINE vf gy_residual_at(int dim, const gy_colour_row *r, const float *s, bool uniform, int i)
{
    vf x = gy_load(r->x + i);
    if (uniform) {
        return gy_load(r->b + i) + (gy_couple_uniform(dim, r, s, i) - r->diagonal * x);
    }
    vf d, sum = gy_couple(dim, r, i, &d);
    return gy_live(r, i, gy_load(r->b + i) + (sum - d * x));
}

/// Whether the cell holds gas: any of its faces lets some through.
GY_INLINE bool gy_level_fluid(const gy_grid_level *g, int i, int j, int k)
{
    for (int a = 0; a < g->l->dim; a++) {
        if (*gy_coefficient(g, a, i, j, k) ||
            *gy_coefficient(g, a, i + (a == 0), j + (a == 1), k + (a == 2))) {
            return true;
        }
    }
    return false;
}

#endif
