// What water seldom does, so that it is the same bits, too: every cap and limiter of its ops
// reached in some lanes of a vector and not in others, water about to dry up, steps that are cut
// short, too long or too many, one dimension, tiles that are stepped in place, past the caches,
// asleep or for which there is no memory. Each case says by what it is known that it came to that.
// test_water_golden has what is usual.
//
// A change that is meant to alter results needs new hashes:
//     GYRE_GOLDEN=print build/test/test_water_rare
// labels: golden threads web
// timeout: 900
#include "sanitized.h"
#include "water_case.h"

enum { NX = 200, NY = 140 };

/// What has happened up to now.
typedef struct happened {
    int64_t capped;
    double dropped, inflow;
    int substeps, missing, least_awake;
    float depth, speed;
    double ledger_error;
} happened;

typedef struct rare_case {
    const char *name;
    uint64_t golden;
    int steps;
    float dt;
    void (*fill)(gyre_water_def *def);
    void (*start)(gyre_water *water); // after create; may be NULL
    bool (*reached)(const happened *h);
} rare_case;

static float bed[NX * NY];
static gyre_water_edge edges[3];
static gyre_water_gate gates[3];
static gyre_water_source sources[2];
static gyre_water_body body;

// ---- what defs and starts are made of -----------------------------------------------------------

/// A def of shallow water over hills and pits by whole numbers, so that no library has a say in
/// them; half of it higher than the rest.
static void rough(gyre_water_def *def)
{
    int nx = def->grid.n[0], ny = def->grid.n[1];
    for (int i = 0; i < nx * ny; i++) {
        int x = i % nx, y = i / nx, a = (x % 46 - 23) * (x % 46 - 23),
            b = (y % 38 - 19) * (y % 38 - 19);
        bed[i] = (float)(a + b) / 640.0f - 0.9f + (float)((x * 7 + y * 13) % 11) / 256.0f;
    }
    def->bed.data = (gyre_volume){bed, {nx, ny, 1}, NULL};
}

static void size(gyre_water_def *def, int mode, int nx, int ny, float h)
{
    def->mode = mode;
    def->grid.n[0] = nx;
    def->grid.n[1] = ny;
    def->grid.h = h;
}

/// A value for each sample of a field, `low` to `high` in whole steps.
static void scatter(gyre_water *water, const char *field, int seed, float low, float high)
{
    gyre_field_view v;
    OK(gyre_water_map(water, gyre_water_field(water, field), GYRE_WRITE, &v));
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            int r = (i * 7919 + j * 104729 + seed * 31) % 1024;
            v.data[i + j * v.stride[1]] = low + (high - low) * (float)r / 1024.0f;
        }
    }
    OK(gyre_water_unmap(water, gyre_water_field(water, field)));
}

static void splash(gyre_water *water)
{
    gyre_model *model = gyre_water_model(water);
    const gyre_grid *g = gyre_model_grid(model);
    float x = (float)g->n[0] * g->h, y = (float)g->n[1] * g->h;
    OK(gyre_model_splat(model, 0, (const float[3]){0.4f * x, 0.5f * y, 0}, 0.2f * x, 0.6f));
}

static void storm(gyre_water *water)
{
    scatter(water, "depth", 1, 0.0f, 1.0f);
    scatter(water, "discharge_x", 2, -2.0f, 2.0f);
    scatter(water, "discharge_y", 3, -2.0f, 2.0f);
}

/// Some of what no flow makes but a caller may write: next to nothing, and much too much.
static void extremes(gyre_water *water)
{
    static const float values[8] = {0.0f, 1e-38f, 1e-30f, 5e-5f, 1e-3f, 1.0f, 50.0f, 1e5f};
    static const char *const fields[3] = {"depth", "discharge_x", "discharge_y"};
    gyre_field_view v;
    for (int f = 0; f < 3; f++) {
        OK(gyre_water_map(water, gyre_water_field(water, fields[f]), GYRE_WRITE, &v));
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                float x = values[(i * 5 + j * 3 + f * (i + 2 * j)) % 8];
                v.data[i + j * v.stride[1]] = f > 0 && (i + j) % 3 == 0 ? -x : x;
            }
        }
        OK(gyre_water_unmap(water, gyre_water_field(water, fields[f])));
    }
}

