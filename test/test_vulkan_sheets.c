// labels: vulkan
// Sheets on the CPU and on a Vulkan device, step for step, in 2D and 3D: by every scheme, where the
// gas slides along them and where it sticks, with viscosity and diffusion. What is on one side is
// exactly nothing on the other; what a step asks of the device. Those that move: test_vulkan_swing.
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
#include <stdio.h>

#include "device/vulkan/vulkan.h"
#include "gas/gas.h"

// ---- cases --------------------------------------------------------------------------------------

typedef struct rig {
    gyre_gas_def def;
    gyre_gas_sheet sheets[2];
    gyre_gas_solid solids[2];
} rig;

/// What is called x, y and z in the plane is so in 3D, where a sheet goes through all of z.
static gyre_gas_sheet sheet_of(int dim, float x0, float y0, float x1, float y1)
{
    gyre_gas_sheet s =
        gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    const float from[3] = {x0, y0, -1.0f}, to[3] = {x1, y1, 0.0f};
    const float along[3] = {x1 - x0, y1 - y0, 0.0f}, across[3] = {0.0f, 0.0f, 3.0f};
    if (dim == 3) {
        memcpy(s.form.as.panel.corner, from, sizeof from);
        memcpy(s.form.as.panel.along, along, sizeof along);
        memcpy(s.form.as.panel.across, across, sizeof across);
    } else {
        memcpy(s.form.as.line.from, (float[]){x0, y0, 0.0f}, sizeof from);
        memcpy(s.form.as.line.to, to, sizeof to);
    }
    return s;
}

/// A room in two by an inclined sheet, with a flap in the left half.
static void make_room(rig *r, int dim, int advection)
{
    memset(r, 0, sizeof *r);
    r->def = sized(dim, dim == 3 ? 11 : 19, dim == 3 ? 8 : 15, dim == 3 ? 6 : 1);
    r->def.sides.y_low.rule = GYRE_GAS_SIDE_NO_SLIP;
    r->def.advection = advection;
    r->def.courant = 0.0f;
    r->def.gravity[1] = -4.0f;
    r->def.density_weight = 0.2f;
    r->def.sheets = (gyre_pool){r->sheets, 2, 2};
    r->sheets[0] = sheet_of(dim, 0.52f, -0.2f, 0.71f, 2.0f);
    r->sheets[1] = sheet_of(dim, 0.13f, 0.31f, 0.37f, 0.42f);
}

static void thicken(rig *r)
{
    r->def.solid_slip = 0;
    r->def.viscosity = 4e-3f;
    r->def.density.diffusivity = 3e-3f;
}

/// Stirs a gas, and fills the part of it that holds the first cell, or all but that, with smoke.
static void fill(gyre_gas *gas, bool stirred_alone, uint64_t seed)
{
    const gy_gas_links *l = &gas->links;
    const int *n = gas->extent.n;
    rig_seed = seed;
    assert_true(gas->shut > 0 && l->parts == 2);
    for (int f = 0; f < gas->extent.dim + 2; f++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    const int c[3] = {i < n[0] ? i : n[0] - 1, j < n[1] ? j : n[1] - 1,
                                      k < n[2] ? k : n[2] - 1};
                    bool in = l->part[(c[2] * n[1] + c[1]) * n[0] + c[0]] == l->part[0];
                    float *x = &v.data[i + j * v.stride[1] + k * v.stride[2]];
                    float some = f < gas->extent.dim ? rig_float(-1.0f, 1.0f) : rig_float(0, 1);
                    bool here = in || (f < gas->extent.dim && !stirred_alone);
                    *x = here ? some : 0.0f;
                }
        must(gyre_gas_unmap(gas, f));
    }
}

static void make_pair(const rig *r, gyre_gas *gas[2])
{
    must(gyre_gas_create(the_cpu, &r->def, &gas[0]));
    must(gyre_gas_create(the_gpu, &r->def, &gas[1]));
}

static void end_pair(gyre_gas *gas[2])
{
    gyre_gas_destroy(gas[0]);
    gyre_gas_destroy(gas[1]);
}

// ---- comparing ----------------------------------------------------------------------------------

/// Everything that the first part has nothing of is exactly 0 there.
static void nothing_leaks(gyre_gas *gas, bool velocities, const char *what)
{
    const gy_gas_links *l = &gas->links;
    const int *n = gas->extent.n;
    for (int f = velocities ? 0 : gas->extent.dim; f < gas->extent.dim + 2; f++) {
        gyre_field_view v;
        int leaks = 0;
        double some = 0.0;
        must(gyre_gas_map(gas, f, GYRE_READ, &v));
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    float x = v.data[i + j * v.stride[1] + k * v.stride[2]];
                    int part = l->part[(k * n[1] + j) * n[0] + i];
                    leaks += part >= 0 && part != l->part[0] && x != 0.0f;
                    some += part == l->part[0] ? fabs((double)x) : 0.0;
                }
        must(gyre_gas_unmap(gas, f));
        if (leaks)
            fail_msg("%s, %dD: field %d leaks into %d cells", what, gas->extent.dim, f, leaks);
        assert_true(some > 0.0);
    }
}

