// labels: vulkan
// The twins of the ops that carry fields along and act on them in place against their C bodies, on
// random fields among random solids. Where two numbers may differ, the bound says by how much:
// nothing where an op neither divides nor interpolates; of halves, half an ulp of those beyond it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "gas/ops/derived.h"
#include "test/vulkan_world.h"

// ---- plain ones ---------------------------------------------------------------------------------

static void check_fill(world *w)
{
    // What a half makes of them: ties, both ends of its range, and rounding up to the next power.
    static const float values[] = {3.5f,     1.00048828f, 1.00146484f, 1.00048840f, -0.33333f,
                                   2047.75f, 65503.0f,    65519.0f,    65520.0f,    -1e6f,
                                   3.0e38f,  6.1036e-5f,  6.1035e-5f,  -6.1e-5f,    5.97e-8f,
                                   1.0e-30f, 0.0f,        1.99975586f, 1.99951172f, 0.1f};
    gy_fill_args a = {.base = rig_base(&w->block), .field = w->field[0], .extent = w->extent};
    const int *n = w->def.n;
    for (int v = 0; v < (w->def.n[0] < 6 ? GY_COUNT(values) : 1); v++) {
        a.value = values[v];
        share(w);
        rig_run(&w->block, GY_OP_fill, &a,
                gy_box_make(n[0], n[1] + 2, w->def.dim == 3 ? n[2] + 2 : 1));
        rig_fetch(&w->block);
        same_block(w, "fill");
    }
}

static void check_widen(world *w)
{
    gy_widen_args a = {.base = rig_base(&w->block),
                       .from = w->field[0],
                       .to = w->velocity[0],
                       .extent = w->extent};
    gy_box box = box_of(&w->def, GYRE_CENTRE, false);
    share(w);
    rig_run(&w->block, GY_OP_widen, &a, box);
    rig_fetch(&w->block);
    rig_same_field(&w->block, a.to, &w->extent, box, same, "widen");
}

static void check_halo(world *w)
{
    for (int draw = 0; draw < 24; draw++) {
        int axis = draw % w->def.dim, count = 1 + draw / 3 % (LISTED - 1);
        for (int q = 0; q < count; q++) {
            gy_field *f = field_of(w, 1 + q);
            f->now = w->field[q % FIELDS];
            f->predicted = w->field[FIELDS - 1 - q % FIELDS];
            f->halves = halves;
            for (int d = 0; d < 3; d++) {
                bool wrap = w->def.periodic >> d & 1u;
                gy_edge *edge = &f->edge[d];
                edge->samples = w->def.n[d];
                for (int end = 0; end < 2; end++) {
                    int rule = rig_int(GY_EDGE_COPY, GY_EDGE_FACE);
                    edge->rule[end] = wrap ? GY_EDGE_WRAP : draw % 5 == 4 ? GY_EDGE_INWARD : rule;
                    edge->value[end] = rig_float(-1.0f, 1.0f);
                }
                // A single sample is not given at one end and looked at from the other.
                edge->samples += d < w->def.dim && !wrap && edge->rule[1] != GY_EDGE_FACE &&
                                 (w->def.n[d] == 1 || rig_int(0, 1));
            }
            rig_random_field(&w->block, f->now, &w->layout, -1.0f, 1.0f);
        }
        gy_halo_args a = halo_args(w, axis, 1);
        a.predicted = draw % 2;
        share(w);
        rig_run(&w->block, GY_OP_halo, &a, halo_box(w, &a, count));
        rig_fetch(&w->block);
        same_block(w, "halo");
    }
}

static void check_decay(world *w)
{
    gy_decay_args a = {
        .base = rig_base(&w->block), .field = w->field[0], .factor = 0.37f, .extent = w->extent};
    float *some = rig_at(&w->block, w->field[0]);
    some[0] = 2e-30f; // becomes nothing
    share(w);
    rig_run(&w->block, GY_OP_decay, &a, box_of(&w->def, GYRE_CENTRE, false));
    rig_fetch(&w->block);
    same_block(w, "decay");
}

