// gas/flow.c: what makes a step second order in time and keeps its energy; doc/gas.md has the
// whole.
//
// With r = dt / dt before (at most 4), P the potential of the pressure's gradient over a step:
//
//     wind   w = u + r/2 (u - u before)          the velocity in the middle of the step
//     kick   v = u + dt/2 f - r/2 G P            what is carried, along w
//     carry  v' = stretched MacCormack of v;  |v'| <= |v|, by scaling where it must
//     then   u = v' + dt/2 f - G phi,  div u = 0;  P = r/2 P + phi
//
// In a box with periodic axes that nothing passes and that nothing stands in, the mean of v along
// those stays what it was: v' = s (v' - mean v') + mean v, |v' - mean v'| <= |v - mean v|. That is
// the one wave of the flow of which the answer is known; no other is changed by it.
//
// Where viscosity and something that holds the gas meet, the second half of P acts before viscosity
// arrives (gy_gas_lean), and P = r P + phi: what acts after it lets the gas slip along walls.
//
// Forces and pressure act half at the start of a path, half at its end. Where u is free of
// divergence, |v|^2 = |u|^2 + |r/2 G P|^2, which no step without forces makes larger.
//
// P holds the pressure of forces that last. What is written into the velocities from outside, what
// a change of solids does to them and what emitters push is made free of divergence by a projection
// of its own, whose potential is forgotten: as a pressure it would act once more, backwards. Of
// solids that move on as in the step before that is one multigrid cycle, where one does it.
#include "gas/flow.h"
#include "gas/cloud.h"
#include "gas/forces.h"
#include "gas/gas.h"
#include "gas/moving.h"
#include "gas/ops/budget.h"
#include <string.h>

/// The step before and this one may differ by this factor in length, as far as w and P go.
#define MOST_RATIO 4.0f

static gy_box cells(const gyre_gas *gas)
{
    return gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
}

/// Whole rows, halos included.
static gy_box all_rows(const gyre_gas *gas)
{
    const int *n = gas->extent.n;
    return gy_box_make(n[0], n[1] + 2, gy_is_3d(gas->extent.dim) ? n[2] + 2 : 1);
}

static gy_energy *energy_of(const gyre_gas *gas)
{
    return (gy_energy *)(void *)gy_at(gas->base, gas->energy);
}

static gy_means *means_of(const gyre_gas *gas)
{
    return (gy_means *)(void *)gy_at(gas->base, gas->means);
}

/// The periodic axes along which carrying the gas changes nothing of its mean velocity: nothing
/// passes its sides and it meets nothing within. (What a gas that expands carries is no volume.)
static int kept_axes(gyre_gas *gas)
{
    bool shut = gas->means && !gas->open_sides && !gas->given && !gy_gas_is_blocked(gas);
    return shut && !gy_gas_expands(gas) ? (int)gas->periodic : 0;
}

/// Adds up what `tasks` tasks have left, here or where the ops run, and hands it to the energy.
static void decide_energy(gyre_gas *gas, uint32_t partial, int tasks, gy_energy_args decision)
{
    if (gas->pending) {
        decision.base = gas->base;
        decision.energy = gas->energy;
        decision.means = gas->means;
        decision.partial = partial;
        decision.tasks = tasks;
        gy_run(gas->model.device, GY_OP_decide_energy, &decision, gy_box_make(1, 1, 1));
        return;
    }
    double sum[3];
    for (int q = 0; q < 3; q++) {
        sum[q] = gy_partial_sum(gas->model.device, gas->base, partial, tasks, q);
    }
    gy_energy *e = energy_of(gas);
    if (decision.kind == GY_ENERGY_TAME) {
        gy_energy_tame(e, sum, decision.time);
    } else if (decision.kind == GY_ENERGY_KICK) {
        gy_energy_begin(e, sum, decision.first, decision.time);
    } else if (decision.kind == GY_ENERGY_CARRIED) {
        gy_energy_carry(e, sum[decision.which], decision.first, decision.last);
    } else if (decision.kind == GY_ENERGY_DRIVEN) {
        gy_energy_drive(e, sum[2]);
    } else if (decision.kind == GY_ENERGY_PRESSED) {
        gy_energy_press(e, decision.time);
    } else if (decision.kind == GY_ENERGY_HELD) {
        memcpy(means_of(gas)->held, sum, sizeof sum);
    } else if (decision.kind == GY_ENERGY_KEPT) {
        gy_energy_keep(e, means_of(gas), sum, decision.which, decision.time);
    } else if (decision.kind == GY_ENERGY_DILATED) {
        gy_energy_dilate(e, sum[0]);
    } else {
        gy_energy_arrive(e, sum[2], decision.first);
    }
    gy_device_put(gas->model.device, e, sizeof *e);
    if (gas->means) {
        gy_device_put(gas->model.device, means_of(gas), sizeof(gy_means));
    }
}

