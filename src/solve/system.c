// solve/system.c: levels laid out in memory, and their coefficients.
#include "grid/layout.h"
#include "ops/system/level.h"
#include "solve/solvers.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

uint32_t gy_arena_take(gy_arena *arena, size_t bytes)
{
    if (arena->used == 0) {
        arena->used = 1;
    }
    uint32_t at = arena->used;
    arena->used += (uint32_t)((bytes + 63) / 64);
    return at;
}

gy_level *gy_system_level(const gy_system *s, int l)
{
    return (gy_level *)(void *)gy_at(s->base, gy_system_offset(s, l));
}

uint32_t gy_system_offset(const gy_system *s, int l)
{
    return s->first + (uint32_t)l * GY_LEVEL_STEP;
}

gy_box gy_level_box(const gy_level *l)
{
    return gy_box_make(l->n[0], l->n[1], l->n[2]);
}

double gy_partial_sum(gyre_device *device, uint64_t base, uint32_t partial, int tasks, int which)
{
    const double *p = (const double *)(const void *)gy_at(base, partial);
    gy_device_fetch(device, p, (size_t)tasks * 4 * sizeof *p);
    double sum = 0.0;
    for (int t = 0; t < tasks; t++) {
        sum += p[4 * t + which];
    }
    return sum;
}

double gy_partial_max(gyre_device *device, uint64_t base, uint32_t partial, int tasks, int which)
{
    const double *p = (const double *)(const void *)gy_at(base, partial);
    gy_device_fetch(device, p, (size_t)tasks * 4 * sizeof *p);
    double most = 0.0;
    for (int t = 0; t < tasks; t++) {
        most = p[4 * t + which] > most ? p[4 * t + which] : most;
    }
    return most;
}

typedef struct shape {
    gy_level level;
    uint32_t origin,
        slots; // elements; origin is a multiple of 32, so that 16-bit arrays start at 64 bytes too
    uint32_t groups;
} shape;

static shape shape_of(const int n[3], int dim)
{
    shape s = {.level = {.n = {n[0], n[1], n[2]}, .dim = dim}};
    s.groups = (uint32_t)(((n[0] + 1) / 2 + 15) / 16);
    s.level.sy = (int32_t)(s.groups * 16 + GY_LEVEL_PAD);
    s.level.sz = gy_is_3d(dim) ? s.level.sy * (n[1] + 2) : 0;
    int planes = gy_is_3d(dim) ? n[2] + 2 : 1;
    s.origin = (uint32_t)gy_round_up(GY_LEVEL_PAD + s.level.sy + s.level.sz, 32);
    s.slots = (uint32_t)gy_round_up((int)s.origin - s.level.sy - s.level.sz +
                                        s.level.sy * (n[1] + 2) * planes + GY_LEVEL_PAD,
                                    32);
    s.level.colour_step = (int32_t)s.slots;
    return s;
}

static uint32_t take(gy_arena *arena, const shape *s, size_t bytes)
{
    // Slack on both sides: vectors reach a little beyond the first and the last row.
    uint32_t at = gy_arena_take(arena, 2 * (size_t)s->slots * bytes + 256);
    return at + 2 + (uint32_t)((size_t)s->origin * bytes / 64);
}

uint32_t gy_system_take_vector(const gyre_grid *grid, gy_arena *arena)
{
    shape s = shape_of(grid->n, grid->dim);
    return take(arena, &s, sizeof(float));
}

void *gy_system_vector_start(const gy_system *s, uint32_t vector)
{
    shape f = shape_of(s->grid.n, s->grid.dim);
    return gy_at(s->base, vector) - f.origin;
}

void *gy_system_coefficients_start(const gy_system *s, uint32_t open)
{
    shape f = shape_of(s->grid.n, s->grid.dim);
    return (uint16_t *)(void *)gy_at(s->base, open) - f.origin;
}

size_t gy_system_vector_bytes(const gy_system *s)
{
    shape f = shape_of(s->grid.n, s->grid.dim);
    return 2 * (size_t)f.slots * sizeof(float);
}

/// Whether the last of `n` cells, odd one out, goes with the pair before it.
static bool joins(const gy_system *s, int l, int n, int axis)
{
    return n > 1 && n % 2 != 0 && s->width[l][axis] < 1.0f;
}

/// From the centre of a last cell of this width to the middle of the pair before it.
static float to_pair(float width)
{
    return 1.0f + 0.5f * width;
}

