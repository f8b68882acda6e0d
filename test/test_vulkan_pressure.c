// labels: vulkan
// The twins of the ops of linear systems and of projection against their C bodies, on levels with
// random coefficients, unknowns and velocities: odd sizes, lines of cells, periodic axes with and
// without a seam, open sides, cells held at 0. Sums of a piece may differ by 2e-7 of its cells'
// terms, for the C bodies add up a row in floats; numbers that a division makes by 8 roundings, and
// what a cycle makes of those by 64; all others are equal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "solve/solvers.h"
#include "test/vulkan_rig.h"

typedef struct world_def {
    int dim, n[3];
    uint32_t periodic, open;
    bool pin;
} world_def;

static const world_def worlds[] = {{2, {70, 37, 1}, 0, 0, false}, {2, {150, 230, 1}, 1, 8, true},
                                   {2, {33, 18, 1}, 3, 0, false}, {2, {1, 40, 1}, 0, 4, false},
                                   {2, {29, 1, 1}, 1, 0, true},   {3, {101, 14, 13}, 0, 18, false},
                                   {3, {36, 31, 40}, 4, 1, true}, {3, {15, 9, 7}, 7, 0, false},
                                   {3, {64, 6, 5}, 2, 51, false}, {3, {5, 3, 1}, 0, 63, false}};

/// Room for lists at the start of the memory.
enum { PARTS = 41, LIST_CELLS = 9000, LIST_UNITS = (LIST_CELLS * 4 + 2048) / 64 };

/// What ops work on: as it is at first, as the C bodies leave it, and as their twins do.
typedef struct world {
    world_def def;
    gy_system system, other; // other: of a velocity component, whose cells may be held at 0
    gy_extent extent;
    uint32_t velocity[3];
    uint8_t *start;
    rig_block block;
    const gy_level *l;
} world;

static uint32_t draws;

static float draw(void)
{
    return 2.0f * gy_random_unit(77, draws++) - 1.0f;
}

static uint16_t draw_open(const int at[3])
{
    bool plain = at[0] >= 20 && at[1] % 8 < 5 && at[2] % 6 < 4;
    float u = gy_random_unit(78, draws++);
    return (uint16_t)(plain || u > 0.7f ? 16384.0f : u < 0.2f ? 0.0f : 23000.0f * (u - 0.1f));
}

static uint16_t *coefficient(gy_grid_level *g, int axis, const int at[3])
{
    return gy_coefficient(g, axis, at[0], at[1], at[2]);
}

static void paint(const world *w)
{
    gy_grid_level g = gy_grid_level_at(w->system.base, gy_system_offset(&w->system, 0));
    const int *n = w->def.n;
    for (int axis = 0; axis < w->def.dim; axis++) {
        int end[3] = {n[0], n[1], n[2]};
        end[axis]++;
        for (int q = 0; q < end[0] * end[1] * end[2]; q++) {
            int at[3] = {q % end[0], q / end[0] % end[1], q / end[0] / end[1]}, p = at[axis];
            uint16_t c = draw_open(at);
            if (w->def.periodic >> axis & 1u) {
                int first[3] = {at[0], at[1], at[2]};
                first[axis] = 0;
                c = p == n[axis] ? *coefficient(&g, axis, first) : c;
            } else if (p == 0 || p == n[axis]) {
                c = w->def.open >> (2 * axis + (p > 0)) & 1u ? (uint16_t)(2 * c) : 0;
            }
            *coefficient(&g, axis, at) = c;
        }
    }
    for (int q = 0; q < n[0] * n[1] * n[2] && w->def.pin; q++) {
        int i = q % n[0], j = q / n[0] % n[1], k = q / n[0] / n[1];
        g.pin[(i + j + k) & 1][gy_level_row(g.l, j, k) + (i >> 1)] =
            i < 25 && gy_random_unit(79, draws++) < 0.1f;
    }
}

static float *vector_at(const void *memory, uint32_t vector)
{
    return gy_at((uint64_t)(uintptr_t)memory, vector);
}

static ptrdiff_t place_of(const gy_level *l, int i, int j, int k)
{
    return ((i + j + k) & 1) * (ptrdiff_t)l->colour_step + gy_level_row(l, j, k) + (i >> 1);
}