void gy_gas_note_work(gyre_gas *gas, int tasks, bool first)
{
    decide_energy(gas, gas->pressure.partial, tasks,
                  (gy_energy_args){.kind = GY_ENERGY_ARRIVED, .first = first});
}

/// Leaves sums of the velocities' squares as they are; returns in how many pieces.
static int measure_energy(gyre_gas *gas)
{
    gy_divergence_args d = {.base = gas->base,
                            .level = gy_system_offset(&gas->pressure, 0),
                            .partial = gas->pressure.partial,
                            .extent = gas->extent,
                            .energy = 1};
    for (int a = 0; a < 3; a++) {
        d.velocity[a] = gas->slot[GY_MIN(a, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_divergence, &d, cells(gas));
    return gy_task_count(GY_OP_divergence, cells(gas));
}

/// Of gas that keeps its mean velocity along some axes: as it is now, before or after carrying.
static void note_means(gyre_gas *gas, gy_energy_kind kind, int axes)
{
    const int *n = gas->extent.n;
    gy_drift_args d = {.base = gas->base, .partial = gas->pressure.partial, .extent = gas->extent};
    for (int a = 0; a < 3; a++) {
        d.velocity[a] = gas->slot[GY_MIN(a, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_drift, &d, cells(gas));
    decide_energy(gas, d.partial, gy_task_count(GY_OP_drift, cells(gas)),
                  (gy_energy_args){.kind = (int32_t)kind,
                                   .which = axes,
                                   .time = (double)n[0] * (double)n[1] * (double)n[2]});
}

void gy_gas_regain_means(gyre_gas *gas)
{
    if (gas->means) {
        gy_means *m = means_of(gas);
        double most = (double)gas->def->speed_cap * GY_LEAST_OWED;
        gy_means sound = {.owed = {0.0}};
        for (int a = 0; a < 3; a++) {
            sound.owed[a] = m->owed[a] >= -most && m->owed[a] <= most ? m->owed[a] : 0.0;
        }
        *m = sound;
    }
}

void gy_gas_note_carried(gyre_gas *gas, int tasks, bool first, bool last)
{
    uint32_t partial = gas->pressure.partial;
    int axes = last ? kept_axes(gas) : 0;
    gy_energy_args decision = {
        .kind = GY_ENERGY_CARRIED, .first = first, .last = last && axes == 0};
    if (!gy_device_has_own_memory(gas->model.device)) {
        decide_energy(gas, partial, tasks, decision);
    } else if (last) {
        // The twin of correct has an invocation for each cell and leaves no sums.
        decision.first = true;
        decision.which = 2;
        decide_energy(gas, partial, measure_energy(gas), decision);
    }
    if (axes != 0) {
        note_means(gas, GY_ENERGY_KEPT, axes);
    }
}

/// to = by x + also y for all components.
static void blend(gyre_gas *gas, const uint32_t *to, float by, const uint32_t *x, float also,
                  const uint32_t *y)
{
    gy_blend_args a = {
        .base = gas->base, .count = gas->velocities, .by = by, .also = also, .extent = gas->extent};
    for (int c = 0; c < gas->velocities; c++) {
        a.to[c] = to[c];
        a.x[c] = x[c];
        a.y[c] = y ? y[c] : 0;
    }
    gy_run(gas->model.device, GY_OP_blend, &a, all_rows(gas));
}

void gy_gas_touch(gyre_gas *gas, gy_gas_renewal how)
{
    gy_gas_kept *kept = &gas->kept;
    kept->renew = GY_MAX(kept->renew, (int32_t)how);
}

void gy_gas_swap_past(gyre_gas *gas)
{
    for (int c = 0; c < gas->velocities; c++) {
        uint32_t slot = gas->slot[c];
        gas->slot[c] = gas->past[c];
        gas->past[c] = slot;
    }
    gy_gas_list_fields(gas);
}

static void project_alone(gyre_gas *gas, gy_work work)
{
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    gy_gas_carry_out(gas, 0.0f);
    gy_gas_project(gas, work);
}

bool gy_gas_renew(gyre_gas *gas)
{
    gy_gas_kept *kept = &gas->kept;
    if (kept->openness != gas->openness) {
        gy_gas_touch(gas, GY_GAS_TOUCHED);
        kept->openness = gas->openness;
    }
    bool goes_on = kept->renew == GY_GAS_GOES_ON, stirs = gy_gas_is_stirred(gas);
    // What solids that move give the gas is no gain, nor what pushes it as it expands.
    gas->energy_known = gas->energy_known && !stirs && !gy_gas_expands(gas);
    // Solids that move on change little from step to step, and each step would pay for a solve.
    bool rough = stirs && kept->stirred && kept->renew == GY_GAS_TOUCHED;
    kept->stirred = stirs;
    if (goes_on && !kept->shifted) {
        return false;
    }
    if (goes_on) {
        // Of a grid that has moved the velocities before go along, and make a wind with these.
        gy_gas_swap_past(gas);
        project_alone(gas, GY_WORK_UNTOLD);
        gy_gas_swap_past(gas);
    }
    project_alone(gas, rough ? GY_WORK_ROUGH : GY_WORK_UNTOLD);
    if (kept->renew == GY_GAS_ANEW) {
        gy_gas_lag(gas, 0.0f, false);
        kept->before = 0.0f;
    }
    kept->renew = GY_GAS_GOES_ON;
    kept->shifted = 0;
    gas->energy_known = false;
    return !goes_on;
}

float gy_gas_pace(const gyre_gas *gas, float dt)
{
    float pace = dt / gas->grid.h;
    return pace < 1e12f ? pace : 1e12f;
}

void gy_gas_measure_work(gyre_gas *gas)
{
    gy_gas_note_work(gas, measure_energy(gas), true);
}

void gy_gas_note_pressed(gyre_gas *gas)
{
    gy_gas_note_work(gas, measure_energy(gas), false);
}

float gy_gas_ratio(const gyre_gas *gas, float dt)
{
    float before = gas->kept.before;
    return before > 0.0f ? GY_MIN(dt / before, MOST_RATIO) : 1.0f;
}

void gy_gas_blow(gyre_gas *gas, float share, bool thick, bool anew)
{
    // What diffuses before it is carried differs from the step before by as much then as now.
    blend(gas, gas->past, thick ? 1.0f : 1.0f + share, gas->slot, -share,
          anew ? gas->slot : gas->past);
}

void gy_gas_blow_on(gyre_gas *gas, float share)
{
    blend(gas, gas->past, 1.0f, gas->past, share, gas->slot);
}

bool gy_gas_gather_force(gyre_gas *gas)
{
    const gyre_gas_def *def = gas->def;
    int density = gas->velocities;
    bool pulls = false;
    for (int a = 0; a < gas->extent.dim; a++) {
        pulls = pulls || def->gravity[a] != 0.0f;
    }
    bool forced = pulls && (def->thermal_expansion != 0.0f || def->density_weight != 0.0f);
    if (!forced) {
        return pulls && gy_gas_gather_load(gas, false);
    }
    gy_blend_args a = {.base = gas->base,
                       .to = {gas->predicted[0]},
                       .x = {gas->slot[density]},
                       .y = {gas->slot[density + 1]},
                       .count = 1,
                       .by = def->density_weight,
                       .also = -def->thermal_expansion,
                       .extent = gy_gas_extent(gas, density)};
    gy_run(gas->model.device, GY_OP_blend, &a, all_rows(gas));
    gy_gas_gather_load(gas, true);
    return true;
}

/// The arguments of a kick that only measures, and its box.
static gy_kick_args kick_args(const gyre_gas *gas, float share, gy_box *box)
{
    gy_kick_args a = {.base = gas->base,
                      .fields = gas->listed,
                      .level = gy_system_offset(&gas->pressure, 0),
                      .lag = gas->lag,
                      .partial = gas->pressure.partial,
                      .extent = gas->extent,
                      .amount = share,
                      .cap = gas->def->speed_cap};
    *box = cells(gas);
    for (int c = 0; c < gas->velocities; c++) {
        a.velocity[c] = gas->slot[c];
        if (c > 0) {
            box->high[c] = gy_gas_edge(gas, gy_faces(c), c).samples;
        }
    }
    return a;
}

/// Scales the lagged pressure, and what lies beyond its ends.
static void scale_lag(gyre_gas *gas, float share, uint32_t add, uint32_t cg)
{
    gy_vector_args a = {.base = gas->base,
                        .level = gy_system_offset(&gas->pressure, 0),
                        .x = gas->lag,
                        .y = add,
                        .factor = share,
                        .cg = cg};
    gy_run(gas->model.device, GY_OP_direct, &a, cells(gas));
}

void gy_gas_tame(gyre_gas *gas, float dt, float share)
{
    gy_energy *e = energy_of(gas);
    float pace = gy_gas_pace(gas, dt);
    if (gas->pending) {
        gy_energy_args a = {.base = gas->base,
                            .energy = gas->energy,
                            .partial = gas->report,
                            .kind = GY_ENERGY_PACE,
                            .pace = pace};
        gy_run(gas->model.device, GY_OP_decide_energy, &a, gy_box_make(1, 1, 1));
    } else {
        gy_energy_pace(e, gy_gas_max_speed(gas), pace);
        gy_device_put(gas->model.device, &e->slow, sizeof e->slow);
    }
    gy_box box;
    float far = gas->given ? 256.0f : 1.0f; // see gy_energy_tame
    gy_kick_args a = kick_args(gas, share * far, &box);
    a.cap *= far;
    gy_device_gate(gas->model.device, &e->slow);
    gy_run(gas->model.device, GY_OP_kick, &a, box);
    if (gas->pending || !e->slow) {
        decide_energy(gas, a.partial, gy_task_count(GY_OP_kick, box),
                      (gy_energy_args){.kind = GY_ENERGY_TAME, .time = (double)far});
    }
    scale_lag(gas, 1.0f, 0, gas->energy);
    gy_vector_wrap(&gas->pressure, gas->lag);
    gy_device_gate(gas->model.device, NULL);
}

// What a frame does to the gas is known before the first step: u + dt (f - grad p) has the pressure
// that lasts, and says how the wind changes. The gas stays as it was.
bool gy_gas_start_frame(gyre_gas *gas, float dt)
{
    if (gas->kept.before > 0.0f || !(dt > 0.0f) || !gas->forces || !gy_gas_is_framed(gas->def)) {
        return false;
    }
    blend(gas, gas->past, 1.0f, gas->slot, 0.0f, NULL);
    gy_gas_feel_frame(gas, dt, false);
    gy_gas_add_felt(gas, dt);
    project_alone(gas, GY_WORK_UNTOLD);
    gy_gas_lag(gas, 0.0f, true);
    gy_gas_note_push(gas, gas->lag, -1.0f);
    gy_gas_swap_past(gas);
    blend(gas, gas->past, 2.0f, gas->slot, -1.0f, gas->past);
    gas->kept.before = dt;
    return true;
}

// Before the kick, which puts what is carried where the wind was.
void gy_gas_dilate(gyre_gas *gas)
{
    gy_dilate_args a = {.base = gas->base,
                        .level = gy_gas_is_blocked(gas) ? gy_system_offset(&gas->pressure, 0) : 0,
                        .partial = gas->pressure.partial,
                        .extent = gas->extent,
                        .scale = gas->pace,
                        .periodic = gas->periodic,
                        .open_sides = gas->open_sides | gas->given,
                        .given = gas->given};
    if (!gy_gas_expands(gas)) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        a.wind[c] = gas->past[GY_MIN(c, gas->velocities - 1)];
        a.velocity[c] = gas->slot[GY_MIN(c, gas->velocities - 1)];
    }
    gy_box box = cells(gas);
    gy_run(gas->model.device, GY_OP_dilate, &a, box);
    decide_energy(gas, a.partial, gy_task_count(GY_OP_dilate, box),
                  (gy_energy_args){.kind = GY_ENERGY_DILATED});
}

void gy_gas_kick(gyre_gas *gas, float dt, float share, bool forced)
{
    gy_box box;
    gy_kick_args a = kick_args(gas, share, &box);
    gy_gas_note_push(gas, gas->lag, share);
    a.force = forced ? gas->predicted[0] : 0;
    for (int c = 0; c < gas->velocities; c++) {
        double pull = 0.5 * (double)dt * (double)gas->def->gravity[c];
        a.pull[c] = (float)(pull > 1e12 ? 1e12 : pull < -1e12 ? -1e12 : pull);
        a.to[c] = gas->past[c];
        // The wind is no longer needed; what was there is the step before from here on.
        gas->past[c] = gas->slot[c];
        gas->slot[c] = a.to[c];
    }
    gy_run(gas->model.device, GY_OP_kick, &a, box);
    decide_energy(gas, a.partial, gy_task_count(GY_OP_kick, box),
                  (gy_energy_args){.kind = GY_ENERGY_KICK,
                                   .first = !gas->energy_known,
                                   .time = gas->model.time});
    gas->energy_known = true;
    bool driven = gy_gas_is_driven(gas);
    if (driven) {
        gy_gas_drive(gas, 0.5f * dt, gy_gas_clock(gas), false);
        decide_energy(gas, a.partial, measure_energy(gas),
                      (gy_energy_args){.kind = GY_ENERGY_DRIVEN});
    }
    if (gas->given || gy_gas_is_stirred(gas)) {
        double brought = gy_gas_rim_energy(gas, gas->pace) + gy_gas_stirred_energy(gas, gas->pace);
        decide_energy(gas, a.partial, 0,
                      (gy_energy_args){.kind = GY_ENERGY_PRESSED, .time = brought});
    }
    for (int c = 0; c < gas->velocities; c++) {
        gy_gas_extend(gas, c);
    }
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, driven || gy_gas_is_blocked(gas));
    int axes = kept_axes(gas);
    if (axes != 0) {
        note_means(gas, GY_ENERGY_HELD, axes);
    }
}

void gy_gas_lean(gyre_gas *gas, float share)
{
    gy_box box;
    gy_kick_args a = kick_args(gas, share, &box);
    gy_gas_note_work(gas, measure_energy(gas), false);
    gy_gas_note_push(gas, gas->lag, share);
    for (int c = 0; c < gas->velocities; c++) {
        a.to[c] = gas->back[c]; // that paths no longer need
    }
    gy_run(gas->model.device, GY_OP_kick, &a, box);
    blend(gas, gas->slot, 1.0f, gas->back, 0.0f, NULL);
    for (int c = 0; c < gas->velocities; c++) {
        gy_gas_extend(gas, c);
    }
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    // What a gradient gives and takes here the projection would have given and taken: no work.
    gy_gas_note_work(gas, measure_energy(gas), true);
}

void gy_gas_foresee(gyre_gas *gas, float dt, const uint32_t *to)
{
    gy_box box;
    gy_kick_args a = kick_args(gas, 0.5f * gy_gas_ratio(gas, dt), &box);
    memcpy(a.to, to, (size_t)gas->velocities * sizeof *to);
    gy_run(gas->model.device, GY_OP_kick, &a, box);
}

void gy_gas_govern(gyre_gas *gas)
{
    gy_blend_args a = {.base = gas->base,
                       .count = gas->velocities,
                       .by = 1.0f,
                       .energy = gas->energy,
                       .means = kept_axes(gas) != 0 ? gas->means : 0,
                       .extent = gas->extent};
    for (int c = 0; c < gas->velocities; c++) {
        a.to[c] = a.x[c] = gas->slot[c];
    }
    gy_device_gate(gas->model.device, &energy_of(gas)->calm);
    gy_run(gas->model.device, GY_OP_blend, &a, all_rows(gas));
    gy_device_gate(gas->model.device, NULL);
}

void gy_gas_lag(gyre_gas *gas, float share, bool solved)
{
    const gy_system *system = &gas->pressure;
    scale_lag(gas, share, solved ? gy_system_level(system, 0)->x : 0, 0);
    if (solved && system->low) {
        scale_lag(gas, 1.0f, system->low, 0);
    }
    gy_vector_wrap(system, gas->lag);
}

size_t gy_gas_flow_bytes(const gyre_gas *gas)
{
    return (size_t)gas->velocities * gas->slot_bytes + gy_system_vector_bytes(&gas->pressure);
}

static void copy_part(const gyre_gas *gas, void *at, char *bytes, size_t size, bool out)
{
    if (out) {
        gy_device_fetch(gas->model.device, at, size);
    }
    memcpy(out ? bytes : (char *)at, out ? (char *)at : bytes, size);
    if (!out) {
        gy_device_put(gas->model.device, at, size);
    }
}

void gy_gas_copy_flow(const gyre_gas *gas, char *bytes, bool out)
{
    for (int c = 0; c < gas->velocities; c++, bytes += gas->slot_bytes) {
        copy_part(gas, gy_at(gas->base, gas->past[c] - gas->origin), bytes, gas->slot_bytes, out);
    }
    copy_part(gas, gy_system_vector_start(&gas->pressure, gas->lag), bytes,
              gy_system_vector_bytes(&gas->pressure), out);
}
