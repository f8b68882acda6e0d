// test/test_mesh.c: what meshes measure, whether they are closed, and how far away they are,
// against solids whose answers are known.
// labels: small
#include "mesh_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gyre/gyre.h"
#include "mesh/mesh.h"

#include <cmocka.h>

static const double pi = 3.141592653589793;

static void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

static void near(const char *what, double is, double right, double within)
{
    if (!(fabs(is - right) <= within)) {
        fail_msg("%s is %.9g, not %.9g within %g", what, is, right, within);
    }
}

static gyre_mesh_tree *tree_of(const mesh_case *c)
{
    gyre_mesh_tree *tree = NULL;
    must(gyre_mesh_tree_create(NULL, &c->mesh, &tree));
    return tree;
}

/// The same numbers in every run, in [-1, 1).
static double next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

// ---- measures -----------------------------------------------------------------------------------

static void a_box_measures(void **state)
{
    (void)state;
    const float low[3] = {100, -1, 2}, high[3] = {102, 2, 6};
    mesh_case c = mesh_case_box(low, high);
    gyre_mesh_measures m;
    must(gyre_mesh_measure(&c.mesh, &m));
    near("volume", m.volume, 24, 1e-12);
    near("area", m.area, 52, 1e-12);
    const double centre[3] = {101, 0.5, 4};
    const double inertia[3] = {24.0 / 12 * (9 + 16), 24.0 / 12 * (4 + 16), 24.0 / 12 * (4 + 9)};
    for (int a = 0; a < 3; a++) {
        near("centre", m.centre[a], centre[a], 1e-12);
        near("low", (double)m.low[a], (double)low[a], 0);
        near("high", (double)m.high[a], (double)high[a], 0);
        for (int b = 0; b < 3; b++) {
            near("inertia", m.inertia[a][b], a == b ? inertia[a] : 0.0, 1e-11);
        }
    }
    for (int t = 0; t < 12; t++) { // inside out
        int32_t other = c.triangles[3 * t];
        c.triangles[3 * t] = c.triangles[3 * t + 1];
        c.triangles[3 * t + 1] = other;
    }
    must(gyre_mesh_measure(&c.mesh, &m));
    near("volume inside out", m.volume, -24, 1e-12);
    mesh_case_free(&c);
}

static void a_torus_measures(void **state)
{
    (void)state;
    double before[3] = {0, 0, 0};
    for (int n = 16; n <= 256; n *= 4) {
        mesh_case c = mesh_case_torus(4 * n, n, 2.0, 0.5);
        gyre_mesh_measures m;
        must(gyre_mesh_measure(&c.mesh, &m));
        double volume = 2 * pi * pi * 2.0 * 0.25, area = 4 * pi * pi * 2.0 * 0.5;
        double about = volume * (4.0 + 0.75 * 0.25);
        const double wrong[3] = {fabs(m.volume / volume - 1), fabs(m.area / area - 1),
                                 fabs(m.inertia[2][2] / about - 1)};
        for (int k = 0; k < 3; k++) {
            assert_true(wrong[k] < 10.0 / (n * n));
            assert_true(n == 16 || wrong[k] < before[k] / 14); // second order
            before[k] = wrong[k];
        }
        mesh_case_free(&c);
    }
}

static void normals_look_out(void **state)
{
    (void)state;
    mesh_case c = mesh_case_sphere(32, 64, 3.0);
    float *of = calloc((size_t)(c.mesh.triangle_count + c.mesh.point_count) * 3, sizeof(float));
    float *points = of + 3 * c.mesh.triangle_count;
    must(gyre_mesh_normals(&c.mesh, of, points));
    for (int p = 0; p < c.mesh.point_count; p++) {
        for (int a = 0; a < 3; a++) {
            near("normal", (double)points[3 * p + a], (double)c.points[3 * p + a] / 3, 5e-3);
        }
    }
    // Of a cube's corner, by angles, it is the diagonal however its faces are cut in two.
    const float low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    mesh_case box = mesh_case_box(low, high);
    must(gyre_mesh_normals(&box.mesh, NULL, points));
    for (int k = 0; k < 24; k++) {
        near("corner", (double)points[k], (k / 3 >> k % 3 & 1 ? 1 : -1) / sqrt(3), 1e-6);
    }
    free(of);
    mesh_case_free(&box);
    mesh_case_free(&c);
}

