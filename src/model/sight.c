// model/sight.c: fields along segments: the integral of q ds, and exp(-a of it).
//
// Between two planes of samples the interpolant along a segment is a polynomial of degree dim, at
// most 3, and two points of Gauss give its integral exactly. So a segment is cut where it crosses
// the planes through samples, and each piece has two points between the same 2^dim samples. (Beside
// sheets what is left out changes with the cell: there it is a quadrature of second order.) Walls
// are looked for from cell to cell: J. Amanatides, A. Woo, A fast voxel traversal algorithm for ray
// tracing, Eurographics 1987.
//
// Segments go in lanes beside each other, in legs of at most LEG cells along an axis. Where a leg
// begins and ends is found in doubles; how many planes it crosses along each axis is the difference
// of those two cells, so that rounding can neither leave out a face nor end anywhere else, and
// within a leg floats are good to LEG / 2^24 of a cell. No lane asks what another does.
//
// Cost: 3 to 5 ns for each piece, dim pieces a cell at most; among walls as much again for each
// cell (`gyre bench game`).
#include "model/sight.h"
#include "base/maths.h"
#include "model/isa.h"
#include <string.h>

static gyre_result check(const gyre_model *model, float absorption, const float *segments,
                         int count)
{
    if (!gy_is_finite(absorption) || absorption < 0.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sight: an absorption of %g, expected a finite one of at least 0",
                         (double)absorption);
    }
    for (int q = 0; q < count; q++) {
        for (int a = 0; a < model->grid->dim; a++) {
            if (!gy_is_finite(segments[6 * q + a]) || !gy_is_finite(segments[6 * q + 3 + a])) {
                return gyre_fail(GYRE_ERROR_ARGUMENT, "sight: segment %d is not finite", q);
            }
        }
    }
    return GYRE_OK;
}

gyre_result gyre_model_sight(const gyre_model *model, int field, float absorption, bool walls,
                             const float *segments, int count, gyre_sight *sights)
{
    if (gy_model_check_field("sight", model, field) != GYRE_OK ||
        (count > 0 && (GY_MISSING("sight", segments) || GY_MISSING("sight", sights)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = check(model, absorption, segments, count);
    r = r == GYRE_OK ? gy_source_check(model, field) : r;
    if (r != GYRE_OK || count <= 0) {
        return r;
    }
    gy_sight b;
    b.grid = model->grid;
    b.kernels = gy_asked_of(model->device);
    b.absorption = absorption;
    b.walls = walls;
    b.legs.used = 0;
    gyre_location location = model->fields[field].location;
    for (int a = 0; a < 3; a++) {
        bool across = location == GYRE_NODE || (int)location == (int)GYRE_FACE_X + a;
        b.place[a] = across ? 0.0 : 0.5;
    }
    b.around = gy_source_around(model);
    r = gy_source_open(&b.source, model, field);
    for (int q = 0; q < count && r == GYRE_OK; q += GY_SEGMENTS) {
        r = b.kernels->look(&b, segments + (ptrdiff_t)6 * q, GY_MIN(count - q, GY_SEGMENTS),
                            &sights[q]);
    }
    gy_source_close(&b.source);
    return r;
}