static double apart(gyre_gas *const gas[2], int field, double *most)
{
    gyre_field_view v[2];
    double worst = 0.0;
    *most = 0.0;
    for (int d = 0; d < 2; d++)
        must(gyre_gas_map(gas[d], field, GYRE_READ, &v[d]));
    for (int k = 0; k < v[0].n[2]; k++)
        for (int j = 0; j < v[0].n[1]; j++)
            for (int i = 0; i < v[0].n[0]; i++) {
                double a = (double)v[0].data[i + j * v[0].stride[1] + k * v[0].stride[2]];
                double b = (double)v[1].data[i + j * v[1].stride[1] + k * v[1].stride[2]];
                assert_true(isfinite(a) && isfinite(b));
                worst = fmax(worst, fabs(a - b));
                *most = fmax(*most, fabs(a));
            }
    for (int d = 0; d < 2; d++)
        must(gyre_gas_unmap(gas[d], field));
    return worst;
}

static void like_each_other(gyre_gas *const gas[2], const char *what)
{
    int dim = gas[0]->extent.dim;
    double fastest = 0.0;
    for (int f = 0; f < dim + 2; f++) {
        double most, worst = apart(gas, f, &most);
        fastest = f < dim ? fmax(fastest, most) : fastest;
        most = f < dim ? fastest : most;
        printf("    %s, %dD, field %d: to %.3g, apart by %.2g of that\n", what, dim, f, most,
               worst / fmax(most, 1e-30));
        if (!(worst <= 2e-5 * most))
            fail_msg("%s, %dD: field %d is apart by %g of %g", what, dim, f, worst, most);
    }
}

/// A room in two by an inclined wall of a third of a cell, with a thin disc in the left half.
static void make_wall(rig *r, int dim, int advection)
{
    make_room(r, dim, advection);
    float h = r->def.grid.h, middle = 0.5f * h * (float)r->def.grid.n[1];
    for (int q = 0; q < 2; q++)
        r->solids[q] = gyre_gas_default_solid();
    r->solids[0].shape =
        gyre_box((const float[3]){0.0f, 0.0f, 0.0f}, (const float[3]){0.33f * h, 3.0f, 3.0f});
    r->solids[0].pose.position[0] = 0.58f;
    r->solids[0].pose.position[1] = middle;
    r->solids[0].pose.rotation[2] = 0.2f;
    r->solids[1].shape = gyre_sphere((const float[3]){0.0f, 0.0f, 0.0f}, 0.47f * h);
    r->solids[1].pose.position[0] = 0.21f;
    r->solids[1].pose.position[1] = r->solids[1].pose.position[2] = 0.26f;
    r->def.sheets = (gyre_pool){0};
    r->def.solids = (gyre_pool){r->solids, 2, 2};
}

// ---- tests --------------------------------------------------------------------------------------

static void run_case(void make(rig *, int, int), int dim, int advection, bool thick, int steps)
{
    static const char *const names[] = {"semi_lagrangian", "maccormack", "conservative", "bfecc",
                                        "cubic"};
    static rig r;
    gyre_gas *gas[2];
    make(&r, dim, advection);
    if (thick)
        thicken(&r);
    make_pair(&r, gas);
    for (int d = 0; d < 2; d++) {
        fill(gas[d], false, 7);
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas[d], s % 3 == 2 ? 0.12f : 0.03f));
    }
    nothing_leaks(gas[0], false, names[advection]);
    nothing_leaks(gas[1], false, names[advection]);
    like_each_other(gas, names[advection]);
    end_pair(gas);
}

static void every_scheme(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int scheme = GYRE_GAS_SEMI_LAGRANGIAN; scheme <= GYRE_GAS_CUBIC; scheme++)
            run_case(make_room, dim, scheme, scheme % 2 == dim % 2, 3);
}

/// Solids thinner than a cell, likewise: at rest, and on the move by one submission a step.
static void thin_solids(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        static rig r;
        gyre_gas *gas[2];
        run_case(make_wall, dim, GYRE_GAS_CONSERVATIVE, dim == 3, 3);
        run_case(make_wall, dim, GYRE_GAS_MACCORMACK, dim == 2, 3);
        make_wall(&r, dim, GYRE_GAS_CONSERVATIVE);
        r.solids[0].pose.velocity[0] = -0.4f;
        r.solids[1].pose.velocity[1] = 0.3f;
        make_pair(&r, gas);
        for (int d = 0; d < 2; d++) {
            fill(gas[d], false, 9);
            must(gyre_gas_step(gas[d], 0.04f));
            for (int s = 0; s < 3; s++) {
                must(gyre_device_wait(the_gpu));
                uint64_t before = the_gpu->submissions, waited = the_gpu->waits;
                must(gyre_gas_step(gas[d], 0.04f));
                if (d && (the_gpu->submissions - before != 1 || the_gpu->waits != waited))
                    fail_msg("%dD: %d submissions, %d waits", dim,
                             (int)(the_gpu->submissions - before), (int)(the_gpu->waits - waited));
            }
        }
        like_each_other(gas, "on the move");
        end_pair(gas);
    }
}

