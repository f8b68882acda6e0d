// labels: vulkan
// Queries of a gas and of water on a Vulkan device: fetched, they are those of the CPU to the bit,
// in 2D and 3D, with a solid and a sheet.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include <math.h>
#include <string.h>

enum { ASKED = 60 };

typedef struct answers {
    gyre_mean means[ASKED];
    gyre_sight sights[ASKED];
    float values[ASKED];
} answers;

static void ask(gyre_model *model, const char *name, answers *a)
{
    gyre_shape regions[ASKED];
    float points[6 * ASKED];
    const gyre_grid *g = gyre_model_grid(model);
    int field = gyre_model_field(model, name);
    for (int q = 0; q < ASKED; q++) {
        float c[3] = {0}, size[3] = {1, 1, 1};
        for (int d = 0; d < 3; d++) {
            float length = d < g->dim ? (float)g->n[d] * g->h : 0.0f;
            c[d] = length * (float)fmod(0.618 * (q + 1) * (d + 1), 1.0);
            size[d] = d < g->dim ? length * (0.1f + 0.3f * (float)fmod(0.37 * (q + 1), 1.0)) : 1;
            points[6 * q + d] = c[d];
            points[6 * q + 3 + d] = length * (float)fmod(0.755 * (q + 2) * (d + 1), 1.0);
        }
        regions[q] = q % 2 ? gyre_box(c, size) : gyre_sphere(c, 0.5f * size[0]);
    }
    memset(a, 0, sizeof *a);
    must(gyre_model_mean(model, field, regions, ASKED, a->means));
    must(gyre_model_sight(model, field, 1.0f, true, points, ASKED, a->sights));
    must(gyre_model_probe(model, field, points, ASKED, a->values));
}

static void fill(gyre_model *model, const char *name)
{
    gyre_field_view v;
    int field = gyre_model_field(model, name);
    must(gyre_model_map(model, field, GYRE_WRITE, &v));
    for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
        int i = q % v.n[0], j = q / v.n[0] % v.n[1], k = q / v.n[0] / v.n[1];
        v.data[i + j * v.stride[1] + k * v.stride[2]] = 1.0f + 0.125f * (float)((q * 37) % 41);
    }
    must(gyre_model_unmap(model, field));
}

/// What both say of a field, to the bit.
static void same(gyre_model *models[2], const char *name)
{
    static answers a[2];
    int blocked = 0;
    for (int d = 0; d < 2; d++) {
        ask(models[d], name, &a[d]);
    }
    for (int q = 0; q < ASKED; q++) {
        const gyre_sight *one = &a[0].sights[q], *two = &a[1].sights[q];
        assert_memory_equal(&a[0].means[q], &a[1].means[q], sizeof(gyre_mean));
        assert_true(one->integral == two->integral && one->transmittance == two->transmittance);
        assert_true(one->reach == two->reach && one->blocked == two->blocked);
        assert_true(a[0].values[q] == a[1].values[q]);
        blocked += one->blocked;
    }
    assert_true(blocked > 0 && blocked < ASKED);
}

/// What the device has made is fetched; a gas on the CPU that has loaded it says the same.
static void of_a_gas(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    for (int q = 0; q < 4; q++) {
        int dim = 2 + q % 2;
        gyre_gas_def def = sized(dim, 24, 20, dim == 3 ? 12 : 1);
        gyre_gas_solid solid = gyre_gas_default_solid();
        gyre_gas_sheet sheet =
            gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
        solid.shape = gyre_sphere((const float[3]){0.3f, 0.4f, 0.25f}, 0.15f);
        const float corner[3] = {0.6f, 0.1f, -1.0f}, along[3] = {0.1f, 0.5f, 0.0f};
        const float across[3] = {0.0f, 0.0f, 3.0f}, end[3] = {0.7f, 0.6f, 0.0f};
        if (dim == 3) {
            memcpy(sheet.form.as.panel.corner, corner, sizeof corner);
            memcpy(sheet.form.as.panel.along, along, sizeof along);
            memcpy(sheet.form.as.panel.across, across, sizeof across);
        } else {
            memcpy(sheet.form.as.line.from, (const float[3]){0.6f, 0.1f, 0.0f}, sizeof corner);
            memcpy(sheet.form.as.line.to, end, sizeof end);
        }
        def.solids = (gyre_pool){&solid, 1, 1};
        def.sheets = (gyre_pool){&sheet, q < 2, 1};
        gyre_gas *gas[2];
        size_t written;
        must(gyre_gas_create(the_cpu, &def, &gas[0]));
        must(gyre_gas_create(the_gpu, &def, &gas[1]));
        gyre_model *models[2] = {gyre_gas_model(gas[0]), gyre_gas_model(gas[1])};
        fill(models[1], "density");
        fill(models[1], "velocity_y");
        must(gyre_gas_step(gas[1], 0.01f));
        static answers before, after;
        ask(models[1], "density", &before);
        must(gyre_gas_step(gas[1], 0.05f));
        ask(models[1], "density", &after);
        assert_true(memcmp(before.means, after.means, sizeof before.means) != 0);
        must(gyre_model_snapshot(models[1], bytes, sizeof bytes, &written));
        must(gyre_gas_load(gas[0], bytes, written));
        same(models, "density");
        same(models, "velocity_x");
        gyre_gas_destroy(gas[0]);
        gyre_gas_destroy(gas[1]);
    }
}

static void of_water(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_edge quay = gyre_water_default_edge();
    def.mode = GYRE_WATER_WAVE;
    def.grid = (gyre_grid){2, {90, 70, 1}, 0.25f, {0}};
    quay.shape = gyre_box((const float[3]){10, 8, 0}, (const float[3]){3, 3, 1});
    def.edges = (gyre_pool){&quay, 1, 1};
    gyre_water *water[2];
    must(gyre_water_create(the_cpu, &def, &water[0]));
    must(gyre_water_create(the_gpu, &def, &water[1]));
    gyre_model *models[2] = {gyre_water_model(water[0]), gyre_water_model(water[1])};
    for (int d = 0; d < 2; d++) {
        fill(models[d], "height");
    }
    same(models, "height");
    gyre_water_destroy(water[0]);
    gyre_water_destroy(water[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_gas),
        cmocka_unit_test(of_water),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
