// gas/ops/derive.c: fields made of the velocities for looking at, by the formulas of derived.inc,
// at the centres of cells: second order. Reads the velocities, 4 bytes a component and cell, and
// writes 4 bytes.
#include "base/maths.h"
#include "gas/ops/args.h"
#include "gas/ops/derived.h"
#include "ops/system/level.h"

/// A cell, and what formulas read there.
typedef struct place {
    const float *u[3];
    const gy_extent *e;
    const gy_grid_level *g;
    ptrdiff_t step[3], o;
    int at[3];
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

GY_INLINE float slope_at(const place *p, int a, int b)
{
    const float *u = p->u[a] + p->o;
    ptrdiff_t own = p->step[a], along = p->step[b];
    return 0.25f * ((u[along] + u[along + own]) - (u[-along] + u[-along + own]));
}

GY_INLINE float curl_at(const place *p, int a)
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    return slope_at(p, c, b) - slope_at(p, b, c);
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
#define slope(a, b) slope_at(p, a, b)
#define curl(a) curl_at(p, a)
#define plane() (p->e->dim == 2)
#define root(x) gy_sqrtf(x)

#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula)                              \
    static void name(place *p, float *row, float scale)                                            \
    {                                                                                              \
        for (p->at[0] = 0; p->at[0] < p->e->n[0]; p->at[0]++, p->o++) {                            \
            row[p->at[0]] = flushed((formula)*scale);                                              \
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
               .step = {1, e->sy, e->sz}};
    float *target = gy_at(a->base, a->target);
    (void)task;
    for (p.at[2] = box->low[2]; p.at[2] < box->high[2]; p.at[2]++) {
        for (p.at[1] = box->low[1]; p.at[1] < box->high[1]; p.at[1]++) {
            p.o = (ptrdiff_t)p.at[1] * e->sy + (ptrdiff_t)p.at[2] * e->sz;
            rows[a->kind](&p, target + p.o, a->scale);
        }
    }
}
