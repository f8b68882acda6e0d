// render/isa/rows.h: names of what is compiled for GY_ISA.
#ifndef GY_RENDER_ISA_ROWS_H
#define GY_RENDER_ISA_ROWS_H

#include "render/rows.h"

#define GY_ROWS_JOIN(name, isa) name##_##isa
#define GY_ROWS_NAME(name, isa) GY_ROWS_JOIN(name, isa)
/// The name of a function or table of this instruction set.
#define GY_ROWS(name) GY_ROWS_NAME(name, GY_ISA)

extern const gy_rows GY_ROWS(gy_rows);
void GY_ROWS(gy_map_cut)(void *cut, int y);
void GY_ROWS(gy_map_range)(void *cut, int task);
void GY_ROWS(gy_map_rows)(void *view, int task);
void GY_ROWS(gy_relief_row)(void *argument, int task);
void GY_ROWS(gy_relief_blocks)(void *argument, int task);
void GY_ROWS(gy_relief_texels)(void *argument, int task);
void GY_ROWS(gy_relief_shade)(void *argument, int task);
void GY_ROWS(gy_surface_tiles)(void *argument, int task);
void GY_ROWS(gy_surface_finish)(void *argument, int task);

#endif
