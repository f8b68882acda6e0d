// Water as a model: depth over a bed with wet and dry ground, the ledger, tiles that come, sleep
// and wake, sides, gates, lakes, questions, saved states, and what is refused.
// labels: small
#include "water_case.h"

static uint32_t seed = 1;
static int shift_x, shift_y, across, down;

static double random_at(int i, int j, uint32_t salt)
{
    uint32_t z = ((uint32_t)i * 73856093u) ^ ((uint32_t)j * 19349663u) ^ (seed + salt * 7919u);
    z = (z ^ (z >> 15)) * 2246822519u;
    z = (z ^ (z >> 13)) * 3266489917u;
    return (double)((z ^ (z >> 16)) & 0xffff) / 65536.0;
}

static double random_bed(double x, double y)
{
    int i = ((int)floor(x) + shift_x) % across, j = ((int)floor(y) + shift_y) % down;
    return -1.0 + 1.4 * random_at(i, j, 1) * random_at(i / 7, j / 5, 2);
}

static double random_depth(double x, double y)
{
    int i = ((int)floor(x) + shift_x) % across, j = ((int)floor(y) + shift_y) % down;
    double d = 1.5 * random_at(i, j, 3) - 0.5;
    return d > 0.0 ? d : 0.0;
}

// ---- the flow and its tiles

/// A periodic domain knows no places: shifted by any number of cells it does the same to the bit.
/// Violent water over a random bed, wet and dry, no multiple of a tile.
static void test_seams(void **state)
{
    (void)state;
    across = 150;
    down = 70;
    float *first = NULL;
    for (int s = 0; s < 3; s++) {
        const int shifts[3][2] = {{0, 0}, {37, 64}, {149, 5}};
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, across, down, 1.0f);
        periodic(&def);
        def.fill = false;
        gyre_water *water = make(&def);
        shift_x = shifts[s][0];
        shift_y = shifts[s][1];
        put(water, "bed", random_bed);
        put(water, "depth", random_depth);
        run(water, 25, 0.1f);
        int n[2];
        float *u = get(water, "depth", n);
        for (int i = 0; i < across * down && s; i++) {
            int x = (i % across + shift_x) % across, y = (i / across + shift_y) % down;
            assert_memory_equal(&u[i], &first[x + across * y], sizeof(float));
        }
        if (s) {
            free(u);
        } else {
            first = u;
        }
        assert_true(gyre_water_get_stats(water).max_speed > 0.1f);
        gyre_water_destroy(water);
    }
    free(first);
    shift_x = shift_y = 0;
}

/// Level water over any bed, shores and islands included, stays as it is: to the bit.
static void test_rest(void **state)
{
    (void)state;
    across = down = 100;
    float *bed = malloc(sizeof(float) * 10000);
    for (int i = 0; i < 10000; i++) {
        bed[i] = (float)random_bed(i % 100, i / 100);
    }
    gyre_water *water;
    OK(gyre_water_pool(device, bed, 100, 100, 0.5f, 0.0f, &water));
    int n[2];
    float *before = get(water, "depth", n);
    run(water, 100, 0.1f);
    float *after = get(water, "depth", n);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(s.max_depth > 0.5f && s.tiles == 4);
    assert_true(s.max_speed == 0.0f);
    assert_memory_equal(before, after, sizeof(float) * 10000);
    free(before);
    free(after);
    free(bed);
    gyre_water_destroy(water);
}

static uint64_t rough_hash(int threads, const char *isa, bool exact, double *error, double *volume)
{
    gyre_device *own = device_of(threads, isa);
    gyre_device *kept = device;
    if (!own) {
        return 0;
    }
    device = own;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 130, 90, 1.0f);
    def.exact = exact;
    def.fill = false;
    def.rain = 1e-3f;
    def.evaporation = 4e-4f;
    def.manning = 0.02f;
    across = 130;
    down = 90;
    gyre_water *water = make(&def);
    put(water, "bed", random_bed);
    put(water, "depth", random_depth);
    run(water, 60, 0.1f);
    uint64_t hash = gyre_water_hash(water);
    gyre_water_stats s = gyre_water_get_stats(water);
    *error = s.ledger_error;
    *volume = s.volume;
    assert_true(line(water, "rain") > 1.0 && line(water, "evaporation") < -0.5);
    gyre_water_destroy(water);
    device = kept;
    gyre_device_destroy(own);
    return hash;
}

