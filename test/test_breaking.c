// Steep fronts, water in the air, falls, splashes, foam.
#include "water_case.h"

enum { NX = 160, NY = 40 };
static const double H = 0.1;

static gyre_water_block dam;

/// A dam of a metre and a half breaks over half a metre of water: a bore runs along x.
static gyre_water_def bore(void)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, NX, NY, (float)H);
    dam = gyre_water_default_block();
    dam.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
    const float centre[3] = {2, 2, 0}, size[3] = {4, 4, 10};
    memcpy(dam.shape.as.box.centre, centre, sizeof centre);
    memcpy(dam.shape.as.box.size, size, sizeof size);
    dam.level = 1.0f;
    def.level = -0.5f;
    def.blocks = (gyre_pool){&dam, 1, 1};
    def.breaking.fronts = 16;
    return def;
}

static gyre_water_def breaker(void)
{
    gyre_water_def def = bore();
    def.breaking.patches = 4000;
    def.spray.capacity = 4000;
    def.foam.capacity = 20000;
    def.foam.depth = 0.2f;
    return def;
}

/// Momentum along an axis of water and air, m^4/s.
static double momentum(gyre_water *water, int axis)
{
    int n[2];
    double sum = 0.0;
    float *q = get(water, axis ? "discharge_y" : "discharge_x", n);
    for (int i = 0; i < n[0] * n[1]; i++) {
        sum += (double)q[i] * H * H;
    }
    free(q);
    gyre_model *model = gyre_water_model(water);
    const char *names[] = {"patches", "spray"};
    for (int s = 0; s < 2; s++) {
        int set = gyre_model_particle_set(model, names[s]);
        const gyre_particle_info *info = gyre_model_particles(model, set);
        gyre_particle_view view;
        OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
        const float *v = view.data[info->attributes[3].array + axis];
        const float *amount = view.data[info->attributes[4].array];
        for (int k = 0; k < view.count; k++) {
            sum += (double)v[k] * (double)amount[k] * H * H;
        }
        OK(gyre_model_unmap_particles(model, set, view.count));
    }
    return sum;
}

/// A bore is one front, across the whole channel, as fast as Stoker's, with the same id throughout.
static void test_front(void **state)
{
    (void)state;
    gyre_water_def def = bore();
    gyre_water *water = make(&def);
    gyre_water_front front[16] = {0};
    double x[2] = {0};
    int id = 0;
    for (int step = 0; step < 120; step++) {
        run(water, 1, 1.0f / 60);
        int count = gyre_water_fronts(water, front, 16);
        if (step < 20) {
            id = count > 0 ? front[0].id : 0;
            continue;
        }
        assert_int_equal(count, 1);
        assert_int_equal(front[0].id, id);
        assert_true(fabs((double)front[0].length - 4.0) < 1e-5);
        assert_true(front[0].normal[0] > 0.999f && fabsf(front[0].normal[1]) < 1e-5f);
        x[step >= 60] = step == 20 || step == 119 ? (double)front[0].position[0] : x[step >= 60];
    }
    // Stoker: h_m of 2 (sqrt(g h_l) - sqrt(g h_m)) = (h_m - h_r) sqrt(g (h_m + h_r) / (2 h_m h_r)).
    double g = 9.81, l = 2.0, r = 0.5, low = r, high = l;
    for (int k = 0; k < 60; k++) {
        double m = 0.5 * (low + high);
        double off = 2.0 * (sqrt(g * l) - sqrt(g * m)) - (m - r) * sqrt(g * (m + r) / (2 * m * r));
        low = off > 0.0 ? m : low;
        high = off > 0.0 ? high : m;
    }
    double c = sqrt(g * low * (low + r) / (2.0 * r)), is = (x[1] - x[0]) / (99.0 / 60.0);
    printf("bore: %.3f m/s, Stoker %.3f; told %.3f, height %.3f of %.3f, depth %.3f\n", is, c,
           (double)front[0].speed, (double)front[0].height, low - r, (double)front[0].depth);
    assert_true(fabs(is / c - 1.0) < 0.03);
    assert_true(fabs((double)front[0].speed / c - 1.0) < 0.15);
    assert_true(fabs((double)front[0].height / (low - r) - 1.0) < 0.1);
    assert_true(fabs((double)front[0].depth - r) < 0.03);
    gyre_water_destroy(water);
}

