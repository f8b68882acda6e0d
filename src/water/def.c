// water/def.c: the tables of water, its defaults, and whether a def can be run.
#include "grid/table.h"
#include "shape/shape.h"
#include "water/dispersive.h"
#include "water/pressure.h"
#include "water/water.h"
#include <stdio.h>
#include <string.h>

static const char *const modes[] = {"wave", "shallow", "dispersive", NULL};
static const char *const excesses[] = {"split", "clamp", "explode", NULL};
static const char *const rules[] = {"wall", "periodic", "open", "inflow", NULL};
static const char *const absorbers[] = {"mur", "layer", "ghost_new", "ghost_old", NULL};
static const char *const inflows[] = {"waves", "stage", "discharge", NULL};
static const char *const carries[] = {"alone", "difference", "whole", NULL};
static const char *const works[] = {"lift", "dig", "heap", "grade", NULL};
static const char *const forms[] = {"sphere", "box", "capsule", "hull", "mesh", NULL};

#define SIDE(kind, ...) GYRE_PROPERTY_##kind(gyre_water_side, __VA_ARGS__)
static const gyre_property side_properties[] = {
    SIDE(ENUM, rule, rules, "what the side does to waves", .flags = GYRE_FIXED),
    SIDE(ENUM, absorber, absorbers, "how an open side lets waves out", .needs = "rule=open"),
    SIDE(FLOAT, layer, "m", 0, 1e6, "width of an absorbing layer", .initial = {1},
         .needs = "rule=open absorber=layer"),
    SIDE(ENUM, inflow, inflows, "what an inflow brings", .needs = "rule=inflow"),
    SIDE(BOOL, follow_level, "the level outside is that of the water at rest", .initial = {1},
         .needs = "rule=open|inflow"),
    SIDE(FLOAT, level, "m", -1e5, 1e5, "stage, and the level outside", .needs = "rule=open|inflow"),
    SIDE(FLOAT, amplitude, "m", -1e4, 1e4, "of incoming waves", .initial = {0.1},
         .needs = "rule=inflow inflow=waves"),
    SIDE(FLOAT, period, "s", 1e-6, 1e6, "of incoming waves", .initial = {2},
         .needs = "rule=inflow inflow=waves"),
    SIDE(FLOAT, phase, "degrees", -1e6, 1e6, "of incoming waves",
         .needs = "rule=inflow inflow=waves"),
    SIDE(FLOAT, discharge, "m^2/s", -1e6, 1e6, "inwards, per metre of side",
         .needs = "rule=inflow inflow=discharge"),
    GYRE_PROPERTY_END,
};

#define ONE_SIDE(member, doc) GYRE_PROPERTY_STRUCT(gyre_water_sides, member, side_properties, doc)
static const gyre_property sides_properties[] = {
    ONE_SIDE(x_low, "the side at the lowest x"),
    ONE_SIDE(x_high, "the side at the highest x"),
    ONE_SIDE(y_low, "the side at the lowest y"),
    ONE_SIDE(y_high, "the side at the highest y"),
    GYRE_PROPERTY_END,
};

