// labels: small golden web
// needs: threads
// What water leaves and what flows with it: coordinates against paths that are known, phases, wet
// ground, what foam covers, grids that move, states, bad input.
#include "water_case.h"

#include "gyre/model.h"
#include "water/traces.h"

enum { N = 48 };

static const uint64_t GOLDEN = 0x82cead20af9c87b9u;

static const double PI = 3.14159265358979323846;

typedef void flow_at(const double x[2], double u[2]);

static void shift(const double x[2], double u[2])
{
    (void)x;
    u[0] = 0.7;
    u[1] = -0.45;
}

static void turn(const double x[2], double u[2])
{
    u[0] = -(x[1] - 0.5);
    u[1] = x[0] - 0.5;
}

static void whirls(const double x[2], double u[2])
{
    u[0] = sin(2 * PI * x[0]) * cos(2 * PI * x[1]);
    u[1] = -cos(2 * PI * x[0]) * sin(2 * PI * x[1]);
}

/// Where what is at x now was a time ago: Runge and Kutta's, in small steps.
static void trace_back(flow_at *flow, double time, double x[2])
{
    int steps = 1 + (int)(time / 0.002);
    double dt = -time / steps;
    for (int s = 0; s < steps; s++) {
        double k[4][2], at[2];
        for (int q = 0; q < 4; q++) {
            for (int a = 0; a < 2; a++) {
                at[a] = x[a] + (q == 0 ? 0.0 : (q == 3 ? dt : 0.5 * dt) * k[q - 1][a]);
            }
            flow(at, k[q]);
        }
        for (int a = 0; a < 2; a++) {
            x[a] += dt / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
        }
    }
}

/// Water a metre deep over the unit square, with one phase, that flows as it is told.
static gyre_water *led(int n, bool periodic, flow_at *flow)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, n, n, 1.0f / (float)n);
    gyre_water_side *sides = &def.sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = periodic ? GYRE_WATER_PERIODIC : GYRE_WATER_OPEN;
    }
    def.texture.phases = 1;
    gyre_water *water = make(&def);
    static const char *const names[2] = {"discharge_x", "discharge_y"};
    for (int a = 0; a < 2; a++) {
        int field = gyre_water_field(water, names[a]);
        gyre_field_view v;
        OK(gyre_water_map(water, field, GYRE_WRITE, &v));
        for (int c = 0; c < n * n; c++) {
            const double x[2] = {(c % n + 0.5) / n, (c / n + 0.5) / n};
            double u[2];
            flow(x, u);
            v.data[c % n + c / n * v.stride[1]] = (float)u[a];
        }
        OK(gyre_water_unmap(water, field));
    }
    return water;
}

/// The largest distance from what is known, within `radius` of the middle.
static double error_of(int n, bool periodic, flow_at *flow, double time, int steps, double radius)
{
    gyre_water *water = led(n, periodic, flow);
    double most = 0.0;
    int size[2];
    for (int s = 0; s < steps; s++) {
        gy_traces_step(water, (float)(time / steps)); // without the flow's own step
    }
    float *d[2] = {get(water, "texture_0_x", size), get(water, "texture_0_y", size)};
    for (int c = 0; c < n * n; c++) {
        const double x[2] = {(c % n + 0.5) / n, (c / n + 0.5) / n};
        double from[2] = {x[0], x[1]}, off = 0.0;
        if (hypot(x[0] - 0.5, x[1] - 0.5) > radius) {
            continue;
        }
        trace_back(flow, time, from);
        for (int a = 0; a < 2; a++) {
            off += pow(x[a] + (double)d[a][c] - from[a], 2);
        }
        most = fmax(most, sqrt(off));
    }
    free(d[0]);
    free(d[1]);
    gyre_water_destroy(water);
    return most;
}

