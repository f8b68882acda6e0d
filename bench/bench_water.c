// gyre bench water: linear waves beside a plain copy of the bytes they must move, shallow water per
// cell, a lake that sleeps but for a corner, a game's frame with bodies, questions per point.
// What is compared is timed in turns, in one run. And what no clock is needed for: memory, water
// that is lost, a lake at rest, substeps, tiles that sleep.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9 };

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
    fprintf(stderr, "gyre bench water: %s: %s\n", what, gyre_message());
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

gyre_water_def bench_lake(int mode, int n)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_side *sides = &def.sides.x_low;
    def.mode = mode;
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.h = 0.25f;
    def.bed.flat = -1.0f;
    def.wave_speed = 3.0f;
    for (int q = 0; q < 4; q++)
        sides[q].rule = GYRE_WATER_PERIODIC;
    return def;
}

static gyre_result splash(gyre_water *water, float x, float y, float radius, float height)
{
    return gyre_model_splat(gyre_water_model(water), 0, (const float[3]){x, y, 0}, radius, height);
}

/// Seconds of one step, the median of some.
static double time_step(gyre_water *water, float dt, int each)
{
    double start = bench_now();
    for (int n = 0; n < each; n++)
        if (gyre_water_step(water, dt) != GYRE_OK)
            exit(fail("step"));
    return (bench_now() - start) / each;
}

static void waves(const options *o, int n, int threads)
{
    gyre_device *device = open_device(o, threads);
    gyre_water_def def = bench_lake(GYRE_WATER_WAVE, n);
    gyre_water *water = NULL;
    if (!device || gyre_water_create(device, &def, &water) != GYRE_OK ||
        splash(water, 30, 40, 10, 0.3f) != GYRE_OK)
        exit(fail("waves"));
    // What must be moved: height and both components of the discharge, read and written.
    size_t bytes = (size_t)n * (size_t)n * 3 * sizeof(float);
    char *from = bench_allocate(bytes), *to = bench_allocate(bytes);
    double step[ROUNDS], copy[ROUNDS], ratio[ROUNDS];
    int each = n > 2048 ? 2 : 16;
    memset(from, 1, bytes);
    time_step(water, 0.04f, 3);
    for (int r = 0; r < ROUNDS; r++) {
        step[r] = time_step(water, 0.04f, each);
        double start = bench_now();
        for (int k = 0; k < each; k++) {
            memcpy(to, from, bytes);
            from[k] = to[(size_t)k * 64];
        }
        copy[r] = (bench_now() - start) / each;
        ratio[r] = step[r] / copy[r];
    }
    double ms = bench_median(step, ROUNDS) * 1e3, cells = (double)n * n;
    printf("wave %4d x %4d  %d thread%s  %8.3f ms  %6.3f ns/cell  copy %8.3f ms\n", n, n, threads,
           threads > 1 ? "s" : " ", ms, ms * 1e6 / cells, bench_median(copy, ROUNDS) * 1e3);
    if (threads == 1)
        gate(o, "times the copy's time", bench_median(ratio, ROUNDS), 1.3);
    bench_release(from);
    bench_release(to);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

/// Hills through the water, a third of the cells above it. Release the answer with bench_release().
static float *hills(gyre_water_def *def)
{
    int n = def->grid.n[0];
    float *bed = bench_allocate(sizeof(float) * (size_t)n * (size_t)n);
    for (int i = 0; i < n * n; i++)
        bed[i] = (float)(-0.3 + 0.7 * sin(i % n * 0.05) * cos(i / n * 0.043));
    def->bed.data = (gyre_volume){bed, {n, n, 1}, NULL};
    return bed;
}

/// Shallow water on one number of threads.
typedef struct pool_run {
    gyre_device *device;
    gyre_water *water;
    double step[ROUNDS], copy[ROUNDS]; // seconds per substep; bytes per second
} pool_run;

static void pool_make(pool_run *run, const options *o, const gyre_water_def *def, int threads)
{
    float middle = 0.125f * (float)def->grid.n[0];
    run->device = open_device(o, threads);
    if (!run->device || gyre_water_create(run->device, def, &run->water) != GYRE_OK ||
        splash(run->water, middle, middle, 0.8f * middle, 0.3f) != GYRE_OK)
        exit(fail("shallow"));
    time_step(run->water, 0.02f, 3);
}

/// What two threads gain is told where copies of the same run, on one thread and on two, were as
/// fast in each round.
static void gain(const options *o, const pool_run *runs)
{
    const pool_run *one = NULL, *two = NULL;
    for (int t = 0; t < o->thread_counts; t++) {
        one = o->threads[t] == 1 ? &runs[t] : one;
        two = o->threads[t] == 2 ? &runs[t] : two;
    }
    if (!one || !two)
        return;
    if (bench_steady(one->copy, ROUNDS) && bench_steady(two->copy, ROUNDS)) {
        double step[2][ROUNDS];
        memcpy(step[0], one->step, sizeof step[0]);
        memcpy(step[1], two->step, sizeof step[1]);
        gate(o, "of one thread's time on two",
             bench_median(step[1], ROUNDS) / bench_median(step[0], ROUNDS), 1.0 / 1.8);
    } else {
        printf("    of one thread's time on two: %s\n", bench_noise);
    }
}

/// All numbers of threads in turns, and copies between them.
static void shallow(const options *o, int n, bool shore)
{
    pool_run runs[BENCH_THREADS];
    gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, n);
    float *bed = shore ? hills(&def) : NULL;
    for (int t = 0; t < o->thread_counts; t++)
        pool_make(&runs[t], o, &def, o->threads[t]);
    for (int r = 0; r < ROUNDS; r++)
        for (int t = 0; t < o->thread_counts; t++) {
            runs[t].copy[r] = bench_copy_rate(runs[t].device, o->threads[t]);
            runs[t].step[r] =
                time_step(runs[t].water, 0.02f, 4) / gyre_water_get_stats(runs[t].water).substeps;
        }
    for (int t = 0; t < o->thread_counts; t++) {
        double ns = bench_median(runs[t].step, ROUNDS) * 1e9 / n / n;
        printf("shallow %4d x %4d %-11s %d thread%s  %6.2f ns/cell\n", n, n,
               shore ? "wet and dry" : "all wet", o->threads[t], o->threads[t] > 1 ? "s" : " ", ns);
        if (o->threads[t] == 1)
            gate(o, shore ? "ns per cell and step, wet and dry" : "ns per cell and step, all wet",
                 ns, 15.0);
        gyre_water_destroy(runs[t].water);
        gyre_device_destroy(runs[t].device);
    }
    if (!shore)
        gain(o, runs);
    bench_release(bed);
}

