// gas/ops/meet.c: meet and push: solids that move and the gas round them, by lists that are made
// when they move (gas/meet.c). With s the part of a face that is shut, u_s the solid's velocity
// across it, p a potential:
//
//     meet   b of a cell += what solids pass into it, the sum of -+ s u_s over its faces;
//            velocities at shut faces = u_s; what is swept up goes where it is taken to, is shared
//            with cells behind, or is lost to a ledger
//     push   force += s (p below - p above), torque += arm x that; by viscosity, whose weight w
//            depends on the way: force += w (u beside - u_s); of faces that are shut in part, whose
//            samples viscosity counts whole: force += s u
//
// Places are there once, and what comes to one is added in the list's order: the same bits on any
// number of threads. Cost: 16 bytes a place and 4 a term; push: 56 a face, and two looks.
#include "ops/row/row.h"
#include "ops/system/level.h"

#include "gas/ops/args.h"
#include "gas/ops/beside.h"

static void add(const gy_meet_args *a, float *b, const gy_meet_place *p, double *grown)
{
    const float *terms = (const float *)(uintptr_t)a->terms;
    float *swelling = (float *)(uintptr_t)a->swelling;
    float x = b[p->place];
    double before = (double)x;
    if (swelling && swelling[p->sample] != 0.0f) {
        // What has swollen of a cut cell that a solid moves through was covered or uncovered: it
        // counts no more, and what divergence has taken in of it is taken back.
        float let = a->let * swelling[p->sample];
        swelling[p->sample] = 0.0f;
        x += -let;
    }
    for (uint32_t q = 0; q < p->count; q++) {
        x += terms[p->first + q];
    }
    b[p->place] = x;
    if (grown) {
        *grown = (double)x * (double)x - before * before;
    }
}

/// The first term as it is, the others with a bound on the sum.
static float gather(const gy_meet_args *a, const float *field, const gy_meet_place *p)
{
    const uint32_t *from = (const uint32_t *)(uintptr_t)a->terms + p->first;
    float sum = p->count > 0 ? field[from[0]] : 0.0f;
    for (uint32_t q = 1; q < p->count; q++) {
        sum = sum + field[from[q]];
        sum = sum > a->limit ? a->limit : sum < -a->limit ? -a->limit : sum;
    }
    return sum;
}

/// The mean of a vector at the terms.
static float mean(const gy_meet_args *a, const float *field, const gy_meet_place *p)
{
    const uint32_t *from = (const uint32_t *)(uintptr_t)a->terms + p->first;
    float sum = 0.0f;
    for (uint32_t q = 0; q < p->count; q++) {
        sum += field[from[q]];
    }
    return p->count > 0 ? sum / (float)p->count : 0.0f;
}

/// What viscosity gives a sample by the faces beside it.
static void drag(const gy_meet_args *a, float *b, const gy_meet_place *p)
{
    const uint32_t *from = (const uint32_t *)(uintptr_t)a->terms + p->first;
    const gy_gas_face *faces = (const gy_gas_face *)(uintptr_t)a->faces;
    float x = b[p->place];
    for (uint32_t q = 0; q < p->count; q++) {
        const gy_gas_face *f = &faces[from[q] / 8];
        x += (float)f->weight[from[q] % 8] * (1.0f / GY_UNIT) * f->dragged;
    }
    b[p->place] = x;
}

/// From one sample to others, or in chains.
static void give(const gy_meet_args *a, float *field, const gy_meet_place *p)
{
    const gy_meet_gift *gifts = (const gy_meet_gift *)(uintptr_t)a->terms + p->first;
    for (uint32_t q = 0; q < p->count; q++) {
        const gy_meet_gift *g = &gifts[q];
        float share = field[g->from] * (float)g->part / (float)g->whole;
        field[g->from] -= share;
        float sum = field[g->to] + share;
        field[g->to] = sum > a->limit ? a->limit : sum < -a->limit ? -a->limit : sum;
    }
}

static void lose(const gy_meet_args *a, const float *field, const gy_meet_place *p, double *left)
{
    const uint32_t *from = (const uint32_t *)(uintptr_t)a->terms + p->first;
    for (uint32_t q = 0; q < p->count; q++) {
        *left -= (double)field[from[q]];
    }
}