#define BED(kind, ...) GYRE_PROPERTY_##kind(gyre_water_bed, __VA_ARGS__)
static const gyre_property bed_properties[] = {
    BED(VOLUME, data, "1", "heights in metres, a value per cell; none: flat",
        .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BED(BOOL, stretch, "whether an array of another size is stretched", .needs = "data",
        .flags = GYRE_FIXED),
    BED(FLOAT, flat, "m", -1e5, 1e5, "height of a bed without data", .initial = {-1},
        .flags = GYRE_FIXED),
    BED(FLOAT, low, "m", -1e5, 1e5, "height of the value 0 of data", .needs = "data",
        .flags = GYRE_FIXED),
    BED(FLOAT, high, "m", -1e5, 1e5, "height of the value 1 of data", .initial = {1},
        .needs = "data", .flags = GYRE_FIXED),
    BED(VECTOR, slope, "1", -100, 100, "added: rise along x and y", .flags = GYRE_FIXED),
    BED(VECTOR, corner, "m", -1e6, 1e6, "where in the world the array begins", .needs = "size",
        .flags = GYRE_FIXED),
    BED(VECTOR, size, "m", 0, 1e7, "of the array in the world; 0: it is the domain's",
        .needs = "data", .flags = GYRE_FIXED),
    GYRE_PROPERTY_END,
};

#define ELEMENT(type)                                                                              \
    GYRE_PROPERTY_STRING(type, name, "for paths", .flags = GYRE_NAME),                             \
        GYRE_PROPERTY_BOOL(type, enabled, "whether it counts", .initial = {1})
#define SHAPED(type)                                                                               \
    GYRE_PROPERTY_UNION(type, shape, gyre_shape_properties, "where, seen from above")

static const gyre_property edge_properties[] = {
    ELEMENT(gyre_water_edge),
    SHAPED(gyre_water_edge),
    GYRE_PROPERTY_STRUCT(gyre_water_edge, side, side_properties, "what its faces do to waves"),
    GYRE_PROPERTY_END,
};

#define GATE(kind, ...) GYRE_PROPERTY_##kind(gyre_water_gate, __VA_ARGS__)
static const gyre_property gate_properties[] = {
    ELEMENT(gyre_water_gate),
    GATE(VECTOR, from, "m", -1e6, 1e6, "one end"),
    GATE(VECTOR, to, "m", -1e6, 1e6, "the other end", .initial = {1, 0}),
    GATE(FLOAT, crest, "m", -1e5, 1e5, "nothing passes below", .initial = {-1e5}),
    GATE(FLOAT, lid, "m", -1e5, 1e5, "nothing passes above", .initial = {1e5}),
    GATE(FLOAT, coefficient, "1", 0.01, 1, "of contraction", .initial = {0.61}),
    GYRE_PROPERTY_END,
};

#define LAKE(kind, ...) GYRE_PROPERTY_##kind(gyre_water_lake, __VA_ARGS__)
static const gyre_property lake_properties[] = {
    GYRE_PROPERTY_STRING(gyre_water_lake, name, "for paths", .flags = GYRE_NAME),
    LAKE(VECTOR, point, "m", -1e6, 1e6, "in it"),
    LAKE(FLOAT, level, "m", -1e5, 1e5, "it is filled to"),
    GYRE_PROPERTY_END,
};

static const gyre_property block_properties[] = {
    GYRE_PROPERTY_STRING(gyre_water_block, name, "for paths", .flags = GYRE_NAME),
    SHAPED(gyre_water_block),
    GYRE_PROPERTY_FLOAT(gyre_water_block, level, "m", -1e5, 1e5, "it is filled to"),
    GYRE_PROPERTY_END,
};

static const gyre_property source_properties[] = {
    ELEMENT(gyre_water_source),
    SHAPED(gyre_water_source),
    GYRE_PROPERTY_FLOAT(gyre_water_source, discharge, "m^3/s", -1e6, 1e6,
                        "that enters in all; below 0: is taken away", .role = GYRE_DOES_DISCHARGE),
    GYRE_PROPERTY_FLOAT(gyre_water_source, dust, "1/s", 0, 1e9, "points that come to float there"),
    GYRE_PROPERTY_END,
};

static const gyre_property uplift_properties[] = {
    ELEMENT(gyre_water_uplift),
    SHAPED(gyre_water_uplift),
    GYRE_PROPERTY_FLOAT(gyre_water_uplift, speed, "m/s", -1e3, 1e3,
                        "of the bed, upwards; digging and heaping: its size, 0: all at once",
                        .role = GYRE_DOES_RAISE),
    GYRE_PROPERTY_ENUM(gyre_water_uplift, work, works, "what is done to the bed"),
    GYRE_PROPERTY_FLOAT(gyre_water_uplift, height, "m", -1e5, 1e5, "that the bed is brought to",
                        .needs = "work=dig|heap|grade"),
    GYRE_PROPERTY_END,
};

#define BODY(kind, ...) GYRE_PROPERTY_##kind(gyre_water_body, __VA_ARGS__)
static const gyre_property body_properties[] = {
    ELEMENT(gyre_water_body),
    BODY(ENUM, form, forms, "its kind", .initial = {1}, .flags = GYRE_FIXED),
    BODY(VECTOR, size, "m", 1e-6, 1e6,
         "sphere: radius; box: edges; capsule: radius, distance of the centres",
         .initial = {1, 1, 1}),
    BODY(VOLUME, points, "m", "of a hull or mesh, 3 numbers each", .needs = "form=hull|mesh",
         .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BODY(VOLUME, triangles, "1", "of a mesh, 3 indices each", .needs = "form=mesh",
         .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BODY(FLOAT, density, "kg/m^3", 1e-3, 1e6, "mean", .initial = {500}),
    BODY(BOOL, held, "moves by its velocities alone", .role = GYRE_DOES_HOLD),
    GY_POSE(gyre_water_body, "its centre of mass, z up", NULL, 0, NULL),
    BODY(FLOAT, drag, "1", 0, 1e3, "coefficient against the water", .initial = {1}),
    BODY(FLOAT, added_mass, "1", 0, 10, "share of the displaced mass that moves along",
         .initial = {0.5}),
    BODY(FLOAT, waves, "1", 0, 1, "share of what it displaces that makes waves", .initial = {1}),
    BODY(BOOL, drift, "carried by current and waves", .initial = {1}),
    BODY(VECTOR, force, "N", -1e12, 1e12, "the caller's own", .needs = "held=false"),
    BODY(VECTOR, torque, "N m", -1e12, 1e12, "the caller's own", .needs = "held=false"),
    BODY(FLOAT, thrust, "N", -1e9, 1e9, "of a propeller, along its own x", .needs = "held=false"),
    BODY(VECTOR, propeller, "m", -1e4, 1e4, "where it pushes, own frame", .needs = "thrust"),
    BODY(FLOAT, rudder, "degrees", -90, 90, "above 0 the bow goes to port", .needs = "rudder_area"),
    BODY(FLOAT, rudder_area, "m^2", 0, 1e4, "0: none", .needs = "held=false"),
    BODY(VECTOR, rudder_at, "m", -1e4, 1e4, "where it is, own frame", .needs = "rudder_area"),
    BODY(FLOAT, keel_area, "m^2", 0, 1e5, "what keeps it from going sideways; 0: none",
         .needs = "held=false"),
    BODY(FLOAT, keel_length, "m", 0, 1e4, "of that, along its own x", .needs = "keel_area"),
    GYRE_PROPERTY_END,
};

#define DUST(kind, ...) GYRE_PROPERTY_##kind(gyre_water_dust, __VA_ARGS__)
static const gyre_property dust_properties[] = {
    DUST(INT, capacity, "1", 0, 1 << 28, "the most at a time; 0: none", .flags = GYRE_FIXED),
    DUST(INT, start, "1", 0, 1 << 28, "that there are at first, evenly spread", .flags = GYRE_FIXED,
         .needs = "capacity"),
    DUST(VECTOR, low, "m", -1e6, 1e6, "lower corner of the box they are spread over",
         .flags = GYRE_FIXED, .needs = "start"),
    DUST(VECTOR, high, "m", -1e6, 1e6, "upper corner; as low: the whole domain",
         .flags = GYRE_FIXED, .needs = "start"),
    DUST(FLOAT, life, "s", 0, 1e9, "after which one is gone; 0: never", .needs = "capacity"),
    DUST(INT, seed, "1", 0, 2147483647, "of their places", .needs = "capacity"),
    GYRE_PROPERTY_END,
};

#define DROPS(kind, ...) GYRE_PROPERTY_##kind(gyre_water_drops, __VA_ARGS__)
static const gyre_property drops_properties[] = {
    DROPS(FLOAT, size, "m", 0, 10, "diameter of a drop; 0: rain is even"),
    DROPS(FLOAT, ring, "m", 0, 10, "how far a drop dents the surface", .needs = "size"),
    DROPS(FLOAT, radius, "m", 0, 1e3, "of the dent; at least a cell and a half counts",
          .needs = "size ring"),
    DROPS(INT, seed, "1", 0, 2147483647, "of their places", .needs = "size"),
    GYRE_PROPERTY_END,
};

#define SEA(kind, ...) GYRE_PROPERTY_##kind(gyre_water_window, __VA_ARGS__)
static const gyre_property sea_properties[] = {
    SEA(ENUM, carries, carries, "what the grid has of a sea that it is joined to",
        .flags = GYRE_FIXED),
    SEA(FLOAT, shore, "m", 0, 1e5, "of water at rest, in less of which the sea fades",
        .initial = {5}, .needs = "carries=difference|whole"),
    GYRE_PROPERTY_END,
};

#define BREAKING(kind, ...) GYRE_PROPERTY_##kind(gyre_water_breaking, __VA_ARGS__)
static const gyre_property breaking_properties[] = {
    BREAKING(INT, fronts, "1", 0, 4096, "the most that are followed; 0: none", .flags = GYRE_FIXED),
    BREAKING(INT, patches, "1", 0, 1 << 24, "the most particles of sheets; 0: none",
             .flags = GYRE_FIXED),
    BREAKING(FLOAT, ratio, "1", 0.01, 100, "of the surface's rise to sqrt(g d) at a front",
             .initial = {0.6}, .needs = "fronts"),
    BREAKING(FLOAT, onset, "1", 0.1, 1, "of a crest's water, in speed, that breaks: nonhydrostatic",
             .initial = {0.85}),
    BREAKING(FLOAT, height, "m", 1e-4, 1e3, "lower fronts are none", .initial = {0.05},
             .needs = "fronts"),
    BREAKING(FLOAT, thickness, "m", 1e-4, 10, "of the sheets that fronts throw", .initial = {0.1},
             .needs = "fronts patches"),
    BREAKING(FLOAT, speed, "1", 1, 3, "of what is thrown, times the front's", .initial = {1.3},
             .needs = "fronts patches"),
    BREAKING(FLOAT, interval, "s", 1e-3, 10, "from a row of a sheet to the next", .initial = {0.05},
             .needs = "fronts patches"),
    BREAKING(FLOAT, fall, "m", 0, 1e4, "of a step of the bed down which water falls; 0: none",
             .needs = "patches"),
    BREAKING(FLOAT, splash, "m/s", 0, 1e3, "bodies that enter faster throw spray; 0: none"),
    GYRE_PROPERTY_END,
};

#define SPRAY(kind, ...) GYRE_PROPERTY_##kind(gyre_water_spray, __VA_ARGS__)
static const gyre_property spray_properties[] = {
    SPRAY(INT, capacity, "1", 0, 1 << 24, "the most at a time; 0: none", .flags = GYRE_FIXED),
    SPRAY(FLOAT, share, "1", 0, 1, "of what lands, and of a sheet's ends", .initial = {0.2},
          .needs = "capacity"),
    SPRAY(FLOAT, diameter, "m", 0, 1, "of drops, for the drag of the air; 0: none",
          .initial = {0.005}, .needs = "capacity"),
    SPRAY(FLOAT, bounce, "1", 0, 1, "of the speed at which drops meet bodies and walls",
          .initial = {0.3}, .needs = "capacity"),
    SPRAY(INT, seed, "1", 0, 2147483647, "of their ways", .needs = "capacity"),
    GYRE_PROPERTY_END,
};

#define FOAM(kind, ...) GYRE_PROPERTY_##kind(gyre_water_foam, __VA_ARGS__)
static const gyre_property foam_properties[] = {
    FOAM(INT, capacity, "1", 0, 1 << 24, "the most at a time; 0: none", .flags = GYRE_FIXED),
    FOAM(FLOAT, life, "s", 0.01, 1e6, "after which it is gone", .initial = {5},
         .needs = "capacity"),
    FOAM(FLOAT, amount, "1/m^3", 0, 1e9, "that come where water lands", .initial = {150},
         .needs = "capacity"),
    FOAM(FLOAT, depth, "m", 0, 100, "bubbles are driven down to at most; 0: none are",
         .needs = "capacity"),
    FOAM(FLOAT, rise, "m/s", 0.001, 10, "of bubbles", .initial = {0.25}, .needs = "capacity depth"),
    FOAM(FLOAT, patch, "m", 0, 100, "width of what one covers, in the field foam", .initial = {0.5},
         .needs = "capacity"),
    GYRE_PROPERTY_END,
};

#define TEXTURE(kind, ...) GYRE_PROPERTY_##kind(gyre_water_texture, __VA_ARGS__)
static const gyre_property texture_properties[] = {
    TEXTURE(INT, phases, "1", 0, GYRE_TEXTURE_PHASES,
            "0: no coordinates; 1: drawn out without end; 2, 3: begin anew in turn",
            .flags = GYRE_FIXED),
    TEXTURE(FLOAT, period, "s", 1e-3, 1e6, "after which a phase of several begins anew",
            .initial = {3}, .needs = "phases"),
    TEXTURE(VECTOR, offset, "m", -1e6, 1e6,
            "by which the texture is moved from one beginning to the next", .needs = "phases"),
    GYRE_PROPERTY_END,
};

#define WATER(kind, ...) GYRE_PROPERTY_##kind(gyre_water_def, __VA_ARGS__)
const gyre_property gyre_water_properties[] = {
    WATER(STRUCT, grid, gy_grid_properties, "the cells, seen from above"),
    WATER(ENUM, mode, modes, "linear waves, depth over a bed, or that with waves of every length",
          .initial = {GYRE_WATER_SHALLOW}, .flags = GYRE_FIXED),
    WATER(STRUCT, sides, sides_properties, "the four sides of the domain"),
    WATER(FLOAT, level, "m", -1e5, 1e5, "of the surface at rest", .flags = GYRE_FIXED),
    WATER(BOOL, fill, "all that is lower is filled at the start", .initial = {1},
          .flags = GYRE_FIXED),
    WATER(STRUCT, bed, bed_properties, "the ground"),
    WATER(VOLUME, mask, "1", "0 in cells that are cut out", .flags = GYRE_FIXED | GYRE_OPTIONAL),
    WATER(FLOAT, gravity, "m/s^2", 0, 1e4, "acceleration of free fall", .initial = {9.81}),
    WATER(FLOAT, wave_speed, "m/s", 0, 1e5, "of linear waves", .initial = {1},
          .needs = "mode=wave"),
    WATER(ENUM, excess, excesses, "what happens to a step that is too long"),
    WATER(FLOAT, courant, "1", 0.01, 1, "share of the stable step that is taken", .initial = {0.9}),
    WATER(INT, max_substeps, "1", 1, 10000, "of a step; what is left then is dropped",
          .initial = {64}),
    WATER(FLOAT, damping, "1/s", 0, 1e6, "how fast velocities decay"),
    WATER(FLOAT, velocity_scale, "1", 0, 1, "velocities times this in each step", .initial = {1}),
    WATER(FLOAT, max_slope, "1", 0, 1e3, "steeper surfaces spill; 0: any slope stands"),
    WATER(BOOL, nonhydrostatic, "waves disperse, and break where crests outrun themselves",
          .needs = "mode=shallow", .flags = GYRE_FIXED),
    WATER(FLOAT, manning, "s/m^(1/3)", 0, 10, "friction of the bed",
          .needs = "mode=shallow|dispersive"),
    WATER(FLOAT, friction, "1/s", 0, 1e6, "linear friction of the bed",
          .needs = "mode=shallow|dispersive"),
    WATER(FLOAT, rain, "m/s", 0, 1e3, "on all cells"),
    WATER(STRUCT, drops, drops_properties, "whether rain comes in drops that make rings"),
    WATER(FLOAT, evaporation, "m/s", 0, 1e3, "from all cells"),
    WATER(VECTOR, acceleration, "m/s^2", -1e4, 1e4, "of the tank",
          .needs = "mode=shallow|dispersive"),
    WATER(FLOAT, coriolis, "1/s", -10, 10, "turns the flow to the right"),
    WATER(FLOAT, coriolis_beta, "1/(m s)", -1, 1, "how much coriolis grows along y"),
    WATER(FLOAT, dry_depth, "m", 1e-9, 1, "less than this does not flow", .initial = {1e-4}),
    WATER(FLOAT, speed_cap, "m/s", 1e-3, 1e5, "velocities are cut to it", .initial = {200},
          .needs = "mode=shallow|dispersive"),
    WATER(BOOL, exact, "depths are whole multiples of the quantum", .flags = GYRE_FIXED),
    WATER(FLOAT, quantum, "m", 0, 1, "of depth; 0: by the deepest water at the start",
          .flags = GYRE_FIXED),
    WATER(FLOAT, sleep_height, "m", 0, 10, "calmer tiles go to sleep; 0: never"),
    WATER(INT, sleep_steps, "1", 1, 250, "how long they must have been calm", .initial = {30},
          .needs = "sleep_height"),
    WATER(FLOAT, wake_factor, "1", 1, 1e3, "times sleep_height wakes neighbours", .initial = {4},
          .needs = "sleep_height"),
    WATER(INT, tiles, "1", 0, 1 << 24, "of 64 x 64 cells there is memory for; 0: all",
          .flags = GYRE_FIXED),
    WATER(FLOAT, water_density, "kg/m^3", 1, 1e5, "for bodies", .initial = {1000}),
    WATER(STRING, follow, "name of a body that the grid goes along with; none: it stays"),
    WATER(FLOAT, slack, "m", 0, 1e6, "that it may be off the middle; 0: an eighth of the grid",
          .needs = "follow"),
    WATER(STRUCT, sea, sea_properties, "whether it is a window of a sea"),
    WATER(INT, every, "1", 1, 1000, "steps that the flow is stepped in one of", .initial = {1}),
    WATER(BOOL, queries, "keeps a copy for questions beside a step", .flags = GYRE_FIXED),
    WATER(STRUCT, dust, dust_properties, "points that float on it"),
    WATER(STRUCT, breaking, breaking_properties, "steep fronts, falls and splashes"),
    WATER(STRUCT, spray, spray_properties, "drops in the air"),
    WATER(STRUCT, foam, foam_properties, "foam and bubbles"),
    WATER(STRUCT, texture, texture_properties, "coordinates of a texture that flow with it"),
    WATER(FLOAT, drying, "s", 0, 1e9, "in which ground dries that water has left; 0: not known",
          .flags = GYRE_FIXED),
    WATER(POOL, edges, gyre_water_edge, 256, edge_properties,
          "pieces that are cut out of the domain"),
    WATER(POOL, gates, gyre_water_gate, 256, gate_properties, "weirs and gates"),
    WATER(POOL, lakes, gyre_water_lake, 4096, lake_properties, "water at the start",
          .flags = GYRE_FIXED),
    WATER(POOL, blocks, gyre_water_block, 4096, block_properties,
          "water that stands somewhere at the start", .flags = GYRE_FIXED),
    WATER(POOL, sources, gyre_water_source, 4096, source_properties,
          "where water enters or leaves"),
    WATER(POOL, uplifts, gyre_water_uplift, 256, uplift_properties, "where the bed moves"),
    WATER(POOL, bodies, gyre_water_body, 1024, body_properties, "what floats or sinks"),
    GYRE_PROPERTY_END,
};

enum { COOKIE = 0x7761 }; // "wa"

void gy_water_default(int dim, void *memory)
{
    gyre_water_def *def = memory;
    (void)dim;
    gyre_property_defaults(gyre_water_properties, def, sizeof *def);
    def->cookie = gy_cookie(COOKIE, sizeof *def);
    def->grid.dim = 2;
    def->grid.n[2] = 1;
}

void gyre_water_fill_def(gyre_water_def *def, size_t size, int dim)
{
    if (GY_MISSING("water_fill_def", def)) {
        return;
    }
    gyre_water_def own;
    gy_water_default(2, &own);
    own.cookie = gy_cookie(COOKIE, size);
    if (dim == 1) {
        own.grid.n[1] = 1;
    }
    gy_copy_sized(def, size, &own, sizeof own);
}

#define DEFAULT(type, function, table)                                                             \
    type function(void)                                                                            \
    {                                                                                              \
        type element;                                                                              \
        gyre_property_defaults(table, &element, sizeof element);                                   \
        return element;                                                                            \
    }
DEFAULT(gyre_water_side, gyre_water_default_side, side_properties)
DEFAULT(gyre_water_edge, gyre_water_default_edge, edge_properties)
DEFAULT(gyre_water_gate, gyre_water_default_gate, gate_properties)
DEFAULT(gyre_water_lake, gyre_water_default_lake, lake_properties)
DEFAULT(gyre_water_block, gyre_water_default_block, block_properties)
DEFAULT(gyre_water_source, gyre_water_default_source, source_properties)
DEFAULT(gyre_water_uplift, gyre_water_default_uplift, uplift_properties)
DEFAULT(gyre_water_body, gyre_water_default_body, body_properties)

static gyre_result check_array(const gyre_water_def *def, const gyre_volume *v, const char *path,
                               bool stretch)
{
    const int *n = def->grid.n;
    if (!v->data) {
        return GYRE_OK;
    }
    if (v->n[2] != 1 || v->n[0] < 1 || v->n[1] < 1) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: has %d x %d x %d values, expected an image",
                         path, v->n[0], v->n[1], v->n[2]);
    }
    bool fits = stretch || (v == &def->bed.data && def->bed.size[0] > 0.0f);
    if (!fits && (v->n[0] != n[0] || v->n[1] != n[1])) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: has %d x %d values, expected one for each of the %d x %d cells%s",
                         path, v->n[0], v->n[1], n[0], n[1],
                         strcmp(path, "bed.data") == 0 ? " (or bed.stretch, or bed.size)" : "");
    }
    for (size_t i = 0; i < (size_t)v->n[0] * (size_t)v->n[1]; i++) {
        if (!gy_is_finite(v->data[i]) || v->data[i] > 1e6f || v->data[i] < -1e6f) {
            return gyre_fail(
                GYRE_ERROR_ARGUMENT, "%s: the value at (%d, %d) is %g, expected -1e6 to 1e6", path,
                (int)(i % (size_t)v->n[0]), (int)(i / (size_t)v->n[0]), (double)v->data[i]);
        }
    }
    return GYRE_OK;
}

