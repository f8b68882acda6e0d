// gyre bench game: what a game asks of its fluids beside a step. Queries: a thousand probes, means
// over boxes and balls, and sights, in 2D, in 3D and in water, on one thread. Rolling back: a gas
// of 256 x 256 cells, water of 512 x 512 and 100 bodies on it, saved and loaded, and eight frames
// again. Gates: a thousand queries of each kind take at most 0.2 ms at their least (not with
// --untimed), saved states are at most two copies of what lives, and eight frames again are the
// same bits.
#include "bench/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED = 1000, ROUNDS = 15, QUICK = 5, FRAMES = 8, BODIES = 100 };

/// Milliseconds that a thousand of each may take beside a step.
static const double MOST = 0.2;

typedef struct options {
    bool quick, gate, untimed;
    int threads;
    const char *isa;
} options;

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench game: %s: %s\n", what, gyre_message());
    return 1;
}

/// Numbers from 0 to 1, always the same.
static float draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

// ---- queries ------------------------------------------------------------------------------------

typedef struct questions {
    float points[3 * ASKED], segments[6 * ASKED], values[3 * ASKED];
    gyre_shape boxes[ASKED], balls[ASKED];
    gyre_mean means[ASKED];
    gyre_sight sights[ASKED];
} questions;

/// Places anywhere; boxes four cells wide and balls of two cells' radius, as of a head or a room's
/// door; segments of `reach` cells.
static void think(questions *q, const gyre_grid *g, float reach)
{
    uint32_t state = 1;
    for (int i = 0; i < ASKED; i++) {
        float *p = q->points + 3 * i, *s = q->segments + 6 * i, way[3], length = 0.0f;
        const float size[3] = {4.0f * g->h, 4.0f * g->h, 4.0f * g->h};
        for (int a = 0; a < 3; a++) {
            float inside =
                reach / (float)g->n[a] < 0.4f ? 1.0f - 2.0f * reach / (float)g->n[a] : 0.2f;
            float middle = 0.5f + (draw(&state) - 0.5f) * inside;
            p[a] = g->origin[a] + (a < g->dim ? middle * (float)g->n[a] * g->h : 0.0f);
            way[a] = a < g->dim ? draw(&state) - 0.5f : 0.0f;
            length += way[a] * way[a];
        }
        for (int a = 0; a < 3; a++) {
            s[a] = p[a];
            s[3 + a] = p[a] + way[a] / sqrtf(length) * reach * g->h;
        }
        q->boxes[i] = gyre_box(p, size);
        q->balls[i] = gyre_sphere(p, 2.0f * g->h);
    }
}

/// Milliseconds of one kind of a thousand questions: the median, and the least, which others on the
/// machine have kept from nothing.
static double time_of(const gyre_model *model, questions *q, int field, int kind, int rounds,
                      double *least)
{
    double all[ROUNDS];
    for (int r = 0; r < rounds; r++) {
        double start = bench_processor_now();
        gyre_result done =
            kind == 0   ? gyre_model_probe(model, field, q->points, ASKED, q->values)
            : kind == 1 ? gyre_model_probe_vector(model, "velocity", q->points, ASKED, q->values)
            : kind == 2 ? gyre_model_mean(model, field, q->boxes, ASKED, q->means)
            : kind == 3
                ? gyre_model_mean(model, field, q->balls, ASKED, q->means)
                : gyre_model_sight(model, field, 1.0f, kind == 5, q->segments, ASKED, q->sights);
        all[r] = bench_processor_now() - start;
        if (done != GYRE_OK)
            exit(fail("a query"));
    }
    *least = 1e3 * all[0];
    for (int r = 1; r < rounds; r++)
        *least = fmin(*least, 1e3 * all[r]);
    return 1e3 * bench_median(all, rounds);
}

