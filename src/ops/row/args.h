// ops/row/args.h: what arguments of ops are made of, and those of the ops that every model needs.
//
// An op's arguments are a plain struct of at most 128 bytes: the arena's 64-bit base, 32-bit
// offsets in units of 64 bytes (to sample (0, 0, 0) of a field), ints and floats: small enough for
// a push constant. Members are ordered so that C and GLSL lay them out alike.
#ifndef GY_ROW_ARGS_H
#define GY_ROW_ARGS_H

#include "base/base.h"

/// Arguments fit a push constant.
#define GY_FITS(type) _Static_assert(sizeof(type) <= 128, #type " does not fit a push constant")

/// The extent of a field: see grid/layout.h. Strides in samples.
typedef struct gy_extent {
    int32_t n[3];
    int32_t sy, sz;
    int32_t dim;
    int32_t halves; // bit 1: there are sheets, which twins know of that carry near them, see
        // GY_LINKED. Bit 0: samples of scalars are IEEE binary16, which twins alone know, and of
        // listed fields those whose entry says so; 0: all are floats, as those of
        // velocities and what belongs to them always are
} gy_extent;

/// What the two ends of an axis do to a field's samples beyond its own.
typedef enum gy_edge_rule {
    GY_EDGE_COPY,   ///< the nearest sample
    GY_EDGE_VALUE,  ///< a value
    GY_EDGE_MIRROR, ///< 2 value - nearest: a wall with that velocity half a cell away
    GY_EDGE_FACE,   ///< the boundary sample itself (of a face field on its own axis) has the value
    GY_EDGE_WRAP,   ///< the other end
    GY_EDGE_INWARD  ///< of a displacement across its end: the nearest one, turned inwards, so that
                    ///< the mean of both, which the boundary face takes, never leads outside
} gy_edge_rule;

/// The two ends of one axis for one field. `samples` is n, or n + 1 where the boundary face is
/// live.
typedef struct gy_edge {
    int32_t rule[2];
    float value[2];
    int32_t samples;
} gy_edge;

/// A field in a list of them: what it is carried from and by way of, and what lies beyond its ends
/// along each axis, which also says how many samples are its own.
typedef struct gy_field {
    uint32_t old;       // what it is carried from
    uint32_t predicted; // what advect makes of that
    uint32_t now; // its samples, from old and predicted; the same as predicted where that is all
    int32_t location; // gyre_location: cell centre or face
    int32_t halves;   // 1: samples are binary16; the extent must say so, too
    gy_edge edge[3];
} gy_field;

/// Floats of a box of halo along x where it goes over the ends of rows.
enum { GY_HALO_ROW = 64 };

/// halo: fills the halo of fields along one axis. Box: along y the fields, each with `rows`; axis
/// 0: (GY_HALO_ROW, (n1+1) count, n2+1), 1: (sy, count, n2+1), 2: (sy, (n1+2) count, 1).
typedef struct gy_halo_args {
    uint64_t base;
    uint32_t fields; // -> gy_field
    int32_t first;   // of those
    int32_t rows;
    int32_t predicted; // 1: what is predicted of them
    int32_t axis;
    gy_extent extent;
} gy_halo_args;

/// fill: sets rows of a field, halo included, to a value.
typedef struct gy_fill_args {
    uint64_t base;
    uint32_t field;
    float value;
    gy_extent extent;
} gy_fill_args;

GY_FITS(gy_halo_args);
GY_FITS(gy_fill_args);

#endif
