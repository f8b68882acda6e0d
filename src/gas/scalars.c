// gas/scalars.c: scalars are carried by what passes faces, so that totals are kept: sweeps of
// gas/ops/remap.c along one axis after the other, forth and back by turns, in as many substeps as
// no cell gives more than it has. What rounding wins or loses is kept in ledgers and put right.
#include "gas/cloud.h"
#include "gas/flow.h"
#include "gas/gas.h"
#include <stddef.h>
#include <string.h>

/// The box of a sweep along an axis, see gy_remap_args.
static gy_box sweep_box(const gyre_gas *gas, int axis)
{
    const int *n = gas->extent.n;
    return axis == 2 ? gy_box_make(n[0], n[2], n[1]) : gy_box_make(n[0], n[1], n[2]);
}

static int sweep_tasks(const gyre_gas *gas, int axis)
{
    return gy_task_count(GY_OP_remap, sweep_box(gas, axis));
}

/// Scalars that are swept at once.
static int together(const gyre_gas *gas)
{
    return GY_MIN(gas->scalars, gy_is_3d(gas->extent.dim) ? 3 : GY_GAS_SWEPT);
}

/// Bytes that one sweep leaves.
static size_t partial_bytes(const gyre_gas *gas)
{
    int most = 0;
    for (int a = 0; a < gas->extent.dim; a++) {
        most = GY_MAX(most, sweep_tasks(gas, a));
    }
    return ((size_t)most * (size_t)together(gas) * 2 * sizeof(double) + 63) / 64 * 64;
}

size_t gy_gas_sweep_bytes(const gyre_gas *gas)
{
    return (size_t)gas->extent.dim * partial_bytes(gas);
}

static const gy_carriage *carriage_of(const gyre_gas *gas)
{
    return (const gy_carriage *)(const void *)gy_at(gas->base, gas->carriage);
}

size_t gy_gas_report_bytes(const gyre_gas *gas)
{
    return (size_t)(gas->carriage - gas->report) * 64 + offsetof(gy_carriage, skip);
}

gy_ledger *gy_gas_ledger(const gyre_gas *gas, int field)
{
    return (gy_ledger *)(void *)gy_at(gas->base, gas->ledgers) + (field - gas->velocities);
}

void gy_gas_begin_ledgers(gyre_gas *gas)
{
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_gas_ledger(gas, f)->factor = 1.0f;
    }
    gy_device_put(gas->model.device, gy_gas_ledger(gas, gas->velocities),
                  (size_t)gas->scalars * sizeof(gy_ledger));
    gas->kept.loose = 1;
}

static float *swelling_at(const gyre_gas *gas)
{
    return gas->swelling + (size_t)gas->origin * 64 / sizeof(float);
}

gyre_result gy_gas_take_swelling(gyre_gas *gas)
{
    int chosen = gas->pressure.chosen;
    bool exact = chosen == GYRE_SOLVER_FFT || chosen == GYRE_SOLVER_CYCLIC_REDUCTION ||
                 chosen == GYRE_SOLVER_DIRECT || chosen == GYRE_SOLVER_DENSE;
    bool wants = !exact || gy_gas_expands(gas);
    bool swells = wants && gas->def->advection == GYRE_GAS_CONSERVATIVE;
    const int *n = gas->extent.n;
    if (swells && !gas->swelling) {
        gas->swelling = gy_device_allocate(gas->model.device, gas->slot_bytes);
        if (!gas->swelling) {
            return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for volumes that swell",
                             gas->slot_bytes);
        }
    } else if (swells && !gas->swells) {
        gy_device_clear(gas->model.device, gas->swelling, gas->slot_bytes);
    }
    gas->swells = swells;
    size_t always =
        sizeof gas->kept + gy_gas_flow_bytes(gas) + gy_gas_rim_state(gas) + gy_gas_floor_state(gas);
    size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof(float);
    gas->model.more_size = always + (swells ? cells : 0);
    gas->model.more_least = always;
    gas->model.more_most = always + cells;
    return GYRE_OK;
}

void gy_gas_drop_swelling(gyre_gas *gas)
{
    gy_device_release(gas->model.device, gas->swelling, gas->slot_bytes);
    gas->swelling = NULL;
}

/// The part of what has swollen that a step lets out. The wind of the next one is the new velocity
/// and half of the last change, so that all of it would come back as half too much. A step that is
/// short for the wind lets out less, or there would be gusts.
#define LET_OUT 0.5
#define SHORT 0.1

