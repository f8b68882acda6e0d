// bench/solvers.h: what the files of `gyre bench solvers` share.
#ifndef BENCH_SOLVERS_H
#define BENCH_SOLVERS_H

#include "bench/parts.h"

#include <stdio.h>

// ---- solvers_report.c: one table, for people or as JSON

typedef struct solvers_column {
    const char *name; // head of the column, key in JSON
    int width;        // < 0: text, aligned on the left
    int digits;       // of numbers
} solvers_column;

/// What stands in a column: a text, or, where that is NULL, a number (NaN: nothing).
typedef struct solvers_cell {
    const char *text;
    double number;
} solvers_cell;

typedef struct solvers_report {
    bool json;
    int rows, missed; // printed so far; gates that were not reached
    const char *part;
    const solvers_column *columns;
    int count;
} solvers_report;

void solvers_table(solvers_report *report, const char *part, const char *title,
                   const solvers_column *columns, int count);
void solvers_row(solvers_report *report, const solvers_cell *cells);
/// A remark below a table; to standard error when that is JSON.
void solvers_say(const solvers_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Says whether a value keeps to its bound, and counts it when it does not.
void solvers_gate(solvers_report *report, const char *what, double value, double bound,
                  bool at_most);

// ---- solvers_system.c: the systems that are solved, and how results are judged

/// White noise of mean 0 between -1 and 1, the same for the same count always.
void solvers_noise(float *b, size_t count);

/// Adds `amount` times the longest wave of a box of dim axes and n cells a side to b.
void solvers_add_wave(float *b, int dim, int n, double amount);

/// Root mean square of b - A x over that of b, in double precision, in a box of shut sides:
/// A x = shift x + sum over faces inside of (x - x_neighbour). Where shift is 0 the mean of b does
/// not count.
double solvers_residual(int dim, int n, double shift, const float *b, const double *x);

/// The exponent p of y = c x^p that fits best: least squares in logarithms.
double solvers_exponent(const double *x, const double *y, int count);

/// A system in a box of shut sides that is solved again and again.
typedef struct solvers_run {
    gyre_poisson *poisson;
    gyre_poisson_stats stats;
    double make, best; // seconds: to create it, of the quickest solve
    double own, first; // the calling thread's own: of the quickest solve; to create it and of the
                       // first solve
} solvers_run;

/// dim axes, n cells a side. False, with gyre_message(), when the solver cannot take it.
bool solvers_make(solvers_run *run, gyre_device *device, int dim, int n, float shift,
                  const gyre_solver_def *solver);
/// Solves from x (NULL: 0) and keeps the quickest times: once, or often enough to trust it, which
/// takes some `seconds`. False, with gyre_message(), when it fails.
bool solvers_once(solvers_run *run, const float *b, const float *x);
bool solvers_often(solvers_run *run, const float *b, const float *x, double seconds);
/// The answer in double precision, low part included.
void solvers_answer(const solvers_run *run, size_t count, double *x);
void solvers_free(solvers_run *run);

/// The defaults of a solver on its own.
gyre_solver_def solvers_def(int kind, double tolerance, int max_cycles);

/// n to the power dim.
size_t solvers_cells(int dim, int n);

// ---- the parts

typedef struct solvers_options {
    bool quick;
    int threads[BENCH_THREADS], thread_counts;
    gyre_device *devices[BENCH_THREADS];
    gyre_device *one; // of one thread, which is the caller's
    FILE *points;     // NULL, or where complexity leaves its measurements
    const char *only; // NULL, or the solver that complexity or untimed is to measure
} solvers_options;

/// Return 0, or 1 after a message.
int solvers_complexity(const solvers_options *options, solvers_report *report);
int solvers_speed(const solvers_options *options, solvers_report *report);
int solvers_cycle(const solvers_options *options, solvers_report *report);
int solvers_fixed(const solvers_options *options, solvers_report *report);
int solvers_diffusion(const solvers_options *options, solvers_report *report);
int solvers_untimed(const solvers_options *options, solvers_report *report);

#endif