// ---- broken meshes ------------------------------------------------------------------------------

static void broken_meshes_are_found_out(void **state)
{
    (void)state;
    const float low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    mesh_case c = mesh_case_box(low, high);
    gyre_mesh_report r;
    must(gyre_mesh_inspect(NULL, &c.mesh, &r));
    assert_int_equal(r.edges, 18);
    assert_int_equal(r.boundary_edges + r.crowded_edges + r.flipped_edges, 0);
    assert_int_equal(r.parts, 1);
    assert_true(r.closed && r.oriented);
    // A triangle short.
    c.mesh.triangle_count = 11;
    must(gyre_mesh_inspect(NULL, &c.mesh, &r));
    assert_int_equal(r.boundary_edges, 3);
    assert_true(!r.closed && r.oriented);
    c.mesh.triangle_count = 12;
    // One turned round.
    int32_t other = c.triangles[0];
    c.triangles[0] = c.triangles[1];
    c.triangles[1] = other;
    must(gyre_mesh_inspect(NULL, &c.mesh, &r));
    assert_int_equal(r.flipped_edges, 3);
    assert_int_equal(r.boundary_edges, 0);
    assert_true(r.closed && !r.oriented);
    c.triangles[1] = c.triangles[0];
    c.triangles[0] = other;
    // One twice; one of no area; a point more.
    mesh_case more = mesh_case_make(9, 14);
    memcpy(more.points, c.points, 24 * sizeof(float));
    memcpy(more.triangles, c.triangles, 36 * sizeof(int32_t));
    memcpy(more.triangles + 36, c.triangles, 3 * sizeof(int32_t));
    more.triangles[39] = more.triangles[40] = 3;
    more.triangles[41] = 5;
    must(gyre_mesh_inspect(NULL, &more.mesh, &r));
    assert_int_equal(r.crowded_edges, 4); // three of the first, and the one of no area lies on one
    assert_int_equal(r.empty_triangles, 1);
    assert_int_equal(r.unused_points, 1);
    assert_true(!r.closed);
    mesh_case_free(&more);
    // Two tetrahedra that share an edge: crowded, and yet closed.
    mesh_case two = mesh_case_make(6, 8);
    const float at[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1};
    const int32_t faces[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3,
                               0, 4, 1, 0, 1, 5, 0, 5, 4, 1, 4, 5};
    memcpy(two.points, at, sizeof at);
    memcpy(two.triangles, faces, sizeof faces);
    must(gyre_mesh_inspect(NULL, &two.mesh, &r));
    assert_int_equal(r.crowded_edges, 1);
    assert_true(r.closed && r.oriented);
    mesh_case_free(&two);
    mesh_case_free(&c);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    const float low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    mesh_case c = mesh_case_box(low, high);
    gyre_mesh_tree *tree = NULL;
    gyre_mesh_measures m;
    c.triangles[7] = 8;
    assert_int_equal(gyre_mesh_check(&c.mesh), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "triangle 2"));
    assert_int_equal(gyre_mesh_measure(&c.mesh, &m), GYRE_ERROR_ARGUMENT);
    c.triangles[7] = 0;
    c.points[5] = NAN;
    assert_int_equal(gyre_mesh_tree_create(NULL, &c.mesh, &tree), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "point 1"));
    c.points[5] = 0;
    c.mesh.triangle_count = 0;
    assert_int_equal(gyre_mesh_tree_create(NULL, &c.mesh, &tree), GYRE_ERROR_ARGUMENT);
    c.mesh.triangle_count = 1;
    must(gyre_mesh_tree_create(NULL, &c.mesh, &tree));
    const float nowhere[3] = {0, NAN, 0};
    float answer = 7;
    assert_int_equal(gyre_mesh_distance(tree, nowhere, 1, &answer), GYRE_ERROR_ARGUMENT);
    assert_true(answer == 7.0f);
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&c);
}

