// labels: small golden
// Sheets: walls without thickness in a gas. What they part stays parted to the last bit, they come
// and go without a trace, and what cannot be one is refused.
#include "shape/cross.h"
#include "solve/faces.h"
#include "test/sheet_rig.h"

#include <stdio.h>

// Across x at about a place, leaning by so much over a metre of each other axis.
static gyre_gas_sheet panel(double x, double lean)
{
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PANEL);
    const float corner[3] = {(float)(x - 2 * lean), -1, -1}, along[3] = {(float)(3 * lean), 3, 0},
                across[3] = {(float)lean, 0, 3};
    memcpy(s.form.as.panel.corner, corner, sizeof corner);
    memcpy(s.form.as.panel.along, along, sizeof along);
    memcpy(s.form.as.panel.across, across, sizeof across);
    return s;
}

static gyre_gas_sheet parting(int dim, double x, double lean)
{
    return dim == 2 ? line(x - 2 * lean, -1, x + lean, 2) : panel(x, lean);
}

static void hold(gyre_gas_def *def, gyre_gas_sheet *sheets, int count)
{
    def->sheets = (gyre_pool){sheets, count, count};
}

static double swirl(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    return sin(7 * x[(axis + 1) % 3] + 3 * x[axis] + axis) + 0.5 * cos(19 * x[axis]);
}

// 1 in the cells of one region, 0 elsewhere.
static void fill_region(gyre_gas *gas, const int *label, int region)
{
    gyre_field_view v;
    must(gyre_gas_map(gas, gas->velocities, GYRE_WRITE, &v));
    for (int c = 0; c < v.n[0] * v.n[1] * v.n[2]; c++)
        v.data[c % v.n[0] + c / v.n[0] % v.n[1] * v.stride[1] + c / v.n[0] / v.n[1] * v.stride[2]] =
            label[c] == region;
    must(gyre_gas_unmap(gas, gas->velocities));
}

// Smoke of 1 on one side is 0 on the other to the last bit, and none of it is lost.
static void parts_the_gas(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int lean = 0; lean < 3; lean++)
            for (int spreads = 0; spreads < 2; spreads++) {
                int n = dim == 2 ? 37 : 18, steps = dim == 2 ? 300 : 100;
                static int label[37 * 37 * 18];
                gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n,
                                             spreads ? GYRE_GAS_SIDE_NO_SLIP : GYRE_GAS_SIDE_SLIP);
                gyre_gas_sheet s = parting(dim, 0.45, lean == 2 ? 0.5 : 0.1 * lean);
                def.density.diffusivity = spreads ? 1e-3f : 0.0f;
                def.gravity[1] = -9.81f;
                def.density_weight = 1;
                hold(&def, &s, 1);
                gyre_gas *gas = make(&def);
                assert_int_equal(regions(gas, label), 2);
                fill_region(gas, label, 1);
                for (int a = 0; a < dim; a++)
                    set_field(gas, a, swirl, &a);
                double before = total(gas, "density");
                for (int q = 0; q < steps; q++)
                    must(gyre_gas_step(gas, 0.01f));
                assert_true(gyre_gas_get_stats(gas).max_speed > 0.01f);
                for (int c = 0; c < n * n * (dim == 3 ? n : 1); c++) {
                    float x = *sample(gas, gas->velocities, c % n, c / n % n, c / n / n);
                    if (label[c] == 2 ? x != 0.0f : x == 0.0f)
                        fail_msg("%dD, lean %d: cell %d of region %d holds %g", dim, lean, c,
                                 label[c], (double)x);
                }
                assert_true(fabs(total(gas, "density") - before) < 2e-6 * before);
                gyre_gas_destroy(gas);
            }
}

