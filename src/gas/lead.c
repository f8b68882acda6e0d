// gas/lead.c: a gas whose velocity is given: by noise, arrays or a function of the caller's. Its
// scalars go along the wind of the middle of a step,
//
//     q_t + div (u q) = kappa lap q - lambda q + emitters,      u = u(x, t) given
//
// which is of second order in time; nothing is solved for. The wind is worked out on the host, at
// every face, and put to the device. Faces that are shut have none. Twice a step: 8 dim bytes a
// cell to write, and what the source costs.
#include "gas/lead.h"
#include "gas/flow.h"
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"solved", "noise", "recorded", "rows"};

// ---- checks

/// "forces.0: ...", as the velocity is given.
static gyre_result idle(const gyre_gas_def *def, const char *path, int i, const char *member)
{
    char number[16] = "";
    if (i >= 0) {
        snprintf(number, sizeof number, ".%d", i);
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "%s%s%s: has no effect where the velocity is given (velocity is \"%s\")", path,
                     number, member, names[def->velocity]);
}

static gyre_result check_recorded(const gyre_gas_def *def)
{
    const gyre_volume *arrays[3] = {&def->recorded.x, &def->recorded.y, &def->recorded.z};
    int frames = 0;
    for (int a = 0; a < def->grid.dim; a++) {
        const gyre_volume *v = arrays[a];
        int n[3];
        gyre_grid_samples(&def->grid, gy_faces(a), n);
        if (!v->data) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "recorded.%c: is missing, and velocity is "
                             "\"recorded\"",
                             "xyz"[a]);
        }
        const int *is = v->n;
        int own = is[2] / n[2];
        if (is[0] != n[0] || is[1] != n[1] || own * n[2] != is[2] || own < 1 ||
            (a > 0 && own != frames)) {
            return gyre_fail(
                GYRE_ERROR_ARGUMENT,
                "recorded.%c: is %d x %d x %d, expected %d x %d x %d frames of as many "
                "as the others",
                "xyz"[a], is[0], is[1], is[2], n[0], n[1], n[2]);
        }
        frames = own;
    }
    return GYRE_OK;
}

gyre_result gy_gas_check_lead(const gyre_gas_def *def)
{
    const gyre_gas_force *forces = def->forces.items;
    const gyre_gas_emitter *emitters = def->emitters.items;
    const gyre_gas_patch *patches = def->patches.items;
    const gyre_gas_side *sides = &def->sides.x_low;
    if (def->velocity == GYRE_GAS_SOLVED) {
        return GYRE_OK;
    }
    for (int i = 0; i < def->forces.count; i++) {
        if (forces[i].enabled && forces[i].amount > 0.0f) {
            return idle(def, "forces", i, "");
        }
    }
    for (int i = 0; i < def->emitters.count; i++) {
        if (emitters[i].enabled && emitters[i].push) {
            return idle(def, "emitters", i, ".push");
        }
    }
    for (int s = 0; s < 2 * def->grid.dim; s++) {
        if (sides[s].rule == GYRE_GAS_SIDE_INFLOW) {
            char path[32];
            snprintf(path, sizeof path, "sides.%s", gy_gas_side_name(s));
            return idle(def, path, -1, ".rule: inflow");
        }
        if (gy_gas_carried(def) >> s & 1u) {
            char path[32];
            snprintf(path, sizeof path, "sides.%s", gy_gas_side_name(s));
            return idle(def, path, -1, ".leaves: carried");
        }
    }
    for (int i = 0; i < def->patches.count; i++) {
        if (patches[i].enabled && patches[i].rule == GYRE_GAS_PATCH_INFLOW) {
            return idle(def, "patches", i, ".rule: inflow");
        }
    }
    if (gy_gas_is_framed(def)) {
        return idle(def, "frame", -1, "");
    }
    if (def->floor) {
        return idle(def, "floor", -1, "");
    }
    return def->velocity == GYRE_GAS_RECORDED ? check_recorded(def) : GYRE_OK;
}

// ---- memory

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

