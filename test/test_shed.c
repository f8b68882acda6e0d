// Wave particles that bodies of a set shed in an ocean: rings and wakes against what geometry and
// the sums of volumes and energies say; ahead of time, saved, on any number of threads, with full
// rooms.
// labels: golden small
#define DEVICE_THREADS 3
#include "device_rig.h"
#include "gyre/gyre.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static gyre_ocean_def flat_sea(void)
{
    gyre_ocean_def def = gyre_ocean_default_def();
    def.grid.n[0] = def.grid.n[1] = 16;
    def.patch.cells = 32;
    def.patch.cascades = 1;
    def.particles.capacity = 40000;
    def.particles.radius = 1.0f;
    def.particles.life = 1e5f;
    def.particles.least = 0.0f;
    return def;
}

static gyre_ocean *make_on(gyre_device *device, const gyre_ocean_def *def)
{
    gyre_ocean *ocean = NULL;
    must(gyre_ocean_create(device, def, &ocean));
    return ocean;
}

static gyre_bodies *set_with(const gyre_body *body)
{
    gyre_bodies *set = NULL;
    must(gyre_bodies_create(NULL, &set));
    if (!gyre_bodies_add(set, body)) {
        fail_msg("%s", gyre_message());
    }
    return set;
}

static void steps(gyre_ocean *ocean, gyre_bodies *set, int count, float dt)
{
    for (int k = 0; k < count; k++) {
        must(gyre_ocean_step(ocean, dt));
        must(gyre_bodies_step(set, dt));
    }
}

static gyre_ocean_sample ask(const gyre_ocean *ocean, double t, double x, double y)
{
    const double point[2] = {x, y};
    gyre_ocean_sample s;
    must(gyre_ocean_query(ocean, t, 0.0f, point, 1, &s));
    return s;
}

static double height(const gyre_ocean *ocean, double t, double x, double y)
{
    return (double)ask(ocean, t, x, y).height;
}

static void end(gyre_ocean *ocean, gyre_bodies *set)
{
    gyre_ocean_destroy(ocean);
    gyre_bodies_destroy(set);
}

// ---- a ring from a point

/// A ball that goes down by `way` m in one step, and no more.
static gyre_ocean *drop_ball(const gyre_ocean_def *def, gyre_bodies **set)
{
    gyre_body ball = gyre_bodies_default_body();
    ball.form.kind = GYRE_FORM_SPHERE;
    ball.form.as.sphere.radius = 0.3f;
    ball.pose.velocity[2] = -1.0f;
    *set = set_with(&ball);
    gyre_ocean *ocean = make_on(the_device, def);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), *set));
    gyre_id id = gyre_bodies_element(*set, 0);
    steps(ocean, *set, 1, 0.2f);
    must(gyre_bodies_read(*set, id, &ball));
    ball.pose.velocity[2] = 0.0f;
    must(gyre_bodies_update(*set, id, &ball));
    steps(ocean, *set, 30, 0.2f);
    return ocean;
}

/// The mean of the highest crest along 24 rays, that crest's place, and how uneven they are.
static double crest(const gyre_ocean *ocean, double t, double guess, double *where, double *uneven)
{
    double sum = 0.0, least = 1e30, most = -1e30;
    *where = 0.0;
    for (int k = 0; k < 24; k++) {
        double best = -1e30, at = 0.0, angle = 2.0 * PI * (k + 0.37) / 24.0;
        for (double r = guess - 3.0; r < guess + 3.0; r += 0.02) {
            double z = height(ocean, t, r * cos(angle), r * sin(angle));
            at = z > best ? r : at;
            best = fmax(best, z);
        }
        sum += best / 24.0;
        *where += at / 24.0;
        least = fmin(least, best);
        most = fmax(most, best);
    }
    *uneven = (most - least) / sum;
    return sum;
}

