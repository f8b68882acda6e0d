// gas/swing.c: what lies in the way of a sheet that moves. Velocities push the gas before it as a
// wall does: the cells in front are squeezed and those behind take more. When the sheet has passed
// a cell's centre the cell is behind it: what it still holds goes on to the cell in front, and what
// has gathered behind is shared with the cells that have come free. So totals stay and nothing gets
// through, however far a sheet goes between two steps: a way is cut into stops of half a cell.
//
// Which cells were passed between two stops the faces say alone: of the two cells of a face that
// the sheet crossed (an odd number of times) at one stop and not at the other, one was passed; of
// any other face both or none. From cells at rest that spreads to all at the sheet, and is as exact
// as the faces are where the sheet is closed; round the edge of an open one the two sides meet
// anyhow.
//
// All that follows from shapes alone; what cells hold changes places in lists, wherever the fields
// lie (gas/hand.c).
//
// Cost: the faces of the sheet, crossed anew at each stop, and some 100 ns for each that differs.
#include "base/maths.h"
#include "body/rigid.h"
#include "gas/moving.h"
#include "gas/sheets.h"
#include <string.h>

enum { MOST_STOPS = 512 };

/// Where a cell hands on to, if to none: it is not known, or it keeps what it has.
enum { NOWHERE = -1, STAYS = -2 };

enum { MOST_POCKET = 64 }; // cells between a sheet and solids, in 2D a quarter of it

/// The bits that a sweep keeps, one array after the other.
typedef enum bit_set { BEFORE, AFTER, OTHERS, BAND, KNOWN, PASSED, GONE, WIDE, SETS } bit_set;

typedef struct swing {
    gyre_gas *gas;
    gy_gas_sheets *all;
    gy_grid_level level;
    int index;
    gy_pose from, to; // of this part of the way
} swing;

static size_t cell_number(const gyre_gas *gas, const int at[3])
{
    const int *n = gas->extent.n;
    return ((size_t)at[2] * (size_t)(n[1] + 1) + (size_t)at[1]) * (size_t)(n[0] + 1) +
           (size_t)at[0];
}

static size_t set_words(const gyre_gas *gas)
{
    const int *n = gas->extent.n;
    return ((size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1) * 3 + 63) / 64;
}

static size_t face_number(const gyre_gas *gas, int axis, const int at[3])
{
    return 3 * cell_number(gas, at) + (size_t)axis;
}

static bool has(const swing *s, bit_set set, size_t number)
{
    const uint64_t *bits = s->all->bits + (size_t)set * set_words(s->gas);
    return bits[number >> 6] >> (number & 63) & 1u;
}

static void put(const swing *s, bit_set set, size_t number, bool on)
{
    uint64_t *word = s->all->bits + (size_t)set * set_words(s->gas) + (number >> 6);
    uint64_t bit = (uint64_t)1 << (number & 63);
    *word = on ? *word | bit : *word & ~bit;
}

static void put_faces(const swing *s, bit_set set, const gy_crossed *faces, int64_t count, bool on)
{
    for (int64_t q = 0; q < count; q++) {
        const int at[3] = {faces[q].at[0], faces[q].at[1], faces[q].at[2]};
        put(s, set, face_number(s->gas, faces[q].axis, at), on);
    }
}

/// Twice crossed is not crossed: both cells of such a face are on the same side of the sheet.
static void flip_faces(const swing *s, bit_set set, const gy_crossings *list)
{
    for (int64_t q = 0; q < list->count; q++) {
        const int at[3] = {list->faces[q].at[0], list->faces[q].at[1], list->faces[q].at[2]};
        size_t number = face_number(s->gas, list->faces[q].axis, at);
        put(s, set, number, !has(s, set, number));
    }
}

static void put_others(const swing *s, bool on)
{
    for (int i = 0; i < s->all->room; i++) {
        if (i != s->index) {
            put_faces(s, OTHERS, s->all->list[i].faces, s->all->list[i].count, on);
        }
    }
}

/// Brings a cell, or a face across its axis, back into a periodic domain; false: it is outside.
static bool wrap(const gyre_gas *gas, int axis, int *i, bool face)
{
    int n = gas->extent.n[axis];
    if (gas->periodic >> axis & 1u) {
        *i = (*i % n + n) % n;
        return true;
    }
    return *i >= 0 && *i < n + face;
}

