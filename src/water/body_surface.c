// The water round a body: which cells are near it, and the plane that its surface is taken for.
//
// A body's columns do not each ask for the surface of their own cell: that surface rises when the
// column's water is moved to its neighbours, and the waves of the two feed each other until they
// burst (with the linear wave equation within a hundred steps). They ask for a plane, fitted to
// the surface of the body's cells and those near it with weights r: with p = (1, x, y) about the
// centre of weight, N the inverse of sum r p p^T, the plane is N sum r p u. What column c
// displaces is handed out as r p^T N p_c: the transpose of how c reads the surface. The feedback is
// then symmetric and positive, and takes nothing from the stability of waves.
//
// Near is what can be reached through open faces and water, as many steps as a fifth of the body's
// width in cells and two more; weights fall from 1 at the body to 0 there. So walls are respected,
// and a body that stands in a wall has to do with two waters, one on each side ("parts").
#include "base/maths.h"
#include "water/form.h"
#include <string.h>

enum { COVERED = 1, SEEN = 2, MOST_MARGIN = 60 };

// ---- cells --------------------------------------------------------------------------------------

/// Neighbours in a row stand beside each other in the table, too.
static int hash_of(const gy_bodies *b, int i, int j)
{
    return (i + b->grid.n[0] * j) & (b->hash_size - 1);
}

int gy_cells_find(const gy_bodies *b, int i, int j)
{
    for (int at = hash_of(b, i, j);; at = (at + 1) & (b->hash_size - 1)) {
        int c = b->hash[at] - 1;
        if (c < 0 || (b->cells[c].i == i && b->cells[c].j == j)) {
            return c;
        }
    }
}

int gy_cells_add(gy_bodies *b, const gy_water_surface *surf, int i, int j)
{
    int place, slot = gy_tiles_find(surf->tiles, i, j, &place);
    if (slot < 0 || b->cell_count == b->cell_cap) {
        return -1;
    }
    int at = hash_of(b, i, j), n = b->cell_count++;
    while (b->hash[at]) {
        at = (at + 1) & (b->hash_size - 1);
    }
    b->hash[at] = n + 1;
    gy_cell *c = b->cells + n;
    float depth = gy_tile_state(surf->tiles, slot, GY_WATER_DEPTH)[place];
    double unit = gy_body_unit(surf);
    *c = (gy_cell){.i = i, .j = j, .slot = slot, .place = place, .first = -1, .link = -1};
    c->hash = at;
    c->bed = gy_tile_array(surf->tiles, slot, GY_WATER_BED)[place];
    c->surface = surf->wave ? surf->level + depth : c->bed + depth;
    bool land = (gy_tile_flags(surf->tiles, slot)[place] & GY_CELL_OUT) != 0;
    c->part = land ? -1 : 0;
    c->wet = !land && c->surface - c->bed > surf->dry;
    c->surface += gy_body_sea(surf, 0, i, j);
    double now = (double)gy_tile_array(surf->tiles, slot, GY_WATER_DISPLACED)[place] / unit;
    c->now = c->target = (int64_t)(now + (now < 0.0 ? -0.5 : 0.5));
    return n;
}

void gy_cells_clear(gy_bodies *b)
{
    for (int c = 0; c < b->cell_count; c++) {
        b->hash[b->cells[c].hash] = 0;
    }
    b->cell_count = 0;
    b->column_count = 0;
    for (int n = 0; n < b->most; n++) {
        b->kept[n].valid = false; // its columns are gone
    }
}

void gy_cells_make(gy_bodies *b, const gy_water_surface *surf, int first)
{
    int kept = first;
    for (int k = first; k < b->column_count; k++) {
        gy_column column = b->columns[k];
        int i = column.cell % b->grid.n[0], j = column.cell / b->grid.n[0];
        int c = gy_cells_find(b, i, j);
        if (c < 0) {
            c = gy_cells_add(b, surf, i, j);
            if (c >= 0) {
                b->cells[c].beyond[0] = (int8_t)gy_column_beyond(&column, 0);
                b->cells[c].beyond[1] = (int8_t)gy_column_beyond(&column, 1);
            }
        }
        if (c < 0) {
            continue;
        }
        int32_t *end = &b->cells[c].first;
        while (*end >= 0) {
            end = &b->columns[*end].next;
        }
        *end = kept;
        column.cell = c;
        b->columns[kept++] = column;
    }
    b->column_count = kept;
}

// ---- the water near a group of cells
// ---------------------------------------------------------------

