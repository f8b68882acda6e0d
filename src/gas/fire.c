// gas/fire.c: what burns in a gas: arguments, ledgers, and what is refused. The equations and the
// cost stand in gas/ops/burn.c, what they mean in doc/gas.md.
//
// The field of temperature is heat per volume, over that of a kelvin of the air outside. By
// conservative transport and a source of volume v per unit of it, div u = x dt/dt with x = 1/K as
// the lift, it obeys what the deficit of density of a gas at constant pressure does: with x t = 1 -
// rho / rho outside, d rho/dt + div(rho u) = 0 becomes dt/dt + div(t u) = (div u) / x. So lift as x
// t is the whole of it at 1000 K, too, and the same heat lifts as much whether it expands or not.
#include "base/maths.h"
#include "gas/gas.h"
#include "gas/ops/burn.h"
#include <stdio.h>
#include <string.h>

bool gy_gas_burns(const gyre_gas_def *def)
{
    return def->fire.fuel[0] != 0;
}

bool gy_gas_expands(const gyre_gas *gas)
{
    return gas->burnt > 0 && gas->def->fire.expansion > 0.0f;
}

/// Which channel has a name; -1: none.
static int channel_named(const gyre_gas_def *def, const char *name)
{
    int s = gy_gas_scalar_named(def, name);
    return s >= GY_GAS_OWN ? s : -1;
}

static const char *channel_name(const void *def, int index)
{
    return ((const gyre_gas_channel *)((const gyre_gas_def *)def)->channels.items)[index].name;
}

static gyre_result check_channel(const gyre_gas_def *def, const char *name, const char *member)
{
    if (!memchr(name, 0, sizeof def->fire.fuel) || channel_named(def, name) < 0) {
        char called[sizeof def->fire.fuel];
        snprintf(called, sizeof called, "%.31s", name);
        const char *nearest = gyre_name_nearest(called, def->channels.count, channel_name, def);
        return gyre_fail(GYRE_ERROR_ARGUMENT, "fire.%s: there is no channel \"%s\"%s%s%s", member,
                         called,
                         def->channels.count == 0 ? ": channels are empty"
                         : nearest                ? ", did you mean \""
                                                  : "; channels have others",
                         nearest ? nearest : "", nearest ? "\"?" : "");
    }
    return GYRE_OK;
}

/// Whether two members name one channel.
static gyre_result check_apart(const char *one, const char *other, const char *member,
                               const char *what)
{
    return one[0] && strcmp(one, other) == 0
               ? gyre_fail(GYRE_ERROR_ARGUMENT,
                           "fire.%s: \"%.31s\" is %s, expected another channel", member, one, what)
               : GYRE_OK;
}

static gyre_result check_front(const gyre_gas_def *def)
{
    const gyre_gas_fire *fire = &def->fire;
    const gyre_gas_front *front = &fire->front;
    if (!front->burnt[0]) {
        return front->lit[0] || front->speed > 0.0f
                   ? gyre_fail(
                         GYRE_ERROR_ARGUMENT,
                         "fire.front.%s has no effect, as fire.front.burnt is empty, expected "
                         "the name of a channel there",
                         front->lit[0] ? "lit" : "speed")
                   : GYRE_OK;
    }
    gyre_result r = check_channel(def, front->burnt, "front.burnt");
    r = r == GYRE_OK ? check_apart(front->burnt, fire->fuel, "front.burnt", "the fuel") : r;
    if (front->lit[0]) {
        r = r == GYRE_OK ? check_channel(def, front->lit, "front.lit") : r;
        r = r == GYRE_OK ? check_apart(front->lit, fire->fuel, "front.lit", "the fuel") : r;
        r = r == GYRE_OK ? check_apart(front->lit, front->burnt, "front.lit", "what has burnt") : r;
    }
    if (fire->spent[0]) {
        r = r == GYRE_OK ? check_apart(fire->spent, front->burnt, "spent", "what has burnt") : r;
        r = r == GYRE_OK ? check_apart(fire->spent, front->lit, "spent", "what is lit") : r;
    }
    if (r == GYRE_OK && fire->spent[0] && fire->air > 1.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "fire.air: %g, expected at most 1 beside fire.front.burnt: what a front "
                         "burns brings its air, a volume for a unit of it at most",
                         (double)fire->air);
    }
    return r;
}

