// gas/ops/share.c: how many substeps the transport of scalars takes, and what becomes of its sums.
//
// share: over cells the largest of what a cell gives in a sweep, being 1 + e large then: with
// O = max(U_high, 0) + max(-U_low, 0) and N = U_high - U_low along each axis in turn,
// max(O_x, O_y + N_x, O_z + N_x + N_y), and the same from the last axis to the first. Reads 4 d
// bytes a cell.
#include "gas/ops/flux.h"

enum { STRIP = 128 };

GY_INLINE void given(const float *low, const float *high, int i, vf *out, vf *net)
{
    vf zero = gy_splat(0.0f), l = gy_load(low + i), h = gy_load(high + i);
    *out = gy_max(h, zero) + gy_max(-l, zero);
    *net = h - l;
}

static vf strip_share(const gy_flux *f, int j, int k, int i0, int lanes)
{
    float u[3][2][STRIP + 2 * GY_FLUX_SLACK];
    int dim = f->e.dim;
    vf most = gy_splat(0.0f);
    gy_flux_row(f, 0, j, k, i0, lanes + 1, u[0][0]);
    for (int a = 1; a < dim; a++) {
        gy_flux_row(f, a, j, k, i0, lanes, u[a][0]);
        gy_flux_row(f, a, j + (a == 1), k + (a == 2), i0, lanes, u[a][1]);
    }
    for (int i = 0; i < lanes; i += VW) {
        vf out[3], net[3];
        given(u[0][0], u[0][0] + 1, i, &out[0], &net[0]);
        for (int a = 1; a < dim; a++) {
            given(u[a][0], u[a][1], i, &out[a], &net[a]);
        }
        vf up = net[0], down = net[dim - 1];
        most = gy_max(most, gy_max(out[0], out[dim - 1]));
        for (int a = 1; a < dim; a++) {
            most = gy_max(most, gy_max(out[a] + up, out[dim - 1 - a] + down));
            up += net[a];
            down += net[dim - 1 - a];
        }
    }
    return most;
}

/// The same of a row whose faces are all inside, or open, and lie as they are: lanes from i0 to
/// end. u: faces low and high across each axis; ends: what passes those of the row, where they may
/// be among them.
GY_INLINE vf plain_share(const gy_flux *f, const float *u[3][2], int dim, int i0, int end,
                         const float *ends)
{
    float scale = f->scale;
    int n = f->e.n[0];
    vf most = gy_splat(0.0f), zero = most;
    for (int i = i0; i < end; i += VW) {
        vf out[3], net[3];
        for (int a = 0; a < dim; a++) {
            vf low = gy_load(u[a][0] + i) * scale, high = gy_load(u[a][1] + i) * scale;
            if (ends && a == 0) {
                low = gy_select((vi)(gy_iota(i) == 0), gy_splat(ends[0]), low);
                high = gy_select((vi)(gy_iota(i) == n - 1), gy_splat(ends[1]), high);
            }
            if (ends) {
                low = gy_select((vi)(gy_iota(i) < n), low, zero);
                high = gy_select((vi)(gy_iota(i) < n), high, zero);
            }
            out[a] = gy_max(high, zero) - gy_min(low, zero);
            net[a] = high - low;
        }
        vf up = net[0], down = net[dim - 1];
        most = gy_max(most, gy_max(out[0], out[dim - 1]));
        for (int a = 1; a < dim; a++) {
            most = gy_max(most, gy_max(out[a] + up, out[dim - 1 - a] + down));
            up += net[a];
            down += net[dim - 1 - a];
        }
    }
    return most;
}

GY_INLINE vf whole_share(const gy_flux *f, const float *u[3][2], int dim, int end,
                         const float *ends)
{
    vf most = plain_share(f, u, dim, 0, GY_LANES, ends);
    most = gy_max(most, plain_share(f, u, dim, GY_LANES, end - GY_LANES, NULL));
    return gy_max(most, plain_share(f, u, dim, end - GY_LANES, end, ends));
}

/// Whether no face of a row's cells is other than whole.
static bool is_whole(const gy_flux *f, int j, int k)
{
    return !f->solids || !memchr(gy_level_flags(&f->g, j, k), 0, (size_t)f->g.groups);
}

