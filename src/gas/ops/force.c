// gas/ops/force.c: what acts on a field in place.
//
//     decay: q = factor q                      buoyancy: u = u + heat T + weight rho at the face
//     emit:  q = q + amount c, or held:        q = q + c (amount - q), c what a shape covers
//     source: q = q + dt rate                  splat: q = q + amount (1 - (r / radius)^2)^2
//
// and extend: samples inside solids take the mean of neighbours in the gas. 8 bytes a cell each, 8
// more of buoyancy's fields.
#include "base/maths.h"
#include "gas/ops/gas_row.h"
#include "ops/row/row.h"
#include "shape/shape.h"

/// What the cells of a row that hold gas are about to win.
static GY_NOINLINE double row_decay(const gy_decay_args *a, const gy_flux *f, int j, int k,
                                    const float *row)
{
    float gas[GY_BLOCK + GY_FLUX_SLACK];
    gy_sum sum = gy_sum_zero();
    int end = gy_round_up(a->extent.n[0], GY_LANES);
    for (int i0 = 0; i0 < end; i0 += GY_BLOCK) {
        int lanes = GY_MIN(GY_BLOCK, end - i0);
        const float *in = gy_gas_row(f, j, k, i0, lanes, gas);
        for (int i = 0; i < lanes; i += VW) {
            vf x = gy_load(row + i0 + i), d = gy_flush(x * a->factor) - x;
            gy_sum_add(&sum, i, in ? (vf)((vi)d & (vi)gy_load(in + i)) : d);
        }
    }
    return gy_sum_fold(&sum);
}

void GY_BODY(decay)(const void *args, const gy_box *box, int task)
{
    const gy_decay_args *a = args;
    const gy_extent *e = &a->extent;
    float *field = gy_at(a->base, a->field);
    gy_flux f = {.solids = a->level != 0, .e = *e};
    double won = 0.0;
    if (f.solids) {
        f.g = gy_grid_level_at(a->base, a->level);
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz - GY_PAD / 2;
            int end = gy_round_up(e->n[0], GY_LANES) + GY_PAD;
            won += a->partial ? row_decay(a, &f, j, k, row + GY_PAD / 2) : 0.0;
            for (int i = 0; i < end; i += VW) {
                gy_store(row + i, gy_flush(gy_load(row + i) * a->factor));
            }
        }
    }
    if (a->partial) {
        ((double *)(void *)gy_at(a->base, a->partial))[4 * task] = won;
    }
}

// Boussinesq: the pull on warm, thin gas is less than on its surroundings: f = g (w rho - beta T)
// at the face.
void GY_BODY(buoyancy)(const void *args, const gy_box *box, int task)
{
    const gy_buoyancy_args *a = args;
    const gy_extent *e = &a->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    ptrdiff_t m = -step[a->axis];
    float *velocity = gy_at(a->base, a->velocity);
    const float *temperature = gy_at(a->base, a->temperature),
                *density = gy_at(a->base, a->density);
    vf cap = gy_splat(a->cap), cut = gy_splat(0.0f);
    int end = gy_round_up(GY_MAX(e->n[0], a->edge.samples), GY_LANES);
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int i = 0; i < end; i += VW) {
                const float *t = temperature + o + i, *r = density + o + i;
                vf f = (0.5f * a->heat) * (gy_load(t) + gy_load(t + m)) +
                       (0.5f * a->weight) * (gy_load(r) + gy_load(r + m));
                vf u = gy_load(velocity + o + i) + f;
                vi over = (vi)(gy_abs(u) > cap) & (gy_iota(i) < e->n[0]);
                cut -= gy_to_float(over);
                u = gy_clamp(u, -cap, cap);
                // Lanes from the middle of the pad on belong to the next row's halo.
                if (i < gy_round_up(e->n[0], GY_LANES)) {
                    gy_store(velocity + o + i, u);
                } else if (i == e->n[0]) {
                    velocity[o + i] = u[0];
                }
            }
            gy_row_finish(velocity + o, e->n[0], &a->edge);
        }
    }
    float sum = 0.0f;
    for (int q = 0; q < VW; q++) {
        sum += cut[q];
    }
    gy_at(a->base, a->count)[task] = sum;
}

/// Whether gas can be at a sample: in the cell, or through the face.
static bool within_gas(const gy_grid_level *g, int location, int i, int j, int k)
{
    return location == GYRE_CENTRE ? gy_level_fluid(g, i, j, k)
                                   : *gy_coefficient(g, gy_face_axis(location), i, j, k) != 0;
}

static void sample_point(const gy_emit_args *a, int i, int j, int k, float point[3])
{
    point[0] = a->origin[0] + a->h * ((float)i + (a->location == GYRE_FACE_X ? 0.0f : 0.5f));
    point[1] = a->origin[1] + a->h * ((float)j + (a->location == GYRE_FACE_Y ? 0.0f : 0.5f));
    point[2] = !gy_is_3d(a->extent.dim)
                   ? 0.0f
                   : a->origin[2] + a->h * ((float)k + (a->location == GYRE_FACE_Z ? 0.0f : 0.5f));
}