/// The same bits for any number of threads and any instruction set; in mode exact not a quantum
/// is lost.
static void test_same_bits(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        double error, volume;
        uint64_t first = rough_hash(1, NULL, exact, &error, &volume);
        assert_true(first != 0);
        assert_true(exact ? error == 0.0 : fabs(error) < 1e-6 * volume);
        assert_true(rough_hash(3, NULL, exact, &error, &volume) == first);
        for (int i = 0; gyre_isa_name(i); i++) {
            uint64_t other = rough_hash(2, gyre_isa_name(i), exact, &error, &volume);
            assert_true(other == 0 || other == first);
        }
    }
}

/// Land far from the water takes no memory; water that comes near gets it.
static void test_slots(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 640, 64, 1.0f);
    float *bed = malloc(sizeof(float) * 640 * 64);
    for (int i = 0; i < 640 * 64; i++) {
        bed[i] = i % 640 < 64 ? -3.0f : 0.0f;
    }
    def.bed.data = (gyre_volume){bed, {640, 64, 1}, NULL};
    def.level = -0.5f;
    def.tiles = 8;
    gyre_water *water = make(&def);
    assert_int_equal(gyre_water_get_stats(water).tiles, 1);
    OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){30, 30, 0}, 40.0f, 12.0f));
    run(water, 10, 0.5f);
    int few = gyre_water_get_stats(water).tiles;
    assert_in_range(few, 2, 6);
    run(water, 1000, 0.5f);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_int_equal(s.tiles, 8);
    assert_true(s.missing > 0); // there are 10 tiles, and memory for 8
    assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
    gyre_water_destroy(water);
    free(bed);
}

/// Calm tiles fall asleep and cost nothing; a wave wakes them up, and what it does is the same but
/// for what was too small to count.
static void test_sleep(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        gyre_water_def def = pool(mode, 640, 64, 1.0f);
        def.sleep_height = 1e-5f;
        gyre_water *sleepy = make(&def);
        def.sleep_height = 0.0f;
        gyre_water *awake = make(&def);
        for (int q = 0; q < 2; q++) {
            run(q ? awake : sleepy, 100, 0.1f);
            gyre_model *model = gyre_water_model(q ? awake : sleepy);
            assert_int_equal(gyre_water_get_stats(q ? awake : sleepy).awake, q ? 10 : 0);
            OK(gyre_model_splat(model, 0, (float[3]){100, 32, 0}, 20.0f, 0.2f));
            run(q ? awake : sleepy, 100, 0.1f);
        }
        assert_in_range(gyre_water_get_stats(sleepy).awake, 2, 6);
        run(sleepy, 900, 0.1f);
        run(awake, 900, 0.1f);
        int n[2];
        float *a = get(sleepy, mode ? "depth" : "height", n);
        float *b = get(awake, mode ? "depth" : "height", n), worst = 0.0f, most = 0.0f;
        for (int i = 0; i < n[0] * n[1]; i++) {
            worst = fmaxf(worst, fabsf(a[i] - b[i]));
            most = fmaxf(most, fabsf(b[i] - (mode ? 1.0f : 0.0f)));
        }
        assert_true(worst < 0.02f * most);
        assert_true(fabs(gyre_water_get_stats(sleepy).ledger_error) < 1e-6 * 640 * 64);
        free(a);
        free(b);
        gyre_water_destroy(sleepy);
        gyre_water_destroy(awake);
    }
}

