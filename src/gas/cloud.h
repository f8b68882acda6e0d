// gas/cloud.h: surroundings that change with height, and clouds in them: see gas/cloud.c.
#ifndef GY_CLOUD_H
#define GY_CLOUD_H

#include "gas/flow.h"
#include "gas/gas.h"

gyre_result gy_gas_check_atmosphere(const gyre_gas_def *def);
/// Of a channel's field: whether it is one of a cloud's.
void gy_gas_note_cloud(gyre_field_info *field, const gyre_gas_def *def);
/// GYRE_ERROR_UNSUPPORTED: the device has no op for it.
gyre_result gy_gas_require_cloud(gyre_device *device);
/// Takes room for what is known of levels.
void gy_gas_plan_levels(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept);
/// How many doubles there are of `turned`, 0 without: of each scalar what it has won by turning
/// into another, then of rain what has come down, then of heat and of vapour what rising has won.
int gy_gas_turned_count(const gyre_gas_def *def, int scalars);
double *gy_gas_turned(const gyre_gas *gas);
/// Rises by the wind, condenses, rains over dt: after scalars are carried, before the kick, which
/// forgets the wind. `touched`: the fields that it changes, whose halos are still to be made.
void gy_gas_condense(gyre_gas *gas, float dt);
void gy_gas_touch_cloud(const gyre_gas *gas, bool touched[GY_GAS_FIELDS]);
/// Adds to what lifts (see gy_gas_gather_force) what vapour lifts and drops weigh; whether there is
/// any.
bool gy_gas_gather_load(gyre_gas *gas, bool forced);
/// The same as a force across an axis, `pull` being dt times gravity.
void gy_gas_add_load(gyre_gas *gas, int axis, float pull);
/// Puts a budget's members of it.
void gy_gas_read_turned(const gyre_gas *gas, int field, double cell, gyre_gas_budget *budget);

#endif
