// labels: vulkan
// Solids and bodies that move in a gas, on the CPU and on a Vulkan device, step for step: in 2D and
// 3D, slowly and by several cells a step, where the gas slides along them and where it sticks. What
// they sweep stays in the gas, nothing is left inside, what pushes them is the same, and a step is
// one submission that waits for nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "test/body_set_rig.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include "gas/gas.h"

enum { CELLS = 16, STEPS = 6, SHORT = 4 };

typedef struct trial {
    const char *name;
    int dim;
    float cells; // a step
    bool body;   // of a set; else a solid of the gas
    bool slip;
    float viscosity;
    float spin; // degrees a step
    int advection;
    int surface; // gyre_surface
} trial;

/// The same on two devices, or on one alone.
typedef struct flight {
    gyre_gas *gas;
    gyre_bodies *set;
    gyre_id ball;
    gyre_gas_solid solid;
    const trial *t;
} flight;

/// Round along x, closed along the others, without weight; in cells and steps.
static gyre_gas_def hall(const trial *t)
{
    gyre_gas_def def = sized(t->dim, CELLS + 4, CELLS, t->dim == 3 ? CELLS - 4 : 1);
    def.grid.h = 1.0f;
    memset(def.gravity, 0, sizeof def.gravity);
    def.air_density = 1.0f;
    def.viscosity = t->viscosity;
    def.solid_slip = t->slip;
    def.advection = t->advection;
    def.diffusion.tolerance = 1e-6f;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    return def;
}

static gyre_shape form(bool box)
{
    const float size[3] = {8.0f, 2.5f, 5.0f}, origin[3] = {0};
    return box ? gyre_box(origin, size) : gyre_sphere(origin, 3.3f);
}

static void fill(gyre_gas *gas)
{
    const int field = gyre_gas_field(gas, "density");
    gyre_field_view v;
    must(gyre_gas_map(gas, field, GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                double x = 6.2831853 * i / v.n[0], y = 3.1415926 * j / v.n[1];
                v.data[i + j * v.stride[1] + k * v.stride[2]] =
                    (float)(1.0 + 0.3 * sin(x + 0.2 * k) * cos(y));
            }
        }
    }
    must(gyre_gas_unmap(gas, field));
}

static flight start(gyre_device *device, const trial *t)
{
    flight f = {.t = t};
    gyre_gas_def def = hall(t);
    must(gyre_gas_create(device, &def, &f.gas));
    gyre_pose pose = {.position = {6.3f, 0.5f * CELLS, 0.5f * (CELLS - 4)},
                      .velocity = {t->cells, 0.0f, 0.0f},
                      .spin = {0.0f, 0.0f, t->spin}};
    if (t->body) {
        f.set = set_of();
        gyre_body ball = gyre_bodies_default_body();
        ball.form.kind = t->spin != 0.0f ? GYRE_FORM_BOX : GYRE_FORM_SPHERE;
        ball.form.as.sphere.radius = 3.3f;
        if (t->spin != 0.0f) {
            const float size[3] = {8.0f, 2.5f, 5.0f};
            memcpy(ball.form.as.box.size, size, sizeof size);
        }
        ball.gas.surface = t->surface;
        ball.motion = GYRE_MOTION_HELD;
        ball.pose = pose;
        f.ball = added(f.set, &ball);
        must(gyre_model_use_bodies(gyre_gas_model(f.gas), f.set));
    } else {
        f.solid = gyre_gas_default_solid();
        f.solid.enabled = true;
        f.solid.shape = form(t->spin != 0.0f);
        f.solid.surface = t->surface;
        f.solid.pose = pose;
        f.ball = gyre_gas_add_solid(f.gas, &f.solid);
    }
    fill(f.gas);
    return f;
}

static void land(flight *f)
{
    if (f->set) {
        must(gyre_model_use_bodies(gyre_gas_model(f->gas), NULL));
    }
    gyre_bodies_destroy(f->set);
    gyre_gas_destroy(f->gas);
    *f = (flight){0};
}

/// A step of 1 s, in which the ball goes on.
static void go(flight *f)
{
    must(gyre_gas_step(f->gas, 1.0f));
    if (f->set) {
        must(gyre_bodies_step(f->set, 1.0f));
        return;
    }
    f->solid.pose.position[0] += f->t->cells;
    f->solid.pose.rotation[2] += f->t->spin;
    // A solid of the gas is there once, also where sides are joined.
    f->solid.pose.position[0] -= f->solid.pose.position[0] > CELLS - 2 ? 10.0f : 0.0f;
    must(gyre_gas_update_solid(f->gas, f->ball, &f->solid));
}

/// How far two are apart: the worst of all samples, and the root of the mean square, of the most
/// that a velocity or a scalar may be expected to be.
typedef struct difference {
    double worst, mean;
} difference;

