// gas/cloud.c: surroundings that change with height, and clouds: what is known of levels, what is
// refused, ledgers. With z the height over `ground`, G the lapse, T0 and p0 of the ground,
//
//     T = T0 - G z,   ln p = ln p0 - g/R (integral of dz / T),   exner = (p / p0)^(R / cp)
//     theta = T / exner,   d theta/dz = theta / T (g / cp - G)
//     q = min(humidity s(T0, p0), aloft s(T, p)),                s as in gas/ops/steam.h
//
// The field of temperature is what the potential temperature is over theta (Boussinesq's form, as
// in Y. Ogura and N. Phillips, J. Atmos. Sci. 19, 1962, of shallow clouds). R. Miyazaki and others
// (A method for modeling clouds based on atmospheric fluid dynamics, 2001) and M. Harris and others
// (Simulation of cloud dynamics on graphics hardware, 2003) drew clouds of this kind. Cost: that of
// gas/ops/condense.c and rain.c, and two fields more that buoyancy reads.
#include "gas/cloud.h"
#include "base/maths.h"
#include "gas/ops/condense.h"
#include <string.h>

/// R / cp.
#define KAPPA (GY_AIR_GAS / GY_AIR_HEAT)
/// By how much vapour is lighter than air, over it: R vapour / R - 1.
#define VAPOUR_LIFT 0.608f

/// Of what the levels are known.
typedef struct known {
    gyre_gas_atmosphere of;
    float gravity, ground, h;
} known;

enum { HEAD_BYTES = (sizeof(known) + 63) / 64 * 64 };

static gyre_result refuse_channel(const gyre_gas_def *def, const char *member, const char *name)
{
    if (!memchr(name, 0, sizeof def->atmosphere.vapour)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "atmosphere.%s: a name that does not end", member);
    }
    gyre_amount amount = {.amount = 0.0f};
    memcpy(amount.name, name, sizeof amount.name);
    gyre_result r = gy_gas_check_amounts(def, &amount, 1, "atmosphere", member);
    if (r == GYRE_OK && gy_gas_scalar_named(def, name) < GY_GAS_OWN) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT,
                      "atmosphere.%s: \"%s\" is no channel, expected one of channels", member,
                      name);
    }
    bool burns =
        name[0] && (strcmp(name, def->fire.fuel) == 0 || strcmp(name, def->fire.spent) == 0);
    return r == GYRE_OK && burns
               ? gyre_fail(GYRE_ERROR_ARGUMENT, "atmosphere.%s: \"%s\" is fire's, expected another",
                           member, name)
               : r;
}

static gyre_result check_channels(const gyre_gas_def *def)
{
    const gyre_gas_atmosphere *a = &def->atmosphere;
    if (!a->vapour[0]) {
        return a->water[0] || a->rain[0]
                   ? gyre_fail(GYRE_ERROR_ARGUMENT,
                               "atmosphere.%s: \"%.31s\", and vapour is empty, expected a channel",
                               a->water[0] ? "water" : "rain", a->water[0] ? a->water : a->rain)
                   : GYRE_OK;
    }
    gyre_result r = refuse_channel(def, "vapour", a->vapour);
    if (r == GYRE_OK && !a->water[0]) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT,
                      "atmosphere.water: empty, expected a channel for what condenses of \"%s\"",
                      a->vapour);
    }
    r = r == GYRE_OK ? refuse_channel(def, "water", a->water) : r;
    r = r == GYRE_OK && a->rain[0] ? refuse_channel(def, "rain", a->rain) : r;
    if (r == GYRE_OK && (strcmp(a->vapour, a->water) == 0 || strcmp(a->vapour, a->rain) == 0 ||
                         strcmp(a->water, a->rain) == 0)) {
        r = gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "atmosphere: vapour \"%s\", water \"%s\", rain \"%s\", expected channels that "
            "differ",
            a->vapour, a->water, a->rain);
    }
    return r;
}

/// The axis that is up; -1: none is.
static int upward(const gyre_gas_def *def)
{
    int axis = -1;
    for (int a = 0; a < def->grid.dim; a++) {
        bool falls = def->gravity[a] < 0.0f && a > 0 && axis < 0;
        if (def->gravity[a] != 0.0f && !falls) {
            return -1;
        }
        axis = falls ? a : axis;
    }
    return axis;
}

