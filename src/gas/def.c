// gas/def.c: the tables of a gas. Adding a parameter is one line here and its member in gyre/gas.h.
#include "gas/gas.h"
#include "gyre/property.h"
#include <string.h>

#define OF(type, member) offsetof(type, member)
#define SIZE(type, member) sizeof(((type *)0)->member)

static const char *const rules[] = {"slip", "no_slip", "open", "periodic", NULL};
static const char *const schemes[] = {"semi_lagrangian", "maccormack", NULL};
static const char *const modes[] = {"rate", "set", NULL};

static const gyre_property grid_properties[] = {
    {"dim", GYRE_INT, 1, "1", 2, 3, {3}, "dimensions", OF(gyre_grid, dim), .flags = GYRE_FIXED},
    {"n",
     GYRE_INT,
     3,
     "1",
     1,
     4096,
     {64, 64, 64},
     "cells along x, y, z; z is 1 in 2D",
     OF(gyre_grid, n),
     .flags = GYRE_FIXED},
    {"h",
     GYRE_FLOAT,
     1,
     "m",
     1e-6,
     1e6,
     {1.0 / 64},
     "edge of a cell",
     OF(gyre_grid, h),
     .flags = GYRE_FIXED},
    {"origin",
     GYRE_FLOAT,
     3,
     "m",
     -1e6,
     1e6,
     {0},
     "lower corner of the domain",
     OF(gyre_grid, origin),
     .flags = GYRE_FIXED},
    {0},
};

static const gyre_property side_properties[] = {
    {"rule",
     GYRE_ENUM,
     1,
     "1",
     0,
     3,
     {0},
     "what the side does to the gas",
     OF(gyre_side, rule),
     .names = rules,
     .flags = GYRE_FIXED},
    {"velocity",
     GYRE_FLOAT,
     3,
     "m/s",
     -1e4,
     1e4,
     {0},
     "of a no-slip wall along itself",
     OF(gyre_side, velocity)},
    {0},
};

#define SIDE(member, text)                                                                         \
    {                                                                                              \
#member, GYRE_STRUCT, 1, "1", 0, 0,                                                        \
            {0 }, text, OF(gyre_gas_def, sides.member) - OF(gyre_gas_def, sides),                  \
             sizeof(gyre_side), .properties = side_properties                                      \
    }

static const gyre_property sides_properties[] = {
    SIDE(x_low, "the side at the lowest x"),
    SIDE(x_high, "the side at the highest x"),
    SIDE(y_low, "the side at the lowest y"),
    SIDE(y_high, "the side at the highest y"),
    SIDE(z_low, "the side at the lowest z"),
    SIDE(z_high, "the side at the highest z"),
    {0},
};

static const gyre_property scalar_properties[] = {
    {"diffusivity",
     GYRE_FLOAT,
     1,
     "m^2/s",
     0,
     1e6,
     {0},
     "how fast it spreads by itself",
     OF(gyre_gas_scalar_def, diffusivity)},
    {"dissipation",
     GYRE_FLOAT,
     1,
     "1/s",
     0,
     1e6,
     {0},
     "how fast it fades: exp(-dissipation t)",
     OF(gyre_gas_scalar_def, dissipation)},
    {0},
};

static const gyre_property channel_properties[] = {
    {"name",
     GYRE_STRING,
     1,
     "1",
     0,
     0,
     {0},
     "of the field",
     OF(gyre_gas_channel, name),
     SIZE(gyre_gas_channel, name),
     .flags = GYRE_NAME | GYRE_FIXED},
    {"diffusivity",
     GYRE_FLOAT,
     1,
     "m^2/s",
     0,
     1e6,
     {0},
     "how fast it spreads by itself",
     OF(gyre_gas_channel, diffusivity)},
    {"dissipation",
     GYRE_FLOAT,
     1,
     "1/s",
     0,
     1e6,
     {0},
     "how fast it fades: exp(-dissipation t)",
     OF(gyre_gas_channel, dissipation)},
    {0},
};

