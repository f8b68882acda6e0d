// gas/patches.h: patches of sides, and what they make of them.
#ifndef GY_GAS_PATCHES_H
#define GY_GAS_PATCHES_H

#include "gas/gas.h"

// patches.c: the faces of a side: the axes along it (in 2D the second one has one face), how many
// there are along an axis, and a face's middle in metres.
void gy_gas_axes_along(int side, int along[2]);
int gy_gas_faces_along(const gyre_grid *grid, int axis);
void gy_gas_face_place(const gyre_grid *grid, int side, int a, int b, double at[3]);
/// How many floats a plane of a side has, and where the one begins that says what of a component
/// of velocity is given next (sides.c); balances what is.
size_t gy_gas_plane_floats(const gyre_gas *gas, int side);
float *gy_gas_next_given(const gyre_gas *gas, int side, int component);
void gy_gas_balance_rims(gyre_gas *gas);
/// Whether a patch has a face; whether it opens what it has, or shuts it.
bool gy_gas_patch_has(const gyre_gas_patch *p, const gy_solid *shape, const gyre_grid *grid, int a,
                      int b);
bool gy_gas_patch_opens(const gyre_gas_def *def, const gyre_gas_patch *p);
bool gy_gas_patch_shuts(const gyre_gas_patch *p);
/// Finds the faces of windows; whether they are others than before. After a change of the def.
bool gy_gas_find_windows(gyre_gas *gas);
/// After painting: shuts the other faces of their sides.
void gy_gas_put_lids(gyre_gas *gas);
/// The rule of a side; of an open one with patches that of the walls that they are.
int gy_gas_side_rule(const gyre_gas *gas, int side);

#endif
