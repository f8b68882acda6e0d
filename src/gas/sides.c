// gas/sides.c: inflows: sides, and patches of sides, through which gas passes with a velocity that
// is given.
//
//     u . n = U on the face,    -lap phi = -div v there with u . n given: dphi/dn = 0,
//     flux of a scalar = U dt / h times what comes in (U inwards), else times what is there
//
// To the pressure such a face is shut, so that every solver takes it; divergence counts what passes
// it (gas/ops/project.c), scalars are brought by the same product that it counts (gas/ops/remap.c),
// paths that end on the side read what is given there (gas/ops/rim.c). What is given changes with
// the projection at the end of a step, never between a wind and what it carries. Memory: of each
// side with a rim 4 (1 + 2 d + scalars) bytes a face, where the def asks for it; nothing else.
//
// A window (a patch whose rule is open) makes its side an open one, all of whose other faces are
// shut as a solid would shut them: their coefficients are 0. A patch of an open side makes that one
// a side whose windows are all its other faces. So the pressure's solvers, fluxes,
// paths and budgets know it already; viscosity asks the faces what holds there. 4 bytes a face
// more.
#include "base/maths.h"
#include "gas/gas.h"
#include "gas/patches.h"
#include "ops/system/level.h"
#include <stdio.h>
#include <string.h>

static const gyre_gas_side *side_of(const gyre_gas_def *def, int side)
{
    return &def->sides.x_low + side;
}

/// What the velocities of two steps may still have of a patch that was shut counts, too, for the
/// wind is made of both.
static void note_given(gyre_gas *gas)
{
    const gy_gas_kept *k = &gas->kept;
    gas->given = gas->rimmed & (gy_gas_blown(gas->def) | k->blown[0] | k->blown[1]);
}

void gy_gas_age_rims(gyre_gas *gas)
{
    gy_gas_kept *k = &gas->kept;
    if (gas->rimmed) {
        k->blown[1] = k->blown[0];
        k->blown[0] = gy_gas_blown(gas->def);
        note_given(gas);
    }
}

// ---- memory -------------------------------------------------------------------------------------

static size_t plane_bytes(const gyre_gas *gas, int side)
{
    int along[2];
    const int *n = gas->extent.n;
    gy_gas_axes_along(side, along);
    size_t faces = (size_t)n[along[0]] * (gy_is_3d(gas->extent.dim) ? (size_t)n[along[1]] : 1);
    // A vector may read beyond the last one.
    return (faces * sizeof(float) + GY_LANES * sizeof(float) + 63) / 64 * 64;
}

static int plane_count(const gyre_gas *gas)
{
    return 1 + 2 * gas->velocities + gas->scalars;
}

/// That of windows: 1 where one is; -1: and a solid or a sheet shuts it.
static int window_plane(const gyre_gas *gas)
{
    return plane_count(gas);
}

static gy_rim *rims_of(const gyre_gas *gas)
{
    return (gy_rim *)(void *)gy_at(gas->base, gas->rims);
}

void gy_gas_plan_rims(gyre_gas *gas, gy_arena *kept)
{
    if (!gas->rimmed) {
        return;
    }
    size_t start = (size_t)kept->used * 64;
    gas->rims = gy_arena_take(kept, 6 * sizeof(gy_rim));
    if (gas->came == 0) {
        gas->came = gy_arena_take(kept, (size_t)gas->scalars * sizeof(double));
        gas->came_in_rims = true;
    }
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        if (gas->rimmed >> s & 1u) {
            size_t plane = plane_bytes(gas, s);
            size_t planes = (size_t)plane_count(gas) + (gas->windowed >> s & 1u);
            uint32_t first = gy_arena_take(kept, plane * planes);
            if (gas->base) {
                uint32_t windows = gas->windowed >> s & 1u ? (uint32_t)plane_count(gas) : 0;
                rims_of(gas)[s] =
                    (gy_rim){.first = first, .step = (uint32_t)(plane / 64), .windows = windows};
            }
        }
    }
    gas->rim_bytes = (size_t)kept->used * 64 - start;
}

