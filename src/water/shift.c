// water/shift.c: moves water's grid by whole cells, as a window over a larger world, and the origin
// of the world that its places are told from. With s cells and N samples along an axis,
//
//     q'(i) = q(i + s) where 0 <= i + s < N, else what the def has there: its bed, water at rest up
//     to its level; round a periodic axis q((i + s) mod N)
//
// of depth, discharge, bed and what bodies displace, to the bit. Tiles lie fixed in the window, so
// all are filled anew: some 60 ns a cell on one thread, and memory for a copy of the state, which
// is kept for the next time.
//
// Where a def `follow`s a body, a step begins by moving the window after it.
#include "base/maths.h"
#include "water/breaking.h"
#include "water/form.h"
#include "water/nest.h"
#include "water/traces.h"
#include <stdio.h>
#include <string.h>

static int samples_of(const gyre_water *w, int field, int n[3])
{
    gyre_grid_samples(&w->grid, w->fields[field].location, n);
    return n[0] * n[1];
}

/// All fields of the state one after the other.
static gyre_result pack(gyre_water *w)
{
    int n[3], count = 0;
    for (int f = 0; f < GY_FIELD_STATES; f++) {
        count += samples_of(w, f, n);
    }
    gyre_result r = gy_list_reserve(w, &w->journey, count, sizeof(float));
    float *to = w->journey.items;
    for (int f = 0; f < GY_FIELD_STATES && r == GYRE_OK; f++) {
        samples_of(w, f, n);
        for (int j = 0; j < n[1]; j++, to += n[0]) {
            gy_water_read_row(&w->model, f, j, 0, to);
        }
    }
    return r;
}

/// Where sample i of a window that has moved by `by` comes from; -1: from outside of what was.
static int source(const gyre_water *w, int axis, int i, int by, int samples)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    int from = i + by, n = w->tiles.n[axis];
    if (sides[2 * axis].rule == GYRE_WATER_PERIODIC) {
        return (from % n + n) % n;
    }
    return from >= 0 && from < samples ? from : -1;
}

/// The same of water that is nested: as the coarse one has it.
static float incoming_of(const gyre_water *w, int field, int i, int j, float bed)
{
    gy_nest_sample s = gy_nest_sample_at(w->nest, i, j);
    if (w->def->mode == GYRE_WATER_WAVE) {
        return field == GY_FIELD_DEPTH       ? s.depth
               : field == GY_FIELD_DISPLACED ? 0.0f
                                             : s.q[field - 1];
    }
    float surface = s.bed + s.depth, depth = surface > bed ? surface - bed : 0.0f;
    depth = s.depth > 0.0f ? depth : 0.0f;
    if (field == GY_FIELD_DEPTH || field == GY_FIELD_DISPLACED) {
        return field == GY_FIELD_DEPTH ? depth : 0.0f;
    }
    return depth > w->def->dry_depth ? s.q[field - 1] * (depth / s.depth) : 0.0f;
}

/// What stands in a cell that has come in: water at rest up to the level.
static float incoming(const gyre_water *w, int field, int i, int j)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    float bed =
        slot >= 0 ? gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] : gy_water_bed_at(w, i, j);
    if (field == GY_FIELD_BED) {
        return bed; // a wall's top, where one is seen
    }
    if (w->nest) {
        bool out = slot < 0 || (gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT);
        return out ? 0.0f : incoming_of(w, field, i, j, bed);
    }
    bool wet = field == GY_FIELD_DEPTH && w->def->mode != GYRE_WATER_WAVE && w->def->fill &&
               slot >= 0 && !(gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT);
    float depth = gy_water_level_at(w) - bed;
    return wet && depth > 0.0f ? depth : 0.0f;
}

static void unpack(gyre_water *w, const int by[2], float *row)
{
    const float *from = w->journey.items, *part[GY_FIELD_STATES];
    static const int order[GY_FIELD_STATES] = {GY_FIELD_BED, GY_FIELD_DISPLACED, GY_FIELD_DEPTH,
                                               GY_FIELD_QX, GY_FIELD_QY};
    int n[3];
    for (int f = 0; f < GY_FIELD_STATES; f++) {
        part[f] = from;
        from += samples_of(w, f, n);
    }
    for (int q = 0; q < GY_FIELD_STATES; q++) {
        int f = order[q];
        samples_of(w, f, n);
        for (int j = 0; j < n[1]; j++) {
            int y = source(w, 1, j, by[1], n[1]);
            const float *old = part[f] + (ptrdiff_t)n[0] * (y >= 0 ? y : 0);
            for (int i = 0, run; i < n[0]; i += run) {
                int x = source(w, 0, i, by[0], n[0]), end = GY_MIN(n[0], w->tiles.n[0]);
                // What stays lies together, round a periodic side in pieces.
                run = x >= 0 && y >= 0 && x < end ? GY_MAX(GY_MIN(n[0] - i, end - x), 1) : 1;
                if (x >= 0 && y >= 0) {
                    memcpy(row + i, old + x, sizeof *row * (size_t)run);
                } else {
                    row[i] = incoming(w, f, i, j);
                }
            }
            gy_water_write_row(&w->model, f, j, 0, row);
        }
    }
}

