// ops/system/region.c: the mean of a right-hand side over the parts of a domain that no open face
// joins, taken off so that A x = b has a solution: b = b - (sum of b) / cells in each of them.
// Reads b twice and writes it once, 12 bytes a cell, and 4 bytes of list for cells of regions.
#include "ops/system/level.h"
#include "ops/system/report.h"

/// All bits set where a cell has an open face.
GY_INLINE vi joined(int dim, const gy_colour_row *r, bool uniform, int i)
{
    vi in = gy_iota(i) < r->cells;
    if (uniform) {
        return in;
    }
    vf d = r->s[0] * (gy_load_u16(r->x0 + i) + gy_load_u16(r->x1 + i)) +
           r->s[1] * (gy_load_u16(r->y0 + i) + gy_load_u16(r->y1 + i));
    if (gy_is_3d(dim)) {
        d += r->s[2] * (gy_load_u16(r->z0 + i) + gy_load_u16(r->z1 + i));
    }
    return in & (vi)(d > 0.0f);
}

typedef struct tally {
    double sum, squares, others;
} tally;

GY_INLINE void balance_row(int dim, const gy_grid_level *g, int c, int j, int k, tally *t)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    gy_sum sum = gy_sum_zero(), squares = gy_sum_zero(), others = gy_sum_zero();
    for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
        bool uniform = r.flags[i / GY_GROUP];
        vf b = gy_load(r.x + i), inside = (vf)((vi)b & joined(dim, &r, uniform, i));
        gy_sum_add(&sum, i, inside);
        gy_sum_add(&squares, i, inside * inside);
        if (!uniform) {
            vf rest = (vf)((vi)b & (vi)(gy_iota(i) < r.cells)) - inside;
            gy_sum_add(&others, i, rest * rest);
            gy_store(r.x + i, inside);
        }
    }
    t->sum += gy_sum_fold(&sum);
    t->squares += gy_sum_fold(&squares);
    t->others += gy_sum_fold(&others);
}

/// Reads 4 bytes per cell, and the coefficients of groups that are not uniform.
void GY_BODY(balance)(const void *args, const gy_box *box, int task)
{
    const gy_balance_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->vector);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    tally t = {0.0, 0.0, 0.0};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (gy_is_3d(g.l->dim)) {
                    balance_row(3, &g, c, j, k, &t);
                } else {
                    balance_row(2, &g, c, j, k, &t);
                }
            }
        }
    }
    partial[0] = t.sum;
    partial[1] = t.squares;
    partial[2] = t.others;
}

GY_INLINE void lower_row(int dim, const gy_grid_level *g, float amount, int c, int j, int k)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
        vi in = joined(dim, &r, r.flags[i / GY_GROUP], i);
        gy_store(r.x + i, gy_load(r.x + i) - (vf)((vi)gy_splat(amount) & in));
    }
}

void GY_BODY(lower)(const void *args, const gy_box *box, int task)
{
    const gy_balance_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->vector);
    const gy_report *report = (const gy_report *)(const void *)gy_at(a->base, a->report);
    float amount = a->report ? report->amount : a->amount;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (gy_is_3d(g.l->dim)) {
                    lower_row(3, &g, amount, c, j, k);
                } else {
                    lower_row(2, &g, amount, c, j, k);
                }
            }
        }
    }
}

static float *first_place(const gy_region_args *a)
{
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->vector);
    return g.x[0] - (GY_LEVEL_PAD + g.l->sy + g.l->sz);
}

/// Parts that are added up at once. Each is a sum of its own, cell after cell; several of them keep
/// the processor from waiting for one.
enum { AT_ONCE = 4 };

/// Sums of AT_ONCE parts that have `count` cells at least, of those.
GY_INLINE void sum_together(const gy_region_part *parts, const uint32_t *cells, const float *x,
                            uint32_t count, double *sum)
{
    const uint32_t *c[AT_ONCE];
    double s[AT_ONCE];
    for (int p = 0; p < AT_ONCE; p++) {
        c[p] = cells + parts[p].first;
        s[p] = 0.0;
    }
    for (uint32_t q = 0; q < count; q++) {
        for (int p = 0; p < AT_ONCE; p++) {
            s[p] += (double)x[c[p][q]];
        }
    }
    memcpy(sum, s, sizeof s);
}

