// bench/bench.h: the tool's measurements.
#ifndef BENCH_H
#define BENCH_H

/// `gyre bench PART [options]`: argv[0] is "bench". Returns the tool's exit status: 0, 1 for a
/// failure (or, with --gate, a gate not reached), 2 for wrong usage.
int gyre_bench(int argc, char **argv);

#endif
