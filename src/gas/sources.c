// gas/sources.c: what enters the gas and what fades: emitters, callers' source fields, dissipation.
#include "base/maths.h"
#include "gas/cloud.h"
#include "gas/texture.h"
#include <string.h>

static float bounded(float x)
{
    return x > GY_GAS_LIMIT ? GY_GAS_LIMIT : x < -GY_GAS_LIMIT ? -GY_GAS_LIMIT : x;
}

void gy_gas_extend(gyre_gas *gas, int field)
{
    gy_gas_put_solid_velocity(gas, field);
    const gy_gas_list *list =
        field < gas->velocities ? &gas->extend_velocity[field] : &gas->extend_scalar;
    if (list->count == 0) {
        return;
    }
    gy_extend_args a = {.base = gas->base,
                        .list = (uint64_t)(uintptr_t)list->items,
                        .field = gy_gas_slot(gas, field),
                        .extent = gy_gas_extent(gas, field)};
    gy_run(gas->model.device, GY_OP_extend, &a, gy_box_make(list->count, 1, 1));
}

float gy_gas_limit(const gyre_gas *gas, int field)
{
    return field < gas->velocities ? gas->def->speed_cap : GY_GAS_LIMIT;
}

/// The samples that a shape can touch.
static gy_box shape_box(const gyre_gas *gas, const gyre_shape *shape, gyre_location location)
{
    const gyre_grid *grid = &gas->grid;
    gy_box box = gy_gas_box(gas, location);
    box.high[0] = gy_gas_edge(gas, location, 0).samples;
    float low[3], high[3];
    gyre_shape_bounds(shape, grid->dim, low, high);
    for (int a = 0; a < grid->dim; a++) {
        float l = (low[a] - grid->origin[a]) / grid->h - 2.0f;
        float h = (high[a] - grid->origin[a]) / grid->h + 3.0f;
        int end = box.high[a];
        box.low[a] = l <= 0.0f ? 0 : l >= (float)end ? end : (int)l;
        box.high[a] = h <= 0.0f ? 0 : h >= (float)end ? end : (int)h;
    }
    return box;
}

static void emit(gyre_gas *gas, int index, int field, float amount, bool hold, float dt)
{
    const gyre_gas_emitter *e = (const gyre_gas_emitter *)gas->def->emitters.items + index;
    gyre_location location = gas->fields[field].location;
    const float *array =
        e->shape.kind == GYRE_SHAPE_VOLUME ? gy_gas_array_of(gas, &e->shape.as.volume.data) : NULL;
    gy_emit_args a = {.base = gas->base,
                      .shape = (uint64_t)(uintptr_t)&gas->emitters[index],
                      .volume = (uint64_t)(uintptr_t)array,
                      .field = gas->slot[field],
                      .location = (int32_t)location,
                      .extent = gy_gas_extent(gas, field),
                      .h = gas->grid.h,
                      .hold = hold,
                      .limit = gy_gas_limit(gas, field),
                      .level = gy_system_offset(&gas->pressure, 0)};
    memcpy(a.origin, gas->grid.origin, sizeof a.origin);
    a.amount = bounded(hold ? amount : amount * dt);
    gy_box box = shape_box(gas, &e->shape, location);
    if (e->noise > 0.0f) {
        float low[3], high[3], size = 1e30f;
        gyre_shape_bounds(&e->shape, gas->extent.dim, low, high);
        for (int d = 0; d < gas->extent.dim; d++) {
            size = GY_MIN(size, high[d] - low[d]);
        }
        a.noise = e->noise;
        a.noise_size = size < 1e6f ? 0.25f * size : 8.0f * a.h;
        a.noise_size = GY_MAX(a.noise_size, 2.0f * a.h);
        // By name where there is one, so that the others coming and going changes nothing.
        uint64_t which = e->name[0] ? gy_hash(e->name, strlen(e->name), 0) : (uint64_t)index;
        a.seed = (uint32_t)gas->def->seed * 2654435761u + (uint32_t)which;
        // A fresh pattern every tenth of a second.
        double phase = gas->model.time * 10.0;
        a.phase = phase < 1e6 ? (float)phase : 1e6f;
    }
    gy_gas_enter_sum(gas, field, GY_GAS_EMITTED, box, -1.0);
    gy_run(gas->model.device, GY_OP_emit, &a, box);
    gy_gas_enter_sum(gas, field, GY_GAS_EMITTED, box, 1.0);
}

