// test/test_body_set.c: bodies of a set against known answers: mass, distances, free motion, paths,
// surfaces that deform.
// labels: small
#include "body_set_rig.h"

static const double pi = 3.141592653589793;

// ---- mass ---------------------------------------------------------------------------------------

static void weighs(const gyre_body *body, double volume, double along, double across, double within)
{
    gyre_bodies *set = set_of();
    gyre_body_state s = state_of(set, added(set, body));
    double density = (double)body->density;
    near("volume", s.volume, volume, within * volume);
    near("mass", s.mass, density * volume, within * density * volume);
    for (int a = 0; a < 3; a++) {
        double right = density * (a == 0 ? along : across);
        near("inertia", s.inertia[a][a], right, within * right);
        near("product", s.inertia[a][(a + 1) % 3], 0, within * right);
    }
    gyre_bodies_destroy(set);
}

static void known_solids_weigh(void **state)
{
    (void)state;
    gyre_body body = gyre_bodies_default_body();
    const double r = 0.75, l = 2.5;
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_SPHERE;
    body.form.as.sphere.radius = (float)r;
    double ball = 4.0 / 3 * pi * r * r * r, tube = pi * r * r * l;
    weighs(&body, ball, 0.4 * ball * r * r, 0.4 * ball * r * r, 1e-7);
    body.form.kind = GYRE_FORM_CYLINDER;
    body.form.as.cylinder.radius = (float)r;
    body.form.as.cylinder.length = (float)l;
    weighs(&body, tube, tube * r * r / 2, tube * (3 * r * r + l * l) / 12, 1e-7);
    // A capsule: a tube and, l / 2 away, two halves of a ball, whose own centres are 3/8 r out.
    body.form.kind = GYRE_FORM_CAPSULE;
    body.form.as.capsule.radius = (float)r;
    body.form.as.capsule.length = (float)l;
    double out = 3 * r / 8, cap = 0.4 * r * r - out * out + (l / 2 + out) * (l / 2 + out);
    weighs(&body, tube + ball, tube * r * r / 2 + 0.4 * ball * r * r,
           tube * (3 * r * r + l * l) / 12 + ball * cap, 1e-7);
    body = gyre_bodies_default_body();
    body.form.as.box.size[0] = 3;
    weighs(&body, 3, 0.5, 2.5, 1e-7);
    // Mass set by the caller: the inertia follows.
    body.mass = 6;
    gyre_bodies *set = set_of();
    gyre_body_state s = state_of(set, added(set, &body));
    near("mass", s.mass, 6, 0);
    near("inertia", s.inertia[1][1], 5, 1e-6);
    gyre_bodies_destroy(set);
}

static void meshes_hulls_and_arrays_weigh(void **state)
{
    (void)state;
    // A box far from its frame's origin: as a hull and as a mesh.
    const float low[3] = {9, -1, -1}, high[3] = {12, 1, 1};
    mesh_case box = mesh_case_box(low, high);
    arrays a = arrays_of(&box);
    gyre_body body = mesh_body(&a);
    for (int hull = 0; hull < 2; hull++) {
        if (hull) {
            memset(&body.form, 0, sizeof body.form);
            body.form.kind = GYRE_FORM_HULL;
            body.form.as.hull.points = a.points;
        }
        weighs(&body, 12, 8, 13, 1e-9);
        gyre_bodies *set = set_of();
        gyre_body_state s = state_of(set, added(set, &body));
        near("centre", s.centre[0], 10.5, 1e-9);
        assert_true(s.closed);
        gyre_bodies_destroy(set);
    }
    free(a.indices);
    mesh_case_free(&box);
    // A ball as an array of distances and as a bitmap.
    enum { N = 48 };
    float *data = calloc((size_t)N * N * N, sizeof(float)), *bits = calloc((size_t)N * N * N, 4);
    const double r = 0.75, ball = 4.0 / 3 * pi * r * r * r, h = 2.0 / N;
    for (int i = 0; i < N * N * N; i++) {
        double x = (i % N + 0.5) * h - 1, y = (i / N % N + 0.5) * h - 1,
               z = (i / N / N + 0.5) * h - 1;
        data[i] = (float)(sqrt(x * x + y * y + z * z) - r);
        bits[i] = data[i] < 0;
    }
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_VOLUME;
    body.form.as.volume.data = (gyre_volume){data, {N, N, N}, "ball"};
    for (int k = 0; k < 3; k++) {
        body.form.as.volume.low[k] = -1;
        body.form.as.volume.size[k] = 2;
    }
    // The fill of a cell is smeared over its width: of second order, (h / r)^2 being 3e-3 here.
    weighs(&body, ball, 0.4 * ball * r * r, 0.4 * ball * r * r, 4e-3);
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_BITMAP;
    body.form.as.bitmap.data = (gyre_volume){bits, {N, N, N}, "bits"};
    body.form.as.bitmap.threshold = 0.5f;
    for (int k = 0; k < 3; k++) {
        body.form.as.bitmap.low[k] = -1;
        body.form.as.bitmap.size[k] = 2;
    }
    weighs(&body, ball, 0.4 * ball * r * r, 0.4 * ball * r * r, 1e-2);
    free(data);
    free(bits);
}

