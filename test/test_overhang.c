// Sheets of water in the air as they are seen: closed whatever is torn, as much as flies, joined to
// the waves that throw them.
// labels: small
#include "water_case.h"

enum { NX = 160, NY = 24 };
static const double H = 0.1;

static gyre_water_block dam;

/// A dam breaks over half a metre of water; as `shape` says it is straight, or bends the bore.
static gyre_water_def breaker(bool bent)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, NX, NY, (float)H);
    dam = gyre_water_default_block();
    if (bent) {
        dam.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE};
        const float centre[3] = {2, 0, 0};
        memcpy(dam.shape.as.sphere.centre, centre, sizeof centre);
        dam.shape.as.sphere.radius = 3.0f;
    } else {
        dam.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX};
        const float centre[3] = {2, 4, 0}, size[3] = {4, 10, 10};
        memcpy(dam.shape.as.box.centre, centre, sizeof centre);
        memcpy(dam.shape.as.box.size, size, sizeof size);
    }
    dam.level = 1.0f;
    def.level = -0.5f;
    def.blocks = (gyre_pool){&dam, 1, 1};
    def.breaking.fronts = 16;
    def.breaking.patches = 6000;
    return def;
}

static double amount_of_patches(gyre_water *water)
{
    gyre_model *model = gyre_water_model(water);
    int set = gyre_model_particle_set(model, "patches");
    gyre_particle_view view;
    OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
    const gyre_particle_info *info = gyre_model_particles(model, set);
    const float *amount = view.data[info->attributes[4].array];
    double sum = 0.0;
    for (int k = 0; k < view.count; k++) {
        sum += (double)amount[k];
    }
    OK(gyre_model_unmap_particles(model, set, view.count));
    double h = (double)gyre_model_grid(model)->h;
    return sum * h * h;
}

static double surface[NY][NX];

/// The surface in the middles of cells.
static void take_surface(gyre_water *water)
{
    for (int k = 0; k < NX * NY; k++) {
        const float at[2] = {(float)((k % NX + 0.5) * H), (float)((k / NX + 0.5) * H)};
        gyre_water_sample s = {0};
        OK(gyre_water_query(water, at, 1, &s));
        surface[k / NX][k % NX] = (double)s.height;
    }
}

/// As it is mixed between them, beyond the outermost as there.
static double surface_at(double x, double y)
{
    double a = fmin(fmax(x / H - 0.5, 0.0), NX - 1.0), b = fmin(fmax(y / H - 0.5, 0.0), NY - 1.0);
    int i = a < NX - 2 ? (int)a : NX - 2, j = b < NY - 2 ? (int)b : NY - 2;
    double low = surface[j][i] + (surface[j][i + 1] - surface[j][i]) * (a - i);
    double high = surface[j + 1][i] + (surface[j + 1][i + 1] - surface[j + 1][i]) * (a - i);
    return low + (high - low) * (b - j);
}

/// What of a closed mesh lies above the water, m^3: of each triangle the columns down to it, less
/// than nothing where it looks down, by the middles of 1024 parts.
static double above_water(const gyre_mesh *mesh)
{
    enum { PARTS = 32 };
    double sum = 0.0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        double p[3][3], mean = 0.0;
        for (int k = 0; k < 9; k++) {
            int at = mesh->triangles[3 * (ptrdiff_t)t + k / 3];
            p[k / 3][k % 3] = (double)mesh->points[3 * (ptrdiff_t)at + k % 3];
        }
        for (int u = 0; u < PARTS; u++) {
            for (int v = 0; u + v < PARTS; v++) {
                for (int half = 0; half < 1 + (u + v < PARTS - 1); half++) {
                    double b = (u + (1 + half) / 3.0) / PARTS, c = (v + (1 + half) / 3.0) / PARTS;
                    double at[3];
                    for (int q = 0; q < 3; q++) {
                        at[q] = p[0][q] + b * (p[1][q] - p[0][q]) + c * (p[2][q] - p[0][q]);
                    }
                    mean += fmax(at[2] - surface_at(at[0], at[1]), 0.0) / (PARTS * PARTS);
                }
            }
        }
        double area =
            (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
        sum += 0.5 * area * mean;
    }
    return sum;
}

static void check(const gyre_mesh *mesh)
{
    gyre_mesh_report report;
    OK(gyre_mesh_check(mesh));
    OK(gyre_mesh_inspect(NULL, mesh, &report));
    if (mesh->triangle_count > 0) {
        assert_true(report.closed && report.oriented);
        assert_int_equal(report.boundary_edges, 0);
        assert_int_equal(report.crowded_edges, 0);
        assert_int_equal(report.flipped_edges, 0);
        assert_int_equal(report.unused_points, 0);
    }
}