/// A plane of a side: which, see gy_rim.
static float *plane_of(const gyre_gas *gas, int side, int which)
{
    const gy_rim *r = rims_of(gas) + side;
    return gy_at(gas->base, r->first + (uint32_t)which * r->step);
}

// ---- what is given ------------------------------------------------------------------------------

size_t gy_gas_plane_floats(const gyre_gas *gas, int side)
{
    return plane_bytes(gas, side) / sizeof(float);
}

float *gy_gas_next_given(const gyre_gas *gas, int side, int component)
{
    return plane_of(gas, side, 1 + gas->velocities + component);
}

/// How much of its velocity a profile has at a place between two ends along each axis of a side.
static float profile_at(const gyre_gas *gas, int side, int profile, float exponent,
                        const double at[3], const double low[3], const double high[3])
{
    int along[2];
    float by = 1.0f;
    gy_gas_axes_along(side, along);
    for (int q = 0; q < (gy_is_3d(gas->extent.dim) ? 2 : 1); q++) {
        int a = along[q];
        double s = high[a] > low[a] ? (at[a] - low[a]) / (high[a] - low[a]) : 0.5;
        s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
        if (profile == GYRE_GAS_PROFILE_PARABOLA && !(gas->periodic >> a & 1u)) {
            by *= (float)(4.0 * s * (1.0 - s));
        } else if (profile == GYRE_GAS_PROFILE_POWER && a == (side / 2 == 1 ? 0 : 1)) {
            by *= s > 0.0 ? gy_powf((float)s, exponent) : 0.0f;
        }
    }
    return by;
}

/// Everything that is given of a part of a side.
typedef struct part {
    int side, profile;
    float exponent;
    const float *velocity;
    double low[3], high[3]; // that the profile goes over
} part;

static part part_of_side(const gyre_gas *gas, int side)
{
    const gyre_gas_side *s = side_of(gas->def, side);
    const gyre_grid *grid = &gas->def->grid;
    part p = {
        .side = side, .profile = s->profile, .exponent = s->exponent, .velocity = s->velocity};
    for (int a = 0; a < grid->dim; a++) {
        p.low[a] = (double)grid->origin[a];
        p.high[a] = p.low[a] + (double)grid->n[a] * (double)grid->h;
    }
    return p;
}

static part part_of_patch(const gyre_gas *gas, const gyre_gas_patch *patch)
{
    part p = part_of_side(gas, patch->side);
    float low[3], high[3];
    p.profile = patch->profile;
    p.exponent = patch->exponent;
    p.velocity = patch->velocity;
    if (!patch->whole) {
        gyre_shape_bounds(&patch->shape, gas->extent.dim, low, high);
        for (int a = 0; a < gas->extent.dim; a++) {
            p.low[a] = GY_MAX(p.low[a], (double)low[a]);
            p.high[a] = GY_MIN(p.high[a], (double)high[a]);
        }
    }
    return p;
}

/// Gives a face the velocity of a part.
static void give_velocity(gyre_gas *gas, const part *p, int a, int b, size_t face)
{
    double at[3];
    float cap = gas->def->speed_cap;
    gy_gas_face_place(&gas->def->grid, p->side, a, b, at);
    float by = profile_at(gas, p->side, p->profile, p->exponent, at, p->low, p->high);
    plane_of(gas, p->side, 0)[face] = 1.0f;
    for (int c = 0; c < gas->velocities; c++) {
        float v = by * p->velocity[c];
        plane_of(gas, p->side, 1 + gas->velocities + c)[face] = GY_MAX(-cap, GY_MIN(v, cap));
    }
}

