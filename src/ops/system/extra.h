// ops/system/extra.h: unknowns beside those of the grid.
//
// A coarse cell stands for fine cells that open faces join within a block. Where a block falls
// apart, its largest part stays the cell of the grid, and the others are extras: unknowns in a
// list. What the ops of the grid make of a cell that is coupled to an extra is wrong; such cells
// and the extras together are the rows of the list, and after each step over the grid one over the
// list makes them anew. An extra has the colour of its block, and no two cells of a colour are
// coupled (but across a seam, from where the value before the sweep is taken, as on the grid): the
// order within a step is free.
//
// A place is an unknown of a level: from 0 on a slot of the grid, counted from the first of row -1
// of plane -1 of colour 0, so that what lies beyond periodic ends has places too; below 0 an extra,
// ~place.
#ifndef GY_OPS_EXTRA_H
#define GY_OPS_EXTRA_H

#include "ops/system/level.h"

/// A cell of the list:  (shift * volume + side + sum of a) x - sum of a x_link = b.
typedef struct gy_extra_row {
    int32_t place;
    int32_t first; // link; the next row's is one past the last
    float side;    // to where x is 0
    float volume;  // in cells of the level
} gy_extra_row;

typedef struct gy_extra_link {
    int32_t place;
    float a;
} gy_extra_link;

/// A coarse right-hand side: the sum of weighted residuals of fine cells.
typedef struct gy_extra_target {
    int32_t place; // on the coarse level
    int32_t first; // gy_extra_source; the next target's is one past the last
} gy_extra_target;

typedef struct gy_extra_source {
    int32_t at;   // a slot of the grid, or ~row
    int32_t even; // of a slot: parity of its cells along x, as e in ops/system/level.h
    float weight;
} gy_extra_source;

/// What prolongation brings to a fine cell that the grid's own does not serve.
typedef struct gy_extra_move {
    int32_t to, from;
    float weight;
    float value; // between save and put
} gy_extra_move;

/// LDL^T of the coarsest level in use within its envelope; positions are rows in an order of narrow
/// envelope.
typedef struct gy_extra_factor {
    int32_t count;           // 0: none, the level is not solved so
    const int32_t *row;      // by position
    const int32_t *position; // by link: of the row that it leads to
    const int32_t *begin;    // by position: the first column kept
    const int32_t *entry;    // by position: where that column's entry is
    double *value;           // entries left of the diagonal
    double *inverse;         // of the pivots; 0: of a region that nothing holds
    double *x;
    float shift; // that `value` was made for
    uint8_t made;
} gy_extra_factor;

/// The list of a level. All that it points to lies in one block of the device's memory with it: a
/// device that knows the block by another address adds gy_level.lists - gy_level.extras.
typedef struct gy_extra_unknowns {
    int32_t rows[3];        // first row of colours 0 and 1, and one past the last
    int32_t targets, moves; // to and from the next coarser level
    int32_t extras;
    int32_t ends; // 1: an even periodic x axis whose end cells are in the list
    const gy_extra_row *row;
    const gy_extra_link *link;
    const gy_extra_target *target;
    const gy_extra_source *source;
    gy_extra_move *move;
    float *x, *b; // of extras
    // NULL, or three vectors by place, the extras' places behind those of the grid (see
    // gy_extra_first): for conjugate gradients on the level.
    float *step, *image, *work;
    gy_extra_factor factor;
} gy_extra_unknowns;

/// A level's unknowns and their right-hand sides by place: of the grid, and of extras.
typedef struct gy_places {
    float *x[2], *b[2];
} gy_places;

GY_INLINE gy_extra_unknowns *gy_extra_of(const gy_level *l)
{
    return (gy_extra_unknowns *)(uintptr_t)l->extras;
}

/// Floats from the first place to slot (0, 0, 0).
GY_INLINE ptrdiff_t gy_place_origin(const gy_level *l)
{
    return GY_LEVEL_PAD + l->sy + l->sz;
}

GY_INLINE gy_places gy_places_of(const gy_grid_level *g)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    return (gy_places){.x = {g->x[0] - gy_place_origin(g->l), e ? e->x : NULL},
                       .b = {g->b[0] - gy_place_origin(g->l), e ? e->b : NULL}};
}

/// Which of the two a place is in is nothing that a processor could guess: no branch.
GY_INLINE float *gy_extra_at(float *const base[2], int32_t place)
{
    return base[(uint32_t)place >> 31] + (place ^ (place >> 31));
}

/// Sum of a x_link over a row's links, and the diagonal.
GY_INLINE float gy_extra_couple(const gy_extra_unknowns *e, const gy_places *p, int r, float shift,
                                float *diagonal)
{
    const gy_extra_row *row = &e->row[r];
    float sum = 0.0f, d = 0.0f;
    for (int q = row->first; q < row[1].first; q++) {
        float a = e->link[q].a;
        sum += a * *gy_extra_at(p->x, e->link[q].place);
        d += a;
    }
    *diagonal = d + (row->side + shift * row->volume);
    return sum;
}

