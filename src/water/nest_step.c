// water/nest_step.c: how a fine water and the coarse one round it are stepped. The coarse one goes
// first, from t to t + T in as many substeps as it wants, and the fine one after it, in as many
// steps as somebody asks for. (Berger and Colella, J. Comput. Phys. 82, 1989, in two.)
//
//   shallow  Beyond the fine water's sides lie three rows of ghosts: surface and velocity of the
//            coarse water, linear in space between limited slopes, of t and t + T, linear in
//            between.
//   wave     The discharge across the sides' faces is the coarse water's mean of T, linear along
//            them.
//   both     Where both stand at one time, each coarse cell outside of the join gets what has
//            passed too much or too little: the sum of the fine passes replaces the coarse one's,
//            and a cell that cannot pay it, for it is dry, owes it. Below the fine water
//
//                surface = mean of the wet cells' surfaces,  discharge = mean of the discharges,
//
//            and not mean depth, so that a lake at rest over two grounds stays at rest: water below
//            the fine one counts nowhere, so nothing is lost by that. Where no fine cell is wet the
//            coarse surface is at most the lowest ground there.
//
// Exact water gets whole quanta: what of a face's due is less than one stays owed.
//
// Cost: some 1.5 ns a fine cell where both meet, 0.5 us a face of the coarse join and step.
#include "base/maths.h"
#include "water/nest.h"
#include <string.h>

// ---- the coarse water as the fine one sees it

typedef struct cell {
    float bed, depth, eta, v[2];
    bool out, wet;
} cell;

static cell cell_at(const gyre_water *w, int i, int j)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot < 0) {
        return (cell){.out = true};
    }
    cell c = {.bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place],
              .depth = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH)[place],
              .out = (gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT) != 0};
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    c.wet = !c.out && (wave || c.depth > w->def->dry_depth);
    c.eta = wave ? c.depth : c.bed + c.depth;
    for (int a = 0; a < 2 && c.wet && !wave; a++) {
        c.v[a] = gy_tile_state(&w->tiles, slot, GY_WATER_QX + a)[place] / c.depth;
    }
    return c;
}

/// The slope between two differences: their mean, at most twice the smaller.
static float limited(float a, float b)
{
    float mean = 0.5f * (a + b), least = 2.0f * (a < b ? a : b), most = 2.0f * (a < b ? b : a);
    return a > 0.0f && b > 0.0f   ? (mean < least ? mean : least)
           : a < 0.0f && b < 0.0f ? (mean > most ? mean : most)
                                  : 0.0f;
}

/// Discharge of linear waves across a fine low face.
static float face_discharge(const gy_nest *n, int axis, int i, int j)
{
    int at[2] = {i, j}, c[2] = {n->low[0] + (i >> 1), n->low[1] + (j >> 1)};
    float q = 0.0f;
    for (int end = 0; end < 2; end++) {
        const float *f = gy_water_sample(n->coarse, GY_FIELD_QX + axis, c[0], c[1]);
        q += f ? 0.5f * *f : 0.0f;
        c[axis] += at[axis] & 1; // between two coarse faces, or on one
    }
    return q;
}

/// A coarse cell and how things change across it, per cell.
typedef struct slopes {
    cell c;
    double bed[2];
    float eta[2], v[2][2];
} slopes;

static void find_slopes(const gyre_water *w, int x, int y, slopes *s)
{
    *s = (slopes){.c = cell_at(w, x, y)};
    for (int a = 0; a < 2 && s->c.wet; a++) {
        cell l = cell_at(w, x - (a == 0), y - (a == 1)), h = cell_at(w, x + (a == 0), y + (a == 1));
        s->bed[a] = l.out || h.out ? 0.0 : 0.5 * ((double)h.bed - (double)l.bed);
        if (l.wet && h.wet) {
            s->eta[a] = limited(s->c.eta - l.eta, h.eta - s->c.eta);
            for (int b = 0; b < 2; b++) {
                s->v[b][a] = limited(s->c.v[b] - l.v[b], h.v[b] - s->c.v[b]);
            }
        }
    }
}