/// A row; where faces are whole most of it lies in memory as it is.
static vf row_share(const gy_flux *f, int j, int k, int end)
{
    const ptrdiff_t step[3] = {1, f->e.sy, f->e.sz};
    int dim = f->e.dim, at[3] = {1, j, k};
    const float *u[3][2];
    bool plain = is_whole(f, j, k);
    for (int a = 0; a < dim; a++) {
        plain = plain && (a == 0 || (at[a] > 0 && at[a] < f->e.n[a] - 1));
        u[a][0] = f->u[a] + gy_flux_place(f, j, k);
        u[a][1] = u[a][0] + step[a];
    }
    vf most = gy_splat(0.0f);
    if (plain && end >= 2 * GY_LANES) {
        bool wraps = f->periodic & 1u;
        float first = gy_flux_face(f, 0, j, k);
        float ends[2] = {wraps ? first : gy_flux_end(f, 0, j, k),
                         wraps ? first : gy_flux_end(f, 1, j, k)};
        return !gy_is_3d(dim) ? whole_share(f, u, 2, end, ends) : whole_share(f, u, 3, end, ends);
    }
    for (int i0 = 0; i0 < end; i0 += STRIP) {
        most = gy_max(most, strip_share(f, j, k, i0, GY_MIN(STRIP, end - i0)));
    }
    return most;
}

void GY_BODY(share)(const void *args, const gy_box *box, int task)
{
    const gy_share_args *a = args;
    gy_flux f = gy_flux_make(a->base, a->wind, a->level, &a->extent, a->periodic, a->open_sides,
                             a->given, a->scale);
    int end = gy_round_up(a->extent.n[0], GY_LANES);
    vf most = gy_splat(0.0f);
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            most = gy_max(most, row_share(&f, j, k, end));
        }
    }
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    partial[0] = (double)gy_lane_max(most);
}

/// What a cell may give of itself in a sweep.
#define MOST_SHARE 0.98

static void tally_share(const gy_tally_args *a)
{
    gy_carriage *c = (gy_carriage *)(void *)gy_at(a->base, a->carriage);
    const double *partial = (const double *)(const void *)gy_at(a->base, a->partial[0]);
    double most = 0.0;
    for (int t = 0; t < a->tasks[0]; t++) {
        most = partial[4 * t] > most ? partial[4 * t] : most;
    }
    double count = most / MOST_SHARE;
    c->share = (float)most;
    if (count <= (double)a->most) {
        int whole = (int)count;
        c->count = GY_MAX(1, whole + ((double)whole < count));
        c->scale = (float)(a->scale / (double)c->count);
    } else {
        // More than there may be: slower, but safe.
        c->count = a->most;
        c->scale = (float)(a->scale / count);
    }
    for (int q = 0; q < GY_MOST_SUBSTEPS; q++) {
        c->skip[q] = q >= c->count;
    }
}

/// The error is put right once it is this part of the total; where it is much more, something
/// else has taken the total away (or amounts of both signs are there), and it is left alone.
#define WORTH 4e-7
#define MOST_WORTH 2e-6

static void tally_sweeps(const gy_tally_args *a)
{
    gy_ledger *ledgers = (gy_ledger *)(void *)gy_at(a->base, a->ledgers);
    for (int f = 0; f < a->count; f++) {
        gy_ledger *l = &ledgers[f];
        double sum[2] = {0.0, 0.0}, left = 0.0;
        for (int s = 0; s < a->sweeps; s++) {
            const double *partial = (const double *)(const void *)gy_at(a->base, a->partial[s]);
            for (int t = 0; t < a->tasks[s]; t++) {
                const double *own = partial + 2 * (t * a->count + f);
                sum[s == a->sweeps - 1] += s == 0 || s == a->sweeps - 1 ? own[0] : 0.0;
                left += own[1];
            }
        }
        double after = sum[1], size = after < 0.0 ? -after : after;
        l->error += (after - sum[0]) + left;
        l->left += left;
        l->total = after;
        double off = l->error < 0.0 ? -l->error : l->error;
        bool worth = off > WORTH * size && off < MOST_WORTH * size;
        l->factor = worth ? (float)(1.0 - l->error / after) : 1.0f;
    }
}

static void tally_add(const gy_tally_args *a)
{
    double *numbers = (double *)(void *)gy_at(a->base, a->ledgers), sum = 0.0;
    const double *partial = (const double *)(const void *)gy_at(a->base, a->partial[0]);
    for (int t = 0; t < a->tasks[0]; t++) {
        sum += partial[4 * t + a->which];
    }
    numbers[a->member] += a->scale * sum;
}

void GY_BODY(tally)(const void *args, const gy_box *box, int task)
{
    const gy_tally_args *a = args;
    (void)box, (void)task;
    switch ((gy_tally_kind)a->kind) {
    case GY_TALLY_SHARE:
        tally_share(a);
        break;
    case GY_TALLY_SWEEPS:
        tally_sweeps(a);
        break;
    case GY_TALLY_ADD:
        tally_add(a);
        break;
    }
}