// ---- distances and surfaces ---------------------------------------------------------------------

static void distances_and_boxes(void **state)
{
    (void)state;
    gyre_bodies *set = set_of();
    gyre_body body = gyre_bodies_default_body();
    const float points[12] = {5, 0, 0, 5, 2, 0, 5, 0, 1, 6.5f, 0.5f, 0};
    float d[4];
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_CYLINDER;
    body.form.as.cylinder.radius = 0.5f;
    body.form.as.cylinder.length = 2;
    body.pose.position[0] = 5;
    body.pose.rotation[2] = 90; // its x along the world's y
    gyre_id id = added(set, &body);
    must(gyre_bodies_distance(set, id, points, 4, d));
    const double right[4] = {-0.5, 1, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        near("distance", (double)d[i], right[i], 1e-6);
    }
    gyre_body_state s = state_of(set, id);
    const double low[3] = {4.5, -1, -0.5}, high[3] = {5.5, 1, 0.5};
    gyre_mesh mesh;
    must(gyre_bodies_mesh(set, id, &mesh));
    gyre_mesh_measures m;
    gyre_mesh_report report;
    must(gyre_mesh_measure(&mesh, &m));
    must(gyre_mesh_inspect(NULL, &mesh, &report));
    assert_true(report.closed && report.oriented && m.volume > 0);
    near("drawn volume", m.volume, s.volume, 0.01 * s.volume);
    for (int a = 0; a < 3; a++) {
        near("low", (double)s.low[a], low[a], 1e-5);
        near("high", (double)s.high[a], high[a], 1e-5);
        near("drawn low", (double)m.low[a], low[a], 1e-5);
        near("drawn high", (double)m.high[a], high[a], 1e-5);
    }
    // Balls, capsules and boxes are drawn closed and about as large, too.
    for (int kind = GYRE_FORM_SPHERE; kind <= GYRE_FORM_CAPSULE; kind++) {
        body = gyre_bodies_default_body();
        if (kind != GYRE_FORM_BOX) {
            memset(&body.form, 0, sizeof body.form);
            body.form.as.capsule.radius = 0.5f; // where a ball's is, too
            body.form.as.capsule.length = 1;
        }
        body.form.kind = kind;
        id = added(set, &body);
        must(gyre_bodies_mesh(set, id, &mesh));
        must(gyre_mesh_measure(&mesh, &m));
        must(gyre_mesh_inspect(NULL, &mesh, &report));
        assert_true(report.closed && report.oriented);
        near("drawn volume", m.volume, state_of(set, id).volume, 0.03 * m.volume);
    }
    gyre_bodies_destroy(set);
}

// ---- free bodies --------------------------------------------------------------------------------

static void free_fall_is_exact(void **state)
{
    (void)state;
    const float low[3] = {1, 1, 1}, high[3] = {2, 2, 3};
    mesh_case box = mesh_case_box(low, high);
    arrays a = arrays_of(&box);
    gyre_body body = mesh_body(&a);
    gyre_bodies *set = set_of();
    body.motion = GYRE_MOTION_FREE;
    body.pose.velocity[0] = 3;
    body.pose.velocity[2] = 10;
    gyre_id id = added(set, &body);
    for (int n = 0; n < 300; n++) {
        must(gyre_bodies_step(set, 0.01f));
    }
    gyre_body_state s = state_of(set, id);
    double dt = (double)0.01f, t = 300 * dt, g = -(double)9.81f;
    near("time", gyre_bodies_time(set), t, 1e-12);
    near("x", s.centre[0], 1.5 + 3 * t, 1e-9);
    near("z", s.centre[2], 2 + 10 * t + 0.5 * g * t * t, 1e-9);
    near("speed", s.velocity[2], 10 + g * t, 1e-9);
    near("position", (double)read_of(set, id).pose.position[0], 3 * t, 1e-6);
    gyre_bodies_destroy(set);
    free(a.indices);
    mesh_case_free(&box);
}

