// Shapes: distances, bounds, checks, face openness and cell fractions.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/maths.h"
#include "shape/openness.h"
#include "shape/thin.h"

#define NEAR(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))

static gyre_shape sphere(float x, float y, float z, float radius)
{
    gyre_shape s = {.kind = GYRE_SHAPE_SPHERE};
    s.as.sphere.centre[0] = x;
    s.as.sphere.centre[1] = y;
    s.as.sphere.centre[2] = z;
    s.as.sphere.radius = radius;
    return s;
}

static gyre_shape box(float x, float y, float z, float sx, float sy, float sz)
{
    gyre_shape s = {.kind = GYRE_SHAPE_BOX};
    const float centre[3] = {x, y, z}, size[3] = {sx, sy, sz};
    memcpy(s.as.box.centre, centre, sizeof centre);
    memcpy(s.as.box.size, size, sizeof size);
    return s;
}

static gyre_shape half_space(float px, float py, float pz, float nx, float ny, float nz)
{
    gyre_shape s = {.kind = GYRE_SHAPE_HALF_SPACE};
    const float point[3] = {px, py, pz}, normal[3] = {nx, ny, nz};
    memcpy(s.as.half_space.point, point, sizeof point);
    memcpy(s.as.half_space.normal, normal, sizeof normal);
    return s;
}

static gyre_shape capsule(const float from[3], const float to[3], float radius)
{
    gyre_shape s = {.kind = GYRE_SHAPE_CAPSULE};
    memcpy(s.as.capsule.from, from, 3 * sizeof(float));
    memcpy(s.as.capsule.to, to, 3 * sizeof(float));
    s.as.capsule.radius = radius;
    return s;
}

static float distance(gyre_shape s, int dim, float x, float y, float z)
{
    const float p[3] = {x, y, z};
    return gyre_shape_distance(&s, dim, p);
}

static void test_distances(void **state)
{
    (void)state;
    gyre_shape s = sphere(1, 2, 3, 0.5f);
    NEAR(distance(s, 3, 4, 6, 3), 4.5, 1e-6);
    NEAR(distance(s, 3, 1, 2, 3), -0.5, 1e-7);
    NEAR(distance(s, 2, 1, 2.25f, 99), -0.25, 1e-7); // z counts for nothing in 2D

    gyre_shape b = box(0, 0, 0, 2, 4, 6);
    NEAR(distance(b, 3, 4, 6, 3), 5, 1e-6);
    NEAR(distance(b, 3, 0.75f, 0, 0), -0.25, 1e-7);
    NEAR(distance(b, 3, 4, 6, 15), 13, 1e-6);
    b.as.box.rotation[2] = 90; // x and y change places
    NEAR(distance(b, 2, 5, 4, 0), 4.242640687, 1e-6);
    NEAR(distance(b, 2, 1.5f, 0, 0), -0.5, 1e-7);
    b.as.box.rotation[2] = 45;
    NEAR(distance(b, 2, 0.70710678f * 3, 0.70710678f * 3, 0), 2, 1e-5); // 3 along its own x
    b.as.box.rotation[2] = 0;
    b.as.box.rotation[0] = -90; // y and z change places
    NEAR(distance(b, 3, 0, 2.5f, 0), -0.5, 1e-7);

    const float from[3] = {-1, 0, 0}, to[3] = {1, 0, 0};
    gyre_shape c = capsule(from, to, 0.25f);
    NEAR(distance(c, 3, 0.5f, 3, 4), 4.75, 1e-6);
    NEAR(distance(c, 3, 4, 4, 0), 4.75, 1e-6);
    NEAR(distance(capsule(from, from, 0.25f), 3, -1, 1, 0), 0.75, 1e-7); // no length: a ball

    NEAR(distance(half_space(0, 1, 0, 0, 5, 0), 3, 7, 3, 7), 2, 1e-7);
    NEAR(distance(half_space(0, 0, 0, 1e-20f, 1e-20f, 0), 2, 1, 1, 0), 1.41421356, 1e-6);
}

