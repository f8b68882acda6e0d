// What bodies displace, and the moving of it.
//
// A body's columns displace what of them lies under the plane that the water's surface is near them
// (water/body_surface.c); what they displace raises that plane in turn, so that both are found
// together by Newton's method, in three unknowns. Amounts are then rounded to whole multiples of a
// unit, and handed out to the cells near the body: the sum that was taken up by columns enters
// cells, by the same whole numbers. What water there is too little of is not moved, and waits.
//
// Cost per body: its columns, and some three times as many cells near it, a few times each.
#include "base/maths.h"
#include "water/form.h"
#include <string.h>

static int64_t whole(double x)
{
    return (int64_t)(x + (x < 0.0 ? -0.5 : 0.5));
}

enum { SWEEPS = 4 };

/// Solves a x = b of three unknowns by elimination with row exchange; false: singular.
static bool solve3(double a[3][3], double b[3])
{
    for (int c = 0; c < 3; c++) {
        int best = c;
        for (int r = c + 1; r < 3; r++) {
            if (__builtin_fabs(a[r][c]) > __builtin_fabs(a[best][c])) {
                best = r;
            }
        }
        if (!(__builtin_fabs(a[best][c]) > 1e-12)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            double t = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = t;
        }
        double t = b[c];
        b[c] = b[best];
        b[best] = t;
        for (int r = 0; r < 3; r++) {
            if (r != c) {
                double f = a[r][c] / a[c][c];
                for (int k = c; k < 3; k++) {
                    a[r][k] -= f * a[c][k];
                }
                b[r] -= f * b[c];
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        b[c] /= a[c][c];
    }
    return true;
}

// ---- what a cell displaces
// ------------------------------------------------------------------------

/// Metres of a column that lie in those of earlier bodies in the same cell already.
static double shared(const gy_bodies *b, const gy_cell *cell, int column, double surface)
{
    const gy_column *c = b->columns + column;
    double sum = 0.0;
    for (int k = cell->first; k >= 0 && k != column; k = b->columns[k].next) {
        const gy_column *e = b->columns + k;
        if (e->body == c->body) {
            continue;
        }
        double low = (double)GY_MAX(c->low, e->low), high = (double)GY_MIN(c->high, e->high);
        low = GY_MAX(low, (double)cell->bed);
        high = GY_MIN(high, surface);
        sum += high > low ? (high - low) * (double)GY_MIN(c->area, e->area) : 0.0;
    }
    return sum;
}

/// The plane over the middle of a column, which may count from the other side of joined sides.
static double plane_over(const gy_bodies *b, const gy_cell *cell, const gy_column *c,
                         const gy_plane *plane)
{
    double at[2] = {(double)c->x, (double)c->y};
    const int own[2] = {cell->i, cell->j};
    for (int a = 0; a < 2; a++) {
        int n = plane->period[a];
        int by =
            n == 0 ? 0 : gy_plane_cell(plane, a, own[a]) - (own[a] + gy_column_beyond(c, a) * n);
        at[a] += by == 0 ? -0.0 : by * (double)b->grid.h;
    }
    return gy_plane_height(plane, at[0], at[1]);
}

/// Metres of water that the bodies in a cell take up, where the surface is as the plane says (NULL:
/// as the cell's own). `note`: each column's share is kept with it, in units that add up to the
/// whole.
static double displaced_in(const gy_bodies *b, const gy_cell *cell, const gy_plane *plane,
                           double unit, bool note)
{
    double sum = 0.0;
    int64_t before = 0;
    for (int k = cell->first; k >= 0; k = b->columns[k].next) {
        gy_column *c = b->columns + k;
        double surface = plane ? plane_over(b, cell, c, plane) : (double)cell->surface;
        double wet = gy_column_wet(c, (double)cell->bed, surface);
        if (wet > 0.0 && k != cell->first) {
            double less = shared(b, cell, k, surface);
            wet = wet > less ? wet - less : 0.0;
        }
        sum += wet;
        if (note) {
            int64_t units = whole(sum / unit);
            c->units = units - before;
            before = units;
        }
    }
    return sum;
}

/// What a cell shall displace in units: a number that a float holds.
static int64_t target_of(const gy_bodies *b, const gy_cell *cell, const gy_plane *plane,
                         double unit)
{
    double x = displaced_in(b, cell, plane, unit, true) / unit;
    return (int64_t)(float)whole(x);
}

// ---- the plane and what is displaced, together
// ----------------------------------------------------

/// The cells of a part, one after another: its own in order, then those taken along.
typedef struct walk {
    const gy_bodies *b;
    const gy_group *g;
    int part, at, link;
} walk;

static int walk_on(walk *w)
{
    while (++w->at < w->g->first + w->g->count) {
        if (w->b->cells[w->at].part == w->part + 1) {
            return w->at;
        }
    }
    int c = w->link;
    if (c >= 0) {
        w->link = w->b->cells[c].link;
    }
    return c;
}

static walk walk_from(const gy_bodies *b, const gy_group *g, const gy_plane *p, int part)
{
    walk w = {.b = b, .g = g, .part = part, .at = g->first - 1, .link = p->taken};
    return w;
}

/// Centre of a cell about the plane's own.
static void about(const gy_bodies *b, const gy_plane *p, int i, int j, double at[2])
{
    at[0] = (double)b->grid.origin[0] + (i + 0.5) * (double)b->grid.h - p->x;
    at[1] = (double)b->grid.origin[1] + (j + 0.5) * (double)b->grid.h - p->y;
}

/// The same of a cell of the lists, which the domain's own numbers tell.
static void cell_about(const gy_bodies *b, const gy_plane *p, const gy_cell *cell, double at[2])
{
    about(b, p, gy_plane_cell(p, 0, cell->i), gy_plane_cell(p, 1, cell->j), at);
}

/// N v, N being the inverse of the weighted moments.
static void weigh(const gy_plane *p, const double v[3], double result[3])
{
    result[0] = v[0] / p->weight;
    result[1] = p->inverse[0] * v[1] + p->inverse[1] * v[2];
    result[2] = p->inverse[1] * v[1] + p->inverse[2] * v[2];
}

/// How the plane moves when moments v are handed out: N S N v, S being the sums of squared weights.
static void respond(const gy_plane *p, const double v[3], double result[3])
{
    const double *s = p->squares;
    double n[3], m[3];
    weigh(p, v, n);
    m[0] = s[0] * n[0] + s[1] * n[1] + s[2] * n[2];
    m[1] = s[1] * n[0] + s[3] * n[1] + s[4] * n[2];
    m[2] = s[2] * n[0] + s[4] * n[1] + s[5] * n[2];
    weigh(p, m, result);
}

/// Moments of what is to be moved (sum of (1, x, y) times metres) and how they change with the
/// plane.
static void moments(const walk *start, const gy_plane *p, double unit, double v[3], double c[3][3])
{
    const gy_bodies *b = start->b;
    walk w = *start;
    memset(v, 0, 3 * sizeof(double));
    double sum[6] = {0.0};
    for (int k = walk_on(&w); k >= 0; k = walk_on(&w)) {
        const gy_cell *cell = b->cells + k;
        double at[2], x = displaced_in(b, cell, p, unit, false) - (double)cell->now * unit;
        cell_about(b, p, cell, at);
        v[0] += x;
        v[1] += x * at[0];
        v[2] += x * at[1];
        for (int n = cell->first; n >= 0; n = b->columns[n].next) {
            const gy_column *column = b->columns + n;
            double surface = plane_over(b, cell, column, p),
                   cut = gy_column_cut(column, (double)cell->bed, surface);
            sum[0] += cut;
            sum[1] += cut * at[0];
            sum[2] += cut * at[1];
            sum[3] += cut * at[0] * at[0];
            sum[4] += cut * at[0] * at[1];
            sum[5] += cut * at[1] * at[1];
        }
    }
    const double all[3][3] = {
        {sum[0], sum[1], sum[2]}, {sum[1], sum[3], sum[4]}, {sum[2], sum[4], sum[5]}};
    memcpy(c, all, sizeof all);
}

/// Finds the plane that is there once what its columns displace has been handed out.
static void settle(gy_bodies *b, const gy_group *g, int part, double unit, gy_plane *p)
{
    const double start[3] = {p->height, p->dx, p->dy};
    double reach = (double)b->grid.h * (g->size[0] + g->size[1]);
    walk w = walk_from(b, g, p, part);
    for (int step = 0; step < 4; step++) {
        double v[3], c[3][3], a[3][3], rise[3], f[3];
        moments(&w, p, unit, v, c);
        respond(p, v, rise);
        f[0] = start[0] + g->waves * rise[0] - p->height;
        f[1] = start[1] + g->waves * rise[1] - p->dx;
        f[2] = start[2] + g->waves * rise[2] - p->dy;
        for (int k = 0; k < 3; k++) {
            const double column[3] = {c[0][k], c[1][k], c[2][k]};
            double r[3];
            respond(p, column, r);
            for (int n = 0; n < 3; n++) {
                // Where a body leaves no other water near it nothing would hold the plane.
                a[n][k] = (n == k ? 1.0 : 0.0) - 0.95 * g->waves * r[n];
            }
        }
        if (!solve3(a, f)) {
            return;
        }
        p->height += f[0];
        p->dx += f[1];
        p->dy += f[2];
        if (__builtin_fabs(f[0]) + reach * (__builtin_fabs(f[1]) + __builtin_fabs(f[2])) < unit) {
            return;
        }
    }
}

// ---- handing out
// ----------------------------------------------------------------------------------

/// Adds units to a cell's depth, at most as many below 0 as there is water for. Returns how many
/// it came to (with floats that are no multiples of the unit: as rounded).
static double add_units(const gy_water_surface *surf, int slot, int place, double limit,
                        double unit, int64_t units)
{
    float *depth = gy_tile_edit(surf->tiles, slot, GY_WATER_DEPTH) + place;
    if (units < 0 && -(double)units * unit > limit) {
        units = -(int64_t)(limit / unit);
    }
    if (units == 0) {
        return 0.0;
    }
    float before = *depth;
    *depth = (float)((double)before + (double)units * unit);
    if (surf->touched) {
        surf->touched[slot] = 1;
    }
    double done = (double)*depth - (double)before;
    return done == (double)units * unit ? (double)units : done / unit;
}

/// The share of the tilted part of a shape n that may be handed out, so that it takes at most half
/// of the water that any cell has.
static double bearable(const gy_bodies *b, const gy_plane *p, const double n[3])
{
    double share = 1.0, most = __builtin_fabs(n[1]) + __builtin_fabs(n[2]);
    if (n[0] < 0.0 ? p->reach * most - n[0] < 0.5 * p->least : p->reach * most < 0.5 * p->least) {
        return share;
    }
    for (int k = 0; k < p->count; k++) {
        const gy_near *near = b->zone + k;
        double at[2];
        const double slope[3] = {0.0, n[1], n[2]};
        about(b, p, near->i, near->j, at);
        double tilt = gy_near_shape(near, p, slope, at);
        double least = -0.5 * (double)near->limit - (double)near->weight * n[0];
        if (tilt < 0.0 && share * tilt < least) {
            share = least < 0.0 ? least / tilt : 0.0;
        }
    }
    return share;
}

/// Hands out what is left where it can be: first evenly, then (below 0) as it is to be had. Returns
/// what there is no water for.
static int64_t hand_out_rest(gy_bodies *b, const gy_water_surface *surf, const gy_plane *p,
                             int64_t left, double unit)
{
    int cells = 0;
    for (int k = 0; k < p->count; k++) {
        cells += b->zone[k].weight > 0.0f;
    }
    for (int pass = 0; pass < 2; pass++) {
        int64_t rest = cells;
        for (int k = 0; k < p->count && left != 0; k++) {
            gy_near *near = b->zone + k;
            if (near->weight > 0.0f) {
                int64_t share = pass == 0 ? left / rest : left;
                double done =
                    add_units(surf, near->slot, near->place, (double)near->limit, unit, share);
                near->limit = (float)((double)near->limit + done * unit);
                left -= whole(done);
                rest--;
            }
        }
    }
    return left;
}

/// Hands `units` out to the water near a part, in the shape of moments v. Returns what it had no
/// water for: of the same sign, and no more.
static int64_t hand_out(gy_bodies *b, const gy_water_surface *surf, const gy_plane *p,
                        const double v[3], int64_t units, double unit)
{
    double n[3], owed = 0.0, given = 0.0;
    weigh(p, v, n);
    double share = bearable(b, p, n);
    n[0] /= unit;
    n[1] *= share / unit;
    n[2] *= share / unit;
    for (int k = 0; k < p->count; k++) {
        gy_near *near = b->zone + k;
        if (!(near->weight > 0.0f)) {
            continue;
        }
        double at[2];
        about(b, p, near->i, near->j, at);
        owed += gy_near_shape(near, p, n, at);
        double done =
            add_units(surf, near->slot, near->place, (double)near->limit, unit, whole(owed));
        owed -= done;
        given += done;
        near->limit = (float)((double)near->limit + done * unit);
    }
    int64_t left = units - whole(given);
    return left != 0 ? hand_out_rest(b, surf, p, left, unit) : 0;
}

/// Sets what is displaced in a cell.
static void put(gy_bodies *b, const gy_water_surface *surf, gy_cell *cell, int64_t units,
                double unit)
{
    cell->now = units;
    gy_tile_array(surf->tiles, cell->slot, GY_WATER_DISPLACED)[cell->place] =
        (float)((double)units * unit);
    surf->tiles->edited[cell->slot] |= GY_TILE_COPY;
    int tile = surf->tiles->tile[cell->slot];
    if (units != 0) {
        b->held[tile] |= (uint64_t)1 << (cell->j & GY_TILE_MASK);
    }
    if (surf->touched) {
        surf->touched[cell->slot] = 1;
    }
}

/// Moves what a part's cells displace more or less than before. `even`: units that are left to be
/// handed out everywhere.
static void move_part(gy_bodies *b, const gy_water_surface *surf, const gy_group *g, int part,
                      gy_plane *p, int64_t *even)
{
    double unit = gy_body_unit(surf), v[3] = {0.0, 0.0, 0.0};
    int64_t sum = 0, far;
    walk w = walk_from(b, g, p, part), first = w;
    for (int k = walk_on(&w); k >= 0; k = walk_on(&w)) {
        gy_cell *cell = b->cells + k;
        cell->target = target_of(b, cell, p, unit);
        double at[2], x = (double)(cell->target - cell->now) * unit;
        cell_about(b, p, cell, at);
        sum += cell->target - cell->now;
        v[0] += x;
        v[1] += x * at[0];
        v[2] += x * at[1];
    }
    far = whole((double)sum * (1.0 - g->waves));
    if (g->waves < 1.0) {
        double near = sum != 0 ? (double)(sum - far) / (double)sum : g->waves;
        v[0] *= near;
        v[1] *= g->waves;
        v[2] *= g->waves;
    }
    int64_t left = hand_out(b, surf, p, v, sum - far, unit);
    *even += far;
    for (int k = walk_on(&first); k >= 0; k = walk_on(&first)) {
        gy_cell *cell = b->cells + k;
        int64_t units = cell->target, change = units - cell->now;
        if (left != 0 && (left < 0) == (change < 0)) {
            int64_t less = left < 0 ? GY_MAX(left, change) : GY_MIN(left, change);
            units = (int64_t)(float)(units - less);
            left -= less;
        }
        if (units != cell->now) {
            put(b, surf, cell, units, unit);
        }
    }
}

static void move_group(gy_bodies *b, const gy_water_surface *surf, gy_group *g, int64_t *even,
                       gy_kept *kept)
{
    double unit = gy_body_unit(surf);
    int covered = 0;
    gy_plane p;
    gy_group_open(b, g);
    for (int part = 0; gy_plane_make(b, surf, g, part, &p); part++) {
        if (!p.wet) {
            for (int c = g->first; c < g->first + g->count; c++) {
                b->cells[c].part = b->cells[c].part == part + 1 ? -1 : b->cells[c].part;
            }
            continue;
        }
        if (g->body >= 0) {
            settle(b, g, part, unit, &p);
        }
        move_part(b, surf, g, part, &p, even);
        if (kept && p.covered > covered) {
            covered = p.covered;
            kept->plane = p;
            kept->valid = true;
        }
    }
    for (int c = g->first; c < g->first + g->count; c++) {
        gy_cell *cell = b->cells + c;
        if (cell->part <= 0) { // no water about: what it displaces, it cannot move
            cell->target = cell->wet ? target_of(b, cell, NULL, unit) : 0;
        }
    }
}

/// Hands out units evenly to all water there is. Costs a pass over every tile.
static int64_t hand_out_evenly(const gy_water_surface *surf, int64_t units, double unit)
{
    const gy_tiles *t = surf->tiles;
    int64_t cells = 0, seen = 0, given = 0;
    double applied = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int tile = 0; tile < t->tn[0] * t->tn[1]; tile++) {
            int slot = t->slot[tile];
            if (slot < 0) {
                continue;
            }
            const float *depth = gy_tile_state(t, slot, GY_WATER_DEPTH);
            const float *bed = gy_tile_array(t, slot, GY_WATER_BED);
            const uint8_t *flags = gy_tile_flags(t, slot);
            int nx = GY_MIN(t->n[0] - tile % t->tn[0] * GY_WATER_TILE, GY_WATER_TILE);
            int ny = GY_MIN(t->n[1] - tile / t->tn[0] * GY_WATER_TILE, GY_WATER_TILE);
            for (int k = 0; k < ny * GY_WATER_TILE; k++) {
                float water = surf->wave ? surf->level + depth[k] - bed[k] : depth[k];
                if ((k & GY_TILE_MASK) >= nx || flags[k] & GY_CELL_OUT || !(water > surf->dry)) {
                    continue;
                }
                if (pass == 0) {
                    cells++;
                    continue;
                }
                // The n-th cell gets what brings the sum to n / cells of the whole.
                seen++;
                int64_t share = (int64_t)((double)units * ((double)seen / (double)cells)) - given;
                share = seen == cells ? units - given : share;
                double done = add_units(surf, slot, k, (double)water, unit, share);
                applied += done;
                given = whole(applied);
            }
        }
    }
    return units - given;
}

