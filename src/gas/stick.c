// gas/stick.c: viscosity beside solids that move. Of each component the samples at shut faces are
// no unknowns: those beside them see u_s there, one cell away along the component's own axis
// (weight 1) and, where the gas sticks, half a cell away across it (weight 2), as at walls, or
// where gas/surfaces.c finds the surface:
//
//     (1/r) u + sum of weights (u - u_neighbour) = (1/r) q + weight u_s
//
// The weights of solids along which the gas slides otherwise than its def says are put right in the
// system. By the same weights a solve takes r weight (u - u_s) from the gas at a face, u being what
// it has found: that is what the solid gets (rho h^dim times it is an impulse). Not the stress at
// the step's end: there the pressure's last part lets the gas slip, by as much as what it does in
// a step (of first order in dt, and more where solids move).
//
// Of a face that is shut in part the solve's sample counts in full, and as gas by what is open: the
// rest of what it gets is the solid's, too. With it what solids feel at rest is what the gas loses,
// to 0.4 %.
//
// Inside a solid that moves and that the gas sticks to, the samples beside the gas hold what makes
// it u_s at the wall by interpolation: u_s from along their own axis, 2 u_s - u from across it.
// With u_s in all of them the velocity has a kink at the wall that paths cross where a solid comes
// towards them, and each step rounds it off into the gas: at Re 20 3 % more drag on a ball that is
// towed than on one in a stream, whatever the step.
//
// Cost: six looks for each face that is shut by a solid that moves, twice for each solve.
#include "base/maths.h"
#include "gas/moving.h"
#include "ops/system/level.h"

/// The sample beside a face's, and its place among the component's; false: nothing sees it.
static bool beside(const gyre_gas *gas, const gy_grid_level *g, const gy_gas_face *f, int way,
                   int at[3])
{
    const gy_extent *e = &gas->extent;
    int axis = way / 2, s = (int)f->sample;
    at[2] = e->dim == 3 ? s / (int)e->sz : 0;
    s -= at[2] * (int)e->sz;
    at[1] = s / (int)e->sy;
    at[0] = s - at[1] * (int)e->sy;
    at[axis] += way & 1 ? 1 : -1;
    if (gas->periodic >> axis & 1u) {
        at[axis] = (at[axis] + e->n[axis]) % e->n[axis];
    }
    for (int a = 0; a < e->dim; a++) {
        if (at[a] < 0 || at[a] >= e->n[a]) {
            return false;
        }
    }
    return *gy_coefficient(g, f->axis, at[0], at[1], at[2]) > 0;
}

static float weight_of(const gy_gas_moving *m, const gy_gas_face *f, int way)
{
    return way / 2 == f->axis ? 1.0f : m->movers[f->mover].slip ? 0.0f : 2.0f;
}

static bool is_wall(const gy_gas_face *f)
{
    return f->shut >= 1.0f;
}

float gy_gas_fastest_wall(const gyre_gas *gas, int axis)
{
    const gy_gas_moving *m = gas->moving;
    float most = 0.0f;
    for (int q = 0; gy_gas_is_stirred(gas) && q < m->face_count; q++) {
        if (m->faces[q].axis == axis && is_wall(&m->faces[q])) {
            float u = m->faces[q].dragged;
            most = GY_MAX(most, u < 0.0f ? -u : u);
        }
    }
    return most;
}

void gy_gas_fit_surfaces(const gyre_gas *gas, const gy_system *system, int axis)
{
    const gy_gas_moving *m = gas->moving;
    if (!gy_gas_is_mixed(gas)) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    gy_grid_level to = gy_grid_level_at(gas->base, gy_system_offset(system, 0));
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        bool odd = m->movers[f->mover].slip != (int32_t)gas->def->solid_slip;
        for (int way = 0; way < 2 * gas->extent.dim && odd && f->axis == axis && is_wall(f);
             way++) {
            int at[3], along = way / 2;
            if (along == axis || !beside(gas, &g, f, way, at)) {
                continue;
            }
            // The face between the two samples: the lower one of the upper.
            at[along] += way & 1 ? 0 : 1;
            uint16_t weight = (uint16_t)(weight_of(m, f, way) * GY_UNIT);
            int n = gas->extent.n[along];
            bool seam = gas->periodic >> along & 1u && (at[along] == 0 || at[along] == n);
            for (int end = 0; end < (seam ? 2 : 1); end++) {
                at[along] = seam ? end * n : at[along];
                *gy_coefficient(&to, along, at[0], at[1], at[2]) = weight;
            }
        }
    }
}

