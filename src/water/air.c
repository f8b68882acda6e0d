// water/air.c: water in the air: sheets and drops that were thrown, fly and land.
//
//     x'' = -g z - k |v| v,   k = 3/8 C rho_air / (rho r), C = 0.44, for drops; 0 for sheets
//
// and, where they come down, depth += amount, discharge += amount v. An amount is the very
// difference of the depth that it was taken out of, which a float always holds; what a column
// cannot add for rounding waits for the next that lands.
// So the line `air` is less what is in the air, to rounding of doubles, and momentum likewise.
// What flies is kept in the order in which it was thrown. Cost: some 20 ns a particle and step.
#include "base/maths.h"
#include "water/breaking.h"
#include "water/form.h"
#include <string.h>

float *gy_air_column(gyre_water *w, int i, int j, int *slot, int *place)
{
    if (i < 0 || j < 0 || i >= w->tiles.n[0] || j >= w->tiles.n[1]) {
        return NULL;
    }
    gy_water_slot(w, (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT));
    *slot = gy_tiles_find(&w->tiles, i, j, place);
    if (*slot < 0 || (gy_tile_flags(&w->tiles, *slot)[*place] & GY_CELL_OUT)) {
        return NULL;
    }
    return &gy_tile_edit(&w->tiles, *slot, GY_WATER_DEPTH)[*place];
}

bool gy_air_room(gyre_water *w, int set)
{
    gy_breaking *b = w->breaking;
    if (b->sets[set].state.count < b->sets[set].info.capacity) {
        return true;
    }
    (set == GY_SET_PATCHES ? &b->state->patches_refused : &b->state->spray_refused)[0]++;
    return false;
}

/// Writes a particle that there is room for.
static void put(gyre_water *w, int set, float amount, const gy_thrown *t)
{
    gy_particles *s = &w->breaking->sets[set];
    int64_t k = s->state.count++;
    int32_t number = (int32_t)(s->state.seeded++ & 0x7fffffff);
    for (int a = 0; a < 3; a++) {
        ((float *)gy_particles_array(s, GY_AIR_POSITION, a))[k] = t->at[a];
        ((float *)gy_particles_array(s, GY_AIR_VELOCITY, a))[k] = t->velocity[a];
    }
    ((float *)gy_particles_array(s, GY_AIR_AGE, 0))[k] = 0.0f;
    ((int32_t *)gy_particles_array(s, GY_AIR_ID, 0))[k] = number;
    ((float *)gy_particles_array(s, GY_AIR_AMOUNT, 0))[k] = amount;
    if (set == GY_SET_PATCHES) {
        ((int32_t *)gy_particles_array(s, GY_AIR_SHEET, 0))[k] = t->sheet;
        ((int32_t *)gy_particles_array(s, GY_AIR_ROW, 0))[k] = t->row;
        ((int32_t *)gy_particles_array(s, GY_AIR_PLACE, 0))[k] = t->place;
    }
}

/// A column's discharge changes by a momentum; what it cannot add waits.
static void push(gyre_water *w, int slot, int place, int axis, double more)
{
    float *q = &gy_tile_edit(&w->tiles, slot, GY_WATER_QX + axis)[place], old = *q;
    double *due = &w->breaking->state->push[axis];
    *q = (float)((double)old + (more + *due));
    *due += more - ((double)*q - (double)old);
}

bool gy_air_add(gyre_water *w, int set, float amount, const gy_thrown *thrown)
{
    if (!gy_air_room(w, set)) {
        return false;
    }
    put(w, set, amount, thrown);
    return true;
}

float gy_air_throw(gyre_water *w, int set, int i, int j, float amount, float share,
                   const gy_thrown *thrown)
{
    int slot, place;
    float *depth = gy_air_column(w, i, j, &slot, &place);
    if (!depth) {
        return 0.0f;
    }
    float old = *depth, held = gy_tile_array(&w->tiles, slot, GY_WATER_DISPLACED)[place];
    float most = share * (old - held);
    amount = amount < most ? amount : most;
    if (w->def->exact) {
        int64_t whole = (int64_t)((double)amount / (double)w->quantum);
        amount = (float)((double)whole * (double)w->quantum);
    }
    float now = old - amount;
    amount = old - now; // exact, and so is `now` where it is less than half of `old`
    if (!(amount > 0.0f) || old - held <= w->def->dry_depth || !gy_air_room(w, set)) {
        return 0.0f;
    }
    *depth = now;
    w->breaking->state->line -= (double)amount;
    for (int a = 0; a < 2; a++) {
        push(w, slot, place, a, -(double)amount * (double)thrown->velocity[a]);
    }
    gy_water_touch(w, slot);
    put(w, set, amount, thrown);
    return amount;
}

// ---- flight

typedef struct flight {
    gyre_water *w;
    float *x[3], *v[3], *age, *amount;
    float dt, drag; // 1/m
    int set;
    uint32_t open, periodic;
} flight;

