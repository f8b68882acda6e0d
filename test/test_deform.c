// Meshes that deform in a gas: a ball that swells pushes out what it takes, one whose points move
// along is one that moves, smoke gets out of the way with its total kept, a saved run goes on.
// Points that a program moves from step to step do as frames that are the same.
// labels: small
#include "body_set_rig.h"
#include "gas/gas.h"
#include "test/sanitized.h"

enum { RINGS = 10, ROUND = 16, POINTS = 2 + (RINGS - 1) * ROUND, FRAMES = 9 };

static float points[FRAMES][POINTS][3];
static float indices[2 * (RINGS - 1) * ROUND * 3];

/// Frames of a ball of radius 5: of which each is `by` further along x, and larger by `swell`.
static gyre_body ball_of(float by, float swell, float rate)
{
    mesh_case c = mesh_case_sphere(RINGS, ROUND, 5.0);
    assert_int_equal(c.mesh.point_count, POINTS);
    for (int f = 0; f < FRAMES; f++) {
        for (int p = 0; p < POINTS; p++) {
            for (int a = 0; a < 3; a++) {
                points[f][p][a] =
                    c.points[3 * p + a] * (1.0f + swell * (float)f) + (a == 0 ? by * (float)f : 0);
            }
        }
    }
    for (int k = 0; k < 3 * c.mesh.triangle_count; k++) {
        indices[k] = (float)c.triangles[k];
    }
    gyre_body ball = gyre_bodies_default_body();
    ball.form.kind = GYRE_FORM_MESH;
    ball.form.as.mesh.points = (gyre_volume){points[0][0], {3, POINTS, 1}, "ball"};
    ball.form.as.mesh.triangles = (gyre_volume){indices, {3, c.mesh.triangle_count, 1}, "indices"};
    ball.form.as.mesh.rate = rate;
    if (rate > 0.0f) {
        ball.form.as.mesh.frames = (gyre_volume){points[0][0], {3, POINTS, FRAMES}, "frames"};
    }
    for (int a = 0; a < 3; a++) {
        ball.pose.position[a] = a == 0 ? 10.3f : 12.1f;
    }
    mesh_case_free(&c);
    return ball;
}

/// The same whose points are moved by tell() instead, in the box that the frames lie in.
static gyre_body told_ball_of(float by, float swell, float rate)
{
    gyre_body ball = ball_of(by, swell, rate);
    struct gyre_form_mesh *mesh = &ball.form.as.mesh;
    mesh->frames = (gyre_volume){0};
    for (int a = 0; a < 3; a++) {
        mesh->low[a] = mesh->high[a] = points[0][0][a];
        for (int p = 0; p < FRAMES * POINTS; p++) {
            mesh->low[a] = fminf(mesh->low[a], points[p / POINTS][p % POINTS][a]);
            mesh->high[a] = fmaxf(mesh->high[a], points[p / POINTS][p % POINTS][a]);
        }
    }
    return ball;
}

typedef struct flight {
    gyre_device *device;
    gyre_gas *gas;
    gyre_bodies *set;
    gyre_id ball;
    double rate; // at which its points are told; 0: they are not
} flight;

/// In a hall of 36 x 24 x 24 m full of smoke whose far end is open.
static flight fly(const gyre_body *ball, int threads)
{
    flight f = {0};
    gyre_device_def d = gyre_default_device_def();
    gyre_gas_def def = gyre_gas_default_def(3);
    d.threads = threads;
    must(gyre_device_create(&d, &f.device));
    for (int a = 0; a < 3; a++) {
        def.grid.n[a] = a == 0 ? 36 : 24;
    }
    def.grid.h = 1.0f;
    memset(def.gravity, 0, sizeof def.gravity);
    def.air_density = 1.0f;
    def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    must(gyre_gas_create(f.device, &def, &f.gas));
    f.set = set_of();
    f.ball = added(f.set, ball);
    f.rate = ball->form.as.mesh.high[0] > 0.0f ? (double)ball->form.as.mesh.rate : 0.0;
    must(gyre_model_use_bodies(gyre_gas_model(f.gas), f.set));
    gyre_field_view v;
    int density = gyre_gas_field(f.gas, "density");
    must(gyre_gas_map(f.gas, density, GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                v.data[i + j * v.stride[1] + k * v.stride[2]] = 1.0f;
            }
        }
    }
    must(gyre_gas_unmap(f.gas, density));
    return f;
}

/// Says where the points are to be after the next step: where frames would have them.
static void tell(flight *f, float dt)
{
    float to[POINTS][3];
    double at = (gyre_bodies_time(f->set) + (double)dt) * f->rate;
    int first = at < FRAMES - 1 ? (int)at : FRAMES - 1;
    int next = first < FRAMES - 1 ? first + 1 : first;
    for (int p = 0; p < POINTS; p++) {
        for (int a = 0; a < 3; a++) {
            double from = (double)points[first][p][a], way = (double)points[next][p][a] - from;
            to[p][a] = (float)(from + (fmin(at, FRAMES) - first) * way);
        }
    }
    must(gyre_bodies_deform(f->set, f->ball, to[0], POINTS));
}

