// gas/solids.c: what follows from the solids and the sides: the openness of every face
// (gas/paint.c), which cells hold gas, which blocks lie near a solid, and the samples inside solids
// that must be extended from the gas.
//
// Cost when solids move: that of the faces at their surfaces before and after, and of a few passes
// over the faces by 64 at a time; see "Moved solids" in doc/gas.md.
#include "gas/moving.h"
#include "gas/patches.h"
#include "gas/sheets.h"
#include "gas/tracers.h"
#include "solve/faces.h"
#include <string.h>

enum { WORDS = 4096 / 64 + 1 }; // of a row of bits

/// A neighbour's index along an axis; false beyond a side that is not periodic.
static bool neighbour(const gyre_gas *gas, int axis, int *i)
{
    int n = gas->extent.n[axis];
    if (*i >= 0 && *i < n) {
        return true;
    }
    if (gas->periodic >> axis & 1u) {
        *i = (*i % n + n) % n;
        return true;
    }
    return false;
}

/// A row of bits and the rows round it: of a sample at each cell, whether it is of the gas.
typedef struct samples {
    const gyre_gas *gas;
    const gy_face_bits *faces;
    gyre_location location;
    bool mixed; // the gas slides along some solids alone
} samples;

static const uint64_t *gas_row(const samples *s, int j, int k)
{
    return s->location == GYRE_CENTRE
               ? gy_face_bits_fluid(s->faces, j, k)
               : gy_face_bits_open(s->faces, gy_face_axis((int)s->location), j, k);
}

/// out[w] = the bits of the row `d` / 2 axes away, below (d even) or above; 0 beyond a side.
static void neighbour_row(const samples *s, const uint64_t *own, int d, int j, int k, uint64_t *out)
{
    const gy_face_bits *f = s->faces;
    int words = f->words, n = f->n[0], step = (d & 1) ? 1 : -1;
    memset(out, 0, (size_t)words * sizeof *out);
    if (d >= 2) {
        int *at = d < 4 ? &j : &k;
        *at += step;
        if (neighbour(s->gas, d / 2, at)) {
            memcpy(out, gas_row(s, j, k), (size_t)words * sizeof *out);
        }
        return;
    }
    for (int w = 0; w < words; w++) {
        uint64_t here = own[w] & gy_row_mask(n, w);
        uint64_t low = w > 0 ? own[w - 1] >> 63 : 0;
        uint64_t high = w + 1 < words ? (own[w + 1] & gy_row_mask(n, w + 1)) << 63 : 0;
        out[w] = d == 0 ? here << 1 | low : here >> 1 | high;
    }
    if (s->gas->periodic & 1u) {
        int end = d == 0 ? 0 : n - 1, from = d == 0 ? n - 1 : 0;
        out[end >> 6] |= (uint64_t)gy_bit(own, from) << (end & 63);
    }
}

/// inside[w] = samples of the row that lie within solids, with nothing of the gas at them.
static bool inside_row(const samples *s, int j, int k, uint64_t *inside)
{
    const gy_face_bits *f = s->faces;
    const uint64_t *fluid = gy_face_bits_fluid(f, j, k), *own = gas_row(s, j, k);
    uint64_t below[WORDS], any = 0;
    for (int w = 0; w < f->words; w++) {
        inside[w] = ~fluid[w] & gy_row_mask(f->n[0], w);
        any |= inside[w];
    }
    if (s->location == GYRE_CENTRE || !any) {
        return any != 0;
    }
    int at[3] = {0, j, k}, axis = gy_face_axis((int)s->location);
    samples cells = {s->gas, f, GYRE_CENTRE, false};
    at[axis]--;
    if (axis > 0 && !neighbour(s->gas, axis, &at[axis])) {
        return false;
    }
    neighbour_row(&cells, fluid, 2 * axis, j, k, below);
    any = 0;
    for (int w = 0; w < f->words; w++) {
        bool side = w == 0 && axis == 0 && !(s->gas->periodic & 1u);
        inside[w] &= ~own[w] & ~below[w] & ~(uint64_t)side;
        any |= inside[w];
    }
    return any != 0;
}

/// Those of a word of samples that lie in solids along which the gas slides.
static uint64_t sliding(const samples *s, uint64_t word, int w, int j, int k)
{
    const gyre_grid *g = &s->gas->grid;
    uint64_t slide = 0;
    for (uint64_t left = word; left; left &= left - 1) {
        const int cell[3] = {64 * w + gy_lowest_bit(left), j, k};
        double point[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < g->dim; a++) {
            bool own = s->location == gy_faces(a);
            point[a] = (double)g->origin[a] + ((double)cell[a] + (own ? 0.0 : 0.5)) * (double)g->h;
        }
        slide |= gy_gas_slides_at(s->gas, point) ? left & (~left + 1) : 0;
    }
    return slide;
}

