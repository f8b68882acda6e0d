// gas/forces.c: forces that push the gas as it flows: wind, fans, vortices, attractors, turbulence.
// gas/ops/drive.h says what each is at a face. Half of a step's acts before the gas is carried and
// half after it, the other way round in order, so that the step stays of second order (Strang, SIAM
// J. Numer. Anal. 5, 506, 1968). What draws the gas along does so exactly, at any rate.
//
// They lie in one block that is taken when there are any: a gas without them has none.
#include "gas/forces.h"
#include "base/maths.h"
#include "gas/ops/drive.h"
#include "gas/waves.h"
#include <stdio.h>
#include <string.h>

/// A wave of a turbulence, for the host.
struct gy_wave {
    double turns[3]; // of its phase at a face across each axis, at t = 0, at the table's start
    double rate;     // turns per second
    float amount[3]; // m/s^2
};

static const gyre_gas_force *def_of(const gyre_gas *gas)
{
    return gas->def->forces.items;
}

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

static bool is_turbulent(const gyre_gas_force *f)
{
    return f->action.kind == GYRE_GAS_TURBULENCE;
}

// ---- checks

static bool is_null(const float v[3], int dim)
{
    return v[0] == 0.0f && v[1] == 0.0f && (!gy_is_3d(dim) || v[2] == 0.0f);
}

static gyre_result check_action(const gyre_gas_force *f, int i, int dim)
{
    const gyre_gas_action *action = &f->action;
    if (action->kind == GYRE_GAS_FAN && is_null(action->as.fan.direction, dim)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "forces.%d.action.fan.direction: must not be 0 in all axes", i);
    }
    if (action->kind == GYRE_GAS_VORTEX && gy_is_3d(dim) && is_null(action->as.vortex.axis, 3)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "forces.%d.action.vortex.axis: must not be 0 in all axes", i);
    }
    bool by_speed = action->kind == GYRE_GAS_FAN && action->as.fan.thrust == 0.0f &&
                    action->as.fan.speed != 0.0f;
    if (by_speed && (f->everywhere || f->shape.kind == GYRE_SHAPE_HALF_SPACE)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "forces.%d.action.fan.speed: its shape has no length along the direction; "
                         "give thrust or another shape",
                         i);
    }
    return GYRE_OK;
}

gyre_result gy_gas_check_forces(const gyre_gas_def *def)
{
    const gyre_gas_force *f = def->forces.items;
    gyre_result r = GYRE_OK;
    for (int i = 0; i < def->forces.count && r == GYRE_OK; i++) {
        char path[48];
        snprintf(path, sizeof path, "forces.%d.shape", i);
        r = f[i].everywhere ? GYRE_OK : gy_shape_check(&f[i].shape, def->grid.dim, path);
        r = r == GYRE_OK ? check_action(&f[i], i, def->grid.dim) : r;
    }
    return r;
}

// ---- waves

/// A vector across the wave, as differences over a cell see it; 0 where there is none.
static void direct_wave(const gyre_gas *gas, const double k[3], const double any[3], double e[3])
{
    double h = (double)gas->grid.h, seen[3];
    for (int q = 0; q < 3; q++) {
        seen[q] = (double)gy_sinf(gy_wave_angle(0.5 * k[q] * h));
    }
    bool flat = !gy_is_3d(gas->extent.dim);
    e[0] = flat ? seen[1] : seen[1] * any[2] - seen[2] * any[1];
    e[1] = flat ? -seen[0] : seen[2] * any[0] - seen[0] * any[2];
    e[2] = flat ? 0.0 : seen[0] * any[1] - seen[1] * any[0];
    double length = __builtin_sqrt(e[0] * e[0] + (e[1] * e[1] + e[2] * e[2]));
    for (int q = 0; q < 3; q++) {
        e[q] = length > 1e-12 ? e[q] / length : 0.0;
    }
}

/// The tables of one wave.
static void fill_tables(const gyre_gas *gas, const gy_force *f, int m, const double k[3],
                        float *tables)
{
    double h = (double)gas->grid.h;
    for (int q = 0; q < gas->extent.dim; q++) {
        float *cosines = tables + f->place[q] + (ptrdiff_t)m * f->step[q],
              *sines = cosines + (ptrdiff_t)GY_WAVES * f->step[q];
        for (int i = 0; i < f->step[q]; i++) {
            float turned = gy_wave_angle(k[q] * h * (double)i);
            cosines[i] = gy_cosf(turned);
            sines[i] = gy_sinf(turned);
        }
    }
}