static void test_volume(void **state)
{
    (void)state;
    float data[8 * 4];
    for (int i = 0; i < 32; i++)
        data[i] = (float)(i % 8); // rises along x from 0 at x = 0.25 to 7 at x = 3.75
    gyre_shape v = {.kind = GYRE_SHAPE_VOLUME};
    v.as.volume.data = (gyre_volume){data, {8, 4, 1}, NULL};
    v.as.volume.size[0] = 4;
    v.as.volume.size[1] = 2;
    v.as.volume.size[2] = 1;
    v.as.volume.threshold = 3.5f;
    assert_int_equal(gy_shape_check(&v, 3, "s"), GYRE_OK);
    NEAR(distance(v, 2, 2, 1, 0), 0, 1e-6);
    NEAR(distance(v, 2, 2.5f, 1, 0), -0.5, 1e-6);
    NEAR(distance(v, 3, 1.5f, 1, 0.5f), 0.5, 1e-6);
    NEAR(distance(v, 3, 3, 1, 3), 2, 1e-6); // beyond the array's box there is nothing
    data[5] = NAN;
    assert_int_equal(gy_shape_check(&v, 3, "s"), GYRE_ERROR_ARGUMENT);
    v.as.volume.data.data = NULL;
    assert_int_equal(gy_shape_check(&v, 3, "s"), GYRE_ERROR_ARGUMENT);
    assert_true(distance(v, 3, 2, 1, 0) > 0);
}

static void test_check(void **state)
{
    (void)state;
    gyre_shape good = sphere(0, 0, 0, 1);
    assert_int_equal(gy_shape_check(&good, 3, ""), GYRE_OK);
    gyre_shape bad[] = {
        sphere(0, 0, 0, 0),    sphere(0, 0, 0, -1),
        sphere(NAN, 0, 0, 1),  sphere(0, 0, 0, INFINITY),
        box(0, 0, 0, 1, 0, 1), half_space(0, 0, 0, 0, 0, 0),
        {.kind = 17},
    };
    for (int i = 0; i < GY_COUNT(bad); i++)
        assert_int_equal(gy_shape_check(&bad[i], 3, "solids.ball"), GYRE_ERROR_ARGUMENT);
    gyre_shape out_of_plane = half_space(0, 0, 0, 0, 0, 1);
    assert_int_equal(gy_shape_check(&out_of_plane, 3, ""), GYRE_OK);
    assert_int_equal(gy_shape_check(&out_of_plane, 2, ""), GYRE_ERROR_ARGUMENT);
    gyre_shape flat = box(0, 0, 0, 1, 1, 0);
    assert_int_equal(gy_shape_check(&flat, 2, ""), GYRE_OK);
}

/// Some shape of every kind but volume, from a seed.
static gyre_shape any_shape(uint32_t seed)
{
    float r[10];
    for (uint32_t i = 0; i < 10; i++)
        r[i] = gy_random_unit(seed, i);
    gyre_shape s;
    switch (seed % 4) {
    case 0:
        return sphere(r[0], r[1], r[2], 0.05f + 0.4f * r[3]);
    case 1:
        s = box(r[0], r[1], r[2], 0.1f + r[3], 0.1f + r[4], 0.1f + r[5]);
        for (int a = 0; a < 3; a++)
            s.as.box.rotation[a] = 720 * r[6 + a] - 360;
        return s;
    case 2:
        return capsule(r, r + 3, 0.05f + 0.3f * r[6]);
    default:
        return half_space(r[0], r[1], r[2], r[3] - 0.5f, r[4] - 0.5f, r[5] + 0.01f);
    }
}