uint64_t gy_gas_swelling(const gyre_gas *gas)
{
    return gas->swells ? (uint64_t)(uintptr_t)swelling_at(gas) : 0;
}

double gy_gas_pent_up(const gyre_gas *gas)
{
    const gy_extent *e = &gas->extent;
    double sum = 0.0;
    if (!gas->swells || !gy_gas_expands(gas) || gas->fluid_cells == 0) {
        return 0.0;
    }
    gy_device_fetch(gas->model.device, gas->swelling, gas->slot_bytes);
    for (int k = 0; k < e->n[2]; k++) {
        for (int j = 0; j < e->n[1]; j++) {
            const float *at = swelling_at(gas) + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int i = 0; i < e->n[0]; i++) {
                sum += (double)at[i];
            }
        }
    }
    return sum / (double)gas->fluid_cells;
}

void gy_gas_let_out(const gyre_gas *gas, gy_divergence_args *args)
{
    const gy_gas_kept *k = &gas->kept;
    if (gas->swells && k->dt > 0.0f) {
        double most = (double)k->rate / SHORT, rate = 1.0 / (double)k->dt;
        // What burns makes a wind of its own, from rest, too.
        most = gy_gas_expands(gas) ? rate : most;
        args->swelling = (uint64_t)(uintptr_t)swelling_at(gas);
        args->let = (float)(LET_OUT * (double)gas->grid.h * GY_MIN(rate, most));
    }
}

void gy_gas_note_share(gyre_gas *gas)
{
    gy_gas_settle(gas);
    if (gas->kept.told) {
        gas->kept.rate = carriage_of(gas)->share / gas->kept.dt;
        gas->kept.told = 0;
    }
}

void gy_gas_keep(gyre_model *model)
{
    gyre_gas *gas = (gyre_gas *)model;
    gy_gas_note_share(gas);
    gy_device_fetch(model->device, model->extra, model->extra_size);
}

static void make_sound(double *x)
{
    *x = *x > -1e300 && *x < 1e300 ? *x : 0.0;
}

void gy_gas_regain(gyre_model *model)
{
    gyre_gas *gas = (gyre_gas *)model;
    gy_gas_kept *k = &gas->kept;
    // Whatever stood in the file, what follows from it is finite.
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_ledger *l = gy_gas_ledger(gas, f);
        double *numbers[] = {&l->error, &l->left,   &l->emitted, &l->added,
                             &l->faded, &l->edited, &l->total};
        for (int q = 0; q < GY_COUNT(numbers); q++) {
            make_sound(numbers[q]);
        }
        if (gas->came) {
            make_sound(&gy_gas_came(gas)[f - gas->velocities]);
        }
        if (gas->through) {
            make_sound((double *)(void *)gy_at(gas->base, gas->through) + (f - gas->velocities));
        }
        if (gas->burnt) {
            make_sound(&gy_gas_burnt(gas)[f - gas->velocities]);
            make_sound(&gy_gas_burnt(gas)[gas->scalars]);
        }
        for (int q = 0; gas->turned && q < gy_gas_turned_count(gas->def, gas->scalars); q++) {
            make_sound(&gy_gas_turned(gas)[q]);
        }
        l->factor = l->factor > 0.999f && l->factor < 1.001f ? l->factor : 1.0f;
    }
    gy_gas_regain_means(gas);
    gy_gas_settle(gas);
    if (!(k->dt > 0.0f && k->rate >= 0.0f && k->rate < 1e30f && k->dt < 1e30f)) {
        k->dt = k->rate = 0.0f;
        k->loose = 1;
    }
    k->told = 0;
    gy_device_put(model->device, model->extra, model->extra_size);
}

