// test/test_seen_sheets.c: sheets in pictures lie where they are, to the pixel.
// labels: small
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/gyre.h"
#include "gyre/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96 };

static gyre_device *device;
static gyre_image image, bare;

static void must(gyre_result result)
{
    if (result != GYRE_OK)
        fail_msg("%s", gyre_message());
}

static int open_device(void **state)
{
    (void)state;
    return gyre_device_create(NULL, &device) || gyre_image_create(SIDE, SIDE, &image) ||
           gyre_image_create(SIDE, SIDE, &bare);
}

static int close_device(void **state)
{
    (void)state;
    gyre_image_free(&image);
    gyre_image_free(&bare);
    gyre_device_destroy(device);
    return 0;
}

/// A gas a metre wide with one sheet.
static gyre_gas *make(int dim, gyre_gas_sheet *sheet)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas *gas = NULL;
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = 24;
    def.grid.h = 1.0f / 24.0f;
    def.sheets = (gyre_pool){sheet, 1, 1};
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

static gyre_gas_sheet panel_of(float slope)
{
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PANEL);
    const struct gyre_gas_sheet_panel panel = {
        .corner = {0.3f, 0.2f, 0.2f}, .along = {0.25f, 0.6f, slope}, .across = {0.4f, 0, 0.3f}};
    s.form.as.panel = panel;
    return s;
}

static gyre_render_input input_of(const gyre_grid *grid)
{
    gyre_render_input input = {.grid = grid,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
    const float from[3] = {1.2f, 0.9f, 3.0f}, at[3] = {0.5f, 0.5f, 0.5f};
    memcpy(input.camera.position, from, sizeof from);
    memcpy(input.camera.target, at, sizeof at);
    input.camera.field_of_view = 20.0f;
    input.settings.floor = false;
    return input;
}

static bool differs(int x, int y)
{
    const uint8_t *p = image.rgb + 3 * (y * SIDE + x), *q = bare.rgb + 3 * (y * SIDE + x);
    return abs(p[0] - q[0]) + abs(p[1] - q[1]) + abs(p[2] - q[2]) > 6;
}

// ---- in 3D

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double a[3])
{
    double length = sqrt(dot(a, a));
    for (int i = 0; i < 3; i++)
        a[i] /= length;
}

/// Whether a pixel's middle shows a panel, by the plane that it lies in.
static bool shows(const gyre_camera *c, const struct gyre_gas_sheet_panel *panel, int x, int y)
{
    double forward[3], up[3], right[3], ray[3], along[3], across[3], normal[3], to[3], at[3];
    for (int i = 0; i < 3; i++) {
        forward[i] = (double)c->target[i] - (double)c->position[i];
        up[i] = (double)c->up[i];
        along[i] = (double)panel->along[i];
        across[i] = (double)panel->across[i];
        to[i] = (double)panel->corner[i] - (double)c->position[i];
    }
    unit(forward);
    cross(forward, up, right);
    unit(right);
    cross(right, forward, up);
    double tall = 2.0 * tan((double)c->field_of_view * 0.00872664626) / SIDE;
    for (int i = 0; i < 3; i++)
        ray[i] = forward[i] +
                 tall * ((x + 0.5 - 0.5 * SIDE) * right[i] + (0.5 * SIDE - y - 0.5) * up[i]);
    cross(along, across, normal);
    double t = dot(to, normal) / dot(ray, normal);
    for (int i = 0; i < 3; i++)
        at[i] = t * ray[i] - to[i];
    double aa = dot(along, along), ac = dot(along, across), cc = dot(across, across);
    double p = dot(at, along), q = dot(at, across), by = aa * cc - ac * ac;
    double u = (p * cc - q * ac) / by, v = (q * aa - p * ac) / by;
    return t > 0.0 && u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0;
}

/// Pixels that show a panel and should not, or the other way round; those on its outline are
/// either.
static int wrong_pixels(const gyre_camera *camera, const struct gyre_gas_sheet_panel *panel,
                        int *seen)
{
    int wrong = 0;
    *seen = 0;
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            int round = 0;
            for (int b = -1; b <= 1; b++)
                for (int a = -1; a <= 1; a++)
                    round += shows(camera, panel, x + a, y + b);
            *seen += round == 9;
            wrong += (round == 0 && differs(x, y)) || (round == 9 && !differs(x, y));
        }
    return wrong;
}

