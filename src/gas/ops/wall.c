// gas/ops/wall.c: walls and solids that hold a scalar at a value, or give the gas of it. With V
// what is held, q what is given per area and time, A the part of a cell's face that the wall has in
// the cell,
//
//     what comes in of a held wall at d from the cell's centre:  nu (V - s) / d per area:
//                                    coefficient c = h / d, b += c V
//     of one that gives:             s += A q dt / h
//
// Cost: that of the cells that see such walls; of seal 12 bytes a cell.
#include "ops/row/row.h"
#include "ops/system/level.h"

#include "gas/ops/args.h"

static void open_face(const gy_wall_args *a, const gy_grid_level *g, const gy_wall *w, int face)
{
    int axis = face / 2, n = g->l->n[axis], at[3] = {w->at[0], w->at[1], w->at[2]};
    uint16_t open = (uint16_t)(w->open[face] * GY_UNIT);
    at[axis] += face & 1;
    *gy_coefficient(g, axis, at[0], at[1], at[2]) = open;
    // The first and the last faces of a periodic axis are one.
    if ((a->periodic >> axis & 1u) && (at[axis] == 0 || at[axis] == n)) {
        at[axis] = n - at[axis];
        *gy_coefficient(g, axis, at[0], at[1], at[2]) = open;
    }
}

static void give(const gy_wall_args *a, const gy_wall *w, float amount)
{
    const gy_extent *e = &a->extent;
    float *s = gy_at(a->base, a->field);
    s += w->at[0] + (ptrdiff_t)w->at[1] * e->sy + (ptrdiff_t)w->at[2] * e->sz;
    float x = *s + a->by * w->area * amount;
    x = x > a->limit ? a->limit : x < -a->limit ? -a->limit : x;
    *s = x < 1e-30f && x > -1e-30f ? 0.0f : x;
}

void GY_BODY(wall)(const void *args, const gy_box *box, int task)
{
    const gy_wall_args *a = args;
    const gy_wall *walls = (const gy_wall *)(uintptr_t)a->walls;
    const gy_wall_owner *owners = (const gy_wall_owner *)(uintptr_t)a->owners;
    gy_grid_level g = {0};
    if (a->work != GY_WALL_GIVE) {
        g = gy_grid_level_at(a->base, a->level);
    }
    (void)task;
    for (int q = box->low[0]; q < box->high[0]; q++) {
        const gy_wall *w = &walls[q];
        const gy_wall_owner *o = &owners[w->owner];
        if (a->work == GY_WALL_GIVE && o->kind == GY_WALL_GIVES) {
            give(a, w, o->amount);
        }
        if (a->work == GY_WALL_GIVE || o->kind != GY_WALL_HOLDS) {
            continue;
        }
        int c = (w->at[0] + w->at[1] + w->at[2]) & 1;
        float *b = g.b[c] + gy_level_row(g.l, w->at[1], w->at[2]) + (w->at[0] >> 1);
        for (int face = 0; face < 6; face++) {
            if (a->work == GY_WALL_OPEN && w->open[face] > 0.0f) {
                open_face(a, &g, w, face);
            } else if (a->work == GY_WALL_PRESS && (w->faces >> face & 1u)) {
                *b += w->open[face] * g.l->scale[face / 2] * o->amount;
            }
        }
    }
}

void GY_BODY(seal)(const void *args, const gy_box *box, int task)
{
    const gy_seal_args *a = args;
    gy_grid_level p = gy_grid_level_at(a->base, a->pressure),
                  g = gy_grid_level_at(a->base, a->level);
    const int *n = g.l->n;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int i = box->low[0]; i < box->high[0]; i++) {
                const int cell[3] = {i, j, k};
                int beyond = (i == n[0]) + (j == n[1]) + (k == n[2]);
                for (int axis = 0; axis < g.l->dim; axis++) {
                    if (beyond == 0 || (beyond == 1 && cell[axis] == n[axis])) {
                        *gy_coefficient(&g, axis, i, j, k) = *gy_coefficient(&p, axis, i, j, k);
                    }
                }
                if (beyond == 0) {
                    g.pin[(i + j + k) & 1][gy_level_row(g.l, j, k) + (i >> 1)] =
                        !p.l->whole && !gy_level_fluid(&p, i, j, k);
                }
            }
        }
    }
}
