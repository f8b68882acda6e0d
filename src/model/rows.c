// model/rows.c: all fields of a state out of the model into bytes, or into the model, and whether
// bytes hold finite floats, on the device's threads.
//
// A field is cut into bands of whole rows; a band is one task. Which thread takes which band is
// left to the device: no two write the same bytes, so the result is the same. Costs as much as the
// memory that is moved, over the threads that there are; less than a megabyte goes on one.
#include "model/rows.h"
#include "base/simd.h"
#include "model/model.h"
#include <string.h>

/// Rows of a band are a multiple of BAND, so that the bands of a field in tiles share no tile.
enum { BAND = 64, MOST_BANDS = 8, MOST_FIELDS = 64, WORTH = 1 << 20 };

typedef struct band {
    int field, low, high; // rows, counted through all planes
    char *bytes;          // of its first row
    size_t size;
    bool finite;
} band;

typedef struct job {
    const gyre_model *model;
    bool out;
    band *bands;
} job;

static bool is_worth_it(const gyre_model *model, size_t bytes)
{
    return bytes >= WORTH && gyre_device_threads(model->device) != 1;
}

static bool all_finite(const char *floats, size_t count)
{
    vi bad = gy_splat_int(0);
    size_t i = 0;
    for (; i + VW <= count; i += VW) {
        vi bits;
        memcpy(&bits, floats + i * sizeof(float), sizeof bits);
        bad |= (vi)((bits & 0x7f800000) == 0x7f800000);
    }
    bool finite = true;
    for (int l = 0; l < VW; l++) {
        finite = finite && !bad[l];
    }
    for (; i < count && finite; i++) {
        float x;
        memcpy(&x, floats + i * sizeof x, sizeof x);
        finite = gy_is_finite(x);
    }
    return finite;
}

/// A row of a field that is not in memory as it is seen. The caller's bytes need not be aligned.
static void copy_kept_row(const gyre_model *model, int f, int j, int k, char *bytes, size_t row,
                          bool out)
{
    float values[GY_MOST_SAMPLES];
    bool aligned = (uintptr_t)bytes % sizeof(float) == 0;
    float *at = aligned ? (float *)(void *)bytes : values;
    if (out) {
        model->type->read_row(model, f, j, k, at);
        memcpy(bytes, at, aligned ? 0 : row);
    } else {
        memcpy(values, bytes, aligned ? 0 : row);
        model->type->write_row((gyre_model *)(uintptr_t)model, f, j, k, at);
    }
}

static void copy_rows(const gyre_model *model, const gyre_field_view *v, const band *b, bool out)
{
    size_t row = (size_t)v->n[0] * sizeof(float);
    char *bytes = b->bytes;
    for (int r = b->low; r < b->high; r++, bytes += row) {
        int j = r % v->n[1], k = r / v->n[1];
        if (model->type->read_row) {
            copy_kept_row(model, b->field, j, k, bytes, row, out);
            continue;
        }
        char *at = (char *)(v->data + j * v->stride[1] + k * v->stride[2]);
        memcpy(out ? bytes : at, out ? at : bytes, row);
    }
}

static void view_of(const gyre_model *model, int f, bool out, gyre_field_view *v)
{
    if (out) {
        gy_model_window(model, f, v);
    } else {
        model->type->window(model, f, v);
    }
}

static void copy_band(void *argument, int i)
{
    const job *a = argument;
    gyre_field_view v;
    a->model->type->window(a->model, a->bands[i].field, &v);
    copy_rows(a->model, &v, &a->bands[i], a->out);
}

static void check_band(void *argument, int i)
{
    band *b = ((const job *)argument)->bands + i;
    b->finite = all_finite(b->bytes, b->size / sizeof(float));
}

/// Cuts rows [0, rows) into bands behind the ones that there are.
static int cut(band *bands, int count, const band *whole, int rows)
{
    int each = (rows + MOST_BANDS - 1) / MOST_BANDS;
    each = (each + BAND - 1) / BAND * BAND;
    size_t row = whole->high > whole->low ? whole->size / (size_t)(whole->high - whole->low) : 0;
    for (int low = 0; low < rows; low += each) {
        band *b = &bands[count++];
        *b = *whole;
        b->low = low;
        b->high = GY_MIN(low + each, rows);
        b->bytes = whole->bytes + row * (size_t)low;
        b->size = row * (size_t)(b->high - b->low);
    }
    return count;
}

static band whole_field(const gy_field_bytes *f)
{
    return (band){.field = f->field, .high = f->rows, .bytes = f->bytes, .size = f->size};
}

void gy_copy_fields(const gyre_model *model, const gy_field_bytes *fields, int count, bool out)
{
    band bands[MOST_FIELDS * MOST_BANDS];
    job all = {model, out, bands};
    int n = 0;
    size_t bytes = 0;
    for (int f = 0; f < count; f++) {
        bytes += fields[f].size;
    }
    bool shared = is_worth_it(model, bytes) && count <= MOST_FIELDS;
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
        band whole = whole_field(&fields[f]);
        int rows = !shared                    ? 0
                   : model->type->shared_rows ? model->type->shared_rows(model, whole.field, out)
                                              : whole.high;
        view_of(model, whole.field, out, &v);
        n = cut(bands, n, &whole, rows);
        whole.bytes += rows * (ptrdiff_t)v.n[0] * (ptrdiff_t)sizeof(float);
        whole.low = rows;
        copy_rows(model, &v, &whole, out);
    }
    if (n > 0) {
        gyre_device_parallel_for(model->device, n, copy_band, &all);
    }
}

bool gy_are_finite(const gyre_model *model, const gy_field_bytes *fields, int count)
{
    band bands[MOST_FIELDS * MOST_BANDS];
    job all = {model, false, bands};
    int n = 0;
    size_t bytes = 0;
    for (int f = 0; f < count; f++) {
        bytes += fields[f].size;
    }
    bool shared = is_worth_it(model, bytes) && count <= MOST_FIELDS, finite = true;
    for (int f = 0; f < count; f++) {
        band whole = whole_field(&fields[f]);
        if (shared) {
            n = cut(bands, n, &whole, whole.high);
        } else {
            finite = finite && all_finite(whole.bytes, whole.size / sizeof(float));
        }
    }
    if (n > 0) {
        gyre_device_parallel_for(model->device, n, check_band, &all);
    }
    for (int b = 0; b < n; b++) {
        finite = finite && bands[b].finite;
    }
    return finite;
}
