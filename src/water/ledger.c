// water/ledger.c: where every litre came from. Lines are kept in metres of depth summed over cells:
// in mode exact these are whole multiples of the quantum, which a double adds up without rounding.
#include "water/breaking.h"
#include <stdio.h>
#include <string.h>

void gy_water_book(gyre_water *w, int line, double depth)
{
    w->extra->lines[line] += depth;
}

void gy_water_book_rule(gyre_water *w, int rule, double depth)
{
    if (rule < GY_WATER_SIDES) {
        w->extra->lines[GY_LINE_X_LOW + rule] += depth;
    } else {
        w->edges[rule - GY_WATER_SIDES].line += depth;
    }
}

/// Brings entries in line with the elements of a pool, by their ids. What an element that has gone
/// had brought stays in the ledger's line of those removed.
static void match(gyre_water *w, const char *pool, gy_water_entry *entries, int room, bool keep)
{
    for (int e = 0; e < room; e++) {
        uint64_t id = entries[e].id;
        bool there = false;
        for (int q = 0; q < room && id && !there; q++) {
            there = gy_model_number(&w->model, pool, q) == id;
        }
        if (!there && id) {
            w->extra->lines[GY_LINE_GONE] += keep ? entries[e].line : 0.0;
            memset(&entries[e], 0, sizeof entries[e]);
        }
    }
    for (int q = 0; q < room; q++) {
        uint64_t id = gy_model_number(&w->model, pool, q);
        int from = q;
        while (id && from < room && entries[from].id != id) {
            from++;
        }
        if (!id || from == q) {
            continue;
        }
        // Whoever stands here is needed further down: it changes places with what was found, or
        // goes to an empty one.
        gy_water_entry here = entries[q];
        bool found = from < room;
        for (int e = q + 1; e < room && !found && here.id; e++) {
            if (!entries[e].id) {
                entries[e] = here;
                break;
            }
        }
        entries[q] = found ? entries[from] : (gy_water_entry){.id = id};
        if (found) {
            entries[from] = here;
        }
    }
}

void gy_water_entries_changed(gyre_water *w)
{
    match(w, "edges", w->edges, w->edge_room, true);
    match(w, "sources", w->sources, w->source_room, true);
    match(w, "bodies", w->bodies, w->body_room, false);
}

/// Sum over the cells of a slot that are not cut out.
static double slot_sum(const gyre_water *w, int slot, int array, bool less)
{
    const float *a = gy_tile_state(&w->tiles, slot, array);
    const float *x = gy_tile_array(&w->tiles, slot, GY_WATER_DISPLACED);
    const uint8_t *flags = gy_tile_flags(&w->tiles, slot);
    double sum = 0.0;
    for (int i = 0; i < GY_TILE_AREA; i++) {
        if (!(flags[i] & GY_CELL_OUT)) {
            sum += (double)a[i] - (less ? (double)x[i] : 0.0);
        }
    }
    return sum;
}

double gy_water_depths(const gyre_water *w)
{
    double sum = 0.0;
    gy_water_fetch(w);
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        int slot = w->tiles.slot[tile];
        sum += slot >= 0 ? slot_sum(w, slot, GY_WATER_DEPTH, true) : 0.0;
    }
    return sum;
}

static double cell_area(const gyre_water *w)
{
    return (double)w->grid.h * (double)w->grid.h;
}

double gy_water_depths_at_rest(const gyre_water *w)
{
    double sum = 0.0;
    for (int slot = 0; slot < w->tiles.used && w->def->mode == GYRE_WATER_WAVE; slot++) {
        const float *bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED);
        const uint8_t *flags = gy_tile_flags(&w->tiles, slot);
        for (int i = 0; i < GY_TILE_AREA; i++) {
            sum += flags[i] & GY_CELL_OUT ? 0.0 : (double)w->def->level - (double)bed[i];
        }
    }
    return sum;
}

static void put(gyre_water_line *lines, int capacity, int *count, const char *name, double volume,
                bool displaced)
{
    if (*count < capacity) {
        lines[*count] = (gyre_water_line){.volume = volume, .displaced = displaced};
        snprintf(lines[*count].name, sizeof lines[*count].name, "%s", name);
    }
    ++*count;
}

