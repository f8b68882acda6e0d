// labels: vulkan
// What a step on a Vulkan device knows of its energy: the lagged pressure that is forgotten at
// large Courant numbers, the limiter of what carrying makes, the statistics; and what of the step
// before is saved on one device and goes on on another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "gas/gas.h"
#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

enum { STEPS = 6 };

/// A gas without forces. Noise loses energy; of a whirl that fills a closed box, paths of many
/// cells end at the walls, where it is fastest: that makes energy.
typedef struct wild {
    int dim;
    bool whirl;
    float courant;
} wild;

static const wild wilds[] = {{2, false, 3.0f}, {3, false, 3.0f}, {2, true, 8.0f}, {3, true, 20.0f}};

static float start_at(const gyre_field_view *v, int component, bool whirl, int i, int j)
{
    float pace = 3.14159f / (float)v->grid.n[0], paces = 3.14159f / (float)v->grid.n[1];
    float x = pace * (float)i, y = paces * (float)j;
    if (!whirl || component == 2)
        return (whirl ? 1e-3f : 1.0f) * rig_float(-1.0f, 1.0f);
    return component == 0 ? gy_sinf(x) * gy_cosf(y + 0.5f * paces)
                          : -0.7f * gy_cosf(x + 0.5f * pace) * gy_sinf(y);
}

static void start(gyre_gas *gas, bool whirl)
{
    rig_seed = 11;
    for (int f = 0; f < gas->velocities; f++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
            int i = q % v.n[0], j = q / v.n[0] % v.n[1], k = q / v.n[0] / v.n[1];
            v.data[i + j * v.stride[1] + k * v.stride[2]] = start_at(&v, f, whirl, i, j);
        }
        must(gyre_gas_unmap(gas, f));
    }
}

static gyre_gas *make(gyre_device *device, const wild *w)
{
    gyre_gas_def def = sized(w->dim, 27, 19, w->dim == 3 ? 10 : 1);
    gyre_gas_solid solid = gyre_gas_default_solid();
    gyre_gas *gas = NULL;
    solid.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{0.4f, 0.3f, 0.2f}, 0.1f}};
    if (!w->whirl) {
        def.solids = (gyre_pool){.items = &solid, .count = 1};
        def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    }
    must(gyre_gas_create(device, &def, &gas));
    start(gas, w->whirl);
    return gas;
}

/// Steps of two lengths.
static void step(gyre_gas *gas, const wild *w, int s)
{
    must(gyre_gas_step(gas, w->courant * gas->def->grid.h * (s % 3 ? 1.0f : 0.3f)));
}

typedef struct trail {
    uint64_t hash[STEPS];
    gy_energy energy[STEPS];
    gyre_gas_stats stats[STEPS];
} trail;

static void run_wild(trail *t, gyre_device *device, bool remote, const wild *w)
{
    bool usual = device->remote;
    device->remote = remote;
    gyre_gas *gas = make(device, w);
    for (int s = 0; s < STEPS; s++) {
        step(gas, w, s);
        t->stats[s] = gyre_gas_get_stats(gas);
        memcpy(&t->energy[s], gy_at(gas->base, gas->energy), sizeof t->energy[s]);
        t->hash[s] = gyre_gas_hash(gas);
    }
    gyre_gas_destroy(gas);
    device->remote = usual;
}

static void close_to(const char *what, double a, double b, double part)
{
    if (!(fabs(a - b) <= part * fmax(fabs(a), fabs(b))))
        fail_msg("%s: %.9g on the CPU, %.9g on the GPU", what, a, b);
}

static void same_energy(const gy_energy *cpu, const gy_energy *gpu, const gyre_gas_stats *told)
{
    // Of 1e-4, the pressure's tolerance lets part a tenth; and steps add to it.
    close_to("kinetic", cpu->kinetic, gpu->kinetic, 1e-4);
    close_to("begun", cpu->begun, gpu->begun, 1e-4);
    close_to("given", cpu->given, gpu->given, 1e-4);
    close_to("carried", cpu->carried, gpu->carried, 1e-4);
    close_to("the limiter", (double)cpu->factor, (double)gpu->factor, 1e-4);
    close_to("the lagged pressure's part", (double)cpu->lag.factor, (double)gpu->lag.factor, 1e-3);
    assert_int_equal(cpu->slow, gpu->slow);
    assert_int_equal(cpu->calm, gpu->calm);
    assert_int_equal(cpu->gained, gpu->gained);
    assert_int_equal(cpu->governed, gpu->governed);
    assert_int_equal(told->governed, gpu->governed);
    assert_int_equal(told->gained, gpu->gained);
    assert_true(told->gained_time == gpu->first_gain);
}

