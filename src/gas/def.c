// gas/def.c: the tables of a gas. Adding a parameter is one line here and its member in gyre/gas.h.
#include "gas/gas.h"
#include "grid/table.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const rules[] = {"slip", "no_slip", "open", "periodic", "inflow", NULL};
static const char *const leavings[] = {"freely", "carried", NULL};
static const char *const profiles[] = {"even", "parabola", "power", NULL};
static const char *const patch_rules[] = {"as_side", "inflow", "open", "slip", "no_slip", NULL};
static const char *const side_names[] = {"x_low", "x_high", "y_low", "y_high",
                                         "z_low", "z_high", NULL};
static const char *const schemes[] = {"semi_lagrangian", "maccormack", "conservative",
                                      "bfecc",           "cubic",      NULL};
static const char *const modes[] = {"rate", "set", NULL};

static const gyre_property held_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "1", -1e6, 1e6, "in the field's unit"),
    GYRE_PROPERTY_END,
};

static const gyre_property given_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "m/s", -1e6, 1e6,
                        "in the field's unit times m/s: per area and time"),
    GYRE_PROPERTY_END,
};

#define HOLDS(type)                                                                                \
    GYRE_PROPERTY_AMOUNTS(type, holds, held_properties,                                            \
                          "what scalars are held at on the wall, each by its field's name",        \
                          .needs = "@diffusivity")
#define GIVES(type)                                                                                \
    GYRE_PROPERTY_AMOUNTS(type, gives, given_properties,                                           \
                          "what the wall gives of scalars, per area, each by its field's name")

static const gyre_property side_properties[] = {
    GYRE_PROPERTY_ENUM(gyre_gas_side, rule, rules, "what the side does to the gas",
                       .flags = GYRE_FIXED),
    GYRE_PROPERTY_VECTOR(gyre_gas_side, velocity, "m/s", -1e4, 1e4,
                         "of a no-slip wall along itself; of an inflow where its profile is 1",
                         .needs = "rule=no_slip|inflow"),
    GYRE_PROPERTY_ENUM(gyre_gas_side, leaves, leavings, "how gas leaves by an open side",
                       .flags = GYRE_FIXED, .needs = "rule=open"),
    GYRE_PROPERTY_ENUM(gyre_gas_side, profile, profiles, "how an inflow is spread over the side",
                       .needs = "rule=inflow"),
    GYRE_PROPERTY_FLOAT(gyre_gas_side, exponent, "1", 0, 10, "of a power profile",
                        .initial = {1.0 / 7}, .needs = "profile=power"),
    HOLDS(gyre_gas_side),
    GIVES(gyre_gas_side),
    GYRE_PROPERTY_END,
};

#define SIDE(member, doc) GYRE_PROPERTY_STRUCT(gyre_gas_sides, member, side_properties, doc)
#define SIDE_3D(member, doc)                                                                       \
    GYRE_PROPERTY_STRUCT(gyre_gas_sides, member, side_properties, doc, .needs = "/grid.dim=3")
static const gyre_property sides_properties[] = {
    SIDE(x_low, "the side at the lowest x"),
    SIDE(x_high, "the side at the highest x"),
    SIDE(y_low, "the side at the lowest y"),
    SIDE(y_high, "the side at the highest y"),
    SIDE_3D(z_low, "the side at the lowest z"),
    SIDE_3D(z_high, "the side at the highest z"),
    GYRE_PROPERTY_END,
};

#define SPREADS(type)                                                                              \
    GYRE_PROPERTY_FLOAT(type, diffusivity, "m^2/s", 0, 1e6, "how fast it spreads by itself")
#define FADES(type)                                                                                \
    GYRE_PROPERTY_FLOAT(type, dissipation, "1/s", 0, 1e6, "how fast it fades: exp(-dissipation t)")
#define NAMED(type, what, flags_) GYRE_PROPERTY_STRING(type, name, what, .flags = flags_)
#define ENABLED(type, what) GYRE_PROPERTY_BOOL(type, enabled, what, .initial = {1})
#define SHAPED(type, ...) GYRE_PROPERTY_UNION(type, shape, gyre_shape_properties, __VA_ARGS__)

static const gyre_property scalar_properties[] = {
    SPREADS(gyre_gas_scalar_def),
    FADES(gyre_gas_scalar_def),
    GYRE_PROPERTY_END,
};