/// At the middle of the fine cell (i, j) in the coarse cell.
static gy_nest_sample sample_of(const gy_nest *n, const slopes *s, int i, int j)
{
    const gyre_water *w = n->coarse;
    float f[2] = {i & 1 ? 0.25f : -0.25f, j & 1 ? 0.25f : -0.25f};
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    gy_nest_sample to = {.bed = s->c.bed, .out = s->c.out};
    if (!s->c.wet) {
        return to;
    }
    float eta = s->c.eta + (f[0] * s->eta[0] + f[1] * s->eta[1]);
    to.bed = gy_water_round(n->fine, (double)s->c.bed +
                                         ((double)f[0] * s->bed[0] + (double)f[1] * s->bed[1]));
    to.depth = wave ? eta : eta > to.bed ? eta - to.bed : 0.0f;
    to.depth = w->def->exact ? gy_water_round(n->fine, (double)to.depth) : to.depth;
    for (int a = 0; a < 2; a++) {
        float v = s->c.v[a] + (f[0] * s->v[a][0] + f[1] * s->v[a][1]);
        to.q[a] = wave                           ? face_discharge(n, a, i, j)
                  : to.depth > w->def->dry_depth ? to.depth * v
                                                 : 0.0f;
    }
    return to;
}

gy_nest_sample gy_nest_sample_at(const gy_nest *n, int i, int j)
{
    slopes s;
    find_slopes(n->coarse, n->low[0] + (i >> 1), n->low[1] + (j >> 1), &s);
    return sample_of(n, &s, i, j);
}

bool gy_nest_is_open(const gyre_water *w, int i, int j)
{
    const gy_nest *n = w->nest;
    return !cell_at(n->coarse, n->low[0] + (i >> 1), n->low[1] + (j >> 1)).out;
}

// ---- ghosts

/// Of the coarse water as it is now: of each of its cells round the fine water, two deep, the
/// four fine cells in it, or the two that are within three rows.
static void look(const gy_nest *n, float *ghosts)
{
    const int *cells = n->fine->tiles.n;
    for (int k = 0; k < 2 * n->count; k++) {
        int side = 0, face = k / 2, at[2], coarse[2];
        while (side + 1 < GY_WATER_SIDES && face >= n->first[side + 1]) {
            side++;
        }
        int axis = side / 2, length = cells[1 - axis], m = 2 * (face - n->first[side]);
        ptrdiff_t array = (ptrdiff_t)GY_WATER_HALO * length;
        slopes s;
        for (int q = 0; q < 4; q++) {
            int away = 2 * (k % 2) + (q >> 1), along = m + (q & 1);
            at[axis] = side % 2 ? cells[axis] + away : -1 - away;
            at[1 - axis] = along;
            if (q == 0) {
                coarse[0] = n->low[0] + (at[0] >> 1);
                coarse[1] = n->low[1] + (at[1] >> 1);
                find_slopes(n->coarse, coarse[0], coarse[1], &s);
            }
            if (away < GY_WATER_HALO) {
                float *to = ghosts + n->first_ghost[side] + (ptrdiff_t)away * length + along;
                gy_nest_sample is = sample_of(n, &s, at[0], at[1]);
                to[0] = is.depth;
                to[array] = is.q[0];
                to[2 * array] = is.q[1];
                to[3 * array] = is.bed;
            }
        }
    }
}

void gy_nest_ghosts(gyre_water *w)
{
    const gy_nest *n = w->nest;
    if (!n || w->def->mode == GYRE_WATER_WAVE) {
        return;
    }
    float part = n->span > 0.0 ? (float)(n->at / n->span) : 0.0f;
    part = part < 1.0f ? part : 1.0f;
    for (int k = 0; k < n->ghosts; k++) {
        n->at_present[k] = n->old[k] + part * (n->now[k] - n->old[k]);
    }
}

float gy_nest_discharge(const gyre_water *w, int rule, int along)
{
    const gy_nest *n = w->nest;
    const double *pass = n->coarse_pass + n->first[rule];
    int m = along / 2, last = w->tiles.n[1 - rule / 2] / 2 - 1;
    float scale = n->span > 0.0 ? (float)((double)n->coarse->grid.h / n->span) : 0.0f;
    float q = (float)pass[m];
    if (m > 0 && m < last) {
        float slope = limited(q - (float)pass[m - 1], (float)pass[m + 1] - q);
        q += (along & 1 ? 0.25f : -0.25f) * slope;
    }
    return q * scale;
}

// ---- passes

