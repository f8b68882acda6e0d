// solve/transform.c: tables of the transforms in ops/system/fft.c.
//
// Along an axis the difference operator 2 x[i] - x[i - 1] - x[i + 1], with its ends, has
// eigenvectors that depend on the sides alone (shut: x' = 0; open: x = 0 half a cell outside), with
// eigenvalues 2 - 2 cos(theta):
//
//     periodic      sines and cosines           theta = 2 pi k / n             DFT
//     shut, shut    cos(theta (i + 1/2))        theta = pi k / n               DCT-II
//     open, open    sin(theta (i + 1/2))        theta = pi (k + 1) / n         DST-II
//     shut, open    cos(theta (i + 1/2))        theta = pi (k + 1/2) / n       DCT-IV
//     open, shut    sin(theta (i + 1/2))        theta = pi (k + 1/2) / n       DST-IV
//
// All go through one complex Fourier transform of length n. Cells are taken in Makhoul's order:
// v[t] = x[2 t], v[n - 1 - t] = x[2 t + 1]. With V the transform of v,
//
//     DCT-II:  X[k] = Re(e^(-i pi k / 2 n) V[k]),  X[n - k] = -Im(the same)
//     DST-II:  the DCT-II of (-1)^i x[i], frequencies in reverse
//     DCT-IV:  v[t] negated where it is an odd cell, times e^(-i pi t / n) before the transform;
//              X[k] = Re(e^(-i pi (2 k + 1) / 4 n) V[k]),  X[n - 1 - k] = -Im(the same)
//     DST-IV:  the DCT-IV of the cells in reverse, but for signs, which the way back undoes
//
// (J. Makhoul, A fast cosine transform in one and two dimensions, 1980.) Forward and back again is
// 2 n times the identity for each of them; the inverse of that is put into the tables of one axis.
#include "solve/transform.h"
#include "base/turn.h"
#include "ops/system/transform.h"

#include <stdio.h>
#include <string.h>

/// Memory handed out piece by piece; only counted where `at` is NULL.
typedef struct store {
    char *at;
    size_t used;
} store;

static void *take(store *s, size_t bytes)
{
    void *p = s->at ? s->at + s->used : NULL;
    s->used += (bytes + 63) / 64 * 64;
    return p;
}

/// What the sides make of an axis.
typedef struct rule {
    bool periodic, quarter; // quarter: of type IV
    bool reversed;          // cells, of type IV
    bool negated;           // odd elements
} rule;

static rule rule_of(const gy_system *s, int axis)
{
    bool low = s->open_sides >> (2 * axis) & 1u, high = s->open_sides >> (2 * axis + 1) & 1u;
    rule r = {.periodic = s->periodic >> axis & 1u};
    if (!r.periodic) {
        r.quarter = low != high;
        r.reversed = low && !high;
        r.negated = low || high;
    }
    return r;
}

bool gy_transform_length(int n)
{
    static const int factors[] = {2, 3, 5, 7};
    for (int q = 0; q < GY_COUNT(factors); q++) {
        while (n % factors[q] == 0) {
            n /= factors[q];
        }
    }
    return n == 1;
}

bool gy_transform_box(const gy_system_def *def, char *why, size_t size)
{
    static const char axes[] = "xyz";
    if (def->solids) {
        snprintf(why, size, "takes boxes only, and there are solids in this one");
        return false;
    }
    if (def->pin) {
        snprintf(why, size, "takes boxes only, and cells of this one may be held at 0");
        return false;
    }
    for (int a = 0; a < def->grid.dim && def->held; a++) {
        float held = def->open_sides >> (2 * a + 1) & 1u ? 0.5f : 0.0f;
        if (def->held[a] != held) {
            snprintf(why, size,
                     "takes zeros half a cell outside only, and one across %c is elsewhere",
                     axes[a]);
            return false;
        }
    }
    return true;
}

/// Few and large factors: each stage passes over the buffer once and rounds once more. An eight
/// first, so that what is left after it fits the nearest cache, and the largest at the end, where
/// no turns are needed: 16 there rather than 2 times 8.
static void factor(gy_fft_axis *t)
{
    static const int odd[] = {7, 5, 3};
    int twos = __builtin_ctz((unsigned)t->n), n = t->n >> twos, stages = 0;
    int last = twos < 4 ? twos : twos % 3 == 1 ? 4 : 3;
    for (twos -= last; twos >= 3; twos -= 3) {
        t->radix[stages++] = 8;
    }
    if (twos > 0) {
        t->radix[stages++] = 1 << twos;
    }
    for (int q = 0; q < GY_COUNT(odd); q++) {
        for (; n % odd[q] == 0; n /= odd[q]) {
            t->radix[stages++] = odd[q];
        }
    }
    // Of a single cell a stage all the same, which copies.
    if (last > 0 || t->n == 1) {
        t->radix[stages++] = 1 << last;
    }
    t->stages = stages;
}

