// labels: vulkan
// timeout: 300
// Tracers with mass on a Vulkan device against the CPU: one step in the same wind, whole runs,
// states that change the device, and that a step waits for nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gas/tracers.h"
#include "gyre/gyre.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != GYRE_OK) {                                                                   \
            fail_msg("%s: %s", #call, gyre_message());                                             \
        }                                                                                          \
    } while (0)

enum {
    ROOM_3D,
    STICKY_3D,
    LEAVES_3D,
    LOADED_3D,
    FLAT,
    PERIODIC_2D = FLAT,
    MOVING_2D,
    LEAVES_2D,
    CASES
};

static void fill(int which, gyre_gas_def *def)
{
    static gyre_gas_emitter emitter;
    static gyre_gas_solid solids[2];
    bool flat = which >= FLAT;
    float z = flat ? 0.0f : 0.35f;
    *def = flat ? sized(2, 48, 40, 1) : sized(3, 22, 18, 15);
    emitter = ball(0.5f, 0.2f, z, 0.12f);
    emitter.temperature = 2000.0f;
    emitter.tracers = 9000.0f;
    emitter.tracers_velocity[1] = 1.0f;
    emitter.tracers_scatter = 5.0f;
    solids[0] = solids[1] = gyre_gas_default_solid();
    solids[0].shape = gyre_sphere((float[3]){0.5f, 0.5f, z}, 0.15f);
    solids[1].shape = gyre_box((float[3]){0.25f, 0.5f, z}, (float[3]){0.08f, 0.4f, 0.5f});
    if (which == MOVING_2D || which == LEAVES_3D) {
        solids[0].pose.velocity[0] = 0.7f;
        solids[0].pose.spin[2] = 90.0f;
    }
    if (which == LEAVES_2D) {
        static gyre_gas_sheet sheet;
        sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
        sheet.form.as.line = (struct gyre_gas_sheet_line){{0.6f, 0.1f, 0}, {0.9f, 0.7f, 0}};
        def->sheets = (gyre_pool){&sheet, 1, 1};
    }
    def->gravity[1] = -9.81f;
    def->emitters = (gyre_pool){.items = &emitter, .count = 1};
    def->solids = (gyre_pool){.items = solids, .count = 2};
    def->sides.x_low.rule = GYRE_GAS_SIDE_OPEN;
    if (which == PERIODIC_2D) {
        def->sides.x_low.rule = def->sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    }
    def->tracers.capacity = 8000;
    def->tracers.start = 4000;
    def->tracers.life = which == MOVING_2D ? 0.2f : 0.0f;
    def->tracers.inertia = true;
    // Of all regimes: 30 um, 0.3 mm, 1 cm.
    def->tracers.diameter = which == ROOM_3D ? 3e-4f : which == STICKY_3D ? 3e-5f : 1e-2f;
    def->tracers.thickness = which == LEAVES_3D || which == LEAVES_2D ? 5e-4f : 0.0f;
    def->tracers.density = def->tracers.thickness > 0.0f ? 300.0f : 1000.0f;
    def->tracers.load = which == LOADED_3D ? 0.1f : 0.0f;
    def->tracers.stick = which == STICKY_3D;
    def->tracers.turbulence = which == PERIODIC_2D ? 0.0f : 2e-3f;
}

static gyre_gas *make_gas(gyre_device *device, int which)
{
    gyre_gas_def def;
    gyre_gas *gas = NULL;
    fill(which, &def);
    OK(gyre_gas_create(device, &def, &gas));
    return gas;
}

typedef struct likeness {
    double worst, speed; // m, m/s between particles of a number
    double turn;         // of plates: between components of orientation
    int moved, far;      // that stand elsewhere in the order; that are a millimetre apart
} likeness;

