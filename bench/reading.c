// Fields read into a program's own memory (gyre_model_copy) beside memcpy of as many floats, in
// turns, so that a slow moment of the machine slows both.
#include "bench/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 41, EACH = 48 };

const double bench_reading_most = 2.0;

/// Seconds of one; EACH of them are timed together.
static double time_copy(const char *from, char *to, size_t bytes, int threads)
{
    double start = bench_now_on(threads);
    for (int e = 0; e < EACH; e++) {
        memcpy(to, from, bytes);
        // So that no compiler leaves one out.
        __asm__ volatile("" : : "r"(to) : "memory");
    }
    return (bench_now_on(threads) - start) / EACH;
}

static double time_reading(gyre_model *model, const gyre_copy *what, int threads)
{
    double start = bench_now_on(threads);
    for (int e = 0; e < EACH; e++)
        if (gyre_model_copy(model, what) != GYRE_OK) {
            fprintf(stderr, "gyre bench: copy: %s\n", gyre_message());
            exit(1);
        }
    return (bench_now_on(threads) - start) / EACH;
}

double bench_reading(gyre_model *model, const bench_read *what, int threads, double *nanoseconds)
{
    const gyre_grid *grid = gyre_model_grid(model);
    size_t samples = (size_t)(grid->n[0] + 1) * (size_t)(grid->n[1] + 1) *
                     (size_t)(grid->n[2] + 1) * sizeof(float);
    size_t cells = (size_t)grid->n[0] * (size_t)grid->n[1] * (size_t)grid->n[2];
    gyre_copy copy = {.vector = what->vector,
                      .field = what->field ? gyre_model_field(model, what->field) : 0,
                      .format = what->format,
                      .centred = what->vector != NULL,
                      .range = {-1, 1},
                      .bytes = 3 * samples};
    int count, n[3];
    gyre_grid_samples(grid, gyre_model_fields(model, &count)[copy.field].location, n);
    size_t bytes = what->vector ? cells * sizeof(float) * (size_t)grid->dim
                                : sizeof(float) * (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    char *from = bench_allocate(3 * samples), *to = bench_allocate(3 * samples);
    char *read = bench_allocate(3 * samples);
    double ratio[ROUNDS], seconds[ROUNDS];
    copy.to = read;
    memset(from, 1, bytes);
    time_copy(from, to, bytes, threads);
    time_reading(model, &copy, threads);
    for (int r = 0; r < ROUNDS; r++) {
        double plain = time_copy(from, to, bytes, threads);
        seconds[r] = time_reading(model, &copy, threads);
        ratio[r] = seconds[r] / plain;
    }
    bench_release(from);
    bench_release(to);
    bench_release(read);
    *nanoseconds = bench_median(seconds, ROUNDS) / (double)cells * 1e9;
    return bench_median(ratio, ROUNDS);
}