static gyre_result check_place(const gyre_gas_def *def)
{
    const gyre_gas_atmosphere *a = &def->atmosphere;
    const gyre_gas_side *sides = &def->sides.x_low;
    int up = upward(def);
    if (up < 0) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "gravity: (%g, %g, %g), expected along -y%s where atmosphere.layered is set",
            (double)def->gravity[0], (double)def->gravity[1], (double)def->gravity[2],
            gy_is_3d(def->grid.dim) ? " or -z" : "");
    }
    if (sides[2 * up].rule == GYRE_GAS_SIDE_PERIODIC) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sides.%s: periodic, expected another rule: atmosphere.layered is set",
                         gy_gas_side_name(2 * up));
    }
    double low = (double)def->grid.origin[up] - (double)a->ground,
           high = low + (double)def->grid.h * (double)def->grid.n[up];
    double warm[2] = {(double)a->temperature - (double)a->lapse * low,
                      (double)a->temperature - (double)a->lapse * high};
    for (int q = 0; q < 2; q++) {
        if (!(warm[q] >= 150.0 && warm[q] <= 350.0)) {
            return gyre_fail(
                GYRE_ERROR_ARGUMENT,
                "atmosphere.lapse: %g K/m leaves %g K at a height of %g m, expected 150 "
                "to 350 K in all of the domain",
                (double)a->lapse, warm[q], q ? high : low);
        }
    }
    return GYRE_OK;
}

gyre_result gy_gas_check_atmosphere(const gyre_gas_def *def)
{
    if (!def->atmosphere.layered) {
        return GYRE_OK;
    }
    if (def->advection != GYRE_GAS_CONSERVATIVE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "atmosphere.layered: set, expected not unless advection is "
                         "\"conservative\"");
    }
    if (def->half_scalars) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "atmosphere.layered: set, and half_scalars are: an atmosphere takes floats");
    }
    gyre_result r = check_channels(def);
    return r == GYRE_OK ? check_place(def) : r;
}

void gy_gas_note_cloud(gyre_field_info *field, const gyre_gas_def *def)
{
    const gyre_gas_atmosphere *a = &def->atmosphere;
    if (!a->layered) {
        return;
    }
    if (a->vapour[0] && strcmp(field->name, a->vapour) == 0) {
        field->doc = "water vapour beside that of the surroundings";
        field->unit = "kg/kg";
        field->role = GYRE_ROLE_NONE;
    } else if (a->water[0] && strcmp(field->name, a->water) == 0) {
        field->doc = "droplets: cloud";
        field->unit = "kg/kg";
    } else if (a->rain[0] && strcmp(field->name, a->rain) == 0) {
        field->doc = "drops that fall";
        field->unit = "kg/kg";
    }
}

gyre_result gy_gas_require_cloud(gyre_device *device)
{
    static const gy_op ops[] = {GY_OP_condense, GY_OP_rain};
    return gy_device_require(device, "an atmosphere", ops, GY_COUNT(ops));
}

static int levels_of(const gyre_gas *gas, const gyre_gas_def *def)
{
    return gas->extent.n[upward(def)] + 2;
}

void gy_gas_plan_levels(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept)
{
    if (def->atmosphere.layered) {
        size_t floats = (size_t)levels_of(gas, def) * GY_LEVEL_FLOATS;
        gas->levels = gy_arena_take(kept, HEAD_BYTES + floats * sizeof(float));
    }
}

// ---- levels -------------------------------------------------------------------------------------

/// The mixing ratio of saturation.
static double most_vapour(double t, double p)
{
    double e = 611.2 * (double)gy_expf((float)(17.67 * (t - 273.15) / (t - 29.65)));
    e = e < 0.5 * p ? e : 0.5 * p;
    return 0.622 * e / (p - e);
}

/// K, and, over the ground's, the logarithm of the pressure.
static double air_at(const known *k, double z, double *fall)
{
    double t0 = (double)k->of.temperature, lapse = (double)k->of.lapse;
    double t = t0 - lapse * z, x = lapse * z / t0, way;
    way = x < 1e-3 && x > -1e-3 ? z / t0 * (1.0 + x * (0.5 + x / 3.0))
                                : -(double)gy_logf((float)(t / t0)) / lapse;
    *fall = -(double)k->gravity / (double)GY_AIR_GAS * way;
    return t;
}

