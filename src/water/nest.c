// water/nest.c: a fine water in a coarse one with cells twice as large: what goes together, where
// the one stands in the other, what is kept of their join, and what both know together. How they
// are stepped stands in nest_step.c.
//
// Memory: 32 bytes for each fine cell along a side and row of ghosts, three times, and 60 for each
// coarse face of the join.
#include "water/nest.h"
#include "base/maths.h"
#include "water/sea.h"
#include <string.h>

static const char *const side_names[] = {"x_low", "x_high", "y_low", "y_high"};

// ---- what others ask

bool gy_nest_joins(const gyre_water *w, int rule)
{
    return w->nest && rule < GY_WATER_SIDES;
}

const gy_water_join *gy_nest_joins_of(const gyre_water *w)
{
    return w->nested ? &w->nested->join : NULL;
}

gy_water_ghost gy_nest_ghost(const gyre_water *w, int side)
{
    const gy_nest *n = w->nest;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    return (gy_water_ghost){wave ? NULL : n->at_present + n->first_ghost[side],
                            w->tiles.n[1 - side / 2], GY_WATER_HALO};
}

const gyre_water *gy_nest_finest(const gyre_water *w, const float at[2])
{
    for (const gy_nest *n = w->nested; n; n = n->next) {
        const gyre_grid *g = &n->fine->grid;
        // Half a cell inside, so that what is asked for lies between its own cells.
        float x = (at[0] - g->origin[0]) / g->h - 0.5f, y = (at[1] - g->origin[1]) / g->h - 0.5f;
        if (x >= 0.0f && y >= 0.0f && x <= (float)(g->n[0] - 1) && y <= (float)(g->n[1] - 1)) {
            return gy_nest_finest(n->fine, at);
        }
    }
    return w;
}

// ---- where it stands

static gyre_result find_corner(const gy_nest *n, int low[2])
{
    const gyre_grid *f = &n->fine->grid, *c = &n->coarse->grid;
    const char axes[] = "xy";
    for (int a = 0; a < 2; a++) {
        double off = ((double)f->origin[a] - (double)c->origin[a]) / (double)c->h;
        double whole = (double)(int64_t)(off + (off < 0.0 ? -0.5 : 0.5)), error = off - whole;
        if (error > 0.01 || error < -0.01) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "nest: the fine water begins %g cells of the coarse one from that "
                             "one's side along %c, expected a whole number",
                             off, axes[a]);
        }
        int covers = f->n[a] / 2, least = GY_NEST_MARGIN, most = c->n[a] - GY_NEST_MARGIN;
        if (whole < least || whole + covers > most) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "nest: the fine water covers cells %.0f to %.0f of the coarse one "
                             "along %c, expected within %d to %d: %d cells from its sides",
                             whole, whole + covers - 1.0, axes[a], least, most - 1, least);
        }
        low[a] = (int)whole;
    }
    return GYRE_OK;
}

/// Two of them in one water must leave room between them.
static gyre_result check_apart(const gy_nest *n, const int low[2])
{
    for (const gy_nest *o = n->coarse->nested; o; o = o->next) {
        bool apart = o == n;
        for (int a = 0; a < 2 && !apart; a++) {
            int high = low[a] + n->fine->grid.n[a] / 2;
            apart = high + GY_NEST_MARGIN <= o->low[a] || o->high[a] + GY_NEST_MARGIN <= low[a];
        }
        if (!apart) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "nest: another water is nested there, expected %d cells between them",
                             (int)GY_NEST_MARGIN);
        }
    }
    return GYRE_OK;
}

/// The cell of the coarse water inside the join, of face `m` of a side.
static void cell_of(const gy_nest *n, int side, int m, int at[2])
{
    int axis = side / 2;
    at[axis] = side % 2 ? n->high[axis] - 1 : n->low[axis];
    at[1 - axis] = n->low[1 - axis] + m;
}

