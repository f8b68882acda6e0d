// gas/ops/flux.h: volumes that pass faces in a substep, in cells: openness times velocity times dt
// / h, the product whose sum over a cell's faces the projection makes 0. A shut face passes
// nothing, whatever stands in the velocity; round a periodic axis the last face is the first one.
#ifndef GY_FLUX_H
#define GY_FLUX_H

#include "gas/ops/args.h"
#include "ops/system/level.h"

/// Lanes that may be written beyond those asked for.
enum { GY_FLUX_SLACK = 2 * GY_LANES };

typedef struct gy_flux {
    gy_grid_level g;
    bool solids; // faces inside may be other than whole: g counts
    const float *u[3];
    gy_extent e;
    uint32_t periodic, open_sides;
    uint32_t given; // of the open ones those whose openness does not count
    float scale;
} gy_flux;

GY_INLINE gy_flux gy_flux_make(uint64_t base, const uint32_t wind[3], uint32_t level,
                               const gy_extent *e, uint32_t periodic, uint32_t open_sides,
                               uint32_t given, float scale)
{
    gy_flux f = {.solids = level != 0,
                 .e = *e,
                 .periodic = periodic,
                 .open_sides = open_sides,
                 .given = given,
                 .scale = scale};
    for (int a = 0; a < 3; a++) {
        f.u[a] = gy_at(base, wind[a]);
    }
    if (level) {
        f.g = gy_grid_level_at(base, level);
    }
    return f;
}

GY_INLINE ptrdiff_t gy_flux_place(const gy_flux *f, int j, int k)
{
    return (ptrdiff_t)j * f->e.sy + (ptrdiff_t)k * f->e.sz;
}

/// Flags of the groups of a row of cells from lane i0 on; NULL beyond the last row.
GY_INLINE const uint8_t *gy_flux_flags(const gy_flux *f, int j, int k, int i0)
{
    bool in = j < f->e.n[1] && k < f->e.n[2];
    return in ? gy_level_flags(&f->g, j, k) + i0 / (2 * GY_GROUP) : NULL;
}

/// Groups of the row from lane i0 on.
GY_INLINE int gy_flux_groups(const gy_flux *f, int i0)
{
    return f->g.groups - i0 / (2 * GY_GROUP);
}

/// The openness of faces of a row, in lanes i and i + VW; i even.
GY_INLINE void gy_openness(const gy_flux *f, int axis, int j, int k, int i, vf *low, vf *high)
{
    int c = (j + k) & 1;
    ptrdiff_t s = gy_level_row(f->g.l, j, k) + (i >> 1);
    vf even = gy_load_u16(f->g.open[axis][c] + s), odd = gy_load_u16(f->g.open[axis][1 - c] + s);
    *low = gy_zip_low(even, odd);
    *high = gy_zip_high(even, odd);
}

static GY_NOINLINE void gy_flux_solids(const gy_flux *f, int axis, int j, int k, int i0, int count,
                                       float scale, float *out)
{
    const float *u = f->u[axis] + gy_flux_place(f, j, k) + i0;
    const uint8_t *flags = gy_flux_flags(f, j, k, i0);
    int groups = flags ? gy_flux_groups(f, i0) : 0;
    for (int i = 0; i < count; i += 2 * VW) {
        int group = i / (2 * GY_GROUP);
        vf low = gy_load(u + i), high = gy_load(u + i + VW);
        if (group >= groups || !flags[group]) {
            vf a, b;
            gy_openness(f, axis, j, k, i0 + i, &a, &b);
            low *= a * (1.0f / GY_UNIT);
            high *= b * (1.0f / GY_UNIT);
        }
        gy_store(out + i, low * scale);
        gy_store(out + i + VW, high * scale);
    }
}

/// The flux of one face across x.
GY_INLINE float gy_flux_face(const gy_flux *f, int i, int j, int k)
{
    float u = f->u[0][gy_flux_place(f, j, k) + i];
    if (f->solids) {
        u *= (float)*gy_coefficient(&f->g, 0, i, j, k) * (1.0f / GY_UNIT);
    }
    return u * f->scale;
}

/// The flux of the face at an end of a row across x. The openness of an open side is doubled, as
/// coefficients of the pressure are.
GY_INLINE float gy_flux_end(const gy_flux *f, int side, int j, int k)
{
    int i = side ? f->e.n[0] : 0;
    if (!(f->open_sides >> side & 1u)) {
        return 0.0f;
    }
    // A window in such a side has its openness.
    if ((f->given >> side & 1u) && (!f->solids || *gy_coefficient(&f->g, 0, i, j, k) == 0)) {
        return f->u[0][gy_flux_place(f, j, k) + i] * f->scale;
    }
    float flux = gy_flux_face(f, i, j, k);
    return f->solids ? 0.5f * flux : flux;
}

/// Fluxes through the faces across `axis` that are the low ones of cells i0 ... of row (j, k),
/// which may be one beyond the last along the axis. Lanes beyond the row's faces become 0.
GY_INLINE void gy_flux_row(const gy_flux *f, int axis, int j, int k, int i0, int count, float *out)
{
    int n = f->e.n[axis], at = axis == 1 ? j : k;
    bool wraps = f->periodic >> axis & 1u;
    float scale = f->scale;
    bool solids = f->solids, given = false;
    if (axis > 0 && wraps && at == n) {
        j = axis == 1 ? 0 : j;
        k = axis == 2 ? 0 : k;
    }
    if (axis > 0 && !wraps && (at == 0 || at == n)) {
        if (!(f->open_sides >> (2 * axis + (at == n)) & 1u)) {
            memset(out, 0, (size_t)(count + GY_LANES) * sizeof *out);
            return;
        }
        given = f->given >> (2 * axis + (at == n)) & 1u;
        scale = solids ? 0.5f * scale : scale;
    }
    if (solids) {
        gy_flux_solids(f, axis, j, k, i0, count, scale, out);
        for (int i = 0; i < GY_MIN(count, f->e.n[0] - i0) && given; i++) {
            if (*gy_coefficient(&f->g, axis, i0 + i, j, k) == 0) {
                out[i] = f->u[axis][gy_flux_place(f, j, k) + i0 + i] * f->scale;
            }
        }
    } else {
        const float *u = f->u[axis] + gy_flux_place(f, j, k) + i0;
        for (int i = 0; i < count; i += VW) {
            gy_store(out + i, gy_load(u + i) * scale);
        }
    }
    if (axis == 0 && i0 == 0 && !wraps) {
        out[0] = gy_flux_end(f, 0, j, k);
    }
    int last = f->e.n[0] - i0;
    if (axis == 0 && last < count) {
        out[last] = wraps ? gy_flux_face(f, 0, j, k) : gy_flux_end(f, 1, j, k);
    }
    for (int i = last + (axis == 0); i < count + GY_LANES; i++) {
        out[i] = 0.0f;
    }
}

#endif
