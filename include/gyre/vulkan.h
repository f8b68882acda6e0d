/// gyre/vulkan.h: fields where they lie on a Vulkan device, for a program that lent its own (see
/// gyre_vulkan_def) and draws them without a copy through the host. Needs no header of Vulkan's.
#ifndef GYRE_VULKAN_H
#define GYRE_VULKAN_H

#include "gyre/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A field of a model in the device's memory. Sample (i, j, k) is the float at
/// offset + 4 (i stride[0] + j stride[1] + k stride[2]) of the buffer, samples beside the field's
/// own being its halo. Handles are integers here: (VkBuffer)field.buffer.
typedef struct gyre_vulkan_field {
    uint64_t buffer; ///< VkBuffer: storage and transfer source; exclusive to the def's queue_family
    uint64_t offset; ///< bytes, of sample (0, 0, 0)
    uint64_t address;   ///< of the same, as VkDeviceAddress
    int n[3];           ///< samples
    int stride[3];      ///< floats
    uint64_t semaphore; ///< VkSemaphore, a timeline
    uint64_t value;     ///< when the semaphore has it, the field is there
} gyre_vulkan_field;

/// Where a field lies, derived ones included, after handing over all that the device was asked for;
/// does not wait. Good until the model is changed or stepped, for a step may put a field elsewhere;
/// derived fields until the next one is asked for. The program reads after waiting for the
/// semaphore in a submission of its own, and says by gyre_vulkan_await() when it has done so.
/// GYRE_ERROR_UNSUPPORTED: the model's device is not Vulkan. GYRE_ERROR_ARGUMENT: no such field.
GYRE_API gyre_result gyre_vulkan_share(gyre_model *model, int field, gyre_vulkan_field *shared);

/// What the device is asked for from now on begins when the program's timeline semaphore has this
/// value: the next step does not write what is still being read. One at a time: the last call
/// before a submission counts. GYRE_ERROR_UNSUPPORTED: the device is not Vulkan.
GYRE_API gyre_result gyre_vulkan_await(gyre_device *device, uint64_t semaphore, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