/// Random cells of a vector, 0 beyond, and what periodic axes need.
static void fill_vector(const gy_system *s, int level, uint32_t vector, bool wrap)
{
    const gy_level *l = gy_system_level(s, level);
    float *v = gy_at(s->base, vector);
    for (int q = 0; q < l->n[0] * l->n[1] * l->n[2]; q++) {
        v[place_of(l, q % l->n[0], q / l->n[0] % l->n[1], q / l->n[0] / l->n[1])] = draw();
    }
    gy_clear(s, level, vector, false);
    if (wrap) {
        gy_wrap_axes(s, level, vector, 0);
    }
}

static world world_make(const world_def *def)
{
    world w = {.def = *def};
    gy_system_def system = {
        .grid = {.dim = def->dim, .n = {def->n[0], def->n[1], def->n[2]}, .h = 1.0f},
        .periodic = def->periodic,
        .open_sides = def->open,
        .pin = def->pin,
        .solids = true,
        .solver = {.solver = GYRE_SOLVER_MGPCG, .sweeps = 2, .refine = true}};
    for (int a = 0; a < 3; a++) {
        system.open_sides &= ~(def->periodic >> a & 1u ? 3u << (2 * a) : 0u);
    }
    w.def.open = system.open_sides;
    gy_system_def held = system;
    held.pin = true;
    gy_layout layout = gy_layout_make(&system.grid);
    gy_arena arena = {.used = LIST_UNITS};
    for (int pass = 0; pass < 2; pass++) {
        gy_system_plan(&w.system, the_cpu, &system, &arena, &arena);
        gy_system_plan(&w.other, the_cpu, &held, &arena, &arena);
        for (int a = 0; a < 3; a++) {
            size_t bytes = (size_t)(layout.floats + 2 * layout.slack) * sizeof(float);
            w.velocity[a] = gy_arena_take(&arena, bytes + 64) +
                            (uint32_t)((layout.origin + layout.slack + 15) / 16);
        }
        if (pass == 0) {
            w.block = rig_take_block(((size_t)arena.used + 64) * 64);
            w.start = malloc(w.block.bytes);
            assert_non_null(w.start);
            arena = (gy_arena){.base = rig_base(&w.block), .used = LIST_UNITS};
        }
    }
    w.extent = (gy_extent){.n = {def->n[0], def->n[1], def->n[2]},
                           .sy = (int32_t)layout.sy,
                           .sz = (int32_t)layout.sz,
                           .dim = def->dim};
    w.l = gy_system_level(&w.system, 0);
    paint(&w);
    gy_system_shift(&w.system, def->dim == 2 ? 0.125f : 0.0f);
    gy_system_coarsen(&w.system);
    fill_vector(&w.other, 0, gy_system_level(&w.other, 0)->x, true);
    for (int level = 0; level < w.system.count; level++) {
        fill_vector(&w.system, level, gy_system_level(&w.system, level)->x, true);
        fill_vector(&w.system, level, gy_system_level(&w.system, level)->b, false);
    }
    for (int v = 0; v < GY_VECTORS && w.system.vector[v]; v++) {
        fill_vector(&w.system, 0, w.system.vector[v], v == 0);
    }
    for (int a = 0; a < 3; a++) {
        float *u = gy_at(w.system.base, w.velocity[a]) - layout.origin;
        for (ptrdiff_t q = 0; q < layout.floats; q++) {
            u[q] = draw();
        }
    }
    memcpy(w.start, w.block.cpu, w.block.bytes);
    return w;
}

static void world_free(world *w)
{
    free(w->start);
    rig_give_back(&w->block);
}

/// The addresses that args begin with: the base, and where lists are.
static void put_addresses(const world *w, gy_op op, void *args)
{
    uint64_t base = rig_base(&w->block);
    memcpy(args, &base, sizeof base);
    if (op == GY_OP_region_sum || op == GY_OP_region_lower) {
        gy_region_args *a = args;
        a->parts = base;
        a->cells = base + PARTS * sizeof(gy_region_part);
    }
}

/// Runs an op by its C body and by its twin, both from the start. `args` begin with the base.
static void run(world *w, gy_op op, void *args, gy_box box)
{
    memcpy(w->block.cpu, w->start, w->block.bytes);
    rig_share(&w->block);
    put_addresses(w, op, args);
    rig_run(&w->block, op, args, box);
    rig_fetch(&w->block);
}

#define RUN(w, op, args, box) run(w, GY_OP_##op, &(args), box)

/// How far two numbers are apart, in roundings of the larger one or of 1.
static double apart(float a, float b)
{
    double size = GY_MAX(1.0, __builtin_fabs((double)a));
    return __builtin_fabs((double)a - (double)b) / (size * 0x1p-24);
}

