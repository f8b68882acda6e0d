// labels: vulkan
// The twins of the ops of the conservative transport against their C bodies: random winds and
// fields among random solids, each sweep by itself and one after the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "test/vulkan_world.h"

enum { SCALARS = 3, SUBSTEPS = 7 };

/// Rounding, and what a volume near 0 makes of it.
static const rig_bound carried = {0, 2e-5};

typedef struct scene {
    world *w;
    uint32_t carriage, ledgers, partial[3];
    gy_remap_args args;
} scene;

static gy_share_args share_args(const scene *s)
{
    const world *w = s->w;
    gy_share_args a = {.base = rig_base(&w->block),
                       .level = w->def.closed ? gy_system_offset(&w->system, 0) : 0,
                       .partial = w->partial,
                       .extent = w->extent,
                       .scale = 0.8f,
                       .periodic = w->def.periodic,
                       .open_sides = w->def.open};
    for (int d = 0; d < 3; d++) {
        a.wind[d] = w->velocity[GY_MIN(d, w->def.dim - 1)];
    }
    return a;
}

static gy_box cells(const world *w)
{
    return gy_box_make(w->def.n[0], w->def.n[1], w->def.n[2]);
}

static gy_box sweep_box(const world *w, int axis)
{
    const int *n = w->def.n;
    return axis == 2 ? gy_box_make(n[0], n[2], n[1]) : gy_box_make(n[0], n[1], n[2]);
}

/// How many substeps there are to be, on both devices.
static void find_substeps(const scene *s, int most)
{
    world *w = s->w;
    gy_share_args a = share_args(s);
    gy_tally_args t = {.base = a.base,
                       .carriage = s->carriage,
                       .partial = {w->partial},
                       .tasks = {gy_task_count(GY_OP_share, cells(w))},
                       .kind = GY_TALLY_SHARE,
                       .most = most,
                       .scale = (double)a.scale};
    share(w);
    rig_run(&w->block, GY_OP_share, &a, cells(w));
    rig_run(&w->block, GY_OP_tally, &t, gy_box_make(1, 1, 1));
    rig_fetch(&w->block);
    rig_same_floats(&w->block, s->carriage, 2, (rig_bound){4, 0.0}, "share and scale");
    rig_same_bytes(&w->block, s->carriage + 1, GY_MOST_SUBSTEPS * sizeof(uint32_t), "gates");
    const gy_carriage *c = rig_at(&w->block, s->carriage);
    assert_true(c->share > 0.0f && c->count >= 1 && c->count <= most);
    assert_true((double)c->share / (double)a.scale * (double)c->scale < 0.981);
}

/// One cell into which gas comes along two axes, and leaves along the third: it gives most along it
/// where that axis is swept first, and only there.
static void find_substeps_of_jets(const scene *s)
{
    world *w = s->w;
    const int *n = w->def.n;
    for (int jet = 0; jet < w->def.dim; jet++) {
        for (int a = 0; a < w->def.dim; a++) {
            int at[3] = {n[0] / 2, n[1] / 2, n[2] / 2};
            rig_random_field(&w->block, w->velocity[a], &w->layout, -0.02f, 0.02f);
            for (int end = 0; end < 2; end++, at[a]++) {
                *rig_sample(&w->block, w->velocity[a], &w->extent, at[0], at[1], at[2]) =
                    a != jet ? 1.0f - 2.0f * (float)end : 3.0f * (float)end;
            }
        }
        find_substeps(s, SUBSTEPS);
    }
}

static void list_scalars(const scene *s)
{
    world *w = s->w;
    for (int q = 0; q < SCALARS; q++) {
        *field_of(w, q) = (gy_field){.old = w->field[q],
                                     .predicted = w->field[MOST + q],
                                     .now = w->field[2 * MOST + q],
                                     .location = GYRE_CENTRE,
                                     .halves = halves};
        // Between sweeps there are floats.
        w->half[q] = halves;
        w->half[MOST + q] = w->half[2 * MOST + q] = false;
    }
}

