// gas/project.c: the linear systems of a step: diffusion and pressure.
#include "gas/gas.h"
#include "ops/level.h"
#include <assert.h>
#include <string.h>

static gy_box cells(const gyre_gas *gas)
{
    return gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
}

/// Solves for the pressure, b being what divergence has left in `tasks` pieces.
static void solve_pressure(gyre_gas *gas, int tasks)
{
    gy_system *system = &gas->pressure;
    gy_solve_task task = {.tolerance = (double)gas->def->pressure.tolerance,
                          .zero = true,
                          .max_cycles = gas->def->pressure.max_cycles};
    system->settings = gas->def->pressure;
    gas->stats.solver = system->chosen;
    gas->recorded = gas->pending && gy_system_records(system);
    if (gas->recorded) {
        gy_solve_record record = {.report = gas->report, .tasks = tasks, .scale = 1.0};
        gy_system_record(system, &task, &record);
        return;
    }
    gas->div_before = gy_partial_sum(system->device, gas->base, system->partial, tasks, 0);
    task.reference = gas->div_before;
    gy_solve_result r = gy_system_solve(system, &task);
    gas->stats.cycles += r.cycles;
    gas->stats.residual = (float)r.residual;
}

/// Takes in how fast the gas is, and how often it was cut, which gradient has left.
static void note_speed(gyre_gas *gas, int tasks)
{
    uint32_t partial = gas->pressure.partial;
    gas->speed_fresh = true;
    if (gas->pending) {
        gy_judge(gas->model.device, &(gy_judge_args){.base = gas->base,
                                                     .report = gas->report,
                                                     .partial = partial,
                                                     .tasks = tasks,
                                                     .kind = GY_JUDGE_SPEED});
        return;
    }
    gas->stats.max_speed = (float)gy_partial_max(gas->model.device, gas->base, partial, tasks, 0);
    gas->stats.capped += (int64_t)gy_partial_sum(gas->model.device, gas->base, partial, tasks, 1);
}

void gy_gas_project(gyre_gas *gas, gy_work work)
{
    gyre_device *device = gas->model.device;
    gy_divergence_args d = {.base = gas->base,
                            .level = gy_system_offset(&gas->pressure, 0),
                            .partial = gas->pressure.partial,
                            .extent = gas->extent,
                            .write = 1,
                            .energy = work == GY_WORK_TOLD};
    gy_gradient_args g = {.base = gas->base,
                          .level = d.level,
                          .partial = d.partial,
                          .extent = gas->extent,
                          .cap = gas->def->speed_cap};
    for (int a = 0; a < 3; a++) {
        int axis = GY_MIN(a, gas->extent.dim - 1);
        d.velocity[a] = g.velocity[a] = gas->slot[axis];
        g.edge[a] = gy_gas_edge(gas, axis, 0);
    }
    gy_run(device, GY_OP_divergence, &d, cells(gas));
    int tasks = gy_task_count(GY_OP_divergence, cells(gas));
    if (work == GY_WORK_TOLD) {
        gy_gas_note_work(gas, tasks, false);
    }
    solve_pressure(gas, tasks);
    g.low = gas->pressure.low;

    gy_box box = cells(gas);
    for (int a = 1; a < gas->extent.dim; a++) {
        box.high[a] = gy_gas_edge(gas, a, a).samples;
    }
    gy_run(device, GY_OP_gradient, &g, box);
    note_speed(gas, gy_task_count(GY_OP_gradient, box));
    for (int a = 0; a < gas->velocities; a++) {
        gy_gas_extend(gas, a);
    }
    gy_gas_halo(gas, 0, gas->velocities, false, gas->made_count > 0);
}

/// Leaves sums over a field over the fluid, its squares second; returns in how many pieces.
static int measure(const gyre_gas *gas, int field, uint32_t partial)
{
    gy_measure_args a = {.base = gas->base,
                         .field = gas->slot[field],
                         .extent = gy_gas_extent(gas, field),
                         .level = gy_system_offset(&gas->pressure, 0),
                         .partial = partial};
    gy_run(gas->model.device, GY_OP_measure, &a, cells(gas));
    return gy_task_count(GY_OP_measure, cells(gas));
}

/// What is in x becomes the field.
static void merge(gyre_gas *gas, int field, const gy_split_args *a)
{
    gy_run(gas->model.device, GY_OP_merge, a, cells(gas));
    gy_gas_halo(gas, field, 1, false, true);
}

/// Solves a system of diffusion whose b is `scale` times a field, plus what walls add.
static void solve_diffusion(gyre_gas *gas, gy_system *system, int field, const gy_split_args *a,
                            double walls)
{
    gyre_device *device = gas->model.device;
    gy_solve_task task = {.tolerance = (double)gas->def->diffusion.tolerance,
                          .max_cycles = gas->def->diffusion.max_cycles};
    int tasks = measure(gas, field, system->partial);
    double scale = (double)a->scale;
    if (gas->pending && gy_system_records(system)) {
        uint32_t report = gas->report + sizeof(gy_report) / 64;
        const gy_report *r = (const gy_report *)(const void *)gy_at(gas->base, report);
        gy_solve_record record = {
            .report = report, .tasks = tasks, .which = 1, .scale = scale, .add = walls};
        gy_system_record(system, &task, &record);
        gy_device_gate(device, &r->idle);
        merge(gas, field, a);
        gy_device_gate(device, NULL);
        return;
    }
    task.reference =
        gy_partial_sum(device, gas->base, system->partial, tasks, 1) * scale * scale + walls;
    if (task.reference > 0.0) {
        gy_system_solve(system, &task);
        merge(gas, field, a);
    }
}