/// To look is not to change: a window that nobody has written to wakes no tile, changes no hash and
/// no later step; one sample that was written wakes the tile that it is in.
static void test_looking(void **state)
{
    (void)state;
    for (int q = 0; q < 4; q++) {
        gyre_water_def def = pool(q % 2, 640, 64, 1.0f);
        def.sleep_height = q < 2 ? 1e-5f : 0.0f;
        def.max_substeps = 100;
        gyre_water *pair[2] = {make(&def), make(&def)};
        for (int p = 0; p < 2; p++) {
            run(pair[p], 100, 0.1f);
            OK(gyre_model_splat(gyre_water_model(pair[p]), 0, (float[3]){100, 32, 0}, 20, .2f));
            run(pair[p], 30, 0.1f);
        }
        gyre_model *model = gyre_water_model(pair[0]);
        uint64_t hash = gyre_water_hash(pair[0]);
        int count, awake = gyre_water_get_stats(pair[0]).awake;
        const gyre_field_info *fields = gyre_model_fields(model, &count);
        gyre_field_view view;
        for (int n = 0; n < 20; n++) {
            for (int f = 0; f < count; f++) {
                OK(gyre_model_map(model, f, fields[f].derived ? GYRE_READ : GYRE_WRITE, &view));
                OK(gyre_model_unmap(model, f));
                if (gyre_water_hash(pair[0]) != hash) {
                    fail_msg("a look at %s changes the state", fields[f].name);
                }
            }
            run(pair[0], 1, 0.317f);
            run(pair[1], 1, 0.317f);
            hash = gyre_water_hash(pair[0]);
            assert_true(hash == gyre_water_hash(pair[1]));
        }
        gyre_water_stats s = gyre_water_get_stats(pair[0]);
        assert_int_equal(s.awake, gyre_water_get_stats(pair[1]).awake);
        assert_true(q < 2 ? s.awake >= awake && s.awake < 8 : s.awake == 10);
        // The last tile but one, far from the waves.
        OK(gyre_model_map(model, 0, GYRE_WRITE, &view));
        view.data[550 + 30 * view.stride[1]] += 0.01f;
        OK(gyre_model_unmap(model, 0));
        run(pair[0], 1, 0.1f);
        run(pair[1], 1, 0.1f);
        int more = gyre_water_get_stats(pair[0]).awake - gyre_water_get_stats(pair[1]).awake;
        assert_true(q < 2 ? more > 0 && more <= 3 : more == 0);
        gyre_water_destroy(pair[0]);
        gyre_water_destroy(pair[1]);
    }
}

// ---- what comes and goes

static void test_sources(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        gyre_water_def def = pool(mode, 80, 80, 0.5f);
        def.sources.capacity = 4;
        gyre_water *water = make(&def);
        gyre_water_source source = gyre_water_default_source();
        strcpy(source.name, "spring");
        source.shape.kind = GYRE_SHAPE_SPHERE;
        source.shape.as.sphere.centre[0] = 10.0f;
        source.shape.as.sphere.centre[1] = 12.0f;
        source.shape.as.sphere.radius = 2.0f;
        source.discharge = 3.0f;
        gyre_id id = gyre_water_add_source(water, &source);
        assert_true(id != 0);
        double start = gyre_water_get_stats(water).volume;
        run(water, 50, 0.02f);
        assert_true(fabs(line(water, "sources.spring") - 3.0) < 1e-4);
        assert_true(fabs(gyre_water_get_stats(water).volume - start - 3.0) < 1e-3);
        // A sink takes what there is and not more.
        OK(gyre_water_set(water, "sources.spring.discharge", gyre_number(-1e5)));
        run(water, 10, 0.02f);
        gyre_water_stats s = gyre_water_get_stats(water);
        assert_true(fabs(s.ledger_error) < 1e-6 * start);
        assert_true(mode == 0 || s.volume > 0.0);
        double there = line(water, "sources.spring");
        OK(gyre_water_remove(water, id));
        assert_true(fabs(line(water, "removed") - there) < 1e-9 * fabs(there));
        assert_true(fabs(gyre_water_get_stats(water).ledger_error) < 1e-6 * start);
        gyre_water_destroy(water);
    }
}