/// The next cell along an axis and the face between; false: there is none, or solids shut it.
static bool step(const swing *s, const int c[3], int axis, int way, int next[3], int face[3])
{
    memcpy(next, c, 3 * sizeof *next);
    memcpy(face, c, 3 * sizeof *face);
    next[axis] += way;
    face[axis] += way > 0;
    return wrap(s->gas, axis, &next[axis], false) && wrap(s->gas, axis, &face[axis], true) &&
           *gy_coefficient(&s->level, axis, face[0], face[1], face[2]) > 0;
}

static gyre_result lacks(size_t bytes)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for sheets that move", bytes);
}

static gyre_result note(const swing *s, const int c[3], const int behind[3], int axis, int way)
{
    gy_gas_sheets *all = s->all;
    const int *n = s->gas->extent.n;
    if (all->freed_count == all->freed_room) {
        int64_t room = 2 * all->freed_room + 256;
        void *more = gy_sheets_more(s->gas, all->freed, &all->freed_room, room, sizeof *all->freed);
        if (!more) {
            return lacks((size_t)room * sizeof *all->freed);
        }
        all->freed = more;
    }
    all->freed[all->freed_count++] =
        (gy_freed){.cell = c[0] + n[0] * (c[1] + n[1] * c[2]),
                   .behind = behind[0] + n[0] * (behind[1] + n[1] * behind[2]),
                   .axis = (int16_t)axis,
                   .above = way > 0};
    return GYRE_OK;
}

static void number_to_cell(const gyre_gas *gas, size_t number, int c[3])
{
    const int *n = gas->extent.n;
    c[0] = (int)(number % (size_t)(n[0] + 1));
    c[1] = (int)(number / (size_t)(n[0] + 1) % (size_t)(n[1] + 1));
    c[2] = (int)(number / (size_t)(n[0] + 1) / (size_t)(n[1] + 1));
}

/// The neighbour of a cell by a way and the number of the face between; false: there is none.
static bool beside(const swing *s, const int c[3], int d, int next[3], size_t *face)
{
    int axis = d / 2, at[3] = {c[0], c[1], c[2]};
    memcpy(next, c, 3 * sizeof *next);
    next[axis] += (d & 1) ? 1 : -1;
    at[axis] += d & 1;
    bool in = wrap(s->gas, axis, &next[axis], false) && wrap(s->gas, axis, &at[axis], true);
    *face = in ? face_number(s->gas, axis, at) : 0;
    return in;
}

/// Whether the sheet was on one side of a face and is on the other, or was there and is not.
static bool differs(const swing *s, size_t face)
{
    return has(s, BEFORE, face) != has(s, AFTER, face);
}

/// Lists a cell at a face that differs.
static gyre_result list_cell(const swing *s, const int c[3])
{
    gy_gas_sheets *all = s->all;
    size_t number = cell_number(s->gas, c);
    if (has(s, BAND, number)) {
        return GYRE_OK;
    }
    if (all->band_count == all->band_room) {
        int64_t room = 2 * all->band_room + 256;
        void *more = gy_sheets_more(s->gas, all->band, &all->band_room, room, sizeof *all->band);
        if (!more) {
            return lacks((size_t)room * sizeof *all->band);
        }
        all->band = more;
    }
    put(s, BAND, number, true);
    all->band[all->band_count++] = (gy_band){.cell = (uint32_t)number, .to = NOWHERE};
    return GYRE_OK;
}

static gyre_result list_band(const swing *s)
{
    gyre_result r = GYRE_OK;
    for (int list = 0; list < 2; list++) {
        const gy_crossings *stop = &s->all->stop[list];
        for (int64_t q = 0; q < stop->count && r == GYRE_OK; q++) {
            int c[3] = {stop->faces[q].at[0], stop->faces[q].at[1], stop->faces[q].at[2]};
            int axis = stop->faces[q].axis;
            if (!differs(s, face_number(s->gas, axis, c))) {
                continue;
            }
            r = wrap(s->gas, axis, &c[axis], false) ? list_cell(s, c) : r;
            c[axis] = stop->faces[q].at[axis] - 1;
            if (r == GYRE_OK && wrap(s->gas, axis, &c[axis], false)) {
                r = list_cell(s, c);
            }
        }
    }
    return r;
}

/// A cell that has more neighbours of whom nothing has changed than faces that differ has not been
/// passed.
static bool is_at_rest(const swing *s, const int c[3])
{
    int still = 0, differ = 0;
    for (int d = 0; d < 2 * s->gas->extent.dim; d++) {
        int next[3];
        size_t face;
        if (beside(s, c, d, next, &face)) {
            differ += differs(s, face);
            still += !differs(s, face) && !has(s, BAND, cell_number(s->gas, next));
        }
    }
    return still > 0 && still >= differ;
}

