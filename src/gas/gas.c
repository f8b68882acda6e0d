// gas/gas.c: the typed verbs of include/gyre/gas.h, and the gas as a model among others.
#include "gas/texture.h"
#include "grid/table.h"

#define STAT(...) GYRE_PROPERTY_STAT(gyre_gas_stats, __VA_ARGS__)
static const gyre_property stats_properties[] = {
    STAT(step, "1", "steps taken"),
    STAT(time, "s", "simulated"),
    STAT(dt, "s", "of the step"),
    STAT(substeps, "1", "it was split into"),
    STAT(max_speed, "m/s", "largest component"),
    STAT(courant, "1", "Courant number of a substep"),
    GYRE_PROPERTY_STAT_ENUM(gyre_gas_stats, solver, gyre_solver_names,
                            "of the pressure, as chosen"),
    STAT(cycles, "1", "of the pressure solver"),
    STAT(residual, "1", "relative, of the pressure"),
    STAT(div_rms_before, "1/s", "divergence before the projection"),
    STAT(div_rms_after, "1/s", "divergence after it"),
    STAT(div_max_after, "1/s", "largest divergence after it"),
    STAT(kinetic_energy, "m^5/s^2", "half the square of velocity, integrated"),
    STAT(capped, "1", "velocities cut to the cap"),
    STAT(governed, "1", "steps held back from making energy, so far"),
    STAT(gained, "1", "steps that gained energy without work, so far"),
    STAT(gained_time, "s", "of the first of those"),
    STAT(bounded_energy, "m^5/s^2", "kinetic and the lagged pressure's half, as the step began"),
    STAT(tracers, "1", "that the gas carries"),
    STAT(tracers_lost, "1", "that are gone, so far"),
    STAT(tracers_refused, "1", "that found no room or no place, so far"),
    STAT(squeezed, "m^3/s", "what moving solids take from the gas"),
    STAT(unbalanced, "m^3/s", "that could not come into a room, for want of an open side"),
    STAT(missed, "1", "solids and sheets too small for the grid to see"),
    STAT(pent_up, "1", "volume that fire's heat has not got; in a closed box: pressure"),
    GYRE_PROPERTY_END,
};

const gy_model_type gy_gas_type = {
    .name = "gas",
    .properties = gyre_gas_properties,
    .def_size = sizeof(gyre_gas_def),
    .stats = stats_properties,
    .default_def = gy_gas_default,
    .size = gy_gas_bytes,
    .create = gy_gas_make,
    .destroy = gy_gas_unmake,
    .step = gy_gas_step,
    .window = gy_gas_window,
    .probe_beside = gy_gas_probe_beside,
    .around = gy_gas_around,
    .clear = gy_gas_is_clear,
    .holds = gy_gas_tell_cells,
    .shut = gy_gas_is_shut,
    .fetch = gy_gas_fetch,
    .place = gy_gas_place,
    .floats = gy_gas_floats,
    .derive = gy_gas_derive,
    .derives = gy_gas_derives,
    .written = gy_gas_written,
    .changed = gy_gas_changed,
    .waits = gy_gas_waits,
    .misses = gy_gas_misses,
    .use_bodies = gy_gas_use_bodies,
    .meet_bodies = gy_gas_meet_bodies,
    .check = gy_gas_check,
    .sheet_count = gy_gas_sheet_count,
    .sheet = gy_gas_sheet_mesh,
    .splat = gy_gas_splat,
    .total = gy_gas_total,
    .shift = gy_gas_shift,
    .get_stats = gy_gas_get_stats,
    .keep = gy_gas_keep,
    .regain = gy_gas_regain,
    .copy_more = gy_gas_copy_more,
    .texture = gy_gas_tell_texture,
};

static gyre_model *model_of(gyre_gas *gas)
{
    return gas ? &gas->model : NULL;
}