/// Depths are a metre but for the quantum, so that flows are what was written to some 1e-7.
static void test_paths(void **state)
{
    (void)state;
    double round = error_of(N, true, shift, 3.0, 60, 2.0);
    double open = error_of(N, false, shift, 3.0, 60, 2.0);
    double turns[2], cells[2];
    for (int fine = 0; fine < 2; fine++) {
        turns[fine] = error_of(40, false, turn, 1.0, 10 << fine, 0.2);
        cells[fine] = error_of(N << fine, true, whirls, 0.5, 40 << fine, 2.0);
    }
    print_message("shift by 2.1: periodic %.2g, open %.2g\n", round, open);
    print_message("turn by 1 rad: %.3g in 10 steps, %.3g in 20: order %.2f\n", turns[0], turns[1],
                  log2(turns[0] / turns[1]));
    print_message("whirls after 0.5 s: %.3g on 48, %.3g on 96\n", cells[0], cells[1]);
    assert_true(round < 5e-5 && open < 5e-5);
    assert_true(turns[0] < 1e-3 && turns[0] / turns[1] > 3.4);
    // Steps half as long on cells half as wide: what the bilinear loses falls by less than half.
    assert_true(cells[0] < 0.06 && cells[1] < 0.75 * cells[0]);
}

static gyre_water_block dam;

/// A dam breaks over a dry floor and runs off through an open side.
static gyre_water_def flood(void)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 80, 40, 0.1f);
    dam = gyre_water_default_block();
    dam.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
    const float centre[3] = {1, 1, 0}, size[3] = {2, 2, 10};
    memcpy(dam.shape.as.box.centre, centre, sizeof centre);
    memcpy(dam.shape.as.box.size, size, sizeof size);
    dam.level = 0.0f;
    def.fill = false;
    def.blocks = (gyre_pool){&dam, 1, 1};
    return def;
}

static gyre_water_def all(void)
{
    gyre_water_def def = flood();
    def.texture.phases = 2;
    def.texture.period = 0.8f;
    def.texture.offset[0] = 3.1f;
    def.drying = 2.0f;
    def.breaking.fronts = 16;
    def.breaking.patches = 2000;
    def.spray.capacity = 2000;
    def.foam.capacity = 2000;
    def.foam.amount = 400.0f;
    return def;
}

/// What is taken and done for it is not there without, and nothing that flows feels it.
static void test_nothing_without(void **state)
{
    (void)state;
    gyre_water_def def = flood();
    gyre_water *plain = make(&def);
    gyre_texture t;
    int count[2], n[2];
    gyre_water_fields(plain, &count[0]);
    assert_int_equal(count[0], GY_FIELDS);
    assert_int_equal(gy_traces_size(&def), 0);
    assert_null(plain->traces);
    OK(gyre_model_texture(gyre_water_model(plain), &t));
    assert_int_equal(t.phases, 0);
    def.texture.phases = 2;
    def.drying = 3.0f;
    gyre_water *other = make(&def);
    gyre_water_fields(other, &count[1]);
    assert_int_equal(count[1], GY_FIELDS + 5);
    run(plain, 90, 1.0f / 60);
    run(other, 90, 1.0f / 60);
    static const char *const names[] = {"depth", "discharge_x", "discharge_y", "bed"};
    for (int f = 0; f < 4; f++) {
        float *a = get(plain, names[f], n), *b = get(other, names[f], n);
        assert_memory_equal(a, b, sizeof *a * (size_t)(n[0] * n[1]));
        free(a);
        free(b);
    }
    gyre_water_destroy(plain);
    gyre_water_destroy(other);
}

/// A phase begins anew where it weighs nothing; weights of two add up to 1.
static void test_phases(void **state)
{
    (void)state;
    gyre_water_def def = all();
    gyre_water *water = make(&def);
    gyre_texture before = {0}, now;
    int anew = 0, n[2];
    for (int step = 0; step < 240; step++) {
        run(water, 1, 1.0f / 60);
        OK(gyre_model_texture(gyre_water_model(water), &now));
        assert_int_equal(now.phases, 2);
        assert_true(fabsf(now.weight[0] + now.weight[1] - 1.0f) < 1e-5f);
        for (int p = 0; p < 2 && step > 0; p++) {
            if (now.age[p] > before.age[p]) {
                assert_true(fabsf(now.weight[p] - before.weight[p]) < 0.08f);
                continue;
            }
            float *d = get(water, p ? "texture_1_x" : "texture_0_x", n);
            anew++;
            assert_true(now.weight[p] < 0.005f && before.weight[p] < 0.005f);
            assert_true(now.offset[p][0] != before.offset[p][0]);
            for (int c = 0; c < n[0] * n[1]; c++) {
                assert_true(d[c] == 0.0f);
            }
            free(d);
        }
        before = now;
    }
    assert_true(anew >= 9);
    gyre_water_destroy(water);
}

