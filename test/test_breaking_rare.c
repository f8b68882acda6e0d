// Fronts that split and merge, a grid that moves with water in the air, what splashes cost, drops
// that meet bodies and each other's walls.
// labels: small
#include "water_case.h"

enum { NX = 200, NY = 64 };
static const double H = 0.1;

static gyre_water_block dam;
static float ground[NX * NY];

/// A dam breaks over half a metre of water; `island`: it meets a round one, a metre across.
static gyre_water_def bore(bool island)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, NX, NY, (float)H);
    dam = gyre_water_default_block();
    dam.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
    const float centre[3] = {2, 4, 0}, size[3] = {4, 20, 10};
    memcpy(dam.shape.as.box.centre, centre, sizeof centre);
    memcpy(dam.shape.as.box.size, size, sizeof size);
    dam.level = 1.0f;
    def.level = -0.5f;
    def.blocks = (gyre_pool){&dam, 1, 1};
    for (int k = 0; k < NX * NY; k++) {
        double x = (k % NX + 0.5) * H - 8.0, y = (k / NX + 0.5) * H - 3.2;
        ground[k] = island && x * x + y * y < 1.0 ? 4.0f : -1.0f;
    }
    def.bed.data = (gyre_volume){ground, {NX, NY, 1}, NULL};
    def.bed.high = 1.0f;
    def.bed.flat = 0.0f;
    def.breaking.fronts = 32;
    return def;
}

/// A bore meets an island: its line is two beside it, of which one is new and tells where it comes
/// from, and one again behind it, the older.
static void test_split(void **state)
{
    (void)state;
    gyre_water_def def = bore(true);
    gyre_water *water = make(&def);
    int first = 0, two = 0, children = 0, one = 0;
    gyre_water_stats s = {0};
    for (int n = 0; n < 260; n++) {
        gyre_water_front f[32];
        run(water, 1, 1.0f / 60);
        int count = gyre_water_fronts(water, f, 32), ahead = 0;
        first = n == 40 && count > 0 ? f[0].id : first;
        for (int k = 0; k < count; k++) {
            // Those that run on, not what the island throws back.
            bool on = f[k].normal[0] > 0.5f && f[k].length > 0.8f;
            ahead += on;
            children += on && f[k].parent == first && first > 0;
            one += on && f[k].id == first && f[k].length > 5.5f && f[k].position[0] > 9.5f;
        }
        two += ahead >= 2;
    }
    s = gyre_water_get_stats(water);
    printf("island: two lines in %d steps, %d steps of children, one again in %d; %lld split, %lld "
           "merged\n",
           two, children, one, (long long)s.fronts_split, (long long)s.fronts_merged);
    assert_true(first > 0 && two > 10 && children > 0);
    assert_true(s.fronts_split > 0 && s.fronts_merged > 0 && one > 0);
    gyre_water_destroy(water);
}

static gyre_water_def breaker(void)
{
    gyre_water_def def = bore(false);
    def.breaking.patches = 6000;
    def.spray.capacity = 4000;
    def.foam.capacity = 4000;
    return def;
}

/// A grid that moves by cells while water flies: what is in both places flies on, to the bit, lines
/// keep their ids, sheets hang together across the move, and what is left behind is told as lost.
static void test_shift(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        gyre_water_def def = breaker();
        gyre_water *moved = make(&def), *still = make(&def);
        gyre_model *models[2] = {gyre_water_model(moved), gyre_water_model(still)};
        gyre_water_front f[2][32];
        const int cells[3] = {far ? 150 : 8, 0, 0};
        run(moved, 60, 1.0f / 60);
        run(still, 60, 1.0f / 60);
        gyre_water_stats before = gyre_water_get_stats(moved);
        printf("moved by %d cells with %lld patches, %lld drops, %.3f m^3 in the air\n", cells[0],
               (long long)before.patches, (long long)before.spray, before.air);
        assert_true(before.patches > 50 && before.air > 0.03);
        OK(gyre_model_shift(models[0], cells));
        gyre_water_stats after = gyre_water_get_stats(moved);
        assert_true(fabs(after.air + after.air_lost - before.air) < 1e-9);
        assert_true(fabs(after.air + after.air_lost + line(moved, "air")) < 1e-9);
        assert_true(fabs(after.ledger_error) < 5e-5);
        if (far) {
            // The bore is left behind.
            assert_true(after.air < 0.1 * before.air && after.air_lost > 0.9 * before.air);
            gyre_water_destroy(moved);
            gyre_water_destroy(still);
            continue;
        }
        for (int n = 0; n < 10; n++) {
            gyre_mesh_report report[2];
            run(moved, 1, 1.0f / 60);
            run(still, 1, 1.0f / 60);
            int count[2] = {gyre_water_fronts(moved, f[0], 32), gyre_water_fronts(still, f[1], 32)};
            assert_int_equal(count[0], count[1]);
            assert_int_equal(f[0][0].id, f[1][0].id);
            for (int k = 0; k < 2; k++) {
                gyre_mesh mesh;
                OK(gyre_model_overhang(models[k], &mesh));
                OK(gyre_mesh_inspect(NULL, &mesh, &report[k]));
                if (!(report[k].closed && report[k].crowded_edges == 0 &&
                      mesh.triangle_count > 0)) {
                    fail_msg("step %d of %d: %lld patches, %d triangles, %d open, %d crowded, %d "
                             "flipped",
                             n, k, (long long)gyre_water_get_stats(k ? still : moved).patches,
                             mesh.triangle_count, report[k].boundary_edges, report[k].crowded_edges,
                             report[k].flipped_edges);
                }
            }
            assert_int_equal(report[0].parts, report[1].parts);
            assert_int_equal(report[0].edges, report[1].edges);
        }
        after = gyre_water_get_stats(moved);
        assert_true(fabs(after.air + after.air_lost + line(moved, "air")) < 1e-9);
        gyre_water_destroy(moved);
        gyre_water_destroy(still);
    }
}

