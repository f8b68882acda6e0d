// bench/parts.h: what the measurements share.
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include "gyre/gyre.h"

#include <stdio.h>

/// Solids that move, in a gas: bench/moved.c. Prints, and returns 1 where its gate is not reached.
int bench_moved(gyre_device *device, FILE *out);

/// Tracers in a gas: bench/tracers.c. Prints, and returns 1 where its gate is not reached.
int bench_tracers(const char *isa, bool quick, FILE *out);
/// Likewise tracers that are plates.
int bench_plates(const char *isa, bool quick, FILE *out);

// ---- features.c: what a feature of a gas costs, off and on by turns. 0, or a status of failure.
int bench_features(gyre_device *device, const char *name, bool quick, FILE *out);
/// Dust on water: bench/tracers.c. Prints, and returns 1 where its gate is not reached.
int bench_dust(const char *isa, bool quick, FILE *out);
/// What features of water cost, off and on by turns: bench/water_features.c. Returns how many did
/// not run.
int bench_water_features(const char *isa, bool quick, FILE *out);

// ---- system.c: all that the benches ask of the operating system

/// Seconds from some fixed moment.
double bench_now(void);
/// Seconds of processor time that the calling thread has had: what other programs take from it does
/// not count.
double bench_processor_now(void);
/// The clock for what runs on so many threads: of one its own time, of several the moment.
double bench_now_on(int threads);
/// Zeroed memory on large pages where they are to be had. Ends the program with a message when
/// there is none.
void *bench_allocate(size_t bytes);
void bench_release(void *memory);
/// Bytes that can still be allocated without swapping; 0 when unknown.
size_t bench_memory_left(void);
/// A symbol of the module NAME.so that lies beside the program; NULL where there is none, with why
/// in `why`.
void *bench_module(const char *name, const char *symbol, char *why, size_t size);
/// Sorts `values`. 0 for none.
double bench_median(double *values, int count);

/// Whether the largest value is at most a fifth above the smallest.
bool bench_steady(const double *values, int count);
/// What stands in place of a gain of threads where the copies of its run were not steady.
extern const char bench_noise[];

// ---- bench.c

// How each bench is called; lines of the help, and of what is told after a mistake.
#define BENCH_GAS_USAGE                                                                            \
    "gyre bench gas [--threads LIST] [--isa NAME] [--quick] [--case NAME] [--gate] [--untimed] "   \
    "[--offline] [--json]\n"                                                                       \
    "  gyre bench gas --feature NAME [--threads LIST] [--isa NAME] [--quick]\n"
#define BENCH_GAS_DEVICE_USAGE                                                                     \
    "gyre bench gas --device WHICH [--case 2d_N|3d_N] [--steps N] [--scalars 32|16] [--json]\n"
#define BENCH_SOLVERS_USAGE                                                                        \
    "gyre bench solvers [--threads LIST] [--quick] [--gate] [--part "                              \
    "complexity|speed|cycle|asides] [--points FILE] [--solver NAME] [--untimed] [--json]\n"
#define BENCH_WATER_USAGE                                                                          \
    "gyre bench water [--threads LIST] [--isa NAME] [--quick] [--gate] [--untimed]\n"
#define BENCH_WATER_DEVICE_USAGE                                                                   \
    "gyre bench water --device WHICH [--case wave_N|shallow_N] [--steps N] [--json]\n"

#define BENCH_OCEAN_USAGE                                                                          \
    "gyre bench ocean [--threads LIST] [--isa NAME] [--quick] [--gate] [--untimed]\n"

#define BENCH_RENDER_USAGE                                                                         \
    "gyre bench render [--threads N] [--isa NAME] [--quick] [--case NAME] [--gate] [--untimed] "   \
    "[--scenes FOLDER] [--keep FOLDER]\n"

#define BENCH_GAME_USAGE                                                                           \
    "gyre bench game [--threads N] [--isa NAME] [--quick] [--gate] [--untimed]\n"

#define BENCH_VIEW_USAGE "gyre bench view [--case NAME] [--frames N] [--scenes FOLDER]\n"
#define BENCH_WEB_USAGE "gyre bench web [--quick] [--case NAME] [--gate] [--module FOLDER]\n"

#define BENCH_TRANSPORT_USAGE                                                                      \
    "gyre bench transport [--threads N] [--isa NAME] [--quick] [--gate] [--untimed]\n"

enum { BENCH_THREADS = 4 }; // numbers in a list of them

