// gas/stick.c: viscosity beside solids that move. Of each component the samples at shut faces are
// no unknowns: those beside them see u_s there, one cell away along the component's own axis
// (weight 1) and, where the gas sticks, half a cell away across it (weight 2), as at walls, or
// where gas/surfaces.c finds the surface:
//
//     (1/r) u + sum of weights (u - u_neighbour) = (1/r) q + weight u_s
//
// The weights of solids along which the gas slides otherwise than its def says are put right in the
// system. By the same weights the stress on a solid is rho nu weight (u - u_s) / h, at the step's
// end.
//
// Cost: six looks for each face that is shut by a solid that moves, for each solve.
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

void gy_gas_note_stress(gyre_gas *gas, float dt)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active || !gy_gas_is_thick(gas, dt)) {
        return;
    }
    const gy_extent *e = &gas->extent;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    // Impulses are counted in velocities times a cell.
    double h = (double)gas->grid.h, by = (double)gas->def->viscosity * (double)dt / (h * h);
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        const float *u = gy_at(gas->base, gas->slot[f->axis]);
        int a = f->axis, b = (a + 1) % 3, c = (a + 2) % 3;
        double push = 0.0;
        for (int way = 0; way < 2 * e->dim && is_wall(f); way++) {
            int at[3];
            if (beside(gas, &g, f, way, at)) {
                double there =
                    (double)u[at[0] + at[1] * (ptrdiff_t)e->sy + at[2] * (ptrdiff_t)e->sz];
                push += (double)f->weight[way] / (double)GY_UNIT * (there - (double)f->dragged);
            }
        }
        gy_gas_push *to = &m->pushes[f->mover];
        to->impulse[a] += by * push;
        to->twist[b] += (double)f->arm[1] * by * push;
        to->twist[c] -= (double)f->arm[0] * by * push;
    }
}
