// gas/links.c: which cells hang together with those round them, for what is read and carried near
// sheets: see gas/ops/link.h for the rules.
//
// Cost when faces change: a microsecond for each cell at a sheet, and some passes over the cells by
// 64 at a time for how far the others are from those. Memory: 10 bytes a cell, of a gas with
// sheets alone.
#include "gas/gas.h"
#include "gas/ops/link.h"
#include "solve/faces.h"
#include <string.h>

typedef struct linker {
    const gyre_gas *gas;
    const gy_face_bits *faces;
    uint32_t *link;
    uint8_t *away, *least;
    int n[3], dim, words;
    uint32_t full;
} linker;

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

static size_t cells_of(const int n[3])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

/// Words of as many bits as cells, a row in words of its own: a block of cells is a word.
static size_t words_of(const linker *l)
{
    _Static_assert(GY_BLOCK == 64, "a block is a word of a row of bits");
    return (size_t)l->words * (size_t)l->n[1] * (size_t)l->n[2];
}

static bool is_periodic(const linker *l, int axis)
{
    return l->gas->periodic >> axis & 1u;
}

/// Whether the face between a cell and the next one on its way along an axis lets something
/// through. The next one is in the domain.
static bool passes(const linker *l, const int c[3], int axis, int way)
{
    int at[3] = {c[0], c[1], c[2]};
    at[axis] += way > 0;
    if (at[axis] >= l->n[axis]) {
        at[axis] = 0;
    }
    return gy_bit(gy_face_bits_open(l->faces, axis, at[1], at[2]), at[0]);
}

