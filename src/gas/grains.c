// gas/grains.c: tracers with mass: what the op grain (gas/ops/grain.c) is told of them and of the
// solids that they meet.
//
// A ball of diameter d and density r in a gas of density r_g takes a part of that along, half of
// its own volume (added mass): with R = r + r_g / 2 its weight less its buoyancy pulls it by
// g (r - r_g) / R, and the rate of Stokes's drag is 18 nu r_g / (R d^2).
//
// A plate of diameter d = 2 a and thickness t weighs m = r pi a^2 t and takes 8 r_g a^3 / 3 along
// broadside on, nothing edge on, and 16 r_g a^5 / 45 of moment when it turns about a diameter (the
// exact ones of a disk: H. Lamb, Hydrodynamics). Its drag is the sum of Stokes's, 16 mu a broadside
// on and 32 mu a / 3 edge on, 32 mu a^3 / 3 against turning (exact, too), and of that of fast air:
// broadside on of the coefficient 1.17 (S. F. Hoerner, Fluid-Dynamic Drag, 1965), edge on
// Blasius's friction on both sides, 2.96 / sqrt(Re) of the disk's area, and of 1 of the edge's. Of
// strips across it the same drag against turning in a wind is taken by half, and the lift of their
// spin (A. Andersen, U. Pesavento and Z. J. Wang, J. Fluid Mech. 541, 2005, C_R = pi) by three
// quarters, 2 pi r_g a^3 o x v: by these two, disks begin to tumble where they were seen to.
//
// Distances from solids stand on the corners of cells, and beside them how their material moves
// there, 4 (1 + dim) bytes a corner: made when solids change, near them alone.
#include "base/maths.h"
#include "gas/moving.h"
#include "gas/tracers.h"
#include "model/drift.h"
#include "ops/particle/particle.h"
#include <string.h>

/// How far from solids their distance is known, in cells.
#define FAR_AWAY 4.0

/// Behind the set's memory.
typedef struct grain_own {
    gy_grain_law law;
    uint32_t substep; // the host's: of the step
} grain_own;

static uint32_t lines(size_t bytes)
{
    return (uint32_t)((bytes + 63) / 64);
}

static int corner_count(const gyre_gas *gas, int axis)
{
    return axis < gas->extent.dim ? gas->extent.n[axis] + 1 : 1;
}

static size_t corner_bytes(const gyre_gas *gas)
{
    size_t count = 16; // vectors read in pairs
    count +=
        (size_t)corner_count(gas, 0) * (size_t)corner_count(gas, 1) * (size_t)corner_count(gas, 2);
    return count * sizeof(float);
}

static uint32_t law_at(const gyre_gas *gas)
{
    return lines(gas->tracers.bytes);
}
static uint32_t distance_at(const gyre_gas *gas)
{
    return law_at(gas) + lines(sizeof(grain_own));
}
static uint32_t motion_at(const gyre_gas *gas, int axis)
{
    return distance_at(gas) + (uint32_t)(1 + axis) * lines(corner_bytes(gas));
}

static uint32_t sums_at(const gyre_gas *gas)
{
    return motion_at(gas, gas->extent.dim);
}

/// A sum of each sample of a component, as its field lies; the last is beyond the last row.
static size_t sums_bytes(const gyre_gas *gas)
{
    const gy_extent *e = &gas->extent;
    size_t count = (size_t)e->sy * (size_t)(e->n[1] + 1);
    count += gy_is_3d(e->dim) ? (size_t)e->sz * (size_t)e->n[2] : 0;
    return (count + (size_t)e->n[0] + 1) * sizeof(int64_t);
}

static grain_own *own(const gyre_gas *gas)
{
    return (grain_own *)(void *)gy_at(gas->tracers.base, law_at(gas));
}

size_t gy_gas_plan_grains(const gyre_gas *gas, const gyre_gas_def *def)
{
    uint32_t arrays = 1u + (uint32_t)gas->extent.dim;
    uint32_t sums = def->tracers.load > 0.0f ? lines(sums_bytes(gas)) : 0;
    return 64u * (size_t)(lines(sizeof(grain_own)) + arrays * lines(corner_bytes(gas)) + sums);
}

bool gy_gas_has_grains(const gyre_gas *gas)
{
    return gas->model.particle_sets > 0 && gas->def->tracers.inertia;
}

// ---- solids

/// How fast a solid's material moves along an axis at a point.
static double speed_at(const gy_mover *m, int axis, const double x[3])
{
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    return m->velocity[axis] + m->spin[b] * (x[c] - m->centre[c]) -
           m->spin[c] * (x[b] - m->centre[b]);
}