/// Lists the samples of a row, each with the mask of the neighbours that it is extended from; those
/// without any are left out. With items NULL only counts.
static int list_row(const samples *s, int j, int k, uint32_t *items)
{
    const gy_extent *e = &s->gas->extent;
    uint64_t inside[WORDS], round[6][WORDS];
    int count = 0, ways = 2 * e->dim;
    if (!inside_row(s, j, k, inside)) {
        return 0;
    }
    for (int d = 0; d < ways; d++) {
        neighbour_row(s, gas_row(s, j, k), d, j, k, round[d]);
    }
    for (int w = 0; w < s->faces->words; w++) {
        uint64_t touched = 0;
        for (int d = 0; d < ways; d++) {
            touched |= round[d][w];
        }
        touched &= inside[w];
        touched = s->mixed ? sliding(s, touched, w, j, k) : touched;
        if (!items) {
            count += gy_count_bits(touched);
            continue;
        }
        for (; touched; touched &= touched - 1, count++) {
            int bit = gy_lowest_bit(touched);
            uint32_t mask = 0;
            for (int d = 0; d < ways; d++) {
                mask |= (uint32_t)(round[d][w] >> bit & 1u) << d;
            }
            items[2 * count] = (uint32_t)(64 * w + bit + j * e->sy + k * e->sz);
            items[2 * count + 1] = mask;
        }
    }
    return count;
}

/// Lists the samples of one location as far as there is room; returns how many there are.
static int list_samples(const gyre_gas *gas, const gy_face_bits *faces, gyre_location location,
                        uint32_t *items, int room)
{
    samples s = {gas, faces, location, location != GYRE_CENTRE && gy_gas_is_mixed(gas)};
    int count = 0, most = gas->extent.n[0]; // of a row
    for (int k = 0; k < gas->extent.n[2]; k++) {
        for (int j = 0; j < gas->extent.n[1]; j++) {
            count += list_row(&s, j, k, count + most <= room ? items + 2 * count : NULL);
        }
    }
    return count;
}

static gyre_result make_list(gyre_gas *gas, const gy_face_bits *faces, gy_gas_list *list,
                             gyre_location location)
{
    int room = (int)(list->bytes / (2 * sizeof(uint32_t)));
    int count = list_samples(gas, faces, location, list->items, room);
    // A row is listed where it would have room if all its samples were.
    int needed = count > 0 ? count + gas->extent.n[0] : 0;
    size_t bytes = (size_t)needed * 2 * sizeof(uint32_t);
    if (bytes > list->bytes) {
        // Solids that move have about as many next time: with room to spare those fit.
        bytes += list->bytes > 0 ? bytes / 2 : 0;
        bytes += gas->moving ? bytes / 2 + 4096 : 0;
        uint32_t *items = gy_device_allocate(gas->model.device, bytes);
        if (!items) {
            return gyre_fail(GYRE_ERROR_MEMORY,
                             "out of memory: %zu bytes for the samples inside solids", bytes);
        }
        gy_device_release(gas->model.device, list->items, list->bytes);
        list->items = items;
        list->bytes = bytes;
    }
    if (needed > room) {
        list_samples(gas, faces, location, list->items, needed);
    }
    list->count = count;
    gy_device_put(gas->model.device, list->items, (size_t)list->count * 2 * sizeof(uint32_t));
    return GYRE_OK;
}

gyre_result gy_gas_list_samples(gyre_gas *gas)
{
    gy_face_bits faces;
    bool solids = gy_gas_is_blocked(gas) && gy_system_faces(&gas->pressure, &faces);
    gyre_result r = GYRE_OK;
    gas->slip = gas->def->solid_slip;
    gas->extend_scalar.count = 0;
    if (solids) {
        r = make_list(gas, &faces, &gas->extend_scalar, GYRE_CENTRE);
    }
    for (int a = 0; a < gas->extent.dim; a++) {
        gas->extend_velocity[a].count = 0;
        if (solids && (gas->slip || gy_gas_is_mixed(gas)) && r == GYRE_OK) {
            r = make_list(gas, &faces, &gas->extend_velocity[a], gy_faces(a));
        }
    }
    return r;
}

