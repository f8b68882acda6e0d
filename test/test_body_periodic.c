// Bodies across periodic sides: the same scene with the borders elsewhere, in all modes; what lies
// on both sides of the seam is one body, to the water, to questions and in pictures.
// timeout: 120
#include "water_case.h"

#define HEIGHT(mode) ((mode) == GYRE_WATER_WAVE ? "height" : "depth")

enum { N = 96 };

static const float H = 0.5f, WIDE = 48.0f;

static gyre_water_def sea(int mode)
{
    gyre_water_def def = pool(mode, N, N, H);
    periodic(&def);
    def.gravity = 10.0f;
    def.bed.flat = -2.0f;
    return def;
}

static gyre_water_body raft(int form)
{
    gyre_water_body body = gyre_water_default_body();
    strcpy(body.name, "raft");
    body.form = form;
    body.size[0] = form == GYRE_BODY_BOX ? 6.0f : 0.8f;
    body.size[1] = 4.0f;
    body.size[2] = 1.0f;
    body.density = 500.0f;
    body.drag = 0.0f;
    body.drift = false;
    return body;
}

/// Adds a body half a domain further on where `moved` says so.
static gyre_id add(gyre_water *water, gyre_water_body body, bool moved)
{
    for (int a = 0; a < 2 && moved; a++) {
        body.pose.position[a] += 0.5f * WIDE;
        body.pose.position[a] -= body.pose.position[a] >= WIDE ? WIDE : 0.0f;
    }
    gyre_id id = gyre_water_add_body(water, &body);
    assert_true(id != 0);
    return id;
}

/// The greatest difference of a field from the other's, whose world lies half a domain further on.
static double apart(gyre_water *one, gyre_water *other, const char *field)
{
    int n[2], m[2];
    float *a = get(one, field, n), *b = get(other, field, m);
    double worst = 0.0;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            float there = b[(i + N / 2) % N + (ptrdiff_t)m[0] * ((j + N / 2) % N)];
            worst = fmax(worst, fabs((double)a[i + (ptrdiff_t)n[0] * j] - (double)there));
        }
    }
    free(a);
    free(b);
    return worst;
}

static double largest(gyre_water *water, const char *field)
{
    int n[2];
    float *a = get(water, field, n);
    double most = 0.0;
    for (int k = 0; k < n[0] * n[1]; k++) {
        most = fmax(most, fabs((double)a[k]));
    }
    free(a);
    return most;
}

static void close_books(gyre_water *water)
{
    int n[2];
    float *d = get(water, "displaced", n);
    double sum = 0.0, bodies = 0.0;
    gyre_water_line lines[32];
    for (int k = 0; k < n[0] * n[1]; k++) {
        sum += (double)d[k] * (double)H * (double)H;
    }
    int count = gyre_water_ledger(water, lines, 32);
    for (int l = 0; l < count; l++) {
        bodies += lines[l].displaced ? lines[l].volume : 0.0;
    }
    free(d);
    assert_true(fabs(sum - bodies) < 1e-3);
    gyre_water_stats stats = gyre_water_get_stats(water);
    assert_true(fabs(stats.ledger_error) < 1e-6 * stats.volume);
}