/// Whether an emitter gives of a scalar by the members that it always has; of a channel by one.
static bool gives(const gyre_gas *gas, const gyre_gas_emitter *e, int field, float *amount)
{
    int s = field - gas->velocities;
    *amount = s < GY_GAS_OWN
                  ? *(const float *)(const void *)((const char *)e + gy_gas_own[s].amount)
                  : e->channel_amount;
    return s < GY_GAS_OWN || (e->channel[0] && strcmp(gas->fields[field].name, e->channel) == 0);
}

/// What it gives of a scalar by the field's name; NULL: nothing.
static const float *gives_by_name(const gyre_gas *gas, const gyre_gas_emitter *e, int field)
{
    for (int i = 0; i < GYRE_GAS_FEEDS && e->feeds[i].name[0]; i++) {
        if (strcmp(gas->fields[field].name, e->feeds[i].name) == 0) {
            return &e->feeds[i].amount;
        }
    }
    return NULL;
}

static void emit_all(gyre_gas *gas, float dt, bool touched[GY_GAS_FIELDS])
{
    const gyre_gas_emitter *list = gas->def->emitters.items;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        const gyre_gas_emitter *e = &list[i];
        bool hold = e->mode == GYRE_GAS_EMIT_SET;
        for (int f = gas->velocities; f < gas->states && e->enabled; f++) {
            float amount;
            bool given = gives(gas, e, f, &amount);
            const float *more = gives_by_name(gas, e, f);
            if (more) {
                amount = given && !hold ? amount + *more : *more;
            }
            if (hold ? given || more : (given || more) && amount != 0.0f) {
                emit(gas, i, f, amount, hold, dt);
                touched[f] = true;
            }
        }
    }
}

bool gy_gas_is_pushed(const gyre_gas *gas)
{
    const gyre_gas_emitter *list = gas->def->emitters.items;
    bool pushed = false;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        pushed = pushed || (list[i].enabled && list[i].push);
    }
    return pushed;
}

static void push_all(gyre_gas *gas, float dt, bool touched[GY_GAS_FIELDS])
{
    const gyre_gas_emitter *list = gas->def->emitters.items;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        for (int a = 0; a < gas->velocities && list[i].enabled && list[i].push; a++) {
            emit(gas, i, a, list[i].velocity[a], true, dt);
            touched[a] = true;
        }
    }
}

static void add_field(gyre_gas *gas, int field, float dt)
{
    int n[3];
    gyre_location location = gas->fields[field].location;
    gyre_grid_samples(&gas->grid, location, n);
    const float *rate = gas->rates[field] ? gas->rates[field] : gas->sources[field];
    gy_source_args a = {.base = gas->base,
                        .rate = (uint64_t)(uintptr_t)rate,
                        .field = gas->slot[field],
                        .samples = {n[0], n[1]},
                        .dt = dt,
                        .limit = gy_gas_limit(gas, field),
                        .location = (int32_t)location,
                        .level = gy_system_offset(&gas->pressure, 0),
                        .extent = gy_gas_extent(gas, field)};
    gy_box box = gy_gas_box(gas, location);
    box.high[0] = gy_gas_edge(gas, location, 0).samples;
    gy_gas_enter_sum(gas, field, GY_GAS_ADDED, box, -1.0);
    gy_run(gas->model.device, GY_OP_source, &a, box);
    gy_gas_enter_sum(gas, field, GY_GAS_ADDED, box, 1.0);
}