/// What leaves by an open side stands in its line; a stage fills the basin to its level; a
/// discharge brings what it says.
static void test_sides(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        gyre_water_def def = pool(mode, 100, 40, 0.5f);
        def.sides.y_high.rule = GYRE_WATER_OPEN;
        gyre_water *water = make(&def);
        OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){25, 10, 0}, 5.0f, 0.3f));
        double edit = line(water, "edits");
        assert_true(edit > 1.0);
        run(water, 2500, 0.05f);
        gyre_water_stats s = gyre_water_get_stats(water);
        print_message("mode %d: of %.3f m^3 %.3f left\n", mode, edit, line(water, "sides.y_high"));
        assert_true(fabs(line(water, "sides.y_high") + edit) < 0.1 * edit);
        assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
        gyre_water_destroy(water);
    }
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 100, 1, 1.0f);
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.inflow = GYRE_WATER_STAGE;
    def.sides.x_low.level = 0.4f;
    def.manning = 0.1f;
    gyre_water *water = make(&def);
    run(water, 6000, 0.2f);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(fabs(s.volume - 140.0) < 1.0);
    assert_true(fabs(line(water, "sides.x_low") - (s.volume - 100.0)) < 1e-3);
    gyre_water_destroy(water);
    def.sides.x_low.inflow = GYRE_WATER_DISCHARGE;
    def.sides.x_low.discharge = 0.2f;
    water = make(&def);
    run(water, 200, 0.2f);
    print_message("discharge: %.4f m^3 of 8\n", line(water, "sides.x_low"));
    assert_true(fabs(line(water, "sides.x_low") - 8.0) < 0.4);
    gyre_water_destroy(water);
}

/// An open edge that is cut out of the middle lets waves out as a side does; a wall there keeps
/// them in.
static void test_edges(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        double left[2];
        for (int open = 0; open < 2; open++) {
            gyre_water_def def = pool(mode, 120, 30, 0.5f);
            gyre_water_edge edge = gyre_water_default_edge();
            strcpy(edge.name, "sea");
            edge.shape.kind = GYRE_SHAPE_BOX;
            edge.shape.as.box.centre[0] = 60.0f;
            edge.shape.as.box.centre[1] = 7.5f;
            edge.shape.as.box.size[0] = 60.0f;
            edge.shape.as.box.size[1] = edge.shape.as.box.size[2] = 40.0f;
            edge.side.rule = open ? GYRE_WATER_OPEN : GYRE_WATER_WALL;
            def.edges = (gyre_pool){&edge, 1, 1};
            gyre_water *water = make(&def);
            assert_true(fabs(gyre_water_get_stats(water).volume - 60 * 30 * 0.25) < 1e-3);
            OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){12, 7.5, 0}, 4, 0.2f));
            run(water, 1000, 0.05f);
            gyre_water_stats s = gyre_water_get_stats(water);
            left[open] = s.volume - 60 * 30 * 0.25;
            assert_true(fabs(s.ledger_error) < 1e-6 * s.volume);
            if (open) {
                double sea = line(water, "edges.sea"), edit = line(water, "edits");
                assert_true(fabs(sea + edit - left[1]) < 1e-4);
            }
            gyre_water_destroy(water);
        }
        assert_true(left[0] > 0.5 && fabs(left[1]) < 0.1 * left[0]);
    }
}

/// Two basins with a wall between them: a weir lets down what stands over its crest, a gate under
/// its lid.
static void test_gates(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 60, 20, 1.0f);
    gyre_water_gate gate = gyre_water_default_gate();
    strcpy(gate.name, "weir");
    gate.from[0] = gate.to[0] = 30.0f;
    gate.from[1] = -1.0f;
    gate.to[1] = 21.0f;
    gate.crest = -0.4f;
    def.gates = (gyre_pool){&gate, 1, 1};
    gyre_water_lake lake = gyre_water_default_lake();
    lake.point[0] = 10.0f;
    lake.point[1] = 10.0f;
    lake.level = 0.0f;
    def.fill = false;
    float bed[60 * 20];
    for (int i = 0; i < 60 * 20; i++) {
        bed[i] = i % 60 == 29 || i % 60 == 30 ? 0.5f : -1.0f;
    }
    def.bed.data = (gyre_volume){bed, {60, 20, 1}, NULL};
    def.lakes = (gyre_pool){&lake, 1, 1};
    gyre_water *water = make(&def);
    assert_true(fabs(gyre_water_get_stats(water).volume - 29 * 20) < 1e-2); // not the other basin
    gyre_field_view view;
    OK(gyre_water_map(water, gyre_water_field(water, "bed"), GYRE_WRITE, &view));
    for (int j = 0; j < 20; j++) {
        view.data[29 + j * view.stride[1]] = view.data[30 + j * view.stride[1]] = -1.0f;
    }
    OK(gyre_water_unmap(water, gyre_water_field(water, "bed")));
    run(water, 4000, 0.1f);
    const float points[4] = {15.0f, 10.0f, 45.0f, 10.0f};
    gyre_water_sample at[2];
    OK(gyre_water_query(water, points, 2, at));
    print_message("weir: %.4f | %.4f\n", (double)at[0].height, (double)at[1].height);
    // What stands over the crest has gone down, but for a film: 29 x 20 m^3 less 30 x 0.6 x 20.
    assert_true(fabsf(at[0].height + 0.4f) < 0.02f);
    assert_true(at[1].height < -0.4f && at[1].height > -0.7f);
    assert_true(fabs(gyre_water_get_stats(water).ledger_error) < 1e-6 * 580);
    // A gate that is lifted a hand's breadth: both come to one level.
    OK(gyre_water_set(water, "gates.weir.crest", gyre_number(-1.0)));
    OK(gyre_water_set(water, "gates.weir.lid", gyre_number(-0.9)));
    run(water, 6000, 0.1f);
    OK(gyre_water_query(water, points, 2, at));
    print_message("gate: %.4f | %.4f\n", (double)at[0].height, (double)at[1].height);
    assert_true(fabsf(at[0].height - at[1].height) < 0.01f);
    gyre_water_destroy(water);
}

