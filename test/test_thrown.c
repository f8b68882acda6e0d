// What fronts, falls and bodies throw, and what becomes of it in the air, rule by rule: on the
// functions themselves, or in a step.
// labels: small
#include "water/breaking.h"
#include "water_case.h"

static const double G = 9.81;

/// A dam of a metre and a half breaks over half a metre of water in a canal `wide` cells wide.
static gyre_water *bore(gyre_water_def *def, int wide, int steps)
{
    static gyre_water_block dam;
    *def = pool(GYRE_WATER_SHALLOW, 100, wide, 0.1f);
    dam = gyre_water_default_block();
    dam.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
    const float centre[3] = {1, 2, 0}, size[3] = {2, 40, 10};
    memcpy(dam.shape.as.box.centre, centre, sizeof centre);
    memcpy(dam.shape.as.box.size, size, sizeof size);
    dam.level = 1.0f;
    def->level = -0.5f;
    def->blocks = (gyre_pool){&dam, 1, 1};
    def->breaking.fronts = 16;
    def->breaking.patches = 1000;
    def->spray.capacity = 1000;
    def->breaking.interval = 10.0f; // whole rows, one by one, when the test says so
    gyre_water *water = make(def);
    run(water, steps, 1.0f / 60);
    return water;
}

static float *own(gyre_water *water, int i, int j, int array, bool state)
{
    int place, slot = gy_tiles_find(&water->tiles, i, j, &place);
    return (state ? gy_tile_edit(&water->tiles, slot, array)
                  : gy_tile_array(&water->tiles, slot, array)) +
           place;
}

/// The front that runs ahead along x.
static gy_front *ahead(gyre_water *water)
{
    gy_breaking *b = water->breaking;
    gy_front *best = NULL;
    for (int k = 0; k < b->state->front_count; k++) {
        gy_front *f = &b->fronts[k];
        bool on = f->normal[0] > 0.9f && f->height > 0.2f;
        best = on && (!best || f->position[0] > best->position[0]) ? f : best;
    }
    assert_non_null(best);
    return best;
}

static int64_t count_of(const gyre_water *water, int set)
{
    return water->breaking->sets[set].state.count;
}

static float of(const gyre_water *water, int set, int attribute, int a, int64_t k)
{
    return ((const float *)gy_particles_array(&water->breaking->sets[set], attribute, a))[k];
}

/// What a front throws has fallen from the crest by what it takes to part it, (v - u)^2 d / (d - a)
/// / 2 g, flow across it and bodies in the column counted; never further than four fifths of the
/// front. Where a body is all of the column nothing is thrown.
static void test_launch(void **state)
{
    (void)state;
    static const float shares[5] = {0.0f, 0.5f, 0.9f, 1.0f, 0.0f};
    static const float across[5] = {0.0f, 0.0f, 0.4f, 0.0f, 0.8f};
    for (int k = 0; k < 5; k++) {
        gyre_water_def def;
        gyre_water *water = bore(&def, 1, 20);
        const gy_breaking *b = water->breaking;
        const gy_front *front = ahead(water);
        const gy_front_point *at = &b->points[front->first];
        int i = at->crest[0];
        double d = (double)*own(water, i, 0, GY_WATER_DEPTH, true);
        double u = (double)*own(water, i, 0, GY_WATER_QX, true) / d;
        water->def->breaking.thickness = k == 4 ? 1e-3f : 10.0f;
        water->def->breaking.speed = k == 4 ? 1.02f : 1.3f;
        *own(water, i, 0, GY_WATER_DISPLACED, false) = shares[k] * (float)d;
        *own(water, i, 0, GY_WATER_QY, true) = across[k] * (float)d;
        gy_thrown t;
        bool is = gy_front_launch(water, front, at, &t);
        assert_int_equal(is, shares[k] < 1.0f);
        if (is) {
            double part = k == 4 ? (double)gy_front_amount(water, front) / d
                                 : 0.5 * (1.0 - (double)shares[k]);
            double v = (double)t.velocity[0] - u;
            double fallen = d - 1.0 - (double)t.at[2];
            double takes = (v * v + (double)(across[k] * across[k])) / (1.0 - part) / (2.0 * G);
            printf("a body holds %.1f of the column: thrown %.3f m/s faster, fallen %.4f m, %.4f "
                   "is what it takes\n",
                   (double)shares[k], v, fallen, takes);
            assert_true(fabs(fallen / takes - 1.0) < 1e-3);
            assert_true(fallen < 0.8 * (double)front->height + 1e-5);
            assert_true(t.velocity[0] > front->speed);
        }
        gyre_water_destroy(water);
    }
}