/// A lake that has fallen asleep, if it may, but for a tenth of its length in the middle.
static gyre_water *sleeper(gyre_device *device, int n, bool may_sleep)
{
    float middle = 0.125f * (float)n;
    gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, n);
    gyre_water *water = NULL;
    def.sleep_height = may_sleep ? 1e-6f : 0.0f;
    def.sleep_steps = 4;
    if (!device || gyre_water_create(device, &def, &water) != GYRE_OK)
        exit(fail("asleep"));
    for (int k = 0; k < 6; k++)
        time_step(water, 0.02f, 1);
    if (splash(water, middle, middle, 0.03f * (float)n * 0.25f, 0.3f) != GYRE_OK)
        exit(fail("asleep"));
    return water;
}

/// In per cent, after the last step.
static double share_awake(gyre_water *water, int n)
{
    return gyre_water_get_stats(water).awake * 4096.0 / n / n * 100.0;
}

/// A lake of which a hundredth moves, beside the same lake wide awake.
static void asleep(const options *o, int n)
{
    gyre_device *device = open_device(o, 1);
    double ms[2], share = 0;
    for (int q = 0; q < 2; q++) {
        gyre_water *water = sleeper(device, n, q == 0);
        double step[3];
        for (int r = 0; r < 3; r++)
            step[r] = time_step(water, 0.02f, q ? 1 : 4);
        ms[q] = bench_median(step, 3) * 1e3;
        if (q == 0)
            share = share_awake(water, n);
        gyre_water_destroy(water);
    }
    printf("lake %4d x %4d  %.2f %% of its tiles stepped  %8.3f ms  all awake %9.3f ms\n", n, n,
           share, ms[0], ms[1]);
    gate(o, "of the full step's time, in per cent", ms[0] / ms[1] * 100.0, 3.0);
    gyre_device_destroy(device);
}

