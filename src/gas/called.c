// gas/called.c: a force of the caller's: a function writes accelerations row by row,
//
//     u = u + dt f(x, u, t),   t the middle of the step,
//
// before the step begins, into an array of each component that drive (gas/ops/drive.c) adds, half
// of it before the gas is carried and half after it. The velocity that the function may look at is
// that of the middle of the step, u + r (u - u before), r = dt / (2 dt before): second order.
//
// Rows are asked for in pieces, on the device's threads; what is written depends on no piece.
// Costs the caller's function, and 8 bytes a face to add; 4 dim bytes a cell more where it looks.
#include "gas/flow.h"
#include "gas/forces.h"
#include <string.h>

enum { PIECES = 16 };

/// What all pieces share, and where each has found the first value that is none; -1: nowhere.
typedef struct asking {
    const gyre_gas *gas;
    const gy_asking *how;
    int64_t bad[PIECES]; // its row,
    int face[PIECES];    // and which of it
} asking;

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

void gy_gas_count_faces(const gyre_gas *gas, int axis, int n[3])
{
    for (int q = 0; q < 3; q++) {
        bool more = q == axis && !(gas->periodic >> q & 1u);
        n[q] = gas->extent.n[q] + (more ? 1 : 0);
    }
}

/// The velocity along b at a face across `axis`: the mean of those round its middle.
static float velocity_at(const asking *a, int axis, int b, const int p[3])
{
    const gyre_gas *gas = a->gas;
    const gy_extent *e = &gas->extent;
    const float *now = gy_at(gas->base, gas->slot[b]), *before = gy_at(gas->base, gas->past[b]);
    float u[4] = {0.0f, 0.0f, 0.0f, 0.0f}, ahead = a->how->ahead;
    int n[3], count = 0;
    gy_gas_count_faces(gas, b, n);
    for (int q = 0; q < (axis == b ? 1 : 4); q++) {
        int at[3] = {p[0], p[1], p[2]};
        bool there = true;
        if (axis != b) {
            at[axis] -= q >> 1;
            at[b] += q & 1;
        }
        for (int d = 0; d < e->dim; d++) {
            if (gas->periodic >> d & 1u) {
                at[d] = at[d] < 0 ? at[d] + n[d] : at[d] >= n[d] ? at[d] - n[d] : at[d];
            }
            there = there && at[d] >= 0 && at[d] < n[d];
        }
        if (there) {
            ptrdiff_t o = at[0] + (ptrdiff_t)at[1] * e->sy + (ptrdiff_t)at[2] * e->sz;
            u[q] = ahead > 0.0f ? now[o] + ahead * (now[o] - before[o]) : now[o];
            count++;
        }
    }
    float sum = (u[0] + u[1]) + (u[2] + u[3]);
    return count > 0 ? sum / (float)count : 0.0f;
}

/// Asks for one row; returns the first face whose value is none, -1: all are.
static int ask_row(const asking *a, int axis, int j, int k, int count, float *looked)
{
    const gyre_gas *gas = a->gas;
    const gy_asking *how = a->how;
    gyre_gas_row row = {
        .axis = axis, .count = count, .first = {0, j, k}, .step = gas->grid.h, .time = how->time};
    for (int q = 0; q < gas->extent.dim; q++) {
        float part = (float)row.first[q] + (q == axis ? 0.0f : 0.5f);
        row.place[q] = gas->grid.origin[q] + gas->grid.h * part;
    }
    for (int b = 0; b < gas->extent.dim && looked; b++) {
        float *u = looked + (ptrdiff_t)b * how->row;
        for (int i = 0; i < count; i++) {
            const int p[3] = {i, j, k};
            u[i] = velocity_at(a, axis, b, p);
        }
        row.velocity[b] = u;
    }
    float *values = how->to[axis] + (ptrdiff_t)j * gas->extent.sy + (ptrdiff_t)k * gas->extent.sz;
    memset(values, 0, (size_t)count * sizeof *values);
    how->call(how->user, &row, values);
    int bad = -1;
    for (int i = count - 1; i >= 0; i--) {
        float x = values[i];
        bool none = x - x != 0.0f;
        bad = none ? i : bad;
        values[i] = none ? 0.0f : x > how->limit ? how->limit : x < -how->limit ? -how->limit : x;
    }
    return bad;
}

/// Rows of all components, one after the other: a part of them.
static void ask_piece(void *argument, int piece)
{
    asking *a = argument;
    const gy_asking *how = a->how;
    float *looked =
        how->looked ? how->looked + (ptrdiff_t)piece * how->row * a->gas->extent.dim : NULL;
    int64_t rows = 0, at = 0;
    int n[3];
    for (int axis = 0; axis < a->gas->extent.dim; axis++) {
        gy_gas_count_faces(a->gas, axis, n);
        rows += (int64_t)n[1] * n[2];
    }
    int64_t first = rows * piece / PIECES, end = rows * (piece + 1) / PIECES;
    a->bad[piece] = -1;
    for (int axis = 0; axis < a->gas->extent.dim; axis++) {
        gy_gas_count_faces(a->gas, axis, n);
        int64_t own = (int64_t)n[1] * n[2];
        for (int64_t r = GY_MAX(first - at, 0); r < GY_MIN(end - at, own); r++) {
            int bad = ask_row(a, axis, (int)(r % n[1]), (int)(r / n[1]), n[0], looked);
            if (bad >= 0 && a->bad[piece] < 0) {
                a->bad[piece] = at + r;
                a->face[piece] = bad;
            }
        }
        at += own;
    }
}