static likeness compare(gyre_gas *a, gyre_gas *b)
{
    gyre_particle_view v[2];
    likeness l = {0};
    OK(gyre_model_map_particles(gyre_gas_model(a), 0, GYRE_READ, &v[0]));
    OK(gyre_model_map_particles(gyre_gas_model(b), 0, GYRE_READ, &v[1]));
    assert_int_equal(v[0].count, v[1].count);
    int most = 0, *where;
    for (int q = 0; q < 2; q++) {
        for (int i = 0; i < v[q].count; i++) {
            most = GY_MAX(most, ((const int32_t *)v[q].data[4])[i]);
        }
    }
    where = calloc((size_t)most + 1, sizeof *where);
    for (int i = 0; i < v[1].count; i++) {
        where[((const int32_t *)v[1].data[4])[i]] = i + 1;
    }
    for (int i = 0; i < v[0].count; i++) {
        int j = where[((const int32_t *)v[0].data[4])[i]] - 1;
        double square[2] = {0.0, 0.0};
        assert_true(j >= 0);
        for (int d = 0; d < 3; d++) {
            for (int q = 0; q < 2; q++) {
                double way = (double)((const float *)v[0].data[5 * q + d])[i] -
                             (double)((const float *)v[1].data[5 * q + d])[j];
                square[q] += way * way;
            }
        }
        for (int c = 8; c < 12 && v[0].data[8]; c++) {
            l.turn = fmax(l.turn, fabs((double)((const float *)v[0].data[c])[i] -
                                       (double)((const float *)v[1].data[c])[j]));
        }
        l.worst = fmax(l.worst, sqrt(square[0]));
        l.speed = fmax(l.speed, sqrt(square[1]));
        l.far += sqrt(square[0]) > 1e-3;
        l.moved += i != j;
    }
    free(where);
    OK(gyre_model_unmap_particles(gyre_gas_model(a), 0, v[0].count));
    OK(gyre_model_unmap_particles(gyre_gas_model(b), 0, v[1].count));
    return l;
}

static void step(gyre_gas *gas, int steps)
{
    for (int s = 0; s < steps; s++) {
        OK(gyre_gas_step(gas, 0.02f));
    }
}

static void one_wind_carries_them_alike(void **state)
{
    (void)state;
    for (int which = 0; which < CASES; which++) {
        gyre_gas *both[2] = {make_gas(the_cpu, which), make_gas(the_gpu, which)};
        size_t size = gyre_gas_save_size(both[0]), written;
        char *bytes = malloc(size);
        step(both[0], 10);
        OK(gyre_gas_save(both[0], bytes, size, &written));
        OK(gyre_gas_load(both[1], bytes, written));
        for (int q = 0; q < 2; q++) {
            gy_gas_list_fields(both[q]);
            gy_gas_halo(both[q], 0, both[q]->velocities, false, true);
            gy_gas_carry_tracers(both[q], 0.03f, both[q]->slot);
        }
        likeness l = compare(both[0], both[1]);
        print_message(
            "case %d: %.3g m, %.3g m/s, turned by %.3g apart after one step in one wind\n", which,
            l.worst, l.speed, l.turn);
        assert_true(l.moved == 0 && l.worst <= 1e-6 && l.speed <= 1e-5 && l.turn <= 1e-5);
        free(bytes);
        gyre_gas_destroy(both[0]);
        gyre_gas_destroy(both[1]);
    }
}