static const gyre_property channel_properties[] = {
    NAMED(gyre_gas_channel, "of the field", GYRE_NAME | GYRE_FIXED),
    SPREADS(gyre_gas_channel),
    FADES(gyre_gas_channel),
    GYRE_PROPERTY_END,
};

static const gyre_property fed_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "1", -1e6, 1e6,
                        "in the field's unit (per second in rate mode)"),
    GYRE_PROPERTY_END,
};

#define EMITTER(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_emitter, __VA_ARGS__)
static const gyre_property emitter_properties[] = {
    NAMED(gyre_gas_emitter, "for paths", GYRE_NAME),
    ENABLED(gyre_gas_emitter, "whether it emits"),
    EMITTER(ENUM, mode, modes, "rate: amounts per second; set: held at the amounts",
            .role = GYRE_DOES_CHOOSE_MODE),
    SHAPED(gyre_gas_emitter, "where"),
    EMITTER(FLOAT, density, "kg/m^3", -1e6, 1e6, "smoke (per second in rate mode)",
            .role = GYRE_DOES_FEED, .feeds = "density"),
    EMITTER(FLOAT, temperature, "K", -1e6, 1e6, "above ambient (per second in rate mode)",
            .role = GYRE_DOES_FEED, .feeds = "temperature"),
    EMITTER(STRING, channel, "an extra channel to emit into"),
    EMITTER(FLOAT, channel_amount, "1", -1e6, 1e6, "into it (per second in rate mode)",
            .needs = "channel", .role = GYRE_DOES_FEED_NAMED, .feeds = "channel"),
    EMITTER(BOOL, push, "whether velocity is set inside", .role = GYRE_DOES_ENABLE_PUSH),
    EMITTER(VECTOR, velocity, "m/s", -1e4, 1e4, "that the gas inside is given", .needs = "push",
            .role = GYRE_DOES_PUSH),
    EMITTER(FLOAT, noise, "1", 0, 1, "unevenness of the amounts in space and time"),
    EMITTER(FLOAT, tracers, "1/s", 0, 1e9, "points that the gas carries along, in either mode"),
    EMITTER(VECTOR, tracers_velocity, "m/s", -1e4, 1e4, "with which they come, if they have mass",
            .needs = "tracers /tracers.inertia"),
    EMITTER(FLOAT, tracers_scatter, "m/s", 0, 1e4, "by how much theirs differ, in any direction",
            .needs = "tracers /tracers.inertia"),
    EMITTER(AMOUNTS, feeds, fed_properties,
            "any number of scalars, each by its field's name: density, temperature, channels",
            .role = GYRE_DOES_FEED_MANY),
    GYRE_PROPERTY_END,
};

#define BY_POSE                                                                                    \
    "the gas meets the solid at its new place, pushed by the velocity and spin of its pose alone"
static const char *const surfaces[] = {"as_gas", "slip", "no_slip", NULL};
static const gyre_property solid_properties[] = {
    NAMED(gyre_gas_solid, "for paths", GYRE_NAME),
    ENABLED(gyre_gas_solid, "whether it is there"),
    SHAPED(gyre_gas_solid, "where", .caveat = BY_POSE),
    GY_POSE(gyre_gas_solid, "its own frame, in which its shape is given", BY_POSE, 0, NULL),
    GYRE_PROPERTY_ENUM(gyre_gas_solid, surface, surfaces, "whether the gas slides along it"),
    HOLDS(gyre_gas_solid),
    GIVES(gyre_gas_solid),
    GYRE_PROPERTY_END,
};

#define LEAF(form, kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_sheet_##form, __VA_ARGS__)
static const gyre_property line_properties[] = {
    LEAF(line, VECTOR, from, "m", -1e6, 1e6, "one end"),
    LEAF(line, VECTOR, to, "m", -1e6, 1e6, "the other", .initial = {1, 0, 0}),
    GYRE_PROPERTY_END,
};
static const gyre_property panel_properties[] = {
    LEAF(panel, VECTOR, corner, "m", -1e6, 1e6, "one of its four"),
    LEAF(panel, VECTOR, along, "m", -1e6, 1e6, "from there to the next", .initial = {1, 0, 0}),
    LEAF(panel, VECTOR, across, "m", -1e6, 1e6, "from there to the one on the other side",
         .initial = {0, 1, 0}),
    GYRE_PROPERTY_END,
};
static const gyre_property path_properties[] = {
    LEAF(path, VOLUME, points, "m", "2 or 3 numbers each"),
    LEAF(path, BOOL, closed, "whether the last point is joined to the first"),
    GYRE_PROPERTY_END,
};
static const gyre_property mesh_properties[] = {
    LEAF(mesh, VOLUME, points, "m", "3 numbers each"),
    LEAF(mesh, VOLUME, triangles, "1", "3 indices each"),
    GYRE_PROPERTY_END,
};