/// The waves of a turbulence. Their sum has the root mean square asked for.
static void make_waves(const gyre_gas *gas, const gyre_gas_force *def, const gy_force *f,
                       gy_wave *waves, float *tables)
{
    const struct gyre_gas_turbulence *t = &def->action.as.turbulence;
    const gyre_grid *grid = &gas->grid;
    uint32_t seed = (uint32_t)gas->def->seed * 2654435761u + (uint32_t)t->seed, at = 0;
    double squares = 0.0, weight[GY_WAVES];
    for (int m = 0; m < GY_WAVES; m++) {
        double k[3], direction[3], any[3], e[3];
        double octave = (double)t->octaves * ((double)m + gy_wave_draw(seed, &at)) / GY_WAVES;
        double shorter = (double)gy_expf((float)(0.6931471805599453 * octave));
        gy_wave_direction(seed, &at, gas->extent.dim, direction);
        gy_wave_direction(seed, &at, 3, any);
        gy_wave_choose(gas, (double)t->size / shorter, direction, k);
        direct_wave(gas, k, any, e);
        fill_tables(gas, f, m, k, tables);
        double phase = gy_wave_draw(seed, &at), way = gy_wave_draw(seed, &at) < 0.5 ? -1.0 : 1.0;
        // Energy in an octave as k^(-2/3); an eddy of it turns as k^(2/3).
        double third = (double)gy_expf((float)(0.6931471805599453 / 3.0 * octave));
        weight[m] = 1.0 / third;
        waves[m].rate = way * (double)t->change * third * third;
        for (int q = 0; q < 3; q++) {
            waves[m].turns[q] = phase;
            waves[m].amount[q] = (float)e[q];
            squares += weight[m] * weight[m] * e[q] * e[q];
            for (int b = 0; b < gas->extent.dim; b++) {
                double from = (double)grid->origin[b] + (b == q ? 0.0 : 0.5 * (double)grid->h);
                waves[m].turns[q] += k[b] * from;
            }
        }
    }
    double scale = squares > 0.0 ? (double)t->strength * __builtin_sqrt(2.0 / squares) : 0.0;
    for (int m = 0; m < GY_WAVES; m++) {
        for (int q = 0; q < 3; q++) {
            waves[m].amount[q] = (float)((double)waves[m].amount[q] * scale * weight[m]);
        }
    }
}

/// The waves as they are at a time.
static void turn_waves(const gyre_gas *gas, gy_force *f, const gy_wave *waves, double time)
{
    for (int m = 0; m < GY_WAVES; m++) {
        for (int q = 0; q < 3; q++) {
            float turned = gy_wave_angle(waves[m].turns[q] + waves[m].rate * time);
            f->wave[q][m][0] = waves[m].amount[q] * gy_cosf(turned);
            f->wave[q][m][1] = waves[m].amount[q] * gy_sinf(turned);
        }
    }
    gy_device_put(gas->model.device, f, sizeof *f);
}

// ---- made ready

/// A vector of length 1, or 0.
static void unit(const float v[3], int dim, float to[3])
{
    double most = 0.0, square = 0.0;
    for (int q = 0; q < dim; q++) {
        double size = (double)(v[q] < 0.0f ? -v[q] : v[q]);
        most = size > most ? size : most;
    }
    for (int q = 0; q < dim && most > 0.0; q++) {
        square += (double)v[q] / most * ((double)v[q] / most);
    }
    for (int q = 0; q < 3; q++) {
        to[q] =
            q < dim && most > 0.0 ? (float)((double)v[q] / most / __builtin_sqrt(square)) : 0.0f;
    }
}

/// The length of a shape along a unit vector.
static double length_along(const gy_solid *s, const float d[3])
{
    double length = 0.0, dots[3], half = 0.0;
    for (int c = 0; c < 3; c++) {
        dots[c] = s->turned || s->kind == GYRE_SHAPE_BOX || s->kind == GYRE_SHAPE_VOLUME
                      ? s->axis[c][0] * (double)d[0] +
                            (s->axis[c][1] * (double)d[1] + s->axis[c][2] * (double)d[2])
                      : 0.0;
        length += s->b[c] * (dots[c] < 0.0 ? -dots[c] : dots[c]);
        half += s->b[c] * (double)d[c];
    }
    switch (s->kind) {
    case GYRE_SHAPE_BOX:
        return 2.0 * length;
    case GYRE_SHAPE_VOLUME:
        return length;
    case GYRE_SHAPE_CAPSULE:
        return 2.0 * (s->radius + (half < 0.0 ? -half : half));
    default:
        return 2.0 * s->radius;
    }
}

