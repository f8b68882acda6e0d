// vulkan/share.c: fields of a Vulkan device for a program that shares it, and for other APIs.
#include "gyre/vulkan.h"
#include "model/model.h"

static gyre_result alien(const gyre_device *device)
{
    return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                     "vulkan: the device is %s, and has no buffers to share",
                     gyre_device_name(device));
}

// Where a field lies, and the bytes of a sample; of a derived one after it was made.
static gyre_result find_field(gyre_model *model, int field, gyre_field_view *v, const void **at,
                              int *bytes)
{
    *bytes = (int)sizeof(float);
    if (model->type->map) {
        model->type->window(model, field, v);
        return gy_device_has_own_memory(model->device) ? model->type->gather(model, field, at)
                                                       : alien(model->device);
    }
    if (model->fields[field].derived) {
        if (model->derived >= 0 && model->derived != field) {
            return gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", model->fields[field].name,
                             model->fields[model->derived].name);
        }
        gyre_result r = gy_model_fresh(model);
        r = r == GYRE_OK ? gy_model_derive(model, field) : r;
        if (r != GYRE_OK) {
            return r;
        }
    }
    model->type->window(model, field, v);
    *at = model->type->place ? model->type->place(model, field, bytes) : v->data;
    return GYRE_OK;
}

static gyre_result share(gyre_model *model, int field, gyre_vulkan_field *shared)
{
    gyre_field_view v;
    gy_shared place;
    const void *at;
    int bytes;
    gyre_result result = find_field(model, field, &v, &at, &bytes);
    if (result != GYRE_OK) {
        return result;
    }
    if (!gy_device_share(model->device, at, &place)) {
        return alien(model->device);
    }
    *shared = (gyre_vulkan_field){.buffer = place.buffer,
                                  .offset = place.offset,
                                  .address = place.address,
                                  .semaphore = place.semaphore,
                                  .value = place.value,
                                  .sample_bytes = bytes};
    for (int a = 0; a < 3; a++) {
        shared->n[a] = v.n[a];
        shared->stride[a] = (int)v.stride[a];
    }
    return gy_device_status(model->device);
}

