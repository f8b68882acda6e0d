// gas/hand.c: amounts that change places where solids and sheets have moved (gas/swept.c,
// gas/swing.c). What goes where follows from shapes alone, so the host works it out for cells
// without knowing what they hold: a cell's amounts are those of a list of cells as they were. Then
// the op meet adds up each of the lists, and writes the sums, wherever the fields lie.
//
// In viscous gas the pressure of the step before is lent to cells that come free, by such a list,
// too.
//
// Cost: about 50 ns for each cell that gives or gets; 12 bytes for each and field.
#include "base/maths.h"
#include "gas/moving.h"
#include <string.h>

/// A cell that has given or got.
typedef struct hand {
    int32_t cell; // its number in the map
    uint32_t sample;
    int32_t first, last; // of what it holds now: hands, in their order; -1: nothing
    int32_t next;        // of what the one holds whose list this is in
} hand;

/// Of each cell 1 more than its hand, in what the pressure's solver has lost anyway.
static int32_t *map_of(const gyre_gas *gas)
{
    size_t bytes;
    return gy_system_lend(&gas->pressure, 0, &bytes);
}

static int32_t number_of(const gyre_gas *gas, const int at[3])
{
    const int *n = gas->extent.n;
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
}

static uint32_t sample_of(const gyre_gas *gas, const int at[3])
{
    return (uint32_t)(at[0] + at[1] * gas->extent.sy + at[2] * gas->extent.sz);
}

void gy_gas_begin_hands(gyre_gas *gas, bool whole)
{
    size_t bytes;
    gy_gas_hands *h = &gas->moving->hands;
    h->cells.used = h->lent.used = h->terms.used = 0;
    h->lost = h->lost_last = -1;
    gas->moving->meeting.lacks = false;
    if (whole) {
        gy_system_scratch(&gas->pressure, 0, &bytes); // no update has
    }
}

/// The hand of a cell, at its place in the pile; -1: no memory.
static int32_t take(gyre_gas *gas, const int at[3])
{
    gy_gas_pile *cells = &gas->moving->hands.cells;
    int32_t *number = map_of(gas) + number_of(gas, at);
    if (*number == 0) {
        hand *h = gy_gas_pile_take(gas, cells, sizeof *h);
        if (!h) {
            gas->moving->meeting.lacks = true;
            return -1;
        }
        int32_t own = (int32_t)(cells->used / sizeof *h) - 1;
        *h = (hand){number_of(gas, at), sample_of(gas, at), own, own, -1};
        *number = own + 1;
    }
    return *number - 1;
}

void gy_gas_hand(gyre_gas *gas, const int from[3], const int to[3])
{
    int32_t a = take(gas, from), b = take(gas, to);
    hand *hands = gas->moving->hands.cells.data;
    if (a < 0 || b < 0) {
        return;
    }
    if (a != b && hands[a].first >= 0) {
        if (hands[b].first < 0) {
            hands[b].first = hands[a].first;
        } else {
            hands[hands[b].last].next = hands[a].first;
        }
        hands[b].last = hands[a].last;
    }
    hands[a].first = hands[a].last = -1;
}

void gy_gas_hand_out(gyre_gas *gas, const int from[3])
{
    gy_gas_hands *h = &gas->moving->hands;
    int32_t a = take(gas, from);
    hand *hands = h->cells.data;
    if (a < 0 || hands[a].first < 0) {
        return;
    }
    if (h->lost < 0) {
        h->lost = hands[a].first;
    } else {
        hands[h->lost_last].next = hands[a].first;
    }
    h->lost_last = hands[a].last;
    hands[a].first = hands[a].last = -1;
}

void gy_gas_copy(gyre_gas *gas, const int from[3], const int to[3])
{
    int32_t a = take(gas, from), b = take(gas, to);
    hand *hands = gas->moving->hands.cells.data;
    if (a >= 0 && b >= 0) {
        hands[b].first = hands[a].first;
        hands[b].last = hands[a].last;
    }
}

