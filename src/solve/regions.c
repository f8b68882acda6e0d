// solve/regions.c: the parts of the domain that no open face joins. Where nothing holds a region
// (no open side, no shift) the system has an answer only if b adds up to 0 over it, and the answer
// is free by a constant.
//
// The largest region is not listed: what all cells have and the listed ones have not is its own.
#include "base/forest.h"
#include "ops/level.h"
#include "ops/report.h"
#include "solve/solvers.h"

#include <string.h>

enum { PART_CELLS = 4096 };

/// What own[GY_OWN_REGIONS] begins with; its regions, parts and cells follow.
typedef struct region_list {
    int32_t regions, parts; // listed
    uint32_t main_cells;
    bool main_held, dead; // dead: there are cells with no open face
    gy_region *region;
    gy_region_part *part;
    uint32_t *cell; // as gy_region_args says
} region_list;

/// The search: `parent` is a forest over cells whose roots are the lowest of their region.
typedef struct search {
    gy_grid_level g;
    const int *n;
    int32_t cells;
    int32_t *parent, *size; // size: of a root's region; HELD: an open side is at a cell, then at
                            // any cell of a root's region
} search;

enum { HELD = 1 << 30 };

static bool is_held(const search *s, int32_t root)
{
    return (s->size[root] & HELD) != 0;
}

static int32_t size_of(const search *s, int32_t root)
{
    return s->size[root] & ~HELD;
}

/// Joins a cell to its lower neighbours, and the first of an axis to the last.
static void join(search *s, int i, int j, int k, int32_t cell)
{
    const int at[3] = {i, j, k};
    int32_t step = 1;
    for (int a = 0; a < s->g.l->dim; step *= s->n[a], a++) {
        bool periodic = s->g.l->periodic >> a & 1u;
        // Round an axis of one cell a cell is its own neighbour.
        bool open = *gy_coefficient(&s->g, a, i, j, k) != 0 && s->g.l->scale[a] > 0.0f;
        if (open && at[a] > 0) {
            gy_forest_join(s->parent, cell, cell - step);
        } else if (open && !periodic) {
            s->size[cell] |= HELD;
        }
        if (at[a] == s->n[a] - 1) {
            open = *gy_coefficient(&s->g, a, i + (a == 0), j + (a == 1), k + (a == 2)) != 0 &&
                   s->g.l->scale[a] > 0.0f;
            if (open && periodic) {
                gy_forest_join(s->parent, cell, cell - step * (s->n[a] - 1));
            } else if (open) {
                s->size[cell] |= HELD;
            }
        }
    }
}

static void find(search *s)
{
    int32_t cell = 0;
    for (int k = 0; k < s->n[2]; k++) {
        for (int j = 0; j < s->n[1]; j++) {
            for (int i = 0; i < s->n[0]; i++, cell++) {
                s->parent[cell] = cell;
                join(s, i, j, k, cell);
            }
        }
    }
    for (cell = 0; cell < s->cells; cell++) {
        int32_t root = s->parent[cell] = gy_forest_root(s->parent, cell);
        s->size[root] = (s->size[root] | (s->size[cell] & HELD)) + 1;
    }
}

/// Whether a root stands for a region; else it is a cell with no open face.
static bool is_region(const search *s, int32_t root)
{
    return size_of(s, root) > 1 || is_held(s, root);
}

/// Lays the list out; with `memory` NULL only says how many bytes that takes. `main` is the root of
/// the largest region, or -1.
static size_t lay_out(const search *s, int32_t main, region_list *list, void *memory)
{
    size_t regions = 0, parts = 0, cells = 0;
    for (int32_t c = 0; c < s->cells; c++) {
        bool other = s->parent[c] == c && is_region(s, c) && c != main;
        // Where the largest is held, other held ones matter to nothing.
        if (other && !(is_held(s, c) && is_held(s, main))) {
            regions++;
            parts += (size_t)(size_of(s, c) + PART_CELLS - 1) / PART_CELLS;
            cells += (size_t)size_of(s, c);
        }
    }
    gy_arena arena = {.base = (uint64_t)(uintptr_t)memory};
    arena.used = 1; // the head
    uint32_t at[3] = {gy_arena_take(&arena, regions * sizeof(gy_region)),
                      gy_arena_take(&arena, parts * sizeof(gy_region_part)),
                      gy_arena_take(&arena, cells * sizeof(uint32_t))};
    if (memory) {
        list->regions = (int32_t)regions;
        list->parts = (int32_t)parts;
        list->region = (gy_region *)(void *)gy_at(arena.base, at[0]);
        list->part = (gy_region_part *)(void *)gy_at(arena.base, at[1]);
        list->cell = (uint32_t *)(void *)gy_at(arena.base, at[2]);
    }
    return (size_t)arena.used * 64;
}

