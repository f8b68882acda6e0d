// solve/components.c: coarse coefficients, and coarse cells as connected components: a sheet stays
// a sheet on every level. See ops/system/extra.h for what a cycle does with them,
// component_blocks.c and component_lists.c for how they are made.
//
// Under conjugate gradients alone: with twice too weak a coupling where parts are thin, or where
// what joins them is, a cycle by itself can overshoot.
#include "solve/components.h"
#include "solve/faces.h"

#include <string.h>

/// Whether the settings run conjugate gradients over multigrid, or may come to.
static bool wanted(const gy_system *s)
{
    int solver = s->settings.solver;
    bool conjugate =
        solver == GYRE_SOLVER_AUTO || solver == GYRE_SOLVER_MGPCG ||
        (solver == GYRE_SOLVER_PCG && s->settings.preconditioner == GYRE_PRECONDITION_MULTIGRID);
    return conjugate && !s->pin && !s->box;
}

static void start(gy_builder *builder)
{
    const gy_system *s = builder->system;
    for (int l = 0; l < s->count; l++) {
        gy_level_build *build = &builder->build[l];
        build->g = gy_grid_level_at(s->base, gy_system_offset(s, l));
        build->dim = build->g.l->dim;
        build->cells = 1;
        for (int a = 0; a < 3; a++) {
            build->n[a] = build->g.l->n[a];
            build->cells *= (size_t)build->n[a];
        }
    }
}

static void lend(gy_builder *builder)
{
    for (int v = 0; v < GY_VECTORS + 2; v++) {
        size_t bytes;
        // What is taken is zeroed then, and in the end.
        void *data = gy_system_lend(builder->system, v, &bytes);
        if (data) {
            builder->chunks[builder->lent++] = (gy_chunk){.data = data, .bytes = bytes};
        }
    }
    builder->chunk_count = builder->lent;
}

static void finish(gy_builder *builder)
{
    for (int q = 0; q < builder->chunk_count; q++) {
        if (q < builder->lent) {
            // What was written there need be no floats.
            memset(builder->chunks[q].data, 0, builder->chunks[q].used);
        } else {
            gy_release(builder->host, builder->chunks[q].data, builder->chunks[q].bytes);
        }
    }
}

/// Takes room for a copy of a pile, or for `bytes`, and makes it where the arena has a base.
static void *put(gy_arena *arena, const gy_pile *pile, size_t bytes)
{
    uint32_t at = gy_arena_take(arena, pile ? pile->used : bytes);
    if (!arena->base) {
        return NULL;
    }
    void *to = gy_at(arena->base, at);
    if (!pile) {
        memset(to, 0, bytes);
    } else if (pile->used > 0) {
        memcpy(to, pile->data, pile->used);
    }
    return to;
}

static gy_extra_factor put_factor(gy_arena *arena, const gy_level_build *s)
{
    gy_extra_factor f = {.count = (int32_t)(s->order.used / sizeof(int32_t))};
    size_t unknowns = (size_t)f.count;
    if (f.count > 0) {
        size_t entries = (size_t)((const int32_t *)s->entry.data)[f.count];
        f.row = put(arena, &s->order, 0);
        f.position = put(arena, &s->position, 0);
        f.begin = put(arena, &s->begin, 0);
        f.entry = put(arena, &s->entry, 0);
        f.value = put(arena, NULL, entries * sizeof(double));
        f.inverse = put(arena, NULL, unknowns * sizeof(double));
        f.x = put(arena, NULL, unknowns * sizeof(double));
    }
    return f;
}

/// Three vectors of a level for conjugate gradients, where that is one op.
static void put_vectors(gy_arena *arena, const gy_level_build *s, int l, gy_extra_unknowns *e)
{
    if (l > 0 && s->cells <= GY_ALONE) {
        size_t floats = 2 * (size_t)s->g.l->colour_step + (size_t)s->extras;
        e->step = put(arena, NULL, floats * sizeof(float));
        e->image = put(arena, NULL, floats * sizeof(float));
        e->work = put(arena, NULL, floats * sizeof(float));
    }
}