/// The talk's frame: 256 x 256 cells with ten bodies.
static gyre_water *frame_make(gyre_device *device)
{
    gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, 256);
    gyre_water_body bodies[10];
    gyre_water *water = NULL;
    for (int b = 0; b < 10; b++) {
        bodies[b] = gyre_water_default_body();
        snprintf(bodies[b].name, sizeof bodies[b].name, "body%d", b);
        bodies[b].form = b % 3;
        bodies[b].size[0] = b % 3 == 1 ? 4.0f : 1.5f;
        bodies[b].size[1] = 3.0f;
        bodies[b].size[2] = 1.0f;
        bodies[b].pose.position[0] = 8.0f + 5.0f * (float)b;
        bodies[b].pose.position[1] = 12.0f + (float)(b * 29 % 40);
        bodies[b].pose.position[2] = 0.5f;
    }
    def.bodies = (gyre_pool){bodies, 10, 10};
    if (!device || gyre_water_create(device, &def, &water) != GYRE_OK)
        exit(fail("frame"));
    return water;
}

/// Mode shallow with and without the pressure that is not hydrostatic, of water 2 and 8 cells deep,
/// turn about. Processor time.
static void nonhydrostatic(const options *o, float deep)
{
    enum { N = 512 };
    gyre_device *device = open_device(o, 1);
    gyre_water *water[2] = {NULL, NULL};
    double step[2][ROUNDS], ns[2];
    for (int k = 0; k < 2; k++) {
        gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, N);
        def.grid.h = 1.0f;
        def.bed.flat = -deep;
        def.nonhydrostatic = k;
        if (gyre_water_create(device, &def, &water[k]) != GYRE_OK) {
            missed += fail("nonhydrostatic");
        } else {
            splash(water[k], 100.0f, 100.0f, 8.0f, 0.1f);
        }
    }
    for (int r = 0; r < ROUNDS && water[0] && water[1]; r++) {
        for (int k = 0; k < 2; k++) {
            double start = bench_processor_now();
            time_step(water[k], 1.0f / 60, 3);
            step[k][r] = (bench_processor_now() - start) / 3;
        }
    }
    for (int k = 0; k < 2 && water[0] && water[1]; k++) {
        ns[k] = bench_median(step[k], ROUNDS) * 1e9 / (N * (double)N);
    }
    if (water[0] && water[1]) {
        printf("nonhydrostatic 512 x 512, %.0f cells deep  %6.2f ns/cell, without %5.2f\n",
               (double)deep, ns[1], ns[0]);
        gate(o, "times the hydrostatic step", ns[1] / ns[0], deep > 4.0f ? 20.0 : 10.0);
    }
    gyre_water_destroy(water[0]);
    gyre_water_destroy(water[1]);
    gyre_device_destroy(device);
}

