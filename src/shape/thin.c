// shape/thin.c: see thin.h. A line of centres costs about 10 distances of 10 to 30 ns for each
// place where it comes near, one where it does not; inside one for as many cells as it is deep.
#include "shape/thin.h"

#define NEAR (1.0 / 1024) // of a cell, that counts as met: no step is shorter

bool gy_solid_is_thin(const gy_solid *s, double h)
{
    double least = 1e30;
    switch (s->kind) {
    case GYRE_SHAPE_SPHERE:
    case GYRE_SHAPE_CAPSULE:
        least = 2.0 * s->radius;
        break;
    case GY_SOLID_CYLINDER:
        least = 2.0 * GY_MIN(s->radius, s->inverse > 0.0 ? 1.0 / s->inverse : 0.0);
        break;
    case GYRE_SHAPE_BOX:
        for (int a = 0; a < s->dim; a++) {
            least = GY_MIN(least, 2.0 * s->b[a]);
        }
        break;
    case GYRE_SHAPE_VOLUME:
        // As thin as a cell of the array at its least, as good as always.
        least = s->volume.data ? s->edge : least;
        break;
    default:
        break;
    }
    return least < h;
}

void gy_thin_range(const gy_solid *s, const gyre_grid *g, int axis, int low[3], int high[3])
{
    double h = (double)g->h;
    for (int a = 0; a < 3; a++) {
        low[a] = high[a] = 0;
        if (a >= g->dim) {
            continue;
        }
        // Centres at 1/2, 3/2, ...; a face lies between that of its own cell and the one before.
        double from = (s->low[a] - (double)g->origin[a]) / h - 0.5 - 2 * NEAR;
        double to = (s->high[a] - (double)g->origin[a]) / h - 0.5 + 2 * NEAR + (a == axis);
        int most = g->n[a] - 1 + (a == axis);
        low[a] = from < 0.0 ? 0 : from > most ? most + 1 : (int)from;
        high[a] = to < 0.0 ? -1 : to > most ? most : (int)to;
    }
}

/// The last face that is met for certain, from `face` on, which was at x: as deep as the line is
/// there, centres further on lie inside.
static int met_through(int face, double x, double deep, int last)
{
    double beyond = x + deep - (face + 0.5);
    double more = beyond < 0.0 ? 0.0 : GY_MIN(beyond + 1.0, (double)(last - face));
    return face + GY_MAX((int)more, 0);
}

/// Cells from one place to the next of an array.
static double stride_of(const gy_solid *s, const gyre_grid *g)
{
    return GY_MIN(0.5 * s->edge / (double)g->h, 0.5);
}

bool gy_thin_is_even(const gy_solid *s, const gyre_grid *g)
{
    // Sums of those are exact.
    double by = stride_of(s, g);
    return !(s->slope > 0.0) && (by == 0.5 || by == 0.25 || by == 0.125);
}

int gy_thin_next(const gy_solid *s, const gyre_grid *g, int axis, const int at[3], int last,
                 int *through)
{
    double h = (double)g->h, p[3], x = at[axis] - 0.5, end = last + 0.5;
    bool traced = s->slope > 0.0;
    double near = traced ? NEAR * h : 0.0, least = traced ? NEAR : stride_of(s, g);
    double reach = gy_solid_reach(s) / h; // cells
    for (int a = 0; a < 3; a++) {
        p[a] = a < g->dim ? (double)g->origin[a] + h * (at[a] + 0.5) : 0.0;
    }
    for (;;) {
        p[axis] = (double)g->origin[axis] + h * x;
        double d = gy_solid_distance(s, p);
        if (d <= near) {
            int face = GY_MIN((int)(x + 0.5), last);
            *through = met_through(face, x, -d * reach, last);
            return face;
        }
        if (x >= end) {
            return last + 1;
        }
        double step = traced ? d / (h * s->slope) : least, clear = x + d * reach;
        x = GY_MIN(x + GY_MAX(step, least), end);
        while (!traced && x < clear) {
            // The same places as ever, for the same bits, of which these need not be asked.
            if (x >= end) {
                return last + 1;
            }
            x = GY_MIN(x + least, end);
        }
    }
}