// The velocities of shut faces are 0.
static void rests_where_it_is_shut(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 24, 20, 1, 0.05f, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s = line(0.2, 0.3, 0.9, 0.71);
    hold(&def, &s, 1);
    gyre_gas *gas = make(&def);
    for (int a = 0; a < 2; a++)
        set_field(gas, a, swirl, &a);
    for (int q = 0; q < 20; q++)
        must(gyre_gas_step(gas, 0.02f));
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    int shut = 0;
    for (int a = 0; a < 2; a++)
        for (int j = a; j < 20; j++)
            for (int i = 1 - a; i < 24; i++)
                if (!*gy_coefficient(&g, a, i, j, 0)) {
                    assert_true(*sample(gas, a, i, j, 0) == 0.0f);
                    shut++;
                }
    assert_true(shut >= 14 && shut == (int)gas->shut);
    assert_true(gyre_gas_get_stats(gas).div_max_after < 0.05f);
    gyre_gas_destroy(gas);
}

// A ring across the seams of a periodic domain encloses what it encloses in the middle.
static void goes_round_seams(void **state)
{
    (void)state;
    static float ring[32][2];
    static int label[30 * 26];
    gyre_gas_def def = still_def(2, 30, 26, 1, 1.0f, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PATH);
    for (int q = 0; q < 32; q++) {
        ring[q][0] = (float)(8.3 * cos(2 * pi * q / 32));
        ring[q][1] = (float)(8.3 * sin(2 * pi * q / 32));
    }
    s.form.as.path.points = (gyre_volume){&ring[0][0], {2, 32, 1}, "ring"};
    s.form.as.path.closed = true;
    int enclosed = 0;
    for (int trial = 0; trial < 20; trial++) {
        s.pose.position[0] = (float)(7 * trial) + 0.25f;
        s.pose.position[1] = (float)(-5 * trial) + 0.5f;
        hold(&def, &s, 1);
        gyre_gas *gas = make(&def);
        assert_int_equal(regions(gas, label), 2);
        int cells[3] = {0, 0, 0};
        for (int c = 0; c < 30 * 26; c++)
            cells[label[c]]++;
        int less = cells[1] < cells[2] ? cells[1] : cells[2];
        assert_true(cells[0] == 0 && less > 180 && (trial == 0 || less == enclosed));
        enclosed = less;
        gyre_gas_destroy(gas);
    }
}

static uint64_t openness(gyre_gas *gas)
{
    const gy_level *l = gy_system_level(&gas->pressure, 0);
    uint64_t hash = 0;
    for (int a = 0; a < gas->extent.dim; a++)
        hash = gy_hash(gy_system_coefficients_start(&gas->pressure, l->open[a]),
                       gy_system_vector_bytes(&gas->pressure) / 2, hash);
    return hash;
}

// Sheets and solids come, move and go in any order: what is left is as if made so.
static void leaves_no_trace(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 2 ? 30 : 14;
        gyre_gas_def def =
            still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid ball = sphere(0.4, 0.5, 0.5, 0.2);
        gyre_gas_sheet none[2] = {parting(dim, 0.4, 0.2), parting(dim, 0.5, -0.1)};
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
        def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
        def.sheets.capacity = 2;
        gyre_gas *gas = make(&def);
        uint64_t bare = openness(gas);
        gyre_id first = gyre_gas_add_sheet(gas, &none[0]);
        assert_true(first != 0 && openness(gas) != bare);
        gyre_id solid = gyre_gas_add_solid(gas, &ball), second = gyre_gas_add_sheet(gas, &none[1]);
        assert_true(solid && second);
        must(gyre_gas_step(gas, 0.01f));
        for (int q = 0; q < 5; q++) {
            gyre_gas_sheet moved;
            must(gyre_gas_read_sheet(gas, first, &moved));
            moved.pose.position[0] += 0.037f;
            moved.pose.rotation[2] += 11;
            must(gyre_gas_update_sheet(gas, first, &moved));
            ball.pose.position[1] = 0.02f * (float)q;
            must(gyre_gas_update_solid(gas, solid, &ball));
            must(gyre_gas_step(gas, 0.01f));
        }
        gyre_gas_sheet both[2];
        must(gyre_gas_read_sheet(gas, first, &both[0]));
        must(gyre_gas_read_sheet(gas, second, &both[1]));
        gyre_gas_def same = def;
        same.solids = (gyre_pool){&ball, 1, 2};
        same.sheets = (gyre_pool){both, 2, 2};
        gyre_gas *anew = make(&same);
        assert_int_equal(openness(anew), openness(gas));
        must(gyre_gas_remove(gas, first));
        must(gyre_gas_remove(gas, solid));
        same.solids = (gyre_pool){0};
        same.sheets = (gyre_pool){both + 1, 1, 1};
        gyre_gas *one = make(&same);
        assert_int_equal(openness(one), openness(gas));
        must(gyre_gas_set(gas, "sheets.0.enabled", gyre_bool(false)));
        must(gyre_gas_step(gas, 0.01f));
        assert_int_equal(openness(gas), bare);
        assert_int_equal(gas->shut, 0);
        gyre_gas_destroy(one);
        gyre_gas_destroy(anew);
        gyre_gas_destroy(gas);
    }
}