static gyre_shape disk(float x, float y, float radius)
{
    gyre_shape s = {.kind = GYRE_SHAPE_SPHERE};
    s.as.sphere.centre[0] = x;
    s.as.sphere.centre[1] = y;
    s.as.sphere.radius = radius;
    return s;
}

static void edge_of(gyre_water_def *def, int rule, int inflow, gyre_shape shape)
{
    gyre_water_edge *e = &edges[def->edges.count++];
    *e = gyre_water_default_edge();
    e->shape = shape;
    e->side.rule = rule;
    e->side.inflow = inflow;
    e->side.level = 0.3f;
    e->side.follow_level = false;
    e->side.discharge = 0.4f;
    def->edges.items = edges;
}

static void gate_of(gyre_water_def *def, float x, float crest, float lid)
{
    gyre_water_gate *g = &gates[def->gates.count++];
    *g = gyre_water_default_gate();
    g->from[0] = g->to[0] = x;
    g->to[1] = 100.0f;
    g->crest = crest;
    g->lid = lid;
    def->gates.items = gates;
}

// ---- shallow water ------------------------------------------------------------------------------

static void fill_capped(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 130, 70, 0.25f);
    rough(def);
    def->speed_cap = 1.25f;
}

static void fill_braked(gyre_water_def *def)
{
    fill_capped(def);
    def->manning = 0.03f;
    def->friction = 0.2f;
    def->damping = 0.1f;
    def->velocity_scale = 0.99f;
    def->exact = true;
    def->acceleration[0] = 0.5f;
    def->acceleration[1] = -0.25f;
}

static bool were_capped(const happened *h)
{
    return h->capped > 100 && h->capped < 130 * 70 * 40 && h->substeps > 1;
}

static void fill_line(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 190, 1, 0.25f);
    rough(def);
    def->speed_cap = 1.0f;
    def->sides.x_low.rule = GYRE_WATER_INFLOW;
    def->sides.x_low.inflow = GYRE_WATER_DISCHARGE;
    def->sides.x_low.discharge = 0.3f;
    def->sides.x_high.rule = GYRE_WATER_OPEN;
}

static bool line_was_capped(const happened *h)
{
    return h->capped > 20 && h->inflow > 0.0;
}

/// Nine tiles joined to a ring both ways: every patch is open.
static void fill_round(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 192, 192, 0.5f);
    periodic(def);
    def->max_slope = 0.5f;
    def->speed_cap = 2.0f;
}

static bool round_was_capped(const happened *h)
{
    return h->capped > 100;
}

static void fill_extremes(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 90, 66, 0.5f);
    def->speed_cap = 1e5f;
    def->manning = 0.05f;
    def->max_substeps = 3;
    def->max_slope = 0.5f;
    def->sides.y_high.rule = GYRE_WATER_OPEN;
}

static bool was_dropped(const happened *h)
{
    return h->dropped > 0.1 && h->substeps == 3 && h->capped > 10;
}

