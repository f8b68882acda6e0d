// model/mean.c: fields over regions: sum over cells of w q and of w, w the part of a cell that is
// inside.
//
//   box      the part, exactly: a product of lengths
//   sphere   R + 1/2 - sqrt(r^2 + (dim - 1) / 12), cut to 0 .. 1, lengths in cells: how far the
//            mean point of a cell's section is inside of it. Their sum is the ball's volume to
//            second order; up to SMALL cells of radius those less than 1 are made to fit it
//   others   1/2 - distance of the cell's centre, cut to 0 .. 1
//
// A cell's value is its sample, or the mean of those at its faces or corners. First order at the
// region's rim, as what is within a cell is not known; whole cells are summed as they are, so that
// regions side by side have their sum. isa/regions.c sums, in 16 columns whatever the machine: in
// floats over 32 rows at most, then in doubles.
//
// Cost: some 60 ns, and 4 ns a row of a box up to 16 cells long, 6 of a ball (`gyre bench game`).
#include "model/mean.h"
#include "model/isa.h"
#include "shape/shape.h"
#include <stdio.h>

gyre_result gyre_model_mean(const gyre_model *model, int field, const gyre_shape *regions,
                            int count, gyre_mean *means)
{
    gy_mean_job b;
    if (gy_model_check_field("mean", model, field) != GYRE_OK ||
        (count > 0 && (GY_MISSING("mean", regions) || GY_MISSING("mean", means)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int q = 0; q < count; q++) {
        // What it is called is written down where it is told alone: that takes as long as a mean.
        if (gy_shape_check(&regions[q], model->grid->dim, "mean: regions") != GYRE_OK) {
            char path[32];
            snprintf(path, sizeof path, "mean: regions.%d", q);
            gy_shape_check(&regions[q], model->grid->dim, path);
            return GYRE_ERROR_ARGUMENT;
        }
    }
    gyre_result r = gy_source_check(model, field);
    if (r != GYRE_OK || count <= 0) {
        return r;
    }
    b.grid = model->grid;
    b.location = model->fields[field].location;
    b.around = gy_source_around(model);
    r = gy_source_open(&b.source, model, field);
    r = r == GYRE_OK ? gy_asked_of(model->device)->means(&b, regions, count, means) : r;
    gy_source_close(&b.source);
    return r;
}