/// Gives it none.
static void take_velocity(gyre_gas *gas, int side, size_t face)
{
    plane_of(gas, side, 0)[face] = 0.0f;
    for (int c = 0; c < gas->velocities; c++) {
        plane_of(gas, side, 1 + gas->velocities + c)[face] = 0.0f;
    }
}

/// By a side by which what leaves is carried all passes, for the time being as it did.
static void take_carried(gyre_gas *gas, int side)
{
    size_t floats = gy_gas_plane_floats(gas, side);
    float *given = plane_of(gas, side, 0);
    for (size_t i = 0; i < floats; i++) {
        given[i] = 1.0f;
    }
    memcpy(gy_gas_next_given(gas, side, side / 2), plane_of(gas, side, 1 + side / 2),
           floats * sizeof(float));
}

static void take_all(gyre_gas *gas, int side)
{
    if (gy_gas_carried(gas->def) >> side & 1u) {
        take_carried(gas, side);
        return;
    }
    part p = part_of_side(gas, side);
    int along[2];
    gy_gas_axes_along(side, along);
    bool blows = side_of(gas->def, side)->rule == GYRE_GAS_SIDE_INFLOW;
    for (int b = 0; b < gy_gas_faces_along(&gas->def->grid, along[1]) && blows; b++) {
        for (int a = 0; a < gas->extent.n[along[0]]; a++) {
            give_velocity(gas, &p, a, b, (size_t)a + (size_t)b * (size_t)gas->extent.n[along[0]]);
        }
    }
}

static void take_patch(gyre_gas *gas, const gyre_gas_patch *patch)
{
    int along[2];
    gy_gas_axes_along(patch->side, along);
    const gyre_grid *grid = &gas->def->grid;
    gy_solid shape = gy_solid_make(&patch->shape, grid->dim);
    part p = part_of_patch(gas, patch);
    for (int b = 0; b < gy_gas_faces_along(grid, along[1]); b++) {
        for (int a = 0; a < gy_gas_faces_along(grid, along[0]); a++) {
            size_t face = (size_t)a + (size_t)b * (size_t)grid->n[along[0]];
            if (!gy_gas_patch_has(patch, &shape, grid, a, b)) {
                continue;
            }
            if (patch->rule == GYRE_GAS_PATCH_INFLOW) {
                give_velocity(gas, &p, a, b, face);
            } else if (gy_gas_patch_opens(gas->def, patch) || gy_gas_patch_shuts(patch)) {
                take_velocity(gas, patch->side, face);
            }
            for (int s = 0; s < gas->scalars; s++) {
                plane_of(gas, patch->side, 1 + 2 * gas->velocities + s)[face] = 0.0f;
            }
            for (int q = 0; q < GYRE_GAS_FEEDS && patch->carries[q].name[0]; q++) {
                int s = gy_gas_scalar_named(gas->def, patch->carries[q].name);
                plane_of(gas, patch->side, 1 + 2 * gas->velocities + s)[face] =
                    patch->carries[q].amount;
            }
        }
    }
}