static void expect(const world *w, gy_op op, float a, float b, double bound, const char *what,
                   int i, int j, int k)
{
    double d = apart(a, b);
    if (!(d <= bound)) {
        fail_msg("%s of %dx%dx%d: %s(%d, %d, %d) is %.9g, its twin's %.9g", gy_op_name(op),
                 w->def.n[0], w->def.n[1], w->def.n[2], what, i, j, k, (double)a, (double)b);
    }
}

/// Compares a vector of a level: its cells, or with `around` every place from -1 to n, of which
/// those beyond two axes at once are read by nobody.
static void same_vector(const world *w, gy_op op, const gy_level *l, uint32_t vector, bool around,
                        double bound, const char *what)
{
    const float *a = vector_at(w->block.cpu, vector), *b = vector_at(w->block.gpu, vector);
    int e = around ? 1 : 0, ez = l->dim == 3 ? e : 0;
    for (int k = -ez; k < l->n[2] + ez; k++) {
        for (int j = -e; j < l->n[1] + e; j++) {
            for (int i = -e; i < l->n[0] + e; i++) {
                int out =
                    (i < 0 || i == l->n[0]) + (j < 0 || j == l->n[1]) + (k < 0 || k == l->n[2]);
                ptrdiff_t o = place_of(l, i, j, k);
                if (out < 2) {
                    expect(w, op, a[o], b[o], bound, what, i, j, k);
                }
            }
        }
    }
}

static void same_bytes(const world *w, gy_op op)
{
    rig_same_block(&w->block, gy_op_name(op));
}

/// Compares what each task has summed up: `size` is how large a cell's term is.
static void same_sums(const world *w, gy_op op, gy_box box, int count, double size)
{
    const double *a = (const double *)(const void *)(w->block.cpu + 64 * (size_t)w->system.partial);
    const double *b = (const double *)(const void *)(w->block.gpu + 64 * (size_t)w->system.partial);
    gy_cut cut = gy_cut_make(GY_ROWS, &box);
    for (int t = 0; t < cut.count; t++) {
        gy_box piece = gy_cut_piece(&cut, t);
        double cells = size;
        for (int d = 0; d < 3; d++) {
            cells *= piece.high[d] - piece.low[d];
        }
        for (int q = 0; q < count; q++) {
            double d = __builtin_fabs(a[4 * t + q] - b[4 * t + q]);
            if (!(d <= 2e-7 * cells)) {
                fail_msg("%s of %dx%dx%d: sum %d of piece %d is %.15g, its twin's %.15g",
                         gy_op_name(op), w->def.n[0], w->def.n[1], w->def.n[2], q, t, a[4 * t + q],
                         b[4 * t + q]);
            }
        }
    }
}

static uint32_t level_of(const world *w, int l)
{
    return gy_system_offset(&w->system, l);
}

static gy_box box_of(const world *w, int level)
{
    return gy_level_box(gy_system_level(&w->system, level));
}

static void each(void (*test)(world *))
{
    for (int q = 0; q < GY_COUNT(worlds); q++) {
        draws = 0;
        world w = world_make(&worlds[q]);
        test(&w);
        world_free(&w);
    }
}

static void relax(world *w)
{
    for (int q = 0; q < 3 * 2 * GY_MIN(w->system.count, 4); q++) {
        int level = q / 6, kind = q % 3;
        const gy_level *l = gy_system_level(&w->system, level);
        gy_relax_args a = {.level = level_of(w, level),
                           .colour = q / 3 % 2,
                           .kind = kind,
                           .omega = kind == GY_RELAX_OVER ? 1.07f : 1.0f};
        RUN(w, relax, a, box_of(w, level));
        same_vector(w, GY_OP_relax, l, l->x, true, 8.0, "x");
    }
}

static void residual(world *w)
{
    for (int q = 0; q < 4; q++) {
        gy_relax_args a = {.level = level_of(w, 0),
                           .colour = q & 1,
                           .x = q & 2 ? w->system.vector[0] : 0,
                           .partial = w->system.partial};
        RUN(w, residual, a, box_of(w, 0));
        same_sums(w, GY_OP_residual, box_of(w, 0), 2, 10.0);
    }
}

