// vulkan_world.h: random fields among random solids on both devices, for tests of twins that carry
// fields along or act on them in place. Fields that stand for scalars may be binary16 on the GPU.
#ifndef GYRE_TEST_VULKAN_WORLD_H
#define GYRE_TEST_VULKAN_WORLD_H

#include "base/half.h"
#include "test/vulkan_rig.h"

static const rig_bound same = {0, 0.0};

/// Whether what stands for scalars is binary16 on the GPU, and floats of the same values on the
/// CPU.
static bool halves;

typedef struct world_def {
    int dim, n[3];
    uint32_t periodic, open;
    int closed; // percent of faces that are shut
} world_def;

static const world_def worlds[] = {
    {2, {70, 37, 1}, 0, 0, 3},  {2, {33, 18, 1}, 3, 0, 5}, {2, {64, 21, 1}, 1, 12, 0},
    {2, {128, 9, 1}, 2, 3, 2},  {2, {5, 3, 1}, 1, 4, 0},   {2, {1, 9, 1}, 0, 3, 0},
    {3, {37, 14, 13}, 0, 3, 2}, {3, {64, 9, 7}, 7, 0, 4},  {3, {130, 6, 5}, 2, 18, 0},
    {3, {16, 5, 4}, 4, 10, 10}, {3, {3, 8, 11}, 1, 48, 0}, {3, {48, 40, 17}, 0, 63, 1},
};

/// Fields to be carried at most, and others; what the list has room for.
enum { MOST = 8, FIELDS = 3 * MOST, LISTED = FIELDS + 1 };

/// Fields of a world and its solids, in one block.
typedef struct world {
    world_def def;
    rig_block block;
    gy_layout layout;
    gy_extent extent;
    gy_system system;
    uint32_t velocity[3], back[3], forward[3], field[FIELDS];
    bool half[FIELDS];
    uint32_t listed, bounds, near, partial;
    int blocks;
} world;

static inline int wrapped(const world_def *d, int axis, int i)
{
    int n = d->n[axis];
    return d->periodic >> axis & 1u ? (i % n + n) % n : i;
}

/// Shuts every face of some cells, so that there are whole solids beside thin sheets.
static inline void add_solids(world *w)
{
    const world_def *d = &w->def;
    gy_grid_level g = gy_grid_level_at(w->system.base, gy_system_offset(&w->system, 0));
    for (int s = 0; s < 4 && d->closed > 0; s++) {
        int low[3], high[3];
        for (int a = 0; a < 3; a++) {
            low[a] = rig_int(0, d->n[a] - 1);
            high[a] = GY_MIN(d->n[a], low[a] + rig_int(1, 3));
        }
        for (int a = 0; a < d->dim; a++) {
            for (int k = low[2]; k < high[2] + (a == 2); k++) {
                for (int j = low[1]; j < high[1] + (a == 1); j++) {
                    for (int i = low[0]; i < high[0] + (a == 0); i++) {
                        int at[3] = {i, j, k};
                        *gy_coefficient(&g, a, i, j, k) = 0;
                        // Both ends of a periodic axis are one face.
                        if (d->periodic >> a & 1u && at[a] % d->n[a] == 0) {
                            at[a] = d->n[a] - at[a];
                            *gy_coefficient(&g, a, at[0], at[1], at[2]) = 0;
                        }
                    }
                }
            }
        }
    }
    gy_system_coarsen(&w->system);
}

static inline void mark_round(world *w, const int cell[3])
{
    const world_def *d = &w->def;
    uint8_t *near = rig_at(&w->block, w->near);
    for (int dz = -GY_NEAR; dz <= GY_NEAR; dz++) {
        for (int dy = -GY_NEAR; dy <= GY_NEAR; dy++) {
            for (int dx = -GY_NEAR; dx <= GY_NEAR; dx++) {
                int i = wrapped(d, 0, cell[0] + dx), j = wrapped(d, 1, cell[1] + dy),
                    k = wrapped(d, 2, cell[2] + dz);
                if (i >= 0 && i < d->n[0] && j >= 0 && j < d->n[1] && k >= 0 && k < d->n[2]) {
                    near[(k * d->n[1] + j) * w->blocks + i / GY_BLOCK] = 1;
                }
            }
        }
    }
}

/// The blocks near solids, as trace wants them.
static inline void mark_near(world *w)
{
    const world_def *d = &w->def;
    gy_grid_level g = gy_grid_level_at(w->system.base, gy_system_offset(&w->system, 0));
    for (int q = 0; q < d->n[0] * d->n[1] * d->n[2]; q++) {
        int cell[3] = {q % d->n[0], q / d->n[0] % d->n[1], q / d->n[0] / d->n[1]};
        for (int a = 0; a < d->dim; a++) {
            bool side = cell[a] == 0 && !(d->periodic >> a & 1u);
            if (!side && *gy_coefficient(&g, a, cell[0], cell[1], cell[2]) == 0) {
                mark_round(w, cell);
                break;
            }
        }
    }
}

