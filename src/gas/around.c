// gas/around.c: what stands in the way of those who query a gas: cells without gas, faces that
// solids and sheets shut, sides that are periodic.
#include "gas/gas.h"
#include "ops/system/level.h"

gy_around gy_gas_around(const gyre_model *model)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    return (gy_around){.periodic = gas->periodic,
                       .walls = gy_gas_is_blocked(gas),
                       .beside = gas->links.view.link != 0};
}

bool gy_gas_partly(const gyre_model *model, int j, int k, int first, int count, bool *holds)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    const uint8_t *flags = gy_level_flags(&g, j, k);
    const int group = 2 * GY_GROUP;
    bool all = true;
    for (int at = first / group; at <= (first + count - 1) / group && all; at++) {
        all = flags[at];
    }
    for (int i = 0; i < count && !all; i++) {
        holds[i] = flags[(first + i) / group] || gy_level_fluid(&g, first + i, j, k);
    }
    return !all;
}

bool gy_gas_is_shut(const gyre_model *model, int axis, const int cell[3])
{
    const gyre_gas *gas = (const gyre_gas *)model;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    return *gy_coefficient(&g, axis, cell[0], cell[1], cell[2]) == 0;
}
