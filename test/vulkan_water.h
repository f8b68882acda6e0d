// vulkan_water.h: waters on a Vulkan device and on the CPU, with all that may happen to them, and
// comparisons of the two; what test_vulkan_water.c and test_vulkan_shallow.c share.
#ifndef VULKAN_WATER_H
#define VULKAN_WATER_H

#include "gyre/vulkan.h"
#include "gyre/water.h"
#include "test/sanitized.h"
#include "test/vulkan_rig.h"

enum { STEPS = 50, FIELDS = 11, POINTS = 5 };

/// GYRE_WATER_WAVE or GYRE_WATER_SHALLOW: set it before anything else.
static gyre_water_mode the_mode;

/// Linear waves agree on both devices to the bit; but very small numbers may be flushed to 0 by one
/// and not by the other.
static rig_bound alike = {0, 1e-30};
static double alike_numbers = 1e-12; // of statistics, which are summed alike: their difference

typedef struct story {
    const char *name;
    int n[2];
    float dt; // of the longest stable one's 0.0707
    void (*fill)(gyre_water_def *def);
    void (*act)(gyre_water *water, int step); // before a step, NULL: nothing happens
} story;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != GYRE_OK) {                                                                   \
            fail_msg("%s: %s", #call, gyre_message());                                             \
        }                                                                                          \
    } while (0)

static inline gyre_shape disc(float x, float y, float radius)
{
    gyre_shape shape = {.kind = GYRE_SHAPE_SPHERE};
    shape.as.sphere.centre[0] = x;
    shape.as.sphere.centre[1] = y;
    shape.as.sphere.radius = radius;
    return shape;
}

static inline void fill_nothing(gyre_water_def *def)
{
    (void)def;
}

static inline void fill_room(gyre_water_def *def)
{
    def->bodies.capacity = 1;
}

static inline void fill_steep(gyre_water_def *def)
{
    def->max_slope = 0.05f;
}

static inline void fill_rain(gyre_water_def *def)
{
    def->rain = 0.3f;
    def->evaporation = 0.1f;
}

static inline void fill_exact_rain(gyre_water_def *def)
{
    fill_rain(def);
    def->exact = true;
    def->max_slope = 0.05f;
    def->sleep_height = 1e-3f;
    def->sleep_steps = 3;
}

static inline void fill_round(gyre_water_def *def)
{
    gyre_water_side *sides = &def->sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_PERIODIC;
    }
    def->damping = 0.3f;
}

/// A pour, a body that floats, one that is pushed about, all kinds of sides, a weir, an island, and
/// a bed that rises.
static inline void fill_all(gyre_water_def *def)
{
    static gyre_water_source pour;
    static gyre_water_body bodies[2];
    static gyre_water_gate weir;
    static gyre_water_edge edges[2];
    static gyre_water_uplift uplift;
    pour = gyre_water_default_source();
    strcpy(pour.name, "pour");
    pour.shape = disc(3.0f, 4.0f, 0.9f);
    pour.discharge = 0.4f;
    for (int b = 0; b < 2; b++) {
        bodies[b] = gyre_water_default_body();
        snprintf(bodies[b].name, sizeof bodies[b].name, "body%d", b);
        bodies[b].size[0] = 0.8f;
        bodies[b].drag = 1.0f;
        bodies[b].drift = true;
        bodies[b].pose.position[0] = 5.0f + 5.0f * (float)b;
        bodies[b].pose.position[1] = 6.3f;
        bodies[b].pose.position[2] = b ? -0.5f : 0.0f;
    }
    bodies[1].held = true;
    bodies[1].pose.velocity[1] = -1.0f;
    weir = gyre_water_default_gate();
    strcpy(weir.name, "weir");
    weir.from[0] = weir.to[0] = 9.0f;
    weir.from[1] = -1.0f;
    weir.to[1] = 8.0f;
    weir.crest = -0.05f;
    for (int e = 0; e < 2; e++) {
        edges[e] = gyre_water_default_edge();
        snprintf(edges[e].name, sizeof edges[e].name, "edge%d", e);
        edges[e].shape = disc(2.0f + 9.0f * (float)e, 8.0f, 0.7f);
    }
    edges[1].side.rule = GYRE_WATER_OPEN;
    uplift = gyre_water_default_uplift();
    strcpy(uplift.name, "hill");
    uplift.shape = disc(6.4f, 2.0f, 0.8f);
    uplift.speed = 0.05f;
    def->sources = (gyre_pool){&pour, 1, 1};
    def->bodies = (gyre_pool){bodies, 2, 2};
    def->gates = (gyre_pool){&weir, 1, 1};
    def->edges = (gyre_pool){edges, 2, 2};
    def->uplifts = (gyre_pool){&uplift, 1, 1};
    def->sides.x_high.rule = GYRE_WATER_OPEN;
    def->sides.y_low.rule = GYRE_WATER_INFLOW;
    def->sides.y_low.amplitude = 0.1f;
    def->sides.y_low.period = 1.0f;
    def->sides.y_high.rule = GYRE_WATER_OPEN;
    def->sides.y_high.absorber = GYRE_WATER_LAYER;
    def->sides.y_high.layer = 1.5f;
}