/// Marks the corners round one solid.
static void mark(const gyre_gas *gas, const gy_solid *s, const gy_mover *mover)
{
    const gyre_grid *grid = &gas->grid;
    float *distance = gy_at(gas->tracers.base, distance_at(gas));
    float *motion[3];
    double h = (double)grid->h;
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    for (int a = 0; a < gas->extent.dim; a++) {
        motion[a] = gy_at(gas->tracers.base, motion_at(gas, a));
        double count = (double)corner_count(gas, a);
        double from = ((double)s->low[a] - (double)grid->origin[a]) / h - FAR_AWAY;
        double to = ((double)s->high[a] - (double)grid->origin[a]) / h + FAR_AWAY + 1.0;
        low[a] = (int)GY_MAX(0.0, GY_MIN(from, count));
        high[a] = (int)GY_MAX(0.0, GY_MIN(to + 1.0, count));
    }
    for (int k = low[2]; k < high[2]; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                double z = gy_is_3d(gas->extent.dim) ? (double)k : 0.5;
                const double x[3] = {(double)grid->origin[0] + h * i,
                                     (double)grid->origin[1] + h * j,
                                     (double)grid->origin[2] + h * z};
                ptrdiff_t o = ((ptrdiff_t)k * corner_count(gas, 1) + j) * corner_count(gas, 0) + i;
                float d = (float)(gy_solid_distance(s, x) / h);
                if (d < distance[o]) {
                    distance[o] = d < -(float)FAR_AWAY ? -(float)FAR_AWAY : d;
                    for (int a = 0; a < gas->extent.dim; a++) {
                        motion[a][o] = mover ? (float)speed_at(mover, a, x) : 0.0f;
                    }
                }
            }
        }
    }
}

void gy_gas_note_grains(gyre_gas *gas)
{
    if (!gy_gas_has_grains(gas)) {
        return;
    }
    const gy_gas_moving *m = gas->moving;
    float *distance = gy_at(gas->tracers.base, distance_at(gas));
    float *motion = gy_at(gas->tracers.base, motion_at(gas, 0));
    size_t motions = 64u * (size_t)gas->extent.dim * lines(corner_bytes(gas));
    bool moves = false;
    for (size_t i = 0; i < corner_bytes(gas) / sizeof(float); i++) {
        distance[i] = (float)FAR_AWAY;
    }
    memset(motion, 0, motions);
    for (int q = 0; q < gas->made_count; q++) {
        const gy_mover *mover = m && q < m->count && m->movers[q].moves ? &m->movers[q] : NULL;
        mark(gas, &gas->made[q], mover);
        moves = moves || mover;
    }
    own(gas)->law.distance = gas->made_count > 0 ? distance_at(gas) : 0;
    own(gas)->law.motion = moves ? motion_at(gas, 0) : 0;
    // The rest of the law follows before it is used.
    gy_device_put(gas->model.device, own(gas), sizeof(grain_own));
    if (gas->made_count > 0) {
        gy_device_put(gas->model.device, distance, corner_bytes(gas));
        gy_device_put(gas->model.device, motion, motions);
    }
}

// ---- a step

static float bounded(double x)
{
    return (float)(x > 1e18 ? 1e18 : x < -1e18 ? -1e18 : x);
}

static gy_plate_law plate_of(const gyre_gas *gas)
{
    const gyre_gas_tracers *t = &gas->def->tracers;
    const double pi = 3.14159265358979323846;
    double a = 0.5 * (double)t->diameter, nu = (double)t->viscosity, thick = (double)t->thickness;
    double air = (double)gas->def->air_density, h = (double)gas->grid.h, disk = pi * a * a;
    double mass = (double)t->density * disk * thick, with = mass + 8.0 / 3.0 * air * a * a * a;
    double moment = 0.25 * mass * a * a + 16.0 / 45.0 * air * a * a * a * a * a;
    double broad = 0.5 * air * disk * 1.17, ratio = 0.5 * thick / a;
    return (gy_plate_law){
        .is = 1,
        .thick = bounded(0.5 * thick / h),
        .wide = bounded(a / h),
        .ease = (float)(mass / with),
        .across = {bounded(16.0 * nu * air * a / with), bounded(broad / with)},
        .along = {bounded(32.0 / 3.0 * nu * air * a / mass),
                  bounded(0.5 * air * disk * 2.96 * __builtin_sqrt(0.5 * nu / a) / mass),
                  bounded(0.5 * air * 2.0 * a * thick / mass)},
        .turn = {bounded(32.0 / 3.0 * nu * air * a * a * a / moment),
                 bounded(0.125 * broad * a * a / moment),
                 bounded(8.0 / 15.0 / pi * broad * a * a * a / moment)},
        .roll = bounded(64.0 / 3.0 * nu * air * a / mass),
        .lever = bounded(1.5 * broad * a / moment),
        .lift = bounded(2.0 * pi * air * a * a * a / mass),
        .form = (float)((ratio * ratio - 1.0) / (ratio * ratio + 1.0))};
}