static inline world world_make(const world_def *def)
{
    world w = {.def = *def};
    const int *n = def->n;
    w.layout = rig_layout(def->dim, n[0], n[1], n[2]);
    w.extent = rig_extent(&w.layout);
    w.extent.halves = halves;
    w.blocks = (n[0] + GY_BLOCK - 1) / GY_BLOCK;
    size_t rows = (size_t)n[1] * (size_t)n[2], blocks = (size_t)w.blocks * rows;
    size_t cells = (size_t)(n[0] + 34) * (size_t)(n[1] + 3) * (size_t)(n[2] + 3);
    w.block = rig_take_block((9 + FIELDS) * rig_field_bytes(&w.layout) + 64 * blocks + 80 * cells +
                             200000);
    rig_block *b = &w.block;
    w.system = rig_random_system(b, &(rig_level_def){.dim = def->dim,
                                                     .n = {n[0], n[1], n[2]},
                                                     .periodic = def->periodic,
                                                     .open = def->open,
                                                     .closed = def->closed,
                                                     .cut = def->closed});
    add_solids(&w);
    for (int a = 0; a < 3; a++) {
        w.velocity[a] = rig_take_field(b, &w.layout);
        w.back[a] = rig_take_field(b, &w.layout);
        w.forward[a] = rig_take_field(b, &w.layout);
    }
    for (int f = 0; f < FIELDS; f++) {
        w.field[f] = rig_take_field(b, &w.layout);
        w.half[f] = halves;
        rig_random_field(b, w.field[f], &w.layout, -1.0f, 1.0f);
    }
    w.listed = rig_take_bytes(b, LISTED * sizeof(gy_field));
    w.bounds = rig_take_bytes(b, blocks * 12 * sizeof(float));
    w.near = rig_take_bytes(b, blocks);
    w.partial = rig_take_bytes(b, GY_MAX_TASKS * 4 * sizeof(double));
    mark_near(&w);
    return w;
}

static inline void each_world(void check(world *w))
{
    for (int q = 0; q < GY_COUNT(worlds); q++) {
        world w = world_make(&worlds[q]);
        check(&w);
        rig_give_back(&w.block);
    }
}

/// What lies beyond the ends of an axis for a field at a location.
static inline gy_edge edge_of(const world_def *d, gyre_location location, int axis)
{
    gy_edge edge = {.samples = d->n[axis]};
    for (int end = 0; end < 2; end++) {
        edge.value[end] = rig_float(-1.0f, 1.0f);
        if (d->periodic >> axis & 1u) {
            edge.rule[end] = GY_EDGE_WRAP;
        } else if (location != gy_faces(axis)) {
            edge.rule[end] = rig_int(GY_EDGE_COPY, GY_EDGE_MIRROR);
        } else {
            bool open = d->open >> (2 * axis + end) & 1u;
            edge.rule[end] = open ? GY_EDGE_COPY : GY_EDGE_FACE;
            edge.samples += open && end;
        }
    }
    return edge;
}

/// The samples of a field that ops go over: those of shut upper sides are not among them.
static inline gy_box box_of(const world_def *d, gyre_location location, bool along_x)
{
    gy_box box = gy_box_make(d->n[0], d->n[1], d->n[2]);
    int axis = gy_face_axis((int)location);
    if (axis >= (along_x ? 0 : 1) && axis < d->dim && !(d->periodic >> axis & 1u)) {
        box.high[axis] += (int)(d->open >> (2 * axis + 1) & 1u);
    }
    return box;
}

/// A box with all that its rows have beyond their ends.
static inline gy_box whole_rows(const world *w, gy_box box)
{
    box.low[0] = -GY_PAD / 2;
    box.high[0] = gy_round_up(w->def.n[0], GY_LANES) + GY_PAD / 2;
    return box;
}

/// All rows and planes, the halo's too, which an op that carries leaves as it is.
static inline gy_box with_halo(const world *w)
{
    gy_box box = whole_rows(w, gy_box_make(w->def.n[0], w->def.n[1] + 1, w->def.n[2]));
    box.low[1] = -1;
    box.low[2] -= w->def.dim == 3;
    box.high[2] += w->def.dim == 3;
    return box;
}

/// Hands the CPU's bytes to the GPU, scalars in the format that they have there; what a half cannot
/// hold is rounded here, too.
static inline void share(world *w)
{
    if (!halves) {
        rig_share(&w->block);
        return;
    }
    const gy_layout *l = &w->layout;
    ptrdiff_t first = -l->origin - l->slack / 2, end = l->floats - l->origin + l->slack / 2;
    memcpy(w->block.gpu, w->block.cpu, w->block.bytes);
    for (int f = 0; f < FIELDS; f++) {
        float *from = rig_at(&w->block, w->field[f]);
        uint16_t *to = (uint16_t *)(void *)(w->block.gpu + (size_t)w->field[f] * 64);
        for (ptrdiff_t i = first; i < end && w->half[f]; i++) {
            from[i] = gy_from_half(to[i] = gy_to_half(from[i]));
        }
    }
    gy_device_put(the_gpu, w->block.gpu, w->block.bytes);
}