static double vapour_at(const known *k, double t, double p)
{
    double own = (double)k->of.humidity *
                 most_vapour((double)k->of.temperature, (double)k->of.pressure),
           most = (double)k->of.aloft * most_vapour(t, p);
    return k->of.vapour[0] ? GY_MIN(own, most) : 0.0;
}

static double pressure_at(const known *k, double fall)
{
    return (double)k->of.pressure * (double)gy_expf((float)fall);
}

/// Level q, from -1 on.
static void fill_level(const known *k, int q, float *level)
{
    double fall, h = (double)k->h, z = (double)k->ground + h * ((double)q + 0.5),
                 t = air_at(k, z, &fall), p = pressure_at(k, fall);
    double exner = (double)gy_expf((float)((double)KAPPA * fall)), theta = t / exner;
    double low, own = vapour_at(k, t, p), t_low = air_at(k, z - h, &low),
                below = vapour_at(k, t_low, pressure_at(k, low));
    double face, t_face = air_at(k, z - 0.5 * h, &face);
    double theta_face = t_face / (double)gy_expf((float)((double)KAPPA * face));
    double grows =
        theta_face / t_face * ((double)k->gravity / (double)GY_AIR_HEAT - (double)k->of.lapse);
    double weight = p / ((double)GY_AIR_GAS * t),
           ground = (double)k->of.pressure / ((double)GY_AIR_GAS * (double)k->of.temperature);
    level[GY_LEVEL_EXNER] = (float)exner;
    level[GY_LEVEL_WARM] = (float)theta;
    level[GY_LEVEL_PRESS] = (float)p;
    level[GY_LEVEL_VAPOUR] = (float)own;
    level[GY_LEVEL_HEAT_UP] = (float)(0.5 * h * grows);
    level[GY_LEVEL_DAMP_UP] = (float)(0.5 * (own - below));
    level[GY_LEVEL_WEIGHT] = (float)weight;
    level[GY_LEVEL_FALL] = gy_sqrtf((float)(ground / weight));
}

/// Makes the levels, where they were made for another def or another place.
static void fill_levels(gyre_gas *gas, int up)
{
    const gyre_gas_def *def = gas->def;
    known *made = (known *)(void *)gy_at(gas->base, gas->levels), k;
    // Padding counts among what is compared.
    memset(&k, 0, sizeof k);
    memcpy(&k.of, &def->atmosphere, sizeof k.of);
    k.gravity = -def->gravity[up];
    k.ground = gas->grid.origin[up] - def->atmosphere.ground;
    k.h = gas->grid.h;
    if (memcmp(made, &k, sizeof k) == 0) {
        return;
    }
    *made = k;
    float *level = (float *)(void *)((char *)made + HEAD_BYTES);
    int count = levels_of(gas, def);
    for (int q = 0; q < count; q++) {
        fill_level(&k, q - 1, level + (ptrdiff_t)q * GY_LEVEL_FLOATS);
    }
    gy_device_put(gas->model.device, made,
                  HEAD_BYTES + (size_t)count * GY_LEVEL_FLOATS * sizeof(float));
}

// ---- ledgers ------------------------------------------------------------------------------------

int gy_gas_turned_count(const gyre_gas_def *def, int scalars)
{
    return def->atmosphere.layered ? scalars + 3 : 0;
}

double *gy_gas_turned(const gyre_gas *gas)
{
    return (double *)(void *)gy_at(gas->base, gas->turned);
}

/// The field of a channel; -1: there is none.
static int field_of(const gyre_gas *gas, const char *name)
{
    return name[0] ? gas->velocities + gy_gas_scalar_named(gas->def, name) : -1;
}

/// Enters what tasks have left: in the ledger of a field, and among what has turned.
static void enter(gyre_gas *gas, int field, gy_gas_entry entry, uint32_t partial, int which,
                  int tasks, int member, double sign)
{
    gy_tally_args t = {.base = gas->base,
                       .ledgers = gas->turned,
                       .partial = {partial},
                       .tasks = {tasks},
                       .kind = GY_TALLY_ADD,
                       .member = member,
                       .which = which,
                       .scale = sign};
    gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
    t.ledgers = gas->ledgers + (uint32_t)(field - gas->velocities);
    t.member = (int32_t)entry;
    gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
}