/// What fronts throw comes out of columns and comes back: water and momentum are what they are
/// without, to rounding; the line `air` is less what flies.
static void test_budget(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        gyre_water_def def = breaker();
        def.exact = exact;
        def.spray.diameter = 0.0f;
        for (int q = 0; q < 4 && exact == 0; q++) {
            (&def.sides.x_low)[q].rule = GYRE_WATER_PERIODIC;
        }
        gyre_water *water = make(&def);
        double start = gyre_water_get_stats(water).volume, air = 0.0, most_x = 0.0, most_y = 0.0;
        double last = momentum(water, 0), largest = 0.0;
        gyre_water_stats s = {0};
        for (int step = 0; step < 240; step++) {
            run(water, 1, 1.0f / 60);
            s = gyre_water_get_stats(water);
            air = fmax(air, s.air);
            largest = fmax(largest, fabs(s.ledger_error));
            assert_true(fabs(s.air + s.air_lost + line(water, "air")) < (exact ? 1e-12 : 1e-9));
            assert_true(fabs(s.volume + s.air - start) < (exact ? 1e-12 : 2e-5));
            double now = momentum(water, 0);
            most_x = fmax(most_x, fabs(now - last));
            most_y = fmax(most_y, fabs(momentum(water, 1)));
            last = now;
        }
        printf("air %.4f m^3 at most, patches %lld, spray %lld, foam %lld; ledger %.2g m^3\n", air,
               (long long)s.patches, (long long)s.spray, (long long)s.foam, largest);
        assert_true(air > 0.005 && s.spray > 0 && s.foam > 0);
        assert_true(largest < (exact ? 1e-12 : 2e-5));
        if (exact == 0) {
            printf("momentum: %.2g m^4/s in a step, across %.2g\n", most_x, most_y);
            assert_true(most_x < 2e-4 && most_y < 2e-3);
        }
        gyre_water_destroy(water);
    }
}

/// J of what is in the air.
static double energy_in_air(gyre_water *water)
{
    double sum = 0.0;
    gyre_model *model = gyre_water_model(water);
    const char *names[] = {"patches", "spray"};
    for (int s = 0; s < 2; s++) {
        int set = gyre_model_particle_set(model, names[s]);
        const gyre_particle_info *info = gyre_model_particles(model, set);
        gyre_particle_view view;
        OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
        const float *z = view.data[info->attributes[0].array + 2];
        const float *amount = view.data[info->attributes[4].array];
        for (int k = 0; k < view.count; k++) {
            double square = 0.0;
            for (int a = 0; a < 3; a++) {
                double v = (double)((const float *)view.data[info->attributes[3].array + a])[k];
                square += v * v;
            }
            sum += 1000.0 * H * H * (double)amount[k] * (0.5 * square + 9.81 * (double)z[k]);
        }
        OK(gyre_model_unmap_particles(model, set, view.count));
    }
    return sum;
}

static double divided(double x, double y)
{
    (void)y;
    return x > 8.0 && x < 12.0 ? 0.05 : 1.2;
}

/// Two dams break and meet, again and again: no energy comes of what breaks, flies and lands.
static void test_energy(void **state)
{
    (void)state;
    gyre_water_def def = breaker();
    gyre_water_side *sides = &def.sides.x_low;
    def.spray.diameter = 0.0f;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_WALL;
    }
    gyre_water *water = make(&def);
    put(water, "depth", divided);
    gyre_water_stats s = gyre_water_get_stats(water);
    double first = s.kinetic_energy + s.potential_energy, least = first, rise = 0.0, air = 0.0;
    for (int step = 0; step < 900; step++) {
        run(water, 1, 1.0f / 60);
        s = gyre_water_get_stats(water);
        double now = s.kinetic_energy + s.potential_energy + energy_in_air(water);
        least = fmin(least, now);
        rise = fmax(rise, now - least);
        air = fmax(air, s.air);
    }
    printf("energy: %.0f J spent, rose by %.1f J at most; %.3f m^3 in the air at most\n",
           first - least, rise, air);
    assert_true(air > 0.01);
    assert_true(rise < 0.01 * (first - least));
    gyre_water_destroy(water);
}

