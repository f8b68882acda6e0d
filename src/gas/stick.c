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
// it u_s at the wall by extrapolation, by how far that is from the gas's sample: u_s - (1 / d - 1)
// (u - u_s), d at least a half.
// With u_s in all of them the velocity has a kink at the wall that paths cross where a solid comes
// towards them, and each step rounds it off into the gas: at Re 20 3 % more drag on a ball that is
// towed than on one in a stream, whatever the step.
//
// All of that are ops over the list of faces (gas/ops/stick.c, gas/ops/meet.c), wherever those and
// the gas lie.
//
// Cost: six looks for each face that is shut by a solid that moves, twice for each solve; twelve
// more when it has moved.
#include "base/maths.h"
#include "gas/moving.h"
#include "ops/system/level.h"

/// The sample beside a face's, and its place among the component's; false: nothing sees it.
static bool beside(const gyre_gas *gas, const gy_grid_level *g, const gy_gas_face *f, int way,
                   int at[3])
{
    const gy_extent *e = &gas->extent;
    int axis = way / 2, s = (int)f->sample;
    at[2] = gy_is_3d(e->dim) ? s / (int)e->sz : 0;
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
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        for (int q = 0; q < m->face_count && m->any; q++) {
            const gy_gas_face *f = &m->faces[q];
            for (int way = 0; way < 2 * gas->extent.dim && f->axis == axis && is_wall(f); way++) {
                int at[3];
                if (beside(gas, &g, f, way, at)) {
                    gy_gas_note_index(gas, place_of(&g, at), gy_face_way(q, way));
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
                        (gy_meet_args){.work = GY_MEET_DRAG,
                                       .faces = (uint64_t)(uintptr_t)gas->moving->faces,
                                       .level = gy_system_offset(system, 0)});
    }
}

/// Runs the op stick over all faces.
static void run_stick(const gyre_gas *gas, gy_stick_args a)
{
    const gy_gas_moving *m = gas->moving;
    if (m && m->active && m->face_count > 0) {
        a.base = gas->base;
        a.faces = (uint64_t)(uintptr_t)m->faces;
        a.level = gy_system_offset(&gas->pressure, 0);
        a.extent = gas->extent;
        a.periodic = gas->periodic;
        gy_run(gas->model.device, GY_OP_stick, &a, gy_box_make(m->face_count, 1, 1));
    }
}

void gy_gas_note_weights(const gyre_gas *gas, const gy_system *system, int axis)
{
    if (gas->moving) {
        gas->moving->weighed = true;
    }
    run_stick(gas, (gy_stick_args){
                       .work = GY_STICK_WEIGH, .own = gy_system_offset(system, 0), .axis = axis});
}

bool gy_gas_is_dragged(const gy_gas_moving *moving, const gy_gas_face *face)
{
    const gy_mover *m = &moving->movers[face->mover];
    return moving->viscous && m->moves && !m->slip && m->sheet < 0;
}

void gy_gas_mirror(gyre_gas *gas, int axis)
{
    run_stick(gas, (gy_stick_args){.work = GY_STICK_MIRROR,
                                   .field = gas->slot[axis],
                                   .axis = axis,
                                   .cap = gas->def->speed_cap,
                                   .weighed = gas->moving->weighed});
}