/// Slopes are clamped by volume that moves: it is all there afterwards, and the steepest is the
/// same for cells of half the size.
static void test_slope(void **state)
{
    (void)state;
    float steepest[2];
    for (int q = 0; q < 2; q++) {
        int n = q ? 80 : 40, m[2];
        float h = q ? 0.5f : 1.0f, most = 0.0f;
        gyre_water_def def = pool(GYRE_WATER_WAVE, n, n, h);
        def.wave_speed = 0.0f;
        def.max_slope = 0.2f;
        gyre_water *water = make(&def);
        OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){20, 20, 0}, 5, 4.0f));
        double before = gyre_water_get_stats(water).volume;
        run(water, q ? 4000 : 1000, 0.1f);
        assert_true(fabs(gyre_water_get_stats(water).volume - before) < 1e-5 * before);
        float *u = get(water, "height", m);
        for (int i = 0; i < n * n - 1; i++) {
            most = i % n < n - 1 ? fmaxf(most, fabsf(u[i + 1] - u[i]) / h) : most;
        }
        steepest[q] = most;
        free(u);
        gyre_water_destroy(water);
    }
    print_message("steepest %.3f %.3f\n", (double)steepest[0], (double)steepest[1]);
    assert_true(fabsf(steepest[0] - 0.2f) < 0.02f && fabsf(steepest[1] - 0.2f) < 0.02f);
}

/// Slopes are clamped among cells of the domain alone: beyond an edge with a rule stands a ghost,
/// to which nothing is given that the ledger would not know of.
static void test_slope_edges(void **state)
{
    (void)state;
    for (int q = 0; q < 10; q++) {
        int inflow = q / 2 - 2; // below 0: an open one, a wall
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 90, 40, 0.5f);
        gyre_water_edge edge = gyre_water_default_edge();
        edge.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{31, 11, 0}, 4}};
        edge.side.rule = inflow >= 0    ? GYRE_WATER_INFLOW
                         : inflow == -1 ? GYRE_WATER_OPEN
                                        : GYRE_WATER_WALL;
        edge.side.inflow = inflow >= 0 ? inflow : 0;
        edge.side.level = 0.4f;
        edge.side.amplitude = 0.2f;
        edge.side.discharge = 0.3f;
        def.edges = (gyre_pool){&edge, 1, 1};
        def.max_slope = 0.02f;
        def.exact = q % 2;
        gyre_water *water = make(&def);
        OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){25, 12, 0}, 5, 0.6f));
        double before = gyre_water_get_stats(water).volume;
        run(water, 60, 0.05f);
        gyre_water_stats s = gyre_water_get_stats(water);
        double through = s.volume - before;
        print_message("edge %d, exact %d: %g of %g m^3 not in the ledger, %g came\n", inflow, q % 2,
                      s.ledger_error, s.volume, through);
        assert_true(def.exact ? s.ledger_error == 0.0 : fabs(s.ledger_error) < 1e-6 * s.volume);
        assert_true(inflow == -2 ? fabs(through) < 1e-3 : fabs(through) > 0.1);
        gyre_water_destroy(water);
    }
}