/// From the level before s->count to that: number of cells, scales, and the last cells' measures.
static void halve(gy_system *s, int n[3], float scale[3])
{
    const float *width = s->width[s->count - 1], *held = s->held[s->count - 1];
    float area = 1.0f;
    int m[3];
    for (int a = 0; a < 3; a++) {
        m[a] = n[a] > 1 ? 2 : 1;
        area *= (float)m[a];
    }
    for (int a = 0; a < 3; a++) {
        bool odd = n[a] % 2 != 0, joined = joins(s, s->count - 1, n[a], a);
        scale[a] *= area / (float)(m[a] * m[a]);
        s->width[s->count][a] = width[a];
        s->held[s->count][a] = held[a];
        if (m[a] == 1) {
            continue;
        }
        s->width[s->count][a] = 0.5f * (width[a] + (joined ? 2.0f : odd ? 0.0f : 1.0f));
        if (held[a] > 0.0f) {
            // Where it joins, the last coarse cell is the pair alone, further from the held value.
            s->width[s->count][a] = joined ? 1.0f : s->width[s->count][a];
            s->held[s->count][a] = 0.5f * (held[a] + (joined ? to_pair(width[a])
                                                      : odd  ? 0.0f
                                                             : 0.5f));
        }
        n[a] = (n[a] + 1) / 2 - joined;
    }
}

/// What the solver needs of gy_system.vector, and refinement round it. A system with a pin is no
/// box and has no extra unknowns: there auto comes down to multigrid.
static int vectors_of(const gyre_solver_def *settings, bool pin)
{
    bool plain = pin && settings->solver == GYRE_SOLVER_AUTO;
    const gy_solver *solver = gy_solvers[plain ? GYRE_SOLVER_MULTIGRID : settings->solver];
    if (!settings->refine) {
        return solver->vectors;
    }
    int vectors = solver->refines ? solver->refined_vectors : solver->vectors + 3;
    assert(vectors <= GY_VECTORS);
    return vectors;
}

/// Unknowns and right-hand sides, and on the finest level the solver's vectors.
static void take_vectors(gy_system *s, const shape *f, gy_level *l, gy_arena *arena, int vectors)
{
    l->x = take(arena, f, sizeof(float));
    l->b = take(arena, f, sizeof(float));
    for (int v = 0; s->count == 0 && v < vectors; v++) {
        s->vector[v] = take(arena, f, sizeof(float));
    }
}

void gy_system_plan(gy_system *s, gyre_device *device, const gy_system_def *def, gy_arena *kept,
                    gy_arena *scratch)
{
    const gyre_grid *grid = &def->grid;
    uint32_t periodic = def->periodic, open_sides = def->open_sides;
    int n[3] = {grid->n[0], grid->n[1], grid->n[2]};
    float scale[3] = {1.0f, 1.0f, 1.0f};
    *s = (gy_system){.device = device,
                     .base = kept->base,
                     .settings = def->solver,
                     .grid = *grid,
                     .periodic = periodic,
                     .open_sides = open_sides,
                     .pin = def->pin,
                     .chosen = GYRE_SOLVER_MULTIGRID};
    s->kept[0] = kept->used;
    s->first = gy_arena_take(kept, (size_t)GY_MAX_LEVELS * GY_LEVEL_STEP * 64);
    s->partial = gy_arena_take(kept, GY_MAX_TASKS * 4 * sizeof(double));
    s->cg = gy_arena_take(kept, sizeof(gy_cg_state));
    s->rest = gy_arena_take(kept, sizeof(gy_report));
    for (int a = 0; a < 3; a++) {
        s->width[0][a] = 1.0f;
        s->held[0][a] = def->held ? def->held[a] : open_sides >> (2 * a + 1) & 1u ? 0.5f : 0.0f;
    }
    gy_arena *coarse = def->coarse ? def->coarse : kept;
    int vectors =
        GY_MAX(vectors_of(&def->solver, def->pin), def->also ? vectors_of(def->also, def->pin) : 0);
    for (;;) {
        shape f = shape_of(n, grid->dim);
        gy_level *l = &f.level;
        take_vectors(s, &f, l, s->count == 0 ? scratch : coarse, vectors);
        s->coarse[s->count > 0] = coarse->used;
        for (int a = 0; a < grid->dim; a++) {
            l->open[a] = take(kept, &f, sizeof(uint16_t));
            float reach = s->held[s->count][a];
            l->last[a] = joins(s, s->count, n[a], a) ? 1.0f : 0.0f;
            l->last[a] *= reach > 0.0f ? reach / (reach + to_pair(s->width[s->count][a])) : 1.0f;
            // A single cell round a periodic axis is its own neighbour: nothing to solve there.
            l->scale[a] = (periodic >> a & 1u) && n[a] == 1 ? 0.0f : scale[a];
        }
        l->open[2] = gy_is_3d(grid->dim) ? l->open[2] : l->open[1];
        l->pin = def->pin ? take(kept, &f, sizeof(uint16_t)) : 0;
        l->flags = gy_arena_take(kept, (size_t)f.groups * (size_t)n[1] * (size_t)n[2]);
        l->periodic = periodic;
        l->open_sides = open_sides;
        if (s->base) {
            *(gy_level *)(void *)gy_at(s->base, gy_system_offset(s, s->count)) = *l;
        }
        s->count++;
        if ((n[0] == 1 && n[1] == 1 && n[2] == 1) || s->count == GY_MAX_LEVELS) {
            break;
        }
        halve(s, n, scale);
    }
    s->kept[1] = kept->used;
    s->coarse[1] = def->coarse && s->count > 1 ? s->coarse[1] : s->coarse[0];
    gy_system_put_levels(s);
}