/// A row is as thick as it is to be: its water over the length of its line and the way by which it
/// runs ahead of the front until the next.
static void test_thickness(void **state)
{
    (void)state;
    gyre_water_def def;
    gyre_water *water = bore(&def, 4, 1);
    for (int k = 0; k < 2; k++) {
        gy_front front = {.normal = {k ? 1.0f : 0.6f, k ? 0.0f : 0.8f}, .speed = 3.0f};
        front.axis = k ? 0 : 1;
        double h = 0.1, way = 0.3 * 3.0 * 10.0, line = h / (k ? 1.0 : 0.8);
        double thick = (double)gy_front_amount(water, &front) * h * h / (way * line);
        assert_true(fabs(thick / 0.1 - 1.0) < 1e-5);
    }
    gyre_water_destroy(water);
}

/// A row has one particle for each place, drops at its ends alone, `share` of what is thrown there;
/// columns in which bodies are part with half of their own water at most.
static void test_row(void **state)
{
    (void)state;
    for (int thick = 0; thick < 2; thick++) {
        enum { WIDE = 12 };
        gyre_water_def def;
        gyre_water *water = bore(&def, WIDE, 20);
        gy_breaking *b = water->breaking;
        gy_front *front = ahead(water);
        double before[WIDE], all[WIDE] = {0}, drops[WIDE] = {0};
        assert_int_equal(front->count, WIDE);
        water->def->breaking.thickness = thick ? 10.0f : 0.01f;
        for (int set = GY_SET_PATCHES; set <= GY_SET_SPRAY; set++) {
            b->sets[set].state.count = 0;
        }
        for (int j = 0; j < WIDE; j++) {
            int i = b->points[front->first + j].crest[0];
            float *held = own(water, i, j, GY_WATER_DISPLACED, false);
            *held = thick ? 0.4f : 0.0f;
            before[j] = (double)(*own(water, i, j, GY_WATER_DEPTH, true) - *held);
        }
        front->due = 0.0f;
        gy_fronts_throw(water, 1.0f / 60);
        for (int set = GY_SET_PATCHES; set <= GY_SET_SPRAY; set++) {
            for (int64_t k = 0; k < count_of(water, set); k++) {
                int j = (int)(of(water, set, GY_AIR_POSITION, 1, k) / 0.1f);
                double amount = (double)of(water, set, GY_AIR_AMOUNT, 0, k);
                all[j] += amount;
                drops[j] += set == GY_SET_SPRAY ? amount : 0.0;
            }
        }
        assert_int_equal(count_of(water, GY_SET_PATCHES), WIDE);
        assert_int_equal(count_of(water, GY_SET_SPRAY), 2);
        for (int j = 0; j < WIDE; j++) {
            bool end = j == 0 || j == WIDE - 1;
            double wanted = fmin((double)gy_front_amount(water, front), 0.5 * before[j]);
            assert_true(fabs(all[j] / wanted - 1.0) < 1e-4);
            assert_true(fabs(drops[j] / wanted - (end ? 0.2 : 0.0)) < 1e-4);
        }
        gyre_water_destroy(water);
    }
}

/// Water that passes an edge begins its fall in the middle of what is there, as fast, out of the
/// lower cell, which keeps a fiftieth; a shut face lets none fall.
static void test_fall(void **state)
{
    (void)state;
    static float bed[40];
    for (int k = 0; k < 3; k++) {
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 40, 1, 0.1f);
        for (int i = 0; i < 40; i++) {
            bed[i] = i < 20 ? 3.0f : 0.0f;
        }
        def.bed.data = (gyre_volume){bed, {40, 1, 1}, NULL};
        def.bed.high = 1.0f;
        def.level = 0.5f;
        def.breaking.patches = 100;
        def.breaking.fall = 0.5f;
        gyre_water *water = make(&def);
        run(water, 1, 1e-4f);
        *own(water, 19, 0, GY_WATER_DEPTH, true) = 0.3f;
        *own(water, 19, 0, GY_WATER_QX, true) = 0.6f;
        float *low = own(water, 20, 0, GY_WATER_DEPTH, true), had = *low;
        if (k == 1) {
            int place, slot = gy_tiles_find(&water->tiles, 19, 0, &place);
            gy_tile_flags(&water->tiles, slot)[place] |= GY_CELL_SHUT_HIGH_X;
        }
        float dt = k == 2 ? 10.0f : 0.01f; // in ten seconds more passes than there is below
        gy_falls(water, dt);
        assert_int_equal(count_of(water, GY_SET_PATCHES), k == 1 ? 0 : 1);
        if (k != 1) {
            double came = k == 2 ? 0.98 * (double)had : 0.6 * 0.01 / 0.1;
            assert_true(fabs((double)of(water, GY_SET_PATCHES, GY_AIR_AMOUNT, 0, 0) / came - 1.0) <
                        1e-4);
            assert_true(fabs((double)(had - *low) / came - 1.0) < 1e-4);
            assert_true(fabsf(of(water, GY_SET_PATCHES, GY_AIR_POSITION, 2, 0) - 3.15f) < 1e-5f);
            assert_true(fabsf(of(water, GY_SET_PATCHES, GY_AIR_VELOCITY, 0, 0) - 2.0f) < 1e-5f);
        }
        gyre_water_destroy(water);
    }
}