// ---- edits and questions

static void test_redistribute(void **state)
{
    (void)state;
    // Two lakes with land between them; one of them is disturbed.
    float bed[100 * 20];
    for (int i = 0; i < 100 * 20; i++) {
        bed[i] = i % 100 > 44 && i % 100 < 55 ? 1.0f : -1.0f;
    }
    gyre_water *water;
    OK(gyre_water_pool(device, bed, 100, 20, 1.0f, 0.0f, &water));
    double before = gyre_water_get_stats(water).volume, left = 0.0;
    OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){20, 10, 0}, 6, 0.5f));
    double added = gyre_water_get_stats(water).volume - before;
    assert_true(added > 5.0);
    OK(gyre_water_redistribute(water, 1e-3f, &left));
    assert_true(fabs(left - (added - 45 * 20 * 1e-3)) < 1e-3);
    for (int n = 0; n < 60 && fabs(left) > 1e-3; n++) {
        OK(gyre_water_redistribute(water, 1e-3f, &left));
    }
    assert_true(fabs(gyre_water_get_stats(water).volume - before) < 2e-3);
    const float there[2] = {80.0f, 10.0f};
    gyre_water_sample other;
    OK(gyre_water_query(water, there, 1, &other));
    assert_true(other.height == 0.0f); // the other lake has paid nothing
    assert_int_equal(gyre_water_redistribute(water, NAN, NULL), GYRE_ERROR_ARGUMENT);
    gyre_water_destroy(water);
}

static double plane(double x, double y)
{
    return 1.0 + 0.01 * x - 0.02 * y;
}

static void test_queries(void **state)
{
    (void)state;
    for (int copies = 0; copies < 2; copies++) {
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 100, 80, 0.5f);
        def.queries = copies;
        gyre_water *water = make(&def);
        put(water, "depth", plane);
        if (copies) {
            run(water, 1, 0.0f);
        }
        for (int k = 0; k < 50; k++) {
            float p[2] = {1.0f + 0.93f * (float)k, 2.0f + 0.7f * (float)k};
            gyre_water_sample s;
            OK(gyre_water_query(water, p, 1, &s));
            assert_true(fabs((double)s.height - plane((double)p[0], (double)p[1]) + 1.0) < 2e-5);
            assert_true(fabsf(s.normal[0] / s.normal[2] + 0.01f) < 1e-4f);
            assert_true(fabsf(s.normal[1] / s.normal[2] - 0.02f) < 1e-4f);
        }
        // A sphere half under.
        float sphere[4] = {10, 10, 0, 0.3f}, volume;
        gyre_water_sample s;
        OK(gyre_water_query(water, sphere, 1, &s));
        sphere[2] = s.height;
        OK(gyre_water_submerged(water, sphere, 1, &volume));
        assert_true(fabs((double)volume / (2.0 / 3.0 * 3.14159265 * 0.027) - 1.0) < 1e-3);
        sphere[2] = s.height - 1.0f;
        OK(gyre_water_submerged(water, sphere, 1, &volume));
        assert_true(fabs((double)volume / (4.0 / 3.0 * 3.14159265 * 0.027) - 1.0) < 1e-3);
        sphere[2] = NAN;
        assert_int_equal(gyre_water_submerged(water, sphere, 1, &volume), GYRE_ERROR_ARGUMENT);
        gyre_water_destroy(water);
    }
}

// ---- saved states, refusals