/// Fills the list. `size` of a listed root becomes ~ the place of its next cell.
static void fill(search *s, int32_t main, region_list *list)
{
    uint32_t r = 0, p = 0, first = 0;
    for (int32_t c = 0; c < s->cells; c++) {
        if (s->parent[c] != c) {
            continue;
        }
        if (!is_region(s, c)) {
            list->dead = true;
            continue;
        }
        if (c == main || (is_held(s, c) && is_held(s, main))) {
            continue;
        }
        uint32_t size = (uint32_t)size_of(s, c);
        uint32_t before = p;
        for (uint32_t q = 0; q < size; q += PART_CELLS) {
            list->part[p++] = (gy_region_part){
                .first = first + q, .count = GY_MIN(size - q, (uint32_t)PART_CELLS), .region = r};
        }
        list->region[r] =
            (gy_region){.first = before, .parts = p - before, .cells = size, .held = is_held(s, c)};
        s->size[c] = ~(int32_t)first;
        first += size;
        r++;
    }
    int32_t cell = 0;
    const gy_level *l = s->g.l;
    for (int k = 0; k < s->n[2]; k++) {
        for (int j = 0; j < s->n[1]; j++) {
            for (int i = 0; i < s->n[0]; i++, cell++) {
                int32_t *size = &s->size[s->parent[cell]];
                if (*size < 0) {
                    ptrdiff_t o = GY_LEVEL_PAD + l->sy + l->sz + gy_level_row(l, j, k) + (i >> 1);
                    o += ((i + j + k) & 1) * (ptrdiff_t)l->colour_step;
                    list->cell[~*size] = (uint32_t)o;
                    *size = ~(~*size + 1);
                }
            }
        }
    }
}

static int32_t largest(const search *s, int *regions)
{
    int32_t main = -1;
    *regions = 0;
    for (int32_t c = 0; c < s->cells; c++) {
        if (s->parent[c] == c && is_region(s, c)) {
            ++*regions;
            main = main < 0 || size_of(s, c) > size_of(s, main) ? c : main;
        }
    }
    return main;
}

static gyre_result list_regions(gy_system *s, search *q)
{
    int regions = 0;
    find(q);
    int32_t main = largest(q, &regions);
    region_list list = {.main_held = true};
    if (main >= 0) {
        list.main_cells = (uint32_t)size_of(q, main);
        list.main_held = is_held(q, main);
    }
    if (!gy_system_own(s, GY_OWN_REGIONS, lay_out(q, main, &list, NULL))) {
        return GYRE_ERROR_MEMORY;
    }
    void *memory = s->own[GY_OWN_REGIONS].data;
    lay_out(q, main, &list, memory);
    fill(q, main, &list);
    *(region_list *)memory = list;
    gy_device_put(s->device, memory, s->own[GY_OWN_REGIONS].bytes);
    s->regions = regions;
    return GYRE_OK;
}

/// A system whose cells all hang together takes no memory and no search.
static bool is_whole(const gy_system *s)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    return s->box && (box.high[0] > 1 || box.high[1] > 1 || box.high[2] > 1);
}

