// solve/component_lists.c: component coarsening: the lists that ops go through, from the parts of
// blocks.
#include "solve/components.h"

#include <string.h>

static int32_t place_of(const gy_level_build *s, int i, int j, int k)
{
    const gy_level *l = s->g.l;
    ptrdiff_t o = gy_place_origin(l) + gy_level_row(l, j, k) + (i >> 1);
    return (int32_t)(o + ((i + j + k) & 1) * (ptrdiff_t)l->colour_step);
}

/// The place of a cell's neighbour, which may lie beyond a periodic end.
static int32_t neighbour_place(const gy_level_build *s, const int at[3], int way)
{
    int to[3] = {at[0], at[1], at[2]};
    to[way / 2] += (way & 1) ? 1 : -1;
    return place_of(s, to[0], to[1], to[2]);
}

/// Notes that the list writes a cell of the grid, which a periodic x axis may have a copy of.
static void mark_end(gy_level_build *s, const int at[3])
{
    bool end = at[0] == 0 || at[0] == s->n[0] - 1;
    s->ends = s->ends || (end && (s->g.l->periodic & 1u) && s->n[0] % 2 == 0);
}

/// Adds the row of an unknown: a cell of the grid, or an extra (~it).
static bool add_row(gy_builder *builder, gy_level_build *s, int32_t item, const int at[3])
{
    const gy_level *l = s->g.l;
    gy_joints joints;
    gy_joints_of(s, item, &joints);
    gy_extra_row row = {.place = item >= 0 ? place_of(s, at[0], at[1], at[2]) : item,
                        .first = (int32_t)(s->links.used / sizeof(gy_extra_link)),
                        .volume = item >= 0 ? 1.0f : ((gy_component *)s->parts.data)[~item].volume};
    int32_t number = (int32_t)(s->rows.used / sizeof row);
    for (int a = 0; a < 2; a++) {
        for (int q = 0; q < joints.count[a]; q++) {
            const gy_joint *j = &joints.list[a][q];
            float open = j->open * (l->scale[j->way / 2] * (1.0f / GY_UNIT));
            if (j->to == GY_BEYOND) {
                row.side += open;
                continue;
            }
            gy_extra_link *link = gy_pile_push(builder, &s->links, sizeof *link);
            // What the link leads to, for the factor: see find_positions.
            int32_t *to = gy_pile_push(builder, &s->position, sizeof *to);
            if (!link || !to) {
                return false;
            }
            *link = (gy_extra_link){j->to < 0 ? j->to : neighbour_place(s, at, j->way), open};
            *to = j->to;
        }
    }
    gy_extra_row *to = gy_pile_push(builder, &s->rows, sizeof row);
    if (!to) {
        return false;
    }
    *to = row;
    if (item >= 0) {
        ((int32_t *)s->row_of_cell.data)[item] = number;
        mark_end(s, at);
    } else {
        ((int32_t *)s->row_of_extra.data)[~item] = number;
    }
    return true;
}

/// Rows of one colour with as many joints (the last: with that many or more) stand together, so
// that a processor can guess when one ends.
enum { JOINTS = 8, KINDS = 2 * JOINTS };

/// An unknown that gets a row: a cell of the grid, or an extra (~it).
typedef struct candidate {
    int32_t item, kind, joints;
} candidate;

/// Notes an unknown unless it is a cell of the grid that is joined to nothing, which has no row.
static bool add_candidate(gy_builder *builder, const gy_level_build *s, int32_t item, int colour)
{
    gy_joints joints;
    gy_joints_of(s, item, &joints);
    int have = joints.count[0] + joints.count[1];
    if (have == 0 && item >= 0) {
        return true;
    }
    candidate *c = gy_pile_push(builder, &builder->nodes, sizeof *c);
    if (c) {
        *c = (candidate){item, colour * JOINTS + GY_MIN(have, JOINTS - 1), have};
    }
    return c != NULL;
}

/// Cells that are asked about at once: most have nothing to do with extras.
enum { STRETCH = 16 };

/// Whether some of the cells from one to before another have extras, or extras touch them.
static bool concerns(const gy_level_build *s, int32_t from, int32_t to)
{
    return gy_first_of(&s->first, to) > gy_first_of(&s->first, from) ||
           gy_first_of(&s->touch_first, to) > gy_first_of(&s->touch_first, from);
}