gyre_result gyre_vulkan_share(gyre_model *model, int field, gyre_vulkan_field *shared)
{
    if (gy_model_check_field("vulkan_share", model, field) != GYRE_OK ||
        GY_MISSING("vulkan_share", shared)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(model->device);
    gyre_result result = share(model, field, shared);
    gy_device_leave(model->device);
    return result;
}

gyre_result gyre_vulkan_await(gyre_device *device, uint64_t semaphore, uint64_t value)
{
    if (GY_MISSING("vulkan_await", device)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return gy_device_await(device, semaphore, value) ? GYRE_OK : alien(device);
}

// ---- for other APIs -----------------------------------------------------------------------------

struct gyre_vulkan_export {
    gyre_device *device;
    void *made; // the backend's
    uint64_t bytes;
};

gyre_result gyre_vulkan_identify(const gyre_device *device, gyre_vulkan_identity *identity)
{
    if (GY_MISSING("vulkan_identify", device) || GY_MISSING("vulkan_identify", identity)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gy_exports *exports = gy_device_exports(device);
    if (!exports) {
        return alien(device);
    }
    exports->identify(device, identity->device, identity->driver);
    return GYRE_OK;
}

// From the first of a field's own samples to its last.
static uint64_t span(const gyre_field_view *v)
{
    ptrdiff_t last = 0;
    for (int a = 0; a < 3; a++) {
        last += (v->n[a] - 1) * v->stride[a];
    }
    return sizeof(float) * ((uint64_t)last + 1);
}

gyre_result gyre_vulkan_export_size(const gyre_model *model, int field, uint64_t *bytes)
{
    gyre_field_view v;
    if (gy_model_check_field("vulkan_export_size", model, field) != GYRE_OK ||
        GY_MISSING("vulkan_export_size", bytes)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!gy_device_exports(model->device)) {
        return alien(model->device);
    }
    model->type->window(model, field, &v);
    *bytes = span(&v);
    return GYRE_OK;
}

gyre_result gyre_vulkan_export_create(gyre_device *device, uint64_t bytes,
                                      gyre_vulkan_export **made)
{
    if (GY_MISSING("vulkan_export", device) || GY_MISSING("vulkan_export", made)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (bytes == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "vulkan: memory to export has at least one byte");
    }
    const gy_exports *exports = gy_device_exports(device);
    if (!exports) {
        return alien(device);
    }
    gyre_vulkan_export *e = gy_allocate(gy_device_host(device), sizeof *e, 64);
    if (!e) {
        return GYRE_ERROR_MEMORY;
    }
    *e = (gyre_vulkan_export){.device = device, .bytes = bytes};
    gy_device_enter(device);
    gyre_result result = exports->make(device, bytes, &e->made);
    gy_device_leave(device);
    if (result != GYRE_OK) {
        gy_release(gy_device_host(device), e, sizeof *e);
        return result;
    }
    gy_device_hold(device);
    *made = e;
    return GYRE_OK;
}

void gyre_vulkan_export_destroy(gyre_vulkan_export *e)
{
    if (!e) {
        return;
    }
    gyre_device *device = e->device;
    gy_device_enter(device);
    gy_device_exports(device)->release(device, e->made);
    gy_device_leave(device);
    gy_release(gy_device_host(device), e, sizeof *e);
    gy_device_drop(device);
}

gyre_result gyre_vulkan_export_open(gyre_vulkan_export *e, int *fd, uint64_t *bytes)
{
    if (GY_MISSING("vulkan_export_open", e) || GY_MISSING("vulkan_export_open", fd) ||
        GY_MISSING("vulkan_export_open", bytes)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return gy_device_exports(e->device)->open(e->device, e->made, fd, bytes);
}

static gyre_result export_field(gyre_vulkan_export *e, uint64_t offset, gyre_model *model,
                                int field, gyre_vulkan_copy *copy)
{
    gyre_field_view v;
    const void *at;
    int sample;
    gyre_result result;
    if (model->device != e->device) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "vulkan: the model runs on another device");
    }
    model->type->window(model, field, &v);
    uint64_t bytes = span(&v);
    if (offset % 4 != 0 || offset > e->bytes || bytes > e->bytes - offset) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "vulkan: %s has %llu bytes; there is room for %llu, from byte %llu on, "
                         "which must be a multiple of 4",
                         model->fields[field].name, (unsigned long long)bytes,
                         (unsigned long long)e->bytes, (unsigned long long)offset);
    }
    result = find_field(model, field, &v, &at, &sample);
    if (result != GYRE_OK) {
        return result;
    }
    // Halves become floats where a derived field would lie.
    if (sample != (int)sizeof(float) && model->derived >= 0) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", model->fields[field].name,
                         model->fields[model->derived].name);
    }
    *copy = (gyre_vulkan_copy){.offset = offset, .bytes = bytes};
    for (int a = 0; a < 3; a++) {
        copy->n[a] = v.n[a];
        copy->stride[a] = (int)v.stride[a];
    }
    at = model->type->floats ? model->type->floats(model, field) : at;
    return gy_device_exports(e->device)->copy(e->device, e->made, offset, at, bytes,
                                              &copy->semaphore, &copy->value);
}

gyre_result gyre_vulkan_export_field(gyre_vulkan_export *e, uint64_t offset, gyre_model *model,
                                     int field, gyre_vulkan_copy *copy)
{
    if (GY_MISSING("vulkan_export_field", e) ||
        gy_model_check_field("vulkan_export_field", model, field) != GYRE_OK ||
        GY_MISSING("vulkan_export_field", copy)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(model->device);
    gyre_result result = export_field(e, offset, model, field, copy);
    gy_device_leave(model->device);
    return result;
}

gyre_result gyre_vulkan_export_wait(gyre_vulkan_export *e, uint64_t value)
{
    if (GY_MISSING("vulkan_export_wait", e)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(e->device);
    gyre_result result = gy_device_exports(e->device)->reach(e->device, value);
    gy_device_leave(e->device);
    return result;
}
