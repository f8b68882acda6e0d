// gas/stick.c: viscosity beside solids that move. Of each component the samples at shut faces are
// no unknowns: those beside them see u_s there, one cell away along the component's own axis
// (weight 1) and, where the gas sticks, half a cell away across it (weight 2), as at walls:
//
//     (1/r) u + sum of weights (u - u_neighbour) = (1/r) q + weight u_s
//
// The weights of solids along which the gas slides otherwise than its def says are put right in the
// system. By the same weights the stress on a solid is rho nu weight (u - u_s) / h, at the step's
// end.
//
// Cost: twelve looks for each face that is shut by a solid that moves, when it has moved.
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

/// A sample's place in vectors and coefficients of a finest level.
static int32_t place_of(const gy_grid_level *g, const int at[3])
{
    int colour = (at[0] + at[1] + at[2]) & 1;
    return (int32_t)(colour * g->l->colour_step + gy_level_row(g->l, at[1], at[2]) + (at[0] >> 1));
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

/// Coefficients beside surfaces that are not as the gas's def says.
static void list_fit(gyre_gas *gas, const gy_grid_level *g, int axis, int along)
{
    const gy_gas_moving *m = gas->moving;
    for (int q = 0; q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        bool odd = m->movers[f->mover].slip != (int32_t)gas->def->solid_slip;
        for (int way = 2 * along; way < 2 * along + 2; way++) {
            int at[3];
            if (!odd || f->axis != axis || !is_wall(f) || !beside(gas, g, f, way, at)) {
                continue;
            }
            // The face between the two samples: the lower one of the upper.
            at[along] += way & 1 ? 0 : 1;
            int n = gas->extent.n[along];
            bool seam = gas->periodic >> along & 1u && (at[along] == 0 || at[along] == n);
            for (int end = 0; end < (seam ? 2 : 1); end++) {
                at[along] = seam ? end * n : at[along];
                gy_gas_note_term(gas, place_of(g, at), 0, weight_of(m, f, way) * GY_UNIT);
            }
        }
    }
}

void gy_gas_list_drag(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    gy_gas_meeting *t = &m->meeting;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int q = 0; q < m->face_count; q++) {
        gy_gas_face *f = &m->faces[q];
        f->ways = m->movers[f->mover].slip ? GY_FACE_SLIPS : 0;
        for (int way = 0; way < 2 * gas->extent.dim && is_wall(f); way++) {
            int at[3];
            f->ways |= beside(gas, &g, f, way, at) ? 1u << way : 0;
        }
    }
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        for (int q = 0; q < m->face_count && m->any; q++) {
            const gy_gas_face *f = &m->faces[q];
            for (int way = 0; way < 2 * gas->extent.dim && f->axis == axis; way++) {
                int at[3];
                if ((f->ways >> way & 1u) && beside(gas, &g, f, way, at)) {
                    gy_gas_note_term(gas, place_of(&g, at), 0, weight_of(m, f, way) * f->dragged);
                }
            }
        }
        gy_gas_end_list(gas, &t->drag[axis]);
        for (int along = 0; along < gas->extent.dim && m->mixed; along++) {
            if (along != axis) {
                list_fit(gas, &g, axis, along);
                gy_gas_end_list(gas, &t->fit[axis][along]);
            }
        }
    }
}

void gy_gas_fit_surfaces(gyre_gas *gas, const gy_system *system, int axis)
{
    for (int along = 0; along < gas->extent.dim && gy_gas_is_mixed(gas); along++) {
        gy_gas_run_meet(gas, &gas->moving->meeting.fit[axis][along],
                        (gy_meet_args){.work = GY_MEET_FIT,
                                       .axis = along,
                                       .level = gy_system_offset(system, 0)});
    }
}

void gy_gas_drag_along(gyre_gas *gas, const gy_system *system, int axis)
{
    if (gy_gas_is_stirred(gas)) {
        gy_gas_run_meet(gas, &gas->moving->meeting.drag[axis],
                        (gy_meet_args){.work = GY_MEET_ADD, .level = gy_system_offset(system, 0)});
    }
}
