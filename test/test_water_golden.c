// test/test_water_golden.c: water is the same bits for any number of threads, any order of tasks,
// every instruction set, and whatever compiler and optimisation level built the test.
//
// A change that is meant to alter results needs new hashes:
//     GYRE_GOLDEN=print build/test/test_water_golden
// labels: golden threads web
#include "sanitized.h"
#include "water_case.h"

enum { CASES = 6, NX = 200, NY = 140, STEPS = 40 };

static const uint64_t golden[CASES] = {
    0x0e0adae06b42ec91, // waves
    0x62e4b3daa4c36345, // sleepy
    0x9d808092bdc743ee, // rough
    0x456e8d19088405ee, // afloat
    0x1c632bcc025ef857, // turning
    0x3161f6aaf3ca95cd, // works
};
static const char *const names[CASES] = {"waves", "sleepy", "rough", "afloat", "turning", "works"};

static float bed[NX * NY];

/// Hills and pits by whole numbers, so that no library has a say in them.
static void make_bed(void)
{
    for (int i = 0; i < NX * NY; i++) {
        int x = i % NX, y = i / NX, a = (x % 46 - 23) * (x % 46 - 23),
            b = (y % 38 - 19) * (y % 38 - 19);
        bed[i] = (float)(a + b) / 640.0f - 0.9f + (float)((x * 7 + y * 13) % 11) / 256.0f;
    }
}

static gyre_water_def def_of(int c, gyre_water_body *bodies, gyre_water_edge *edge,
                             gyre_water_gate *gate, gyre_water_source *source)
{
    static gyre_water_uplift canal;
    gyre_water_def def =
        pool(c < 2 || c == 4 ? GYRE_WATER_WAVE : GYRE_WATER_SHALLOW, NX, NY, 0.25f);
    for (int b = 0; b < 3; b++) {
        bodies[b] = gyre_water_default_body();
        bodies[b].form = b;
        bodies[b].size[0] = b == 1 ? 3.0f : 1.0f;
        bodies[b].size[1] = 2.0f;
        bodies[b].pose.position[0] = 12.0f + 10.0f * (float)b;
        bodies[b].pose.position[1] = 14.0f + 3.0f * (float)b;
        bodies[b].pose.position[2] = 0.4f;
        bodies[b].pose.rotation[1] = 20.0f;
    }
    *edge = gyre_water_default_edge();
    edge->shape.as.sphere.centre[0] = 40.0f;
    edge->shape.as.sphere.centre[1] = 20.0f;
    edge->shape.as.sphere.radius = 4.0f;
    edge->side.rule = GYRE_WATER_OPEN;
    *gate = gyre_water_default_gate();
    gate->from[0] = gate->to[0] = 25.0f;
    gate->to[1] = 30.0f;
    gate->crest = -0.2f;
    *source = gyre_water_default_source();
    source->shape.as.sphere.centre[0] = 8.0f;
    source->shape.as.sphere.centre[1] = 25.0f;
    source->shape.as.sphere.radius = 2.0f;
    source->discharge = 5.0f;
    def.sources = (gyre_pool){source, 1, 1};
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_high.rule = GYRE_WATER_OPEN;
    def.sides.y_low.rule = def.sides.y_high.rule = c % 2 ? GYRE_WATER_PERIODIC : GYRE_WATER_WALL;
    if (c == 1) {
        def.sleep_height = 1e-4f;
        def.sleep_steps = 5;
        def.sides.x_high.absorber = GYRE_WATER_LAYER;
        def.sides.x_high.layer = 4.0f;
        def.max_slope = 0.2f;
    }
    if (c >= 4) {
        def.coriolis = 0.4f;
        def.coriolis_beta = 0.01f;
        def.drops = (gyre_water_drops){0.2f, 0.02f, 0.5f, 7};
        def.rain = 1e-3f;
    }
    if (c == 5) {
        canal = gyre_water_default_uplift();
        canal.work = GYRE_WATER_DIG;
        canal.height = -1.5f;
        canal.speed = 0.3f;
        canal.shape.as.sphere.centre[0] = 20.0f;
        canal.shape.as.sphere.centre[1] = 12.0f;
        canal.shape.as.sphere.radius = 4.0f;
        def.uplifts = (gyre_pool){&canal, 1, 1};
        bodies[1].thrust = 800.0f;
        bodies[1].rudder = 15.0f;
        bodies[1].rudder_area = 0.3f;
        bodies[1].rudder_at[0] = bodies[1].propeller[0] = -1.5f;
        bodies[1].rudder_at[2] = bodies[1].propeller[2] = -0.6f;
        bodies[1].keel_area = 1.0f;
        bodies[1].keel_length = 3.0f;
    }
    if (c >= 2 && c != 4) {
        def.bed.data = (gyre_volume){bed, {NX, NY, 1}, NULL};
        def.edges = (gyre_pool){edge, 1, 1};
        def.gates = (gyre_pool){gate, 1, 1};
        def.manning = 0.03f;
        def.rain = 1e-3f;
        def.exact = c == 2;
    }
    if (c == 0 || c == 3 || c == 5) {
        def.bodies = (gyre_pool){bodies, 3, 3};
    }
    return def;
}

