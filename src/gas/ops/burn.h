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
    uint32_t more; // -> per task: 4 doubles: of what is spent, then nothing
    gy_extent extent;
    float part;     // of the fuel, that burns where nothing hinders it
    float ignition; // K
    float heat, soot, air;
    float per_air; // 1 / air
    float cool;    // K^-3: T^-3 grows by it
    float expand;  // 1/K: of volume per temperature
} gy_burn_args;

GY_FITS(gy_burn_args);

#endif
