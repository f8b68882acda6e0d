// labels: vulkan
// The twins of the ops that carry fields along and act on them in place against their C bodies, on
// random fields among random solids. Where two numbers may differ, the bound says by how much:
// nothing where an op neither divides nor interpolates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/maths.h"
#include "shape/shape.h"
#include "vulkan_rig.h"

static const rig_bound same = {0, 0.0};

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
    uint32_t listed, bounds, near, partial;
    int blocks;
} world;

static int wrapped(const world_def *d, int axis, int i)
{
    int n = d->n[axis];
    return d->periodic >> axis & 1u ? (i % n + n) % n : i;
}

/// Shuts every face of some cells, so that there are whole solids beside thin sheets.
static void add_solids(world *w)
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

static void mark_round(world *w, const int cell[3])
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
static void mark_near(world *w)
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

static world world_make(const world_def *def)
{
    world w = {.def = *def};
    const int *n = def->n;
    w.layout = rig_layout(def->dim, n[0], n[1], n[2]);
    w.extent = rig_extent(&w.layout);
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
        rig_random_field(b, w.field[f], &w.layout, -1.0f, 1.0f);
    }
    w.listed = rig_take_bytes(b, LISTED * sizeof(gy_field));
    w.bounds = rig_take_bytes(b, blocks * 12 * sizeof(float));
    w.near = rig_take_bytes(b, blocks);
    w.partial = rig_take_bytes(b, GY_MAX_TASKS * 4 * sizeof(double));
    mark_near(&w);
    return w;
}

static void each_world(void check(world *w))
{
    for (int q = 0; q < GY_COUNT(worlds); q++) {
        world w = world_make(&worlds[q]);
        check(&w);
        rig_give_back(&w.block);
    }
}

