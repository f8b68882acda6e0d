// model/share.c: fields for a program that shares its Vulkan device.
#include "gyre/vulkan.h"
#include "model/model.h"

static gyre_result alien(const gyre_device *device)
{
    return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                     "vulkan: the device is %s, and has no buffers to share",
                     gyre_device_name(device));
}

gyre_result gyre_vulkan_share(gyre_model *model, int field, gyre_vulkan_field *shared)
{
    if (!model || !shared || field < 0 || field >= model->field_count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "vulkan: no field with index %d", field);
    }
    gyre_field_view v;
    gy_shared place;
    if (model->fields[field].derived) {
        if (model->derived >= 0 && model->derived != field) {
            return gyre_fail(GYRE_ERROR_STATE, "%s: unmap %s first", model->fields[field].name,
                             model->fields[model->derived].name);
        }
        model->type->derive(model, field);
    }
    model->type->window(model, field, &v);
    if (!gy_device_share(model->device, v.data, &place)) {
        return alien(model->device);
    }
    *shared = (gyre_vulkan_field){.buffer = place.buffer,
                                  .offset = place.offset,
                                  .address = place.address,
                                  .semaphore = place.semaphore,
                                  .value = place.value};
    for (int a = 0; a < 3; a++) {
        shared->n[a] = v.n[a];
        shared->stride[a] = (int)v.stride[a];
    }
    return gy_device_status(model->device);
}

gyre_result gyre_vulkan_await(gyre_device *device, uint64_t semaphore, uint64_t value)
{
    return gy_device_await(device, semaphore, value) ? GYRE_OK : alien(device);
}
