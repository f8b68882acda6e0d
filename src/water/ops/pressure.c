// water/ops/pressure.c: the pressure that is not hydrostatic, row by row: see water/pressure.c for
// the equations. Cost: gathered and put some 12 floats moved per cell, made 12, and 9 in each
// iteration.
#include "water/ops/pressure.h"
#include "ops/row/body.h"
#include "water/ops/args.h"
#include "water/ops/shallow.h"

enum { T = GY_WATER_TILE };

GY_INLINE const gy_pressure *job_of(const void *args)
{
    return (const void *)(uintptr_t)((const gy_water_args *)args)->job;
}

/// Two cells left of the first and right of the last: round, or the end ones times `sign`.
GY_INLINE void finish_row(const gy_pressure *d, float *row, float sign)
{
    int n = d->n[0];
    float a = row[0], b = row[n - 1], c = row[n > 1 ? 1 : 0], e = row[n > 1 ? n - 2 : 0];
    row[-1] = d->round[0] ? b : sign * a;
    row[-2] = d->round[0] ? e : sign * c;
    row[n] = d->round[0] ? a : sign * b;
    row[n + 1] = d->round[0] ? c : sign * e;
}

/// Depth, bed, discharge, and which low faces are open. Nothing where there is no memory.
void GY_BODY(pressure_gather)(const void *args, const gy_box *box, int task)
{
    const gy_pressure *d = job_of(args);
    const gy_tiles *t = d->tiles;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        float *const arrays[] = {d->depth, d->bed, d->qx, d->qy, d->open[0], d->open[1]};
        for (int a = 0; a < GY_COUNT(arrays); a++) {
            for (int i = d->n[0]; i < d->stride - 2; i++) {
                arrays[a][row + i] = 0.0f;
            }
        }
        for (int x = 0; x < t->tn[0]; x++) {
            int tile = x + t->tn[0] * (j / T), slot = t->slot[tile];
            int count = GY_MIN(T, d->n[0] - x * T);
            ptrdiff_t at = row + (ptrdiff_t)x * T, place = (ptrdiff_t)(j % T) * T;
            size_t bytes = (size_t)count * sizeof(float);
            for (int a = 0; a < GY_COUNT(arrays) && slot < 0; a++) {
                memset(arrays[a] + at, 0, bytes);
            }
            if (slot < 0) {
                continue;
            }
            memcpy(d->depth + at, gy_tile_state(t, slot, GY_WATER_DEPTH) + place, bytes);
            memcpy(d->qx + at, gy_tile_state(t, slot, GY_WATER_QX) + place, bytes);
            memcpy(d->qy + at, gy_tile_state(t, slot, GY_WATER_QY) + place, bytes);
            memcpy(d->bed + at, gy_tile_array(t, slot, GY_WATER_BED) + place, bytes);
            const uint8_t *flags = gy_tile_flags(t, slot) + place;
            for (int i = 0; i < count; i++) {
                bool plain = d->plain[tile];
                d->open[0][at + i] = plain || !(flags[i] & GY_CELL_SHUT_X) ? 1.0f : 0.0f;
                d->open[1][at + i] = plain || !(flags[i] & GY_CELL_SHUT_Y) ? 1.0f : 0.0f;
            }
        }
        if (!d->round[0]) {
            d->open[0][row] = 0.0f;
        }
        if (j == 0 && !d->round[1]) {
            memset(d->open[1] + row, 0, (size_t)d->n[0] * sizeof(float));
        }
        finish_row(d, d->depth + row, 1.0f);
        finish_row(d, d->bed + row, 1.0f);
        finish_row(d, d->qx + row, -1.0f);
        finish_row(d, d->qy + row, 1.0f);
        d->open[0][row + d->n[0]] = d->round[0] ? d->open[0][row] : 0.0f;
    }
}

/// Rows round a row j, as the ends have them.
typedef struct rows {
    ptrdiff_t at[3];
    bool up; // there is one above
} rows;

GY_INLINE rows rows_of(const gy_pressure *d, int j)
{
    rows r;
    for (int k = 0; k < 3; k++) {
        r.at[k] = (ptrdiff_t)gy_pressure_row(d, j + k - 1) * d->stride;
    }
    r.up = j + 1 < d->n[1] || d->round[1];
    return r;
}

/// Whether the faces round cells are open: low and high of x, low and high of y.
GY_INLINE void open_of(const gy_pressure *d, const rows *r, int i, vi open[4])
{
    vf none = gy_splat(0.0f);
    open[0] = (vi)(gy_load(d->open[0] + r->at[1] + i) > none);
    open[1] = (vi)(gy_load(d->open[0] + r->at[1] + i + 1) > none);
    open[2] = (vi)(gy_load(d->open[1] + r->at[1] + i) > none);
    open[3] = r->up ? (vi)(gy_load(d->open[1] + r->at[2] + i) > none) : (vi)(none > none);
}