static void make_force(const gyre_gas *gas, const gyre_gas_force *def, gy_force *f)
{
    const gyre_gas_action *action = &def->action;
    int dim = gas->extent.dim;
    float h = gas->grid.h;
    f->everywhere = def->everywhere;
    f->shape = gy_solid_make(&def->shape, dim);
    bool fine = f->shape.kind == GYRE_SHAPE_VOLUME && f->shape.edge < (double)h;
    f->thick = GY_MAX(fine ? (float)f->shape.edge : h, def->soft);
    f->falloff = 0;
    memset(f->axis, 0, sizeof f->axis);
    switch ((gyre_gas_force_kind)action->kind) {
    case GYRE_GAS_WIND:
        f->form = GY_FORCE_EVEN;
        memcpy(f->vector, action->as.wind.velocity, sizeof f->vector);
        break;
    case GYRE_GAS_FAN: {
        f->form = GY_FORCE_EVEN;
        unit(action->as.fan.direction, dim, f->vector);
        double speed = (double)action->as.fan.speed, length = length_along(&f->shape, f->vector);
        double push = length > 0.0 ? 0.5 * speed * (speed < 0.0 ? -speed : speed) / length : 0.0;
        for (int q = 0; q < 3; q++) {
            f->vector[q] *= (float)(push < 1e12 ? push > -1e12 ? push : -1e12 : 1e12);
        }
        break;
    }
    case GYRE_GAS_VORTEX:
        f->form = GY_FORCE_ROUND;
        memcpy(f->centre, action->as.vortex.centre, sizeof f->centre);
        unit(gy_is_3d(dim) ? action->as.vortex.axis : (const float[3]){0.0f, 0.0f, 1.0f}, 3,
             f->axis);
        f->core = action->as.vortex.core;
        break;
    case GYRE_GAS_ATTRACTOR:
        f->form = GY_FORCE_TOWARDS;
        memcpy(f->centre, action->as.attractor.centre, sizeof f->centre);
        unit(action->as.attractor.axis, dim, f->axis);
        f->core = action->as.attractor.core;
        f->falloff = action->as.attractor.falloff;
        break;
    case GYRE_GAS_TURBULENCE:
        f->form = GY_FORCE_WAVES;
        break;
    case GYRE_GAS_CONFINEMENT:
        f->form = GY_FORCE_FIELD;
        break;
    }
}

static size_t table_floats(const gyre_gas *gas)
{
    size_t floats = 0;
    for (int q = 0; q < gas->extent.dim; q++) {
        floats += 2 * GY_WAVES * ((size_t)gas->extent.n[q] + 1 + GY_LANES) / GY_LANES * GY_LANES;
    }
    return floats;
}

/// Lays a block out; returns its bytes.
static size_t lay_out(const gyre_gas *gas, gy_gas_forces *to, char *block)
{
    const gyre_gas_force *def = def_of(gas);
    size_t turbulent = 0, count = (size_t)gas->def->forces.count;
    for (size_t i = 0; i < count; i++) {
        turbulent += is_turbulent(&def[i]);
    }
    size_t list = round64(sizeof *to), waves = list + round64(count * sizeof(gy_force)),
           tables = waves + round64(turbulent * GY_WAVES * sizeof(gy_wave)),
           table = round64(table_floats(gas) * sizeof(float)), arrays = tables + turbulent * table,
           around;
    gy_layout layout = gy_layout_make(&gas->grid);
    around = round64((size_t)layout.slack * sizeof(float));
    int felt = gy_gas_felt_arrays(gas);
    if (block) {
        to->count = (int)count;
        to->list = (void *)(block + list);
        to->waves = (void *)(block + waves);
        to->tables = (void *)(block + tables);
        to->tables_bytes = turbulent * table;
        to->felt = felt > 0 ? (float *)(void *)(block + arrays + around) + layout.origin : NULL;
        to->felt_step = layout.floats;
        to->felt_count = felt;
    }
    return felt > 0 ? arrays + 2 * around + (size_t)felt * gas->slot_bytes : arrays;
}