static void test_any_point(void **state)
{
    (void)state;
    const float wild[] = {0, 1, -1, 1e-40f, 1e20f, -3e38f, 3e38f, 0.3f};
    int count = GY_COUNT(wild);
    for (uint32_t seed = 1; seed <= 8; seed++) {
        gyre_shape s = any_shape(seed);
        for (int i = 0; i < count * count * count; i++)
            assert_true(isfinite(distance(s, 2 + (int)(seed & 1), wild[i % count],
                                          wild[i / count % count], wild[i / count / count])));
    }
    // Bounds hold what is inside; nothing grows faster than the way walked.
    for (uint32_t seed = 1; seed <= 40; seed++) {
        gyre_shape s = any_shape(seed);
        int dim = 2 + (int)(seed >> 2 & 1);
        float low[3], high[3], last[3] = {0}, before = 0;
        gyre_shape_bounds(&s, dim, low, high);
        for (uint32_t i = 0; i < 300; i++) {
            float p[3], way = 0;
            for (uint32_t a = 0; a < 3; a++) {
                p[a] = 3 * gy_random_unit(seed + 99, 3 * i + a) - 1;
                way += (int)a < dim ? (p[a] - last[a]) * (p[a] - last[a]) : 0;
            }
            float d = gyre_shape_distance(&s, dim, p);
            for (int a = 0; a < 3; a++)
                assert_true(d > 0 || (p[a] >= low[a] && p[a] <= high[a]));
            assert_true(i == 0 || fabsf(d - before) <= sqrtf(way) * 1.0001f + 1e-6f);
            before = d;
            memcpy(last, p, sizeof p);
        }
    }
}

// ---------------------------------------------------------------- openness

typedef struct faces {
    gyre_grid grid;
    int n[3]; // faces along each axis of the array below
    uint16_t *open;
} faces;

static gyre_grid cube(int dim, int n)
{
    return (gyre_grid){.dim = dim, .n = {n, n, dim == 3 ? n : 1}, .h = 1.0f / (float)n};
}

static faces faces_of(gyre_grid grid, const gyre_shape *shapes, int count, int axis)
{
    gy_solid solids[16];
    assert_true(count <= 16);
    for (int s = 0; s < count; s++) {
        assert_int_equal(gy_shape_check(&shapes[s], grid.dim, "test"), GYRE_OK);
        solids[s] = gy_solid_make(&shapes[s], grid.dim);
    }
    faces f = {.grid = grid};
    for (int a = 0; a < 3; a++)
        f.n[a] = grid.n[a] + (a == axis);
    f.open = malloc(sizeof(uint16_t) * (size_t)(f.n[0] * f.n[1] * f.n[2]));
    assert_non_null(f.open);
    for (int k = 0; k < f.n[2]; k++)
        for (int j = 0; j < f.n[1]; j++)
            gy_openness_row(&grid, solids, count, axis, j, k,
                            f.open + (ptrdiff_t)f.n[0] * (j + f.n[1] * k));
    return f;
}

static uint16_t face(const faces *f, int i, int j, int k)
{
    return f->open[i + f->n[0] * (j + f->n[1] * k)];
}

static void test_plane(void **state)
{
    (void)state;
    // A floor at 3.25 cells: side faces of row 3 are open by 0.75, the face at 3 is shut.
    for (int dim = 2; dim <= 3; dim++) {
        gyre_grid g = cube(dim, 8);
        gyre_shape floor = half_space(0, 3.25f / 8, 0, 0, 1, 0);
        faces x = faces_of(g, &floor, 1, 0), y = faces_of(g, &floor, 1, 1);
        for (int i = 0; i < 8; i++) {
            assert_int_equal(face(&x, i, 2, 0), 0);
            assert_int_equal(face(&x, i, 3, 0), 3 * GY_OPEN / 4);
            assert_int_equal(face(&x, i, 4, 0), GY_OPEN);
            assert_int_equal(face(&y, i, 3, 0), 0);
            assert_int_equal(face(&y, i, 4, 0), GY_OPEN);
        }
        free(x.open), free(y.open);
        // A surface on the faces themselves shuts them; less than 1 % is none.
        floor = half_space(0, 3.0f / 8, 0, 0, 1, 0);
        y = faces_of(g, &floor, 1, 1);
        assert_int_equal(face(&y, 0, 3, 0), 0);
        floor = half_space(0, 3.995f / 8, 0, 0, 1, 0);
        x = faces_of(g, &floor, 1, 0);
        assert_int_equal(face(&x, 0, 3, 0), 0);
        free(x.open), free(y.open);
    }
    // A slope of 45 degrees through the middles of 3D faces: half open; a quarter further, 1/8 of
    // the edge squared.
    gyre_grid g = cube(3, 8);
    gyre_shape slope = half_space(0, 0.5f, 0.5f, 0, 1, 1);
    faces x = faces_of(g, &slope, 1, 0);
    assert_int_equal(face(&x, 2, 3, 4), GY_OPEN / 2);
    slope = half_space(0, 0.5f + 0.5f / 8, 0.5f, 0, 1, 1);
    free(x.open);
    x = faces_of(g, &slope, 1, 0);
    assert_int_equal(face(&x, 2, 3, 4), GY_OPEN / 8);
    assert_int_equal(face(&x, 2, 4, 4), GY_OPEN - GY_OPEN / 8);
    free(x.open);
}

