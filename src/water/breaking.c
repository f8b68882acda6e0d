// water/breaking.c: what breaks, as a whole: its memory, its place in a step, what it tells.
//
// A step's end: fronts are found and followed (fronts.c), throw sheets, as do falls and bodies that
// enter (throw.c); what is in the air flies and lands (air.c); foam floats (foam.c). All of it runs
// on one thread, in the order of cells and particles: the same bits for any number of threads.
// After N. Thuerey, M. Müller-Fischer, S. Schirm and M. Gross, Real-time Breaking Waves for Shallow
// Water Simulations, Pacific Graphics 2007.
#include "water/breaking.h"
#include "model/drift.h"
#include <string.h>

static const gyre_attribute_info air_table[GY_AIR_ATTRIBUTES] = {
    {"position", "m", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "where it is", 0},
    {"age", "s", 1, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_DENSITY, "since it was thrown", 0},
    {"id", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY, "numbers it, from 0 on", 0},
    {"velocity", "m/s", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "of its own", 0},
    {"amount", "m", 1, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_DENSITY, "of water, as a cell's depth", 0},
    {"sheet", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY,
     "front that threw it; 0: a fall, less: a weir", 0},
    {"row", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY,
     "of its sheet: hangs together with the one before", 0},
    {"place", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY, "in its row: neighbours differ by 1",
     0},
};

static const gyre_attribute_info foam_table[GY_FOAM_ATTRIBUTES] = {
    {"position", "m", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "where it is", 0},
    {"age", "s", 1, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_DENSITY, "since it came", 0},
    {"id", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY, "numbers it, from 0 on", 0},
    {"below", "m", 1, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_DENSITY, "the surface: of a bubble", 0},
};

bool gy_breaking_wanted(const gyre_water_def *def)
{
    return gy_fronts_room(def) > 0 || def->breaking.patches > 0 || def->spray.capacity > 0 ||
           def->foam.capacity > 0;
}

int gy_fronts_room(const gyre_water_def *def)
{
    int cells = def->grid.n[0] * def->grid.n[1];
    int watched = def->nonhydrostatic ? 64 + cells / 256 : 0;
    return GY_MIN(def->breaking.fronts + watched, (int)GY_FRONTS_AT_ONCE);
}

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

static int most_points(const gyre_water *w, const gyre_water_def *def)
{
    return gy_fronts_room(def) > 0 ? w->tiles.n[0] * w->tiles.n[1] / 4 + 64 : 0;
}

size_t gy_breaking_state_size(const gyre_water *w, const gyre_water_def *def)
{
    return gy_breaking_wanted(def)
               ? sizeof(gy_breaking_state) + (size_t)gy_fronts_room(def) * sizeof(gy_front) +
                     (size_t)most_points(w, def) * sizeof(gy_front_point) +
                     (size_t)w->body_room * sizeof(double)
               : 0;
}

/// Plans the sets, with their memory from `base` on; without one, only counts.
static size_t plan_sets(gyre_water *w, const gyre_water_def *def, gy_particles *sets, char *base)
{
    const int capacity[GY_SETS] = {def->dust.capacity, def->breaking.patches, def->spray.capacity,
                                   def->foam.capacity};
    static const char *const names[GY_SETS] = {"dust", "patches", "spray", "foam"};
    static const char *const docs[GY_SETS] = {"points that float on the water",
                                              "sheets of water in the air", "drops in the air",
                                              "foam, and bubbles below it"};
    const gyre_attribute_info *tables[GY_SETS] = {gy_drift_table, air_table, air_table, foam_table};
    const int counts[GY_SETS] = {GY_DRIFT_ATTRIBUTES, GY_AIR_ATTRIBUTES, GY_AIR_DROP,
                                 GY_FOAM_ATTRIBUTES};
    size_t used = 0;
    for (int s = GY_SET_PATCHES; s < GY_SETS; s++) {
        size_t bytes = gy_particles_plan(&sets[s], names[s], docs[s], tables[s], counts[s],
                                         capacity[s], &w->grid);
        sets[s].info.overhang = s == GY_SET_PATCHES;
        sets[s].base = (uint64_t)(uintptr_t)(base ? base + used : NULL);
        used += round64(bytes);
    }
    return used;
}