#define SHEET_FORM(kind, what)                                                                     \
    GYRE_PROPERTY_ALTERNATIVE(gyre_gas_sheet_form, as, kind, kind##_properties, what)
static const gyre_property sheet_form_properties[] = {
    SHEET_FORM(line, "straight, in 2D"),
    SHEET_FORM(panel, "a parallelogram, in 3D"),
    SHEET_FORM(path, "lines from point to point, in 2D"),
    SHEET_FORM(mesh, "triangles, in 3D; open or closed"),
    GYRE_PROPERTY_END,
};

static const gyre_property sheet_properties[] = {
    NAMED(gyre_gas_sheet, "for paths", GYRE_NAME),
    ENABLED(gyre_gas_sheet, "whether it is there"),
    GYRE_PROPERTY_UNION(gyre_gas_sheet, form, sheet_form_properties, "where"),
    GY_POSE(gyre_gas_sheet, "its own frame, in which its form is given", NULL, 0, NULL),
    GYRE_PROPERTY_END,
};

#define WIND(kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_wind, __VA_ARGS__)
static const gyre_property wind_properties[] = {
    WIND(VECTOR, velocity, "m/s", -1e4, 1e4, "that the gas is drawn along with",
         .role = GYRE_DOES_PUSH),
    WIND(FLOAT, rate, "1/s", 0, 1e6, "how fast it is: what is off falls to 1/e in 1 / rate",
         .initial = {1}),
    GYRE_PROPERTY_END,
};

#define FAN(kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_fan, __VA_ARGS__)
static const gyre_property fan_properties[] = {
    FAN(VECTOR, direction, "1", -1e6, 1e6, "that it pushes in, any length but 0",
        .initial = {1, 0, 0}),
    FAN(FLOAT, thrust, "m^4/s^2", -1e6, 1e6,
        "N per kg/m^3 of air (in 2D m^3/s^2), all of which the gas in the shape gets"),
    FAN(FLOAT, speed, "m/s", -1e4, 1e4, "that air which comes from rest leaves the shape with",
        .needs = "!thrust"),
    GYRE_PROPERTY_END,
};

#define VORTEX(kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_vortex, __VA_ARGS__)
static const gyre_property vortex_properties[] = {
    VORTEX(VECTOR, centre, "m", -1e6, 1e6, "a point of its axis", .initial = {0.5, 0.5, 0.5}),
    VORTEX(VECTOR, axis, "1", -1e6, 1e6, "that it turns about, any length but 0; in 2D z",
           .initial = {0, 1, 0}, .flags = GYRE_UPWARD),
    VORTEX(FLOAT, circulation, "m^2/s", -1e6, 1e6, "far away", .initial = {1}),
    VORTEX(FLOAT, core, "m", 1e-6, 1e6, "where it turns fastest", .initial = {0.1}),
    VORTEX(FLOAT, rate, "1/s", 0, 1e6, "how fast the gas is drawn along", .initial = {1}),
    GYRE_PROPERTY_END,
};

#define ATTRACTOR(kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_attractor, __VA_ARGS__)
static const gyre_property attractor_properties[] = {
    ATTRACTOR(VECTOR, centre, "m", -1e6, 1e6, "that it pulls towards", .initial = {0.5, 0.5, 0.5}),
    ATTRACTOR(VECTOR, axis, "1", -1e6, 1e6, "not 0: towards the line through the centre"),
    ATTRACTOR(FLOAT, strength, "m/s^2", -1e6, 1e6, "below 0 it pushes away", .initial = {1}),
    ATTRACTOR(FLOAT, core, "m", 1e-6, 1e6, "within which it weakens to 0", .initial = {0.1}),
    ATTRACTOR(INT, falloff, "1", 0, 2, "0: as strong far away, 1: as 1 / r, 2: as 1 / r^2",
              .initial = {1}),
    GYRE_PROPERTY_END,
};

#define TURBULENCE(kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_turbulence, __VA_ARGS__)
static const gyre_property turbulence_properties[] = {
    TURBULENCE(FLOAT, strength, "m/s^2", 0, 1e6, "root mean square", .initial = {1}),
    TURBULENCE(FLOAT, size, "m", 1e-6, 1e6, "the longest wave", .initial = {0.25}),
    TURBULENCE(FLOAT, octaves, "1", 0, 16, "the shortest is size / 2^octaves", .initial = {2}),
    TURBULENCE(FLOAT, change, "1/s", 0, 1e6, "how often the longest wave's phase turns",
               .initial = {1}),
    TURBULENCE(INT, seed, "1", 0, 2147483647, "which waves; the gas's seed counts as well"),
    GYRE_PROPERTY_END,
};

#define CONFINEMENT(kind, ...) GYRE_PROPERTY_##kind(struct gyre_gas_confinement, __VA_ARGS__)
static const gyre_property confinement_properties[] = {
    CONFINEMENT(FLOAT, speed, "m/s", 0, 1e4, "that vorticity moves up its own slope with",
                .initial = {0.1}),
    CONFINEMENT(FLOAT, size, "m", 1e-6, 1e6, "whirls that are wider are drawn together less",
                .initial = {0.1}),
    GYRE_PROPERTY_END,
};

#define ACTION(kind, what)                                                                         \
    GYRE_PROPERTY_ALTERNATIVE(gyre_gas_action, as, kind, kind##_properties, what)
static const gyre_property action_properties[] = {
    ACTION(wind, "draws the gas along with a velocity"),
    ACTION(fan, "pushes in a direction"),
    ACTION(vortex, "draws the gas round an axis"),
    ACTION(attractor, "pulls towards a point or an axis"),
    ACTION(turbulence, "an uneven push, free of divergence, that changes in time"),
    ACTION(confinement, "draws whirls together that the grid would smear"),
    GYRE_PROPERTY_END,
};

#define FORCE(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_force, __VA_ARGS__)
static const gyre_property force_properties[] = {
    NAMED(gyre_gas_force, "for paths", GYRE_NAME),
    ENABLED(gyre_gas_force, "whether it acts"),
    FORCE(BOOL, everywhere, "whether it acts in all the gas, else inside the shape"),
    SHAPED(gyre_gas_force, "where", .needs = "!everywhere"),
    FORCE(FLOAT, soft, "m", 0, 1e6, "over which it begins across the shape's surface",
          .needs = "!everywhere"),
    FORCE(FLOAT, amount, "1", 0, 1, "how much of it acts", .initial = {1}),
    FORCE(UNION, action, action_properties, "what it does"),
    GYRE_PROPERTY_END,
};

static const gyre_property carried_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "1", -1e6, 1e6, "in the field's unit"),
    GYRE_PROPERTY_END,
};

