// labels: vulkan
// A sea on a Vulkan device against the CPU's: patches of every number of cells, deep and shallow,
// at the surface, in motion and below it. Transforms there have other radices, so that results
// differ by rounding: of 2 m of
// significant height by 4 um in patches, and by 20 um (and per second) in answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/ocean.h"
#include "test/vulkan_rig.h"

enum { POINTS = 300 };

static void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

static gyre_ocean *make(gyre_device *device, int cells, float depth)
{
    gyre_ocean *ocean = NULL;
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    sea.given = GYRE_OCEAN_HEIGHT;
    sea.direction = 70.0f;
    def.depth = depth;
    def.patch.cells = cells;
    def.patch.cascades = cells > 64 ? 2 : 1;
    def.patch.ratio = 0.4f;
    def.seas = (gyre_pool){&sea, 1, 1};
    def.waves = (gyre_pool){&wave, 1, 1};
    must(gyre_ocean_create(device, &def, &ocean));
    return ocean;
}

static void same(const float *a, const float *b, size_t count, double bound, const char *what)
{
    double most = 0.0, size = 0.0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs((double)a[i] - (double)b[i]));
        size = fmax(size, fabs((double)a[i]));
    }
    if (!(most <= bound) || !(size > 0.0)) {
        fail_msg("%s: differs by %g, expected at most %g; the greatest is %g", what, most, bound,
                 size);
    }
}

static void seas_are_the_same(void **state)
{
    (void)state;
    static const int cells[] = {32, 64, 128, 256, 512};
    for (int c = 0; c < 5; c++) {
        size_t size = (size_t)cells[c] * (size_t)cells[c];
        float *part[2][3];
        gyre_ocean_sample s[2][POINTS];
        double points[2 * POINTS];
        for (int i = 0; i < 2 * POINTS; i++) {
            points[i] = 17.3 * i - 900.0;
        }
        // Both of the lesser ones.
        for (int below = c == 4; below < (c < 3 ? 2 : c - 2); below++) {
            gyre_ocean *ocean[2];
            for (int d = 0; d < 2; d++) {
                ocean[d] = make(d ? the_gpu : the_cpu, cells[c], c % 2 ? 25.0f : 0.0f);
                for (int f = 0; f < 3; f++) {
                    part[d][f] = calloc(size, sizeof(float));
                }
                must(gyre_ocean_tile(ocean[d], 0, 4321.5, part[d][0], part[d][1], part[d][2]));
                must(gyre_ocean_query(ocean[d], -77.25, 3.0f * (float)below, points, POINTS, s[d]));
            }
            for (int f = 0; f < 3; f++) {
                same(part[0][f], part[1][f], size, 4e-6, "a patch");
                free(part[0][f]);
                free(part[1][f]);
            }
            same((float *)s[0], (float *)s[1], POINTS * sizeof *s[0] / sizeof(float), 2e-5,
                 "answers");
            // A step, a field: the same way.
            gyre_field_view view[2];
            for (int d = 0; d < 2; d++) {
                must(gyre_ocean_step(ocean[d], 0.5f));
                must(gyre_ocean_map(ocean[d], gyre_ocean_field(ocean[d], "surface"), GYRE_READ,
                                    &view[d]));
            }
            same(view[0].data, view[1].data, (size_t)view[0].n[0] * (size_t)view[0].n[1], 2e-5,
                 "the surface");
            for (int d = 0; d < 2; d++) {
                must(gyre_ocean_unmap(ocean[d], gyre_ocean_field(ocean[d], "surface")));
                gyre_ocean_destroy(ocean[d]);
            }
        }
    }
}

int main(void)
{
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(seas_are_the_same)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