/// Where frequency k lies after the stages.
static int place_of(const gy_fft_axis *t, int k)
{
    int length = t->n, place = 0;
    for (int s = 0; s < t->stages; s++) {
        length /= t->radix[s];
        place += k % t->radix[s] * length;
        k /= t->radix[s];
    }
    return place;
}

static void make_twiddles(gy_fft_axis *t, store *s)
{
    int length = t->n;
    for (int q = 0; q < t->stages; q++) {
        int radix = t->radix[q], m = length / radix;
        float *w = take(s, (size_t)m * (size_t)(2 * radix) * sizeof(float));
        for (int i = 0; i < m && w; i++) {
            for (int r = 1; r < radix; r++) {
                gy_turn turn = gy_turn_of((int64_t)r * i, length);
                float *here = w + 2 * ((radix - 1) * i + r - 1);
                here[0] = (float)turn.c;
                here[1] = (float)-turn.s;
            }
        }
        t->twiddle[q] = w;
        length = m;
    }
}

/// The order of cells, and what multiplies them.
static void make_order(gy_fft_axis *t, rule r, store *s)
{
    int n = t->n, evens = (n + 1) / 2;
    int32_t *element = take(s, (size_t)n * sizeof(int32_t));
    float *before = r.negated ? take(s, 2 * (size_t)n * sizeof(float)) : NULL;
    for (int i = 0; i < n && element; i++) {
        int cell = r.reversed ? n - 1 - i : i;
        element[i] = r.periodic ? cell : cell % 2 == 0 ? cell / 2 : n - 1 - cell / 2;
    }
    for (int i = 0; i < n && before; i++) {
        gy_turn turn = r.quarter ? gy_turn_of(i, 2 * (int64_t)n) : (gy_turn){1.0, 0.0};
        before[2 * i] = (float)(i < evens ? turn.c : -turn.c);
        before[2 * i + 1] = (float)(i < evens ? -turn.s : turn.s);
    }
    t->element = element;
    t->before = before;
}

/// 2 - 2 cos(theta) of frequency k, as 4 sin^2(theta / 2).
static float value_of(const gy_fft_axis *t, rule r, int k)
{
    int64_t n = t->n;
    gy_turn turn = r.periodic  ? gy_turn_of(k, 2 * n)
                   : r.quarter ? gy_turn_of(2 * k + 1, 8 * n)
                   : r.negated ? gy_turn_of(n - k, 4 * n)
                               : gy_turn_of(k, 4 * n);
    return (float)(4.0 * turn.s * turn.s);
}

static gy_fft_pair pair_of(const gy_fft_axis *t, rule r, int k, int other, double scale)
{
    gy_turn turn = r.periodic  ? (gy_turn){1.0, 0.0}
                   : r.quarter ? gy_turn_of(2 * k + 1, 8 * (int64_t)t->n)
                               : gy_turn_of(k, 4 * (int64_t)t->n);
    return (gy_fft_pair){.p = place_of(t, k),
                         .q = place_of(t, other),
                         .c = (float)turn.c,
                         .s = (float)turn.s,
                         .scaled_c = (float)(turn.c * scale),
                         .scaled_s = (float)(turn.s * scale),
                         .value_p = value_of(t, r, k),
                         .value_q = value_of(t, r, other)};
}

static gy_fft_single single_of(const gy_fft_axis *t, rule r, int k, double scale)
{
    // Halfway between two frequencies that make a pair the turn is an eighth; else there is none.
    bool eighth = !r.periodic && k > 0;
    eighth = eighth || r.quarter;
    double half = 2.0 * gy_turn_of(1, 8).c;
    return (gy_fft_single){.p = place_of(t, k),
                           .forward = (float)((eighth ? half : 2.0) * scale),
                           .back = eighth ? (float)half : 1.0f,
                           .value = value_of(t, r, k)};
}