/// Lays the lists of every level out in one block; with base 0 only counts.
static void lay_out(const gy_builder *builder, gy_arena *arena)
{
    const gy_system *s = builder->system;
    for (int l = 0; l <= builder->bottom; l++) {
        const gy_level_build *build = &builder->build[l];
        size_t vector = (size_t)build->extras * sizeof(float);
        gy_extra_unknowns *to = put(arena, NULL, sizeof *to);
        int targets = (int)(build->targets.used / sizeof(gy_extra_target));
        gy_extra_unknowns e = {.extras = build->extras,
                               .targets = GY_MAX(targets - 1, 0),
                               .moves = (int32_t)(build->moves.used / sizeof(gy_extra_move)),
                               .row = put(arena, &build->rows, 0),
                               .link = put(arena, &build->links, 0),
                               .target = put(arena, &build->targets, 0),
                               .source = put(arena, &build->sources, 0),
                               .move = put(arena, &build->moves, 0),
                               .x = put(arena, NULL, vector),
                               .b = put(arena, NULL, vector),
                               .factor = put_factor(arena, build),
                               .ends = build->ends};
        memcpy(e.rows, build->colour_rows, sizeof e.rows);
        put_vectors(arena, build, l, &e);
        if (to) {
            *to = e;
            gy_system_level(s, l)->extras = (uint64_t)(uintptr_t)to;
            gy_system_level(s, l)->lists = gy_device_address(s->device, to);
        }
    }
}

/// Makes coarse coefficients level by level, and the lists. False: no memory.
static bool build(gy_system *s, gy_builder *builder)
{
    start(builder);
    for (int l = 0; l < s->count; l++) {
        if (l > 0 || !builder->faces) {
            gy_system_flag_here(s, l); // else it has been
        }
        gy_system_coarsen_here(s, l);
        if (l + 1 < s->count) {
            if (!gy_components_find(builder, l)) {
                return false;
            }
            gy_system_put_coefficients(s, l + 1);
            s->extras += builder->build[l + 1].extras;
        }
    }
    if (s->extras == 0) {
        return true;
    }
    builder->bottom = s->count - 1;
    for (int l = 0; l <= builder->bottom; l++) {
        if (!gy_lists_make(builder, l)) {
            return false;
        }
    }
    gy_arena counted = {0};
    lay_out(builder, &counted);
    if (!gy_system_own(s, GY_OWN_COMPONENTS, (size_t)counted.used * 64)) {
        return false;
    }
    gy_arena arena = {.base = (uint64_t)(uintptr_t)s->own[GY_OWN_COMPONENTS].data};
    lay_out(builder, &arena);
    gy_device_put(s->device, s->own[GY_OWN_COMPONENTS].data, (size_t)counted.used * 64);
    gy_system_put_levels(s);
    return true;
}

gyre_result gy_components_update(gy_system *s)
{
    s->extras = 0;
    for (int l = 0; l < s->count; l++) {
        gy_system_level(s, l)->extras = 0;
        gy_system_level(s, l)->lists = 0;
    }
    gy_system_put_levels(s);
    if (!wanted(s)) {
        gy_system_coarsen(s);
        return GYRE_OK;
    }
    gy_builder builder = {.system = s, .host = gy_device_host(s->device)};
    gy_face_bits faces;
    builder.faces = gy_system_faces(s, &faces) ? &faces : NULL;
    lend(&builder);
    bool built = build(s, &builder);
    finish(&builder);
    if (!built) {
        // Coefficients without their extras would be wrong.
        s->extras = 0;
        gy_system_coarsen(s);
        return GYRE_ERROR_MEMORY;
    }
    return GYRE_OK;
}

static const gy_extra_unknowns *extras_of(const gy_system *s, int l)
{
    return gy_extra_of(gy_system_level(s, l));
}

/// The matrix of all rows into the envelope; returns the diagonal in `inverse`.
static void assemble(const gy_extra_unknowns *e, float shift)
{
    const gy_extra_factor *f = &e->factor;
    memset(f->value, 0, (size_t)f->entry[f->count] * sizeof(double));
    for (int i = 0; i < f->count; i++) {
        const gy_extra_row *row = &e->row[f->row[i]];
        double d = (double)row->side + (double)shift * (double)row->volume;
        for (int q = row->first; q < row[1].first; q++) {
            double a = (double)e->link[q].a;
            int j = f->position[q];
            if (j < i) {
                f->value[f->entry[i] + (j - f->begin[i])] -= a;
            }
            d += a;
        }
        f->inverse[i] = d;
    }
}

enum { ABREAST = 4 };