/// The coefficient between a face and the sample beside it.
static uint16_t coefficient_of(const gy_grid_level *g, int way, const int at[3])
{
    int upper[3] = {at[0], at[1], at[2]};
    upper[way / 2] += way & 1 ? 0 : 1;
    return *gy_coefficient(g, way / 2, upper[0], upper[1], upper[2]);
}

void gy_gas_note_weights(const gyre_gas *gas, const gy_system *system, int axis)
{
    const gy_gas_moving *m = gas->moving;
    if (!m || !m->active) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    gy_grid_level of = gy_grid_level_at(gas->base, gy_system_offset(system, 0));
    for (int q = 0; q < m->face_count; q++) {
        gy_gas_face *f = &m->faces[q];
        for (int way = 0; way < 2 * gas->extent.dim && f->axis == axis && is_wall(f); way++) {
            int at[3];
            f->weight[way] = beside(gas, &g, f, way, at) ? coefficient_of(&of, way, at) : 0;
        }
    }
}

void gy_gas_drag_along(gyre_gas *gas, const gy_system *system, int axis)
{
    const gy_gas_moving *m = gas->moving;
    if (!gy_gas_is_stirred(gas)) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    gy_grid_level to = gy_grid_level_at(gas->base, gy_system_offset(system, 0));
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        for (int way = 0; way < 2 * gas->extent.dim && f->axis == axis && is_wall(f); way++) {
            int at[3];
            if (beside(gas, &g, f, way, at)) {
                ptrdiff_t row = gy_level_row(to.l, at[1], at[2]) + (at[0] >> 1);
                to.b[(at[0] + at[1] + at[2]) & 1][row] +=
                    (float)f->weight[way] * (1.0f / GY_UNIT) * f->dragged;
            }
        }
    }
}

void gy_gas_note_stress(gyre_gas *gas, const gy_system *system, int axis, float by)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    gy_grid_level from = gy_grid_level_at(gas->base, gy_system_offset(system, 0));
    int a = axis, b = (a + 1) % 3, c = (a + 2) % 3;
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        double push = 0.0;
        for (int way = 0; way < 2 * gas->extent.dim && f->axis == axis && is_wall(f); way++) {
            int at[3];
            if (beside(gas, &g, f, way, at)) {
                ptrdiff_t row = gy_level_row(from.l, at[1], at[2]) + (at[0] >> 1);
                double there = (double)from.x[(at[0] + at[1] + at[2]) & 1][row];
                push += (double)f->weight[way] / (double)GY_UNIT * (there - (double)f->dragged);
            }
        }
        // Impulses are counted in velocities times a cell.
        gy_gas_push *to = &m->pushes[f->mover];
        to->impulse[a] += (double)by * push;
        to->twist[b] += (double)f->arm[1] * (double)by * push;
        to->twist[c] -= (double)f->arm[0] * (double)by * push;
    }
}

void gy_gas_note_cut(gyre_gas *gas, int axis, double sign)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active) {
        return;
    }
    const float *u = gy_at(gas->base, gas->slot[axis]);
    int a = axis, b = (a + 1) % 3, c = (a + 2) % 3;
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        if (f->axis != axis || is_wall(f) || m->movers[f->mover].sheet >= 0) {
            continue;
        }
        double push = sign * (double)f->shut * (double)u[f->sample];
        gy_gas_push *to = &m->pushes[f->mover];
        to->impulse[a] += push;
        to->twist[b] += (double)f->arm[1] * push;
        to->twist[c] -= (double)f->arm[0] * push;
    }
}

bool gy_gas_is_dragged(const gy_gas_moving *moving, const gy_gas_face *face)
{
    const gy_mover *m = &moving->movers[face->mover];
    return moving->viscous && m->moves && !m->slip && m->sheet < 0;
}

void gy_gas_mirror(gyre_gas *gas, int axis)
{
    const gy_gas_moving *m = gas->moving;
    const gy_extent *e = &gas->extent;
    float *u = gy_at(gas->base, gas->slot[axis]), cap = gas->def->speed_cap;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        int count = 0;
        float sum = 0.0f;
        if (f->axis != axis || !is_wall(f) || !gy_gas_is_dragged(m, f)) {
            continue;
        }
        for (int way = 0; way < 2 * e->dim; way++) {
            int at[3];
            if (beside(gas, &g, f, way, at)) {
                // Along its own axis the wall is where the sample is, across it half way.
                float there = u[at[0] + at[1] * (ptrdiff_t)e->sy + at[2] * (ptrdiff_t)e->sz];
                sum += way / 2 == axis ? 0.0f : there - f->velocity;
                count++;
            }
        }
        if (count > 0) {
            float ghost = f->velocity - sum / (float)count;
            u[f->sample] = GY_MAX(GY_MIN(ghost, cap), -cap);
        }
    }
}