/// Pairs and singles, by the parts after the first stage in which they lie.
static void make_groups(gy_fft_axis *t, rule r, double scale, store *s)
{
    int n = t->n, radix = t->radix[0], turned = r.quarter ? 1 : 0, pairs = 0, singles = 0;
    gy_fft_group *group = take(s, (size_t)radix * sizeof *group);
    gy_fft_pair *pair = take(s, (size_t)(n / 2 + 1) * sizeof *pair);
    gy_fft_single *single = take(s, 2 * sizeof *single);
    t->group = group;
    t->pair = pair;
    t->single = single;
    t->groups = 0;
    for (int part = 0; part < radix && group; part++) {
        int other = (2 * radix - part - turned) % radix;
        if (other < part) {
            continue;
        }
        gy_fft_group *g = &group[t->groups++];
        *g = (gy_fft_group){.part = {part, other},
                            .parts = other == part ? 1 : 2,
                            .pairs = {pairs, pairs},
                            .singles = {singles, singles}};
        for (int k = part; k < n; k += radix) {
            int mirror = (2 * n - k - turned) % n;
            if (mirror == k) {
                single[singles++] = single_of(t, r, k, scale);
            } else if (k < mirror || other != part) {
                pair[pairs++] = pair_of(t, r, k, mirror, scale);
            }
        }
        g->pairs[1] = pairs;
        g->singles[1] = singles;
    }
}

/// Where cells along an axis lie in a vector like x, from one at even j + k, and odd.
static void make_offsets(gy_fft_axis *t, const gy_level *l, int axis, store *s)
{
    ptrdiff_t step = axis == 1 ? l->sy : l->sz;
    for (int odd = 0; odd < 2; odd++) {
        int64_t *place = take(s, (size_t)t->n * sizeof *place);
        int64_t *element = take(s, (size_t)t->n * sizeof *element);
        for (int i = 0; i < t->n && place; i++) {
            place[i] = i * step + ((i + odd) & 1) * (ptrdiff_t)l->colour_step;
            if (t->element) {
                element[t->element[i]] = place[i];
            }
        }
        t->at_place[odd] = place;
        t->at_element[odd] = element;
    }
}

static void make_values(gy_fft_axis *t, rule r, int axis, store *s)
{
    int slots = gy_round_up((t->n + 1) / 2, GY_GROUP), count = axis == 0 ? 2 * slots : t->n;
    float *value = take(s, (size_t)count * sizeof *value);
    t->value = value;
    for (int i = 0; i < count && value; i++) {
        // What lies beyond the cells is 0, over anything.
        value[i] = 1.0f;
    }
    for (int k = 0; k < t->n && value; k++) {
        int p = place_of(t, k);
        value[axis == 0 ? (p & 1) * slots + p / 2 : p] = value_of(t, r, k);
    }
}

/// Makes, or counts, everything.
static void make(const gy_system *s, int line, int scaled, store *memory)
{
    const gy_level *l = gy_system_level(s, 0);
    gy_fft_axis unused, *axes = take(memory, 3 * sizeof *axes);
    double scale = 1.0;
    for (int a = 0; a < l->dim; a++) {
        scale /= a == line ? 1.0 : 2.0 * l->n[a];
    }
    for (int a = 0; a < l->dim; a++) {
        gy_fft_axis *t = axes ? &axes[a] : &unused;
        rule r = rule_of(s, a);
        *t = (gy_fft_axis){.n = l->n[a], .periodic = r.periodic};
        for (int end = 0; end < 2; end++) {
            t->end[end] = !r.periodic && (s->open_sides >> (2 * a + end) & 1u) ? 2.0f : 0.0f;
        }
        if (a != line) {
            factor(t);
            make_twiddles(t, memory);
            make_order(t, r, memory);
            make_groups(t, r, a == scaled ? scale : 1.0, memory);
            make_values(t, r, a, memory);
        }
        if (a > 0) {
            make_offsets(t, l, a, memory);
        }
    }
}

static size_t make_line(gy_fft_axis *t, int n, bool periodic, void *at, float *angle)
{
    store memory = {.at = at};
    rule r = {.periodic = periodic};
    *t = (gy_fft_axis){.n = n, .periodic = periodic};
    factor(t);
    make_twiddles(t, &memory);
    make_order(t, r, &memory);
    make_groups(t, r, 1.0 / (2.0 * n), &memory);
    for (int k = 0; k < n && angle; k++) {
        double pi = 3.14159265358979323846;
        angle[place_of(t, k)] =
            (float)(periodic ? 2.0 * pi * GY_MIN(k, n - k) / n : pi * (double)k / n);
    }
    return memory.used;
}

