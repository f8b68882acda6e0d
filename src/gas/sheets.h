// gas/sheets.h: sheets made ready, for the files that know of them.
#ifndef GY_SHEETS_H
#define GY_SHEETS_H

#include "gas/gas.h"
#include "ops/system/level.h"
#include "shape/cross.h"

/// A sheet as it was put last.
typedef struct gy_sheet {
    uint64_t key; // of its corners in units of the grid; 0: not known
    gy_pose pose; // by which it was put
    gy_crossed *faces;
    uint16_t *under; // what solids leave of each
    int64_t count, room;
    int64_t shut; // those that were open
} gy_sheet;

/// A cell that has changed sides, and the one behind it, through a face that has come open: see
/// gas/behind.c.
typedef struct gy_freed {
    int32_t cell, behind; // x fastest
    int16_t axis;
    bool above; // whether the cell lies above that one
    // What it gets, of which cell's group it is:
    int16_t part;
    int32_t whole, group;
} gy_freed;

/// A cell at the faces that a sheet has come to or left, by its number: see gas/swing.c.
typedef struct gy_band {
    uint32_t cell;
    int64_t to; // the one that it hands on to; < 0: none
} gy_band;

struct gy_gas_sheets {
    gy_sheet *list; // by their place in the pool
    int room;
    int64_t (*corners)[3];
    int64_t corner_room;
    bool put;
    // Of the one that was last shown.
    float *shown;
    int32_t *joined;
    int64_t shown_room, joined_room;
    // Of sheets that move.
    gy_crossings stop[2]; // the faces before and after a part of a way
    uint64_t *bits;       // see gas/swing.c
    size_t bit_bytes;
    gy_band *band; // between two stops
    int64_t band_count, band_room;
    uint32_t *queue; // of those
    int64_t queue_room;
    gy_freed *freed; // in this change
    int64_t freed_count, freed_room;
    bool swept;  // whether cells were passed in it
    bool hands;  // whether any has given or got, in a sweep
    bool marked; // by gy_sheets_mark
};

/// The faces that a sheet crosses by a pose. GYRE_ERROR_MEMORY; GYRE_ERROR_ARGUMENT: it is too far
/// away.
gyre_result gy_sheet_cross(gyre_gas *gas, int index, const gy_pose *pose, gy_crossings *found);

/// Memory that has `count` items of a size, those that were there kept. NULL: there is none.
void *gy_sheets_more(gyre_gas *gas, void *items, int64_t *room, int64_t count, size_t size);

/// A face's coefficient; *other: the one that it is as well, at the other end of a periodic axis.
uint16_t *gy_sheet_coefficient(const gyre_gas *gas, const gy_grid_level *level, const gy_crossed *f,
                               uint16_t **other);

// swing.c
/// A sheet is to go from where it was put to another pose: what lies in its way goes to the front.
/// Sheets are lifted.
gyre_result gy_sheet_sweep(gyre_gas *gas, int index, const gy_pose *to);
void gy_sheets_drop_sweep(gyre_gas *gas);
/// Marks the faces of all sheets, and unmarks them. GYRE_ERROR_MEMORY.
gyre_result gy_sheets_mark(gyre_gas *gas, bool on);
/// Of marked ones: whether a sheet parts a cell from the next one by a way (2 axis + up), be there
/// gas or solid, or there is none.
bool gy_sheets_part(gyre_gas *gas, const int c[3], int d, int next[3]);
/// Notes whether a cell is known; false: it was so already. The caller leaves none that is.
bool gy_sheets_know(gyre_gas *gas, const int c[3], bool on);

// behind.c
/// After samples in solids have been listed: each is made of the gas on its own side of the sheets.
/// GYRE_ERROR_MEMORY.
gyre_result gy_sheets_part_samples(gyre_gas *gas);

#endif
