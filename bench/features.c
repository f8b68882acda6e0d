// What a feature of a gas costs: gyre bench gas --feature NAME. The same gas with it off and on, by
// turns, so that the ratio holds on a machine that other people use too.
//
// A feature is an entry of the table: a name, and cases that each fill a def which is run with and
// without it.
#include "bench/parts.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 15, QUICK = 5, WARM_UP = 3, MOST_CASES = 8 };

/// Elements that a case's def points to.
typedef struct lists {
    gyre_gas_force forces[1];
    gyre_gas_patch patches[2];
    gyre_gas_solid solids[2];
    gyre_gas_sheet sheets[1];
    gyre_gas_channel channels[3];
    gyre_gas_emitter emitters[2];
} lists;

typedef struct feature {
    const char *name;
    int cases;
    // Off, on; returns what the case is called; NULL: there is none in this dimension.
    const char *(*fill)(gyre_gas_def def[2], lists *l, int which);
    /// Bodies of the gas with it (on) and without; NULL: there are none. With them in 3D alone.
    gyre_bodies *(*bodies)(int which, bool on);
    int n[2];   // cells along an axis, in 2D and in 3D; 0: 512 and 64
    int solver; // gyre_solver_kind of both gases
} feature;

static const char *fill_forces(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"wind everywhere", "fan in a hundredth",
                                        "vortex everywhere", "attractor everywhere",
                                        "turbulence everywhere"};
    gyre_gas_force *f = &l->forces[0];
    *f = gyre_gas_default_force(which);
    f->everywhere = which != GYRE_GAS_FAN;
    f->shape = gyre_box((const float[3]){0.5f, 0.5f, 0.5f}, (const float[3]){0.1f, 0.32f, 0.32f});
    f->action.as.wind.velocity[0] = which == GYRE_GAS_WIND ? 0.5f : f->action.as.wind.velocity[0];
    if (which == GYRE_GAS_FAN)
        f->action.as.fan.speed = 0.5f;
    def[1].forces = (gyre_pool){f, 1, 1};
    return names[which];
}

static const char *fill_patches(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"an inlet and an outlet", "room for patches alone",
                                        "an inlet and a window"};
    for (int q = 0; q < 2 && which != 1; q++) {
        gyre_gas_patch *p = &l->patches[q];
        *p = gyre_gas_default_patch();
        p->side = q;
        p->rule = q == 1 && which == 2 ? GYRE_GAS_PATCH_OPEN : GYRE_GAS_PATCH_INFLOW;
        p->velocity[0] = 0.5f;
        // A window takes a solver for solids: beside the same.
        def[q].pressure.solver = which == 2 ? GYRE_SOLVER_MGPCG : def[q].pressure.solver;
        p->shape =
            gyre_box((const float[3]){(float)q, 0.5f, 0.5f}, (const float[3]){0.2f, 0.3f, 0.3f});
    }
    def[1].patches = (gyre_pool){l->patches, which != 1 ? 2 : 0, 2};
    return names[which];
}

/// Beside gases whose warmth diffuses, and that have the ball, too.
static const char *fill_walls(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"a side gives", "a side holds", "a ball gives",
                                        "a ball holds"};
    static const gyre_amount warm = {.name = "temperature", .amount = 1.0f};
    for (int q = 0; q < 2; q++) {
        gyre_gas_solid *ball = &l->solids[q];
        *ball = gyre_gas_default_solid();
        ball->shape = gyre_sphere((const float[3]){0.5f, 0.6f, 0.5f}, 0.15f);
        if (which >= 2)
            def[q].solids = (gyre_pool){ball, 1, 1};
        def[q].temperature.diffusivity = 1e-4f;
    }
    *(which == 0   ? &def[1].sides.y_low.gives[0]
      : which == 1 ? &def[1].sides.y_low.holds[0]
      : which == 2 ? &l->solids[1].gives[0]
                   : &l->solids[1].holds[0]) = warm;
    return names[which];
}

static const char *fill_bodies(gyre_gas_def def[2], lists *l, int which)
{
    (void)def;
    (void)l;
    return which ? "eight bodies, none off" : "eight bodies, at rest off";
}

static float octahedron[] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1};
static float octants[] = {1, 3, 5, 3, 0, 5, 0, 2, 5, 2, 1, 5, 3, 1, 4, 0, 3, 4, 2, 0, 4, 1, 2, 4};