/// A convex solid's shadow along each axis, from how much openness changes along it.
static void test_shadow(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 2 ? 200 : 48;
        gyre_grid g = cube(dim, n);
        gyre_shape ball = sphere(0.47f, 0.52f, 0.51f, 0.3f);
        for (int axis = 0; axis < dim; axis++) {
            faces f = faces_of(g, &ball, 1, axis);
            double shadow = 0;
            for (int k = 0; k < g.n[2]; k++)
                for (int j = 0; j < g.n[1]; j++)
                    for (int i = 0; i < g.n[0]; i++)
                        shadow += abs(face(&f, i, j, k) -
                                      face(&f, i + (axis == 0), j + (axis == 1), k + (axis == 2)));
            shadow *= 0.5 / GY_OPEN * pow((double)g.h, dim - 1);
            double expected = dim == 2 ? 0.6 : 3.14159265 * 0.09;
            NEAR(shadow, expected, 0.01 * expected);
            free(f.open);
        }
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    // Dyadic places: mirrored and swapped inputs are exact.
    for (int dim = 2; dim <= 3; dim++) {
        int n = 32;
        gyre_grid g = cube(dim, n);
        const float from[3] = {0.125f, 0.25f, 0.375f}, to[3] = {0.375f, 0.625f, 0.75f};
        gyre_shape shapes[4] = {sphere(0.703125f, 0.6875f, 0.40625f, 0.17f),
                                capsule(from, to, 0.07f), box(0.75f, 0.25f, 0.5f, 0.3f, 0.1f, 0.4f),
                                half_space(0.0625f, 0.03125f, 0, 1, 3, 2)};
        gyre_shape mirrored[4], swapped[4];
        memcpy(mirrored, shapes, sizeof shapes);
        memcpy(swapped, shapes, sizeof shapes);
        mirrored[0].as.sphere.centre[0] = 1 - shapes[0].as.sphere.centre[0];
        mirrored[1].as.capsule.from[0] = 1 - from[0];
        mirrored[1].as.capsule.to[0] = 1 - to[0];
        mirrored[2].as.box.centre[0] = 1 - shapes[2].as.box.centre[0];
        mirrored[3].as.half_space.point[0] = 1 - shapes[3].as.half_space.point[0];
        mirrored[3].as.half_space.normal[0] = -1;
        // x and the last axis change places.
        int z = dim - 1;
        float *members[] = {swapped[0].as.sphere.centre,    swapped[1].as.capsule.from,
                            swapped[1].as.capsule.to,       swapped[2].as.box.centre,
                            swapped[2].as.box.size,         swapped[3].as.half_space.point,
                            swapped[3].as.half_space.normal};
        for (int m = 0; m < GY_COUNT(members); m++) {
            float t = members[m][0];
            members[m][0] = members[m][z];
            members[m][z] = t;
        }
        int mixed = 0;
        for (int axis = 0; axis < dim; axis++) {
            int other = axis == 0 ? z : axis == z ? 0 : axis;
            faces f = faces_of(g, shapes, 4, axis), m = faces_of(g, mirrored, 4, axis);
            faces s = faces_of(g, swapped, 4, other);
            for (int k = 0; k < f.n[2]; k++)
                for (int j = 0; j < f.n[1]; j++)
                    for (int i = 0; i < f.n[0]; i++) {
                        uint16_t open = face(&f, i, j, k);
                        mixed += open > 0 && open < GY_OPEN;
                        assert_int_equal(open, face(&m, f.n[0] - 1 - i, j, k));
                        assert_int_equal(open, z == 2 ? face(&s, k, j, i) : face(&s, j, i, k));
                    }
            free(f.open), free(m.open), free(s.open);
        }
        assert_true(mixed > 50);
    }
}

