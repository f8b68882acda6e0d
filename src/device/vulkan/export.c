// Memory that another API imports by a file descriptor: an allocation and a buffer of its own, into
// which the device copies in order with ops.
#include <string.h>

#include "device/vulkan/vulkan.h"

typedef struct export
{
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint64_t bytes, allocated;
}
export;

static gyre_result fill_export(gy_vulkan *v, export *e)
{
    uint32_t type;
    gyre_result result = gy_vulkan_memory_type(v, UINT32_MAX, e->bytes,
                                               VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, &type);
    if (result != GYRE_OK)
        return result;
    const VkExternalMemoryHandleTypeFlags kind = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = kind};
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .pNext = &external,
                               .size = e->bytes,
                               .usage = GY_EXPORT_USAGE,
                               .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    VkResult made = v->call.vkCreateBuffer(v->logical, &info, NULL, &e->buffer);
    if (made != VK_SUCCESS) {
        e->buffer = VK_NULL_HANDLE;
        return gy_vulkan_error("a buffer to export", made);
    }
    VkMemoryRequirements needs;
    v->call.vkGetBufferMemoryRequirements(v->logical, e->buffer, &needs);
    result = gy_vulkan_memory_type(v, needs.memoryTypeBits, needs.size,
                                   VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, &type);
    if (result != GYRE_OK)
        return result;
    // Dedicated, for there are drivers that export nothing else.
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = e->buffer};
    VkExportMemoryAllocateInfo exported = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                           .pNext = &dedicated,
                                           .handleTypes = kind};
    VkMemoryAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &exported,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = type};
    made = v->call.vkAllocateMemory(v->logical, &take, NULL, &e->memory);
    if (made != VK_SUCCESS) {
        e->memory = VK_NULL_HANDLE;
        return gy_vulkan_error("memory to export", made);
    }
    e->allocated = needs.size;
    made = v->call.vkBindBufferMemory(v->logical, e->buffer, e->memory, 0);
    return made == VK_SUCCESS ? GYRE_OK : gy_vulkan_error("memory to export", made);
}

static void export_release(gyre_device *device, void *made)
{
    gy_vulkan *v = device->state;
    export *e = made;
    // A copy into it may be under way.
    gy_vulkan_submit(v);
    gy_vulkan_wait(v, v->submitted);
    v->call.vkDestroyBuffer(v->logical, e->buffer, NULL);
    v->call.vkFreeMemory(v->logical, e->memory, NULL);
    gy_release(&device->host, e, sizeof *e);
}

static gyre_result export_make(gyre_device *device, uint64_t bytes, void **made)
{
    gy_vulkan *v = device->state;
    if (!v->exports)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         v->owned
                             ? "vulkan: %s lacks VK_KHR_external_memory_fd: it exports no memory"
                             : "vulkan: %s: the program's device was not said to have "
                               "VK_KHR_external_memory_fd (external_memory_fd)",
                         v->name);
    if (v->failed != GYRE_OK)
        return gyre_fail(v->failed, "%s", v->message);
    export *e = gy_allocate(&device->host, sizeof *e, 64);
    if (!e)
        return GYRE_ERROR_MEMORY;
    *e = (export){.bytes = bytes};
    gyre_result result = fill_export(v, e);
    if (result != GYRE_OK)
        export_release(device, e);
    else
        *made = e;
    return result;
}

static gyre_result export_open(gyre_device *device, void *made, int *fd, uint64_t *bytes)
{
    gy_vulkan *v = device->state;
    const export *e = made;
    VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                 .memory = e->memory,
                                 .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkResult result = v->call.vkGetMemoryFdKHR(v->logical, &info, fd);
    if (result != VK_SUCCESS)
        return gy_vulkan_error("a file descriptor of memory", result);
    *bytes = e->allocated;
    return GYRE_OK;
}

static gyre_result export_copy(gyre_device *device, void *made, uint64_t offset, const void *at,
                               uint64_t bytes, uint64_t *semaphore, uint64_t *value)
{
    gy_vulkan *v = device->state;
    const export *e = made;
    const gy_stretch *s = gy_vulkan_find(v, at, bytes);
    VkCommandBuffer commands = s ? gy_vulkan_record(v) : VK_NULL_HANDLE;
    if (!s)
        return gyre_fail(GYRE_ERROR_STATE, "vulkan: a copy of memory that is not the device's");
    if (!commands)
        return gyre_fail(v->failed, "%s", v->message);
    uint64_t first = s->offset + (uint64_t)((const uint8_t *)at - s->host);
    VkBufferCopy region = {first, offset, bytes};
    gy_vulkan_order(v, VK_PIPELINE_STAGE_TRANSFER_BIT);
    v->call.vkCmdCopyBuffer(commands, v->chunks[s->chunk].buffer, e->buffer, 1, &region);
    // To the other API. It comes back without a word, for what is in it is written over.
    VkBufferMemoryBarrier leave = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .srcQueueFamilyIndex = v->family,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL,
                                   .buffer = e->buffer,
                                   .offset = offset,
                                   .size = bytes};
    v->call.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 1, &leave, 0,
                                 NULL);
    *semaphore = (uint64_t)(uintptr_t)v->timeline;
    *value = v->submitted + 1;
    return GYRE_OK;
}

static gyre_result export_reach(gyre_device *device, uint64_t value)
{
    gy_vulkan *v = device->state;
    if (value > v->submitted)
        gy_vulkan_submit(v);
    if (v->failed == GYRE_OK && value > v->submitted)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "vulkan: nothing was asked for that ends with %llu",
                         (unsigned long long)value);
    gy_vulkan_wait(v, GY_MIN(value, v->submitted));
    return v->failed == GYRE_OK ? GYRE_OK : gyre_fail(v->failed, "%s", v->message);
}

static void export_identify(const gyre_device *device, uint8_t unit[16], uint8_t driver[16])
{
    const gy_vulkan *v = device->state;
    memcpy(unit, v->unit, sizeof v->unit);
    memcpy(driver, v->driver, sizeof v->driver);
}

const gy_exports gy_vulkan_exports = {.make = export_make,
                                      .release = export_release,
                                      .open = export_open,
                                      .copy = export_copy,
                                      .reach = export_reach,
                                      .identify = export_identify};