/// The list of its faces, sorted by the coarse water's tiles.
static void list_faces(gy_nest *n)
{
    const gy_tiles *t = &n->coarse->tiles;
    int32_t *first = n->join.first_face;
    int tiles = t->tn[0] * t->tn[1], at[2];
    memset(first, 0, (size_t)(tiles + 1) * sizeof *first);
    for (int pass = 0; pass < 2; pass++) {
        for (int side = 0; side < GY_WATER_SIDES; side++) {
            int axis = side / 2, length = n->high[1 - axis] - n->low[1 - axis];
            for (int m = 0; m < length; m++) {
                cell_of(n, side, m, at);
                int tile = (at[0] >> GY_TILE_SHIFT) + t->tn[0] * (at[1] >> GY_TILE_SHIFT);
                if (pass == 0) {
                    first[tile + 1]++;
                    continue;
                }
                n->join.faces[first[tile]++] = (gy_water_face){tile,
                                                               (int16_t)(at[0] & GY_TILE_MASK),
                                                               (int16_t)(at[1] & GY_TILE_MASK),
                                                               (int16_t)(n->first[side] + m),
                                                               (int16_t)side,
                                                               0.0f};
            }
        }
        for (int tile = 0; tile < tiles && pass == 0; tile++) {
            first[tile + 1] += first[tile];
        }
    }
    // Each has run on to where the next begins.
    memmove(first + 1, first, (size_t)tiles * sizeof *first);
    first[0] = 0;
}

gyre_result gy_nest_find_place(gy_nest *n)
{
    int low[2];
    gyre_result r = find_corner(n, low);
    r = r == GYRE_OK ? check_apart(n, low) : r;
    if (r != GYRE_OK || memcmp(low, n->low, sizeof low) == 0) {
        return r;
    }
    for (int a = 0; a < 2; a++) {
        n->low[a] = low[a];
        n->high[a] = low[a] + n->fine->grid.n[a] / 2;
    }
    list_faces(n);
    return GYRE_OK;
}

static bool under_way(const gy_nest *n)
{
    return n->span > 0.0;
}

gyre_result gy_nest_check_shift(const gyre_water *w, const int cells[3])
{
    bool waits = w->nest && under_way(w->nest);
    for (const gy_nest *n = w->nested; n; n = n->next) {
        waits = waits || under_way(n);
    }
    if (waits) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "shift: the water and the one that it is nested in, or that is nested in "
                         "it, stand at different times: step them on until both are at one");
    }
    if (w->nest && (cells[0] % 2 != 0 || cells[1] % 2 != 0)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "shift: by %d and %d cells; water that is nested moves by even numbers",
                         cells[0], cells[1]);
    }
    return GYRE_OK;
}

gyre_result gy_nest_moved(gyre_water *w)
{
    gyre_result r = w->nest ? gy_nest_find_place(w->nest) : GYRE_OK;
    for (gy_nest *n = w->nested; n && r == GYRE_OK; n = n->next) {
        r = gy_nest_find_place(n);
    }
    return r;
}

// ---- what goes together

static gyre_result differ(const char *call, const char *what, double fine, double coarse)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "%s: %s is %g in the fine water and %g in the coarse one, expected the same",
                     call, what, fine, coarse);
}

/// What neither may have, or not in that place, and why.
static gyre_result check_one(const char *call, const gyre_water *w, bool is_coarse)
{
    const gyre_water_def *def = w->def;
    const char *which = is_coarse ? "coarse" : "fine", *what = NULL;
    bool whole = def->sea.carries == GYRE_WATER_WHOLE;
    what = def->tiles > 0 ? "tiles" : what;
    what = def->sleep_height > 0.0f ? "sleep_height" : what;
    what = def->mode == GYRE_WATER_DISPERSIVE
               ? "mode dispersive (its waves are answered by transforms over a whole grid, which "
                 "know of no ghosts beyond it)"
               : what;
    what = def->nonhydrostatic ? "nonhydrostatic" : what;
    what = whole ? "sea.carries whole, which mode dispersive alone can" : what;
    what =
        is_coarse && w->breaking
            ? "breaking, spray or foam (they belong into the finest water: what a coarse one has "
              "below a fine one counts nowhere)"
            : what;
    what = w->device.is ? "a device with memory of its own" : what;
    what =
        is_coarse && gy_water_has_bodies(w) ? "bodies (they belong into the finest water)" : what;
    return what ? gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: the %s water has %s, and cannot be nested",
                            call, which, what)
                : GYRE_OK;
}

