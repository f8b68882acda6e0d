// render/isa/rows.c: the table of this instruction set.
#include "render/isa/rows.h"

#define STRING(x) #x
#define NAME(x) STRING(x)

const gy_drawers GY_DRAWN(gy_drawers) = {
    .name = NAME(GY_ISA),
    .map_cut = GY_DRAWN(gy_map_cut),
    .map_range = GY_DRAWN(gy_map_range),
    .map_rows = GY_DRAWN(gy_map_rows),
    .relief_row = GY_DRAWN(gy_relief_row),
    .relief_blocks = GY_DRAWN(gy_relief_blocks),
    .relief_texels = GY_DRAWN(gy_relief_texels),
    .relief_shade = GY_DRAWN(gy_relief_shade),
    .relief_hits = GY_DRAWN(gy_relief_hits),
    .march_hits = GY_DRAWN(gy_march_hits),
    .march_row = GY_DRAWN(gy_march_row),
    .floor_row = GY_DRAWN(gy_floor_row),
    .sweep_row = GY_DRAWN(gy_sweep_row),
    .sky_coarsen = GY_DRAWN(gy_sky_coarsen),
    .sky_sweep = GY_DRAWN(gy_sky_sweep),
    .sky_gather = GY_DRAWN(gy_sky_gather),
    .sky_spread = GY_DRAWN(gy_sky_spread),
    .caustic_beams = GY_DRAWN(gy_caustic_beams),
    .caustic_rows = GY_DRAWN(gy_caustic_rows),
    .surface_tiles = GY_DRAWN(gy_surface_tiles),
    .surface_finish = GY_DRAWN(gy_surface_finish),
    .compose_tiles = GY_DRAWN(gy_compose_tiles),
    .compose_finish = GY_DRAWN(gy_compose_finish),
};
