// Memory of the Vulkan device: few large chunks, stretches of which models get. Each stretch has a
// copy in the host's address space that costs nothing until it is touched.
#include <string.h>

#include "base/os.h"
#include "device/vulkan/vulkan.h"

enum { ALIGNMENT = 4096 };

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int find_type(const gy_vulkan *v, uint32_t types, VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < v->memory.memoryTypeCount; i++) {
        if ((types >> i & 1u) && (v->memory.memoryTypes[i].propertyFlags & flags) == flags)
            return (int)i;
    }
    return -1;
}

// Free bytes of a heap; the whole heap where the driver does not say.
static uint64_t free_bytes(const gy_vulkan *v, uint32_t heap)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = v->budget ? &budget : NULL};
    v->memory_properties(v->physical, &properties);
    uint64_t size = properties.memoryProperties.memoryHeaps[heap].size;
    if (!v->budget)
        return size;
    uint64_t most = budget.heapBudget[heap], used = budget.heapUsage[heap];
    return most > used ? most - used : 0;
}

static gyre_result too_little(const gy_vulkan *v, uint64_t bytes, uint64_t left)
{
    return gyre_fail(GYRE_ERROR_MEMORY,
                     "vulkan: %s has too little memory: %llu bytes are needed, %llu are %s",
                     v->name, (unsigned long long)bytes, (unsigned long long)left,
                     v->budget ? "free" : "there in all");
}

gyre_result gy_vulkan_memory_type(const gy_vulkan *v, uint32_t types, uint64_t bytes,
                                  VkMemoryPropertyFlags want, VkMemoryPropertyFlags like,
                                  uint32_t *type)
{
    int found = find_type(v, types, want | like);
    if (found < 0)
        found = find_type(v, types, want);
    if (found < 0)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "vulkan: %s has no memory of the kind 0x%x",
                         v->name, (unsigned)want);
    *type = (uint32_t)found;
    uint64_t left = free_bytes(v, v->memory.memoryTypes[found].heapIndex);
    return bytes > left ? too_little(v, bytes, left) : GYRE_OK;
}

// One allocation. `whole` is what was asked for, for the message.
static gyre_result take_part(gy_vulkan *v, uint32_t type, uint64_t bytes, uint64_t whole,
                             VkDeviceMemory *memory)
{
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &flags,
                                 .allocationSize = bytes,
                                 .memoryTypeIndex = type};
    VkResult result = v->call.vkAllocateMemory(v->logical, &info, NULL, memory);
    if (result == VK_SUCCESS)
        return GYRE_OK;
    *memory = VK_NULL_HANDLE;
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
        return too_little(v, whole, free_bytes(v, v->memory.memoryTypes[type].heapIndex));
    return gy_vulkan_error("memory", result);
}

static gyre_result bind_whole(gy_vulkan *v, gy_vulkan_buffer *b, bool mapped)
{
    VkResult result = v->call.vkBindBufferMemory(v->logical, b->buffer, b->memory[0], 0);
    if (result == VK_SUCCESS && mapped)
        result =
            v->call.vkMapMemory(v->logical, b->memory[0], 0, VK_WHOLE_SIZE, 0, (void **)&b->mapped);
    return result == VK_SUCCESS ? GYRE_OK : gy_vulkan_error("memory", result);
}

// A buffer whose parts are allocations of their own; its addresses are without a gap.
static gyre_result bind_parts(gy_vulkan *v, const VkSparseMemoryBind *binds, uint32_t count,
                              VkBuffer buffer)
{
    VkFenceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkSparseBufferMemoryBindInfo memory = {buffer, count, binds};
    VkBindSparseInfo info = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &memory};
    VkFence fence;
    VkResult result = v->call.vkCreateFence(v->logical, &made, NULL, &fence);
    if (result != VK_SUCCESS)
        return gy_vulkan_error("a fence", result);
    result = v->call.vkQueueBindSparse(v->queue, 1, &info, fence);
    if (result == VK_SUCCESS)
        result = v->call.vkWaitForFences(v->logical, 1, &fence, VK_TRUE, UINT64_MAX);
    v->call.vkDestroyFence(v->logical, fence, NULL);
    return result == VK_SUCCESS ? GYRE_OK : gy_vulkan_error("memory in parts", result);
}