static void fill(const gyre_gas *gas, gy_gas_forces *forces)
{
    const gyre_gas_force *def = def_of(gas);
    int turbulent = 0;
    forces->field = (gy_force){.form = GY_FORCE_FIELD, .everywhere = 1};
    gy_device_put(gas->model.device, &forces->field, sizeof forces->field);
    for (int i = 0; i < forces->count; i++) {
        gy_force *f = &forces->list[i];
        make_force(gas, &def[i], f);
        if (!is_turbulent(&def[i])) {
            continue;
        }
        size_t place =
            round64(table_floats(gas) * sizeof(float)) / sizeof(float) * (size_t)turbulent;
        for (int q = 0; q < gas->extent.dim; q++) {
            f->place[q] = (int32_t)place;
            f->step[q] = (gas->extent.n[q] + 1 + GY_LANES) / GY_LANES * GY_LANES;
            place += 2 * GY_WAVES * (size_t)f->step[q];
        }
        make_waves(gas, &def[i], f, forces->waves + GY_WAVES * turbulent, forces->tables);
        turbulent++;
    }
    gy_device_put(gas->model.device, forces->list, (size_t)forces->count * sizeof *forces->list);
    if (turbulent > 0) {
        gy_device_put(gas->model.device, forces->tables, forces->tables_bytes);
    }
    forces->weighed = false;
}

static gyre_result check_device(const gyre_gas *gas)
{
    static const gy_op confine[] = {GY_OP_confine, GY_OP_frame};
    return gy_gas_felt_arrays(gas) > 0
               ? gy_device_require(gas->model.device, "a confinement or a frame", confine,
                                   GY_COUNT(confine))
               : GYRE_OK;
}

gyre_result gy_gas_take_forces(gyre_gas *gas)
{
    gyre_result r = check_device(gas);
    r = r == GYRE_OK ? gy_gas_take_arrays(gas) : r;
    if (r != GYRE_OK || (gas->def->forces.count == 0 && gy_gas_felt_arrays(gas) == 0)) {
        if (r == GYRE_OK) {
            gy_gas_drop_forces(gas);
        }
        return r;
    }
    size_t bytes = lay_out(gas, NULL, NULL);
    gy_gas_forces *forces = gas->forces;
    if (!forces || forces->bytes != bytes) {
        forces = gy_device_allocate(gas->model.device, bytes);
        if (!forces) {
            r = gy_device_status(gas->model.device);
            return r == GYRE_OK ? gyre_fail(GYRE_ERROR_MEMORY, "forces: %s", gyre_message()) : r;
        }
        gy_gas_drop_forces(gas);
        forces->bytes = bytes;
        gas->forces = forces;
    }
    lay_out(gas, forces, (char *)forces);
    fill(gas, forces);
    return GYRE_OK;
}

void gy_gas_drop_forces(gyre_gas *gas)
{
    if (gas->forces) {
        gy_device_release(gas->model.device, gas->forces, gas->forces->bytes);
        gas->forces = NULL;
    }
}

// ---- at work

static bool acts(const gyre_gas_force *f)
{
    return f->enabled && f->amount > 0.0f;
}

bool gy_gas_is_driven(const gyre_gas *gas)
{
    bool driven = gas->called || (gas->forces && gy_gas_is_framed(gas->def));
    for (int i = 0; gas->forces && i < gas->forces->count; i++) {
        driven = driven || acts(&def_of(gas)[i]);
    }
    return driven;
}

double gy_gas_clock(const gyre_gas *gas)
{
    return gas->forces ? gas->forces->clock : 0.0;
}

void gy_gas_pass(gyre_gas *gas, double dt)
{
    if (gas->forces) {
        gas->forces->clock += dt;
    }
}

