// gas/carried.c: open sides by which what leaves is carried out. With u the velocity across the
// side, outwards, and x the distance from it inwards,
//
//     u'(0) = u(c dt)           du/dt = c du/dx (Orlanski, J. Comput. Phys. 21, 1976)
//     c = max over the last columns of sum u^2 / sum u, u > 0 alone
//     u'(0) /= 1 + 2 c dt / W   where u' < 0: outside air is at rest; W the side's width
//     u'(0) *= E                where u' < 0: E = sum u'^3 out / sum |u'|^3 in, at most 1
//     u'(0) -= what is too much in the room / its faces
//
// along the side the last cells' own is given, and the projection finds u' given, as of an inflow
// (gas/sides.c). c is one speed for the side: that of what carries the momentum, 1 in a wind of 1
// and that of a pair of vortices between which the air goes out, though as much comes in beside it.
// What is given does work, and nothing bounds that as the pressure's 0 does: the third line lets
// what turns about in the side come to rest (without it whirls in a box were fed, to six times
// their energy), the fourth lets no more energy come in than goes out; what is left is a rise of
// some tenths before whirls have left. First order in time and space at the side. Cost: that of
// COLUMNS faces of the sides, on the host.
#include "base/maths.h"
#include "gas/gas.h"
#include "gas/patches.h"

enum { COLUMNS = 5 }; // that c is looked for in, the side's own faces being one

/// A side's faces along the component of velocity across it.
typedef struct faces {
    const float *u;   // of the side's first face
    ptrdiff_t inward; // to the next face from the side
    ptrdiff_t along[2];
    int n[2], deep; // faces along the side; cells across it
    float sign;     // of what goes out
} faces;

static faces faces_of(const gyre_gas *gas, int side)
{
    const gy_extent *e = &gas->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    int axis = side / 2, along[2];
    gy_gas_axes_along(side, along);
    faces f = {.deep = e->n[axis], .sign = side & 1 ? 1.0f : -1.0f};
    f.inward = side & 1 ? -step[axis] : step[axis];
    f.u =
        (const float *)gy_at(gas->base, gas->slot[axis]) + (side & 1 ? e->n[axis] * step[axis] : 0);
    for (int q = 0; q < 2; q++) {
        f.along[q] = step[along[q]];
        f.n[q] = gy_gas_faces_along(&gas->def->grid, along[q]);
    }
    return f;
}

static double outwards(const faces *f, int a, int b, int in)
{
    return (double)(f->sign * f->u[a * f->along[0] + b * f->along[1] + in * f->inward]);
}

/// How fast what leaves goes, in m/s.
static double pace_of(const faces *f)
{
    double pace = 0.0;
    for (int in = 0; in < GY_MIN(COLUMNS, f->deep); in++) {
        double sum = 0.0, squares = 0.0;
        for (int b = 0; b < f->n[1]; b++) {
            for (int a = 0; a < f->n[0]; a++) {
                double u = GY_MAX(outwards(f, a, b, in), 0.0);
                sum += u;
                squares += u * u;
            }
        }
        pace = sum > 0.0 ? GY_MAX(pace, squares / sum) : pace;
    }
    return pace;
}

/// Along the side what is given is that of the last cells.
static void carry_along(gyre_gas *gas, int side, const faces *f, int component, ptrdiff_t step)
{
    const gy_extent *e = &gas->extent;
    const ptrdiff_t steps[3] = {1, e->sy, e->sz};
    const float *v = gy_at(gas->base, gas->slot[component]);
    float *next = gy_gas_next_given(gas, side, component);
    v += side & 1 ? (e->n[side / 2] - 1) * steps[side / 2] : 0;
    for (int b = 0; b < f->n[1]; b++) {
        for (int a = 0; a < f->n[0]; a++) {
            ptrdiff_t o = a * f->along[0] + b * f->along[1];
            next[a + b * f->n[0]] = 0.5f * (v[o] + v[o + step]);
        }
    }
}

static void carry_side(gyre_gas *gas, int side, float dt)
{
    int along[2];
    gy_gas_axes_along(side, along);
    faces f = faces_of(gas, side);
    for (int q = 0; q < gas->extent.dim - 1; q++) {
        carry_along(gas, side, &f, along[q], f.along[q]);
    }
    float *next = gy_gas_next_given(gas, side, side / 2), cap = gas->def->speed_cap;
    double far = pace_of(&f) * (double)dt / (double)gas->grid.h;
    double rest = 1.0 + 2.0 * far / (double)GY_MAX(f.n[0], f.n[1]);
    far = GY_MIN(far, (double)f.deep - 1.0);
    int in = (int)far;
    double by = far - (double)in, came = 0.0, went = 0.0;
    for (int b = 0; b < f.n[1]; b++) {
        for (int a = 0; a < f.n[0]; a++) {
            double u = (1.0 - by) * outwards(&f, a, b, in) + by * outwards(&f, a, b, in + 1);
            float out = f.sign * (float)(u < 0.0 ? u / rest : u);
            next[a + b * f.n[0]] = GY_MAX(-cap, GY_MIN(out, cap));
            went += u > 0.0 ? u * u * u : 0.0;
            came -= u < 0.0 ? u * u * u : 0.0;
        }
    }
    // What comes in has no more energy than what goes out.
    float most = (float)(came > went ? went / came : 1.0);
    for (int i = 0; i < f.n[0] * f.n[1] && most < 1.0f; i++) {
        next[i] *= next[i] * f.sign < 0.0f ? most : 1.0f;
    }
}

void gy_gas_carry_out(gyre_gas *gas, float dt)
{
    uint32_t carried = gy_gas_carried(gas->def);
    for (int s = 0; s < 2 * gas->extent.dim && carried != 0; s++) {
        if (carried >> s & 1u) {
            carry_side(gas, s, dt);
        }
    }
    if (carried != 0) {
        gy_gas_balance_rims(gas);
    }
}