static const gyre_property emitter_properties[] = {
    {"name",
     GYRE_STRING,
     1,
     "1",
     0,
     0,
     {0},
     "for paths",
     OF(gyre_emitter, name),
     SIZE(gyre_emitter, name),
     .flags = GYRE_NAME},
    {"enabled", GYRE_BOOL, 1, "1", 0, 1, {1}, "whether it emits", OF(gyre_emitter, enabled)},
    {"mode",
     GYRE_ENUM,
     1,
     "1",
     0,
     1,
     {0},
     "rate: amounts per second; set: held at the amounts",
     OF(gyre_emitter, mode),
     .names = modes},
    {"shape",
     GYRE_UNION,
     1,
     "1",
     0,
     0,
     {0},
     "where",
     OF(gyre_emitter, shape),
     sizeof(gyre_shape),
     .properties = gyre_shape_properties},
    {"density",
     GYRE_FLOAT,
     1,
     "kg/m^3",
     -1e6,
     1e6,
     {0},
     "smoke (per second in rate mode)",
     OF(gyre_emitter, density)},
    {"temperature",
     GYRE_FLOAT,
     1,
     "K",
     -1e6,
     1e6,
     {0},
     "above ambient (per second in rate mode)",
     OF(gyre_emitter, temperature)},
    {"channel",
     GYRE_STRING,
     1,
     "1",
     0,
     0,
     {0},
     "an extra channel to emit into",
     OF(gyre_emitter, channel),
     SIZE(gyre_emitter, channel)},
    {"channel_amount",
     GYRE_FLOAT,
     1,
     "1",
     -1e6,
     1e6,
     {0},
     "into it (per second in rate mode)",
     OF(gyre_emitter, channel_amount)},
    {"push",
     GYRE_BOOL,
     1,
     "1",
     0,
     1,
     {0},
     "whether velocity is set inside",
     OF(gyre_emitter, push)},
    {"velocity",
     GYRE_FLOAT,
     3,
     "m/s",
     -1e4,
     1e4,
     {0},
     "that the gas inside is given",
     OF(gyre_emitter, velocity)},
    {"noise",
     GYRE_FLOAT,
     1,
     "1",
     0,
     1,
     {0},
     "unevenness of the amounts in space and time",
     OF(gyre_emitter, noise)},
    {0},
};

static const gyre_property solid_properties[] = {
    {"name",
     GYRE_STRING,
     1,
     "1",
     0,
     0,
     {0},
     "for paths",
     OF(gyre_solid, name),
     SIZE(gyre_solid, name),
     .flags = GYRE_NAME},
    {"enabled", GYRE_BOOL, 1, "1", 0, 1, {1}, "whether it is there", OF(gyre_solid, enabled)},
    {"shape",
     GYRE_UNION,
     1,
     "1",
     0,
     0,
     {0},
     "where",
     OF(gyre_solid, shape),
     sizeof(gyre_shape),
     .properties = gyre_shape_properties},
    {0},
};

#define PRESSURE(member) (OF(gyre_gas_def, pressure.member) - OF(gyre_gas_def, pressure))

static const gyre_property pressure_properties[] = {
    {"solver",
     GYRE_ENUM,
     1,
     "1",
     0,
     1,
     {0},
     "of the pressure equation",
     PRESSURE(solver),
     .names = gy_solver_names},
    {"tolerance",
     GYRE_FLOAT,
     1,
     "1",
     0,
     1,
     {1e-3},
     "divergence after over before, root mean square",
     PRESSURE(tolerance)},
    {"max_cycles", GYRE_INT, 1, "1", 1, 10000, {8}, "at most, of the solver", PRESSURE(max_cycles)},
    {0},
};

#define MEMBER(name, kind, count, unit, low, high, initial, doc)                                   \
    {                                                                                              \
#name, kind, count, unit, low, high, initial, doc, OF(gyre_gas_def, name)                  \
    }
#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

