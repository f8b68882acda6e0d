// gas/floor.c: a floor of heights under the gas, one of each column of cells, that somebody else
// moves: the surface of water (models/wind.c). Where it rises by w = (height - height before) / dt
//
//     s u_s = s w across the faces along the upward axis, 0 across the others,
//
// which takes h^2 w of the gas in each column, exactly, however it cuts the cells (gas/moving.c
// puts it into the projection). What it covers is pushed out upwards (gas/swept.c). Between columns
// it is bilinear, through corners that are means of the columns round them.
//
// Where it drags, the gas in the lowest open face of a column, d metres of it open, feels the bulk
// law of wind over water (J. Wu 1982, with a coefficient of the caller's)
//
//     d du/dt = -c |u - u_s| (u - u_s),     u = u_s + (u0 - u_s) / (1 + c |u0 - u_s| dt / d)
//
// and what it loses, rho d h^2 (u0 - u), is kept for whoever moves the floor, half of it for each
// of the two columns of the face. On the host. Memory: of a gas whose def asks for it 36 bytes a
// column (2D: 28), which are saved, and 4 a corner.
#include "base/maths.h"
#include "gas/gas.h"
#include "ops/system/level.h"
#include <string.h>

/// What is kept of all of it, 0 or 1 each: whether there is a floor; whether it drags; whether it
/// was told of for the step to come, and for the last one.
enum { IS, DRAGS, TOLD, TOLD_BEFORE };
/// What is kept of each column, in planes behind that.
enum { HEIGHT, RATE, DRAG, VELOCITY, PUSH = VELOCITY + 2, PLANES = PUSH + 2, HEAD = 16 };

static int up_of(const gyre_gas *gas)
{
    return gas->extent.dim - 1;
}

static size_t columns_of(const gyre_gas *gas)
{
    return (size_t)gas->extent.n[0] * (gas->extent.dim == 3 ? (size_t)gas->extent.n[1] : 1);
}

static float *head_of(const gyre_gas *gas)
{
    return gy_at(gas->base, gas->floor);
}

static float *plane_of(const gyre_gas *gas, int which)
{
    return head_of(gas) + HEAD + (size_t)which * columns_of(gas);
}

/// Heights of the corners of columns.
static float *corners_of(const gyre_gas *gas)
{
    return plane_of(gas, PLANES);
}

void gy_gas_plan_floor(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept)
{
    if (def->floor) {
        size_t corners = ((size_t)gas->extent.n[0] + 1) * ((size_t)gas->extent.n[1] + 1);
        size_t floats = HEAD + PLANES * columns_of(gas) + corners;
        gas->floor = gy_arena_take(kept, floats * sizeof(float));
    }
}

bool gy_gas_has_floor(const gyre_gas *gas)
{
    return gas->floor != 0 && head_of(gas)[IS] != 0.0f;
}

// ---- as a solid ---------------------------------------------------------------------------------

static float column(const gyre_gas *gas, const float *plane, int i, int j)
{
    const int *n = gas->extent.n;
    int at[2] = {i, gas->extent.dim == 3 ? j : 0};
    for (int a = 0; a < gas->extent.dim - 1; a++) {
        bool round = gas->periodic >> a & 1u;
        at[a] = round ? (at[a] + n[a]) % n[a] : GY_MAX(0, GY_MIN(at[a], n[a] - 1));
    }
    return plane[(size_t)at[0] + (size_t)at[1] * (size_t)n[0]];
}

static void find_corners(const gyre_gas *gas)
{
    const float *height = plane_of(gas, HEIGHT);
    int ni = gas->extent.n[0] + 1, nj = gas->extent.dim == 3 ? gas->extent.n[1] + 1 : 1;
    for (int j = 0; j < nj; j++) {
        for (int i = 0; i < ni; i++) {
            float sum = (column(gas, height, i - 1, j - 1) + column(gas, height, i, j - 1)) +
                        (column(gas, height, i - 1, j) + column(gas, height, i, j));
            corners_of(gas)[(size_t)i + (size_t)j * (size_t)ni] = 0.25f * sum;
        }
    }
}

int gy_gas_put_floor(const gyre_gas *gas, gy_solid *solids, int count)
{
    if (!gy_gas_has_floor(gas)) {
        return count;
    }
    int ni = gas->extent.n[0] + 1, nj = gas->extent.dim == 3 ? gas->extent.n[1] + 1 : 1;
    solids[count] = gy_solid_make_floor(&gas->grid, corners_of(gas), ni, nj);
    return count + 1;
}

/// Where a point is among columns, and the part of the way to the next one.
static int among(const gyre_gas *gas, int axis, double x)
{
    double at = (x - (double)gas->grid.origin[axis]) / (double)gas->grid.h;
    return at < 0.0 ? 0 : at >= gas->extent.n[axis] ? gas->extent.n[axis] - 1 : (int)at;
}

