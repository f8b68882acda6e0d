/// @file gyre/vulkan.h
/// Fields on a Vulkan device, for a program that draws them without a copy through
/// the host: where they lie, on a device that the program lent (see gyre_vulkan_def); or copied on
/// the device into memory that another API imports. Needs no header of Vulkan's.
#ifndef GYRE_VULKAN_H
#define GYRE_VULKAN_H

#include "gyre/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A field of a model in the device's memory. Sample (i, j, k) is the float, or the IEEE binary16,
/// at offset + sample_bytes (i stride[0] + j stride[1] + k stride[2]) of the buffer, samples beside
/// the field's own being its halo. Handles are integers here: (VkBuffer)field.buffer.
typedef struct gyre_vulkan_field {
    uint64_t buffer; ///< VkBuffer: storage and transfer source; exclusive to the def's queue_family
    uint64_t offset; ///< bytes, of sample (0, 0, 0)
    uint64_t address;   ///< of the same, as VkDeviceAddress
    int n[3];           ///< samples
    int stride[3];      ///< samples
    int sample_bytes;   ///< 4: floats; 2: binary16, as scalars of a gas with half_scalars are
    uint64_t semaphore; ///< VkSemaphore, a timeline
    uint64_t value;     ///< when the semaphore has it, the field is there
} gyre_vulkan_field;

/// Where a field lies, derived ones included, after handing over all that the device was asked for;
/// does not wait. Good until the model is changed or stepped, for a step may put a field elsewhere;
/// derived fields until the next one is asked for. (For the pressure of a gas whose sides are shut
/// it waits.) The program reads after waiting for the semaphore in a submission of its own, and
/// says by gyre_vulkan_await() when it has done so.
/// Of water its height, bed, displaced and surface are made in one piece when this is called; where
/// some tiles have no memory the host makes them, and waits.
/// GYRE_ERROR_UNSUPPORTED: the model's device is not Vulkan, or the field is another one of water.
/// GYRE_ERROR_ARGUMENT: no such field. GYRE_ERROR_MEMORY: there is none for such a piece.
GYRE_API gyre_result gyre_vulkan_share(gyre_model *model, int field, gyre_vulkan_field *shared);

/// What the device is asked for from now on begins when the program's timeline semaphore has this
/// value: the next step does not write what is still being read. One at a time: the last call
/// before a submission counts. GYRE_ERROR_UNSUPPORTED: the device is not Vulkan.
GYRE_API gyre_result gyre_vulkan_await(gyre_device *device, uint64_t semaphore, uint64_t value);

/// What another API compares with its own before it imports memory: both must be the same
/// (deviceUUID and driverUUID of VkPhysicalDeviceIDProperties; GL_DEVICE_UUID_EXT and
/// GL_DRIVER_UUID_EXT).
typedef struct gyre_vulkan_identity {
    uint8_t device[16]; ///< deviceUUID
    uint8_t driver[16]; ///< driverUUID
} gyre_vulkan_identity;

/// GYRE_ERROR_UNSUPPORTED: the device is not Vulkan.
GYRE_API gyre_result gyre_vulkan_identify(const gyre_device *device,
                                          gyre_vulkan_identity *identity);

/// Memory of the device's that leaves it: OpenGL imports it by GL_EXT_memory_object_fd, another
/// VkDevice by VK_KHR_external_memory_fd. An allocation of its own, dedicated to one VkBuffer,
/// whose handle type is VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT. Its functions are called as
/// the device's are, by one thread at a time, but for gyre_vulkan_export_open().
typedef struct gyre_vulkan_export gyre_vulkan_export;

/// How a field lies in such memory, once `semaphore` has the value: as in gyre_vulkan_field, with
/// the field's own samples, which are floats here in any case; what lies between rows means
/// nothing.
typedef struct gyre_vulkan_copy {
    uint64_t offset;    ///< bytes, of sample (0, 0, 0)
    uint64_t bytes;     ///< from there on
    int n[3];           ///< samples
    int stride[3];      ///< floats
    uint64_t semaphore; ///< VkSemaphore, a timeline of the device's
    uint64_t value;     ///< when the semaphore has it, the copy is there
} gyre_vulkan_copy;

/// Bytes that a copy of a field takes, as long as the model lives. GYRE_ERROR_ARGUMENT: no such
/// field. GYRE_ERROR_UNSUPPORTED: the model's device is not Vulkan.
GYRE_API gyre_result gyre_vulkan_export_size(const gyre_model *model, int field, uint64_t *bytes);

/// Memory for so many bytes. GYRE_ERROR_UNSUPPORTED: the device is not Vulkan, its driver has no
/// VK_KHR_external_memory_fd, or the program lent a device without saying that it has.
/// GYRE_ERROR_MEMORY: too little is free.
GYRE_API gyre_result gyre_vulkan_export_create(gyre_device *device, uint64_t bytes,
                                               gyre_vulkan_export **made);

/// Before the device is destroyed. What was imported of it stays with whoever did. NULL is allowed.
GYRE_API void gyre_vulkan_export_destroy(gyre_vulkan_export *e);

/// A file descriptor, another one in each call: the caller's to close, or to hand over
/// (glImportMemoryFdEXT and VkImportMemoryFdInfoKHR take it). `bytes`: of the allocation, which may
/// be more than was asked for, and which the import must name.
GYRE_API gyre_result gyre_vulkan_export_open(gyre_vulkan_export *e, int *fd, uint64_t *bytes);

/// Copies a field of a model on the same device, derived ones included, in order with its ops: what
/// the model was asked for before is in it, what comes after is not. Does not wait (but see
/// gyre_vulkan_share()); the device gets it with the next gyre_vulkan_export_wait(), step, or
/// whatever else submits. `offset`: bytes, a multiple of 4. The other API must have read what was
/// there before.
/// GYRE_ERROR_ARGUMENT: no such field, another device, no room. GYRE_ERROR_STATE: a derived field
/// is mapped, and this one is another such, or halves.
GYRE_API gyre_result gyre_vulkan_export_field(gyre_vulkan_export *e, uint64_t offset,
                                              gyre_model *model, int field, gyre_vulkan_copy *copy);

/// Hands over what was asked for and waits until the copy with this value is there.
GYRE_API gyre_result gyre_vulkan_export_wait(gyre_vulkan_export *e, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