static gyre_result take_parts(gy_vulkan *v, uint32_t type, const VkMemoryRequirements *needs,
                              gy_vulkan_buffer *b)
{
    VkSparseMemoryBind binds[GY_MEMORY_PARTS];
    uint64_t most = v->most_memory / needs->alignment * needs->alignment;
    uint32_t count = 0;
    for (uint64_t at = 0; at < needs->size; at += most, count++) {
        uint64_t bytes = GY_MIN(most, needs->size - at);
        if (count == GY_MEMORY_PARTS)
            return gyre_fail(GYRE_ERROR_MEMORY, "vulkan: %llu bytes are more than %d parts of %llu",
                             (unsigned long long)needs->size, GY_MEMORY_PARTS,
                             (unsigned long long)most);
        gyre_result result = take_part(v, type, bytes, needs->size, &b->memory[count]);
        if (result != GYRE_OK)
            return result;
        binds[count] =
            (VkSparseMemoryBind){.resourceOffset = at, .size = bytes, .memory = b->memory[count]};
    }
    return bind_parts(v, binds, count, b->buffer);
}

static gyre_result take_memory(gy_vulkan *v, VkMemoryPropertyFlags want, VkMemoryPropertyFlags like,
                               bool parts, gy_vulkan_buffer *b)
{
    VkMemoryRequirements needs;
    v->call.vkGetBufferMemoryRequirements(v->logical, b->buffer, &needs);
    uint32_t type;
    gyre_result result =
        gy_vulkan_memory_type(v, needs.memoryTypeBits, needs.size, want, like, &type);
    if (result != GYRE_OK)
        return result;
    if (parts)
        return take_parts(v, type, &needs, b);
    result = take_part(v, type, needs.size, needs.size, &b->memory[0]);
    return result == GYRE_OK ? bind_whole(v, b, want & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
                             : result;
}

gyre_result gy_vulkan_buffer_make(gy_vulkan *v, uint64_t bytes, VkMemoryPropertyFlags want,
                                  VkMemoryPropertyFlags like, gy_vulkan_buffer *buffer)
{
    *buffer = (gy_vulkan_buffer){.bytes = bytes};
    uint32_t type;
    gyre_result result = gy_vulkan_memory_type(v, UINT32_MAX, bytes, want, like, &type);
    if (result != GYRE_OK)
        return result;
    // Without parts the driver may still give more at once than it promises.
    bool parts = bytes > v->most_memory && v->sparse;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = parts ? VK_BUFFER_CREATE_SPARSE_BINDING_BIT : 0u,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 (v->conditional ? VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT : 0u),
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    VkResult made = v->call.vkCreateBuffer(v->logical, &info, NULL, &buffer->buffer);
    if (made != VK_SUCCESS) {
        buffer->buffer = VK_NULL_HANDLE;
        return gy_vulkan_error("a buffer", made);
    }
    result = take_memory(v, want, like, parts, buffer);
    if (result != GYRE_OK) {
        gy_vulkan_buffer_free(v, buffer);
        return result;
    }
    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = buffer->buffer};
    buffer->address = v->call.vkGetBufferDeviceAddress(v->logical, &address);
    return GYRE_OK;
}

void gy_vulkan_buffer_free(gy_vulkan *v, gy_vulkan_buffer *buffer)
{
    v->call.vkDestroyBuffer(v->logical, buffer->buffer, NULL);
    for (int i = 0; i < GY_MEMORY_PARTS; i++)
        v->call.vkFreeMemory(v->logical, buffer->memory[i], NULL);
    *buffer = (gy_vulkan_buffer){0};
}

// Room for one more entry of an array.
static bool make_room(gy_vulkan *v, void **array, int *room, int count, size_t size)
{
    if (count < *room)
        return true;
    const gyre_host *host = &v->device->host;
    int more = GY_MAX(16, 2 * *room);
    void *larger = gy_allocate(host, (size_t)more * size, 64);
    if (!larger)
        return false;
    if (*array)
        memcpy(larger, *array, (size_t)count * size);
    gy_release(host, *array, (size_t)*room * size);
    *array = larger;
    *room = more;
    return true;
}

// The first gap of a chunk, or its end.
static uint64_t find_gap(const gy_vulkan *v, int chunk, uint64_t bytes)
{
    uint64_t at = 0;
    for (int i = 0; i < v->stretch_count;) {
        const gy_stretch *s = &v->stretches[i];
        if (s->chunk == chunk && s->offset < at + bytes && at < s->offset + round_up(s->bytes)) {
            at = s->offset + round_up(s->bytes);
            i = 0;
        } else {
            i++;
        }
    }
    return at;
}