static void saves_and_goes_on(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 32, 24, 1, 1.0f / 32, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s[2] = {line(0.3, 0.1, 0.6, 0.9), line(0.1, 0.1, 0.2, 0.2)};
    s[1].enabled = false;
    snprintf(s[0].name, sizeof s[0].name, "sail");
    hold(&def, s, 2);
    def.gravity[1] = -9.81f;
    gyre_gas *gas = make(&def), *other;
    set_constant(gas, gas->velocities + 1, 0);
    gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), (float[]){.3f, .2f, 0}, .1f, 20);
    for (int q = 0; q < 20; q++) {
        must(gyre_gas_set(gas, "sheets.sail.rotation", gyre_vector(3, (float[]){0, 0, (float)q})));
        must(gyre_gas_step(gas, 0.02f));
    }
    size_t size = gyre_gas_save_size(gas), written;
    void *bytes = malloc(size);
    must(gyre_gas_save(gas, bytes, size, &written));
    s[1].enabled = true;
    other = make(&def);
    must(gyre_gas_load(other, bytes, written));
    assert_int_equal(gyre_gas_hash(gas), gyre_gas_hash(other));
    assert_int_equal(openness(gas), openness(other));
    for (int q = 0; q < 10; q++) {
        must(gyre_gas_step(gas, 0.02f));
        must(gyre_gas_step(other, 0.02f));
    }
    assert_int_equal(gyre_gas_hash(gas), gyre_gas_hash(other));
    if (openness(gas) != 0x3f457df0d2bf840du)
        fail_msg("openness %#llx", (unsigned long long)openness(gas));
    free(bytes);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

static void refused(gyre_gas_def *def, gyre_gas_sheet *s, const char *why)
{
    gyre_gas *gas = NULL;
    hold(def, s, 1);
    assert_int_equal(gyre_gas_create(the_device, def, &gas), GYRE_ERROR_ARGUMENT);
    one_line();
    if (!strstr(gyre_message(), why))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), why);
}

static void refuses_what_is_none(void **state)
{
    (void)state;
    static float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}};
    static float triangles[2][3] = {{0, 1, 2}, {0, 1, 4}};
    gyre_gas_def def = still_def(2, 16, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP),
                 deep = still_def(3, 8, 8, 8, 1.0f / 8, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PATH),
                   m = gyre_gas_default_sheet(GYRE_GAS_SHEET_MESH), l = line(0, 0, 1, 1);
    refused(&def, &s, "sheets.0.form.path.points");
    s.form.as.path.points = (gyre_volume){points[0], {3, 1, 1}, NULL};
    refused(&def, &s, "2 to 2^24 points");
    refused(&deep, &l, "sheet in 3D");
    refused(&deep, &m, "mesh.points");
    m.form.as.mesh.points = (gyre_volume){points[0], {3, 3, 1}, NULL};
    refused(&deep, &m, "mesh.triangles");
    m.form.as.mesh.triangles = (gyre_volume){triangles[0], {3, 2, 1}, NULL};
    refused(&def, &m, "sheet in 2D");
    refused(&deep, &m, "triangle 1 has the point 4");
    m.form.as.mesh.points.n[1] = 4;
    m.form.as.mesh.triangles.n[1] = 1;
    refused(&deep, &m, "not finite");
    m.form.as.mesh.points.n[1] = 3;
    points[2][1] = 65;
    refused(&deep, &m, "periodic axis y");
    def.pressure.solver = GYRE_SOLVER_FFT;
    refused(&def, &l, "fft");
    def.pressure.solver = GYRE_SOLVER_AUTO;
    // One that goes is refused what one that comes is.
    gyre_gas *gas;
    must(gyre_gas_create(the_device, &def, &gas));
    uint64_t before = gyre_gas_hash(gas);
    assert_int_equal(gyre_gas_set(gas, "sheets.0.position", gyre_vector(3, (float[]){NAN, 0, 0})),
                     GYRE_ERROR_ARGUMENT);
    one_line();
    assert_int_equal(gyre_gas_hash(gas), before);
    assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
    must(gyre_gas_set(gas, "sheets.0.form.line.to", gyre_vector(3, (float[]){0.01f, 0.02f, 0})));
    must(gyre_gas_step(gas, 0.1f));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 1);
    must(gyre_gas_set(gas, "sheets.0.position", gyre_vector(3, (float[]){0, 7, 0})));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 1); // it is elsewhere
    must(gyre_gas_set(gas, "sheets.0.form.line.to", gyre_vector(3, (float[]){0.9f, 0.8f, 0})));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 1);
    must(gyre_gas_set(gas, "sheets.0.position", gyre_vector(3, (float[]){0, 0, 0})));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
    gyre_gas_destroy(gas);
}