double gy_gas_floor_rises(const gyre_gas *gas, const double point[3])
{
    int i = among(gas, 0, point[0]), j = gas->extent.dim == 3 ? among(gas, 1, point[1]) : 0;
    return (double)column(gas, plane_of(gas, RATE), i, j);
}

bool gy_gas_floor_moves(const gyre_gas *gas)
{
    const float *rate = plane_of(gas, RATE);
    bool moves = false;
    for (size_t q = 0; q < columns_of(gas); q++) {
        moves = moves || rate[q] != 0.0f;
    }
    return moves;
}

// ---- what it drags ------------------------------------------------------------------------------

/// The lowest face of a column that is open, across an axis along the floor; -1: none is.
static int lowest(const gyre_gas *gas, const gy_grid_level *g, int axis, int i, int j, int *open)
{
    for (int q = 0; q < gas->extent.n[up_of(gas)]; q++) {
        int at[3] = {i, gas->extent.dim == 3 ? j : q, gas->extent.dim == 3 ? q : 0};
        *open = *gy_coefficient(g, axis, at[0], at[1], at[2]);
        if (*open > 0) {
            return q;
        }
    }
    return -1;
}

/// The mean of the velocity along the other axis at the four faces round a face.
static double other_at(const gyre_gas *gas, int axis, int i, int j, int k)
{
    const gy_extent *e = &gas->extent;
    if (e->dim == 2) {
        return 0.0;
    }
    const float *u = gy_at(gas->base, gas->slot[1 - axis]);
    const ptrdiff_t step[2] = {1, e->sy};
    ptrdiff_t o = i + j * (ptrdiff_t)e->sy + k * (ptrdiff_t)e->sz, a = step[1 - axis];
    return 0.25 * (((double)u[o] + (double)u[o + a]) +
                   ((double)u[o - step[axis]] + (double)u[o - step[axis] + a]));
}

/// One face: what its gas loses of its velocity, in metres of depth times m/s.
static double rub(gyre_gas *gas, const gy_grid_level *g, int axis, int i, int j, double dt)
{
    const gy_extent *e = &gas->extent;
    int open, k = lowest(gas, g, axis, i, j, &open), from[2] = {i - (axis == 0), j - (axis == 1)};
    const float *drag = plane_of(gas, DRAG);
    double c =
        0.5 * ((double)column(gas, drag, i, j) + (double)column(gas, drag, from[0], from[1]));
    if (k < 0 || !(c > 0.0)) {
        return 0.0;
    }
    double off[2] = {0.0, 0.0};
    for (int a = 0; a < e->dim - 1; a++) {
        const float *v = plane_of(gas, VELOCITY + a);
        off[a] = -0.5 * ((double)column(gas, v, i, j) + (double)column(gas, v, from[0], from[1]));
    }
    ptrdiff_t o =
        e->dim == 3 ? i + j * (ptrdiff_t)e->sy + k * (ptrdiff_t)e->sz : i + k * (ptrdiff_t)e->sy;
    float *u = (float *)gy_at(gas->base, gas->slot[axis]) + o, before = *u;
    off[axis] += (double)before;
    off[1 - axis] += e->dim == 3 ? other_at(gas, axis, i, j, k) : 0.0;
    double deep = (double)gas->grid.h * (double)open / (double)GY_UNIT;
    double speed = __builtin_sqrt(off[0] * off[0] + off[1] * off[1]);
    double part = 1.0 / (1.0 + c * speed * dt / deep);
    *u = (float)((double)before - off[axis] * (1.0 - part));
    return deep * ((double)before - (double)*u);
}

void gy_gas_rub_floor(gyre_gas *gas, float dt)
{
    if (!gy_gas_has_floor(gas) || head_of(gas)[DRAGS] == 0.0f) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    const int *n = gas->extent.n;
    double h = (double)gas->grid.h;
    double mass = (double)gas->def->air_density * (gas->extent.dim == 3 ? h * h : h);
    for (int axis = 0; axis < gas->extent.dim - 1; axis++) {
        bool round = gas->periodic >> axis & 1u;
        float *push = plane_of(gas, PUSH + axis);
        for (int j = axis == 1 && !round; j < (gas->extent.dim == 3 ? n[1] : 1); j++) {
            for (int i = axis == 0 && !round; i < n[0]; i++) {
                double half = 0.5 * mass * rub(gas, &g, axis, i, j, (double)dt);
                int before[2] = {i, j};
                before[axis] = (before[axis] + n[axis] - 1) % n[axis];
                push[(size_t)i + (size_t)j * (size_t)n[0]] += (float)half;
                push[(size_t)before[0] + (size_t)before[1] * (size_t)n[0]] += (float)half;
            }
        }
    }
    for (int axis = 0; axis < gas->extent.dim - 1; axis++) {
        gy_gas_halo(gas, axis, 1, false, true);
    }
}

// ---- what is handed over ------------------------------------------------------------------------

