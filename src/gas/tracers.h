// gas/tracers.h: the particles of a gas, without mass and with it.
#ifndef GY_GAS_TRACERS_H
#define GY_GAS_TRACERS_H

#include "gas/gas.h"

// tracers.c
/// Bytes that they take; 0: there are none.
size_t gy_gas_plan_tracers(gyre_gas *gas, const gyre_gas_def *def);
/// Those that the def begins with.
void gy_gas_start_tracers(gyre_gas *gas);
/// Along a wind whose halos are filled.
void gy_gas_carry_tracers(gyre_gas *gas, float dt, const uint32_t wind[3]);
/// The grid has moved: those that are outside are gone.
void gy_gas_leave_tracers(gyre_gas *gas);
/// At the end of a step that began at a time: takes those away that are gone, brings new ones.
void gy_gas_end_tracers(gyre_gas *gas, double before);

// grains.c: tracers with mass
/// Bytes that they take behind the set's.
size_t gy_gas_plan_grains(const gyre_gas *gas, const gyre_gas_def *def);
/// What they begin with.
void gy_gas_begin_grains(gyre_gas *gas);
bool gy_gas_has_grains(const gyre_gas *gas);
/// Solids have changed.
void gy_gas_note_grains(gyre_gas *gas);
/// As gy_gas_carry_tracers.
void gy_gas_carry_grains(gyre_gas *gas, float dt, const uint32_t wind[3]);
void gy_gas_end_grains(gyre_gas *gas);
/// Whether they push the gas back, and that: what the last substep's drag has given them goes.
bool gy_gas_is_loaded(const gyre_gas *gas);
void gy_gas_unload_grains(gyre_gas *gas);

#endif
