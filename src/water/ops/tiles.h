// water/ops/tiles.h: where water is kept: in tiles of 64 x 64 cells, which have memory (a slot)
// where water is or may soon be. A slot holds the state twice, so that a step reads the one and
// writes the other, what does not change in a step once, and a byte of flags per cell. A step that
// needs of its neighbours no more than what lies along their edges writes where it reads, and so
// moves half as much memory: it finds their edges as they were in the slot's borders, which it
// leaves behind for the next step.
#ifndef GY_TILES_H
#define GY_TILES_H

#include "base/base.h"
#include "water/ops/patch.h"
#include <string.h>

enum {
    GY_TILE_SHIFT = 6,
    GY_TILE_MASK = GY_WATER_TILE - 1,
    GY_TILE_AREA = GY_WATER_TILE * GY_WATER_TILE
};

/// The arrays of a slot, of GY_TILE_AREA floats each, x fastest. The first three are the state.
enum {
    GY_WATER_DEPTH, // m, surface less bed, displaced water included; mode wave: surface less level
    GY_WATER_QX,    // m^2/s; at cell centres; mode wave: at low faces
    GY_WATER_QY,
    GY_WATER_STATE, // so many, twice
    GY_WATER_BED = 2 * GY_WATER_STATE,
    GY_WATER_DISPLACED, // m of the column that bodies take up, as it has been moved away already
    GY_WATER_ARRAYS
};

/// Flags of a cell.
enum {
    GY_CELL_SHUT_X = 1, // nothing passes its low x face
    GY_CELL_SHUT_Y = 2,
    GY_CELL_OUT = 4,         // cut out of the domain: land for good, or beyond an edge
    GY_CELL_SHUT_HIGH_X = 8, // the same as the low face of the next cell, kept here, too
    GY_CELL_SHUT_HIGH_Y = 16,
    GY_CELL_CUT = 32 // by a mask or an edge, whatever its bed is: that may stand for a wall
};

/// Floats from one array of a slot to the next: not a multiple of a page, or rows of all arrays
/// would want the same places in a cache.
enum { GY_ARRAY_STEP = GY_TILE_AREA + 176 };

/// The borders of a slot, GY_WATER_TILE floats each: the first and the last column and row of the
/// depth that are its own, the first column of QX and the first row of QY.
enum {
    GY_BORDER_LEFT,
    GY_BORDER_RIGHT,
    GY_BORDER_BOTTOM,
    GY_BORDER_TOP,
    GY_BORDER_LEFT_QX,
    GY_BORDER_BOTTOM_QY,
    GY_BORDERS // so many, twice
};

enum {
    GY_BORDER_BYTES = 2 * GY_BORDERS * GY_WATER_TILE * 4,
    GY_SLOT_BYTES = GY_WATER_ARRAYS * GY_ARRAY_STEP * 4 + GY_TILE_AREA + GY_BORDER_BYTES
};

/// What of a slot may lag behind its state: its borders, and the copy that a device with memory of
/// its own has of all of it.
enum { GY_TILE_BORDERS = 1, GY_TILE_COPY = 2, GY_TILE_EDITED = GY_TILE_BORDERS | GY_TILE_COPY };

typedef struct gy_tiles {
    int n[2];         // cells of the domain
    int tn[2];        // tiles of the domain
    int32_t *slot;    // of tile x + tn[0] * y, or -1
    int32_t *tile;    // of a slot: the tile
    uint8_t *current; // of a slot: which copy of the state is the newer, 0 or 1
    uint8_t *border;  // of a slot: which of its borders are the newer, 0 or 1
    uint8_t *edited;  // of a slot: what does not know of its last changes, GY_TILE_...
    int slots, used;
    char *memory; // aligned to 64
} gy_tiles;

GY_INLINE float *gy_tile_array(const gy_tiles *t, int slot, int array)
{
    return (float *)(void *)(t->memory + (size_t)slot * GY_SLOT_BYTES) +
           (size_t)array * GY_ARRAY_STEP;
}

/// One of the three arrays of the state as it is now.
GY_INLINE const float *gy_tile_state(const gy_tiles *t, int slot, int array)
{
    return gy_tile_array(t, slot, t->current[slot] * GY_WATER_STATE + array);
}

/// The same to be written.
GY_INLINE float *gy_tile_edit(const gy_tiles *t, int slot, int array)
{
    t->edited[slot] = GY_TILE_EDITED;
    return gy_tile_array(t, slot, t->current[slot] * GY_WATER_STATE + array);
}

/// The same in the older copy, that a step writes.
GY_INLINE float *gy_tile_next(const gy_tiles *t, int slot, int array)
{
    return gy_tile_array(t, slot, (1 - t->current[slot]) * GY_WATER_STATE + array);
}

/// The same for whoever writes it beside a step.
GY_INLINE float *gy_tile_edit_next(const gy_tiles *t, int slot, int array)
{
    t->edited[slot] |= GY_TILE_COPY;
    return gy_tile_next(t, slot, array);
}

GY_INLINE uint8_t *gy_tile_flags(const gy_tiles *t, int slot)
{
    return (uint8_t *)t->memory + (size_t)slot * GY_SLOT_BYTES +
           (size_t)GY_WATER_ARRAYS * GY_ARRAY_STEP * 4;
}

/// One of the borders; `which` of the two.
GY_INLINE float *gy_tile_border(const gy_tiles *t, int slot, int which, int border)
{
    char *flags = (char *)gy_tile_flags(t, slot);
    return (float *)(void *)(flags + GY_TILE_AREA) + (which * GY_BORDERS + border) * GY_WATER_TILE;
}

/// Copies a slot's borders out of its state, whose cells are `columns` x `rows`.
GY_INLINE void gy_tile_save_borders(const gy_tiles *t, int slot, int which, int columns, int rows)
{
    const float *u = gy_tile_state(t, slot, GY_WATER_DEPTH);
    const float *qx = gy_tile_state(t, slot, GY_WATER_QX);
    float *left = gy_tile_border(t, slot, which, GY_BORDER_LEFT);
    float *right = gy_tile_border(t, slot, which, GY_BORDER_RIGHT);
    float *left_qx = gy_tile_border(t, slot, which, GY_BORDER_LEFT_QX);
    size_t row = sizeof(float) * GY_WATER_TILE;
    for (int j = 0; j < rows; j++) {
        left[j] = u[j * GY_WATER_TILE];
        right[j] = u[j * GY_WATER_TILE + columns - 1];
        left_qx[j] = qx[j * GY_WATER_TILE];
    }
    memcpy(gy_tile_border(t, slot, which, GY_BORDER_BOTTOM), u, row);
    memcpy(gy_tile_border(t, slot, which, GY_BORDER_TOP), u + (rows - 1) * GY_WATER_TILE, row);
    memcpy(gy_tile_border(t, slot, which, GY_BORDER_BOTTOM_QY), gy_tile_state(t, slot, GY_WATER_QY),
           row);
}

/// The slot of a cell and the cell's place in its arrays; -1 outside of the domain and where there
/// is no memory.
GY_INLINE int gy_tiles_find(const gy_tiles *t, int i, int j, int *place)
{
    *place = 0;
    if (i < 0 || j < 0 || i >= t->n[0] || j >= t->n[1]) {
        return -1;
    }
    *place = (j & GY_TILE_MASK) * GY_WATER_TILE + (i & GY_TILE_MASK);
    return t->slot[(i >> GY_TILE_SHIFT) + t->tn[0] * (j >> GY_TILE_SHIFT)];
}

#endif
