// gas/fields.c: fields as others see them, and their halos.
#include "base/half.h"
#include "base/simd.h"
#include "gas/patches.h"
#include "gas/texture.h"
#include "ops/system/level.h"
#include "shape/openness.h"

bool gy_gas_is_half(const gyre_gas *gas, int field)
{
    return field >= gas->velocities && field < gas->states && gas->half_origin > 0;
}

gy_extent gy_gas_extent(const gyre_gas *gas, int field)
{
    gy_extent e = gas->extent;
    e.halves = gy_gas_is_half(gas, field);
    return e;
}

gy_edge gy_gas_edge(const gyre_gas *gas, gyre_location location, int axis)
{
    bool centre = location == GYRE_CENTRE, across = location == gy_faces(axis);
    const gyre_gas_side *sides = &gas->def->sides.x_low + 2 * axis;
    gy_edge edge = {.samples = gas->extent.n[axis]};
    for (int end = 0; end < 2; end++) {
        int rule = gy_gas_side_rule(gas, 2 * axis + end);
        switch (rule) {
        case GYRE_GAS_SIDE_PERIODIC:
            edge.rule[end] = GY_EDGE_WRAP;
            break;
        case GYRE_GAS_SIDE_OPEN:
            // Scalars: ambient air, which has none of them, comes in.
            edge.rule[end] = centre ? GY_EDGE_VALUE : GY_EDGE_COPY;
            if (across && end == 1) {
                edge.samples++;
            }
            break;
        case GYRE_GAS_SIDE_INFLOW: // its rim, where it is not 0, comes after the halos
        case GYRE_GAS_SIDE_NO_SLIP:
            edge.rule[end] = centre ? GY_EDGE_COPY : GY_EDGE_MIRROR;
            edge.value[end] = centre ? 0.0f : sides[end].velocity[gy_face_axis((int)location)];
            edge.value[end] = sides[end].rule != GYRE_GAS_SIDE_NO_SLIP ? 0.0f : edge.value[end];
            break;
        default:
            edge.rule[end] = GY_EDGE_COPY;
        }
        if (gas->windowed >> (2 * axis + end) & 1u && (centre || across)) {
            // Tangential components as along the wall: what comes in is at rest.
            edge.rule[end] = centre ? GY_EDGE_VALUE : GY_EDGE_COPY;
            edge.value[end] = 0.0f;
            edge.samples += across && end == 1;
        } else if (across && (rule <= GYRE_GAS_SIDE_NO_SLIP || rule == GYRE_GAS_SIDE_INFLOW)) {
            edge.rule[end] = GY_EDGE_FACE;
            edge.value[end] = 0.0f;
        }
    }
    return edge;
}

gy_box gy_gas_box(const gyre_gas *gas, gyre_location location)
{
    const int *n = gas->extent.n;
    gy_box box = gy_box_make(n[0], n[1], n[2]);
    for (int a = 1; a < gas->extent.dim; a++) {
        box.high[a] = gy_gas_edge(gas, location, a).samples;
    }
    return box;
}

int gy_gas_together(const gyre_device *device, int states)
{
    // The CPU's caches have what the next field needs again, and it has no memory to spare.
    return device && gy_device_has_own_memory(device) ? GY_MIN(states, GY_GAS_TOGETHER) : 1;
}

/// A displacement's ends, along a component.
static gy_edge path_edge(const gyre_gas *gas, int component, int axis)
{
    int32_t rule = gas->periodic >> axis & 1u ? GY_EDGE_WRAP
                   // An open side's face is carried, too; beyond it there is no sample to fetch.
                   : component == axis ? GY_EDGE_INWARD
                                       : GY_EDGE_COPY;
    gy_edge edge = {.rule = {rule, rule}, .samples = gas->extent.n[axis]};
    for (int end = 0; end < 2; end++) {
        if (gy_gas_outside(gas) >> (2 * axis + end) & 1u) {
            edge.rule[end] = GY_EDGE_COPY;
        }
    }
    return edge;
}