size_t gy_transform_line_size(int n, bool periodic)
{
    gy_fft_axis unused;
    return make_line(&unused, n, periodic, NULL, NULL);
}

void gy_transform_line(gy_fft_axis *t, int n, bool periodic, void *memory, float *angle)
{
    make_line(t, n, periodic, memory, angle);
}

gyre_result gy_transform_prepare(gy_system *s, int line, int scaled)
{
    const gy_level *l = gy_system_level(s, 0);
    store count = {0}, memory = {0};
    make(s, line, scaled, &count);
    int n = GY_MAX(l->n[0], GY_MAX(l->n[1], l->n[2])), tasks = gyre_device_threads(s->device);
    // Where the host decides on threads there may be as many as pieces.
    tasks = tasks > 0 ? GY_MIN(tasks, (int)GY_MAX_BLOCKS) : (int)GY_MAX_BLOCKS;
    // An odd number of lines of the cache, so that buffers do not hide each other.
    size_t step = ((size_t)n * GY_LINES / GY_LANES | 1) * GY_LANES;
    size_t floats = GY_SCRATCH_HEAD + step * (size_t)tasks;
    if (!gy_system_own(s, GY_OWN_TABLES, count.used) ||
        !gy_system_own(s, GY_OWN_SCRATCH, floats * sizeof(float))) {
        return GYRE_ERROR_MEMORY;
    }
    gy_fft_scratch *scratch = s->own[GY_OWN_SCRATCH].data;
    *scratch = (gy_fft_scratch){.taken = (uint32_t)(UINT64_MAX << tasks), .step = (uint32_t)step};
    memory.at = s->own[GY_OWN_TABLES].data;
    make(s, line, scaled, &memory);
    return GYRE_OK;
}

static gy_transform_args args_of(const gy_system *s, int way, uint32_t from)
{
    return (gy_transform_args){.base = s->base,
                               .axes = (uint64_t)(uintptr_t)s->own[GY_OWN_TABLES].data,
                               .scratch = (uint64_t)(uintptr_t)s->own[GY_OWN_SCRATCH].data,
                               .level = gy_system_offset(s, 0),
                               .from = from,
                               .way = way};
}

void gy_transform_run(const gy_system *s, gy_op op, int way, int axis, uint32_t from)
{
    const gy_level *l = gy_system_level(s, 0);
    gy_transform_args a = args_of(s, way, from);
    a.axis = axis;
    a.other = gy_is_3d(l->dim) && axis > 0 ? 3 - axis : -1;
    gy_run(s->device, op, &a, gy_box_make(gy_line_blocks(l, axis, false), 1, 1));
}

void gy_transform_others(const gy_system *s, int way, int line)
{
    const gy_level *l = gy_system_level(s, 0);
    bool forwards = way == GY_TRANSFORM_FORWARD;
    uint32_t from = forwards ? l->b : l->x;
    // Rows of a plane come in blocks, of which the last must not be mostly empty.
    if (line == 2 && gy_round_up(l->n[1], GY_LINES) * 4 <= l->n[1] * 5) {
        gy_transform_args a = args_of(s, way, from);
        a.planes = 1;
        gy_run(s->device, GY_OP_transform, &a, gy_box_make(l->n[2], 1, 1));
        return;
    }
    for (int q = 0; q < l->dim; q++) {
        int axis = forwards ? q : l->dim - 1 - q;
        if (axis != line) {
            gy_transform_run(s, GY_OP_transform, way, axis, from);
            from = l->x;
        }
    }
}

/// Sum of squares of the residual of a box.
static double residual(const gy_system *s)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    gy_relax_args a = {.base = s->base, .level = gy_system_offset(s, 0), .partial = s->partial};
    gy_run(s->device, GY_OP_box_residual, &a, box);
    return gy_partial_sum(s->device, s->base, s->partial, gy_task_count(GY_OP_box_residual, box),
                          0);
}

gy_solve_result gy_transform_finish(gy_system *s, const gy_solve_task *task)
{
    gy_solve_result r = {1, 0.0};
    gy_vector_wrap(s, 0);
    if (task->reference > 0.0) {
        r.residual = __builtin_sqrt(residual(s) / task->reference);
    }
    gy_note(task, 0, r.residual);
    return r;
}