void GY_BODY(region_sum)(const void *args, const gy_box *box, int task)
{
    const gy_region_args *a = args;
    gy_region_part *parts = (gy_region_part *)(uintptr_t)a->parts;
    const uint32_t *cells = (const uint32_t *)(uintptr_t)a->cells;
    const float *x = first_place(a);
    (void)task;
    for (int p = box->low[0]; p < box->high[0];) {
        double sum[AT_ONCE] = {0.0};
        int many = p + AT_ONCE <= box->high[0] ? AT_ONCE : 1;
        uint32_t least = many > 1 ? parts[p].count : 0;
        for (int q = 0; q < many; q++) {
            least = GY_MIN(least, parts[p + q].count);
        }
        if (many > 1) {
            sum_together(parts + p, cells, x, least, sum);
        }
        for (int q = 0; q < many; q++) {
            for (uint32_t r = least; r < parts[p + q].count; r++) {
                sum[q] += (double)x[cells[parts[p + q].first + r]];
            }
            parts[p + q].sum = sum[q];
        }
        p += many;
    }
}

/// Where a stretch of `count` begins.
static int stretch(int count, int which)
{
    int length = (count + GY_STRETCHES - 1) / GY_STRETCHES;
    return GY_MIN(count, which * length);
}

void GY_BODY(region_gather)(const void *args, const gy_box *box, int task)
{
    const gy_region_args *a = args;
    const gy_region_part *parts = (const gy_region_part *)(uintptr_t)a->parts;
    gy_region *regions = (gy_region *)(uintptr_t)a->regions;
    (void)task;
    for (int r = box->low[0]; r < box->high[0]; r++) {
        const gy_region_part *own = parts + regions[r].first;
        int count = (int)regions[r].parts;
        double sum = 0.0;
        for (int q = 0; q < GY_STRETCHES; q++) {
            double some = 0.0;
            for (int p = stretch(count, q); p < stretch(count, q + 1); p++) {
                some += own[p].sum;
            }
            sum += some;
        }
        regions[r].sum = sum;
    }
}

static double mean_of(const gy_region *r, double rms)
{
    return r->held ? 0.0 : gy_worth(r->sum / (double)r->cells, rms);
}

void GY_BODY(region_means)(const void *args, const gy_box *box, int task)
{
    const gy_means_args *a = args;
    const gy_region *regions = (const gy_region *)(uintptr_t)a->regions;
    gy_region_part *parts = (gy_region_part *)(uintptr_t)a->parts;
    const double *partial = (const double *)(const void *)gy_at(a->base, a->partial);
    double sum[3] = {0.0, 0.0, 0.0}, listed = 0.0;
    (void)box, (void)task;
    for (int t = 0; t < a->tasks; t++) {
        for (int q = 0; q < 3; q++) {
            sum[q] += partial[4 * t + q];
        }
    }
    double rms = __builtin_sqrt(sum[1] / a->cells);
    bool changes = false;
    for (int q = 0; q < GY_STRETCHES; q++) {
        double some = 0.0;
        for (int r = stretch(a->region_count, q); r < stretch(a->region_count, q + 1); r++) {
            some += regions[r].sum;
            changes = changes || mean_of(&regions[r], rms) != 0.0;
        }
        listed += some;
    }
    double main = a->free > 0.0 ? gy_worth((sum[0] - listed) / a->free, rms) : 0.0;
    for (int p = 0; p < a->part_count; p++) {
        parts[p].amount = (float)(mean_of(&regions[parts[p].region], rms) - main);
    }
    gy_report_set_means((gy_report *)(void *)gy_at(a->base, a->report), main,
                        changes || main != 0.0, sum);
}

/// 2 VW cells of a list: along a row they are VW of either colour, one after the other.
GY_INLINE void lower_some(float *x, const uint32_t *cells, float amount)
{
    vi first, second, step = gy_iota(0) >> 1;
    memcpy(&first, cells, sizeof first);
    memcpy(&second, cells + VW, sizeof second);
    vi odd = gy_iota(0) & 1, colour = odd * (int32_t)(cells[1] - cells[0]);
    vi row = colour + step + (int32_t)cells[0];
    if (gy_any((vi)(first != row) | (vi)(second != row + VW / 2))) {
        for (int q = 0; q < 2 * VW; q++) {
            x[cells[q]] -= amount;
        }
        return;
    }
    for (int c = 0; c < 2; c++) {
        float *own = x + cells[c];
        gy_store(own, gy_load(own) - amount);
    }
}

void GY_BODY(region_lower)(const void *args, const gy_box *box, int task)
{
    const gy_region_args *a = args;
    const gy_region_part *parts = (const gy_region_part *)(uintptr_t)a->parts;
    const uint32_t *cells = (const uint32_t *)(uintptr_t)a->cells;
    float *x = first_place(a);
    (void)task;
    for (int p = box->low[0]; p < box->high[0]; p++) {
        const uint32_t *c = cells + parts[p].first;
        uint32_t count = parts[p].count, q = 0;
        for (; q + 2 * VW <= count; q += 2 * VW) {
            lower_some(x, c + q, parts[p].amount);
        }
        for (; q < count; q++) {
            x[c[q]] -= parts[p].amount;
        }
    }
}