void gy_system_put(const gy_system *s)
{
    gy_device_put(s->device, gy_at(s->base, s->kept[0]), (size_t)(s->kept[1] - s->kept[0]) * 64);
}

void gy_system_put_levels(const gy_system *s)
{
    if (s->base) {
        gy_device_put(s->device, gy_at(s->base, s->first),
                      (size_t)GY_MAX_LEVELS * GY_LEVEL_STEP * 64);
    }
}

void gy_system_put_coefficients(const gy_system *s, int l)
{
    const gy_level *level = gy_system_level(s, l);
    ptrdiff_t origin = gy_round_up(GY_LEVEL_PAD + level->sy + level->sz, 32);
    for (int a = 0; a < level->dim; a++) {
        const uint16_t *open = (const uint16_t *)(void *)gy_at(s->base, level->open[a]);
        gy_device_put(s->device, open - origin, 2 * (size_t)level->colour_step * sizeof *open);
    }
}

void gy_system_shift(gy_system *s, float shift)
{
    s->shift = shift;
    for (int l = 0; l < s->count; l++) {
        gy_level *level = gy_system_level(s, l);
        level->shift = shift;
        for (int a = 0; a < 3; a++) {
            shift *= level->n[a] > 1 ? 2.0f : 1.0f;
        }
    }
    gy_system_put_levels(s);
}

/// Ratios of distances for gy_coarsen_args.factor, see ops/system/coarsen.c: (fine distance /
/// coarse distance) * m, over the number of fine faces in a coarse one.
static void coarsen_factors(const gy_system *s, int l, int axis, gy_coarsen_args *args)
{
    float *factor = args->factor, held = s->held[l][axis];
    const gy_level *f = gy_system_level(s, l), *c = gy_system_level(s, l + 1);
    float wf = s->width[l][axis], wc = s->width[l + 1][axis], faces = 1.0f;
    bool halved = f->n[axis] > 1;
    for (int a = 0; a < 3; a++) {
        faces *= a != axis && f->n[a] > 1 ? 2.0f : 1.0f;
    }
    float one = 1.0f / faces;
    factor[0] = factor[1] = factor[2] = factor[3] = one;
    if (!halved) {
        return;
    }
    if (f->periodic >> axis & 1u) {
        factor[1] = factor[3] = one * (0.5f * (1.0f + wf)) / (0.5f * (1.0f + wc));
    } else {
        factor[1] = c->n[axis] == 1 ? one / wc : one;
        factor[3] = one * wf / wc;
    }
    if (held > 0.0f) {
        bool joined = f->last[axis] > 0.0f;
        factor[3] = one * (joined ? 1.0f : held) / s->held[l + 1][axis];
        args->held = joined ? held : 0.0f;
        args->inner = 0.5f * (1.0f + wf);
    }
    bool lone = f->n[axis] % 2 != 0 && f->last[axis] == 0.0f;
    factor[2] = one * (lone ? 0.5f * (1.0f + wf) : 1.0f) / (0.5f * (1.0f + wc));
}

gy_coarsen_args gy_system_coarsen_args(const gy_system *s, int l, int axis)
{
    gy_coarsen_args a = {.base = s->base,
                         .level = gy_system_offset(s, l),
                         .coarse = gy_system_offset(s, l + 1),
                         .axis = axis};
    coarsen_factors(s, l, axis, &a);
    return a;
}

static void flag_level(const gy_system *s, gyre_device *device, int l)
{
    gy_flags_args flags = {.base = s->base, .level = gy_system_offset(s, l)};
    gy_run(device, GY_OP_flags, &flags, gy_level_box(gy_system_level(s, l)));
}

void gy_system_flag_here(const gy_system *s, int l)
{
    gyre_device *here = gy_device_here(s->device);
    flag_level(s, s->device, l);
    if (here != s->device) {
        flag_level(s, here, l);
    }
}

