// gas/ops/burn.h: the arguments of fire.
#ifndef GY_BURN_H
#define GY_BURN_H

#include "gas/ops/args.h"

/// burn: fire, see gas/ops/burn.c.
typedef struct gy_burn_args {
    uint64_t base;
    uint64_t swelling; // float *: a field of volumes that are to flow out; 0: none
    uint32_t fuel, temperature, density;
    uint32_t spent; // 0: there is always enough oxygen
    uint32_t level; // as of share
    uint32_t
        partial;   // -> per task: 4 doubles: what cells that hold gas have won of fuel, of heat by
                   // burning and by radiation, of smoke
    uint32_t more; // -> per task: 4 doubles: of what is spent or, of a front, has burnt; of what is
                   // lit; of what is spent beside a front; nothing
    gy_extent extent;
    float part;     // of the fuel, that burns where nothing hinders it
    float ignition; // K
    float heat, soot, air;
    float per_air;   // 1 / air
    float cool;      // K^-3: T^-3 grows by it
    float expand;    // 1/K: of volume per temperature
    uint32_t burnt;  // of a fire with a front, what has burnt; 0: there is none
    uint32_t lit;    // what has and waits to give its heat; 0: nothing waits
    uint32_t passed; // what the front passes now
} gy_burn_args;

GY_FITS(gy_burn_args);

/// front: what a premixed flame passes, see gas/ops/front.c.
typedef struct gy_front_args {
    uint64_t base;
    uint32_t fuel, burnt;
    uint32_t to;    // -> what it passes of the fuel, a field
    uint32_t level; // as of share
    uint32_t periodic;
    gy_extent extent;
    float speed;  // cells
    float swells; // by how much of its volume a unit of fuel does
} gy_front_args;

GY_FITS(gy_front_args);

#endif
