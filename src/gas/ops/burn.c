// gas/ops/burn.c: fire, in each cell that holds gas, over a step:
//
//     T = t / (1 - x t)                        how hot it is, by the field t: heat per volume
//     b = min(part f, (1 - s) / air)           of the fuel f, where T >= ignition; else 0
//     f -= b,  t += heat b,  density += soot b
//     T^-3 += cool                             radiation, dT/dt = -c T^4, exactly
//     v = x (t after - t before)               the volume that it asks for: it swells by it, and as
//     s += air b + v                           much less oxygen is left per volume
//
// Where there is a front (gas/ops/front.c), b is what that passes, and more only where heat that is
// not of what has burnt, t - heat (burnt - lit), is hot enough; of what is lit the part gives heat:
//
//     f -= b,  burnt += b,  lit += b,  then lit -= q = part lit,  t += heat q,  density += soot q
//     s += air b + v, where it is counted: fuel with a front brings its air, and is not hindered
//
// x is the share of the expansion times its coefficient, part = 1 - exp(-rate dt). Nothing burns
// that is not there, and at no dt does anything overshoot. Models of this kind: D. Q. Nguyen, R.
// Fedkiw, H. W. Jensen, Physically based modeling and animation of fire (SIGGRAPH 2002), for T^4;
// B. E. Feldman, J. F. O'Brien, O. Arikan, Animating suspended particle explosions (SIGGRAPH 2003),
// for fuel by cells and the source of volume. That t, s and the flow agree is the low-Mach limit:
// see doc/gas.md.
//
// Bytes per cell: reads 12 and writes 12, with oxygen 4 more, with expansion 4 more. About 60
// operations where anything is hot; rows that are cold throughout are left after one look.
#include "gas/ops/burn.h"
#include "gas/ops/gas_row.h"

/// A gas expands at most so much: T is at most this times t.
#define MOST 11.0f
/// Beyond it, K, radiation cools no faster than by as much.
#define HOTTEST 1e8f
/// Fields are cut to this; what a cell swells by in a step to that.
#define LIMIT 1e20f
#define BURST 10.0f

typedef struct burning {
    const gy_burn_args *a;
    gy_flux f;
    double sum[7]; // fuel, released, radiated, smoke, spent or burnt, lit, spent beside burnt
} burning;

/// x^(-1/3), x from 1 to 1e36: within 2 ulp. A guess by the exponent, then Newton.
GY_INLINE vf root(vf x)
{
    vi guess = 0x54a2fa8c - gy_to_int(gy_to_float((vi)x) * (1.0f / 3.0f));
    vf y = (vf)guess;
    for (int q = 0; q < 4; q++) {
        y = y * ((4.0f - x * (y * (y * y))) * (1.0f / 3.0f));
    }
    return y;
}

/// How hot, by the field.
GY_INLINE vf hot(const gy_burn_args *a, vf t)
{
    return t / gy_max(1.0f - a->expand * t, gy_splat(1.0f / MOST));
}

/// What radiation leaves of the field.
GY_INLINE vf cooled(const gy_burn_args *a, vf t)
{
    vf h = hot(a, t), c = gy_clamp(h, gy_splat(0.0f), gy_splat(HOTTEST));
    vf grown = a->cool * (c * (c * c));
    vf left = h * root(1.0f + grown);
    left = gy_min(left / gy_min(1.0f + a->expand * left, gy_splat(MOST)), t);
    // Below a float's last place it is let be.
    return gy_select((vi)(grown > 1e-7f), left, t);
}

/// `after` where the cell holds gas; adds what that has won.
GY_INLINE vf take(vi gas, vf before, vf after, gy_sum *sum, int i)
{
    after = gy_select(gas, gy_flush(after), before);
    gy_sum_add(sum, i, after - before);
    return after;
}

/// A block where there is a front.
static void front_block(const burning *b, const float *in, ptrdiff_t o, int i0, int lanes,
                        gy_sum sum[7])
{
    const gy_burn_args *a = b->a;
    float *fuel = gy_at(a->base, a->fuel) + o, *heat = gy_at(a->base, a->temperature) + o,
          *smoke = gy_at(a->base, a->density) + o, *burnt = gy_at(a->base, a->burnt) + o,
          *lit = a->lit ? gy_at(a->base, a->lit) + o : NULL,
          *spent = a->spent ? gy_at(a->base, a->spent) + o : NULL,
          *swelling = a->swelling ? (float *)(uintptr_t)a->swelling + o : NULL;
    const float *passed = gy_at(a->base, a->passed) + o;
    vf none = gy_splat(0.0f), limit = gy_splat(LIMIT), burst = gy_splat(BURST);
    for (int i = 0; i < lanes; i += VW) {
        vf t = gy_load(heat + i), goes = gy_load(passed + i), l = lit ? gy_load(lit + i) : none;
        vi acts = (vi)(t > 0.0f) | (vi)(goes > 0.0f) | (vi)(l > 0.0f);
        if (!gy_any(acts)) {
            continue;
        }
        vi gas = acts & (in ? (vi)gy_load(in + i) : gy_splat_int(-1));
        vf f = gy_load(fuel + i), r = gy_load(smoke + i), p = gy_load(burnt + i);
        // What has burnt explains so much heat: the rest comes from elsewhere and lights what is
        // there.
        vi sparks = (vi)(hot(a, t - a->heat * (p - l)) >= a->ignition);
        vf most = gy_max(f, none);
        goes = gy_min(gy_max(goes, gy_select(sparks, a->part * most, none)), most);
        vf gives = lit ? a->part * gy_max(l + goes, none) : goes;
        gy_store(fuel + i, take(gas, f, f - goes, &sum[0], i0 + i));
        gy_store(burnt + i, take(gas, p, gy_min(p + goes, limit), &sum[4], i0 + i));
        if (lit) {
            gy_store(lit + i, take(gas, l, gy_min((l + goes) - gives, limit), &sum[5], i0 + i));
        }
        vf after = take(gas, t, gy_min(t + a->heat * gives, limit), &sum[1], i0 + i);
        vf left = take(gas, after, cooled(a, after), &sum[2], i0 + i);
        gy_store(heat + i, left);
        gy_store(smoke + i, take(gas, r, gy_min(r + a->soot * gives, limit), &sum[3], i0 + i));
        vf volume = gy_clamp(a->expand * (left - t), -burst, burst);
        if (spent) {
            vf s = gy_load(spent + i);
            vf lacks = gy_clamp(s + (a->air * goes + volume), -limit, limit);
            gy_store(spent + i, take(gas, s, lacks, &sum[6], i0 + i));
        }
        if (swelling) {
            gy_store(swelling + i, gy_load(swelling + i) + volume);
        }
    }
}

