// classic/def.c: the tables of the model "classic".
#include "base/base.h"
#include "classic/model.h"
#include "grid/table.h"
#include "gyre/classic.h"
#include "shape/shape.h"

static const char *const rules[] = {"wall", "periodic", "inflow", "open", NULL};

#define EDGE(kind, ...) GYRE_PROPERTY_##kind(gyre_classic_edge, __VA_ARGS__)
static const gyre_property edge_properties[] = {
    EDGE(ENUM, rule, rules, "what the side does to the fluid", .flags = GYRE_FIXED),
    EDGE(VECTOR, velocity, "m/s", -1e4, 1e4, "of an inflow", .needs = "rule=inflow"),
    EDGE(FLOAT, density, "kg/m^3", -1e6, 1e6, "of an inflow", .needs = "rule=inflow"),
    GYRE_PROPERTY_END,
};

#define SIDE(member, doc) GYRE_PROPERTY_STRUCT(gyre_classic_edges, member, edge_properties, doc)
#define SIDE_3D(member, doc)                                                                       \
    GYRE_PROPERTY_STRUCT(gyre_classic_edges, member, edge_properties, doc, .needs = "/grid.dim=3")
static const gyre_property edges_properties[] = {
    SIDE(x_low, "the side at the lowest x"),
    SIDE(x_high, "the side at the highest x"),
    SIDE(y_low, "the side at the lowest y"),
    SIDE(y_high, "the side at the highest y"),
    SIDE_3D(z_low, "the side at the lowest z"),
    SIDE_3D(z_high, "the side at the highest z"),
    GYRE_PROPERTY_END,
};

#define ELEMENT(type)                                                                              \
    GYRE_PROPERTY_STRING(type, name, "for paths", .flags = GYRE_NAME),                             \
        GYRE_PROPERTY_BOOL(type, enabled, "whether it counts", .initial = {1}),                    \
        GYRE_PROPERTY_UNION(type, shape, gyre_shape_properties, "where")

static const gyre_property emitter_properties[] = {
    ELEMENT(gyre_classic_emitter),
    GYRE_PROPERTY_FLOAT(gyre_classic_emitter, density, "kg/m^3/s", -1e6, 1e6, "smoke per second",
                        .role = GYRE_DOES_FEED, .feeds = "density"),
    GYRE_PROPERTY_VECTOR(gyre_classic_emitter, force, "m/s^2", -1e6, 1e6,
                         "that pushes the fluid inside", .role = GYRE_DOES_PUSH),
    GYRE_PROPERTY_END,
};

static const gyre_property solid_properties[] = {
    ELEMENT(gyre_classic_solid),
    GYRE_PROPERTY_VECTOR(gyre_classic_solid, velocity, "m/s", -1e4, 1e4,
                         "that its surface gives the fluid"),
    GYRE_PROPERTY_END,
};

#define CLASSIC(kind, ...) GYRE_PROPERTY_##kind(gyre_classic_def, __VA_ARGS__)
const gyre_property gyre_classic_properties[] = {
    CLASSIC(STRUCT, grid, gy_grid_properties, "the cells"),
    CLASSIC(STRUCT, sides, edges_properties, "the six sides of the box"),
    CLASSIC(INT, sweeps, "1", 1, 100000, "of Gauss-Seidel in each solve", .initial = {20}),
    CLASSIC(FLOAT, viscosity, "m^2/s", 0, 1e6, "kinematic viscosity"),
    CLASSIC(FLOAT, diffusivity, "m^2/s", 0, 1e6, "how fast smoke spreads by itself"),
    CLASSIC(FLOAT, confinement, "1/s", 0, 1e3, "of vorticity"),
    CLASSIC(POOL, emitters, gyre_classic_emitter, 4096, emitter_properties,
            "where something enters or pushes"),
    CLASSIC(POOL, solids, gyre_classic_solid, 4096, solid_properties, "bodies",
            .role = GYRE_DOES_BLOCK),
    GYRE_PROPERTY_END,
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
    int64_t cells = (int64_t)(n[0] + 2) * (n[1] + 2) * (gy_is_3d(def->grid.dim) ? n[2] + 2 : 1);
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
