// labels: vulkan
// The twins of the ops that carry velocities so that energy does not grow by itself against their C
// bodies, on random fields among random solids, with open and periodic sides: blend, drift,
// kick, trace beyond open sides, advect and correct with a flow, the energy that divergence sums
// up, and what decide makes of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "test/vulkan_world.h"

/// Rows are added up in floats on the CPU, in doubles there.
static const double sum_part = 1e-6;

// ---- blend --------------------------------------------------------------------------------------

static void blend_once(world *w, const gy_blend_args *a, const char *what)
{
    const int *n = w->def.n;
    for (int f = 0; f < 3; f++) {
        rig_random_field(&w->block, w->back[f], &w->layout, -1.0f, 1.0f);
    }
    share(w);
    rig_run(&w->block, GY_OP_blend, a, gy_box_make(n[0], n[1] + 2, w->def.dim == 3 ? n[2] + 2 : 1));
    rig_fetch(&w->block);
    for (int f = 0; f < 3; f++) {
        same_field(w, w->back[f], with_halo(w), same, what);
    }
}

static void check_blend(world *w)
{
    uint32_t energy = rig_take_bytes(&w->block, sizeof(gy_energy));
    gy_energy *e = rig_at(&w->block, energy);
    *e = (gy_energy){.factor = 0.83f};
    *rig_sample(&w->block, w->field[0], &w->extent, 0, 0, 0) = 1e-30f; // becomes nothing
    gy_blend_args a = {.base = rig_base(&w->block),
                       .to = {w->back[0]},
                       .x = {w->field[0]},
                       .y = {w->field[1]},
                       .count = 1,
                       .by = 0.37f,
                       .also = -1.21f,
                       .extent = w->extent};
    blend_once(w, &a, "blend of two");
    a.y[0] = 0;
    blend_once(w, &a, "blend of one");
    a.extent.halves = 0;
    a.count = w->def.dim;
    for (int f = 0; f < w->def.dim; f++) {
        a.to[f] = a.x[f] = w->back[f];
        a.y[f] = w->forward[f];
        rig_random_field(&w->block, w->forward[f], &w->layout, -1.0f, 1.0f);
    }
    blend_once(w, &a, "blend of several in their place");
    memset(a.y, 0, sizeof a.y);
    a.energy = energy;
    blend_once(w, &a, "blend by the energy's factor");
    a.means = rig_take_bytes(&w->block, sizeof(gy_means));
    *(gy_means *)rig_at(&w->block, a.means) = (gy_means){.add = {0.11f, -0.37f, 0.023f}};
    blend_once(w, &a, "blend that gives back what is owed");
}

// ---- drift --------------------------------------------------------------------------------------

static void check_drift(world *w)
{
    gy_box box = box_of(&w->def, GYRE_CENTRE, false);
    int tasks = gy_task_count(GY_OP_drift, box);
    gy_drift_args a = {.base = rig_base(&w->block), .partial = w->partial, .extent = w->extent};
    for (int c = 0; c < 3; c++) {
        a.velocity[c] = w->velocity[GY_MIN(c, w->def.dim - 1)];
        rig_random_field(&w->block, a.velocity[c], &w->layout, -1.0f, 1.0f);
    }
    memset(rig_at(&w->block, w->partial), 0, (size_t)tasks * 4 * sizeof(double));
    share(w);
    rig_run(&w->block, GY_OP_drift, &a, box);
    rig_fetch(&w->block);
    rig_same_doubles(&w->block, w->partial, 4 * tasks, sum_part, 1e-4, "drift");
}

// ---- kick ---------------------------------------------------------------------------------------

/// The first entries of the list: the velocities.
static void list_velocities(world *w)
{
    for (int a = 0; a < w->def.dim; a++) {
        gy_field *f = field_of(w, a);
        *f = (gy_field){.location = (int32_t)gy_faces(a)};
        for (int axis = 0; axis < 3; axis++) {
            f->edge[axis] = edge_of(&w->def, gy_faces(a), axis);
        }
    }
}