static void transfer(world *w)
{
    for (int level = 0; level + 1 < GY_MIN(w->system.count, 4); level++) {
        const gy_level *f = gy_system_level(&w->system, level),
                       *c = gy_system_level(&w->system, level + 1);
        for (int both = 0; both < 2; both++) {
            gy_relax_args a = {
                .level = level_of(w, level), .coarse = level_of(w, level + 1), .both = both};
            RUN(w, restrict, a, box_of(w, level + 1));
            same_vector(w, GY_OP_restrict, c, c->b, false, 0.0, "b");
        }
        gy_relax_args a = {.level = level_of(w, level), .coarse = level_of(w, level + 1)};
        RUN(w, prolong, a, box_of(w, level));
        same_vector(w, GY_OP_prolong, f, f->x, true, 0.0, "x");
        RUN(w, interpolate, a, box_of(w, level));
        same_vector(w, GY_OP_interpolate, f, f->x, true, 0.0, "x");
    }
}

static void ends(world *w)
{
    for (int q = 0; q < 4; q++) {
        gy_relax_args a = {
            .level = level_of(w, 0), .zero = q & 1, .x = q & 2 ? w->system.vector[1] : 0};
        RUN(w, clear, a, gy_box_make(1, w->l->n[1] + 2, w->l->dim == 3 ? w->l->n[2] + 2 : 1));
        same_bytes(w, GY_OP_clear);
    }
    for (int level = 0; level < GY_MIN(w->system.count, 3); level++) {
        for (int axis = 0; axis < w->l->dim; axis++) {
            gy_relax_args a = {.level = level_of(w, level), .axis = axis};
            gy_box box = box_of(w, level);
            box.high[0] = 1;
            box.high[axis] = 1;
            RUN(w, wrap, a, box);
            same_bytes(w, GY_OP_wrap);
        }
    }
}

static void cycles(world *w)
{
    for (int q = 0; q < 8; q++) {
        int first = q % 2;
        if (first >= w->system.count) {
            continue;
        }
        gy_relax_args a = {.level = level_of(w, first),
                           .levels = w->system.count - first,
                           .sweeps = 1 + q % 3,
                           .shape = q / 2,
                           .zero = q % 3 == 0};
        RUN(w, cycle, a, box_of(w, first));
        for (int level = first; level < w->system.count; level++) {
            const gy_level *l = gy_system_level(&w->system, level);
            same_vector(w, GY_OP_cycle, l, l->x, true, 64.0, "x");
        }
    }
}

static void coefficients(world *w)
{
    gy_flags_args f = {.level = level_of(w, 0)};
    RUN(w, flags, f, box_of(w, 0));
    same_bytes(w, GY_OP_flags);
    for (int level = 0; level + 1 < w->system.count; level++) {
        for (int axis = 0; axis < w->l->dim; axis++) {
            gy_coarsen_args a = gy_system_coarsen_args(&w->system, level, axis);
            gy_box box = box_of(w, level + 1);
            box.high[axis]++;
            // As if the coarse level had not been made yet.
            gy_grid_level c = gy_grid_level_at((uint64_t)(uintptr_t)w->start, a.coarse);
            memset(c.open[axis][0] - 16, 0xab, 64);
            RUN(w, coarsen, a, box);
            same_bytes(w, GY_OP_coarsen);
        }
    }
}

static void vectors(world *w)
{
    const gy_system *s = &w->system;
    const uint32_t *v = s->vector;
    gy_box box = box_of(w, 0);
    assert_true(v[3] != 0);
    gy_dot_args d = {.level = level_of(w, 0), .x = v[0], .y = v[1], .partial = s->partial};
    RUN(w, dot, d, box);
    same_sums(w, GY_OP_dot, box, 1, 1.0);
    gy_vector_args a = {.level = level_of(w, 0),
                        .x = v[0],
                        .y = v[1],
                        .z = v[2],
                        .w = v[3],
                        .partial = s->partial,
                        .factor = 0.7f,
                        .mean = 0.3f};
    RUN(w, mask, a, box);
    same_vector(w, GY_OP_mask, w->l, v[0], false, 0.0, "x");
    same_sums(w, GY_OP_mask, box, 2, 1.0);
    RUN(w, dots, a, box);
    same_sums(w, GY_OP_dots, box, 2, 1.0);
    for (int q = 0; q < 4; q++) {
        gy_vector_args b = a;
        b.z = q & 1 ? a.z : 0;
        RUN(w, apply, b, box);
        same_vector(w, GY_OP_apply, w->l, v[1], false, 0.0, "y");
        same_sums(w, GY_OP_apply, box, 3, 10.0);
        b.low = q & 2 ? w->l->x : 0;
        RUN(w, descend, b, box);
        same_vector(w, GY_OP_descend, w->l, v[0], false, 0.0, "x");
        same_vector(w, GY_OP_descend, w->l, v[2], false, 0.0, "z");
        same_vector(w, GY_OP_descend, w->l, w->l->x, false, 0.0, "low");
        if (b.z) {
            same_sums(w, GY_OP_descend, box, 3, 2.0);
        }
        b = a;
        b.low = a.w;
        RUN(w, refine, b, box);
        same_vector(w, GY_OP_refine, w->l, v[1], false, 1.0, "y");
        same_sums(w, GY_OP_refine, box, 1, 10.0);
        b = a;
        b.first = q & 1;
        b.y = q & 2 ? a.y : 0;
        RUN(w, direct, b, box);
        same_vector(w, GY_OP_direct, w->l, v[0], false, 0.0, "x");
    }
    gy_balance_args c = {
        .level = level_of(w, 0), .vector = v[0], .partial = s->partial, .amount = 0.2f};
    RUN(w, balance, c, box);
    same_vector(w, GY_OP_balance, w->l, v[0], false, 0.0, "b");
    same_sums(w, GY_OP_balance, box, 3, 1.0);
    RUN(w, lower, c, box);
    same_vector(w, GY_OP_lower, w->l, v[0], true, 0.0, "b");
}