static int field_at(const gy_group *g, int i, int j)
{
    return i - g->low[0] + 1 + (g->size[0] + 2) * (j - g->low[1] + 1);
}

/// A cell's number along an axis as the body that has brought it counts.
static int counted(const gy_bodies *b, const gy_cell *cell, int axis)
{
    return (axis == 0 ? cell->i : cell->j) + cell->beyond[axis] * b->grid.n[axis];
}

static int field_of(const gy_bodies *b, const gy_group *g, const gy_cell *cell)
{
    return field_at(g, counted(b, cell, 0), counted(b, cell, 1));
}

void gy_group_open(gy_bodies *b, gy_group *g)
{
    int low[2] = {1 << 30, 1 << 30}, high[2] = {-1, -1};
    for (int c = g->first; c < g->first + g->count; c++) {
        for (int a = 0; a < 2; a++) {
            int at = counted(b, b->cells + c, a);
            low[a] = GY_MIN(low[a], at);
            high[a] = GY_MAX(high[a], at);
        }
    }
    g->margin = GY_MIN(2 + (int)(0.2f * gy_sqrtf((float)g->count)), MOST_MARGIN);
    g->margin = g->deep.depth > 0.0 ? gy_deep_margin(b, g, low, high, g->margin) : g->margin;
    g->across = false;
    for (int a = 0; a < 2; a++) {
        int n = b->grid.n[a], from = low[a] - g->margin, to = high[a] + g->margin + 1;
        g->joined[a] = b->periodic[a] && n > 1 && g->count > 0 && to - from <= n;
        g->low[a] = g->joined[a] ? from : GY_MAX(from, 0);
        g->size[a] = (g->joined[a] ? to : GY_MIN(to, n)) - g->low[a];
        g->across = g->across || g->low[a] < 0 || g->low[a] + g->size[a] > n;
    }
    if (g->count == 0 || (int64_t)g->size[0] * g->size[1] > b->zone_cap) {
        g->size[0] = g->size[1] = 0; // what is larger was refused in gy_bodies_changed
        return;
    }
    // Round it a border that looks as if the search had been there.
    int wide = g->size[0] + 2, rows = g->size[1] + 2;
    memset(b->field, SEEN, (size_t)(wide * rows));
    for (int j = 1; j < rows - 1; j++) {
        memset(b->field + wide * j + 1, 0, (size_t)g->size[0]);
    }
    for (int c = g->first; c < g->first + g->count; c++) {
        b->field[field_of(b, g, b->cells + c)] = COVERED;
    }
}

typedef struct search {
    gy_bodies *bodies;
    const gy_water_surface *surf;
    const gy_group *group;
    int count; // of bodies->zone
    bool outward;
} search;

static void enter(search *s, gy_near n)
{
    const gy_water_surface *surf = s->surf;
    float bed = gy_tile_array(surf->tiles, n.slot, GY_WATER_BED)[n.place];
    float depth = gy_tile_state(surf->tiles, n.slot, GY_WATER_DEPTH)[n.place];
    float water = surf->wave ? surf->level + depth - bed : depth;
    bool wet = water > surf->dry;
    if (!wet && s->outward) {
        return;
    }
    n.height = surf->wave ? surf->level + depth : bed + depth;
    n.height += gy_body_sea(surf, 0, n.i, n.j);
    n.limit = water > 0.0f ? water : 0.0f;
    n.weight = wet ? 1.0f - (float)n.distance / (float)(s->group->margin + 1) : 0.0f;
    s->bodies->zone[s->count++] = n;
}

/// Whether a place in the rectangle is still to be looked at.
GY_INLINE bool is_new(const search *s, int at)
{
    uint8_t f = s->bodies->field[at];
    return !(f & SEEN) && (s->outward || f & COVERED);
}