#define PATCH(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_patch, __VA_ARGS__)
static const gyre_property patch_properties[] = {
    NAMED(gyre_gas_patch, "for paths", GYRE_NAME),
    ENABLED(gyre_gas_patch, "whether it is there"),
    PATCH(ENUM, side, side_names, "of the domain that it is a part of"),
    PATCH(BOOL, whole, "whether it is all of the side, whatever its shape"),
    SHAPED(gyre_gas_patch, "the side's faces in it are the patch"),
    PATCH(ENUM, rule, patch_rules, "what it does to the gas"),
    PATCH(VECTOR, velocity, "m/s", -1e4, 1e4, "of an inflow where its profile is 1",
          .needs = "rule=inflow"),
    PATCH(ENUM, profile, profiles, "how an inflow is spread over the shape's bounds",
          .needs = "rule=inflow"),
    PATCH(FLOAT, exponent, "1", 0, 10, "of a power profile", .initial = {1.0 / 7},
          .needs = "profile=power"),
    PATCH(AMOUNTS, carries, carried_properties,
          "what comes in holds of scalars, each by its field's name: density, temperature, "
          "channels"),
    HOLDS(gyre_gas_patch),
    GIVES(gyre_gas_patch),
    GYRE_PROPERTY_END,
};

#define TRACERS(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_tracers, __VA_ARGS__)
static const gyre_property tracer_properties[] = {
    TRACERS(INT, capacity, "1", 0, 1 << 28, "the most at a time; 0: none", .flags = GYRE_FIXED),
    TRACERS(INT, start, "1", 0, 1 << 28, "that there are at first, evenly spread",
            .flags = GYRE_FIXED, .needs = "capacity"),
    TRACERS(VECTOR, low, "m", -1e6, 1e6, "lower corner of the box they are spread over",
            .flags = GYRE_FIXED, .needs = "start"),
    TRACERS(VECTOR, high, "m", -1e6, 1e6, "upper corner; as low: the whole domain",
            .flags = GYRE_FIXED, .needs = "start"),
    TRACERS(FLOAT, life, "s", 0, 1e9, "after which one is gone; 0: never", .needs = "capacity"),
    TRACERS(BOOL, inertia, "whether they have mass: a velocity of their own, drag, weight, bounces",
            .flags = GYRE_FIXED, .needs = "capacity"),
    TRACERS(FLOAT, diameter, "m", 0, 10, "of each; at least 1e-8", .initial = {1e-3},
            .needs = "inertia"),
    TRACERS(FLOAT, density, "kg/m^3", 0, 1e5, "of what they are made of; at least 0.001",
            .initial = {1000}, .needs = "inertia"),
    TRACERS(FLOAT, viscosity, "m^2/s", 0, 1e3,
            "kinematic, of the gas that drags them, whatever the flow's own", .initial = {1.5e-5},
            .needs = "inertia"),
    TRACERS(FLOAT, bounce, "1", 0, 1, "what a surface leaves of the speed towards it",
            .initial = {0.3}, .needs = "inertia"),
    TRACERS(FLOAT, friction, "1", 0, 1e3, "of Coulomb, along a surface", .initial = {0.5},
            .needs = "inertia"),
    TRACERS(BOOL, stick, "whether what meets a surface stays there", .needs = "inertia"),
    TRACERS(FLOAT, turbulence, "m^2/s", 0, 1e6,
            "by how much gusts that the grid does not see spread them", .needs = "inertia"),
    TRACERS(FLOAT, load, "1", 0, 1e12, "how many each stands for in what it does to the gas",
            .flags = GYRE_FIXED, .needs = "inertia /velocity=solved /air_density"),
    TRACERS(FLOAT, thickness, "m", 0, 10,
            "of round plates, that turn and glide; 0: they are balls; else at most the diameter",
            .flags = GYRE_FIXED, .needs = "inertia"),
    GYRE_PROPERTY_END,
};