void gy_gas_copy_more(gyre_model *model, char *bytes, size_t size, bool out)
{
    gyre_gas *gas = (gyre_gas *)model;
    const gy_extent *e = &gas->extent;
    size_t row = (size_t)e->n[0] * sizeof(float);
    // What stands in the gas comes first.
    gy_gas_copy_floor(
        gas, bytes + sizeof gas->kept + gy_gas_flow_bytes(gas) + gy_gas_rim_state(gas), out);
    memcpy(out ? bytes : (char *)&gas->kept, out ? (char *)&gas->kept : bytes, sizeof gas->kept);
    bytes += sizeof gas->kept;
    gy_gas_copy_flow(gas, bytes, out);
    bytes += gy_gas_flow_bytes(gas);
    gy_gas_copy_rims(gas, bytes, out);
    bytes += gy_gas_rim_state(gas) + gy_gas_floor_state(gas);
    if (!gas->swells) {
        return;
    }
    if (size < model->more_most) {
        gy_device_clear(model->device, gas->swelling, gas->slot_bytes);
        return;
    }
    if (out) {
        gy_device_fetch(model->device, gas->swelling, gas->slot_bytes);
    }
    for (int k = 0; k < e->n[2]; k++) {
        for (int j = 0; j < e->n[1]; j++, bytes += row) {
            float *at = swelling_at(gas) + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            memcpy(out ? bytes : (char *)at, out ? (char *)at : bytes, row);
        }
    }
    if (!out) {
        gy_device_put(model->device, gas->swelling, gas->slot_bytes);
    }
}

/// The most substeps that may be needed: twice what the last step's wind would need, where that is
/// known. On a device that is far away so many are asked for and what is not needed is left out.
static int most_substeps(const gyre_gas *gas, float dt)
{
    const gy_gas_kept *k = &gas->kept;
    double needs = 2.0 * (double)k->rate * (double)dt / 0.98 + 1.5;
    return k->loose || !(needs < (double)GY_MOST_SUBSTEPS) ? GY_MOST_SUBSTEPS : (int)needs;
}

static gy_share_args share_args(const gyre_gas *gas, float dt, const uint32_t wind[3])
{
    float scale = dt / gas->grid.h;
    gy_share_args a = {.base = gas->base,
                       .level = gy_gas_is_blocked(gas) ? gy_system_offset(&gas->pressure, 0) : 0,
                       .partial = gas->pressure.partial,
                       .extent = gas->extent,
                       .scale = scale < 1e12f ? scale : 1e12f,
                       .periodic = gas->periodic,
                       .open_sides = gas->open_sides | gas->given,
                       .given = gas->given};
    for (int d = 0; d < 3; d++) {
        a.wind[d] = wind[GY_MIN(d, gas->extent.dim - 1)];
    }
    return a;
}

static void find_substeps(gyre_gas *gas, const gy_share_args *share, int most)
{
    gy_box box = gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
    gy_tally_args t = {.base = gas->base,
                       .carriage = gas->carriage,
                       .partial = {share->partial},
                       .tasks = {gy_task_count(GY_OP_share, box)},
                       .kind = GY_TALLY_SHARE,
                       .most = most,
                       .scale = (double)share->scale};
    gy_run(gas->model.device, GY_OP_share, share, box);
    gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
}

/// Where sweeps go from and to: 0 is the scalar's own place, 1 and 2 are spare ones. A row is swept
/// along x in place where one task has all of it; in 2D one substep then ends in a spare place and
/// the next one (`back`) comes home, unless there is no next one (`alone`), or nobody knows here.
static void route(const gyre_gas *gas, bool turned, bool alone, bool back, int from[3], int to[3])
{
    const gyre_device *device = gas->model.device;
    int dim = gas->extent.dim;
    bool known = !gy_device_is_remote(device) && !alone;
    bool in_place = !gy_device_has_own_memory(device) && (gy_is_3d(dim) || known);
    int at = !gy_is_3d(dim) && in_place && back ? 1 : 0;
    for (int q = 0, spare = 1; q < dim; q++) {
        int axis = turned ? dim - 1 - q : q;
        from[q] = to[q] = at;
        if (in_place && axis == 0) {
            continue;
        }
        at = to[q] = (in_place ? at > 0 : q == dim - 1) ? 0 : spare++;
    }
}