static void torque_free_bodies_keep_momentum_and_energy(void **state)
{
    (void)state;
    gyre_bodies *set = in_space();
    gyre_body body = tumbler();
    gyre_id id = added(set, &body);
    gyre_body_state begin = state_of(set, id);
    double worst = 0, late = 0, flips = 0, last = 0;
    for (int n = 0; n < 100000; n++) {
        must(gyre_bodies_step(set, 0.01f));
        gyre_body_state s = state_of(set, id);
        double off = fabs(s.energy / begin.energy - 1);
        worst = fmax(worst, off);
        late = n > 90000 ? fmax(late, off) : late;
        double along = 0;
        for (int a = 0; a < 3; a++) {
            assert_true(s.angular[a] == begin.angular[a]);
        }
        // How its middle axis stands to the momentum.
        gyre_body now = read_of(set, id);
        const float own[3] = {0, 1, 0};
        float to[3];
        gyre_pose_to_world(&now.pose, own, to);
        for (int a = 0; a < 3; a++) {
            along += (double)to[a] * s.angular[a];
        }
        flips += along * last < 0;
        last = along;
    }
    print_message("energy off by %.1e at worst, %.1e late; %.0f flips\n", worst, late, flips);
    assert_true(worst < 1e-4);
    assert_true(late <= worst && flips > 100);
    gyre_bodies_destroy(set);
}

static void rotation_is_of_second_order(void **state)
{
    (void)state;
    float turn[4][4];
    double wrong[3];
    for (int k = 0; k < 4; k++) {
        gyre_bodies *set = in_space();
        gyre_body body = tumbler();
        body.pose.orientation[3] = 1;
        gyre_id id = added(set, &body);
        int steps = k == 3 ? 4096 : 64 << k;
        for (int n = 0; n < steps; n++) {
            must(gyre_bodies_step(set, 2.0f / (float)steps));
        }
        memcpy(turn[k], read_of(set, id).pose.orientation, sizeof turn[k]);
        gyre_bodies_destroy(set);
    }
    for (int k = 0; k < 3; k++) {
        double square = 0;
        for (int a = 0; a < 4; a++) {
            double d = (double)turn[k][a] - (double)turn[3][a];
            square += d * d;
        }
        wrong[k] = sqrt(square);
    }
    print_message("off by %.1e, %.1e, %.1e\n", wrong[0], wrong[1], wrong[2]);
    assert_true(wrong[0] < 2e-2);
    assert_true(wrong[0] / wrong[1] > 3.5 && wrong[1] / wrong[2] > 3.5);
}

/// A symmetric top precesses about its momentum at L / I across.
static void a_top_precesses(void **state)
{
    (void)state;
    gyre_bodies *set = in_space();
    gyre_body body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_FREE;
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_CYLINDER;
    body.form.as.cylinder.radius = 1;
    body.form.as.cylinder.length = 0.25f;
    body.pose.spin[0] = 300;
    body.pose.spin[1] = 60;
    gyre_id id = added(set, &body);
    gyre_body_state s = state_of(set, id);
    double l = 0, n[3], axis[3];
    for (int a = 0; a < 3; a++) {
        l += s.angular[a] * s.angular[a];
    }
    l = sqrt(l);
    const double t = 400 * (double)0.005f, angle = l / s.inertia[1][1] * t;
    for (int a = 0; a < 3; a++) {
        n[a] = s.angular[a] / l;
    }
    for (int k = 0; k < 400; k++) {
        must(gyre_bodies_step(set, 0.005f));
    }
    // The x axis, turned about n by the angle.
    axis[0] = cos(angle) + n[0] * n[0] * (1 - cos(angle));
    axis[1] = n[2] * sin(angle) + n[1] * n[0] * (1 - cos(angle));
    axis[2] = -n[1] * sin(angle) + n[2] * n[0] * (1 - cos(angle));
    const float own[3] = {1, 0, 0};
    float is[3];
    gyre_body now = read_of(set, id);
    gyre_pose_to_world(&now.pose, own, is);
    for (int a = 0; a < 3; a++) {
        near("axis", (double)is[a], axis[a], 1e-3);
    }
    gyre_bodies_destroy(set);
}