static gyre_result check_bed(const gyre_water_bed *bed)
{
    const char axes[] = "xy";
    for (int a = 0; a < 2 && (bed->size[0] > 0.0f || bed->size[1] > 0.0f); a++) {
        if (!(bed->size[a] > 0.0f)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "bed.size: is 0 along %c; expected a length along both axes, or 0 "
                             "along both",
                             axes[a]);
        }
    }
    return GYRE_OK;
}

static gyre_result check_sides(const gyre_water_def *def)
{
    static const char *const names[] = {"x_low", "x_high", "y_low", "y_high"};
    const gyre_water_side *sides = &def->sides.x_low;
    for (int q = 0; q < 4; q++) {
        bool mine = sides[q].rule == GYRE_WATER_PERIODIC;
        if (mine != (sides[q ^ 1].rule == GYRE_WATER_PERIODIC)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sides.%s.rule: the opposite side is periodic, so it must be, too",
                             names[mine ? q ^ 1 : q]);
        }
    }
    const gyre_water_edge *e = def->edges.items;
    for (int i = 0; i < def->edges.count; i++) {
        if (e[i].side.rule == GYRE_WATER_PERIODIC) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "edges.%d.side.rule: \"periodic\" is for sides of the domain alone",
                             i);
        }
    }
    return GYRE_OK;
}

