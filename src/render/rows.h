// render/rows.h: what of drawing is compiled once for each instruction set: see render/isa/.
#ifndef GY_RENDER_ROWS_H
#define GY_RENDER_ROWS_H

#include "render/render.h"

/// The tasks of gyre_device_parallel_for(), by instruction set.
typedef struct gy_rows {
    const char *name;
    gyre_task *map_cut;   // gy_map_cut: a row
    gyre_task *map_range; // gy_map_cut: one of GY_MAP_TASKS
    gyre_task *map_rows;  // gy_map_view: some rows
} gy_rows;

/// Those that the device's ops run on; the best of the machine where it runs none on processors.
const gy_rows *gy_rows_of(const gyre_device *device);

#endif