static void panels_have_no_stairs(void **state)
{
    (void)state;
    for (int q = 0; q < 3; q++) {
        gyre_gas_sheet sheet = panel_of(0.1f * (float)q);
        gyre_gas *gas = make(3, &sheet);
        gyre_model *model = gyre_gas_model(gas);
        gyre_field_view solid;
        gyre_mesh mesh;
        int seen;
        assert_int_equal(gyre_model_sheet_count(model), 1);
        must(gyre_model_sheet(model, 0, &mesh));
        assert_int_equal(mesh.triangle_count, 2);
        gyre_render_input input = input_of(gyre_model_grid(model));
        must(gyre_render(device, &input, &bare));
        input.sheets = &mesh;
        input.sheet_count = 1;
        must(gyre_render(device, &input, &image));
        assert_int_equal(wrong_pixels(&input.camera, &sheet.form.as.panel, &seen), 0);
        assert_true(seen > 400);
        must(gyre_render_composed(device, &input, 1, &image));
        input.sheet_count = 0;
        must(gyre_render_composed(device, &input, 1, &bare));
        assert_int_equal(wrong_pixels(&input.camera, &sheet.form.as.panel, &seen), 0);
        must(gyre_render(device, &input, &bare));
        input.sheet_count = 1;
        // With the cells that a gas marks for it, which alone are stairs.
        float points[12];
        int32_t triangles[6];
        memcpy(points, mesh.points, sizeof points);
        memcpy(triangles, mesh.triangles, sizeof triangles);
        const gyre_mesh kept = {points, 4, triangles, 2};
        must(gyre_gas_map(gas, gyre_gas_field(gas, "solid"), GYRE_READ, &solid));
        input.solid = &solid;
        input.sheets = &kept;
        must(gyre_render(device, &input, &image));
        assert_int_equal(wrong_pixels(&input.camera, &sheet.form.as.panel, &seen), 0);
        input.sheet_count = 0;
        must(gyre_render(device, &input, &image));
        int stairs = wrong_pixels(&input.camera, &sheet.form.as.panel, &seen);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("slope %d: %d pixels, as stairs %d wrong\n", q, seen, stairs);
        assert_true(stairs > 10);
        must(gyre_gas_unmap(gas, gyre_gas_field(gas, "solid")));
        gyre_gas_destroy(gas);
    }
}

/// Smoke before a sheet dims it; smoke behind it is not seen through it.
static void sheets_lie_among_smoke(void **state)
{
    (void)state;
    gyre_gas_sheet sheet = panel_of(0.0f);
    gyre_gas *gas = make(3, &sheet);
    gyre_model *model = gyre_gas_model(gas);
    int density = gyre_gas_field(gas, "density"), seen = 0;
    const float flat[12] = {0.2f, 0.2f, 0.5f, 0.8f, 0.2f, 0.5f, 0.2f, 0.8f, 0.5f, 0.8f, 0.8f, 0.5f};
    const int32_t triangles[6] = {0, 1, 2, 3, 2, 1};
    const gyre_mesh mesh = {flat, 4, triangles, 2};
    const struct gyre_gas_sheet_panel panel = {
        .corner = {0.2f, 0.2f, 0.5f}, .along = {0.6f, 0, 0}, .across = {0, 0.6f, 0}};
    for (int before = 0; before < 2; before++) {
        gyre_field_view view;
        must(gyre_gas_map(gas, density, GYRE_WRITE, &view));
        for (int k = 0; k < 24; k++)
            for (int j = 0; j < 24; j++)
                for (int i = 0; i < 24; i++)
                    view.data[i + j * view.stride[1] + k * view.stride[2]] =
                        before ? (k >= 14 ? 0.5f : 0.0f) : (k < 10 ? 0.5f : 0.0f);
        must(gyre_gas_unmap(gas, density));
        must(gyre_gas_map(gas, density, GYRE_READ, &view));
        gyre_render_input input = input_of(gyre_model_grid(model));
        input.settings.shadow = false;
        input.light.ambient = 0.0f;
        input.sheets = &mesh;
        input.sheet_count = 1;
        must(gyre_render(device, &input, &bare));
        input.density = &view;
        must(gyre_render(device, &input, &image));
        for (int y = 1; y < SIDE - 1; y++)
            for (int x = 1; x < SIDE - 1; x++) {
                bool inside = true;
                for (int c = 0; c < 9; c++)
                    inside = inside && shows(&input.camera, &panel, x + c % 3 - 1, y + c / 3 - 1);
                seen += inside;
                if (inside && differs(x, y) != (before == 1))
                    fail_msg("before %d: pixel %d %d", before, x, y);
            }
        must(gyre_gas_unmap(gas, density));
    }
    assert_true(seen > 800);
    gyre_gas_destroy(gas);
}