/// A film of water on a slope, dried by the sun, taken by a sink, with all the sides that there
/// are.
static void fill_film(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 150, 70, 0.25f);
    def->level = -0.9f;
    def->bed.flat = -1.0f;
    def->bed.slope[0] = 0.01f;
    def->rain = 2e-3f;
    def->evaporation = 4e-3f;
    def->max_slope = 1e-3f;
    def->dry_depth = 1e-3f;
    gyre_water_side *sides = &def->sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = q == 1 ? GYRE_WATER_OPEN : GYRE_WATER_INFLOW;
        sides[q].inflow = q == 0   ? GYRE_WATER_WAVES
                          : q == 2 ? GYRE_WATER_STAGE
                                   : GYRE_WATER_DISCHARGE;
        sides[q].amplitude = 0.3f;
        sides[q].period = 0.7f;
        sides[q].level = -0.8f;
        sides[q].discharge = -0.05f;
    }
    sides[1].absorber = GYRE_WATER_LAYER;
    sides[1].layer = 3.0f;
    sources[0] = gyre_water_default_source();
    sources[0].shape = disk(12.0f, 9.0f, 3.0f);
    sources[0].discharge = -40.0f;
    def->sources = (gyre_pool){sources, 1, 1};
    body = gyre_water_default_body();
    body.pose.position[0] = 6.0f;
    body.pose.position[1] = 6.0f;
    body.pose.position[2] = -0.8f;
    def->bodies = (gyre_pool){&body, 1, 1};
}

static bool dried(const happened *h)
{
    return h->depth < 1.0f && h->inflow != 0.0 && h->speed > 0.0f;
}

/// A torrent that leaves faster than waves run, edges of every kind beside tiles' borders, a weir,
/// a drowned one and a gate.
static void fill_torrent(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 140, 135, 0.25f);
    def->bed.flat = -1.0f;
    def->bed.slope[0] = -0.05f;
    def->sides.x_low.rule = GYRE_WATER_INFLOW;
    def->sides.x_low.inflow = GYRE_WATER_DISCHARGE;
    def->sides.x_low.discharge = 8.0f;
    def->sides.x_high.rule = def->sides.y_high.rule = GYRE_WATER_OPEN;
    edge_of(def, GYRE_WATER_OPEN, 0, disk(16.0f, 16.0f, 1.5f));
    edge_of(def, GYRE_WATER_INFLOW, GYRE_WATER_STAGE, disk(25.0f, 33.0f, 2.0f));
    edge_of(def, GYRE_WATER_INFLOW, GYRE_WATER_DISCHARGE, disk(30.0f, 8.0f, 1.5f));
    gate_of(def, 8.0f, -0.7f, 1e5f);
    gate_of(def, 12.0f, 0.0f, 1e5f);
    gate_of(def, 20.0f, -2.0f, -1.6f);
    def->max_slope = 0.3f;
}

static bool ran_fast(const happened *h)
{
    return h->speed > 4.0f && h->inflow > 1.0;
}

/// Asleep but for a corner that grows; and memory for four of nine tiles.
static void fill_sleepy(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 190, 190, 0.5f);
    def->sleep_height = 1e-5f;
    def->sleep_steps = 3;
}

static void wake_corner(gyre_water *water)
{
    run(water, 6, 0.05f);
    OK(gyre_model_splat(gyre_water_model(water), 0, (const float[3]){10, 10, 0}, 8.0f, 0.4f));
}

static bool slept(const happened *h)
{
    return h->least_awake < 9 && h->depth > 1.01f;
}

static void fill_scarce(gyre_water_def *def)
{
    size(def, GYRE_WATER_SHALLOW, 190, 190, 0.5f);
    def->fill = false;
    def->tiles = 2;
    sources[0] = gyre_water_default_source();
    sources[0].shape = disk(10.0f, 31.0f, 3.0f);
    sources[0].discharge = 400.0f;
    def->sources = (gyre_pool){sources, 1, 1};
}

static bool was_scarce(const happened *h)
{
    return h->missing > 0;
}

// ---- waves --------------------------------------------------------------------------------------

static void fill_in_place(gyre_water_def *def)
{
    size(def, GYRE_WATER_WAVE, 192, 150, 0.5f);
    periodic(def);
}

static bool in_place(const happened *h)
{
    return h->substeps == 1 && h->depth > 1.1f;
}