bool gy_gas_holds(const gyre_gas *gas, const int cell[3])
{
    const hand *hands = gas->moving->hands.cells.data;
    int32_t number = map_of(gas)[number_of(gas, cell)];
    if (number > 0) {
        return hands[number - 1].first >= 0;
    }
    // Where the host does not see fields, what was not asked for is handed on, be it nothing.
    bool any = gy_device_has_own_memory(gas->model.device);
    for (int f = gas->velocities; f < gas->states && !any; f++) {
        any = gy_at(gas->base, gas->slot[f])[sample_of(gas, cell)] != 0.0f;
    }
    return any;
}

void gy_gas_begin_lending(gyre_gas *gas, uint32_t to)
{
    gy_gas_hands *h = &gas->moving->hands;
    gy_meet_place *p = gy_gas_pile_take(gas, &h->lent, sizeof *p);
    if (p) {
        *p = (gy_meet_place){.place = (int32_t)to};
        p->first = (uint32_t)(h->terms.used / sizeof(uint32_t));
    } else {
        gas->moving->meeting.lacks = true;
    }
}

void gy_gas_lend(gyre_gas *gas, uint32_t from)
{
    gy_gas_hands *h = &gas->moving->hands;
    uint32_t *term = gy_gas_pile_take(gas, &h->terms, sizeof *term);
    if (gas->moving->meeting.lacks || !term) {
        gas->moving->meeting.lacks = true;
        return;
    }
    gy_meet_place *places = h->lent.data;
    *term = from;
    places[h->lent.used / sizeof *places - 1].count++;
}

/// What was lent, by a list at `memory`.
static void lend(gyre_gas *gas, char *memory)
{
    const gy_gas_hands *h = &gas->moving->hands;
    gyre_device *device = gas->model.device;
    int count = (int)(h->lent.used / sizeof(gy_meet_place));
    if (count > 0) {
        memcpy(memory, h->lent.data, h->lent.used);
        if (h->terms.used > 0) {
            memcpy(memory + h->lent.used, h->terms.data, h->terms.used);
        }
        gy_device_put(device, memory, h->lent.used + h->terms.used);
        gy_meet_args a = {.base = gas->base,
                          .places = (uint64_t)(uintptr_t)memory,
                          .terms = (uint64_t)(uintptr_t)(memory + h->lent.used),
                          .field = gas->lag,
                          .work = GY_MEET_MEAN};
        gy_run(device, GY_OP_meet, &a, gy_box_make(count, 1, 1));
    }
    if (gas->moving->viscous) {
        gy_vector_wrap(&gas->pressure, gas->lag);
    }
}

/// Bytes on the device for places, values and terms of so many, and of what is lost.
static size_t hand_bytes(size_t count)
{
    return count * (sizeof(gy_meet_place) + sizeof(float) + sizeof(uint32_t)) +
           sizeof(gy_meet_place);
}

static gyre_result make_room(gyre_gas *gas, size_t bytes)
{
    gy_gas_hands *h = &gas->moving->hands;
    if (bytes > h->bytes) {
        // How many come free differs a lot from step to step.
        size_t room = 2 * bytes + 65536;
        void *memory = gy_device_allocate(gas->model.device, room);
        if (!memory) {
            return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for what solids sweep",
                             bytes);
        }
        gy_device_release(gas->model.device, h->memory, h->bytes);
        h->memory = memory;
        h->bytes = room;
    }
    return GYRE_OK;
}