/// Same bits for any number of threads, and a loaded state goes on to the same.
static void test_same(void **state)
{
    (void)state;
    uint64_t hash[3];
    gyre_water_def def = breaker();
    gyre_device *own = device;
    void *saved = NULL;
    size_t size = 0;
    for (int k = 0; k < 3; k++) {
        device = device_of(k == 0 ? 1 : 3, k == 1 ? gyre_isa_name(0) : NULL);
        gyre_water *water = make(&def);
        if (k == 2) {
            run(water, 7, 0.01f); // of its own, to be overwritten
            OK(gyre_water_load(water, saved, size));
        } else {
            run(water, 60, 1.0f / 60);
        }
        if (k == 0) {
            assert_true(gyre_water_get_stats(water).patches > 0);
            size = gyre_water_save_size(water);
            saved = malloc(size);
            OK(gyre_water_save(water, saved, size, &size));
        }
        run(water, 60, 1.0f / 60);
        hash[k] = gyre_water_hash(water);
        gyre_water_destroy(water);
        gyre_device_destroy(device);
    }
    free(saved);
    device = own;
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/// Full rooms: nothing more is thrown, the water stays where it is, and it is told.
static void test_full(void **state)
{
    (void)state;
    gyre_water_def def = breaker();
    def.breaking.patches = 50;
    def.spray.capacity = 10;
    def.foam.capacity = 100;
    def.foam.amount = 1e5f;
    gyre_water *water = make(&def);
    double start = gyre_water_get_stats(water).volume;
    run(water, 90, 1.0f / 60);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(s.patches <= 50 && s.patches_refused > 0 && s.spray_refused > 0);
    assert_true(s.foam <= 100 && s.foam_refused > 0);
    assert_true(fabs(s.volume + s.air - start) < 2e-5 && fabs(s.ledger_error) < 2e-5);
    gyre_water_destroy(water);
}

/// Where the falling water of a def lands: the mean place along x of what is in the air and has
/// come within `near` of a height; how many there were.
static double landing(gyre_water *water, int steps, double low, double near, int *count)
{
    gyre_model *model = gyre_water_model(water);
    double sum = 0.0;
    *count = 0;
    for (int n = 0; n < steps; n++) {
        gyre_particle_view view;
        run(water, 1, 1.0f / 120);
        int set = gyre_model_particle_set(model, "patches");
        OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
        for (int k = 0; k < view.count; k++) {
            if ((double)((float *)view.data[2])[k] < low + near) {
                sum += (double)((float *)view.data[0])[k];
                ++*count;
            }
        }
        OK(gyre_model_unmap_particles(model, set, view.count));
    }
    return sum / *count;
}

/// A river that falls 3 m over a cliff lands where free fall has it, u sqrt(2 s / g) off, and what
/// runs over the edge is what arrives; the same over a weir of which the head is known.
static void test_falls(void **state)
{
    (void)state;
    for (int weir = 0; weir < 2; weir++) {
        static float bed[NX * 8];
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, NX, 8, 0.1f);
        static gyre_water_gate gate;
        static gyre_water_source spring;
        for (int i = 0; i < NX * 8; i++) {
            bed[i] = !weir && i % NX < 60 ? 3.0f : 0.0f;
        }
        def.bed.data = (gyre_volume){bed, {NX, 8, 1}, NULL};
        def.bed.high = 1.0f;
        def.level = 0.1f;
        def.sides.x_high.rule = GYRE_WATER_OPEN;
        spring = gyre_water_default_source();
        spring.discharge = 0.4f; // 0.5 m^2/s
        spring.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
        const float centre[3] = {1, 0.4f, 0}, size[3] = {1, 2, 10};
        memcpy(spring.shape.as.box.centre, centre, sizeof centre);
        memcpy(spring.shape.as.box.size, size, sizeof size);
        def.sources = (gyre_pool){&spring, 1, 1};
        gate = gyre_water_default_gate();
        gate.from[0] = gate.to[0] = 6.0f;
        gate.to[1] = 1.0f;
        gate.crest = 1.0f;
        def.gates = (gyre_pool){&gate, weir, 1};
        def.breaking.patches = 40000; // of each substep
        def.breaking.fall = 0.5f;
        gyre_water *water = make(&def);
        run(water, weir ? 3600 : 1800, 1.0f / 120); // until it is steady
        // Critical at the edge of a cliff, h_c = (q^2 / g)^(1/3); over the weir 2/3 of its head.
        double q = 0.5, g = 9.81, hc = cbrt(q * q / g), u = q / hc;
        gyre_water_sample at[2];
        const float points[4] = {5.95f, 0.45f, 6.75f + (float)weir * 0.3f, 0.45f};
        OK(gyre_water_query(water, points, 2, at));
        double top = weir ? 1.0 + 0.5 * hc : 3.0 + 0.5 * (double)at[0].depth;
        u = weir ? u : (double)at[0].velocity[0];
        int count;
        double low = (double)at[1].height, x = landing(water, 240, low, 0.3, &count);
        double expected = 6.0 + u * sqrt(2.0 * (top - low - 0.15) / g);
        gyre_water_stats s = gyre_water_get_stats(water);
        double flight = s.air / (q * 0.8), time = sqrt(2.0 * (top - low) / g);
        printf("%s: lands at %.3f m, ballistics %.3f (u %.2f, edge depth %.3f, critical %.3f); "
               "%.3f s in the air, %.3f\n",
               weir ? "weir" : "cliff", x, expected, u, (double)at[0].depth, hc, flight, time);
        assert_true(count > 100 && s.patches_refused == 0);
        assert_true(fabs(x - expected) < 0.1);
        assert_true(fabs(flight / time - 1.0) < 0.05);
        assert_true(fabs(s.ledger_error) < 2e-4);
        gyre_water_destroy(water);
    }
}