/// The flows differ by rounding, which divides ways at edges of solids: of few particles.
static void they_go_as_on_the_cpu(void **state)
{
    (void)state;
    for (int which = 0; which < CASES; which++) {
        gyre_gas *cpu = make_gas(the_cpu, which), *gpu = make_gas(the_gpu, which);
        likeness l = compare(cpu, gpu);
        gyre_particle_stats p[2];
        assert_true(l.worst == 0.0 && l.speed == 0.0 && l.moved == 0);
        // Where a plate turns over is a matter of rounding soon.
        bool leaves = which == LEAVES_3D || which == LEAVES_2D;
        step(cpu, leaves ? 2 : 12);
        step(gpu, leaves ? 2 : 12);
        OK(gyre_model_particle_stats(gyre_gas_model(cpu), 0, &p[0]));
        OK(gyre_model_particle_stats(gyre_gas_model(gpu), 0, &p[1]));
        assert_memory_equal(&p[0], &p[1], sizeof p[0]);
        l = compare(cpu, gpu);
        print_message("case %d: %lld there, %lld lost: %.3g m, %.3g m/s apart, %d more than 1 mm\n",
                      which, (long long)p[0].count, (long long)p[0].lost, l.worst, l.speed, l.far);
        assert_true(l.far <= p[0].count / 200);
        gyre_gas_destroy(cpu);
        gyre_gas_destroy(gpu);
    }
}

/// The same particles give the same to the faces: to the bit, in whatever order they were added.
static void a_load_pushes_the_gas_alike(void **state)
{
    (void)state;
    gyre_gas *both[2] = {make_gas(the_cpu, LOADED_3D), make_gas(the_gpu, LOADED_3D)};
    size_t size = gyre_gas_save_size(both[0]), written;
    char *bytes = malloc(size);
    step(both[0], 10);
    OK(gyre_gas_save(both[0], bytes, size, &written));
    OK(gyre_gas_load(both[1], bytes, written));
    for (int turn = 0; turn < 2; turn++) {
        for (int q = 0; q < 2; q++) {
            gy_gas_list_fields(both[q]);
            gy_gas_halo(both[q], 0, both[q]->velocities, false, true);
            gy_gas_carry_tracers(both[q], 0.01f, both[q]->slot);
            gy_gas_unload_grains(both[q]);
        }
    }
    double worst = 0.0, most = 0.0;
    for (int a = 0; a < 3; a++) {
        gyre_field_view v[2];
        OK(gyre_gas_map(both[0], a, GYRE_READ, &v[0]));
        OK(gyre_gas_map(both[1], a, GYRE_READ, &v[1]));
        for (int k = 0; k < v[0].n[2]; k++) {
            for (int j = 0; j < v[0].n[1]; j++) {
                for (int i = 0; i < v[0].n[0]; i++) {
                    ptrdiff_t at = i + j * v[0].stride[1] + k * v[0].stride[2],
                              to = i + j * v[1].stride[1] + k * v[1].stride[2];
                    double x = (double)v[0].data[at];
                    worst = fmax(worst, fabs(x - (double)v[1].data[to]));
                    most = fmax(most, fabs(x));
                }
            }
        }
        OK(gyre_gas_unmap(both[0], a));
        OK(gyre_gas_unmap(both[1], a));
    }
    print_message("after two pushes %.3g m/s apart of %.3g\n", worst, most);
    assert_true(most > 0.1 && worst <= 1e-6 * most);
    free(bytes);
    gyre_gas_destroy(both[0]);
    gyre_gas_destroy(both[1]);
}

/// Twice the same run: the same bits.
static void a_load_gives_the_same_bits_each_time(void **state)
{
    (void)state;
    char *bytes[2];
    size_t written[2];
    for (int q = 0; q < 2; q++) {
        gyre_gas *gas = make_gas(the_gpu, LOADED_3D);
        step(gas, 4);
        size_t size = gyre_gas_save_size(gas);
        bytes[q] = malloc(size);
        OK(gyre_gas_save(gas, bytes[q], size, &written[q]));
        gyre_gas_destroy(gas);
    }
    assert_int_equal(written[0], written[1]);
    assert_memory_equal(bytes[0], bytes[1], written[0]);
    free(bytes[0]);
    free(bytes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wind_carries_them_alike),
        cmocka_unit_test(they_go_as_on_the_cpu),
        cmocka_unit_test(a_load_pushes_the_gas_alike),
        cmocka_unit_test(a_load_gives_the_same_bits_each_time),
    };
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
