// gyre bench ocean: a patch of spectra at a time, beside a plain copy of the bytes it leaves, and
// questions per point. And what no clock is needed for: memory, the height that patches hold.
#include "bench/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15, POINTS = 10000 };

typedef struct options {
    bool quick, gate, untimed;
    int threads[BENCH_THREADS], thread_counts;
    const char *isa;
} options;

static int missed;

static void gate(const options *o, const char *what, double value, double most)
{
    bool pass = value <= most;
    printf("    %-52s %8.3f (at most %.3f)%s\n", what, value, most, pass ? "" : "  MISSED");
    missed += o->gate && !pass;
}

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench ocean: %s: %s\n", what, gyre_message());
    return 1;
}

static gyre_device *open_device(const options *o, int threads)
{
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    def.isa = o->isa;
    return gyre_device_create(&def, &device) == GYRE_OK ? device : NULL;
}

/// A sea of 10 m/s of wind and a swell across it, with every default but the patch.
static gyre_ocean *make(gyre_device *device, int cells, int cascades, float finest)
{
    gyre_ocean *ocean = NULL;
    gyre_ocean_sea seas[2] = {gyre_ocean_default_sea(), gyre_ocean_default_sea()};
    gyre_ocean_def def = gyre_ocean_default_def();
    seas[1].given = GYRE_OCEAN_HEIGHT;
    seas[1].significant_height = 1.0f;
    seas[1].peak_period = 11.0f;
    seas[1].direction = 80.0f;
    seas[1].swell = 1.0f;
    def.seas = (gyre_pool){seas, 2, 2};
    def.patch.cells = cells;
    def.patch.cascades = cascades;
    def.patch.finest = finest;
    if (!device || gyre_ocean_create(device, &def, &ocean) != GYRE_OK)
        exit(fail("create"));
    return ocean;
}

/// The least of the rounds: what others on the machine take only adds.
static double least(const double *times)
{
    double low = times[0];
    for (int r = 1; r < ROUNDS; r++)
        low = times[r] < low ? times[r] : low;
    return low;
}

static void patch(const options *o, int n, float finest, int threads, double most)
{
    gyre_device *device = open_device(o, threads);
    gyre_ocean *ocean = make(device, n, 1, finest);
    size_t size = (size_t)n * (size_t)n * sizeof(float);
    char *to = bench_allocate(3 * size), *from = bench_allocate(3 * size);
    float *part[3];
    double tile[ROUNDS], copy[ROUNDS];
    for (int f = 0; f < 3; f++)
        part[f] = (float *)(void *)(to + (size_t)f * size);
    if (gyre_ocean_tile(ocean, 0, 0.0, part[0], part[1], part[2]) != GYRE_OK)
        exit(fail("tile"));
    for (int r = 0; r < ROUNDS; r++) {
        double start = bench_now_on(threads);
        if (gyre_ocean_tile(ocean, 0, 3600.0 + r, part[0], part[1], part[2]) != GYRE_OK)
            exit(fail("tile"));
        tile[r] = bench_now_on(threads) - start;
        start = bench_now_on(threads);
        memcpy(from, to, 3 * size);
        copy[r] = bench_now_on(threads) - start;
    }
    printf("height and two displacements %4d^2, finest %.1f cells, %d thread%s  least %6.3f ms, "
           "median %6.3f ms, copy %6.3f ms\n",
           n, (double)finest, threads, threads > 1 ? "s" : " ", least(tile) * 1e3,
           bench_median(tile, ROUNDS) * 1e3, bench_median(copy, ROUNDS) * 1e3);
    if (most > 0.0)
        gate(o, "ms, height and two displacements of 512^2", least(tile) * 1e3, most);
    bench_release(to);
    bench_release(from);
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
}