static void check_sweeps(scene *s, bool turned)
{
    world *w = s->w;
    int dim = w->def.dim;
    gy_remap_args *a = &s->args;
    gy_tally_args t = {.base = a->base,
                       .carriage = s->carriage,
                       .ledgers = s->ledgers,
                       .kind = GY_TALLY_SWEEPS,
                       .count = SCALARS,
                       .sweeps = dim};
    a->turned = turned;
    for (int q = 0; q < dim; q++) {
        a->axis = turned ? dim - 1 - q : q;
        a->place = q;
        a->from = q;
        a->to = q == dim - 1 ? 0 : q + 1;
        a->partial = t.partial[q] = s->partial[q];
        t.tasks[q] = gy_task_count(GY_OP_remap, sweep_box(w, a->axis));
        rig_run(&w->block, GY_OP_remap, a, sweep_box(w, a->axis));
        rig_fetch(&w->block);
        for (int f = 0; f < SCALARS; f++) {
            same_field(w, w->field[a->to * MOST + f], cells(w), carried, "remap");
        }
        if (!halves) {
            rig_same_doubles(&w->block, a->partial, 2 * SCALARS * t.tasks[q], 1e-5, 1e-3, "sums");
        }
        share(w);
    }
    rig_same_field(&w->block, w->back[0], &w->extent, cells(w), (rig_bound){0, 2e-6}, "swelling");
    rig_run(&w->block, GY_OP_tally, &t, gy_box_make(1, 1, 1));
    rig_fetch(&w->block);
    rig_same_doubles(&w->block, s->ledgers, 2, 1e-5, 1e-2, "ledger");
}

static void check_remap(world *w)
{
    scene s = {.w = w};
    // What share has left is followed by its gates, at a multiple of 64 bytes.
    s.carriage = rig_take_bytes(&w->block, sizeof(gy_carriage));
    s.ledgers = rig_take_bytes(&w->block, SCALARS * sizeof(gy_ledger));
    for (int q = 0; q < 3; q++) {
        s.partial[q] = rig_take_bytes(&w->block, GY_MAX_TASKS * SCALARS * 2 * sizeof(double));
    }
    gy_share_args of = share_args(&s);
    s.args = (gy_remap_args){.base = of.base,
                             .swelling = (uint64_t)(uintptr_t)rig_at(&w->block, w->back[0]),
                             .fields = w->listed,
                             .count = SCALARS,
                             .level = of.level,
                             .carriage = s.carriage,
                             .ledgers = s.ledgers,
                             .extent = w->extent,
                             .periodic = w->def.periodic,
                             .open_sides = w->def.open,
                             .limit = 1e20f};
    s.args.extent.halves = halves;
    memcpy(s.args.wind, of.wind, sizeof of.wind);
    for (int draw = 0; draw < 3; draw++) {
        for (int a = 0; a < w->def.dim; a++) {
            rig_random_field(&w->block, w->velocity[a], &w->layout, -1.0f, 1.0f);
        }
        for (int q = 0; q < SCALARS; q++) {
            gy_ledger *l = (gy_ledger *)rig_at(&w->block, s.ledgers) + q;
            *l = (gy_ledger){.error = 0.3, .left = 1.0, .factor = 1.0f + 1e-6f * (float)q};
            rig_random_field(&w->block, w->field[q], &w->layout, -1.0f, 1.0f);
        }
        rig_random_field(&w->block, w->back[0], &w->layout, -0.1f, 0.1f);
        list_scalars(&s);
        find_substeps(&s, draw == 2 ? 2 : SUBSTEPS);
        share(w);
        check_sweeps(&s, draw % 2);
    }
    find_substeps_of_jets(&s);
}

/// A volume that is to flow out counts in b.
static void check_let_out(world *w)
{
    gy_divergence_args a = {.base = rig_base(&w->block),
                            .swelling = (uint64_t)(uintptr_t)rig_at(&w->block, w->back[0]),
                            .level = gy_system_offset(&w->system, 0),
                            .partial = w->partial,
                            .extent = w->extent,
                            .write = 1,
                            .let = 0.7f};
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = w->velocity[GY_MIN(d, w->def.dim - 1)];
    }
    for (int d = 0; d < w->def.dim; d++) {
        rig_random_field(&w->block, w->velocity[d], &w->layout, -1.0f, 1.0f);
    }
    rig_random_field(&w->block, w->back[0], &w->layout, -1.0f, 1.0f);
    share(w);
    rig_run(&w->block, GY_OP_divergence, &a, cells(w));
    rig_fetch(&w->block);
    rig_same_level(&w->block, &w->system, 0, gy_system_level(&w->system, 0)->b, -1,
                   (rig_bound){0, 2e-6}, "b");
}

TEST(remap)
TEST(let_out)

int main(void)
{
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    const struct CMUnitTest tests[] = {BOTH(remap), cmocka_unit_test(test_let_out)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
