// water/ops/dispersive.c: what mode dispersive does row by row: see water/dispersive.c for the
// equations. Cost: all of a step's together some 60 floats moved per cell and 9 more for each
// reference depth.
#include "water/ops/dispersive.h"
#include "ops/row/body.h"
#include "water/ops/args.h"
#include "water/ops/shallow.h"

enum { T = GY_WATER_TILE };

GY_INLINE const gy_dispersive *job_of(const void *args)
{
    return (const void *)(uintptr_t)((const gy_water_args *)args)->job;
}

/// The cells left of the first and right of the last: round, or the end ones times `sign`.
GY_INLINE void finish_row(const gy_dispersive *d, float *row, float sign)
{
    int n = d->n[0];
    bool round = d->end[0][0] == GY_END_PERIODIC;
    float first = row[0], last = row[n - 1];
    row[-1] = round ? last : sign * first;
    row[n] = round ? first : sign * last;
}

// ---- the whole, out of the tiles

/// Of 64 cells: whether their low faces are open, 0 or 1.
static void read_open(const uint8_t *flags, bool plain, int count, float *x, float *y)
{
    for (int i = 0; i < count; i++) {
        x[i] = plain || !(flags[i] & GY_CELL_SHUT_X) ? 1.0f : 0.0f;
        y[i] = plain || !(flags[i] & GY_CELL_SHUT_Y) ? 1.0f : 0.0f;
    }
}

/// Depth and surface, both once more in out_re and out_im, and discharge; re, im: whether low faces
/// are open. Nothing where there is no memory. `way` 1: depth and discharge alone.
void GY_BODY(dispersive_gather)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    const gy_tiles *t = d->tiles;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        for (int x = 0; x < t->tn[0]; x++) {
            int tile = x + t->tn[0] * (j / T), slot = t->slot[tile];
            int count = GY_MIN(T, d->n[0] - x * T);
            ptrdiff_t at = row + (ptrdiff_t)x * T, place = (ptrdiff_t)(j % T) * T;
            size_t bytes = (size_t)count * sizeof(float);
            if (slot < 0) {
                float *const all[] = {d->depth, d->surface, d->qx,     d->qy,
                                      d->re,    d->im,      d->out_re, d->out_im};
                float *const few[] = {d->depth, d->qx, d->qy};
                for (int a = 0; a < (d->way == 1 ? GY_COUNT(few) : GY_COUNT(all)); a++) {
                    memset((d->way == 1 ? few[a] : all[a]) + at, 0, bytes);
                }
                continue;
            }
            memcpy(d->depth + at, gy_tile_state(t, slot, GY_WATER_DEPTH) + place, bytes);
            memcpy(d->qx + at, gy_tile_state(t, slot, GY_WATER_QX) + place, bytes);
            memcpy(d->qy + at, gy_tile_state(t, slot, GY_WATER_QY) + place, bytes);
            if (d->way == 1) {
                continue;
            }
            const float *bed = gy_tile_array(t, slot, GY_WATER_BED) + place;
            for (int i = 0; i < count; i++) {
                d->surface[at + i] = d->depth[at + i] + bed[i];
            }
            memcpy(d->out_re + at, d->depth + at, bytes);
            memcpy(d->out_im + at, d->surface + at, bytes);
            read_open(gy_tile_flags(t, slot) + place, d->plain[tile], count, d->re + at,
                      d->im + at);
        }
        for (int i = d->n[0]; i < d->stride - 1; i++) {
            d->depth[row + i] = d->qx[row + i] = d->qy[row + i] = 0.0f;
            if (d->way == 0) {
                d->surface[row + i] = d->re[row + i] = d->im[row + i] = 0.0f;
            }
        }
    }
}

/// out_re: what the depth would be without the waves that a first low-pass has taken from the
/// surface, which gets them back.
void GY_BODY(dispersive_calm)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        for (ptrdiff_t at = row; at < row + d->n[0]; at += VW) {
            vf whole = gy_load(d->out_im + at);
            vf calm = gy_load(d->depth + at) + (gy_load(d->surface + at) - whole);
            gy_store(d->out_re + at, gy_max(calm, gy_splat(0.0f)));
            gy_store(d->surface + at, whole);
        }
    }
}

