// gas/shift.c: moves a gas's grid by whole cells, as a window over a larger world. With s cells and
// N samples along an axis,
//
//     q'(i) = q(i + s) where 0 <= i + s < N, else 0;   round a periodic axis q((i + s) mod N)
//
// of velocities, scalars, the velocities before and what has swollen. The lagged pressure and a
// texture's coordinates go on outwards as they are at the nearest cell, so that there is no step.
// Solids, bodies and emitters stay in the world, so that openness is made anew; tracers stay there,
// too. What a ledger counts and leaves the window has left. The velocities, and those before, are
// made free of divergence at the next step, as the zeros beside them are not what was there.
//
// On the host, whatever the device: a copy of each field, out and in; the fields of a device with
// memory of its own are fetched for it.
#include "gas/flow.h"
#include "gas/texture.h"
#include "gas/tracers.h"
#include "ops/system/level.h"
#include <string.h>

enum { PIECES = 64 };

/// A field on its way: a copy of it, and where it goes.
typedef struct journey {
    const gyre_gas *gas;
    const char *from; // of sample (0, 0, 0)
    char *to;
    size_t sample; // bytes
    int n[3];      // samples
    int by[3];
    bool on; // what comes from outside is as it is at the nearest sample, else 0
    // Of the lagged pressure.
    const float *colour[2];
    gy_grid_level level;
} journey;

static bool wraps(const gyre_gas *gas, int axis)
{
    return gas->periodic >> axis & 1u;
}

static int round_to(int i, int n)
{
    return (i % n + n) % n;
}

/// Where sample i comes from; -1: from outside.
static int source(const journey *m, int axis, int i)
{
    int from = i + m->by[axis];
    if (wraps(m->gas, axis)) {
        return round_to(from, m->gas->extent.n[axis]);
    }
    return from >= 0 && from < m->n[axis] ? from
           : m->on                        ? GY_MAX(0, GY_MIN(from, m->n[axis] - 1))
                                          : -1;
}