// ---- distances ----------------------------------------------------------------------------------

static void distances_to_sphere_and_torus(void **state)
{
    (void)state;
    mesh_case ball = mesh_case_sphere(128, 256, 1.5), ring = mesh_case_torus(512, 128, 1.0, 0.3);
    gyre_mesh_tree *of_ball = tree_of(&ball), *of_ring = tree_of(&ring);
    uint32_t seed = 5;
    for (int i = 0; i < 2000; i++) {
        float p[3], d;
        double x[3];
        for (int a = 0; a < 3; a++) {
            x[a] = (double)(p[a] = (float)(2.5 * next_random(&seed)));
        }
        must(gyre_mesh_distance(of_ball, p, 1, &d));
        near("to the ball", (double)d, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 1.5, 6e-4);
        must(gyre_mesh_distance(of_ring, p, 1, &d));
        double out = sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0;
        near("to the ring", (double)d, sqrt(out * out + x[2] * x[2]) - 0.3, 4e-4);
    }
    gyre_mesh_tree_destroy(of_ball);
    gyre_mesh_tree_destroy(of_ring);
    mesh_case_free(&ball);
    mesh_case_free(&ring);
}

/// A soup of triangles, so that boxes overlap: the tree against all triangles one by one.
static void the_tree_finds_the_nearest(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    mesh_case c = mesh_case_make(3 * COUNT, COUNT);
    uint32_t seed = 9;
    for (int t = 0; t < COUNT; t++) {
        double at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = 1000.0 + 3 * next_random(&seed);
        }
        for (int k = 0; k < 3; k++) {
            c.triangles[3 * t + k] = 3 * t + k;
            for (int a = 0; a < 3; a++) {
                c.points[9 * t + 3 * k + a] = (float)(at[a] + next_random(&seed));
            }
        }
    }
    gyre_mesh_tree *tree = tree_of(&c), *one[COUNT];
    for (int t = 0; t < COUNT; t++) {
        const gyre_mesh single = {c.points, 3 * COUNT, c.triangles + 3 * t, 1};
        must(gyre_mesh_tree_create(NULL, &single, &one[t]));
    }
    for (int i = 0; i < 300; i++) {
        gyre_mesh_place found, best = {.distance = 1e30f}, each;
        float p[3];
        for (int a = 0; a < 3; a++) {
            p[a] = (float)(1000.0 + 5 * next_random(&seed));
        }
        must(gyre_mesh_closest(tree, p, 1, &found));
        for (int t = 0; t < COUNT; t++) {
            must(gyre_mesh_closest(one[t], p, 1, &each));
            if (each.distance < best.distance) {
                best = each;
                best.triangle = t;
            }
        }
        assert_true(found.distance == best.distance);
        assert_int_equal(found.triangle, best.triangle);
        double sum = 0;
        for (int a = 0; a < 3; a++) {
            double at = 0;
            for (int k = 0; k < 3; k++) {
                at += (double)found.weights[k] * (double)c.points[9 * found.triangle + 3 * k + a];
            }
            near("weights", at, (double)found.point[a], 2e-4);
            sum += (double)found.weights[a];
        }
        near("sum of weights", sum, 1, 1e-6);
    }
    for (int t = 0; t < COUNT; t++) {
        gyre_mesh_tree_destroy(one[t]);
    }
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&c);
}

// ---- winding numbers ----------------------------------------------------------------------------