/// What culling leaves out must be what it would have found: against distances at every corner.
static void test_inside_is_shut(void **state)
{
    (void)state;
    float data[6 * 6 * 6];
    for (uint32_t i = 0; i < 216; i++)
        data[i] = gy_random_unit(7, i);
    for (uint32_t seed = 0; seed < 12; seed++) {
        int dim = 2 + (int)(seed & 1);
        gyre_grid g = {.dim = dim, .n = {23, 17, dim == 3 ? 11 : 1}, .h = 0.05f, .origin = {-0.1f}};
        gyre_shape shapes[3] = {any_shape(seed), any_shape(seed + 1), any_shape(seed + 2)};
        if (seed % 3 == 0) {
            shapes[2] = (gyre_shape){.kind = GYRE_SHAPE_VOLUME};
            shapes[2].as.volume.data = (gyre_volume){data, {6, 6, 6}, NULL};
            for (int a = 0; a < 3; a++)
                shapes[2].as.volume.size[a] = 0.6f;
            shapes[2].as.volume.threshold = 0.6f;
        }
        for (int axis = 0; axis < dim; axis++) {
            faces f = faces_of(g, shapes, 3, axis);
            for (int at = 0; at < f.n[0] * f.n[1] * f.n[2]; at++) {
                int c[3] = {at % f.n[0], at / f.n[0] % f.n[1], at / f.n[0] / f.n[1]};
                int inside = 0, corners = dim == 3 ? 4 : 2;
                for (int corner = 0; corner < corners; corner++) {
                    int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
                    int q[3] = {c[0], c[1], c[2]};
                    q[first] += corner & 1;
                    q[second] += corner >> 1;
                    double least = 1;
                    for (int s = 0; s < 3; s++) {
                        gy_solid solid = gy_solid_make(&shapes[s], dim);
                        const double h = (double)g.h;
                        const double p[3] = {(double)g.origin[0] + h * q[0], h * q[1], h * q[2]};
                        least = fmin(least, gy_solid_distance(&solid, p));
                    }
                    inside += !(least > 0);
                }
                if (inside == corners)
                    assert_int_equal(f.open[at], 0);
                else if (inside == 0)
                    assert_int_equal(f.open[at], GY_OPEN);
                else
                    assert_in_range(f.open[at], 0, GY_OPEN);
            }
            free(f.open);
        }
    }
}