GY_INLINE float gy_extra_residual(const gy_extra_unknowns *e, const gy_places *p, int r,
                                  float shift)
{
    float d, sum = gy_extra_couple(e, p, r, shift, &d);
    int32_t place = e->row[r].place;
    return *gy_extra_at(p->b, place) + (sum - d * *gy_extra_at(p->x, place));
}

/// Relaxes rows low .. high - 1, all of one colour.
GY_INLINE void gy_extra_relax_rows(const gy_grid_level *g, bool zero, int low, int high)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    gy_places p = gy_places_of(g);
    for (int r = low; r < high; r++) {
        int32_t place = e->row[r].place;
        float d, sum = gy_extra_couple(e, &p, r, g->l->shift, &d);
        float t = *gy_extra_at(p.b, place) + (zero ? 0.0f : sum);
        *gy_extra_at(p.x, place) = d > 1e-20f ? t / d : 0.0f;
    }
}

/// The residual of one cell of the grid that is coupled to no extra.
GY_INLINE float gy_slot_residual(const gy_grid_level *g, int32_t place, int e)
{
    const gy_level *l = g->l;
    int c = place >= l->colour_step;
    ptrdiff_t o = place - (c ? l->colour_step : 0) - gy_place_origin(l);
    const float *q = g->x[1 - c] + o;
    const uint16_t *x0 = g->open[0][c] + o, *x1 = g->open[0][1 - c] + o + e;
    const uint16_t *y0 = g->open[1][c] + o, *y1 = g->open[1][1 - c] + o + l->sy;
    float s0 = l->scale[0] * (1.0f / GY_UNIT), s1 = l->scale[1] * (1.0f / GY_UNIT);
    float sum = s0 * ((float)*x0 * q[e - 1] + (float)*x1 * q[e]) +
                s1 * ((float)*y0 * q[-l->sy] + (float)*y1 * q[l->sy]);
    float d = s0 * ((float)*x0 + (float)*x1) + s1 * ((float)*y0 + (float)*y1);
    if (gy_is_3d(l->dim)) {
        const uint16_t *z0 = g->open[2][c] + o, *z1 = g->open[2][1 - c] + o + l->sz;
        float s2 = l->scale[2] * (1.0f / GY_UNIT);
        sum += s2 * ((float)*z0 * q[-l->sz] + (float)*z1 * q[l->sz]);
        d += s2 * ((float)*z0 + (float)*z1);
    }
    return g->b[c][o] + (sum - (d + l->shift) * g->x[c][o]);
}

/// Makes the coarse right-hand sides of targets low .. high - 1.
GY_INLINE void gy_extra_restrict_targets(const gy_grid_level *f, const gy_grid_level *c, int low,
                                         int high)
{
    const gy_extra_unknowns *e = gy_extra_of(f->l);
    gy_places fine = gy_places_of(f), coarse = gy_places_of(c);
    for (int t = low; t < high; t++) {
        const gy_extra_target *target = &e->target[t];
        float sum = 0.0f;
        for (int q = target->first; q < target[1].first; q++) {
            const gy_extra_source *s = &e->source[q];
            float r = s->at >= 0 ? gy_slot_residual(f, s->at, s->even)
                                 : gy_extra_residual(e, &fine, ~s->at, f->l->shift);
            sum += s->weight * r;
        }
        *gy_extra_at(coarse.b, target->place) = sum;
    }
}

/// Before the grid's prolongation: what moves low .. high - 1 are to leave behind.
GY_INLINE void gy_extra_save_moves(const gy_grid_level *f, const gy_grid_level *c, int low,
                                   int high)
{
    const gy_extra_unknowns *e = gy_extra_of(f->l);
    gy_places fine = gy_places_of(f), coarse = gy_places_of(c);
    for (int q = low; q < high; q++) {
        gy_extra_move *m = &e->move[q];
        m->value = *gy_extra_at(fine.x, m->to) + m->weight * *gy_extra_at(coarse.x, m->from);
    }
}

GY_INLINE void gy_extra_put_moves(const gy_grid_level *f, int low, int high)
{
    const gy_extra_unknowns *e = gy_extra_of(f->l);
    gy_places fine = gy_places_of(f);
    for (int q = low; q < high; q++) {
        *gy_extra_at(fine.x, e->move[q].to) = e->move[q].value;
    }
}

/// Conjugate gradients on a level, where x is what a cycle has made of b. The first step: x takes
/// its best length, and b what that leaves. False: there is no way to go. `whole` and `left` are
/// sums of squares of b before and after.
bool GY_JOIN(gy_extra_first, GY_ISA)(const gy_grid_level *g, double *whole, double *left);
/// The second, after a cycle for the b that the first has left: x becomes the best combination of
/// both.
void GY_JOIN(gy_extra_second, GY_ISA)(const gy_grid_level *g);

/// Solves a level that has a factor, which has been made, and whose unknowns are all rows.
void GY_JOIN(gy_extra_solve, GY_ISA)(const gy_grid_level *g);

#endif