/// Returns the dearest kind's least.
static double ask(const char *what, gyre_model *model, const char *name, int rounds)
{
    static questions q;
    double worst = 0.0, least;
    int field = gyre_model_field(model, name);
    printf("| %s |", what);
    think(&q, gyre_model_grid(model), 16.0f);
    for (int kind = 0; kind < 6; kind++) {
        double median = time_of(model, &q, field, kind, rounds, &least);
        printf(" %.3f, %.3f |", median, least);
        worst = fmax(worst, least);
    }
    printf("\n");
    return worst;
}

static gyre_gas *make_gas(gyre_device *device, int dim, int n, bool ball)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas_solid solid = gyre_gas_default_solid();
    gyre_gas_emitter jet = gyre_gas_default_emitter();
    gyre_gas *gas = NULL;
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    solid.shape = gyre_sphere((const float[3]){0.5f, 0.6f, 0.5f}, 0.15f);
    jet.shape = gyre_sphere((const float[3]){0.5f, 0.2f, 0.5f}, 0.1f);
    jet.temperature = 200.0f;
    def.emitters = (gyre_pool){&jet, 1, 4};
    if (ball)
        def.solids = (gyre_pool){&solid, 1, 4};
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK)
        exit(fail("a gas"));
    for (int s = 0; s < 4; s++)
        if (gyre_gas_step(gas, 1.0f / 60) != GYRE_OK)
            exit(fail("step"));
    return gas;
}

/// A pool with a hill of water in it.
static gyre_water *make_water(gyre_device *device, int n)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water = NULL;
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.h = 0.125f;
    def.bed.flat = -2.0f;
    const float middle[3] = {0.05f * (float)n, 0.06f * (float)n, 0.0f};
    if (gyre_water_create(device, &def, &water) != GYRE_OK ||
        gyre_model_splat(gyre_water_model(water), 0, middle, 3.0f, 0.5f) != GYRE_OK)
        exit(fail("water"));
    return water;
}

static int queries(gyre_device *device, const options *o)
{
    int rounds = o->quick ? QUICK : ROUNDS;
    double worst = 0.0;
    printf("ms for 1000 on one thread, median and least, boxes 4 cells wide, balls of 2 cells' "
           "radius, segments of "
           "16 cells\n"
           "| | probe | of a vector | mean, boxes | mean, balls | sight | with walls |\n"
           "|---|---|---|---|---|---|---|\n");
    gyre_gas *gas[3] = {make_gas(device, 2, 256, false), make_gas(device, 2, 256, true),
                        make_gas(device, 3, 64, true)};
    static const char *const names[] = {"gas 256²", "with a ball", "gas 64³, a ball"};
    for (int q = 0; q < 3; q++) {
        worst = fmax(worst, ask(names[q], gyre_gas_model(gas[q]), "density", rounds));
        gyre_gas_destroy(gas[q]);
    }
    gyre_water *water = make_water(device, 512);
    worst = fmax(worst, ask("water 512²", gyre_water_model(water), "depth", rounds));
    gyre_water_destroy(water);
    if (worst <= MOST || o->untimed)
        return 0;
    fprintf(stderr, "gyre bench game: MISSED: a thousand take %.3f ms, wanted at most %.1f\n",
            worst, MOST);
    return o->gate;
}

// ---- rolling back -------------------------------------------------------------------------------

typedef struct world {
    gyre_gas *gas;
    gyre_water *water;
    gyre_bodies *bodies;
    void *slot[3];
    size_t size[3], written[3];
} world;

static void step(world *w)
{
    if (gyre_gas_step(w->gas, 1.0f / 60) != GYRE_OK ||
        gyre_water_step(w->water, 1.0f / 60) != GYRE_OK ||
        gyre_bodies_step(w->bodies, 1.0f / 60) != GYRE_OK)
        exit(fail("step"));
}

