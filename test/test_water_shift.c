// Water whose grid moves over the world: what stays does so to the bit, what comes in is water at
// rest, the ledger closes; windows that go along with a ship; saved states; the world's origin.
// labels: small threads
#include "sanitized.h"
#include "water_case.h"

static void shift(gyre_water *water, int x, int y)
{
    OK(gyre_model_shift(gyre_water_model(water), (const int32_t[3]){x, y, 0}));
}

static double hills(double x, double y)
{
    return -0.6 + 0.5 * sin(0.7 * x) * cos(0.45 * y + 1.0);
}

/// A bed that is larger than the grid, of a value every half metre.
static gyre_water_bed wide_bed(float *values, int n, float corner)
{
    gyre_water_bed bed = gyre_water_default_def(2).bed;
    for (int k = 0; k < n * n; k++) {
        values[k] = (float)hills((double)corner + 0.5 * (k % n + 0.5),
                                 (double)corner + 0.5 * (double)(k / n) + 0.25);
    }
    bed.data = (gyre_volume){.data = values, .n = {n, n, 1}};
    bed.high = 1.0f;
    bed.corner[0] = bed.corner[1] = corner;
    bed.size[0] = bed.size[1] = 0.5f * (float)n;
    return bed;
}

static double waves(double x, double y)
{
    return 0.2 + 0.2 * sin(1.3 * x + 0.4 * y);
}

/// All fields of the state after a shift: those of before at other places, beyond them what the def
/// says.
static void there(gyre_water *water, int mode, int x, int y, bool round)
{
    static const char *const fields[] = {"", "discharge_x", "discharge_y", "bed", "displaced"};
    float *before[5];
    int n[2], at = 0;
    for (int f = 0; f < 5; f++) {
        before[f] = get(water, f ? fields[f] : mode == GYRE_WATER_WAVE ? "height" : "depth", n);
    }
    shift(water, x, y);
    for (int f = 0; f < 5; f++) {
        float *after = get(water, f ? fields[f] : mode == GYRE_WATER_WAVE ? "height" : "depth", n);
        int cells[2] = {n[0] - (n[0] == 101), n[1] - (n[1] == 71)};
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                int a = i + x, b = j + y;
                if (round) {
                    a = (a % cells[0] + cells[0]) % cells[0];
                    b = (b % cells[1] + cells[1]) % cells[1];
                }
                if (a >= 0 && b >= 0 && a < n[0] && b < n[1]) {
                    assert_memory_equal(&after[i + n[0] * j], &before[f][a + n[0] * b],
                                        sizeof(float));
                    at++;
                } else if (f == 1 || f == 2 || f == 4) {
                    assert_true(after[i + n[0] * j] == 0.0f);
                }
            }
        }
        free(after);
        free(before[f]);
    }
    assert_true(at > 0 || abs(x) >= 100);
}

static void what_stays_stays(void **state)
{
    (void)state;
    float *values = malloc(sizeof(float) * 400 * 400);
    for (int mode = 0; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        for (int round = 0; round < 2; round++) {
            gyre_water_def def = pool(mode, 100, 70, 0.5f);
            def.bed = wide_bed(values, 400, -80.0f);
            def.level = mode == GYRE_WATER_WAVE ? 0.0f : -0.3f;
            if (round) {
                periodic(&def);
            }
            gyre_water *water = make(&def);
            put(water, mode == GYRE_WATER_WAVE ? "height" : "depth", waves);
            run(water, 20, 0.02f);
            there(water, mode, 5, -3, round);
            run(water, 3, 0.02f);
            there(water, mode, -70, 64, round);
            run(water, 3, 0.02f);
            there(water, mode, 0, 1, round);
            run(water, 3, 0.02f);
            there(water, mode, -200, 3, round);
            gyre_water_stats s = gyre_water_get_stats(water);
            assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
            assert_true(round || line(water, "window") != 0.0);
            gyre_water_destroy(water);
        }
    }
    free(values);
}