/// One substep of scalars first ... first + count - 1.
static void substep(gyre_gas *gas, const gy_share_args *share, int first, int count, int number,
                    int substeps)
{
    bool turned = (gas->kept.carried + number) & 1;
    int dim = gas->extent.dim, from[3], to[3];
    size_t step = partial_bytes(gas) / 64;
    gy_tally_args t = {.base = gas->base,
                       .carriage = gas->carriage,
                       .ledgers = gas->ledgers + (uint32_t)(first - gas->velocities),
                       .kind = GY_TALLY_SWEEPS,
                       .count = count,
                       .sweeps = dim};
    gy_remap_args a = {.base = gas->base,
                       .fields = gas->listed,
                       .first = first,
                       .count = count,
                       .level = share->level,
                       .carriage = gas->carriage,
                       .ledgers = t.ledgers,
                       .extent = gas->extent,
                       .turned = turned,
                       .periodic = gas->periodic,
                       .open_sides = share->open_sides,
                       .limit = GY_GAS_LIMIT,
                       .given = share->given,
                       .rims = share->given ? gas->rims : 0};
    a.extent.halves = gas->half_origin > 0;
    route(gas, turned, number == substeps - 1 && !(number & 1), number & 1, from, to);
    for (int d = 0; d < 3; d++) {
        a.wind[d] = share->wind[d];
    }
    for (int q = 0; q < dim; q++) {
        a.axis = turned ? dim - 1 - q : q;
        a.place = q;
        a.swelling = gas->swells && first == gas->velocities && !gy_gas_is_led(gas)
                         ? (uint64_t)(uintptr_t)swelling_at(gas)
                         : 0;
        a.from = from[q];
        a.to = to[q];
        a.partial = t.partial[q] = gas->sweeps + (uint32_t)((size_t)q * step);
        t.tasks[q] = sweep_tasks(gas, a.axis);
        gy_run(gas->model.device, GY_OP_remap, &a, sweep_box(gas, a.axis));
    }
    gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
}

/// Gives scalars their places of a sweep.
static void prepare(gyre_gas *gas, int group)
{
    gy_field *list = (gy_field *)(void *)gy_at(gas->base, gas->listed);
    int dim = gas->extent.dim;
    for (int f = gas->velocities; f < gas->states; f++) {
        int q = (f - gas->velocities) % group;
        list[f].old = gas->slot[f];
        list[f].predicted = q % 2 ? gas->forward[q / 2] : gas->back[q / 2];
        list[f].now = gas->spare[0];
        if (gy_is_3d(dim)) {
            list[f].now = (q + 3) % 2 ? gas->forward[(q + 3) / 2] : gas->back[(q + 3) / 2];
        }
        list[f].location = GYRE_CENTRE;
        list[f].halves = gy_gas_is_half(gas, f);
    }
    gy_device_put(gas->model.device, list, (size_t)gas->states * sizeof *list);
}

void gy_gas_carry_scalars(gyre_gas *gas, float dt, const uint32_t wind[3])
{
    gyre_device *device = gas->model.device;
    gy_gas_kept *kept = &gas->kept;
    gy_share_args share = share_args(gas, dt, wind);
    int most = most_substeps(gas, dt), group = together(gas);
    bool remote = gy_device_is_remote(device);
    find_substeps(gas, &share, most);
    prepare(gas, group);
    if (!remote) {
        gy_device_fetch(device, carriage_of(gas), offsetof(gy_carriage, skip));
    }
    int count = remote ? most : carriage_of(gas)->count;
    // All substeps of some before those of others: what is between two lies in the spare places.
    for (int first = gas->velocities; first < gas->states; first += group) {
        for (int s = 0; s < count; s++) {
            gy_device_gate(device, remote ? &carriage_of(gas)->skip[s] : NULL);
            substep(gas, &share, first, GY_MIN(group, gas->states - first), s, count);
        }
    }
    gy_device_gate(device, NULL);
    gy_gas_note_came(gas, wind);
    kept->carried++;
    if (dt > 0.0f) {
        kept->dt = dt;
        kept->told = 1;
    }
    kept->loose = 0;
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, gas->velocities, gas->scalars, false, true);
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_gas_extend(gas, f);
    }
}

// ---- budgets ------------------------------------------------------------------------------------

bool gy_gas_counts(const gyre_gas *gas, int field)
{
    return field >= gas->velocities && field < gas->states &&
           gas->def->advection == GYRE_GAS_CONSERVATIVE;
}

void gy_gas_enter_from(gyre_gas *gas, int field, gy_gas_entry entry, uint32_t partial, int tasks,
                       double sign)
{
    gy_tally_args t = {.base = gas->base,
                       .ledgers = gas->ledgers + (uint32_t)(field - gas->velocities),
                       .partial = {partial},
                       .tasks = {tasks},
                       .kind = GY_TALLY_ADD,
                       .member = (int32_t)entry,
                       .scale = sign};
    gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
}

void gy_gas_enter(gyre_gas *gas, int field, gy_gas_entry entry, int tasks, double sign)
{
    gy_gas_enter_from(gas, field, entry, gas->pressure.partial, tasks, sign);
}