/// Goes from a cell of the search to its neighbour, which is new, through an open face: first
/// within what is covered, then outwards over water.
static void go(search *s, int from, int axis, int step)
{
    const gy_tiles *tiles = s->surf->tiles;
    const gy_near *n = s->bodies->zone + from;
    int at = n->at + (axis == 0 ? step : step * (s->group->size[0] + 2));
    uint8_t *f = s->bodies->field + at;
    gy_near to = {.slot = n->slot, .i = n->i + (axis == 0 ? step : 0), .at = at};
    to.j = n->j + (axis == 1 ? step : 0);
    to.distance = s->outward ? n->distance + 1 : 0;
    if (((to.i ^ n->i) | (to.j ^ n->j)) >> GY_TILE_SHIFT || s->group->across) {
        to.slot = gy_body_find(s->bodies, tiles, to.i, to.j, &to.place);
        if (to.slot < 0) {
            return;
        }
    } else {
        to.place = n->place + (axis == 0 ? step : step * GY_WATER_TILE);
    }
    uint8_t here = gy_tile_flags(tiles, n->slot)[n->place];
    uint8_t there = gy_tile_flags(tiles, to.slot)[to.place];
    uint8_t low = axis == 0 ? GY_CELL_SHUT_X : GY_CELL_SHUT_Y;
    uint8_t high = axis == 0 ? GY_CELL_SHUT_HIGH_X : GY_CELL_SHUT_HIGH_Y;
    bool shut = step > 0 ? here & high || there & low : here & low || there & high;
    if (shut || there & GY_CELL_OUT) {
        return;
    }
    *f |= SEEN;
    enter(s, to);
}

/// From all cells of the search that are nearer than `most`, and from those that come of it.
static void go_round(search *s, int most)
{
    int wide = s->group->size[0] + 2;
    const int way[4] = {-1, -wide, 1, wide};
    for (int k = 0; k < s->count; k++) {
        int at = s->bodies->zone[k].at;
        for (int d = 0; d < 4 && s->bodies->zone[k].distance < most; d++) {
            if (is_new(s, at + way[d])) {
                go(s, k, d & 1, d & 2 ? 1 : -1);
            }
        }
    }
}

/// The covered cells joined to the first that has no part yet, then what is near them. Returns
/// false when all have one.
static bool search_part(search *s, int part)
{
    gy_bodies *b = s->bodies;
    const gy_group *g = s->group;
    int c = g->first, end = g->first + g->count, wide = g->size[0] + 2;
    while (c < end && b->cells[c].part) {
        c++;
    }
    if (c == end || g->size[0] == 0) {
        return false;
    }
    for (int k = 0; k < wide * g->size[1] && part > 0; k++) {
        if (k % wide != 0 && k % wide != wide - 1) {
            b->field[wide + k] &= (uint8_t)~SEEN;
        }
    }
    const gy_cell *from = b->cells + c;
    gy_near n = {.slot = from->slot, .place = from->place};
    n.i = counted(b, from, 0);
    n.j = counted(b, from, 1);
    n.at = field_at(g, n.i, n.j);
    b->field[n.at] |= SEEN;
    enter(s, n);
    go_round(s, 1 << 30);
    for (; c < end; c++) {
        if (!b->cells[c].part && b->field[field_of(b, g, b->cells + c)] & SEEN) {
            b->cells[c].part = part + 1;
        }
    }
    s->outward = true;
    // Deep ones have round weights, of which steps along the axes are to leave nothing out.
    int most = g->deep.depth > 0.0 ? 3 * g->margin / 2 + 1 : g->margin;
    go_round(s, most);
    return true;
}

// ---- the plane ----------------------------------------------------------------------------------

/// Discharge over depth in the cells that are covered, and how many there are.
static void water_velocity(const search *s, gy_plane *p, bool flow)
{
    const gy_water_surface *surf = s->surf;
    double q[2] = {0.0, 0.0}, sea[2] = {0.0, 0.0}, depth = 0.0;
    int count = 0;
    for (int k = 0; k < s->count && s->bodies->zone[k].distance == 0; k++) {
        const gy_near *n = s->bodies->zone + k;
        if (!(n->weight > 0.0f)) {
            continue;
        }
        for (int a = 0; a < 2 && flow; a++) {
            double here = (double)gy_tile_state(surf->tiles, n->slot, GY_WATER_QX + a)[n->place];
            int i = n->i + (a == 0), j = n->j + (a == 1), place;
            int slot = gy_body_find(s->bodies, surf->tiles, i, j, &place);
            if (surf->wave) { // at faces
                double next =
                    slot < 0 ? 0.0
                             : (double)gy_tile_state(surf->tiles, slot, GY_WATER_QX + a)[place];
                here = 0.5 * (here + next);
            }
            q[a] += here;
            sea[a] += (double)gy_body_sea(surf, 1 + a, n->i, n->j);
        }
        depth += (double)n->limit;
        count++;
    }
    for (int a = 0; a < 2; a++) {
        p->velocity[a] = depth > 0.0 ? q[a] / depth : 0.0;
        p->velocity[a] += surf->sea && count ? sea[a] / count : 0.0;
    }
    p->depth = count ? depth / count : 0.0;
    p->covered = count;
}