/// Adds what passes the faces of a side inwards, in cells' faces, to the rooms that they are at, or
/// with `off` takes off each what its room is to lose; makes 0 what lies before solids.
static void sum_side(gyre_gas *gas, int side, gy_gas_rooms *rooms, bool off)
{
    int along[2], axis = side / 2;
    gy_gas_axes_along(side, along);
    const int *n = gas->extent.n;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    float *across = plane_of(gas, side, 1 + gas->velocities + axis), sign = side & 1 ? -1 : 1;
    bool carried = gy_gas_carried(gas->def) >> side & 1u;
    for (int b = 0; b < gy_gas_faces_along(&gas->def->grid, along[1]); b++) {
        for (int a = 0; a < n[along[0]]; a++) {
            int at[3] = {0, 0, 0};
            size_t face = (size_t)a + (size_t)b * (size_t)n[along[0]];
            float *u = across + face;
            at[axis] = (side & 1) ? n[axis] - 1 : 0;
            at[along[0]] = a;
            at[along[1]] = gy_is_3d(gas->extent.dim) ? b : at[along[1]];
            if (gy_gas_is_blocked(gas) && !gy_level_fluid(&g, at[0], at[1], at[2])) {
                *u = 0.0f;
            }
            bool passes = carried
                              ? !gy_gas_is_blocked(gas) || gy_level_fluid(&g, at[0], at[1], at[2])
                              : *u != 0.0f;
            gy_room *room = passes ? gy_gas_room_of(gas, rooms, at) : NULL;
            // What has sides by which all is carried lets go there.
            if (!room || (off && room->carried && !carried)) {
                continue;
            }
            if (off) {
                *u = (float)((double)*u - (double)sign * room->side);
                continue;
            }
            room->carried |= carried;
            room->faces += room->carried == carried;
            room->side += (double)(sign * *u);
            for (int c = 0; c < gas->velocities; c++) {
                float v = plane_of(gas, side, 1 + gas->velocities + c)[face];
                room->fastest = GY_MAX(room->fastest, v < 0.0f ? -v : v);
            }
        }
    }
}

// ---- windows ------------------------------------------------------------------------------------

/// The faces of a side that are open, by patches or by itself: of patches that overlap the later
/// one counts.
static void find_side_windows(const gyre_gas *gas, int side, float *open)
{
    const gyre_gas_patch *p = gas->def->patches.items;
    const gyre_grid *grid = &gas->def->grid;
    int along[2];
    gy_gas_axes_along(side, along);
    for (int i = 0; i < gy_gas_faces_along(grid, along[0]) * gy_gas_faces_along(grid, along[1]);
         i++) {
        open[i] = side_of(gas->def, side)->rule == GYRE_GAS_SIDE_OPEN;
    }
    for (int i = 0; i < gas->def->patches.count; i++) {
        if (!p[i].enabled || p[i].side != side) {
            continue;
        }
        gy_solid shape = gy_solid_make(&p[i].shape, grid->dim);
        for (int b = 0; b < gy_gas_faces_along(grid, along[1]); b++) {
            for (int a = 0; a < gy_gas_faces_along(grid, along[0]); a++) {
                if (gy_gas_patch_has(&p[i], &shape, grid, a, b)) {
                    open[a + b * grid->n[along[0]]] = gy_gas_patch_opens(gas->def, &p[i]);
                }
            }
        }
    }
}

/// The coefficient of a face of a side.
static uint16_t *side_coefficient(const gyre_gas *gas, const gy_grid_level *g, int side, int a,
                                  int b)
{
    int at[3] = {0, 0, 0}, along[2];
    gy_gas_axes_along(side, along);
    at[side / 2] = (side & 1) ? gas->extent.n[side / 2] : 0;
    at[along[0]] = a;
    at[along[1]] = gy_is_3d(gas->extent.dim) ? b : at[along[1]];
    return gy_coefficient(g, side / 2, at[0], at[1], at[2]);
}

/// Marks those that something shuts.
static void mark_windows(const gyre_gas *gas)
{
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        int along[2];
        gy_gas_axes_along(s, along);
        float *open = gas->windowed >> s & 1u ? plane_of(gas, s, window_plane(gas)) : NULL;
        for (int b = 0; open && b < gy_gas_faces_along(&gas->def->grid, along[1]); b++) {
            for (int a = 0; a < gas->extent.n[along[0]]; a++, open++) {
                float sign = *side_coefficient(gas, &g, s, a, b) != 0 ? 1.0f : -1.0f;
                *open = *open != 0.0f ? sign : 0.0f;
            }
        }
    }
}