static inline void fill_pour(gyre_water_def *def)
{
    gyre_water_def all = *def;
    fill_all(&all);
    def->sources = all.sources;
}

static inline void fill_hill(gyre_water_def *def)
{
    gyre_water_def all = *def;
    fill_all(&all);
    def->uplifts = all.uplifts;
}

static inline void fill_bodies(gyre_water_def *def)
{
    gyre_water_def all = *def;
    fill_all(&all);
    def->bodies = all.bodies;
}

static inline void fill_weir(gyre_water_def *def)
{
    gyre_water_def all = *def;
    fill_all(&all);
    def->gates = all.gates;
}

static inline void fill_open(gyre_water_def *def)
{
    gyre_water_def all = *def;
    fill_all(&all);
    def->sides = all.sides;
    def->sides.y_high.rule = GYRE_WATER_WALL;
}

/// Nothing but a layer: its side lies behind a quay.
static inline void fill_layer(gyre_water_def *def)
{
    static gyre_water_edge quay;
    quay = gyre_water_default_edge();
    strcpy(quay.name, "quay");
    quay.shape.kind = GYRE_SHAPE_BOX;
    quay.shape.as.box.centre[0] = 6.5f;
    quay.shape.as.box.centre[1] = 9.7f;
    quay.shape.as.box.size[0] = 20.0f;
    quay.shape.as.box.size[1] = 0.8f;
    quay.shape.as.box.size[2] = 1.0f;
    def->edges = (gyre_pool){&quay, 1, 1};
    def->sides.y_high.rule = GYRE_WATER_OPEN;
    def->sides.y_high.absorber = GYRE_WATER_LAYER;
    def->sides.y_high.layer = 8.0f;
}

static inline void fill_exact(gyre_water_def *def)
{
    fill_all(def);
    def->exact = true;
}

/// Some tiles sleep, wake up, and sleep again.
static inline void fill_sleepy(gyre_water_def *def)
{
    def->sleep_height = 1e-3f;
    def->sleep_steps = 3;
    def->wake_factor = 2.0f;
    def->damping = 2.0f;
}

static inline void fill_exploding(gyre_water_def *def)
{
    def->excess = GYRE_WATER_EXPLODE;
}

static inline void fill_few(gyre_water_def *def)
{
    def->tiles = 3;
}

static inline void fill_island(gyre_water_def *def)
{
    static gyre_water_edge island;
    island = gyre_water_default_edge();
    strcpy(island.name, "island");
    island.shape = disc(6.0f, 5.0f, 1.2f);
    island.enabled = false;
    def->edges = (gyre_pool){&island, 1, 1};
}

