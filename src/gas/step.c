// gas/step.c: one step of a gas: depart, carry, arrive, project; or, by the older schemes, advect,
// add sources and forces, diffuse, project. doc/gas.md has the equations.
#include "base/maths.h"
#include "gas/cloud.h"
#include "gas/flow.h"
#include "gas/texture.h"
#include "gas/tracers.h"

static gy_box cells(const gyre_gas *gas)
{
    return gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
}

/// Displacements over dt at all cell centres, by velocities in slots.
static void trace(gyre_gas *gas, float dt, const uint32_t *velocity)
{
    gy_trace_args a = {.base = gas->base,
                       .bounds = gas->bounds,
                       .near = gas->made_count > 0 || gas->windowed ? gas->near : 0,
                       .level = gy_system_offset(&gas->pressure, 0),
                       .extent = gas->extent,
                       .periodic = gas->periodic,
                       .open_sides = gy_gas_outside_windows(gas),
                       .links = gy_gas_net(gas)};
    a.extent.halves = a.links ? GY_LINKED : 0;
    a.scale = gy_gas_pace(gas, dt);
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, gas->extent.dim - 1);
        a.velocity[d] = velocity[axis];
        a.back[d] = gas->back[axis];
        a.forward[d] = gas->forward[axis];
    }
    gy_run(gas->model.device, GY_OP_trace, &a, cells(gas));
    gy_gas_halo(gas, gas->states, 2 * gas->extent.dim, false, false);
}

/// Says of fields how they are carried next: the new ones take the spare slots; the old ones become
/// the spare.
static void prepare(gyre_gas *gas, int first, int count)
{
    gy_field *list = (gy_field *)(void *)gy_at(gas->base, gas->listed) + first;
    int scheme = gas->def->advection;
    bool corrected = scheme != GYRE_GAS_SEMI_LAGRANGIAN && scheme != GYRE_GAS_CUBIC;
    int next[2] = {0, gas->float_spares};
    for (int q = 0; q < count; q++) {
        int spare = next[gy_gas_is_half(gas, first + q)]++;
        list[q].old = gas->slot[first + q];
        gas->slot[first + q] = gas->spare[spare];
        gas->spare[spare] = list[q].old;
        list[q].predicted = corrected ? gas->predicted[spare] : gas->slot[first + q];
    }
}

gy_advect_args gy_gas_carry_args(const gyre_gas *gas, int first, int count)
{
    gy_advect_args a = {.base = gas->base,
                        .fields = gas->listed,
                        .first = first,
                        .count = count,
                        .bounds = gas->bounds,
                        .extent = gas->extent,
                        .periodic = gas->periodic,
                        .links = gy_gas_net((gyre_gas *)gas)};
    a.extent.halves = (gas->half_origin > 0) | (a.links ? GY_LINKED : 0);
    for (int d = 0; d < 3; d++) {
        a.back[d] = gas->back[GY_MIN(d, gas->extent.dim - 1)];
        a.forward[d] = gas->forward[GY_MIN(d, gas->extent.dim - 1)];
    }
    return a;
}

/// Carries fields along the displacements; returns in how many pieces correct did.
static int carry(gyre_gas *gas, const gy_advect_args *a)
{
    gy_box box = cells(gas);
    for (int f = a->first; f < a->first + a->count; f++) {
        gy_box own = gy_gas_box(gas, gas->fields[f].location);
        box.high[1] = GY_MAX(box.high[1], own.high[1]);
        box.high[2] = GY_MAX(box.high[2], own.high[2]);
    }
    gyre_device *device = gas->model.device;
    int scheme = gas->def->advection;
    if (scheme == GYRE_GAS_BFECC) {
        gy_advect_args there = *a;
        there.ahead = 1;
        gy_run(device, GY_OP_advect, &there, box);
        gy_gas_halo(gas, a->first, a->count, false, false);
        gy_run(device, GY_OP_compensate, a, box);
        gy_gas_halo(gas, a->first, a->count, true, false);
        gy_run(device, GY_OP_deliver, a, box);
    } else {
        gy_run(device, scheme == GYRE_GAS_CUBIC ? GY_OP_cubic : GY_OP_advect, a, box);
        if (scheme == GYRE_GAS_MACCORMACK || scheme == GYRE_GAS_CONSERVATIVE) {
            gy_gas_halo(gas, a->first, a->count, true, false);
            gy_run(device, GY_OP_correct, a, box);
        }
    }
    gy_gas_halo(gas, a->first, a->count, false, false);
    return gy_task_count(GY_OP_correct, box);
}

static void carry_plainly(gyre_gas *gas, int first, int count)
{
    gy_advect_args a = gy_gas_carry_args(gas, first, count);
    carry(gas, &a);
}