/// J of drops.
static double energy_of_spray(gyre_water *water)
{
    double sum = 0.0;
    gyre_model *model = gyre_water_model(water);
    int set = gyre_model_particle_set(model, "spray");
    const gyre_particle_info *info = gyre_model_particles(model, set);
    gyre_particle_view view;
    OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
    for (int k = 0; k < view.count; k++) {
        double square = 0.0, z = (double)((float *)view.data[2])[k];
        for (int a = 0; a < 3; a++) {
            double v = (double)((float *)view.data[info->attributes[3].array + a])[k];
            square += v * v;
        }
        sum += 1000.0 * H * H * (double)((float *)view.data[info->attributes[4].array])[k] *
               (0.5 * square + 9.81 * z);
    }
    OK(gyre_model_unmap_particles(model, set, view.count));
    return sum;
}

/// Drops of a splash cost the body what they have: in the step that throws them water, drops and
/// body together have no more energy than where none are thrown. Light bodies throw slower drops.
static void test_cost(void **state)
{
    (void)state;
    for (int light = 0; light < 2; light++) {
        gyre_water *water[2];
        gyre_water_body ball = gyre_water_default_body();
        double body[2], mass, rest[2], air = 0.0;
        ball.form = GYRE_BODY_SPHERE;
        ball.size[0] = 0.4f;
        ball.density = light ? 20 : 800;
        mass = 4.0 / 3.0 * 3.14159265 * 0.064 * (double)ball.density;
        const float place[3] = {3.2f, 3.2f, 0.5f};
        memcpy(ball.pose.position, place, sizeof place);
        ball.pose.velocity[2] = -4.0f;
        for (int k = 0; k < 2; k++) {
            gyre_water_def def = pool(GYRE_WATER_SHALLOW, 64, 64, (float)H);
            def.bodies = (gyre_pool){&ball, 1, 1};
            def.spray.capacity = 500;
            def.spray.diameter = 0.0f;
            def.breaking.splash = k ? 3.0f : 0.0f;
            water[k] = make(&def);
        }
        for (int n = 0; n < 60 && air == 0.0; n++) {
            for (int k = 0; k < 2; k++) {
                run(water[k], 1, 1.0f / 240);
                gyre_water_stats s = gyre_water_get_stats(water[k]);
                gyre_water_body now;
                gyre_id id = gyre_model_element(gyre_water_model(water[k]), "bodies", 0);
                OK(gyre_water_read_body(water[k], id, &now));
                double v = (double)now.pose.velocity[2];
                body[k] = mass * (0.5 * v * v + 9.81 * (double)now.pose.position[2]);
                rest[k] = s.kinetic_energy + s.potential_energy;
            }
            air = energy_of_spray(water[1]);
        }
        double more = (rest[1] - rest[0]) + (body[1] - body[0]) + air;
        printf("splash of a ball of %.0f kg: drops have %.3f J, the body %.3f less, the water "
               "%.3f; together %.3f more\n",
               mass, air, body[0] - body[1], rest[0] - rest[1], more);
        assert_true(air > 0.0 && body[0] - body[1] > 0.5 * air);
        assert_true(fabs(more) < 0.1 * (body[0] - body[1]));
        gyre_water_destroy(water[0]);
        gyre_water_destroy(water[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