// ---- how wide the low-pass is

/// Squared, in cells: (reach depth / h)^2, and `least` where water is no sheet; less where the
/// surface steps by a tenth of the depth and more, which is no linear wave.
GY_INLINE vf width_of(const gy_dispersive *d, vf depth, vf step)
{
    vf cells = depth * (d->reach / d->h), sheet = depth * (1.0f / (d->shoal * d->h));
    vf square = gy_min(cells * cells, gy_splat(1e9f));
    sheet = gy_min(sheet * sheet, gy_splat(1e9f));
    square += d->least * (sheet / (1.0f + sheet));
    vf steep = gy_min(gy_abs(step) / gy_max(0.1f * depth, gy_splat(1e-20f)), gy_splat(1e4f));
    steep *= steep;
    return square / (1.0f + steep * steep);
}

/// A cell at a face: its depth, that without waves, its surface.
typedef struct cell {
    vf depth, calm, surface;
} cell;

GY_INLINE cell cell_of(const gy_dispersive *d, ptrdiff_t at)
{
    return (cell){gy_load(d->depth + at), gy_load(d->out_re + at), gy_load(d->surface + at)};
}

/// Of faces between cells: the width where water passes, less than 0 where it does not.
GY_INLINE vf face_of(const gy_dispersive *d, cell a, cell b, vf open)
{
    vf none = gy_splat(0.0f);
    vi wet = (vi)(gy_min(a.depth, b.depth) >= d->dry) & (vi)(open > none);
    vf width = width_of(d, gy_min(a.calm, b.calm), b.surface - a.surface);
    return gy_select(wet, gy_max(width, gy_splat(1e-20f)),
                     -width_of(d, gy_max(a.calm, b.calm), none));
}

/// `width` of low faces: of the low-pass, squared, in cells; below 0: nothing passes, and what runs
/// towards it has a mirror image. `last`: the same of the high sides. Of open sides 0.
void GY_BODY(dispersive_open)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    vf none = gy_splat(0.0f);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        ptrdiff_t below = (ptrdiff_t)gy_dispersive_before(d, j) * d->stride;
        finish_row(d, d->depth + row, 1.0f);
        finish_row(d, d->surface + row, 1.0f);
        finish_row(d, d->out_re + row, 1.0f);
        for (int i = 0; i < d->n[0]; i += VW) {
            cell here = cell_of(d, row + i);
            gy_store(d->width[0] + row + i,
                     face_of(d, cell_of(d, row + i - 1), here, gy_load(d->re + row + i)));
            vf open = gy_load(d->im + row + i);
            if (j == 0 && d->end[1][0] != GY_END_PERIODIC) {
                open = none;
            }
            vf w = face_of(d, cell_of(d, below + i), here, open);
            if (j == 0 && d->end[1][0] == GY_END_OPEN) {
                w = none;
            }
            gy_store(d->width[1] + row + i, w);
            if (j == d->n[1] - 1) {
                bool wall = d->end[1][1] == GY_END_WALL;
                gy_store(d->last[1] + i, wall ? -width_of(d, here.calm, none) : none);
            }
        }
        vf side = -width_of(d, gy_splat(d->out_re[row]), none);
        if (d->end[0][0] != GY_END_PERIODIC) {
            d->width[0][row] = d->end[0][0] == GY_END_WALL ? side[0] : 0.0f;
        }
        side = -width_of(d, gy_splat(d->out_re[row + d->n[0] - 1]), none);
        d->last[0][j] = d->end[0][1] == GY_END_WALL ? side[0] : 0.0f;
    }
}

// ---- passes, of which no more leaves a cell than is there

/// What passes the high x faces of VW cells, and of row j the high y faces.
GY_INLINE vf high_x(const gy_dispersive *d, ptrdiff_t at)
{
    return gy_load(d->pass[0] + at + 1);
}

GY_INLINE vf high_y(const gy_dispersive *d, int j, ptrdiff_t i)
{
    if (j + 1 == d->n[1] && d->end[1][0] != GY_END_PERIODIC) {
        return gy_splat(0.0f);
    }
    return gy_load(d->pass[1] + (ptrdiff_t)gy_dispersive_next(d, j) * d->stride + i);
}