void gy_gas_drop_lists(gyre_gas *gas)
{
    gy_gas_list *lists[4] = {&gas->extend_scalar, &gas->extend_velocity[0],
                             &gas->extend_velocity[1], &gas->extend_velocity[2]};
    for (int l = 0; l < 4; l++) {
        gy_device_release(gas->model.device, lists[l]->items, lists[l]->bytes);
        *lists[l] = (gy_gas_list){0};
    }
}

/// The words of a row whose cells have a lower face inside the domain that is shut.
static uint64_t shut_bits(const gyre_gas *gas, const gy_face_bits *f, int w, int j, int k)
{
    const int at[3] = {0, j, k};
    uint64_t shut = 0;
    for (int a = 0; a < f->dim; a++) {
        bool side = at[a] == 0 && !(gas->periodic >> a & 1u);
        uint64_t on_side = !side ? 0 : a > 0 ? ~(uint64_t)0 : w == 0;
        shut |= ~gy_face_bits_open(f, a, j, k)[w] & ~on_side;
    }
    return shut & gy_row_mask(f->n[0], w);
}

static void mark_round(const gyre_gas *gas, uint8_t *near, int blocks, int block, int j, int k)
{
    for (int dz = -GY_NEAR; dz <= GY_NEAR; dz++) {
        for (int dy = -GY_NEAR; dy <= GY_NEAR; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                int x = block + dx, y = j + dy, z = k + dz;
                if ((x < 0 || x >= blocks) && (gas->periodic & 1u)) {
                    x = (x + blocks) % blocks;
                }
                if (x >= 0 && x < blocks && neighbour(gas, 1, &y) && neighbour(gas, 2, &z)) {
                    near[((size_t)z * (size_t)gas->extent.n[1] + (size_t)y) * (size_t)blocks +
                         (size_t)x] = 1;
                }
            }
        }
    }
}

/// Whether a block has cells at a side with windows, whose other faces are shut.
static bool is_by_window(const gyre_gas *gas, int block, int j, int k)
{
    const int *n = gas->extent.n, at[3] = {block, j, k};
    const int last[3] = {(n[0] - 1) / GY_BLOCK, n[1] - 1, n[2] - 1};
    bool by = false;
    for (int s = 0; s < 2 * gas->extent.dim && gas->windowed; s++) {
        by = by || ((gas->windowed >> s & 1u) && at[s / 2] == ((s & 1) ? last[s / 2] : 0));
    }
    return by;
}

/// Marks the blocks within GY_NEAR cells of a face that a solid shuts.
static void mark_near(const gyre_gas *gas, const gy_face_bits *faces)
{
    _Static_assert(GY_BLOCK == 64, "a block is a word of a row of bits");
    const int *n = gas->extent.n;
    int blocks = (n[0] + GY_BLOCK - 1) / GY_BLOCK;
    uint8_t *near = (uint8_t *)(void *)gy_at(gas->base, gas->near);
    memset(near, 0, (size_t)blocks * (size_t)n[1] * (size_t)n[2]);
    for (int k = 0; k < n[2] && faces; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int block = 0; block < blocks; block++) {
                if (shut_bits(gas, faces, block, j, k) || is_by_window(gas, block, j, k)) {
                    mark_round(gas, near, blocks, block, j, k);
                }
            }
        }
    }
}

static int64_t count_fluid(const gyre_gas *gas, const gy_face_bits *faces)
{
    const int *n = gas->extent.n;
    if (!faces) {
        return (int64_t)n[0] * n[1] * n[2];
    }
    int64_t count = 0;
    size_t words = (size_t)n[1] * (size_t)n[2] * (size_t)faces->words;
    for (size_t w = 0; w < words; w++) {
        count += gy_count_bits(faces->fluid[w]);
    }
    return count;
}

/// Of the coefficients of all faces: whether a step meets those of the one before.
static uint32_t hash_openness(const gyre_gas *gas)
{
    const gy_level *l = gy_system_level(&gas->pressure, 0);
    uint64_t hash = 0;
    for (int a = 0; a < gas->extent.dim; a++) {
        // As many as a vector has, from the first on: half the bytes.
        hash = gy_hash(gy_system_coefficients_start(&gas->pressure, l->open[a]),
                       gy_system_vector_bytes(&gas->pressure) / 2, hash);
    }
    return (uint32_t)hash & 0x3fffffffu; // as a float it is finite, see gy_gas_kept
}