#define TEXTURE(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_texture, __VA_ARGS__)
static const gyre_property texture_properties[] = {
    TEXTURE(INT, phases, "1", 0, GYRE_TEXTURE_PHASES,
            "0: none; 1: drawn out without end; 2 or 3 begin anew in turn", .flags = GYRE_FIXED),
    TEXTURE(FLOAT, period, "s", 1e-3, 1e6, "after which a phase of several begins anew",
            .initial = {4}, .needs = "phases"),
    TEXTURE(VECTOR, offset, "m", -1e6, 1e6,
            "by which the texture is moved from one beginning to the next", .needs = "phases"),
    GYRE_PROPERTY_END,
};

#define FRAME(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_frame, __VA_ARGS__)
static const gyre_property frame_properties[] = {
    FRAME(VECTOR, acceleration, "m/s^2", -1e4, 1e4, "of the frame: the gas is left behind"),
    FRAME(VECTOR, spin, "rad/s", -1e4, 1e4, "of the frame, in 2D about z alone"),
    FRAME(VECTOR, centre, "m", -1e6, 1e6, "that it turns about"),
    GYRE_PROPERTY_END,
};

static const char *const leads[] = {"solved", "noise", "recorded", "rows", NULL};

#define NOISE(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_noise, __VA_ARGS__)
static const gyre_property noise_properties[] = {
    NOISE(FLOAT, speed, "m/s", 0, 1e4, "root mean square, far from walls", .initial = {0.5}),
    NOISE(FLOAT, size, "m", 1e-6, 1e6, "the longest wave", .initial = {0.5}),
    NOISE(FLOAT, octaves, "1", 0, 16, "the shortest is size / 2^octaves", .initial = {2}),
    NOISE(FLOAT, change, "1/s", 0, 1e6, "how often the longest wave's phase turns",
          .initial = {0.2}),
    NOISE(INT, seed, "1", 0, 2147483647, "which waves; the gas's seed counts as well"),
    GYRE_PROPERTY_END,
};