static void check_buoyancy(world *w)
{
    for (int axis = 0; axis < w->def.dim; axis++) {
        gy_buoyancy_args a = {.base = rig_base(&w->block),
                              .velocity = w->velocity[axis],
                              .temperature = w->field[0],
                              .density = w->field[1],
                              .count = w->partial,
                              .extent = w->extent,
                              .axis = axis,
                              .heat = 0.7f,
                              .weight = -0.4f,
                              .cap = 1.1f,
                              .edge = edge_of(&w->def, gy_faces(axis), 0)};
        gy_box box = box_of(&w->def, gy_faces(axis), false);
        rig_random_field(&w->block, w->velocity[axis], &w->layout, -1.0f, 1.0f);
        share(w);
        rig_run(&w->block, GY_OP_buoyancy, &a, box);
        rig_fetch(&w->block);
        same_field(w, w->velocity[axis], whole_rows(w, box), same, "buoyancy");
        same_block(w, "buoyancy");
    }
}

static void check_extend(world *w)
{
    const int *n = w->def.n, cells = n[0] * n[1] * n[2];
    uint32_t list = rig_take_bytes(&w->block, (size_t)cells * 2 * sizeof(uint32_t));
    uint32_t *item = rig_at(&w->block, list);
    int count = 0;
    // Of the black cells, so that no item reads what another writes.
    for (int q = 0; q < cells; q++) {
        int i = q % n[0], j = q / n[0] % n[1], k = q / n[0] / n[1];
        if ((i + j + k) % 2 == 0 && rig_int(0, 2) > 0) {
            item[2 * count] = (uint32_t)(i + j * w->extent.sy + k * w->extent.sz);
            item[2 * count++ + 1] = (uint32_t)rig_int(0, w->def.dim == 3 ? 63 : 15);
        }
    }
    gy_extend_args a = {.base = rig_base(&w->block),
                        .list = (uint64_t)(uintptr_t)item,
                        .field = w->field[0],
                        .extent = w->extent};
    share(w);
    rig_run(&w->block, GY_OP_extend, &a, gy_box_make(count, 1, 1));
    rig_fetch(&w->block);
    // One division.
    same_field(w, w->field[0], whole_rows(w, box_of(&w->def, GYRE_CENTRE, false)),
               (rig_bound){3, 0.0}, "extend");
}

static void check_measure(world *w)
{
    gy_measure_args a = {.base = rig_base(&w->block),
                         .field = w->field[0],
                         .level = gy_system_offset(&w->system, 0),
                         .partial = w->partial,
                         .extent = w->extent};
    gy_box box = box_of(&w->def, GYRE_CENTRE, false);
    share(w);
    rig_run(&w->block, GY_OP_measure, &a, box);
    rig_fetch(&w->block);
    int tasks = gy_task_count(GY_OP_measure, box);
    // The same numbers added up in another order.
    rig_same_doubles(&w->block, w->partial, 4 * tasks, 1e-13, 1e-11, "measure");
    for (int t = 0; t < tasks; t++) {
        const double *most = (const double *)rig_at(&w->block, w->partial) + 4 * t + 2;
        const void *twin = w->block.gpu + ((const uint8_t *)most - w->block.cpu);
        assert_memory_equal(most, twin, sizeof *most);
    }
}

/// What is wanting from a spread of scales: of what a float can tell, and of the whole.
static void check_mend(world *w)
{
    double *sums = (double *)rig_at(&w->block, w->partial);
    gy_mend_args a = {.base = rig_base(&w->block),
                      .field = w->field[0],
                      .level = gy_system_offset(&w->system, 0),
                      .before = w->partial,
                      .after = w->partial + 4,
                      .tasks = 8,
                      .extent = w->extent};
    for (int scale = 0; scale < 10; scale++) {
        for (int q = 0; q < 64; q++) {
            sums[q] = q % 4 == 1 ? 100.0 : q < 32 ? pow(0.1, scale) : 0.0;
        }
        rig_random_field(&w->block, a.field, &w->layout, -1.0f, 1.0f);
        share(w);
        rig_run(&w->block, GY_OP_mend, &a, box_of(&w->def, GYRE_CENTRE, false));
        rig_fetch(&w->block);
        // A sum that is rounded otherwise may fall on the other side of a step.
        same_field(w, a.field, box_of(&w->def, GYRE_CENTRE, false), (rig_bound){2, 0.0}, "mend");
    }
}