/// Walls of one cell's thickness at any place and in any direction: nothing finds a way through.
static void test_walls_hold(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 30; seed++) {
        int dim = 2 + (int)(seed & 1), n = dim == 2 ? 40 : 14;
        gyre_grid g = cube(dim, n);
        gyre_shape wall =
            box(0.4f + 0.2f * gy_random_unit(seed, 0), 0.4f + 0.2f * gy_random_unit(seed, 1),
                0.4f + 0.2f * gy_random_unit(seed, 2), 1.0001f / (float)n, 9, 9);
        for (uint32_t a = 0; a < 3 && seed > 3; a++)
            wall.as.box.rotation[a] = 360 * gy_random_unit(seed, 3 + a);
        gy_solid solid = gy_solid_make(&wall, dim);
        faces f[3] = {{.open = NULL}, {.open = NULL}, {.open = NULL}};
        for (int a = 0; a < dim; a++)
            f[a] = faces_of(g, &wall, 1, a);
        // Flood from one cell through all faces that are open at all: every centre that is met
        // outside the wall must lie on one side of it.
        int cells = g.n[0] * g.n[1] * g.n[2];
        int *mark = calloc((size_t)cells, sizeof(int)), *stack = malloc(sizeof(int) * 8u * 70000u);
        assert_non_null(mark);
        assert_non_null(stack);
        int start = -1;
        for (int c = 0; c < cells && start < 0; c++) {
            const double p[3] = {(c % n + 0.5) / n, (c / n % n + 0.5) / n, (c / n / n + 0.5) / n};
            start = gy_solid_distance(&solid, p) > 2.0 / n ? c : -1;
        }
        assert_true(start >= 0);
        double sides[2] = {1, -1};
        int top = 0;
        stack[top++] = start;
        mark[start] = 1;
        while (top > 0) {
            int c = stack[--top], at[3] = {c % n, c / n % n, c / n / n}, step[3] = {1, n, n * n};
            const double p[3] = {(at[0] + 0.5) / n, (at[1] + 0.5) / n, (at[2] + 0.5) / n};
            if (gy_solid_distance(&solid, p) > 0) {
                double side = 0;
                for (int a = 0; a < dim; a++)
                    side += (p[a] - solid.a[a]) * solid.axis[0][a];
                sides[0] = fmin(sides[0], side);
                sides[1] = fmax(sides[1], side);
            }
            for (int a = 0; a < dim; a++)
                for (int up = 0; up < 2; up++) {
                    int q[3] = {at[0], at[1], at[2]}, to = c + (up ? step[a] : -step[a]);
                    q[a] += up;
                    if (at[a] + (up ? 1 : -1) < 0 || at[a] + (up ? 1 : -1) >= n || mark[to] ||
                        face(&f[a], q[0], q[1], q[2]) == 0)
                        continue;
                    mark[to] = 1;
                    stack[top++] = to;
                }
        }
        assert_true(sides[0] * sides[1] > 0); // all on one side
        free(mark), free(stack);
        for (int a = 0; a < dim; a++)
            free(f[a].open);
    }
}

static void test_fraction(void **state)
{
    (void)state;
    float row[40];
    // A floor at 3.25 cells.
    for (int dim = 2; dim <= 3; dim++) {
        gyre_grid g = cube(dim, 8);
        gyre_shape shape = half_space(0, 3.25f / 8, 0, 0, 1, 0);
        gy_solid floor = gy_solid_make(&shape, dim);
        const float expected[3] = {1, 0.25f, 0};
        for (int j = 2; j < 5; j++) {
            gy_solid_fraction_row(&g, &floor, 1, j, 0, row);
            for (int i = 0; i < 8; i++)
                NEAR(row[i], expected[j - 2], 1e-6);
        }
    }
    // The volume of a ball and the area of a disk.
    for (int dim = 2; dim <= 3; dim++) {
        gyre_grid g = cube(dim, 40);
        gyre_shape shape = sphere(0.51f, 0.48f, 0.49f, 0.3f);
        gy_solid ball = gy_solid_make(&shape, dim);
        double sum = 0, expected = dim == 2 ? 3.14159265 * 0.09 : 4.18879 * 0.027;
        for (int k = 0; k < g.n[2]; k++)
            for (int j = 0; j < 40; j++) {
                gy_solid_fraction_row(&g, &ball, 1, j, k, row);
                for (int i = 0; i < 40; i++) {
                    assert_true(row[i] >= 0 && row[i] <= 1);
                    sum += (double)row[i];
                }
            }
        NEAR(sum * pow((double)g.h, dim), expected, 0.004 * expected);
    }
    // Any plane through a cell, against a count of points.
    gyre_grid g = {.dim = 3, .n = {1, 1, 1}, .h = 1};
    for (uint32_t seed = 0; seed < 60; seed++) {
        float r[4];
        for (uint32_t i = 0; i < 4; i++)
            r[i] = gy_random_unit(seed, i);
        gyre_shape shape =
            half_space(0.5f, 0.5f, 0.2f + 0.6f * r[3], r[0] - 0.5f, r[1] - 0.5f, r[2] - 0.5f);
        gy_solid plane = gy_solid_make(&shape, 3);
        gy_solid_fraction_row(&g, &plane, 1, 0, 0, row);
        int inside = 0, m = 20;
        for (int c = 0; c < m * m * m; c++) {
            const double p[3] = {(c % m + 0.5) / m, (c / m % m + 0.5) / m, (c / m / m + 0.5) / m};
            inside += gy_solid_distance(&plane, p) < 0;
        }
        NEAR(row[0], inside / (double)(m * m * m), 0.025);
    }
}