static bool reaches(const linker *l, const int c[3], const int d[3])
{
    if (!d[0] && !d[1] && !d[2]) {
        return true;
    }
    for (int a = 0; a < l->dim; a++) {
        if (d[a] != 0 && passes(l, c, a, d[a])) {
            int next[3] = {c[0], c[1], c[2]}, rest[3] = {d[0], d[1], d[2]};
            next[a] += d[a];
            next[a] += next[a] < 0 ? l->n[a] : next[a] >= l->n[a] ? -l->n[a] : 0;
            rest[a] = 0;
            if (reaches(l, next, rest)) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t link_of(const linker *l, const int c[3])
{
    uint32_t link = 0;
    int z = gy_is_3d(l->dim);
    for (int bit = 0; bit < 27; bit++) {
        int d[3] = {bit % 3 - 1, bit / 3 % 3 - 1, bit / 9 - 1};
        if (!z && d[2] != 0) {
            continue;
        }
        // What halos hold beyond a side is made of the cell before it.
        for (int a = 0; a < l->dim; a++) {
            int to = c[a] + d[a];
            d[a] = (to < 0 || to >= l->n[a]) && !is_periodic(l, a) ? 0 : d[a];
        }
        link |= (uint32_t)reaches(l, c, d) << bit;
    }
    return link;
}

static bool holds_gas(const linker *l, const int c[3])
{
    return gy_bit(gy_face_bits_fluid(l->faces, c[1], c[2]), c[0]);
}

/// The cell by a way of -1, 0 or 1 along each axis; false: it is not in the domain.
static bool go(const linker *l, const int c[3], int bit, int to[3])
{
    const int d[3] = {bit % 3 - 1, bit / 3 % 3 - 1, bit / 9 - 1};
    bool in = true;
    for (int a = 0; a < 3; a++) {
        to[a] = c[a] + d[a];
        if (to[a] < 0 || to[a] >= l->n[a]) {
            in = in && a < l->dim && is_periodic(l, a);
            to[a] = to[a] < 0 ? l->n[a] - 1 : 0;
        }
    }
    return in;
}

static size_t number_of(const linker *l, const int c[3])
{
    return ((size_t)c[2] * (size_t)l->n[1] + (size_t)c[1]) * (size_t)l->n[0] + (size_t)c[0];
}

/// Makes the links of the cells round one.
static void link_round(const linker *l, const int c[3])
{
    for (int bit = 0; bit < 27; bit++) {
        int at[3];
        if (go(l, c, bit, at)) {
            uint32_t *link = l->link + number_of(l, at);
            *link = *link ? *link : link_of(l, at);
        }
    }
}

/// What stands in a cell of a solid is made of the gas round it. At a sheet that may be of both
/// sides, so nothing round it reads it: cells of solids beside those that have links have links
/// round them, too.
static void link_solids(const linker *l)
{
    memset(l->away, 0, cells_of(l->n));
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < l->n[2]; k++) {
            for (int j = 0; j < l->n[1]; j++) {
                for (int i = 0; i < l->n[0]; i++) {
                    const int c[3] = {i, j, k};
                    uint8_t *beside = &l->away[number_of(l, c)];
                    if (round == 1 && *beside) {
                        link_round(l, c);
                    }
                    for (int bit = 0; bit < 27 && round == 0 && !*beside && !holds_gas(l, c);
                         bit++) {
                        int to[3];
                        *beside = go(l, c, bit, to) && l->link[number_of(l, to)] != 0;
                    }
                }
            }
        }
    }
}

/// Links near faces that are shut between two cells with gas.
static void make_links(const linker *l)
{
    size_t cells = cells_of(l->n);
    memset(l->link, 0, cells * sizeof *l->link);
    for (int k = 0; k < l->n[2]; k++) {
        for (int j = 0; j < l->n[1]; j++) {
            for (int w = 0; w < l->words; w++) {
                uint64_t shut = 0;
                for (int a = 0; a < l->dim; a++) {
                    shut |= ~gy_face_bits_open(l->faces, a, j, k)[w];
                }
                shut &= gy_face_bits_fluid(l->faces, j, k)[w] & gy_row_mask(l->n[0], w);
                for (; shut; shut &= shut - 1) {
                    const int c[3] = {64 * w + gy_lowest_bit(shut), j, k};
                    for (int a = 0; a < l->dim; a++) {
                        int below[3] = {c[0], c[1], c[2]};
                        if ((c[a] == 0 && !is_periodic(l, a)) || passes(l, c, a, 0)) {
                            continue;
                        }
                        below[a] = c[a] > 0 ? c[a] - 1 : l->n[a] - 1;
                        if (holds_gas(l, below)) {
                            link_round(l, c);
                            link_round(l, below);
                        }
                    }
                }
            }
        }
    }
    link_solids(l);
    for (size_t c = 0; c < cells; c++) {
        l->link[c] = l->link[c] ? l->link[c] : l->full;
    }
}

/// out = the bits of a plane of rows, and those beside them along an axis.
static void widen(const linker *l, int axis, const uint64_t *in, uint64_t *out)
{
    int words = l->words, n = l->n[axis], last = l->n[0] - 1;
    bool wraps = is_periodic(l, axis);
    for (int k = 0; k < l->n[2]; k++) {
        for (int j = 0; j < l->n[1]; j++) {
            size_t row = ((size_t)k * (size_t)l->n[1] + (size_t)j) * (size_t)words;
            const uint64_t *own = in + row;
            uint64_t *to = out + row;
            if (axis == 0) {
                for (int w = 0; w < words; w++) {
                    uint64_t low = w > 0 ? own[w - 1] >> 63 : 0;
                    uint64_t high = w + 1 < words ? own[w + 1] << 63 : 0;
                    to[w] =
                        (own[w] | own[w] << 1 | own[w] >> 1 | low | high) & gy_row_mask(l->n[0], w);
                }
                if (wraps) {
                    to[0] |= (uint64_t)gy_bit(own, last);
                    to[last >> 6] |= (uint64_t)gy_bit(own, 0) << (last & 63);
                }
                continue;
            }
            int at = axis == 1 ? j : k;
            size_t step = (size_t)words * (axis == 1 ? 1 : (size_t)l->n[1]);
            memcpy(to, own, (size_t)words * sizeof *to);
            for (int way = -1; way <= 1; way += 2) {
                int other = at + way;
                if (other < 0 || other >= n) {
                    if (!wraps) {
                        continue;
                    }
                    other = other < 0 ? n - 1 : 0;
                }
                const uint64_t *beside = in + row - (size_t)at * step + (size_t)other * step;
                for (int w = 0; w < words; w++) {
                    to[w] |= beside[w];
                }
            }
        }
    }
}

/// How far each cell is from the nearest one that does not hang together with all round it.
static void measure_ways(const linker *l, uint64_t *bits, uint64_t *spare)
{
    size_t words = words_of(l);
    memset(l->away, GY_FAR_AWAY, cells_of(l->n));
    memset(l->least, GY_FAR_AWAY, words);
    memset(bits, 0, words * sizeof *bits);
    for (size_t row = 0; row < (size_t)l->n[1] * (size_t)l->n[2]; row++) {
        for (int i = 0; i < l->n[0]; i++) {
            size_t c = row * (size_t)l->n[0] + (size_t)i;
            if (l->link[c] != l->full) {
                bits[row * (size_t)l->words + (size_t)(i >> 6)] |= (uint64_t)1 << (i & 63);
                l->away[c] = 0;
                l->least[row * (size_t)l->words + (size_t)(i >> 6)] = 0;
            }
        }
    }
    for (int way = 1; way < GY_FAR_AWAY; way++) {
        uint64_t *from = bits, *to = spare, *before = spare + words;
        memcpy(before, bits, words * sizeof *bits);
        for (int a = 0; a < l->dim; a++) {
            widen(l, a, from, to);
            uint64_t *swap = from;
            from = to;
            to = swap;
        }
        if (from != bits) {
            memcpy(bits, from, words * sizeof *bits);
        }
        for (size_t w = 0; w < words; w++) {
            uint64_t new = bits[w] & ~before[w];
            size_t first = w / (size_t)l->words * (size_t)l->n[0] + w % (size_t)l->words * 64;
            if (new && l->least[w] == GY_FAR_AWAY) {
                l->least[w] = (uint8_t)way;
            }
            for (; new; new &= new - 1) {
                l->away[first + (size_t)gy_lowest_bit(new)] = (uint8_t)way;
            }
        }
    }
}

// ---- what hangs together ------------------------------------------------------------------------

static int32_t root_of(int32_t *part, int32_t c)
{
    while (part[c] != c) {
        part[c] = part[part[c]];
        c = part[c];
    }
    return c;
}

/// Numbers the parts; returns how many there are.
static int find_parts(const linker *l, int32_t *part)
{
    int32_t cells = (int32_t)cells_of(l->n), count = 0;
    const int32_t step[3] = {1, l->n[0], l->n[0] * l->n[1]};
    for (int32_t c = 0; c < cells; c++) {
        const int at[3] = {c % l->n[0], c / l->n[0] % l->n[1], c / step[2]};
        part[c] = c;
        for (int a = 0; a < l->dim; a++) {
            if (at[a] > 0 && passes(l, at, a, 0)) {
                int32_t own = root_of(part, c), other = root_of(part, c - step[a]);
                part[GY_MAX(own, other)] = GY_MIN(own, other);
            }
        }
    }
    for (int32_t c = 0; c < cells; c++) {
        const int at[3] = {c % l->n[0], c / l->n[0] % l->n[1], c / step[2]};
        for (int a = 0; a < l->dim; a++) {
            if (at[a] == 0 && is_periodic(l, a) && passes(l, at, a, 0)) {
                int32_t own = root_of(part, c), other = root_of(part, c + (l->n[a] - 1) * step[a]);
                part[GY_MAX(own, other)] = GY_MIN(own, other);
            }
        }
    }
    // Roots come first.
    for (int32_t c = 0; c < cells; c++) {
        const int at[3] = {c % l->n[0], c / l->n[0] % l->n[1], c / step[2]};
        part[c] = part[c] == c ? (holds_gas(l, at) ? -2 - count++ : -1) : part[c];
    }
    for (int32_t c = 0; c < cells; c++) {
        int32_t root = c;
        while (part[root] >= 0) {
            root = part[root];
        }
        if (root != c) {
            part[c] = root;
        }
    }
    for (int32_t c = cells - 1; c >= 0; c--) {
        part[c] = part[c] >= 0 ? part[part[c]] : part[c];
    }
    for (int32_t c = 0; c < cells; c++) {
        part[c] = part[c] == -1 ? -1 : -2 - part[c];
    }
    return count;
}

/// Whether coarse levels of a system may know no sheets.
static bool is_leaky(const gyre_gas *gas, const gy_system *s)
{
    return gas->links.view.link && gas->links.parts > 1 &&
           (s->pin || s->chosen == GYRE_SOLVER_MULTIGRID ||
            (s->chosen == GYRE_SOLVER_PCG && s->extras == 0));
}

static void run_hush(gyre_gas *gas, gy_op op, const gy_system *system)
{
    const int *n = gas->extent.n;
    gy_hush_args a = {.base = system->base,
                      .part = (uint64_t)(uintptr_t)gas->links.part,
                      .loud = (uint64_t)(uintptr_t)gas->links.loud,
                      .level = gy_system_offset(system, 0),
                      .low = system->low};
    gy_run(gas->model.device, op, &a, gy_box_make(n[0], n[1], n[2]));
}

void gy_gas_hear(gyre_gas *gas, const gy_system *system)
{
    if (is_leaky(gas, system)) {
        gy_device_clear(gas->model.device, gas->links.loud, round64((size_t)gas->links.parts));
        run_hush(gas, GY_OP_hear, system);
    }
}

void gy_gas_hush(gyre_gas *gas, const gy_system *system)
{
    if (is_leaky(gas, system)) {
        run_hush(gas, GY_OP_hush, system);
    }
}

// ---- sheets that the gas sticks to --------------------------------------------------------------

/// Lists the faces of a component beside sheets, in `items` where it is not NULL.
static int list_walls(const linker *l, int axis, uint32_t *items)
{
    int count = 0;
    const gy_extent *e = &l->gas->extent;
    size_t c = 0;
    for (int k = 0; k < l->n[2]; k++) {
        for (int j = 0; j < l->n[1]; j++) {
            for (int i = 0; i < l->n[0]; i++, c++) {
                const int at[3] = {i, j, k};
                int below[3] = {i, j, k}, walls = 0;
                // Beside a sheet cells are not linked to all round them.
                if (l->link[c] == l->full || (at[axis] == 0 && !is_periodic(l, axis)) ||
                    !passes(l, at, axis, 0)) {
                    continue;
                }
                below[axis] = at[axis] > 0 ? at[axis] - 1 : l->n[axis] - 1;
                for (int d = 0; d < 2 * l->dim; d++) {
                    int a = d / 2, to = at[a] + ((d & 1) ? 1 : -1), next[3] = {i, j, k};
                    if (a == axis || ((to < 0 || to >= l->n[a]) && !is_periodic(l, a)) ||
                        passes(l, at, a, d & 1) || passes(l, below, a, d & 1)) {
                        continue;
                    }
                    // Where the face there is shut, too, it is an unknown that is held at 0.
                    next[a] = to < 0 ? l->n[a] - 1 : to >= l->n[a] ? 0 : to;
                    walls += passes(l, next, axis, 0);
                }
                if (walls > 0 && items) {
                    items[2 * count] = (uint32_t)(i + j * e->sy + k * e->sz);
                    items[2 * count + 1] = (uint32_t)walls;
                }
                count += walls > 0;
            }
        }
    }
    return count;
}

static gyre_result make_walls(gyre_gas *gas, const linker *l)
{
    gy_gas_links *links = &gas->links;
    size_t bytes = 0;
    for (int a = 0; a < l->dim; a++) {
        links->wall_count[a] = list_walls(l, a, NULL);
        bytes += (size_t)links->wall_count[a] * 2 * sizeof(uint32_t);
    }
    if (bytes > links->wall_bytes) {
        uint32_t *items = gy_device_allocate(gas->model.device, bytes);
        if (!items) {
            return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for faces at sheets",
                             bytes);
        }
        if (links->walls[0]) {
            gy_device_release(gas->model.device, links->walls[0], links->wall_bytes);
        }
        links->walls[0] = items;
        links->wall_bytes = bytes;
    }
    for (int a = 0; a < l->dim && bytes > 0; a++) {
        links->walls[a] =
            a > 0 ? links->walls[a - 1] + 2 * links->wall_count[a - 1] : links->walls[0];
        list_walls(l, a, links->walls[a]);
    }
    if (bytes > 0) {
        gy_device_put(gas->model.device, links->walls[0], bytes);
    }
    return GYRE_OK;
}