// ---- all bodies
// -----------------------------------------------------------------------------------

/// Cells in which water is displaced though no body covers them, by tile. Marks for rows of tiles
/// say where to look; where none is known all are looked at.
static int find_left(gy_bodies *b, const gy_water_surface *surf, int tile)
{
    const gy_tiles *t = surf->tiles;
    int slot = t->slot[tile], first = b->cell_count;
    if (slot < 0) {
        b->held[tile] = 0;
    }
    const float *displaced = slot < 0 ? NULL : gy_tile_array(t, slot, GY_WATER_DISPLACED);
    for (int row = 0; b->held[tile] >> row != 0; row++) {
        if (!(b->held[tile] >> row & 1)) {
            continue;
        }
        bool some = false;
        for (int k = 0; k < GY_WATER_TILE; k++) {
            if (displaced[row * GY_WATER_TILE + k] == 0.0f) {
                continue;
            }
            int i = tile % t->tn[0] * GY_WATER_TILE + k, j = tile / t->tn[0] * GY_WATER_TILE + row;
            some = true;
            if (gy_cells_find(b, i, j) < 0) {
                int c = gy_cells_add(b, surf, i, j);
                if (c >= 0) {
                    b->cells[c].target = 0;
                }
            }
        }
        if (!some) {
            b->held[tile] &= ~((uint64_t)1 << row);
        }
        if (row == 63) {
            break;
        }
    }
    return b->cell_count - first;
}