/// Its crest runs at the particles' speed, sqrt(g r / pi), and falls as 1/R where volume is kept,
/// as 1/sqrt(R) where energy is; it is round.
static void a_ring_falls(void **state)
{
    (void)state;
    for (int keeps = 0; keeps < 2; keeps++) {
        gyre_ocean_def def = flat_sea();
        def.particles.keeps = keeps;
        gyre_bodies *set;
        gyre_ocean *ocean = drop_ball(&def, &set);
        double speed = sqrt(9.81 / PI), high[3], where[3], uneven[3];
        double times[3] = {12.0, 30.0, 90.0};
        for (int k = 0; k < 3; k++) {
            high[k] = crest(ocean, times[k], speed * times[k], &where[k], &uneven[k]);
        }
        double run = (where[2] - where[0]) / (times[2] - times[0]);
        double power[2];
        for (int k = 0; k < 2; k++) {
            power[k] = log(high[k] / high[k + 1]) / log(where[k + 1] / where[k]);
        }
        print_message("keeps %s: %.4f m/s of %.4f; R^-%.3f, R^-%.3f; uneven by %.3f\n",
                      keeps ? "energy" : "volume", run, speed, power[0], power[1], uneven[2]);
        assert_true(fabs(run - speed) < 0.01 * speed);
        double expected = keeps ? 0.5 : 1.0;
        assert_true(fabs(power[0] - expected) < 0.04 && fabs(power[1] - expected) < 0.02);
        assert_true(uneven[1] < 0.15 && uneven[2] < 0.15);
        end(ocean, set);
    }
}

/// Volume over the plane, by points `h` apart.
static double volume_at(const gyre_ocean *ocean, double t, double half, double h)
{
    double sum = 0.0;
    for (double y = -half; y < half; y += h) {
        for (double x = -half; x < half; x += h) {
            sum += height(ocean, t, x, y) * h * h;
        }
    }
    return sum;
}

/// What a body pushes away as it goes down is what the waves have, by the heights themselves and by
/// the statistics: a box, of which that is its area times the way, less what waves of 2 r no longer
/// feel at its depth.
static void volume_is_what_is_pushed(void **state)
{
    (void)state;
    gyre_ocean_def def = flat_sea();
    gyre_body box = gyre_bodies_default_body();
    for (int a = 0; a < 3; a++) {
        box.form.as.box.size[a] = 1.0f;
    }
    box.pose.position[2] = 0.45f;
    box.pose.velocity[2] = -0.1f;
    gyre_bodies *set = set_with(&box);
    gyre_ocean *ocean = make_on(the_device, &def);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
    steps(ocean, set, 200, 0.02f); // its floor from 0.05 m under water to 0.45
    gyre_ocean_stats stats = gyre_ocean_get_stats(ocean);
    // Particles young as they are have not swollen up: all of them have a while later.
    double later = gyre_ocean_get_stats(ocean).time + 2.0;
    double z0 = 0.05, z1 = 0.45;
    double exact = (exp(-PI * z0) - exp(-PI * z1)) / PI;
    double found = volume_at(ocean, later, 16.0, 0.1);
    print_message("box: %.4f m^3 by heights, %.4f by depth; statistics (with young ones) %.4f\n",
                  found, exact, stats.particle_volume);
    assert_true(fabs(found - exact) < 0.02 * exact);
    assert_true(stats.particle_volume > 0.7 * exact && stats.particle_volume < 1.02 * exact);
    end(ocean, set);
}

// ---- wakes

static gyre_body boat(double speed)
{
    gyre_body body = gyre_bodies_default_body();
    body.form.as.box.size[0] = 3.0f;
    body.form.as.box.size[1] = 1.2f;
    body.form.as.box.size[2] = 1.0f;
    body.pose.velocity[0] = (float)speed;
    return body;
}

/// Where a wake ends across it: outside of the outermost crest that has a tenth of the highest
/// one's height, at half of its own.
static double edge_at(const gyre_ocean *ocean, double t, double x, double side)
{
    enum { POINTS = 2400 };
    static double z[POINTS];
    double most = 0.0;
    int k, edge;
    for (k = 0; k < POINTS; k++) {
        z[k] = fabs(height(ocean, t, x, side * 0.02 * k));
        most = fmax(most, z[k]);
    }
    for (k = POINTS - 2; k > 1 && !(z[k] > 0.1 * most && z[k] > z[k - 1]); k--) {
    }
    for (edge = k; edge < POINTS - 1 && z[edge] > 0.5 * z[k]; edge++) {
    }
    return 0.02 * edge;
}