static void note_coarse(gyre_water *w, gy_nest *n, float share)
{
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    int faces = n->join.first_face[w->tiles.tn[0] * w->tiles.tn[1]];
    for (int f = 0; f < faces; f++) {
        const gy_water_face *face = &n->join.faces[f];
        float pass = face->pass;
        if (wave) {
            int high = face->towards % 2, axis = face->towards / 2;
            int i = face->tile % w->tiles.tn[0] * GY_WATER_TILE + face->i;
            int j = face->tile / w->tiles.tn[0] * GY_WATER_TILE + face->j;
            const float *q = gy_water_sample(w, GY_FIELD_QX + axis, i + (high && axis == 0),
                                             j + (high && axis == 1));
            pass = q ? gy_quantize(share * *q, w->def->exact ? w->quantum : 0.0f) : 0.0f;
            pass = high ? -pass : pass;
        }
        n->coarse_pass[face->rule] += (double)pass;
    }
}

static void note_fine(const gyre_water *w, gy_nest *n)
{
    const gy_water_face *faces = w->faces.items;
    for (int f = 0; f < w->faces.count; f++) {
        const gy_water_face *face = &faces[f];
        if (face->rule < GY_WATER_SIDES) {
            int along = face->rule / 2 ? face->tile % w->tiles.tn[0] * GY_WATER_TILE + face->i
                                       : face->tile / w->tiles.tn[0] * GY_WATER_TILE + face->j;
            n->fine_pass[n->first[face->rule] + along / 2] += 0.25 * (double)face->pass;
        }
    }
}

void gy_nest_note(gyre_water *w, float dt)
{
    for (gy_nest *n = w->nested; n; n = n->next) {
        note_coarse(w, n, dt / w->grid.h);
    }
    if (w->nest) {
        note_fine(w, w->nest);
        w->nest->at += (double)dt;
    }
}

// ---- where both stand at one time

/// Four fine cells' surface and discharge: of rows `a` and `b` of arrays, at columns 0 and 1.
typedef struct four {
    const float *depth[2], *bed[2], *q[2][2];
    const uint8_t *flags[2];
    bool plain; // nothing of the tile is cut out
} four;

static float sum_of(const float *const row[2], int i)
{
    return (row[0][i] + row[1][i + 1]) + (row[0][i + 1] + row[1][i]);
}

/// The depth of the coarse cell over four fine ones.
static float depth_over(const four *f, int i, float bed, float depth, float dry)
{
    float eta[4], d[4], highest = -1e30f, lowest = 1e30f, sum = 0.0f, weighed[4];
    int wet = 0;
    for (int k = 0; k < 4; k++) {
        int row = k >> 1, at = i + ((k ^ row) & 1); // the diagonals one after the other
        bool out = f->flags[row][at] & GY_CELL_OUT;
        d[k] = out ? 0.0f : f->depth[row][at];
        eta[k] = f->bed[row][at] + d[k];
        bool is_wet = d[k] > dry;
        d[k] = is_wet ? d[k] : 0.0f;
        wet += is_wet;
        highest = is_wet && eta[k] > highest ? eta[k] : highest;
        lowest = !out && f->bed[row][at] < lowest ? f->bed[row][at] : lowest;
    }
    if (wet == 4) {
        float mean = 0.25f * ((eta[0] + eta[3]) + (eta[1] + eta[2]));
        return mean > bed ? mean - bed : 0.0f;
    }
    if (wet == 0) {
        float most = lowest > bed ? lowest - bed : 0.0f;
        return depth < most ? depth : most;
    }
    for (int k = 0; k < 4; k++) {
        weighed[k] = d[k] > 0.0f ? d[k] * (eta[k] - highest) : 0.0f;
    }
    sum = (d[0] + d[3]) + (d[1] + d[2]);
    float mean = highest + ((weighed[0] + weighed[3]) + (weighed[1] + weighed[2])) / sum;
    return mean > bed ? mean - bed : 0.0f;
}

/// The mean of the heights of those that are not cut out.
static float height_over(const four *f, int i)
{
    float sum = 0.0f;
    int count = 0;
    for (int k = 0; k < 4; k++) {
        int row = k >> 1, at = i + ((k ^ row) & 1);
        bool out = f->flags[row][at] & GY_CELL_OUT;
        sum += out ? 0.0f : f->depth[row][at];
        count += !out;
    }
    return count == 4 ? 0.25f * sum_of(f->depth, i) : count > 0 ? sum / (float)count : 0.0f;
}