void gy_gas_enter_solids(gyre_gas *gas, double sign)
{
    gy_box all = gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
    for (int f = gas->velocities; f < gas->states; f++) {
        gy_gas_enter_sum(gas, f, GY_GAS_EDITED, all, sign);
    }
}

/// With `moved` they have moved, and not been put there: what those that do cover is swept on. Else
/// what is taken away, and what stood for neighbours in cells that come free, is the caller's
/// doing. (Of a grid that has moved nothing is painted yet, and a state that is loaded brings its
/// ledgers.)
static gyre_result change_solids(gyre_gas *gas, bool moved)
{
    bool differ;
    gyre_result found = gy_gas_take_images(gas);
    found = found == GYRE_OK ? gy_gas_find_movers(gas, &differ) : found;
    found = found == GYRE_OK && moved ? gy_gas_hold_cells(gas) : found;
    if (found != GYRE_OK) {
        return found;
    }
    found = gy_gas_take_sheets(gas, moved);
    if (found != GYRE_OK) {
        return found;
    }
    bool edits = gas->painted && !(moved && gy_gas_is_stirred(gas));
    if (edits) {
        gy_gas_enter_solids(gas, -1.0);
    }
    if (gy_gas_find_windows(gas)) {
        gas->painted = false;
    }
    gy_gas_paint(gas);
    gy_gas_put_lids(gas);
    gy_gas_put_sheets(gas);
    found = gy_gas_faces_changed(gas, moved);
    if (edits) {
        gy_gas_enter_solids(gas, 1.0);
    }
    return found;
}

gyre_result gy_gas_faces_changed(gyre_gas *gas, bool moved)
{
    gy_face_bits faces;
    gas->missed_fresh = false;
    gy_system_level(&gas->pressure, 0)->whole = !gy_gas_is_blocked(gas);
    gas->pressure.apart = gas->shut > 0;
    gas->pressure.narrow = gas->windowed != 0;
    gas->pressure.loose = gy_gas_is_stirred(gas) && gas->shut == 0;
    gas->pressure.rooms = gas->rimmed || gy_gas_is_stirred(gas);
    gy_system_put(&gas->pressure);
    gyre_result r = gy_system_update(&gas->pressure);
    if (r == GYRE_OK) {
        r = gy_system_share(&gas->spread, &gas->pressure, &gas->def->diffusion);
    }
    if (r != GYRE_OK) {
        return r;
    }
    if (moved) {
        r = gy_gas_fill_new_faces(gas);
        gyre_result swept = gy_gas_sweep_up(gas);
        r = r == GYRE_OK ? swept : r;
        swept = gy_gas_share_behind(gas);
        r = r == GYRE_OK ? swept : r;
    }
    for (int k = 0; k < gas->set.count; k++) {
        gas->set.bodies[k].before = gas->set.bodies[k].pose;
    }
    const gy_face_bits *inside = gy_system_faces(&gas->pressure, &faces) ? &faces : NULL;
    gas->fluid_cells = count_fluid(gas, inside);
    if (gy_gas_is_blocked(gas)) {
        mark_near(gas, inside);
        gy_device_put(gas->model.device, gy_at(gas->base, gas->near),
                      (size_t)(gas->count - gas->near) * 64);
    }
    gy_gas_note_grains(gas);
    gyre_result listed = gy_gas_list_faces(gas);
    r = r == GYRE_OK ? listed : r;
    r = r == GYRE_OK ? gy_gas_list_samples(gas) : r;
    r = r == GYRE_OK ? gy_sheets_part_samples(gas) : r;
    r = r == GYRE_OK ? gy_gas_make_links(gas) : r;
    r = r == GYRE_OK ? gy_gas_mark_plain(gas) : r;
    uint32_t openness = hash_openness(gas);
    // Where nothing has changed no velocity has, either. (Where it costs little it is looked up
    // anew: heights of a floor may move it by less than openness tells.)
    gas->speed_fresh = gas->speed_fresh && openness == gas->openness &&
                       gy_device_has_own_memory(gas->model.device);
    gas->openness = openness;
    gyre_result filled = gy_gas_fill_rims(gas);
    r = r == GYRE_OK ? filled : r;
    r = r == GYRE_OK ? gy_gas_fill_walls(gas) : r;
    r = r == GYRE_OK ? gy_gas_list_surfaces(gas) : r;
    return r == GYRE_OK ? gy_gas_take_swelling(gas) : r;
}

gyre_result gy_gas_move_solids(gyre_gas *gas)
{
    gy_gas_keep_divergence(gas);
    gas->stats_fresh = false;
    return change_solids(gas, true);
}