/// The one part at rest and empty stays so, whatever solver.
static void what_is_empty_stays_so(void **state)
{
    static const int solvers[] = {GYRE_SOLVER_MULTIGRID, GYRE_SOLVER_MGPCG};
    (void)state;
    for (int c = 0; c < 4; c++) {
        static rig r;
        gyre_gas *gas;
        make_room(&r, 2 + c / 2, GYRE_GAS_CONSERVATIVE);
        thicken(&r);
        r.def.pressure.solver = r.def.diffusion.solver = solvers[c % 2];
        must(gyre_gas_create(the_gpu, &r.def, &gas));
        fill(gas, true, 3);
        for (int s = 0; s < 4; s++)
            must(gyre_gas_step(gas, s == 2 ? 0.2f : 0.04f));
        nothing_leaks(gas, true, gyre_solver_names[solvers[c % 2]]);
        gyre_gas_destroy(gas);
    }
}

static void one_submission_a_step(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        static rig r;
        gyre_gas *gas;
        make_room(&r, dim, GYRE_GAS_CONSERVATIVE);
        thicken(&r);
        must(gyre_gas_create(the_gpu, &r.def, &gas));
        fill(gas, false, 5);
        must(gyre_gas_step(gas, 0.02f));
        for (int s = 0; s < 3; s++) {
            must(gyre_device_wait(the_gpu));
            uint64_t before = the_gpu->submissions, waited = the_gpu->waits;
            must(gyre_gas_step(gas, 0.02f));
            if (the_gpu->submissions - before != 1 || the_gpu->waits - waited != 0)
                fail_msg("%dD: %d submissions, %d waits", dim, (int)(the_gpu->submissions - before),
                         (int)(the_gpu->waits - waited));
        }
        gyre_gas_destroy(gas);
    }
}

/// Sheets that come, go and are set down elsewhere; looks at them; a state on the other device.
static void they_come_and_go(void **state)
{
    static rig r;
    gyre_gas *gas[2];
    double most;
    (void)state;
    make_room(&r, 2, GYRE_GAS_CONSERVATIVE);
    make_pair(&r, gas);
    for (int d = 0; d < 2; d++) {
        fill(gas[d], false, 11);
        must(gyre_gas_step(gas[d], 0.03f));
        must(gyre_gas_set(gas[d], "sheets.1.enabled", gyre_bool(false)));
        must(gyre_gas_step(gas[d], 0.03f));
        must(gyre_gas_set(gas[d], "sheets.1.enabled", gyre_bool(true)));
        must(gyre_gas_set(gas[d], "solid_slip", gyre_bool(false)));
        must(gyre_gas_set(gas[d], "sheets.1.form.line.to",
                          gyre_vector(3, (float[]){0.2f, 0.7f, 0.0f})));
        must(gyre_gas_step(gas[d], 0.03f));
    }
    like_each_other(gas, "moved");
    int count;
    const gyre_field_info *fields = gyre_gas_fields(gas[0], &count);
    for (int f = 4; f < count; f++) {
        // Beside speeds of 1 m/s: of a divergence only rounding is left.
        double worst = apart(gas, f, &most), least = 1.0 / (double)r.def.grid.h;
        if (!(worst <= 3e-5 * fmax(most, least)))
            fail_msg("%s is apart by %g of %g", fields[f].name, worst, most);
    }
    static char bytes[1 << 20];
    size_t written;
    must(gyre_gas_save(gas[0], bytes, sizeof bytes, &written));
    must(gyre_gas_load(gas[1], bytes, written));
    for (int d = 0; d < 2; d++)
        must(gyre_gas_step(gas[d], 0.05f));
    nothing_leaks(gas[1], false, "loaded");
    like_each_other(gas, "loaded");
    end_pair(gas);
}

/// A probe asks the host's links, whatever the device.
static void probes_read_alike(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        static rig r;
        gyre_gas *gas[2];
        make_room(&r, dim, GYRE_GAS_CONSERVATIVE);
        make_pair(&r, gas);
        float values[2][100], points[100][3];
        for (int q = 0; q < 100; q++)
            for (int a = 0; a < 3; a++)
                points[q][a] = (float)fmod(0.618 * (q + 1) * (a + 1), 1.0);
        for (int q = 0; q < 2; q++) {
            fill(gas[q], false, 7);
            must(gyre_gas_probe(gas[q], gas[q]->velocities, points[0], 100, values[q]));
        }
        assert_memory_equal(values[0], values[1], sizeof values[0]);
        end_pair(gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme),           cmocka_unit_test(thin_solids),
        cmocka_unit_test(what_is_empty_stays_so), cmocka_unit_test(one_submission_a_step),
        cmocka_unit_test(they_come_and_go),       cmocka_unit_test(probes_read_alike),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