static void questions(const options *o, int cells, int cascades, float choppiness, double most)
{
    gyre_device *device = open_device(o, 1);
    gyre_ocean *ocean = make(device, cells, cascades, 3.0f);
    double *points = bench_allocate(2 * POINTS * sizeof *points), times[ROUNDS];
    gyre_ocean_sample *samples = bench_allocate(POINTS * sizeof *samples);
    uint32_t random = 1;
    for (int i = 0; i < 2 * POINTS; i++) {
        random = random * 1664525u + 1013904223u;
        points[i] = (double)random * 1e-5;
    }
    gyre_ocean_set(ocean, "choppiness", gyre_number((double)choppiness));
    for (int r = 0; r < ROUNDS; r++) {
        double start = bench_now_on(1);
        if (gyre_ocean_query(ocean, 1e5 + r, 0.0f, points, POINTS, samples) != GYRE_OK)
            exit(fail("query"));
        times[r] = bench_now_on(1) - start;
    }
    printf("questions, %d points of a time, %d x %d^2, choppiness %.1f  least %6.3f us a point, "
           "median %6.3f us\n",
           POINTS, cascades, cells, (double)choppiness, least(times) * 1e6 / POINTS,
           bench_median(times, ROUNDS) * 1e6 / POINTS);
    if (most > 0.0)
        gate(o, "us, a question of 10,000 at a new time", least(times) * 1e6 / POINTS, most);
    bench_release(points);
    bench_release(samples);
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
}

/// What a change of a sea costs when it is next needed.
static void tables(const options *o, int cells, int cascades)
{
    gyre_device *device = open_device(o, 1);
    gyre_ocean *ocean = make(device, cells, cascades, 3.0f);
    double times[ROUNDS], low;
    for (int r = 0; r < 3; r++) {
        double start = bench_now_on(1);
        gyre_ocean_get_stats(ocean);
        times[r] = bench_now_on(1) - start;
        gyre_ocean_set(ocean, "seed", gyre_number(r + 2));
    }
    low = times[0] < times[1] ? times[0] : times[1];
    printf("tables of two seas, %d x %d^2  %6.1f ms\n", cascades, cells,
           (low < times[2] ? low : times[2]) * 1e3);
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
}

static void untimed(const options *o)
{
    gyre_device *device = open_device(o, 1);
    gyre_ocean *ocean = make(device, 256, 2, 3.0f);
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_stats stats = gyre_ocean_get_stats(ocean);
    gate(o, "MB, with every default", (double)gyre_ocean_size(&def) / 1e6, 45.0);
    gate(o, "% of the height that patches do not hold",
         100.0 * (1.0 - stats.significant_height / stats.asked_height), 1.0);
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
}

static int usage(void)
{
    fprintf(stderr, "usage: " BENCH_OCEAN_USAGE);
    return 2;
}

int bench_ocean(int argc, char **argv)
{
    options o = {.threads = {1}, .thread_counts = 1};
    missed = 0;
    for (int i = 1; i < argc; i++) {
        const char *wrong;
        if (!strcmp(argv[i], "--quick"))
            o.quick = true;
        else if (!strcmp(argv[i], "--gate"))
            o.gate = true;
        else if (!strcmp(argv[i], "--untimed"))
            o.untimed = true;
        else if (!strcmp(argv[i], "--isa") && i + 1 < argc)
            o.isa = argv[++i];
        else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            wrong = bench_threads(argv[++i], o.threads, BENCH_THREADS, &o.thread_counts);
            if (wrong) {
                fprintf(stderr, "gyre bench ocean: --threads: %s%s\n", wrong, argv[i]);
                return usage();
            }
        } else
            return usage();
    }
    gyre_device *device = open_device(&o, 1);
    if (!device)
        return fail("device");
    printf("ocean on %s\n", gyre_device_isa(device));
    gyre_device_destroy(device);
    untimed(&o);
    if (o.untimed)
        return missed ? 1 : 0;
    for (int t = 0; t < o.thread_counts; t++) {
        patch(&o, 256, 3.0f, o.threads[t], 0.0);
        patch(&o, 512, 3.0f, o.threads[t], o.threads[t] == 1 ? 1.5 : 0.0);
        patch(&o, 512, 2.1f, o.threads[t], 0.0);
        if (!o.quick)
            patch(&o, 1024, 3.0f, o.threads[t], 0.0);
    }
    tables(&o, 256, 2);
    tables(&o, 512, 1);
    questions(&o, 256, 1, 0.0f, 0.0);
    questions(&o, 256, 2, 1.0f, 1.0);
    questions(&o, 512, 1, 1.0f, 1.0);
    return missed ? 1 : 0;
}
