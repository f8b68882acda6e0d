// grid/table.h: tables that several models nest, and what tables are written with.
#ifndef GY_TABLE_H
#define GY_TABLE_H

#include "gyre/property_table.h"

/// The table of a gyre_grid; fixed when the model is made.
extern const gyre_property gy_grid_properties[];

#endif
