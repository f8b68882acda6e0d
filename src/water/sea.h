// water/sea.h: water as a window of a sea: see water/sea.c.
#ifndef GY_WATER_SEA_H
#define GY_WATER_SEA_H

#include "gyre/water.h"

/// What a window that carries the difference has of the sea, an array over the cells each.
enum { GY_SEA_HEIGHT, GY_SEA_U, GY_SEA_V, GY_SEA_RISE, GY_SEA_ARRAYS };

/// Points that are asked about at a time.
enum { GY_SEA_POINTS = 4096 };

typedef struct gy_water_sea {
    gyre_water_outside outside; // ask is NULL: not joined
    bool fresh;                 // the arrays are of the time, place and changes that follow
    double time;
    int32_t moved[2];
    uint64_t changes;
    gyre_result result;           // of what was asked in the step's middle
    double *line;                 // of the ledger, m of depth summed over cells; saved
    float *array[GY_SEA_ARRAYS];  // NULL where the whole is carried
    double *points;               // of GY_SEA_POINTS
    gyre_water_swell *answers;    // theirs
    struct gyre_water *twin;      // NULL, or of `whole`: see sea.c
    double until;                 // s, the end of the step
    struct gy_rim_state *targets; // of cells of the rim
} gy_water_sea;

gyre_result gy_water_sea_check(const gyre_water_def *def);
/// Bytes that it takes; 0: the water is alone.
size_t gy_water_sea_size(const gyre_water_def *def);
void gy_water_sea_make(gy_water_sea *sea, const gyre_water_def *def, void *line);
/// The twin of a window that carries the whole, and the end of it. Bytes that it takes.
size_t gy_water_sea_twin_size(const gyre_water_def *def);
gyre_result gy_water_sea_make_twin(gyre_water *water, gyre_device *device);
void gy_water_sea_free_twin(gyre_water *water);
/// The arrays of a window that carries the difference and is joined; else NULL.
const float *const *gy_water_sea_arrays(const gyre_water *water);
/// The bed or the def has changed: what was asked is asked anew before the next step.
void gy_water_sea_stale(gyre_water *water);
/// Asks the sea at the water's time, where it has not been.
gyre_result gy_water_sea_refresh(gyre_water *water);
/// At a step's beginning: fails where the window is not joined.
gyre_result gy_water_sea_begin(gyre_water *water);
/// At its end, when time has moved on.
gyre_result gy_water_sea_end(gyre_water *water);
/// A window that carries the whole: relaxes the rim to the sea as it is at the end of a step of dt.
void gy_water_sea_let_in(gyre_water *water, float dt);
/// The window has moved: what has come in is the sea's.
gyre_result gy_water_sea_shifted(gyre_water *water, const int cells[2]);

#endif