void GY_BODY(meet)(const void *args, const gy_box *box, int task)
{
    const gy_meet_args *a = args;
    const gy_meet_place *places = (const gy_meet_place *)(uintptr_t)a->places;
    const float *terms = (const float *)(uintptr_t)a->terms;
    float *field = gy_at(a->base, a->field), *values = (float *)(uintptr_t)a->values;
    double *grown = (double *)(uintptr_t)a->values;
    gy_grid_level g = {0};
    if (a->work == GY_MEET_ADD || a->work == GY_MEET_FIT || a->work == GY_MEET_DRAG) {
        g = gy_grid_level_at(a->base, a->level);
    }
    (void)task;
    for (int q = box->low[0]; q < box->high[0]; q++) {
        const gy_meet_place *p = &places[q];
        switch (a->work) {
        case GY_MEET_SET:
            field[p->place] = values ? values[q] : terms[p->first + p->count - 1];
            break;
        case GY_MEET_ADD:
            add(a, g.b[0], p, grown ? grown + q : NULL);
            break;
        case GY_MEET_FIT:
            g.open[a->axis][0][p->place] = (uint16_t)terms[p->first + p->count - 1];
            break;
        case GY_MEET_MEAN:
            field[p->place] = mean(a, field, p);
            break;
        case GY_MEET_DRAG:
            drag(a, g.b[0], p);
            break;
        case GY_MEET_SHARE:
            give(a, field, p);
            break;
        case GY_MEET_LOSE:
            lose(a, field, p, grown);
            break;
        default:
            values[q] = gather(a, field, p);
        }
    }
}

/// What viscosity takes from the gas beside a face that is shut: weights times differences.
static double stress_of(const gy_push_args *a, const gy_gas_face *f, const float *x,
                        const gy_level *l)
{
    double push = 0.0;
    for (int way = 0; way < 6; way++) {
        if (f->weight[way] > 0) {
            int at[3];
            gy_face_beside(&a->extent, a->periodic, f, way, at);
            ptrdiff_t row = gy_level_row(l, at[1], at[2]) + (at[0] >> 1);
            double there =
                (double)x[((at[0] + at[1] + at[2]) & 1) * (ptrdiff_t)l->colour_step + row];
            push += (double)f->weight[way] / (double)GY_UNIT * (there - (double)f->dragged);
        }
    }
    return push;
}

/// What pushes at a face; *by: what that is to be taken times.
static double push_of(const gy_push_args *a, const gy_gas_face *f, double *by)
{
    *by = 1.0;
    if (a->work == GY_PUSH_POTENTIAL) {
        const float *p = gy_at(a->base, a->field);
        double below = f->below >= 0 ? (double)p[f->below] : 0.0;
        double above = f->above >= 0 ? (double)p[f->above] : 0.0;
        return a->factor * (double)f->shut * (below - above);
    }
    bool wall = f->shut >= 1.0f;
    if (f->axis != a->axis || wall != (a->work == GY_PUSH_STRESS)) {
        return 0.0;
    }
    if (wall) {
        gy_grid_level g = gy_grid_level_at(a->base, a->level);
        *by = a->factor;
        return stress_of(a, f, g.x[0], g.l);
    }
    const float *u = gy_at(a->base, a->field);
    return f->kind & GY_FACE_SHEET ? 0.0 : a->factor * (double)f->shut * (double)u[f->sample];
}

void GY_BODY(push)(const void *args, const gy_box *box, int task)
{
    const gy_push_args *a = args;
    const gy_gas_face *faces = (const gy_gas_face *)(uintptr_t)a->faces;
    const uint32_t *ranges = (const uint32_t *)(uintptr_t)a->ranges;
    (void)task;
    for (int m = box->low[0]; m < box->high[0]; m++) {
        double *sum = (double *)(uintptr_t)a->sums + 6 * m;
        for (uint32_t q = 0; q < ranges[2 * m + 1]; q++) {
            const gy_gas_face *f = &faces[ranges[2 * m] + q];
            int b = (f->axis + 1) % 3, c = (f->axis + 2) % 3;
            double by, push = push_of(a, f, &by);
            if (push == 0.0) {
                continue; // as of all faces inside a solid, which are most
            }
            sum[f->axis] += by * push;
            // r x F of a force along the axis: (.., r_c F at b, -r_b F at c).
            sum[3 + b] += (double)f->arm[1] * by * push;
            sum[3 + c] -= (double)f->arm[0] * by * push;
        }
    }
}