size_t gy_breaking_size(const gyre_water *w, const gyre_water_def *def)
{
    gy_particles sets[GY_SETS];
    size_t cells = (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
    if (!gy_breaking_wanted(def)) {
        return 0;
    }
    size_t scratch = gy_fronts_room(def) > 0
                         ? 3 * round64(cells * sizeof(int32_t)) +
                               round64(cells * sizeof(gy_front_point)) +
                               round64((size_t)gy_fronts_room(def) * sizeof(gy_front))
                         : 0;
    return round64(sizeof(gy_breaking)) + scratch +
           plan_sets((gyre_water *)(uintptr_t)w, def, sets, NULL);
}

void gy_breaking_place(gyre_water *w, const gyre_water_def *def, void *memory, void *state)
{
    gy_breaking *b = memory;
    char *at = (char *)memory + round64(sizeof *b);
    size_t cells = (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
    w->breaking = b;
    b->state = state;
    b->fronts = (gy_front *)(void *)(b->state + 1);
    b->most_points = most_points(w, def);
    b->displaced = (double *)(void *)(b->fronts + gy_fronts_room(def));
    b->points = (gy_front_point *)(void *)(b->displaced + w->body_room);
    b->cells = (int)cells;
    if (gy_fronts_room(def) > 0) {
        int32_t **lists[3] = {&b->label, &b->list, &b->near};
        for (int k = 0; k < 3; k++, at += round64(cells * sizeof(int32_t))) {
            *lists[k] = (int32_t *)(void *)at;
        }
        b->steep = (gy_front_point *)(void *)at;
        at += round64(cells * sizeof(gy_front_point));
        b->next = (gy_front *)(void *)at;
        at += round64((size_t)gy_fronts_room(def) * sizeof(gy_front));
    }
    b->sets[GY_SET_DUST] = w->own_dust;
    b->sets[GY_SET_DUST].info.attributes = b->sets[GY_SET_DUST].attributes;
    w->dust = &b->sets[GY_SET_DUST];
    plan_sets(w, def, b->sets, at);
    int first = def->dust.capacity > 0 ? GY_SET_DUST : GY_SET_PATCHES;
    w->model.particles = &b->sets[first];
    w->model.particle_sets = GY_SETS - first;
}

int gy_breaking_parts(const gyre_water *w, gy_extra_part *parts)
{
    const gy_breaking *b = w->breaking;
    if (!b) {
        return 0;
    }
    const size_t front = sizeof(gy_front), point = sizeof(gy_front_point), number = sizeof(double);
    const gy_extra_part all[] = {
        {b->state, sizeof *b->state, sizeof *b->state},
        {b->fronts, (size_t)b->state->front_count * front, (size_t)gy_fronts_room(w->def) * front},
        {b->displaced, (size_t)w->def->bodies.count * number, (size_t)w->body_room * number},
        {b->points, (size_t)b->state->point_count * point, (size_t)b->most_points * point},
    };
    memcpy(parts, all, sizeof all);
    return GY_COUNT(all);
}

void gy_breaking_regain(gyre_water *w)
{
    gy_breaking *b = w->breaking;
    if (!b) {
        return;
    }
    gy_breaking_state *s = b->state;
    bool right = s->front_count >= 0 && s->front_count <= gy_fronts_room(w->def) &&
                 s->point_count >= 0 && s->point_count <= b->most_points;
    for (int f = 0; right && f < s->front_count; f++) {
        const gy_front *front = &b->fronts[f];
        right = front->first >= 0 && front->count >= 0 &&
                front->first <= s->point_count - front->count && front->axis >= 0 &&
                front->axis < 2;
    }
    for (int p = 0; right && p < s->point_count; p++) {
        const gy_front_point *at = &b->points[p];
        right = at->i >= 0 && at->i < w->tiles.n[0] && at->j >= 0 && at->j < w->tiles.n[1] &&
                at->crest[0] >= 0 && at->crest[0] < w->tiles.n[0] && at->crest[1] >= 0 &&
                at->crest[1] < w->tiles.n[1];
    }
    if (!right) { // no water has saved that
        s->front_count = s->point_count = 0;
    }
}

void gy_breaking_step(gyre_water *w, float dt)
{
    if (!w->breaking) {
        return;
    }
    if (w->def->breaking.fronts > 0) {
        if (!w->def->nonhydrostatic) {
            gy_fronts_find(w, dt); // else in each substep
        }
        gy_fronts_throw(w, dt);
    }
    if (w->def->mode == GYRE_WATER_DISPERSIVE) {
        gy_falls(w, dt); // else in each substep
    }
    gy_splashes(w, dt);
    gy_air_fly(w, dt);
    gy_foam_step(w, dt);
}

/// Of a set what is over the grid, as it is now, in the order that it was in: those that sort
/// particles by cell count for themselves.
static void keep_in(gyre_water *w, int set, uint32_t periodic)
{
    gy_particles *s = &w->breaking->sets[set];
    const float *amount = set < GY_SET_FOAM ? gy_particles_array(s, GY_AIR_AMOUNT, 0) : NULL;
    int64_t kept = 0;
    for (int64_t k = 0; k < s->state.count; k++) {
        bool in = true;
        for (int a = 0; a < 2; a++) {
            float *x = (float *)gy_particles_array(s, GY_AIR_POSITION, a) + k;
            double low = (double)w->grid.origin[a], size = (double)w->grid.h * w->grid.n[a];
            double over = (double)*x - low;
            if (periodic >> a & 1u) {
                over -= size * __builtin_floor(over / size);
                *x = (float)(low + over);
            }
            in = in && over >= 0.0 && over <= size;
        }
        if (in) {
            gy_air_keep(s, k, kept++);
        } else {
            w->breaking->state->lost += amount ? (double)amount[k] : 0.0;
            s->state.lost++;
        }
    }
    s->state.count = kept;
}

/// A nested water that moves on leaves what flies there to the coarse one.
static void leave_behind(gyre_water *w, const gy_particles *s)
{
    const float *amount = gy_particles_array(s, GY_AIR_AMOUNT, 0);
    for (int64_t k = 0; w->nest && k < s->state.count; k++) {
        float at[3], v[3];
        bool out = false;
        for (int a = 0; a < 3; a++) {
            at[a] = ((const float *)gy_particles_array(s, GY_AIR_POSITION, a))[k];
            v[a] = ((const float *)gy_particles_array(s, GY_AIR_VELOCITY, a))[k];
        }
        for (int a = 0; a < 2; a++) {
            double size = (double)w->grid.h * w->grid.n[a];
            double over = (double)at[a] - (double)w->grid.origin[a];
            out = out || !(over >= 0.0 && over <= size);
        }
        if (out) {
            gy_nest_catch(w, at, v, (double)amount[k]);
        }
    }
}

/// The grid has moved: lines are cells, and what flies beyond it is gone.
void gy_breaking_moved(gyre_water *w, const int cells[2], uint32_t periodic)
{
    gy_breaking *b = w->breaking;
    int kept = 0;
    if (!b) {
        return;
    }
    for (int f = 0; f < b->state->front_count; f++) {
        gy_front *front = &b->fronts[f];
        int first = kept;
        for (int p = front->first; p < front->first + front->count; p++) {
            gy_front_point point = b->points[p];
            bool in = true;
            for (int a = 0; a < 2; a++) {
                int n = w->tiles.n[a], *own = a ? &point.j : &point.i;
                int moved = *own - cells[a], behind = point.crest[a] - cells[a];
                if (periodic >> a & 1u) {
                    moved = (moved % n + n) % n;
                    behind = (behind % n + n) % n;
                }
                in = in && moved >= 0 && moved < n && behind >= 0 && behind < n;
                *own = moved;
                point.crest[a] = behind;
            }
            if (in) {
                b->points[kept++] = point;
            }
        }
        front->first = first;
        front->count = kept - first;
    }
    b->state->point_count = kept;
    for (int set = GY_SET_PATCHES; set < GY_SETS; set++) {
        if (set < GY_SET_FOAM) {
            leave_behind(w, &b->sets[set]);
        }
        keep_in(w, set, periodic);
    }
}

static double in_air(const gy_breaking *b)
{
    double sum = b->state->due;
    for (int s = GY_SET_PATCHES; s < GY_SET_FOAM; s++) {
        const float *amount = gy_particles_array(&b->sets[s], GY_AIR_AMOUNT, 0);
        for (int64_t k = 0; k < b->sets[s].state.count; k++) {
            sum += (double)amount[k];
        }
    }
    return sum;
}

void gy_breaking_stats(gyre_water *w)
{
    const gy_breaking *b = w->breaking;
    gyre_water_stats *s = &w->stats;
    double area = (double)w->grid.h * (double)w->grid.h;
    if (!b) {
        return;
    }
    s->fronts = 0;
    for (int f = 0; f < b->state->front_count; f++) {
        s->fronts += b->fronts[f].steep == 1.0f;
    }
    s->fronts_merged = b->state->merged;
    s->fronts_split = b->state->split;
    s->fronts_refused = b->state->fronts_refused;
    s->air = in_air(b) * area;
    s->air_lost = b->state->lost * area;
    s->patches = b->sets[GY_SET_PATCHES].state.count;
    s->patches_refused = b->state->patches_refused;
    s->spray = b->sets[GY_SET_SPRAY].state.count;
    s->spray_refused = b->state->spray_refused;
    s->foam = b->sets[GY_SET_FOAM].state.count;
    s->foam_refused = b->sets[GY_SET_FOAM].state.refused;
}

int gyre_water_fronts(const gyre_water *w, gyre_water_front *fronts, int capacity)
{
    if (GY_MISSING("fronts", w) || (capacity > 0 && GY_MISSING("fronts", fronts))) {
        return 0;
    }
    if (w->def->breaking.fronts == 0) {
        gyre_fail(GYRE_ERROR_STATE, "fronts: none are looked for: set breaking.fronts");
        return 0;
    }
    const gy_breaking *b = w->breaking;
    int count = 0;
    for (int f = 0; f < b->state->front_count; f++) {
        const gy_front *from = &b->fronts[f];
        gyre_water_front *to = &fronts[count];
        if (from->steep != 1.0f || count++ >= capacity) {
            continue;
        }
        *to = (gyre_water_front){.id = from->id,
                                 .parent = from->parent,
                                 .age = from->age,
                                 .speed = from->speed,
                                 .height = from->height,
                                 .depth = from->depth,
                                 .length = from->length};
        memcpy(to->position, from->position, sizeof from->position);
        memcpy(to->normal, from->normal, sizeof from->normal);
    }
    return count;
}