#define RECORDED(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_recorded, __VA_ARGS__)
static const gyre_property recorded_properties[] = {
    RECORDED(VOLUME, x, "m/s", "velocity_x, frame by frame", .flags = GYRE_OPTIONAL),
    RECORDED(VOLUME, y, "m/s", "velocity_y, frame by frame", .flags = GYRE_OPTIONAL),
    RECORDED(VOLUME, z, "m/s", "velocity_z, frame by frame; in 3D", .flags = GYRE_OPTIONAL),
    RECORDED(FLOAT, rate, "1/s", 0, 1e6, "of frames", .initial = {30}),
    RECORDED(BOOL, loop, "whether the first frame comes after the last, else that one stays"),
    GYRE_PROPERTY_END,
};

#define FRONT(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_front, __VA_ARGS__)
static const gyre_property front_properties[] = {
    FRONT(STRING, burnt, "the channel of what has burnt; empty: there is no front",
          .flags = GYRE_FIXED),
    FRONT(STRING, lit, "a channel of what burns behind it, at fire.rate; empty: it does at once",
          .flags = GYRE_FIXED, .needs = "burnt"),
    FRONT(FLOAT, speed, "m/s", 0, 1e4, "at which it moves into fuel at rest", .needs = "burnt"),
    GYRE_PROPERTY_END,
};

#define FIRE(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_fire, __VA_ARGS__)
static const gyre_property fire_properties[] = {
    FIRE(STRING, fuel, "the channel that burns; empty: there is no fire", .flags = GYRE_FIXED),
    FIRE(STRING, spent, "a channel of the oxygen that the air lacks; empty: there is enough",
         .flags = GYRE_FIXED, .needs = "fuel"),
    FIRE(FLOAT, ignition, "K", 0, 1e5, "above the surroundings, from which on fuel burns",
         .initial = {400}, .needs = "fuel"),
    FIRE(FLOAT, rate, "1/s", 0, 1e6, "at which fuel burns that nothing hinders", .initial = {20},
         .needs = "fuel"),
    FIRE(FLOAT, heat, "K", 0, 1e6, "that a unit of fuel adds to the temperature", .initial = {3000},
         .needs = "fuel"),
    FIRE(FLOAT, air, "1", 0, 1e6, "of what is spent, for a unit of fuel: volumes of air",
         .initial = {10}, .needs = "spent"),
    FIRE(FLOAT, soot, "kg/m^3", 0, 1e6, "smoke that a unit of fuel leaves", .needs = "fuel"),
    FIRE(FLOAT, cooling, "K/s", 0, 1e6, "at 1000 K, by radiation, as T^4", .needs = "fuel"),
    FIRE(FLOAT, expansion, "1", 0, 1, "of the volume that the heat asks for, what it gets",
         .needs = "fuel"),
    FIRE(STRUCT, front, front_properties, "a premixed flame with a speed of its own"),
    GYRE_PROPERTY_END,
};

#define AIR(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_atmosphere, __VA_ARGS__)
static const gyre_property atmosphere_properties[] = {
    AIR(BOOL, layered, "whether the surroundings change with height", .flags = GYRE_FIXED),
    AIR(FLOAT, ground, "m", -1e6, 1e6, "where temperature, pressure and humidity are said",
        .needs = "layered"),
    AIR(FLOAT, temperature, "K", 150, 350, "of the surroundings at the ground", .initial = {293},
        .needs = "layered"),
    AIR(FLOAT, pressure, "Pa", 1e3, 1e7, "at the ground", .initial = {101325}, .needs = "layered"),
    AIR(FLOAT, lapse, "K/m", -1, 1, "by which it is colder above: 0.0098 is neutral, less stable",
        .initial = {0.0065}, .needs = "layered"),
    AIR(STRING, vapour, "the channel of water vapour beside that of the surroundings; empty: dry",
        .flags = GYRE_FIXED, .needs = "layered"),
    AIR(STRING, water, "the channel of droplets: cloud", .flags = GYRE_FIXED, .needs = "vapour"),
    AIR(STRING, rain, "the channel of drops that fall; empty: clouds do not rain",
        .flags = GYRE_FIXED, .needs = "vapour"),
    AIR(FLOAT, humidity, "1", 0, 1, "relative, of the surroundings at the ground", .initial = {0.6},
        .needs = "vapour"),
    AIR(FLOAT, aloft, "1", 0, 1, "relative, the most of the surroundings above", .initial = {0.7},
        .needs = "vapour"),
    AIR(FLOAT, growth, "1/s", 0, 10, "at which droplets above `least` grow to drops",
        .initial = {1e-3}, .needs = "rain"),
    AIR(FLOAT, least, "1", 0, 1, "kg/kg of droplets, from which on they grow to drops",
        .initial = {1e-3}, .needs = "rain"),
    AIR(FLOAT, collection, "1/s", 0, 100, "at which drops collect droplets", .initial = {2.2},
        .needs = "rain"),
    AIR(FLOAT, evaporation, "1", 0, 10, "of what Kessler's scheme evaporates of drops, the part",
        .initial = {1}, .needs = "rain"),
    GYRE_PROPERTY_END,
};

