// water/throw.c: what goes into the air: sheets of steep fronts, water over falls and weirs,
// splashes of bodies.
//
// A front throws a row of particles every `interval` seconds, one for each place of its line, from
// its crest, level, `speed` times as fast as itself: thickness * h * (speed - 1) c interval of
// water each, h the width of a place: rows then lie as far apart as they are wide, and the sheet is
// as thick as `thickness`. To part water of speed v from a column of speed u and depth d takes the
// energy a (v - u)^2 d / (d - a) / 2, a its amount. So it has fallen from the crest by
// (v - u)^2 d / (d - a) / 2 g when it sets out, half a cell before where the front is as low. A
// front that is too low for that throws slower, and none that would not outrun it: nothing gains
// energy by being thrown. Rows of one number belong to one sheet, which hangs together from
// row to row and from place to place. Where the bed falls by more than `fall` from a cell to the
// next, what has passed that face in the step, q dt / h, is taken out of the lower cell again and
// begins its fall at the upper one, u fast. A body that enters faster than `splash` throws a
// tenth of what it displaces, from 24 places round it, and is as much slower as that takes.
#include "base/maths.h"
#include "body/body.h"
#include "water/breaking.h"
#include "water/form.h"

/// The velocity of a column, m/s.
static void velocity_of(const gyre_water *w, int slot, int place, float depth, float u[2])
{
    for (int a = 0; a < 2; a++) {
        float q = gy_tile_state(&w->tiles, slot, GY_WATER_QX + a)[place];
        u[a] = depth > w->def->dry_depth ? q / depth : 0.0f;
    }
}

/// How fast water of a crest can be that has fallen by `most` at the most, less than `fast`, and by
/// how much it has, for the share of its depth that is thrown; 0: not faster than the front.
static float pay(const gyre_water *w, const gy_front *front, const float u[2], float share,
                 float fast, float most, float *fallen)
{
    float along = u[0] * front->normal[0] + u[1] * front->normal[1];
    float across = u[1] * front->normal[0] - u[0] * front->normal[1];
    float pays = 2.0f * w->def->gravity * (1.0f - share); // (m/s)^2 a metre
    float square = (fast - along) * (fast - along) + across * across;
    if (square > pays * most) {
        float left = pays * most - across * across;
        fast = left > 0.0f ? along + gy_sqrtf(left) : 0.0f;
        square = pays * most;
    }
    *fallen = square / pays;
    return fast > front->speed ? fast : 0.0f;
}

/// The surface of a column; false: there is none.
static bool surface_of(const gyre_water *w, int i, int j, float *surface)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot < 0 || (gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
        return false;
    }
    *surface = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] +
               gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH)[place];
    return true;
}

/// Half a cell before the place where the surface, linear between cells, falls through z: so it
/// moves on evenly with a front, and lies in the first cell before it that is lower.
static bool before(const gyre_water *w, const gy_front *front, const gy_front_point *point, float z,
                   float at[3])
{
    enum { REACH = 24 };
    int way = front->normal[front->axis] < 0.0f ? -1 : 1;
    float last = z, surface;
    for (int k = 0; k <= REACH; k++, last = surface) {
        int i = point->crest[0] + (front->axis == 0 ? k * way : 0);
        int j = point->crest[1] + (front->axis == 1 ? k * way : 0);
        if (!surface_of(w, i, j, &surface)) {
            return false;
        }
        if (surface < z) {
            float share = last > z ? (last - z) / (last - surface) : 0.0f;
            share = (float)way * (GY_MIN(GY_MAX(share, 0.001f), 0.999f) - 0.5f);
            at[0] = w->grid.origin[0] +
                    ((float)i + 0.5f + (front->axis == 0 ? share : 0.0f)) * w->grid.h;
            at[1] = w->grid.origin[1] +
                    ((float)j + 0.5f + (front->axis == 1 ? share : 0.0f)) * w->grid.h;
            at[2] = z;
            return true;
        }
    }
    return false;
}

float gy_front_amount(const gyre_water *w, const gy_front *front)
{
    const gyre_water_breaking *def = &w->def->breaking;
    float wide = (def->speed - 1.0f) * front->speed * def->interval;
    float steep = front->normal[front->axis];
    return def->thickness * wide / w->grid.h / (steep < 0.0f ? -steep : steep);
}