void gy_gas_list_fields(gyre_gas *gas)
{
    gy_field *list = (void *)gy_at(gas->base, gas->listed);
    int own = gas->states + 2 * gas->extent.dim,
        count = own + (gas->texture ? gas->texture->count : 0);
    for (int f = own; f < count; f++) {
        list[f].location = GYRE_CENTRE;
        list[f].halves = 0;
        list[f].now = gas->texture->slot[f - own];
        for (int axis = 0; axis < 3; axis++) {
            list[f].edge[axis] = gy_gas_texture_edge(gas, axis);
        }
    }
    for (int f = 0; f < own; f++) {
        int path = f - gas->states, component = path / 2;
        gyre_location location = path < 0 ? gas->fields[f].location : GYRE_CENTRE;
        list[f].location = (int32_t)location;
        list[f].halves = path < 0 && gy_gas_is_half(gas, f);
        if (path < 0) {
            list[f].now = gas->slot[f];
        } else {
            list[f].now = path % 2 ? gas->forward[component] : gas->back[component];
        }
        for (int axis = 0; axis < 3; axis++) {
            list[f].edge[axis] =
                path < 0 ? gy_gas_edge(gas, location, axis) : path_edge(gas, component, axis);
        }
    }
    gy_device_put(gas->model.device, list, (size_t)count * sizeof *list);
}

void gy_gas_halo(gyre_gas *gas, int first, int count, bool predicted, bool all)
{
    const gy_extent *e = &gas->extent;
    for (int axis = all ? 0 : 1; axis < e->dim; axis++) {
        int rows = axis == 0 ? e->n[1] + 1 : axis == 1 ? 1 : e->n[1] + 2;
        gy_halo_args a = {.base = gas->base,
                          .fields = gas->listed,
                          .first = first,
                          .rows = rows,
                          .predicted = predicted,
                          .axis = axis,
                          .extent = *e};
        a.extent.halves = gas->half_origin > 0;
        gy_box box = gy_box_make(axis == 0 ? GY_HALO_ROW : e->sy, rows * count,
                                 axis == 2 ? 1 : e->n[2] + (gy_is_3d(e->dim)));
        if (axis > 0) {
            gy_gas_rim(gas, axis - 1, first, count, predicted);
        }
        gy_run(gas->model.device, GY_OP_halo, &a, box);
    }
    gy_gas_rim(gas, e->dim - 1, first, count, predicted);
}

static uint32_t slot_of(const gyre_gas *gas, int field)
{
    return field < gas->states || gy_gas_is_texture(gas, field) ? gy_gas_slot(gas, field)
                                                                : gas->predicted[0];
}

/// The first byte of a field in the device's memory, and how many there are.
static void *store_of(const gyre_gas *gas, int field, size_t *bytes)
{
    bool half = gy_gas_is_half(gas, field);
    *bytes = half ? gas->half_bytes : gas->slot_bytes;
    return gy_at(gas->base, slot_of(gas, field) - (half ? gas->half_origin : gas->origin));
}

static void fetch(const gyre_gas *gas, int field)
{
    size_t bytes;
    const void *at = store_of(gas, field, &bytes);
    gy_device_fetch(gas->model.device, at, bytes);
}

static void put(const gyre_gas *gas, int field)
{
    size_t bytes;
    const void *at = store_of(gas, field, &bytes);
    gy_device_put(gas->model.device, at, bytes);
}

static void view_of(const gyre_gas *gas, int field, gyre_field_view *view)
{
    view->data = gy_gas_is_half(gas, field)
                     ? gas->windows + (size_t)(field - gas->velocities) * gas->window_floats
                     : gy_at(gas->base, slot_of(gas, field));
    view->stride[0] = 1;
    view->stride[1] = gas->extent.sy;
    view->stride[2] = gas->extent.sz;
    view->location = gas->model.fields[field].location;
    view->grid = gas->grid;
    gyre_grid_samples(&gas->grid, view->location, view->n);
}