/// While bores run, straight and bent, meet walls and fall back: closed in every step, and above
/// the water as much as flies; asking for it changes nothing.
static void test_closed(void **state)
{
    (void)state;
    for (int bent = 0; bent < 2; bent++) {
        gyre_water_def def = breaker(bent);
        gyre_water *water = make(&def);
        gyre_model *model = gyre_water_model(water);
        double worst = 0.0, most = 0.0;
        int seen = 0, parts = 0, triangles = 0;
        for (int step = 0; step < 300; step++) {
            gyre_mesh mesh;
            gyre_mesh_report report;
            run(water, 1, 1.0f / 60);
            uint64_t hash = gyre_water_hash(water);
            OK(gyre_model_overhang(model, &mesh));
            check(&mesh);
            assert_true(gyre_water_hash(water) == hash);
            double flies = amount_of_patches(water);
            most = fmax(most, flies);
            assert_true((flies > 0.0) == (mesh.triangle_count > 0));
            triangles = mesh.triangle_count > triangles ? mesh.triangle_count : triangles;
            if (flies > 0.0) {
                take_surface(water);
                double off = above_water(&mesh) / flies - 1.0;
                OK(gyre_mesh_inspect(NULL, &mesh, &report));
                parts = report.parts > parts ? report.parts : parts;
                worst = fmax(worst, fabs(off));
                seen++;
            }
        }
        printf("%s: %.3f m^3 fly at most, in %d triangles, %d pieces; in none of %d steps does the "
               "surface hold more than %.4f of it more or less\n",
               bent ? "bent" : "straight", most, triangles, parts, seen, worst);
        // The surface's own bound is 1e-4; the rest is this test's sum's.
        assert_true(seen > 200 && triangles > 500 && worst < 0.003);
        gyre_water_destroy(water);
    }
}

/// The highest of a mesh over a place; below -1e8: there is none.
static double top_of(const gyre_mesh *mesh, double x, double y)
{
    double top = -1e9;
    for (int t = 0; t < mesh->triangle_count; t++) {
        double w[3], all = 0.0, z = 0.0;
        const float *p[3];
        for (int c = 0; c < 3; c++) {
            p[c] = mesh->points + 3 * (ptrdiff_t)mesh->triangles[3 * (ptrdiff_t)t + c];
        }
        for (int c = 0; c < 3; c++) {
            const float *q = p[(c + 1) % 3], *r = p[(c + 2) % 3];
            w[c] =
                ((double)q[0] - x) * ((double)r[1] - y) - ((double)q[1] - y) * ((double)r[0] - x);
            all += w[c];
        }
        for (int c = 0; c < 3; c++) {
            z += w[c] / all * (double)p[c][2];
        }
        if ((w[0] >= 0 && w[1] >= 0 && w[2] >= 0) || (w[0] <= 0 && w[1] <= 0 && w[2] <= 0)) {
            top = fmax(top, all != 0.0 ? z : top);
        }
    }
    return top;
}

/// From each particle that was thrown last back to the wave there is water all the way: no column
/// without the sheet before one in which it has gone below the surface.
static void test_joined(void **state)
{
    (void)state;
    gyre_water_def def = breaker(false);
    gyre_water *water = make(&def);
    gyre_model *model = gyre_water_model(water);
    int set = gyre_model_particle_set(model, "patches"), looked = 0, gaps = 0, alone = 0, all = 0;
    for (int step = 0; step < 120; step++) {
        gyre_mesh mesh;
        gyre_particle_view view;
        gyre_water_front front[16];
        run(water, 1, 1.0f / 60);
        int fronts = gyre_water_fronts(water, front, 16);
        OK(gyre_model_overhang(model, &mesh));
        if (step % 5 != 0 || fronts != 1 || mesh.triangle_count == 0) {
            continue;
        }
        float *copy = malloc(3 * (size_t)mesh.point_count * sizeof *copy);
        int32_t *corners = malloc(3 * (size_t)mesh.triangle_count * sizeof *corners);
        memcpy(copy, mesh.points, 3 * (size_t)mesh.point_count * sizeof *copy);
        memcpy(corners, mesh.triangles, 3 * (size_t)mesh.triangle_count * sizeof *corners);
        mesh.points = copy;
        mesh.triangles = corners;
        OK(gyre_model_map_particles(model, set, GYRE_READ, &view));
        const gyre_particle_info *info = gyre_model_particles(model, set);
        const int32_t *row = view.data[info->attributes[6].array];
        const float *age = view.data[info->attributes[1].array];
        int32_t last = view.count > 0 ? row[view.count - 1] : 0;
        float places[NX][3];
        int count = 0;
        for (int k = 0; k < view.count; k++) {
            for (int a = 0; row[k] == last && age[k] < 0.05f && a < 3 && count < NX; a++) {
                places[count][a] = ((float *)view.data[a])[k];
                count += a == 2;
            }
        }
        OK(gyre_model_unmap_particles(model, set, view.count));
        for (int k = 0; k < count; k++) {
            float at[2] = {places[k][0], places[k][1]};
            bool met = false, begun = false;
            for (int n = 0; n < 80 && !met; n++, at[0] -= 0.005f) {
                gyre_water_sample s;
                OK(gyre_water_query(water, at, 1, &s));
                double top = top_of(&mesh, (double)at[0], (double)at[1]);
                met = top > -1e8 && top < (double)s.height;
                begun = begun || top > -1e8 || n == 6; // tiles are eased
                gaps += begun && top < -1e8;
                looked++;
            }
            alone += !met;
            all++;
        }
        free(copy);
        free(corners);
    }
    printf(
        "joined: %d columns from %d particles back to the wave, %d of them open; %d without end\n",
        looked, all, gaps, alone);
    assert_true(all > 100 && gaps == 0 && alone == 0);
    gyre_water_destroy(water);
}

