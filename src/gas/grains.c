// gas/grains.c: tracers with mass: what the op grain (gas/ops/grain.c) is told of them and of the
// solids that they meet.
//
// A ball of diameter d and density r in a gas of density r_g takes a part of that along, half of
// its own volume (added mass): with R = r + r_g / 2 its weight less its buoyancy pulls it by
// g (r - r_g) / R, and the rate of Stokes's drag is 18 nu r_g / (R d^2).
//
// Distances from solids stand on the corners of cells, and beside them how fast the solid there
// moves away from itself, 8 bytes a corner: made when solids change, near them alone.
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
static uint32_t pace_at(const gyre_gas *gas)
{
    return distance_at(gas) + lines(corner_bytes(gas));
}

static grain_own *own(const gyre_gas *gas)
{
    return (grain_own *)(void *)gy_at(gas->tracers.base, law_at(gas));
}

size_t gy_gas_plan_grains(const gyre_gas *gas)
{
    return 64u * (size_t)(lines(sizeof(grain_own)) + 2u * lines(corner_bytes(gas)));
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

/// How fast it comes towards a point before its surface.
static double pace_of(const gyre_gas *gas, const gy_solid *s, const gy_mover *m, const double x[3])
{
    double slope[3] = {0, 0, 0}, square = 0.0, sum = 0.0, step = 0.01 * (double)gas->grid.h;
    for (int a = 0; a < gas->extent.dim; a++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[a] -= step;
        high[a] += step;
        slope[a] = gy_solid_distance(s, high) - gy_solid_distance(s, low);
        square += slope[a] * slope[a];
    }
    for (int a = 0; a < gas->extent.dim && square > 0.0; a++) {
        sum += slope[a] * speed_at(m, a, x);
    }
    return square > 0.0 ? sum / __builtin_sqrt(square) : 0.0;
}

/// Marks the corners round one solid.
static void mark(const gyre_gas *gas, const gy_solid *s, const gy_mover *mover)
{
    const gyre_grid *grid = &gas->grid;
    float *distance = gy_at(gas->tracers.base, distance_at(gas));
    float *pace = gy_at(gas->tracers.base, pace_at(gas));
    double h = (double)grid->h;
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    for (int a = 0; a < gas->extent.dim; a++) {
        double count = (double)corner_count(gas, a);
        double from = ((double)s->low[a] - (double)grid->origin[a]) / h - FAR_AWAY;
        double to = ((double)s->high[a] - (double)grid->origin[a]) / h + FAR_AWAY + 1.0;
        low[a] = (int)GY_MAX(0.0, GY_MIN(from, count));
        high[a] = (int)GY_MAX(0.0, GY_MIN(to + 1.0, count));
    }
    for (int k = low[2]; k < high[2]; k++) {
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                double z = gas->extent.dim == 3 ? (double)k : 0.5;
                const double x[3] = {(double)grid->origin[0] + h * i,
                                     (double)grid->origin[1] + h * j,
                                     (double)grid->origin[2] + h * z};
                ptrdiff_t o = ((ptrdiff_t)k * corner_count(gas, 1) + j) * corner_count(gas, 0) + i;
                float d = (float)(gy_solid_distance(s, x) / h);
                if (d < distance[o]) {
                    distance[o] = d < -(float)FAR_AWAY ? -(float)FAR_AWAY : d;
                    pace[o] = mover ? (float)pace_of(gas, s, mover, x) : 0.0f;
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
    float *pace = gy_at(gas->tracers.base, pace_at(gas));
    bool moves = false;
    for (size_t i = 0; i < corner_bytes(gas) / sizeof(float); i++) {
        distance[i] = (float)FAR_AWAY;
        pace[i] = 0.0f;
    }
    for (int q = 0; q < gas->made_count; q++) {
        const gy_mover *mover = m && q < m->count && m->movers[q].moves ? &m->movers[q] : NULL;
        mark(gas, &gas->made[q], mover);
        moves = moves || mover;
    }
    own(gas)->law.distance = gas->made_count > 0 ? distance_at(gas) : 0;
    own(gas)->law.pace = moves ? pace_at(gas) : 0;
    // The rest of the law follows before it is used.
    gy_device_put(gas->model.device, own(gas), sizeof(grain_own));
    if (gas->made_count > 0) {
        gy_device_put(gas->model.device, distance, corner_bytes(gas));
        gy_device_put(gas->model.device, pace, corner_bytes(gas));
    }
}

// ---- a step

static float bounded(double x)
{
    return (float)(x > 1e18 ? 1e18 : x < -1e18 ? -1e18 : x);
}

static gy_grain_law law_of(const gyre_gas *gas)
{
    const gyre_gas_def *def = gas->def;
    const gyre_gas_tracers *t = &def->tracers;
    const gyre_grid *grid = &gas->grid;
    double d = (double)t->diameter, nu = (double)t->viscosity, air = (double)def->air_density;
    double mass = (double)t->density + 0.5 * air;
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
                        .pace = own(gas)->law.pace};
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
                       .given = gy_gas_is_loaded(gas) ? set->spare : 0};
    a.extent.halves = 0;
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

/// Adds to the component across an axis round a point, by the weights by which the op reads it.
static void add(const gyre_gas *gas, int axis, const double c[3], double amount)
{
    const int stride[3] = {1, gas->extent.sy, gas->extent.sz};
    float *u = gy_at(gas->base, gas->slot[axis]);
    ptrdiff_t place[3][2] = {{0}};
    double share[3][2] = {{1, 0}, {1, 0}, {1, 0}};
    for (int a = 0; a < gas->extent.dim; a++) {
        double x = a == axis ? c[a] : c[a] - 0.5;
        int n = gas->extent.n[a], k = (int)__builtin_floor(x);
        k = a == axis && k >= n ? n - 1 : k;
        for (int s = 0; s < 2; s++) {
            int i = k + s;
            bool round = gas->periodic >> a & 1u;
            i = round ? (i + n) % n : GY_MAX(0, GY_MIN(i, a == axis ? n : n - 1));
            place[a][s] = (ptrdiff_t)i * stride[a];
            share[a][s] = s ? x - k : 1.0 - (x - k);
        }
    }
    for (int q = 0; q < 1 << gas->extent.dim; q++) {
        int x = q & 1, y = q >> 1 & 1, z = q >> 2;
        float *at = u + place[0][x] + place[1][y] + place[2][z];
        *at = (float)((double)*at + share[0][x] * share[1][y] * share[2][z] * amount);
    }
}

/// One after the other: their order is a part of the state, so the sums are the same bits anywhere.
void gy_gas_unload_grains(gyre_gas *gas)
{
    const gy_particles *set = &gas->tracers;
    const gyre_gas_tracers *t = &gas->def->tracers;
    double d = (double)t->diameter, h = (double)gas->grid.h, air = (double)gas->def->air_density;
    double mass = ((double)t->density + 0.5 * air) * 0.52359877559829887308 * d * d * d;
    double of_gas = air * h * h * (gas->extent.dim == 3 ? h : 1.0);
    double each = -(double)t->load * mass / of_gas;
    const float *given[6];
    for (uint32_t q = 0; q < 6; q++) {
        given[q] = gy_at(set->base, set->spare + q * set->step);
    }
    for (int64_t i = 0; i < set->state.count; i++) {
        const double c[3] = {(double)given[3][i], (double)given[4][i],
                             gas->extent.dim == 3 ? (double)given[5][i] : 0.0};
        for (int a = 0; a < gas->extent.dim; a++) {
            if (given[a][i] != 0.0f) {
                add(gas, a, c, each * (double)given[a][i]);
            }
        }
    }
    gy_gas_halo(gas, 0, gas->velocities, false, true);
}

void gy_gas_end_grains(gyre_gas *gas)
{
    own(gas)->substep = 0;
}