static void check_kick(world *w)
{
    gy_box box = box_of(&w->def, GYRE_CENTRE, false);
    for (int a = 1; a < w->def.dim; a++) {
        box.high[a] = box_of(&w->def, gy_faces(a), false).high[a];
    }
    int tasks = gy_task_count(GY_OP_kick, box);
    for (int way = 0; way < 4; way++) {
        gy_kick_args a = {.base = rig_base(&w->block),
                          .fields = w->listed,
                          .level = gy_system_offset(&w->system, 0),
                          .lag = gy_system_level(&w->system, 0)->b,
                          .force = way % 2 ? w->field[0] : 0,
                          .partial = w->partial,
                          .extent = w->extent,
                          .amount = 0.43f,
                          .pull = {0.9f, way == 1 ? 0.0f : -0.7f, 0.3f},
                          .cap = 1.1f};
        list_velocities(w);
        for (int c = 0; c < w->def.dim; c++) {
            a.velocity[c] = w->velocity[c];
            a.to[c] = way < 3 ? w->back[c] : 0;
            rig_random_field(&w->block, w->velocity[c], &w->layout, -1.0f, 1.0f);
            rig_random_field(&w->block, w->back[c], &w->layout, -1.0f, 1.0f);
        }
        memset(rig_at(&w->block, w->partial), 0, (size_t)tasks * 4 * sizeof(double));
        share(w);
        rig_run(&w->block, GY_OP_kick, &a, box);
        rig_fetch(&w->block);
        for (int c = 0; c < w->def.dim; c++) {
            same_field(w, w->back[c], whole_rows(w, box_of(&w->def, gy_faces(c), false)), same,
                       "kick");
            same_field(w, w->velocity[c], with_halo(w), same, "what is kicked");
        }
        rig_same_doubles(&w->block, w->partial, 4 * tasks, sum_part, 1e-12, "kick");
    }
}

// ---- paths --------------------------------------------------------------------------------------

/// Velocities that reach so many cells in a step: whirls a few cells wide or more, so that whole
/// blocks move alike, with so much noise.
static void blow(world *w, float reach, float noise)
{
    for (int a = 0; a < w->def.dim; a++) {
        gy_box box = box_of(&w->def, gy_faces(a), true);
        rig_random_field(&w->block, w->velocity[a], &w->layout, -reach, reach);
        float pace = rig_float(0.02f, 0.2f), phase = rig_float(0.0f, 6.0f);
        for (int k = 0; k < box.high[2]; k++) {
            for (int j = 0; j < box.high[1]; j++) {
                for (int i = 0; i < box.high[0]; i++) {
                    float *u = rig_sample(&w->block, w->velocity[a], &w->extent, i, j, k);
                    float x = pace * (float)(i + 2 * j - 3 * k) + phase;
                    *u = reach * ((1.0f - noise) * gy_sinf(x) + noise * rig_float(-1.0f, 1.0f));
                }
            }
        }
        fill_halo(w, w->velocity[a], gy_faces(a), false);
    }
}

/// What lies beyond the ends of a displacement, as a gas has it.
static void fill_path_halo(const world *w, uint32_t field, int component)
{
    gy_field *f = field_of(w, LISTED - 1);
    f->now = field;
    for (int axis = 0; axis < 3; axis++) {
        gy_edge *edge = &f->edge[axis];
        *edge = (gy_edge){.samples = w->def.n[axis]};
        for (int end = 0; end < 2; end++) {
            bool open = w->def.open >> (2 * axis + end) & 1u;
            edge->rule[end] = w->def.periodic >> axis & 1u ? GY_EDGE_WRAP
                              : component == axis && !open ? GY_EDGE_INWARD
                                                           : GY_EDGE_COPY;
        }
    }
    for (int axis = 0; axis < w->def.dim; axis++) {
        gy_halo_args a = halo_args(w, axis, LISTED - 1);
        gy_run(the_cpu, GY_OP_halo, &a, halo_box(w, &a, 1));
    }
}

static void check_paths(world *w, float reach)
{
    gy_box cells = box_of(&w->def, GYRE_CENTRE, false);
    gy_trace_args a = {.base = rig_base(&w->block),
                       .bounds = w->bounds,
                       .near = w->def.closed ? w->near : 0,
                       .level = gy_system_offset(&w->system, 0),
                       .extent = w->extent,
                       .scale = 0.9f,
                       .periodic = w->def.periodic,
                       .open_sides = w->def.open};
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, w->def.dim - 1);
        a.velocity[d] = w->velocity[axis];
        a.back[d] = w->back[axis];
        a.forward[d] = w->forward[axis];
    }
    share(w);
    rig_run(&w->block, GY_OP_trace, &a, cells);
    rig_fetch(&w->block);
    for (int d = 0; d < w->def.dim; d++) {
        // Interpolation by hats, which the CPU prefers, rounds otherwise than by corners.
        rig_bound bound = {0, 5e-7 * fmax(1.0, (double)reach)}; // sides blow, too
        same_field(w, w->back[d], whole_rows(w, cells), bound, "back");
        same_field(w, w->forward[d], whole_rows(w, cells), bound, "forward");
        fill_path_halo(w, w->back[d], d);
        fill_path_halo(w, w->forward[d], d);
    }
}

