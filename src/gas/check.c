// gas/check.c: what a gas's def may say that no range of a single property tells: names that are
// taken or not there, shapes, sides that belong together, solvers that cannot do what is asked for.
#include "gas/cloud.h"
#include "gas/gas.h"
#include <stdio.h>
#include <string.h>

static const char *scalar_name(const void *memory, int s)
{
    const gyre_gas_def *def = memory;
    const gyre_gas_channel *c = def->channels.items;
    return s < GY_GAS_OWN ? gy_gas_own[s].info.name : c[s - GY_GAS_OWN].name;
}

/// Whether a name is one of a field that every gas has.
static bool is_taken(const char *name)
{
    static const char *const velocities[] = {"velocity_x", "velocity_y", "velocity_z"};
    bool taken = false;
    for (int a = 0; a < 3; a++) {
        taken = taken || strcmp(name, velocities[a]) == 0;
    }
    for (int s = 0; s < GY_GAS_OWN; s++) {
        taken = taken || strcmp(name, gy_gas_own[s].info.name) == 0;
    }
    for (int d = 0; d < GY_GAS_DERIVED; d++) {
        taken = taken || strcmp(name, gy_gas_derived_list[d].info.name) == 0;
    }
    return taken || strncmp(name, "texture_", 8) == 0;
}

static gyre_result check_sides(const gyre_gas_def *def)
{
    static const char *const names[3] = {"x", "y", "z"};
    const gyre_gas_side *sides = &def->sides.x_low;
    for (int a = 0; a < def->grid.dim; a++) {
        bool low = sides[2 * a].rule == GYRE_GAS_SIDE_PERIODIC,
             high = sides[2 * a + 1].rule == GYRE_GAS_SIDE_PERIODIC;
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
    const gyre_gas_channel *c = def->channels.items;
    for (int i = 0; i < def->channels.count; i++) {
        bool clash =
            c[i].name[0] == 0 || !memchr(c[i].name, 0, sizeof c[i].name) || is_taken(c[i].name);
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

int gy_gas_scalar_named(const gyre_gas_def *def, const char *name)
{
    int s = GY_GAS_OWN + def->channels.count - 1;
    while (s >= 0 && strcmp(scalar_name(def, s), name) != 0) {
        s--;
    }
    return s;
}

gyre_result gy_gas_check_amounts(const gyre_gas_def *def, const gyre_amount *amounts, int count,
                                 const char *path, const char *member)
{
    for (int f = 0; f < count && amounts[f].name[0]; f++) {
        const char *name = amounts[f].name, *nearest;
        if (gy_gas_scalar_named(def, name) >= 0) {
            continue;
        }
        nearest = gyre_name_nearest(name, GY_GAS_OWN + def->channels.count, scalar_name, def);
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s.%s.%s: there is no scalar \"%s\"%s%s%s", path,
                         member, name, name,
                         nearest ? ", did you mean \"" : "; channels have others",
                         nearest ? nearest : "", nearest ? "\"?" : "");
    }
    return GYRE_OK;
}

/// Whether what emitters feed by name, and what comes in by patches, is there.
static gyre_result check_feeds(const gyre_gas_def *def)
{
    const gyre_gas_emitter *e = def->emitters.items;
    const gyre_gas_patch *p = def->patches.items;
    gyre_result r = GYRE_OK;
    char path[32];
    for (int i = 0; i < def->emitters.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "emitters.%d", i);
        r = gy_gas_check_amounts(def, e[i].feeds, GYRE_GAS_FEEDS, path, "feeds");
    }
    for (int i = 0; i < def->patches.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "patches.%d", i);
        r = gy_gas_check_amounts(def, p[i].carries, GYRE_GAS_FEEDS, path, "carries");
    }
    return r;
}

static gyre_result check_shapes(const gyre_gas_def *def)
{
    const gyre_gas_emitter *e = def->emitters.items;
    const gyre_gas_solid *s = def->solids.items;
    const gyre_gas_channel *c = def->channels.items;
    gyre_result r = GYRE_OK;
    char path[48];
    for (int i = 0; i < def->emitters.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "emitters.%d.shape", i);
        r = gy_shape_check(&e[i].shape, def->grid.dim, path);
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
        snprintf(path, sizeof path, "solids.%d.shape", i);
        r = gy_shape_check(&s[i].shape, def->grid.dim, path);
        snprintf(path, sizeof path, "solids.%d", i);
        r = r == GYRE_OK ? gy_pose_check(&s[i].pose, def->grid.dim, path) : r;
    }
    return r;
}

