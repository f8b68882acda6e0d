// water/throw.c: what goes into the air: sheets of steep fronts, water over falls and weirs,
// splashes of bodies.
//
// A front throws a row of particles every `interval` seconds, one for each place of its line, from
// its crest, level, `speed` times as fast as itself: thickness * h * (speed - 1) c interval of
// water each, h the width of a place. To part water of speed v from a column of speed u and depth d
// takes the energy a (v - u)^2 d / (d - a) / 2, a its amount. So it has fallen from the crest by
// (v - u)^2 d / (d - a) / 2 g when it sets out, over the first cell before the front that lies
// lower. A front that is too low for that throws slower, and none that would not outrun it: nothing
// gains energy by being thrown. Rows of one number belong to one sheet, which hangs together from
// row to row and from place to place. Where the bed falls by more than `fall` from a cell to the
// next, what has passed that face in the step, q dt / h, is taken out of the lower cell again and
// begins its fall at the upper one, u fast. A body that enters faster than `splash` throws a
// tenth of what it displaces, from 24 places round it.
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

/// The first cell before a front's whose surface is lower than z.
static bool before(gyre_water *w, const gy_front *front, const gy_front_point *point, float z,
                   float at[3])
{
    enum { REACH = 8 };
    int way = front->normal[front->axis] < 0.0f ? -1 : 1, slot, place;
    for (int k = 1; k <= REACH; k++) {
        int i = point->i + (front->axis == 0 ? k * way : 0);
        int j = point->j + (front->axis == 1 ? k * way : 0);
        const float *depth = gy_air_column(w, i, j, &slot, &place);
        if (!depth) {
            return false;
        }
        if (gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] + *depth < z) {
            at[0] = w->grid.origin[0] + ((float)i + 0.5f) * w->grid.h;
            at[1] = w->grid.origin[1] + ((float)j + 0.5f) * w->grid.h;
            at[2] = z;
            return true;
        }
    }
    return false;
}

static void throw_row(gyre_water *w, gy_front *front)
{
    const gyre_water_breaking *def = &w->def->breaking;
    gy_breaking *b = w->breaking;
    float h = w->grid.h;
    float wide = (def->speed - 1.0f) * front->speed * def->interval;
    float steep = front->normal[front->axis];
    float amount = def->thickness * wide / h / (steep < 0.0f ? -steep : steep);
    for (int p = front->first; p < front->first + front->count; p++) {
        const gy_front_point *point = &b->points[p];
        int i = point->crest[0], j = point->crest[1], slot, place;
        bool end = p == front->first || p == front->first + front->count - 1;
        const float *depth = gy_air_column(w, i, j, &slot, &place);
        if (!depth || !(*depth > 0.0f)) {
            continue;
        }
        float u[2], fallen, share = GY_MIN(amount / *depth, 0.5f);
        float top = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] + *depth;
        velocity_of(w, slot, place, *depth, u);
        float fast =
            pay(w, front, u, share, def->speed * front->speed, 0.8f * front->height, &fallen);
        gy_thrown t = {.sheet = front->id, .row = front->row, .place = front->axis ? i : j};
        if (!(fast > 0.0f) || !before(w, front, point, top - fallen, t.at)) {
            continue;
        }
        t.velocity[0] = fast * front->normal[0];
        t.velocity[1] = fast * front->normal[1];
        float drops = end && w->def->spray.capacity > 0 ? w->def->spray.share * amount : 0.0f;
        if (drops > 0.0f) {
            gy_air_throw(w, GY_SET_SPRAY, i, j, drops, 0.5f, &t);
        }
        gy_air_throw(w, GY_SET_PATCHES, i, j, amount - drops, 0.5f, &t);
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
        if (front->due <= 0.0f && front->speed > 0.0f) {
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
    gy_thrown t = {.place = axis ? i : j, .row = w->breaking->state->throws};
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
    w->breaking->state->line -= (double)old - (double)now;
    w->breaking->state->due += ((double)old - (double)now) - (double)amount;
    return gy_air_add(w, GY_SET_PATCHES, amount, &t);
}

/// `body`: its number among those that the water has columns of.
static void splash(gyre_water *w, int body, const gyre_pose *pose, float fast, double volume)
{
    float h = w->grid.h, size = gy_sqrtf((float)volume), amount;
    enum { ROUND = 24 };
    float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
    const gy_bodies *b = w->body;
    for (int c = 0; c < b->column_count; c++) {
        const gy_column *at = &b->columns[c];
        for (int a = 0; a < 2 && at->body == body; a++) {
            low[a] = GY_MIN(low[a], a ? at->y : at->x);
            high[a] = GY_MAX(high[a], a ? at->y : at->x);
        }
    }
    float reach = high[0] >= low[0] ? 0.5f * GY_MAX(high[0] - low[0], high[1] - low[1]) : size;
    amount = (float)(0.1 * volume / ROUND) / (h * h);
    for (int k = 0; k < ROUND; k++) {
        float turn = 6.2831853f * (float)k / ROUND, way[2] = {gy_cosf(turn), gy_sinf(turn)};
        gy_thrown t = {.velocity = {0.4f * fast * way[0], 0.4f * fast * way[1], 0.8f * fast}};
        int at[2], slot, place;
        for (int a = 0; a < 2; a++) {
            t.at[a] = pose->position[a] + (reach + h) * way[a];
            float period = (float)w->tiles.n[a] * h, edge = w->grid.origin[a];
            if (gy_water_around(&w->model).periodic >> a & 1u) {
                t.at[a] += t.at[a] < edge ? period : t.at[a] >= edge + period ? -period : 0.0f;
            }
            float off = (t.at[a] - edge) / h;
            at[a] = off >= 0.0f && off < (float)w->tiles.n[a] ? (int)off : -1;
        }
        const float *depth = gy_air_column(w, at[0], at[1], &slot, &place);
        if (depth) {
            t.at[2] = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place] + *depth;
            gy_air_throw(w, GY_SET_SPRAY, at[0], at[1], amount, 0.5f, &t);
        }
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
    const gyre_water_body *bodies = w->def->bodies.items;
    gy_breaking *b = w->breaking;
    int own = w->def->bodies.count;
    double least = (double)w->def->breaking.splash;
    for (int k = 0; k < own; k++) {
        double more = w->displaced[k] - b->displaced[k];
        float down = -bodies[k].pose.velocity[2];
        b->displaced[k] = w->displaced[k];
        if (least > 0.0 && (double)down > least && more > 0.0) {
            splash(w, k, &bodies[k].pose, down, more);
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
            splash(w, k, &pose, (float)down, more);
        }
    }
}