/// A box that is carried across a corner of the domain displaces the same, and makes the same
/// waves, as one that is carried across its middle: to the bit, where its places are told exactly.
static void test_carried(void **state)
{
    (void)state;
    for (int mode = GYRE_WATER_WAVE; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        gyre_water_def def = sea(mode);
        gyre_water *water[2];
        gyre_id id[2];
        for (int k = 0; k < 2; k++) {
            gyre_water_body body = raft(GYRE_BODY_BOX);
            body.held = true;
            body.pose.position[0] = 45.0f;
            body.pose.position[1] = 46.5f;
            body.pose.velocity[0] = 1.5f;
            body.pose.velocity[1] = 0.75f;
            water[k] = make(&def);
            id[k] = add(water[k], body, k == 1);
            run(water[k], 64, 0.0625f);
            close_books(water[k]);
        }
        double depth = apart(water[0], water[1], HEIGHT(mode));
        double q = apart(water[0], water[1], "discharge_x");
        double displaced = apart(water[0], water[1], "displaced");
        print_message("mode %d: depth %.3g, discharge %.3g, displaced %.3g\n", mode, depth, q,
                      displaced);
        // The transforms of mode dispersive have no place that is like another.
        double most = mode == GYRE_WATER_DISPERSIVE ? 1e-4 : 0.0;
        assert_true(depth <= most && q <= most && displaced <= most);
        gyre_water_body now;
        OK(gyre_water_read_body(water[0], id[0], &now));
        assert_true(now.pose.position[0] == 45.0f + 6.0f - WIDE); // 4 s on, round the seam
        assert_true(now.pose.position[1] == 46.5f + 3.0f - WIDE);
        assert_true(largest(water[0], "discharge_x") > 0.01);
        // Taken away on the seam, it leaves nothing.
        OK(gyre_water_remove(water[0], id[0]));
        run(water[0], 2, 0.0625f);
        int n[2];
        float *left = get(water[0], "displaced", n);
        for (int k = 0; k < n[0] * n[1]; k++) {
            assert_true(left[k] == 0.0f);
        }
        free(left);
        gyre_water_destroy(water[0]);
        gyre_water_destroy(water[1]);
    }
}

/// Free bodies, turned and heaving, that float across: their places are told by floats, which are
/// coarser on one side than on the other.
static void test_floating(void **state)
{
    (void)state;
    for (int mode = GYRE_WATER_WAVE; mode <= GYRE_WATER_DISPERSIVE; mode++) {
        gyre_water_def def = sea(mode);
        gyre_water *water[2];
        gyre_id id[2][3];
        gyre_water_body now[2];
        for (int k = 0; k < 2; k++) {
            water[k] = make(&def);
            for (int b = 0; b < 3; b++) {
                gyre_water_body body = raft(b == 2 ? GYRE_BODY_CAPSULE : b);
                snprintf(body.name, sizeof body.name, "raft%d", b);
                body.pose.position[0] = 44.0f + 0.5f * (float)b;
                body.pose.position[1] = 3.0f + 10.0f * (float)b;
                body.pose.position[2] = 0.25f;
                body.pose.rotation[2] = 20.0f;
                body.pose.velocity[0] = 1.0f;
                body.pose.velocity[1] = -0.5f;
                id[k][b] = add(water[k], body, k == 1);
            }
            run(water[k], 100, 0.05f);
            close_books(water[k]);
        }
        double depth = apart(water[0], water[1], HEIGHT(mode)), worst = 0.0;
        for (int b = 0; b < 3; b++) {
            for (int k = 0; k < 2; k++) {
                OK(gyre_water_read_body(water[k], id[k][b], &now[k]));
            }
            for (int a = 0; a < 3; a++) {
                double off = (double)now[1].pose.position[a] - (double)now[0].pose.position[a];
                off -= a == 2 ? 0.0 : 0.5 * (double)WIDE;
                off = fabs(off + 0.5 * (double)WIDE) < 1.0 ? off + (double)WIDE : off;
                off = off < -0.5 * (double)WIDE ? off + (double)WIDE : off;
                worst = fmax(worst, fabs(off));
                double v = (double)now[1].pose.velocity[a] - (double)now[0].pose.velocity[a];
                worst = fmax(worst, fabs(v));
            }
            // It has gone through, not been thrown back.
            assert_true(now[0].pose.position[0] < 8.0f && now[0].pose.velocity[0] > 0.3f);
        }
        print_message("mode %d: depth %.3g, poses %.3g\n", mode, depth, worst);
        assert_true(depth < 1e-3 && worst < 1e-3);
        gyre_water_destroy(water[0]);
        gyre_water_destroy(water[1]);
    }
}