static void check_derive(world *w)
{
    gy_derive_args a = {.base = rig_base(&w->block),
                        .target = w->field[0],
                        .level = gy_system_offset(&w->system, 0),
                        .extent = w->extent,
                        .scale = 3.0f};
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = w->velocity[GY_MIN(d, w->def.dim - 1)];
        rig_random_field(&w->block, w->velocity[d], &w->layout, -1.0f, 1.0f);
    }
#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula) {#name, dims},
    static const struct {
        const char *name;
        int dims;
    } all[] = {
#include "gas/ops/derived.inc"
    };
#undef GY_DERIVED
    for (a.kind = 0; a.kind < GY_DERIVE_COUNT; a.kind++) {
        if (w->def.dim < all[a.kind].dims) {
            continue;
        }
        share(w);
        rig_run(&w->block, GY_OP_derive, &a, box_of(&w->def, GYRE_CENTRE, false));
        rig_fetch(&w->block);
        // Those that take a root may differ there.
        bool root =
            a.kind == GY_DERIVE_strain || (a.kind == GY_DERIVE_vorticity && w->def.dim == 3);
        same_field(w, w->field[0], box_of(&w->def, GYRE_CENTRE, false),
                   (rig_bound){root ? 4 : 0, 0.0}, all[a.kind].name);
    }
}

// ---- transport ----------------------------------------------------------------------------------

/// A random field with zeros beyond its last row's halo. A path that ends on the very boundary face
/// has the limiter look one sample further, where a periodic x axis has no halo.
static void carry_field(world *w, uint32_t field)
{
    const gy_layout *l = &w->layout;
    float *first = (float *)rig_at(&w->block, field) - l->origin;
    rig_random_field(&w->block, field, l, -1.0f, 1.0f);
    memset(first + l->floats - GY_PAD / 2, 0, (size_t)(l->slack / 2) * sizeof(float));
}

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

static gy_trace_args trace_args(const world *w)
{
    gy_trace_args a = {.base = rig_base(&w->block),
                       .bounds = w->bounds,
                       .near = w->def.closed ? w->near : 0,
                       .level = gy_system_offset(&w->system, 0),
                       .extent = w->extent,
                       .scale = 0.9f,
                       .periodic = w->def.periodic};
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, w->def.dim - 1);
        a.velocity[d] = w->velocity[axis];
        a.back[d] = w->back[axis];
        a.forward[d] = w->forward[axis];
    }
    return a;
}

/// Interpolation by hats, which the CPU prefers, rounds otherwise than by corners.
static rig_bound hats(float size)
{
    return (rig_bound){0, 5e-7 * (double)size};
}

/// Lists fields at these locations: the old ones, predicted and new ones lie one behind the other.
static void list_fields(world *w, int first, int count, const gyre_location location[MOST])
{
    for (int q = 0; q < count; q++) {
        gy_field *f = field_of(w, first + q);
        *f = (gy_field){.old = w->field[q],
                        .predicted = w->field[MOST + q],
                        .now = w->field[2 * MOST + q],
                        .location = (int32_t)location[q],
                        .halves = halves && location[q] == GYRE_CENTRE};
        for (int axis = 0; axis < 3; axis++) {
            f->edge[axis] = edge_of(&w->def, location[q], axis);
        }
        // Of a gas's fields scalars are halves: from faces paths lead beyond the halo.
        w->half[q] = w->half[MOST + q] = w->half[2 * MOST + q] = f->halves;
        fill_halo(w, f->old, location[q], false);
    }
}

