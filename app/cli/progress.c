// cli/progress.c: how far a run is: a bar on a terminal, a line now and then elsewhere.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(progress *p, bool quiet, int64_t first, int64_t total)
{
    *p = (progress){.quiet = quiet,
                    .terminal = isatty(STDERR_FILENO),
                    .first = first,
                    .total = total,
                    .start = now()};
    p->last = p->start;
}

void progress_frame(progress *p, int64_t done, double ms_per_step, const char *what, double ms)
{
    double time = now();
    // A terminal is not written to more often than an eye sees.
    bool due = time - p->last >= (p->terminal ? 0.1 : 1.0) || done == p->total;
    if (p->quiet || !due) {
        return;
    }
    p->last = time;
    double each = (time - p->start) / (double)(done - p->first);
    int left = (int)(each * (double)(p->total - done) + 0.5);
    char times[100];
    int used = snprintf(times, sizeof times, "%.1f ms per step", ms_per_step);
    if (what) {
        snprintf(times + used, sizeof times - (size_t)used, ", %.1f ms per %s", ms, what);
    }
    if (!p->terminal) {
        fprintf(stderr, "frame %lld of %lld, %d:%02d left, %s\n", (long long)done,
                (long long)p->total, left / 60, left % 60, times);
        return;
    }
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    int filled = p->total > 0 ? (int)(done * WIDTH / p->total) : WIDTH;
    for (int i = 0; i < WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %lld/%lld frames, %d:%02d left, %s \033[K", bar, (long long)done,
            (long long)p->total, left / 60, left % 60, times);
    fflush(stderr);
    p->shown = true;
}

void progress_end(progress *p)
{
    if (p->shown) {
        fputc('\n', stderr);
        p->shown = false;
    }
}