void gy_gas_window(const gyre_model *model, int field, gyre_field_view *view)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    view_of(gas, field, view);
}

/// Where a field's own samples lie on the device, and of how many bytes each is.
const void *gy_gas_place(const gyre_model *model, int field, int *bytes)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    *bytes = gy_gas_is_half(gas, field) ? (int)sizeof(uint16_t) : (int)sizeof(float);
    return gy_at(gas->base, slot_of(gas, field));
}

const void *gy_gas_floats(gyre_model *model, int field)
{
    gyre_gas *gas = (gyre_gas *)model;
    if (!gy_gas_is_half(gas, field)) {
        return gy_at(gas->base, slot_of(gas, field));
    }
    gy_widen_args a = {.base = gas->base,
                       .from = gas->slot[field],
                       .to = gas->predicted[0],
                       .extent = gy_gas_extent(gas, field)};
    gy_run(gas->model.device, GY_OP_widen, &a,
           gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]));
    return gy_at(gas->base, gas->predicted[0]);
}

/// The row of halves, on the host, that a row of a window stands for.
static uint16_t *halves_of(const gyre_gas *gas, int field, int j, int k)
{
    return (uint16_t *)(void *)gy_at(gas->base, gas->slot[field]) + (ptrdiff_t)j * gas->extent.sy +
           (ptrdiff_t)k * gas->extent.sz;
}

void gy_gas_fetch(const gyre_model *model, int field)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    gyre_field_view v;
    fetch(gas, field);
    if (!gy_gas_is_half(gas, field)) {
        return;
    }
    view_of(gas, field, &v);
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            const uint16_t *half = halves_of(gas, field, j, k);
            float *row = v.data + j * v.stride[1] + k * v.stride[2];
            for (int i = 0; i < v.n[0]; i++) {
                row[i] = gy_from_half(half[i]);
            }
        }
    }
}

typedef struct shader {
    const gyre_gas *gas;
    const gy_solid *solids;
    int count;
} shader;

static void solid_plane(void *argument, int k)
{
    const shader *s = argument;
    const gy_extent *e = &s->gas->extent;
    for (int j = 0; j < e->n[1]; j++) {
        float *row =
            gy_at(s->gas->base, s->gas->predicted[0]) + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
        gy_solid_fraction_row(&s->gas->grid, s->solids, s->count, j, k, row);
    }
}

static void fill_zeros(gyre_gas *gas)
{
    gy_fill_args fill = {.base = gas->base, .field = gas->predicted[0], .extent = gas->extent};
    gy_run(gas->model.device, GY_OP_fill, &fill,
           gy_box_make(gas->extent.n[0], gas->extent.n[1] + 2,
                       gy_is_3d(gas->extent.dim) ? gas->extent.n[2] + 2 : 1));
}

/// The solid fraction comes from the shapes themselves, so that a picture shows them smooth.
static void derive_solid(gyre_gas *gas)
{
    // Who moves the floor shows it.
    shader s = {gas, gas->made, gas->made_count - gy_gas_has_floor(gas)};
    if (s.count > 0) {
        gyre_device_parallel_for(gas->model.device, gas->extent.n[2], solid_plane, &s);
        gy_gas_shade_sheets(gas);
        put(gas, gas->states);
    } else {
        fill_zeros(gas);
        if (gas->shut > 0) {
            fetch(gas, gas->states);
            gy_gas_shade_sheets(gas);
            put(gas, gas->states);
        }
    }
}