static void move_row(const journey *m, int j, int k)
{
    const gy_extent *e = &m->gas->extent;
    char *to = m->to + ((ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz) * (ptrdiff_t)m->sample;
    int y = source(m, 1, j), z = source(m, 2, k);
    for (int i = 0; i < m->n[0];) {
        int x = y < 0 || z < 0 ? -1 : source(m, 0, i), count = 1;
        while (i + count < m->n[0] && x >= 0 && source(m, 0, i + count) == x + count) {
            count++;
        }
        size_t bytes = (size_t)count * m->sample;
        char *at = to + (size_t)i * m->sample;
        if (x < 0) {
            memset(at, 0, bytes);
        } else {
            ptrdiff_t o = x + (ptrdiff_t)y * e->sy + (ptrdiff_t)z * e->sz;
            memcpy(at, m->from + o * (ptrdiff_t)m->sample, bytes);
        }
        i += count;
    }
}

static void move_rows(void *argument, int piece)
{
    const journey *m = argument;
    int64_t rows = (int64_t)m->n[1] * m->n[2];
    for (int64_t r = rows * piece / PIECES; r < rows * (piece + 1) / PIECES; r++) {
        move_row(m, (int)(r % m->n[1]), (int)(r / m->n[1]));
    }
}

/// Moves what lies in a slot from `start` on, by way of a copy.
static void move_slot(gyre_gas *gas, const int cells[3], gyre_location location, char *start,
                      size_t before, size_t bytes, size_t sample, bool on, char *copy)
{
    journey m = {
        .gas = gas, .from = copy + before, .to = start + before, .sample = sample, .on = on};
    gyre_grid_samples(&gas->grid, location, m.n);
    memcpy(m.by, cells, sizeof m.by);
    gy_device_fetch(gas->model.device, start, bytes);
    memcpy(copy, start, bytes);
    gyre_device_parallel_for(gas->model.device, PIECES, move_rows, &m);
    gy_device_put(gas->model.device, start, bytes);
}

/// A slot of floats or halves by its sample (0, 0, 0).
static void move_field(gyre_gas *gas, const int cells[3], gyre_location location, uint32_t slot,
                       bool half, bool on, char *copy)
{
    uint32_t origin = half ? gas->half_origin : gas->origin;
    move_slot(gas, cells, location, (char *)gy_at(gas->base, slot - origin), (size_t)origin * 64,
              half ? gas->half_bytes : gas->slot_bytes, half ? sizeof(uint16_t) : sizeof(float), on,
              copy);
}

// ---- the lagged pressure, whose cells lie by the chessboard's colours

static void move_lag_rows(void *argument, int piece)
{
    const journey *m = argument;
    const gy_level *l = m->level.l;
    int64_t rows = (int64_t)m->n[1] * m->n[2];
    for (int64_t r = rows * piece / PIECES; r < rows * (piece + 1) / PIECES; r++) {
        int at[3] = {0, (int)(r % m->n[1]), (int)(r / m->n[1])}, from[3];
        for (at[0] = 0; at[0] < m->n[0]; at[0]++) {
            for (int a = 0; a < 3; a++) {
                int i = at[a] + m->by[a], n = m->n[a];
                from[a] = wraps(m->gas, a) ? round_to(i, n) : GY_MAX(0, GY_MIN(i, n - 1));
            }
            ptrdiff_t o = gy_level_row(l, from[1], from[2]) + (from[0] >> 1);
            float x = m->colour[(from[0] + from[1] + from[2]) & 1][o];
            m->level.x[(at[0] + at[1] + at[2]) & 1][gy_level_row(l, at[1], at[2]) + (at[0] >> 1)] =
                x;
        }
    }
}

static void move_lag(gyre_gas *gas, const int cells[3], char *copy)
{
    size_t bytes = gy_system_vector_bytes(&gas->pressure);
    char *start = gy_system_vector_start(&gas->pressure, gas->lag);
    journey m = {.gas = gas,
                 .level =
                     gy_grid_level_with(gas->base, gy_system_offset(&gas->pressure, 0), gas->lag)};
    memcpy(m.n, gas->extent.n, sizeof m.n);
    memcpy(m.by, cells, sizeof m.by);
    for (int c = 0; c < 2; c++) {
        m.colour[c] = (const float *)(const void *)(copy + ((char *)m.level.x[c] - start));
    }
    gy_device_fetch(gas->model.device, start, bytes);
    memcpy(copy, start, bytes);
    gyre_device_parallel_for(gas->model.device, PIECES, move_lag_rows, &m);
    gy_device_put(gas->model.device, start, bytes);
    gy_vector_wrap(&gas->pressure, gas->lag);
}

// ---- what leaves

/// A row's sum over cells that hold gas, from `low` to before `high`.
static double row_sum(const gy_grid_level *g, const float *row, int low, int high, int j, int k)
{
    double sum = 0.0;
    for (int i = low; i < high; i++) {
        sum += gy_level_fluid(g, i, j, k) ? (double)row[i] : 0.0;
    }
    return sum;
}

/// Whether cell i stays in the window along an axis.
static bool stays(const gyre_gas *gas, const int cells[3], int axis, int i)
{
    int to = i - cells[axis];
    return wraps(gas, axis) || (to >= 0 && to < gas->extent.n[axis]);
}

/// What a field has in the cells that leave, in their order.
static double leaving(const gyre_gas *gas, int field, const int cells[3])
{
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    gyre_field_view v;
    const int *n = gas->extent.n;
    int low = 0, high = n[0]; // of the cells that stay along x
    double sum = 0.0;
    if (!wraps(gas, 0)) {
        low = GY_MAX(0, GY_MIN(cells[0], n[0]));
        high = GY_MAX(low, GY_MIN(n[0] + GY_MIN(cells[0], 0), n[0]));
    }
    gy_gas_fetch(&gas->model, field);
    gy_gas_window(&gas->model, field, &v);
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const float *row = v.data + j * v.stride[1] + k * v.stride[2];
            bool some = stays(gas, cells, 1, j) && stays(gas, cells, 2, k);
            int to = some ? low : n[0], from = some ? high : n[0];
            sum += row_sum(&g, row, 0, to, j, k);
            sum += row_sum(&g, row, from, n[0], j, k);
        }
    }
    return sum;
}

/// Books what leaves, before anything is moved. Among solids what there is less in all, as cells
/// may hold gas that did not before, round a periodic side: `after`, the other half of that.
static void book(gyre_gas *gas, const int cells[3], bool solids, bool after)
{
    const int *n = gas->extent.n;
    for (int f = gas->velocities; f < gas->states; f++) {
        if (solids) {
            gy_box all = gy_box_make(n[0], n[1], n[2]);
            gy_gas_enter_sum(gas, f, GY_GAS_LEFT, all, after ? -1.0 : 1.0);
        } else if (gy_gas_counts(gas, f) && !after) {
            gy_ledger *l = gy_gas_ledger(gas, f);
            gy_device_fetch(gas->model.device, l, sizeof *l);
            l->left += leaving(gas, f, cells);
            gy_device_put(gas->model.device, l, sizeof *l);
        }
    }
}