/// A spring pushes at a corner: energy and momentum about the anchor neither grow nor fade.
static void a_spring_neither_grows_nor_fades(void **state)
{
    (void)state;
    gyre_bodies *set = in_space();
    gyre_body body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_FREE;
    body.mass = 2;
    body.pose.position[0] = 1;
    body.pose.velocity[1] = 1;
    gyre_id id = added(set, &body);
    double least = 1e9, most = 0;
    for (int n = 0; n < 100000; n++) {
        float force[3];
        double energy = 0;
        gyre_body_state s = state_of(set, id);
        for (int a = 0; a < 3; a++) {
            force[a] = (float)(-8 * s.centre[a]);
            energy += 4 * s.centre[a] * s.centre[a] + s.velocity[a] * s.velocity[a];
        }
        least = fmin(least, energy);
        most = fmax(most, energy);
        must(gyre_bodies_push(set, id, force, NULL));
        must(gyre_bodies_step(set, 0.01f));
    }
    print_message("energy of 5 from %.4f to %.4f\n", least, most);
    assert_true(least > 4.9 && most < 5.1);
    gyre_bodies_destroy(set);
}

static void pushes_at_a_point_turn(void **state)
{
    (void)state;
    gyre_bodies *set = in_space();
    gyre_body body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_FREE;
    body.mass = 6;
    gyre_id id = added(set, &body);
    const float force[3] = {0, 0, 12}, point[3] = {0.5f, 0.25f, 0}, back[3] = {0, 0, -3};
    must(gyre_bodies_push_at(set, id, force, point));
    must(gyre_bodies_push(set, id, back, NULL));
    must(gyre_bodies_step(set, 0.5f));
    gyre_body_state s = state_of(set, id);
    near("velocity", s.velocity[2], 9 * 0.5 / 6, 1e-12);
    near("about x", s.angular[0], 0.25 * 12 * 0.5, 1e-12);
    near("about y", s.angular[1], -0.5 * 12 * 0.5, 1e-12);
    must(gyre_bodies_step(set, 0.5f)); // no more
    near("velocity", state_of(set, id).velocity[2], 9 * 0.5 / 6, 1e-12);
    gyre_bodies_destroy(set);
}

// ---- bodies that are told -----------------------------------------------------------------------

/// The material point that is at `p` now was at p - dt v before.
static void comes_from(gyre_bodies *set, gyre_id id, const gyre_body *before, float dt)
{
    gyre_body now = read_of(set, id);
    for (int i = 0; i < 20; i++) {
        const float own[3] = {0.3f * (float)(i % 3), 0.2f * (float)(i % 5), -0.1f * (float)i};
        float was[3], is[3], v[3];
        gyre_pose_to_world(&before->pose, own, was);
        gyre_pose_to_world(&now.pose, own, is);
        must(gyre_bodies_velocity(set, id, is, 1, v));
        for (int a = 0; a < 3; a++) {
            double scale = fabs((double)is[a]) + 1;
            near("velocity", (double)v[a] * (double)dt, (double)is[a] - (double)was[a],
                 1e-6 * scale);
        }
    }
}

static void bodies_follow_paths(void **state)
{
    (void)state;
    const float half = 0.70710678f;
    const float keys[24] = {1, 0, 0, 0, 0, 0, 0,    1,    // there at 1 s
                            2, 4, 0, 0, 0, 0, half, half, // a quarter turn
                            4, 4, 2, 0, 0, 0, half, half};
    gyre_bodies *set = set_of();
    gyre_body body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_PATH;
    body.path = (gyre_volume){keys, {8, 3, 1}, "path"};
    body.pose.position[0] = 77; // does not count
    gyre_id id = added(set, &body);
    near("start", (double)read_of(set, id).pose.position[0], 0, 0);
    for (int n = 1; n <= 80; n++) {
        gyre_body before = read_of(set, id);
        must(gyre_bodies_step(set, 0.0625f));
        comes_from(set, id, &before, 0.0625f);
        gyre_body now = read_of(set, id);
        double t = 0.0625 * n, x = 4 * fmax(0, fmin(1, t - 1)), y = fmax(0, fmin(2, t - 2));
        near("x", (double)now.pose.position[0], x, 1e-6);
        near("y", (double)now.pose.position[1], y, 1e-6);
        near("turn", (double)now.pose.rotation[2], 90 * fmax(0, fmin(1, t - 1)), 1e-3);
        near("speed", (double)now.pose.velocity[0], t > 1 && t <= 2 ? 4 : 0, 1e-5);
        near("spin", (double)now.pose.spin[2], t > 1 && t <= 2 ? 90 : 0, 1e-2);
    }
    body.repeat = true;
    id = added(set, &body); // at 5 s: a second before the first key's own time comes again
    must(gyre_bodies_step(set, 0.5f)); // 5.5 s: 2.5 s
    near("again", (double)read_of(set, id).pose.position[1], 0.5, 1e-6);
    gyre_bodies_destroy(set);
}

