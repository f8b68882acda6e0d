// water/def.c: the tables of water, its defaults, and whether a def can be run.
#include "grid/table.h"
#include "shape/shape.h"
#include "water/water.h"
#include <stdio.h>
#include <string.h>

static const char *const modes[] = {"wave", "shallow", NULL};
static const char *const excesses[] = {"split", "clamp", "explode", NULL};
static const char *const rules[] = {"wall", "periodic", "open", "inflow", NULL};
static const char *const absorbers[] = {"mur", "layer", "ghost_new", "ghost_old", NULL};
static const char *const inflows[] = {"waves", "stage", "discharge", NULL};
static const char *const forms[] = {"sphere", "box", "capsule", "hull", "mesh", NULL};

#define SIDE(...) GY_PROPERTY(gyre_water_side, __VA_ARGS__)
static const gyre_property side_properties[] = {
    SIDE(rule, GYRE_ENUM, 1, "1", 0, 3, "what the side does to waves", .initial = {0},
         .names = rules, .flags = GYRE_FIXED),
    SIDE(absorber, GYRE_ENUM, 1, "1", 0, 3, "how an open side lets waves out", .initial = {0},
         .needs = "rule=open", .names = absorbers),
    SIDE(layer, GYRE_FLOAT, 1, "m", 0, 1e6, "width of an absorbing layer", .initial = {1},
         .needs = "rule=open absorber=layer"),
    SIDE(inflow, GYRE_ENUM, 1, "1", 0, 2, "what an inflow brings", .initial = {0},
         .needs = "rule=inflow", .names = inflows),
    SIDE(follow_level, GYRE_BOOL, 1, "1", 0, 1, "the level outside is that of the water at rest",
         .initial = {1}, .needs = "rule=open|inflow"),
    SIDE(level, GYRE_FLOAT, 1, "m", -1e5, 1e5, "stage, and the level outside", .initial = {0},
         .needs = "rule=open|inflow"),
    SIDE(amplitude, GYRE_FLOAT, 1, "m", -1e4, 1e4, "of incoming waves", .initial = {0.1},
         .needs = "rule=inflow inflow=waves"),
    SIDE(period, GYRE_FLOAT, 1, "s", 1e-6, 1e6, "of incoming waves", .initial = {2},
         .needs = "rule=inflow inflow=waves"),
    SIDE(phase, GYRE_FLOAT, 1, "degrees", -1e6, 1e6, "of incoming waves", .initial = {0},
         .needs = "rule=inflow inflow=waves"),
    SIDE(discharge, GYRE_FLOAT, 1, "m^2/s", -1e6, 1e6, "inwards, per metre of side", .initial = {0},
         .needs = "rule=inflow inflow=discharge"),
    GY_TABLE_END,
};

#define ONE_SIDE(member, doc) GY_STRUCT(gyre_water_sides, member, side_properties, doc)
static const gyre_property sides_properties[] = {
    ONE_SIDE(x_low, "the side at the lowest x"),
    ONE_SIDE(x_high, "the side at the highest x"),
    ONE_SIDE(y_low, "the side at the lowest y"),
    ONE_SIDE(y_high, "the side at the highest y"),
    GY_TABLE_END,
};