/// Calls for each group of the fields below `end` that are carried at once.
static void each_group(gyre_gas *gas, int end, void call(gyre_gas *gas, int first, int count))
{
    for (int first; end > 0; end = first) {
        first = GY_MAX(end - gas->together, 0);
        call(gas, first, end - first);
    }
}

/// Of scalars that have been carried the samples inside solids, and those beyond sides, which paths
/// of the next step read, too.
static void extend_scalars(gyre_gas *gas)
{
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_gas_extend(gas, f);
    }
    if (gas->extend_scalar.count > 0) {
        gy_gas_halo(gas, gas->velocities, gas->scalars, false, true);
    }
}

static void advect(gyre_gas *gas, float dt)
{
    trace(gas, dt, gas->slot);
    each_group(gas, gas->states, prepare);
    gy_gas_list_fields(gas);
    each_group(gas, gas->states, carry_plainly);
    extend_scalars(gas);
    gy_gas_carry_textures(gas, dt, gas->slot);
}

/// Velocities that keep their energy.
static void carry_velocities(gyre_gas *gas, int first, int count)
{
    gy_advect_args a = gy_gas_carry_args(gas, first, count);
    for (int d = 0; d < 3; d++) {
        a.flow[d] = gas->past[GY_MIN(d, gas->extent.dim - 1)];
    }
    a.open_sides = gy_gas_outside(gas);
    a.level = gy_system_offset(&gas->pressure, 0);
    a.partial = gas->pressure.partial;
    a.scale = gas->pace;
    int tasks = carry(gas, &a);
    gy_gas_note_carried(gas, tasks, first + count == gas->velocities, first == 0);
}

/// To a float such that its products with what fields may hold stay finite: opposite forces must
/// cancel and not make infinity less infinity.
static float bounded(double x)
{
    return (float)(x > 1e15 ? 1e15 : x < -1e15 ? -1e15 : x);
}

void gy_gas_count_capped(gyre_gas *gas, int tasks)
{
    if (gas->pending) {
        gy_decide(gas->model.device, &(gy_decide_args){.base = gas->base,
                                                       .report = gas->report,
                                                       .partial = gas->count,
                                                       .tasks = tasks,
                                                       .kind = GY_DECIDE_COUNT});
        return;
    }
    const float *count = gy_at(gas->base, gas->count);
    gy_device_fetch(gas->model.device, count, (size_t)tasks * sizeof *count);
    for (int t = 0; t < tasks; t++) {
        gas->stats.capped += (int64_t)count[t];
    }
}

/// Buoyancy along every axis that gravity acts on.
static void add_forces(gyre_gas *gas, float dt)
{
    const gyre_gas_def *def = gas->def;
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        double pull = (double)dt * (double)def->gravity[axis];
        gy_buoyancy_args a = {.base = gas->base,
                              .velocity = gas->slot[axis],
                              .density = gas->slot[gas->velocities],
                              .temperature = gas->slot[gas->velocities + 1],
                              .count = gas->count,
                              .extent = gy_gas_extent(gas, gas->velocities),
                              .axis = axis,
                              .heat = bounded(-pull * (double)def->thermal_expansion),
                              .weight = bounded(pull * (double)def->density_weight),
                              .cap = def->speed_cap,
                              .edge = gy_gas_edge(gas, gy_faces(axis), 0)};
        bool loaded = gas->levels && def->atmosphere.vapour[0] && pull != 0.0;
        if (a.heat == 0.0f && a.weight == 0.0f && !loaded) {
            continue;
        }
        gy_box box = gy_gas_box(gas, gy_faces(axis));
        gy_run(gas->model.device, GY_OP_buoyancy, &a, box);
        gy_gas_count_capped(gas, gy_task_count(GY_OP_buoyancy, box));
        if (loaded) {
            gy_gas_add_load(gas, axis, bounded(pull));
        }
        // The divergence of the last cells round a periodic axis looks at the halo.
        gy_gas_halo(gas, axis, 1, false, false);
    }
}

/// What the forces of the def do in the second half of a step, or in all of one.
static void drive(gyre_gas *gas, float dt, double time)
{
    if (gy_gas_is_driven(gas)) {
        gy_gas_drive(gas, dt, time, true);
        gy_gas_halo(gas, 0, gas->velocities, false, true);
    }
}