static gyre_result check_elements(const gyre_water_def *def)
{
    const gyre_water_edge *e = def->edges.items;
    const gyre_water_block *k = def->blocks.items;
    const gyre_water_source *s = def->sources.items;
    const gyre_water_uplift *u = def->uplifts.items;
    const gyre_water_body *b = def->bodies.items;
    const gyre_water_gate *g = def->gates.items;
    gyre_result r = GYRE_OK;
    char path[48];
    for (int i = 0; i < def->edges.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "edges.%d.shape", i);
        r = gy_shape_check(&e[i].shape, 2, path);
    }
    for (int i = 0; i < def->blocks.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "blocks.%d.shape", i);
        r = gy_shape_check(&k[i].shape, 2, path);
    }
    for (int i = 0; i < def->sources.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "sources.%d.shape", i);
        r = gy_shape_check(&s[i].shape, 2, path);
    }
    for (int i = 0; i < def->uplifts.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "uplifts.%d.shape", i);
        r = gy_shape_check(&u[i].shape, 2, path);
    }
    for (int i = 0; i < def->bodies.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "bodies.%d", i);
        r = gy_body_check(&b[i], path);
    }
    for (int i = 0; i < def->gates.count && r == GYRE_OK; i++) {
        if (g[i].from[0] == g[i].to[0] && g[i].from[1] == g[i].to[1]) {
            r = gyre_fail(GYRE_ERROR_ARGUMENT, "gates.%d.to: is the same point as from", i);
        }
    }
    return r;
}