static inline void fill_turning(gyre_water_def *def)
{
    fill_bodies(def);
    def->sides.x_low.rule = def->sides.x_high.rule = GYRE_WATER_PERIODIC;
    def->coriolis = 2.0f;
    def->coriolis_beta = -0.3f;
}

static inline void fill_asked(gyre_water_def *def)
{
    def->queries = true;
}

/// Edits by all ways that there are.
static inline void edit(gyre_water *water, int step)
{
    gyre_model *model = gyre_water_model(water);
    gyre_field_view v;
    double left;
    switch (step) {
    case 3:
        OK(gyre_water_map(water, 0, GYRE_WRITE, &v));
        for (int i = 20; i < 80; i++) {
            v.data[i + 50 * v.stride[1]] += 0.25f;
        }
        OK(gyre_water_unmap(water, 0));
        break;
    case 7:
        OK(gyre_water_map(water, gyre_water_field(water, "discharge_x"), GYRE_WRITE, &v));
        v.data[v.n[0] / 2 + 30 * v.stride[1]] = 0.5f;
        OK(gyre_water_unmap(water, gyre_water_field(water, "discharge_x")));
        break;
    case 12:
        OK(gyre_model_splat(model, 0, (const float[3]){6.4f, 6.4f, 0.0f}, 1.0f, -0.2f));
        break;
    case 16:
        OK(gyre_water_set(water, "damping", gyre_number(0.4)));
        break;
    case 20:
        OK(gyre_water_set(water, "edges.island.enabled", gyre_bool(true)));
        break;
    case 28:
        OK(gyre_water_redistribute(water, 0.01f, &left));
        break;
    case 30:
        OK(gyre_water_map(water, gyre_water_field(water, "displaced"), GYRE_WRITE, &v));
        v.data[5 + 5 * v.stride[1]] = 0.125f;
        OK(gyre_water_unmap(water, gyre_water_field(water, "displaced")));
        break;
    case 35:
        OK(gyre_water_map(water, gyre_water_field(water, "bed"), GYRE_WRITE, &v));
        v.data[9 + 5 * v.stride[1]] = -0.75f;
        OK(gyre_water_unmap(water, gyre_water_field(water, "bed")));
        break;
    case 40:
        OK(gyre_water_set(water, "edges.island.enabled", gyre_bool(false)));
        break;
    default:
        if (step % 6 == 0) {
            gyre_water_get_stats(water);
        }
    }
}

/// One corner is never at rest, and far away some tiles wake up now and then, after any number of
/// steps.
static inline void shove(gyre_water *water, int step)
{
    static const float far[][3] = {{27.0f, 11.0f, 0.0f}, {16.0f, 11.0f, 0.0f}, {27.0f, 2.0f, 0.0f}};
    gyre_model *model = gyre_water_model(water);
    OK(gyre_model_splat(model, 0, (const float[3]){2.0f, 2.0f, 0.0f}, 1.0f, 0.01f));
    if (step % 9 == 8 || step % 7 == 6) {
        OK(gyre_model_splat(model, 0, far[step % 3], 1.0f, 0.01f));
    }
}

static inline void drop(gyre_water *water, int step)
{
    if (step == 0) {
        OK(gyre_model_splat(gyre_water_model(water), 0, (const float[3]){3.0f, 2.5f, 0.0f}, 2.0f,
                            0.3f));
    }
}

static inline void drop_beside(gyre_water *water, int step)
{
    if (step == 0) {
        OK(gyre_model_splat(gyre_water_model(water), 0, (const float[3]){8.0f, 4.0f, 0.0f}, 2.0f,
                            0.3f));
    }
}

/// A body is thrown into waves.
static inline void join(gyre_water *water, int step)
{
    drop(water, step);
    if (step == 23) {
        gyre_water_body body = gyre_water_default_body();
        strcpy(body.name, "late");
        body.pose.position[0] = body.pose.position[1] = 4.0f;
        assert_true(gyre_water_add_body(water, &body) != 0);
    }
}

