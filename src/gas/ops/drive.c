// gas/ops/drive.c: what a force does to the velocities across one axis, see gas/ops/drive.h:
//
//     u = u + c (gain f - drag u),     c what the force's shape covers of the face
//
// gain and drag hold the time: of what accelerates gain = dt, drag = 0; of what draws the gas along
// gain = drag = 1 - exp(-rate dt), which is exact. 8 bytes a face.
#include "gas/ops/drive.h"
#include "ops/row/body.h"

/// A row of faces, and what of the force is the same all along it.
typedef struct driven {
    const gy_drive_args *a;
    const gy_force *f;
    float r[3]; // of its first face's middle, from the force's centre
    float wave[GY_WAVES][2];
    const float *cosines, *sines; // along x
    const float *field;
} driven;

static driven begin_row(const gy_drive_args *a, const gy_force *f, int j, int k)
{
    driven d = {.a = a, .f = f};
    float point[3];
    gy_drive_point(a, 0, j, k, point);
    for (int q = 0; q < 3; q++) {
        d.r[q] = q < a->extent.dim ? point[q] - f->centre[q] : 0.0f;
    }
    const float *waves = (const float *)(uintptr_t)a->waves;
    if (f->form == GY_FORCE_FIELD) {
        d.field = waves + (ptrdiff_t)j * a->extent.sy + (ptrdiff_t)k * a->extent.sz;
    }
    if (f->form != GY_FORCE_WAVES) {
        return d;
    }
    const int at[3] = {0, j, k};
    d.cosines = waves + f->place[0];
    d.sines = d.cosines + (ptrdiff_t)GY_WAVES * f->step[0];
    for (int m = 0; m < GY_WAVES; m++) {
        float re = f->wave[a->axis][m][0], im = f->wave[a->axis][m][1];
        for (int q = 1; q < a->extent.dim; q++) {
            const float *c = waves + f->place[q] + (ptrdiff_t)m * f->step[q] + at[q];
            float x = c[0], y = c[(ptrdiff_t)GY_WAVES * f->step[q]];
            float turned = re * x - im * y;
            im = re * y + im * x;
            re = turned;
        }
        d.wave[m][0] = re;
        d.wave[m][1] = im;
    }
    return d;
}

/// p, and its square: what is left of r across the axis.
GY_INLINE vf across(const driven *d, vf x, vf p[3])
{
    const float *n = d->f->axis;
    vf y = gy_splat(d->r[1]), z = gy_splat(d->r[2]);
    vf along = x * n[0] + (y * n[1] + z * n[2]);
    p[0] = x - along * n[0];
    p[1] = y - along * n[1];
    p[2] = z - along * n[2];
    return p[0] * p[0] + (p[1] * p[1] + p[2] * p[2]);
}

GY_INLINE vf sum_waves(const driven *d, int i)
{
    vf sum = gy_splat(0.0f);
    ptrdiff_t step = d->f->step[0];
    for (int m = 0; m < GY_WAVES; m++) {
        sum += d->wave[m][0] * gy_load(d->cosines + m * step + i) -
               d->wave[m][1] * gy_load(d->sines + m * step + i);
    }
    return sum;
}

GY_INLINE vf root_of(vf x)
{
    float s[VW];
    gy_store(s, x);
    for (int l = 0; l < VW; l++) {
        s[l] = __builtin_sqrtf(s[l]);
    }
    return gy_load(s);
}

