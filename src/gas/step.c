// gas/step.c: one step of a gas: advect, add sources and forces, diffuse, project. doc/gas.md has
// the equations.
#include "base/maths.h"
#include "gas/gas.h"

static gy_box cells(const gyre_gas *gas)
{
    return gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
}

/// Displacements over dt at all cell centres.
static void trace(gyre_gas *gas, float dt)
{
    gy_trace_args a = {.base = gas->base,
                       .bounds = gas->bounds,
                       .near = gas->made_count > 0 ? gas->near : 0,
                       .level = gy_system_offset(&gas->pressure, 0),
                       .extent = gas->extent,
                       .periodic = gas->periodic};
    float scale = dt / gas->def->grid.h;
    a.scale = scale < 1e12f ? scale : 1e12f;
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, gas->extent.dim - 1);
        a.velocity[d] = gas->slot[axis];
        a.back[d] = gas->back[axis];
        a.forward[d] = gas->forward[axis];
    }
    gy_run(gas->model.device, GY_OP_trace, &a, cells(gas));
    for (int axis = 1; axis < gas->extent.dim; axis++) {
        int32_t rule = gas->periodic >> axis & 1u ? GY_EDGE_WRAP : GY_EDGE_COPY;
        gy_halo_args h = {.base = gas->base,
                          .axis = axis,
                          .extent = gas->extent,
                          .edge = {.rule = {rule, rule}, .samples = gas->extent.n[axis]}};
        gy_box box = axis == 1 ? gy_box_make(1, 1, gas->extent.n[2])
                               : gy_box_make(1, gas->extent.n[1] + 2, 1);
        for (int d = 0; d < gas->extent.dim; d++) {
            // An open side's face is carried, too; beyond it there is no sample to fetch.
            h.edge.rule[0] = d == axis && rule == GY_EDGE_COPY ? GY_EDGE_INWARD : rule;
            h.edge.rule[1] = h.edge.rule[0];
            h.field = gas->back[d];
            gy_run(gas->model.device, GY_OP_halo, &h, box);
            h.field = gas->forward[d];
            gy_run(gas->model.device, GY_OP_halo, &h, box);
        }
    }
}