/// Rain for a while, then none, and tiles that sleep when it is over.
static inline void edit_rain(gyre_water *water, int step)
{
    drop(water, step);
    if (step == 20) {
        OK(gyre_water_set(water, "rain", gyre_number(0.0)));
        OK(gyre_water_set(water, "evaporation", gyre_number(0.0)));
    }
}

/// A window over a larger sea.
static inline void travel(gyre_water *water, int step)
{
    if (step == 0) {
        drop(water, step);
    }
    if (step % 16 == 5) {
        OK(gyre_model_shift(gyre_water_model(water), (const int32_t[3]){7, -4, 0}));
    }
}

static const story stories[] = {
    {"drop", {130, 97}, 0.02f, fill_nothing, drop},
    {"round", {128, 128}, 0.02f, fill_round, drop},
    {"canal", {200, 1}, 0.03f, fill_round, drop},
    {"late", {130, 97}, 0.02f, fill_room, join},
    {"split", {130, 97}, 0.09f, fill_nothing, drop},
    {"steep", {130, 97}, 0.02f, fill_steep, drop},
    {"rain", {130, 97}, 0.02f, fill_rain, NULL},
    {"showers", {130, 97}, 0.02f, fill_exact_rain, edit_rain},
    {"edits", {130, 97}, 0.02f, fill_island, edit},
    {"pour", {130, 97}, 0.02f, fill_pour, NULL},
    {"hill", {130, 97}, 0.02f, fill_hill, NULL},
    {"bodies", {130, 97}, 0.02f, fill_bodies, NULL},
    {"weir", {130, 97}, 0.02f, fill_weir, drop_beside},
    {"layer", {130, 97}, 0.02f, fill_layer, drop},
    {"open", {130, 97}, 0.02f, fill_open, drop},
    {"all", {130, 97}, 0.02f, fill_all, NULL},
    {"exact", {130, 97}, 0.02f, fill_exact, NULL},
    {"sleepy", {300, 130}, 0.02f, fill_sleepy, shove},
    {"explode", {70, 70}, 0.05f, fill_exploding, drop},
    {"few", {200, 100}, 0.02f, fill_few, drop},
    {"window", {130, 97}, 0.02f, fill_all, travel},
    {"asked", {130, 97}, 0.02f, fill_asked, drop},
    {"turning", {130, 97}, 0.02f, fill_turning, drop},
};

static inline const story *story_of(const char *name)
{
    int i = 0;
    while (strcmp(stories[i].name, name) != 0) {
        i++;
    }
    return &stories[i];
}

static inline gyre_water *make_water(const story *s, gyre_device *device)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water = NULL;
    def.mode = (int32_t)the_mode;
    def.grid.n[0] = s->n[0];
    def.grid.n[1] = s->n[1];
    def.grid.h = 0.1f;
    def.bed.flat = -1.0f;
    def.wave_speed = 1.0f;
    s->fill(&def);
    if (gyre_water_create(device, &def, &water) != GYRE_OK) {
        fail_msg("%s: %s", s->name, gyre_message());
    }
    return water;
}

static inline void same_number(const story *s, int step, const char *what, double cpu, double gpu)
{
    if (!(fabs(cpu - gpu) <= alike_numbers * fmax(fabs(cpu), 1e-9))) {
        fail_msg("%s, step %d: %s is %.17g on the CPU, %.17g on the GPU", s->name, step, what, cpu,
                 gpu);
    }
}