/// What comes in is the lake that stands there: a shift of a lake at rest is one that was made
/// there, to the bit, islands and walls' tops included.
static void a_lake_that_was_made_there(void **state)
{
    (void)state;
    float *values = malloc(sizeof(float) * 400 * 400);
    for (int mode = 0; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        gyre_water_def def = pool(mode, 100, 70, 0.5f);
        def.bed = wide_bed(values, 400, -80.0f);
        def.level = -0.3f;
        def.tiles = 4;
        gyre_water_edge edge = gyre_water_default_edge();
        edge.shape = gyre_sphere((const float[3]){60.0f, 30.0f, 0.0f}, 8.0f);
        edge.side.rule = GYRE_WATER_WALL;
        def.edges = (gyre_pool){&edge, 1, 1};
        gyre_water *water = make(&def);
        shift(water, 33, 0);
        shift(water, 30, 21);
        def.grid.origin[0] = 31.5f;
        def.grid.origin[1] = 10.5f;
        gyre_water *other = make(&def);
        const char *first = mode == GYRE_WATER_WAVE ? "height" : "depth";
        for (int f = 0; f < 2; f++) {
            int n[2];
            float *a = get(water, f ? "bed" : first, n), *b = get(other, f ? "bed" : first, n);
            assert_memory_equal(a, b, sizeof(float) * (size_t)n[0] * (size_t)n[1]);
            free(a);
            free(b);
        }
        run(water, 10, 0.02f);
        assert_true(gyre_water_get_stats(water).max_speed == 0.0f);
        gyre_water_destroy(water);
        gyre_water_destroy(other);
    }
    free(values);
}

static double hump(double x, double y)
{
    double r = (x - 64.0) * (x - 64.0) + (y - 32.0) * (y - 32.0);
    return 0.3 * exp(-r / 20.0);
}

/// A window over a larger sea has the sea's water to the bit, as far from its sides as a step's
/// neighbours reach.
static void a_window_over_the_sea(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_WAVE, 128, 64, 1.0f);
    gyre_water *sea = make(&def);
    def.grid.n[0] = 80;
    def.grid.origin[0] = 24.0f;
    gyre_water *window = make(&def);
    put(sea, "height", hump);
    put(window, "height", hump);
    for (int k = 0; k < 4; k++) {
        run(sea, 5, 0.2f);
        run(window, 5, 0.2f);
        shift(window, k % 2 ? 3 : -3, 0);
    }
    int n[2];
    float *a = get(sea, "height", n), *b = get(window, "height", n);
    for (int j = 0; j < 64; j++) {
        for (int i = 26; i < 54; i++) { // 20 steps and 6 cells from the sides
            assert_memory_equal(&a[i + 24 + 128 * j], &b[i + 80 * j], sizeof(float));
        }
    }
    assert_true(fabs((double)a[64 + 128 * 32]) > 1e-4);
    free(a);
    free(b);
    gyre_water_destroy(sea);
    gyre_water_destroy(window);
}

/// The first body as it is now.
static gyre_water_body first_of(gyre_water *water)
{
    gyre_water_body body;
    OK(gyre_water_read_body(water, gyre_model_find(gyre_water_model(water), "bodies", "ship"),
                            &body));
    return body;
}

static gyre_water_body ship(float x)
{
    gyre_water_body body = gyre_water_default_body();
    strcpy(body.name, "ship");
    body.size[0] = 4.0f;
    body.size[1] = 2.0f;
    body.size[2] = 1.5f;
    body.pose.position[0] = x;
    body.pose.position[1] = 16.0f;
    body.pose.velocity[0] = 2.0f;
    body.held = true;
    return body;
}

static gyre_water_def sailing(int mode, gyre_water_body *bodies, int count)
{
    gyre_water_def def = pool(mode, 96, 64, 0.5f);
    gyre_water_side *sides = &def.sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
    }
    def.bed.flat = -3.0f;
    def.wave_speed = 5.0f;
    def.damping = 0.02f;
    def.bodies = (gyre_pool){bodies, count, count};
    return def;
}

/// A ship sails away with the grid behind it, a buoy stays behind; not a drop is lost, in mode
/// exact not a quantum.
static void a_ship_is_followed(void **state)
{
    (void)state;
    for (int mode = 0; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        for (int exact = 0; exact < 2 && !(exact && mode == GYRE_WATER_DISPERSIVE); exact++) {
            gyre_water_body bodies[2] = {ship(24.0f), ship(30.0f)};
            strcpy(bodies[1].name, "buoy");
            bodies[1].held = false;
            bodies[1].pose.velocity[0] = 0.0f;
            bodies[1].pose.position[1] = 25.0f;
            gyre_water_def def = sailing(mode, bodies, 2);
            strcpy(def.follow, "ship");
            def.slack = 2.0f;
            def.exact = exact;
            gyre_water *water = make(&def);
            for (int k = 0; k < (SANITIZED ? 120 : 600); k++) {
                run(water, 1, 0.05f);
                const gyre_grid *grid = gyre_model_grid(gyre_water_model(water));
                gyre_water_body now = first_of(water);
                const float *at = now.pose.position;
                assert_true(fabsf(at[0] - grid->origin[0] - 24.0f) < 2.7f);
                assert_true(grid->origin[1] == 0.0f);
            }
            gyre_water_stats s = gyre_water_get_stats(water);
            assert_true(exact ? s.ledger_error == 0.0 : fabs(s.ledger_error) < 1e-6 * s.volume);
            assert_true(s.kinetic_energy > 500.0 && s.kinetic_energy < 1e5);
            gyre_water_destroy(water);
        }
    }
}