void gy_gas_read_turned(const gyre_gas *gas, int field, double cell, gyre_gas_budget *budget)
{
    if (!gas->turned) {
        return;
    }
    const gyre_gas_atmosphere *a = &gas->def->atmosphere;
    const double *turned = gy_gas_turned(gas);
    int s = field - gas->velocities, count = gy_gas_turned_count(gas->def, gas->scalars);
    gy_device_fetch(gas->model.device, turned, (size_t)count * sizeof *turned);
    budget->turned = turned[s] * cell;
    budget->rained = field == field_of(gas, a->rain) ? -turned[gas->scalars] * cell : 0.0;
    budget->risen = s == 1                              ? turned[gas->scalars + 1] * cell
                    : field == field_of(gas, a->vapour) ? turned[gas->scalars + 2] * cell
                                                        : 0.0;
}

// ---- a step -------------------------------------------------------------------------------------

static void fall(gyre_gas *gas, float dt, int up, int rain)
{
    gy_rain_args a = {.base = gas->base,
                      .rain = gas->slot[rain],
                      .levels = gas->levels + HEAD_BYTES / 64,
                      .level = gy_gas_is_blocked(gas) ? gy_system_offset(&gas->pressure, 0) : 0,
                      .partial = gas->pressure.partial,
                      .extent = gas->extent,
                      .axis = up,
                      .pace = gy_gas_pace(gas, dt)};
    gy_box box = gy_box_make(gas->extent.n[0], gas->extent.n[3 - up], 1);
    gy_run(gas->model.device, GY_OP_rain, &a, box);
    enter(gas, rain, GY_GAS_FADED, a.partial, 0, gy_task_count(GY_OP_rain, box), gas->scalars,
          -1.0);
}

static float part_of(double x)
{
    return 1.0f - gy_expf(-(float)(x < 80.0 ? x : 80.0));
}

static gy_condense_args arguments(const gyre_gas *gas, float dt, int up)
{
    const gyre_gas_atmosphere *air = &gas->def->atmosphere;
    int vapour = field_of(gas, air->vapour), water = field_of(gas, air->water),
        rain = vapour >= 0 ? field_of(gas, air->rain) : -1;
    double collect = (double)dt * (double)air->collection,
           dry = (double)dt * (double)air->evaporation;
    gy_condense_args a = {.base = gas->base,
                          .temperature = gas->slot[gas->velocities + 1],
                          .vapour = vapour >= 0 ? gas->slot[vapour] : 0,
                          .water = vapour >= 0 ? gas->slot[water] : 0,
                          .rain = rain >= 0 ? gas->slot[rain] : 0,
                          .levels = gas->levels + HEAD_BYTES / 64,
                          .level = gy_gas_is_blocked(gas) ? gy_system_offset(&gas->pressure, 0) : 0,
                          .partial = gas->pressure.partial,
                          .more = gas->sums,
                          .extent = gas->extent,
                          .periodic = gas->periodic,
                          .open_sides = gas->open_sides | gas->given,
                          .given = gas->given,
                          .axis = up,
                          .pace = gy_gas_pace(gas, dt),
                          .part = part_of((double)air->growth * (double)dt),
                          .least = air->least,
                          .collect = (float)(collect < 1e12 ? collect : 1e12),
                          .dry = (float)(dry < 1e12 ? dry : 1e12)};
    for (int d = 0; d < 3; d++) {
        a.wind[d] = gas->past[GY_MIN(d, gas->extent.dim - 1)];
    }
    return a;
}

