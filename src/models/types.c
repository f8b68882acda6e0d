// models/types.c: the one list of models. Removing a model is deleting its folder and its lines
// here.
#include "classic/model.h"
#include "gas/gas.h"
#include "model/model.h"
#include "ocean/ocean.h"
#include "water/water.h"

const gy_model_type *const gy_model_types[] = {
    &gy_gas_type, &gy_classic_type, &gy_water_type, &gy_ocean_type, NULL,
};
const char *const gy_models_apart[] = {NULL};