bool gy_front_launch(const gyre_water *w, const gy_front *front, const gy_front_point *point,
                     gy_thrown *t)
{
    const gyre_water_breaking *def = &w->def->breaking;
    int across = 1 - front->axis, slot, place;
    slot = gy_tiles_find(&w->tiles, point->crest[0], point->crest[1], &place);
    if (slot < 0 || (gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
        return false;
    }
    float depth = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH)[place];
    // What bodies displace there cannot be thrown.
    float own = depth - gy_tile_array(&w->tiles, slot, GY_WATER_DISPLACED)[place];
    if (!(own > 0.0f)) {
        return false;
    }
    float u[2], fallen, share = GY_MIN(gy_front_amount(w, front), 0.5f * own) / depth;
    float top = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] + depth;
    velocity_of(w, slot, place, depth, u);
    float fast = pay(w, front, u, share, def->speed * front->speed, 0.8f * front->height, &fallen);
    *t = (gy_thrown){.sheet = front->id,
                     .row = front->row,
                     .place = point->crest[across] + w->model.place.moved[across]};
    if (!(fast > 0.0f) || !before(w, front, point, top - fallen, t->at)) {
        return false;
    }
    t->velocity[0] = fast * front->normal[0];
    t->velocity[1] = fast * front->normal[1];
    return true;
}

static void throw_row(gyre_water *w, gy_front *front)
{
    gy_breaking *b = w->breaking;
    float amount = gy_front_amount(w, front);
    for (int p = front->first; p < front->first + front->count; p++) {
        const gy_front_point *point = &b->points[p];
        int i = point->crest[0], j = point->crest[1], slot, place;
        bool end = p == front->first || p == front->first + front->count - 1;
        gy_thrown t;
        // A sheet may set out over tiles that have no memory yet.
        for (int k = 1; k <= GY_WATER_TILE; k += GY_WATER_TILE - 1) {
            int way = front->normal[front->axis] < 0.0f ? -k : k;
            gy_air_column(w, i + (front->axis == 0 ? way : 0), j + (front->axis == 1 ? way : 0),
                          &slot, &place);
        }
        if (!gy_front_launch(w, front, point, &t)) {
            continue;
        }
        // Half of what a column has at most, drops and sheet together: what the launch has paid.
        const float *depth = gy_air_column(w, i, j, &slot, &place);
        float held = gy_tile_array(&w->tiles, slot, GY_WATER_DISPLACED)[place];
        float all = GY_MIN(amount, 0.5f * (*depth - held));
        float drops = end && w->def->spray.capacity > 0 ? w->def->spray.share * all : 0.0f;
        if (drops > 0.0f) {
            gy_air_throw(w, GY_SET_SPRAY, i, j, drops, 0.5f, &t);
        }
        gy_air_throw(w, GY_SET_PATCHES, i, j, all - drops, 0.5f, &t);
    }
    front->row++;
}

void gy_fronts_throw(gyre_water *w, float dt)
{
    gy_breaking *b = w->breaking;
    if (w->def->breaking.patches == 0) {
        return;
    }
    for (int f = 0; f < b->state->front_count; f++) {
        gy_front *front = &b->fronts[f];
        front->due -= dt;
        if (front->due <= 0.0f && front->speed > 0.0f && front->steep == 1.0f) {
            // Rows are no closer than steps.
            front->due += w->def->breaking.interval;
            front->due = front->due > 0.0f ? front->due : 0.0f;
            throw_row(w, front);
        }
    }
}

/// Over the face between a cell and the next along an axis.
static void fall_over(gyre_water *w, int i, int j, int axis, float dt)
{
    int at[2][2] = {{i, j}, {i + (axis == 0), j + (axis == 1)}}, slot[2], place[2];
    float bed[2], depth[2], h = w->grid.h;
    for (int s = 0; s < 2; s++) {
        slot[s] = gy_tiles_find(&w->tiles, at[s][0], at[s][1], &place[s]);
        if (slot[s] < 0 || gy_tile_flags(&w->tiles, slot[s])[place[s]] & GY_CELL_OUT) {
            return;
        }
        bed[s] = gy_tile_array(&w->tiles, slot[s], GY_WATER_BED)[place[s]];
        depth[s] = gy_tile_state(&w->tiles, slot[s], GY_WATER_DEPTH)[place[s]];
    }
    int up = bed[0] > bed[1] ? 0 : 1, low = 1 - up;
    int shut = axis ? GY_CELL_SHUT_HIGH_Y : GY_CELL_SHUT_HIGH_X;
    if (bed[up] - (bed[low] + depth[low]) < w->def->breaking.fall ||
        depth[up] <= w->def->dry_depth || gy_tile_flags(&w->tiles, slot[0])[place[0]] & shut) {
        return;
    }
    float q = gy_tile_state(&w->tiles, slot[up], GY_WATER_QX + axis)[place[up]];
    float out = up == 0 ? q : -q, u = q / depth[up];
    if (!(out > 0.0f)) {
        return;
    }
    float amount = out * dt / h, edge = up == 0 ? 0.51f : -0.51f;
    // A number of its own for each face, which neighbours along an edge follow each other in.
    int n = w->tiles.n[0] + 1, m = w->tiles.n[1] + 1;
    int x = i + w->model.place.moved[0], y = j + w->model.place.moved[1];
    gy_thrown t = {.place = axis ? n * m + x + n * y : y + m * x,
                   .row = w->breaking->state->throws};
    t.at[0] = w->grid.origin[0] + ((float)at[up][0] + 0.5f + (axis ? 0.0f : edge)) * h;
    t.at[1] = w->grid.origin[1] + ((float)at[up][1] + 0.5f + (axis ? edge : 0.0f)) * h;
    t.at[2] = bed[up] + 0.5f * depth[up];
    t.velocity[axis] = u;
    gy_air_throw(w, GY_SET_PATCHES, at[low][0], at[low][1], amount, 0.98f, &t);
}

