// classic/def.c: the tables of the model "classic".
#include "base/base.h"
#include "classic/model.h"
#include "grid/table.h"
#include "gyre/classic.h"
#include "shape/shape.h"

static const char *const rules[] = {"wall", "periodic", "inflow", "open", NULL};

#define EDGE(...) GY_PROPERTY(gyre_classic_edge, __VA_ARGS__)
static const gyre_property edge_properties[] = {
    EDGE(rule, GYRE_ENUM, 1, "1", 0, 3, "what the side does to the fluid", .initial = {0},
         .names = rules, .flags = GYRE_FIXED),
    EDGE(velocity, GYRE_FLOAT, 3, "m/s", -1e4, 1e4, "of an inflow", .initial = {0},
         .needs = "rule=inflow"),
    EDGE(density, GYRE_FLOAT, 1, "kg/m^3", -1e6, 1e6, "of an inflow", .initial = {0},
         .needs = "rule=inflow"),
    GY_TABLE_END,
};

#define SIDE(member, doc) GY_STRUCT(gyre_classic_edges, member, edge_properties, doc)
#define SIDE_3D(member, doc)                                                                       \
    GY_PROPERTY(gyre_classic_edges, member, GYRE_STRUCT, 1, "1", 0, 0, doc,                        \
                .properties = edge_properties, .needs = "/grid.dim=3")
static const gyre_property edges_properties[] = {
    SIDE(x_low, "the side at the lowest x"),
    SIDE(x_high, "the side at the highest x"),
    SIDE(y_low, "the side at the lowest y"),
    SIDE(y_high, "the side at the highest y"),
    SIDE_3D(z_low, "the side at the lowest z"),
    SIDE_3D(z_high, "the side at the highest z"),
    GY_TABLE_END,
};

#define ELEMENT(type)                                                                              \
    GY_PROPERTY(type, name, GYRE_STRING, 1, "1", 0, 0, "for paths", .initial = {0},                \
                .flags = GYRE_NAME),                                                               \
        GY_PROPERTY(type, enabled, GYRE_BOOL, 1, "1", 0, 1, "whether it counts", .initial = {1}),  \
        GY_PROPERTY(type, shape, GYRE_UNION, 1, "1", 0, 4, "where", .initial = {0},                \
                    .properties = gyre_shape_properties)

static const gyre_property emitter_properties[] = {
    ELEMENT(gyre_classic_emitter),
    GY_PROPERTY(gyre_classic_emitter, density, GYRE_FLOAT, 1, "kg/m^3/s", -1e6, 1e6,
                "smoke per second", .initial = {0}),
    GY_PROPERTY(gyre_classic_emitter, force, GYRE_FLOAT, 3, "m/s^2", -1e6, 1e6,
                "that pushes the fluid inside", .initial = {0}),
    GY_TABLE_END,
};

static const gyre_property solid_properties[] = {
    ELEMENT(gyre_classic_solid),
    GY_PROPERTY(gyre_classic_solid, velocity, GYRE_FLOAT, 3, "m/s", -1e4, 1e4,
                "that its surface gives the fluid", .initial = {0}),
    GY_TABLE_END,
};

#define CLASSIC(...) GY_PROPERTY(gyre_classic_def, __VA_ARGS__)
const gyre_property gyre_classic_properties[] = {
    GY_STRUCT(gyre_classic_def, grid, gy_grid_properties, "the cells"),
    GY_STRUCT(gyre_classic_def, sides, edges_properties, "the six sides of the box"),
    CLASSIC(sweeps, GYRE_INT, 1, "1", 1, 100000, "of Gauss-Seidel in each solve", .initial = {20}),
    CLASSIC(viscosity, GYRE_FLOAT, 1, "m^2/s", 0, 1e6, "kinematic viscosity", .initial = {0}),
    CLASSIC(diffusivity, GYRE_FLOAT, 1, "m^2/s", 0, 1e6, "how fast smoke spreads by itself",
            .initial = {0}),
    CLASSIC(confinement, GYRE_FLOAT, 1, "1/s", 0, 1e3, "of vorticity", .initial = {0}),
    GY_POOL(gyre_classic_def, emitters, gyre_classic_emitter, 4096, emitter_properties,
            "where something enters or pushes", 0),
    GY_POOL(gyre_classic_def, solids, gyre_classic_solid, 4096, solid_properties, "bodies", 0),
    GY_TABLE_END,
};

enum { COOKIE = 0x636c }; // "cl"

void gy_classic_default(int dim, void *memory)
{
    gyre_classic_def *def = memory;
    gyre_property_defaults(gyre_classic_properties, def, sizeof *def);
    def->cookie = gy_cookie(COOKIE, sizeof *def);
    def->grid.dim = dim;
    def->grid.n[2] = dim == 3 ? def->grid.n[2] : 1;
}

void gyre_classic_fill_def(gyre_classic_def *def, size_t size, int dim)
{
    if (GY_MISSING("classic_fill_def", def)) {
        return;
    }
    gyre_classic_def own;
    gy_classic_default(dim, &own);
    own.cookie = gy_cookie(COOKIE, size);
    gy_copy_sized(def, size, &own, sizeof own);
}

static gyre_result check_elements(const gyre_classic_def *def)
{
    const gyre_classic_emitter *e = def->emitters.items;
    const gyre_classic_solid *s = def->solids.items;
    gyre_result r = GYRE_OK;
    for (int i = 0; i < def->emitters.count && r == GYRE_OK; i++) {
        r = gy_shape_check(&e[i].shape, def->grid.dim, "emitters.shape");
    }
    for (int i = 0; i < def->solids.count && r == GYRE_OK; i++) {
        r = gy_shape_check(&s[i].shape, def->grid.dim, "solids.shape");
    }
    return r;
}

gyre_result gy_classic_check(const void *memory)
{
    static const char *const names[3] = {"x", "y", "z"};
    const gyre_classic_def *def = memory;
    gyre_result r = gy_cookie_check(def, COOKIE, sizeof *def, "gyre_classic_def");
    if (r != GYRE_OK) {
        return r;
    }
    r = gyre_grid_check(&def->grid);
    if (r == GYRE_OK) {
        r = gyre_property_check(gyre_classic_properties, def, "");
    }
    if (r != GYRE_OK) {
        return r;
    }
    const int *n = def->grid.n;
    int64_t cells = (int64_t)(n[0] + 2) * (n[1] + 2) * (def->grid.dim == 3 ? n[2] + 2 : 1);
    if (cells > 1 << 28) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "grid.n: %d x %d x %d cells, expected at most 2^28 in all", n[0], n[1],
                         n[2]);
    }
    const gyre_classic_edge *sides = &def->sides.x_low;
    for (int a = 0; a < def->grid.dim; a++) {
        bool low = sides[2 * a].rule == GYRE_CLASSIC_PERIODIC,
             high = sides[2 * a + 1].rule == GYRE_CLASSIC_PERIODIC;
        if (low != high) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sides.%s_%s.rule: the opposite side is periodic, so it must be, too",
                             names[a], low ? "high" : "low");
        }
    }
    return check_elements(def);
}
