// Waters nested in coarser ones: a lake at rest, water that is kept, waves that pass the join both
// ways, steps of many lengths, windows that travel, saved states, questions, and what is refused.
// labels: small threads
#include "sanitized.h"
#include "water_case.h"

enum { LEVELS = 3 };

static gyre_value number(double x)
{
    return (gyre_value){.kind = GYRE_INT, .count = 1, .number = {x}};
}

static double hills(double x, double y)
{
    return -0.4 + 0.6 * sin(0.9 * x + 0.3) * cos(0.75 * y + 1.0);
}

static double flat(double x, double y)
{
    (void)x;
    (void)y;
    return -1.0;
}

/// Whether depths of what is raised are whole numbers of quanta.
static bool exact;

/// A pyramid of waters, the coarse one first, of nx x ny cells of h; each next one lies in the
/// middle of the one before, half as long, on as many cells; `off` shifts it by coarse cells.
/// All know one ground, which goes on where windows move.
typedef struct pyramid {
    int levels;
    gyre_water *water[LEVELS];
    float *bed;
} pyramid;

static pyramid raise(int mode, int levels, int nx, int ny, float h, int off,
                     double (*bed)(double x, double y))
{
    pyramid p = {.levels = levels, .bed = malloc(sizeof(float) * 4 * (size_t)nx * (size_t)ny)};
    gyre_water_def def = pool(mode, nx, ny, h);
    for (int k = 0; k < 4 * nx * ny; k++) {
        p.bed[k] = (float)bed(0.5 * (double)h * (k % (2 * nx) + 0.5),
                              0.5 * (double)h * ((double)(k / (2 * nx)) + 0.5));
    }
    def.bed.data = (gyre_volume){.data = p.bed, .n = {2 * nx, 2 * ny, 1}};
    def.bed.size[0] = h * (float)nx;
    def.bed.size[1] = h * (float)ny;
    def.quantum = 4e-7f;
    def.exact = exact;
    for (int l = 0; l < levels; l++) {
        p.water[l] = make(&def);
        if (l > 0) {
            OK(gyre_water_nest(p.water[l], p.water[l - 1]));
        }
        def.grid.origin[0] += (float)(nx / 4 + off) * def.grid.h;
        def.grid.origin[1] += (float)(ny / 4 - off) * def.grid.h;
        def.grid.h *= 0.5f;
    }
    return p;
}

static void raze(pyramid *p)
{
    for (int l = 0; l < p->levels; l++) {
        gyre_water_destroy(p->water[l]);
    }
    free(p->bed);
}

static void go(const pyramid *p, int steps, float dt)
{
    for (int n = 0; n < steps; n++) {
        for (int l = 0; l < p->levels; l++) {
            OK(gyre_water_step(p->water[l], dt));
        }
    }
}

static gyre_water_together together(const pyramid *p)
{
    gyre_water_together all;
    OK(gyre_water_count_together(p->water[0], &all));
    assert_int_equal(all.waters, p->levels);
    return all;
}

static void a_lake_rests(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        pyramid p = raise(mode, 3, 80, 72, 0.1f, 1, hills);
        const char *field = mode == GYRE_WATER_WAVE ? "height" : "depth";
        float *before[LEVELS];
        int n[2], dry = 0, wet = 0;
        for (int l = 0; l < p.levels; l++) {
            before[l] = get(p.water[l], field, n);
        }
        go(&p, 20, 0.02f);
        for (int l = 0; l < p.levels; l++) {
            float *after = get(p.water[l], field, n), *qx = get(p.water[l], "discharge_x", n);
            for (int k = 0; k < 80 * 72; k++) {
                assert_true(after[k] == before[l][k]);
                assert_true(qx[k] == 0.0f);
                dry += before[l][k] == 0.0f;
                wet += before[l][k] > 0.0f;
            }
            free(after);
            free(qx);
            free(before[l]);
        }
        assert_true(mode == GYRE_WATER_WAVE || (dry > 1000 && wet > 1000));
        raze(&p);
    }
}