/// Columns and cells of all bodies, then what earlier poses have left behind.
static void cover(gy_bodies *b, const gy_water_surface *surf, const gyre_pool *pool)
{
    const gyre_water_body *body = pool->items;
    gy_cells_clear(b);
    for (int n = 0; n < pool->count && n < b->most; n++) {
        gy_group *g = b->groups + n;
        *g = (gy_group){.first = b->cell_count, .body = n, .waves = (double)body[n].waves};
        if (body[n].enabled) {
            gy_pose pose;
            int first = b->column_count;
            gy_pose_of(&body[n].pose, &pose);
            gy_body_bring_in(b, b->forms + n, &pose);
            gy_columns_make(b, b->forms + n, &pose, n);
            gy_cells_make(b, surf, first);
            b->kept[n].first = first;
            b->kept[n].count = b->column_count - first;
            gy_group_deepen(b, surf, b->forms + n, first, b->kept[n].count, g);
        }
        g->count = b->cell_count - g->first;
    }
    if (b->rescan) {
        memset(b->held, 0xff, sizeof(uint64_t) * (size_t)(surf->tiles->tn[0] * surf->tiles->tn[1]));
        b->rescan = false;
    }
}

/// What could not be handed out evenly is owed by cells again.
static void owe(gy_bodies *b, const gy_water_surface *surf, int64_t left, double unit)
{
    if (left != 0 && b->cell_count > 0) {
        put(b, surf, b->cells, b->cells[0].now - left, unit);
    }
}