/// Windows of a sea carry what differs from it: of both from the same, as far as it counts.
static gyre_result check_seas(const char *call, const gyre_water *fine, const gyre_water *coarse)
{
    static const char *const carries[] = {"alone", "difference", "whole"};
    const gyre_water_def *f = fine->def, *c = coarse->def;
    if (f->sea.carries != c->sea.carries) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: sea.carries is %s in the fine water and %s in the coarse one, "
                         "expected the same: each has what differs from the sea",
                         call, carries[f->sea.carries], carries[c->sea.carries]);
    }
    if (f->sea.carries && f->sea.shore != c->sea.shore) {
        return differ(call, "sea.shore", (double)f->sea.shore, (double)c->sea.shore);
    }
    const gyre_water_outside *a = fine->sea ? &fine->sea->outside : NULL;
    const gyre_water_outside *b = coarse->sea ? &coarse->sea->outside : NULL;
    if (a && a->ask && b->ask && (a->ask != b->ask || a->user != b->user)) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "%s: the fine water is joined to another sea than the coarse one, expected "
            "the same",
            call);
    }
    return GYRE_OK;
}

gyre_result gy_nest_check(const char *call, const gyre_water *fine, const gyre_water *coarse)
{
    const gyre_water_def *f = fine->def, *c = coarse->def;
    static const char *const modes[] = {"wave", "shallow", "dispersive"};
    if (f->mode != c->mode) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: the fine water's mode is %s, the coarse one's %s, expected the same",
                         call, modes[f->mode], modes[c->mode]);
    }
    gyre_result r = check_one(call, fine, false);
    r = r == GYRE_OK ? check_one(call, coarse, true) : r;
    r = r == GYRE_OK ? check_seas(call, fine, coarse) : r;
    bool wave = f->mode == GYRE_WATER_WAVE;
    const struct {
        const char *what;
        float fine, coarse;
    } same[] = {{"gravity", f->gravity, c->gravity},
                {"level", gy_water_level_at(fine), gy_water_level_at(coarse)},
                {"wave_speed", wave ? f->wave_speed : 0.0f, wave ? c->wave_speed : 0.0f},
                {"dry_depth", f->dry_depth, c->dry_depth},
                {"exact", (float)f->exact, (float)c->exact},
                {"coriolis", f->coriolis, c->coriolis},
                {"coriolis_beta", f->coriolis_beta, c->coriolis_beta},
                {"acceleration.0", f->acceleration[0], c->acceleration[0]},
                {"acceleration.1", f->acceleration[1], c->acceleration[1]}};
    for (int k = 0; k < GY_COUNT(same) && r == GYRE_OK; k++) {
        if (same[k].fine != same[k].coarse) {
            r = differ(call, same[k].what, (double)same[k].fine, (double)same[k].coarse);
        }
    }
    return r;
}

static gyre_result check_grids(const gyre_water *fine, const gyre_water *coarse)
{
    const gyre_grid *f = &fine->grid, *c = &coarse->grid;
    const gyre_water_side *sides = &fine->def->sides.x_low;
    if (2.0f * f->h != c->h) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "nest: cells of %g m in the fine water and %g m in the coarse one, "
                         "expected exactly twice as large",
                         (double)f->h, (double)c->h);
    }
    for (int a = 0; a < 2; a++) {
        if (f->n[a] % 2 != 0 || f->n[a] < GY_NEST_LEAST) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "nest: the fine water has %d cells along %c, expected an even number "
                             "of at least %d",
                             f->n[a], "xy"[a], (int)GY_NEST_LEAST);
        }
    }
    for (int s = 0; s < GY_WATER_SIDES; s++) {
        if (sides[s].rule != GYRE_WATER_WALL) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "nest: the fine water's sides.%s has a rule of its own, expected "
                             "\"wall\": it is joined to the coarse water",
                             side_names[s]);
        }
    }
    return GYRE_OK;
}