static double bump(double x, double y)
{
    double r = ((x - 1.4) * (x - 1.4) + (y - 2.4) * (y - 2.4)) / 0.16;
    return 0.3 * exp(-r);
}

static double deep_bump(double x, double y)
{
    double d = bump(x, y) - hills(x, y);
    return d > 0.0 ? d : 0.0;
}

/// A bump outside runs in over ground wet and dry, breaks, and runs out again. Of exact water no
/// quantum is lost, on all levels together, but for what sums of volumes round.
static void water_is_kept(void **state)
{
    (void)state;
    for (int q = 0; q < 4; q++) {
        int mode = q % 2;
        exact = q >= 2;
        double rounding = exact ? 1e-13 : 2e-7;
        pyramid p = raise(mode, 3, 48, 48, 0.1f, 0, hills);
        put(p.water[0], mode == GYRE_WATER_WAVE ? "height" : "depth",
            mode == GYRE_WATER_WAVE ? bump : deep_bump);
        gyre_water_together before = together(&p);
        double most = 0.0;
        for (int n = 0; n < 60; n++) {
            go(&p, 1, 0.03f);
            gyre_water_together now = together(&p);
            most = fmax(most, fabs(now.volume - before.volume));
            assert_true(exact ? now.error == 0.0 : fabs(now.error) < rounding * before.volume);
            for (int l = 0; l < p.levels; l++) {
                gyre_water_stats s = gyre_water_get_stats(p.water[l]);
                assert_true(exact ? s.ledger_error == 0.0
                                  : fabs(s.ledger_error) < rounding * s.volume);
            }
        }
        for (int l = 0; l < p.levels && exact; l++) {
            int n[2];
            float *x = get(p.water[l], mode == GYRE_WATER_WAVE ? "height" : "depth", n);
            for (int k = 0; k < n[0] * n[1]; k++) {
                double quanta = (double)x[k] * 2097152.0; // the power of two above 4e-7
                assert_true(quanta == floor(quanta));
            }
            free(x);
        }
        print_message("mode %d%s: volume %g, off by %g at most\n", mode, exact ? ", exact" : "",
                      before.volume, most);
        assert_true(most < rounding * before.volume);
        raze(&p);
    }
    exact = false;
}

/// A bump that is long on the coarse grid, beside the window or in it.
static double from_left(double x, double y)
{
    (void)y;
    return 0.01 * exp(-(x - 12.0) * (x - 12.0) / 4.0);
}

static double from_inside(double x, double y)
{
    return 0.01 * exp(-((x - 32.0) * (x - 32.0) + (y - 32.0) * (y - 32.0)) / 9.0);
}

static double speed;

static double run_right(double x, double y)
{
    return speed * from_left(x, y);
}

static double deep_left(double x, double y)
{
    return 1.0 + from_left(x, y);
}

static double deep_inside(double x, double y)
{
    return 1.0 + from_inside(x, y);
}

static double energy(float height, float q, double c, double rest)
{
    double u = (double)height - rest;
    return u * u + (double)q * (double)q / (c * c);
}

