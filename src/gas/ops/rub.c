// gas/ops/rub.c: rub: what a floor of heights drags of the gas above it. In the lowest open face of
// a column, d metres of it open, u_s being the floor's velocity and c the mean of both columns':
//
//     u = u_s + (u0 - u_s) / (1 + c |u0 - u_s| dt / d)
//
// What it loses, rho d h^2 (u0 - u) (2D: rho d h (u0 - u)), goes to the two columns of the face by
// halves. Which face that is the host has found. Cost: about 10 ns a column and axis.
#include "ops/row/body.h"
#include "ops/system/level.h"

#include "gas/ops/args.h"

static int columns_of(const gy_rub_args *a)
{
    return a->extent.n[0] * (gy_is_3d(a->extent.dim) ? a->extent.n[1] : 1);
}

static const float *plane_of(const gy_rub_args *a, int which)
{
    return (const float *)(uintptr_t)a->planes + (ptrdiff_t)which * columns_of(a);
}

/// How many columns there are along the axis, and the way from one to the next.
static int along(const gy_rub_args *a, int *step)
{
    *step = a->axis == 0 ? 1 : a->extent.n[0];
    return a->extent.n[a->axis];
}

/// The mean of a plane at the two columns of the low face of one.
static double beside(const gy_rub_args *a, int which, int column, int at)
{
    int step, count = along(a, &step);
    int before = column - (at > 0 ? step : step - step * count);
    const float *plane = plane_of(a, which);
    return 0.5 * ((double)plane[column] + (double)plane[before]);
}

/// The mean of the velocity along the other axis at the four faces round a face.
static double other_at(const gy_rub_args *a, ptrdiff_t o)
{
    const float *u = gy_at(a->base, a->velocity[1 - a->axis]);
    ptrdiff_t own = a->axis ? a->extent.sy : 1, other = a->axis ? 1 : a->extent.sy;
    return 0.25 * (((double)u[o] + (double)u[o + other]) +
                   ((double)u[o - own] + (double)u[o - own + other]));
}

/// What the two columns of a face get each, in kg m/s.
static float take(const gy_rub_args *a, int column)
{
    const gy_extent *e = &a->extent;
    const int32_t *face = (const int32_t *)(uintptr_t)a->faces + column;
    int at = a->axis ? column / e->n[0] : column % e->n[0];
    int32_t o = face[0], open = face[columns_of(a)];
    double c = o < 0 ? 0.0 : beside(a, 0, column, at), h = (double)a->h;
    if (!(c > 0.0)) {
        return 0.0f;
    }
    float *u = (float *)gy_at(a->base, a->velocity[a->axis]) + o, before = *u;
    double own = (double)before - beside(a, 1 + a->axis, column, at), other = 0.0;
    if (gy_is_3d(e->dim)) {
        other = other_at(a, o) - beside(a, 2 - a->axis, column, at);
    }
    double deep = h * (double)open / (double)GY_UNIT;
    double speed = __builtin_sqrt(own * own + other * other);
    double part = 1.0 / (1.0 + c * speed * (double)a->dt / deep);
    *u = (float)((double)before - own * (1.0 - part));
    double mass = (double)a->density * (gy_is_3d(e->dim) ? h * h : h);
    return (float)(0.5 * mass * (deep * ((double)before - (double)*u)));
}

/// The low face's before the high one's; of the last column the high one is the first of all.
static void give(const gy_rub_args *a, const float *lost, int column)
{
    int step, count = along(a, &step), at = column / step % count;
    float *push = (float *)(uintptr_t)a->planes + (ptrdiff_t)(3 + a->axis) * columns_of(a) + column;
    if (at + 1 < count) {
        *push = (*push + lost[column]) + lost[column + step];
    } else if (a->periodic >> a->axis & 1u) {
        *push = (*push + lost[column - at * step]) + lost[column];
    } else {
        *push += lost[column];
    }
}

void GY_BODY(rub)(const void *args, const gy_box *box, int task)
{
    const gy_rub_args *a = args;
    float *lost = gy_at(a->base, a->lost);
    (void)task;
    for (int q = box->low[0]; q < box->high[0]; q++) {
        if (a->work == GY_RUB_TAKE) {
            lost[q] = take(a, q);
        } else {
            give(a, lost, q);
        }
    }
}