/// Where nothing is cut out, of linear waves; a sum of four in the order of the others.
static double restrict_waves(const four *f, int count, float *depth, float *const q[2], int first_x,
                             bool keep_y)
{
    const float *a = f->depth[0], *b = f->depth[1], *x = f->q[0][0], *y = f->q[0][1];
    double change[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        float mean = 0.25f * ((a[2 * i] + b[2 * i + 1]) + (a[2 * i + 1] + b[2 * i]));
        change[i & 3] += (double)mean - (double)depth[i];
        depth[i] = mean;
    }
    for (int i = first_x; i < count; i++) {
        q[0][i] = 0.5f * (x[2 * i] + y[2 * i]);
    }
    const float *low = f->q[1][0];
    for (int i = 0; i < count && !keep_y; i++) {
        q[1][i] = 0.5f * (low[2 * i] + low[2 * i + 1]);
    }
    return (change[0] + change[1]) + (change[2] + change[3]);
}

/// `count` cells of a row of one coarse tile over a row of one fine tile.
static double restrict_run(gy_nest *n, int slot, int place, const four *f, int count, bool keep_x,
                           bool keep_y)
{
    const gy_tiles *t = &n->coarse->tiles;
    bool wave = n->coarse->def->mode == GYRE_WATER_WAVE;
    float dry = n->coarse->def->dry_depth;
    bool exact = n->coarse->def->exact;
    float *depth = gy_tile_edit(t, slot, GY_WATER_DEPTH) + place;
    float *q[2] = {gy_tile_edit(t, slot, GY_WATER_QX) + place,
                   gy_tile_edit(t, slot, GY_WATER_QY) + place};
    const float *bed = gy_tile_array(t, slot, GY_WATER_BED) + place;
    const uint8_t *flags = gy_tile_flags(t, slot) + place;
    double change = 0.0;
    if (wave && !exact && n->coarse->plain[t->tile[slot]] && f->plain) {
        return restrict_waves(f, count, depth, q, keep_x, keep_y);
    }
    for (int i = 0; i < count; i++) {
        if (flags[i] & GY_CELL_OUT) {
            continue;
        }
        float old = depth[i];
        depth[i] = wave ? height_over(f, 2 * i) : depth_over(f, 2 * i, bed[i], old, dry);
        depth[i] = exact ? gy_water_round(n->coarse, (double)depth[i]) : depth[i];
        change += (double)depth[i] - (double)old;
        if (wave) {
            // Low faces: those of the join are the coarse water's own.
            bool rim_x = keep_x && i == 0;
            q[0][i] = rim_x ? q[0][i] : 0.5f * (f->q[0][0][2 * i] + f->q[0][1][2 * i]);
            q[1][i] = keep_y ? q[1][i] : 0.5f * (f->q[1][0][2 * i] + f->q[1][0][2 * i + 1]);
        } else {
            bool wet = depth[i] > dry;
            q[0][i] = wet ? 0.25f * sum_of(f->q[0], 2 * i) : 0.0f;
            q[1][i] = wet ? 0.25f * sum_of(f->q[1], 2 * i) : 0.0f;
        }
    }
    return change;
}

void gy_nest_restrict(gy_nest *n, const int low[2], const int high[2])
{
    const gy_tiles *c = &n->coarse->tiles, *t = &n->fine->tiles;
    double change = 0.0;
    for (int y = low[1]; y < high[1]; y++) {
        for (int x = low[0], run; x < high[0]; x += run) {
            int i = 2 * (x - n->low[0]), j = 2 * (y - n->low[1]), place, at;
            int slot = gy_tiles_find(c, x, y, &place), from = gy_tiles_find(t, i, j, &at);
            run = GY_MIN(GY_WATER_TILE - (x & GY_TILE_MASK),
                         (GY_WATER_TILE - (i & GY_TILE_MASK)) / 2);
            run = GY_MIN(run, high[0] - x);
            if (slot < 0 || from < 0) {
                continue; // all of the tile is cut out
            }
            four f = {.plain = n->fine->plain[t->tile[from]]};
            for (int row = 0; row < 2; row++) {
                int o = at + row * GY_WATER_TILE;
                f.depth[row] = gy_tile_state(t, from, GY_WATER_DEPTH) + o;
                f.q[0][row] = gy_tile_state(t, from, GY_WATER_QX) + o;
                f.q[1][row] = gy_tile_state(t, from, GY_WATER_QY) + o;
                f.bed[row] = gy_tile_array(t, from, GY_WATER_BED) + o;
                f.flags[row] = gy_tile_flags(t, from) + o;
            }
            change += restrict_run(n, slot, place, &f, run, x == n->low[0], y == n->low[1]);
            gy_water_touch(n->coarse, slot);
        }
    }
    gy_water_book(n->coarse, GY_LINE_EDITS, change);
}