gyre_result gy_regions_update(gy_system *s)
{
    const gy_level *l = gy_system_level(s, 0);
    size_t cells = (size_t)l->n[0] * (size_t)l->n[1] * (size_t)l->n[2];
    if (s->pin || is_whole(s)) {
        s->regions = 1;
        return GYRE_OK;
    }
    size_t bytes[2];
    int32_t *parent = gy_system_scratch(s, 0, &bytes[0]);
    int32_t *size = gy_system_scratch(s, 1, &bytes[1]);
    search q = {.g = gy_grid_level_at(s->base, gy_system_offset(s, 0)),
                .n = l->n,
                .cells = (int32_t)cells,
                .parent = parent,
                .size = size};
    gyre_result r = list_regions(s, &q);
    memset(parent, 0, bytes[0]);
    memset(size, 0, bytes[1]);
    return r;
}

static gy_region_args region_args(const gy_system *s, const region_list *list, uint32_t vector)
{
    return (gy_region_args){.base = s->base,
                            .regions = (uint64_t)(uintptr_t)list->region,
                            .parts = (uint64_t)(uintptr_t)list->part,
                            .cells = (uint64_t)(uintptr_t)list->cell,
                            .level = gy_system_offset(s, 0),
                            .vector = vector};
}

/// Sums of a vector over the listed regions; returns that over all of them.
static double sum_listed(const gy_system *s, const region_list *list, uint32_t vector)
{
    gy_region_args a = region_args(s, list, vector);
    double sum = 0.0;
    gy_run(s->device, GY_OP_region_sum, &a, gy_box_make(list->parts, 1, 1));
    gy_device_fetch(s->device, list->part, (size_t)list->parts * sizeof *list->part);
    for (int r = 0; r < list->regions; r++) {
        list->region[r].sum = 0.0;
    }
    for (int p = 0; p < list->parts; p++) {
        list->region[list->part[p].region].sum += list->part[p].sum;
        sum += list->part[p].sum;
    }
    return sum;
}

/// Takes `main` off all cells, and makes good for those listed. Returns whether anything changed.
static bool lower(const gy_system *s, const region_list *list, uint32_t vector, double main,
                  double rms)
{
    bool changed = main != 0.0, listed = changed;
    if (changed) {
        gy_balance_args a = {.base = s->base,
                             .level = gy_system_offset(s, 0),
                             .vector = vector,
                             .amount = (float)main};
        gy_run(s->device, GY_OP_lower, &a, gy_level_box(gy_system_level(s, 0)));
    }
    for (int p = 0; p < list->parts; p++) {
        const gy_region *r = &list->region[list->part[p].region];
        double mean = r->held ? 0.0 : gy_worth(r->sum / (double)r->cells, rms);
        list->part[p].amount = (float)(mean - main);
        listed = listed || mean != 0.0;
    }
    if (listed && list->parts > 0) {
        gy_region_args a = region_args(s, list, vector);
        gy_device_put(s->device, list->part, (size_t)list->parts * sizeof *list->part);
        gy_run(s->device, GY_OP_region_lower, &a, gy_box_make(list->parts, 1, 1));
    }
    return changed || listed;
}

/// The list; of a system whose cells all hang together it is made in `whole`. NULL: there is
/// nothing to be done about means.
static const region_list *find_list(const gy_system *s, region_list *whole)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    double cells = (double)box.high[0] * (double)box.high[1] * (double)box.high[2];
    *whole = (region_list){.main_cells = (uint32_t)cells, .main_held = s->open_sides != 0};
    const region_list *list = is_whole(s) ? whole : s->own[GY_OWN_REGIONS].data;
    bool nothing =
        s->pin || s->shift > 0.0f || !list || (list->main_held && !list->dead && list->parts == 0);
    return nothing ? NULL : list;
}

/// Runs balance; returns into how many tasks it was cut.
static int run_balance(const gy_system *s, uint32_t vector)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    gy_balance_args a = {
        .base = s->base, .level = gy_system_offset(s, 0), .vector = vector, .partial = s->partial};
    gy_run(s->device, GY_OP_balance, &a, box);
    return gy_task_count(GY_OP_balance, box);
}