/// What a column loses is what flies, to the bit, whatever share of it is thrown: of what no body
/// displaces.
static void test_exact(void **state)
{
    (void)state;
    gyre_water_def def;
    gyre_water *water = bore(&def, 1, 1);
    const gy_breaking_state *s = water->breaking->state;
    const gy_gate_face face = {.i = 50};
    const float heights[2] = {0.5f, 0.2f};
    const double due = s->due;
    for (int k = 0; k < 200; k++) {
        float from = 0.3f + 0.0071f * (float)k, old = from, *depth;
        float moved = old * (0.02f + 0.0049f * (float)k);
        int64_t at = count_of(water, GY_SET_PATCHES);
        double line = s->line;
        assert_true(gy_weir_throws(water, &face, 0, moved, 0.01f, heights, &from));
        double air = (double)of(water, GY_SET_PATCHES, GY_AIR_AMOUNT, 0, at);
        assert_true((double)old - (double)from == air && fabs(line - s->line - air) < 1e-13);
        depth = own(water, 60, 0, GY_WATER_DEPTH, true);
        *depth = old;
        const gy_thrown t = {{6.05f, 0.05f, 1.0f}, {0.0f, 0.0f, 0.0f}, 0, 0, 0};
        float held = k % 2 ? 0.0f : 0.5f * old, most = 0.99f * (old - held);
        *own(water, 60, 0, GY_WATER_DISPLACED, false) = held;
        double thrown = (double)gy_air_throw(water, GY_SET_PATCHES, 60, 0, moved, 0.99f, &t);
        assert_true((double)old - (double)*depth == thrown && s->due == due);
        assert_true(fabs(thrown - (double)fminf(moved, most)) < 1e-6);
    }
    gyre_water_destroy(water);
}

/// A ball falls in: drops are a tenth of what it displaces in the step, and of a column half at
/// most; they cost the ball a quarter of its fall at most.
static void test_splash(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) { // deep; thin water of small cells; a light ball
        gyre_water *water[2];
        double dt = 1.0 / 240, h = k == 1 ? 0.01 : 0.1, fast = 0.0, cost = 0.0;
        gyre_water_body ball = gyre_water_default_body(), now[2];
        ball.form = GYRE_BODY_SPHERE;
        ball.size[0] = 0.4f;
        ball.density = k == 2 ? 30.0f : 800.0f;
        const int n1 = k == 1 ? 128 : 64;
        const float place[3] = {(float)(n1 / 2 * h), (float)(n1 / 2 * h), k == 2 ? 0.2f : 0.37f};
        memcpy(ball.pose.position, place, sizeof place);
        ball.pose.velocity[2] = -4.0f;
        for (int q = 0; q < 2; q++) {
            gyre_water_def def = pool(GYRE_WATER_SHALLOW, n1, n1, (float)h);
            def.bed.flat = k == 1 ? -0.05f : -1.0f;
            def.bodies = (gyre_pool){&ball, 1, 1};
            def.spray.capacity = 500;
            def.spray.diameter = 0.0f;
            def.breaking.splash = q ? 1.0f : 0.0f;
            water[q] = make(&def);
            run(water[q], 1, (float)dt);
            gyre_id id = gyre_model_element(gyre_water_model(water[q]), "bodies", 0);
            OK(gyre_water_read_body(water[q], id, &now[q]));
        }
        int n[2];
        float *without = get(water[0], "depth", n), *with = get(water[1], "depth", n);
        double least = 1.0, drops = 0.0;
        for (int i = 0; i < n[0] * n[1]; i++) {
            least = fmin(least, (double)with[i] / (double)without[i]);
        }
        for (int64_t q = 0; q < count_of(water[1], GY_SET_SPRAY); q++) {
            drops += (double)of(water[1], GY_SET_SPRAY, GY_AIR_AMOUNT, 0, q) * h * h;
        }
        fast = (double)now[0].pose.velocity[2];
        cost = 1.0 - pow((double)now[1].pose.velocity[2] / fast, 2.0);
        printf("a ball: drops are %.4f of what it displaces, a column keeps %.4f, it pays %.4f\n",
               drops / water[1]->displaced[0], least, cost);
        assert_true(count_of(water[1], GY_SET_SPRAY) == 24);
        assert_true(k > 0 || fabs(drops / water[1]->displaced[0] / 0.1 - 1.0) < 1e-4);
        assert_true(k != 1 || fabs(least - 0.5) < 1e-4);
        assert_true(k == 2 ? cost > 0.15 && cost < 0.2501 : cost > 0.0 && cost < 0.2);
        free(with);
        free(without);
        gyre_water_destroy(water[0]);
        gyre_water_destroy(water[1]);
    }
}