/// A quantity of cells and of the four round them, `sign` times the cell's own behind shut faces.
typedef struct cross {
    vf own, at[4];
} cross;

GY_INLINE cross cross_of(const float *from, const rows *r, int i, const vi open[4],
                         const float sign[2])
{
    cross c = {.own = gy_load(from + r->at[1] + i)};
    c.at[0] = gy_select(open[0], gy_load(from + r->at[1] + i - 1), sign[0] * c.own);
    c.at[1] = gy_select(open[1], gy_load(from + r->at[1] + i + 1), sign[0] * c.own);
    c.at[2] = gy_select(open[2], gy_load(from + r->at[0] + i), sign[1] * c.own);
    c.at[3] = gy_select(open[3], gy_load(from + r->at[2] + i), sign[1] * c.own);
    return c;
}

static const float even[2] = {1.0f, 1.0f}, odd_x[2] = {-1.0f, 1.0f}, odd_y[2] = {1.0f, -1.0f};

/// Cells that break and, in their row, two beside them; which break stands in `right`.
void GY_BODY(pressure_steep)(const void *args, const gy_box *box, int task)
{
    const gy_pressure *d = job_of(args);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        float *own = d->right + (ptrdiff_t)j * d->stride;
        finish_row(d, own, 1.0f);
        for (int i = 0; i < d->n[0]; i += VW) {
            vf most = gy_load(own + i - 2);
            for (int k = -1; k <= 2; k++) {
                most = gy_max(most, gy_load(own + i + k));
            }
            gy_store(d->broken + (ptrdiff_t)j * d->stride + i, most);
        }
    }
}

/// Both sides of the system, and its first two approximations: none, and what the diagonal says.
void GY_BODY(pressure_make)(const void *args, const gy_box *box, int task)
{
    const gy_pressure *d = job_of(args);
    float inverse = 1.0f / d->h, half = 0.5f * inverse, square = inverse * inverse;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        rows r = rows_of(d, j);
        vf none = gy_splat(0.0f), one = gy_splat(1.0f), dry = gy_splat(d->dry), least = one;
        bool beside = d->margin[d->stride + j] > 0.0f;
        for (int i = 0; i < d->n[0]; i += VW) {
            ptrdiff_t at = r.at[1] + i;
            vi open[4], live[4];
            open_of(d, &r, i, open);
            cross h = cross_of(d->depth, &r, i, open, even),
                  b = cross_of(d->bed, &r, i, open, even);
            cross qx = cross_of(d->qx, &r, i, open, odd_x),
                  qy = cross_of(d->qy, &r, i, open, odd_y);
            vi wet = (vi)(h.own > dry);
            vf own = h.own + b.own, depth = gy_max(h.own, dry), cube = 1.0f / depth, e[4], f[4];
            vf u = gy_keep(wet, qx.own * cube), v = gy_keep(wet, qy.own * cube);
            vf du[4], dv[4], diagonal = none;
            cube = cube * cube * cube;
            for (int k = 0; k < 4; k++) {
                live[k] = open[k] & (vi)(h.at[k] > dry) & wet;
                e[k] = gy_select(live[k], h.at[k] + b.at[k], own);
                vf over = gy_keep((vi)(h.at[k] > dry), 1.0f / gy_max(h.at[k], dry));
                du[k] = qx.at[k] * over;
                dv[k] = qy.at[k] * over;
                f[k] = gy_keep(live[k], (2.0f * d->wide * square) / gy_max(h.own + h.at[k], dry));
                diagonal += f[k];
            }
            vf ux = (du[1] - du[0]) * half, uy = (du[3] - du[2]) * half;
            vf vx = (dv[1] - dv[0]) * half, vy = (dv[3] - dv[2]) * half, div = ux + vy;
            vf bx = (b.at[1] - b.at[0]) * half, by = (b.at[3] - b.at[2]) * half;
            vf bxx = ((b.at[1] - b.own) - (b.own - b.at[0])) * square;
            vf byy = ((b.at[3] - b.own) - (b.own - b.at[2])) * square;
            vf ex = (e[1] - e[0]) * half, ey = (e[3] - e[2]) * half;
            vf curve = (((e[1] - own) - (own - e[0])) + ((e[3] - own) - (own - e[2]))) * square;
            vf hx = ex - bx, hy = ey - by;
            // The bed's pull: its mixed derivative is left out.
            vf pull = (u * u * bxx + v * v * byy) - d->gravity * (bx * ex + by * ey);
            vf right = 2.0f * (div * div - (ux * vy - uy * vx)) + d->gravity * curve +
                       (1.5f / depth) * pull;
            vf plain = 3.0f * cube;
            vf bend = (2.25f * (bx * bx + by * by) + 3.0f * (bx * hx + by * hy)) * cube -
                      (1.5f * (bxx + byy) / (depth * depth));
            vf zero = gy_max(plain + d->wide * bend, 0.5f * plain);
            vf broken = gy_load(d->margin + i);
            for (int k = -2; k <= 2; k++) {
                broken = gy_max(broken, gy_load(d->broken + i +
                                                (ptrdiff_t)gy_pressure_row(d, j + k) * d->stride));
            }
            vi has = wet & ~(vi)(broken > none);
            has = beside ? (vi)(none > none) : has;
            vf over = gy_keep(has, 1.0f / (zero + diagonal));
            right = gy_keep(has, right);
            least = gy_min(least, gy_select(has, zero * over, one));
            gy_store(d->inverse + at, over);
            gy_store(d->right + at, right);
            gy_store(d->face[0] + at, f[0]);
            gy_store(d->face[1] + at, f[2]);
            gy_store(d->sum[0] + at, none);
            gy_store(d->sum[1] + at, over * right);
        }
        d->face[0][r.at[1] + d->n[0]] = d->round[0] ? d->face[0][r.at[1]] : 0.0f;
        finish_row(d, d->sum[0] + r.at[1], 1.0f);
        finish_row(d, d->sum[1] + r.at[1], 1.0f);
        float lanes[VW], low = 1.0f;
        gy_store(lanes, least);
        for (int k = 0; k < VW; k++) {
            low = GY_MIN(low, lanes[k]);
        }
        d->least[j] = low;
    }
}

