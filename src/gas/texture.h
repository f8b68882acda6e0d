// gas/texture.h: the coordinates of a texture that a gas carries: see gas/texture.c.
#ifndef GY_GAS_TEXTURE_H
#define GY_GAS_TEXTURE_H

#include "gas/gas.h"

enum { GY_GAS_TEXTURES = 3 * GYRE_TEXTURE_PHASES }; // fields at most

/// Of a gas that carries one. It lies in front of the arena, behind the rest.
struct gy_gas_texture {
    gyre_field_info fields[GY_GAS_FIELDS + GY_GAS_TEXTURES]; // the model's table: the gas's first
    char names[GY_GAS_TEXTURES][24];
    uint32_t slot[GY_GAS_TEXTURES];
    int first; // of the model's fields
    int count;
};

/// Fields that a def asks for.
int gy_gas_texture_count(const gyre_gas_def *def);
/// Bytes of a gy_gas_texture where a def asks for one, else 0.
size_t gy_gas_texture_bytes(const gyre_gas_def *def);
/// Whether the device has what they go through.
gyre_result gy_gas_require_texture(gyre_device *device);
/// Puts its fields behind the gas's own.
void gy_gas_list_textures(gyre_gas *gas, const gyre_gas_def *def);
/// Every phase begins where the gas is.
void gy_gas_begin_textures(gyre_gas *gas);

GY_INLINE bool gy_gas_is_texture(const gyre_gas *gas, int field)
{
    return gas->texture && field >= gas->texture->first;
}
/// Where sample (0, 0, 0) of a field of the state is.
GY_INLINE uint32_t gy_gas_slot(const gyre_gas *gas, int field)
{
    return gy_gas_is_texture(gas, field) ? gas->texture->slot[field - gas->texture->first]
                                         : gas->slot[field];
}
/// A field of the state in the list that ops look into.
GY_INLINE int gy_gas_listed(const gyre_gas *gas, int field)
{
    return gy_gas_is_texture(gas, field)
               ? gas->states + 2 * gas->extent.dim + (field - gas->texture->first)
               : field;
}
/// What lies beyond its ends: it goes on as it is.
gy_edge gy_gas_texture_edge(const gyre_gas *gas, int axis);

/// Carries all phases along the displacements that a trace has left over dt; wind: the velocities
/// by which gas comes in through sides.
void gy_gas_carry_textures(gyre_gas *gas, float dt, const uint32_t *wind);
/// At the end of a step that began at a time: phases whose time is over begin anew.
void gy_gas_renew_textures(gyre_gas *gas, double before);
/// For gyre_model_texture().
void gy_gas_tell_texture(const gyre_model *model, gyre_texture *texture);

#endif