gyre_result gy_gas_check_fire(const gyre_gas_def *def)
{
    const gyre_gas_fire *fire = &def->fire;
    if (!gy_gas_burns(def)) {
        return GYRE_OK;
    }
    gyre_result r = check_channel(def, fire->fuel, "fuel");
    r = r == GYRE_OK && fire->spent[0] ? check_channel(def, fire->spent, "spent") : r;
    r = r == GYRE_OK ? check_apart(fire->spent, fire->fuel, "spent", "the fuel") : r;
    r = r == GYRE_OK ? check_front(def) : r;
    if (r != GYRE_OK) {
        return r;
    }
    if (def->half_scalars) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "fire.fuel: \"%.31s\", and half_scalars are set: fire takes floats",
                         fire->fuel);
    }
    if (!(fire->expansion > 0.0f)) {
        return GYRE_OK;
    }
    if (def->advection != GYRE_GAS_CONSERVATIVE || def->velocity != GYRE_GAS_SOLVED) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "fire.expansion: %g, expected 0 unless advection is \"conservative\" and "
                         "velocity is \"solved\"",
                         (double)fire->expansion);
    }
    if (!(def->thermal_expansion > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "fire.expansion: %g has no effect, as thermal_expansion is 0",
                         (double)fire->expansion);
    }
    return GYRE_OK;
}

void gy_gas_note_fire(gyre_field_info *field, const gyre_gas_def *def)
{
    const gyre_gas_fire *fire = &def->fire;
    if (gy_gas_burns(def) && strcmp(field->name, fire->fuel) == 0) {
        field->doc = "fuel that fire burns";
        field->role = GYRE_ROLE_NONE;
    } else if (gy_gas_burns(def) && strcmp(field->name, fire->spent) == 0) {
        field->doc = "oxygen that the air lacks";
        field->role = GYRE_ROLE_NONE;
    } else if (gy_gas_burns(def) && strcmp(field->name, fire->front.burnt) == 0) {
        field->doc = "fuel that a flame has passed";
        field->role = GYRE_ROLE_NONE;
    } else if (gy_gas_burns(def) && strcmp(field->name, fire->front.lit) == 0) {
        field->doc = "what of it gives its heat still";
        field->role = GYRE_ROLE_NONE;
    }
}

gyre_result gy_gas_require_fire(gyre_device *device)
{
    static const gy_op ops[] = {GY_OP_burn, GY_OP_front, GY_OP_dilate};
    return gy_device_require(device, "fire", ops, GY_COUNT(ops));
}

double *gy_gas_burnt(const gyre_gas *gas)
{
    return (double *)(void *)gy_at(gas->base, gas->burnt);
}

int gy_gas_burnt_count(const gyre_gas *gas)
{
    return gas->scalars + 1;
}

/// Enters what tasks have left, in place `which` of their four numbers: in the ledger of a scalar,
/// and among what is burnt.
static void enter(gyre_gas *gas, int field, gy_gas_entry entry, uint32_t partial, int which,
                  int tasks, int member)
{
    gy_tally_args t = {.base = gas->base,
                       .ledgers = gas->burnt,
                       .partial = {partial},
                       .tasks = {tasks},
                       .kind = GY_TALLY_ADD,
                       .member = member,
                       .which = which,
                       .scale = 1.0};
    gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
    if (gy_gas_counts(gas, field)) {
        t.ledgers = gas->ledgers + (uint32_t)(field - gas->velocities);
        t.member = (int32_t)entry;
        gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
    }
}

/// A channel's field; -1: it has no name.
static int field_named(const gyre_gas *gas, const char *name)
{
    return name[0] ? gas->velocities + channel_named(gas->def, name) : -1;
}

/// At most so many cells are passed by a front in a step.
enum { MOST_PASSES = 32 };

/// In how many passes a front moves no further than a cell in each, hot gas that it leaves swollen;
/// and how far, in cells of fuel.
static int passes(const gyre_gas *gas, float dt, float *speed)
{
    const gyre_gas_fire *fire = &gas->def->fire;
    double far = (double)fire->front.speed * (double)dt / (double)gas->grid.h, thin = 1.0;
    if (gy_gas_expands(gas)) {
        thin += (double)fire->expansion * (double)gas->def->thermal_expansion * (double)fire->heat;
    }
    double count = 1.25 * far * (thin < 11.0 ? thin : 11.0) + 1.0;
    int passes = count < (double)MOST_PASSES ? (int)count : MOST_PASSES;
    far /= (double)passes;
    *speed = (float)(far < 1.0 ? far : 1.0);
    return passes;
}