#define BED(...) GY_PROPERTY(gyre_water_bed, __VA_ARGS__)
static const gyre_property bed_properties[] = {
    BED(data, GYRE_VOLUME, 1, "1", 0, 0, "heights in metres, a value per cell; none: flat",
        .initial = {0}, .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BED(stretch, GYRE_BOOL, 1, "1", 0, 1, "whether an array of another size is stretched",
        .initial = {0}, .needs = "data", .flags = GYRE_FIXED),
    BED(flat, GYRE_FLOAT, 1, "m", -1e5, 1e5, "height of a bed without data", .initial = {-1},
        .flags = GYRE_FIXED),
    BED(low, GYRE_FLOAT, 1, "m", -1e5, 1e5, "height of the value 0 of data", .initial = {0},
        .needs = "data", .flags = GYRE_FIXED),
    BED(high, GYRE_FLOAT, 1, "m", -1e5, 1e5, "height of the value 1 of data", .initial = {1},
        .needs = "data", .flags = GYRE_FIXED),
    BED(slope, GYRE_FLOAT, 2, "1", -100, 100, "added: rise along x and y", .initial = {0},
        .flags = GYRE_FIXED),
    GY_TABLE_END,
};

#define ELEMENT(type)                                                                              \
    GY_PROPERTY(type, name, GYRE_STRING, 1, "1", 0, 0, "for paths", .initial = {0},                \
                .flags = GYRE_NAME),                                                               \
        GY_PROPERTY(type, enabled, GYRE_BOOL, 1, "1", 0, 1, "whether it counts", .initial = {1})
#define SHAPED(type)                                                                               \
    GY_PROPERTY(type, shape, GYRE_UNION, 1, "1", 0, 4, "where, seen from above", .initial = {0},   \
                .properties = gyre_shape_properties)

static const gyre_property edge_properties[] = {
    ELEMENT(gyre_water_edge),
    SHAPED(gyre_water_edge),
    GY_STRUCT(gyre_water_edge, side, side_properties, "what its faces do to waves"),
    GY_TABLE_END,
};

#define GATE(...) GY_PROPERTY(gyre_water_gate, __VA_ARGS__)
static const gyre_property gate_properties[] = {
    ELEMENT(gyre_water_gate),
    GATE(from, GYRE_FLOAT, 2, "m", -1e6, 1e6, "one end", .initial = {0}),
    GATE(to, GYRE_FLOAT, 2, "m", -1e6, 1e6, "the other end", .initial = {1, 0}),
    GATE(crest, GYRE_FLOAT, 1, "m", -1e5, 1e5, "nothing passes below", .initial = {-1e5}),
    GATE(lid, GYRE_FLOAT, 1, "m", -1e5, 1e5, "nothing passes above", .initial = {1e5}),
    GATE(coefficient, GYRE_FLOAT, 1, "1", 0.01, 1, "of contraction", .initial = {0.61}),
    GY_TABLE_END,
};

#define LAKE(...) GY_PROPERTY(gyre_water_lake, __VA_ARGS__)
static const gyre_property lake_properties[] = {
    GY_PROPERTY(gyre_water_lake, name, GYRE_STRING, 1, "1", 0, 0, "for paths", .initial = {0},
                .flags = GYRE_NAME),
    LAKE(point, GYRE_FLOAT, 2, "m", -1e6, 1e6, "in it", .initial = {0}),
    LAKE(level, GYRE_FLOAT, 1, "m", -1e5, 1e5, "it is filled to", .initial = {0}),
    GY_TABLE_END,
};

static const gyre_property block_properties[] = {
    GY_PROPERTY(gyre_water_block, name, GYRE_STRING, 1, "1", 0, 0, "for paths", .initial = {0},
                .flags = GYRE_NAME),
    SHAPED(gyre_water_block),
    GY_PROPERTY(gyre_water_block, level, GYRE_FLOAT, 1, "m", -1e5, 1e5, "it is filled to",
                .initial = {0}),
    GY_TABLE_END,
};

static const gyre_property source_properties[] = {
    ELEMENT(gyre_water_source),
    SHAPED(gyre_water_source),
    GY_PROPERTY(gyre_water_source, discharge, GYRE_FLOAT, 1, "m^3/s", -1e6, 1e6,
                "that enters in all; below 0: is taken away", .initial = {0}),
    GY_TABLE_END,
};

static const gyre_property uplift_properties[] = {
    ELEMENT(gyre_water_uplift),
    SHAPED(gyre_water_uplift),
    GY_PROPERTY(gyre_water_uplift, speed, GYRE_FLOAT, 1, "m/s", -1e3, 1e3, "of the bed, upwards",
                .initial = {0}),
    GY_TABLE_END,
};

#define BODY(...) GY_PROPERTY(gyre_water_body, __VA_ARGS__)
static const gyre_property body_properties[] = {
    ELEMENT(gyre_water_body),
    BODY(form, GYRE_ENUM, 1, "1", 0, 4, "its kind", .initial = {1}, .names = forms,
         .flags = GYRE_FIXED),
    BODY(size, GYRE_FLOAT, 3, "m", 1e-6, 1e6,
         "sphere: radius; box: edges; capsule: radius, distance of the centres",
         .initial = {1, 1, 1}),
    BODY(points, GYRE_VOLUME, 1, "m", 0, 0, "of a hull or mesh, 3 numbers each", .initial = {0},
         .needs = "form=hull|mesh", .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BODY(triangles, GYRE_VOLUME, 1, "1", 0, 0, "of a mesh, 3 indices each", .initial = {0},
         .needs = "form=mesh", .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BODY(density, GYRE_FLOAT, 1, "kg/m^3", 1e-3, 1e6, "mean", .initial = {500}),
    BODY(held, GYRE_BOOL, 1, "1", 0, 1, "moves by its velocities alone", .initial = {0}),
    GY_POSE(gyre_water_body, "its centre of mass, z up", NULL, 0, NULL),
    BODY(drag, GYRE_FLOAT, 1, "1", 0, 1e3, "coefficient against the water", .initial = {1}),
    BODY(added_mass, GYRE_FLOAT, 1, "1", 0, 10, "share of the displaced mass that moves along",
         .initial = {0.5}),
    BODY(waves, GYRE_FLOAT, 1, "1", 0, 1, "share of what it displaces that makes waves",
         .initial = {1}),
    BODY(drift, GYRE_BOOL, 1, "1", 0, 1, "carried by current and waves", .initial = {1}),
    BODY(force, GYRE_FLOAT, 3, "N", -1e12, 1e12, "the caller's own", .initial = {0},
         .needs = "held=false"),
    BODY(torque, GYRE_FLOAT, 3, "N m", -1e12, 1e12, "the caller's own", .initial = {0},
         .needs = "held=false"),
    GY_TABLE_END,
};

#define WATER(...) GY_PROPERTY(gyre_water_def, __VA_ARGS__)
const gyre_property gyre_water_properties[] = {
    GY_STRUCT(gyre_water_def, grid, gy_grid_properties, "the cells, seen from above"),
    WATER(mode, GYRE_ENUM, 1, "1", 0, 1, "linear waves, or depth over a bed",
          .initial = {GYRE_WATER_SHALLOW}, .names = modes, .flags = GYRE_FIXED),
    GY_STRUCT(gyre_water_def, sides, sides_properties, "the four sides of the domain"),
    WATER(level, GYRE_FLOAT, 1, "m", -1e5, 1e5, "of the surface at rest", .initial = {0},
          .flags = GYRE_FIXED),
    WATER(fill, GYRE_BOOL, 1, "1", 0, 1, "all that is lower is filled at the start", .initial = {1},
          .flags = GYRE_FIXED),
    GY_STRUCT(gyre_water_def, bed, bed_properties, "the ground"),
    WATER(mask, GYRE_VOLUME, 1, "1", 0, 0, "0 in cells that are cut out", .initial = {0},
          .flags = GYRE_FIXED | GYRE_OPTIONAL),
    WATER(gravity, GYRE_FLOAT, 1, "m/s^2", 0, 1e4, "acceleration of free fall", .initial = {9.81}),
    WATER(wave_speed, GYRE_FLOAT, 1, "m/s", 0, 1e5, "of linear waves", .initial = {1},
          .needs = "mode=wave"),
    WATER(excess, GYRE_ENUM, 1, "1", 0, 2, "what happens to a step that is too long",
          .initial = {0}, .names = excesses),
    WATER(courant, GYRE_FLOAT, 1, "1", 0.01, 1, "share of the stable step that is taken",
          .initial = {0.9}),
    WATER(max_substeps, GYRE_INT, 1, "1", 1, 10000, "of a step; what is left then is dropped",
          .initial = {64}),
    WATER(damping, GYRE_FLOAT, 1, "1/s", 0, 1e6, "how fast velocities decay", .initial = {0}),
    WATER(velocity_scale, GYRE_FLOAT, 1, "1", 0, 1, "velocities times this in each step",
          .initial = {1}),
    WATER(max_slope, GYRE_FLOAT, 1, "1", 0, 1e3, "steeper surfaces spill; 0: any slope stands",
          .initial = {0}),
    WATER(manning, GYRE_FLOAT, 1, "s/m^(1/3)", 0, 10, "friction of the bed", .initial = {0},
          .needs = "mode=shallow"),
    WATER(friction, GYRE_FLOAT, 1, "1/s", 0, 1e6, "linear friction of the bed", .initial = {0},
          .needs = "mode=shallow"),
    WATER(rain, GYRE_FLOAT, 1, "m/s", 0, 1e3, "on all cells", .initial = {0}),
    WATER(evaporation, GYRE_FLOAT, 1, "m/s", 0, 1e3, "from all cells", .initial = {0}),
    WATER(acceleration, GYRE_FLOAT, 2, "m/s^2", -1e4, 1e4, "of the tank", .initial = {0},
          .needs = "mode=shallow"),
    WATER(dry_depth, GYRE_FLOAT, 1, "m", 1e-9, 1, "less than this does not flow",
          .initial = {1e-4}),
    WATER(speed_cap, GYRE_FLOAT, 1, "m/s", 1e-3, 1e5, "velocities are cut to it", .initial = {200},
          .needs = "mode=shallow"),
    WATER(exact, GYRE_BOOL, 1, "1", 0, 1, "depths are whole multiples of the quantum",
          .initial = {0}, .flags = GYRE_FIXED),
    WATER(quantum, GYRE_FLOAT, 1, "m", 0, 1, "of depth; 0: by the deepest water at the start",
          .initial = {0}, .flags = GYRE_FIXED),
    WATER(sleep_height, GYRE_FLOAT, 1, "m", 0, 10, "calmer tiles go to sleep; 0: never",
          .initial = {0}),
    WATER(sleep_steps, GYRE_INT, 1, "1", 1, 250, "how long they must have been calm",
          .initial = {30}, .needs = "sleep_height"),
    WATER(wake_factor, GYRE_FLOAT, 1, "1", 1, 1e3, "times sleep_height wakes neighbours",
          .initial = {4}, .needs = "sleep_height"),
    WATER(tiles, GYRE_INT, 1, "1", 0, 1 << 24, "of 64 x 64 cells there is memory for; 0: all",
          .initial = {0}, .flags = GYRE_FIXED),
    WATER(water_density, GYRE_FLOAT, 1, "kg/m^3", 1, 1e5, "for bodies", .initial = {1000}),
    WATER(queries, GYRE_BOOL, 1, "1", 0, 1, "keeps a copy for questions beside a step",
          .initial = {0}, .flags = GYRE_FIXED),
    GY_POOL(gyre_water_def, edges, gyre_water_edge, 256, edge_properties,
            "pieces that are cut out of the domain", 0),
    GY_POOL(gyre_water_def, gates, gyre_water_gate, 256, gate_properties, "weirs and gates", 0),
    GY_POOL(gyre_water_def, lakes, gyre_water_lake, 4096, lake_properties, "water at the start",
            GYRE_FIXED),
    GY_POOL(gyre_water_def, blocks, gyre_water_block, 4096, block_properties,
            "water that stands somewhere at the start", GYRE_FIXED),
    GY_POOL(gyre_water_def, sources, gyre_water_source, 4096, source_properties,
            "where water enters or leaves", 0),
    GY_POOL(gyre_water_def, uplifts, gyre_water_uplift, 256, uplift_properties,
            "where the bed moves", 0),
    GY_POOL(gyre_water_def, bodies, gyre_water_body, 1024, body_properties, "what floats or sinks",
            0),
    GY_TABLE_END,
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
DEFAULT(gyre_water_side, gyre_default_water_side, side_properties)
DEFAULT(gyre_water_edge, gyre_default_water_edge, edge_properties)
DEFAULT(gyre_water_gate, gyre_default_water_gate, gate_properties)
DEFAULT(gyre_water_lake, gyre_default_water_lake, lake_properties)
DEFAULT(gyre_water_block, gyre_default_water_block, block_properties)
DEFAULT(gyre_water_source, gyre_default_water_source, source_properties)
DEFAULT(gyre_water_uplift, gyre_default_water_uplift, uplift_properties)
DEFAULT(gyre_water_body, gyre_default_water_body, body_properties)

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
    if (!stretch && (v->n[0] != n[0] || v->n[1] != n[1])) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: has %d x %d values, expected one for each of the %d x %d cells%s",
                         path, v->n[0], v->n[1], n[0], n[1],
                         strcmp(path, "bed.data") == 0 ? " (or bed.stretch)" : "");
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
    return r == GYRE_OK ? check_elements(def) : r;
}

gyre_result gy_water_check_all(const gyre_water_def *def)
{
    gyre_result r = gy_water_check(def);
    if (r == GYRE_OK) {
        r = check_array(def, &def->bed.data, "bed.data", def->bed.stretch);
    }
    return r == GYRE_OK ? check_array(def, &def->mask, "mask", false) : r;
}