static void go(flight *f, float dt)
{
    if (f->rate > 0.0) {
        tell(f, dt);
    }
    must(gyre_gas_step(f->gas, dt));
    must(gyre_bodies_step(f->set, dt));
}

static void land(flight *f)
{
    must(gyre_model_use_bodies(gyre_gas_model(f->gas), NULL));
    gyre_bodies_destroy(f->set);
    gyre_gas_destroy(f->gas);
    gyre_device_destroy(f->device);
}

/// What a ball that swells takes, the gas gives: as much leaves through the open side. Nothing of
/// the smoke is lost.
static void swell(const gyre_body *ball, int steps)
{
    flight f = fly(ball, 2);
    int density = gyre_gas_field(f.gas, "density");
    gyre_gas_budget start = gyre_gas_get_budget(f.gas, density);
    double volume = 0.0, taken = 0.0, worst = 0.0;
    for (int n = 0; n < steps; n++) {
        double was = (double)state_of(f.set, f.ball).low[0];
        go(&f, 0.5f);
        // The flow of this step took what the ball had grown by in the one before.
        taken += n > 0 ? 0.5 * gyre_gas_get_stats(f.gas).squeezed : 0.0;
        double r[2] = {10.3 - was, 10.3 - (double)state_of(f.set, f.ball).low[0]};
        // Of this mesh, over that of the ball of its radius.
        volume += n < steps - 1 ? 4.18879 * 0.961 * (r[1] * r[1] * r[1] - r[0] * r[0] * r[0]) : 0.0;
        gyre_gas_budget b = gyre_gas_get_budget(f.gas, density);
        worst = fmax(worst, fabs((b.total + b.left - start.total) / start.total));
    }
    gyre_gas_budget end = gyre_gas_get_budget(f.gas, density);
    const float middle[3] = {10.3f, 12.1f, 12.1f};
    float inside;
    must(gyre_gas_probe(f.gas, density, middle, 1, &inside));
    printf("takes %.1f m^3 of the %.1f that it grows by; %.1f kg left, off by %.2g\n", taken,
           volume, end.left, worst);
    near("volume", taken / volume, 1.0, 0.05);
    near("smoke that left", end.left / volume, 1.0, 0.1);
    assert_true(worst < 1e-6 && inside == 0.0f);
    land(&f);
}

static void what_swells_pushes_out(void **state)
{
    (void)state;
    gyre_body ball = ball_of(0.0f, 0.05f, 1.0f);
    swell(&ball, in_full() ? 16 : 8);
}

static void what_is_told_to_swell_pushes_out(void **state)
{
    (void)state;
    gyre_body ball = told_ball_of(0.0f, 0.05f, 1.0f);
    swell(&ball, 7);
}

/// Points that all move along are a ball that moves.
static void what_is_carried_moves(void **state)
{
    (void)state;
    double force[2][2], speed[2];
    for (int deforms = 0; deforms < 2; deforms++) {
        gyre_body ball = ball_of(0.5f, 0.0f, deforms ? 1.0f : 0.0f);
        ball.pose.velocity[0] = deforms ? 0.0f : 0.5f;
        flight f = fly(&ball, 2);
        go(&f, 0.8f);
        // The first step of the one that deforms knows of no motion yet.
        for (int n = 0; n < 6; n++) {
            gyre_gas_push push;
            go(&f, 0.8f);
            must(gyre_gas_read_push(f.gas, f.ball, &push));
            force[deforms][0] = n == 0 ? push.force[0] : force[deforms][0];
            force[deforms][1] = push.force[0];
        }
        const float before[3] = {10.3f + 7 * 0.4f + 6.0f, 12.1f, 12.1f};
        float u;
        must(gyre_gas_probe(f.gas, 0, before, 1, &u));
        speed[deforms] = (double)u;
        land(&f);
    }
    printf("forces %.3f %.3f at first (of the one that is met at rest all of it), %.3f %.3f later; "
           "speed in front %.4f %.4f\n",
           force[0][0], force[1][0], force[0][1], force[1][1], speed[0], speed[1]);
    assert_true(force[1][0] < -20.0);
    near("speed in front", speed[1], speed[0], 0.03 * speed[0]);
}