/// A depth, at most so large; of exact water a whole number of quanta: the rest stays owed.
static float payable(const gyre_water *w, double wanted)
{
    double q = (double)w->quantum;
    return (float)(w->def->exact ? __builtin_floor(wanted / q) * q : wanted);
}

/// Gives a face's due to the coarse cell outside of it.
static void pay(gy_nest *n, int side, int m, double *booked)
{
    int axis = side / 2, k = n->first[side] + m, at[2], place;
    at[axis] = side % 2 ? n->high[axis] : n->low[axis] - 1;
    at[1 - axis] = n->low[1 - axis] + m;
    double owed = n->owed[k], due = owed + (n->coarse_pass[k] - n->fine_pass[k]), given = 0.0;
    int slot = gy_tiles_find(&n->coarse->tiles, at[0], at[1], &place);
    bool wave = n->coarse->def->mode == GYRE_WATER_WAVE;
    n->owed[k] = 0.0;
    if (due != 0.0 && slot >= 0 && !(gy_tile_flags(&n->coarse->tiles, slot)[place] & GY_CELL_OUT)) {
        float *depth = &gy_tile_edit(&n->coarse->tiles, slot, GY_WATER_DEPTH)[place];
        float old = *depth;
        double wanted = (double)old + due;
        *depth = wave || wanted > 0.0 ? payable(n->coarse, wanted) : 0.0f;
        given = (double)*depth - (double)old;
        n->owed[k] = wave || wanted > 0.0 ? 0.0 : wanted;
        n->owed[k] = n->coarse->def->exact ? due - given : n->owed[k];
        gy_water_touch(n->coarse, slot);
    } else {
        n->owed[k] = due;
    }
    n->leak += (n->owed[k] - due) + given;
    *booked += given;
    n->coarse_pass[k] = n->fine_pass[k] = 0.0;
}

bool gy_nest_catch(gyre_water *w, const float at[3], const float v[3], double amount)
{
    gy_nest *n = w->nest;
    gyre_water *c = n ? n->coarse : NULL;
    int in[2], place;
    for (int a = 0; c && a < 2; a++) {
        float off = (at[a] - c->grid.origin[a]) / c->grid.h;
        in[a] = off >= 0.0f && off < (float)c->grid.n[a] ? (int)off : -1;
    }
    int slot = c && in[0] >= 0 && in[1] >= 0 ? gy_tiles_find(&c->tiles, in[0], in[1], &place) : -1;
    if (slot < 0 || gy_tile_flags(&c->tiles, slot)[place] & GY_CELL_OUT) {
        return false;
    }
    float *depth = &gy_tile_edit(&c->tiles, slot, GY_WATER_DEPTH)[place], old = *depth;
    double due = 0.25 * amount; // the cell is four times as large
    *depth = payable(c, (double)old + due);
    double given = (double)*depth - (double)old, owed = c->def->exact ? due - given : 0.0;
    n->owed[0] += owed;
    for (int a = 0; a < 2; a++) {
        float *q = &gy_tile_edit(&c->tiles, slot, GY_WATER_QX + a)[place];
        *q = (float)((double)*q + given * (double)v[a]);
    }
    n->leak += (given + owed) - due;
    gy_water_book(c, GY_LINE_EDITS, given);
    gy_water_touch(c, slot);
    return true;
}

static void bring_together(gy_nest *n)
{
    double booked = 0.0;
    for (int side = 0; side < GY_WATER_SIDES; side++) {
        int axis = side / 2, length = n->high[1 - axis] - n->low[1 - axis];
        for (int m = 0; m < length; m++) {
            pay(n, side, m, &booked);
        }
    }
    gy_water_book(n->coarse, GY_LINE_EDITS, booked);
    gy_nest_restrict(n, n->low, n->high);
    n->span = n->at = 0.0;
    gy_snapshots_publish(n->coarse);
}