/// The unknowns that get a row, in the order of cells: those that extras touch and the extras, or,
/// of the coarsest level, all.
static bool find_candidates(gy_builder *builder, const gy_level_build *s, bool coarsest)
{
    builder->nodes.used = 0;
    size_t most = (coarsest ? s->cells : 0) + (size_t)s->extras;
    if (!gy_pile_reserve(builder, &builder->nodes, most * sizeof(candidate))) {
        return false;
    }
    for (int32_t cell = 0; cell < (int32_t)s->cells; cell++) {
        int32_t stretch = GY_MIN(cell + STRETCH, (int32_t)s->cells);
        if (!coarsest && cell % STRETCH == 0 && !concerns(s, cell, stretch)) {
            cell = stretch - 1;
            continue;
        }
        int e = gy_first_of(&s->first, cell), end = gy_first_of(&s->first, cell + 1);
        bool touched = gy_first_of(&s->touch_first, cell + 1) > gy_first_of(&s->touch_first, cell);
        int at[3];
        if (e == end && !touched && !coarsest) {
            continue;
        }
        gy_cell_at(s, cell, at);
        int colour = (at[0] + at[1] + at[2]) & 1;
        if ((touched || coarsest) && !add_candidate(builder, s, cell, colour)) {
            return false;
        }
        for (; e < end; e++) {
            if (!add_candidate(builder, s, ~e, colour)) {
                return false;
            }
        }
    }
    return true;
}

/// Brings the candidates of each kind together, in the order that they have: first[kind] is where
/// they begin.
static const candidate *sort_candidates(gy_builder *builder, int32_t first[KINDS + 1])
{
    int32_t next[KINDS] = {0}, count = (int32_t)(builder->nodes.used / sizeof(candidate));
    candidate *sorted = gy_pile_refill(builder, &builder->heads, (size_t)count * sizeof *sorted);
    const candidate *from = builder->nodes.data;
    if (!sorted) {
        return NULL;
    }
    for (int32_t q = 0; q < count; q++) {
        next[from[q].kind]++;
    }
    first[0] = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        first[kind + 1] = first[kind] + next[kind];
        next[kind] = first[kind];
    }
    for (int32_t q = 0; q < count; q++) {
        sorted[next[from[q].kind]++] = from[q];
    }
    return sorted;
}

static bool reserve_rows(gy_builder *builder, gy_level_build *s, const candidate *sorted, int count)
{
    size_t links = 0;
    for (int q = 0; q < count; q++) {
        links += (size_t)sorted[q].joints;
    }
    return gy_pile_reserve(builder, &s->rows, (size_t)(count + 1) * sizeof(gy_extra_row)) &&
           gy_pile_reserve(builder, &s->links, links * sizeof(gy_extra_link)) &&
           gy_pile_reserve(builder, &s->position, links * sizeof(int32_t));
}

static bool make_rows(gy_builder *builder, gy_level_build *s, bool coarsest)
{
    int32_t first[KINDS + 1];
    if (!coarsest && s->extras == 0 && !s->touch_first.data) {
        // As on the finest level: no unknown has a row, and nobody has to be told which.
        gy_extra_row *none = gy_pile_push(builder, &s->rows, sizeof *none);
        return none != NULL;
    }
    int32_t *of_cell = gy_pile_refill(builder, &s->row_of_cell, s->cells * sizeof *of_cell);
    if (!of_cell ||
        !gy_pile_refill(builder, &s->row_of_extra, (size_t)s->extras * sizeof(int32_t)) ||
        !find_candidates(builder, s, coarsest)) {
        return false;
    }
    memset(of_cell, 0xff, s->cells * sizeof *of_cell);
    const candidate *sorted = sort_candidates(builder, first);
    if (!sorted || !reserve_rows(builder, s, sorted, first[KINDS])) {
        return false;
    }
    for (int colour = 0; colour < 2; colour++) {
        s->colour_rows[colour] = (int)(s->rows.used / sizeof(gy_extra_row));
        for (int q = first[colour * JOINTS]; q < first[(colour + 1) * JOINTS]; q++) {
            int32_t item = sorted[q].item;
            int at[3];
            gy_cell_at(s, item >= 0 ? item : ((const gy_component *)s->parts.data)[~item].cell, at);
            if (!add_row(builder, s, item, at)) {
                return false;
            }
        }
    }
    s->colour_rows[2] = (int)(s->rows.used / sizeof(gy_extra_row));
    gy_extra_row *last = gy_pile_push(builder, &s->rows, sizeof *last);
    if (last) {
        last->first = (int32_t)(s->links.used / sizeof(gy_extra_link));
    }
    return last != NULL;
}

