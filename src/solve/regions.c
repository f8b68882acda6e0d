// solve/regions.c: the parts of the domain that no open face joins. Where nothing holds a region
// (no open side, no shift) the system has an answer only if b adds up to 0 over it, and the answer
// is free by a constant.
//
// The largest region is not listed: what all cells have and the listed ones have not is its own.
#include "base/forest.h"
#include "ops/system/report.h"
#include "solve/faces.h"
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

/// Cells that hang together along x within a row, the units of the search, numbered in the order of
/// their first cells. `parent` is a forest over them whose roots are the lowest of their region.
typedef struct search {
    const gy_face_bits *faces;
    gy_level level;
    int32_t *parent, *size; // size: cells of a run, then of a root's region; HELD: an open side is
                            // at one, then at any cell of a root's region
    int32_t *first;         // the first run of each row, k n[1] + j, and one past the last
    int32_t runs;
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

/// Bits of the cells that begin a run in a word of a row.
static uint64_t starts(const search *s, int j, int k, int w)
{
    uint64_t fluid = gy_face_bits_fluid(s->faces, j, k)[w];
    uint64_t joined = gy_face_bits_open(s->faces, 0, j, k)[w];
    // The first cell's lower face is a side's.
    return fluid & ~(w == 0 ? joined & ~(uint64_t)1 : joined);
}

typedef struct row {
    int j, k;
    int32_t run; // before the first of a word
    uint64_t starts;
} row;

static row row_at(const search *s, int j, int k)
{
    return (row){.j = j, .k = k, .run = s->first[k * s->faces->n[1] + j]};
}

/// The run of cell `bit` of the row's word.
static int32_t run_of(const row *r, int bit)
{
    return r->run + gy_count_bits(r->starts & (~(uint64_t)0 >> (63 - bit))) - 1;
}

/// Of faces in one word: those that tell something that the one before does not.
static uint64_t telling(uint64_t open, uint64_t before, uint64_t begun)
{
    return open & ~((open << 1 | before) & ~begun);
}

/// Joins the runs of two rows across the open faces between them, which are in `open`.
static void join_rows(search *s, row a, row b, const uint64_t *open)
{
    uint64_t before = 0;
    for (int w = 0; w < s->faces->words; w++) {
        uint64_t in = open[w] & gy_row_mask(s->faces->n[0], w);
        a.starts = starts(s, a.j, a.k, w);
        b.starts = starts(s, b.j, b.k, w);
        for (uint64_t t = telling(in, before, a.starts | b.starts); t; t &= t - 1) {
            int bit = gy_lowest_bit(t);
            gy_forest_join(s->parent, run_of(&a, bit), run_of(&b, bit));
        }
        a.run += gy_count_bits(a.starts);
        b.run += gy_count_bits(b.starts);
        before = in >> 63;
    }
}

/// Notes that an open side is at the runs of a row.
static void hold_row(search *s, row a, const uint64_t *open)
{
    uint64_t before = 0;
    for (int w = 0; w < s->faces->words; w++) {
        uint64_t in = open[w] & gy_row_mask(s->faces->n[0], w);
        a.starts = starts(s, a.j, a.k, w);
        for (uint64_t t = telling(in, before, a.starts); t; t &= t - 1) {
            s->size[run_of(&a, gy_lowest_bit(t))] |= HELD;
        }
        a.run += gy_count_bits(a.starts);
        before = in >> 63;
    }
}

/// The ends of a row along x.
static void join_ends(search *s, int j, int k)
{
    const gy_face_bits *f = s->faces;
    const uint64_t *open = gy_face_bits_open(f, 0, j, k);
    int32_t first = s->first[k * f->n[1] + j], last = s->first[k * f->n[1] + j + 1] - 1;
    bool low = gy_bit(open, 0), high = gy_bit(open, f->n[0]);
    if (!(s->level.scale[0] > 0.0f)) {
        return; // round an axis of one cell a cell is its own neighbour
    }
    if (f->periodic & 1u) {
        if (high) {
            gy_forest_join(s->parent, last, first);
        }
        return;
    }
    s->size[first] |= low ? HELD : 0;
    s->size[last] |= high ? HELD : 0;
}

/// Joins a row to the lower one along axis 1 or 2, and the last to the first.
static void join_across(search *s, int axis, int j, int k)
{
    const gy_face_bits *f = s->faces;
    int at = axis == 1 ? j : k, n = f->n[axis];
    bool periodic = f->periodic >> axis & 1u;
    if (!(s->level.scale[axis] > 0.0f)) {
        return;
    }
    row here = row_at(s, j, k);
    if (at > 0) {
        join_rows(s, here, row_at(s, j - (axis == 1), k - (axis == 2)),
                  gy_face_bits_open(f, axis, j, k));
    } else if (!periodic) {
        hold_row(s, here, gy_face_bits_open(f, axis, j, k));
    }
    if (at == n - 1) {
        const uint64_t *open = gy_face_bits_open(f, axis, j + (axis == 1), k + (axis == 2));
        if (periodic) {
            join_rows(s, here, row_at(s, axis == 1 ? 0 : j, axis == 2 ? 0 : k), open);
        } else {
            hold_row(s, here, open);
        }
    }
}

/// Calls for each run of a row, in order, with its first cell and how many it has.
static void each_run(const search *s, int j, int k,
                     void (*task)(void *argument, int32_t run, int i, int cells), void *argument)
{
    const uint64_t *fluid = gy_face_bits_fluid(s->faces, j, k);
    int32_t run = s->first[k * s->faces->n[1] + j];
    int begun = -1, n = s->faces->n[0];
    for (int w = 0; w < s->faces->words; w++) {
        uint64_t start = starts(s, j, k, w);
        // A run ends where another starts, or before a cell that is none's.
        for (uint64_t t = start | ~fluid[w]; t; t &= t - 1) {
            int bit = gy_lowest_bit(t), i = GY_MIN(64 * w + bit, n);
            if (begun >= 0) {
                task(argument, run++, begun, i - begun);
            }
            begun = start >> bit & 1u ? i : -1;
        }
    }
    if (begun >= 0) {
        task(argument, run, begun, n - begun);
    }
}

static void begin_run(void *argument, int32_t run, int i, int cells)
{
    search *s = argument;
    (void)i;
    s->parent[run] = run;
    s->size[run] = cells;
}

static void find(search *s)
{
    const int *n = s->faces->n;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            int32_t *first = &s->first[k * n[1] + j];
            first[1] = first[0];
            for (int w = 0; w < s->faces->words; w++) {
                first[1] += gy_count_bits(starts(s, j, k, w));
            }
            each_run(s, j, k, begin_run, s);
            if (first[1] > first[0]) {
                join_ends(s, j, k);
            }
            join_across(s, 1, j, k);
            if (gy_is_3d(s->faces->dim)) {
                join_across(s, 2, j, k);
            }
        }
    }
    s->runs = s->first[n[1] * n[2]];
    for (int32_t run = 0; run < s->runs; run++) {
        int32_t root = s->parent[run] = gy_forest_root(s->parent, run);
        if (root != run) {
            s->size[root] = (s->size[root] | (s->size[run] & HELD)) + size_of(s, run);
        }
    }
}

