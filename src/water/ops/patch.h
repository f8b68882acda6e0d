// water/ops/patch.h: a tile of water with a halo, as the step of shallow water sees it. A tile has
// no halo of its own in memory; gather (water/ops/water.c) reads it from the tiles round it, the
// sides' rules filled in, and so every tile finds the same numbers on both sides of a common face.
#ifndef GY_PATCH_H
#define GY_PATCH_H

#include "device/device.h"
#include "ops/row/args.h"

enum {
    GY_WATER_TILE = 64, // cells along a side
    GY_WATER_HALO = 3,  // cells round it
    GY_PATCH_ROWS = 70,
    GY_PATCH_STRIDE = 96, // floats from row to row
    GY_PATCH_FIRST = 16   // of a row: its cell 0
};

/// Where cell (i, j), both from -3 to 66, lies in the arrays of a patch. Lanes left and right of
/// these hold finite rubbish that bodies may compute on and write.
GY_INLINE int gy_patch_at(int i, int j)
{
    return (j + GY_WATER_HALO) * GY_PATCH_STRIDE + GY_PATCH_FIRST + i;
}

enum { GY_PATCH_SIZE = GY_PATCH_ROWS * GY_PATCH_STRIDE };

/// Bits of gy_patch.shut.
enum { GY_SHUT_X = 1, GY_SHUT_Y = 2 };

typedef struct gy_patch {
    // Given.
    _Alignas(64) float depth[GY_PATCH_SIZE];    // m, >= 0
    float qx[GY_PATCH_SIZE], qy[GY_PATCH_SIZE]; // m^2/s, at cell centres
    float bed[GY_PATCH_SIZE];                   // m
    int32_t shut[GY_PATCH_SIZE]; // whether the low x face, the low y face of a cell is a wall
    bool open;                   // no face is shut: `shut` is not filled in
    // Left behind: what passed the low faces of cells 0 to 64 (x: rows 0 to 63; y: columns 0 to 63)
    // towards higher indices, as metres of a cell's depth, exactly as it was applied.
    float pass_x[GY_PATCH_SIZE], pass_y[GY_PATCH_SIZE];
} gy_patch;

/// One step of a patch.
typedef struct gy_shallow {
    float dt, h, gravity;
    float manning;         // s/m^(1/3)
    float friction;        // 1/s
    float damping;         // factor of the discharge in this step, 0 to 1
    float acceleration[2]; // of the frame: the water feels its opposite
    float dry_depth, speed_cap;
    float quantum; // above 0: passes are whole multiples of it, rounded towards zero
    int32_t rows;  // of the domain in this tile, 1 to 64: 1 where it is one-dimensional
    int32_t one_dimensional;
    float loose; // 0, or of flow that a turning Earth holds in balance: see water/coriolis.c
} gy_shallow;

/// What a step of a patch tells about the tile's cells afterwards.
typedef struct gy_flow_result {
    float wave_speed; // largest |u| + sqrt(g d), m/s, along either axis
    float change;     // largest change of depth in this step, m
    float speed;      // largest velocity
    int32_t capped;   // cells whose velocity was cut
} gy_flow_result;

#endif