static difference apart(const flight *a, const flight *b)
{
    difference d = {0.0, 0.0};
    for (int f = 0; f < a->gas->states; f++) {
        gyre_field_view v, w;
        double size = f < a->gas->velocities ? fmax((double)a->t->cells, 1.0) : 1.0, sum = 0.0;
        double worst = 0.0;
        must(gyre_gas_map(a->gas, f, GYRE_READ, &v));
        must(gyre_gas_map(b->gas, f, GYRE_READ, &w));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++) {
                    double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                    double y = (double)w.data[i + j * w.stride[1] + k * w.stride[2]];
                    assert_true(isfinite(x) && isfinite(y));
                    size = fmax(size, fabs(x));
                    worst = fmax(worst, fabs(x - y));
                    sum += (x - y) * (x - y);
                }
            }
        }
        must(gyre_gas_unmap(a->gas, f));
        must(gyre_gas_unmap(b->gas, f));
        d.worst = fmax(d.worst, worst / size);
        d.mean = fmax(d.mean, sqrt(sum / (v.n[0] * v.n[1] * v.n[2])) / size);
    }
    return d;
}

/// Rounding, but where remap's limiter makes up its mind: there what a scalar is jumps (amounts
/// that are changed by 1e-6 on the CPU alone are 2e-3 apart after a step).
static bool is_near(difference d)
{
    return d.mean < 2e-6 && d.worst < 1e-4;
}

static double total(const flight *f)
{
    return gyre_gas_get_budget(f->gas, gyre_gas_field(f->gas, "density")).total;
}

static float inside(const flight *f)
{
    const float *x = f->set ? read_of(f->set, f->ball).pose.position : f->solid.pose.position;
    float at[3] = {x[0], x[1], x[2]}, value;
    while (at[0] >= CELLS + 4) {
        at[0] -= CELLS + 4;
    }
    must(gyre_gas_probe(f->gas, gyre_gas_field(f->gas, "density"), at, 1, &value));
    return value;
}

/// How far what pushes the ball is apart, over the most that has.
static double push_apart(const flight *a, const flight *b, double *size)
{
    gyre_gas_push p, q;
    double worst = 0.0;
    must(gyre_gas_read_push(a->gas, a->ball, &p));
    must(gyre_gas_read_push(b->gas, b->ball, &q));
    for (int c = 0; c < 3; c++) {
        worst = fmax(worst, fmax(fabs(p.force[c] - q.force[c]), fabs(p.torque[c] - q.torque[c])));
        *size = fmax(*size, fmax(fabs(p.force[c]), fabs(p.torque[c])));
    }
    return worst;
}

static const trial trials[] = {
    {"2D, slow", 2, 0.3f, false, true, 0.0f, 0.0f, GYRE_GAS_CONSERVATIVE, 0},
    {"2D, fast, sticks", 2, 5.0f, false, false, 0.05f, 0.0f, GYRE_GAS_CONSERVATIVE, 0},
    {"2D, a wheel", 2, 0.3f, false, true, 0.05f, 20.0f, GYRE_GAS_CONSERVATIVE, 0},
    {"3D, slow, sticks", 3, 0.3f, true, false, 0.05f, 0.0f, GYRE_GAS_CONSERVATIVE, 0},
    {"3D, fast", 3, 5.0f, true, true, 0.0f, 0.0f, GYRE_GAS_CONSERVATIVE, 0},
    {"3D, turning", 3, 0.3f, true, true, 0.05f, 20.0f, GYRE_GAS_MACCORMACK, 0},
    {"2D, slides alone", 2, 0.3f, false, false, 0.05f, 0.0f, GYRE_GAS_CONSERVATIVE,
     GYRE_SURFACE_SLIP},
    {"3D, sticks alone", 3, 0.3f, true, true, 0.05f, 0.0f, GYRE_GAS_CONSERVATIVE,
     GYRE_SURFACE_NO_SLIP},
};

static void step_for_step(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(trials); q++) {
        const trial *t = &trials[q];
        flight cpu = start(the_cpu, t), gpu = start(the_gpu, t);
        double begun = total(&gpu), off = 0.0, push = 0.0, size = 0.0;
        difference most = {0.0, 0.0};
        for (int s = 0; s < (t->dim == 3 ? rig_steps(6) : STEPS); s++) {
            go(&cpu);
            go(&gpu);
            push = fmax(push, push_apart(&cpu, &gpu, &size));
            difference d = apart(&cpu, &gpu);
            most = (difference){fmax(most.worst, d.worst), fmax(most.mean, d.mean)};
            off = fmax(off, fabs(total(&gpu) / begun - 1.0));
        }
        printf("    %s: apart by %.2g (mean) and %.2g, pushes by %.2g, total off by %.2g\n",
               t->name, most.mean, most.worst, push / size, off);
        gyre_gas_stats x = gyre_gas_get_stats(cpu.gas), y = gyre_gas_get_stats(gpu.gas);
        assert_true(is_near(most) && push < 1e-5 * size);
        assert_true(fabs(x.squeezed - y.squeezed) < 1e-9 && size > 0.1);
        assert_true(fabsf(x.div_max_after - y.div_max_after) < 1e-4f);
        if (t->advection == GYRE_GAS_CONSERVATIVE) {
            assert_true(off < 1e-5 && inside(&gpu) == 0.0f);
        }
        land(&cpu);
        land(&gpu);
    }
}