static void test_table(void **state)
{
    (void)state;
    int alternatives = 0;
    for (const gyre_property *a = gyre_shape_properties; a->kind != GYRE_END; a++, alternatives++) {
        assert_int_equal(a->kind, GYRE_STRUCT);
        assert_true(a->offset + a->size <= sizeof(gyre_shape));
        for (const gyre_property *p = a->properties; p->kind != GYRE_END; p++) {
            assert_true(p->offset + p->size <= a->size);
            assert_true(p->doc && p->doc[0]);
            for (int c = 0; c < p->count && p->kind == GYRE_FLOAT; c++)
                assert_true(p->initial[c] >= p->min && p->initial[c] <= p->max);
        }
    }
    assert_int_equal(alternatives, GYRE_SHAPE_VOLUME + 1);
    assert_string_equal(gyre_shape_properties[GYRE_SHAPE_HALF_SPACE].name, "half_space");
    const gyre_property *capsules = &gyre_shape_properties[GYRE_SHAPE_CAPSULE];
    assert_int_equal(capsules->offset + capsules->properties[1].offset,
                     offsetof(gyre_shape, as.capsule.to));
}

/// The table as others nest it: defaults, paths and checks through it.
static void test_nested(void **state)
{
    (void)state;
    const gyre_property outer[] = {
        {.name = "shape",
         .kind = GYRE_UNION,
         .count = 1,
         .unit = "1",
         .initial = {GYRE_SHAPE_CAPSULE},
         .doc = "a shape",
         .size = sizeof(gyre_shape),
         .properties = gyre_shape_properties},
        {0},
    };
    gyre_shape s;
    gyre_property_defaults(outer, &s, sizeof s);
    assert_int_equal(s.kind, GYRE_SHAPE_CAPSULE);
    NEAR(s.as.capsule.to[0], 0.6, 1e-7);
    NEAR(s.as.capsule.radius, 0.1, 1e-7);
    assert_int_equal(gyre_property_check(outer, &s, ""), GYRE_OK);
    assert_int_equal(gy_shape_check(&s, 3, ""), GYRE_OK);

    const gyre_property *property;
    void *address;
    assert_int_equal(gyre_property_walk(outer, &s, "shape.capsule.from", &property, &address),
                     GYRE_OK);
    assert_ptr_equal(address, s.as.capsule.from);
    assert_int_equal(gyre_property_walk(outer, &s, "shape.capsule.radius", &property, &address),
                     GYRE_OK);
    gyre_value value = gyre_number(-1);
    assert_int_equal(gyre_property_write(property, address, &value), GYRE_ERROR_ARGUMENT);
    value = gyre_number(0.25);
    assert_int_equal(gyre_property_write(property, address, &value), GYRE_OK);
    NEAR(s.as.capsule.radius, 0.25, 0);
    assert_int_not_equal(gyre_property_walk(outer, &s, "shape.capsule.size", &property, &address),
                         GYRE_OK);
    for (int kind = 0; kind < GYRE_SHAPE_VOLUME; kind++) {
        gyre_property chosen[2] = {outer[0], {0}};
        chosen[0].initial[0] = kind;
        gyre_property_defaults(chosen, &s, sizeof s);
        assert_int_equal(gyre_property_check(chosen, &s, ""), GYRE_OK);
        assert_int_equal(gy_shape_check(&s, 2, ""), GYRE_OK);
    }
}