/// A sample of halves on the GPU.
static inline const uint16_t *half_sample(const world *w, uint32_t field, int i, int j, int k)
{
    const void *first = w->block.gpu + (size_t)field * 64;
    return (const uint16_t *)first + i + (ptrdiff_t)j * w->extent.sy + (ptrdiff_t)k * w->extent.sz;
}

/// By how much a number within `most` of this one is moved when it becomes a half, above 0.
static inline double half_ulp(double size, double most)
{
    double x = size + most;
    return fmax(ldexp(1.0, ilogb(x) - 11), size - most < 6.103515625e-5 ? x : 0.0);
}

/// Of halves: what the CPU has, rounded, where the bound is 0, else half an ulp beyond the bound.
static inline void same_field(const world *w, uint32_t field, gy_box box, rig_bound bound,
                              const char *what)
{
    bool half = false;
    for (int f = 0; f < FIELDS; f++) {
        half = half || (w->half[f] && w->field[f] == field);
    }
    if (!half) {
        rig_same_field(&w->block, field, &w->extent, box, bound, what);
        return;
    }
    for (int k = box.low[2]; k < box.high[2]; k++) {
        for (int j = box.low[1]; j < box.high[1]; j++) {
            for (int i = box.low[0]; i < box.high[0]; i++) {
                float x = *rig_sample(&w->block, field, &w->extent, i, j, k);
                float y = gy_from_half(*half_sample(w, field, i, j, k));
                double size = fabs((double)x),
                       most = bound.absolute + (double)bound.ulp * ldexp(size, -23);
                if (most > 0.0 ? fabs((double)x - (double)y) > most + half_ulp(size, most)
                               : gy_from_half(gy_to_half(x)) != y) {
                    fail_msg("%s at (%d, %d, %d): %.9g on the CPU, the half %.9g on the GPU", what,
                             i, j, k, (double)x, (double)y);
                }
            }
        }
    }
}

/// Nothing differs; of halves, no field with its halo.
static inline void same_block(const world *w, const char *what)
{
    if (!halves) {
        rig_same_block(&w->block, what);
        return;
    }
    for (int f = 0; f < FIELDS; f++) {
        same_field(w, w->field[f], with_halo(w), same, what);
    }
}

/// The halo of listed fields along an axis, as a gas asks for it.
static inline gy_halo_args halo_args(const world *w, int axis, int first)
{
    const int n1 = w->def.n[1];
    return (gy_halo_args){.base = rig_base(&w->block),
                          .fields = w->listed,
                          .first = first,
                          .rows = axis == 0   ? n1 + 1
                                  : axis == 1 ? 1
                                              : n1 + 2,
                          .axis = axis,
                          .extent = w->extent};
}

static inline gy_box halo_box(const world *w, const gy_halo_args *a, int count)
{
    int planes = w->def.n[2] + (w->def.dim == 3);
    return gy_box_make(a->axis == 0 ? GY_HALO_ROW : w->extent.sy, a->rows * count,
                       a->axis == 2 ? 1 : planes);
}

static inline gy_field *field_of(const world *w, int q)
{
    return (gy_field *)rig_at(&w->block, w->listed) + q;
}

/// Fills a field's halo on the CPU.
static inline void fill_halo(const world *w, uint32_t field, gyre_location location, bool inward)
{
    gy_field *f = field_of(w, LISTED - 1);
    f->now = field;
    for (int axis = 0; axis < 3; axis++) {
        gy_edge edge = edge_of(&w->def, location, axis);
        for (int end = 0; end < 2 && inward && edge.rule[end] != GY_EDGE_WRAP; end++) {
            edge.rule[end] = location == gy_faces(axis) ? GY_EDGE_INWARD : GY_EDGE_COPY;
            edge.samples = w->def.n[axis];
        }
        f->edge[axis] = edge;
    }
    for (int axis = 0; axis < w->def.dim; axis++) {
        gy_halo_args a = halo_args(w, axis, LISTED - 1);
        gy_run(the_cpu, GY_OP_halo, &a, halo_box(w, &a, 1));
    }
}

/// A test of both formats: run by BOTH(name) among the tests.
#define TEST(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        halves = *state != NULL;                                                                   \
        rig_seed = 20;                                                                             \
        each_world(check_##name);                                                                  \
    }
#define BOTH(name)                                                                                 \
    {#name, test_##name, NULL, NULL, NULL},                                                        \
    {                                                                                              \
#name "_of_halves", test_##name, NULL, NULL, &halves                                       \
    }

#endif