/// Gives all slots back, empty.
static void empty_tiles(gyre_water *w)
{
    gy_tiles *t = &w->tiles;
    for (int slot = 0; slot < t->used; slot++) {
        memset(t->memory + (size_t)slot * GY_SLOT_BYTES, 0, GY_SLOT_BYTES);
        w->result[slot] = (gy_tile_result){0};
    }
    memset(t->slot, 0xff, (size_t)t->tn[0] * (size_t)t->tn[1] * sizeof *t->slot);
    t->used = 0;
    w->gates.count = w->faces.count = 0;
    memset(w->calm, 0, (size_t)t->tn[0] * (size_t)t->tn[1]);
    if (w->edited.items) {
        memset(w->edited.items, 0, w->edited.bytes);
    }
}

/// Whether a tile has memory before anything flows into it.
static bool begins_wet(const gyre_water *w, int tile)
{
    int x = tile % w->tiles.tn[0] * GY_WATER_TILE, y = tile / w->tiles.tn[0] * GY_WATER_TILE;
    bool wet = w->def->mode == GYRE_WATER_WAVE || w->def->tiles == 0;
    for (int j = y; j < GY_MIN(y + GY_WATER_TILE, w->tiles.n[1]) && !wet; j++) {
        for (int i = x; i < GY_MIN(x + GY_WATER_TILE, w->tiles.n[0]) && !wet; i++) {
            wet = w->def->fill && gy_water_bed_at(w, i, j) < w->def->level;
        }
    }
    return wet;
}

static void count_live(gyre_water *w)
{
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        w->live[tile] = gy_water_tile_live(w, tile);
    }
}

void gy_water_find_place(gyre_water *w)
{
    w->grid = gy_model_grid_at(&w->model, w->model.place.moved);
    w->body->grid = w->grid;
    w->body->rescan = true;
}

/// Water that wants memory for all of its tiles has it for those that were not all cut out when it
/// was made.
static gyre_result check_room(const gyre_water *w)
{
    int live = 0;
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        live += w->live[tile];
    }
    if (w->def->tiles == 0 && live > w->tiles.slots) {
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "shift: %d tiles may hold water there, and there is memory for %d: say "
                         "how many by `tiles`",
                         live, w->tiles.slots);
    }
    return GYRE_OK;
}

/// Heights must stay within what the quantum holds.
static gyre_result check_heights(const gyre_water *w)
{
    const int *n = w->tiles.n;
    float most = 4194304.0f * w->quantum;
    for (int corner = 0; corner < 4; corner++) {
        float bed = gy_water_bed_at(w, corner & 1 ? n[0] - 1 : 0, corner & 2 ? n[1] - 1 : 0);
        if (!(bed <= most && bed >= -most)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "shift: the bed's slope leads to %g m there; heights that are told to "
                             "%g m end at %g: set quantum",
                             (double)bed, (double)w->quantum, (double)most);
        }
    }
    return GYRE_OK;
}

/// What a failed move has changed where waters are nested, the message kept.
static void put_back(gyre_water *w)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", gyre_message());
    if (w->nest || w->nested) {
        gy_nest_moved(w);
        gyre_fail(GYRE_ERROR_ARGUMENT, "%s", message);
    }
}

/// Below a nested water that has moved; what both grounds make of it.
static void settle_nest(gy_nest *n, double covered, double change)
{
    gy_nest_restrict(n, n->low, n->high);
    n->ground += 0.25 * change - (gy_nest_covered(n) - covered);
}