/// A random number of a particle that has come down.
static float chance(const gyre_water *w, uint32_t number, uint32_t which)
{
    uint32_t seed = gy_random((uint32_t)w->def->spray.seed, (uint32_t)w->model.steps);
    return 2.0f * gy_random_unit(gy_random(seed, number), which) - 1.0f;
}

/// Gives what has come down to its column, less what splashes on as drops.
static void land(flight *f, int64_t k, int i, int j, const float at[3], const float speed[3])
{
    gyre_water *w = f->w;
    gy_breaking *b = w->breaking;
    int slot, place;
    float *depth = gy_air_column(w, i, j, &slot, &place), amount = f->amount[k];
    float splash = f->set == GY_SET_PATCHES ? amount * w->def->spray.share : 0.0f;
    float hit = gy_sqrtf(speed[0] * speed[0] + (speed[1] * speed[1] + speed[2] * speed[2]));
    if (w->def->exact) {
        splash =
            (float)((double)(int64_t)((double)splash / (double)w->quantum) * (double)w->quantum);
    }
    if (splash > 0.0f && hit > 1.0f && w->def->spray.capacity > 0) {
        uint32_t number = (uint32_t)b->sets[GY_SET_SPRAY].state.seeded;
        float kept = amount - splash;
        gy_thrown t = {{at[0], at[1], at[2]}, {0, 0, 0}, 0, 0, 0};
        for (uint32_t a = 0; a < 2; a++) {
            t.velocity[a] = 0.5f * speed[a] + 0.3f * hit * chance(w, number, a);
        }
        t.velocity[2] = 0.3f * hit * (1.2f + chance(w, number, 2));
        // No faster than what has come down: nothing splashes higher than it fell.
        float square = t.velocity[0] * t.velocity[0] +
                       (t.velocity[1] * t.velocity[1] + t.velocity[2] * t.velocity[2]);
        float slow = square > 0.64f * hit * hit ? 0.8f * hit / gy_sqrtf(square) : 1.0f;
        for (int a = 0; a < 3; a++) {
            t.velocity[a] *= slow;
        }
        float drop = amount - kept; // an exact difference
        if (gy_air_add(w, GY_SET_SPRAY, drop, &t)) {
            // The column gets what momentum the drop does not keep.
            for (int a = 0; a < 2; a++) {
                b->state->push[a] += (double)drop * ((double)speed[a] - (double)t.velocity[a]);
            }
            amount = kept;
        }
    }
    float old = *depth;
    b->state->due += (double)amount;
    *depth = (float)((double)old + b->state->due);
    double came = (double)*depth - (double)old;
    b->state->due -= came;
    b->state->line += came;
    for (int a = 0; a < 2; a++) {
        push(w, slot, place, a, (double)amount * (double)speed[a]);
    }
    gy_water_touch(w, slot);
    gy_foam_add(w, at, amount * w->grid.h * w->grid.h, hit);
}

/// Of its speed what a particle keeps that meets a solid.
static float kept(const flight *f)
{
    return f->set == GY_SET_SPRAY ? f->w->def->spray.bounce : 0.3f;
}

/// What a drop that has come into a solid does: it goes back to where it was.
static void bounce(const flight *f, int64_t k, const float from[3], bool upwards)
{
    float keep = kept(f);
    for (int a = 0; a < 3; a++) {
        f->x[a][k] = from[a];
        f->v[a][k] *= upwards == (a == 2) ? -keep : keep;
    }
}

/// Beyond a join the coarse water has it.
static bool caught(const flight *f, int64_t k)
{
    const float at[3] = {f->x[0][k], f->x[1][k], f->x[2][k]};
    const float v[3] = {f->v[0][k], f->v[1][k], f->v[2][k]};
    return gy_nest_catch(f->w, at, v, (double)f->amount[k]);
}

/// Where along an axis a place is, round a periodic one and back from walls; -1: it is gone.
static int inside(flight *f, int64_t k, int axis)
{
    const gyre_grid *g = &f->w->grid;
    double size = (double)g->h * g->n[axis];
    double off = (double)f->x[axis][k] - (double)g->origin[axis];
    if (off < 0.0 || off >= size) {
        if (f->periodic >> axis & 1u) {
            off -= size * __builtin_floor(off / size);
        } else if (f->w->nest && caught(f, k)) {
            return -1;
        } else if (f->open >> (2 * axis + (off >= size)) & 1u) {
            return -1;
        } else {
            off = off < 0.0 ? 0.0 : size;
            f->v[axis][k] *= -kept(f);
        }
        f->x[axis][k] = (float)((double)g->origin[axis] + off);
    }
    int i = (int)(off / (double)g->h);
    return i < g->n[axis] ? i : g->n[axis] - 1;
}