void gy_gas_hold_at_sheets(gyre_gas *gas, int axis, float k, bool arriving)
{
    const gy_gas_links *l = &gas->links;
    if (!l->view.link || gas->def->solid_slip || l->wall_count[axis] == 0) {
        return;
    }
    gy_cling_args a = {
        .base = gas->base, .items = (uint64_t)(uintptr_t)l->walls[axis], .field = gas->slot[axis]};
    for (int walls = 1; walls <= (int)GY_COUNT(a.factor); walls++) {
        // A wall half a cell away: -2 k of itself a step, half before and half after where that is
        // little, else all after.
        float z = 2.0f * k * (float)walls;
        bool halves = z <= 1.0f;
        a.factor[walls - 1] =
            arriving ? 1.0f / (1.0f + (halves ? 0.5f * z : z)) : (halves ? 1.0f - 0.5f * z : 1.0f);
    }
    gy_run(gas->model.device, GY_OP_cling, &a, gy_box_make(l->wall_count[axis], 1, 1));
    gy_gas_halo(gas, axis, 1, false, true);
}

void gy_gas_drop_links(gyre_gas *gas)
{
    if (gas->links.walls[0]) {
        gy_device_release(gas->model.device, gas->links.walls[0], gas->links.wall_bytes);
    }
    if (gas->links.memory) {
        gy_device_release(gas->model.device, gas->links.memory, gas->links.bytes);
    }
    memset(&gas->links, 0, sizeof gas->links);
}