#define GAS(kind, ...) GYRE_PROPERTY_##kind(gyre_gas_def, __VA_ARGS__)
const gyre_property gyre_gas_properties[] = {
    GAS(STRUCT, grid, gy_grid_properties, "the cells"),
    GAS(STRUCT, sides, sides_properties, "the six sides of the domain"),
    GAS(ENUM, advection, schemes, "how fields are carried along",
        .initial = {GYRE_GAS_CONSERVATIVE}),
    GAS(VECTOR, gravity, "m/s^2", -1e4, 1e4, "acceleration of free fall", .initial = {0, -9.81, 0},
        .flags = GYRE_UPWARD, .needs = "velocity=solved"),
    GAS(FLOAT, thermal_expansion, "1/K", 0, 10, "lift per kelvin", .initial = {1.0 / 293},
        .needs = "velocity=solved"),
    GAS(FLOAT, density_weight, "m^3/kg", -1e3, 1e3, "pull per density of smoke",
        .needs = "velocity=solved"),
    GAS(FLOAT, viscosity, "m^2/s", 0, 1e6, "kinematic viscosity", .needs = "velocity=solved"),
    GAS(FLOAT, air_density, "kg/m^3", 0, 1e4,
        "of its pressure, and what it pushes bodies with; 0: none", .initial = {1.2}),
    GAS(FLOAT, speed_cap, "m/s", 1e-3, 1e6, "velocities are cut to it", .initial = {1e4}),
    GAS(FLOAT, courant, "1", 0, 1e3, "largest Courant number of a substep; 0: one step always",
        .formerly = "cfl", .needs = "velocity=solved"),
    GAS(INT, max_substeps, "1", 1, 1000, "bound on what courant asks for", .initial = {16},
        .needs = "courant"),
    GAS(INT, seed, "1", 0, 2147483647, "of the emitters' noise"),
    GAS(STRUCT, pressure, gy_pressure_solver_properties, "how the flow is made free of divergence"),
    GAS(STRUCT, diffusion, gy_diffusion_solver_properties,
        "how viscosity and diffusivities are solved for"),
    GAS(STRUCT, density, scalar_properties, "smoke"),
    GAS(STRUCT, temperature, scalar_properties, "warmth above ambient"),
    GAS(BOOL, solid_slip, "whether the gas slides along solids", .initial = {1},
        .needs = "velocity=solved"),
    GAS(BOOL, floor,
        "whether there may be a floor of heights that something moves: water's surface",
        .flags = GYRE_FIXED),
    GAS(BOOL, half_scalars,
        "whether scalars are stored in 16 bits: less to move, coarser; vulkan only",
        .flags = GYRE_FIXED),
    GAS(STRUCT, tracers, tracer_properties, "points that the gas carries along"),
    GAS(POOL, channels, gyre_gas_channel, GY_GAS_CHANNELS, channel_properties, "extra scalars",
        .flags = GYRE_FIXED),
    GAS(POOL, emitters, gyre_gas_emitter, 4096, emitter_properties, "where something enters"),
    GAS(POOL, solids, gyre_gas_solid, 4096, solid_properties, "what it goes round",
        .role = GYRE_DOES_BLOCK),
    GAS(POOL, forces, gyre_gas_force, 1024, force_properties, "what pushes the gas as it flows",
        .flags = GYRE_BARE),
    GAS(POOL, patches, gyre_gas_patch, 4096, patch_properties,
        "parts of sides: inlets, and what comes in by them; windows", .flags = GYRE_BARE),
    GAS(STRUCT, frame, frame_properties, "what the grid stands in, as on a car or a turntable"),
    GAS(POOL, sheets, gyre_gas_sheet, 4096, sheet_properties,
        "walls without thickness, with gas on both sides", .flags = GYRE_BARE),
    GAS(ENUM, velocity, leads, "where it comes from: solved for, or given, which nothing pushes"),
    GAS(STRUCT, noise, noise_properties, "a velocity of whirls that come and go",
        .needs = "velocity=noise"),
    GAS(STRUCT, recorded, recorded_properties, "a velocity that stands in arrays",
        .needs = "velocity=recorded"),
    GAS(STRUCT, fire, fire_properties, "what burns in it"),
    GAS(STRUCT, texture, texture_properties, "coordinates of a texture that flow with it"),
    GAS(STRUCT, atmosphere, atmosphere_properties, "surroundings that change with height; clouds"),
    GYRE_PROPERTY_END,
};