/// sum[to] = w (D^-1 (right + neighbours' faces) - sum[to]) + sum[to].
void GY_BODY(pressure_relax)(const void *args, const gy_box *box, int task)
{
    const gy_pressure *d = job_of(args);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        rows r = rows_of(d, j);
        const float *x = d->sum[d->from], *own = x + r.at[1];
        const float *up = r.up ? d->face[1] + r.at[2] : d->zeros;
        const float *right = d->right + r.at[1], *over = d->inverse + r.at[1];
        const float *fx = d->face[0] + r.at[1], *fy = d->face[1] + r.at[1];
        float *to = d->sum[d->to] + r.at[1], weight = d->weight;
        for (int i = 0; i < d->n[0]; i += VW) {
            vf sum = (gy_load(fx + i) * gy_load(own + i - 1) +
                      gy_load(fx + i + 1) * gy_load(own + i + 1)) +
                     (gy_load(fy + i) * gy_load(x + r.at[0] + i) +
                      gy_load(up + i) * gy_load(x + r.at[2] + i));
            vf last = gy_load(to + i);
            vf now = gy_load(over + i) * (gy_load(right + i) + sum);
            gy_store(to + i, weight * (now - last) + last);
        }
        finish_row(d, to, 1.0f);
    }
}

/// What the pressure does to the discharge, into the tiles.
void GY_BODY(pressure_push)(const void *args, const gy_box *box, int task)
{
    const gy_pressure *d = job_of(args);
    const gy_tiles *t = d->tiles;
    float half = 0.5f / d->h;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        rows r = rows_of(d, j);
        // Out of place: rows beside are still to be read.
        float *to[2] = {d->face[0] + r.at[1], d->right + r.at[1]};
        for (int i = 0; i < d->n[0]; i += VW) {
            vi open[4];
            open_of(d, &r, i, open);
            cross p = cross_of(d->sum[d->to], &r, i, open, even);
            cross b = cross_of(d->bed, &r, i, open, even);
            vf depth = gy_load(d->depth + r.at[1] + i), dry = gy_splat(d->dry);
            vf own = 1.5f * p.own / gy_max(depth, dry);
            vi wet = (vi)(depth > dry);
            vf x = ((p.at[1] - p.at[0]) + own * (b.at[1] - b.at[0])) * (half * d->dt);
            vf y = ((p.at[3] - p.at[2]) + own * (b.at[3] - b.at[2])) * (half * d->dt);
            gy_store(to[0] + i, gy_load(d->qx + r.at[1] + i) - gy_keep(wet, x));
            gy_store(to[1] + i, gy_load(d->qy + r.at[1] + i) - gy_keep(wet, y));
        }
        for (int x = 0; x < t->tn[0]; x++) {
            int slot = t->slot[x + t->tn[0] * (j / T)], count = GY_MIN(T, d->n[0] - x * T);
            ptrdiff_t place = (ptrdiff_t)(j % T) * T;
            size_t bytes = (size_t)count * sizeof(float);
            if (slot >= 0) {
                int first = t->current[slot] * GY_WATER_STATE;
                memcpy(gy_tile_array(t, slot, first + GY_WATER_QX) + place, to[0] + x * T, bytes);
                memcpy(gy_tile_array(t, slot, first + GY_WATER_QY) + place, to[1] + x * T, bytes);
            }
        }
    }
}