/// Distances of what the makers make, at points where they are plain to see.
static void test_makers(void **state)
{
    (void)state;
    const float a[3] = {1, 2, 3}, b[3] = {1, 6, 3}, size[3] = {2, 4, 6}, up[3] = {0, 5, 0};
    const float beside[3] = {4, 2, 3}, above[3] = {1, 9, 3};
    const float cells[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    gyre_shape s = gyre_sphere(a, 0.5f);
    NEAR(gyre_shape_distance(&s, 3, beside), 2.5, 1e-6);
    s = gyre_box(a, size);
    NEAR(gyre_shape_distance(&s, 3, beside), 2, 1e-6);
    NEAR(gyre_shape_distance(&s, 3, above), 5, 1e-6);
    s = gyre_capsule(a, b, 0.25f);
    NEAR(gyre_shape_distance(&s, 3, beside), 2.75, 1e-6);
    NEAR(gyre_shape_distance(&s, 3, above), 2.75, 1e-6);
    s = gyre_half_space(a, up);
    NEAR(gyre_shape_distance(&s, 3, above), 7, 1e-6);
    s = gyre_volume_shape((gyre_volume){cells, {2, 2, 2}, NULL}, a, size, 0.5f);
    assert_true(gyre_shape_distance(&s, 3, (float[3]){2, 4, 8}) < 0);
    assert_true(gyre_shape_distance(&s, 3, (float[3]){2, 4, 4}) > 0);
    assert_int_equal(gy_shape_check(&s, 3, ""), GYRE_OK);
}

/// A cylinder that lies askew: distances along, beside and at its edge, bounds that hold it close,
/// and its volume by cells.
static void test_cylinder(void **state)
{
    (void)state;
    gy_solid rod = gy_solid_make_cylinder(0.15, 0.3);
    const gyre_pose at = {.position = {0.5f, 0.45f, 0.55f}, .rotation = {0.0f, 30.0f, 90.0f}};
    gy_pose pose;
    gy_pose_of(&at, &pose);
    gy_solid_put(&rod, &pose);
    static const double own[][3] = {
        {0, 0, 0}, {0.3, 0, 0}, {0.5, 0.1, 0}, {0.1, 0.4, 0.3}, {0.1, 0.1, 0}};
    static const double is[] = {-0.15, 0, 0.2, 0.35, -0.05};
    double surface[3];
    for (int q = 0; q < 5; q++) {
        gy_pose_apply(&pose, own[q], surface);
        NEAR(gy_solid_distance(&rod, surface), is[q], 1e-6);
    }
    // Off its edge.
    const double off[3] = {-0.33, -0.12, 0.15};
    gy_pose_apply(&pose, off, surface);
    double r = sqrt(0.12 * 0.12 + off[2] * off[2]) - 0.15;
    NEAR(gy_solid_distance(&rod, surface), sqrt(0.03 * 0.03 + r * r), 1e-6);
    for (int a = 0; a < 3; a++) {
        double along = pose.turn[a][0];
        double reach = 0.3 * fabs(along) + 0.15 * sqrt(1.0 - along * along);
        NEAR(rod.high[a] - (double)at.position[a], reach, 1e-5);
        NEAR((double)at.position[a] - rod.low[a], reach, 1e-5);
        assert_true(rod.high[a] - (double)at.position[a] >= reach);
    }
    gyre_grid g = cube(3, 40);
    float row[40];
    double sum = 0;
    for (int k = 0; k < 40; k++)
        for (int j = 0; j < 40; j++) {
            gy_solid_fraction_row(&g, &rod, 1, j, k, row);
            for (int i = 0; i < 40; i++)
                sum += (double)row[i];
        }
    NEAR(sum * pow((double)g.h, 3), 3.14159265 * 0.15 * 0.15 * 0.6, 0.02 * 0.0424);
    assert_true(gy_solid_is_thin(&rod, 0.31) && !gy_solid_is_thin(&rod, 0.29));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_makers),         cmocka_unit_test(test_nested),
        cmocka_unit_test(test_table),          cmocka_unit_test(test_distances),
        cmocka_unit_test(test_volume),         cmocka_unit_test(test_check),
        cmocka_unit_test(test_any_point),      cmocka_unit_test(test_plane),
        cmocka_unit_test(test_shadow),         cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_inside_is_shut), cmocka_unit_test(test_walls_hold),
        cmocka_unit_test(test_fraction),       cmocka_unit_test(test_cylinder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
