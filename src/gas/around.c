// gas/around.c: what stands in the way of those who query a gas: cells without gas, faces that
// solids and sheets shut, sides that are periodic.
#include "gas/gas.h"
#include "ops/system/level.h"
#include "solve/faces.h"

enum { GROUP = 2 * GY_GROUP }; // cells that share a flag

static const gy_grid_level *level_of(const gy_around *around)
{
    return (const gy_grid_level *)(const void *)around->own;
}

gy_around gy_gas_around(const gyre_model *model)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    gy_around around = {.periodic = gas->periodic,
                        .walls = gy_gas_is_blocked(gas),
                        .beside = gas->links.view.link != 0};
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    _Static_assert(sizeof level <= sizeof around.own, "a level is looked up once");
    memcpy(around.own, &level, sizeof level);
    gy_face_bits faces;
    if (around.walls && gy_system_faces(&gas->pressure, &faces)) {
        around.fluid = faces.fluid;
        memcpy(around.open, faces.open, sizeof around.open);
        around.words = faces.words;
    }
    return around;
}

bool gy_gas_is_clear(const gyre_model *model, const gy_around *around, const gy_box *box)
{
    const gy_grid_level *g = level_of(around);
    bool clear = true;
    (void)model;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            const uint8_t *flags = gy_level_flags(g, j, k);
            for (int at = box->low[0] / GROUP; at <= (box->high[0] - 1) / GROUP; at++) {
                clear = clear && flags[at];
            }
        }
    }
    return clear;
}

void gy_gas_tell_cells(const gyre_model *model, const gy_around *around, int j, int k, int first,
                       int count, int32_t *holds)
{
    const gy_grid_level *g = level_of(around);
    const uint8_t *flags = gy_level_flags(g, j, k);
    (void)model;
    for (int i = 0; i < count; i++) {
        holds[i] = -(flags[(first + i) / GROUP] || gy_level_fluid(g, first + i, j, k));
    }
}

bool gy_gas_is_shut(const gyre_model *model, const gy_around *around, int axis, const int cell[3])
{
    const gy_grid_level *g = level_of(around);
    (void)model;
    return !gy_level_flags(g, cell[1], cell[2])[cell[0] / GROUP] &&
           *gy_coefficient(g, axis, cell[0], cell[1], cell[2]) == 0;
}