/// A ball that falls into the water throws spray all round, a slow one none; the water comes back.
/// One of a set does so, too, and where it falls on a seam of a periodic domain.
static void test_splash(void **state)
{
    (void)state;
    for (int which = 0; which < 5; which++) {
        bool fast = which > 0, of_set = which > 1, seam = which > 2, far = which == 4;
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 64, 0.1f);
        if (seam) {
            periodic(&def);
        }
        float x = far ? 6.4f - 128.0f : seam ? 6.4f : 3.2f; // twenty domains off: there, too
        gyre_water_body ball = gyre_water_default_body();
        ball.form = GYRE_BODY_SPHERE;
        ball.size[0] = 0.4f;
        ball.density = 800;
        const float place[3] = {x, 3.2f, 0.5f};
        memcpy(ball.pose.position, place, sizeof place);
        ball.pose.velocity[2] = fast ? -4.0f : -0.1f;
        def.bodies = of_set ? (gyre_pool){0} : (gyre_pool){&ball, 1, 1};
        def.spray.capacity = 500;
        def.breaking.splash = 3.0f;
        gyre_water *water = make(&def);
        gyre_bodies *set = NULL;
        gyre_body other = gyre_bodies_default_body();
        OK(gyre_bodies_create(NULL, &set));
        other.form.kind = GYRE_FORM_SPHERE;
        other.form.as.sphere.radius = 0.4f;
        other.density = 800.0f;
        other.motion = GYRE_MOTION_FREE;
        other.pose = ball.pose;
        assert_true(gyre_bodies_add(set, &other) != 0);
        if (of_set) {
            OK(gyre_model_use_bodies(gyre_water_model(water), set));
        }
        double start = gyre_water_get_stats(water).volume, air = 0.0;
        int64_t most = 0;
        for (int n = 0; n < 240; n++) {
            run(water, 1, 1.0f / 60);
            OK(gyre_bodies_step(set, 1.0f / 60));
            gyre_water_stats s = gyre_water_get_stats(water);
            most = most > s.spray ? most : s.spray;
            air = fmax(air, s.air);
            assert_true(fabs(s.volume + s.air - start) < 2e-5 && fabs(s.ledger_error) < 2e-5);
        }
        printf("ball %d: %lld drops, %.4f m^3\n", which, (long long)most, air);
        assert_true(fast ? most >= 24 && air > 1e-3 : most == 0);
        assert_true(gyre_water_get_stats(water).air < 1e-6);
        gyre_water_destroy(water);
        gyre_bodies_destroy(set);
    }
}

/// Drops that meet a body do not pass it.
static void test_body(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 32, 0.1f);
    gyre_water_body box = gyre_water_default_body();
    const float size[3] = {1.0f, 3.2f, 3.0f}, place[3] = {4.0f, 1.6f, 0.5f};
    memcpy(box.size, size, sizeof size);
    memcpy(box.pose.position, place, sizeof place);
    box.held = true;
    def.bodies = (gyre_pool){&box, 1, 1};
    def.spray.capacity = 100;
    gyre_water *water = make(&def);
    gyre_model *model = gyre_water_model(water);
    int set = gyre_model_particle_set(model, "spray"), most = 0;
    run(water, 2, 1.0f / 60);
    gyre_particle_view view;
    OK(gyre_model_map_particles(model, set, GYRE_WRITE, &view));
    for (int k = 0; k < 40; k++) {
        for (int a = 0; a < 9; a++) {
            ((float *)view.data[a])[k] = 0.0f;
        }
        ((float *)view.data[0])[k] = 2.0f;
        ((float *)view.data[1])[k] = 0.3f + 0.06f * (float)k;
        ((float *)view.data[2])[k] = 0.5f;
        ((float *)view.data[5])[k] = 6.0f;
        ((float *)view.data[7])[k] = 3.0f;
    }
    OK(gyre_model_unmap_particles(model, set, 40));
    for (int n = 0; n < 60; n++) {
        run(water, 1, 1.0f / 60);
        OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
        for (int k = 0; k < view.count; k++) {
            assert_true(((float *)view.data[0])[k] < 3.5f + 0.1f);
            most += ((float *)view.data[5])[k] < 0.0f;
        }
        OK(gyre_model_unmap_particles(model, set, view.count));
    }
    assert_true(most > 0); // they came back
    gyre_water_destroy(water);
}