static void test_save(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        gyre_water_def def = pool(mode, 150, 90, 0.5f);
        def.sleep_height = 1e-4f;
        def.sides.x_high.rule = GYRE_WATER_OPEN;
        gyre_water_body body = gyre_water_default_body();
        strcpy(body.name, "box");
        body.pose.position[0] = 20.0f;
        body.pose.position[1] = 20.0f;
        body.pose.position[2] = 0.5f;
        def.bodies = (gyre_pool){&body, 1, 2};
        // Beds that no quantum has: a wall's top, ground that rises.
        gyre_water_edge edge = gyre_water_default_edge();
        strcpy(edge.name, "pier");
        edge.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{50, 30, 0}, 6}};
        gyre_water_uplift uplift = gyre_water_default_uplift();
        strcpy(uplift.name, "hill");
        uplift.shape = edge.shape;
        uplift.shape.as.sphere.centre[0] = 65;
        uplift.speed = 0.0123f;
        def.edges = (gyre_pool){&edge, 1, 1};
        def.uplifts = (gyre_pool){&uplift, 1, 1};
        gyre_water *water = make(&def), *other = make(&def);
        OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){30, 20, 0}, 6, 0.3f));
        run(water, 40, 0.05f);
        size_t size = gyre_model_save_size(gyre_water_model(water));
        void *saved = malloc(size);
        OK(gyre_model_save(gyre_water_model(water), saved, size, NULL));
        run(other, 7, 0.05f);
        OK(gyre_model_load(gyre_water_model(other), saved, size));
        assert_true(gyre_water_hash(water) == gyre_water_hash(other));
        run(water, 40, 0.05f);
        run(other, 40, 0.05f);
        assert_true(gyre_water_hash(water) == gyre_water_hash(other));
        assert_true(line(water, "sides.x_high") == line(other, "sides.x_high"));
        free(saved);
        gyre_water_destroy(water);
        gyre_water_destroy(other);
    }
}

static void refused(const gyre_water_def *def, const char *part)
{
    gyre_water *water = NULL;
    assert_int_equal(gyre_water_create(device, def, &water), GYRE_ERROR_ARGUMENT);
    assert_null(water);
    if (!strstr(gyre_message(), part)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), part);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    float bed[64 * 64] = {0};
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    def.bed.data = (gyre_volume){bed, {32, 64, 1}, NULL};
    refused(&def, "32 x 64 values, expected one for each of the 64 x 64 cells");
    def.bed.data.n[0] = 64;
    bed[65] = NAN;
    refused(&def, "bed.data: the value at (1, 1)");
    bed[65] = 0.0f;
    def.mask = (gyre_volume){bed, {64, 64, 1}, NULL};
    refused(&def, "mask: cuts off every cell");
    def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    def.sides.x_low.rule = GYRE_WATER_PERIODIC;
    refused(&def, "sides.x_high.rule");
    def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    def.grid.dim = 3;
    refused(&def, "grid.dim");
    def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    gyre_water_body body = gyre_water_default_body();
    body.form = GYRE_BODY_HULL;
    def.bodies = (gyre_pool){&body, 1, 1};
    refused(&def, "bodies.0");
    def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    def.level = NAN;
    refused(&def, "level");
    // NaN and negative depths written into a window: what is not finite is 0, and it is said.
    def = pool(GYRE_WATER_SHALLOW, 64, 64, 1.0f);
    gyre_water *water = make(&def);
    gyre_field_view view;
    OK(gyre_water_map(water, gyre_water_field(water, "depth"), GYRE_WRITE, &view));
    view.data[5] = NAN;
    assert_int_equal(gyre_water_unmap(water, gyre_water_field(water, "depth")),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "not finite"));
    OK(gyre_water_map(water, gyre_water_field(water, "depth"), GYRE_WRITE, &view));
    view.data[6] = -2.0f;
    assert_int_equal(gyre_water_unmap(water, gyre_water_field(water, "depth")),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "below 0"));
    run(water, 5, 0.1f);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(fabs(s.ledger_error) < 1e-6 * s.volume && isfinite(s.kinetic_energy));
    assert_int_equal(gyre_water_step(water, -1.0f), GYRE_ERROR_ARGUMENT);
    // A step far too long: what max_substeps allows is taken, and the rest is said.
    OK(gyre_model_splat(gyre_water_model(water), 0, (float[3]){30, 20, 0}, 6, 0.3f));
    OK(gyre_water_step(water, 1e30f));
    assert_true(gyre_water_get_stats(water).dropped > 1e5);
    assert_true(isfinite(gyre_water_get_stats(water).kinetic_energy));
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seams),        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_slots),
        cmocka_unit_test(test_sleep),        cmocka_unit_test(test_looking),
        cmocka_unit_test(test_sources),      cmocka_unit_test(test_sides),
        cmocka_unit_test(test_edges),        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_slope),        cmocka_unit_test(test_slope_edges),
        cmocka_unit_test(test_redistribute), cmocka_unit_test(test_queries),
        cmocka_unit_test(test_save),         cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