/// Of row i, from entry j on, up to ABREAST of them: what the entries before take off. Each entry
/// loses its terms in their own order, whatever others do, so that this is as one by one.
static void take_off(const gy_extra_factor *f, int i, int j, int count, double *row)
{
    const double *other[ABREAST];
    int from[ABREAST], begin = f->begin[i];
    double t[ABREAST];
    for (int q = 0; q < count; q++) {
        other[q] = f->value + f->entry[j + q] - f->begin[j + q];
        from[q] = GY_MAX(f->begin[i], f->begin[j + q]);
        begin = GY_MAX(begin, from[q]);
        t[q] = row[j + q];
    }
    begin = GY_MIN(begin, j);
    for (int q = 0; q < count; q++) {
        for (int k = from[q]; k < begin; k++) {
            t[q] -= row[k] * other[q][k];
        }
    }
    if (count == ABREAST) {
        for (int k = begin; k < j; k++) {
            for (int q = 0; q < ABREAST; q++) {
                t[q] -= row[k] * other[q][k];
            }
        }
    } else {
        for (int q = 0; q < count; q++) {
            for (int k = GY_MAX(begin, from[q]); k < j; k++) {
                t[q] -= row[k] * other[q][k];
            }
        }
    }
    for (int q = 0; q < count; q++) {
        for (int k = GY_MAX(from[q], j); k < j + q; k++) {
            t[q] -= row[k] * other[q][k];
        }
        row[j + q] = t[q];
    }
}

/// LDL^T row by row. A pivot that elimination has brought down to rounding belongs to a region that
/// nothing holds: the last unknown of each counts as 0.
static void factor(const gy_extra_unknowns *e)
{
    const gy_extra_factor *f = &e->factor;
    for (int i = 0; i < f->count; i++) {
        double *row = f->value + f->entry[i] - f->begin[i], d = f->inverse[i], whole = d;
        for (int j = f->begin[i]; j < i; j += ABREAST) {
            take_off(f, i, j, GY_MIN(i - j, (int)ABREAST), row);
        }
        for (int j = f->begin[i]; j < i; j++) {
            double t = row[j];
            row[j] = t * f->inverse[j];
            d -= t * row[j];
        }
        f->inverse[i] = d > 1e-10 * whole && d > 1e-20 ? 1.0 / d : 0.0;
    }
}

/// The level that has a factor; NULL: none has.
static const gy_level *factored(const gy_system *s)
{
    for (int l = 1; l < s->count; l++) {
        const gy_extra_unknowns *e = extras_of(s, l);
        if (e && e->factor.count > 0) {
            return gy_system_level(s, l);
        }
    }
    return NULL;
}

void gy_extra_factorise(const gy_system *s)
{
    const gy_level *l = s->extras > 0 ? factored(s) : NULL;
    gy_extra_factor *f = l ? &gy_extra_of(l)->factor : NULL;
    if (f && (!f->made || f->shift != l->shift)) {
        assemble(gy_extra_of(l), l->shift);
        factor(gy_extra_of(l));
        f->shift = l->shift;
        f->made = 1;
        gy_device_put(s->device, f->value, (size_t)f->entry[f->count] * sizeof(double));
        gy_device_put(s->device, f->inverse, (size_t)f->count * sizeof(double));
    }
}

static gy_box range(int low, int high)
{
    return (gy_box){{low, 0, 0}, {high, 1, 1}};
}

static gy_extra_args args_of(const gy_system *s, int l)
{
    return (gy_extra_args){.base = s->base,
                           .level = gy_system_offset(s, l),
                           .coarse = gy_system_offset(s, GY_MIN(l + 1, s->count - 1))};
}

/// The grid's own steps have seen to the ends of an even x axis, too early.
static void wrap_ends(const gy_system *s, int l)
{
    if (extras_of(s, l)->ends) {
        gy_relax_args a = {.base = s->base, .level = gy_system_offset(s, l)};
        gy_box box = gy_level_box(gy_system_level(s, l));
        box.high[0] = 1;
        gy_run(s->device, GY_OP_wrap, &a, box);
    }
}

void gy_extra_relax(const gy_system *s, int l, int colour, bool zero)
{
    const gy_extra_unknowns *e = extras_of(s, l);
    if (e && e->rows[2] > 0) {
        gy_extra_args a = args_of(s, l);
        a.zero = zero;
        gy_run(s->device, GY_OP_extra_relax, &a, range(e->rows[colour], e->rows[colour + 1]));
        wrap_ends(s, l);
    }
}

void gy_extra_restrict(const gy_system *s, int l)
{
    const gy_extra_unknowns *e = extras_of(s, l);
    if (e) {
        gy_extra_args a = args_of(s, l);
        gy_run(s->device, GY_OP_extra_restrict, &a, range(0, e->targets));
    }
}

void gy_extra_before_prolong(const gy_system *s, int l)
{
    const gy_extra_unknowns *e = extras_of(s, l);
    if (e) {
        gy_extra_args a = args_of(s, l);
        gy_run(s->device, GY_OP_extra_save, &a, range(0, e->moves));
    }
}

void gy_extra_after_prolong(const gy_system *s, int l)
{
    const gy_extra_unknowns *e = extras_of(s, l);
    if (e) {
        gy_extra_args a = args_of(s, l);
        gy_run(s->device, GY_OP_extra_put, &a, range(0, e->moves));
        wrap_ends(s, l);
    }
}