static void closed_meshes_wind_once(void **state)
{
    (void)state;
    mesh_case ball = mesh_case_sphere(64, 128, 1.0);
    gyre_mesh_tree *tree = tree_of(&ball);
    uint32_t seed = 3;
    double worst = 0;
    for (int i = 0; i < 3000; i++) {
        float p[3], w;
        for (int a = 0; a < 3; a++) {
            p[a] = (float)(2 * next_random(&seed));
        }
        double r = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
        if (fabs(r - 1) > 2e-3) {
            must(gyre_mesh_winding(tree, p, 1, &w));
            worst = fmax(worst, fabs((double)w - (r < 1 ? 1 : 0)));
        }
    }
    print_message("winding numbers of a ball are %.1e off at worst\n", worst);
    assert_true(worst < 2e-3);
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&ball);
}

/// Half a sphere: seen from its middle it fills half of all directions; along the axis the solid
/// angle of its rim's disk is known.
static void open_meshes_wind_in_part(void **state)
{
    (void)state;
    mesh_case ball = mesh_case_sphere(128, 256, 1.0);
    int kept = 0;
    for (int t = 0; t < ball.mesh.triangle_count; t++) {
        float top = -1;
        for (int k = 0; k < 3; k++) {
            top = fmaxf(top, ball.points[3 * ball.triangles[3 * t + k] + 2]);
        }
        if (top < 1e-6f) {
            memmove(ball.triangles + 3 * kept++, ball.triangles + 3 * t, 3 * sizeof(int32_t));
        }
    }
    ball.mesh.triangle_count = kept;
    gyre_mesh_report r;
    must(gyre_mesh_inspect(NULL, &ball.mesh, &r));
    assert_int_equal(r.boundary_edges, 256);
    assert_false(r.closed);
    gyre_mesh_tree *tree = tree_of(&ball);
    for (double z = -0.9; z < 5; z += 0.1) {
        const float p[3] = {0, 0, (float)z};
        float w;
        must(gyre_mesh_winding(tree, p, 1, &w));
        // What the rim's disk takes away, seen from below; adds, seen from above.
        near("winding", (double)w, 0.5 * (1 - z / sqrt(1 + z * z)), 2e-3);
    }
    // Its distance has a sign all the same.
    const float in[3] = {0, 0, -0.5f}, out[3] = {0, 0, 0.5f};
    float d;
    must(gyre_mesh_distance(tree, in, 1, &d));
    near("inside", (double)d, -0.5, 1e-3);
    must(gyre_mesh_distance(tree, out, 1, &d));
    assert_true(d > 0);
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&ball);
}

static void parts_that_overlap_wind_twice(void **state)
{
    (void)state;
    const float low[3] = {0, 0, 0}, high[3] = {2, 2, 2}, p[3] = {1.5f, 1.4f, 1.6f};
    mesh_case box = mesh_case_box(low, high), both = mesh_case_make(16, 24);
    for (int k = 0; k < 24; k++) {
        both.points[k] = box.points[k];
        both.points[24 + k] = box.points[k] + 1;
    }
    for (int k = 0; k < 36; k++) {
        both.triangles[k] = box.triangles[k];
        both.triangles[36 + k] = box.triangles[k] + 8;
    }
    gyre_mesh_tree *tree = tree_of(&both);
    float w;
    must(gyre_mesh_winding(tree, p, 1, &w));
    near("in both", (double)w, 2, 2e-6);
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&both);
    mesh_case_free(&box);
}

static void a_tree_is_refitted(void **state)
{
    (void)state;
    mesh_case c = mesh_case_sphere(32, 64, 1.0);
    gyre_mesh_tree *tree = tree_of(&c), *anew;
    for (int k = 0; k < 3 * c.mesh.point_count; k++) {
        c.points[k] *= k % 3 == 2 ? 3.0f : 1.0f;
    }
    must(gyre_mesh_tree_refit(tree, c.points));
    anew = tree_of(&c);
    for (double z = -4; z < 4; z += 0.37) {
        const float p[3] = {0.2f, 0.1f, (float)z};
        float a, b;
        must(gyre_mesh_distance(tree, p, 1, &a));
        must(gyre_mesh_distance(anew, p, 1, &b));
        near("distance", (double)a, (double)b, 1e-6);
    }
    c.points[0] = INFINITY;
    assert_int_equal(gyre_mesh_tree_refit(tree, c.points), GYRE_ERROR_ARGUMENT);
    gyre_mesh_tree_destroy(anew);
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&c);
}