static const gyre_model *const_model_of(const gyre_gas *gas)
{
    return gas ? &gas->model : NULL;
}

gyre_model *gyre_gas_model(gyre_gas *gas)
{
    return GY_MISSING("model", gas) ? NULL : &gas->model;
}

size_t gyre_gas_size(const gyre_gas_def *def)
{
    return GY_MISSING("size", def) ? 0 : gy_gas_bytes(def);
}

gyre_result gyre_gas_create(gyre_device *device, const gyre_gas_def *def, gyre_gas **gas)
{
    gyre_model *model = NULL;
    if (GY_MISSING("create", gas)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_model_create(&gy_gas_type, device, def, &model);
    *gas = (gyre_gas *)model;
    return r;
}

void gyre_gas_destroy(gyre_gas *gas)
{
    gyre_model_destroy(model_of(gas));
}

gyre_result gyre_gas_step(gyre_gas *gas, float dt)
{
    return gyre_model_step(model_of(gas), dt);
}

gyre_result gyre_gas_set(gyre_gas *gas, const char *path, gyre_value value)
{
    return gyre_model_set(model_of(gas), path, &value);
}

gyre_result gyre_gas_get(const gyre_gas *gas, const char *path, gyre_value *value)
{
    return gyre_model_get(const_model_of(gas), path, value);
}

gyre_id gyre_gas_add_emitter(gyre_gas *gas, const gyre_gas_emitter *emitter)
{
    return gyre_model_add(model_of(gas), "emitters", emitter);
}

gyre_id gyre_gas_add_solid(gyre_gas *gas, const gyre_gas_solid *solid)
{
    return gyre_model_add(model_of(gas), "solids", solid);
}

gyre_id gyre_gas_add_force(gyre_gas *gas, const gyre_gas_force *force)
{
    return gyre_model_add(model_of(gas), "forces", force);
}

gyre_result gyre_gas_update_force(gyre_gas *gas, gyre_id id, const gyre_gas_force *force)
{
    return gy_model_update_in(model_of(gas), "forces", id, force);
}

gyre_result gyre_gas_read_force(const gyre_gas *gas, gyre_id id, gyre_gas_force *force)
{
    return gy_model_read_in(const_model_of(gas), "forces", id, force);
}

gyre_result gyre_gas_update_emitter(gyre_gas *gas, gyre_id id, const gyre_gas_emitter *emitter)
{
    return gy_model_update_in(model_of(gas), "emitters", id, emitter);
}

gyre_result gyre_gas_update_solid(gyre_gas *gas, gyre_id id, const gyre_gas_solid *solid)
{
    return gy_model_update_in(model_of(gas), "solids", id, solid);
}

gyre_result gyre_gas_read_emitter(const gyre_gas *gas, gyre_id id, gyre_gas_emitter *emitter)
{
    return gy_model_read_in(const_model_of(gas), "emitters", id, emitter);
}

gyre_result gyre_gas_read_solid(const gyre_gas *gas, gyre_id id, gyre_gas_solid *solid)
{
    return gy_model_read_in(const_model_of(gas), "solids", id, solid);
}

gyre_id gyre_gas_add_patch(gyre_gas *gas, const gyre_gas_patch *patch)
{
    return gyre_model_add(model_of(gas), "patches", patch);
}

gyre_result gyre_gas_update_patch(gyre_gas *gas, gyre_id id, const gyre_gas_patch *patch)
{
    return gy_model_update_in(model_of(gas), "patches", id, patch);
}

gyre_result gyre_gas_read_patch(const gyre_gas *gas, gyre_id id, gyre_gas_patch *patch)
{
    return gy_model_read_in(const_model_of(gas), "patches", id, patch);
}

gyre_id gyre_gas_add_sheet(gyre_gas *gas, const gyre_gas_sheet *sheet)
{
    return gyre_model_add(model_of(gas), "sheets", sheet);
}

gyre_result gyre_gas_update_sheet(gyre_gas *gas, gyre_id id, const gyre_gas_sheet *sheet)
{
    return gy_model_update_in(model_of(gas), "sheets", id, sheet);
}

gyre_result gyre_gas_read_sheet(const gyre_gas *gas, gyre_id id, gyre_gas_sheet *sheet)
{
    return gy_model_read_in(const_model_of(gas), "sheets", id, sheet);
}

gyre_result gyre_gas_remove(gyre_gas *gas, gyre_id id)
{
    return gyre_model_remove(model_of(gas), id);
}

gyre_result gyre_gas_splat(gyre_gas *gas, int field, const float centre[3], float radius,
                           float amount)
{
    return gyre_model_splat(model_of(gas), field, centre, radius, amount);
}

gyre_result gyre_gas_set_source(gyre_gas *gas, int field, const float *rate)
{
    if (GY_MISSING("set_source", gas) ||
        gy_model_check_field("set_source", &gas->model, field) != GYRE_OK) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (field >= gas->states) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         gy_gas_is_texture(gas, field)
                             ? "set_source: %s flows with the gas, and has no source"
                             : "set_source: %s is derived from other fields",
                         gas->model.fields[field].name);
    }
    gy_device_enter(gas->model.device);
    gyre_result r = gy_gas_take_source(gas, field, rate);
    gy_device_leave(gas->model.device);
    return r;
}