static gyre_result change_emitters(gyre_gas *gas)
{
    gyre_result r = gy_gas_take_arrays(gas);
    if (r != GYRE_OK) {
        return r;
    }
    const gyre_gas_emitter *list = gas->def->emitters.items;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        gas->emitters[i] = gy_solid_make(&list[i].shape, gas->extent.dim);
    }
    gy_device_put(gas->model.device, gas->emitters,
                  (size_t)gas->def->emitters.count * sizeof *gas->emitters);
    return GYRE_OK;
}

/// The rule for all solids that have none of their own, whether there is viscosity, and how fast
/// solids may push.
static gyre_result change_surfaces(gyre_gas *gas, bool capped)
{
    bool differ = false, slips = gas->slip != gas->def->solid_slip;
    bool viscous = gas->def->viscosity > 0.0f;
    gyre_result r = slips ? gy_gas_find_movers(gas, &differ) : GYRE_OK;
    differ = differ || (gas->moving && (capped || gas->moving->viscous != viscous));
    r = r == GYRE_OK && differ ? gy_gas_list_faces(gas) : r;
    r = r == GYRE_OK ? slips ? gy_gas_list_surfaces(gas) : gy_gas_meet_surfaces(gas) : r;
    return r == GYRE_OK && slips ? gy_gas_list_samples(gas) : r;
}

/// What the other properties leave behind in the fields: halos hold the walls' velocities, and
/// velocities keep to the cap. A saved state must not know more than the fields and the def.
static gyre_result change_others(gyre_gas *gas)
{
    // The def's check knows the def's own solids alone.
    gyre_result met = gas->set.memory ? gy_gas_check_solids(gas->def) : GYRE_OK;
    if (met != GYRE_OK) {
        return met;
    }
    met = gy_gas_meet_frame(gas);
    if (met != GYRE_OK) {
        return met;
    }
    bool lower = gas->def->speed_cap < gas->cap, capped = gas->def->speed_cap != gas->cap;
    gas->cap = gas->def->speed_cap;
    gas->kept.loose = 1;
    met = gy_gas_fill_rims(gas);
    met = met == GYRE_OK ? gy_gas_fill_walls(gas) : met;
    if (met != GYRE_OK) {
        return met;
    }
    gy_gas_list_fields(gas);
    for (int a = 0; a < gas->velocities; a++) {
        if (lower) {
            gy_gas_fetch(&gas->model, a);
            gy_gas_written(&gas->model, a);
        } else {
            gy_gas_halo(gas, a, 1, false, true);
        }
    }
    gyre_result r = change_surfaces(gas, capped);
    return r == GYRE_OK ? gy_gas_take_swelling(gas) : r;
}

bool gy_gas_waits(const gyre_model *model, const char *pool)
{
    // Solvers that take no solids are refused by the def's check. Forces may want memory, and a
    // patch may want to be open where it cannot.
    (void)model;
    return strcmp(pool, "forces") != 0 && strcmp(pool, "patches") != 0;
}

void gy_gas_find_place(gyre_gas *gas)
{
    gyre_grid grid = gy_model_grid_at(&gas->model, gas->model.place.moved);
    gas->painted = gas->painted && memcmp(&grid, &gas->grid, sizeof grid) == 0;
    gas->grid = grid;
}

gyre_result gy_gas_changed(gyre_model *model, const char *pool)
{
    gyre_gas *gas = (gyre_gas *)model;
    gas->stats_fresh = gas->kept_divergence = false;
    gy_gas_find_place(gas);
    if (!pool) {
        return change_others(gas);
    }
    if (strcmp(pool, "emitters") == 0) {
        return change_emitters(gas);
    }
    if (strcmp(pool, "solids") == 0 || strcmp(pool, "sheets") == 0) {
        bool waited = false;
        for (int p = 0; p < model->pool_count; p++) {
            waited |= model->pools[p].stale && strcmp(model->pools[p].property->name, pool) == 0;
        }
        return change_solids(gas, waited);
    }
    if (strcmp(pool, "patches") == 0) {
        gas->kept.loose = 1;
        gyre_result r = gy_gas_fill_rims(gas);
        if (r == GYRE_OK && gy_gas_find_windows(gas)) {
            gas->painted = false;
            return change_solids(gas, false);
        }
        return r == GYRE_OK ? gy_gas_fill_walls(gas) : r;
    }
    return strcmp(pool, "forces") == 0 ? gy_gas_take_forces(gas) : GYRE_OK;
}