gyre_result gy_water_shift(gyre_model *model, const int cells[3])
{
    gyre_water *w = (gyre_water *)model;
    gy_grid_place before = model->place;
    gyre_result r = gy_nest_check_shift(w, cells);
    r = r == GYRE_OK ? gy_list_reserve(w, &w->journey_row, w->tiles.n[0] + 1, sizeof(float)) : r;
    double covered = w->nest ? gy_nest_covered(w->nest) : 0.0;
    gy_water_fetch(w);
    double depths = gy_water_depths(w), rest = gy_water_depths_at_rest(w);
    r = r == GYRE_OK ? pack(w) : r;
    for (int a = 0; a < 3; a++) {
        model->place.moved[a] += cells[a];
    }
    gy_water_find_place(w);
    count_live(w);
    r = r == GYRE_OK ? gy_nest_moved(w) : r;
    r = r == GYRE_OK ? check_room(w) : r;
    r = r == GYRE_OK ? check_heights(w) : r;
    if (r != GYRE_OK) {
        model->place = before;
        gy_water_find_place(w);
        count_live(w);
        put_back(w);
        return r;
    }
    empty_tiles(w);
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        if (w->live[tile] && begins_wet(w, tile)) {
            gy_water_slot(w, tile);
        }
    }
    unpack(w, cells, w->journey_row.items);
    r = gy_water_shape(w);
    r = r == GYRE_OK && w->sea ? gy_water_sea_shifted(w, cells) : r;
    for (int slot = 0; slot < w->tiles.used; slot++) {
        w->tiles.edited[slot] = GY_TILE_EDITED;
        gy_water_touch(w, slot);
    }
    if (w->model.particle_sets > 0) {
        const gyre_water_side *sides = &w->def->sides.x_low;
        uint32_t periodic = (sides[0].rule == GYRE_WATER_PERIODIC ? 1u : 0u) |
                            (sides[2].rule == GYRE_WATER_PERIODIC ? 2u : 0u);
        if (w->def->dust.capacity > 0) {
            gy_particles_keep_in(model->device, w->dust, periodic);
        }
        gy_breaking_moved(w, cells, periodic);
    }
    // Of linear waves the water at rest is counted by the start's line.
    double calm = gy_water_depths_at_rest(w) - rest;
    w->extra->lines[GY_LINE_START] -= calm;
    double change = gy_water_depths(w) - depths + calm;
    model->place.brought += change;
    if (w->nest) {
        settle_nest(w->nest, covered, change);
    }
    gy_traces_moved(w, cells);
    w->stats_fresh = false;
    gy_snapshots_publish(w);
    return r == GYRE_OK ? gy_water_bodies_changed(w) : r;
}

// ---- a window that goes along with a body

static const char *name_at(const void *list, int i)
{
    return ((const gyre_water_body *)list)[i].name;
}

gyre_result gy_water_follow(gyre_water *w)
{
    const gyre_pool *pool = w->set.memory ? &w->set.pool : &w->def->bodies;
    const gyre_water_body *bodies = pool->items, *body = NULL;
    const gyre_water_side *sides = &w->def->sides.x_low;
    int32_t cells[3] = {0, 0, 0}, moved[3];
    for (int n = 0; n < pool->count && !body; n++) {
        body = strcmp(bodies[n].name, w->def->follow) == 0 ? &bodies[n] : NULL;
    }
    if (!body) {
        const char *near = gyre_name_nearest(w->def->follow, pool->count, name_at, bodies);
        return gyre_fail(GYRE_ERROR_ARGUMENT, "follow: there is no body \"%s\"%s%s%s",
                         w->def->follow, near ? "; the nearest name is \"" : "", near ? near : "",
                         near ? "\"" : "");
    }
    for (int a = 0; a < 2; a++) {
        double h = (double)w->grid.h, half = 0.5 * w->grid.n[a];
        double off = ((double)body->pose.position[a] - (double)w->grid.origin[a]) / h - half;
        double slack = w->def->slack > 0.0f ? (double)w->def->slack / h : 0.25 * half;
        bool fixed = w->grid.n[a] == 1 || sides[2 * a].rule == GYRE_WATER_PERIODIC;
        if (!fixed && (off > slack || off < -slack) && off < 1e6 && off > -1e6) {
            cells[a] = (int32_t)off;
            cells[a] -= w->nest ? cells[a] % 2 : 0;
        }
        moved[a] = w->model.place.moved[a] + cells[a];
    }
    moved[2] = 0;
    gyre_result r = gy_model_check_place("follow", &w->model, moved);
    bool goes = cells[0] != 0 || cells[1] != 0;
    return r == GYRE_OK && goes ? gy_water_shift(&w->model, cells) : r;
}

// ---- the world's origin

static void less(float *at, const double by[2])
{
    for (int a = 0; a < 2; a++) {
        at[a] = (float)((double)at[a] - by[a]);
    }
}

