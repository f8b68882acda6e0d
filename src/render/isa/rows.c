// render/isa/rows.c: the table of this instruction set.
#include "render/isa/rows.h"

#define STRING(x) #x
#define NAME(x) STRING(x)

const gy_rows GY_ROWS(gy_rows) = {
    .name = NAME(GY_ISA),
    .map_cut = GY_ROWS(gy_map_cut),
    .map_range = GY_ROWS(gy_map_range),
    .map_rows = GY_ROWS(gy_map_rows),
    .relief_row = GY_ROWS(gy_relief_row),
    .relief_blocks = GY_ROWS(gy_relief_blocks),
    .relief_texels = GY_ROWS(gy_relief_texels),
    .relief_shade = GY_ROWS(gy_relief_shade),
    .surface_tiles = GY_ROWS(gy_surface_tiles),
    .surface_finish = GY_ROWS(gy_surface_finish),
};