// ---- in maps and slices

/// Pixels that differ lie at the line from p to q, m; those right on it do.
static void lies_along(const float p[2], const float q[2])
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double at[2] = {(x + 0.5) / SIDE - (double)p[0],
                            (SIDE - y - 0.5) / SIDE - (double)p[1]};
            double way[2] = {(double)(q[0] - p[0]), (double)(q[1] - p[1])};
            double t = (at[0] * way[0] + at[1] * way[1]) / (way[0] * way[0] + way[1] * way[1]);
            t = fmin(fmax(t, 0.0), 1.0);
            double far = SIDE * hypot(at[0] - t * way[0], at[1] - t * way[1]);
            if (far < 0.7 ? !differs(x, y) : far > 2.5 && differs(x, y))
                fail_msg("pixel %d %d, %g away", x, y, far);
        }
}

static void lines_lie_where_sheets_do(void **state)
{
    (void)state;
    const float p[2] = {0.22f, 0.31f}, q[2] = {0.71f, 0.82f}, up[2] = {0.425f, 0.2f},
                down[2] = {0.65f, 0.8f};
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
        memcpy(sheet.form.as.line.from, p, sizeof p);
        memcpy(sheet.form.as.line.to, q, sizeof q);
        if (dim == 3) {
            const struct gyre_gas_sheet_panel panel = {
                .corner = {0.425f, 0.2f, 0.1f}, .along = {0.225f, 0.6f, 0}, .across = {0, 0, 0.8f}};
            sheet.form.kind = GYRE_GAS_SHEET_PANEL;
            sheet.form.as.panel = panel;
        }
        gyre_gas *gas = make(dim, &sheet);
        gyre_model *model = gyre_gas_model(gas);
        gyre_field_view solid;
        gyre_mesh mesh;
        must(gyre_model_sheet(model, 0, &mesh));
        float points[12];
        int32_t triangles[6];
        memcpy(points, mesh.points, 3 * (size_t)mesh.point_count * sizeof *points);
        memcpy(triangles, mesh.triangles, 3 * (size_t)mesh.triangle_count * sizeof *triangles);
        const gyre_mesh kept = {points, mesh.point_count, triangles, mesh.triangle_count};
        must(gyre_gas_map(gas, gyre_gas_field(gas, "solid"), GYRE_READ, &solid));
        gyre_render_input input = input_of(gyre_model_grid(model));
        float empty[24 * 24 * 24] = {0};
        gyre_field_view nothing = solid;
        nothing.data = empty;
        nothing.stride[1] = 24;
        nothing.stride[2] = 24 * 24;
        input.settings.mode = dim == 3 ? GYRE_MODE_SLICE : GYRE_MODE_AUTO;
        input.settings.slice_axis = 2;
        input.settings.range[1] = 1.0f;
        input.density = &nothing;
        must(gyre_render(device, &input, &bare));
        input.solid = &solid;
        input.sheets = &kept;
        input.sheet_count = 1;
        must(gyre_render(device, &input, &image));
        lies_along(dim == 3 ? up : p, dim == 3 ? down : q);
        must(gyre_gas_unmap(gas, gyre_gas_field(gas, "solid")));
        gyre_gas_destroy(gas);
    }
}