/// Nothing passes the domain's sides.
GY_INLINE void finish_pass(const gy_dispersive *d, float *row)
{
    bool round = d->end[0][0] == GY_END_PERIODIC;
    row[0] = round ? row[0] : 0.0f;
    row[d->n[0]] = round ? row[0] : 0.0f;
}

/// Puts the surface part onto the bulk's depth; row_low: the least there is in a row.
void GY_BODY(dispersive_join)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        vf low = gy_splat(1e30f);
        for (int i = 0; i < d->n[0]; i += VW) {
            vf depth = gy_load(d->depth + row + i) + gy_load(d->rest + row + i);
            gy_store(d->depth + row + i, depth);
            low = gy_min(low, gy_select((vi)(gy_iota(i) < d->n[0]), depth, low));
        }
        d->row_low[j] = gy_lane_min(low);
    }
}

/// out_re: of all that would leave a cell, the share that does.
void GY_BODY(dispersive_share)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    vf zero = gy_splat(0.0f);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t at = (ptrdiff_t)j * d->stride;
        finish_pass(d, d->pass[0] + at);
        for (int i = 0; i < d->n[0]; i += VW) {
            vf low = gy_load(d->pass[0] + at + i), high = high_x(d, at + i);
            vf below = gy_load(d->pass[1] + at + i), above = high_y(d, j, i);
            vf out = (gy_max(-low, zero) + gy_max(high, zero)) +
                     (gy_max(-below, zero) + gy_max(above, zero));
            vf there = gy_max(gy_load(d->depth + at + i), zero);
            vf share =
                gy_select((vi)(out > there), there / gy_max(out, gy_splat(1e-30f)), gy_splat(1.0f));
            gy_store(d->out_re + at + i, share);
        }
        finish_row(d, d->out_re + at, 1.0f);
    }
}

/// Passes across low faces, each times the share of the cell that it leaves.
GY_INLINE vf shared(vf pass, vf below, vf here)
{
    return pass * gy_select((vi)(pass > gy_splat(0.0f)), below, here);
}

/// What cells lose by limited passes, m.
GY_INLINE vf lost(const gy_dispersive *d, int j, int i)
{
    ptrdiff_t at = (ptrdiff_t)j * d->stride + i;
    ptrdiff_t below = (ptrdiff_t)gy_dispersive_before(d, j) * d->stride + i;
    ptrdiff_t above = (ptrdiff_t)gy_dispersive_next(d, j) * d->stride + i;
    vf here = gy_load(d->out_re + at);
    vf low = shared(gy_load(d->pass[0] + at), gy_load(d->out_re + at - 1), here);
    vf high = shared(high_x(d, at), here, gy_load(d->out_re + at + 1));
    vf down = shared(gy_load(d->pass[1] + at), gy_load(d->out_re + below), here);
    vf up = shared(high_y(d, j, i), here, gy_load(d->out_re + above));
    return (high - low) + (up - down);
}

/// What of the surface part stays one where water runs as fast as a good part of its own long
/// waves: 1 / (1 + (Fr / 0.5)^4), Fr^2 = u^2 / g d.
GY_INLINE vf share_of(const gy_dispersive *d, ptrdiff_t at)
{
    vf x = gy_load(d->qx + at) + gy_load(d->tx + at), y = gy_load(d->qy + at) + gy_load(d->ty + at);
    vf depth = gy_max(gy_load(d->depth + at), gy_splat(d->dry));
    vf fast = (x * x + y * y) / gy_max(d->gravity * depth * depth * depth, gy_splat(1e-30f));
    fast = gy_min(4.0f * fast, gy_splat(1e4f));
    return 1.0f / (1.0f + fast * fast);
}