/// Solves (1 - k lap) q' = q for one field on a system whose coefficients are ready.
static void diffuse_field(gyre_gas *gas, gy_system *system, int field, float k, const float wall[6])
{
    int location = gy_gas_location(gas, field);
    gy_split_args a = {.base = gas->base,
                       .field = gas->slot[field],
                       .level = gy_system_offset(system, 0),
                       .extent = gy_gas_extent(gas, field),
                       .scale = 1.0f / k,
                       .edge = gy_gas_edge(gas, location, 0),
                       .limit = gy_gas_limit(gas, field)};
    if (location < 3) {
        a.axis = location;
        a.ends = gas->open_sides >> (2 * location) & 3u;
    }
    double moving = 0.0;
    for (int s = 0; s < 6; s++) {
        a.wall[s] = wall ? wall[s] : 0.0f;
        moving = GY_MAX(moving, (double)a.wall[s] * (double)a.wall[s]);
    }
    gy_system_shift(system, a.scale);
    gy_run(gas->model.device, GY_OP_split, &a, cells(gas));
    // The root mean square of b stands for its size; walls that move count for one row of cells.
    solve_diffusion(gas, system, field, &a, 4.0 * moving * (double)gas->extent.n[0]);
    gy_system_shift(system, 0.0f);
}

/// Less than this changes nothing that a float can tell, and its inverse would overflow.
#define LEAST_K 1e-9f

/// k = nu dt / h^2, bounded so that its inverse still counts in the diagonal.
static float diffusion_number(const gyre_gas *gas, float nu, float dt)
{
    double h = (double)gas->def->grid.h, k = (double)nu * (double)dt / (h * h);
    return k < 1e6 ? (float)k : 1e6f;
}

static uint32_t sticking(const gyre_gas *gas)
{
    const gyre_side *sides = &gas->def->sides.x_low;
    uint32_t stick = gas->def->solid_slip ? 0 : 64u;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        stick |= sides[s].rule == GYRE_SIDE_NO_SLIP ? 1u << s : 0;
    }
    return stick;
}

static gyre_result diffuse_velocity(gyre_gas *gas, int axis, float k)
{
    const gyre_side *sides = &gas->def->sides.x_low;
    gy_arena scratch = {.base = gas->base, .used = gas->scratch};
    gy_system system;
    float wall[6], held[3] = {0.0f, 0.0f, 0.0f};
    gy_device_clear(gas->model.device, gy_at(gas->base, gas->scratch),
                    (size_t)(gas->scratch_end - gas->scratch) * 64);
    for (int a = 0; a < gas->extent.dim; a++) {
        // Across itself a component is given on the shut side; along it, it sticks half a cell
        // away.
        bool given = a == axis ? !(gas->open_sides >> (2 * a + 1) & 1u)
                               : sides[2 * a + 1].rule == GYRE_SIDE_NO_SLIP;
        bool joined = gas->periodic >> a & 1u;
        held[a] = !given || joined ? 0.0f : a == axis ? 1.0f : 0.5f;
    }
    gy_system_def viscous = {.grid = gas->def->grid,
                             .periodic = gas->periodic,
                             .held = held,
                             .pin = true,
                             .solids = true,
                             .solver = gas->def->diffusion};
    gy_system_plan(&system, gas->model.device, &viscous, &scratch, &scratch);
    assert(scratch.used <= gas->scratch_end); // what lies beyond was not cleared
    gy_viscous_args a = {.base = gas->base,
                         .pressure = gy_system_offset(&gas->pressure, 0),
                         .level = gy_system_offset(&system, 0),
                         .axis = axis,
                         .stick = sticking(gas)};
    const int *n = gas->extent.n;
    gy_run(gas->model.device, GY_OP_viscous, &a,
           gy_box_make(n[0] + 1, n[1] + 1, n[2] + (gas->extent.dim == 3)));
    if (gy_system_update(&system) != GYRE_OK) {
        return GYRE_ERROR_MEMORY;
    }
    for (int s = 0; s < 6; s++) {
        bool across = s / 2 == axis;
        wall[s] = sides[s].rule == GYRE_SIDE_NO_SLIP && !across ? sides[s].velocity[axis] : 0.0f;
    }
    diffuse_field(gas, &system, axis, k, wall);
    gy_system_release(&system);
    return GYRE_OK;
}

bool gy_gas_is_thick(const gyre_gas *gas, float dt)
{
    return diffusion_number(gas, gas->def->viscosity, dt) > LEAST_K;
}

gyre_result gy_gas_diffuse(gyre_gas *gas, float dt)
{
    const gyre_gas_def *def = gas->def;
    gyre_result r = GYRE_OK;
    for (int f = gas->velocities; f < gas->states; f++) {
        int s = f - gas->velocities;
        float nu = s == 0   ? def->density.diffusivity
                   : s == 1 ? def->temperature.diffusivity
                            : ((const gyre_gas_channel *)def->channels.items)[s - 2].diffusivity;
        float k = diffusion_number(gas, nu, dt);
        if (k > LEAST_K) {
            gas->spread.settings = def->diffusion;
            diffuse_field(gas, &gas->spread, f, k, NULL);
            gy_gas_extend(gas, f);
        }
    }
    float k = diffusion_number(gas, def->viscosity, dt);
    for (int a = 0; a < gas->velocities && k > LEAST_K && r == GYRE_OK; a++) {
        r = diffuse_velocity(gas, a, k);
    }
    return r;
}