// ---- carried ------------------------------------------------------------------------------------

static double total_of(const world *w, const uint8_t *block, int tasks, int which)
{
    const double *partial = (const double *)(const void *)(block + (size_t)w->partial * 64);
    double sum = 0.0;
    for (int t = 0; t < tasks; t++) {
        sum += partial[4 * t + which];
    }
    return sum;
}

/// Divergence sums up the energy of the new velocities: on both devices what correct has on the
/// CPU.
static void check_energy(world *w, double carried)
{
    gy_box box = box_of(&w->def, GYRE_CENTRE, false);
    int tasks = gy_task_count(GY_OP_divergence, box);
    gy_divergence_args a = {.base = rig_base(&w->block),
                            .level = gy_system_offset(&w->system, 0),
                            .partial = w->partial,
                            .extent = w->extent,
                            .energy = 1};
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = w->field[2 * MOST + GY_MIN(d, w->def.dim - 1)];
    }
    memset(rig_at(&w->block, w->partial), 0, (size_t)tasks * 4 * sizeof(double));
    share(w);
    rig_run(&w->block, GY_OP_divergence, &a, box);
    rig_fetch(&w->block);
    rig_same_doubles(&w->block, w->partial, 4 * tasks, sum_part, 1e-9, "divergence's sums");
    double there = total_of(w, w->block.gpu, tasks, 2);
    if (!(fabs(there - carried) <= sum_part * carried)) {
        fail_msg("energy %.17g by correct, %.17g by divergence", carried, there);
    }
}

/// Carries all velocities at once, as a device apart does.
static void check_carried(world *w)
{
    int dim = w->def.dim, tasks;
    gy_box box = box_of(&w->def, GYRE_CENTRE, false);
    gy_advect_args a = {.base = rig_base(&w->block),
                        .fields = w->listed,
                        .count = dim,
                        .bounds = w->bounds,
                        .extent = w->extent,
                        .periodic = w->def.periodic,
                        .open_sides = w->def.open,
                        .level = gy_system_offset(&w->system, 0),
                        .partial = w->partial,
                        .scale = 0.9f};
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, dim - 1);
        a.back[d] = w->back[axis];
        a.forward[d] = w->forward[axis];
        a.flow[d] = w->velocity[axis];
        box.high[axis] = box_of(&w->def, gy_faces(axis), false).high[axis];
    }
    tasks = gy_task_count(GY_OP_correct, box);
    list_velocities(w);
    for (int f = 0; f < FIELDS; f++) {
        rig_random_field(&w->block, w->field[f], &w->layout, -1.0f, 1.0f);
    }
    for (int q = 0; q < dim; q++) {
        gy_field *f = field_of(w, q);
        f->old = w->field[q];
        f->predicted = w->field[MOST + q];
        f->now = w->field[2 * MOST + q];
        fill_halo(w, f->old, gy_faces(q), false);
    }
    for (int half = 0; half < 2; half++) {
        share(w);
        rig_run(&w->block, half ? GY_OP_correct : GY_OP_advect, &a, box);
        rig_fetch(&w->block);
        for (int f = 0; f < FIELDS; f++) {
            bool made = f % MOST < dim && f / MOST == 1 + half;
            // Trust is a quotient; half of it, and a quarter of it three times, counts.
            rig_bound bound = {0, !made ? 0.0 : half ? 1.5e-6 : 5e-7};
            same_field(w, w->field[f], with_halo(w), bound,
                       !made  ? "another field"
                       : half ? "correct"
                              : "advect");
        }
        for (int q = 0; q < dim && !half; q++) {
            fill_halo(w, w->field[MOST + q], gy_faces(q), false);
        }
    }
    check_energy(w, total_of(w, w->block.cpu, tasks, 0));
}