const gyre_property gyre_gas_properties[] = {
    {"grid",
     GYRE_STRUCT,
     1,
     "1",
     0,
     0,
     {0},
     "the cells",
     OF(gyre_gas_def, grid),
     sizeof(gyre_grid),
     .properties = grid_properties,
     .flags = GYRE_FIXED},
    {"sides",
     GYRE_STRUCT,
     1,
     "1",
     0,
     0,
     {0},
     "the six sides of the domain",
     OF(gyre_gas_def, sides),
     SIZE(gyre_gas_def, sides),
     .properties = sides_properties},
    {"advection",
     GYRE_ENUM,
     1,
     "1",
     0,
     1,
     {GYRE_MACCORMACK},
     "how fields are carried along",
     OF(gyre_gas_def, advection),
     .names = schemes},
    MEMBER(gravity, GYRE_FLOAT, 3, "m/s^2", -1e4, 1e4, LIST(0, -9.81, 0),
           "acceleration of free fall"),
    MEMBER(thermal_expansion, GYRE_FLOAT, 1, "1/K", 0, 10, LIST(1.0 / 293), "lift per kelvin"),
    MEMBER(density_weight, GYRE_FLOAT, 1, "m^3/kg", -1e3, 1e3, LIST(0),
           "pull per density of smoke"),
    MEMBER(viscosity, GYRE_FLOAT, 1, "m^2/s", 0, 1e6, LIST(0), "kinematic viscosity"),
    MEMBER(speed_cap, GYRE_FLOAT, 1, "m/s", 1e-3, 1e6, LIST(1e4), "velocities are cut to it"),
    MEMBER(cfl, GYRE_FLOAT, 1, "1", 0, 1e3, LIST(0),
           "largest Courant number of a substep; 0: one step whatever the speed"),
    MEMBER(max_substeps, GYRE_INT, 1, "1", 1, 1000, LIST(16), "bound on what cfl asks for"),
    MEMBER(seed, GYRE_INT, 1, "1", 0, 2147483647, LIST(0), "of the emitters' noise"),
    {"pressure",
     GYRE_STRUCT,
     1,
     "1",
     0,
     0,
     {0},
     "the solver that makes the flow free of divergence",
     OF(gyre_gas_def, pressure),
     SIZE(gyre_gas_def, pressure),
     .properties = pressure_properties},
    {"density",
     GYRE_STRUCT,
     1,
     "1",
     0,
     0,
     {0},
     "smoke",
     OF(gyre_gas_def, density),
     sizeof(gyre_gas_scalar_def),
     .properties = scalar_properties},
    {"temperature",
     GYRE_STRUCT,
     1,
     "1",
     0,
     0,
     {0},
     "warmth above ambient",
     OF(gyre_gas_def, temperature),
     sizeof(gyre_gas_scalar_def),
     .properties = scalar_properties},
    MEMBER(solid_slip, GYRE_BOOL, 1, "1", 0, 1, LIST(1), "whether the gas slides along solids"),
    {"channels",
     GYRE_POOL,
     1,
     "1",
     0,
     GY_GAS_CHANNELS,
     {0},
     "extra scalars",
     OF(gyre_gas_def, channels),
     sizeof(gyre_gas_channel),
     .properties = channel_properties,
     .flags = GYRE_FIXED},
    {"emitters",
     GYRE_POOL,
     1,
     "1",
     0,
     4096,
     {0},
     "where something enters",
     OF(gyre_gas_def, emitters),
     sizeof(gyre_emitter),
     .properties = emitter_properties},
    {"solids",
     GYRE_POOL,
     1,
     "1",
     0,
     4096,
     {0},
     "bodies at rest",
     OF(gyre_gas_def, solids),
     sizeof(gyre_solid),
     .properties = solid_properties},
    {0},
};

enum { COOKIE = 0x67617331 }; // "gas1"

void gy_gas_default(int dim, void *memory)
{
    gyre_gas_def *def = memory;
    gyre_property_defaults(gyre_gas_properties, def, sizeof *def);
    def->cookie = COOKIE;
    def->grid.dim = dim;
    def->grid.n[2] = dim == 3 ? def->grid.n[2] : 1;
}

gyre_gas_def gyre_gas_default_def(int dim)
{
    gyre_gas_def def;
    gy_gas_default(dim == 2 ? 2 : 3, &def);
    return def;
}