/// A board that is let go on the face of a front rides it: for three seconds it is as fast as the
/// front, less than two metres before it, and nobody pushes.
static void test_ride(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 200, 24, 0.25f);
    gyre_water_body board = gyre_water_default_body();
    const float size[3] = {2.4f, 0.7f, 0.16f}, place[3] = {20.0f, 3.0f, 0.05f};
    memcpy(board.size, size, sizeof size);
    memcpy(board.pose.position, place, sizeof place);
    def.bed.flat = -2.2f;
    def.bed.slope[0] = 0.045f;
    def.manning = 0.02f;
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.amplitude = 0.5f;
    def.sides.x_low.period = 5.5f;
    def.breaking.fronts = 16;
    board.density = 200;
    board.drag = 0.35f;
    board.added_mass = board.waves = 0.0f;
    board.drift = false;
    board.keel_area = 0.05f;
    board.keel_length = 1.0f;
    board.held = true;
    def.bodies = (gyre_pool){&board, 1, 1};
    gyre_water *water = make(&def);
    gyre_id id = gyre_model_element(gyre_water_model(water), "bodies", 0);
    float from = 0.0f, least = 1e9f, most = 0.0f;
    int ridden = 0, released = 0, front = 0;
    for (int n = 0; n < 900 && ridden < 180; n++) {
        gyre_water_front f[16];
        run(water, 1, 1.0f / 60);
        int count = gyre_water_fronts(water, f, 16);
        gyre_water_read_body(water, id, &board);
        for (int k = 0; k < count && k < 16; k++) {
            float ahead = board.pose.position[0] - f[k].position[0];
            if (!released && n > 540 && ahead > 0.0f && ahead < 0.8f) {
                released = 1;
                front = f[k].id;
                board.held = false;
                board.pose.velocity[0] = f[k].speed;
                from = board.pose.position[0];
                OK(gyre_water_update_body(water, id, &board));
            } else if (released && f[k].id == front && ahead > -1.0f && ahead < 2.0f) {
                ridden++;
                least = fminf(least, board.pose.velocity[0]);
                most = fmaxf(most, board.pose.velocity[0]);
            }
        }
    }
    printf("board: %d steps on the wave, %.2f m, %.2f to %.2f m/s\n", ridden,
           (double)(board.pose.position[0] - from), (double)least, (double)most);
    assert_true(ridden == 180 && board.pose.position[0] - from > 10.0f && least > 3.0f);
    gyre_water_destroy(water);
}

/// What cannot be is refused by its name.
static void test_refused(void **state)
{
    (void)state;
    gyre_water *water = NULL;
    gyre_water_def def = pool(GYRE_WATER_WAVE, 32, 32, 0.1f);
    def.breaking.fronts = 4;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "mode wave"));
    def = pool(GYRE_WATER_SHALLOW, 32, 32, 0.1f);
    def.breaking.fall = 1.0f;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "breaking.patches"));
    def.breaking.fall = 0.0f;
    def.breaking.splash = 1.0f;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "spray.capacity"));
    def.breaking.splash = 0.0f;
    water = make(&def);
    gyre_water_front front;
    assert_int_equal(gyre_water_fronts(water, &front, 1), 0);
    assert_non_null(strstr(gyre_message(), "breaking.fronts"));
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front),  cmocka_unit_test(test_budget),
        cmocka_unit_test(test_energy), cmocka_unit_test(test_same),
        cmocka_unit_test(test_full),   cmocka_unit_test(test_falls),
        cmocka_unit_test(test_splash), cmocka_unit_test(test_body),
        cmocka_unit_test(test_ride),   cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
