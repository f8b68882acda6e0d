// water/fronts.c: steep fronts of the surface, and the lines that they are followed as.
//
// A cell is steep where its surface rises faster than its water's waves could well carry,
//
//     d_t eta = -div q > ratio sqrt(g d),
//
// as A. B. Kennedy, Q. Chen, J. T. Kirby and R. A. Dalrymple, Boussinesq Modeling of Wave
// Transformation, Breaking, and Runup, J. Waterway Port Coastal Ocean Eng. 126 (2000) have it (0.35
// to 0.65; d of theirs is at rest, here it is the column's): of height over depth it knows nothing.
// Within two cells of a line that is there already a quarter of the ratio will do (theirs: 0.15 of
// 0.65). Steep cells that touch are one line; it takes the id of that line of the step before with
// the most cells near it, the older of two as large. Other lines near it have run into it, unless
// they are found elsewhere; a line whose id another has taken has come off that.
//
// With the pressure of flow that bends, which keeps steep waves up, steepness says little: cells of
// a quarter of the ratio are lines that are watched, a line becomes a front when one of its crests
// breaks (onset.c), and goes on for as long as there is a quarter of the ratio.
//
// Per place across the line's axis the cell that rises fastest counts. The normal is that of the
// surface's fall, the speed d_t eta / |grad eta|, the height from the foot of the fall to its head,
// along the axis, 16 cells at most either way. Cost: 3 reads a cell and few flops; scratch 12 + 24
// bytes a cell.
#include "base/maths.h"
#include "water/breaking.h"
#include <string.h>

enum { REACH = 16, NEAR = 2 };

typedef struct look {
    const gyre_water *w;
    float g, dry, rise[2]; // ratio^2 of new ones and of those that are there
    float onset;           // above 0: of crests that are about to break
    bool periodic[2];
} look;

static int cell_along(const look *l, int axis, int i)
{
    int n = l->w->tiles.n[axis];
    return i >= 0 && i < n ? i : l->periodic[axis] ? (i + n) % n : -1;
}

/// Surface, bed and discharge of a cell; false: there is no water.
static bool cell_at(const look *l, int i, int j, float *eta, float *depth, float q[2])
{
    const gy_tiles *t = &l->w->tiles;
    int place, slot = -1;
    i = cell_along(l, 0, i);
    j = cell_along(l, 1, j);
    if (i >= 0 && j >= 0) {
        slot = gy_tiles_find(t, i, j, &place);
    }
    if (slot < 0 || gy_tile_flags(t, slot)[place] & GY_CELL_OUT) {
        return false;
    }
    *depth = gy_tile_state(t, slot, GY_WATER_DEPTH)[place];
    *eta = *depth + gy_tile_array(t, slot, GY_WATER_BED)[place];
    q[0] = gy_tile_state(t, slot, GY_WATER_QX)[place];
    q[1] = gy_tile_state(t, slot, GY_WATER_QY)[place];
    return *depth > l->dry;
}

/// The rate at which a cell's surface rises and its slope; 0 where it is not steep.
static float rise_of(const look *l, int i, int j, float slope[2])
{
    float eta, d, q[2], sum = 0.0f, h = l->w->grid.h;
    if (!cell_at(l, i, j, &eta, &d, q)) {
        return 0.0f;
    }
    for (int a = 0; a < 2; a++) {
        float e[2] = {eta, eta}, side[2] = {q[a], q[a]}, other[2], depth;
        int steps = 0;
        for (int s = 0; s < 2; s++) {
            int by = 2 * s - 1;
            if (cell_at(l, i + (a ? 0 : by), j + (a ? by : 0), &e[s], &depth, other)) {
                side[s] = other[a];
                steps++;
            } else {
                e[s] = eta;
            }
        }
        float over = steps ? 1.0f / ((float)steps * h) : 0.0f;
        slope[a] = (e[1] - e[0]) * over;
        sum -= (side[1] - side[0]) * over;
    }
    return sum;
}

static void add_steep(gy_breaking *b, int *count, int i, int j, float rate, const float slope[2])
{
    float steep = gy_sqrtf(slope[0] * slope[0] + slope[1] * slope[1]);
    // The slope's parts are kept where the crest will be, as numbers of the unit vector.
    b->steep[*count] = (gy_front_point){.i = i, .j = j, .rate = rate, .slope = steep};
    b->steep[*count].crest[0] = (int32_t)(-slope[0] / steep * 1e6f);
    b->steep[(*count)++].crest[1] = (int32_t)(-slope[1] / steep * 1e6f);
}

