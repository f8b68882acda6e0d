// labels: small
// needs: scene
// Solids thinner than a cell: walls through which nothing leaks, however thin they are and wherever
// they lie, and pebbles that the grid does not see, which are told.
#include "gyre/scene.h"
#include "shape/thin.h"
#include "test/gas_rig.h"

#include <stdio.h>

// Across the domain, leaning anywhere, so many cells thick.
static gyre_gas_solid wall_of(int dim, double cells, double h, uint32_t seed)
{
    gyre_gas_solid s = gyre_gas_default_solid();
    s.shape.kind = GYRE_SHAPE_BOX;
    gyre_property_defaults(gyre_shape_properties[GYRE_SHAPE_BOX].properties, &s.shape.as.box,
                           sizeof s.shape.as.box);
    for (int a = 0; a < 3; a++) {
        s.shape.as.box.centre[a] = 0.5f + 0.2f * (gy_random_unit(seed, (uint32_t)a) - 0.5f);
        s.shape.as.box.size[a] = a ? 4 : (float)(cells * h);
        if (seed % 3 && (dim == 3 || a == 2))
            s.shape.as.box.rotation[a] = 360 * gy_random_unit(seed, 3 + (uint32_t)a);
    }
    return s;
}

// On which side of the wall a cell's centre lies: -1 or 1.
static int side_of(const gyre_gas *gas, const gy_solid *wall, int c)
{
    const int *n = gas->extent.n;
    const int at[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
    double across = 0.0;
    for (int a = 0; a < gas->extent.dim; a++)
        across += ((double)gas->grid.h * (at[a] + 0.5) - wall->a[a]) * wall->axis[0][a];
    return across < 0.0 ? -1 : 1;
}

static void walls_part(void **state)
{
    (void)state;
    static const double thick[] = {0.99, 0.9, 0.6, 0.3, 0.1, 0.01, 1e-4};
    int open = 0;
    for (int dim = 2; dim <= 3; dim++)
        for (uint32_t trial = 0; trial < (dim == 2 ? 140 : 42); trial++) {
            int n = dim == 2 ? 32 : 16;
            gyre_gas_def def =
                still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
            gyre_gas_solid s = wall_of(dim, thick[trial % 7], 1.0 / n, trial);
            if (trial < 7) // centred in a row of cells: no corner is inside
                s.shape.as.box.centre[0] = (0.5f + (float)(n / 2)) / (float)n;
            def.solids = (gyre_pool){&s, 1, 1};
            gyre_gas *gas = make(&def);
            gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
            for (int axis = 0; axis < dim; axis++)
                for (int c = 0; c < n * n * (dim == 3 ? n : 1); c++) {
                    const int at[3] = {c % n, c / n % n, c / n / n};
                    const int step[3] = {1, n, n * n};
                    if (at[axis] == 0 || !*gy_coefficient(&g, axis, at[0], at[1], at[2]))
                        continue;
                    open++;
                    if (side_of(gas, gas->made, c) != side_of(gas, gas->made, c - step[axis]))
                        fail_msg("%dD, %g cells thick, trial %d: a face across %d is open", dim,
                                 thick[trial % 7], (int)trial, axis);
                }
            assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
            // What of it there is is seen, too, down to an eighth of a cell.
            double volume = 0.0;
            gyre_field_view v;
            int field = gyre_gas_field(gas, "solid");
            must(gyre_gas_map(gas, field, GYRE_READ, &v));
            for (int c = 0; c < n * n * (dim == 3 ? n : 1); c++)
                volume += (double)v.data[c % n + c / n % n * v.stride[1] + c / n / n * v.stride[2]];
            must(gyre_gas_unmap(gas, field));
            assert_true(thick[trial % 7] < 0.3 || volume > 0.5 * thick[trial % 7] * n);
            gyre_gas_destroy(gas);
        }
    assert_true(open > 100000);
}

static double swirl(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    return sin(7 * x[(axis + 1) % 3] + 3 * x[axis] + axis) + 0.5 * cos(19 * x[axis]);
}

static void nothing_leaks(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 12; trial++) {
        int n = 32;
        gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid s = wall_of(2, trial % 2 ? 0.01 : 0.5, 1.0 / n, trial);
        def.solids = (gyre_pool){&s, 1, 1};
        def.advection = trial < 6 ? (int)GYRE_GAS_CONSERVATIVE : (int)(trial % 5);
        def.solid_slip = trial % 4 < 2;
        def.viscosity = trial % 3 ? 0.0f : 1e-3f;
        gyre_gas *gas = make(&def);
        gyre_field_view v;
        must(gyre_gas_map(gas, gas->velocities, GYRE_WRITE, &v));
        for (int c = 0; c < n * n; c++)
            v.data[c % n + c / n * v.stride[1]] = side_of(gas, gas->made, c) > 0;
        must(gyre_gas_unmap(gas, gas->velocities));
        gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
        for (int a = 0; a < 2; a++) {
            // The gas on the other side is at rest.
            set_field(gas, a, swirl, &a);
            must(gyre_gas_map(gas, a, GYRE_WRITE, &v));
            for (int c = 0; c < n * n; c++) {
                int below = c - (a ? n : 1), at = a ? c / n : c % n;
                if (side_of(gas, gas->made, c) < 0 ||
                    (at > 0 && side_of(gas, gas->made, below) < 0))
                    v.data[c % n + c / n * v.stride[1]] = 0.0f;
            }
            must(gyre_gas_unmap(gas, a));
        }
        for (int q = 0; q < 200; q++)
            must(gyre_gas_step(gas, 0.01f));
        for (int c = 0; c < n * n; c++)
            if (side_of(gas, gas->made, c) < 0 && gy_level_fluid(&g, c % n, c / n, 0))
                for (int f = 0; f <= gas->velocities; f++)
                    if (*sample(gas, f, c % n, c / n, 0) != 0.0f)
                        fail_msg("trial %u, field %d at %d %d: %g", trial, f, c % n, c / n,
                                 (double)*sample(gas, f, c % n, c / n, 0));
        gyre_gas_destroy(gas);
    }
}