/// Carries several fields at once on both devices.
static void check_group(world *w, int count, const gyre_location location[MOST])
{
    const world_def *d = &w->def;
    int first = rig_int(0, LISTED - 1 - count);
    gy_box box = gy_box_make(d->n[0], d->n[1], d->n[2]);
    gy_advect_args a = {.base = rig_base(&w->block),
                        .fields = w->listed,
                        .first = first,
                        .count = count,
                        .bounds = w->bounds,
                        .extent = w->extent,
                        .periodic = d->periodic};
    for (int q = 0; q < 3; q++) {
        a.back[q] = w->back[GY_MIN(q, d->dim - 1)];
        a.forward[q] = w->forward[GY_MIN(q, d->dim - 1)];
    }
    for (int f = 0; f < FIELDS; f++) {
        carry_field(w, w->field[f]);
    }
    list_fields(w, first, count, location);
    for (int q = 0; q < count; q++) {
        gy_box own = box_of(d, location[q], false);
        box.high[1] = GY_MAX(box.high[1], own.high[1]);
        box.high[2] = GY_MAX(box.high[2], own.high[2]);
    }
    // MacCormack's two, the three of BFECC, the cubics, which sum up eight times as many; each
    // makes what is predicted or what is now.
    static const struct {
        gy_op op;
        int ahead, made;
        float size;
    } stages[] = {{GY_OP_advect, 0, 1, 1.0f},  {GY_OP_correct, 0, 2, 1.0f},
                  {GY_OP_advect, 1, 2, 1.0f},  {GY_OP_compensate, 0, 1, 2.0f},
                  {GY_OP_deliver, 0, 2, 2.0f}, {GY_OP_cubic, 0, 2, 3.0f}};
    for (int s = 0; s < GY_COUNT(stages); s++) {
        a.ahead = stages[s].ahead;
        share(w);
        rig_run(&w->block, stages[s].op, &a, box);
        rig_fetch(&w->block);
        for (int f = 0; f < FIELDS; f++) {
            int q = f % MOST;
            bool made = q < count && f / MOST == stages[s].made;
            same_field(w, w->field[f], with_halo(w), !made ? same : hats(stages[s].size),
                       made ? gy_op_name(stages[s].op) : "another field");
        }
        for (int q = 0; q < count; q++) {
            fill_halo(w, w->field[stages[s].made * MOST + q], location[q], false);
        }
    }
}

/// Each location alone, then groups: those of a gas, and any.
static void check_groups(world *w)
{
    gyre_location location[MOST];
    int dim = w->def.dim;
    for (int axis = 0; axis < dim; axis++) {
        location[0] = gy_faces(axis);
        check_group(w, 1, location);
    }
    for (int q = 0; q < MOST; q++) {
        location[q] = q < dim ? gy_faces(q) : GYRE_CENTRE;
    }
    check_group(w, dim + 2, location);
    check_group(w, MOST, location);
    for (int q = 0; q < MOST; q++) {
        int draw = rig_int(0, dim);
        location[q] = draw == dim ? GYRE_CENTRE : gy_faces(draw);
    }
    check_group(w, rig_int(1, MOST), location);
}

static void check_transport(world *w)
{
    static const struct {
        float reach, noise;
    } winds[] = {{0.4f, 0.0f}, {1.6f, 0.0f}, {5.0f, 0.02f}, {0.7f, 1.0f}, {6.0f, 1.0f}};
    gy_trace_args a = trace_args(w);
    gy_box cells = gy_box_make(w->def.n[0], w->def.n[1], w->def.n[2]), rows = whole_rows(w, cells);
    // Where a processor plays the device: some in each world, so that each comes up in many.
    static int turn;
    int stride = rig_is_played() ? 4 : 1;
    for (int q = turn++ % stride; q < GY_COUNT(winds); q += stride) {
        blow(w, winds[q].reach, winds[q].noise);
        share(w);
        rig_run(&w->block, GY_OP_trace, &a, cells);
        rig_fetch(&w->block);
        for (int d = 0; d < w->def.dim; d++) {
            rig_bound bound = hats(winds[q].reach);
            same_field(w, w->back[d], rows, bound, "back");
            same_field(w, w->forward[d], rows, bound, "forward");
            fill_halo(w, w->back[d], gy_faces(d), true);
            fill_halo(w, w->forward[d], gy_faces(d), true);
        }
        check_groups(w);
    }
}

TEST(fill)
TEST(widen)
TEST(halo)
TEST(decay)
TEST(buoyancy)
TEST(extend)
TEST(measure)
TEST(mend)
TEST(derive)
TEST(transport)

int main(void)
{
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        BOTH(fill),   BOTH(widen),   BOTH(halo), BOTH(decay),     BOTH(buoyancy),
        BOTH(extend), BOTH(measure), BOTH(mend), BOTH(transport), cmocka_unit_test(test_derive),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