static gy_grain_law law_of(const gyre_gas *gas)
{
    const gyre_gas_def *def = gas->def;
    const gyre_gas_tracers *t = &def->tracers;
    const gyre_grid *grid = &gas->grid;
    double d = (double)t->diameter, nu = (double)t->viscosity, air = (double)def->air_density;
    bool plates = t->thickness > 0.0f;
    double mass = (double)t->density + (plates ? 0.0 : 0.5 * air);
    double lift = ((double)t->density - air) / mass;
    gy_grain_law law = {.origin = {grid->origin[0], grid->origin[1], grid->origin[2]},
                        .h = grid->h,
                        .inverse = 1.0f / grid->h,
                        .life = t->life,
                        .slow = bounded(18.0 * nu * air / (mass * d * d)),
                        .reynolds = nu > 0.0 ? bounded(d / nu) : 1e18f,
                        .fast = bounded(0.44 * 18.0 / 24.0 * air / (mass * d)),
                        .bounce = t->stick ? 0.0f : t->bounce,
                        .friction = t->stick ? 1e30f : t->friction,
                        .stick = t->stick,
                        .distance = own(gas)->law.distance,
                        .motion = own(gas)->law.motion,
                        .motions = lines(corner_bytes(gas))};
    if (plates) {
        law.plate = plate_of(gas);
    }
    for (int a = 0; a < gas->extent.dim; a++) {
        law.pull[a] =
            bounded(((double)def->gravity[a] - (double)def->frame.acceleration[a]) * lift);
    }
    double hold = 0.5 * d / (double)grid->h;
    law.hold = hold > 2.0 ? 2.0f : hold < 0x1p-8 ? 0x1p-8f : (float)hold;
    return law;
}

void gy_gas_carry_grains(gyre_gas *gas, float dt, const uint32_t wind[3])
{
    const gy_particles *set = &gas->tracers;
    const gyre_gas_tracers *t = &gas->def->tracers;
    gy_grain_law law = law_of(gas);
    if (memcmp(&law, &own(gas)->law, sizeof law) != 0) {
        own(gas)->law = law;
        gy_device_put(gas->model.device, own(gas), sizeof(grain_own));
    }
    uint32_t draw = gy_random((uint32_t)gas->def->seed ^ 0x67726e73u, (uint32_t)gas->model.steps);
    gy_grain_args a = {.base = gas->base,
                       .particles = set->base,
                       .step = set->step,
                       .gone = set->gone,
                       .now = set->now,
                       .near = gy_gas_is_blocked(gas) ? gas->near : 0,
                       .level = gy_system_offset(&gas->pressure, 0),
                       .extent = gas->extent,
                       .periodic = gas->periodic,
                       .open_sides =
                           gas->open_sides | gy_gas_carried(gas->def) | gas->windowed << 8,
                       .law = law_at(gas),
                       .draw = gy_random(draw, own(gas)->substep++),
                       .dt = dt,
                       .gust = gy_sqrtf(6.0f * t->turbulence / dt),
                       .given = gy_gas_is_loaded(gas) ? set->spare : 0,
                       .links = gy_gas_net(gas)};
    a.extent.halves = a.links ? GY_LINKED : 0;
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = wind[GY_MIN(d, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_grain, &a, gy_particles_box(set));
}

// ---- back to the gas

bool gy_gas_is_loaded(const gyre_gas *gas)
{
    return gy_gas_has_grains(gas) && gas->def->tracers.load > 0.0f &&
           gas->def->air_density > 0.0f && !gy_gas_is_led(gas);
}

void gy_gas_unload_grains(gyre_gas *gas)
{
    const gy_particles *set = &gas->tracers;
    const gyre_gas_tracers *t = &gas->def->tracers;
    double d = (double)t->diameter, h = (double)gas->grid.h, air = (double)gas->def->air_density;
    double mass = t->thickness > 0.0f
                      ? (double)t->density * 0.78539816339744830962 * d * d * (double)t->thickness
                      : ((double)t->density + 0.5 * air) * 0.52359877559829887308 * d * d * d;
    double of_gas = air * h * h * (gy_is_3d(gas->extent.dim) ? h : 1.0);
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        gy_unload_args a = {.base = gas->base,
                            .particles = set->base,
                            .step = set->step,
                            .now = set->now,
                            .given = set->spare,
                            .sums = sums_at(gas),
                            .velocity = gas->slot[axis],
                            .extent = gas->extent,
                            .periodic = gas->periodic,
                            .axis = axis,
                            .each = bounded(-(double)t->load * mass / of_gas)};
        const int *n = gas->extent.n;
        a.extent.halves = 0;
        gy_run(gas->model.device, GY_OP_unload, &a, gy_particles_box(set));
        gy_run(gas->model.device, GY_OP_unloaded, &a,
               gy_box_make(n[0] + (axis == 0), n[1] + (axis == 1), n[2] + (axis == 2)));
    }
    gy_gas_halo(gas, 0, gas->velocities, false, true);
}

void gy_gas_begin_grains(gyre_gas *gas)
{
    if (gas->def->tracers.inertia && gas->def->tracers.load > 0.0f) {
        int64_t *sums = (int64_t *)(void *)gy_at(gas->tracers.base, sums_at(gas));
        memset(sums, 0, sums_bytes(gas));
        gy_device_put(gas->model.device, sums, sums_bytes(gas));
    }
}

void gy_gas_end_grains(gyre_gas *gas)
{
    own(gas)->substep = 0;
}