/// By ops and gates the same bits as by the host, on either device; the same but for rounding on
/// both.
static void energy_is_told(void **state)
{
    static trail host[2], gates[2];
    bool tamed = false, slow = false, governed = false, calm = false;
    (void)state;
    for (int c = 0; c < GY_COUNT(wilds); c++) {
        gyre_device *device[2] = {the_cpu, the_gpu};
        for (int d = 0; d < 2; d++) {
            run_wild(&host[d], device[d], false, &wilds[c]);
            run_wild(&gates[d], device[d], true, &wilds[c]);
        }
        for (int s = 0; s < STEPS; s++) {
            const gy_energy *e = &host[1].energy[s];
            for (int d = 0; d < 2; d++) {
                if (host[d].hash[s] != gates[d].hash[s])
                    fail_msg("%d, step %d: fields differ on device %d", c, s, d);
                assert_memory_equal(&host[d].energy[s], &gates[d].energy[s], sizeof *e);
            }
            same_energy(&host[0].energy[s], e, &gates[1].stats[s]);
            tamed = tamed || (!e->slow && e->lag.factor < 0.9f);
            slow = slow || e->slow;
            governed = governed || (!e->calm && e->factor < 0.9999f);
            calm = calm || e->calm;
        }
    }
    assert_true(tamed && slow && governed && calm);
}

/// Nothing of it is waited for.
static void one_submission_a_step(void **state)
{
    (void)state;
    for (int c = 0; c < GY_COUNT(wilds); c++) {
        gyre_gas *gas = make(the_gpu, &wilds[c]);
        step(gas, &wilds[c], 0);
        for (int s = 1; s < STEPS; s++) {
            must(gyre_device_wait(the_gpu));
            uint64_t submissions = the_gpu->submissions, waits = the_gpu->waits;
            step(gas, &wilds[c], s);
            assert_int_equal(the_gpu->submissions - submissions, 1);
            assert_int_equal(the_gpu->waits - waits, 0);
            if (s == 2)
                gyre_gas_get_stats(gas);
        }
        // The statistics have come with the step.
        must(gyre_device_wait(the_gpu));
        uint64_t submissions = the_gpu->submissions;
        gy_gas_settle(gas);
        assert_int_equal(the_gpu->submissions - submissions, 0);
        gyre_gas_destroy(gas);
    }
}

static double greatest(gyre_gas *a, gyre_gas *b, int field, double *apart)
{
    gyre_field_view v, w;
    double most = 0.0;
    must(gyre_gas_map(a, field, GYRE_READ, &v));
    must(gyre_gas_map(b, field, GYRE_READ, &w));
    *apart = 0.0;
    for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
        int i = q % v.n[0], j = q / v.n[0] % v.n[1], k = q / v.n[0] / v.n[1];
        ptrdiff_t o = i + j * v.stride[1] + k * v.stride[2];
        most = fmax(most, fabs((double)v.data[o]));
        *apart = fmax(*apart, fabs((double)v.data[o] - (double)w.data[o]));
    }
    must(gyre_gas_unmap(a, field));
    must(gyre_gas_unmap(b, field));
    return most;
}

/// A gas that has never moved goes on where another was saved: on its own device to the bit, on the
/// other within rounding, for a step: in further ones paths of many cells part by jumps where they
/// meet walls. What is kept of the step before is in the file.
static void loaded_by_a_new_gas(void **state)
{
    (void)state;
    for (int c = 0; c < 2 * GY_COUNT(wilds); c++) {
        const wild *w = &wilds[c / 2];
        gyre_device *own = c % 2 ? the_gpu : the_cpu, *other = c % 2 ? the_cpu : the_gpu;
        gyre_gas *first = make(own, w), *next[3] = {make(own, w), make(own, w), make(other, w)};
        for (int s = 0; s < 3; s++)
            step(first, w, s);
        size_t bytes = gyre_gas_save_size(first);
        void *saved = malloc(bytes);
        must(gyre_gas_save(first, saved, bytes, NULL));
        for (int d = 0; d < 3; d++) {
            must(gyre_gas_load(next[d], saved, bytes));
            step(next[d], w, 4);
        }
        free(saved);
        double scale = 0.0;
        for (int f = 0; f < first->velocities; f++) {
            double apart, most = greatest(next[1], next[2], f, &apart);
            scale = fmax(scale, most);
            if (!(apart <= 5e-6 * scale))
                fail_msg("%d: %s: %g of %g apart", c, first->fields[f].name, apart, scale);
        }
        step(first, w, 4);
        step(first, w, 5);
        step(next[0], w, 5);
        if (gyre_gas_hash(first) != gyre_gas_hash(next[0]))
            fail_msg("%d: a loaded gas goes on otherwise", c);
        gyre_gas_destroy(first);
        for (int d = 0; d < 3; d++)
            gyre_gas_destroy(next[d]);
    }
}

int main(void)
{
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_told),
        cmocka_unit_test(one_submission_a_step),
        cmocka_unit_test(loaded_by_a_new_gas),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