/// Whether a root stands for a region; else it is a cell whose open faces lead nowhere.
static bool is_region(const search *s, int32_t root)
{
    return size_of(s, root) > 1 || is_held(s, root);
}

/// Whether a run is the root of a region that is listed. `main` is the root of the largest region,
/// or -1. Where the largest is held, other held ones matter to nothing.
static bool is_listed(const search *s, int32_t run, int32_t main)
{
    return s->parent[run] == run && run != main && is_region(s, run) &&
           !(is_held(s, run) && main >= 0 && is_held(s, main));
}

/// Lays the list out; with `memory` NULL only says how many bytes that takes.
static size_t lay_out(const search *s, int32_t main, region_list *list, void *memory)
{
    size_t regions = 0, parts = 0, cells = 0;
    for (int32_t run = 0; run < s->runs; run++) {
        if (is_listed(s, run, main)) {
            regions++;
            parts += (size_t)(size_of(s, run) + PART_CELLS - 1) / PART_CELLS;
            cells += (size_t)size_of(s, run);
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

/// A row whose runs' cells go into the list.
typedef struct filling {
    search *s;
    region_list *list;
    int j, k;
} filling;

static void fill_run(void *argument, int32_t run, int i, int cells)
{
    const filling *f = argument;
    int32_t *next = &f->s->size[f->s->parent[run]];
    const gy_level *l = &f->s->level;
    if (*next >= 0) {
        return; // of a region that is not listed
    }
    for (int end = i + cells; i < end; i++) {
        ptrdiff_t o = GY_LEVEL_PAD + l->sy + l->sz + gy_level_row(l, f->j, f->k) + (i >> 1);
        o += ((i + f->j + f->k) & 1) * (ptrdiff_t)l->colour_step;
        f->list->cell[~*next] = (uint32_t)o;
        *next = ~(~*next + 1);
    }
}

/// Fills the list. `size` of a listed root becomes ~ the place of its next cell.
static void fill(search *s, int32_t main, region_list *list)
{
    uint32_t r = 0, p = 0, first = 0;
    const int *n = s->faces->n;
    for (int32_t run = 0; run < s->runs; run++) {
        if (!is_listed(s, run, main)) {
            continue;
        }
        uint32_t size = (uint32_t)size_of(s, run);
        uint32_t before = p;
        for (uint32_t q = 0; q < size; q += PART_CELLS) {
            list->part[p++] = (gy_region_part){
                .first = first + q, .count = GY_MIN(size - q, (uint32_t)PART_CELLS), .region = r};
        }
        list->region[r] = (gy_region){
            .first = before, .parts = p - before, .cells = size, .held = is_held(s, run)};
        s->size[run] = ~(int32_t)first;
        first += size;
        r++;
    }
    for (int q = 0; q < n[1] * n[2] && r > 0; q++) {
        filling f = {s, list, q % n[1], q / n[1]};
        each_run(s, f.j, f.k, fill_run, &f);
    }
}

/// The largest region's root, or -1; how many there are, and the cells of all.
static int32_t largest(const search *s, int *regions, size_t *cells)
{
    int32_t main = -1;
    *regions = 0;
    *cells = 0;
    for (int32_t run = 0; run < s->runs; run++) {
        if (s->parent[run] == run && is_region(s, run)) {
            ++*regions;
            *cells += (size_t)size_of(s, run);
            main = main < 0 || size_of(s, run) > size_of(s, main) ? run : main;
        }
    }
    return main;
}

/// What own[GY_OWN_ROOMS] begins with; first[] of a search, the room of each run, and the rooms
/// follow. A room is any region, also one of a single cell.
typedef struct room_list {
    int32_t *first, *of_run;
    gy_room *room;
    int32_t rooms, runs;
} room_list;

/// Notes which run is of which region.
static bool list_rooms(gy_system *s, const search *q)
{
    size_t rows = (size_t)q->faces->n[1] * (size_t)q->faces->n[2] + 1;
    int32_t rooms = 0;
    for (int32_t run = 0; run < q->runs; run++) {
        rooms += q->parent[run] == run;
    }
    gy_arena arena = {.used = 1}; // the head
    uint32_t at[3] = {gy_arena_take(&arena, rows * sizeof(int32_t)),
                      gy_arena_take(&arena, (size_t)q->runs * sizeof(int32_t)),
                      gy_arena_take(&arena, (size_t)rooms * sizeof(gy_room))};
    if (!gy_system_own(s, GY_OWN_ROOMS, (size_t)arena.used * 64)) {
        return false;
    }
    room_list *list = s->own[GY_OWN_ROOMS].data;
    uint64_t base = (uint64_t)(uintptr_t)list;
    *list = (room_list){.first = (int32_t *)(void *)gy_at(base, at[0]),
                        .of_run = (int32_t *)(void *)gy_at(base, at[1]),
                        .room = (gy_room *)(void *)gy_at(base, at[2]),
                        .runs = q->runs};
    memcpy(list->first, q->first, rows * sizeof(int32_t));
    for (int32_t run = 0; run < q->runs; run++) {
        // The root of a region is the lowest of its runs.
        bool root = q->parent[run] == run;
        list->of_run[run] = root ? list->rooms : list->of_run[q->parent[run]];
        if (root) {
            list->room[list->rooms++] = (gy_room){.held = is_held(q, run)};
        }
    }
    return true;
}

static gyre_result list_regions(gy_system *s, search *q)
{
    int regions = 0;
    const int *n = q->faces->n;
    size_t cells;
    find(q);
    if (s->rooms && !list_rooms(s, q)) {
        return GYRE_ERROR_MEMORY;
    }
    int32_t main = largest(q, &regions, &cells);
    region_list list = {.main_held = true};
    list.dead = cells < (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    if (main >= 0) {
        list.main_cells = (uint32_t)size_of(q, main);
        list.main_held = is_held(q, main);
    }
    if (s->apart && regions > 1 && !list.main_held) {
        // What is left of the sum over all is rounded otherwise than sums over the listed: where
        // nothing is, something would be. So all are listed.
        main = -1;
        list.main_cells = 0;
        list.main_held = true;
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

gy_room *gy_system_rooms(const gy_system *s, int *count)
{
    gy_face_bits faces;
    bool listed = s->rooms && s->own[GY_OWN_ROOMS].data && gy_system_faces(s, &faces);
    const room_list *list = s->own[GY_OWN_ROOMS].data;
    *count = listed ? list->rooms : 0;
    return listed ? list->room : NULL;
}

int gy_system_room(const gy_system *s, int i, int j, int k)
{
    gy_face_bits faces;
    if (!gy_system_faces(s, &faces) || !gy_bit(gy_face_bits_fluid(&faces, j, k), i)) {
        return -1;
    }
    const room_list *list = s->own[GY_OWN_ROOMS].data;
    search q = {.faces = &faces, .first = list->first};
    row r = row_at(&q, j, k);
    for (int w = 0; w < i / 64; w++) {
        r.run += gy_count_bits(starts(&q, j, k, w));
    }
    r.starts = starts(&q, j, k, i / 64);
    return list->of_run[run_of(&r, i % 64)];
}

gyre_result gy_regions_update(gy_system *s)
{
    const gy_level *l = gy_system_level(s, 0);
    size_t cells = (size_t)l->n[0] * (size_t)l->n[1] * (size_t)l->n[2];
    gy_face_bits faces;
    if (!gy_system_faces(s, &faces)) {
        s->regions = 1;
        return GYRE_OK;
    }
    size_t bytes;
    int32_t *parent = gy_system_lend(s, 0, &bytes); // both are zeros: see gy_face_bits_update
    int32_t *size = gy_system_lend(s, 1, &bytes);
    // A vector has room for each cell and for more than one word beside each row.
    search q = {.faces = &faces, .level = *l, .parent = parent, .size = size};
    q.first = parent + cells;
    gyre_result r = list_regions(s, &q);
    memset(parent, 0, (size_t)q.runs * sizeof *parent);
    memset(size, 0, (size_t)q.runs * sizeof *size);
    memset(q.first, 0, ((size_t)l->n[1] * (size_t)l->n[2] + 1) * sizeof *q.first);
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
    const region_list *list = gy_system_is_whole(s) ? whole : s->own[GY_OWN_REGIONS].data;
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
static void record_means(const gy_system *s, const region_list *list, const gy_decide_args *j)
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
    gy_decide_args j = {.base = s->base,
                        .report = report,
                        .partial = s->partial,
                        .kind = GY_DECIDE_MEANS,
                        .cells = (double)box.high[0] * (double)box.high[1] * (double)box.high[2],
                        .free = list->main_held ? 0.0 : (double)list->main_cells};
    gy_balance_args lower = {
        .base = s->base, .level = gy_system_offset(s, 0), .vector = b, .report = report};
    gy_device_gate(s->device, GY_GATE(s, report, balanced));
    j.tasks = run_balance(s, b);
    if (list->parts > 0) {
        record_means(s, list, &j);
    } else {
        gy_decide(s->device, &j);
    }
    gy_device_gate(s->device, GY_GATE(s, report, steady));
    gy_run(s->device, GY_OP_lower, &lower, box);
    if (list->parts > 0) {
        gy_region_args a = region_args(s, list, b);
        gy_run(s->device, GY_OP_region_lower, &a, gy_box_make(list->parts, 1, 1));
    }
    j.kind = GY_DECIDE_SQUARES;
    j.tasks = gy_vector_dot_run(s, b, b);
    gy_decide(s->device, &j);
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

void gy_system_centre(gy_system *s, uint32_t from)
{
    gy_vector_copy(s, gy_system_level(s, 0)->x, from);
    gy_regions_centre(s);
}
