// model/window.c: fields as others see them: through windows, as sums and as a hash.
#include "base/base.h"
#include "model/model.h"
#include <assert.h>
#include <string.h>

static uint64_t bit_of(int field)
{
    assert(field < 64);
    return (uint64_t)1 << field;
}

static gyre_result closed(const gyre_model *model, const char *call, bool writing)
{
    uint64_t open = writing ? model->writing : model->open;
    for (int f = 0; f < model->field_count; f++) {
        if (open & bit_of(f)) {
            return gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", call, model->fields[f].name);
        }
    }
    const gy_particles *set = gy_model_open_particles(model, writing);
    return set ? gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", call, set->info.name) : GYRE_OK;
}

gyre_result gy_model_still(const gyre_model *model, const char *call)
{
    return closed(model, call, false);
}

gyre_result gy_model_whole(const gyre_model *model, const char *call)
{
    return closed(model, call, true);
}

void gy_model_window(const gyre_model *model, int field, gyre_field_view *view)
{
    // What is open the host has already, and may be writing.
    if (model->type->fetch && !(model->open & bit_of(field))) {
        model->type->fetch(model, field);
    }
    model->type->window(model, field, view);
}

gyre_result gy_model_derive(gyre_model *model, int field)
{
    gyre_result r = model->type->derives ? model->type->derives(model, field) : GYRE_OK;
    if (r == GYRE_OK) {
        model->type->derive(model, field);
    }
    return r;
}

static uint64_t hash_window(const gyre_field_view *v)
{
    uint64_t hash = 0;
    for (int k = 0; k < v->n[2]; k++) {
        for (int j = 0; j < v->n[1]; j++) {
            const float *row = v->data + j * v->stride[1] + k * v->stride[2];
            hash = gy_hash(row, (size_t)v->n[0] * sizeof *row, hash);
        }
    }
    return hash;
}

static gyre_result may_map(const gyre_model *model, int field, gyre_access access)
{
    const char *name = model->fields[field].name;
    bool derived = model->fields[field].derived;
    if (access != GYRE_READ && access != GYRE_WRITE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: map it with GYRE_READ or GYRE_WRITE", name);
    }
    if (derived && access == GYRE_WRITE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: is made from other fields, to be read only",
                         name);
    }
    if (model->open & bit_of(field)) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: is mapped already; unmap it first", name);
    }
    if (derived && model->derived >= 0) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", name,
                         model->fields[model->derived].name);
    }
    // It is made from what is being written.
    return derived ? gy_model_whole(model, name) : GYRE_OK;
}

static gyre_result map(gyre_model *model, int field, gyre_access access, gyre_field_view *view)
{
    gyre_result r = may_map(model, field, access);
    if (r == GYRE_OK) {
        r = gy_device_status(model->device);
    }
    if (r == GYRE_OK) {
        r = gy_model_fresh(model);
    }
    if (r == GYRE_OK && model->type->map) {
        r = model->type->map(model, field);
    }
    if (r != GYRE_OK) {
        return r;
    }
    if (model->fields[field].derived) {
        r = gy_model_derive(model, field);
    }
    if (r != GYRE_OK) {
        return r;
    }
    gy_model_window(model, field, view);
    r = gy_device_status(model->device);
    if (r != GYRE_OK) {
        return r;
    }
    model->open |= bit_of(field);
    if (model->fields[field].derived) {
        model->derived = field;
    }
    if (access == GYRE_WRITE) {
        model->writing |= bit_of(field);
        model->seen[field] = hash_window(view);
    }
    return GYRE_OK;
}