static void fill_exact_waves(gyre_water_def *def)
{
    size(def, GYRE_WATER_WAVE, 140, 135, 0.5f);
    def->exact = true;
    def->max_slope = 0.05f;
    def->sides.x_high.rule = def->sides.y_low.rule = GYRE_WATER_OPEN;
    def->sides.y_low.absorber = GYRE_WATER_GHOST_OLD;
    edge_of(def, GYRE_WATER_INFLOW, GYRE_WATER_STAGE, disk(33.0f, 33.0f, 3.0f));
    edge_of(def, GYRE_WATER_INFLOW, GYRE_WATER_WAVES, disk(10.0f, 50.0f, 3.0f));
    gate_of(def, 20.0f, -0.5f, 1e5f);
}

static bool was_exact(const happened *h)
{
    return h->ledger_error == 0.0 && h->depth > 1.05f;
}

static void fill_clamped(gyre_water_def *def)
{
    size(def, GYRE_WATER_WAVE, 100, 70, 0.5f);
    def->excess = GYRE_WATER_CLAMP;
    def->wave_speed = 300.0f;
}

static bool was_clamped(const happened *h)
{
    return h->substeps == 1 && h->dropped == 0.0 && h->depth < 3.0f;
}

static void fill_exploding(gyre_water_def *def)
{
    size(def, GYRE_WATER_WAVE, 100, 70, 0.5f);
    def->excess = GYRE_WATER_EXPLODE;
    def->wave_speed = 300.0f;
    def->sides.x_low.rule = GYRE_WATER_OPEN;
}

static bool exploded(const happened *h)
{
    return h->depth > 9e5f;
}

static void fill_cut_short(gyre_water_def *def)
{
    size(def, GYRE_WATER_WAVE, 130, 1, 0.5f);
    def->wave_speed = 300.0f;
    def->max_substeps = 4;
    def->sides.x_high.rule = GYRE_WATER_INFLOW;
    def->damping = 0.3f;
    def->velocity_scale = 0.9f;
}

static bool was_cut_short(const happened *h)
{
    return h->dropped > 0.0 && h->substeps == 4;
}

/// More tiles than caches hold, written past them.
static void fill_streamed(gyre_water_def *def)
{
    size(def, GYRE_WATER_WAVE, 4096, 650, 0.5f);
    def->sides.x_high.rule = GYRE_WATER_OPEN;
}

static bool was_streamed(const happened *h)
{
    return h->least_awake > 640;
}

// ---- the table ----------------------------------------------------------------------------------

