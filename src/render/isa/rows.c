// render/isa/rows.c: the table of this instruction set.
#include "render/isa/rows.h"

#define STRING(x) #x
#define NAME(x) STRING(x)

const gy_rows GY_ROWS(gy_rows) = {
    .name = NAME(GY_ISA),
    .map_cut = GY_ROWS(gy_map_cut),
    .map_range = GY_ROWS(gy_map_range),
    .map_rows = GY_ROWS(gy_map_rows),
};
