// bench/bench.h: the tool's measurements.
#ifndef BENCH_H
#define BENCH_H

/// `gyre bench PART [options]`: argv[0] is "bench". Returns the tool's exit status: 0, 1 for a
/// failure (or, with --gate, a gate not reached), 2 for wrong usage.
int gyre_bench(int argc, char **argv);

/// How each part is called, and what its options do: what `gyre bench --help` and `gyre help bench`
/// print.
extern const char gyre_bench_help[];

#endif