static void check_momentum(world *w)
{
    static const struct {
        float reach, noise;
    } winds[] = {{0.0f, 0.0f},  {0.4f, 0.0f}, {1.6f, 0.0f},
                 {5.0f, 0.02f}, {0.7f, 1.0f}, {6.0f, 1.0f}};
    for (int q = 0; q < GY_COUNT(winds); q++) {
        blow(w, winds[q].reach, winds[q].noise);
        check_paths(w, winds[q].reach);
        check_carried(w);
    }
}

// ---- energy -------------------------------------------------------------------------------------

static const gy_energy_kind kinds[] = {GY_ENERGY_PACE,    GY_ENERGY_TAME,    GY_ENERGY_KICK,
                                       GY_ENERGY_CARRIED, GY_ENERGY_ARRIVED, GY_ENERGY_HELD,
                                       GY_ENERGY_KEPT};

/// Numbers that are sometimes alike, sometimes far apart.
static double draw(double round)
{
    return round * (1.0 + (double)rig_float(-1.0f, 1.0f) * pow(10.0, -rig_int(0, 9)));
}

/// Most of them hardly above or below what counts as energy from nothing.
static void near_bounds(gy_energy *e, const gy_energy_args *a, const double *partial)
{
    static const double gains[] = {-1e-3, -1e-7, 5e-8, 2e-7, 1e-3}, works[] = {1.005, 1.015, 1.05};
    double sum[3] = {0.0, 0.0, 0.0};
    for (int t = 0; t < a->tasks; t++) {
        for (int q = 0; q < 3; q++) {
            sum[q] += partial[4 * t + q];
        }
    }
    e->given = ((a->first ? 0.0 : e->carried) + sum[a->which]) / (1.0 + gains[rig_int(0, 4)]);
    if (rig_int(0, 2) > 0) {
        double rise = 0.01 * sum[0], slack = 1e-4 * sum[1];
        bool less = rig_int(0, 1);
        e->kinetic = sum[0] - (less ? 1.5 : 1.0) * rise;
        e->begun = 2.0 * sum[1] - sum[0] - (less ? 1.0 : 1.5) * rise;
        e->work = (rise - slack) / works[rig_int(0, 2)];
    }
}

static void draw_energy(gy_energy *e, gy_energy_args *a, double *partial)
{
    double scale = (double)rig_float(0.1f, 1e4f);
    *e = (gy_energy){.kinetic = draw(scale),
                     .begun = draw(scale),
                     .given = draw(scale),
                     .carried = draw(0.5 * scale),
                     .work = draw(rig_int(-1, 1) * 1e-3 * scale),
                     .first_gain = rig_int(0, 1) ? 1.25 : 0.0,
                     .governed = rig_int(0, 9),
                     .factor = 1.0f};
    e->lag.factor = 0.5f;
    e->gained = e->first_gain > 0.0 ? rig_int(1, 9) : 0;
    a->tasks = rig_int(1, GY_MAX_TASKS);
    a->first = rig_int(0, 3) == 0;
    a->last = rig_int(0, 1);
    a->which = rig_int(0, 1) ? 2 : 0;
    a->time = draw(7.0);
    a->pace = rig_float(0.5f, 1.5f);
    double each[3] = {draw(scale), draw(scale), draw(scale)};
    for (int t = 0; t < a->tasks; t++) {
        for (int q = 0; q < 4; q++) {
            partial[4 * t + q] = q < 3 ? draw(each[q] / a->tasks) : 0.0;
        }
    }
    near_bounds(e, a, partial);
    if (a->kind == GY_ENERGY_PACE) {
        ((gy_report *)(void *)partial)->speed = rig_float(0.5f, 1.5f);
        a->tasks = 0;
    }
}

/// Of 1000 cells that were carried: most of them hardly more than before, or as much.
static void draw_means(gy_energy *e, gy_means *m, gy_energy_args *a, const double *partial)
{
    static const double gains[] = {-1e-3, -1e-7, 0.0, 2e-7, 1e-3};
    double mean = 0.0, sum[3] = {0.0, 0.0, 0.0};
    for (int t = 0; t < a->tasks; t++) {
        for (int q = 0; q < 3; q++) {
            sum[q] += partial[4 * t + q];
        }
    }
    a->time = 1000.0;
    a->which = rig_int(1, 7);
    for (int q = 0; q < 3; q++) {
        m->held[q] = sum[q] * (1.0 + (double)rig_int(-1, 1) * pow(10.0, -rig_int(3, 12)));
        m->owed[q] = (double)rig_float(-1.0f, 1.0f) * 1e-9 * sum[q];
        mean += sum[q] * sum[q] / 1000.0;
    }
    e->given = mean * (double)rig_float(1.5f, 3.0f);
    e->carried = e->given * (1.0 + gains[rig_int(0, 4)]);
}

