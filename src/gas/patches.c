// gas/patches.c: patches of sides: which faces they have, what they make of them and of their side,
// and what is refused.
//
//     a side       as_side     inflow   open     slip, no_slip
//     wall         the wall    blows    window   (it is one)
//     inflow       the inflow  blows    window   no_slip: shut
//     open         open        blows    open     a lid
//     carried      refused
//
// So a side that is open in part is either a wall with windows or an open side with lids: the same
// faces are the same to the bit. Cost: none in a step.
#include "gas/patches.h"
#include "gas/gas.h"
#include <stdio.h>

static const gyre_gas_side *side_of(const gyre_gas_def *def, int side)
{
    return &def->sides.x_low + side;
}

bool gy_gas_is_open(const gyre_gas_def *def, int side)
{
    const gyre_gas_side *s = side_of(def, side);
    return s->rule == GYRE_GAS_SIDE_OPEN && s->leaves == GYRE_GAS_LEAVES_FREELY;
}

static bool is_carried(const gyre_gas_def *def, int side)
{
    return side_of(def, side)->rule == GYRE_GAS_SIDE_OPEN && !gy_gas_is_open(def, side);
}

uint32_t gy_gas_carried(const gyre_gas_def *def)
{
    uint32_t carried = 0;
    for (int s = 0; s < 2 * def->grid.dim; s++) {
        carried |= is_carried(def, s) ? 1u << s : 0;
    }
    return carried;
}

// ---- faces of a side ----------------------------------------------------------------------------

void gy_gas_axes_along(int side, int along[2])
{
    int axis = side / 2;
    along[0] = axis == 0 ? 1 : 0;
    along[1] = axis == 2 ? 1 : 2;
}

int gy_gas_faces_along(const gyre_grid *grid, int axis)
{
    return axis < grid->dim ? grid->n[axis] : 1;
}

void gy_gas_face_place(const gyre_grid *grid, int side, int a, int b, double at[3])
{
    int along[2], axis = side / 2;
    gy_gas_axes_along(side, along);
    double h = (double)grid->h;
    at[2] = 0.0;
    at[axis] = (double)grid->origin[axis] + ((side & 1) ? (double)grid->n[axis] * h : 0.0);
    at[along[0]] = (double)grid->origin[along[0]] + ((double)a + 0.5) * h;
    if (gy_is_3d(grid->dim)) {
        at[along[1]] = (double)grid->origin[along[1]] + ((double)b + 0.5) * h;
    }
}

bool gy_gas_patch_has(const gyre_gas_patch *p, const gy_solid *shape, const gyre_grid *grid, int a,
                      int b)
{
    double at[3];
    gy_gas_face_place(grid, p->side, a, b, at);
    return p->whole || gy_solid_distance(shape, at) <= 0.0;
}

static bool has_any(const gyre_gas_patch *p, const gyre_grid *grid)
{
    int along[2];
    gy_gas_axes_along(p->side, along);
    gy_solid shape = gy_solid_make(&p->shape, grid->dim);
    bool any = p->whole;
    for (int b = 0; b < gy_gas_faces_along(grid, along[1]) && !any; b++) {
        for (int a = 0; a < gy_gas_faces_along(grid, along[0]) && !any; a++) {
            any = gy_gas_patch_has(p, &shape, grid, a, b);
        }
    }
    return any;
}

// ---- what a def has -----------------------------------------------------------------------------

bool gy_gas_patch_opens(const gyre_gas_def *def, const gyre_gas_patch *p)
{
    return p->rule == GYRE_GAS_PATCH_OPEN ||
           (p->rule == GYRE_GAS_PATCH_AS_SIDE && gy_gas_is_open(def, p->side));
}

bool gy_gas_patch_shuts(const gyre_gas_patch *p)
{
    return p->rule == GYRE_GAS_PATCH_SLIP || p->rule == GYRE_GAS_PATCH_NO_SLIP;
}

static bool has_patch(const gyre_gas_def *def, int side)
{
    const gyre_gas_patch *p = def->patches.items;
    bool has = false;
    for (int i = 0; i < def->patches.count; i++) {
        has = has || p[i].side == side;
    }
    return has;
}

uint32_t gy_gas_rimmed(const gyre_gas_def *def)
{
    uint32_t rimmed = 0;
    bool room = def->patches.count > 0 || def->patches.capacity > 0;
    for (int s = 0; s < 2 * def->grid.dim; s++) {
        int rule = side_of(def, s)->rule;
        bool patches = gy_gas_is_open(def, s) ? has_patch(def, s) : room;
        bool rim = rule == GYRE_GAS_SIDE_INFLOW || (patches && rule != GYRE_GAS_SIDE_PERIODIC);
        rimmed |= rim ? 1u << s : 0;
    }
    return rimmed | gy_gas_carried(def);
}

uint32_t gy_gas_blown(const gyre_gas_def *def)
{
    const gyre_gas_patch *p = def->patches.items;
    uint32_t blown = gy_gas_carried(def);
    for (int s = 0; s < 2 * def->grid.dim; s++) {
        blown |= side_of(def, s)->rule == GYRE_GAS_SIDE_INFLOW ? 1u << s : 0;
    }
    for (int i = 0; i < def->patches.count; i++) {
        bool blows = p[i].enabled && p[i].rule == GYRE_GAS_PATCH_INFLOW;
        blown |= blows ? 1u << p[i].side : 0;
    }
    return blown;
}

uint32_t gy_gas_windowed(const gyre_gas_def *def)
{
    const gyre_gas_patch *p = def->patches.items;
    uint32_t windowed = 0;
    for (int i = 0; i < def->patches.count; i++) {
        bool periodic = side_of(def, p[i].side)->rule == GYRE_GAS_SIDE_PERIODIC;
        bool window = p[i].rule == GYRE_GAS_PATCH_OPEN || gy_gas_is_open(def, p[i].side);
        windowed |= window && !periodic ? 1u << p[i].side : 0;
    }
    return windowed;
}

