// grid/table.c: tables that several models nest.
#include "grid/table.h"
#include "gyre/grid.h"

#define GRID(kind, ...) GYRE_PROPERTY_##kind(gyre_grid, __VA_ARGS__, .flags = GYRE_FIXED)
const gyre_property gy_grid_properties[] = {
    GRID(INT, dim, "1", 2, 3, "dimensions", .initial = {3}),
    GRID(VECTOR, n, "1", 1, 4096, "cells along x, y, z; z is 1 in 2D", .initial = {64, 64, 64}),
    GRID(FLOAT, h, "m", 1e-6, 1e6, "edge of a cell", .initial = {1.0 / 64}),
    GRID(VECTOR, origin, "m", -1e6, 1e6, "lower corner of the domain"),
    GYRE_PROPERTY_END,
};