/// Which cells the sheet has passed. Across a face that differs one of the two was and the other
/// was not, across any other both or none: for closed sheets that says all, without a doubt.
static void find_passed(const swing *s)
{
    gy_gas_sheets *all = s->all;
    int64_t known = 0;
    // Those that are known come first, in the order in which they were found.
    for (int64_t q = 0; q < all->band_count; q++) {
        int at[3];
        number_to_cell(s->gas, all->band[q].cell, at);
        if (is_at_rest(s, at)) {
            put(s, KNOWN, all->band[q].cell, true);
            all->queue[known++] = all->band[q].cell;
        }
    }
    for (int64_t q = 0; q < known; q++) {
        int at[3];
        number_to_cell(s->gas, all->queue[q], at);
        bool passed = has(s, PASSED, all->queue[q]);
        for (int d = 0; d < 2 * s->gas->extent.dim; d++) {
            int next[3];
            size_t face;
            if (!beside(s, at, d, next, &face)) {
                continue;
            }
            size_t number = cell_number(s->gas, next);
            if (has(s, BAND, number) && !has(s, KNOWN, number)) {
                put(s, KNOWN, number, true);
                put(s, PASSED, number, passed != differs(s, face));
                all->queue[known++] = (uint32_t)number;
            }
        }
    }
}

/// Whether gas may go from a cell to the next one but for this sheet.
static bool may_go(const swing *s, const int c[3], int d, int next[3], size_t *face)
{
    int at[3];
    return beside(s, c, d, next, face) && step(s, c, d / 2, (d & 1) ? 1 : -1, next, at) &&
           !has(s, OTHERS, *face);
}

/// The cells that hang together with one, by the sheet's faces as a set has them, as long as they
/// are no more than `most`; 0: there are more, or one is known to be of so many.
static int find_pocket(const swing *s, bit_set set, const int from[3], int most, uint32_t *cells)
{
    int count = 1;
    cells[0] = (uint32_t)cell_number(s->gas, from);
    for (int q = 0; q < count; q++) {
        int c[3];
        number_to_cell(s->gas, cells[q], c);
        for (int d = 0; d < 2 * s->gas->extent.dim; d++) {
            int next[3], r = 0;
            size_t face;
            if (!may_go(s, c, d, next, &face) || has(s, set, face)) {
                continue;
            }
            uint32_t number = (uint32_t)cell_number(s->gas, next);
            while (r < count && cells[r] != number) {
                r++;
            }
            if (r == count && (count == most || (set == AFTER && has(s, WIDE, number)))) {
                return 0;
            }
            cells[r] = number;
            count += r == count;
        }
        if (set == AFTER && has(s, WIDE, cells[q])) {
            return 0;
        }
    }
    return count;
}

/// Marks the cells of a pocket as gone that has come to be one; one that is none as that.
static gyre_result list_pocket(const swing *s, const int c[3])
{
    uint32_t cells[MOST_POCKET], before[4 * MOST_POCKET];
    int most = gy_is_3d(s->gas->extent.dim) ? MOST_POCKET : MOST_POCKET / 4;
    int count = find_pocket(s, AFTER, c, most, cells), first = 0;
    if (count == 0) {
        put(s, WIDE, cell_number(s->gas, c), true);
        return GYRE_OK;
    }
    while (first < count && has(s, PASSED, cells[first])) {
        first++;
    }
    int own[3];
    number_to_cell(s->gas, cells[first < count ? first : 0], own);
    if (first == count) {
        return GYRE_OK;
    }
    // A cell by itself is no gas.
    int once = find_pocket(s, BEFORE, own, 4 * most, before);
    if (count == 1 ? once == 1 : once > 0) {
        return GYRE_OK;
    }
    gyre_result r = GYRE_OK;
    for (int q = 0; q < count && r == GYRE_OK; q++) {
        if (!has(s, PASSED, cells[q])) {
            number_to_cell(s->gas, cells[q], own);
            r = list_cell(s, own);
            put(s, GONE, cells[q], true);
        }
    }
    return r;
}