static gyre_result find_place(gy_vulkan *v, uint64_t bytes, gy_stretch *s)
{
    int empty = -1;
    for (int c = 0; c < v->chunk_count; c++) {
        if (!v->chunks[c].buffer) {
            empty = c;
            continue;
        }
        uint64_t at = find_gap(v, c, bytes);
        if (at + bytes <= v->chunks[c].bytes) {
            *s = (gy_stretch){.chunk = c, .offset = at, .bytes = bytes};
            return GYRE_OK;
        }
    }
    if (empty < 0) {
        if (!make_room(v, (void **)&v->chunks, &v->chunk_room, v->chunk_count, sizeof *v->chunks))
            return GYRE_ERROR_MEMORY;
        empty = v->chunk_count++;
        v->chunks[empty] = (gy_vulkan_buffer){0};
    }
    uint64_t size = bytes > GY_CHUNK_BYTES / 4 ? bytes : GY_CHUNK_BYTES;
    *s = (gy_stretch){.chunk = empty, .bytes = bytes};
    return gy_vulkan_buffer_make(v, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0,
                                 &v->chunks[empty]);
}

static void keep_stretch(gy_vulkan *v, gy_stretch s)
{
    int at = v->stretch_count++;
    for (; at > 0 && v->stretches[at - 1].host > s.host; at--)
        v->stretches[at] = v->stretches[at - 1];
    v->stretches[at] = s;
}

static void free_chunk_if_empty(gy_vulkan *v, int chunk)
{
    for (int i = 0; i < v->stretch_count; i++) {
        if (v->stretches[i].chunk == chunk)
            return;
    }
    gy_vulkan_buffer_free(v, &v->chunks[chunk]);
}

void *gy_vulkan_allocate(gyre_device *device, size_t bytes)
{
    gy_vulkan *v = device->state;
    if (v->failed != GYRE_OK) {
        gyre_fail(v->failed, "%s", v->message);
        return NULL;
    }
    uint64_t size = round_up(GY_MAX(bytes, 1));
    if (!make_room(v, (void **)&v->stretches, &v->stretch_room, v->stretch_count,
                   sizeof *v->stretches))
        return NULL;
    gy_stretch s;
    if (find_place(v, size, &s) != GYRE_OK)
        return NULL;
    s.bytes = size;
    s.host = gy_allocate(&device->host, size, ALIGNMENT);
    if (!s.host) {
        free_chunk_if_empty(v, s.chunk);
        return NULL;
    }
    keep_stretch(v, s);
    gy_vulkan_clear(device, s.host, size);
    return s.host;
}

void gy_vulkan_release(gyre_device *device, void *memory, size_t bytes)
{
    gy_vulkan *v = device->state;
    (void)bytes;
    gy_vulkan_submit(v);
    gy_vulkan_wait(v, v->submitted);
    for (int i = 0; i < v->stretch_count; i++) {
        if (v->stretches[i].host != memory)
            continue;
        gy_stretch s = v->stretches[i];
        v->stretch_count--;
        for (; i < v->stretch_count; i++)
            v->stretches[i] = v->stretches[i + 1];
        v->last_found = 0;
        gy_vulkan_forget(v, s.host, s.bytes);
        gy_release(&device->host, s.host, s.bytes);
        free_chunk_if_empty(v, s.chunk);
        return;
    }
}

static bool holds(const gy_stretch *s, const uint8_t *at, uint64_t bytes)
{
    return at >= s->host && (uint64_t)(at - s->host) + bytes <= s->bytes;
}

const gy_stretch *gy_vulkan_find(gy_vulkan *v, const void *at, uint64_t bytes)
{
    if (v->last_found < v->stretch_count && holds(&v->stretches[v->last_found], at, bytes))
        return &v->stretches[v->last_found];
    for (int i = 0; i < v->stretch_count; i++) {
        if (holds(&v->stretches[i], at, bytes)) {
            v->last_found = i;
            return &v->stretches[i];
        }
    }
    return NULL;
}

uint64_t gy_vulkan_address(gyre_device *device, const void *at)
{
    gy_vulkan *v = device->state;
    const gy_stretch *s = gy_vulkan_find(v, at, 0);
    return s ? v->chunks[s->chunk].address + s->offset + (uint64_t)((const uint8_t *)at - s->host)
             : 0;
}