// A ball smaller than a cell is one where it holds a centre, a corner or comes between centres.
static void small_ones_count_or_are_told(void **state)
{
    (void)state;
    static const struct {
        double x, y, r;
        bool seen;
    } balls[] = {{4.5, 4.5, 0.2, true},    {4.5, 4.1, 0.2, true},    {4, 4, 0.2, true},
                 {4.25, 4.25, 0.2, false}, {4.25, 4.25, 0.26, true}, {4.5, 4.0, 0.01, true},
                 {-3, 4, 0.2, true},       {4.2, 4.7, 0.1, false}};
    for (size_t b = 0; b < sizeof balls / sizeof *balls; b++) {
        gyre_gas_def def = still_def(2, 8, 8, 1, 1, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid s = sphere(balls[b].x, balls[b].y, 0, balls[b].r);
        def.solids = (gyre_pool){&s, 1, 1};
        gyre_gas *gas = make(&def);
        gyre_id id = gyre_model_element(gyre_gas_model(gas), "solids", 0);
        assert_int_equal(gyre_gas_get_stats(gas).missed, !balls[b].seen);
        assert_true(gyre_model_missed(gyre_gas_model(gas), 0) == (balls[b].seen ? 0 : id));
        assert_true(gyre_model_missed(gyre_gas_model(gas), 1) == 0);
        s.shape.as.sphere.radius = 1;
        must(gyre_gas_update_solid(gas, id, &s));
        assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
        gyre_gas_destroy(gas);
    }
}

// Painted: a line of samples, finer than the cells, anywhere between their corners.
static void painted_lines_part(void **state)
{
    (void)state;
    static float image[64 * 64];
    for (int at = 16; at < 48; at++) {
        int n = 16;
        gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid s = gyre_gas_default_solid();
        for (int q = 0; q < 64 * 64; q++)
            image[q] = q % 64 == at;
        s.shape = gyre_volume_shape((gyre_volume){image, {64, 64, 1}, NULL}, (float[]){0, 0, 0},
                                    (float[]){1, 1, 1}, 0.5f);
        def.solids = (gyre_pool){&s, 1, 1};
        gyre_gas *gas = make(&def);
        gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
        for (int j = 0; j < n; j++) {
            int shut = 0;
            for (int i = 1; i < n; i++)
                shut += !*gy_coefficient(&g, 0, i, j, 0);
            assert_true(shut > 0);
        }
        gyre_gas_destroy(gas);
    }
}

typedef struct lines {
    int count;
    char all[4096];
} lines;

static void take_line(void *context, const char *sentence)
{
    lines *l = context;
    l->count++;
    strncat(l->all, sentence, sizeof l->all - strlen(l->all) - 1);
}

static void scenes_tell(void **state)
{
    (void)state;
    static const char text[] =
        "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [16, 16, 1], \"h\": 0.1},"
        "\"solids\": [{\"name\": \"pebble\", \"shape\": {\"sphere\": {\"centre\": [0.525, 0.525, "
        "0],"
        "\"radius\": 0.01}}}, {\"name\": \"rock\", \"shape\": {\"sphere\": {\"centre\": [1, 1, 0],"
        "\"radius\": 0.2}}}],"
        "\"sheets\": [{\"form\": {\"line\": {\"from\": [0.31, 0.32, 0], \"to\": [0.33, 0.34, 0]}}}]"
        "}}}";
    gyre_scene *scene;
    lines l = {0};
    must(gyre_scene_parse(text, sizeof text - 1, "thin", &scene));
    must(gyre_scene_create(scene, the_device));
    gyre_scene_warn(scene, take_line, &l);
    assert_int_equal(l.count, 2);
    assert_non_null(strstr(l.all, "gas.solids.pebble does nothing"));
    assert_non_null(strstr(l.all, "gas.sheets, one of them"));
    gyre_scene_destroy(scene);
}

// A mesh with holes encloses by its winding number, and is told; as a sheet it needs no inside.
static void open_meshes_are_told(void **state)
{
    (void)state;
    static const char path[] = GYRE_BINARY_DIR "/open_mesh.obj";
    char text[2048];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 0.5 0 0\nv 0 0.5 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\n", file);
    fclose(file);
    int size = snprintf(
        text, sizeof text,
        "{\"models\": {\"gas\": {\"grid\": {\"dim\": 3, \"n\": [12, 12, 12], \"h\": 0.1},"
        "\"sheets\": [{\"form\": {\"mesh\": {\"points\": \"%s#points\", \"triangles\": "
        "\"%s#triangles\"}}, \"position\": [0.5, 0.5, 0.5]}]}},"
        "\"bodies\": [{\"name\": \"tent\", \"form\": {\"mesh\": {\"points\": \"%s#points\","
        "\"triangles\": \"%s#triangles\"}}, \"position\": [0.1, 0.1, 0.1]}]}",
        path, path, path, path);
    gyre_scene *scene;
    lines l = {0};
    must(gyre_scene_parse(text, (size_t)size, "thin", &scene));
    must(gyre_scene_create(scene, the_device));
    gyre_scene_warn(scene, take_line, &l);
    assert_int_equal(l.count, 1);
    assert_non_null(strstr(l.all, "bodies.tent has a mesh with 3 open edges"));
    gyre_scene_destroy(scene);
}

// Which faces of all lines of centres an array's shape meets: bits to `met`.
static int faces_met(const gy_solid *s, const gyre_grid *g, uint8_t met[3][17 * 17 * 17])
{
    int count = 0;
    memset(met, 0, 3 * sizeof met[0]);
    for (int axis = 0; axis < 3; axis++) {
        int low[3], high[3], at[3], through, b = (axis + 1) % 3, c = (axis + 2) % 3;
        gy_thin_range(s, g, axis, low, high);
        for (at[c] = low[c]; at[c] <= high[c]; at[c]++) {
            for (at[b] = low[b]; at[b] <= high[b]; at[b]++) {
                for (at[axis] = low[axis]; at[axis] <= high[axis]; at[axis]++) {
                    at[axis] = gy_thin_next(s, g, axis, at, high[axis], &through);
                    for (; at[axis] <= high[axis]; at[axis]++) {
                        met[axis][at[0] + 17 * (at[1] + 17 * at[2])] = 1;
                        count++;
                        if (at[axis] >= through)
                            break;
                    }
                }
            }
        }
    }
    return count;
}

// What is passed over because of what an array's slopes say would have been found the same.
static void slopes_save_looks_alone(void **state)
{
    (void)state;
    enum { N = 20 };
    static float data[N * N * N];
    static uint8_t met[2][3][17 * 17 * 17];
    const gyre_grid g = {.dim = 3, .n = {16, 16, 16}, .h = 1.0f / 16};
    for (int round = 0; round < 6; round++) {
        for (int q = 0; q < N * N * N; q++) {
            float x = (float)(q % N) - 9.5f, y = (float)(q / N % N) - 9.5f,
                  z = (float)(q / N / N) - 9.5f;
            float r = gy_sqrtf(x * x + y * y + z * z);
            data[q] = round % 2 ? (r < 6.5f ? 1.0f : -1.0f) * (r - 3.0f) : 7.0f - r;
        }
        const gyre_volume volume = {data, {N, N, N}, NULL};
        gyre_shape shape = gyre_volume_shape(volume, (const float[3]){-0.3f, -0.3f, -0.3f},
                                             (const float[3]){0.6f, 0.6f, 0.6f}, 0.0f);
        gyre_pose pose = {0};
        for (int a = 0; a < 3; a++) {
            pose.position[a] = 0.5f + 0.01f * (float)(round * a);
            pose.rotation[a] = 17.0f * (float)(round * (a + 1));
        }
        gy_solid plain = gy_solid_make_posed(&shape, &pose, 3), known = plain;
        gy_solid_find_reach(&known);
        assert_true(known.inverse > 0.0);
        int looked = faces_met(&plain, &g, met[0]), passed = faces_met(&known, &g, met[1]);
        assert_in_range(looked, 200, 3 * 17 * 17 * 17);
        assert_int_equal(passed, looked);
        assert_memory_equal(met[0], met[1], sizeof met[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_part),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(small_ones_count_or_are_told),
        cmocka_unit_test(painted_lines_part),
        cmocka_unit_test(slopes_save_looks_alone),
        cmocka_unit_test(scenes_tell),
        cmocka_unit_test(open_meshes_are_told),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