/// With `sure` with checksums.
static void save(world *w, bool sure)
{
    gyre_result (*how)(const gyre_model *, void *, size_t, size_t *) =
        sure ? gyre_model_save : gyre_model_snapshot;
    gyre_model *models[2] = {gyre_gas_model(w->gas), gyre_water_model(w->water)};
    if (gyre_bodies_save(w->bodies, w->slot[2], w->size[2], &w->written[2]) != GYRE_OK)
        exit(fail("save"));
    for (int q = 0; q < 2; q++)
        if (how(models[q], w->slot[q], w->size[q], &w->written[q]) != GYRE_OK)
            exit(fail("save"));
}

static void load(world *w)
{
    if (gyre_bodies_load(w->bodies, w->slot[2], w->size[2]) != GYRE_OK ||
        gyre_water_load(w->water, w->slot[1], w->size[1]) != GYRE_OK ||
        gyre_gas_load(w->gas, w->slot[0], w->size[0]) != GYRE_OK)
        exit(fail("load"));
}

static void fill(world *w, gyre_device *device)
{
    gyre_body crate = gyre_bodies_default_body();
    gyre_bodies_def def = gyre_bodies_default_def();
    def.capacity = BODIES;
    crate.motion = GYRE_MOTION_FREE;
    crate.density = 600.0f;
    w->gas = make_gas(device, 2, 256, true);
    w->water = make_water(device, 512);
    if (gyre_bodies_create(&def, &w->bodies) != GYRE_OK)
        exit(fail("bodies"));
    for (int b = 0; b < BODIES; b++) {
        for (int a = 0; a < 3; a++)
            crate.form.as.box.size[a] = 0.8f;
        crate.pose = (gyre_pose){
            .position = {6.0f * (float)(b % 10) + 4.0f, 6.0f * (float)(b / 10) + 4.0f, 0.3f},
            .rotation = {20.0f, 5.0f * (float)b, 0.0f}};
        if (!gyre_bodies_add(w->bodies, &crate))
            exit(fail("a body"));
    }
    if (gyre_model_use_bodies(gyre_water_model(w->water), w->bodies) != GYRE_OK)
        exit(fail("bodies in water"));
    w->size[0] = gyre_gas_save_size(w->gas);
    w->size[1] = gyre_water_save_size(w->water);
    w->size[2] = gyre_bodies_save_size(w->bodies);
    for (int q = 0; q < 3; q++)
        w->slot[q] = bench_allocate(w->size[q]);
    for (int s = 0; s < 20; s++)
        step(w);
}