/// Whether another body's water may be this one's, too.
static bool meets_another(const gy_bodies *b, const gyre_pool *pool, int n)
{
    const gy_group *g = b->groups + n;
    for (int k = 0; k < pool->count && k < b->most && g->count > 0; k++) {
        const gy_group *o = b->groups + k;
        bool apart = k == n || o->count == 0;
        for (int a = 0; a < 2; a++) {
            int from = o->low[a] - g->low[a], cells = b->grid.n[a];
            if (b->periodic[a]) {
                from = (from % cells + cells) % cells;
                apart = apart || (from >= g->size[a] && from + o->size[a] <= cells);
            } else {
                apart = apart || from >= g->size[a] || -from >= o->size[a];
            }
        }
        if (!apart) {
            return true;
        }
    }
    return false;
}

/// Bodies in order; then those with others near, whose water has moved since, backwards and so on:
/// bodies that always answered each other a step late would drive waves.
static void move_bodies(gy_bodies *b, const gy_water_surface *surf, const gyre_pool *pool,
                        int64_t *even)
{
    const gyre_water_body *body = pool->items;
    int count = GY_MIN(pool->count, b->most);
    for (int k = 0; k < SWEEPS * count; k++) {
        int n = k / count % 2 == 0 ? k % count : count - 1 - k % count;
        gy_group *g = b->groups + n;
        gy_kept *kept = b->kept + n;
        if (k >= count) {
            if (!meets_another(b, pool, n)) {
                continue;
            }
            for (int c = g->first; c < g->first + g->count; c++) {
                b->cells[c].part = b->cells[c].part > 0 ? 0 : b->cells[c].part;
            }
        } else {
            kept->valid = false;
            kept->pose = body[n].pose;
        }
        if (g->count > 0) {
            g->flow = !body[n].held && (body[n].drag > 0.0f || body[n].drift ||
                                        body[n].rudder_area > 0.0f || body[n].keel_area > 0.0f);
            move_group(b, surf, g, even, kept);
        }
    }
}