/// What lies beyond the ends of an axis for a field at a location.
static gy_edge edge_of(const world_def *d, int location, int axis)
{
    gy_edge edge = {.samples = d->n[axis]};
    for (int end = 0; end < 2; end++) {
        edge.value[end] = rig_float(-1.0f, 1.0f);
        if (d->periodic >> axis & 1u) {
            edge.rule[end] = GY_EDGE_WRAP;
        } else if (location != axis) {
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
static gy_box box_of(const world_def *d, int location, bool along_x)
{
    gy_box box = gy_box_make(d->n[0], d->n[1], d->n[2]);
    if (location < d->dim && (location > 0 || along_x) && !(d->periodic >> location & 1u)) {
        box.high[location] += (int)(d->open >> (2 * location + 1) & 1u);
    }
    return box;
}

/// A box with all that its rows have beyond their ends.
static gy_box whole_rows(const world *w, gy_box box)
{
    box.low[0] = -GY_PAD / 2;
    box.high[0] = gy_round_up(w->def.n[0], GY_LANES) + GY_PAD / 2;
    return box;
}

/// All rows and planes, the halo's too, which an op that carries leaves as it is.
static gy_box with_halo(const world *w)
{
    gy_box box = whole_rows(w, gy_box_make(w->def.n[0], w->def.n[1] + 1, w->def.n[2]));
    box.low[1] = -1;
    box.low[2] -= w->def.dim == 3;
    box.high[2] += w->def.dim == 3;
    return box;
}

/// The halo of listed fields along an axis, as a gas asks for it.
static gy_halo_args halo_args(const world *w, int axis, int first)
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

static gy_box halo_box(const world *w, const gy_halo_args *a, int count)
{
    int planes = w->def.n[2] + (w->def.dim == 3);
    return gy_box_make(a->axis == 0 ? GY_HALO_ROW : w->extent.sy, a->rows * count,
                       a->axis == 2 ? 1 : planes);
}

static gy_field *field_of(const world *w, int q)
{
    return (gy_field *)rig_at(&w->block, w->listed) + q;
}

/// Fills a field's halo on the CPU.
static void fill_halo(const world *w, uint32_t field, int location, bool inward)
{
    gy_field *f = field_of(w, LISTED - 1);
    f->now = field;
    for (int axis = 0; axis < 3; axis++) {
        gy_edge edge = edge_of(&w->def, location, axis);
        for (int end = 0; end < 2 && inward && edge.rule[end] != GY_EDGE_WRAP; end++) {
            edge.rule[end] = axis == location ? GY_EDGE_INWARD : GY_EDGE_COPY;
            edge.samples = w->def.n[axis];
        }
        f->edge[axis] = edge;
    }
    for (int axis = 0; axis < w->def.dim; axis++) {
        gy_halo_args a = halo_args(w, axis, LISTED - 1);
        gy_run(the_cpu, GY_OP_halo, &a, halo_box(w, &a, 1));
    }
}

// ---- plain ones ---------------------------------------------------------------------------------

static void check_fill(world *w)
{
    gy_fill_args a = {
        .base = rig_base(&w->block), .field = w->field[0], .value = 3.5f, .extent = w->extent};
    const int *n = w->def.n;
    rig_share(&w->block);
    rig_run(&w->block, GY_OP_fill, &a, gy_box_make(n[0], n[1] + 2, w->def.dim == 3 ? n[2] + 2 : 1));
    rig_fetch(&w->block);
    rig_same_block(&w->block, "fill");
}

static void check_halo(world *w)
{
    for (int draw = 0; draw < 24; draw++) {
        int axis = draw % w->def.dim, count = 1 + draw / 3 % (LISTED - 1);
        for (int q = 0; q < count; q++) {
            gy_field *f = field_of(w, 1 + q);
            f->now = w->field[q % FIELDS];
            f->hat = w->field[FIELDS - 1 - q % FIELDS];
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
        a.hat = draw % 2;
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_halo, &a, halo_box(w, &a, count));
        rig_fetch(&w->block);
        rig_same_block(&w->block, "halo");
    }
}

static void check_decay(world *w)
{
    gy_decay_args a = {
        .base = rig_base(&w->block), .field = w->field[0], .factor = 0.37f, .extent = w->extent};
    float *some = rig_at(&w->block, w->field[0]);
    some[0] = 2e-30f; // becomes nothing
    rig_share(&w->block);
    rig_run(&w->block, GY_OP_decay, &a, box_of(&w->def, 3, false));
    rig_fetch(&w->block);
    rig_same_block(&w->block, "decay");
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
                              .edge = edge_of(&w->def, axis, 0)};
        gy_box box = box_of(&w->def, axis, false);
        rig_random_field(&w->block, w->velocity[axis], &w->layout, -1.0f, 1.0f);
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_buoyancy, &a, box);
        rig_fetch(&w->block);
        rig_same_field(&w->block, w->velocity[axis], &w->extent, whole_rows(w, box), same,
                       "buoyancy");
        rig_same_block(&w->block, "buoyancy");
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
    rig_share(&w->block);
    rig_run(&w->block, GY_OP_extend, &a, gy_box_make(count, 1, 1));
    rig_fetch(&w->block);
    // One division.
    rig_same_field(&w->block, w->field[0], &w->extent, whole_rows(w, box_of(&w->def, 3, false)),
                   (rig_bound){3, 0.0}, "extend");
}

static void check_measure(world *w)
{
    gy_measure_args a = {.base = rig_base(&w->block),
                         .field = w->field[0],
                         .level = gy_system_offset(&w->system, 0),
                         .partial = w->partial,
                         .extent = w->extent};
    gy_box box = box_of(&w->def, 3, false);
    rig_share(&w->block);
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
    for (a.kind = 0; a.kind < 2; a.kind++) {
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_derive, &a, box_of(&w->def, 3, false));
        rig_fetch(&w->block);
        // In three dimensions vorticity takes a root.
        rig_bound bound = {a.kind == 1 && w->def.dim == 3 ? 4 : 0, 0.0};
        rig_same_field(&w->block, w->field[0], &w->extent, box_of(&w->def, 3, false), bound,
                       a.kind ? "vorticity" : "divergence");
    }
}

// ---- sources ------------------------------------------------------------------------------------

static void check_source(world *w)
{
    for (int location = 0; location < 4; location++) {
        if (location < 3 && location >= w->def.dim) {
            continue;
        }
        gy_box box = box_of(&w->def, location, true);
        int n[3] = {box.high[0], box.high[1] + 1, box.high[2]}; // a caller's may have more
        size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
        uint32_t rates = rig_take_bytes(&w->block, count * sizeof(float));
        float *rate = rig_at(&w->block, rates);
        for (size_t i = 0; i < count; i++) {
            int dice = rig_int(0, 19);
            rate[i] = dice == 0 ? NAN : dice == 1 ? INFINITY : rig_float(-9.0f, 9.0f);
        }
        gy_source_args a = {.base = rig_base(&w->block),
                            .rate = (uint64_t)(uintptr_t)rate,
                            .field = w->field[location],
                            .samples = {n[0], n[1]},
                            .dt = 0.3f,
                            .limit = 1.5f,
                            .extent = w->extent,
                            .location = location,
                            .level = gy_system_offset(&w->system, 0)};
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_source, &a, box);
        rig_fetch(&w->block);
        rig_same_block(&w->block, "source");
    }
}