/// The steps of all schemes but the default: first order in time.
static gyre_result plain_substep(gyre_gas *gas, float dt)
{
    gyre_result departs = gy_gas_diffuse(gas, dt, false);
    gy_gas_carry_tracers(gas, dt, gas->slot);
    advect(gas, dt);
    gy_gas_add_sources(gas, dt, GY_GAS_AMOUNTS | GY_GAS_PUSHES);
    add_forces(gas, dt);
    drive(gas, dt, gy_gas_clock(gas) + 0.5 * (double)dt);
    gy_gas_rub_floor(gas, dt);
    gyre_result arrives = gy_gas_diffuse(gas, dt, true);
    if (gy_gas_is_loaded(gas) && dt > 0.0f) {
        gy_gas_unload_grains(gas);
    }
    gy_gas_project(gas, GY_WORK_UNTOLD);
    gy_gas_touch(gas, GY_GAS_ANEW);
    return departs == GYRE_OK ? arrives : departs;
}

/// The first half: what acts before anything is carried.
static gyre_result depart(gyre_gas *gas, float dt, float share, bool anew)
{
    gyre_result r = GYRE_OK;
    bool thick = gy_gas_is_thick(gas, dt);
    gy_gas_blow(gas, share, thick, anew);
    r = gy_gas_diffuse(gas, dt, false);
    if (thick) {
        gy_gas_blow_on(gas, share);
    }
    gy_gas_tame(gas, dt, share);
    bool forced = gy_gas_gather_force(gas);
    gy_gas_carry_scalars(gas, dt, gas->past);
    gy_gas_condense(gas, dt);
    gy_gas_carry_tracers(gas, dt, gas->past);
    trace(gas, dt, gas->past);
    gy_gas_dilate(gas);
    gy_gas_kick(gas, dt, share, forced);
    return r;
}

/// What emitters and particles push is no force that lasts: see gas/flow.c.
static void push(gyre_gas *gas, float dt)
{
    bool pushed = gy_gas_is_pushed(gas), loaded = gy_gas_is_loaded(gas) && dt > 0.0f;
    if (pushed || loaded) {
        gy_gas_measure_work(gas);
        if (pushed) {
            gy_gas_add_sources(gas, dt, GY_GAS_PUSHES);
        }
        if (loaded) {
            gy_gas_unload_grains(gas);
        }
        gy_gas_project(gas, GY_WORK_TOLD);
    }
}

static gyre_result conservative_substep(gyre_gas *gas, float dt)
{
    bool anew = gy_gas_renew(gas);
    anew = !gy_gas_start_frame(gas, dt) && anew;
    gy_gas_carry_out(gas, dt);
    float share = 0.5f * gy_gas_ratio(gas, dt);
    gas->pace = gy_gas_pace(gas, dt);
    gyre_result r = depart(gas, dt, share, anew);
    each_group(gas, gas->velocities, prepare);
    gy_gas_list_fields(gas);
    each_group(gas, gas->velocities, carry_velocities);
    gy_gas_carry_textures(gas, dt, gas->past);
    gy_gas_govern(gas);
    gy_gas_add_sources(gas, dt, GY_GAS_AMOUNTS);
    drive(gas, 0.5f * dt, gy_gas_clock(gas) + (double)dt);
    add_forces(gas, 0.5f * dt);
    gy_gas_rub_floor(gas, dt);
    bool leans = gy_gas_is_thick(gas, dt) && gy_gas_sticks(gas) && !gy_gas_is_stirred(gas);
    if (leans) {
        gy_gas_lean(gas, share);
    }
    gyre_result arriving = gy_gas_diffuse(gas, dt, true);
    gy_gas_project(gas, GY_WORK_TOLD);
    if (gas->given || gy_gas_expands(gas)) {
        // Where velocities are given the pressure does work on the sides, and on what expands.
        gy_gas_note_pressed(gas);
    }
    if (dt > 0.0f) {
        gy_gas_lag(gas, leans ? 2.0f * share : share, true);
        gas->kept.before = dt;
    }
    push(gas, dt);
    gy_gas_age_rims(gas);
    return r == GYRE_OK ? arriving : r;
}

/// Of a gas whose velocity is given: the wind is in `past`, the velocity after it in the fields.
static gyre_result led_substep(gyre_gas *gas, float dt)
{
    gyre_result r = gy_gas_diffuse(gas, dt, false);
    gy_gas_carry_tracers(gas, dt, gas->past);
    if (gas->def->advection == GYRE_GAS_CONSERVATIVE) {
        gas->pace = gy_gas_pace(gas, dt);
        gy_gas_carry_scalars(gas, dt, gas->past);
        gy_gas_condense(gas, dt);
        if (gas->texture) {
            trace(gas, dt, gas->past);
            gy_gas_carry_textures(gas, dt, gas->past);
        }
        // The next step asks for its share, and there is no report to have it from.
        gy_device_fetch(gas->model.device, gy_at(gas->base, gas->carriage), sizeof(gy_carriage));
    } else {
        trace(gas, dt, gas->past);
        for (int end = gas->states, first; end > gas->velocities; end = first) {
            first = GY_MAX(end - gas->together, gas->velocities);
            prepare(gas, first, end - first);
            gy_gas_list_fields(gas);
            carry_plainly(gas, first, end - first);
        }
        extend_scalars(gas);
        gy_gas_carry_textures(gas, dt, gas->past);
    }
    gy_gas_add_sources(gas, dt, GY_GAS_AMOUNTS);
    gyre_result arrives = gy_gas_diffuse(gas, dt, true);
    gy_gas_touch(gas, GY_GAS_ANEW);
    gas->kept.before = 0.0f;
    return r == GYRE_OK ? arrives : r;
}