static gyre_result check_pair(const gyre_water *fine, const gyre_water *coarse)
{
    for (const gyre_water *w = coarse; w; w = w->nest ? w->nest->coarse : NULL) {
        if (w == fine) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "nest: a water cannot be nested in itself");
        }
    }
    if (fine->nest) {
        return gyre_fail(GYRE_ERROR_STATE, "nest: the fine water is nested in one already");
    }
    if (fine->model.device != coarse->model.device) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "nest: the waters are on two devices");
    }
    if (fine->model.time != coarse->model.time) {
        return differ("nest", "time", fine->model.time, coarse->model.time);
    }
    gyre_result r = gy_nest_check("nest", fine, coarse);
    return r == GYRE_OK ? check_grids(fine, coarse) : r;
}

// ---- a pair's life

static void *part(char *base, size_t *used, size_t size)
{
    char *at = base ? base + *used : NULL;
    *used += (size + 63) / 64 * 64;
    return at;
}

/// Lays out a block; without a base it only counts.
static size_t plan(gy_nest *n, char *base)
{
    const gy_tiles *t = &n->coarse->tiles;
    size_t used = (sizeof *n + 63) / 64 * 64, faces = (size_t)n->count;
    size_t tiles = (size_t)t->tn[0] * (size_t)t->tn[1] + 1, floats = (size_t)n->ghosts;
    n->join.faces = part(base, &used, faces * sizeof(gy_water_face));
    n->join.first_face = part(base, &used, tiles * sizeof(int32_t));
    n->old = part(base, &used, floats * sizeof(float));
    n->now = part(base, &used, floats * sizeof(float));
    n->at_present = part(base, &used, floats * sizeof(float));
    n->coarse_pass = part(base, &used, faces * sizeof(double));
    n->fine_pass = part(base, &used, faces * sizeof(double));
    n->owed = part(base, &used, faces * sizeof(double));
    return used;
}

/// Floats that three of hold a double.
enum { DOUBLE = 3, HEAD = 4 };

static size_t more_bytes(const gy_nest *n)
{
    size_t doubles = 3 * (size_t)n->count + HEAD;
    return sizeof(float) * (2 * (size_t)n->ghosts + DOUBLE * doubles);
}

static gyre_result join(gyre_water *fine, gyre_water *coarse)
{
    gy_nest probe = {.fine = fine, .coarse = coarse, .low = {-1, -1}}, *n;
    int low[2];
    gyre_result r = find_corner(&probe, low);
    r = r == GYRE_OK ? check_apart(&probe, low) : r;
    if (r != GYRE_OK) {
        return r;
    }
    for (int side = 0; side < GY_WATER_SIDES; side++) {
        int length = fine->tiles.n[1 - side / 2];
        probe.first[side] = probe.count;
        probe.count += length / 2;
        probe.first_ghost[side] = probe.ghosts;
        probe.ghosts += 4 * GY_WATER_HALO * length;
    }
    size_t bytes = plan(&probe, NULL);
    char *block = gy_allocate(&fine->host, bytes, 64);
    if (!block) {
        return gyre_fail(GYRE_ERROR_MEMORY, "nest: %zu bytes are not there", bytes);
    }
    memset(block, 0, bytes);
    n = (void *)block;
    *n = probe;
    n->bytes = bytes;
    plan(n, block);
    gy_nest_find_place(n);
    fine->nest = n;
    r = gy_water_shape(fine);
    if (r != GYRE_OK) {
        fine->nest = NULL;
        gy_water_shape(fine); // needs less than it did
        gy_release(&fine->host, block, bytes);
        return r;
    }
    n->next = coarse->nested;
    n->join.next = gy_nest_joins_of(coarse);
    coarse->nested = n;
    fine->model.more_size = fine->model.more_most = more_bytes(n);
    gy_nest_restrict(n, n->low, n->high);
    return GYRE_OK;
}