static inline void same_stats(const story *s, int step, gyre_water *const pair[2])
{
    gyre_water_stats a = gyre_water_get_stats(pair[0]), b = gyre_water_get_stats(pair[1]);
    same_number(s, step, "volume", a.volume, b.volume);
    same_number(s, step, "ledger_error", a.ledger_error, b.ledger_error);
    same_number(s, step, "kinetic_energy", a.kinetic_energy, b.kinetic_energy);
    same_number(s, step, "potential_energy", a.potential_energy, b.potential_energy);
    same_number(s, step, "max_depth", (double)a.max_depth, (double)b.max_depth);
    same_number(s, step, "awake", a.awake, b.awake);
    same_number(s, step, "missing", a.missing, b.missing);
    same_number(s, step, "substeps", a.substeps, b.substeps);
    gyre_water_line lines[2][32];
    int count = gyre_water_ledger(pair[0], lines[0], 32);
    assert_int_equal(gyre_water_ledger(pair[1], lines[1], 32), count);
    for (int l = 0; l < count; l++) {
        same_number(s, step, lines[0][l].name, lines[0][l].volume, lines[1][l].volume);
    }
}

static inline void same_field(const story *s, int step, gyre_water *const pair[2], int f)
{
    gyre_field_view v[2];
    for (int d = 0; d < 2; d++) {
        OK(gyre_model_map(gyre_water_model(pair[d]), f, GYRE_READ, &v[d]));
    }
    for (int j = 0; j < v[0].n[1]; j++) {
        for (int i = 0; i < v[0].n[0]; i++) {
            float cpu = v[0].data[i + j * v[0].stride[1]];
            float gpu = v[1].data[i + j * v[1].stride[1]];
            if (!rig_near(cpu, gpu, alike)) {
                fail_msg("%s, step %d: field %d at (%d, %d): %.9g on the CPU, %.9g on the GPU",
                         s->name, step, f, i, j, (double)cpu, (double)gpu);
            }
        }
    }
    for (int d = 0; d < 2; d++) {
        OK(gyre_model_unmap(gyre_water_model(pair[d]), f));
    }
}

/// All of them; those that are derived come first, and fetch what they need.
static inline void same_fields(const story *s, int step, gyre_water *const pair[2])
{
    for (int f = FIELDS - 1; f >= 0; f--) {
        same_field(s, step, pair, f);
    }
}

static inline void same_answers(const story *s, int step, gyre_water *const pair[2])
{
    gyre_water_sample a[2][POINTS];
    float points[2 * POINTS];
    for (int p = 0; p < POINTS; p++) {
        points[2 * p] = 0.02f * (float)s->n[0] * (float)p;
        points[2 * p + 1] = 0.019f * (float)s->n[1] * (float)p;
    }
    for (int d = 0; d < 2; d++) {
        OK(gyre_water_query(pair[d], points, POINTS, a[d]));
    }
    for (int p = 0; p < POINTS; p++) {
        same_number(s, step, "a height", (double)a[0][p].height, (double)a[1][p].height);
        same_number(s, step, "a velocity", (double)a[0][p].velocity[0],
                    (double)a[1][p].velocity[0]);
    }
}

/// What bodies feel.
static inline void same_reports(const story *s, int step, gyre_water *const pair[2])
{
    gyre_water_body own = gyre_water_default_body();
    gyre_body_report a[2][3];
    own.pose.position[0] = own.pose.position[1] = 4.0f;
    for (int d = 0; d < 2; d++) {
        int count = 0;
        for (int b = 0; b < 2 && s->fill == fill_bodies; b++) {
            gyre_id id = gyre_model_element(gyre_water_model(pair[d]), "bodies", b);
            OK(gyre_water_report(pair[d], id, &a[d][count++]));
        }
        OK(gyre_water_report_body(pair[d], &own, &a[d][count++]));
        for (int b = 0; b < count && d == 1; b++) {
            same_number(s, step, "what is submerged", (double)a[0][b].submerged,
                        (double)a[1][b].submerged);
            same_number(s, step, "a force", (double)a[0][b].force[2], (double)a[1][b].force[2]);
        }
    }
}

static inline void same_totals(const story *s, int step, gyre_water *const pair[2])
{
    for (int f = 0; f < 5; f++) {
        same_number(s, step, "a total", gyre_model_total(gyre_water_model(pair[0]), f),
                    gyre_model_total(gyre_water_model(pair[1]), f));
    }
}