static uint64_t run_case(int c, gyre_device *on)
{
    gyre_water_body bodies[3];
    gyre_water_edge edge;
    gyre_water_gate gate;
    gyre_water_source source;
    gyre_water *water = NULL;
    make_bed();
    gyre_water_def def = def_of(c, bodies, &edge, &gate, &source);
    OK(gyre_water_create(on, &def, &water));
    OK(gyre_model_splat(gyre_water_model(water), 0, (const float[3]){30, 15, 0}, 5, 0.4f));
    run(water, STEPS, 0.03f);
    uint64_t hash = gyre_water_hash(water);
    gyre_value z;
    if (c == 0 || c == 3 || c == 5) {
        OK(gyre_water_get(water, "bodies.1.position", &z));
        hash ^= (uint64_t)(int64_t)(z.number[2] * 1099511627776.0);
    }
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(s.volume > 100.0 && s.max_depth > 0.5f);
    gyre_water_destroy(water);
    return hash;
}

static void require(uint64_t hash, int c, const char *on)
{
    if (hash != golden[c]) {
        fail_msg("%s on %s: 0x%016llx, expected 0x%016llx", names[c], on, (unsigned long long)hash,
                 (unsigned long long)golden[c]);
    }
}

static void test_instruction_sets(void **state)
{
    (void)state;
    for (int i = 0; every_isa() && gyre_isa_name(i); i++) {
        gyre_device *on = device_of(1, gyre_isa_name(i));
        for (int c = 0; on && c < CASES; c += every_case(i)) {
            require(run_case(c, on), c, gyre_isa_name(i));
        }
        gyre_device_destroy(on);
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (int t = 0; t < every_count(2); t++) {
        int threads = 2 + 5 * t;
        gyre_device *on = device_of(threads, NULL);
        for (int c = 0; c < CASES; c++) {
            require(run_case(c, on), c, threads == 2 ? "2 threads" : "7 threads");
        }
        gyre_device_destroy(on);
    }
}

static void backwards(void *user, int count, gyre_task *task, void *argument)
{
    (void)user;
    while (count-- > 0) {
        task(argument, count);
    }
}

static void test_reverse(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    gyre_device *on = NULL;
    def.host.parallel_for = backwards;
    OK(gyre_device_create(&def, &on));
    for (int c = 0; c < (in_short() ? 1 : CASES); c++) {
        require(run_case(c, on), c, "tasks in reverse order");
    }
    gyre_device_destroy(on);
}

int main(void)
{
    const char *wish = getenv("GYRE_GOLDEN");
    if (wish && strcmp(wish, "print") == 0) {
        gyre_device *on = device_of(1, NULL);
        for (int c = 0; c < CASES; c++) {
            printf("    0x%016llx, // %s\n", (unsigned long long)run_case(c, on), names[c]);
        }
        gyre_device_destroy(on);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_reverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