/// A grid that goes along leaves a sheet behind, which is told then, and found again.
static void is_told_when_left_behind(void **state)
{
    (void)state;
    gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
    sheet.form.as.line = (struct gyre_gas_sheet_line){{0.2f, 0.1f, 0}, {0.4f, 0.8f, 0}};
    gyre_gas_def def = still_def(2, 32, 32, 1, 1.0f / 32.0f, GYRE_GAS_SIDE_OPEN);
    def.sheets = (gyre_pool){&sheet, 1, 1};
    gyre_gas *gas;
    must(gyre_gas_create(the_device, &def, &gas));
    gyre_model *model = gyre_gas_model(gas);
    assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
    must(gyre_model_shift(model, (const int[3]){8, 0, 0}));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 0); // a part is still there
    must(gyre_model_shift(model, (const int[3]){8, 0, 0}));
    must(gyre_gas_step(gas, 0.1f));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 1);
    assert_true(gyre_model_missed(model, 0) != 0);
    must(gyre_model_shift(model, (const int[3]){-16, 0, 0}));
    assert_int_equal(gyre_gas_get_stats(gas).missed, 0);
    assert_true(gyre_model_missed(model, 0) == 0);
    gyre_gas_destroy(gas);
}

/// Derived fields of one side know nothing of the other: a stream of 1 below a sheet has no
/// vorticity where it slides, and u / h where it sticks, whatever blows above.
static void derives_of_one_side(void **state)
{
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        const float h = 1.0f / 16.0f;
        gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
        sheet.form.as.line = (struct gyre_gas_sheet_line){{-1, 0.5f, 0}, {2, 0.5f, 0}};
        gyre_gas_def def = still_def(2, 32, 16, 1, h, GYRE_GAS_SIDE_SLIP);
        def.sheets = (gyre_pool){&sheet, 1, 1};
        def.solid_slip = slip;
        gyre_gas *gas;
        must(gyre_gas_create(the_device, &def, &gas));
        gyre_field_view v;
        must(gyre_gas_map(gas, 0, GYRE_WRITE, &v));
        for (int j = 0; j < 16; j++) {
            for (int i = 0; i <= 32; i++) {
                v.data[i + j * v.stride[1]] = i % 32 == 0 ? 0.0f : j < 8 ? 1.0f : -3.0f * (float)j;
            }
        }
        must(gyre_gas_unmap(gas, 0));
        int field = gyre_model_field(gyre_gas_model(gas), "vorticity");
        must(gyre_gas_map(gas, field, GYRE_READ, &v));
        for (int j = 1; j < 8; j++) {
            float expected = j == 7 && !slip ? 1.0f / h : 0.0f;
            assert_true(v.data[16 + j * v.stride[1]] == expected);
        }
        // u is -24 in the row above the sheet and -27 in the next: -0.5 (-27 + beyond) / h.
        float beyond = slip ? 24.0f : -24.0f;
        assert_true(v.data[16 + 8 * v.stride[1]] == -0.5f * (-27.0f + beyond) / h);
        must(gyre_gas_unmap(gas, field));
        gyre_gas_destroy(gas);
    }
}