bool gy_gas_find_windows(gyre_gas *gas)
{
    bool differ = false;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        float *open = gas->windowed >> s & 1u ? plane_of(gas, s, window_plane(gas)) : NULL;
        size_t floats = open ? plane_bytes(gas, s) / sizeof(float) : 0;
        for (size_t i = 0; i < floats; i++) {
            open[i] = open[i] < 0.0f ? 1.0f : open[i];
        }
        uint64_t before = open ? gy_hash(open, floats * sizeof(float), 1) : 0;
        if (open) {
            memset(open, 0, floats * sizeof(float));
            find_side_windows(gas, s, open);
            differ = differ || gy_hash(open, floats * sizeof(float), 1) != before;
        }
    }
    mark_windows(gas);
    return differ;
}

void gy_gas_put_lids(gyre_gas *gas)
{
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        int along[2];
        gy_gas_axes_along(s, along);
        const float *open = gas->windowed >> s & 1u ? plane_of(gas, s, window_plane(gas)) : NULL;
        for (int b = 0; open && b < gy_gas_faces_along(&gas->def->grid, along[1]); b++) {
            for (int a = 0; a < gas->extent.n[along[0]]; a++, open++) {
                if (*open == 0.0f) {
                    *side_coefficient(gas, &g, s, a, b) = 0;
                }
            }
        }
    }
}

/// In rooms where nothing is open what comes in must leave: what is too much is taken off evenly.
static void balance(gyre_gas *gas)
{
    gy_gas_rooms rooms = gy_gas_count_rooms(gas);
    uint32_t carried = gy_gas_carried(gas->def);
    for (int q = 0; q < 4 * gas->extent.dim; q++) {
        // Those by which what leaves is carried first: they say of which faces it is taken off.
        int s = q % (2 * gas->extent.dim);
        bool first = q < 2 * gas->extent.dim;
        if (first == (carried >> s & 1u) && (gas->given >> s & 1u)) {
            sum_side(gas, s, &rooms, false);
            gy_gas_end_side(&rooms);
        }
    }
    if (!gy_gas_weigh_rooms(gas, &rooms)) {
        return;
    }
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        if (gas->given >> s & 1u) {
            sum_side(gas, s, &rooms, true);
        }
    }
}

static void note_speed(gyre_gas *gas)
{
    gas->rim_speed = 0.0f;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        size_t floats = gas->given >> s & 1u ? plane_bytes(gas, s) / sizeof(float) : 0;
        for (int c = 0; c < gas->velocities && floats; c++) {
            const float *u = plane_of(gas, s, 1 + gas->velocities + c);
            for (size_t i = 0; i < floats; i++) {
                gas->rim_speed = GY_MAX(gas->rim_speed, u[i] < 0.0f ? -u[i] : u[i]);
            }
        }
    }
}

void gy_gas_balance_rims(gyre_gas *gas)
{
    gas->stats.unbalanced = 0.0f;
    balance(gas);
    note_speed(gas);
}

gyre_result gy_gas_require_rims(gyre_device *device)
{
    static const gy_op with_rims[] = {GY_OP_rim, GY_OP_press, GY_OP_came};
    return gy_device_require(device, "sides with an inflow", with_rims, GY_COUNT(with_rims));
}

/// Where a device has memory of its own: brings what is given, but for what the velocities have, if
/// it has changed.
static void put_rims(gyre_gas *gas)
{
    gyre_device *device = gas->model.device;
    uint64_t hash = gy_hash(rims_of(gas), 6 * sizeof(gy_rim), 1);
    if (!gy_device_has_own_memory(device)) {
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int s = 0; s < 2 * gas->extent.dim; s++) {
            int planes = plane_count(gas) + (int)(gas->windowed >> s & 1u);
            for (int q = 0; q < planes && (gas->rimmed >> s & 1u); q++) {
                if (q > 0 && q <= gas->velocities) {
                    continue;
                }
                if (pass == 0) {
                    hash = gy_hash(plane_of(gas, s, q), plane_bytes(gas, s), hash);
                } else {
                    gy_device_put(device, plane_of(gas, s, q), plane_bytes(gas, s));
                }
            }
        }
        if (pass == 0 && hash == gas->rims_put) {
            return;
        }
    }
    gy_device_put(device, rims_of(gas), 6 * sizeof(gy_rim));
    gas->rims_put = hash;
}