/// Reads a list such as "1,2" into `threads`. NULL, or what is wrong with it, to be followed by the
/// text itself.
const char *bench_threads(const char *text, int *threads, int most, int *count);

// ---- flow.c: a broad-band initial state

enum { BENCH_MODES = 32 };

/// A divergence-free velocity in a closed box 1 m wide, from a vector potential of random modes
/// whose kinetic energy falls as k^-5/3 per wave number, between 2 waves and n/6. The same for the
/// same dim and n, always.
typedef struct bench_flow {
    int dim, n;
    float *node[3], *centre[3];      // [mode][sample]: factors of the modes at nodes and centres
    float amplitude[3][BENCH_MODES]; // of the potential's components
    float scale;
} bench_flow;

bench_flow bench_flow_make(int dim, int n);
void bench_flow_free(bench_flow *flow);
/// Row (j, k) of the velocity component `axis` on its faces; n + (axis == 0) samples, about 1 m/s
/// at most.
void bench_flow_row(const bench_flow *flow, int axis, int j, int k, float *out);
/// Row (j, k) of a scalar between 0 and 1 at cell centres.
void bench_scalar_row(const bench_flow *flow, int j, int k, float *out);

// ---- classic.c: the paper's and the cube text's algorithm

/// Velocity and one density on n^dim cells in a closed box.
typedef struct bench_classic {
    gyre_classic_box box;
    float *velocity[3], *previous[3], *density, *sources;
} bench_classic;

bench_classic bench_classic_make(const bench_flow *flow);
void bench_classic_free(bench_classic *classic);
/// One step with `sweeps` of Gauss-Seidel in each solve. Fails by ending the program with a
/// message.
void bench_classic_step(bench_classic *classic, float dt, int sweeps);
/// A velocity step; `divergence`: the root mean square before [0] and after [1] its last
/// projection, by face differences: a face takes the mean of its two cells.
void bench_classic_divergence(bench_classic *classic, float dt, int sweeps, double divergence[2]);
/// The largest velocity component.
float bench_classic_speed(const bench_classic *classic);

// ---- machine.c: what this machine can do

/// Bytes read and written per second when large arrays are copied on the device's threads, by the
/// faster of memcpy and streaming stores.
double bench_copy_rate(gyre_device *device, int threads);

/// Arrays that look-ups are measured on.
typedef struct bench_lookup {
    int dim, n;
    float *from, *to, *offset;
} bench_lookup;

bench_lookup bench_lookup_make(int dim, int n);
void bench_lookup_free(bench_lookup *lookup);
/// Seconds per bilinear (trilinear) look-up in an array of n^dim floats at smoothly displaced
/// places, worked out per look-up, with the widest gathers that this machine has.
double bench_lookup_time(bench_lookup *lookup, gyre_device *device, int threads);
/// "avx512", "avx2" or "plain".
const char *bench_lookup_isa(void);

// ---- reading.c

/// What is copied out of a model: a field, or a vector at centres, interleaved.
typedef struct bench_read {
    const char *what;           // as it is told
    const char *field, *vector; // one of them
    int format;                 // gyre_copy_format
    bool gated;
} bench_read;

/// The most times a memcpy's time that reading a whole field as floats may take.
extern const double bench_reading_most;

/// How many memcpy's of as many floats one takes the time of, the median of some; `nanoseconds`: of
/// a cell.
double bench_reading(gyre_model *model, const bench_read *what, int threads, double *nanoseconds);

// ---- bench_gas.c

int bench_gas(int argc, char **argv);
/// Fills a new gas with the flow and tells its largest velocity component. 1: failed, and said why.
int bench_gas_fill(gyre_gas *gas, const bench_flow *flow, float *speed);

// ---- device.c

/// gyre bench gas --device WHICH, and water (waves): one device's step, op by op.
int bench_device(bool waves, int argc, char **argv);

// ---- bench_solvers.c

int bench_solvers(int argc, char **argv);

// ---- bench_ocean.c

int bench_ocean(int argc, char **argv);

// ---- bench_water.c

/// n x n cells of 0.25 m, 1 m deep, round in both directions; waves run at 3 m/s.
gyre_water_def bench_lake(int mode, int n);
int bench_water(int argc, char **argv);

// ---- bench_render.c

int bench_render(int argc, char **argv);
int bench_transport(int argc, char **argv);

// ---- bench_game.c

int bench_game(int argc, char **argv);

// ---- bench_view.c

int bench_view(int argc, char **argv);

// ---- bench_web.c

int bench_web(int argc, char **argv);

#endif