/// Where the grid moves, crests of fronts do with their lines; what waits to land is in the air.
static void test_moved(void **state)
{
    (void)state;
    gyre_water_def def;
    gyre_water *water = bore(&def, 4, 20);
    const int cells[3] = {8, 0, 0};
    gy_front_point was = water->breaking->points[ahead(water)->first];
    double air = gyre_water_get_stats(water).air;
    OK(gyre_model_shift(gyre_water_model(water), cells));
    gy_front_point now = water->breaking->points[ahead(water)->first];
    assert_true(now.i == was.i - 8 && now.crest[0] == was.crest[0] - 8);
    water->breaking->state->due += 1e-3;
    assert_true(fabs(gyre_water_get_stats(water).air - air - 1e-5) < 1e-9);
    gyre_water_destroy(water);
}

// ---- in the air

/// Writes the one particle of a set.
static void put_one(gyre_water *water, const char *name, const float at[3], const float v[3])
{
    gyre_model *model = gyre_water_model(water);
    int set = gyre_model_particle_set(model, name);
    const gyre_particle_info *info = gyre_model_particles(model, set);
    gyre_particle_view view;
    OK(gyre_model_map_particles(model, set, GYRE_WRITE, &view));
    for (int a = 0; a < info->arrays; a++) {
        memset(view.data[a], 0, sizeof(float));
    }
    for (int a = 0; a < 3; a++) {
        ((float *)view.data[a])[0] = at[a];
        ((float *)view.data[info->attributes[3].array + a])[0] = v[a];
    }
    ((float *)view.data[info->attributes[4].array])[0] = 1e-4f;
    OK(gyre_model_unmap_particles(model, set, 1));
}

/// Water on one half, dry ground on the other, a box between x = 4.07 and 5, between walls and an
/// open side.
static gyre_water *scene(float keeps)
{
    static float bed[64 * 16];
    static gyre_water_body box;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 16, 0.1f);
    for (int i = 0; i < 64 * 16; i++) {
        bed[i] = i % 64 < 20 ? 0.5f : -1.0f;
    }
    def.bed.data = (gyre_volume){bed, {64, 16, 1}, NULL};
    def.bed.high = 1.0f;
    def.bed.flat = 0.0f;
    box = gyre_water_default_body();
    const float size[3] = {0.93f, 0.8f, 4.0f}, place[3] = {4.535f, 0.8f, 1.0f};
    memcpy(box.size, size, sizeof size);
    memcpy(box.pose.position, place, sizeof place);
    box.held = true;
    def.bodies = (gyre_pool){&box, 1, 1};
    def.sides.y_high.rule = GYRE_WATER_OPEN;
    def.breaking.patches = 8;
    def.spray.capacity = 8;
    def.spray.diameter = 0.0f;
    def.spray.bounce = keeps;
    gyre_water *water = make(&def);
    run(water, 1, 1e-4f);
    return water;
}

