// gas/flow.h: the parts of a step that keeps energy (gas/flow.c), in their order.
#ifndef GY_GAS_FLOW_H
#define GY_GAS_FLOW_H

#include "gas/gas.h"

/// After changes from outside: makes the velocities free of divergence. True: those before the last
/// step are the same from now on, which are not in past, for gy_gas_blow to know.
bool gy_gas_renew(gyre_gas *gas);
/// The velocities and those before the last step change places.
void gy_gas_swap_past(gyre_gas *gas);
/// dt over the step's before.
float gy_gas_ratio(const gyre_gas *gas, float dt);
/// past = the wind, `share` of a step ahead; of a thick gas in two parts, blow_on after diffusion.
/// anew: as gy_gas_renew says.
void gy_gas_blow(gyre_gas *gas, float share, bool thick, bool anew);
void gy_gas_blow_on(gyre_gas *gas, float share);
/// Gathers what gravity pulls at in predicted[0]; false: it pulls at nothing.
bool gy_gas_gather_force(gyre_gas *gas);
/// At Courant numbers above 1: forgets so much of the pressure that little energy can come back.
void gy_gas_tame(gyre_gas *gas, float dt, float share);
/// Before a first step: the pressure and the velocities before, as a frame makes them; false: there
/// is none.
bool gy_gas_start_frame(gyre_gas *gas, float dt);
/// What carrying may add to the squares of velocities where the gas expands, by its wind.
void gy_gas_dilate(gyre_gas *gas);
/// The velocities with half of the forces and `share` of the pressure; past = as they were.
void gy_gas_kick(gyre_gas *gas, float dt, float share, bool forced);
/// Before viscosity arrives: as much of the pressure again, that walls may hold what it pushes.
void gy_gas_lean(gyre_gas *gas, float share);
/// In the second half of a step: to = the velocities without the pressure that the last step has
/// shown.
void gy_gas_foresee(gyre_gas *gas, float dt, const uint32_t *to);
/// What correct has left of velocities, in so many pieces: the first, the last of them.
void gy_gas_note_carried(gyre_gas *gas, int tasks, bool first, bool last);
/// What stands in a file of mean velocities becomes sound.
void gy_gas_regain_means(gyre_gas *gas);
/// Scales the velocities where carrying has made energy, and puts their mean right.
void gy_gas_govern(gyre_gas *gas);
/// Bytes of what a step hands to the next one beside the velocities; copies it out or in.
size_t gy_gas_flow_bytes(const gyre_gas *gas);
void gy_gas_copy_flow(const gyre_gas *gas, char *bytes, bool out);
/// dt / h, bounded.
float gy_gas_pace(const gyre_gas *gas, float dt);
/// Notes the velocities' energy as they are.
void gy_gas_measure_work(gyre_gas *gas);
/// What a projection has done to it is work.
void gy_gas_note_pressed(gyre_gas *gas);
/// What divergence has left of the energy; first: before anything is done to the velocities.
void gy_gas_note_work(gyre_gas *gas, int tasks, bool first);
/// lag = share lag + what was solved for; not solved: 0.
void gy_gas_lag(gyre_gas *gas, float share, bool solved);

#endif