enum { ROWS = 7, PLACES = 9 };

/// Sheets written by hand: whole, with holes and slits, with tiles far off, numbers twice.
static void test_torn(void **state)
{
    (void)state;
    gyre_water_def def = breaker(false);
    def.level = -2.0f;
    def.blocks.count = 0;
    gyre_water *water = make(&def);
    gyre_model *model = gyre_water_model(water);
    int set = gyre_model_particle_set(model, "patches");
    const gyre_particle_info *info = gyre_model_particles(model, set);
    uint32_t seed = 1;
    for (int story = 0; story < 400; story++) {
        gyre_particle_view view;
        gyre_mesh mesh;
        gyre_mesh_measures m;
        int count = 0;
        double amount = 0.0;
        OK(gyre_model_map_particles(model, set, GYRE_WRITE, &view));
        for (int k = 0; k < ROWS * PLACES; k++) {
            float noise[3];
            for (int a = 0; a < 3; a++) {
                seed = seed * 1664525u + 1013904223u;
                noise[a] = (float)(seed >> 8) / 16777216.0f - 0.5f;
            }
            if (story > 0 && noise[0] > 0.5f - 0.01f * (float)(story % 60)) {
                continue;
            }
            float off = story > 0 && noise[1] > 0.48f ? 3.0f : 0.0f, wild = story > 0 ? 0.06f : 0;
            const float at[3] = {4.0f - 0.06f * (float)(k / PLACES) + wild * noise[2],
                                 0.5f + 0.1f * (float)(k % PLACES) + wild * noise[1],
                                 2.0f + off + 0.04f * (float)(k / PLACES) + wild * noise[0]};
            for (int a = 0; a < 3; a++) {
                ((float *)view.data[a])[count] = at[a];
                ((float *)view.data[info->attributes[3].array + a])[count] = a == 0 ? 3.0f : 0.0f;
            }
            float own = 0.06f * (1.0f + 0.5f * wild * noise[2]);
            ((float *)view.data[info->attributes[1].array])[count] = 0.1f;
            ((float *)view.data[info->attributes[4].array])[count] = own;
            ((int32_t *)view.data[info->attributes[2].array])[count] = count;
            ((int32_t *)view.data[info->attributes[5].array])[count] = 1;
            ((int32_t *)view.data[info->attributes[6].array])[count] = k / PLACES;
            bool twice = story % 7 == 6 && noise[1] < -0.4f;
            ((int32_t *)view.data[info->attributes[7].array])[count] = k % PLACES - twice;
            amount += (double)own * H * H;
            count++;
        }
        OK(gyre_model_unmap_particles(model, set, count));
        OK(gyre_model_overhang(model, &mesh));
        check(&mesh);
        OK(gyre_mesh_measure(&mesh, &m));
        if (story == 0) {
            gyre_mesh_report report;
            OK(gyre_mesh_inspect(NULL, &mesh, &report));
            assert_int_equal(report.parts, 1);
            assert_int_equal(mesh.point_count, 2 * (ROWS + 1) * (PLACES + 1));
            printf("whole: %.6f m^3 of %.6f\n", m.volume, amount);
            assert_true(fabs(m.volume / amount - 1.0) < 1e-4);
        } else {
            assert_true(fabs(m.volume / amount - 1.0) < 2e-4);
        }
    }
    gyre_water_destroy(water);
}

/// The same for any number of threads.
static void test_same(void **state)
{
    (void)state;
    float *first = NULL;
    int count = 0;
    gyre_device *own = device;
    for (int k = 0; k < 2; k++) {
        device = device_of(k == 0 ? 1 : 3, k == 1 ? gyre_isa_name(0) : NULL);
        gyre_water_def def = breaker(true);
        gyre_water *water = make(&def);
        gyre_mesh mesh;
        run(water, 70, 1.0f / 60);
        OK(gyre_model_overhang(gyre_water_model(water), &mesh));
        assert_true(mesh.triangle_count > 100);
        size_t size = 3 * (size_t)mesh.point_count * sizeof *first;
        if (k == 0) {
            first = malloc(size);
            memcpy(first, mesh.points, size);
            count = mesh.point_count;
        } else {
            assert_int_equal(mesh.point_count, count);
            assert_memory_equal(mesh.points, first, size);
        }
        gyre_water_destroy(water);
        gyre_device_destroy(device);
    }
    free(first);
    device = own;
}

/// What has none has no triangles.
static void test_none(void **state)
{
    (void)state;
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 32, 32, 0.1f);
    gyre_water *water = make(&def);
    gyre_mesh mesh = {.triangle_count = 7};
    OK(gyre_model_overhang(gyre_water_model(water), &mesh));
    assert_int_equal(mesh.triangle_count, 0);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torn), cmocka_unit_test(test_closed), cmocka_unit_test(test_joined),
        cmocka_unit_test(test_same), cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