/// Whether a def whose arrays have been looked at can be run.
static gyre_result check_dust(const gyre_water_def *def)
{
    const gyre_water_source *s = def->sources.items;
    if (def->dust.start > def->dust.capacity) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "dust.start: %d, and dust.capacity is %d",
                         def->dust.start, def->dust.capacity);
    }
    for (int i = 0; i < def->sources.count && def->dust.capacity == 0; i++) {
        if (s[i].dust > 0.0f) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sources.%d.dust: there is no room for any: set dust.capacity", i);
        }
    }
    return GYRE_OK;
}

static gyre_result check_breaking(const gyre_water_def *def)
{
    const gyre_water_breaking *b = &def->breaking;
    bool some =
        b->fronts > 0 || b->patches > 0 || def->spray.capacity > 0 || def->foam.capacity > 0;
    if (some && def->mode == GYRE_WATER_WAVE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "breaking, spray, foam: mode wave has no flow that breaks: expected mode "
                         "shallow or dispersive");
    }
    if (b->fall > 0.0f && b->patches == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "breaking.fall: there is no room for what falls: set breaking.patches");
    }
    if (b->splash > 0.0f && def->spray.capacity == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "breaking.splash: there is no room for what is thrown: set "
                         "spray.capacity");
    }
    return GYRE_OK;
}