/// A body that moves makes no step wait, nor does the push of one that is held.
static void one_submission_a_step(void **state)
{
    (void)state;
    for (int q = 1; q < GY_COUNT(trials); q += 3) {
        flight f = start(the_gpu, &trials[q]);
        for (int s = 0; s < SHORT; s++) {
            uint64_t submitted = the_gpu->submissions, waited = the_gpu->waits;
            go(&f);
            submitted = the_gpu->submissions - submitted;
            waited = the_gpu->waits - waited;
            if (submitted != 1 || waited != 0) {
                fail_msg("%s, step %d: %d submissions, %d waits", trials[q].name, s, (int)submitted,
                         (int)waited);
            }
            must(gyre_device_wait(the_gpu));
        }
        land(&f);
    }
}

/// A state saved on one device goes on, on the other, as on its own.
static void saved_across_devices(void **state)
{
    (void)state;
    const trial *t = &trials[3];
    gyre_device *const both[2] = {the_cpu, the_gpu};
    for (int from = 0; from < 2; from++) {
        flight f = start(both[from], t), g = start(both[1 - from], t);
        for (int s = 0; s < SHORT; s++) {
            go(&f);
        }
        size_t size = gyre_gas_save_size(f.gas), room = gyre_bodies_save_size(f.set);
        void *gas = malloc(size), *set = malloc(room);
        must(gyre_gas_save(f.gas, gas, size, &size));
        must(gyre_bodies_save(f.set, set, room, &room));
        must(gyre_bodies_load(g.set, set, room));
        must(gyre_gas_load(g.gas, gas, size));
        for (int s = 0; s < SHORT; s++) {
            go(&f);
            go(&g);
        }
        difference d = apart(&f, &g);
        double size_of = 0.0, push = push_apart(&f, &g, &size_of);
        printf("    saved on %s: apart by %.2g (mean) and %.2g, pushes by %.2g\n",
               from ? "the GPU" : "the CPU", d.mean, d.worst, push / size_of);
        assert_true(is_near(d) && push < 1e-5 * size_of);
        free(gas);
        free(set);
        land(&f);
        land(&g);
    }
}

/// A free ball is pushed by the gas, which a step waits for: once, without a submission more. One
/// step of nothing keeps what pushed it.
static void a_free_ball_is_pushed(void **state)
{
    (void)state;
    gyre_device *const both[2] = {the_cpu, the_gpu};
    flight f[2];
    trial t = trials[4];
    t.cells = 0.5f;
    float x[2] = {0.0f, 0.0f}, speed[2];
    for (int d = 0; d < 2; d++) {
        f[d] = start(both[d], &t);
        gyre_body ball = read_of(f[d].set, f[d].ball);
        ball.motion = GYRE_MOTION_FREE;
        ball.density = 6.0f;
        ball.pose.velocity[0] = t.cells;
        must(gyre_bodies_update(f[d].set, f[d].ball, &ball));
        must(gyre_bodies_set_gravity(f[d].set, (const float[3]){0}));
        for (int s = 0; s < SHORT; s++) {
            uint64_t submitted = the_gpu->submissions, waited = the_gpu->waits;
            go(&f[d]);
            submitted = the_gpu->submissions - submitted;
            waited = the_gpu->waits - waited;
            if (d == 1 && s > 0 && (submitted != 1 || waited != 1)) {
                fail_msg("free, step %d: %d submissions, %d waits", s, (int)submitted, (int)waited);
            }
        }
        gyre_body now = read_of(f[d].set, f[d].ball);
        x[d] = now.pose.position[0];
        speed[d] = now.pose.velocity[0];
        gyre_gas_push before, after;
        must(gyre_gas_step(f[d].gas, 1.0f));
        must(gyre_gas_read_push(f[d].gas, f[d].ball, &before));
        must(gyre_gas_step(f[d].gas, 0.0f));
        must(gyre_gas_read_push(f[d].gas, f[d].ball, &after));
        assert_memory_equal(&before, &after, sizeof before);
    }
    printf("    free: at %.6f and %.6f, %.6f and %.6f m/s\n", (double)x[0], (double)x[1],
           (double)speed[0], (double)speed[1]);
    assert_true(fabsf(x[0] - x[1]) < 1e-5f && fabsf(speed[0] - speed[1]) < 1e-6f);
    assert_true(speed[0] < 0.49f);
    land(&f[0]);
    land(&f[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_for_step),
        cmocka_unit_test(one_submission_a_step),
        cmocka_unit_test(saved_across_devices),
        cmocka_unit_test(a_free_ball_is_pushed),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