/// What of a wave's energy is left of the window once the wave is in it.
static void hardly_any_comes_back(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        bool wave = mode == GYRE_WATER_WAVE;
        pyramid p = raise(mode, 2, 128, 16, 0.5f, 0, flat);
        const char *field = wave ? "height" : "depth";
        double c = wave ? 3.0 : sqrt(9.81), rest = wave ? 0.0 : 1.0, came = 0.0, back = 0.0;
        int n[2];
        // A wave that runs right along the whole width: its crest passes the window's left side.
        speed = c;
        put(p.water[0], field, wave ? from_left : deep_left);
        put(p.water[0], "discharge_x", run_right);
        float *u = get(p.water[0], field, n), *q = get(p.water[0], "discharge_x", n);
        int width = wave ? 129 : 128;
        for (int j = 5; j < 11; j++) {
            for (int i = 0; i < 128; i++) {
                came += energy(u[i + 128 * j], q[i + width * j], c, rest);
            }
        }
        free(u);
        free(q);
        go(&p, 100, 0.04f); // 12.5 m on: the crest is 8.5 m into the window
        u = get(p.water[0], field, n);
        q = get(p.water[0], "discharge_x", n);
        for (int j = 5; j < 11; j++) {
            for (int i = 0; i < 31; i++) {
                back += energy(u[i + 128 * j], q[i + width * j], c, rest);
            }
        }
        print_message("mode %d: %.6f of the energy comes back\n", mode, back / came);
        assert_true(back < 0.01 * came);
        free(u);
        free(q);
        raze(&p);
    }
}

/// The largest difference between a coarse grid's heights beyond the window and the means of fine
/// ones; `most`: the largest height.
static double off_by(gyre_water *coarse, gyre_water *fine, const char *field, double rest,
                     double *most)
{
    int n[2];
    float *a = get(coarse, field, n), *b = get(fine, field, n);
    double off = 0.0;
    *most = 0.0;
    for (int j = 0; j < 64; j++) {
        for (int i = 0; i < 64; i++) {
            if (i >= 16 && i < 48 && j >= 16 && j < 48) {
                continue;
            }
            const float *f = b + 2 * i + 128 * 2 * j;
            double mean = 0.25 * ((double)f[0] + (double)f[1] + (double)f[128] + (double)f[129]);
            *most = fmax(*most, fabs(mean - rest));
            off = fmax(off, fabs((double)a[i + 64 * j] - mean));
        }
    }
    free(a);
    free(b);
    return off;
}

/// What is in the window when the wave has come in, against fine cells everywhere; the coarse water
/// takes one long step for four of the fine one's, between which that has to go on evenly.
static void a_wave_goes_in_as_it_was(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        bool wave = mode == GYRE_WATER_WAVE;
        pyramid p = raise(mode, 2, 128, 16, 0.5f, 0, flat);
        pyramid fine = raise(mode, 1, 256, 32, 0.25f, 0, flat);
        const char *field = wave ? "height" : "depth";
        double off = 0.0, most = 0.0, rest = wave ? 0.0 : 1.0;
        speed = wave ? 3.0 : sqrt(9.81);
        for (int k = 0; k < 2; k++) {
            gyre_water *w = k ? fine.water[0] : p.water[0];
            put(w, field, wave ? from_left : deep_left);
            put(w, "discharge_x", run_right);
        }
        OK(gyre_water_set(p.water[0], "every", number(4)));
        go(&p, 180, 0.02f);
        go(&fine, 180, 0.02f);
        int n[2];
        float *a = get(p.water[1], field, n), *b = get(fine.water[0], field, n);
        for (int i = 0; i < 128; i++) {
            double u = (double)b[64 + i + 256 * 16] - rest;
            off = fmax(off, fabs((double)a[i + 128 * 8] - rest - u));
            most = fmax(most, fabs(u));
        }
        print_message("mode %d: the wave is %g high, off by %g\n", mode, most, off);
        assert_true(off < (wave ? 0.015 : 0.055) * most);
        free(a);
        free(b);
        raze(&p);
        raze(&fine);
    }
}