/// The depth becomes the bulk's; re and rest: the surface part, half of the depth at most. What
/// runs fast is all the bulk's.
void GY_BODY(dispersive_part)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        vf low = gy_splat(1e30f), high = gy_splat(0.0f), none = high;
        for (int i = 0; i < d->n[0]; i += VW) {
            ptrdiff_t at = row + i;
            vf depth = gy_load(d->depth + at), half = 0.5f * gy_max(depth, none);
            vi inside = (vi)(gy_iota(i) < d->n[0]);
            vf rest = gy_clamp(gy_load(d->out_im + at) - gy_load(d->surface + at), -half, half);
            vf share = share_of(d, at);
            rest = share * gy_keep((vi)(depth >= d->dry) & inside, rest);
            for (int a = 0; a < 2; a++) {
                float *q = (a ? d->qy : d->qx) + at, *t = (a ? d->ty : d->tx) + at;
                vf whole = gy_load(t), stays = whole * share;
                gy_store(q, gy_load(q) + (whole - stays));
                gy_store(t, stays);
            }
            gy_store(d->re + at, rest);
            gy_store(d->rest + at, rest);
            depth -= rest;
            gy_store(d->depth + at, depth);
            vi wet = (vi)(depth >= d->dry) & inside;
            low = gy_min(low, gy_select(wet, depth, gy_splat(1e30f)));
            high = gy_max(high, gy_keep(wet, depth));
        }
        d->row_low[j] = gy_lane_min(low);
        d->row_high[j] = gy_lane_max(high);
        finish_row(d, d->tx + row, -1.0f);
    }
}

GY_INLINE vi wet_at(const gy_dispersive *d, ptrdiff_t at)
{
    return (vi)(gy_load(d->depth + at) >= d->dry);
}

/// im: half the differences of the surface part's discharge, which add up to h div q.
void GY_BODY(dispersive_spread)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    bool round = d->end[1][0] == GY_END_PERIODIC;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t at = (ptrdiff_t)j * d->stride;
        ptrdiff_t below = (ptrdiff_t)gy_dispersive_before(d, j) * d->stride;
        ptrdiff_t above = (ptrdiff_t)gy_dispersive_next(d, j) * d->stride;
        float low = j == 0 && !round ? -1.0f : 1.0f,
              high = j + 1 == d->n[1] && !round ? -1.0f : 1.0f;
        for (int i = 0; i < d->n[0]; i += VW) {
            const float *x = d->tx + at + i, *y = d->ty + at + i, *w = d->width[0] + at + i;
            vf u = gy_load(x), v = gy_load(y), none = gy_splat(0.0f);
            // Across a wall with water on both sides is a mirror image.
            vf right =
                gy_select((vi)(gy_load(w + 1) < none) & wet_at(d, at + i + 1), -u, gy_load(x + 1));
            vf left =
                gy_select((vi)(gy_load(w) < none) & wet_at(d, at + i - 1), -u, gy_load(x - 1));
            vf across = right - left;
            vf up = high * gy_load(d->ty + above + i), down = low * gy_load(d->ty + below + i);
            up = gy_select((vi)(gy_load(d->width[1] + above + i) < none) & wet_at(d, above + i), -v,
                           up);
            down = gy_select((vi)(gy_load(d->width[1] + at + i) < none) & wet_at(d, below + i), -v,
                             down);
            vf along = up - down;
            gy_store(d->im + at + i, 0.5f * (across + along));
        }
    }
}

// ---- waves

/// out_re: by what potential water passes faces in the step, m; out_im: change of the discharge's.
void GY_BODY(dispersive_evolve)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    const gy_dispersive_table *t = d->table + d->which;
    const float scale = (float)GY_DISPERSIVE_TABLE / 4.4428829f; // pi sqrt(2)
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t at = (ptrdiff_t)j * d->stride;
        for (int i = 0; i < d->n[0]; i += VW) {
            vf theta2 = gy_load(d->angle2[0] + i) + d->angle2[1][j];
            vf value = gy_load(d->value[0] + i) + d->value[1][j];
            vf centred = gy_load(d->centred[0] + i) + d->centred[1][j];
            vf keep = gy_load(d->filter[0] + i) * d->filter[1][j];
            vf place = gy_min(gy_sqrt(theta2) * scale, gy_splat((float)GY_DISPERSIVE_TABLE));
            vi index = gy_to_int(place);
            vf part = place - gy_to_float(index), low, high;
            gy_gather_pair(t->a, index, &low, &high);
            vf a = (low + part * (high - low)) * theta2;
            gy_gather_pair(t->b, index, &low, &high);
            vf b = (low + part * (high - low)) * theta2;
            gy_gather_pair(t->c, index, &low, &high);
            vf c = low + part * (high - low);
            vi any = (vi)(value > 0.0f);
            centred = gy_max(centred, 0.05f * theta2);
            vf e = gy_load(d->re + at + i);
            vf phi = -gy_load(d->im + at + i) / gy_select(any, centred, gy_splat(1.0f));
            vf rise = keep * (a * e + b * phi) - (1.0f - keep) * e;
            vf push = keep * (a * phi - c * e) - (1.0f - keep) * phi;
            rise /= gy_select(any, value, gy_splat(1.0f));
            gy_store(d->out_re + at + i, gy_flush(gy_keep(any, rise)));
            gy_store(d->out_im + at + i, gy_flush(gy_keep(any, push)));
        }
    }
}