static void check_blob(world *w)
{
    for (int draw = 0; draw < 4; draw++) {
        int location = draw < w->def.dim ? draw : 3;
        gy_blob_args a = {.base = rig_base(&w->block),
                          .field = w->field[0],
                          .location = location,
                          .extent = w->extent,
                          .radius = rig_float(1.0f, 12.0f),
                          .amount = draw % 2 ? 0.8f : -2.0f,
                          .limit = 1.4f,
                          .level = gy_system_offset(&w->system, 0)};
        for (int d = 0; d < w->def.dim; d++) {
            a.centre[d] = rig_float(0.0f, (float)w->def.n[d]);
        }
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_blob, &a, box_of(&w->def, location, true));
        rig_fetch(&w->block);
        // A division, whose result is taken from 1.
        rig_same_field(&w->block, w->field[0], &w->extent, box_of(&w->def, location, true),
                       (rig_bound){0, 1.5e-6}, "blob");
    }
}

/// A shape of a kind somewhere in the world, whose cells are 0.1 m wide.
static gyre_shape shape_of(world *w, int kind, bool fine)
{
    gyre_shape s = {.kind = kind};
    float size[3];
    for (int d = 0; d < 3; d++) {
        size[d] = 0.1f * (float)w->def.n[d];
    }
    for (int d = 0; d < 3; d++) {
        float at = rig_float(0.2f, 0.8f) * size[d];
        switch (kind) {
        case GYRE_SHAPE_SPHERE:
            s.as.sphere.centre[d] = at;
            s.as.sphere.radius = 0.45f;
            break;
        case GYRE_SHAPE_BOX:
            s.as.box.centre[d] = at;
            s.as.box.size[d] = rig_float(0.2f, 0.9f);
            s.as.box.rotation[d] = fine ? 0.0f : rig_float(-90.0f, 90.0f);
            break;
        case GYRE_SHAPE_CAPSULE:
            s.as.capsule.from[d] = at;
            s.as.capsule.to[d] = fine ? at : rig_float(0.2f, 0.8f) * size[d];
            s.as.capsule.radius = 0.25f;
            break;
        case GYRE_SHAPE_HALF_SPACE:
            s.as.half_space.point[d] = at;
            s.as.half_space.normal[d] = rig_float(-1.0f, 1.0f);
            break;
        default: {
            gyre_volume *v = &s.as.volume.data;
            v->n[d] = d < w->def.dim ? (fine ? 23 : 4) : 1;
            s.as.volume.low[d] = 0.1f * size[d];
            s.as.volume.size[d] = 0.7f * size[d];
        }
        }
    }
    if (kind == GYRE_SHAPE_VOLUME) {
        gyre_volume *v = &s.as.volume.data;
        int count = v->n[0] * v->n[1] * v->n[2];
        float *data = rig_at(&w->block, rig_take_bytes(&w->block, (size_t)count * sizeof(float)));
        for (int i = 0; i < count; i++) {
            data[i] = rig_float(0.0f, 1.0f);
        }
        v->data = data;
        s.as.volume.threshold = 0.4f;
    }
    return s;
}