static void coarsen_level(const gy_system *s, gyre_device *device, int l)
{
    for (int axis = 0; l + 1 < s->count && axis < s->grid.dim; axis++) {
        gy_coarsen_args a = gy_system_coarsen_args(s, l, axis);
        gy_box box = gy_level_box(gy_system_level(s, l + 1));
        box.high[axis]++;
        gy_run(device, GY_OP_coarsen, &a, box);
    }
}

void gy_system_coarsen_here(const gy_system *s, int l)
{
    coarsen_level(s, gy_device_here(s->device), l);
}

void gy_system_coarsen(const gy_system *s)
{
    for (int l = 0; l < s->count; l++) {
        flag_level(s, s->device, l);
        coarsen_level(s, s->device, l);
    }
}

void *gy_system_lend(const gy_system *s, int v, size_t *bytes)
{
    const gy_level *l = gy_system_level(s, 0);
    uint32_t at = v == 0 ? l->x : v == 1 ? l->b : s->vector[v - 2];
    if (!at) {
        return NULL;
    }
    // From the first multiple of 64 bytes at or after row -1 of plane -1, to well before the end.
    size_t back = (size_t)(GY_LEVEL_PAD + l->sy + l->sz) * sizeof(float) / 64 * 64;
    *bytes = ((size_t)l->colour_step * 2 * sizeof(float) - 128) / 64 * 64;
    return (char *)gy_at(s->base, at) - back;
}

void *gy_system_scratch(const gy_system *s, int v, size_t *bytes)
{
    void *data = gy_system_lend(s, v, bytes);
    if (data) {
        memset(data, 0, *bytes);
    }
    return data;
}

/// The coefficient that a face on a side has throughout a box, or -1 for one inside.
static int side_coefficient(const gy_system *s, int axis, int p, int n)
{
    if (p > 0 && p < n) {
        return -1;
    }
    if (s->periodic >> axis & 1u) {
        return (int)GY_UNIT;
    }
    return s->open_sides >> (2 * axis + (p == n)) & 1u ? 2 * (int)GY_UNIT : 0;
}

typedef struct box_task {
    const gy_system *s;
    bool *box;         // per plane
    atomic_bool *stop; // one is none: whatever the others are, the answer is no
} box_task;

/// Whether the faces of a row are what they are throughout a box.
static bool check_row(const gy_system *s, const gy_grid_level *g, int axis, int j, int k)
{
    const int at[3] = {0, j, k}, *n = g->l->n;
    int side = axis == 0 ? -1 : side_coefficient(s, axis, at[axis], n[axis]);
    uint16_t wanted = (uint16_t)(side < 0 ? (int)GY_UNIT : side);
    int from = 0, to = n[0];
    if (axis == 0) {
        from = 1;
        for (int end = 0; end <= n[0]; end += n[0]) {
            if (*gy_coefficient(g, 0, end, j, k) != side_coefficient(s, 0, end, n[0])) {
                return false;
            }
        }
    }
    uint64_t four = 0x0001000100010001u * (uint64_t)wanted, other = 0;
    for (int c = 0; c < 2; c++) {
        // Cells 2 q + e of the row.
        int e = (j + k + c) & 1, q = (from - e + 1) / 2, end = (to - e + 1) / 2;
        const uint16_t *open = g->open[axis][c] + gy_level_row(g->l, j, k);
        for (; q + 4 <= end; q += 4) {
            uint64_t here;
            memcpy(&here, open + q, sizeof here);
            other |= here ^ four;
        }
        for (; q < end; q++) {
            other |= (uint64_t)(open[q] ^ wanted);
        }
    }
    return other == 0;
}

static void check_plane(void *argument, int k)
{
    const box_task *t = argument;
    gy_grid_level g = gy_grid_level_at(t->s->base, gy_system_offset(t->s, 0));
    const int *n = g.l->n;
    bool box = true;
    if (atomic_load_explicit(t->stop, memory_order_relaxed)) {
        t->box[k] = false;
        return;
    }
    for (int a = 0; a < g.l->dim && box; a++) {
        if (k == n[2] && a != 2) {
            continue;
        }
        for (int j = 0; j < n[1] + (a == 1) && box; j++) {
            box = check_row(t->s, &g, a, j, k);
        }
    }
    t->box[k] = box;
    if (!box) {
        atomic_store_explicit(t->stop, true, memory_order_relaxed);
    }
}

bool gy_system_is_box(const gy_system *s)
{
    static const int most = 4097;
    const gy_level *l = gy_system_level(s, 0);
    int planes = l->n[2] + gy_is_3d(l->dim);
    bool box[4098], all = !s->pin && planes <= most;
    if (!all) {
        return false;
    }
    atomic_bool stop = false;
    box_task t = {s, box, &stop};
    gyre_device_parallel_for(s->device, planes, check_plane, &t);
    for (int k = 0; k < planes; k++) {
        all = all && box[k];
    }
    return all;
}
