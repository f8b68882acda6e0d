// gas/surfaces.c: viscosity beside solids that the gas sticks to, by where their surfaces are. Of a
// component each open face has its speed at its middle; with d the surface's distance from there
// along an axis towards a face that is shut, in cells, the gas feels in the solve of diffusion
//
//     nu (u_s - u) / (d h)    across h,  coefficient 1 / d,    d = f / (f - f_neighbour)
//
// with f the distances of the two middles from the solid (F. Gibou, R. Fedkiw, L.-T. Cheng and
// M. Kang, A second-order accurate symmetric discretization of the Poisson equation on irregular
// domains, J. Comput. Phys. 176, 2002): symmetric, of second order, and implicit as all of it. d is
// never less than NEAREST: of a middle that is nearer (d = q), or inside the solid (q < 0), of a
// face that is open by a quarter to a half, the wall counts as NEAREST away, and the sample before
// it has as much less to there,
//
//     coefficient 1 / (1 + q - NEAREST) between the two, so that in sum it has 1 + q to the wall.
//
// Without this file walls stand half a cell away across the component's axis and a whole one along
// it.
//
// Cost: a list of the samples that see such surfaces, 48 bytes each, made anew when solids change,
// and a pass over it for each solve's system. Nothing where there is no viscosity or all slide.
#include "gas/moving.h"
#include "ops/system/level.h"
#include <string.h>

/// Nearer surfaces count as so far. At 0.26 places among cells differ less still, but balls that
/// move through the grid feel up to 3 % more than those at rest in a stream.
/// (1 / d must fit into 16 bits of which GY_UNIT are 1: a quarter and less do not.)
#define NEAREST 0.3

struct gy_gas_surfaces {
    gy_wall *cells[3]; // of each component
    size_t room[3];    // bytes
    int count[3];
    gy_wall_owner *still; // one that holds 0: what moves is put in by gas/stick.c
    bool listed;
};

typedef struct finder {
    const gyre_gas *gas;
    gy_grid_level g;
    int axis;       // of the component
    gy_wall *cells; // NULL: they are only counted
    int count;
} finder;

static bool slides(const gyre_gas *gas, int made)
{
    return gas->moving ? gas->moving->movers[made].slip != 0 : gas->def->solid_slip;
}

static bool is_wanted(const gyre_gas *gas)
{
    bool sticks = false;
    for (int q = 0; q < gas->made_count && gas->def->viscosity > 0.0f; q++) {
        sticks = sticks || !slides(gas, q);
    }
    return sticks;
}

static void middle_of(const finder *f, const int at[3], double point[3])
{
    const gyre_grid *grid = &f->gas->grid;
    for (int a = 0; a < 3; a++) {
        double in = a == f->axis ? 0.0 : 0.5;
        point[a] =
            a < grid->dim ? (double)grid->origin[a] + ((double)at[a] + in) * (double)grid->h : 0.0;
    }
}

/// The solid whose surface is nearest to a point, and how far it is, in cells; -1: none is near.
static int nearest_to(const gyre_gas *gas, const double point[3], double *distance)
{
    double least = 1e30, h = (double)gas->grid.h;
    int nearest = -1;
    for (int q = 0; q < gas->made_count; q++) {
        const gy_solid *s = &gas->made[q];
        bool near = true;
        for (int a = 0; a < gas->extent.dim && near; a++) {
            near = point[a] > s->low[a] - 3.0 * h && point[a] < s->high[a] + 3.0 * h;
        }
        double d = near ? gy_solid_distance(s, point) : 1e30;
        nearest = d < least ? q : nearest;
        least = GY_MIN(d, least);
    }
    *distance = least / h;
    return nearest;
}

static uint16_t openness(const finder *f, int axis, const int at[3])
{
    return *gy_coefficient(&f->g, axis, at[0], at[1], at[2]);
}

/// The sample beside one; false: it lies on a side or beyond one.
static bool beside(const finder *f, const int at[3], int way, int next[3])
{
    const gyre_gas *gas = f->gas;
    int axis = way / 2, n = gas->extent.n[axis];
    memcpy(next, at, 3 * sizeof *next);
    next[axis] += way & 1 ? 1 : -1;
    if (gas->periodic >> axis & 1u) {
        next[axis] = (next[axis] + n) % n;
        return true;
    }
    return next[axis] < n && next[axis] >= (axis == f->axis ? 1 : 0);
}