/// Ground that the coarse water does not know: an island in the fine one.
static void a_lake_rests_round_ground_of_the_fine_water(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 40, 40, 0.1f);
    gyre_water *coarse = make(&def), *fine;
    def.grid.origin[0] = def.grid.origin[1] = 1.0f;
    def.grid.h = 0.05f;
    def.bed.flat = 0.25f;
    fine = make(&def);
    OK(gyre_water_nest(fine, coarse));
    pyramid p = {.levels = 2, .water = {coarse, fine}};
    go(&p, 20, 0.02f);
    for (int l = 0; l < 2; l++) {
        int n[2];
        float *depth = get(p.water[l], "depth", n), *q = get(p.water[l], "discharge_x", n);
        for (int k = 0; k < 40 * 40; k++) {
            assert_true(depth[k] == (l ? 0.0f : 1.0f) && q[k] == 0.0f);
        }
        free(depth);
        free(q);
    }
    raze(&p);
}

/// A ring that begins in the window and runs out: beyond it is nearer to that of fine cells
/// everywhere than that of coarse cells everywhere is.
static void a_ring_runs_out(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        bool wave = mode == GYRE_WATER_WAVE;
        const char *field = wave ? "height" : "depth";
        pyramid p = raise(mode, 2, 64, 64, 1.0f, 0, flat);
        pyramid fine = raise(mode, 1, 128, 128, 0.5f, 0, flat);
        pyramid coarse = raise(mode, 1, 64, 64, 1.0f, 0, flat);
        const pyramid *all[] = {&p, &fine, &coarse};
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < all[k]->levels; l++) {
                put(all[k]->water[l], field, wave ? from_inside : deep_inside);
            }
            go(all[k], 100, 0.07f);
        }
        double most, rest = wave ? 0.0 : 1.0;
        double off = off_by(p.water[0], fine.water[0], field, rest, &most);
        double worse = off_by(coarse.water[0], fine.water[0], field, rest, &most);
        print_message("mode %d: the ring is %g high, off by %g; coarse cells everywhere by %g\n",
                      mode, most, off, worse);
        assert_true(most > 1e-3 && off < worse);
        raze(&p);
        raze(&fine);
        raze(&coarse);
    }
}

/// In four steps the coarse water moves in the first, the fine one in the last, where they have
/// `every`.
static void stands_still(const pyramid *p, int which)
{
    for (int n = 0; n < 4; n++) {
        for (int l = 0; l < 2; l++) {
            int m[2];
            float *before = get(p->water[l], "discharge_x", m);
            OK(gyre_water_step(p->water[l], 0.01f));
            float *after = get(p->water[l], "discharge_x", m);
            bool still = memcmp(before, after, sizeof(float) * (size_t)m[0] * (size_t)m[1]) == 0;
            assert_true(still == (which == l + 1 && n != (l ? 3 : 0)));
            free(before);
            free(after);
        }
    }
}

/// Both levels of detail in time: the coarse water goes ahead, the fine one waits.
static void steps_may_be_many_lengths(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        for (int which = 0; which < 3; which++) { // nobody, the coarse, the fine
            pyramid p = raise(mode, 2, 48, 48, 0.1f, 0, hills);
            bool wave = mode == GYRE_WATER_WAVE;
            put(p.water[0], wave ? "height" : "depth", wave ? bump : deep_bump);
            gyre_water_together before = together(&p);
            if (which > 0) {
                OK(gyre_water_set(p.water[which - 1], "every", number(4)));
            }
            stands_still(&p, which);
            for (int n = 0; n < 40; n++) {
                go(&p, 1, 0.01f);
                gyre_water_together now = together(&p);
                assert_true(fabs(now.volume - before.volume) < 2e-7 * before.volume);
                assert_true(fabs(now.error) < 2e-7 * before.volume);
            }
            assert_true(fabs(gyre_model_time(gyre_water_model(p.water[1])) - 0.44) < 1e-6);
            assert_int_equal(gyre_water_get_stats(p.water[0]).step, 44);
            raze(&p);
        }
    }
}

static uint64_t hash_of(const pyramid *p)
{
    uint64_t hash = 0;
    for (int l = 0; l < p->levels; l++) {
        hash = hash * 31 + gyre_water_hash(p->water[l]);
    }
    return hash;
}