/// Lists the cells that have to give what they hold: those that were passed, and those of pockets
/// between the sheet and solids whose last way out is shut now. (A chamber that has been closed
/// before keeps what it holds.)
static gyre_result list_gone(const swing *s)
{
    const gy_crossings *now = &s->all->stop[1];
    gyre_result r = GYRE_OK;
    memset(s->all->bits + (size_t)WIDE * set_words(s->gas), 0,
           set_words(s->gas) * sizeof *s->all->bits);
    for (int64_t q = 0; q < s->all->band_count; q++) {
        put(s, GONE, s->all->band[q].cell, has(s, PASSED, s->all->band[q].cell));
    }
    for (int64_t q = 0; q < 2 * now->count && r == GYRE_OK; q++) {
        const gy_crossed *f = &now->faces[q / 2];
        int c[3] = {f->at[0], f->at[1], f->at[2]};
        c[f->axis] -= (int)(q & 1);
        if (wrap(s->gas, f->axis, &c[f->axis], false) && !has(s, GONE, cell_number(s->gas, c)) &&
            !has(s, WIDE, cell_number(s->gas, c))) {
            r = list_pocket(s, c);
        }
    }
    return r;
}

/// Where a cell hands on to by one step: one that it hung together with and that has not gone, from
/// which the sheet parts it now; or where another that has gone does. False: not known yet.
static bool find_front(const swing *s, gy_band *b, bool parted)
{
    int c[3], next[3];
    size_t face;
    number_to_cell(s->gas, b->cell, c);
    for (int far = 0; far < 2; far++) {
        for (int d = 0; d < 2 * s->gas->extent.dim; d++) {
            if (!may_go(s, c, d, next, &face) || has(s, BEFORE, face)) {
                continue;
            }
            size_t number = cell_number(s->gas, next);
            bool gone = has(s, GONE, number);
            if (!far && !gone && (has(s, AFTER, face) || !parted)) {
                b->to = parted ? (int64_t)number : STAYS;
                return true;
            }
            for (int64_t q = 0; far && gone && q < s->all->band_count; q++) {
                if (s->all->band[q].cell == number && s->all->band[q].to != NOWHERE) {
                    b->to = s->all->band[q].to;
                    return true;
                }
            }
        }
    }
    return false;
}

/// Notes a cell as come free behind a neighbour from whom the sheet parted it.
static gyre_result come_free(const swing *s, const gy_band *b)
{
    int c[3], next[3];
    size_t face;
    number_to_cell(s->gas, b->cell, c);
    for (int d = 0; d < 2 * s->gas->extent.dim; d++) {
        if (may_go(s, c, d, next, &face) && has(s, BEFORE, face) && !has(s, AFTER, face) &&
            !has(s, PASSED, cell_number(s->gas, next))) {
            return note(s, c, next, d / 2, (d & 1) ? -1 : 1);
        }
    }
    return GYRE_OK;
}

/// The cell that a passed one is behind with now: one that was not passed, or what a passed one
/// takes from; -1: none that is known.
static int64_t find_behind(const swing *s, uint32_t cell)
{
    int c[3], next[3];
    size_t face;
    number_to_cell(s->gas, cell, c);
    for (int far = 0; far < 2; far++) {
        for (int d = 0; d < 2 * s->gas->extent.dim; d++) {
            if (!may_go(s, c, d, next, &face) || has(s, AFTER, face)) {
                continue;
            }
            size_t number = cell_number(s->gas, next);
            bool passed = has(s, PASSED, number);
            if (!far && !passed && has(s, BEFORE, face)) {
                return (int64_t)number;
            }
            for (int64_t q = 0; far && passed && q < s->all->band_count; q++) {
                if (s->all->band[q].cell == number && s->all->band[q].to >= 0) {
                    return s->all->band[q].to;
                }
            }
        }
    }
    return -1;
}

/// From here on cells hold what the lists say.
static void begin_hands(const swing *s)
{
    if (!s->all->hands) {
        gy_gas_begin_hands(s->gas, true);
        s->all->hands = true;
    }
}

static void cross_over(const swing *s)
{
    for (int64_t q = 0; q < s->all->band_count; q++) {
        const gy_band *b = &s->all->band[q];
        if (b->to >= 0) {
            int from[3], to[3];
            number_to_cell(s->gas, b->cell, from);
            number_to_cell(s->gas, (size_t)b->to, to);
            gy_gas_hand(s->gas, from, to);
        }
    }
}

