// water/onset.c: whether a crest is about to break, and where waves that break have no pressure of
// flow that bends.
//
// It is about to where its water at the surface is nearly as fast as the crest is itself,
//
//     B = u_s / c > onset = 0.85,
//
// as X. Barthelemy, M. L. Banner, W. L. Peirson, F. Fedele, M. Allis and F. Dias, J. Fluid Mech.
// 841 (2018) have it of deep water, M. Derakhti, J. T. Kirby, M. L. Banner, S. T. Grilli and J.
// Thomson, J. Geophys. Res. Oceans 125 (2020), of shallow water and slopes; it breaks when B is 1,
// or 5 sqrt(d / g) later, the time that A. B. Kennedy and others (2000) give breaking to set in
// (in fronts.c). It knows neither how high a wave is nor how deep the water. Of Serre's equations
//
//     u_s = U + d (b_x U_x + b_xx U / 2) - d^2 / 3 U_xx,
//
// flow without vorticity whose vertical speed is linear from the bed up, U its mean; the
// derivatives are those of parabolas over a third of the depth either way, for limiters cut crests
// off, and hold where the surface's own parabola is highest: U_xx is greatest just before a crest,
// so that at the middle of the highest cell B would jump by 0.2 whenever that is the next one, and
// be that of the front. c is that by which the crest's neighbourhood, a depth either way and as far
// as to the steepest cell, moves on: what makes the sum of (eta_t + c eta_x)^2 least. (By the
// crest's own places it is up to an eighth faster on steep slopes, but told by ripples that ride on
// it.) Of waves that go askew the part along an axis is looked at.
#include "base/maths.h"
#include "water/breaking.h"

enum { FAR = 16, ROOM = FAR + 1 };

/// A row of columns along an axis, the crest in its middle.
typedef struct profile {
    float d[2 * ROOM + 1], bed[2 * ROOM + 1], q[2 * ROOM + 1];
} profile;

static int along(const gyre_water *w, int axis, int i)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    int n = w->tiles.n[axis];
    return i >= 0 && i < n ? i : sides[2 * axis].rule == GYRE_WATER_PERIODIC ? (i % n + n) % n : -1;
}

/// Columns that are not there are as the last one that is.
static void take_profile(const gyre_water *w, const int32_t crest[2], int axis, profile *to)
{
    for (int s = -1; s <= 1; s += 2) {
        for (int k = s < 0 ? 0 : 1; k <= ROOM; k++) {
            int at[2] = {crest[0], crest[1]}, place = 0, slot = -1, own = ROOM + s * k;
            at[axis] = along(w, axis, at[axis] + s * k);
            if (at[axis] >= 0) {
                slot = gy_tiles_find(&w->tiles, at[0], at[1], &place);
            }
            if (slot < 0 || gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT) {
                to->d[own] = k > 0 ? to->d[own - s] : 0.0f;
                to->bed[own] = k > 0 ? to->bed[own - s] : 0.0f;
                to->q[own] = 0.0f;
                continue;
            }
            to->d[own] = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH)[place];
            to->bed[own] = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
            to->q[own] = gy_tile_state(&w->tiles, slot, GY_WATER_QX + axis)[place];
        }
    }
}

/// The parabola through what lies round the middle, by least squares: value, slope and bend there,
/// by numbers of the place.
static void fit(const float *v, int reach, float to[3])
{
    float sums[3] = {0.0f, 0.0f, 0.0f}, n = (float)reach, count = 2.0f * n + 1.0f;
    for (int k = -reach; k <= reach; k++) {
        float x = (float)k, off = v[k] - v[0];
        sums[0] += off;
        sums[1] += off * x;
        sums[2] += off * x * x;
    }
    float s2 = n * (n + 1.0f) * count / 3.0f, s4 = s2 * (3.0f * n * n + 3.0f * n - 1.0f) / 5.0f;
    float half = (count * sums[2] - s2 * sums[0]) / (count * s4 - s2 * s2);
    to[0] = v[0] + (sums[0] - half * s2) / count;
    to[1] = sums[1] / s2;
    to[2] = 2.0f * half;
}