static void position_of(const gy_bodies *b, const gy_near *n, double at[2])
{
    at[0] = (double)b->grid.origin[0] + (n->i + 0.5) * (double)b->grid.h;
    at[1] = (double)b->grid.origin[1] + (n->j + 0.5) * (double)b->grid.h;
}

/// Cells that nobody owns and that lie near: the body that left them takes them along.
static void take_along(search *s, gy_plane *p)
{
    gy_bodies *b = s->bodies;
    for (int k = 0; k < s->count; k++) {
        const gy_near *n = b->zone + k;
        if (gy_tile_array(s->surf->tiles, n->slot, GY_WATER_DISPLACED)[n->place] != 0.0f) {
            int c = gy_cells_find(b, gy_body_cell(b, 0, n->i), gy_body_cell(b, 1, n->j));
            if (c >= 0 && b->cells[c].first < 0 && b->cells[c].part == 0) {
                b->cells[c].part = 1;
                b->cells[c].link = p->taken;
                p->taken = c;
            }
        }
    }
}

static void fit(const search *s, gy_plane *p)
{
    const gy_bodies *b = s->bodies;
    double at[2], first[2], sum[4] = {0.0}, second[3] = {0.0}, tilt[2] = {0.0};
    position_of(b, b->zone, first);
    double base = (double)b->zone[0].height;
    for (int k = 0; k < s->count; k++) {
        double w = (double)b->zone[k].weight;
        position_of(b, b->zone + k, at);
        sum[0] += w;
        sum[1] += w * (at[0] - first[0]);
        sum[2] += w * (at[1] - first[1]);
        sum[3] += w * ((double)b->zone[k].height - base);
    }
    p->weight = sum[0];
    p->wet = sum[0] > 0.0;
    if (!p->wet) {
        return;
    }
    p->x = first[0] + sum[1] / sum[0];
    p->y = first[1] + sum[2] / sum[0];
    p->height = base + sum[3] / sum[0];
    p->least = 1e30;
    for (int k = 0; k < s->count; k++) {
        double w = (double)b->zone[k].weight, u = (double)b->zone[k].height - p->height;
        position_of(b, b->zone + k, at);
        double x = at[0] - p->x, y = at[1] - p->y;
        if (w > 0.0) {
            p->least = GY_MIN(p->least, (double)b->zone[k].limit);
            p->reach = GY_MAX(p->reach, GY_MAX(__builtin_fabs(x), __builtin_fabs(y)));
        }
        second[0] += w * x * x;
        second[1] += w * x * y;
        second[2] += w * y * y;
        tilt[0] += w * x * u;
        tilt[1] += w * y * u;
        p->squares[0] += w * w;
        p->squares[1] += w * w * x;
        p->squares[2] += w * w * y;
        p->squares[3] += w * w * x * x;
        p->squares[4] += w * w * x * y;
        p->squares[5] += w * w * y * y;
    }
    // A little is added, so that a row of cells, that has no tilt across, has an inverse.
    double more = 0.05 * sum[0] * (double)b->grid.h * (double)b->grid.h;
    second[0] += more;
    second[2] += more;
    double det = second[0] * second[2] - second[1] * second[1];
    p->inverse[0] = second[2] / det;
    p->inverse[1] = -second[1] / det;
    p->inverse[2] = second[0] / det;
    p->dx = p->inverse[0] * tilt[0] + p->inverse[1] * tilt[1];
    p->dy = p->inverse[1] * tilt[0] + p->inverse[2] * tilt[1];
}

bool gy_plane_make(gy_bodies *bodies, const gy_water_surface *surf, const gy_group *group, int part,
                   gy_plane *plane)
{
    search s = {.bodies = bodies, .surf = surf, .group = group};
    memset(plane, 0, sizeof *plane);
    plane->taken = -1;
    if (part >= GY_BODY_PARTS || !search_part(&s, part)) {
        return false;
    }
    plane->count = s.count;
    for (int a = 0; a < 2; a++) {
        plane->low[a] = group->low[a];
        plane->period[a] = group->joined[a] ? bodies->grid.n[a] : 0;
    }
    water_velocity(&s, plane, group->flow);
    if (group->deep.depth > 0.0) {
        gy_deep_fit(bodies, group, s.count, plane);
    } else {
        fit(&s, plane);
    }
    if (group->body >= 0 && plane->wet) {
        take_along(&s, plane);
    }
    return true;
}
