// gas/ops/derive.c: fields made of the velocities for looking at, by the formulas of derived.inc,
// at the centres of cells: second order. Reads the velocities, 4 bytes a component and cell, and
// writes 4 bytes; of the pressure's potential 4 bytes of that alone.
//
// Near sheets, by the rule of gas/ops/link.h: a neighbour that is not linked is not looked at.
// Where the gas slides the cell's own stands for it, where it sticks the wall's twice less that.
// Reads 4 bytes of links a cell then.
#include "base/maths.h"
#include "gas/ops/args.h"
#include "gas/ops/derived.h"
#include "gas/ops/link.h"
#include "ops/system/level.h"

/// A cell, and what formulas read there.
typedef struct place {
    const float *u[3];
    const gy_extent *e;
    const gy_grid_level *g;
    ptrdiff_t step[3], o;
    int at[3];
    gy_net net;    // near sheets
    uint32_t link; // of the cell, where there are any
} place;

GY_INLINE float open_face(const gy_grid_level *g, int axis, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    float q = (float)*gy_coefficient(g, axis, i, j, k) * (1.0f / GY_UNIT);
    // An open side's coefficient is doubled.
    bool low = at[axis] == 0 && (g->l->open_sides >> (2 * axis) & 1u);
    bool high = at[axis] == g->l->n[axis] && (g->l->open_sides >> (2 * axis + 1) & 1u);
    return low || high ? 0.5f * q : q;
}

GY_INLINE float outflow_at(const place *p)
{
    int i = p->at[0], j = p->at[1], k = p->at[2];
    float sum = 0.0f;
    for (int a = 0; a < p->e->dim; a++) {
        const float *u = p->u[a] + p->o;
        sum += open_face(p->g, a, i + (a == 0), j + (a == 1), k + (a == 2)) * u[p->step[a]] -
               open_face(p->g, a, i, j, k) * u[0];
    }
    return sum;
}

GY_INLINE float middle_at(const place *p, int a)
{
    return 0.5f * (p->u[a][p->o] + p->u[a][p->o + p->step[a]]);
}

GY_INLINE float stretch_at(const place *p, int a)
{
    return p->u[a][p->o + p->step[a]] - p->u[a][p->o];
}

GY_INLINE float slope_at(const place *p, bool sheets, int a, int b)
{
    const float *u = p->u[a] + p->o;
    ptrdiff_t own = p->step[a], along = p->step[b];
    float low = u[-along] + u[-along + own], high = u[along] + u[along + own];
    if (sheets) {
        float beyond = p->net.slip ? u[0] + u[own] : -(u[0] + u[own]);
        low = gy_net_open(p->link, b, -1) ? low : beyond;
        high = gy_net_open(p->link, b, 1) ? high : beyond;
    }
    return 0.25f * (high - low);
}

GY_INLINE float curl_at(const place *p, bool sheets, int a)
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    return slope_at(p, sheets, c, b) - slope_at(p, sheets, b, c);
}

GY_INLINE float potential_at(const place *p)
{
    int i = p->at[0], j = p->at[1], k = p->at[2];
    return p->g->x[(i + j + k) & 1][gy_level_row(p->g->l, j, k) + (i >> 1)];
}

/// Products may be denormal.
GY_INLINE float flushed(float x)
{
    return x < 1e-30f && x > -1e-30f ? 0.0f : x;
}

// What formulas say.
#define outflow() outflow_at(p)
#define middle(a) middle_at(p, a)
#define stretch(a) stretch_at(p, a)
#define slope(a, b) slope_at(p, sheets, a, b)
#define curl(a) curl_at(p, sheets, a)
#define potential() potential_at(p)
#define plane() (!gy_is_3d(p->e->dim))
#define root(x) gy_sqrtf(x)

#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula)                              \
    GY_INLINE void name##_as(place *p, bool sheets, float *row, float scale)                       \
    {                                                                                              \
        for (p->at[0] = 0; p->at[0] < p->e->n[0]; p->at[0]++, p->o++) {                            \
            p->link = sheets ? p->net.link[gy_net_cell(&p->net, p->at)] : 0;                       \
            row[p->at[0]] = flushed((formula)*scale);                                              \
        }                                                                                          \
    }                                                                                              \
    static void name(place *p, float *row, float scale)                                            \
    {                                                                                              \
        if (p->net.link) {                                                                         \
            name##_as(p, true, row, scale);                                                        \
        } else {                                                                                   \
            name##_as(p, false, row, scale);                                                       \
        }                                                                                          \
    }
#include "gas/ops/derived.inc"
#undef GY_DERIVED

void GY_BODY(derive)(const void *args, const gy_box *box, int task)
{
#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula) name,
    static void (*const rows[])(place *, float *, float) = {
#include "gas/ops/derived.inc"
    };
#undef GY_DERIVED
    const gy_derive_args *a = args;
    const gy_extent *e = &a->extent;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    place p = {.u = {gy_at(a->base, a->velocity[0]), gy_at(a->base, a->velocity[1]),
                     gy_at(a->base, a->velocity[2])},
               .e = e,
               .g = &g,
               .step = {1, e->sy, e->sz},
               .net = gy_net_make(a->links, e, 0)};
    float *target = gy_at(a->base, a->target);
    (void)task;
    for (p.at[2] = box->low[2]; p.at[2] < box->high[2]; p.at[2]++) {
        for (p.at[1] = box->low[1]; p.at[1] < box->high[1]; p.at[1]++) {
            p.o = (ptrdiff_t)p.at[1] * e->sy + (ptrdiff_t)p.at[2] * e->sz;
            rows[a->kind](&p, target + p.o, a->scale);
        }
    }
}