/// What is told of a body that lies across a seam is told of one body; surfaces beyond a side are
/// those on the other side.
static void test_asked(void **state)
{
    (void)state;
    gyre_water_def def = sea(GYRE_WATER_SHALLOW);
    gyre_water *water = make(&def);
    gyre_water_body body = raft(GYRE_BODY_BOX);
    gyre_body_report middle, corner;
    body.pose.position[0] = body.pose.position[1] = 24.0f;
    body.pose.rotation[0] = 5.0f;
    OK(gyre_water_report_body(water, &body, &middle));
    assert_true(middle.submerged > 8.0f);
    body.pose.position[0] = 48.0f * 7.0f; // as a body of a set may be told
    body.pose.position[1] = 0.0f;
    OK(gyre_water_report_body(water, &body, &corner));
    for (int a = 0; a < 3; a++) {
        assert_true(fabsf(corner.force[a] - middle.force[a]) < 0.5f);
        assert_true(fabsf(corner.torque[a] - middle.torque[a]) < 2.0f);
    }
    assert_true(fabsf(corner.submerged - middle.submerged) < 1e-4f);
    assert_true(fabsf(corner.centre[0] - (middle.centre[0] - 24.0f + 336.0f)) < 1e-3f);
    OK(gyre_water_splat(water, gyre_water_field(water, "depth"), (float[]){0.0f, 20.0f, 0.0f}, 3.0f,
                        0.5f));
    run(water, 10, 0.05f);
    const float points[8] = {-0.1f, 20.3f, 47.9f, 20.3f, 47.9f, 20.3f + 48.0f, -96.1f, -27.7f};
    gyre_water_sample s[4];
    OK(gyre_water_query(water, points, 4, s));
    for (int k = 1; k < 4; k++) {
        assert_true(fabsf(s[k].height - s[0].height) < 1e-4f);
        assert_true(fabsf(s[k].velocity[0] - s[0].velocity[0]) < 1e-3f);
    }
    // Across the seam nothing leaps.
    const float both[4] = {47.9999f, 20.3f, 0.0001f, 20.3f};
    OK(gyre_water_query(water, both, 2, s));
    assert_true(fabsf(s[0].height - s[1].height) < 1e-4f);
    gyre_water_destroy(water);
}

/// A picture's mesh lies inside the domain, both halves of it, and together they are the body.
static void test_drawn(void **state)
{
    (void)state;
    gyre_water_def def = sea(GYRE_WATER_WAVE);
    for (int form = GYRE_BODY_SPHERE; form <= GYRE_BODY_CAPSULE; form++) {
        gyre_water *water = make(&def);
        gyre_water_body body = raft(form);
        double area[2] = {0.0, 0.0};
        for (int k = 0; k < 2; k++) {
            body.pose.position[0] = k ? 0.3f : 20.0f;
            body.pose.position[1] = k ? 47.5f : 20.0f;
            body.pose.rotation[2] = 30.0f;
            gyre_id id = gyre_water_add_body(water, &body);
            gyre_mesh mesh;
            OK(gyre_model_mesh(gyre_water_model(water), 0, &mesh));
            int corners = 0;
            for (int t = 0; t < mesh.triangle_count; t++) {
                double p[3][3], u[3], v[3], low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
                for (int c = 0; c < 3; c++) {
                    for (int a = 0; a < 3; a++) {
                        p[c][a] = (double)mesh.points[3 * mesh.triangles[3 * t + c] + a];
                        assert_true(a == 2 || (p[c][a] >= -1e-5 && p[c][a] <= 48.00001));
                    }
                    for (int a = 0; a < 2; a++) {
                        low[a] = fmin(low[a], p[c][a]);
                        high[a] = fmax(high[a], p[c][a]);
                    }
                }
                assert_true(high[0] - low[0] < 9.0 && high[1] - low[1] < 9.0); // none spans it
                corners |= 1 << ((low[0] > 24.0 ? 1 : 0) + (low[1] > 24.0 ? 2 : 0));
                for (int a = 0; a < 3; a++) {
                    u[a] = p[1][a] - p[0][a];
                    v[a] = p[2][a] - p[0][a];
                }
                area[k] += 0.5 * sqrt(pow(u[1] * v[2] - u[2] * v[1], 2) +
                                      pow(u[2] * v[0] - u[0] * v[2], 2) +
                                      pow(u[0] * v[1] - u[1] * v[0], 2));
            }
            assert_int_equal(corners, k ? 15 : 1);
            OK(gyre_water_remove(water, id));
        }
        assert_true(fabs(area[1] - area[0]) < 1e-4 * area[0]);
        gyre_water_destroy(water);
    }
}