/// What fades, in all cells alike.
static void fade_all(gyre_gas *gas, float dt, bool touched[GY_GAS_FIELDS])
{
    for (int f = gas->velocities; f < gas->states; f++) {
        float rate = gy_gas_scalar_def(gas->def, f - gas->velocities).dissipation;
        if (rate > 0.0f) {
            gy_decay_args a = {.base = gas->base,
                               .field = gas->slot[f],
                               .extent = gy_gas_extent(gas, f),
                               .factor = gy_expf(-bounded(rate * dt)),
                               .level = gy_gas_is_blocked(gas) ? gy_system_offset(&gas->pressure, 0)
                                                               : 0};
            a.partial = gy_gas_counts(gas, f) ? gas->pressure.partial : 0;
            gy_box box = gy_gas_box(gas, GYRE_CENTRE);
            gy_run(gas->model.device, GY_OP_decay, &a, box);
            if (a.partial) {
                gy_gas_enter(gas, f, GY_GAS_FADED, gy_task_count(GY_OP_decay, box), 1.0);
            }
            touched[f] = true;
        }
    }
}

void gy_gas_add_sources(gyre_gas *gas, float dt, int which)
{
    bool touched[GY_GAS_FIELDS] = {false}, amounts = which & GY_GAS_AMOUNTS;
    if (amounts) {
        fade_all(gas, dt, touched);
        emit_all(gas, dt, touched);
        gy_gas_burn(gas, dt, touched);
        gy_gas_touch_cloud(gas, touched);
    }
    if (which & GY_GAS_PUSHES) {
        push_all(gas, dt, touched);
    }
    for (int f = 0; f < gas->states; f++) {
        if (amounts && gas->sources[f]) {
            add_field(gas, f, dt);
            touched[f] = true;
        }
        if (amounts && f >= gas->velocities && gy_gas_is_fed_by_walls(gas, f)) {
            gy_gas_give_walls(gas, f, dt);
            touched[f] = true;
        }
        if (touched[f] && f >= gas->velocities) {
            gy_gas_extend(gas, f);
        }
    }
    for (int f = 0, end; f < gas->states; f = end) {
        for (end = f + 1; end < gas->states && touched[end] == touched[f];) {
            end++;
        }
        if (touched[f]) {
            gy_gas_halo(gas, f, end - f, false, true);
        }
    }
}

gyre_result gy_gas_splat(gyre_model *model, int field, const float centre[3], float radius,
                         float amount)
{
    gyre_gas *gas = (gyre_gas *)model;
    const gyre_grid *grid = &gas->grid;
    gyre_location location = gas->model.fields[field].location;
    gy_splat_args a = {.base = gas->base,
                       .field = gy_gas_slot(gas, field),
                       .location = (int32_t)location,
                       .extent = gy_gas_extent(gas, field),
                       .radius = bounded(radius / grid->h),
                       .amount = amount,
                       .limit = gy_gas_limit(gas, field),
                       .level = gy_system_offset(&gas->pressure, 0)};
    float first[3];
    gyre_shape ball = {.kind = GYRE_SHAPE_SPHERE};
    gyre_grid_position(grid, location, 0, 0, 0, first);
    for (int d = 0; d < grid->dim; d++) {
        a.centre[d] = bounded((centre[d] - first[d]) / grid->h);
        ball.as.sphere.centre[d] = centre[d];
    }
    // The radius squared must not overflow; beyond this the whole grid is inside alike.
    a.radius = GY_MIN(a.radius, 1e15f);
    ball.as.sphere.radius = radius;
    gy_box box = shape_box(gas, &ball, location);
    gy_gas_enter_sum(gas, field, GY_GAS_ADDED, box, -1.0);
    gy_run(gas->model.device, GY_OP_splat, &a, box);
    gy_gas_enter_sum(gas, field, GY_GAS_ADDED, box, 1.0);
    if (field >= gas->velocities) {
        gy_gas_extend(gas, field);
    }
    gy_gas_halo(gas, gy_gas_listed(gas, field), 1, false, true);
    gas->kept.loose |= location != GYRE_CENTRE;
    gas->stats_fresh = gas->kept_divergence = gas->speed_fresh = false;
    gy_gas_touch(gas, field < gas->velocities ? GY_GAS_TOUCHED : GY_GAS_GOES_ON);
    return GYRE_OK;
}