static gyre_result substep(gyre_gas *gas, float dt)
{
    if (gy_gas_is_led(gas)) {
        return led_substep(gas, dt);
    }
    return gas->def->advection == GYRE_GAS_CONSERVATIVE ? conservative_substep(gas, dt)
                                                        : plain_substep(gas, dt);
}

/// How many substeps keep the Courant number within bounds.
static int substeps(gyre_gas *gas, float dt)
{
    const gyre_gas_def *def = gas->def;
    if (!(def->courant > 0.0f) || gy_gas_is_led(gas)) {
        return 1;
    }
    double courant = (double)gy_gas_max_speed(gas) * (double)dt / (double)def->grid.h;
    double count = courant / (double)def->courant;
    return count < (double)def->max_substeps ? GY_MAX(1, (int)count + ((double)(int)count < count))
                                             : def->max_substeps;
}

/// On a remote device: nothing has happened in this step yet. How fast the gas is stays known.
static void begin_report(gyre_gas *gas)
{
    gyre_device *device = gas->model.device;
    gy_report *r = (gy_report *)(void *)gy_at(gas->base, gas->report);
    bool told = gas->speed_fresh || gas->kept.renew != GY_GAS_GOES_ON ||
                gas->kept.openness != gas->openness;
    if (!told && gas->def->advection == GYRE_GAS_CONSERVATIVE) {
        gy_gas_max_speed(gas);
    }
    gy_device_clear(device, r, offsetof(gy_report, speed));
    gy_device_clear(device, &r->amount, sizeof *r - offsetof(gy_report, amount));
}

gyre_result gy_gas_step(gyre_model *model, float dt)
{
    gyre_gas *gas = (gyre_gas *)model;
    gyre_result r = gy_gas_meet_frame(gas);
    r = r == GYRE_OK ? gy_gas_call_forces(gas, dt) : r;
    r = r == GYRE_OK && gy_gas_is_led(gas) ? gy_gas_lead_on(gas, dt) : r;
    r = r == GYRE_OK ? gy_gas_meet_floor(gas) : r;
    if (r != GYRE_OK) {
        return r;
    }
    int count = substeps(gas, dt);
    gy_gas_note_share(gas);
    gas->stats.cycles = 0;
    gas->stats.capped = 0;
    gas->recorded = false;
    if (gy_device_is_remote(gas->model.device) && !gy_gas_is_led(gas)) {
        begin_report(gas);
        gas->pending = true;
    }
    gy_gas_bring_sources(gas);
    gy_gas_weigh_forces(gas);
    if (dt > 0.0f && !gy_gas_is_led(gas)) {
        gy_gas_turn_frame(gas);
    }
    gy_gas_begin_pushes(gas, dt);
    for (int s = 0; s < count && r == GYRE_OK; s++) {
        r = substep(gas, dt / (float)count);
        gy_gas_pass(gas, (double)dt / count);
    }
    gy_gas_end_pushes(gas, dt);
    double before = model->time;
    model->time += (double)dt;
    model->steps++;
    gy_gas_renew_textures(gas, before);
    gy_gas_end_tracers(gas, before);
    gy_gas_leave_floor(gas);
    gas->stats.step = model->steps;
    gas->stats.time = model->time;
    gas->stats.dt = (double)dt;
    gas->stats.substeps = count;
    if (gas->pending) {
        // The next step may have to know the speed.
        gy_device_prefetch(gas->model.device, gy_at(gas->base, gas->report),
                           gy_gas_report_bytes(gas));
        gy_device_prefetch(gas->model.device, gy_at(gas->base, gas->energy), sizeof(gy_energy));
    } else {
        gy_gas_note_courant(gas, gy_gas_is_led(gas) ? gy_gas_max_speed(gas) : gas->stats.max_speed);
    }
    gas->stats_fresh = gas->kept_divergence = false;
    gas->asked = (uint8_t)(gas->asked / 2);
    gyre_result device = gy_device_status(gas->model.device);
    r = r == GYRE_OK ? gy_gas_push_bodies(gas) : r;
    return r == GYRE_OK ? device : r;
}
