// model/shift.c: a grid that stands elsewhere than the def has it: so many cells along each axis.
#include "base/maths.h"
#include "model/model.h"
#include <stddef.h>
#include <string.h>

gyre_grid gy_model_grid_at(const gyre_model *model, const int32_t moved[3])
{
    const gyre_property *p = gyre_property_find(model->type->properties, "grid");
    gyre_grid grid = *(const gyre_grid *)(const void *)((const char *)model->def + p->offset);
    for (int a = 0; a < 3; a++) {
        // 0: as the def has it, to the bit
        grid.origin[a] += (float)(moved[a] - model->place.based[a]) * grid.h;
    }
    return grid;
}

bool gy_model_has_moved(const gyre_model *model)
{
    return model->place.moved[0] != 0 || model->place.moved[1] != 0 || model->place.moved[2] != 0;
}

size_t gy_model_place_size(const gyre_model *model)
{
    static const int32_t nowhere[3];
    if (model->place.due != 0.0) {
        return sizeof model->place;
    }
    if (model->place.brought != 0.0 || memcmp(model->place.based, nowhere, sizeof nowhere) != 0) {
        return offsetof(gy_grid_place, due);
    }
    return gy_model_has_moved(model) ? sizeof model->place.moved : 0;
}

gyre_result gy_model_check_place(const char *call, const gyre_model *model, const int32_t moved[3])
{
    const char axes[] = "xyz";
    if (!model->type->shift) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: the grid of a model \"%s\" stays where it is",
                         call, model->type->name);
    }
    for (int a = 0; a < 3; a++) {
        if (a >= model->grid->dim && moved[a] != 0) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: a grid of %d dimensions has no cells along %c", call,
                             model->grid->dim, axes[a]);
        }
        if (moved[a] > GY_MOST_MOVED || moved[a] < -GY_MOST_MOVED) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: %d cells along %c from where the def has the grid, expected at "
                             "most %d",
                             call, moved[a], axes[a], GY_MOST_MOVED);
        }
    }
    return GYRE_OK;
}

gyre_result gyre_model_shift(gyre_model *model, const int32_t cells[3])
{
    if (GY_MISSING("shift", model) || GY_MISSING("shift", cells)) {
        return GYRE_ERROR_ARGUMENT;
    }
    int32_t moved[3];
    for (int a = 0; a < 3; a++) {
        int64_t to = (int64_t)model->place.moved[a] + cells[a], most = GY_MOST_MOVED + 1;
        moved[a] = (int32_t)GY_MAX(GY_MIN(to, most), -most);
    }
    gyre_result r = gy_model_check_place("shift", model, moved);
    if (r != GYRE_OK || gy_model_still(model, "shift") != GYRE_OK) {
        return r != GYRE_OK ? r : GYRE_ERROR_STATE;
    }
    if (cells[0] == 0 && cells[1] == 0 && cells[2] == 0) {
        return GYRE_OK;
    }
    gy_device_enter(model->device);
    r = gy_device_status(model->device);
    r = r == GYRE_OK ? gy_model_fresh(model) : r;
    r = r == GYRE_OK ? model->type->shift(model, cells) : r;
    r = r == GYRE_OK ? gy_device_status(model->device) : r;
    gy_device_leave(model->device);
    return r;
}