// ---- memory and bits ----------------------------------------------------------------------------

typedef struct purse {
    size_t out;
    int left;
} purse;

static void *lend(void *user, size_t size, size_t alignment)
{
    purse *p = user;
    void *memory = p->left-- > 0
                       ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                       : NULL;
    p->out += memory ? size : 0;
    return memory;
}

static void take_back(void *user, void *memory, size_t size)
{
    ((purse *)user)->out -= size;
    free(memory);
}

static void memory_is_the_hosts(void **state)
{
    (void)state;
    purse p = {0, 0};
    const gyre_host host = {.allocate = lend, .release = take_back, .user = &p};
    mesh_case c = mesh_case_sphere(8, 8, 1.0);
    gyre_mesh_tree *tree = NULL;
    gyre_mesh_report r;
    assert_int_equal(gyre_mesh_tree_create(&host, &c.mesh, &tree), GYRE_ERROR_MEMORY);
    assert_int_equal(gyre_mesh_inspect(&host, &c.mesh, &r), GYRE_ERROR_MEMORY);
    p.left = 2;
    must(gyre_mesh_tree_create(&host, &c.mesh, &tree));
    must(gyre_mesh_inspect(&host, &c.mesh, &r));
    assert_true(p.out > 0);
    gyre_mesh_tree_destroy(tree);
    assert_int_equal(p.out, 0);
    mesh_case_free(&c);
}

/// Whatever the compiler, level and machine: these bits are those of gcc 12 and clang 14, -O0 to
/// -O3.
static void the_same_bits_everywhere(void **state)
{
    (void)state;
    mesh_case c = mesh_case_make(200, 400);
    uint32_t seed = 21;
    for (int k = 0; k < 600; k++) {
        c.points[k] = (float)next_random(&seed);
    }
    for (int k = 0; k < 1200; k++) {
        seed = seed * 1664525u + 1013904223u;
        c.triangles[k] = (int32_t)((seed >> 8) % 200);
    }
    gyre_mesh_tree *tree = tree_of(&c);
    uint64_t hash = 0;
    for (int i = 0; i < 500; i++) {
        float p[3], d, w;
        gyre_mesh_place place;
        for (int a = 0; a < 3; a++) {
            p[a] = (float)(3 * next_random(&seed));
        }
        memset(&place, 0, sizeof place);
        must(gyre_mesh_distance(tree, p, 1, &d));
        must(gyre_mesh_winding(tree, p, 1, &w));
        must(gyre_mesh_closest(tree, p, 1, &place));
        hash = gy_hash(&d, sizeof d, hash);
        hash = gy_hash(&w, sizeof w, hash);
        hash = gy_hash(&place, sizeof place, hash);
    }
    if (hash != 0x698e348a89506cb4u) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    }
    gyre_mesh_tree_destroy(tree);
    mesh_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_measures),
        cmocka_unit_test(a_torus_measures),
        cmocka_unit_test(normals_look_out),
        cmocka_unit_test(broken_meshes_are_found_out),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(distances_to_sphere_and_torus),
        cmocka_unit_test(the_tree_finds_the_nearest),
        cmocka_unit_test(closed_meshes_wind_once),
        cmocka_unit_test(open_meshes_wind_in_part),
        cmocka_unit_test(parts_that_overlap_wind_twice),
        cmocka_unit_test(a_tree_is_refitted),
        cmocka_unit_test(memory_is_the_hosts),
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