/// Each asks in its own way, with a step before it, and has to fetch for itself.
static inline void compare(const story *s, int step, gyre_water *const pair[2])
{
    switch (step % 10) {
    case 0:
        same_field(s, step, pair, 0);
        break;
    case 1:
    case 8:
        same_stats(s, step, pair);
        break;
    case 3:
        same_answers(s, step, pair);
        break;
    case 4:
        same_reports(s, step, pair);
        break;
    case 6:
        same_totals(s, step, pair);
        break;
    case 9:
        same_fields(s, step, pair);
        break;
    default:
        break;
    }
}

/// A story on both devices.
/// How many steps a story is told for. One of shallow water costs an emulated device ten times what
/// one of waves does: of its stories, those where nothing new comes late are shorter, unless all
/// is asked for.
static inline int steps_of(const story *s)
{
    bool late = s->act == join || s->act == edit_rain || s->fill == fill_sleepy ||
                s->fill == fill_few || s->fill == fill_asked;
    return the_mode == GYRE_WATER_WAVE || late || in_full() ? STEPS : STEPS / 3;
}

static inline void told_twice(const story *s)
{
    gyre_water *pair[2] = {make_water(s, the_cpu), make_water(s, the_gpu)};
    int least = 1000, most = 0, steps = steps_of(s);
    for (int n = 0; n < steps; n++) {
        for (int d = 0; d < 2; d++) {
            if (s->act) {
                s->act(pair[d], n);
            }
            OK(gyre_water_step(pair[d], s->dt));
        }
        // Few tiles: nothing but the step itself may ask.
        if (s->fill != fill_few || n == steps - 1) {
            compare(s, n, pair);
        }
        if (s->fill == fill_sleepy) {
            same_stats(s, n, pair);
            int awake = gyre_water_get_stats(pair[1]).awake;
            least = GY_MIN(least, awake);
            most = GY_MAX(most, awake);
        }
    }
    same_stats(s, steps, pair);
    assert_true(s->fill != fill_sleepy || least < most);
    assert_true(s->fill != fill_few || gyre_water_get_stats(pair[1]).missing > 0);
    for (int d = 0; d < 2; d++) {
        gyre_water_destroy(pair[d]);
    }
}

/// What is saved on one device goes on from there on the other, and back.
static inline void saved_on_one_loaded_on_the_other(void **state)
{
    (void)state;
    const story *s = story_of("all");
    for (int from = 0; from < 2; from++) {
        gyre_device *devices[2] = {from ? the_gpu : the_cpu, from ? the_cpu : the_gpu};
        gyre_water *pair[2] = {make_water(s, devices[0]), make_water(s, devices[1])};
        for (int n = 0; n < 10; n++) {
            OK(gyre_water_step(pair[0], s->dt));
            OK(gyre_water_step(pair[1], 0.7f * s->dt));
        }
        size_t bytes = gyre_model_save_size(gyre_water_model(pair[0]));
        void *saved = malloc(bytes);
        OK(gyre_model_save(gyre_water_model(pair[0]), saved, bytes, NULL));
        OK(gyre_model_load(gyre_water_model(pair[1]), saved, bytes));
        for (int n = 0; n < 10; n++) {
            for (int d = 0; d < 2; d++) {
                OK(gyre_water_step(pair[d], s->dt));
            }
        }
        same_fields(s, 20, pair);
        // And back in time on its own.
        uint64_t hash = gyre_water_hash(pair[0]);
        OK(gyre_model_load(gyre_water_model(pair[0]), saved, bytes));
        for (int n = 0; n < 10; n++) {
            OK(gyre_water_step(pair[0], s->dt));
        }
        assert_true(gyre_water_hash(pair[0]) == hash);
        free(saved);
        gyre_water_destroy(pair[0]);
        gyre_water_destroy(pair[1]);
    }
}

#endif
