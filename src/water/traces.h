// water/traces.h: what water leaves and what flows with it, cell by cell: see water/traces.c.
#ifndef GY_WATER_TRACES_H
#define GY_WATER_TRACES_H

#include "water/water.h"

enum {
    GY_TRACES_COORDINATES = 2 * GYRE_TEXTURE_PHASES,
    GY_TRACES = GY_TRACES_COORDINATES + 2 // coordinates, then `wet`, then `foam`
};

/// Of a water whose def asks for any. Arrays are dense, a float a cell.
typedef struct gy_traces {
    gyre_field_info fields[GY_FIELDS + GY_TRACES]; // the model's table: the water's first
    char names[GY_TRACES_COORDINATES][24];
    int count;       // of its own fields
    int coordinates; // of them, the first
    int wet, foam;   // which of its fields; -1: there is none
    float *field[GY_TRACES];
    float *next[GY_TRACES_COORDINATES]; // scratch
    float *flow[2];                     // m/s along x and y; scratch
} gy_traces;

/// Bytes of them; 0: the def asks for none.
size_t gy_traces_size(const gyre_water_def *def);
/// Places them in memory of so many bytes, all zeros, and puts their fields behind the water's own.
void gy_traces_make(gyre_water *water);
/// Ground under water is wet; all else begins.
void gy_traces_begin(gyre_water *water);
/// At the end of a step of so many seconds of flow.
void gy_traces_step(gyre_water *water, float dt);
/// Phases whose time has passed since `before` begin anew.
void gy_traces_renew(gyre_water *water, double before);
/// The grid has moved by so many cells.
void gy_traces_moved(gyre_water *water, const int cells[2]);
/// What foam covers, from its particles.
void gy_traces_cover(gyre_water *water);
/// For gyre_model_texture().
void gy_traces_tell(const gyre_model *model, gyre_texture *texture);

/// Whether a field of the model is one of them; where its samples are.
GY_INLINE bool gy_is_trace(int field)
{
    return field >= GY_FIELDS;
}
float *gy_trace_of(const gyre_water *water, int field);
/// What was written into one from outside is held to its range.
void gy_trace_hold(gyre_water *water, int field);
/// See gyre_model_splat().
void gy_trace_splat(gyre_water *water, int field, const float at[3], float radius, float amount);

#endif