void gy_falls(gyre_water *w, float dt)
{
    float fall = w->def->breaking.fall;
    const gy_tiles *t = &w->tiles;
    if (!(fall > 0.0f)) {
        return;
    }
    w->breaking->state->throws = (w->breaking->state->throws + 1) & 0x7fffffff;
    for (int tile = 0; tile < t->tn[0] * t->tn[1]; tile++) {
        int slot = t->slot[tile];
        int x = tile % t->tn[0] * GY_WATER_TILE, y = tile / t->tn[0] * GY_WATER_TILE;
        if (slot < 0) {
            continue;
        }
        const float *bed = gy_tile_array(t, slot, GY_WATER_BED);
        for (int j = 0; j < GY_WATER_TILE && y + j < t->n[1]; j++) {
            for (int i = 0; i < GY_WATER_TILE && x + i < t->n[0]; i++) {
                int p = j * GY_WATER_TILE + i;
                float x_step = i < GY_WATER_TILE - 1 ? bed[p] - bed[p + 1] : 1e6f;
                float y_step = j < GY_WATER_TILE - 1 ? bed[p] - bed[p + GY_WATER_TILE] : 1e6f;
                if (x_step > fall || x_step < -fall) {
                    fall_over(w, x + i, y + j, 0, dt);
                }
                if (y_step > fall || y_step < -fall) {
                    fall_over(w, x + i, y + j, 1, dt);
                }
            }
        }
    }
}

bool gy_weir_throws(gyre_water *w, const gy_gate_face *face, int up, float moved, float dt,
                    const float heights[2], float *from)
{
    float h = w->grid.h, head = heights[0] - heights[1], way = up == 0 ? 1.0f : -1.0f;
    int axis = face->axis;
    if (!(head > 0.0f) || !gy_air_room(w, GY_SET_PATCHES)) {
        return false;
    }
    float old = *from, now = old - moved, amount = old - now;
    gy_thrown t = {.sheet = -1 - face->gate,
                   .place = axis ? face->i : face->j,
                   .row = w->breaking->state->throws};
    // Critical over a broad crest: two thirds of the head deep.
    float off = 0.01f * way;
    t.at[0] = w->grid.origin[0] + ((float)face->i + (axis ? 0.5f : off)) * h;
    t.at[1] = w->grid.origin[1] + ((float)face->j + (axis ? off : 0.5f)) * h;
    t.at[2] = heights[1] + head / 3.0f;
    t.velocity[axis] = way * 1.5f * amount * h / (dt * head);
    *from = now;
    w->breaking->state->line -= (double)amount; // exact: see gy_air_throw
    return gy_air_add(w, GY_SET_PATCHES, amount, &t);
}

/// A body's splash: drops from places round it.
typedef struct ring {
    float middle[2], reach, amount; // m; m of depth
    float out, up;                  // m/s
} ring;

enum { ROUND = 24 };

/// What a place of a ring throws; NULL: there is no column.
static const float *ring_place(gyre_water *w, const ring *r, int k, gy_thrown *t, int at[2],
                               float u[2])
{
    float turn = 6.2831853f * (float)k / ROUND, way[2] = {gy_cosf(turn), gy_sinf(turn)};
    int slot, place;
    *t = (gy_thrown){.velocity = {r->out * way[0], r->out * way[1], r->up}};
    for (int a = 0; a < 2; a++) {
        t->at[a] = r->middle[a] + r->reach * way[a];
        float period = (float)w->tiles.n[a] * w->grid.h, edge = w->grid.origin[a];
        if (gy_water_around(&w->model).periodic >> a & 1u) {
            t->at[a] += t->at[a] < edge ? period : t->at[a] >= edge + period ? -period : 0.0f;
        }
        float off = (t->at[a] - edge) / w->grid.h;
        at[a] = off >= 0.0f && off < (float)w->tiles.n[a] ? (int)off : -1;
    }
    const float *depth = gy_air_column(w, at[0], at[1], &slot, &place);
    if (depth) {
        t->at[2] = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] + *depth;
        velocity_of(w, slot, place, *depth, u);
    }
    return depth;
}

