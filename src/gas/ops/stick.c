// gas/ops/stick.c: viscosity beside solids that move (gas/stick.c), over the faces that those shut.
// With K the coefficients of a component's system, u_s the solid's velocity, u the gas's beside:
//
//     weigh    weight of a way = K there
//     mirror   u at the face = the mean of u_s - (K - 1) (u - u_s), K = 1 / d with the wall at d
//              from u, of at most 2 and at least 1; before they are weighed in a step u_s from
//              along its own axis, 2 u_s - u from across it
//
// Nothing that is written is read by another face. Cost: six looks a face of the component.
#include "gas/ops/beside.h"
#include "ops/row/row.h"
#include "ops/system/level.h"

#include "gas/ops/args.h"

/// Whether gas is at the sample beside a face.
static bool is_gas(const gy_stick_args *a, const gy_grid_level *g, const gy_gas_face *f, int way,
                   int at[3])
{
    const gy_extent *e = &a->extent;
    gy_face_beside(e, a->periodic, f, way, at);
    for (int d = 0; d < e->dim; d++) {
        if (at[d] < 0 || at[d] >= e->n[d]) {
            return false;
        }
    }
    return *gy_coefficient(g, f->axis, at[0], at[1], at[2]) > 0;
}

static void weigh(const gy_stick_args *a, const gy_grid_level *g, const gy_grid_level *own,
                  gy_gas_face *f)
{
    for (int way = 0; way < 2 * a->extent.dim; way++) {
        int at[3];
        bool is = is_gas(a, g, f, way, at);
        at[way / 2] += way & 1 ? 0 : 1;
        f->weight[way] = is ? *gy_coefficient(own, way / 2, at[0], at[1], at[2]) : 0;
    }
}

static void mirror(const gy_stick_args *a, const gy_grid_level *g, const gy_gas_face *f)
{
    const gy_extent *e = &a->extent;
    float *u = gy_at(a->base, a->field), sum = 0.0f;
    int count = 0;
    for (int way = 0; way < 2 * e->dim; way++) {
        int at[3];
        if (is_gas(a, g, f, way, at)) {
            // As it is, along its own axis the wall is where the sample is, across it half way.
            float there = u[at[0] + at[1] * (ptrdiff_t)e->sy + at[2] * (ptrdiff_t)e->sz];
            float part = way / 2 == a->axis ? 0.0f : 1.0f;
            if (a->weighed) {
                part = (float)f->weight[way] * (1.0f / GY_UNIT) - 1.0f;
                part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
            }
            sum += part * (there - f->velocity);
            count++;
        }
    }
    if (count > 0) {
        float ghost = f->velocity - sum / (float)count;
        ghost = ghost < a->cap ? ghost : a->cap;
        u[f->sample] = ghost > -a->cap ? ghost : -a->cap;
    }
}

void GY_BODY(stick)(const void *args, const gy_box *box, int task)
{
    const gy_stick_args *a = args;
    gy_gas_face *faces = (gy_gas_face *)(uintptr_t)a->faces;
    bool weighs = a->work == GY_STICK_WEIGH;
    gy_grid_level g = gy_grid_level_at(a->base, a->level), own = g;
    if (weighs) {
        own = gy_grid_level_at(a->base, a->own);
    }
    (void)task;
    for (int q = box->low[0]; q < box->high[0]; q++) {
        gy_gas_face *f = &faces[q];
        if (f->axis != a->axis || f->shut < 1.0f) {
            continue;
        }
        if (weighs) {
            weigh(a, &g, &own, f);
        } else if (f->kind & GY_FACE_DRAGGED) {
            mirror(a, &g, f);
        }
    }
}