/// Whether a sheet or a thin wall parts two open samples.
static bool is_apart(const finder *f, int axis, const int upper[3])
{
    int below[3] = {upper[0], upper[1], upper[2]}, n = f->gas->extent.n[f->axis];
    below[f->axis] = (below[f->axis] + n - 1) % n;
    return axis != f->axis && openness(f, axis, upper) == 0 && openness(f, axis, below) == 0;
}

/// Of two open samples whether what lies beyond the one that is nearer to the surface is shut.
static bool is_shut_behind(const finder *f, const int at[3], const int next[3], int way, bool own)
{
    int beyond[3];
    return beside(f, own ? at : next, own ? way ^ 1 : way, beyond) &&
           openness(f, f->axis, beyond) == 0;
}

/// As a coefficient.
static float across(double far)
{
    return (float)(1.0 / GY_MAX(far, NEAREST));
}

/// How a sample is joined to one beside it that is shut; 0: as it is. own, there: their distances.
static float held(double own, double there)
{
    return own <= 0.0 ? across(NEAREST) : there < 0.0 ? across(own / (own - there)) : 0.0f;
}

/// The same of one that is open, too; behind: whether what lies beyond the nearer is shut.
static float joined(double own, double there, bool behind)
{
    double least = GY_MIN(own, there), most = GY_MAX(own, there);
    if (most <= 0.0 || most <= least || (least >= 0.0 && !behind)) {
        return 0.0f;
    }
    double q = least / (most - least);
    return q < NEAREST ? across(1.0 + q - NEAREST) : 0.0f;
}

static void look(finder *f, const int at[3], int made)
{
    const gyre_gas *gas = f->gas;
    double point[3], own, there;
    gy_wall w = {.at = {at[0], at[1], at[2]}};
    bool cut = openness(f, f->axis, at) < (uint16_t)GY_UNIT, any = false;
    for (int way = 0; way < 2 * gas->extent.dim && !cut; way++) {
        int next[3];
        cut = beside(f, at, way, next) && openness(f, f->axis, next) < (uint16_t)GY_UNIT;
    }
    middle_of(f, at, point);
    if (!cut || nearest_to(gas, point, &own) != made) {
        return;
    }
    for (int way = 0; way < 2 * gas->extent.dim; way++) {
        int next[3], step[3] = {at[0], at[1], at[2]};
        if (!beside(f, at, way, next)) {
            continue;
        }
        bool wall = openness(f, f->axis, next) == 0;
        // Of two open ones the upper says how they are joined.
        if (!wall && ((way & 1) || is_apart(f, way / 2, at))) {
            continue;
        }
        step[way / 2] += way & 1 ? 1 : -1;
        middle_of(f, step, point);
        nearest_to(gas, point, &there);
        w.open[way] = wall ? held(own, there)
                           : joined(own, there, is_shut_behind(f, at, next, way, own < there));
        any = any || w.open[way] > 0.0f;
    }
    if (any && f->cells) {
        f->cells[f->count] = w;
    }
    f->count += any;
}

/// The samples round a solid of which it is the nearest.
static void find_round(finder *f, int made)
{
    const gyre_gas *gas = f->gas;
    const gy_solid *s = &gas->made[made];
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, at[3];
    double h = (double)gas->grid.h;
    for (int a = 0; a < gas->extent.dim; a++) {
        double from = (s->low[a] - (double)gas->grid.origin[a]) / h - 3.0,
               to = (s->high[a] - (double)gas->grid.origin[a]) / h + 3.0, n = gas->extent.n[a];
        low[a] = from < 0.0 ? 0 : from > n ? (int)n : (int)from;
        high[a] = to < 0.0 ? 0 : to > n ? (int)n : (int)to;
    }
    if (!(gas->periodic >> f->axis & 1u)) {
        low[f->axis] = GY_MAX(low[f->axis], 1); // what lies on a side is no unknown
    }
    for (at[2] = low[2]; at[2] < high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] < high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                if (openness(f, f->axis, at) > 0) {
                    look(f, at, made);
                }
            }
        }
    }
}