/// Lays a block out; returns its bytes.
static size_t lay_out(const gyre_gas *gas, gy_gas_lead *to, char *block)
{
    int dim = gas->extent.dim;
    const int *n = gas->extent.n;
    size_t at = round64(sizeof *to);
    if (gas->def->velocity != GYRE_GAS_NOISE) {
        for (int q = 0; q < 2 * dim; q++, at += gas->slot_bytes) {
            if (block) {
                to->staged[q / dim][q % dim] =
                    (float *)(void *)(block + at + (size_t)gas->origin * 64);
            }
        }
        return at;
    }
    size_t row = ((size_t)n[0] + 1 + 15) / 16 * 16,
           array =
               row * ((size_t)n[1] + 1) * (gy_is_3d(dim) ? (size_t)n[2] + 1 : 1) * sizeof(float);
    size_t place = 0;
    for (int a = 0; a < dim; a++) {
        size_t step = ((size_t)n[a] + 1 + 15) / 16 * 16;
        if (block) {
            to->place[a] = (int)place;
            to->step[a] = (int)step;
        }
        place += 2 * GY_WAVES * step;
    }
    if (block) {
        to->tables = (float *)(void *)(block + at);
        to->sy = (ptrdiff_t)row;
        to->sz = (ptrdiff_t)(row * ((size_t)n[1] + 1));
    }
    at += place * sizeof(float);
    for (int q = gy_is_3d(dim) ? 0 : 2; q < 3; q++, at += 2 * array) {
        if (block) {
            to->potential[q] = (float *)(void *)(block + at);
            to->ramp[q] = (float *)(void *)(block + at + array);
        }
    }
    return at;
}

static gyre_result take_room(gyre_gas *gas)
{
    gy_gas_lead *lead = gas->lead;
    if (lead && lead->which == gas->def->velocity) {
        return GYRE_OK;
    }
    size_t bytes = lay_out(gas, NULL, NULL);
    lead = gy_allocate(&gas->host, bytes, 64);
    if (!lead) {
        return gyre_fail(GYRE_ERROR_MEMORY, "velocity: out of memory: %zu bytes", bytes);
    }
    gy_gas_drop_lead(gas);
    memset(lead, 0, bytes);
    lay_out(gas, lead, (char *)lead);
    lead->bytes = bytes;
    lead->which = gas->def->velocity;
    gas->lead = lead;
    return GYRE_OK;
}

void gy_gas_drop_lead(gyre_gas *gas)
{
    if (gas->lead) {
        gy_release(&gas->host, gas->lead, gas->lead->bytes);
        gas->lead = NULL;
    }
}

// ---- sources

/// Between two frames of arrays.
typedef struct reading {
    const gyre_gas *gas;
    int frame[2];
    float part; // of the second
} reading;

static void read_row(void *user, const gyre_gas_row *row, float *values)
{
    const reading *r = user;
    const gyre_gas_recorded *recorded = &r->gas->def->recorded;
    const gyre_volume *v = row->axis == 0   ? &recorded->x
                           : row->axis == 1 ? &recorded->y
                                            : &recorded->z;
    int n[3];
    gyre_grid_samples(&r->gas->grid, gy_faces(row->axis), n);
    const float *from[2];
    for (int q = 0; q < 2; q++) {
        size_t plane = (size_t)r->frame[q] * (size_t)n[2] + (size_t)row->first[2];
        from[q] = v->data + (plane * (size_t)n[1] + (size_t)row->first[1]) * (size_t)n[0];
    }
    for (int i = 0; i < row->count; i++) {
        values[i] = r->part > 0.0f ? from[0][i] + r->part * (from[1][i] - from[0][i]) : from[0][i];
    }
}

static reading reading_at(const gyre_gas *gas, double time)
{
    const gyre_gas_recorded *recorded = &gas->def->recorded;
    int n[3];
    gyre_grid_samples(&gas->grid, GYRE_FACE_X, n);
    int frames = recorded->x.n[2] / n[2];
    double at = time * (double)recorded->rate, count = (double)frames;
    reading r = {.gas = gas};
    if (recorded->loop && at >= count) {
        at -= count * (double)(int64_t)(at / count < 9e18 ? at / count : 0.0);
    }
    at = at < 0.0 ? 0.0 : at;
    r.frame[0] = at < count ? (int)at : frames - 1;
    bool last = r.frame[0] == frames - 1;
    r.frame[1] = !last ? r.frame[0] + 1 : recorded->loop ? 0 : r.frame[0];
    r.part = last && !recorded->loop ? 0.0f : (float)(at - (double)r.frame[0]);
    return r;
}

/// The velocity at a time, staged.
static gyre_result stage(gyre_gas *gas, double time, float *const to[3])
{
    reading r = {0};
    gy_asking how = {.whom = "set_velocity_rows: the function",
                     .call = gas->velocity_rows,
                     .user = gas->velocity_user,
                     .time = time,
                     .to = {to[0], to[1], to[2]},
                     .limit = gas->def->speed_cap};
    if (gas->def->velocity == GYRE_GAS_RECORDED) {
        r = reading_at(gas, time);
        how.whom = "recorded: the arrays";
        how.call = read_row;
        how.user = &r;
    }
    return gy_gas_ask(gas, &how);
}