// ---- the whole

/// What is worked out from where the grid is: the solids' openness, the forces' tables.
static gyre_result make_anew(gyre_gas *gas)
{
    gyre_result r = GYRE_OK;
    gy_gas_find_place(gas);
    if (!gy_gas_is_blocked(gas) && !gas->sheets) {
        gas->painted = true;
    } else {
        r = gy_gas_changed(&gas->model, "solids");
    }
    return r == GYRE_OK && gas->forces ? gy_gas_changed(&gas->model, "forces") : r;
}

/// Puts the grid there. After a failure it is where it was.
static gyre_result stand_at(gyre_gas *gas, const int32_t moved[3])
{
    int32_t before[3];
    memcpy(before, gas->model.place.moved, sizeof before);
    memcpy(gas->model.place.moved, moved, sizeof before);
    gyre_result r = make_anew(gas);
    if (r != GYRE_OK) {
        char why[512];
        strncpy(why, gyre_message(), sizeof why - 1);
        why[sizeof why - 1] = '\0';
        memcpy(gas->model.place.moved, before, sizeof before);
        make_anew(gas);
        gyre_fail(r, "%s", why);
    }
    return r;
}

static void move_all(gyre_gas *gas, const int cells[3], char *copy)
{
    for (int f = 0; f < gas->states; f++) {
        move_field(gas, cells, gas->fields[f].location, gas->slot[f], gy_gas_is_half(gas, f), false,
                   copy);
    }
    for (int c = 0; c < gas->velocities; c++) {
        move_field(gas, cells, gas->fields[c].location, gas->past[c], false, false, copy);
    }
    for (int q = 0; gas->texture && q < gas->texture->count; q++) {
        move_field(gas, cells, GYRE_CENTRE, gas->texture->slot[q], false, true, copy);
        gy_gas_halo(gas, gy_gas_listed(gas, gas->texture->first + q), 1, false, true);
    }
    if (gas->swells) {
        move_slot(gas, cells, GYRE_CENTRE, (char *)gas->swelling, (size_t)gas->origin * 64,
                  gas->slot_bytes, sizeof(float), false, copy);
    }
    move_lag(gas, cells, copy);
    gy_gas_swap_past(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    gy_gas_swap_past(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    gy_gas_halo(gas, gas->velocities, gas->scalars, false, true);
}

gyre_result gy_gas_shift(gyre_model *model, const int cells[3])
{
    gyre_gas *gas = (gyre_gas *)model;
    gy_gas_kept *kept = &gas->kept;
    int32_t moved[3];
    if (gy_gas_has_floor(gas)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "shift: a gas with a floor of heights stays where it is");
    }
    size_t bytes = GY_MAX(gas->slot_bytes, gy_system_vector_bytes(&gas->pressure));
    char *copy = gy_allocate(&gas->host, bytes, 64);
    if (!copy) {
        return gyre_fail(GYRE_ERROR_MEMORY, "shift: out of memory: %zu bytes", bytes);
    }
    gy_gas_settle(gas);
    for (int a = 0; a < 3; a++) {
        moved[a] = model->place.moved[a] + cells[a];
    }
    gy_ledger ledgers[GY_GAS_OWN + GY_GAS_CHANNELS], *own = gy_gas_ledger(gas, gas->velocities);
    size_t ledger_bytes = (size_t)gas->scalars * sizeof *own;
    gy_device_fetch(model->device, own, ledger_bytes);
    memcpy(ledgers, own, ledger_bytes);
    bool fits = kept->openness == gas->openness, solids = gy_gas_is_blocked(gas);
    book(gas, cells, solids, false);
    gyre_result r = stand_at(gas, moved);
    if (r == GYRE_OK) {
        move_all(gas, cells, copy);
        book(gas, cells, solids, true);
        kept->openness = fits ? gas->openness : kept->openness;
        kept->shifted = 1;
        gas->energy_known = false;
        gas->stats_fresh = gas->kept_divergence = gas->speed_fresh = false;
        gy_gas_leave_tracers(gas);
    } else {
        memcpy(own, ledgers, ledger_bytes);
        gy_device_put(model->device, own, ledger_bytes);
    }
    gy_release(&gas->host, copy, bytes);
    return r;
}