/// A wake's edges lie on a cone, sin a = c / v, from 15 to 55 m behind the middle.
static void a_wake_is_a_cone(void **state)
{
    (void)state;
    const double c = sqrt(9.81 / PI), times[] = {2.0, 3.0, 5.0};
    for (int k = 0; k < 3; k++) {
        gyre_ocean_def def = flat_sea();
        def.particles.life = 1e5f;
        gyre_body body = boat(times[k] * c);
        gyre_bodies *set = set_with(&body);
        gyre_ocean *ocean = make_on(the_device, &def);
        must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
        int count = (int)(80.0 / (times[k] * c) / 0.02);
        steps(ocean, set, count, 0.02f);
        double t = gyre_ocean_get_stats(ocean).time, bow = times[k] * c * t, angle[2];
        for (int s = 0; s < 2; s++) {
            double side = s ? -1.0 : 1.0;
            double near = edge_at(ocean, t, bow - 15.0, side);
            double far = edge_at(ocean, t, bow - 55.0, side);
            angle[s] = atan2(far - near, 40.0) * 180.0 / PI;
        }
        double mach = asin(1.0 / times[k]) * 180.0 / PI;
        gyre_ocean_stats stats = gyre_ocean_get_stats(ocean);
        print_message("v = %.0f c: %.2f and %.2f degrees, asin(c / v) %.2f; %lld families, %lld "
                      "particles, volume %.2e m^3\n",
                      times[k], angle[0], angle[1], mach, (long long)stats.families,
                      (long long)stats.particles, stats.particle_volume);
        assert_true(fabs(angle[0] - mach) < 0.025 * mach && fabs(angle[1] - mach) < 0.025 * mach);
        end(ocean, set);
    }
}

/// Ahead of it is as much as behind it is lacking.
static void a_wake_has_no_volume(void **state)
{
    (void)state;
    gyre_ocean_def def = flat_sea();
    def.particles.speed = 3.0f;
    gyre_body body = boat(6.0);
    body.pose.position[0] = -12.0f;
    gyre_bodies *set = set_with(&body);
    gyre_ocean *ocean = make_on(the_device, &def);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
    steps(ocean, set, 200, 0.02f);
    double pushed = 6.0 * 4.0 * 1.2 * (1.0 - exp(-PI * 0.5)) / PI; // by its bow
    double t = gyre_ocean_get_stats(ocean).time;
    double later = volume_at(ocean, t + 0.5, 40.0, 0.1), up = 0.0;
    for (double y = -40.0; y < 40.0; y += 0.1) {
        for (double x = -40.0; x < 40.0; x += 0.1) {
            up += fmax(height(ocean, t + 0.5, x, y), 0.0) * 0.01;
        }
    }
    print_message("wake: %.2e m^3 of %.3f above the level; its bow has pushed %.3f\n", later, up,
                  pushed);
    assert_true(fabs(later) < 0.01 * up);
    assert_true(up > 0.25 * pushed && up < pushed);
    // Both sides are alike: to the rounding of the outline's places.
    for (int k = 0; k < 60; k++) {
        double x = -18.0 + 0.5 * k, y = 0.3 + 0.11 * k;
        assert_true(fabs(height(ocean, t, x, y) - height(ocean, t, x, -y)) < 2e-2 * 0.3);
    }
    end(ocean, set);
}

// ---- sideways

/// Rises, slopes, velocities and the Jacobian are those of heights nearby, in place and time, with
/// water that is moved along the particles' way, too.
static void motion_is_that_of_heights(void **state)
{
    (void)state;
    for (int sideways = 0; sideways < 2; sideways++) {
        gyre_ocean_def def = flat_sea();
        gyre_ocean_emitter drop = gyre_ocean_default_emitter();
        drop.amplitude = 1.5f;
        drop.start = -3.0f;
        drop.point[0] = 6.0f;
        def.emitters = (gyre_pool){&drop, 1, 1};
        def.particles.sideways = (float)sideways;
        gyre_body body = boat(5.0);
        gyre_bodies *set = set_with(&body);
        gyre_ocean *ocean = make_on(the_device, &def);
        must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
        steps(ocean, set, 100, 0.02f);
        double t = 2.3, e = 0.01, worst = 0.0, rise = 0.0, most = 0.0, folded = 1.0;
        for (int k = 0; k < 200; k++) {
            double x = -4.0 + 0.07 * k, y = 0.9 + 0.013 * k;
            gyre_ocean_sample s = ask(ocean, t, x, y);
            double dx = (height(ocean, t, x + e, y) - height(ocean, t, x - e, y)) / (2 * e);
            double dy = (height(ocean, t, x, y + e) - height(ocean, t, x, y - e)) / (2 * e);
            double dt = (height(ocean, t + 1e-3, x, y) - height(ocean, t - 1e-3, x, y)) / 2e-3;
            worst = fmax(worst, fabs((double)s.normal[0] + dx * (double)s.normal[2]));
            worst = fmax(worst, fabs((double)s.normal[1] + dy * (double)s.normal[2]));
            // What is seen at a place rises with the water, and as other water comes there.
            double seen =
                (double)s.velocity[2] - (double)s.velocity[0] * dx - (double)s.velocity[1] * dy;
            rise = fmax(rise, fabs(seen - dt));
            most = fmax(most, fabs(dt));
            folded = fmin(folded, (double)s.folding);
            assert_true(sideways || (s.folding == 1.0f && s.velocity[0] == 0.0f));
        }
        print_message(
            "sideways %d: slopes off by %.1e, rise by %.1e of %.3f m/s; folding from %.3f\n",
            sideways, worst, rise, most, folded);
        assert_true(worst < 0.01 && rise < 0.02 * most && most > 0.03);
        assert_true(!sideways || (folded < 0.97 && folded > 0.0));
        end(ocean, set);
    }
}