/// Whether a body's solid is where a particle is.
static bool in_body(const flight *f, int i, int j, float z)
{
    const gy_bodies *bodies = f->w->body;
    int c = bodies->cell_count > 0 ? gy_cells_find(bodies, i, j) : -1;
    for (int k = c < 0 ? -1 : bodies->cells[c].first; k >= 0; k = bodies->columns[k].next) {
        if (z > bodies->columns[k].low && z < bodies->columns[k].high &&
            bodies->columns[k].area > 0.5f) {
            return true;
        }
    }
    return false;
}

/// One particle for a step; false: it is gone.
static bool fly(flight *f, int64_t k)
{
    gyre_water *w = f->w;
    float from[3], g = w->def->gravity, dt = f->dt, now[3];
    int at[2], slot, place;
    float fast =
        gy_sqrtf(f->v[0][k] * f->v[0][k] + (f->v[1][k] * f->v[1][k] + f->v[2][k] * f->v[2][k]));
    float keep = 1.0f / (1.0f + f->drag * fast * dt);
    for (int a = 0; a < 3; a++) {
        float old = f->v[a][k];
        from[a] = f->x[a][k];
        now[a] = old * keep - (a == 2 ? g * dt : 0.0f);
        f->x[a][k] = from[a] + 0.5f * (old + now[a]) * dt;
        // Drag is the air's: what it takes is nobody's momentum.
        f->v[a][k] = now[a];
    }
    f->age[k] += dt;
    for (int a = 0; a < 2; a++) {
        at[a] = inside(f, k, a);
        if (at[a] < 0) {
            w->breaking->state->lost += (double)f->amount[k];
            return false;
        }
    }
    float here[3] = {f->x[0][k], f->x[1][k], f->x[2][k]};
    float speed[3] = {f->v[0][k], f->v[1][k], f->v[2][k]};
    const float *depth = gy_air_column(w, at[0], at[1], &slot, &place);
    if (!depth || in_body(f, at[0], at[1], here[2])) {
        int i = (int)((from[0] - w->grid.origin[0]) / w->grid.h);
        int j = (int)((from[1] - w->grid.origin[1]) / w->grid.h);
        i = GY_MIN(i, w->tiles.n[0] - 1);
        j = GY_MIN(j, w->tiles.n[1] - 1);
        bounce(f, k, from, depth && i == at[0] && j == at[1]);
        depth = gy_air_column(w, i, j, &slot, &place);
        if (!depth) {
            // It is shut in, as where an edge has been set up round it.
            w->breaking->state->lost += (double)f->amount[k];
            return false;
        }
        at[0] = i;
        at[1] = j;
        memcpy(here, from, sizeof here);
        for (int a = 0; a < 3; a++) {
            speed[a] = f->v[a][k];
        }
    }
    float bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
    float surface = bed + *depth;
    if (here[2] <= surface && (speed[2] <= 0.0f || here[2] <= bed)) {
        // The bed's drops bounce where it is dry, if they are fast.
        if (f->set == GY_SET_SPRAY && *depth <= w->def->dry_depth && speed[2] < -1.0f) {
            f->x[2][k] = surface;
            f->v[2][k] *= -w->def->spray.bounce;
            return true;
        }
        here[2] = surface;
        land(f, k, at[0], at[1], here, speed);
        return false;
    }
    return true;
}

void gy_air_keep(const gy_particles *s, int64_t from, int64_t to)
{
    for (int a = 0; a < s->info.arrays && to < from; a++) {
        uint32_t *array =
            (uint32_t *)(void *)((char *)(uintptr_t)s->base + (size_t)a * s->step * 64);
        array[to] = array[from];
    }
}

void gy_air_fly(gyre_water *w, float dt)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    for (int set = GY_SET_PATCHES; set < GY_SET_FOAM; set++) {
        gy_particles *s = &w->breaking->sets[set];
        flight f = {.w = w,
                    .age = gy_particles_array(s, GY_AIR_AGE, 0),
                    .amount = gy_particles_array(s, GY_AIR_AMOUNT, 0),
                    .dt = dt,
                    .set = set};
        if (set == GY_SET_SPRAY && w->def->spray.diameter > 0.0f) {
            f.drag = 0.75f * 0.44f * 1.2f / (w->def->water_density * w->def->spray.diameter);
        }
        for (int a = 0; a < 3; a++) {
            f.x[a] = gy_particles_array(s, GY_AIR_POSITION, a);
            f.v[a] = gy_particles_array(s, GY_AIR_VELOCITY, a);
        }
        for (int q = 0; q < GY_WATER_SIDES; q++) {
            f.periodic |= sides[q].rule == GYRE_WATER_PERIODIC ? 1u << (q / 2) : 0u;
            f.open |= sides[q].rule == GYRE_WATER_WALL ? 0u : 1u << q;
        }
        int64_t kept = 0, count = s->state.count;
        for (int64_t k = 0; k < count; k++) {
            if (!fly(&f, k)) {
                s->state.lost++;
                continue;
            }
            gy_air_keep(s, k, kept);
            kept++;
        }
        s->state.count = kept;
    }
}