/// A block of a row from sample o on; in: where it holds gas, NULL: everywhere.
static void burn_block(const burning *b, const float *in, ptrdiff_t o, int i0, int lanes,
                       gy_sum sum[7])
{
    const gy_burn_args *a = b->a;
    float *fuel = gy_at(a->base, a->fuel) + o, *heat = gy_at(a->base, a->temperature) + o,
          *smoke = gy_at(a->base, a->density) + o,
          *spent = a->spent ? gy_at(a->base, a->spent) + o : NULL,
          *swelling = a->swelling ? (float *)(uintptr_t)a->swelling + o : NULL;
    vf limit = gy_splat(LIMIT), burst = gy_splat(BURST);
    for (int i = 0; i < lanes; i += VW) {
        vf t = gy_load(heat + i);
        if (!gy_any((vi)(t > 0.0f))) {
            continue;
        }
        // No lane may decide for another: what is cold stays as it is.
        vi gas = (vi)(t > 0.0f) & (in ? (vi)gy_load(in + i) : gy_splat_int(-1));
        vf f = gy_load(fuel + i), r = gy_load(smoke + i);
        vf s = spent ? gy_load(spent + i) : gy_splat(0.0f);
        vf burns = a->part * f;
        burns = spent ? gy_min(burns, (1.0f - s) * a->per_air) : burns;
        burns = gy_select((vi)(hot(a, t) >= a->ignition), gy_max(burns, gy_splat(0.0f)),
                          gy_splat(0.0f));
        gy_store(fuel + i, take(gas, f, f - burns, &sum[0], i0 + i));
        vf lit = take(gas, t, gy_min(t + a->heat * burns, limit), &sum[1], i0 + i);
        vf left = take(gas, lit, cooled(a, lit), &sum[2], i0 + i);
        gy_store(heat + i, left);
        vf more = gy_min(r + a->soot * burns, limit);
        gy_store(smoke + i, take(gas, r, more, &sum[3], i0 + i));
        vf volume = gy_clamp(a->expand * (left - t), -burst, burst);
        if (spent) {
            vf lacks = gy_clamp(s + (a->air * burns + volume), -limit, limit);
            gy_store(spent + i, take(gas, s, lacks, &sum[4], i0 + i));
        }
        if (swelling) {
            gy_store(swelling + i, gy_load(swelling + i) + volume);
        }
    }
}

void GY_BODY(burn)(const void *args, const gy_box *box, int task)
{
    const gy_burn_args *a = args;
    const gy_extent *e = &a->extent;
    burning b = {.a = a, .f = {.solids = a->level != 0, .e = *e}};
    int end = gy_round_up(e->n[0], GY_LANES);
    if (b.f.solids) {
        b.f.g = gy_grid_level_at(a->base, a->level);
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            gy_sum sum[7] = {gy_sum_zero(), gy_sum_zero(), gy_sum_zero(), gy_sum_zero(),
                             gy_sum_zero(), gy_sum_zero(), gy_sum_zero()};
            float gas[GY_BLOCK + GY_FLUX_SLACK];
            for (int i0 = 0; i0 < end; i0 += GY_BLOCK) {
                int lanes = GY_MIN(GY_BLOCK, end - i0);
                const float *in = gy_gas_row(&b.f, j, k, i0, lanes, gas);
                ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz + i0;
                if (a->burnt) {
                    front_block(&b, in, o, i0, lanes, sum);
                } else {
                    burn_block(&b, in, o, i0, lanes, sum);
                }
            }
            for (int q = 0; q < 7; q++) {
                b.sum[q] += gy_sum_fold(&sum[q]);
            }
        }
    }
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task,
           *more = (double *)(void *)gy_at(a->base, a->more) + 4 * task;
    for (int q = 0; q < 4; q++) {
        partial[q] = b.sum[q];
        more[q] = q < 3 ? b.sum[4 + q] : 0.0;
    }
}