static void check_emit(world *w)
{
    for (int draw = 0; draw < 10; draw++) {
        gyre_shape shape = shape_of(w, draw / 2, draw % 2);
        gy_solid solid = gy_solid_make(&shape, w->def.dim);
        gy_solid *made = rig_at(&w->block, rig_take_bytes(&w->block, sizeof solid));
        *made = solid;
        int location = draw % 4 < w->def.dim ? draw % 4 : 3;
        gy_emit_args a = {.base = rig_base(&w->block),
                          .shape = (uint64_t)(uintptr_t)made,
                          .volume = (uint64_t)(uintptr_t)shape.as.volume.data.data,
                          .field = w->field[0],
                          .location = location,
                          .extent = w->extent,
                          .origin = {0.03f, -0.02f, 0.01f},
                          .h = 0.1f,
                          .amount = 0.9f,
                          .hold = draw % 3 == 0,
                          .noise = draw % 2 ? 0.6f : 0.0f,
                          .noise_size = 0.23f,
                          .seed = 12345u + (uint32_t)draw,
                          .limit = 1.6f,
                          .phase = 17.3f,
                          .level = gy_system_offset(&w->system, 0)};
        if (shape.kind != GYRE_SHAPE_VOLUME) {
            a.volume = 0;
        }
        gy_box box = box_of(&w->def, location, true);
        box.low[0] = GY_MIN(2, box.high[0] - 1);
        rig_random_field(&w->block, w->field[0], &w->layout, -1.0f, 1.0f);
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_emit, &a, box);
        rig_fetch(&w->block);
        rig_same_field(&w->block, w->field[0], &w->extent,
                       whole_rows(w, box_of(&w->def, location, false)), (rig_bound){0, 4e-6},
                       "emit");
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
        gy_box box = box_of(&w->def, a, true);
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
        fill_halo(w, w->velocity[a], a, false);
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

/// Lists fields at these locations: the old ones, hats and new ones lie one behind the other.
static void list_fields(world *w, int first, int count, const int location[MOST])
{
    for (int q = 0; q < count; q++) {
        gy_field *f = field_of(w, first + q);
        *f = (gy_field){.old = w->field[q],
                        .hat = w->field[MOST + q],
                        .now = w->field[2 * MOST + q],
                        .location = location[q]};
        for (int axis = 0; axis < 3; axis++) {
            f->edge[axis] = edge_of(&w->def, location[q], axis);
        }
        fill_halo(w, f->old, location[q], false);
    }
}

/// Carries several fields at once on both devices.
static void check_group(world *w, int count, const int location[MOST])
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
    for (int half = 0; half < 2; half++) {
        rig_share(&w->block);
        rig_run(&w->block, half ? GY_OP_correct : GY_OP_advect, &a, box);
        rig_fetch(&w->block);
        for (int f = 0; f < FIELDS; f++) {
            int q = f % MOST;
            bool made = q < count && f / MOST == 1 + half;
            rig_same_field(&w->block, w->field[f], &w->extent, with_halo(w),
                           made ? hats(1.0f) : same,
                           !made  ? "another field"
                           : half ? "correct"
                                  : "advect");
        }
        for (int q = 0; q < count && !half; q++) {
            fill_halo(w, w->field[MOST + q], location[q], false);
        }
    }
}

/// Each location alone, then groups: those of a gas, and any.
static void check_groups(world *w)
{
    int location[MOST], dim = w->def.dim;
    for (location[0] = 0; location[0] < dim; location[0]++) {
        check_group(w, 1, location);
    }
    for (int q = 0; q < MOST; q++) {
        location[q] = q < dim ? q : 3;
    }
    check_group(w, dim + 2, location);
    check_group(w, MOST, location);
    for (int q = 0; q < MOST; q++) {
        location[q] = rig_int(0, dim);
        location[q] = location[q] == dim ? 3 : location[q];
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
    for (int q = 0; q < GY_COUNT(winds); q++) {
        blow(w, winds[q].reach, winds[q].noise);
        rig_share(&w->block);
        rig_run(&w->block, GY_OP_trace, &a, cells);
        rig_fetch(&w->block);
        for (int d = 0; d < w->def.dim; d++) {
            rig_bound bound = hats(winds[q].reach);
            rig_same_field(&w->block, w->back[d], &w->extent, rows, bound, "back");
            rig_same_field(&w->block, w->forward[d], &w->extent, rows, bound, "forward");
            fill_halo(w, w->back[d], d, true);
            fill_halo(w, w->forward[d], d, true);
        }
        check_groups(w);
    }
}

#define TEST(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        rig_seed = 20;                                                                             \
        each_world(check_##name);                                                                  \
    }
TEST(fill)
TEST(halo)
TEST(decay)
TEST(buoyancy)
TEST(extend)
TEST(measure)
TEST(derive)
TEST(source)
TEST(blob)
TEST(emit)
TEST(transport)

int main(void)
{
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),      cmocka_unit_test(test_halo),
        cmocka_unit_test(test_decay),     cmocka_unit_test(test_buoyancy),
        cmocka_unit_test(test_extend),    cmocka_unit_test(test_measure),
        cmocka_unit_test(test_derive),    cmocka_unit_test(test_source),
        cmocka_unit_test(test_blob),      cmocka_unit_test(test_emit),
        cmocka_unit_test(test_transport),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