/// How much of reference depth `which` is in water of this depth.
GY_INLINE vf weight_of(const gy_dispersive *d, vf depth)
{
    const float *r = d->reference;
    int m = d->which;
    vf weight = gy_splat(1.0f);
    if (m > 0) {
        weight = (depth - r[m - 1]) * (1.0f / (r[m] - r[m - 1]));
    }
    if (m + 1 < d->depths) {
        weight = gy_min(weight, (r[m + 1] - depth) * (1.0f / (r[m + 1] - r[m])));
    }
    return gy_clamp(weight, gy_splat(0.0f), gy_splat(1.0f));
}

/// Adds the answer for one reference depth: to passes, and to the surface part's discharge, which
/// last decays.
void GY_BODY(dispersive_blend)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    bool last = d->which + 1 == d->depths && d->final, all = d->group < 0;
    vf group = gy_splat((float)d->group);
    float keep = last ? d->keep : 1.0f;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        if (!gy_dispersive_uses(d, j)) {
            continue;
        }
        ptrdiff_t at = (ptrdiff_t)j * d->stride;
        ptrdiff_t below = (ptrdiff_t)gy_dispersive_before(d, j) * d->stride;
        ptrdiff_t above = (ptrdiff_t)gy_dispersive_next(d, j) * d->stride;
        finish_row(d, d->out_re + at, 1.0f);
        finish_row(d, d->out_im + at, 1.0f);
        finish_row(d, d->depth + at, 1.0f);
        d->width[0][at + d->n[0]] = d->end[0][0] == GY_END_PERIODIC ? d->width[0][at] : 0.0f;
        for (int i = 0; i < d->n[0]; i += VW) {
            const float *re = d->out_re + at + i, *im = d->out_im + at + i;
            vf here = gy_load(d->depth + at + i), left = gy_load(d->depth + at + i - 1);
            vf under = gy_load(d->depth + below + i);
            vf p = gy_load(re), none = gy_splat(0.0f);
            vf x = weight_of(d, 0.5f * (left + here)) * (p - gy_load(re - 1));
            vf y = weight_of(d, 0.5f * (under + here)) * (p - gy_load(d->out_re + below + i));
            vi own = all ? (vi)(none == none) : (vi)(gy_load(d->part + at + i) == group);
            x = gy_keep((vi)(gy_load(d->width[0] + at + i) > none) & own, x);
            y = gy_keep((vi)(gy_load(d->width[1] + at + i) > none) & own, y);
            gy_store(d->pass[0] + at + i, gy_load(d->pass[0] + at + i) + x);
            gy_store(d->pass[1] + at + i, gy_load(d->pass[1] + at + i) + y);
            // Nothing pushes across a shut face: what lies behind it is another water's.
            vf share =
                0.5f * weight_of(d, here) * gy_min(here * (1.0f / d->reference[0]), gy_splat(1.0f));
            share = gy_keep((vi)(here >= d->dry) & own, share);
            vf q = gy_load(im);
            vf step[4] = {q - gy_load(im - 1), gy_load(im + 1) - q,
                          q - gy_load(d->out_im + below + i), gy_load(d->out_im + above + i) - q};
            vf width[4] = {gy_load(d->width[0] + at + i), gy_load(d->width[0] + at + i + 1),
                           gy_load(d->width[1] + at + i), gy_load(d->width[1] + above + i)};
            for (int f = 0; f < 4; f++) {
                step[f] = gy_keep((vi)(width[f] > none), step[f]);
            }
            vf u = gy_load(d->tx + at + i) + share * (step[0] + step[1]);
            vf v = gy_load(d->ty + at + i) + share * (step[2] + step[3]);
            if (last) {
                vf round[4] = {left, gy_load(d->depth + at + i + 1), under,
                               gy_load(d->depth + above + i)};
                vf rough = none;
                for (int f = 0; f < 4; f++) {
                    vf most = gy_max(gy_max(round[f], here), gy_splat(1e-20f));
                    vf change = gy_keep((vi)(width[f] > none), (round[f] - here) / most);
                    rough = gy_max(rough, change * change);
                }
                vf left_over = 1.0f / (1.0f + d->rough * rough);
                u *= left_over;
                v *= left_over;
                // No wave runs faster than a front of that depth could.
                vf most = here * gy_sqrt(d->gravity * here);
                u = gy_clamp(u, -most, most);
                v = gy_clamp(v, -most, most);
            }
            gy_store(d->tx + at + i, keep * u);
            gy_store(d->ty + at + i, keep * v);
        }
    }
}