/// Mode dispersive, in deep water without a shore and with an island. Processor time.
static void dispersive(const options *o, bool island)
{
    enum { N = 512 };
    gyre_device *device = open_device(o, 1);
    gyre_water_def def = bench_lake(GYRE_WATER_DISPERSIVE, N);
    float *bed = malloc(sizeof(float) * N * N);
    for (int i = 0; i < N * N && bed; i++) {
        double x = (i % N - 256) * 0.02, y = (i / N - 200) * 0.02;
        bed[i] = (float)(-10.0 + 13.0 * exp(-x * x - y * y));
    }
    def.grid.h = 1.0f;
    def.bed.flat = -10.0f;
    if (island) {
        def.bed.data = (gyre_volume){bed, {N, N, 1}, NULL};
        def.bed.low = 0.0f;
    }
    gyre_water *water = NULL;
    if (gyre_water_create(device, &def, &water) != GYRE_OK) {
        missed += fail("dispersive");
    } else {
        splash(water, 100.0f, 100.0f, 8.0f, 0.5f);
        time_step(water, 1.0f / 60, 5);
        double step[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            double start = bench_processor_now();
            time_step(water, 1.0f / 60, 5);
            step[r] = (bench_processor_now() - start) / 5;
        }
        double ms = bench_median(step, ROUNDS) * 1e3;
        printf("dispersive 512 x 512, %s, %d substeps  %6.3f ms\n", island ? "an island" : "deep",
               gyre_water_get_stats(water).substeps, ms);
        gate(o, "ms a step", ms, 25.0);
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
    free(bed);
}

static void frame(const options *o)
{
    gyre_device *device = open_device(o, 1);
    gyre_water *water = frame_make(device);
    double step[ROUNDS];
    time_step(water, 0.01f, 30);
    for (int r = 0; r < ROUNDS; r++)
        step[r] = time_step(water, 0.01f, 20);
    double ms = bench_median(step, ROUNDS) * 1e3;
    printf("frame: 256 x 256 shallow, ten bodies, %d substep  %6.3f ms\n",
           gyre_water_get_stats(water).substeps, ms);
    gate(o, "ms a step", ms, 1.5);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

static void questions(const options *o)
{
    enum { COUNT = 10000 };
    static float at[4 * COUNT], volume[COUNT];
    static gyre_water_sample answer[COUNT];
    gyre_device *device = open_device(o, 1);
    for (int copies = 0; copies < 2; copies++) {
        gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, 512);
        gyre_water *water = NULL;
        def.queries = copies;
        if (!device || gyre_water_create(device, &def, &water) != GYRE_OK ||
            splash(water, 64, 64, 20, 0.3f) != GYRE_OK)
            exit(fail("questions"));
        time_step(water, 0.02f, 4);
        uint32_t z = 12345;
        for (int i = 0; i < 4 * COUNT; i++) {
            z = z * 1664525u + 1013904223u;
            at[i] = 128.0f * (float)(z >> 8) / 16777216.0f;
        }
        double points[ROUNDS], spheres[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            double start = bench_now();
            if (gyre_water_query(water, at, COUNT, answer) != GYRE_OK)
                exit(fail("query"));
            points[r] = (bench_now() - start) / COUNT;
            for (int i = 0; i < COUNT; i++)
                at[4 * i + 3] = 0.5f;
            start = bench_now();
            if (gyre_water_submerged(water, at, COUNT, volume) != GYRE_OK)
                exit(fail("submerged"));
            spheres[r] = (bench_now() - start) / COUNT;
        }
        double q = bench_median(points, ROUNDS) * 1e9, s = bench_median(spheres, ROUNDS) * 1e9;
        printf("questions, %d at random places, %s  point %6.1f ns  sphere %6.1f ns\n", COUNT,
               copies ? "beside a step" : "between steps", q, s);
        gate(o, "ns a point", q, 100.0);
        gate(o, "ns a sphere", s, 100.0);
        gyre_water_destroy(water);
    }
    gyre_device_destroy(device);
}

/// A hull of 26 points, an egg, half in the water, asked for its forces again and again.
static void hull_reports(const options *o)
{
    enum { RINGS = 4, ROUND = 6, POINTS = RINGS * ROUND + 2, EACH = 200 };
    static const float sizes[] = {1.0f, 4.0f};
    gyre_device *device = open_device(o, 1);
    gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, 256);
    gyre_water *water = NULL;
    if (!device || gyre_water_create(device, &def, &water) != GYRE_OK)
        exit(fail("hulls"));
    for (int q = 0; q < 2; q++) {
        float points[POINTS][3] = {{0, 0, -0.5f * sizes[q]}, {0, 0, 0.5f * sizes[q]}};
        for (int i = 0; i < RINGS * ROUND; i++) {
            double down = 3.14159265 * (i / ROUND + 1) / (RINGS + 1);
            double round = 6.2831853 * (i % ROUND) / ROUND;
            points[2 + i][0] = sizes[q] * (float)(sin(down) * cos(round));
            points[2 + i][1] = 0.7f * sizes[q] * (float)(sin(down) * sin(round));
            points[2 + i][2] = 0.5f * sizes[q] * (float)cos(down);
        }
        gyre_water_body body = gyre_water_default_body();
        body.form = GYRE_BODY_HULL;
        body.points = (gyre_volume){points[0], {3, POINTS, 1}, NULL};
        body.pose.position[0] = body.pose.position[1] = 32.1f;
        double seconds[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            gyre_body_report report;
            double start = bench_now();
            for (int k = 0; k < EACH; k++)
                if (gyre_water_report_body(water, &body, &report) != GYRE_OK)
                    exit(fail("report_body"));
            seconds[r] = (bench_now() - start) / EACH;
        }
        double cells = 3.14159265 * 0.7 * (double)sizes[q] * (double)sizes[q] / 0.0625;
        double us = bench_median(seconds, ROUNDS) * 1e6;
        printf("questions, a hull of %d points over %4.0f cells  %7.2f us  %6.1f ns a cell\n",
               POINTS, cells, us, us * 1e3 / cells);
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

static gyre_water *lake_make(gyre_device *device, const gyre_water_def *def, bool splashed)
{
    float middle = 0.125f * (float)def->grid.n[0];
    gyre_water *water = NULL;
    if (!device || gyre_water_create(device, def, &water) != GYRE_OK ||
        (splashed && splash(water, middle, middle, 0.8f * middle, 0.3f) != GYRE_OK))
        exit(fail("lake"));
    return water;
}

/// As many cells as 64^3, read into the caller's memory.
static void reading(const options *o)
{
    static const bench_read reads[] = {
        {"depth", "depth", NULL, GYRE_COPY_FLOAT, true},
        {"depth as half", "depth", NULL, GYRE_COPY_HALF, false},
        {"surface", "surface", NULL, GYRE_COPY_FLOAT, false},
        {"discharge", NULL, "discharge", GYRE_COPY_FLOAT, false},
    };
    gyre_device *device = open_device(o, 1);
    gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, 512);
    gyre_water *water = lake_make(device, &def, true);
    time_step(water, 0.02f, 4);
    for (size_t r = 0; r < sizeof reads / sizeof *reads; r++) {
        double ns, ratio = bench_reading(gyre_water_model(water), &reads[r], 1, &ns);
        printf("copy 512 x 512, %-14s %6.3f ns/cell %6.2f x memcpy\n", reads[r].what, ns, ratio);
        if (reads[r].gated)
            gate(o, "x memcpy", ratio, bench_reading_most);
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

/// A window that goes on by eight cells, beside a step.
static void travel(const options *o)
{
    gyre_device *device = open_device(o, 1);
    gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, 512);
    gyre_water *water = lake_make(device, &def, true);
    double seconds[ROUNDS], step = time_step(water, 0.02f, 4);
    for (int r = 0; r < ROUNDS; r++) {
        double start = bench_now();
        if (gyre_model_shift(gyre_water_model(water), (const int32_t[3]){r % 2 ? 8 : -8, 0, 0}) !=
            GYRE_OK)
            exit(fail("shift"));
        seconds[r] = bench_now() - start;
    }
    double ms = bench_median(seconds, ROUNDS) * 1e3;
    printf("window 512 x 512 moved by 8 cells  %.2f ms  a step %.2f ms\n", ms, step * 1e3);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

// ---------------------------------------------------------------- without a clock

static void memory(const options *o)
{
    for (int q = 0; q < 2; q++) {
        gyre_water_def def = bench_lake(GYRE_WATER_SHALLOW, 1024);
        def.queries = q;
        gate(o, q ? "bytes per cell with copies for questions" : "bytes per cell",
             (double)gyre_water_size(&def) / 1048576.0, q ? 114.0 : 82.0);
    }
}

/// Steps water and says what part of it the ledger misses, in millionths.
static gyre_water_stats account(const options *o, const char *what, gyre_water *water, float dt,
                                int steps)
{
    time_step(water, dt, steps);
    gyre_water_stats stats = gyre_water_get_stats(water);
    gate(o, what, fabs(stats.ledger_error) / stats.volume * 1e6, 0.1);
    return stats;
}

static void untimed(const options *o)
{
    enum { N = 256, LARGE = 2048 };
    gyre_device *device = open_device(o, 1);
    gyre_water_def wave = bench_lake(GYRE_WATER_WAVE, N), def = bench_lake(GYRE_WATER_SHALLOW, N);
    memory(o);
    gyre_water *water = lake_make(device, &wave, true);
    account(o, "millionths of water lost, waves", water, 0.04f, 64);
    gyre_water_destroy(water);
    float *bed = hills(&def);
    water = lake_make(device, &def, true);
    gyre_water_stats stats = account(o, "millionths of water lost, wet and dry", water, 0.02f, 64);
    gate(o, "substeps, wet and dry", stats.substeps, 1);
    gyre_water_destroy(water);
    water = lake_make(device, &def, false);
    time_step(water, 0.02f, 32);
    gate(o, "m/s at most, a lake at rest among hills",
         (double)gyre_water_get_stats(water).max_speed, 0.0);
    gyre_water_destroy(water);
    bench_release(bed);
    water = frame_make(device);
    stats = account(o, "millionths of water lost, ten bodies", water, 0.01f, 60);
    gate(o, "substeps, ten bodies", stats.substeps, 1);
    gyre_water_destroy(water);
    water = sleeper(device, LARGE, true);
    time_step(water, 0.02f, 12);
    gate(o, "per cent of a lake's tiles stepped", share_awake(water, LARGE), 1.6);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
}

static int usage(const char *wrong, const char *text)
{
    fprintf(stderr, "gyre bench water: %s%s\n", wrong, text);
    fprintf(stderr, "usage: " BENCH_WATER_USAGE "       " BENCH_WATER_DEVICE_USAGE);
    return 2;
}

int bench_water(int argc, char **argv)
{
    options o = {.threads = {1, 2}, .thread_counts = 2};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--device"))
            return bench_device(true, argc, argv);
    }
    for (int i = 1; i < argc; i++) {
        const char *wrong = NULL;
        if (!strcmp(argv[i], "--quick"))
            o.quick = true;
        else if (!strcmp(argv[i], "--gate"))
            o.gate = true;
        else if (!strcmp(argv[i], "--untimed"))
            o.untimed = true;
        else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            wrong = bench_threads(argv[++i], o.threads, BENCH_THREADS, &o.thread_counts);
            if (wrong)
                return usage(wrong, argv[i]);
        } else if (!strcmp(argv[i], "--isa") && i + 1 < argc)
            o.isa = argv[++i];
        else
            return usage("unknown option or missing value: ", argv[i]);
    }
    gyre_device *device = open_device(&o, 1);
    if (!device)
        return fail("device");
    printf("water on %s\n", gyre_device_isa(device));
    gyre_device_destroy(device);
    if (o.untimed) {
        untimed(&o);
        return missed ? 1 : 0;
    }
    for (int t = 0; t < o.thread_counts; t++) {
        waves(&o, 1024, o.threads[t]);
        if (!o.quick)
            waves(&o, 4096, o.threads[t]);
    }
    shallow(&o, o.quick ? 512 : 1024, false);
    shallow(&o, o.quick ? 512 : 1024, true);
    asleep(&o, o.quick ? 2048 : 4096);
    frame(&o);
    nonhydrostatic(&o, 2.0f);
    nonhydrostatic(&o, 8.0f);
    dispersive(&o, false);
    dispersive(&o, true);
    questions(&o);
    hull_reports(&o);
    reading(&o);
    travel(&o);
    memory(&o);
    missed += bench_water_features(o.isa, o.quick, stdout) && o.gate;
    missed += bench_dust(o.isa, o.quick, stdout) && o.gate;
    return missed ? 1 : 0;
}