/// Balls, boxes, a capsule and a mesh, a sixth of the domain wide, that fly and turn.
static gyre_bodies *make_bodies(int which, bool on)
{
    gyre_bodies *set = NULL;
    if ((which && !on) || gyre_bodies_create(NULL, &set) != GYRE_OK)
        return NULL;
    for (int b = 0; b < 18; b++)
        octahedron[b] = octahedron[b] > 0 ? 0.1f : octahedron[b] < 0 ? -0.1f : 0.0f;
    for (int b = 0; b < 8; b++) {
        gyre_body body = gyre_bodies_default_body();
        const int way = b & 1 ? 1 : -1;
        for (int a = 0; a < 3; a++)
            body.pose.position[a] = b >> a & 1 ? 0.7f : 0.3f;
        if (b % 4 == 0) {
            body.form.kind = GYRE_FORM_SPHERE;
            body.form.as.sphere.radius = 0.08f;
        } else if (b % 4 == 1) {
            for (int a = 0; a < 3; a++)
                body.form.as.box.size[a] = a == 1 ? 0.2f : 0.12f;
        } else if (b % 4 == 2) {
            body.form.kind = GYRE_FORM_CAPSULE;
            body.form.as.capsule.radius = 0.05f;
            body.form.as.capsule.length = 0.1f;
        } else {
            body.form.kind = GYRE_FORM_MESH;
            body.form.as.mesh.points = (gyre_volume){octahedron, {3, 6, 1}, "octahedron"};
            body.form.as.mesh.triangles = (gyre_volume){octants, {3, 8, 1}, "octants"};
        }
        if (on) {
            body.pose.velocity[b % 3] = 0.5f * (float)way;
            body.pose.spin[(b + 1) % 3] = 60.0f;
        }
        if (!gyre_bodies_add(set, &body)) {
            gyre_bodies_destroy(set);
            return NULL;
        }
    }
    return set;
}

static const char *fill_confinement(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"confinement everywhere", "confinement in a tenth"};
    gyre_gas_force *f = &l->forces[0];
    *f = gyre_gas_default_force(GYRE_GAS_CONFINEMENT);
    f->everywhere = which == 0;
    f->shape = gyre_box((const float[3]){0.5f, 0.5f, 0.5f}, (const float[3]){1.0f, 0.1f, 1.0f});
    def[1].forces = (gyre_pool){f, 1, 1};
    return names[which];
}

static const char *fill_frame(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"accelerated frame", "spinning frame"};
    (void)l;
    if (which == 0)
        def[1].frame.acceleration[0] = 1.0f;
    else
        def[1].frame.spin[2] = 1.0f;
    return names[which];
}

static void turn_row(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++) {
        float x = row->place[0] + row->step * (float)i - 0.5f, y = row->place[1] - 0.5f;
        values[i] = row->axis == 0 ? -y : row->axis == 1 ? x : 0.0f;
    }
}

/// Beside a gas of the same that is solved for.
static const char *fill_given(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"noise", "noise, MacCormack", "rows, turning"};
    (void)l;
    def[1].velocity = which < 2 ? GYRE_GAS_NOISE : GYRE_GAS_ROWS;
    for (int q = 0; q < 2 && which == 1; q++)
        def[q].advection = GYRE_GAS_MACCORMACK;
    return names[which];
}

/// Right across the domain. Without it both gases have the same solver: one of boxes would be
/// faster, and a solid's would not.
static const char *fill_sheets(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"across x", "across y", "across z", "inclined"};
    bool deep = def[1].grid.dim == 3;
    gyre_gas_sheet *s = &l->sheets[0];
    *s = gyre_gas_default_sheet(deep ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    // Two ways along it, from its middle.
    static const float ways[4][2][3] = {{{0, 1, 0}, {0, 0, 1}},
                                        {{0, 0, 1}, {1, 0, 0}},
                                        {{1, 0, 0}, {0, 1, 0}},
                                        {{0.5f, -0.8f, 0}, {0.25f, 0.15f, 0.9f}}};
    for (int a = 0; a < 3; a++) {
        const float *one = ways[which][0], *other = ways[which][1];
        float flat = which == 1 ? other[a] : one[a];
        if (deep) {
            s->form.as.panel.corner[a] = 0.501f - 2.0f * (one[a] + other[a]);
            s->form.as.panel.along[a] = 4.0f * one[a];
            s->form.as.panel.across[a] = 4.0f * other[a];
        } else {
            s->form.as.line.from[a] = 0.501f - 2.0f * flat;
            s->form.as.line.to[a] = 0.501f + 2.0f * flat;
        }
    }
    def[1].sheets = (gyre_pool){s, 1, 1};
    return which == 2 && !deep ? NULL : names[which];
}