// ---- what the bulk carries

/// What share of a cell passes a face in the step, at most a half either way.
GY_INLINE vf courant_of(const gy_dispersive *d, vf width, vf qa, vf qb, vf da, vf db)
{
    vf least = gy_splat(d->dry), half = gy_splat(0.5f);
    vf u = 0.5f * (qa / gy_max(da, least) + qb / gy_max(db, least));
    return gy_keep((vi)(width > gy_splat(0.0f)), gy_clamp(u * (d->dt / d->h), -half, half));
}

/// What of x, four cells of it, passes the face between the second and the third.
GY_INLINE vf carried(vf c, vf x0, vf x1, vf x2, vf x3)
{
    vf two = gy_splat(2.0f), rest = 0.5f * (1.0f - gy_abs(c));
    vf low = x1 + rest * gy_limit(x1 - x0, x2 - x1, two);
    vf high = x2 - rest * gy_limit(x2 - x1, x3 - x2, two);
    return c * gy_select((vi)(c > gy_splat(0.0f)), low, high);
}

/// Waves break where they are steeper than any can be: what passes a face with them.
GY_INLINE vf broken(const gy_dispersive *d, vf width, vf step)
{
    vf most = gy_splat(0.35f * d->h), excess = step - gy_clamp(step, -most, most);
    return gy_keep((vi)(width > gy_splat(0.0f)), d->breaking * excess);
}

/// The rows two below to two above.
static void rows_round(const gy_dispersive *d, int j, ptrdiff_t row[5])
{
    int r[5] = {0, gy_dispersive_before(d, j), j, gy_dispersive_next(d, j), 0};
    r[0] = gy_dispersive_before(d, r[1]);
    r[4] = gy_dispersive_next(d, r[3]);
    for (int q = 0; q < 5; q++) {
        row[q] = (ptrdiff_t)r[q] * d->stride;
    }
}

/// Two cells beyond the ends.
static void finish_wide(const gy_dispersive *d, float *row)
{
    int n = d->n[0];
    bool round = d->end[0][0] == GY_END_PERIODIC;
    finish_row(d, row, 1.0f);
    row[-2] = round ? row[(2 * n - 2) % n] : row[-1];
    row[n + 1] = round ? row[1 % n] : row[n];
}