/// Tells where the first value that is none was written.
static gyre_result refuse(const asking *a)
{
    int n[3], piece = 0;
    while (piece < PIECES && a->bad[piece] < 0) {
        piece++;
    }
    int64_t row = piece < PIECES ? a->bad[piece] : -1;
    for (int axis = 0; axis < a->gas->extent.dim && row >= 0; axis++) {
        gy_gas_count_faces(a->gas, axis, n);
        int64_t own = (int64_t)n[1] * n[2];
        if (row < own) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s gave no finite number at face %d, %d, %d across %c; no step was "
                             "taken",
                             a->how->whom, a->face[piece], (int)(row % n[1]), (int)(row / n[1]),
                             "xyz"[axis]);
        }
        row -= own;
    }
    return GYRE_OK;
}

gyre_result gy_gas_ask(gyre_gas *gas, const gy_asking *how)
{
    asking a = {.gas = gas, .how = how};
    gyre_device_parallel_for(gas->model.device, PIECES, ask_piece, &a);
    return refuse(&a);
}

gyre_result gy_gas_call_forces(gyre_gas *gas, float dt)
{
    gy_gas_called *called = gas->called;
    if (called && gy_gas_is_led(gas)) {
        return gyre_fail(GYRE_ERROR_STATE, "step: set_force_rows: the velocity is given, and no "
                                           "force acts on it");
    }
    if (!called && gas->kept.called) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "step: the state that was loaded has a force of the caller's, which is "
                         "not saved: set it again by gyre_gas_set_force_rows, or NULL to go on "
                         "without it");
    }
    if (!called || !(dt > 0.0f)) {
        return GYRE_OK;
    }
    gas->kept.called = 1;
    bool known = gas->kept.renew == GY_GAS_GOES_ON && gas->kept.before > 0.0f &&
                 gas->def->advection == GYRE_GAS_CONSERVATIVE;
    // The products with a time must stay finite.
    gy_asking how = {.whom = "set_force_rows: the function",
                     .call = called->call,
                     .user = called->user,
                     .time = gas->model.time + 0.5 * (double)dt,
                     .limit = 1e15f,
                     .looked = called->rows,
                     .row = called->row,
                     .ahead = known ? 0.5f * gy_gas_ratio(gas, dt) : -1.0f};
    for (int q = 0; q < gas->extent.dim; q++) {
        how.to[q] = called->arrays + q * called->step;
    }
    gyre_result r = gy_gas_ask(gas, &how);
    if (r == GYRE_OK) {
        size_t slack = (size_t)gy_layout_make(&gas->grid).origin;
        gy_device_put(gas->model.device, called->arrays - slack,
                      (size_t)gas->extent.dim * gas->slot_bytes);
    }
    return r;
}

/// Lays a block out; returns its bytes.
static size_t lay_out(const gyre_gas *gas, gy_gas_called *to, char *block, bool looks)
{
    gy_layout layout = gy_layout_make(&gas->grid);
    int dim = gas->extent.dim, row = (gas->extent.n[0] + 1 + 15) / 16 * 16;
    size_t around = round64((size_t)layout.slack * sizeof(float)), arrays = round64(sizeof *to),
           rows = arrays + 2 * around + (size_t)dim * gas->slot_bytes,
           looked = round64((size_t)(PIECES * dim * row) * sizeof(float));
    if (block) {
        to->arrays = (float *)(void *)(block + arrays + around) + layout.origin;
        to->step = layout.floats;
        to->row = row;
        to->rows = looks ? (float *)(void *)(block + rows) : NULL;
    }
    return looks ? rows + looked : rows;
}

static gyre_result set_rows(gyre_gas *gas, gyre_gas_row_call *call, void *user, bool looks)
{
    gyre_device *device = gas->model.device;
    gy_gas_called *called = gas->called;
    if (!call) {
        gy_gas_drop_called(gas);
        gas->kept.called = 0;
        return GYRE_OK;
    }
    if (looks && gy_device_has_own_memory(device)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "set_force_rows: velocities stay in the memory of this device; a force "
                         "there must not look at them");
    }
    size_t bytes = lay_out(gas, NULL, NULL, looks);
    if (!called || called->bytes != bytes) {
        called = gy_device_allocate(device, bytes);
        if (!called) {
            gyre_result r = gy_device_status(device);
            return r == GYRE_OK ? gyre_fail(GYRE_ERROR_MEMORY, "set_force_rows: %s", gyre_message())
                                : r;
        }
        gy_gas_drop_called(gas);
        gas->called = called;
        called->bytes = bytes;
    }
    lay_out(gas, called, (char *)called, looks);
    called->call = call;
    called->user = user;
    called->field = (gy_force){.form = GY_FORCE_FIELD, .everywhere = 1};
    gas->kept.called = 1;
    gy_device_put(device, &called->field, sizeof called->field);
    return GYRE_OK;
}

gyre_result gyre_gas_set_force_rows(gyre_gas *gas, gyre_gas_row_call *call, void *user, bool looks)
{
    if (GY_MISSING("set_force_rows", gas)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(gas->model.device);
    gyre_result r = set_rows(gas, call, user, looks);
    gy_device_leave(gas->model.device);
    return r;
}

void gy_gas_drop_called(gyre_gas *gas)
{
    if (gas->called) {
        gy_device_release(gas->model.device, gas->called, gas->called->bytes);
        gas->called = NULL;
    }
}