static void who_is_followed_must_be_there(void **state)
{
    (void)state;
    gyre_water_body body = ship(24.0f);
    gyre_water_def def = sailing(GYRE_WATER_SHALLOW, &body, 1);
    strcpy(def.follow, "shap");
    gyre_water *water = make(&def);
    assert_int_equal(gyre_water_step(water, 0.05f), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "\"shap\"; the nearest name is \"ship\""));
    gyre_water_destroy(water);
}

static void saved_states_know_the_place(void **state)
{
    (void)state;
    gyre_water_body body = ship(24.0f);
    gyre_water_def def = sailing(GYRE_WATER_SHALLOW, &body, 1);
    strcpy(def.follow, "ship");
    def.slack = 1.0f;
    gyre_water *water = make(&def), *other = make(&def);
    size_t room = gyre_water_save_size(other), size, first;
    void *bytes = malloc(room), *start = malloc(room);
    OK(gyre_water_save(water, start, room, &first));
    run(water, 60, 0.05f);
    size = gyre_water_save_size(water);
    assert_true(size <= room);
    OK(gyre_water_save(water, bytes, room, &size));
    OK(gyre_water_load(other, bytes, size));
    assert_true(gyre_water_hash(other) == gyre_water_hash(water));
    assert_memory_equal(gyre_model_grid(gyre_water_model(other)),
                        gyre_model_grid(gyre_water_model(water)), sizeof(gyre_grid));
    run(water, 60, 0.05f);
    run(other, 60, 0.05f);
    assert_true(gyre_water_hash(other) == gyre_water_hash(water));
    assert_true(line(other, "window") == line(water, "window") && line(water, "window") != 0.0);
    OK(gyre_water_load(other, start, first)); // and back to where it began
    gyre_water *fresh = make(&def);
    run(other, 5, 0.05f);
    run(fresh, 5, 0.05f);
    assert_true(gyre_water_hash(other) == gyre_water_hash(fresh));
    gyre_water_destroy(water);
    gyre_water_destroy(other);
    gyre_water_destroy(fresh);
    free(bytes);
    free(start);
}

static int64_t afloat(gyre_water *water)
{
    return gyre_water_get_stats(water).dust;
}

/// 100 km out, with the world's origin taken along, a ship goes on as near the origin: same bits.
static void far_out_as_near(void **state)
{
    (void)state;
    float *values = malloc(sizeof(float) * 400 * 400);
    for (int mode = 0; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        gyre_water_body body = ship(24.0f);
        gyre_water_def def = sailing(mode, &body, 1);
        strcpy(def.follow, "ship");
        def.slack = 1.0f;
        def.bed = wide_bed(values, 400, -80.0f);
        def.level = 0.8f;
        def.dust.capacity = 64;
        def.dust.start = 40;
        gyre_water *near = make(&def);
        int32_t cells[2] = {200000, -200000};
        // Everything goes out there, and the origin after it.
        gyre_water_body out = body;
        out.pose.position[0] += 100000.0f;
        out.pose.position[1] -= 100000.0f;
        body = out;
        gyre_water_def away = sailing(mode, &body, 1);
        away.grid.origin[0] = 100000.0f;
        away.grid.origin[1] = -100000.0f;
        strcpy(away.follow, "ship");
        away.slack = 1.0f;
        away.level = def.level;
        away.bed = def.bed;
        away.bed.corner[0] += 100000.0f;
        away.bed.corner[1] -= 100000.0f;
        away.dust = def.dust;
        gyre_water *apart = make(&away);
        OK(gyre_water_rebase(apart, cells));
        for (int k = 0; k < 3; k++) {
            run(near, 40, 0.05f);
            run(apart, 40, 0.05f);
            const gyre_grid *a = gyre_model_grid(gyre_water_model(near));
            const gyre_grid *b = gyre_model_grid(gyre_water_model(apart));
            assert_true(a->origin[0] == b->origin[0] && a->origin[1] == b->origin[1]);
            int n[2];
            static const char *const fields[] = {"", "discharge_x", "discharge_y"};
            for (int f = 0; f < 3; f++) {
                const char *name = f ? fields[f] : mode == GYRE_WATER_WAVE ? "height" : "depth";
                float *u = get(near, name, n), *v = get(apart, name, n);
                assert_memory_equal(u, v, sizeof(float) * (size_t)n[0] * (size_t)n[1]);
                free(u);
                free(v);
            }
            gyre_water_body p = first_of(near), q = first_of(apart);
            assert_memory_equal(&p.pose, &q.pose, sizeof p.pose);
            assert_true(afloat(near) > 0 && llabs(afloat(near) - afloat(apart)) < 3);
        }
        gyre_water_destroy(near);
        gyre_water_destroy(apart);
    }
    free(values);
}