// ---- at work

/// Faces that are shut pass nothing.
static void shut_faces(gyre_gas *gas, int axis)
{
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    float *u = gy_at(gas->base, gas->slot[axis]);
    const int *own = gas->extent.n;
    bool wraps = gas->periodic >> axis & 1u;
    int n[3];
    gy_gas_count_faces(gas, axis, n);
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            float *row = u + (ptrdiff_t)j * gas->extent.sy + (ptrdiff_t)k * gas->extent.sz;
            int at = axis == 1 ? j : k;
            bool side = axis > 0 && !wraps && (at == 0 || at == own[axis]);
            bool all = side || !g.l->whole;
            for (int i = 0; i < n[0]; i++) {
                bool end = axis == 0 && !wraps && (i == 0 || i == own[0]);
                if ((all || end) && !*gy_coefficient(&g, axis, i, j, k)) {
                    row[i] = 0.0f;
                }
            }
        }
    }
}

/// From what was staged, or noise at a time, to the fields.
static void put(gyre_gas *gas, int which, double time)
{
    gyre_device *device = gas->model.device;
    gy_gas_lead *lead = gas->lead;
    float *to[3] = {NULL, NULL, NULL};
    for (int a = 0; a < gas->velocities; a++) {
        to[a] = gy_at(gas->base, gas->slot[a]);
        if (lead->which != GYRE_GAS_NOISE) {
            char *from = (char *)lead->staged[which][a] - (size_t)gas->origin * 64;
            memcpy((char *)to[a] - (size_t)gas->origin * 64, from, gas->slot_bytes);
        }
    }
    if (lead->which == GYRE_GAS_NOISE) {
        gy_gas_put_noise(gas, time, to);
    }
    for (int a = 0; a < gas->velocities; a++) {
        shut_faces(gas, a);
        gy_device_put(device, (char *)to[a] - (size_t)gas->origin * 64, gas->slot_bytes);
        gy_gas_extend(gas, a);
    }
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
}

static gyre_result refuse_now(const gyre_gas *gas)
{
    if (gas->def->velocity == GYRE_GAS_ROWS && !gas->velocity_rows) {
        return gyre_fail(GYRE_ERROR_STATE, "step: velocity is \"rows\", and no function was handed "
                                           "over: see gyre_gas_set_velocity_rows");
    }
    for (int a = 0; a < gas->velocities; a++) {
        if (gas->sources[a]) {
            return gyre_fail(GYRE_ERROR_STATE,
                             "step: set_source: the velocity is given, and the source of %s has no "
                             "effect",
                             gas->fields[a].name);
        }
    }
    const int32_t *moved = gas->model.place.moved;
    if (gas->def->velocity == GYRE_GAS_RECORDED && (moved[0] || moved[1] || moved[2])) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "step: recorded: its arrays stand on the grid as it was, which was moved");
    }
    return GYRE_OK;
}

gyre_result gy_gas_lead_on(gyre_gas *gas, float dt)
{
    const double times[2] = {gas->model.time + 0.5 * (double)dt, gas->model.time + (double)dt};
    gyre_result r = refuse_now(gas);
    r = r == GYRE_OK ? take_room(gas) : r;
    if (r == GYRE_OK && gas->lead->which == GYRE_GAS_NOISE) {
        gy_gas_ready_noise(gas);
    }
    for (int q = 0; q < 2 && r == GYRE_OK && gas->lead->which != GYRE_GAS_NOISE; q++) {
        r = stage(gas, times[q], gas->lead->staged[q]);
    }
    if (r != GYRE_OK) {
        return r;
    }
    put(gas, 0, times[0]);
    gy_gas_swap_past(gas);
    put(gas, 1, times[1]);
    gas->speed_fresh = false;
    gas->energy_known = false;
    gas->div_before = 0.0;
    gas->stats.residual = 0.0f;
    return GYRE_OK;
}

gyre_result gyre_gas_set_velocity_rows(gyre_gas *gas, gyre_gas_row_call *call, void *user)
{
    if (GY_MISSING("set_velocity_rows", gas)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gas->velocity_rows = call;
    gas->velocity_user = user;
    return GYRE_OK;
}