void gy_gas_condense(gyre_gas *gas, float dt)
{
    if (!gas->levels || !(dt > 0.0f)) {
        return;
    }
    const gyre_gas_atmosphere *air = &gas->def->atmosphere;
    int up = upward(gas->def), heat = gas->velocities + 1, vapour = field_of(gas, air->vapour);
    fill_levels(gas, up);
    gy_condense_args a = arguments(gas, dt, up);
    gy_box box = gy_gas_box(gas, GYRE_CENTRE);
    gy_run(gas->model.device, GY_OP_condense, &a, box);
    int tasks = gy_task_count(GY_OP_condense, box), first = gas->velocities;
    enter(gas, heat, GY_GAS_ADDED, a.more, 0, tasks, gas->scalars + 1, 1.0);
    if (vapour < 0) {
        return;
    }
    int water = field_of(gas, air->water), rain = field_of(gas, air->rain);
    enter(gas, vapour, GY_GAS_ADDED, a.more, 1, tasks, gas->scalars + 2, 1.0);
    enter(gas, heat, GY_GAS_ADDED, a.partial, 0, tasks, heat - first, 1.0);
    enter(gas, vapour, GY_GAS_ADDED, a.partial, 1, tasks, vapour - first, 1.0);
    enter(gas, water, GY_GAS_ADDED, a.partial, 2, tasks, water - first, 1.0);
    if (rain >= 0) {
        enter(gas, rain, GY_GAS_ADDED, a.partial, 3, tasks, rain - first, 1.0);
        fall(gas, dt, up, rain);
    }
}

void gy_gas_touch_cloud(const gyre_gas *gas, bool touched[GY_GAS_FIELDS])
{
    const gyre_gas_atmosphere *air = &gas->def->atmosphere;
    const char *const names[] = {air->vapour, air->water, air->rain};
    for (int q = 0; q < GY_COUNT(names) && gas->levels; q++) {
        int field = field_of(gas, names[q]);
        touched[gas->velocities + 1] = true;
        if (field >= 0) {
            touched[field] = true;
        }
    }
}

// ---- buoyancy -----------------------------------------------------------------------------------

/// Whole rows, halos included.
static gy_box all_rows(const gyre_gas *gas)
{
    const int *n = gas->extent.n;
    return gy_box_make(n[0], n[1] + 2, gy_is_3d(gas->extent.dim) ? n[2] + 2 : 1);
}

bool gy_gas_gather_load(gyre_gas *gas, bool forced)
{
    const gyre_gas_atmosphere *air = &gas->def->atmosphere;
    if (!gas->levels || !air->vapour[0]) {
        return false;
    }
    int water = field_of(gas, air->water), rain = field_of(gas, air->rain);
    gy_blend_args a = {.base = gas->base,
                       .to = {gas->predicted[0]},
                       .x = {gas->slot[water]},
                       .y = {gas->slot[field_of(gas, air->vapour)]},
                       .count = 1,
                       .by = 1.0f,
                       .also = -VAPOUR_LIFT,
                       .extent = gas->extent};
    if (forced) {
        // What is there already, then vapour, then water.
        gy_blend_args on = a;
        on.x[0] = gas->predicted[0];
        gy_run(gas->model.device, GY_OP_blend, &on, all_rows(gas));
        a.x[0] = gas->predicted[0];
        a.y[0] = gas->slot[water];
        a.also = 1.0f;
    }
    gy_run(gas->model.device, GY_OP_blend, &a, all_rows(gas));
    if (rain >= 0) {
        a.x[0] = gas->predicted[0];
        a.y[0] = gas->slot[rain];
        a.also = 1.0f;
        gy_run(gas->model.device, GY_OP_blend, &a, all_rows(gas));
    }
    return true;
}

void gy_gas_add_load(gyre_gas *gas, int axis, float pull)
{
    const gyre_gas_atmosphere *air = &gas->def->atmosphere;
    int rain = field_of(gas, air->rain);
    gy_buoyancy_args a = {.base = gas->base,
                          .velocity = gas->slot[axis],
                          .density = gas->slot[field_of(gas, air->water)],
                          .temperature = gas->slot[field_of(gas, air->vapour)],
                          .count = gas->count,
                          .extent = gas->extent,
                          .axis = axis,
                          .heat = -VAPOUR_LIFT * pull,
                          .weight = pull,
                          .cap = gas->def->speed_cap,
                          .edge = gy_gas_edge(gas, gy_faces(axis), 0)};
    gy_box box = gy_gas_box(gas, gy_faces(axis));
    for (int q = 0; q < (rain >= 0 ? 2 : 1); q++) {
        gy_run(gas->model.device, GY_OP_buoyancy, &a, box);
        gy_gas_count_capped(gas, gy_task_count(GY_OP_buoyancy, box));
        a.density = a.temperature = gas->slot[GY_MAX(rain, 0)];
        a.heat = 0.0f;
    }
}
