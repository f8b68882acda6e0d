// plane/gas.c: in place of gas/cloud.c, fire.c, floor.c, grains.c, tracers.c: a gas without fire,
// atmosphere, floor and tracers. Checks refuse a def that asks for one; what is called of a gas
// that has none does nothing, as there.
#include "gas/gas.h"
#include "gas/cloud.h"
#include "gas/tracers.h"
#include "plane/plane.h"

// ---- fire, and what has no check of its own

gyre_result gy_gas_check_fire(const gyre_gas_def *def)
{
    if (def->fire.fuel[0]) {
        return gy_plane_lacks("fire (fire.fuel)");
    }
    if (def->tracers.capacity > 0) {
        return gy_plane_lacks("tracers (tracers.capacity)");
    }
    return def->floor ? gy_plane_lacks("floor that moves (floor)") : GYRE_OK;
}

bool gy_gas_burns(const gyre_gas_def *def)
{
    (void)def;
    return false;
}

bool gy_gas_expands(const gyre_gas *gas)
{
    (void)gas;
    return false;
}

void gy_gas_note_fire(gyre_field_info *field, const gyre_gas_def *def)
{
    (void)field;
    (void)def;
}

gyre_result gy_gas_require_fire(gyre_device *device)
{
    (void)device;
    return gy_plane_lacks("fire");
}

void gy_gas_burn(gyre_gas *gas, float dt, bool touched[GY_GAS_FIELDS])
{
    (void)gas;
    (void)dt;
    (void)touched;
}

double *gy_gas_burnt(const gyre_gas *gas)
{
    (void)gas;
    return NULL;
}

int gy_gas_burnt_count(const gyre_gas *gas)
{
    (void)gas;
    return 0;
}

// ---- an atmosphere

gyre_result gy_gas_check_atmosphere(const gyre_gas_def *def)
{
    return def->atmosphere.layered ? gy_plane_lacks("atmosphere (atmosphere.layered)") : GYRE_OK;
}

void gy_gas_note_cloud(gyre_field_info *field, const gyre_gas_def *def)
{
    (void)field;
    (void)def;
}

gyre_result gy_gas_require_cloud(gyre_device *device)
{
    (void)device;
    return gy_plane_lacks("atmosphere");
}

void gy_gas_plan_levels(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept)
{
    (void)gas;
    (void)def;
    (void)kept;
}

int gy_gas_turned_count(const gyre_gas_def *def, int scalars)
{
    (void)def;
    (void)scalars;
    return 0;
}

double *gy_gas_turned(const gyre_gas *gas)
{
    (void)gas;
    return NULL;
}

void gy_gas_condense(gyre_gas *gas, float dt)
{
    (void)gas;
    (void)dt;
}

void gy_gas_touch_cloud(const gyre_gas *gas, bool touched[GY_GAS_FIELDS])
{
    (void)gas;
    (void)touched;
}

bool gy_gas_gather_load(gyre_gas *gas, bool forced)
{
    (void)gas;
    (void)forced;
    return false;
}

void gy_gas_add_load(gyre_gas *gas, int axis, float pull)
{
    (void)gas;
    (void)axis;
    (void)pull;
}

void gy_gas_read_turned(const gyre_gas *gas, int field, double cell, gyre_gas_budget *budget)
{
    (void)gas;
    (void)field;
    (void)cell;
    (void)budget;
}

// ---- a floor

void gy_gas_plan_floor(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept)
{
    (void)gas;
    (void)def;
    (void)kept;
}

gyre_result gy_gas_require_floor(gyre_device *device)
{
    (void)device;
    return gy_plane_lacks("floor");
}

bool gy_gas_has_floor(const gyre_gas *gas)
{
    (void)gas;
    return false;
}

int gy_gas_put_floor(const gyre_gas *gas, gy_solid *solids, int count)
{
    (void)gas;
    (void)solids;
    return count;
}

double gy_gas_floor_rises(const gyre_gas *gas, const double point[3])
{
    (void)gas;
    (void)point;
    return 0.0;
}

bool gy_gas_floor_moves(const gyre_gas *gas)
{
    (void)gas;
    return false;
}

void gy_gas_rub_floor(gyre_gas *gas, float dt)
{
    (void)gas;
    (void)dt;
}

gyre_result gy_gas_take_floor(gyre_gas *gas, const gyre_gas_floor *floor)
{
    (void)gas;
    (void)floor;
    return gy_plane_lacks("floor");
}

void gy_gas_give_push(gyre_gas *gas, float *along[2])
{
    (void)gas;
    (void)along;
}

size_t gy_gas_floor_state(const gyre_gas *gas)
{
    (void)gas;
    return 0;
}

void gy_gas_copy_floor(gyre_gas *gas, char *bytes, bool out)
{
    (void)gas;
    (void)bytes;
    (void)out;
}

gyre_result gy_gas_meet_floor(gyre_gas *gas)
{
    (void)gas;
    return GYRE_OK;
}

void gy_gas_leave_floor(gyre_gas *gas)
{
    (void)gas;
}

// ---- tracers

size_t gy_gas_plan_tracers(gyre_gas *gas, const gyre_gas_def *def)
{
    (void)def;
    gas->model.particle_sets = 0;
    gas->model.particles = &gas->tracers;
    return 0;
}

void gy_gas_start_tracers(gyre_gas *gas)
{
    (void)gas;
}

void gy_gas_carry_tracers(gyre_gas *gas, float dt, const uint32_t wind[3])
{
    (void)gas;
    (void)dt;
    (void)wind;
}

void gy_gas_leave_tracers(gyre_gas *gas)
{
    (void)gas;
}

void gy_gas_end_tracers(gyre_gas *gas, double before)
{
    (void)gas;
    (void)before;
}

bool gy_gas_is_loaded(const gyre_gas *gas)
{
    (void)gas;
    return false;
}

void gy_gas_unload_grains(gyre_gas *gas)
{
    (void)gas;
}

void gy_gas_note_grains(gyre_gas *gas)
{
    (void)gas;
}