gyre_result gy_gas_fill_rims(gyre_gas *gas)
{
    const gyre_gas_patch *patches = gas->def->patches.items;
    gyre_result r = gy_gas_blown(gas->def) ? gy_gas_require_rims(gas->model.device) : GYRE_OK;
    if (r != GYRE_OK) {
        return r;
    }
    uint32_t new = gy_gas_windowed(gas->def) & ~gas->windowed;
    for (int s = 0; s < 2 * gas->extent.dim && new; s++) {
        if (new >> s & 1u) {
            return gyre_fail(GYRE_ERROR_STATE,
                             "patches: %s had no %spatch when the gas was made, and gets none "
                             "later (one that is not enabled would do)",
                             gy_gas_side_name(s),
                             side_of(gas->def, s)->rule == GYRE_GAS_SIDE_OPEN ? "" : "open ");
        }
    }
    note_given(gas);
    mark_windows(gas);
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        if (!(gas->rimmed >> s & 1u)) {
            continue;
        }
        rims_of(gas)[s].stick = gy_gas_side_rule(gas, s) == GYRE_GAS_SIDE_INFLOW;
        for (int q = 0; q < plane_count(gas); q++) {
            // What the velocities have stays as it is until they have something else.
            if (q < 1 || q > gas->velocities) {
                memset(plane_of(gas, s, q), 0, plane_bytes(gas, s));
            }
        }
        take_all(gas, s);
    }
    for (int i = 0; i < gas->def->patches.count; i++) {
        if (patches[i].enabled) {
            take_patch(gas, &patches[i]);
        }
    }
    if (gas->rimmed) {
        note_speed(gas);
    }
    gas->stats.unbalanced = 0.0f;
    if (gas->given || gy_gas_is_stirred(gas)) {
        balance(gas);
    }
    if (gas->rimmed) {
        put_rims(gas);
    }
    return GYRE_OK;
}

// ---- in a step ----------------------------------------------------------------------------------

static gy_box faces_box(const gyre_gas *gas, int side)
{
    int along[2];
    gy_gas_axes_along(side, along);
    return gy_box_make(gas->extent.n[along[0]], gy_gas_faces_along(&gas->def->grid, along[1]), 1);
}

static void run_rim(const gyre_gas *gas, int side, int first, int count, bool predicted, bool turn)
{
    gy_rim_args a = {.base = gas->base,
                     .rims = gas->rims,
                     .fields = gas->listed,
                     .first = first,
                     .count = count,
                     .predicted = predicted,
                     .side = side,
                     .turn = turn,
                     .periodic = gas->periodic,
                     .extent = gas->extent};
    if (!(gas->given >> side & 1u)) {
        return;
    }
    gy_box faces = faces_box(gas, side);
    if (side > 1) {
        // Of rows their ends, too; across z the rows beyond the others' ends.
        faces.high[0]++;
        faces.high[1] += side > 3 ? 2 : 0;
    }
    faces.high[2] = count;
    gy_run(gas->model.device, GY_OP_rim, &a, faces);
    for (int c = 0; c < gas->velocities && turn && gy_device_has_own_memory(gas->model.device);
         c++) {
        // The host's copy goes along: a state is saved from it.
        memcpy(plane_of(gas, side, 1 + c), plane_of(gas, side, 1 + gas->velocities + c),
               plane_bytes(gas, side));
    }
}

void gy_gas_rim(const gyre_gas *gas, int axis, int first, int count, bool predicted)
{
    count = GY_MIN(first + count, gas->velocities) - first;
    for (int end = 0; end < 2 && count > 0; end++) {
        run_rim(gas, 2 * axis + end, first, count, predicted, false);
    }
}