int gy_gas_side_rule(const gyre_gas *gas, int side)
{
    const gyre_gas_patch *p = gas->def->patches.items;
    if (is_carried(gas->def, side)) {
        return GYRE_GAS_SIDE_INFLOW;
    }
    if (!gy_gas_is_open(gas->def, side) || !(gas->windowed >> side & 1u)) {
        return side_of(gas->def, side)->rule;
    }
    bool sticks = false;
    for (int i = 0; i < gas->def->patches.count; i++) {
        sticks =
            sticks || (p[i].enabled && p[i].side == side && p[i].rule == GYRE_GAS_PATCH_NO_SLIP);
    }
    return sticks ? GYRE_GAS_SIDE_NO_SLIP : GYRE_GAS_SIDE_SLIP;
}

// ---- what is refused ----------------------------------------------------------------------------

/// A patch that is a wall: where there is none already, and of one kind on a side.
static gyre_result check_lid(const gyre_gas_def *def, int i)
{
    const gyre_gas_patch *p = def->patches.items;
    int side = p[i].side, rule = side_of(def, side)->rule;
    if (rule == GYRE_GAS_SIDE_INFLOW && p[i].rule == GYRE_GAS_PATCH_SLIP) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "patches.%d.rule: %s is an inflow, what is shut of one is \"no_slip\"", i,
                         gy_gas_side_name(side));
    }
    if (rule != GYRE_GAS_SIDE_INFLOW && rule != GYRE_GAS_SIDE_OPEN) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "patches.%d.rule: %s is a wall, only of open sides and inflows a patch "
                         "can be one",
                         i, gy_gas_side_name(side));
    }
    for (int q = 0; q < i; q++) {
        if (p[q].side == side && gy_gas_patch_shuts(&p[q]) && p[q].rule != p[i].rule) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "patches.%d.rule: what patches shut of %s is all \"slip\" or all "
                             "\"no_slip\", and patch %d says otherwise",
                             i, gy_gas_side_name(side), q);
        }
    }
    return GYRE_OK;
}

static gyre_result check_patch(const gyre_gas_def *def, int i)
{
    const gyre_gas_patch *p = (const gyre_gas_patch *)def->patches.items + i;
    if (p->side >= 2 * def->grid.dim) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "patches.%d.side: %s is no side in 2D", i,
                         gy_gas_side_name(p->side));
    }
    if (side_of(def, p->side)->rule == GYRE_GAS_SIDE_PERIODIC) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "patches.%d.side: %s is periodic, a patch wants a wall, an inflow or an "
                         "open side",
                         i, gy_gas_side_name(p->side));
    }
    if (is_carried(def, p->side)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "patches.%d.side: by %s what leaves is carried out, it has no patches", i,
                         gy_gas_side_name(p->side));
    }
    char path[48];
    snprintf(path, sizeof path, "patches.%d.shape", i);
    gyre_result r = gy_shape_check(&p->shape, def->grid.dim, path);
    if (r != GYRE_OK) {
        return r;
    }
    if (!has_any(p, &def->grid)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no face of %s has its middle in it", path,
                         gy_gas_side_name(p->side));
    }
    if (p->carries[0].name[0] && gy_gas_patch_opens(def, p)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "patches.%d.carries.%s: what comes in by an open patch holds nothing", i,
                         p->carries[0].name);
    }
    if (p->carries[0].name[0] && gy_gas_patch_shuts(p)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "patches.%d.carries.%s: nothing passes the patch", i,
                         p->carries[0].name);
    }
    return gy_gas_patch_shuts(p) ? check_lid(def, i) : GYRE_OK;
}

/// Where another side is open the pressure would have to say how much each of the two lets out.
static gyre_result check_carried(const gyre_gas_def *def)
{
    const gyre_gas_patch *p = def->patches.items;
    uint32_t carried = gy_gas_carried(def);
    for (int s = 0; s < 2 * def->grid.dim; s++) {
        int rule = side_of(def, s)->rule;
        if (side_of(def, s)->leaves != GYRE_GAS_LEAVES_FREELY && rule != GYRE_GAS_SIDE_OPEN) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sides.%s.leaves: only by an open side what leaves is carried",
                             gy_gas_side_name(s));
        }
        if ((carried & ~(1u << s)) != 0 && rule == GYRE_GAS_SIDE_OPEN) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sides.%s.rule: open, but by another side what leaves is carried, and "
                             "then that one alone is open",
                             gy_gas_side_name(s));
        }
    }
    for (int i = 0; i < def->patches.count && carried != 0; i++) {
        if (p[i].rule == GYRE_GAS_PATCH_OPEN) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "patches.%d.rule: open, but by a side what leaves is carried: there "
                             "are no windows then",
                             i);
        }
    }
    return GYRE_OK;
}

gyre_result gy_gas_check_rims(const gyre_gas_def *def)
{
    bool asked = def->patches.count > 0 || gy_gas_carried(def) != 0;
    for (int side = 0; side < 2 * def->grid.dim; side++) {
        asked = asked || side_of(def, side)->rule == GYRE_GAS_SIDE_INFLOW;
    }
    if (asked && def->advection != GYRE_GAS_CONSERVATIVE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "advection: inflows, patches of sides and sides by which what leaves is "
                         "carried want conservative");
    }
    gyre_result r = check_carried(def);
    for (int i = 0; i < def->patches.count && r == GYRE_OK; i++) {
        r = check_patch(def, i);
    }
    return r;
}
