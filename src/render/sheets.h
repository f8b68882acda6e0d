// render/sheets.h: walls without thickness in a picture: see render/sheets.c.
#ifndef GY_RENDER_SHEETS_H
#define GY_RENDER_SHEETS_H

#include "render/compose.h"
#include "render/map.h"

/// The sheets of an input as triangles in cells, as gy_volume counts them; in 2D walls along z.
/// *sheets is NULL where there are none. GYRE_ERROR_ARGUMENT, GYRE_ERROR_MEMORY.
gyre_result gy_seen_sheets_build(const gyre_render_input *input, gy_hulls **sheets);
/// NULL is allowed.
void gy_seen_sheets_free(gy_hulls *sheets);
/// Whether a sheet lies on the way from one place to another.
bool gy_seen_sheets_part(const gy_hulls *sheets, vec from, vec to);
/// Whether a cell of `solid` (from 0 on) that holds so much is marked as a sheet's.
bool gy_seen_sheets_mark(const gy_hulls *sheets, int dim, float share, int i, int j, int k);
/// A copy of a field of solids without what stands for sheets, to be freed. GYRE_ERROR_MEMORY.
gyre_result gy_seen_sheets_view(const gy_hulls *sheets, const gyre_field_view *solid,
                                gyre_field_view *clear);
/// Marks the cells of a 2D grid near sheets, to be freed. GYRE_ERROR_MEMORY.
gyre_result gy_seen_sheets_beside(const gyre_render_input *input, uint8_t **beside);
/// Draws the sheets of an input over its map, as lines.
gyre_result gy_seen_sheets_lines(const gy_map_view *map);
/// Takes what stands for sheets out of the cells of a volume's solids.
void gy_seen_sheets_clear(const gy_volume *volume, gy_cells *solid);
/// Lets sheets cast shadows: cells that were taken out are opaque where the sheet is before the
/// light.
void gy_seen_sheets_darken(gy_volume *volume);

#endif