gyre_result gy_gas_derives(const gyre_model *model, int field)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    if (gas->derived[field - gas->states] != GY_DERIVE_pressure) {
        return GYRE_OK;
    }
    if (gy_gas_is_led(gas)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "pressure: the gas has its velocity from elsewhere (\"velocity\"), and "
                         "nothing presses it");
    }
    if (gas->def->advection != GYRE_GAS_CONSERVATIVE) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "pressure: is kept by \"advection\": \"conservative\" alone");
    }
    // What those do each step at once is pressed out by a projection that is forgotten.
    if (gy_gas_is_stirred(gas) || gas->kept.stirred) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "pressure: is not known of a gas in which solids move; "
                         "what pushes each of them is");
    }
    return GYRE_OK;
}

static void run_derive(gyre_gas *gas, int kind, uint32_t target, float scale)
{
    gy_derive_args a = {.base = gas->base,
                        .target = target,
                        .extent = gas->extent,
                        .kind = kind,
                        .level = gy_system_offset(&gas->pressure, 0),
                        .scale = scale,
                        .links = gy_gas_net(gas)};
    a.extent.halves = a.links ? GY_LINKED : 0;
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = gas->slot[GY_MIN(d, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_derive, &a,
           gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]));
}

/// P of a whole step is dt / (rho h) times the pressure in its middle. Where nothing holds a region
/// the mean there is 0. What is left of a step whose velocities have been written over is none of
/// theirs.
static void derive_pressure(gyre_gas *gas)
{
    float dt = gas->kept.before;
    if (!(dt > 0.0f) || gas->kept.renew == GY_GAS_ANEW) {
        fill_zeros(gas);
        return;
    }
    float scale = gas->def->air_density * (gas->grid.h / dt);
    // The system's vectors lie where the field is looked at.
    gy_system_centre(&gas->pressure, gas->lag);
    run_derive(gas, GY_DERIVE_pressure, gas->spare[0], scale < 1e15f ? scale : 1e15f);
    gy_widen_args a = {
        .base = gas->base, .from = gas->spare[0], .to = gas->predicted[0], .extent = gas->extent};
    gy_run(gas->model.device, GY_OP_widen, &a,
           gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]));
}

void gy_gas_derive(gyre_model *model, int field)
{
    gyre_gas *gas = (gyre_gas *)model;
    int kind = gas->derived[field - gas->states];
    float scale = 1.0f;
    if (kind == GY_DERIVE_COUNT) {
        derive_solid(gas);
        return;
    }
    if (kind == GY_DERIVE_pressure) {
        derive_pressure(gas);
        return;
    }
    for (int p = 0; p < gy_gas_derived_list[kind].power; p++) {
        scale = p == 0 ? 1.0f / gas->grid.h : scale / gas->grid.h;
    }
    run_derive(gas, kind, gas->predicted[0], scale);
}

/// Cuts what is finite to -most .. most.
static void limit_row(float *row, int count, float most)
{
    int i = 0;
    vf high = gy_splat(most), low = gy_splat(-most);
    for (; i + VW <= count; i += VW) {
        gy_store(row + i, gy_clamp(gy_load(row + i), low, high));
    }
    for (; i < count; i++) {
        row[i] = row[i] > most ? most : row[i] < -most ? -most : row[i];
    }
}

/// A field's samples came from outside: limits hold, shut sides are shut, halos follow.
void gy_gas_written(gyre_model *model, int field)
{
    gyre_gas *gas = (gyre_gas *)model;
    gyre_field_view v;
    bool centre = gas->model.fields[field].location == GYRE_CENTRE;
    float cap = gas->def->speed_cap;
    view_of(gas, field, &v);
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            float *row = v.data + j * v.stride[1] + k * v.stride[2];
            limit_row(row, v.n[0], centre ? GY_GAS_LIMIT : GY_MIN(cap, GY_GAS_LIMIT));
            for (int i = 0; i < v.n[0] && gy_gas_is_half(gas, field); i++) {
                halves_of(gas, field, j, k)[i] = gy_to_half(row[i]);
            }
        }
    }
    put(gas, field);
    gy_gas_halo(gas, gy_gas_listed(gas, field), 1, false, true);
    gas->kept.loose |= !centre;
    gy_gas_enter_edit(gas, field);
    gas->stats_fresh = gas->kept_divergence = gas->speed_fresh = false;
    if (!centre) {
        gy_gas_touch(gas, GY_GAS_ANEW);
        gas->energy_known = false; // a loaded state goes on, but not from here
    }
}