gyre_result gy_gas_end_hands(gyre_gas *gas)
{
    gy_gas_hands *t = &gas->moving->hands;
    const hand *hands = t->cells.data;
    size_t count = t->cells.used / sizeof *hands;
    int32_t *map = map_of(gas);
    for (size_t q = 0; q < count; q++) {
        map[hands[q].cell] = 0;
    }
    // Those and what is lent.
    gyre_result r = make_room(gas, hand_bytes(count) + t->lent.used + t->terms.used);
    if (r != GYRE_OK || gas->moving->meeting.lacks) {
        return r != GYRE_OK
                   ? r
                   : gyre_fail(GYRE_ERROR_MEMORY, "out of memory for what solids that move sweep");
    }
    lend(gas, t->memory ? (char *)t->memory + hand_bytes(count) : NULL);
    if (count == 0) {
        return GYRE_OK;
    }
    gyre_device *device = gas->model.device;
    gy_meet_place *places = t->memory;
    gy_meet_place *lost = places + count;
    uint32_t *terms = (uint32_t *)(lost + 1), used = 0;
    float *values = (float *)(terms + count);
    *lost = (gy_meet_place){0};
    for (int32_t g = t->lost; g >= 0; g = hands[g].next) {
        terms[used++] = hands[g].sample;
        lost->count++;
    }
    for (size_t q = 0; q < count; q++) {
        places[q] = (gy_meet_place){.place = (int32_t)hands[q].sample, .first = used};
        for (int32_t g = hands[q].first; g >= 0; g = hands[g].next) {
            terms[used++] = hands[g].sample;
        }
        places[q].count = used - places[q].first;
    }
    gy_device_put(device, places, (count + 1) * sizeof *places + count * sizeof *terms);
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_meet_args a = {.base = gas->base,
                          .places = (uint64_t)(uintptr_t)places,
                          .terms = (uint64_t)(uintptr_t)terms,
                          .values = (uint64_t)(uintptr_t)values,
                          .field = gas->slot[f],
                          .extent = gy_gas_extent(gas, f),
                          .work = GY_MEET_GATHER,
                          .limit = GY_GAS_LIMIT};
        gy_run(device, GY_OP_meet, &a, gy_box_make((int)count, 1, 1));
        if (lost->count > 0 && gy_gas_counts(gas, f)) {
            gy_meet_args b = a;
            b.work = GY_MEET_LOSE;
            b.places = (uint64_t)(uintptr_t)lost;
            b.values = (uint64_t)(uintptr_t)&gy_gas_ledger(gas, f)->edited;
            gy_run(device, GY_OP_meet, &b, gy_box_make(1, 1, 1));
        }
        a.work = GY_MEET_SET;
        gy_run(device, GY_OP_meet, &a, gy_box_make((int)count, 1, 1));
    }
    return GYRE_OK;
}

gyre_result gy_gas_give(gyre_gas *gas, const gy_gas_pile *groups, const gy_gas_pile *gifts)
{
    gyre_result r = make_room(gas, groups->used + gifts->used);
    if (r != GYRE_OK || groups->used == 0) {
        return r;
    }
    char *memory = gas->moving->hands.memory;
    memcpy(memory, groups->data, groups->used);
    memcpy(memory + groups->used, gifts->data, gifts->used);
    gy_device_put(gas->model.device, memory, groups->used + gifts->used);
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_meet_args a = {.base = gas->base,
                          .places = (uint64_t)(uintptr_t)memory,
                          .terms = (uint64_t)(uintptr_t)(memory + groups->used),
                          .field = gas->slot[f],
                          .extent = gy_gas_extent(gas, f),
                          .work = GY_MEET_SHARE,
                          .limit = GY_GAS_LIMIT};
        int count = (int)(groups->used / sizeof(gy_meet_place));
        gy_run(gas->model.device, GY_OP_meet, &a, gy_box_make(count, 1, 1));
    }
    return GYRE_OK;
}

void gy_gas_drop_hands(gyre_gas *gas)
{
    gy_gas_hands *t = &gas->moving->hands;
    gy_gas_pile_drop(gas, &t->cells);
    gy_gas_pile_drop(gas, &t->lent);
    gy_gas_pile_drop(gas, &t->terms);
    gy_device_release(gas->model.device, t->memory, t->bytes);
    *t = (gy_gas_hands){0};
}