/// The faces across an axis that a force can touch.
static gy_box faces_of(const gyre_gas *gas, const gy_force *f, int axis)
{
    const gyre_grid *grid = &gas->grid;
    gyre_location location = gy_faces(axis);
    gy_box box = gy_gas_box(gas, location);
    box.high[0] = gy_gas_edge(gas, location, 0).samples;
    for (int a = 0; a < grid->dim && !f->everywhere; a++) {
        double more = 0.5 * (double)f->thick, h = (double)grid->h, from = (double)grid->origin[a];
        double low = (f->shape.low[a] - more - from) / h - 2.0,
               high = (f->shape.high[a] + more - from) / h + 3.0;
        int end = box.high[a];
        box.low[a] = low <= 0.0 ? 0 : low >= (double)end ? end : (int)low;
        box.high[a] = high <= 0.0 ? 0 : high >= (double)end ? end : (int)high;
    }
    return box;
}

static gy_drive_args drive_args(const gyre_gas *gas, const gy_force *f, int axis)
{
    const gy_gas_forces *forces = gas->forces;
    const gy_gas_called *called = gas->called;
    bool answered = called && f == &called->field;
    const float *more = answered                    ? called->arrays + axis * called->step
                        : f->form == GY_FORCE_WAVES ? forces->tables
                        : f->form == GY_FORCE_FIELD ? gy_gas_felt_push(gas, axis)
                                                    : NULL;
    const float *array = f->shape.kind == GYRE_SHAPE_VOLUME && !f->everywhere
                             ? gy_gas_array_of(gas, &f->shape.volume)
                             : NULL;
    gy_drive_args a = {.base = gas->base,
                       .force = (uint64_t)(uintptr_t)f,
                       .waves = (uint64_t)(uintptr_t)more,
                       .volume = (uint64_t)(uintptr_t)array,
                       .velocity = gas->slot[axis],
                       .level = gy_system_offset(&gas->pressure, 0),
                       .count = gas->count,
                       .axis = axis,
                       .extent = gas->extent,
                       .h = gas->grid.h,
                       .cap = gas->def->speed_cap};
    memcpy(a.origin, gas->grid.origin, sizeof a.origin);
    return a;
}

/// The volume of gas that a force covers, as the faces across an axis see it.
static double volume_of(const gyre_gas *gas, const gy_force *f, int axis)
{
    gy_drive_args a = drive_args(gas, f, axis);
    gy_grid_level g = gy_grid_level_at(gas->base, a.level);
    gy_box box = faces_of(gas, f, axis);
    double sum = 0.0, cell = 1.0;
    for (int q = 0; q < gas->extent.dim; q++) {
        cell *= (double)gas->grid.h;
    }
    for (int k = box.low[2]; k < box.high[2]; k++) {
        for (int j = box.low[1]; j < box.high[1]; j++) {
            for (int i = box.low[0]; i < box.high[0]; i++) {
                float cover = gy_drive_cover(&a, f, &g, i, j, k);
                int at = axis == 0 ? i : axis == 1 ? j : k;
                bool side = !(gas->periodic >> axis & 1u) && (at == 0 || at == g.l->n[axis]);
                // As the energy weighs them: see ops/energy.h.
                double open = cover > 0.0f ? (double)*gy_coefficient(&g, axis, i, j, k) : 0.0;
                sum += (double)cover * open * (side ? 0.25 : 1.0) / GY_UNIT;
            }
        }
    }
    return sum * cell;
}

void gy_gas_weigh_forces(gyre_gas *gas)
{
    gy_gas_forces *forces = gas->forces;
    if (!forces) {
        return;
    }
    forces->clock = gas->model.time;
    if (forces->weighed && forces->openness == gas->openness) {
        return;
    }
    for (int i = 0; i < forces->count; i++) {
        const gyre_gas_action *action = &def_of(gas)[i].action;
        gy_force *f = &forces->list[i];
        if (action->kind != GYRE_GAS_FAN || action->as.fan.thrust == 0.0f) {
            continue;
        }
        unit(action->as.fan.direction, gas->extent.dim, f->vector);
        for (int axis = 0; axis < gas->extent.dim; axis++) {
            double volume = f->vector[axis] != 0.0f ? volume_of(gas, f, axis) : 0.0;
            double push = volume > 0.0 ? (double)action->as.fan.thrust / volume : 0.0;
            push = push > 1e12 ? 1e12 : push < -1e12 ? -1e12 : push;
            f->vector[axis] = (float)((double)f->vector[axis] * push);
        }
        gy_device_put(gas->model.device, f, sizeof *f);
    }
    forces->weighed = true;
    forces->openness = gas->openness;
}