/// By schemes that carry values and no amounts what lies before a sheet has gone on by itself, its
/// paths having stopped at the sheet: a cell that was passed holds what lies behind it there, and
/// nothing where the sheet was shut up against a solid. `to` is where it takes that from.
static void fall_behind(const swing *s)
{
    gy_gas_sheets *all = s->all;
    bool found = true;
    while (found) {
        found = false;
        for (int64_t q = 0; q < all->band_count; q++) {
            gy_band *b = &all->band[q];
            if (has(s, PASSED, b->cell) && b->to < 0) {
                b->to = find_behind(s, b->cell);
                found = found || b->to >= 0;
            }
        }
    }
    for (int64_t q = 0; q < all->band_count; q++) {
        const gy_band *b = &all->band[q];
        int c[3], from[3];
        if (has(s, PASSED, b->cell)) {
            number_to_cell(s->gas, b->cell, c);
            number_to_cell(s->gas, (size_t)GY_MAX(b->to, 0), from);
            if (b->to < 0) {
                gy_gas_hand(s->gas, c, c);
            } else {
                gy_gas_copy(s->gas, from, c);
            }
        }
    }
}

/// What had no way to any gas on its own side, as before a piston that has come to the end, is
/// taken away, and the budget says so: it does not go across.
static void lose(const swing *s, const gy_band *b)
{
    const gyre_gas *gas = s->gas;
    int c[3], next[3];
    bool was_gas = false;
    number_to_cell(gas, b->cell, c);
    // What a cell without a way out holds stands for its neighbours.
    for (int d = 0; d < 2 * gas->extent.dim && !was_gas; d++) {
        size_t face;
        was_gas = may_go(s, c, d, next, &face) && !has(s, BEFORE, face);
    }
    if (was_gas) {
        gy_gas_hand_out(s->gas, c);
    } else {
        gy_gas_hand(s->gas, c, c);
    }
}

/// Amounts: what was passed goes to the front, and what has gathered behind is shared later.
static gyre_result push_on(const swing *s)
{
    gy_gas_sheets *all = s->all;
    gyre_result r = list_gone(s);
    // Step by step, the nearest first; then those that go round an end.
    for (int parted = 1; parted >= 0; parted--) {
        for (bool found = true; found;) {
            found = false;
            for (int64_t q = 0; q < all->band_count; q++) {
                gy_band *b = &all->band[q];
                if (has(s, GONE, b->cell) && b->to == NOWHERE) {
                    found = find_front(s, b, parted) || found;
                }
            }
        }
    }
    cross_over(s);
    for (int64_t q = 0; q < all->band_count && r == GYRE_OK; q++) {
        gy_band *b = &all->band[q];
        if (has(s, GONE, b->cell) && b->to == NOWHERE) {
            lose(s, b);
        }
        if (has(s, PASSED, b->cell) && b->to != STAYS) {
            r = come_free(s, b);
        }
    }
    return r;
}

/// From one stop to the next.
static gyre_result go_on(const swing *s)
{
    gy_gas_sheets *all = s->all;
    flip_faces(s, BEFORE, &all->stop[0]);
    flip_faces(s, AFTER, &all->stop[1]);
    all->band_count = 0;
    gyre_result r = list_band(s);
    if (r == GYRE_OK && all->band_count > all->queue_room) {
        int64_t room = all->band_room;
        void *more = gy_sheets_more(s->gas, all->queue, &all->queue_room, room, sizeof *all->queue);
        r = more ? GYRE_OK : lacks((size_t)room * sizeof *all->queue);
        all->queue = more ? more : all->queue;
    }
    if (r == GYRE_OK) {
        find_passed(s);
        all->swept = all->swept || all->band_count > 0;
        if (all->band_count > 0) {
            begin_hands(s);
        }
        if (s->gas->def->advection == GYRE_GAS_CONSERVATIVE) {
            r = push_on(s);
        } else {
            fall_behind(s);
        }
    }
    for (int64_t q = 0; q < all->band_count; q++) {
        put(s, BAND, all->band[q].cell, false);
        put(s, KNOWN, all->band[q].cell, false);
        put(s, PASSED, all->band[q].cell, false);
        put(s, GONE, all->band[q].cell, false);
    }
    flip_faces(s, BEFORE, &all->stop[0]);
    flip_faces(s, AFTER, &all->stop[1]);
    return r;
}

static gyre_result take_bits(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    size_t bytes = SETS * set_words(gas) * sizeof *all->bits;
    if (!all->bits) {
        all->bits = gy_allocate(&gas->host, bytes, 64);
        if (!all->bits) {
            return lacks(bytes);
        }
        memset(all->bits, 0, bytes);
        all->bit_bytes = bytes;
    }
    return GYRE_OK;
}