/// The sum of all moves is where it is, whatever was rebased between; and back again.
static void there_and_back(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 70, 40, 0.25f);
    gyre_water *water = make(&def);
    shift(water, 1000, -77);
    OK(gyre_water_rebase(water, (const int32_t[]){900, -70}));
    const gyre_grid *grid = gyre_model_grid(gyre_water_model(water));
    assert_true(grid->origin[0] == 25.0f && grid->origin[1] == -1.75f);
    shift(water, -1000, 77);
    OK(gyre_water_rebase(water, (const int32_t[]){-900, 70}));
    gyre_water *other = make(&def);
    assert_memory_equal(grid, gyre_model_grid(gyre_water_model(other)), sizeof *grid);
    assert_true(gyre_water_hash(water) == gyre_water_hash(other));
    gyre_water_destroy(water);
    gyre_water_destroy(other);
}

static void what_is_refused(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 70, 40, 0.25f);
    gyre_water *water = make(&def);
    gyre_model *model = gyre_water_model(water);
    uint64_t hash = gyre_water_hash(water);
    const int32_t far[3] = {1 << 21, 0, 0}, up[3] = {0, 0, 1}, one[3] = {1, 0, 0};
    assert_int_equal(gyre_model_shift(model, far), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_model_shift(model, up), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_water_rebase(water, far), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_water_rebase(NULL, far), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_water_rebase(water, NULL), GYRE_ERROR_ARGUMENT);
    gyre_field_view view;
    OK(gyre_water_map(water, 0, GYRE_READ, &view));
    assert_int_equal(gyre_model_shift(model, one), GYRE_ERROR_STATE);
    assert_int_equal(gyre_water_rebase(water, one), GYRE_ERROR_STATE);
    OK(gyre_water_unmap(water, 0));
    assert_true(gyre_water_hash(water) == hash);
    gyre_water_destroy(water);
    // A slope that leads out of the heights that are told.
    def.bed.slope[0] = 0.5f;
    water = make(&def);
    hash = gyre_water_hash(water);
    assert_int_equal(gyre_model_shift(gyre_water_model(water), (const int32_t[3]){1 << 20, 0, 0}),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "slope"));
    assert_true(gyre_water_hash(water) == hash);
    gyre_water_destroy(water);
    // A world of which most was cut out when the water was made.
    def = pool(GYRE_WATER_SHALLOW, 200, 64, 0.25f);
    gyre_water_edge edge = gyre_water_default_edge();
    edge.shape =
        gyre_half_space((const float[3]){20.0f, 0.0f, 0.0f}, (const float[3]){-1.0f, 0.0f, 0.0f});
    edge.side.rule = GYRE_WATER_WALL;
    def.edges = (gyre_pool){&edge, 1, 1};
    water = make(&def);
    hash = gyre_water_hash(water);
    const int32_t back[3] = {-120, 0, 0};
    assert_int_equal(gyre_model_shift(gyre_water_model(water), back), GYRE_ERROR_MEMORY);
    assert_non_null(strstr(gyre_message(), "tiles"));
    assert_true(gyre_water_hash(water) == hash);
    run(water, 2, 0.02f);
    gyre_water_destroy(water);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t hash[2];
    gyre_device *own = device;
    for (int t = 0; t < 2; t++) {
        device = device_of(t + 1, NULL);
        gyre_water_body body = ship(24.0f);
        gyre_water_def def = sailing(GYRE_WATER_SHALLOW, &body, 1);
        strcpy(def.follow, "ship");
        gyre_water *water = make(&def);
        run(water, 80, 0.05f);
        hash[t] = gyre_water_hash(water);
        gyre_water_destroy(water);
        gyre_device_destroy(device);
    }
    device = own;
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_stays),
        cmocka_unit_test(a_lake_that_was_made_there),
        cmocka_unit_test(a_window_over_the_sea),
        cmocka_unit_test(a_ship_is_followed),
        cmocka_unit_test(who_is_followed_must_be_there),
        cmocka_unit_test(saved_states_know_the_place),
        cmocka_unit_test(far_out_as_near),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