/// Compares a field's samples, `more` of them beyond the cells along each axis, and eight beyond
/// the ends of rows.
static void same_field(const world *w, gy_op op, int field, double bound)
{
    const int *n = w->extent.n;
    const float *a = (const float *)(const void *)(w->block.cpu + 64 * (size_t)w->velocity[field]);
    const float *b = (const float *)(const void *)(w->block.gpu + 64 * (size_t)w->velocity[field]);
    for (int k = 0; k < n[2] + (w->extent.dim == 3); k++) {
        for (int j = 0; j < n[1] + 1; j++) {
            for (int i = -8; i < gy_round_up(n[0], 16) + 8; i++) {
                ptrdiff_t o = i + (ptrdiff_t)j * w->extent.sy + (ptrdiff_t)k * w->extent.sz;
                expect(w, op, a[o], b[o], bound, "u", i, j, k);
            }
        }
    }
}

static gy_edge edge_of(const world *w, int axis, int face)
{
    gy_edge e = {
        .rule = {GY_EDGE_COPY, GY_EDGE_MIRROR}, .value = {0.25f, -0.5f}, .samples = w->def.n[axis]};
    if (w->def.periodic >> axis & 1u) {
        e.rule[0] = e.rule[1] = GY_EDGE_WRAP;
    } else if (face) {
        e.samples++;
        for (int side = 0; side < 2; side++) {
            e.rule[side] = w->def.open >> (2 * axis + side) & 1u ? GY_EDGE_COPY : GY_EDGE_FACE;
        }
    } else if (w->def.n[0] % 3 == 0) {
        e.rule[0] = GY_EDGE_VALUE;
        e.rule[1] = GY_EDGE_INWARD;
    }
    return e;
}

static void projection(world *w)
{
    gy_divergence_args d = {
        .level = level_of(w, 0), .partial = w->system.partial, .extent = w->extent};
    gy_gradient_args g = {.level = d.level, .partial = d.partial, .extent = w->extent, .cap = 0.9f};
    gy_box box = box_of(w, 0);
    for (int a = 0; a < 3; a++) {
        d.velocity[a] = g.velocity[a] = w->velocity[a];
        g.edge[a] = edge_of(w, 0, a == 0);
    }
    for (int write = 0; write < 2; write++) {
        d.write = write;
        RUN(w, divergence, d, box);
        same_vector(w, GY_OP_divergence, w->l, w->l->b, false, 0.0, "b");
        same_sums(w, GY_OP_divergence, box, 2, 10.0);
    }
    for (int a = 1; a < w->l->dim; a++) {
        box.high[a] = edge_of(w, a, 1).samples;
    }
    for (int q = 0; q < 2; q++) {
        g.low = q ? w->system.vector[0] : 0;
        RUN(w, gradient, g, box);
        for (int a = 0; a < w->l->dim; a++) {
            same_field(w, GY_OP_gradient, a, 0.0);
        }
        same_sums(w, GY_OP_gradient, box, 2, 1e-3);
    }
}