/// What has happened, one of 18.
static int way_of(const gy_energy_args *a, const gy_energy *was, const gy_energy *is)
{
    switch (a->kind) {
    case GY_ENERGY_PACE:
        return is->slow ? 0 : 1;
    case GY_ENERGY_TAME:
        return is->lag.factor == 1.0f ? 2 : 3;
    case GY_ENERGY_KICK:
        return is->gained > was->gained ? (was->gained ? 4 : 5) : a->first ? 6 : 7;
    case GY_ENERGY_CARRIED:
        return !a->last ? (a->first ? 8 : 9) : is->calm ? 10 : 11;
    case GY_ENERGY_HELD:
        return 14;
    case GY_ENERGY_KEPT:
        return is->calm ? 15 : is->factor == 1.0f ? 16 : 17;
    default:
        return a->first ? 12 : 13;
    }
}

/// Means to what a root of one float more or less makes of them.
static void same_means(const gy_means *cpu, const gy_means *gpu)
{
    for (int q = 0; q < 3; q++) {
        double size = fabs(cpu->left[q]) / 1000.0;
        assert_true(cpu->held[q] == gpu->held[q]);
        assert_true(fabs((double)cpu->add[q] - (double)gpu->add[q]) <= 2e-7 * size);
        assert_true(fabs(cpu->owed[q] - gpu->owed[q]) <= 2e-7 * size);
    }
}

static void decide_energy(void **state)
{
    (void)state;
    int seen[18] = {0};
    rig_block b = rig_take_block(65536);
    uint32_t partial = rig_take_bytes(&b, GY_MAX_TASKS * 4 * sizeof(double));
    uint32_t energy = rig_take_bytes(&b, sizeof(gy_energy));
    uint32_t means = rig_take_bytes(&b, sizeof(gy_means));
    gy_energy_args a = {.base = rig_base(&b), .energy = energy, .partial = partial, .means = means};
    gy_means *kept = rig_at(&b, means);
    gy_energy was, *cpu = rig_at(&b, energy);
    gy_energy *gpu = (gy_energy *)(void *)(b.gpu + (size_t)energy * 64);
    rig_seed = 7;
    for (int q = 0; q < 1000; q++) {
        a.kind = (int32_t)kinds[q % GY_COUNT(kinds)];
        draw_energy(cpu, &a, rig_at(&b, partial));
        if (a.kind == (int32_t)GY_ENERGY_KEPT) {
            draw_means(cpu, kept, &a, rig_at(&b, partial));
        }
        was = *cpu;
        rig_share(&b);
        rig_run(&b, GY_OP_decide_energy, &a, gy_box_make(1, 1, 1));
        rig_fetch(&b);
        seen[way_of(&a, &was, cpu)]++;
        // Of a root.
        assert_true(rig_ulp(cpu->lag.factor, gpu->lag.factor) <= 1);
        assert_true(rig_ulp(cpu->factor, gpu->factor) <= 1);
        gpu->lag.factor = cpu->lag.factor;
        gpu->factor = cpu->factor;
        if (a.kind == (int32_t)GY_ENERGY_KEPT) {
            assert_true(fabs(gpu->carried / cpu->carried - 1.0) <= 1e-6);
            gpu->carried = cpu->carried;
        }
        same_means(kept, (const gy_means *)(const void *)(b.gpu + (size_t)means * 64));
        rig_same_bytes(&b, energy, offsetof(gy_energy, swells), "energy");
    }
    for (int way = 0; way < GY_COUNT(seen); way++) {
        if (seen[way] == 0) {
            fail_msg("way %d was not seen", way);
        }
    }
    rig_give_back(&b);
}

TEST(blend)
TEST(drift)
TEST(kick)
TEST(momentum)

int main(void)
{
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        BOTH(blend),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_kick),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(decide_energy),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