static uint64_t hash_of(int threads, bool saved, bool told)
{
    gyre_body ball = (told ? told_ball_of : ball_of)(0.7f, 0.02f, 1.0f);
    ball.pose.spin[2] = 20.0f;
    flight f = fly(&ball, threads);
    const int steps = in_full() ? 3 : 2; // before and after it is saved
    for (int n = 0; n < steps; n++) {
        go(&f, 0.6f);
    }
    if (saved) {
        size_t size = gyre_gas_save_size(f.gas), room = gyre_bodies_save_size(f.set);
        void *gas = malloc(size), *set = malloc(room);
        if (told) {
            tell(&f, 0.6f); // what is not yet done is kept too
        }
        uint64_t hash = gyre_bodies_hash(f.set);
        must(gyre_gas_save(f.gas, gas, size, &size));
        must(gyre_bodies_save(f.set, set, room, &room));
        land(&f);
        f = fly(&ball, threads);
        uint32_t version[2] = {3, 0}; // of the one before, and of now, behind 8 letters
        memcpy(&version[1], (char *)set + 8, sizeof version[1]);
        memcpy((char *)set + 8, &version[0], sizeof version[0]);
        assert_int_equal(gyre_bodies_load(f.set, set, room), GYRE_ERROR_FORMAT);
        assert_non_null(strstr(gyre_message(), "of another version"));
        memcpy((char *)set + 8, &version[1], sizeof version[1]);
        must(gyre_bodies_load(f.set, set, room));
        assert_true(gyre_bodies_hash(f.set) == hash);
        must(gyre_gas_load(f.gas, gas, size));
        if (told) { // told before
            must(gyre_gas_step(f.gas, 0.6f));
            must(gyre_bodies_step(f.set, 0.6f));
        }
        free(gas);
        free(set);
    }
    for (int n = saved && told ? 1 : 0; n < steps; n++) {
        go(&f, 0.6f);
    }
    uint64_t hash = gyre_gas_hash(f.gas);
    land(&f);
    return hash;
}

static void the_same_bits(void **state)
{
    (void)state;
    uint64_t hash = hash_of(1, false, false);
    assert_true(hash_of(1, true, false) == hash);
    assert_true(hash_of(3, false, true) == hash);
    assert_true(hash_of(1, true, true) == hash);
}

static void refused(flight *f, gyre_id id, const float *to, int count, const char *why)
{
    uint64_t hash = gyre_bodies_hash(f->set);
    assert_true(gyre_bodies_deform(f->set, id, to, count) != GYRE_OK);
    const char *message = gyre_message();
    if (!strstr(message, why) || strchr(message, '\n')) {
        fail_msg("\"%s\" does not say \"%s\"", message, why);
    }
    assert_true(gyre_bodies_hash(f->set) == hash);
}

/// What is no place for the points is refused, and what was told before still counts. The surface
/// goes as fast as its points do.
static void what_cannot_be_told_is_refused(void **state)
{
    (void)state;
    gyre_body ball = told_ball_of(1.0f, 0.0f, 1.0f), other = gyre_bodies_default_body();
    flight f = fly(&ball, 1);
    static float to[POINTS][3];
    tell(&f, 0.25f);
    memcpy(to, points[0], sizeof to);
    refused(&f, f.ball, to[0], POINTS - 1, "expected the mesh's 146");
    to[7][1] = NAN;
    refused(&f, f.ball, to[0], POINTS, "point 7");
    to[7][1] = 5.5f;
    refused(&f, f.ball, to[0], POINTS, "in the box of its mesh");
    snprintf(other.name, sizeof other.name, "crate");
    other.enabled = false;
    gyre_id crate = added(f.set, &other);
    refused(&f, crate, points[0][0], POINTS, "body \"crate\" is no mesh with a box");
    refused(&f, 0, points[0][0], POINTS, "0 is no id");
    must(gyre_bodies_remove(f.set, crate));
    refused(&f, crate, points[0][0], POINTS, "is gone");
    must(gyre_bodies_step(f.set, 0.25f));
    const float at[3] = {10.3f + 5.25f, 12.1f, 12.1f};
    float v[3];
    must(gyre_bodies_velocity(f.set, f.ball, at, 1, v));
    near("surface", (double)v[0], 1.0, 1e-5);
    // Where nothing is said it stays.
    must(gyre_bodies_step(f.set, 0.25f));
    must(gyre_bodies_velocity(f.set, f.ball, at, 1, v));
    near("rest", (double)v[0], 0.0, 0.0);
    // Bodies that cannot be.
    static const char *const why[] = {"frames do not go with a box", "to be above low",
                                      "expected it in the box", "cannot have points that are moved",
                                      "high"};
    for (int k = 0; k < 5; k++) {
        gyre_body bad = ball;
        struct gyre_form_mesh *mesh = &bad.form.as.mesh;
        if (k == 0) {
            mesh->frames = (gyre_volume){points[0][0], {3, POINTS, FRAMES}, "frames"};
        }
        mesh->high[1] = k == 1 ? mesh->low[1] : k == 2 ? 1.0f : k == 4 ? NAN : mesh->high[1];
        bad.motion = k == 3 ? GYRE_MOTION_FREE : bad.motion;
        assert_true(gyre_bodies_add(f.set, &bad) == 0);
        if (!strstr(gyre_message(), why[k])) {
            fail_msg("\"%s\" does not say \"%s\"", gyre_message(), why[k]);
        }
    }
    land(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_swells_pushes_out),
        cmocka_unit_test(what_is_told_to_swell_pushes_out),
        cmocka_unit_test(what_is_carried_moves),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(what_cannot_be_told_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