/// In the midst of a long step, too; into others; for any number of threads.
static void a_saved_state_goes_on(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        uint64_t end[3];
        char *kept[LEVELS] = {NULL};
        size_t size[LEVELS];
        gyre_device *both = device, *alone = device_of(1, NULL);
        for (int q = 0; q < 3;
             q++) { // saves, goes on; is loaded again; another one is, on a thread
            device = q == 2 ? alone : both;
            pyramid p = raise(mode, LEVELS, 48, 48, 0.1f, 0, hills);
            bool wave = mode == GYRE_WATER_WAVE;
            put(p.water[0], wave ? "height" : "depth", wave ? bump : deep_bump);
            OK(gyre_water_set(p.water[0], "every", number(3)));
            OK(gyre_water_set(p.water[2], "every", number(2)));
            go(&p, q == 2 ? 3 : 13, 0.013f);
            for (int l = 0; l < LEVELS; l++) {
                size[l] = gyre_water_save_size(p.water[l]);
                kept[l] = q == 0 ? malloc(size[l]) : kept[l];
                if (q == 0) {
                    OK(gyre_water_save(p.water[l], kept[l], size[l], &size[l]));
                }
            }
            if (q == 1) {
                go(&p, 5, 0.013f);
            }
            for (int l = 0; l < LEVELS && q > 0; l++) {
                OK(gyre_water_load(p.water[l], kept[l], size[l]));
            }
            go(&p, 20, 0.013f);
            end[q] = hash_of(&p);
            raze(&p);
        }
        device = both;
        gyre_device_destroy(alone);
        assert_true(end[0] == end[1] && end[0] == end[2]);
        for (int l = 0; l < LEVELS; l++) {
            free(kept[l]);
        }
    }
}

static double slope(double x, double y)
{
    return -1.0 + 0.05 * x - 0.04 * y;
}

/// A window that travels over a plane: water is kept, a lake rests; over hills what the grounds
/// differ by is told.
static void windows_travel(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_SHALLOW; mode++) {
        for (int ground = 0; ground < 2; ground++) {
            bool wave = mode == GYRE_WATER_WAVE;
            pyramid p = raise(mode, 2, 48, 48, 0.1f, 0, ground ? hills : slope);
            gyre_model *model = gyre_water_model(p.water[1]);
            int n[2];
            OK(gyre_model_shift(model, (const int32_t[3]){4, -6, 0}));
            go(&p, 5, 0.01f);
            float *q = get(p.water[1], "discharge_x", n), *at = get(p.water[0], "discharge_y", n);
            for (int k = 0; k < 48 * 48; k++) {
                assert_true(q[k] == 0.0f && at[k] == 0.0f);
            }
            free(q);
            free(at);
            put(p.water[0], wave ? "height" : "depth", wave ? bump : deep_bump);
            gyre_water_together before = together(&p);
            for (int m = 0; m < 8; m++) {
                go(&p, 4, 0.01f);
                OK(gyre_model_shift(model, (const int32_t[3]){m < 4 ? -4 : 2, 2, 0}));
                gyre_water_together now = together(&p);
                double change = now.volume - before.volume;
                assert_true(fabs(change - (now.ground - before.ground)) < 2e-7 * before.volume);
                assert_true(ground || fabs(change) < 1e-6 * before.volume);
                assert_true(fabs(now.error) < 2e-7 * before.volume);
            }
            assert_int_equal(gyre_model_shift(model, (const int32_t[3]){1, 0, 0}),
                             GYRE_ERROR_ARGUMENT);
            assert_non_null(strstr(gyre_message(), "even"));
            assert_int_equal(gyre_model_shift(model, (const int32_t[3]){90, 0, 0}),
                             GYRE_ERROR_ARGUMENT);
            assert_non_null(strstr(gyre_message(), "expected within 4 to 43"));
            go(&p, 2, 0.01f);
            raze(&p);
        }
    }
}