gyre_emitter gyre_default_emitter(void)
{
    gyre_emitter emitter;
    gyre_property_defaults(emitter_properties, &emitter, sizeof emitter);
    return emitter;
}

gyre_solid gyre_default_solid(void)
{
    gyre_solid solid;
    gyre_property_defaults(solid_properties, &solid, sizeof solid);
    return solid;
}

static gyre_result check_sides(const gyre_gas_def *def)
{
    static const char *const names[3] = {"x", "y", "z"};
    const gyre_side *sides = &def->sides.x_low;
    for (int a = 0; a < def->grid.dim; a++) {
        bool low = sides[2 * a].rule == GYRE_SIDE_PERIODIC,
             high = sides[2 * a + 1].rule == GYRE_SIDE_PERIODIC;
        if (low != high) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sides.%s_%s.rule: the opposite side is periodic, so it must be, too",
                             names[a], low ? "high" : "low");
        }
    }
    return GYRE_OK;
}

static gyre_result check_channels(const gyre_gas_def *def)
{
    static const char *const taken[] = {"velocity_x",  "velocity_y", "velocity_z", "density",
                                        "temperature", "divergence", "vorticity",  "solid"};
    const gyre_gas_channel *c = def->channels.items;
    for (int i = 0; i < def->channels.count; i++) {
        bool clash = c[i].name[0] == 0 || !memchr(c[i].name, 0, sizeof c[i].name);
        for (int q = 0; q < GY_COUNT(taken) && !clash; q++) {
            clash = strcmp(c[i].name, taken[q]) == 0;
        }
        for (int q = 0; q < i && !clash; q++) {
            clash = strcmp(c[i].name, c[q].name) == 0;
        }
        if (clash) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "channels.%d.name: \"%.31s\" is empty or taken by another field", i,
                             c[i].name);
        }
    }
    return GYRE_OK;
}

static gyre_result check_shapes(const gyre_gas_def *def)
{
    const gyre_emitter *e = def->emitters.items;
    const gyre_solid *s = def->solids.items;
    const gyre_gas_channel *c = def->channels.items;
    gyre_result r = GYRE_OK;
    for (int i = 0; i < def->emitters.count && r == GYRE_OK; i++) {
        r = gy_shape_check(&e[i].shape, def->grid.dim, "emitters.shape");
        bool known = e[i].channel[0] == 0;
        for (int q = 0; q < def->channels.count; q++) {
            known = known || strcmp(e[i].channel, c[q].name) == 0;
        }
        if (r == GYRE_OK && !known) {
            r = gyre_fail(GYRE_ERROR_ARGUMENT, "emitters.%d.channel: there is no channel \"%.31s\"",
                          i, e[i].channel);
        }
    }
    for (int i = 0; i < def->solids.count && r == GYRE_OK; i++) {
        r = gy_shape_check(&s[i].shape, def->grid.dim, "solids.shape");
    }
    return r;
}

gyre_result gy_gas_check(const void *memory)
{
    const gyre_gas_def *def = memory;
    if (!def || def->cookie != COOKIE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "the def was not taken from gyre_gas_default_def(): its cookie is wrong");
    }
    gyre_result r = gyre_grid_check(&def->grid);
    if (r == GYRE_OK) {
        r = gyre_property_check(gyre_gas_properties, def, "");
    }
    if (r == GYRE_OK && (int64_t)def->grid.n[0] * def->grid.n[1] * def->grid.n[2] > (int64_t)1
                                                                                        << 30) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT,
                      "grid.n: %d x %d x %d cells, expected at most 2^30 in all", def->grid.n[0],
                      def->grid.n[1], def->grid.n[2]);
    }
    if (r == GYRE_OK && def->channels.count > GY_GAS_CHANNELS) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT, "channels: %d, expected at most %d", def->channels.count,
                      GY_GAS_CHANNELS);
    }
    if (r == GYRE_OK) {
        r = check_sides(def);
    }
    if (r == GYRE_OK) {
        r = check_channels(def);
    }
    return r == GYRE_OK ? check_shapes(def) : r;
}
