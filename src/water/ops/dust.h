// water/ops/dust.h: what the op of dust is told.
#ifndef GY_OPS_DUST_H
#define GY_OPS_DUST_H

#include "ops/particle/particle.h"
#include "water/ops/args.h"
#include "water/ops/tiles.h"

/// What stands in gy_dust_args, too, means the same there.
typedef struct gy_dust_job {
    gy_tiles tiles;
    uint64_t particles;  // -> the first array: x, y, z, age
    uint32_t step;       // from an array to the next, in units of 64 bytes
    uint32_t gone;       // as in gy_tracer_args
    uint32_t now;        // -> gy_particle_now
    uint32_t periodic;   // bit per axis
    uint32_t open_sides; // bits x low, x high, y low, y high: what passes them is gone
    float origin[2];
    float h, inverse; // 1 / h
    float scale;      // dt / h
    float dt, life;   // s; as in gy_tracer_args
    float dry;        // m: less than this does not flow
    float cap;        // m/s
    float level;      // of mode wave, m
    bool wave;
    bool last; // of a step: heights are wanted, too
} gy_dust_job;

#endif