static void find(finder *f)
{
    f->count = 0;
    for (int q = 0; q < f->gas->made_count; q++) {
        if (!slides(f->gas, q)) {
            find_round(f, q);
        }
    }
}

static gyre_result no_memory(size_t bytes)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for surfaces that hold the gas",
                     bytes);
}

static gyre_result begin(gyre_gas *gas)
{
    static const gy_op with_surfaces[] = {GY_OP_wall};
    gyre_device *device = gas->model.device;
    gyre_result r = gy_device_require(device, "viscosity beside solids that hold the gas",
                                      with_surfaces, GY_COUNT(with_surfaces));
    if (r != GYRE_OK || gas->surfaces) {
        return r;
    }
    gas->surfaces = gy_allocate(&gas->host, sizeof *gas->surfaces, 64);
    if (!gas->surfaces) {
        return no_memory(sizeof *gas->surfaces);
    }
    gas->surfaces->still = gy_device_allocate(device, sizeof(gy_wall_owner));
    if (!gas->surfaces->still) {
        gy_gas_drop_surfaces(gas);
        return no_memory(sizeof(gy_wall_owner));
    }
    gas->surfaces->still[0] = (gy_wall_owner){.kind = GY_WALL_HOLDS};
    gy_device_put(device, gas->surfaces->still, sizeof(gy_wall_owner));
    return GYRE_OK;
}

gyre_result gy_gas_list_surfaces(gyre_gas *gas)
{
    if (gas->surfaces) {
        gas->surfaces->listed = false;
    }
    if (!is_wanted(gas)) {
        return GYRE_OK;
    }
    gyre_result r = begin(gas);
    gyre_device *device = gas->model.device;
    for (int a = 0; a < gas->velocities && r == GYRE_OK; a++) {
        gy_gas_surfaces *s = gas->surfaces;
        finder f = {.gas = gas,
                    .g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0)),
                    .axis = a};
        find(&f);
        size_t bytes = (size_t)f.count * sizeof *f.cells;
        if (bytes > s->room[a]) {
            bytes += bytes / 4;
            bytes += gas->moving ? bytes / 2 + 4096 : 0;
            gy_wall *cells = gy_device_allocate(device, bytes);
            if (!cells) {
                return no_memory(bytes);
            }
            gy_device_release(device, s->cells[a], s->room[a]);
            s->cells[a] = cells;
            s->room[a] = bytes;
        }
        s->count[a] = f.count;
        f.cells = s->cells[a];
        if (f.count > 0) {
            find(&f);
            gy_device_put(device, s->cells[a], (size_t)f.count * sizeof *f.cells);
        }
        s->listed = true;
    }
    return r;
}

gyre_result gy_gas_meet_surfaces(gyre_gas *gas)
{
    return is_wanted(gas) == gy_gas_has_surfaces(gas) ? GYRE_OK : gy_gas_list_surfaces(gas);
}

void gy_gas_drop_surfaces(gyre_gas *gas)
{
    gy_gas_surfaces *s = gas->surfaces;
    if (s) {
        for (int a = 0; a < 3; a++) {
            gy_device_release(gas->model.device, s->cells[a], s->room[a]);
        }
        gy_device_release(gas->model.device, s->still, sizeof(gy_wall_owner));
        gy_release(&gas->host, s, sizeof *s);
        gas->surfaces = NULL;
    }
}

bool gy_gas_has_surfaces(const gyre_gas *gas)
{
    return gas->surfaces && gas->surfaces->listed;
}

void gy_gas_open_surfaces(const gyre_gas *gas, const gy_system *system, int axis)
{
    const gy_gas_surfaces *s = gas->surfaces;
    if (!gy_gas_has_surfaces(gas) || s->count[axis] == 0) {
        return;
    }
    gy_wall_args a = {.base = gas->base,
                      .walls = (uint64_t)(uintptr_t)s->cells[axis],
                      .owners = (uint64_t)(uintptr_t)s->still,
                      .level = gy_system_offset(system, 0),
                      .extent = gas->extent,
                      .work = GY_WALL_OPEN,
                      .periodic = gas->periodic};
    gy_run(gas->model.device, GY_OP_wall, &a, gy_box_make(s->count[axis], 1, 1));
}