/// The part of its coarse cell that a fine cell takes and gives: see ops/system/relax.c. A coarse
/// extra that holds but last cells is those cells alone.
static float weight_of(const gy_level_build *f, const int at[3], uint32_t late)
{
    float weight = 1.0f;
    for (int a = 0; a < 3; a++) {
        float part = f->g.l->last[a];
        bool last = part > 0.0f && at[a] == f->n[a] - 1 && !(late >> a & 1u);
        weight *= last ? part : 1.0f;
    }
    return weight;
}

/// Where a fine cell goes: GY_MAIN, GY_NOWHERE or a coarse extra.
static int32_t own_of(const gy_level_build *f, const gy_level_build *c, const gy_coarse_block *b,
                      int32_t item)
{
    if (item < 0) {
        return ((const int32_t *)f->own.data)[~item];
    }
    int slice = ((const uint8_t *)f->slice.data)[item];
    return slice == 0 ? (int32_t)GY_MAIN : gy_first_of(&c->first, b->cell) + slice - 1;
}

typedef bool item_task(gy_builder *builder, int l, const gy_coarse_block *b, int32_t item,
                       const int at[3], int32_t own);

/// Calls for each fine cell of a block whose residual is not 0 after a sweep, or whose value counts
/// in the next: red ones, and all on a level with a seam.
static bool each_item(gy_builder *builder, int l, const gy_coarse_block *b, item_task *task)
{
    const gy_level_build *f = &builder->build[l], *c = &builder->build[l + 1];
    bool seam = gy_has_seam(f->g.l);
    for (int k = b->low[2]; k < b->high[2]; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            for (int i = b->low[0]; i < b->high[0]; i++) {
                int32_t cell = gy_cell_number(f, i, j, k);
                int at[3] = {i, j, k};
                if (((i + j + k) & 1) && !seam) {
                    continue;
                }
                if (!task(builder, l, b, cell, at, own_of(f, c, b, cell))) {
                    return false;
                }
                for (int e = gy_first_of(&f->first, cell); e < gy_first_of(&f->first, cell + 1);
                     e++) {
                    int32_t own = own_of(f, c, b, ~e);
                    if (own != GY_NOWHERE && !task(builder, l, b, ~e, at, own)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

static uint32_t late_of(const gy_level_build *c, int32_t own)
{
    return own >= 0 ? ((const gy_component *)c->parts.data)[own].late : 0;
}

static bool add_move(gy_builder *builder, int l, const gy_coarse_block *b, int32_t item,
                     const int at[3], int32_t own)
{
    gy_level_build *f = &builder->build[l], *c = &builder->build[l + 1];
    if (item >= 0 && own == GY_MAIN) {
        return true; // the grid's own prolongation serves it
    }
    gy_extra_move *m = gy_pile_push(builder, &f->moves, sizeof *m);
    if (item >= 0) {
        mark_end(f, at);
    }
    if (m) {
        *m = (gy_extra_move){.to = item >= 0 ? place_of(f, at[0], at[1], at[2]) : item,
                             .from =
                                 own == GY_MAIN ? place_of(c, b->at[0], b->at[1], b->at[2]) : ~own,
                             .weight = weight_of(f, at, late_of(c, own))};
    }
    return m != NULL;
}

/// Counts what the targets of a block take: scratch heads[0] of the main cell, heads[1 + q] of its
/// q-th extra.
static bool count_source(gy_builder *builder, int l, const gy_coarse_block *b, int32_t item,
                         const int at[3], int32_t own)
{
    const gy_level_build *c = &builder->build[l + 1];
    int32_t *heads = builder->heads.data;
    (void)item;
    (void)at;
    heads[own == GY_MAIN ? 0 : 1 + own - gy_first_of(&c->first, b->cell)]++;
    return true;
}

/// Puts a source into its target's stretch, whose next free place is in heads.
static bool put_source(gy_builder *builder, int l, const gy_coarse_block *b, int32_t item,
                       const int at[3], int32_t own)
{
    gy_level_build *f = &builder->build[l], *c = &builder->build[l + 1];
    int32_t *heads = builder->heads.data;
    int32_t *head = &heads[own == GY_MAIN ? 0 : 1 + own - gy_first_of(&c->first, b->cell)];
    int32_t row = -1;
    if (f->row_of_cell.data) {
        row = item >= 0 ? ((const int32_t *)f->row_of_cell.data)[item]
                        : ((const int32_t *)f->row_of_extra.data)[~item];
    }
    gy_extra_source *s = (gy_extra_source *)f->sources.data + (*head)++;
    *s = (gy_extra_source){.at = row >= 0 ? ~row : place_of(f, at[0], at[1], at[2]),
                           .even = at[0] & 1,
                           .weight = weight_of(f, at, late_of(c, own))};
    return true;
}

static bool make_targets(gy_builder *builder, int l, const gy_coarse_block *b)
{
    gy_level_build *f = &builder->build[l], *c = &builder->build[l + 1];
    int first = gy_first_of(&c->first, b->cell);
    int count = 1 + gy_first_of(&c->first, b->cell + 1) - first;
    int32_t *heads = gy_pile_refill(builder, &builder->heads, (size_t)count * sizeof *heads);
    if (!heads) {
        return false;
    }
    memset(heads, 0, (size_t)count * sizeof *heads);
    each_item(builder, l, b, count_source);
    for (int q = 0; q < count; q++) {
        int32_t start = (int32_t)(f->sources.used / sizeof(gy_extra_source));
        gy_extra_target *t = gy_pile_push(builder, &f->targets, sizeof *t);
        if (!t || !gy_pile_push(builder, &f->sources, (size_t)heads[q] * sizeof(gy_extra_source))) {
            return false;
        }
        *t = (gy_extra_target){
            q == 0 ? place_of(c, b->at[0], b->at[1], b->at[2]) : ~(first + q - 1), start};
        heads[q] = start;
    }
    return each_item(builder, l, b, put_source);
}

/// Whether what the grid's own restriction makes of `count` blocks of a row from one on is wrong,
/// whose cells on the fine level b holds.
static bool concerned(const gy_level_build *f, const gy_level_build *c, const gy_coarse_block *b,
                      int count)
{
    bool yes = gy_first_of(&c->first, b->cell + count) > gy_first_of(&c->first, b->cell);
    for (int k = b->low[2]; k < b->high[2]; k++) {
        for (int j = b->low[1]; j < b->high[1]; j++) {
            int32_t cell = gy_cell_number(f, b->low[0], j, k), end = cell + b->high[0] - b->low[0];
            yes = yes || concerns(f, cell, end);
        }
    }
    return yes;
}

static bool make_transfers(gy_builder *builder, int l)
{
    gy_level_build *f = &builder->build[l];
    const gy_level_build *c = &builder->build[l + 1];
    for (int k = 0; k < c->n[2]; k++) {
        for (int j = 0; j < c->n[1]; j++) {
            for (int i = 0; i < c->n[0]; i++) {
                gy_coarse_block b = gy_coarse_block_at(f, c, i, j, k);
                if (i % STRETCH == 0) {
                    gy_coarse_block all = b;
                    int end = GY_MIN(i + STRETCH, c->n[0]);
                    all.high[0] = gy_coarse_block_at(f, c, end - 1, j, k).high[0];
                    if (!concerned(f, c, &all, end - i)) {
                        i = end - 1;
                        continue;
                    }
                }
                if (concerned(f, c, &b, 1) &&
                    (!make_targets(builder, l, &b) || !each_item(builder, l, &b, add_move))) {
                    return false;
                }
            }
        }
    }
    gy_extra_target *last = gy_pile_push(builder, &f->targets, sizeof *last);
    if (last) {
        last->first = (int32_t)(f->sources.used / sizeof(gy_extra_source));
    }
    return last != NULL;
}

/// From what each link leads to, to the row that it leads to.
static void find_rows(gy_level_build *s)
{
    int32_t *to = s->position.data;
    const int32_t *of_cell = s->row_of_cell.data, *of_extra = s->row_of_extra.data;
    for (size_t q = 0; q < s->position.used / sizeof *to; q++) {
        to[q] = to[q] >= 0 ? of_cell[to[q]] : of_extra[~to[q]];
    }
}

static int degree_of(const gy_extra_row *rows, int q)
{
    return rows[q + 1].first - rows[q].first;
}

/// Appends the rows that hang together with one, by breadth first, each neighbourhood by ascending
/// degree. `at` is below 0 where a row has not been met.
static int spread(const gy_level_build *s, int seed, int filled, int32_t *order, int32_t *at)
{
    const gy_extra_row *rows = s->rows.data;
    const int32_t *to = s->position.data;
    int next = filled;
    at[seed] = 0;
    order[filled++] = seed;
    for (; next < filled; next++) {
        int begin = filled;
        for (int q = rows[order[next]].first; q < rows[order[next] + 1].first; q++) {
            if (at[to[q]] >= 0) {
                continue;
            }
            int hole = filled++;
            for (; hole > begin && degree_of(rows, order[hole - 1]) > degree_of(rows, to[q]);
                 hole--) {
                order[hole] = order[hole - 1];
            }
            order[hole] = to[q];
            at[to[q]] = 0;
        }
    }
    return filled;
}

/// Orders the rows so that neighbours come to lie close (Cuthill and McKee's order, reversed); `at`
/// is then where each row is.
static void order_rows(const gy_level_build *s, int32_t *order, int32_t *at)
{
    const gy_extra_row *rows = s->rows.data;
    int count = s->colour_rows[2], filled = 0;
    for (int ends = 1; ends >= 0; ends--) {
        for (int q = 0; q < count; q++) {
            if (at[q] < 0 && (!ends || degree_of(rows, q) <= 1)) {
                filled = spread(s, q, filled, order, at);
            }
        }
    }
    for (int q = 0; q < count / 2; q++) {
        int32_t t = order[q];
        order[q] = order[count - 1 - q];
        order[count - 1 - q] = t;
    }
    for (int q = 0; q < count; q++) {
        at[order[q]] = q;
    }
}

/// The most entries of a factor that is not left out.
static double most_entries(const gy_builder *builder)
{
    return 32768.0 + (double)builder->build[0].cells / 8.0;
}

/// Whether a level's factor would be left out, whatever the order of its rows: each row has at
/// least as many entries as it has neighbours before it, so that there is one at least for each
/// open face between two cells.
static bool is_too_large(const gy_builder *builder, const gy_level_build *s)
{
    int64_t entries = 0;
    for (int k = 0; k < s->n[2]; k++) {
        for (int j = 0; j < s->n[1]; j++) {
            for (int i = 0; i < s->n[0]; i++) {
                entries += i > 0 && *gy_coefficient(&s->g, 0, i, j, k);
                entries += j > 0 && *gy_coefficient(&s->g, 1, i, j, k);
                entries += k > 0 && *gy_coefficient(&s->g, 2, i, j, k);
            }
        }
    }
    return (double)entries > most_entries(builder);
}

/// The factor's shape. It is left out (order stays empty) where it would take long beside a cycle,
/// or to make.
static bool make_factor(gy_builder *builder, gy_level_build *s)
{
    int count = s->colour_rows[2];
    double cells = (double)builder->build[0].cells, entries = 0.0, work = 0.0;
    int32_t *at = gy_pile_refill(builder, &builder->heads, (size_t)count * sizeof *at);
    int32_t *order = gy_pile_refill(builder, &s->order, (size_t)count * sizeof *order);
    int32_t *begin = gy_pile_refill(builder, &s->begin, (size_t)count * sizeof *begin);
    int32_t *entry = gy_pile_refill(builder, &s->entry, (size_t)(count + 1) * sizeof *entry);
    if (!at || !order || !begin || !entry) {
        return false;
    }
    memset(at, 0xff, (size_t)count * sizeof *at);
    find_rows(s);
    order_rows(s, order, at);
    const gy_extra_row *rows = s->rows.data;
    int32_t *to = s->position.data;
    for (int i = 0; i < count; i++) {
        begin[i] = i;
        entry[i] = (int32_t)entries;
        for (int q = rows[order[i]].first; q < rows[order[i] + 1].first; q++) {
            to[q] = at[to[q]];
            begin[i] = GY_MIN(begin[i], to[q]);
        }
        double width = (double)(i - begin[i]);
        entries += width;
        work += width * width;
        if (entries > most_entries(builder) || work > 1e6 + 16.0 * cells) {
            s->order.used = 0;
            return true;
        }
    }
    entry[count] = (int32_t)entries;
    return true;
}

/// The level as the coarsest in use, if its factor is small enough. False: no memory.
static bool try_factor(gy_builder *builder, gy_level_build *s)
{
    if (!make_rows(builder, s, true) || !make_factor(builder, s)) {
        return false;
    }
    if (s->order.used == 0) {
        s->rows.used = s->links.used = s->position.used = 0;
        s->row_of_cell.used = s->row_of_extra.used = 0;
    }
    return true;
}

bool gy_lists_make(gy_builder *builder, int l)
{
    gy_level_build *s = &builder->build[l];
    bool last = l + 1 == builder->system->count;
    if (l > 0 && (s->extras > 0 || last) && s->cells <= GY_ALONE && !is_too_large(builder, s) &&
        !try_factor(builder, s)) {
        return false;
    }
    if (s->order.used > 0) {
        builder->bottom = l;
        return true;
    }
    if (s->extras > 0 && !make_rows(builder, s, false)) {
        return false;
    }
    if (last) {
        builder->bottom = l;
        return true;
    }
    const gy_level_build *c = &builder->build[l + 1];
    return (s->extras == 0 && c->extras == 0) || make_transfers(builder, l);
}
