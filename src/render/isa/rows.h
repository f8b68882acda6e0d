// render/isa/rows.h: names of what is compiled for GY_ISA.
#ifndef GY_RENDER_ISA_ROWS_H
#define GY_RENDER_ISA_ROWS_H

#include "render/rows.h"

#define GY_DRAWN_JOIN(name, isa) name##_##isa
#define GY_DRAWN_NAME(name, isa) GY_DRAWN_JOIN(name, isa)
/// The name of a function or table of this instruction set.
#define GY_DRAWN(name) GY_DRAWN_NAME(name, GY_ISA)

extern const gy_drawers GY_DRAWN(gy_drawers);
void GY_DRAWN(gy_map_cut)(void *cut, int y);
void GY_DRAWN(gy_map_range)(void *cut, int task);
void GY_DRAWN(gy_map_rows)(void *view, int task);
void GY_DRAWN(gy_relief_row)(void *argument, int task);
void GY_DRAWN(gy_relief_blocks)(void *argument, int task);
void GY_DRAWN(gy_relief_texels)(void *argument, int task);
void GY_DRAWN(gy_relief_shade)(void *argument, int task);
void GY_DRAWN(gy_relief_hits)(void *argument, int task);
void GY_DRAWN(gy_march_hits)(void *argument, int task);
void GY_DRAWN(gy_march_row)(void *argument, int task);
void GY_DRAWN(gy_floor_row)(void *argument, int task);
void GY_DRAWN(gy_sweep_row)(void *argument, int task);
void GY_DRAWN(gy_sky_coarsen)(void *argument, int task);
void GY_DRAWN(gy_sky_sweep)(void *argument, int task);
void GY_DRAWN(gy_sky_gather)(void *argument, int task);
void GY_DRAWN(gy_sky_spread)(void *argument, int task);
void GY_DRAWN(gy_caustic_beams)(void *argument, int task);
void GY_DRAWN(gy_caustic_rows)(void *argument, int task);
void GY_DRAWN(gy_surface_tiles)(void *argument, int task);
void GY_DRAWN(gy_surface_finish)(void *argument, int task);
void GY_DRAWN(gy_compose_tiles)(void *argument, int task);
void GY_DRAWN(gy_compose_finish)(void *argument, int task);
// Parts of a composed picture, for its tasks: see render/compose.h.
void GY_DRAWN(gy_surface_rays)(void *look, int task);
void GY_DRAWN(gy_march_behind)(void *look, int task);
void GY_DRAWN(gy_march_solids)(void *look, int task);
void GY_DRAWN(gy_march_smoke)(void *look, int task);

#endif
