// water/ops/args.h: arguments of the ops of water; see ops/row/args.h for what they are made of.
#ifndef GY_WATER_ARGS_H
#define GY_WATER_ARGS_H

#include "ops/row/args.h"

/// water_turn: see ops/water.h. Box: a range of the job's list of tiles.
typedef struct gy_water_args {
    uint64_t job; // const gy_water_job *
} gy_water_args;

/// water_wave, water_slope: a step of linear waves on tiles; volume that moves down slopes that are
/// too steep. Box: a range of the list. The bodies in C follow `job` and nothing else; the twins,
/// which cannot, have the same in what stands beside it, as far as linear waves go.
typedef struct gy_wave_args {
    uint64_t memory;   // of the tiles, see ops/tiles.h
    uint64_t list;     // int32_t: slots to step
    uint64_t slot;     // int32_t, of a tile, or -1
    uint64_t tile;     // int32_t, of a slot
    uint64_t stepping; // uint8_t, of a slot: whether it is in the list
    uint64_t current;  // uint8_t, of a slot: which copy of the state is the newer one ...
    uint64_t change;   // -> float, of a slot: how much heights have changed; where `watched`
    uint64_t job;      // const gy_water_job *, the host's
    int32_t n[2];      // cells of the domain
    int32_t tn[2];     // tiles
    int32_t slot_bytes, array_step;
    uint32_t turned;   // ... less this, exclusive or
    uint32_t periodic; // bit per axis
    uint32_t watched;
    float pull, share, keep, limit, quantum, most; // as of a gy_water_job
} gy_wave_args;

/// water_turn: the Earth's rotation, see ops/water_turn.c. Box: a range of the list. Likewise.
typedef struct gy_turn_args {
    uint64_t memory, list, slot, tile, stepping, current; // as of gy_wave_args
    uint64_t job;
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    uint32_t turned, periodic;
    int32_t pass;  // GY_TURN_...
    uint32_t once; // as of a gy_earth
    float coriolis, beta, y, dt, h, pull;
} gy_turn_args;

/// What a step of shallow water has told of a slot.
typedef struct gy_shallow_told {
    float wave_speed, change, speed; // speed of water_shallow: its square
    int32_t capped;
} gy_shallow_told;

/// What a step of shallow water does not change, and behind it, so many bytes on, faces with rules
/// (gy_water_face, by tile: `pass` is written), the first of each tile (one more at the end) and
/// what stands beyond sides.
typedef struct gy_shallow_rules {
    int32_t faces, first_face, ghost;
    int32_t ghost_at[4]; // of a side, its first float; -1: it has none
    int32_t ruled;       // whether there are faces
    int32_t one_row;     // one-dimensional
    float tilt[2];       // rise per cell of water at rest in the frame
    float manning, friction, quantum;
} gy_shallow_rules;

/// water_shallow, water_measure: a step of shallow water on tiles; how fast waves are in them.
/// Box: a range of the list; on a device with memory of its own of water_shallow 32 times that, for
/// the blocks of a tile. The bodies in C follow `job` and nothing else.
typedef struct gy_shallow_args {
    uint64_t memory; // of the tiles, see ops/tiles.h
    uint64_t tables; // `words` bytes each: list, slot, tile, stepping, current, as of gy_wave_args
    uint64_t told;   // -> gy_shallow_told, of a slot; 0 before the step
    uint64_t rules;  // -> gy_shallow_rules
    uint64_t job;    // const gy_water_job *, the host's
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    uint32_t turned, periodic;
    int32_t words;
    float ratio, gravity, dry, cap; // dt / h, ...
    float kick[2];                  // of the frame: dt times its acceleration
    float dt, damping;
} gy_shallow_args;

/// What water_gather makes of a slot's arrays.
typedef enum gy_gather_kind {
    GY_GATHER_STATE,   // the array of the newer state
    GY_GATHER_ARRAY,   // the array itself
    GY_GATHER_SURFACE, // of linear waves: what is higher, the water or the bed
    GY_GATHER_COLUMN   // of shallow water: bed and depth
} gy_gather_kind;

/// water_gather: a field of water, every tile of which has a slot, as one array of n[0] x n[1]
/// floats. Box: its cells.
typedef struct gy_gather_args {
    uint64_t memory, slot, current; // as of gy_wave_args
    uint64_t to;                    // -> float
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    int32_t kind; // gy_gather_kind
    int32_t array;
    float level; // m
} gy_gather_args;

/// water_weather: rain and evaporation, likewise.
typedef struct gy_weather_args {
    uint64_t memory, list, tile, current; // as of gy_wave_args
    uint64_t sums;                        // -> 2 doubles, of a slot: what came, what went
    uint64_t job;
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    uint32_t turned;
    int32_t wave;            // linear waves never run dry
    float rain, evaporation; // m
} gy_weather_args;

/// dust: carries particles afloat on water: see water/ops/dust.c. Box: (count or more, 1, 1). The
/// body in C follows `job` and nothing else; the twin has the same in what stands beside it, as far
/// as linear waves go.
typedef struct gy_dust_args {
    uint64_t memory, slot, current; // as of gy_wave_args, which nothing has turned
    uint64_t particles;
    uint64_t job; // const gy_dust_job *, the host's
    uint32_t step, gone, now;
    int32_t n[2], tn[2];
    int32_t slot_bytes, array_step;
    uint32_t periodic, open_sides;
    float origin[2];
    float h, inverse, scale, dt, life, dry, cap, level;
    uint32_t last;
} gy_dust_args;

GY_FITS(gy_water_args);
GY_FITS(gy_wave_args);
GY_FITS(gy_turn_args);
GY_FITS(gy_shallow_args);
GY_FITS(gy_gather_args);
GY_FITS(gy_weather_args);
GY_FITS(gy_dust_args);

#endif