static void bodies_are_driven(void **state)
{
    (void)state;
    gyre_bodies *set = set_of();
    gyre_body body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_DRIVEN;
    body.pose.position[2] = 1;
    gyre_id id = added(set, &body);
    gyre_pose pose = {.position = {0.5f, 0, 1}, .rotation = {0, 170, 0}};
    must(gyre_bodies_drive(set, id, &pose));
    must(gyre_bodies_step(set, 0.25f));
    gyre_body now = read_of(set, id);
    comes_from(set, id, &body, 0.25f);
    near("velocity", (double)now.pose.velocity[0], 2, 1e-9);
    near("spin", (double)now.pose.spin[1], 680, 1e-3);
    must(gyre_bodies_step(set, 0.25f)); // not told: it stays
    now = read_of(set, id);
    near("velocity", (double)now.pose.velocity[0], 0, 0);
    near("position", (double)now.pose.position[0], 0.5, 0);
    body.motion = GYRE_MOTION_HELD;
    body.pose.velocity[1] = 2;
    body.pose.spin[2] = 90;
    id = added(set, &body);
    assert_int_equal(gyre_bodies_drive(set, id, &pose), GYRE_ERROR_STATE);
    gyre_body before = read_of(set, id);
    must(gyre_bodies_step(set, 0.5f));
    comes_from(set, id, &before, 0.5f);
    now = read_of(set, id);
    near("position", (double)now.pose.position[1], 1, 1e-6);
    near("turn", (double)now.pose.rotation[2], 45, 1e-4);
    gyre_bodies_destroy(set);
}

/// A ball that swells by a tenth of its radius in each frame.
static void meshes_deform(void **state)
{
    (void)state;
    enum { FRAMES = 4 };
    mesh_case ball = mesh_case_sphere(32, 64, 1);
    arrays a = arrays_of(&ball);
    size_t count = 3 * (size_t)ball.mesh.point_count;
    float *frames = calloc(count * FRAMES, sizeof(float));
    for (size_t k = 0; k < count * FRAMES; k++) {
        frames[k] = ball.points[k % count] * (1 + 0.1f * (float)(k / count));
    }
    gyre_body body = mesh_body(&a);
    body.form.as.mesh.frames = (gyre_volume){frames, {3, ball.mesh.point_count, FRAMES}, "frames"};
    body.form.as.mesh.rate = 10;
    body.pose.velocity[0] = 5;
    gyre_bodies *set = set_of();
    gyre_id id = added(set, &body);
    for (int n = 1; n <= 40; n++) {
        must(gyre_bodies_step(set, 0.0125f));
        double r = 1 + fmin(0.3, 0.0125 * n), x = 5 * 0.0125 * n;
        const float points[6] = {(float)(x + r), 0, 0, (float)x, 0, (float)(r + 0.5)};
        float d[2], v[6];
        must(gyre_bodies_distance(set, id, points, 2, d));
        near("surface", (double)d[0], 0, 3e-3);
        near("outside", (double)d[1], 0.5, 3e-3);
        must(gyre_bodies_velocity(set, id, points, 2, v));
        double swell = n <= 24 ? 1 : 0;
        near("swells", (double)v[0], 5 + swell, 1e-2);
        near("goes along", (double)v[3], 5, 1e-3);
        near("swells above", (double)v[5], swell, 1e-2);
    }
    gyre_mesh mesh;
    gyre_mesh_measures m;
    must(gyre_bodies_mesh(set, id, &mesh));
    must(gyre_mesh_measure(&mesh, &m));
    near("top", (double)m.high[2], 1.3, 1e-5);
    body.motion = GYRE_MOTION_FREE;
    assert_int_equal(gyre_bodies_add(set, &body), 0);
    gyre_bodies_destroy(set);
    free(frames);
    free(a.indices);
    mesh_case_free(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_solids_weigh),
        cmocka_unit_test(meshes_hulls_and_arrays_weigh),
        cmocka_unit_test(distances_and_boxes),
        cmocka_unit_test(free_fall_is_exact),
        cmocka_unit_test(torque_free_bodies_keep_momentum_and_energy),
        cmocka_unit_test(rotation_is_of_second_order),
        cmocka_unit_test(a_top_precesses),
        cmocka_unit_test(a_spring_neither_grows_nor_fades),
        cmocka_unit_test(pushes_at_a_point_turn),
        cmocka_unit_test(bodies_follow_paths),
        cmocka_unit_test(bodies_are_driven),
        cmocka_unit_test(meshes_deform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