/// The force at faces i, i + 1, ...
GY_INLINE vf force_at(const driven *d, int i)
{
    const gy_force *f = d->f;
    int axis = d->a->axis, b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
    if (f->form == GY_FORCE_EVEN) {
        return gy_splat(f->vector[axis]);
    }
    if (f->form == GY_FORCE_WAVES) {
        return sum_waves(d, i);
    }
    if (f->form == GY_FORCE_FIELD) {
        return gy_load(d->field + i);
    }
    vf p[3], x = d->r[0] + d->a->h * gy_to_float(gy_iota(i));
    vf square = across(d, x, p) + f->core * f->core;
    if (f->form == GY_FORCE_ROUND) {
        return (f->axis[b] * p[c] - f->axis[c] * p[b]) / square;
    }
    vf pull = -p[axis];
    if (f->falloff == 1) {
        return f->core * pull / square;
    }
    pull /= root_of(square);
    return f->falloff == 0 ? pull : f->core * f->core * pull / square;
}

/// Whether all of sixteen faces are open, and covered whole.
static bool is_even(const driven *d, const gy_level *l, int i0, int j, int k)
{
    int axis = d->a->axis, at = axis == 1 ? j : k;
    bool along = axis == 0 && !(l->periodic & 1u);
    bool side = axis > 0 && !(l->periodic >> axis & 1u) && (at == 0 || at == l->n[axis]);
    return d->f->everywhere && l->whole && !side && !(along && i0 == 0) && i0 + GY_LANES <= l->n[0];
}

/// Such faces.
static int drive_even(const driven *d, int i0, float *row)
{
    vf cap = gy_splat(d->a->cap);
    vi over = gy_splat_int(0);
    for (int i = i0; i < i0 + GY_LANES; i += VW) {
        vf u = gy_load(row + i);
        u += d->a->gain * force_at(d, i) - d->a->drag * u;
        over -= (vi)(gy_abs(u) > cap);
        gy_store(row + i, gy_flush(gy_clamp(u, -cap, cap)));
    }
    int cuts = 0;
    for (int q = 0; q < VW; q++) {
        cuts += over[q];
    }
    return cuts;
}

/// Sixteen faces from i0 on; returns how many were cut.
static int drive_lanes(const driven *d, const gy_grid_level *g, const gy_box *box, int i0, int j,
                       int k, float *row)
{
    float cover[GY_LANES], next[GY_LANES];
    const gy_drive_args *a = d->a;
    vf cap = gy_splat(a->cap);
    int count = GY_MIN(GY_LANES, box->high[0] - i0), cuts = 0;
    bool any = false;
    for (int l = 0; l < GY_LANES; l++) {
        bool own = l < count && i0 + l >= box->low[0];
        cover[l] = own ? gy_drive_cover(a, d->f, g, i0 + l, j, k) : 0.0f;
        any = any || cover[l] > 0.0f;
    }
    if (!any) {
        return 0;
    }
    for (int l = 0; l < GY_LANES; l += VW) {
        vf u = gy_load(row + i0 + l);
        u += gy_load(cover + l) * (a->gain * force_at(d, i0 + l) - a->drag * u);
        gy_store(next + l, u);
    }
    for (int l = 0; l < count; l++) {
        cuts += cover[l] > 0.0f && (next[l] > a->cap || next[l] < -a->cap);
    }
    for (int l = 0; l < GY_LANES; l += VW) {
        gy_store(next + l, gy_flush(gy_clamp(gy_load(next + l), -cap, cap)));
    }
    memcpy(row + i0, next, (size_t)count * sizeof *next);
    return cuts;
}

void GY_BODY(drive)(const void *args, const gy_box *box, int task)
{
    const gy_drive_args *a = args;
    const gy_force *f = (const gy_force *)(uintptr_t)a->force;
    const gy_extent *e = &a->extent;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    float *field = gy_at(a->base, a->velocity);
    int cuts = 0, first = box->low[0] / GY_LANES * GY_LANES;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            driven d = begin_row(a, f, j, k);
            for (int i0 = first; i0 < box->high[0]; i0 += GY_LANES) {
                cuts += is_even(&d, g.l, i0, j, k) ? drive_even(&d, i0, row)
                                                   : drive_lanes(&d, &g, box, i0, j, k, row);
            }
        }
    }
    gy_at(a->base, a->count)[task] = (float)cuts;
}