/// Drops that meet ground, walls and bodies keep `bounce` of what they come with, sheets 0.3 of
/// what they meet walls and bodies with; slow drops stay on dry ground. A body that is in less than
/// half of a cell lets them by.
static void test_bounce(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        float at[3], v[3];
        int axis, left; // which way it bounces; how many are left
        bool by;        // it goes on
    } cases[8] = {
        {"spray", {1, 0.8f, 0.501f}, {0, 0, -3}, 2, 1, false}, // ground
        {"spray", {1, 0.8f, 0.501f}, {0, 0, -0.8f}, 2, 0, false},
        {"spray", {4.095f, 0.8f, 1.5f}, {3, 0, 0}, 0, 1, false}, // the body
        {"patches", {4.095f, 0.8f, 1.5f}, {3, 0, 0}, 0, 1, false},
        {"spray", {4.0f, 0.8f, 1.5f}, {3, 0, 0}, 0, 1, true},    // beside it, in its first cell
        {"spray", {0.01f, 0.8f, 2.0f}, {-3, 0, 0}, 0, 1, false}, // a wall
        {"patches", {0.01f, 0.8f, 2.0f}, {-3, 0, 0}, 0, 1, false},
        {"spray", {1, 1.59f, 2.0f}, {0, 3, 0}, 1, 0, false}, // an open side
    };
    for (int k = 0; k < 8; k++) {
        gyre_water *water = scene(0.6f);
        bool spray = cases[k].set[0] == 's';
        int set = spray ? GY_SET_SPRAY : GY_SET_PATCHES, axis = cases[k].axis;
        put_one(water, cases[k].set, cases[k].at, cases[k].v);
        run(water, 1, 0.01f);
        assert_int_equal(count_of(water, set), cases[k].left);
        if (cases[k].left) {
            double came = (double)cases[k].v[axis] - (axis == 2 ? G * 0.01 : 0.0);
            double is = (double)of(water, set, GY_AIR_VELOCITY, axis, 0) / came;
            double keeps = cases[k].by ? 1.0 : spray ? -0.6 : -0.3;
            if (fabs(is - keeps) > 1e-4) {
                fail_msg("case %d: %.4f of %.4f", k, is, keeps);
            }
        }
        gyre_water_destroy(water);
    }
}

/// What leaves through open sides, and what an edge shuts in, is told as lost, and only that.
static void test_lost(void **state)
{
    (void)state;
    static const float out[3] = {1.05f, 1.59f, 2.0f}, in[3] = {1.05f, 0.85f, 2.0f},
                       v[3] = {0, 3, 0};
    for (int k = 0; k < 3; k++) {
        gyre_water *water = scene(0.3f);
        put_one(water, "spray", k == 0 ? out : in, v);
        if (k == 1) {
            for (int j = 0; j < 16; j++) {
                int place, slot = gy_tiles_find(&water->tiles, 10, j, &place);
                gy_tile_flags(&water->tiles, slot)[place] |= GY_CELL_OUT;
            }
            gy_air_fly(water, 0.01f);
        } else {
            run(water, 1, 0.01f);
        }
        assert_int_equal(count_of(water, GY_SET_SPRAY), k == 2);
        assert_true(water->breaking->state->lost == (k == 2 ? 0.0 : (double)1e-4f));
        gyre_water_destroy(water);
    }
}

/// Sheets that come down faster than a metre a second splash on as drops, slow ones do not; what
/// drops do not keep of their momentum their column has.
static void test_landing(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        gyre_water *water = scene(0.3f);
        const float at[3] = {3, 0.8f, 0.001f}, v[3] = {k ? 4.0f : 0.5f, 0.0f, k ? -3.0f : -0.5f};
        double sum[2] = {0.0, 0.0};
        gyre_water_get_stats(water);
        for (int j = 0; j < 16; j++) {
            for (int i = 20; i < 64; i++) {
                *own(water, i, j, GY_WATER_QX, true) = 0.0f;
            }
        }
        put_one(water, "patches", at, v);
        gy_air_fly(water, 0.01f);
        assert_int_equal(count_of(water, GY_SET_PATCHES), 0);
        assert_int_equal(count_of(water, GY_SET_SPRAY), k);
        for (int j = 0; j < 16; j++) {
            for (int i = 20; i < 64; i++) {
                sum[0] += (double)*own(water, i, j, GY_WATER_QX, true);
            }
        }
        if (k) {
            sum[1] = (double)of(water, GY_SET_SPRAY, GY_AIR_AMOUNT, 0, 0) *
                     (double)of(water, GY_SET_SPRAY, GY_AIR_VELOCITY, 0, 0);
            assert_true(fabs(sum[1]) > 1e-6);
        }
        double all = sum[0] + sum[1] + water->breaking->state->push[0];
        assert_true(fabs(all / ((double)1e-4f * (double)v[0]) - 1.0) < 1e-5);
        gyre_water_destroy(water);
    }
}