gyre_result gy_water_check(const void *memory)
{
    const gyre_water_def *def = memory;
    gyre_result r = gy_cookie_check(def, COOKIE, sizeof *def, "gyre_water_def");
    if (r != GYRE_OK) {
        return r;
    }
    r = gyre_grid_check(&def->grid);
    if (r == GYRE_OK && def->grid.dim != 2) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT,
                      "grid.dim: is %d, expected 2: heights stand on a plane seen from above",
                      def->grid.dim);
    }
    if (r == GYRE_OK) {
        gyre_water_def scalars = *def;
        scalars.bed.data = scalars.mask = (gyre_volume){0};
        r = gyre_property_check(gyre_water_properties, &scalars, "");
    }
    if (r == GYRE_OK) {
        r = check_sides(def);
    }
    if (r == GYRE_OK) {
        r = check_dust(def);
    }
    if (r == GYRE_OK) {
        r = check_breaking(def);
    }
    if (r == GYRE_OK && def->mode == GYRE_WATER_DISPERSIVE) {
        r = gy_dispersive_check(def);
    }
    if (r == GYRE_OK) {
        r = gy_pressure_check(def);
    }
    if (r == GYRE_OK) {
        r = gy_water_sea_check(def);
    }
    return r == GYRE_OK ? check_elements(def) : r;
}

gyre_result gy_water_check_all(const gyre_water_def *def)
{
    gyre_result r = gy_water_check(def);
    if (r == GYRE_OK) {
        r = check_bed(&def->bed);
    }
    if (r == GYRE_OK) {
        r = check_array(def, &def->bed.data, "bed.data", def->bed.stretch);
    }
    return r == GYRE_OK ? check_array(def, &def->mask, "mask", false) : r;
}