/// The system of one component of velocity: its coefficients, its split into x and b, and back.
static void diffusion(world *w)
{
    const int *n = w->def.n;
    gy_box box = box_of(w, 0);
    const gy_level *l = gy_system_level(&w->other, 0);
    for (int axis = 0; axis < w->l->dim; axis++) {
        gy_viscous_args v = {.pressure = level_of(w, 0),
                             .level = gy_system_offset(&w->other, 0),
                             .axis = axis,
                             .stick = axis == 1 ? 0x52u : 0x2du};
        RUN(w, viscous, v, gy_box_make(n[0] + 1, n[1] + 1, n[2] + (w->l->dim == 3)));
        same_bytes(w, GY_OP_viscous);
        memcpy(w->start, w->block.cpu, w->block.bytes);
        gy_split_args a = {.field = w->velocity[axis],
                           .level = v.level,
                           .extent = w->extent,
                           .scale = 3.5f,
                           .wall = {0.5f, 0.0f, -1.0f, 0.75f, 0.1f, 0.2f},
                           .edge = edge_of(w, 0, axis == 0),
                           .limit = 0.8f,
                           .axis = axis,
                           .ends = w->def.open >> (2 * axis) & 3u};
        RUN(w, split, a, box);
        same_vector(w, GY_OP_split, l, l->x, false, 0.0, "x");
        same_vector(w, GY_OP_split, l, l->b, false, 0.0, "b");
        RUN(w, merge, a, box);
        same_field(w, GY_OP_merge, axis, 8.0);
        // Between two solves; a part of the way; and by what is in b.
        a.blend = 0.7f;
        RUN(w, split, a, box);
        same_vector(w, GY_OP_split, l, l->b, false, 0.0, "b");
        same_field(w, GY_OP_split, axis, 8.0);
        for (a.add = 0; a.add < 2; a.add++) {
            RUN(w, merge, a, box);
            same_field(w, GY_OP_merge, axis, 8.0);
        }
    }
    gy_split_args a = {.field = w->velocity[0],
                       .level = level_of(w, 0),
                       .extent = w->extent,
                       .edge = edge_of(w, 0, 0),
                       .limit = 0.8f};
    RUN(w, merge, a, box);
    same_field(w, GY_OP_merge, 0, 0.0);
}

/// Parts of different length of a list of cells.
static void regions(world *w)
{
    gy_region_part *part = (gy_region_part *)(void *)w->start;
    uint32_t *cell = (uint32_t *)(void *)(part + PARTS), count = 0;
    const int *n = w->def.n;
    int cells = GY_MIN(n[0] * n[1] * n[2], LIST_CELLS);
    for (int p = 0; p < PARTS; p++) {
        uint32_t end =
            p == PARTS - 1 ? (uint32_t)cells : (uint32_t)(cells * p * p / (PARTS * PARTS));
        part[p] = (gy_region_part){.first = count, .count = end - count, .amount = draw()};
        for (; count < end; count++) {
            int q = (int)count;
            cell[count] = (uint32_t)(place_of(w->l, q % n[0], q / n[0] % n[1], q / n[0] / n[1]) +
                                     GY_LEVEL_PAD + w->l->sy + w->l->sz);
        }
    }
    gy_region_args a = {.level = level_of(w, 0), .vector = w->system.vector[0]};
    for (int lower = 0; lower < 2; lower++) {
        if (lower) {
            RUN(w, region_lower, a, gy_box_make(PARTS, 1, 1));
            same_vector(w, GY_OP_region_lower, w->l, a.vector, true, 0.0, "x");
            continue;
        }
        RUN(w, region_sum, a, gy_box_make(PARTS, 1, 1));
        const gy_region_part *x = (const gy_region_part *)(const void *)w->block.cpu;
        const gy_region_part *y = (const gy_region_part *)(const void *)w->block.gpu;
        for (int p = 0; p < PARTS; p++) {
            if (!(__builtin_fabs(x[p].sum - y[p].sum) <= 1e-15 * (double)x[p].count)) {
                fail_msg("region_sum: part %d is %.17g, its twin's %.17g", p, x[p].sum, y[p].sum);
            }
        }
    }
}

#define EACH(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        each(name);                                                                                \
    }
EACH(relax)
EACH(residual)
EACH(transfer)
EACH(ends)
EACH(cycles)
EACH(coefficients)
EACH(vectors)
EACH(projection)
EACH(diffusion)
EACH(regions)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relax),     cmocka_unit_test(test_residual),
        cmocka_unit_test(test_transfer),  cmocka_unit_test(test_ends),
        cmocka_unit_test(test_cycles),    cmocka_unit_test(test_coefficients),
        cmocka_unit_test(test_vectors),   cmocka_unit_test(test_projection),
        cmocka_unit_test(test_diffusion), cmocka_unit_test(test_regions)};
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