/// Marks what is near the lines of the step before: label -1 - front.
static void mark_near(gyre_water *w, const look *l)
{
    gy_breaking *b = w->breaking;
    b->near_count = 0;
    for (int f = 0; f < b->state->front_count; f++) {
        for (int p = b->fronts[f].first; p < b->fronts[f].first + b->fronts[f].count; p++) {
            for (int q = 0; q < (2 * NEAR + 1) * (2 * NEAR + 1); q++) {
                int i = cell_along(l, 0, b->points[p].i + q % (2 * NEAR + 1) - NEAR);
                int j = cell_along(l, 1, b->points[p].j + q / (2 * NEAR + 1) - NEAR);
                int at = i + w->tiles.n[0] * j;
                if (i >= 0 && j >= 0 && b->label[at] == 0) {
                    b->label[at] = -1 - f;
                    b->near[b->near_count++] = at;
                }
            }
        }
    }
}

/// A row of a discharge beside a tile's, or the tile's own where none is there.
static const float *row_at(const look *l, int x, int j, int array, const float *own)
{
    int place, slot = -1;
    j = cell_along(l, 1, j);
    if (j >= 0) {
        slot = gy_tiles_find(&l->w->tiles, x, j, &place);
    }
    return slot < 0 ? own : gy_tile_state(&l->w->tiles, slot, array) + place;
}

static float qx_at(const look *l, int i, int j, float own)
{
    int place, slot = -1;
    i = cell_along(l, 0, i);
    if (i >= 0) {
        slot = gy_tiles_find(&l->w->tiles, i, j, &place);
    }
    return slot < 0 ? own : gy_tile_state(&l->w->tiles, slot, GY_WATER_QX)[place];
}

/// How many cells of a row rise half as fast as those near a line must: a neighbour that is not
/// there lets a difference count twice. Without branches, so that it can be vectorised.
static int sift(const float *d, const float *qx, const float *low, const float *high, int count,
                float over, float least, uint8_t *hot)
{
    int some = 0;
    for (int i = 0; i < count; i++) {
        float rate = (qx[i] - qx[i + 2] + (low[i] - high[i])) * over;
        int is = (rate > 0.0f) & (rate * rate > least * d[i]);
        hot[i] = (uint8_t)is;
        some += is;
    }
    return some;
}

static void look_through(gyre_water *w, const look *l, int tile, int *count)
{
    gy_breaking *b = w->breaking;
    const gy_tiles *t = &w->tiles;
    int slot = t->slot[tile], n0 = t->n[0];
    int x = tile % t->tn[0] * GY_WATER_TILE, y = tile / t->tn[0] * GY_WATER_TILE;
    int wide = GY_MIN(GY_WATER_TILE, n0 - x), tall = GY_MIN(GY_WATER_TILE, t->n[1] - y);
    const float *d = gy_tile_state(t, slot, GY_WATER_DEPTH);
    const float *qx = gy_tile_state(t, slot, GY_WATER_QX);
    const float *qy = gy_tile_state(t, slot, GY_WATER_QY);
    float line[GY_WATER_TILE + 2], least = 0.25f * l->rise[1] * l->g;
    uint8_t hot[GY_WATER_TILE];
    for (int j = 0; j < tall; j++, d += GY_WATER_TILE, qx += GY_WATER_TILE, qy += GY_WATER_TILE) {
        line[0] = qx_at(l, x - 1, y + j, qx[0]);
        line[wide + 1] = qx_at(l, x + wide, y + j, qx[wide - 1]);
        memcpy(line + 1, qx, sizeof *line * (size_t)wide);
        const float *low = j > 0 ? qy - GY_WATER_TILE : row_at(l, x, y - 1, GY_WATER_QY, qy);
        const float *high =
            j < tall - 1 ? qy + GY_WATER_TILE : row_at(l, x, y + tall, GY_WATER_QY, qy);
        if (sift(d, line, low, high, wide, 0.5f / w->grid.h, least, hot) == 0) {
            continue;
        }
        for (int i = 0; i < wide; i++) {
            float most = b->label[x + i + n0 * (y + j)] < 0 ? l->rise[1] : l->rise[0], slope[2];
            float rate = hot[i] ? rise_of(l, x + i, y + j, slope) : 0.0f;
            if (rate > 0.0f && rate * rate > most * l->g * d[i] && d[i] > l->dry &&
                (slope[0] != 0.0f || slope[1] != 0.0f)) {
                add_steep(b, count, x + i, y + j, rate, slope);
            }
        }
    }
}