/// Beside gases that carry the same fuel and spent air, and do not burn it.
static const char *fill_fire(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"burns, without expansion", "burns and expands",
                                        "a front, without expansion", "a front that expands"};
    gyre_gas_emitter *e = &l->emitters[0];
    *e = gyre_gas_default_emitter();
    e->shape = gyre_sphere((const float[3]){0.5f, 0.3f, 0.5f}, 0.2f);
    memset(l->channels, 0, sizeof l->channels);
    strcpy(l->channels[0].name, "fuel");
    strcpy(l->channels[1].name, "spent");
    strcpy(e->feeds[0].name, "fuel");
    e->feeds[0].amount = 0.01f;
    if (which >= 2) {
        strcpy(l->channels[1].name, "burnt");
        e->feeds[0].amount = 4.0f;
        e[1] = *e;
        e[1].shape = gyre_sphere((const float[3]){0.5f, 0.3f, 0.5f}, 0.1f);
        strcpy(e[1].feeds[0].name, "burnt");
    }
    for (int q = 0; q < 2; q++) {
        def[q].channels = (gyre_pool){l->channels, 2, 2};
        def[q].emitters = (gyre_pool){e, which < 2 ? 1 : 2, which < 2 ? 1 : 2};
        def[q].sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    }
    strcpy(def[1].fire.fuel, "fuel");
    strcpy(which < 2 ? def[1].fire.spent : def[1].fire.front.burnt, which < 2 ? "spent" : "burnt");
    def[1].fire.front.speed = which < 2 ? 0.0f : 0.4f;
    def[1].fire.ignition = 1.0f;
    def[1].fire.cooling = 100.0f;
    def[1].fire.expansion = (float)(which & 1);
    return names[which];
}

/// Beside gases that carry the same scalars, and know no height.
static const char *fill_cloud(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"layers, dry", "clouds", "clouds that rain"};
    gyre_gas_emitter *e = &l->emitters[0];
    *e = gyre_gas_default_emitter();
    e->shape = gyre_sphere((const float[3]){0.5f, 0.3f, 0.5f}, 0.2f);
    memset(l->channels, 0, sizeof l->channels);
    strcpy(l->channels[0].name, "vapour");
    strcpy(l->channels[1].name, "cloud");
    strcpy(l->channels[2].name, "rain");
    strcpy(e->feeds[0].name, "vapour");
    e->feeds[0].amount = 0.01f;
    for (int q = 0; q < 2; q++) {
        def[q].channels = (gyre_pool){l->channels, which == 0 ? 0 : which + 1, which == 0 ? 0 : 3};
        def[q].emitters = (gyre_pool){e, which > 0, 1};
    }
    def[1].atmosphere.layered = true;
    if (which > 0) {
        strcpy(def[1].atmosphere.vapour, "vapour");
        strcpy(def[1].atmosphere.water, "cloud");
        strcpy(def[1].atmosphere.rain, which == 2 ? "rain" : "");
    }
    return names[which];
}

static const char *fill_texture(gyre_gas_def def[2], lists *l, int which)
{
    static const char *const names[] = {"one phase", "two phases", "three phases"};
    (void)l;
    def[1].texture.phases = which + 1;
    return names[which];
}

static const feature features[] = {
    {"forces", 5, fill_forces, NULL, {0}, GYRE_SOLVER_AUTO},
    {"confinement", 2, fill_confinement, NULL, {0}, GYRE_SOLVER_AUTO},
    {"frame", 2, fill_frame, NULL, {0}, GYRE_SOLVER_AUTO},
    {"fire", 4, fill_fire, NULL, {0}, GYRE_SOLVER_AUTO},
    {"cloud", 3, fill_cloud, NULL, {0}, GYRE_SOLVER_AUTO},
    {"given", 3, fill_given, NULL, {0}, GYRE_SOLVER_AUTO},
    {"patches", 3, fill_patches, NULL, {0}, GYRE_SOLVER_AUTO},
    {"walls", 4, fill_walls, NULL, {0}, GYRE_SOLVER_AUTO},
    {"bodies", 2, fill_bodies, make_bodies, {0}, GYRE_SOLVER_AUTO},
    {"texture", 3, fill_texture, NULL, {0}, GYRE_SOLVER_AUTO},
    {"sheets", 4, fill_sheets, NULL, {1024, 128}, GYRE_SOLVER_MGPCG},
};
enum { FEATURES = sizeof features / sizeof *features };

/// Warm smoke in a closed box.
static gyre_gas_def plain(int dim, int n)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    return def;
}

static gyre_gas *make(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    if (gyre_gas_create(device, def, &gas) != GYRE_OK)
        return NULL;
    gyre_gas_set_velocity_rows(gas, turn_row, NULL); // which counts where the def asks for it
    gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), (const float[3]){0.5f, 0.3f, 0.5f},
                   0.2f, 20.0f);
    gyre_gas_splat(gas, gyre_gas_field(gas, "density"), (const float[3]){0.5f, 0.3f, 0.5f}, 0.2f,
                   1.0f);
    return gas;
}