/// Bodies of a set are drawn where they are round the domain, in two pieces where they lie across a
/// seam, however many periods they have gone; one that lies inside is drawn as the set has it.
static void test_set_drawn(void **state)
{
    (void)state;
    gyre_water_def def = sea(GYRE_WATER_SHALLOW);
    gyre_water *water = make(&def);
    gyre_model *model = gyre_water_model(water);
    gyre_body box = gyre_bodies_default_body();
    gyre_bodies *set = NULL;
    gyre_mesh mesh, plain;
    OK(gyre_bodies_create(NULL, &set));
    const float size[3] = {6.0f, 4.0f, 1.0f};
    memcpy(box.form.as.box.size, size, sizeof size);
    const float places[4][2] = {{20, 20}, {20 - 3 * WIDE, 20 + WIDE}, {2 * WIDE + 1, 20}, {47, -1}};
    for (int k = 0; k < 4; k++) {
        memcpy(box.pose.position, places[k], sizeof places[k]);
        assert_true(gyre_bodies_add(set, &box) != 0);
    }
    assert_int_equal(gyre_model_body_mesh(model, 0, &mesh), GYRE_ERROR_STATE);
    assert_false(gyre_model_has_bodies(model));
    OK(gyre_model_use_bodies(model, set));
    assert_true(gyre_model_has_bodies(model));
    assert_int_equal(gyre_model_body_mesh(model, 4, &mesh), GYRE_ERROR_ARGUMENT);
    run(water, 1, 0.02f);
    OK(gyre_bodies_step(set, 0.02f));
    for (int k = 0; k < 4; k++) {
        OK(gyre_model_body_mesh(model, k, &mesh));
        float low[2] = {1e9f, 1e9f}, high[2] = {-1e9f, -1e9f};
        double area = 0.0; // of what looks up, seen from above
        for (int p = 0; p < mesh.point_count; p++) {
            for (int a = 0; a < 2; a++) {
                low[a] = fminf(low[a], mesh.points[3 * p + a]);
                high[a] = fmaxf(high[a], mesh.points[3 * p + a]);
            }
        }
        for (int t = 0; t < mesh.triangle_count; t++) {
            const float *c[3];
            for (int q = 0; q < 3; q++) {
                c[q] = mesh.points + (ptrdiff_t)3 * mesh.triangles[3 * t + q];
            }
            double z = 0.5 * ((double)(c[1][0] - c[0][0]) * (double)(c[2][1] - c[0][1]) -
                              (double)(c[1][1] - c[0][1]) * (double)(c[2][0] - c[0][0]));
            area += z > 0.0 ? z : 0.0;
        }
        bool across[2] = {k >= 2, k == 3};
        assert_true(fabs(area - 24.0) < 1e-3);
        for (int a = 0; a < 2; a++) {
            assert_true(low[a] >= 0.0f && high[a] <= WIDE);
            assert_true(across[a] ? low[a] == 0.0f && high[a] == WIDE
                                  : fabs((double)(low[a] + high[a]) - 40.0) < 1e-3);
        }
        if (k == 0) {
            OK(gyre_bodies_mesh(set, gyre_bodies_element(set, 0), &plain));
            assert_true(plain.points == mesh.points && plain.point_count == mesh.point_count);
        }
    }
    gyre_water_destroy(water);
    gyre_bodies_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carried),   cmocka_unit_test(test_floating),
        cmocka_unit_test(test_asked),     cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_set_drawn),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