gyre_result gyre_model_map(gyre_model *model, int field, gyre_access access, gyre_field_view *view)
{
    gyre_result r = gy_model_check_field("map", model, field);
    if (r != GYRE_OK || GY_MISSING("map", view)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(model->device);
    r = map(model, field, access, view);
    gy_device_leave(model->device);
    return r;
}

static gyre_result unmap(gyre_model *model, int field)
{
    gyre_field_view v;
    int64_t bad = 0;
    bool writing = model->writing & bit_of(field);
    if (!(model->open & bit_of(field))) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: is not mapped", model->fields[field].name);
    }
    model->open &= ~bit_of(field);
    model->writing &= ~bit_of(field);
    model->derived = model->derived == field ? -1 : model->derived;
    model->type->window(model, field, &v);
    // To write what was there is to write nothing. (A gathered window is apart from the state.)
    if (!writing || hash_window(&v) == model->seen[field]) {
        return GYRE_OK;
    }
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            float *row = v.data + j * v.stride[1] + k * v.stride[2];
            for (int i = 0; i < v.n[0]; i++) {
                if (!gy_is_finite(row[i])) {
                    row[i] = 0.0f;
                    bad++;
                }
            }
        }
    }
    gyre_result r = GYRE_OK;
    if (model->type->unmap) {
        r = model->type->unmap(model, field);
    } else {
        model->type->written(model, field);
    }
    if (bad) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %lld samples were not finite and are 0 now",
                         model->fields[field].name, (long long)bad);
    }
    return r;
}

gyre_result gyre_model_unmap(gyre_model *model, int field)
{
    gyre_result r = gy_model_check_field("unmap", model, field);
    if (r == GYRE_OK) {
        gy_device_enter(model->device);
        r = unmap(model, field);
        gy_device_leave(model->device);
    }
    return r;
}

gyre_result gyre_model_splat(gyre_model *model, int field, const float centre[3], float radius,
                             float amount)
{
    gyre_result r = gy_model_check_field("splat", model, field);
    if (r != GYRE_OK || GY_MISSING("splat", centre)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (model->fields[field].derived) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: is derived from other fields",
                         model->fields[field].name);
    }
    bool finite = gy_is_finite(radius) && gy_is_finite(amount);
    for (int a = 0; a < model->grid->dim; a++) {
        finite = finite && gy_is_finite(centre[a]);
    }
    if (!finite || !(radius > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "splat: centre and amount must be finite and radius above 0");
    }
    if (gy_model_still(model, "splat") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    r = gy_model_fresh(model);
    r = r == GYRE_OK ? model->type->splat(model, field, centre, radius, amount) : r;
    gy_device_leave(model->device);
    return r;
}

double gyre_model_total(const gyre_model *model, int field)
{
    if (gy_model_check_field("total", model, field) != GYRE_OK ||
        gy_model_whole(model, "total") != GYRE_OK) {
        return 0.0;
    }
    gy_device_enter(model->device);
    double total = gy_model_is_fresh(model) ? model->type->total(model, field) : 0.0;
    gy_device_leave(model->device);
    return total;
}

static uint64_t hash_state(const gyre_model *model)
{
    uint64_t hash = gy_hash(&model->time, sizeof model->time, 0);
    hash = gy_hash(&model->steps, sizeof model->steps, hash);
    for (int f = 0; f < model->field_count; f++) {
        if (model->fields[f].derived) {
            continue;
        }
        gyre_field_view v;
        float row[GY_MOST_SAMPLES];
        gy_model_window(model, f, &v);
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                const float *at = row;
                if (model->type->read_row) {
                    model->type->read_row(model, f, j, k, row);
                } else {
                    at = v.data + j * v.stride[1] + k * v.stride[2];
                }
                hash = gy_hash(at, (size_t)v.n[0] * sizeof(float), hash);
            }
        }
    }
    if (model->type->keep) {
        model->type->keep((gyre_model *)(uintptr_t)model);
    }
    size_t place = gy_model_place_size(model);
    hash = place > 0 ? gy_hash(&model->place, place, hash) : hash;
    hash = gy_extra_hash(model, hash);
    for (int s = 0; s < model->particle_sets; s++) {
        hash = gy_particles_hash(model->device, &model->particles[s], hash);
    }
    return hash;
}

uint64_t gyre_model_hash(const gyre_model *model)
{
    if (GY_MISSING("hash", model) || gy_model_whole(model, "hash") != GYRE_OK) {
        return 0;
    }
    gy_device_enter(model->device);
    uint64_t hash = hash_state(model);
    gy_device_leave(model->device);
    return hash;
}