/// Carries one field along the displacements. The new field takes the spare slot; the old becomes
/// the spare.
static void carry(gyre_gas *gas, int field)
{
    int location = gy_gas_location(gas, field);
    bool corrected = gas->def->advection == GYRE_MACCORMACK;
    gy_advect_args a = {.base = gas->base,
                        .source = gas->slot[field],
                        .target = corrected ? gas->hat : gas->spare,
                        .bounds = gas->bounds,
                        .extent = gas->extent,
                        .location = location,
                        .periodic = gas->periodic,
                        .edge = gy_gas_edge(gas, location, 0)};
    for (int d = 0; d < 3; d++) {
        a.back[d] = gas->back[GY_MIN(d, gas->extent.dim - 1)];
        a.forward[d] = gas->forward[GY_MIN(d, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_advect, &a, gy_gas_box(gas, location));
    if (corrected) {
        gy_gas_halo(gas, gas->hat, location, false);
        a.hat = gas->hat;
        a.target = gas->spare;
        gy_run(gas->model.device, GY_OP_correct, &a, gy_gas_box(gas, location));
    }
    uint32_t old = gas->slot[field];
    gas->slot[field] = gas->spare;
    gas->spare = old;
    gy_gas_halo(gas, gas->slot[field], location, false);
}

static void advect(gyre_gas *gas, float dt)
{
    trace(gas, dt);
    for (int f = gas->states - 1; f >= 0; f--) {
        carry(gas, f);
    }
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_gas_extend(gas, f);
    }
}

/// To a float such that its products with what fields may hold stay finite: opposite forces must
/// cancel and not make infinity less infinity.
static float bounded(double x)
{
    return (float)(x > 1e15 ? 1e15 : x < -1e15 ? -1e15 : x);
}

/// What buoyancy has cut.
static void count_capped(gyre_gas *gas, int tasks)
{
    if (gas->pending) {
        gy_judge(gas->model.device, &(gy_judge_args){.base = gas->base,
                                                     .report = gas->report,
                                                     .partial = gas->count,
                                                     .tasks = tasks,
                                                     .kind = GY_JUDGE_COUNT});
        return;
    }
    const float *count = gy_at(gas->base, gas->count);
    gy_device_fetch(gas->model.device, count, (size_t)tasks * sizeof *count);
    for (int t = 0; t < tasks; t++) {
        gas->stats.capped += (int64_t)count[t];
    }
}

/// Buoyancy along every axis that gravity acts on.
static void add_forces(gyre_gas *gas, float dt)
{
    const gyre_gas_def *def = gas->def;
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        double pull = (double)dt * (double)def->gravity[axis];
        gy_buoyancy_args a = {.base = gas->base,
                              .velocity = gas->slot[axis],
                              .density = gas->slot[gas->velocities],
                              .temperature = gas->slot[gas->velocities + 1],
                              .count = gas->count,
                              .extent = gas->extent,
                              .axis = axis,
                              .heat = bounded(-pull * (double)def->thermal_expansion),
                              .weight = bounded(pull * (double)def->density_weight),
                              .cap = def->speed_cap,
                              .edge = gy_gas_edge(gas, axis, 0)};
        if (a.heat == 0.0f && a.weight == 0.0f) {
            continue;
        }
        gy_box box = gy_gas_box(gas, axis);
        gy_run(gas->model.device, GY_OP_buoyancy, &a, box);
        count_capped(gas, gy_task_count(GY_OP_buoyancy, box));
        // The divergence of the last cells round a periodic axis looks at the halo.
        gy_gas_halo(gas, gas->slot[axis], axis, false);
    }
}

static gyre_result substep(gyre_gas *gas, float dt)
{
    advect(gas, dt);
    gy_gas_add_sources(gas, dt);
    add_forces(gas, dt);
    gyre_result r = gy_gas_diffuse(gas, dt);
    gy_gas_project(gas);
    return r;
}

/// How many substeps keep the Courant number within bounds.
static int substeps(gyre_gas *gas, float dt)
{
    const gyre_gas_def *def = gas->def;
    if (!(def->cfl > 0.0f)) {
        return 1;
    }
    double courant = (double)gy_gas_max_speed(gas) * (double)dt / (double)def->grid.h;
    double count = courant / (double)def->cfl;
    return count < (double)def->max_substeps ? GY_MAX(1, (int)count + ((double)(int)count < count))
                                             : def->max_substeps;
}

gyre_result gy_gas_step(gyre_model *model, float dt)
{
    gyre_gas *gas = (gyre_gas *)model;
    int count = substeps(gas, dt);
    gas->stats.cycles = 0;
    gas->stats.capped = 0;
    gas->recorded = false;
    gas->pending = gy_device_is_remote(gas->model.device);
    if (gas->pending) {
        gy_device_clear(gas->model.device, gy_at(gas->base, gas->report), sizeof(gy_report));
    }
    gyre_result r = GYRE_OK;
    for (int s = 0; s < count && r == GYRE_OK; s++) {
        r = substep(gas, dt / (float)count);
    }
    model->time += (double)dt;
    model->steps++;
    gas->stats.step = model->steps;
    gas->stats.time = model->time;
    gas->stats.dt = (double)dt;
    gas->stats.substeps = count;
    if (gas->pending) {
        // The next step may have to know the speed.
        gy_device_prefetch(gas->model.device, gy_at(gas->base, gas->report), sizeof(gy_report));
    } else {
        gy_gas_note_cfl(gas, gas->stats.max_speed);
    }
    gas->stats_fresh = false;
    gyre_result device = gy_device_status(gas->model.device);
    return r == GYRE_OK ? device : r;
}