/// Bytes of the samples of a model's state; of a gas with its velocities before the last step and
/// the pressure that it goes on from, which are state, too.
static size_t live(gyre_model *model)
{
    const gyre_grid *g = gyre_model_grid(model);
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    size_t bytes = strcmp(gyre_model_type(model), "gas") ? 0 : (size_t)(g->dim + 1) * cells * 4;
    for (int f = 0; f < count; f++) {
        int n[3];
        gyre_grid_samples(gyre_model_grid(model), fields[f].location, n);
        bytes += fields[f].derived ? 0 : (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * 4;
    }
    return bytes;
}

static int roll_back(gyre_device *device, const options *o)
{
    int rounds = o->quick ? QUICK : ROUNDS, status = 0;
    double frame[ROUNDS], saved[2][ROUNDS], loaded[2][ROUNDS], both[ROUNDS], first_time[ROUNDS],
        again[ROUNDS], copied[ROUNDS];
    world w = {0};
    fill(&w, device);
    gyre_model *models[2] = {gyre_gas_model(w.gas), gyre_water_model(w.water)};
    size_t all = 0;
    for (int q = 0; q < 2; q++) {
        size_t of = live(models[q]);
        all += of;
        printf("%s: %zu bytes of state, saved in %zu at most\n", gyre_model_type(models[q]), of,
               w.size[q]);
        if (w.size[q] > 2 * of) {
            fprintf(stderr, "gyre bench game: MISSED: %s: a saved state is more than two copies\n",
                    gyre_model_type(models[q]));
            status = 1;
        }
    }
    char *from = bench_allocate(all), *to = bench_allocate(all);
    memset(from, 1, all);
    for (int r = 0; r < rounds; r++) {
        double start = bench_now_on(o->threads);
        step(&w);
        frame[r] = bench_now_on(o->threads) - start;
        for (int sure = 1; sure >= 0; sure--) {
            start = bench_now_on(o->threads);
            save(&w, sure);
            saved[sure][r] = bench_now_on(o->threads) - start;
            start = bench_now_on(o->threads);
            load(&w);
            loaded[sure][r] = bench_now_on(o->threads) - start;
        }
        both[r] = saved[0][r] + loaded[0][r];
        start = bench_now_on(o->threads);
        for (int s = 0; s < FRAMES; s++)
            step(&w);
        first_time[r] = bench_now_on(o->threads) - start;
        uint64_t first[3] = {gyre_gas_hash(w.gas), gyre_water_hash(w.water),
                             gyre_bodies_hash(w.bodies)};
        start = bench_now_on(o->threads);
        load(&w);
        for (int s = 0; s < FRAMES; s++)
            step(&w);
        again[r] = bench_now_on(o->threads) - start;
        uint64_t second[3] = {gyre_gas_hash(w.gas), gyre_water_hash(w.water),
                              gyre_bodies_hash(w.bodies)};
        if (memcmp(first, second, sizeof first) != 0) {
            fprintf(stderr, "gyre bench game: MISSED: eight frames again are other bits\n");
            status = 1;
        }
        start = bench_now_on(o->threads);
        memcpy(to, from, all);
        copied[r] = bench_now_on(o->threads) - start;
        from[r] = to[r];
    }
    double one = bench_median(frame, rounds);
    printf("a frame %.3f ms; snapshot %.3f ms, load %.3f ms; with checksums %.3f and %.3f ms; a "
           "memcpy of the fields %.3f ms\n",
           1e3 * one, 1e3 * bench_median(saved[0], rounds), 1e3 * bench_median(loaded[0], rounds),
           1e3 * bench_median(saved[1], rounds), 1e3 * bench_median(loaded[1], rounds),
           1e3 * bench_median(copied, rounds));
    double together = bench_median(both, rounds), least = both[0]; // sorted now
    printf("snapshot and load together %.3f ms, %.3f at least; eight frames %.3f ms, load and the "
           "same eight again %.3f ms: %.3f x, %.2f x a frame\n",
           1e3 * together, 1e3 * least, 1e3 * bench_median(first_time, rounds),
           1e3 * bench_median(again, rounds),
           bench_median(again, rounds) / bench_median(first_time, rounds),
           bench_median(again, rounds) / one);
    bench_release(from);
    bench_release(to);
    for (int q = 0; q < 3; q++)
        bench_release(w.slot[q]);
    gyre_water_destroy(w.water);
    gyre_gas_destroy(w.gas);
    gyre_bodies_destroy(w.bodies);
    return o->gate ? status : 0;
}

static const char *read_options(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            o->quick = true;
        else if (!strcmp(argv[i], "--gate"))
            o->gate = true;
        else if (!strcmp(argv[i], "--untimed"))
            o->untimed = true;
        else if (!strcmp(argv[i], "--isa") && i + 1 < argc)
            o->isa = argv[++i];
        else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            int count;
            const char *wrong = bench_threads(argv[++i], &o->threads, 1, &count);
            if (wrong)
                return wrong;
        } else
            return argv[i];
    }
    return NULL;
}

int bench_game(int argc, char **argv)
{
    options o = {.threads = 1};
    const char *wrong = read_options(&o, argc, argv);
    if (wrong) {
        fprintf(stderr, "gyre bench game: %s\nusage: " BENCH_GAME_USAGE, wrong);
        return 2;
    }
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = o.threads;
    def.isa = o.isa;
    if (gyre_device_create(&def, &device) != GYRE_OK)
        return fail("a device");
    int status = queries(device, &o);
    status |= roll_back(device, &o);
    gyre_device_destroy(device);
    return status;
}