/// A window that goes after a boat, by even numbers of cells, at the end of its steps.
static void a_window_goes_after_a_boat(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 40, 0.2f);
    gyre_water *coarse = make(&def), *fine;
    gyre_water_body boat = gyre_water_default_body();
    snprintf(boat.name, sizeof boat.name, "boat");
    boat.held = true;
    boat.size[0] = 0.8f;
    boat.size[1] = boat.size[2] = 0.4f;
    boat.pose.position[0] = 3.2f;
    boat.pose.position[1] = 4.0f;
    boat.pose.velocity[0] = 1.0f;
    def.grid.n[0] = def.grid.n[1] = 40;
    def.grid.h = 0.1f;
    def.grid.origin[0] = 1.2f;
    def.grid.origin[1] = 2.0f;
    def.bodies = (gyre_pool){&boat, 1, 1};
    snprintf(def.follow, sizeof def.follow, "boat");
    def.slack = 0.35f;
    fine = make(&def);
    OK(gyre_water_nest(fine, coarse));
    pyramid p = {.levels = 2, .water = {coarse, fine}};
    gyre_water_together before = together(&p);
    go(&p, 100, 0.04f);
    gyre_water_together after = together(&p);
    double moved = (double)gyre_model_grid(gyre_water_model(fine))->origin[0] - 1.2;
    assert_true(moved > 3.2 && moved < 4.1); // the boat has gone 4 m
    assert_true(fabs(moved / 0.2 - round(moved / 0.2)) < 1e-4);
    assert_true(fabs(after.volume - before.volume) < 2e-6 * before.volume);
    assert_true(gyre_water_get_stats(coarse).kinetic_energy > 0.1); // its wake
    raze(&p);
}

static void the_finest_answers(void **state)
{
    (void)state;
    pyramid p = raise(GYRE_WATER_SHALLOW, 3, 48, 48, 0.1f, 0, flat);
    // Something that only its own water knows.
    for (int l = 0; l < 3; l++) {
        gyre_field_view view;
        OK(gyre_water_map(p.water[l], gyre_water_field(p.water[l], "depth"), GYRE_WRITE, &view));
        for (int k = 0; k < 48 * 48; k++) {
            view.data[k] = 1.0f + 0.25f * (float)l;
        }
        OK(gyre_water_unmap(p.water[l], gyre_water_field(p.water[l], "depth")));
    }
    const float points[] = {0.5f, 0.5f, 1.4f, 1.4f, 2.4f, 2.4f},
                spheres[] = {2.4f, 2.4f, 0.4f, 0.1f};
    gyre_water_sample samples[3];
    float volume;
    OK(gyre_water_query(p.water[0], points, 3, samples));
    for (int l = 0; l < 3; l++) {
        assert_true(samples[l].depth == 1.0f + 0.25f * (float)l);
    }
    OK(gyre_water_submerged(p.water[0], spheres, 1, &volume));
    assert_true(volume > 0.004f); // it is under the finest water only
    OK(gyre_water_query(p.water[1], points + 2, 1, samples));
    assert_true(samples[0].depth == 1.25f);
    raze(&p);
}

static void refused(gyre_water_def def, const char *what)
{
    gyre_water_def big = pool(GYRE_WATER_SHALLOW, 40, 40, 0.1f);
    gyre_water *coarse = make(&big), *fine = make(&def);
    uint64_t hash = gyre_water_hash(fine);
    assert_int_not_equal(gyre_water_nest(fine, coarse), GYRE_OK);
    if (!strstr(gyre_message(), what)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), what);
    }
    OK(gyre_water_step(coarse, 0.01f));
    assert_true(hash == gyre_water_hash(fine));
    gyre_water_destroy(coarse);
    gyre_water_destroy(fine);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    gyre_water_def fine = pool(GYRE_WATER_SHALLOW, 24, 24, 0.05f), def;
    fine.grid.origin[0] = fine.grid.origin[1] = 0.5f;
