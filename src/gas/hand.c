// gas/hand.c: amounts that change places where solids have moved (gas/swept.c). What goes where
// follows from shapes alone, so the host works it out for cells without knowing what they hold: a
// cell's amounts are those of a list of cells as they were. Then the op meet adds up each of the
// lists, and writes the sums, wherever the fields lie.
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
    gas->moving->hands.cells.used = 0;
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

/// Room on the device for places, values and terms of so many.
static gyre_result make_room(gyre_gas *gas, size_t count)
{
    gy_gas_hands *h = &gas->moving->hands;
    size_t bytes = count * (sizeof(gy_meet_place) + sizeof(float) + sizeof(uint32_t));
    if (bytes > h->bytes) {
        size_t room = bytes + bytes / 2 + 4096;
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
    if (count == 0) {
        return GYRE_OK;
    }
    gyre_result r = make_room(gas, count);
    if (r != GYRE_OK || gas->moving->meeting.lacks) {
        return r != GYRE_OK
                   ? r
                   : gyre_fail(GYRE_ERROR_MEMORY, "out of memory for what solids that move sweep");
    }
    gyre_device *device = gas->model.device;
    gy_meet_place *places = t->memory;
    uint32_t *terms = (uint32_t *)(places + count), used = 0;
    float *values = (float *)(terms + count);
    for (size_t q = 0; q < count; q++) {
        places[q] = (gy_meet_place){.place = (int32_t)hands[q].sample, .first = used};
        for (int32_t g = hands[q].first; g >= 0; g = hands[g].next) {
            terms[used++] = hands[g].sample;
        }
        places[q].count = used - places[q].first;
    }
    gy_device_put(device, places, count * (sizeof *places + sizeof *terms));
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
        a.work = GY_MEET_SET;
        gy_run(device, GY_OP_meet, &a, gy_box_make((int)count, 1, 1));
    }
    return GYRE_OK;
}

void gy_gas_drop_hands(gyre_gas *gas)
{
    gy_gas_hands *t = &gas->moving->hands;
    gy_gas_pile_drop(gas, &t->cells);
    gy_device_release(gas->model.device, t->memory, t->bytes);
    *t = (gy_gas_hands){0};
}