/// The cell where the surface stops to fall (way 1) or to rise (-1) along an axis.
static float walk(const look *l, const gy_front_point *p, int axis, int way, int32_t at[2],
                  float *depth)
{
    float eta, here, q[2], d;
    at[0] = p->i;
    at[1] = p->j;
    cell_at(l, p->i, p->j, &eta, depth, q);
    for (int k = 1, up = p->crest[axis] > 0 ? way : -way; k <= REACH; k++) {
        int i = cell_along(l, 0, p->i + (axis ? 0 : k * up));
        int j = cell_along(l, 1, p->j + (axis ? k * up : 0));
        if (i < 0 || j < 0 || !cell_at(l, i, j, &here, &d, q) ||
            (way > 0 ? here >= eta : here <= eta)) {
            break;
        }
        eta = here;
        *depth = d;
        at[0] = i;
        at[1] = j;
    }
    return eta;
}

/// All steep cells that hang together with the first in the list: how many. Their label becomes
/// `mark`; labels of steep cells are 1 + their index before.
static int gather(gyre_water *w, const look *l, int first, int32_t mark)
{
    gy_breaking *b = w->breaking;
    int count = 1;
    b->list[0] = first;
    for (int k = 0; k < count; k++) {
        const gy_front_point *p = &b->steep[b->list[k]];
        for (int q = 0; q < 9; q++) {
            int i = cell_along(l, 0, p->i + q % 3 - 1), j = cell_along(l, 1, p->j + q / 3 - 1);
            int32_t *label = i < 0 || j < 0 ? NULL : &b->label[i + w->tiles.n[0] * j];
            if (!label || *label <= 0 || *label >= mark) {
                continue;
            }
            const gy_front_point *o = &b->steep[*label - 1];
            // Fronts that run against each other are two.
            double along = (double)o->crest[0] * p->crest[0] + (double)o->crest[1] * p->crest[1];
            if (along > 0.0 && *label - 1 != first) {
                b->list[count++] = *label - 1;
                *label = mark;
            }
        }
    }
    return count;
}

/// Cells of a line: the fastest of each place across its axis; returns how many, at the list's
/// beginning, sorted by place.
static int thin(gyre_water *w, int count, int axis)
{
    gy_breaking *b = w->breaking;
    int kept = 0;
    // Sorted by place, the fastest first: by insertion, the list comes in rows.
    for (int k = 1; k < count; k++) {
        int32_t own = b->list[k];
        const gy_front_point *p = &b->steep[own];
        int at = axis ? p->i : p->j, q = k;
        for (; q > 0; q--) {
            const gy_front_point *o = &b->steep[b->list[q - 1]];
            int there = axis ? o->i : o->j;
            if (there < at || (there == at && (o->rate > p->rate ||
                                               (o->rate == p->rate && b->list[q - 1] < own)))) {
                break;
            }
            b->list[q] = b->list[q - 1];
        }
        b->list[q] = own;
    }
    for (int k = 0; k < count; k++) {
        const gy_front_point *p = &b->steep[b->list[k]];
        const gy_front_point *o = kept ? &b->steep[b->list[kept - 1]] : NULL;
        if (!o || (axis ? p->i != o->i : p->j != o->j)) {
            b->list[kept++] = b->list[k];
        }
    }
    return kept;
}

/// Of a line's places the crests and their B; whether the line is watched (0), will break (0.5) or
/// breaks (1).
static float judge(gyre_water *w, const look *l, int count, int was, const gy_front *front)
{
    gy_breaking *b = w->breaking;
    const gy_front *old = was >= 0 ? &b->fronts[was] : NULL;
    float along = front->normal[front->axis], most = 0.0f, depth;
    if (!(l->onset > 0.0f)) {
        return 1.0f;
    }
    for (int k = 0; k < count; k++) {
        gy_front_point *p = &b->steep[b->list[k]], at = *p;
        p->ratio = 0.0f;
        if ((p->crest[front->axis] > 0) == (along > 0.0f)) {
            walk(l, p, front->axis, -1, at.crest, &depth);
            p->ratio = gy_crest_ratio(w, &at, front->axis, along * along);
            most = GY_MAX(most, p->ratio);
        }
    }
    if ((old && old->steep == 1.0f) || most >= 1.0f) {
        return 1.0f;
    }
    float late = old && old->steep > 0.0f ? 5.0f * gy_sqrtf(old->depth / l->g) : 1e30f;
    return !(most > l->onset) ? 0.0f : old && old->age >= late ? 1.0f : 0.5f;
}