static gy_measure_args measure_args(const gyre_gas *gas, int field)
{
    return (gy_measure_args){.base = gas->base,
                             .field = gas->slot[field],
                             .extent = gy_gas_extent(gas, field),
                             .level = gy_system_offset(&gas->pressure, 0),
                             .partial = gas->pressure.partial};
}

static double measure(const gyre_gas *gas, int field, int which)
{
    gy_measure_args a = measure_args(gas, field);
    gy_box box = gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
    gy_run(gas->model.device, GY_OP_measure, &a, box);
    double h = (double)gas->grid.h;
    return gy_partial_sum(gas->model.device, gas->base, a.partial,
                          gy_task_count(GY_OP_measure, box), which) *
           h * h * (gy_is_3d(gas->extent.dim) ? h : 1.0);
}

double gy_gas_total(const gyre_model *model, int field)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    return field < gas->states ? measure(gas, field, 0) : 0.0;
}

static double rms(double squares, int64_t count)
{
    return count > 0 ? __builtin_sqrt(squares / (double)count) : 0.0;
}

void gy_gas_note_courant(gyre_gas *gas, float speed)
{
    // At most 1e6 * 3e38 / 1e-6: beyond what a float holds.
    double courant = (double)speed * gas->stats.dt / (double)gas->grid.h / gas->stats.substeps;
    gas->stats.courant = (float)(courant < 1e30 ? courant : 1e30);
}

void gy_gas_settle(gyre_gas *gas)
{
    if (!gas->pending) {
        return;
    }
    const gy_report *r = (const gy_report *)(const void *)gy_at(gas->base, gas->report);
    gy_device_collect(gas->model.device, r, gy_gas_report_bytes(gas));
    gy_device_collect(gas->model.device, gy_at(gas->base, gas->energy), sizeof(gy_energy));
    gas->pending = false;
    gas->stats.capped += (int64_t)r->capped;
    gy_gas_note_courant(gas, r->speed);
    if (gas->speed_fresh) {
        gas->stats.max_speed = r->speed;
    }
    if (gas->recorded) {
        gas->div_before = r->given;
        gas->stats.cycles += r->cycles;
        gas->stats.residual = (float)gy_report_residual(r);
    }
}

float gy_gas_max_speed(gyre_gas *gas)
{
    gy_gas_settle(gas);
    if (gas->speed_fresh) {
        return gas->stats.max_speed;
    }
    const gy_extent *e = &gas->extent;
    gy_box box = gy_box_make(e->n[0], e->n[1], e->n[2]);
    double most = 0.0;
    for (int a = 0; a < gas->velocities; a++) {
        gy_measure_args m = measure_args(gas, a);
        gy_run(gas->model.device, GY_OP_measure, &m, box);
        double x = gy_partial_max(gas->model.device, gas->base, m.partial,
                                  gy_task_count(GY_OP_measure, box), 2);
        most = GY_MAX(most, x);
        // The faces of an open side at the upper end are no cell's lower faces.
        gyre_field_view v;
        view_of(gas, a, &v);
        const int first[3] = {a == 0 ? e->n[0] : 0, a == 1 ? e->n[1] : 0, a == 2 ? e->n[2] : 0};
        bool live = gy_gas_edge(gas, gy_faces(a), a).samples > e->n[a];
        if (live) {
            fetch(gas, a);
        }
        for (int k = first[2]; k < v.n[2] && live; k++) {
            for (int j = first[1]; j < v.n[1]; j++) {
                for (int i = first[0]; i < v.n[0]; i++) {
                    x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                    most = GY_MAX(most, x < 0.0 ? -x : x);
                }
            }
        }
    }
    gas->stats.max_speed = (float)most;
    gas->speed_fresh = true;
    // Ops look for it there.
    gy_report *r = (gy_report *)(void *)gy_at(gas->base, gas->report);
    r->speed = gas->stats.max_speed;
    gy_device_put(gas->model.device, &r->speed, sizeof r->speed);
    return gas->stats.max_speed;
}