/// The surface part goes along with the bulk as it is. `way` 0: its height, onto the passes;
/// out_re, out_im: what cells lose of its discharge. 1: they do.
void GY_BODY(dispersive_carry)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row[5];
        rows_round(d, j, row);
        if (d->way == 1) {
            for (ptrdiff_t at = row[2]; at < row[2] + d->n[0]; at += VW) {
                gy_store(d->tx + at, gy_load(d->tx + at) - gy_load(d->out_re + at));
                gy_store(d->ty + at, gy_load(d->ty + at) - gy_load(d->out_im + at));
            }
            continue;
        }
        float *const wide[] = {d->re, d->tx, d->ty, d->depth, d->qx};
        for (int a = 0; a < GY_COUNT(wide); a++) {
            finish_wide(d, wide[a] + row[2]);
        }
        float *const parts[] = {d->re, d->tx, d->ty};
        bool round = d->end[1][0] == GY_END_PERIODIC;
        d->width[0][row[2] + d->n[0]] =
            d->end[0][0] == GY_END_PERIODIC ? d->width[0][row[2]] : 0.0f;
        for (int i = 0; i < d->n[0]; i += VW) {
            const float *q = d->qx + row[2] + i, *h = d->depth + row[2] + i;
            const float *w = d->width[0] + row[2] + i;
            vf low =
                courant_of(d, gy_load(w), gy_load(q - 1), gy_load(q), gy_load(h - 1), gy_load(h));
            vf high = courant_of(d, gy_load(w + 1), gy_load(q), gy_load(q + 1), gy_load(h),
                                 gy_load(h + 1));
            vf y[3], depth[3], width = gy_load(d->width[1] + row[3] + i);
            for (int r = 0; r < 3; r++) {
                y[r] = gy_load(d->qy + row[r + 1] + i);
                depth[r] = gy_load(d->depth + row[r + 1] + i);
            }
            if (j + 1 == d->n[1] && !round) {
                width = gy_splat(0.0f);
            }
            vf down =
                courant_of(d, gy_load(d->width[1] + row[2] + i), y[0], y[1], depth[0], depth[1]);
            vf up = courant_of(d, width, y[1], y[2], depth[1], depth[2]);
            for (int a = 0; a < 3; a++) {
                vf x[5], z[5];
                for (int r = 0; r < 5; r++) {
                    x[r] = gy_load(parts[a] + row[2] + i + r - 2);
                    z[r] = gy_load(parts[a] + row[r] + i);
                }
                vf left = carried(low, x[0], x[1], x[2], x[3]);
                vf below = carried(down, z[0], z[1], z[2], z[3]);
                if (a == 0) {
                    float *px = d->pass[0] + row[2] + i, *py = d->pass[1] + row[2] + i;
                    left -= broken(d, gy_load(w), x[2] - x[1]);
                    below -= broken(d, gy_load(d->width[1] + row[2] + i), z[2] - z[1]);
                    gy_store(px, gy_load(px) + left);
                    gy_store(py, gy_load(py) + below);
                    continue;
                }
                vf loss = (carried(high, x[1], x[2], x[3], x[4]) - left) +
                          (carried(up, z[1], z[2], z[3], z[4]) - below);
                gy_store((a == 1 ? d->out_re : d->out_im) + row[2] + i, loss);
            }
        }
    }
}

// ---- into the tiles

/// `way` 0: the bulk; 1: the bulk, as it has become, and what passes; see water/dispersive.c.
void GY_BODY(dispersive_put)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = job_of(args);
    const gy_tiles *t = d->tiles;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        if (d->way == 1) {
            for (int i = 0; i < d->n[0]; i += VW) {
                vf depth = gy_load(d->depth + row + i), loss = lost(d, j, i);
                vf now = gy_max(depth - loss, gy_splat(0.0f));
                gy_store(d->surface + row + i, now);
                vi wet = (vi)(now >= d->dry);
                gy_store(d->qx + row + i,
                         gy_load(d->qx + row + i) + gy_keep(wet, gy_load(d->tx + row + i)));
                gy_store(d->qy + row + i,
                         gy_load(d->qy + row + i) + gy_keep(wet, gy_load(d->ty + row + i)));
            }
        }
        const float *depth = d->way == 1 ? d->surface : d->depth;
        for (int x = 0; x < t->tn[0]; x++) {
            int slot = t->slot[x + t->tn[0] * (j / T)], count = GY_MIN(T, d->n[0] - x * T);
            ptrdiff_t at = row + (ptrdiff_t)x * T, place = (ptrdiff_t)(j % T) * T;
            size_t bytes = (size_t)count * sizeof(float);
            if (slot >= 0) {
                int first = t->current[slot] * GY_WATER_STATE;
                memcpy(gy_tile_array(t, slot, first + GY_WATER_DEPTH) + place, depth + at, bytes);
                memcpy(gy_tile_array(t, slot, first + GY_WATER_QX) + place, d->qx + at, bytes);
                memcpy(gy_tile_array(t, slot, first + GY_WATER_QY) + place, d->qy + at, bytes);
            }
        }
    }
}