gyre_result gyre_gas_set_floor(gyre_gas *gas, const gyre_gas_floor *floor)
{
    if (GY_MISSING("set_floor", gas)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(&gas->model, "set_floor") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(gas->model.device);
    gyre_result r = gy_gas_take_floor(gas, floor);
    gy_device_leave(gas->model.device);
    return r;
}

gyre_result gyre_gas_take_push(gyre_gas *gas, float *x, float *y)
{
    if (GY_MISSING("take_push", gas) || GY_MISSING("take_push", x)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(&gas->model, "take_push") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(gas->model.device);
    gy_gas_give_push(gas, (float *[2]){x, y});
    gy_device_leave(gas->model.device);
    return GYRE_OK;
}

gyre_result gyre_gas_probe(const gyre_gas *gas, int field, const float *points, int count,
                           float *values)
{
    return gyre_model_probe(const_model_of(gas), field, points, count, values);
}

const gyre_field_info *gyre_gas_fields(const gyre_gas *gas, int *count)
{
    return gyre_model_fields(const_model_of(gas), count);
}

int gyre_gas_field(const gyre_gas *gas, const char *name)
{
    return gyre_model_field(const_model_of(gas), name);
}

gyre_result gyre_gas_map(gyre_gas *gas, int field, gyre_access access, gyre_field_view *view)
{
    return gyre_model_map(model_of(gas), field, access, view);
}

gyre_result gyre_gas_unmap(gyre_gas *gas, int field)
{
    return gyre_model_unmap(model_of(gas), field);
}

void gyre_gas_read_stats(gyre_gas *gas, gyre_gas_stats *stats, size_t size)
{
    const void *own = NULL;
    static const gyre_gas_stats none;
    if (GY_MISSING("gas_read_stats", stats)) {
        return;
    }
    gyre_model_stats(model_of(gas), &own);
    gy_copy_sized(stats, size, own ? own : &none, sizeof none);
}

uint64_t gyre_gas_hash(const gyre_gas *gas)
{
    return gyre_model_hash(const_model_of(gas));
}

size_t gyre_gas_save_size(const gyre_gas *gas)
{
    return gyre_model_save_size(const_model_of(gas));
}

gyre_result gyre_gas_save(const gyre_gas *gas, void *memory, size_t size, size_t *written)
{
    return gyre_model_save(const_model_of(gas), memory, size, written);
}

gyre_result gyre_gas_load(gyre_gas *gas, const void *memory, size_t size)
{
    return gyre_model_load(model_of(gas), memory, size);
}