void gy_bodies_read_again(gy_bodies *b, const gy_water_surface *surf, const gyre_pool *pool)
{
    const gyre_water_body *body = pool->items;
    for (int n = 0; n < pool->count && n < b->most && b->deep; n++) {
        gy_group *g = b->groups + n;
        gy_kept *kept = b->kept + n;
        gy_plane p, now = {0};
        if (!kept->valid || body[n].held || g->count == 0) {
            continue;
        }
        for (int c = g->first; c < g->first + g->count; c++) {
            b->cells[c].part = b->cells[c].part > 0 ? 0 : b->cells[c].part;
        }
        gy_group_open(b, g);
        for (int part = 0; gy_plane_make(b, surf, g, part, &p); part++) {
            now = p.wet && p.covered > now.covered ? p : now;
        }
        if (now.wet) {
            gy_plane *old = &kept->plane;
            double height = gy_plane_height(&now, old->x, old->y);
            old->height += 0.5 * (height - old->height);
            old->dx += 0.5 * (now.dx - old->dx);
            old->dy += 0.5 * (now.dy - old->dy);
        }
    }
}

void gy_bodies_displace(gy_bodies *b, const gy_water_surface *surf, const gyre_pool *pool,
                        double *displaced, double *waiting)
{
    double unit = gy_body_unit(surf), volume = unit * (double)b->grid.h * (double)b->grid.h;
    int64_t even = 0, late = 0;
    int tiles = surf->tiles->tn[0] * surf->tiles->tn[1];
    cover(b, surf, pool);
    int left = b->cell_count;
    for (int tile = 0; tile < tiles; tile++) {
        if (b->held[tile]) {
            find_left(b, surf, tile);
        }
    }
    move_bodies(b, surf, pool, &even);
    for (int n = 0; n < pool->count && n < b->most; n++) {
        b->kept[n].late = !b->kept[n].valid;
    }
    while (left < b->cell_count) { // those of one tile together
        gy_group g = {.first = left, .body = -1, .waves = 1.0};
        int tile = surf->tiles->tile[b->cells[left].slot];
        while (left < b->cell_count && surf->tiles->tile[b->cells[left].slot] == tile) {
            left++;
        }
        g.count = left - g.first;
        move_group(b, surf, &g, &even, NULL);
    }
    if (even != 0) {
        owe(b, surf, hand_out_evenly(surf, even, unit), unit);
    }
    for (int n = 0; n < pool->count; n++) {
        displaced[n] = 0.0;
    }
    for (int k = 0; k < b->column_count; k++) {
        displaced[b->columns[k].body] += (double)b->columns[k].units * volume;
    }
    for (int c = 0; c < b->cell_count; c++) {
        late += b->cells[c].target - b->cells[c].now;
    }
    *waiting = (double)late * volume;
}