int gyre_water_ledger(const gyre_water *w, gyre_water_line *lines, int capacity)
{
    if (GY_MISSING("ledger", w) || (capacity > 0 && GY_MISSING("ledger", lines))) {
        return 0;
    }
    static const char *const names[GY_LEDGER_LINES] = {
        "start", "sides.x_low", "sides.x_high", "sides.y_low", "sides.y_high",
        "rain",  "evaporation", "edits",        "layers",      "removed"};
    const gyre_water_edge *edges = w->def->edges.items;
    const gyre_water_source *sources = w->def->sources.items;
    const gyre_water_body *bodies = w->def->bodies.items;
    double area = cell_area(w), rest = gy_water_depths_at_rest(w);
    int count = 0;
    char name[48];
    for (int l = 0; l < GY_LEDGER_LINES; l++) {
        double depth = w->extra->lines[l] + (l == GY_LINE_START ? rest : 0.0);
        put(lines, capacity, &count, names[l], depth * area, false);
    }
    if (w->sea) {
        put(lines, capacity, &count, "sea", *w->sea->line * area, false);
    }
    if (gy_model_place_size(&w->model) > 0) {
        put(lines, capacity, &count, "window", w->model.place.brought * area, false);
    }
    if (w->breaking) {
        put(lines, capacity, &count, "air", w->breaking->state->line * area, false);
    }
    for (int e = 0; e < w->def->edges.count; e++) {
        snprintf(name, sizeof name, "edges.%.31s", edges[e].name);
        put(lines, capacity, &count, name, w->edges[e].line * area, false);
    }
    for (int s = 0; s < w->def->sources.count; s++) {
        snprintf(name, sizeof name, "sources.%.31s", sources[s].name);
        put(lines, capacity, &count, name, w->sources[s].line * area, false);
    }
    for (int b = 0; b < w->def->bodies.count; b++) {
        snprintf(name, sizeof name, "bodies.%.31s", bodies[b].name);
        put(lines, capacity, &count, name, w->displaced[b], true);
    }
    const gyre_water_body *all = w->set.all;
    for (int b = w->def->bodies.count; b < w->set.pool.count; b++) {
        snprintf(name, sizeof name, "bodies.%.31s", all[b].name);
        put(lines, capacity, &count, name, w->set.displaced[b], true);
    }
    return count;
}

/// Energy above the lowest state, largest depth.
static void measure(gyre_water *w)
{
    gyre_water_stats *s = &w->stats;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    double kinetic = 0.0, potential = 0.0, level = (double)w->def->level;
    double g = (double)w->def->gravity, c = (double)w->def->wave_speed;
    float deepest = 0.0f;
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        int slot = w->tiles.slot[tile];
        if (slot < 0) {
            continue;
        }
        const float *d = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH);
        const float *qx = gy_tile_state(&w->tiles, slot, GY_WATER_QX);
        const float *qy = gy_tile_state(&w->tiles, slot, GY_WATER_QY);
        const float *bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED);
        const uint8_t *flags = gy_tile_flags(&w->tiles, slot);
        for (int i = 0; i < GY_TILE_AREA; i++) {
            if (flags[i] & GY_CELL_OUT) {
                continue;
            }
            double q = (double)qx[i] * (double)qx[i] + (double)qy[i] * (double)qy[i];
            double depth = (double)d[i], z = (double)bed[i];
            float deep = wave ? (float)(level + depth - z) : d[i];
            deepest = GY_MAX(deepest, deep);
            if (wave) {
                // q^2 c^-2 g / 2 and g u^2 / 2 are what the scheme trades for each other.
                kinetic += c > 0.0 ? 0.5 * g / (c * c) * q : 0.0;
                potential += 0.5 * g * depth * depth;
            } else {
                kinetic += depth > (double)w->def->dry_depth ? 0.5 * q / depth : 0.0;
                potential += 0.5 * g * depth * depth + g * depth * z;
            }
        }
    }
    double scale = cell_area(w) * (double)w->def->water_density;
    s->kinetic_energy = kinetic * scale;
    s->potential_energy = potential * scale;
    s->max_depth = deepest;
}

const void *gy_water_get_stats(gyre_model *model)
{
    gyre_water *w = (gyre_water *)model;
    gyre_water_stats *s = &w->stats;
    gy_particles_collect(model->device, w->dust);
    s->dust = w->dust->state.count;
    s->dust_lost = w->dust->state.lost;
    s->dust_refused = w->dust->state.refused;
    if (w->stats_fresh) {
        return s;
    }
    double lines = w->model.place.brought, depths = gy_water_depths(w), area = cell_area(w);
    for (int l = 0; l < GY_LEDGER_LINES; l++) {
        lines += w->extra->lines[l];
    }
    lines += w->sea ? *w->sea->line : 0.0;
    for (int e = 0; e < w->edge_room; e++) {
        lines += w->edges[e].line;
    }
    for (int e = 0; e < w->source_room; e++) {
        lines += w->sources[e].line;
    }
    lines += w->breaking ? w->breaking->state->line : 0.0;
    gy_breaking_stats(w);
    s->volume = (depths + gy_water_depths_at_rest(w)) * area;
    s->ledger_error = (depths - lines) * area;
    s->max_speed = 0.0f;
    for (int slot = 0; slot < w->tiles.used; slot++) {
        s->max_speed = GY_MAX(s->max_speed, w->result[slot].flow.speed);
    }
    s->tiles = w->tiles.used;
    measure(w);
    w->stats_fresh = true;
    return s;
}