/// Stops of half a cell and less, between two poses of a sheet of which a box is known.
static int count_stops(const gyre_gas *gas, const gy_sheet *s, const gy_pose *to,
                       const double by[3])
{
    double far = 0.0, turned = 0.0, reach = 0.0, h = (double)gas->grid.h;
    for (int a = 0; a < gas->extent.dim; a++) {
        double d = to->at[a] - s->pose.at[a];
        far += d * d;
    }
    // How far the faces in the domain are from where the sheet turns about.
    for (int64_t q = 0; q < s->count; q++) {
        double square = 0.0;
        for (int a = 0; a < gas->extent.dim; a++) {
            double x = (double)gas->grid.origin[a] + h * s->faces[q].at[a] - s->pose.at[a];
            square += x * x;
        }
        reach = GY_MAX(reach, square);
    }
    for (int a = 0; a < 3; a++) {
        turned += by[a] * by[a];
    }
    double stops = 2.0 * (__builtin_sqrt(far) + __builtin_sqrt(turned * reach)) / h + 1.0;
    return stops < MOST_STOPS ? (int)stops : MOST_STOPS;
}

static void pose_at(const gy_pose *from, const gy_pose *to, const double by[3], double part,
                    gy_pose *pose)
{
    double turn[3];
    *pose = *from;
    for (int a = 0; a < 3; a++) {
        turn[a] = part * by[a];
        pose->at[a] += part * (to->at[a] - from->at[a]);
    }
    gy_rigid_rotate(pose, turn);
}

gyre_result gy_sheet_sweep(gyre_gas *gas, int index, const gy_pose *to)
{
    gy_gas_sheets *all = gas->sheets;
    gy_sheet *sheet = &all->list[index];
    double by[3];
    gyre_result r = take_bits(gas);
    if (r != GYRE_OK) {
        return r;
    }
    swing s = {.gas = gas,
               .all = all,
               .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0)),
               .index = index,
               .to = sheet->pose};
    gy_rigid_between(&sheet->pose, to, by);
    int stops = count_stops(gas, sheet, to, by);
    all->hands = false;
    put_others(&s, true);
    r = gy_sheet_cross(gas, index, &sheet->pose, &all->stop[0]);
    for (int stop = 1; stop <= stops && r == GYRE_OK; stop++) {
        s.from = s.to;
        s.to = *to;
        if (stop < stops) {
            pose_at(&sheet->pose, to, by, (double)stop / stops, &s.to);
        }
        r = gy_sheet_cross(gas, index, &s.to, &all->stop[1]);
        r = r == GYRE_OK ? go_on(&s) : r;
        gy_crossings last = all->stop[0];
        all->stop[0] = all->stop[1];
        all->stop[1] = last;
    }
    put_others(&s, false);
    gyre_result handed = all->hands ? gy_gas_end_hands(gas) : GYRE_OK;
    return r == GYRE_OK ? handed : r;
}

static swing swing_of(gyre_gas *gas)
{
    return (swing){.gas = gas,
                   .all = gas->sheets,
                   .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0)),
                   .index = -1};
}

gyre_result gy_sheets_mark(gyre_gas *gas, bool on)
{
    if (!gas->sheets || !gas->sheets->put) {
        return GYRE_OK;
    }
    gyre_result r = take_bits(gas);
    if (r == GYRE_OK) {
        swing s = swing_of(gas);
        put_others(&s, on);
        gas->sheets->marked = on;
    }
    return r;
}

bool gy_sheets_part(gyre_gas *gas, const int c[3], int d, int next[3])
{
    size_t face;
    swing s = swing_of(gas);
    return !beside(&s, c, d, next, &face) || has(&s, OTHERS, face);
}

bool gy_sheets_know(gyre_gas *gas, const int c[3], bool on)
{
    swing s = swing_of(gas);
    size_t number = cell_number(gas, c);
    bool new = has(&s, KNOWN, number) != on;
    put(&s, KNOWN, number, on);
    return new;
}

void gy_sheets_drop_sweep(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    for (int q = 0; q < 2; q++) {
        gy_release(&gas->host, all->stop[q].faces,
                   (size_t)all->stop[q].room * sizeof *all->stop[q].faces);
    }
    gy_release(&gas->host, all->bits, all->bit_bytes);
    gy_release(&gas->host, all->band, (size_t)all->band_room * sizeof *all->band);
    gy_release(&gas->host, all->queue, (size_t)all->queue_room * sizeof *all->queue);
    gy_release(&gas->host, all->freed, (size_t)all->freed_room * sizeof *all->freed);
}