/// How far from its cell the crest is, in cells: the top of the parabola of the surface, at most
/// half the way to its end.
static float top_of(const profile *p, int wide)
{
    float surface[2 * ROOM + 1], to[3], most = 0.5f * (float)wide;
    for (int k = ROOM - wide; k <= ROOM + wide; k++) {
        surface[k] = p->d[k] + p->bed[k];
    }
    fit(surface + ROOM, wide, to);
    float off = to[2] < 0.0f ? -to[1] / to[2] : 0.0f;
    return off > most ? most : off < -most ? -most : off;
}

/// How fast the water at a crest's surface is, along the axis: the parabolas of the cells either
/// side of the crest, each by its nearness.
static float surface_speed(const profile *p, int wide, float h, float dry, float turn)
{
    float off = top_of(p, wide), flow[3] = {0}, bed[3], d = 0.0f, square = 1.0f / (h * h);
    int low = (int)gy_floorf(off);
    for (int q = 0; q < 2; q++) {
        float u[2 * ROOM + 1], own[3], part = off - (float)low;
        int at = ROOM + low + q;
        part = q ? part : 1.0f - part;
        for (int k = at - wide; k <= at + wide; k++) {
            u[k] = p->d[k] > dry ? p->q[k] / p->d[k] : 0.0f;
        }
        fit(u + at, wide, own);
        for (int k = 0; k < 3; k++) {
            flow[k] += part * own[k];
        }
        d += part * p->d[at];
    }
    fit(p->bed + ROOM, wide, bed);
    return flow[0] + d * (bed[1] * flow[1] + 0.5f * bed[2] * flow[0]) * square -
           d * d / 3.0f * flow[2] * square / turn;
}

float gy_crest_ratio(const gyre_water *w, const gy_front_point *point, int axis, float turn)
{
    profile p;
    float h = w->grid.h, dry = GY_MAX(w->def->dry_depth, 0.1f * h);
    int n = w->tiles.n[axis], off = (axis ? point->j : point->i) - point->crest[axis];
    off = off > n / 2 ? off - n : off < -n / 2 ? off + n : off;
    take_profile(w, point->crest, axis, &p);
    float d = p.d[ROOM], cells = d / h < (float)FAR ? d / h : (float)FAR;
    int wide = GY_MAX((int)(cells / 3.0f + 0.5f), 2);
    for (int k = ROOM - wide; k <= ROOM + wide; k++) {
        if (!(p.d[k] > dry)) {
            return 0.0f;
        }
    }
    int reach = GY_MIN(GY_MAX(GY_MAX(off < 0 ? -off : off, 2), (int)cells), (int)FAR);
    float moves = 0.0f, falls = 0.0f;
    for (int k = ROOM - reach; k <= ROOM + reach; k++) {
        float slope = (p.d[k + 1] + p.bed[k + 1]) - (p.d[k - 1] + p.bed[k - 1]);
        moves += (p.q[k + 1] - p.q[k - 1]) * slope;
        falls += slope * slope;
    }
    // cos of the angle is in both: of the water the part along the axis, of eta_t that of q_x.
    return moves != 0.0f ? surface_speed(&p, wide, h, dry, turn) * falls / moves : 0.0f;
}

void gy_fronts_mark(const gyre_water *w, float *rows, int stride)
{
    const gy_breaking *b = w->breaking;
    for (int f = 0; f < b->state->front_count; f++) {
        const gy_front *front = &b->fronts[f];
        int axis = front->axis, n = w->tiles.n[axis];
        for (int q = front->first; front->steep == 1.0f && q < front->first + front->count; q++) {
            const gy_front_point *p = &b->points[q];
            int at[2] = {p->i, p->j}, off = at[axis] - p->crest[axis];
            off = off > n / 2 ? off - n : off < -n / 2 ? off + n : off;
            for (int k = GY_MIN(2 * off, 0); k <= GY_MAX(2 * off, 0); k++) {
                at[axis] = along(w, axis, p->crest[axis] + k);
                if (at[axis] >= 0) {
                    rows[(ptrdiff_t)at[1] * stride + at[0]] = 1.0f;
                }
            }
        }
    }
}