// A probe a hair beyond a sheet reads what is there, and nothing of what is before it.
static void probes_stay_on_their_side(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int slip = 0; slip < 2; slip++)
            for (int axis = 0; axis < dim; axis++) {
                gyre_gas_def def =
                    still_def(dim, 20, 18, dim == 3 ? 16 : 1, 0.5f, GYRE_GAS_SIDE_SLIP);
                gyre_gas_sheet s =
                    gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
                const float flat[3] = {5, 5, 5};
                for (int a = 0; a < 3; a++) {
                    bool along = a == (axis + 1) % dim, across = dim == 3 && a == (axis + 2) % 3;
                    if (dim == 3) {
                        s.form.as.panel.corner[a] = a == axis ? flat[a] : -9;
                        s.form.as.panel.along[a] = along ? 40 : 0;
                        s.form.as.panel.across[a] = across ? 40 : 0;
                    } else {
                        s.form.as.line.from[a] = a == axis ? flat[a] : -9;
                        s.form.as.line.to[a] = a == axis ? flat[a] : 40;
                    }
                }
                def.solid_slip = slip;
                def.sheets = (gyre_pool){&s, 1, 1};
                gyre_gas *gas = make(&def);
                gyre_model *model = gyre_gas_model(gas);
                // Before it 7 of all that is, beyond it nothing.
                for (int f = 0; f < gas->states; f++) {
                    gyre_field_view v;
                    must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
                    for (int k = 0; k < v.n[2]; k++)
                        for (int j = 0; j < v.n[1]; j++)
                            for (int i = 0; i < v.n[0]; i++) {
                                const int at[3] = {i, j, k};
                                v.data[i + j * v.stride[1] + k * v.stride[2]] =
                                    at[axis] < 10 ? 7.0f : 0.0f;
                            }
                    must(gyre_gas_unmap(gas, f));
                }
                for (int q = 0; q < 200; q++) {
                    float point[3], before[3] = {0}, beyond[3] = {0}, smoke[2];
                    for (int a = 0; a < 3; a++)
                        point[a] = 0.6f + (float)fmod(0.618 * (q + 1) * (a + 1), 6.5);
                    float off = 0.001f + 0.01f * (float)(q % 20);
                    point[axis] = 5.0f - off;
                    must(gyre_model_probe(model, gas->velocities, point, 1, &smoke[0]));
                    must(gyre_model_probe_vector(model, "velocity", point, 1, before));
                    point[axis] = 5.0f + off;
                    must(gyre_model_probe(model, gas->velocities, point, 1, &smoke[1]));
                    must(gyre_model_probe_vector(model, "velocity", point, 1, beyond));
                    assert_true(fabsf(smoke[0] - 7.0f) < 1e-5f && smoke[1] == 0.0f);
                    for (int a = 0; a < dim; a++) {
                        // Where it sticks a velocity goes to 0 at the sheet.
                        assert_true(beyond[a] == 0.0f);
                        if (slip && a != axis)
                            assert_true(fabsf(before[a] - 7.0f) < 1e-5f);
                        else if (a != axis)
                            assert_true(fabsf(before[a] - 7.0f * off / 0.25f) < 1e-4f);
                    }
                }
                gyre_gas_destroy(gas);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_the_gas),
        cmocka_unit_test(rests_where_it_is_shut),
        cmocka_unit_test(goes_round_seams),
        cmocka_unit_test(leaves_no_trace),
        cmocka_unit_test(saves_and_goes_on),
        cmocka_unit_test(refuses_what_is_none),
        cmocka_unit_test(is_told_when_left_behind),
        cmocka_unit_test(derives_of_one_side),
        cmocka_unit_test(probes_stay_on_their_side),
    };
#if defined(GYRE_STAND_IN_CMOCKA_H) || !defined(NDEBUG)
    // Under an emulator, and unoptimised: the bits alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(saves_and_goes_on)};
    if (!getenv("GYRE_TEST_ALL")) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
#endif
    return cmocka_run_group_tests(tests, open_device, close_device);
}
