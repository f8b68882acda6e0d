// labels: vulkan
// Gases of every small size, between sides of each kind, on the CPU and on a Vulkan device: after a
// step from random velocities they are the same, and as free of divergence. What open sides see
// beyond the ends of rows is a matter of how rows are cut into workgroups.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/gyre.h"
#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include "gas/gas.h"

_Static_assert(GY_GROUP_CELLS == 2 * GY_GROUP, "rows of twins end with groups of slots");

/// Sides of an axis: both closed, one of them open, both open, joined.
enum { CLOSED, LOW, HIGH, BOTH, ROUND, KINDS };

static const char *const names[] = {"closed", "low open", "high open", "open", "periodic"};

typedef struct trial {
    int dim, n[3], kind[3];
    gyre_solver_kind solver;
    float viscosity; // m^2/s
} trial;

static void set_sides(gyre_gas_side *low, gyre_gas_side *high, int kind)
{
    low->rule = high->rule = kind == ROUND ? GYRE_GAS_SIDE_PERIODIC : GYRE_GAS_SIDE_SLIP;
    if (kind == LOW || kind == BOTH)
        low->rule = GYRE_GAS_SIDE_OPEN;
    if (kind == HIGH || kind == BOTH)
        high->rule = GYRE_GAS_SIDE_OPEN;
}

/// A gas after its first step from velocities that are random.
static gyre_gas *stepped(gyre_device *device, const trial *t)
{
    gyre_gas_def def = sized(t->dim, t->n[0], t->n[1], t->n[2]);
    gyre_gas *gas;
    def.grid.h = 0.1f;
    def.pressure.solver = (int32_t)t->solver;
    def.courant = 0.0f;
    def.viscosity = t->viscosity;
    set_sides(&def.sides.x_low, &def.sides.x_high, t->kind[0]);
    set_sides(&def.sides.y_low, &def.sides.y_high, t->kind[1]);
    if (t->dim == 3)
        set_sides(&def.sides.z_low, &def.sides.z_high, t->kind[2]);
    must(gyre_gas_create(device, &def, &gas));
    rig_seed = 11;
    for (int f = 0; f < t->dim; f++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++)
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = rig_float(-1.0f, 1.0f);
        must(gyre_gas_unmap(gas, f));
    }
    must(gyre_gas_step(gas, 0.02f));
    return gas;
}

/// How far samples of a field are apart at most; most: how large one on the GPU is.
static double apart(gyre_gas *cpu, gyre_gas *gpu, int field, double *most)
{
    gyre_field_view v, w;
    double worst = 0.0;
    *most = 0.0;
    must(gyre_gas_map(cpu, field, GYRE_READ, &v));
    must(gyre_gas_map(gpu, field, GYRE_READ, &w));
    for (int k = 0; k < v.n[2]; k++)
        for (int j = 0; j < v.n[1]; j++)
            for (int i = 0; i < v.n[0]; i++) {
                double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                double y = (double)w.data[i + j * w.stride[1] + k * w.stride[2]];
                assert_true(isfinite(x) && isfinite(y));
                worst = fmax(worst, fabs(x - y));
                *most = fmax(*most, fabs(y));
            }
    must(gyre_gas_unmap(cpu, field));
    must(gyre_gas_unmap(gpu, field));
    return worst;
}

/// The worst of all trials so far, and what is wrong.
typedef struct tally {
    double off, left;
    int trials, wrong;
} tally;

static void compare(const trial *t, tally *sum)
{
    gyre_gas *cpu = stepped(the_cpu, t), *gpu = stepped(the_gpu, t);
    double off = 0.0, left, most;
    for (int f = 0; f < t->dim; f++)
        off = fmax(off, apart(cpu, gpu, f, &most));
    apart(cpu, gpu, gyre_gas_field(gpu, "divergence"), &left);
    // Of a flow whose divergence was some 10 / s.
    if (!(off <= 2e-4) || !(left <= 5e-3)) {
        printf("    %d x %d x %d, %s, %s, %s: apart by %.2g, divergence %.2g\n", t->n[0], t->n[1],
               t->n[2], names[t->kind[0]], names[t->kind[1]], names[t->kind[2]], off, left);
        sum->wrong++;
    }
    sum->off = fmax(sum->off, off);
    sum->left = fmax(sum->left, left);
    sum->trials++;
    gyre_gas_destroy(cpu);
    gyre_gas_destroy(gpu);
}

static void tell(const char *what, const tally *sum)
{
    printf("    %s: %d gases, velocities apart by %.2g, divergence %.2g\n", what, sum->trials,
           sum->off, sum->left);
    assert_int_equal(sum->wrong, 0);
}

/// Each width from 4 on, between sides of each kind along x; heights and the kind along y take
/// turns.
static void widths(void **state)
{
    (void)state;
    static const int heights[] = {4, 7, 8, 12, 16, 5, 9};
    tally sum = {0};
    int q = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int n = 4; n <= 48; n++, q++) {
            if (kind != HIGH && n > 16 && n % 8 > 1)
                continue;
            trial t = {2,
                       {n, heights[q % (int)GY_COUNT(heights)], 1},
                       {kind, (q + n / 8) % KINDS},
                       GYRE_SOLVER_MULTIGRID,
                       0.0f};
            compare(&t, &sum);
        }
    tell("multigrid", &sum);
}

/// Every kind by every kind, where rows of slots end within a group.
static void kinds(void **state)
{
    (void)state;
    tally sum = {0};
    for (int q = 0; q < KINDS * KINDS; q++) {
        trial t = {
            2, {16, q % 2 ? 12 : 16, 1}, {q % KINDS, q / KINDS}, GYRE_SOLVER_MULTIGRID, 0.0f};
        compare(&t, &sum);
    }
    tell("each with each", &sum);
}

/// Gradients, and diffusion: their vectors have ends, too.
static void others(void **state)
{
    (void)state;
    static const int n[] = {8, 15, 16, 24, 40, 48};
    tally sum = {0};
    for (int q = 0; q < 2 * (int)GY_COUNT(n); q++) {
        trial t = {2, {n[q / 2], 9, 1}, {HIGH + q % 2, q % KINDS}, GYRE_SOLVER_MGPCG, 0.0f};
        compare(&t, &sum);
        t.solver = GYRE_SOLVER_MULTIGRID;
        t.viscosity = 0.5f;
        compare(&t, &sum);
    }
    tell("mgpcg, and viscous", &sum);
}

static void deep(void **state)
{
    (void)state;
    static const int n[][3] = {{4, 4, 4},  {8, 5, 4},  {16, 4, 5},
                               {16, 8, 8}, {17, 6, 4}, {48, 4, 4}};
    tally sum = {0};
    for (int q = 0; q < 2 * (int)GY_COUNT(n); q++) {
        trial t = {3,
                   {n[q / 2][0], n[q / 2][1], n[q / 2][2]},
                   {q % 2 ? HIGH : BOTH, q % KINDS, (q + 2) % KINDS},
                   GYRE_SOLVER_MULTIGRID,
                   0.0f};
        compare(&t, &sum);
    }
    tell("3D", &sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths),
        cmocka_unit_test(kinds),
        cmocka_unit_test(others),
        cmocka_unit_test(deep),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