// ---- ahead of time, state, rooms

/// What has been shed is answered ahead of time as it will be, as long as nothing more is.
static void ahead_is_as_it_will_be(void **state)
{
    (void)state;
    gyre_ocean_def def = flat_sea();
    gyre_body body = boat(6.0);
    gyre_bodies *set = set_with(&body);
    gyre_ocean *ocean = make_on(the_device, &def);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
    steps(ocean, set, 100, 0.02f);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), NULL)); // it sheds no more
    gyre_ocean_sample before[100], after[100];
    double points[200];
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    for (int k = 0; k < 100; k++) {
        points[2 * k] = -5.0 + 0.3 * k;
        points[2 * k + 1] = 0.17 * k - 8.0;
    }
    must(gyre_ocean_query(ocean, 6.0, 0.0f, points, 100, before));
    double most = 0.0;
    for (int k = 0; k < 200; k++) {
        must(gyre_ocean_step(ocean, 0.02f));
        gyre_ocean_get_stats(ocean);
    }
    must(gyre_ocean_query(ocean, 6.0, 0.0f, points, 100, after));
    for (int k = 0; k < 100; k++) {
        most = fmax(most, fabs((double)before[k].height));
    }
    assert_true(most > 0.01);
    assert_memory_equal(before, after, sizeof before);
    end(ocean, set);
}

static uint64_t sail(const char *isa, int threads, bool cut)
{
    gyre_device_def on = gyre_default_device_def();
    gyre_device *device = NULL;
    on.isa = isa;
    on.threads = threads;
    if (gyre_device_create(&on, &device) != GYRE_OK) {
        return 0; // not of this machine
    }
    gyre_ocean_def def = flat_sea();
    gyre_ocean_sea wind = gyre_ocean_default_sea();
    def.seas = (gyre_pool){&wind, 1, 1};
    def.patch.cells = 64;
    def.particles.sideways = 1.0f;
    gyre_body body = boat(5.0);
    body.pose.spin[2] = 30.0f;
    gyre_bodies *set = set_with(&body);
    gyre_ocean *ocean = make_on(device, &def);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
    steps(ocean, set, 50, 0.03f);
    if (cut) {
        size_t size = gyre_ocean_save_size(ocean), there = gyre_bodies_save_size(set), own, its;
        void *saved = malloc(size), *bodies = malloc(there);
        must(gyre_ocean_save(ocean, saved, size, &own));
        must(gyre_bodies_save(set, bodies, there, &its));
        steps(ocean, set, 7, 0.05f);
        must(gyre_bodies_load(set, bodies, its));
        must(gyre_ocean_load(ocean, saved, own));
        free(saved);
        free(bodies);
    }
    steps(ocean, set, 50, 0.03f);
    uint64_t hash = gyre_ocean_hash(ocean);
    gyre_ocean_sample s[50];
    double points[100];
    memset(s, 0, sizeof s);
    for (int k = 0; k < 100; k++) {
        points[k] = 0.31 * k - 9.0;
    }
    must(gyre_ocean_query(ocean, 4.0, 0.0f, points, 50, s));
    for (size_t k = 0; k < sizeof s; k++) {
        hash = (hash ^ ((const unsigned char *)s)[k]) * 1099511628211u;
    }
    end(ocean, set);
    gyre_device_destroy(device);
    return hash;
}