gyre_result gy_gas_make_links(gyre_gas *gas)
{
    gy_face_bits faces;
    gy_gas_links *links = &gas->links;
    links->view.link = 0;
    if (gas->shut == 0 || !gy_system_faces(&gas->pressure, &faces)) {
        return GYRE_OK;
    }
    linker l = {.gas = gas, .faces = &faces, .dim = gas->extent.dim};
    memcpy(l.n, gas->extent.n, sizeof l.n);
    l.words = (l.n[0] + 63) / 64;
    l.full = gy_is_3d(l.dim) ? (1u << 27) - 1 : 0x1ffu << 9;
    size_t cells = cells_of(l.n), words = words_of(&l), round = round64(cells);
    size_t bytes = round * 10 + words;
    if (!links->memory) {
        links->memory = gy_device_allocate(gas->model.device, bytes);
        links->bytes = bytes;
    }
    size_t bits = 3 * words * sizeof(uint64_t);
    uint64_t *room = links->memory ? gy_allocate(&gas->host, bits, 64) : NULL;
    if (!room) {
        return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for cells at sheets",
                         bytes + bits);
    }
    l.link = links->memory;
    links->part = (int32_t *)(void *)((char *)links->memory + round * 4);
    l.away = (uint8_t *)links->memory + round * 8;
    links->loud = l.away + round;
    l.least = links->loud + round;
    make_links(&l);
    measure_ways(&l, room, room + words);
    gy_release(&gas->host, room, bits);
    links->parts = find_parts(&l, links->part);
    gyre_device *device = gas->model.device;
    links->view = (gy_links){.link = gy_device_address(device, l.link),
                             .away = gy_device_address(device, l.away),
                             .least = gy_device_address(device, l.least),
                             .slip = gas->def->solid_slip};
    gy_device_put(device, links->memory, bytes);
    gy_device_put(device, &links->view, sizeof links->view);
    return make_walls(gas, &l);
}

uint64_t gy_gas_net(gyre_gas *gas)
{
    gy_links *view = &gas->links.view;
    if (view->link && view->slip != (uint32_t)gas->def->solid_slip) {
        view->slip = gas->def->solid_slip;
        gy_device_put(gas->model.device, view, sizeof *view);
    }
    return view->link ? (uint64_t)(uintptr_t)view : 0;
}