static float limited(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/// Value noise in space and time, 0 to 1: smooth between random values on a lattice.
static float noise(const gy_emit_args *a, const float point[3])
{
    float x[4] = {point[0] / a->noise_size, point[1] / a->noise_size, point[2] / a->noise_size,
                  a->phase};
    int cell[4];
    float f[4], sum = 0.0f;
    for (int q = 0; q < 4; q++) {
        float fl = gy_floorf(limited(x[q], 1e6f));
        cell[q] = (int)fl;
        f[q] = limited(x[q], 1e6f) - fl;
        f[q] = f[q] * f[q] * (3.0f - 2.0f * f[q]);
    }
    for (int corner = 0; corner < 16; corner++) {
        uint32_t index = 0;
        float w = 1.0f;
        for (int q = 0; q < 4; q++) {
            int up = corner >> q & 1;
            w *= up ? f[q] : 1.0f - f[q];
            index = index * 0x9e3779b1u + (uint32_t)(cell[q] + up);
        }
        sum += w * gy_random_unit(a->seed, index);
    }
    return sum;
}

void GY_BODY(emit)(const void *args, const gy_box *box, int task)
{
    const gy_emit_args *a = args;
    const gy_solid *shape = (const gy_solid *)(uintptr_t)a->shape;
    const gy_extent *e = &a->extent;
    float *field = gy_at(a->base, a->field);
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    // What an array of finer cells calls a distance never leaves such a cell. Taken as one of the
    // grid's cells instead, a picture gives in each place what it shows there.
    bool fine = shape->kind == GYRE_SHAPE_VOLUME && shape->edge < (double)a->h;
    float thick = fine ? (float)shape->edge : a->h;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int i = box->low[0]; i < box->high[0]; i++) {
                float point[3];
                sample_point(a, i, j, k, point);
                const double at[3] = {(double)point[0], (double)point[1], (double)point[2]};
                float covered = 0.5f - (float)gy_solid_distance(shape, at) / thick;
                if (!(covered > 0.0f) || !within_gas(&g, a->location, i, j, k)) {
                    continue;
                }
                covered = covered > 1.0f ? 1.0f : covered;
                float amount = a->amount;
                if (a->noise > 0.0f) {
                    amount *= 1.0f + a->noise * (2.0f * noise(a, point) - 1.0f);
                }
                float next =
                    a->hold ? row[i] + covered * (amount - row[i]) : row[i] + covered * amount;
                row[i] = limited(next, a->limit);
            }
        }
    }
}

void GY_BODY(source)(const void *args, const gy_box *box, int task)
{
    const gy_source_args *a = args;
    const gy_extent *e = &a->extent;
    float *field = gy_at(a->base, a->field);
    const float *rate = (const float *)(uintptr_t)a->rate;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            const float *add = rate + ((ptrdiff_t)k * a->samples[1] + j) * a->samples[0];
            for (int i = box->low[0]; i < box->high[0]; i++) {
                bool taken = gy_is_finite(add[i]) && within_gas(&g, a->location, i, j, k);
                float s = taken ? add[i] * a->dt : 0.0f;
                row[i] = limited(row[i] + limited(s, a->limit), a->limit);
            }
        }
    }
}

void GY_BODY(splat)(const void *args, const gy_box *box, int task)
{
    const gy_splat_args *a = args;
    const gy_extent *e = &a->extent;
    float *field = gy_at(a->base, a->field);
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            float y = (float)j - a->centre[1],
                  z = gy_is_3d(e->dim) ? (float)k - a->centre[2] : 0.0f;
            for (int i = box->low[0]; i < box->high[0]; i++) {
                float x = (float)i - a->centre[0];
                float w = 1.0f - (x * x + (y * y + z * z)) / (a->radius * a->radius);
                if (w > 0.0f && within_gas(&g, a->location, i, j, k)) {
                    row[i] = limited(row[i] + limited(a->amount * (w * w), a->limit), a->limit);
                }
            }
        }
    }
}

void GY_BODY(extend)(const void *args, const gy_box *box, int task)
{
    const gy_extend_args *a = args;
    float *field = gy_at(a->base, a->field);
    const uint32_t *list = (const uint32_t *)(uintptr_t)a->list;
    const ptrdiff_t step[3] = {1, a->extent.sy, a->extent.sz};
    (void)task;
    for (int i = box->low[0]; i < box->high[0]; i++) {
        ptrdiff_t o = (int32_t)list[2 * i];
        uint32_t mask = list[2 * i + 1];
        float sum = 0.0f;
        int count = 0;
        for (int d = 0; d < 6; d++) {
            if (mask >> d & 1u) {
                sum += field[o + ((d & 1) ? step[d / 2] : -step[d / 2])];
                count++;
            }
        }
        field[o] = count > 0 ? sum / (float)count : 0.0f;
    }
}