/// The systems of a gas: pressure, and what diffuses: scalars on it, velocities on ones of their
/// own.
gy_system_def gy_gas_system(const gyre_gas_def *def)
{
    const gyre_gas_side *sides = &def->sides.x_low;
    const gyre_gas_solid *solids = def->solids.items;
    gy_system_def s = {.grid = def->grid, .solver = def->pressure, .also = &def->diffusion};
    for (int q = 0; q < 2 * def->grid.dim; q++) {
        s.periodic |= sides[q].rule == GYRE_GAS_SIDE_PERIODIC ? 1u << (q / 2) : 0;
        s.open_sides |= gy_gas_is_open(def, q) ? 1u << q : 0;
    }
    for (int q = 0; q < def->solids.count; q++) {
        s.solids = s.solids || solids[q].enabled;
    }
    uint32_t windowed = gy_gas_windowed(def);
    s.open_sides |= windowed;
    s.solids = s.solids || windowed || gy_gas_wants_sheets(def);
    return s;
}

static gyre_result check_tracers(const gyre_gas_def *def)
{
    const gyre_gas_tracers *t = &def->tracers;
    const gyre_gas_emitter *e = def->emitters.items;
    if (t->start > t->capacity) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "tracers.start: %d, and tracers.capacity is %d",
                         t->start, t->capacity);
    }
    const float *spin = def->frame.spin;
    if (t->capacity > 0 && t->inertia && (t->diameter < 1e-8f || t->density < 1e-3f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "tracers.%s: %g %s, expected at least %s where tracers.inertia is set",
                         t->diameter < 1e-8f ? "diameter" : "density",
                         (double)(t->diameter < 1e-8f ? t->diameter : t->density),
                         t->diameter < 1e-8f ? "m" : "kg/m^3",
                         t->diameter < 1e-8f ? "1e-8" : "0.001");
    }
    if (t->capacity > 0 && t->inertia && t->thickness != 0.0f &&
        (t->thickness > t->diameter || t->thickness < 1e-5f * t->diameter)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "tracers.thickness: %g m, expected 0 or 1e-5 to 1 of tracers.diameter, "
                         "which is %g m",
                         (double)t->thickness, (double)t->diameter);
    }
    if (t->capacity > 0 && t->inertia && (spin[0] != 0.0f || spin[1] != 0.0f || spin[2] != 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "frame.spin: %g, %g, %g, and tracers.inertia is set: particles with mass "
                         "are not taken in a frame that turns so far",
                         (double)spin[0], (double)spin[1], (double)spin[2]);
    }
    for (int i = 0; i < def->emitters.count && t->capacity == 0; i++) {
        if (e[i].tracers > 0.0f) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "emitters.%d.tracers: there is no room for any: set tracers.capacity",
                             i);
        }
    }
    return GYRE_OK;
}

/// See narrow in solve/solve.h.
static gyre_result check_windows(const gyre_gas_def *def, bool spreads)
{
    const gyre_solver_def *solvers[2] = {&def->pressure, &def->diffusion};
    for (int q = 0; q < (spreads ? 2 : 1) && gy_gas_windowed(def); q++) {
        if (solvers[q]->solver == GYRE_SOLVER_MULTIGRID) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s.solver: \"multigrid\" by itself diverges where a patch is open; "
                             "\"mgpcg\" can solve this, and \"auto\" takes it",
                             q == 0 ? "pressure" : "diffusion");
        }
    }
    return GYRE_OK;
}

static gyre_result check_solvers(const gyre_gas_def *def, bool solids, bool held)
{
    gy_system_def system = gy_gas_system(def);
    system.solids = system.solids || solids || def->floor;
    bool spreads = false;
    for (int s = 0; s < GY_GAS_OWN + def->channels.count; s++) {
        spreads = spreads || gy_gas_scalar_def(def, s).diffusivity > 0.0f;
    }
    gyre_result r = gy_system_check(&system, "pressure.solver");
    system.solver = def->diffusion;
    if (r == GYRE_OK && spreads) {
        r = gy_system_check(&system, "diffusion.solver");
    }
    if (r == GYRE_OK && (def->viscosity > 0.0f || (spreads && (held || gy_gas_is_walled(def))))) {
        system.pin = true;
        r = gy_system_check(&system, "diffusion.solver");
    }
    return r == GYRE_OK ? check_windows(def, spreads) : r;
}

gyre_result gy_gas_check(const void *memory)
{
    const gyre_gas_def *def = memory;
    gyre_result r = gy_cookie_check(def, GY_GAS_COOKIE, sizeof *def, "gyre_gas_def");
    if (r != GYRE_OK) {
        return r;
    }
    r = gyre_grid_check(&def->grid);
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
    if (r == GYRE_OK) {
        r = check_shapes(def);
    }
    if (r == GYRE_OK) {
        r = check_feeds(def);
    }
    if (r == GYRE_OK) {
        r = check_tracers(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_forces(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_lead(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_rims(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_walls(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_sheets(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_fire(def);
    }
    if (r == GYRE_OK) {
        r = gy_gas_check_atmosphere(def);
    }
    return r == GYRE_OK ? check_solvers(def, false, false) : r;
}

gyre_result gy_gas_check_solids(const gyre_gas_def *def)
{
    return check_solvers(def, true, false);
}

gyre_result gy_gas_check_held(const gyre_gas_def *def)
{
    return check_solvers(def, true, true);
}