/// Ground is wet under water, dries evenly once that has left, and is dry where none has been.
static void test_wet(void **state)
{
    (void)state;
    gyre_water_def def = flood();
    def.drying = 2.0f;
    gyre_water *water = make(&def);
    int n[2], field = gyre_water_field(water, "depth");
    static uint8_t been[80 * 40];
    for (int step = 0; step < 40; step++) {
        float *wet = get(water, "wet", n), *depth = get(water, "depth", n);
        for (int c = 0; c < n[0] * n[1]; c++) {
            been[c] |= depth[c] > def.dry_depth;
            assert_true(depth[c] < 0.05f * 0.1f || wet[c] == 1.0f);
            assert_true(been[c] ? wet[c] >= 0.0f && wet[c] <= 1.0f : wet[c] == 0.0f);
        }
        free(wet);
        free(depth);
        run(water, 1, 1.0f / 60);
    }
    gyre_field_view v;
    OK(gyre_water_map(water, field, GYRE_WRITE, &v));
    for (int j = 0; j < n[1]; j++) {
        memset(v.data + j * v.stride[1], 0, sizeof(float) * (size_t)n[0]);
    }
    OK(gyre_water_unmap(water, field));
    float *then = get(water, "wet", n);
    run(water, 60, 1.0f / 60);
    float *wet = get(water, "wet", n);
    int dry = 0, half = 0;
    for (int c = 0; c < n[0] * n[1]; c++) {
        assert_true(fabsf(wet[c] - fmaxf(then[c] - 0.5f, 0.0f)) < 1e-5f);
        dry += wet[c] == 0.0f;
        half += fabsf(wet[c] - 0.5f) < 1e-5f;
    }
    print_message("a second after the water has left %d cells are dry, %d half wet\n", dry, half);
    assert_true(dry > 300 && half > 300);
    run(water, 70, 1.0f / 60);
    free(wet);
    wet = get(water, "wet", n);
    for (int c = 0; c < n[0] * n[1]; c++) {
        assert_true(wet[c] == 0.0f);
    }
    free(wet);
    free(then);
    gyre_water_destroy(water);
}

/// The area that foam covers is that of its patches, and none lies where no particle is near.
static void test_foam(void **state)
{
    (void)state;
    gyre_water_def def = all();
    gyre_water *water = make(&def);
    gyre_model *model = gyre_water_model(water);
    int n[2], set = gyre_model_particle_set(model, "foam"), looked = 0;
    for (int k = 0; k < 60; k++) {
        run(water, 5, 1.0f / 60);
        gyre_particle_view view;
        OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
        float *cover = get(water, "foam", n);
        const float *x = view.data[0], *y = view.data[1], *age = view.data[3],
                    *below = view.data[5];
        double area = 0.0, found = 0.0, wide = (double)def.foam.patch;
        for (int i = 0; i < view.count; i++) {
            double in = fmin(5.0 * (double)age[i], 1.0);
            double out = fmax(1.0 - (double)age[i] / (double)def.foam.life, 0.0);
            double deep = fmax(1.0 - (double)below[i] / wide, 0.0);
            area += 0.785 * wide * wide * in * in * (3 - 2 * in) * out * deep;
        }
        for (int c = 0; c < n[0] * n[1]; c++) {
            assert_true(cover[c] >= 0.0f && cover[c] <= 1.0f);
            found -= log(fmax(1.0 - (double)cover[c], 1e-7)) * 0.01;
            bool near = cover[c] == 0.0f;
            for (int i = 0; i < view.count && !near; i++) {
                near = fabsf(x[i] - 0.1f * ((float)(c % n[0]) + 0.5f)) < 0.4f &&
                       fabsf(y[i] - 0.1f * ((float)(c / n[0]) + 0.5f)) < 0.4f;
            }
            assert_true(near);
        }
        // Beyond walls some of it is cut off; what is all white counts no more.
        if (view.count > 30 && view.count < 400) {
            looked++;
            assert_true(found < 1.05 * area && found > 0.5 * area);
        }
        free(cover);
        OK(gyre_model_unmap_particles(model, set, view.count));
    }
    print_message("looked at %d times\n", looked);
    assert_true(looked > 3);
    gyre_water_destroy(water);
}