#define SCALAR(name, unit, view, role, doc)                                                        \
    {                                                                                              \
        {#name, unit, GYRE_CENTRE, GYRE_VIEW_##view, false, true, doc, GYRE_ROLE_##role},          \
            offsetof(gyre_gas_def, name), offsetof(gyre_gas_emitter, name)                         \
    }
const gy_gas_scalar gy_gas_own[GY_GAS_OWN] = {
    SCALAR(density, "kg/m^3", DENSITY, SMOKE, "smoke"),
    SCALAR(temperature, "K", TEMPERATURE, HEAT, "warmth above ambient"),
};

#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula)                              \
    {{#name, unit, GYRE_CENTRE, GYRE_VIEW_##view, true, false, doc, GYRE_ROLE_##role}, dims, power},
const gy_gas_derived gy_gas_derived_list[GY_GAS_DERIVED] = {
#include "gas/ops/derived.inc"
    {{"solid", "1", GYRE_CENTRE, GYRE_VIEW_FRACTION, true, false,
      "part of the cell inside solids; beside sheets 1/2, in 3D 3/4", GYRE_ROLE_SOLID},
     2,
     0}};
#undef GY_DERIVED

gyre_gas_scalar_def gy_gas_scalar_def(const gyre_gas_def *def, int s)
{
    const gyre_gas_channel *c = def->channels.items;
    return s < GY_GAS_OWN
               ? *(const gyre_gas_scalar_def *)(const void *)((const char *)def + gy_gas_own[s].def)
               : (gyre_gas_scalar_def){c[s - GY_GAS_OWN].diffusivity,
                                       c[s - GY_GAS_OWN].dissipation};
}

void gy_gas_default(int dim, void *memory)
{
    gyre_gas_def *def = memory;
    gyre_property_defaults(gyre_gas_properties, def, sizeof *def);
    def->cookie = gy_cookie(GY_GAS_COOKIE, sizeof *def);
    def->grid.dim = dim;
    def->grid.n[2] = gy_is_3d(dim) ? def->grid.n[2] : 1;
}

void gyre_gas_fill_def(gyre_gas_def *def, size_t size, int dim)
{
    if (GY_MISSING("gas_fill_def", def)) {
        return;
    }
    gyre_gas_def own;
    gy_gas_default(dim, &own);
    own.cookie = gy_cookie(GY_GAS_COOKIE, size);
    gy_copy_sized(def, size, &own, sizeof own);
}

gyre_gas_emitter gyre_gas_default_emitter(void)
{
    gyre_gas_emitter emitter;
    gyre_property_defaults(emitter_properties, &emitter, sizeof emitter);
    return emitter;
}

gyre_gas_solid gyre_gas_default_solid(void)
{
    gyre_gas_solid solid;
    gyre_property_defaults(solid_properties, &solid, sizeof solid);
    return solid;
}

gyre_gas_force gyre_gas_default_force(int kind)
{
    gyre_gas_force force;
    gyre_property_defaults(force_properties, &force, sizeof force);
    if (kind > 0 && kind < (int)GY_COUNT(action_properties) - 1) {
        const gyre_property *p = &action_properties[kind];
        force.action.kind = kind;
        gyre_property_defaults(p->properties, (char *)&force.action + p->offset, p->size);
    }
    return force;
}

gyre_gas_sheet gyre_gas_default_sheet(int kind)
{
    gyre_gas_sheet sheet;
    gyre_property_defaults(sheet_properties, &sheet, sizeof sheet);
    if (kind > 0 && kind < (int)GY_COUNT(sheet_form_properties) - 1) {
        const gyre_property *p = &sheet_form_properties[kind];
        sheet.form.kind = kind;
        gyre_property_defaults(p->properties, (char *)&sheet.form + p->offset, p->size);
    }
    return sheet;
}

gyre_gas_patch gyre_gas_default_patch(void)
{
    gyre_gas_patch patch;
    gyre_property_defaults(patch_properties, &patch, sizeof patch);
    return patch;
}

const char *gy_gas_side_name(int side)
{
    return side_names[side];
}