static gyre_result check_plane(const gyre_gas *gas, const float *plane, const char *name, float low,
                               float high)
{
    for (size_t q = 0; plane && q < columns_of(gas); q++) {
        if (!(plane[q] >= low && plane[q] <= high)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "set_floor: %s.%zu: found %g, expected a number from %g to %g", name,
                             q, (double)plane[q], (double)low, (double)high);
        }
    }
    return GYRE_OK;
}

static gyre_result check(const gyre_gas *gas, const gyre_gas_floor *f)
{
    if (!gas->floor) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "set_floor: this gas was made without: its def's floor is false");
    }
    if (f && (!f->height || !(f->dt >= 0.0f && f->dt < 1e30f))) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "set_floor: expected heights, and dt of at least 0");
    }
    gyre_result r = f ? check_plane(gas, f->height, "height", -1e5f, 1e5f) : GYRE_OK;
    r = r == GYRE_OK && f ? check_plane(gas, f->drag, "drag", 0.0f, 10.0f) : r;
    for (int a = 0; a < gas->extent.dim - 1 && r == GYRE_OK && f; a++) {
        r = check_plane(gas, f->velocity[a], a ? "velocity.1" : "velocity.0", -1e6f, 1e6f);
    }
    return r;
}

/// NULL: zeros. Returns whether any is not 0.
static bool take_plane(const gyre_gas *gas, int which, const float *from)
{
    float *to = plane_of(gas, which);
    bool any = false;
    for (size_t q = 0; q < columns_of(gas); q++) {
        to[q] = from ? from[q] : 0.0f;
        any = any || to[q] != 0.0f;
    }
    return any;
}

gyre_result gy_gas_take_floor(gyre_gas *gas, const gyre_gas_floor *f)
{
    gyre_result r = check(gas, f);
    if (r != GYRE_OK) {
        return r;
    }
    float *head = head_of(gas), *height = plane_of(gas, HEIGHT), *rate = plane_of(gas, RATE);
    bool had = head[IS] != 0.0f, goes_on = f && had && head[TOLD_BEFORE] != 0.0f && f->dt > 0.0f;
    for (size_t q = 0; q < columns_of(gas); q++) {
        double by = goes_on ? (double)f->height[q] - (double)height[q] : 0.0;
        rate[q] = by != 0.0 ? (float)(by / (double)f->dt) : 0.0f;
    }
    take_plane(gas, HEIGHT, f ? f->height : NULL);
    head[DRAGS] = take_plane(gas, DRAG, f ? f->drag : NULL) ? 1.0f : 0.0f;
    for (int a = 0; a < 2; a++) {
        take_plane(gas, VELOCITY + a, f && a < gas->extent.dim - 1 ? f->velocity[a] : NULL);
    }
    head[IS] = head[TOLD] = f ? 1.0f : 0.0f;
    find_corners(gas);
    return had && f ? gy_gas_move_solids(gas) : gy_gas_changed(&gas->model, "solids");
}

void gy_gas_give_push(gyre_gas *gas, float *along[2])
{
    for (int a = 0; a < 2; a++) {
        size_t bytes = columns_of(gas) * sizeof(float);
        if (along[a] && gas->floor) {
            memcpy(along[a], plane_of(gas, PUSH + a), bytes);
        } else if (along[a]) {
            memset(along[a], 0, bytes);
        }
        if (along[a] && gas->floor) {
            memset(plane_of(gas, PUSH + a), 0, bytes);
        }
    }
}

// ---- saved --------------------------------------------------------------------------------------

size_t gy_gas_floor_state(const gyre_gas *gas)
{
    return gas->floor ? (HEAD + PLANES * columns_of(gas)) * sizeof(float) : 0;
}

void gy_gas_copy_floor(gyre_gas *gas, char *bytes, bool out)
{
    if (gas->floor) {
        char *own = (char *)head_of(gas);
        memcpy(out ? bytes : own, out ? own : bytes, gy_gas_floor_state(gas));
    }
    if (gas->floor && !out) {
        find_corners(gas);
        gas->painted = false; // no edit: the state brings its ledgers
        gas->floor_waits = gy_gas_changed(&gas->model, "solids") != GYRE_OK;
    }
}

gyre_result gy_gas_meet_floor(gyre_gas *gas)
{
    bool still = gy_gas_has_floor(gas) && head_of(gas)[TOLD] == 0.0f;
    if (still) {
        head_of(gas)[DRAGS] = 0.0f;
        if (gy_gas_floor_moves(gas)) {
            take_plane(gas, RATE, NULL);
            gas->floor_waits = true;
        }
    }
    gyre_result r = gas->floor_waits ? gy_gas_changed(&gas->model, "solids") : GYRE_OK;
    gas->floor_waits = r != GYRE_OK;
    return r;
}

void gy_gas_leave_floor(gyre_gas *gas)
{
    if (gas->floor) {
        head_of(gas)[TOLD_BEFORE] = head_of(gas)[TOLD];
        head_of(gas)[TOLD] = 0.0f;
    }
}
