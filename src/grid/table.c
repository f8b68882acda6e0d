// grid/table.c: tables that several models nest.
#include "grid/table.h"
#include "gyre/grid.h"

#define GRID(...) GY_PROPERTY(gyre_grid, __VA_ARGS__, .flags = GYRE_FIXED)
const gyre_property gy_grid_properties[] = {
    GRID(dim, GYRE_INT, 1, "1", 2, 3, "dimensions", .initial = {3}),
    GRID(n, GYRE_INT, 3, "1", 1, 4096, "cells along x, y, z; z is 1 in 2D",
         .initial = {64, 64, 64}),
    GRID(h, GYRE_FLOAT, 1, "m", 1e-6, 1e6, "edge of a cell", .initial = {1.0 / 64}),
    GRID(origin, GYRE_FLOAT, 3, "m", -1e6, 1e6, "lower corner of the domain", .initial = {0}),
    GY_TABLE_END,
};