/// J that it takes to part a metre's share of a column d deep and u fast, and to throw it.
static double cost(const gyre_water *w, const gy_thrown *t, float amount, float d, const float u[2])
{
    double square = 0.0, h = (double)w->grid.h, g = (double)w->def->gravity;
    for (int a = 0; a < 2; a++) {
        double off = (double)t->velocity[a] - (double)u[a];
        square += off * off;
    }
    square *= d > amount ? (double)d / ((double)d - (double)amount) : 0.0;
    square += (double)t->velocity[2] * (double)t->velocity[2];
    return (double)w->def->water_density * h * h * (double)amount * 0.5 *
           (square + g * (double)amount);
}

/// `body`: its number among those that the water has columns of; `own`: the water's own body, NULL:
/// one of a set, which is the set's to slow, so that who moves it pays.
static void splash(gyre_water *w, int body, gyre_water_body *own, const gyre_pose *pose, float fast,
                   double volume)
{
    float h = w->grid.h, low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f}, u[2];
    const gy_bodies *b = w->body;
    for (int c = 0; c < b->column_count; c++) {
        const gy_column *at = &b->columns[c];
        for (int a = 0; a < 2 && at->body == body; a++) {
            low[a] = GY_MIN(low[a], a ? at->y : at->x);
            high[a] = GY_MAX(high[a], a ? at->y : at->x);
        }
    }
    float reach = high[0] >= low[0] ? 0.5f * GY_MAX(high[0] - low[0], high[1] - low[1])
                                    : gy_sqrtf((float)volume);
    ring r = {{pose->position[0], pose->position[1]},
              reach + h,
              (float)(0.1 * volume / ROUND) / (h * h),
              0.4f * fast,
              0.8f * fast};
    bool pays = own && !own->held;
    double wanted = 0.0, spent = 0.0;
    double mass = pays ? b->forms[body].volume * (double)own->density : 0.0;
    double has = 0.5 * mass * (double)fast * (double)fast;
    gy_thrown t;
    int at[2];
    for (int k = 0; k < ROUND; k++) {
        const float *depth = ring_place(w, &r, k, &t, at, u);
        wanted += depth ? cost(w, &t, r.amount, *depth, u) : 0.0;
    }
    // A body spends a quarter of what it falls with at the most; who holds it what it takes.
    float slow = pays && wanted > 0.25 * has ? gy_sqrtf((float)(0.25 * has / wanted)) : 1.0f;
    r.out *= slow;
    r.up *= slow;
    for (int k = 0; k < ROUND; k++) {
        const float *depth = ring_place(w, &r, k, &t, at, u);
        if (depth) {
            float d = *depth;
            float thrown = gy_air_throw(w, GY_SET_SPRAY, at[0], at[1], r.amount, 0.5f, &t);
            spent += cost(w, &t, thrown, d, u);
        }
    }
    if (pays && mass > 0.0) {
        double left = (double)fast * (double)fast - 2.0 * spent / mass;
        own->pose.velocity[2] = -gy_sqrtf((float)GY_MAX(left, 0.0));
    }
}

/// How fast a body of the set comes down, m/s.
static double down_of(const gy_set_state *state)
{
    return state->dt > 0.0 ? (state->before.at[2] - state->now.at[2]) / state->dt
                           : -state->velocity[2];
}

void gy_splashes(gyre_water *w, float dt)
{
    gyre_water_body *bodies = w->def->bodies.items;
    gy_breaking *b = w->breaking;
    int own = w->def->bodies.count;
    double least = (double)w->def->breaking.splash;
    for (int k = 0; k < own; k++) {
        double more = w->displaced[k] - b->displaced[k];
        float down = -bodies[k].pose.velocity[2];
        b->displaced[k] = w->displaced[k];
        if (least > 0.0 && (double)down > least && more > 0.0) {
            splash(w, k, &bodies[k], &bodies[k].pose, down, more);
        }
    }
    for (int k = own; k < w->body_room; k++) {
        b->displaced[k] = 0.0;
    }
    // What those of a set displaced a step ago is no part of the water's state: by how much more
    // it is now follows from how much of the surface they cut.
    for (int k = own; w->set.memory && least > 0.0 && k < w->set.pool.count; k++) {
        double down = down_of(w->model.bodies->states + (k - own));
        double more = down > least && w->set.all[k].enabled
                          ? gy_bodies_cut(w->body, k) * down * (double)dt
                          : 0.0;
        if (more > 0.0) {
            gyre_pose pose = w->set.all[k].pose;
            gy_bodies_bring_in(w->body, k, &pose);
            splash(w, k, NULL, &pose, (float)down, more);
        }
    }
}