/// The same bits on every machine, on any number of threads, loaded or not.
static void the_same_everywhere(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512"};
    const uint64_t golden = 0xa35745c7c9f851bcu;
    for (int q = 0; q < 9; q++) {
        uint64_t hash = sail(sets[q / 3], q % 3 == 1 ? 3 : 1, q % 3 == 2);
        if (hash != 0 && hash != golden) {
            fail_msg("%s, %d: 0x%016llx", sets[q / 3], q % 3, (unsigned long long)hash);
        }
    }
}

/// A full room lets the oldest go, and says so; bodies without room shed nothing, and are counted.
static void rooms_are_told(void **state)
{
    (void)state;
    gyre_ocean_def def = flat_sea();
    def.particles.capacity = 200;
    def.particles.bodies = 1;
    gyre_body body = boat(6.0);
    gyre_bodies *set = set_with(&body);
    body.pose.position[1] = 20.0f;
    assert_true(gyre_bodies_add(set, &body) != 0);
    gyre_ocean *ocean = make_on(the_device, &def);
    must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
    steps(ocean, set, 200, 0.02f);
    gyre_ocean_stats stats = gyre_ocean_get_stats(ocean);
    print_message("%lld shed, %lld there, %lld cut, %d bodies refused\n",
                  (long long)stats.families_shed, (long long)stats.families,
                  (long long)stats.families_cut, stats.bodies_refused);
    assert_true(stats.families_shed > 400 && stats.families <= 200 && stats.families > 150);
    assert_true(stats.families_cut == stats.families_shed - 200);
    assert_int_equal(stats.bodies_refused, 1);
    assert_true(height(ocean, stats.time, 24.0 - 2.5, 20.0) == 0.0);
    // One that is put elsewhere sheds nothing of that.
    gyre_id id = gyre_bodies_element(set, 0);
    must(gyre_bodies_read(set, id, &body));
    body.pose.position[0] = 500.0f;
    body.pose.velocity[0] = 0.0f;
    must(gyre_bodies_update(set, id, &body));
    steps(ocean, set, 3, 0.02f);
    for (int k = 0; k < 40; k++) {
        assert_true(height(ocean, stats.time + 0.3, 60.0 + 10.0 * k, 0.3) == 0.0);
    }
    end(ocean, set);
    // Without room for any it says so.
    def.particles.capacity = 0;
    ocean = make_on(the_device, &def);
    set = set_with(&body);
    assert_int_equal(gyre_model_use_bodies(gyre_ocean_model(ocean), set), GYRE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(gyre_message(), "particles.capacity"));
    end(ocean, set);
}

/// A step twice as long sheds the same, but for a little.
static void steps_make_little_difference(void **state)
{
    (void)state;
    double z[2][80], worst = 0.0, most = 0.0;
    for (int k = 0; k < 2; k++) {
        gyre_ocean_def def = flat_sea();
        gyre_body body = boat(6.0);
        gyre_bodies *set = set_with(&body);
        gyre_ocean *ocean = make_on(the_device, &def);
        must(gyre_model_use_bodies(gyre_ocean_model(ocean), set));
        steps(ocean, set, k ? 40 : 240, k ? 0.12f : 0.02f);
        for (int p = 0; p < 80; p++) {
            z[k][p] = height(ocean, 4.8, 0.3 * p, 2.0 + 0.03 * p);
        }
        end(ocean, set);
    }
    for (int p = 0; p < 80; p++) {
        worst = fmax(worst, fabs(z[0][p] - z[1][p]));
        most = fmax(most, fabs(z[0][p]));
    }
    print_message("steps of 0.02 and 0.12 s: %.4f m apart of %.4f\n", worst, most);
    assert_true(worst < 0.1 * most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_falls),
        cmocka_unit_test(volume_is_what_is_pushed),
        cmocka_unit_test(a_wake_is_a_cone),
        cmocka_unit_test(a_wake_has_no_volume),
        cmocka_unit_test(motion_is_that_of_heights),
        cmocka_unit_test(ahead_is_as_it_will_be),
        cmocka_unit_test(the_same_everywhere),
        cmocka_unit_test(rooms_are_told),
        cmocka_unit_test(steps_make_little_difference),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
