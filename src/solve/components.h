// solve/components.h: how the files of component coarsening hand levels to each other.
//
// component_blocks.c finds, level by level, which fine cells each coarse block falls into and what
// joins them; component_lists.c makes of that the lists that ops/system/extra.h speaks of;
// components.c holds both together.
#ifndef GY_COMPONENTS_H
#define GY_COMPONENTS_H

#include "ops/system/extra.h"
#include "solve/solvers.h"

/// An array that grows; its memory is the builder's.
typedef struct gy_pile {
    void *data;
    size_t used, bytes;
} gy_pile;

/// What a cell is joined to: a cell of the grid (its number, x fastest), an extra (~it), or what
/// lies beyond a side. `way` is 2 axis, or 2 axis + 1 towards the upper neighbour; `open` counts as
/// a coefficient of the level along that axis does.
typedef struct gy_joint {
    int32_t to, way;
    float open;
} gy_joint;

enum { GY_BEYOND = INT32_MIN };

/// An extra of a level.
typedef struct gy_component {
    int32_t cell;  // of the grid, that it shares its block with
    int32_t first; // joint; the next extra's is one past the last
    float volume;  // in cells of the level
    uint32_t late; // bits of axes along which it holds but last cells of the finer level
} gy_component;

/// Where the cells of a level go on the coarser one: the grid's cell of their block, nowhere (they
/// are joined to nothing), or else an extra.
enum { GY_MAIN = -1, GY_NOWHERE = -2 };

/// A level while lists are made. What it holds of extras is NULL and 0 where there are none.
typedef struct gy_level_build {
    gy_grid_level g;
    int n[3], dim;
    size_t cells;
    int extras;
    gy_pile parts;       // gy_component, extras + 1
    gy_pile joints;      // gy_joint of extras
    gy_pile first;       // int32_t, cells + 1: the first extra of each cell's block
    gy_pile touch;       // gy_joint of the grid's cells, to extras alone
    gy_pile touch_first; // int32_t, cells + 1: the first of each cell's
    // Towards the coarser level:
    gy_pile slice; // uint8_t by cell of the grid: 0 main, else which of its block's extras, from 1
    gy_pile own;   // int32_t by extra: GY_MAIN, GY_NOWHERE or the coarse extra
    gy_pile busy;  // int32_t: coarse cells whose block has extras, there or here
    // The list:
    gy_pile rows, links, targets, sources, moves;
    gy_pile row_of_cell, row_of_extra; // int32_t
    int colour_rows[3];
    gy_pile order, position, begin, entry; // int32_t, of the factor; order empty: none
    bool ends;
} gy_level_build;

/// Memory that piles take theirs from: first what is lent by the system's own vectors, so that a
/// change of solids that fails for want of memory can be taken back without any; then the host's,
/// each twice as large as the one before.
typedef struct gy_chunk {
    void *data;
    size_t used, bytes;
} gy_chunk;

typedef struct gy_builder {
    const gy_system *system;
    const gyre_host *host;
    const struct gy_face_bits *faces; // of the finest level; NULL: not known
    gy_chunk chunks[48];
    int chunk_count, lent; // how many, of which the first are lent
    gy_level_build build[GY_MAX_LEVELS];
    gy_pile nodes, sums, heads; // scratch
    int bottom;                 // the coarsest level in use: it has a factor, or is the last
} gy_builder;

/// Room for `bytes` more at the end of a pile, zeroed when new; NULL: no memory.
void *gy_pile_push(gy_builder *builder, gy_pile *pile, size_t bytes);

/// Makes room for as much without taking it: a pile that grows step by step takes twice as much.
bool gy_pile_reserve(gy_builder *builder, gy_pile *pile, size_t bytes);

/// The same as push after emptying it; what it held is still there.
void *gy_pile_refill(gy_builder *builder, gy_pile *pile, size_t bytes);

/// A block of fine cells.
typedef struct gy_coarse_block {
    int at[3];
    int32_t cell;        // number of the coarse cell
    int low[3], high[3]; // fine cells
} gy_coarse_block;

gy_coarse_block gy_coarse_block_at(const gy_level_build *fine, const gy_level_build *coarse, int i,
                                   int j, int k);

GY_INLINE int32_t gy_cell_number(const gy_level_build *s, int i, int j, int k)
{
    return (int32_t)(i + s->n[0] * (j + s->n[1] * k));
}

GY_INLINE void gy_cell_at(const gy_level_build *s, int32_t cell, int at[3])
{
    at[0] = cell % s->n[0];
    at[1] = cell / s->n[0] % s->n[1];
    at[2] = cell / s->n[0] / s->n[1];
}

/// The faces of a cell of the grid that let something through; returns how many.
int gy_grid_joints(const gy_level_build *s, const int at[3], gy_joint out[6]);

/// All that a cell of the grid is joined to, or an extra (~it): two arrays.
typedef struct gy_joints {
    gy_joint face[6];
    const gy_joint *list[2];
    int count[2];
} gy_joints;

void gy_joints_of(const gy_level_build *s, int32_t item, gy_joints *out);

/// The number of a pile's first extra or joint of a cell, and one past the last; 0 and 0 where
/// there are none at all.
GY_INLINE int gy_first_of(const gy_pile *first, int32_t cell)
{
    return first->data ? ((const int32_t *)first->data)[cell] : 0;
}

/// Finds the extras of level l + 1, which has the coefficients of plain coarsening, and mends those
/// that extras change. False: no memory.
bool gy_components_find(gy_builder *builder, int l);

/// Makes the lists of level l; to be called from the finest on, to builder->bottom. False: no
/// memory.
bool gy_lists_make(gy_builder *builder, int l);

#endif