/// Whether a place of a line that breaks does: near where one did, or about to.
static bool breaks(const gyre_water *w, const look *l, int place)
{
    const gy_breaking *b = w->breaking;
    int near = b->near[place];
    return !(l->onset > 0.0f) || (near < 0 && b->fronts[-1 - near].steep == 1.0f) ||
           b->steep[place].ratio > l->onset;
}

/// Which way a line's cells fall; false: nowhere.
static bool direct(const gyre_water *w, int count, gy_front *front)
{
    const gy_breaking *b = w->breaking;
    double n[2] = {0};
    for (int k = 0; k < count; k++) {
        n[0] += (double)b->steep[b->list[k]].crest[0];
        n[1] += (double)b->steep[b->list[k]].crest[1];
    }
    double size = (double)gy_sqrtf((float)(n[0] * n[0] + n[1] * n[1]));
    front->axis = n[0] * n[0] >= n[1] * n[1] ? 0 : 1;
    for (int a = 0; a < 2 && size > 0.0; a++) {
        front->normal[a] = (float)(n[a] / size);
    }
    return size > 0.0;
}

/// A line out of the list's cells; its points behind those that there are. False: it is too low.
static bool measure(gyre_water *w, const look *l, int count, int was, gy_front *front)
{
    gy_breaking *b = w->breaking;
    double sums[7] = {0}, height = 0.0, foot = 0.0, h = (double)w->grid.h;
    int *points = &b->state->point_count;
    if (!direct(w, count, front)) {
        return false;
    }
    front->first = *points;
    count = thin(w, count, front->axis);
    front->steep = judge(w, l, count, was, front);
    for (int k = 0; k < count; k++) {
        gy_front_point p = b->steep[b->list[k]];
        int32_t low[2], high[2];
        float depth, top, bottom;
        const int step = front->axis;
        // A cell that falls against the line's axis has no crest along it.
        if ((p.crest[step] > 0) != (front->normal[step] > 0.0f) ||
            (front->steep == 1.0f && !breaks(w, l, b->list[k]))) {
            continue;
        }
        top = walk(l, &p, step, -1, high, &depth);
        bottom = walk(l, &p, step, 1, low, &depth);
        height += (double)(top - bottom);
        foot += (double)depth;
        sums[0] += 1.0;
        // Round a periodic side the middle is told from the first cell.
        for (int a = 0; a < 2; a++) {
            int own = a ? p.j : p.i, from = a ? b->steep[b->list[0]].j : b->steep[b->list[0]].i;
            int off = own - from, all = w->tiles.n[a];
            off = l->periodic[a] && off > all / 2    ? off - all
                  : l->periodic[a] && off < -all / 2 ? off + all
                                                     : off;
            sums[1 + a] += from + off + 0.5;
        }
        sums[3] += (double)top;
        sums[4] += (double)(p.rate / p.slope);
        p.crest[0] = high[0];
        p.crest[1] = high[1];
        if (*points < b->most_points) {
            b->points[(*points)++] = p;
        }
    }
    double kept = sums[0];
    if (!(kept > 0.0) || height < kept * (double)w->def->breaking.height) {
        *points = front->first;
        return false;
    }
    front->count = *points - front->first;
    for (int a = 0; a < 2; a++) {
        front->position[a] = (float)((double)w->grid.origin[a] + h * sums[1 + a] / kept);
    }
    float along = front->normal[front->axis];
    front->position[2] = (float)(sums[3] / kept);
    front->speed = (float)(sums[4] / kept);
    front->height = (float)(height / kept);
    front->depth = (float)(foot / kept);
    front->length = (float)(h * kept) / (along < 0.0f ? -along : along);
    return true;
}

/// The front of the step before that most of the list's cells are near; -1: none. `met`: how many
/// there are.
static int nearest(gyre_water *w, int count, const int32_t *was, int *met)
{
    gy_breaking *b = w->breaking;
    int best = -1, votes = 0, all = b->state->front_count;
    *met = 0;
    for (int f = 0; f < all; f++) {
        int own = 0;
        for (int k = 0; k < count; k++) {
            own += was[b->list[k]] == -1 - f;
        }
        *met += own > 0;
        if (own > votes) {
            votes = own;
            best = f;
        }
    }
    return best;
}