/// What is on one side of a sheet colours nothing on the other, half a cell away from the line on.
static void colours_end_at_sheets(void **state)
{
    (void)state;
    for (int q = 0; q < 5; q++) {
        const float p[2] = {0.41f + 0.01f * (float)q, -0.2f},
                    to[2] = {0.55f - 0.03f * (float)q, 1.2f};
        gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
        memcpy(sheet.form.as.line.from, p, sizeof p);
        memcpy(sheet.form.as.line.to, to, sizeof to);
        gyre_gas *gas = make(2, &sheet);
        gyre_model *model = gyre_gas_model(gas);
        gyre_mesh mesh;
        gyre_field_view view;
        must(gyre_model_sheet(model, 0, &mesh));
        float points[6];
        memcpy(points, mesh.points, sizeof points);
        const int32_t triangle[3] = {0, 1, 1};
        const gyre_mesh kept = {points, 2, triangle, 1};
        must(gyre_gas_map(gas, gyre_gas_field(gas, "density"), GYRE_WRITE, &view));
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                float y = ((float)j + 0.5f) / 24.0f, x = ((float)i + 0.5f) / 24.0f;
                float at = p[0] + (to[0] - p[0]) * (y - p[1]) / (to[1] - p[1]);
                view.data[i + j * view.stride[1]] = x < at ? 1.0f : 0.0f;
            }
        must(gyre_gas_unmap(gas, gyre_gas_field(gas, "density")));
        must(gyre_gas_map(gas, gyre_gas_field(gas, "density"), GYRE_READ, &view));
        gyre_render_input input = input_of(gyre_model_grid(model));
        input.settings.map = GYRE_MAP_GRAY;
        input.settings.range[1] = 1.0f;
        input.density = &view;
        input.sheets = &kept;
        input.sheet_count = 1;
        must(gyre_render(device, &input, &image));
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                float h = ((float)(SIDE - y) - 0.5f) / SIDE;
                float at = p[0] + (to[0] - p[0]) * (h - p[1]) / (to[1] - p[1]);
                float off = (float)x + 0.5f - SIDE * at;
                int shade = image.rgb[3 * (y * SIDE + x)];
                if ((off < -2.0f && shade < 250) || (off > 2.0f && shade > 5))
                    fail_msg("line %d: pixel %d %d, %g from it: %d", q, x, y, (double)off, shade);
            }
        must(gyre_gas_unmap(gas, gyre_gas_field(gas, "density")));
        gyre_gas_destroy(gas);
    }
}

// ---- what is told of them

static void sheets_are_shown_by_their_pose(void **state)
{
    (void)state;
    gyre_gas_sheet sheet = panel_of(0.0f);
    gyre_gas *gas = make(3, &sheet);
    gyre_model *model = gyre_gas_model(gas);
    gyre_mesh mesh;
    assert_int_equal(gyre_model_sheet(model, 1, &mesh), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_model_sheet(model, -1, &mesh), GYRE_ERROR_ARGUMENT);
    sheet.pose.position[0] = 0.125f;
    sheet.pose.rotation[2] = 90.0f;
    gyre_id id = gyre_model_element(model, "sheets", 0);
    must(gyre_model_update(model, id, &sheet));
    must(gyre_model_sheet(model, 0, &mesh));
    const struct gyre_gas_sheet_panel *p = &sheet.form.as.panel;
    assert_float_equal(mesh.points[0], 0.125f - p->corner[1], 1e-6);
    assert_float_equal(mesh.points[1], p->corner[0], 1e-6);
    assert_float_equal(mesh.points[2], p->corner[2], 1e-6);
    sheet.enabled = false;
    must(gyre_model_update(model, id, &sheet));
    must(gyre_model_sheet(model, 0, &mesh));
    assert_int_equal(mesh.triangle_count, 0);
    gyre_gas_destroy(gas);
}

/// Sheets that cannot be are refused, in 2D as in 3D.
static void wrong_sheets_are_refused(void **state)
{
    (void)state;
    const float points[6] = {0.1f, 0.2f, 0, 0.5f, 0.6f, 0}, far[3] = {NAN, 0, 0};
    const int32_t good[3] = {0, 1, 1}, bad[3] = {0, 2, 2}, one[3] = {0, 0, 0};
    const gyre_mesh meshes[3] = {{points, 2, bad, 1}, {far, 1, one, 1}, {NULL, 2, good, 1}};
    for (int dim = 2; dim <= 3; dim++) {
        const gyre_grid grid = {dim, {24, 24, dim == 3 ? 24 : 1}, 1.0f / 24.0f, {0}};
        gyre_render_input input = input_of(&grid);
        for (int q = 0; q < 3; q++) {
            input.sheets = &meshes[q];
            input.sheet_count = 1;
            assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
        }
        input.sheets = NULL;
        assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_have_no_stairs),
        cmocka_unit_test(sheets_lie_among_smoke),
        cmocka_unit_test(lines_lie_where_sheets_do),
        cmocka_unit_test(colours_end_at_sheets),
        cmocka_unit_test(sheets_are_shown_by_their_pose),
        cmocka_unit_test(wrong_sheets_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
