// plane/models.c: the list of models, and what stands in place of those that are missing.
#include "classic/model.h"
#include "gas/gas.h"
#include "gyre/sea.h"
#include "gyre/water.h"
#include "gyre/wind.h"
#include "plane/plane.h"

const gy_model_type *const gy_model_types[] = {&gy_gas_type, &gy_classic_type, NULL};
const char *const gy_models_apart[] = {"water", "ocean", NULL};

gyre_result gy_plane_lacks(const char *what)
{
    return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: it has no %s, which the whole one has",
                     GY_PLANE_ONLY, what);
}

gyre_water *gyre_water_of(gyre_model *model)
{
    (void)model;
    return NULL;
}

gyre_result gyre_water_nest(gyre_water *fine, gyre_water *coarse)
{
    (void)fine;
    (void)coarse;
    return gy_plane_lacks("water");
}

gyre_result gyre_sea_join(gyre_model *water, gyre_model *ocean)
{
    (void)water;
    (void)ocean;
    return gy_plane_lacks("sea");
}

gyre_result gyre_wind_blow(gyre_model *gas, gyre_model *water, float drag, float dt)
{
    (void)gas;
    (void)water;
    (void)drag;
    (void)dt;
    return gy_plane_lacks("water under a wind");
}