static gyre_result step(gyre_gas *gas, gyre_bodies *set, float dt)
{
    gyre_result r = gyre_gas_step(gas, dt);
    return r == GYRE_OK && set ? gyre_bodies_step(set, dt) : r;
}

/// Sets the gas in motion as fast as the bodies are: what it costs to carry gas that flows is no
/// cost of theirs.
static void stir(gyre_gas *gas)
{
    static const char *const fields[] = {"velocity_x", "velocity_y", "velocity_z"};
    for (int b = 0; b < 8; b++) {
        const float centre[3] = {b & 1 ? 0.7f : 0.3f, b & 2 ? 0.7f : 0.3f, b & 4 ? 0.7f : 0.3f};
        gyre_gas_splat(gas, gyre_gas_field(gas, fields[b % 3]), centre, 0.2f, b & 1 ? 1.0f : -1.0f);
    }
}

/// Steps both by turns; medians in nanoseconds a cell.
static bool run(gyre_gas *gas[2], gyre_bodies *set[2], int threads, int rounds, double cells,
                double median[2])
{
    double seconds[2][ROUNDS];
    for (int r = -WARM_UP; r < rounds; r++)
        for (int side = 0; side < 2; side++) {
            int q = r & 1 ? 1 - side : side;
            double begin = bench_now_on(threads);
            if (step(gas[q], set[q], 0.4f * gyre_model_grid(gyre_gas_model(gas[q]))->h))
                return false;
            if (r >= 0)
                seconds[q][r] = 1e9 * (bench_now_on(threads) - begin) / cells;
        }
    for (int q = 0; q < 2; q++)
        median[q] = bench_median(seconds[q], rounds);
    return true;
}

static bool run_case(gyre_device *device, const feature *f, int which, int dim, int n, bool quick,
                     FILE *out)
{
    lists l;
    gyre_gas_def def[2] = {plain(dim, n), plain(dim, n)};
    const char *name = f->fill(def, &l, which);
    if (!name)
        return true;
    for (int q = 0; q < 2 && f->solver != GYRE_SOLVER_AUTO; q++)
        def[q].pressure.solver = f->solver;
    gyre_gas *gas[2] = {make(device, &def[0]), make(device, &def[1])};
    gyre_bodies *set[2] = {NULL, NULL};
    bool met = gas[0] && gas[1];
    for (int q = 0; q < 2 && f->bodies && met; q++) {
        set[q] = f->bodies(which, q);
        met = (set[q] || (which && !q)) &&
              gyre_model_use_bodies(gyre_gas_model(gas[q]), set[q]) == GYRE_OK;
        stir(gas[q]);
    }
    double cells = (double)n * n * (dim == 3 ? n : 1), median[2];
    bool done =
        met && run(gas, set, gyre_device_threads(device), quick ? QUICK : ROUNDS, cells, median);
    if (done)
        fprintf(out, "%-24s %dD %4d  off %7.1f ns/cell  on %7.1f  ratio %5.3f  bytes %+zd\n", name,
                dim, n, median[0], median[1], median[1] / median[0],
                (ptrdiff_t)(gyre_gas_size(&def[1]) - gyre_gas_size(&def[0])));
    else
        fprintf(stderr, "gyre bench: %s: %s\n", name, gyre_message());
    for (int q = 0; q < 2; q++) {
        gyre_gas_destroy(gas[q]);
        gyre_bodies_destroy(set[q]);
    }
    return done;
}

static const char *name_of(const void *data, int i)
{
    (void)data;
    return features[i].name;
}

int bench_features(gyre_device *device, const char *name, bool quick, FILE *out)
{
    const feature *f = NULL;
    for (int i = 0; i < FEATURES; i++)
        f = strcmp(features[i].name, name) == 0 ? &features[i] : f;
    if (!f) {
        const char *near = gyre_name_nearest(name, FEATURES, name_of, NULL);
        fprintf(stderr, "gyre bench: --feature: there is no feature \"%s\"; there are:", name);
        for (int i = 0; i < FEATURES; i++)
            fprintf(stderr, " %s", features[i].name);
        fprintf(stderr, " tracers plates");
        fprintf(stderr, "%s%s%s\n", near ? "; did you mean \"" : "", near ? near : "",
                near ? "\"?" : "");
        return 2;
    }
    bool done = true;
    for (int which = 0; which < f->cases && done; which++) {
        int flat = f->n[0] ? f->n[0] : 512, deep = f->n[1] ? f->n[1] : 64;
        done = (f->bodies || run_case(device, f, which, 2, quick ? 128 : flat, quick, out)) &&
               run_case(device, f, which, 3, quick ? 32 : deep, quick, out);
    }
    return done ? 0 : 1;
}