/// Momentum that is too little for a float to notice waits until it is enough.
static void test_little(void **state)
{
    (void)state;
    gyre_water *water = scene(0.3f);
    float *q = own(water, 30, 8, GY_WATER_QX, true);
    *q = 500.0f;
    for (int k = 0; k < 1000; k++) {
        const float at[3] = {3.05f, 0.85f, 0.001f}, v[3] = {0.05f, 0.0f, -0.1f};
        put_one(water, "patches", at, v);
        gy_air_fly(water, 0.01f);
    }
    double came = (double)*q - 500.0 + water->breaking->state->push[0];
    assert_true(fabs(came / (1000.0 * (double)1e-4f * (double)0.05f) - 1.0) < 1e-6);
    gyre_water_destroy(water);
}

// ---- lines

static double corner(double x, double y)
{
    double off = fmin(fabs(y), fabs(4.0 - y)); // from the seam
    return x < 3.0 && off < 0.85 ? 2.0 : 0.5;
}

/// The middle of a line that lies across a periodic seam is there, and not in the domain's middle.
static void test_seam(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 100, 40, 0.1f);
    def.sides.y_low.rule = def.sides.y_high.rule = GYRE_WATER_PERIODIC;
    def.breaking.fronts = 16;
    gyre_water *water = make(&def);
    int seen = 0;
    put(water, "depth", corner);
    for (int n = 0; n < 25; n++) {
        gyre_water_front f[16];
        run(water, 1, 1.0f / 60);
        int count = gyre_water_fronts(water, f, 16);
        for (int k = 0; k < count; k++) {
            if (f[k].normal[0] > 0.9f && f[k].length > 1.0f && f[k].length < 3.0f) {
                double y = remainder((double)f[k].position[1], 4.0);
                seen++;
                assert_true(fabs(y) < 0.11);
            }
        }
    }
    assert_true(seen > 5);
    gyre_water_destroy(water);
}

static double slanting(double x, double y)
{
    return x + 0.5 * y < 9.0 ? 2.0 : 0.5;
}

/// A line that goes askew is as long as it is, not as its shadow on an axis.
static void test_askew(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 160, 120, 0.1f);
    def.breaking.fronts = 16;
    gyre_water *water = make(&def);
    gyre_water_front f[16];
    put(water, "depth", slanting);
    run(water, 3, 1.0f / 60);
    assert_int_equal(gyre_water_fronts(water, f, 16), 1);
    double known = 12.0 * sqrt(1.25);
    printf("a line askew: %.3f m long, %.3f\n", (double)f[0].length, known);
    assert_true(fabs((double)f[0].length / known - 1.0) < 0.03);
    gyre_water_destroy(water);
}

static double facing(double x, double y)
{
    (void)y;
    return x < 4.9 || x > 5.1 ? 2.0 : 0.5;
}

static double inwards(double x, double y)
{
    (void)y;
    return x < 4.9 ? 2.0 : x > 5.1 ? -2.0 : 0.0;
}

/// Two fronts that run against each other are two, even where their cells touch.
static void test_against(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 100, 8, 0.1f);
    def.breaking.fronts = 16;
    gyre_water *water = make(&def);
    gyre_water_front f[16];
    put(water, "depth", facing);
    put(water, "discharge_x", inwards);
    run(water, 1, 1e-3f);
    assert_int_equal(gyre_water_fronts(water, f, 16), 2);
    assert_true(f[0].normal[0] * f[1].normal[0] < -0.9f);
    assert_true(fabsf(f[0].position[0] - f[1].position[0]) < 0.11f);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch), cmocka_unit_test(test_thickness),
        cmocka_unit_test(test_row),    cmocka_unit_test(test_fall),
        cmocka_unit_test(test_exact),  cmocka_unit_test(test_splash),
        cmocka_unit_test(test_bounce), cmocka_unit_test(test_moved),
        cmocka_unit_test(test_lost),   cmocka_unit_test(test_landing),
        cmocka_unit_test(test_little), cmocka_unit_test(test_seam),
        cmocka_unit_test(test_askew),  cmocka_unit_test(test_against),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
