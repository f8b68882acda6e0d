// ocean/ops/args.h: arguments of the ops of an ocean; see ops/row/args.h for what they are made of.
#ifndef GY_OCEAN_ARGS_H
#define GY_OCEAN_ARGS_H

#include "ops/row/args.h"

enum {
    GY_OCEAN_LANES = 16,  // waves whose numbers lie side by side
    GY_OCEAN_PAD = 16,    // floats after a row of a patch, which begin it again
    GY_OCEAN_NUMBERS = 12 // of a pair of waves: see ocean_columns
};

/// ocean_columns: the waves of a patch at a time, transformed along x. Box: blocks of 16 rows of
/// wave numbers. ocean_rows: those along y, to three real fields. Box: blocks of 16 columns.
typedef struct gy_ocean_args {
    uint64_t base;
    uint32_t time[2]; // low and high half of it, in units of 2^-24 s
    uint32_t scratch; // gy_fft_scratch; twins have none
    uint32_t waves;   // [block of 16 rows][n / 2 columns][GY_OCEAN_NUMBERS][16]
    uint32_t fade;    // as waves with [2][16]; with `deep`
    uint32_t sharpen; // n / 2 floats: what a row, a column is multiplied by
    uint32_t place;   // n int32_t: where an element goes before the stages
    uint32_t twiddle; // by stage; from 2 n on, the roots of 1 that twins take
    uint32_t middle;  // [3][rows][2][n + 16]
    uint32_t fields;  // [3][n][n + 16]
    int32_t n;        // of the patch
    int32_t rows;     // of wave numbers that are not 0, a multiple of 16
    int32_t motion;   // 1: rates of change with time
    int32_t spline;   // 1: coefficients of cubic B-splines, else values
    int32_t deep;     // 1: at a depth
    int32_t radix[6]; // of the stages, first to last; 0: no more
} gy_ocean_args;
GY_FITS(gy_ocean_args);

#endif