static void rebase_shape(gyre_shape *shape, const double by[2])
{
    switch (shape->kind) {
    case GYRE_SHAPE_SPHERE:
        less(shape->as.sphere.centre, by);
        break;
    case GYRE_SHAPE_BOX:
        less(shape->as.box.centre, by);
        break;
    case GYRE_SHAPE_CAPSULE:
        less(shape->as.capsule.from, by);
        less(shape->as.capsule.to, by);
        break;
    case GYRE_SHAPE_HALF_SPACE:
        less(shape->as.half_space.point, by);
        break;
    default:
        less(shape->as.volume.low, by);
    }
}

static void rebase_def(gyre_water_def *def, const double by[2])
{
    gyre_water_edge *edges = def->edges.items;
    gyre_water_gate *gates = def->gates.items;
    gyre_water_lake *lakes = def->lakes.items;
    gyre_water_block *blocks = def->blocks.items;
    gyre_water_source *sources = def->sources.items;
    gyre_water_uplift *uplifts = def->uplifts.items;
    gyre_water_body *bodies = def->bodies.items;
    for (int i = 0; i < def->edges.count; i++) {
        rebase_shape(&edges[i].shape, by);
    }
    for (int i = 0; i < def->gates.count; i++) {
        less(gates[i].from, by);
        less(gates[i].to, by);
    }
    for (int i = 0; i < def->lakes.count; i++) {
        less(lakes[i].point, by);
    }
    for (int i = 0; i < def->blocks.count; i++) {
        rebase_shape(&blocks[i].shape, by);
    }
    for (int i = 0; i < def->sources.count; i++) {
        rebase_shape(&sources[i].shape, by);
    }
    for (int i = 0; i < def->uplifts.count; i++) {
        rebase_shape(&uplifts[i].shape, by);
    }
    for (int i = 0; i < def->bodies.count; i++) {
        less(bodies[i].pose.position, by);
    }
    less(def->dust.low, by);
    less(def->dust.high, by);
    less(def->bed.corner, by);
}

static gyre_result rebase(gyre_water *w, const int32_t based[3], const double by[2])
{
    gyre_result r = gy_device_status(w->model.device);
    r = r == GYRE_OK ? gy_model_fresh(&w->model) : r;
    if (r != GYRE_OK) {
        return r;
    }
    memcpy(w->model.place.based, based, sizeof w->model.place.based);
    rebase_def(w->def, by);
    for (int set = 0; set < w->model.particle_sets; set++) {
        gy_particles *points = &w->model.particles[set];
        gy_particles_collect(w->model.device, points);
        for (int a = 0; a < 2; a++) {
            float *x = gy_particles_array(points, 0, a);
            for (int64_t k = 0; k < points->state.count; k++) {
                x[k] = (float)((double)x[k] - by[a]);
            }
        }
    }
    for (int f = 0; w->breaking && f < w->breaking->state->front_count; f++) {
        less(w->breaking->fronts[f].position, by);
    }
    gy_water_find_place(w);
    w->stats_fresh = false;
    return gy_water_shape(w);
}

gyre_result gyre_water_rebase(gyre_water *w, const int32_t cells[2])
{
    if (GY_MISSING("rebase", w) || GY_MISSING("rebase", cells)) {
        return GYRE_ERROR_ARGUMENT;
    }
    int32_t based[3] = {0, 0, 0};
    double by[2];
    for (int a = 0; a < 2; a++) {
        int64_t to = (int64_t)w->model.place.based[a] + cells[a], most = GY_MOST_MOVED + 1;
        based[a] = (int32_t)GY_MAX(GY_MIN(to, most), -most);
        by[a] = (double)cells[a] * (double)w->grid.h;
    }
    gyre_result r = gy_model_check_place("rebase", &w->model, based);
    if (r == GYRE_OK && (w->nest || w->nested)) {
        r = gyre_fail(GYRE_ERROR_UNSUPPORTED,
                      "rebase: of one of the waters that are nested, which share a world");
    }
    if (r == GYRE_OK && w->set.memory) {
        r = gyre_fail(GYRE_ERROR_UNSUPPORTED,
                      "rebase: the bodies of a set stay where they are; this water has some");
    }
    if (r == GYRE_OK && w->model.particle_sets > 0 && w->device.is) {
        r = gyre_fail(GYRE_ERROR_UNSUPPORTED, "rebase: points that float lie in a device's memory");
    }
    if (r != GYRE_OK || gy_model_still(&w->model, "rebase") != GYRE_OK) {
        return r != GYRE_OK ? r : GYRE_ERROR_STATE;
    }
    gy_device_enter(w->model.device);
    r = rebase(w, based, by);
    gy_device_leave(w->model.device);
    return r;
}