/// 1 - exp(-x), x >= 0, without what is lost where x is small.
static double fallen(double x)
{
    if (x < 0.05) {
        return x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))));
    }
    return 1.0 - (double)gy_expf(-(float)(x < 80.0 ? x : 80.0));
}

/// How much of a force is gained over a time, and of the velocity lost.
static void share_of(const gyre_gas_force *f, double dt, float *gain, float *drag)
{
    double amount = (double)f->amount * dt, gains = amount, drags = 0.0;
    switch ((gyre_gas_force_kind)f->action.kind) {
    case GYRE_GAS_WIND:
        gains = drags = fallen(amount * (double)f->action.as.wind.rate);
        break;
    case GYRE_GAS_VORTEX:
        drags = fallen(amount * (double)f->action.as.vortex.rate);
        gains = drags * (double)f->action.as.vortex.circulation / 6.283185307179586;
        break;
    case GYRE_GAS_ATTRACTOR:
        gains = amount * (double)f->action.as.attractor.strength;
        break;
    case GYRE_GAS_FAN:
    case GYRE_GAS_TURBULENCE:
    case GYRE_GAS_CONFINEMENT:
        break;
    }
    *gain = (float)(gains > 1e12 ? 1e12 : gains < -1e12 ? -1e12 : gains);
    *drag = (float)drags;
}

/// Runs drive for each axis, on faces that another force may touch.
static void run_where(gyre_gas *gas, const gy_force *f, const gy_force *where, float gain,
                      float drag)
{
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        gy_drive_args a = drive_args(gas, f, axis);
        gy_box box = faces_of(gas, where, axis);
        a.gain = gain;
        a.drag = drag;
        bool any = box.low[0] < box.high[0] && box.low[1] < box.high[1] && box.low[2] < box.high[2];
        if (any && (f->form != GY_FORCE_EVEN || f->vector[axis] != 0.0f || drag > 0.0f)) {
            gy_run(gas->model.device, GY_OP_drive, &a, box);
            gy_gas_count_capped(gas, gy_task_count(GY_OP_drive, box));
        }
    }
}

static void run(gyre_gas *gas, const gy_force *f, float gain, float drag)
{
    run_where(gas, f, f, gain, drag);
}

void gy_gas_add_felt(gyre_gas *gas, float gain)
{
    run(gas, &gas->forces->field, gain, 0.0f);
}

static void drive(gyre_gas *gas, const gyre_gas_force *def, const gy_force *f, float dt, bool back)
{
    float gain, drag;
    share_of(def, (double)dt, &gain, &drag);
    if (f->form == GY_FORCE_FIELD) {
        gy_gas_confine(gas, def, f, gain, back);
        // What the shape covers is counted already; beyond it stands what another has left.
        run_where(gas, &gas->forces->field, f, gain, drag);
        return;
    }
    run(gas, f, gain, drag);
}

static void drive_frame(gyre_gas *gas, float dt, bool back)
{
    if (gy_gas_is_framed(gas->def)) {
        gy_gas_feel_frame(gas, dt, back);
        gy_gas_add_felt(gas, dt);
    }
}

static void drive_all(gyre_gas *gas, float dt, double time, bool back)
{
    gy_gas_forces *forces = gas->forces;
    int turbulent = 0;
    if (back) {
        drive_frame(gas, dt, back);
    }
    for (int i = 0; i < forces->count; i++) {
        const gyre_gas_force *def = &def_of(gas)[i];
        if (is_turbulent(def)) {
            if (acts(def)) {
                turn_waves(gas, &forces->list[i], forces->waves + GY_WAVES * turbulent, time);
            }
            turbulent++;
        }
    }
    for (int q = 0; q < forces->count; q++) {
        int i = back ? forces->count - 1 - q : q;
        if (acts(&def_of(gas)[i])) {
            drive(gas, &def_of(gas)[i], &forces->list[i], dt, back);
        }
    }
    if (!back) {
        drive_frame(gas, dt, back);
    }
}

void gy_gas_drive(gyre_gas *gas, float dt, double time, bool back)
{
    if (gas->called && back) {
        run(gas, &gas->called->field, dt, 0.0f);
    }
    if (gas->forces) {
        drive_all(gas, dt, time, back);
    }
    if (gas->called && !back) {
        run(gas, &gas->called->field, dt, 0.0f);
    }
}