void gy_gas_enter_sum(gyre_gas *gas, int field, gy_gas_entry entry, gy_box box, double sign)
{
    gy_measure_args a = {.base = gas->base,
                         .field = gas->slot[field],
                         .extent = gy_gas_extent(gas, field),
                         .level = gy_system_offset(&gas->pressure, 0),
                         .partial = gas->pressure.partial};
    int tasks = gy_task_count(GY_OP_measure, box);
    if (gy_gas_counts(gas, field) && tasks > 0) {
        gy_run(gas->model.device, GY_OP_measure, &a, box);
        gy_gas_enter(gas, field, entry, tasks, sign);
    }
}

/// What a ledger says that there is.
static double expected(const gy_ledger *l)
{
    return ((l->emitted + l->added) + (l->edited + l->error)) + (l->faded - l->left);
}

static double size_of(double x)
{
    return x < 0.0 ? -x : x;
}

/// What has come and gone, all in all.
static double passed(const gy_ledger *l, double now)
{
    return ((size_of(l->emitted) + size_of(l->added)) + (size_of(l->edited) + size_of(now))) +
           (size_of(l->faded) + size_of(l->left));
}

/// A cell's volume.
static double cell_volume(const gyre_gas *gas)
{
    double h = (double)gas->grid.h;
    return h * h * (gy_is_3d(gas->extent.dim) ? h : 1.0);
}

void gy_gas_enter_edit(gyre_gas *gas, int field)
{
    if (gas->model.loads || !gy_gas_counts(gas, field)) {
        return;
    }
    // The window has overwritten what was there: what is there now and was not expected was
    // written.
    double now = gy_gas_total(&gas->model, field) / cell_volume(gas);
    gy_ledger *l = gy_gas_ledger(gas, field);
    gy_device_fetch(gas->model.device, l, sizeof *l);
    double off = now - expected(l);
    // A window that was looked at alone changes nothing: less than this is how sums round.
    if (off > 1e-6 * passed(l, now) || off < -1e-6 * passed(l, now)) {
        l->edited += off;
        gy_device_put(gas->model.device, l, sizeof *l);
    }
}

gyre_gas_budget gyre_gas_get_budget(gyre_gas *gas, int field)
{
    gyre_gas_budget b = {0};
    if (GY_MISSING("get_budget", gas) ||
        gy_model_check_field("get_budget", &gas->model, field) != GYRE_OK) {
        return b;
    }
    if (!gy_gas_counts(gas, field)) {
        gyre_fail(GYRE_ERROR_ARGUMENT,
                  "get_budget: %s is no scalar, or carried by a scheme that keeps no totals",
                  gas->fields[field].name);
        return b;
    }
    if (gy_model_whole(&gas->model, "get_budget") != GYRE_OK) {
        return b;
    }
    double h = cell_volume(gas);
    gy_device_enter(gas->model.device);
    if (!gy_model_is_fresh(&gas->model)) {
        gy_device_leave(gas->model.device);
        return b;
    }
    b.total = gy_gas_total(&gas->model, field);
    gy_ledger *l = gy_gas_ledger(gas, field);
    gy_device_fetch(gas->model.device, l, sizeof *l);
    b.emitted = l->emitted * h;
    b.walls = gy_gas_through_walls(gas, field) * h;
    if (gas->burnt) {
        const double *burnt = gy_gas_burnt(gas);
        gy_device_fetch(gas->model.device, burnt, (size_t)gy_gas_burnt_count(gas) * sizeof *burnt);
        b.burnt = burnt[field - gas->velocities] * h;
        b.radiated = field == gas->velocities + 1 ? -burnt[gas->scalars] * h : 0.0;
    }
    gy_gas_read_turned(gas, field, h, &b);
    // The ledger counts those among what is added and what fades.
    b.added = l->added * h - b.walls - b.burnt - b.turned - b.risen;
    b.edited = l->edited * h;
    b.faded = -l->faded * h - b.radiated - b.rained;
    // The ledger has what has left less what has come.
    if (gas->came) {
        gy_device_fetch(gas->model.device, gy_gas_came(gas), (size_t)gas->scalars * sizeof(double));
    }
    b.came = gas->came ? gy_gas_came(gas)[field - gas->velocities] * h : 0.0;
    b.left = l->left * h + b.came;
    b.rounding = l->error * h;
    gy_device_leave(gas->model.device);
    return b;
}