/// What a front passes now, into a spare place.
static void pass(gyre_gas *gas, const gy_burn_args *burn, float speed)
{
    gy_front_args a = {.base = burn->base,
                       .fuel = burn->fuel,
                       .burnt = burn->burnt,
                       .to = burn->passed,
                       .level = burn->level,
                       .periodic = gas->periodic,
                       .extent = burn->extent,
                       .speed = speed,
                       .swells = burn->expand * burn->heat};
    const gyre_gas_fire *fire = &gas->def->fire;
    const char *const names[] = {fire->fuel, fire->front.burnt};
    for (int q = 0; q < GY_COUNT(names); q++) {
        int field = field_named(gas, names[q]);
        gy_gas_extend(gas, field);
        gy_gas_halo(gas, field, 1, false, true);
    }
    gy_run(gas->model.device, GY_OP_front, &a, gy_gas_box(gas, GYRE_CENTRE));
}

void gy_gas_burn(gyre_gas *gas, float dt, bool touched[GY_GAS_FIELDS])
{
    const gyre_gas_fire *fire = &gas->def->fire;
    if (!gas->burnt || !(dt > 0.0f)) {
        return;
    }
    int fuel = field_named(gas, fire->fuel), spent = field_named(gas, fire->spent),
        burnt = field_named(gas, fire->front.burnt), lit = field_named(gas, fire->front.lit),
        smoke = gas->velocities, heat = smoke + 1;
    double decades = (double)fire->rate * (double)dt,
           cool = 3e-12 * (double)fire->cooling * (double)dt;
    gy_burn_args a = {.base = gas->base,
                      .swelling = gy_gas_expands(gas) ? gy_gas_swelling(gas) : 0,
                      .fuel = gas->slot[fuel],
                      .temperature = gas->slot[heat],
                      .density = gas->slot[smoke],
                      .spent = spent >= 0 ? gas->slot[spent] : 0,
                      .level = gy_gas_is_blocked(gas) ? gy_system_offset(&gas->pressure, 0) : 0,
                      .partial = gas->pressure.partial,
                      .more = gas->sums,
                      .extent = gy_gas_extent(gas, fuel),
                      .ignition = fire->ignition,
                      .heat = fire->heat,
                      .soot = fire->soot,
                      .air = spent >= 0 ? fire->air : 0.0f,
                      .burnt = burnt >= 0 ? gas->slot[burnt] : 0,
                      .lit = lit >= 0 ? gas->slot[lit] : 0,
                      .passed = burnt >= 0 ? gas->spare[0] : 0};
    a.per_air = a.air > 1e-20f ? 1.0f / a.air : 1e20f;
    a.expand = a.swelling ? fire->expansion * gas->def->thermal_expansion : 0.0f;
    gy_box box = gy_gas_box(gas, GYRE_CENTRE);
    int tasks = gy_task_count(GY_OP_burn, box);
    float speed = 0.0f;
    for (int left = burnt >= 0 ? passes(gas, dt, &speed) : 1; left > 0; left--) {
        if (burnt >= 0) {
            pass(gas, &a, speed);
        }
        if (left == 1) {
            a.part = 1.0f - gy_expf(-(float)(decades < 80.0 ? decades : 80.0));
            a.cool = (float)(cool < 1e10 ? cool : 1e10);
        }
        gy_run(gas->model.device, GY_OP_burn, &a, box);
        enter(gas, fuel, GY_GAS_ADDED, a.partial, 0, tasks, fuel - gas->velocities);
        enter(gas, heat, GY_GAS_ADDED, a.partial, 1, tasks, heat - gas->velocities);
        enter(gas, heat, GY_GAS_FADED, a.partial, 2, tasks, gas->scalars);
        enter(gas, smoke, GY_GAS_ADDED, a.partial, 3, tasks, smoke - gas->velocities);
        const int more[3] = {burnt >= 0 ? burnt : spent, lit, burnt >= 0 ? spent : -1};
        for (int q = 0; q < 3; q++) {
            if (more[q] >= 0) {
                enter(gas, more[q], GY_GAS_ADDED, a.more, q, tasks, more[q] - gas->velocities);
                touched[more[q]] = true;
            }
        }
    }
    touched[fuel] = touched[heat] = touched[smoke] = true;
}