/// A grid that moves takes all along; what comes in is dry.
static void test_moved(void **state)
{
    (void)state;
    gyre_water_def def = all();
    gyre_water *water = make(&def);
    static const char *const names[] = {"wet", "texture_0_x", "texture_1_y"};
    const int cells[3] = {5, -3, 0};
    float *before[3], *now[3];
    int n[2];
    run(water, 30, 1.0f / 60);
    for (int f = 0; f < 3; f++) {
        before[f] = get(water, names[f], n);
    }
    OK(gyre_model_shift(gyre_water_model(water), cells));
    for (int f = 0; f < 3; f++) {
        now[f] = get(water, names[f], n);
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                int x = i + cells[0], y = j + cells[1];
                bool was = x >= 0 && y >= 0 && x < n[0] && y < n[1];
                float there = was ? before[f][x + y * n[0]] : 0.0f;
                assert_true(!was && f > 0 ? true : now[f][i + j * n[0]] == there);
            }
        }
        free(before[f]);
        free(now[f]);
    }
    gyre_water_destroy(water);
}

/// A saved state goes on to the same bits, on any number of threads; what is written is held.
static void test_state(void **state)
{
    (void)state;
    uint64_t hash[3];
    void *saved = NULL;
    size_t size = 0, written = 0;
    int n[2];
    for (int k = 0; k < 3; k++) {
        gyre_device_def device_def = gyre_default_device_def();
        gyre_device *own;
        device_def.threads = k == 1 ? 3 : 1;
        OK(gyre_device_create(&device_def, &own));
        gyre_water_def def = all();
        gyre_water *water;
        OK(gyre_water_create(own, &def, &water));
        if (k == 2) {
            OK(gyre_water_load(water, saved, written));
            float *a = get(water, "foam", n);
            gy_traces_cover(water);
            float *b = get(water, "foam", n);
            assert_memory_equal(a, b, sizeof *a * (size_t)(n[0] * n[1]));
            free(a);
            free(b);
        } else {
            run(water, 70, 1.0f / 60);
        }
        if (k == 0) {
            size = gyre_water_save_size(water);
            saved = malloc(size);
            OK(gyre_water_save(water, saved, size, &written));
        }
        run(water, 70, 1.0f / 60);
        hash[k] = gyre_water_hash(water);
        int field = gyre_water_field(water, "wet");
        gyre_field_view v;
        OK(gyre_water_map(water, field, GYRE_WRITE, &v));
        v.data[0] = 0.25f;
        v.data[1] = 7.0f;
        OK(gyre_water_unmap(water, field));
        assert_true(gyre_water_hash(water) != hash[k]);
        float *wet = get(water, "wet", n);
        assert_true(wet[0] == 0.25f && wet[1] == 1.0f);
        free(wet);
        gyre_water_destroy(water);
        gyre_device_destroy(own);
    }
    free(saved);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    if (getenv("GYRE_GOLDEN")) {
        print_message("0x%016llx\n", (unsigned long long)hash[0]);
    } else {
        assert_true(hash[0] == GOLDEN);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    gyre_water_def def = all();
    gyre_water *water = NULL;
    def.texture.phases = 4;
    assert_int_not_equal(gyre_water_create(device, &def, &water), GYRE_OK);
    assert_non_null(strstr(gyre_message(), "texture.phases"));
    def = all();
    def.drying = -1.0f;
    assert_int_not_equal(gyre_water_create(device, &def, &water), GYRE_OK);
    assert_non_null(strstr(gyre_message(), "drying"));
    // Land where there is no water, and speeds beyond all measure, leave all finite.
    def = all();
    def.speed_cap = 1e5f;
    water = make(&def);
    int field = gyre_water_field(water, "discharge_x"), n[2];
    gyre_field_view v;
    OK(gyre_water_map(water, field, GYRE_WRITE, &v));
    for (int i = 0; i < 20; i++) {
        v.data[i] = 1e7f;
    }
    OK(gyre_water_unmap(water, field));
    run(water, 5, 10.0f);
    float *d = get(water, "texture_0_x", n);
    for (int c = 0; c < n[0] * n[1]; c++) {
        assert_true(d[c] >= -1e6f && d[c] <= 1e6f);
    }
    free(d);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),  cmocka_unit_test(test_nothing_without),
        cmocka_unit_test(test_phases), cmocka_unit_test(test_wet),
        cmocka_unit_test(test_foam),   cmocka_unit_test(test_moved),
        cmocka_unit_test(test_state),  cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