static void note_energy(gyre_gas *gas)
{
    const gy_energy *e = (const gy_energy *)(const void *)gy_at(gas->base, gas->energy);
    gas->stats.governed = e->governed;
    gas->stats.gained = e->gained;
    gas->stats.gained_time = e->first_gain;
    double h = (double)gas->grid.h;
    gas->stats.bounded_energy = 0.5 * e->begun * h * h * (gy_is_3d(gas->extent.dim) ? h : 1.0);
}

static void note_divergence(gyre_gas *gas)
{
    gy_box box = gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
    gy_divergence_args a = {.base = gas->base,
                            .level = gy_system_offset(&gas->pressure, 0),
                            .partial = gas->pressure.partial,
                            .extent = gas->extent,
                            .write = gy_gas_is_stirred(gas),
                            .given = gas->given};
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = gas->slot[GY_MIN(d, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_divergence, &a, box);
    int tasks = gy_task_count(GY_OP_divergence, box);
    double h = (double)gas->grid.h;
    gas->stats.div_rms_before = (float)(rms(gas->div_before, gas->fluid_cells) / h);
    gas->stats.div_rms_after =
        (float)(rms(gy_partial_sum(gas->model.device, gas->base, a.partial, tasks, 0),
                    gas->fluid_cells) /
                h);
    gas->stats.div_max_after =
        (float)(gy_partial_max(gas->model.device, gas->base, a.partial, tasks, 1) / h);
    if (gy_gas_is_stirred(gas)) {
        double most, sum = gy_gas_stirred_divergence(gas, &most);
        gas->stats.div_rms_after = (float)(rms(sum, gas->fluid_cells) / h);
        gas->stats.div_max_after = (float)(most / h);
    }
}

void gy_gas_keep_divergence(gyre_gas *gas)
{
    if (gas->asked > 0 && !gas->stats_fresh && !gas->kept_divergence) {
        note_divergence(gas);
        gas->kept_divergence = true;
    }
}

const void *gy_gas_get_stats(gyre_model *model)
{
    gyre_gas *gas = (gyre_gas *)model;
    gas->asked = 2;
    // A loaded state brings its own clock.
    gas->stats.step = model->steps;
    gas->stats.time = model->time;
    gy_gas_max_speed(gas);
    note_energy(gas);
    gy_particles_collect(model->device, &gas->tracers);
    gas->stats.tracers = gas->tracers.state.count;
    gas->stats.tracers_lost = gas->tracers.state.lost;
    gas->stats.tracers_refused = gas->tracers.state.refused;
    gas->stats.squeezed = gy_gas_squeezed(gas);
    if (!gas->missed_fresh) {
        gas->stats.missed = gy_gas_count_missed(gas);
        gas->missed_fresh = true;
    }
    if (gas->stats_fresh) {
        return &gas->stats;
    }
    if (!gas->kept_divergence) {
        note_divergence(gas);
    }
    if (gy_gas_is_led(gas)) {
        gas->stats.div_rms_before = gas->stats.div_rms_after;
    }
    gas->stats.pent_up = gy_gas_pent_up(gas);
    gas->stats.kinetic_energy = 0.0;
    for (int c = 0; c < gas->velocities; c++) {
        gas->stats.kinetic_energy += 0.5 * measure(gas, c, 1);
    }
    gas->stats_fresh = true;
    return &gas->stats;
}
