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
// of the two columns of the face: an op (gas/ops/rub.c), wherever the fields lie. Memory: of a gas
// whose def asks for it 28 bytes a column, which are saved, 8 that are not, and 4 a corner.
#include "base/maths.h"
#include "gas/gas.h"
#include "ops/system/level.h"
#include <string.h>

/// What is kept of all of it, 0 or 1 each: whether there is a floor; whether it drags; whether it
/// was told of for the step to come, and for the last one.
enum { IS, DRAGS, TOLD, TOLD_BEFORE };
/// What is kept of each column, in planes behind that.
enum { HEIGHT, RATE, DRAG, VELOCITY, PUSH = VELOCITY + 2, PLANES = PUSH + 2, HEAD = 16 };
/// From DRAG on ops see them: the host puts those before PUSH when they change, and fetches that.

static size_t columns_of(const gyre_gas *gas)
{
    return (size_t)gas->extent.n[0] * (gy_is_3d(gas->extent.dim) ? (size_t)gas->extent.n[1] : 1);
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

/// Hands over planes that the host has written.
static void put_planes(const gyre_gas *gas, int first, int count)
{
    gy_device_put(gas->model.device, plane_of(gas, first),
                  (size_t)count * columns_of(gas) * sizeof(float));
}

static void fetch_push(const gyre_gas *gas)
{
    gy_device_fetch(gas->model.device, plane_of(gas, PUSH), 2 * columns_of(gas) * sizeof(float));
}

gyre_result gy_gas_require_floor(gyre_device *device)
{
    static const gy_op ops[] = {GY_OP_rub};
    return gy_device_require(device, "floor", ops, GY_COUNT(ops));
}

/// Of each column the sample of the face that the floor drags at, -1: there is none; then how open.
static int32_t *faces_of(const gyre_gas *gas)
{
    size_t corners = ((size_t)gas->extent.n[0] + 1) * ((size_t)gas->extent.n[1] + 1);
    return (int32_t *)(void *)(corners_of(gas) + corners);
}

void gy_gas_plan_floor(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept)
{
    if (def->floor) {
        size_t corners = ((size_t)gas->extent.n[0] + 1) * ((size_t)gas->extent.n[1] + 1);
        size_t floats = HEAD + PLANES * columns_of(gas) + corners + 2 * columns_of(gas);
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
    int at[2] = {i, gy_is_3d(gas->extent.dim) ? j : 0};
    for (int a = 0; a < gas->extent.dim - 1; a++) {
        bool round = gas->periodic >> a & 1u;
        at[a] = round ? (at[a] + n[a]) % n[a] : GY_MAX(0, GY_MIN(at[a], n[a] - 1));
    }
    return plane[(size_t)at[0] + (size_t)at[1] * (size_t)n[0]];
}

static void find_corners(const gyre_gas *gas)
{
    const float *height = plane_of(gas, HEIGHT);
    int ni = gas->extent.n[0] + 1, nj = gy_is_3d(gas->extent.dim) ? gas->extent.n[1] + 1 : 1;
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
    int ni = gas->extent.n[0] + 1, nj = gy_is_3d(gas->extent.dim) ? gas->extent.n[1] + 1 : 1;
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
    int i = among(gas, 0, point[0]), j = gy_is_3d(gas->extent.dim) ? among(gas, 1, point[1]) : 0;
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

/// The lowest open faces of columns, across an axis along the floor.
static void find_faces(const gyre_gas *gas, int axis)
{
    const gy_extent *e = &gas->extent;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    int32_t *face = faces_of(gas);
    int up = e->dim - 1, count = (int)columns_of(gas);
    bool round = gas->periodic >> axis & 1u;
    for (int q = 0; q < count; q++) {
        int at[3] = {q % e->n[0], q / e->n[0], 0};
        bool within = round || at[axis] > 0;
        int32_t open = 0;
        for (at[up] = 0; within && open == 0 && at[up] < e->n[up]; at[up]++) {
            open = *gy_coefficient(&g, axis, at[0], at[1], at[2]);
        }
        at[up]--;
        face[q] = open > 0 ? at[0] + at[1] * e->sy + (up == 2 ? at[2] * e->sz : 0) : -1;
        face[count + q] = open;
    }
    gy_device_put(gas->model.device, face, 2 * (size_t)count * sizeof *face);
}

void gy_gas_rub_floor(gyre_gas *gas, float dt)
{
    if (!gy_gas_has_floor(gas) || head_of(gas)[DRAGS] == 0.0f) {
        return;
    }
    // Who has gone where is known by now: there is room for what each column loses.
    gy_rub_args a = {.base = gas->base,
                     .planes = (uint64_t)(uintptr_t)plane_of(gas, DRAG),
                     .faces = (uint64_t)(uintptr_t)faces_of(gas),
                     .lost = gas->back[0],
                     .velocity = {gas->slot[0], gas->slot[gy_is_3d(gas->extent.dim)]},
                     .extent = gas->extent,
                     .periodic = gas->periodic,
                     .dt = dt,
                     .h = gas->grid.h,
                     .density = gas->def->air_density};
    gy_box columns = gy_box_make((int)columns_of(gas), 1, 1);
    for (a.axis = 0; a.axis < gas->extent.dim - 1; a.axis++) {
        find_faces(gas, a.axis);
        a.work = GY_RUB_TAKE;
        gy_run(gas->model.device, GY_OP_rub, &a, columns);
        a.work = GY_RUB_GIVE;
        gy_run(gas->model.device, GY_OP_rub, &a, columns);
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
    put_planes(gas, DRAG, PUSH - DRAG);
    head[IS] = head[TOLD] = f ? 1.0f : 0.0f;
    find_corners(gas);
    return had && f ? gy_gas_move_solids(gas) : gy_gas_changed(&gas->model, "solids");
}

void gy_gas_give_push(gyre_gas *gas, float *along[2])
{
    if (gas->floor) {
        fetch_push(gas);
    }
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
    if (gas->floor) {
        put_planes(gas, PUSH, 2);
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
        if (out) {
            fetch_push(gas);
        }
        memcpy(out ? bytes : own, out ? own : bytes, gy_gas_floor_state(gas));
    }
    if (gas->floor && !out) {
        put_planes(gas, DRAG, PLANES - DRAG);
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