/// Gives lines their ids: the largest of those that claim one gets it.
static void name_lines(gyre_water *w, int count, const int32_t *claim, const int32_t *met, float dt)
{
    gy_breaking *b = w->breaking;
    for (int n = 0; n < count; n++) {
        gy_front *front = &b->next[n];
        int best = claim[n];
        for (int o = 0; o < count && best >= 0; o++) {
            bool larger =
                b->next[o].count > front->count || (b->next[o].count == front->count && o < n);
            if (o != n && claim[o] == claim[n] && larger) {
                best = -1;
            }
        }
        if (best >= 0) {
            const gy_front *old = &b->fronts[best];
            front->id = old->id;
            front->parent = old->parent;
            // Since it broke, or since it has been sure to.
            front->age = front->steep == old->steep && old->steep > 0.0f ? old->age + dt : 0.0f;
            front->due = old->due;
            front->row = old->row;
            b->state->merged += met[n] > 1 ? met[n] - 1 : 0;
        } else {
            front->id = ++b->state->next_id;
            front->parent = claim[n] >= 0 ? b->fronts[claim[n]].id : 0;
            b->state->split += claim[n] >= 0;
        }
    }
}

/// Oldest first.
static void keep_lines(gy_breaking *b, int count)
{
    for (int n = 0; n < count; n++) {
        int q = n;
        gy_front own = b->next[n];
        for (; q > 0 && b->fronts[q - 1].id > own.id; q--) {
            b->fronts[q] = b->fronts[q - 1];
        }
        b->fronts[q] = own;
    }
    b->state->front_count = count;
}

void gy_fronts_find(gyre_water *w, float dt)
{
    gy_breaking *b = w->breaking;
    const gyre_water_side *sides = &w->def->sides.x_low;
    float ratio = w->def->breaking.ratio;
    look l = {w,
              w->def->gravity,
              w->def->dry_depth,
              {ratio * ratio, ratio * ratio / 16.0f},
              w->def->nonhydrostatic ? w->def->breaking.onset : 0.0f,
              {sides[0].rule == GYRE_WATER_PERIODIC, sides[2].rule == GYRE_WATER_PERIODIC}};
    int steep = 0, lines = 0, most = gy_fronts_room(w->def);
    if (l.onset > 0.0f) {
        l.rise[0] = l.rise[1];
    }
    mark_near(w, &l);
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        if (w->tiles.slot[tile] >= 0) {
            look_through(w, &l, tile, &steep);
        }
    }
    // What was near which line is kept in the list of those, by steep cell.
    for (int k = 0; k < steep; k++) {
        int32_t *label = &b->label[b->steep[k].i + w->tiles.n[0] * b->steep[k].j];
        b->list[k] = *label;
    }
    for (int k = 0; k < b->near_count; k++) {
        b->label[b->near[k]] = 0;
    }
    memcpy(b->near, b->list, (size_t)steep * sizeof *b->near);
    for (int k = 0; k < steep; k++) {
        b->label[b->steep[k].i + w->tiles.n[0] * b->steep[k].j] = k + 1;
    }
    int32_t claim[GY_FRONTS_AT_ONCE], met[GY_FRONTS_AT_ONCE];
    b->state->point_count = 0;
    most = GY_MIN(most, GY_FRONTS_AT_ONCE);
    for (int k = 0; k < steep; k++) {
        int32_t *label = &b->label[b->steep[k].i + w->tiles.n[0] * b->steep[k].j];
        int near;
        if (*label != k + 1) {
            continue; // in a line already
        }
        *label = b->cells + 1;
        int count = gather(w, &l, k, b->cells + 1);
        int best = nearest(w, count, b->near, &near);
        gy_front front = {0};
        if (!measure(w, &l, count, best, &front)) {
            continue;
        }
        if (lines == most) {
            b->state->fronts_refused++;
            b->state->point_count = front.first;
            continue;
        }
        claim[lines] = best;
        met[lines] = near;
        b->next[lines++] = front;
    }
    for (int k = 0; k < steep; k++) {
        b->label[b->steep[k].i + w->tiles.n[0] * b->steep[k].j] = 0;
    }
    name_lines(w, lines, claim, met, dt);
    keep_lines(b, lines);
}