#define REFUSED(change, what)                                                                      \
    def = fine;                                                                                    \
    change;                                                                                        \
    refused(def, what)
    REFUSED(def.grid.h = 0.1f, "0.1 m in the fine water and 0.1 m in the coarse one");
    REFUSED(def.grid.origin[0] = 0.55f, "begins 5.5 cells");
    REFUSED(def.grid.origin[1] = 0.3f, "covers cells 3 to 14");
    REFUSED(def.grid.n[0] = 25, "25 cells along x, expected an even number");
    REFUSED(def.mode = GYRE_WATER_WAVE, "mode is wave, the coarse one's shallow");
    REFUSED(def.gravity = 1.6f, "gravity is 1.6 in the fine water and 9.81");
    REFUSED(def.level = 0.25f, "level is 0.25");
    REFUSED(def.exact = true, "exact is 1 in the fine water and 0");
    REFUSED(def.tiles = 1, "fine water has tiles");
    REFUSED(def.sleep_height = 0.1f, "fine water has sleep_height");
    REFUSED(def.sides.y_high.rule = GYRE_WATER_OPEN, "sides.y_high has a rule of its own");
#undef REFUSED
    gyre_water_def big = pool(GYRE_WATER_SHALLOW, 40, 40, 0.1f);
    gyre_water *coarse = make(&big), *one = make(&fine), *two = make(&fine);
    OK(gyre_water_nest(one, coarse));
    assert_int_equal(gyre_water_nest(two, coarse), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "another water is nested there"));
    assert_int_equal(gyre_water_nest(one, coarse), GYRE_ERROR_STATE);
    assert_int_equal(gyre_water_nest(coarse, one), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_water_step(one, 0.01f), GYRE_ERROR_STATE);
    assert_non_null(strstr(gyre_message(), "that one is stepped first"));
    OK(gyre_water_step(coarse, 0.01f));
    assert_int_equal(gyre_model_shift(gyre_water_model(one), (const int32_t[3]){2, 0, 0}),
                     GYRE_ERROR_STATE);
    OK(gyre_water_step(one, 0.005f));
    OK(gyre_water_step(one, 0.005f));
    assert_int_equal(gyre_water_rebase(one, (const int32_t[2]){2, 0}), GYRE_ERROR_UNSUPPORTED);
    gyre_water_gate gate = gyre_water_default_gate();
    gate.from[0] = gate.to[0] = 0.5f;
    gate.from[1] = 0.6f;
    gate.to[1] = 0.8f;
    gyre_id weir = gyre_water_add_gate(coarse, &gate);
    assert_true(weir != 0);
    assert_int_equal(gyre_water_step(coarse, 0.01f), GYRE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(gyre_message(), "gates"));
    OK(gyre_water_remove(coarse, weir));
    gyre_water_body ball = gyre_water_default_body();
    assert_true(gyre_water_add_body(coarse, &ball) != 0);
    assert_int_equal(gyre_water_step(coarse, 0.01f), GYRE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(gyre_message(), "the coarse water has bodies"));
    // They part when one of them goes.
    gyre_water_destroy(coarse);
    OK(gyre_water_step(one, 0.01f));
    gyre_water_destroy(one);
    gyre_water_destroy(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_rests),
        cmocka_unit_test(water_is_kept),
        cmocka_unit_test(hardly_any_comes_back),
        cmocka_unit_test(a_wave_goes_in_as_it_was),
        cmocka_unit_test(a_lake_rests_round_ground_of_the_fine_water),
        cmocka_unit_test(a_ring_runs_out),
        cmocka_unit_test(steps_may_be_many_lengths),
        cmocka_unit_test(a_saved_state_goes_on),
        cmocka_unit_test(windows_travel),
        cmocka_unit_test(a_window_goes_after_a_boat),
        cmocka_unit_test(the_finest_answers),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