static const rare_case cases[] = {
    {"capped", 0xbcecbb0ed55ef176, 15, 0.05f, fill_capped, storm, were_capped},
    {"braked", 0x26a45cd1e84201ca, 15, 0.05f, fill_braked, storm, were_capped},
    {"line", 0x546ba566f38352a5, 30, 0.05f, fill_line, storm, line_was_capped},
    {"round", 0xc7946962acc47e90, 8, 0.1f, fill_round, storm, round_was_capped},
    {"extremes", 0x5c6c2ca68160532c, 8, 0.2f, fill_extremes, extremes, was_dropped},
    {"film", 0xa52b1172d11faeed, 25, 0.1f, fill_film, NULL, dried},
    {"torrent", 0x209d3c018884aed8, 25, 0.1f, fill_torrent, splash, ran_fast},
    {"sleepy", 0xa2aeffd35da30de1, 20, 0.05f, fill_sleepy, wake_corner, slept},
    {"scarce", 0xd2de83a110b8f964, 25, 0.1f, fill_scarce, NULL, was_scarce},
    {"in_place", 0xe0bf0335146892e1, 20, 0.05f, fill_in_place, splash, in_place},
    {"exact_waves", 0x6d5090aa102af27a, 20, 0.05f, fill_exact_waves, splash, was_exact},
    {"clamped", 0x024432b22a8d4ec9, 20, 0.1f, fill_clamped, splash, was_clamped},
    {"exploding", 0xbbb8beb07e8de1e7, 20, 0.1f, fill_exploding, splash, exploded},
    {"cut_short", 0x38f6c0492bb63b39, 20, 0.1f, fill_cut_short, splash, was_cut_short},
    {"streamed", 0xdb8b6f1705adc7fe, 2, 0.05f, fill_streamed, splash, was_streamed},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/// In short: but for the last, whose tiles outrun caches.
static int cases_here(void)
{
    return in_short() ? CASES - 1 : CASES;
}

/// The state and, where that does not take too long, what is derived from it.
static uint64_t whole_hash(gyre_water *water)
{
    uint64_t hash = gyre_water_hash(water);
    int count;
    gyre_model *model = gyre_water_model(water);
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
        const int *n = gyre_model_grid(model)->n;
        if (!fields[f].derived || n[0] * n[1] > 1000000) {
            continue;
        }
        OK(gyre_model_map(model, f, GYRE_READ, &v));
        for (int i = 0; i < v.n[0] * v.n[1]; i++) {
            uint32_t bits;
            memcpy(&bits, &v.data[i % v.n[0] + i / v.n[0] * v.stride[1]], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
        OK(gyre_model_unmap(model, f));
    }
    return hash;
}

static uint64_t run_case(const rare_case *c, gyre_device *on)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 64, 0.5f);
    gyre_water *water = NULL;
    happened h = {.least_awake = 1 << 30};
    c->fill(&def);
    OK(gyre_water_create(on, &def, &water));
    if (c->start) {
        c->start(water);
    }
    double volume = gyre_water_get_stats(water).volume;
    for (int n = 0; n < c->steps; n++) {
        OK(gyre_water_step(water, c->dt));
        gyre_water_stats s = gyre_water_get_stats(water);
        h.capped += s.capped;
        h.dropped += s.dropped;
        h.substeps = s.substeps > h.substeps ? s.substeps : h.substeps;
        h.missing = s.missing > h.missing ? s.missing : h.missing;
        h.least_awake = s.awake < h.least_awake ? s.awake : h.least_awake;
        h.depth = s.max_depth > h.depth ? s.max_depth : h.depth;
        h.speed = s.max_speed > h.speed ? s.max_speed : h.speed;
        h.inflow = s.volume - volume;
        h.ledger_error = s.ledger_error;
    }
    if (!c->reached(&h)) {
        fail_msg(
            "%s is not what it is to be: %lld capped, %g s dropped, %d substeps, %d missing, %d "
            "awake, %g m deep, %g m/s, %g m^3 came, %g not in the ledger",
            c->name, (long long)h.capped, h.dropped, h.substeps, h.missing, h.least_awake,
            (double)h.depth, (double)h.speed, h.inflow, h.ledger_error);
    }
    uint64_t hash = whole_hash(water);
    gyre_water_destroy(water);
    return hash;
}

static void require(const rare_case *c, gyre_device *on, const char *what)
{
    uint64_t hash = run_case(c, on);
    if (hash != c->golden) {
        fail_msg("%s on %s: 0x%016llx, expected 0x%016llx", c->name, what, (unsigned long long)hash,
                 (unsigned long long)c->golden);
    }
}

static void test_instruction_sets(void **state)
{
    (void)state;
    for (int i = 0; every_isa() && gyre_isa_name(i); i++) {
        gyre_device *on = device_of(1, gyre_isa_name(i));
        for (int c = 0; on && c < cases_here(); c += every_case(i)) {
            require(&cases[c], on, gyre_isa_name(i));
        }
        gyre_device_destroy(on);
    }
}

static void test_threads(void **state)
{
    (void)state;
    gyre_device *on = device_of(3, NULL);
    for (int c = 0; every_count(1) && c < cases_here(); c++) {
        require(&cases[c], on, "3 threads");
    }
    gyre_device_destroy(on);
}

int main(void)
{
    const char *wish = getenv("GYRE_GOLDEN");
    if (wish && strcmp(wish, "print") == 0) {
        gyre_device *on = device_of(1, NULL);
        for (int c = 0; c < CASES; c++) {
            printf("0x%016llx, // %s\n", (unsigned long long)run_case(&cases[c], on),
                   cases[c].name);
        }
        gyre_device_destroy(on);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
