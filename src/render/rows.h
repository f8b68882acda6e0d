// render/rows.h: what of drawing is compiled once for each instruction set: see render/isa/.
#ifndef GY_RENDER_ROWS_H
#define GY_RENDER_ROWS_H

#include "render/render.h"

/// The tasks of gyre_device_parallel_for(), by instruction set.
typedef struct gy_drawers {
    const char *name;
    gyre_task *map_cut;        // gy_map_cut: a row
    gyre_task *map_range;      // gy_map_cut: one of GY_MAP_TASKS
    gyre_task *map_rows;       // gy_map_view: some rows
    gyre_task *relief_row;     // gy_relief_job: a row of corners
    gyre_task *relief_blocks;  // the same: a row of blocks
    gyre_task *relief_texels;  // the same: a row of texels
    gyre_task *relief_shade;   // gy_relief: all of it
    gyre_task *relief_hits;    // gy_relief_rays
    gyre_task *march_hits;     // gy_march_view: a row of pixels
    gyre_task *march_row;      // the same
    gyre_task *floor_row;      // gy_volume: a row of the floor
    gyre_task *sweep_row;      // gy_sweep: a row of its plane
    gyre_task *sky_coarsen;    // gy_skies: a plane
    gyre_task *sky_sweep;      // the same: a direction
    gyre_task *sky_gather;     // the same: a plane
    gyre_task *sky_spread;     // the same: a plane of the volume
    gyre_task *caustic_beams;  // gy_caustics: a row of corners
    gyre_task *caustic_rows;   // the same: rows of a map
    gyre_task *surface_tiles;  // gy_surface: a row of tiles
    gyre_task *surface_finish; // the same: rows of pixels
    gyre_task *compose_tiles;  // gy_composed: a row of tiles
    gyre_task *compose_finish; // the same: a row of pixels
} gy_drawers;

/// Those that the device's ops run on; the best of the machine where it runs none on processors.
const gy_drawers *gy_drawers_of(const gyre_device *device);

#endif