double gy_nest_covered(const gy_nest *n)
{
    const gyre_water *w = n->coarse;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    double sum = 0.0;
    for (int y = n->low[1]; y < n->high[1]; y++) {
        for (int x = n->low[0]; x < n->high[0]; x++) {
            cell c = cell_at(w, x, y);
            double more = wave ? (double)w->def->level - (double)c.bed : 0.0;
            sum += c.out ? 0.0 : (double)c.depth + more;
        }
    }
    return sum;
}

// ---- steps

/// Each step of a water with `every` is one of so many. One that others are nested in goes ahead,
/// for they need to know where to; any other one waits, and makes up for it.
bool gy_nest_is_due(gyre_water *w, float dt, float *seconds)
{
    double *due = &w->model.place.due, more = (double)(w->def->every - 1) * (double)dt;
    if (w->def->every <= 1 && *due == 0.0) {
        return true;
    }
    *due += (double)dt;
    double noise = 1e-6 * (double)dt;
    if (w->nested ? *due <= noise : *due < more + (double)dt - noise) {
        return false;
    }
    double step = w->nested ? *due + more : *due;
    double left = w->nest ? w->nest->span - w->nest->at : step;
    // One that is nested itself goes ahead as far as the one round it.
    step = w->nested && step > left && left > *due - noise ? left : step;
    *due -= step;
    *due = *due<noise && * due> - noise ? 0.0 : *due;
    *seconds = (float)step;
    return true;
}

/// Gates move water by themselves, which a join would not know of.
static gyre_result check_gates(const gyre_water *w, const gy_nest *n)
{
    const gy_gate_face *faces = w->gates.items;
    const gyre_water_gate *gates = w->def->gates.items;
    for (int f = 0; f < w->gates.count; f++) {
        int in[2];
        for (int s = 0; s < 2; s++) {
            int i = faces[f].i - (s == 0 && faces[f].axis == 0);
            int j = faces[f].j - (s == 0 && faces[f].axis == 1);
            in[s] = i >= n->low[0] && i < n->high[0] && j >= n->low[1] && j < n->high[1];
        }
        if (in[0] != in[1]) {
            return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                             "step: gates.%s of the coarse water stands where a fine one is joined",
                             gates[faces[f].gate].name);
        }
    }
    return GYRE_OK;
}

gyre_result gy_nest_begin(gyre_water *w, float seconds)
{
    gy_nest *own = w->nest;
    gyre_result r = gy_nest_moved(w); // a load may have brought it elsewhere
    if (own && r == GYRE_OK) {
        r = gy_nest_check("step", w, own->coarse);
    }
    double left = own ? own->span - own->at : 0.0;
    if (own && r == GYRE_OK && (double)seconds > left * (1.0 + 1e-5) + 1e-12) {
        r = gyre_fail(GYRE_ERROR_STATE,
                      "step: by %g s, and the water that it is nested in is %g s ahead: that one "
                      "is stepped first",
                      (double)seconds, left);
    }
    if (own && r == GYRE_OK && gy_model_still(&own->coarse->model, "step") != GYRE_OK) {
        r = GYRE_ERROR_STATE;
    }
    for (gy_nest *n = w->nested; n && r == GYRE_OK; n = n->next) {
        r = gy_nest_check("step", n->fine, w);
        r = r == GYRE_OK ? check_gates(w, n) : r;
        if (r == GYRE_OK && !(n->span > 0.0) && w->def->mode != GYRE_WATER_WAVE) {
            look(n, n->old);
        }
    }
    return r;
}

gyre_result gy_nest_end(gyre_water *w, float seconds)
{
    gy_nest *own = w->nest;
    for (gy_nest *n = w->nested; n; n = n->next) {
        n->span += (double)seconds;
        if (w->def->mode != GYRE_WATER_WAVE) {
            look(n, n->now);
        }
    }
    if (own && own->span > 0.0 && own->at > own->span * (1.0 - 1e-5)) {
        bring_together(own);
        return w->def->follow[0] ? gy_water_follow(w) : GYRE_OK;
    }
    return GYRE_OK;
}