gyre_result gyre_water_nest(gyre_water *fine, gyre_water *coarse)
{
    if (GY_MISSING("nest", fine) || GY_MISSING("nest", coarse)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(&fine->model, "nest") != GYRE_OK ||
        gy_model_still(&coarse->model, "nest") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gyre_result r = check_pair(fine, coarse);
    if (r == GYRE_OK) {
        gy_device_enter(fine->model.device);
        r = gy_model_fresh(&fine->model);
        r = r == GYRE_OK ? gy_model_fresh(&coarse->model) : r;
        r = r == GYRE_OK ? join(fine, coarse) : r;
        gy_device_leave(fine->model.device);
    }
    return r;
}

static void part_from(gy_nest *n)
{
    gyre_host host = n->fine->host;
    gy_nest **at = &n->coarse->nested;
    while (*at != n) {
        at = &(*at)->next;
    }
    *at = n->next;
    for (gy_nest *o = n->coarse->nested; o; o = o->next) {
        o->join.next = o->next ? &o->next->join : NULL;
    }
    n->fine->nest = NULL;
    n->fine->model.more_size = n->fine->model.more_most = 0;
    for (int side = 0; side < GY_WATER_SIDES; side++) {
        n->fine->ghost[side] = (gy_water_ghost){0}; // walls, as the def says
    }
    gy_release(&host, n, n->bytes);
}

void gy_nest_leave(gyre_water *w)
{
    while (w->nested) {
        gyre_water *fine = w->nested->fine;
        part_from(w->nested);
        gy_water_shape(fine); // needs less than it did
    }
    if (w->nest) {
        part_from(w->nest);
    }
}

// ---- saved states

/// A double as three floats, to the bit: what is beside fields is floats.
static void copy_double(float *floats, double *x, bool out)
{
    if (out) {
        floats[0] = (float)*x;
        floats[1] = (float)(*x - (double)floats[0]);
        floats[2] = (float)(*x - (double)floats[0] - (double)floats[1]);
    } else {
        *x = (double)floats[0] + (double)floats[1] + (double)floats[2];
    }
}

void gy_nest_forget(gyre_water *w)
{
    gy_nest *n = w->nest;
    size_t list = sizeof(double) * (size_t)n->count;
    memset(n->coarse_pass, 0, list);
    memset(n->fine_pass, 0, list);
    memset(n->owed, 0, list);
    n->span = n->at = n->leak = n->ground = 0.0;
}

void gy_nest_copy_more(gyre_model *model, char *bytes, size_t size, bool out)
{
    gy_nest *n = ((gyre_water *)model)->nest;
    if (!n || size != more_bytes(n)) {
        return; // nothing was nested where it was saved: written() has begun anew
    }
    float *at = (float *)(void *)bytes;
    float *arrays[2] = {n->old, n->now};
    double *own[HEAD] = {&n->span, &n->at, &n->leak, &n->ground};
    double *lists[3] = {n->coarse_pass, n->fine_pass, n->owed};
    for (int a = 0; a < 2; a++, at += n->ghosts) {
        size_t length = sizeof(float) * (size_t)n->ghosts;
        memcpy(out ? at : arrays[a], out ? arrays[a] : at, length);
    }
    for (int k = 0; k < HEAD; k++, at += DOUBLE) {
        copy_double(at, own[k], out);
    }
    for (int l = 0; l < 3; l++) {
        for (int k = 0; k < n->count; k++, at += DOUBLE) {
            copy_double(at, &lists[l][k], out);
        }
    }
}

// ---- both together

static double pending(const gy_nest *n)
{
    double sum = 0.0;
    for (int k = 0; k < n->count; k++) {
        sum += n->owed[k] + (n->coarse_pass[k] - n->fine_pass[k]);
    }
    return sum;
}

static void count(gyre_water *w, gyre_water_together *all)
{
    gyre_water_stats stats = *(const gyre_water_stats *)gy_water_get_stats(&w->model);
    double area = (double)w->grid.h * (double)w->grid.h;
    all->waters++;
    all->volume += stats.volume;
    all->error += stats.ledger_error;
    for (gy_nest *n = w->nested; n; n = n->next) {
        all->volume += (pending(n) - gy_nest_covered(n)) * area;
        all->error += n->leak * area;
        all->ground += n->ground * area;
        count(n->fine, all);
    }
}

gyre_result gyre_water_count_together(gyre_water *w, gyre_water_together *together)
{
    if (GY_MISSING("count_together", w) || GY_MISSING("count_together", together)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *together = (gyre_water_together){0};
    gy_device_enter(w->model.device);
    gyre_result r = gy_model_fresh(&w->model);
    if (r == GYRE_OK) {
        count(w, together);
    }
    gy_device_leave(w->model.device);
    return r;
}