void gy_gas_turn_rims(gyre_gas *gas)
{
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        run_rim(gas, s, 0, gas->velocities, false, true);
    }
}

void gy_gas_press_rims(const gyre_gas *gas, const gy_system *system, int axis, bool next)
{
    gy_press_args a = {.base = gas->base,
                       .rims = gas->rims,
                       .level = gy_system_offset(system, 0),
                       .axis = axis,
                       .next = next,
                       .periodic = gas->periodic,
                       .extent = gas->extent};
    for (a.side = 0; a.side < 2 * gas->extent.dim; a.side++) {
        if (gas->given >> a.side & 1u) {
            gy_run(gas->model.device, GY_OP_press, &a, faces_box(gas, a.side));
        }
    }
}

/// What is given of the faces: velocities inwards times the squares of what comes in with them.
static double sum_squares(const gyre_gas *gas)
{
    double sum = 0.0;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        int axis = s / 2;
        size_t faces = gas->given >> s & 1u ? plane_bytes(gas, s) / sizeof(float) : 0;
        const float *given = plane_of(gas, s, 0);
        for (size_t face = 0; face < faces; face++) {
            double u = (double)plane_of(gas, s, 1 + axis)[face], of = 0.0;
            for (int c = 0; c < gas->velocities; c++) {
                double x = (double)plane_of(gas, s, 1 + c)[face];
                of += x * x;
            }
            u = (s & 1) ? -u : u;
            sum += given[face] != 0.0f && u > 0.0 ? u * of : 0.0;
        }
    }
    return sum;
}

double gy_gas_rim_energy(const gyre_gas *gas, float pace)
{
    return gas->given ? (double)pace * sum_squares(gas) : 0.0;
}

double *gy_gas_came(const gyre_gas *gas)
{
    return (double *)(void *)gy_at(gas->base, gas->came);
}

void gy_gas_note_came(const gyre_gas *gas, const uint32_t wind[3])
{
    gy_came_args a = {.base = gas->base,
                      .rims = gas->rims,
                      .given = gas->given,
                      .carriage = gas->carriage,
                      .came = gas->came,
                      .scalars = gas->scalars,
                      .periodic = gas->periodic,
                      .extent = gas->extent};
    for (int d = 0; d < 3; d++) {
        a.wind[d] = wind[GY_MIN(d, gas->extent.dim - 1)];
    }
    if (gas->given) {
        gy_run(gas->model.device, GY_OP_came, &a, gy_box_make(1, 1, 1));
    }
}

// ---- saved --------------------------------------------------------------------------------------

size_t gy_gas_rim_state(const gyre_gas *gas)
{
    size_t bytes = gas->came_in_rims ? (size_t)gas->scalars * sizeof(double) : 0;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        bytes += gas->rimmed >> s & 1u ? (size_t)gas->velocities * plane_bytes(gas, s) : 0;
    }
    return bytes;
}

void gy_gas_copy_rims(gyre_gas *gas, char *bytes, bool out)
{
    gyre_device *device = gas->model.device;
    if (gas->came_in_rims) {
        size_t size = (size_t)gas->scalars * sizeof(double);
        char *at = (char *)gy_gas_came(gas);
        if (out) {
            gy_device_fetch(device, at, size);
        }
        memcpy(out ? bytes : at, out ? at : bytes, size);
        bytes += size;
        if (!out) {
            gy_device_put(device, at, size);
        }
    }
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        for (int c = 0; c < gas->velocities && (gas->rimmed >> s & 1u); c++) {
            size_t size = plane_bytes(gas, s);
            char *at = (char *)plane_of(gas, s, 1 + c);
            memcpy(out ? bytes : at, out ? at : bytes, size);
            bytes += size;
            if (!out) {
                gy_device_put(device, at, size);
            }
        }
    }
    if (!out) {
        note_given(gas);
    }
    if (!out && gas->given) {
        gy_gas_halo(gas, 0, gas->velocities, false, true);
    }
}