/// Takes the mean off every region that nothing holds. Returns the sum of squares, or `reference`
/// where nothing has changed.
static double take_means(const gy_system *s, uint32_t vector, double reference)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    double cells = (double)box.high[0] * (double)box.high[1] * (double)box.high[2];
    region_list whole;
    const region_list *list = find_list(s, &whole);
    if (!list) {
        return reference;
    }
    int tasks = run_balance(s, vector);
    double sum = gy_partial_sum(s->device, s->base, s->partial, tasks, 0);
    double squares = gy_partial_sum(s->device, s->base, s->partial, tasks, 1);
    double others = gy_partial_sum(s->device, s->base, s->partial, tasks, 2);
    double rms = __builtin_sqrt(squares / cells), main = 0.0;
    if (list->parts > 0) {
        sum -= sum_listed(s, list, vector);
    }
    if (!list->main_held) {
        main = gy_worth(sum / (double)list->main_cells, rms);
    }
    if (lower(s, list, vector, main, rms)) {
        return gy_vector_squares(s, vector);
    }
    return others > 0.0 ? squares : reference;
}

double gy_regions_balance(gy_system *s, double reference)
{
    // Where b was little but its means, rounding leaves means again.
    for (int q = 0; q < 3; q++) {
        double before = reference;
        reference = take_means(s, gy_system_level(s, 0)->b, reference);
        if (reference > 1e-4 * before) {
            break;
        }
    }
    return reference;
}

bool gy_regions_balances(const gy_system *s)
{
    region_list whole;
    return find_list(s, &whole) != NULL;
}

bool gy_regions_free(const gy_system *s)
{
    region_list whole;
    const region_list *list = find_list(s, &whole);
    return list && (!list->main_held || list->parts > 0);
}

/// Sums over the listed regions, and what follows from them and from what balance has left.
static void record_means(const gy_system *s, const region_list *list, const gy_judge_args *j)
{
    gy_region_args a = region_args(s, list, gy_system_level(s, 0)->b);
    gy_means_args m = {.base = s->base,
                       .regions = a.regions,
                       .parts = a.parts,
                       .report = j->report,
                       .partial = j->partial,
                       .tasks = j->tasks,
                       .region_count = list->regions,
                       .part_count = list->parts,
                       .cells = j->cells,
                       .free = j->free};
    gy_run(s->device, GY_OP_region_sum, &a, gy_box_make(list->parts, 1, 1));
    gy_run(s->device, GY_OP_region_gather, &a, gy_box_make(list->regions, 1, 1));
    gy_run(s->device, GY_OP_region_means, &m, gy_box_make(1, 1, 1));
}

/// A round of gy_regions_balance by ops and gates alone.
static void record_round(const gy_system *s, const region_list *list, uint32_t report)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    uint32_t b = gy_system_level(s, 0)->b;
    gy_judge_args j = {.base = s->base,
                       .report = report,
                       .partial = s->partial,
                       .kind = GY_JUDGE_MEANS,
                       .cells = (double)box.high[0] * (double)box.high[1] * (double)box.high[2],
                       .free = list->main_held ? 0.0 : (double)list->main_cells};
    gy_balance_args lower = {
        .base = s->base, .level = gy_system_offset(s, 0), .vector = b, .report = report};
    gy_device_gate(s->device, GY_GATE(s, report, balanced));
    j.tasks = run_balance(s, b);
    if (list->parts > 0) {
        record_means(s, list, &j);
    } else {
        gy_judge(s->device, &j);
    }
    gy_device_gate(s->device, GY_GATE(s, report, steady));
    gy_run(s->device, GY_OP_lower, &lower, box);
    if (list->parts > 0) {
        gy_region_args a = region_args(s, list, b);
        gy_run(s->device, GY_OP_region_lower, &a, gy_box_make(list->parts, 1, 1));
    }
    j.kind = GY_JUDGE_SQUARES;
    j.tasks = gy_vector_dot_run(s, b, b);
    gy_judge(s->device, &j);
    gy_device_gate(s->device, NULL);
}

void gy_regions_record(gy_system *s, uint32_t report)
{
    region_list whole;
    const region_list *list = find_list(s, &whole);
    for (int q = 0; q < 3 && list; q++) {
        record_round(s, list, report);
    }
}

void gy_regions_centre(gy_system *s)
{
    take_means(s, gy_system_level(s, 0)->x, 0.0);
}
