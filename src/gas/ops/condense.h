// gas/ops/condense.h: the arguments of what clouds do, and the table of levels that both ops read.
#ifndef GY_CONDENSE_H
#define GY_CONDENSE_H

#include "gas/ops/args.h"

/// J/(kg K) of dry air at constant pressure; its gas constant.
#define GY_AIR_HEAT 1004.0f
#define GY_AIR_GAS 287.04f

/// What is known of the surroundings of a level of cells: so many floats each, of levels -1 to n.
enum {
    GY_LEVEL_EXNER,   // (p / p0)^(R / cp): temperature over potential temperature
    GY_LEVEL_WARM,    // K, the potential temperature
    GY_LEVEL_PRESS,   // Pa
    GY_LEVEL_VAPOUR,  // kg/kg
    GY_LEVEL_HEAT_UP, // half of what GY_LEVEL_WARM is more than a level below
    GY_LEVEL_DAMP_UP, // likewise of GY_LEVEL_VAPOUR
    GY_LEVEL_WEIGHT,  // kg/m^3, density
    GY_LEVEL_FALL,    // how much faster drops fall than at the ground
    GY_LEVEL_FLOATS
};

/// condense: rising through the surroundings, saturation, drops, evaporation: see
/// gas/ops/condense.c.
typedef struct gy_condense_args {
    uint64_t base;
    uint32_t wind[3];
    uint32_t temperature;
    uint32_t vapour, water, rain; // 0: there is none
    uint32_t levels;              // -> GY_LEVEL_FLOATS of each level, from the one below the first
    uint32_t level;               // as of share
    uint32_t partial; // -> per task: 4 doubles: what cells of gas have won of heat, vapour, water,
                      // rain by turning into each other
    uint32_t more;    // -> per task: 4 doubles: of heat and vapour by rising; then nothing
    gy_extent extent;
    uint32_t periodic, open_sides, given; // as of share
    int32_t axis;                         // that is up
    float pace;                           // dt / h
    float part;                           // of the water above `least` that turns to rain
    float least;                          // kg/kg
    float collect, dry;                   // dt times rates of collection and of evaporation
} gy_condense_args;

GY_FITS(gy_condense_args);

/// rain: drops fall: see gas/ops/rain.c. Box: columns: n[0] and the axis that is not up.
typedef struct gy_rain_args {
    uint64_t base;
    uint32_t rain;
    uint32_t levels, level;
    uint32_t partial; // -> per task: 4 doubles: what has come down, then nothing
    gy_extent extent;
    int32_t axis;
    float pace;
} gy_rain_args;

GY_FITS(gy_rain_args);

#endif
