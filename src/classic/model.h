// classic/model.h: the inside of the model "classic".
#ifndef GY_CLASSIC_MODEL_H
#define GY_CLASSIC_MODEL_H

#include "gyre/classic_model.h"
#include "model/model.h"

extern const gy_model_type gy_classic_type;

// def.c
gyre_result gy_classic_check(const void *def);
void gy_classic_default(int dim, void *def);

#endif
