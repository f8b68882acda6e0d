// model/rows.h: fields of a state as bytes, on the device's threads; see model/rows.c.
#ifndef GY_MODEL_ROWS_H
#define GY_MODEL_ROWS_H

#include "gyre/model.h"

/// Where a field of the state lies in somebody's memory: all its rows, x fastest.
typedef struct gy_field_bytes {
    int field, rows; // rows of all planes
    char *bytes;     // need not be aligned
    size_t size;     // rows times the bytes of a row
} gy_field_bytes;

/// Copies fields out of the model (`out`), or into it: what is written must fit and be finite.
void gy_copy_fields(const gyre_model *model, const gy_field_bytes *fields, int count, bool out);

/// Whether none of the samples is infinite or NaN. Takes one "field" of any floats, too.
bool gy_are_finite(const gyre_model *model, const gy_field_bytes *fields, int count);

#endif
