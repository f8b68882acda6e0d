// gas/ops/front.c: how much fuel a premixed flame passes in each cell that holds gas. With f the
// fuel, b what has burnt, both of amounts per volume, c = b / (f + b) is how far a place has
// burnt, whatever air there is with it and however it has swollen. All values of c move into the
// fuel at the flame's speed S, measured against gas at rest before it:
//
//     db/dt = m S g |grad c|,   g = 1 + a (c - 1/2)
//
// (the gradient closure of H. G. Weller, The development of a new flame area combustion model using
// conditional averaging, Imperial College report TF/9307, 1993), m being what there was of fuel per
// volume before the flame. Along a normal the integral of g |grad c| is 1, whatever the profile, so
// that a flame passes m S of fuel a second and area, in exact and in finite differences: its speed
// hangs neither on how thick the grid makes it nor on diffusion. g, a Burgers flux in c, steepens
// it as fast as transport thickens it: two to four cells. Gradients are Godunov's, per axis from
// the side that has burnt further: no value leaves the range 0 to 1, and no more burns than is
// there. First order in h.
//
// Without expansion m = f + b. Gas that expands by q = x heat for a unit of fuel has f + b = m / (1
// + q m c) once it has swollen, which takes some steps; 1 where all is fuel and air for it, m
// is at most that, and found from above, m = min(1, (f + b) (1 + q m c)), ROUNDS times. What has
// not swollen yet changes no speed then.
//
// Neighbours beyond a shut face do not count. Of less than TRACE (of a unit of fuel) nothing burns.
// Bytes per cell: reads 8, writes 4; about 60 operations; cells in and beside which nothing has
// burnt are left after one look.
#include "gas/ops/burn.h"
#include "gas/ops/flux.h"

#define STEEP 1.0f
#define TRACE 1e-4f
#define ROUNDS 4

typedef struct passing {
    const gy_front_args *a;
    gy_flux f;
    const float *fuel, *burnt;
    float *to;
} passing;

/// Which of a row's faces across an axis let the flame through, the low ones of cells i0 ...: 1 or
/// 0.
static GY_NOINLINE void open_row(const gy_flux *f, int axis, int j, int k, int i0, int count,
                                 float *out)
{
    int *place = axis == 1 ? &j : &k, last = f->e.n[0] - i0;
    bool wraps = f->periodic >> axis & 1u;
    if (axis > 0 && wraps && *place == f->e.n[axis]) {
        *place = 0;
    }
    for (int i = 0; i < count; i += 2 * VW) {
        vf low, high;
        gy_openness(f, axis, j, k, i0 + i, &low, &high);
        gy_store(out + i, gy_min(low, gy_splat(1.0f)));
        gy_store(out + i + VW, gy_min(high, gy_splat(1.0f)));
    }
    if (axis == 0 && wraps && last < count) {
        out[last] = (float)(*gy_coefficient(&f->g, 0, 0, j, k) > 0);
    }
}

/// How far a place has burnt.
GY_INLINE vf burnt_at(const float *fuel, const float *burnt)
{
    vf none = gy_splat(0.0f), b = gy_max(gy_load(burnt), none);
    return b / (gy_max(gy_load(fuel), none) + b + TRACE);
}

/// The square of what an axis brings: from its neighbours at -step and step.
GY_INLINE vf slope(const passing *p, vf c, ptrdiff_t o, ptrdiff_t step, const float *low,
                   const float *high)
{
    vf before = burnt_at(p->fuel + o - step, p->burnt + o - step) - c,
       after = burnt_at(p->fuel + o + step, p->burnt + o + step) - c;
    if (low) {
        before *= gy_load(low);
        after *= gy_load(high);
    }
    vf d = gy_max(gy_max(before, after), gy_splat(0.0f));
    d *= 1.0f + STEEP * (c + 0.5f * d - 0.5f);
    return d * d;
}

/// What there was of fuel per volume where now both are so much, so far burnt.
GY_INLINE vf fuel_before(const gy_front_args *a, vf both, vf c)
{
    vf m = both;
    if (a->swells > 0.0f) {
        m = gy_splat(1.0f);
        for (int q = 0; q < ROUNDS; q++) {
            m = gy_min(both * (1.0f + a->swells * (m * c)), gy_splat(1.0f));
        }
    }
    return m;
}

/// A block of a row from sample o on; open: low and high faces along each axis, NULL: all are.
static void front_block(const passing *p, float (*open)[GY_BLOCK + GY_FLUX_SLACK], ptrdiff_t o,
                        int lanes)
{
    const gy_front_args *a = p->a;
    const ptrdiff_t steps[3] = {1, a->extent.sy, a->extent.sz};
    for (int i = 0; i < lanes; i += VW, o += VW) {
        vf f = gy_load(p->fuel + o), b = gy_max(gy_load(p->burnt + o), gy_splat(0.0f));
        vf near = b;
        for (int axis = 0; axis < a->extent.dim; axis++) {
            near = gy_max(near, gy_load(p->burnt + o - steps[axis]));
            near = gy_max(near, gy_load(p->burnt + o + steps[axis]));
        }
        if (!gy_any((vi)(f > 0.0f) & (vi)(near > 0.0f))) {
            gy_store(p->to + o, gy_splat(0.0f));
            continue;
        }
        vf c = burnt_at(p->fuel + o, p->burnt + o), sum = gy_splat(0.0f);
        for (int axis = 0; axis < a->extent.dim; axis++) {
            const float *low = open ? open[2 * axis] + i : NULL;
            // The high face along x is the low one of the next cell.
            const float *high = !open ? NULL : axis == 0 ? low + 1 : open[2 * axis + 1] + i;
            sum += slope(p, c, o, steps[axis], low, high);
        }
        f = gy_max(f, gy_splat(0.0f));
        vf passed = a->speed * gy_sqrt(sum) * fuel_before(a, f + b, c);
        gy_store(p->to + o, gy_flush(gy_min(passed, f)));
    }
}

void GY_BODY(front)(const void *args, const gy_box *box, int task)
{
    const gy_front_args *a = args;
    const gy_extent *e = &a->extent;
    passing p = {.a = a,
                 .f = {.solids = a->level != 0, .e = *e, .periodic = a->periodic},
                 .fuel = gy_at(a->base, a->fuel),
                 .burnt = gy_at(a->base, a->burnt),
                 .to = gy_at(a->base, a->to)};
    int end = gy_round_up(e->n[0], GY_LANES);
    (void)task;
    if (p.f.solids) {
        p.f.g = gy_grid_level_at(a->base, a->level);
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float open[6][GY_BLOCK + GY_FLUX_SLACK];
            for (int i0 = 0; i0 < end; i0 += GY_BLOCK) {
                int lanes = GY_MIN(GY_BLOCK, end - i0), more = lanes + GY_LANES;
                for (int axis = 0; axis < e->dim && p.f.solids; axis++) {
                    open_row(&p.f, axis, j, k, i0, axis == 0 ? more : lanes, open[2 * axis]);
                    if (axis > 0) {
                        open_row(&p.f, axis, j + (axis == 1), k + (axis == 2), i0, lanes,
                                 open[2 * axis + 1]);
                    }
                }
                front_block(&p, p.f.solids ? open : NULL, gy_flux_place(&p.f, j, k) + i0, lanes);
            }
        }
    }
}
